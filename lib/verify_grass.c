/* The verification of a grass file: the check of it alone, then what a recipe, a bake of it or a bake's report add to
 * it. */
#include "verify_work.h"

#include <string.h>

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

static enum vxb_status compare(struct vxbi_verify_work *work, const struct vxb_grass *grass, struct vxb_error *err)
{
    const struct vxb_env *env = work->env;
    const struct vxb_verify_options *o = work->options;
    struct vxb_verify_coverage *coverage = &work->known.coverage;
    struct vxbi_fold *fold = &work->fold;
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

enum vxb_status vxbi_verify_grass_file(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err)
{
    struct vxb_verify_report *known = &work->known;
    struct vxb_grass *grass;
    enum vxb_status status = vxbi_grass_adopt(work->env, known->path, file, &grass, err);
    if (!status)
        status = vxbi_verify_opened(work->env, grass, work->options->level, &grass, &work->fold, &known->coverage, err);
    if (status)
        return status;
    status = compare(work, grass, err);
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
