/* What light meets and where it comes from, in the recipe of an irradiance field: terrain with its albedo, shapes, sky,
 * sun. Vectors that tell a direction are normalised here, in double, so that whatever follows sees unit ones. */
#include <math.h>
#include <string.h>

#include "../core/text.h"
#include "recipe_scene.h"

const char *vxb_shape_kind_name(enum vxb_shape_kind kind)
{
    switch (kind) {
    case VXB_SHAPE_SPHERE: return "sphere";
    case VXB_SHAPE_BOX: return "box";
    case VXB_SHAPE_PLANE: return "plane";
    case VXB_SHAPE_CAPSULE: return "capsule";
    }
    return NULL;
}

#define COLOUR(name, where, most)                                                                       \
    {                                                                                                   \
        .key = name, .kind = VXBI_FIELD_F32, .offset = where, .high = (double)(most), .count = 3        \
    }

#define NEEDED_COLOUR(name, where)                                                                  \
    {                                                                                               \
        .key = name, .kind = VXBI_FIELD_F32, .offset = where, .high = (double)VXB_RADIANCE_MAX,     \
        .count = 3, .required = true                                                                \
    }

/* The shortest vector that still tells a direction. */
#define LENGTH_MIN 1e-6

/* Divides v by its length, and *with, where it is not NULL. */
static bool normalise(struct vxbi_check *check, const struct vxbi_at *at, const char *key, float v[3], double *with)
{
    const struct vxbi_at here = {.up = at, .key = key};
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2], length = sqrt(x * x + y * y + z * z);
    char text[VXB_TEXT_NUMBER_ROOM];
    if (length < LENGTH_MIN) {
        vxbi_check_fail(check, &here, VXB_ERR_USAGE, "its length is %s; allowed: at least 1e-6, to tell a direction",
                        vxb_text_f64(length, text));
        return false;
    }
    v[0] = vxbi_recipe_f32(x / length);
    v[1] = vxbi_recipe_f32(y / length);
    v[2] = vxbi_recipe_f32(z / length);
    if (with)
        *with /= length;
    return true;
}

/* ---- terrain ---- */

#define LAYERS_MAX 256

static bool read_layer_albedo(struct vxbi_check *check, const struct vxbi_json *member, const struct vxbi_at *at,
                              struct vxb_layer_albedo *out)
{
    static const struct vxbi_field colour = COLOUR(NULL, 0, 1);
    const char *key = vxbi_json_key(member);
    if (!*key || strlen(key) > VXB_NAME_MAX_BYTES) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "the name of a layer has %zu bytes; allowed: 1 to %d", strlen(key),
                        VXB_NAME_MAX_BYTES);
        return false;
    }
    out->layer = vxbi_arena_text(check->arena, key, strlen(key));
    if (!out->layer) {
        vxbi_check_memory(check, strlen(key) + 1);
        return false;
    }
    return vxbi_check_value(check, member, at, &colour, out->albedo);
}

/* One colour, or an object of layer names and colours. out: struct vxb_probe_recipe. */
static bool read_albedo(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field colour = COLOUR(NULL, 0, 1);
    struct vxb_probe_recipe *recipe = out;
    const size_t room = vxbi_json_count(value);
    if (vxbi_json_type(value) == VXBI_JSON_ARRAY)
        return vxbi_check_value(check, value, at, &colour, recipe->terrain_albedo);
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, at, value, "a linear RGB colour, or an object of layer names and colours");
    if (room > LAYERS_MAX) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "found %zu members; allowed: at most %d", room, LAYERS_MAX);
        return false;
    }
    if (!room)
        return true;
    struct vxb_layer_albedo *layers = vxbi_arena_new(check->arena, room * sizeof *layers);
    if (!layers) {
        vxbi_check_memory(check, room * sizeof *layers);
        return false;
    }
    bool good = true;
    for (const struct vxbi_json *member = vxbi_json_first(value); member; member = vxbi_json_next(member)) {
        const struct vxbi_at here = {.up = at, .key = vxbi_json_key(member)};
        if (!vxbi_check_is_comment(member))
            good &= read_layer_albedo(check, member, &here, &layers[recipe->layer_albedo_count++]);
    }
    recipe->layer_albedo = layers;
    return good;
}

bool vxbi_read_lit_terrain(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_probe_recipe *recipe = out;
    struct vxbi_field fields[VXBI_TERRAIN_KEYS + 2];
    struct vxbi_seen seen;
    memcpy(fields, vxbi_terrain_fields, sizeof vxbi_terrain_fields);
    for (unsigned i = 0; i < VXBI_TERRAIN_KEYS; i++)
        fields[i].offset += offsetof(struct vxb_probe_recipe, terrain);
    /* Those that fill the whole description expect it alone. */
    fields[VXBI_TERRAIN_KEYS] = (struct vxbi_field){.key = "albedo", .kind = VXBI_FIELD_READ, .read = read_albedo};
    fields[VXBI_TERRAIN_KEYS + 1] = (struct vxbi_field)COLOUR(
        "emission", offsetof(struct vxb_probe_recipe, terrain_emission), VXB_RADIANCE_MAX);
    recipe->has_terrain = true;
    bool good = vxbi_check_object(check, value, at, fields, VXBI_TERRAIN_KEYS + 2, recipe, &seen);
    return vxbi_check_terrain(check, at, &recipe->terrain, &seen) && good;
}

