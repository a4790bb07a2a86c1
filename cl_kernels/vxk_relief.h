/* A ray against the ground: f = height of the ray's point over the bilinear patch beneath it, quad after quad.
 *
 * Distances along the ground are in quads from the quad beneath the field's first corner, so that an f32 has its digits
 * where the probes are; quads are numbered from the terrain's first. A border is met at a t that depends on the ray and
 * the border alone, x before z where they are met at once: whoever gets to a quad, by whatever way, enters and leaves
 * it at the same t. That is why the pyramid of maxima, which takes the ray past blocks of quads that it is clear of,
 * changes no answer. */
#ifndef VXK_RELIEF_H
#define VXK_RELIEF_H

#include "vxk_samples.h"
#include "vxk_shape.h"

#define VXK_RELIEF_LEVELS 16
#define VXK_RELIEF_STILL 1e-12f /* quads a metre, below which a ray does not move along an axis */

/* 29 words. */
struct vxk_relief {
    vxk_i32 quads_x, quads_z; /* of the terrain; 0: there is none */
    vxk_i32 base_x, base_z;   /* number of the quad beneath the field's first corner, which may lie off the terrain */
    vxk_f32 first_x, first_z; /* where that corner lies in the quad, 0..1 */
    vxk_f32 per_metre;        /* quads */
    vxk_f32 height, scale;    /* metres of raw 0, from the corner; metres a raw step */
    vxk_f32 top;              /* no ground is higher, with the margin */
    vxk_f32 margin;           /* metres that a ray is over a block's maximum if it is to be clear of it */
    vxk_u32 has_holes;
    vxk_i32 levels;           /* of maxima: level k, 1..levels, has one for each block of 2^k quads a side */
    vxk_u32 level_at[VXK_RELIEF_LEVELS]; /* of level k + 1 in the array of maxima */
};

struct vxk_relief_samples {
    VXK_GLOBAL const vxk_u16 *heights;
    VXK_GLOBAL const vxk_u8 *holes;
    VXK_GLOBAL const vxk_u16 *peaks;
};

struct vxk_relief_ray {
    vxk_f32 x, z, y;            /* where it starts: quads, metres */
    vxk_f32 dx, dz, dy;         /* a metre along it */
    vxk_f32 inverse_x, inverse_z;
    vxk_i32 step_x, step_z;     /* -1, 0, 1 */
};

/* Where on the ground: the quad and the place within it. */
struct vxk_relief_point {
    vxk_i32 quad_x, quad_z;
    vxk_f32 u, v;
};

/* A quad's patch: raw height r + a u + b v + c u v. */
struct vxk_patch {
    vxk_f32 r, a, b, c;
};

VXK_FN struct vxk_patch vxk_patch_of(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s, vxk_i32 x,
                                     vxk_i32 z)
{
    VXK_GLOBAL const vxk_u16 *row = s.heights + (vxk_u32)z * (vxk_u32)(r->quads_x + 1) + (vxk_u32)x;
    vxk_f32 h00 = (vxk_f32)(vxk_i32)row[0], h10 = (vxk_f32)(vxk_i32)row[1];
    vxk_f32 h01 = (vxk_f32)(vxk_i32)row[r->quads_x + 1], h11 = (vxk_f32)(vxk_i32)row[r->quads_x + 2];
    struct vxk_patch p;
    p.r = h00;
    p.a = h10 - h00;
    p.b = h01 - h00;
    p.c = h11 - h10 - h01 + h00;
    return p;
}

VXK_FN vxk_u32 vxk_relief_hole(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s, vxk_i32 x,
                               vxk_i32 z)
{
    return r->has_holes ? vxk_hole_quad(s.holes, x, z, r->quads_x, r->quads_z) : 0u;
}

/* Metres from the field's first corner. */
VXK_FN vxk_f32 vxk_patch_height(VXK_CONSTANT const struct vxk_relief *r, struct vxk_patch p, vxk_f32 u, vxk_f32 v)
{
    return r->height + r->scale * (p.r + p.a * u + p.b * v + p.c * u * v);
}

