/* What the os_posix_*.c files share. They alone include this, and POSIX headers. */
#ifndef VXBI_CORE_OS_POSIX_H
#define VXBI_CORE_OS_POSIX_H

#include <sys/types.h>

#include "env.h"
#include "os.h"
#include "path.h"

/* open(2), close-on-exec, and read(2). What may wait for another process gives up where a signal came and the caller
 * wants no more: it fails with EINTR, which vxbi_fail_errno() knows for VXB_ERR_CANCELLED. env NULL: what can't wait
 * for long. */
int vxbi_posix_open(const struct vxb_env *env, const char *path, int flags, mode_t mode);
ssize_t vxbi_posix_read(const struct vxb_env *env, int fd, void *buf, size_t size);

/* All size bytes. Return 0, or errno; ENODATA stands for an end of file that came too early. */
int vxbi_posix_pread(int fd, uint64_t offset, void *buf, size_t size);
int vxbi_posix_pwrite(int fd, uint64_t offset, const void *data, size_t size);
int vxbi_posix_write(const struct vxb_env *env, int fd, const void *data, size_t size);

/* An open file with no name, in folder; -1 where that can't be had, errno tells why. */
int vxbi_posix_open_unnamed(const char *folder);
/* TMPDIR, or /tmp. */
const char *vxbi_posix_temp_folder(void);

/* The error of a vxbi_posix_pread() that returned reason. */
enum vxb_status vxbi_posix_read_failed(struct vxb_error *err, const char *path, int reason, uint64_t offset,
                                       size_t size);

#endif
