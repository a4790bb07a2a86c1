/* The distance ring: its named behaviours, the engine's own walks, random walks against the rule written plainly. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/plain_ring.h"
#include "heap.h"
#include "recipe/json.h"
#include "vxbake/ring.h"

static struct vxb_ring *ring_of(float cell_size, uint32_t capacity)
{
    struct vxb_ring *ring = NULL;
    struct vxb_error err = {0};
    const struct vxb_ring_grid grid = {.cell_size = cell_size};
    cr_assert(eq(int, vxb_ring_new(NULL, &grid, capacity, &ring, &err), VXB_OK), "%s", err.message);
    return ring;
}

static struct vxb_ring_change step(struct vxb_ring *ring, float x, float z, float range)
{
    struct vxb_ring_change change;
    struct vxb_error err = {0};
    const float view[3] = {x, 0.0f, z};
    cr_assert(eq(int, vxb_ring_update(ring, view, range, &change, &err), VXB_OK), "%s", err.message);
    return change;
}

static bool is_resident(const struct vxb_ring *ring, int32_t x, int32_t z)
{
    uint32_t slot;
    return vxb_ring_try_slot(ring, x, z, &slot);
}

/* No slot is out of range or held twice, and a cell is found in the slot it is listed with. */
static void check_slots(const struct vxb_ring *ring)
{
    uint32_t capacity = vxb_ring_capacity(ring), count = vxb_ring_count(ring);
    struct vxb_ring_slot *all = calloc(capacity, sizeof *all);
    bool *held = calloc(capacity, sizeof *held);
    cr_assert(eq(u32, vxb_ring_resident(ring, all, capacity), count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = UINT32_MAX;
        cr_assert(lt(u32, all[i].slot, capacity));
        cr_assert(not(held[all[i].slot]), "slot %u is held twice", (unsigned)all[i].slot);
        held[all[i].slot] = true;
        cr_assert(vxb_ring_try_slot(ring, all[i].cell_x, all[i].cell_z, &slot));
        cr_assert(eq(u32, slot, all[i].slot));
        if (i > 0)
            cr_assert(all[i - 1].cell_z < all[i].cell_z ||
                      (all[i - 1].cell_z == all[i].cell_z && all[i - 1].cell_x < all[i].cell_x));
    }
    free(all);
    free(held);
}

/* ---- named behaviours ---- */

Test(ring, range_of_zero__cell_under_the_view_is_resident)
{
    static const float places[][2] = {
        {0.0f, 0.0f}, {-0.5f, 31.9f}, {64.0f, -64.0f}, {1000.25f, -3.5f}, {-128.5f, -128.5f}};
    struct vxb_ring *ring = ring_of(32.0f, 4);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        step(ring, places[i][0], places[i][1], 0.0f);
        cr_assert(is_resident(ring, (int32_t)floorf(places[i][0] / 32.0f), (int32_t)floorf(places[i][1] / 32.0f)));
    }
    vxb_ring_free(ring);
}

Test(ring, view_moving_anywhere__cell_stood_on_is_never_missed)
{
    struct vxb_ring *ring = ring_of(7.3f, 4); /* at a corner four cells are at distance 0 */
    for (int i = 0; i < 4000; i++) {
        float x = -300.0f + 0.37f * (float)i, z = 250.0f * sinf((float)i * 0.01f);
        step(ring, x, z, (float)(i % 3) * 20.0f);
        cr_assert(is_resident(ring, (int32_t)floorf(x / 7.3f), (int32_t)floorf(z / 7.3f)), "step %d", i);
    }
    vxb_ring_free(ring);
}

