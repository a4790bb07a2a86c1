/* The grass reader inside: one set of checks for opening (strict) and for verifying (a collector that goes on). Source:
 * vxbake-format(5). */
#ifndef VXBI_GRASS_READ_H
#define VXBI_GRASS_READ_H

#include "../core/collect.h"
#include "../core/limits.h"
#include "../core/os.h"
#include "format.h"

/* Every name of every section: species, material, mesh and passes, each u16 and 255 bytes at most. */
#define VXBI_GRASS_STRINGS_MAX (VXB_GRASS_SECTIONS_MAX * 7u * 257u)
#define VXBI_GRASS_LODS_MAX (VXB_GRASS_SECTIONS_MAX * 8u)
#define VXBI_GRASS_CHUNK_BLADES_MAX ((uint32_t)VXBI_SIDE_MAX * VXBI_SIDE_MAX)
/* Chunk table entries that are looked at together. */
#define VXBI_GRASS_WINDOW 128u

/* How far a file could be understood. Each level implies those below it. */
enum vxbi_grass_known {
    VXBI_GRASS_NOTHING,
    VXBI_GRASS_HEADER,  /* header fields are there; they may break rules */
    VXBI_GRASS_TABLES,  /* counts are sane and the tables lie inside the file: offsets can be computed */
    VXBI_GRASS_SECTIONS /* sections, LODs and strings are read; the chunk table may be walked */
};

struct vxbi_legacy_chunk;

struct vxb_grass {
    struct vxb_allocator allocator;
    uint64_t max_memory;
    struct vxbi_file *file;   /* NULL: source */
    struct vxb_source source;
    char *name;               /* for messages */
    uint64_t size;            /* what there is, not what the header says */
    enum vxbi_grass_known known;
    struct vxb_grass_header header;
    struct vxbi_grass_layout layout;
    struct vxb_grass_section sections[VXB_GRASS_SECTIONS_MAX];
    struct vxb_grass_lod lods[VXBI_GRASS_LODS_MAX];
    float radius[VXB_GRASS_SECTIONS_MAX]; /* each section's largest mesh radius */
    bool radius_known;                    /* the sections' LODs could be told apart */
    bool unjudged;            /* a rule of the tables could not be applied, since another, which was told, is broken */
    char strings[VXBI_GRASS_STRINGS_MAX + VXB_GRASS_SECTIONS_MAX * 7u]; /* terminated */
    struct vxbi_legacy_chunk *legacy; /* format 1: the chunks that are shown, header.chunk_count of room legacy_room */
    uint64_t legacy_room;
};

/* What one thread keeps from chunk to chunk. */
struct vxbi_grass_block {
    uint8_t *data;
    size_t room;
};
struct ZSTD_DCtx_s;
struct vxb_grass_scratch {
    struct vxb_allocator allocator;
    struct ZSTD_DCtx_s *zstd;
    struct vxbi_grass_block compressed, split;
    struct vxbi_grass_block blades, order; /* format 1: as stored; by rank */
    bool skip_hash, skip_blades;           /* see vxbi_grass_scratch_skip_...() */
};
/* Grows without keeping what was in it: a chunk is read whole. */
enum vxb_status vxbi_grass_reserve(struct vxb_grass_scratch *scratch, struct vxbi_grass_block *block, size_t size,
                                   struct vxb_error *err);

/* What the walk over the chunk table learns. */
struct vxbi_grass_walk {
    uint64_t readable;         /* chunks whose data can be read: see vxbi_grass_readable() */
    uint64_t most_bytes;       /* in the file, of one of those */
    uint64_t most_raw_bytes;   /* decoded */
};

/* Opens without looking inside; close with vxb_grass_close(). */
enum vxb_status vxbi_grass_new(const struct vxb_env *env, const char *path, const struct vxb_source *source,
                               const char *name, struct vxb_grass **out, struct vxb_error *err);

/* The same from a file that is open, which it takes, also where it fails; and opened strictly. path is for messages. */
enum vxb_status vxbi_grass_adopt(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                 struct vxb_grass **out, struct vxb_error *err);
enum vxb_status vxbi_grass_open_file(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                     struct vxb_grass **out, struct vxb_error *err);


/* Checks header, sections, LODs, strings and the whole chunk table, and sets known. Returns only what kept it from
 * looking (VXB_ERR_IO, VXB_ERR_CANCELLED); what it found goes to collect. */
enum vxb_status vxbi_grass_load(struct vxb_grass *grass, const struct vxb_env *env, struct vxbi_collect *collect,
                                struct vxbi_grass_walk *walk, struct vxb_error *err);

/* Reads exactly size bytes. */
enum vxb_status vxbi_grass_read_at(const struct vxb_grass *grass, uint64_t offset, void *buf, size_t size,
                                   struct vxb_error *err);

/* check_header.c: whether the format is one that is read. */
bool vxbi_grass_check_format(uint32_t format, struct vxbi_collect *c);

