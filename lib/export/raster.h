/* Planes of f32, one value a pixel, rows top first: smoothing and filling. Plain arithmetic in a fixed order: the same
 * values in give the same values out on every machine. */
#ifndef VXBI_EXPORT_RASTER_H
#define VXBI_EXPORT_RASTER_H

#include "../core/alloc.h"

/* Smooths plane in place: passes box filters of 2 * radius + 1 pixels on each axis, zero beyond the border. scratch is as
 * large; columns holds width doubles. passes must be 1 or more; radius 0 changes nothing. */
void vxbi_raster_blur(float *plane, float *scratch, double *columns, uint32_t width, uint32_t height, uint32_t radius,
                      int passes);

/* Fills values where weight is 0 from those around, near ones first, smoothly; weights become 1 there. All zero: the
 * values become 0. False where there is no memory (a third of both planes more). */
bool vxbi_raster_fill(const struct vxb_allocator *allocator, float *values, float *weights, uint32_t width,
                      uint32_t height);

#endif
