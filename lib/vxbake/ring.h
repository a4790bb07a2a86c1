/* The distance ring: which cells of a grid hold one of a fixed number of slots, as a view moves.
 *
 * A cell within range is given a slot, a cell that left gives its slot back, and the gap between the two ranges (the
 * hysteresis) keeps a view on a boundary from doing both in turn. Distance is to the nearest point of a cell. Cells are
 * taken nearest first, and a cell takes another's slot only where that one is strictly farther, so a ring too small for
 * its range lacks the horizon and not the ground under the view, says how many cells it refused, and stands still.
 *
 * All arithmetic is f32, and the answer depends on nothing but the calls made: not on memory, not on a hash table's
 * order. */
#ifndef VXBAKE_RING_H
#define VXBAKE_RING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_RING_CAPACITY_MAX 1048576
#define VXB_RING_RANGE_MAX 1048576      /* metres, 2^20: of the range, and of a view's distance from 0 on each axis */
#define VXB_RING_HYSTERESIS_MAX 1048576 /* on both sides of 0 */
#define VXB_RING_CELLS_MAX 67108864   /* 2^26 cells among which an update looks */
#define VXB_RING_HYSTERESIS 0.15f

/* Square cells over the world: cell (x, z) is [x * cell_size, (x + 1) * cell_size) on each axis. */
struct vxb_ring_grid {
    float cell_size; /* metres, 1..1024 */
    /* Whether a cell may be wanted at all, as over a baked field those that hold a chunk; NULL: all may. Its answer
     * for a cell must not change but between vxb_ring_clear() and the next update. It must not call into the ring. */
    bool (*holds)(void *user, int32_t cell_x, int32_t cell_z);
    void *user;
};

/* A cell and the slot it has, below the capacity. */
struct vxb_ring_slot {
    int32_t cell_x, cell_z;
    uint32_t slot;
};

/* What an update changed. The arrays belong to the ring and stay valid until its next update, clear or free. A slot in
 * both lists went from the evicted cell to the created one. */
struct vxb_ring_change {
    const struct vxb_ring_slot *created; /* nearest first, ties by (z, x) */
    const struct vxb_ring_slot *evicted; /* by (z, x), with the slot each had */
    uint32_t created_count, evicted_count;
    uint32_t refused;                    /* cells within range for which there was no slot */
    uint32_t deferred;                   /* cells that most_created left for later updates */
};

/* A ring serves one thread at a time. */
struct vxb_ring;

/* Creates an empty ring with the default hysteresis. Everything whose size follows from the capacity is allocated
 * here (about 150 bytes a slot).
 * env: may be NULL; its allocator is copied.
 * grid: copied; its user must outlive the ring.
 * capacity: slots, 1..VXB_RING_CAPACITY_MAX.
 * Returns VXB_ERR_USAGE (capacity 0, a cell size that is not finite), VXB_ERR_LIMIT, VXB_ERR_MEMORY. The caller
 * frees it with vxb_ring_free(). */
enum vxb_status vxb_ring_new(const struct vxb_env *env, const struct vxb_ring_grid *grid, uint32_t capacity,
                             struct vxb_ring **out, struct vxb_error *err);

/* Frees; NULL is allowed. */
void vxb_ring_free(struct vxb_ring *ring);

const struct vxb_ring_grid *vxb_ring_grid(const struct vxb_ring *ring);
uint32_t vxb_ring_capacity(const struct vxb_ring *ring);
/* How many cells are resident. */
uint32_t vxb_ring_count(const struct vxb_ring *ring);
/* How far past the range a cell survives, as a fraction of it; below 0 counts as 0. */
float vxb_ring_hysteresis(const struct vxb_ring *ring);
/* Returns VXB_ERR_USAGE (not finite) or VXB_ERR_LIMIT (beyond 2^20); then it stays as it was. */
enum vxb_status vxb_ring_set_hysteresis(struct vxb_ring *ring, float hysteresis, struct vxb_error *err);
/* How many cells the last update wanted and had no slot for. */
uint32_t vxb_ring_refused(const struct vxb_ring *ring);
/* Writes the resident cells by (z, x), at most room of them; returns how many there are. */
uint32_t vxb_ring_resident(const struct vxb_ring *ring, struct vxb_ring_slot *out, uint32_t room);

/* Which slot a cell has. False, and *slot as it was, where it is not resident. */
bool vxb_ring_try_slot(const struct vxb_ring *ring, int32_t cell_x, int32_t cell_z, uint32_t *slot);

/* Brings the ring up to date with a view: evicts every cell farther than range * (1 + hysteresis), then gives slots to
 * the cells within range that have none, nearest first: the lowest free one, else that of the farthest resident cell
 * (ties: the greatest (z, x)) if that one is strictly farther; the first cell for which there is neither and all after
 * it are refused.
 * view: world metres, x, y, z, within 2^20; y does not count.
 * range: metres, 0..2^20.
 * out: receives the difference; may be NULL.
 * It allocates only where the range is larger than any before.
 * Returns VXB_ERR_USAGE (a range below 0, anything not finite), VXB_ERR_LIMIT (beyond 2^20; a range over more than
 * VXB_RING_CELLS_MAX cells), VXB_ERR_MEMORY; the ring is then as it was. */
enum vxb_status vxb_ring_update(struct vxb_ring *ring, const float view[3], float range, struct vxb_ring_change *out,
                                struct vxb_error *err);

/* The same with at most most_created cells created; those after are deferred, not refused. */
enum vxb_status vxb_ring_update_some(struct vxb_ring *ring, const float view[3], float range, uint32_t most_created,
                                     struct vxb_ring_change *out, struct vxb_error *err);

/* Drops every cell, returning every slot. */
void vxb_ring_clear(struct vxb_ring *ring);

/* How far a cell's nearest point is from a horizontal position (x, z), in metres. 0 for the cell it lies in. */
float vxb_ring_distance(const struct vxb_ring_grid *grid, int32_t cell_x, int32_t cell_z, const float position[2]);

#ifdef __cplusplus
}
#endif

#endif
