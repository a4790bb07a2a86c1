/* Why something grows at a spot of a field, or does not: what the bake of a plan does with the candidates there, and
 * the numbers it compares. Source: vxbake-explain(1), which has the tests and their order. */
#ifndef VXBAKE_EXPLAIN_H
#define VXBAKE_EXPLAIN_H

#include "bake.h"
#include "base.h"
#include "grass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to explain. Zero it, set size, fill in. */
struct vxb_explain_options {
    size_t size;
    double x, z;             /* the spot, world metres, within 1048576 of 0 */
    double radius;           /* metres about it, 0..1048576; 0: half a metre, or two steps of the candidates' grid where
                                that is more */
    const char *species;     /* the only one to look at, by name or "0x..." id; NULL: all */
    uint32_t limit;          /* candidates to tell of, nearest first; 0: 20. All are counted. */
};

/* The ground at a place, as the bake samples it there. Where outside, nothing else is known, and all is zero. */
struct vxb_explain_ground {
    bool outside;            /* of the terrain */
    bool hole;
    bool excluded;           /* by the exclude map */
    float y;                 /* world metres */
    float normal[3];         /* unit; the slope test compares its y */
    float slope;             /* the normal's angle from up, radians */
    float scale_factor;      /* of the scale map; 1 where there is none */
};

/* What became of one candidate. */
struct vxb_explain_candidate {
    int32_t cell_x, cell_z;
    uint32_t index;          /* of the cell's side * side candidates: slot x + side * slot z */
    uint32_t hash;           /* which its draws come from; with the rank, its place among the blades of a chunk */
    double x, z;             /* world metres, jittered, not yet packed */
    double distance;         /* metres from the spot */
    uint32_t species;        /* index into the plan's: the one in whose run of parts it fell */
    uint32_t part;           /* that draw, 0..999999 */
    struct vxb_explain_ground ground;
    float scale;             /* drawn, times the scale map's factor */
    float weight;            /* of the species' layer; 1 where it has none */
    float k;                 /* smooth(weight), 0..1 */
    float draw;              /* which must be below k */
    uint32_t rank;           /* draw / k, 0..65535; 65535 where the draw is not below k */
    bool failed[VXB_REASON_COUNT]; /* each test by itself; of those outside only the first is known, and the budget's is
                                      made of those that pass all others */
    enum vxb_reason reason;  /* the first that failed, as the bake's ledger counts it; VXB_REASON_COUNT: a blade */
    uint8_t record[VXB_GRASS_RECORD_BYTES]; /* of a blade, as in the file, else zero */
    struct vxb_blade blade;                 /* what it says */
};

struct vxb_explain_counts {
    uint64_t candidates;     /* == placed + the sum of reasons */
    uint64_t reasons[VXB_REASON_COUNT];
    uint64_t placed;
};

/* A species at the spot and within the radius. */
struct vxb_explain_species {
    bool wanted;             /* false: another one was asked for, and nothing else is set */
    float least_normal_y;    /* what the slope test compares with: the cosine of max_slope */
    float weight, k;         /* at the spot, where that is on the terrain */
    enum vxb_reason reason;  /* the first test that no candidate of it can pass at the spot; VXB_REASON_COUNT: none */
    double density;          /* what the recipe asks: candidates of it a square metre */
    double expected;         /* blades a square metre that come of the plan's ceiling where all is as at the spot */
    /* The whole field's, where a budget might bind and so all of it was scattered. */
    bool counted;
    uint64_t survivors;      /* candidates of the species that passed every test but the budget's */
    bool cut;                /* they were more than its budget; the last one kept, if the budget is not 0, is: */
    uint32_t cut_rank, cut_hash;
    int32_t cut_cell_z, cut_cell_x;
    struct vxb_explain_counts counts; /* within the radius */
};

struct vxb_explanation {
    double x, z, radius;
    int32_t cell_x, cell_z;  /* that the spot lies in */
    bool in_field;           /* false: the bake does not try that cell */
    struct vxb_explain_ground ground;
    const float *layer_weights; /* of the terrain's layers, in their order; NULL: none, or outside the terrain */
    uint32_t species_count;
    struct vxb_explain_species species[VXB_SPECIES_MAX]; /* in the plan's order */
    struct vxb_explain_counts counts; /* their sum */
    const struct vxb_explain_candidate *candidates; /* by distance, then cell z, cell x, index */
    uint32_t candidate_count;
};

/* Explains a spot. A spot outside the field or the terrain is one too: the answer says so.
 * env: may be NULL.
 * plan: as for a bake; what is explained is the bake of all of it.
 * out: receives the explanation, freed with vxb_explanation_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (options, a species that there is none of, with the list of those there are),
 * VXB_ERR_CANCELLED, VXB_ERR_MEMORY; and where a budget may bind, when all of the field is counted to know what it
 * keeps, VXB_ERR_LIMIT and VXB_ERR_BUG as vxb_bake_planned() does.
 * Memory: a few hundred bytes a candidate that is told of; where a budget may bind, what a bake takes that counts
 * first. */
enum vxb_status vxb_explain(const struct vxb_env *env, const struct vxb_plan *plan,
                            const struct vxb_explain_options *options, struct vxb_explanation **out,
                            struct vxb_error *err);
void vxb_explanation_free(struct vxb_explanation *explanation); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
