/* What becomes of the candidates about a spot, as JSON: report-explain under schemas/. Two runs of one recipe give the
 * same text: no clock, path or machine is in it. */
#include <stdio.h>

#include "blades.h"
#include "sink.h"

static void begin(struct vxbi_jsonw *w, const char *key)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_object(w);
}

/* null: every test was passed, or could be. */
static void reason(struct vxbi_jsonw *w, enum vxb_reason value)
{
    vxbi_member_text(w, "reason", value == VXB_REASON_COUNT ? NULL : vxb_reason_name(value));
}

static void counts(struct vxbi_jsonw *w, const char *key, const struct vxb_explain_counts *c)
{
    begin(w, key);
    vxbi_member_u64(w, "candidates", c->candidates);
    vxbi_member_u64(w, "placed", c->placed);
    begin(w, "reasons");
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        vxbi_member_u64(w, vxb_reason_name((enum vxb_reason)i), c->reasons[i]);
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_object_end(w);
}

/* null: outside the terrain. */
static void ground(struct vxbi_jsonw *w, const struct vxb_explain_ground *g)
{
    if (g->outside) {
        vxbi_member_null(w, "ground");
        return;
    }
    begin(w, "ground");
    vxbi_member_f32(w, "y", g->y);
    vxbi_member_f32(w, "slope", g->slope);
    vxbi_jsonw_key(w, "normal");
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f32(w, g->normal[i]);
    vxbi_jsonw_array_end(w);
    vxbi_member_bool(w, "hole", g->hole);
    vxbi_member_bool(w, "excluded", g->excluded);
    vxbi_member_f32(w, "scale_factor", g->scale_factor);
    vxbi_jsonw_object_end(w);
}

static void spot(struct vxbi_jsonw *w, const struct vxb_plan *plan, const struct vxb_explanation *e)
{
    begin(w, "spot");
    vxbi_member_f64(w, "x", e->x);
    vxbi_member_f64(w, "z", e->z);
    vxbi_member_i64(w, "cell_x", e->cell_x);
    vxbi_member_i64(w, "cell_z", e->cell_z);
    vxbi_member_bool(w, "in_field", e->in_field);
    ground(w, &e->ground);
    vxbi_jsonw_key(w, "layers");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; e->layer_weights && i < plan->terrain->layer_count; i++) {
        vxbi_jsonw_object(w);
        vxbi_member_text(w, "name", plan->terrain->layers[i].name);
        vxbi_member_f32(w, "weight", e->layer_weights[i]);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

static void grid(struct vxbi_jsonw *w, const struct vxb_plan *plan)
{
    begin(w, "grid");
    vxbi_member_f32(w, "cell_size", plan->recipe->cell_size);
    vxbi_member_u64(w, "candidates_per_side", plan->side);
    vxbi_member_f64(w, "tried_density", plan->tried_density);
    vxbi_member_u64(w, "rank_cut", plan->rank_cut);
    vxbi_jsonw_object_end(w);
}

static void limits(struct vxbi_jsonw *w, const struct vxb_recipe_species *r, float least_normal_y)
{
    begin(w, "limits");
    vxbi_member_f32(w, "max_slope", r->max_slope);
    vxbi_member_f32(w, "least_normal_y", least_normal_y);
    vxbi_jsonw_key(w, "altitude");
    if (r->has_altitude) {
        vxbi_jsonw_array(w);
        vxbi_jsonw_f32(w, r->altitude[0]);
        vxbi_jsonw_f32(w, r->altitude[1]);
        vxbi_jsonw_array_end(w);
    } else {
        vxbi_jsonw_null(w);
    }
    vxbi_member_text(w, "layer", r->layer);
    vxbi_member_f32(w, "min_weight", r->min_weight);
    vxbi_member_f32(w, "max_weight", r->max_weight);
    vxbi_jsonw_object_end(w);
}

static void budget(struct vxbi_jsonw *w, uint32_t blades, const struct vxb_explain_species *s)
{
    if (!s->counted) {
        vxbi_member_null(w, "budget");
        return;
    }
    begin(w, "budget");
    vxbi_member_limit(w, "blades", blades);
    vxbi_member_u64(w, "survivors", s->survivors);
    vxbi_jsonw_key(w, "last_kept");
    if (s->cut && blades > 0) {
        vxbi_jsonw_object(w);
        vxbi_member_u64(w, "rank", s->cut_rank);
        vxbi_member_u64(w, "hash", s->cut_hash);
        vxbi_member_i64(w, "cell_z", s->cut_cell_z);
        vxbi_member_i64(w, "cell_x", s->cut_cell_x);
        vxbi_jsonw_object_end(w);
    } else {
        vxbi_jsonw_null(w);
    }
    vxbi_jsonw_object_end(w);
}

static void species(struct vxbi_jsonw *w, const struct vxb_plan_species *plan, const struct vxb_explain_species *s,
                    bool outside)
{
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "name", plan->recipe->name);
    vxbi_member_id(w, "id", plan->id);
    vxbi_member_u64(w, "parts", plan->parts);
    limits(w, plan->recipe, s->least_normal_y);
    begin(w, "at_spot");
    if (outside) {
        vxbi_member_null(w, "weight");
        vxbi_member_null(w, "k");
    } else {
        vxbi_member_f32(w, "weight", s->weight);
        vxbi_member_f32(w, "k", s->k);
    }
    reason(w, s->reason);
    begin(w, "density");
    vxbi_member_f64(w, "asked", s->density);
    vxbi_member_f64(w, "ceiling", plan->ceiling);
    vxbi_member_f64(w, "expected", s->expected);
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_object_end(w);
    budget(w, plan->blade_budget, s);
    counts(w, "within_radius", &s->counts);
    vxbi_jsonw_object_end(w);
}

