/* How internal code fails: it fills the caller's struct vxb_error and returns the status, in one expression. */
#ifndef VXBI_CORE_ERROR_H
#define VXBI_CORE_ERROR_H

#include "../vxbake/base.h"

#if defined(__GNUC__) || defined(__clang__)
#define VXBI_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define VXBI_PRINTF(fmt, first)
#endif

/* Sets *err (NULL allowed) unless it holds an error already, and returns status. The message is escaped for printing.
 * No helper of the standard library that depends on the locale may be used for the arguments: format numbers with %u,
 * %d, PRIu64 and the like, and floats through vxb_text_f32() / vxb_text_f64(). */
enum vxb_status vxbi_fail(struct vxb_error *err, enum vxb_status status, const char *format, ...) VXBI_PRINTF(3, 4);

/* The same for a broken rule of a file at a byte offset. */
enum vxb_status vxbi_fail_at(struct vxb_error *err, enum vxb_status status, enum vxb_finding finding, uint64_t offset,
                             const char *format, ...) VXBI_PRINTF(5, 6);

/* The same where a member of the caller's options is at fault, or is the remedy: see struct vxb_error. The message is
 * whole without the member's name, which only a caller in C knows. */
enum vxb_status vxbi_fail_at_fault(struct vxb_error *err, enum vxb_status status, const char *member,
                                   const char *format, ...) VXBI_PRINTF(4, 5);
enum vxb_status vxbi_fail_remedy(struct vxb_error *err, enum vxb_status status, const char *member,
                                 const char *format, ...) VXBI_PRINTF(4, 5);

/* VXB_ERR_LIMIT: "FORMAT of memory, more than the limit of LIMIT", the remedy max_memory_bytes. FORMAT ends with the
 * bytes that are wanted: "the chunk takes 123 bytes". */
enum vxb_status vxbi_fail_max_memory(struct vxb_error *err, uint64_t limit, const char *format, ...) VXBI_PRINTF(3, 4);

/* VXB_ERR_IO with errno's text: "cannot VERB: reason". EINTR is VXB_ERR_CANCELLED: it gets here only where a wait was
 * ended because the caller's cancelled() said so. */
enum vxb_status vxbi_fail_errno(struct vxb_error *err, const char *path, const char *verb, int errno_value);

/* VXB_ERR_MEMORY. */
enum vxb_status vxbi_fail_memory(struct vxb_error *err, uint64_t bytes);

/* Adds where a failure happened, where it is still unknown: path and pointer (either may be NULL), and text before the
 * message. Return status, so that they can be chained. */
enum vxb_status vxbi_error_in(struct vxb_error *err, enum vxb_status status, const char *path, const char *pointer);
enum vxb_status vxbi_error_prefix(struct vxb_error *err, enum vxb_status status, const char *format, ...)
    VXBI_PRINTF(3, 4);

/* Sends a message to the environment's diag callback, if it has one. path and pointer may be NULL. Safe from any
 * thread that holds the caller's own order; messages of workers are sent by the thread that joins them. */
void vxbi_say(const struct vxb_env *env, enum vxb_severity severity, const char *path, const char *pointer,
              const char *format, ...) VXBI_PRINTF(5, 6);
void vxbi_say_error(const struct vxb_env *env, const struct vxb_error *err);
/* The same for a warning or note with a line or an offset; its status is sent as VXB_OK. */
void vxbi_say_what(const struct vxb_env *env, enum vxb_severity severity, const struct vxb_error *what);

#endif