Test(ring, cells_leave__their_slots_come_back)
{
    struct vxb_ring *ring = ring_of(32.0f, 4);
    struct vxb_ring_change change = step(ring, 16.0f, 16.0f, 8.0f);
    cr_assert(eq(u32, change.created_count, 1));
    for (int i = 1; i <= 50; i++) {
        change = step(ring, 16.0f + 320.0f * (float)i, 16.0f, 8.0f);
        cr_assert(eq(u32, change.created_count, 1));
        cr_assert(eq(u32, change.evicted_count, 1));
        cr_assert(eq(u32, change.created[0].slot, 0));
        cr_assert(eq(u32, vxb_ring_count(ring), 1));
    }
    vxb_ring_free(ring);
}

Test(ring, view_shaking_over_a_boundary__nothing_is_created_or_evicted)
{
    struct vxb_ring *ring = ring_of(32.0f, 64);
    step(ring, 63.99f, 16.0f, 32.0f);
    step(ring, 64.01f, 16.0f, 32.0f);
    for (int i = 0; i < 100; i++) {
        struct vxb_ring_change change = step(ring, i % 2 ? 64.01f : 63.99f, 16.0f, 32.0f);
        cr_assert(eq(u32, change.created_count, 0));
        cr_assert(eq(u32, change.evicted_count, 0));
    }
    vxb_ring_free(ring);
}

Test(ring, no_hysteresis_on_a_boundary__cells_come_and_go)
{
    struct vxb_ring *ring = ring_of(32.0f, 64);
    cr_assert(eq(int, vxb_ring_set_hysteresis(ring, 0.0f, NULL), VXB_OK));
    step(ring, 63.99f, 16.0f, 32.0f);
    cr_assert(lt(u32, 0, step(ring, 64.01f, 16.0f, 32.0f).evicted_count));
    cr_assert(lt(u32, 0, step(ring, 63.99f, 16.0f, 32.0f).created_count));
    vxb_ring_free(ring);
}

Test(ring, ring_full__nearer_cells_take_the_slots)
{
    struct vxb_ring *ring = ring_of(10.0f, 9);
    step(ring, 5.0f, 5.0f, 50.0f);
    struct vxb_ring_change change = step(ring, 25.0f, 5.0f, 50.0f);
    cr_assert(eq(u32, change.created_count, 6));
    cr_assert(eq(u32, change.evicted_count, 6));
    for (int32_t z = -1; z <= 1; z++)
        for (int32_t x = 1; x <= 3; x++)
            cr_assert(is_resident(ring, x, z), "cell %d, %d", (int)x, (int)z);
    check_slots(ring);
    vxb_ring_free(ring);
}

Test(ring, ring_full__cell_no_nearer_than_the_farthest_is_refused)
{
    struct vxb_ring *ring = ring_of(10.0f, 1);
    step(ring, 10.0f, 5.0f, 0.0f);
    cr_assert(is_resident(ring, 1, 0));
    /* On the line between the two: both are at distance 0, and the one there stays. */
    struct vxb_ring_change change = step(ring, 10.0f, 5.0f, 5.0f);
    cr_assert(eq(u32, change.created_count, 0));
    cr_assert(lt(u32, 0, change.refused));
    cr_assert(is_resident(ring, 1, 0));
    vxb_ring_free(ring);
}

Test(ring, ring_ran_out__far_cells_are_dropped_and_counted)
{
    struct vxb_ring *ring = ring_of(32.0f, 9);
    const float at[2] = {16.0f, 16.0f};
    struct vxb_ring_change change = step(ring, at[0], at[1], 96.0f);
    float farthest = 0.0f;
    cr_assert(eq(u32, change.created_count, 9));
    cr_assert(eq(u32, change.refused, vxb_ring_refused(ring)));
    for (uint32_t i = 0; i < 9; i++)
        farthest = fmaxf(farthest, vxb_ring_distance(vxb_ring_grid(ring), change.created[i].cell_x,
                                                     change.created[i].cell_z, at));
    uint32_t wanted = 0;
    for (int32_t z = -10; z < 10; z++)
        for (int32_t x = -10; x < 10; x++) {
            float distance = vxb_ring_distance(vxb_ring_grid(ring), x, z, at);
            wanted += distance <= 96.0f;
            if (!is_resident(ring, x, z))
                cr_assert(ge(flt, distance, farthest));
        }
    cr_assert(eq(u32, change.refused, wanted - 9));
    vxb_ring_free(ring);
}

