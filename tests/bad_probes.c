/* One bad file for each finding of an irradiance field: what is changed in a good one, and what else that breaks. */
#include "bad_probes.h"

#include <stdlib.h>
#include <string.h>

#define F(id) VXB_FINDING_##id
#define AT(field) VXBI_AT(probe_header, field)

static void half_a_header(struct test_probes *file) { file->size = 100; }

static void three_bytes(struct test_probes *file) { file->size = 5; }

static void lose_the_end(struct test_probes *file) { file->size -= 16; }

/* What has no plane behind it is no gap to read. */
static void cut_in_a_gap(struct test_probes *file) { file->size = test_probes_at(file, BAD_PROBE_DATA, 2) - 1; }

static void cut_before_a_gap(struct test_probes *file)
{
    const uint8_t *plane = file->data + test_probes_at(file, BAD_PROBE_PLANE, 1);
    file->size = vxbi_load_u64(plane) + vxbi_load_u64(plane + 8) - 1;
}

static void only_some_bricks(struct test_probes *file) { file->size = 200; }

static void append(struct test_probes *file)
{
    file->data = realloc(file->data, file->size + 16);
    memset(file->data + file->size, 0, 16);
    file->size += 16;
}

static void append_and_say_so(struct test_probes *file)
{
    append(file);
    vxbi_store_u64(file->data + AT(file_bytes), file->size);
}

static void byte_after_the_bricks(struct test_probes *file)
{
    const uint32_t count = vxbi_load_u32(file->data + AT(brick_count));
    file->data[test_probes_at(file, BAD_PROBE_BRICK, count)] = 1;
}

static void byte_before_the_planes(struct test_probes *file)
{
    file->data[test_probes_at(file, BAD_PROBE_DATA, 0) - 1] = 1;
}

static void byte_between_planes(struct test_probes *file)
{
    file->data[test_probes_at(file, BAD_PROBE_DATA, 2) - 1] = 1;
}

static void swap_bricks(struct test_probes *file)
{
    uint8_t *a = file->data + test_probes_at(file, BAD_PROBE_BRICK, 1), *b = a + VXB_PROBE_BRICK_BYTES;
    uint8_t kept[VXB_PROBE_BRICK_BYTES];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
}

static void share_a_slot(struct test_probes *file)
{
    uint8_t *a = file->data + test_probes_at(file, BAD_PROBE_BRICK, 1);
    memcpy(a + VXB_PROBE_BRICK_BYTES, a, 4);
}

/* RGBA component c of probe (x, y, z) of the brick in a slot. */
static uint8_t *texel(struct test_probes *file, uint32_t plane, uint32_t slot, uint32_t x, uint32_t y, uint32_t z,
                      uint32_t c)
{
    const uint32_t sx = vxbi_load_u32(file->data + AT(slots)), sy = vxbi_load_u32(file->data + AT(slots) + 4);
    const uint32_t bytes = vxbi_probe_texel_bytes(vxbi_load_u32(file->data + AT(encoding)));
    const size_t column = slot % sx, row = slot / sx % sy, layer = slot / sx / sy;
    const size_t index = ((5 * layer + z) * 5 * sy + 5 * row + y) * 5 * sx + 5 * column + x;
    return file->data + test_probes_at(file, BAD_PROBE_DATA, plane) + index * bytes + c * (bytes / 4);
}

static void set(struct test_probes *file, uint32_t plane, uint32_t slot, uint32_t at, uint32_t c, float value)
{
    vxbi_store_u32(texel(file, plane, slot, at % 5, at / 5 % 5, at / 25, c), vxbi_f32_bits(value));
}

/* Probe (1, 1, 1) of a brick is in no border. */
enum { INNER = 1 + 5 + 25, BORDER = 4 + 5 + 25, LAST = 74 };

