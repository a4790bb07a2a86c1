/* Painted maps: one channel of an 8-bit PNG, of any size. */
#include <string.h>

#include "../image/png.h"
#include "ground.h"

enum vxb_status vxbi_read_map_image(const struct vxbi_source *source, struct vxbi_bytes *file, struct vxbi_image *out,
                                    struct vxb_error *err)
{
    struct vxbi_png png;
    enum vxb_status status = vxbi_png_scan(source, file, &png, err);
    if (status)
        return status;
    if (png.depth != 8 || png.colour == VXBI_PNG_PALETTE)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "%s (bit depth %u, colour type %u) is not a map: export it with 8 bits a channel, grey or "
                         "RGB, with or without alpha",
                         png.name, png.depth, png.colour);
    return vxbi_png_pixels(source, file, &png, out, err);
}

/* Which of the image's channels is meant; -1 where it has none such. */
static int find_channel(const struct vxbi_image *image, enum vxb_channel channel)
{
    bool rgb = image->channels >= 3;
    switch (channel) {
    case VXB_CHANNEL_GREY: return rgb ? -1 : 0;
    case VXB_CHANNEL_R: return rgb ? 0 : -1;
    case VXB_CHANNEL_G: return rgb ? 1 : -1;
    case VXB_CHANNEL_B: return rgb ? 2 : -1;
    case VXB_CHANNEL_A: return image->channels % 2 == 0 ? (int)image->channels - 1 : -1;
    }
    return -1;
}

static enum vxb_status no_channel(const struct vxbi_image *image, enum vxb_channel channel, struct vxb_error *err)
{
    static const char *const names[] = {"grey", "r", "g", "b", "a"};
    static const char *const there[] = {"no name: leave \"channel\" out", "\"a\", and grey without a name",
                                        "\"r\", \"g\" and \"b\"", "\"r\", \"g\", \"b\" and \"a\""};
    if (channel == VXB_CHANNEL_GREY)
        return vxbi_fail(err, VXB_ERR_DATA, "%s has %u channels: export it as grey, or say in a recipe with "
                         "\"channel\" which is meant; there are %s", image->name, image->channels,
                         there[image->channels - 1]);
    return vxbi_fail(err, VXB_ERR_DATA, "%s has no channel \"%s\"; it has %s", image->name, names[channel],
                     there[image->channels - 1]);
}

enum vxb_status vxbi_map_channel(const struct vxbi_source *source, const struct vxbi_image *image,
                                 enum vxb_channel channel, struct vxbi_raster *out, struct vxb_error *err)
{
    int at = find_channel(image, channel);
    if (at < 0)
        return no_channel(image, channel, err);
    uint64_t count = (uint64_t)image->width * image->height;
    uint8_t *samples = vxbi_new(&image->allocator, count, 1);
    if (!samples)
        return vxbi_fail_memory(err, count);
    uint8_t *to = samples;
    for (uint32_t z = 0; z < image->height; z++) {
        const uint8_t *from = image->data + image->first + z * image->pitch + at;
        for (uint32_t x = 0; x < image->width; x++, from += image->channels)
            *to++ = *from;
    }
    if (channel == VXB_CHANNEL_GREY && image->channels == 2)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%s is taken as a map: its grey, the alpha is left out", image->name);
    *out = (struct vxbi_raster){.width = image->width, .height = image->height, .samples = samples};
    return VXB_OK;
}
