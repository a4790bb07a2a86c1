/* What is done to a field's texels once they are filled: dilation of empty probes, and the borders. Threads take
 * bricks of the table from a counter; each brick's texels are written by whoever took it, from texels that nobody
 * writes meanwhile, so the bytes are the same for any number of threads. */
#include "field.h"

#include <stdatomic.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/os.h"

/* Bricks taken at a time; under so many a thread costs more than it saves. */
#define CHUNK 64u
#define CHUNKS_A_THREAD 4u

struct work {
    struct vxb_probe_field *field;
    struct vxk_probes view;
    void (*one)(struct work *work, const struct vxb_brick *brick);
    uint32_t size;                 /* borders: of these bricks */
    uint64_t *valid, *valid_after; /* dilation: by slot */
    _Atomic uint32_t next;
    _Atomic uint64_t repaired;
};

static void take_bricks(void *user, uint32_t worker)
{
    struct work *work = user;
    const struct vxb_probe_field *field = work->field;
    (void)worker;
    for (;;) {
        uint32_t first = atomic_fetch_add(&work->next, CHUNK), count = field->counts.bricks;
        if (first >= count)
            return;
        uint32_t end = count - first < CHUNK ? count : first + CHUNK;
        for (uint32_t i = first; i < end; i++)
            work->one(work, &field->table[i]);
    }
}

static void each_brick(const struct vxb_env *env, struct work *work)
{
    uint32_t chunks = work->field->counts.bricks / CHUNK + 1, threads = chunks / CHUNKS_A_THREAD + 1;
    if (threads > 1 && threads > vxbi_thread_count(env))
        threads = vxbi_thread_count(env);
    atomic_init(&work->next, 0);
    vxbi_parallel(threads, take_bricks, work);
}

/* ---- dilation ---- */

static void find_valid(struct work *work, const struct vxb_brick *brick)
{
    uint64_t valid = 0;
    for (uint32_t z = 0; z < VXB_BRICK_RESOLUTION; z++)
        for (uint32_t y = 0; y < VXB_BRICK_RESOLUTION; y++) {
            const struct vxb_probe *row = vxbi_probe_pool_at(work->field->pool, brick->slot, 0, y, z);
            for (uint32_t x = 0; x < VXB_BRICK_RESOLUTION; x++)
                valid |= (uint64_t)(row[x].validity > 0.0f) << vxk_probe_bit(x, y, z);
        }
    work->valid[brick->slot] = work->valid_after[brick->slot] = valid;
}

/* The probes on the two faces of each axis, and how far the bits of a step along it lie apart. */
static const struct {
    uint64_t low, high;
    int step;
} faces[3] = {{0x1111111111111111u, 0x8888888888888888u, 1},
              {0x000F000F000F000Fu, 0xF000F000F000F000u, 4},
              {0x000000000000FFFFu, 0xFFFF000000000000u, 16}};

/* Which probes of a face may have a valid neighbour across it: the neighbour's bits where it is of the same size,
 * else all, but for a brick of one cell, of which the whole face is known where it has no neighbour. */
static uint64_t across(const struct work *work, const struct vxk_brick *brick, int axis, bool up)
{
    const uint64_t face = up ? faces[axis].high : faces[axis].low;
    uint32_t cell[3] = {brick->cell[0], brick->cell[1], brick->cell[2]};
    if (up ? cell[axis] + brick->size >= work->view.cells[axis] : cell[axis] == 0)
        return 0;
    cell[axis] = up ? cell[axis] + brick->size : cell[axis] - 1;
    const struct vxk_brick other = vxk_probe_brick_over(&work->view, cell);
    if (other.size != brick->size)
        return other.size == 0 && brick->size == 1 ? 0 : face;
    const uint64_t valid = work->valid[other.slot];
    return up ? (valid & faces[axis].low) << 3 * faces[axis].step : (valid & faces[axis].high) >> 3 * faces[axis].step;
}

/* The empty probes beside which there may be a valid one: the others need not be looked at. */
static uint64_t may_repair(const struct work *work, const struct vxk_brick *brick)
{
    const uint64_t valid = work->valid[brick->slot];
    uint64_t beside = 0;
    if (valid == UINT64_MAX)
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        beside |= valid >> faces[axis].step & ~faces[axis].high;
        beside |= valid << faces[axis].step & ~faces[axis].low;
        beside |= across(work, brick, axis, false) | across(work, brick, axis, true);
    }
    return beside & ~valid;
}

