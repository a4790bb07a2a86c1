/* What verify compares a file with beside itself. Each adds its findings to collect and returns only what kept it from
 * comparing. The file's tables are known (VXBI_GRASS_SECTIONS). */
#ifndef VXBI_VERIFY_BAKE_H
#define VXBI_VERIFY_BAKE_H

#include "vxbake/bake.h"
#include "verify/grass.h"

/* Whether the file can be the bake of any recipe by this version: not partial, the same bake revision. */
bool vxbi_verify_comparable(const struct vxb_grass *grass, struct vxbi_collect *collect);

/* verify_recipe.c: identities against the plan of a recipe. */
void vxbi_verify_recipe(const struct vxb_grass *grass, const struct vxb_plan *plan, struct vxbi_collect *collect);

/* verify_rebake.c: bakes the plan to nowhere and compares header, sections, chunks and every record. The file has no
 * errors of its own. */
enum vxb_status vxbi_verify_rebake(const struct vxb_env *env, const struct vxb_grass *grass,
                                   const struct vxb_plan *plan, struct vxbi_collect *collect, struct vxb_error *err);

/* verify_ledger.c: the JSON report of a bake, its sums and what it says of the file. Returns VXB_ERR_DATA for what is no
 * such report, VXB_ERR_IO. */
enum vxb_status vxbi_verify_ledger(const struct vxb_env *env, const struct vxb_grass *grass, const char *path,
                                   struct vxbi_collect *collect, struct vxb_error *err);

#endif
