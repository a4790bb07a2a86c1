/* A field on its way to the file: its chunks, in order, with their blades in an unlinked temporary beside the output,
 * or counted or no more than found, to be made when their place in the file is known.
 * Memory is the chunk table and a histogram of ranks a species that has a budget (one for each worker, too, where it is
 * counted), whatever the number of candidates. */
#ifndef VXBI_GRASS_FIELD_H
#define VXBI_GRASS_FIELD_H

#include "../core/os.h"
#include "scatter.h"
#include "source.h"

/* A chunk before it is written: spill_offset is its place in the spill, spilled * 16 bytes of records and, for a
 * species with a budget, spilled * 4 bytes of hashes behind them; where the field is counted, there is no such place,
 * and spilled are the blades that will be made; where it is found, both numbers are 0 until then. blade_count: how many
 * of them, a prefix, are kept.
 * The writer is the last to read the spill and leaves in both words where the data is in the file, and its bytes
 * there. */
struct vxbi_field_chunk {
    int32_t cell_x, cell_z;
    uint64_t spill_offset;
    uint32_t spilled, blade_count;
    float min_y, max_y, max_scale;
    uint64_t hash;       /* this and max_scale are known once the chunk is written */
};

/* A part of a plan's cells: whole cells, from x0 and z0 on, up to x1 and z1 but not with them. */
struct vxbi_region {
    int32_t x0, z0, x1, z1;
};

/* Where a budget cut a species: the last blade it keeps, in the order of rank, hash, cell z, cell x. */
struct vxbi_cut {
    bool binds;
    bool none;           /* not one is kept, and the rest is zero */
    uint32_t rank, hash;
    int32_t cell_z, cell_x;
};

struct vxbi_field_section {
    struct vxbi_field_chunk *chunks; /* by z, then x; behind them, in no order, those of which a budget left nothing */
    uint64_t count, dropped, room;
    struct vxb_ledger ledger; /* of the region */
    uint64_t survivors;       /* of the whole field as far as it was scattered, before any budget */
    uint16_t rank_limit;
    struct vxbi_cut cut;      /* of the whole field */
};

struct vxbi_field {
    struct vxb_allocator allocator;
    const struct vxb_plan *plan;
    struct vxbi_spill *spill;
    bool found; /* by vxbi_field_find() */
    struct vxbi_field_section sections[VXB_SPECIES_MAX];
};

/* The chunk of a cell; NULL: it has none. */
struct vxbi_field_chunk *vxbi_field_chunk_at(const struct vxbi_field_section *section, int32_t cell_x, int32_t cell_z);

/* Whether a species could place more than its budget: then the whole field is scattered to know what is kept of it. */
bool vxbi_budget_may_bind(const struct vxb_plan *plan, uint32_t species);

/* Scatters the plan, or the cells of a region of it, on the environment's threads and applies the budgets.
 * region: NULL, or the only cells that are kept. Where a budget may bind, the others are scattered too, since it is the
 *   whole field's; the chunks that are kept are those of the whole field, byte for byte.
 * beside: the output's path, for the spill; NULL: nowhere near one.
 * source: who computes the cells. Where it can count and a budget may bind, it first counts ranks, so that what the
 *   budget leaves out is never made.
 * sink: NULL, or told of every candidate of the region; one told of as placed may still fall to a budget: what the
 *   writer's sink says, and the dropped chunks, are the ones that did.
 * Returns VXB_ERR_IO, VXB_ERR_MEMORY, VXB_ERR_LIMIT (more blades than a file holds), VXB_ERR_CANCELLED, and what the
 * source returns. The ledgers are complete but for bytes and commands. Clear out after success only. */
enum vxb_status vxbi_field_make(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_region *region, const char *beside,
                                const struct vxbi_cell_source *source, const struct vxbi_reason_sink *sink,
                                struct vxbi_field *out, struct vxb_error *err);
void vxbi_field_clear(struct vxbi_field *field);

/* Whether a budget may have to choose among a plan's blades, for which all of them must be known. */
bool vxbi_field_may_choose(const struct vxb_plan *plan);

/* As vxbi_field_make(), but that the field's chunks have no blades yet: its file is laid out before there is a blade,
 * so that none goes to a spill. For a source that can count. */
enum vxb_status vxbi_field_count(const struct vxb_env *env, const struct vxb_plan *plan,
                                 const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                 struct vxbi_field *out, struct vxb_error *err);

/* Whether a field can be found: it has one section, no budget chooses, and a file holds all there may be. */
bool vxbi_field_can_be_found(const struct vxb_plan *plan);

/* As vxbi_field_count(), for a field that can be found, and far less work: which chunks there are. How many blades they
 * have, and what the ledger says of their cells, is known once they have been handed over. */
enum vxb_status vxbi_field_find(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                struct vxbi_field *out, struct vxb_error *err);

/* Who takes the chunks of a counted field, some of a section's at a time, from any thread, in any order but that those
 * given together ascend. Those of a found field come one at a time: they are begun in order, and each has its
 * thread to itself, so that its taker may wait for those before it. */
typedef enum vxb_status vxbi_take_chunks(void *user, uint32_t section, struct vxbi_field_chunk *const *chunks,
                                         const uint8_t *const *records, uint32_t count, struct vxb_error *err);
struct vxbi_chunk_taker {
    void *user;
    vxbi_take_chunks *take;
    /* NULL, or told that something failed: a taker that waits for another chunk then must return. */
    void (*give_up)(void *user);
};
/* Makes the blades of a counted or found field, with the region and the source that counted or found it. Returns
 * VXB_ERR_MEMORY, VXB_ERR_CANCELLED, what source and taker return, and VXB_ERR_DEVICE, or VXB_ERR_BUG from the CPU,
 * where other numbers came of it than were counted. */
enum vxb_status vxbi_field_hand_over(const struct vxb_env *env, struct vxbi_field *field,
                                     const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                     const struct vxbi_chunk_taker *taker, struct vxb_error *err);

/* As vxbi_field_make(), but that no blade is kept: each chunk is handed over as it comes, with no place yet in the
 * field, and enters it as the taker leaves it. For a plan in which no budget may have to choose. */
enum vxb_status vxbi_field_pass(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_cell_source *source, const struct vxbi_chunk_taker *taker,
                                struct vxbi_field *out, struct vxb_error *err);

#endif
