/* Recipes of the kind "irradiance-field": from a tree to struct vxb_probe_recipe. The scene of it, what light meets and
 * where it comes from, is read by recipe_scene.c.
 *
 * Invariant: every default is filled in, so that what is returned is the canonical form: no later step has defaults of
 * its own. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/text.h"
#include "recipe_scene.h"

static const char *const encoding_names[] = {"f32", "f16", NULL};

/* ---- bounds, cells, slots ---- */

#define CORNER(name, where)                                                                              \
    {                                                                                                    \
        .key = name, .kind = VXBI_FIELD_F32, .offset = where, .low = -VXBI_WORLD_M, .high = VXBI_WORLD_M, \
        .count = 3, .required = true                                                                     \
    }

static const struct vxbi_field box_fields[] = {
    CORNER("min", offsetof(struct vxb_probe_region, min)),
    CORNER("max", offsetof(struct vxb_probe_region, max)),
};

/* out: struct vxb_probe_recipe. */
static bool read_bounds(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct vxb_probe_recipe *recipe = out;
    struct vxb_probe_region *const box = &recipe->bounds;
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    bool good = vxbi_check_object(check, value, at, box_fields, 2, box, NULL);
    for (int i = 0; good && i < 3; i++)
        if (!(box->min[i] < box->max[i])) {
            vxbi_check_fail(check, at, VXB_ERR_USAGE, "along %s min, %s, is not below max, %s", axes[i],
                            vxb_text_f32(box->min[i], low), vxb_text_f32(box->max[i], high));
            return false;
        }
    return good;
}

/* Whether three factors, each at most 2^20, have a product of at most most. */
static bool check_product(struct vxbi_check *check, const struct vxbi_at *at, const uint32_t v[3], uint32_t most,
                          const char *what)
{
    const uint64_t product = (uint64_t)v[0] * v[1] * v[2];
    if (product <= most)
        return true;
    vxbi_check_fail(check, at, VXB_ERR_USAGE,
                    "found %" PRIu32 " x %" PRIu32 " x %" PRIu32 " = %" PRIu64 " %s; allowed: at most %" PRIu32
                    " in all", v[0], v[1], v[2], product, what, most);
    return false;
}

static bool read_cells(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field field = {.kind = VXBI_FIELD_U32, .low = 1, .high = VXB_PROBE_CELLS_AXIS_MAX,
                                            .count = 3};
    return vxbi_check_value(check, value, at, &field, out) &&
           check_product(check, at, out, VXB_PROBE_CELLS_MAX, "cells");
}

/* Three sides, or a number: the smallest cube that holds as many. */
static bool read_slots(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field sides = {.kind = VXBI_FIELD_U32, .low = 1, .high = 1024, .count = 3};
    static const struct vxbi_field least = {.kind = VXBI_FIELD_U32, .low = 1, .high = 1000000};
    uint32_t *slots = out, number, side = 1;
    if (vxbi_json_type(value) == VXBI_JSON_ARRAY)
        return vxbi_check_value(check, value, at, &sides, slots) &&
               check_product(check, at, slots, VXB_PROBE_SLOTS_MAX, "slots");
    if (vxbi_json_type(value) != VXBI_JSON_NUMBER)
        return vxbi_check_refuse(check, at, value,
                                 "an array of three sides, or the number of slots that a cube is to hold");
    if (!vxbi_check_value(check, value, at, &least, &number))
        return false;
    while (side * side * side < number)
        side++;
    slots[0] = slots[1] = slots[2] = side;
    return true;
}

/* ---- allocate, refine, bands ---- */

static bool read_size(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    const double number = vxbi_json_number(value);
    uint32_t size = 1;
    while (size < VXB_BRICK_SIZE_MAX && size < number)
        size *= 2;
    if (vxbi_json_type(value) != VXBI_JSON_NUMBER || number != size)
        return vxbi_check_refuse(check, at, value, "a power of two from 1 to 1024, the cells along a brick's side");
    *(uint32_t *)out = size;
    return true;
}

/* An array of at most most objects, each read by the fields into stride bytes; *values is NULL where there is none. */
struct list {
    const struct vxbi_field *fields;
    unsigned field_count;
    size_t stride, least, most;
    const char *allowed;
    bool (*whole)(struct vxbi_check *check, const struct vxbi_at *at, const void *values, size_t index);
};

