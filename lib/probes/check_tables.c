/* The rules of a .vxp's tables: bricks that cover each cell once and own a slot each, planes that follow one another.
 * What marks take is bounded by the grid: a brick that meets a covered cell ends the test for overlap. */
#include <inttypes.h>

#include "../core/frame.h"
#include "read.h"

/* ---- bricks ---- */

struct bricks {
    const struct vxb_probe_file *file;
    struct vxbi_collect *collect;
    uint64_t cell_bytes, slot_bytes;
    uint8_t *cells, *slots; /* a bit each */
    bool overlap;           /* found already */
    bool good;
};

static uint64_t offset_of(const struct bricks *b, uint32_t index)
{
    return b->file->layout.bricks + (uint64_t)index * VXB_PROBE_BRICK_BYTES;
}

static bool mark(uint8_t *bits, uint64_t index)
{
    const uint8_t bit = (uint8_t)(1u << (index & 7));
    const bool was = bits[index >> 3] & bit;
    bits[index >> 3] |= bit;
    return was;
}

static bool check_place(struct bricks *b, uint32_t index, const struct vxb_brick *brick)
{
    const uint32_t *cells = b->file->header.cells;
    struct vxbi_collect *c = b->collect;
    if (brick->size == 0 || brick->size > VXB_BRICK_SIZE_MAX || (brick->size & (brick->size - 1))) {
        vxbi_found(c, VXB_FINDING_PROBE_BRICK_SIZE, offset_of(b, index) + VXBI_AT(probe_brick, size),
                   vxbi_pointer(c, "/bricks/%" PRIu32 "/size", index),
                   "the size is %" PRIu32 "; allowed are powers of two, 1 to %d", brick->size, VXB_BRICK_SIZE_MAX);
        return false;
    }
    for (unsigned i = 0; i < 3; i++)
        if (brick->cell[i] >= cells[i] || brick->cell[i] % brick->size) {
            vxbi_found(c, VXB_FINDING_PROBE_BRICK_CELL, offset_of(b, index) + VXBI_AT(probe_brick, cell) + 4 * i,
                       vxbi_pointer(c, "/bricks/%" PRIu32 "/cell/%u", index, i),
                       "the brick starts at cell %" PRIu32 "; allowed are multiples of its size, %" PRIu32 ", below %"
                       PRIu32, brick->cell[i], brick->size, cells[i]);
            return false;
        }
    return true;
}

static void check_order(struct bricks *b, uint32_t index, const struct vxb_brick *before, const struct vxb_brick *brick)
{
    for (int i = 2; i >= 0; i--) {
        if (brick->cell[i] > before->cell[i])
            return;
        if (brick->cell[i] < before->cell[i])
            break;
    }
    /* Where the cells are equal the bricks overlap, which is a finding of its own. */
    if (memcmp(brick->cell, before->cell, sizeof brick->cell) == 0)
        return;
    vxbi_found(b->collect, VXB_FINDING_PROBE_BRICK_ORDER, offset_of(b, index) + VXBI_AT(probe_brick, cell),
               vxbi_pointer(b->collect, "/bricks/%" PRIu32 "/cell", index),
               "the brick at cell (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") stands behind the one at (%" PRIu32
               ", %" PRIu32 ", %" PRIu32 "); they ascend by z, then y, then x", brick->cell[0], brick->cell[1],
               brick->cell[2], before->cell[0], before->cell[1], before->cell[2]);
    b->good = false;
}

static void check_slot(struct bricks *b, uint32_t index, const struct vxb_brick *brick)
{
    const uint64_t capacity = vxbi_probe_texels(b->file->header.slots) / VXB_BRICK_TEXELS;
    const bool outside = brick->slot >= capacity;
    if (!outside && !mark(b->slots, brick->slot))
        return;
    vxbi_found(b->collect, outside ? VXB_FINDING_PROBE_BRICK_SLOT : VXB_FINDING_PROBE_BRICK_SLOT_TWICE,
               offset_of(b, index), vxbi_pointer(b->collect, "/bricks/%" PRIu32 "/slot", index),
               outside ? "the slot is %" PRIu32 "; the pool has %" PRIu64
                       : "slot %" PRIu32 " of %" PRIu64 " belongs to a brick before this one",
               brick->slot, capacity);
    b->good = false;
}

