/* The lists of an irradiance field. */
#ifndef VXBI_EXPORT_LIST_PROBES_H
#define VXBI_EXPORT_LIST_PROBES_H

#include "table.h"

/* selection.c: whether a range names any of the count things that what is; from 0 to no end it may be none.
 * VXB_ERR_USAGE where it does not. */
enum vxb_status vxbi_check_range(const char *what, uint32_t first, uint32_t last, uint64_t count,
                                 struct vxb_error *err);

/* Those of options->views, which are all of such a file. Returns what vxb_probe_file_field() does. */
enum vxb_status vxbi_list_probes(struct vxbi_listing *l, const struct vxb_env *env, const struct vxb_probe_file *file,
                                 const struct vxb_list_options *options, struct vxb_error *err);

#endif
