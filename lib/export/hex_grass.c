/* The hex view of what has no fixed place in a grass file: strings, and blades, which may be compressed. */
#include <inttypes.h>

#include "../core/env.h"
#include "../core/text.h"
#include "hex.h"

/* ---- strings ---- */

static enum vxb_status string_rows(struct vxbi_hex *hex, uint64_t index, uint64_t offset, const uint8_t length[2],
                                   size_t length_bytes, uint64_t end, struct vxb_error *err)
{
    uint8_t text[VXB_NAME_MAX_BYTES + 1];
    char damage[VXBI_HEX_DAMAGE_ROOM];
    const uint64_t size = length_bytes == 2 ? vxbi_load_u16(length) : 0, left = end - offset - length_bytes;
    const uint64_t there = size < left ? size : left;
    const size_t most = there < VXB_NAME_MAX_BYTES ? (size_t)there : VXB_NAME_MAX_BYTES;
    size_t got;
    enum vxb_status status = vxbi_loose_read(hex->loose, offset + 2, text, most, &got, err);
    struct vxbi_hex_row row = {.structure = "string", .field = "length", .type = "u16", .index = index,
                               .offset = offset, .bytes = length, .got = length_bytes};
    if (status != VXB_OK)
        return status;
    if (length_bytes == 2)
        row.value = vxbi_cell_u64(size);
    row.damage = vxbi_hex_damage(hex, offset, 2 + size, damage);
    if (length_bytes < 2 || size > left) {
        hex->report->cut = true;
        row.damage = row.damage ? row.damage : "the string table ends before the string does";
    }
    hex->report->shown++;
    status = vxbi_hex_row(hex, &row, err);
    if (status != VXB_OK || size == 0)
        return status;
    text[got] = 0;
    if (got < there && got < VXB_NAME_MAX_BYTES)
        hex->report->cut = true;
    row = (struct vxbi_hex_row){.structure = "string", .field = "text", .type = "utf-8", .index = index,
                                .offset = offset + 2, .bytes = text, .got = got,
                                .value = vxbi_cell_text((const char *)text),
                                .meaning = there > VXB_NAME_MAX_BYTES ? "cut here" : NULL};
    return vxbi_hex_row(hex, &row, err);
}

static enum vxb_status padding_row(struct vxbi_hex *hex, uint64_t from, uint64_t to, struct vxb_error *err)
{
    uint8_t bytes[8];
    char damage[VXBI_HEX_DAMAGE_ROOM];
    size_t got;
    enum vxb_status status = vxbi_loose_read(hex->loose, from, bytes, (size_t)(to - from), &got, err);
    const struct vxbi_hex_row row = {.structure = "string", .field = "padding", .type = "zeros", .index = UINT64_MAX,
                                     .offset = from, .bytes = bytes, .got = got,
                                     .damage = vxbi_hex_damage(hex, from, to - from, damage)};
    return status == VXB_OK ? vxbi_hex_row(hex, &row, err) : status;
}

