/* The JSON report of a bake: whether its numbers add up, and whether they are this file's. */
#include <inttypes.h>
#include <stdio.h>

#include "verify_work.h"

enum { CANDIDATES, PLACED, CHUNKS, BYTES, COMMANDS, COUNTS };
static const char *const count_keys[COUNTS] = {"candidates", "placed", "chunks", "bytes", "commands"};

struct ledger {
    uint64_t counts[COUNTS], reasons[VXB_REASON_COUNT];
    bool whole;
};

struct check {
    const struct vxb_grass *grass;
    struct vxbi_collect *collect;
};

static bool take_u64(const struct check *c, const struct vxbi_json *object, const char *where, const char *key,
                     uint64_t *out)
{
    return vxbi_verify_take_u64(c->collect, object, where, key, out);
}

static void same(const struct check *c, const char *where, const char *key, uint64_t report, uint64_t file)
{
    if (report != file)
        vxbi_found(c->collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET,
                   vxbi_pointer(c->collect, "%s/%s", where, key),
                   "%s/%s is %" PRIu64 " in the report, %" PRIu64 " by the file", where, key, report, file);
}

static void same_id(const struct check *c, const struct vxbi_json *object, const char *where, const char *key,
                    uint64_t file)
{
    vxbi_verify_same_id(c->collect, object, where, key, file);
}

static void same_u64(const struct check *c, const struct vxbi_json *object, const char *where, const char *key,
                     uint64_t file)
{
    vxbi_verify_same_u64(c->collect, object, where, key, file);
}

/* Reads a ledger and holds it to its own sum. */
static void take_ledger(const struct check *c, const struct vxbi_json *object, const char *where, struct ledger *out)
{
    char reasons_at[128];
    const struct vxbi_json *reasons = vxbi_json_member(object, "reasons");
    *out = (struct ledger){.whole = true};
    for (int i = 0; i < COUNTS; i++)
        out->whole = take_u64(c, object, where, count_keys[i], &out->counts[i]) && out->whole;
    snprintf(reasons_at, sizeof reasons_at, "%s/reasons", where);
    uint64_t sum = out->counts[PLACED];
    for (int i = 0; i < VXB_REASON_COUNT; i++) {
        out->whole = take_u64(c, reasons, reasons_at, vxb_reason_name((enum vxb_reason)i), &out->reasons[i]) &&
                     out->whole;
        sum += out->reasons[i];
    }
    if (out->whole && sum != out->counts[CANDIDATES])
        vxbi_found(c->collect, VXB_FINDING_REPORT_LEDGER, VXBI_NO_OFFSET,
                   vxbi_pointer(c->collect, "%s/candidates", where),
                   "%s has %" PRIu64 " candidates, but placed and reasons sum to %" PRIu64, where,
                   out->counts[CANDIDATES], sum);
}

/* The bytes of a section's chunk data. */
static enum vxb_status data_bytes(const struct vxb_grass *grass, uint32_t section, uint64_t *out,
                                  struct vxb_error *err)
{
    const struct vxb_grass_section *s = &grass->sections[section];
    struct vxb_grass_chunk window[VXBI_GRASS_WINDOW];
    *out = 0;
    for (uint32_t done = 0, n; done < s->chunk_count; done += n) {
        n = s->chunk_count - done < VXBI_GRASS_WINDOW ? s->chunk_count - done : VXBI_GRASS_WINDOW;
        enum vxb_status status = vxb_grass_chunks(grass, s->first_chunk + done, n, window, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++)
            *out += window[i].data_bytes;
    }
    return VXB_OK;
}

