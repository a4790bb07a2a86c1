/* Transcoding: composes the readers with the writers of every format and with the exports. Which request is possible is
 * decided here, before anything is written; every output is opened before the work begins. */
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "baked.h"
#include "core/env.h"
#include "core/limits.h"
#include "core/os.h"
#include "core/text.h"
#include "export/ply.h"
#include "grass/legacy.h"
#include "grass/species_choice.h"
#include "grass/write.h"
#include "image/source.h"
#include "transcode_work.h"
#include "vxbake/export.h"

/* ---- what is possible ---- */

static uint32_t format_of(enum vxb_transcode_to to)
{
    return to == VXB_TRANSCODE_1 ? 1 : to == VXB_TRANSCODE_2 ? 2 : to == VXB_TRANSCODE_3 ? 3 : 0;
}

static enum vxb_transcode_to to_format(uint32_t format)
{
    return format == 3 ? VXB_TRANSCODE_3 : VXB_TRANSCODE_2;
}

static enum vxb_status check_options(const struct vxb_transcode_options *o, struct vxb_error *err)
{
    const bool grass = o->to <= VXB_TRANSCODE_3, runtime = o->to == VXB_TRANSCODE_RUNTIME;
    char text[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status = vxbi_check_size("vxb_transcode_options", o->size, sizeof *o, err);
    if (status)
        return status;
    if (!o->output)
        return vxbi_fail(err, VXB_ERR_USAGE, "no output is named");
    if (o->split && !o->compress)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "split", "splitting arranges bytes for compression, and none is "
                                  "asked for");
    if (o->compress && (!grass || o->to == VXB_TRANSCODE_1))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "compress", "only formats 2 and 3 and irradiance fields can be "
                                  "compressed");
    if (o->lossy && o->to != VXB_TRANSCODE_1)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "lossy", "only format 1 loses anything, and it is not what is "
                                  "written");
    if (o->species && o->to != VXB_TRANSCODE_2)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "species", "a species is named for format 2 alone, to take it "
                                  "out of a format 3");
    if (o->has_origin && o->to != VXB_TRANSCODE_PLY && !runtime)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "origin", "an origin is for runtime records and PLY: the others "
                                  "hold places in the world");
    for (int i = 0; i < 3; i++)
        if (o->has_origin && !(o->origin[i] >= -VXBI_WORLD_M && o->origin[i] <= VXBI_WORLD_M))
            return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "origin", "the origin's %c is %s; it must lie within 1048576 "
                                      "metres of 0",
                                      "xyz"[i], vxb_text_f64(o->origin[i], text));
    if ((o->recipe || o->stomp) && !runtime)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, o->recipe ? "recipe" : "stomp", "stomp is for runtime records "
                                  "alone");
    if ((o->side || (o->force && o->to != VXB_TRANSCODE_KTX2)) && !runtime)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, o->side ? "side" : "force", "only %s files beside the output",
                                  o->side ? "runtime records have" : "runtime records and ktx2 make");
    if (o->recipe && o->stomp)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "stomp", "stomp comes from a map or from a recipe, and both are "
                                  "named");
    if (runtime && !o->side && strcmp(o->output, "-") == 0)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "output", "standard output leaves no name for the JSON file that "
                                  "belongs to runtime records: name a file");
    return VXB_OK;
}

static enum vxb_status find_species(struct vxbi_transcode *t, struct vxb_error *err)
{
    const struct vxb_grass *grass = t->grass;
    const uint32_t count = grass->header.section_count;
    struct vxbi_species_choice species[VXB_GRASS_SECTIONS_MAX];
    if (!t->options->species && count == 1)
        return VXB_OK;
    for (uint32_t k = 0; k < count; k++)
        species[k] = (struct vxbi_species_choice){grass->sections[k].name, grass->sections[k].species_id};
    enum vxb_status status = vxbi_species_choose(species, count, "the file's", t->options->species,
                                                 "format 2 holds one species: name the one to take", &t->section, err);
    return status ? vxbi_error_in(err, status, grass->name, NULL) : VXB_OK;
}

