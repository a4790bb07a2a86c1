/* sin, cos, acos and atan2 by polynomials of our own: libm's and the drivers' differ in their last bits, and these
 * reach baked bytes. Each was fitted at Chebyshev nodes in x^2. Errors below are absolute, in binary32, held by
 * tests/test_kernels.c. */
#ifndef VXK_ANGLE_H
#define VXK_ANGLE_H

#include "vxk_portable.h"

#define VXK_HALF_PI 1.57079637f
#define VXK_PI 3.14159274f

/* 0 <= x <= 1.5708: within 2e-7. */
VXK_FN vxk_f32 vxk_sin(vxk_f32 x)
{
    vxk_f32 y = x * x;
    vxk_f32 p = ((2.63463803e-06f * y - 0.000198227029f) * y + 0.00833324186f) * y - 0.16666666f;
    return x + x * y * p;
}

/* 0 <= x <= 1.5708: within 2e-7. */
VXK_FN vxk_f32 vxk_cos(vxk_f32 x)
{
    vxk_f32 y = x * x;
    vxk_f32 p = ((-2.65450734e-07f * y + 2.47860518e-05f) * y - 0.00138888123f) * y + 0.0416666661f;
    return 1.0f - 0.5f * y + y * y * p;
}

/* 0 <= x <= 0.5. */
VXK_FN vxk_f32 vxk_asin_half(vxk_f32 x)
{
    vxk_f32 y = x * x;
    vxk_f32 p = (((0.0380850235f * y + 0.0265545422f) * y + 0.0450013801f) * y + 0.0749885507f) * y + 0.166666724f;
    return x + x * y * p;
}

/* 0 <= x <= 1: within 3e-7. */
VXK_FN vxk_f32 vxk_acos(vxk_f32 x)
{
    vxk_f32 near = vxk_sqrt(vxk_clamp((1.0f - x) * 0.5f, 0.0f, 0.25f));
    vxk_f32 far = vxk_clamp(x, 0.0f, 0.5f);
    return x >= 0.5f ? 2.0f * vxk_asin_half(near) : VXK_HALF_PI - vxk_asin_half(far);
}

/* -1 <= x <= 1: within 5e-7. */
VXK_FN vxk_f32 vxk_acos_signed(vxk_f32 x)
{
    return x < 0.0f ? VXK_PI - vxk_acos(-x) : vxk_acos(x);
}

/* 0 <= x <= 1: within 2e-7. Above tan(pi / 8) by way of (x - 1) / (x + 1). */
VXK_FN vxk_f32 vxk_atan_unit(vxk_f32 x)
{
    vxk_u32 turned = (vxk_u32)(x > 0.414213568f);
    vxk_f32 s = turned ? (x - 1.0f) / (x + 1.0f) : x, y = s * s;
    vxk_f32 p = ((0.0852027759f * y - 0.140240967f) * y + 0.199912354f) * y - 0.333332866f;
    return (turned ? 0.785398185f : 0.0f) + (s + s * y * p);
}

/* The angle of (x, y) from the x axis, -pi to pi: within 5e-7; 0 for the origin. */
VXK_FN vxk_f32 vxk_atan2(vxk_f32 y, vxk_f32 x)
{
    vxk_f32 ax = x < 0.0f ? -x : x, ay = y < 0.0f ? -y : y, a;
    if (ax == 0.0f && ay == 0.0f)
        return 0.0f;
    a = ay > ax ? VXK_HALF_PI - vxk_atan_unit(ax / ay) : vxk_atan_unit(ay / ax);
    a = x < 0.0f ? VXK_PI - a : a;
    return y < 0.0f ? -a : a;
}

#endif
