/* The check of a depth pyramid. */
#include "pyramid.h"

#include "../pyramid/pyramid.h"

static enum vxb_status check_levels(const struct vxb_env *env, const struct vxb_texture *texture,
                                    struct vxbi_collect *collect, struct vxb_verify_coverage *coverage,
                                    struct vxb_pyramid **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_pyramid_read(env, &texture->ktx2, collect, out, err);
    if (status != VXB_OK || !*out)
        return status;
    status = vxbi_pyramid_check(env, *out, collect, err);
    if (status == VXB_OK) {
        coverage->complete = coverage->levels = true;
        coverage->texels_checked = coverage->texels_total;
        coverage->bytes_checked = coverage->bytes_total;
    }
    return status;
}

static enum vxb_status check_usable(const struct vxb_env *env, const struct vxb_texture *texture,
                                    struct vxbi_collect *collect, struct vxb_verify_coverage *coverage,
                                    struct vxb_pyramid **out, struct vxb_error *err)
{
    enum vxb_reduce reduce;
    bool assumed;
    coverage->header = coverage->tables = true;
    coverage->bytes_checked = texture->ktx2.layout.head_bytes;
    for (uint32_t k = 0; k < texture->info.level_count; k++)
        coverage->texels_total += texture->info.levels[k].bytes / vxbi_ktx2_texel_bytes(texture->ktx2.desc.format);
    if (coverage->level == VXB_VERIFY_FULL)
        return check_levels(env, texture, collect, coverage, out, err);
    coverage->complete = vxbi_pyramid_check_head(&texture->ktx2, &reduce, &assumed, collect);
    return VXB_OK;
}

enum vxb_status vxbi_verify_pyramid(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                    enum vxb_verify_level level, struct vxbi_fold *fold,
                                    struct vxb_verify_coverage *coverage, struct vxb_texture **texture,
                                    struct vxb_pyramid **pyramid, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    *coverage = (struct vxb_verify_coverage){.level = level, .bytes_total = vxbi_file_size(file)};
    *texture = NULL;
    *pyramid = NULL;
    enum vxb_status status = vxbi_texture_adopt(env, path, file, &collect, texture, err);
    if (status != VXB_OK)
        return status;
    if ((*texture)->usable)
        status = check_usable(env, *texture, &collect, coverage, pyramid, err);
    if (status == VXB_OK && fold->out_of_memory)
        status = vxbi_fail_memory(err, sizeof(struct vxbi_fold_entry));
    if (status == VXB_OK)
        return VXB_OK;
    vxbi_error_in(err, status, (*texture)->name, NULL);
    vxb_pyramid_free(*pyramid);
    vxb_texture_close(*texture);
    *texture = NULL;
    *pyramid = NULL;
    return status;
}
