/* The side file of runtime records. */
#ifndef VXBI_EXPORT_JSON_RUNTIME_H
#define VXBI_EXPORT_JSON_RUNTIME_H

#include "../vxbake/export.h"

/* Sections with their LODs, passes and ranges, and the chunks, as JSON (schemas/runtime.schema.json). */
enum vxb_status vxbi_runtime_json(const struct vxb_grass *grass, const double origin[3], bool stomp,
                                  const struct vxb_sink *sink, struct vxb_error *err);

#endif
