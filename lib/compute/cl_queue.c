/* Buffers, kernels, launches. */
#include <stdio.h>
#include <string.h>

#include "cl_device.h"

struct vxbi_buffer {
    cl_mem mem;
    uint64_t size;
};

struct vxbi_pinned {
    cl_mem mem; /* NULL: plain memory */
    void *data;
    uint64_t size;
};

struct vxbi_kernel {
    cl_kernel kernel;
    const char *name;
    uint64_t local_most;
};

struct vxbi_event {
    cl_event event;
};

struct vxbi_device_tuning *vxbi_device_tuning(struct vxb_device *device) { return &device->tuning; }

/* What goes wrong in it goes wrong again in the call that waits. */
void vxbi_device_flush(struct vxb_device *device) { device->cl.clFlush(device->work); }

void vxbi_device_finish(struct vxb_device *device)
{
    if (device->work)
        device->cl.clFinish(device->work);
    if (device->transfer)
        device->cl.clFinish(device->transfer);
}

/* ---- memory ---- */

static enum vxb_status fail_size(const struct vxb_device *device, uint64_t size, struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_MEMORY,
                     "%s: a buffer of %llu bytes is needed, and its largest is of %llu: bake on another device, or on "
                     "the cpu, which gives the same bytes",
                     device->info.name, (unsigned long long)size, (unsigned long long)device->info.buffer_bytes);
}

enum vxb_status vxbi_buffer_new(struct vxb_device *device, uint64_t size, const void *data, struct vxbi_buffer **out,
                                struct vxb_error *err)
{
    cl_int code;
    if (size > device->info.buffer_bytes || size > SIZE_MAX / 2)
        return fail_size(device, size, err);
    struct vxbi_buffer *buffer = vxbi_new_zero(&device->allocator, 1, sizeof *buffer);
    if (!buffer)
        return vxbi_fail_memory(err, sizeof *buffer);
    buffer->size = size;
    buffer->mem = device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    /* Some drivers have only this to say where there is no memory left. */
    if (code == CL_OUT_OF_RESOURCES)
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    enum vxb_status status = vxbi_cl_check(device, code, "to allocate a buffer", err);
    if (!status && data)
        status = vxbi_buffer_write(device, buffer, data, size, err);
    if (status)
        vxbi_buffer_free(device, buffer);
    else
        *out = buffer;
    return status;
}

void vxbi_buffer_free(struct vxb_device *device, struct vxbi_buffer *buffer)
{
    if (!buffer)
        return;
    if (buffer->mem)
        device->cl.clReleaseMemObject(buffer->mem);
    vxbi_delete(&device->allocator, buffer, 1, sizeof *buffer);
}

enum vxb_status vxbi_buffer_write(struct vxb_device *device, struct vxbi_buffer *buffer, const void *data,
                                  uint64_t size, struct vxb_error *err)
{
    cl_int code =
        device->cl.clEnqueueWriteBuffer(device->work, buffer->mem, CL_TRUE, 0, (size_t)size, data, 0, NULL, NULL);
    return vxbi_cl_check(device, code, "to write a buffer", err);
}

enum vxb_status vxbi_buffer_zero(struct vxb_device *device, struct vxbi_buffer *buffer, uint64_t size,
                                 struct vxb_error *err)
{
    const cl_uint zero = 0;
    cl_int code =
        device->cl.clEnqueueFillBuffer(device->work, buffer->mem, &zero, sizeof zero, 0, (size_t)size, 0, NULL, NULL);
    return vxbi_cl_check(device, code, "to clear a buffer", err);
}

enum vxb_status vxbi_buffer_read(struct vxb_device *device, struct vxbi_buffer *buffer, void *data, uint64_t size,
                                 struct vxb_error *err)
{
    cl_int code =
        device->cl.clEnqueueReadBuffer(device->work, buffer->mem, CL_TRUE, 0, (size_t)size, data, 0, NULL, NULL);
    return vxbi_cl_check(device, code, "to read a buffer", err);
}

enum vxb_status vxbi_pinned_new(struct vxb_device *device, uint64_t size, struct vxbi_pinned **out,
                                struct vxb_error *err)
{
    cl_int code;
    struct vxbi_pinned *pinned = vxbi_new_zero(&device->allocator, 1, sizeof *pinned);
    if (!pinned)
        return vxbi_fail_memory(err, sizeof *pinned);
    pinned->size = size;
    pinned->mem = device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)size,
                                            NULL, &code);
    if (code != CL_SUCCESS)
        pinned->mem = NULL;
    if (pinned->mem) {
        pinned->data = device->cl.clEnqueueMapBuffer(device->transfer, pinned->mem, CL_TRUE,
                                                     CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)size, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS) {
            device->cl.clReleaseMemObject(pinned->mem);
            pinned->mem = NULL;
        }
    }
    /* Slower, but as good. */
    if (!pinned->mem)
        pinned->data = vxbi_new(&device->allocator, size, 1);
    if (!pinned->data) {
        vxbi_delete(&device->allocator, pinned, 1, sizeof *pinned);
        return vxbi_fail_memory(err, size);
    }
    *out = pinned;
    return VXB_OK;
}

