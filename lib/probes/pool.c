/* The pool: which slots are handed out, and the texels of all. Free slots are a stack, so that a released one is the
 * next handed out, and on a fresh pool slot 0 is the first. */
#include "pool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "vxk_probe.h"

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"

_Static_assert(sizeof(struct vxb_probe) == VXK_PROBE_FLOATS * sizeof(float), "a texel is its floats and nothing else");

/* ---- life ---- */

enum vxb_status vxbi_probe_slots_check(const uint32_t slots[3], uint32_t *capacity, struct vxb_error *err)
{
    uint64_t all = 1;
    bool fits = true;
    for (int a = 0; a < 3; a++) {
        if (slots[a] == 0)
            return vxbi_fail(err, VXB_ERR_USAGE, "the pool has 0 slots along %c; it needs at least 1", "xyz"[a]);
        fits = fits && vxbi_mul_u64(all, slots[a], &all);
    }
    if (!fits || all > VXB_PROBE_SLOTS_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the pool has %" PRIu32 " x %" PRIu32 " x %" PRIu32
                         " slots; at most 1048576 in all are allowed", slots[0], slots[1], slots[2]);
    *capacity = (uint32_t)all;
    return VXB_OK;
}

uint32_t vxbi_probe_cube_side(uint32_t count)
{
    uint32_t side = 0;
    while ((uint64_t)side * side * side < count)
        side++;
    return side;
}

static void free_every_slot(struct vxb_probe_pool *pool)
{
    for (uint32_t i = 0; i < pool->capacity; i++)
        pool->free[i] = pool->capacity - 1 - i;
    memset(pool->allocated, 0, pool->capacity);
    pool->count = 0;
}

