/* A candidate of the grid: where it stands, whose it is, and which reason, if any, keeps it from being a blade. Source:
 * vxbake-recipe(5), "The candidate grid" and "Who survives". */
#ifndef VXK_CANDIDATE_H
#define VXK_CANDIDATE_H

#include "vxk_field.h"
#include "vxk_hash.h"

/* In the order the tests are made; 0 is a blade. enum vxb_reason is one less. */
#define VXK_PLACED 0u
#define VXK_NO_SURFACE 1u
#define VXK_EXCLUDED 2u
#define VXK_SLOPE 3u
#define VXK_ALTITUDE 4u
#define VXK_DENSITY 5u
#define VXK_BUDGET 6u /* is no verdict over a candidate alone */
#define VXK_REASONS 8u /* counted of a species, VXK_PLACED among them; the last is none */

#define VXK_SCALE_LEAST 0.0009765625f /* 2^-10 */

/* Which of a million parts a candidate falls in. */
VXK_FN vxk_u32 vxk_part_of(vxk_u32 hash)
{
    return vxk_mul_high(vxk_bits(hash, VXK_STREAM_SPECIES), 1000000u);
}

/* Which species, in ascending id order, a candidate belongs to: the one in whose run of parts it falls. */
VXK_FN vxk_u32 vxk_species_of(vxk_u32 hash, vxk_u32 bound1, vxk_u32 bound2, vxk_u32 bound3)
{
    vxk_u32 part = vxk_part_of(hash);
    return (vxk_u32)(part >= bound1) + (vxk_u32)(part >= bound2) + (vxk_u32)(part >= bound3);
}

/* Metres from the cell's first corner along one axis, in [0, limit]. */
VXK_FN vxk_f32 vxk_jittered(vxk_u32 slot, vxk_f32 draw, vxk_f32 step, vxk_f32 reach, vxk_f32 limit)
{
    return vxk_clamp(((vxk_f32)slot + 0.5f) * step + (2.0f * draw - 1.0f) * reach, 0.0f, limit);
}

VXK_FN vxk_u32 vxk_outside(vxk_f32 x, vxk_f32 z, vxk_f32 width, vxk_f32 depth)
{
    return (vxk_u32)(x < 0.0f) | (vxk_u32)(x > width) | (vxk_u32)(z < 0.0f) | (vxk_u32)(z > depth);
}

/* How willingly a painted weight (0..1) lets a blade stand: smoothstep between the species' two weights. */
VXK_FN vxk_f32 vxk_smooth(vxk_f32 weight, vxk_f32 min_weight, vxk_f32 weight_span)
{
    vxk_f32 t = vxk_clamp((weight - min_weight) / weight_span, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* A blade's scale before the scale map. */
VXK_FN vxk_f32 vxk_scale(vxk_u32 hash, vxk_f32 min_scale, vxk_f32 scale_span)
{
    return min_scale + scale_span * vxk_draw(hash, VXK_STREAM_SCALE);
}

/* Where on the density slider a blade disappears; draw < k, so the quotient is below 1 but for rounding. */
VXK_FN vxk_u32 vxk_rank(vxk_f32 draw, vxk_f32 k)
{
    vxk_f32 scaled = draw / k * 65536.0f;
    return scaled >= 65535.0f ? 65535u : vxk_whole(scaled);
}

/* The verdict over a candidate, all values at hand. gone: outside the terrain or over a hole; excluded: by the map.
 * *rank is what a blade would have, and 65535 where k is 0 or the draw is not below it. */
VXK_FN vxk_u32 vxk_verdict(vxk_u32 gone, vxk_u32 excluded, vxk_f32 scale, vxk_f32 ny, vxk_f32 cos_slope, vxk_f32 y,
                           vxk_f32 low, vxk_f32 high, vxk_f32 draw, vxk_f32 k, vxk_u32 rank_cut, vxk_u32 *rank)
{
    vxk_u32 thin = (vxk_u32)(draw >= k);
    vxk_u32 r = vxk_rank(thin ? 1.0f : draw, thin ? 1.0f : k);
    vxk_u32 reason = (thin | (vxk_u32)(r >= rank_cut)) ? VXK_DENSITY : VXK_PLACED;
    reason = ((vxk_u32)(y < low) | (vxk_u32)(y > high)) ? VXK_ALTITUDE : reason;
    reason = ny < cos_slope ? VXK_SLOPE : reason;
    reason = (excluded | (vxk_u32)(scale < VXK_SCALE_LEAST)) ? VXK_EXCLUDED : reason;
    reason = gone ? VXK_NO_SURFACE : reason;
    *rank = r;
    return reason;
}

#endif
