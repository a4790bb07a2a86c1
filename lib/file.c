/* Files told apart by how they begin. */
#include "core/env.h"
#include "grass/read.h"
#include "ktx2/texture.h"
#include "vxbake/file.h"

enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err)
{
    struct vxbi_file *file;
    bool texture;
    *out = (struct vxb_file){0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_file_open(env, path, &file, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_texture_is(file, &texture, err);
    if (status != VXB_OK) {
        vxbi_file_close(file);
        return vxbi_error_in(err, status, path, NULL);
    }
    out->kind = texture ? VXB_FILE_TEXTURE : VXB_FILE_GRASS;
    return texture ? vxbi_texture_open_file(env, path, file, &out->texture, err)
                   : vxbi_grass_open_file(env, path, file, &out->grass, err);
}

void vxb_file_close(struct vxb_file *file)
{
    vxb_grass_close(file->grass);
    vxb_texture_close(file->texture);
    *file = (struct vxb_file){.kind = file->kind};
}