void *vxbi_pinned_data(const struct vxbi_pinned *pinned) { return pinned->data; }

void vxbi_pinned_free(struct vxb_device *device, struct vxbi_pinned *pinned)
{
    if (!pinned)
        return;
    if (pinned->mem) {
        device->cl.clEnqueueUnmapMemObject(device->transfer, pinned->mem, pinned->data, 0, NULL, NULL);
        device->cl.clFinish(device->transfer);
        device->cl.clReleaseMemObject(pinned->mem);
    } else {
        vxbi_delete(&device->allocator, pinned->data, pinned->size, 1);
    }
    vxbi_delete(&device->allocator, pinned, 1, sizeof *pinned);
}

/* ---- reading behind the work ---- */

enum vxb_status vxbi_read_begin(struct vxb_device *device, struct vxbi_buffer *buffer, struct vxbi_pinned *to,
                                uint64_t size, struct vxbi_event **done, struct vxb_error *err)
{
    const struct vxbi_cl *cl = &device->cl;
    cl_event before = NULL;
    struct vxbi_event *event = vxbi_new_zero(&device->allocator, 1, sizeof *event);
    if (!event)
        return vxbi_fail_memory(err, sizeof *event);
    cl_int code = cl->clEnqueueMarkerWithWaitList(device->work, 0, NULL, &before);
    if (code == CL_SUCCESS)
        code = cl->clFlush(device->work);
    if (code == CL_SUCCESS)
        code = cl->clEnqueueReadBuffer(device->transfer, buffer->mem, CL_FALSE, 0, (size_t)size, to->data, 1, &before,
                                       &event->event);
    if (before)
        cl->clReleaseEvent(before);
    if (code == CL_SUCCESS)
        code = cl->clFlush(device->transfer);
    if (code == CL_SUCCESS) {
        *done = event;
        return VXB_OK;
    }
    if (event->event) {
        /* It is in the queue: nobody else will wait for it. */
        cl->clFinish(device->transfer);
        cl->clReleaseEvent(event->event);
    }
    vxbi_delete(&device->allocator, event, 1, sizeof *event);
    return vxbi_cl_check(device, code, "to read results", err);
}

enum vxb_status vxbi_wait(struct vxb_device *device, struct vxbi_event *event, struct vxb_error *err)
{
    cl_int code = device->cl.clWaitForEvents(1, &event->event);
    device->cl.clReleaseEvent(event->event);
    vxbi_delete(&device->allocator, event, 1, sizeof *event);
    return vxbi_cl_check(device, code, "to wait for results", err);
}

/* ---- kernels ---- */

enum vxb_status vxbi_kernel_new(struct vxb_device *device, enum vxbi_program program, const char *name,
                                struct vxbi_kernel **out, struct vxb_error *err)
{
    cl_int code;
    size_t most = 0;
    struct vxbi_kernel *kernel = vxbi_new_zero(&device->allocator, 1, sizeof *kernel);
    if (!kernel)
        return vxbi_fail_memory(err, sizeof *kernel);
    kernel->name = name;
    kernel->kernel = device->cl.clCreateKernel(device->programs[program], name, &code);
    enum vxb_status status = vxbi_cl_check(device, code, name, err);
    if (status) {
        vxbi_delete(&device->allocator, kernel, 1, sizeof *kernel);
        return status;
    }
    code = device->cl.clGetKernelWorkGroupInfo(kernel->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                               &most, NULL);
    kernel->local_most = code == CL_SUCCESS && most && most < device->local_most ? most : device->local_most;
    *out = kernel;
    return VXB_OK;
}

void vxbi_kernel_free(struct vxb_device *device, struct vxbi_kernel *kernel)
{
    if (!kernel)
        return;
    device->cl.clReleaseKernel(kernel->kernel);
    vxbi_delete(&device->allocator, kernel, 1, sizeof *kernel);
}

uint32_t vxbi_kernel_local(struct vxb_device *device, const struct vxbi_kernel *kernel, uint64_t items)
{
    uint64_t local = device->tuning.local_size;
    if (local == 0)
        for (local = 1; local < 256 && local < items;)
            local *= 2;
    return (uint32_t)(local < kernel->local_most ? local : kernel->local_most);
}

enum vxb_status vxbi_launch(struct vxb_device *device, struct vxbi_kernel *kernel, const struct vxbi_arg *args,
                            size_t arg_count, struct vxbi_range range, struct vxb_error *err)
{
    const size_t local[2] = {range.local, 1};
    const uint64_t filled = (range.items + range.local - 1) / range.local * range.local;
    const size_t global[2] = {(size_t)filled, (size_t)range.rows};
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < arg_count && code == CL_SUCCESS; i++) {
        const struct vxbi_arg *arg = &args[i];
        const void *value = arg->buffer ? (const void *)&arg->buffer->mem : arg->value;
        code = device->cl.clSetKernelArg(kernel->kernel, (cl_uint)i, arg->buffer ? sizeof arg->buffer->mem : arg->size,
                                         value);
    }
    if (code == CL_SUCCESS)
        code = device->cl.clEnqueueNDRangeKernel(device->work, kernel->kernel, 2, NULL, global, local, 0, NULL, NULL);
    return vxbi_cl_check(device, code, kernel->name, err);
}