/* The patch's normal, upward. */
VXK_FN struct vxk_vec vxk_relief_normal(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s,
                                        struct vxk_relief_point at)
{
    struct vxk_patch p = vxk_patch_of(r, s, at.quad_x, at.quad_z);
    vxk_f32 slope = r->scale * r->per_metre;
    return vxk_vec_unit(vxk_vec_of(-(slope * (p.a + p.c * at.v)), 1.0f, -(slope * (p.b + p.c * at.u))));
}

/* Along an axis, in quads from the one beneath the corner; of a point, metres from the corner. */
VXK_FN vxk_f32 vxk_relief_axis(vxk_f32 metres, vxk_f32 per_metre, vxk_f32 first)
{
    return metres * per_metre + first;
}

/* Whether a point is in the ground: below it, over no hole, on the terrain. */
VXK_FN vxk_u32 vxk_relief_inside(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s, struct vxk_vec p)
{
    vxk_f32 x = vxk_relief_axis(p.x, r->per_metre, r->first_x), z = vxk_relief_axis(p.z, r->per_metre, r->first_z);
    vxk_i32 quad_x, quad_z;
    vxk_f32 u, v;
    if (!(x >= (vxk_f32)-r->base_x && x <= (vxk_f32)(r->quads_x - r->base_x) && z >= (vxk_f32)-r->base_z &&
          z <= (vxk_f32)(r->quads_z - r->base_z)))
        return 0u;
    quad_x = vxk_clamp_index(vxk_floor(x) + r->base_x, r->quads_x - 1);
    quad_z = vxk_clamp_index(vxk_floor(z) + r->base_z, r->quads_z - 1);
    if (vxk_relief_hole(r, s, quad_x, quad_z))
        return 0u;
    u = vxk_clamp(x - (vxk_f32)(quad_x - r->base_x), 0.0f, 1.0f);
    v = vxk_clamp(z - (vxk_f32)(quad_z - r->base_z), 0.0f, 1.0f);
    return (vxk_u32)(p.y - vxk_patch_height(r, vxk_patch_of(r, s, quad_x, quad_z), u, v) < 0.0f);
}

/* ---- along a ray ---- */

VXK_FN vxk_i32 vxk_relief_step(vxk_f32 d)
{
    return d > VXK_RELIEF_STILL ? 1 : d < -VXK_RELIEF_STILL ? -1 : 0;
}

VXK_FN struct vxk_relief_ray vxk_relief_ray_of(VXK_CONSTANT const struct vxk_relief *r, struct vxk_vec from,
                                               struct vxk_vec direction)
{
    struct vxk_relief_ray ray;
    ray.x = vxk_relief_axis(from.x, r->per_metre, r->first_x);
    ray.z = vxk_relief_axis(from.z, r->per_metre, r->first_z);
    ray.y = from.y;
    ray.dx = direction.x * r->per_metre;
    ray.dz = direction.z * r->per_metre;
    ray.dy = direction.y;
    ray.step_x = vxk_relief_step(ray.dx);
    ray.step_z = vxk_relief_step(ray.dz);
    ray.inverse_x = ray.step_x ? 1.0f / ray.dx : 0.0f;
    ray.inverse_z = ray.step_z ? 1.0f / ray.dz : 0.0f;
    return ray;
}

/* When a ray meets a border, of number k on its axis less the base; it rises with k along the ray. */
VXK_FN vxk_f32 vxk_relief_meets(vxk_i32 k, vxk_f32 start, vxk_f32 inverse, vxk_i32 step)
{
    return step ? ((vxk_f32)k - start) * inverse : VXK_FAR;
}

/* The quad of an axis at t: of the borders ahead, those met before t are behind it, and those met at t where inclusive.
 * The first guess is a rounding away. */
