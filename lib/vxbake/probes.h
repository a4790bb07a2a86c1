/* Irradiance probes in bricks: the pool that holds them and the field that says where each brick is.
 *
 * A brick owns 4 x 4 x 4 probes and takes 5 x 5 x 5 texels of the pool. Probe i lies i/4 of the way across the
 * brick, on the lattice, so probe 4 is the neighbour's probe 0: the extra plane on each positive face, the border,
 * holds that neighbour's value once more, and one trilinear fetch then crosses from brick to brick without knowing.
 * A pool has a fixed number of slots. A field divides a box into finest cells, covers them by bricks of power-of-two
 * sizes, and maps each cell to (slot, size). Nothing here grows: what does not fit is dropped, and counted.
 *
 * The bricks are planned first, with no probes; then vxb_probe_field_place() hands out slots in the order of the
 * brick table and makes the pool. What is asked of a field before it is placed and needs probes is a VXB_ERR_USAGE.
 * A field or a pool serves one thread at a time while it changes, any number while it does not. Source:
 * vxbake-format(5). */
#ifndef VXBAKE_PROBES_H
#define VXBAKE_PROBES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_BRICK_RESOLUTION 4          /* probes along each axis that belong to a brick */
#define VXB_BRICK_PADDED_RESOLUTION 5   /* texels along each axis that it takes */
#define VXB_BRICK_PROBES 64             /* that belong to a brick */
#define VXB_BRICK_TEXELS 125
#define VXB_BRICK_SIZE_MAX 1024         /* finest cells along a brick's side: a power of two */
#define VXB_PROBE_CELLS_AXIS_MAX 1024   /* finest cells a field may have along an axis */
#define VXB_PROBE_CELLS_MAX 134217728   /* 2^27, and in all */
#define VXB_PROBE_SLOTS_MAX 1048576     /* 2^20 */
#define VXB_PROBE_CELL_MIN_M 0.0009765625 /* 2^-10: a cell's least side, metres */

/* What is known of the light at one point: spherical harmonics of the incoming radiance, for r, g and b each, how far
 * they are to be trusted (0: not at all, the probe is empty; 1) and how much of the sun arrives. All zero is "no answer
 * here" and not "black". */
struct vxb_probe {
    float l00[3], l1m1[3], l10[3], l11[3];
    float validity;   /* 0..1 */
    float sun_shadow; /* 0 in shadow .. 1 in the sun */
};

/* Irradiance over pi that arrives on a surface with this normal (of length 1), before it is clamped at 0. */
void vxb_probe_irradiance(const struct vxb_probe *probe, const float normal[3], float irradiance[3]);

/* ---- pool ---- */

/* A fixed number of brick-sized slots, side by side in a volume: slot s starts at texel
 * 5 * (s % sx, s / sx % sy, s / (sx sy)). Texels of slots that are free are all zero. */
struct vxb_probe_pool;

/* An empty pool of a given shape.
 * env: may be NULL; its allocator is copied.
 * slots: along x, y, z, at least 1 each and VXB_PROBE_SLOTS_MAX in all.
 * out: the caller frees it with vxb_probe_pool_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (an axis without slots), VXB_ERR_LIMIT (too many slots; more memory, at 7000 bytes a slot, than
 * the environment allows), VXB_ERR_MEMORY. */
enum vxb_status vxb_probe_pool_new(const struct vxb_env *env, const uint32_t slots[3], struct vxb_probe_pool **out,
                                   struct vxb_error *err);
/* The same with room for at least so many bricks: a cube of the smallest side that has them. */
enum vxb_status vxb_probe_pool_of_capacity(const struct vxb_env *env, uint32_t capacity, struct vxb_probe_pool **out,
                                           struct vxb_error *err);
void vxb_probe_pool_free(struct vxb_probe_pool *pool); /* NULL is allowed */

/* The shape, in slots and in texels; how many slots there are, and how many are handed out. */
void vxb_probe_pool_slots(const struct vxb_probe_pool *pool, uint32_t slots[3]);
void vxb_probe_pool_texel_resolution(const struct vxb_probe_pool *pool, uint32_t resolution[3]);
uint32_t vxb_probe_pool_capacity(const struct vxb_probe_pool *pool);
uint32_t vxb_probe_pool_count(const struct vxb_probe_pool *pool);

