/* A picture of what a field does: the scene from straight above, every point of a surface sending back what it would
 * send to a probe, by the code that fills them. Exposure is set by the picture's own brightness and its curve is a
 * root, exact arithmetic all of it: the same pixels on every machine and any number of threads. */
#include "probe_preview.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../core/env.h"
#include "../probes/fill_scene.h"
#include "paint.h"
#include "png.h"

enum { SIDE = 640, SIDE_MIN = 16, SIDE_MAX = 4096, SAMPLES = 2, BINS = 4096 };

/* The part of the samples that may be brighter than white; and how far white is over the mean at least, so that even
 * ground is no glare. */
#define TOO_BRIGHT 0.01
#define OVER_MEAN 2.5

#define LIGHT_MOST (FLT_MAX / 16.0f)

struct picture {
    const struct vxb_env *env;
    struct vxb_allocator allocator;
    struct vxbi_fill_scene scene;
    struct vxk_scene arrays;
    uint32_t width, height;
    double pitch;          /* metres a pixel */
    float top;             /* where rays start, metres over the box's minimum */
    float *light;          /* 3 a pixel */
    uint8_t *covered;      /* of a pixel, how many of its samples met something */
    atomic_uint next_row;
    atomic_bool stop;
};

/* ---- light ---- */

/* Light that fits its probe may not fit a sum, and NaN comes of what does not fit: the brightest that a sum takes. */
static float bounded(float light)
{
    return light < LIGHT_MOST ? light : LIGHT_MOST;
}

static void add_sample(const struct picture *p, double x, double z, float light[3], uint8_t *covered)
{
    const struct vxk_vec from = vxk_vec_of((float)x, p->top, (float)z), down = vxk_vec_of(0.0f, -1.0f, 0.0f);
    struct vxk_met met;
    if (!vxk_scene_meets(&p->scene.numbers, &p->arrays, from, down, &met))
        return;
    const struct vxk_vec sent = vxk_scene_radiance(&p->scene.numbers, &p->arrays, &met);
    light[0] += bounded(sent.x);
    light[1] += bounded(sent.y);
    light[2] += bounded(sent.z);
    (*covered)++;
}

static void light_row(const struct picture *p, uint32_t y)
{
    for (uint32_t x = 0; x < p->width; x++) {
        const size_t at = (size_t)y * p->width + x;
        for (int i = 0; i < SAMPLES * SAMPLES; i++)
            add_sample(p, (x + (i % SAMPLES + 0.5) / SAMPLES) * p->pitch,
                       (y + ((double)(i / SAMPLES) + 0.5) / SAMPLES) * p->pitch, p->light + 3 * at, &p->covered[at]);
        for (int c = 0; c < 3 && p->covered[at]; c++)
            p->light[3 * at + (size_t)c] /= p->covered[at];
    }
}

static void light_rows(void *user, uint32_t worker)
{
    struct picture *p = user;
    for (uint32_t y; !atomic_load(&p->stop) && (y = atomic_fetch_add(&p->next_row, 1)) < p->height;) {
        light_row(p, y);
        if (worker == 0 && vxbi_cancelled(p->env))
            atomic_store(&p->stop, true);
    }
}

/* ---- pixels ---- */

static float brightest(const float light[3])
{
    const float most = light[0] > light[1] ? light[0] : light[1];
    return most > light[2] ? most : light[2];
}

/* The light that becomes white. */
static float white_of(const struct picture *p)
{
    const size_t count = (size_t)p->width * p->height;
    uint64_t bins[BINS] = {0}, met = 0, above = 0;
    double sum = 0;
    float most = 0.0f;
    for (size_t i = 0; i < count; i++)
        most = p->covered[i] && brightest(p->light + 3 * i) > most ? brightest(p->light + 3 * i) : most;
    if (!(most > 0.0f))
        return 1.0f;
    for (size_t i = 0; i < count; i++) {
        if (!p->covered[i])
            continue;
        /* By the root, so that bins are fine where light is faint. */
        const float part = sqrtf(brightest(p->light + 3 * i) / most) * (BINS - 1);
        bins[(uint32_t)part]++;
        sum += (double)brightest(p->light + 3 * i);
        met++;
    }
    int bin = BINS - 1;
    while (bin > 0 && (double)(above + bins[bin]) <= TOO_BRIGHT * (double)met)
        above += bins[bin--];
    const float root = (float)(bin + 1) / BINS, even = (float)(OVER_MEAN * sum / (double)met);
    return most * root * root > even ? most * root * root : even;
}

