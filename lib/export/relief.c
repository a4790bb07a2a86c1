/* Shaded relief: four lights from the top left half of the sky, a height tint, bare rock where it is steep, and a touch
 * of how high a place stands over its surroundings. */
#include "relief.h"

#include <math.h>
#include <string.h>

#include "raster.h"

#define SUPERSAMPLE_MAX 8 /* a side: beyond that, pixels of a huge terrain are sampled, not averaged */

/* ---- heights ---- */

static bool is_hole(const struct vxb_terrain *terrain, uint32_t x, uint32_t z)
{
    if (!terrain->holes)
        return false;
    for (uint32_t k = 0; k < 4; k++) {
        size_t i = (size_t)(z + (k >> 1)) * terrain->samples_x + x + (k & 1);
        if (terrain->holes[i >> 3] >> (i & 7) & 1)
            return true;
    }
    return false;
}

/* Raw height at terrain-local quads (u, v), which must lie on the terrain. */
static double raw_height(const struct vxb_terrain *terrain, double u, double v, bool *hole)
{
    uint32_t last_x = terrain->samples_x - 2, last_z = terrain->samples_z - 2;
    uint32_t x = (uint32_t)u < last_x ? (uint32_t)u : last_x, z = (uint32_t)v < last_z ? (uint32_t)v : last_z;
    const uint16_t *row = terrain->heights + (size_t)z * terrain->samples_x + x;
    double fx = u - x, fz = v - z;
    double a = row[0] + (row[1] - row[0]) * fx;
    row += terrain->samples_x;
    double b = row[0] + (row[1] - row[0]) * fx;
    *hole = is_hole(terrain, x, z);
    return a + (b - a) * fz;
}

struct pixel {
    double sum;
    uint32_t inside, holes;
};

/* Where sample number of side in pixel at stands, on an axis from low to high; only the part of the pixel within is
 * sampled, so that a terrain thinner than a pixel is seen too. */
static double sample_place(double low, double high, double pitch, uint32_t at, uint32_t number, uint32_t side)
{
    double from = low + at * pitch, to = low + (at + 1.0) * pitch;
    to = to > high && high >= from ? high : to;
    return from + (to - from) * ((number + 0.5) / side);
}

static void sample_pixel(struct pixel *pixel, const struct vxbi_relief *relief, const struct vxb_terrain *terrain,
                         uint32_t x, uint32_t y, uint32_t side)
{
    double quad = (double)terrain->metres_per_quad;
    memset(pixel, 0, sizeof *pixel);
    for (uint32_t k = 0; k < side * side; k++) {
        double px = sample_place(relief->x0, relief->x1, relief->pitch, x, k % side, side);
        double pz = sample_place(relief->z0, relief->z1, relief->pitch, y, k / side, side);
        double u = (px - (double)terrain->origin[0]) / quad, v = (pz - (double)terrain->origin[2]) / quad;
        bool hole;
        if (!(u >= 0.0 && v >= 0.0 && u <= terrain->samples_x - 1.0 && v <= terrain->samples_z - 1.0))
            continue;
        pixel->sum += raw_height(terrain, u, v, &hole);
        pixel->inside++;
        pixel->holes += hole;
    }
}

static bool new_planes(struct vxbi_relief *relief)
{
    uint64_t count = (uint64_t)relief->width * relief->height;
    relief->heights = vxbi_new(&relief->allocator, count, sizeof *relief->heights);
    relief->ground = vxbi_new(&relief->allocator, count, 1);
    return relief->heights && relief->ground;
}

void vxbi_relief_clear(struct vxbi_relief *relief)
{
    uint64_t count = (uint64_t)relief->width * relief->height;
    vxbi_delete(&relief->allocator, relief->heights, count, sizeof *relief->heights);
    vxbi_delete(&relief->allocator, relief->ground, count, 1);
    relief->heights = NULL;
    relief->ground = NULL;
}

