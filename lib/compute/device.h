/* A device for those who have work for it: buffers, kernels, launches, read-backs. What runs is in order; a read-back
 * that was begun goes on beside what is launched after it. One thread at a time.
 *
 * VXB_ERR_MEMORY from any of these means the device's memory: less work at a time may do. All else that goes wrong is
 * VXB_ERR_DEVICE, and then nothing more is to be had of this device. */
#ifndef VXBI_COMPUTE_DEVICE_H
#define VXBI_COMPUTE_DEVICE_H

#include "../core/alloc.h"
#include "../core/error.h"
#include "../vxbake/device.h"
#include "kernels.h"

/* What the tests force; zero: as the device likes it. */
struct vxbi_device_tuning {
    uint32_t local_size;      /* items a work group */
    uint64_t tile_candidates; /* most of a tile, where more than one cell is in it */
    int count_first;          /* whether all is counted before it is made: above 0 yes, below 0 no */
    uint32_t bucket_slots;    /* what a bucket of a tile has room for at first; all ties together: one */
    int few_blades;           /* whether few are taken to come of a tile's candidates: above 0 yes, below 0 no */
    uint32_t run_bricks;      /* of a run of the fill */
    uint32_t launch_rays;     /* of a launch of the fill, for each probe */
};
struct vxbi_device_tuning *vxbi_device_tuning(struct vxb_device *device);

/* Has a program prove, before its first use there, that it computes what the CPU does: test says what it found, once it
 * is good. One that is known not to be exact has nothing to prove. */
typedef enum vxb_status vxbi_device_test(const struct vxb_env *env, struct vxb_device *device, struct vxb_error *err);
enum vxb_status vxbi_device_trial(const struct vxb_env *env, struct vxb_device *device, enum vxbi_program program,
                                  vxbi_device_test *test, struct vxb_error *err);

/* Whether a cell, or a brick, is among the percent, 0 to 100, that are computed on the CPU too and compared: by its
 * number alone, so that the same ones are in every run. */
bool vxbi_device_samples(double percent, uint64_t number);

/* Bytes of a work group's own memory that a kernel may take: a device with fewer is not usable. */
#define VXBI_LOCAL_BYTES (16u << 10)

struct vxbi_buffer;
/* size: bytes, at least 1; more than the device's largest buffer is VXB_ERR_MEMORY. data: NULL, and it holds anything,
 * or what it holds at first. */
enum vxb_status vxbi_buffer_new(struct vxb_device *device, uint64_t size, const void *data, struct vxbi_buffer **out,
                                struct vxb_error *err);
void vxbi_buffer_free(struct vxb_device *device, struct vxbi_buffer *buffer); /* NULL is allowed; waits for nothing */
/* The first size bytes of a buffer, 1 to all of them, behind what was launched; data is the caller's again. Zeros are
 * written by words: size is a multiple of 4. */
enum vxb_status vxbi_buffer_write(struct vxb_device *device, struct vxbi_buffer *buffer, const void *data,
                                  uint64_t size, struct vxb_error *err);
enum vxb_status vxbi_buffer_zero(struct vxb_device *device, struct vxbi_buffer *buffer, uint64_t size,
                                 struct vxb_error *err);
/* So many bytes of its first; waits for all that was launched. */
enum vxb_status vxbi_buffer_read(struct vxb_device *device, struct vxbi_buffer *buffer, void *data, uint64_t size,
                                 struct vxb_error *err);

/* Host memory, size bytes, at least 1, that a read-back is fast into; plain memory where the driver gives none. */
struct vxbi_pinned;
enum vxb_status vxbi_pinned_new(struct vxb_device *device, uint64_t size, struct vxbi_pinned **out,
                                struct vxb_error *err);
void *vxbi_pinned_data(const struct vxbi_pinned *pinned);
void vxbi_pinned_free(struct vxb_device *device, struct vxbi_pinned *pinned); /* NULL is allowed */

/* Reads size bytes of a buffer, as many as both have at the most, behind all that was launched so far; *done is waited
 * for, once, with vxbi_wait(), which frees it on success and failure alike. Where it can't be begun, nothing is on its
 * way. Where it was waited for in vain, it may yet be, until vxbi_device_finish(). */
struct vxbi_event;
enum vxb_status vxbi_read_begin(struct vxb_device *device, struct vxbi_buffer *buffer, struct vxbi_pinned *to,
                                uint64_t size, struct vxbi_event **done, struct vxb_error *err);
enum vxb_status vxbi_wait(struct vxb_device *device, struct vxbi_event *event, struct vxb_error *err);

/* An argument of a kernel: a buffer, size bytes of a value, or size bytes of a work group's own memory. */
struct vxbi_arg {
    struct vxbi_buffer *buffer;
    const void *value;
    size_t size;
};
#define VXBI_ARG_BUFFER(b) {.buffer = (b)}
#define VXBI_ARG_VALUE(v) {.value = &(v), .size = sizeof(v)}
#define VXBI_ARG_LOCAL(bytes) {.size = (bytes)}

/* Work items of a launch: items, rows of them, at least 1 each, and a work group's size, at most what
 * vxbi_kernel_local() says; groups lie in one row. The items of a row are filled up to whole groups. */
struct vxbi_range {
    uint64_t items, rows;
    uint32_t local;
};

/* Builds a program, once. What the driver's compiler has to say when it fails goes to diag, as notes. */
enum vxb_status vxbi_program_ready(const struct vxb_env *env, struct vxb_device *device, enum vxbi_program program,
                                   struct vxb_error *err);

/* Of a program that is ready. name: kept, for what is told of it. */
struct vxbi_kernel;
enum vxb_status vxbi_kernel_new(struct vxb_device *device, enum vxbi_program program, const char *name,
                                struct vxbi_kernel **out, struct vxb_error *err);
void vxbi_kernel_free(struct vxb_device *device, struct vxbi_kernel *kernel); /* NULL is allowed */
/* A work group's size for so many items: what the tests force, else up to 256. */
uint32_t vxbi_kernel_local(struct vxb_device *device, const struct vxbi_kernel *kernel, uint64_t items);
/* args: all of the kernel's, in its order; their values are copied. It is queued, and begins when a flush, a read or a
 * wait asks for it. */
enum vxb_status vxbi_launch(struct vxb_device *device, struct vxbi_kernel *kernel, const struct vxbi_arg *args,
                            size_t arg_count, struct vxbi_range range, struct vxb_error *err);

/* Lets what was launched begin, while the caller does something else. */
void vxbi_device_flush(struct vxb_device *device);
/* Ends all work, so that buffers can be freed whatever happened. */
void vxbi_device_finish(struct vxb_device *device);

#endif