static bool read_list(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct list *list, void **values, uint32_t *count)
{
    *values = NULL;
    *count = 0;
    if (!vxbi_check_array(check, value, at, list->least, list->most, list->allowed))
        return false;
    const size_t room = vxbi_json_count(value);
    if (room == 0)
        return true;
    char *all = vxbi_arena_new(check->arena, room * list->stride);
    if (!all) {
        vxbi_check_memory(check, room * list->stride);
        return false;
    }
    bool good = true;
    struct vxbi_at here = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), here.index++) {
        bool whole = vxbi_check_object(check, child, &here, list->fields, list->field_count,
                                       all + here.index * list->stride, NULL);
        good &= whole && list->whole(check, &here, all, here.index);
    }
    *values = all;
    *count = (uint32_t)room;
    return good;
}

#define IN_REGION(member) offsetof(struct vxb_recipe_region, member)
static const struct vxbi_field region_fields[] = {
    CORNER("min", IN_REGION(box.min)),
    CORNER("max", IN_REGION(box.max)),
    {.key = "size", .kind = VXBI_FIELD_READ, .offset = IN_REGION(size), .read = read_size, .required = true},
};

static bool check_region(struct vxbi_check *check, const struct vxbi_at *at, const void *values, size_t index)
{
    static const char *const low[] = {"min's x", "min's y", "min's z"}, *const high[] = {"max's", "max's", "max's"};
    const struct vxb_recipe_region *region = (const struct vxb_recipe_region *)values + index;
    bool good = true;
    for (int i = 0; i < 3; i++)
        good &= vxbi_check_order(check, at, low[i], region->box.min[i], high[i], region->box.max[i]);
    return good;
}

static const struct list allocate_list = {region_fields, 3, sizeof(struct vxb_recipe_region), 1, VXB_PROBE_REGIONS_MAX,
                                          "an array of 1 to 1024 boxes", check_region};
static const struct list refine_list = {region_fields, 3, sizeof(struct vxb_recipe_region), 0, VXB_PROBE_REGIONS_MAX,
                                        "an array of at most 1024 boxes", check_region};

static bool read_allocate(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_probe_recipe *recipe = out;
    void *values;
    bool good = read_list(check, value, at, &allocate_list, &values, &recipe->allocate_count);
    recipe->allocate = values;
    return good;
}

static bool read_refine(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_probe_recipe *recipe = out;
    void *values;
    bool good = read_list(check, value, at, &refine_list, &values, &recipe->refine_count);
    recipe->refine = values;
    return good;
}

#define IN_BAND(member) offsetof(struct vxb_probe_band, member)
static const struct vxbi_field band_fields[] = {
    {.key = "margin", .kind = VXBI_FIELD_F32, .offset = IN_BAND(margin), .high = VXBI_WORLD_M, .required = true},
    {.key = "size", .kind = VXBI_FIELD_READ, .offset = IN_BAND(size), .read = read_size, .required = true},
};

static bool check_band(struct vxbi_check *check, const struct vxbi_at *at, const void *values, size_t index)
{
    const struct vxb_probe_band *bands = values;
    const struct vxbi_at size = {.up = at, .key = "size"};
    if (index == 0 || bands[index].size < bands[index - 1].size)
        return true;
    vxbi_check_fail(check, &size, VXB_ERR_USAGE,
                    "found %" PRIu32 "; allowed: below %" PRIu32 ", as the coarsest band comes first",
                    bands[index].size,
                    bands[index - 1].size);
    return false;
}

static bool read_bands(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct list list = {band_fields, 2, sizeof(struct vxb_probe_band), 0, VXB_PROBE_BANDS_MAX,
                                     "an array of at most 11 bands", check_band};
    struct vxb_probe_recipe *recipe = out;
    void *values;
    bool good = read_list(check, value, at, &list, &values, &recipe->band_count);
    recipe->bands = values;
    return good;
}

/* ---- the whole ---- */

enum { KIND, VERSION, BOUNDS, CELLS, SLOTS, ALLOCATE, REFINE, BANDS, FOCUS, TERRAIN, SHAPES, SKY, SUN, RAYS,
       MAX_DISTANCE, BOUNCES, DILATION, ENCODING, KEYS };