/* Hands out a slot: the one released last, or else the lowest that never was. False, and *slot as it was, where all are
 * handed out. */
bool vxb_probe_pool_try_allocate(struct vxb_probe_pool *pool, uint32_t *slot);
/* Gives a slot back and zeroes its texels. Returns VXB_ERR_USAGE (it is free already, or none of the pool's). */
enum vxb_status vxb_probe_pool_release(struct vxb_probe_pool *pool, uint32_t slot, struct vxb_error *err);
/* Gives every slot back and zeroes every texel: slot 0 is the next one. */
void vxb_probe_pool_clear(struct vxb_probe_pool *pool);
/* False too for what is no slot of the pool's. */
bool vxb_probe_pool_is_allocated(const struct vxb_probe_pool *pool, uint32_t slot);

/* Where a slot starts, in texels. Like all that follows, it needs a slot below the capacity: VXB_ERR_USAGE. */
enum vxb_status vxb_probe_pool_origin(const struct vxb_probe_pool *pool, uint32_t slot, uint32_t origin[3],
                                      struct vxb_error *err);

/* Every texel, in the order of a volume copy: x fastest, then y, then z, 125 * capacity in all. Owned by the pool,
 * valid as long as it is. */
const struct vxb_probe *vxb_probe_pool_texels(const struct vxb_probe_pool *pool);

/* One texel of a slot. x, y, z: 0..4, where 4 is the border. */
enum vxb_status vxb_probe_pool_get(const struct vxb_probe_pool *pool, uint32_t slot, const uint32_t at[3],
                                   struct vxb_probe *probe, struct vxb_error *err);
/* Sets a probe of a slot that is handed out. x, y, z: 0..3: a border is a copy, never data of its own. Returns
 * VXB_ERR_USAGE also for a probe that is not finite. */
enum vxb_status vxb_probe_pool_set(struct vxb_probe_pool *pool, uint32_t slot, const uint32_t at[3],
                                   const struct vxb_probe *probe, struct vxb_error *err);

/* The probe anywhere inside a brick, each component interpolated along x, then y, then z. local: 0..1 an axis, clamped
 * (NaN counts as 0). */
enum vxb_status vxb_probe_pool_sample(const struct vxb_probe_pool *pool, uint32_t slot, const float local[3],
                                      struct vxb_probe *probe, struct vxb_error *err);
/* Where a fetch from a volume texture that holds the pool reads the same value, 0..1 an axis. */
enum vxb_status vxb_probe_pool_texture_coordinate(const struct vxb_probe_pool *pool, uint32_t slot,
                                                  const float local[3], float coordinate[3], struct vxb_error *err);

/* ---- field ---- */

/* A brick: finest cells cell[a] to cell[a] + size - 1 on each axis, of which those past the grid's far edge do not
 * exist. cell is a multiple of size and lies in the grid. */
struct vxb_brick {
    uint32_t slot;
    uint32_t cell[3];
    uint32_t size; /* a power of two, 1..VXB_BRICK_SIZE_MAX */
};

/* What a finest cell is covered by: a brick's slot and size; both 0 where there is none. */
struct vxb_probe_cell {
    uint32_t slot;
    uint32_t size;
};

struct vxb_probe_region {
    float min[3], max[3]; /* world metres, both included */
};

struct vxb_probe_counts {
    uint32_t bricks;
    uint64_t dropped; /* bricks that an allocation found no slot for */
    uint64_t whole;   /* bricks that a refinement left whole for want of slots */
};

struct vxb_probe_field;

/* An empty field, in planning.
 * env: may be NULL; its allocator, memory limit and cancelled() with its user are copied: the steps poll it.
 * bounds: world metres within 2^20, max above min, a cell at least 2^-10 m on each axis.
 * cells: finest cells along x, y, z: 1..VXB_PROBE_CELLS_AXIS_MAX each, VXB_PROBE_CELLS_MAX in all.
 * slots: of the pool, along x, y, z; all 0: as many as the plan needs.
 * out: the caller frees it with vxb_probe_field_free(). Unchanged on failure.
 * Everything but the pool is allocated here, so that no step can run out of memory. Returns VXB_ERR_USAGE,
 * VXB_ERR_LIMIT (also more memory than the environment allows), VXB_ERR_MEMORY. */