/* Smooths heights; radius in pixels. Weights keep what is outside from bleeding in. */
static bool smooth_heights(const struct vxbi_relief *relief, float *heights, float *weights, uint32_t radius)
{
    size_t count = (size_t)relief->width * relief->height;
    float *scratch = vxbi_new(&relief->allocator, count, sizeof *scratch);
    double *columns = vxbi_new(&relief->allocator, relief->width, sizeof *columns);
    bool ok = scratch && columns;
    if (ok) {
        vxbi_raster_blur(heights, scratch, columns, relief->width, relief->height, radius, 2);
        vxbi_raster_blur(weights, scratch, columns, relief->width, relief->height, radius, 2);
        for (size_t i = 0; i < count; i++) {
            bool known = weights[i] > 1e-6f;
            heights[i] = known ? heights[i] / weights[i] : 0.0f;
            weights[i] = known ? 1.0f : 0.0f;
        }
    }
    vxbi_delete(&relief->allocator, scratch, count, sizeof *scratch);
    vxbi_delete(&relief->allocator, columns, relief->width, sizeof *columns);
    return ok && vxbi_raster_fill(&relief->allocator, heights, weights, relief->width, relief->height);
}

bool vxbi_relief_from_terrain(struct vxbi_relief *relief, const struct vxb_terrain *terrain)
{
    double quad = (double)terrain->metres_per_quad;
    double metres = ((double)terrain->max_height - (double)terrain->min_height) / 65535.0;
    double pixels_a_quad = quad / relief->pitch;
    uint32_t side = 1;
    while (side < SUPERSAMPLE_MAX && side * pixels_a_quad < 1.0)
        side++;
    size_t count = (size_t)relief->width * relief->height;
    vxbi_relief_clear(relief);
    float *weights = vxbi_new(&relief->allocator, count, sizeof *weights);
    bool ok = new_planes(relief) && weights;
    for (uint32_t y = 0; ok && y < relief->height; y++)
        for (uint32_t x = 0; x < relief->width; x++) {
            size_t at = (size_t)y * relief->width + x;
            struct pixel pixel;
            sample_pixel(&pixel, relief, terrain, x, y, side);
            relief->heights[at] = pixel.inside ? (float)(pixel.sum / pixel.inside * metres) : 0.0f;
            weights[at] = pixel.inside ? 1.0f : 0.0f;
            relief->ground[at] = pixel.inside == 0                    ? VXBI_GROUND_OUTSIDE
                                 : pixel.holes * 2 >= pixel.inside ? VXBI_GROUND_HOLE
                                                                      : VXBI_GROUND_FIELD;
        }
    /* Where a quad is many pixels wide its bilinear facets would show as creases. */
    uint32_t radius = pixels_a_quad >= 2.0 ? (uint32_t)(pixels_a_quad < 1024.0 ? pixels_a_quad / 2.0 : 512.0) : 0;
    ok = ok && smooth_heights(relief, relief->heights, weights, radius);
    vxbi_delete(&relief->allocator, weights, count, sizeof *weights);
    if (!ok)
        vxbi_relief_clear(relief);
    return ok;
}

/* Planes that samples become a surface in. */
struct surface {
    uint32_t width, height;
    size_t count;
    const float *samples, *weights; /* a height, and 1 where there is one */
    float *result;                  /* the surface so far */
    float *step, *near, *scratch;
    double *columns;
};

#define NEAR 0.02f /* part of a pixel's surroundings that must be sampled for its height to count as known */

/* result += the smoothed difference between samples and result. Once is a weighted mean, which leans wherever samples
 * lie to one side; each further time takes most of that away. */
static void approach(struct surface *surface, uint32_t radius)
{
    for (size_t i = 0; i < surface->count; i++) {
        surface->step[i] = (surface->samples[i] - surface->result[i]) * surface->weights[i];
        surface->near[i] = surface->weights[i];
    }
    vxbi_raster_blur(surface->step, surface->scratch, surface->columns, surface->width, surface->height, radius, 2);
    vxbi_raster_blur(surface->near, surface->scratch, surface->columns, surface->width, surface->height, radius, 2);
    for (size_t i = 0; i < surface->count; i++)
        if (surface->near[i] > 1e-6f)
            surface->result[i] += surface->step[i] / surface->near[i];
}

/* Lets what lies between known heights settle like a sheet: coarse first. */
static void settle(struct surface *surface, float known, uint32_t longest)
{
    for (uint32_t radius = longest; radius >= 2; radius /= 2)
        for (int turn = 0; turn < 3; turn++) {
            memcpy(surface->step, surface->result, surface->count * sizeof *surface->step);
            vxbi_raster_blur(surface->step, surface->scratch, surface->columns, surface->width, surface->height, radius,
                             1);
            for (size_t i = 0; i < surface->count; i++)
                if (surface->near[i] <= known)
                    surface->result[i] = surface->step[i];
        }
}

