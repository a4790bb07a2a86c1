/* Two things make a field readable at any density: how dense each species is around a pixel, smoothed over a few
 * blades, gives the tone, and the blades themselves give the grain. */
#include "paint.h"

#include <math.h>

#include "raster.h"

const struct vxbi_colour vxbi_species_colours[VXB_SPECIES_MAX] = {
    {84, 139, 60},   /* grass green */
    {22, 108, 102},  /* a bluish one */
    {233, 200, 92},  /* straw */
    {166, 96, 158}}; /* heather */

const struct vxbi_colour vxbi_reason_colours[VXB_REASON_COUNT + 1] = {
    {84, 84, 90},    /* no surface: grey */
    {204, 121, 167}, /* excluded: pink */
    {213, 94, 0},    /* slope: vermilion */
    {86, 180, 233},  /* altitude: sky blue */
    {240, 220, 90},  /* density: yellow */
    {40, 74, 160},   /* budget: blue */
    {0, 140, 96}};   /* placed: green */

const struct vxbi_colour vxbi_paper = {246, 244, 238}, vxbi_hole_colour = {70, 66, 66};

/* Perceptually even from dark to light, after the well-known "viridis". */
struct vxbi_colour vxbi_density_colour(double part)
{
    static const uint8_t stops[9][3] = {{68, 1, 84},   {71, 44, 122},  {59, 81, 139}, {44, 113, 142}, {33, 144, 141},
                                        {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
    double at = part <= 0.0 ? 0.0 : part >= 1.0 ? 8.0 : part * 8.0;
    int low = at >= 8.0 ? 7 : (int)at;
    double t = at - low;
    struct vxbi_colour out;
    out.r = (uint8_t)(stops[low][0] + (stops[low + 1][0] - stops[low][0]) * t + 0.5);
    out.g = (uint8_t)(stops[low][1] + (stops[low + 1][1] - stops[low][1]) * t + 0.5);
    out.b = (uint8_t)(stops[low][2] + (stops[low + 1][2] - stops[low][2]) * t + 0.5);
    return out;
}

double vxbi_round_up(double value, const double *steps, size_t count)
{
    double ten = 1.0;
    if (!(value > 0.0))
        return 1.0;
    while (ten * 10.0 <= value && ten < 1e18)
        ten *= 10.0;
    while (ten > value && ten > 1e-9)
        ten /= 10.0;
    for (size_t i = 0; i < count; i++)
        if (steps[i] * ten >= value)
            return steps[i] * ten;
    return ten * 10.0;
}

/* What one drawing needs beside its inputs. */
struct work {
    const struct vxbi_paint *paint;
    struct vxbi_canvas *canvas;
    uint32_t x, y;
    size_t count;
    float *mask, *scratch; /* mask: the part of a pixel's surroundings that is field */
    double *columns;
    uint32_t radius;       /* of the smoothing, pixels */
    double mean;           /* counted a pixel of the field, all planes; 1 where nothing is */
    double spacing;        /* pixels between blades, on average over the field */
};

static uint32_t count_at(const struct vxbi_paint *paint, size_t pixel, uint32_t plane)
{
    uint32_t value = atomic_load_explicit(&paint->counts[pixel * paint->planes + plane], memory_order_relaxed);
    /* A candidate taken away in another pixel than it was put in (quantised in between) may leave one below zero. */
    return value > 0x80000000u ? 0 : value > VXBI_COUNT_MAX ? VXBI_COUNT_MAX : value;
}

static void blur(const struct work *work, float *plane, int passes)
{
    vxbi_raster_blur(plane, work->scratch, work->columns, work->paint->width, work->paint->height, work->radius,
                     passes);
}

static void release(struct work *work)
{
    const struct vxb_allocator *a = &work->paint->allocator;
    vxbi_delete(a, work->mask, work->count, sizeof *work->mask);
    vxbi_delete(a, work->scratch, work->count, sizeof *work->scratch);
    vxbi_delete(a, work->columns, work->paint->width, sizeof *work->columns);
}

/* Reasons are told of places outside the field too: that is where there is no surface. */
static bool in_field(const struct vxbi_paint *paint, size_t pixel)
{
    return paint->as == VXB_PREVIEW_REASON || paint->ground[pixel] == VXBI_GROUND_FIELD;
}

static bool prepare(struct work *work)
{
    const struct vxbi_paint *paint = work->paint;
    uint32_t longer = paint->width > paint->height ? paint->width : paint->height;
    uint64_t blades = 0, field = 0;
    work->mask = vxbi_new(&paint->allocator, work->count, sizeof *work->mask);
    work->scratch = vxbi_new(&paint->allocator, work->count, sizeof *work->scratch);
    work->columns = vxbi_new(&paint->allocator, paint->width, sizeof *work->columns);
    if (!work->mask || !work->scratch || !work->columns) {
        release(work);
        return false;
    }
    for (size_t i = 0; i < work->count; i++) {
        bool inside = in_field(paint, i);
        work->mask[i] = inside ? 1.0f : 0.0f;
        field += inside;
        for (uint32_t k = 0; k < paint->planes; k++)
            blades += count_at(paint, i, k);
    }
    work->mean = blades && field ? (double)blades / (double)field : 1.0;
    work->spacing = blades ? sqrt(1.0 / work->mean) : (double)longer;
    /* A number read off the picture, or which of seven reasons leads, should stand on more blades than a tone. */
    static const double smoothing[3] = {[VXB_PREVIEW_SPECIES] = 0.9, [VXB_PREVIEW_DENSITY] = 2.5,
                                        [VXB_PREVIEW_REASON] = 3.0};
    double radius = work->spacing * smoothing[paint->as] + 1.0;
    work->radius = radius < longer / 16.0 ? (uint32_t)radius : longer / 16;
    blur(work, work->mask, 3);
    return true;
}

/* One plane's counts a pixel, smoothed without losing any to what is no field. */
static void smoothed(const struct work *work, uint32_t plane, float *out)
{
    double sum = 0.0;
    for (size_t i = 0; i < work->count; i++) {
        out[i] = in_field(work->paint, i) ? (float)count_at(work->paint, i, plane) : 0.0f;
        sum += (double)out[i];
    }
    float nothing = (float)(sum / (double)work->count * 1e-6); /* what rounding leaves of running sums */
    blur(work, out, 3);
    /* Less than a fifth is a few pixels between holes, where dividing would make much of one blade. */
    for (size_t i = 0; i < work->count; i++) {
        float mask = work->mask[i] > 0.2f ? work->mask[i] : 0.2f;
        out[i] = in_field(work->paint, i) && out[i] > nothing ? out[i] / mask : 0.0f;
    }
}

static uint8_t *pixel_at(const struct work *work, uint32_t x, uint32_t y)
{
    return work->canvas->pixels + ((size_t)(work->y + y) * work->canvas->width + work->x + x) * 3;
}

static uint8_t to_byte(double value)
{
    return value <= 0.0 ? 0 : value >= 255.0 ? 255 : (uint8_t)(value + 0.5);
}

static void blend(uint8_t *pixel, const double rgb[3], double alpha)
{
    for (int c = 0; c < 3; c++)
        pixel[c] = to_byte(pixel[c] + (rgb[c] - pixel[c]) * alpha);
}

/* The ground alone: paper outside, hatching over holes, relief elsewhere. */
static void draw_ground(const struct work *work)
{
    const struct vxbi_paint *paint = work->paint;
    uint32_t longer = paint->width > paint->height ? paint->width : paint->height;
    uint32_t hatch = 6 + longer / 256;
    for (uint32_t y = 0; y < paint->height; y++)
        for (uint32_t x = 0; x < paint->width; x++) {
            size_t at = (size_t)y * paint->width + x;
            uint8_t *p = pixel_at(work, x, y);
            struct vxbi_colour flat = vxbi_paper;
            if (paint->ground[at] == VXBI_GROUND_FIELD) {
                for (size_t c = 0; c < 3; c++)
                    p[c] = paint->look.rgb[at * 3 + c];
                continue;
            }
            if (paint->ground[at] == VXBI_GROUND_HOLE) {
                flat = vxbi_hole_colour;
                if ((x + y) % hatch < hatch / 4)
                    flat.r = flat.g = flat.b = 128;
            }
            p[0] = flat.r;
            p[1] = flat.g;
            p[2] = flat.b;
        }
}

/* The light on what grows: softer than on the ground. */
static double light_at(const struct vxbi_paint *paint, size_t at) { return 0.2 + 0.8 * paint->look.light[at] / 128.0; }

static void lit_colour(double out[3], struct vxbi_colour colour, double light)
{
    out[0] = colour.r * light;
    out[1] = colour.g * light;
    out[2] = colour.b * light;
}

/* What a counter of a pixel is drawn in. */
static struct vxbi_colour colour_of(const struct vxbi_paint *paint, uint32_t plane)
{
    return paint->as == VXB_PREVIEW_REASON ? vxbi_reason_colours[plane] : vxbi_species_colours[paint->colours[plane]];
}

/* A number in 0..1 that looks random and is the same everywhere. */
static double speckle(uint32_t x, uint32_t y, uint32_t k)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ k * 0x27D4EB2Fu;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 13;
    return (h >> 8) * (1.0 / 16777216.0);
}

/* What was counted in one pixel, in its own mean colour, so that the grain fades as a field gets dense. */
static void draw_speck(const struct work *work, uint32_t x, uint32_t y, double alpha)
{
    const struct vxbi_paint *paint = work->paint;
    size_t at = (size_t)y * paint->width + x;
    double sum = 0.0, rgb[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < paint->planes; k++) {
        double n = count_at(paint, at, k), one[3];
        lit_colour(one, colour_of(paint, k), light_at(paint, at) * (0.86 + 0.28 * speckle(x, y, k)));
        for (int c = 0; c < 3; c++)
            rgb[c] += one[c] * n;
        sum += n;
    }
    if (!(sum > 0.0))
        return;
    for (int c = 0; c < 3; c++)
        rgb[c] /= sum;
    blend(pixel_at(work, x, y), rgb, alpha);
}

/* ---- species ---- */

/* The density that a blade has around it, on average: what "dense" means in this field. */
static double typical_density(const struct work *work, float *const *planes)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < work->count; i++) {
        double d = 0.0;
        for (uint32_t k = 0; k < work->paint->planes; k++)
            d += (double)planes[k][i];
        sum += d;
        squares += d * d;
    }
    return sum > 0.0 ? squares / sum : 1.0;
}

