/* Opening a grass file, and what an open one answers. Everything that was checked when it was opened is kept, but the
 * chunk table, which is read and checked again window by window as it is asked for. */
#include "legacy.h"

#include <inttypes.h>

#include "../core/env.h"

enum vxb_status vxbi_grass_new(const struct vxb_env *env, const char *path, const struct vxb_source *source,
                               const char *name, struct vxb_grass **out, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    const char *shown = name ? name : path && strcmp(path, "-") != 0 ? path : "standard input";
    size_t name_room = strlen(shown) + 1;
    struct vxb_grass *grass = vxbi_new_zero(&allocator, 1, sizeof *grass);
    char *copy = vxbi_new(&allocator, 1, name_room);
    if (!grass || !copy) {
        vxbi_delete(&allocator, grass, 1, sizeof *grass);
        vxbi_delete(&allocator, copy, 1, name_room);
        return vxbi_fail_memory(err, sizeof *grass + name_room);
    }
    grass->allocator = allocator;
    grass->max_memory = vxbi_max_memory(env);
    grass->name = memcpy(copy, shown, name_room);
    if (source) {
        grass->source = *source;
        grass->size = source->size;
    } else {
        const struct vxbi_stream stream = {.begins = vxbi_grass_begins};
        enum vxb_status status = vxbi_file_open(env, path, &stream, &grass->file, err);
        if (status) {
            vxb_grass_close(grass);
            return status;
        }
        grass->size = vxbi_file_size(grass->file);
    }
    *out = grass;
    return VXB_OK;
}

void vxb_grass_close(struct vxb_grass *grass)
{
    if (!grass)
        return;
    struct vxb_allocator allocator = grass->allocator;
    vxbi_file_close(grass->file);
    vxbi_delete(&allocator, grass->legacy, grass->legacy_room, sizeof *grass->legacy);
    vxbi_delete(&allocator, grass->name, 1, strlen(grass->name) + 1);
    vxbi_delete(&allocator, grass, 1, sizeof *grass);
}

enum vxb_status vxbi_grass_read_at(const struct vxb_grass *grass, uint64_t offset, void *buf, size_t size,
                                   struct vxb_error *err)
{
    if (grass->file)
        return vxbi_file_read_at(grass->file, offset, buf, size, err);
    if (offset <= grass->size && size <= grass->size - offset &&
        grass->source.read_at(grass->source.user, offset, buf, size))
        return VXB_OK;
    vxbi_fail(err, VXB_ERR_IO, "cannot read %zu bytes at %" PRIu64, size, offset);
    return vxbi_error_in(err, VXB_ERR_IO, grass->name, NULL);
}

/* The tables before the chunk table: few, since their counts are capped by now. */
static enum vxb_status load_tables(struct vxb_grass *grass, const struct vxb_env *env, struct vxbi_collect *collect,
                                   struct vxbi_grass_walk *walk, struct vxb_error *err)
{
    uint8_t head[VXB_GRASS_SECTIONS_MAX * VXB_GRASS_SECTION3_BYTES + VXBI_GRASS_LODS_MAX * VXB_GRASS_LOD_BYTES +
                 VXBI_GRASS_STRINGS_MAX + 8];
    size_t size = (size_t)(grass->layout.chunks - grass->layout.sections);
    enum vxb_status status = vxbi_grass_read_at(grass, grass->layout.sections, head, size, err);
    if (status)
        return status;
    grass->known = VXBI_GRASS_TABLES;
    vxbi_grass_check_tables(grass, head, collect);
    if (collect->stopped)
        return VXB_OK;
    grass->known = VXBI_GRASS_SECTIONS;
    return vxbi_grass_check_chunks(grass, env, head, collect, walk, err);
}

enum vxb_status vxbi_grass_load(struct vxb_grass *grass, const struct vxb_env *env, struct vxbi_collect *collect,
                                struct vxbi_grass_walk *walk, struct vxb_error *err)
{
    uint8_t start[VXB_GRASS_HEADER_BYTES] = {0};
    size_t size = grass->size < sizeof start ? (size_t)grass->size : sizeof start;
    *walk = (struct vxbi_grass_walk){0};
    enum vxb_status status = size ? vxbi_grass_read_at(grass, 0, start, size, err) : VXB_OK;
    if (status || !vxbi_grass_check_start(grass, start, size, collect))
        return status;
    if (size >= 12 && vxbi_load_u32(start + 8) == 1)
        return vxbi_legacy_load(grass, env, start, size, collect, walk, err);
    if (size < sizeof start) {
        /* Of another format nothing is known, its header's size neither. */
        if (size >= 12 && !vxbi_grass_check_format(vxbi_load_u32(start + 8), collect))
            return VXB_OK;
        vxbi_found(collect, VXB_FINDING_HEADER_CUT, grass->size, "/header",
                   "the file ends after %" PRIu64 " bytes; a grass file's header has 128", grass->size);
        return VXB_OK;
    }
    if (!vxbi_grass_check_header(grass, start, collect) || collect->stopped)
        return VXB_OK;
    return load_tables(grass, env, collect, walk, err);
}

enum vxb_status vxbi_grass_adopt(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                 struct vxb_grass **out, struct vxb_error *err)
{
    const struct vxb_source none = {.size = vxbi_file_size(file)};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    enum vxb_status status = vxbi_grass_new(env, NULL, &none, name, out, err);
    if (status)
        vxbi_file_close(file);
    else
        (*out)->file = file;
    return status;
}

