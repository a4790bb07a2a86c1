/* The verification of an irradiance field: the check of it alone, the gate on invalid probes, then what a recipe, a
 * bake of it or a bake's report add to it. */
#include "verify_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probes/bake_plan.h"
#include "probes/pool.h"
#include "verify/probes.h"

struct compare {
    const struct vxb_env *env;
    const struct vxb_probe_file *file;
    const struct vxb_probe_field *field; /* NULL: the planes were not read */
    struct vxbi_collect collect;
};

static bool comparable(struct compare *c)
{
    const struct vxb_probe_header *h = &c->file->header;
    if (h->bake_revision == VXB_BAKE_REVISION)
        return true;
    vxbi_found(&c->collect, VXB_FINDING_COMPARE_REVISION, VXBI_AT(probe_header, bake_revision), "/header/bake_revision",
               "the file was baked by revision %u of the rules, this version has revision %u: bake it anew, or "
               "compare by the version that made it", h->bake_revision, (unsigned)VXB_BAKE_REVISION);
    return false;
}

/* ---- a recipe ---- */

static void differs(struct compare *c, uint64_t offset, const char *field, const char *what)
{
    vxbi_found(&c->collect, VXB_FINDING_PROBE_RECIPE, offset, vxbi_pointer(&c->collect, "/header/%s", field),
               "%s in the file are not the recipe's", what);
}

static void same_header(struct compare *c, const struct vxb_probe_plan *plan)
{
    const struct vxb_probe_header *h = &c->file->header;
    const struct vxb_probe_recipe *r = plan->recipe;
    const uint64_t id = h->flags & VXB_PROBE_INEXACT ? vxbi_probe_bake_id(r, plan->scene, true) : plan->bake_id;
    if (memcmp(h->bounds_min, r->bounds.min, sizeof h->bounds_min) != 0 ||
        memcmp(h->bounds_max, r->bounds.max, sizeof h->bounds_max) != 0)
        differs(c, VXBI_AT(probe_header, bounds_min), "bounds_min", "the bounds");
    if (memcmp(h->cells, r->cells, sizeof h->cells) != 0)
        differs(c, VXBI_AT(probe_header, cells), "cells", "the cells");
    if (memcmp(h->slots, plan->slots, sizeof h->slots) != 0)
        differs(c, VXBI_AT(probe_header, slots), "slots", "the slots");
    if (h->encoding != r->encoding)
        vxbi_found(&c->collect, VXB_FINDING_PROBE_RECIPE, VXBI_AT(probe_header, encoding), "/header/encoding",
                   "the encoding is %s in the file, %s by the recipe",
                   vxb_probe_encoding_name((enum vxb_probe_encoding)h->encoding), vxb_probe_encoding_name(r->encoding));
    if (h->bake_id != id)
        vxbi_found(&c->collect, VXB_FINDING_RECIPE_BAKE_ID, VXBI_AT(probe_header, bake_id), "/header/bake_id",
                   "the bake id is 0x%016" PRIx64 " in the file, 0x%016" PRIx64 " by the recipe", h->bake_id, id);
}

static bool same_bricks(struct compare *c, const struct vxb_probe_plan *plan)
{
    const struct vxb_probe_file *file = c->file;
    uint32_t count, i = 0;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(plan->field, &count);
    while (i < count && i < file->header.brick_count && memcmp(&bricks[i], &file->bricks[i], sizeof *bricks) == 0)
        i++;
    if (i == count && i == file->header.brick_count)
        return true;
    vxbi_found(&c->collect, VXB_FINDING_PROBE_RECIPE, file->layout.bricks + (uint64_t)i * VXB_PROBE_BRICK_BYTES,
               vxbi_pointer(&c->collect, "/bricks/%" PRIu32, i),
               "the file has %" PRIu32 " bricks, the recipe's plan %" PRIu32 "; the first to differ is %" PRIu32,
               file->header.brick_count, count, i);
    return false;
}

/* ---- a new bake ---- */

