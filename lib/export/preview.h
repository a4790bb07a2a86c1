/* The picture of a grass field from above: blades or candidates counted per pixel while a bake or a read goes on, then
 * drawn over shaded relief with a legend. Bake and inspect share it.
 *
 * A picture is an output like any other: it is made from integer counts, which do not depend on threads or their order,
 * and by + - * / and sqrt alone, so the same counts give the same bytes on every machine. The top row is z's minimum,
 * the left column x's. */
#ifndef VXBI_EXPORT_PREVIEW_H
#define VXBI_EXPORT_PREVIEW_H

#include "../vxbake/bake.h"
#include "../vxbake/grass.h"

struct vxb_output;
struct vxbi_preview;

#define VXBI_PREVIEW_SIDE 1024 /* where nobody asked for another */
#define VXBI_PREVIEW_SIDE_MIN 16
#define VXBI_PREVIEW_SIDE_MAX 4096

struct vxbi_preview_desc {
    enum vxb_preview_as as;
    uint32_t side;           /* pixels of the field's longer side, 16..4096; 0: 1024. Frame and legend come on top */
    double x0, z0, x1, z1;   /* the world rectangle shown, metres; an empty one becomes a square metre */
    uint32_t species_count;  /* 1..4 */
    bool relief_from_blades; /* no terrain will be given: shade by the blades' own heights */
};

/* Makes an empty picture: at side 1024 at most 28 MiB of counters, and about 40 MiB more while it is drawn. The
 * rectangle must be finite. Returns VXB_ERR_USAGE (side), VXB_ERR_MEMORY. */
enum vxb_status vxbi_preview_new(const struct vxb_env *env, const struct vxbi_preview_desc *desc,
                                 struct vxbi_preview **out, struct vxb_error *err);
void vxbi_preview_free(struct vxbi_preview *preview); /* NULL is allowed */

/* Counts a chunk's blades: chunk->blade_count records of 16 bytes, all of one species (its index in ascending id
 * order). Any thread, any order. Does nothing where the picture is of reasons. */
void vxbi_preview_add_blades(struct vxbi_preview *preview, uint32_t species, float cell_size,
                             const struct vxb_grass_chunk *chunk, const uint8_t *records);

/* Counts count candidates of the cell whose corner stands at world (cell_x, cell_z), each at (x[i], z[i]) metres from
 * it, below cell_size, and shown where its record would put it. reason[i] is an enum vxb_reason, or VXB_REASON_COUNT
 * for a candidate that became a blade. Any thread, any order. Does nothing where the picture is not of reasons.
 * A candidate counted as placed that a budget takes away later is moved by vxbi_preview_take_blades(). */
void vxbi_preview_add_reasons(struct vxbi_preview *preview, float cell_size, double cell_x, double cell_z,
                              const float *x, const float *z, const uint8_t *reason, size_t count);

/* Moves records (packed as in a chunk; only cell_x and cell_z of the chunk matter) from placed to budget. */
void vxbi_preview_take_blades(struct vxbi_preview *preview, float cell_size, const struct vxb_grass_chunk *chunk,
                              const uint8_t *records, size_t count);

/* Shades by this terrain; it is not needed after the call. One thread. Returns VXB_ERR_MEMORY. */
enum vxb_status vxbi_preview_relief_terrain(struct vxbi_preview *preview, const struct vxb_terrain *terrain,
                                            struct vxb_error *err);

/* What the legend says beside the colours. */
struct vxbi_preview_legend {
    const char *names[VXB_SPECIES_MAX];      /* of the species, ascending id order; any bytes */
    uint64_t blades[VXB_SPECIES_MAX];
    uint32_t parts[VXB_SPECIES_MAX];         /* their shares: the largest is the base, drawn as grass and named first */
    uint64_t reasons[VXB_REASON_COUNT];      /* of the field; only for a picture of reasons */
};

/* Draws the picture and appends it to output as a PNG. One thread, after all counting. Returns VXB_ERR_MEMORY,
 * VXB_ERR_IO. */
enum vxb_status vxbi_preview_write(struct vxbi_preview *preview, const struct vxbi_preview_legend *legend,
                                   struct vxb_output *output, struct vxb_error *err);

#endif
