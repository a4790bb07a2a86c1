/* Makes fields of probe bricks. */
#include "make_probes.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/hash.h"
#include "probes/field.h"

struct vxb_probe_field *probes_field(const struct vxb_probe_region *bounds, const uint32_t cells[3],
                                     const uint32_t slots[3])
{
    struct vxb_probe_field *field = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_probe_field_new(NULL, bounds, cells, slots, &field, &err), VXB_OK), "%s", err.message);
    return field;
}

void probes_allocate(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size)
{
    cr_assert(eq(int, vxb_probe_field_allocate(field, region, size, NULL, NULL), VXB_OK));
}

void probes_refine(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size)
{
    cr_assert(eq(int, vxb_probe_field_refine(field, region, size, NULL, NULL), VXB_OK));
}

void probes_place(struct vxb_probe_field *field)
{
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_probe_field_place(field, &err), VXB_OK), "%s", err.message);
}

uint32_t probes_draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static struct vxb_probe_region random_region(const struct vxb_probe_region *in, uint32_t *state)
{
    struct vxb_probe_region region;
    for (int a = 0; a < 3; a++) {
        float side = in->max[a] - in->min[a];
        float low = (float)(probes_draw(state) % 1000) / 1000.0f, high = (float)(probes_draw(state) % 1000) / 1000.0f;
        region.min[a] = in->min[a] + side * (low < high ? low : high);
        region.max[a] = in->min[a] + side * (low < high ? high : low);
    }
    return region;
}

struct vxb_probe_field *probes_random(uint32_t seed, const uint32_t slots[3])
{
    uint32_t state = seed * 2654435761u + 12345u, cells[3];
    struct vxb_probe_region bounds;
    for (int a = 0; a < 3; a++) {
        cells[a] = 1 + probes_draw(&state) % 24;
        bounds.min[a] = (float)(int32_t)(probes_draw(&state) % 2000) * 0.37f - 400.0f;
        bounds.max[a] = bounds.min[a] + (float)cells[a] * (0.1f + (float)(probes_draw(&state) % 100) * 0.043f);
    }
    struct vxb_probe_field *field = probes_field(&bounds, cells, slots);
    for (uint32_t step = 0; step < 5; step++) {
        struct vxb_probe_region region = step == 4 ? bounds : random_region(&bounds, &state);
        uint32_t size = 1u << probes_draw(&state) % 5;
        if (step == 4 && seed % 3)
            break;
        if (step % 2)
            probes_refine(field, &region, size);
        else
            probes_allocate(field, &region, size);
    }
    probes_place(field);
    return field;
}

void probes_fill(struct vxb_probe_field *field,
                 struct vxb_probe (*of)(void *user, const struct vxb_brick *brick, const uint32_t at[3]), void *user)
{
    uint32_t count;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 64; k++) {
            const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
            const struct vxb_probe probe = of(user, &bricks[i], at);
            cr_assert(eq(int, vxb_probe_field_set(field, i, at, &probe, NULL), VXB_OK));
        }
}

static struct vxb_probe mixed(void *user, const struct vxb_brick *brick, const uint32_t at[3])
{
    uint32_t state = *(uint32_t *)user ^ brick->size * 977u;
    for (int a = 0; a < 3; a++)
        state = (state + 4 * brick->cell[a] + brick->size * at[a]) * 2246822519u + (state >> 13);
    struct vxb_probe probe = {.validity = 0.0f};
    if (probes_draw(&state) % 4 == 0)
        return probe;
    float *values = (float *)&probe;
    for (int k = 0; k < 12; k++)
        values[k] = (float)(int32_t)(probes_draw(&state) % 2048) / 256.0f - (k < 3 ? 0.0f : 4.0f);
    probe.validity = (float)(1 + probes_draw(&state) % 64) / 64.0f;
    probe.sun_shadow = (float)(probes_draw(&state) % 64) / 63.0f;
    return probe;
}

void probes_fill_mixed(struct vxb_probe_field *field, uint32_t seed)
{
    probes_fill(field, mixed, &seed);
}

