/* A plan's terrain on a device. */
#ifndef VXBI_GRASS_DEVICE_TERRAIN_H
#define VXBI_GRASS_DEVICE_TERRAIN_H

#include "../compute/device.h"
#include "scatter.h"

#define VXBI_DEVICE_MAPS 8 /* heights, holes, exclude, scale, layers of species */

struct vxbi_device_terrain {
    struct vxb_device *device;
    struct vxbi_buffer *buffer[VXBI_DEVICE_MAPS]; /* in the order of the kernels' arguments */
    bool borrowed[VXBI_DEVICE_MAPS];              /* one that stands there a second time */
};

/* Returns VXB_ERR_MEMORY, VXB_ERR_DEVICE; clear it then too. */
enum vxb_status vxbi_device_terrain_init(struct vxbi_device_terrain *terrain, struct vxb_device *device,
                                         const struct vxb_plan *plan, struct vxb_error *err);
void vxbi_device_terrain_clear(struct vxbi_device_terrain *terrain);

#endif
