/* The ring as an object: its slots, which cell has which, and what it answers. A slot is either free or bound to one
 *   cell; the free ones are a bit each, so the lowest is found by a scan that never starts before it. */
#include "ring.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/text.h"

/* ---- slots ---- */

static uint32_t free_words(uint32_t capacity)
{
    return (capacity + 63) / 64;
}

static void free_all(struct vxb_ring *ring)
{
    uint32_t words = free_words(ring->capacity);
    memset(ring->free, 0xFF, words * sizeof *ring->free);
    if (ring->capacity % 64)
        ring->free[words - 1] = ((uint64_t)1 << ring->capacity % 64) - 1;
    ring->free_word = 0;
}

uint32_t vxbi_ring_take_free(struct vxb_ring *ring)
{
    while (!ring->free[ring->free_word])
        ring->free_word++;
    uint64_t *word = &ring->free[ring->free_word];
    uint32_t slot = ring->free_word * 64 + (uint32_t)vxbi_ring_low(*word);
    *word &= *word - 1;
    return slot;
}

void vxbi_ring_put_free(struct vxb_ring *ring, uint32_t slot)
{
    ring->free[slot / 64] |= (uint64_t)1 << slot % 64;
    ring->free_word = slot / 64 < ring->free_word ? slot / 64 : ring->free_word;
}

/* ---- cell to slot ---- */

static uint32_t home(const struct vxb_ring *ring, int32_t x, int32_t z)
{
    uint64_t h = ((uint64_t)(uint32_t)z << 32 | (uint32_t)x) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32) & ring->table_mask;
}

/* Where the cell is, or the empty entry where it would be. */
static uint32_t place_of(const struct vxb_ring *ring, int32_t x, int32_t z)
{
    uint32_t i = home(ring, x, z);
    while (ring->table[i].slot_plus_1 && (ring->table[i].x != x || ring->table[i].z != z))
        i = (i + 1) & ring->table_mask;
    return i;
}

void vxbi_ring_bind(struct vxb_ring *ring, int32_t x, int32_t z, uint32_t slot)
{
    ring->table[place_of(ring, x, z)] = (struct vxbi_ring_entry){.x = x, .z = z, .slot_plus_1 = slot + 1};
    ring->count++;
}

uint32_t vxbi_ring_unbind(struct vxb_ring *ring, int32_t x, int32_t z)
{
    uint32_t hole = place_of(ring, x, z), slot = ring->table[hole].slot_plus_1 - 1;
    /* What follows moves up, so that no search stops at the hole. */
    for (uint32_t i = (hole + 1) & ring->table_mask; ring->table[i].slot_plus_1; i = (i + 1) & ring->table_mask) {
        uint32_t wanted = home(ring, ring->table[i].x, ring->table[i].z);
        if (((i - wanted) & ring->table_mask) >= ((i - hole) & ring->table_mask)) {
            ring->table[hole] = ring->table[i];
            hole = i;
        }
    }
    ring->table[hole].slot_plus_1 = 0;
    ring->count--;
    return slot;
}

/* ---- life ---- */

static uint32_t table_size(uint32_t capacity)
{
    uint32_t size = 16;
    while (size < 2 * capacity)
        size *= 2;
    return size;
}

static enum vxb_status check_new(const struct vxb_ring_grid *grid, uint32_t capacity, struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (capacity == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "the ring's capacity is 0; it needs at least one slot");
    if (capacity > VXB_RING_CAPACITY_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the ring's capacity is %" PRIu32 "; at most %d are allowed",
                         capacity, VXB_RING_CAPACITY_MAX);
    if (!isfinite(grid->cell_size))
        return vxbi_fail(err, VXB_ERR_USAGE, "the cell size is %s; it must be a number",
                         vxb_text_f32(grid->cell_size, text));
    if (grid->cell_size < 1.0f || grid->cell_size > 1024.0f)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the cell size is %s m; 1 to 1024 are allowed",
                         vxb_text_f32(grid->cell_size, text));
    return VXB_OK;
}

