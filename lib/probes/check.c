/* The rules of a .vxp header. What passes has counts that can be multiplied and tables inside the file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../core/limits.h"
#include "../core/text.h"
#include "read.h"

bool vxbi_probe_begins(const uint8_t *start, size_t size)
{
    return size >= 4 && memcmp(start, vxbi_probe_magic, 4) == 0;
}

/* Why a file does not begin as an irradiance field does. */
static bool check_start(const struct vxb_probe_file *file, const uint8_t *start, size_t size, struct vxbi_collect *c)
{
    char bytes[3 * 8 + 1] = "";
    const size_t common = size < sizeof vxbi_probe_magic ? size : sizeof vxbi_probe_magic;
    if (common == sizeof vxbi_probe_magic && memcmp(start, vxbi_probe_magic, common) == 0)
        return true;
    if (size == 0) {
        vxbi_found(c, VXB_FINDING_EMPTY_FILE, 0, "", "the file is empty");
        return false;
    }
    if (size < sizeof vxbi_probe_magic && memcmp(start, vxbi_probe_magic, common) == 0) {
        vxbi_found(c, VXB_FINDING_PROBE_HEADER_CUT, file->size, "/header",
                   "the file ends after %" PRIu64 " bytes; an irradiance field's header has 128", file->size);
        return false;
    }
    for (size_t i = 0; i < common; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, i + 1 < common ? "%02X " : "%02X", start[i]);
    if (vxbi_probe_begins(start, size))
        vxbi_found(c, VXB_FINDING_PROBE_MAGIC, 4, "/header/magic",
                   "this was an irradiance field: it starts with %s, not 89 56 58 50 0D 0A 1A 0A; a copy in text mode "
                   "changes line ends like this: copy it again in binary mode", bytes);
    else
        vxbi_found(c, VXB_FINDING_PROBE_MAGIC, 0, "/header/magic",
                   "this is not an irradiance field: it starts with %s, one with 89 56 58 50 0D 0A 1A 0A", bytes);
    return false;
}

static void check_flags(const struct vxb_probe_header *h, uint32_t reserved, struct vxbi_collect *c)
{
    if (h->flags & ~(VXB_PROBE_ZSTD | VXB_PROBE_INEXACT))
        vxbi_found(c, VXB_FINDING_PROBE_FLAGS, VXBI_AT(probe_header, flags), "/header/flags",
                   "flags are 0x%04x; only bits 0 and 2 have a meaning", h->flags);
    if (h->flags & VXB_PROBE_INEXACT)
        vxbi_found(c, VXB_FINDING_PROBE_INEXACT, VXBI_AT(probe_header, flags), "/header/flags",
                   "the field was baked on an inexact device: its recipe need not give these bytes elsewhere");
    if (reserved)
        vxbi_found(c, VXB_FINDING_PROBE_RESERVED, VXBI_AT(probe_header, reserved), "/header",
                   "bytes 84 to 87 and 112 to 119 are reserved and zero; here they are not");
}

/* Three counts, each least 1 and at most each, at most all together. */
static bool check_grid(const uint32_t v[3], uint32_t each, uint32_t all, enum vxb_finding finding, uint64_t offset,
                       const char *pointer, const char *what, struct vxbi_collect *c)
{
    bool good = true;
    for (int i = 0; i < 3; i++)
        good = good && v[i] >= 1 && v[i] <= each;
    /* Each is below 2^21 by now, so the product fits. */
    if (good && (uint64_t)v[0] * v[1] * v[2] <= all)
        return true;
    vxbi_found(c, finding, offset, pointer,
               "there are %" PRIu32 " x %" PRIu32 " x %" PRIu32 " %s; allowed are 1 to %" PRIu32 " along each axis "
               "and %" PRIu32 " in all", v[0], v[1], v[2], what, each, all);
    return false;
}

static bool check_bounds(const struct vxb_probe_header *h, struct vxbi_collect *c)
{
    static const char *const axes[3] = {"x", "y", "z"};
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    bool good = true;
    for (unsigned i = 0; i < 3; i++) {
        const double a = (double)h->bounds_min[i], b = (double)h->bounds_max[i];
        /* A NaN fails every comparison. */
        if (a >= -VXBI_WORLD_M && b <= VXBI_WORLD_M && a < b && (b - a) / h->cells[i] >= VXB_PROBE_CELL_MIN_M)
            continue;
        vxbi_found(c, VXB_FINDING_PROBE_BOUNDS, VXBI_AT(probe_header, bounds_min) + 4 * i,
                   vxbi_pointer(c, "/header/bounds_min/%u", i),
                   "the bounds along %s are %s to %s, divided into %" PRIu32 " cells; they ascend within 1048576 m, "
                   "and a cell has at least 0.0009765625 m", axes[i], vxb_text_f32(h->bounds_min[i], low),
                   vxb_text_f32(h->bounds_max[i], high), h->cells[i]);
        good = false;
    }
    return good;
}

