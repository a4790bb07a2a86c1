/* What a 16-byte record means, and the rules that every one of a chunk keeps. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../core/limits.h"
#include "../core/text.h"
#include "read.h"

static const double pi = 3.14159265358979323846;

void vxb_grass_decode(const struct vxb_grass_header *header, const struct vxb_grass_chunk *chunk,
                      const uint8_t record[VXB_GRASS_RECORD_BYTES], struct vxb_blade *out)
{
    struct vxbi_record r;
    double size = (double)header->cell_size;
    vxbi_record_get(record, &r);
    out->x = chunk->cell_x * size + (r.x + 0.5) * size / 65536.0;
    out->z = chunk->cell_z * size + (r.z + 0.5) * size / 65536.0;
    out->y = (double)chunk->min_y + r.y * ((double)chunk->max_y - (double)chunk->min_y) / 65535.0;
    out->yaw = r.yaw * 2.0 * pi / 65536.0;
    out->scale = (double)vxbi_f16_value(r.scale);
    double up[3] = {r.ox, 127 - abs(r.ox) - abs(r.oz), r.oz};
    double length = sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    for (int i = 0; i < 3; i++)
        out->up[i] = up[i] / length;
    out->tint = (r.tint + 0.5) / 256.0;
    out->phase = r.phase * 2.0 * pi / 256.0;
    out->rank = r.rank / 65536.0;
    out->rank_code = r.rank;
}

struct place {
    const struct vxb_grass *grass;
    const struct vxb_grass_chunk *chunk;
    uint32_t index; /* of the chunk */
    struct vxbi_collect *collect;
};

static const char *pointer(const struct place *p, uint32_t blade, const char *field)
{
    return vxbi_pointer(p->collect, "/chunks/%" PRIu32 "/blades/%" PRIu32 "/%s", p->index, blade, field);
}

#define AT(field) VXBI_AT(grass_record, field)

/* A blade's field in the file; of a compressed one, where its frame starts. */
static uint64_t offset(const struct place *p, uint32_t blade, size_t field)
{
    if (p->grass->header.flags & VXB_GRASS_ZSTD)
        return p->chunk->data_offset;
    return p->chunk->data_offset + (uint64_t)blade * VXB_GRASS_RECORD_BYTES + field;
}

static void check_scale(const struct place *p, uint32_t blade, uint16_t code)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    float scale = vxbi_f16_value(code);
    if (!(scale > 0.0f && isfinite(scale)))
        vxbi_found(p->collect, VXB_FINDING_BLADE_SCALE, offset(p, blade, AT(scale)), pointer(p, blade, "scale"),
                   "the scale is %s (0x%04x); it is finite and positive", vxb_text_f32(scale, text), code);
    else if ((double)scale < VXBI_SCALE_MIN || (double)scale > VXBI_SCALE_MAX)
        vxbi_found(p->collect, VXB_FINDING_BLADE_SCALE_LIMIT, offset(p, blade, AT(scale)), pointer(p, blade, "scale"),
                   "the scale is %s; allowed is 2^-10 to 2^10", vxb_text_f32(scale, text));
}

static void check_up(const struct place *p, uint32_t blade, int8_t ox, int8_t oz)
{
    if (ox == -128 || oz == -128)
        vxbi_found(p->collect, VXB_FINDING_BLADE_UP_CODE, offset(p, blade, AT(ox)), pointer(p, blade, "up"),
                   "the up direction is (%d, %d); -128 has no meaning", ox, oz);
    else if (abs(ox) + abs(oz) > 127)
        vxbi_found(p->collect, VXB_FINDING_BLADE_UP_SUM, offset(p, blade, AT(ox)), pointer(p, blade, "up"),
                   "the up direction is (%d, %d); their sizes sum to at most 127", ox, oz);
}

static void check_rank(const struct place *p, uint32_t blade, uint16_t rank, uint16_t before)
{
    uint16_t limit = p->grass->sections[p->chunk->section].rank_limit;
    if (rank < before)
        vxbi_found(p->collect, VXB_FINDING_BLADE_RANK_ORDER, offset(p, blade, AT(rank)), pointer(p, blade, "rank"),
                   "rank %u stands after %u; ranks ascend within a chunk", rank, before);
    if (rank > limit)
        vxbi_found(p->collect, VXB_FINDING_BLADE_RANK_LIMIT, offset(p, blade, AT(rank)), pointer(p, blade, "rank"),
                   "the rank is %u, above the section's limit of %u", rank, limit);
}

