/* One candidate from its number to its record, over a terrain that lies whole in memory: what each work item of
 * scatter.cl does. The formulas are the other headers'; here they are put together, for a device as for the host. */
#ifndef VXK_SCATTER_H
#define VXK_SCATTER_H

#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"
#include "vxk_order.h"
#include "vxk_samples.h"

/* All that is the same for every candidate of a bake, in one block of 32-bit words. */
struct vxk_scatter {
    struct vxk_field field;
    struct vxk_species species[4];
    struct vxk_map_size exclude, scale;
    struct vxk_map_size layer[4]; /* of each species */
    vxk_u32 has_holes;
};

/* What of the terrain is sampled. */
struct vxk_terrain {
    VXK_GLOBAL const vxk_u16 *heights;
    VXK_GLOBAL const vxk_u8 *holes; /* a bit a sample */
    VXK_GLOBAL const vxk_u8 *exclude;
    VXK_GLOBAL const vxk_u8 *scale;
    VXK_GLOBAL const vxk_u8 *layer[4]; /* of each species */
};

#define VXK_LANES 32u         /* items that put a bucket in order */
#define VXK_BUCKET_BLADES 24u /* in a bucket, the mean at most */
#define VXK_BUCKET_SLOTS 64u  /* of a bucket, where the mean is the most */
#define VXK_TALLIES (4u * VXK_REASONS) /* of a cell */
#define VXK_TILE_TALLIES 2u            /* behind those of all cells: the fullest bucket's blades, ties */
#define VXK_WANTS_BLADES 1u
#define VXK_WANTS_RANKS 2u
#define VXK_WANTS_VERDICTS 4u
#define VXK_WANTS_TIES 8u
#define VXK_FEW_BLADES 16u /* with VXK_WANTS_BLADES: no item is likely to have one */

struct vxk_candidate {
    vxk_u32 hash, species, reason, rank;
    vxk_f32 x, z; /* metres from the cell's first corner */
    vxk_f32 y, nx, ny, nz, scale;
};

/* The bilinear sample / 255 at (u, v) metres from the terrain's first sample. */
VXK_FN vxk_f32 vxk_map_at(VXK_CONSTANT const struct vxk_field *f, VXK_GLOBAL const vxk_u8 *samples,
                          struct vxk_map_size size, vxk_f32 u, vxk_f32 v)
{
    vxk_f32 a = vxk_map_axis(u, size.width, (vxk_u32)f->last_x + 1u, f->quad, f->width);
    vxk_f32 b = vxk_map_axis(v, size.height, (vxk_u32)f->last_z + 1u, f->quad, f->depth);
    vxk_i32 i = vxk_clamp_index(vxk_floor(a), (vxk_i32)size.width - 1);
    vxk_i32 j = vxk_clamp_index(vxk_floor(b), (vxk_i32)size.height - 1);
    return vxk_bilinear(vxk_byte(samples, size, i, j), vxk_byte(samples, size, i + 1, j),
                        vxk_byte(samples, size, i, j + 1), vxk_byte(samples, size, i + 1, j + 1), a - (vxk_f32)i,
                        b - (vxk_f32)j) / 255.0f;
}

VXK_FN vxk_u32 vxk_excluded_at(VXK_CONSTANT const struct vxk_field *f, VXK_GLOBAL const vxk_u8 *samples,
                               struct vxk_map_size size, vxk_f32 u, vxk_f32 v)
{
    vxk_f32 a = vxk_map_axis(u, size.width, (vxk_u32)f->last_x + 1u, f->quad, f->width);
    vxk_f32 b = vxk_map_axis(v, size.height, (vxk_u32)f->last_z + 1u, f->quad, f->depth);
    return (vxk_u32)(vxk_byte(samples, size, vxk_floor(a + 0.5f), vxk_floor(b + 0.5f)) >= 128.0f);
}

/* Selects: an array of a work item's own that is indexed goes to a GPU's slow memory. */
VXK_FN VXK_GLOBAL const vxk_u8 *vxk_layer_of(struct vxk_terrain t, vxk_u32 species)
{
    VXK_GLOBAL const vxk_u8 *layer = species == 1u ? t.layer[1] : t.layer[0];
    layer = species == 2u ? t.layer[2] : layer;
    return species == 3u ? t.layer[3] : layer;
}

/* Hash, species and place of candidate number i of a cell; nothing else is set. */
VXK_FN struct vxk_candidate vxk_placed_at(VXK_CONSTANT const struct vxk_scatter *s, struct vxk_cell cell, vxk_u32 i)
{
    VXK_CONSTANT const struct vxk_field *f = &s->field;
    struct vxk_candidate c;
    vxk_f32 reach;
    c.hash = vxk_mix(cell.seed, i);
    c.species = f->species_count == 1u ? 0u : vxk_species_of(c.hash, f->bounds[0], f->bounds[1], f->bounds[2]);
    reach = s->species[c.species].reach;
    c.x = vxk_jittered(i % f->side, vxk_draw(c.hash, VXK_STREAM_X), f->step, reach, f->cell_limit);
    c.z = vxk_jittered(i / f->side, vxk_draw(c.hash, VXK_STREAM_Z), f->step, reach, f->cell_limit);
    c.reason = VXK_NO_SURFACE;
    c.rank = 65535u;
    c.y = c.nx = c.nz = c.scale = 0.0f;
    c.ny = 1.0f;
    return c;
}