VXK_FN vxk_i32 vxk_relief_quad_at(vxk_f32 t, vxk_u32 inclusive, vxk_f32 start, vxk_f32 d, vxk_f32 inverse, vxk_i32 step,
                                  vxk_i32 base, vxk_i32 quads)
{
    vxk_f32 place = vxk_clamp(start + d * t, (vxk_f32)-base, (vxk_f32)(quads - base));
    vxk_i32 quad = vxk_clamp_index(vxk_floor(place) + base, quads - 1), far = step > 0 ? 1 : 0;
    vxk_f32 m;
    if (!step)
        return quad;
    for (;;) { /* on, over borders that are behind t */
        vxk_i32 next = quad + step;
        m = vxk_relief_meets(quad + far - base, start, inverse, step);
        if (next < 0 || next >= quads || !(m < t || (inclusive && m == t)))
            break;
        quad = next;
    }
    for (;;) { /* back, over borders that are not; what lies behind the start is behind at any t */
        vxk_i32 before = quad - step;
        m = vxk_relief_meets(quad + 1 - far - base, start, inverse, step);
        if (before < 0 || before >= quads || m < t || (inclusive && m == t) || m <= 0.0f)
            break;
        quad = before;
    }
    return quad;
}

/* Between which t an axis is over the terrain; never where *from comes out above *to. */
VXK_FN void vxk_relief_over(vxk_f32 start, vxk_f32 inverse, vxk_i32 step, vxk_i32 base, vxk_i32 quads, vxk_f32 *from,
                            vxk_f32 *to)
{
    if (!step) {
        if (!(start >= (vxk_f32)-base && start <= (vxk_f32)(quads - base)))
            *from = VXK_FAR;
        return;
    }
    *from = vxk_relief_meets(step > 0 ? -base : quads - base, start, inverse, step);
    *to = vxk_relief_meets(step > 0 ? quads - base : -base, start, inverse, step);
}

/* Where within [0, length] from its entry on a ray goes through a quad's ground, above 1: from above, 0: from below.
 * -1: nowhere. A, B, C: of f = A t^2 + B t + C. The root where f falls is (-B - sqrt(D)) / 2A, the other where it
 * rises. */
VXK_FN vxk_f32 vxk_relief_root(vxk_f32 a, vxk_f32 b, vxk_f32 c, vxk_u32 above, vxk_f32 length)
{
    vxk_f32 t, d, root, q;
    if (a == 0.0f) {
        if (above ? !(b < 0.0f) : !(b > 0.0f))
            return -1.0f;
        t = -c / b;
    } else {
        d = b * b - 4.0f * a * c;
        if (!(d > 0.0f))
            return -1.0f;
        root = vxk_sqrt(d);
        q = b < 0.0f ? -(b - root) / 2.0f : -(b + root) / 2.0f;
        t = (above != 0u) == (b >= 0.0f) ? q / a : c / q;
    }
    return t >= 0.0f && t <= length ? t : -1.0f;
}

#define VXK_RELIEF_BELOW 0u
#define VXK_RELIEF_ABOVE 1u
#define VXK_RELIEF_UNKNOWN 2u

/* A quad, entered at t and left at exit: where the ray goes through the ground, or -1. *side: on which it comes, and
 * which it leaves with. */
