/* An allocator for tests: counts what is held and fails the call it is told to. */
#ifndef TESTS_COUNTED_MEMORY_H
#define TESTS_COUNTED_MEMORY_H

#include <stdlib.h>

#include "vxbake/base.h"

struct counted {
    size_t calls;
    size_t fail_at; /* the how many-th call; 0: none */
    size_t bytes;   /* held now */
};

static void *counted_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct counted *counted = user;
    if (++counted->calls == counted->fail_at)
        return NULL;
    counted->bytes += new_size - old_size;
    return realloc(block, new_size);
}

static void counted_release(void *user, void *block, size_t size)
{
    struct counted *counted = user;
    counted->bytes -= block ? size : 0;
    free(block);
}

static inline struct vxb_env counted_env(struct counted *counted)
{
    return (struct vxb_env){.size = sizeof(struct vxb_env),
                            .allocator = {counted, counted_resize, counted_release}};
}

#endif
