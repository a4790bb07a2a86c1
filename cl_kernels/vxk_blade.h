/* A blade's 16-byte record: how it is made. Source: vxbake-recipe(5), "What a blade is"; what it means is
 * vxbake-format(5), "Blade". */
#ifndef VXK_BLADE_H
#define VXK_BLADE_H

#include "vxk_angle.h"
#include "vxk_field.h"
#include "vxk_hash.h"

/* The record as four little-endian words: x | z << 16, y | yaw << 16, scale | ox << 16 | oz << 24, tint | phase << 8 |
 * rank << 16. */
struct vxk_record {
    vxk_u32 word[4];
};

struct vxk_up {
    vxk_f32 x, y, z;
};

/* World up turned align_to_normal of the way to the normal, along the arc. Exactly world up on nearly flat ground, as
 * in the engine, so that it costs nothing there. */
VXK_FN struct vxk_up vxk_up_of(vxk_f32 nx, vxk_f32 ny, vxk_f32 nz, vxk_f32 align_to_normal)
{
    struct vxk_up up;
    vxk_f32 flat = vxk_sqrt(nx * nx + nz * nz);
    vxk_f32 angle = align_to_normal * vxk_acos(ny);
    vxk_f32 s = vxk_sin(angle);
    vxk_u32 level = (vxk_u32)(ny > 0.9999f) | (vxk_u32)(flat == 0.0f);
    vxk_f32 safe = level ? 1.0f : flat;
    up.x = level ? 0.0f : nx / safe * s;
    up.y = level ? 1.0f : vxk_cos(angle);
    up.z = level ? 0.0f : nz / safe * s;
    return up;
}

/* To the nearest integer, halves away from zero; |x| <= 127. */
VXK_FN vxk_i32 vxk_round_away(vxk_f32 x)
{
    return x < 0.0f ? -(vxk_i32)(0.5f - x) : (vxk_i32)(x + 0.5f);
}

/* The octahedral code of an up vector (y >= 0 but for rounding), y the major axis: ox in bits 0..7, oz in 8..15, two's
 * complement. |ox| + |oz| never exceeds 127. */
VXK_FN vxk_u32 vxk_octahedral(struct vxk_up up)
{
    vxk_f32 ax = up.x < 0.0f ? -up.x : up.x;
    vxk_f32 az = up.z < 0.0f ? -up.z : up.z;
    vxk_f32 sum = ax + up.y + az;
    vxk_i32 ox = vxk_round_away(up.x / sum * 127.0f);
    vxk_i32 oz = vxk_round_away(up.z / sum * 127.0f);
    vxk_i32 px = ox < 0 ? -ox : ox;
    vxk_i32 pz = oz < 0 ? -oz : oz;
    vxk_i32 over = px + pz > 127;
    vxk_i32 lose_x = over & (vxk_i32)(px >= pz);
    vxk_i32 lose_z = over & (vxk_i32)(px < pz);
    ox -= ox < 0 ? -lose_x : lose_x;
    oz -= oz < 0 ? -lose_z : lose_z;
    return ((vxk_u32)ox & 0xFFu) | ((vxk_u32)oz & 0xFFu) << 8;
}

/* binary16, nearest, ties to even; for finite x >= 0 below 65520. */
VXK_FN vxk_u32 vxk_half(vxk_f32 x)
{
    vxk_u32 bits = vxk_bits_of(x);
    vxk_u32 normal = (bits + 0xFFFu + (bits >> 13 & 1u)) >> 13;
    /* Below 2^-14 the result is in units of 2^-24: adding 0.5 lets the adder do the rounding. */
    vxk_u32 small = vxk_bits_of(x + 0.5f) - 0x3F000000u;
    return bits < 0x38800000u ? small : normal - (112u << 10);
}

/* A height within its chunk's: 0 at the lowest, 65535 at the highest, 0 where the two are equal. */
VXK_FN vxk_u32 vxk_height_code(vxk_f32 y, vxk_f32 min_y, vxk_f32 max_y)
{
    vxk_f32 range = max_y - min_y;
    vxk_f32 inside = vxk_clamp(y, min_y, max_y);
    return range > 0.0f ? vxk_whole((inside - min_y) * 65535.0f / range + 0.5f) : 0u;
}

/* A place in its cell, along one axis. */
VXK_FN vxk_u32 vxk_place_code(vxk_f32 x, vxk_f32 cell_size) { return vxk_whole(x * 65536.0f / cell_size); }

VXK_FN struct vxk_record vxk_pack(vxk_u32 hash, vxk_u32 rank, vxk_f32 x, vxk_f32 z, vxk_f32 y, vxk_f32 scale,
                                  struct vxk_up up, vxk_u32 random_yaw, vxk_f32 cell_size, vxk_f32 min_y, vxk_f32 max_y)
{
    struct vxk_record r;
    vxk_u32 qx = vxk_place_code(x, cell_size);
    vxk_u32 qz = vxk_place_code(z, cell_size);
    vxk_u32 qy = vxk_height_code(y, min_y, max_y);
    vxk_u32 yaw = random_yaw ? vxk_bits(hash, VXK_STREAM_YAW) >> 16 : 0u;
    r.word[0] = qx | qz << 16;
    r.word[1] = qy | yaw << 16;
    r.word[2] = vxk_half(scale) | vxk_octahedral(up) << 16;
    r.word[3] = vxk_bits(hash, VXK_STREAM_TINT) >> 24 | vxk_bits(hash, VXK_STREAM_PHASE) >> 24 << 8 | rank << 16;
    return r;
}

#endif