static void free_texel(struct test_probes *file) { set(file, 0, LAST, INNER, 0, 1); }
static void spare(struct test_probes *file) { set(file, 2, 0, INNER, 3, 1); }
static void infinite(struct test_probes *file) { set(file, 1, 0, INNER, 0, 1.0f / 0.0f); }
static void not_a_number(struct test_probes *file) { set(file, 0, 0, INNER, 3, 0.0f / 0.0f); }
static void f16_infinite(struct test_probes *file) { vxbi_store_u16(texel(file, 0, 0, 1, 1, 1, 0), 0x7C00); }
static void much_validity(struct test_probes *file) { set(file, 0, 0, INNER, 3, 1.5f); }
static void negative_validity(struct test_probes *file) { set(file, 0, 0, INNER, 3, -0.5f); }
static void much_shadow(struct test_probes *file) { set(file, 1, 0, INNER, 3, 1.0001f); }
static void negative_light(struct test_probes *file) { set(file, 0, 0, INNER, 1, -1); }
/* A sample between probes weights this one too. */
static void negative_and_invalid(struct test_probes *file)
{
    set(file, 0, 0, INNER, 3, 0);
    negative_light(file);
}
static void too_directed(struct test_probes *file) { set(file, 3, 0, INNER, 2, 100); }
static void strong_sun(struct test_probes *file)
{
    set(file, 0, 0, INNER, 0, 1);
    set(file, 1, 0, INNER, 0, 0);
    set(file, 2, 0, INNER, 0, 0);
    set(file, 3, 0, INNER, 0, 1.7f);
}
static void other_border(struct test_probes *file) { set(file, 0, 1, BORDER, 0, 0.5f); }
static void f16_border(struct test_probes *file) { vxbi_store_u16(texel(file, 3, 1, 4, 1, 1, 0), 0x3C00); }

/* The brick in slot 0 has a neighbour of its size, as that in slot 1 has not. */
static void seam(struct test_probes *file) { set(file, 0, 0, BORDER, 0, 0.5f); }
static void seam_of_shadow(struct test_probes *file) { set(file, 1, 0, BORDER, 3, 0.015625f); }

static void wrong_content_id(struct test_probes *file)
{
    file->data[AT(content_id)] ^= 1;
    memset(file->data + AT(header_hash), 0, 8);
    vxbi_store_u64(file->data + AT(header_hash), vxbi_hash(file->data, VXB_PROBE_HEADER_BYTES));
}

static void no_checksum(struct test_probes *file) { file->data[test_probes_at(file, BAD_PROBE_DATA, 1) + 4] &= 0xFB; }

static void other_size(struct test_probes *file)
{
    /* The frame's content size: 4 bytes after descriptor and window, or after the descriptor alone. */
    uint8_t *p = file->data + test_probes_at(file, BAD_PROBE_DATA, 1) + 4;
    p += *p >> 5 & 1 ? 1 : 2;
    p[0] ^= 16;
}

static void damaged(struct test_probes *file)
{
    const size_t at = test_probes_at(file, BAD_PROBE_DATA, 1);
    memset(file->data + at + 12, 0xFF, 24);
}

static void wrong_checksum(struct test_probes *file)
{
    file->data[test_probes_at(file, BAD_PROBE_DATA, 2) - 1] ^= 1; /* where plane 1 ends */
}

static void trailing(struct test_probes *file)
{
    uint8_t *plane = file->data + test_probes_at(file, BAD_PROBE_PLANE, 3);
    append_and_say_so(file);
    plane = file->data + test_probes_at(file, BAD_PROBE_PLANE, 3);
    vxbi_store_u64(plane + 8, vxbi_load_u64(plane + 8) + 16);
}

#define NAN32 0x7FC00000u
#define SET(id, of, base_, index_, offset_, width_, value_, ...)                                               \
    {.finding = F(id), .desc = &test_probes_##of, .base = BAD_PROBE_##base_, .index = (index_),                \
     .offset = (offset_), .width = (width_), .value = (value_), .consequences = {__VA_ARGS__}}
