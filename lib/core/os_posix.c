/* Files, outputs, temporaries, threads and paths on POSIX: the only file that includes its headers.
 *
 * Invariant: until vxbi_output_commit() nothing a target's name leads to has changed, and an aborted output leaves no
 * name behind. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "os.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One call moves at most this much: Linux itself stops at 2 GiB, macOS refuses more than INT_MAX. */
#define PIECE ((size_t)1 << 30)

static bool cancelled(const struct vxb_env *env)
{
    return env && env->cancelled && env->cancelled(env->user);
}

/* What may wait for another process gives up where a signal came and the caller wants no more: it fails with EINTR, which
 * vxbi_fail_errno() knows for VXB_ERR_CANCELLED. env NULL: what can't wait for long. */
static int open_retry(const struct vxb_env *env, const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR && !cancelled(env));
    return fd;
}

static ssize_t read_retry(const struct vxb_env *env, int fd, void *buf, size_t size)
{
    ssize_t n;
    do
        n = read(fd, buf, size < PIECE ? size : PIECE);
    while (n < 0 && errno == EINTR && !cancelled(env));
    return n;
}

/* 0, or errno; ENODATA stands for an end of file that came too early. */
static int pread_whole(int fd, uint64_t offset, void *buf, size_t size)
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

static int pwrite_whole(int fd, uint64_t offset, const void *data, size_t size)
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

static int write_whole(const struct vxb_env *env, int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = write(fd, at, size < PIECE ? size : PIECE);
        if (n < 0 && errno == EINTR && !cancelled(env))
            continue;
        if (n < 0)
            return errno;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

void vxbi_errno_text(int errno_value, char *buf, size_t size)
{
    /* XSI's strerror_r; glibc's own is a different function under the same name. */
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char *text = strerror_r(errno_value, buf, size);
    if (text != buf)
        snprintf(buf, size, "%s", text);
#else
    if (strerror_r(errno_value, buf, size) != 0)
        snprintf(buf, size, "error %d", errno_value);
#endif
}

/* ---- reading ---- */

void vxbi_bytes_clear(struct vxbi_bytes *bytes)
{
    if (bytes->data)
        vxbi_delete(&bytes->allocator, bytes->data, 1, bytes->room);
    *bytes = (struct vxbi_bytes){.allocator = bytes->allocator};
}

static const char *shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum vxb_status open_for_reading(const struct vxb_env *env, const char *path, int *fd,
                                        struct stat *st, struct vxb_error *err)
{
    *fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                 : open_retry(env, path, O_RDONLY | O_NOCTTY, 0);
    if (*fd < 0)
        return vxbi_fail_errno(err, shown(path), "open", errno);
    if (fstat(*fd, st) != 0) {
        int reason = errno;
        close(*fd);
        return vxbi_fail_errno(err, shown(path), "look at", reason);
    }
    if (S_ISDIR(st->st_mode)) {
        close(*fd);
        return vxbi_fail_errno(err, shown(path), "read", EISDIR);
    }
    return VXB_OK;
}

enum vxb_status vxbi_read_all(const struct vxb_env *env, const char *path, uint64_t max, struct vxbi_bytes *out,
                              struct vxb_error *err)
{
    int fd;
    struct stat st;
    enum vxb_status status = open_for_reading(env, path, &fd, &st, err);
    if (status)
        return status;
    struct vxbi_bytes bytes = {.allocator = vxbi_allocator(env)};
    /* The size a regular file tells is a hint only: the end is where read() says it is. */
    uint64_t hint = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size + 1 : 65536;
    if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
        goto too_large;
    for (;;) {
        if (bytes.size == bytes.room) {
            uint64_t room = bytes.room ? (uint64_t)bytes.room * 2 : hint;
            uint8_t *data = vxbi_resize(&bytes.allocator, bytes.data, bytes.room, room, 1);
            if (!data) {
                status = vxbi_fail_memory(err, room);
                goto fail;
            }
            bytes.data = data;
            bytes.room = (size_t)room;
        }
        ssize_t n = read_retry(env, fd, bytes.data + bytes.size, bytes.room - bytes.size);
        if (n < 0) {
            status = vxbi_fail_errno(err, shown(path), "read", errno);
            goto fail;
        }
        if (n == 0)
            break;
        bytes.size += (size_t)n;
        if (bytes.size > max)
            goto too_large;
        if (cancelled(env)) {
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
            goto fail;
        }
    }
    close(fd);
    if (bytes.size == 0) {
        vxbi_bytes_clear(&bytes);
        vxbi_fail(err, VXB_ERR_FORMAT, "the file is empty");
        return vxbi_error_in(err, VXB_ERR_FORMAT, shown(path), NULL);
    }
    *out = bytes;
    return VXB_OK;
too_large:
    status = vxbi_fail(err, VXB_ERR_LIMIT, "the file has more than %" PRIu64 " bytes, the most that is read here", max);
fail:
    close(fd);
    vxbi_bytes_clear(&bytes);
    return vxbi_error_in(err, status, shown(path), NULL);
}

struct vxbi_file {
    struct vxb_allocator allocator;
    int fd;
    uint64_t size;
    char path[];
};

/* An open file with no name, in folder. *fd is -1 where that can't be had; errno tells why. */
static int open_unnamed(const char *folder)
{
    int fd;
#ifdef O_TMPFILE
    fd = open_retry(NULL, folder, O_TMPFILE | O_RDWR, 0600);
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

static const char *temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] ? folder : "/tmp";
}

