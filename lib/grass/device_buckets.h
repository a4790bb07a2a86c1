/* What a tile's blades fall into on a device before they are put in order. */
#ifndef VXBI_GRASS_DEVICE_BUCKETS_H
#define VXBI_GRASS_DEVICE_BUCKETS_H

#include "scatter.h"

/* What a tile has room for. Of a cell's buckets: of each species its first, where they end and what spreads its blades
 * over them, the number of all, and how many blades fit each; ties: of the tile. */
struct vxbi_tile_buckets {
    uint32_t first[VXB_SPECIES_MAX], end[VXB_SPECIES_MAX];
    uint64_t factor[VXB_SPECIES_MAX];
    uint32_t count, slots, ties;
};

/* As many buckets as hold what can come to be blades of a cell, on the average, where every other test lets it; ties is
 * for the caller to set. */
struct vxbi_tile_buckets vxbi_tile_buckets_for(const struct vxbi_scatter *scatter,
                                               const uint32_t rank_most[VXB_SPECIES_MAX]);
/* Room for ties: of blades, about one in 65536 has a certain rank. */
uint32_t vxbi_tile_ties_for(uint64_t candidates);

#endif
