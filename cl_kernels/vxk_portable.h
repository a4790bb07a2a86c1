/* What lets one text be C11 and OpenCL C 1.2: names for types, address spaces and the few conversions that differ.
 *
 * Every expression in these headers is binary32 as written, left to right, uncontracted: only + - * / sqrt,
 * comparisons, conversions and integers. Host files that include them are compiled with -ffp-contract=off. */
#ifndef VXK_PORTABLE_H
#define VXK_PORTABLE_H

#ifdef __OPENCL_VERSION__

#pragma OPENCL FP_CONTRACT OFF
typedef uint vxk_u32;
typedef int vxk_i32;
typedef float vxk_f32;
typedef uchar vxk_u8;
typedef ushort vxk_u16;
typedef ulong vxk_u64;
#define VXK_FN static inline
#define VXK_GLOBAL __global
#define VXK_CONSTANT __constant
#define vxk_sqrt(x) sqrt(x)
#define vxk_mul_high(a, b) mul_hi((uint)(a), (uint)(b))
#define vxk_bits_of(x) as_uint(x)
#define vxk_float_of(x) as_float(x)

#else

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "float expressions have to be evaluated in float: see configure.ac"
#endif

typedef uint32_t vxk_u32;
typedef int32_t vxk_i32;
typedef float vxk_f32;
typedef uint8_t vxk_u8;
typedef uint16_t vxk_u16;
typedef uint64_t vxk_u64;
/* Always inlined: a call that stays keeps the loop around it from being vectorised. */
#if defined(__GNUC__) || defined(__clang__)
#define VXK_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define VXK_ALWAYS_INLINE inline
#endif
#define VXK_FN static VXK_ALWAYS_INLINE
#define VXK_GLOBAL
#define VXK_CONSTANT
#define vxk_sqrt(x) sqrtf(x)
#define vxk_mul_high(a, b) ((uint32_t)((uint64_t)(a) * (uint64_t)(b) >> 32))

VXK_FN vxk_u32 vxk_bits_of(vxk_f32 x)
{
    vxk_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

VXK_FN vxk_f32 vxk_float_of(vxk_u32 bits)
{
    vxk_f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

/* The greatest integer not above x, |x| < 2^31: a conversion and a correction, since baseline x86 has no instruction
 * for it and a call would keep the loop from being vectorised. */
VXK_FN vxk_i32 vxk_floor(vxk_f32 x)
{
    vxk_i32 i = (vxk_i32)x;
    return i - (vxk_i32)((vxk_f32)i > x);
}

/* The integer part of 0 <= x < 2^31. By way of a signed integer: vectors convert to unsigned ones only from AVX-512
 * on. */
VXK_FN vxk_u32 vxk_whole(vxk_f32 x)
{
    return (vxk_u32)(vxk_i32)x;
}

VXK_FN vxk_f32 vxk_clamp(vxk_f32 x, vxk_f32 low, vxk_f32 high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

VXK_FN vxk_i32 vxk_clamp_index(vxk_i32 i, vxk_i32 last)
{
    i = i < 0 ? 0 : i;
    return i > last ? last : i;
}

VXK_FN vxk_f32 vxk_lerp(vxk_f32 a, vxk_f32 b, vxk_f32 t)
{
    return a + (b - a) * t;
}

#endif
