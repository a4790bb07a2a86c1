/* vxb_verify(): the check of the file alone, then what a recipe, a bake of it or a bake's report add to it. */
#include "verify/grass.h"

enum vxb_status vxb_verify(const struct vxb_env *env, const char *path, const struct vxb_verify_options *options,
                           struct vxb_verify_report **out, struct vxb_error *err)
{
    const struct vxb_verify_options defaults = {0};
    const struct vxb_verify_options *o = options ? options : &defaults;
    struct vxbi_fold fold = {.allocator = vxbi_allocator(env)};
    struct vxb_verify_coverage coverage;
    struct vxb_grass *grass;
    if (o->recipe || o->rebake || o->report_of)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED, "a recipe or a report to compare with is not taken yet");
    enum vxb_status status = vxbi_verify_grass(env, path, &grass, &fold, &coverage, err);
    if (!status) {
        status = vxbi_verify_report(path, grass, &fold, &coverage, o->max_findings, out, err);
        vxb_grass_close(grass);
    }
    vxbi_fold_clear(&fold);
    return status;
}
