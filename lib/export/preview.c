/* Counting for a picture, and putting it together. Counters are atomics added to in no order, so only their sums can
 * matter. */
#include "preview.h"

#include <string.h>

#include "../core/alloc.h"
#include "../core/bytes.h"
#include "../core/limits.h"
#include "../core/os.h"
#include "legend.h"
#include "paint.h"
#include "png.h"
#include "vxk_blade.h"

struct vxbi_preview {
    struct vxb_allocator allocator;
    enum vxb_preview_as as;
    uint32_t side, width, height, planes, species_count;
    double x0, z0, x1, z1, pitch, pixels_a_metre;
    size_t count;                  /* pixels */
    _Atomic uint32_t *counts;      /* planes a pixel */
    _Atomic int64_t *heights;      /* sums of blades' heights in 1 / HEIGHT_UNIT metres; NULL: not asked for */
    struct vxbi_relief relief;
};

/* 2^20 m times 2^10 units times 2^32 blades stay below 2^63. */
#define HEIGHT_UNIT 1024.0

/* ---- making ---- */

static void set_grid(struct vxbi_preview *p, const struct vxbi_preview_desc *desc)
{
    double width = desc->x1 - desc->x0, depth = desc->z1 - desc->z0;
    p->x0 = desc->x0;
    p->z0 = desc->z0;
    if (!(width > 0.0) && !(depth > 0.0))
        width = depth = 1.0;
    double longer = width > depth ? width : depth;
    /* A field that is a line still has pixels. */
    width = width > longer / p->side ? width : longer / p->side;
    depth = depth > longer / p->side ? depth : longer / p->side;
    p->x1 = p->x0 + width;
    p->z1 = p->z0 + depth;
    p->pitch = longer / p->side;
    p->pixels_a_metre = p->side / longer;
    double columns = width * p->pixels_a_metre + 0.999, rows = depth * p->pixels_a_metre + 0.999;
    p->width = columns < p->side ? (uint32_t)columns : p->side;
    p->height = rows < p->side ? (uint32_t)rows : p->side;
    p->count = (size_t)p->width * p->height;
}

enum vxb_status vxbi_preview_new(const struct vxb_env *env, const struct vxbi_preview_desc *desc,
                                 struct vxbi_preview **out, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    uint32_t side = desc->side ? desc->side : VXBI_PREVIEW_SIDE;
    if (side < VXBI_PREVIEW_SIDE_MIN || side > VXBI_PREVIEW_SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_USAGE, "a preview of %u pixels a side: allowed is %d to %d", side,
                         VXBI_PREVIEW_SIDE_MIN, VXBI_PREVIEW_SIDE_MAX);
    if (desc->species_count < 1 || desc->species_count > VXB_SPECIES_MAX)
        return vxbi_fail(err, VXB_ERR_BUG, "a preview of %u species", desc->species_count);
    struct vxbi_preview *p = vxbi_new_zero(&allocator, 1, sizeof *p);
    if (!p)
        return vxbi_fail_memory(err, sizeof *p);
    p->allocator = allocator;
    p->as = desc->as;
    p->side = side;
    p->species_count = desc->species_count;
    p->planes = desc->as == VXB_PREVIEW_SPECIES  ? desc->species_count
                : desc->as == VXB_PREVIEW_REASON ? VXB_REASON_COUNT + 1
                                                 : 1;
    set_grid(p, desc);
    p->counts = vxbi_new_zero(&allocator, (uint64_t)p->count * p->planes, sizeof *p->counts);
    if (desc->relief_from_blades)
        p->heights = vxbi_new_zero(&allocator, p->count, sizeof *p->heights);
    if (!p->counts || (desc->relief_from_blades && !p->heights)) {
        uint64_t bytes = (uint64_t)p->count * (p->planes * sizeof *p->counts + sizeof *p->heights);
        vxbi_preview_free(p);
        return vxbi_fail_memory(err, bytes);
    }
    p->relief = (struct vxbi_relief){.allocator = allocator, .width = p->width, .height = p->height, .x0 = p->x0,
                                     .z0 = p->z0, .x1 = desc->x1, .z1 = desc->z1, .pitch = p->pitch};
    *out = p;
    return VXB_OK;
}