enum vxb_status vxb_probe_pool_new(const struct vxb_env *env, const uint32_t slots[3], struct vxb_probe_pool **out,
                                   struct vxb_error *err)
{
    uint32_t capacity;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_probe_slots_check(slots, &capacity, err);
    if (status)
        return status;
    const uint64_t texels = (uint64_t)capacity * VXB_BRICK_TEXELS, bytes = texels * sizeof(struct vxb_probe);
    if (bytes > vxbi_max_memory(env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(env), "a pool of %" PRIu32 " slots takes %" PRIu64 " bytes",
                                    capacity, bytes);
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_probe_pool *pool = vxbi_new_zero(&allocator, 1, sizeof *pool);
    if (!pool)
        return vxbi_fail_memory(err, sizeof *pool);
    pool->allocator = allocator;
    memcpy(pool->slots, slots, sizeof pool->slots);
    pool->capacity = capacity;
    pool->texels = vxbi_new_zero(&allocator, texels, sizeof *pool->texels);
    pool->free = vxbi_new(&allocator, capacity, sizeof *pool->free);
    pool->allocated = vxbi_new(&allocator, capacity, 1);
    if (!pool->texels || !pool->free || !pool->allocated) {
        vxb_probe_pool_free(pool);
        return vxbi_fail_memory(err, bytes);
    }
    free_every_slot(pool);
    *out = pool;
    return VXB_OK;
}

enum vxb_status vxb_probe_pool_of_capacity(const struct vxb_env *env, uint32_t capacity, struct vxb_probe_pool **out,
                                           struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    if (capacity == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "the pool's capacity is 0; it needs at least one slot");
    if (capacity > VXB_PROBE_SLOTS_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the pool's capacity is %" PRIu32 "; at most 1048576 are allowed",
                         capacity);
    const uint32_t side = vxbi_probe_cube_side(capacity);
    return vxb_probe_pool_new(env, (const uint32_t[3]){side, side, side}, out, err);
}

void vxb_probe_pool_free(struct vxb_probe_pool *pool)
{
    if (!pool)
        return;
    struct vxb_allocator allocator = pool->allocator;
    const uint32_t capacity = pool->capacity;
    vxbi_delete(&allocator, pool->texels, (uint64_t)capacity * VXB_BRICK_TEXELS, sizeof *pool->texels);
    vxbi_delete(&allocator, pool->free, capacity, sizeof *pool->free);
    vxbi_delete(&allocator, pool->allocated, capacity, 1);
    vxbi_delete(&allocator, pool, 1, sizeof *pool);
}

/* ---- slots ---- */

void vxb_probe_pool_slots(const struct vxb_probe_pool *pool, uint32_t slots[3])
{
    memcpy(slots, pool->slots, sizeof pool->slots);
}

void vxb_probe_pool_texel_resolution(const struct vxb_probe_pool *pool, uint32_t resolution[3])
{
    for (int a = 0; a < 3; a++)
        resolution[a] = pool->slots[a] * VXB_BRICK_PADDED_RESOLUTION;
}

uint32_t vxb_probe_pool_capacity(const struct vxb_probe_pool *pool)
{
    return pool->capacity;
}

uint32_t vxb_probe_pool_count(const struct vxb_probe_pool *pool)
{
    return pool->count;
}

bool vxb_probe_pool_try_allocate(struct vxb_probe_pool *pool, uint32_t *slot)
{
    if (pool->count == pool->capacity)
        return false;
    *slot = pool->free[pool->capacity - ++pool->count];
    pool->allocated[*slot] = 1;
    return true;
}

bool vxb_probe_pool_is_allocated(const struct vxb_probe_pool *pool, uint32_t slot)
{
    return slot < pool->capacity && pool->allocated[slot];
}

static enum vxb_status check_slot(const struct vxb_probe_pool *pool, uint32_t slot, struct vxb_error *err)
{
    if (slot >= pool->capacity)
        return vxbi_fail(err, VXB_ERR_USAGE, "slot %" PRIu32 " is not one of the pool's %" PRIu32, slot,
                         pool->capacity);
    return VXB_OK;
}

static enum vxb_status check_allocated(const struct vxb_probe_pool *pool, uint32_t slot, struct vxb_error *err)
{
    enum vxb_status status = check_slot(pool, slot, err);
    if (!status && !pool->allocated[slot])
        return vxbi_fail(err, VXB_ERR_USAGE, "slot %" PRIu32 " is free", slot);
    return status;
}

enum vxb_status vxb_probe_pool_release(struct vxb_probe_pool *pool, uint32_t slot, struct vxb_error *err)
{
    enum vxb_status status = check_allocated(pool, slot, err);
    if (status)
        return status;
    for (uint32_t z = 0; z < VXB_BRICK_PADDED_RESOLUTION; z++)
        for (uint32_t y = 0; y < VXB_BRICK_PADDED_RESOLUTION; y++)
            memset(vxbi_probe_pool_at(pool, slot, 0, y, z), 0, VXB_BRICK_PADDED_RESOLUTION * sizeof *pool->texels);
    pool->allocated[slot] = 0;
    pool->free[pool->capacity - pool->count--] = slot;
    return VXB_OK;
}

void vxb_probe_pool_clear(struct vxb_probe_pool *pool)
{
    memset(pool->texels, 0, (size_t)pool->capacity * VXB_BRICK_TEXELS * sizeof *pool->texels);
    free_every_slot(pool);
}

void vxbi_probe_pool_claim(struct vxb_probe_pool *pool, uint32_t slot)
{
    pool->allocated[slot] = 1;
    pool->count++;
}

void vxbi_probe_pool_settle(struct vxb_probe_pool *pool)
{
    uint32_t n = 0;
    for (uint32_t slot = pool->capacity; slot-- > 0;)
        if (!pool->allocated[slot])
            pool->free[n++] = slot;
}

/* ---- texels ---- */

struct vxb_probe *vxbi_probe_pool_at(struct vxb_probe_pool *pool, uint32_t slot, uint32_t x, uint32_t y, uint32_t z)
{
    return &pool->texels[vxk_probe_texel(pool->slots, slot, x, y, z)];
}

enum vxb_status vxb_probe_pool_origin(const struct vxb_probe_pool *pool, uint32_t slot, uint32_t origin[3],
                                      struct vxb_error *err)
{
    enum vxb_status status = check_slot(pool, slot, err);
    if (status)
        return status;
    origin[0] = VXB_BRICK_PADDED_RESOLUTION * (slot % pool->slots[0]);
    origin[1] = VXB_BRICK_PADDED_RESOLUTION * (slot / pool->slots[0] % pool->slots[1]);
    origin[2] = VXB_BRICK_PADDED_RESOLUTION * (slot / pool->slots[0] / pool->slots[1]);
    return VXB_OK;
}

const struct vxb_probe *vxb_probe_pool_texels(const struct vxb_probe_pool *pool)
{
    return pool->texels;
}

static enum vxb_status check_at(const uint32_t at[3], uint32_t end, struct vxb_error *err)
{
    for (int a = 0; a < 3; a++) {
        if (at[a] < end)
            continue;
        if (at[a] == VXB_BRICK_RESOLUTION)
            return vxbi_fail(err, VXB_ERR_USAGE,
                             "%c is 4, on the border, which is a copy of the neighbour's probe; set that one, at 0 "
                             "of the neighbour", "xyz"[a]);
        return vxbi_fail(err, VXB_ERR_USAGE, "%c is %" PRIu32 "; 0 to %" PRIu32 " are allowed", "xyz"[a], at[a],
                         end - 1);
    }
    return VXB_OK;
}

enum vxb_status vxb_probe_pool_get(const struct vxb_probe_pool *pool, uint32_t slot, const uint32_t at[3],
                                   struct vxb_probe *probe, struct vxb_error *err)
{
    enum vxb_status status = check_slot(pool, slot, err);
    if (!status)
        status = check_at(at, VXB_BRICK_PADDED_RESOLUTION, err);
    if (!status)
        *probe = pool->texels[vxk_probe_texel(pool->slots, slot, at[0], at[1], at[2])];
    return status;
}

enum vxb_status vxb_probe_pool_set(struct vxb_probe_pool *pool, uint32_t slot, const uint32_t at[3],
                                   const struct vxb_probe *probe, struct vxb_error *err)
{
    enum vxb_status status = check_allocated(pool, slot, err);
    if (!status)
        status = check_at(at, VXB_BRICK_RESOLUTION, err);
    if (status)
        return status;
    const float *values = (const float *)probe;
    for (uint32_t k = 0; k < VXK_PROBE_FLOATS; k++)
        if (!isfinite(values[k]))
            return vxbi_fail(err, VXB_ERR_USAGE, "value %" PRIu32 " of the probe is not finite", k);
    *vxbi_probe_pool_at(pool, slot, at[0], at[1], at[2]) = *probe;
    return VXB_OK;
}

enum vxb_status vxb_probe_pool_sample(const struct vxb_probe_pool *pool, uint32_t slot, const float local[3],
                                      struct vxb_probe *probe, struct vxb_error *err)
{
    enum vxb_status status = check_slot(pool, slot, err);
    if (status)
        return status;
    const struct vxk_probes probes = {.texels = (const float *)pool->texels,
                                      .slots = {pool->slots[0], pool->slots[1], pool->slots[2]}};
    vxk_probe_sample(&probes, slot, local, (float *)probe);
    return VXB_OK;
}

enum vxb_status vxb_probe_pool_texture_coordinate(const struct vxb_probe_pool *pool, uint32_t slot,
                                                  const float local[3], float coordinate[3], struct vxb_error *err)
{
    uint32_t origin[3];
    enum vxb_status status = vxb_probe_pool_origin(pool, slot, origin, err);
    for (int a = 0; a < 3 && !status; a++)
        coordinate[a] = ((float)origin[a] + 0.5f + vxk_probe_unit(local[a]) * (float)VXB_BRICK_RESOLUTION) /
                        (float)(pool->slots[a] * VXB_BRICK_PADDED_RESOLUTION);
    return status;
}

void vxb_probe_irradiance(const struct vxb_probe *probe, const float normal[3], float irradiance[3])
{
    vxk_probe_irradiance((const float *)probe, normal, irradiance);
}
