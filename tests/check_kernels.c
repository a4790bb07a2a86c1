/* Hands every kernel header to the OpenCL compiler of every device there is, and compares what the device computes with
 * what the host does, bit for bit. Exit code 77, a skipped test, where there is no device.
 *
 * Usage: check_kernels FOLDER HEADER... (the folders that hold the headers and tests/kernel_probe.h come first). */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_probe.h"

enum { CANDIDATES = 20000, SOURCE_MOST = 1 << 20 };

static const char options[] = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -Werror";
static const char wrapper[] = "\n__kernel void run(__global uint *out)\n"
                              "{ uint i = (uint)get_global_id(0); probe(i, out + i * PROBE_WORDS); }\n";

struct text {
    char bytes[SOURCE_MOST];
    size_t used;
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "check_kernels: %s: %s\n", what, why);
    _Exit(1);
}

static void check(cl_int code, const char *what)
{
    char number[32];
    snprintf(number, sizeof number, "OpenCL error %d", (int)code);
    if (code != CL_SUCCESS)
        fail(what, number);
}

static FILE *open_in(const char *root, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
    return fopen(path, "r");
}

/* A file with what it includes in place; the headers' own guards keep each in once. */
static void expand(struct text *text, const char *root, const char *name)
{
    FILE *file = open_in(root, "cl_kernels", name);
    if (!file)
        file = open_in(root, "tests", name);
    if (!file)
        fail(name, "can't be read");
    char line[1024], inner[256];
    while (fgets(line, sizeof line, file)) {
        size_t size = strlen(line);
        if (sscanf(line, "#include \"%255[^\"]\"", inner) == 1) {
            expand(text, root, inner);
            continue;
        }
        if (text->used + size >= sizeof text->bytes)
            fail(name, "is too long");
        memcpy(text->bytes + text->used, line, size + 1);
        text->used += size;
    }
    fclose(file);
}

static cl_program build(cl_context context, cl_device_id device, const char *source, const char *name)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, name);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
        fail(name, "does not build");
    }
    return program;
}

static void check_headers(cl_context context, cl_device_id device, const char *root, char **headers, int count)
{
    static struct text text;
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(headers[i], '/'), *name = slash ? slash + 1 : headers[i];
        text.used = 0;
        expand(&text, root, name);
        strcpy(text.bytes + text.used, "\n__kernel void nothing(__global uint *out) { out[0] = 0u; }\n");
        clReleaseProgram(build(context, device, text.bytes, name));
    }
}

static void compare(const cl_uint *device, const char *name)
{
    unsigned wrong = 0;
    for (vxk_u32 i = 0; i < CANDIDATES; i++) {
        vxk_u32 host[PROBE_WORDS];
        probe(i, host);
        for (vxk_u32 k = 0; k < PROBE_WORDS; k++) {
            if (host[k] == device[i * PROBE_WORDS + k] || wrong++ > 10)
                continue;
            fprintf(stderr, "input %u, word %u: host %08x, device %08x\n", i, k, host[k], device[i * PROBE_WORDS + k]);
        }
    }
    if (wrong)
        fail(name, "computes other bits than the host");
}

static void check_values(cl_context context, cl_device_id device, const char *root, const char *name)
{
    static struct text text;
    cl_int code;
    const size_t items = CANDIDATES, bytes = items * PROBE_WORDS * sizeof(cl_uint);
    cl_uint *values = malloc(bytes);
    if (!values)
        fail(name, "no memory");
    text.used = 0;
    expand(&text, root, "kernel_probe.h");
    strcpy(text.bytes + text.used, wrapper);
    cl_program program = build(context, device, text.bytes, "kernel_probe.h");
    cl_kernel kernel = clCreateKernel(program, "run", &code);
    check(code, "clCreateKernel");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL), "clEnqueueReadBuffer");
    compare(values, name);
    free(values);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

/* Whether the device could be asked for exact bits. */
static int check_device(cl_device_id device, const char *root, char **headers, int count)
{
    char name[256] = "a device";
    cl_device_fp_config exact = 0;
    cl_bool compiles = CL_FALSE;
    cl_int code;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof exact, &exact, NULL);
    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiles, &compiles, NULL);
    if (!(exact & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) || !compiles) {
        printf("%s: passed over, it does not round divisions and roots correctly or has no compiler\n", name);
        return 0;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, name);
    check_headers(context, device, root, headers, count);
    check_values(context, device, root, name);
    clReleaseContext(context);
    printf("%s: %d headers build, %d inputs agree\n", name, count, (int)CANDIDATES);
    return 1;
}

int main(int argc, char **argv)
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    int checked = 0;
    bool probe = argc == 2 && strcmp(argv[1], "--probe") == 0; /* only whether the drivers can be asked */
    if (argc < 3 && !probe)
        fail("usage", "check_kernels FOLDER HEADER... | --probe");
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id devices[16];
        cl_uint device_count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &device_count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < device_count && d < 16 && !probe; d++)
            checked += check_device(devices[d], argv[1], argv + 2, argc - 2);
    }
    if (!checked && !probe)
        fprintf(stderr, "check_kernels: skipped: there is no OpenCL device to ask\n");
    fflush(NULL);
    /* Not by way of exit(): what a driver leaves allocated is not ours to answer for. */
    _Exit(checked || probe ? 0 : 77);
}
