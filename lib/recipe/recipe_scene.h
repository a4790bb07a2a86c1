/* The scene of an irradiance field's recipe. Each function fits struct vxbi_field's read. */
#ifndef VXBI_RECIPE_RECIPE_SCENE_H
#define VXBI_RECIPE_RECIPE_SCENE_H

#include "recipe_read.h"

/* Of whatever has none of its own. */
#define VXBI_DEFAULT_ALBEDO 0.2f

/* out: struct vxb_probe_recipe. */
bool vxbi_read_lit_terrain(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                           void *out);
bool vxbi_read_shapes(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);
bool vxbi_read_sun(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);
/* out: struct vxb_recipe_sky. */
bool vxbi_read_sky(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);

/* Fills inputs and input_count. */
bool vxbi_list_probe_inputs(struct vxbi_check *check, struct vxb_probe_recipe *recipe);

#endif
