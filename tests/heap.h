/* Memory that counts itself and ends on cue, for struct vxb_allocator. */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stdint.h>
#include <stdlib.h>

struct heap {
    uint64_t now;  /* bytes that are allocated */
    int64_t left;  /* how many calls succeed before one fails; below 0: all */
    uint64_t peak; /* the most that was allocated at once */
};

static void *heap_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct heap *h = user;
    if (h->left == 0)
        return NULL;
    h->left--;
    h->now += new_size - old_size;
    h->peak = h->now > h->peak ? h->now : h->peak;
    return realloc(block, new_size);
}

static void heap_release(void *user, void *block, size_t size)
{
    struct heap *h = user;
    h->now -= size;
    free(block);
}

#endif
