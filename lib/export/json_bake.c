/* What a bake will do and what it did, as JSON: report-plan and report-bake under schemas/. Two runs of one recipe give
 * the same text but for "seconds": no clock, path or machine is in it. */
#include <stdio.h>
#include <string.h>

#include "sink.h"

static void f32_array(struct vxbi_jsonw *w, const char *key, const float *values, size_t count)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        vxbi_jsonw_f32(w, values[i]);
    vxbi_jsonw_array_end(w);
}

static void optional_u64(struct vxbi_jsonw *w, const char *key, bool has, uint64_t value)
{
    vxbi_jsonw_key(w, key);
    if (has)
        vxbi_jsonw_u64(w, value);
    else
        vxbi_jsonw_null(w);
}

static void grid(struct vxbi_jsonw *w, const struct vxb_plan *plan)
{
    vxbi_jsonw_key(w, "density");
    vxbi_jsonw_object(w);
    vxbi_member_f32(w, "asked", plan->recipe->density);
    vxbi_member_f64(w, "tried", plan->tried_density);
    vxbi_member_f32(w, "scale", plan->recipe->density_scale);
    vxbi_jsonw_object_end(w);
    vxbi_member_f32(w, "cell_size", plan->recipe->cell_size);
    vxbi_jsonw_key(w, "cells");
    vxbi_jsonw_object(w);
    vxbi_member_i64(w, "first_x", plan->cell_x0);
    vxbi_member_i64(w, "first_z", plan->cell_z0);
    vxbi_member_u64(w, "count_x", plan->cells_x);
    vxbi_member_u64(w, "count_z", plan->cells_z);
    vxbi_member_u64(w, "candidates_per_side", plan->side);
    vxbi_jsonw_object_end(w);
    vxbi_member_u64(w, "candidates", plan->candidates);
}

static void terrain(struct vxbi_jsonw *w, const struct vxb_terrain *terrain)
{
    const float range[2] = {terrain->min_height, terrain->max_height};
    vxbi_jsonw_key(w, "terrain");
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "samples_x", terrain->samples_x);
    vxbi_member_u64(w, "samples_z", terrain->samples_z);
    vxbi_member_f32(w, "metres_per_quad", terrain->metres_per_quad);
    f32_array(w, "range", range, 2);
    f32_array(w, "origin", terrain->origin, 3);
    vxbi_member_id(w, "file_hash", terrain->file_hash);
    vxbi_jsonw_object_end(w);
}

static void budgets(struct vxbi_jsonw *w, const struct vxb_plan *plan)
{
    const struct vxb_recipe_budgets *given = &plan->recipe->budgets;
    vxbi_jsonw_key(w, "budgets");
    vxbi_jsonw_object(w);
    vxbi_jsonw_key(w, "given");
    vxbi_jsonw_object(w);
    optional_u64(w, "max_blades", given->has_max_blades, given->max_blades);
    optional_u64(w, "gpu_bytes", given->has_gpu_bytes, given->gpu_bytes);
    optional_u64(w, "file_bytes", given->has_file_bytes, given->file_bytes);
    optional_u64(w, "max_commands", given->has_max_commands, given->max_commands);
    optional_u64(w, "updates_per_frame", given->has_updates_per_frame, given->updates_per_frame);
    vxbi_jsonw_object_end(w);
    vxbi_member_limit(w, "blades", plan->blade_budget);
    vxbi_member_text(w, "bound_by", vxb_budget_kind_name(plan->budget_kind));
    vxbi_member_u64(w, "fixed_file_bytes", plan->file_fixed_bytes);
    vxbi_member_u64(w, "fixed_gpu_bytes", plan->gpu_fixed_bytes);
    vxbi_jsonw_object_end(w);
}

static void species(struct vxbi_jsonw *w, const struct vxb_plan_species *species)
{
    const struct vxb_recipe_species *recipe = species->recipe;
    vxbi_member_text(w, "name", recipe->name);
    vxbi_member_id(w, "id", species->id);
    vxbi_member_text(w, "material", recipe->material);
    vxbi_member_id(w, "material_id", species->material_id);
    vxbi_member_u64(w, "material_index", species->material_index);
    vxbi_member_id(w, "profile_id", species->profile_id);
    vxbi_member_text(w, "layer", recipe->layer);
    vxbi_member_f32(w, "share", recipe->share);
    vxbi_member_u64(w, "parts", species->parts);
    vxbi_member_f64(w, "ceiling", species->ceiling);
    vxbi_member_limit(w, "blade_budget", species->blade_budget);
    vxbi_member_u64(w, "lods", recipe->lod_count);
    vxbi_jsonw_key(w, "passes");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < recipe->pass_count; i++)
        vxbi_jsonw_text(w, recipe->passes[i]);
    vxbi_jsonw_array_end(w);
}

static void notes(struct vxbi_jsonw *w, const struct vxb_plan *plan)
{
    bool differ = false;
    vxbi_jsonw_key(w, "notes");
    vxbi_jsonw_array(w);
    for (uint32_t i = 1; i < plan->species_count; i++)
        differ |= plan->species[i].layer != plan->species[0].layer;
    if (differ)
        vxbi_jsonw_text(w, "species use different layers: where only one of them can grow, only its share of the "
                           "candidates is tried for it");
    vxbi_jsonw_array_end(w);
}

