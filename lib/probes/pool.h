/* The inside of the pool. A slot is either free or handed out; a free slot's texels are all zero. */
#ifndef VXBI_PROBES_POOL_H
#define VXBI_PROBES_POOL_H

#include "../vxbake/probes.h"

struct vxb_probe_pool {
    struct vxb_allocator allocator;
    uint32_t slots[3], capacity, count;
    struct vxb_probe *texels; /* VXB_BRICK_TEXELS * capacity */
    uint32_t *free;           /* the free slots, the next one last */
    uint8_t *allocated;       /* a byte a slot */
};

/* Checks a shape: VXB_ERR_USAGE, VXB_ERR_LIMIT. *capacity: slots in all. */
enum vxb_status vxbi_probe_slots_check(const uint32_t slots[3], uint32_t *capacity, struct vxb_error *err);

/* The smallest k with k^3 >= count. */
uint32_t vxbi_probe_cube_side(uint32_t count);

/* Texel (x, y, z) of a slot, to be written by what fills. */
struct vxb_probe *vxbi_probe_pool_at(struct vxb_probe_pool *pool, uint32_t slot, uint32_t x, uint32_t y, uint32_t z);

/* Hands out one named slot that is free; only on a pool where so far nothing else handed out slots. Then
 * vxbi_probe_pool_settle() must follow, before any other allocation. */
void vxbi_probe_pool_claim(struct vxb_probe_pool *pool, uint32_t slot);
void vxbi_probe_pool_settle(struct vxb_probe_pool *pool);

#endif
