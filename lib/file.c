/* Files told apart by how they begin. */
#include "core/env.h"
#include "grass/read.h"
#include "ktx2/texture.h"
#include "probes/read.h"
#include "vxbake/file.h"

static enum vxb_status tell_kind(const struct vxbi_file *file, enum vxb_file_kind *kind, struct vxb_error *err)
{
    uint8_t start[4] = {0};
    bool texture;
    enum vxb_status status = vxbi_texture_is(file, &texture, err);
    if (status == VXB_OK && vxbi_file_size(file) >= sizeof start)
        status = vxbi_file_read_at(file, 0, start, sizeof start, err);
    *kind = texture ? VXB_FILE_TEXTURE : vxbi_probe_is(start) ? VXB_FILE_PROBES : VXB_FILE_GRASS;
    return status;
}

enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err)
{
    struct vxbi_file *file;
    *out = (struct vxb_file){0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_file_open(env, path, &file, err);
    if (status != VXB_OK)
        return status;
    status = tell_kind(file, &out->kind, err);
    if (status != VXB_OK) {
        vxbi_file_close(file);
        return vxbi_error_in(err, status, path, NULL);
    }
    if (out->kind == VXB_FILE_TEXTURE)
        return vxbi_texture_open_file(env, path, file, &out->texture, err);
    if (out->kind == VXB_FILE_GRASS)
        return vxbi_grass_open_file(env, path, file, &out->grass, err);
    const struct vxbi_probe_from from = {.path = path, .file = file};
    return vxbi_probe_file_open_from(env, &from, &out->probes, err);
}

void vxb_file_close(struct vxb_file *file)
{
    vxb_grass_close(file->grass);
    vxb_texture_close(file->texture);
    vxb_probe_file_close(file->probes);
    *file = (struct vxb_file){.kind = file->kind};
}
