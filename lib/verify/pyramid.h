/* Checking one depth pyramid whole: the KTX2 file around it, then every level against the others. */
#ifndef VXBI_VERIFY_PYRAMID_H
#define VXBI_VERIFY_PYRAMID_H

#include "../ktx2/texture.h"
#include "../vxbake/pyramid.h"
#include "fold.h"

/* Checks an open file, which it takes, at a level: only VXB_VERIFY_FULL reads texels, for KTX2 has no hashes. Findings
 * go to fold, what was looked at to coverage.
 * texture: the caller closes it. pyramid: what it holds where that could be read, else NULL; the caller frees it.
 * Returns VXB_ERR_IO, VXB_ERR_LIMIT (a pyramid that does not fit max_memory_bytes), VXB_ERR_MEMORY, VXB_ERR_CANCELLED;
 * then both are NULL. */
enum vxb_status vxbi_verify_pyramid(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                    enum vxb_verify_level level, struct vxbi_fold *fold,
                                    struct vxb_verify_coverage *coverage, struct vxb_texture **texture,
                                    struct vxb_pyramid **pyramid, struct vxb_error *err);

#endif