static void repair_brick(struct work *work, const struct vxb_brick *table_brick)
{
    const struct vxk_brick brick = vxbi_probe_brick(table_brick);
    const uint64_t looked_at = may_repair(work, &brick);
    uint64_t after = work->valid[brick.slot];
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 64 && looked_at >> bit; bit++) {
        const uint32_t at[3] = {bit & 3, bit >> 2 & 3, bit >> 4};
        struct vxb_probe probe;
        if (!(looked_at >> bit & 1) || !vxk_probe_repair(&work->view, work->valid, &brick, at, (float *)&probe))
            continue;
        *vxbi_probe_pool_at(work->field->pool, brick.slot, at[0], at[1], at[2]) = probe;
        after |= (uint64_t)(probe.validity > 0.0f) << bit;
        count++;
    }
    work->valid_after[brick.slot] = after;
    if (count)
        atomic_fetch_add(&work->repaired, count);
}

/* Masks of the pass before are read while those after it are written. */
static enum vxb_status run_passes(const struct vxb_env *env, struct work *work, uint32_t passes, uint64_t *repaired,
                                  struct vxb_error *err)
{
    for (uint32_t pass = 0; pass < passes; pass++) {
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "the dilation was cancelled");
        atomic_init(&work->repaired, 0);
        each_brick(env, work);
        if (!atomic_load(&work->repaired))
            break;
        *repaired += atomic_load(&work->repaired);
        memcpy(work->valid, work->valid_after, work->field->pool->capacity * sizeof *work->valid);
    }
    return VXB_OK;
}

enum vxb_status vxb_probe_field_dilate(const struct vxb_env *env, struct vxb_probe_field *field, uint32_t passes,
                                       uint64_t *repaired, struct vxb_error *err)
{
    uint64_t all = 0;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_probe_placed(field, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    const uint64_t masks = (uint64_t)field->pool->capacity * 2;
    uint64_t *valid = vxbi_new_zero(&allocator, masks, sizeof *valid);
    if (!valid)
        return vxbi_fail_memory(err, masks * sizeof *valid);
    struct work work = {.field = field,
                        .view = vxbi_probe_field_view(field),
                        .one = find_valid,
                        .valid = valid,
                        .valid_after = valid + field->pool->capacity};
    each_brick(env, &work);
    work.one = repair_brick;
    status = run_passes(env, &work, passes, &all, err);
    vxbi_delete(&allocator, valid, masks, sizeof *valid);
    if (!status && repaired)
        *repaired = all;
    return status;
}

/* ---- borders ---- */

static void write_border(struct work *work, const struct vxk_brick *brick, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t at[3] = {x, y, z};
    struct vxb_probe probe;
    vxk_probe_border(&work->view, brick, at, (float *)&probe);
    *vxbi_probe_pool_at(work->field->pool, brick->slot, x, y, z) = probe;
}

static void write_borders(struct work *work, const struct vxb_brick *table_brick)
{
    enum { LAST = VXB_BRICK_RESOLUTION };
    const struct vxk_brick brick = vxbi_probe_brick(table_brick);
    if (brick.size != work->size)
        return;
    for (uint32_t b = 0; b <= LAST; b++)
        for (uint32_t a = 0; a <= LAST; a++) {
            write_border(work, &brick, LAST, a, b);
            if (a < LAST)
                write_border(work, &brick, a, LAST, b);
            if (a < LAST && b < LAST)
                write_border(work, &brick, a, b, LAST);
        }
}

enum vxb_status vxb_probe_field_sync_borders(const struct vxb_env *env, struct vxb_probe_field *field,
                                             struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_probe_placed(field, err);
    if (status)
        return status;
    struct work work = {.field = field, .view = vxbi_probe_field_view(field), .one = write_borders};
    for (work.size = VXB_BRICK_SIZE_MAX; work.size >= 1; work.size /= 2) {
        if (!field->by_size[vxbi_probe_rank(work.size)])
            continue;
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "the syncing of borders was cancelled");
        each_brick(env, &work);
    }
    return VXB_OK;
}
