/* The order of a cell's blades: by species, rank, hash. */
#ifndef VXBI_GRASS_SCATTER_ORDER_H
#define VXBI_GRASS_SCATTER_ORDER_H

#include "../core/alloc.h"
#include "../vxbake/recipe.h"

/* Blades as they come and in order. Arrays of room entries and a few more, which the pack loop may write. */
struct vxbi_pile {
    uint64_t room;
    uint32_t count;
    uint32_t (*words)[4];     /* records as they come: four little-endian words, the rank in the last one's high half */
    uint32_t *hashes;
    uint32_t *keys;           /* vxk_order_key()'s */
    uint8_t *species;
    uint64_t *sorted;         /* key, index: what is moved about */
    uint8_t *records;         /* in order */
    uint32_t *record_hashes;  /* of records */
    uint32_t *starts;         /* of buckets */
};

#define VXBI_PILE_BYTES 57 /* a blade takes in it */

/* Room for so many blades; what was there is lost. False: no memory, and the pile is empty. */
bool vxbi_pile_room(const struct vxb_allocator *allocator, struct vxbi_pile *pile, uint64_t blades);
void vxbi_pile_free(const struct vxb_allocator *allocator, struct vxbi_pile *pile);

/* Writes records and record_hashes. per_species: how many there are of each; rank_end: a rank above all of a species',
 * at least 1 where there is any, at most 65536. */
void vxbi_pile_order(struct vxbi_pile *pile, uint32_t species_count, const uint32_t per_species[VXB_SPECIES_MAX],
                     const uint32_t rank_end[VXB_SPECIES_MAX]);

#endif
