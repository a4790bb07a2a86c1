/* Blades of a tile whose rank is the highest that is kept: those among which a budget may have to choose. */
#ifndef VXBI_GRASS_DEVICE_TIES_H
#define VXBI_GRASS_DEVICE_TIES_H

#include "../compute/device.h"

/* As the device tells of one; cell: of the tile. */
struct vxbi_tile_tie {
    uint32_t cell, species, hash, unused;
};

/* By cell, then species, then hash. */
struct vxbi_tile_ties {
    struct vxbi_tile_tie *data;
    uint32_t *hashes; /* of each */
    uint32_t count;
    uint64_t room;
};

/* Reads count of them back, in whatever order, and sorts them. VXB_ERR_MEMORY, VXB_ERR_DEVICE: there are none. */
enum vxb_status vxbi_tile_ties_read(struct vxbi_tile_ties *ties, struct vxb_device *device, struct vxbi_buffer *from,
                                    uint32_t count, const struct vxb_allocator *allocator, struct vxb_error *err);
/* How many are of a cell's species; *hashes: theirs, ascending, until the next are read. */
uint32_t vxbi_tile_ties_of(const struct vxbi_tile_ties *ties, uint32_t cell, uint32_t species,
                           const uint32_t **hashes);
void vxbi_tile_ties_clear(const struct vxb_allocator *allocator, struct vxbi_tile_ties *ties);

#endif
