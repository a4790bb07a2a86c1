/* Files that appear whole or not at all, for what a caller of the library writes beside it: reports, lists, pictures.
 * The rule is that of every file the library writes itself: see vxbake(1), "Output". */
#ifndef VXBAKE_OUTPUT_H
#define VXBAKE_OUTPUT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An output under way. It serves one thread at a time. */
struct vxb_output;

/* Opens an output and tells already whether its target can be written. Nothing the path leads to is touched before the
 * commit.
 * env: may be NULL; it is copied. Its allocator and cancelled(), which is asked while a pipe keeps us waiting, are used
 *   until the output is committed or aborted.
 * path: as open(2) takes it, symbolic links followed; "-" is standard output. A regular file is replaced and keeps its
 *   mode, a new one gets 0666 less the umask. A pipe, a FIFO, a device or a descriptor (/dev/stdout, /dev/fd/N) is
 *   written into, by the commit alone.
 * out: receives the output, which ends with vxb_output_commit() or vxb_output_abort(). Unchanged on failure.
 * Returns VXB_ERR_IO, VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_output_open(const struct vxb_env *env, const char *path, struct vxb_output **out,
                                struct vxb_error *err);

/* Adds size bytes at the end. Returns VXB_ERR_IO; what is to be done then is vxb_output_abort(). */
enum vxb_status vxb_output_append(struct vxb_output *output, const void *data, size_t size, struct vxb_error *err);

/* Puts everything in place, on the disk before it gets its name. Frees output, whatever it returns.
 * Returns VXB_ERR_IO, VXB_ERR_CANCELLED; then a file that was there before is as it was. */
enum vxb_status vxb_output_commit(struct vxb_output *output, struct vxb_error *err);

/* Throws everything away and frees output; NULL is allowed. */
void vxb_output_abort(struct vxb_output *output);

/* Whether the output would replace the existing file at path, by whatever name, symbolic or hard link; "-" is the file
 * that standard input is read from. */
bool vxb_output_is(const struct vxb_output *output, const char *path);

/* Whether a path leads to standard output: "-", /dev/stdout, /dev/fd/1 and links to them. */
bool vxb_output_is_standard(const char *path);

/* Whether two outputs would replace one file, which need not exist yet, or write into one. */
bool vxb_output_same(const struct vxb_output *a, const struct vxb_output *b);

#ifdef __cplusplus
}
#endif

#endif