static enum vxb_status check_request(struct vxbi_transcode *t, struct vxb_error *err)
{
    const uint32_t from = t->grass->header.format, to = format_of(t->to);
    const char *possible = from == 1 ? "format 2, runtime records, PLY or CSV"
                           : from == 2 ? "format 2, format 1 where losses are allowed, runtime records, PLY or CSV"
                                       : "format 3, format 2 of one species, runtime records, PLY or CSV";
    if (to == 0 || (from == 3 && to == 3))
        return VXB_OK;
    if (to == 2)
        return find_species(t, err);
    if (from == 2 && to == 1 && t->options->lossy)
        return VXB_OK;
    if (from == 2 && to == 1)
        vxbi_fail_remedy(err, VXB_ERR_USAGE, "lossy", "format 1 has no room for species, LODs, limits, identities and "
                         "tilted blades");
    else if (from == 3 && to == 1)
        vxbi_fail(err, VXB_ERR_USAGE, "a format 3 can't become format 1 in one step: take one species to format 2, "
                  "then that to format 1; a format 3 can become %s", possible);
    else
        vxbi_fail(err, VXB_ERR_USAGE, "a format %" PRIu32 " can't become format %" PRIu32 "; it can become %s", from,
                  to, possible);
    return vxbi_error_in(err, VXB_ERR_USAGE, t->grass->name, NULL);
}

static enum vxb_status open_output(struct vxbi_transcode *t, struct vxb_error *err)
{
    const char *input = strcmp(t->path, "-") == 0 ? "/dev/stdin" : t->path;
    enum vxb_status status = vxb_output_open(t->env, t->options->output, &t->output, err);
    if (status || !vxb_output_is(t->output, input))
        return status;
    vxbi_fail(err, VXB_ERR_REFUSED, "would replace the input; choose another name");
    return vxbi_error_in(err, VXB_ERR_REFUSED, t->options->output, NULL);
}

enum vxb_status vxbi_transcode_refuse(const struct vxbi_transcode *t, const char *input, struct vxb_error *err)
{
    if (!vxb_output_is(t->output, input) && !vxb_output_is(t->side, input) &&
        !(t->report_output && vxb_output_is(t->report_output, input)))
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_REFUSED, "an output would replace an input, %s; choose another name", input);
}

enum vxb_status vxbi_transcode_open_report(struct vxbi_transcode *t, struct vxb_error *err)
{
    const char *input = strcmp(t->path, "-") == 0 ? "/dev/stdin" : t->path, *path = t->options->report_json;
    enum vxb_status status = vxb_output_open(t->env, path, &t->report_output, err);
    if (status)
        return status;
    if (!vxb_output_is(t->report_output, input) && !(t->output && vxb_output_same(t->report_output, t->output)) &&
        !(t->side && vxb_output_same(t->report_output, t->side)))
        return VXB_OK;
    vxbi_fail(err, VXB_ERR_REFUSED, "the report would replace the input or another output; choose another name");
    return vxbi_error_in(err, VXB_ERR_REFUSED, path, NULL);
}

/* ---- formats 2 and 3 ---- */

struct packing {
    const struct vxb_grass *grass;
    struct vxb_grass_scratch **scratch; /* one a worker */
    uint32_t workers;
    uint64_t most_raw, most_stored;
};

