/* A baked field as an engine holds it: shared buffers of 24-byte blades and one section a species, culled in one pass
 * and drawn by indirect commands. Any format the reader opens; see vxbake/grass.h for opening one from a path or
 * through a callback.
 *
 * A section owns contiguous ranges of chunks, blades and commands; no two sections overlap, and a blade never names its
 * species: its section does. */
#ifndef VXBAKE_RUNTIME_H
#define VXBAKE_RUNTIME_H

#include "base.h"
#include "grass.h"
#include "ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The record a GPU is given, little-endian: f32 x, y, z (relative to the origin given at load); u16 yaw (of 2 pi /
 * 65536); f16 scale; i8 ox, i8 oz (up, octahedral); u8 tint; u8 wind phase; u16 rank; u8 stomp; u8 zero. */
#define VXB_RUNTIME_RECORD_BYTES 24
#define VXB_RUNTIME_COMMAND_BYTES 20

/* How flattened grass is: 8-bit samples stretched edge to edge over a rectangle of the world, row-major, z outer,
 * sampled between their centres and clamped outside. */
struct vxb_stomp {
    const uint8_t *samples;      /* width * height of them */
    uint32_t width, height;      /* 1..32768 each */
    double x, z, size_x, size_z; /* metres; sizes above 0 */
};

struct vxb_runtime_options {
    size_t size;                   /* sizeof(struct vxb_runtime_options) */
    double origin[3];              /* world metres, within 2^20: what records and views are relative to */
    const struct vxb_stomp *stomp; /* NULL: every blade's stomp is 0; the samples must outlive the runtime */
    bool ranks_only;               /* keep no blades: vxb_runtime_read_cell() reads them when they are wanted */
    bool skip_hashes;              /* do not compare the chunks' hashes; every other rule is still checked */
};

/* One species. The texts and the grass file behind them belong to the caller's reader. */
struct vxb_runtime_section {
    uint64_t species_id, material_id;
    uint32_t material_index;
    uint32_t first_chunk, chunk_count;
    uint32_t first_blade, blade_count;     /* records, and blades of the file */
    uint64_t first_command, command_count; /* the most it can need of a command buffer: a command a chunk and pass */
    uint32_t first_lod, lod_count, pass_count;
    float radius;                          /* largest mesh radius of its LODs */
    uint16_t rank_limit;
};

/* Read only once it is loaded; any number of threads may use one. */
struct vxb_runtime;

/* Loads an open grass file.
 * env: may be NULL. Its max_memory_bytes bounds the blades and ranks kept together; progress and cancelled() are
 *   called.
 * grass: must stay open as long as the runtime.
 * options: may be NULL, all default.
 * Returns VXB_ERR_USAGE (options), VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED, or what reading a chunk
 * returned. The caller frees it with vxb_runtime_free(). */
enum vxb_status vxb_runtime_load(const struct vxb_env *env, const struct vxb_grass *grass,
                                 const struct vxb_runtime_options *options, struct vxb_runtime **out,
                                 struct vxb_error *err);

/* Frees; NULL is allowed. */
void vxb_runtime_free(struct vxb_runtime *runtime);

uint32_t vxb_runtime_section_count(const struct vxb_runtime *runtime);
const struct vxb_runtime_section *vxb_runtime_section(const struct vxb_runtime *runtime, uint32_t index);
/* All chunks, in the file's order. */
const struct vxb_grass_chunk *vxb_runtime_chunks(const struct vxb_runtime *runtime, uint32_t *count);
/* All records, in the file's order; NULL where only ranks were kept. */
const uint8_t *vxb_runtime_blades(const struct vxb_runtime *runtime, uint32_t *count);

/* The cells that hold a chunk. */
uint32_t vxb_runtime_cell_count(const struct vxb_runtime *runtime);
/* How many blades, of all species, a cell holds: 0 where it holds none. */
uint32_t vxb_runtime_cell_blades(const struct vxb_runtime *runtime, int32_t cell_x, int32_t cell_z);
/* How many a slot of a ring must have room for: the most in any cell. */
uint32_t vxb_runtime_slot_blades(const struct vxb_runtime *runtime);
/* The grid of a ring over this field: only its cells are wanted. The runtime must outlive the ring. */
struct vxb_ring_grid vxb_runtime_grid(const struct vxb_runtime *runtime);

/* Reads one cell's records, its chunks in section order: what a slot is filled with.
 * records: receives them; capacity is its size in bytes.
 * blades: receives how many; 0 for a cell without any.
 * scratch: as for vxb_grass_read_chunk(), and not shared with it.
 * Returns VXB_ERR_USAGE (too little room), VXB_ERR_MEMORY, or what reading a chunk returned. Any thread. */
