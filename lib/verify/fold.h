/* Findings kept and folded: equal ones (the same code in the same kind of place) become one record with a count and the
 * first of them. Which is first is told by offset and part of the file, never by arrival, so threads may each fill one
 * and have them merged in any order. Memory is bounded by the number of rules, not of findings. */
#ifndef VXBI_VERIFY_FOLD_H
#define VXBI_VERIFY_FOLD_H

#include "../core/alloc.h"
#include "../core/collect.h"
#include "../vxbake/verify.h"

struct vxbi_fold_entry {
    struct vxb_finding_record record;
    uint64_t ordinal;
    char pointer[160];
    char message[1024];
};

struct vxbi_fold {
    struct vxb_allocator allocator;
    struct vxbi_fold_entry **entries;
    uint32_t count, room;
    uint64_t totals[3];  /* by severity, one by one */
    bool out_of_memory;  /* something was lost */
};

/* Zero a fold but for its allocator. */
void vxbi_fold_clear(struct vxbi_fold *fold);

/* The add of a struct vxbi_collect whose user is a fold. */
void vxbi_fold_add(void *fold, const struct vxbi_found *found);

/* Adds what from has to into. */
void vxbi_fold_merge(struct vxbi_fold *into, const struct vxbi_fold *from);

/* The order of entries: by offset, then code, then pointer; what has no offset comes last. */
int vxbi_fold_compare(const struct vxbi_fold_entry *a, const struct vxbi_fold_entry *b);

#endif
