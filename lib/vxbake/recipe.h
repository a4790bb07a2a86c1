/* Recipes: what a bake is asked to do, as JSON. Source: vxbake-recipe(5), and recipe-grass, recipe-depth-pyramid and
 * recipe-irradiance-field under schemas/. */
#ifndef VXBAKE_RECIPE_H
#define VXBAKE_RECIPE_H

#include "base.h"
#include "fill.h"
#include "probe_file.h"
#include "pyramid.h"
#include "terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_SPECIES_MAX 4
#define VXB_LODS_MAX 8
#define VXB_PASSES_MAX 4
#define VXB_NAME_MAX_BYTES 255

/* One level of detail of a species. */
struct vxb_recipe_lod {
    float distance;         /* metres, up to which it is drawn; ascending strictly; infinity allowed in the last */
    float keep;             /* 0..1, which part of the blades; never rising */
    float fade;             /* metres, where it starts to fade; 0..distance */
    uint32_t index_count, first_index;
    int32_t vertex_offset;
};

/* One species, its rule file's values and the defaults already merged in. */
struct vxb_recipe_species {
    const char *name;       /* UTF-8, 1..255 bytes */
    bool has_id;
    uint64_t id;            /* where has_id; else the name's XXH3-64 */
    float share;            /* 1e-6..1e6 */
    const char *material;   /* never NULL: the species' name where none was given */
    const char *mesh;       /* "" where none */
    float mesh_radius;      /* metres at scale 1, 0..1e6 */
    const char *rule;       /* path of the .vxgrass, NULL: none */
    bool rule_has_density;
    float rule_density;
    const char *layer;      /* NULL: grows everywhere */
    float min_weight, max_weight; /* 0..1, min <= max */
    float jitter;           /* 0..1 */
    float min_scale, max_scale;   /* 2^-10..2^10, min <= max */
    bool random_yaw;
    float align_to_normal;  /* 0..1 */
    float max_slope;        /* radians, 0..1.5708 */
    bool has_altitude;
    float altitude[2];      /* world metres, inclusive, low <= high */
    struct vxb_recipe_lod lods[VXB_LODS_MAX];
    uint32_t lod_count;     /* 1..8 */
    const char *passes[VXB_PASSES_MAX];
    uint32_t pass_count;    /* 1..4 */
};

/* Limits on the field; the has_ flags tell which were given. */
struct vxb_recipe_budgets {
    bool has_max_blades, has_gpu_bytes, has_file_bytes, has_max_commands, has_updates_per_frame;
    uint32_t max_blades;        /* 0..2^32 - 2 */
    uint64_t gpu_bytes;         /* below 2^53 */
    uint64_t file_bytes;        /* below 2^53 */
    uint32_t max_commands;      /* 0..2^32 - 2 */
    uint32_t updates_per_frame; /* 0..2^32 - 2 */
};

/* A grass recipe, read and checked; every path in it is already relative to the caller's folder. */
struct vxb_recipe {
    const char *path;       /* the recipe itself, "-" for standard input */
    uint32_t seed;
    float cell_size;        /* metres, 1..1024 */
    float density;          /* candidates a square metre of the whole field, above 0 */
    float density_scale;    /* 0..1 */
    struct vxb_terrain_desc terrain;
    struct vxb_recipe_budgets budgets;
    struct vxb_recipe_species species[VXB_SPECIES_MAX]; /* in the recipe's order */
    uint32_t species_count; /* 1..4 */
    const char *const *inputs; /* every file it reads but itself: terrain, maps, rules; each once, in recipe order */
    uint32_t input_count;
};

/* A depth pyramid's recipe, read and checked likewise. */
struct vxb_pyramid_recipe {
    const char *path;       /* the recipe itself, "-" for standard input; NULL where a depth frame stands for one */
    struct vxb_depth_desc depth;
    enum vxb_reduce reduce;
    const char *const *inputs; /* the depth frame */
    uint32_t input_count;
};

#define VXB_PROBE_REGIONS_MAX 1024     /* of allocate, and of refine */
#define VXB_PROBE_BANDS_MAX 11         /* one for each size */
#define VXB_RADIANCE_MAX 1e6f          /* of what a recipe gives: emission, sky, sun */

/* A box of the world and a brick size. */
struct vxb_recipe_region {
    struct vxb_probe_region box; /* min <= max */
    uint32_t size;          /* finest cells along a brick's side: a power of two, 1..1024 */
};

/* "sphere", "box", "plane", "capsule"; static storage; NULL for a value that is none. */
const char *vxb_shape_kind_name(enum vxb_shape_kind kind);

struct vxb_layer_albedo {
    const char *layer;      /* of the terrain */
    float albedo[3];
};

struct vxb_recipe_sky {
    enum vxb_sky_kind kind;
    float ground[3], zenith[3];
    float horizon[3];       /* of a gradient; of a constant all of it */
    const char *hdr;        /* MAP: the path of a Radiance file, else NULL */
    float rotation;         /* MAP: radians about y, -6.2832..6.2832 */
    float intensity;        /* 0..VXB_RADIANCE_MAX, times whatever the sky gives */
};

