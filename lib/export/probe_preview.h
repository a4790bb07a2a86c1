/* Drawing a scene in the light of its field. */
#ifndef VXBI_EXPORT_PROBE_PREVIEW_H
#define VXBI_EXPORT_PROBE_PREVIEW_H

#include "../core/os.h"
#include "../vxbake/fill.h"

/* The scene from straight above, each surface as the field lights it, the sun beside it, as PNG appended to output.
 * field: filled. side: pixels of the longer side, 16..4096; 0: 640. Returns VXB_ERR_USAGE (side), VXB_ERR_CANCELLED,
 * VXB_ERR_MEMORY, or what the output returned. */
enum vxb_status vxbi_probe_draw(const struct vxb_env *env, const struct vxb_probe_field *field,
                                const struct vxb_scene *scene, uint32_t side, struct vxb_output *output,
                                struct vxb_error *err);

#endif