/* Takes grass, which is new. */
static enum vxb_status load_strictly(const struct vxb_env *env, struct vxb_grass *grass, struct vxb_grass **out,
                                     struct vxb_error *err)
{
    struct vxbi_grass_walk walk;
    struct vxbi_collect collect = {.err = err};
    enum vxb_status status = vxbi_grass_load(grass, env, &collect, &walk, err);
    if (!status)
        status = collect.status;
    if (status) {
        vxbi_error_in(err, status, grass->name, NULL);
        vxb_grass_close(grass);
        return status;
    }
    *out = grass;
    return VXB_OK;
}

static enum vxb_status open_strictly(const struct vxb_env *env, const char *path, const struct vxb_source *source,
                                     const char *name, struct vxb_grass **out, struct vxb_error *err)
{
    struct vxb_grass *grass;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_grass_new(env, path, source, name, &grass, err);
    return status ? status : load_strictly(env, grass, out, err);
}

enum vxb_status vxbi_grass_open_file(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                     struct vxb_grass **out, struct vxb_error *err)
{
    struct vxb_grass *grass;
    enum vxb_status status = vxbi_grass_adopt(env, path, file, &grass, err);
    return status ? status : load_strictly(env, grass, out, err);
}

enum vxb_status vxb_grass_open(const struct vxb_env *env, const char *path, struct vxb_grass **out,
                               struct vxb_error *err)
{
    return open_strictly(env, path, NULL, NULL, out, err);
}

enum vxb_status vxb_grass_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                      struct vxb_grass **out, struct vxb_error *err)
{
    return open_strictly(env, NULL, source, name ? name : "the source", out, err);
}

const struct vxb_grass_header *vxb_grass_header(const struct vxb_grass *grass)
{
    return &grass->header;
}

const struct vxb_grass_section *vxb_grass_section(const struct vxb_grass *grass, uint32_t index)
{
    return &grass->sections[index];
}

const struct vxb_grass_lod *vxb_grass_lod(const struct vxb_grass *grass, uint32_t index)
{
    return &grass->lods[index];
}

void vxb_grass_table_offsets(const struct vxb_grass *grass, uint64_t offsets[5])
{
    const struct vxbi_grass_layout *layout = &grass->layout;
    bool gap = grass->header.format != 1 && grass->header.chunk_count > 0 && !(grass->header.flags & VXB_GRASS_ZSTD);
    offsets[0] = layout->sections;
    offsets[1] = layout->lods;
    offsets[2] = layout->strings;
    offsets[3] = layout->chunks;
    offsets[4] = gap ? vxbi_grass_raw_start(layout->data) : layout->data;
}

static enum vxb_status legacy_chunks(const struct vxb_grass *grass, uint32_t first, uint32_t count,
                                     struct vxb_grass_chunk *out, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    vxbi_legacy_entries(grass, first, count, out);
    for (uint32_t i = 0; i < count && !status; i++)
        status = vxbi_legacy_measure(grass, &out[i], err);
    return status ? vxbi_error_in(err, status, grass->name, NULL) : VXB_OK;
}

enum vxb_status vxb_grass_chunks(const struct vxb_grass *grass, uint32_t first, uint32_t count,
                                 struct vxb_grass_chunk *out, struct vxb_error *err)
{
    uint32_t all = grass->header.chunk_count;
    if (first > all || count > all - first)
        return vxbi_fail(err, VXB_ERR_USAGE, "chunks %" PRIu32 " to %" PRIu64 " were asked for; there are %" PRIu32,
                         first, (uint64_t)first + count, all);
    if (grass->header.format == 1)
        return legacy_chunks(grass, first, count, out, err);
    struct vxbi_collect collect = {.err = err};
    struct vxb_grass_chunk before;
    enum vxb_status status = first && count ? vxbi_grass_entries(grass, first - 1, 1, &before, NULL, NULL, err)
                                            : VXB_OK;
    for (uint32_t done = 0; !status && done < count;) {
        uint32_t reserved[VXBI_GRASS_WINDOW], n = count - done;
        n = n < VXBI_GRASS_WINDOW ? n : VXBI_GRASS_WINDOW;
        status = vxbi_grass_entries(grass, first + done, n, out + done, NULL, reserved, err);
        for (uint32_t i = 0; !status && i < n; i++) {
            uint32_t index = first + done + i;
            vxbi_grass_check_entry(grass, index, &out[done + i], index ? &before : NULL, reserved[i], &collect);
            before = out[done + i];
            status = collect.status;
        }
        done += n;
    }
    return status ? vxbi_error_in(err, status, grass->name, NULL) : VXB_OK;
}

enum vxb_status vxb_grass_find(const struct vxb_grass *grass, uint32_t section, int32_t cell_x, int32_t cell_z,
                               bool *found, uint32_t *index, struct vxb_grass_chunk *out, struct vxb_error *err)
{
    *found = false;
    if (section >= grass->header.section_count)
        return vxbi_fail(err, VXB_ERR_USAGE, "section %" PRIu32 " was asked for; there are %" PRIu32, section,
                         grass->header.section_count);
    if (grass->header.format == 1) {
        *found = vxbi_legacy_find(grass, cell_x, cell_z, index);
        return *found ? vxb_grass_chunks(grass, *index, 1, out, err) : VXB_OK;
    }
    uint32_t low = grass->sections[section].first_chunk, high = low + grass->sections[section].chunk_count;
    while (low < high) {
        struct vxb_grass_chunk chunk;
        uint32_t middle = low + (high - low) / 2;
        enum vxb_status status = vxb_grass_chunks(grass, middle, 1, &chunk, err);
        if (status)
            return status;
        if (chunk.cell_x == cell_x && chunk.cell_z == cell_z) {
            *found = true;
            *index = middle;
            *out = chunk;
            return VXB_OK;
        }
        if (chunk.cell_z < cell_z || (chunk.cell_z == cell_z && chunk.cell_x < cell_x))
            low = middle + 1;
        else
            high = middle;
    }
    return VXB_OK;
}
