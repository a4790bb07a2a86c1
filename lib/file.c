/* Files told apart by how they begin. */
#include "baked.h"

#include <stdio.h>

#include "core/env.h"
#include "grass/read.h"
#include "image/source.h"
#include "ktx2/texture.h"
#include "probes/read.h"

static bool begins(const uint8_t *start, size_t size)
{
    return vxbi_texture_begins(start, size) || vxbi_probe_begins(start, size) || vxbi_grass_begins(start, size);
}

enum vxb_status vxbi_baked_start(const struct vxbi_file *file, uint8_t *start, size_t *size, struct vxb_error *err)
{
    const uint64_t all = vxbi_file_size(file);
    *size = all < VXBI_STREAM_START ? (size_t)all : VXBI_STREAM_START;
    return *size ? vxbi_file_read_at(file, 0, start, *size, err) : VXB_OK;
}

enum vxb_status vxbi_baked_open(const struct vxb_env *env, const char *path, struct vxbi_file **out,
                                enum vxb_file_kind *kind, struct vxb_error *err)
{
    uint8_t start[VXBI_STREAM_START];
    struct vxbi_file *file;
    enum vxb_status status = vxbi_file_open(env, path, &(struct vxbi_stream){.begins = begins}, &file, err);
    if (status != VXB_OK)
        return status;
    size_t size;
    status = vxbi_baked_start(file, start, &size, err);
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

static bool looks_like_json(const uint8_t *start, size_t size)
{
    size_t at = 0;
    while (at < size && (start[at] == ' ' || start[at] == '\t' || start[at] == '\n' || start[at] == '\r'))
        at++;
    return at < size && start[at] == '{';
}

void vxbi_baked_describe(char *out, size_t room, const uint8_t *start, size_t size, const char *wanted)
{
    bool sure;
    const char *kind =
        looks_like_json(start, size) ? "JSON, such as a recipe" : vxbi_kind_of_content(start, size, &sure);
    char bytes[3 * 8 + 1] = "";
    const size_t shown = size < 8 ? size : 8;
    for (size_t i = 0; i < shown; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, i + 1 < shown ? "%02X " : "%02X", start[i]);
    if (kind)
        snprintf(out, room, "this is %s: %s", kind, wanted);
    else
        snprintf(out, room, "this is no kind of file that vxbake knows; it starts with %s: %s", bytes, wanted);
}

/* Takes the file. */
static enum vxb_status open_grass(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                  const char *wanted, struct vxb_grass **out, struct vxb_error *err)
{
    uint8_t start[VXBI_STREAM_START];
    size_t size;
    struct vxb_error why = {0};
    enum vxb_status status = vxbi_baked_start(file, start, &size, &why);
    if (status != VXB_OK)
        vxbi_file_close(file);
    else
        status = vxbi_grass_open_file(env, path, file, out, &why);
    /* The grass reader tells how a file begins that is none; here other kinds would have done. */
    if (why.finding == VXB_FINDING_MAGIC) {
        why.has_offset = false;
        why.pointer[0] = 0;
        vxbi_baked_describe(why.message, sizeof why.message, start, size, wanted);
    }
    if (status != VXB_OK && err && err->status == VXB_OK)
        *err = why;
    return status;
}

enum vxb_status vxbi_baked_read(const struct vxb_env *env, const char *path, const char *wanted, struct vxb_file *out,
                                struct vxb_error *err)
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
        return open_grass(env, path, file, wanted, &out->grass, err);
    const struct vxbi_probe_from from = {.path = path, .file = file};
    return vxbi_probe_file_open_from(env, &from, &out->probes, err);
}

enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err)
{
    return vxbi_baked_read(env, path, "grass files, irradiance fields and KTX2 files are read", out, err);
}

void vxb_file_close(struct vxb_file *file)
{
    vxb_grass_close(file->grass);
    vxb_texture_close(file->texture);
    vxb_probe_file_close(file->probes);
    *file = (struct vxb_file){.kind = file->kind};
}
