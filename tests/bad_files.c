/* One bad file for each finding of the file itself: what is changed in a good one, and what else that breaks. */
#include "bad_files.h"

#include <stdlib.h>
#include <zstd.h>

#define F(id) VXB_FINDING_##id

/* ---- changes that are more than one value ---- */

static void empty(struct test_file *file)
{
    file->size = 0;
}

static void unix_line_ends(struct test_file *file)
{
    test_file_cut(file, 4, 1);
}

static void dos_line_ends(struct test_file *file)
{
    test_file_grow(file, 5, 1);
    file->data[5] = '\r';
}

static void half_a_header(struct test_file *file)
{
    file->size = 100;
}

static void legacy_half_a_header(struct test_file *file)
{
    file->size = 40;
}

static void three_bytes(struct test_file *file)
{
    file->size = 3;
}

static void lose_the_end(struct test_file *file)
{
    file->size -= 16;
}

static void append(struct test_file *file)
{
    test_file_grow(file, file->size, 16);
}

static void append_and_say_so(struct test_file *file)
{
    append(file);
    vxbi_store_u64(file->data + 16, file->size);
}

static void swap_ids(struct test_file *file)
{
    uint8_t *a = file->data + test_file_at(file, BAD_SECTION, 0), *b = file->data + test_file_at(file, BAD_SECTION, 1);
    uint64_t id = vxbi_load_u64(a);
    vxbi_store_u64(a, vxbi_load_u64(b));
    vxbi_store_u64(b, id);
}

static void repeat_id(struct test_file *file)
{
    uint8_t *a = file->data + test_file_at(file, BAD_SECTION, 0), *b = file->data + test_file_at(file, BAD_SECTION, 1);
    vxbi_store_u64(b, vxbi_load_u64(a));
}

static void another_material_id(struct test_file *file)
{
    uint8_t *a = file->data + test_file_at(file, BAD_SECTION, 0) + 40;
    vxbi_store_u64(a, vxbi_load_u64(a) + 1);
}

static void set_budgets(struct test_file *file, uint32_t first, uint32_t second)
{
    vxbi_store_u32(file->data + test_file_at(file, BAD_SECTION, 0) + 52, first);
    vxbi_store_u32(file->data + test_file_at(file, BAD_SECTION, 1) + 52, second);
}

static void small_budget(struct test_file *file) { set_budgets(file, 10, 190); }
static void unfair_budget(struct test_file *file) { set_budgets(file, 121, 79); }
static void large_budgets(struct test_file *file) { set_budgets(file, 121, 80); }

/* A blade of section 1 is said to be one of section 0. */
static void move_a_blade(struct test_file *file)
{
    uint8_t *a = file->data + test_file_at(file, BAD_SECTION, 0), *b = file->data + test_file_at(file, BAD_SECTION, 1);
    vxbi_store_u32(a + 24, vxbi_load_u32(a + 24) + 1);
    vxbi_store_u32(b + 20, vxbi_load_u32(b + 20) + 1);
    vxbi_store_u32(b + 24, vxbi_load_u32(b + 24) - 1);
}

/* Where string number `number` of the table starts, its length first. */
static uint8_t *string_at(struct test_file *file, uint32_t number)
{
    uint8_t *p = file->data + test_file_at(file, BAD_STRINGS, 0);
    while (number--)
        p += 2 + vxbi_load_u16(p);
    return p;
}

/* The first section's name for the second too; the mesh, which nothing else depends on, takes up what is left. */
static void repeat_name(struct test_file *file)
{
    uint8_t kept[1024];
    const uint8_t *first = string_at(file, 0);
    const uint32_t at = 3u + file->data[test_file_at(file, BAD_SECTION, 0) + 29];
    uint8_t *name = string_at(file, at), *material = string_at(file, at + 1), *mesh = string_at(file, at + 2);
    const size_t size = 2u + vxbi_load_u16(first), name_size = (size_t)(material - name),
                 material_size = (size_t)(mesh - material);
    const uint16_t mesh_size = (uint16_t)(vxbi_load_u16(mesh) + name_size - size);
    memcpy(kept, material, material_size);
    memcpy(name, first, size);
    memcpy(name + size, kept, material_size);
    vxbi_store_u16(name + size + material_size, mesh_size);
    memset(name + size + material_size + 2, 'm', mesh_size);
}

