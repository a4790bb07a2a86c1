/* Camera paths: from JSON to views, and from a frame's number to a camera.
 *
 * Invariant: a path that is returned has at least one view, its times ascend strictly, and all its views are of one
 * kind. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/env.h"
#include "../core/limits.h"
#include "../core/os.h"
#include "../core/text.h"
#include "../vxbake/simulate.h"
#include "json_check.h"

#define PATH_BYTES_MAX ((uint64_t)64 << 20)
#define PI 3.14159265358979323846

enum { PLANES = 6 };

struct camera {
    double time;
    bool has_time; /* a good one */
    float position[3], target[3];
    double fov_y, aspect;
    struct vxb_plane planes[PLANES];
    bool has_planes;
};

struct vxb_path {
    struct vxb_allocator allocator;
    char *name; /* for messages */
    double fps;
    uint32_t view_count, frame_count;
    struct camera *views;
};

/* ---- reading ---- */

static bool read_number(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    if (vxbi_json_type(value) != VXBI_JSON_NUMBER)
        return vxbi_check_refuse(check, at, value, "a number");
    *(double *)out = vxbi_json_number(value);
    return true;
}

static bool read_time(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    double *time = out;
    if (!read_number(check, value, at, out))
        return false;
    return fabs(*time) <= 1e9 || vxbi_check_refuse(check, at, value, "seconds, -1e9 to 1e9");
}

static bool read_angle(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    double *angle = out;
    if (!read_number(check, value, at, out))
        return false;
    return (*angle > 0.0 && *angle < PI) || vxbi_check_refuse(check, at, value, "radians, above 0 and below pi");
}

static bool read_aspect(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    double *aspect = out;
    if (!read_number(check, value, at, out))
        return false;
    return (*aspect > 0.0 && *aspect <= 1e6) ||
           vxbi_check_refuse(check, at, value, "width by height, above 0 to 1000000");
}

static bool read_fps(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    double *fps = out;
    if (!read_number(check, value, at, out))
        return false;
    return (*fps > 0.0 && *fps <= 1e6) || vxbi_check_refuse(check, at, value, "frames a second, above 0 to 1000000");
}

static bool read_planes(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    static const struct vxbi_field numbers = {.kind = VXBI_FIELD_F32, .low = -1e9, .high = 1e9, .count = 4};
    struct vxb_plane *planes = out;
    size_t i = 0;
    bool good = true;
    if (!vxbi_check_array(check, value, at, PLANES, PLANES, "six planes [x, y, z, d]"))
        return false;
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), i++) {
        const struct vxbi_at here = {.up = at, .index = i};
        float plane[4] = {0};
        if (!vxbi_check_value(check, child, &here, &numbers, plane)) {
            good = false;
            continue;
        }
        planes[i] = (struct vxb_plane){{plane[0], plane[1], plane[2]}, plane[3]};
        if (plane[0] == 0.0f && plane[1] == 0.0f && plane[2] == 0.0f) {
            vxbi_check_fail(check, &here, VXB_ERR_USAGE, "the plane's normal, x, y and z, is zero: it has no inside");
            good = false;
        }
    }
    return good;
}

enum { TIME, POSITION, LOOK_AT, FOV_Y, ASPECT, SIDES, VIEW_KEYS };

#define IN_VIEW(member) offsetof(struct camera, member)
static const struct vxbi_field view_fields[VIEW_KEYS] = {
    [TIME] = {.key = "time", .kind = VXBI_FIELD_READ, .offset = IN_VIEW(time), .read = read_time, .required = true},
    [POSITION] = {.key = "position", .kind = VXBI_FIELD_F32, .offset = IN_VIEW(position), .low = -VXBI_WORLD_M,
                  .high = VXBI_WORLD_M, .count = 3, .required = true},
    [LOOK_AT] = {.key = "look_at", .kind = VXBI_FIELD_F32, .offset = IN_VIEW(target), .low = -VXBI_WORLD_M,
                 .high = VXBI_WORLD_M, .count = 3},
    [FOV_Y] = {.key = "fov_y", .kind = VXBI_FIELD_READ, .offset = IN_VIEW(fov_y), .read = read_angle},
    [ASPECT] = {.key = "aspect", .kind = VXBI_FIELD_READ, .offset = IN_VIEW(aspect), .read = read_aspect},
    [SIDES] = {.key = "planes", .kind = VXBI_FIELD_READ, .offset = IN_VIEW(planes), .read = read_planes},
};

