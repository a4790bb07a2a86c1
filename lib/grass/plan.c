/* The plan: everything that is decided before the first candidate, so that what follows only counts and computes.
 * Species stand in ascending id order from here on; the recipe's order is gone. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/bytes.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/limits.h"
#include "../core/text.h"
#include "../vxbake/runtime.h"
#include "apportion.h"
#include "format.h"
#include "identity.h"

#define CELLS_MOST ((uint64_t)1 << 26)

const char *vxb_reason_name(enum vxb_reason reason)
{
    static const char *const names[VXB_REASON_COUNT] = {"no_surface", "excluded", "slope",
                                                        "altitude",   "density",  "budget"};
    return (unsigned)reason < VXB_REASON_COUNT ? names[reason] : "unknown";
}

const char *vxb_budget_kind_name(enum vxb_budget_kind kind)
{
    switch (kind) {
    case VXB_BUDGET_NONE: return "none";
    case VXB_BUDGET_MAX_BLADES: return "max_blades";
    case VXB_BUDGET_GPU_BYTES: return "gpu_bytes";
    case VXB_BUDGET_FILE_BYTES: return "file_bytes";
    }
    return "unknown";
}

static enum vxb_status fail_at(struct vxb_error *err, enum vxb_status status, const struct vxb_plan *plan,
                               const char *pointer)
{
    return vxbi_error_in(err, status, plan->recipe->path, pointer);
}

/* ---- the grid ---- */

static enum vxb_status plan_candidates(struct vxb_plan *plan, struct vxb_error *err)
{
    float size = plan->recipe->cell_size, side = vxbi_grass_side(size, plan->recipe->density);
    char a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    if (!vxbi_grass_side_is_half(size, plan->recipe->density)) {
        vxbi_fail(err, VXB_ERR_LIMIT,
                  "density %s is too small for cells of %s m: a cell needs at least half a candidate a side "
                  "(cell_size * sqrt(density) >= 0.5); raise the density or the cell size",
                  vxb_text_f32(plan->recipe->density, a), vxb_text_f32(size, b));
        return fail_at(err, VXB_ERR_LIMIT, plan, "/density");
    }
    if (side > VXBI_SIDE_MAX) {
        vxbi_fail(err, VXB_ERR_LIMIT,
                  "density %s gives %.0f candidates along a cell's side of %s m, at most %d are allowed; lower the "
                  "density or the cell size",
                  vxb_text_f32(plan->recipe->density, a), (double)side, vxb_text_f32(size, b), VXBI_SIDE_MAX);
        return fail_at(err, VXB_ERR_LIMIT, plan, "/density");
    }
    plan->side = side < 1.0f ? 1 : (uint32_t)side;
    plan->step = size / (float)plan->side;
    plan->tried_density = (double)plan->side * plan->side / ((double)size * (double)size);
    return VXB_OK;
}

/* Cells whose half-open square overlaps [low, high). */
static void cell_run(double low, double high, double size, int32_t *first, uint32_t *count)
{
    int64_t a = vxbi_grass_cell(low, size), b = vxbi_grass_cell(high, size);
    if ((double)b * size == high)
        b--;
    *first = (int32_t)a;
    *count = (uint32_t)(b - a + 1);
}

static enum vxb_status plan_cells(struct vxb_plan *plan, struct vxb_error *err)
{
    const struct vxb_terrain *t = plan->terrain;
    double x = (double)t->origin[0], y = (double)t->origin[1], z = (double)t->origin[2];
    double corners[6] = {x, x + vxb_terrain_width(t), z, z + vxb_terrain_depth(t), y + (double)t->min_height,
                         y + (double)t->max_height};
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int i = 0; i < 6; i++) {
        if (fabs(corners[i]) <= VXBI_WORLD_M)
            continue;
        vxbi_fail(err, VXB_ERR_LIMIT, "the terrain reaches %s = %s m, world coordinates must be within 1048576 m of 0",
                  i < 2 ? "x" : i < 4 ? "z" : "y", vxb_text_f64(corners[i], text));
        return fail_at(err, VXB_ERR_LIMIT, plan, "/terrain/origin");
    }
    double size = (double)plan->recipe->cell_size;
    cell_run(corners[0], corners[1], size, &plan->cell_x0, &plan->cells_x);
    cell_run(corners[2], corners[3], size, &plan->cell_z0, &plan->cells_z);
    uint64_t cells = (uint64_t)plan->cells_x * plan->cells_z;
    if (cells > CELLS_MOST) {
        vxbi_fail(err, VXB_ERR_LIMIT,
                  "%" PRIu32 " x %" PRIu32 " cells would be tried, at most 67108864 are allowed; raise cell_size",
                  plan->cells_x, plan->cells_z);
        return fail_at(err, VXB_ERR_LIMIT, plan, "/cell_size");
    }
    plan->candidates = cells * plan->side * plan->side;
    return VXB_OK;
}

