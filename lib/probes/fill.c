/* The fill from scene to probes: passes of trace, dilation and borders.
 *
 * Invariant: a probe depends on the scene and the pool of the pass before alone. Bricks are written to places of their
 * own, so neither their order nor who fills them changes a byte. */
#include "fill.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/env.h"
#include "../core/text.h"
#include "device_fill.h"

/* Rays, times what each may meet, between two polls: a part of a second. */
#define WORK_A_POLL 65536u

/* ---- bricks ---- */

void vxbi_fill_fail(struct vxbi_fill_pass *pass, enum vxb_status status, const struct vxb_error *why)
{
    vxbi_mutex_lock(pass->lock);
    if (!pass->status) {
        pass->status = status;
        if (pass->err && pass->err->status == VXB_OK)
            *pass->err = *why;
    }
    vxbi_mutex_unlock(pass->lock);
    atomic_store(&pass->stop, true);
}

bool vxbi_fill_goes_on(struct vxbi_fill_pass *pass)
{
    vxbi_mutex_lock(pass->lock);
    const bool cancelled = vxbi_cancelled(pass->env);
    vxbi_mutex_unlock(pass->lock);
    if (cancelled) {
        struct vxb_error why = {0};
        vxbi_fail(&why, VXB_ERR_CANCELLED, "the fill was cancelled");
        vxbi_fill_fail(pass, VXB_ERR_CANCELLED, &why);
    }
    return !atomic_load(&pass->stop);
}

/* A probe may have 65536 rays past 4096 shapes, so that it is traced in parts. *work: since the last poll. */
static bool fill_probe(struct vxbi_fill_pass *pass, const struct vxk_scene *arrays, struct vxk_vec at, uint32_t *work,
                       float *probe)
{
    const struct vxk_fill *numbers = &pass->scene->numbers;
    const uint32_t a_ray = 1 + numbers->shape_count, part = 1 + WORK_A_POLL / a_ray;
    for (uint32_t first = 0, end; first < numbers->rays; first = end) {
        end = numbers->rays - first < part ? numbers->rays : first + part;
        vxk_fill_probe(numbers, arrays, at, first, end, probe);
        *work += (end - first) * a_ray;
        if (*work < WORK_A_POLL)
            continue;
        *work = 0;
        if (!vxbi_fill_goes_on(pass))
            return false;
    }
    return true;
}

bool vxbi_fill_brick(struct vxbi_fill_pass *pass, uint32_t index, float *probes)
{
    const struct vxb_brick *brick = &pass->bricks[index];
    const struct vxk_scene arrays = vxbi_fill_scene_arrays(pass->scene, pass->before, pass->field->indirection);
    uint32_t work = 0;
    for (uint32_t i = 0; i < VXK_PROBES_A_BRICK; i++)
        if (!fill_probe(pass, &arrays, vxk_probe_place(&pass->scene->numbers, brick->cell, brick->size, i), &work,
                        probes + i * VXK_PROBE_FLOATS))
            return false;
    return true;
}

static bool fail_overflow(struct vxbi_fill_pass *pass, const struct vxb_brick *brick, uint32_t i)
{
    const struct vxk_vec at = vxk_probe_place(&pass->scene->numbers, brick->cell, brick->size, i);
    const float *corner = pass->field->bounds.min;
    struct vxb_error why = {0};
    char text[3][VXB_TEXT_NUMBER_ROOM];
    vxbi_fail(&why, VXB_ERR_DATA,
              "the light at the probe at (%s, %s, %s) is more than a number holds: make sky, sun and emissions weaker",
              vxb_text_f32(corner[0] + at.x, text[0]), vxb_text_f32(corner[1] + at.y, text[1]),
              vxb_text_f32(corner[2] + at.z, text[2]));
    vxbi_fill_fail(pass, VXB_ERR_DATA, &why);
    return false;
}

bool vxbi_fill_take(struct vxbi_fill_pass *pass, uint32_t index, const float *probes)
{
    const struct vxb_brick *brick = &pass->bricks[index];
    struct vxb_probe_pool *pool = vxbi_probe_field_pool(pass->field);
    uint64_t invalid = 0;
    for (uint32_t i = 0; i < VXK_PROBES_A_BRICK; i++) {
        const float *from = probes + i * VXK_PROBE_FLOATS;
        for (uint32_t k = 0; k < VXK_PROBE_FLOATS; k++)
            if (!isfinite(from[k]))
                return fail_overflow(pass, brick, i);
        memcpy(vxbi_probe_pool_at(pool, brick->slot, i & 3, i >> 2 & 3, i >> 4), from, sizeof(struct vxb_probe));
        invalid += from[VXK_PROBE_VALIDITY] == 0.0f;
    }
    vxbi_mutex_lock(pass->lock);
    pass->done++;
    pass->invalid += invalid;
    vxbi_progress(pass->env, "filling", pass->done_before + pass->done, pass->total);
    vxbi_mutex_unlock(pass->lock);
    return vxbi_fill_goes_on(pass);
}

/* ---- on the CPU ---- */

