/* A picture of a depth pyramid: every level as a panel of one size, so that cells are seen to grow. Colours are by rank
 * from the farthest surface to the nearest of level 0, sky apart, with nothing but exact arithmetic: the same pixels on
 * every machine. */
#include "pyramid_preview.h"

#include <inttypes.h>
#include <stdio.h>

#include "../core/env.h"
#include "../vxbake/export.h"
#include "paint.h"
#include "sheet.h"

struct picture {
    const struct vxb_pyramid *pyramid;
    float farthest, nearest;  /* of what is not sky */
    struct vxbi_sheet sheet;
};

static void find_range(struct picture *picture)
{
    const struct vxb_pyramid_level *level = &picture->pyramid->levels[0];
    const uint64_t count = (uint64_t)level->width * level->height;
    picture->farthest = 1;
    picture->nearest = 0;
    for (uint64_t i = 0; i < count; i++) {
        const float depth = level->texels[i];
        if (depth > 0 && depth < picture->farthest)
            picture->farthest = depth;
        if (depth > picture->nearest)
            picture->nearest = depth;
    }
}

static struct vxbi_colour colour_of(const struct picture *picture, float depth)
{
    const double extent = (double)picture->nearest - (double)picture->farthest;
    if (!(depth > 0))
        return vxbi_hole_colour;
    if (!(extent > 0))
        return vxbi_density_colour(1);
    const double part = ((double)depth - (double)picture->farthest) / extent;
    return vxbi_density_colour(part < 0 ? 0 : part > 1 ? 1 : part);
}

static void draw_level(const struct picture *picture, uint32_t index)
{
    const struct vxb_pyramid_level *level = &picture->pyramid->levels[index];
    const struct vxbi_sheet *sheet = &picture->sheet;
    char text[96];
    snprintf(text, sizeof text, "%" PRIu32 ": %" PRIu32 " x %" PRIu32 "%s%s", index, level->width, level->height,
             index == 0 ? "" : ", ", index == 0 ? "" : vxb_reduce_name(picture->pyramid->reduce));
    vxbi_sheet_letter(sheet, index, text);
    for (uint32_t y = 0; y < sheet->height; y++) {
        const float *row = level->texels + (uint64_t)y * level->height / sheet->height * level->width;
        uint8_t *out = vxbi_sheet_row(sheet, index, y);
        for (uint32_t x = 0; x < sheet->width; x++, out += 3) {
            const struct vxbi_colour colour = colour_of(picture, row[(uint64_t)x * level->width / sheet->width]);
            out[0] = colour.r;
            out[1] = colour.g;
            out[2] = colour.b;
        }
    }
}

enum vxb_status vxbi_pyramid_draw(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                  struct vxb_output *output, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct picture picture = {.pyramid = pyramid};
    enum vxb_status status =
        vxbi_sheet_new(&allocator, pyramid->level_count, pyramid->width, pyramid->height, side, &picture.sheet, err);
    if (status)
        return status;
    find_range(&picture);
    for (uint32_t k = 0; k < pyramid->level_count; k++)
        draw_level(&picture, k);
    status = vxbi_sheet_write(&picture.sheet, output, err);
    vxbi_sheet_free(&allocator, &picture.sheet);
    return status;
}

enum vxb_status vxb_pyramid_preview(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                    const char *path, struct vxb_error *err)
{
    struct vxb_output *output;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxb_output_open(env, path, &output, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_pyramid_draw(env, pyramid, side, output, err);
    if (status == VXB_OK)
        return vxb_output_commit(output, err);
    vxb_output_abort(output);
    return status;
}
