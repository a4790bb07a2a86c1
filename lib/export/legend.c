/* The legend: a line of facts, then swatches with names and numbers (or the density's ramp), and a block at the right
 * with the scale bar and the axes. Laid out twice by one walk: with no canvas it only measures. */
#include "legend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "paint.h"

static const struct vxbi_colour ink = {44, 44, 42}, faint = {118, 116, 110};

#define LINE 14   /* from one line to the next, in font pixels */
#define SWATCH 9
#define GAP 12    /* between two items */
#define BAR_LEAST 16
#define AXES 30
#define ITEM_ROOM 320

/* 1,234,567 */
static void grouped(char *out, size_t room, uint64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t used = 0;
    for (int i = 0; i < length && used + 3 < room; i++) {
        if (i && (length - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

/* "12.3%" of total, rounded half up; what is there but rounds to nothing is "<0.1%". */
static void percentage(char *out, size_t room, uint64_t value, uint64_t total)
{
    /* Below 2^50 candidates: no overflow. */
    uint64_t permille = total ? (value * 1000 + total / 2) / total : 0;
    if (value && permille == 0)
        snprintf(out, room, "<0.1%%");
    else
        snprintf(out, room, "%" PRIu64 ".%" PRIu64 "%%", permille / 10, permille % 10);
}

/* Metres with at most three digits after the point. */
static void metres(char *out, size_t room, double value)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    double rounded = value * 1000.0 + 0.5;
    rounded = (double)(uint64_t)(rounded < 1e15 ? rounded : 1e15) / 1000.0;
    vxb_text_f64(rounded, number);
    snprintf(out, room, "%s", number);
}

static uint64_t total_blades(const struct vxbi_legend *legend)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < legend->species_count; i++)
        sum += legend->rows->blades[i];
    return sum;
}

static void facts(const struct vxbi_legend *legend, char *out, size_t room)
{
    char width[VXB_TEXT_NUMBER_ROOM], depth[VXB_TEXT_NUMBER_ROOM], count[40];
    uint64_t blades = total_blades(legend), number = blades;
    if (legend->as == VXB_PREVIEW_REASON)
        for (int i = 0; i < VXB_REASON_COUNT; i++)
            number += legend->rows->reasons[i];
    grouped(count, sizeof count, number);
    metres(width, sizeof width, legend->width_m);
    metres(depth, sizeof depth, legend->depth_m);
    const char *noun = legend->as == VXB_PREVIEW_REASON ? "candidate" : "blade";
    snprintf(out, room, "%s %s%s on %s x %s m", number ? count : "no", noun, number == 1 ? "" : "s", width, depth);
}

/* ---- the block at the right ---- */

/* The scale bar's length in metres: round, and about a fifth of the field. */
static double bar_metres(const struct vxbi_legend *legend)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    double part = legend->pitch * legend->field_width / 7.0;
    double least = legend->pitch * BAR_LEAST * legend->scale;
    return vxbi_round_up(part > least ? part : least, steps, 3);
}

static uint32_t bar_pixels(const struct vxbi_legend *legend)
{
    double pixels = bar_metres(legend) / legend->pitch + 0.5;
    return pixels < 1.0 ? 1 : pixels > 4096.0 ? 4096 : (uint32_t)pixels;
}

static void bar_text(const struct vxbi_legend *legend, char *out, size_t room)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    double length = bar_metres(legend);
    vxb_text_f64(length >= 1000.0 ? length / 1000.0 : length, number);
    snprintf(out, room, "%s %s", number, length >= 1000.0 ? "km" : "m");
}

static uint32_t block_width(const struct vxbi_legend *legend)
{
    char text[64];
    bar_text(legend, text, sizeof text);
    uint32_t bar = bar_pixels(legend), words = (uint32_t)vxbi_canvas_text_width(legend->scale, text);
    return (bar > words ? bar : words) + AXES * legend->scale;
}