static enum vxb_status read_chunk(void *user, uint32_t worker, uint32_t section, struct vxbi_field_chunk *chunk,
                                  uint32_t count, uint8_t *records, struct vxb_error *err)
{
    const struct packing *p = user;
    const uint32_t index = (uint32_t)chunk->spill_offset;
    struct vxb_grass_chunk entry;
    (void)section;
    enum vxb_status status = vxbi_grass_entries(p->grass, index, 1, &entry, NULL, NULL, err);
    /* The file may have changed since its table was read. */
    if (!status && (entry.blade_count != count || entry.cell_x != chunk->cell_x || entry.cell_z != chunk->cell_z))
        status = vxbi_fail(err, VXB_ERR_IO, "the file changed while it was read");
    if (!status)
        status = vxbi_grass_read_entry(p->grass, &entry, records, (size_t)count * VXB_GRASS_RECORD_BYTES,
                                       &p->scratch[worker], err);
    chunk->min_y = entry.min_y;
    chunk->max_y = entry.max_y;
    return status;
}

/* The list of a section's chunks, with each one's index where the writer wants to know where it comes from. */
static enum vxb_status list_chunks(struct packing *p, struct vxbi_write_input *input, uint32_t to, uint32_t from,
                                   struct vxb_error *err)
{
    const struct vxb_grass_section *s = &p->grass->sections[from];
    struct vxb_grass_chunk window[VXBI_GRASS_WINDOW];
    const uint64_t need = (uint64_t)s->chunk_count * sizeof *input->chunks[to];
    enum vxb_status status = VXB_OK;
    if (need > p->grass->max_memory)
        return vxbi_fail_max_memory(err, p->grass->max_memory, "the chunk table takes %" PRIu64 " bytes", need);
    if (s->chunk_count == 0)
        return VXB_OK;
    input->chunks[to] = vxbi_new_zero(&input->allocator, s->chunk_count, sizeof *input->chunks[to]);
    if (!input->chunks[to])
        return vxbi_fail_memory(err, need);
    input->counts[to] = s->chunk_count;
    for (uint32_t done = 0, n; done < s->chunk_count && !status; done += n) {
        n = s->chunk_count - done < VXBI_GRASS_WINDOW ? s->chunk_count - done : VXBI_GRASS_WINDOW;
        status = vxbi_grass_entries(p->grass, s->first_chunk + done, n, window, NULL, NULL, err);
        for (uint32_t i = 0; i < n && !status; i++) {
            const uint64_t raw_bytes = (uint64_t)window[i].blade_count * VXB_GRASS_RECORD_BYTES;
            input->chunks[to][done + i] = (struct vxbi_field_chunk){
                .cell_x = window[i].cell_x, .cell_z = window[i].cell_z, .spill_offset = s->first_chunk + done + i,
                .spilled = window[i].blade_count, .blade_count = window[i].blade_count};
            p->most_raw = raw_bytes > p->most_raw ? raw_bytes : p->most_raw;
            p->most_stored = window[i].data_bytes > p->most_stored ? window[i].data_bytes : p->most_stored;
        }
    }
    return status;
}

/* As many workers as the limit has room for, each with the largest chunk, one at least. */
static enum vxb_status plan_memory(const struct vxbi_transcode *t, struct packing *p, struct vxb_error *err)
{
    const struct vxb_grass *grass = t->grass;
    uint64_t need = p->most_raw;
    if (grass->header.format == 1)
        need += vxbi_legacy_memory((uint32_t)(p->most_raw / VXB_GRASS_RECORD_BYTES));
    if (grass->header.flags & VXB_GRASS_ZSTD)
        need += p->most_stored;
    if (grass->header.flags & VXB_GRASS_SPLIT)
        need += p->most_raw;
    /* A frame is larger than its content by less than a 128th and 64 KiB. */
    if (t->options->compress)
        need += p->most_raw + p->most_raw / 128 + 65536;
    if (t->options->split)
        need += p->most_raw;
    if (need > grass->max_memory)
        return vxbi_fail_max_memory(err, grass->max_memory, "the largest chunk takes %" PRIu64 " bytes", need);
    const uint64_t room = need ? grass->max_memory / need : 1;
    p->workers = vxbi_thread_count(t->env);
    p->workers = p->workers > room ? (uint32_t)room : p->workers;
    p->scratch = vxbi_new_zero(&grass->allocator, p->workers, sizeof *p->scratch);
    return p->scratch ? VXB_OK : vxbi_fail_memory(err, p->workers * sizeof *p->scratch);
}

