/* One brick at a time: the split of a brick into its children, and the merge of siblings, which undoes it but for the
 * probes between. */
#include <inttypes.h>

#include "field.h"

#include "../core/error.h"

static enum vxb_status check_cell(const struct vxb_probe_field *field, const uint32_t cell[3], struct vxb_error *err)
{
    for (int a = 0; a < 3; a++)
        if (cell[a] >= field->cells[a])
            return vxbi_fail(err, VXB_ERR_USAGE, "cell %" PRIu32 " along %c lies outside the grid, which has %" PRIu32,
                             cell[a], "xyz"[a], field->cells[a]);
    return VXB_OK;
}

enum vxb_status vxb_probe_field_split(struct vxb_probe_field *field, const uint32_t cell[3], bool *split,
                                      struct vxb_error *err)
{
    enum vxb_status status = check_cell(field, cell, err);
    if (status)
        return status;
    const struct vxb_probe_cell over = *vxbi_probe_cell(field, cell[0], cell[1], cell[2]);
    uint32_t children[8][3];
    *split = over.size > 1;
    if (!*split)
        return VXB_OK;
    *split = vxbi_probe_children(field, &field->records[over.slot], children) - 1 <= vxbi_probe_free(field);
    if (!*split) {
        field->counts.whole++;
        return VXB_OK;
    }
    vxbi_probe_split(field, over.slot);
    vxbi_probe_settle(field);
    return VXB_OK;
}

/* The siblings' identities, one for each of the parent's children and UINT32_MAX outside the grid; how many, 0 where
 * they can't be merged. */
static uint32_t find_siblings(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size,
                              uint32_t siblings[8])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t at[3];
        bool inside = true;
        siblings[i] = UINT32_MAX;
        for (int a = 0; a < 3; a++) {
            at[a] = cell[a] + (i >> a & 1) * size;
            inside = inside && at[a] < field->cells[a];
        }
        if (!inside)
            continue;
        const struct vxb_probe_cell *over = vxbi_probe_cell(field, at[0], at[1], at[2]);
        if (over->size != size)
            return 0;
        siblings[i] = over->slot;
        count++;
    }
    return count >= 2 ? count : 0;
}

/* Every second probe of the siblings, for the parent. */
static void keep_probes(const struct vxb_probe_field *field, const uint32_t siblings[8],
                        struct vxb_probe kept[VXB_BRICK_PROBES])
{
    for (uint32_t z = 0; z < VXB_BRICK_RESOLUTION; z++)
        for (uint32_t y = 0; y < VXB_BRICK_RESOLUTION; y++)
            for (uint32_t x = 0; x < VXB_BRICK_RESOLUTION; x++) {
                uint32_t slot = siblings[z / 2 * 4 + y / 2 * 2 + x / 2];
                struct vxb_probe *to = &kept[vxk_probe_bit(x, y, z)];
                *to = slot == UINT32_MAX ? (struct vxb_probe){.validity = 0.0f}
                                         : *vxbi_probe_pool_at(field->pool, slot, x % 2 * 2, y % 2 * 2, z % 2 * 2);
            }
}

static void put_probes(struct vxb_probe_field *field, uint32_t slot, const struct vxb_probe kept[VXB_BRICK_PROBES])
{
    for (uint32_t z = 0; z < VXB_BRICK_RESOLUTION; z++)
        for (uint32_t y = 0; y < VXB_BRICK_RESOLUTION; y++)
            for (uint32_t x = 0; x < VXB_BRICK_RESOLUTION; x++)
                *vxbi_probe_pool_at(field->pool, slot, x, y, z) = kept[vxk_probe_bit(x, y, z)];
}

enum vxb_status vxb_probe_field_merge(struct vxb_probe_field *field, const uint32_t cell[3], bool *merged,
                                      struct vxb_error *err)
{
    enum vxb_status status = check_cell(field, cell, err);
    if (status)
        return status;
    const uint32_t size = vxbi_probe_cell(field, cell[0], cell[1], cell[2])->size;
    uint32_t siblings[8], whole = 2 * size - 1;
    struct vxb_probe kept[VXB_BRICK_PROBES];
    *merged = size && size < VXB_BRICK_SIZE_MAX && !((cell[0] | cell[1] | cell[2]) & whole) &&
              find_siblings(field, cell, size, siblings);
    if (!*merged)
        return VXB_OK;
    if (field->pool)
        keep_probes(field, siblings, kept);
    for (int i = 0; i < 8; i++)
        if (siblings[i] != UINT32_MAX)
            vxbi_probe_drop(field, siblings[i]);
    vxbi_probe_make(field, cell, 2 * size);
    vxbi_probe_settle(field);
    if (field->pool)
        put_probes(field, vxbi_probe_cell(field, cell[0], cell[1], cell[2])->slot, kept);
    return VXB_OK;
}