struct vxb_runtime_scratch;
enum vxb_status vxb_runtime_read_cell(const struct vxb_runtime *runtime, int32_t cell_x, int32_t cell_z,
                                      uint8_t *records, size_t capacity, uint32_t *blades,
                                      struct vxb_runtime_scratch **scratch, struct vxb_error *err);
void vxb_runtime_scratch_free(struct vxb_runtime_scratch *scratch);

/* What vkCmdDrawIndexedIndirect and ID3D12GraphicsCommandList::ExecuteIndirect take. index_count, first_index and
 * vertex_offset are what the recipe gives the LOD; an index_count of 0 means that it leaves them to the engine. */
struct vxb_draw_command {
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
};

/* n.p + d is not negative inside. */
struct vxb_plane {
    float normal[3], d;
};

struct vxb_view {
    float position[3];       /* relative to the origin */
    struct vxb_plane planes[6];
    uint32_t plane_count;    /* 0..6 */
    float range;             /* metres, not below 0; infinity is allowed */
    float density;           /* the slider, 0..1 */
};

/* Diagnostics of one section, which sum to those of the whole. */
struct vxb_cull_counts {
    uint64_t chunks_tested, chunks_visible;
    uint64_t blades;         /* drawn, counted once whatever the number of passes */
    uint64_t commands;
    uint64_t refused;        /* commands that max_commands left out */
};

/* Commands next to each other that share section, pass and LOD. */
struct vxb_draw_batch {
    uint32_t section, pass, lod; /* lod: within the section */
    uint32_t first_command, command_count;
};

/* What a cull found; it belongs to the culler and stays valid until its next run. */
struct vxb_cull_result {
    uint32_t passes_over_chunks;             /* how many times the chunks were walked for this view: 1 */
    struct vxb_cull_counts total, sections[VXB_GRASS_SECTIONS_MAX];
    uint32_t first_command[VXB_GRASS_SECTIONS_MAX]; /* of each section's range, counts in sections[].commands */
    const struct vxb_draw_command *commands; /* total.commands of them: by section, pass, LOD, chunk */
    const uint32_t *chunks;                  /* the chunk each command draws */
    const struct vxb_draw_batch *batches;    /* those that hold a command, in the commands' order */
    uint32_t batch_count;
};

/* One thread's room for culling a runtime. */
struct vxb_culler;

/* The runtime must outlive it. Returns VXB_ERR_MEMORY. Free with vxb_culler_free(). */
enum vxb_status vxb_culler_new(const struct vxb_env *env, const struct vxb_runtime *runtime, struct vxb_culler **out,
                               struct vxb_error *err);
void vxb_culler_free(struct vxb_culler *culler);

/* Tests every chunk once and builds the commands. A chunk's box is its cell by its heights, grown on all sides by
 * its largest scale times its section's radius. It is visible when its distance from the view is within range and no
 * plane has all of it outside. Of its LODs the first whose distance is not below the chunk's is drawn, as many
 * blades as its rank rule says; beyond the last, or where that is no blade, there is no command. The file's
 * max_commands bounds them all: chunks are taken by (distance, z, x, section), with all their passes, until one does
 * not fit.
 * ring: NULL, or one over this field: only its resident cells are tested, and the first instance is the chunk's
 *   place in a buffer of slots (slot * vxb_runtime_slot_blades() and the cell's chunks of earlier sections); without
 *   one it is the chunk's first blade.
 * out: receives a pointer to the result.
 * Returns VXB_ERR_USAGE (a position that is not finite, a negative range or NaN, a density outside 0..1, more planes
 * than six, one whose normal is zero or not finite), VXB_ERR_LIMIT (the ring's slots have room for more than 2^32
 * blades, of which a command could not name all). */
enum vxb_status vxb_cull(struct vxb_culler *culler, const struct vxb_view *view, const struct vxb_ring *ring,
                         const struct vxb_cull_result **out, struct vxb_error *err);

/* How many blades of a chunk with these ranks an LOD's keep leaves at a density: those below (u32)rint(keep * density *
 * 65536) * (rank_limit + 1) >> 16, in f32 up to the rounding. ranks ascend; keep * density counts as 0 below 0 or where
 * it is no number, and as 1 above 1. */
uint32_t vxb_rank_prefix(const uint16_t *ranks, uint32_t count, float keep, float density, uint16_t rank_limit);

#ifdef __cplusplus
}
#endif

#endif