Test(ring, nine_slots_of_forty_one_wanted__the_same_nine_for_ever)
{
    struct vxb_ring *ring = ring_of(32.0f, 9);
    struct vxb_ring_slot first[9], now[9];
    step(ring, -43.5f, 61.5f, 96.0f);
    cr_assert(eq(u32, vxb_ring_refused(ring), 32));
    vxb_ring_resident(ring, first, 9);
    for (int i = 0; i < 200; i++) {
        /* Asked anew each time: a view a hair away is another view. */
        struct vxb_ring_change change = step(ring, i % 2 ? -43.5f : -43.5001f, 61.5f, 96.0f);
        cr_assert(eq(u32, change.created_count, 0));
        cr_assert(eq(u32, change.evicted_count, 0));
        cr_assert(eq(u32, change.refused, 32));
    }
    vxb_ring_resident(ring, now, 9);
    cr_assert(eq(mem, ((struct cr_mem){first, sizeof first}), ((struct cr_mem){now, sizeof now})));
    vxb_ring_free(ring);
}

Test(ring, clear__every_slot_returned)
{
    struct vxb_ring *ring = ring_of(32.0f, 70);
    step(ring, 5.0f, 5.0f, 400.0f);
    cr_assert(eq(u32, vxb_ring_count(ring), 70));
    vxb_ring_clear(ring);
    cr_assert(eq(u32, vxb_ring_count(ring), 0));
    cr_assert(eq(u32, vxb_ring_refused(ring), 0));
    cr_assert(not(is_resident(ring, 0, 0)));
    struct vxb_ring_change change = step(ring, 5.0f, 5.0f, 400.0f);
    cr_assert(eq(u32, change.created_count, 70));
    for (uint32_t i = 0; i < 70; i++)
        cr_assert(eq(u32, change.created[i].slot, i));
    check_slots(ring);
    vxb_ring_free(ring);
}

Test(ring, most_created__the_rest_is_deferred_and_comes_later)
{
    struct vxb_ring *ring = ring_of(32.0f, 100);
    const float view[3] = {16.0f, 0.0f, 16.0f};
    struct vxb_ring_change change;
    uint32_t all = 0;
    for (int i = 0; i < 20; i++) {
        cr_assert(eq(int, vxb_ring_update_some(ring, view, 96.0f, 7, &change, NULL), VXB_OK));
        cr_assert(eq(u32, change.refused, 0));
        all += change.created_count;
        if (change.deferred > 0)
            cr_assert(eq(u32, change.created_count, 7));
    }
    cr_assert(eq(u32, change.deferred, 0));
    cr_assert(eq(u32, all, vxb_ring_count(ring)));
    cr_assert(eq(u32, step(ring, 16.0f, 16.0f, 96.0f).created_count, 0));
    vxb_ring_free(ring);
}

Test(ring, nothing_may_be_created__all_wanted_is_deferred_and_nothing_is_taken)
{
    struct vxb_ring *ring = ring_of(32.0f, 9);
    const float here[3] = {16.0f, 0.0f, 16.0f}, there[3] = {80.0f, 0.0f, 16.0f};
    struct vxb_ring_change change;
    cr_assert(eq(int, vxb_ring_update_some(ring, here, 96.0f, 0, &change, NULL), VXB_OK));
    cr_assert(eq(u32, change.created_count, 0));
    cr_assert(eq(u32, vxb_ring_count(ring), 0));
    uint32_t wanted = change.deferred;
    cr_assert(eq(u32, step(ring, here[0], here[2], 96.0f).refused, wanted - 9));
    cr_assert(eq(int, vxb_ring_update_some(ring, there, 96.0f, 0, &change, NULL), VXB_OK));
    cr_assert(eq(u32, change.evicted_count, 0));
    cr_assert(eq(u32, change.refused, 0));
    cr_assert(eq(u32, change.deferred, wanted - 9));
    check_slots(ring);
    vxb_ring_free(ring);
}