enum vxb_status vxb_probe_field_new(const struct vxb_env *env, const struct vxb_probe_region *bounds,
                                    const uint32_t cells[3], const uint32_t slots[3], struct vxb_probe_field **out,
                                    struct vxb_error *err);
/* A placed field from a brick table, as a file holds it: by (z, y, x), each slot once, no cell in two bricks; every
 * probe empty. Returns VXB_ERR_DATA for a table that is otherwise, and what vxb_probe_field_new() does; slots may
 * not be 0 here. */
enum vxb_status vxb_probe_field_of_bricks(const struct vxb_env *env, const struct vxb_probe_region *bounds,
                                          const uint32_t cells[3], const uint32_t slots[3],
                                          const struct vxb_brick *bricks, uint32_t count,
                                          struct vxb_probe_field **out, struct vxb_error *err);
void vxb_probe_field_free(struct vxb_probe_field *field); /* NULL is allowed */

/* Bricks nearest to the focus get slots first where there are too few; by default it is the centre of the bounds.
 * Returns VXB_ERR_USAGE (not finite), VXB_ERR_LIMIT (beyond 2^20 m). */
enum vxb_status vxb_probe_field_set_focus(struct vxb_probe_field *field, const float focus[3], struct vxb_error *err);

/* The steps. Each takes bricks of a step by size, the larger first, then by the squared f32 distance from the focus to
 * the brick's centre, ties by (z, y, x); what is left when no slot is free is dropped, or stays whole, and is counted.
 * On a placed field they take slots from the pool at once; new bricks are born with empty probes.
 * made: how many bricks came of it; may be NULL.
 * They return VXB_ERR_USAGE: a region that is not finite or whose min is above its max, a size that is none; and
 * VXB_ERR_CANCELLED: the step was left with some of its bricks made, and *made tells how many. */

/* Fills the gaps: a brick of this size at each multiple of it that the region meets, unless any cell there is covered.
 * The region takes cells floor(low) to max(that, ceil(high) - 1) of (region - min) / cell size, clipped to the grid,
 * none where it misses the closed box. */
enum vxb_status vxb_probe_field_allocate(struct vxb_probe_field *field, const struct vxb_probe_region *region,
                                         uint32_t size, uint32_t *made, struct vxb_error *err);
/* Splits every brick larger than size whose closed box meets the closed region, and their children, until none is
 * left. A split takes (children in the grid - 1) slots; where they lack the brick stays whole. */
enum vxb_status vxb_probe_field_refine(struct vxb_probe_field *field, const struct vxb_probe_region *region,
                                       uint32_t size, uint32_t *made, struct vxb_error *err);

struct vxb_probe_band {
    float margin;  /* metres, 0 or more */
    uint32_t size; /* to which bricks are refined there */
};

/* What a band goes around. */
enum vxb_probe_extent_kind { VXB_PROBE_EXTENT_BOX, VXB_PROBE_EXTENT_PLANE };
struct vxb_probe_extent {
    enum vxb_probe_extent_kind kind;
    struct vxb_probe_region box; /* BOX: the axis-aligned box of a shape */
    float normal[3], offset;     /* PLANE: n.p = offset, n of length 1 */
};

/* The ground: the least and the greatest height beneath [x0, x1] x [z0, z1] in world metres, false where there is none.
 * It must answer the same for the same arguments. */
struct vxb_probe_ground {
    bool (*range)(void *user, double x0, double z0, double x1, double z1, float *low, float *high);
    void *user;
};

/* Refines in bands, the coarsest size first, each around every extent in order and then the ground: bricks that meet an
 * extent's box grown by the margin; whose box is within margin of a plane; whose y range meets that of the ground
 * beneath them grown by margin. One band of one extent is one step. ground may be NULL. */
enum vxb_status vxb_probe_field_refine_bands(struct vxb_probe_field *field, const struct vxb_probe_band *bands,
                                             uint32_t band_count, const struct vxb_probe_extent *extents,
                                             uint32_t extent_count, const struct vxb_probe_ground *ground,
                                             uint32_t *made, struct vxb_error *err);

/* Splits the brick over a cell into its children in the grid. *split is false where nothing covers the cell, the brick
 * is of size 1 or slots lack. Returns VXB_ERR_USAGE for a cell outside the grid. */
