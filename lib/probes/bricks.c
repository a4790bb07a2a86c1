/* Bricks as they come and go: records, indirection, and the settling that gives planned bricks their slots. The
 * indirection always agrees with the records: a cell names the one brick that covers it. */
#include "field.h"

#include <string.h>

/* The cells after a place, clipped to the grid. */
static void place_end(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size, uint32_t end[3])
{
    for (int a = 0; a < 3; a++)
        end[a] = cell[a] + size < field->cells[a] ? cell[a] + size : field->cells[a];
}

static void cover(struct vxb_probe_field *field, const struct vxbi_brick_record *brick, uint32_t id)
{
    const uint32_t cell[3] = {brick->cell[0], brick->cell[1], brick->cell[2]};
    uint32_t end[3];
    place_end(field, cell, brick->size, end);
    for (uint32_t z = brick->cell[2]; z < end[2]; z++)
        for (uint32_t y = brick->cell[1]; y < end[1]; y++) {
            struct vxb_probe_cell *row = vxbi_probe_cell(field, 0, y, z);
            for (uint32_t x = brick->cell[0]; x < end[0]; x++)
                row[x] = (struct vxb_probe_cell){.slot = id, .size = brick->size};
        }
}

void vxbi_probe_make(struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    uint32_t id = field->spare_count ? field->spare[--field->spare_count] : field->base + field->planned_end++;
    struct vxbi_brick_record *brick = &field->records[id];
    for (int a = 0; a < 3; a++)
        brick->cell[a] = (uint16_t)cell[a];
    brick->size = (uint16_t)size;
    cover(field, brick, id);
    field->by_size[vxbi_probe_rank(size)]++;
    field->counts.bricks++;
}

bool vxbi_probe_is_covered(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size,
                           uint32_t *by_slot)
{
    uint32_t end[3];
    place_end(field, cell, size, end);
    for (uint32_t z = cell[2]; z < end[2]; z++)
        for (uint32_t y = cell[1]; y < end[1]; y++) {
            const struct vxb_probe_cell *row = vxbi_probe_cell(field, 0, y, z);
            for (uint32_t x = cell[0]; x < end[0]; x++)
                if (row[x].size) {
                    *by_slot = row[x].slot;
                    return true;
                }
        }
    return false;
}

bool vxbi_probe_take(struct vxb_probe_field *field, const struct vxb_brick *brick, uint32_t *covered)
{
    if (vxbi_probe_is_covered(field, brick->cell, brick->size, covered))
        return false;
    struct vxbi_brick_record *record = &field->records[brick->slot];
    for (int a = 0; a < 3; a++)
        record->cell[a] = (uint16_t)brick->cell[a];
    record->size = (uint16_t)brick->size;
    cover(field, record, brick->slot);
    field->by_size[vxbi_probe_rank(brick->size)]++;
    field->counts.bricks++;
    field->slot_end = brick->slot < field->slot_end ? field->slot_end : brick->slot + 1;
    return true;
}

void vxbi_probe_drop(struct vxb_probe_field *field, uint32_t id)
{
    field->by_size[vxbi_probe_rank(field->records[id].size)]--;
    field->records[id].size = 0;
    field->counts.bricks--;
    if (id >= field->base)
        field->spare[field->spare_count++] = id;
}

uint32_t vxbi_probe_children(const struct vxb_probe_field *field, const struct vxbi_brick_record *brick,
                             uint32_t children[8][3])
{
    uint32_t count = 0, half = brick->size / 2u;
    for (uint32_t i = 0; i < 8; i++) {
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            children[count][a] = brick->cell[a] + (i >> a & 1) * half;
            inside = inside && children[count][a] < field->cells[a];
        }
        count += inside;
    }
    return count;
}

void vxbi_probe_split(struct vxb_probe_field *field, uint32_t id)
{
    uint32_t children[8][3], size = field->records[id].size / 2u;
    uint32_t count = vxbi_probe_children(field, &field->records[id], children);
    vxbi_probe_drop(field, id);
    for (uint32_t i = 0; i < count; i++)
        vxbi_probe_make(field, children[i], size);
}

uint32_t vxbi_probe_far(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    float d2 = 0.0f;
    for (int a = 0; a < 3; a++) {
        float d = (float)(2 * cell[a] + size) * (0.5f * field->cell_size[a]) - field->focus[a];
        d2 = d2 + d * d;
    }
    return vxk_bits_of(d2);
}

/* ---- settling ---- */

/* Released from the last slot down, so that the lowest is the next one handed out. */
static void release_dropped(struct vxb_probe_field *field)
{
    for (uint32_t slot = field->slot_end; slot-- > 0;)
        if (!field->records[slot].size && vxb_probe_pool_is_allocated(field->pool, slot))
            (void)vxb_probe_pool_release(field->pool, slot, NULL); /* it is handed out */
}

static uint32_t gather(struct vxb_brick *out, const struct vxb_probe_field *field, uint32_t first, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t id = first; id < end; id++) {
        const struct vxbi_brick_record *brick = &field->records[id];
        if (brick->size)
            out[n++] = (struct vxb_brick){
                .slot = id, .cell = {brick->cell[0], brick->cell[1], brick->cell[2]}, .size = brick->size};
    }
    return n;
}

/* By cell[axis], stable. */
static void sort_axis(struct vxb_brick *to, const struct vxb_brick *from, uint32_t count, int axis)
{
    uint32_t start[VXB_PROBE_CELLS_AXIS_MAX + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        start[from[i].cell[axis] + 1]++;
    for (uint32_t i = 0; i < VXB_PROBE_CELLS_AXIS_MAX; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < count; i++)
        to[start[from[i].cell[axis]]++] = from[i];
}

void vxbi_probe_settle(struct vxb_probe_field *field)
{
    if (!field->pool)
        return;
    release_dropped(field);
    uint32_t count = gather(field->sorting, field, 0, field->slot_end);
    count += gather(field->sorting + count, field, field->base, field->base + field->planned_end);
    sort_axis(field->table, field->sorting, count, 0);
    sort_axis(field->sorting, field->table, count, 1);
    sort_axis(field->table, field->sorting, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t planned = field->table[i].slot, slot = 0;
        if (planned < field->base)
            continue;
        (void)vxb_probe_pool_try_allocate(field->pool, &slot); /* bricks stay below room */
        field->table[i].slot = slot;
        field->records[slot] = field->records[planned];
        field->records[planned].size = 0;
        cover(field, &field->records[slot], slot);
        field->slot_end = slot < field->slot_end ? field->slot_end : slot + 1;
    }
    field->planned_end = field->spare_count = 0;
}
