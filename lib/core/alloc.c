/* The allocator and the arena. */
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

static void *default_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void default_release(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

struct vxb_allocator vxbi_allocator(const struct vxb_env *env)
{
    if (env && env->allocator.resize && env->allocator.release)
        return env->allocator;
    return (struct vxb_allocator){.resize = default_resize, .release = default_release};
}

void *vxbi_new(const struct vxb_allocator *allocator, uint64_t count, size_t size)
{
    return vxbi_resize(allocator, NULL, 0, count, size);
}

void *vxbi_new_zero(const struct vxb_allocator *allocator, uint64_t count, size_t size)
{
    void *block = vxbi_new(allocator, count, size);
    if (block)
        memset(block, 0, (size_t)count * size);
    return block;
}

void *vxbi_resize(const struct vxb_allocator *allocator, void *block, uint64_t old_count, uint64_t new_count,
                  size_t size)
{
    uint64_t bytes;
    if (!vxbi_mul_u64(new_count, size, &bytes) || bytes == 0 || bytes > SIZE_MAX / 2)
        return NULL;
    return allocator->resize(allocator->user, block, (size_t)old_count * size, (size_t)bytes);
}

void vxbi_delete(const struct vxb_allocator *allocator, void *block, uint64_t count, size_t size)
{
    if (block)
        allocator->release(allocator->user, block, (size_t)count * size);
}

struct vxbi_arena_block {
    struct vxbi_arena_block *before;
    size_t size, used; /* of the whole block */
    max_align_t first;
};

#define BLOCK_BYTES ((size_t)16 << 10)

void *vxbi_arena_new(struct vxbi_arena *arena, size_t size)
{
    const size_t align = sizeof(max_align_t), head = offsetof(struct vxbi_arena_block, first);
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + align - 1) / align * align;
    struct vxbi_arena_block *block = arena->last;
    if (!block || block->size - block->used < size) {
        size_t whole = head + size > BLOCK_BYTES ? head + size : BLOCK_BYTES;
        block = vxbi_new(&arena->allocator, 1, whole);
        if (!block)
            return NULL;
        *block = (struct vxbi_arena_block){.before = arena->last, .size = whole, .used = head};
        arena->last = block;
    }
    void *out = (char *)block + block->used;
    block->used += size;
    memset(out, 0, size);
    return out;
}

char *vxbi_arena_text(struct vxbi_arena *arena, const char *text, size_t size)
{
    char *out = vxbi_arena_new(arena, size + 1);
    if (out)
        memcpy(out, text, size);
    return out;
}

void vxbi_arena_clear(struct vxbi_arena *arena)
{
    while (arena->last) {
        struct vxbi_arena_block *block = arena->last;
        arena->last = block->before;
        vxbi_delete(&arena->allocator, block, 1, block->size);
    }
}

uint64_t vxbi_max_memory(const struct vxb_env *env)
{
    return env && env->max_memory_bytes ? env->max_memory_bytes : (uint64_t)1 << 30;
}
