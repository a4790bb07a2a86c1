/* Recipes of every kind: from text to a struct of the kind that the text says it is.
 *
 * Invariant: a recipe that is returned has passed every check that needs no file but itself and its rules. */
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/os.h"
#include "../core/path.h"
#include "../pyramid/pyramid.h"
#include "recipe_read.h"
#include "set.h"

#define RECIPE_BYTES_MAX ((uint64_t)16 << 20)

/* What is freed: the recipe, which comes first, and all it points to. */
struct whole {
    union {
        struct vxb_recipe grass;
        struct vxb_pyramid_recipe pyramid;
        struct vxb_probe_recipe probes;
    } recipe;
    struct vxbi_arena arena;
};

/* What is asked for, and what came of it. */
struct request {
    const struct vxb_env *env;
    const struct vxb_recipe_set *sets;
    size_t set_count;
    bool any;                  /* every kind will do, not grass alone */
    enum vxb_recipe_kind kind; /* of what was read */
    struct whole *whole;
};

const char *vxb_recipe_kind_name(enum vxb_recipe_kind kind)
{
    switch (kind) {
    case VXB_RECIPE_GRASS: return "grass-field";
    case VXB_RECIPE_PYRAMID: return "depth-pyramid";
    case VXB_RECIPE_PROBES: return "irradiance-field";
    }
    return NULL;
}

bool vxbi_pass_over(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    (void)check;
    (void)value;
    (void)at;
    (void)out;
    return true;
}

static bool take_kind(struct vxbi_check *check, const struct vxbi_json *kind, struct request *request)
{
    const struct vxbi_at at = {.key = "kind"};
    const char *text = vxbi_json_text(kind);
    for (request->kind = VXB_RECIPE_GRASS; text && request->kind <= VXB_RECIPE_PROBES; request->kind++)
        if (strcmp(text, vxb_recipe_kind_name(request->kind)) == 0 &&
            (request->any || request->kind == VXB_RECIPE_GRASS))
            return true;
    return vxbi_check_refuse(check, &at, kind, request->any ? "\"grass-field\", \"depth-pyramid\" or "
                             "\"irradiance-field\""
                                                              : "\"grass-field\"");
}

static bool check_kind(struct vxbi_check *check, const struct vxbi_json *root, struct request *request)
{
    struct vxbi_at version_at = {.key = "version"};
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
        vxbi_check_fail(check, NULL, VXB_ERR_USAGE, "the key \"kind\" is missing; a grass recipe has \"grass-field\"%s",
                        request->any ? ", a depth pyramid's \"depth-pyramid\", an irradiance field's "
                        "\"irradiance-field\""
                                     : "");
        return false;
    }
    return take_kind(check, kind, request);
}

/* Overrides and reads; frame: the depth frame that the tree stands for, NULL: none. */
static bool read_tree(struct vxbi_check *check, struct vxbi_json *root, const char *frame, struct request *request)
{
    struct whole *whole = request->whole;
    bool good = true;
    for (size_t i = 0; i < request->set_count; i++)
        good &= vxbi_recipe_apply_set(check, root, &request->sets[i]);
    if (!check_kind(check, root, request))
        return false;
    if (request->kind == VXB_RECIPE_GRASS) {
        whole->recipe.grass.path = check->document;
        return vxbi_read_grass(check, root, &whole->recipe.grass) && good;
    }
    if (request->kind == VXB_RECIPE_PROBES) {
        whole->recipe.probes.path = check->document;
        return vxbi_read_probes(check, root, &whole->recipe.probes) && good;
    }
    whole->recipe.pyramid.path = frame ? NULL : check->document;
    whole->recipe.pyramid.depth.path = frame;
    return vxbi_read_pyramid(check, root, &whole->recipe.pyramid) && good;
}

/* Parses and reads: whatever goes wrong has been reported through check. */
static bool build(struct vxbi_check *check, const char *text, size_t size, const char *frame, struct request *request)
{
    struct vxbi_json *root = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxbi_json_parse(check->env, text, size, VXB_ERR_USAGE, &root, &err);
    if (status) {
        vxbi_error_in(&err, status, check->path, NULL);
        vxbi_check_send(check, &err);
        return false;
    }
    const bool good = read_tree(check, root, frame, request);
    vxbi_json_free(root);
    return good;
}

