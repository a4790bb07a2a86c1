/* The formats, their descriptors, the header's fields, and where a file's parts stand. */
#include "format.h"

const uint8_t vxbi_ktx2_identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};

static const struct vxbi_ktx2_format formats[] = {
    {VXBI_KTX2_R16_SFLOAT, "R16_SFLOAT", 2, 1, true},
    {VXBI_KTX2_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 2, 4, true},
    {VXBI_KTX2_R32_UINT, "R32_UINT", 4, 1, false},
    {VXBI_KTX2_R32_SFLOAT, "R32_SFLOAT", 4, 1, true},
    {VXBI_KTX2_R32G32_UINT, "R32G32_UINT", 4, 2, false},
    {VXBI_KTX2_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 4, 4, true},
};

const struct vxbi_ktx2_format *vxbi_ktx2_format(uint32_t vk)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].vk == vk)
            return &formats[i];
    return NULL;
}

void vxbi_ktx2_put_header(struct vxbi_writer *w, const struct vxbi_ktx2_header *header)
{
    vxbi_put(w, vxbi_ktx2_identifier, sizeof vxbi_ktx2_identifier);
    vxbi_put_u32(w, header->vk_format);
    vxbi_put_u32(w, header->type_size);
    vxbi_put_u32(w, header->width);
    vxbi_put_u32(w, header->height);
    vxbi_put_u32(w, header->depth);
    vxbi_put_u32(w, header->layers);
    vxbi_put_u32(w, header->faces);
    vxbi_put_u32(w, header->levels);
    vxbi_put_u32(w, header->scheme);
    vxbi_put_u32(w, header->dfd_offset);
    vxbi_put_u32(w, header->dfd_bytes);
    vxbi_put_u32(w, header->values_offset);
    vxbi_put_u32(w, header->values_bytes);
    vxbi_put_u64(w, header->global_offset);
    vxbi_put_u64(w, header->global_bytes);
}

void vxbi_ktx2_get_header(struct vxbi_reader *r, struct vxbi_ktx2_header *header)
{
    vxbi_get(r, sizeof vxbi_ktx2_identifier);
    header->vk_format = vxbi_get_u32(r);
    header->type_size = vxbi_get_u32(r);
    header->width = vxbi_get_u32(r);
    header->height = vxbi_get_u32(r);
    header->depth = vxbi_get_u32(r);
    header->layers = vxbi_get_u32(r);
    header->faces = vxbi_get_u32(r);
    header->levels = vxbi_get_u32(r);
    header->scheme = vxbi_get_u32(r);
    header->dfd_offset = vxbi_get_u32(r);
    header->dfd_bytes = vxbi_get_u32(r);
    header->values_offset = vxbi_get_u32(r);
    header->values_bytes = vxbi_get_u32(r);
    header->global_offset = vxbi_get_u64(r);
    header->global_bytes = vxbi_get_u64(r);
}

/* Numbers of the Khronos Data Format Specification 1.3. */
enum {
    KHR_DF_VERSION = 2,
    KHR_DF_MODEL_RGBSDA = 1,
    KHR_DF_PRIMARIES_BT709 = 1,
    KHR_DF_TRANSFER_LINEAR = 1,
    KHR_DF_CHANNEL_ALPHA = 15,
    KHR_DF_SIGNED_FLOAT = 0xC0 /* the qualifiers float and signed, above the channel's id */
};

uint32_t vxbi_ktx2_dfd_bytes(const struct vxbi_ktx2_format *format) { return 4 + 24 + 16 * format->channels; }

