/* What a walk came to, as JSON and as CSV: report-simulate under schemas/. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "../vxbake/simulate.h"
#include "sink.h"

static void position(struct vxbi_jsonw *w, const float values[3])
{
    vxbi_jsonw_key(w, "position");
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f32(w, values[i]);
    vxbi_jsonw_array_end(w);
}

static void counts(struct vxbi_jsonw *w, const struct vxb_cull_counts *c)
{
    vxbi_member_u64(w, "chunks_tested", c->chunks_tested);
    vxbi_member_u64(w, "chunks_visible", c->chunks_visible);
    vxbi_member_u64(w, "blades", c->blades);
    vxbi_member_u64(w, "commands", c->commands);
    vxbi_member_u64(w, "commands_refused", c->refused);
}

static void frame(struct vxbi_jsonw *w, const struct vxb_simulation *s, uint32_t index)
{
    const struct vxb_simulation_frame *f = &s->frames[index];
    vxbi_jsonw_object(w);
    vxbi_member_f64(w, "time", f->time);
    position(w, f->position);
    vxbi_member_u64(w, "created", f->created);
    vxbi_member_u64(w, "evicted", f->evicted);
    vxbi_member_u64(w, "refused", f->refused);
    vxbi_member_u64(w, "deferred", f->deferred);
    vxbi_member_u64(w, "resident", f->resident);
    vxbi_member_u64(w, "upload_bytes", f->upload_bytes);
    counts(w, &f->total);
    vxbi_jsonw_key(w, "species");
    vxbi_jsonw_array(w);
    for (uint32_t k = 0; k < s->section_count; k++) {
        vxbi_jsonw_object(w);
        counts(w, &f->sections[k]);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

static void worst(struct vxbi_jsonw *w, const char *key, const struct vxb_simulation_worst *worst)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "value", worst->value);
    vxbi_member_u64(w, "frame", worst->frame);
    vxbi_jsonw_object_end(w);
}

static void head(struct vxbi_jsonw *w, const struct vxb_simulation *s)
{
    vxbi_member_u64(w, "version", 1);
    vxbi_member_text(w, "kind", "simulate");
    vxbi_member_f32(w, "cell_size", s->cell_size);
    vxbi_member_u64(w, "cell_count", s->cell_count);
    vxbi_member_f64(w, "fps", s->fps);
    vxbi_member_u64(w, "frame_count", s->frame_count);
    vxbi_member_f32(w, "range", s->options.range);
    vxbi_member_u64(w, "capacity", s->options.capacity);
    vxbi_member_f32(w, "hysteresis", s->options.hysteresis);
    vxbi_member_f32(w, "density", s->options.density);
    vxbi_member_limit(w, "max_commands", s->max_commands);
    vxbi_member_limit(w, "updates_per_frame", s->updates_per_frame);
    vxbi_jsonw_key(w, "species");
    vxbi_jsonw_array(w);
    for (uint32_t k = 0; k < s->section_count; k++)
        vxbi_jsonw_text(w, s->names[k]);
    vxbi_jsonw_array_end(w);
}

static void summary(struct vxbi_jsonw *w, const struct vxb_simulation *s)
{
    vxbi_jsonw_key(w, "totals");
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "created", s->created);
    vxbi_member_u64(w, "evicted", s->evicted);
    vxbi_member_u64(w, "refused", s->refused);
    vxbi_member_u64(w, "deferred", s->deferred);
    vxbi_member_u64(w, "upload_bytes", s->upload_bytes);
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_key(w, "worst");
    vxbi_jsonw_object(w);
    worst(w, "created", &s->most_created);
    worst(w, "refused", &s->most_refused);
    worst(w, "deferred", &s->most_deferred);
    worst(w, "resident", &s->most_resident);
    worst(w, "upload_bytes", &s->most_uploaded);
    worst(w, "chunks_visible", &s->most_visible);
    worst(w, "blades", &s->most_blades);
    worst(w, "commands", &s->most_commands);
    worst(w, "commands_refused", &s->most_commands_refused);
    vxbi_jsonw_object_end(w);
    vxbi_member_u64(w, "most_in_range", s->most_in_range);
    vxbi_jsonw_key(w, "smallest_capacity");
    if (s->smallest_capacity)
        vxbi_jsonw_u64(w, s->smallest_capacity);
    else
        vxbi_jsonw_null(w);
    vxbi_member_u64(w, "slot_bytes", s->slot_bytes);
    vxbi_member_u64(w, "ring_bytes", s->ring_bytes);
}

enum vxb_status vxb_simulation_json(const struct vxb_simulation *s, bool compact, const struct vxb_sink *sink,
                                    struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    head(&w, s);
    summary(&w, s);
    vxbi_jsonw_key(&w, "frames");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < s->frame_count; i++)
        frame(&w, s, i);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

/* ---- CSV ---- */

static bool put(const struct vxb_sink *sink, const char *text)
{
    return sink->write(sink->user, text, strlen(text));
}

static bool put_number(const struct vxb_sink *sink, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, ",%" PRIu64, value);
    return put(sink, text);
}

static bool put_counts(const struct vxb_sink *sink, const struct vxb_cull_counts *c)
{
    return put_number(sink, c->chunks_tested) && put_number(sink, c->chunks_visible) && put_number(sink, c->blades) &&
           put_number(sink, c->commands) && put_number(sink, c->refused);
}

static bool put_head(const struct vxb_simulation *s, const struct vxb_sink *sink)
{
    static const char *const names[] = {"chunks_tested", "chunks_visible", "blades", "commands", "commands_refused"};
    bool fine = put(sink, "frame,time,x,y,z,created,evicted,refused,deferred,resident,upload_bytes");
    for (uint32_t k = 0; k <= s->section_count && fine; k++)
        for (int i = 0; i < 5 && fine; i++) {
            char text[64];
            if (k == 0)
                snprintf(text, sizeof text, ",%s", names[i]);
            else
                snprintf(text, sizeof text, ",species%" PRIu32 "_%s", k - 1, names[i]);
            fine = put(sink, text);
        }
    return fine && put(sink, "\n");
}

static bool put_row(const struct vxb_simulation *s, uint32_t index, const struct vxb_sink *sink)
{
    const struct vxb_simulation_frame *f = &s->frames[index];
    char text[5 * VXB_TEXT_NUMBER_ROOM], time[VXB_TEXT_NUMBER_ROOM], p[3][VXB_TEXT_NUMBER_ROOM];
    for (int i = 0; i < 3; i++)
        vxb_text_f32(f->position[i], p[i]);
    snprintf(text, sizeof text, "%" PRIu32 ",%s,%s,%s,%s", index, vxb_text_f64(f->time, time), p[0], p[1], p[2]);
    bool fine = put(sink, text) && put_number(sink, f->created) && put_number(sink, f->evicted) &&
                put_number(sink, f->refused) && put_number(sink, f->deferred) && put_number(sink, f->resident) &&
                put_number(sink, f->upload_bytes) && put_counts(sink, &f->total);
    for (uint32_t k = 0; k < s->section_count && fine; k++)
        fine = put_counts(sink, &f->sections[k]);
    return fine && put(sink, "\n");
}

enum vxb_status vxb_simulation_csv(const struct vxb_simulation *s, const struct vxb_sink *sink, struct vxb_error *err)
{
    bool fine = put_head(s, sink);
    for (uint32_t i = 0; i < s->frame_count && fine; i++)
        fine = put_row(s, i, sink);
    return fine ? VXB_OK : vxbi_sink_failed(err);
}