static void free_whole(struct whole *whole)
{
    if (!whole)
        return;
    struct vxb_allocator allocator = whole->arena.allocator;
    vxbi_arena_clear(&whole->arena);
    vxbi_delete(&allocator, whole, 1, sizeof *whole);
}

static enum vxb_status parse(struct request *request, const char *text, size_t size, const char *folder,
                             const char *path, bool is_frame, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(request->env);
    struct whole *whole = vxbi_new_zero(&allocator, 1, sizeof *whole);
    struct vxbi_check check = {.env = request->env, .folder = folder, .first = err};
    check.path = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!whole) {
        vxbi_check_memory(&check, sizeof *whole);
        return check.status;
    }
    request->whole = whole;
    whole->arena.allocator = allocator;
    check.arena = &whole->arena;
    check.document = vxbi_arena_text(&whole->arena, path, strlen(path));
    if (!check.document)
        vxbi_check_memory(&check, strlen(path) + 1);
    if (check.document && build(&check, text, size, is_frame ? check.document : NULL, request))
        return VXB_OK;
    free_whole(whole);
    request->whole = NULL;
    return check.status;
}

static enum vxb_status load(struct request *request, const char *path, struct vxb_error *err)
{
    struct vxbi_check check = {.env = request->env, .first = err};
    struct vxbi_bytes bytes = {0};
    struct vxb_error failure = {0};
    char folder[VXBI_PATH_ROOM] = "";
    enum vxb_status status = vxbi_read_all(request->env, path, RECIPE_BYTES_MAX, &bytes, &failure);
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
    status = parse(request, (const char *)bytes.data, bytes.size, folder, path, false, err);
    vxbi_bytes_clear(&bytes);
    return status;
}

enum vxb_status vxb_recipe_parse(const struct vxb_env *env, const char *text, size_t size, const char *folder,
                                 const char *name, const struct vxb_recipe_set *sets, size_t count,
                                 struct vxb_recipe **out, struct vxb_error *err)
{
    struct request request = {.env = env, .sets = sets, .set_count = count};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = parse(&request, text, size, folder, name, false, err);
    if (!status)
        *out = &request.whole->recipe.grass;
    return status;
}

enum vxb_status vxb_recipe_load(const struct vxb_env *env, const char *path, const struct vxb_recipe_set *sets,
                                size_t count, struct vxb_recipe **out, struct vxb_error *err)
{
    struct request request = {.env = env, .sets = sets, .set_count = count};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = load(&request, path, err);
    if (!status)
        *out = &request.whole->recipe.grass;
    return status;
}

enum vxb_status vxb_any_recipe_load(const struct vxb_env *env, const char *path, const struct vxb_recipe_set *sets,
                                    size_t count, struct vxb_any_recipe *out, struct vxb_error *err)
{
    /* The path of a frame may be no UTF-8, so it is no text of this. */
    static const char frame[] = "{\"kind\": \"depth-pyramid\", \"depth\": {}}";
    struct request request = {.env = env, .sets = sets, .set_count = count, .any = true};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_depth_is_name(path) ? parse(&request, frame, sizeof frame - 1, "", path, true, err)
                                          : load(&request, path, err);
    if (status)
        return status;
    *out = (struct vxb_any_recipe){.kind = request.kind};
    if (request.kind == VXB_RECIPE_GRASS)
        out->grass = &request.whole->recipe.grass;
    else if (request.kind == VXB_RECIPE_PROBES)
        out->probes = &request.whole->recipe.probes;
    else
        out->pyramid = &request.whole->recipe.pyramid;
    return VXB_OK;
}

void vxb_recipe_free(struct vxb_recipe *recipe) { free_whole((struct whole *)(void *)recipe); }

void vxb_pyramid_recipe_free(struct vxb_pyramid_recipe *recipe) { free_whole((struct whole *)(void *)recipe); }

void vxb_probe_recipe_free(struct vxb_probe_recipe *recipe) { free_whole((struct whole *)(void *)recipe); }

void vxb_any_recipe_clear(struct vxb_any_recipe *recipe)
{
    vxb_recipe_free(recipe->grass);
    vxb_pyramid_recipe_free(recipe->pyramid);
    vxb_probe_recipe_free(recipe->probes);
    *recipe = (struct vxb_any_recipe){.kind = recipe->kind};
}
