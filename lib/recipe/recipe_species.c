/* The species of a recipe: what is said of each, its rule merged in under it, the defaults under that. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "recipe_read.h"
#include "vxgrass.h"

bool vxbi_check_order(struct vxbi_check *check, const struct vxbi_at *at, const char *low_name, float low,
                      const char *high_name, float high)
{
    char a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    if (low <= high)
        return true;
    vxbi_check_fail(check, at, VXB_ERR_USAGE, "%s, %s, is above %s, %s", low_name, vxb_text_f32(low, a), high_name,
                    vxb_text_f32(high, b));
    return false;
}

/* ---- levels of detail ---- */

#define IN_LOD(member) offsetof(struct vxb_recipe_lod, member)
static const struct vxbi_field distance_field = {
    .kind = VXBI_FIELD_F32, .low = 0, .above = true, .high = VXBI_DISTANCE_MAX};

/* A number of metres, or null for no end. */
static bool read_distance(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    if (vxbi_json_type(value) == VXBI_JSON_NUMBER)
        return vxbi_check_value(check, value, at, &distance_field, out);
    if (vxbi_json_type(value) != VXBI_JSON_NULL)
        return vxbi_check_refuse(check, at, value, "a number above 0, at most 1e+09, or null for infinity in the last");
    *(float *)out = INFINITY;
    return true;
}

enum { LOD_DISTANCE, LOD_FADE, LOD_KEEP, LOD_INDEX_COUNT, LOD_FIRST_INDEX, LOD_VERTEX_OFFSET, LOD_KEYS };
static const struct vxbi_field lod_fields[LOD_KEYS] = {
    [LOD_DISTANCE] = {.key = "distance", .kind = VXBI_FIELD_READ, .offset = IN_LOD(distance), .read = read_distance,
                      .required = true},
    [LOD_FADE] = {.key = "fade", .kind = VXBI_FIELD_F32, .offset = IN_LOD(fade), .high = VXBI_DISTANCE_MAX},
    [LOD_KEEP] = {.key = "keep", .kind = VXBI_FIELD_F32, .offset = IN_LOD(keep), .high = 1},
    [LOD_INDEX_COUNT] = {.key = "index_count", .kind = VXBI_FIELD_U32, .offset = IN_LOD(index_count),
                         .high = UINT32_MAX},
    [LOD_FIRST_INDEX] = {.key = "first_index", .kind = VXBI_FIELD_U32, .offset = IN_LOD(first_index),
                         .high = UINT32_MAX},
    [LOD_VERTEX_OFFSET] = {.key = "vertex_offset", .kind = VXBI_FIELD_I32, .offset = IN_LOD(vertex_offset),
                           .low = INT32_MIN, .high = INT32_MAX},
};

/* What one LOD must be beside the one before it (NULL: none). */
static bool check_lod(struct vxbi_check *check, const struct vxbi_at *at, const struct vxb_recipe_lod *before,
                      const struct vxb_recipe_lod *lod)
{
    struct vxbi_at distance = {.up = at, .key = "distance"}, keep = {.up = at, .key = "keep"},
                   fade = {.up = at, .key = "fade"};
    char a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    float least = before ? before->distance : 0;
    bool good = vxbi_check_order(check, &fade, "fade", lod->fade, "distance", lod->distance);
    if (isinf(least)) {
        vxbi_check_fail(check, &distance, VXB_ERR_USAGE, "the LOD before this one has no end; null is for the last");
        good = false;
    } else if (!(lod->distance > least)) {
        vxbi_check_fail(check, &distance, VXB_ERR_USAGE, "found %s; allowed: above %s, as distances ascend strictly",
                        vxb_text_f32(lod->distance, a), vxb_text_f32(least, b));
        good = false;
    }
    if (before && lod->keep > before->keep) {
        vxbi_check_fail(check, &keep, VXB_ERR_USAGE, "found %s; allowed: at most %s, as keep does not rise",
                        vxb_text_f32(lod->keep, a), vxb_text_f32(before->keep, b));
        good = false;
    }
    return good;
}

/* out: struct vxb_recipe_species. */
static bool read_lods(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_recipe_species *species = out;
    if (!vxbi_check_array(check, value, at, 1, VXB_LODS_MAX, "an array of 1 to 8 LODs"))
        return false;
    bool good = true;
    const struct vxb_recipe_lod *before = NULL;
    struct vxbi_at here = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), here.index++) {
        struct vxb_recipe_lod *lod = &species->lods[here.index];
        struct vxbi_seen seen;
        *lod = (struct vxb_recipe_lod){.keep = 1};
        bool whole = vxbi_check_object(check, child, &here, lod_fields, LOD_KEYS, lod, &seen);
        if (!vxbi_has(seen.present, LOD_FADE))
            lod->fade = lod->distance;
        if (whole)
            whole = check_lod(check, &here, before, lod);
        good &= whole;
        before = whole ? lod : NULL;
    }
    species->lod_count = (uint32_t)here.index;
    return good;
}