/* ---- species ---- */

static enum vxb_status check_ids(const struct vxb_plan *plan, struct vxb_error *err)
{
    for (uint32_t k = 0; k < plan->species_count; k++) {
        const struct vxb_plan_species *s = &plan->species[k];
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/species/%" PRIu32 "%s", s->recipe_index, s->recipe->has_id ? "/id" : "");
        if (s->id == 0) {
            vxbi_fail(err, VXB_ERR_USAGE, "the species' id is 0, which only legacy files have; give it another \"id\"");
            return fail_at(err, VXB_ERR_USAGE, plan, pointer);
        }
        if (k > 0 && s->id == plan->species[k - 1].id) {
            vxbi_fail(err, VXB_ERR_USAGE, "species %" PRIu32 " (\"%s\") and %" PRIu32 " (\"%s\") have one id, "
                      "0x%016" PRIx64,
                      plan->species[k - 1].recipe_index, plan->species[k - 1].recipe->name, s->recipe_index,
                      s->recipe->name, s->id);
            return fail_at(err, VXB_ERR_USAGE, plan, pointer);
        }
    }
    return VXB_OK;
}

static enum vxb_status plan_parts(struct vxb_plan *plan, struct vxb_error *err)
{
    uint64_t weights[VXB_SPECIES_MAX], parts[VXB_SPECIES_MAX];
    for (uint32_t k = 0; k < plan->species_count; k++)
        weights[k] = vxbi_share_weight(plan->species[k].recipe->share);
    vxbi_apportion(1000000, weights, plan->species_count, parts);
    uint32_t first = 0;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        struct vxb_plan_species *s = &plan->species[k];
        s->parts = (uint32_t)parts[k];
        s->first_part = first;
        first += s->parts;
        s->ceiling = plan->tried_density * s->parts / 1e6;
        if (s->parts == 0) {
            char pointer[32], text[VXB_TEXT_NUMBER_ROOM];
            snprintf(pointer, sizeof pointer, "/species/%" PRIu32 "/share", s->recipe_index);
            vxbi_fail(err, VXB_ERR_USAGE,
                      "share %s of \"%s\" is less than a millionth of all shares, so it gets no candidate; raise it or "
                      "leave the species out",
                      vxb_text_f32(s->recipe->share, text), s->recipe->name);
            return fail_at(err, VXB_ERR_USAGE, plan, pointer);
        }
    }
    return VXB_OK;
}

static enum vxb_status plan_layers(struct vxb_plan *plan, struct vxb_error *err)
{
    for (uint32_t k = 0; k < plan->species_count; k++) {
        struct vxb_plan_species *s = &plan->species[k];
        if (!s->recipe->layer)
            continue;
        s->layer = vxb_terrain_layer(plan->terrain, s->recipe->layer);
        if (s->layer)
            continue;
        char list[512] = "", pointer[40];
        size_t used = 0;
        for (uint32_t i = 0; i < plan->terrain->layer_count && used < sizeof list - 1; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "",
                                     plan->terrain->layers[i].name);
        snprintf(pointer, sizeof pointer, "/species/%" PRIu32 "/layer", s->recipe_index);
        vxbi_fail(err, VXB_ERR_USAGE, "the terrain has no layer \"%s\"; it has %s", s->recipe->layer,
                  plan->terrain->layer_count ? list : "none");
        return fail_at(err, VXB_ERR_USAGE, plan, pointer);
    }
    return VXB_OK;
}