static void draw_tone(const struct work *work, float *const *planes)
{
    const struct vxbi_paint *paint = work->paint;
    double typical = typical_density(work, planes);
    for (uint32_t y = 0; y < paint->height; y++)
        for (uint32_t x = 0; x < paint->width; x++) {
            size_t at = (size_t)y * paint->width + x;
            double sum = 0.0, weight = 0.0, rgb[3] = {0.0, 0.0, 0.0}, light = light_at(paint, at) * 0.94;
            if (paint->ground[at] != VXBI_GROUND_FIELD)
                continue;
            for (uint32_t k = 0; k < paint->planes; k++) {
                double d = (double)planes[k][at], w = d * d, one[3];
                lit_colour(one, colour_of(paint, k), light);
                for (int c = 0; c < 3; c++)
                    rgb[c] += one[c] * w;
                weight += w;
                sum += d;
            }
            if (!(weight > 0.0))
                continue;
            for (int c = 0; c < 3; c++)
                rgb[c] /= weight;
            blend(pixel_at(work, x, y), rgb, 0.95 * sum / (sum + 0.2 * typical));
        }
}

/* A disc of radius pixels about the middle of pixel (x, y). */
static void draw_tuft(const struct work *work, uint32_t x, uint32_t y, uint32_t k, double radius)
{
    const struct vxbi_paint *paint = work->paint;
    int64_t reach = (int64_t)radius + 1;
    double shade = 0.8 + 0.4 * speckle(x, y, k);
    for (int64_t j = -reach; j <= reach; j++)
        for (int64_t i = -reach; i <= reach; i++) {
            int64_t px = (int64_t)x + i, py = (int64_t)y + j;
            double distance = sqrt((double)(i * i + j * j)), cover = radius + 0.5 - distance, rgb[3];
            if (px < 0 || py < 0 || px >= paint->width || py >= paint->height || cover <= 0.0)
                continue;
            size_t at = (size_t)py * paint->width + (size_t)px;
            if (paint->ground[at] != VXBI_GROUND_FIELD)
                continue;
            lit_colour(rgb, colour_of(paint, k), light_at(paint, at) * (shade + 0.16 * (0.5 - distance / radius)));
            blend(pixel_at(work, (uint32_t)px, (uint32_t)py), rgb, cover > 1.0 ? 0.95 : 0.95 * cover);
        }
}

