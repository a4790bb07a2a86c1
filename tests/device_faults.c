/* The functions between a device and its driver. */
#include "device_faults.h"

#include <stdlib.h>
#include <string.h>

struct device_faults device_faults;

static struct device_faults *const f = &device_faults;

static bool fails(enum device_call call)
{
    if (call != f->call)
        return false;
    const uint64_t number = f->calls++;
    return number >= f->from && number - f->from < f->many;
}

/* ---- objects ---- */

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *data, cl_int *code)
{
    if (fails(CALL_BUFFER) || size > f->largest) {
        *code = f->code;
        return NULL;
    }
    /* What is in a new buffer is anything: here it is never zeros. */
    void *anything = data ? NULL : malloc(size);
    if (anything)
        memset(anything, 0xA5, size);
    cl_mem buffer = f->real.clCreateBuffer(context, anything ? flags | CL_MEM_COPY_HOST_PTR : flags, size,
                                           anything ? anything : data, code);
    free(anything);
    f->buffers += buffer != NULL;
    return buffer;
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
    f->buffers--;
    return f->real.clReleaseMemObject(buffer);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    if (fails(CALL_KERNEL)) {
        *code = f->code;
        return NULL;
    }
    cl_kernel kernel = f->real.clCreateKernel(program, name, code);
    f->kernels += kernel != NULL;
    return kernel;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    f->kernels--;
    return f->real.clReleaseKernel(kernel);
}

static cl_int CL_API_CALL release_event(cl_event event)
{
    f->events--;
    return f->real.clReleaseEvent(event);
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                    size_t offset, size_t size, cl_uint count, const cl_event *events, cl_event *event,
                                    cl_int *code)
{
    if (fails(CALL_MAP)) {
        *code = f->code;
        return NULL;
    }
    void *data =
        f->real.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event, code);
    f->maps += data != NULL;
    return data;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem buffer, void *data, cl_uint count,
                                const cl_event *events, cl_event *event)
{
    f->maps--;
    return f->real.clEnqueueUnmapMemObject(queue, buffer, data, count, events, event);
}

/* ---- work ---- */

static cl_int CL_API_CALL set_arg(cl_kernel kernel, cl_uint number, size_t size, const void *value)
{
    return fails(CALL_ARG) ? f->code : f->real.clSetKernelArg(kernel, number, size, value);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                                 cl_event *event)
{
    return fails(CALL_LAUNCH) ? f->code
                              : f->real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
                                                               events, event);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                               size_t offset, size_t size, cl_uint count, const cl_event *events, cl_event *event)
{
    return fails(CALL_FILL) ? f->code
                            : f->real.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, count,
                                                          events, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, const void *from, cl_uint count, const cl_event *events,
                                       cl_event *event)
{
    return fails(CALL_WRITE)
               ? f->code
               : f->real.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, count, events, event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, void *to, cl_uint count, const cl_event *events, cl_event *event)
{
    if (fails(blocking ? CALL_READ : CALL_BEGIN))
        return f->code;
    const cl_int code = f->real.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, count, events, event);
    if (code != CL_SUCCESS)
        return code;
    f->events += event != NULL;
    if (!blocking) {
        f->reads++;
        f->reader = queue;
    }
    if (f->turn) {
        f->real.clFinish(queue);
        f->turn(to, size, !blocking);
    }
    return code;
}

static cl_int CL_API_CALL mark(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
{
    if (fails(CALL_MARK))
        return f->code;
    const cl_int code = f->real.clEnqueueMarkerWithWaitList(queue, count, events, event);
    f->events += code == CL_SUCCESS && event;
    return code;
}

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
    return fails(CALL_FLUSH) ? f->code : f->real.clFlush(queue);
}

/* What is waited for in vain may yet come: it is not over before the queue is. */
static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event *events)
{
    if (fails(CALL_WAIT))
        return f->code;
    f->reads -= count;
    return f->real.clWaitForEvents(count, events);
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    if (queue == f->reader)
        f->reads = 0;
    return f->real.clFinish(queue);
}

/* ---- setting it up ---- */

void device_faults_into(struct vxb_device *device)
{
    struct vxbi_cl *cl = &device->cl;
    *f = (struct device_faults){.real = *cl, .largest = UINT64_MAX, .code = CL_MEM_OBJECT_ALLOCATION_FAILURE};
    cl->clCreateBuffer = create_buffer;
    cl->clReleaseMemObject = release_buffer;
    cl->clCreateKernel = create_kernel;
    cl->clReleaseKernel = release_kernel;
    cl->clReleaseEvent = release_event;
    cl->clEnqueueMapBuffer = map_buffer;
    cl->clEnqueueUnmapMemObject = unmap;
    cl->clSetKernelArg = set_arg;
    cl->clEnqueueNDRangeKernel = launch;
    cl->clEnqueueFillBuffer = fill;
    cl->clEnqueueWriteBuffer = write_buffer;
    cl->clEnqueueReadBuffer = read_buffer;
    cl->clEnqueueMarkerWithWaitList = mark;
    cl->clFlush = flush;
    cl->clWaitForEvents = wait_for;
    cl->clFinish = finish;
}

void device_faults_set(enum device_call call, uint64_t from, uint64_t many, cl_int code)
{
    f->call = call;
    f->calls = 0;
    f->from = from;
    f->many = many;
    f->code = code;
}

static void turn_bit(void *data, size_t size, bool begun)
{
    /* The read itself was counted already. */
    if (begun && f->calls > f->from)
        ((uint8_t *)data)[size / 2] ^= 1;
}

void device_faults_lie(uint64_t from)
{
    device_faults_set(CALL_BEGIN, from, 0, CL_SUCCESS);
    f->turn = turn_bit;
}