/* Arrows to the right, x, and down, z. */
static void draw_axes(const struct vxbi_legend *legend, struct vxbi_canvas *canvas, int64_t x, int64_t y)
{
    int64_t s = legend->scale;
    vxbi_canvas_fill(canvas, x, y, 10 * s, s, ink);
    vxbi_canvas_fill(canvas, x, y, s, 14 * s, ink);
    for (int64_t i = 1; i <= 2; i++) {
        vxbi_canvas_fill(canvas, x + (9 - i) * s, y - i * s, s, (2 * i + 1) * s, ink);
        vxbi_canvas_fill(canvas, x - i * s, y + (13 - i) * s, (2 * i + 1) * s, s, ink);
    }
    vxbi_canvas_text(canvas, x + 12 * s, y - 4 * s, legend->scale, "x", ink);
    vxbi_canvas_text(canvas, x + 4 * s, y + 8 * s, legend->scale, "z", ink);
}

static void draw_block(const struct vxbi_legend *legend, struct vxbi_canvas *canvas, int64_t x, int64_t y)
{
    int64_t s = legend->scale, bar = bar_pixels(legend);
    char text[64];
    bar_text(legend, text, sizeof text);
    vxbi_canvas_text(canvas, x, y, legend->scale, text, ink);
    vxbi_canvas_fill(canvas, x, y + 12 * s, bar, 2 * s, ink);
    vxbi_canvas_fill(canvas, x, y + 10 * s, s, 4 * s, ink);
    vxbi_canvas_fill(canvas, x + bar - s, y + 10 * s, s, 4 * s, ink);
    draw_axes(legend, canvas, x + block_width(legend) - 18 * s, y + 4 * s);
}

/* ---- the items ---- */

struct flow {
    const struct vxbi_legend *legend;
    struct vxbi_canvas *canvas; /* NULL: measure */
    int64_t x, y, left, right;
    bool started;               /* something stands on this line */
};

static void item(struct flow *flow, struct vxbi_colour colour, const char *name, const char *number)
{
    int64_t s = flow->legend->scale;
    char text[ITEM_ROOM];
    int64_t numbers = vxbi_canvas_text_width(flow->legend->scale, number);
    int64_t beside = (SWATCH + 5 + 5) * s + numbers;
    int64_t room = flow->right - flow->left - beside;
    vxbi_canvas_text_fit(text, sizeof text, flow->legend->scale, room > 0 ? room : 0, name);
    int64_t width = beside + vxbi_canvas_text_width(flow->legend->scale, text);
    if (flow->started && flow->x + width > flow->right) {
        flow->x = flow->left;
        flow->y += LINE * s;
    }
    if (flow->canvas) {
        vxbi_canvas_frame(flow->canvas, flow->x + s, flow->y, (SWATCH - 2) * s, (SWATCH - 2) * s, s, faint);
        vxbi_canvas_fill(flow->canvas, flow->x + s, flow->y, (SWATCH - 2) * s, (SWATCH - 2) * s, colour);
        int64_t after = vxbi_canvas_text(flow->canvas, flow->x + (SWATCH + 5) * s, flow->y, flow->legend->scale, text,
                                         ink);
        vxbi_canvas_text(flow->canvas, after + 4 * s, flow->y, flow->legend->scale, number, faint);
    }
    flow->x += width + GAP * s;
    flow->started = true;
}

static void species_items(struct flow *flow)
{
    const struct vxbi_preview_legend *rows = flow->legend->rows;
    for (uint32_t rank = 0; rank < flow->legend->species_count; rank++)
        for (uint32_t i = 0; i < flow->legend->species_count; i++) {
            char number[40];
            if (flow->legend->colours[i] != rank)
                continue;
            grouped(number, sizeof number, rows->blades[i]);
            item(flow, vxbi_species_colours[rank], rows->names[i] ? rows->names[i] : "", number);
        }
}

static void reason_items(struct flow *flow)
{
    static const char *const names[VXB_REASON_COUNT] = {"no surface", "excluded", "too steep",
                                                        "altitude",   "density",  "over budget"};
    const struct vxbi_preview_legend *rows = flow->legend->rows;
    uint64_t placed = total_blades(flow->legend), total = placed;
    char number[40];
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        total += rows->reasons[i];
    percentage(number, sizeof number, placed, total);
    item(flow, vxbi_reason_colours[VXB_REASON_COUNT], "placed", number);
    for (int i = 0; i < VXB_REASON_COUNT; i++) {
        percentage(number, sizeof number, rows->reasons[i], total);
        item(flow, vxbi_reason_colours[i], names[i], number);
    }
}

