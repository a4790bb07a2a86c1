/* Writing formats 2 and 3: a field that a bake made, or chunks from anywhere. Source: vxbake-format(5). */
#ifndef VXBI_GRASS_WRITE_H
#define VXBI_GRASS_WRITE_H

#include "field.h"

/* Told of each chunk as it is written, from any worker: the blades kept come first, then those cut by a budget. */
struct vxbi_chunk_sink {
    void *user;
    void (*add)(void *user, uint32_t section, const struct vxb_grass_chunk *chunk, const uint8_t *records,
                uint32_t spilled);
};

struct vxbi_write_options {
    bool compress;
    int level;                          /* zstd's */
    bool split;                         /* only with compress */
    uint16_t flags;                     /* VXB_GRASS_INEXACT, VXB_GRASS_PARTIAL */
    const struct vxbi_chunk_sink *sink; /* NULL: nobody */
};

/* A field as the writer takes it. Each chunk's cell and blade_count, spilled and heights are there when it is taken,
 * but the heights may be read's to fill in; spill_offset is read's own. */
struct vxbi_write_input {
    struct vxb_allocator allocator;
    /* Format, flags but for compression, bake revision, section count, cell size, limits, seed, density and bake id;
     * the rest is filled in as written. */
    struct vxb_grass_header header;
    /* Ids, names, LOD and pass counts, rank limits, shares, budgets; ranges and counts are filled in. */
    struct vxb_grass_section sections[VXB_GRASS_SECTIONS_MAX];
    struct vxb_grass_lod lods[8 * VXB_GRASS_SECTIONS_MAX]; /* of the first section, then of the second, ... */
    struct vxbi_field_chunk *chunks[VXB_GRASS_SECTIONS_MAX]; /* in the file's order; used up */
    uint64_t counts[VXB_GRASS_SECTIONS_MAX];
    void *user;
    /* Reads count records of a chunk. Called by any worker, whose number is below the environment's threads; one
     * worker's calls follow each other. */
    enum vxb_status (*read)(void *user, uint32_t worker, uint32_t section, struct vxbi_field_chunk *chunk,
                            uint32_t count, uint8_t *records, struct vxb_error *err);
    /* NULL, or in place of read: hands over every chunk once. */
    enum vxb_status (*hand_over)(void *user, const struct vxbi_chunk_taker *taker, struct vxb_error *err);
    /* Where hand_over is there. The file is compressed only with VXBI_HAND_IN_ORDER. */
    enum vxbi_handing {
        VXBI_HAND_COUNTED,  /* blade counts are known */
        VXBI_HAND_IN_ORDER, /* they are when a chunk is handed over; there is one section, and chunks come as those of
                               a found field do */
        VXBI_HAND_NEW       /* there is no chunk before: hand_over fills in chunks and counts, and whatever of header
                               and sections depends on them. output is NULL */
    } handing;
};

/* Writes input to output (not yet committed), or, where output is NULL, computes all that the file would hold; the
 * header as written is input's. Returns what read returns, VXB_ERR_IO, VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxbi_grass_write_chunks(const struct vxb_env *env, struct vxbi_write_input *input,
                                        struct vxb_output *output, const struct vxbi_write_options *options,
                                        struct vxb_error *err);

/* write_field.c: the same for a field that was counted or found, with the region and the source that did it, and is
 * made as it is written; options ask for compression only of one that was found. As vxbi_grass_write(), and returns
 * what vxbi_field_hand_over() does. */
enum vxb_status vxbi_grass_write_counted(const struct vxb_env *env, struct vxbi_field *field,
                                         const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                         struct vxb_output *output, const struct vxbi_write_options *options,
                                         struct vxb_grass_header *header, struct vxb_error *err);

/* write_field.c: computes all that the file would hold, of blades that are made for it and kept nowhere; field comes of
 * vxbi_field_pass(), and is to be cleared after success only. */
enum vxb_status vxbi_grass_pass(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_cell_source *source, const struct vxbi_write_options *options,
                                struct vxbi_field *field, struct vxb_grass_header *header, struct vxb_error *err);

/* write_field.c: the same for a made field. Fills in the sections' ledger.bytes and ledger.commands, and *header as
 * written. The field's chunks are used up by it. */
enum vxb_status vxbi_grass_write(const struct vxb_env *env, struct vxbi_field *field, struct vxb_output *output,
                                 const struct vxbi_write_options *options, struct vxb_grass_header *header,
                                 struct vxb_error *err);

#endif
