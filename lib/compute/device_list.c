/* Which devices there are, and what keeps one from giving the CPU's bits. */
#include "cl_device.h"

#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/text.h"

#define PLATFORMS_MOST 64
#define NO_PLATFORM (-1001) /* the loader's way to say that there is none: CL_PLATFORM_NOT_FOUND_KHR */
#define BUFFER_LEAST ((uint64_t)16 << 20)

enum vxb_status vxbi_cl_check(const struct vxb_device *device, cl_int code, const char *doing, struct vxb_error *err)
{
    char buf[24];
    if (code == CL_SUCCESS)
        return VXB_OK;
    const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE ||
                        code == CL_OUT_OF_HOST_MEMORY;
    return vxbi_fail(err, memory ? VXB_ERR_MEMORY : VXB_ERR_DEVICE, "%s: %s failed: %s%s", device->info.name, doing,
                     vxbi_cl_error_name(code, buf),
                     code == CL_DEVICE_NOT_AVAILABLE || code == CL_OUT_OF_RESOURCES
                         ? "; the device is gone, or its driver gave up: bake on another, or on the cpu, which gives "
                           "the same bytes"
                         : "");
}

/* ---- one device ---- */

static void clean(char *out, size_t room, const char *text)
{
    while (*text == ' ')
        text++;
    size_t size = strlen(text);
    while (size && text[size - 1] == ' ')
        size--;
    vxb_text_escape(out, room, text, size);
}

static void device_text(const struct vxbi_cl *cl, cl_device_id id, cl_device_info what, char *out, size_t room)
{
    char raw[512] = "";
    size_t size = 0;
    if (cl->clGetDeviceInfo(id, what, sizeof raw - 1, raw, &size) != CL_SUCCESS)
        raw[0] = 0;
    raw[sizeof raw - 1] = 0;
    clean(out, room, raw);
}

/* 0 where the driver does not say. */
static uint64_t device_number(const struct vxbi_cl *cl, cl_device_id id, cl_device_info what, size_t size)
{
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    void *to = size == sizeof wide ? (void *)&wide : (void *)&narrow;
    if (cl->clGetDeviceInfo(id, what, size, to, NULL) != CL_SUCCESS)
        return 0;
    return size == sizeof wide ? wide : narrow;
}

static enum vxb_device_kind kind_of(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? VXB_DEVICE_GPU
           : type & CL_DEVICE_TYPE_CPU         ? VXB_DEVICE_CPU
           : type & CL_DEVICE_TYPE_ACCELERATOR ? VXB_DEVICE_ACCELERATOR
                                               : VXB_DEVICE_OTHER;
}

