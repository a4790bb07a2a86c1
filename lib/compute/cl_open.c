/* Choosing a device and making it ready: context, queues, programs. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/os.h"
#include "../core/alloc.h"
#include "../core/env.h"
#include "cl_device.h"
#include "choice.h"

/* Exact as the host is: no fused multiply-add is asked for by any option, and no relaxed arithmetic. */
#define OPTIONS_EXACT "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
#define OPTIONS_INEXACT "-cl-std=CL1.2"

/* ---- which one ---- */

/* Whether text has part in it, ASCII letters' case apart. */
static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (!part[i])
            return true;
    }
    return part[0] == 0;
}

static enum vxb_status fail_none(const struct vxb_device_list *list, const char *what, struct vxb_error *err)
{
    char text[700] = "";
    size_t used = 0;
    if (list->count == 0)
        return vxbi_fail(err, VXB_ERR_DEVICE,
                         "there is no OpenCL device on this machine; bake on the cpu, which gives the same bytes");
    for (uint32_t i = 0; i < list->count && used < sizeof text - 1; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sopencl:%u (%s%s%s)", i ? ", " : "", (unsigned)i,
                                 list->devices[i].name, list->devices[i].exact ? "" : ": ", list->devices[i].why_not);
    return vxbi_fail(err, VXB_ERR_DEVICE, "%s; this machine has %s", what, text);
}

static uint32_t best(const struct vxb_device_list *list, const struct vxbi_choice *choice, bool inexact)
{
    for (int pass = 0; pass < (choice->kind == VXBI_CHOICE_AUTO ? 1 : 2); pass++)
        for (uint32_t i = 0; i < list->count; i++) {
            const struct vxb_device_info *d = &list->devices[i];
            if ((d->exact || (inexact && d->usable)) && (pass == 1 || d->kind == VXB_DEVICE_GPU))
                return i;
        }
    return list->count;
}

static enum vxb_status choose(const struct vxb_device_list *list, const struct vxbi_choice *choice, bool inexact,
                              uint32_t *out, struct vxb_error *err)
{
    char what[320];
    uint32_t i = list->count;
    switch (choice->kind) {
    case VXBI_CHOICE_NUMBER:
        i = choice->number < list->count ? (uint32_t)choice->number : list->count;
        snprintf(what, sizeof what, "there is no device number %llu", (unsigned long long)choice->number);
        break;
    case VXBI_CHOICE_NAME:
        for (i = 0; i < list->count; i++)
            if (contains(list->devices[i].name, choice->name) || contains(list->devices[i].platform, choice->name))
                break;
        snprintf(what, sizeof what, "no device's name has \"%.200s\" in it", choice->name);
        break;
    case VXBI_CHOICE_CPU:
    case VXBI_CHOICE_OPENCL:
    case VXBI_CHOICE_AUTO:
        i = best(list, choice, inexact);
        snprintf(what, sizeof what, "no %s gives the same bytes as the CPU",
                 choice->kind == VXBI_CHOICE_AUTO ? "GPU" : "device");
        break;
    }
    if (i == list->count)
        return fail_none(list, what, err);
    const struct vxb_device_info *d = &list->devices[i];
    if (!d->usable)
        return vxbi_fail(err, VXB_ERR_DEVICE, "%s can't be used: %s", d->name, d->why_not);
    if (!d->exact && !inexact)
        return vxbi_fail_remedy(err, VXB_ERR_DEVICE, "inexact",
                                "%s would not give the bytes that every other machine gives: %s; bake on the cpu",
                                d->name, d->why_not);
    *out = i;
    return VXB_OK;
}

/* ---- making it ready ---- */

