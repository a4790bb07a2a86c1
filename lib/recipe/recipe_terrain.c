/* The terrain of a recipe: files and how to take them. What a kind of file needs or must not be given is known to
 * lib/terrain, which is asked here too, so that a recipe's faults are told in one run. */
#include <stdio.h>
#include <string.h>

#include "../terrain/desc.h"
#include "recipe_read.h"

static const char *const sample_names[] = {"u16", "f32", NULL};
static const char *const order_names[] = {"little", "big", NULL};
static const char *const flip_names[] = {"none", "x", "z", "xz", NULL};
static const char *const channel_names[] = {"r", "g", "b", "a", NULL};

static const struct vxbi_field path_field = {.kind = VXBI_FIELD_PATH};
static const struct vxbi_field map_fields[] = {
    {.key = "file", .kind = VXBI_FIELD_PATH, .offset = offsetof(struct vxb_map_desc, path), .required = true},
    {.key = "channel",
     .kind = VXBI_FIELD_ENUM,
     .offset = offsetof(struct vxb_map_desc, channel),
     .names = channel_names,
     .low = VXB_CHANNEL_R},
};

/* A path, or {file, channel}. */
static bool read_map(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_map_desc *map = out;
    if (vxbi_json_type(value) == VXBI_JSON_TEXT)
        return vxbi_check_value(check, value, at, &path_field, &map->path);
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, at, value, "the path of a file, or an object of file and channel");
    return vxbi_check_object(check, value, at, map_fields, 2, map, NULL);
}

#define LAYERS_MAX 256

static bool read_layer(struct vxbi_check *check, const struct vxbi_json *member, const struct vxbi_at *at,
                       struct vxb_layer_desc *layer)
{
    const char *key = vxbi_json_key(member);
    if (!*key || strlen(key) > VXB_NAME_MAX_BYTES) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "the name of a layer has %zu bytes; allowed: 1 to %d", strlen(key),
                        VXB_NAME_MAX_BYTES);
        return false;
    }
    layer->name = vxbi_arena_text(check->arena, key, strlen(key));
    if (!layer->name) {
        vxbi_check_memory(check, strlen(key) + 1);
        return false;
    }
    return read_map(check, member, at, &layer->map);
}

/* out: the whole struct vxb_terrain_desc. */
static bool read_layers(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_terrain_desc *desc = out;
    size_t room = vxbi_json_count(value);
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, at, value, "an object of layer names and maps");
    if (room > LAYERS_MAX) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "found %zu members; allowed: at most %d", room, LAYERS_MAX);
        return false;
    }
    if (!room)
        return true;
    struct vxb_layer_desc *layers = vxbi_arena_new(check->arena, room * sizeof *layers);
    if (!layers) {
        vxbi_check_memory(check, room * sizeof *layers);
        return false;
    }
    bool good = true;
    uint32_t count = 0;
    for (const struct vxbi_json *member = vxbi_json_first(value); member; member = vxbi_json_next(member)) {
        struct vxbi_at here = {.up = at, .key = vxbi_json_key(member)};
        if (!vxbi_check_is_comment(member))
            good &= read_layer(check, member, &here, &layers[count++]);
    }
    desc->layers = layers;
    desc->layer_count = count;
    return good;
}

#define IN_DESC(member) offsetof(struct vxb_terrain_desc, member)
enum { FILE_KEY, SIZE, SAMPLE, ORDER, RANGE, METRES, ORIGIN, ALLOW_8BIT, FLIP, TRANSPOSE, LAYERS, EXCLUDE, SCALE, STOMP,
       KEYS };

