/* Heights from raw samples, u16 or f32 in either byte order, and the rule that stores an f32 height as a u16; heights
 * from a PFM, which are metres. Samples are read byte by byte and made in the file's own memory. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/text.h"
#include "ground.h"

enum vxb_status vxbi_take_heights(struct vxbi_bytes *file, uint64_t count, uint16_t **out, struct vxb_error *err)
{
    void *block = file->data;
    if (file->room != count * sizeof **out) {
        block = vxbi_resize(&file->allocator, file->data, file->room, count * sizeof **out, 1);
        if (!block)
            return vxbi_fail_memory(err, count * sizeof **out);
    }
    *out = block;
    file->data = NULL;
    vxbi_bytes_clear(file);
    return VXB_OK;
}

struct span {
    float min, max;
};

/* Looks at every sample once: all finite and within allowed (NULL: within what a world has). *span is their extent. */
static enum vxb_status measure(const uint8_t *data, const struct vxbi_f32_layout *layout, const struct span *allowed,
                               struct span *span, struct vxb_error *err)
{
    uint64_t count = (uint64_t)layout->width * layout->height, bad = 0, first_bad = 0;
    struct span limit = {-VXBI_TERRAIN_METRES_MAX, VXBI_TERRAIN_METRES_MAX};
    if (allowed)
        limit = *allowed;
    for (uint64_t n = 0; n < count; n++) {
        float h = vxbi_load_f32_in(data + n * 4, layout->big);
        if (!(h >= limit.min && h <= limit.max) && bad++ == 0)
            first_bad = n;
        if (n == 0)
            *span = (struct span){h, h};
        span->min = h < span->min ? h : span->min;
        span->max = h > span->max ? h : span->max;
    }
    if (!bad)
        return VXB_OK;
    uint32_t x, z;
    char value[VXB_TEXT_NUMBER_ROOM], low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    float h = vxbi_load_f32_in(data + first_bad * 4, layout->big);
    vxbi_f32_place(layout, first_bad, &x, &z);
    vxb_text_f32(h, value);
    vxb_text_f32(limit.min, low);
    vxb_text_f32(limit.max, high);
    if (!isfinite(h))
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the height at column %" PRIu32 ", row %" PRIu32 " is %s: heights are finite (%" PRIu64
                         " of %" PRIu64 " are not, or out of range)",
                         x, z, value, bad, count);
    if (!allowed)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the height at column %" PRIu32 ", row %" PRIu32
                         " is %s m; heights lie within %s and %s m (%" PRIu64 " of %" PRIu64
                         " do not: wrong byte order, or no-data values?)", x, z, value, low, high, bad, count);
    return vxbi_fail(err, VXB_ERR_DATA,
                     "the height at column %" PRIu32 ", row %" PRIu32 " is %s m, outside the range %s to %s (%" PRIu64
                     " of %" PRIu64 " are): widen \"range\", or leave it out to take the data's own",
                     x, z, value, low, high, bad, count);
}

static void flip_rows(uint16_t *heights, uint32_t width, uint32_t height)
{
    for (uint32_t z = 0; z < height / 2; z++) {
        uint16_t *a = heights + (size_t)z * width, *b = heights + (size_t)(height - 1 - z) * width;
        for (uint32_t x = 0; x < width; x++) {
            uint16_t t = a[x];
            a[x] = b[x];
            b[x] = t;
        }
    }
}

enum vxb_status vxbi_quantise(const struct vxb_terrain_desc *desc, struct vxbi_bytes *file,
                              const struct vxbi_f32_layout *layout, struct vxbi_ground *out, struct vxb_error *err)
{
    struct span range = {desc->range_min, desc->range_max}, span;
    uint64_t count = (uint64_t)layout->width * layout->height;
    uint8_t *data = file->data;
    enum vxb_status status = measure(data + layout->offset, layout, desc->has_range ? &range : NULL, &span, err);
    if (status)
        return status;
    if (!desc->has_range)
        range = span;
    double min = (double)range.min, extent = (double)range.max - min;
    /* Each u16 is written where f32 that are already read stood. */
    for (uint64_t n = 0; n < count; n++) {
        double h = (double)vxbi_load_f32_in(data + layout->offset + n * 4, layout->big);
        uint16_t raw = extent > 0 ? (uint16_t)floor((h - min) / extent * 65535 + 0.5) : 0;
        memcpy(data + n * 2, &raw, sizeof raw);
    }
    struct vxbi_ground ground = {.width = layout->width, .height = layout->height, .min_height = range.min,
                                 .max_height = range.max, .sample = VXB_SAMPLE_F32};
    if ((status = vxbi_take_heights(file, count, &ground.heights, err)))
        return status;
    if (layout->bottom_up)
        flip_rows(ground.heights, ground.width, ground.height);
    *out = ground;
    return VXB_OK;
}

enum vxb_status vxbi_read_raw_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err)
{
    (void)source;
    bool big = desc->order == VXB_ORDER_BIG;
    enum vxb_status status = vxbi_check_terrain_size(desc->width, desc->height, err);
    if (!status) {
        const struct vxbi_raw expected = vxbi_raw_of(desc);
        status = vxbi_check_raw_size(&expected, file->size, file->data, file->size, err);
    }
    if (status)
        return status;
    if (vxbi_raw_sample(desc) == VXB_SAMPLE_F32) {
        struct vxbi_f32_layout layout = {.width = desc->width, .height = desc->height, .big = big};
        return vxbi_quantise(desc, file, &layout, out, err);
    }
    struct vxbi_ground ground = {.width = desc->width, .height = desc->height, .min_height = desc->range_min,
                                 .max_height = desc->range_max, .sample = VXB_SAMPLE_U16};
    uint64_t count = (uint64_t)desc->width * desc->height;
    for (uint64_t n = 0; n < count; n++) {
        uint8_t *p = file->data + n * 2;
        uint16_t raw = (uint16_t)(big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
        memcpy(p, &raw, sizeof raw);
    }
    if ((status = vxbi_take_heights(file, count, &ground.heights, err)))
        return status;
    *out = ground;
    return VXB_OK;
}

enum vxb_status vxbi_read_pfm_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err)
{
    struct vxbi_f32_layout layout = {0};
    enum vxb_status status = vxbi_pfm_header(source, file, "heights", &layout, err);
    if (!status)
        status = vxbi_check_terrain_size(layout.width, layout.height, err);
    if (!status)
        status = vxbi_pfm_fit(file, "heights", &layout, err);
    return status ? status : vxbi_quantise(desc, file, &layout, out, err);
}
