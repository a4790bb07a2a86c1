/* What a grass file holds, as JSON: report-inspect under schemas/. The chunk table is streamed, so memory does not grow
 * with the file. */
#include "../grass/fields.h"
#include "blades.h"
#include "sink.h"

static void vector_member(struct vxbi_jsonw *w, const char *key, const float values[3])
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f32(w, values[i]);
    vxbi_jsonw_array_end(w);
}

static void flags(struct vxbi_jsonw *w, uint16_t value)
{
    vxbi_jsonw_key(w, "flags");
    vxbi_jsonw_array(w);
    for (unsigned flag = 1; flag <= value; flag <<= 1)
        if (value & flag)
            vxbi_jsonw_text(w, vxb_grass_flag_name((uint16_t)flag));
    vxbi_jsonw_array_end(w);
}

static void header(struct vxbi_jsonw *w, const struct vxb_grass_header *header)
{
    vxbi_member_u64(w, "format", header->format);
    vxbi_member_u64(w, "bake_revision", header->bake_revision);
    vxbi_member_u64(w, "file_bytes", header->file_bytes);
    flags(w, header->flags);
    vxbi_member_id(w, "bake_id", header->bake_id);
    vxbi_member_id(w, "content_id", header->content_id);
    vxbi_member_id(w, "tables_hash", header->tables_hash);
    vxbi_member_id(w, "header_hash", header->header_hash);
    vxbi_member_u64(w, "seed", header->seed);
    vxbi_member_f32(w, "density", header->density);
    vxbi_member_f32(w, "cell_size", header->cell_size);
    vxbi_member_u64(w, "section_count", header->section_count);
    vxbi_member_u64(w, "chunk_count", header->chunk_count);
    vxbi_member_u64(w, "blade_count", header->blade_count);
    vxbi_member_u64(w, "lod_count", header->lod_count);
    vxbi_member_u64(w, "string_bytes", header->string_bytes);
    vxbi_jsonw_key(w, "budgets");
    vxbi_jsonw_object(w);
    vxbi_member_limit(w, "blades", header->blade_budget);
    vxbi_member_limit(w, "max_commands", header->max_commands);
    vxbi_member_limit(w, "updates_per_frame", header->updates_per_frame);
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_key(w, "bounds");
    vxbi_jsonw_object(w);
    vector_member(w, "min", header->bounds_min);
    vector_member(w, "max", header->bounds_max);
    vxbi_jsonw_object_end(w);
}

static void tables(struct vxbi_jsonw *w, const struct vxb_grass *grass)
{
    static const char *const names[5] = {"sections", "lods", "strings", "chunks", "data"};
    uint64_t offsets[5];
    vxb_grass_table_offsets(grass, offsets);
    vxbi_jsonw_key(w, "offsets");
    vxbi_jsonw_object(w);
    for (int i = 0; i < 5; i++)
        vxbi_member_u64(w, names[i], offsets[i]);
    vxbi_jsonw_object_end(w);
}

static void lod(struct vxbi_jsonw *w, const struct vxb_grass_lod *lod)
{
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

static void section(struct vxbi_jsonw *w, const struct vxb_grass *grass, uint32_t index)
{
    const struct vxb_grass_section *section = vxb_grass_section(grass, index);
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "index", index);
    vxbi_member_text(w, "name", section->name);
    vxbi_member_id(w, "species_id", section->species_id);
    vxbi_member_text(w, "material", section->material);
    vxbi_member_id(w, "material_id", section->material_id);
    vxbi_member_u64(w, "material_index", section->material_index);
    vxbi_member_text(w, "mesh", section->mesh);
    vxbi_jsonw_key(w, "profile_id");
    if (vxb_grass_header(grass)->format == 3)
        vxbi_jsonw_id(w, section->profile_id);
    else
        vxbi_jsonw_null(w);
    vxbi_member_u64(w, "parts", section->share);
    vxbi_member_limit(w, "blade_budget", section->blade_budget);
    vxbi_member_u64(w, "rank_limit", section->rank_limit);
    vxbi_member_u64(w, "first_chunk", section->first_chunk);
    vxbi_member_u64(w, "chunk_count", section->chunk_count);
    vxbi_member_u64(w, "first_blade", section->first_blade);
    vxbi_member_u64(w, "blade_count", section->blade_count);
    vxbi_jsonw_key(w, "lods");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < section->lod_count; i++)
        lod(w, vxb_grass_lod(grass, section->first_lod + i));
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_key(w, "passes");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < section->pass_count; i++)
        vxbi_jsonw_text(w, section->passes[i]);
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

struct listing {
    const struct vxb_grass *grass;
    const struct vxb_inspect_options *options;
    struct vxbi_jsonw *json;
};

static enum vxb_status list_chunk(void *user, uint32_t index, const struct vxb_grass_chunk *chunk,
                                  const uint8_t *records, struct vxb_error *err)
{
    const struct listing *listing = user;
    struct vxbi_jsonw *w = listing->json;
    struct vxbi_cell cells[VXBI_CHUNK_CELLS];
    vxbi_chunk_cells(index, chunk, cells);
    vxbi_jsonw_object(w);
    vxbi_cells_json(w, &vxbi_chunk_table, cells);
    if (records) {
        vxbi_jsonw_key(w, "blades");
        vxbi_jsonw_array(w);
        uint32_t from, to;
        vxbi_blades_wanted(listing->options, chunk, &from, &to);
        for (uint32_t i = from; i < to; i++) {
            struct vxb_blade blade;
            vxb_grass_decode(vxb_grass_header(listing->grass), chunk, records + (size_t)i * VXB_GRASS_RECORD_BYTES,
                             &blade);
            vxbi_jsonw_object(w);
            vxbi_blade_members(w, chunk->first_blade + i, &blade);
            vxbi_jsonw_object_end(w);
        }
        vxbi_jsonw_array_end(w);
    }
    vxbi_jsonw_object_end(w);
    /* A reader of our output that went away should end the reading of ours. */
    return w->failed ? vxbi_sink_failed(err) : VXB_OK;
}

enum vxb_status vxb_inspect_json(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                 bool compact, const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    enum vxb_status status = vxb_inspect_check(grass, options, err);
    if (status != VXB_OK)
        return status;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "inspect");
    header(&w, vxb_grass_header(grass));
    tables(&w, grass);
    vxbi_jsonw_key(&w, "sections");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < vxb_grass_header(grass)->section_count; i++)
        section(&w, grass, i);
    vxbi_jsonw_array_end(&w);
    if (options && (options->chunks || options->has_chunk || options->blades)) {
        struct listing listing = {.grass = grass, .options = options, .json = &w};
        const struct vxbi_chunk_visitor visitor = {.user = &listing, .blades = options->blades, .chunk = list_chunk};
        vxbi_jsonw_key(&w, "chunks");
        vxbi_jsonw_array(&w);
        status = vxbi_chunks_visit(grass, options, &visitor, err);
        vxbi_jsonw_array_end(&w);
    }
    vxbi_jsonw_object_end(&w);
    return status == VXB_OK ? vxbi_sink_json_end(&w, err) : status;
}
