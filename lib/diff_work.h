/* A comparison under way: the report that grows, and what the tables' part and the chunks' part share. */
#ifndef VXBI_DIFF_WORK_H
#define VXBI_DIFF_WORK_H

#include "core/error.h"
#include "grass/read.h"
#include "vxbake/diff.h"
#include "vxbake/probe_file.h"

struct vxbi_diff {
    struct vxb_diff_report report; /* first: the caller holds a pointer to it */
    struct vxb_allocator allocator;
    struct vxbi_arena arena;       /* texts */
    const struct vxb_env *env;
    struct vxb_grass *files[2];
    struct vxb_probe_file *probes[2]; /* irradiance fields; then files are NULL */
    uint32_t sections[2 * VXB_GRASS_SECTIONS_MAX][2]; /* of each species in each file; VXBI_DIFF_NONE: it has none */
    struct vxb_diff_field *fields;
    uint32_t field_room;
    struct vxb_diff_chunk *chunks;
    uint32_t chunk_room, max_chunks;
    enum vxb_status status;        /* VXB_ERR_MEMORY once a field could not be added */
};
#define VXBI_DIFF_NONE UINT32_MAX

/* Adds a field that differs; a text is NULL where that file has no such thing. */
void vxbi_diff_field(struct vxbi_diff *diff, const char *pointer, const char *a, const char *b);

/* The same for a field of one type, where there is a difference; its pointer is "WHERE/NAME". */
void vxbi_diff_text(struct vxbi_diff *diff, const char *where, const char *name, const char *a, const char *b);
void vxbi_diff_u64(struct vxbi_diff *diff, const char *where, const char *name, uint64_t a, uint64_t b);
void vxbi_diff_id(struct vxbi_diff *diff, const char *where, const char *name, uint64_t a, uint64_t b);

/* diff_probes.c: compares two irradiance fields. */
enum vxb_status vxbi_diff_probes(struct vxbi_diff *diff, struct vxb_error *err);

/* diff_chunks.c: compares the chunks of species k, whose sections are known. */
enum vxb_status vxbi_diff_chunks(struct vxbi_diff *diff, uint32_t k, struct vxb_error *err);

#endif
