/* What the shared headers (vxk_*.h) need to be read both by a C11 compiler and by an OpenCL C 1.2 one. */
#ifndef VXK_PORTABLE_H
#define VXK_PORTABLE_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#pragma OPENCL FP_CONTRACT OFF
#define VXK_GLOBAL __global
#define VXK_FN static
typedef uint vxk_u32;
typedef int vxk_i32;
typedef float vxk_f32;

#else

#include <stdint.h>
#define VXK_GLOBAL
#define VXK_FN static inline
typedef uint32_t vxk_u32;
typedef int32_t vxk_i32;
typedef float vxk_f32;

#endif

#endif