static bool goes_up(const struct vxb_brick *a, const struct vxb_brick *b)
{
    for (int k = 2; k >= 0; k--)
        if (a->cell[k] != b->cell[k])
            return a->cell[k] < b->cell[k];
    return false;
}

void probes_check(const struct vxb_probe_field *field)
{
    static const struct vxb_probe empty;
    const struct vxb_probe_pool *pool = vxb_probe_field_pool(field);
    uint32_t count, cells[3], capacity = vxb_probe_pool_capacity(pool);
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    vxb_probe_field_cells(field, cells);
    cr_assert(eq(u32, count, vxb_probe_field_counts(field).bricks));
    cr_assert(eq(u32, count, vxb_probe_pool_count(pool)));
    struct vxb_probe_cell *rebuilt = calloc((size_t)cells[0] * cells[1] * cells[2], sizeof *rebuilt);
    bool *owned = calloc(capacity, 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct vxb_brick *b = &bricks[i];
        cr_assert(i == 0 || goes_up(b - 1, b), "brick %" PRIu32 " is out of order", i);
        cr_assert(lt(u32, b->slot, capacity));
        cr_assert(not(owned[b->slot]), "slot %" PRIu32 " is owned twice", b->slot);
        cr_assert(vxb_probe_pool_is_allocated(pool, b->slot));
        owned[b->slot] = true;
        cr_assert(b->size > 0 && (b->size & (b->size - 1)) == 0);
        for (int a = 0; a < 3; a++)
            cr_assert(b->cell[a] % b->size == 0 && b->cell[a] < cells[a]);
        for (uint32_t z = b->cell[2]; z < b->cell[2] + b->size && z < cells[2]; z++)
            for (uint32_t y = b->cell[1]; y < b->cell[1] + b->size && y < cells[1]; y++)
                for (uint32_t x = b->cell[0]; x < b->cell[0] + b->size && x < cells[0]; x++) {
                    struct vxb_probe_cell *cell = &rebuilt[((size_t)z * cells[1] + y) * cells[0] + x];
                    cr_assert(eq(u32, cell->size, 0), "cell %" PRIu32 " %" PRIu32 " %" PRIu32 " is in two bricks", x,
                              y, z);
                    *cell = (struct vxb_probe_cell){.slot = b->slot, .size = b->size};
                }
    }
    cr_assert(eq(int, memcmp(rebuilt, vxb_probe_field_indirection(field),
                             (size_t)cells[0] * cells[1] * cells[2] * sizeof *rebuilt), 0),
              "the indirection is not what the table says");
    for (uint32_t slot = 0; slot < capacity; slot++)
        for (uint32_t k = 0; k < VXB_BRICK_TEXELS && !owned[slot]; k++) {
            struct vxb_probe probe;
            const uint32_t at[3] = {k % 5, k / 5 % 5, k / 25};
            cr_assert(eq(int, vxb_probe_pool_get(pool, slot, at, &probe, NULL), VXB_OK));
            cr_assert(eq(int, memcmp(&probe, &empty, sizeof empty), 0), "free slot %" PRIu32 " is not empty", slot);
        }
    free(owned);
    free(rebuilt);
}

const struct vxb_probe *probes_texel(const struct vxb_probe_field *field, uint32_t brick, const uint32_t at[3])
{
    return vxbi_probe_pool_at(field->pool, field->table[brick].slot, at[0], at[1], at[2]);
}

uint64_t probes_hash(const struct vxb_probe_field *field)
{
    const struct vxb_probe_pool *pool = vxb_probe_field_pool(field);
    const size_t count = (size_t)vxb_probe_pool_capacity(pool) * VXB_BRICK_TEXELS;
    struct vxbi_hash_state state;
    vxbi_hash_begin(&state);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[14 * 4];
        for (int k = 0; k < 14; k++)
            vxbi_store_u32(bytes + 4 * k, vxbi_f32_bits(((const float *)&vxb_probe_pool_texels(pool)[i])[k]));
        vxbi_hash_add(&state, bytes, sizeof bytes);
    }
    return vxbi_hash_end(&state);
}