static void draw_grain(const struct work *work)
{
    const struct vxbi_paint *paint = work->paint;
    double radius = 0.05 / paint->pitch; /* a blade is drawn as 10 cm, but never over its neighbour */
    radius = radius > work->spacing * 0.42 ? work->spacing * 0.42 : radius;
    for (uint32_t y = 0; y < paint->height; y++)
        for (uint32_t x = 0; x < paint->width; x++) {
            size_t at = (size_t)y * paint->width + x;
            if (paint->ground[at] != VXBI_GROUND_FIELD)
                continue;
            if (radius < 0.9) {
                draw_speck(work, x, y, 0.62);
                continue;
            }
            for (uint32_t k = 0; k < paint->planes; k++)
                if (count_at(paint, at, k))
                    draw_tuft(work, x, y, k, radius);
        }
}

static bool draw_species(const struct work *work)
{
    const struct vxb_allocator *a = &work->paint->allocator;
    float *planes[VXB_SPECIES_MAX] = {NULL};
    bool ok = true;
    for (uint32_t k = 0; k < work->paint->planes && ok; k++) {
        planes[k] = vxbi_new(a, work->count, sizeof *planes[k]);
        ok = planes[k] != NULL;
        if (ok)
            smoothed(work, k, planes[k]);
    }
    if (ok) {
        draw_tone(work, planes);
        draw_grain(work);
    }
    for (uint32_t k = 0; k < work->paint->planes; k++)
        vxbi_delete(a, planes[k], work->count, sizeof *planes[k]);
    return ok;
}

