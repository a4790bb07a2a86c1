/* System calls as the other os_posix_*.c files want them: restarted, whole, and with errors that say where. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "os_posix.h"

/* One call moves at most this much: Linux itself stops at 2 GiB, macOS refuses more than INT_MAX. */
#define PIECE ((size_t)1 << 30)

int vxbi_posix_open(const struct vxb_env *env, const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR && !vxbi_cancelled(env));
    return fd;
}

ssize_t vxbi_posix_read(const struct vxb_env *env, int fd, void *buf, size_t size)
{
    ssize_t n;
    do
        n = read(fd, buf, size < PIECE ? size : PIECE);
    while (n < 0 && errno == EINTR && !vxbi_cancelled(env));
    return n;
}

int vxbi_posix_pread(int fd, uint64_t offset, void *buf, size_t size)
{
    char *at = buf;
    while (size) {
        ssize_t n = pread(fd, at, size < PIECE ? size : PIECE, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            return ENODATA;
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

int vxbi_posix_pwrite(int fd, uint64_t offset, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = pwrite(fd, at, size < PIECE ? size : PIECE, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            return ENOSPC;
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

int vxbi_posix_write(const struct vxb_env *env, int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = write(fd, at, size < PIECE ? size : PIECE);
        if (n < 0 && errno == EINTR && !vxbi_cancelled(env))
            continue;
        if (n < 0)
            return errno;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

int vxbi_posix_open_unnamed(const char *folder)
{
    int fd;
#ifdef O_TMPFILE
    fd = vxbi_posix_open(NULL, folder, O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0)
        return fd;
#endif
    char name[VXBI_PATH_ROOM];
    if (!vxbi_path_join(name, sizeof name, folder, ".vxbake-XXXXXX")) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkstemp(name);
    if (fd >= 0) {
        unlink(name);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

const char *vxbi_posix_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] ? folder : "/tmp";
}

enum vxb_status vxbi_posix_read_failed(struct vxb_error *err, const char *path, int reason, uint64_t offset,
                                       size_t size)
{
    if (reason != ENODATA)
        return vxbi_fail_errno(err, path, "read", reason);
    vxbi_fail(err, VXB_ERR_IO, "the file ended within %zu bytes at %" PRIu64 ": it shrank while it was read", size,
              offset);
    return vxbi_error_in(err, VXB_ERR_IO, path, NULL);
}
