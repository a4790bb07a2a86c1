/* The parts of a recipe, each read by its own file. Every function fits struct vxbi_field's read: it takes the value
 * that stands at `at`, fills the struct at out, reports each fault through check, and returns whether there was
 * none. */
#ifndef VXBI_RECIPE_RECIPE_READ_H
#define VXBI_RECIPE_RECIPE_READ_H

#include "../core/limits.h"
#include "../vxbake/recipe.h"
#include "json_check.h"

/* Limits that more than one part states; metres, radians. */
#define VXBI_DISTANCE_MAX 1e9
#define VXBI_DENSITY_MAX ((double)VXBI_SIDE_MAX * VXBI_SIDE_MAX) /* a square metre: all of the smallest cell */
#define VXBI_SLOPE_MAX 1.5708

/* out: struct vxb_terrain_desc, with its defaults set. */
bool vxbi_read_terrain(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);

/* The table of its keys, for a kind of recipe whose terrain has more of them; and what must hold between them. */
#define VXBI_TERRAIN_KEYS 14
extern const struct vxbi_field vxbi_terrain_fields[VXBI_TERRAIN_KEYS];
bool vxbi_check_terrain(struct vxbi_check *check, const struct vxbi_at *at, struct vxb_terrain_desc *desc,
                        const struct vxbi_seen *seen);

/* Adds a path to the inputs of a recipe unless it is there already (NULL: none), and all that a terrain reads: its
 * layers and VXBI_TERRAIN_INPUTS more at most. */
#define VXBI_TERRAIN_INPUTS 4u
void vxbi_add_input(const char **inputs, uint32_t *count, const char *path);
void vxbi_add_terrain_inputs(const char **inputs, uint32_t *count, const struct vxb_terrain_desc *terrain);

/* out: struct vxb_recipe; fills species and species_count, rules merged in. */
bool vxbi_read_species(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);

/* A recipe of one kind, its kind and version checked already, from its tree; defaults are set here. */
bool vxbi_read_grass(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_recipe *recipe);
bool vxbi_read_probes(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_probe_recipe *recipe);
bool vxbi_read_pyramid(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_pyramid_recipe *recipe);

/* For "kind" and "version", which decide, before all else is read, whether the rest can be understood. */
bool vxbi_pass_over(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);

/* The density of a species whose rule and recipe name none. */
#define VXBI_DEFAULT_DENSITY 16.0f

/* Whether high is at least low, else a fault at `at` that names both. */
bool vxbi_check_order(struct vxbi_check *check, const struct vxbi_at *at, const char *low_name, float low,
                      const char *high_name, float high);

#endif
