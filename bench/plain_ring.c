/* See plain_ring.h. Residents are one array by (z, x), walked beside the cells. */
#include "plain_ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    float distance;
    struct vxb_ring_slot at;
};

struct plain_ring {
    struct vxb_ring_grid grid;
    uint32_t capacity, count;
    float hysteresis;
    bool *used;
    struct vxb_ring_slot *resident, *created, *evicted;
    struct cell *wanted, *farthest;
    size_t wanted_room;
};

static void *must_have(void *block)
{
    if (!block)
        abort();
    return block;
}

struct plain_ring *plain_ring_new(const struct vxb_ring_grid *grid, uint32_t capacity, float hysteresis)
{
    struct plain_ring *ring = must_have(calloc(1, sizeof *ring));
    ring->grid = *grid;
    ring->capacity = capacity;
    ring->hysteresis = hysteresis;
    ring->used = must_have(calloc(capacity, sizeof *ring->used));
    ring->resident = must_have(calloc(capacity, sizeof *ring->resident));
    ring->created = must_have(calloc(capacity, sizeof *ring->created));
    ring->evicted = must_have(calloc(capacity, sizeof *ring->evicted));
    ring->farthest = must_have(calloc(capacity, sizeof *ring->farthest));
    return ring;
}

void plain_ring_free(struct plain_ring *ring)
{
    free(ring->used);
    free(ring->resident);
    free(ring->created);
    free(ring->evicted);
    free(ring->farthest);
    free(ring->wanted);
    free(ring);
}

/* The rule's own words, so that the library's arithmetic is compared too and not only its bookkeeping. */
static float beside(float view, int32_t cell, float cell_size)
{
    float low = (float)cell * cell_size, high = low + cell_size;
    return view < low ? low - view : view > high ? view - high : 0.0f;
}

static float distance_to(const struct plain_ring *ring, int32_t x, int32_t z, const float position[2])
{
    float size = ring->grid.cell_size, dx = beside(position[0], x, size), dz = beside(position[1], z, size);
    bool here = floorf(position[0] / size) == (float)x && floorf(position[1] / size) == (float)z;
    return here ? 0.0f : sqrtf(dx * dx + dz * dz);
}

static int by_place(const void *a, const void *b)
{
    const struct vxb_ring_slot *x = a, *y = b;
    if (x->cell_z != y->cell_z)
        return x->cell_z < y->cell_z ? -1 : 1;
    return (x->cell_x > y->cell_x) - (x->cell_x < y->cell_x);
}

static int by_distance(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->distance < y->distance || x->distance > y->distance)
        return x->distance < y->distance ? -1 : 1;
    return by_place(&x->at, &y->at);
}

static void evict_far(struct plain_ring *ring, const float position[2], float keep, uint32_t *evicted)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ring->count; i++) {
        struct vxb_ring_slot cell = ring->resident[i];
        if (distance_to(ring, cell.cell_x, cell.cell_z, position) > keep) {
            ring->used[cell.slot] = false;
            ring->evicted[(*evicted)++] = cell;
        } else {
            ring->resident[kept++] = cell;
        }
    }
    ring->count = kept;
}

static size_t find_wanted(struct plain_ring *ring, const float position[2], float range)
{
    float size = ring->grid.cell_size;
    int32_t x0 = (int32_t)floorf((position[0] - range) / size), x1 = (int32_t)floorf((position[0] + range) / size);
    int32_t z0 = (int32_t)floorf((position[1] - range) / size), z1 = (int32_t)floorf((position[1] + range) / size);
    size_t most = (size_t)(x1 - x0 + 1) * (size_t)(z1 - z0 + 1), n = 0;
    uint32_t next = 0;
    if (most > ring->wanted_room) {
        ring->wanted = must_have(realloc(ring->wanted, most * sizeof *ring->wanted));
        ring->wanted_room = most;
    }
    for (int32_t z = z0; z <= z1; z++)
        for (int32_t x = x0; x <= x1; x++) {
            struct cell cell = {.distance = distance_to(ring, x, z, position), .at = {x, z, 0}};
            while (next < ring->count && by_place(&ring->resident[next], &cell.at) < 0)
                next++;
            bool resident = next < ring->count && by_place(&ring->resident[next], &cell.at) == 0;
            if (!resident && cell.distance <= range && (!ring->grid.holds || ring->grid.holds(ring->grid.user, x, z)))
                ring->wanted[n++] = cell;
        }
    qsort(ring->wanted, n, sizeof *ring->wanted, by_distance);
    return n;
}

static void sort_residents(struct plain_ring *ring, const float position[2])
{
    for (uint32_t i = 0; i < ring->count; i++) {
        struct vxb_ring_slot cell = ring->resident[i];
        ring->farthest[i] = (struct cell){distance_to(ring, cell.cell_x, cell.cell_z, position), cell};
    }
    qsort(ring->farthest, ring->count, sizeof *ring->farthest, by_distance);
}

void plain_ring_update(struct plain_ring *ring, const float view[3], float range, uint32_t most_created,
                       struct vxb_ring_change *out)
{
    const float position[2] = {view[0], view[2]};
    uint32_t created = 0, evicted = 0, slot = 0;
    evict_far(ring, position, range * (1.0f + fmaxf(ring->hysteresis, 0.0f)), &evicted);
    size_t wanted = find_wanted(ring, position, range);
    sort_residents(ring, position);
    uint32_t left = ring->count, taken = 0;
    for (size_t i = 0; i < wanted && created < most_created; i++) {
        struct vxb_ring_slot cell = ring->wanted[i].at;
        if (ring->count + created - taken < ring->capacity) {
            while (ring->used[slot])
                slot++;
            cell.slot = slot;
            ring->used[slot] = true;
        } else if (left > 0 && ring->farthest[left - 1].distance > ring->wanted[i].distance) {
            ring->evicted[evicted++] = ring->farthest[--left].at;
            cell.slot = ring->farthest[left].at.slot;
            taken++;
        } else {
            break;
        }
        ring->created[created++] = cell;
    }
    ring->count = 0;
    for (uint32_t i = 0; i < left; i++)
        ring->resident[ring->count++] = ring->farthest[i].at;
    for (uint32_t i = 0; i < created; i++)
        ring->resident[ring->count++] = ring->created[i];
    qsort(ring->resident, ring->count, sizeof *ring->resident, by_place);
    qsort(ring->evicted, evicted, sizeof *ring->evicted, by_place);
    uint32_t rest = (uint32_t)(wanted - created);
    *out = (struct vxb_ring_change){.created = ring->created, .evicted = ring->evicted, .created_count = created,
                                    .evicted_count = evicted, .refused = created == most_created ? 0 : rest,
                                    .deferred = created == most_created ? rest : 0};
}

void plain_ring_clear(struct plain_ring *ring)
{
    memset(ring->used, 0, ring->capacity * sizeof *ring->used);
    ring->count = 0;
}

void plain_ring_set_hysteresis(struct plain_ring *ring, float hysteresis)
{
    ring->hysteresis = hysteresis;
}

const struct vxb_ring_slot *plain_ring_resident(const struct plain_ring *ring, uint32_t *count)
{
    *count = ring->count;
    return ring->resident;
}