enum vxb_status vxb_ring_new(const struct vxb_env *env, const struct vxb_ring_grid *grid, uint32_t capacity,
                             struct vxb_ring **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_new(grid, capacity, err);
    if (status)
        return status;
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_ring *ring = vxbi_new_zero(&allocator, 1, sizeof *ring);
    if (!ring)
        return vxbi_fail_memory(err, sizeof *ring);
    uint32_t picks = capacity + VXBI_RING_SHELL;
    ring->allocator = allocator;
    ring->grid = *grid;
    ring->capacity = capacity;
    ring->hysteresis = VXB_RING_HYSTERESIS;
    ring->table_mask = table_size(capacity) - 1;
    ring->table = vxbi_new_zero(&allocator, (uint64_t)ring->table_mask + 1, sizeof *ring->table);
    ring->free = vxbi_new(&allocator, free_words(capacity), sizeof *ring->free);
    ring->created = vxbi_new(&allocator, capacity, sizeof *ring->created);
    ring->evicted = vxbi_new(&allocator, capacity, sizeof *ring->evicted);
    ring->wanted = vxbi_new(&allocator, picks, sizeof *ring->wanted);
    ring->farthest = vxbi_new(&allocator, picks, sizeof *ring->farthest);
    ring->swap = vxbi_new(&allocator, picks, sizeof *ring->swap);
    if (!ring->table || !ring->free || !ring->created || !ring->evicted || !ring->wanted || !ring->farthest ||
        !ring->swap) {
        vxb_ring_free(ring);
        return vxbi_fail_memory(err, (uint64_t)picks * 3 * sizeof *ring->wanted);
    }
    free_all(ring);
    ring->edge = -1.0f;
    *out = ring;
    return VXB_OK;
}

void vxb_ring_free(struct vxb_ring *ring)
{
    if (!ring)
        return;
    struct vxb_allocator allocator = ring->allocator;
    uint32_t capacity = ring->capacity, picks = capacity + VXBI_RING_SHELL;
    vxbi_ring_window_clear(ring);
    vxbi_delete(&allocator, ring->table, (uint64_t)ring->table_mask + 1, sizeof *ring->table);
    vxbi_delete(&allocator, ring->free, free_words(capacity), sizeof *ring->free);
    vxbi_delete(&allocator, ring->created, capacity, sizeof *ring->created);
    vxbi_delete(&allocator, ring->evicted, capacity, sizeof *ring->evicted);
    vxbi_delete(&allocator, ring->wanted, picks, sizeof *ring->wanted);
    vxbi_delete(&allocator, ring->farthest, picks, sizeof *ring->farthest);
    vxbi_delete(&allocator, ring->swap, picks, sizeof *ring->swap);
    vxbi_delete(&allocator, ring, 1, sizeof *ring);
}

void vxb_ring_clear(struct vxb_ring *ring)
{
    memset(ring->table, 0, ((size_t)ring->table_mask + 1) * sizeof *ring->table);
    free_all(ring);
    ring->strip_count = 0;
    ring->count = ring->refused = ring->created_count = ring->evicted_count = 0;
    ring->edge = -1.0f;
    ring->settled = false;
}

/* ---- answers ---- */

const struct vxb_ring_grid *vxb_ring_grid(const struct vxb_ring *ring)
{
    return &ring->grid;
}

uint32_t vxb_ring_capacity(const struct vxb_ring *ring)
{
    return ring->capacity;
}

uint32_t vxb_ring_count(const struct vxb_ring *ring)
{
    return ring->count;
}

float vxb_ring_hysteresis(const struct vxb_ring *ring)
{
    return ring->hysteresis;
}

enum vxb_status vxb_ring_set_hysteresis(struct vxb_ring *ring, float hysteresis, struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!isfinite(hysteresis))
        return vxbi_fail(err, VXB_ERR_USAGE, "the hysteresis is %s; it must be a number",
                         vxb_text_f32(hysteresis, text));
    if (fabsf(hysteresis) > (float)VXB_RING_HYSTERESIS_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the hysteresis is %s; -%d to %d are allowed",
                         vxb_text_f32(hysteresis, text), VXB_RING_HYSTERESIS_MAX, VXB_RING_HYSTERESIS_MAX);
    ring->settled = ring->settled && ring->hysteresis == hysteresis;
    ring->hysteresis = hysteresis;
    return VXB_OK;
}

uint32_t vxb_ring_refused(const struct vxb_ring *ring)
{
    return ring->refused;
}