/* check_header.c: the 128 bytes; false where the tables can't be looked for. */
bool vxbi_grass_check_header(struct vxb_grass *grass, const uint8_t bytes[VXB_GRASS_HEADER_BYTES],
                             struct vxbi_collect *collect);
/* A header's bounds, which stand at byte at: ordered, and zeros where the field is empty. */
void vxbi_grass_check_bounds(const float low[3], const float high[3], bool empty, uint64_t at,
                             struct vxbi_collect *collect);
/* Whether these first bytes are those of a grass file. */
bool vxbi_grass_begins(const uint8_t *start, size_t size);
/* Why a file does not begin as a grass file does. start: its first bytes, size (at most 128) of them. */
bool vxbi_grass_check_start(const struct vxb_grass *grass, const uint8_t *start, size_t size,
                            struct vxbi_collect *collect);

/* check_tables.c: bytes holds the file from the section table to the chunk table. */
void vxbi_grass_check_tables(struct vxb_grass *grass, const uint8_t *bytes, struct vxbi_collect *collect);

/* check_chunks.c: decodes count entries at index first; no rule is checked. */
enum vxb_status vxbi_grass_entries(const struct vxb_grass *grass, uint32_t first, uint32_t count,
                                   struct vxb_grass_chunk *out, struct vxbi_hash_state *hash, uint32_t *reserved,
                                   struct vxb_error *err);
/* Checks entry index against the tables and the entry before it (NULL: it is the first). reserved: its reserved
 * word. */
void vxbi_grass_check_entry(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                            const struct vxb_grass_chunk *before, uint32_t reserved, struct vxbi_collect *collect);
/* The walk over all of them, with the tables' hash, the content id and the file's end. head: as check_tables. */
enum vxb_status vxbi_grass_check_chunks(struct vxb_grass *grass, const struct vxb_env *env, const uint8_t *head,
                                        struct vxbi_collect *collect, struct vxbi_grass_walk *walk,
                                        struct vxb_error *err);
/* The section whose range holds chunk index; section_count where none does. */
uint32_t vxbi_grass_section_of(const struct vxb_grass *grass, uint32_t index);
/* Whether an entry is sound enough for its data to be read. */
bool vxbi_grass_readable(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk);

/* check_cells.c: how many blades a cell can have had; UINT32_MAX where that is not known: of a field that was made from
 * format 1, and where the density is wrong, which is found elsewhere. */
uint32_t vxbi_grass_candidates(const struct vxb_grass *grass);
/* Checks that the chunks of a cell, none of which has more alone, do not have more together. Where a section's chunks
 * do not ascend, which is found elsewhere, it may miss some. */
enum vxb_status vxbi_grass_check_cells(const struct vxb_grass *grass, const struct vxb_env *env,
                                       struct vxbi_collect *collect, struct vxb_error *err);

/* read_chunk.c: reads chunk index (whose entry is readable) into records (blade_count * 16 bytes) and checks frame,
 * hash and blades. Of format 1 it completes *chunk too. *usable tells whether records holds the chunk's blades. */
enum vxb_status vxbi_grass_fetch(const struct vxb_grass *grass, uint32_t index, struct vxb_grass_chunk *chunk,
                                 uint8_t *records, struct vxb_grass_scratch *scratch, struct vxbi_collect *collect,
                                 bool *usable, struct vxb_error *err);
/* The bytes between the previous chunk's end and this raw chunk's data: all zero. */
enum vxb_status vxbi_grass_check_gap(const struct vxb_grass *grass, uint32_t index,
                                     const struct vxb_grass_chunk *before, const struct vxb_grass_chunk *chunk,
                                     struct vxbi_collect *collect, struct vxb_error *err);
/* vxb_grass_read_chunk() for a caller who has an entry of vxbi_grass_entries(): of format 1 it is completed. */
enum vxb_status vxbi_grass_read_entry(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk, uint8_t *records,
                                      size_t capacity, struct vxb_grass_scratch **scratch, struct vxb_error *err);
/* Adds a chunk that was fetched to its section's bounds. */
void vxbi_grass_bounds_add(const struct vxb_grass *grass, struct vxbi_bounds_section *bounds,
                           const struct vxb_grass_chunk *chunk, const uint8_t *records,
                           const struct vxb_grass_scratch *scratch);
struct vxb_grass_scratch *vxbi_grass_scratch_new(const struct vxb_allocator *allocator); /* NULL: no memory */
/* Whether chunks read with it have their hashes left unlooked at. */
void vxbi_grass_scratch_skip_hash(struct vxb_grass_scratch *scratch, bool skip);
/* Whether the blades of chunks read with it are left unlooked at, and need not be left in records; not for format 1. */
void vxbi_grass_scratch_skip_blades(struct vxb_grass_scratch *scratch, bool skip);

/* record.c: every blade of a chunk. In compressed data a single blade has no offset: what is told of one is told of its
 * frame's start. */
void vxbi_grass_check_records(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                              const uint8_t *records, struct vxbi_collect *collect);

#endif
