/* The device of a bake, whatever is baked: who chose it, how it is opened, what becomes of the work where it fails. */
#ifndef SRC_BAKE_DEVICE_H
#define SRC_BAKE_DEVICE_H

#include "cli.h"

/* What was asked for. All zero: the CPU. */
struct bake_device {
    const char *choice;  /* --device's, else VXBAKE_DEVICE's; NULL: neither names one */
    bool of_environment; /* it is VXBAKE_DEVICE's */
    bool inexact;
};

/* Where no option names a device, VXBAKE_DEVICE may; empty, it names none. */
void bake_device_of_environment(struct bake_device *wanted);

/* A bake, with what bake_on_device() makes of the options. It may be called twice: where the first call failed. */
typedef enum vxb_status bake_device_work(void *user, const struct vxb_env *env, const struct vxb_bake_options *options,
                                         struct vxb_error *err);

/* Opens the device, tells of it and has the work done there. A device that "auto" took and that fails leaves the work
 * to the CPU, with a warning; but who asks for a cross-check wants to know what it found.
 * candidates: the size of the work, for "auto".
 * options: the work's, but for the device.
 * Returns what vxb_device_open() returns, an error in VXBAKE_DEVICE's choice with that name before it, or what the work
 * returns. */
enum vxb_status bake_on_device(const struct bake_device *wanted, const struct vxb_env *env, uint64_t candidates,
                               const struct vxb_bake_options *options, bake_device_work *work, void *user,
                               struct vxb_error *err);

#endif
