/* KTX2 as bytes: what reader and writer both stand on. */
#ifndef VXBI_KTX2_FORMAT_H
#define VXBI_KTX2_FORMAT_H

#include "fields.h"
#include "ktx2.h"

#include "../core/bytes.h"

#define VXBI_KTX2_HEADER_BYTES 80u
#define VXBI_KTX2_INDEX_BYTES 24u
#define VXBI_KTX2_DFD_MAX 92u /* of four channels */

extern const uint8_t vxbi_ktx2_identifier[12];

/* The header's 80 bytes as they stand, the identifier apart. */
struct vxbi_ktx2_header {
    uint32_t vk_format, type_size, width, height, depth, layers, faces, levels, scheme;
    uint32_t dfd_offset, dfd_bytes, values_offset, values_bytes;
    uint64_t global_offset, global_bytes;
};

void vxbi_ktx2_put_header(struct vxbi_writer *w, const struct vxbi_ktx2_header *header);
void vxbi_ktx2_get_header(struct vxbi_reader *r, struct vxbi_ktx2_header *header);

/* The data format descriptor of a format, length first. */
void vxbi_ktx2_put_dfd(struct vxbi_writer *w, const struct vxbi_ktx2_format *format);
uint32_t vxbi_ktx2_dfd_bytes(const struct vxbi_ktx2_format *format);

/* One key/value with its padding. */
void vxbi_ktx2_put_value(struct vxbi_writer *w, const struct vxbi_ktx2_value *value);

/* The layout of a file with this shape and values_bytes of key/values; false where a size does not fit 64 bits. Shape
 * and number of levels must be in range. */
bool vxbi_ktx2_lay_out(const struct vxbi_ktx2_desc *desc, uint32_t values_bytes, struct vxbi_ktx2_layout *out);

/* The most levels that a texture of this size can have. */
uint32_t vxbi_ktx2_full_chain(uint32_t width, uint32_t height, uint32_t depth);

#endif