/* ---- shapes ---- */

#define IN_SHAPE(member) offsetof(struct vxb_shape, member)
#define POINT(name, where)                                                                                         \
    {                                                                                                              \
        .key = name, .kind = VXBI_FIELD_F32, .offset = IN_SHAPE(where), .low = -VXBI_WORLD_M, .high = VXBI_WORLD_M, \
        .count = 3, .required = true                                                                               \
    }
#define RADIUS                                                                                              \
    {                                                                                                       \
        .key = "radius", .kind = VXBI_FIELD_F32, .offset = IN_SHAPE(radius), .above = true,                 \
        .high = VXBI_WORLD_M, .required = true                                                              \
    }
#define SURFACE                                                       \
    {.key = "kind", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over}, \
        COLOUR("albedo", IN_SHAPE(albedo), 1), COLOUR("emission", IN_SHAPE(emission), VXB_RADIANCE_MAX)

/* A normal and an offset of any length, which are brought to length 1 together. */
#define VECTOR_MAX 1e6
#define OFFSET_MAX 1e12
#define PLANE_MAX 2097152.0 /* metres from the origin: no point of the world is as far */

static const struct vxbi_field sphere_fields[] = {SURFACE, POINT("center", center), RADIUS};
static const struct vxbi_field box_fields[] = {
    SURFACE, POINT("center", center),
    {.key = "half_extents", .kind = VXBI_FIELD_F32, .offset = IN_SHAPE(half_extents), .above = true,
     .high = VXBI_WORLD_M,
     .count = 3, .required = true},
};
static const struct vxbi_field plane_fields[] = {
    SURFACE,
    {.key = "normal", .kind = VXBI_FIELD_F32, .offset = IN_SHAPE(normal), .low = -VECTOR_MAX, .high = VECTOR_MAX,
     .count = 3,
     .required = true},
    {.key = "offset", .kind = VXBI_FIELD_F32, .offset = IN_SHAPE(offset), .low = -OFFSET_MAX, .high = OFFSET_MAX,
     .required = true},
};
static const struct vxbi_field capsule_fields[] = {SURFACE, POINT("a", a), POINT("b", b), RADIUS};

static const struct {
    const struct vxbi_field *fields;
    unsigned count;
} shape_tables[] = {
    [VXB_SHAPE_SPHERE] = {sphere_fields, sizeof sphere_fields / sizeof sphere_fields[0]},
    [VXB_SHAPE_BOX] = {box_fields, sizeof box_fields / sizeof box_fields[0]},
    [VXB_SHAPE_PLANE] = {plane_fields, sizeof plane_fields / sizeof plane_fields[0]},
    [VXB_SHAPE_CAPSULE] = {capsule_fields, sizeof capsule_fields / sizeof capsule_fields[0]},
};

static bool check_plane(struct vxbi_check *check, const struct vxbi_at *at, struct vxb_shape *plane)
{
    const struct vxbi_at here = {.up = at, .key = "offset"};
    double offset = (double)plane->offset;
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!normalise(check, at, "normal", plane->normal, &offset))
        return false;
    if (!(fabs(offset) <= PLANE_MAX)) {
        vxbi_check_fail(check, &here, VXB_ERR_USAGE,
                        "the plane is %s m from the origin, beyond the world; allowed: at most 2097152 m",
                        vxb_text_f64(fabs(offset), text));
        return false;
    }
    plane->offset = vxbi_recipe_f32(offset);
    return true;
}

static bool read_shape(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                       struct vxb_shape *shape)
{
    const struct vxbi_at kind_at = {.up = at, .key = "kind"};
    const struct vxbi_json *kind = vxbi_json_member(value, "kind");
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, at, value, "an object, a shape");
    if (!kind) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE,
                        "the key \"kind\" is missing: \"sphere\", \"box\", \"plane\" or \"capsule\"");
        return false;
    }
    const char *text = vxbi_json_text(kind);
    for (shape->kind = VXB_SHAPE_SPHERE; shape->kind <= VXB_SHAPE_CAPSULE; shape->kind++)
        if (text && strcmp(text, vxb_shape_kind_name(shape->kind)) == 0)
            break;
    if (shape->kind > VXB_SHAPE_CAPSULE)
        return vxbi_check_refuse(check, &kind_at, kind, "\"sphere\", \"box\", \"plane\" or \"capsule\"");
    for (int i = 0; i < 3; i++)
        shape->albedo[i] = VXBI_DEFAULT_ALBEDO;
    return vxbi_check_object(check, value, at, shape_tables[shape->kind].fields, shape_tables[shape->kind].count, shape,
                             NULL) &&
           (shape->kind != VXB_SHAPE_PLANE || check_plane(check, at, shape));
}

