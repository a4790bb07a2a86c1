#include "scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256], path[320];

static void leave(void)
{
    unlink(path);
    rmdir(folder);
}

const char *scratch_put(const char *name, const void *data, size_t size)
{
    const char *base = getenv("TMPDIR");
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/vxbake-fuzz-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(folder) || atexit(leave))
            abort();
    }
    char next[sizeof path];
    snprintf(next, sizeof next, "%s/%s", folder, name);
    if (path[0] && strcmp(path, next) != 0)
        unlink(path);
    strcpy(path, next);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd))
        abort();
    return path;
}
