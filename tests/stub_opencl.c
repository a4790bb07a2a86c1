/* An OpenCL driver of our own, for tests: the usual loader finds it by an .icd file. It lists one device and takes
 * every call, but its kernels compute nothing. What STUB_OPENCL names goes wrong: words, with spaces between them. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_icd.h>

/* Every object begins with the table that the loader calls through. */
struct stub {
    struct _cl_icd_dispatch *table;
    void *memory;
};

static struct _cl_icd_dispatch table;
static struct stub the_platform = {&table, NULL}, the_device = {&table, NULL}, an_object = {&table, NULL};

static bool is_to(const char *word)
{
    const char *words = getenv("STUB_OPENCL");
    const size_t length = strlen(word);
    for (const char *at = words ? strstr(words, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static cl_int answer(const void *value, size_t size, size_t room, void *out, size_t *size_out)
{
    if (size_out)
        *size_out = size;
    if (out && room < size)
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, value, size);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *out, size_t *size_out)
{
    return answer(text, strlen(text) + 1, room, out, size_out);
}

/* ---- what there is ---- */

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *count);

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void *out,
                                        size_t *size)
{
    (void)platform;
    switch (what) {
    case CL_PLATFORM_PROFILE: return answer_text("FULL_PROFILE", room, out, size);
    case CL_PLATFORM_VERSION: return answer_text("OpenCL 1.2 stub", room, out, size);
    case CL_PLATFORM_NAME: return answer_text("Stub \033[31mplatform", room, out, size);
    case CL_PLATFORM_VENDOR: return answer_text("vxbake", room, out, size);
    case CL_PLATFORM_EXTENSIONS: return answer_text("cl_khr_icd", room, out, size);
    case 0x0920 /* CL_PLATFORM_ICD_SUFFIX_KHR */: return answer_text("STUB", room, out, size);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *out,
                                     cl_uint *count)
{
    (void)platform;
    if (is_to("list-fails"))
        return CL_OUT_OF_HOST_MEMORY;
    if (is_to("no-device") || !(type & CL_DEVICE_TYPE_GPU))
        return CL_DEVICE_NOT_FOUND;
    if (count)
        *count = 1;
    if (out && room)
        out[0] = (cl_device_id)(void *)&the_device;
    return CL_SUCCESS;
}

static cl_int number(cl_ulong value, size_t size, size_t room, void *out, size_t *size_out)
{
    const cl_uint narrow = (cl_uint)value;
    return answer(size == sizeof narrow ? (const void *)&narrow : &value, size, room, out, size_out);
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t room, void *out, size_t *size)
{
    const cl_ulong fp = is_to("inexact") ? CL_FP_ROUND_TO_NEAREST
                                         : CL_FP_ROUND_TO_NEAREST | CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    const cl_ulong memory = is_to("small") ? 1 << 20 : is_to("least") ? 64 << 20 : (cl_ulong)1 << 30;
    const cl_ulong local = is_to("little-local") ? 1024 : is_to("least") ? 16384 : 32768;
    const cl_device_type type = is_to("processor") ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
    (void)device;
    switch (what) {
    case CL_DEVICE_NAME: return answer_text(" Stub device ", room, out, size);
    case CL_DEVICE_VERSION: return answer_text(is_to("old") ? "OpenCL 1.1 stub" : "OpenCL 1.2 stub", room, out, size);
    case CL_DRIVER_VERSION: return answer_text("7", room, out, size);
    case CL_DEVICE_TYPE: return number(type, sizeof type, room, out, size);
    case CL_DEVICE_SINGLE_FP_CONFIG: return number(fp, sizeof fp, room, out, size);
    case CL_DEVICE_AVAILABLE: return number(1, sizeof(cl_bool), room, out, size);
    case CL_DEVICE_COMPILER_AVAILABLE: return number(!is_to("no-compiler"), sizeof(cl_bool), room, out, size);
    case CL_DEVICE_ENDIAN_LITTLE: return number(!is_to("big-endian"), sizeof(cl_bool), room, out, size);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return number(3, sizeof(cl_uint), room, out, size);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return number(memory, sizeof memory, room, out, size);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return number(memory / 4, sizeof memory, room, out, size);
    case CL_DEVICE_PROFILE:
        return answer_text(is_to("embedded") ? "EMBEDDED_PROFILE" : "FULL_PROFILE", room, out, size);
    case CL_DEVICE_LOCAL_MEM_SIZE: return number(local, sizeof local, room, out, size);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return number(64, sizeof(size_t), room, out, size);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- making things ---- */

static void *made(bool fails, cl_int why, cl_int *code)
{
    if (code)
        *code = fails ? why : CL_SUCCESS;
    return fails ? NULL : &an_object;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *code)
{
    (void)properties, (void)count, (void)devices, (void)notify, (void)user;
    return made(is_to("context-fails"), CL_DEVICE_NOT_AVAILABLE, code);
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code)
{
    (void)context, (void)device, (void)properties;
    return made(is_to("queue-fails"), CL_OUT_OF_RESOURCES, code);
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **lines,
                                             const size_t *lengths, cl_int *code)
{
    (void)context, (void)count, (void)lines, (void)lengths;
    return made(false, 0, code);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)program, (void)count, (void)devices, (void)notify, (void)user;
    const bool exact = strstr(options, "-cl-fp32-correctly-rounded-divide-sqrt") != NULL;
    return is_to("build-fails") || exact == is_to("inexact") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info what, size_t room,
                                     void *out, size_t *size)
{
    (void)program, (void)device;
    static char text[100000];
    if (what != CL_PROGRAM_BUILD_LOG)
        return CL_INVALID_VALUE;
    strcpy(text, "scatter.cl:12: what is this?\nscatter.cl:13: \007and this?\n");
    if (is_to("long-log"))
        memset(text + strlen(text), '\n', sizeof text - 1 - strlen(text));
    return answer_text(text, room, out, size);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    (void)program, (void)name;
    return made(is_to("kernel-fails"), CL_INVALID_KERNEL_NAME, code);
}

static cl_int CL_API_CALL work_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                          size_t room, void *out, size_t *size)
{
    (void)kernel, (void)device;
    return what == CL_KERNEL_WORK_GROUP_SIZE ? number(64, sizeof(size_t), room, out, size) : CL_INVALID_VALUE;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *data, cl_int *code)
{
    struct stub *buffer = malloc(sizeof *buffer);
    (void)context, (void)flags, (void)data;
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (!buffer || is_to("no-memory") || !(buffer->memory = calloc(1, size))) {
        free(buffer);
        return NULL;
    }
    buffer->table = &table;
    *code = CL_SUCCESS;
    return (cl_mem)(void *)buffer;
}

static cl_int CL_API_CALL release_buffer(cl_mem mem)
{
    struct stub *buffer = (struct stub *)(void *)mem;
    free(buffer->memory);
    free(buffer);
    return CL_SUCCESS;
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                                    size_t offset, size_t size, cl_uint count, const cl_event *events, cl_event *event,
                                    cl_int *code)
{
    (void)queue, (void)blocking, (void)flags, (void)size, (void)count, (void)events, (void)event;
    *code = CL_SUCCESS;
    return (char *)((struct stub *)(void *)mem)->memory + offset;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint count, const cl_event *events,
                                cl_event *event)
{
    (void)queue, (void)mem, (void)mapped, (void)count, (void)events, (void)event;
    return CL_SUCCESS;
}

#define RELEASE(name, type)                        \
    static cl_int CL_API_CALL name(type object)    \
    {                                              \
        (void)object;                              \
        return CL_SUCCESS;                         \
    }
RELEASE(release_context, cl_context)
RELEASE(release_queue, cl_command_queue)
RELEASE(release_program, cl_program)
RELEASE(release_kernel, cl_kernel)
RELEASE(release_event, cl_event)
RELEASE(finish, cl_command_queue)
RELEASE(flush, cl_command_queue)

/* ---- work ---- */

static cl_int CL_API_CALL set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                                 cl_event *event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local, (void)count, (void)events;
    (void)event;
    return is_to("lost") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
                                      void *to, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)blocking, (void)count, (void)events;
    memcpy(to, (const char *)((struct stub *)(void *)mem)->memory + offset, size);
    if (event)
        *event = (cl_event)(void *)&an_object;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
                                       const void *from, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)blocking, (void)count, (void)events, (void)event;
    memcpy((char *)((struct stub *)(void *)mem)->memory + offset, from, size);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_size,
                                      size_t offset, size_t size, cl_uint count, const cl_event *events,
                                      cl_event *event)
{
    (void)queue, (void)mem, (void)pattern, (void)pattern_size, (void)offset, (void)size, (void)count, (void)events;
    (void)event;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL mark(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)count, (void)events;
    *event = (cl_event)(void *)&an_object;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event *events)
{
    (void)count, (void)events;
    return CL_SUCCESS;
}

