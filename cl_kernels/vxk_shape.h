/* Spheres, boxes, planes and capsules by their signed distances, and the march along them. The nearest shape, the first
 * of several, answers for a point. */
#ifndef VXK_SHAPE_H
#define VXK_SHAPE_H

#include "vxk_vec.h"

#define VXK_SPHERE 0u
#define VXK_BOX 1u
#define VXK_PLANE 2u
#define VXK_CAPSULE 3u

#define VXK_FAR 1e30f
#define VXK_MARCH_SAMPLES 128u
#define VXK_MARCH_HIT 0.01f
#define VXK_SHADOW_START 1e-4f
#define VXK_SHADOW_SOFTNESS 8.0f

/* Positions are relative to the field's first corner. 14 words. */
struct vxk_shape {
    vxk_u32 kind;
    struct vxk_vec a;    /* sphere, box: its center; plane: its normal; capsule: one end */
    struct vxk_vec b;    /* box: its half extents; capsule: the other end */
    vxk_f32 radius;      /* sphere, capsule; plane: its offset along the normal */
    struct vxk_vec albedo, emission;
};

VXK_FN vxk_f32 vxk_abs(vxk_f32 x)
{
    return x < 0.0f ? -x : x;
}

VXK_FN vxk_f32 vxk_most(vxk_f32 a, vxk_f32 b)
{
    return a > b ? a : b;
}

VXK_FN vxk_f32 vxk_least(vxk_f32 a, vxk_f32 b)
{
    return a < b ? a : b;
}

/* How far outside a box's faces a point is, on each axis; negative inside. */
VXK_FN struct vxk_vec vxk_box_outside(struct vxk_shape s, struct vxk_vec p)
{
    struct vxk_vec d = vxk_vec_subtract(p, s.a);
    return vxk_vec_of(vxk_abs(d.x) - s.b.x, vxk_abs(d.y) - s.b.y, vxk_abs(d.z) - s.b.z);
}

VXK_FN vxk_f32 vxk_box_distance(struct vxk_shape s, struct vxk_vec p)
{
    struct vxk_vec q = vxk_box_outside(s, p);
    struct vxk_vec out = vxk_vec_of(vxk_most(q.x, 0.0f), vxk_most(q.y, 0.0f), vxk_most(q.z, 0.0f));
    return vxk_vec_length(out) + vxk_least(vxk_most(q.x, vxk_most(q.y, q.z)), 0.0f);
}

/* From the nearest point of a capsule's axis. */
VXK_FN struct vxk_vec vxk_capsule_off(struct vxk_shape s, struct vxk_vec p)
{
    struct vxk_vec axis = vxk_vec_subtract(s.b, s.a), from = vxk_vec_subtract(p, s.a);
    vxk_f32 square = vxk_vec_dot(axis, axis);
    vxk_f32 along = square > 0.0f ? vxk_clamp(vxk_vec_dot(from, axis) / square, 0.0f, 1.0f) : 0.0f;
    return vxk_vec_subtract(from, vxk_vec_scale(axis, along));
}

VXK_FN vxk_f32 vxk_shape_distance(struct vxk_shape s, struct vxk_vec p)
{
    if (s.kind == VXK_SPHERE)
        return vxk_vec_length(vxk_vec_subtract(p, s.a)) - s.radius;
    if (s.kind == VXK_BOX)
        return vxk_box_distance(s, p);
    if (s.kind == VXK_PLANE)
        return vxk_vec_dot(s.a, p) - s.radius;
    return vxk_vec_length(vxk_capsule_off(s, p)) - s.radius;
}

/* Inside, the axis of the nearest face. */
VXK_FN struct vxk_vec vxk_box_normal(struct vxk_shape s, struct vxk_vec p)
{
    struct vxk_vec q = vxk_box_outside(s, p), n;
    n = vxk_vec_of(vxk_most(q.x, 0.0f), vxk_most(q.y, 0.0f), vxk_most(q.z, 0.0f));
    if (n.x == 0.0f && n.y == 0.0f && n.z == 0.0f) {
        n.x = q.x >= q.y && q.x >= q.z ? 1.0f : 0.0f;
        n.y = n.x == 0.0f && q.y >= q.z ? 1.0f : 0.0f;
        n.z = n.x == 0.0f && n.y == 0.0f ? 1.0f : 0.0f;
    }
    n.x = p.x < s.a.x ? -n.x : n.x;
    n.y = p.y < s.a.y ? -n.y : n.y;
    n.z = p.z < s.a.z ? -n.z : n.z;
    return vxk_vec_unit(n);
}

VXK_FN struct vxk_vec vxk_shape_normal(struct vxk_shape s, struct vxk_vec p)
{
    if (s.kind == VXK_SPHERE)
        return vxk_vec_unit(vxk_vec_subtract(p, s.a));
    if (s.kind == VXK_BOX)
        return vxk_box_normal(s, p);
    if (s.kind == VXK_PLANE)
        return s.a;
    return vxk_vec_unit(vxk_capsule_off(s, p));
}

/* The distance to the nearest of count shapes, VXK_FAR of none; which it is. */
VXK_FN vxk_f32 vxk_shapes_distance(VXK_GLOBAL const struct vxk_shape *shapes, vxk_u32 count, struct vxk_vec p,
                                   vxk_u32 *which)
{
    vxk_f32 nearest = VXK_FAR;
    vxk_u32 i;
    *which = 0u;
    for (i = 0u; i < count; i++) {
        vxk_f32 d = vxk_shape_distance(shapes[i], p);
        if (d < nearest) {
            nearest = d;
            *which = i;
        }
    }
    return nearest;
}

VXK_FN vxk_f32 vxk_march_step(vxk_f32 distance)
{
    return vxk_most(0.9f * distance, 1e-4f);
}

/* How far along a ray it meets a shape, and which; -1 where it meets none. */
VXK_FN vxk_f32 vxk_shapes_march(VXK_GLOBAL const struct vxk_shape *shapes, vxk_u32 count, struct vxk_vec from,
                                struct vxk_vec direction, vxk_f32 most, vxk_u32 *which)
{
    vxk_f32 t = 0.0f;
    vxk_u32 i;
    for (i = 0u; i < VXK_MARCH_SAMPLES && t <= most; i++) {
        vxk_f32 d = vxk_shapes_distance(shapes, count, vxk_vec_along(from, direction, t), which);
        if (d < VXK_MARCH_HIT)
            return t;
        t += vxk_march_step(d);
    }
    return -1.0f;
}

/* How much light comes along a ray past the shapes, 0 to 1. */
VXK_FN vxk_f32 vxk_shapes_light(VXK_GLOBAL const struct vxk_shape *shapes, vxk_u32 count, struct vxk_vec from,
                                struct vxk_vec direction, vxk_f32 most)
{
    vxk_f32 t = VXK_SHADOW_START, light = 1.0f;
    vxk_u32 i, which;
    for (i = 0u; i < VXK_MARCH_SAMPLES && t < most; i++) {
        vxk_f32 d = vxk_shapes_distance(shapes, count, vxk_vec_along(from, direction, t), &which);
        if (d < VXK_MARCH_HIT)
            return 0.0f;
        light = vxk_least(light, VXK_SHADOW_SOFTNESS * d / t);
        t += vxk_march_step(d);
    }
    return light;
}

#endif
