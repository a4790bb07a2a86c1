/* Panels on a sheet: as many columns as give the largest ones. */
#include "sheet.h"

#include <inttypes.h>

#include "paint.h"
#include "png.h"

enum { GAP = 12, LETTERS = 16, SIDE = 1024, SIDE_MIN = 16, SIDE_MAX = 4096, TEXT_SIDE = 256 };

static const struct vxbi_colour ink = {0x20, 0x20, 0x20};

static void lay_out(struct vxbi_sheet *sheet, uint32_t wide, uint32_t high, uint32_t side)
{
    const uint32_t gap = sheet->gap, letters = sheet->letters;
    for (uint32_t columns = 1; columns <= sheet->count; columns++) {
        const uint32_t rows = (sheet->count + columns - 1) / columns;
        if (columns * (gap + 1) + gap > side || rows * (gap + letters + 1) + gap > side)
            continue;
        const uint64_t most_wide = (side - gap) / columns - gap, most_high = (side - gap) / rows - gap - letters;
        uint64_t width = most_wide, height = most_wide * high / wide;
        if (height > most_high) {
            height = most_high;
            width = most_high * wide / high;
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

static uint64_t bytes_of(const struct vxbi_sheet *sheet)
{
    return (uint64_t)sheet->canvas.width * sheet->canvas.height * 3;
}

enum vxb_status vxbi_sheet_new(const struct vxb_allocator *allocator, uint32_t count, uint32_t wide, uint32_t high,
                               uint32_t side, struct vxbi_sheet *out, struct vxb_error *err)
{
    side = side ? side : SIDE;
    if (side < SIDE_MIN || side > SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_USAGE, "a preview of %" PRIu32 " pixels a side: allowed is %d to %d", side,
                         SIDE_MIN, SIDE_MAX);
    *out = (struct vxbi_sheet){
        .count = count, .gap = side < TEXT_SIDE ? 1 : GAP, .letters = side < TEXT_SIDE ? 0 : LETTERS};
    lay_out(out, wide, high, side);
    out->canvas.pixels = vxbi_new(allocator, bytes_of(out), 1);
    if (!out->canvas.pixels)
        return vxbi_fail_memory(err, bytes_of(out));
    vxbi_canvas_fill(&out->canvas, 0, 0, out->canvas.width, out->canvas.height, vxbi_paper);
    return VXB_OK;
}

void vxbi_sheet_free(const struct vxb_allocator *allocator, struct vxbi_sheet *sheet)
{
    vxbi_delete(allocator, sheet->canvas.pixels, bytes_of(sheet), 1);
}

static uint32_t left_of(const struct vxbi_sheet *sheet, uint32_t panel)
{
    return sheet->gap + panel % sheet->columns * (sheet->width + sheet->gap);
}

static uint32_t top_of(const struct vxbi_sheet *sheet, uint32_t panel)
{
    return sheet->gap + panel / sheet->columns * (sheet->height + sheet->gap + sheet->letters);
}

void vxbi_sheet_letter(const struct vxbi_sheet *sheet, uint32_t panel, const char *text)
{
    char fitted[96];
    struct vxbi_canvas canvas = sheet->canvas;
    if (!sheet->letters)
        return;
    vxbi_canvas_text_fit(fitted, sizeof fitted, 1, sheet->width, text);
    vxbi_canvas_text(&canvas, left_of(sheet, panel), top_of(sheet, panel), 1, fitted, ink);
}

uint8_t *vxbi_sheet_row(const struct vxbi_sheet *sheet, uint32_t panel, uint32_t row)
{
    const size_t y = top_of(sheet, panel) + sheet->letters + row;
    return sheet->canvas.pixels + 3 * (y * sheet->canvas.width + left_of(sheet, panel));
}

enum vxb_status vxbi_sheet_write(const struct vxbi_sheet *sheet, struct vxb_output *output, struct vxb_error *err)
{
    return vxbi_png_write_rgb(output, sheet->canvas.width, sheet->canvas.height, sheet->canvas.pixels, err);
}
