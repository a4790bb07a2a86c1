/* A field being made, as the two files see it that make it: making.c, where cells come in, and field.c, which says what
 * is to be made of them. */
#ifndef VXBI_GRASS_MAKING_H
#define VXBI_GRASS_MAKING_H

#include <stdatomic.h>

#include "budget.h"
#include "source.h"

struct vxbi_making {
    const struct vxb_env *env;
    const struct vxbi_cell_source *source;
    struct vxbi_field *field;
    struct vxbi_scatter scatter;
    const struct vxbi_reason_sink *sink;
    const struct vxbi_chunk_taker *taker; /* NULL: nobody waits for what grows */
    bool passing;                         /* what the taker gets is new to the field */
    const char *stage;                    /* for progress */
    bool counting;                        /* what was taken is done when more is */
    enum vxbi_wanted wants;               /* where counting */
    struct vxbi_ranks ranks[VXB_SPECIES_MAX]; /* counts NULL: no budget */
    struct vxbi_ties ties[VXB_SPECIES_MAX];
    struct vxbi_mutex *lock;
    const struct vxbi_region *region; /* NULL: everything */
    bool region_alone;                /* no other cell is needed */
    uint64_t cells, next, done, spill_end;
    atomic_bool stop;                 /* nobody wants what is left */
    bool cancelled;                   /* the first worker's */
};

/* Whether more blades of a species survived, of all that are counted by now, than its budget has room for. */
bool vxbi_making_over_budget(const struct vxbi_field *field, uint32_t species);

/* Whether a cell is the region's. */
bool vxbi_making_keeps(const struct vxbi_making *making, int32_t cell_x, int32_t cell_z);

#endif
