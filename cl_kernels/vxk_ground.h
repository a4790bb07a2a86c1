/* The ground under a candidate: bilinear height, and the central-difference normal one quad to each side, from 12
 * samples that share one fraction. Source: vxbake-recipe(5), "The ground". */
#ifndef VXK_GROUND_H
#define VXK_GROUND_H

#include "vxk_field.h"

/* Raw samples about a quad, 0..65535: rows z-1, z, z+1, z+2 (a, b, c, d) and columns x-1 (l), x (0), x+1 (1), x+2 (r);
 * indices are clamped to the terrain by whoever fetches them. */
struct vxk_taps {
    vxk_f32 a0, a1, bl, b0, b1, br, cl, c0, c1, cr, d0, d1;
};

struct vxk_surface {
    vxk_f32 y;          /* world metres */
    vxk_f32 nx, ny, nz; /* unit normal */
};

VXK_FN vxk_f32 vxk_bilinear(vxk_f32 s00, vxk_f32 s10, vxk_f32 s01, vxk_f32 s11, vxk_f32 fx, vxk_f32 fz)
{
    return vxk_lerp(vxk_lerp(s00, s10, fx), vxk_lerp(s01, s11, fx), fz);
}

VXK_FN vxk_f32 vxk_height(vxk_f32 raw, vxk_f32 min_height, vxk_f32 height_range)
{
    return min_height + raw / 65535.0f * height_range;
}

VXK_FN struct vxk_surface vxk_surface_at(struct vxk_taps t, vxk_f32 fx, vxk_f32 fz, vxk_f32 min_height,
                                         vxk_f32 height_range, vxk_f32 origin_y, vxk_f32 two_quads)
{
    struct vxk_surface s;
    vxk_f32 centre = vxk_height(vxk_bilinear(t.b0, t.b1, t.c0, t.c1, fx, fz), min_height, height_range);
    vxk_f32 left = vxk_height(vxk_bilinear(t.bl, t.b0, t.cl, t.c0, fx, fz), min_height, height_range);
    vxk_f32 right = vxk_height(vxk_bilinear(t.b1, t.br, t.c1, t.cr, fx, fz), min_height, height_range);
    vxk_f32 back = vxk_height(vxk_bilinear(t.a0, t.a1, t.b0, t.b1, fx, fz), min_height, height_range);
    vxk_f32 front = vxk_height(vxk_bilinear(t.c0, t.c1, t.d0, t.d1, fx, fz), min_height, height_range);
    vxk_f32 dx = left - right, dz = back - front;
    vxk_f32 length = vxk_sqrt(dx * dx + two_quads * two_quads + dz * dz);
    s.y = origin_y + centre;
    s.nx = dx / length;
    s.ny = two_quads / length;
    s.nz = dz / length;
    return s;
}

/* Where a position falls on a map's axis of `samples` samples: on the height grid's own where it has as many, else
 * stretched edge to edge. There a position outside the terrain, of which nobody looks at the weight, counts as the
 * border: over a terrain much smaller than a cell it could leave what an index can hold. */
VXK_FN vxk_f32 vxk_map_axis(vxk_f32 x, vxk_u32 samples, vxk_u32 terrain_samples, vxk_f32 quad, vxk_f32 extent)
{
    return samples == terrain_samples ? x / quad
                                      : vxk_clamp(x, 0.0f, extent) / extent * (vxk_f32)(samples - 1u);
}

#endif