static bool samples_to_surface(const struct vxbi_relief *relief, struct surface *surface, uint32_t radius)
{
    float known = 0.0f;
    uint32_t longer = relief->width > relief->height ? relief->width : relief->height;
    memset(surface->result, 0, surface->count * sizeof *surface->result);
    for (int turn = 0; turn < 4; turn++)
        approach(surface, radius);
    for (size_t i = 0; i < surface->count; i++)
        known = surface->near[i] > known ? surface->near[i] : known;
    known *= NEAR;
    for (size_t i = 0; i < surface->count; i++)
        surface->step[i] = surface->near[i] > known ? 1.0f : 0.0f;
    if (!vxbi_raster_fill(&relief->allocator, surface->result, surface->step, relief->width, relief->height))
        return false;
    settle(surface, known, longer / 16);
    /* The sheet meets what is known at an angle. */
    vxbi_raster_blur(surface->result, surface->scratch, surface->columns, relief->width, relief->height, radius, 2);
    return true;
}

bool vxbi_relief_from_samples(struct vxbi_relief *relief, const float *samples, const float *weights, uint32_t smooth)
{
    size_t count = (size_t)relief->width * relief->height;
    vxbi_relief_clear(relief);
    bool ok = new_planes(relief);
    float *work = vxbi_new(&relief->allocator, (uint64_t)count * 3, sizeof *work);
    double *columns = vxbi_new(&relief->allocator, relief->width, sizeof *columns);
    ok = ok && work && columns;
    if (ok) {
        struct surface surface = {.width = relief->width, .height = relief->height, .count = count, .samples = samples,
                                  .weights = weights, .result = relief->heights, .step = work, .near = work + count,
                                  .scratch = work + 2 * count, .columns = columns};
        ok = samples_to_surface(relief, &surface, smooth ? smooth : 1);
        memset(relief->ground, VXBI_GROUND_FIELD, count);
    }
    vxbi_delete(&relief->allocator, work, (uint64_t)count * 3, sizeof *work);
    vxbi_delete(&relief->allocator, columns, relief->width, sizeof *columns);
    if (!ok)
        vxbi_relief_clear(relief);
    return ok;
}

/* ---- light ---- */

static const float rock[3] = {147, 141, 134}, low_ground[3] = {172, 154, 124}, high_ground[3] = {221, 210, 186};

struct lighting {
    double exaggeration; /* of heights, so that gentle ground has a shape too */
    double inverse_step; /* 1 / metres between the two heights a slope is taken from */
    float low, range;    /* of the heights in the field */
    float prominence;    /* root mean square of the heights over their surroundings */
};

static void slope_at(const struct vxbi_relief *relief, uint32_t x, uint32_t y, double inverse_step, double *gx,
                     double *gz)
{
    uint32_t left = x ? x - 1 : x, right = x + 1 < relief->width ? x + 1 : x;
    uint32_t up = y ? y - 1 : y, down = y + 1 < relief->height ? y + 1 : y;
    const float *h = relief->heights;
    size_t w = relief->width;
    double across = (double)h[y * w + right] - (double)h[y * w + left];
    double along = (double)h[down * w + x] - (double)h[up * w + x];
    *gx = right > left ? across * inverse_step * 2.0 / (right - left) : 0.0;
    *gz = down > up ? along * inverse_step * 2.0 / (down - up) : 0.0;
}

static void measure(const struct vxbi_relief *relief, const float *around, struct lighting *lighting)
{
    double squares = 0.0, prominence = 0.0;
    uint64_t count = 0;
    float low = 0.0f, high = 0.0f;
    lighting->inverse_step = 0.5 / relief->pitch;
    for (uint32_t y = 0; y < relief->height; y++)
        for (uint32_t x = 0; x < relief->width; x++) {
            size_t at = (size_t)y * relief->width + x;
            double gx, gz;
            if (relief->ground[at] == VXBI_GROUND_OUTSIDE)
                continue;
            float h = relief->heights[at];
            low = count == 0 || h < low ? h : low;
            high = count == 0 || h > high ? h : high;
            slope_at(relief, x, y, lighting->inverse_step, &gx, &gz);
            squares += gx * gx + gz * gz;
            double over = (double)h - (double)around[at];
            prominence += over * over;
            count++;
        }
    double steepness = count ? sqrt(squares / (double)count) : 0.0;
    /* A typical slope is drawn as one of 0.36; level ground stays level. */
    lighting->exaggeration = steepness > 1e-4 ? 0.36 / steepness : 1.0;
    lighting->exaggeration = lighting->exaggeration < 0.6 ? 0.6 : lighting->exaggeration;
    lighting->exaggeration = lighting->exaggeration > 6.0 ? 6.0 : lighting->exaggeration;
    lighting->low = low;
    lighting->range = high - low;
    lighting->prominence = count ? (float)sqrt(prominence / (double)count) : 0.0f;
}

