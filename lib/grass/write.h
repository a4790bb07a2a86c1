/* Writing a made field as format 2 or 3. Source: vxbake-format(5). */
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

/* Writes field to output (not yet committed), or, where output is NULL, computes all that the file would hold. Fills in
 * the sections' ledger.bytes and ledger.commands, and *header as written. The field's chunks are used up by it. */
enum vxb_status vxbi_grass_write(const struct vxb_env *env, struct vxbi_field *field, struct vxbi_output *output,
                                 const struct vxbi_write_options *options, struct vxb_grass_header *header,
                                 struct vxb_error *err);

#endif
