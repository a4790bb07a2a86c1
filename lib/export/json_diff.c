/* How two grass files differ, as JSON: report-diff under schemas/. */
#include "sink.h"

static void counts(struct vxbi_jsonw *w, const struct vxb_diff_counts *c)
{
    const uint64_t chunks[4] = {c->chunks_equal, c->chunks_changed, c->chunks_lost, c->chunks_added};
    const uint64_t blades[4] = {c->blades_equal, c->blades_changed, c->blades_lost, c->blades_added};
    static const char *const names[4] = {"equal", "changed", "lost", "added"};
    for (int what = 0; what < 2; what++) {
        vxbi_jsonw_key(w, what == 0 ? "chunks" : "blades");
        vxbi_jsonw_object(w);
        for (int i = 0; i < 4; i++)
            vxbi_member_u64(w, names[i], what == 0 ? chunks[i] : blades[i]);
        vxbi_jsonw_object_end(w);
    }
}

static void fields(struct vxbi_jsonw *w, const struct vxb_diff_report *report)
{
    vxbi_jsonw_key(w, "fields");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->field_count; i++) {
        vxbi_jsonw_object(w);
        vxbi_member_text(w, "pointer", report->fields[i].pointer);
        vxbi_member_text(w, "a", report->fields[i].a);
        vxbi_member_text(w, "b", report->fields[i].b);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

static void species(struct vxbi_jsonw *w, const struct vxb_diff_report *report)
{
    vxbi_jsonw_key(w, "species");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->species_count; i++) {
        const struct vxb_diff_species *s = &report->species[i];
        vxbi_jsonw_object(w);
        vxbi_member_id(w, "id", s->id);
        vxbi_member_text(w, "name", s->name);
        vxbi_member_bool(w, "in_a", s->in_a);
        vxbi_member_bool(w, "in_b", s->in_b);
        counts(w, &s->counts);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

static void chunks(struct vxbi_jsonw *w, const struct vxb_diff_report *report)
{
    vxbi_jsonw_key(w, "differing_chunks");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->chunk_count; i++) {
        const struct vxb_diff_chunk *c = &report->chunks[i];
        vxbi_jsonw_object(w);
        vxbi_member_u64(w, "species", c->species);
        vxbi_member_i64(w, "cell_x", c->cell_x);
        vxbi_member_i64(w, "cell_z", c->cell_z);
        vxbi_member_bool(w, "in_a", c->in_a);
        vxbi_member_bool(w, "in_b", c->in_b);
        vxbi_member_bool(w, "heights_differ", c->heights);
        vxbi_member_u64(w, "blades_a", c->blades_a);
        vxbi_member_u64(w, "blades_b", c->blades_b);
        vxbi_member_u64(w, "changed", c->changed);
        vxbi_member_u64(w, "lost", c->lost);
        vxbi_member_u64(w, "added", c->added);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

enum vxb_status vxb_diff_json(const struct vxb_diff_report *report, bool compact, const struct vxb_sink *sink,
                              struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "diff-report");
    vxbi_member_path(&w, "a", report->path_a);
    vxbi_member_path(&w, "b", report->path_b);
    vxbi_member_bool(&w, "equal", report->equal);
    vxbi_member_bool(&w, "compression_differs", report->compression_differs);
    fields(&w, report);
    counts(&w, &report->total);
    species(&w, report);
    chunks(&w, report);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
