/* Runs of bricks, one after another: while the device is at work on one, the one before it goes to the field. */
#include "device_fill.h"

#include <inttypes.h>
#include <string.h>

/* Bricks of a run: enough of them to fill a device whatever else there is, at most as many as bound what comes back. */
#define RUN_GPU_BRICKS 4096u
#define RUN_OTHER_BRICKS 32u
#define RUN_BRICKS_MOST 16384u
/* What a ray costs, in shapes that it may meet; ground and sky count as a few. */
#define RAY_COST(shapes) (GROUND_SHAPES + (uint64_t)(shapes))
#define GROUND_SHAPES 8u

/* What does not change, or once a pass. */
enum { NUMBERS, SHAPES, HEIGHTS, HOLES, PEAKS, LAYERS, WEIGHTS, SKY, DIRECTIONS, TEXELS, INDIRECTION, BRICKS, STILL };

struct run {
    uint32_t first, count; /* of bricks; count 0: there is no run */
    struct vxbi_buffer *out;
    struct vxbi_pinned *data;
    uint32_t room;         /* bricks */
    uint32_t rays;         /* of each probe that were launched */
    struct vxbi_event *event; /* once all were: their probes, on the way here */
};

struct vxbi_device_fill {
    struct vxb_allocator allocator;
    const struct vxb_env *env;
    struct vxb_device *device;
    struct vxbi_kernel *kernel;
    struct vxbi_buffer *still[STILL];
    bool borrowed[STILL]; /* a buffer that stands in for what there is none of */
    struct run runs[2];
    struct vxbi_fill_cut cut;
    uint64_t texel_bytes;
    double cross_check;
};

/* ---- what stays ---- */

/* Every argument needs a buffer: where there is nothing, the numbers stand in, and nobody reads them. */
static enum vxb_status upload(struct vxbi_device_fill *fill, size_t which, const void *data, uint64_t bytes,
                              struct vxb_error *err)
{
    if (data && bytes)
        return vxbi_buffer_new(fill->device, bytes, data, &fill->still[which], err);
    fill->still[which] = fill->still[NUMBERS];
    fill->borrowed[which] = true;
    return VXB_OK;
}

static enum vxb_status upload_bricks(struct vxbi_device_fill *fill, const struct vxb_probe_field *field,
                                     struct vxb_error *err)
{
    uint32_t count;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    uint32_t(*words)[4] = vxbi_new(&fill->allocator, count ? count : 1, sizeof *words);
    if (!words)
        return vxbi_fail_memory(err, (uint64_t)count * sizeof *words);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(words[i], bricks[i].cell, sizeof bricks[i].cell);
        words[i][3] = bricks[i].size;
    }
    const enum vxb_status status = upload(fill, BRICKS, words, (uint64_t)count * sizeof *words, err);
    vxbi_delete(&fill->allocator, words, count ? count : 1, sizeof *words);
    return status;
}

static enum vxb_status upload_scene(struct vxbi_device_fill *fill, const struct vxb_probe_field *field,
                                    const struct vxbi_fill_scene *s, bool bounces, struct vxb_error *err)
{
    const uint64_t texels = (uint64_t)VXB_BRICK_TEXELS * field->pool->capacity;
    const struct {
        size_t which;
        const void *data;
        uint64_t bytes;
    } parts[] = {
        {NUMBERS, &s->numbers, sizeof s->numbers},
        {SHAPES, s->shapes, s->numbers.shape_count * sizeof *s->shapes},
        {HEIGHTS, s->heights, s->samples * sizeof *s->heights},
        {HOLES, s->holes, (s->samples + 7) / 8},
        {PEAKS, s->peaks.maxima, s->peaks.count * sizeof *s->peaks.maxima},
        {LAYERS, s->layers, s->numbers.layer_count * sizeof *s->layers},
        {WEIGHTS, s->weights, s->weight_bytes},
        {SKY, s->sky, s->sky_floats * sizeof *s->sky},
        {DIRECTIONS, s->directions, 3 * (uint64_t)s->numbers.rays * sizeof *s->directions},
        {TEXELS, bounces ? field->pool->texels : NULL, texels * sizeof *field->pool->texels},
        {INDIRECTION, bounces ? field->indirection : NULL, field->cell_count * sizeof *field->indirection},
    };
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++)
        status = upload(fill, parts[i].which, parts[i].data, parts[i].bytes, err);
    fill->texel_bytes = texels * sizeof *field->pool->texels;
    return status ? status : upload_bricks(fill, field, err);
}