/* ---- other values ---- */

/* out: struct vxb_recipe_species. */
static bool read_passes(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field name = {.kind = VXBI_FIELD_NAME};
    struct vxb_recipe_species *species = out;
    if (!vxbi_check_array(check, value, at, 1, VXB_PASSES_MAX, "an array of 1 to 4 names of passes"))
        return false;
    bool good = true;
    struct vxbi_at here = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), here.index++) {
        species->passes[here.index] = NULL;
        good &= vxbi_check_value(check, child, &here, &name, &species->passes[here.index]);
        for (size_t i = 0; i < here.index; i++) {
            if (species->passes[i] && species->passes[here.index] &&
                strcmp(species->passes[i], species->passes[here.index]) == 0) {
                vxbi_check_fail(check, &here, VXB_ERR_USAGE, "the pass \"%s\" is named already", species->passes[i]);
                good = false;
            }
        }
    }
    species->pass_count = (uint32_t)here.index;
    return good;
}

/* "0x" and 1 to 16 hexadecimal digits, not all zero. */
static bool read_id(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const char allowed[] = "a text of \"0x\" and 1 to 16 hexadecimal digits, not zero";
    const char *text = vxbi_json_text(value);
    uint64_t id = 0;
    if (!text || strncmp(text, "0x", 2) != 0)
        return vxbi_check_refuse(check, at, value, allowed);
    size_t length = strlen(text + 2);
    if (length < 1 || length > 16 || strspn(text + 2, "0123456789abcdefABCDEF") != length)
        return vxbi_check_refuse(check, at, value, allowed);
    for (const char *c = text + 2; *c; c++)
        id = id << 4 | (uint64_t)(*c <= '9' ? *c - '0' : (*c | 0x20) - 'a' + 10);
    if (!id)
        return vxbi_check_refuse(check, at, value, allowed);
    *(uint64_t *)out = id;
    return true;
}

/* A layer's name, or null: bound to none, whatever the rule says. */
static bool read_layer(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field name = {.kind = VXBI_FIELD_NAME};
    const char *text = vxbi_json_text(value);
    if (vxbi_json_type(value) == VXBI_JSON_NULL) {
        *(const char **)out = NULL;
        return true;
    }
    if (!text || !*text || strlen(text) > VXB_NAME_MAX_BYTES)
        return vxbi_check_refuse(check, at, value, "the name of a layer, 1 to 255 bytes, or null for none");
    return vxbi_check_value(check, value, at, &name, out);
}

static bool read_degrees(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field field = {.kind = VXBI_FIELD_F32, .high = 90};
    float unused;
    if (!vxbi_check_value(check, value, at, &field, &unused))
        return false;
    *(float *)out = vxbi_recipe_f32(vxbi_json_number(value) * 3.14159265358979323846 / 180);
    return true;
}

/* ---- one species ---- */

enum {
    NAME, ID, SHARE, MATERIAL, MESH, MESH_RADIUS, RULE, LAYER, MIN_WEIGHT, MAX_WEIGHT, JITTER, MIN_SCALE, MAX_SCALE,
    RANDOM_YAW, ALIGN_TO_NORMAL, MAX_SLOPE, MAX_SLOPE_DEGREES, ALTITUDE, LODS, PASSES, KEYS
};

