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

/* Host numbers into little-endian ones, in place. */
static void put_numbers(uint8_t *bytes, size_t count, uint32_t type_bytes)
{
    if (type_bytes == 2) {
        for (size_t i = 0; i < count; i += 2) {
            uint16_t number;
            memcpy(&number, bytes + i, sizeof number);
            vxbi_store_u16(bytes + i, number);
        }
    } else {
        for (size_t i = 0; i < count; i += 4) {
            uint32_t number;
            memcpy(&number, bytes + i, sizeof number);
            vxbi_store_u32(bytes + i, number);
        }
    }
}

static enum vxb_status write_levels(const struct vxbi_ktx2_desc *desc, const struct vxbi_ktx2_layout *layout,
                                    const struct vxbi_ktx2_texels *texels, const struct vxbi_ktx2_sink *sink,
                                    uint8_t *buffer, struct vxb_error *err)
{
    static const uint8_t zeros[16];
    uint64_t at = layout->head_bytes;
    for (uint32_t level = desc->levels; level-- > 0;) {
        const uint64_t bytes = layout->level_bytes[level];
        enum vxb_status status = VXB_OK;
        if (at < layout->level_offset[level])
            status = sink->write(sink->user, zeros, (size_t)(layout->level_offset[level] - at), err);
        for (uint64_t from = 0; from < bytes && status == VXB_OK;) {
            const size_t count = bytes - from < BUFFER_BYTES ? (size_t)(bytes - from) : BUFFER_BYTES;
            status = texels->get(texels->user, level, from, buffer, count, err);
            if (status != VXB_OK)
                break;
            put_numbers(buffer, count, desc->format->type_bytes);
            status = sink->write(sink->user, buffer, count, err);
            from += count;
        }
        if (status != VXB_OK)
            return status;
        at = layout->level_offset[level] + bytes;
    }
    return VXB_OK;
}

enum vxb_status vxbi_ktx2_write_from(const struct vxb_env *env, const struct vxbi_ktx2_desc *desc,
                                     const struct vxbi_ktx2_texels *texels, const struct vxbi_ktx2_sink *sink,
                                     struct vxb_error *err)
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
        status = write_levels(desc, &layout, texels, sink, buffer, err);
    vxbi_delete(&allocator, buffer, room, 1);
    return status;
}

static enum vxb_status copy_texels(void *user, uint32_t level, uint64_t from, void *out, size_t count,
                                   struct vxb_error *err)
{
    const void *const *levels = user;
    (void)err;
    memcpy(out, (const uint8_t *)levels[level] + from, count);
    return VXB_OK;
}

enum vxb_status vxbi_ktx2_write(const struct vxb_env *env, const struct vxbi_ktx2_desc *desc,
                                const void *const *levels, const struct vxbi_ktx2_sink *sink, struct vxb_error *err)
{
    const struct vxbi_ktx2_texels texels = {(void *)(uintptr_t)levels, copy_texels};
    return vxbi_ktx2_write_from(env, desc, &texels, sink, err);
}