/* The codes of VXBI_SCALE_MIN and VXBI_SCALE_MAX; codes ascend as the positive values do. */
enum { SCALE_LOW = 0x1400, SCALE_HIGH = 0x6400 };

/* Whether every blade keeps every rule, and the largest scale's code; without a branch for a blade, since nearly always
 * all do. What is wrong with one that does not is told by check_each(). */
static bool all_right(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk, const uint8_t *records,
                      uint16_t *largest)
{
    const uint32_t limit = grass->sections[chunk->section].rank_limit;
    const uint32_t heights = chunk->max_y == chunk->min_y ? 0xFFFF : 0;
    uint32_t before = 0, wrong = 0, most = 0;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        struct vxbi_record r;
        vxbi_record_get(records + (size_t)i * VXB_GRASS_RECORD_BYTES, &r);
        wrong |= (uint32_t)r.scale - SCALE_LOW > SCALE_HIGH - SCALE_LOW;
        wrong |= abs(r.ox) + abs(r.oz) > 127;
        wrong |= r.rank < before;
        wrong |= r.y & heights;
        most = r.scale > most ? r.scale : most;
        before = r.rank;
    }
    *largest = (uint16_t)most;
    return !wrong && before <= limit;
}

/* Blade by blade; returns the largest scale. */
static float check_each(const struct place *place, const uint8_t *records)
{
    const struct vxb_grass_chunk *chunk = place->chunk;
    bool flat = chunk->max_y == chunk->min_y;
    uint16_t before = 0;
    float largest = 0.0f;
    for (uint32_t i = 0; i < chunk->blade_count && !place->collect->stopped; i++) {
        struct vxbi_record r;
        vxbi_record_get(records + (size_t)i * VXB_GRASS_RECORD_BYTES, &r);
        float scale = vxbi_f16_value(r.scale);
        largest = scale > largest ? scale : largest;
        check_scale(place, i, r.scale);
        check_up(place, i, r.ox, r.oz);
        check_rank(place, i, r.rank, before);
        if (flat && r.y != 0)
            vxbi_found(place->collect, VXB_FINDING_BLADE_FLAT_HEIGHT, offset(place, i, AT(y)), pointer(place, i, "y"),
                       "the height code is %u, but the chunk's heights are equal: it is 0", r.y);
        before = r.rank;
    }
    return largest;
}

/* Where format 1 was read, the lowest blade made the minimum and the highest the maximum. */
static void check_legacy_heights(const struct place *place, const uint8_t *records)
{
    const struct vxb_grass_chunk *chunk = place->chunk;
    char text[2][VXB_TEXT_NUMBER_ROOM];
    uint16_t low = UINT16_MAX, high = 0;
    if (place->grass->header.bake_revision != 0 || !(chunk->min_y < chunk->max_y))
        return;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        const uint16_t y = vxbi_load_u16(records + (size_t)i * VXB_GRASS_RECORD_BYTES + AT(y));
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    if (low != 0 || high != UINT16_MAX)
        vxbi_found(place->collect, VXB_FINDING_CHUNK_LEGACY_HEIGHTS,
                   place->grass->layout.chunks + (uint64_t)place->index * VXB_GRASS_CHUNK_BYTES +
                       VXBI_AT(grass_chunk, min_y),
                   vxbi_pointer(place->collect, "/chunks/%" PRIu32 "/min_y", place->index),
                   "the heights are %s to %s, and the blades' codes reach from %u to %u, not from 0 to 65535: in a "
                   "field made from format 1 the heights are those of the blades", vxb_text_f32(chunk->min_y, text[0]),
                   vxb_text_f32(chunk->max_y, text[1]), low, high);
}

void vxbi_grass_check_records(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                              const uint8_t *records, struct vxbi_collect *collect)
{
    const struct place place = {grass, chunk, index, collect};
    uint16_t code;
    float largest = all_right(grass, chunk, records, &code) ? vxbi_f16_value(code) : check_each(&place, records);
    char a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    if (!collect->stopped)
        check_legacy_heights(&place, records);
    if (!collect->stopped && chunk->max_scale != largest)
        vxbi_found(collect, VXB_FINDING_CHUNK_MAX_SCALE,
                   grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES +
                       VXBI_AT(grass_chunk, max_scale),
                   vxbi_pointer(collect, "/chunks/%" PRIu32 "/max_scale", index),
                   "the largest scale is %s, the blades' is %s", vxb_text_f32(chunk->max_scale, a),
                   vxb_text_f32(largest, b));
}
