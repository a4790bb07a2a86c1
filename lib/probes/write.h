/* The .vxp writer, to an output or to nowhere: then only sizes, hashes and identities come of it. */
#ifndef VXBI_PROBES_WRITE_H
#define VXBI_PROBES_WRITE_H

#include "../core/os.h"
#include "format.h"

/* header: receives what was written. output: NULL: nowhere. */
enum vxb_status vxbi_probe_write(const struct vxb_env *env, const struct vxb_probe_field *field,
                                 const struct vxb_probe_save_options *options, struct vxb_output *output,
                                 struct vxb_probe_header *header, struct vxb_error *err);

#endif
