/* Walking a camera path: what an engine's ring and render loop would do in each frame, and the smallest ring that
 *   would have sufficed. Stands on the runtime and the ring, and adds no rule of its own but the order: ring first,
 *   then cull. */
#include "vxbake/simulate.h"

#include <inttypes.h>
#include <string.h>

#include "core/alloc.h"
#include "core/env.h"
#include "core/error.h"
#include "grass/ring.h"
#include "grass/runtime.h"

struct walk {
    const struct vxb_env *env;
    const struct vxb_path *path;
    struct vxb_runtime *runtime;
    struct vxb_simulation *s;
    struct vxb_error *err;
};

/* The object with its allocator, which vxb_simulation_free() needs. */
struct whole {
    struct vxb_simulation simulation;
    struct vxb_allocator allocator;
};

static enum vxb_status ring_of(const struct walk *w, uint32_t capacity, struct vxb_ring **out)
{
    const struct vxb_ring_grid grid = vxb_runtime_grid(w->runtime);
    enum vxb_status status = vxb_ring_new(w->env, &grid, capacity, out, w->err);
    if (status)
        return status;
    status = vxb_ring_set_hysteresis(*out, w->s->options.hysteresis, w->err);
    if (status) {
        vxb_ring_free(*out);
        *out = NULL;
    }
    return status;
}

/* What every walk does first in a frame: asks whether to go on, tells how far it is, and takes the view. */
static enum vxb_status begin_frame(const struct walk *w, uint32_t frame, const char *what, double *time,
                                   struct vxb_view *view)
{
    const uint32_t count = w->s->frame_count;
    if (vxbi_cancelled(w->env))
        return vxbi_fail(w->err, VXB_ERR_CANCELLED, "cancelled");
    if (frame % 64 == 0 || frame + 1 == count)
        vxbi_progress(w->env, what, frame + 1, count);
    *view = (struct vxb_view){.range = w->s->options.range, .density = w->s->options.density};
    return vxb_path_frame(w->path, frame, time, view, w->err);
}

/* ---- the walk ---- */

static void raise(struct vxb_simulation_worst *worst, uint64_t value, uint32_t frame)
{
    if (value > worst->value)
        *worst = (struct vxb_simulation_worst){value, frame};
}

static void sum_up(struct vxb_simulation *s, uint32_t frame)
{
    const struct vxb_simulation_frame *f = &s->frames[frame];
    s->created += f->created;
    s->evicted += f->evicted;
    s->refused += f->refused;
    s->deferred += f->deferred;
    s->upload_bytes += f->upload_bytes;
    raise(&s->most_created, f->created, frame);
    raise(&s->most_refused, f->refused, frame);
    raise(&s->most_deferred, f->deferred, frame);
    raise(&s->most_resident, f->resident, frame);
    raise(&s->most_uploaded, f->upload_bytes, frame);
    raise(&s->most_visible, f->total.chunks_visible, frame);
    raise(&s->most_blades, f->total.blades, frame);
    raise(&s->most_commands, f->total.commands, frame);
    raise(&s->most_commands_refused, f->total.refused, frame);
}

static enum vxb_status step(const struct walk *w, uint32_t frame, struct vxb_ring *ring, struct vxb_culler *culler)
{
    struct vxb_simulation_frame *f = &w->s->frames[frame];
    const struct vxb_cull_result *culled;
    struct vxb_ring_change change;
    struct vxb_view view;
    enum vxb_status status = begin_frame(w, frame, "walk", &f->time, &view);
    if (!status)
        status = vxb_ring_update_some(ring, view.position, w->s->options.range, w->s->updates_per_frame, &change,
                                      w->err);
    if (!status)
        status = vxb_cull(culler, &view, ring, &culled, w->err);
    if (status)
        return status;
    memcpy(f->position, view.position, sizeof f->position);
    f->created = change.created_count;
    f->evicted = change.evicted_count;
    f->refused = change.refused;
    f->deferred = change.deferred;
    f->resident = vxb_ring_count(ring);
    for (uint32_t i = 0; i < change.created_count; i++)
        f->upload_bytes += (uint64_t)VXB_RUNTIME_RECORD_BYTES *
                           vxb_runtime_cell_blades(w->runtime, change.created[i].cell_x, change.created[i].cell_z);
    f->total = culled->total;
    memcpy(f->sections, culled->sections, sizeof f->sections);
    sum_up(w->s, frame);
    return VXB_OK;
}

static enum vxb_status walk(const struct walk *w)
{
    struct vxb_ring *ring = NULL;
    struct vxb_culler *culler = NULL;
    enum vxb_status status = ring_of(w, w->s->options.capacity, &ring);
    if (!status)
        status = vxb_culler_new(w->env, w->runtime, &culler, w->err);
    for (uint32_t i = 0; i < w->s->frame_count && !status; i++)
        status = step(w, i, ring, culler);
    vxb_culler_free(culler);
    vxb_ring_free(ring);
    return status;
}

/* ---- the smallest ring ---- */

/* The most cells within range in any frame: what a ring that may create nothing puts off. */
static enum vxb_status count_in_range(const struct walk *w)
{
    struct vxb_simulation *s = w->s;
    struct vxb_ring *ring = NULL;
    enum vxb_status status = ring_of(w, 1, &ring);
    for (uint32_t i = 0; i < s->frame_count && !status; i++) {
        struct vxb_ring_change change = {0};
        struct vxb_view view;
        double time;
        status = begin_frame(w, i, "measure", &time, &view);
        if (!status)
            status = vxb_ring_update_some(ring, view.position, s->options.range, 0, &change, w->err);
        s->most_in_range = change.deferred > s->most_in_range ? change.deferred : s->most_in_range;
    }
    vxb_ring_free(ring);
    return status;
}