#define DO(id, of, function, ...)                                                                              \
    {.finding = F(id), .desc = &test_probes_##of, .spoil = (function), .consequences = {__VA_ARGS__}}
#define DO_UNREPAIRED(id, of, function, ...)                                                                   \
    {.finding = F(id), .desc = &test_probes_##of, .spoil = (function), .unrepaired = true,                     \
     .consequences = {__VA_ARGS__}}

const struct bad_probe bad_probes[] = {
    SET(PROBE_MAGIC, f32, HEADER, 0, 4, 1, 0x0A, 0),
    SET(PROBE_VERSION, f32, HEADER, 0, AT(format), 4, 0, 0),
    SET(PROBE_VERSION, f32, HEADER, 0, AT(format), 4, 2, 0),
    DO_UNREPAIRED(PROBE_HEADER_CUT, f32, half_a_header, 0),
    DO_UNREPAIRED(PROBE_HEADER_CUT, f32, three_bytes, 0),
    SET(PROBE_HEADER_BYTES, f32, HEADER, 0, AT(header_bytes), 4, 120, 0),
    DO_UNREPAIRED(PROBE_FILE_CUT, f32, lose_the_end, F(PROBE_PLANE_OUTSIDE)),
    DO_UNREPAIRED(PROBE_FILE_CUT, f32, cut_in_a_gap, F(PROBE_PLANE_OUTSIDE)),
    DO_UNREPAIRED(PROBE_FILE_CUT, f32, cut_before_a_gap, F(PROBE_PLANE_OUTSIDE)),
    DO_UNREPAIRED(PROBE_FILE_LONGER, f32, append, 0),
    {.finding = F(PROBE_HEADER_HASH), .desc = &test_probes_f32, .base = BAD_PROBE_HEADER, .offset = AT(bake_id),
     .width = 4,
     .value = 8, .unrepaired = true},
    SET(PROBE_FLAGS, f32, HEADER, 0, AT(flags), 2, 2, 0),
    SET(PROBE_FLAGS, f32, HEADER, 0, AT(flags), 2, 0x8000, 0),
    SET(PROBE_REVISION, f32, HEADER, 0, AT(bake_revision), 2, 0, 0),
    SET(PROBE_INEXACT, f32, HEADER, 0, AT(flags), 2, 4, 0),
    SET(PROBE_ENCODING, f32, HEADER, 0, AT(encoding), 4, 2, 0),
    SET(PROBE_BOUNDS, f32, HEADER, 0, AT(bounds_min), 4, NAN32, 0),
    SET(PROBE_BOUNDS, f32, HEADER, 0, AT(bounds_max) + 4, 4, 0, 0),
    SET(PROBE_BOUNDS, f32, HEADER, 0, AT(bounds_max) + 8, 4, 0x49800001, 0),
    SET(PROBE_CELLS, f32, HEADER, 0, AT(cells), 4, 0, 0),
    SET(PROBE_CELLS, f32, HEADER, 0, AT(cells) + 4, 4, 1025, 0),
    SET(PROBE_SLOTS, f32, HEADER, 0, AT(slots) + 8, 4, 0, 0),
    SET(PROBE_SLOTS, f32, HEADER, 0, AT(slots), 4, 0xFFFFFFFF, 0),
    SET(PROBE_BRICK_COUNT, f32, HEADER, 0, AT(brick_count), 4, 76, 0),
    SET(PROBE_RESERVED, f32, HEADER, 0, AT(reserved), 4, 1, 0),
    SET(PROBE_RESERVED, f32, HEADER, 0, AT(reserved_3), 4, 1, 0),
    DO_UNREPAIRED(PROBE_TABLES_OUTSIDE, f32, only_some_bricks, F(PROBE_FILE_CUT)),
    {.finding = F(PROBE_TABLES_HASH), .desc = &test_probes_f32, .base = BAD_PROBE_PLANE, .offset = 16, .width = 1,
     .value = 8, .unrepaired = true, .consequences = {F(PROBE_PLANE_HASH), F(PROBE_CONTENT_ID)}},
    DO(PROBE_TABLES_PADDING, f32, byte_after_the_bricks, 0),
    DO(PROBE_TABLES_PADDING, f32, byte_before_the_planes, 0),
    DO(PROBE_TABLES_PADDING, f32, byte_between_planes, 0),
    SET(PROBE_BRICK_SIZE, f32, BRICK, 0, 16, 4, 0, 0),
    SET(PROBE_BRICK_SIZE, f32, BRICK, 0, 16, 4, 3, 0),
    SET(PROBE_BRICK_SIZE, f32, BRICK, 0, 16, 4, 2048, 0),
    SET(PROBE_BRICK_CELL, f32, BRICK, 0, 4, 4, 1, 0),
    SET(PROBE_BRICK_CELL, f32, BRICK, 0, 12, 4, 1024, 0),
    DO(PROBE_BRICK_ORDER, f32, swap_bricks, 0),
    SET(PROBE_BRICK_SLOT, f32, BRICK, 0, 0, 4, 75, 0),
    DO(PROBE_BRICK_SLOT_TWICE, f32, share_a_slot, 0),
    SET(PROBE_BRICK_OVERLAP, f32, BRICK, 0, 16, 4, 4, 0),
    SET(PROBE_PLANE_OFFSET, f32, PLANE, 3, 0, 8, 64, F(PROBE_PLANE_OUTSIDE), F(PROBE_FILE_END)),
    SET(PROBE_PLANE_BYTES, f32, PLANE, 3, 8, 8, 16, F(PROBE_FILE_END)),
    SET(PROBE_PLANE_BYTES, zstd, PLANE, 3, 8, 8, 0, F(PROBE_FILE_END)),
    SET(PROBE_PLANE_OUTSIDE, f32, PLANE, 3, 0, 8, 0xFFFFFFFFFFFFFFFF, F(PROBE_PLANE_OFFSET)),
    DO(PROBE_FILE_END, f32, append_and_say_so, 0),
    {.finding = F(PROBE_PLANE_HASH), .desc = &test_probes_f32, .base = BAD_PROBE_DATA, .index = 3, .offset = 500,
     .width = 1,
     .value = 1, .unrepaired = true},
    DO_UNREPAIRED(PROBE_CONTENT_ID, f32, wrong_content_id, 0),
    DO(ZSTD_NO_CHECKSUM, zstd, no_checksum, F(ZSTD_TRAILING)),
    DO(ZSTD_SIZE, zstd, other_size, 0),
    DO(ZSTD_DAMAGED, zstd, damaged, 0),
    DO(ZSTD_CHECKSUM, zstd, wrong_checksum, 0),
    DO(ZSTD_TRAILING, zstd, trailing, 0),
    SET(ZSTD_MAGIC, zstd, DATA, 2, 0, 1, 0, 0),
    DO(PROBE_FREE_SLOT, f32, free_texel, 0),
    DO(PROBE_SPARE, f32, spare, 0),
    DO(PROBE_FINITE, f32, infinite, 0),
    DO(PROBE_FINITE, f32, not_a_number, 0),
    DO(PROBE_FINITE, f16, f16_infinite, 0),
    DO(PROBE_VALIDITY, f32, much_validity, 0),
    DO(PROBE_VALIDITY, f32, negative_validity, 0),
    DO(PROBE_SHADOW, f32, much_shadow, 0),
    DO(PROBE_NEGATIVE, f32, negative_light, 0),
    DO(PROBE_NEGATIVE, f32, negative_and_invalid, 0),
    DO(PROBE_DIRECTION, f32, too_directed, 0),
    DO(PROBE_RINGING, f32, strong_sun, 0),
    DO(PROBE_BORDER, f32, other_border, 0),
    DO(PROBE_BORDER, f16, f16_border, 0),
    DO(PROBE_SEAM, f32, seam, F(PROBE_BORDER)),
    DO(PROBE_SEAM, f32, seam_of_shadow, F(PROBE_BORDER)),
};

const size_t bad_probe_count = sizeof bad_probes / sizeof bad_probes[0];

struct test_probes bad_probe_make(const struct bad_probe *bad)
{
    struct test_probes file = test_probes_make(bad->desc);
    if (bad->spoil) {
        bad->spoil(&file);
    } else {
        uint8_t *p = file.data + test_probes_at(&file, bad->base, bad->index) + bad->offset;
        for (uint32_t i = 0; i < bad->width; i++)
            p[i] = (uint8_t)(bad->value >> 8 * i);
    }
    if (!bad->unrepaired)
        test_probes_repair(&file);
    return file;
}
