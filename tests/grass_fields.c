/* The tables of fields, and records in and out of compressed chunks. */
#include "grass_fields.h"

#include <stdlib.h>
#include <zstd.h>

#include "grass/legacy.h"

#define U(name, offset, width) {name, offset, width, TYPE_UINT}
#define I(name, offset, width) {name, offset, width, TYPE_INT}
#define F(name, offset) {name, offset, 4, TYPE_F32}

static const struct grass_field header[] = {
    U("magic", 0, 8), U("format", 8, 4), U("header_bytes", 12, 4), U("file_bytes", 16, 8), U("flags", 24, 2),
    U("bake_revision", 26, 2), U("section_count", 28, 4), U("chunk_count", 32, 4), U("blade_count", 36, 4),
    U("lod_count", 40, 4), U("string_bytes", 44, 4), F("cell_size", 48), U("max_commands", 52, 4),
    U("updates_per_frame", 56, 4), U("blade_budget", 60, 4), F("bounds_min/0", 64), F("bounds_min/1", 68),
    F("bounds_min/2", 72), F("bounds_max/0", 76), F("bounds_max/1", 80), F("bounds_max/2", 84), U("seed", 88, 4),
    F("density", 92), U("bake_id", 96, 8), U("tables_hash", 104, 8), U("content_id", 112, 8), U("header_hash", 120, 8)};
static const struct grass_field section[] = {
    U("species_id", 0, 8), U("material_index", 8, 4), U("first_chunk", 12, 4), U("chunk_count", 16, 4),
    U("first_blade", 20, 4), U("blade_count", 24, 4), U("lod_count", 28, 1), U("pass_count", 29, 1),
    U("rank_limit", 30, 2),
    /* Format 3 alone. */
    U("profile_id", 32, 8), U("material_id", 40, 8), U("share", 48, 4), U("blade_budget", 52, 4), U("reserved", 56, 4),
    U("reserved", 60, 4)};
static const struct grass_field lod[] = {
    F("distance", 0), F("keep", 4), F("fade", 8), F("mesh_radius", 12), U("index_count", 16, 4),
    U("first_index", 20, 4),
    I("vertex_offset", 24, 4), U("reserved", 28, 4)};
static const struct grass_field string[] = {U("", 0, 2)};
static const struct grass_field chunk[] = {
    I("cell_x", 0, 4), I("cell_z", 4, 4), U("first_blade", 8, 4), U("blade_count", 12, 4), F("min_y", 16),
    F("max_y", 20), F("max_scale", 24), U("section", 28, 4), U("data_offset", 32, 8), U("data_bytes", 40, 4),
    U("reserved", 44, 4), U("hash", 48, 8)};
static const struct grass_field blade[] = {
    U("x", 0, 2), U("z", 2, 2), U("y", 4, 2), U("yaw", 6, 2), U("scale", 8, 2), I("up", 10, 1), I("up", 11, 1),
    U("tint", 12, 1), U("phase", 13, 1), U("rank", 14, 2)};

static const struct grass_field legacy_header[] = {
    U("magic", 0, 8), U("format", 8, 4), U("header_bytes", 12, 4), U("file_bytes", 16, 8), F("bounds_min/0", 24),
    F("bounds_min/1", 28), F("bounds_min/2", 32), F("bounds_max/0", 36), F("bounds_max/1", 40), F("bounds_max/2", 44),
    F("cell_size", 48), U("chunk_count", 52, 4), U("blade_count", 56, 4), U("reserved", 60, 4)};
static const struct grass_field legacy_chunk[] = {
    I("cell_x", 0, 4), I("cell_z", 4, 4), U("first_blade", 8, 4), U("blade_count", 12, 4)};
static const struct grass_field legacy_blade[] = {
    F("x", 0), F("y", 4), F("z", 8), F("yaw", 12), F("scale", 16), F("tint", 20), F("phase", 24), F("rank", 28)};

#define TABLE(fields) {fields, sizeof fields / sizeof fields[0]}

struct grass_struct grass_struct_of(uint32_t format, enum grass_part part)
{
    static const struct grass_struct legacy[PARTS] = {
        TABLE(legacy_header), {0}, {0}, {0}, TABLE(legacy_chunk), TABLE(legacy_blade)};
    static const struct grass_struct all[PARTS] = {TABLE(header), TABLE(section), TABLE(lod),
                                                   TABLE(string), TABLE(chunk),   TABLE(blade)};
    struct grass_struct found = format == 1 ? legacy[part] : all[part];
    if (format == 2 && part == PART_SECTION)
        found.count = 9;
    return found;
}