/* The compiler's words, in a block of *room bytes; NULL: there are none to be had. */
static char *build_log(const struct vxb_device *device, cl_program program, uint64_t *room)
{
    enum { LOG_MOST = 16 << 20 };
    const struct vxbi_cl *cl = &device->cl;
    size_t size = 0;
    if (cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS ||
        size > LOG_MOST)
        size = 0;
    *room = (uint64_t)size + 1;
    char *log = vxbi_new_zero(&device->allocator, *room, 1);
    if (log && size &&
        cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        log[0] = 0;
    return log;
}

/* The compiler's words: all of them as notes, the first line in the error. */
static void fail_build(const struct vxb_env *env, const struct vxb_device *device, cl_program program, cl_int code,
                       struct vxb_error *err)
{
    char buf[24];
    uint64_t room;
    char *log = build_log(device, program, &room);
    const char *first = log && log[0] ? log : "it gives no reason";
    for (char *line = log, *end; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (end > line)
            vxbi_say(env, VXB_SEVERITY_NOTE, NULL, NULL, "%s: %.*s", device->info.name, (int)(end - line), line);
        end += *end == '\n';
    }
    vxbi_fail(err, VXB_ERR_DEVICE,
              "%s: its compiler (driver %s) does not build the kernels: %s: %.*s", device->info.name,
              device->info.driver, vxbi_cl_error_name(code, buf), (int)strcspn(first, "\n"), first);
    vxbi_delete(&device->allocator, log, room, 1);
}

enum vxb_status vxbi_program_ready(const struct vxb_env *env, struct vxb_device *device, enum vxbi_program program,
                                   struct vxb_error *err)
{
    static const char *const *const programs[VXBI_PROGRAM_COUNT] = {
#define VXBI_PROGRAM_DEF(name) [VXBI_PROGRAM_##name] = vxbi_program_##name,
#include "kernels.def"
#undef VXBI_PROGRAM_DEF
    };
    const char *const *lines = programs[program];
    cl_uint count = 0;
    cl_int code;
    if (device->programs[program])
        return VXB_OK;
    while (lines[count])
        count++;
    /* The one cast: OpenCL's prototype forgets that it does not write what it is given. */
    cl_program built =
        device->cl.clCreateProgramWithSource(device->context, count, (const char **)lines, NULL, &code);
    if (code != CL_SUCCESS)
        return vxbi_cl_check(device, code, "to take the kernels", err);
    const char *options = device->info.exact ? OPTIONS_EXACT : OPTIONS_INEXACT;
    code = device->cl.clBuildProgram(built, 1, &device->id, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        device->programs[program] = built;
        return VXB_OK;
    }
    fail_build(env, device, built, code, err);
    device->cl.clReleaseProgram(built);
    return VXB_ERR_DEVICE;
}

static enum vxb_status make_ready(const struct vxb_env *env, struct vxb_device *device, struct vxb_error *err)
{
    const struct vxbi_cl *cl = &device->cl;
    size_t most = 0, sizes[16] = {0};
    cl_int code;
    device->context = cl->clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    enum vxb_status status = vxbi_cl_check(device, code, "to open it", err);
    if (!status) {
        device->work = cl->clCreateCommandQueue(device->context, device->id, 0, &code);
        status = vxbi_cl_check(device, code, "to open a queue", err);
    }
    if (!status) {
        device->transfer = cl->clCreateCommandQueue(device->context, device->id, 0, &code);
        status = vxbi_cl_check(device, code, "to open a queue", err);
    }
    if (!status) {
        code = cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
        if (cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL) == CL_SUCCESS &&
            sizes[0] < most)
            most = sizes[0];
        device->local_most = most ? most : 1;
        status = vxbi_cl_check(device, code, "to ask for its work groups' size", err);
    }
    /* The fill's takes longer, and is built when a fill asks for it. */
    return status ? status : vxbi_program_ready(env, device, VXBI_PROGRAM_scatter, err);
}

static enum vxb_status open_chosen(const struct vxb_env *env, const struct vxbi_choice *choice, bool inexact,
                                   struct vxb_device **out, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_device_list *list = NULL;
    cl_device_id ids[VXBI_CL_DEVICES_MOST];
    uint32_t chosen = 0;
    struct vxb_device *device = vxbi_new_zero(&allocator, 1, sizeof *device);
    if (!device)
        return vxbi_fail_memory(err, sizeof *device);
    device->allocator = allocator;
    enum vxb_status status = vxbi_cl_load(&device->cl, err);
    if (!status)
        status = vxbi_cl_list(env, &device->cl, &list, ids, err);
    if (!status)
        status = choose(list, choice, inexact, &chosen, err);
    if (!status) {
        device->info = list->devices[chosen];
        device->id = ids[chosen];
        status = make_ready(env, device, err);
    }
    vxb_device_list_free(list);
    if (status)
        vxb_device_close(device);
    else
        *out = device;
    return status;
}

enum vxb_status vxb_device_open(const struct vxb_env *env, const struct vxb_device_options *options,
                                struct vxb_device **out, struct vxb_error *err)
{
    struct vxbi_choice choice;
    struct vxb_error why = {0};
    *out = NULL;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_device_options", options->size, sizeof *options, err);
    if (!status)
        status = vxbi_choice_parse(options->choice, &choice, err);
    if (status || choice.kind == VXBI_CHOICE_CPU)
        return status;
    if (choice.kind == VXBI_CHOICE_AUTO &&
        options->candidates / VXB_DEVICE_AUTO_CANDIDATES < vxbi_thread_count(env))
        return VXB_OK;
    if (choice.kind != VXBI_CHOICE_AUTO)
        return open_chosen(env, &choice, options->inexact, out, err);
    if (open_chosen(env, &choice, false, out, &why) != VXB_OK)
        vxbi_say(env, VXB_SEVERITY_NOTE, NULL, NULL, "baking on the cpu: %s", why.message);
    return VXB_OK;
}

void vxb_device_close(struct vxb_device *device)
{
    if (!device)
        return;
    const struct vxbi_cl *cl = &device->cl;
    vxbi_device_finish(device);
    for (int i = 0; i < VXBI_PROGRAM_COUNT; i++)
        if (device->programs[i])
            cl->clReleaseProgram(device->programs[i]);
    if (device->transfer)
        cl->clReleaseCommandQueue(device->transfer);
    if (device->work)
        cl->clReleaseCommandQueue(device->work);
    if (device->context)
        cl->clReleaseContext(device->context);
    const struct vxb_allocator allocator = device->allocator;
    vxbi_delete(&allocator, device, 1, sizeof *device);
}

const struct vxb_device_info *vxb_device_info(const struct vxb_device *device) { return &device->info; }
