/* What the library asks of the operating system: files, atomic outputs, temporaries, threads. The os_posix*.c files
 * alone include POSIX headers. Paths are bytes; "-" is standard input or output where a comment says so. */
#ifndef VXBI_CORE_OS_H
#define VXBI_CORE_OS_H

#include "../vxbake/output.h"
#include "alloc.h"
#include "error.h"

/* errno's text, thread-safe. */
void vxbi_errno_text(int errno_value, char *buf, size_t size);

/* ---- reading ---- */

/* A whole file in memory. */
struct vxbi_bytes {
    struct vxb_allocator allocator;
    uint8_t *data;
    size_t size, room;
};
void vxbi_bytes_clear(struct vxbi_bytes *bytes);

/* Reads path ("-": standard input) to its end, whatever it is: a file, a pipe, a FIFO. An empty file, a directory, and
 * one of more than max bytes are errors that say so. */
enum vxb_status vxbi_read_all(const struct vxb_env *env, const char *path, uint64_t max, struct vxbi_bytes *out,
                              struct vxb_error *err);

/* What a reader takes of a stream, which need not end. */
struct vxbi_stream {
    /* Whether one that starts so can be what is read: asked once, of the first VXBI_STREAM_START bytes, fewer only
     * where it ends there. Of one that can't, they are all that is read. NULL: any can. */
    bool (*begins)(const uint8_t *start, size_t size);
    uint64_t max_bytes; /* 0: the environment's limit on memory, as temporaries are memory on many systems */
};
enum { VXBI_STREAM_START = 16 };

/* A file open for reading at offsets. What has no offsets (a pipe, standard input from one) is read into an unlinked
 * temporary first, as far as stream, or where that is NULL an empty one, tells; more than its max_bytes is
 * VXB_ERR_LIMIT. read_at is safe from any number of threads; fewer bytes than asked for (the file shrank) is an
 * error. */
struct vxbi_file;
enum vxb_status vxbi_file_open(const struct vxb_env *env, const char *path, const struct vxbi_stream *stream,
                               struct vxbi_file **out, struct vxb_error *err);
uint64_t vxbi_file_size(const struct vxbi_file *file);
enum vxb_status vxbi_file_read_at(const struct vxbi_file *file, uint64_t offset, void *buf, size_t size,
                                  struct vxb_error *err);
void vxbi_file_close(struct vxbi_file *file);

/* Whether two paths name one existing file (by symbolic or hard link too). */
bool vxbi_same_file(const char *a, const char *b);
bool vxbi_path_exists(const char *path);

/* ---- writing ---- */

/* Outputs that appear whole or not at all, beyond what ../vxbake/output.h says of them. For a regular file or a new
 * name there is a temporary in the folder of the target (symbolic links resolved first), renamed over it by the commit.
 * For a pipe, a FIFO, a device, standard output or another descriptor: an unlinked temporary whose content the commit
 * copies in. */

/* At an offset; safe from several threads for ranges that do not overlap. */
enum vxb_status vxbi_output_write_at(struct vxb_output *output, uint64_t offset, const void *data, size_t size,
                                     struct vxb_error *err);
/* Flushes to the disk all that can fail, so that the commit after it is a mere rename; the commit does so itself where
 * this was not called. if_changed: where the target holds the same bytes already, the commit leaves it alone, its time
 * too. */
enum vxb_status vxbi_output_prepare(struct vxb_output *output, bool if_changed, struct vxb_error *err);
/* How many bytes vxb_output_append() has added so far. */
uint64_t vxbi_output_bytes(const struct vxb_output *output);
/* Whether the commit copies into a pipe or a device, which can fail half-way, instead of renaming. */
bool vxbi_output_streams(const struct vxb_output *output);
/* Whether prepare found the target to hold the same bytes already. */
bool vxbi_output_unchanged(const struct vxb_output *output);

/* An unlinked temporary in the folder of an output's target (for "-" and devices: in TMPDIR or /tmp). */
struct vxbi_spill;
enum vxb_status vxbi_spill_open(const struct vxb_env *env, const char *beside, struct vxbi_spill **out,
                                struct vxb_error *err);
enum vxb_status vxbi_spill_write_at(struct vxbi_spill *spill, uint64_t offset, const void *data, size_t size,
                                    struct vxb_error *err);
enum vxb_status vxbi_spill_read_at(const struct vxbi_spill *spill, uint64_t offset, void *data, size_t size,
                                   struct vxb_error *err);
void vxbi_spill_close(struct vxbi_spill *spill); /* NULL is allowed */

/* ---- threads ---- */

/* How many threads affinity and the cgroup's CPU quota allow; at least 1. */
uint32_t vxbi_cpu_count(void);
/* The environment's number of threads, or vxbi_cpu_count(). */
uint32_t vxbi_thread_count(const struct vxb_env *env);

/* Runs body(user, k) for k below count on as many threads (the caller's own among them) and waits for all. Where a
 * thread can't be started, fewer run: body must take its work from a shared counter. */
void vxbi_parallel(uint32_t count, void (*body)(void *user, uint32_t worker), void *user);

struct vxbi_mutex;
struct vxbi_mutex *vxbi_mutex_new(const struct vxb_allocator *allocator); /* NULL: no memory */
void vxbi_mutex_free(const struct vxb_allocator *allocator, struct vxbi_mutex *mutex);
void vxbi_mutex_lock(struct vxbi_mutex *mutex);
void vxbi_mutex_unlock(struct vxbi_mutex *mutex);
/* Waits until the mutex, held by the caller, was signalled; and wakes all who wait. */
void vxbi_mutex_wait(struct vxbi_mutex *mutex);
void vxbi_mutex_wake(struct vxbi_mutex *mutex);

/* ---- shared libraries ---- */

/* Loads a shared library by its name, as the system looks for it; NULL, with the loader's reason in why, where it
 * can't. It stays loaded: drivers do not survive being unloaded under their own threads. */
void *vxbi_library_open(const char *name, char *why, size_t room);
/* The address of a symbol into *function, a pointer to function of whatever type; false where there is none. */
bool vxbi_library_symbol(void *library, const char *name, void *function);

/* ---- time ---- */

/* Seconds on a clock that only goes forward; for reports, never for a baked byte. */
double vxbi_seconds(void);

#endif
