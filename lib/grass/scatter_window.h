/* Windows over heights, holes and maps: the part of a grid that a band of a cell's candidate rows may touch, copied so
 * that the block loops need neither clamp nor fetch a neighbour on its own. */
#ifndef VXBI_GRASS_SCATTER_WINDOW_H
#define VXBI_GRASS_SCATTER_WINDOW_H

#include "../core/alloc.h"
#include "scatter_block.h"

/* Samples of a grid, both ends in; beyond the grid its border counts. */
struct vxbi_rect {
    int32_t x0, x1, z0, z1;
};

static inline uint64_t vxbi_rect_samples(const struct vxbi_rect *r)
{
    return (uint64_t)((int64_t)r->x1 - r->x0 + 1) * (uint64_t)((int64_t)r->z1 - r->z0 + 1);
}

/* Memory for one window, kept from band to band. */
struct vxbi_window_room {
    uint32_t *words;
    uint64_t room;
};
void vxbi_window_free(const struct vxb_allocator *allocator, struct vxbi_window_room *room);

/* Makes a window over r, which serves so many candidates, with words as struct vxbi_block_loops wants them: of heights,
 * of holes (1 where any corner of the quad is one), of a map. False where it would cost more than it saves, or there is
 * no memory for it: then the samples are to be read where they are. last_x, last_z: of the grid's last sample. */
bool vxbi_window_heights(const struct vxb_allocator *allocator, struct vxbi_window_room *room,
                         const struct vxbi_rect *r, uint64_t candidates, const uint16_t *heights, int32_t last_x,
                         int32_t last_z, struct vxbi_window *out);
bool vxbi_window_holes(const struct vxb_allocator *allocator, struct vxbi_window_room *room, const struct vxbi_rect *r,
                       uint64_t candidates, const uint8_t *holes, int32_t last_x, int32_t last_z,
                       struct vxbi_window *out);
bool vxbi_window_map(const struct vxb_allocator *allocator, struct vxbi_window_room *room, const struct vxbi_rect *r,
                     uint64_t candidates, const uint8_t *samples, int32_t last_x, int32_t last_z,
                     struct vxbi_window *out);

#endif