/* Marks the cells of the grid that a brick covers. */
static void check_cover(struct bricks *b, uint32_t index, const struct vxb_brick *brick)
{
    const uint32_t *cells = b->file->header.cells;
    uint32_t end[3];
    for (int i = 0; i < 3; i++)
        end[i] = cells[i] - brick->cell[i] < brick->size ? cells[i] : brick->cell[i] + brick->size;
    for (uint32_t z = brick->cell[2]; z < end[2] && !b->overlap; z++)
        for (uint32_t y = brick->cell[1]; y < end[1] && !b->overlap; y++)
            for (uint32_t x = brick->cell[0]; x < end[0]; x++) {
                if (!mark(b->cells, ((uint64_t)z * cells[1] + y) * cells[0] + x))
                    continue;
                vxbi_found(b->collect, VXB_FINDING_PROBE_BRICK_OVERLAP,
                           offset_of(b, index) + VXBI_AT(probe_brick, cell),
                           vxbi_pointer(b->collect, "/bricks/%" PRIu32, index),
                           "the brick at cell (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") of size %" PRIu32 " covers cell "
                           "(%" PRIu32 ", %" PRIu32 ", %" PRIu32 "), which a brick before it covers", brick->cell[0],
                           brick->cell[1], brick->cell[2], brick->size, x, y, z);
                b->overlap = true;
                b->good = false;
                break;
            }
}

static void check_bricks(struct bricks *b)
{
    const struct vxb_probe_file *file = b->file;
    const struct vxb_brick *before = NULL;
    for (uint32_t i = 0; i < file->header.brick_count && !b->collect->stopped; i++) {
        const struct vxb_brick *brick = &file->bricks[i];
        check_slot(b, i, brick);
        if (!check_place(b, i, brick)) {
            b->good = false;
            continue;
        }
        if (before)
            check_order(b, i, before, brick);
        if (!b->overlap)
            check_cover(b, i, brick);
        before = brick;
    }
}

/* ---- planes ---- */

static void check_plane(struct vxb_probe_file *file, uint32_t k, uint64_t end, struct vxbi_collect *c)
{
    const struct vxb_probe_header *h = &file->header;
    const struct vxb_probe_plane *plane = &file->planes[k];
    const uint64_t at = file->layout.planes + k * VXB_PROBE_PLANE_BYTES;
    const uint64_t raw = vxbi_probe_texels(h->slots) * vxbi_probe_texel_bytes(h->encoding);
    const uint64_t start = vxbi_probe_plane_start(h->flags, end);
    const bool zstd = (h->flags & VXB_PROBE_ZSTD) != 0;
    const bool right = zstd ? plane->bytes > 0 && plane->bytes >= raw / VXBI_FRAME_RATIO : plane->bytes == raw;
    const bool inside = plane->offset >= file->layout.data && plane->offset <= file->size &&
                        plane->bytes <= file->size - plane->offset;
    if (plane->offset != start)
        vxbi_found(c, VXB_FINDING_PROBE_PLANE_OFFSET, at, vxbi_pointer(c, "/planes/%" PRIu32 "/offset", k),
                   "the plane is at byte %" PRIu64 "; %s is at %" PRIu64, plane->offset,
                   zstd ? "the end of what is before it" : "the next multiple of 64 after what is before it", start);
    if (!right)
        vxbi_found(c, VXB_FINDING_PROBE_PLANE_BYTES, at + VXBI_AT(probe_plane, bytes),
                   vxbi_pointer(c, "/planes/%" PRIu32 "/bytes", k),
                   zstd ? "the plane has %" PRIu64 " bytes, too few for a zstd frame of %" PRIu64
                        : "the plane has %" PRIu64 " bytes; the texels of the pool have %" PRIu64,
                   plane->bytes, raw);
    if (!inside)
        vxbi_found(c, VXB_FINDING_PROBE_PLANE_OUTSIDE, at, vxbi_pointer(c, "/planes/%" PRIu32, k),
                   "the plane is at byte %" PRIu64 " with %" PRIu64 " bytes; planes lie between byte %" PRIu64
                   " and the end of the file at %" PRIu64, plane->offset, plane->bytes, file->layout.data, file->size);
    file->readable[k] = right && inside;
}

