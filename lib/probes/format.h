/* The .vxp file as bytes: each structure put and got by its list of fields, and where each table stands. Reader and
 * writer both stand on this; neither knows an offset of its own. Source: vxbake-format(5), "Irradiance fields". */
#ifndef VXBI_PROBES_FORMAT_H
#define VXBI_PROBES_FORMAT_H

#include "../core/bytes.h"
#include "../core/hash.h"
#include "fields.h"

extern const uint8_t vxbi_probe_magic[8];

/* Raw planes start at multiples of it. */
#define VXBI_PROBE_ALIGN 64u

/* Byte offsets from the file's start; data is the end of the plane table. */
struct vxbi_probe_layout {
    uint64_t bricks, planes, data;
};
void vxbi_probe_layout(uint32_t brick_count, struct vxbi_probe_layout *out);

/* Where a plane starts when the one before it (or the tables) ended at end. */
static inline uint64_t vxbi_probe_plane_start(uint16_t flags, uint64_t end)
{
    return flags & VXB_PROBE_ZSTD ? end : vxbi_align_up(end, VXBI_PROBE_ALIGN);
}

/* A texel of a plane, in bytes. */
static inline uint32_t vxbi_probe_texel_bytes(uint32_t encoding) { return encoding == VXB_PROBE_F16 ? 8 : 16; }

/* Slots in all; the caller knows that they are at most 2^20. */
static inline uint64_t vxbi_probe_texels(const uint32_t slots[3])
{
    return (uint64_t)VXB_BRICK_TEXELS * slots[0] * slots[1] * slots[2];
}

/* The header with its hash: put computes header_hash from the other 120 bytes and ignores the field. */
void vxbi_probe_put_header(struct vxbi_writer *w, const struct vxb_probe_header *header);
void vxbi_probe_put_brick(struct vxbi_writer *w, const struct vxb_brick *brick);
void vxbi_probe_put_plane(struct vxbi_writer *w, const struct vxb_probe_plane *plane);

/* The other way. The header's magic must have been tested; reserved: its words that are zero, or-ed together. */
void vxbi_probe_get_header(struct vxbi_reader *r, struct vxb_probe_header *header, uint32_t *reserved);
void vxbi_probe_get_brick(struct vxbi_reader *r, struct vxb_brick *brick);
void vxbi_probe_get_plane(struct vxbi_reader *r, struct vxb_probe_plane *plane);

/* The content id: of header fields, bricks and planes. */
uint64_t vxbi_probe_content_id(const struct vxb_probe_header *header, const struct vxb_brick *bricks,
                               const struct vxb_probe_plane planes[VXB_PROBE_PLANES]);

/* count texels of plane `plane` from probes to bytes. */
void vxbi_probe_pack(uint8_t *out, const struct vxb_probe *probes, size_t count, uint32_t plane, uint32_t encoding);
/* The other way: RGBA of count texels. */
void vxbi_probe_unpack(float *out, const uint8_t *bytes, size_t count, uint32_t encoding);
/* Puts RGBA of a plane into probes. */
void vxbi_probe_set_rgba(struct vxb_probe *probes, const float *rgba, size_t count, uint32_t plane);

/* The RGBA that a plane has of a probe. */
static inline void vxbi_probe_rgba(const struct vxb_probe *probe, uint32_t plane, float rgba[4])
{
    const float *const rgb[VXB_PROBE_PLANES] = {probe->l00, probe->l1m1, probe->l10, probe->l11};
    memcpy(rgba, rgb[plane], 3 * sizeof *rgba);
    rgba[3] = plane == 0 ? probe->validity : plane == 1 ? probe->sun_shadow : 0.0f;
}

#endif