/* Light on a slope as a factor: 1 on level ground. Most of it comes from the top left, as maps have it. */
static double lit(double gx, double gz)
{
    static const double lights[4][3] = {
        {-0.5, 0.5, 0.50}, {-0.7071, 0.0, 0.20}, {0.0, 0.7071, 0.20}, {0.5, 0.5, 0.10}};
    double length = sqrt(gx * gx + gz * gz + 1.0), sum = 0.0;
    for (int i = 0; i < 4; i++) {
        /* The normal is (-gx, 1, -gz); light i comes from -z by its second number, at 45 degrees. */
        double dot = (-gx * lights[i][0] + 0.7071 + gz * lights[i][1]) / length;
        sum += (dot > 0.0 ? dot : 0.0) * lights[i][2];
    }
    return sum / 0.7071;
}

static uint8_t to_byte(double value)
{
    return value <= 0.0 ? 0 : value >= 255.0 ? 255 : (uint8_t)(value + 0.5);
}

static void shade_pixel(const struct vxbi_relief *relief, const struct lighting *lighting, const float *around,
                        uint32_t x, uint32_t y, const struct vxbi_relief_look *look)
{
    size_t at = (size_t)y * relief->width + x;
    double gx, gz, h = (double)relief->heights[at];
    slope_at(relief, x, y, lighting->inverse_step, &gx, &gz);
    double light = 1.0 + (lit(gx * lighting->exaggeration, gz * lighting->exaggeration) - 1.0) * 0.85;
    if (lighting->prominence > 1e-4f) {
        double over = (h - (double)around[at]) / (double)lighting->prominence;
        light += 0.05 * (over < -2.0 ? -2.0 : over > 2.0 ? 2.0 : over);
    }
    light = light < 0.4 ? 0.4 : light > 1.25 ? 1.25 : light;
    double tone = lighting->range > 0.0f ? (h - (double)lighting->low) / (double)lighting->range : 0.5;
    double steep = (sqrt(gx * gx + gz * gz) - 0.6) / 0.5; /* from 31 degrees on the ground shows; at 48 it is rock */
    steep = steep < 0.0 ? 0.0 : steep > 1.0 ? 1.0 : steep;
    for (int c = 0; c < 3; c++) {
        double ground = (double)low_ground[c] + (double)(high_ground[c] - low_ground[c]) * tone;
        ground += ((double)rock[c] - ground) * steep;
        look->rgb[at * 3 + (size_t)c] = to_byte(ground * light);
    }
    look->light[at] = to_byte(light * 128.0);
}

bool vxbi_relief_shade(const struct vxbi_relief *relief, const struct vxbi_relief_look *look)
{
    size_t count = (size_t)relief->width * relief->height;
    uint32_t longer = relief->width > relief->height ? relief->width : relief->height;
    struct lighting lighting;
    float *around = vxbi_new(&relief->allocator, count, sizeof *around);
    float *weights = vxbi_new(&relief->allocator, count, sizeof *weights);
    bool ok = around && weights;
    if (ok) {
        for (size_t i = 0; i < count; i++) {
            weights[i] = relief->ground[i] == VXBI_GROUND_OUTSIDE ? 0.0f : 1.0f;
            around[i] = relief->heights[i] * weights[i];
        }
        ok = smooth_heights(relief, around, weights, longer / 24 + 1);
    }
    if (ok) {
        measure(relief, around, &lighting);
        for (uint32_t y = 0; y < relief->height; y++)
            for (uint32_t x = 0; x < relief->width; x++)
                shade_pixel(relief, &lighting, around, x, y, look);
    }
    vxbi_delete(&relief->allocator, around, count, sizeof *around);
    vxbi_delete(&relief->allocator, weights, count, sizeof *weights);
    return ok;
}
