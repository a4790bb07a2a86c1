/* The hex view of a KTX2 file's keys and values: a length, a key with its terminator, a value, zeros up to four bytes;
 * and what a sample's bounds mean. */
#include <string.h>

#include "../core/env.h"
#include "hex.h"

enum { SHOWN = 255, KHR_DF_FLOAT = 0x80 };

void vxbi_hex_sample(const uint8_t *bytes, char texts[2][VXB_TEXT_NUMBER_ROOM], const char *meanings[])
{
    const uint32_t lower = vxbi_ktx2_sample_structure.count - 2;
    if (!(bytes[VXBI_AT(ktx2_sample, channelType)] & KHR_DF_FLOAT))
        return;
    meanings[lower] = vxb_text_f32(vxbi_load_f32(bytes + VXBI_AT(ktx2_sample, sampleLower)), texts[0]);
    meanings[lower + 1] = vxb_text_f32(vxbi_load_f32(bytes + VXBI_AT(ktx2_sample, sampleUpper)), texts[1]);
}

/* Of an entry of size bytes at offset, whose first got are in bytes, terminated: the key, then the value. */
static enum vxb_status entry_rows(struct vxbi_hex *hex, uint64_t index, uint64_t offset, uint32_t size,
                                  const uint8_t *bytes, size_t got, struct vxb_error *err)
{
    const uint8_t *end = memchr(bytes, 0, got);
    const size_t key = end ? (size_t)(end - bytes) + 1 : got, value = got - key;
    char text[SHOWN + 1];
    struct vxbi_hex_row row = {.structure = "key", .field = "key", .type = "utf-8", .index = index, .offset = offset,
                               .bytes = bytes, .got = key, .value = vxbi_cell_text((const char *)bytes),
                               .damage = end ? NULL : "the key has no terminator within what is shown"};
    enum vxb_status status = vxbi_hex_row(hex, &row, err);
    if (status != VXB_OK || value == 0)
        return status;
    memcpy(text, bytes + key, value);
    text[value] = 0;
    const bool terminated = strlen(text) + 1 == value && got == size;
    row = (struct vxbi_hex_row){.structure = "key", .field = "value", .type = "bytes", .index = index,
                                .offset = offset + key, .bytes = bytes + key, .got = value,
                                .value = vxbi_cell_text(terminated ? text : NULL),
                                .meaning = got < size ? "cut here" : NULL};
    return vxbi_hex_row(hex, &row, err);
}

static enum vxb_status length_row(struct vxbi_hex *hex, uint64_t index, uint64_t offset, const uint8_t *length,
                                  size_t got, bool cut, struct vxb_error *err)
{
    char damage[VXBI_HEX_DAMAGE_ROOM];
    struct vxbi_hex_row row = {.structure = "key", .field = "keyAndValueByteLength", .type = "u32", .index = index,
                               .offset = offset, .bytes = length, .got = got,
                               .damage = vxbi_hex_damage(hex, offset, 4, damage)};
    if (!row.damage && cut)
        row.damage = "the key/value data ends before the entry does";
    if (got == 4)
        row.value = vxbi_cell_u64(vxbi_load_u32(length));
    hex->report->cut = hex->report->cut || cut;
    hex->report->shown++;
    return vxbi_hex_row(hex, &row, err);
}

static enum vxb_status padding_row(struct vxbi_hex *hex, uint64_t index, uint64_t from, uint64_t to,
                                   struct vxb_error *err)
{
    uint8_t bytes[4];
    size_t got;
    enum vxb_status status = vxbi_loose_read(hex->loose, from, bytes, (size_t)(to - from), &got, err);
    const struct vxbi_hex_row row = {.structure = "key", .field = "valuePadding", .type = "zeros", .index = index,
                                     .offset = from, .bytes = bytes, .got = got};
    return status == VXB_OK ? vxbi_hex_row(hex, &row, err) : status;
}

/* The entry at *at; *at moves to the next. */
static enum vxb_status entry(struct vxbi_hex *hex, uint64_t index, uint64_t *at, uint64_t end, bool shown,
                             struct vxb_error *err)
{
    uint8_t length[4], bytes[SHOWN + 1];
    const uint64_t offset = *at, left = end - offset;
    size_t got, there;
    enum vxb_status status = vxbi_loose_read(hex->loose, offset, length, left < 4 ? (size_t)left : 4, &got, err);
    const uint32_t size = status == VXB_OK && got == 4 ? vxbi_load_u32(length) : 0;
    const bool cut = got < 4 || size > left - 4;
    const uint64_t whole = cut ? left - got : size, padded = vxbi_align_up(whole, 4);
    *at = cut ? end : offset + 4 + padded;
    if (status != VXB_OK || !shown)
        return status;
    status = length_row(hex, index, offset, length, got, cut, err);
    if (status == VXB_OK && whole)
        status = vxbi_loose_read(hex->loose, offset + 4, bytes, whole < SHOWN ? (size_t)whole : SHOWN, &there, err);
    if (status != VXB_OK || !whole)
        return status;
    bytes[there] = 0;
    status = entry_rows(hex, index, offset + 4, size, bytes, there, err);
    if (status == VXB_OK && !cut && padded > whole && offset + 4 + whole < end)
        status = padding_row(hex, index, offset + 4 + whole, *at < end ? *at : end, err);
    return status;
}

enum vxb_status vxbi_hex_keys(struct vxbi_hex *hex, struct vxb_error *err)
{
    const struct vxb_raw_options *options = hex->options;
    const uint8_t *head = hex->loose->head;
    const uint64_t file_bytes = hex->loose->grass->size;
    uint64_t at = options->has_at ? options->at : vxbi_load_u32(head + VXBI_AT(ktx2_header, kvdByteOffset));
    uint64_t end = options->has_at ? file_bytes : at + vxbi_load_u32(head + VXBI_AT(ktx2_header, kvdByteLength));
    uint64_t index = options->has_at && options->has_range ? options->first : 0;
    enum vxb_status status = VXB_OK;
    if (end > file_bytes) {
        hex->report->cut = true;
        end = file_bytes;
    }
    for (; at < end && status == VXB_OK; index++) {
        if (options->has_range ? index > options->last : options->has_at && index > 0)
            break;
        if (vxbi_cancelled(hex->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = entry(hex, index, &at, end, vxbi_hex_wanted(hex, index), err);
    }
    return status == VXB_OK ? vxbi_hex_none(hex, err) : status;
}