VXK_FN struct vxk_surface vxk_surface_of(VXK_CONSTANT const struct vxk_field *f, VXK_GLOBAL const vxk_u16 *heights,
                                         vxk_i32 x, vxk_i32 z, vxk_f32 fx, vxk_f32 fz)
{
    vxk_i32 lx = f->last_x, lz = f->last_z;
    struct vxk_taps t;
    t.a0 = vxk_tap(heights, x, z - 1, lx, lz);
    t.a1 = vxk_tap(heights, x + 1, z - 1, lx, lz);
    t.bl = vxk_tap(heights, x - 1, z, lx, lz);
    t.b0 = vxk_tap(heights, x, z, lx, lz);
    t.b1 = vxk_tap(heights, x + 1, z, lx, lz);
    t.br = vxk_tap(heights, x + 2, z, lx, lz);
    t.cl = vxk_tap(heights, x - 1, z + 1, lx, lz);
    t.c0 = vxk_tap(heights, x, z + 1, lx, lz);
    t.c1 = vxk_tap(heights, x + 1, z + 1, lx, lz);
    t.cr = vxk_tap(heights, x + 2, z + 1, lx, lz);
    t.d0 = vxk_tap(heights, x, z + 2, lx, lz);
    t.d1 = vxk_tap(heights, x + 1, z + 2, lx, lz);
    return vxk_surface_at(t, fx, fz, f->min_height, f->height_range, f->origin_y, f->two_quads);
}

/* What of holes and maps decides over a place on the terrain, and the ground there. */
struct vxk_spot {
    struct vxk_surface ground;
    vxk_u32 hole, excluded;
    vxk_f32 weight; /* of the species' layer */
    vxk_f32 k;      /* how willingly that weight lets a blade stand */
    vxk_f32 factor; /* of the scale map */
};

/* At (u, v) metres from the terrain's first sample, which is not outside it. What there is no map of is 1. */
VXK_FN struct vxk_spot vxk_spot_at(VXK_CONSTANT const struct vxk_scatter *s, struct vxk_terrain t, vxk_u32 species,
                                   vxk_f32 u, vxk_f32 v)
{
    VXK_CONSTANT const struct vxk_field *f = &s->field;
    vxk_f32 qu = u / f->quad, qv = v / f->quad;
    vxk_i32 ix = vxk_clamp_index(vxk_floor(qu), f->last_x), iz = vxk_clamp_index(vxk_floor(qv), f->last_z);
    struct vxk_spot spot;
    spot.ground = vxk_surface_of(f, t.heights, ix, iz, qu - (vxk_f32)ix, qv - (vxk_f32)iz);
    spot.hole = spot.excluded = 0u;
    spot.weight = spot.k = spot.factor = 1.0f;
    if (s->has_holes)
        spot.hole = vxk_hole_quad(t.holes, ix, iz, f->last_x, f->last_z);
    if (s->exclude.width)
        spot.excluded = vxk_excluded_at(f, t.exclude, s->exclude, u, v);
    if (s->layer[species].width) {
        spot.weight = vxk_map_at(f, vxk_layer_of(t, species), s->layer[species], u, v);
        spot.k = vxk_smooth(spot.weight, s->species[species].min_weight, s->species[species].weight_span);
    }
    if (s->scale.width)
        spot.factor = vxk_map_at(f, t.scale, s->scale, u, v);
    return spot;
}

/* The whole of a candidate that vxk_placed_at() placed on the terrain, at a spot of it. */
VXK_FN struct vxk_candidate vxk_judged_at(VXK_CONSTANT const struct vxk_scatter *s, struct vxk_spot spot,
                                          struct vxk_candidate c)
{
    VXK_CONSTANT const struct vxk_species *own = &s->species[c.species];
    vxk_u32 rank;
    c.scale = vxk_scale(c.hash, own->min_scale, own->scale_span);
    if (s->scale.width)
        c.scale = c.scale * spot.factor;
    c.y = spot.ground.y;
    c.nx = spot.ground.nx;
    c.ny = spot.ground.ny;
    c.nz = spot.ground.nz;
    c.reason = vxk_verdict(spot.hole, spot.excluded, c.scale, c.ny, own->cos_slope, c.y, own->low, own->high,
                           vxk_draw(c.hash, VXK_STREAM_DENSITY), spot.k, s->field.rank_cut, &rank);
    c.rank = rank;
    return c;
}

/* The whole of candidate number i. */
VXK_FN struct vxk_candidate vxk_judged(VXK_CONSTANT const struct vxk_scatter *s, struct vxk_terrain t,
                                       struct vxk_cell cell, vxk_u32 i)
{
    struct vxk_candidate c = vxk_placed_at(s, cell, i);
    vxk_f32 u = cell.base_x + c.x, v = cell.base_z + c.z;
    return vxk_outside(u, v, s->field.width, s->field.depth)
               ? c
               : vxk_judged_at(s, vxk_spot_at(s, t, c.species, u, v), c);
}

VXK_FN struct vxk_record vxk_record_of(VXK_CONSTANT const struct vxk_scatter *s, struct vxk_cell cell,
                                       struct vxk_candidate c)
{
    struct vxk_up up = vxk_up_of(c.nx, c.ny, c.nz, s->species[c.species].align_to_normal);
    return vxk_pack(c.hash, c.rank, c.x, c.z, c.y, c.scale, up, s->species[c.species].random_yaw, s->field.cell_size,
                    cell.min_y, cell.max_y);
}

#endif
