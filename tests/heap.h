/* The memory of tests, for struct vxb_allocator: it counts itself and ends on cue. A block that is resized or freed
 * with a size that it does not have ends the test. Any number of threads. */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "vxbake/base.h"

/* All zero is one that does not end. */
struct heap {
    uint64_t fail_at;             /* the first call of heap_resize() that fails, from 1; 0: none does */
    bool once;                    /* those after it succeed */
    _Atomic(uint64_t) calls, now; /* now: bytes that are allocated */
    _Atomic(uint64_t) peak;       /* the most that was allocated at once */
};

struct heap_block {
    size_t size;
    max_align_t data;
};

static inline struct heap_block *heap_block(void *data, size_t size)
{
    struct heap_block *block = (struct heap_block *)(void *)((char *)data - offsetof(struct heap_block, data));
    if (block->size != size)
        abort();
    return block;
}

static inline void *heap_resize(void *user, void *data, size_t old_size, size_t new_size)
{
    struct heap *heap = user;
    struct heap_block *block = data ? heap_block(data, old_size) : NULL;
    const uint64_t call = atomic_fetch_add(&heap->calls, 1) + 1;
    if (heap->fail_at && (heap->once ? call == heap->fail_at : call >= heap->fail_at))
        return NULL;
    block = realloc(block, offsetof(struct heap_block, data) + new_size);
    if (!block)
        return NULL;
    block->size = new_size;
    const uint64_t now = atomic_fetch_add(&heap->now, new_size - old_size) + new_size - old_size;
    for (uint64_t peak = heap->peak; peak < now && !atomic_compare_exchange_weak(&heap->peak, &peak, now);)
        ;
    return &block->data;
}

static inline void heap_release(void *user, void *data, size_t size)
{
    struct heap *heap = user;
    struct heap_block *block = heap_block(data, size);
    atomic_fetch_sub(&heap->now, size);
    free(block);
}

/* An environment of one thread that allocates here. */
static inline struct vxb_env heap_env(struct heap *heap)
{
    return (struct vxb_env){.size = sizeof(struct vxb_env), .threads = 1,
                            .allocator = {heap, heap_resize, heap_release}};
}

#endif
