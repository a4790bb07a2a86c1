/* What is done to a field's texels once they are filled: dilation of empty probes, and the borders. Threads take bricks of
 * the table from a counter; each brick's texels are written by whoever took it, from texels that nobody writes meanwhile,
 * so the bytes are the same for any number of threads. */
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

static void repair_brick(struct work *work, const struct vxb_brick *table_brick)
{
    const struct vxk_brick brick = vxbi_probe_brick(table_brick);
    const uint64_t before = work->valid[brick.slot];
    uint64_t after = before;
    uint32_t count = 0;
    if (before == UINT64_MAX)
        return;
    for (uint32_t bit = 0; bit < 64; bit++) {
        const uint32_t at[3] = {bit & 3, bit >> 2 & 3, bit >> 4};
        struct vxb_probe probe;
        if (before >> bit & 1 || !vxk_probe_repair(&work->view, work->valid, &brick, at, (float *)&probe))
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
