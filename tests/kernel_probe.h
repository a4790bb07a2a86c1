/* Functions of the kernel headers that take numbers, not samples, over inputs made from a number: what host and device
 * must agree on, bit for bit. Those over samples are held together by whole fields. C11 and OpenCL C 1.2 alike. */
#ifndef TESTS_KERNEL_PROBE_H
#define TESTS_KERNEL_PROBE_H

#include "vxk_angle.h"
#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_fill.h"
#include "vxk_ground.h"
#include "vxk_hash.h"
#include "vxk_order.h"

#define PROBE_WORDS 60u

VXK_FN vxk_f32 probe_between(vxk_u32 hash, vxk_u32 stream, vxk_f32 low, vxk_f32 high)
{
    return low + (high - low) * vxk_draw(hash, stream);
}

VXK_FN void probe_numbers(vxk_u32 hash, VXK_GLOBAL vxk_u32 *out)
{
    vxk_f32 wide = probe_between(hash, 20, -1e6f, 1e6f), unit = vxk_draw(hash, 21), turn = 1.5708f * vxk_draw(hash, 22);
    out[0] = vxk_mix(hash, 12345u);
    out[1] = vxk_cell_seed((vxk_i32)hash, -(vxk_i32)(hash >> 9), hash);
    out[2] = vxk_bits(hash, VXK_STREAM_TINT);
    out[3] = vxk_bits_of(vxk_draw(hash, VXK_STREAM_DENSITY));
    out[4] = vxk_mul_high(hash, 1000000u);
    out[5] = (vxk_u32)vxk_floor(wide);
    out[6] = (vxk_u32)vxk_clamp_index((vxk_i32)wide, 1000);
    out[7] = vxk_bits_of(vxk_lerp(wide, unit, turn));
    out[8] = vxk_bits_of(vxk_sin(turn));
    out[9] = vxk_bits_of(vxk_cos(turn));
    out[10] = vxk_bits_of(vxk_acos(unit));
    out[11] = vxk_bits_of(vxk_sqrt(wide < 0.0f ? -wide : wide));
    out[12] = vxk_half(vxk_float_of((hash & 0x7FFFFFFFu) % 0x477FE000u));
    out[13] = (vxk_u32)vxk_round_away(probe_between(hash, 23, -127.0f, 127.0f));
}

VXK_FN void probe_candidate(vxk_u32 hash, VXK_GLOBAL vxk_u32 *out)
{
    vxk_u32 rank, side = 1u + hash % 200u;
    vxk_f32 size = probe_between(hash, 24, 1.0f, 1024.0f), step = size / (vxk_f32)side;
    vxk_f32 k = vxk_smooth(vxk_draw(hash, 25), 0.15f, 0.45f);
    out[0] = vxk_species_of(hash, 200000u, 500000u, 900000u);
    out[1] = vxk_bits_of(vxk_jittered(hash % side, vxk_draw(hash, VXK_STREAM_X), step, 0.4f * step, size));
    out[2] = vxk_outside(probe_between(hash, 26, -9.0f, 90.0f), probe_between(hash, 27, -9.0f, 90.0f), 80.0f, 80.0f);
    out[3] = vxk_bits_of(k);
    out[4] = vxk_verdict(hash >> 3 & hash >> 7 & 1u, hash >> 4 & hash >> 8 & 1u, vxk_draw(hash, 28), vxk_draw(hash, 29),
                         0.3f, probe_between(hash, 30, 0.0f, 100.0f), 10.0f, 95.0f, vxk_draw(hash, VXK_STREAM_DENSITY),
                         k, 60000u, &rank);
    out[5] = rank;
    out[6] = vxk_bits_of(vxk_map_axis(probe_between(hash, 31, -9.0f, 90.0f), 1u + hash % 90u, 65u, 1.25f, 80.0f));
}

