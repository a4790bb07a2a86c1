/* Reporting findings, strictly or to a listener. */
#include "collect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

const char *vxbi_pointer(struct vxbi_collect *collect, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(collect->pointer, sizeof collect->pointer, format, args);
    va_end(args);
    return collect->pointer;
}

enum vxb_status vxbi_finding_status(enum vxb_finding finding)
{
    switch (finding) {
    case VXB_FINDING_EMPTY_FILE:
    case VXB_FINDING_MAGIC:
    case VXB_FINDING_MAGIC_TEXT_MODE:
    case VXB_FINDING_KTX2_IDENTIFIER:
    case VXB_FINDING_PROBE_MAGIC: return VXB_ERR_FORMAT;
    case VXB_FINDING_FORMAT_VERSION:
    case VXB_FINDING_FLAGS_UNKNOWN:
    case VXB_FINDING_KTX2_UNSUPPORTED:
    case VXB_FINDING_PYRAMID_SHAPE:
    case VXB_FINDING_PROBE_VERSION:
    case VXB_FINDING_PROBE_FLAGS:
    case VXB_FINDING_PROBE_ENCODING: return VXB_ERR_UNSUPPORTED;
    default: return VXB_ERR_DATA;
    }
}

void vxbi_found(struct vxbi_collect *collect, enum vxb_finding finding, uint64_t offset, const char *pointer,
                const char *format, ...)
{
    enum vxb_severity severity = (enum vxb_severity)vxb_finding_severity(finding);
    if (collect->stopped || (!collect->add && severity != VXB_SEVERITY_ERROR))
        return;
    char raw[1024], message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    vxb_text_escape(message, sizeof message, raw, strlen(raw));
    if (severity == VXB_SEVERITY_ERROR)
        collect->errors++;
    if (collect->add) {
        struct vxbi_found found = {finding, severity, offset != VXBI_NO_OFFSET, offset, collect->ordinal, pointer,
                                   message};
        collect->add(collect->user, &found);
        return;
    }
    collect->stopped = true;
    collect->status = vxbi_finding_status(finding);
    const bool first = collect->err && collect->err->status == VXB_OK;
    vxbi_fail_at(collect->err, collect->status, finding, offset, "%s", message);
    if (first && offset == VXBI_NO_OFFSET) {
        collect->err->has_offset = false;
        collect->err->offset = 0;
    }
    vxbi_error_in(collect->err, collect->status, NULL, pointer);
}