/* The ramp with its ends and middle named. */
static void ramp(struct flow *flow)
{
    const struct vxbi_legend *legend = flow->legend;
    int64_t s = legend->scale, width = flow->right - flow->left;
    static const char unit[] = "blades a square metre";
    width = width > 160 * s ? 160 * s : width;
    if (flow->canvas) {
        vxbi_canvas_frame(flow->canvas, flow->x + s, flow->y, width - 2 * s, 7 * s, s, faint);
        for (int64_t i = 0; i < width - 2 * s; i++)
            vxbi_canvas_fill(flow->canvas, flow->x + s + i, flow->y, 1, 7 * s,
                             vxbi_density_colour((double)i / (double)(width - 2 * s - 1)));
        for (int i = 0; i <= 2; i++) {
            char text[VXB_TEXT_NUMBER_ROOM];
            vxb_text_f64(legend->density_end * i / 2.0, text);
            int64_t words = vxbi_canvas_text_width(legend->scale, text);
            vxbi_canvas_text(flow->canvas, flow->x + (width - words) * i / 2, flow->y + 11 * s, legend->scale, text,
                             ink);
        }
    }
    int64_t words = vxbi_canvas_text_width(legend->scale, unit);
    bool beside = flow->x + width + 8 * s + words <= flow->right;
    if (!beside)
        flow->y += (LINE + 10) * s;
    if (flow->canvas) {
        char text[64];
        vxbi_canvas_text_fit(text, sizeof text, legend->scale, flow->right - flow->left, unit);
        vxbi_canvas_text(flow->canvas, beside ? flow->x + width + 8 * s : flow->left, flow->y, legend->scale, text,
                         ink);
    }
    if (beside)
        flow->y += 10 * s;
}

/* Walks the legend; returns its height. The block stands beside the items where both have room, else below them. */
static int64_t walk(const struct vxbi_legend *legend, struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width)
{
    int64_t s = legend->scale, block = block_width(legend);
    bool beside = width >= block + 150 * s;
    struct flow flow = {.legend = legend, .canvas = canvas, .x = x, .y = y, .left = x};
    char text[200], fitted[200];
    flow.right = x + width - (beside ? block + GAP * s : 0);
    facts(legend, text, sizeof text);
    vxbi_canvas_text_fit(fitted, sizeof fitted, legend->scale, flow.right - x, text);
    if (canvas)
        vxbi_canvas_text(canvas, x, y, legend->scale, fitted, ink);
    flow.y += (LINE + 2) * s;
    switch (legend->as) {
    case VXB_PREVIEW_SPECIES: species_items(&flow); break;
    case VXB_PREVIEW_REASON: reason_items(&flow); break;
    case VXB_PREVIEW_DENSITY: ramp(&flow); break;
    }
    int64_t bottom = flow.y + 9 * s;
    int64_t block_y = beside ? y : bottom + 6 * s;
    if (canvas)
        draw_block(legend, canvas, beside ? x + width - block : x, block_y);
    return (bottom > block_y + 20 * s ? bottom : block_y + 20 * s) - y;
}

uint32_t vxbi_legend_min_width(const struct vxbi_legend *legend)
{
    char text[200];
    facts(legend, text, sizeof text);
    uint32_t block = block_width(legend), words = (uint32_t)vxbi_canvas_text_width(legend->scale, text);
    uint32_t least = 130 * legend->scale;
    least = words > least ? words : least;
    return block > least ? block : least;
}

uint32_t vxbi_legend_height(const struct vxbi_legend *legend, uint32_t width)
{
    return (uint32_t)walk(legend, NULL, 0, 0, width);
}

void vxbi_legend_draw(const struct vxbi_legend *legend, struct vxbi_canvas *canvas, uint32_t x, uint32_t y,
                      uint32_t width)
{
    walk(legend, canvas, x, y, width);
}