VXK_FN void probe_ground(vxk_u32 hash, VXK_GLOBAL vxk_u32 *out)
{
    struct vxk_taps t;
    struct vxk_surface s;
    struct vxk_up up;
    struct vxk_record r;
    vxk_f32 about = 30000.0f + (vxk_f32)(hash % 5000u), rough = (vxk_f32)(hash >> 20);
    t.a0 = about + (vxk_f32)(hash & 1023u);
    t.a1 = about + rough * vxk_draw(hash, 32);
    t.bl = about - rough * vxk_draw(hash, 33);
    t.b0 = about;
    t.b1 = about + rough;
    t.br = about + 2.0f * rough;
    t.cl = about - rough;
    t.c0 = about + rough * vxk_draw(hash, 34);
    t.c1 = about - rough * vxk_draw(hash, 35);
    t.cr = about + 7.0f;
    t.d0 = about - 7.0f;
    t.d1 = about;
    s = vxk_surface_at(t, vxk_draw(hash, 36), vxk_draw(hash, 37), -16.0f, 133.7f, 3.25f, 2.5f);
    up = vxk_up_of(s.nx, s.ny, s.nz, vxk_draw(hash, 38));
    r = vxk_pack(hash, hash >> 16, 17.3f * vxk_draw(hash, 39), 17.3f * vxk_draw(hash, 40), s.y,
                 probe_between(hash, 41, 0.001f, 1024.0f), up, hash & 1u, 17.5f, s.y - 3.0f,
                 s.y + 10.0f * vxk_draw(hash, 42));
    out[0] = vxk_bits_of(s.y);
    out[1] = vxk_bits_of(s.nx);
    out[2] = vxk_bits_of(s.ny);
    out[3] = vxk_bits_of(s.nz);
    out[4] = vxk_bits_of(up.x);
    out[5] = vxk_bits_of(up.y);
    out[6] = vxk_bits_of(up.z);
    out[7] = vxk_octahedral(up);
    out[8] = r.word[0];
    out[9] = r.word[1];
    out[10] = r.word[2];
    out[11] = r.word[3];
}

VXK_FN struct vxk_vec probe_place(vxk_u32 hash, vxk_u32 stream)
{
    return vxk_vec_of(probe_between(hash, stream, -4.0f, 4.0f), probe_between(hash, stream + 1u, -4.0f, 4.0f),
                      probe_between(hash, stream + 2u, -4.0f, 4.0f));
}

VXK_FN vxk_u32 probe_vec(struct vxk_vec v, VXK_GLOBAL vxk_u32 *out)
{
    out[0] = vxk_bits_of(v.x);
    out[1] = vxk_bits_of(v.y);
    out[2] = vxk_bits_of(v.z);
    return 3u;
}

/* A shape, the roots of a quadratic, the borders that a ray meets. */
VXK_FN void probe_light(vxk_u32 hash, VXK_GLOBAL vxk_u32 *out)
{
    struct vxk_shape s;
    struct vxk_vec p = probe_place(hash, 70u), d = vxk_vec_unit(probe_place(hash, 80u));
    vxk_f32 start = probe_between(hash, 90u, 0.0f, 50.0f), speed = probe_between(hash, 91u, -2.0f, 2.0f);
    vxk_f32 t = probe_between(hash, 92u, 0.0f, 20.0f);
    vxk_i32 step = vxk_relief_step(speed);
    vxk_u32 k;
    s.kind = hash & 3u;
    s.a = hash & 3u ? probe_place(hash, 60u) : vxk_vec_of(0.5f, 0.25f, 0.0f);
    s.a = s.kind == VXK_PLANE ? vxk_vec_unit(s.a) : s.a;
    s.b = vxk_vec_of(1.0f + vxk_draw(hash, 63u), 0.5f, 0.25f);
    s.radius = vxk_draw(hash, 64u);
    s.albedo = s.emission = p;
    out[0] = vxk_bits_of(vxk_shape_distance(s, p));
    k = 1u + probe_vec(vxk_shape_normal(s, p), out + 1);
    k += probe_vec(d, out + k);
    out[k++] = vxk_bits_of(vxk_atan2(d.y, d.x));
    out[k++] = vxk_bits_of(vxk_acos_signed(d.z));
    out[k++] = vxk_bits_of(vxk_relief_root(d.x, p.y, p.z, hash >> 9 & 1u, 3.0f));
    out[k++] = (vxk_u32)vxk_relief_quad_at(t, hash >> 10 & 1u, start, speed, step ? 1.0f / speed : 0.0f, step, 3, 50);
    out[k++] = vxk_bits_of(vxk_march_step(s.radius));
}

VXK_FN void probe_order(vxk_u32 hash, VXK_GLOBAL vxk_u32 *out)
{
    vxk_u32 rank_end = 1u + (hash >> 7) % 65536u, rank = hash % rank_end;
    vxk_u64 order = vxk_order(rank, hash), factor = vxk_bucket_factor(1u + hash % 1000000u, rank_end);
    out[0] = (vxk_u32)order;
    out[1] = (vxk_u32)(order >> 32);
    out[2] = vxk_order_key(rank, hash);
    out[3] = (vxk_u32)factor;
    out[4] = vxk_bucket(vxk_order_key(rank, hash), 7u, factor);
    out[5] = vxk_bits_of(vxk_scale(hash, 0.7f, 0.6f));
}

VXK_FN void probe(vxk_u32 i, VXK_GLOBAL vxk_u32 *out)
{
    vxk_u32 hash = vxk_mix(0x5EEDu, i), k;
    for (k = 0; k < PROBE_WORDS; k++)
        out[k] = 0u;
    probe_numbers(hash, out);
    probe_candidate(hash, out + 14);
    probe_ground(hash, out + 24);
    probe_light(hash, out + 40);
    probe_order(hash, out + 54);
}

#endif
