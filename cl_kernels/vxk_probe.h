/* Irradiance probes: where a brick's texels stand, which brick is under a point, what a probe there answers, and the
 * rules that make border texels and repair empty probes. Whatever lies on the lattice is found in integers, in
 * quarters of a finest cell; points are relative to the box's minimum. Source:
 * vxbake-format(5), "Irradiance fields". */
#ifndef VXK_PROBE_H
#define VXK_PROBE_H

#include "vxk_portable.h"

/* A texel is L00, L1-1, L10, L11 for r, g and b each, validity, sun shadow. */
#define VXK_PROBE_FLOATS 14u
#define VXK_PROBE_VALIDITY 12u
#define VXK_PROBE_SHADOW 13u

#define VXK_SH_0 0.282095f
#define VXK_SH_1 0.488603f

struct vxk_probes {
    VXK_GLOBAL const vxk_f32 *texels;      /* of the whole pool, x fastest */
    VXK_GLOBAL const vxk_u32 *indirection; /* slot and size for each cell, x fastest; size 0: no brick */
    vxk_u32 cells[3], slots[3];
    vxk_f32 cell_size[3], extent[3];
};

/* size 0: none. */
struct vxk_brick {
    vxk_u32 slot, size;
    vxk_u32 cell[3];
};

/* ---- spherical harmonics ---- */

VXK_FN void vxk_sh_basis(const vxk_f32 *direction, vxk_f32 *basis)
{
    basis[0] = VXK_SH_0;
    basis[1] = VXK_SH_1 * direction[1];
    basis[2] = VXK_SH_1 * direction[2];
    basis[3] = VXK_SH_1 * direction[0];
}

/* Over pi, not clamped. probe: a texel. */
VXK_FN void vxk_probe_irradiance(const vxk_f32 *probe, const vxk_f32 *normal, vxk_f32 *irradiance)
{
    vxk_f32 basis[4];
    vxk_sh_basis(normal, basis);
    for (vxk_u32 c = 0; c < 3u; c++)
        irradiance[c] = probe[c] * basis[0] + 2.0f / 3.0f * (probe[3u + c] * basis[1] + probe[6u + c] * basis[2] +
                                                            probe[9u + c] * basis[3]);
}

/* ---- the pool ---- */

/* The index of a texel of a slot. x, y, z: 0..4. */
VXK_FN vxk_u32 vxk_probe_texel(const vxk_u32 *slots, vxk_u32 slot, vxk_u32 x, vxk_u32 y, vxk_u32 z)
{
    vxk_u32 column = slot % slots[0], row = slot / slots[0] % slots[1], layer = slot / slots[0] / slots[1];
    return ((5u * layer + z) * (5u * slots[1]) + 5u * row + y) * (5u * slots[0]) + 5u * column + x;
}

VXK_FN void vxk_probe_fetch(const struct vxk_probes *probes, vxk_u32 texel, vxk_f32 *probe)
{
    VXK_GLOBAL const vxk_f32 *from = probes->texels + (vxk_u64)texel * VXK_PROBE_FLOATS;
    for (vxk_u32 k = 0; k < VXK_PROBE_FLOATS; k++)
        probe[k] = from[k];
}

/* Into 0..1; a NaN is 0. */
VXK_FN vxk_f32 vxk_probe_unit(vxk_f32 x)
{
    x = x > 0.0f ? x : 0.0f;
    return x < 1.0f ? x : 1.0f;
}

/* Exact at both ends, unlike vxk_lerp. */
VXK_FN vxk_f32 vxk_probe_lerp(vxk_f32 a, vxk_f32 b, vxk_f32 t)
{
    return (1.0f - t) * a + t * b;
}

/* The probe at a place within a brick, 0..1 across it on each axis. */
VXK_FN void vxk_probe_sample(const struct vxk_probes *probes, vxk_u32 slot, const vxk_f32 *within, vxk_f32 *probe)
{
    vxk_u32 at[3];
    vxk_f32 t[3];
    for (int a = 0; a < 3; a++) {
        vxk_f32 scaled = vxk_probe_unit(within[a]) * 4.0f;
        vxk_u32 whole = vxk_whole(scaled);
        at[a] = whole < 3u ? whole : 3u;
        t[a] = scaled - (vxk_f32)at[a];
    }
    vxk_u64 row = (vxk_u64)(5u * probes->slots[0]) * VXK_PROBE_FLOATS, layer = row * (5u * probes->slots[1]);
    VXK_GLOBAL const vxk_f32 *from =
        probes->texels + (vxk_u64)vxk_probe_texel(probes->slots, slot, at[0], at[1], at[2]) * VXK_PROBE_FLOATS;
    for (vxk_u32 k = 0; k < VXK_PROBE_FLOATS; k++) {
        VXK_GLOBAL const vxk_f32 *p = from + k;
        vxk_f32 near_low = vxk_probe_lerp(p[0], p[VXK_PROBE_FLOATS], t[0]);
        vxk_f32 near_high = vxk_probe_lerp(p[row], p[row + VXK_PROBE_FLOATS], t[0]);
        p += layer;
        vxk_f32 far_low = vxk_probe_lerp(p[0], p[VXK_PROBE_FLOATS], t[0]);
        vxk_f32 far_high = vxk_probe_lerp(p[row], p[row + VXK_PROBE_FLOATS], t[0]);
        probe[k] = vxk_probe_lerp(vxk_probe_lerp(near_low, near_high, t[1]),
                                  vxk_probe_lerp(far_low, far_high, t[1]), t[2]);
    }
}