/* Copies what can't be read at offsets into an unlinked temporary and leaves that in *fd. */
static enum vxb_status slurp(const struct vxb_env *env, const char *path, int *fd, uint64_t *size,
                             struct vxb_error *err)
{
    int temp = open_unnamed(temp_folder());
    if (temp < 0)
        return vxbi_fail_errno(err, temp_folder(), "make a temporary file in this folder", errno);
    char buf[65536];
    *size = 0;
    for (;;) {
        ssize_t n = read_retry(env, *fd, buf, sizeof buf);
        int reason = n < 0 ? errno : 0;
        if (n > 0)
            reason = pwrite_whole(temp, *size, buf, (size_t)n);
        if (reason || cancelled(env)) {
            close(temp);
            return reason ? vxbi_fail_errno(err, shown(path), "read", reason)
                          : vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        }
        if (n == 0)
            break;
        *size += (uint64_t)n;
    }
    close(*fd);
    *fd = temp;
    return VXB_OK;
}

enum vxb_status vxbi_file_open(const struct vxb_env *env, const char *path, struct vxbi_file **out,
                               struct vxb_error *err)
{
    int fd;
    struct stat st;
    enum vxb_status status = open_for_reading(env, path, &fd, &st, err);
    if (status)
        return status;
    uint64_t size = (uint64_t)st.st_size;
    if (!S_ISREG(st.st_mode) && (status = slurp(env, path, &fd, &size, err))) {
        close(fd);
        return status;
    }
    struct vxb_allocator allocator = vxbi_allocator(env);
    const char *name = shown(path);
    size_t room = sizeof(struct vxbi_file) + strlen(name) + 1;
    struct vxbi_file *file = vxbi_new(&allocator, 1, room);
    if (!file) {
        close(fd);
        return vxbi_fail_memory(err, room);
    }
    file->allocator = allocator;
    file->fd = fd;
    file->size = size;
    strcpy(file->path, name);
    *out = file;
    return VXB_OK;
}

uint64_t vxbi_file_size(const struct vxbi_file *file)
{
    return file->size;
}

static enum vxb_status read_failed(struct vxb_error *err, const char *path, int reason, uint64_t offset, size_t size)
{
    if (reason != ENODATA)
        return vxbi_fail_errno(err, path, "read", reason);
    vxbi_fail(err, VXB_ERR_IO, "the file ended within %zu bytes at %" PRIu64 ": it shrank while it was read", size,
              offset);
    return vxbi_error_in(err, VXB_ERR_IO, path, NULL);
}

