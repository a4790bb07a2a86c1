/* vxb_verify(): the check of the file alone, then what a recipe, a bake of it or a bake's report add to it. */
#include "verify_bake.h"

#include <string.h>

#include "ktx2/texture.h"
#include "verify/pyramid.h"
#include "core/env.h"

/* Plans a recipe and compares the file with it; bakes it too where bake is set and nothing speaks against it yet. */
static enum vxb_status against_recipe(const struct vxb_env *env, const struct vxb_grass *grass, const char *path,
                                      bool bake, struct vxbi_fold *fold, bool *baked, struct vxb_error *err)
{
    struct vxb_recipe *recipe = NULL;
    struct vxb_terrain *terrain = NULL;
    struct vxb_plan *plan = NULL;
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    enum vxb_status status = vxb_recipe_load(env, path, NULL, 0, &recipe, err);
    if (!status)
        status = vxb_terrain_load(env, &recipe->terrain, &terrain, err);
    if (!status)
        status = vxb_plan_new(env, recipe, terrain, &plan, err);
    if (!status) {
        vxbi_verify_recipe(grass, plan, &collect);
        if (bake && fold->totals[VXB_SEVERITY_ERROR] == 0) {
            status = vxbi_verify_rebake(env, grass, plan, &collect, err);
            *baked = !status;
        }
    }
    vxb_plan_free(plan);
    vxb_terrain_free(terrain);
    vxb_recipe_free(recipe);
    return status;
}

static enum vxb_status compare(const struct vxb_env *env, const struct vxb_grass *grass,
                               const struct vxb_verify_options *o, struct vxbi_fold *fold,
                               struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    bool sound = fold->totals[VXB_SEVERITY_ERROR] == 0;
    enum vxb_status status = VXB_OK;
    if (grass->known < VXBI_GRASS_SECTIONS)
        return VXB_OK;
    bool comparable = (o->recipe || o->rebake) && vxbi_verify_comparable(grass, &collect);
    bool one = o->recipe && o->rebake && strcmp(o->recipe, o->rebake) == 0;
    if (o->recipe && comparable && !one) {
        bool baked;
        status = against_recipe(env, grass, o->recipe, false, fold, &baked, err);
        coverage->recipe = !status;
    }
    if (!status && o->rebake && comparable) {
        status = against_recipe(env, grass, o->rebake, sound, fold, &coverage->rebake, err);
        coverage->recipe = coverage->recipe || (one && !status);
    }
    if (!status && o->report_of && sound) {
        status = vxbi_verify_ledger(env, grass, o->report_of, &collect, err);
        coverage->report = !status;
    }
    return status;
}

static enum vxb_status verify_grass(const struct vxb_env *env, struct vxbi_file *file,
                                    const struct vxb_verify_options *o, struct vxb_verify_report *known,
                                    struct vxbi_fold *fold, struct vxb_error *err)
{
    struct vxb_grass *grass;
    enum vxb_status status = vxbi_grass_adopt(env, known->path, file, &grass, err);
    if (!status)
        status = vxbi_verify_opened(env, grass, &grass, fold, &known->coverage, err);
    if (status)
        return status;
    status = compare(env, grass, o, fold, &known->coverage, err);
    known->kind = grass->known >= VXBI_GRASS_HEADER || grass->header.format == 1 ? "grass-field" : NULL;
    if (known->kind)
        known->format = grass->header.format;
    if (grass->known >= VXBI_GRASS_HEADER) {
        known->bake_id = grass->header.bake_id;
        known->content_id = grass->header.content_id;
    }
    vxb_grass_close(grass);
    return status;
}

static enum vxb_status verify_pyramid(const struct vxb_env *env, struct vxbi_file *file,
                                      const struct vxb_verify_options *o, struct vxb_verify_report *known,
                                      struct vxbi_fold *fold, struct vxb_error *err)
{
    if (o->recipe || o->rebake || o->report_of) {
        vxbi_file_close(file);
        vxbi_fail(err, VXB_ERR_USAGE, "this is a KTX2 file, which holds nothing of its recipe: only grass files are "
                  "compared with a recipe or a report");
        return vxbi_error_in(err, VXB_ERR_USAGE, known->path, NULL);
    }
    known->kind = "depth-pyramid";
    return vxbi_verify_pyramid(env, known->path, file, fold, &known->coverage, err);
}

enum vxb_status vxb_verify(const struct vxb_env *env, const char *path, const struct vxb_verify_options *options,
                           struct vxb_verify_report **out, struct vxb_error *err)
{
    const struct vxb_verify_options defaults = {.size = sizeof defaults};
    const struct vxb_verify_options *o = options ? options : &defaults;
    struct vxbi_fold fold = {.allocator = vxbi_allocator(env)};
    struct vxbi_file *file;
    bool texture;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_verify_options", o->size, sizeof *o, err);
    if (!status)
        status = vxbi_file_open(env, path, &file, err);
    if (status)
        return status;
    struct vxb_verify_report known = {.path = path, .file_bytes = vxbi_file_size(file)};
    status = vxbi_texture_is(file, &texture, err);
    if (status)
        vxbi_file_close(file);
    else
        status = (texture ? verify_pyramid : verify_grass)(env, file, o, &known, &fold, err);
    if (!status)
        status = vxbi_verify_report(&known, &fold, o->max_findings, out, err);
    vxbi_fold_clear(&fold);
    return status;
}
