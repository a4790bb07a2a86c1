/* A build without OpenCL: there is the CPU, and a plain answer for who asks for more. Nobody gets a device from it, so
 * nothing is ever asked of one. */
#include <stdlib.h>

#include "../core/env.h"
#include "choice.h"
#include "device.h"

static enum vxb_status fail_built_without(struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_DEVICE,
                     "this vxbake was built without OpenCL: bake on the cpu, which gives the same bytes");
}

enum vxb_status vxb_device_list_new(const struct vxb_env *env, struct vxb_device_list **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    (void)out;
    return status ? status : fail_built_without(err);
}

enum vxb_status vxb_device_open(const struct vxb_env *env, const struct vxb_device_options *options,
                                struct vxb_device **out, struct vxb_error *err)
{
    struct vxbi_choice choice;
    *out = NULL;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_device_options", options->size, sizeof *options, err);
    if (!status)
        status = vxbi_choice_parse(options->choice, &choice, err);
    if (status || choice.kind == VXBI_CHOICE_CPU || choice.kind == VXBI_CHOICE_AUTO)
        return status;
    return fail_built_without(err);
}

void vxb_device_close(struct vxb_device *device) { (void)device; }

const struct vxb_device_info *vxb_device_info(const struct vxb_device *device)
{
    (void)device;
    return NULL;
}