static enum vxb_status rebake(struct compare *c, struct vxb_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_bake_options options = {.size = sizeof options};
    enum vxb_status status = vxb_probe_bake(c->env, plan, &options, NULL, err);
    if (status)
        return status;
    const struct vxb_probe *made = vxb_probe_pool_texels(vxb_probe_field_pool(plan->field));
    const struct vxb_probe *has = vxb_probe_pool_texels(vxb_probe_field_pool(c->field));
    const uint64_t texels = vxbi_probe_texels(c->file->header.slots);
    uint64_t differing = 0, first = 0;
    for (uint64_t i = 0; i < texels; i++)
        if (memcmp(&made[i], &has[i], sizeof made[i]) != 0 && differing++ == 0)
            first = i;
    if (differing)
        vxbi_found(&c->collect, VXB_FINDING_PROBE_REBAKE, VXBI_NO_OFFSET, "/planes",
                   "%" PRIu64 " of %" PRIu64 " texels are not what baking the recipe gives, the first of them %" PRIu64,
                   differing, texels, first);
    return VXB_OK;
}

static enum vxb_status against_recipe(struct compare *c, const char *path, bool bake, bool *baked,
                                      const struct vxbi_fold *fold, struct vxb_error *err)
{
    struct vxb_any_recipe recipe;
    struct vxb_probe_plan *plan = NULL;
    enum vxb_status status = vxb_any_recipe_load(c->env, path, NULL, 0, &recipe, err);
    if (status)
        return status;
    if (recipe.kind != VXB_RECIPE_PROBES) {
        status = vxbi_fail(err, VXB_ERR_USAGE, "this is a recipe of the kind %s, and %s is an irradiance field",
                           vxb_recipe_kind_name(recipe.kind), c->file->name);
        vxbi_error_in(err, status, path, "/kind");
    } else {
        status = vxb_probe_plan_new(c->env, recipe.probes, &plan, err);
    }
    if (!status) {
        same_header(c, plan);
        const bool bricks = same_bricks(c, plan);
        if (bake && bricks && c->field && fold->totals[VXB_SEVERITY_ERROR] == 0) {
            status = rebake(c, plan, err);
            *baked = !status;
        }
    }
    vxb_probe_plan_free(plan);
    vxb_any_recipe_clear(&recipe);
    return status;
}

/* ---- a report ---- */

/* How many bricks there are of each size. */
static void same_sizes(struct compare *c, const struct vxbi_json *bricks)
{
    const struct vxb_probe_file *file = c->file;
    const struct vxbi_json *one = vxbi_json_first(vxbi_json_member(bricks, "sizes"));
    uint64_t sum = 0;
    for (size_t i = 0; one; i++, one = vxbi_json_next(one)) {
        char where[40];
        uint64_t size, count = 0;
        snprintf(where, sizeof where, "/bricks/sizes/%zu", i);
        if (!vxbi_verify_take_u64(&c->collect, one, where, "size", &size))
            continue;
        for (uint32_t k = 0; k < file->header.brick_count; k++)
            count += file->bricks[k].size == size;
        vxbi_verify_same_u64(&c->collect, one, where, "count", count);
        sum += count;
    }
    if (sum != file->header.brick_count)
        vxbi_found(&c->collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, "/bricks/sizes",
                   "the report's sizes are those of %" PRIu64 " bricks, the file has %" PRIu32, sum,
                   file->header.brick_count);
}

