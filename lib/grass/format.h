/* Formats 2 and 3 as bytes: each structure put and got field by field, and where each table stands. Reader and writer
 * both stand on this and on the lists of fields.h; neither knows an offset of its own. Source: vxbake-format(5). */
#ifndef VXBI_GRASS_FORMAT_H
#define VXBI_GRASS_FORMAT_H

#include <math.h>

#include "../core/bytes.h"
#include "../core/hash.h"
#include "fields.h"

extern const uint8_t vxbi_grass_magic[8];

/* Byte offsets from the file's start; data is where chunk data may begin: the end of the padded chunk table. */
struct vxbi_grass_layout {
    uint64_t sections, lods, strings, chunks, data;
};
/* Counts below 2^32 can't overflow it. */
void vxbi_grass_layout(const struct vxb_grass_header *header, struct vxbi_grass_layout *out);


/* Candidates along a cell's side, before fewer than one become one. In f32 for whoever plans and whoever verifies: in
 * f64 the root of a density at the limit can fall on the other side of it. */
static inline float vxbi_grass_side(float cell_size, float density)
{
    return rintf(cell_size * sqrtf(density));
}

/* Whether the density gives at least half a candidate along a cell's side. */
static inline bool vxbi_grass_side_is_half(float cell_size, float density)
{
    return (double)cell_size * sqrt((double)density) >= 0.5;
}

/* The cell of a world coordinate: the floor, exact where the quotient rounds. */
static inline int64_t vxbi_grass_cell(double world, double size)
{
    int64_t cell = (int64_t)floor(world / size);
    while ((double)cell * size > world)
        cell--;
    while ((double)(cell + 1) * size <= world)
        cell++;
    return cell;
}

/* Where a raw chunk's data starts when the one before it (or the tables) ended at end. */
static inline uint64_t vxbi_grass_raw_start(uint64_t end)
{
    return vxbi_align_up(end, VXB_GRASS_CHUNK_ALIGN);
}

static inline size_t vxbi_grass_section_bytes(uint32_t format)
{
    return format == 3 ? VXB_GRASS_SECTION3_BYTES : VXB_GRASS_SECTION2_BYTES;
}

/* The header with its hash: put_header computes header_hash from the other 120 bytes and ignores the field. */
void vxbi_grass_put_header(struct vxbi_writer *w, const struct vxb_grass_header *header);
void vxbi_grass_put_section(struct vxbi_writer *w, uint32_t format, const struct vxb_grass_section *section);
void vxbi_grass_put_lod(struct vxbi_writer *w, const struct vxb_grass_lod *lod);
void vxbi_grass_put_chunk(struct vxbi_writer *w, const struct vxb_grass_chunk *chunk);
/* u16 length and bytes; the caller knows that the text is short enough. */
void vxbi_grass_put_string(struct vxbi_writer *w, const char *text);

/* The other way. Reserved words come back through *reserved (all of a structure's or-ed together). The header's magic
 * must have been tested. get_section leaves names and first_lod alone and, for format 2, the fields that only format 3
 * has. */
void vxbi_grass_get_header(struct vxbi_reader *r, struct vxb_grass_header *header);
void vxbi_grass_get_section(struct vxbi_reader *r, uint32_t format, struct vxb_grass_section *section,
                            uint32_t *reserved);
void vxbi_grass_get_lod(struct vxbi_reader *r, struct vxb_grass_lod *lod, uint32_t *reserved);
void vxbi_grass_get_chunk(struct vxbi_reader *r, struct vxb_grass_chunk *chunk, uint32_t *reserved);

/* The content id, chunk by chunk in file order. */
void vxbi_content_begin(struct vxbi_hash_state *state, float cell_size);
void vxbi_content_add(struct vxbi_hash_state *state, uint64_t species_id, const struct vxb_grass_chunk *chunk);

/* Plane-split and back: size bytes (a multiple of 16). in and out do not overlap. */
void vxbi_grass_split(uint8_t *out, const uint8_t *in, size_t size);
void vxbi_grass_join(uint8_t *out, const uint8_t *in, size_t size);

/* One record, taken apart. */
struct vxbi_record {
    uint16_t x, z, y, yaw, scale; /* scale: binary16 */
    int8_t ox, oz;
    uint8_t tint, phase;
    uint16_t rank;
};
static inline void vxbi_record_get(const uint8_t *p, struct vxbi_record *out)
{
    out->x = vxbi_load_u16(p + VXBI_AT(grass_record, x));
    out->z = vxbi_load_u16(p + VXBI_AT(grass_record, z));
    out->y = vxbi_load_u16(p + VXBI_AT(grass_record, y));
    out->yaw = vxbi_load_u16(p + VXBI_AT(grass_record, yaw));
    out->scale = vxbi_load_u16(p + VXBI_AT(grass_record, scale));
    out->ox = (int8_t)p[VXBI_AT(grass_record, ox)];
    out->oz = (int8_t)p[VXBI_AT(grass_record, oz)];
    out->tint = p[VXBI_AT(grass_record, tint)];
    out->phase = p[VXBI_AT(grass_record, phase)];
    out->rank = vxbi_load_u16(p + VXBI_AT(grass_record, rank));
}

/* The field's bounds, one chunk after another, then closed: decoded positions grown on every axis by the section's
 * largest decoded scale times its largest mesh radius. */
struct vxbi_bounds_section {
    double min[3], max[3]; /* of the decoded positions */
    float max_scale;
    bool any;
};
void vxbi_bounds_add(struct vxbi_bounds_section *bounds, const struct vxb_grass_chunk *chunk, float cell_size,
                     const uint8_t *records);
/* Adds what another one has. */
void vxbi_bounds_merge(struct vxbi_bounds_section *into, const struct vxbi_bounds_section *from);
/* radius: the largest mesh radius of each section's LODs. */
void vxbi_bounds_close(const struct vxbi_bounds_section *sections, const float *radius, uint32_t count,
                       float bounds_min[3], float bounds_max[3]);

#endif
