/* A baked file of whatever kind its content says it is. */
#ifndef VXBAKE_FILE_H
#define VXBAKE_FILE_H

#include "grass.h"
#include "texture.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_file_kind { VXB_FILE_GRASS, VXB_FILE_TEXTURE };

/* What was opened; the other pointer is NULL. */
struct vxb_file {
    enum vxb_file_kind kind;
    struct vxb_grass *grass;
    struct vxb_texture *texture;
};

/* Opens a file, once, and tells its kind by how it begins: what begins as no KTX2 file does is opened as a grass file.
 * Returns what vxb_grass_open() and vxb_texture_open() do. The caller clears out with vxb_file_close(). */
enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err);
void vxb_file_close(struct vxb_file *file);

#ifdef __cplusplus
}
#endif

#endif