static bool every_third(void *user, int32_t x, int32_t z)
{
    (void)user;
    return (x + 2 * z) % 3 == 0;
}

Test(ring, grid_with_empty_cells__only_held_cells_are_wanted)
{
    struct vxb_ring *ring = NULL;
    const struct vxb_ring_grid grid = {.cell_size = 8.0f, .holds = every_third};
    struct vxb_ring_slot all[1000];
    cr_assert(eq(int, vxb_ring_new(NULL, &grid, 1000, &ring, NULL), VXB_OK));
    struct vxb_ring_change change = step(ring, -3.0f, 4.0f, 99.5f);
    uint32_t count = vxb_ring_resident(ring, all, 1000), wanted = 0;
    for (uint32_t i = 0; i < count; i++)
        cr_assert(every_third(NULL, all[i].cell_x, all[i].cell_z));
    for (int32_t z = -20; z < 20; z++)
        for (int32_t x = -20; x < 20; x++)
            wanted += every_third(NULL, x, z) && vxb_ring_distance(&grid, x, z, (float[2]){-3.0f, 4.0f}) <= 99.5f;
    cr_assert(eq(u32, count, wanted));
    cr_assert(eq(u32, change.refused, 0));
    vxb_ring_free(ring);
}

Test(ring, distance__to_the_nearest_point_of_the_cell)
{
    static const struct {
        int32_t x, z;
        float at[2], distance;
    } cases[] = {{0, 0, {16.0f, 16.0f}, 0.0f}, {0, 0, {-3.0f, -4.0f}, 5.0f}, {0, 0, {40.0f, 16.0f}, 8.0f},
                 {0, 0, {32.0f, 10.0f}, 0.0f}, {1, 0, {32.0f, 10.0f}, 0.0f}, {-1, -1, {3.0f, 4.0f}, 5.0f},
                 {-3, 2, {-97.0f, 64.0f}, 1.0f}, {-4, 2, {-97.0f, 64.0f}, 0.0f}, {2, 0, {0.0f, 100.0f}, 93.380941f}};
    const struct vxb_ring_grid grid = {.cell_size = 32.0f};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert(fabsf(vxb_ring_distance(&grid, cases[i].x, cases[i].z, cases[i].at) - cases[i].distance) < 1e-5f,
                  "case %zu", i);
}

/* ---- memory ---- */

Test(ring, update_without_a_change__allocates_nothing)
{
    struct heap heap = {0};
    const struct vxb_env env = heap_env(&heap);
    const struct vxb_ring_grid grid = {.cell_size = 8.0f};
    struct vxb_ring *ring = NULL;
    cr_assert(eq(int, vxb_ring_new(&env, &grid, 200, &ring, NULL), VXB_OK));
    step(ring, 3.25f, 2.5f, 100.0f);
    const uint64_t before = heap.calls;
    for (int i = 0; i < 50; i++)
        cr_assert(eq(u32, step(ring, 3.25f, 2.5f + 0.001f * (float)(i % 5), 100.0f).created_count, 0));
    /* Nor does one that moves: the range is what it was. */
    for (int i = 0; i < 500; i++)
        step(ring, 3.0f + 2.5f * (float)i, -7.0f * (float)i, 100.0f);
    cr_assert(eq(u64, heap.calls, before));
    vxb_ring_free(ring);
    cr_assert(eq(u64, heap.now, 0));
}