void vxbi_preview_free(struct vxbi_preview *p)
{
    if (!p)
        return;
    struct vxb_allocator allocator = p->allocator;
    vxbi_relief_clear(&p->relief);
    vxbi_delete(&allocator, p->counts, (uint64_t)p->count * p->planes, sizeof *p->counts);
    vxbi_delete(&allocator, p->heights, p->count, sizeof *p->heights);
    vxbi_delete(&allocator, p, 1, sizeof *p);
}

/* ---- counting ---- */

/* Adds n unless the counter is past what is shown: then it stays, and can't wrap. */
static void add(_Atomic uint32_t *counter, uint32_t n)
{
    uint32_t value = atomic_load_explicit(counter, memory_order_relaxed);
    if (value < VXBI_COUNT_MAX || value > 0x80000000u)
        atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

/* The pixel of a place given in pixels from the corner; false outside. The far sides belong to the last pixels. */
static bool pixel_of(const struct vxbi_preview *p, double column, double row, size_t *pixel)
{
    if (!(column >= 0.0 && row >= 0.0 && column <= p->width && row <= p->height))
        return false;
    size_t x = (size_t)column, y = (size_t)row;
    x = x < p->width ? x : p->width - 1;
    y = y < p->height ? y : p->height - 1;
    *pixel = y * p->width + x;
    return true;
}

/* From a record's place in a cell to pixels. */
struct placing {
    double column, row, step;
};

static struct placing place_at(const struct vxbi_preview *p, float cell_size, double corner_x, double corner_z)
{
    struct placing placing = {.column = (corner_x - p->x0) * p->pixels_a_metre,
                              .row = (corner_z - p->z0) * p->pixels_a_metre,
                              .step = (double)cell_size / 65536.0 * p->pixels_a_metre};
    return placing;
}

static struct placing place_cell(const struct vxbi_preview *p, float cell_size, const struct vxb_grass_chunk *chunk)
{
    return place_at(p, cell_size, chunk->cell_x * (double)cell_size, chunk->cell_z * (double)cell_size);
}

static bool code_pixel(const struct vxbi_preview *p, const struct placing *placing, uint32_t x, uint32_t z,
                       size_t *pixel)
{
    return pixel_of(p, placing->column + (x + 0.5) * placing->step, placing->row + (z + 0.5) * placing->step, pixel);
}

static bool record_pixel(const struct vxbi_preview *p, const struct placing *placing, const uint8_t *record,
                         size_t *pixel)
{
    return code_pixel(p, placing, vxbi_load_u16(record), vxbi_load_u16(record + 2), pixel);
}

void vxbi_preview_add_blades(struct vxbi_preview *p, uint32_t species, float cell_size,
                             const struct vxb_grass_chunk *chunk, const uint8_t *records)
{
    struct placing placing = place_cell(p, cell_size, chunk);
    uint32_t plane = p->as == VXB_PREVIEW_SPECIES ? species : 0;
    double range = ((double)chunk->max_y - (double)chunk->min_y) / 65535.0;
    if (p->as == VXB_PREVIEW_REASON || plane >= p->planes)
        return;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        const uint8_t *record = records + (size_t)i * VXB_GRASS_RECORD_BYTES;
        size_t pixel;
        if (!record_pixel(p, &placing, record, &pixel))
            continue;
        add(&p->counts[pixel * p->planes + plane], 1);
        if (p->heights) {
            double y = (double)chunk->min_y + vxbi_load_u16(record + 4) * range;
            y = y < -VXBI_WORLD_M ? -VXBI_WORLD_M : y > VXBI_WORLD_M ? VXBI_WORLD_M : y;
            int64_t units = (int64_t)(y * HEIGHT_UNIT + (y < 0.0 ? -0.5 : 0.5));
            atomic_fetch_add_explicit(&p->heights[pixel], units, memory_order_relaxed);
        }
    }
}

