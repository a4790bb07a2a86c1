/* Reading a choice of device. */
#include "choice.h"

#include <string.h>

enum vxb_status vxbi_choice_parse(const char *text, struct vxbi_choice *out, struct vxb_error *err)
{
    memset(out, 0, sizeof *out);
    if (!text || strcmp(text, "cpu") == 0)
        return VXB_OK;
    if (strcmp(text, "auto") == 0) {
        out->kind = VXBI_CHOICE_AUTO;
        return VXB_OK;
    }
    if (strcmp(text, "opencl") == 0) {
        out->kind = VXBI_CHOICE_OPENCL;
        return VXB_OK;
    }
    if (strncmp(text, "opencl:", 7) != 0 || !text[7])
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "choice",
                                  "\"%.200s\" is not a device: cpu, auto, opencl, opencl:N (a number that vxbake "
                                  "devices lists) and opencl:NAME (part of a name) are",
                                  text);
    const char *rest = text + 7;
    const size_t digits = strspn(rest, "0123456789");
    out->kind = rest[digits] || digits > 9 ? VXBI_CHOICE_NAME : VXBI_CHOICE_NUMBER;
    out->name = rest;
    for (size_t i = 0; i < digits && out->kind == VXBI_CHOICE_NUMBER; i++)
        out->number = out->number * 10 + (uint64_t)(rest[i] - '0');
    return VXB_OK;
}
