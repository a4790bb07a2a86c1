/* Grass files, formats 1, 2 and 3: their structures in memory, and the reader. Source: vxbake-format(5).
 *
 * The reader believes nothing. Opening checks header, tables and every range between them; reading a chunk checks its
 * hash and every blade. What a call returned with VXB_OK may be trusted by everything behind it.
 *
 * Format 1 is shown as a field of one default species: chunks in order, empty ones left out, blades as records of 16
 * bytes by rank. It has no hash, and a chunk's heights, largest scale and hash are made from its blades, so asking
 * for a chunk's entry reads them. */
#ifndef VXBAKE_GRASS_H
#define VXBAKE_GRASS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_GRASS_RECORD_BYTES 16
#define VXB_GRASS_HEADER_BYTES 128
#define VXB_GRASS_CHUNK_BYTES 56
#define VXB_GRASS_LOD_BYTES 32
#define VXB_GRASS_SECTION2_BYTES 32
#define VXB_GRASS_SECTION3_BYTES 64
#define VXB_GRASS_CHUNK_ALIGN 64
#define VXB_GRASS_SECTIONS_MAX 4

enum vxb_grass_flag {
    VXB_GRASS_ZSTD = 1,    /* chunks are zstd frames */
    VXB_GRASS_SPLIT = 2,   /* plane-split before compression; only with ZSTD */
    VXB_GRASS_INEXACT = 4, /* baked on a device that is not exact */
    VXB_GRASS_PARTIAL = 8  /* only a region was baked */
};

/* What a flag is called ("zstd"); static storage; NULL for a value that is not one flag. */
const char *vxb_grass_flag_name(uint16_t flag);

/* The header of formats 2 and 3, field by field as in the file. Of format 1, what that does not say is 0 or no limit,
 * and chunk_count counts the chunks with blades. */
struct vxb_grass_header {
    uint32_t format;          /* 1, 2 or 3 */
    uint32_t header_bytes;    /* 128; 64 in format 1 */
    uint64_t file_bytes;
    uint16_t flags;           /* enum vxb_grass_flag */
    uint16_t bake_revision;
    uint32_t section_count, chunk_count, blade_count, lod_count;
    uint32_t string_bytes;    /* before padding */
    float cell_size;          /* metres */
    uint32_t max_commands, updates_per_frame, blade_budget; /* VXB_NO_LIMIT: none */
    float bounds_min[3], bounds_max[3]; /* world metres; zeros when there is no blade */
    uint32_t seed;
    float density;            /* candidates a square metre of the whole field */
    uint64_t bake_id, tables_hash, content_id, header_hash;
};

/* One species. The texts are UTF-8, terminated, and belong to the reader. */
struct vxb_grass_section {
    uint64_t species_id;
    uint32_t material_index, first_chunk, chunk_count, first_blade, blade_count;
    uint8_t lod_count, pass_count;
    uint16_t rank_limit;      /* no blade's rank is above it */
    uint64_t profile_id;      /* format 3; 0 in format 2 */
    uint64_t material_id;     /* format 3; in format 2 made from the material's name */
    uint32_t share;           /* parts per million; 1000000 in format 2 */
    uint32_t blade_budget;    /* VXB_NO_LIMIT: none */
    uint32_t first_lod;       /* into the LOD table */
    const char *name, *material, *mesh;
    const char *passes[4];
};

/* One level of detail; a section's stand nearest first. */
struct vxb_grass_lod {
    float distance;           /* metres, up to which it is drawn; infinity allowed in the last */
    float keep;               /* 0..1, which part of the blades */
    float fade;               /* metres, where it starts to fade */
    float mesh_radius;        /* metres at scale 1 */
    uint32_t index_count, first_index;
    int32_t vertex_offset;
};

/* The blades of one species in one cell. */
struct vxb_grass_chunk {
    int32_t cell_x, cell_z;
    uint32_t first_blade, blade_count;
    float min_y, max_y;       /* world metres: the ground's, not the blades' */
    float max_scale;          /* largest decoded scale */
    uint32_t section;
    uint64_t data_offset;
    uint32_t data_bytes;      /* in the file, compressed or not */
    uint64_t hash;            /* of the decoded 16-byte records */
};

/* What a 16-byte record means, in double. */
struct vxb_blade {
    double x, y, z;           /* world metres */
    double yaw;               /* radians, 0..2pi */
    double scale;
    double up[3];             /* unit */
    double tint;              /* 0..1 */
    double phase;             /* wind phase, radians, 0..2pi */
    double rank;              /* 0..1 */
    uint16_t rank_code;       /* 0..65535, as stored */
};

