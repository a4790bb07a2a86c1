/* Whether a scene and the options of a fill are within their ranges; the messages name them as a recipe does. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/error.h"
#include "../core/limits.h"
#include "../core/text.h"
#include "fill_scene.h"

#define UNIT_OFF 1e-4 /* of a direction's squared length */

static enum vxb_status fail_value(struct vxb_error *err, const char *what, uint32_t index, const char *name,
                                  float found, const char *allowed)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (index != UINT32_MAX)
        return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu32 ": \"%s\" is %s; it must be %s", what, index, name,
                         vxb_text_f32(found, text), allowed);
    return vxbi_fail(err, VXB_ERR_USAGE, "%s: \"%s\" is %s; it must be %s", what, name, vxb_text_f32(found, text),
                     allowed);
}

/* What a number belongs to, for messages; index UINT32_MAX: there is but one. */
struct where {
    const char *what;
    uint32_t index;
};

static enum vxb_status check_three(struct where at, const char *name, const float v[3], double low, double high,
                                   const char *allowed, struct vxb_error *err)
{
    for (int a = 0; a < 3; a++)
        if (!((double)v[a] >= low && (double)v[a] <= high))
            return fail_value(err, at.what, at.index, name, v[a], allowed);
    return VXB_OK;
}

static enum vxb_status check_place(struct where at, const char *name, const float v[3], struct vxb_error *err)
{
    return check_three(at, name, v, -VXBI_WORLD_M, VXBI_WORLD_M, "within 1048576 m of the origin", err);
}

static enum vxb_status check_light(struct where at, const char *name, const float v[3], struct vxb_error *err)
{
    return check_three(at, name, v, 0.0, (double)FLT_MAX, "0 or more, and finite", err);
}

static enum vxb_status check_albedo(struct where at, const float v[3], struct vxb_error *err)
{
    return check_three(at, "albedo", v, 0.0, 1.0, "0 to 1", err);
}

static enum vxb_status check_size(struct where at, const char *name, float v, struct vxb_error *err)
{
    if (!(v > 0.0f && (double)v <= 2.0 * VXBI_WORLD_M))
        return fail_value(err, at.what, at.index, name, v, "above 0, and at most 2097152 m");
    return VXB_OK;
}

static enum vxb_status check_unit(struct where at, const char *name, const float v[3], struct vxb_error *err)
{
    const double square = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    if (!(fabs(square - 1.0) <= UNIT_OFF))
        return fail_value(err, at.what, at.index, name, (float)sqrt(square), "of length 1");
    return VXB_OK;
}

static enum vxb_status check_extent(struct where at, const struct vxb_shape *s, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    switch (s->kind) {
    case VXB_SHAPE_SPHERE:
        status = check_place(at, "center", s->center, err);
        return status ? status : check_size(at, "radius", s->radius, err);
    case VXB_SHAPE_BOX:
        status = check_place(at, "center", s->center, err);
        for (int a = 0; a < 3 && !status; a++)
            status = check_size(at, "half_extents", s->half_extents[a], err);
        return status;
    case VXB_SHAPE_PLANE:
        status = check_unit(at, "normal", s->normal, err);
        if (!status && !(fabs((double)s->offset) <= 2.0 * VXBI_WORLD_M))
            return fail_value(err, at.what, at.index, "offset", s->offset, "within 2097152 m of 0");
        return status;
    case VXB_SHAPE_CAPSULE:
        status = check_place(at, "a", s->a, err);
        if (!status)
            status = check_place(at, "b", s->b, err);
        return status ? status : check_size(at, "radius", s->radius, err);
    }
    return vxbi_fail(err, VXB_ERR_USAGE, "shape %" PRIu32 " is of an unknown kind", at.index);
}

static enum vxb_status check_shapes(const struct vxb_scene *scene, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (scene->shape_count > VXB_SHAPES_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "there are %" PRIu32 " shapes; at most %d are allowed", scene->shape_count,
                         VXB_SHAPES_MAX);
    for (uint32_t i = 0; i < scene->shape_count && !status; i++) {
        const struct where at = {"shape", i};
        status = check_extent(at, &scene->shapes[i], err);
        if (!status)
            status = check_albedo(at, scene->shapes[i].albedo, err);
        if (!status)
            status = check_light(at, "emission", scene->shapes[i].emission, err);
    }
    return status;
}

