/* Overrides from outside: values put into a recipe's tree before it is checked. */
#ifndef VXBI_RECIPE_SET_H
#define VXBI_RECIPE_SET_H

#include "../vxbake/recipe.h"
#include "json_check.h"

/* Applies one override to the tree; a fault is reported through check. False where there was one. */
bool vxbi_recipe_apply_set(struct vxbi_check *check, struct vxbi_json *root, const struct vxb_recipe_set *set);

#endif
