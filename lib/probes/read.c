/* Opening a .vxp file: header and tables, checked. The planes are read by planes.c. */
#include "read.h"

#include <inttypes.h>

#include "../core/env.h"

static enum vxb_status make(const struct vxb_env *env, const struct vxbi_probe_from *from, struct vxb_probe_file **out,
                            struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    const char *shown = strcmp(from->path, "-") == 0 ? "standard input" : from->path;
    struct vxb_probe_file *own = vxbi_new_zero(&allocator, 1, sizeof *own);
    char *name = vxbi_new(&allocator, strlen(shown) + 1, 1);
    if (!own || !name) {
        vxbi_delete(&allocator, own, 1, sizeof *own);
        vxbi_delete(&allocator, name, strlen(shown) + 1, 1);
        vxbi_file_close(from->file);
        return vxbi_fail_memory(err, sizeof *own);
    }
    own->allocator = allocator;
    own->max_memory = vxbi_max_memory(env);
    own->file = from->file;
    if (!from->file)
        own->source = *from->source;
    own->size = from->file ? vxbi_file_size(from->file) : from->source->size;
    own->name = memcpy(name, shown, strlen(shown) + 1);
    *out = own;
    return VXB_OK;
}

enum vxb_status vxbi_probe_read_at(const struct vxb_probe_file *file, uint64_t offset, void *buf, size_t size,
                                   struct vxb_error *err)
{
    if (file->file)
        return vxbi_file_read_at(file->file, offset, buf, size, err);
    if (offset <= file->size && size <= file->size - offset &&
        file->source.read_at(file->source.user, offset, buf, size))
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_IO, "cannot read %zu bytes at %" PRIu64, size, offset);
}

void vxb_probe_file_close(struct vxb_probe_file *file)
{
    if (!file)
        return;
    const struct vxb_allocator allocator = file->allocator;
    vxbi_file_close(file->file);
    vxbi_delete(&allocator, file->bricks, file->brick_room, sizeof *file->bricks);
    vxbi_delete(&allocator, file->name, strlen(file->name) + 1, 1);
    vxbi_delete(&allocator, file, 1, sizeof *file);
}

/* bytes: the file from the brick table to where the first plane may begin. */
static void decode(struct vxb_probe_file *file, const uint8_t *bytes, size_t size)
{
    struct vxbi_reader r = {.data = bytes, .size = size};
    for (uint32_t i = 0; i < file->header.brick_count; i++)
        vxbi_probe_get_brick(&r, &file->bricks[i]);
    r.at = (size_t)(file->layout.planes - VXB_PROBE_HEADER_BYTES);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        vxbi_probe_get_plane(&r, &file->planes[k]);
}

static enum vxb_status load_tables(struct vxb_probe_file *file, struct vxbi_collect *collect, struct vxb_error *err)
{
    const uint32_t *cells = file->header.cells;
    const uint64_t start = vxbi_probe_plane_start(file->header.flags, file->layout.data);
    const uint64_t end = start < file->size ? start : file->size;
    const size_t size = (size_t)(end - VXB_PROBE_HEADER_BYTES);
    const uint64_t count = file->header.brick_count;
    const uint64_t need = size + count * sizeof *file->bricks + (uint64_t)cells[0] * cells[1] * cells[2] / 8 +
                          vxbi_probe_texels(file->header.slots) / VXB_BRICK_TEXELS / 8;
    if (need > file->max_memory)
        return vxbi_fail_max_memory(err, file->max_memory, "checking the tables takes %" PRIu64 " bytes", need);
    uint8_t *bytes = vxbi_new(&file->allocator, size, 1);
    file->brick_room = count ? count : 1;
    file->bricks = vxbi_new(&file->allocator, file->brick_room, sizeof *file->bricks);
    enum vxb_status status = bytes && file->bricks ? VXB_OK : vxbi_fail_memory(err, need);
    if (!status)
        status = vxbi_probe_read_at(file, VXB_PROBE_HEADER_BYTES, bytes, size, err);
    if (!status) {
        decode(file, bytes, size);
        status = vxbi_probe_check_tables(file, bytes, collect, err);
    }
    vxbi_delete(&file->allocator, bytes, size, 1);
    return status;
}

static enum vxb_status load(struct vxb_probe_file *file, struct vxbi_collect *collect, struct vxb_error *err)
{
    uint8_t start[VXB_PROBE_HEADER_BYTES] = {0};
    const size_t size = file->size < sizeof start ? (size_t)file->size : sizeof start;
    enum vxb_status status = size ? vxbi_probe_read_at(file, 0, start, size, err) : VXB_OK;
    if (status || !vxbi_probe_check_header(file, start, size, collect) || collect->stopped)
        return status;
    return load_tables(file, collect, err);
}

enum vxb_status vxbi_probe_file_adopt(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                      struct vxbi_collect *collect, struct vxb_probe_file **out, struct vxb_error *err)
{
    struct vxb_probe_file *own = NULL;
    enum vxb_status status = make(env, from, &own, err);
    if (status)
        return status;
    status = load(own, collect, err);
    if (status) {
        vxbi_error_in(err, status, own->name, NULL);
        vxb_probe_file_close(own);
        return status;
    }
    *out = own;
    return VXB_OK;
}

enum vxb_status vxbi_probe_file_open_from(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                          struct vxb_probe_file **out, struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    struct vxb_probe_file *own = NULL;
    enum vxb_status status = vxbi_probe_file_adopt(env, from, &collect, &own, err);
    if (status)
        return status;
    if (collect.status) {
        vxbi_error_in(err, collect.status, own->name, NULL);
        vxb_probe_file_close(own);
        return collect.status;
    }
    *out = own;
    return VXB_OK;
}

enum vxb_status vxb_probe_file_open(const struct vxb_env *env, const char *path, struct vxb_probe_file **out,
                                    struct vxb_error *err)
{
    struct vxbi_probe_from from = {.path = path};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_file_open(env, path, &(struct vxbi_stream){.begins = vxbi_probe_begins}, &from.file, err);
    return status ? status : vxbi_probe_file_open_from(env, &from, out, err);
}

enum vxb_status vxb_probe_file_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                           struct vxb_probe_file **out, struct vxb_error *err)
{
    const struct vxbi_probe_from from = {.path = name ? name : "the source", .source = source};
    enum vxb_status status = vxbi_check_env(env, err);
    return status ? status : vxbi_probe_file_open_from(env, &from, out, err);
}

const struct vxb_probe_header *vxb_probe_file_header(const struct vxb_probe_file *file) { return &file->header; }

const struct vxb_brick *vxb_probe_file_bricks(const struct vxb_probe_file *file) { return file->bricks; }

const struct vxb_probe_plane *vxb_probe_file_plane(const struct vxb_probe_file *file, uint32_t plane)
{
    return plane < VXB_PROBE_PLANES ? &file->planes[plane] : NULL;
}
