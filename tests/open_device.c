/* A device for a test. */
#include "open_device.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Some drivers abort where they do not like the machine (PoCL without /sys); that says nothing of us. */
static bool driver_crashes(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct vxb_device_list *list = NULL;
        vxb_device_list_new(NULL, &list, NULL);
        _exit(0);
    }
    int how = 0;
    cr_assert(child > 0 && waitpid(child, &how, 0) == child);
    return WIFSIGNALED(how);
}

struct vxb_device *open_opencl_device(const struct vxb_env *env)
{
    const struct vxb_device_options options = {.size = sizeof options, .choice = "opencl"};
    struct vxb_device *device = NULL;
    struct vxb_error err = {0};
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    if (driver_crashes())
        cr_skip_test("an OpenCL driver crashes here when it is asked for its devices");
    enum vxb_status status = vxb_device_open(env, &options, &device, &err);
    if (status == VXB_ERR_DEVICE && strstr(err.message, "no OpenCL"))
        cr_skip_test("there is no OpenCL device: %s", err.message);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    return device;
}
