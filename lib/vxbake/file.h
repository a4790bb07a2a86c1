/* A baked file of whatever kind its content says it is. */
#ifndef VXBAKE_FILE_H
#define VXBAKE_FILE_H

#include "grass.h"
#include "probe_file.h"
#include "texture.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_file_kind { VXB_FILE_GRASS, VXB_FILE_TEXTURE, VXB_FILE_PROBES };

/* What was opened; the other pointers are NULL. */
struct vxb_file {
    enum vxb_file_kind kind;
    struct vxb_grass *grass;
    struct vxb_texture *texture;
    struct vxb_probe_file *probes;
};

/* Opens a file, once, and tells its kind by how it begins: what begins neither as KTX2 files nor as irradiance
 * fields do is opened as a grass file.
 * Returns what vxb_grass_open(), vxb_texture_open() and vxb_probe_file_open() do. The caller clears out with
 * vxb_file_close(). */
enum vxb_status vxb_file_open(const struct vxb_env *env, const char *path, struct vxb_file *out, struct vxb_error *err);
void vxb_file_close(struct vxb_file *file);

#ifdef __cplusplus
}
#endif

#endif
