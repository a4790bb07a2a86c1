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

/* The first bytes of an open file, which VXBI_STREAM_START are room for, fewer only where it ends there. */
enum vxb_status vxbi_baked_start(const struct vxbi_file *file, uint8_t *start, size_t *size, struct vxb_error *err);

/* What a file is that begins as none: "this is JSON, such as a recipe: WANTED", or how it begins. */
void vxbi_baked_describe(char *out, size_t room, const uint8_t *start, size_t size, const char *wanted);

#endif