uint32_t grass_part_count(const struct test_file *file, enum grass_part part)
{
    const uint32_t format = vxbi_load_u32(file->data + 8), legacy = format == 1;
    uint32_t strings = 0;
    switch (part) {
    case PART_HEADER: return 1;
    case PART_SECTION: return legacy ? 0 : vxbi_load_u32(file->data + 28);
    case PART_LOD: return legacy ? 0 : vxbi_load_u32(file->data + 40);
    case PART_STRING:
        for (uint32_t k = 0; k < grass_part_count(file, PART_SECTION); k++)
            strings += 3u + file->data[test_file_at(file, BAD_SECTION, k) + 29];
        return strings;
    case PART_CHUNK: return vxbi_load_u32(file->data + (legacy ? 52 : 32));
    case PART_BLADE: return vxbi_load_u32(file->data + (legacy ? 56 : 36));
    case PARTS: break;
    }
    return 0;
}

uint64_t grass_field_get(const uint8_t *entry, const struct grass_field *field)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < field->width; i++)
        value |= (uint64_t)entry[field->offset + i] << 8 * i;
    return value;
}

void grass_field_set(uint8_t *entry, const struct grass_field *field, uint64_t value)
{
    for (uint32_t i = 0; i < field->width; i++)
        entry[field->offset + i] = (uint8_t)(value >> 8 * i);
}

/* ---- records ---- */

size_t test_file_get_records(const struct test_file *file, uint32_t j, uint8_t records[GRASS_RECORDS_MAX])
{
    static uint8_t split[GRASS_RECORDS_MAX];
    const uint16_t flags = vxbi_load_u16(file->data + 24);
    const uint8_t *entry = file->data + test_file_at(file, BAD_CHUNK, j);
    const uint64_t at = vxbi_load_u64(entry + 32), stored = vxbi_load_u32(entry + 40);
    const size_t raw = (size_t)vxbi_load_u32(entry + 12) * VXB_GRASS_RECORD_BYTES;
    if (raw == 0 || raw > GRASS_RECORDS_MAX || at > file->size || stored > file->size - at)
        return 0;
    if (!(flags & VXB_GRASS_ZSTD)) {
        if (stored != raw)
            return 0;
        memcpy(records, file->data + at, raw);
        return raw;
    }
    if (ZSTD_decompress(flags & VXB_GRASS_SPLIT ? split : records, raw, file->data + at, stored) != raw)
        return 0;
    if (flags & VXB_GRASS_SPLIT)
        vxbi_grass_join(records, split, raw);
    return raw;
}

/* A frame in place of another; chunks after it, and the file's end, move. */
static void replace_frame(struct test_file *file, uint32_t j, const uint8_t *frame, size_t size)
{
    const size_t entry = test_file_at(file, BAD_CHUNK, j), at = vxbi_load_u64(file->data + entry + 32);
    const size_t was = vxbi_load_u32(file->data + entry + 40);
    const uint64_t by = (uint64_t)size - was;
    vxbi_store_u32(file->data + entry + 40, (uint32_t)size);
    for (uint32_t k = j + 1; k < grass_part_count(file, PART_CHUNK); k++) {
        uint8_t *offset = file->data + test_file_at(file, BAD_CHUNK, k) + 32;
        vxbi_store_u64(offset, vxbi_load_u64(offset) + by);
    }
    vxbi_store_u64(file->data + 16, vxbi_load_u64(file->data + 16) + by);
    test_file_cut(file, at, was);
    test_file_grow(file, at, size);
    memcpy(file->data + at, frame, size);
}

void test_file_set_records(struct test_file *file, uint32_t j, const uint8_t *records, size_t size)
{
    static uint8_t split[GRASS_RECORDS_MAX], frame[ZSTD_COMPRESSBOUND(GRASS_RECORDS_MAX)];
    const uint16_t flags = vxbi_load_u16(file->data + 24);
    uint8_t *entry = file->data + test_file_at(file, BAD_CHUNK, j);
    vxbi_store_u64(entry + 48, vxbi_hash(records, size));
    if (!(flags & VXB_GRASS_ZSTD)) {
        memcpy(file->data + vxbi_load_u64(entry + 32), records, size);
        return;
    }
    if (flags & VXB_GRASS_SPLIT) {
        vxbi_grass_split(split, records, size);
        records = split;
    }
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    const size_t bytes = ZSTD_compress2(zstd, frame, sizeof frame, records, size);
    ZSTD_freeCCtx(zstd);
    if (ZSTD_isError(bytes))
        abort();
    replace_frame(file, j, frame, bytes);
}
