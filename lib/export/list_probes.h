/* The lists of an irradiance field. */
#ifndef VXBI_EXPORT_LIST_PROBES_H
#define VXBI_EXPORT_LIST_PROBES_H

#include "table.h"

/* Those of options->views, which are all of such a file. Returns what vxb_probe_file_field() does. */
enum vxb_status vxbi_list_probes(struct vxbi_listing *l, const struct vxb_env *env, const struct vxb_probe_file *file,
                                 const struct vxb_list_options *options, struct vxb_error *err);

#endif