VXK_FN vxk_f32 vxk_relief_quad(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s,
                               const struct vxk_relief_ray *ray, vxk_i32 x, vxk_i32 z, vxk_f32 t, vxk_f32 exit,
                               vxk_u32 *side)
{
    struct vxk_patch p;
    vxk_f32 u, v, a, b, c, root;
    vxk_u32 above;
    if (vxk_relief_hole(r, s, x, z)) {
        *side = VXK_RELIEF_UNKNOWN;
        return -1.0f;
    }
    p = vxk_patch_of(r, s, x, z);
    u = vxk_clamp(ray->x + ray->dx * t - (vxk_f32)(x - r->base_x), 0.0f, 1.0f);
    v = vxk_clamp(ray->z + ray->dz * t - (vxk_f32)(z - r->base_z), 0.0f, 1.0f);
    c = ray->y + ray->dy * t - vxk_patch_height(r, p, u, v);
    above = c < 0.0f ? VXK_RELIEF_BELOW : VXK_RELIEF_ABOVE;
    if (*side != VXK_RELIEF_UNKNOWN && *side != above)
        return t;
    *side = above;
    b = ray->dy - r->scale * (p.a * ray->dx + p.b * ray->dz + p.c * (u * ray->dz + v * ray->dx));
    a = -(r->scale * p.c * ray->dx * ray->dz);
    root = vxk_relief_root(a, b, c, above, exit - t);
    return root < 0.0f ? -1.0f : t + root;
}

/* Number of a block's border ahead, on one axis. */
VXK_FN vxk_i32 vxk_relief_ahead(vxk_i32 quad, vxk_i32 level, vxk_i32 step, vxk_i32 quads)
{
    vxk_i32 block = quad >> level, border = (step > 0 ? block + 1 : block) << level;
    return border > quads ? quads : border;
}

/* Whether a ray that is at height low at least is clear of a block. */
VXK_FN vxk_u32 vxk_relief_clear(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s, vxk_i32 x,
                                vxk_i32 z, vxk_i32 level, vxk_f32 low)
{
    vxk_i32 width = ((r->quads_x - 1) >> level) + 1;
    vxk_u32 at = r->level_at[level - 1] + (vxk_u32)(z >> level) * (vxk_u32)width + (vxk_u32)(x >> level);
    return (vxk_u32)(low > r->height + r->scale * (vxk_f32)(vxk_i32)s.peaks[at] + r->margin);
}

/* Where a walk along a ray is: the quad, entered at t, and the end of it all. */
struct vxk_relief_walk {
    vxk_f32 t, end;
    vxk_i32 x, z;
};

/* Where the walk begins; 0 where the ray does not come over the terrain within most, or, where clip, only above every
 * peak: once over them it stays there. */
VXK_FN vxk_u32 vxk_relief_enter(VXK_CONSTANT const struct vxk_relief *r, const struct vxk_relief_ray *ray, vxk_f32 most,
                                vxk_u32 clip, struct vxk_relief_walk *w)
{
    vxk_f32 from_x = 0.0f, from_z = 0.0f, to_x = VXK_FAR, to_z = VXK_FAR;
    vxk_relief_over(ray->x, ray->inverse_x, ray->step_x, r->base_x, r->quads_x, &from_x, &to_x);
    vxk_relief_over(ray->z, ray->inverse_z, ray->step_z, r->base_z, r->quads_z, &from_z, &to_z);
    w->t = vxk_most(0.0f, vxk_most(from_x, from_z));
    w->end = vxk_least(most, vxk_least(to_x, to_z));
    if (clip && ray->dy > 0.0f)
        w->end = vxk_least(w->end, (r->top - ray->y) / ray->dy);
    if (!(w->t <= w->end))
        return 0u;
    /* From outside, the borders met on the way are behind; a start on a border is in the quad that begins there. */
    w->x = vxk_relief_quad_at(w->t, (vxk_u32)(from_z > from_x), ray->x, ray->dx, ray->inverse_x,
                              w->t > 0.0f ? ray->step_x : 0, r->base_x, r->quads_x);
    w->z = vxk_relief_quad_at(w->t, 0u, ray->z, ray->dz, ray->inverse_z, w->t > 0.0f ? ray->step_z : 0, r->base_z,
                              r->quads_z);
    return 1u;
}