static void fill_bricks(void *user, uint32_t worker)
{
    struct vxbi_fill_pass *pass = user;
    float probes[VXBI_BRICK_FLOATS];
    (void)worker;
    for (uint32_t i; !atomic_load(&pass->stop) && (i = atomic_fetch_add(&pass->next, 1)) < pass->count;) {
        if (!vxbi_fill_brick(pass, i, probes) || !vxbi_fill_take(pass, i, probes))
            return;
    }
}

enum vxb_status vxbi_fill_on_cpu(struct vxbi_fill_pass *pass)
{
    const uint32_t threads = vxbi_thread_count(pass->env);
    if (pass->count)
        vxbi_parallel(threads < pass->count ? threads : pass->count, fill_bricks, pass);
    return pass->status;
}

/* ---- passes ---- */

struct fill {
    const struct vxb_env *env;
    struct vxb_allocator allocator;
    struct vxb_probe_field *field;
    const struct vxb_fill_options *options;
    struct vxbi_fill_scene scene;
    struct vxbi_device_fill *device;
    struct vxb_probe *before; /* the second pool, where there are bounces */
    uint64_t texels;
    struct vxb_fill_stats stats;
};

static enum vxb_status trace(struct fill *fill, uint32_t number, struct vxb_error *err)
{
    uint32_t count;
    struct vxbi_fill_pass pass = {.env = fill->env, .field = fill->field, .scene = &fill->scene, .err = err,
                                  .before = number ? fill->before : NULL};
    pass.bricks = vxb_probe_field_bricks(fill->field, &count);
    pass.count = count;
    pass.done_before = (uint64_t)number * count;
    pass.total = (1 + (uint64_t)fill->options->bounces) * count;
    pass.lock = vxbi_mutex_new(&fill->allocator);
    atomic_init(&pass.next, 0);
    atomic_init(&pass.stop, false);
    if (!pass.lock)
        return vxbi_fail_memory(err, 0);
    const double began = vxbi_seconds();
    fill->scene.numbers.bounce = number > 0;
    const enum vxb_status status = fill->device ? vxbi_device_fill_run(fill->device, &pass) : vxbi_fill_on_cpu(&pass);
    vxbi_mutex_free(&fill->allocator, pass.lock);
    fill->stats.trace_seconds += vxbi_seconds() - began;
    fill->stats.invalid = pass.invalid;
    fill->stats.probes = (uint64_t)count * VXK_PROBES_A_BRICK;
    fill->stats.rays += (fill->stats.probes - pass.invalid) * fill->options->rays;
    return status;
}

static enum vxb_status run_pass(struct fill *fill, uint32_t number, struct vxb_error *err)
{
    if (number)
        memcpy(fill->before, vxbi_probe_field_pool(fill->field)->texels, (size_t)fill->texels * sizeof *fill->before);
    enum vxb_status status = trace(fill, number, err);
    if (!status)
        status = vxb_probe_field_dilate(fill->env, fill->field, fill->options->dilation, &fill->stats.repaired, err);
    if (!status)
        status = vxb_probe_field_sync_borders(fill->env, fill->field, err);
    return status;
}

static enum vxb_status open_fill(struct fill *fill, const struct vxb_scene *scene, struct vxb_error *err)
{
    enum vxb_status status =
        vxbi_fill_scene_init(&fill->allocator, fill->field, scene, fill->options, &fill->scene, err);
    if (status)
        return status;
    fill->texels = (uint64_t)VXB_BRICK_TEXELS * fill->field->pool->capacity;
    if (fill->options->bounces) {
        fill->before = vxbi_new(&fill->allocator, fill->texels, sizeof *fill->before);
        if (!fill->before)
            return vxbi_fail_memory(err, fill->texels * sizeof *fill->before);
    }
    if (fill->options->device)
        status = vxbi_device_fill_new(fill->env, fill->field, &fill->scene, fill->options, &fill->device, err);
    return status;
}

enum vxb_status vxb_probe_fill(const struct vxb_env *env, struct vxb_probe_field *field, const struct vxb_scene *scene,
                               const struct vxb_fill_options *options, struct vxb_fill_stats *stats,
                               struct vxb_error *err)
{
    const double began = vxbi_seconds();
    struct fill fill = {.env = env, .field = field, .options = options};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status && !vxb_probe_field_pool(field))
        status = vxbi_fail(err, VXB_ERR_USAGE, "the field is still in planning; place it before it is filled");
    if (status)
        return status;
    fill.allocator = vxbi_allocator(env);
    status = open_fill(&fill, scene, err);
    for (uint32_t i = 0; !status && i <= options->bounces; i++, fill.stats.passes++)
        status = run_pass(&fill, i, err);
    vxbi_device_fill_free(fill.device);
    vxbi_delete(&fill.allocator, fill.before, fill.texels, sizeof *fill.before);
    vxbi_fill_scene_clear(&fill.scene);
    fill.stats.seconds = vxbi_seconds() - began;
    if (!status && stats)
        *stats = fill.stats;
    return status;
}
