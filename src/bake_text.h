/* The plan and the report of a bake, as text for people. The JSON of the library says the same. */
#ifndef SRC_BAKE_TEXT_H
#define SRC_BAKE_TEXT_H

#include "cli.h"

/* What bake --dry-run prints: on standard output. */
void bake_text_plan(const struct vxb_plan *plan);

/* The summary after a bake; name is the output's as given. Goes where cli_summary() goes. */
void bake_text_report(const struct vxb_plan *plan, const struct vxb_bake_report *report, const char *name);

/* The same of a depth pyramid; name NULL: of a dry run, on standard output. */
void bake_text_pyramid(const struct vxb_pyramid_recipe *recipe, const struct vxb_pyramid_report *report,
                       const char *name);

#endif
