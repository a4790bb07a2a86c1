/* What an engine needs beside runtime records, as JSON: runtime under schemas/. Chunks are streamed. */
#include "json_runtime.h"

#include "../vxbake/runtime.h"
#include "blades.h"
#include "sink.h"

static void lods(struct vxbi_jsonw *w, const struct vxb_grass *grass, const struct vxb_grass_section *section)
{
    vxbi_jsonw_key(w, "lods");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < section->lod_count; i++) {
        const struct vxb_grass_lod *lod = vxb_grass_lod(grass, section->first_lod + i);
        vxbi_jsonw_object(w);
        vxbi_member_f32(w, "distance", lod->distance); /* infinity: null, as in a recipe */
        vxbi_member_f32(w, "keep", lod->keep);
        vxbi_member_f32(w, "fade", lod->fade);
        vxbi_member_f32(w, "mesh_radius", lod->mesh_radius);
        vxbi_member_u64(w, "index_count", lod->index_count);
        vxbi_member_u64(w, "first_index", lod->first_index);
        vxbi_member_i64(w, "vertex_offset", lod->vertex_offset);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
}

/* Commands are a command a chunk and pass at most; ranges follow each other. */
static void section(struct vxbi_jsonw *w, const struct vxb_grass *grass, uint32_t index, uint64_t *command)
{
    const struct vxb_grass_section *s = vxb_grass_section(grass, index);
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "name", s->name);
    vxbi_member_id(w, "species_id", s->species_id);
    vxbi_member_text(w, "material", s->material);
    vxbi_member_id(w, "material_id", s->material_id);
    vxbi_member_u64(w, "material_index", s->material_index);
    vxbi_member_text(w, "mesh", s->mesh);
    vxbi_member_u64(w, "rank_limit", s->rank_limit);
    vxbi_member_u64(w, "first_chunk", s->first_chunk);
    vxbi_member_u64(w, "chunk_count", s->chunk_count);
    vxbi_member_u64(w, "first_blade", s->first_blade);
    vxbi_member_u64(w, "blade_count", s->blade_count);
    vxbi_member_u64(w, "first_command", *command);
    vxbi_member_u64(w, "command_count", (uint64_t)s->chunk_count * s->pass_count);
    *command += (uint64_t)s->chunk_count * s->pass_count;
    lods(w, grass, s);
    vxbi_jsonw_key(w, "passes");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < s->pass_count; i++)
        vxbi_jsonw_text(w, s->passes[i]);
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

static enum vxb_status chunk(void *user, uint32_t index, const struct vxb_grass_chunk *c, const uint8_t *records,
                             struct vxb_error *err)
{
    struct vxbi_jsonw *w = user;
    (void)index;
    (void)records;
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "section", c->section);
    vxbi_member_i64(w, "cell_x", c->cell_x);
    vxbi_member_i64(w, "cell_z", c->cell_z);
    vxbi_member_u64(w, "first_blade", c->first_blade);
    vxbi_member_u64(w, "blade_count", c->blade_count);
    vxbi_member_f32(w, "min_y", c->min_y);
    vxbi_member_f32(w, "max_y", c->max_y);
    vxbi_member_f32(w, "max_scale", c->max_scale);
    vxbi_jsonw_object_end(w);
    return w->failed ? vxbi_sink_failed(err) : VXB_OK;
}

enum vxb_status vxbi_runtime_json(const struct vxb_grass *grass, const double origin[3], bool stomp,
                                  const struct vxb_sink *sink, struct vxb_error *err)
{
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    struct vxbi_jsonw w;
    uint64_t command = 0;
    vxbi_sink_json(&w, sink, false);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "runtime-records");
    vxbi_member_u64(&w, "record_bytes", VXB_RUNTIME_RECORD_BYTES);
    vxbi_member_u64(&w, "blade_count", h->blade_count);
    vxbi_member_f32(&w, "cell_size", h->cell_size);
    vxbi_jsonw_key(&w, "origin");
    vxbi_jsonw_array(&w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f64(&w, origin[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_key(&w, "stomp");
    vxbi_jsonw_bool(&w, stomp);
    vxbi_member_id(&w, "bake_id", h->bake_id);
    vxbi_member_id(&w, "content_id", h->content_id);
    vxbi_member_limit(&w, "max_commands", h->max_commands);
    vxbi_member_limit(&w, "updates_per_frame", h->updates_per_frame);
    vxbi_jsonw_key(&w, "sections");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < h->section_count; i++)
        section(&w, grass, i, &command);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_key(&w, "chunks");
    vxbi_jsonw_array(&w);
    const struct vxbi_chunk_visitor visitor = {.user = &w, .chunk = chunk};
    enum vxb_status status = vxbi_chunks_visit(grass, NULL, &visitor, err);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return status == VXB_OK ? vxbi_sink_json_end(&w, err) : status;
}
