/* Pictures of a walk: what the ring held and took over time, and the path from above over the field's cells. Made
 *   from the frames alone; a column or a pixel that stands for many frames shows the most of them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/error.h"
#include "../core/os.h"
#include "../core/text.h"
#include "../vxbake/simulate.h"
#include "canvas.h"
#include "paint.h"
#include "png.h"

enum { MARGIN = 16, SCALE = 2, LINE = 9 * SCALE + 6 };
enum { PLOT_WIDTH = 1024, PANEL_HEIGHT = 160, PANELS = 3 };
enum { MAP_SIDE = 960, MAP_MIN_WIDTH = 640 };

static const struct vxbi_colour ink = {40, 40, 44}, faint = {214, 212, 204}, blue = {52, 101, 164},
                                red = {190, 60, 40}, amber = {214, 150, 40}, line_grey = {150, 148, 140};

static enum vxb_status make_canvas(const struct vxb_allocator *allocator, uint32_t width, uint32_t height,
                                   struct vxbi_canvas *out, struct vxb_error *err)
{
    *out = (struct vxbi_canvas){.width = width, .height = height,
                                .pixels = vxbi_new(allocator, (uint64_t)width * height, 3)};
    if (!out->pixels)
        return vxbi_fail_memory(err, (uint64_t)width * height * 3);
    vxbi_canvas_fill(out, 0, 0, width, height, vxbi_paper);
    return VXB_OK;
}

static void text_at(struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width, const char *text,
                    struct vxbi_colour colour)
{
    char cut[256];
    vxbi_canvas_text_fit(cut, sizeof cut, SCALE, width, text);
    vxbi_canvas_text(canvas, x, y, SCALE, cut, colour);
}

/* ---- over time ---- */

typedef uint64_t value_of(const struct vxb_simulation_frame *frame);

static uint64_t resident_of(const struct vxb_simulation_frame *frame) { return frame->resident; }
static uint64_t refused_of(const struct vxb_simulation_frame *frame) { return frame->refused; }
static uint64_t missing_of(const struct vxb_simulation_frame *frame)
{
    return (uint64_t)frame->refused + frame->deferred;
}
static uint64_t upload_of(const struct vxb_simulation_frame *frame) { return frame->upload_bytes; }

struct panel {
    int64_t x, y;
    double top; /* the value of its upper side */
};

static void draw_panel(struct vxbi_canvas *canvas, const struct panel *panel, const char *title)
{
    text_at(canvas, panel->x, panel->y - LINE, PLOT_WIDTH, title, ink);
    vxbi_canvas_fill(canvas, panel->x, panel->y, PLOT_WIDTH, PANEL_HEIGHT, (struct vxbi_colour){255, 255, 255});
    for (int64_t i = 1; i < 4; i++)
        vxbi_canvas_fill(canvas, panel->x, panel->y + i * PANEL_HEIGHT / 4, PLOT_WIDTH, 1, faint);
    vxbi_canvas_frame(canvas, panel->x, panel->y, PLOT_WIDTH, PANEL_HEIGHT, 1, line_grey);
}

/* A bar a column, as high as the most of its frames. */
static void draw_bars(struct vxbi_canvas *canvas, const struct panel *panel, const struct vxb_simulation *s,
                      value_of *value, struct vxbi_colour colour)
{
    const uint64_t frames = s->frame_count;
    for (uint64_t column = 0; column < PLOT_WIDTH; column++) {
        uint64_t first = column * frames / PLOT_WIDTH, end = (column + 1) * frames / PLOT_WIDTH, most = 0;
        for (uint64_t i = first; i < (end > first ? end : first + 1); i++) {
            uint64_t v = value(&s->frames[i]);
            most = v > most ? v : most;
        }
        int64_t height = (int64_t)ceil((double)most / panel->top * PANEL_HEIGHT);
        height = height < PANEL_HEIGHT ? height : PANEL_HEIGHT;
        vxbi_canvas_fill(canvas, panel->x + (int64_t)column, panel->y + PANEL_HEIGHT - height, 1, height, colour);
    }
}

static double top_of(uint64_t most)
{
    static const double steps[] = {1, 2, 3, 5};
    return vxbi_round_up((double)most, steps, 4);
}

