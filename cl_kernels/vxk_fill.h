/* One probe from its place to its numbers: the light that comes along each ray, summed in the rays' order. What each
 * work item of fill.cl does, and what the CPU does. */
#ifndef VXK_FILL_H
#define VXK_FILL_H

#include "vxk_probe.h"
#include "vxk_relief.h"
#include "vxk_sky.h"

#define VXK_PROBES_A_BRICK 64u
#define VXK_SURFACE_OFF 0.02f /* metres above a surface, where the light that it sends back is gathered */
#define VXK_SHARE_LEAST 1e-6f /* a sum of layer weights up to this is none */

/* A painted layer of the ground: where its bytes begin, how many, and its albedo. 6 words. */
struct vxk_layer {
    vxk_u32 at;
    struct vxk_map_size size;
    struct vxk_vec albedo;
};

/* All that is the same for every probe of a pass, in 32-bit words. */
struct vxk_fill {
    vxk_u32 rays, shape_count, layer_count, has_sun;
    vxk_u32 bounce;         /* whether there is a pass before whose light comes back */
    vxk_u32 cells[3], slots[3];
    vxk_f32 cell_size[3], extent[3];
    vxk_f32 solid_angle;    /* of a ray */
    vxk_f32 max_distance;
    struct vxk_vec sun, sun_radiance; /* towards it; its irradiance over pi */
    struct vxk_vec ground_albedo, ground_emission;
    struct vxk_sky sky;
    struct vxk_relief relief;
};

/* The arrays that go with it. */
struct vxk_scene {
    VXK_GLOBAL const struct vxk_shape *shapes;
    struct vxk_relief_samples relief;
    VXK_GLOBAL const struct vxk_layer *layers;
    VXK_GLOBAL const vxk_u8 *weights;
    VXK_GLOBAL const vxk_f32 *sky;
    VXK_GLOBAL const vxk_f32 *directions; /* three a ray */
    VXK_GLOBAL const vxk_f32 *texels;     /* of the pass before */
    VXK_GLOBAL const vxk_u32 *indirection;
};

/* Where a ray ends on a surface. */
struct vxk_met {
    struct vxk_vec point, normal, albedo, emission;
};

/* ---- the ground's colour ---- */

/* The bilinear weight of a layer, 0..255, at a place in quads from the terrain's first sample. */
VXK_FN vxk_f32 vxk_layer_weight(VXK_CONSTANT const struct vxk_relief *r, VXK_GLOBAL const vxk_u8 *samples,
                                struct vxk_map_size size, vxk_f32 x, vxk_f32 z)
{
    vxk_f32 a = vxk_map_axis(x, size.width, (vxk_u32)r->quads_x + 1u, 1.0f, (vxk_f32)r->quads_x);
    vxk_f32 b = vxk_map_axis(z, size.height, (vxk_u32)r->quads_z + 1u, 1.0f, (vxk_f32)r->quads_z);
    vxk_i32 i = vxk_clamp_index(vxk_floor(a), (vxk_i32)size.width - 1);
    vxk_i32 j = vxk_clamp_index(vxk_floor(b), (vxk_i32)size.height - 1);
    return vxk_bilinear(vxk_byte(samples, size, i, j), vxk_byte(samples, size, i + 1, j),
                        vxk_byte(samples, size, i, j + 1), vxk_byte(samples, size, i + 1, j + 1), a - (vxk_f32)i,
                        b - (vxk_f32)j);
}

VXK_FN struct vxk_vec vxk_ground_albedo(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s,
                                        struct vxk_relief_point at)
{
    struct vxk_vec sum = vxk_vec_of(0.0f, 0.0f, 0.0f);
    vxk_f32 weight = 0.0f, x = (vxk_f32)at.quad_x + at.u, z = (vxk_f32)at.quad_z + at.v;
    vxk_u32 i;
    for (i = 0u; i < f->layer_count; i++) {
        VXK_GLOBAL const struct vxk_layer *layer = s->layers + i;
        vxk_f32 w = vxk_layer_weight(&f->relief, s->weights + layer->at, layer->size, x, z);
        sum = vxk_vec_along(sum, layer->albedo, w);
        weight += w;
    }
    if (!(weight > VXK_SHARE_LEAST))
        return f->ground_albedo;
    return vxk_vec_of(sum.x / weight, sum.y / weight, sum.z / weight);
}