static bool check_counts(const struct vxb_probe_header *h, struct vxbi_collect *c)
{
    const bool cells = check_grid(h->cells, VXB_PROBE_CELLS_AXIS_MAX, VXB_PROBE_CELLS_MAX, VXB_FINDING_PROBE_CELLS,
                                  VXBI_AT(probe_header, cells), "/header/cells", "cells", c);
    const bool slots = check_grid(h->slots, VXB_PROBE_SLOTS_MAX, VXB_PROBE_SLOTS_MAX, VXB_FINDING_PROBE_SLOTS,
                                  VXBI_AT(probe_header, slots), "/header/slots", "slots", c);
    bool good = cells && slots && check_bounds(h, c);
    if (h->encoding > VXB_PROBE_F16) {
        vxbi_found(c, VXB_FINDING_PROBE_ENCODING, VXBI_AT(probe_header, encoding), "/header/encoding",
                   "the encoding is %" PRIu32 "; this version reads 0 (f32) and 1 (f16)", h->encoding);
        good = false;
    }
    if (!slots)
        return false;
    const uint64_t capacity = vxbi_probe_texels(h->slots) / VXB_BRICK_TEXELS;
    if (h->brick_count > capacity) {
        vxbi_found(c, VXB_FINDING_PROBE_BRICK_COUNT, VXBI_AT(probe_header, brick_count), "/header/brick_count",
                   "there are %" PRIu32 " bricks and %" PRIu64 " slots for them", h->brick_count, capacity);
        return false;
    }
    return good;
}

static void check_size(const struct vxb_probe_file *file, struct vxbi_collect *c)
{
    const struct vxb_probe_header *h = &file->header;
    if (file->size < h->file_bytes)
        vxbi_found(c, VXB_FINDING_PROBE_FILE_CUT, VXBI_AT(probe_header, file_bytes), "/header/file_bytes",
                   "the file is cut: it has %" PRIu64 " bytes, its header says %" PRIu64, file->size, h->file_bytes);
    else if (file->size > h->file_bytes)
        vxbi_found(c, VXB_FINDING_PROBE_FILE_LONGER, VXBI_AT(probe_header, file_bytes), "/header/file_bytes",
                   "the file has %" PRIu64 " bytes, its header says %" PRIu64, file->size, h->file_bytes);
}

static void check_hash(const struct vxb_probe_header *h, const uint8_t bytes[VXB_PROBE_HEADER_BYTES],
                       struct vxbi_collect *c)
{
    uint8_t zeroed[VXB_PROBE_HEADER_BYTES];
    memcpy(zeroed, bytes, sizeof zeroed);
    memset(zeroed + VXBI_AT(probe_header, header_hash), 0, 8);
    const uint64_t hash = vxbi_hash(zeroed, sizeof zeroed);
    if (hash != h->header_hash)
        vxbi_found(c, VXB_FINDING_PROBE_HEADER_HASH, VXBI_AT(probe_header, header_hash), "/header/header_hash",
                   "the header hash is 0x%016" PRIx64 ", the header's bytes give 0x%016" PRIx64
                   ": the header was damaged after it was written", h->header_hash, hash);
}

bool vxbi_probe_check_header(struct vxb_probe_file *file, const uint8_t *bytes, size_t size, struct vxbi_collect *c)
{
    struct vxb_probe_header *h = &file->header;
    struct vxbi_reader r = {.data = bytes, .size = size};
    uint32_t reserved;
    if (!check_start(file, bytes, size, c))
        return false;
    if (size < VXB_PROBE_HEADER_BYTES) {
        vxbi_found(c, VXB_FINDING_PROBE_HEADER_CUT, file->size, "/header",
                   "the file ends after %" PRIu64 " bytes; an irradiance field's header has 128", file->size);
        return false;
    }
    vxbi_probe_get_header(&r, h, &reserved);
    if (h->format != VXB_PROBE_FORMAT) {
        vxbi_found(c, VXB_FINDING_PROBE_VERSION, VXBI_AT(probe_header, format), "/header/format",
                   "format %" PRIu32 " is not read by this version, which reads 1", h->format);
        return false;
    }
    file->known = VXBI_PROBE_HEADER;
    check_hash(h, bytes, c);
    if (h->header_bytes != VXB_PROBE_HEADER_BYTES)
        vxbi_found(c, VXB_FINDING_PROBE_HEADER_BYTES, VXBI_AT(probe_header, header_bytes), "/header/header_bytes",
                   "the header size is %" PRIu32 "; format 1 has 128", h->header_bytes);
    check_size(file, c);
    check_flags(h, reserved, c);
    if (h->bake_revision == 0)
        vxbi_found(c, VXB_FINDING_PROBE_REVISION, VXBI_AT(probe_header, bake_revision), "/header/bake_revision",
                   "the bake revision is 0; the first is 1");
    if (!check_counts(h, c))
        return false;
    file->known = VXBI_PROBE_GRID;
    vxbi_probe_layout(h->brick_count, &file->layout);
    if (file->layout.data > file->size) {
        vxbi_found(c, VXB_FINDING_PROBE_TABLES_OUTSIDE, VXBI_AT(probe_header, brick_count), "/header/brick_count",
                   "the tables end at byte %" PRIu64 ", the file has %" PRIu64, file->layout.data, file->size);
        return false;
    }
    return true;
}