/* A launch is as much work as one ray of each probe of the fewest bricks past the most shapes. Few rays of many probes
 * keep a device busier than many rays of few, so that bricks are never fewer; and launches of a run are alike. */
struct vxbi_fill_cut vxbi_device_fill_cut(bool gpu, uint32_t rays, uint32_t shapes)
{
    const uint32_t least = gpu ? RUN_GPU_BRICKS : RUN_OTHER_BRICKS;
    const uint64_t brick_rays = least * RAY_COST(VXB_SHAPES_MAX) / RAY_COST(shapes); /* of a launch */
    const uint64_t all = brick_rays / rays;
    const uint64_t bricks = all < least ? least : all > RUN_BRICKS_MOST ? RUN_BRICKS_MOST : all;
    const uint32_t most = brick_rays / bricks < rays ? (uint32_t)(brick_rays / bricks) : rays;
    const uint32_t launches = (rays + most - 1) / most;
    return (struct vxbi_fill_cut){(uint32_t)bricks, (rays + launches - 1) / launches};
}

static void choose_cut(struct vxbi_device_fill *fill, uint32_t rays, uint32_t shapes)
{
    const struct vxbi_device_tuning *forced = vxbi_device_tuning(fill->device);
    fill->cut = vxbi_device_fill_cut(vxb_device_info(fill->device)->kind == VXB_DEVICE_GPU, rays, shapes);
    if (forced->run_bricks)
        fill->cut.bricks = forced->run_bricks;
    if (forced->launch_rays)
        fill->cut.rays = forced->launch_rays;
}

static enum vxb_status open_fill(const struct vxb_env *env, const struct vxb_probe_field *field,
                                 const struct vxbi_fill_scene *scene, const struct vxb_fill_options *options,
                                 struct vxbi_device_fill **out, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_device_fill *fill = vxbi_new_zero(&allocator, 1, sizeof *fill);
    if (!fill)
        return vxbi_fail_memory(err, sizeof *fill);
    fill->allocator = allocator;
    fill->env = env;
    fill->device = options->device;
    fill->cross_check = options->cross_check;
    choose_cut(fill, options->rays, scene->numbers.shape_count);
    enum vxb_status status = vxbi_program_ready(env, fill->device, VXBI_PROGRAM_fill, err);
    if (!status)
        status = vxbi_kernel_new(fill->device, VXBI_PROGRAM_fill, "fill_probes", &fill->kernel, err);
    if (!status)
        status = upload_scene(fill, field, scene, options->bounces > 0, err);
    if (status)
        vxbi_device_fill_free(fill);
    else
        *out = fill;
    return status;
}

enum vxb_status vxbi_device_fill_new(const struct vxb_env *env, const struct vxb_probe_field *field,
                                     const struct vxbi_fill_scene *scene, const struct vxb_fill_options *options,
                                     struct vxbi_device_fill **out, struct vxb_error *err)
{
    const enum vxb_status status =
        vxbi_device_trial(env, options->device, VXBI_PROGRAM_fill, vxbi_device_fill_known_answer, err);
    return status ? status : open_fill(env, field, scene, options, out, err);
}

/* ---- a run ---- */

static void clear_run(struct vxbi_device_fill *fill, struct run *run)
{
    vxbi_buffer_free(fill->device, run->out);
    vxbi_pinned_free(fill->device, run->data);
    *run = (struct run){0};
}

void vxbi_device_fill_free(struct vxbi_device_fill *fill)
{
    if (!fill)
        return;
    const struct vxb_allocator allocator = fill->allocator;
    vxbi_device_finish(fill->device);
    for (int i = 0; i < 2; i++) {
        if (fill->runs[i].event)
            vxbi_wait(fill->device, fill->runs[i].event, NULL);
        clear_run(fill, &fill->runs[i]);
    }
    for (size_t i = 0; i < STILL; i++)
        if (!fill->borrowed[i])
            vxbi_buffer_free(fill->device, fill->still[i]);
    vxbi_kernel_free(fill->device, fill->kernel);
    vxbi_delete(&allocator, fill, 1, sizeof *fill);
}

