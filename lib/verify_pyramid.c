/* The verification of a depth pyramid: the check of it alone, then what a recipe, a bake of it or a bake's report add
 * to it. A pyramid holds nothing of its recipe but the reduction; its level 0 is the frame, as the recipe reads it. */
#include "verify_work.h"

#include <inttypes.h>
#include <string.h>

#include "bake_pyramid.h"
#include "core/text.h"
#include "pyramid/pyramid.h"
#include "verify/pyramid.h"

/* Texels that are compared together. */
enum { TEXELS = 4096 };

struct compare {
    const struct vxb_env *env;
    const struct vxb_texture *texture;
    const struct vxb_pyramid *pyramid; /* NULL at levels that read no texels */
    struct vxbi_collect collect;
};

static bool comparable(struct compare *c)
{
    uint32_t revision;
    if (!vxbi_pyramid_revision(&c->texture->ktx2, &revision))
        vxbi_found(&c->collect, VXB_FINDING_COMPARE_REVISION, c->texture->ktx2.layout.values_offset,
                   "/keyValueData/KTXwriter",
                   "the file does not say that vxbake made it, by which revision of the rules: only what this version "
                   "bakes can be compared with a recipe");
    else if (revision != VXB_BAKE_REVISION)
        vxbi_found(&c->collect, VXB_FINDING_COMPARE_REVISION, c->texture->ktx2.layout.values_offset,
                   "/keyValueData/KTXwriter",
                   "the file was baked by revision %" PRIu32 " of the rules, this version has revision %u: bake it "
                   "anew, or compare by the version that made it", revision, (unsigned)VXB_BAKE_REVISION);
    else
        return true;
    return false;
}

static bool same_shape(struct compare *c, enum vxb_reduce reduce, const struct vxb_pyramid *made)
{
    const struct vxb_texture_info *info = &c->texture->info;
    struct vxbi_collect none = {.err = NULL};
    enum vxb_reduce found = reduce;
    bool assumed;
    vxbi_pyramid_check_head(&c->texture->ktx2, &found, &assumed, &none);
    if (found != reduce)
        vxbi_found(&c->collect, VXB_FINDING_RECIPE_HEADER, c->texture->ktx2.layout.values_offset,
                   "/keyValueData/vxbake.reduce", "the reduction is %s in the file, %s by the recipe",
                   vxb_reduce_name(found), vxb_reduce_name(reduce));
    if (info->width == made->width && info->height == made->height)
        return true;
    vxbi_found(&c->collect, VXB_FINDING_RECIPE_HEADER, 20, "/header/pixelWidth",
               "the pyramid is of %" PRIu32 " x %" PRIu32 " texels, the recipe's frame has %" PRIu32 " x %" PRIu32,
               info->width, info->height, made->width, made->height);
    return false;
}

