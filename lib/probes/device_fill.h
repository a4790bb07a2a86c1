/* Filling on a compute device: runs of bricks, read back while the next is at work. The same bytes as the CPU's, or an
 * error. */
#ifndef VXBI_PROBES_DEVICE_FILL_H
#define VXBI_PROBES_DEVICE_FILL_H

#include "../compute/device.h"
#include "fill.h"

struct vxbi_device_fill;

/* How the work is cut: bricks of a run, and of each of its probes' rays those that one launch traces. */
struct vxbi_fill_cut {
    uint32_t bricks, rays;
};

/* For a GPU or another kind of device, so many rays a probe and so many shapes, as a recipe may have. A launch can't be
 * cancelled: its rays times what each may meet are bounded, so that it is done in a part of a second whatever there
 * is. */
struct vxbi_fill_cut vxbi_device_fill_cut(bool gpu, uint32_t rays, uint32_t shapes);

/* Makes the options' device ready for a field and a scene, which it borrows: what of them does not change goes there. A
 * device that was not tested yet is first, unless it is known not to be exact.
 * Returns VXB_ERR_DEVICE, VXB_ERR_MEMORY (the device's or ours). */
enum vxb_status vxbi_device_fill_new(const struct vxb_env *env, const struct vxb_probe_field *field,
                                     const struct vxbi_fill_scene *scene, const struct vxb_fill_options *options,
                                     struct vxbi_device_fill **out, struct vxb_error *err);
void vxbi_device_fill_free(struct vxbi_device_fill *fill); /* NULL is allowed */

/* A pass over all bricks, those that are sampled compared with the CPU's. */
enum vxb_status vxbi_device_fill_run(struct vxbi_device_fill *fill, struct vxbi_fill_pass *pass);

/* Fills a small scene that has one of everything on the device and on the CPU, and compares: VXB_ERR_DEVICE where they
 * differ. */
enum vxb_status vxbi_device_fill_known_answer(const struct vxb_env *env, struct vxb_device *device,
                                              struct vxb_error *err);

#endif
