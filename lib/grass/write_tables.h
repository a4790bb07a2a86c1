/* The tables of a file that is written: sections, LODs, strings, chunks. */
#ifndef VXBI_GRASS_WRITE_TABLES_H
#define VXBI_GRASS_WRITE_TABLES_H

#include "format.h"
#include "write.h"

/* Everything in header and sections that the chunks' list and the names tell: ranges, counts, sizes, flags. */
void vxbi_grass_write_counts(struct vxbi_write_input *input, const struct vxbi_write_options *options);

/* A chunk as the table has it, but for its first blade and where its data is. */
struct vxb_grass_chunk vxbi_grass_write_entry(const struct vxbi_field_chunk *from, uint32_t section);

/* Writes all from byte 128 to data_start, where the first chunk's data is, and sets content_id and tables_hash in the
 * header. Each chunk's spill_offset and spilled are where its data is and how many bytes it has. output NULL: only sets
 * them. VXB_ERR_MEMORY, VXB_ERR_IO, VXB_ERR_BUG. */
enum vxb_status vxbi_grass_write_tables(struct vxbi_write_input *input, struct vxb_output *output,
                                        const struct vxbi_grass_layout *layout, uint64_t data_start,
                                        struct vxb_error *err);

#endif
