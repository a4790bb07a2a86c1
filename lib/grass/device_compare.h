/* Whether a device computes what the CPU does: a cell at a time, of a tile that was waited for. */
#ifndef VXBI_GRASS_DEVICE_COMPARE_H
#define VXBI_GRASS_DEVICE_COMPARE_H

#include "device_tile.h"

/* Computes the tile's cell of this number on the CPU too, and compares. cell: what vxbi_tile_cell() says of it; work:
 * the calling thread's own. VXB_ERR_DEVICE where the two differ, with the cell and what of it does; VXB_ERR_MEMORY. */
enum vxb_status vxbi_tile_compare(const struct vxbi_tile_device *on, const struct vxbi_tile *tile, uint32_t number,
                                  const struct vxbi_cell_result *cell, struct vxbi_scatter_work *work,
                                  struct vxb_error *err);

#endif
