/* Checking one grass file whole: header and tables by the reader, then every chunk's data on all threads, then what
 * only all of it together can tell. */
#ifndef VXBI_VERIFY_GRASS_H
#define VXBI_VERIFY_GRASS_H

#include "../grass/read.h"
#include "fold.h"

/* Opens path, or source where path is NULL, into *grass (the caller closes it, also where its content is bad) and
 * checks everything; findings go to fold, what was looked at to coverage. Returns VXB_ERR_IO, VXB_ERR_LIMIT (a chunk
 * that does not fit max_memory_bytes), VXB_ERR_MEMORY, VXB_ERR_CANCELLED; then *grass is NULL. */
enum vxb_status vxbi_verify_grass(const struct vxb_env *env, const char *path, const struct vxb_source *source,
                                  struct vxb_grass **grass, struct vxbi_fold *fold,
                                  struct vxb_verify_coverage *coverage, struct vxb_error *err);

/* The same at a level, with a grass that was made, which it takes. */
enum vxb_status vxbi_verify_opened(const struct vxb_env *env, struct vxb_grass *grass, enum vxb_verify_level level,
                                   struct vxb_grass **out, struct vxbi_fold *fold,
                                   struct vxb_verify_coverage *coverage, struct vxb_error *err);

#endif
