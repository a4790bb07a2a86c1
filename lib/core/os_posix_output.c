/* Outputs that appear whole or not at all, and the temporaries beside them.
 *
 * Invariant: until vxb_output_commit() nothing a target's name leads to has changed, and an aborted output leaves no
 * name behind. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os_posix.h"

struct vxb_output {
    struct vxb_allocator allocator;
    struct vxb_env env; /* a copy: the caller's may be a temporary */
    int fd;           /* the temporary */
    int target_fd;    /* what the content is copied into, -1: renamed */
    uint64_t end;     /* of append */
    bool exists;      /* something stands at target */
    bool replaces;    /* a regular file, which the commit renames over */
    bool prepared, unchanged;
    dev_t device;     /* of the existing target */
    ino_t inode;
    mode_t mode;      /* what the new file gets */
    char named[VXBI_PATH_ROOM];  /* the temporary's name, "" while it has none */
    char target[VXBI_PATH_ROOM]; /* links resolved; "" for standard output */
    char shown[VXBI_PATH_ROOM];
};

/* The descriptor of this process that a name like /dev/fd/N stands for, else -1. */
static int descriptor_named(const char *path)
{
    char folder[VXBI_PATH_ROOM];
    const char *slash = strrchr(path, '/'), *digits = slash ? slash + 1 : path;
    size_t length = strlen(digits);
    if (length == 0 || length > 9 || strspn(digits, "0123456789") != length)
        return -1;
    vxbi_path_folder(folder, sizeof folder, path);
    if (!folder[0])
        strcpy(folder, ".");
    bool ours = vxbi_same_file(folder, "/dev/fd") || vxbi_same_file(folder, "/proc/self/fd");
    return ours ? (int)strtol(digits, NULL, 10) : -1;
}

/* Follows symbolic links by hand: realpath() can't resolve a link to a file that is still to be made. A link to one of
 * our own descriptors, as /dev/stdout is one, ends it, and *descriptor is that: the file behind it may have lost its
 * name, be open for appending, or be written by others too, so it's written into and never renamed over. */
static int resolve(const char *path, char *out, int *descriptor)
{
    *descriptor = -1;
    if (strlen(path) >= VXBI_PATH_ROOM)
        return ENAMETOOLONG;
    strcpy(out, path);
    struct stat st;
    const bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    for (int hops = 0; hops < 40; hops++) {
        char link[VXBI_PATH_ROOM], folder[VXBI_PATH_ROOM];
        *descriptor = descriptor_named(out);
        ssize_t n = *descriptor >= 0 ? -1 : readlink(out, link, sizeof link - 1);
        if (n < 0) {
            /* No link: whatever is wrong with it, opening will tell. What is never renamed over keeps the name it was
             * given, for the last one need not be a name at all. */
            if (special)
                strcpy(out, path);
            return 0;
        }
        link[n] = 0;
        vxbi_path_folder(folder, sizeof folder, out);
        if (!vxbi_path_join(out, VXBI_PATH_ROOM, folder, link))
            return ENAMETOOLONG;
    }
    return ELOOP;
}

/* A name beside the target that does not exist: ".NAME.vxbake-XXXXXX", the NAME cut where a folder could not hold
 * it. */
static bool temporary_name(const struct vxb_output *output, char *out, unsigned attempt)
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