/* ---- a ray ---- */

/* Whether a point is inside anything. */
VXK_FN vxk_u32 vxk_scene_inside(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec p)
{
    vxk_u32 which;
    if (f->relief.quads_x && vxk_relief_inside(&f->relief, s->relief, p))
        return 1u;
    return (vxk_u32)(vxk_shapes_distance(s->shapes, f->shape_count, p, &which) < 0.0f);
}

/* What a ray meets first, the ground where both are as near; 0 where it meets nothing. */
VXK_FN vxk_u32 vxk_scene_meets(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec from,
                               struct vxk_vec direction, struct vxk_met *met)
{
    vxk_f32 shape_t = -1.0f, t = -1.0f, most = f->max_distance;
    vxk_u32 which = 0u;
    struct vxk_relief_point at = {0, 0, 0.0f, 0.0f};
    /* The ground first: it is the cheaper one, and most rays that it ends need few steps along the shapes. */
    if (f->relief.quads_x)
        t = vxk_relief_march(&f->relief, s->relief, from, direction, most, f->relief.levels, &at);
    if (f->shape_count)
        shape_t = vxk_shapes_march(s->shapes, f->shape_count, from, direction, t >= 0.0f ? t : most, &which);
    if (t >= 0.0f && !(shape_t >= 0.0f && shape_t < t)) {
        met->point = vxk_vec_along(from, direction, t);
        met->normal = vxk_relief_normal(&f->relief, s->relief, at);
        met->albedo = vxk_ground_albedo(f, s, at);
        met->emission = f->ground_emission;
        return 1u;
    }
    if (shape_t < 0.0f)
        return 0u;
    met->point = vxk_vec_along(from, direction, shape_t);
    met->normal = vxk_shape_normal(s->shapes[which], met->point);
    met->albedo = s->shapes[which].albedo;
    met->emission = s->shapes[which].emission;
    return 1u;
}

/* How much of the sun arrives at a point, 0 to 1; all of it where there is no sun. */
VXK_FN vxk_f32 vxk_scene_sun(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec p)
{
    struct vxk_relief_point at;
    if (!f->has_sun)
        return 1.0f;
    if (f->relief.quads_x && vxk_relief_march(&f->relief, s->relief, p, f->sun, f->max_distance, f->relief.levels,
                                              &at) >= 0.0f)
        return 0.0f;
    return vxk_shapes_light(s->shapes, f->shape_count, p, f->sun, f->max_distance);
}

/* The light of the pass before at a point of a surface. */
VXK_FN struct vxk_vec vxk_scene_bounced(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s,
                                        struct vxk_vec p, struct vxk_vec normal)
{
    struct vxk_probes probes;
    vxk_f32 point[3], n[3], view[3], light[3];
    vxk_u32 a;
    probes.texels = s->texels;
    probes.indirection = s->indirection;
    for (a = 0u; a < 3u; a++) {
        probes.cells[a] = f->cells[a];
        probes.slots[a] = f->slots[a];
        probes.cell_size[a] = f->cell_size[a];
        probes.extent[a] = f->extent[a];
        view[a] = 0.0f;
    }
    point[0] = p.x;
    point[1] = p.y;
    point[2] = p.z;
    n[0] = normal.x;
    n[1] = normal.y;
    n[2] = normal.z;
    vxk_probe_irradiance_biased(&probes, point, n, view, light);
    return vxk_vec_of(light[0], light[1], light[2]);
}

/* What a surface sends back: emission + albedo * (sun + light of the pass before). */
VXK_FN struct vxk_vec vxk_scene_radiance(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s,
                                         const struct vxk_met *met)
{
    struct vxk_vec off = vxk_vec_along(met->point, met->normal, VXK_SURFACE_OFF);
    struct vxk_vec light = vxk_vec_of(0.0f, 0.0f, 0.0f);
    vxk_f32 facing = vxk_vec_dot(met->normal, f->sun);
    if (met->albedo.x == 0.0f && met->albedo.y == 0.0f && met->albedo.z == 0.0f)
        return met->emission;
    if (f->has_sun && facing > 0.0f)
        light = vxk_vec_scale(f->sun_radiance, facing * vxk_scene_sun(f, s, off));
    if (f->bounce)
        light = vxk_vec_add(light, vxk_scene_bounced(f, s, off, met->normal));
    return vxk_vec_add(met->emission, vxk_vec_multiply(met->albedo, light));
}

