/* What an irradiance field says of itself, as JSON: report-probe-file under schemas/. */
#include "sink.h"

static void header(struct vxbi_jsonw *w, const struct vxb_probe_header *h)
{
    vxbi_jsonw_key(w, "header");
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "format", h->format);
    vxbi_member_u64(w, "file_bytes", h->file_bytes);
    vxbi_jsonw_key(w, "flags");
    vxbi_jsonw_array(w);
    if (h->flags & VXB_PROBE_ZSTD)
        vxbi_jsonw_text(w, "zstd");
    if (h->flags & VXB_PROBE_INEXACT)
        vxbi_jsonw_text(w, "inexact");
    vxbi_jsonw_array_end(w);
    vxbi_member_u64(w, "bake_revision", h->bake_revision);
    vxbi_member_text(w, "encoding", vxb_probe_encoding_name((enum vxb_probe_encoding)h->encoding));
    vxbi_member_vec3(w, "bounds_min", h->bounds_min);
    vxbi_member_vec3(w, "bounds_max", h->bounds_max);
    vxbi_member_uvec3(w, "cells", h->cells);
    vxbi_member_uvec3(w, "slots", h->slots);
    vxbi_member_u64(w, "brick_count", h->brick_count);
    vxbi_member_id(w, "bake_id", h->bake_id);
    vxbi_member_id(w, "content_id", h->content_id);
    vxbi_member_id(w, "tables_hash", h->tables_hash);
    vxbi_member_id(w, "header_hash", h->header_hash);
    vxbi_jsonw_object_end(w);
}

static void planes(struct vxbi_jsonw *w, const struct vxb_probe_file *file)
{
    vxbi_jsonw_key(w, "planes");
    vxbi_jsonw_array(w);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        const struct vxb_probe_plane *plane = vxb_probe_file_plane(file, k);
        vxbi_jsonw_object(w);
        vxbi_member_text(w, "name", vxb_probe_plane_name(k));
        vxbi_member_u64(w, "offset", plane->offset);
        vxbi_member_u64(w, "bytes", plane->bytes);
        vxbi_member_id(w, "hash", plane->hash);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

static void bricks(struct vxbi_jsonw *w, const struct vxb_probe_file *file)
{
    const struct vxb_brick *all = vxb_probe_file_bricks(file);
    vxbi_jsonw_key(w, "bricks");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < vxb_probe_file_header(file)->brick_count; i++) {
        vxbi_jsonw_object(w);
        vxbi_member_u64(w, "slot", all[i].slot);
        vxbi_member_uvec3(w, "cell", all[i].cell);
        vxbi_member_u64(w, "size", all[i].size);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

static void statistics(struct vxbi_jsonw *w, const struct vxb_probe_statistics *s)
{
    vxbi_jsonw_key(w, "statistics");
    if (!s) {
        vxbi_jsonw_null(w);
        return;
    }
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "probes", s->probes);
    vxbi_member_u64(w, "invalid", s->invalid);
    vxbi_member_vec3(w, "least_l00", s->least);
    vxbi_member_vec3(w, "most_l00", s->most);
    vxbi_jsonw_key(w, "mean_l00");
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f64(w, s->mean[i]);
    vxbi_jsonw_array_end(w);
    vxbi_member_f32(w, "least_validity", s->least_validity);
    vxbi_member_f64(w, "mean_validity", s->mean_validity);
    vxbi_member_f64(w, "mean_shadow", s->mean_shadow);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_probe_file_json(const struct vxb_probe_file *file, bool with_bricks,
                                    const struct vxb_probe_statistics *with_statistics, bool compact,
                                    const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "probe-inspect");
    header(&w, vxb_probe_file_header(file));
    planes(&w, file);
    if (with_bricks)
        bricks(&w, file);
    statistics(&w, with_statistics);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
