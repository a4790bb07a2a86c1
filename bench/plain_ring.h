/* The ring's rule written straightforwardly: each update measures and sorts every wanted cell and every resident
 * one. What the ring is tested and timed against. */
#ifndef PLAIN_RING_H
#define PLAIN_RING_H

#include "vxbake/ring.h"

struct plain_ring;

struct plain_ring *plain_ring_new(const struct vxb_ring_grid *grid, uint32_t capacity, float hysteresis);
void plain_ring_free(struct plain_ring *ring);

/* As vxb_ring_update_some(), for arguments it would accept. */
void plain_ring_update(struct plain_ring *ring, const float view[3], float range, uint32_t most_created,
                       struct vxb_ring_change *out);

/* Drops every cell. */
void plain_ring_clear(struct plain_ring *ring);
void plain_ring_set_hysteresis(struct plain_ring *ring, float hysteresis);

/* The resident cells by (z, x). */
const struct vxb_ring_slot *plain_ring_resident(const struct plain_ring *ring, uint32_t *count);

#endif
