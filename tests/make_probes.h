/* Fields of probe bricks for tests, and what must hold for each. */
#ifndef TEST_MAKE_PROBES_H
#define TEST_MAKE_PROBES_H

#include "vxbake/probes.h"

/* In planning. */
struct vxb_probe_field *probes_field(const struct vxb_probe_region *bounds, const uint32_t cells[3],
                                     const uint32_t slots[3]);
void probes_allocate(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size);
void probes_refine(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size);
void probes_place(struct vxb_probe_field *field);

/* A placed field of bricks of many sizes, with holes: the same one for the same seed. cells: at most 24 on an axis. */
struct vxb_probe_field *probes_random(uint32_t seed, const uint32_t slots[3]);

/* Sets every probe to what of says of its brick and place. */
void probes_fill(struct vxb_probe_field *field,
                 struct vxb_probe (*of)(void *user, const struct vxb_brick *brick, const uint32_t at[3]), void *user);
/* To values that differ from probe to probe, some of them empty; a probe depends on its place, size and seed alone. */
void probes_fill_mixed(struct vxb_probe_field *field, uint32_t seed);

/* Asserts that a placed field holds together: the table in order, bricks aligned, disjoint, each slot once and
 * handed out, the indirection as the table says, free slots all zero. */
void probes_check(const struct vxb_probe_field *field);

/* A brick's texel, border included. */
const struct vxb_probe *probes_texel(const struct vxb_probe_field *field, uint32_t brick, const uint32_t at[3]);

/* A hash of every texel of the pool, as little-endian floats. */
uint64_t probes_hash(const struct vxb_probe_field *field);

uint32_t probes_draw(uint32_t *state);

#endif