/* Where bytes come from when they are not in a file. read_at must fill all size bytes at offset or return false; it is
 * called from any thread that reads. */
struct vxb_source {
    void *user;
    uint64_t size;
    bool (*read_at)(void *user, uint64_t offset, void *buf, size_t size);
};

struct vxb_grass;

/* Opens a grass file and checks its header and its tables, all but the chunks' data.
 * path: a file, or "-" for standard input; what can't be read at an offset (a pipe) is first copied to its end into an
 *   unlinked temporary.
 * Returns VXB_ERR_IO, VXB_ERR_FORMAT (no grass file), VXB_ERR_UNSUPPORTED (a format or a flag this does not read),
 * VXB_ERR_DATA with the finding and the byte offset, VXB_ERR_CANCELLED, VXB_ERR_MEMORY.
 * out: the caller closes it with vxb_grass_close(). Unchanged on failure. Any number of threads may read from one. */
enum vxb_status vxb_grass_open(const struct vxb_env *env, const char *path, struct vxb_grass **out,
                               struct vxb_error *err);

/* The same from a callback. The source is copied; what its user points to must stay valid until the close. name is for
 * messages, NULL: "the source". */
enum vxb_status vxb_grass_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                      struct vxb_grass **out, struct vxb_error *err);

/* Closes; NULL is allowed. */
void vxb_grass_close(struct vxb_grass *grass);

/* The header, a section (index below section_count), a LOD entry (index below lod_count); they belong to the reader. */
const struct vxb_grass_header *vxb_grass_header(const struct vxb_grass *grass);
const struct vxb_grass_section *vxb_grass_section(const struct vxb_grass *grass, uint32_t index);
const struct vxb_grass_lod *vxb_grass_lod(const struct vxb_grass *grass, uint32_t index);

/* Byte offsets of the section, LOD, string and chunk tables and of the first chunk's data (the file's end where there
 * is no chunk), in this order. */
void vxb_grass_table_offsets(const struct vxb_grass *grass, uint64_t offsets[5]);

/* Reads count chunk entries from index first on into out. Returns VXB_ERR_USAGE beyond the table, VXB_ERR_IO (a file
 * that shrank is one), VXB_ERR_DATA. */
enum vxb_status vxb_grass_chunks(const struct vxb_grass *grass, uint32_t first, uint32_t count,
                                 struct vxb_grass_chunk *out, struct vxb_error *err);

/* Finds the chunk of a cell in a section by binary search. *found tells whether there is one; then *index (in the chunk
 * table) and *out are it. Returns VXB_ERR_USAGE (no such section), VXB_ERR_IO, VXB_ERR_DATA. */
enum vxb_status vxb_grass_find(const struct vxb_grass *grass, uint32_t section, int32_t cell_x, int32_t cell_z,
                               bool *found, uint32_t *index, struct vxb_grass_chunk *out, struct vxb_error *err);

/* What reading a chunk needs beside the records, kept for the next: see vxb_grass_read_chunk(). */
struct vxb_grass_scratch;

/* Reads, decompresses and checks one chunk (hash, every blade's values and order).
 * chunk: an entry as vxb_grass_chunks() or vxb_grass_find() gave it.
 * records: receives chunk->blade_count * 16 bytes, as in the file; capacity is its size in bytes.
 * scratch: may be NULL; else where *scratch is NULL it is made, and in any case used and kept for later calls, also on
 *   failure; freed with vxb_grass_scratch_free(). One scratch serves one thread at a time.
 * Returns VXB_ERR_USAGE (the entry is not one of this file's, the capacity is too small), VXB_ERR_IO, VXB_ERR_DATA with
 * the finding and the byte offset, VXB_ERR_LIMIT (a compressed chunk that does not fit the environment's
 * max_memory_bytes), VXB_ERR_MEMORY. After a failure records are unspecified. */
enum vxb_status vxb_grass_read_chunk(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk,
                                     uint8_t *records, size_t capacity, struct vxb_grass_scratch **scratch,
                                     struct vxb_error *err);
void vxb_grass_scratch_free(struct vxb_grass_scratch *scratch); /* NULL is allowed */

/* What one 16-byte record of this chunk means; the record must have passed vxb_grass_read_chunk(). Any thread. */
void vxb_grass_decode(const struct vxb_grass_header *header, const struct vxb_grass_chunk *chunk,
                      const uint8_t record[VXB_GRASS_RECORD_BYTES], struct vxb_blade *out);

#ifdef __cplusplus
}
#endif

#endif