static void paint(const struct picture *p, uint8_t *pixels)
{
    const struct vxbi_colour paper = vxbi_paper;
    const float white = white_of(p);
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        const uint8_t empty[3] = {paper.r, paper.g, paper.b};
        const float covered = (float)p->covered[i] / (SAMPLES * SAMPLES);
        for (size_t c = 0; c < 3; c++) {
            const float part = p->light[3 * i + c] / white;
            const float shown = sqrtf(part < 1.0f ? part : 1.0f) * 255.0f;
            pixels[3 * i + c] = (uint8_t)(shown * covered + (float)empty[c] * (1.0f - covered) + 0.5f);
        }
    }
}

/* ---- the whole ---- */

static void lay_out(struct picture *p, const struct vxb_probe_field *field, uint32_t side)
{
    const float *extent = field->extent;
    const double longer = (double)(extent[0] > extent[2] ? extent[0] : extent[2]);
    const double width = rint((double)extent[0] / longer * side), height = rint((double)extent[2] / longer * side);
    p->pitch = longer / side;
    p->width = width < 1 ? 1 : (uint32_t)width;
    p->height = height < 1 ? 1 : (uint32_t)height;
    p->top = extent[1];
    if (p->scene.samples && p->scene.numbers.relief.top > p->top)
        p->top = p->scene.numbers.relief.top;
}

static enum vxb_status draw(struct picture *p, struct vxb_output *output, struct vxb_error *err)
{
    const uint64_t count = (uint64_t)p->width * p->height;
    uint8_t *pixels = vxbi_new(&p->allocator, count, 3);
    p->light = vxbi_new_zero(&p->allocator, count, 3 * sizeof *p->light);
    p->covered = vxbi_new_zero(&p->allocator, count, 1);
    enum vxb_status status = VXB_OK;
    if (pixels && p->light && p->covered)
        vxbi_parallel(vxbi_thread_count(p->env), light_rows, p);
    else
        status = vxbi_fail_memory(err, count * 16);
    if (!status && atomic_load(&p->stop))
        status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    if (!status) {
        paint(p, pixels);
        status = vxbi_png_write_rgb(output, p->width, p->height, pixels, err);
    }
    vxbi_delete(&p->allocator, pixels, count, 3);
    vxbi_delete(&p->allocator, p->light, count, 3 * sizeof *p->light);
    vxbi_delete(&p->allocator, p->covered, count, 1);
    return status;
}

enum vxb_status vxbi_probe_draw(const struct vxb_env *env, const struct vxb_probe_field *field,
                                const struct vxb_scene *scene, uint32_t side, struct vxb_output *output,
                                struct vxb_error *err)
{
    struct picture p = {.env = env, .allocator = vxbi_allocator(env)};
    const struct vxb_fill_options options = {.size = sizeof options, .rays = 1, .max_distance = VXB_FILL_DISTANCE_MAX};
    side = side ? side : SIDE;
    if (side < SIDE_MIN || side > SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_USAGE, "a preview of %" PRIu32 " pixels a side: allowed is %d to %d", side,
                         SIDE_MIN, SIDE_MAX);
    enum vxb_status status = vxbi_fill_scene_init(&p.allocator, field, scene, &options, &p.scene, err);
    if (status)
        return status;
    p.scene.numbers.bounce = 1;
    p.arrays = vxbi_fill_scene_arrays(&p.scene, vxb_probe_pool_texels(vxb_probe_field_pool(field)),
                                      vxb_probe_field_indirection(field));
    lay_out(&p, field, side);
    status = draw(&p, output, err);
    vxbi_fill_scene_clear(&p.scene);
    return status;
}