Test(ring, no_memory__status_and_the_ring_as_it_was)
{
    const struct vxb_ring_grid grid = {.cell_size = 8.0f};
    const float view[3] = {3.0f, 0.0f, 3.0f};
    for (size_t nth = 1;; nth++) {
        struct heap heap = {.fail_at = nth, .once = true};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_ring *ring = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = vxb_ring_new(&env, &grid, 20, &ring, &err);
        if (status == VXB_OK) {
            status = vxb_ring_update(ring, view, 10.0f, NULL, &err);
            if (status == VXB_OK)
                status = vxb_ring_update(ring, view, 300.0f, NULL, &err);
            if (status != VXB_OK) {
                uint32_t count = vxb_ring_count(ring);
                cr_assert(eq(int, vxb_ring_update(ring, view, 300.0f, NULL, NULL), VXB_OK));
                cr_assert(le(u32, count, vxb_ring_count(ring)));
                check_slots(ring);
            }
        }
        vxb_ring_free(ring);
        cr_assert(eq(u64, heap.now, 0));
        if (status == VXB_OK)
            break;
        cr_assert(eq(int, status, VXB_ERR_MEMORY));
        cr_assert(eq(int, err.status, VXB_ERR_MEMORY));
        cr_assert(lt(sz, nth, 100));
    }
}

/* ---- errors ---- */

Test(ring, capacity_or_cells_out_of_range__refused)
{
    struct vxb_ring *ring = NULL;
    static const struct {
        float cell_size;
        uint32_t capacity;
        enum vxb_status status;
    } cases[] = {
        {32.0f, 0, VXB_ERR_USAGE}, {32.0f, VXB_RING_CAPACITY_MAX + 1, VXB_ERR_LIMIT}, {NAN, 4, VXB_ERR_USAGE},
        {INFINITY, 4, VXB_ERR_USAGE}, {0.5f, 4, VXB_ERR_LIMIT}, {0.0f, 4, VXB_ERR_LIMIT}, {-32.0f, 4, VXB_ERR_LIMIT},
        {1024.5f, 4, VXB_ERR_LIMIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_error err = {0};
        const struct vxb_ring_grid grid = {.cell_size = cases[i].cell_size};
        cr_assert(eq(int, vxb_ring_new(NULL, &grid, cases[i].capacity, &ring, &err), cases[i].status), "case %zu", i);
        cr_assert(err.message[0] != '\0');
    }
    cr_assert(eq(ptr, ring, NULL));
}

Test(ring, view_or_range_out_of_range__refused_and_the_ring_as_it_was)
{
    struct vxb_ring *ring = ring_of(1.0f, 16);
    static const struct {
        float view[3], range;
        enum vxb_status status;
    } cases[] = {
        {{0, 0, 0}, -1.0f, VXB_ERR_USAGE}, {{0, 0, 0}, NAN, VXB_ERR_USAGE}, {{0, 0, 0}, INFINITY, VXB_ERR_USAGE},
        {{NAN, 0, 0}, 1.0f, VXB_ERR_USAGE}, {{0, INFINITY, 0}, 1.0f, VXB_ERR_USAGE},
        {{0, 0, -INFINITY}, 1.0f, VXB_ERR_USAGE}, {{1048577.0f, 0, 0}, 1.0f, VXB_ERR_LIMIT},
        {{0, 0, -1048577.0f}, 1.0f, VXB_ERR_LIMIT}, {{0, 0, 0}, 1048577.0f, VXB_ERR_LIMIT},
        {{0, 0, 0}, 5000.0f, VXB_ERR_LIMIT}};
    step(ring, 0.5f, 0.5f, 1.0f);
    uint32_t count = vxb_ring_count(ring);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_ring_update(ring, cases[i].view, cases[i].range, NULL, &err), cases[i].status),
                  "case %zu", i);
        cr_assert(err.message[0] != '\0');
        cr_assert(eq(u32, vxb_ring_count(ring), count));
    }
    cr_assert(eq(int, vxb_ring_set_hysteresis(ring, NAN, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_ring_set_hysteresis(ring, 2e6f, NULL), VXB_ERR_LIMIT));
    cr_assert(eq(flt, vxb_ring_hysteresis(ring), VXB_RING_HYSTERESIS));
    vxb_ring_free(ring);
}

