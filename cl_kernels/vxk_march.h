/* Two walks of a ray over a depth buffer: in fixed steps, and down and up the nearest pyramid. The hierarchy tests
 * segments where the fixed walk tests points: from a start on screen it finds what that finds, and skips what is empty.
 * y runs down the screen. A comparison with a NaN is always one that ends the walk or leaves the sample out, so that
 * no ray and no matrix leads outside the buffer. */
#ifndef VXK_MARCH_H
#define VXK_MARCH_H

#include "vxk_pyramid.h"

#define VXK_MARCH_LEAST_W 1e-4f
#define VXK_MARCH_LEAST_DELTA 1e-6f /* pixels; an axis that moves less has no far side to leave by */
#define VXK_MARCH_LEAST_STEP 1e-5f  /* of the segment; every turn that skips goes on by at least this much */
#define VXK_MARCH_CREDIT 8u         /* cells skipped before the walk may climb a level higher */

struct vxk_march {
    vxk_f32 clip_from_world[16]; /* row-major: clip = M (x, y, z, 1) */
    vxk_u32 steps;
    vxk_f32 thickness;           /* of every surface, in depth */
    vxk_f32 linear_thickness;    /* in clip w; above 0 it replaces thickness where the ray allows it */
};

/* Points origin + direction * s, 0 <= s <= length. */
struct vxk_march_ray {
    vxk_f32 origin[3], direction[3], length;
};

struct vxk_march_hit {
    vxk_i32 hit, x, y; /* hit: 0 or 1; the pixel is (0, 0) where there is none */
    vxk_u32 samples;   /* depths fetched */
};

/* Depth along the ray is a + b / w where linear, and surfaces are shells in w. */
struct vxk_march_shell {
    vxk_i32 linear;
    vxk_f32 a, b;
};

VXK_FN void vxk_march_clip(const struct vxk_march *march, const struct vxk_march_ray *ray, vxk_f32 s, vxk_f32 *clip)
{
    vxk_f32 x = ray->origin[0] + ray->direction[0] * s;
    vxk_f32 y = ray->origin[1] + ray->direction[1] * s;
    vxk_f32 z = ray->origin[2] + ray->direction[2] * s;
    for (int row = 0; row < 4; row++) {
        const vxk_f32 *m = march->clip_from_world + 4 * row;
        clip[row] = m[0] * x + m[1] * y + m[2] * z + m[3];
    }
}

/* Clip to pixels and depth, w above zero. */
VXK_FN void vxk_march_project(const struct vxk_pyramid *pyramid, const vxk_f32 *clip, vxk_f32 *out)
{
    out[0] = (clip[0] / clip[3] * 0.5f + 0.5f) * (vxk_f32)pyramid->width;
    out[1] = (-clip[1] / clip[3] * 0.5f + 0.5f) * (vxk_f32)pyramid->height;
    out[2] = clip[2] / clip[3];
}

/* From both ends of the ray in clip space. Not linear where one lies behind the eye or w hardly changes. */
VXK_FN struct vxk_march_shell vxk_march_shell_of(const struct vxk_march *march, const vxk_f32 *from, const vxk_f32 *to)
{
    struct vxk_march_shell shell = {0, 0.0f, 0.0f};
    if (!(march->linear_thickness > 0.0f && from[3] > VXK_MARCH_LEAST_W && to[3] > VXK_MARCH_LEAST_W))
        return shell;
    vxk_f32 near_inverse = 1.0f / from[3], change = near_inverse - 1.0f / to[3];
    if (!(change > 1e-6f || change < -1e-6f))
        return shell;
    shell.b = (from[2] / from[3] - to[2] / to[3]) / change;
    shell.a = from[2] / from[3] - shell.b * near_inverse;
    shell.linear = shell.b > 0.0f;
    return shell;
}

/* Whether w between least and most meets the shell behind depth. */
VXK_FN int vxk_march_in_shell(const struct vxk_march *march, const struct vxk_march_shell *shell, vxk_f32 depth,
                              vxk_f32 least, vxk_f32 most)
{
    if (!((depth - shell->a) / shell->b > 1e-6f))
        return 0;
    vxk_f32 surface = shell->b / (depth - shell->a);
    return most > surface && least < surface + march->linear_thickness;
}

VXK_FN struct vxk_march_hit vxk_march_fixed(const struct vxk_pyramid *pyramid, const struct vxk_march *march,
                                            const struct vxk_march_ray *ray)
{
    struct vxk_march_hit result = {0, 0, 0, 0u};
    vxk_f32 from[4], to[4];
    vxk_march_clip(march, ray, 0.0f, from);
    vxk_march_clip(march, ray, ray->length, to);
    struct vxk_march_shell shell = vxk_march_shell_of(march, from, to);
    for (vxk_u32 i = 0; i < march->steps; i++) {
        vxk_f32 clip[4], at[3];
        vxk_march_clip(march, ray, ((vxk_f32)i + 0.5f) * ray->length / (vxk_f32)march->steps, clip);
        if (!(clip[3] > VXK_MARCH_LEAST_W))
            continue;
        vxk_march_project(pyramid, clip, at);
        if (!(at[2] > 0.0f && at[2] < 1.0f))
            continue;
        if (!(at[0] >= 0.0f && at[0] < (vxk_f32)pyramid->width && at[1] >= 0.0f && at[1] < (vxk_f32)pyramid->height))
            break;
        vxk_i32 x = (vxk_i32)at[0], y = (vxk_i32)at[1];
        vxk_f32 depth = vxk_pyramid_at(pyramid, 0u, x, y);
        result.samples++;
        if (!(depth > 0.0f))
            continue;
        if (shell.linear ? vxk_march_in_shell(march, &shell, depth, clip[3], clip[3])
                         : at[2] > depth - march->thickness && at[2] < depth) {
            result.hit = 1;
            result.x = x;
            result.y = y;
            break;
        }
    }
    return result;
}