/* ---- the grid ---- */

/* The brick over a cell of the grid. */
VXK_FN struct vxk_brick vxk_probe_brick_over(const struct vxk_probes *probes, const vxk_u32 *cell)
{
    vxk_u64 i = ((vxk_u64)cell[2] * probes->cells[1] + cell[1]) * probes->cells[0] + cell[0];
    struct vxk_brick brick;
    brick.slot = probes->indirection[2u * i];
    brick.size = probes->indirection[2u * i + 1u];
    for (int a = 0; a < 3; a++)
        brick.cell[a] = cell[a] & (0u - brick.size);
    return brick;
}

/* The brick over a position of the lattice. */
VXK_FN struct vxk_brick vxk_probe_brick_at(const struct vxk_probes *probes, const vxk_i32 *quarter)
{
    struct vxk_brick none = {0u, 0u, {0u, 0u, 0u}};
    vxk_u32 cell[3];
    for (int a = 0; a < 3; a++) {
        if (quarter[a] < 0 || (vxk_u32)quarter[a] > 4u * probes->cells[a])
            return none;
        cell[a] = (vxk_u32)quarter[a] >> 2;
        cell[a] = cell[a] < probes->cells[a] ? cell[a] : probes->cells[a] - 1u;
    }
    return vxk_probe_brick_over(probes, cell);
}

/* The brick under a point relative to the box's minimum, and where in it, 0..1. False where there is none. */
VXK_FN int vxk_probe_locate(const struct vxk_probes *probes, const vxk_f32 *point, struct vxk_brick *brick,
                            vxk_f32 *within)
{
    vxk_u32 cell[3];
    vxk_f32 at[3];
    for (int a = 0; a < 3; a++) {
        if (!(point[a] >= 0.0f && point[a] <= probes->extent[a]))
            return 0;
        at[a] = point[a] / probes->cell_size[a];
        cell[a] = vxk_whole(at[a]);
        cell[a] = cell[a] < probes->cells[a] ? cell[a] : probes->cells[a] - 1u;
    }
    *brick = vxk_probe_brick_over(probes, cell);
    if (brick->size == 0u)
        return 0;
    for (int a = 0; a < 3; a++)
        within[a] = (at[a] - (vxk_f32)brick->cell[a]) / (vxk_f32)brick->size;
    return 1;
}

/* The probe a quarter of the spacing under point off along normal + view. False, and the probe as it was, unless both
 * points lie in a brick. */
VXK_FN int vxk_probe_sample_biased(const struct vxk_probes *probes, const vxk_f32 *point, const vxk_f32 *normal,
                                   const vxk_f32 *view, vxk_f32 *probe)
{
    struct vxk_brick brick;
    vxk_f32 within[3], moved[3];
    if (!vxk_probe_locate(probes, point, &brick, within))
        return 0;
    for (int a = 0; a < 3; a++) {
        vxk_f32 spacing = (vxk_f32)brick.size * probes->cell_size[a] * 0.25f;
        moved[a] = point[a] + 0.25f * spacing * (normal[a] + view[a]);
    }
    if (!vxk_probe_locate(probes, moved, &brick, within))
        return 0;
    vxk_probe_sample(probes, brick.slot, within, probe);
    return 1;
}

/* Irradiance over pi from the biased sample, clamped at 0; 0 where there is none. */
VXK_FN void vxk_probe_irradiance_biased(const struct vxk_probes *probes, const vxk_f32 *point, const vxk_f32 *normal,
                                        const vxk_f32 *view, vxk_f32 *irradiance)
{
    vxk_f32 probe[VXK_PROBE_FLOATS];
    irradiance[0] = irradiance[1] = irradiance[2] = 0.0f;
    if (!vxk_probe_sample_biased(probes, point, normal, view, probe))
        return;
    vxk_probe_irradiance(probe, normal, irradiance);
    for (int c = 0; c < 3; c++)
        irradiance[c] = irradiance[c] > 0.0f ? irradiance[c] : 0.0f;
}

