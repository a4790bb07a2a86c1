/* A device as OpenCL has it. */
#ifndef VXBI_COMPUTE_CL_DEVICE_H
#define VXBI_COMPUTE_CL_DEVICE_H

#include "cl_library.h"
#include "device.h"

struct vxb_device {
    struct vxb_allocator allocator;
    struct vxbi_cl cl;
    struct vxb_device_info info;
    cl_device_id id;
    cl_context context;
    cl_command_queue work, transfer;
    cl_program programs[VXBI_PROGRAM_COUNT];
    uint64_t local_most;
    struct vxbi_device_tuning tuning;
    bool tested[VXBI_PROGRAM_COUNT];
};

#define VXBI_CL_DEVICES_MOST 256

/* The devices there are, by the loader's order of platforms; ids[i] is the one that the list's entry i describes. */
enum vxb_status vxbi_cl_list(const struct vxb_env *env, const struct vxbi_cl *cl, struct vxb_device_list **out,
                             cl_device_id ids[VXBI_CL_DEVICES_MOST], struct vxb_error *err);

/* VXB_OK for CL_SUCCESS, else fails with what was being done. */
enum vxb_status vxbi_cl_check(const struct vxb_device *device, cl_int code, const char *doing, struct vxb_error *err);

#endif