/* "main" and "shadow" become twice "ppppp". */
static void repeat_pass(struct test_file *file)
{
    uint8_t *pass = string_at(file, 3);
    for (int i = 0; i < 2; i++, pass += 7) {
        vxbi_store_u16(pass, 5);
        memset(pass + 2, 'p', 5);
    }
}

static void made_from_format_1(struct test_file *file)
{
    vxbi_store_u16(file->data + 26, 0);
    memset(file->data + 88, 0, 16);
}

static void one_string_byte_more(struct test_file *file)
{
    vxbi_store_u32(file->data + 44, vxbi_load_u32(file->data + 44) + 1);
}

static void byte_in_the_padding(struct test_file *file)
{
    file->data[test_file_at(file, BAD_STRINGS, 0) + vxbi_load_u32(file->data + 44)] = 1;
}

static void byte_before_the_data(struct test_file *file)
{
    file->data[test_file_at(file, BAD_DATA, 0) - 1] = 1;
}

/* Moves every chunk's data from index on, and the file's end. */
static void shift_data(struct test_file *file, uint32_t from, int64_t by)
{
    uint32_t chunks = vxbi_load_u32(file->data + 32);
    for (uint32_t j = from; j < chunks; j++) {
        uint8_t *p = file->data + test_file_at(file, BAD_CHUNK, j) + 32;
        vxbi_store_u64(p, vxbi_load_u64(p) + (uint64_t)by);
    }
    vxbi_store_u64(file->data + 16, vxbi_load_u64(file->data + 16) + (uint64_t)by);
}

static void long_name(struct test_file *file)
{
    size_t at = test_file_at(file, BAD_STRINGS, 0);
    shift_data(file, 0, 256);
    vxbi_store_u32(file->data + 44, vxbi_load_u32(file->data + 44) + 256);
    test_file_grow(file, at + 2, 256);
    memset(file->data + at + 2, 'a', 256);
    vxbi_store_u16(file->data + at, (uint16_t)(vxbi_load_u16(file->data + at) + 256));
}

/* The name's six bytes go to the material's. */
static void no_name(struct test_file *file)
{
    uint8_t *p = file->data + test_file_at(file, BAD_STRINGS, 0);
    vxbi_store_u16(p, 0);
    vxbi_store_u16(p + 2, 12);
    memset(p + 4, 'm', 12);
}

static void gap_before_a_chunk(struct test_file *file)
{
    size_t at = test_file_at(file, BAD_DATA, 1);
    shift_data(file, 1, 64);
    test_file_grow(file, at, 64);
}

static void byte_between_chunks(struct test_file *file)
{
    file->data[test_file_at(file, BAD_DATA, 1) - 1] = 1;
}

static void wrong_content_id(struct test_file *file)
{
    file->data[112] ^= 1;
    memset(file->data + 120, 0, 8);
    vxbi_store_u64(file->data + 120, vxbi_hash(file->data, 128));
}

/* ---- zstd frames ---- */

static void replace_data(struct test_file *file, const uint8_t *bytes, size_t size)
{
    size_t at = test_file_at(file, BAD_DATA, 0), entry = test_file_at(file, BAD_CHUNK, 0);
    size_t was = vxbi_load_u32(file->data + entry + 40);
    vxbi_store_u32(file->data + entry + 40, (uint32_t)size);
    shift_data(file, 1, (int64_t)size - (int64_t)was);
    test_file_cut(file, at, was);
    test_file_grow(file, at, size);
    memcpy(file->data + at, bytes, size);
}

