/* Fuzz target of the Radiance reader, as a sky's map. The first byte is the intensity, 2^(it - 128). */
#include <math.h>
#include <stdlib.h>

#include "probes/sky_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 20};
    struct vxb_sky_map *map = NULL;
    struct vxb_error err = {0};
    if (size < 1)
        return 0;
    const struct vxbi_bytes file = {.data = (uint8_t *)(uintptr_t)(data + 1), .size = size - 1};
    if (vxbi_sky_map_from_bytes(&env, "sky.hdr", &file, ldexpf(1.0f, data[0] - 128), &map, &err)) {
        if (!err.status || !err.message[0] || map)
            abort();
        return 0;
    }
    for (uint64_t i = 0; i < 3 * (uint64_t)map->width * map->height; i++)
        if (!isfinite(map->texels[i]) || map->texels[i] < 0.0f)
            abort();
    vxb_sky_map_free(map);
    return 0;
}
