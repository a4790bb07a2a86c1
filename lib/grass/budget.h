/* Which blades a budget keeps: those of lowest (rank, hash, cell z, cell x, candidate), found by counting ranks, so
 * that nobody is kept in memory to be compared. */
#ifndef VXBI_GRASS_BUDGET_H
#define VXBI_GRASS_BUDGET_H

#include "field.h"

/* Ranks counted so far of one species, and the highest rank that can still be kept. One lock for all. */
struct vxbi_ranks {
    uint64_t *counts;    /* VXBI_RANKS of them */
    uint64_t total;      /* of ranks up to most */
    uint32_t budget;
    uint32_t most;       /* no blade above it can be among the budget's lowest */
};

/* Counts records and lowers most where the budget is full below it. */
void vxbi_ranks_add(struct vxbi_ranks *ranks, const uint8_t *records, uint32_t count);

/* Lowers most to what the ranks of all blades, VXBI_RANKS counts, say it will come to. */
void vxbi_ranks_foresee(struct vxbi_ranks *ranks, const uint64_t *counts);

/* Blades on the cut: in order of hash, then cell z, cell x; hashes are unique in a cell. */
struct vxbi_tie {
    uint32_t hash;
    int32_t cell_z, cell_x;
};

struct vxbi_ties {
    struct vxbi_tie *data;
    uint64_t count, room;
};
enum vxb_status vxbi_ties_add(const struct vxb_allocator *allocator, struct vxbi_ties *ties, struct vxbi_tie tie,
                              struct vxb_error *err);
void vxbi_ties_clear(const struct vxb_allocator *allocator, struct vxbi_ties *ties);

/* Cuts a section's chunks, which are those of the whole field, to the budget: sets blade_count, drops chunks without
 * a blade, and sets the rank limit and the cut. VXB_ERR_DEVICE, or VXB_ERR_BUG where the cpu computed, if its blades
 * are not as many as the ranks say; VXB_ERR_IO, VXB_ERR_MEMORY. */
enum vxb_status vxbi_budget_cut(struct vxbi_field *field, uint32_t species, const struct vxbi_ranks *ranks, bool cpu,
                                struct vxb_error *err);

/* The same where nothing was spilled: ranks were counted, and its most foreseen; each chunk's blade_count is how many
 * of its blades are below that, ties are those on it. */
enum vxb_status vxbi_budget_cut_counted(struct vxbi_field *field, uint32_t species, const struct vxbi_ranks *ranks,
                                        struct vxbi_ties *ties, bool cpu, struct vxb_error *err);

/* Whether a cut keeps this blade of its species. */
bool vxbi_cut_keeps(const struct vxbi_cut *cut, uint32_t rank, uint32_t hash, int32_t cell_z, int32_t cell_x);

#endif