static void fill_input(struct vxbi_transcode *t, struct vxbi_write_input *input)
{
    const struct vxb_grass *grass = t->grass;
    const bool one_of_many = grass->header.format == 3 && t->to == VXB_TRANSCODE_2;
    const struct vxb_grass_section *first = &grass->sections[t->section];
    input->header = grass->header;
    input->header.format = format_of(t->to);
    input->header.flags &= VXB_GRASS_INEXACT | VXB_GRASS_PARTIAL;
    if (!one_of_many) {
        memcpy(input->sections, grass->sections, sizeof input->sections);
        memcpy(input->lods, grass->lods, sizeof input->lods);
        return;
    }
    input->header.section_count = 1;
    input->header.blade_budget = first->blade_budget;
    input->header.bake_id = 0;
    t->report.one_species = true;
    t->report.species_id = first->species_id;
    input->sections[0] = *first;
    input->sections[0].material_index = 0;
    memcpy(input->lods, grass->lods + first->first_lod, first->lod_count * sizeof *input->lods);
}

/* What a format 1 was quantised to. */
static void tell_quanta(struct vxbi_transcode *t, const struct vxbi_write_input *input)
{
    t->report.quantised = true;
    t->report.place_step = (double)input->header.cell_size / 65536.0;
    for (uint64_t i = 0; i < input->counts[0]; i++) {
        const double step = ((double)input->chunks[0][i].max_y - (double)input->chunks[0][i].min_y) / 65535.0;
        t->report.height_step = step > t->report.height_step ? step : t->report.height_step;
    }
}

static enum vxb_status pack(struct vxbi_transcode *t, struct vxb_error *err)
{
    struct packing p = {.grass = t->grass};
    struct vxbi_write_input input = {.allocator = t->grass->allocator, .user = &p, .read = read_chunk};
    const struct vxbi_write_options write = {.compress = t->options->compress, .level = t->options->compress_level,
                                             .split = t->options->split};
    enum vxb_status status = VXB_OK;
    fill_input(t, &input);
    for (uint32_t k = 0; k < input.header.section_count && !status; k++)
        status = list_chunks(&p, &input, k, t->section + k, err);
    if (!status)
        status = plan_memory(t, &p, err);
    if (!status) {
        struct vxb_env env = {.size = sizeof env};
        if (t->env)
            env = *t->env;
        env.threads = p.workers;
        status = vxbi_grass_write_chunks(&env, &input, t->output, &write, err);
    }
    if (!status && t->grass->header.format == 1)
        tell_quanta(t, &input);
    for (uint32_t i = 0; p.scratch && i < p.workers; i++)
        vxb_grass_scratch_free(p.scratch[i]);
    vxbi_delete(&input.allocator, p.scratch, p.workers, sizeof *p.scratch);
    for (uint32_t k = 0; k < VXB_GRASS_SECTIONS_MAX; k++)
        vxbi_delete(&input.allocator, input.chunks[k], input.counts[k], sizeof *input.chunks[k]);
    t->report.chunk_count = input.header.chunk_count;
    t->report.blade_count = input.header.blade_count;
    t->report.file_bytes = input.header.file_bytes;
    t->report.content_id = input.header.content_id;
    return status;
}

/* ---- format 1 ---- */

const char *vxb_transcode_to_name(enum vxb_transcode_to to)
{
    switch (to) {
    case VXB_TRANSCODE_DEFAULT: return NULL;
    case VXB_TRANSCODE_1: return "1";
    case VXB_TRANSCODE_2: return "2";
    case VXB_TRANSCODE_3: return "3";
    case VXB_TRANSCODE_RUNTIME: return "runtime";
    case VXB_TRANSCODE_PLY: return "ply";
    case VXB_TRANSCODE_CSV: return "csv";
    case VXB_TRANSCODE_KTX2: return "ktx2";
    case VXB_TRANSCODE_SLICES: return "slices";
    }
    return NULL;
}