static enum vxb_status make_room(struct vxbi_device_fill *fill, struct run *run, uint32_t bricks, struct vxb_error *err)
{
    const uint64_t bytes = (uint64_t)bricks * VXBI_BRICK_FLOATS * sizeof(float);
    if (run->room >= bricks)
        return VXB_OK;
    clear_run(fill, run);
    enum vxb_status status = vxbi_buffer_new(fill->device, bytes, NULL, &run->out, err);
    if (!status)
        status = vxbi_pinned_new(fill->device, bytes, &run->data, err);
    if (status)
        clear_run(fill, run);
    else
        run->room = bricks;
    return status;
}

/* Launches the next rays of a run; behind the last ones what they made is read back. */
static enum vxb_status launch(struct vxbi_device_fill *fill, struct run *run, uint32_t rays, struct vxb_error *err)
{
    struct vxbi_buffer **b = fill->still;
    const uint32_t probes = run->count * VXK_PROBES_A_BRICK, left = rays - run->rays;
    const uint32_t end = left < fill->cut.rays ? rays : run->rays + fill->cut.rays;
    const struct vxbi_arg args[] = {
        VXBI_ARG_BUFFER(b[NUMBERS]), VXBI_ARG_BUFFER(b[SHAPES]),      VXBI_ARG_BUFFER(b[HEIGHTS]),
        VXBI_ARG_BUFFER(b[HOLES]),   VXBI_ARG_BUFFER(b[PEAKS]),       VXBI_ARG_BUFFER(b[LAYERS]),
        VXBI_ARG_BUFFER(b[WEIGHTS]), VXBI_ARG_BUFFER(b[SKY]),         VXBI_ARG_BUFFER(b[DIRECTIONS]),
        VXBI_ARG_BUFFER(b[TEXELS]),  VXBI_ARG_BUFFER(b[INDIRECTION]), VXBI_ARG_BUFFER(b[BRICKS]),
        VXBI_ARG_VALUE(run->first),  VXBI_ARG_VALUE(probes),          VXBI_ARG_VALUE(run->rays),
        VXBI_ARG_VALUE(end),         VXBI_ARG_BUFFER(run->out)};
    const struct vxbi_range range = {.items = probes, .rows = 1,
                                     .local = vxbi_kernel_local(fill->device, fill->kernel, VXK_PROBES_A_BRICK)};
    enum vxb_status status =
        vxbi_launch(fill->device, fill->kernel, args, sizeof args / sizeof args[0], range, err);
    if (!status && end == rays)
        status = vxbi_read_begin(fill->device, run->out, run->data, (uint64_t)probes * VXK_PROBE_FLOATS * sizeof(float),
                                 &run->event, err);
    else if (!status)
        vxbi_device_flush(fill->device);
    if (!status)
        run->rays = end;
    return status;
}

static enum vxb_status begin(struct vxbi_device_fill *fill, struct run *run, uint32_t first, uint32_t count,
                             uint32_t rays, struct vxb_error *err)
{
    enum vxb_status status = make_room(fill, run, count, err);
    if (status)
        return status;
    run->first = first;
    run->count = count;
    run->rays = 0;
    status = launch(fill, run, rays, err);
    if (status)
        run->count = 0;
    return status;
}

/* The rest of a run whose first rays were launched: each launch is waited for before the next, as the device is to be
 * free a moment after a cancel. */
static enum vxb_status go_on(struct vxbi_device_fill *fill, struct run *run, struct vxbi_fill_pass *pass,
                             struct vxb_error *err)
{
    const uint32_t rays = pass->scene->numbers.rays;
    enum vxb_status status = VXB_OK;
    while (run->rays < rays && !status && vxbi_fill_goes_on(pass)) {
        status = vxbi_buffer_read(fill->device, run->out, vxbi_pinned_data(run->data), sizeof(float), err);
        if (!status)
            status = launch(fill, run, rays, err);
    }
    if (run->rays < rays)
        run->count = 0;
    return status;
}

/* A run that there is no memory for, on the device or here, is made smaller, down to one brick. */
static enum vxb_status begin_some(struct vxbi_device_fill *fill, struct run *run, uint32_t first,
                                  const struct vxbi_fill_pass *pass, struct vxb_error *err)
{
    const uint32_t left = pass->count - first;
    for (;;) {
        struct vxb_error why = {0};
        const uint32_t count = left < fill->cut.bricks ? left : fill->cut.bricks;
        const enum vxb_status status = begin(fill, run, first, count, pass->scene->numbers.rays, &why);
        if (status != VXB_ERR_MEMORY || count == 1) {
            if (status && err && err->status == VXB_OK)
                *err = why;
            return status;
        }
        fill->cut.bricks = (count + 1) / 2;
        clear_run(fill, run);
        vxbi_say(fill->env, VXB_SEVERITY_NOTE, NULL, NULL,
                 "%s has no memory for %" PRIu32 " bricks at a time: going on with %" PRIu32,
                 vxb_device_info(fill->device)->name, count, fill->cut.bricks);
    }
}

