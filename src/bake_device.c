/* The device of a bake: opened, told of, and done without where "auto" may do without it. */
#include "bake_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "VXBAKE_DEVICE"

void bake_device_of_environment(struct bake_device *wanted)
{
    const char *choice = getenv(VARIABLE);
    if (wanted->choice || !choice || !choice[0])
        return;
    wanted->choice = choice;
    wanted->of_environment = true;
}

/* Who wrote the name may not see it on the command line. */
static void name_variable(struct vxb_error *err)
{
    static const char name[] = VARIABLE ": ";
    const size_t length = sizeof name - 1, most = sizeof err->message - 1 - length, used = strlen(err->message);
    memmove(err->message + length, err->message, used < most ? used : most);
    memcpy(err->message, name, length);
    err->message[length + (used < most ? used : most)] = 0;
    err->at_fault = NULL;
}

static enum vxb_status open_device(const struct bake_device *wanted, const struct vxb_env *env, uint64_t candidates,
                                   struct vxb_device **out, struct vxb_error *err)
{
    const struct vxb_device_options options = {.size = sizeof options,
                                               .choice = wanted->choice,
                                               .candidates = candidates,
                                               .inexact = wanted->inexact};
    const enum vxb_status status = vxb_device_open(env, &options, out, err);
    if (status && wanted->of_environment)
        name_variable(err);
    return status;
}

static void say_device(const struct bake_device *wanted, const struct vxb_device *device)
{
    if (device)
        cli_detail("baking on %s (%s, driver %s)", cli_clean(vxb_device_info(device)->name),
                   cli_clean(vxb_device_info(device)->platform), cli_clean(vxb_device_info(device)->driver));
    else if (wanted->choice)
        cli_detail("baking on the cpu");
}

enum vxb_status bake_on_device(const struct bake_device *wanted, const struct vxb_env *env, uint64_t candidates,
                               const struct vxb_bake_options *options, bake_device_work *work, void *user,
                               struct vxb_error *err)
{
    const bool is_auto = wanted->choice && strcmp(wanted->choice, "auto") == 0;
    struct vxb_bake_options here = *options, there = *options;
    here.device = NULL;
    /* "auto" may have come to the CPU, which has nothing to be checked against. */
    if (is_auto)
        here.cross_check = 0.0;
    if (wanted->inexact && !wanted->choice) {
        snprintf(err->message, sizeof err->message, "--inexact needs a device: give --device with it");
        return err->status = VXB_ERR_USAGE;
    }
    enum vxb_status status = open_device(wanted, env, candidates, &there.device, err);
    if (status)
        return status;
    say_device(wanted, there.device);
    status = work(user, env, there.device ? &there : &here, err);
    if (there.device && is_auto && (status == VXB_ERR_DEVICE || status == VXB_ERR_MEMORY) &&
        !(there.cross_check > 0.0)) {
        cli_progress_clear();
        cli_warning("baking on the cpu: %s", cli_clean(err->message));
        vxb_error_clear(err);
        status = work(user, env, &here, err);
    }
    vxb_device_close(there.device);
    cli_progress_clear();
    return status;
}