/* A level as it stands in the file, bit for bit. */
static enum vxb_status compare_level(struct compare *c, const struct vxb_pyramid *made, uint32_t level,
                                     enum vxb_finding finding, struct vxb_error *err)
{
    const struct vxb_pyramid_level *l = &made->levels[level];
    const uint64_t count = (uint64_t)l->width * l->height;
    uint64_t differing = 0, first = 0;
    float texels[TEXELS];
    for (uint64_t at = 0; at < count;) {
        const size_t n = count - at < TEXELS ? (size_t)(count - at) : TEXELS;
        enum vxb_status status =
            vxbi_ktx2_read(&c->texture->ktx2, level, at * sizeof *texels, texels, n * sizeof *texels, err);
        if (status != VXB_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            if (memcmp(&texels[i], &l->texels[at + i], sizeof *texels) != 0 && differing++ == 0)
                first = at + i;
        at += n;
    }
    if (differing)
        vxbi_found(&c->collect, finding, c->texture->ktx2.layout.level_offset[level] + first * sizeof *texels,
                   vxbi_pointer(&c->collect, "/levels/%" PRIu32, level),
                   "%" PRIu64 " of %" PRIu64 " texels are not the recipe's, the first (%" PRIu64 ", %" PRIu64 ")",
                   differing, count, first % l->width, first / l->width);
    return VXB_OK;
}

/* What a bake puts before the levels, beside the file's. */
struct head {
    const struct vxb_texture *texture;
    uint64_t at;     /* of the bake's file */
    bool differs;
    uint64_t differs_at;
};

static enum vxb_status compare_head(void *user, const void *data, size_t size, struct vxb_error *err)
{
    struct head *head = user;
    const uint64_t end = head->texture->ktx2.layout.head_bytes;
    uint8_t found[256];
    for (size_t done = 0; done < size && head->at + done < end && !head->differs;) {
        size_t n = size - done < sizeof found ? size - done : sizeof found;
        n = end - head->at - done < n ? (size_t)(end - head->at - done) : n;
        enum vxb_status status = vxbi_file_read_at(head->texture->file, head->at + done, found, n, err);
        if (status != VXB_OK)
            return status;
        for (size_t i = 0; i < n && !head->differs; i++)
            if (found[i] != ((const uint8_t *)data)[done + i]) {
                head->differs = true;
                head->differs_at = head->at + done + i;
            }
        done += n;
    }
    head->at += size;
    return VXB_OK;
}

static enum vxb_status rebake(struct compare *c, const struct vxb_pyramid *made, struct vxb_error *err)
{
    struct head head = {.texture = c->texture};
    enum vxb_status status =
        vxbi_pyramid_write(c->env, made, &(struct vxbi_ktx2_sink){&head, compare_head}, err);
    if (status == VXB_OK && head.differs)
        vxbi_found(&c->collect, VXB_FINDING_REBAKE_HEADER, head.differs_at, "",
                   "what stands before the levels is not what baking the recipe gives");
    for (uint32_t k = 0; k < made->level_count && status == VXB_OK; k++)
        status = compare_level(c, made, k, VXB_FINDING_REBAKE_LEVEL, err);
    return status;
}

/* Reads the recipe's frame, reduces it, and compares; bakes only where that is asked for. */
static enum vxb_status against_recipe(struct compare *c, const char *path, bool all, struct vxb_error *err)
{
    struct vxb_any_recipe recipe;
    struct vxb_pyramid *made = NULL;
    enum vxb_status status = vxb_any_recipe_load(c->env, path, NULL, 0, &recipe, err);
    if (status != VXB_OK)
        return status;
    if (recipe.kind == VXB_RECIPE_PYRAMID) {
        status = vxb_pyramid_from_depth(c->env, &recipe.pyramid->depth, recipe.pyramid->reduce, &made, err);
    } else {
        status = vxbi_fail(err, VXB_ERR_USAGE, "this is a recipe of the kind %s, and %s is a depth pyramid",
                           vxb_recipe_kind_name(recipe.kind), c->texture->name);
        vxbi_error_in(err, status, path, "/kind");
    }
    if (status == VXB_OK && same_shape(c, recipe.pyramid->reduce, made)) {
        if (all)
            status = rebake(c, made, err);
        else if (c->pyramid)
            status = compare_level(c, made, 0, VXB_FINDING_RECIPE_DEPTH, err);
    }
    vxb_pyramid_free(made);
    vxb_any_recipe_clear(&recipe);
    return status;
}

static enum vxb_status against_report(struct compare *c, const char *path, struct vxb_error *err)
{
    struct vxb_pyramid_report file;
    struct vxbi_json *root;
    uint32_t revision = 0;
    enum vxb_status status = vxbi_verify_read_report(c->env, path, "pyramid-report", &root, err);
    if (status != VXB_OK)
        return status;
    const struct vxbi_json *depth = vxbi_json_member(root, "depth"), *output = vxbi_json_member(root, "output");
    vxbi_pyramid_measure(c->pyramid, &file);
    vxbi_pyramid_revision(&c->texture->ktx2, &revision);
    vxbi_verify_same_u64(&c->collect, root, "", "version", 1);
    vxbi_verify_same_u64(&c->collect, root, "", "bake_revision", revision);
    vxbi_verify_same_text(&c->collect, root, "", "reduce", vxb_reduce_name(file.reduce));
    vxbi_verify_same_u64(&c->collect, root, "", "width", file.width);
    vxbi_verify_same_u64(&c->collect, root, "", "height", file.height);
    vxbi_verify_same_u64(&c->collect, root, "", "level_count", file.level_count);
    vxbi_verify_same_u64(&c->collect, depth, "/depth", "sky_texels", file.sky_texels);
    vxbi_verify_same_f32(&c->collect, depth, "/depth", "farthest", file.farthest);
    vxbi_verify_same_f32(&c->collect, depth, "/depth", "nearest", file.nearest);
    vxbi_verify_same_u64(&c->collect, output, "/output", "file_bytes", c->texture->info.file_bytes);
    vxbi_json_free(root);
    return VXB_OK;
}

static enum vxb_status compare(struct compare *c, const struct vxb_verify_options *o, const struct vxbi_fold *fold,
                               struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    const bool sound = fold->totals[VXB_SEVERITY_ERROR] == 0;
    const bool recipes = (o->recipe || o->rebake) && sound && comparable(c);
    const bool one = o->recipe && o->rebake && strcmp(o->recipe, o->rebake) == 0;
    enum vxb_status status = VXB_OK;
    if (o->recipe && recipes && !one) {
        status = against_recipe(c, o->recipe, false, err);
        coverage->recipe = status == VXB_OK;
    }
    if (status == VXB_OK && o->rebake && recipes) {
        status = against_recipe(c, o->rebake, true, err);
        coverage->rebake = status == VXB_OK;
        coverage->recipe = coverage->recipe || (one && status == VXB_OK);
    }
    if (status == VXB_OK && o->report_of && sound) {
        status = against_report(c, o->report_of, err);
        coverage->report = status == VXB_OK;
    }
    return status;
}

enum vxb_status vxbi_verify_pyramid_file(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err)
{
    const struct vxb_verify_options *o = work->options;
    struct vxb_verify_report *known = &work->known;
    struct vxb_texture *texture;
    struct vxb_pyramid *pyramid;
    if (o->report_of && o->level != VXB_VERIFY_FULL) {
        vxbi_file_close(file);
        vxbi_fail_at_fault(err, VXB_ERR_USAGE, "level", "a depth pyramid's report tells of its texels, so the level is "
                           "full");
        return vxbi_error_in(err, VXB_ERR_USAGE, known->path, NULL);
    }
    known->kind = "depth-pyramid";
    enum vxb_status status = vxbi_verify_pyramid(work->env, known->path, file, o->level, &work->fold, &known->coverage,
                                                 &texture, &pyramid, err);
    if (status != VXB_OK)
        return status;
    struct compare c = {.env = work->env, .texture = texture, .pyramid = pyramid,
                        .collect = {.add = vxbi_fold_add, .user = &work->fold}};
    status = compare(&c, o, &work->fold, &known->coverage, err);
    vxb_pyramid_free(pyramid);
    vxb_texture_close(texture);
    return status;
}
