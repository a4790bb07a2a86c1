/* Memory through the environment's allocator, and sizes that can't wrap. */
#ifndef VXBI_CORE_ALLOC_H
#define VXBI_CORE_ALLOC_H

#include "../vxbake/base.h"

/* a * b and a + b into *out; false where the result does not fit. */
static inline bool vxbi_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

static inline bool vxbi_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a + b;
    return *out >= a;
}

/* The environment's allocator, or malloc's where there is none. Objects keep a copy of it. */
struct vxb_allocator vxbi_allocator(const struct vxb_env *env);

/* count * size bytes, uninitialised or zeroed; NULL where that is zero, too much, or not to be had. Free with the same
 * count and size. */
void *vxbi_new(const struct vxb_allocator *allocator, uint64_t count, size_t size);
void *vxbi_new_zero(const struct vxb_allocator *allocator, uint64_t count, size_t size);
void *vxbi_resize(const struct vxb_allocator *allocator, void *block, uint64_t old_count, uint64_t new_count,
                  size_t size);
void vxbi_delete(const struct vxb_allocator *allocator, void *block, uint64_t count, size_t size);

/* An arena: many small blocks of one life, freed together. Zero it but for the allocator. */
struct vxbi_arena {
    struct vxb_allocator allocator;
    struct vxbi_arena_block *last;
};
void *vxbi_arena_new(struct vxbi_arena *arena, size_t size); /* zeroed, aligned for any object; NULL: no memory */
char *vxbi_arena_text(struct vxbi_arena *arena, const char *text, size_t size); /* copy with a terminator */
void vxbi_arena_clear(struct vxbi_arena *arena);

/* The environment's limit on what a file may make us allocate: max_memory_bytes, or 1 GiB. */
uint64_t vxbi_max_memory(const struct vxb_env *env);

#endif