enum vxb_status vxbi_file_read_at(const struct vxbi_file *file, uint64_t offset, void *buf, size_t size,
                                  struct vxb_error *err)
{
    int reason = pread_whole(file->fd, offset, buf, size);
    return reason ? read_failed(err, file->path, reason, offset, size) : VXB_OK;
}

void vxbi_file_close(struct vxbi_file *file)
{
    if (!file)
        return;
    close(file->fd);
    struct vxb_allocator allocator = file->allocator;
    vxbi_delete(&allocator, file, 1, sizeof *file + strlen(file->path) + 1);
}

bool vxbi_same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

bool vxbi_path_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* ---- writing ---- */

struct vxbi_output {
    struct vxb_allocator allocator;
    struct vxb_env env; /* a copy: the caller's may be a temporary */
    int fd;           /* the temporary */
    int target_fd;    /* what the content is copied into, -1: renamed */
    uint64_t end;     /* of append */
    bool replaces;    /* a regular file stands at target */
    bool prepared, unchanged;
    dev_t device;     /* of the existing target */
    ino_t inode;
    mode_t mode;      /* what the new file gets */
    char named[VXBI_PATH_ROOM];  /* the temporary's name, "" while it has none */
    char target[VXBI_PATH_ROOM]; /* links resolved; "" for standard output */
    char shown[VXBI_PATH_ROOM];
};

/* Follows symbolic links by hand: realpath() can't resolve a link to a file that is still to be made. */
static int resolve(const char *path, char *out)
{
    if (strlen(path) >= VXBI_PATH_ROOM)
        return ENAMETOOLONG;
    strcpy(out, path);
    /* What is opened and never renamed over needs no name of its own; /dev/stdout leads to one that is none. */
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return 0;
    for (int hops = 0; hops < 40; hops++) {
        char link[VXBI_PATH_ROOM], folder[VXBI_PATH_ROOM];
        ssize_t n = readlink(out, link, sizeof link - 1);
        if (n < 0)
            return 0; /* no link: whatever is wrong with it, opening will tell */
        link[n] = 0;
        vxbi_path_folder(folder, sizeof folder, out);
        if (!vxbi_path_join(out, VXBI_PATH_ROOM, folder, link))
            return ENAMETOOLONG;
    }
    return ELOOP;
}

/* A name beside the target that does not exist: ".NAME.vxbake-XXXXXX", the NAME cut where a folder could not hold it. */
static bool temporary_name(const struct vxbi_output *output, char *out, unsigned attempt)
{
    char folder[VXBI_PATH_ROOM], name[NAME_MAX + 1];
    const char *slash = strrchr(output->target, '/');
    uint64_t seed = (uint64_t)getpid() * 2654435761u + (uint64_t)(uintptr_t)output / 64 + attempt * 40503u;
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz012345";
    char random[7];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    seed ^= (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 6; i++)
        random[i] = digits[seed >> (8 + 5 * i) & 31];
    random[6] = 0;
    snprintf(name, sizeof name, ".%.230s.vxbake-%s", slash ? slash + 1 : output->target, random);
    vxbi_path_folder(folder, sizeof folder, output->target);
    return vxbi_path_join(out, VXBI_PATH_ROOM, folder, name);
}

static int open_named(struct vxbi_output *output)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (!temporary_name(output, output->named, attempt)) {
            errno = ENAMETOOLONG;
            break;
        }
        int fd = open_retry(NULL, output->named, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    output->named[0] = 0;
    return -1;
}

/* The temporary of a target that will be renamed over. An unnamed one where the system has them, so that even SIGKILL
 * leaves nothing behind; it gets its name just before the rename. */
static int open_beside(struct vxbi_output *output)
{
#if defined(O_TMPFILE) && defined(HAVE_LINKAT)
    char folder[VXBI_PATH_ROOM], self[64];
    vxbi_path_folder(folder, sizeof folder, output->target);
    int fd = open_retry(NULL, folder[0] ? folder : ".", O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0) {
        /* Giving it a name goes through /proc: without that, use a named one from the start. */
        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        struct stat st;
        if (stat(self, &st) == 0)
            return fd;
        close(fd);
    }
#endif
    return open_named(output);
}

