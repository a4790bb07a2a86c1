/* Format 1, the legacy one: its structures as bytes, its blades as records of 16 bytes and back, and its reader. What
 * is read of it looks like a file of formats 2 and 3 with one default species: chunks by z, then x, without the empty
 * ones, blades by rank. Source: vxbake-format(5), "Format 1". */
#ifndef VXBI_GRASS_LEGACY_H
#define VXBI_GRASS_LEGACY_H

#include "read.h"

#define VXBI_LEGACY_HEADER_BYTES 64u
#define VXBI_LEGACY_CHUNK_BYTES 16u
#define VXBI_LEGACY_BLADE_BYTES 32u
_Static_assert(sizeof(struct vxbi_legacy_header_at) == VXBI_LEGACY_HEADER_BYTES, "the header's fields fill it");
_Static_assert(sizeof(struct vxbi_legacy_chunk_at) == VXBI_LEGACY_CHUNK_BYTES, "a chunk's fields fill it");
_Static_assert(sizeof(struct vxbi_legacy_blade_at) == VXBI_LEGACY_BLADE_BYTES, "a blade's fields fill it");

/* The nearest f32 of 2 pi: the largest angle that a blade may have. */
#define VXBI_LEGACY_TURN 0x1.921fb6p+2f

struct vxbi_legacy_header {
    uint64_t file_bytes;
    float bounds_min[3], bounds_max[3], cell_size;
    uint32_t header_bytes, chunk_count, blade_count, reserved;
};
void vxbi_legacy_put_header(struct vxbi_writer *w, const struct vxbi_legacy_header *header);
void vxbi_legacy_get_header(struct vxbi_reader *r, struct vxbi_legacy_header *header);

/* One blade, as stored: its place in the world and all else in units that people use. */
struct vxbi_legacy_blade {
    float x, y, z, yaw, scale, tint, phase, rank;
};
void vxbi_legacy_put_blade(struct vxbi_writer *w, const struct vxbi_legacy_blade *blade);
void vxbi_legacy_get_blade(const uint8_t bytes[VXBI_LEGACY_BLADE_BYTES], struct vxbi_legacy_blade *out);

/* Where a coordinate of a blade of this cell may lie: from the nearest f32 of the cell's lower side to that of its
 * upper one, both inside, since positions were rounded in the world. */
void vxbi_legacy_sides(int32_t cell, float cell_size, float *low, float *high);

/* A blade that keeps the rules as a record of a chunk with these heights. */
void vxbi_legacy_pack(const struct vxbi_legacy_blade *blade, const struct vxb_grass_chunk *chunk, float cell_size,
                      uint8_t record[VXB_GRASS_RECORD_BYTES]);
uint16_t vxbi_legacy_rank(float rank);

/* And back, from what a record means. What its up direction says is lost. */
void vxbi_legacy_unpack(const struct vxb_grass_header *header, const struct vxb_grass_chunk *chunk,
                        const struct vxb_blade *blade, struct vxbi_legacy_blade *out);

/* ---- reading; struct vxb_grass is opened, its header's format 1 ---- */

/* A chunk as the reader shows it. */
struct vxbi_legacy_chunk {
    int32_t cell_x, cell_z;
    uint32_t number;      /* in the file's table */
    uint32_t first_blade; /* in the file */
    uint32_t shown_first; /* in the order that is shown */
    uint32_t blade_count;
    bool readable;        /* its blades lie in the file, and are nobody else's */
};

/* legacy_read.c: header and chunk table; fills in header, section, LOD and index. start: the file's first bytes, size
 * (at most 128) of them. Returns VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxbi_legacy_load(struct vxb_grass *grass, const struct vxb_env *env, const uint8_t *start, size_t size,
                                 struct vxbi_collect *collect, struct vxbi_grass_walk *walk, struct vxb_error *err);
/* Entries without what only their blades tell: heights, largest scale and hash are zero. */
void vxbi_legacy_entries(const struct vxb_grass *grass, uint32_t first, uint32_t count, struct vxb_grass_chunk *out);
/* The index of a cell's chunk. */
bool vxbi_legacy_find(const struct vxb_grass *grass, int32_t cell_x, int32_t cell_z, uint32_t *index);
bool vxbi_legacy_readable(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk);

/* legacy_blades.c: bytes of memory that reading a chunk takes beside its records. */
uint64_t vxbi_legacy_memory(uint32_t blade_count);
/* Reads a chunk's blades, checks them, and makes records of them; completes *chunk. Where a blade breaks a rule the
 * records are zeros and the chunk's heights and largest scale are no numbers. */
enum vxb_status vxbi_legacy_fetch(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk, uint8_t *records,
                                  struct vxb_grass_scratch *scratch, struct vxbi_collect *collect,
                                  struct vxb_error *err);
/* Completes an entry. */
enum vxb_status vxbi_legacy_measure(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk,
                                    struct vxb_error *err);
/* Adds the positions of the chunk that scratch was last used for. */
void vxbi_legacy_bounds_add(struct vxbi_bounds_section *bounds, const struct vxb_grass_chunk *chunk,
                            const struct vxb_grass_scratch *scratch);

/* ---- writing ---- */

/* What a file of format 1 does not keep, as far as only the blades tell it. */
struct vxbi_legacy_lost {
    uint64_t tilted; /* blades whose up is not straight up */
    double moved[3]; /* metres: how far the rounding to f32 moved any blade, on each axis */
};

/* legacy_write.c: writes a file of format 2 as format 1 to output (not yet committed), a chunk at a time. */
enum vxb_status vxbi_legacy_write(const struct vxb_env *env, const struct vxb_grass *grass, struct vxb_output *output,
                                  struct vxbi_legacy_lost *lost, uint64_t *file_bytes, struct vxb_error *err);

#endif