enum vxb_status vxb_probe_field_split(struct vxb_probe_field *field, const uint32_t cell[3], bool *split,
                                      struct vxb_error *err);
/* Merges the brick that starts at a cell with its siblings into one of twice the size, keeping every second probe (the
 * part of it past the grid's edge is born empty). *merged is false unless the cell is a multiple of twice the size and
 * all siblings in the grid, at least two, have that size. Returns VXB_ERR_USAGE for a cell outside the grid. */
enum vxb_status vxb_probe_field_merge(struct vxb_probe_field *field, const uint32_t cell[3], bool *merged,
                                      struct vxb_error *err);

/* Ends the planning: slots 0, 1, 2... go out in the order of the brick table, and the pool is there. Where slots were 0
 * it becomes the smallest of (k, ceil, ceil) that holds the bricks, k the smallest side of a cube that does.
 * Returns VXB_ERR_USAGE (placed already), VXB_ERR_LIMIT (slots were 0 and the plan needs more than there may be),
 * VXB_ERR_MEMORY; the field is then as it was. */
enum vxb_status vxb_probe_field_place(struct vxb_probe_field *field, struct vxb_error *err);

/* What it is made of. The pool is NULL until it is placed, and the table then empty. Views stay valid until the field
 * changes. */
const struct vxb_probe_region *vxb_probe_field_bounds(const struct vxb_probe_field *field);
void vxb_probe_field_cells(const struct vxb_probe_field *field, uint32_t cells[3]);
void vxb_probe_field_cell_size(const struct vxb_probe_field *field, float metres[3]);
const struct vxb_probe_pool *vxb_probe_field_pool(const struct vxb_probe_field *field);
struct vxb_probe_counts vxb_probe_field_counts(const struct vxb_probe_field *field);
/* The bricks by (z, y, x); how many goes to *count, which may be NULL. */
const struct vxb_brick *vxb_probe_field_bricks(const struct vxb_probe_field *field, uint32_t *count);
/* The indirection: an entry a cell, x fastest, then y, then z. Before placing the slots in it mean nothing. */
const struct vxb_probe_cell *vxb_probe_field_indirection(const struct vxb_probe_field *field);

/* Sets probe at (0..3 an axis) of a brick of the table. Returns what vxb_probe_pool_set() does. */
enum vxb_status vxb_probe_field_set(struct vxb_probe_field *field, uint32_t brick, const uint32_t at[3],
                                    const struct vxb_probe *probe, struct vxb_error *err);

/* The probe at a world point. A point belongs to the closed box and there to cell
 * clamp(floor((p - min) / cell size), 0, cells - 1). False, and *probe all zero, where no brick is or the field is not
 * placed. */
bool vxb_probe_field_sample(const struct vxb_probe_field *field, const float point[3], struct vxb_probe *probe);
/* The same a quarter of the probe spacing of the brick under the point off along normal + view (view: towards the
 * eye, or zero): what keeps a surface from reading probes behind it. Both points must lie in a brick. */
bool vxb_probe_field_sample_biased(const struct vxb_probe_field *field, const float point[3], const float normal[3],
                                   const float view[3], struct vxb_probe *probe);
/* Irradiance over pi from the biased sample, clamped at 0; 0 where there is none. */
void vxb_probe_field_irradiance(const struct vxb_probe_field *field, const float point[3], const float normal[3],
                                const float view[3], float irradiance[3]);

/* Fills in what is missing from around it: in each pass a probe of validity 0 takes the validity-weighted mean of its
 * six neighbours at its brick's spacing. Ends early when a pass changes nothing. Borders are left as they are.
 * repaired: how many probes were changed; may be NULL.
 * Returns VXB_ERR_USAGE, VXB_ERR_CANCELLED (between passes). The probes do not depend on the number of threads. */
enum vxb_status vxb_probe_field_dilate(const struct vxb_env *env, struct vxb_probe_field *field, uint32_t passes,
                                       uint64_t *repaired, struct vxb_error *err);
/* Writes the border texels of every brick from the probes: the neighbour's at the same position; sampled where the
 * neighbour is of another size; the brick's own last one where nothing covers the position. Doing it twice changes
 * nothing. Returns as above; cancelled, some borders are old. */
enum vxb_status vxb_probe_field_sync_borders(const struct vxb_env *env, struct vxb_probe_field *field,
                                             struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