static void blade(struct vxbi_jsonw *w, const struct vxb_explain_candidate *c)
{
    char hex[2 * VXB_GRASS_RECORD_BYTES + 1];
    if (c->reason != VXB_REASON_COUNT) {
        vxbi_member_null(w, "blade");
        vxbi_member_null(w, "record");
        return;
    }
    begin(w, "blade");
    vxbi_blade_values(w, &c->blade);
    vxbi_jsonw_object_end(w);
    for (int i = 0; i < VXB_GRASS_RECORD_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", c->record[i]);
    vxbi_member_text(w, "record", hex);
}

static void candidate(struct vxbi_jsonw *w, const struct vxb_plan *plan, const struct vxb_explain_candidate *c)
{
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "species", plan->species[c->species].recipe->name);
    reason(w, c->reason);
    vxbi_jsonw_key(w, "failed");
    vxbi_jsonw_array(w);
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        if (c->failed[i])
            vxbi_jsonw_text(w, vxb_reason_name((enum vxb_reason)i));
    vxbi_jsonw_array_end(w);
    vxbi_member_i64(w, "cell_x", c->cell_x);
    vxbi_member_i64(w, "cell_z", c->cell_z);
    vxbi_member_u64(w, "index", c->index);
    vxbi_member_u64(w, "hash", c->hash);
    vxbi_member_f64(w, "x", c->x);
    vxbi_member_f64(w, "z", c->z);
    vxbi_member_f64(w, "distance", c->distance);
    vxbi_member_u64(w, "part", c->part);
    ground(w, &c->ground);
    begin(w, "compared");
    vxbi_member_f32(w, "draw", c->draw);
    if (c->ground.outside) {
        static const char *const unknown[4] = {"scale", "weight", "k", "rank"};
        for (int i = 0; i < 4; i++)
            vxbi_member_null(w, unknown[i]);
    } else {
        vxbi_member_f32(w, "scale", c->scale);
        vxbi_member_f32(w, "weight", c->weight);
        vxbi_member_f32(w, "k", c->k);
        vxbi_member_u64(w, "rank", c->rank);
    }
    vxbi_jsonw_object_end(w);
    blade(w, c);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_explanation_json(const struct vxb_plan *plan, const struct vxb_explanation *explanation,
                                     bool compact, const struct vxb_sink *sink, struct vxb_error *err)
{
    const struct vxb_explanation *e = explanation;
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "explanation");
    vxbi_member_id(&w, "bake_id", plan->bake_id);
    spot(&w, plan, e);
    grid(&w, plan);
    vxbi_jsonw_key(&w, "species");
    vxbi_jsonw_array(&w);
    for (uint32_t k = 0; k < e->species_count; k++)
        if (e->species[k].wanted)
            species(&w, &plan->species[k], &e->species[k], e->ground.outside);
    vxbi_jsonw_array_end(&w);
    vxbi_member_f64(&w, "radius", e->radius);
    counts(&w, "within_radius", &e->counts);
    vxbi_jsonw_key(&w, "candidates");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < e->candidate_count; i++)
        candidate(&w, plan, &e->candidates[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
