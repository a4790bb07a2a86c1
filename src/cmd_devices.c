/* vxbake devices: what there is to bake on. */
#include <inttypes.h>
#include <stdio.h>

#include "args.h"

static int run(int argc, char **argv);

enum { OPT_FORMAT, OPT_COUNT };

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_FORMAT] = {"format", 0, "FORMAT", "how to print the list: text, json or json-lines"},
};

const struct cli_command cli_command_devices = {
    .name = "devices",
    .summary = "list the compute devices of this machine",
    .usage = "[OPTION]...",
    .about = "Lists the OpenCL devices of this machine: what each is called, its memory, and\n"
             "whether it gives the bytes that the CPU gives, or why it does not. The number\n"
             "is the one that vxbake bake --device opencl:N takes.",
    .options = options,
    .run = run,
};

struct request {
    struct args args;
    enum cli_format format;
};

/* "139.8 GiB": for people, to a tenth. */
static const char *size_text(uint64_t bytes)
{
    static char buf[32];
    const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    uint64_t tenths = bytes / 1024 * 10 + bytes % 1024 * 10 / 1024;
    while (tenths >= 10240 && unit < 3) {
        tenths /= 1024;
        unit++;
    }
    snprintf(buf, sizeof buf, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[unit]);
    return buf;
}

static void print_text(const struct vxb_device_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct vxb_device_info *d = &list->devices[i];
        cli_out("%sopencl:%" PRIu32 "      %s\n", i ? "\n" : "", i, cli_clean(d->name));
        cli_out("  platform    %s\n", cli_clean(d->platform));
        cli_out("  kind        %s, %" PRIu32 " compute units\n", vxb_device_kind_name(d->kind), d->compute_units);
        cli_out("  version     %s, driver %s\n", cli_clean(d->version), cli_clean(d->driver));
        cli_out("  memory      %s", size_text(d->memory_bytes));
        cli_out(", buffers up to %s\n", size_text(d->buffer_bytes));
        cli_out("  qualifies   %s%s\n",
                d->exact    ? "yes: the bytes that the cpu gives"
                : d->usable ? "only with --inexact: "
                            : "no: ",
                cli_clean(d->why_not));
    }
    if (list->count == 0)
        cli_summary("There is no OpenCL device on this machine; vxbake bakes on the cpu.\n");
}

static enum vxb_status list_devices(enum cli_format format, struct vxb_error *err)
{
    struct vxb_env env;
    struct vxb_device_list *list = NULL;
    cli_env(&env);
    enum vxb_status status = vxb_device_list_new(&env, &list, err);
    if (!status && format == CLI_TEXT)
        print_text(list);
    if (!status && format != CLI_TEXT) {
        const struct vxb_sink sink = cli_out_sink();
        status = vxb_devices_json(list, format == CLI_JSON_LINES, &sink, err);
    }
    vxb_device_list_free(list);
    return status;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    return which == OPT_FORMAT && args_format(&request->args, value, &request->format);
}

static int run(int argc, char **argv)
{
    struct request request = {.format = CLI_TEXT};
    int code = args_read(&request.args, &cli_command_devices, argc, argv, read_option, &request);
    if (code == CLI_EXIT_OK && !request.args.done)
        code = args_no_operand(&request.args);
    if (code == CLI_EXIT_OK && !request.args.done) {
        struct vxb_error err = {0};
        enum vxb_status status = list_devices(request.format, &err);
        code = status ? cli_failed(status, &err) : code;
    }
    args_clear(&request.args);
    return code;
}