bool vxb_ring_try_slot(const struct vxb_ring *ring, int32_t cell_x, int32_t cell_z, uint32_t *slot)
{
    const struct vxbi_ring_entry *entry = &ring->table[place_of(ring, cell_x, cell_z)];
    if (!entry->slot_plus_1)
        return false;
    *slot = entry->slot_plus_1 - 1;
    return true;
}

uint32_t vxb_ring_resident(const struct vxb_ring *ring, struct vxb_ring_slot *out, uint32_t room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ring->strip_count && n < room; i++)
        for (uint64_t rest = ring->strips[i].resident; rest && n < room; rest &= rest - 1) {
            struct vxb_ring_slot *slot = &out[n++];
            slot->cell_x = ring->strips[i].word * 64 + vxbi_ring_low(rest);
            slot->cell_z = ring->strips[i].z;
            vxb_ring_try_slot(ring, slot->cell_x, slot->cell_z, &slot->slot);
        }
    return ring->count;
}

float vxb_ring_distance(const struct vxb_ring_grid *grid, int32_t cell_x, int32_t cell_z, const float position[2])
{
    float size = grid->cell_size;
    if (floorf(position[0] / size) == (float)cell_x && floorf(position[1] / size) == (float)cell_z)
        return 0.0f;
    return sqrtf(vxbi_ring_axis2(position[0], cell_x, size) + vxbi_ring_axis2(position[1], cell_z, size));
}

/* ---- an update's arguments ---- */

static enum vxb_status check_view(const float view[3], float range, struct vxb_error *err)
{
    static const char *const names[3] = {"x", "y", "z"};
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int i = 0; i < 3; i++) {
        if (!isfinite(view[i]))
            return vxbi_fail(err, VXB_ERR_USAGE, "the view's %s is %s; it must be a number", names[i],
                             vxb_text_f32(view[i], text));
        if (fabsf(view[i]) > (float)VXB_RING_RANGE_MAX)
            return vxbi_fail(err, VXB_ERR_LIMIT, "the view's %s is %s m; -%d to %d are allowed", names[i],
                             vxb_text_f32(view[i], text), VXB_RING_RANGE_MAX, VXB_RING_RANGE_MAX);
    }
    if (!isfinite(range) || range < 0.0f)
        return vxbi_fail(err, VXB_ERR_USAGE, "the range is %s m; it must be a number and not below 0",
                         vxb_text_f32(range, text));
    if (range > (float)VXB_RING_RANGE_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the range is %s m; at most %d is allowed", vxb_text_f32(range, text),
                         VXB_RING_RANGE_MAX);
    return VXB_OK;
}

static void tell(const struct vxb_ring *ring, uint32_t deferred, struct vxb_ring_change *out)
{
    if (out)
        *out = (struct vxb_ring_change){.created = ring->created, .evicted = ring->evicted,
                                        .created_count = ring->created_count, .evicted_count = ring->evicted_count,
                                        .refused = ring->refused, .deferred = deferred};
}

enum vxb_status vxb_ring_update_some(struct vxb_ring *ring, const float view[3], float range, uint32_t most_created,
                                     struct vxb_ring_change *out, struct vxb_error *err)
{
    enum vxb_status status = check_view(view, range, err);
    if (status)
        return status;
    if (ring->settled && ring->settled_view[0] == view[0] && ring->settled_view[1] == view[2] &&
        ring->settled_range == range && (most_created > 0 || ring->refused == 0)) {
        ring->created_count = ring->evicted_count = 0;
        tell(ring, 0, out);
        return VXB_OK;
    }
    if ((status = vxbi_ring_window_place(ring, view, range, err)) != VXB_OK)
        return status;
    uint32_t deferred = vxbi_ring_advance(ring, view, range, most_created);
    /* One that took slots from other cells refuses those cells the next time. */
    ring->settled = deferred == 0 && ring->created_count == 0 && ring->evicted_count == 0;
    ring->settled_view[0] = view[0];
    ring->settled_view[1] = view[2];
    ring->settled_range = range;
    tell(ring, deferred, out);
    return VXB_OK;
}

enum vxb_status vxb_ring_update(struct vxb_ring *ring, const float view[3], float range, struct vxb_ring_change *out,
                                struct vxb_error *err)
{
    return vxb_ring_update_some(ring, view, range, UINT32_MAX, out, err);
}
