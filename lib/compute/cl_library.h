/* OpenCL's loader, as far as it is used: loaded when the first device is asked for, and not linked, so that neither the
 * library nor its users depend on one being installed, and nobody's driver is touched who bakes on the CPU. */
#ifndef VXBI_COMPUTE_CL_LIBRARY_H
#define VXBI_COMPUTE_CL_LIBRARY_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "../core/error.h"

#define VXBI_CL_FUNCTIONS(X)     \
    X(clBuildProgram)            \
    X(clCreateBuffer)            \
    X(clCreateCommandQueue)      \
    X(clCreateContext)           \
    X(clCreateKernel)            \
    X(clCreateProgramWithSource) \
    X(clEnqueueFillBuffer)       \
    X(clEnqueueMapBuffer)        \
    X(clEnqueueMarkerWithWaitList) \
    X(clEnqueueNDRangeKernel)    \
    X(clEnqueueReadBuffer)       \
    X(clEnqueueUnmapMemObject)   \
    X(clEnqueueWriteBuffer)      \
    X(clFinish)                  \
    X(clFlush)                   \
    X(clGetDeviceIDs)            \
    X(clGetDeviceInfo)           \
    X(clGetKernelWorkGroupInfo)  \
    X(clGetPlatformIDs)          \
    X(clGetPlatformInfo)         \
    X(clGetProgramBuildInfo)     \
    X(clReleaseCommandQueue)     \
    X(clReleaseContext)          \
    X(clReleaseEvent)            \
    X(clReleaseKernel)           \
    X(clReleaseMemObject)        \
    X(clReleaseProgram)          \
    X(clSetKernelArg)            \
    X(clWaitForEvents)

struct vxbi_cl {
#define VXBI_CL_MEMBER(name) __typeof__(&(name)) name;
    VXBI_CL_FUNCTIONS(VXBI_CL_MEMBER)
#undef VXBI_CL_MEMBER
};

/* VXB_ERR_DEVICE where there is no loader, or one that lacks a function of OpenCL 1.2. */
enum vxb_status vxbi_cl_load(struct vxbi_cl *cl, struct vxb_error *err);

/* "CL_OUT_OF_RESOURCES", or "error -9999" in a buffer of the caller's. */
const char *vxbi_cl_error_name(cl_int code, char buf[24]);

#endif
