/* The inside of a loaded field. Chunks and cells index each other; every range was checked when it was loaded. */
#ifndef VXBI_GRASS_RUNTIME_H
#define VXBI_GRASS_RUNTIME_H

#include "../vxbake/runtime.h"

/* A chunk's box, relative to the origin. */
struct vxbi_box {
    float low[3], high[3];
};

/* A cell that holds a chunk. */
struct vxbi_runtime_cell {
    int32_t x, z;
    uint32_t blades;
    uint32_t chunk[VXB_GRASS_SECTIONS_MAX]; /* of each section; VXBI_NO_CHUNK: none */
};
#define VXBI_NO_CHUNK UINT32_MAX

struct vxb_runtime {
    struct vxb_allocator allocator;
    const struct vxb_grass *grass;
    struct vxb_runtime_options options;
    struct vxb_stomp stomp;
    struct vxb_runtime_section sections[VXB_GRASS_SECTIONS_MAX];
    uint32_t section_count, chunk_count, blade_count, cell_count, slot_blades;
    struct vxb_grass_chunk *chunks;
    struct vxbi_box *boxes;             /* of each chunk, grown */
    uint32_t *before_in_cell;           /* of each chunk: blades of its cell's earlier sections */
    struct vxbi_runtime_cell *cells;    /* by (z, x) */
    uint16_t *ranks;                    /* of each blade */
    uint8_t *blades;                    /* NULL: ranks only */
};

struct vxb_runtime_scratch {
    struct vxb_allocator allocator;
    struct vxb_grass_scratch *grass;
    uint8_t *records;                   /* 16 bytes each */
    size_t room;
};

/* Makes a chunk's 24-byte records of its 16-byte ones: the only place that does. stomp may be NULL. */
void vxbi_runtime_records(const struct vxb_grass_header *header, const double origin[3], const struct vxb_stomp *stomp,
                          const struct vxb_grass_chunk *chunk, const uint8_t *from, uint8_t *to);

/* The index of the first cell that does not stand before (x, z) by (z, x); cell_count where all do. */
uint32_t vxbi_runtime_cell_from(const struct vxb_runtime *runtime, int32_t x, int32_t z);
/* The cell, NULL where it holds nothing. */
const struct vxbi_runtime_cell *vxbi_runtime_find_cell(const struct vxb_runtime *runtime, int32_t x, int32_t z);

#endif