/* The pixel that a walk at `at` is about to cross: on a boundary the one it moves into. False off screen. */
VXK_FN int vxk_march_pixel(vxk_f32 at, vxk_f32 delta, vxk_u32 side, vxk_i32 *out)
{
    if (delta < 0.0f) {
        if (!(at > 0.0f && at <= (vxk_f32)side))
            return 0;
        *out = (vxk_i32)at;
        *out -= (vxk_f32)*out >= at;
    } else {
        if (!(at >= 0.0f && at < (vxk_f32)side))
            return 0;
        *out = (vxk_i32)at;
    }
    return 1;
}

/* Where, as a part of the segment, it leaves the cell that pixel lies in; most where this axis never does. */
VXK_FN vxk_f32 vxk_march_leave(vxk_f32 start, vxk_f32 delta, vxk_i32 pixel, vxk_u32 level, vxk_f32 most)
{
    if (!(delta > VXK_MARCH_LEAST_DELTA || delta < -VXK_MARCH_LEAST_DELTA))
        return most;
    vxk_i32 cell = (pixel >> level) + (delta > 0.0f ? 1 : 0);
    vxk_f32 t = ((vxk_f32)(cell << level) - start) / delta;
    return t < most ? t : most;
}

/* The pyramid must be a nearest one. */
VXK_FN struct vxk_march_hit vxk_march_hierarchy(const struct vxk_pyramid *pyramid, const struct vxk_march *march,
                                                const struct vxk_march_ray *ray)
{
    struct vxk_march_hit result = {0, 0, 0, 0u};
    vxk_f32 from[4], to[4], start[3], end[3];
    vxk_march_clip(march, ray, 0.0f, from);
    vxk_march_clip(march, ray, ray->length, to);
    if (!(from[3] > VXK_MARCH_LEAST_W && to[3] > VXK_MARCH_LEAST_W))
        return vxk_march_fixed(pyramid, march, ray);
    struct vxk_march_shell shell = vxk_march_shell_of(march, from, to);
    vxk_march_project(pyramid, from, start);
    vxk_march_project(pyramid, to, end);
    vxk_f32 dx = end[0] - start[0], dy = end[1] - start[1], dz = end[2] - start[2];
    vxk_f32 inverse = 1.0f / from[3], inverse_change = 1.0f / to[3] - inverse;

    vxk_u32 top = pyramid->levels - 1u, level = top, ceiling = top, credit = 0u;
    vxk_u32 turns = 16u * (pyramid->width + pyramid->height + pyramid->levels) + 64u;
    for (vxk_f32 t = 0.0f; t < 1.0f && turns > 0u; turns--) {
        vxk_i32 x, y;
        if (!vxk_march_pixel(start[0] + dx * t, dx, pyramid->width, &x) ||
            !vxk_march_pixel(start[1] + dy * t, dy, pyramid->height, &y))
            break;
        vxk_f32 leave = vxk_march_leave(start[0], dx, x, level, 1.0f);
        leave = vxk_march_leave(start[1], dy, y, level, leave);
        leave = leave > t + VXK_MARCH_LEAST_STEP ? leave : t + VXK_MARCH_LEAST_STEP;
        vxk_f32 nearest = vxk_pyramid_at(pyramid, level, x >> level, y >> level);
        result.samples++;
        vxk_f32 z0 = start[2] + dz * t, z1 = start[2] + dz * leave;
        vxk_f32 z_least = z0 < z1 ? z0 : z1, z_most = z0 < z1 ? z1 : z0;
        if (z_least > nearest) {
            t = leave;
            if (++credit == VXK_MARCH_CREDIT) {
                credit = 0u;
                ceiling += ceiling < top;
            }
            level += level < ceiling;
            continue;
        }
        if (level > 0u) {
            ceiling = --level;
            credit = 0u;
            continue;
        }
        int hit = nearest > 0.0f;
        if (hit && shell.linear) {
            vxk_f32 w0 = 1.0f / (inverse + inverse_change * t), w1 = 1.0f / (inverse + inverse_change * leave);
            hit = vxk_march_in_shell(march, &shell, nearest, w0 < w1 ? w0 : w1, w0 < w1 ? w1 : w0);
        } else if (hit) {
            vxk_f32 back = nearest - march->thickness;
            hit = z_least < nearest && z_most > (back > 0.0f ? back : 0.0f);
        }
        if (hit) {
            result.hit = 1;
            result.x = x;
            result.y = y;
            break;
        }
        t = leave;
    }
    return result;
}

#endif
