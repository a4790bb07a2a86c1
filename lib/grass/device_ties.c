/* Ties as they come from a device, in the order in which its work groups met them, put in order here. */
#include "device_ties.h"

#include <stdlib.h>

#include "../core/alloc.h"
#include "../core/error.h"

static int compare(const void *a, const void *b)
{
    const struct vxbi_tile_tie *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    if (x->species != y->species)
        return x->species < y->species ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static enum vxb_status need(struct vxbi_tile_ties *ties, uint32_t count, const struct vxb_allocator *allocator,
                            struct vxb_error *err)
{
    if (count <= ties->room)
        return VXB_OK;
    vxbi_tile_ties_clear(allocator, ties);
    ties->room = count;
    ties->data = vxbi_new(allocator, count, sizeof *ties->data);
    ties->hashes = vxbi_new(allocator, count, sizeof *ties->hashes);
    if (ties->data && ties->hashes)
        return VXB_OK;
    vxbi_tile_ties_clear(allocator, ties);
    return vxbi_fail_memory(err, count * sizeof *ties->data);
}

enum vxb_status vxbi_tile_ties_read(struct vxbi_tile_ties *ties, struct vxb_device *device, struct vxbi_buffer *from,
                                    uint32_t count, const struct vxb_allocator *allocator, struct vxb_error *err)
{
    enum vxb_status status = need(ties, count, allocator, err);
    ties->count = 0;
    if (!status && count)
        status = vxbi_buffer_read(device, from, ties->data, count * sizeof *ties->data, err);
    if (status || count == 0)
        return status;
    qsort(ties->data, count, sizeof *ties->data, compare);
    for (uint32_t i = 0; i < count; i++)
        ties->hashes[i] = ties->data[i].hash;
    ties->count = count;
    return VXB_OK;
}

/* Where the first one of a cell's species stands, or would. */
static uint32_t first_of(const struct vxbi_tile_ties *ties, uint32_t cell, uint32_t species)
{
    const struct vxbi_tile_tie least = {.cell = cell, .species = species};
    uint32_t low = 0, high = ties->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(&ties->data[middle], &least) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t vxbi_tile_ties_of(const struct vxbi_tile_ties *ties, uint32_t cell, uint32_t species,
                           const uint32_t **hashes)
{
    const uint32_t first = first_of(ties, cell, species);
    *hashes = ties->hashes ? ties->hashes + first : NULL;
    return first_of(ties, cell, species + 1) - first;
}

void vxbi_tile_ties_clear(const struct vxb_allocator *allocator, struct vxbi_tile_ties *ties)
{
    vxbi_delete(allocator, ties->data, ties->room, sizeof *ties->data);
    vxbi_delete(allocator, ties->hashes, ties->room, sizeof *ties->hashes);
    *ties = (struct vxbi_tile_ties){0};
}
