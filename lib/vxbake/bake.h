/* Baking: a grass field, by its plan, with a report whose numbers add up; a depth pyramid; an irradiance field. Source:
 * vxbake-recipe(5), "Scatter" and "budgets"; vxbake-bake(1). */
#ifndef VXBAKE_BAKE_H
#define VXBAKE_BAKE_H

#include "base.h"
#include "device.h"
#include "recipe.h"
#include "terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a candidate is no blade, in the order the tests are made. */
enum vxb_reason {
    VXB_REASON_NO_SURFACE, /* outside the terrain, or over a hole */
    VXB_REASON_EXCLUDED,   /* by the exclude map, or scaled below 2^-10 */
    VXB_REASON_SLOPE,      /* steeper than max_slope */
    VXB_REASON_ALTITUDE,   /* outside the species' altitude */
    VXB_REASON_DENSITY,    /* the painted weight or the density scale */
    VXB_REASON_BUDGET,     /* a budget was full */
    VXB_REASON_COUNT
};

/* Lower-case name with underscores ("no_surface"); static storage; "unknown" for a value that is none. */
const char *vxb_reason_name(enum vxb_reason reason);

/* Which budget set the number of blades. */
enum vxb_budget_kind { VXB_BUDGET_NONE, VXB_BUDGET_MAX_BLADES, VXB_BUDGET_GPU_BYTES, VXB_BUDGET_FILE_BYTES };
/* Its key in a recipe ("max_blades"), "none"; static storage; "unknown" for a value that is none. */
const char *vxb_budget_kind_name(enum vxb_budget_kind kind);

/* One species as planned; the plan's are in ascending id order. */
struct vxb_plan_species {
    const struct vxb_recipe_species *recipe;
    uint32_t recipe_index;     /* where it stands in the recipe */
    uint64_t id, material_id, profile_id;
    uint32_t material_index;   /* rank of material_id among the field's distinct ones */
    uint32_t parts;            /* per million; sum to 1 000 000 */
    uint32_t first_part;       /* sum of the parts before it */
    uint32_t blade_budget;     /* its part of the field's, VXB_NO_LIMIT: none */
    double ceiling;            /* candidates a square metre that can be its own at most: tried_density * parts / 1e6 */
    const struct vxb_layer *layer; /* NULL: grows everywhere */
};

/* Everything that is decided before the first candidate. Read only; usable from any thread; borrows the recipe and the
 * terrain, which must outlive it. */
struct vxb_plan {
    const struct vxb_recipe *recipe;
    const struct vxb_terrain *terrain;
    uint32_t side;             /* candidates along a cell's side, 1..4096 */
    float step;                /* metres between candidates */
    double tried_density;      /* side^2 / cell_size^2 */
    int32_t cell_x0, cell_z0;  /* first tried cell */
    uint32_t cells_x, cells_z; /* tried cells along each axis; at most 2^26 in all */
    uint64_t candidates;       /* side^2 * cells_x * cells_z */
    uint32_t species_count;
    struct vxb_plan_species species[VXB_SPECIES_MAX];
    uint32_t lod_count;        /* of all species */
    uint32_t blade_budget;     /* of the field, VXB_NO_LIMIT: none */
    enum vxb_budget_kind budget_kind; /* which one bound */
    uint32_t max_commands, updates_per_frame; /* of the runtime, VXB_NO_LIMIT: none */
    uint64_t file_fixed_bytes, gpu_fixed_bytes; /* most that a field costs beside its blades */
    uint64_t bake_id;
    uint32_t rank_cut;         /* rint(density_scale * 65536): ranks from here on fall to density */
    struct vxb_allocator allocator;
};

/* Makes the plan. Notes (species on different layers) go to env's diag.
 * env: may be NULL.
 * recipe, terrain: must outlive the plan; terrain is what vxb_terrain_load() made of the recipe's.
 * out: the caller frees it with vxb_plan_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (a layer that does not exist, with the list of those that do; two species with one id; a
 * species without a part; a budget below the fixed cost), VXB_ERR_LIMIT (cells, candidates a side, coordinates),
 * VXB_ERR_MEMORY. */
enum vxb_status vxb_plan_new(const struct vxb_env *env, const struct vxb_recipe *recipe,
                             const struct vxb_terrain *terrain, struct vxb_plan **out, struct vxb_error *err);
void vxb_plan_free(struct vxb_plan *plan); /* NULL is allowed */

