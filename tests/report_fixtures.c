/* A plan and a report of a bake made by hand: every number differs, so that none can stand in for another. */
#include "report_fixtures.h"

#include <string.h>

static const char *const inputs[3] = {"recipes/my meadow/ground.png", "recipes/my meadow/maps/grass.png",
                                      "/elsewhere/rule.vxgrass"};

static void make_recipe(struct vxb_recipe *recipe)
{
    recipe->path = "recipes/my meadow/meadow.json";
    recipe->seed = 4294967295u;
    recipe->cell_size = 32.0f;
    recipe->density = 0.3f;
    recipe->density_scale = 0.9f;
    recipe->budgets.has_max_blades = true;
    recipe->budgets.max_blades = 70000;
    recipe->budgets.has_gpu_bytes = true;
    recipe->budgets.gpu_bytes = 9007199254740991u;
    recipe->species_count = 2;
    recipe->inputs = inputs;
    recipe->input_count = 3;
    for (int i = 0; i < 2; i++) {
        struct vxb_recipe_species *species = &recipe->species[i];
        species->name = i ? "sedge" : "fescue";
        species->material = i ? "reeds" : "fescue";
        species->mesh = "";
        species->layer = i ? "dirt" : NULL;
        species->share = i ? 0.25f : 0.75f;
        species->lod_count = 1u + (uint32_t)i;
        species->passes[0] = "main";
        species->passes[1] = "shadow";
        species->pass_count = 2u - (uint32_t)i;
    }
}

static void make_plan(struct report_fixture *f)
{
    struct vxb_plan *plan = &f->plan;
    plan->recipe = &f->recipe;
    plan->terrain = &f->terrain;
    plan->side = 18;
    plan->step = 32.0f / 18.0f;
    plan->tried_density = 18.0 * 18.0 / 1024.0;
    plan->cell_x0 = -2;
    plan->cell_z0 = -3;
    plan->cells_x = 20;
    plan->cells_z = 30;
    plan->candidates = 18 * 18 * 600;
    plan->species_count = 2;
    plan->lod_count = 3;
    plan->blade_budget = 70000;
    plan->budget_kind = VXB_BUDGET_MAX_BLADES;
    plan->file_fixed_bytes = 12345;
    plan->gpu_fixed_bytes = 6789;
    plan->bake_id = 0x0123456789ABCDEFu;
    for (uint32_t i = 0; i < 2; i++) {
        struct vxb_plan_species *species = &plan->species[i];
        species->recipe = &f->recipe.species[i];
        species->recipe_index = i;
        species->id = 0x1000 + i;
        species->material_id = 0xFFFFFFFFFFFFFFF0u + i;
        species->profile_id = 0xABCD0000u + i;
        species->material_index = i;
        species->parts = i ? 250000 : 750000;
        species->first_part = i ? 750000 : 0;
        species->blade_budget = i ? 17500 : 52500;
        species->ceiling = plan->tried_density * species->parts / 1e6;
        species->layer = i ? &f->layers[1] : NULL;
    }
}

static void make_report(struct report_fixture *f)
{
    struct vxb_bake_report *report = &f->report;
    report->species_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        struct vxb_ledger *one = &report->species[i], *field = &report->field;
        one->placed = i ? 17500 : 40000;
        one->candidates = one->placed;
        for (uint32_t k = 0; k < VXB_REASON_COUNT; k++) {
            one->reasons[k] = 1000 * (i + 1) + 17 * k;
            one->candidates += one->reasons[k];
            field->reasons[k] += one->reasons[k];
        }
        one->chunks = 300 + i;
        one->bytes = one->placed * 16;
        one->commands = one->chunks * (2 - i);
        field->placed += one->placed;
        field->candidates += one->candidates;
        field->chunks += one->chunks;
        field->bytes += one->bytes;
        field->commands += one->commands;
        report->rank_limit[i] = (uint16_t)(60000 + i);
    }
    report->file_bytes = 1000000;
    report->gpu_bytes = 1500000;
    report->bake_id = f->plan.bake_id;
    report->content_id = 0xFEDCBA9876543210u;
    report->format = 3;
    report->seconds = 1.25;
}

void report_fixture_make(struct report_fixture *f)
{
    memset(f, 0, sizeof *f);
    f->layers[0].name = "grass";
    f->layers[1].name = "dirt";
    f->terrain.samples_x = 513;
    f->terrain.samples_z = 1025;
    f->terrain.metres_per_quad = 1.25f;
    f->terrain.min_height = -16.0f;
    f->terrain.max_height = 16.5f;
    f->terrain.origin[0] = -40.0f;
    f->terrain.file_hash = 0x00000000000000FFu;
    f->terrain.layers = f->layers;
    f->terrain.layer_count = 2;
    make_recipe(&f->recipe);
    make_plan(f);
    make_report(f);
}
