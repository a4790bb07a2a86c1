/* Recipes of the kind "grass-field": from text to struct vxb_recipe.
 *
 * Invariant: a recipe that is returned has passed every check that needs no file but itself and its rules. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/os.h"
#include "../core/path.h"
#include "../core/text.h"
#include "recipe_read.h"
#include "set.h"

#define RECIPE_BYTES_MAX ((uint64_t)16 << 20)

/* What vxb_recipe_free() frees: the recipe and all it points to. */
struct whole {
    struct vxb_recipe recipe;
    struct vxbi_arena arena;
};

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

/* Kind and version decide, before all else is read, whether the rest can be understood. */
static bool pass_over(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    (void)check;
    (void)value;
    (void)at;
    (void)out;
    return true;
}

enum { KIND, VERSION, SEED, CELL_SIZE, DENSITY, DENSITY_SCALE, TERRAIN, BUDGETS, SPECIES, KEYS };

#define IN_RECIPE(member) offsetof(struct vxb_recipe, member)
static const struct vxbi_field recipe_fields[KEYS] = {
    [KIND] = {.key = "kind", .kind = VXBI_FIELD_READ, .read = pass_over},
    [VERSION] = {.key = "version", .kind = VXBI_FIELD_READ, .read = pass_over},
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

static bool check_kind(struct vxbi_check *check, const struct vxbi_json *root)
{
    struct vxbi_at kind_at = {.key = "kind"}, version_at = {.key = "version"};
    const struct vxbi_json *kind = vxbi_json_member(root, "kind"), *version = vxbi_json_member(root, "version");
    char found[128];
    if (vxbi_json_type(root) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, NULL, root, "an object, the recipe");
    if (version && vxbi_json_type(version) != VXBI_JSON_NUMBER)
        return vxbi_check_refuse(check, &version_at, version, "1");
    if (version && vxbi_json_number(version) != 1) {
        vxbi_check_fail(check, &version_at, VXB_ERR_UNSUPPORTED, "found %s; this build reads version 1",
                        vxbi_json_describe(version, found, sizeof found));
        return false;
    }
    if (!kind) {
        vxbi_check_fail(check, NULL, VXB_ERR_USAGE, "the key \"kind\" is missing; a grass recipe has \"grass-field\"");
        return false;
    }
    if (vxbi_json_type(kind) != VXBI_JSON_TEXT || strcmp(vxbi_json_text(kind), "grass-field") != 0)
        return vxbi_check_refuse(check, &kind_at, kind, "\"grass-field\"");
    return true;
}

/* ---- density ---- */

static float own_density(const struct vxb_recipe_species *species)
{
    return species->rule_has_density ? species->rule_density : VXBI_DEFAULT_DENSITY;
}

/* "density" D and the shares S0, S1, ... that would keep what the rules say. */
static void describe_densities(const struct vxb_recipe *recipe, char *buf, size_t room)
{
    char number[VXBI_NUMBER_ROOM];
    float sum = 0;
    for (uint32_t i = 0; i < recipe->species_count; i++)
        sum += own_density(&recipe->species[i]);
    size_t used = (size_t)snprintf(buf, room, "\"density\": %s and the shares ", vxbi_f32_text(sum, number));
    for (uint32_t i = 0; i < recipe->species_count; i++)
        used += (size_t)snprintf(buf + used, room - used, "%s%s", i ? ", " : "",
                                 vxbi_f32_text(own_density(&recipe->species[i]), number));
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

static void add_input(const char **inputs, uint32_t *count, const char *path)
{
    if (!path)
        return;
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(inputs[i], path) == 0)
            return;
    inputs[(*count)++] = path;
}

static bool list_inputs(struct vxbi_check *check, struct vxb_recipe *recipe)
{
    const struct vxb_terrain_desc *terrain = &recipe->terrain;
    size_t room = (size_t)terrain->layer_count + 4 + recipe->species_count;
    const char **inputs = vxbi_arena_new(check->arena, room * sizeof *inputs);
    if (!inputs) {
        vxbi_check_memory(check, room * sizeof *inputs);
        return false;
    }
    add_input(inputs, &recipe->input_count, terrain->path);
    for (uint32_t i = 0; i < terrain->layer_count; i++)
        add_input(inputs, &recipe->input_count, terrain->layers[i].map.path);
    add_input(inputs, &recipe->input_count, terrain->exclude.path);
    add_input(inputs, &recipe->input_count, terrain->scale.path);
    add_input(inputs, &recipe->input_count, terrain->stomp.path);
    for (uint32_t i = 0; i < recipe->species_count; i++)
        add_input(inputs, &recipe->input_count, recipe->species[i].rule);
    recipe->inputs = inputs;
    return true;
}

/* ---- the whole ---- */

static bool read_recipe(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_recipe *recipe)
{
    struct vxbi_seen seen;
    recipe->cell_size = 32;
    recipe->density_scale = 1;
    if (!check_kind(check, root))
        return false;
    bool good = vxbi_check_object(check, root, NULL, recipe_fields, KEYS, recipe, &seen);
    if (recipe->species_count)
        good &= resolve_density(check, recipe, vxbi_has(seen.present, DENSITY));
    return good && list_inputs(check, recipe);
}

/* Parses, overrides and reads: whatever goes wrong has been reported through check. */
static bool build(struct vxbi_check *check, const char *text, size_t size, const struct vxb_recipe_set *sets,
                  size_t count, struct vxb_recipe *recipe)
{
    struct vxbi_json *root = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxbi_json_parse(check->env, text, size, VXB_ERR_USAGE, &root, &err);
    if (status) {
        vxbi_error_in(&err, status, check->path, NULL);
        vxbi_check_send(check, &err);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= vxbi_recipe_apply_set(check, root, &sets[i]);
    good &= read_recipe(check, root, recipe);
    vxbi_json_free(root);
    return good;
}

static void free_whole(struct whole *whole)
{
    struct vxb_allocator allocator = whole->arena.allocator;
    vxbi_arena_clear(&whole->arena);
    vxbi_delete(&allocator, whole, 1, sizeof *whole);
}

static enum vxb_status parse(const struct vxb_env *env, const char *text, size_t size, const char *folder,
                             const char *path, const struct vxb_recipe_set *sets, size_t count,
                             struct vxb_recipe **out, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct whole *whole = vxbi_new_zero(&allocator, 1, sizeof *whole);
    struct vxbi_check check = {.env = env, .folder = folder, .first = err};
    check.path = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!whole) {
        vxbi_check_memory(&check, sizeof *whole);
        return check.status;
    }
    whole->arena.allocator = allocator;
    check.arena = &whole->arena;
    whole->recipe.path = vxbi_arena_text(&whole->arena, path, strlen(path));
    if (!whole->recipe.path)
        vxbi_check_memory(&check, strlen(path) + 1);
    if (whole->recipe.path && build(&check, text, size, sets, count, &whole->recipe)) {
        *out = &whole->recipe;
        return VXB_OK;
    }
    free_whole(whole);
    return check.status;
}

enum vxb_status vxb_recipe_parse(const struct vxb_env *env, const char *text, size_t size, const char *folder,
                                 const char *name, const struct vxb_recipe_set *sets, size_t count,
                                 struct vxb_recipe **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    return status ? status : parse(env, text, size, folder, name, sets, count, out, err);
}

enum vxb_status vxb_recipe_load(const struct vxb_env *env, const char *path, const struct vxb_recipe_set *sets,
                                size_t count, struct vxb_recipe **out, struct vxb_error *err)
{
    struct vxbi_check check = {.env = env, .first = err};
    struct vxbi_bytes bytes = {0};
    struct vxb_error failure = {0};
    char folder[VXBI_PATH_ROOM] = "";
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    status = vxbi_read_all(env, path, RECIPE_BYTES_MAX, &bytes, &failure);
    if (!status && strcmp(path, "-") != 0 && !vxbi_path_folder(folder, sizeof folder, path))
        status = vxbi_error_in(&failure, vxbi_fail(&failure, VXB_ERR_USAGE, "this path is too long"), path, NULL);
    if (status) {
        /* An empty file is a fault of the recipe, as one that holds a blank would be. */
        if (status == VXB_ERR_FORMAT)
            failure.status = VXB_ERR_USAGE;
        vxbi_check_send(&check, &failure);
        vxbi_bytes_clear(&bytes);
        return check.status;
    }
    status = parse(env, (const char *)bytes.data, bytes.size, folder, path, sets, count, out, err);
    vxbi_bytes_clear(&bytes);
    return status;
}

void vxb_recipe_free(struct vxb_recipe *recipe)
{
    if (recipe)
        free_whole((struct whole *)(void *)((char *)recipe - offsetof(struct whole, recipe)));
}