static enum vxb_status check_species(const struct check *c, const struct vxbi_json *species, uint32_t k,
                                     struct ledger *sum, struct vxb_error *err)
{
    const struct vxb_grass_section *s = &c->grass->sections[k];
    char where[32], ledger_at[48];
    struct ledger ledger;
    uint64_t bytes;
    enum vxb_status status = data_bytes(c->grass, k, &bytes, err);
    if (status)
        return status;
    snprintf(where, sizeof where, "/species/%" PRIu32, k);
    snprintf(ledger_at, sizeof ledger_at, "%s/ledger", where);
    same_id(c, species, where, "id", s->species_id);
    same_id(c, species, where, "material_id", s->material_id);
    vxbi_verify_same_text(c->collect, species, where, "name", s->name);
    vxbi_verify_same_text(c->collect, species, where, "material", s->material);
    same_u64(c, species, where, "material_index", s->material_index);
    vxbi_verify_same_limit(c->collect, species, where, "blade_budget", s->blade_budget);
    same_u64(c, species, where, "lods", s->lod_count);
    vxbi_verify_same_texts(c->collect, species, where, "passes", s->passes, s->pass_count);
    same_u64(c, species, where, "parts", s->share);
    same_u64(c, species, where, "rank_limit", s->rank_limit);
    if (c->grass->header.format == 3)
        same_id(c, species, where, "profile_id", s->profile_id);
    take_ledger(c, vxbi_json_member(species, "ledger"), ledger_at, &ledger);
    for (int i = 0; i < COUNTS; i++)
        sum->counts[i] += ledger.counts[i];
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        sum->reasons[i] += ledger.reasons[i];
    sum->whole = sum->whole && ledger.whole;
    if (ledger.whole) {
        same(c, ledger_at, "placed", ledger.counts[PLACED], s->blade_count);
        same(c, ledger_at, "chunks", ledger.counts[CHUNKS], s->chunk_count);
        same(c, ledger_at, "commands", ledger.counts[COMMANDS], (uint64_t)s->chunk_count * s->pass_count);
        same(c, ledger_at, "bytes", ledger.counts[BYTES], bytes);
    }
    return VXB_OK;
}

static void check_sums(const struct check *c, const struct ledger *field, const struct ledger *sum)
{
    for (int i = 0; i < COUNTS + VXB_REASON_COUNT; i++) {
        uint64_t of_field = i < COUNTS ? field->counts[i] : field->reasons[i - COUNTS];
        uint64_t of_species = i < COUNTS ? sum->counts[i] : sum->reasons[i - COUNTS];
        const char *key = i < COUNTS ? count_keys[i] : vxb_reason_name((enum vxb_reason)(i - COUNTS));
        if (of_field != of_species)
            vxbi_found(c->collect, VXB_FINDING_REPORT_SUM, VXBI_NO_OFFSET,
                       vxbi_pointer(c->collect, "/field/%s%s", i < COUNTS ? "" : "reasons/", key),
                       "the field's %s are %" PRIu64 ", the species' sum to %" PRIu64, key, of_field, of_species);
    }
}

static enum vxb_status check_report(const struct check *c, const struct vxbi_json *root, struct vxb_error *err)
{
    const struct vxb_grass_header *h = &c->grass->header;
    const struct vxbi_json *species = vxbi_json_member(root, "species");
    const struct vxbi_json *output = vxbi_json_member(root, "output");
    struct ledger field, sum = {.whole = true};
    enum vxb_status status = VXB_OK;
    same_u64(c, root, "", "version", 1);
    same_u64(c, root, "", "bake_revision", h->bake_revision);
    same_u64(c, root, "", "format", h->format);
    same_u64(c, root, "", "seed", h->seed);
    vxbi_verify_same_f32(c->collect, root, "", "cell_size", h->cell_size);
    vxbi_verify_same_f32(c->collect, vxbi_json_member(root, "density"), "/density", "asked", h->density);
    vxbi_verify_same_limit(c->collect, vxbi_json_member(root, "budgets"), "/budgets", "blades", h->blade_budget);
    same_id(c, root, "", "bake_id", h->bake_id);
    same_id(c, output, "/output", "content_id", h->content_id);
    same_u64(c, output, "/output", "file_bytes", h->file_bytes);
    take_ledger(c, vxbi_json_member(root, "field"), "/field", &field);
    /* The plan's, and so all of the field's. */
    if (field.whole && !(h->flags & VXB_GRASS_PARTIAL))
        same_u64(c, root, "", "candidates", field.counts[CANDIDATES]);
    if (!species || vxbi_json_count(species) != h->section_count) {
        vxbi_found(c->collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, "/species",
                   "the report has %zu species, the file %" PRIu32, species ? vxbi_json_count(species) : 0,
                   h->section_count);
        return VXB_OK;
    }
    const struct vxbi_json *one = vxbi_json_first(species);
    for (uint32_t k = 0; !status && one; k++, one = vxbi_json_next(one))
        status = check_species(c, one, k, &sum, err);
    if (!status && field.whole && sum.whole)
        check_sums(c, &field, &sum);
    return status;
}

enum vxb_status vxbi_verify_ledger(const struct vxb_env *env, const struct vxb_grass *grass, const char *path,
                                   struct vxbi_collect *collect, struct vxb_error *err)
{
    struct vxbi_json *root;
    const struct check check = {grass, collect};
    enum vxb_status status = vxbi_verify_read_report(env, path, "bake-report", &root, err);
    if (status)
        return status;
    status = check_report(&check, root, err);
    vxbi_json_free(root);
    return status;
}