void vxbi_preview_add_reasons(struct vxbi_preview *p, float cell_size, double cell_x, double cell_z, const float *x,
                              const float *z, const uint8_t *reason, size_t count)
{
    const struct placing placing = place_at(p, cell_size, cell_x, cell_z);
    size_t last = SIZE_MAX;
    uint32_t run = 0;
    if (p->as != VXB_PREVIEW_REASON)
        return;
    /* Neighbours mostly share a pixel and a reason: one addition for the run of them. */
    for (size_t i = 0; i < count; i++) {
        size_t pixel;
        if (reason[i] >= p->planes || !code_pixel(p, &placing, vxk_place_code(x[i], cell_size),
                                                  vxk_place_code(z[i], cell_size), &pixel))
            continue;
        size_t at = pixel * p->planes + reason[i];
        if (at != last || run == 0x10000) {
            if (run)
                add(&p->counts[last], run);
            last = at;
            run = 0;
        }
        run++;
    }
    if (run)
        add(&p->counts[last], run);
}

void vxbi_preview_take_blades(struct vxbi_preview *p, float cell_size, const struct vxb_grass_chunk *chunk,
                              const uint8_t *records, size_t count)
{
    struct placing placing = place_cell(p, cell_size, chunk);
    if (p->as != VXB_PREVIEW_REASON)
        return;
    for (size_t i = 0; i < count; i++) {
        size_t pixel;
        if (!record_pixel(p, &placing, records + i * VXB_GRASS_RECORD_BYTES, &pixel))
            continue;
        atomic_fetch_sub_explicit(&p->counts[pixel * p->planes + VXB_REASON_COUNT], 1, memory_order_relaxed);
        add(&p->counts[pixel * p->planes + VXB_REASON_BUDGET], 1);
    }
}

/* ---- relief ---- */

enum vxb_status vxbi_preview_relief_terrain(struct vxbi_preview *p, const struct vxb_terrain *terrain,
                                            struct vxb_error *err)
{
    return vxbi_relief_from_terrain(&p->relief, terrain) ? VXB_OK : vxbi_fail_memory(err, (uint64_t)p->count * 9);
}

static uint32_t blades_at(const struct vxbi_preview *p, size_t pixel)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < p->planes; k++)
        sum += atomic_load_explicit(&p->counts[pixel * p->planes + k], memory_order_relaxed);
    return sum;
}

/* Heights from the blades', over a middle one so that f32 keeps their differences. */
static bool relief_from_blades(struct vxbi_preview *p)
{
    float *samples = vxbi_new(&p->allocator, p->count, sizeof *samples);
    float *weights = vxbi_new(&p->allocator, p->count, sizeof *weights);
    uint64_t blades = 0;
    double total = 0.0;
    bool ok = samples && weights;
    for (size_t i = 0; ok && i < p->count; i++) {
        blades += blades_at(p, i);
        total += (double)atomic_load_explicit(&p->heights[i], memory_order_relaxed);
    }
    double middle = blades ? total / (double)blades : 0.0;
    for (size_t i = 0; ok && i < p->count; i++) {
        uint32_t n = blades_at(p, i);
        double sum = (double)atomic_load_explicit(&p->heights[i], memory_order_relaxed);
        /* One weight a pixel, however many blades: crowded places should not pull their surroundings. */
        samples[i] = n ? (float)((sum / n - middle) / HEIGHT_UNIT) : 0.0f;
        weights[i] = n ? 1.0f : 0.0f;
    }
    if (ok) {
        uint32_t longer = p->width > p->height ? p->width : p->height;
        uint64_t spacing = 0;
        while (spacing * spacing * blades < p->count && spacing < longer)
            spacing++;
        uint64_t radius = 2 + 2 * spacing;
        radius = radius < longer / 8 ? radius : longer / 8;
        ok = vxbi_relief_from_samples(&p->relief, samples, weights, (uint32_t)radius);
    }
    vxbi_delete(&p->allocator, samples, p->count, sizeof *samples);
    vxbi_delete(&p->allocator, weights, p->count, sizeof *weights);
    return ok;
}

/* Level ground, where nobody gave any. */
static bool relief_level(struct vxbi_preview *p)
{
    float *samples = vxbi_new_zero(&p->allocator, p->count, sizeof *samples);
    float *weights = vxbi_new_zero(&p->allocator, p->count, sizeof *weights);
    bool ok = samples && weights && vxbi_relief_from_samples(&p->relief, samples, weights, 0);
    vxbi_delete(&p->allocator, samples, p->count, sizeof *samples);
    vxbi_delete(&p->allocator, weights, p->count, sizeof *weights);
    return ok;
}

