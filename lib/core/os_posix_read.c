/* Reading: whole files into memory, and files at offsets. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os_posix.h"

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
                                 : vxbi_posix_open(env, path, O_RDONLY | O_NOCTTY, 0);
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
        ssize_t n = vxbi_posix_read(env, fd, bytes.data + bytes.size, bytes.room - bytes.size);
        if (n < 0) {
            status = vxbi_fail_errno(err, shown(path), "read", errno);
            goto fail;
        }
        if (n == 0)
            break;
        bytes.size += (size_t)n;
        if (bytes.size > max)
            goto too_large;
        if (vxbi_cancelled(env)) {
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

/* A stream on its way into a temporary. */
struct copy {
    const struct vxb_env *env;
    const char *path;
    int from, to;
    uint64_t size, max;
    bool ended;
};

/* Takes what there is, up to size bytes, which are in buf then; n: how many. */
static enum vxb_status take(struct copy *copy, void *buf, size_t size, size_t *n, struct vxb_error *err)
{
    const ssize_t got = vxbi_posix_read(copy->env, copy->from, buf, size);
    *n = got > 0 ? (size_t)got : 0;
    copy->ended = got == 0;
    if (got < 0)
        return vxbi_fail_errno(err, shown(copy->path), "read", errno);
    const int reason = vxbi_posix_pwrite(copy->to, copy->size, buf, *n);
    if (reason)
        return vxbi_fail_errno(err, vxbi_posix_temp_folder(), "write to a temporary file in this folder", reason);
    copy->size += *n;
    return vxbi_cancelled(copy->env) ? vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled") : VXB_OK;
}

static enum vxb_status copy_stream(struct copy *copy, const struct vxbi_stream *stream, struct vxb_error *err)
{
    uint8_t buf[65536];
    size_t start = 0, n;
    enum vxb_status status = VXB_OK;
    while (!status && !copy->ended && start < VXBI_STREAM_START) {
        status = take(copy, buf + start, VXBI_STREAM_START - start, &n, err);
        start += n;
    }
    if (!status && stream->begins && !stream->begins(buf, start))
        return VXB_OK;
    while (!status && !copy->ended && copy->size <= copy->max) {
        const uint64_t room = copy->max - copy->size + 1;
        status = take(copy, buf, room < sizeof buf ? (size_t)room : sizeof buf, &n, err);
    }
    if (status || copy->size <= copy->max)
        return status;
    const bool own = stream->max_bytes > 0;
    vxbi_fail_remedy(err, VXB_ERR_LIMIT, own ? NULL : "max_memory_bytes",
                     "there are more than %" PRIu64 " bytes, the most that is taken of what is not a regular "
                     "file%s",
                     copy->max, own ? "" : ": a file that is named may be larger");
    return vxbi_error_in(err, VXB_ERR_LIMIT, shown(copy->path), NULL);
}

/* Copies what can't be read at offsets into an unlinked temporary and leaves that in *fd. */
static enum vxb_status slurp(const struct vxb_env *env, const char *path, const struct vxbi_stream *stream, int *fd,
                             uint64_t *size, struct vxb_error *err)
{
    struct copy copy = {.env = env, .path = path, .from = *fd,
                        .max = stream->max_bytes ? stream->max_bytes : vxbi_max_memory(env)};
    copy.to = vxbi_posix_open_unnamed(vxbi_posix_temp_folder());
    if (copy.to < 0)
        return vxbi_fail_errno(err, vxbi_posix_temp_folder(), "make a temporary file in this folder", errno);
    enum vxb_status status = copy_stream(&copy, stream, err);
    if (status) {
        close(copy.to);
        return status;
    }
    close(*fd);
    *fd = copy.to;
    *size = copy.size;
    return VXB_OK;
}

enum vxb_status vxbi_file_open(const struct vxb_env *env, const char *path, const struct vxbi_stream *stream,
                               struct vxbi_file **out, struct vxb_error *err)
{
    static const struct vxbi_stream any = {0};
    int fd;
    struct stat st;
    enum vxb_status status = open_for_reading(env, path, &fd, &st, err);
    if (status)
        return status;
    uint64_t size = (uint64_t)st.st_size;
    if (!S_ISREG(st.st_mode) && (status = slurp(env, path, stream ? stream : &any, &fd, &size, err))) {
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

enum vxb_status vxbi_file_read_at(const struct vxbi_file *file, uint64_t offset, void *buf, size_t size,
                                  struct vxb_error *err)
{
    int reason = vxbi_posix_pread(file->fd, offset, buf, size);
    return reason ? vxbi_posix_read_failed(err, file->path, reason, offset, size) : VXB_OK;
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
