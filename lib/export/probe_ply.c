/* Probes as points, and the colour in which a probe is shown. */
#include "probes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/text.h"
#include "../probes/field.h"
#include "sink.h"

enum { VERTEX_BYTES = 6 * 4 + 3 + 4 };

struct vxbi_colour vxbi_probe_colour(const struct vxb_probe *probe)
{
    uint8_t rgb[3];
    if (!(probe->validity > 0.0f))
        return (struct vxbi_colour){0xFF, 0x00, 0xFF};
    for (int c = 0; c < 3; c++) {
        double v = (double)probe->l00[c] * (double)VXK_SH_0;
        v = v > 0.0 ? v : 0.0;
        v = v < 1e30 ? v / (1.0 + v) : 1.0;
        rgb[c] = (uint8_t)(255.0 * sqrt(v) + 0.5);
    }
    return (struct vxbi_colour){rgb[0], rgb[1], rgb[2]};
}

void vxbi_probe_place(const struct vxb_probe_field *field, const struct vxb_brick *brick, const uint32_t at[3],
                      double place[3])
{
    for (int a = 0; a < 3; a++) {
        const double quarters = 4 * brick->cell[a] + brick->size * at[a];
        place[a] = (double)field->bounds.min[a] + quarters * (0.25 * (double)field->cell_size[a]);
    }
}

static bool write_header(const struct vxb_sink *sink, const double origin[3], uint64_t count)
{
    char text[512], number[3][VXB_TEXT_NUMBER_ROOM];
    int size = snprintf(text, sizeof text,
                        "ply\nformat binary_little_endian 1.0\ncomment origin %s %s %s\nelement vertex %" PRIu64 "\n"
                        "property float x\nproperty float y\nproperty float z\n"
                        "property float validity\nproperty float sun_shadow\nproperty float spacing\n"
                        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint brick\n"
                        "end_header\n",
                        vxb_text_f64(origin[0], number[0]), vxb_text_f64(origin[1], number[1]),
                        vxb_text_f64(origin[2], number[2]), count);
    return sink->write(sink->user, text, (size_t)size);
}

static void put_brick(struct vxbi_writer *w, const struct vxb_probe_field *field, const double origin[3],
                      uint32_t index)
{
    const struct vxb_brick *brick = &field->table[index];
    for (uint32_t k = 0; k < VXB_BRICK_PROBES; k++) {
        const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
        const struct vxb_probe *probe = vxbi_probe_pool_at(field->pool, brick->slot, at[0], at[1], at[2]);
        const struct vxbi_colour colour = vxbi_probe_colour(probe);
        double place[3];
        vxbi_probe_place(field, brick, at, place);
        for (int a = 0; a < 3; a++)
            vxbi_put_f32(w, (float)(place[a] - origin[a]));
        vxbi_put_f32(w, probe->validity);
        vxbi_put_f32(w, probe->sun_shadow);
        vxbi_put_f32(w, (float)brick->size * field->cell_size[0] * 0.25f);
        vxbi_put_u8(w, colour.r);
        vxbi_put_u8(w, colour.g);
        vxbi_put_u8(w, colour.b);
        vxbi_put_u32(w, index);
    }
}

enum vxb_status vxbi_probe_ply_write(const struct vxb_probe_field *field, const double origin[3],
                                     const struct vxb_sink *sink, struct vxb_error *err)
{
    enum vxb_status status = vxbi_probe_placed(field, err);
    if (status)
        return status;
    if (!write_header(sink, origin, (uint64_t)field->counts.bricks * VXB_BRICK_PROBES))
        return vxbi_sink_failed(err);
    for (uint32_t i = 0; i < field->counts.bricks; i++) {
        char bytes[VXB_BRICK_PROBES * VERTEX_BYTES];
        struct vxbi_writer w = {.data = (uint8_t *)bytes, .room = sizeof bytes};
        put_brick(&w, field, origin, i);
        if (!sink->write(sink->user, bytes, w.at))
            return vxbi_sink_failed(err);
    }
    return VXB_OK;
}