#define IN_RECIPE(member) offsetof(struct vxb_probe_recipe, member)
static const struct vxbi_field recipe_fields[KEYS] = {
    [KIND] = {.key = "kind", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [VERSION] = {.key = "version", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [BOUNDS] = {.key = "bounds", .kind = VXBI_FIELD_READ, .read = read_bounds, .required = true},
    [CELLS] = {.key = "cells", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(cells), .read = read_cells,
               .required = true},
    [SLOTS] = {.key = "slots", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(slots), .read = read_slots},
    [ALLOCATE] = {.key = "allocate", .kind = VXBI_FIELD_READ, .read = read_allocate},
    [REFINE] = {.key = "refine", .kind = VXBI_FIELD_READ, .read = read_refine},
    [BANDS] = {.key = "bands", .kind = VXBI_FIELD_READ, .read = read_bands},
    [FOCUS] = {.key = "focus", .kind = VXBI_FIELD_F32, .offset = IN_RECIPE(focus), .low = -VXBI_WORLD_M,
               .high = VXBI_WORLD_M, .count = 3},
    [TERRAIN] = {.key = "terrain", .kind = VXBI_FIELD_READ, .read = vxbi_read_lit_terrain},
    [SHAPES] = {.key = "shapes", .kind = VXBI_FIELD_READ, .read = vxbi_read_shapes},
    [SKY] = {.key = "sky", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(sky), .read = vxbi_read_sky},
    [SUN] = {.key = "sun", .kind = VXBI_FIELD_READ, .read = vxbi_read_sun},
    [RAYS] = {.key = "rays", .kind = VXBI_FIELD_U32, .offset = IN_RECIPE(rays), .low = 1, .high = VXB_FILL_RAYS_MAX},
    [MAX_DISTANCE] = {.key = "max_distance", .kind = VXBI_FIELD_F32, .offset = IN_RECIPE(max_distance), .above = true,
                      .high = VXB_FILL_DISTANCE_MAX},
    [BOUNCES] = {.key = "bounces", .kind = VXBI_FIELD_U32, .offset = IN_RECIPE(bounces), .high = VXB_FILL_BOUNCES_MAX},
    [DILATION] = {.key = "dilation", .kind = VXBI_FIELD_U32, .offset = IN_RECIPE(dilation),
                  .high = VXB_FILL_DILATION_MAX},
    [ENCODING] = {.key = "encoding", .kind = VXBI_FIELD_ENUM, .offset = IN_RECIPE(encoding), .names = encoding_names,
                  .low = VXB_PROBE_F32},
};

/* A cell that is smaller than an f32 can tell apart at the world's edge makes no grid. */
static bool check_cell_size(struct vxbi_check *check, const struct vxb_probe_recipe *recipe)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct vxbi_at at = {.key = "cells"};
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int i = 0; i < 3; i++) {
        const double side = ((double)recipe->bounds.max[i] - (double)recipe->bounds.min[i]) / recipe->cells[i];
        if (side < VXB_PROBE_CELL_MIN_M) {
            vxbi_check_fail(check, &at, VXB_ERR_USAGE, "a cell is %s m along %s; allowed: at least 0.0009765625 m",
                            vxb_text_f64(side, text), axes[i]);
            return false;
        }
    }
    return true;
}

/* All of the box at the largest size that fits it. */
static bool allocate_all(struct vxbi_check *check, struct vxb_probe_recipe *recipe)
{
    struct vxb_recipe_region *all = vxbi_arena_new(check->arena, sizeof *all);
    uint32_t least = recipe->cells[0];
    if (!all) {
        vxbi_check_memory(check, sizeof *all);
        return false;
    }
    for (int i = 1; i < 3; i++)
        least = recipe->cells[i] < least ? recipe->cells[i] : least;
    all->box = recipe->bounds;
    for (all->size = 1; all->size * 2 <= least; all->size *= 2)
        ;
    recipe->allocate = all;
    recipe->allocate_count = 1;
    return true;
}

static bool fill_defaults(struct vxbi_check *check, struct vxb_probe_recipe *recipe, uint64_t present)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double low = (double)recipe->bounds.min[i], high = (double)recipe->bounds.max[i];
        square += (high - low) * (high - low);
        if (!vxbi_has(present, FOCUS))
            recipe->focus[i] = vxbi_recipe_f32(0.5 * (low + high));
    }
    if (!vxbi_has(present, MAX_DISTANCE))
        recipe->max_distance = (float)sqrt(square);
    return vxbi_has(present, ALLOCATE) || allocate_all(check, recipe);
}

bool vxbi_read_probes(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_probe_recipe *recipe)
{
    struct vxbi_seen seen;
    recipe->sky.intensity = 1;
    recipe->rays = 64;
    recipe->bounces = 1;
    recipe->dilation = 2;
    for (int i = 0; i < 3; i++)
        recipe->terrain_albedo[i] = VXBI_DEFAULT_ALBEDO;
    bool good = vxbi_check_object(check, root, NULL, recipe_fields, KEYS, recipe, &seen);
    if (vxbi_has(seen.good, BOUNDS) && vxbi_has(seen.good, CELLS))
        good &= check_cell_size(check, recipe) && fill_defaults(check, recipe, seen.present);
    return good && vxbi_list_probe_inputs(check, recipe);
}
