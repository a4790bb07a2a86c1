/* Errors and diagnostics: filling struct vxb_error, once, and turning it into a line of text. */
#include "error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "os.h"
#include "text.h"

const char *vxb_version(void)
{
#define STRING_(x) #x
#define STRING(x) STRING_(x)
    return STRING(VXB_VERSION_MAJOR) "." STRING(VXB_VERSION_MINOR) "." STRING(VXB_VERSION_PATCH);
}

const char *vxb_status_name(enum vxb_status status)
{
    switch (status) {
    case VXB_OK: return "ok";
    case VXB_ERR_USAGE: return "usage";
    case VXB_ERR_FORMAT: return "format";
    case VXB_ERR_DATA: return "data";
    case VXB_ERR_UNSUPPORTED: return "unsupported";
    case VXB_ERR_LIMIT: return "limit";
    case VXB_ERR_IO: return "io";
    case VXB_ERR_MEMORY: return "memory";
    case VXB_ERR_REFUSED: return "refused";
    case VXB_ERR_DEVICE: return "device";
    case VXB_ERR_CANCELLED: return "cancelled";
    case VXB_ERR_BUG: return "bug";
    }
    return "unknown";
}

const char *vxb_severity_name(enum vxb_severity severity)
{
    switch (severity) {
    case VXB_SEVERITY_NOTE: return "note";
    case VXB_SEVERITY_WARNING: return "warning";
    case VXB_SEVERITY_ERROR: return "error";
    }
    return "unknown";
}

void vxb_error_clear(struct vxb_error *err)
{
    if (err)
        memset(err, 0, sizeof *err);
}

VXBI_PRINTF(2, 0)
static void set_message(struct vxb_error *err, const char *format, va_list args)
{
    char raw[sizeof err->message];
    vsnprintf(raw, sizeof raw, format, args);
    vxb_text_escape(err->message, sizeof err->message, raw, strlen(raw));
}

enum vxb_status vxbi_fail(struct vxb_error *err, enum vxb_status status, const char *format, ...)
{
    if (err && err->status == VXB_OK) {
        va_list args;
        err->status = status;
        va_start(args, format);
        set_message(err, format, args);
        va_end(args);
    }
    return status;
}

enum vxb_status vxbi_fail_at_fault(struct vxb_error *err, enum vxb_status status, const char *member,
                                   const char *format, ...)
{
    if (err && err->status == VXB_OK) {
        va_list args;
        err->status = status;
        err->at_fault = member;
        va_start(args, format);
        set_message(err, format, args);
        va_end(args);
    }
    return status;
}

enum vxb_status vxbi_fail_remedy(struct vxb_error *err, enum vxb_status status, const char *member,
                                 const char *format, ...)
{
    if (err && err->status == VXB_OK) {
        va_list args;
        err->status = status;
        err->remedy = member;
        va_start(args, format);
        set_message(err, format, args);
        va_end(args);
    }
    return status;
}

enum vxb_status vxbi_fail_max_memory(struct vxb_error *err, uint64_t limit, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return vxbi_fail_remedy(err, VXB_ERR_LIMIT, "max_memory_bytes", "%s of memory, more than the limit of %" PRIu64,
                            what, limit);
}

enum vxb_status vxbi_fail_at(struct vxb_error *err, enum vxb_status status, enum vxb_finding finding, uint64_t offset,
                             const char *format, ...)
{
    if (err && err->status == VXB_OK) {
        va_list args;
        err->status = status;
        err->finding = finding;
        err->has_offset = true;
        err->offset = offset;
        va_start(args, format);
        set_message(err, format, args);
        va_end(args);
    }
    return status;
}

enum vxb_status vxbi_fail_errno(struct vxb_error *err, const char *path, const char *verb, int errno_value)
{
    char reason[256];
    if (errno_value == EINTR)
        return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    vxbi_errno_text(errno_value, reason, sizeof reason);
    vxbi_fail(err, VXB_ERR_IO, "cannot %s: %s", verb, reason);
    return vxbi_error_in(err, VXB_ERR_IO, path, NULL);
}

enum vxb_status vxbi_fail_memory(struct vxb_error *err, uint64_t bytes)
{
    return vxbi_fail(err, VXB_ERR_MEMORY, "out of memory (%" PRIu64 " bytes wanted)", bytes);
}

enum vxb_status vxbi_error_in(struct vxb_error *err, enum vxb_status status, const char *path, const char *pointer)
{
    /* An empty name has to show too, or the error would pass for that of the next file around it. */
    if (err && path && !err->path[0])
        vxb_text_escape(err->path, sizeof err->path, path[0] ? path : "''", path[0] ? strlen(path) : 2);
    if (err && pointer && !err->pointer[0])
        vxb_text_escape(err->pointer, sizeof err->pointer, pointer, strlen(pointer));
    return status;
}

enum vxb_status vxbi_error_prefix(struct vxb_error *err, enum vxb_status status, const char *format, ...)
{
    if (err) {
        char prefix[256], whole[sizeof err->message];
        va_list args;
        va_start(args, format);
        vsnprintf(prefix, sizeof prefix, format, args);
        va_end(args);
        vxb_text_escape(whole, sizeof whole, prefix, strlen(prefix));
        size_t used = strlen(whole);
        snprintf(whole + used, sizeof whole - used, "%s", err->message);
        memcpy(err->message, whole, sizeof whole);
    }
    return status;
}

char *vxb_error_format(const struct vxb_error *err, char *buf, size_t size)
{
    char where[96] = "";
    if (err->line)
        snprintf(where, sizeof where, "%s%" PRIu32 ":%" PRIu32 ": ", err->path[0] ? "" : "line ", err->line,
                 err->column);
    else if (err->has_offset)
        snprintf(where, sizeof where, "at byte %" PRIu64 ": ", err->offset);
    snprintf(buf, size, "%s%s%s%s%s%s", err->path, err->path[0] ? (err->line ? ":" : ": ") : "", where, err->pointer,
             err->pointer[0] ? ": " : "", err->message);
    return buf;
}

static void send(const struct vxb_env *env, const struct vxb_diag *diag)
{
    if (env && env->diag)
        env->diag(env->user, diag);
}

void vxbi_say(const struct vxb_env *env, enum vxb_severity severity, const char *path, const char *pointer,
              const char *format, ...)
{
    struct vxb_diag diag = {.severity = severity};
    va_list args;
    va_start(args, format);
    set_message(&diag.what, format, args);
    va_end(args);
    vxbi_error_in(&diag.what, VXB_OK, path, pointer);
    if (severity == VXB_SEVERITY_ERROR)
        diag.what.status = VXB_ERR_DATA;
    send(env, &diag);
}

void vxbi_say_error(const struct vxb_env *env, const struct vxb_error *err)
{
    struct vxb_diag diag = {.severity = VXB_SEVERITY_ERROR, .what = *err};
    send(env, &diag);
}

void vxbi_say_what(const struct vxb_env *env, enum vxb_severity severity, const struct vxb_error *what)
{
    struct vxb_diag diag = {.severity = severity, .what = *what};
    if (severity != VXB_SEVERITY_ERROR)
        diag.what.status = VXB_OK;
    send(env, &diag);
}
