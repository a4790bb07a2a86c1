/* Compute devices: what there is, and one to bake on. Source: vxbake-devices(1).
 *
 * No call into OpenCL is made, and its loader is not even loaded, before a device is asked for: a driver that crashes
 * when it is listed takes nobody along who did not want it. */
#ifndef VXBAKE_DEVICE_H
#define VXBAKE_DEVICE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_device_kind { VXB_DEVICE_CPU, VXB_DEVICE_GPU, VXB_DEVICE_ACCELERATOR, VXB_DEVICE_OTHER };

/* Lower-case name ("gpu"); static storage. */
const char *vxb_device_kind_name(enum vxb_device_kind kind);

/* One device. Texts are the driver's, UTF-8 with control characters escaped, cut at the array's end. */
struct vxb_device_info {
    char platform[128], name[128];
    char version[128], driver[64]; /* of OpenCL, of the driver */
    enum vxb_device_kind kind;
    uint32_t compute_units;
    uint64_t memory_bytes;         /* of its own */
    uint64_t buffer_bytes;         /* the largest buffer it gives */
    bool usable;                   /* it can run the kernels: else why_not says what it lacks */
    bool exact;                    /* usable, and says to give the bits that the CPU gives: else why_not */
    char why_not[256];             /* what it lacks, "" where it is exact */
};

struct vxb_device_list {
    struct vxb_allocator allocator;
    uint32_t count;
    struct vxb_device_info *devices; /* number N is the one that "opencl:N" names */
};

/* Lists the OpenCL devices of all platforms. Platforms whose devices can't be listed are told of through env's diag, as
 * warnings, and left out.
 * out: the caller frees it with vxb_device_list_free(). An empty list is no error.
 * Returns VXB_ERR_DEVICE (no OpenCL on this machine, with the reason; or this build was made without it), VXB_ERR_USAGE
 * (env of another size), VXB_ERR_MEMORY. */
enum vxb_status vxb_device_list_new(const struct vxb_env *env, struct vxb_device_list **out, struct vxb_error *err);
void vxb_device_list_free(struct vxb_device_list *list);

/* A device at work; one bake at a time. */
struct vxb_device;

struct vxb_device_options {
    size_t size;
    /* "cpu"; "opencl": an exact GPU, else an exact device of another kind; "opencl:N": number N of the list;
     * "opencl:NAME": the first whose name, or whose platform's, has NAME in it, case apart; "auto": a GPU where there
     * is an exact one and the work is enough to be faster there, else the CPU. NULL: "cpu". */
    const char *choice;
    uint64_t candidates;           /* the work, for "auto", in candidates of grass; see the next two */
    bool inexact;                  /* take one that is usable but not exact */
};

/* From so many candidates on for each thread that env allows, "auto" looks for a GPU: below, the CPU is done in the
 * time in which a driver is loaded, the kernels are built and memory is made ready. bench_device measures it. */
#define VXB_DEVICE_AUTO_CANDIDATES 16000000u
/* So many candidates of grass take the CPU as long as one ray of an irradiance field. */
#define VXB_DEVICE_CANDIDATES_A_RAY 12u

/* Opens a device.
 * env: copied from as far as needed; what the driver's compiler has to say when it fails goes to diag, as notes.
 * out: NULL where the choice came to the CPU, which needs none. Close with vxb_device_close().
 * Returns VXB_ERR_USAGE (a choice that is none of the above, env or options of another size), VXB_ERR_DEVICE (no such
 * device, with those there are; it is not exact; its compiler or its driver failed), VXB_ERR_MEMORY. "auto" takes the
 * CPU where a device can't be had, and says why in a note. */
enum vxb_status vxb_device_open(const struct vxb_env *env, const struct vxb_device_options *options,
                                struct vxb_device **out, struct vxb_error *err);
void vxb_device_close(struct vxb_device *device); /* NULL is allowed */

/* Which one it is; belongs to the device. */
const struct vxb_device_info *vxb_device_info(const struct vxb_device *device);

#ifdef __cplusplus
}
#endif

#endif
