/* Checking one irradiance field whole: header and tables by the reader, every texel of its planes, then what only the
 * field can tell: borders and seams. */
#ifndef VXBI_VERIFY_PROBES_H
#define VXBI_VERIFY_PROBES_H

#include "../probes/read.h"
#include "fold.h"

/* Checks a file at a level. Findings go to fold, what was looked at to coverage.
 * out: the file, which the caller closes. field: what it holds, where the level is full and planes could be read, else
 * NULL; the caller frees it. Returns VXB_ERR_IO, VXB_ERR_LIMIT (a pool that does not fit max_memory_bytes),
 * VXB_ERR_MEMORY, VXB_ERR_CANCELLED; then both are NULL. */
enum vxb_status vxbi_verify_probes(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                   enum vxb_verify_level level, struct vxbi_fold *fold,
                                   struct vxb_verify_coverage *coverage, struct vxb_probe_file **out,
                                   struct vxb_probe_field **field, struct vxb_error *err);

/* probe_seams.c: samples on every boundary of two bricks of one size, from either side; field has the file's texels. */
enum vxb_status vxbi_verify_seams(const struct vxb_env *env, const struct vxb_probe_field *field,
                                  struct vxbi_collect *collect, struct vxb_error *err);

#endif