static enum vxb_status walk_refuses(const struct walk *w, uint32_t capacity, bool *refuses)
{
    struct vxb_ring *ring = NULL;
    enum vxb_status status = ring_of(w, capacity, &ring);
    *refuses = false;
    for (uint32_t i = 0; i < w->s->frame_count && !status && !*refuses; i++) {
        struct vxb_view view;
        double time;
        status = begin_frame(w, i, "walk again", &time, &view);
        if (!status)
            status = vxb_ring_update(ring, view.position, w->s->options.range, NULL, w->err);
        *refuses = !status && vxb_ring_refused(ring) > 0;
    }
    vxb_ring_free(ring);
    return status;
}

/* 0 where no ring is large enough. A cell that only touches the range keeps its slot from one as far, so the most
 * cells within range need not suffice; every cell of the field does. */
static enum vxb_status find_smallest(const struct walk *w)
{
    struct vxb_simulation *s = w->s;
    bool refuses = true;
    enum vxb_status status = count_in_range(w);
    uint32_t capacity = s->most_in_range ? s->most_in_range : 1;
    for (; !status && refuses && capacity <= VXB_RING_CAPACITY_MAX; capacity++) {
        status = walk_refuses(w, capacity, &refuses);
        if (!status && !refuses)
            s->smallest_capacity = capacity;
    }
    return status;
}

/* ---- the object ---- */

static enum vxb_status copy_cells(const struct walk *w, const struct vxb_allocator *allocator)
{
    struct vxb_simulation *s = w->s;
    s->cells = vxbi_new(allocator, s->cell_count ? s->cell_count : 1, sizeof *s->cells);
    if (!s->cells)
        return vxbi_fail_memory(w->err, s->cell_count * sizeof *s->cells);
    for (uint32_t i = 0; i < s->cell_count; i++) {
        const struct vxbi_runtime_cell *cell = &w->runtime->cells[i];
        s->cells[i] = (struct vxb_simulation_cell){cell->x, cell->z, cell->blades};
    }
    return VXB_OK;
}

static enum vxb_status simulate(struct walk *w, const struct vxb_grass *grass, const struct vxb_allocator *allocator)
{
    const struct vxb_runtime_options options = {.size = sizeof options, .ranks_only = true};
    const struct vxb_grass_header *header = vxb_grass_header(grass);
    struct vxb_simulation *s = w->s;
    uint64_t bytes = (uint64_t)s->frame_count * sizeof *s->frames;
    if (bytes > vxbi_max_memory(w->env))
        return vxbi_fail_max_memory(w->err, vxbi_max_memory(w->env), "the frames take %" PRIu64 " bytes", bytes);
    s->frames = vxbi_new_zero(allocator, s->frame_count, sizeof *s->frames);
    if (!s->frames)
        return vxbi_fail_memory(w->err, bytes);
    enum vxb_status status = vxb_runtime_load(w->env, grass, &options, &w->runtime, w->err);
    if (status)
        return status;
    s->cell_size = header->cell_size;
    s->max_commands = header->max_commands;
    s->updates_per_frame = header->updates_per_frame;
    s->section_count = header->section_count;
    s->cell_count = vxb_runtime_cell_count(w->runtime);
    s->slot_bytes = (uint64_t)vxb_runtime_slot_blades(w->runtime) * VXB_RUNTIME_RECORD_BYTES;
    s->ring_bytes = s->slot_bytes * s->options.capacity;
    for (uint32_t k = 0; k < s->section_count; k++)
        s->names[k] = vxb_grass_section(grass, k)->name;
    if ((status = copy_cells(w, allocator)) != VXB_OK || (status = walk(w)) != VXB_OK)
        return status;
    return find_smallest(w);
}

struct vxb_simulate_options vxb_simulate_options_default(void)
{
    return (struct vxb_simulate_options){.size = sizeof(struct vxb_simulate_options),
                                         .hysteresis = VXB_RING_HYSTERESIS, .density = 1.0f};
}

enum vxb_status vxb_simulate(const struct vxb_env *env, const struct vxb_grass *grass, const struct vxb_path *path,
                             const struct vxb_simulate_options *options, struct vxb_simulation **out,
                             struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_simulate_options", options->size, sizeof *options, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct whole *whole = vxbi_new_zero(&allocator, 1, sizeof *whole);
    if (!whole)
        return vxbi_fail_memory(err, sizeof *whole);
    whole->allocator = allocator;
    whole->simulation.options = *options;
    whole->simulation.fps = vxb_path_fps(path);
    whole->simulation.frame_count = vxb_path_frame_count(path);
    struct walk w = {.env = env, .path = path, .s = &whole->simulation, .err = err};
    status = simulate(&w, grass, &allocator);
    vxb_runtime_free(w.runtime);
    if (status) {
        vxb_simulation_free(&whole->simulation);
        return status;
    }
    *out = &whole->simulation;
    return VXB_OK;
}

void vxb_simulation_free(struct vxb_simulation *simulation)
{
    if (!simulation)
        return;
    struct whole *whole = (struct whole *)(void *)simulation;
    struct vxb_allocator allocator = whole->allocator;
    vxbi_delete(&allocator, simulation->frames, simulation->frame_count, sizeof *simulation->frames);
    vxbi_delete(&allocator, simulation->cells, simulation->cell_count ? simulation->cell_count : 1,
                sizeof *simulation->cells);
    vxbi_delete(&allocator, whole, 1, sizeof *whole);
}