static void document(struct vxbi_jsonw *w, const char *kind)
{
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "version", 1);
    vxbi_member_text(w, "kind", kind);
}

/* The members that both documents have. */
static void plan_members(struct vxbi_jsonw *w, const struct vxb_plan *plan)
{
    vxbi_member_u64(w, "bake_revision", VXB_BAKE_REVISION);
    vxbi_member_id(w, "bake_id", plan->bake_id);
    vxbi_member_u64(w, "format", plan->species_count == 1 ? 2 : 3);
    vxbi_member_u64(w, "seed", plan->recipe->seed);
    grid(w, plan);
    terrain(w, plan->terrain);
    budgets(w, plan);
    notes(w, plan);
}

enum vxb_status vxb_plan_json(const struct vxb_plan *plan, bool compact, const struct vxb_sink *sink,
                              struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    document(&w, "bake-plan");
    plan_members(&w, plan);
    vxbi_jsonw_key(&w, "species");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < plan->species_count; i++) {
        vxbi_jsonw_object(&w);
        species(&w, &plan->species[i]);
        vxbi_jsonw_object_end(&w);
    }
    vxbi_jsonw_array_end(&w);
    vxbi_member_inputs(&w, plan->recipe->path, plan->recipe->inputs, plan->recipe->input_count);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

static void ledger(struct vxbi_jsonw *w, const struct vxb_ledger *ledger)
{
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "candidates", ledger->candidates);
    vxbi_member_u64(w, "placed", ledger->placed);
    vxbi_jsonw_key(w, "reasons");
    vxbi_jsonw_object(w);
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        vxbi_member_u64(w, vxb_reason_name((enum vxb_reason)i), ledger->reasons[i]);
    vxbi_jsonw_object_end(w);
    vxbi_member_u64(w, "chunks", ledger->chunks);
    vxbi_member_u64(w, "bytes", ledger->bytes);
    vxbi_member_u64(w, "commands", ledger->commands);
    vxbi_jsonw_object_end(w);
}

static void region(struct vxbi_jsonw *w, const struct vxb_bake_report *report)
{
    static const char *const names[4] = {"x0", "z0", "x1", "z1"};
    vxbi_jsonw_key(w, "region");
    if (!report->partial) {
        vxbi_jsonw_null(w);
        return;
    }
    vxbi_jsonw_object(w);
    for (int i = 0; i < 4; i++)
        vxbi_member_i64(w, names[i], report->region[i]);
    vxbi_jsonw_object_end(w);
}

static void output(struct vxbi_jsonw *w, const struct vxb_bake_report *report)
{
    vxbi_jsonw_key(w, "output");
    vxbi_jsonw_object(w);
    vxbi_member_id(w, "content_id", report->content_id);
    vxbi_member_u64(w, "file_bytes", report->file_bytes);
    vxbi_member_u64(w, "gpu_bytes", report->gpu_bytes);
    vxbi_jsonw_object_end(w);
}

/* A report whose sums do not hold would be believed by whoever reads it. */
static bool adds_up(const struct vxb_bake_report *report)
{
    struct vxb_ledger sum = {0};
    for (uint32_t i = 0; i <= report->species_count; i++) {
        const struct vxb_ledger *one = i < report->species_count ? &report->species[i] : &report->field;
        uint64_t all = one->placed;
        for (int k = 0; k < VXB_REASON_COUNT; k++)
            all += one->reasons[k];
        if (all != one->candidates)
            return false;
        if (one == &report->field)
            break;
        sum.candidates += one->candidates;
        sum.placed += one->placed;
        sum.chunks += one->chunks;
        sum.bytes += one->bytes;
        sum.commands += one->commands;
        for (int k = 0; k < VXB_REASON_COUNT; k++)
            sum.reasons[k] += one->reasons[k];
    }
    return memcmp(sum.reasons, report->field.reasons, sizeof sum.reasons) == 0 &&
           sum.candidates == report->field.candidates && sum.placed == report->field.placed &&
           sum.chunks == report->field.chunks && sum.bytes == report->field.bytes &&
           sum.commands == report->field.commands;
}

enum vxb_status vxb_bake_report_json(const struct vxb_plan *plan, const struct vxb_bake_report *report, bool compact,
                                     const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    if (report->species_count != plan->species_count)
        return vxbi_fail(err, VXB_ERR_BUG, "the report has %u species, its plan %u", report->species_count,
                         plan->species_count);
    if (!adds_up(report))
        return vxbi_fail(err, VXB_ERR_BUG, "the report does not add up");
    vxbi_sink_json(&w, sink, compact);
    document(&w, "bake-report");
    plan_members(&w, plan);
    region(&w, report);
    vxbi_jsonw_key(&w, "species");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < plan->species_count; i++) {
        vxbi_jsonw_object(&w);
        species(&w, &plan->species[i]);
        vxbi_member_u64(&w, "rank_limit", report->rank_limit[i]);
        vxbi_jsonw_key(&w, "ledger");
        ledger(&w, &report->species[i]);
        vxbi_jsonw_object_end(&w);
    }
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_key(&w, "field");
    ledger(&w, &report->field);
    output(&w, report);
    vxbi_member_f64(&w, "seconds", report->seconds);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
