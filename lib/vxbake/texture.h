/* KTX2 files: what one says of itself, whatever is in it. Source: vxbake-ktx2(5). */
#ifndef VXBAKE_TEXTURE_H
#define VXBAKE_TEXTURE_H

#include "base.h"
#include "pyramid.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_TEXTURE_LEVELS_MAX 16

struct vxb_texture_level {
    uint32_t width, height, depth; /* at least 1 */
    uint64_t offset, bytes;        /* of its texels in the file */
};

/* One key of a file. */
struct vxb_texture_value {
    const char *key;    /* UTF-8 */
    const char *text;   /* the value where it is terminated UTF-8, else NULL */
    uint32_t bytes;     /* of the value, its terminator counted */
};

/* Fields are the header's: height 0 is a 1D texture, depth 0 no 3D one, layers 0 no array. */
struct vxb_texture_info {
    const char *format;   /* "R32_SFLOAT" */
    uint32_t vk_format;
    uint32_t width, height, depth, layers, faces, level_count;
    uint64_t file_bytes;
    struct vxb_texture_level levels[VXB_TEXTURE_LEVELS_MAX];
    const struct vxb_texture_value *values; /* in ascending order of their keys' bytes */
    uint32_t value_count;
};

struct vxb_texture;

/* Opens a KTX2 file and checks all of it but its texels, of which none is read.
 * path: "-" is standard input, read to its end.
 * Returns VXB_ERR_IO, VXB_ERR_FORMAT (no KTX2 file), VXB_ERR_UNSUPPORTED (another format, supercompressed),
 * VXB_ERR_DATA with the finding and the byte offset, VXB_ERR_LIMIT, VXB_ERR_MEMORY.
 * The caller closes it with vxb_texture_close(). */
enum vxb_status vxb_texture_open(const struct vxb_env *env, const char *path, struct vxb_texture **out,
                                 struct vxb_error *err);
void vxb_texture_close(struct vxb_texture *texture); /* NULL is allowed */

/* Whether a file is a KTX2 texture of another kind: of a format or shape that no depth pyramid has, and not said by its
 * KTXwriter to be one of vxbake's; what vxbake writes of an irradiance field is another kind, too. False for what can't
 * be read, is no KTX2 file, or is damaged so far that it does not say. */
bool vxb_texture_is_other(const struct vxb_env *env, const char *path);

/* Belongs to the texture. */
const struct vxb_texture_info *vxb_texture_info(const struct vxb_texture *texture);

/* Reads it as a depth pyramid, as vxb_pyramid_load() does. */
enum vxb_status vxb_texture_pyramid(const struct vxb_env *env, const struct vxb_texture *texture,
                                    struct vxb_pyramid **out, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