static enum vxb_status output_failed(struct vxbi_output *output, const char *verb, int reason, struct vxb_error *err)
{
    return vxbi_fail_errno(err, output->shown, verb, reason);
}

static enum vxb_status open_target(struct vxbi_output *output, struct vxb_error *err)
{
    struct stat st;
    if (output->target[0] == 0) {
        output->target_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        if (output->target_fd < 0)
            return output_failed(output, "write to", errno, err);
        return VXB_OK;
    }
    if (stat(output->target, &st) != 0) {
        if (errno != ENOENT)
            return output_failed(output, "write", errno, err);
        size_t length = strlen(output->target);
        if (length == 0 || output->target[length - 1] == '/')
            return output_failed(output, "write", EISDIR, err);
        mode_t mask = umask(0);
        umask(mask);
        output->mode = 0666 & ~mask;
        return VXB_OK;
    }
    if (S_ISDIR(st.st_mode))
        return output_failed(output, "write", EISDIR, err);
    output->device = st.st_dev;
    output->inode = st.st_ino;
    if (S_ISREG(st.st_mode)) {
        output->replaces = true;
        output->mode = st.st_mode & 07777;
        /* A file that may not be written is not replaced either, though its folder would allow it. */
        if (access(output->target, W_OK) != 0)
            return output_failed(output, "write", errno, err);
        return VXB_OK;
    }
    output->target_fd = open_retry(&output->env, output->target, O_WRONLY | O_NOCTTY, 0);
    if (output->target_fd < 0)
        return output_failed(output, "write", errno, err);
    return VXB_OK;
}

enum vxb_status vxbi_output_open(const struct vxb_env *env, const char *path, struct vxbi_output **out,
                                 struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_output *output = vxbi_new_zero(&allocator, 1, sizeof *output);
    if (!output)
        return vxbi_fail_memory(err, sizeof *output);
    output->allocator = allocator;
    if (env)
        output->env = *env;
    output->fd = output->target_fd = -1;
    bool standard = strcmp(path, "-") == 0;
    snprintf(output->shown, sizeof output->shown, "%s", standard ? "standard output" : path);
    int reason = standard ? 0 : path[0] ? resolve(path, output->target) : ENOENT;
    enum vxb_status status = reason ? output_failed(output, "write", reason, err) : open_target(output, err);
    if (!status) {
        output->fd = output->target_fd >= 0 ? open_unnamed(temp_folder()) : open_beside(output);
        if (output->fd < 0)
            status = output_failed(output, "make a temporary file for it", errno, err);
    }
    if (status) {
        vxbi_output_abort(output);
        return status;
    }
    *out = output;
    return VXB_OK;
}

enum vxb_status vxbi_output_write_at(struct vxbi_output *output, uint64_t offset, const void *data, size_t size,
                                     struct vxb_error *err)
{
    int reason = pwrite_whole(output->fd, offset, data, size);
    return reason ? output_failed(output, "write", reason, err) : VXB_OK;
}

enum vxb_status vxbi_output_append(struct vxbi_output *output, const void *data, size_t size, struct vxb_error *err)
{
    enum vxb_status status = vxbi_output_write_at(output, output->end, data, size, err);
    if (!status)
        output->end += size;
    return status;
}

enum vxb_status vxbi_output_read_at(struct vxbi_output *output, uint64_t offset, void *data, size_t size,
                                    struct vxb_error *err)
{
    int reason = pread_whole(output->fd, offset, data, size);
    return reason ? read_failed(err, output->shown, reason, offset, size) : VXB_OK;
}

