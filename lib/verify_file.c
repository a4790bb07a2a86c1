/* vxb_verify(): the kind of a file, its check, the report. */
#include "verify_work.h"

#include "baked.h"
#include "core/env.h"
#include "verify/report.h"

/* Takes the file. The grass reader says how a grass file begins; here other kinds would have done. */
static enum vxb_status verify_grass(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err)
{
    static const char checked[] =
        "grass files, irradiance fields and depth pyramids, which are KTX2 files, are checked";
    uint8_t start[VXBI_STREAM_START];
    size_t size;
    enum vxb_status status = vxbi_baked_start(file, start, &size, err);
    if (status) {
        vxbi_file_close(file);
        return status;
    }
    status = vxbi_verify_grass_file(work, file, err);
    for (uint32_t i = 0; i < work->fold.count && !status; i++) {
        struct vxbi_fold_entry *entry = work->fold.entries[i];
        if (entry->record.finding == VXB_FINDING_MAGIC)
            vxbi_baked_describe(entry->message, sizeof entry->message, start, size, checked);
    }
    return status;
}

/* Takes the file. */
static enum vxb_status verify(struct vxbi_verify_work *work, struct vxbi_file *file, enum vxb_file_kind kind,
                              struct vxb_error *err)
{
    switch (kind) {
    case VXB_FILE_TEXTURE: return vxbi_verify_pyramid_file(work, file, err);
    case VXB_FILE_PROBES: return vxbi_verify_probes_file(work, file, err);
    case VXB_FILE_GRASS: break;
    }
    return verify_grass(work, file, err);
}

static enum vxb_status check_options(const struct vxb_verify_options *o, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_size("vxb_verify_options", o->size, sizeof *o, err);
    if (status)
        return status;
    if (!vxb_verify_level_name(o->level))
        return vxbi_fail(err, VXB_ERR_USAGE, "there is no level %d", (int)o->level);
    if (o->rebake && o->level != VXB_VERIFY_FULL)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "level", "a new bake is compared with all that a file holds, so "
                                  "the level is full");
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
    enum vxb_file_kind kind;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(work.options, err);
    if (!status)
        status = vxbi_baked_open(env, path, &file, &kind, err);
    if (status)
        return status;
    work.fold.allocator = vxbi_allocator(env);
    work.known = (struct vxb_verify_report){.path = path, .file_bytes = vxbi_file_size(file)};
    status = verify(&work, file, kind, err);
    work.known.coverage.complete = work.known.coverage.complete && compared(work.options, &work.known.coverage);
    if (!status)
        status = vxbi_verify_report(&work.known, work.options, &work.fold, out, err);
    vxbi_fold_clear(&work.fold);
    return status;
}
