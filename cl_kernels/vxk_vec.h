/* Vectors of three, by value. */
#ifndef VXK_VEC_H
#define VXK_VEC_H

#include "vxk_portable.h"

struct vxk_vec {
    vxk_f32 x, y, z;
};

VXK_FN struct vxk_vec vxk_vec_of(vxk_f32 x, vxk_f32 y, vxk_f32 z)
{
    struct vxk_vec v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

VXK_FN struct vxk_vec vxk_vec_add(struct vxk_vec a, struct vxk_vec b)
{
    return vxk_vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

VXK_FN struct vxk_vec vxk_vec_subtract(struct vxk_vec a, struct vxk_vec b)
{
    return vxk_vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

VXK_FN struct vxk_vec vxk_vec_multiply(struct vxk_vec a, struct vxk_vec b)
{
    return vxk_vec_of(a.x * b.x, a.y * b.y, a.z * b.z);
}

VXK_FN struct vxk_vec vxk_vec_scale(struct vxk_vec a, vxk_f32 s)
{
    return vxk_vec_of(a.x * s, a.y * s, a.z * s);
}

/* a + b * s. */
VXK_FN struct vxk_vec vxk_vec_along(struct vxk_vec a, struct vxk_vec b, vxk_f32 s)
{
    return vxk_vec_add(a, vxk_vec_scale(b, s));
}

VXK_FN struct vxk_vec vxk_vec_lerp(struct vxk_vec a, struct vxk_vec b, vxk_f32 t)
{
    return vxk_vec_of(vxk_lerp(a.x, b.x, t), vxk_lerp(a.y, b.y, t), vxk_lerp(a.z, b.z, t));
}

VXK_FN vxk_f32 vxk_vec_dot(struct vxk_vec a, struct vxk_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

VXK_FN vxk_f32 vxk_vec_length(struct vxk_vec a)
{
    return vxk_sqrt(vxk_vec_dot(a, a));
}

/* Of length 1; upward where it has none. */
VXK_FN struct vxk_vec vxk_vec_unit(struct vxk_vec a)
{
    vxk_f32 length = vxk_vec_length(a);
    return length > 0.0f ? vxk_vec_of(a.x / length, a.y / length, a.z / length) : vxk_vec_of(0.0f, 1.0f, 0.0f);
}

#endif
