/* A baked file's chunks and blades, one after another, for everything that lists or draws them. */
#ifndef VXBI_EXPORT_BLADES_H
#define VXBI_EXPORT_BLADES_H

#include "../core/jsonw.h"
#include "../vxbake/export.h"
#include "table.h"

/* Called for each chunk in file order with its index in the chunk table; records is NULL unless blades is set. */
struct vxbi_chunk_visitor {
    void *user;
    bool blades;
    enum vxb_status (*chunk)(void *user, uint32_t index, const struct vxb_grass_chunk *chunk, const uint8_t *records,
                             struct vxb_error *err);
};

/* selection.c: whether the cell and the first of each range are there, blades' where they are wanted. */
enum vxb_status vxbi_check_selection(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                     bool blades, struct vxb_error *err);

/* Visits all chunks, or, where options has a cell, that cell's, one a section at most; options may be NULL. Ends with
 * the first status that is not VXB_OK. */
enum vxb_status vxbi_chunks_visit(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                  const struct vxbi_chunk_visitor *visitor, struct vxb_error *err);

/* Which blades of a chunk are wanted: from to to - 1 of its own; false where none is. options may be NULL. */
bool vxbi_blades_wanted(const struct vxb_inspect_options *options, const struct vxb_grass_chunk *chunk, uint32_t *from,
                        uint32_t *to);

/* A chunk as a row: its index, then all that its entry says. */
enum { VXBI_CHUNK_CELLS = 12 };
extern const struct vxbi_table vxbi_chunk_table;
void vxbi_chunk_cells(uint32_t index, const struct vxb_grass_chunk *chunk, struct vxbi_cell out[VXBI_CHUNK_CELLS]);

/* The members "index" and all that a record means, in an object that is open. */
void vxbi_blade_members(struct vxbi_jsonw *w, uint32_t index, const struct vxb_blade *blade);
/* The same without "index", for one that is in no file yet. */
void vxbi_blade_values(struct vxbi_jsonw *w, const struct vxb_blade *blade);

/* A table of the chunks, or of the blades, that options (may be NULL) name. */
enum vxb_status vxbi_list_chunks(struct vxbi_listing *listing, const struct vxb_grass *grass,
                                 const struct vxb_inspect_options *options, bool blades, struct vxb_error *err);

#endif
