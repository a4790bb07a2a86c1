/* Telling baked files apart, in one place: by how they begin. */
#ifndef VXBI_BAKED_H
#define VXBI_BAKED_H

#include "core/os.h"
#include "vxbake/file.h"

/* Opens a file that may be of any kind; of a stream no more is read where it begins as none. What begins as none is
 * left to the grass reader (VXB_FILE_GRASS), whose findings say how it begins.
 * Returns VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxbi_baked_open(const struct vxb_env *env, const char *path, struct vxbi_file **out,
                                enum vxb_file_kind *kind, struct vxb_error *err);

/* vxb_file_open(), but that the error of what is of no kind says what it is instead and ends with wanted, which says
 * what is done with which kinds: "grass files are compared". */
enum vxb_status vxbi_baked_read(const struct vxb_env *env, const char *path, const char *wanted, struct vxb_file *out,
                                struct vxb_error *err);

#endif