const char *vxb_transcode_lost_name(enum vxb_transcode_lost lost)
{
    switch (lost) {
    case VXB_LOST_SPECIES: return "species";
    case VXB_LOST_PASSES: return "passes";
    case VXB_LOST_LODS: return "lods";
    case VXB_LOST_LIMITS: return "limits";
    case VXB_LOST_BAKE: return "bake";
    case VXB_LOST_FLAGS: return "flags";
    case VXB_LOST_RANK_LIMIT: return "rank_limit";
    case VXB_LOST_UP: return "up";
    case VXB_LOST_GROUND: return "ground";
    case VXB_LOST_HASHES: return "hashes";
    }
    return "unknown";
}

static void lose(struct vxbi_transcode *t, enum vxb_transcode_lost lost, const char *what)
{
    t->report.lost |= (uint32_t)lost;
    vxbi_say(t->env, VXB_SEVERITY_NOTE, t->grass->name, NULL, "lost in format 1: %s", what);
}

static void tell_lost(struct vxbi_transcode *t, const struct vxbi_legacy_lost *lost)
{
    const struct vxb_grass_header *h = &t->grass->header;
    const struct vxb_grass_section *s = &t->grass->sections[0];
    const struct vxb_grass_lod *lod = &t->grass->lods[0];
    char text[3 * VXB_NAME_MAX_BYTES + 128], budget[16];
    if (s->species_id || s->name[0] || s->material[0] || s->mesh[0]) {
        snprintf(text, sizeof text, "the species \"%s\", 0x%016" PRIx64 ", with material \"%s\" and mesh \"%s\"",
                 s->name, s->species_id, s->material, s->mesh);
        lose(t, VXB_LOST_SPECIES, text);
    }
    if (s->pass_count != 1 || strcmp(s->passes[0], "main") != 0) {
        snprintf(text, sizeof text, "the names of %u %s", s->pass_count, s->pass_count == 1 ? "pass" : "passes");
        lose(t, VXB_LOST_PASSES, text);
    }
    if (s->lod_count != 1 || lod->distance <= FLT_MAX || lod->keep != 1.0f || lod->fade <= FLT_MAX ||
        lod->mesh_radius != 0.0f || lod->index_count || lod->first_index || lod->vertex_offset) {
        snprintf(text, sizeof text, "%u %s", s->lod_count, s->lod_count == 1 ? "LOD" : "LODs");
        lose(t, VXB_LOST_LODS, text);
    }
    if (h->max_commands != VXB_NO_LIMIT || h->updates_per_frame != VXB_NO_LIMIT || h->blade_budget != VXB_NO_LIMIT) {
        snprintf(budget, sizeof budget, "%" PRIu32, h->blade_budget);
        snprintf(text, sizeof text, "the limits of commands and updates, and the blade budget (%s)",
                 h->blade_budget == VXB_NO_LIMIT ? "none" : budget);
        lose(t, VXB_LOST_LIMITS, text);
    }
    if (h->seed || h->density != 0.0f || h->bake_revision || h->bake_id) {
        snprintf(text, sizeof text, "seed %" PRIu32 ", density, bake revision %u and bake id 0x%016" PRIx64, h->seed,
                 h->bake_revision, h->bake_id);
        lose(t, VXB_LOST_BAKE, text);
    }
    if (h->flags & (VXB_GRASS_INEXACT | VXB_GRASS_PARTIAL))
        lose(t, VXB_LOST_FLAGS, "that the field is partial, or was baked on an inexact device");
    if (s->rank_limit != 65535 && h->blade_count) {
        snprintf(text, sizeof text, "the rank limit of %u, which is 65535 where none is stored", s->rank_limit);
        lose(t, VXB_LOST_RANK_LIMIT, text);
    }
    if (lost->tilted) {
        snprintf(text, sizeof text, "the up direction of %" PRIu64 " blades, which will stand straight up",
                 lost->tilted);
        lose(t, VXB_LOST_UP, text);
    }
    if (h->blade_count)
        lose(t, VXB_LOST_GROUND, "the ground's lowest and highest point of each chunk; the blades' own will take their "
             "place");
    lose(t, VXB_LOST_HASHES, "the hashes and the content id, by which damage is seen");
}

