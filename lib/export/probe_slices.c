/* A picture of horizontal slices through a probe field, each where a layer of cells has its middle. */
#include "probes.h"

#include <stdio.h>

#include "../core/text.h"
#include "../probes/field.h"
#include "paint.h"
#include "sheet.h"

enum { SLICES_MAX = 16, SHAPE = 4096 };

static void draw_slice(const struct vxb_probe_field *field, const struct vxbi_sheet *sheet, uint32_t panel)
{
    const struct vxb_probe_region *bounds = &field->bounds;
    const float part = ((float)panel + 0.5f) / (float)sheet->count;
    char text[96], number[VXB_TEXT_NUMBER_ROOM];
    float at[3];
    at[1] = bounds->min[1] + part * field->extent[1];
    snprintf(text, sizeof text, "y = %s m", vxb_text_f32(at[1], number));
    vxbi_sheet_letter(sheet, panel, text);
    for (uint32_t row = 0; row < sheet->height; row++) {
        uint8_t *out = vxbi_sheet_row(sheet, panel, row);
        at[2] = bounds->min[2] + ((float)row + 0.5f) / (float)sheet->height * field->extent[2];
        for (uint32_t column = 0; column < sheet->width; column++, out += 3) {
            struct vxb_probe probe;
            at[0] = bounds->min[0] + ((float)column + 0.5f) / (float)sheet->width * field->extent[0];
            const bool is = vxb_probe_field_sample(field, at, &probe);
            const struct vxbi_colour colour = is ? vxbi_probe_colour(&probe) : vxbi_hole_colour;
            out[0] = colour.r;
            out[1] = colour.g;
            out[2] = colour.b;
        }
    }
}

/* The two sides of a slice as whole numbers, the longer one SHAPE. */
static void shape_of(const struct vxb_probe_field *field, uint32_t *wide, uint32_t *high)
{
    const float x = field->extent[0], z = field->extent[2], longer = x > z ? x : z;
    *wide = (uint32_t)(x / longer * (float)SHAPE);
    *high = (uint32_t)(z / longer * (float)SHAPE);
    *wide = *wide ? *wide : 1;
    *high = *high ? *high : 1;
}

enum vxb_status vxbi_probe_slices_draw(const struct vxb_env *env, const struct vxb_probe_field *field, uint32_t side,
                                       struct vxb_output *output, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    const uint32_t count = field->cells[1] < SLICES_MAX ? field->cells[1] : SLICES_MAX;
    struct vxbi_sheet sheet;
    uint32_t wide, high;
    enum vxb_status status = vxbi_probe_placed(field, err);
    shape_of(field, &wide, &high);
    if (!status)
        status = vxbi_sheet_new(&allocator, count, wide, high, side, &sheet, err);
    if (status)
        return status;
    for (uint32_t panel = 0; panel < count; panel++)
        draw_slice(field, &sheet, panel);
    status = vxbi_sheet_write(&sheet, output, err);
    vxbi_sheet_free(&allocator, &sheet);
    return status;
}