/* Where the candidates went. candidates == placed + the sum of reasons, always. */
struct vxb_ledger {
    uint64_t candidates;
    uint64_t reasons[VXB_REASON_COUNT];
    uint64_t placed;           /* == blades */
    uint64_t chunks;
    uint64_t bytes;            /* of chunk data in the file, alignment apart */
    uint64_t commands;         /* at most a frame: a command a chunk and pass */
};

/* What a bake did. Sums over species equal the field's; a report that does not add up is VXB_ERR_BUG. */
struct vxb_bake_report {
    uint32_t species_count;
    struct vxb_ledger field;
    struct vxb_ledger species[VXB_SPECIES_MAX]; /* in ascending id order, as in the plan */
    uint16_t rank_limit[VXB_SPECIES_MAX];
    uint64_t file_bytes, gpu_bytes;
    uint64_t bake_id, content_id;
    uint32_t format;
    bool written;              /* false: --if-changed found the same bytes there */
    double seconds;            /* wall clock, never in a baked byte */
    bool partial;              /* only a region was baked: the ledgers are of its cells */
    int32_t region[4];         /* x0, z0, x1, z1 in cells, the last two not in it; the whole grid where not partial */
};

enum vxb_preview_as { VXB_PREVIEW_SPECIES, VXB_PREVIEW_REASON, VXB_PREVIEW_DENSITY };

/* Options of a bake. Zero it, set size, fill in. Every output is opened before the work begins and replaced only when
 * all of it is there. */
struct vxb_bake_options {
    size_t size;
    const char *output;        /* "-" is standard output; NULL: nothing is written, the report is all */
    bool if_changed;           /* leave an identical output untouched */
    bool compress;
    int compress_level;        /* zstd's, where compress: brought into zstd's range; 0 is its default, 3 */
    bool split;                /* plane-split; only with compress */
    const char *preview;       /* PNG, NULL: none */
    enum vxb_preview_as preview_as;
    const char *depfile;       /* Make rule, NULL: none; its target is output as given */
    const char *report_json;   /* the report as JSON, NULL: none */
    bool has_region;           /* bake only the cells that a rectangle of the world touches */
    double region[4];          /* x0, z0, x1, z1, metres, x0 < x1 and z0 < z1 */
    struct vxb_device *device; /* computes the cells; NULL: the CPU. The same bytes, where it is exact */
    double cross_check;        /* percent of the cells, 0 to 100, that the CPU computes too and compares; needs a
                                  device */
};

/* Bakes a plan: scatters, applies the budgets, writes.
 * With a region each chunk is byte for byte that of the whole bake: budgets are the whole field's, so where one may
 * bind, all of it is scattered. The file is marked as partial.
 * report: may be NULL; filled in on success only. Threads, progress and cancelling come from env; the bytes do not
 * depend on any of them.
 * Returns VXB_ERR_USAGE (options that do not go together, a region beside the field), VXB_ERR_REFUSED (an output that
 * is one of the recipe's inputs, or two outputs that are one file), VXB_ERR_IO, VXB_ERR_LIMIT (more blades than a file
 * holds), VXB_ERR_MEMORY, VXB_ERR_CANCELLED, VXB_ERR_DEVICE (it failed, or a cross-check found other blades than the
 * CPU's), VXB_ERR_BUG (the report does not add up, or the CPU made other blades than it had counted). Whatever is
 * returned but VXB_OK, every output that is a file is what it was before.
 * Memory: the largest cell's work for each thread, 56 bytes a chunk, histograms of 512 KiB a species and, where they
 * are counted first, 256 KiB a species and thread, 12 bytes for each of the few blades on a budget's cut, and a
 * picture's counters where one is asked for; with a device, 20 bytes a blade of two tiles, each of at most 4 million
 * blades or one cell, and for a picture of reasons a byte a candidate, of as many at most. Disk: the blades once
 * more than in the output, and those that a budget leaves out late, in an unlinked temporary beside it; unless it is
 * known first where each belongs. For that the CPU looks which cells have blades, of one species that no budget can
 * cut, where more than a few of the candidates are kept; else it counts, on three threads or more where enough are
 * kept, and a GPU counts always; but not for a file that is compressed. Not for a picture of reasons. */
enum vxb_status vxb_bake_planned(const struct vxb_env *env, const struct vxb_plan *plan,
                                 const struct vxb_bake_options *options, struct vxb_bake_report *report,
                                 struct vxb_error *err);

/* How many candidates such a bake tries, for vxb_device_options.candidates: the plan's, or, where a region is all that
 * has to be looked at, the region's. A region that the bake will refuse counts as none. */
