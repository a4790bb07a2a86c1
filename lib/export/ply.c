/* PLY: a header in text, then 45 bytes a blade. */
#include "ply.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/text.h"
#include "blades.h"
#include "sink.h"

enum { VERTEX_BYTES = 11 * 4 + 1, PIECE = 180 };

struct ply {
    const struct vxb_grass *grass;
    const double *origin;
    const struct vxb_sink *sink;
};

static bool say(const struct ply *ply, const char *text)
{
    return ply->sink->write(ply->sink->user, text, strlen(text));
}

static bool write_header(const struct ply *ply)
{
    static const char *const floats[11] = {"x", "y", "z", "nx", "ny", "nz", "yaw", "scale", "tint", "phase", "rank"};
    const struct vxb_grass_header *h = vxb_grass_header(ply->grass);
    char text[4 * VXB_NAME_MAX_BYTES + 64], name[4 * VXB_NAME_MAX_BYTES + 1], number[3][VXB_TEXT_NUMBER_ROOM];
    bool good = say(ply, "ply\nformat binary_little_endian 1.0\n");
    snprintf(text, sizeof text, "comment origin %s %s %s\n", vxb_text_f64(ply->origin[0], number[0]),
             vxb_text_f64(ply->origin[1], number[1]), vxb_text_f64(ply->origin[2], number[2]));
    good = good && say(ply, text);
    for (uint32_t k = 0; k < h->section_count && good; k++) {
        const char *given = vxb_grass_section(ply->grass, k)->name;
        vxb_text_escape(name, sizeof name, given, strlen(given));
        snprintf(text, sizeof text, "comment section %" PRIu32 " %s\n", k, name);
        good = say(ply, text);
    }
    snprintf(text, sizeof text, "element vertex %" PRIu32 "\n", h->blade_count);
    good = good && say(ply, text);
    for (int i = 0; i < 11 && good; i++) {
        snprintf(text, sizeof text, "property float %s\n", floats[i]);
        good = say(ply, text);
    }
    return good && say(ply, "property uchar section\nend_header\n");
}

static void put_vertex(struct vxbi_writer *w, const double origin[3], uint32_t section, const struct vxb_blade *b)
{
    const double values[11] = {b->x - origin[0], b->y - origin[1], b->z - origin[2], b->up[0], b->up[1], b->up[2],
                               b->yaw, b->scale, b->tint, b->phase, b->rank};
    for (int i = 0; i < 11; i++)
        vxbi_put_f32(w, (float)values[i]);
    vxbi_put_u8(w, (uint8_t)section);
}

static enum vxb_status write_chunk(void *user, uint32_t index, const struct vxb_grass_chunk *chunk,
                                   const uint8_t *records, struct vxb_error *err)
{
    const struct ply *ply = user;
    (void)index;
    for (uint32_t done = 0; done < chunk->blade_count;) {
        char bytes[PIECE * VERTEX_BYTES];
        struct vxbi_writer w = {.data = (uint8_t *)bytes, .room = sizeof bytes};
        for (; done < chunk->blade_count && w.at < sizeof bytes; done++) {
            struct vxb_blade blade;
            vxb_grass_decode(vxb_grass_header(ply->grass), chunk, records + (size_t)done * VXB_GRASS_RECORD_BYTES,
                             &blade);
            put_vertex(&w, ply->origin, chunk->section, &blade);
        }
        if (!ply->sink->write(ply->sink->user, bytes, w.at))
            return vxbi_sink_failed(err);
    }
    return VXB_OK;
}

enum vxb_status vxbi_ply_write(const struct vxb_grass *grass, const double origin[3], const struct vxb_sink *sink,
                               struct vxb_error *err)
{
    struct ply ply = {.grass = grass, .origin = origin, .sink = sink};
    const struct vxbi_chunk_visitor visitor = {.user = &ply, .blades = true, .chunk = write_chunk};
    if (!write_header(&ply))
        return vxbi_sink_failed(err);
    return vxbi_chunks_visit(grass, NULL, &visitor, err);
}