static void plan_materials(struct vxb_plan *plan)
{
    for (uint32_t k = 0; k < plan->species_count; k++) {
        struct vxb_plan_species *s = &plan->species[k];
        s->material_index = 0;
        for (uint32_t i = 0; i < plan->species_count; i++) {
            uint64_t other = plan->species[i].material_id;
            bool seen = false;
            for (uint32_t j = 0; j < i; j++)
                seen = seen || plan->species[j].material_id == other;
            if (!seen && other < s->material_id)
                s->material_index++;
        }
    }
}

static enum vxb_status plan_species(struct vxb_plan *plan, struct vxb_error *err)
{
    const struct vxb_recipe *recipe = plan->recipe;
    plan->species_count = recipe->species_count;
    for (uint32_t i = 0; i < recipe->species_count; i++) {
        const struct vxb_recipe_species *from = &recipe->species[i];
        struct vxb_plan_species s = {
            .recipe = from,
            .recipe_index = i,
            .id = from->has_id ? from->id : vxbi_name_id(from->name),
            .material_id = vxbi_name_id(from->material),
            .blade_budget = VXB_NO_LIMIT,
        };
        uint32_t at = i;
        for (; at > 0 && plan->species[at - 1].id > s.id; at--)
            plan->species[at] = plan->species[at - 1];
        plan->species[at] = s;
        plan->lod_count += from->lod_count;
    }
    enum vxb_status status = check_ids(plan, err);
    if (!status)
        status = plan_parts(plan, err);
    if (!status)
        status = plan_layers(plan, err);
    if (status)
        return status;
    plan_materials(plan);
    for (uint32_t k = 0; k < plan->species_count; k++)
        plan->species[k].profile_id =
            vxbi_profile_id(plan->species[k].recipe, plan->species[k].id, plan->species[k].parts);
    return VXB_OK;
}

/* ---- budgets ---- */

static uint64_t string_bytes(const struct vxb_plan *plan)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        const struct vxb_recipe_species *s = plan->species[k].recipe;
        bytes += 6 + strlen(s->name) + strlen(s->material) + strlen(s->mesh);
        for (uint32_t i = 0; i < s->pass_count; i++)
            bytes += 2 + strlen(s->passes[i]);
    }
    return bytes;
}

static void plan_fixed_costs(struct vxb_plan *plan)
{
    uint64_t cells = (uint64_t)plan->cells_x * plan->cells_z, n = plan->species_count, passes = 0;
    for (uint32_t k = 0; k < plan->species_count; k++)
        passes += plan->species[k].recipe->pass_count;
    uint64_t sections = vxbi_align_up(n * vxbi_grass_section_bytes(n == 1 ? 2 : 3), 8);
    plan->file_fixed_bytes = VXB_GRASS_HEADER_BYTES + sections + (uint64_t)VXB_GRASS_LOD_BYTES * plan->lod_count +
                             vxbi_align_up(string_bytes(plan), 8) + VXB_GRASS_CHUNK_BYTES * cells * n +
                             VXB_GRASS_CHUNK_ALIGN + 48 * cells * n;
    plan->gpu_fixed_bytes = VXB_GRASS_CHUNK_BYTES * cells * n + (uint64_t)VXB_GRASS_LOD_BYTES * plan->lod_count +
                            VXB_RUNTIME_COMMAND_BYTES * cells * passes;
}