Test(ring, view_at_the_edge_of_the_world__works)
{
    struct vxb_ring *ring = ring_of(1.1f, 500);
    for (int corner = 0; corner < 4; corner++) {
        float x = corner & 1 ? 1048576.0f : -1048576.0f, z = corner & 2 ? 1048576.0f : -1048576.0f;
        cr_assert(lt(u32, 200, step(ring, x, z, 10.0f).created_count));
        cr_assert(is_resident(ring, (int32_t)floorf(x / 1.1f), (int32_t)floorf(z / 1.1f)));
    }
    vxb_ring_free(ring);
}

/* ---- against the rule written plainly ---- */

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static float between(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)draw(state) / 16777216.0f;
}

static bool some(void *user, int32_t x, int32_t z)
{
    uint32_t h = (uint32_t)x * 2654435761u ^ (uint32_t)z * 2246822519u;
    return (h >> 16 & 7) < *(const uint32_t *)user;
}

static void compare(const struct vxb_ring *ring, const struct plain_ring *plain, const struct vxb_ring_change *a,
                    const struct vxb_ring_change *b, const char *where)
{
    uint32_t count;
    const struct vxb_ring_slot *resident = plain_ring_resident(plain, &count);
    cr_assert(eq(u32, a->created_count, b->created_count), "%s", where);
    cr_assert(eq(u32, a->evicted_count, b->evicted_count), "%s", where);
    cr_assert(eq(u32, a->refused, b->refused), "%s", where);
    cr_assert(eq(u32, a->deferred, b->deferred), "%s", where);
    cr_assert(memcmp(a->created, b->created, a->created_count * sizeof *a->created) == 0, "%s: created", where);
    cr_assert(memcmp(a->evicted, b->evicted, a->evicted_count * sizeof *a->evicted) == 0, "%s: evicted", where);
    struct vxb_ring_slot *now = calloc(count + 1, sizeof *now);
    cr_assert(eq(u32, vxb_ring_resident(ring, now, count), count), "%s", where);
    cr_assert(memcmp(now, resident, count * sizeof *now) == 0, "%s: resident", where);
    free(now);
}

/* A ring and its model, which go the same way. */
struct pair {
    struct vxb_ring *ring;
    struct plain_ring *plain;
    float size, x, z, range;
    uint32_t state;
};

static float any_hysteresis(uint32_t *state)
{
    static const float all[] = {0.15f, 0.0f, -1.0f, 0.33f, 3.0f, -1048576.0f, 1048576.0f};
    return all[draw(state) % 7];
}

/* Where to next: mostly a step, now and then onto a boundary, far away, to the edge of the world; another range. */
static void move(struct pair *p, uint32_t what)
{
    const float size = p->size, edge = 1048576.0f;
    uint32_t *state = &p->state;
    p->x += between(state, -1.0f, 1.0f) * size;
    p->z += between(state, -0.5f, 1.0f) * size;
    switch (what) {
    case 0: p->x = floorf(p->x / size) * size; break;
    case 1: p->x = between(state, -1e4f, 1e4f); break;
    case 2: p->z = floorf(p->z / size) * size; break;
    case 3: p->z = between(state, -1e4f, 1e4f); break;
    case 4: p->range = between(state, 0.0f, 25.0f) * size; break;
    case 5: p->range = 0.0f; break;
    case 6: p->range = floorf(p->range / size) * size; break;
    case 7: p->x = draw(state) % 2 ? edge : -edge; break;
    case 8: p->z = nextafterf(floorf(p->z / size) * size, draw(state) % 2 ? edge : -edge); break;
    case 9: p->x = -0.0f; break;
    case 10: p->range = draw(state) % 2 ? 1e-30f : 1e-45f; break;
    default: break;
    }
    p->x = fmaxf(fminf(p->x, edge), -edge);
    p->z = fmaxf(fminf(p->z, edge), -edge);
}

