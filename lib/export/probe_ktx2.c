/* The volumes of a probe field as KTX2: texels are taken from the pool as the writer asks for them, so that no volume
 * exists twice. */
#include "probes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/text.h"
#include "../ktx2/ktx2.h"
#include "../probes/field.h"
#include "sink.h"

const char *vxbi_probe_volume_name(enum vxbi_probe_volume volume)
{
    static const char *const names[VXBI_PROBE_VOLUMES] = {"l00", "l1m1", "l10", "l11", "indirection"};
    return names[volume];
}

struct volume {
    const struct vxb_probe_field *field;
    enum vxbi_probe_volume volume;
    bool half;
    const struct vxb_sink *sink;
};

/* ---- texels ---- */

static void get_rgba(const struct vxb_probe *probe, enum vxbi_probe_volume volume, float rgba[4])
{
    const float *const of[4] = {probe->l00, probe->l1m1, probe->l10, probe->l11};
    memcpy(rgba, of[volume], 3 * sizeof *rgba);
    rgba[3] = volume == VXBI_PROBE_L00 ? probe->validity : volume == VXBI_PROBE_L1M1 ? probe->sun_shadow : 0.0f;
}

static enum vxb_status get_halves(const float rgba[4], uint64_t texel, uint16_t out[4], struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int c = 0; c < 4; c++) {
        if (!(fabsf(rgba[c]) <= VXBI_F16_MAX))
            return vxbi_fail(err, VXB_ERR_DATA,
                             "texel %" PRIu64 " of the pool holds %s; binary16 ends at 65504: bake it as f32", texel,
                             vxb_text_f32(rgba[c], text));
        out[c] = vxbi_f16_code(rgba[c]);
    }
    return VXB_OK;
}

static enum vxb_status get_texels(void *user, uint32_t level, uint64_t from, void *out, size_t count,
                                  struct vxb_error *err)
{
    const struct volume *v = user;
    uint8_t *bytes = out;
    const size_t texel_bytes = v->half ? 8 : 16;
    (void)level;
    if (v->volume == VXBI_PROBE_INDIRECTION) {
        memcpy(out, (const uint8_t *)vxb_probe_field_indirection(v->field) + from, count);
        return VXB_OK;
    }
    const struct vxb_probe *texels = vxb_probe_pool_texels(vxb_probe_field_pool(v->field));
    for (uint64_t texel = from / texel_bytes; count; texel++, count -= texel_bytes, bytes += texel_bytes) {
        float rgba[4];
        uint16_t halves[4];
        get_rgba(&texels[texel], v->volume, rgba);
        enum vxb_status status = v->half ? get_halves(rgba, texel, halves, err) : VXB_OK;
        if (status)
            return status;
        memcpy(bytes, v->half ? (const void *)halves : (const void *)rgba, texel_bytes);
    }
    return VXB_OK;
}

static enum vxb_status put_bytes(void *user, const void *data, size_t size, struct vxb_error *err)
{
    const struct volume *v = user;
    return v->sink->write(v->sink->user, data, size) ? VXB_OK : vxbi_sink_failed(err);
}

/* ---- the file ---- */

enum { TEXT_ROOM = 6 * VXB_TEXT_NUMBER_ROOM };

static void numbers_text(char *text, const uint32_t numbers[3])
{
    snprintf(text, TEXT_ROOM, "%" PRIu32 " %" PRIu32 " %" PRIu32, numbers[0], numbers[1], numbers[2]);
}

static void bounds_text(char *text, const struct vxb_probe_region *bounds)
{
    char n[6][VXB_TEXT_NUMBER_ROOM];
    for (int a = 0; a < 3; a++) {
        vxb_text_f32(bounds->min[a], n[a]);
        vxb_text_f32(bounds->max[a], n[3 + a]);
    }
    snprintf(text, TEXT_ROOM, "%s %s %s %s %s %s", n[0], n[1], n[2], n[3], n[4], n[5]);
}

static struct vxbi_ktx2_value text_value(const char *key, const char *text)
{
    return (struct vxbi_ktx2_value){key, text, (uint32_t)strlen(text) + 1};
}

static enum vxb_status check_sides(const uint32_t sides[3], struct vxb_error *err)
{
    for (int a = 0; a < 3; a++)
        if (sides[a] > VXBI_KTX2_SIDE_MAX)
            return vxbi_fail(err, VXB_ERR_LIMIT,
                             "the pool is %" PRIu32 " texels along %c; a KTX2 volume may have 32768: bake it with "
                             "slots nearer to a cube", sides[a], "xyz"[a]);
    return VXB_OK;
}

enum vxb_status vxbi_probe_ktx2_write(const struct vxb_env *env, const struct vxb_probe_field *field,
                                      enum vxbi_probe_volume volume, bool half, const struct vxb_sink *sink,
                                      struct vxb_error *err)
{
    static const char *const holds[VXBI_PROBE_VOLUMES] = {"L00, validity", "L1-1, sun shadow", "L10, 0", "L11, 0",
                                                          "slot, size"};
    const bool indirection = volume == VXBI_PROBE_INDIRECTION;
    struct volume from = {field, volume, half && !indirection, sink};
    uint32_t sides[3], cells[3], slots[3];
    char bounds_at[TEXT_ROOM], cells_at[TEXT_ROOM], slots_at[TEXT_ROOM];
    enum vxb_status status = vxbi_probe_placed(field, err);
    if (status)
        return status;
    vxb_probe_field_cells(field, cells);
    vxb_probe_pool_slots(vxb_probe_field_pool(field), slots);
    vxb_probe_pool_texel_resolution(vxb_probe_field_pool(field), sides);
    if (indirection)
        memcpy(sides, cells, sizeof sides);
    status = check_sides(sides, err);
    if (status)
        return status;
    bounds_text(bounds_at, vxb_probe_field_bounds(field));
    numbers_text(cells_at, cells);
    numbers_text(slots_at, slots);
    const struct vxbi_ktx2_value values[] = {
        text_value("KTXwriter", VXBI_KTX2_WRITER), text_value("vxbake.bounds", bounds_at),
        text_value("vxbake.cells", cells_at), text_value("vxbake.slots", slots_at),
        text_value("vxbake.volume", holds[volume])};
    const uint32_t vk = indirection ? VXBI_KTX2_R32G32_UINT
                        : half      ? VXBI_KTX2_R16G16B16A16_SFLOAT
                                    : VXBI_KTX2_R32G32B32A32_SFLOAT;
    const struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(vk),
                                        .width = sides[0],
                                        .height = sides[1],
                                        .depth = sides[2],
                                        .faces = 1,
                                        .levels = 1,
                                        .values = values,
                                        .value_count = sizeof values / sizeof *values};
    const struct vxbi_ktx2_texels texels = {&from, get_texels};
    return vxbi_ktx2_write_from(env, &desc, &texels, &(struct vxbi_ktx2_sink){&from, put_bytes}, err);
}