/* Chunk 0's data, decompressed, is compressed anew in another way, less bytes of it left out. */
static void recompress(struct test_file *file, ZSTD_cParameter parameter, int value, size_t less)
{
    uint8_t raw[4096], frame[8192];
    size_t at = test_file_at(file, BAD_DATA, 0), entry = test_file_at(file, BAD_CHUNK, 0);
    size_t n = ZSTD_decompress(raw, sizeof raw, file->data + at, vxbi_load_u32(file->data + entry + 40)) - less;
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(zstd, parameter, value);
    replace_data(file, frame, ZSTD_compress2(zstd, frame, sizeof frame, raw, n));
    ZSTD_freeCCtx(zstd);
}

static void no_size(struct test_file *file) { recompress(file, ZSTD_c_contentSizeFlag, 0, 0); }
static void no_checksum(struct test_file *file) { recompress(file, ZSTD_c_checksumFlag, 0, 0); }
static void a_record_less(struct test_file *file) { recompress(file, ZSTD_c_checksumFlag, 1, 16); }

/* Copies chunk 0's frame with head bytes instead of its first was ones, and tail zeros after it. */
static void edit_frame(struct test_file *file, const uint8_t *head, size_t size, size_t was, size_t tail)
{
    uint8_t frame[8192] = {0};
    size_t at = test_file_at(file, BAD_DATA, 0), entry = test_file_at(file, BAD_CHUNK, 0);
    size_t n = vxbi_load_u32(file->data + entry + 40);
    if (size)
        memcpy(frame, head, size);
    memcpy(frame + size, file->data + at + was, n - was);
    replace_data(file, frame, size + n - was + tail);
}

static void needs_dictionary(struct test_file *file)
{
    /* A frame of a chunk of 80 bytes: magic, descriptor (single segment, checksum), one byte of size. */
    const uint8_t head[7] = {0x28, 0xB5, 0x2F, 0xFD, 0x25, 9, 80};
    edit_frame(file, head, sizeof head, 6, 0);
}

static void huge_window(struct test_file *file)
{
    const uint8_t head[10] = {0x28, 0xB5, 0x2F, 0xFD, 0x84, 18 << 3, 80, 0, 0, 0};
    edit_frame(file, head, sizeof head, 6, 0);
}

/* The kind of frame that asks a careless reader for a terabyte. */
static void huge_size(struct test_file *file)
{
    const uint8_t head[13] = {0x28, 0xB5, 0x2F, 0xFD, 0xE4, 0, 0, 0, 0, 0, 1, 0, 0};
    edit_frame(file, head, sizeof head, 6, 0);
}

static void bytes_after_frame(struct test_file *file)
{
    edit_frame(file, NULL, 0, 0, 4);
}

static void frame_twice(struct test_file *file)
{
    uint8_t frames[8192];
    size_t at = test_file_at(file, BAD_DATA, 0), entry = test_file_at(file, BAD_CHUNK, 0);
    size_t n = vxbi_load_u32(file->data + entry + 40);
    memcpy(frames, file->data + at, n);
    memcpy(frames + n, file->data + at, n);
    replace_data(file, frames, 2 * n);
}

static void skippable(struct test_file *file)
{
    uint8_t *p = file->data + test_file_at(file, BAD_DATA, 0);
    size_t n = vxbi_load_u32(file->data + test_file_at(file, BAD_CHUNK, 0) + 40);
    vxbi_store_u32(p, 0x184D2A53);
    vxbi_store_u32(p + 4, (uint32_t)n - 8);
}

static void wrong_checksum(struct test_file *file)
{
    size_t n = vxbi_load_u32(file->data + test_file_at(file, BAD_CHUNK, 0) + 40);
    file->data[test_file_at(file, BAD_DATA, 0) + n - 1] ^= 1;
}

/* A sound frame of other records than the table's hash is of, as a careless re-compression would leave it: what is in
 * it counts, not that it decompresses. */
