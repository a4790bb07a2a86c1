/* The sky's map from a Radiance picture: exposure undone, intensity put in, every texel finite. */
#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/hash.h"
#include "../core/text.h"
#include "../image/hdr.h"
#include "sky_map.h"

struct sky_map {
    struct vxb_sky_map view; /* first: what the caller holds */
    struct vxb_allocator allocator;
    float *texels;
};

static uint64_t floats_of(const struct vxb_sky_map *map)
{
    return 3 * (uint64_t)map->width * map->height;
}

void vxb_sky_map_free(struct vxb_sky_map *map)
{
    if (!map)
        return;
    struct sky_map *m = (struct sky_map *)map;
    const struct vxb_allocator allocator = m->allocator;
    vxbi_delete(&allocator, m->texels, floats_of(map), sizeof *m->texels);
    vxbi_delete(&allocator, m, 1, sizeof *m);
}

/* A texel's value may go with intensity over exposure beyond what a float holds. */
static enum vxb_status scale_texels(struct sky_map *map, double factor, struct vxb_error *err)
{
    const uint64_t count = floats_of(&map->view);
    for (uint64_t i = 0; i < count; i++) {
        const float scaled = (float)((double)map->texels[i] * factor);
        if (!isfinite(scaled)) {
            char text[2][VXB_TEXT_NUMBER_ROOM];
            const uint64_t texel = i / 3;
            return vxbi_fail(err, VXB_ERR_DATA,
                             "texel (%" PRIu64 ", %" PRIu64 ") is %s, and with exposure and intensity, a factor of %s, "
                             "more than a number holds: lower \"intensity\"",
                             texel % map->view.width, texel / map->view.width, vxb_text_f32(map->texels[i], text[0]),
                             vxb_text_f64(factor, text[1]));
        }
        map->texels[i] = scaled;
    }
    return VXB_OK;
}

static enum vxb_status decode(const struct vxbi_source *source, const struct vxbi_bytes *file, float intensity,
                              struct sky_map *map, struct vxb_error *err)
{
    struct vxbi_hdr hdr;
    enum vxb_status status = vxbi_hdr_header(source, file, &hdr, err);
    if (status)
        return status;
    const uint64_t floats = 3 * (uint64_t)hdr.width * hdr.height;
    if (floats * sizeof(float) > vxbi_max_memory(source->env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(source->env),
                                    "the picture's %" PRIu32 " x %" PRIu32 " texels take %" PRIu64 " bytes", hdr.width,
                                    hdr.height, floats * sizeof(float));
    map->texels = vxbi_new(&source->allocator, floats, sizeof *map->texels);
    if (!map->texels)
        return vxbi_fail_memory(err, floats * sizeof(float));
    map->view.width = hdr.width;
    map->view.height = hdr.height;
    map->view.texels = map->texels;
    map->view.file_hash = vxbi_hash(file->data, file->size);
    status = vxbi_hdr_texels(source, file, &hdr, map->texels, err);
    return status ? status : scale_texels(map, (double)intensity / hdr.exposure, err);
}

enum vxb_status vxbi_sky_map_from_bytes(const struct vxb_env *env, const char *path, const struct vxbi_bytes *file,
                                        float intensity, struct vxb_sky_map **out, struct vxb_error *err)
{
    const struct vxbi_source source = {.env = env, .allocator = vxbi_allocator(env), .path = path};
    struct sky_map *map = vxbi_new_zero(&source.allocator, 1, sizeof *map);
    if (!map)
        return vxbi_fail_memory(err, sizeof *map);
    map->allocator = source.allocator;
    const enum vxb_status status = decode(&source, file, intensity, map, err);
    if (status)
        vxb_sky_map_free(&map->view);
    else
        *out = &map->view;
    return status;
}

enum vxb_status vxb_sky_map_load(const struct vxb_env *env, const char *path, float intensity,
                                 struct vxb_sky_map **out, struct vxb_error *err)
{
    struct vxbi_bytes file = {0};
    char text[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status && !(intensity >= 0.0f && isfinite(intensity)))
        status = vxbi_fail(err, VXB_ERR_USAGE, "\"intensity\" is %s; it must be 0 or more, and finite",
                           vxb_text_f32(intensity, text));
    if (!status)
        status = vxbi_read_image_file(env, path, NULL, &file, err);
    if (!status)
        status = vxbi_sky_map_from_bytes(env, path, &file, intensity, out, err);
    vxbi_bytes_clear(&file);
    return status ? vxbi_error_in(err, status, path, NULL) : VXB_OK;
}