/* ---- density ---- */

static bool draw_density(const struct work *work, double *end)
{
    const struct vxbi_paint *paint = work->paint;
    float *plane = vxbi_new(&paint->allocator, work->count, sizeof *plane);
    static const double steps[] = {1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0}; /* halves are short numbers too */
    double area = paint->pitch * paint->pitch, most = 0.0;
    if (!plane)
        return false;
    smoothed(work, 0, plane);
    for (size_t i = 0; i < work->count; i++)
        if (paint->ground[i] == VXBI_GROUND_FIELD && (double)plane[i] > most)
            most = (double)plane[i];
    *end = vxbi_round_up(most / area, steps, sizeof steps / sizeof steps[0]);
    for (uint32_t y = 0; y < paint->height; y++)
        for (uint32_t x = 0; x < paint->width; x++) {
            size_t at = (size_t)y * paint->width + x;
            double part = (double)plane[at] / area / *end, rgb[3];
            if (paint->ground[at] != VXBI_GROUND_FIELD || !(part > 0.0))
                continue;
            lit_colour(rgb, vxbi_density_colour(part), 0.5 + 0.5 * light_at(paint, at));
            /* Where next to nothing grows the ground shows, not the ramp's darkest colour. */
            blend(pixel_at(work, x, y), rgb, part < 0.02 ? 0.9 * part / 0.02 : 0.9);
        }
    vxbi_delete(&paint->allocator, plane, work->count, sizeof *plane);
    return true;
}

