/* A plan's terrain on a device: what the kernels sample, uploaded once. */
#include "device_terrain.h"

#include <string.h>

#include "candidate.h"

enum { HEIGHTS, HOLES, EXCLUDE, SCALE, LAYERS };

/* Every kernel argument needs a buffer: where there is no map, the heights stand in, and nobody reads them. */
static enum vxb_status upload(struct vxbi_device_terrain *on, size_t which, const void *data, uint64_t bytes,
                              struct vxb_error *err)
{
    if (data)
        return vxbi_buffer_new(on->device, bytes, data, &on->buffer[which], err);
    on->buffer[which] = on->buffer[HEIGHTS];
    on->borrowed[which] = true;
    return VXB_OK;
}

static enum vxb_status upload_map(struct vxbi_device_terrain *on, size_t which, const struct vxb_map *map,
                                  struct vxb_error *err)
{
    return upload(on, which, map ? map->samples : NULL, map ? (uint64_t)map->width * map->height : 0, err);
}

enum vxb_status vxbi_device_terrain_init(struct vxbi_device_terrain *on, struct vxb_device *device,
                                         const struct vxb_plan *plan, struct vxb_error *err)
{
    const struct vxb_terrain *t = plan->terrain;
    const uint64_t samples = (uint64_t)t->samples_x * t->samples_z;
    memset(on, 0, sizeof *on);
    on->device = device;
    enum vxb_status status = upload(on, HEIGHTS, t->heights, samples * sizeof *t->heights, err);
    if (!status)
        status = upload(on, HOLES, t->holes, (samples + 7) / 8, err);
    if (!status)
        status = upload_map(on, EXCLUDE, &t->exclude, err);
    if (!status)
        status = upload_map(on, SCALE, &t->scale, err);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX && !status; k++) {
        uint32_t same = 0;
        while (same < k && vxbi_layer_map(plan, same) != vxbi_layer_map(plan, k))
            same++;
        if (same == k) {
            status = upload_map(on, LAYERS + k, vxbi_layer_map(plan, k), err);
        } else {
            on->buffer[LAYERS + k] = on->buffer[LAYERS + same];
            on->borrowed[LAYERS + k] = true;
        }
    }
    return status;
}

void vxbi_device_terrain_clear(struct vxbi_device_terrain *on)
{
    for (size_t i = 0; i < VXBI_DEVICE_MAPS && on->device; i++)
        if (!on->borrowed[i])
            vxbi_buffer_free(on->device, on->buffer[i]);
    memset(on, 0, sizeof *on);
}
