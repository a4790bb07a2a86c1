/* Preloaded into a program: its allocation number FAIL_MALLOC fails, whoever makes it, and with FAIL_MALLOC_ON set all
 * that follow. At the end the number of allocations goes to the file FAIL_MALLOC_COUNT names. For glibc, whose own
 * functions are called by their other names. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static atomic_long calls;
static long fails = -1;
static bool onward;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_MALLOC");
    onward = getenv("FAIL_MALLOC_ON") != NULL;
    atomic_store(&calls, 0);
    if (text)
        fails = strtol(text, NULL, 10);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_MALLOC_COUNT");
    char text[32];
    if (!path)
        return;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int size = snprintf(text, sizeof text, "%ld\n", (long)atomic_load(&calls));
    if (fd < 0 || write(fd, text, (size_t)size) != size)
        abort();
    close(fd);
}

/* The C library's own threads count on errno. */
static bool fail(void)
{
    const long number = atomic_fetch_add(&calls, 1);
    const bool failed = fails >= 0 && (onward ? number >= fails : number == fails);
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *malloc(size_t size) { return fail() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fail() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fail() ? NULL : __libc_realloc(block, size); }
