/* Loading the loader. */
#include "cl_library.h"

#include <stdio.h>
#include <string.h>

#include "../core/os.h"

enum vxb_status vxbi_cl_load(struct vxbi_cl *cl, struct vxb_error *err)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so"};
    char why[2][256];
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = vxbi_library_open(names[i], why[i], sizeof why[i]);
    if (!library)
        return vxbi_fail(err, VXB_ERR_DEVICE,
                         "there is no OpenCL on this machine (%s); install a loader (Debian: ocl-icd-libopencl1) and "
                         "the device's driver, or bake on the cpu, which gives the same bytes",
                         why[0]);
#define LOAD(name)                                                                                       \
    if (!vxbi_library_symbol(library, #name, &cl->name))                                                 \
        return vxbi_fail(err, VXB_ERR_DEVICE, "this machine's OpenCL loader has no %s: OpenCL 1.2 is needed", #name);
    VXBI_CL_FUNCTIONS(LOAD)
#undef LOAD
    return VXB_OK;
}

const char *vxbi_cl_error_name(cl_int code, char buf[24])
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define NAME(code) {code, #code}
        NAME(CL_DEVICE_NOT_FOUND),
        NAME(CL_DEVICE_NOT_AVAILABLE),
        NAME(CL_COMPILER_NOT_AVAILABLE),
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAME(CL_OUT_OF_RESOURCES),
        NAME(CL_OUT_OF_HOST_MEMORY),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_MAP_FAILURE),
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_DEVICE),
        NAME(CL_INVALID_CONTEXT),
        NAME(CL_INVALID_COMMAND_QUEUE),
        NAME(CL_INVALID_MEM_OBJECT),
        NAME(CL_INVALID_BUILD_OPTIONS),
        NAME(CL_INVALID_PROGRAM_EXECUTABLE),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_BUFFER_SIZE),
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    snprintf(buf, 24, "error %d", (int)code);
    return buf;
}
