/* The inside of the field: the indirection, a record of each brick, and the pool.
 *
 * A brick has an identity: its slot where it has one, limit + k where it is only planned, and the indirection holds
 * identities. A step makes planned bricks and notes which slots its splits give up; on a placed field it ends by settling:
 * slots given up are released, and those planned take slots in the order of the table. So no step needs memory. */
#ifndef VXBI_PROBES_FIELD_H
#define VXBI_PROBES_FIELD_H

#include "pool.h"

#include "vxk_probe.h"

/* size 0: no brick has this identity. */
struct vxbi_brick_record {
    uint16_t cell[3];
    uint16_t size;
};

/* A brick that a step may split, in the order in which slots go out. */
struct vxbi_brick_pick {
    uint64_t key; /* bits of the squared distance, then z, y, x */
    uint32_t id;
};

struct vxb_probe_field {
    struct vxb_env env; /* allocator and memory limit */
    struct vxb_allocator allocator;
    struct vxb_probe_region bounds;
    uint32_t cells[3];
    uint64_t cell_count;
    float cell_size[3], extent[3], focus[3]; /* the focus relative to the bounds' minimum */
    uint32_t slots[3];                       /* as asked for; 0: as the plan needs */
    struct vxb_probe_pool *pool;             /* NULL: in planning */
    struct vxb_probe_counts counts;

    struct vxb_probe_cell *indirection;
    uint32_t limit;                          /* most bricks at a time */
    struct vxbi_brick_record *records;       /* 2 * limit, by identity */
    uint32_t *spare;                         /* planned identities without a brick, the next one last */
    uint32_t spare_count, planned_end;       /* no planned identity from planned_end on was ever given */
    uint32_t slot_end;                       /* no slot from here on was ever given */
    uint32_t *given_up;                      /* slots that the step at work releases */
    uint32_t given_up_count;
    struct vxbi_brick_pick *picks;           /* limit */
    struct vxb_brick *table, *sorted;        /* limit each; of a placed field */
};

/* How the shared arithmetic sees a placed field. */
struct vxk_probes vxbi_probe_field_view(const struct vxb_probe_field *field);

/* A brick of the table in its terms. */
static inline struct vxk_brick vxbi_probe_brick(const struct vxb_brick *brick)
{
    return (struct vxk_brick){
        .slot = brick->slot, .size = brick->size, .cell = {brick->cell[0], brick->cell[1], brick->cell[2]}};
}

/* The pool, for what fills and reads. Slots are the field's: texels may be written, slots not handed out. */
struct vxb_probe_pool *vxbi_probe_field_pool(struct vxb_probe_field *field);

#endif
