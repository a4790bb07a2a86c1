/* Two irradiance fields side by side: header fields, bricks, and how many texels of each plane are not the same
 * bits. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "diff_work.h"
#include "probes/pool.h"
#include "probes/read.h"

static void compare_three(struct vxbi_diff *d, const char *name, const uint32_t a[3], const uint32_t b[3])
{
    char x[40], y[40];
    snprintf(x, sizeof x, "%" PRIu32 " %" PRIu32 " %" PRIu32, a[0], a[1], a[2]);
    snprintf(y, sizeof y, "%" PRIu32 " %" PRIu32 " %" PRIu32, b[0], b[1], b[2]);
    vxbi_diff_text(d, "/header", name, x, y);
}

static const char *point_text(const float point[3], char text[3 * VXB_TEXT_NUMBER_ROOM])
{
    char n[3][VXB_TEXT_NUMBER_ROOM];
    snprintf(text, 3 * VXB_TEXT_NUMBER_ROOM, "%s %s %s", vxb_text_f32(point[0], n[0]), vxb_text_f32(point[1], n[1]),
             vxb_text_f32(point[2], n[2]));
    return text;
}

static void compare_point(struct vxbi_diff *d, const char *name, const float a[3], const float b[3])
{
    char x[3 * VXB_TEXT_NUMBER_ROOM], y[3 * VXB_TEXT_NUMBER_ROOM];
    vxbi_diff_text(d, "/header", name, point_text(a, x), point_text(b, y));
}

static void compare_headers(struct vxbi_diff *d)
{
    const struct vxb_probe_header *a = &d->probes[0]->header, *b = &d->probes[1]->header;
    const char *where = "/header";
    d->report.compression_differs = ((a->flags ^ b->flags) & VXB_PROBE_ZSTD) != 0;
    vxbi_diff_u64(d, where, "flags", a->flags & ~VXB_PROBE_ZSTD, b->flags & ~VXB_PROBE_ZSTD);
    vxbi_diff_u64(d, where, "bake_revision", a->bake_revision, b->bake_revision);
    vxbi_diff_text(d, where, "encoding", vxb_probe_encoding_name((enum vxb_probe_encoding)a->encoding),
                   vxb_probe_encoding_name((enum vxb_probe_encoding)b->encoding));
    compare_point(d, "bounds_min", a->bounds_min, b->bounds_min);
    compare_point(d, "bounds_max", a->bounds_max, b->bounds_max);
    compare_three(d, "cells", a->cells, b->cells);
    compare_three(d, "slots", a->slots, b->slots);
    vxbi_diff_u64(d, where, "brick_count", a->brick_count, b->brick_count);
    vxbi_diff_id(d, where, "bake_id", a->bake_id, b->bake_id);
    vxbi_diff_id(d, where, "content_id", a->content_id, b->content_id);
}

static void brick_text(const struct vxb_brick *brick, char *out, size_t room)
{
    snprintf(out, room, "slot %" PRIu32 ", cell %" PRIu32 " %" PRIu32 " %" PRIu32 ", size %" PRIu32, brick->slot,
             brick->cell[0], brick->cell[1], brick->cell[2], brick->size);
}

/* The first brick that differs tells enough: all behind it may have moved. */
static bool compare_bricks(struct vxbi_diff *d)
{
    const struct vxb_probe_file *a = d->probes[0], *b = d->probes[1];
    const uint32_t counts[2] = {a->header.brick_count, b->header.brick_count};
    uint32_t i = 0;
    while (i < counts[0] && i < counts[1] && memcmp(&a->bricks[i], &b->bricks[i], sizeof *a->bricks) == 0)
        i++;
    if (i == counts[0] && i == counts[1])
        return true;
    char pointer[40], x[80], y[80];
    snprintf(pointer, sizeof pointer, "/bricks/%" PRIu32, i);
    if (i < counts[0])
        brick_text(&a->bricks[i], x, sizeof x);
    if (i < counts[1])
        brick_text(&b->bricks[i], y, sizeof y);
    vxbi_diff_field(d, pointer, i < counts[0] ? x : NULL, i < counts[1] ? y : NULL);
    return false;
}

/* One file in memory, the other walked beside it. */
struct planes {
    const struct vxb_probe *a;
    uint64_t texels, differing[VXB_PROBE_PLANES], first[VXB_PROBE_PLANES];
};

static bool compare_window(void *user, uint64_t first, const struct vxb_probe *probes, uint32_t count)
{
    struct planes *p = user;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
            float x[4], y[4];
            vxbi_probe_rgba(&p->a[first + i], k, x);
            vxbi_probe_rgba(&probes[i], k, y);
            if (memcmp(x, y, sizeof x) != 0 && p->differing[k]++ == 0)
                p->first[k] = first + i;
        }
    return true;
}

static enum vxb_status compare_planes(struct vxbi_diff *d, struct vxb_error *err)
{
    struct vxb_probe_field *field = NULL;
    enum vxb_status status = vxb_probe_file_field(d->env, d->probes[0], &field, err);
    if (status)
        return status;
    struct planes p = {.a = vxb_probe_pool_texels(vxb_probe_field_pool(field)),
                       .texels = vxbi_probe_texels(d->probes[0]->header.slots)};
    status = vxb_probe_file_walk(d->env, d->probes[1], compare_window, &p, err);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES && !status; k++) {
        char pointer[40], text[96];
        if (!p.differing[k])
            continue;
        snprintf(pointer, sizeof pointer, "/planes/%s", vxb_probe_plane_name(k));
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " texels differ, the first of them %" PRIu64,
                 p.differing[k],
                 p.texels, p.first[k]);
        vxbi_diff_field(d, pointer, text, text);
    }
    vxb_probe_field_free(field);
    return status;
}

enum vxb_status vxbi_diff_probes(struct vxbi_diff *d, struct vxb_error *err)
{
    compare_headers(d);
    /* Texels of other bricks stand elsewhere, and mean other places. */
    const bool same = compare_bricks(d) &&
                      memcmp(d->probes[0]->header.slots, d->probes[1]->header.slots, 3 * sizeof(uint32_t)) == 0;
    enum vxb_status status = same ? compare_planes(d, err) : VXB_OK;
    if (!status && d->status)
        status = vxbi_fail_memory(err, 0);
    d->report.equal = d->report.field_count == 0;
    return status;
}