/* ---- the loader's way in ---- */

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    if (is_to("crash"))
        abort();
    table.clGetPlatformIDs = clIcdGetPlatformIDsKHR;
    table.clGetPlatformInfo = platform_info;
    table.clGetDeviceIDs = device_ids;
    table.clGetDeviceInfo = device_info;
    table.clCreateContext = create_context;
    table.clReleaseContext = release_context;
    table.clCreateCommandQueue = create_queue;
    table.clReleaseCommandQueue = release_queue;
    table.clCreateProgramWithSource = create_program;
    table.clBuildProgram = build_program;
    table.clGetProgramBuildInfo = build_info;
    table.clReleaseProgram = release_program;
    table.clCreateKernel = create_kernel;
    table.clGetKernelWorkGroupInfo = work_group_info;
    table.clReleaseKernel = release_kernel;
    table.clSetKernelArg = set_arg;
    table.clCreateBuffer = create_buffer;
    table.clReleaseMemObject = release_buffer;
    table.clEnqueueNDRangeKernel = launch;
    table.clEnqueueReadBuffer = read_buffer;
    table.clEnqueueWriteBuffer = write_buffer;
    table.clEnqueueFillBuffer = fill_buffer;
    table.clEnqueueMapBuffer = map_buffer;
    table.clEnqueueUnmapMemObject = unmap;
    table.clEnqueueMarkerWithWaitList = mark;
    table.clWaitForEvents = wait_for;
    table.clReleaseEvent = release_event;
    table.clFinish = finish;
    table.clFlush = flush;
    if (count)
        *count = 1;
    if (out && room)
        out[0] = (cl_platform_id)(void *)&the_platform;
    return CL_SUCCESS;
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    cl_int(CL_API_CALL * way_in)(cl_uint, cl_platform_id *, cl_uint *) = clIcdGetPlatformIDsKHR;
    void *address;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") != 0)
        return NULL;
    memcpy(&address, &way_in, sizeof address);
    return address;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *out,
                                     size_t *size)
{
    return platform_info(platform, what, room, out, size);
}
