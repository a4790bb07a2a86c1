/* What goes wrong with a device, on cue: put between a device and its driver, in the table of OpenCL's functions that
 * it holds. What the driver made for it and was not given back is counted too. One device at a time. */
#ifndef TESTS_DEVICE_FAULTS_H
#define TESTS_DEVICE_FAULTS_H

#include "compute/cl_device.h"

/* Calls that can fail: a word for each of the functions that the library asks more than once of an open device. */
enum device_call {
    CALL_BUFFER,
    CALL_KERNEL,
    CALL_ARG,
    CALL_LAUNCH,
    CALL_FILL,
    CALL_WRITE,
    CALL_READ,  /* waited for */
    CALL_BEGIN, /* a read that is only begun */
    CALL_MARK,
    CALL_MAP,
    CALL_FLUSH,
    CALL_WAIT,
    CALLS
};

struct device_faults {
    struct vxbi_cl real;
    /* Of one kind, those from number `from` on, counted from 0, `many` of them, fail with code. */
    enum device_call call;
    uint64_t from, many;
    cl_int code;
    uint64_t calls;   /* of that kind by now */
    uint64_t largest; /* larger buffers fail with code, whatever the call */
    /* NULL, or what turns what was read into something else before the library has it. */
    void (*turn)(void *data, size_t size, bool begun);
    int64_t buffers, maps, kernels, events; /* that there are */
    int64_t reads;           /* begun, and neither waited for nor over with their queue */
    cl_command_queue reader; /* that queue: the library has one for them all */
};
extern struct device_faults device_faults;

/* Nothing fails yet. */
void device_faults_into(struct vxb_device *device);
/* From here on: of one kind, those from number `from` on, `many` of them. */
void device_faults_set(enum device_call call, uint64_t from, uint64_t many, cl_int code);
/* One bit of every read that is begun from number `from` on, a whole number of words, is another. */
void device_faults_lie(uint64_t from);

#endif