const struct vxbi_field vxbi_terrain_fields[VXBI_TERRAIN_KEYS] = {
    [FILE_KEY] = {.key = "file", .kind = VXBI_FIELD_PATH, .offset = IN_DESC(path), .required = true},
    /* width and height are neighbours in the struct. */
    [SIZE] = {.key = "size", .kind = VXBI_FIELD_U32, .offset = IN_DESC(width), .low = 2, .high = 32768, .count = 2},
    [SAMPLE] = {.key = "sample", .kind = VXBI_FIELD_ENUM, .offset = IN_DESC(sample), .names = sample_names,
                .low = VXB_SAMPLE_U16},
    [ORDER] = {.key = "order", .kind = VXBI_FIELD_ENUM, .offset = IN_DESC(order), .names = order_names},
    [RANGE] = {.key = "range", .kind = VXBI_FIELD_F32, .offset = IN_DESC(range_min), .low = -VXBI_WORLD_M,
               .high = VXBI_WORLD_M, .count = 2},
    [METRES] = {.key = "metres_per_quad", .kind = VXBI_FIELD_F32, .offset = IN_DESC(metres_per_quad), .low = 1e-3,
                .high = 1e3},
    [ORIGIN] = {.key = "origin", .kind = VXBI_FIELD_F32, .offset = IN_DESC(origin), .low = -VXBI_WORLD_M,
                .high = VXBI_WORLD_M, .count = 3},
    [ALLOW_8BIT] = {.key = "allow_8bit", .kind = VXBI_FIELD_BOOL, .offset = IN_DESC(allow_8bit)},
    [FLIP] = {.key = "flip", .kind = VXBI_FIELD_ENUM, .offset = IN_DESC(flip), .names = flip_names},
    [TRANSPOSE] = {.key = "transpose", .kind = VXBI_FIELD_BOOL, .offset = IN_DESC(transpose)},
    [LAYERS] = {.key = "layers", .kind = VXBI_FIELD_READ, .read = read_layers},
    [EXCLUDE] = {.key = "exclude", .kind = VXBI_FIELD_READ, .offset = IN_DESC(exclude), .read = read_map},
    [SCALE] = {.key = "scale", .kind = VXBI_FIELD_READ, .offset = IN_DESC(scale), .read = read_map},
    [STOMP] = {.key = "stomp", .kind = VXBI_FIELD_READ, .offset = IN_DESC(stomp), .read = read_map},
};

_Static_assert(IN_DESC(height) == IN_DESC(width) + 4 && IN_DESC(range_max) == IN_DESC(range_min) + 4,
               "size and range fill two members each");

_Static_assert(KEYS == VXBI_TERRAIN_KEYS, "the header tells how many there are");

static void add_fault(void *user, const char *pointer, const char *message)
{
    struct vxbi_check *check = user;
    struct vxb_error err = {0};
    vxbi_fail(&err, VXB_ERR_USAGE, "%s", message);
    vxbi_error_in(&err, VXB_ERR_USAGE, check->path, pointer);
    vxbi_check_send(check, &err);
}

/* What the terrain's file must have beside it, and must not, told with the recipe's other faults. */
static bool fits_file(struct vxbi_check *check, const struct vxb_terrain_desc *desc)
{
    struct vxbi_report report = {.env = check->env, .add = add_fault, .user = check};
    enum vxb_terrain_kind kind;
    vxbi_check_desc(&report, desc, &kind);
    return report.status == VXB_OK;
}

bool vxbi_check_terrain(struct vxbi_check *check, const struct vxbi_at *at, struct vxb_terrain_desc *desc,
                        const struct vxbi_seen *seen)
{
    const struct vxbi_at range = {.up = at, .key = "range"};
    desc->has_metres_per_quad = vxbi_has(seen->good, METRES);
    desc->has_range = vxbi_has(seen->good, RANGE);
    if (desc->has_range &&
        !vxbi_check_order(check, &range, "its first", desc->range_min, "its second", desc->range_max))
        return false;
    /* Of a value that is wrong nobody is told that it is missing. */
    return seen->present != seen->good || fits_file(check, desc);
}

bool vxbi_read_terrain(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_terrain_desc *desc = out;
    struct vxbi_seen seen;
    bool good = vxbi_check_object(check, value, at, vxbi_terrain_fields, KEYS, desc, &seen);
    return vxbi_check_terrain(check, at, desc, &seen) && good;
}

void vxbi_add_input(const char **inputs, uint32_t *count, const char *path)
{
    if (!path)
        return;
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(inputs[i], path) == 0)
            return;
    inputs[(*count)++] = path;
}

void vxbi_add_terrain_inputs(const char **inputs, uint32_t *count, const struct vxb_terrain_desc *terrain)
{
    vxbi_add_input(inputs, count, terrain->path);
    for (uint32_t i = 0; i < terrain->layer_count; i++)
        vxbi_add_input(inputs, count, terrain->layers[i].map.path);
    vxbi_add_input(inputs, count, terrain->exclude.path);
    vxbi_add_input(inputs, count, terrain->scale.path);
    vxbi_add_input(inputs, count, terrain->stomp.path);
}