static void other_records(struct test_file *file)
{
    uint8_t raw[4096], frame[8192];
    size_t at = test_file_at(file, BAD_DATA, 0), entry = test_file_at(file, BAD_CHUNK, 0);
    size_t n = ZSTD_decompress(raw, sizeof raw, file->data + at, vxbi_load_u32(file->data + entry + 40));
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    vxbi_store_u16(raw + 14, 65535);
    vxbi_store_u64(file->data + entry + 48, vxbi_hash(raw, n));
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    replace_data(file, frame, ZSTD_compress2(zstd, frame, sizeof frame, raw, n));
    ZSTD_freeCCtx(zstd);
}

/* ---- the table ---- */

#define NAN32 0x7FC00000u
#define INF32 0x7F800000u
#define ONE32 0x3F800000u

/* finding, a field without a fault, {base, index, offset, width, value}, consequences */
#define SET(id, of, base_, index_, offset_, width_, value_, ...)                                                    \
    {.finding = F(id), .field = &test_field_##of, .base = BAD_##base_, .index = (index_), .offset = (offset_),      \
     .width = (width_), .value = (value_), .consequences = {__VA_ARGS__}}
#define DO(id, of, function, ...)                                                                                   \
    {.finding = F(id), .field = &test_field_##of, .spoil = (function), .consequences = {__VA_ARGS__}}
#define DO_UNREPAIRED(id, of, function, ...)                                                                        \
    {.finding = F(id), .field = &test_field_##of, .spoil = (function), .unrepaired = true,                          \
     .consequences = {__VA_ARGS__}}

const struct bad_file bad_files[] = {
    DO_UNREPAIRED(EMPTY_FILE, 2, empty, 0),
    SET(MAGIC, 2, HEADER, 0, 1, 1, 'X', 0),
    DO_UNREPAIRED(MAGIC_TEXT_MODE, 2, unix_line_ends, 0),
    DO_UNREPAIRED(MAGIC_TEXT_MODE, 2, dos_line_ends, 0),
    SET(MAGIC_TEXT_MODE, 2, HEADER, 0, 0, 1, 0x09, 0),
    SET(FORMAT_VERSION, 2, HEADER, 0, 8, 4, 0, 0),
    SET(FORMAT_VERSION, 3, HEADER, 0, 8, 4, 4, 0),
    SET(FORMAT_VERSION, 3, HEADER, 0, 8, 4, 65535, 0),
    SET(FORMAT_VERSION, 1_empty, HEADER, 0, 8, 4, 4, 0), /* shorter than the header of format 2 */
    DO_UNREPAIRED(HEADER_CUT, 2, half_a_header, 0),
    DO_UNREPAIRED(HEADER_CUT, 2, three_bytes, 0),
    SET(HEADER_BYTES, 2, HEADER, 0, 12, 4, 64, 0),
    DO_UNREPAIRED(FILE_CUT, 2, lose_the_end, F(CHUNK_OUTSIDE)),
    DO_UNREPAIRED(FILE_LONGER, 2_zstd, append, 0),
    {.finding = F(HEADER_HASH), .field = &test_field_2, .base = BAD_HEADER, .offset = 88, .width = 4, .value = 8,
     .unrepaired = true},
    SET(FLAGS_UNKNOWN, 2, HEADER, 0, 24, 2, 0x10, 0),
    SET(FLAGS_SPLIT, 2, HEADER, 0, 24, 2, 2, 0),
    SET(CELL_SIZE, 2_empty, HEADER, 0, 48, 4, 0x3F7FFFFF, 0),
    SET(CELL_SIZE, 2_empty, HEADER, 0, 48, 4, 0x44800001, 0),
    SET(CELL_SIZE, 2_empty, HEADER, 0, 48, 4, NAN32, F(DENSITY)),
    SET(DENSITY, 2, HEADER, 0, 92, 4, 0, 0),
    SET(DENSITY, 2, HEADER, 0, 92, 4, INF32, 0),
    SET(DENSITY, 2, HEADER, 0, 92, 4, ONE32 | 0x80000000u, 0),
    SET(BOUNDS_ORDER, 2, HEADER, 0, 64, 4, NAN32, F(BOUNDS)),
    SET(BOUNDS_ORDER, 2_empty, HEADER, 0, 64, 4, ONE32, 0),
    SET(BOUNDS_EMPTY, 2_empty, HEADER, 0, 80, 4, ONE32, 0),
    SET(LEGACY_HEADER, 2, HEADER, 0, 26, 2, 0, F(CHUNK_LEGACY_HEIGHTS)),
    SET(INEXACT_DEVICE, 2, HEADER, 0, 24, 2, 4, 0),
    SET(PARTIAL_FIELD, 2, HEADER, 0, 24, 2, 8, 0),
    SET(COUNT_LIMIT, 2_empty, HEADER, 0, 36, 4, 1, F(SECTION_BLADES)),
    SET(BLADE_BUDGET, 2, HEADER, 0, 60, 4, 10, 0),

    SET(TABLES_OUTSIDE, 2, HEADER, 0, 32, 4, 0xFFFFFFFE, F(COUNT_LIMIT)),
    {.finding = F(TABLES_HASH), .field = &test_field_2, .base = BAD_LOD, .offset = 20, .width = 4, .value = 8,
     .unrepaired = true},
    DO(TABLES_PADDING, 2, byte_in_the_padding, 0),
    DO(TABLES_PADDING, 2, byte_before_the_data, 0),

    SET(SECTION_COUNT, 2, HEADER, 0, 28, 4, 2, 0),
    SET(SECTION_COUNT, 3, HEADER, 0, 28, 4, 1, 0),
    SET(SECTION_COUNT, 3, HEADER, 0, 28, 4, 0xFFFFFFFF, 0),
    DO(SECTION_ORDER, 3, swap_ids, 0),
    DO(SECTION_DUPLICATE, 3, repeat_id, 0),
    SET(SECTION_ZERO_ID, 3, SECTION, 0, 0, 8, 0, 0),
    SET(SECTION_RESERVED, 3, SECTION, 1, 60, 4, 1, 0),
    SET(SECTION_CHUNKS, 3, SECTION, 1, 12, 4, 4, F(SECTION_BLADE_TOTAL)),
    SET(SECTION_BLADES, 3, SECTION, 1, 20, 4, 17, 0),
    SET(SECTION_LOD_COUNT, 2, SECTION, 0, 28, 1, 0, F(LOD_TOTAL)),
    SET(SECTION_PASS_COUNT, 2, SECTION, 0, 29, 1, 0, F(STRING_TABLE_LEFT)),
    SET(SECTION_PASS_COUNT, 2, SECTION, 0, 29, 1, 5, F(STRING_CUT)),
    SET(SECTION_MATERIAL_INDEX, 2, SECTION, 0, 8, 4, 1, 0),
    DO(SECTION_MATERIAL_ID, 3, another_material_id, F(SECTION_MATERIAL_INDEX)),
    SET(SECTION_SHARE, 3, SECTION, 0, 48, 4, 0, F(SECTION_SHARE_SUM)),
    SET(SECTION_SHARE_SUM, 3, SECTION, 0, 48, 4, 600000, 0),
    DO(SECTION_BUDGET, 3, small_budget, F(SECTION_BUDGET_SHARE)),
    DO(SECTION_BUDGET_SUM, 3, large_budgets, 0),
    SET(SECTION_BUDGET_SUM, 3, SECTION, 1, 52, 4, 0xFFFFFFFF, 0),
    DO(SECTION_BUDGET_SHARE, 3, unfair_budget, 0),
    SET(SECTION_RANK_LIMIT, 3_empty_section, SECTION, 2, 30, 2, 1, 0),
    DO(SECTION_BLADE_TOTAL, 3, move_a_blade, 0),
    DO(SECTION_NAME_TWICE, 3, repeat_name, 0),
    DO(SECTION_PASS_TWICE, 2, repeat_pass, 0),

    SET(LOD_TOTAL, 3, SECTION, 0, 28, 1, 1, 0),
    SET(LOD_DISTANCE, 3, LOD, 0, 0, 4, NAN32, 0),
    SET(LOD_DISTANCE, 3, LOD, 0, 0, 4, INF32, F(LOD_DISTANCE_ORDER)),
    SET(LOD_DISTANCE, 3, LOD, 0, 0, 4, ONE32 | 0x80000000u, 0),
    SET(LOD_DISTANCE_ORDER, 3, LOD, 0, 0, 4, 0x42A00000, 0),
    SET(LOD_KEEP, 3, LOD, 0, 4, 4, 0x3F800001, 0),
    SET(LOD_KEEP_RISING, 3, LOD, 0, 4, 4, 0x3E000000, 0),
    SET(LOD_FADE, 3, LOD, 0, 8, 4, 0x41A00001, 0),
    SET(LOD_MESH_RADIUS, 3, LOD, 0, 12, 4, ONE32 | 0x80000000u, 0),
    SET(LOD_RESERVED, 3, LOD, 3, 28, 4, 1, 0),

    SET(STRING_TABLE_BYTES, 2, HEADER, 0, 44, 4, 1800, 0),
    SET(STRING_CUT, 2, STRINGS, 0, 0, 2, 0xFFFF, 0),
    DO(STRING_TABLE_LEFT, 2, one_string_byte_more, 0),
    DO(STRING_LENGTH, 2, long_name, 0),
    SET(STRING_UTF8, 2, STRINGS, 0, 2, 1, 0xFF, 0),
    SET(STRING_NUL, 2, STRINGS, 0, 2, 1, 0, 0),
    DO(STRING_EMPTY, 2, no_name, 0),

    SET(CHUNK_SECTION, 3, CHUNK, 0, 28, 4, 1, 0),
    SET(CHUNK_SECTION, 3, CHUNK, 0, 28, 4, 2, 0),
    SET(CHUNK_EMPTY, 2, CHUNK, 0, 12, 4, 0, F(CHUNK_BLADES), F(SECTION_BLADE_TOTAL), F(CHUNK_BYTES)),
    SET(CHUNK_BLADES, 2, CHUNK, 1, 8, 4, 6, 0),
    SET(CHUNK_ORDER, 2, CHUNK, 2, 4, 4, 0xFFFFFFFE, F(BOUNDS)),
    SET(CHUNK_DUPLICATE, 2, CHUNK, 1, 0, 4, 0xFFFFFFFF, F(BOUNDS)),
    SET(CHUNK_CELL, 2, CHUNK, 2, 4, 4, 32769, F(BOUNDS)),
    SET(CHUNK_CELL, 2, CHUNK, 0, 4, 4, 0x80000000, F(BOUNDS)),
    SET(CHUNK_HEIGHT, 2, CHUNK, 0, 16, 4, NAN32, 0),
    SET(CHUNK_HEIGHT, 2, CHUNK, 0, 20, 4, INF32, 0),
    SET(CHUNK_HEIGHT_LIMIT, 2, CHUNK, 0, 20, 4, 0x49800001, F(BOUNDS)),
    SET(CHUNK_MAX_SCALE_LIMIT, 2, CHUNK, 0, 24, 4, 0x44800001, F(CHUNK_MAX_SCALE), F(BOUNDS)),
    SET(CHUNK_MAX_SCALE_LIMIT, 2, CHUNK, 0, 24, 4, NAN32, F(CHUNK_MAX_SCALE)),
    SET(CHUNK_RESERVED, 2, CHUNK, 1, 44, 4, 1, 0),
    DO(CHUNK_OFFSET, 2, gap_before_a_chunk, 0),
    SET(CHUNK_BYTES, 2, CHUNK, 2, 40, 4, 96, F(FILE_END)),
    SET(CHUNK_OUTSIDE, 2, CHUNK, 2, 32, 8, 0xFFFFFFFFFFFFFFFF, F(CHUNK_OFFSET), F(FILE_END)),
    SET(CHUNK_OUTSIDE, 2, CHUNK, 2, 32, 8, 0, F(CHUNK_OFFSET), F(FILE_END)),
    SET(CHUNK_BLADE_LIMIT, 2, CHUNK, 2, 12, 4, 0x1000001, F(CHUNK_BYTES), F(SECTION_BLADE_TOTAL)),
    SET(CHUNK_CANDIDATES, 2, HEADER, 0, 92, 4, 0x3A800000, 0), /* one candidate a cell */
    SET(CHUNK_CANDIDATES, 3, HEADER, 0, 92, 4, 0x3C100000, 0), /* 9: for each chunk, and not for both */
    DO(FILE_END, 2, append_and_say_so, 0),

    SET(ZSTD_MAGIC, 2_zstd, DATA, 0, 0, 1, 0, 0),
    DO(ZSTD_SKIPPABLE, 2_zstd, skippable, 0),
    SET(ZSTD_HEADER, 2_zstd, DATA, 0, 4, 1, 0x2C, 0),
    DO(ZSTD_NO_SIZE, 2_zstd, no_size, 0),
    DO(ZSTD_SIZE, 2_zstd, a_record_less, 0),
    DO(ZSTD_SIZE, 2_zstd, huge_size, 0),
    DO(ZSTD_NO_CHECKSUM, 2_zstd, no_checksum, 0),
    DO(ZSTD_DICTIONARY, 2_zstd, needs_dictionary, 0),
    DO(ZSTD_WINDOW, 2_zstd, huge_window, 0),
    SET(ZSTD_RATIO, 2_zstd, CHUNK, 2, 12, 4, 0x1000000, F(SECTION_BLADE_TOTAL), F(CHUNK_CANDIDATES)),
    DO(ZSTD_TRAILING, 2_zstd, bytes_after_frame, 0),
    DO(ZSTD_TRAILING, 2_zstd, frame_twice, 0),
    SET(ZSTD_DAMAGED, 2_zstd, DATA, 0, 6, 1, 0xFF, 0),
    DO(ZSTD_CHECKSUM, 2_zstd, wrong_checksum, 0),
    DO(CHUNK_GAP, 2, byte_between_chunks, 0),
    {.finding = F(CHUNK_HASH), .field = &test_field_2, .base = BAD_DATA, .index = 1, .offset = 12, .width = 1,
     .value = 1, .unrepaired = true},

    SET(BLADE_RANK_ORDER, 2, DATA, 0, 30, 2, 99, 0),
    SET(BLADE_RANK_LIMIT, 2, DATA, 0, 78, 2, 60001, 0),
    DO(BLADE_RANK_LIMIT, 2_zstd, other_records, F(BLADE_RANK_ORDER)),
    SET(BLADE_SCALE, 2, DATA, 0, 8, 2, 0, 0),
    SET(BLADE_SCALE, 2, DATA, 0, 8, 2, 0xBC00, 0),
    SET(BLADE_SCALE, 2, DATA, 0, 8, 2, 0x7C00, F(CHUNK_MAX_SCALE)),
    SET(BLADE_SCALE, 2, DATA, 0, 8, 2, 0x7E00, 0),
    SET(BLADE_SCALE_LIMIT, 2, DATA, 0, 8, 2, 0x13FF, 0),
    SET(BLADE_SCALE_LIMIT, 2, DATA, 0, 8, 2, 0x6401, F(CHUNK_MAX_SCALE)),
    SET(BLADE_UP_CODE, 2, DATA, 0, 10, 1, 0x80, 0),
    SET(BLADE_UP_SUM, 2, DATA, 0, 10, 2, 0x7F01, 0),
    SET(BLADE_FLAT_HEIGHT, flat, DATA, 0, 4, 2, 1, 0),
    SET(CHUNK_MAX_SCALE, 2, CHUNK, 0, 24, 4, 0x3F000000, 0),
    DO(CHUNK_LEGACY_HEIGHTS, 2, made_from_format_1, 0),

    DO_UNREPAIRED(CONTENT_ID, 2, wrong_content_id, 0),
    SET(BOUNDS, 2, HEADER, 0, 64, 4, 0xC4000000, 0),

    DO(HEADER_CUT, 1, legacy_half_a_header, 0),
    SET(LEGACY_HEADER_BYTES, 1, HEADER, 0, 12, 4, 128, 0),
    SET(LEGACY_RESERVED, 1, HEADER, 0, 60, 4, 1, 0),
    SET(LEGACY_COUNT_LIMIT, 1, HEADER, 0, 56, 4, 0xFFFFFFFF, F(LEGACY_FILE_END), F(LEGACY_BLADE_TOTAL)),
    DO(FILE_CUT, 1, lose_the_end, F(CHUNK_OUTSIDE)),
    DO(FILE_LONGER, 1, append, 0),
    DO(LEGACY_FILE_END, 1, append_and_say_so, 0),
    SET(TABLES_OUTSIDE, 1, HEADER, 0, 52, 4, 1000, F(LEGACY_FILE_END)),
    SET(CELL_SIZE, 1_empty, HEADER, 0, 48, 4, 0x44800001, 0),
    SET(BOUNDS_ORDER, 1, HEADER, 0, 24, 4, NAN32, F(LEGACY_BOUNDS)),
    SET(BOUNDS_EMPTY, 1_empty, HEADER, 0, 36, 4, ONE32, 0),
    SET(LEGACY_BOUNDS, 1, HEADER, 0, 24, 4, 0xC4000000, 0),
    SET(LEGACY_BLADE_TOTAL, 1, CHUNK, 4, 12, 4, 7, F(LEGACY_BOUNDS)),
    SET(CHUNK_BLADES, 1, CHUNK, 4, 8, 4, 0, 0),
    SET(CHUNK_OUTSIDE, 1, CHUNK, 4, 12, 4, 9, F(LEGACY_BLADE_TOTAL)),
    SET(CHUNK_BLADE_LIMIT, 1, CHUNK, 4, 12, 4, 0x1000001, F(CHUNK_OUTSIDE), F(LEGACY_BLADE_TOTAL)),
    SET(CHUNK_CELL, 1, CHUNK, 2, 0, 4, 0x80000000, 0),
    SET(CHUNK_DUPLICATE, 1, CHUNK, 2, 0, 4, 0xFFFFFFFF, 0),
    SET(LEGACY_BLADE_FINITE, 1, DATA, 3, 0, 4, NAN32, 0),
    SET(LEGACY_BLADE_FINITE, 1, DATA, 3, 24, 4, INF32, 0),
    SET(LEGACY_BLADE_CELL, 1, DATA, 0, 0, 4, 0x41FFFFFF, 0),
    SET(LEGACY_BLADE_CELL, 1, DATA, 0, 8, 4, 0x42000001, 0),
    SET(LEGACY_BLADE_HEIGHT, 1, DATA, 5, 4, 4, 0x49800001, 0),
    SET(LEGACY_BLADE_YAW, 1, DATA, 5, 12, 4, 0x40C90FDC, 0),
    SET(LEGACY_BLADE_SCALE, 1, DATA, 5, 16, 4, 0x3A7FFFFF, 0),
    SET(LEGACY_BLADE_SCALE, 1, DATA, 5, 16, 4, 0x44800001, 0),
    SET(LEGACY_BLADE_TINT, 1, DATA, 5, 20, 4, 0x3F800001, 0),
    SET(LEGACY_BLADE_PHASE, 1, DATA, 5, 24, 4, 0x40C90FDC, 0),
    SET(LEGACY_BLADE_RANK, 1, DATA, 5, 28, 4, 0x80000001, 0),
};

const size_t bad_file_count = sizeof bad_files / sizeof bad_files[0];

struct test_file bad_file_make(const struct bad_file *bad)
{
    struct test_file file = test_field_make(bad->field);
    if (bad->spoil) {
        bad->spoil(&file);
    } else {
        uint8_t *p = file.data + test_file_at(&file, bad->base, bad->index) + bad->offset;
        for (uint32_t i = 0; i < bad->width; i++)
            p[i] = (uint8_t)(bad->value >> 8 * i);
    }
    if (!bad->unrepaired)
        test_file_repair(&file);
    return file;
}
