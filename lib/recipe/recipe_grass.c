/* Recipes of the kind "grass-field": from a tree to struct vxb_recipe. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "recipe_read.h"

/* ---- the top ---- */

static const struct vxbi_field budget_fields[] = {
    {.key = "max_blades", .kind = VXBI_FIELD_U32, .offset = offsetof(struct vxb_recipe_budgets, max_blades),
     .high = 4294967294.0},
    {.key = "gpu_bytes", .kind = VXBI_FIELD_U64, .offset = offsetof(struct vxb_recipe_budgets, gpu_bytes),
     .high = 9007199254740991.0},
    {.key = "file_bytes", .kind = VXBI_FIELD_U64, .offset = offsetof(struct vxb_recipe_budgets, file_bytes),
     .high = 9007199254740991.0},
    {.key = "max_commands", .kind = VXBI_FIELD_U32, .offset = offsetof(struct vxb_recipe_budgets, max_commands),
     .high = 4294967294.0},
    {.key = "updates_per_frame", .kind = VXBI_FIELD_U32,
     .offset = offsetof(struct vxb_recipe_budgets, updates_per_frame), .high = 4294967294.0},
};

static bool read_budgets(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_recipe_budgets *budgets = out;
    struct vxbi_seen seen;
    bool good = vxbi_check_object(check, value, at, budget_fields, 5, budgets, &seen);
    budgets->has_max_blades = vxbi_has(seen.good, 0);
    budgets->has_gpu_bytes = vxbi_has(seen.good, 1);
    budgets->has_file_bytes = vxbi_has(seen.good, 2);
    budgets->has_max_commands = vxbi_has(seen.good, 3);
    budgets->has_updates_per_frame = vxbi_has(seen.good, 4);
    return good;
}

enum { KIND, VERSION, SEED, CELL_SIZE, DENSITY, DENSITY_SCALE, TERRAIN, BUDGETS, SPECIES, KEYS };

#define IN_RECIPE(member) offsetof(struct vxb_recipe, member)
static const struct vxbi_field recipe_fields[KEYS] = {
    [KIND] = {.key = "kind", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [VERSION] = {.key = "version", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [SEED] = {.key = "seed", .kind = VXBI_FIELD_U32, .offset = IN_RECIPE(seed), .high = UINT32_MAX},
    [CELL_SIZE] = {.key = "cell_size", .kind = VXBI_FIELD_F32, .offset = IN_RECIPE(cell_size), .low = 1, .high = 1024},
    [DENSITY] = {.key = "density", .kind = VXBI_FIELD_F32, .offset = IN_RECIPE(density), .above = true,
                 .high = VXBI_DENSITY_MAX},
    [DENSITY_SCALE] = {.key = "density_scale", .kind = VXBI_FIELD_F32, .offset = IN_RECIPE(density_scale), .high = 1},
    [TERRAIN] = {.key = "terrain", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(terrain), .read = vxbi_read_terrain,
                 .required = true},
    [BUDGETS] = {.key = "budgets", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(budgets), .read = read_budgets},
    [SPECIES] = {.key = "species", .kind = VXBI_FIELD_READ, .read = vxbi_read_species, .required = true},
};

/* ---- density ---- */

static float own_density(const struct vxb_recipe_species *species)
{
    return species->rule_has_density ? species->rule_density : VXBI_DEFAULT_DENSITY;
}

/* "density" D and the shares S0, S1, ... that would keep what the rules say. */
static void describe_densities(const struct vxb_recipe *recipe, char *buf, size_t room)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    float sum = 0;
    for (uint32_t i = 0; i < recipe->species_count; i++)
        sum += own_density(&recipe->species[i]);
    size_t used = (size_t)snprintf(buf, room, "\"density\": %s and the shares ", vxb_text_f32(sum, number));
    for (uint32_t i = 0; i < recipe->species_count; i++)
        used += (size_t)snprintf(buf + used, room - used, "%s%s", i ? ", " : "",
                                 vxb_text_f32(own_density(&recipe->species[i]), number));
}

/* Whether some rule's density is not what the recipe's density and shares give its species, to a hundredth. */
static bool rules_are_ignored(const struct vxb_recipe *recipe)
{
    double shares = 0;
    bool ignored = false;
    for (uint32_t i = 0; i < recipe->species_count; i++)
        shares += (double)recipe->species[i].share;
    for (uint32_t i = 0; i < recipe->species_count; i++) {
        const struct vxb_recipe_species *s = &recipe->species[i];
        double gets = (double)recipe->density * (double)s->share / shares, wants = (double)s->rule_density;
        ignored |= s->rule_has_density && fabs(gets - wants) > 0.01 * wants;
    }
    return ignored;
}

/* One species may leave its density to its rule or the default; more share one, which the recipe gives. */
static bool resolve_density(struct vxbi_check *check, struct vxb_recipe *recipe, bool given)
{
    char would[256];
    bool ruled = false;
    if (recipe->species_count == 1) {
        if (!given)
            recipe->density = own_density(&recipe->species[0]);
        return true;
    }
    for (uint32_t i = 0; i < recipe->species_count; i++)
        ruled |= recipe->species[i].rule_has_density;
    describe_densities(recipe, would, sizeof would);
    if (!given) {
        vxbi_check_fail(check, NULL, VXB_ERR_USAGE, "the key \"density\" is missing: %" PRIu32
                        " species share one density%s%s%s", recipe->species_count,
                        ruled ? "; the rules' own would be " : "", ruled ? would : "", ruled ? ", in order" : "");
        return false;
    }
    if (rules_are_ignored(recipe)) {
        struct vxbi_at at = {.key = "density"};
        vxbi_check_say(check, VXB_SEVERITY_WARNING, &at, "the rules' own densities are ignored, as the species share "
                       "one; %s, in order, would give them", would);
    }
    return true;
}

/* ---- inputs ---- */

static bool list_inputs(struct vxbi_check *check, struct vxb_recipe *recipe)
{
    const struct vxb_terrain_desc *terrain = &recipe->terrain;
    size_t room = (size_t)terrain->layer_count + VXBI_TERRAIN_INPUTS + recipe->species_count;
    const char **inputs = vxbi_arena_new(check->arena, room * sizeof *inputs);
    if (!inputs) {
        vxbi_check_memory(check, room * sizeof *inputs);
        return false;
    }
    vxbi_add_terrain_inputs(inputs, &recipe->input_count, terrain);
    for (uint32_t i = 0; i < recipe->species_count; i++)
        vxbi_add_input(inputs, &recipe->input_count, recipe->species[i].rule);
    recipe->inputs = inputs;
    return true;
}

/* ---- the whole ---- */

bool vxbi_read_grass(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_recipe *recipe)
{
    struct vxbi_seen seen;
    recipe->cell_size = 32;
    recipe->density_scale = 1;
    bool good = vxbi_check_object(check, root, NULL, recipe_fields, KEYS, recipe, &seen);
    if (recipe->species_count)
        good &= resolve_density(check, recipe, vxbi_has(seen.present, DENSITY));
    return good && list_inputs(check, recipe);
}