/* ---- a probe ---- */

/* Where a probe lies, from the box's minimum: i of 64, x fastest, of a brick of the table. */
VXK_FN struct vxk_vec vxk_probe_place(VXK_CONSTANT const struct vxk_fill *f, const vxk_u32 *cell, vxk_u32 size,
                                      vxk_u32 i)
{
    vxk_u32 x = 4u * cell[0] + size * (i & 3u), y = 4u * cell[1] + size * (i >> 2 & 3u);
    vxk_u32 z = 4u * cell[2] + size * (i >> 4);
    return vxk_vec_of((vxk_f32)(vxk_i32)x * 0.25f * f->cell_size[0], (vxk_f32)(vxk_i32)y * 0.25f * f->cell_size[1],
                      (vxk_f32)(vxk_i32)z * 0.25f * f->cell_size[2]);
}

VXK_FN void vxk_fill_add(vxk_f32 *probe, struct vxk_vec direction, struct vxk_vec light)
{
    vxk_f32 d[3], basis[4];
    vxk_u32 k;
    d[0] = direction.x;
    d[1] = direction.y;
    d[2] = direction.z;
    vxk_sh_basis(d, basis);
    for (k = 0u; k < 4u; k++) {
        probe[3u * k] += light.x * basis[k];
        probe[3u * k + 1u] += light.y * basis[k];
        probe[3u * k + 2u] += light.z * basis[k];
    }
}

/* Adds the rays from first to end - 1 to a probe; how many of them met a surface from behind. */
VXK_FN vxk_u32 vxk_fill_rays(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec p,
                             vxk_u32 first, vxk_u32 end, vxk_f32 *probe)
{
    vxk_u32 i, behind = 0u;
    for (i = first; i < end; i++) {
        VXK_GLOBAL const vxk_f32 *to = s->directions + 3u * i;
        struct vxk_vec direction = vxk_vec_of(to[0], to[1], to[2]), light;
        struct vxk_met met;
        if (vxk_scene_meets(f, s, p, direction, &met)) {
            behind += (vxk_u32)(vxk_vec_dot(met.normal, direction) > 0.0f);
            light = vxk_scene_radiance(f, s, &met);
        } else {
            light = vxk_sky_radiance(&f->sky, s->sky, direction);
        }
        vxk_fill_add(probe, direction, light);
    }
    return behind;
}

/* What is left to do when all rays were added. */
VXK_FN void vxk_fill_end(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec p,
                         vxk_u32 behind, vxk_f32 *probe)
{
    vxk_u32 k;
    for (k = 0u; k < VXK_PROBE_VALIDITY; k++)
        probe[k] *= f->solid_angle;
    probe[VXK_PROBE_VALIDITY] = 1.0f - (vxk_f32)(vxk_i32)behind / (vxk_f32)(vxk_i32)f->rays;
    probe[VXK_PROBE_SHADOW] = vxk_scene_sun(f, s, p);
}

/* A probe, VXK_PROBE_FLOATS numbers: its rays from first to end - 1. It is done when all were traced, from 0 on, in as
 * many parts as one likes: between two of them it holds sums, how many rays met a surface from behind, and in the place
 * of the shadow 1, or 0 where it is inside of anything; there it is all zero, and stays so. */
VXK_FN void vxk_fill_probe(VXK_CONSTANT const struct vxk_fill *f, const struct vxk_scene *s, struct vxk_vec p,
                           vxk_u32 first, vxk_u32 end, vxk_f32 *probe)
{
    vxk_u32 k, behind;
    if (first == 0u) {
        for (k = 0u; k < VXK_PROBE_FLOATS; k++)
            probe[k] = 0.0f;
        probe[VXK_PROBE_SHADOW] = vxk_scene_inside(f, s, p) ? 0.0f : 1.0f;
    }
    if (probe[VXK_PROBE_SHADOW] == 0.0f)
        return;
    behind = vxk_fill_rays(f, s, p, first, end, probe) + vxk_whole(probe[VXK_PROBE_VALIDITY]);
    if (end == f->rays)
        vxk_fill_end(f, s, p, behind, probe);
    else
        probe[VXK_PROBE_VALIDITY] = (vxk_f32)(vxk_i32)behind;
}

#endif