void vxbi_ktx2_put_dfd(struct vxbi_writer *w, const struct vxbi_ktx2_format *format)
{
    const uint32_t bytes = vxbi_ktx2_dfd_bytes(format), bits = format->type_bytes * 8;
    vxbi_put_u32(w, bytes);
    vxbi_put_u32(w, 0); /* vendor and type of the descriptor: Khronos, basic */
    vxbi_put_u16(w, KHR_DF_VERSION);
    vxbi_put_u16(w, (uint16_t)(bytes - 4));
    vxbi_put_u8(w, KHR_DF_MODEL_RGBSDA);
    vxbi_put_u8(w, KHR_DF_PRIMARIES_BT709);
    vxbi_put_u8(w, KHR_DF_TRANSFER_LINEAR);
    vxbi_put_u8(w, 0);  /* flags */
    vxbi_put_u32(w, 0); /* a block is one texel */
    vxbi_put_u32(w, vxbi_ktx2_texel_bytes(format)); /* bytes of plane 0; the other seven have none */
    vxbi_put_u32(w, 0);
    for (uint32_t i = 0; i < format->channels; i++) {
        const uint32_t channel = i == 3 ? KHR_DF_CHANNEL_ALPHA : i;
        vxbi_put_u16(w, (uint16_t)(i * bits));
        vxbi_put_u8(w, (uint8_t)(bits - 1));
        vxbi_put_u8(w, (uint8_t)(channel | (format->is_float ? KHR_DF_SIGNED_FLOAT : 0)));
        vxbi_put_u32(w, 0); /* position within the block */
        if (format->is_float) {
            vxbi_put_f32(w, -1.0f);
            vxbi_put_f32(w, 1.0f);
        } else {
            vxbi_put_u32(w, 0);
            vxbi_put_u32(w, 1);
        }
    }
}

void vxbi_ktx2_put_value(struct vxbi_writer *w, const struct vxbi_ktx2_value *value)
{
    const size_t key_bytes = strlen(value->key) + 1, bytes = key_bytes + value->bytes;
    vxbi_put_u32(w, (uint32_t)bytes);
    vxbi_put(w, value->key, key_bytes);
    vxbi_put(w, value->value, value->bytes);
    vxbi_put_zeros(w, (size_t)vxbi_align_up(bytes, 4) - bytes);
}

uint32_t vxbi_ktx2_full_chain(uint32_t width, uint32_t height, uint32_t depth)
{
    uint32_t side = width | height | depth, levels = 0;
    for (; side; side >>= 1)
        levels++;
    return levels;
}

static uint32_t side_of(uint32_t side, uint32_t level) { return side >> level ? side >> level : 1; }

bool vxbi_ktx2_lay_out(const struct vxbi_ktx2_desc *desc, uint32_t values_bytes, struct vxbi_ktx2_layout *out)
{
    const uint32_t texel = vxbi_ktx2_texel_bytes(desc->format), align = texel < 4 ? 4 : texel;
    *out = (struct vxbi_ktx2_layout){.dfd_offset = VXBI_KTX2_HEADER_BYTES + VXBI_KTX2_INDEX_BYTES * desc->levels,
                                     .dfd_bytes = vxbi_ktx2_dfd_bytes(desc->format),
                                     .values_bytes = values_bytes};
    out->head_bytes = (uint64_t)out->dfd_offset + out->dfd_bytes;
    if (values_bytes) {
        out->values_offset = (uint32_t)out->head_bytes;
        out->head_bytes += values_bytes;
    }
    out->file_bytes = out->head_bytes;
    for (uint32_t level = desc->levels; level-- > 0;) {
        uint64_t bytes = (uint64_t)texel * side_of(desc->width, level);
        if (!vxbi_mul_u64(bytes, side_of(desc->height, level), &bytes) ||
            !vxbi_mul_u64(bytes, side_of(desc->depth, level), &bytes) ||
            !vxbi_mul_u64(bytes, desc->layers ? desc->layers : 1, &bytes) ||
            !vxbi_mul_u64(bytes, desc->faces, &bytes) || bytes > UINT64_MAX - align - out->file_bytes)
            return false;
        out->level_offset[level] = vxbi_align_up(out->file_bytes, align);
        out->level_bytes[level] = bytes;
        out->file_bytes = out->level_offset[level] + bytes;
    }
    return true;
}
