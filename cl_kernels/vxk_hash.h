/* The hash that every draw of a candidate comes from: the public-domain "lowbias32" mixer. Source:
 * vxbake-recipe(5), "The candidate grid". */
#ifndef VXK_HASH_H
#define VXK_HASH_H

#include "vxk_portable.h"

/* Streams of draws; 2, 4 and 5 belong to stored foliage and stay unused. */
#define VXK_STREAM_YAW 1u
#define VXK_STREAM_SCALE 3u
#define VXK_STREAM_X 6u
#define VXK_STREAM_Z 7u
#define VXK_STREAM_DENSITY 8u
#define VXK_STREAM_TINT 9u
#define VXK_STREAM_PHASE 10u
#define VXK_STREAM_SPECIES 11u

VXK_FN vxk_u32 vxk_mix(vxk_u32 seed, vxk_u32 i)
{
    vxk_u32 h = seed ^ i;
    h ^= h >> 16;
    h *= 0x7FEB352Du;
    h ^= h >> 15;
    h *= 0x846CA68Bu;
    h ^= h >> 16;
    return h;
}

/* What all candidates of a cell share. recipe_mix is vxk_mix(recipe seed, 0): 0 for seed 0. */
VXK_FN vxk_u32 vxk_cell_seed(vxk_i32 cell_x, vxk_i32 cell_z, vxk_u32 recipe_mix)
{
    return (vxk_u32)cell_x * 0x9E3779B1u ^ (vxk_u32)cell_z * 0x85EBCA77u ^ recipe_mix;
}

VXK_FN vxk_u32 vxk_bits(vxk_u32 hash, vxk_u32 stream)
{
    return vxk_mix(hash ^ stream * 0x027D4EB2u, stream);
}

/* 0..1, and 1 is possible: the conversion rounds once, the factor is exact. */
VXK_FN vxk_f32 vxk_draw_of(vxk_u32 bits)
{
    return (vxk_f32)bits * 2.3283064365386963e-10f /* 2^-32 */;
}

VXK_FN vxk_f32 vxk_draw(vxk_u32 hash, vxk_u32 stream)
{
    return vxk_draw_of(vxk_bits(hash, stream));
}

#endif
