/* What a bake's inputs are called: the ids of species, materials, profiles, and of the bake itself. What decides a byte
 * of the output is in the bake id; nothing else is. Source: vxbake-recipe(5), "Identities"; vxbake-format(5), "Bake
 * id". */
#ifndef VXBI_GRASS_IDENTITY_H
#define VXBI_GRASS_IDENTITY_H

#include "../vxbake/bake.h"

/* XXH3-64 of a name's bytes. */
uint64_t vxbi_name_id(const char *name);

/* Hash of all that is said of a species, its parts included. */
uint64_t vxbi_profile_id(const struct vxb_recipe_species *species, uint64_t id, uint32_t parts);

/* Hash of all that decides the bake's bytes. The plan is complete but for its bake_id; inexact: header flag bit 2. */
uint64_t vxbi_bake_id(const struct vxb_plan *plan, bool inexact);

#endif
