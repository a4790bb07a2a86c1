/* A device for a test: one that qualifies; the test is skipped, and says so, where there is none. */
#ifndef TESTS_OPEN_DEVICE_H
#define TESTS_OPEN_DEVICE_H

#include "vxbake/device.h"

struct vxb_device *open_opencl_device(const struct vxb_env *env);

#endif
