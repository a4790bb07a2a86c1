/* A terrain's samples as they lie in memory, row-major: heights, a bit a sample for holes, painted maps. Indices are
 * clamped to the grid. */
#ifndef VXK_SAMPLES_H
#define VXK_SAMPLES_H

#include "vxk_portable.h"

/* A map's samples; width 0: there is none. */
struct vxk_map_size {
    vxk_u32 width, height;
};

VXK_FN vxk_u32 vxk_sample_index(vxk_i32 x, vxk_i32 z, vxk_i32 last_x, vxk_i32 last_z)
{
    return (vxk_u32)vxk_clamp_index(z, last_z) * (vxk_u32)(last_x + 1) + (vxk_u32)vxk_clamp_index(x, last_x);
}

VXK_FN vxk_f32 vxk_tap(VXK_GLOBAL const vxk_u16 *heights, vxk_i32 x, vxk_i32 z, vxk_i32 last_x, vxk_i32 last_z)
{
    return (vxk_f32)(vxk_i32)heights[vxk_sample_index(x, z, last_x, last_z)];
}

VXK_FN vxk_u32 vxk_hole(VXK_GLOBAL const vxk_u8 *holes, vxk_i32 x, vxk_i32 z, vxk_i32 last_x, vxk_i32 last_z)
{
    vxk_u32 i = vxk_sample_index(x, z, last_x, last_z);
    return (vxk_u32)holes[i >> 3] >> (i & 7u) & 1u;
}

/* Whether a quad is a hole: any of its samples is. */
VXK_FN vxk_u32 vxk_hole_quad(VXK_GLOBAL const vxk_u8 *holes, vxk_i32 x, vxk_i32 z, vxk_i32 last_x, vxk_i32 last_z)
{
    return vxk_hole(holes, x, z, last_x, last_z) | vxk_hole(holes, x + 1, z, last_x, last_z) |
           vxk_hole(holes, x, z + 1, last_x, last_z) | vxk_hole(holes, x + 1, z + 1, last_x, last_z);
}

VXK_FN vxk_f32 vxk_byte(VXK_GLOBAL const vxk_u8 *samples, struct vxk_map_size size, vxk_i32 x, vxk_i32 z)
{
    vxk_i32 last_x = (vxk_i32)size.width - 1, last_z = (vxk_i32)size.height - 1;
    return (vxk_f32)(vxk_i32)samples[(vxk_u32)vxk_clamp_index(z, last_z) * size.width +
                                     (vxk_u32)vxk_clamp_index(x, last_x)];
}

#endif
