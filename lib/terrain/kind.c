/* Telling kinds of terrain files apart by name, and the sizes a terrain may have. */
#include <inttypes.h>
#include <string.h>

#include "ground.h"

bool vxbi_kind_of_name(const char *path, enum vxb_terrain_kind *out)
{
    static const struct {
        const char *ending;
        enum vxb_terrain_kind kind;
    } kinds[] = {
        {".pfm", VXB_TERRAIN_PFM}, {".png", VXB_TERRAIN_PNG}, {".r16", VXB_TERRAIN_RAW},
        {".r32", VXB_TERRAIN_RAW}, {".raw", VXB_TERRAIN_RAW}, {".vxterrain", VXB_TERRAIN_VXTERRAIN},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (vxbi_ends_with(path, kinds[i].ending)) {
            *out = kinds[i].kind;
            return true;
        }
    return false;
}

enum vxb_sample vxbi_raw_sample(const struct vxb_terrain_desc *desc)
{
    if (desc->sample != VXB_SAMPLE_AUTO)
        return desc->sample;
    return vxbi_ends_with(desc->path, ".r32") ? VXB_SAMPLE_F32 : VXB_SAMPLE_U16;
}

struct vxbi_raw vxbi_raw_of(const struct vxb_terrain_desc *desc)
{
    return (struct vxbi_raw){.path = desc->path, .width = desc->width, .height = desc->height,
                             .sample_bytes = vxbi_raw_sample(desc) == VXB_SAMPLE_F32 ? 4 : 2, .either = true,
                             .side_min = VXBI_TERRAIN_SIDE_MIN};
}

enum vxb_status vxbi_check_terrain_size(uint32_t width, uint32_t height, struct vxb_error *err)
{
    if (width < VXBI_TERRAIN_SIDE_MIN || height < VXBI_TERRAIN_SIDE_MIN || width > VXBI_TERRAIN_SIDE_MAX ||
        height > VXBI_TERRAIN_SIDE_MAX || (uint64_t)width * height > VXBI_TERRAIN_SAMPLES_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the terrain has %" PRIu32 " x %" PRIu32
                         " samples; a side has %u to %u, and all at most %" PRIu64,
                         width, height, VXBI_TERRAIN_SIDE_MIN, VXBI_TERRAIN_SIDE_MAX, VXBI_TERRAIN_SAMPLES_MAX);
    return VXB_OK;
}