static bool read_view(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      struct camera *view)
{
    struct vxbi_seen seen;
    bool good = vxbi_check_object(check, value, at, view_fields, VIEW_KEYS, view, &seen);
    view->has_time = vxbi_has(seen.good, TIME);
    view->has_planes = vxbi_has(seen.present, SIDES);
    if (!good)
        return false;
    bool look = vxbi_has(seen.present, LOOK_AT), fov = vxbi_has(seen.present, FOV_Y);
    bool aspect = vxbi_has(seen.present, ASPECT);
    if (view->has_planes ? look || fov || aspect : !look || !fov || !aspect) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE,
                        "a view has either look_at, fov_y and aspect, all three, or planes and none of them");
        return false;
    }
    if (look && memcmp(view->position, view->target, sizeof view->position) == 0) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "look_at is the position: it must be somewhere else");
        return false;
    }
    return true;
}

/* A view beside the one before it, as far as both could be read. */
static bool check_order(struct vxbi_check *check, const struct vxbi_at *at, const struct camera *before,
                        const struct camera *view)
{
    char earlier[VXB_TEXT_NUMBER_ROOM], now[VXB_TEXT_NUMBER_ROOM];
    bool good = true;
    if (before->has_time && view->has_time && !(view->time > before->time)) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "time %s stands after %s; times ascend strictly",
                        vxb_text_f64(view->time, now), vxb_text_f64(before->time, earlier));
        good = false;
    }
    if (view->has_planes != before->has_planes) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "this view has %s and the one before it %s; all are of one kind",
                        view->has_planes ? "planes" : "look_at", view->has_planes ? "look_at" : "planes");
        good = false;
    }
    return good;
}

/* out: the whole path. */
static bool read_views(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    struct vxb_path *path = out;
    bool good = true;
    if (!vxbi_check_array(check, value, at, 1, VXB_PATH_FRAMES_MAX, "at least one view"))
        return false;
    path->view_count = (uint32_t)vxbi_json_count(value);
    path->views = vxbi_new_zero(&path->allocator, path->view_count, sizeof *path->views);
    if (!path->views) {
        vxbi_check_memory(check, path->view_count * sizeof *path->views);
        path->view_count = 0;
        return false;
    }
    uint32_t i = 0;
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), i++) {
        const struct vxbi_at here = {.up = at, .index = i};
        good &= read_view(check, child, &here, &path->views[i]);
        if (i > 0)
            good &= check_order(check, &here, &path->views[i - 1], &path->views[i]);
    }
    return good;
}

static bool read_kind(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    (void)out;
    const char *text = vxbi_json_text(value);
    return (text && strcmp(text, "camera-path") == 0) || vxbi_check_refuse(check, at, value, "\"camera-path\"");
}

static bool read_version(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out)
{
    (void)out;
    if (vxbi_json_type(value) == VXBI_JSON_NUMBER && vxbi_json_number(value) != 1) {
        vxbi_check_fail(check, at, VXB_ERR_UNSUPPORTED, "this build reads version 1 of a path");
        return false;
    }
    return vxbi_json_type(value) == VXBI_JSON_NUMBER || vxbi_check_refuse(check, at, value, "1");
}

