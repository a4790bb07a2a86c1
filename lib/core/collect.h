/* Where a reader's checks report what they find. One reader serves both uses: opening stops at the first error, which
 * becomes the caller's struct vxb_error; verifying hears of everything and goes on as far as that makes sense. */
#ifndef VXBI_CORE_COLLECT_H
#define VXBI_CORE_COLLECT_H

#include "error.h"

/* A finding that stands nowhere in the file. */
#define VXBI_NO_OFFSET UINT64_MAX

/* One broken rule; valid during the call only. */
struct vxbi_found {
    enum vxb_finding finding;
    enum vxb_severity severity;
    bool has_offset;
    uint64_t offset;
    uint64_t ordinal;     /* of the part of the file that was checked; orders findings at one offset */
    const char *pointer;  /* "/chunks/12/hash" */
    const char *message;  /* control characters escaped */
};

/* One serves one thread. Zero it and set add, or err. */
struct vxbi_collect {
    void (*add)(void *user, const struct vxbi_found *found); /* NULL: strict */
    void *user;
    struct vxb_error *err; /* strict: receives the first error; may be NULL */
    enum vxb_status status; /* strict: of that error */
    bool stopped;          /* strict, and there was an error: what follows is not recorded; stop soon */
    uint64_t ordinal;
    uint64_t errors;
    char pointer[160];
};

/* Makes a pointer for the call of vxbi_found() it stands in. */
const char *vxbi_pointer(struct vxbi_collect *collect, const char *format, ...) VXBI_PRINTF(2, 3);

/* Reports one. The message's rules are those of vxbi_fail(). */
void vxbi_found(struct vxbi_collect *collect, enum vxb_finding finding, uint64_t offset, const char *pointer,
                const char *format, ...) VXBI_PRINTF(5, 6);

/* The status that opening a file returns for a finding. */
enum vxb_status vxbi_finding_status(enum vxb_finding finding);

#endif