static bool host_is_little(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Adds a reason behind those there are. */
static void lacks(struct vxb_device_info *info, const char *what)
{
    size_t used = strlen(info->why_not);
    snprintf(info->why_not + used, sizeof info->why_not - used, "%s%s", used ? "; " : "", what);
}

static void qualify(const struct vxbi_cl *cl, cl_device_id id, struct vxb_device_info *info)
{
    const uint64_t fp = device_number(cl, id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config));
    unsigned major = 0, minor = 0;
    char profile[32];
    if (sscanf(info->version, "OpenCL %u.%u", &major, &minor) != 2 || major < 1 || (major == 1 && minor < 2))
        lacks(info, "its OpenCL is older than 1.2");
    device_text(cl, id, CL_DEVICE_PROFILE, profile, sizeof profile);
    if (strcmp(profile, "FULL_PROFILE") != 0)
        lacks(info, "its OpenCL is not of the full profile");
    if (!device_number(cl, id, CL_DEVICE_AVAILABLE, sizeof(cl_bool)))
        lacks(info, "its driver says that it is not available");
    if (!device_number(cl, id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)))
        lacks(info, "it has no compiler");
    if (!device_number(cl, id, CL_DEVICE_ENDIAN_LITTLE, sizeof(cl_bool)) || !host_is_little())
        lacks(info, "it, or this machine, is not little-endian");
    if (info->buffer_bytes < BUFFER_LEAST)
        lacks(info, "its buffers are smaller than 16 MiB");
    if (device_number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong)) < VXBI_LOCAL_BYTES)
        lacks(info, "its work groups have less than 16 KiB of their own");
    info->usable = info->why_not[0] == 0;
    if (!(fp & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
        lacks(info, "it does not round divisions and square roots correctly");
    if (!(fp & CL_FP_ROUND_TO_NEAREST))
        lacks(info, "it does not round to nearest");
    if (!(fp & CL_FP_DENORM))
        lacks(info, "it has no denormals");
    info->exact = info->why_not[0] == 0;
}

/* All but the platform. */
static void describe(const struct vxbi_cl *cl, cl_device_id id, struct vxb_device_info *info)
{
    info->kind = kind_of(device_number(cl, id, CL_DEVICE_TYPE, sizeof(cl_device_type)));
    device_text(cl, id, CL_DEVICE_NAME, info->name, sizeof info->name);
    device_text(cl, id, CL_DEVICE_VERSION, info->version, sizeof info->version);
    device_text(cl, id, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    info->compute_units = (uint32_t)device_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->memory_bytes = device_number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->buffer_bytes = device_number(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    qualify(cl, id, info);
}

/* ---- all of them ---- */

/* Where found devices go, before it is known how many there are. */
struct found {
    uint32_t count;
    cl_device_id *ids;
    cl_platform_id platforms[VXBI_CL_DEVICES_MOST];
};

static void platform_name(const struct vxbi_cl *cl, cl_platform_id platform, char *out, size_t room)
{
    char raw[512] = "";
    if (cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof raw - 1, raw, NULL) != CL_SUCCESS)
        raw[0] = 0;
    raw[sizeof raw - 1] = 0;
    clean(out, room, raw);
}

static void find_devices(const struct vxb_env *env, const struct vxbi_cl *cl, cl_platform_id platform, struct found *f)
{
    cl_device_id *ids = f->ids + f->count;
    cl_uint room = VXBI_CL_DEVICES_MOST - f->count, count = 0;
    if (room == 0)
        return;
    cl_int code = cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, room, ids, &count);
    if (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND) {
        char name[128], buf[24];
        platform_name(cl, platform, name, sizeof name);
        vxbi_say(env, VXB_SEVERITY_WARNING, NULL, NULL,
                 "OpenCL platform \"%s\" is left out: its devices can't be listed: %s", name,
                 vxbi_cl_error_name(code, buf));
    }
    if (code != CL_SUCCESS)
        return;
    for (cl_uint i = 0; i < count && i < room; i++)
        f->platforms[f->count++] = platform;
}

enum vxb_status vxbi_cl_list(const struct vxb_env *env, const struct vxbi_cl *cl, struct vxb_device_list **out,
                             cl_device_id ids[VXBI_CL_DEVICES_MOST], struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct found f = {.ids = ids};
    cl_platform_id platforms[PLATFORMS_MOST];
    cl_uint count = 0;
    char buf[24];
    const cl_int code = cl->clGetPlatformIDs(PLATFORMS_MOST, platforms, &count);
    if (code != CL_SUCCESS)
        count = 0;
    if (code != CL_SUCCESS && code != NO_PLATFORM)
        vxbi_say(env, VXB_SEVERITY_WARNING, NULL, NULL, "OpenCL's platforms can't be listed: %s",
                 vxbi_cl_error_name(code, buf));
    for (cl_uint i = 0; i < count && i < PLATFORMS_MOST; i++)
        find_devices(env, cl, platforms[i], &f);
    struct vxb_device_list *list = vxbi_new_zero(&allocator, 1, sizeof *list);
    if (!list)
        return vxbi_fail_memory(err, sizeof *list);
    list->allocator = allocator;
    list->count = f.count;
    list->devices = f.count ? vxbi_new_zero(&allocator, f.count, sizeof *list->devices) : NULL;
    if (f.count && !list->devices) {
        vxb_device_list_free(list);
        return vxbi_fail_memory(err, f.count * sizeof *list->devices);
    }
    for (uint32_t i = 0; i < f.count; i++) {
        platform_name(cl, f.platforms[i], list->devices[i].platform, sizeof list->devices[i].platform);
        describe(cl, ids[i], &list->devices[i]);
    }
    *out = list;
    return VXB_OK;
}

enum vxb_status vxb_device_list_new(const struct vxb_env *env, struct vxb_device_list **out, struct vxb_error *err)
{
    struct vxbi_cl cl;
    cl_device_id ids[VXBI_CL_DEVICES_MOST];
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_cl_load(&cl, err);
    return status ? status : vxbi_cl_list(env, &cl, out, ids, err);
}