/* ---- drawing ---- */

/* Each species' rank: a larger share before a smaller, a lower id before a higher. */
static void rank_species(uint32_t count, const uint32_t *parts, uint32_t *ranks)
{
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = 0;
        for (uint32_t k = 0; k < count; k++)
            ranks[i] += k < i ? parts[k] >= parts[i] : parts[k] > parts[i];
    }
}

/* Shades and paints the field at (x, y) of the canvas. */
static bool draw_field(struct vxbi_preview *p, struct vxbi_canvas *canvas, uint32_t x, uint32_t y,
                       const uint32_t *colours, double *density_end)
{
    uint8_t *look = vxbi_new(&p->allocator, p->count, 4);
    struct vxbi_paint paint = {.allocator = p->allocator, .as = p->as, .width = p->width, .height = p->height,
                               .pitch = p->pitch, .planes = p->planes, .counts = p->counts};
    if (!look)
        return false;
    paint.look = (struct vxbi_relief_look){.rgb = look, .light = look + p->count * 3};
    paint.ground = p->relief.ground;
    paint.colours = colours;
    bool ok = vxbi_relief_shade(&p->relief, &paint.look) && vxbi_paint_field(&paint, canvas, x, y, density_end);
    vxbi_delete(&p->allocator, look, p->count, 4);
    return ok;
}

struct layout {
    struct vxbi_canvas canvas;
    struct vxbi_legend legend;
    uint32_t margin, inner; /* inner: the canvas' width without its margins */
    uint32_t field_x;
    uint32_t colours[VXB_SPECIES_MAX];
};

static void lay_out(const struct vxbi_preview *p, const struct vxbi_preview_legend *rows, struct layout *out)
{
    uint32_t scale = p->side / 512 ? p->side / 512 : 1;
    out->legend = (struct vxbi_legend){.as = p->as, .species_count = p->species_count, .rows = rows,
                                       .colours = out->colours, .density_end = 1.0, .pitch = p->pitch,
                                       .width_m = p->x1 - p->x0, .depth_m = p->z1 - p->z0, .field_width = p->width,
                                       .scale = scale};
    rank_species(p->species_count, rows->parts, out->colours);
    uint32_t least = vxbi_legend_min_width(&out->legend);
    out->margin = 10 * scale;
    out->inner = p->width > least ? p->width : least;
    out->field_x = out->margin + (out->inner - p->width) / 2;
    out->canvas.width = out->inner + 2 * out->margin;
    out->canvas.height = p->height + 3 * out->margin + vxbi_legend_height(&out->legend, out->inner);
}

enum vxb_status vxbi_preview_write(struct vxbi_preview *p, const struct vxbi_preview_legend *rows,
                                   struct vxb_output *output, struct vxb_error *err)
{
    static const struct vxbi_colour frame = {96, 94, 88};
    struct layout layout;
    lay_out(p, rows, &layout);
    struct vxbi_canvas *canvas = &layout.canvas;
    uint64_t pixels = (uint64_t)canvas->width * canvas->height;
    bool ok = p->relief.heights || (p->heights ? relief_from_blades(p) : relief_level(p));
    canvas->pixels = ok ? vxbi_new(&p->allocator, pixels, 3) : NULL;
    if (!canvas->pixels)
        return vxbi_fail_memory(err, pixels * 3);
    vxbi_canvas_fill(canvas, 0, 0, canvas->width, canvas->height, vxbi_paper);
    ok = draw_field(p, canvas, layout.field_x, layout.margin, layout.colours, &layout.legend.density_end);
    vxbi_canvas_frame(canvas, layout.field_x, layout.margin, p->width, p->height, layout.legend.scale, frame);
    vxbi_legend_draw(&layout.legend, canvas, layout.margin, 2 * layout.margin + p->height, layout.inner);
    enum vxb_status status = ok ? vxbi_png_write_rgb(output, canvas->width, canvas->height, canvas->pixels, err)
                                : vxbi_fail_memory(err, (uint64_t)p->count * 32);
    vxbi_delete(&p->allocator, canvas->pixels, pixels, 3);
    return status;
}
