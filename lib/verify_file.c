/* vxb_verify(): the kind of a file, its check, the report. */
#include "verify_work.h"

#include "core/env.h"
#include "ktx2/texture.h"
#include "verify/report.h"

/* In the order they are asked; what is of no kind is left to the grass reader, whose findings say how it begins. */
static const struct kind {
    enum vxb_status (*is)(const struct vxbi_file *file, bool *is, struct vxb_error *err); /* NULL: any */
    enum vxb_status (*verify)(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err);
} kinds[] = {
    {vxbi_texture_is, vxbi_verify_pyramid_file},
    {vxbi_verify_is_probes, vxbi_verify_probes_file},
    {NULL, vxbi_verify_grass_file},
};

/* Takes the file. */
static enum vxb_status verify(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err)
{
    const struct kind *kind = kinds;
    for (bool is = false; kind->is; kind++) {
        enum vxb_status status = kind->is(file, &is, err);
        if (status) {
            vxbi_file_close(file);
            return status;
        }
        if (is)
            break;
    }
    return kind->verify(work, file, err);
}

static enum vxb_status check_options(const struct vxb_verify_options *o, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_size("vxb_verify_options", o->size, sizeof *o, err);
    if (status)
        return status;
    if (!vxb_verify_level_name(o->level))
        return vxbi_fail(err, VXB_ERR_USAGE, "there is no level %d", (int)o->level);
    if (o->rebake && o->level != VXB_VERIFY_FULL)
        return vxbi_fail(err, VXB_ERR_USAGE, "a new bake is compared with all that a file holds, so the level is full");
    return vxbi_verify_check_rules(o, err);
}

/* What the options ask for beside the file itself. */
static bool compared(const struct vxb_verify_options *o, const struct vxb_verify_coverage *c)
{
    return (!o->recipe || c->recipe) && (!o->rebake || c->rebake) && (!o->report_of || c->report);
}

enum vxb_status vxb_verify(const struct vxb_env *env, const char *path, const struct vxb_verify_options *options,
                           struct vxb_verify_report **out, struct vxb_error *err)
{
    const struct vxb_verify_options defaults = {.size = sizeof defaults};
    struct vxbi_verify_work work = {.env = env, .options = options ? options : &defaults};
    struct vxbi_file *file;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(work.options, err);
    if (!status)
        status = vxbi_file_open(env, path, &file, err);
    if (status)
        return status;
    work.fold.allocator = vxbi_allocator(env);
    work.known = (struct vxb_verify_report){.path = path, .file_bytes = vxbi_file_size(file)};
    status = verify(&work, file, err);
    work.known.coverage.complete = work.known.coverage.complete && compared(work.options, &work.known.coverage);
    if (!status)
        status = vxbi_verify_report(&work.known, work.options, &work.fold, out, err);
    vxbi_fold_clear(&work.fold);
    return status;
}