static void update_both(struct pair *p, uint32_t most, const char *where)
{
    const float view[3] = {p->x, 1.0f, p->z};
    struct vxb_ring_change a, b;
    cr_assert(eq(int, vxb_ring_update_some(p->ring, view, p->range, most, &a, NULL), VXB_OK));
    plain_ring_update(p->plain, view, p->range, most, &b);
    compare(p->ring, p->plain, &a, &b, where);
}

static void walk(uint32_t seed, int steps)
{
    static const float sizes[] = {1.0f, 7.3f, 16.0f, 32.0f, 1.1f, 3.0f, 1024.0f, 1000.1f};
    static const uint32_t capacities[] = {1, 2, 9, 40, 63, 64, 65, 300, 1500};
    struct pair p = {.state = seed};
    uint32_t density = 1 + draw(&p.state) % 8;
    p.size = sizes[draw(&p.state) % 8];
    const float hysteresis = any_hysteresis(&p.state);
    const uint32_t capacity = capacities[draw(&p.state) % 9];
    const struct vxb_ring_grid grid = {.cell_size = p.size, .holds = density < 8 ? some : NULL, .user = &density};
    cr_assert(eq(int, vxb_ring_new(NULL, &grid, capacity, &p.ring, NULL), VXB_OK));
    cr_assert(eq(int, vxb_ring_set_hysteresis(p.ring, hysteresis, NULL), VXB_OK));
    p.plain = plain_ring_new(&grid, capacity, hysteresis);
    p.x = between(&p.state, -50.0f, 50.0f) * p.size;
    p.z = between(&p.state, -50.0f, 50.0f) * p.size;
    p.range = between(&p.state, 0.0f, 25.0f) * p.size;
    for (int i = 0; i < steps; i++) {
        char where[80];
        uint32_t what = draw(&p.state) % 60, most = draw(&p.state) % 4 ? UINT32_MAX : draw(&p.state) % 20;
        snprintf(where, sizeof where, "seed %u, step %d", (unsigned)seed, i);
        move(&p, what);
        if (what == 20) {
            vxb_ring_clear(p.ring);
            plain_ring_clear(p.plain);
        }
        if (what == 21) {
            const float other = any_hysteresis(&p.state);
            cr_assert(eq(int, vxb_ring_set_hysteresis(p.ring, other, NULL), VXB_OK));
            plain_ring_set_hysteresis(p.plain, other);
        }
        update_both(&p, most, where);
        if (what >= 22 && what < 25) /* the same view again, with another number to create, or none */
            update_both(&p, what == 22 ? most : what == 23 ? UINT32_MAX : 0, where);
    }
    check_slots(p.ring);
    plain_ring_free(p.plain);
    vxb_ring_free(p.ring);
}

Test(ring, random_walks__as_the_rule_written_plainly)
{
    for (uint32_t seed = 1; seed <= 100; seed++)
        walk(seed, 120);
}

/* Many cells at one distance, more than are ever looked at one by one otherwise. */
Test(ring, thousands_of_cells_at_one_distance__as_the_rule_written_plainly)
{
    const struct vxb_ring_grid grid = {.cell_size = 1.0f};
    for (uint32_t capacity = 1; capacity < 2000; capacity = capacity * 3 + 1) {
        struct vxb_ring *ring = ring_of(1.0f, capacity);
        struct plain_ring *plain = plain_ring_new(&grid, capacity, VXB_RING_HYSTERESIS);
        for (int i = 0; i < 6; i++) {
            /* f32 has so few places here that whole rings of cells are at one distance. */
            const float view[3] = {1048000.0f + 3.0f * (float)i, 0.0f, -1048000.0f - (float)i};
            struct vxb_ring_change a, b;
            cr_assert(eq(int, vxb_ring_update(ring, view, 40.0f, &a, NULL), VXB_OK));
            plain_ring_update(plain, view, 40.0f, UINT32_MAX, &b);
            compare(ring, plain, &a, &b, "far from the origin");
        }
        plain_ring_free(plain);
        vxb_ring_free(ring);
    }
}