static enum vxb_status unpack(struct vxbi_transcode *t, struct vxb_error *err)
{
    struct vxbi_legacy_lost lost;
    enum vxb_status status = vxbi_legacy_write(t->env, t->grass, t->output, &lost, &t->report.file_bytes, err);
    if (status)
        return status;
    tell_lost(t, &lost);
    t->report.tilted = lost.tilted;
    memcpy(t->report.moved, lost.moved, sizeof t->report.moved);
    return VXB_OK;
}

/* ---- exports ---- */

bool vxbi_transcode_append(void *user, const char *data, size_t size)
{
    struct vxbi_transcode_sink *sink = user;
    if (vxbi_cancelled(sink->t->env))
        sink->status = vxbi_fail(sink->err, VXB_ERR_CANCELLED, "cancelled");
    else
        sink->status = vxb_output_append(sink->output, data, size, sink->err);
    if (sink->output != sink->t->side && sink->output != sink->t->report_output)
        sink->t->report.file_bytes += size;
    else if (sink->output == sink->t->side)
        sink->t->report.side_bytes += size;
    return sink->status == VXB_OK;
}

static enum vxb_status export(struct vxbi_transcode *t, struct vxb_error *err)
{
    struct vxbi_transcode_sink to = {.t = t, .output = t->output, .err = err};
    const struct vxb_sink sink = {.user = &to, .write = vxbi_transcode_append};
    enum vxb_status status = t->to == VXB_TRANSCODE_CSV ? vxb_inspect_blades_csv(t->grass, NULL, &sink, err)
                                                        : vxbi_ply_write(t->grass, t->options->origin, &sink, err);
    return to.status ? to.status : status;
}

/* ---- the whole ---- */

enum vxb_status vxbi_transcode_write_report(struct vxbi_transcode *t, struct vxb_error *err)
{
    struct vxbi_transcode_sink to = {.t = t, .output = t->report_output, .err = err};
    const struct vxb_sink sink = {.user = &to, .write = vxbi_transcode_append};
    enum vxb_status status = vxb_transcode_report_json(t->path, t->options, &t->report, false, &sink, err);
    return to.status ? to.status : status;
}

/* All that can fail before any of it is in place; then what streams, which still can, before what is renamed. */
static enum vxb_status put_in_place(struct vxbi_transcode *t, struct vxb_error *err)
{
    enum { OUTPUTS = 3 };
    struct vxb_output **outputs[OUTPUTS] = {&t->side, &t->report_output, &t->output};
    enum vxb_status status = VXB_OK;
    for (int i = 0; i < OUTPUTS && !status; i++)
        if (*outputs[i])
            status = vxbi_output_prepare(*outputs[i], false, err);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < OUTPUTS && !status; i++) {
            struct vxb_output *output = *outputs[i];
            if (!output || (pass == 0 && !vxbi_output_streams(output)))
                continue;
            *outputs[i] = NULL;
            status = vxb_output_commit(output, err);
        }
    return status;
}

/* What is written as itself has a name that does not promise the other kind; only now is it known which it is. A
 * hidden file's name promises nothing. */
