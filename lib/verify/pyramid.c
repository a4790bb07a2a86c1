/* The check of a depth pyramid. */
#include "pyramid.h"

#include "../ktx2/texture.h"
#include "../pyramid/pyramid.h"

static enum vxb_status check_levels(const struct vxb_env *env, const struct vxb_texture *texture,
                                    struct vxbi_collect *collect, struct vxb_verify_coverage *coverage,
                                    struct vxb_error *err)
{
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_status status = vxbi_pyramid_read(env, &texture->ktx2, collect, &pyramid, err);
    if (status != VXB_OK || !pyramid)
        return status;
    status = vxbi_pyramid_check(env, pyramid, collect, err);
    if (status == VXB_OK) {
        coverage->levels = true;
        coverage->texels_checked = coverage->texels_total;
        coverage->bytes_checked = coverage->bytes_total;
    }
    vxb_pyramid_free(pyramid);
    return status;
}

enum vxb_status vxbi_verify_pyramid(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                    struct vxbi_fold *fold, struct vxb_verify_coverage *coverage,
                                    struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    struct vxb_texture *texture;
    *coverage = (struct vxb_verify_coverage){.bytes_total = vxbi_file_size(file)};
    enum vxb_status status = vxbi_texture_adopt(env, path, file, &collect, &texture, err);
    if (status != VXB_OK)
        return status;
    if (texture->usable) {
        coverage->header = coverage->tables = true;
        coverage->bytes_checked = texture->ktx2.layout.head_bytes;
        for (uint32_t k = 0; k < texture->info.level_count; k++)
            coverage->texels_total += texture->info.levels[k].bytes / vxbi_ktx2_texel_bytes(texture->ktx2.desc.format);
        status = check_levels(env, texture, &collect, coverage, err);
    }
    if (status == VXB_OK && fold->out_of_memory)
        status = vxbi_fail_memory(err, sizeof(struct vxbi_fold_entry));
    if (status != VXB_OK)
        vxbi_error_in(err, status, texture->name, NULL);
    vxb_texture_close(texture);
    return status;
}