#define IN_SPECIES(member) offsetof(struct vxb_recipe_species, member)
static const struct vxbi_field species_fields[KEYS] = {
    [NAME] = {.key = "name", .kind = VXBI_FIELD_NAME, .offset = IN_SPECIES(name)},
    [ID] = {.key = "id", .kind = VXBI_FIELD_READ, .offset = IN_SPECIES(id), .read = read_id},
    [SHARE] = {.key = "share", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(share), .low = 1e-6, .high = 1e6},
    [MATERIAL] = {.key = "material", .kind = VXBI_FIELD_NAME, .offset = IN_SPECIES(material)},
    [MESH] = {.key = "mesh", .kind = VXBI_FIELD_TEXT, .offset = IN_SPECIES(mesh)},
    [MESH_RADIUS] = {.key = "mesh_radius", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(mesh_radius), .high = 1e6},
    [RULE] = {.key = "rule", .kind = VXBI_FIELD_PATH, .offset = IN_SPECIES(rule)},
    [LAYER] = {.key = "layer", .kind = VXBI_FIELD_READ, .offset = IN_SPECIES(layer), .read = read_layer},
    [MIN_WEIGHT] = {.key = "min_weight", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(min_weight), .high = 1},
    [MAX_WEIGHT] = {.key = "max_weight", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(max_weight), .high = 1},
    [JITTER] = {.key = "jitter", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(jitter), .high = 1},
    [MIN_SCALE] = {.key = "min_scale", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(min_scale), .low = VXBI_SCALE_MIN,
                   .high = VXBI_SCALE_MAX},
    [MAX_SCALE] = {.key = "max_scale", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(max_scale), .low = VXBI_SCALE_MIN,
                   .high = VXBI_SCALE_MAX},
    [RANDOM_YAW] = {.key = "random_yaw", .kind = VXBI_FIELD_BOOL, .offset = IN_SPECIES(random_yaw)},
    [ALIGN_TO_NORMAL] = {.key = "align_to_normal", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(align_to_normal),
                         .high = 1},
    [MAX_SLOPE] = {.key = "max_slope", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(max_slope), .high = VXBI_SLOPE_MAX,
                   .unit = ", in radians: max_slope_degrees takes degrees"},
    [MAX_SLOPE_DEGREES] = {.key = "max_slope_degrees", .kind = VXBI_FIELD_READ, .offset = IN_SPECIES(max_slope),
                           .read = read_degrees},
    [ALTITUDE] = {.key = "altitude", .kind = VXBI_FIELD_F32, .offset = IN_SPECIES(altitude), .low = -VXBI_WORLD_M,
                  .high = VXBI_WORLD_M, .count = 2},
    [LODS] = {.key = "lods", .kind = VXBI_FIELD_READ, .read = read_lods},
    [PASSES] = {.key = "passes", .kind = VXBI_FIELD_READ, .read = read_passes},
};

static void set_defaults(struct vxb_recipe_species *species)
{
    *species = (struct vxb_recipe_species){
        .share = 1,
        .mesh = "",
        .mesh_radius = 1,
        .min_weight = 0.15f,
        .max_weight = 0.6f,
        .jitter = 0.8f,
        .min_scale = 0.7f,
        .max_scale = 1.3f,
        .random_yaw = true,
        .align_to_normal = 0.35f,
        .max_slope = 0.78539816339744830962f,
        .passes = {"main"},
        .pass_count = 1,
    };
}

/* Takes from the rule what the recipe does not say. */
static void merge_rule(struct vxb_recipe_species *species, const struct vxbi_rule *rule, uint64_t present)
{
#define IN_RULE(member) offsetof(struct vxbi_rule, member)
    static const struct {
        unsigned field, key;
        size_t from;
    } numbers[] = {
        {MIN_WEIGHT, VXBI_RULE_MIN_WEIGHT, IN_RULE(min_weight)},
        {MAX_WEIGHT, VXBI_RULE_MAX_WEIGHT, IN_RULE(max_weight)},
        {JITTER, VXBI_RULE_JITTER, IN_RULE(jitter)},
        {MIN_SCALE, VXBI_RULE_MIN_SCALE, IN_RULE(min_scale)},
        {MAX_SCALE, VXBI_RULE_MAX_SCALE, IN_RULE(max_scale)},
        {ALIGN_TO_NORMAL, VXBI_RULE_ALIGN_TO_NORMAL, IN_RULE(align_to_normal)},
        {MAX_SLOPE, VXBI_RULE_MAX_SLOPE, IN_RULE(max_slope)},
    };
    if (vxbi_has(present, MAX_SLOPE_DEGREES))
        present |= (uint64_t)1 << MAX_SLOPE;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!vxbi_has(present, numbers[i].field) && vxbi_has(rule->given, numbers[i].key))
            memcpy((char *)species + species_fields[numbers[i].field].offset, (const char *)rule + numbers[i].from,
                   sizeof(float));
    if (!vxbi_has(present, NAME) && vxbi_has(rule->given, VXBI_RULE_NAME))
        species->name = rule->name;
    if (!vxbi_has(present, MESH) && vxbi_has(rule->given, VXBI_RULE_MESH))
        species->mesh = rule->mesh;
    if (!vxbi_has(present, LAYER) && vxbi_has(rule->given, VXBI_RULE_LAYER))
        species->layer = rule->layer;
    if (!vxbi_has(present, RANDOM_YAW) && vxbi_has(rule->given, VXBI_RULE_RANDOM_YAW))
        species->random_yaw = rule->random_yaw;
    species->rule_has_density = vxbi_has(rule->given, VXBI_RULE_DENSITY);
    species->rule_density = rule->density;
}

