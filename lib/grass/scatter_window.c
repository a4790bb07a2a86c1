/* Filling windows. Where a row lies inside the grid, and nearly all do, the loop over it clamps nothing. */
#include "scatter_window.h"

#include "vxk_portable.h"

void vxbi_window_free(const struct vxb_allocator *allocator, struct vxbi_window_room *room)
{
    vxbi_delete(allocator, room->words, room->room, sizeof *room->words);
    *room = (struct vxbi_window_room){0};
}

static bool open_window(const struct vxb_allocator *allocator, struct vxbi_window_room *room, const struct vxbi_rect *r,
                        uint64_t candidates, struct vxbi_window *out)
{
    const uint64_t samples = vxbi_rect_samples(r);
    if (samples > 4 * candidates + 1024 || samples > INT32_MAX)
        return false;
    if (samples > room->room) {
        vxbi_window_free(allocator, room);
        room->words = vxbi_new(allocator, samples, sizeof *room->words);
        if (!room->words)
            return false;
        room->room = samples;
    }
    *out = (struct vxbi_window){.words = room->words, .x0 = r->x0, .z0 = r->z0, .stride = r->x1 - r->x0 + 1};
    return true;
}

bool vxbi_window_heights(const struct vxb_allocator *allocator, struct vxbi_window_room *room,
                         const struct vxbi_rect *r, uint64_t candidates, const uint16_t *heights, int32_t last_x,
                         int32_t last_z, struct vxbi_window *out)
{
    if (!open_window(allocator, room, r, candidates, out))
        return false;
    const bool inside = r->x0 >= 0 && r->x1 < last_x;
    const size_t width = (size_t)last_x + 1, count = (size_t)out->stride;
    uint32_t *restrict to = room->words;
    for (int32_t z = r->z0; z <= r->z1; z++, to += count) {
        const uint16_t *restrict row = heights + (size_t)vxk_clamp_index(z, last_z) * width;
        for (size_t i = 0; inside && i < count; i++)
            to[i] = row[(size_t)r->x0 + i] | (uint32_t)row[(size_t)r->x0 + i + 1] << 16;
        for (int32_t x = r->x0; !inside && x <= r->x1; x++)
            to[x - r->x0] = row[vxk_clamp_index(x, last_x)] | (uint32_t)row[vxk_clamp_index(x + 1, last_x)] << 16;
    }
    return true;
}

bool vxbi_window_holes(const struct vxb_allocator *allocator, struct vxbi_window_room *room, const struct vxbi_rect *r,
                       uint64_t candidates, const uint8_t *holes, int32_t last_x, int32_t last_z,
                       struct vxbi_window *out)
{
    if (!open_window(allocator, room, r, candidates, out))
        return false;
    const size_t width = (size_t)last_x + 1;
    uint32_t *to = room->words;
    for (int32_t z = r->z0; z <= r->z1; z++) {
        const size_t low_row = (size_t)vxk_clamp_index(z, last_z) * width;
        const size_t high_row = (size_t)vxk_clamp_index(z + 1, last_z) * width;
        uint32_t left = 0;
        for (int32_t x = r->x0 - 1; x <= r->x1; x++) {
            const size_t column = (size_t)vxk_clamp_index(x + 1, last_x);
            const size_t low = low_row + column, high = high_row + column;
            const uint32_t right = (uint32_t)(holes[low >> 3] >> (low & 7) | holes[high >> 3] >> (high & 7)) & 1u;
            if (x >= r->x0)
                *to++ = left | right;
            left = right;
        }
    }
    return true;
}

bool vxbi_window_map(const struct vxb_allocator *allocator, struct vxbi_window_room *room, const struct vxbi_rect *r,
                     uint64_t candidates, const uint8_t *samples, int32_t last_x, int32_t last_z,
                     struct vxbi_window *out)
{
    if (!open_window(allocator, room, r, candidates, out))
        return false;
    const bool inside = r->x0 >= 0 && r->x1 < last_x;
    const size_t width = (size_t)last_x + 1, count = (size_t)out->stride;
    uint32_t *restrict to = room->words;
    for (int32_t z = r->z0; z <= r->z1; z++, to += count) {
        const uint8_t *restrict low = samples + (size_t)vxk_clamp_index(z, last_z) * width;
        const uint8_t *restrict high = samples + (size_t)vxk_clamp_index(z + 1, last_z) * width;
        for (size_t i = 0; inside && i < count; i++) {
            const size_t x = (size_t)r->x0 + i;
            to[i] = low[x] | (uint32_t)low[x + 1] << 8 | (uint32_t)high[x] << 16 | (uint32_t)high[x + 1] << 24;
        }
        for (int32_t x = r->x0; !inside && x <= r->x1; x++) {
            const int32_t a = vxk_clamp_index(x, last_x), b = vxk_clamp_index(x + 1, last_x);
            to[x - r->x0] = low[a] | (uint32_t)low[b] << 8 | (uint32_t)high[a] << 16 | (uint32_t)high[b] << 24;
        }
    }
    return true;
}