static enum vxb_status cross_check(const struct vxbi_device_fill *fill, struct vxbi_fill_pass *pass,
                                   uint32_t index, const float *probes, struct vxb_error *err)
{
    float expected[VXBI_BRICK_FLOATS];
    if (!vxbi_fill_brick(pass, index, expected) || memcmp(expected, probes, sizeof expected) == 0)
        return VXB_OK;
    const struct vxb_brick *brick = &pass->bricks[index];
    return vxbi_fail(err, VXB_ERR_DEVICE,
                     "%s does not compute what the CPU does: the brick at cell %" PRIu32 ", %" PRIu32 ", %" PRIu32
                     " has other light; bake on another device, or on the cpu",
                     vxb_device_info(fill->device)->name, brick->cell[0], brick->cell[1], brick->cell[2]);
}

struct delivery {
    const struct vxbi_device_fill *fill;
    struct vxbi_fill_pass *pass;
    const struct run *run;
    atomic_uint next;
};

static void deliver_bricks(void *user, uint32_t worker)
{
    struct delivery *d = user;
    const float *probes = vxbi_pinned_data(d->run->data);
    (void)worker;
    for (uint32_t i; !atomic_load(&d->pass->stop) && (i = atomic_fetch_add(&d->next, 1)) < d->run->count;) {
        const uint32_t index = d->run->first + i;
        struct vxb_error why = {0};
        enum vxb_status status = VXB_OK;
        if (vxbi_device_samples(d->fill->cross_check, index))
            status = cross_check(d->fill, d->pass, index, probes + (size_t)i * VXBI_BRICK_FLOATS, &why);
        if (status)
            vxbi_fill_fail(d->pass, status, &why);
        else
            vxbi_fill_take(d->pass, index, probes + (size_t)i * VXBI_BRICK_FLOATS);
    }
}

static void deliver(struct vxbi_device_fill *fill, struct run *run, struct vxbi_fill_pass *pass)
{
    struct vxb_error why = {0};
    if (run->count == 0)
        return;
    struct vxbi_event *event = run->event;
    run->event = NULL;
    const enum vxb_status status = vxbi_wait(fill->device, event, &why);
    if (status) {
        vxbi_fill_fail(pass, status, &why);
    } else {
        struct delivery d = {.fill = fill, .pass = pass, .run = run};
        const uint32_t threads = vxbi_thread_count(fill->env);
        atomic_init(&d.next, 0);
        vxbi_parallel(threads < run->count ? threads : run->count, deliver_bricks, &d);
    }
    run->count = 0;
}

static enum vxb_status begin_pass(struct vxbi_device_fill *fill, const struct vxbi_fill_pass *pass,
                                  struct vxb_error *err)
{
    enum vxb_status status =
        vxbi_buffer_write(fill->device, fill->still[NUMBERS], &pass->scene->numbers, sizeof pass->scene->numbers, err);
    if (!status && pass->before)
        status = vxbi_buffer_write(fill->device, fill->still[TEXELS], pass->before, fill->texel_bytes, err);
    return status;
}

enum vxb_status vxbi_device_fill_run(struct vxbi_device_fill *fill, struct vxbi_fill_pass *pass)
{
    struct vxb_error why = {0};
    int now = 0;
    enum vxb_status status = begin_pass(fill, pass, &why);
    for (uint32_t first = 0; first < pass->count && !status && !atomic_load(&pass->stop); now ^= 1) {
        struct run *run = &fill->runs[now];
        status = begin_some(fill, run, first, pass, &why);
        first += run->count;
        if (!status)
            deliver(fill, &fill->runs[now ^ 1], pass);
        if (!status)
            status = go_on(fill, run, pass, &why);
    }
    if (status)
        vxbi_fill_fail(pass, status, &why);
    for (int i = 0; i < 2; i++)
        deliver(fill, &fill->runs[i], pass);
    return pass->status;
}
