/* Recipes of the kind "depth-pyramid": from a tree to struct vxb_pyramid_recipe. What a kind of file needs or must not
 * be given is known to lib/pyramid, and asked of it here, so that every fault is told in one run. */
#include <string.h>

#include "../pyramid/pyramid.h"
#include "recipe_read.h"

static const char *const order_names[] = {"little", "big", NULL};

enum { FILE_, SIZE, ORDER, SCALE, CONVENTION, NEAR, FAR, DEPTH_KEYS };

#define IN_DEPTH(member) offsetof(struct vxb_depth_desc, member)
static const struct vxbi_field depth_fields[DEPTH_KEYS] = {
    [FILE_] = {.key = "file", .kind = VXBI_FIELD_PATH, .offset = IN_DEPTH(path)},
    [SIZE] = {.key = "size", .kind = VXBI_FIELD_U32, .offset = IN_DEPTH(width), .low = 1, .high = VXB_PYRAMID_SIDE_MAX,
              .count = 2},
    [ORDER] = {.key = "order", .kind = VXBI_FIELD_ENUM, .offset = IN_DEPTH(order), .names = order_names,
               .low = VXB_ORDER_LITTLE},
    [SCALE] = {.key = "scale", .kind = VXBI_FIELD_F64, .offset = IN_DEPTH(scale), .above = true, .high = 1e9},
    [CONVENTION] = {.key = "convention", .kind = VXBI_FIELD_ENUM, .offset = IN_DEPTH(convention),
                    .names = vxbi_depth_convention_names, .low = VXB_DEPTH_REVERSED},
    [NEAR] = {.key = "near", .kind = VXBI_FIELD_F64, .offset = IN_DEPTH(near_plane), .above = true, .high = 1e9},
    [FAR] = {.key = "far", .kind = VXBI_FIELD_F64, .offset = IN_DEPTH(far_plane), .above = true, .high = 1e9},
};
_Static_assert(offsetof(struct vxb_depth_desc, height) == offsetof(struct vxb_depth_desc, width) + sizeof(uint32_t),
               "size fills both");

/* Where a fault of the depth frame goes. */
struct place {
    struct vxbi_check *check;
    const struct vxbi_at *at;
};

static void report(void *user, const char *key, enum vxb_status status, const char *message)
{
    const struct place *place = user;
    const struct vxbi_at at = {.up = place->at, .key = key};
    vxbi_check_fail(place->check, &at, status, "%s", message);
}

static bool read_depth(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_depth_desc *depth = out;
    struct place place = {check, at};
    struct vxbi_seen seen;
    const char *frame = depth->path;
    bool good = vxbi_check_object(check, value, at, depth_fields, DEPTH_KEYS, depth, &seen);
    depth->has_scale = vxbi_has(seen.good, SCALE);
    depth->has_near = vxbi_has(seen.good, NEAR);
    depth->has_far = vxbi_has(seen.good, FAR);
    if (frame && vxbi_has(seen.present, FILE_)) {
        const struct vxbi_at file = {.up = at, .key = "file"};
        vxbi_check_fail(check, &file, VXB_ERR_USAGE, "the depth frame itself was given in the recipe's place");
        return false;
    }
    return good && vxbi_depth_check(depth, report, &place);
}

enum { KIND, VERSION, DEPTH, REDUCE, KEYS };

#define IN_RECIPE(member) offsetof(struct vxb_pyramid_recipe, member)
static const struct vxbi_field recipe_fields[KEYS] = {
    [KIND] = {.key = "kind", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [VERSION] = {.key = "version", .kind = VXBI_FIELD_READ, .read = vxbi_pass_over},
    [DEPTH] = {.key = "depth", .kind = VXBI_FIELD_READ, .offset = IN_RECIPE(depth), .read = read_depth,
               .required = true},
    [REDUCE] = {.key = "reduce", .kind = VXBI_FIELD_ENUM, .offset = IN_RECIPE(reduce), .names = vxbi_reduce_names,
                .low = VXB_REDUCE_NEAREST},
};

bool vxbi_read_pyramid(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_pyramid_recipe *recipe)
{
    const char **inputs = vxbi_arena_new(check->arena, sizeof *inputs);
    if (!inputs) {
        vxbi_check_memory(check, sizeof *inputs);
        return false;
    }
    const bool good = vxbi_check_object(check, root, NULL, recipe_fields, KEYS, recipe, NULL);
    inputs[0] = recipe->depth.path;
    recipe->inputs = inputs;
    recipe->input_count = 1;
    return good;
}
