/* What a bake read, as a Make rule: for make's include, ninja's depfile and what else reads gcc's. */
#ifndef VXBI_EXPORT_DEPFILE_H
#define VXBI_EXPORT_DEPFILE_H

#include "../core/os.h"

/* Whether make can be told of the target and all that the recipe reads; else VXB_ERR_REFUSED. */
enum vxb_status vxbi_depfile_check(const char *target, const char *recipe, const char *const *inputs,
                                   uint32_t input_count, struct vxb_error *err);

/* Appends one rule, the target exactly as given and the recipe, rules and maps as prerequisites, and an empty rule for
 * each of them (so that a deleted file is no error). recipe NULL: it is no file. The names were
 * checked. */
enum vxb_status vxbi_depfile_write(const char *target, const char *recipe, const char *const *inputs,
                                   uint32_t input_count, struct vxb_output *output, struct vxb_error *err);

#endif