static void check_planes(struct vxb_probe_file *file, struct vxbi_collect *c)
{
    uint64_t end = file->layout.data;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        check_plane(file, k, end, c);
        if (!vxbi_add_u64(file->planes[k].offset, file->planes[k].bytes, &end))
            return;
    }
    if (end != file->header.file_bytes)
        vxbi_found(c, VXB_FINDING_PROBE_FILE_END, VXBI_AT(probe_header, file_bytes), "/header/file_bytes",
                   "the last plane ends at byte %" PRIu64 ", the file at %" PRIu64, end, file->header.file_bytes);
}

/* ---- hashes and padding ---- */

static void check_padding(const uint8_t *bytes, uint64_t from, uint64_t to, struct vxbi_collect *c)
{
    for (uint64_t i = from; i < to; i++)
        if (bytes[i - VXB_PROBE_HEADER_BYTES]) {
            vxbi_found(c, VXB_FINDING_PROBE_TABLES_PADDING, i, "/tables",
                       "the padding at byte %" PRIu64 " holds 0x%02x, not 0", i, bytes[i - VXB_PROBE_HEADER_BYTES]);
            return;
        }
}

static void check_identities(struct vxb_probe_file *file, const uint8_t *bytes, struct vxbi_collect *c)
{
    const struct vxb_probe_header *h = &file->header;
    const uint64_t end = vxbi_probe_plane_start(h->flags, file->layout.data);
    file->tables_whole = end <= file->size;
    if (file->tables_whole) {
        file->tables_hash = vxbi_hash(bytes, (size_t)(end - VXB_PROBE_HEADER_BYTES));
        if (file->tables_hash != h->tables_hash)
            vxbi_found(c, VXB_FINDING_PROBE_TABLES_HASH, VXBI_AT(probe_header, tables_hash), "/header/tables_hash",
                       "the tables' hash is 0x%016" PRIx64 ", their bytes give 0x%016" PRIx64
                       ": they were damaged after they were written", h->tables_hash, file->tables_hash);
        check_padding(bytes, file->layout.data, end, c);
    }
    check_padding(bytes, file->layout.bricks + (uint64_t)h->brick_count * VXB_PROBE_BRICK_BYTES, file->layout.planes,
                  c);
    file->content_id = vxbi_probe_content_id(h, file->bricks, file->planes);
    if (file->content_id != h->content_id)
        vxbi_found(c, VXB_FINDING_PROBE_CONTENT_ID, VXBI_AT(probe_header, content_id), "/header/content_id",
                   "the content id is 0x%016" PRIx64 ", the field gives 0x%016" PRIx64, h->content_id,
                   file->content_id);
}

enum vxb_status vxbi_probe_check_tables(struct vxb_probe_file *file, const uint8_t *bytes, struct vxbi_collect *collect,
                                        struct vxb_error *err)
{
    const uint32_t *cells = file->header.cells;
    struct bricks b = {.file = file, .collect = collect, .good = true,
                       .cell_bytes = ((uint64_t)cells[0] * cells[1] * cells[2] + 7) / 8,
                       .slot_bytes = (vxbi_probe_texels(file->header.slots) / VXB_BRICK_TEXELS + 7) / 8};
    b.cells = vxbi_new_zero(&file->allocator, b.cell_bytes, 1);
    b.slots = vxbi_new_zero(&file->allocator, b.slot_bytes, 1);
    enum vxb_status status = b.cells && b.slots ? VXB_OK : vxbi_fail_memory(err, b.cell_bytes + b.slot_bytes);
    if (!status) {
        check_bricks(&b);
        check_planes(file, collect);
        check_identities(file, bytes, collect);
        file->known = b.good ? VXBI_PROBE_BRICKS : VXBI_PROBE_TABLES;
    }
    vxbi_delete(&file->allocator, b.cells, b.cell_bytes, 1);
    vxbi_delete(&file->allocator, b.slots, b.slot_bytes, 1);
    return status;
}