static enum vxb_status check_kind_of_name(const struct vxbi_transcode *t, enum vxb_file_kind kind,
                                          struct vxb_error *err)
{
    static const char *const endings[] = {".vxg", ".vxp"}, *const whats[] = {"a grass file", "an irradiance field"};
    const char *name = strrchr(t->options->output, '/');
    const int own = kind == VXB_FILE_PROBES, other = !own;
    name = name ? name + 1 : t->options->output;
    if (kind == VXB_FILE_TEXTURE || !name[0] || !vxbi_ends_with(name + 1, endings[other]))
        return VXB_OK;
    vxbi_fail_at_fault(err, VXB_ERR_USAGE, "output", "ends as %s does, and what is written is %s: give it a name that "
                       "ends in %s", whats[other], whats[own], endings[own]);
    return vxbi_error_in(err, VXB_ERR_USAGE, t->options->output, NULL);
}

static enum vxb_status work(struct vxbi_transcode *t, struct vxb_error *err)
{
    static const char written[] = "only grass files and irradiance fields are written in other formats";
    struct vxb_file file;
    enum vxb_status status = vxbi_baked_read(t->env, t->path, written, &file, err);
    if (status)
        return status;
    t->grass = file.grass;
    t->probes = file.probes;
    if (t->options->to == VXB_TRANSCODE_DEFAULT)
        status = check_kind_of_name(t, file.kind, err);
    if (status)
        return status;
    if (file.kind == VXB_FILE_PROBES)
        return vxbi_transcode_probes(t, err);
    const bool of_light = t->options->to == VXB_TRANSCODE_KTX2 || t->options->to == VXB_TRANSCODE_SLICES;
    if (file.kind == VXB_FILE_TEXTURE || of_light) {
        status = file.kind == VXB_FILE_TEXTURE
                     ? vxbi_fail(err, VXB_ERR_FORMAT, "this is a KTX2 file: %s", written)
                     : vxbi_fail_at_fault(err, VXB_ERR_USAGE, "to", "ktx2 and slices are for irradiance fields, and "
                                          "this is a grass file");
        vxb_texture_close(file.texture);
        return vxbi_error_in(err, status, t->path, NULL);
    }
    t->to = t->options->to ? t->options->to : to_format(t->grass->header.format);
    t->report = (struct vxb_transcode_report){
        .from = t->grass->header.format, .to = format_of(t->to), .target = t->to, .input_bytes = t->grass->size,
        .chunk_count = t->grass->header.chunk_count, .blade_count = t->grass->header.blade_count};
    status = check_request(t, err);
    if (!status)
        status = open_output(t, err);
    if (!status && t->to == VXB_TRANSCODE_RUNTIME)
        status = vxbi_transcode_open_side(t, err);
    if (!status && t->options->report_json)
        status = vxbi_transcode_open_report(t, err);
    if (status)
        return status;
    if (t->to == VXB_TRANSCODE_2 || t->to == VXB_TRANSCODE_3)
        status = pack(t, err);
    else
        status = t->to == VXB_TRANSCODE_1         ? unpack(t, err)
                 : t->to == VXB_TRANSCODE_RUNTIME ? vxbi_transcode_runtime(t, err)
                                                  : export(t, err);
    if (status)
        return vxbi_error_in(err, status, t->grass->name, NULL);
    if (t->report_output)
        status = vxbi_transcode_write_report(t, err);
    return status ? status : put_in_place(t, err);
}

enum vxb_status vxb_transcode(const struct vxb_env *env, const char *path, const struct vxb_transcode_options *options,
                              struct vxb_transcode_report *report, struct vxb_error *err)
{
    struct vxbi_transcode t = {.env = env, .options = options, .path = path};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(options, err);
    if (!status)
        status = work(&t, err);
    vxb_output_abort(t.output);
    vxb_output_abort(t.side);
    vxb_output_abort(t.report_output);
    vxb_grass_close(t.grass);
    vxb_probe_file_close(t.probes);
    if (!status && report)
        *report = t.report;
    return status;
}