uint64_t vxb_bake_candidates(const struct vxb_plan *plan, const struct vxb_bake_options *options);

/* The whole of it: loads the recipe's terrain, plans, bakes. env and report may be NULL. Returns what
 * vxb_terrain_load(), vxb_plan_new() and vxb_bake_planned() return. */
enum vxb_status vxb_bake(const struct vxb_env *env, const struct vxb_recipe *recipe,
                         const struct vxb_bake_options *options, struct vxb_bake_report *report,
                         struct vxb_error *err);

/* ---- depth pyramids ---- */

/* What the bake of a depth pyramid did. */
struct vxb_pyramid_report {
    uint32_t width, height, level_count;
    enum vxb_reduce reduce;
    uint64_t sky_texels;       /* of level 0: 0, sky or not measured */
    float farthest, nearest;   /* of the others, as the pyramid keeps them; 0 where there is none */
    uint64_t file_bytes;
    bool written;              /* false: there is no output, or it held the same bytes already */
    double seconds;            /* wall clock, never in a baked byte */
};

/* Bakes a depth pyramid: reads the frame, reduces it, writes KTX2, and a picture of the levels where options asks for
 * one. Output NULL writes nothing; the report is as it would be.
 * options: VXB_ERR_USAGE where compress, split, preview_as, a region, a device or a cross-check is asked for.
 * report: may be NULL.
 * Returns also what vxb_pyramid_from_depth() and, for the outputs, vxb_bake_planned() return. The bytes do not depend
 * on threads. Memory: the frame's file and the pyramid. */
enum vxb_status vxb_pyramid_bake(const struct vxb_env *env, const struct vxb_pyramid_recipe *recipe,
                                 const struct vxb_bake_options *options, struct vxb_pyramid_report *report,
                                 struct vxb_error *err);

/* ---- irradiance fields ---- */

#define VXB_PROBE_SIZES 11 /* 2^0 to 2^10 */

/* Everything that is decided before the first ray: the scene, loaded, and where each brick is. Borrows the recipe,
 * which must outlive it; owns the rest. A bake fills the field of its plan, so it serves one at a time. */
struct vxb_probe_plan {
    const struct vxb_probe_recipe *recipe;
    const struct vxb_scene *scene;
    struct vxb_probe_field *field;     /* placed */
    uint32_t slots[3];                 /* of the pool, along each axis */
    uint32_t bricks[VXB_PROBE_SIZES];  /* by the logarithm of their size */
    struct vxb_probe_counts counts;    /* in all; and what the pool had no slots for */
    uint64_t probes;                   /* 64 a brick */
    uint64_t rays;                     /* in all passes, if every probe traced */
    uint64_t file_bytes;               /* without compression */
    uint64_t memory_bytes;             /* of pools, indirection, terrain and sky while it is filled */
    uint64_t bake_id;
};

/* Makes the plan: loads terrain and sky, allocates, refines, places.
 * env: may be NULL.
 * out: the caller frees it with vxb_probe_plan_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (a layer that does not exist, with the list of those that do), VXB_ERR_LIMIT (more bricks than
 * a pool may have slots, more memory than the environment allows), what vxb_terrain_load() and vxb_sky_map_load()
 * return, VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_probe_plan_new(const struct vxb_env *env, const struct vxb_probe_recipe *recipe,
                                   struct vxb_probe_plan **out, struct vxb_error *err);
void vxb_probe_plan_free(struct vxb_probe_plan *plan); /* NULL is allowed */

/* What the bake of an irradiance field did. */
struct vxb_probe_report {
    struct vxb_fill_stats fill;
    uint64_t file_bytes;
    uint64_t bake_id, content_id;
    bool written;              /* false: there is no output, or it held the same bytes already */
    double seconds;            /* wall clock, never in a baked byte */
};

/* Bakes a plan: fills the field, rounds it where the encoding asks for it, writes, and draws a picture where options
 * asks for one. Output NULL writes nothing; the report is as it would be.
 * plan: its field is filled; it may be baked again, after a failure too.
 * options: split, preview_as and region are of grass: VXB_ERR_USAGE.
 * report: may be NULL.
 * Returns also what vxb_probe_fill() and vxb_probe_field_round() return, and, for the outputs, what vxb_bake_planned()
 * does. The bytes do not depend on threads, nor on an exact device. */
enum vxb_status vxb_probe_bake(const struct vxb_env *env, struct vxb_probe_plan *plan,
                               const struct vxb_bake_options *options, struct vxb_probe_report *report,
                               struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