/* ---- reasons ---- */

/* Each pixel has the mean of the reasons' colours by the fourth power of their number: the commonest's colour, without
 * a hard line where two are equals. */
static void mix_reason(const struct work *work, uint32_t reason, const float *plane, float *weights, float *rgb)
{
    const struct vxbi_colour colour = vxbi_reason_colours[reason];
    for (size_t i = 0; i < work->count; i++) {
        float d = plane[i] / (float)work->mean, w = d * d * d * d;
        weights[i] += w;
        rgb[i * 3] += w * (float)colour.r;
        rgb[i * 3 + 1] += w * (float)colour.g;
        rgb[i * 3 + 2] += w * (float)colour.b;
    }
}

static void draw_reason(const struct work *work, uint32_t x, uint32_t y, double sum, double weight, const float *rgb)
{
    const struct vxbi_paint *paint = work->paint;
    size_t at = (size_t)y * paint->width + x;
    bool field = paint->ground[at] == VXBI_GROUND_FIELD;
    double light = field ? light_at(paint, at) : 1.0, mixed[3];
    if (paint->ground[at] == VXBI_GROUND_HOLE || !(weight > 0.0))
        return;
    for (int c = 0; c < 3; c++)
        mixed[c] = (double)rgb[c] / weight * light;
    /* The fourth root of the weight is about the number of the commonest. */
    double leading = sqrt(sqrt(weight)) * work->mean / sum;
    blend(pixel_at(work, x, y), mixed, field ? 0.3 + 0.65 * (leading > 1.0 ? 1.0 : leading) : 0.3);
    if (field)
        draw_speck(work, x, y, 0.6);
}

static bool draw_reasons(const struct work *work)
{
    const struct vxb_allocator *a = &work->paint->allocator;
    uint64_t thrice = (uint64_t)work->count * 3;
    float *plane = vxbi_new(a, work->count, sizeof *plane), *weights = vxbi_new_zero(a, work->count, sizeof *weights);
    float *sums = vxbi_new_zero(a, work->count, sizeof *sums), *rgb = vxbi_new_zero(a, thrice, sizeof *rgb);
    bool ok = plane && weights && sums && rgb;
    for (uint32_t k = 0; k < work->paint->planes && ok; k++) {
        smoothed(work, k, plane);
        for (size_t i = 0; i < work->count; i++)
            sums[i] += plane[i];
        mix_reason(work, k, plane, weights, rgb);
    }
    for (uint32_t y = 0; y < work->paint->height && ok; y++)
        for (uint32_t x = 0; x < work->paint->width; x++) {
            size_t i = (size_t)y * work->paint->width + x;
            draw_reason(work, x, y, (double)sums[i], (double)weights[i], rgb + i * 3);
        }
    vxbi_delete(a, plane, work->count, sizeof *plane);
    vxbi_delete(a, weights, work->count, sizeof *weights);
    vxbi_delete(a, sums, work->count, sizeof *sums);
    vxbi_delete(a, rgb, thrice, sizeof *rgb);
    return ok;
}

bool vxbi_paint_field(const struct vxbi_paint *paint, struct vxbi_canvas *canvas, uint32_t x, uint32_t y,
                      double *density_end)
{
    struct work work = {
        .paint = paint, .canvas = canvas, .x = x, .y = y, .count = (size_t)paint->width * paint->height};
    bool ok = false;
    if (!prepare(&work))
        return false;
    draw_ground(&work);
    switch (paint->as) {
    case VXB_PREVIEW_SPECIES: ok = draw_species(&work); break;
    case VXB_PREVIEW_REASON: ok = draw_reasons(&work); break;
    case VXB_PREVIEW_DENSITY: ok = draw_density(&work, density_end); break;
    }
    release(&work);
    return ok;
}
