/* What comes from where a ray meets nothing: a constant, a gradient by height, or an equirectangular map. */
#ifndef VXK_SKY_H
#define VXK_SKY_H

#include "vxk_angle.h"
#include "vxk_ground.h"
#include "vxk_vec.h"

#define VXK_SKY_CONSTANT 0u
#define VXK_SKY_GRADIENT 1u
#define VXK_SKY_MAP 2u

/* 13 words. */
struct vxk_sky {
    vxk_u32 kind;
    vxk_u32 width, height; /* of the map: rows from the zenith down, three f32 a texel */
    vxk_f32 turn;          /* of the map, 0..1 */
    struct vxk_vec ground, horizon, zenith; /* a constant is its horizon */
};

VXK_FN struct vxk_vec vxk_sky_texel(VXK_CONSTANT const struct vxk_sky *sky, VXK_GLOBAL const vxk_f32 *texels, vxk_i32 x,
                                    vxk_i32 y)
{
    VXK_GLOBAL const vxk_f32 *t;
    x = x < 0 ? x + (vxk_i32)sky->width : x;
    x = x >= (vxk_i32)sky->width ? x - (vxk_i32)sky->width : x;
    t = texels + 3u * ((vxk_u32)vxk_clamp_index(y, (vxk_i32)sky->height - 1) * sky->width + (vxk_u32)x);
    return vxk_vec_of(t[0], t[1], t[2]);
}

/* Bilinear at texel centres: -z is in the middle, +x right of it. */
VXK_FN struct vxk_vec vxk_sky_map(VXK_CONSTANT const struct vxk_sky *sky, VXK_GLOBAL const vxk_f32 *texels,
                                  struct vxk_vec d)
{
    vxk_f32 u = 0.5f + vxk_atan2(d.x, -d.z) / (2.0f * VXK_PI) + sky->turn;
    vxk_f32 v = vxk_acos_signed(vxk_clamp(d.y, -1.0f, 1.0f)) / VXK_PI;
    vxk_f32 x, y;
    vxk_i32 i, j;
    u = vxk_clamp(u - (vxk_f32)vxk_floor(u), 0.0f, 1.0f);
    x = u * (vxk_f32)(vxk_i32)sky->width - 0.5f;
    y = v * (vxk_f32)(vxk_i32)sky->height - 0.5f;
    i = vxk_floor(x);
    j = vxk_floor(y);
    return vxk_vec_lerp(
        vxk_vec_lerp(vxk_sky_texel(sky, texels, i, j), vxk_sky_texel(sky, texels, i + 1, j), x - (vxk_f32)i),
        vxk_vec_lerp(vxk_sky_texel(sky, texels, i, j + 1), vxk_sky_texel(sky, texels, i + 1, j + 1), x - (vxk_f32)i),
        y - (vxk_f32)j);
}

VXK_FN struct vxk_vec vxk_sky_radiance(VXK_CONSTANT const struct vxk_sky *sky, VXK_GLOBAL const vxk_f32 *texels,
                                       struct vxk_vec d)
{
    if (sky->kind == VXK_SKY_MAP)
        return vxk_sky_map(sky, texels, d);
    if (sky->kind == VXK_SKY_GRADIENT)
        return d.y < 0.0f ? vxk_vec_lerp(sky->horizon, sky->ground, -d.y)
                          : vxk_vec_lerp(sky->horizon, sky->zenith, d.y);
    return sky->horizon;
}

#endif