enum vxb_status vxbi_hex_strings(struct vxbi_hex *hex, struct vxb_error *err)
{
    const struct vxb_raw_options *options = hex->options;
    const uint64_t file_bytes = hex->loose->grass->size;
    uint64_t at = options->has_at ? options->at : hex->layout.strings;
    uint64_t index = options->has_at && options->has_range ? options->first : 0;
    uint64_t end = options->has_at ? file_bytes : hex->layout.strings + hex->header.string_bytes;
    enum vxb_status status = VXB_OK;
    if (end > file_bytes) {
        hex->report->cut = true;
        end = file_bytes;
    }
    for (; at < end && status == VXB_OK; index++) {
        uint8_t length[2];
        size_t got;
        if (options->has_range ? index > options->last : options->has_at && index > 0)
            return VXB_OK;
        if (vxbi_cancelled(hex->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = vxbi_loose_read(hex->loose, at, length, end - at < 2 ? 1 : 2, &got, err);
        if (status == VXB_OK && vxbi_hex_wanted(hex, index))
            status = string_rows(hex, index, at, length, got, end, err);
        at += got == 2 ? 2u + vxbi_load_u16(length) : 2u;
    }
    if (status == VXB_OK && !options->has_range && !options->has_at && at == end && end < hex->layout.chunks)
        status = padding_row(hex, end, hex->layout.chunks, err);
    return status == VXB_OK ? vxbi_hex_none(hex, err) : status;
}

/* ---- blades ---- */

/* Which fields mean something other than their value, in the record's order. */
static enum vxb_status blade_rows(struct vxbi_hex *hex, const struct vxb_grass_chunk *chunk, uint32_t blade,
                                  uint64_t offset, const uint8_t *bytes, size_t got, struct vxb_error *err)
{
    enum { FIELDS = 10, SCALE = 4 };
    char texts[FIELDS][VXB_TEXT_NUMBER_ROOM];
    const char *meanings[FIELDS] = {NULL};
    if (got == VXB_GRASS_RECORD_BYTES) {
        struct vxb_blade b;
        vxb_grass_decode(&hex->header, chunk, bytes, &b);
        const double values[FIELDS] = {b.x, b.z, b.y, b.yaw, b.scale, b.up[0], b.up[2], b.tint, b.phase, b.rank};
        for (int i = 0; i < FIELDS; i++)
            if (i != SCALE)
                meanings[i] = i < 3 || i == 9 ? vxb_text_f64(values[i], texts[i])
                                              : vxb_text_f32((float)values[i], texts[i]);
    }
    const struct vxbi_hex_fields fields = {.structure = &vxbi_grass_record_structure,
                                           .index = (uint64_t)chunk->first_blade + blade, .offset = offset,
                                           .bytes = bytes, .got = got, .meanings = meanings, .blade = &blade};
    return vxbi_hex_fields(hex, &fields, err);
}

/* A chunk whose records can't be had: what is known of why. */
static enum vxb_status unreadable(struct vxbi_hex *hex, uint32_t index, const struct vxb_grass_chunk *chunk,
                                  struct vxb_error *err)
{
    const struct vxbi_hex_row row = {
        .structure = "chunk", .field = "data", .index = index, .offset = chunk->data_offset,
        .damage = hex->damage.count ? hex->damage.rows[0].text : "its entry or the tables are damaged: see chunk's"};
    hex->report->cut = true;
    return vxbi_hex_row(hex, &row, err);
}

/* Blades from to to - 1 of a raw chunk, straight from the file: as far as it goes, whatever the entry says. */
static enum vxb_status blades_of_file(struct vxbi_hex *hex, const struct vxb_grass_chunk *chunk, uint32_t from,
                                      uint32_t to, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t i = from; i < to && status == VXB_OK; i++) {
        uint8_t bytes[VXB_GRASS_RECORD_BYTES];
        uint64_t offset;
        size_t got = 0;
        if (!vxbi_add_u64(chunk->data_offset, (uint64_t)i * VXB_GRASS_RECORD_BYTES, &offset) ||
            offset >= hex->loose->grass->size) {
            hex->report->cut = true;
            return VXB_OK;
        }
        status = vxbi_loose_read(hex->loose, offset, bytes, sizeof bytes, &got, err);
        if (status == VXB_OK)
            status = blade_rows(hex, chunk, i, offset, bytes, got, err);
    }
    return status;
}

/* Where memory does not allow a chunk to be checked, its blades are shown unchecked. */
static enum vxb_status fetch_or_leave(const struct vxbi_hex *hex, uint32_t index, struct vxb_grass_chunk *chunk,
                                      struct vxbi_loose_records *records, struct vxbi_collect *collect, bool *usable,
                                      struct vxb_error *err)
{
    struct vxb_error why = {0};
    const enum vxb_status status = vxbi_loose_fetch(hex->loose, index, chunk, records, collect, usable, &why);
    if (status == VXB_OK || status == VXB_ERR_LIMIT)
        return VXB_OK;
    if (err && err->status == VXB_OK)
        *err = why;
    return status;
}

static enum vxb_status blades_of_chunk(struct vxbi_hex *hex, uint32_t index, struct vxb_grass_chunk *chunk,
                                       struct vxbi_loose_records *records, struct vxb_error *err)
{
    const struct vxb_raw_options *options = hex->options;
    const bool packed = (hex->header.flags & VXB_GRASS_ZSTD) != 0;
    struct vxbi_collect collect = {.add = vxbi_damage_add, .user = &hex->damage};
    const uint64_t before = chunk->first_blade, end = before + chunk->blade_count;
    const uint64_t first = options->has_range && options->first > before ? options->first : before;
    const uint64_t last = options->has_range && options->last < end ? options->last + 1 : end;
    bool usable;
    if (first >= last)
        return VXB_OK;
    hex->damage.count = 0;
    hex->damage.to = UINT64_MAX;
    enum vxb_status status = packed ? vxbi_loose_fetch(hex->loose, index, chunk, records, &collect, &usable, err)
                                    : fetch_or_leave(hex, index, chunk, records, &collect, &usable, err);
    if (status != VXB_OK)
        return status;
    if (!packed)
        return blades_of_file(hex, chunk, (uint32_t)(first - before), (uint32_t)(last - before), err);
    if (!usable)
        return unreadable(hex, index, chunk, err);
    for (uint64_t i = first - before; i < last - before && status == VXB_OK; i++)
        status = blade_rows(hex, chunk, (uint32_t)i, VXBI_NO_OFFSET,
                            records->data + (size_t)i * VXB_GRASS_RECORD_BYTES, VXB_GRASS_RECORD_BYTES, err);
    return status;
}

/* Chunks as they stand in the table; its order may be wrong, so each is looked at. */
enum vxb_status vxbi_hex_blades(struct vxbi_hex *hex, struct vxb_error *err)
{
    struct vxbi_loose_records records = {0};
    enum vxb_status status = VXB_OK;
    for (uint32_t i = 0; i < hex->header.chunk_count && status == VXB_OK; i++) {
        uint8_t bytes[VXB_GRASS_CHUNK_BYTES];
        struct vxb_grass_chunk chunk;
        uint32_t reserved;
        size_t got;
        status = vxbi_loose_read(hex->loose, hex->layout.chunks + (uint64_t)i * VXB_GRASS_CHUNK_BYTES, bytes,
                                 sizeof bytes, &got, err);
        if (status == VXB_OK && vxbi_cancelled(hex->env))
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        if (status == VXB_OK && got < sizeof bytes) {
            hex->report->cut = true;
            break;
        }
        struct vxbi_reader r = {.data = bytes, .size = sizeof bytes};
        vxbi_grass_get_chunk(&r, &chunk, &reserved);
        if (status == VXB_OK)
            status = blades_of_chunk(hex, i, &chunk, &records, err);
    }
    if (status == VXB_OK)
        status = vxbi_hex_none(hex, err);
    vxbi_loose_records_clear(hex->loose, &records);
    return status;
}

enum vxb_status vxbi_hex_check_legacy(struct vxbi_hex *hex, struct vxb_error *err)
{
    const struct vxb_grass *grass = hex->loose->grass;
    struct vxbi_loose_records records = {0};
    struct vxbi_collect collect = {.add = vxbi_damage_add, .user = &hex->damage};
    enum vxb_status status = VXB_OK;
    if (grass->known < VXBI_GRASS_SECTIONS || grass->header.format != 1)
        return VXB_OK;
    for (uint32_t i = 0; i < grass->header.chunk_count && status == VXB_OK; i++) {
        struct vxb_grass_chunk chunk;
        bool usable;
        if (vxbi_cancelled(hex->env))
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        else
            status = vxbi_grass_entries(grass, i, 1, &chunk, NULL, NULL, err);
        if (status == VXB_OK && chunk.data_offset < hex->damage.to &&
            chunk.data_offset + chunk.data_bytes > hex->damage.from)
            status = fetch_or_leave(hex, i, &chunk, &records, &collect, &usable, err);
    }
    vxbi_loose_records_clear(hex->loose, &records);
    return status;
}
