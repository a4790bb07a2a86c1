/* Cells from a compute device: tiles of cells judged, packed and put in order there, read back while the next one is at
 * work. The same bytes as the CPU's, or an error. */
#ifndef VXBI_GRASS_DEVICE_SOURCE_H
#define VXBI_GRASS_DEVICE_SOURCE_H

#include "../vxbake/device.h"
#include "source.h"

struct vxbi_device_source;

/* Makes a device ready for a plan, which it borrows: the terrain goes there. A device that was not tested yet is first:
 * what it makes of a small field of our own must be what the CPU makes of it, unless it is known not to be exact.
 * cross_check: percent of the cells, 0 to 100, that are computed on the CPU too and compared.
 * Returns VXB_ERR_DEVICE, VXB_ERR_MEMORY (the device's or ours). */
enum vxb_status vxbi_device_source_new(const struct vxb_env *env, struct vxb_device *device,
                                       const struct vxb_plan *plan, double cross_check,
                                       struct vxbi_device_source **out, struct vxb_error *err);
void vxbi_device_source_free(struct vxbi_device_source *source); /* NULL is allowed */

/* What vxbi_field_make() takes. Fails with VXB_ERR_DEVICE where the device does, or where a cross-check differs. */
struct vxbi_cell_source vxbi_device_source_cells(struct vxbi_device_source *source);

/* Compares what the device computes with what the CPU does: over a whole plan; over a small field of our own that has
 * one of everything in it. VXB_ERR_DEVICE where they differ. */
enum vxb_status vxbi_device_check(const struct vxb_env *env, struct vxb_device *device, const struct vxb_plan *plan,
                                  struct vxb_error *err);
enum vxb_status vxbi_device_known_answer(const struct vxb_env *env, struct vxb_device *device, struct vxb_error *err);

#endif
