/* Checking one depth pyramid whole: the KTX2 file around it, then every level against the others. */
#ifndef VXBI_VERIFY_PYRAMID_H
#define VXBI_VERIFY_PYRAMID_H

#include "../core/os.h"
#include "fold.h"

/* Checks an open file, which it takes. Findings go to fold, what was looked at to coverage. Returns VXB_ERR_IO,
 * VXB_ERR_LIMIT (a pyramid that does not fit max_memory_bytes), VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxbi_verify_pyramid(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                    struct vxbi_fold *fold, struct vxb_verify_coverage *coverage,
                                    struct vxb_error *err);

#endif