static const struct vxbi_field path_fields[] = {
    {.key = "kind", .kind = VXBI_FIELD_READ, .read = read_kind, .required = true},
    {.key = "version", .kind = VXBI_FIELD_READ, .read = read_version},
    {.key = "fps", .kind = VXBI_FIELD_READ, .offset = offsetof(struct vxb_path, fps), .read = read_fps,
     .required = true},
    {.key = "views", .kind = VXBI_FIELD_READ, .read = read_views, .required = true},
};

/* ---- frames ---- */

static double time_of(const struct vxb_path *path, uint64_t frame)
{
    return path->views[0].time + (double)frame / path->fps;
}

/* How many there are, by the rule and not by a quotient that rounds. */
static bool count_frames(struct vxbi_check *check, struct vxb_path *path)
{
    const double last = path->views[path->view_count - 1].time;
    const double about = (last - path->views[0].time) * path->fps;
    char text[VXB_TEXT_NUMBER_ROOM];
    uint64_t frame = about < 2.0 * VXB_PATH_FRAMES_MAX ? (uint64_t)about : VXB_PATH_FRAMES_MAX;
    while (frame > 0 && time_of(path, frame) > last)
        frame--;
    while (frame < VXB_PATH_FRAMES_MAX && time_of(path, frame + 1) <= last)
        frame++;
    if (frame >= VXB_PATH_FRAMES_MAX) {
        vxbi_check_fail(check, NULL, VXB_ERR_LIMIT, "the path has about %s frames; at most 1048576 are allowed",
                        vxb_text_f64(floor(about) + 1.0, text));
        return false;
    }
    path->frame_count = (uint32_t)frame + 1;
    return true;
}

