/* PNG through stb_image_write, whose settings stay as compiled in: they are the bytes' only other input.
 *
 * stb takes memory for granted: without it, it asserts or writes through NULL. Here a failure leaves it by a jump, and
 * its blocks, which it has no chance to free then, are kept in a ring. The memory is malloc's, as stb has nowhere to
 * hand an allocator through. */
#include "png.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

struct block {
    struct block *next, *before;
    max_align_t data;
};

struct stb_memory {
    struct block ring;
    jmp_buf failed;
};

/* Of the call at work in this thread, and only while it is. */
static _Thread_local struct stb_memory *memory;

static void unlink_block(struct block *block)
{
    block->before->next = block->next;
    block->next->before = block->before;
}

static void *resize(void *data, size_t size)
{
    struct block *old = data ? (struct block *)(void *)((char *)data - offsetof(struct block, data)) : NULL;
    struct block *ring = &memory->ring;
    if (old)
        unlink_block(old);
    struct block *block = size < SIZE_MAX / 2 ? realloc(old, offsetof(struct block, data) + size) : NULL;
    struct block *link = block ? block : old;
    if (link) {
        link->next = ring->next;
        link->before = ring;
        ring->next->before = link;
        ring->next = link;
    }
    if (!block)
        longjmp(memory->failed, 1);
    return &block->data;
}

static void release(void *data)
{
    if (!data)
        return;
    struct block *block = (struct block *)(void *)((char *)data - offsetof(struct block, data));
    unlink_block(block);
    free(block);
}

#define STBIW_MALLOC(size) resize(NULL, size)
#define STBIW_REALLOC(data, size) resize(data, size)
#define STBIW_FREE(data) release(data)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#define PNG_SIDE_MAX 32768u
/* stb counts a picture's bytes in an int. */
#define PNG_BYTES_MAX (UINT64_C(1) << 30)

struct target {
    struct vxb_output *output;
    struct vxb_error *err;
    enum vxb_status status;
};

static void receive(void *user, void *data, int size)
{
    struct target *target = user;
    if (target->status == VXB_OK && size > 0)
        target->status = vxb_output_append(target->output, data, (size_t)size, target->err);
}

/* False where memory ran out. A function of its own: what it changes itself is lost in the jump. */
static bool write_png(struct target *target, uint32_t width, uint32_t height, const uint8_t *pixels)
{
    if (setjmp(memory->failed))
        return false;
    return stbi_write_png_to_func(receive, target, (int)width, (int)height, 3, pixels, (int)(width * 3)) != 0;
}

enum vxb_status vxbi_png_write_rgb(struct vxb_output *output, uint32_t width, uint32_t height, const uint8_t *pixels,
                                   struct vxb_error *err)
{
    struct target target = {.output = output, .err = err, .status = VXB_OK};
    uint64_t bytes = (uint64_t)width * height * 3;
    if (width == 0 || height == 0 || width > PNG_SIDE_MAX || height > PNG_SIDE_MAX || bytes > PNG_BYTES_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "a picture of %u x %u pixels can't be written: sides are 1..%u, 1 GiB in"
                         " all", width, height, PNG_SIDE_MAX);
    struct stb_memory own = {.ring = {.next = &own.ring, .before = &own.ring}};
    memory = &own;
    const bool written = write_png(&target, width, height, pixels);
    while (own.ring.next != &own.ring)
        release(&own.ring.next->data);
    memory = NULL;
    return written ? target.status : vxbi_fail_memory(err, bytes);
}