/* Over a block's border at t, of x or of z; 0 where the terrain ends there. */
VXK_FN vxk_u32 vxk_relief_cross(VXK_CONSTANT const struct vxk_relief *r, const struct vxk_relief_ray *ray, vxk_u32 by_x,
                                vxk_i32 border, vxk_i32 level, vxk_f32 t, struct vxk_relief_walk *w)
{
    if (by_x) {
        w->x = ray->step_x > 0 ? border : border - 1;
        if (level > 0)
            w->z = vxk_relief_quad_at(t, 0u, ray->z, ray->dz, ray->inverse_z, ray->step_z, r->base_z, r->quads_z);
    } else {
        w->z = ray->step_z > 0 ? border : border - 1;
        if (level > 0)
            w->x = vxk_relief_quad_at(t, 1u, ray->x, ray->dx, ray->inverse_x, ray->step_x, r->base_x, r->quads_x);
    }
    w->t = t;
    return (vxk_u32)(w->x >= 0 && w->x < r->quads_x && w->z >= 0 && w->z < r->quads_z);
}

VXK_FN struct vxk_relief_point vxk_relief_point_at(VXK_CONSTANT const struct vxk_relief *r,
                                                   const struct vxk_relief_ray *ray, vxk_i32 x, vxk_i32 z, vxk_f32 t)
{
    struct vxk_relief_point at;
    at.quad_x = x;
    at.quad_z = z;
    at.u = vxk_clamp(ray->x + ray->dx * t - (vxk_f32)(x - r->base_x), 0.0f, 1.0f);
    at.v = vxk_clamp(ray->z + ray->dz * t - (vxk_f32)(z - r->base_z), 0.0f, 1.0f);
    return at;
}

/* How far along a ray, in [0, most], it goes through the ground, and where that is; -1 where it does not. levels:
 * r->levels, or 0 to look at every quad, with the same result. */
VXK_FN vxk_f32 vxk_relief_march(VXK_CONSTANT const struct vxk_relief *r, struct vxk_relief_samples s,
                                struct vxk_vec from, struct vxk_vec direction, vxk_f32 most, vxk_i32 levels,
                                struct vxk_relief_point *at)
{
    const struct vxk_relief_ray ray = vxk_relief_ray_of(r, from, direction);
    struct vxk_relief_walk w;
    vxk_i32 level = levels;
    vxk_u32 side = VXK_RELIEF_UNKNOWN;
    if (!vxk_relief_enter(r, &ray, most, (vxk_u32)levels, &w))
        return -1.0f;
    for (;;) {
        vxk_i32 border_x = vxk_relief_ahead(w.x, level, ray.step_x, r->quads_x);
        vxk_i32 border_z = vxk_relief_ahead(w.z, level, ray.step_z, r->quads_z);
        vxk_f32 meets_x = vxk_relief_meets(border_x - r->base_x, ray.x, ray.inverse_x, ray.step_x);
        vxk_f32 meets_z = vxk_relief_meets(border_z - r->base_z, ray.z, ray.inverse_z, ray.step_z);
        vxk_f32 ahead = vxk_least(meets_x, meets_z), exit = vxk_least(ahead, w.end);
        vxk_u32 by_x = (vxk_u32)(meets_x <= meets_z);
        vxk_i32 border = by_x ? border_x : border_z;
        if (level > 0) {
            vxk_f32 low = ray.y + ray.dy * (ray.dy < 0.0f ? exit : w.t);
            if (side == VXK_RELIEF_BELOW || !vxk_relief_clear(r, s, w.x, w.z, level, low)) {
                level--;
                continue;
            }
            side = VXK_RELIEF_ABOVE;
        } else {
            vxk_f32 hit = vxk_relief_quad(r, s, &ray, w.x, w.z, w.t, exit, &side);
            if (hit >= 0.0f) {
                *at = vxk_relief_point_at(r, &ray, w.x, w.z, hit);
                return hit;
            }
        }
        if (!(ahead < w.end) || !vxk_relief_cross(r, &ray, by_x, border, level, ahead, &w))
            return -1.0f;
        /* Up after a block that was clear, and on leaving a block of four quads. */
        if (level < levels && (level > 0 || (border & 1) == 0))
            level++;
    }
}

#endif