/* Lowers the plan's blade budget to what fits in bytes, where that is less. */
static enum vxb_status limit_bytes(struct vxb_plan *plan, enum vxb_budget_kind kind, uint64_t bytes, uint64_t fixed,
                                   uint64_t per_blade, struct vxb_error *err)
{
    char pointer[32];
    if (fixed > bytes) {
        snprintf(pointer, sizeof pointer, "/budgets/%s", vxb_budget_kind_name(kind));
        vxbi_fail(err, VXB_ERR_USAGE,
                  "%" PRIu64 " bytes do not hold even an empty field: tables of %" PRIu64
                  " cells and %" PRIu32 " species may need %" PRIu64 " bytes; raise it, or raise cell_size",
                  bytes, (uint64_t)plan->cells_x * plan->cells_z, plan->species_count, fixed);
        return fail_at(err, VXB_ERR_USAGE, plan, pointer);
    }
    uint64_t blades = (bytes - fixed) / per_blade;
    if (blades > VXB_NO_LIMIT - 1)
        blades = VXB_NO_LIMIT - 1;
    if (plan->budget_kind == VXB_BUDGET_NONE || blades < plan->blade_budget) {
        plan->blade_budget = (uint32_t)blades;
        plan->budget_kind = kind;
    }
    return VXB_OK;
}

static enum vxb_status plan_budgets(struct vxb_plan *plan, struct vxb_error *err)
{
    const struct vxb_recipe_budgets *given = &plan->recipe->budgets;
    enum vxb_status status = VXB_OK;
    plan->blade_budget = VXB_NO_LIMIT;
    plan->max_commands = given->has_max_commands ? given->max_commands : VXB_NO_LIMIT;
    plan->updates_per_frame = given->has_updates_per_frame ? given->updates_per_frame : VXB_NO_LIMIT;
    plan_fixed_costs(plan);
    if (given->has_max_blades) {
        plan->blade_budget = given->max_blades;
        plan->budget_kind = VXB_BUDGET_MAX_BLADES;
    }
    if (given->has_gpu_bytes)
        status = limit_bytes(plan, VXB_BUDGET_GPU_BYTES, given->gpu_bytes, plan->gpu_fixed_bytes,
                             VXB_RUNTIME_RECORD_BYTES, err);
    if (!status && given->has_file_bytes)
        status = limit_bytes(plan, VXB_BUDGET_FILE_BYTES, given->file_bytes, plan->file_fixed_bytes,
                             VXB_GRASS_RECORD_BYTES, err);
    if (status || plan->budget_kind == VXB_BUDGET_NONE)
        return status;
    uint64_t weights[VXB_SPECIES_MAX], parts[VXB_SPECIES_MAX];
    for (uint32_t k = 0; k < plan->species_count; k++)
        weights[k] = plan->species[k].parts;
    vxbi_apportion(plan->blade_budget, weights, plan->species_count, parts);
    for (uint32_t k = 0; k < plan->species_count; k++)
        plan->species[k].blade_budget = (uint32_t)parts[k];
    return VXB_OK;
}

static void note_layers(const struct vxb_env *env, const struct vxb_plan *plan)
{
    bool differ = false;
    for (uint32_t k = 1; k < plan->species_count; k++)
        differ = differ || plan->species[k].layer != plan->species[0].layer;
    if (differ)
        vxbi_say(env, VXB_SEVERITY_NOTE, plan->recipe->path, "/species",
                 "species grow on different layers, and shares divide the field, not a layer: where only one of them "
                 "can grow, only its share of the candidates is tried");
}

enum vxb_status vxb_plan_new(const struct vxb_env *env, const struct vxb_recipe *recipe,
                             const struct vxb_terrain *terrain, struct vxb_plan **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_plan *plan = vxbi_new_zero(&allocator, 1, sizeof *plan);
    if (!plan)
        return vxbi_fail_memory(err, sizeof *plan);
    plan->allocator = allocator;
    plan->recipe = recipe;
    plan->terrain = terrain;
    plan->rank_cut = (uint32_t)rintf(recipe->density_scale * 65536.0f);
    status = plan_candidates(plan, err);
    if (!status)
        status = plan_cells(plan, err);
    if (!status)
        status = plan_species(plan, err);
    if (!status)
        status = plan_budgets(plan, err);
    if (status) {
        vxb_plan_free(plan);
        return status;
    }
    plan->bake_id = vxbi_bake_id(plan, false);
    note_layers(env, plan);
    *out = plan;
    return VXB_OK;
}

void vxb_plan_free(struct vxb_plan *plan)
{
    if (!plan)
        return;
    struct vxb_allocator allocator = plan->allocator;
    vxbi_delete(&allocator, plan, 1, sizeof *plan);
}
