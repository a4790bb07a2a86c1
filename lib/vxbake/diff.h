/* Comparing two grass files, or two irradiance fields: what they hold, however it is compressed. Source:
 * vxbake-diff(1). */
#ifndef VXBAKE_DIFF_H
#define VXBAKE_DIFF_H

#include "base.h"
#include "grass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One field that differs, as text. A text of one of the two is NULL where that file has no such thing. */
struct vxb_diff_field {
    const char *pointer;     /* "/header/seed", "/species/0x0123456789abcdef/lods/1/keep" */
    const char *a, *b;
};

/* Blades and chunks of a species, or of both files as a whole. A blade is the same one in both files where it stands
 * at the same place of the same cell; changed is one that stands there with another record. */
struct vxb_diff_counts {
    uint64_t chunks_equal, chunks_changed, chunks_lost, chunks_added; /* lost: only in a */
    uint64_t blades_equal, blades_changed, blades_lost, blades_added;
};

struct vxb_diff_species {
    uint64_t id;
    const char *name;        /* a's, or b's where a has none of it */
    bool in_a, in_b;
    struct vxb_diff_counts counts;
};

/* A chunk that is not the same. */
struct vxb_diff_chunk {
    uint32_t species;        /* index into the report's */
    int32_t cell_x, cell_z;
    bool in_a, in_b;
    bool heights;            /* minimum or maximum y differ, and so what every height means */
    uint32_t blades_a, blades_b, changed, lost, added;
};

struct vxb_diff_report {
    const char *path_a, *path_b;
    bool equal;              /* but for compression */
    bool compression_differs;
    const struct vxb_diff_field *fields;
    uint32_t field_count;
    struct vxb_diff_species species[2 * VXB_GRASS_SECTIONS_MAX]; /* by ascending id */
    uint32_t species_count;
    struct vxb_diff_counts total;
    const struct vxb_diff_chunk *chunks; /* by species, z, x: the first ones; the counts go on */
    uint32_t chunk_count;
};

struct vxb_diff_options {
    size_t size;
    uint32_t max_chunks;     /* chunks to list; 0: 100 */
};

/* Compares headers, sections, LODs, strings and every blade. What follows from compression (flags, places, the sizes of
 * data and file, the hashes over them) is not compared.
 * Of irradiance fields: headers, bricks, and every texel of the planes; counts, species and chunks are of grass.
 * a, b: files of one kind; one of them may be "-", standard input. options may be NULL.
 * out: receives the report, freed with vxb_diff_report_free(), whatever it says.
 * Returns VXB_ERR_USAGE (standard input twice, files of two kinds), VXB_ERR_MEMORY, VXB_ERR_CANCELLED, and what
 * vxb_grass_open() and vxb_grass_read_chunk() return: a damaged file is no file to compare with.
 * Memory: a chunk of each file, once more to sort them. */
enum vxb_status vxb_diff(const struct vxb_env *env, const char *a, const char *b,
                         const struct vxb_diff_options *options, struct vxb_diff_report **out, struct vxb_error *err);
void vxb_diff_report_free(struct vxb_diff_report *report);

#ifdef __cplusplus
}
#endif

#endif
