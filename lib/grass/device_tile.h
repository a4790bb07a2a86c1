/* A tile on a device: buffers that grow to the largest tile they met, and the launches that fill them. */
#ifndef VXBI_GRASS_DEVICE_TILE_H
#define VXBI_GRASS_DEVICE_TILE_H

#include "../compute/device.h"
#include "device_buckets.h"
#include "device_terrain.h"
#include "device_ties.h"
#include "scatter.h"
#include "vxk_scatter.h"

#define VXBI_TILE_CELLS_MOST 32768u /* rows of a launch, which some drivers limit to 65535 */
#define VXBI_TILE_BYTES_MOST ((uint64_t)1 << 30)      /* of the device's memory: more makes a tile no faster */
#define VXBI_TILE_CANDIDATES_MOST ((uint64_t)1 << 27) /* where few of them come to be blades */
#define VXBI_TILE_BLADES_MOST ((uint32_t)1 << 22) /* where more than one cell is in it: what comes back is held twice */

/* A buffer, and how much there is room for in it. */
struct vxbi_room {
    struct vxbi_buffer *buffer;
    uint64_t bytes;
};

/* How far a tile is taken: all the way, or, for measuring, less. */
enum vxbi_tile_step { VXBI_TILE_READ, VXBI_TILE_MAKE, VXBI_TILE_WRITE };

/* Cells made ready for a tile: what the kernels want to know of them, and their places and, where heights is true,
 * heights, without which they can be judged, but no blade be made. */
struct vxbi_tile_cells {
    uint64_t first;
    uint32_t count, room;
    bool heights;
    struct vxk_cell *cells;
    struct vxbi_cell_result *results;
};

/* What a bake keeps on the device. */
struct vxbi_tile_device {
    struct vxb_device *device;
    const struct vxbi_scatter *scatter;
    struct vxk_scatter params;
    uint32_t per_cell;
    bool wants_hashes;
    struct vxbi_kernel *judge, *start_chunks, *start_buckets, *write;
    struct vxbi_device_terrain terrain;
    struct vxbi_buffer *constants;
    enum vxbi_tile_step until;
    bool few_blades; /* came of the last tile's candidates; changes no byte */
    struct vxbi_room cells, tallies, verdicts, taken, keys, made, chunk_starts, starts, ties;
    struct vxbi_room ranks; /* of what was counted since they were read */
    bool ranks_spoiled;     /* a tile that failed may be in them */
    struct vxbi_tile_cells ahead; /* those behind the last tile's, made ready while the device judged that */
};

/* A tile: the cells, and what came of them. */
struct vxbi_tile {
    uint64_t first;
    uint32_t count; /* of cells; 0: there is no tile */
    uint32_t rank_most[VXB_SPECIES_MAX];
    struct vxbi_tile_cells of; /* or more than count of them */
    uint32_t *firsts;                 /* of each cell of each species, its first blade: in the file's order */
    uint32_t *tallies;                /* VXK_TALLIES a cell, and VXK_TILE_TALLIES */
    uint8_t *verdicts;                /* every candidate's reason, as in a kernel, where somebody wants to be told */
    struct vxbi_tile_ties ties;
    uint64_t cell_room, verdict_room; /* cell_room: of firsts and tallies */
    uint32_t blades;
    uint32_t wants; /* VXK_WANTS_... */
    struct vxbi_room records, hashes;
    struct vxbi_pinned *record_data, *hash_data;
    uint64_t record_room, hash_room;  /* bytes */
    struct vxbi_event *record_event, *hash_event;
};

/* Kernels, numbers and terrain of a scatter, which it borrows. VXB_ERR_MEMORY, VXB_ERR_DEVICE; clear it then too. */
enum vxb_status vxbi_tile_device_init(struct vxbi_tile_device *on, struct vxb_device *device,
                                      const struct vxbi_scatter *scatter, struct vxb_error *err);
void vxbi_tile_device_clear(struct vxbi_tile_device *on);
/* Gives up all that grew, for a tile that did not fit beside it. */
void vxbi_tile_device_shrink(struct vxbi_tile_device *on);
/* What a cell takes of the device's memory at the most, and of its largest buffer. told: with its verdicts. */
uint64_t vxbi_tile_cell_bytes(const struct vxbi_tile_device *on, bool told, uint64_t *largest);

/* Computes count cells, 1 to VXBI_TILE_CELLS_MOST, from first on, and begins to read their blades back, for which
 * vxbi_tile_wait() waits. tile: zeroed, or one whose blades were waited for. told: read the verdicts too.
 * VXB_ERR_MEMORY: the tile does not fit the device; VXB_ERR_LIMIT: more blades than VXBI_TILE_BLADES_MOST came of
 * several cells. It is empty then. */
enum vxb_status vxbi_tile_begin(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t count,
                                const uint32_t rank_most[VXB_SPECIES_MAX], bool told, struct vxb_error *err);
/* Computes of such cells only how many blades they have: vxbi_tile_cell() knows them without their records then. They
 * may be more than VXBI_TILE_BLADES_MOST. wants: VXK_WANTS_RANKS, count their ranks too; VXK_WANTS_TIES, know which
 * have the highest rank that is kept. */
enum vxb_status vxbi_tile_count(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t count,
                                const uint32_t rank_most[VXB_SPECIES_MAX], uint32_t wants, struct vxb_error *err);
/* Begins to count ranks: those that a count which ended half-way left on the device are none of this one's. */
enum vxb_status vxbi_tile_begin_ranks(struct vxbi_tile_device *on, struct vxb_error *err);
/* The ranks that were counted since this was last called, VXBI_RANKS of each species; there was a tile before.
 * VXB_ERR_MEMORY: one failed for want of it, and may be in them. */
enum vxb_status vxbi_tile_ranks(struct vxbi_tile_device *on, uint32_t *ranks, struct vxb_error *err);
/* Waits until the blades are here: VXB_ERR_DEVICE, VXB_ERR_MEMORY where they will not be. */
enum vxb_status vxbi_tile_wait(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err);
/* A cell of a tile that was waited for; points into it. */
void vxbi_tile_cell(const struct vxbi_tile_device *on, const struct vxbi_tile *tile, uint32_t cell,
                    struct vxbi_cell_result *out);
/* What one of a tile's verdicts is told as: vxbi_reason_of() it, whatever number a device gave. */
uint8_t vxbi_tile_reason(uint8_t verdict);
/* Waits, and gives back all that a tile holds. */
void vxbi_tile_clear(struct vxbi_tile_device *on, struct vxbi_tile *tile);

#endif
