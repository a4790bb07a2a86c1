/* What every other public header stands on: status, errors, diagnostics, and the environment a caller gives.
 *
 * The library keeps no global state. It never prints, never exits, never sets a locale or a signal handler; memory,
 * messages, progress and cancelling go through the struct vxb_env that the caller passes. Every object copies what it
 * needs of that environment, so the struct itself may be a temporary. */
#ifndef VXBAKE_BASE_H
#define VXBAKE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_VERSION_MAJOR 0
#define VXB_VERSION_MINOR 1
#define VXB_VERSION_PATCH 0

/* The version of the rules that make baked bytes (a u16 in every file and in every bake id). Any change that alters a
 * baked byte raises it and has a line in NEWS. */
#define VXB_BAKE_REVISION 1

/* The version of the library that is running, "major.minor.patch"; static storage. */
const char *vxb_version(void);

/* What went wrong, as far as a program can act on it. The front end turns each into an exit code. */
enum vxb_status {
    VXB_OK = 0,
    VXB_ERR_USAGE,       /* a call, an option or a recipe asks for something that makes no sense */
    VXB_ERR_FORMAT,      /* not one of the formats this function reads */
    VXB_ERR_DATA,        /* the right format, but damaged, or its content breaks a rule */
    VXB_ERR_UNSUPPORTED, /* a known format in a version or flavour this build does not read */
    VXB_ERR_LIMIT,       /* right in itself, but beyond a stated limit */
    VXB_ERR_IO,          /* the operating system refused: the message has its reason */
    VXB_ERR_MEMORY,      /* an allocation failed */
    VXB_ERR_REFUSED,     /* would destroy something: output equals input, a derived name exists */
    VXB_ERR_DEVICE,      /* a compute device failed */
    VXB_ERR_CANCELLED,   /* the environment's cancelled() said so */
    VXB_ERR_BUG          /* a check of our own failed: please report it */
};

/* A short lower-case name of a status ("usage", "data"); static storage; "unknown" for a value that is none. */
const char *vxb_status_name(enum vxb_status status);

/* What stands for a limit, on blades, commands or updates, that is none. */
#define VXB_NO_LIMIT 0xFFFFFFFFu

/* How a raw file's samples are stored. */
enum vxb_byte_order { VXB_ORDER_LITTLE, VXB_ORDER_BIG };

enum vxb_severity { VXB_SEVERITY_NOTE, VXB_SEVERITY_WARNING, VXB_SEVERITY_ERROR };

/* "note", "warning", "error"; static storage; "unknown" for a value that is none. */
const char *vxb_severity_name(enum vxb_severity severity);

/* One error, in the caller's storage. Zero it, or pass it through vxb_error_clear(), before the first call; functions
 * write it only when they fail, and the first cause wins: a later failure adds only where it happened. Texts are UTF-8
 * with control characters escaped, cut at the array's end. */
struct vxb_error {
    enum vxb_status status;
    enum vxb_finding finding; /* which rule was broken; VXB_FINDING_NONE where there is no rule with a code */
    bool has_offset;
    uint64_t offset;     /* byte offset in the file, where has_offset */
    uint32_t line;       /* 1-based line and column in a text file; 0: unknown */
    uint32_t column;
    char pointer[256];   /* JSON pointer into the recipe, "" where there is none */
    char path[512];      /* the file, "" where there is none */
    char message[1024];  /* the field, what was found, what is allowed and, where known, the fix */
    /* Members of the call's options or of its environment, by their names in C; static storage, NULL: none. A front end
     * puts its own name for them beside the message. */
    const char *at_fault; /* the one that was set and can't be had: "split" */
    const char *remedy;   /* the one that, set or raised, lets the call through: "force", "max_memory_bytes" */
};

/* Empties *err. NULL is allowed. */
void vxb_error_clear(struct vxb_error *err);

/* Writes "path: pointer: message" (or "path:line:column: ...", "path: at byte N: ..."), whatever of it is known, to
 * buf, at most size bytes with the terminator. Returns buf. size must be at least 1. */
char *vxb_error_format(const struct vxb_error *err, char *buf, size_t size);

/* One thing said along the way: a recipe's errors (all of one run), warnings, notes, findings of verify. */
struct vxb_diag {
    enum vxb_severity severity;
    struct vxb_error what; /* what.status is VXB_OK for warnings and notes */
};

/* Memory. resize(user, NULL, 0, n) allocates n bytes (n > 0) aligned for any object, resize(user, p, old, n) resizes,
 * release(user, p, n) frees. resize returns NULL where there is no memory. Both must be callable from any thread. */
struct vxb_allocator {
    void *user;
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void (*release)(void *user, void *block, size_t size);
};

/* What a caller gives to the calls that do work. Zero it, set size to sizeof(struct vxb_env), fill in what you want;
 * zero means the default everywhere else. A NULL environment is an all-default one. This struct and those of options
 * begin with their size, and a call that is given another one fails with VXB_ERR_USAGE before it looks at anything
 * else: it was not set, or the caller was built against the headers of another version. The callbacks may run on worker
 * threads, never two at a time for one call into the library; they must not call back into the object at work. */
struct vxb_env {
    size_t size;
    struct vxb_allocator allocator; /* default: malloc and free */
    void *user;                     /* handed to the callbacks below */
    void (*diag)(void *user, const struct vxb_diag *diag);
    /* Called now and then with work done and work in all (of some unit); the last call has done == total. */
    void (*progress)(void *user, const char *what, uint64_t done, uint64_t total);
    /* Polled between pieces of work; true ends the call with VXB_ERR_CANCELLED, nothing written. */
    bool (*cancelled)(void *user);
    uint32_t threads;          /* worker threads; 0: what affinity and the cgroup's quota allow */
    /* Most that a file's content may make the library allocate at once, and most that a pipe's or a device's may take
     * in a temporary; 0: 1 GiB. */
    uint64_t max_memory_bytes;
};

/* How many threads a call with this environment may use: its own number, or where that is 0, or env NULL, what
 * processor affinity and the control group's quota allow; at least 1. For callers that share threads out among
 * several calls. */
uint32_t vxb_env_threads(const struct vxb_env *env);

#ifdef __cplusplus
}
#endif

#endif