/* Where the recipe has no list: one LOD, as far as the rule culls. */
static void default_lods(struct vxb_recipe_species *species, const struct vxbi_rule *rule)
{
    struct vxb_recipe_lod lod = {.distance = INFINITY, .keep = 1};
    if (vxbi_has(rule->given, VXBI_RULE_END_CULL_DISTANCE))
        lod.distance = rule->end_cull_distance;
    lod.fade = vxbi_has(rule->given, VXBI_RULE_START_CULL_DISTANCE) ? rule->start_cull_distance : lod.distance;
    species->lods[0] = lod;
    species->lod_count = 1;
}

/* What must hold between the values of a species, wherever each came from: only of those that are known. */
static bool check_whole(struct vxbi_check *check, const struct vxbi_at *at, const struct vxb_recipe_species *species,
                        const struct vxbi_seen *seen, bool ruled)
{
    uint64_t bad = seen->present & ~seen->good;
    bool good = true;
    if (vxbi_has(seen->present, MAX_SLOPE) && vxbi_has(seen->present, MAX_SLOPE_DEGREES)) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "has both max_slope and max_slope_degrees; allowed: one of them");
        good = false;
    }
    if (ruled && !species->name && !vxbi_has(bad, NAME)) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "the key \"name\" is missing%s",
                        species->rule ? ", and the rule has no name either" : "");
        good = false;
    }
    if (ruled && !vxbi_has(bad, MIN_WEIGHT) && !vxbi_has(bad, MAX_WEIGHT))
        good &= vxbi_check_order(check, at, "min_weight", species->min_weight, "max_weight", species->max_weight);
    if (ruled && !vxbi_has(bad, MIN_SCALE) && !vxbi_has(bad, MAX_SCALE))
        good &= vxbi_check_order(check, at, "min_scale", species->min_scale, "max_scale", species->max_scale);
    if (vxbi_has(seen->good, ALTITUDE))
        good &= vxbi_check_order(check, at, "altitude's first", species->altitude[0], "its second",
                                 species->altitude[1]);
    return good;
}

static bool read_one(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                     struct vxb_recipe_species *species)
{
    struct vxbi_seen seen;
    struct vxbi_rule rule = {0};
    struct vxbi_at rule_at = {.up = at, .key = "rule"};
    set_defaults(species);
    bool good = vxbi_check_object(check, value, at, species_fields, KEYS, species, &seen);
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return false;
    bool ruled = species->rule ? vxbi_rule_load(check, species->rule, &rule_at, &rule) : !vxbi_has(seen.present, RULE);
    if (ruled)
        merge_rule(species, &rule, seen.present);
    if (!vxbi_has(seen.present, LODS))
        default_lods(species, &rule);
    if (!vxbi_has(seen.present, MATERIAL))
        species->material = species->name;
    species->has_id = vxbi_has(seen.good, ID);
    species->has_altitude = vxbi_has(seen.good, ALTITUDE);
    return check_whole(check, at, species, &seen, ruled) && good && ruled;
}

/* Two species that would be one. */
static bool check_distinct(struct vxbi_check *check, const struct vxbi_at *at, const struct vxb_recipe *recipe,
                           uint32_t index)
{
    const struct vxb_recipe_species *mine = &recipe->species[index];
    struct vxbi_at here = {.up = at, .index = index};
    bool good = true;
    for (uint32_t i = 0; i < index; i++) {
        const struct vxb_recipe_species *other = &recipe->species[i];
        if (mine->name && other->name && strcmp(mine->name, other->name) == 0) {
            vxbi_check_fail(check, &here, VXB_ERR_USAGE, "has the name \"%s\", which /species/%" PRIu32 " has already",
                            mine->name, i);
            good = false;
        }
        if (mine->has_id && other->has_id && mine->id == other->id) {
            vxbi_check_fail(check, &here, VXB_ERR_USAGE,
                            "has the id 0x%016" PRIx64 ", which /species/%" PRIu32 " has already", mine->id, i);
            good = false;
        }
    }
    return good;
}

bool vxbi_read_species(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_recipe *recipe = out;
    if (!vxbi_check_array(check, value, at, 1, VXB_SPECIES_MAX, "an array of 1 to 4 species"))
        return false;
    bool good = true;
    struct vxbi_at here = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), here.index++) {
        good &= read_one(check, child, &here, &recipe->species[here.index]);
        good &= check_distinct(check, at, recipe, (uint32_t)here.index);
    }
    recipe->species_count = (uint32_t)here.index;
    return good;
}