/* An irradiance field's recipe, read and checked, every default filled in. */
struct vxb_probe_recipe {
    const char *path;       /* the recipe itself, "-" for standard input */
    struct vxb_probe_region bounds;     /* min < max */
    uint32_t cells[3];      /* finest cells along each axis */
    uint32_t slots[3];      /* along each axis, 1..2^20 in all; all 0: as many as the plan needs */
    const struct vxb_recipe_region *allocate, *refine;
    uint32_t allocate_count, refine_count; /* allocate: at least 1 */
    const struct vxb_probe_band *bands;    /* margins up to 2^20 m, sizes descend strictly */
    uint32_t band_count;
    float focus[3];         /* where slots go first when there are too few; default: the box's centre */
    bool has_terrain;
    struct vxb_terrain_desc terrain;
    float terrain_albedo[3];               /* where albedo_count is 0, and where no layer of it has weight */
    const struct vxb_layer_albedo *layer_albedo; /* in the recipe's order */
    uint32_t layer_albedo_count;
    float terrain_emission[3];
    const struct vxb_shape *shapes; /* vectors normalised */
    uint32_t shape_count;
    struct vxb_recipe_sky sky;             /* default: a constant of 0 */
    bool has_sun;
    float sun_direction[3]; /* towards it, normalised */
    float sun_irradiance[3];
    uint32_t rays;
    float max_distance;     /* metres; default: the box's diagonal */
    uint32_t bounces, dilation;
    enum vxb_probe_encoding encoding;
    const char *const *inputs; /* every file it reads but itself: terrain, maps, sky; each once */
    uint32_t input_count;
};

/* Where a recipe's values may be overridden: {"/density", "12.5"}; the value is JSON text, or, where that does not
 * parse and does not begin like an object, an array or a quoted string, a plain string. The pointer must lead to a
 * member of an object or array that exists; a new last key is made, and "-" is the place after an array's last. */
struct vxb_recipe_set {
    const char *pointer;
    const char *value;
};

/* Reads a grass recipe and the rule files it names.
 * path: the recipe, "-" for standard input (then paths in it are relative to the working folder). Read to its end
 *   whatever it is: a pipe is fine. At most 16 MiB. A UTF-8 byte order mark is skipped.
 * sets: count overrides, applied in order before checking; may be NULL with count 0.
 * out: receives the recipe; the caller frees it with vxb_recipe_free(). Unchanged on failure.
 * All errors that can be found, up to 200, are sent to env's diag callback in one run, in document order (those of an
 * object as a whole after those of its members), each with its JSON pointer, a syntax error with line and column; *err
 * holds the first. Warnings and notes go there too.
 * Returns VXB_ERR_USAGE (any fault of the recipe), VXB_ERR_IO (it, or a rule file, can't be read), VXB_ERR_DATA (a rule
 * file that is not YAML, or a value in it), VXB_ERR_UNSUPPORTED (a version, or, in a build without libyaml, a rule
 * file), VXB_ERR_LIMIT (more than 16 MiB), VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_recipe_load(const struct vxb_env *env, const char *path, const struct vxb_recipe_set *sets,
                                size_t count, struct vxb_recipe **out, struct vxb_error *err);

/* The same from memory: text of size bytes, with the folder that relative paths start from ("" for the working one) and
 * a name for messages. */
enum vxb_status vxb_recipe_parse(const struct vxb_env *env, const char *text, size_t size, const char *folder,
                                 const char *name, const struct vxb_recipe_set *sets, size_t count,
                                 struct vxb_recipe **out, struct vxb_error *err);

/* Frees a recipe; NULL is allowed. */
void vxb_recipe_free(struct vxb_recipe *recipe);
void vxb_pyramid_recipe_free(struct vxb_pyramid_recipe *recipe);
void vxb_probe_recipe_free(struct vxb_probe_recipe *recipe);

/* A recipe of whatever kind it says it is; the other pointers are NULL. */
enum vxb_recipe_kind { VXB_RECIPE_GRASS, VXB_RECIPE_PYRAMID, VXB_RECIPE_PROBES };
struct vxb_any_recipe {
    enum vxb_recipe_kind kind;
    struct vxb_recipe *grass;           /* freed with vxb_recipe_free() */
    struct vxb_pyramid_recipe *pyramid; /* freed with vxb_pyramid_recipe_free() */
    struct vxb_probe_recipe *probes;    /* freed with vxb_probe_recipe_free() */
};

/* "grass-field", "depth-pyramid", "irradiance-field"; static storage; NULL for a value that is none. */
const char *vxb_recipe_kind_name(enum vxb_recipe_kind kind);

/* Reads a recipe of any kind, as vxb_recipe_load() does a grass recipe.
 * path: where its name ends in .pfm, .png, .r32 or .raw it is a depth frame, which stands for the recipe
 *   {"kind": "depth-pyramid", "depth": {"file": path}}, to which sets are applied; the frame itself is not read.
 * out: receives the recipe. Unchanged on failure. */
enum vxb_status vxb_any_recipe_load(const struct vxb_env *env, const char *path, const struct vxb_recipe_set *sets,
                                    size_t count, struct vxb_any_recipe *out, struct vxb_error *err);
/* Frees what out received. */
void vxb_any_recipe_clear(struct vxb_any_recipe *recipe);

#ifdef __cplusplus
}
#endif

#endif
