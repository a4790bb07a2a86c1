/* Flip, then transpose: the one place that knows what they mean. x runs along a row, z from the top row down. */
#include <string.h>

#include "ground.h"

#define TILE 32u

static void swap_samples(uint8_t *a, uint8_t *b, size_t size)
{
    uint8_t t = *a;
    *a = *b;
    *b = t;
    if (size == 2) {
        t = a[1];
        a[1] = b[1];
        b[1] = t;
    }
}

static void flip_x(uint8_t *samples, size_t size, uint32_t width, uint32_t height)
{
    for (uint32_t z = 0; z < height; z++) {
        uint8_t *a = samples + (size_t)z * width * size, *b = a + (size_t)(width - 1) * size;
        for (; a < b; a += size, b -= size)
            swap_samples(a, b, size);
    }
}

static void flip_z(uint8_t *samples, size_t size, uint32_t width, uint32_t height)
{
    for (uint32_t z = 0; z < height / 2; z++) {
        uint8_t *a = samples + (size_t)z * width * size, *b = samples + (size_t)(height - 1 - z) * width * size;
        for (uint32_t x = 0; x < width; x++, a += size, b += size)
            swap_samples(a, b, size);
    }
}

static void transpose_square(uint8_t *samples, size_t size, uint32_t side)
{
    for (uint32_t tz = 0; tz < side; tz += TILE)
        for (uint32_t tx = tz; tx < side; tx += TILE)
            for (uint32_t z = tz; z < side && z < tz + TILE; z++)
                for (uint32_t x = tx > z ? tx : z + 1; x < side && x < tx + TILE; x++)
                    swap_samples(samples + ((size_t)z * side + x) * size, samples + ((size_t)x * side + z) * size,
                                 size);
}

static void transpose_into(uint8_t *out, const uint8_t *samples, size_t size, uint32_t width, uint32_t height)
{
    for (uint32_t tz = 0; tz < height; tz += TILE)
        for (uint32_t tx = 0; tx < width; tx += TILE)
            for (uint32_t z = tz; z < height && z < tz + TILE; z++)
                for (uint32_t x = tx; x < width && x < tx + TILE; x++)
                    memcpy(out + ((size_t)x * height + z) * size, samples + ((size_t)z * width + x) * size, size);
}

void *vxbi_turn(const struct vxb_allocator *allocator, enum vxb_flip flip, bool transpose, size_t sample_size,
                void *samples, uint32_t *width, uint32_t *height)
{
    uint32_t w = *width, h = *height;
    if (flip == VXB_FLIP_X || flip == VXB_FLIP_XZ)
        flip_x(samples, sample_size, w, h);
    if (flip == VXB_FLIP_Z || flip == VXB_FLIP_XZ)
        flip_z(samples, sample_size, w, h);
    if (!transpose)
        return samples;
    if (w == h) {
        transpose_square(samples, sample_size, w);
        return samples;
    }
    uint64_t count = (uint64_t)w * h;
    uint8_t *out = vxbi_new(allocator, count, sample_size);
    if (!out)
        return NULL;
    transpose_into(out, samples, sample_size, w, h);
    vxbi_delete(allocator, samples, count, sample_size);
    *width = h;
    *height = w;
    return out;
}

uint8_t *vxbi_turn_bits(const struct vxb_allocator *allocator, enum vxb_flip flip, bool transpose, uint8_t *bits,
                        uint32_t width, uint32_t height)
{
    uint64_t count = (uint64_t)width * height, bytes = vxbi_hole_bytes(count);
    uint8_t *out = vxbi_new_zero(allocator, bytes, 1);
    if (!out)
        return NULL;
    for (uint64_t i = 0; i < count; i++) {
        if (!(bits[i >> 3] >> (i & 7) & 1))
            continue;
        uint32_t x = (uint32_t)(i % width), z = (uint32_t)(i / width);
        if (flip == VXB_FLIP_X || flip == VXB_FLIP_XZ)
            x = width - 1 - x;
        if (flip == VXB_FLIP_Z || flip == VXB_FLIP_XZ)
            z = height - 1 - z;
        uint64_t to = transpose ? (uint64_t)x * height + z : (uint64_t)z * width + x;
        out[to >> 3] = (uint8_t)(out[to >> 3] | 1u << (to & 7));
    }
    vxbi_delete(allocator, bits, bytes, 1);
    return out;
}