static int open_named(struct vxb_output *output)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (!temporary_name(output, output->named, attempt)) {
            errno = ENAMETOOLONG;
            break;
        }
        int fd = vxbi_posix_open(NULL, output->named, O_RDWR | O_CREAT | O_EXCL, 0600);
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
static int open_beside(struct vxb_output *output)
{
#if defined(O_TMPFILE) && defined(HAVE_LINKAT)
    char folder[VXBI_PATH_ROOM], self[64];
    vxbi_path_folder(folder, sizeof folder, output->target);
    int fd = vxbi_posix_open(NULL, folder[0] ? folder : ".", O_TMPFILE | O_RDWR, 0600);
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

static enum vxb_status output_failed(struct vxb_output *output, const char *verb, int reason, struct vxb_error *err)
{
    return vxbi_fail_errno(err, output->shown, verb, reason);
}

static void know_target(struct vxb_output *output, const struct stat *st)
{
    output->exists = true;
    output->device = st->st_dev;
    output->inode = st->st_ino;
}

/* One of our own descriptors as the target. */
static enum vxb_status open_descriptor(struct vxb_output *output, int descriptor, struct vxb_error *err)
{
    struct stat st;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        flags = -1;
        errno = EBADF;
    }
    if (flags < 0 || fstat(descriptor, &st) != 0)
        return output_failed(output, "write", errno, err);
    if (S_ISDIR(st.st_mode))
        return output_failed(output, "write", EISDIR, err);
    know_target(output, &st);
    output->target_fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return output->target_fd < 0 ? output_failed(output, "write", errno, err) : VXB_OK;
}

static enum vxb_status open_target(struct vxb_output *output, struct vxb_error *err)
{
    struct stat st;
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
    know_target(output, &st);
    if (S_ISREG(st.st_mode)) {
        output->replaces = true;
        output->mode = st.st_mode & 07777;
        /* A file that may not be written is not replaced either, though its folder would allow it. */
        if (access(output->target, W_OK) != 0)
            return output_failed(output, "write", errno, err);
        return VXB_OK;
    }
    output->target_fd = vxbi_posix_open(&output->env, output->target, O_WRONLY | O_NOCTTY, 0);
    if (output->target_fd < 0)
        return output_failed(output, "write", errno, err);
    return VXB_OK;
}

enum vxb_status vxb_output_open(const struct vxb_env *env, const char *path, struct vxb_output **out,
                                struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_output *output = vxbi_new_zero(&allocator, 1, sizeof *output);
    if (!output)
        return vxbi_fail_memory(err, sizeof *output);
    output->allocator = allocator;
    if (env)
        output->env = *env;
    output->fd = output->target_fd = -1;
    bool standard = strcmp(path, "-") == 0;
    int descriptor = STDOUT_FILENO;
    snprintf(output->shown, sizeof output->shown, "%s", standard ? "standard output" : path);
    int reason = standard ? 0 : path[0] ? resolve(path, output->target, &descriptor) : ENOENT;
    status = reason            ? output_failed(output, "write", reason, err)
             : descriptor >= 0 ? open_descriptor(output, descriptor, err)
                               : open_target(output, err);
    if (!status) {
        const bool streams = output->target_fd >= 0;
        output->fd = streams ? vxbi_posix_open_unnamed(vxbi_posix_temp_folder()) : open_beside(output);
        if (output->fd < 0)
            status = streams ? vxbi_fail_errno(err, vxbi_posix_temp_folder(), "make a temporary file in this folder",
                                               errno)
                             : output_failed(output, "make a temporary file for it", errno, err);
    }
    if (status) {
        vxb_output_abort(output);
        return status;
    }
    *out = output;
    return VXB_OK;
}

enum vxb_status vxbi_output_write_at(struct vxb_output *output, uint64_t offset, const void *data, size_t size,
                                     struct vxb_error *err)
{
    int reason = vxbi_posix_pwrite(output->fd, offset, data, size);
    return reason ? output_failed(output, "write", reason, err) : VXB_OK;
}

enum vxb_status vxb_output_append(struct vxb_output *output, const void *data, size_t size, struct vxb_error *err)
{
    enum vxb_status status = vxbi_output_write_at(output, output->end, data, size, err);
    if (!status)
        output->end += size;
    return status;
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
        if (vxbi_posix_pread(a, at, pa, n) || vxbi_posix_pread(b, at, pb, n) || memcmp(pa, pb, n) != 0)
            return false;
    }
    return true;
}