bool vxbi_read_shapes(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_probe_recipe *recipe = out;
    if (!vxbi_check_array(check, value, at, 0, VXB_SHAPES_MAX, "an array of at most 4096 shapes"))
        return false;
    const size_t room = vxbi_json_count(value);
    if (room == 0)
        return true;
    struct vxb_shape *shapes = vxbi_arena_new(check->arena, room * sizeof *shapes);
    if (!shapes) {
        vxbi_check_memory(check, room * sizeof *shapes);
        return false;
    }
    bool good = true;
    struct vxbi_at here = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), here.index++)
        good &= read_shape(check, child, &here, &shapes[here.index]);
    recipe->shapes = shapes;
    recipe->shape_count = (uint32_t)room;
    return good;
}

/* ---- sky and sun ---- */

#define IN_SKY(member) offsetof(struct vxb_recipe_sky, member)
static const struct vxbi_field gradient_fields[] = {
    NEEDED_COLOUR("ground", IN_SKY(ground)),
    NEEDED_COLOUR("horizon", IN_SKY(horizon)),
    NEEDED_COLOUR("zenith", IN_SKY(zenith)),
};

/* out: struct vxb_recipe_sky. */
static bool read_gradient(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    return vxbi_check_object(check, value, at, gradient_fields, 3, out, NULL);
}

enum { CONSTANT, GRADIENT, HDR, ROTATION, INTENSITY, SKY_KEYS };

static const struct vxbi_field sky_fields[SKY_KEYS] = {
    [CONSTANT] = COLOUR("constant", IN_SKY(horizon), VXB_RADIANCE_MAX),
    [GRADIENT] = {.key = "gradient", .kind = VXBI_FIELD_READ, .read = read_gradient},
    [HDR] = {.key = "hdr", .kind = VXBI_FIELD_PATH, .offset = IN_SKY(hdr)},
    [ROTATION] = {.key = "rotation", .kind = VXBI_FIELD_F32, .offset = IN_SKY(rotation), .low = -6.2832,
                  .high = 6.2832},
    [INTENSITY] = {.key = "intensity", .kind = VXBI_FIELD_F32, .offset = IN_SKY(intensity),
                   .high = (double)VXB_RADIANCE_MAX},
};

bool vxbi_read_sky(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_recipe_sky *sky = out;
    struct vxbi_seen seen;
    bool good = vxbi_check_object(check, value, at, sky_fields, SKY_KEYS, sky, &seen);
    const bool constant = vxbi_has(seen.present, CONSTANT), gradient = vxbi_has(seen.present, GRADIENT),
               hdr = vxbi_has(seen.present, HDR);
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return false;
    if (constant + gradient + hdr != 1) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "has %d of constant, gradient and hdr; allowed: one of them",
                        constant + gradient + hdr);
        good = false;
    }
    if (vxbi_has(seen.present, ROTATION) && !hdr) {
        const struct vxbi_at here = {.up = at, .key = "rotation"};
        vxbi_check_fail(check, &here, VXB_ERR_USAGE, "a sky without a map can't be turned: leave it out");
        good = false;
    }
    sky->kind = hdr ? VXB_SKY_MAP : gradient ? VXB_SKY_GRADIENT : VXB_SKY_CONSTANT;
    return good;
}

bool vxbi_read_sun(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field fields[] = {
        {.key = "direction", .kind = VXBI_FIELD_F32, .offset = offsetof(struct vxb_probe_recipe, sun_direction),
         .low = -VECTOR_MAX, .high = VECTOR_MAX, .count = 3, .required = true},
        NEEDED_COLOUR("irradiance", offsetof(struct vxb_probe_recipe, sun_irradiance)),
    };
    struct vxb_probe_recipe *recipe = out;
    recipe->has_sun = true;
    return vxbi_check_object(check, value, at, fields, 2, recipe, NULL) &&
           normalise(check, at, "direction", recipe->sun_direction, NULL);
}

/* ---- inputs ---- */

bool vxbi_list_probe_inputs(struct vxbi_check *check, struct vxb_probe_recipe *recipe)
{
    const struct vxb_terrain_desc *terrain = &recipe->terrain;
    const size_t room = (size_t)terrain->layer_count + VXBI_TERRAIN_INPUTS + 1;
    const char **inputs = vxbi_arena_new(check->arena, room * sizeof *inputs);
    if (!inputs) {
        vxbi_check_memory(check, room * sizeof *inputs);
        return false;
    }
    vxbi_add_terrain_inputs(inputs, &recipe->input_count, terrain);
    vxbi_add_input(inputs, &recipe->input_count, recipe->sky.hdr);
    recipe->inputs = inputs;
    return true;
}
