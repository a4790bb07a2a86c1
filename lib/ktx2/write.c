/* Writing KTX2: the head as one block, then the levels, smallest first, through a buffer that turns host numbers into
 * little-endian ones. */
#include "format.h"

#define BUFFER_BYTES ((size_t)64 << 10)

static enum vxb_status check_desc(const struct vxbi_ktx2_desc *desc, struct vxb_error *err)
{
    const uint32_t faces = desc->faces;
    bool right = desc->format && desc->width && desc->width <= VXBI_KTX2_SIDE_MAX &&
                 desc->height <= VXBI_KTX2_SIDE_MAX && desc->depth <= VXBI_KTX2_SIDE_MAX &&
                 (desc->height || !desc->depth) && desc->layers <= VXBI_KTX2_LAYERS_MAX &&
                 (faces == 1 || (faces == 6 && desc->width == desc->height && !desc->depth)) && desc->levels &&
                 desc->levels <= VXBI_KTX2_LEVELS_MAX &&
                 desc->levels <= vxbi_ktx2_full_chain(desc->width, desc->height, desc->depth);
    for (uint32_t i = 1; right && i < desc->value_count; i++)
        right = strcmp(desc->values[i - 1].key, desc->values[i].key) < 0;
    return right ? VXB_OK : vxbi_fail(err, VXB_ERR_BUG, "a KTX2 file was to be written from a wrong description");
}

static void put_head(struct vxbi_writer *w, const struct vxbi_ktx2_desc *desc, const struct vxbi_ktx2_layout *layout)
{
    vxbi_ktx2_put_header(w, &(struct vxbi_ktx2_header){.vk_format = desc->format->vk,
                                                       .type_size = desc->format->type_bytes,
                                                       .width = desc->width,
                                                       .height = desc->height,
                                                       .depth = desc->depth,
                                                       .layers = desc->layers,
                                                       .faces = desc->faces,
                                                       .levels = desc->levels,
                                                       .dfd_offset = layout->dfd_offset,
                                                       .dfd_bytes = layout->dfd_bytes,
                                                       .values_offset = layout->values_offset,
                                                       .values_bytes = layout->values_bytes});
    for (uint32_t level = 0; level < desc->levels; level++) {
        vxbi_put_u64(w, layout->level_offset[level]);
        vxbi_put_u64(w, layout->level_bytes[level]);
        vxbi_put_u64(w, layout->level_bytes[level]); /* uncompressed */
    }
    vxbi_ktx2_put_dfd(w, desc->format);
    for (uint32_t i = 0; i < desc->value_count; i++)
        vxbi_ktx2_put_value(w, &desc->values[i]);
}

static void put_numbers(uint8_t *out, const uint8_t *in, size_t bytes, uint32_t type_bytes)
{
    if (type_bytes == 2) {
        for (size_t i = 0; i < bytes; i += 2) {
            uint16_t number;
            memcpy(&number, in + i, sizeof number);
            vxbi_store_u16(out + i, number);
        }
    } else {
        for (size_t i = 0; i < bytes; i += 4) {
            uint32_t number;
            memcpy(&number, in + i, sizeof number);
            vxbi_store_u32(out + i, number);
        }
    }
}

static enum vxb_status write_levels(const struct vxbi_ktx2_desc *desc, const struct vxbi_ktx2_layout *layout,
                                    const void *const *levels, const struct vxbi_ktx2_sink *sink, uint8_t *buffer,
                                    struct vxb_error *err)
{
    static const uint8_t zeros[16];
    uint64_t at = layout->head_bytes;
    for (uint32_t level = desc->levels; level-- > 0;) {
        enum vxb_status status = VXB_OK;
        if (at < layout->level_offset[level])
            status = sink->write(sink->user, zeros, (size_t)(layout->level_offset[level] - at), err);
        const uint8_t *in = levels[level];
        for (uint64_t left = layout->level_bytes[level]; left && status == VXB_OK;) {
            const size_t count = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;
            put_numbers(buffer, in, count, desc->format->type_bytes);
            status = sink->write(sink->user, buffer, count, err);
            in += count;
            left -= count;
        }
        if (status != VXB_OK)
            return status;
        at = layout->level_offset[level] + layout->level_bytes[level];
    }
    return VXB_OK;
}

enum vxb_status vxbi_ktx2_write(const struct vxb_env *env, const struct vxbi_ktx2_desc *desc,
                                const void *const *levels, const struct vxbi_ktx2_sink *sink, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_ktx2_layout layout;
    struct vxbi_writer measure = {0};
    enum vxb_status status = check_desc(desc, err);
    if (status != VXB_OK)
        return status;
    for (uint32_t i = 0; i < desc->value_count; i++)
        vxbi_ktx2_put_value(&measure, &desc->values[i]);
    if (measure.at > VXBI_KTX2_VALUES_BYTES_MAX || !vxbi_ktx2_lay_out(desc, (uint32_t)measure.at, &layout))
        return vxbi_fail(err, VXB_ERR_BUG, "a KTX2 file was to be written that is too large");
    const size_t room = layout.head_bytes > BUFFER_BYTES ? (size_t)layout.head_bytes : BUFFER_BYTES;
    uint8_t *buffer = vxbi_new(&allocator, room, 1);
    if (!buffer)
        return vxbi_fail_memory(err, room);
    struct vxbi_writer w = {.data = buffer, .room = room};
    put_head(&w, desc, &layout);
    status = w.failed || w.at != layout.head_bytes ? vxbi_fail(err, VXB_ERR_BUG, "a KTX2 head of %zu bytes", w.at)
                                                   : sink->write(sink->user, buffer, w.at, err);
    if (status == VXB_OK)
        status = write_levels(desc, &layout, levels, sink, buffer, err);
    vxbi_delete(&allocator, buffer, room, 1);
    return status;
}
