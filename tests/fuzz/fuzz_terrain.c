/* Fuzz target of the terrain readers. Four bytes say how the rest is read: which reader; turning, byte order and the
 * like; width and height (of raw samples, and of pixels that are wrapped into a PNG here, since no fuzzer finds a
 * checksum). */
#include <stdlib.h>
#include <string.h>

#include "../make_files.h"
#include "terrain/ground.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum reader { PNG_HEIGHTS, RAW_U16, RAW_F32, PFM, VXTERRAIN, PNG_MAP, WRAPPED_HEIGHTS, WRAPPED_MAP, READERS };

#define FLAG_FLIP 3u
#define FLAG_TRANSPOSE 4u
#define FLAG_BIG 8u    /* raw */
#define FLAG_RANGE 16u
#define FLAG_REPAIR 32u /* make the CRCs of a PNG right */
#define FLAG_INTERLACED 64u /* wrapped */

static volatile uint64_t sink;

static void look_at(const void *data, uint64_t size)
{
    const uint8_t *p = data;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < size; i++)
        sum += p[i];
    sink += sum;
}

static void wrap_pixels(const uint8_t head[4], const uint8_t *data, size_t size, struct made *out)
{
    static const unsigned colours[4] = {0, 4, 2, 6};
    made_png_wrapped(out, (head[2] & 63u) + 1, (head[3] & 63u) + 1, head[2] & 64 ? 16 : 8, colours[head[3] >> 6],
                     (head[1] & FLAG_INTERLACED) != 0, data, size);
}

static void read_terrain(const struct vxb_env *env, enum reader reader, const uint8_t head[4], struct vxbi_bytes *file)
{
    static const char *const names[READERS] = {"a.png", "a.r16", "a.r32", "a.pfm", "a.vxterrain", NULL, "a.png", NULL};
    bool raw = reader == RAW_U16 || reader == RAW_F32;
    struct vxb_terrain_desc desc = {.path = names[reader], .flip = (enum vxb_flip)(head[1] & FLAG_FLIP),
                                    .transpose = (head[1] & FLAG_TRANSPOSE) != 0, .allow_8bit = true};
    struct vxb_terrain *terrain;
    struct vxb_error err = {0};
    if (reader != VXTERRAIN) {
        desc.has_metres_per_quad = true;
        desc.metres_per_quad = 1;
        desc.has_range = (head[1] & FLAG_RANGE) != 0 || !(reader == RAW_F32 || reader == PFM);
        desc.range_min = -100;
        desc.range_max = 100;
    }
    if (raw) {
        desc.width = head[2];
        desc.height = head[3];
        desc.order = head[1] & FLAG_BIG ? VXB_ORDER_BIG : VXB_ORDER_LITTLE;
    }
    if (vxbi_terrain_from_bytes(env, &desc, file, &terrain, &err)) {
        if (!err.status || !err.message[0])
            abort();
        return;
    }
    uint64_t count = (uint64_t)terrain->samples_x * terrain->samples_z;
    if (terrain->samples_x < 2 || terrain->samples_z < 2 || !(terrain->min_height <= terrain->max_height))
        abort();
    look_at(terrain->heights, count * 2);
    if (terrain->holes)
        look_at(terrain->holes, vxbi_hole_bytes(count));
    for (uint32_t i = 0; i < terrain->layer_count; i++) {
        if (vxb_terrain_layer(terrain, terrain->layers[i].name) != &terrain->layers[i])
            abort();
        look_at(terrain->layers[i].map.samples, count);
    }
    vxb_terrain_free(terrain);
}

static void read_map(const struct vxb_env *env, const uint8_t head[4], struct vxbi_bytes *file)
{
    struct vxbi_raster raster;
    struct vxb_error err = {0};
    if (vxbi_map_from_bytes(env, "map.png", (enum vxb_channel)(head[1] % 5), file, &raster, &err)) {
        if (!err.status || !err.message[0])
            abort();
        return;
    }
    uint64_t count = (uint64_t)raster.width * raster.height;
    struct vxb_allocator allocator = vxbi_allocator(env);
    look_at(raster.samples, count);
    vxbi_delete(&allocator, raster.samples, count, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 20};
    struct made made = {0};
    if (size < 5)
        return 0;
    enum reader reader = (enum reader)(data[0] % READERS);
    if (reader == WRAPPED_HEIGHTS || reader == WRAPPED_MAP)
        wrap_pixels(data, data + 4, size - 4, &made);
    else if ((reader == PNG_HEIGHTS || reader == PNG_MAP) && (data[1] & FLAG_REPAIR))
        made_png_repaired(&made, data + 4, size - 4);
    else
        made_put(&made, data + 4, size - 4);
    struct vxbi_bytes file = {.allocator = vxbi_allocator(&env), .size = made.size, .room = made.size};
    file.data = vxbi_new(&file.allocator, made.size, 1);
    if (!file.data)
        abort();
    memcpy(file.data, made.data, made.size);
    made_free(&made);
    if (reader == PNG_MAP || reader == WRAPPED_MAP)
        read_map(&env, data, &file);
    else
        read_terrain(&env, reader, data, &file);
    return 0;
}