/* Whether the files behind two descriptors hold the same bytes; an error counts as different. */
static bool same_content(int a, int b)
{
    static const size_t room = (size_t)64 << 10;
    struct stat sa, sb;
    if (fstat(a, &sa) != 0 || fstat(b, &sb) != 0 || sa.st_size != sb.st_size)
        return false;
    char pa[64 << 10], pb[64 << 10];
    for (uint64_t at = 0, size = (uint64_t)sa.st_size; at < size; at += room) {
        size_t n = size - at < room ? (size_t)(size - at) : room;
        if (pread_whole(a, at, pa, n) || pread_whole(b, at, pb, n) || memcmp(pa, pb, n) != 0)
            return false;
    }
    return true;
}

enum vxb_status vxbi_output_prepare(struct vxbi_output *output, bool if_changed, struct vxb_error *err)
{
    if (output->prepared)
        return VXB_OK;
    if (if_changed && output->replaces) {
        int fd = open_retry(NULL, output->target, O_RDONLY, 0);
        if (fd >= 0) {
            output->unchanged = same_content(fd, output->fd);
            close(fd);
        }
    }
    if (output->target_fd < 0 && !output->unchanged) {
        if (fchmod(output->fd, output->mode) != 0)
            return output_failed(output, "set the mode of", errno, err);
        int result;
        do
            result = fsync(output->fd);
        while (result != 0 && errno == EINTR);
        if (result != 0)
            return output_failed(output, "write", errno, err);
    }
    output->prepared = true;
    return VXB_OK;
}

