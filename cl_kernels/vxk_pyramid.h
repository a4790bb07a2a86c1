/* The depth pyramid: where its levels stand, how one is read, and what one cell is made of. Depth is reversed (near is
 * 1, sky is 0), so nearest is the largest. Source: vxbake-ktx2(5), "Levels". */
#ifndef VXK_PYRAMID_H
#define VXK_PYRAMID_H

#include "vxk_portable.h"

#define VXK_PYRAMID_LEVELS 16 /* of 32768 a side */

/* Levels 0 to levels - 1 in one block, each row by row, level k from texel first[k] on. */
struct vxk_pyramid {
    VXK_GLOBAL const vxk_f32 *texels;
    vxk_u32 width, height, levels;
    vxk_u32 first[VXK_PYRAMID_LEVELS];
};

/* A side of level k, given that of level 0: halved and floored k times, never below 1. */
VXK_FN vxk_u32 vxk_pyramid_side(vxk_u32 side, vxk_u32 level)
{
    return side >> level ? side >> level : 1u;
}

/* What both ways of building reduce with. Operands are never NaN, nor -0. */
VXK_FN vxk_f32 vxk_pyramid_nearer(vxk_f32 a, vxk_f32 b)
{
    return a > b ? a : b;
}

VXK_FN vxk_f32 vxk_pyramid_farther(vxk_f32 a, vxk_f32 b)
{
    return a < b ? a : b;
}

/* A cell of a level below 16, clamped to the level's edge. */
VXK_FN vxk_f32 vxk_pyramid_at(const struct vxk_pyramid *pyramid, vxk_u32 level, vxk_i32 x, vxk_i32 y)
{
    vxk_i32 width = (vxk_i32)vxk_pyramid_side(pyramid->width, level);
    vxk_i32 height = (vxk_i32)vxk_pyramid_side(pyramid->height, level);
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return pyramid->texels[pyramid->first[level] + (vxk_u32)y * (vxk_u32)width + (vxk_u32)x];
}

/* Cell (x, y) of the level over below (width x height) in a nearest pyramid: the nearest of the 3x3 block at (2x, 2y),
 * clamped. The third row and column are those that halving a side and flooring it would lose. */
VXK_FN vxk_f32 vxk_pyramid_nearest_cell(VXK_GLOBAL const vxk_f32 *below, vxk_u32 width, vxk_u32 height, vxk_u32 x,
                                        vxk_u32 y)
{
    vxk_f32 nearest = 0.0f;
    for (vxk_u32 j = 2u * y; j < 2u * y + 3u; j++) {
        for (vxk_u32 i = 2u * x; i < 2u * x + 3u; i++) {
            vxk_u32 column = i < width ? i : width - 1u, row = j < height ? j : height - 1u;
            nearest = vxk_pyramid_nearer(nearest, below[row * width + column]);
        }
    }
    return nearest;
}

/* The same of a farthest pyramid: the farthest of the 2x2 block at (2x, 2y), and where that cell is the last of an odd
 * side (3 or more), of its third row or column too. Level k then holds, cell by cell, the farthest of exactly those
 * texels p of level 0 that it covers: min(p >> k, side - 1) on each axis. */
VXK_FN vxk_f32 vxk_pyramid_farthest_cell(VXK_GLOBAL const vxk_f32 *below, vxk_u32 width, vxk_u32 height, vxk_u32 x,
                                         vxk_u32 y)
{
    vxk_u32 right = 2u * x + 3u == width ? width : 2u * x + 2u < width ? 2u * x + 2u : width;
    vxk_u32 bottom = 2u * y + 3u == height ? height : 2u * y + 2u < height ? 2u * y + 2u : height;
    vxk_f32 farthest = 1.0f;
    for (vxk_u32 row = 2u * y; row < bottom; row++)
        for (vxk_u32 column = 2u * x; column < right; column++)
            farthest = vxk_pyramid_farther(farthest, below[row * width + column]);
    return farthest;
}

#endif