static enum vxb_status against_report(struct compare *c, const char *path, struct vxb_error *err)
{
    const struct vxb_probe_header *h = &c->file->header;
    struct vxbi_json *root;
    enum vxb_status status = vxbi_verify_read_report(c->env, path, "probe-report", &root, err);
    if (status)
        return status;
    const struct vxbi_json *output = vxbi_json_member(root, "output"), *bricks = vxbi_json_member(root, "bricks"),
                           *fill = vxbi_json_member(root, "fill"), *field = vxbi_json_member(root, "field");
    vxbi_verify_same_u64(&c->collect, root, "", "version", 1);
    vxbi_verify_same_u64(&c->collect, root, "", "bake_revision", h->bake_revision);
    vxbi_verify_same_f32s(&c->collect, field, "/field", "bounds_min", h->bounds_min, 3);
    vxbi_verify_same_f32s(&c->collect, field, "/field", "bounds_max", h->bounds_max, 3);
    vxbi_verify_same_u32s(&c->collect, field, "/field", "cells", h->cells, 3);
    vxbi_verify_same_u32s(&c->collect, field, "/field", "slots", h->slots, 3);
    vxbi_verify_same_text(&c->collect, field, "/field", "encoding",
                          vxb_probe_encoding_name((enum vxb_probe_encoding)h->encoding));
    vxbi_verify_same_u64(&c->collect, bricks, "/bricks", "count", h->brick_count);
    same_sizes(c, bricks);
    vxbi_verify_same_u64(&c->collect, fill, "/fill", "probes", (uint64_t)VXB_BRICK_PROBES * h->brick_count);
    vxbi_verify_same_u64(&c->collect, output, "/output", "file_bytes", h->file_bytes);
    vxbi_verify_same_id(&c->collect, output, "/output", "bake_id", h->bake_id);
    vxbi_verify_same_id(&c->collect, output, "/output", "content_id", h->content_id);
    vxbi_json_free(root);
    return VXB_OK;
}

/* ---- the whole ---- */

static enum vxb_status compare(struct compare *c, const struct vxb_verify_options *o, const struct vxbi_fold *fold,
                               struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    const bool sound = fold->totals[VXB_SEVERITY_ERROR] == 0;
    const bool recipes = (o->recipe || o->rebake) && sound && comparable(c);
    const bool one = o->recipe && o->rebake && strcmp(o->recipe, o->rebake) == 0;
    bool baked = false;
    enum vxb_status status = VXB_OK;
    if (o->recipe && recipes && !one) {
        status = against_recipe(c, o->recipe, false, &baked, fold, err);
        coverage->recipe = !status;
    }
    if (!status && o->rebake && recipes) {
        status = against_recipe(c, o->rebake, true, &coverage->rebake, fold, err);
        coverage->recipe = coverage->recipe || (one && !status);
    }
    if (!status && o->report_of && sound) {
        status = against_report(c, o->report_of, err);
        coverage->report = !status;
    }
    return status;
}

static void check_gate(const struct vxb_verify_options *o, const struct vxb_verify_coverage *coverage,
                       struct vxbi_collect *collect)
{
    if (o->has_max_invalid && coverage->borders && coverage->probes_invalid > o->max_invalid)
        vxbi_found(collect, VXB_FINDING_PROBE_INVALID, VXBI_NO_OFFSET, "/planes",
                   "%" PRIu64 " of %" PRIu64 " probes are invalid, above the limit of %" PRIu64,
                   coverage->probes_invalid,
                   coverage->probes_total, o->max_invalid);
}

enum vxb_status vxbi_verify_probes_file(struct vxbi_verify_work *work, struct vxbi_file *from, struct vxb_error *err)
{
    struct vxb_verify_report *known = &work->known;
    const struct vxbi_probe_from source = {.path = known->path, .file = from};
    struct vxb_probe_file *file;
    struct vxb_probe_field *field;
    known->kind = "irradiance-field";
    enum vxb_status status = vxbi_verify_probes(work->env, &source, work->options->level, &work->fold,
                                                &known->coverage, &file, &field, err);
    if (status)
        return status;
    struct compare c = {.env = work->env, .file = file, .field = field,
                        .collect = {.add = vxbi_fold_add, .user = &work->fold}};
    if (file->known >= VXBI_PROBE_HEADER) {
        known->format = file->header.format;
        known->bake_id = file->header.bake_id;
        known->content_id = file->header.content_id;
    }
    check_gate(work->options, &known->coverage, &c.collect);
    if (file->known >= VXBI_PROBE_BRICKS)
        status = compare(&c, work->options, &work->fold, &known->coverage, err);
    vxb_probe_field_free(field);
    vxb_probe_file_close(file);
    return status;
}
