/* Drawing the levels of a depth pyramid. */
#ifndef VXBI_EXPORT_PYRAMID_PREVIEW_H
#define VXBI_EXPORT_PYRAMID_PREVIEW_H

#include "../core/os.h"
#include "../vxbake/pyramid.h"

/* What vxb_pyramid_preview() draws, appended to output. */
enum vxb_status vxbi_pyramid_draw(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                  struct vxb_output *output, struct vxb_error *err);

#endif
