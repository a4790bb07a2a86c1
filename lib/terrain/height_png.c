/* Heights from a PNG: 16 bits a channel, or 8 where the recipe allows it; the first channel of any. */
#include <string.h>

#include "../image/png.h"
#include "ground.h"

static enum vxb_status accept(const struct vxb_terrain_desc *desc, const struct vxbi_png *png, struct vxb_error *err)
{
    if (png->colour == VXBI_PNG_PALETTE || png->depth < 8)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "%s (bit depth %u, colour type %u) is not a heightmap: export it as 16-bit grey", png->name,
                         png->depth, png->colour);
    if (png->depth == 8 && !desc->allow_8bit)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "%s (bit depth 8, colour type %u) has 256 heights only, and would make terraces: export it "
                         "as 16-bit grey, or set \"allow_8bit\": true",
                         png->name, png->colour);
    return vxbi_check_terrain_size(png->width, png->height, err);
}

static void warn(const struct vxbi_source *source, const struct vxbi_png *png)
{
    if (png->depth == 8)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%s is taken as heights, times 257: 256 steps make terraces", png->name);
    if (png->channels > 1)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%s is taken as heights: the first of its %u channels, the rest is left out", png->name,
                 png->channels);
}

/* The first channel of each pixel to heights, which may be the image's own memory where a pixel has two bytes or more:
 * then what is written never passes what is still to be read. */
static void first_channel(const struct vxbi_image *image, uint16_t *heights)
{
    size_t step = (size_t)image->channels * image->depth / 8, n = 0;
    for (uint32_t z = 0; z < image->height; z++) {
        const uint8_t *p = image->data + image->first + z * image->pitch;
        for (uint32_t x = 0; x < image->width; x++, p += step, n++) {
            uint16_t value = (uint16_t)(image->depth == 16 ? p[0] << 8 | p[1] : p[0] * 257);
            memcpy((uint8_t *)heights + n * 2, &value, 2);
        }
    }
}

static enum vxb_status take(struct vxbi_image *image, uint16_t **out, struct vxb_error *err)
{
    uint64_t count = (uint64_t)image->width * image->height;
    if (image->depth == 8) {
        *out = vxbi_new(&image->allocator, count, sizeof **out);
        if (!*out)
            return vxbi_fail_memory(err, count * sizeof **out);
        first_channel(image, *out);
        return VXB_OK;
    }
    struct vxbi_bytes bytes = {.allocator = image->allocator, .data = image->data, .size = image->room,
                               .room = image->room};
    first_channel(image, (uint16_t *)(void *)image->data);
    enum vxb_status status = vxbi_take_heights(&bytes, count, out, err);
    if (!status)
        image->data = NULL;
    return status;
}

enum vxb_status vxbi_read_png_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err)
{
    struct vxbi_png png;
    struct vxbi_image image;
    struct vxbi_ground ground = {.sample = VXB_SAMPLE_U16};
    enum vxb_status status = vxbi_png_scan(source, file, &png, err);
    if (!status)
        status = accept(desc, &png, err);
    if (!status)
        status = vxbi_png_pixels(source, file, &png, &image, err);
    if (status)
        return status;
    ground.width = image.width;
    ground.height = image.height;
    ground.min_height = desc->range_min;
    ground.max_height = desc->range_max;
    status = take(&image, &ground.heights, err);
    vxbi_image_clear(&image);
    if (status)
        return status;
    warn(source, &png);
    *out = ground;
    return VXB_OK;
}
