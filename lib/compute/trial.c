/* What of a device's work is held against the CPU's: all of a small one before its first use, and of the rest as much
 * as a cross-check asks for. */
#include "cl_device.h"
#include "vxk_hash.h"

enum vxb_status vxbi_device_trial(const struct vxb_env *env, struct vxb_device *device, enum vxbi_program program,
                                  vxbi_device_test *test, struct vxb_error *err)
{
    bool *tested = &device->tested[program];
    if (*tested || !device->info.exact)
        return VXB_OK;
    *tested = true; /* while it lasts: the test may be a use like any other */
    const enum vxb_status status = test(env, device, err);
    *tested = !status;
    return status ? vxbi_error_prefix(err, status, "a test before the first use: ") : VXB_OK;
}

bool vxbi_device_samples(double percent, uint64_t number)
{
    const uint32_t draw = vxk_mix(0xC5u, (uint32_t)number);
    return percent >= 100.0 || (double)draw < percent / 100.0 * 4294967296.0;
}
