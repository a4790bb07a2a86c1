/* The inside of the field: the indirection, a record of each brick, and the pool.
 *
 * A brick has an identity: its slot where it has one, base + k where it is only planned; the indirection holds
 * identities. A step makes planned bricks and drops others; on a placed field it ends by settling: slots of dropped
 * bricks are released and planned bricks take slots in the order of the table. So no step allocates memory, and none
 * can fail half-way. */
#ifndef VXBI_PROBES_FIELD_H
#define VXBI_PROBES_FIELD_H

#include "../core/env.h"
#include "pool.h"

#include "vxk_probe.h"

/* size 0: no brick has this identity. */
struct vxbi_brick_record {
    uint16_t cell[3];
    uint16_t size;
};

/* A brick that a step may split. Keys go up in the order in which slots go out, and no two are equal. */
struct vxbi_brick_pick {
    uint64_t key; /* bits of the squared distance, then z, y, x in 10 bits each */
    uint32_t id;
};

struct vxb_probe_field {
    struct vxb_env env; /* its allocator, memory limit and cancelled() alone are used */
    struct vxb_allocator allocator;
    struct vxb_probe_region bounds;
    uint32_t cells[3];
    uint64_t cell_count;
    float cell_size[3], extent[3], focus[3]; /* the focus relative to the bounds' minimum */
    uint32_t slots[3];                       /* as asked for; 0: as the plan needs */
    struct vxb_probe_pool *pool;             /* NULL: in planning */
    struct vxb_probe_counts counts;
    bool stopped;                            /* the step at work was cancelled */
    uint32_t by_size[11];                    /* bricks of each size, by its rank */

    struct vxb_probe_cell *indirection;
    uint32_t base, room;                     /* slots stay below base; most bricks at a time */
    struct vxbi_brick_record *records;       /* base + room, by identity */
    uint32_t slot_end, planned_end;          /* no slot, no planned identity from there on was ever given */
    uint32_t *spare;                         /* room: planned identities given back, the next one last */
    uint32_t spare_count;
    struct vxbi_brick_pick *picks;           /* room */
    struct vxb_brick *table, *sorting;       /* room each; the table of a placed field, and what it is sorted with */
};

/* ---- bricks.c ---- */

static inline struct vxb_probe_cell *vxbi_probe_cell(const struct vxb_probe_field *field, uint32_t x, uint32_t y,
                                                     uint32_t z)
{
    return &field->indirection[((uint64_t)z * field->cells[1] + y) * field->cells[0] + x];
}

/* Which power of two a size is. */
static inline uint32_t vxbi_probe_rank(uint32_t size)
{
    uint32_t rank = 0;
    while (size >>= 1)
        rank++;
    return rank;
}

/* How many more bricks there may be. */
static inline uint32_t vxbi_probe_free(const struct vxb_probe_field *field)
{
    return field->room - field->counts.bricks;
}

/* Adds a planned brick over cells that nothing covers; there must be room. Drops one: its cells still name it, and
 * must be covered anew at once. */
void vxbi_probe_make(struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size);
void vxbi_probe_drop(struct vxb_probe_field *field, uint32_t id);

/* The children of a brick that lie in the grid, 1..8. */
uint32_t vxbi_probe_children(const struct vxb_probe_field *field, const struct vxbi_brick_record *brick,
                             uint32_t children[8][3]);
void vxbi_probe_split(struct vxb_probe_field *field, uint32_t id);

/* Squared distance from the focus to a brick's centre, as ascending bits. */
uint32_t vxbi_probe_far(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size);

/* Adds a brick that has its slot; false, with the slot of one that covers a cell of it already, where there is one. */
bool vxbi_probe_take(struct vxb_probe_field *field, const struct vxb_brick *brick, uint32_t *covered);

/* Whether any cell in the grid of a place is covered. */
bool vxbi_probe_is_covered(const struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size,
                           uint32_t *by_slot);

/* Ends a step of a placed field. */
void vxbi_probe_settle(struct vxb_probe_field *field);

/* Whether the step at work goes no further: asked between its pieces. What it has done until then stays. */
static inline bool vxbi_probe_stopped(struct vxb_probe_field *field)
{
    field->stopped = field->stopped || vxbi_cancelled(&field->env);
    return field->stopped;
}

/* ---- field.c ---- */

/* How the shared arithmetic sees a placed field. */
struct vxk_probes vxbi_probe_field_view(const struct vxb_probe_field *field);

/* A brick of the table in its terms. */
static inline struct vxk_brick vxbi_probe_brick(const struct vxb_brick *brick)
{
    return (struct vxk_brick){
        .slot = brick->slot, .size = brick->size, .cell = {brick->cell[0], brick->cell[1], brick->cell[2]}};
}

/* The pool, for what fills and reads: texels may be written, slots not handed out. */
struct vxb_probe_pool *vxbi_probe_field_pool(struct vxb_probe_field *field);

/* VXB_ERR_USAGE until it is placed. */
enum vxb_status vxbi_probe_placed(const struct vxb_probe_field *field, struct vxb_error *err);

#endif