/* ---- what the engine does ---- */

static struct vxbi_json *load_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    struct vxbi_json *json = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxbi_json_parse(NULL, text, size, VXB_ERR_DATA, &json, &err), VXB_OK), "%s", err.message);
    return json;
}

static float number(const struct vxbi_json *object, const char *key)
{
    return (float)vxbi_json_number(vxbi_json_member(object, key));
}

static void compare_cells(const struct vxbi_json *list, const struct vxb_ring_slot *cells, uint32_t count,
                          const char *where)
{
    uint32_t i = 0;
    cr_assert(eq(sz, vxbi_json_count(list), (size_t)count), "%s", where);
    for (const struct vxbi_json *cell = vxbi_json_first(list); cell; cell = vxbi_json_next(cell), i++) {
        const struct vxbi_json *x = vxbi_json_first(cell);
        cr_assert(eq(i32, cells[i].cell_x, (int32_t)vxbi_json_number(x)), "%s, cell %u", where, (unsigned)i);
        cr_assert(eq(i32, cells[i].cell_z, (int32_t)vxbi_json_number(vxbi_json_next(x))), "%s, cell %u", where,
                  (unsigned)i);
    }
}

/* The engine leaves its evicted cells in no order; the vectors sort them as we do. */
static void replay(const struct vxbi_json *json)
{
    const char *name = vxbi_json_text(vxbi_json_member(json, "name"));
    struct vxb_ring *ring = ring_of(number(json, "cell_size"), (uint32_t)number(json, "capacity"));
    cr_assert(eq(int, vxb_ring_set_hysteresis(ring, number(json, "hysteresis"), NULL), VXB_OK));
    int i = 0;
    const struct vxbi_json *frame = vxbi_json_first(vxbi_json_member(json, "frames"));
    cr_assert(frame != NULL);
    for (; frame; frame = vxbi_json_next(frame), i++) {
        char where[120];
        const struct vxbi_json *view = vxbi_json_first(vxbi_json_member(frame, "view"));
        const struct vxbi_json *z = vxbi_json_next(vxbi_json_next(view));
        snprintf(where, sizeof where, "%s, frame %d", name, i);
        struct vxb_ring_change change = step(ring, (float)vxbi_json_number(view), (float)vxbi_json_number(z),
                                             number(frame, "range"));
        compare_cells(vxbi_json_member(frame, "created"), change.created, change.created_count, where);
        compare_cells(vxbi_json_member(frame, "evicted"), change.evicted, change.evicted_count, where);
        cr_assert(eq(u32, change.refused, (uint32_t)number(frame, "refused")), "%s", where);
        cr_assert(eq(u32, vxb_ring_count(ring), (uint32_t)number(frame, "resident")), "%s", where);
    }
    check_slots(ring);
    vxb_ring_free(ring);
}

Test(ring, engine_walk_in_the_repository__same_cells_in_every_frame)
{
    struct vxbi_json *json = load_json(TEST_DATA "/residency-boundary.json");
    cr_assert(json != NULL);
    replay(json);
    vxbi_json_free(json);
}

Test(ring, engine_walks__same_cells_in_every_frame)
{
    static const char *const names[] = {
        "ample", "boundary", "boundary-no-hysteresis", "jumps", "negative-hysteresis", "nine-of-forty-one-still",
        "odd-cell", "on-corner", "one-slot", "range-zero", "small", "tight"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/vectors/residency-%s.json", TEST_SHARED, names[i]);
        struct vxbi_json *json = load_json(path);
        if (!json)
            cr_skip_test("%s is not there", path);
        replay(json);
        vxbi_json_free(json);
    }
}