static enum vxb_status check_ground(const struct vxb_scene *scene, struct vxb_error *err)
{
    const struct where terrain = {"the terrain", UINT32_MAX};
    if (!scene->terrain)
        return VXB_OK;
    enum vxb_status status = check_place(terrain, "origin", scene->terrain->origin, err);
    if (!status)
        status = check_albedo(terrain, scene->ground_albedo, err);
    if (!status)
        status = check_light(terrain, "emission", scene->ground_emission, err);
    for (uint32_t i = 0; i < scene->layer_count && !status; i++)
        status = check_albedo((struct where){"layer", i}, scene->layers[i].albedo, err);
    return status;
}

static enum vxb_status check_sky(const struct vxb_sky *sky, struct vxb_error *err)
{
    const struct where at = {"the sky", UINT32_MAX};
    enum vxb_status status = VXB_OK;
    switch (sky->kind) {
    case VXB_SKY_CONSTANT: return check_light(at, "constant", sky->horizon, err);
    case VXB_SKY_GRADIENT:
        status = check_light(at, "ground", sky->ground, err);
        if (!status)
            status = check_light(at, "horizon", sky->horizon, err);
        return status ? status : check_light(at, "zenith", sky->zenith, err);
    case VXB_SKY_MAP:
        if (!sky->map)
            return vxbi_fail(err, VXB_ERR_USAGE, "the sky is a map, and there is none");
        if (!isfinite(sky->rotation))
            return fail_value(err, at.what, at.index, "rotation", sky->rotation, "finite");
        return VXB_OK;
    }
    return vxbi_fail(err, VXB_ERR_USAGE, "the sky is of an unknown kind");
}

static enum vxb_status check_sun(const struct vxb_scene *scene, struct vxb_error *err)
{
    const struct where at = {"the sun", UINT32_MAX};
    if (!scene->has_sun)
        return VXB_OK;
    enum vxb_status status = check_unit(at, "direction", scene->sun_direction, err);
    return status ? status : check_light(at, "irradiance", scene->sun_irradiance, err);
}

static enum vxb_status check_count(const char *name, uint32_t found, uint32_t low, uint32_t high, struct vxb_error *err)
{
    if (found < low || found > high)
        return vxbi_fail(err, VXB_ERR_USAGE, "\"%s\" is %" PRIu32 "; it must be %" PRIu32 " to %" PRIu32, name, found,
                         low, high);
    return VXB_OK;
}

static enum vxb_status check_options(const struct vxb_fill_options *options, struct vxb_error *err)
{
    const struct where at = {"the rays", UINT32_MAX};
    enum vxb_status status = check_count("rays", options->rays, 1, VXB_FILL_RAYS_MAX, err);
    if (!status && !(options->max_distance > 0.0f && options->max_distance <= (float)VXB_FILL_DISTANCE_MAX))
        return fail_value(err, at.what, at.index, "max_distance", options->max_distance,
                          "above 0, and at most 4194304 m");
    if (!status)
        status = check_count("bounces", options->bounces, 0, VXB_FILL_BOUNCES_MAX, err);
    if (!status)
        status = check_count("dilation", options->dilation, 0, VXB_FILL_DILATION_MAX, err);
    if (!status && !(options->cross_check >= 0.0 && options->cross_check <= 100.0))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "cross_check",
                                  "the cross-check takes 0 to 100 percent of the bricks");
    if (!status && options->cross_check > 0.0 && !options->device)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "cross_check",
                                  "a cross-check compares a device with the CPU, so it needs a device");
    return status;
}

enum vxb_status vxbi_fill_check(const struct vxb_scene *scene, const struct vxb_fill_options *options,
                                struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_size("vxb_scene", scene->size, sizeof *scene, err);
    if (!status)
        status = vxbi_check_size("vxb_fill_options", options->size, sizeof *options, err);
    if (!status)
        status = check_options(options, err);
    if (!status)
        status = check_shapes(scene, err);
    if (!status)
        status = check_ground(scene, err);
    if (!status)
        status = check_sky(&scene->sky, err);
    return status ? status : check_sun(scene, err);
}
