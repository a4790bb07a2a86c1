/* Files told apart by how they begin. */
#include "baked.h"
#include "core/env.h"
#include "grass/read.h"
#include "ktx2/texture.h"
#include "probes/read.h"

static bool begins(const uint8_t *start, size_t size)
{
    return vxbi_texture_begins(start, size) || vxbi_probe_begins(start, size) || vxbi_grass_begins(start, size);
}

enum vxb_status vxbi_baked_open(const struct vxb_env *env, const char *path, struct vxbi_file **out,
                                enum vxb_file_kind *kind, struct vxb_error *err)
{
    uint8_t start[VXBI_STREAM_START];
    struct vxbi_file *file;
    enum vxb_status status = vxbi_file_open(env, path, &(struct vxbi_stream){.begins = begins}, &file, err);
    if (status != VXB_OK)
        return status;
    const uint64_t all = vxbi_file_size(file);
    const size_t size = all < sizeof start ? (size_t)all : sizeof start;
    status = size ? vxbi_file_read_at(file, 0, start, size, err) : VXB_OK;
    if (status != VXB_OK) {
        vxbi_file_close(file);
        return status;
    }
    *kind = vxbi_texture_begins(start, size) ? VXB_FILE_TEXTURE
            : vxbi_probe_begins(start, size) ? VXB_FILE_PROBES
                                             : VXB_FILE_GRASS;
    *out = file;
    return VXB_OK;
}

enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err)
{
    struct vxbi_file *file;
    *out = (struct vxb_file){0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_baked_open(env, path, &file, &out->kind, err);
    if (status != VXB_OK)
        return status;
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
