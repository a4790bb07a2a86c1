/* A picture of a depth pyramid: every level as a panel of one size, so that cells are seen to grow. Colours are by rank
 * from the farthest surface to the nearest of level 0, sky apart, with nothing but exact arithmetic: the same pixels on
 * every machine. */
#include "pyramid_preview.h"

#include <inttypes.h>
#include <stdio.h>

#include "../core/env.h"
#include "../vxbake/export.h"
#include "canvas.h"
#include "paint.h"
#include "png.h"

enum { GAP = 12, LETTERS = 16, SIDE = 1024, SIDE_MIN = 16, SIDE_MAX = 4096, TEXT_SIDE = 256 };

static const struct vxbi_colour ink = {0x20, 0x20, 0x20};

struct sheet {
    const struct vxb_pyramid *pyramid;
    uint32_t columns, rows;
    uint32_t gap, letters;    /* between panels, and above each; a small picture has no room for text */
    uint32_t width, height;   /* of a panel */
    float farthest, nearest;  /* of what is not sky */
    struct vxbi_canvas canvas;
};

static void find_range(struct sheet *sheet)
{
    const struct vxb_pyramid_level *level = &sheet->pyramid->levels[0];
    const uint64_t count = (uint64_t)level->width * level->height;
    sheet->farthest = 1;
    sheet->nearest = 0;
    for (uint64_t i = 0; i < count; i++) {
        const float depth = level->texels[i];
        if (depth > 0 && depth < sheet->farthest)
            sheet->farthest = depth;
        if (depth > sheet->nearest)
            sheet->nearest = depth;
    }
}

/* The number of columns that gives the largest panels in a square of this side. */
static void lay_out(struct sheet *sheet, uint32_t side)
{
    const struct vxb_pyramid *p = sheet->pyramid;
    const uint32_t gap = side < TEXT_SIDE ? 1 : GAP, letters = side < TEXT_SIDE ? 0 : LETTERS;
    sheet->gap = gap;
    sheet->letters = letters;
    for (uint32_t columns = 1; columns <= p->level_count; columns++) {
        const uint32_t rows = (p->level_count + columns - 1) / columns;
        if (columns * (gap + 1) + gap > side || rows * (gap + letters + 1) + gap > side)
            continue;
        const uint64_t most_wide = (side - gap) / columns - gap, most_high = (side - gap) / rows - gap - letters;
        uint64_t width = most_wide, height = most_wide * p->height / p->width;
        if (height > most_high) {
            height = most_high;
            width = most_high * p->width / p->height;
        }
        width = width ? width : 1;
        height = height ? height : 1;
        if (width * height <= (uint64_t)sheet->width * sheet->height)
            continue;
        sheet->columns = columns;
        sheet->rows = rows;
        sheet->width = (uint32_t)width;
        sheet->height = (uint32_t)height;
    }
    sheet->canvas.width = sheet->columns * (sheet->width + gap) + gap;
    sheet->canvas.height = sheet->rows * (sheet->height + gap + letters) + gap;
}

static struct vxbi_colour colour_of(const struct sheet *sheet, float depth)
{
    const double extent = (double)sheet->nearest - (double)sheet->farthest;
    if (!(depth > 0))
        return vxbi_hole_colour;
    if (!(extent > 0))
        return vxbi_density_colour(1);
    const double part = ((double)depth - (double)sheet->farthest) / extent;
    return vxbi_density_colour(part < 0 ? 0 : part > 1 ? 1 : part);
}

static void draw_level(const struct sheet *sheet, uint32_t index, uint32_t left, uint32_t top)
{
    const struct vxb_pyramid_level *level = &sheet->pyramid->levels[index];
    for (uint32_t y = 0; y < sheet->height; y++) {
        const float *row = level->texels + (uint64_t)y * level->height / sheet->height * level->width;
        uint8_t *out = sheet->canvas.pixels + 3 * ((size_t)(top + y) * sheet->canvas.width + left);
        for (uint32_t x = 0; x < sheet->width; x++, out += 3) {
            const struct vxbi_colour colour = colour_of(sheet, row[(uint64_t)x * level->width / sheet->width]);
            out[0] = colour.r;
            out[1] = colour.g;
            out[2] = colour.b;
        }
    }
}

static void draw(struct sheet *sheet)
{
    const struct vxb_pyramid *p = sheet->pyramid;
    vxbi_canvas_fill(&sheet->canvas, 0, 0, sheet->canvas.width, sheet->canvas.height, vxbi_paper);
    for (uint32_t k = 0; k < p->level_count; k++) {
        const uint32_t left = sheet->gap + k % sheet->columns * (sheet->width + sheet->gap);
        const uint32_t top = sheet->gap + k / sheet->columns * (sheet->height + sheet->gap + sheet->letters);
        char text[96], fitted[96];
        snprintf(text, sizeof text, "%" PRIu32 ": %" PRIu32 " x %" PRIu32 "%s%s", k, p->levels[k].width,
                 p->levels[k].height, k == 0 ? "" : ", ", k == 0 ? "" : vxb_reduce_name(p->reduce));
        vxbi_canvas_text_fit(fitted, sizeof fitted, 1, sheet->width, text);
        if (sheet->letters)
            vxbi_canvas_text(&sheet->canvas, left, top, 1, fitted, ink);
        draw_level(sheet, k, left, top + sheet->letters);
    }
}

enum vxb_status vxbi_pyramid_draw(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                  struct vxbi_output *output, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct sheet sheet = {.pyramid = pyramid};
    side = side ? side : SIDE;
    if (side < SIDE_MIN || side > SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_USAGE, "a preview of %" PRIu32 " pixels a side: allowed is %d to %d", side,
                         SIDE_MIN, SIDE_MAX);
    find_range(&sheet);
    lay_out(&sheet, side);
    const uint64_t bytes = (uint64_t)sheet.canvas.width * sheet.canvas.height * 3;
    sheet.canvas.pixels = vxbi_new(&allocator, bytes, 1);
    if (!sheet.canvas.pixels)
        return vxbi_fail_memory(err, bytes);
    draw(&sheet);
    enum vxb_status status = vxbi_png_write_rgb(output, sheet.canvas.width, sheet.canvas.height, sheet.canvas.pixels, err);
    vxbi_delete(&allocator, sheet.canvas.pixels, bytes, 1);
    return status;
}

enum vxb_status vxb_pyramid_preview(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                    const char *path, struct vxb_error *err)
{
    struct vxbi_output *output;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_output_open(env, path, &output, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_pyramid_draw(env, pyramid, side, output, err);
    if (status == VXB_OK)
        return vxbi_output_commit(output, err);
    vxbi_output_abort(output);
    return status;
}