/* The latest view at a time. */
static uint32_t view_at(const struct vxb_path *path, double time)
{
    uint32_t low = 0, high = path->view_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (path->views[middle].time <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalise(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return length > 0.0;
}

/* Where |side.p| <= slope * forward.p holds with equality: the planes on both sides. */
static void put_sides(const double position[3], const double forward[3], const double side[3], double slope,
                      struct vxb_plane planes[2])
{
    for (int k = 0; k < 2; k++) {
        double normal[3], d = 0.0;
        for (int i = 0; i < 3; i++)
            normal[i] = slope * forward[i] + (k ? -side[i] : side[i]);
        normalise(normal);
        for (int i = 0; i < 3; i++) {
            planes[k].normal[i] = (float)normal[i];
            d -= normal[i] * position[i];
        }
        planes[k].d = (float)d;
    }
}

static bool look(const struct camera *view, const double position[3], const double target[3], struct vxb_view *out)
{
    double forward[3], right[3], up[3] = {0.0, 1.0, 0.0};
    for (int i = 0; i < 3; i++)
        forward[i] = target[i] - position[i];
    if (!normalise(forward))
        return false;
    if (sqrt(forward[0] * forward[0] + forward[2] * forward[2]) <= 1e-4) {
        up[1] = 0.0;
        up[2] = -1.0;
    }
    cross(forward, up, right);
    normalise(right);
    cross(right, forward, up);
    const double slope = tan(view->fov_y / 2.0);
    put_sides(position, forward, right, slope * view->aspect, out->planes);
    put_sides(position, forward, up, slope, out->planes + 2);
    out->plane_count = 4;
    return true;
}

enum vxb_status vxb_path_frame(const struct vxb_path *path, uint32_t frame, double *time, struct vxb_view *view,
                               struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    *time = time_of(path, frame);
    const uint32_t i = view_at(path, *time);
    const struct camera *a = &path->views[i], *b = i + 1 < path->view_count ? a + 1 : a;
    const double part = b > a ? (*time - a->time) / (b->time - a->time) : 0.0;
    double position[3], target[3];
    for (int k = 0; k < 3; k++) {
        position[k] = (double)a->position[k] + part * ((double)b->position[k] - (double)a->position[k]);
        target[k] = (double)a->target[k] + part * ((double)b->target[k] - (double)a->target[k]);
        view->position[k] = (float)position[k];
    }
    if (a->has_planes) {
        memcpy(view->planes, a->planes, sizeof view->planes);
        view->plane_count = PLANES;
        return VXB_OK;
    }
    if (look(a, position, target, view))
        return VXB_OK;
    vxbi_fail(err, VXB_ERR_USAGE, "in frame %" PRIu32 ", at %s s, the camera stands where it looks at: the target "
              "moves through it after view %" PRIu32, frame, vxb_text_f64(*time, text), i);
    return vxbi_error_in(err, VXB_ERR_USAGE, path->name, NULL);
}

/* ---- the object ---- */

static bool read_path(struct vxbi_check *check, const struct vxbi_json *root, struct vxb_path *path)
{
    if (vxbi_json_type(root) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, NULL, root, "an object, the path");
    return vxbi_check_object(check, root, NULL, path_fields, 4, path, NULL) && count_frames(check, path);
}

static enum vxb_status parse(struct vxbi_check *check, const char *text, size_t size, struct vxb_path *path)
{
    struct vxbi_json *root = NULL;
    struct vxb_error failure = {0};
    enum vxb_status status = vxbi_json_parse(check->env, text, size, VXB_ERR_USAGE, &root, &failure);
    if (status) {
        vxbi_error_in(&failure, status, check->path, NULL);
        vxbi_check_send(check, &failure);
        return check->status;
    }
    if (!read_path(check, root, path) && !check->status)
        check->status = VXB_ERR_USAGE;
    vxbi_json_free(root);
    return check->status;
}

enum vxb_status vxb_path_parse(const struct vxb_env *env, const char *text, size_t size, const char *name,
                               struct vxb_path **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_arena arena = {.allocator = allocator};
    name = name ? name : "the path";
    struct vxbi_check check = {.env = env, .path = name, .folder = "", .arena = &arena, .first = err};
    struct vxb_path *path = vxbi_new_zero(&allocator, 1, sizeof *path);
    if (!path)
        return vxbi_fail_memory(err, sizeof *path);
    path->allocator = allocator;
    path->name = vxbi_new(&allocator, 1, strlen(name) + 1);
    if (path->name) {
        strcpy(path->name, name);
        status = parse(&check, text, size, path);
    } else {
        status = vxbi_fail_memory(err, strlen(name) + 1);
    }
    vxbi_arena_clear(&arena);
    if (status) {
        vxb_path_free(path);
        return status;
    }
    *out = path;
    return VXB_OK;
}

enum vxb_status vxb_path_load(const struct vxb_env *env, const char *path, struct vxb_path **out,
                              struct vxb_error *err)
{
    struct vxbi_bytes bytes = {0};
    struct vxb_error failure = {0};
    struct vxbi_check check = {.env = env, .first = err};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    status = vxbi_read_all(env, path, PATH_BYTES_MAX, &bytes, &failure);
    if (status) {
        if (status == VXB_ERR_FORMAT) /* an empty file */
            failure.status = VXB_ERR_USAGE;
        vxbi_check_send(&check, &failure);
        status = check.status;
    } else {
        const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
        status = vxb_path_parse(env, (const char *)bytes.data, bytes.size, name, out, err);
    }
    vxbi_bytes_clear(&bytes);
    return status;
}

void vxb_path_free(struct vxb_path *path)
{
    if (!path)
        return;
    struct vxb_allocator allocator = path->allocator;
    vxbi_delete(&allocator, path->views, path->view_count, sizeof *path->views);
    if (path->name)
        vxbi_delete(&allocator, path->name, 1, strlen(path->name) + 1);
    vxbi_delete(&allocator, path, 1, sizeof *path);
}

uint32_t vxb_path_view_count(const struct vxb_path *path)
{
    return path->view_count;
}

double vxb_path_fps(const struct vxb_path *path)
{
    return path->fps;
}

uint32_t vxb_path_frame_count(const struct vxb_path *path)
{
    return path->frame_count;
}