enum vxb_status vxbi_output_prepare(struct vxb_output *output, bool if_changed, struct vxb_error *err)
{
    if (output->prepared)
        return VXB_OK;
    if (if_changed && output->replaces) {
        int fd = vxbi_posix_open(NULL, output->target, O_RDONLY, 0);
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

static enum vxb_status copy_into_target(struct vxb_output *output, struct vxb_error *err)
{
    char buf[65536];
    struct stat st;
    if (fstat(output->fd, &st) != 0)
        return output_failed(output, "read back", errno, err);
    for (uint64_t at = 0, size = (uint64_t)st.st_size; at < size;) {
        size_t n = size - at < sizeof buf ? (size_t)(size - at) : sizeof buf;
        int reason = vxbi_posix_pread(output->fd, at, buf, n);
        if (!reason)
            reason = vxbi_posix_write(&output->env, output->target_fd, buf, n);
        if (reason)
            return output_failed(output, "write", reason, err);
        at += n;
        if (vxbi_cancelled(&output->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    }
    int fd = output->target_fd;
    output->target_fd = -1;
    if (close(fd) != 0)
        return output_failed(output, "write", errno, err);
    return VXB_OK;
}

/* Gives an unnamed temporary its name. */
static int link_in(struct vxb_output *output)
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
    int fd = vxbi_posix_open(NULL, folder[0] ? folder : ".", O_RDONLY, 0);
    if (fd >= 0) {
        fsync(fd); /* some file systems refuse it for folders; the file itself is on the disk already */
        close(fd);
    }
}

enum vxb_status vxb_output_commit(struct vxb_output *output, struct vxb_error *err)
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
    vxb_output_abort(output);
    return status;
}

void vxb_output_abort(struct vxb_output *output)
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

uint64_t vxbi_output_bytes(const struct vxb_output *output)
{
    return output->end;
}

bool vxbi_output_streams(const struct vxb_output *output)
{
    return output->target_fd >= 0;
}

bool vxbi_output_unchanged(const struct vxb_output *output)
{
    return output->unchanged;
}

bool vxb_output_is(const struct vxb_output *output, const char *path)
{
    struct stat st;
    bool found = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(path, &st) == 0;
    return output->exists && found && S_ISREG(st.st_mode) && st.st_dev == output->device &&
           st.st_ino == output->inode;
}

bool vxb_output_is_standard(const char *path)
{
    char target[VXBI_PATH_ROOM];
    int descriptor;
    return strcmp(path, "-") == 0 || (resolve(path, target, &descriptor) == 0 && descriptor == STDOUT_FILENO);
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

bool vxb_output_same(const struct vxb_output *a, const struct vxb_output *b)
{
    if (a->exists || b->exists)
        return a->exists && b->exists && a->device == b->device && a->inode == b->inode;
    return same_place(a->target, b->target);
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
    int descriptor;
    snprintf(spill->folder, sizeof spill->folder, "%s", vxbi_posix_temp_folder());
    if (beside && strcmp(beside, "-") != 0 && resolve(beside, target, &descriptor) == 0 && descriptor < 0 &&
        (stat(target, &st) != 0 || S_ISREG(st.st_mode))) {
        vxbi_path_folder(spill->folder, sizeof spill->folder, target);
        if (!spill->folder[0])
            strcpy(spill->folder, ".");
    }
    spill->fd = vxbi_posix_open_unnamed(spill->folder);
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
    int reason = vxbi_posix_pwrite(spill->fd, offset, data, size);
    return reason ? vxbi_fail_errno(err, spill->folder, "write to a temporary file in this folder", reason) : VXB_OK;
}

enum vxb_status vxbi_spill_read_at(const struct vxbi_spill *spill, uint64_t offset, void *data, size_t size,
                                   struct vxb_error *err)
{
    int reason = vxbi_posix_pread(spill->fd, offset, data, size);
    return reason ? vxbi_posix_read_failed(err, spill->folder, reason, offset, size) : VXB_OK;
}

void vxbi_spill_close(struct vxbi_spill *spill)
{
    if (!spill)
        return;
    close(spill->fd);
    struct vxb_allocator allocator = spill->allocator;
    vxbi_delete(&allocator, spill, 1, sizeof *spill);
}