static enum vxb_status copy_into_target(struct vxbi_output *output, struct vxb_error *err)
{
    char buf[65536];
    struct stat st;
    if (fstat(output->fd, &st) != 0)
        return output_failed(output, "read back", errno, err);
    for (uint64_t at = 0, size = (uint64_t)st.st_size; at < size;) {
        size_t n = size - at < sizeof buf ? (size_t)(size - at) : sizeof buf;
        int reason = pread_whole(output->fd, at, buf, n);
        if (!reason)
            reason = write_whole(&output->env, output->target_fd, buf, n);
        if (reason)
            return output_failed(output, "write", reason, err);
        at += n;
        if (cancelled(&output->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    }
    int fd = output->target_fd;
    output->target_fd = -1;
    if (close(fd) != 0)
        return output_failed(output, "write", errno, err);
    return VXB_OK;
}

/* Gives an unnamed temporary its name. */
static int link_in(struct vxbi_output *output)
{
#if defined(O_TMPFILE) && defined(HAVE_LINKAT)
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", output->fd);
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (!temporary_name(output, output->named, attempt))
            return ENAMETOOLONG;
        if (linkat(AT_FDCWD, self, AT_FDCWD, output->named, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST) {
            int reason = errno;
            output->named[0] = 0;
            return reason;
        }
    }
    output->named[0] = 0;
    return EEXIST;
#else
    (void)output;
    return EINVAL;
#endif
}

static void sync_folder(const char *target)
{
    char folder[VXBI_PATH_ROOM];
    vxbi_path_folder(folder, sizeof folder, target);
    int fd = open_retry(NULL, folder[0] ? folder : ".", O_RDONLY, 0);
    if (fd >= 0) {
        fsync(fd); /* some file systems refuse it for folders; the file itself is on the disk already */
        close(fd);
    }
}

enum vxb_status vxbi_output_commit(struct vxbi_output *output, bool *written, struct vxb_error *err)
{
    enum vxb_status status = vxbi_output_prepare(output, false, err);
    if (!status && output->target_fd >= 0) {
        status = copy_into_target(output, err);
    } else if (!status && !output->unchanged) {
        int reason = output->named[0] ? 0 : link_in(output);
        if (!reason && rename(output->named, output->target) != 0)
            reason = errno;
        if (reason) {
            status = output_failed(output, "put in place", reason, err);
        } else {
            output->named[0] = 0;
            sync_folder(output->target);
        }
    }
    if (written)
        *written = !status && !output->unchanged;
    vxbi_output_abort(output);
    return status;
}

void vxbi_output_abort(struct vxbi_output *output)
{
    if (!output)
        return;
    if (output->named[0])
        unlink(output->named);
    if (output->fd >= 0)
        close(output->fd);
    if (output->target_fd >= 0)
        close(output->target_fd);
    struct vxb_allocator allocator = output->allocator;
    vxbi_delete(&allocator, output, 1, sizeof *output);
}

bool vxbi_output_streams(const struct vxbi_output *output)
{
    return output->target_fd >= 0;
}

bool vxbi_output_unchanged(const struct vxbi_output *output)
{
    return output->unchanged;
}

bool vxbi_output_is(const struct vxbi_output *output, const char *path)
{
    struct stat st;
    return output->replaces && stat(path, &st) == 0 && st.st_dev == output->device && st.st_ino == output->inode;
}

/* Whether a and b, neither of which need exist, are one name in one folder. */
static bool same_place(const char *a, const char *b)
{
    char fa[VXBI_PATH_ROOM], fb[VXBI_PATH_ROOM];
    const char *na = strrchr(a, '/'), *nb = strrchr(b, '/');
    vxbi_path_folder(fa, sizeof fa, a);
    vxbi_path_folder(fb, sizeof fb, b);
    return strcmp(na ? na + 1 : a, nb ? nb + 1 : b) == 0 && vxbi_same_file(fa[0] ? fa : ".", fb[0] ? fb : ".");
}

bool vxbi_output_same(const struct vxbi_output *a, const struct vxbi_output *b)
{
    if (a->replaces && b->replaces)
        return a->device == b->device && a->inode == b->inode;
    if (a->target_fd >= 0 || b->target_fd >= 0)
        return a->target_fd >= 0 && b->target_fd >= 0 && strcmp(a->target, b->target) == 0;
    return !a->replaces && !b->replaces && same_place(a->target, b->target);
}

struct vxbi_spill {
    struct vxb_allocator allocator;
    int fd;
    char folder[VXBI_PATH_ROOM];
};

enum vxb_status vxbi_spill_open(const struct vxb_env *env, const char *beside, struct vxbi_spill **out,
                                struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_spill *spill = vxbi_new_zero(&allocator, 1, sizeof *spill);
    if (!spill)
        return vxbi_fail_memory(err, sizeof *spill);
    spill->allocator = allocator;
    char target[VXBI_PATH_ROOM];
    struct stat st;
    snprintf(spill->folder, sizeof spill->folder, "%s", temp_folder());
    if (beside && strcmp(beside, "-") != 0 && resolve(beside, target) == 0 &&
        (stat(target, &st) != 0 || S_ISREG(st.st_mode))) {
        vxbi_path_folder(spill->folder, sizeof spill->folder, target);
        if (!spill->folder[0])
            strcpy(spill->folder, ".");
    }
    spill->fd = open_unnamed(spill->folder);
    if (spill->fd < 0) {
        enum vxb_status status = vxbi_fail_errno(err, spill->folder, "make a temporary file in this folder", errno);
        vxbi_delete(&allocator, spill, 1, sizeof *spill);
        return status;
    }
    *out = spill;
    return VXB_OK;
}

enum vxb_status vxbi_spill_write_at(struct vxbi_spill *spill, uint64_t offset, const void *data, size_t size,
                                    struct vxb_error *err)
{
    int reason = pwrite_whole(spill->fd, offset, data, size);
    return reason ? vxbi_fail_errno(err, spill->folder, "write to a temporary file in this folder", reason) : VXB_OK;
}

enum vxb_status vxbi_spill_read_at(const struct vxbi_spill *spill, uint64_t offset, void *data, size_t size,
                                   struct vxb_error *err)
{
    int reason = pread_whole(spill->fd, offset, data, size);
    return reason ? read_failed(err, spill->folder, reason, offset, size) : VXB_OK;
}

void vxbi_spill_close(struct vxbi_spill *spill)
{
    if (!spill)
        return;
    close(spill->fd);
    struct vxb_allocator allocator = spill->allocator;
    vxbi_delete(&allocator, spill, 1, sizeof *spill);
}

/* ---- threads ---- */

/* The quota of the cgroup this process is in, in whole CPUs rounded up; 0 where there is none. */
static uint32_t cgroup_cpus(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file)
        return 0;
    uint64_t quota, period;
    uint32_t cpus = 0;
    if (fscanf(file, "%" SCNu64 " %" SCNu64, &quota, &period) == 2 && period > 0 && quota > 0) {
        uint64_t whole = (quota + period - 1) / period;
        cpus = whole > 4096 ? 4096 : (uint32_t)whole;
    }
    fclose(file);
    return cpus;
}

uint32_t vxbi_cpu_count(void)
{
    long count = 0;
#if defined(HAVE_SCHED_GETAFFINITY) && defined(CPU_COUNT)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        count = 1;
    uint32_t quota = cgroup_cpus();
    if (quota && (long)quota < count)
        count = (long)quota;
    return (uint32_t)count;
}

uint32_t vxbi_thread_count(const struct vxb_env *env)
{
    return env && env->threads ? env->threads : vxbi_cpu_count();
}

uint32_t vxb_env_threads(const struct vxb_env *env)
{
    return vxbi_thread_count(env);
}

struct team {
    void (*body)(void *user, uint32_t worker);
    void *user;
    uint32_t worker;
};

static void *run_member(void *arg)
{
    const struct team *member = arg;
    member->body(member->user, member->worker);
    return NULL;
}

void vxbi_parallel(uint32_t count, void (*body)(void *user, uint32_t worker), void *user)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    struct team team[MOST];
    uint32_t started = 1;
    if (count > MOST)
        count = MOST;
    while (started < count) {
        team[started] = (struct team){body, user, started};
        if (pthread_create(&threads[started], NULL, run_member, &team[started]) != 0)
            break;
        started++;
    }
    body(user, 0);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
}