static void draw_residency(struct vxbi_canvas *canvas, const struct panel *panel, const struct vxb_simulation *s)
{
    char title[160];
    snprintf(title, sizeof title, "resident cells, of %" PRIu32 " slots; to %.0f", s->options.capacity, panel->top);
    draw_panel(canvas, panel, title);
    draw_bars(canvas, panel, s, resident_of, blue);
    int64_t at = panel->y + PANEL_HEIGHT - (int64_t)(s->options.capacity / panel->top * PANEL_HEIGHT);
    vxbi_canvas_fill(canvas, panel->x, at, PLOT_WIDTH, 1, red);
}

static void draw_missing(struct vxbi_canvas *canvas, const struct panel *panel, const struct vxb_simulation *s)
{
    char title[160];
    snprintf(title, sizeof title, "cells refused (red) and deferred (amber); to %.0f", panel->top);
    draw_panel(canvas, panel, title);
    draw_bars(canvas, panel, s, missing_of, amber);
    draw_bars(canvas, panel, s, refused_of, red);
}

static void draw_uploads(struct vxbi_canvas *canvas, const struct panel *panel, const struct vxb_simulation *s)
{
    char title[160];
    snprintf(title, sizeof title, "bytes uploaded; to %.0f", panel->top);
    draw_panel(canvas, panel, title);
    draw_bars(canvas, panel, s, upload_of, ink);
}

enum vxb_status vxb_simulation_plot(const struct vxb_env *env, const struct vxb_simulation *s,
                                    struct vxb_output *output, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    const uint32_t pitch = PANEL_HEIGHT + LINE + MARGIN;
    struct vxbi_canvas canvas;
    char seconds[VXB_TEXT_NUMBER_ROOM], title[160];
    status = make_canvas(&allocator, PLOT_WIDTH + 2 * MARGIN, MARGIN + LINE + PANELS * pitch + MARGIN, &canvas, err);
    if (status)
        return status;
    snprintf(title, sizeof title, "%" PRIu32 " frames, %s s", s->frame_count,
             vxb_text_f32((float)(s->frames[s->frame_count - 1].time - s->frames[0].time), seconds));
    text_at(&canvas, MARGIN, MARGIN, PLOT_WIDTH, title, ink);
    const int64_t y = MARGIN + 2 * LINE;
    uint64_t resident = s->most_resident.value > s->options.capacity ? s->most_resident.value : s->options.capacity;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < s->frame_count; i++)
        missing = missing_of(&s->frames[i]) > missing ? missing_of(&s->frames[i]) : missing;
    draw_residency(&canvas, &(struct panel){MARGIN, y, top_of(resident)}, s);
    draw_missing(&canvas, &(struct panel){MARGIN, y + pitch, top_of(missing)}, s);
    draw_uploads(&canvas, &(struct panel){MARGIN, y + 2 * pitch, top_of(s->most_uploaded.value)}, s);
    status = vxbi_png_write_rgb(output, canvas.width, canvas.height, canvas.pixels, err);
    vxbi_delete(&allocator, canvas.pixels, (uint64_t)canvas.width * canvas.height, 3);
    return status;
}

/* ---- from above ---- */

/* The world rectangle shown, and where on the canvas it is. */
struct map {
    double x0, z0, x1, z1;
    double pixels; /* a metre */
    int64_t left, top, width, height;
};

static void include(struct map *map, double x0, double z0, double x1, double z1)
{
    map->x0 = fmin(map->x0, x0);
    map->z0 = fmin(map->z0, z0);
    map->x1 = fmax(map->x1, x1);
    map->z1 = fmax(map->z1, z1);
}

static void place_map(const struct vxb_simulation *s, struct map *map)
{
    const double size = (double)s->cell_size;
    *map = (struct map){.x0 = INFINITY, .z0 = INFINITY, .x1 = -INFINITY, .z1 = -INFINITY};
    for (uint32_t i = 0; i < s->cell_count; i++)
        include(map, s->cells[i].x * size, s->cells[i].z * size, (s->cells[i].x + 1) * size,
                (s->cells[i].z + 1) * size);
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const float *p = s->frames[i].position;
        include(map, (double)p[0], (double)p[2], (double)p[0], (double)p[2]);
    }
    include(map, map->x0 - size / 4, map->z0 - size / 4, map->x1 + size / 4, map->z1 + size / 4);
    map->pixels = MAP_SIDE / fmax(map->x1 - map->x0, map->z1 - map->z0);
    map->width = (int64_t)ceil((map->x1 - map->x0) * map->pixels);
    map->height = (int64_t)ceil((map->z1 - map->z0) * map->pixels);
    map->left = map->top = MARGIN;
}

