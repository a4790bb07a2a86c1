/* The sky's map from bytes, for fuzzing and tests. */
#ifndef VXBI_PROBES_SKY_MAP_H
#define VXBI_PROBES_SKY_MAP_H

#include "../core/os.h"
#include "../vxbake/fill.h"

/* What vxb_sky_map_load() does with a file's bytes; path is for messages. */
enum vxb_status vxbi_sky_map_from_bytes(const struct vxb_env *env, const char *path, const struct vxbi_bytes *file,
                                        float intensity, struct vxb_sky_map **out, struct vxb_error *err);

#endif