/* ---- borders ---- */

/* What a border texel of a brick holds (one of at is 4). Coarser bricks must have their borders already: theirs are
 * read where one is sampled. Of bricks as large or finer only probes are read, as every position of this lattice is
 * one of theirs; at the grid's far edge their last stands for the plane after it, as in their own borders. So bricks
 * of one size may be done in any order. */
VXK_FN void vxk_probe_border(const struct vxk_probes *probes, const struct vxk_brick *brick, const vxk_u32 *at,
                             vxk_f32 *probe)
{
    vxk_i32 quarter[3];
    vxk_u32 of[3];
    for (int a = 0; a < 3; a++)
        quarter[a] = (vxk_i32)(4u * brick->cell[a] + brick->size * at[a]);
    struct vxk_brick other = vxk_probe_brick_at(probes, quarter);
    if (other.size > brick->size) {
        vxk_f32 within[3];
        for (int a = 0; a < 3; a++)
            within[a] = (vxk_f32)((vxk_u32)quarter[a] - 4u * other.cell[a]) / (vxk_f32)(4u * other.size);
        vxk_probe_sample(probes, other.slot, within, probe);
        return;
    }
    vxk_u32 slot = other.size ? other.slot : brick->slot;
    for (int a = 0; a < 3; a++) {
        of[a] = other.size ? ((vxk_u32)quarter[a] - 4u * other.cell[a]) / other.size : at[a];
        of[a] = of[a] < 3u ? of[a] : 3u;
    }
    vxk_probe_fetch(probes, vxk_probe_texel(probes->slots, slot, of[0], of[1], of[2]), probe);
}

/* ---- dilation ---- */

/* The bit of a probe in its slot's mask of valid ones. */
VXK_FN vxk_u32 vxk_probe_bit(vxk_u32 x, vxk_u32 y, vxk_u32 z)
{
    return (z * 4u + y) * 4u + x;
}

/* The probe of validity 0 at (0..3 an axis) of a brick, repaired from its six neighbours, into probe; how many of
 * them are valid, 0: it stays as it is. valid: for each slot the probes that were valid before the pass; no other
 * probe is read, so the repaired ones may be written meanwhile. Weights are eighths of validities, so that six finite
 * values have a finite sum; one too small for that counts for nothing. */
VXK_FN vxk_u32 vxk_probe_repair(const struct vxk_probes *probes, VXK_GLOBAL const vxk_u64 *valid,
                                const struct vxk_brick *brick, const vxk_u32 *at, vxk_f32 *probe)
{
    vxk_f32 weight = 0.0f;
    vxk_u32 found = 0u;
    for (vxk_u32 k = 0; k < VXK_PROBE_FLOATS; k++)
        probe[k] = 0.0f;
    for (int side = 0; side < 6; side++) {
        vxk_i32 quarter[3];
        vxk_u32 of[3];
        for (int a = 0; a < 3; a++)
            quarter[a] = (vxk_i32)(4u * brick->cell[a] + brick->size * at[a]);
        quarter[side >> 1] += side & 1 ? -(vxk_i32)brick->size : (vxk_i32)brick->size;
        struct vxk_brick other = vxk_probe_brick_at(probes, quarter);
        if (other.size == 0u)
            continue;
        for (int a = 0; a < 3; a++) {
            of[a] = (2u * ((vxk_u32)quarter[a] - 4u * other.cell[a]) + other.size) / (2u * other.size);
            of[a] = of[a] < 3u ? of[a] : 3u;
        }
        if (!(valid[other.slot] >> vxk_probe_bit(of[0], of[1], of[2]) & 1u))
            continue;
        VXK_GLOBAL const vxk_f32 *from =
            probes->texels +
            (vxk_u64)vxk_probe_texel(probes->slots, other.slot, of[0], of[1], of[2]) * VXK_PROBE_FLOATS;
        vxk_f32 part = from[VXK_PROBE_VALIDITY] * 0.125f;
        if (!(part > 0.0f))
            continue;
        for (vxk_u32 k = 0; k < VXK_PROBE_FLOATS; k++)
            probe[k] = probe[k] + from[k] * part;
        weight = weight + part;
        found++;
    }
    if (found == 0u)
        return 0u;
    for (vxk_u32 k = 0; k < VXK_PROBE_FLOATS; k++)
        probe[k] = probe[k] / weight;
    probe[VXK_PROBE_VALIDITY] = 8.0f * weight / (vxk_f32)found;
    return found;
}

#endif