static int64_t column_of(const struct map *map, double x)
{
    return map->left + (int64_t)floor((x - map->x0) * map->pixels);
}

static int64_t row_of(const struct map *map, double z)
{
    return map->top + (int64_t)floor((z - map->z0) * map->pixels);
}

static void draw_cells(struct vxbi_canvas *canvas, const struct map *map, const struct vxb_simulation *s)
{
    const double size = (double)s->cell_size;
    uint32_t most = 1;
    for (uint32_t i = 0; i < s->cell_count; i++)
        most = s->cells[i].blades > most ? s->cells[i].blades : most;
    for (uint32_t i = 0; i < s->cell_count; i++) {
        const struct vxb_simulation_cell *cell = &s->cells[i];
        int64_t x0 = column_of(map, cell->x * size), x1 = column_of(map, (cell->x + 1) * size);
        int64_t z0 = row_of(map, cell->z * size), z1 = row_of(map, (cell->z + 1) * size);
        int64_t gap = x1 - x0 > 4 && z1 - z0 > 4 ? 1 : 0;
        vxbi_canvas_fill(canvas, x0, z0, x1 - x0 - gap, z1 - z0 - gap,
                         vxbi_density_colour((double)cell->blades / most));
    }
}

static void draw_dot(struct vxbi_canvas *canvas, const struct map *map, double x, double z, int64_t radius,
                     struct vxbi_colour colour)
{
    vxbi_canvas_fill(canvas, column_of(map, x) - radius, row_of(map, z) - radius, 2 * radius + 1, 2 * radius + 1,
                     colour);
}

/* Dots a pixel or two apart. */
static void draw_circle(struct vxbi_canvas *canvas, const struct map *map, const float centre[3], double radius)
{
    const double around = 8.0 * radius * map->pixels;
    const uint32_t n = around < 64.0 ? 64 : around > 20000.0 ? 20000 : (uint32_t)around;
    for (uint32_t i = 0; i < n; i++) {
        double angle = 6.283185307179586 * i / n;
        draw_dot(canvas, map, (double)centre[0] + radius * cos(angle), (double)centre[2] + radius * sin(angle), 0, ink);
    }
}

static void draw_walk(struct vxbi_canvas *canvas, const struct map *map, const struct vxb_simulation *s)
{
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct vxb_simulation_frame *f = &s->frames[i];
        draw_dot(canvas, map, (double)f->position[0], (double)f->position[2], 2, ink);
    }
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct vxb_simulation_frame *f = &s->frames[i];
        struct vxbi_colour colour = f->refused ? red : f->deferred ? amber : (struct vxbi_colour){255, 255, 255};
        draw_dot(canvas, map, (double)f->position[0], (double)f->position[2], 1, colour);
    }
}

enum vxb_status vxb_simulation_map(const struct vxb_env *env, const struct vxb_simulation *s,
                                   struct vxb_output *output, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_canvas canvas;
    struct map map;
    char range[VXB_TEXT_NUMBER_ROOM], text[200];
    place_map(s, &map);
    const int64_t width = map.width > MAP_MIN_WIDTH ? map.width : MAP_MIN_WIDTH;
    status = make_canvas(&allocator, (uint32_t)width + 2 * MARGIN, (uint32_t)map.height + 3 * MARGIN + 3 * LINE,
                         &canvas, err);
    if (status)
        return status;
    const uint32_t worst = s->most_refused.value ? s->most_refused.frame : s->most_resident.frame;
    draw_cells(&canvas, &map, s);
    draw_walk(&canvas, &map, s);
    draw_circle(&canvas, &map, s->frames[worst].position, (double)s->options.range);
    int64_t y = map.top + map.height + MARGIN;
    snprintf(text, sizeof text, "%" PRIu32 " cells, brighter with blades; a dot a frame", s->cell_count);
    text_at(&canvas, MARGIN, y, width, text, ink);
    text_at(&canvas, MARGIN, y + LINE, width, "white: all had slots, amber: some deferred, red: some refused", ink);
    snprintf(text, sizeof text, "circle: %s m around the view of frame %" PRIu32,
             vxb_text_f32(s->options.range, range), worst);
    text_at(&canvas, MARGIN, y + 2 * LINE, width, text, ink);
    status = vxbi_png_write_rgb(output, canvas.width, canvas.height, canvas.pixels, err);
    vxbi_delete(&allocator, canvas.pixels, (uint64_t)canvas.width * canvas.height, 3);
    return status;
}