struct vxbi_mutex {
    pthread_mutex_t lock;
    pthread_cond_t signal;
};

struct vxbi_mutex *vxbi_mutex_new(const struct vxb_allocator *allocator)
{
    struct vxbi_mutex *mutex = vxbi_new_zero(allocator, 1, sizeof *mutex);
    if (!mutex)
        return NULL;
    pthread_mutex_init(&mutex->lock, NULL);
    pthread_cond_init(&mutex->signal, NULL);
    return mutex;
}

void vxbi_mutex_free(const struct vxb_allocator *allocator, struct vxbi_mutex *mutex)
{
    if (!mutex)
        return;
    pthread_cond_destroy(&mutex->signal);
    pthread_mutex_destroy(&mutex->lock);
    vxbi_delete(allocator, mutex, 1, sizeof *mutex);
}

void vxbi_mutex_lock(struct vxbi_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }
void vxbi_mutex_unlock(struct vxbi_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
void vxbi_mutex_wait(struct vxbi_mutex *mutex) { pthread_cond_wait(&mutex->signal, &mutex->lock); }
void vxbi_mutex_wake(struct vxbi_mutex *mutex) { pthread_cond_broadcast(&mutex->signal); }

/* ---- shared libraries ---- */

void *vxbi_library_open(const char *name, char *why, size_t room)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(why, room, "%s", dlerror());
    return library;
}

bool vxbi_library_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    /* C has no conversion between the two kinds of pointer; POSIX says that they are the same bytes. */
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* ---- time ---- */

double vxbi_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- paths ---- */

bool vxbi_path_join(char *out, size_t room, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] != '/' ? "/" : "";
    if (name[0] == '/')
        folder = slash = "";
    char joined[VXBI_PATH_ROOM];
    int n = snprintf(joined, sizeof joined, "%s%s%s", folder, slash, name);
    if (n < 0 || (size_t)n >= sizeof joined || (size_t)n >= room)
        return false;
    memcpy(out, joined, (size_t)n + 1);
    return true;
}

bool vxbi_path_folder(char *out, size_t room, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (slash == path ? 1 : (size_t)(slash - path)) : 0;
    if (length >= room)
        return false;
    memmove(out, path, length);
    out[length] = 0;
    return true;
}
