/* Planes of f32, one value a pixel, rows top first: smoothing and filling. Plain arithmetic in a fixed order: the same
 * values in give the same values out on every machine. */
#ifndef VXBI_EXPORT_RASTER_H
#define VXBI_EXPORT_RASTER_H

#include "../core/alloc.h"

/* Smooths plane in place: passes times, each pixel becomes the mean of those up to radius away on each axis, as far as
 * there are any. scratch is as large; columns holds width doubles. Radius 0 changes nothing. */
void vxbi_raster_blur(float *plane, float *scratch, double *columns, uint32_t width, uint32_t height, uint32_t radius,
                      int passes);

/* Fills values where weight is 0 from those around, near ones first, smoothly; weights become 1 there. All zero: the
 * values become 0. False where there is no memory (a third of both planes more). */
bool vxbi_raster_fill(const struct vxb_allocator *allocator, float *values, float *weights, uint32_t width,
                      uint32_t height);

#endif
