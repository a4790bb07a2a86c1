/* From a scene in world metres to the kernels' numbers. Differences of world positions are made in double and rounded
 * once, so that far from the origin the light is as good as at it. */
#include "fill_scene.h"

#include <math.h>
#include <string.h>

#include "../core/error.h"

#define PI 3.14159265358979323846

_Static_assert(sizeof(struct vxk_shape) == 56 && sizeof(struct vxk_layer) == 24 && sizeof(struct vxk_vec) == 12 &&
                   sizeof(struct vxk_fill) % 4 == 0,
               "host and device agree on what is in a buffer");
_Static_assert(VXB_SHAPE_SPHERE == VXK_SPHERE && VXB_SHAPE_BOX == VXK_BOX && VXB_SHAPE_PLANE == VXK_PLANE &&
                   VXB_SHAPE_CAPSULE == VXK_CAPSULE && VXB_SKY_CONSTANT == VXK_SKY_CONSTANT &&
                   VXB_SKY_GRADIENT == VXK_SKY_GRADIENT && VXB_SKY_MAP == VXK_SKY_MAP &&
                   VXBI_PEAK_LEVELS == VXK_RELIEF_LEVELS && VXB_BRICK_PROBES == VXK_PROBES_A_BRICK,
               "kernel kinds and counts are the public ones");

static struct vxk_vec vec_of(const float v[3])
{
    return vxk_vec_of(v[0], v[1], v[2]);
}

static struct vxk_vec place_of(const float corner[3], const float v[3])
{
    return vxk_vec_of((float)((double)v[0] - (double)corner[0]), (float)((double)v[1] - (double)corner[1]),
                      (float)((double)v[2] - (double)corner[2]));
}

/* ---- shapes ---- */

static struct vxk_shape shape_of(const float corner[3], const struct vxb_shape *from)
{
    struct vxk_shape s = {.kind = (vxk_u32)from->kind, .radius = from->radius, .albedo = vec_of(from->albedo),
                          .emission = vec_of(from->emission)};
    switch (from->kind) {
    case VXB_SHAPE_SPHERE: s.a = place_of(corner, from->center); break;
    case VXB_SHAPE_BOX:
        s.a = place_of(corner, from->center);
        s.b = vec_of(from->half_extents);
        break;
    case VXB_SHAPE_PLANE:
        s.a = vec_of(from->normal);
        s.radius = (float)((double)from->offset - (double)from->normal[0] * (double)corner[0] -
                           (double)from->normal[1] * (double)corner[1] - (double)from->normal[2] * (double)corner[2]);
        break;
    case VXB_SHAPE_CAPSULE:
        s.a = place_of(corner, from->a);
        s.b = place_of(corner, from->b);
        break;
    }
    return s;
}

static enum vxb_status make_shapes(struct vxbi_fill_scene *s, const float corner[3], const struct vxb_scene *scene,
                                   struct vxb_error *err)
{
    if (!scene->shape_count)
        return VXB_OK;
    s->shapes = vxbi_new(&s->allocator, scene->shape_count, sizeof *s->shapes);
    if (!s->shapes)
        return vxbi_fail_memory(err, (uint64_t)scene->shape_count * sizeof *s->shapes);
    s->numbers.shape_count = scene->shape_count;
    for (uint32_t i = 0; i < scene->shape_count; i++)
        s->shapes[i] = shape_of(corner, &scene->shapes[i]);
    return VXB_OK;
}

/* ---- terrain ---- */

/* Where the corner stands on an axis of the terrain; how many quads from it the furthest is that anything asks for. */
static double place_axis(double corner, double origin, double quad, int32_t quads, double extent, vxk_i32 *base,
                         vxk_f32 *first)
{
    const double at = (corner - origin) / quad, whole = floor(at);
    *base = (vxk_i32)whole;
    *first = (float)(at - whole);
    return fmax(fmax(fabs(whole), fabs((double)quads - whole)), extent / quad + 1.0);
}

/* What rounding can make of a ray's height over the ground, several times over: a place along the ground that is off by
 * units in the last place, on the steepest slope; and heights along the ray. */
static float margin_of(const struct vxbi_fill_scene *s, double furthest, double scale, double height, double extent_y)
{
    const double step = (double)s->peaks.steepest * scale;
    const double heights = fabs(height) + 65535.0 * scale + extent_y + (double)s->numbers.max_distance;
    return (float)(furthest * 0x1p-20 * step + heights * 0x1p-20);
}

static void place_terrain(struct vxbi_fill_scene *s, const struct vxb_probe_field *field, const struct vxb_terrain *t)
{
    struct vxk_relief *r = &s->numbers.relief;
    const float *corner = field->bounds.min;
    const double quad = (double)t->metres_per_quad;
    const double scale = ((double)t->max_height - (double)t->min_height) / 65535.0;
    const double height = (double)t->min_height + (double)t->origin[1] - (double)corner[1];
    r->quads_x = (vxk_i32)t->samples_x - 1;
    r->quads_z = (vxk_i32)t->samples_z - 1;
    const double far_x = place_axis((double)corner[0], (double)t->origin[0], quad, r->quads_x, (double)field->extent[0],
                                    &r->base_x, &r->first_x);
    const double far_z = place_axis((double)corner[2], (double)t->origin[2], quad, r->quads_z, (double)field->extent[2],
                                    &r->base_z, &r->first_z);
    r->per_metre = (float)(1.0 / quad);
    r->height = (float)height;
    r->scale = (float)scale;
    r->margin = margin_of(s, fmax(far_x, far_z), scale, height, (double)field->extent[1]);
    r->top = (float)(height + scale * (double)s->peaks.top) + 2.0f * r->margin;
    r->has_holes = t->holes != NULL;
    r->levels = (vxk_i32)s->peaks.levels;
    memcpy(r->level_at, s->peaks.level_at, sizeof r->level_at);
}

static enum vxb_status make_terrain(struct vxbi_fill_scene *s, const struct vxb_probe_field *field,
                                    const struct vxb_terrain *t, struct vxb_error *err)
{
    if (!t)
        return VXB_OK;
    enum vxb_status status = vxbi_peaks_new(&s->allocator, t, &s->peaks, err);
    if (status)
        return status;
    s->heights = t->heights;
    s->holes = t->holes;
    s->samples = (uint64_t)t->samples_x * t->samples_z;
    place_terrain(s, field, t);
    return VXB_OK;
}

static enum vxb_status make_layers(struct vxbi_fill_scene *s, const struct vxb_scene *scene, struct vxb_error *err)
{
    const uint32_t count = scene->terrain ? scene->layer_count : 0;
    if (!count)
        return VXB_OK;
    for (uint32_t i = 0; i < count; i++)
        s->weight_bytes += (uint64_t)scene->layers[i].layer->map.width * scene->layers[i].layer->map.height;
    s->numbers.layer_count = count;
    s->layers = vxbi_new(&s->allocator, count, sizeof *s->layers);
    s->weights = s->weight_bytes <= UINT32_MAX ? vxbi_new(&s->allocator, s->weight_bytes, 1) : NULL;
    if (s->weight_bytes > UINT32_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the terrain's layers have more than 4 GiB of weights in all; paint fewer, or smaller ones");
    if (!s->layers || !s->weights)
        return vxbi_fail_memory(err, s->weight_bytes);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct vxb_map *map = &scene->layers[i].layer->map;
        const uint32_t bytes = map->width * map->height;
        s->layers[i] = (struct vxk_layer){at, {map->width, map->height}, vec_of(scene->layers[i].albedo)};
        memcpy(s->weights + at, map->samples, bytes);
        at += bytes;
    }
    return VXB_OK;
}

/* ---- light ---- */

static void make_sky(struct vxbi_fill_scene *s, const struct vxb_sky *from)
{
    struct vxk_sky *sky = &s->numbers.sky;
    sky->kind = (vxk_u32)from->kind;
    sky->ground = vec_of(from->ground);
    sky->horizon = vec_of(from->horizon);
    sky->zenith = vec_of(from->zenith);
    if (from->kind == VXB_SKY_MAP) {
        const double turn = (double)from->rotation / (2.0 * PI);
        sky->width = from->map->width;
        sky->height = from->map->height;
        sky->turn = (float)(turn - floor(turn));
        s->sky = from->map->texels;
        s->sky_floats = 3 * (uint64_t)from->map->width * from->map->height;
    }
}

static void make_sun(struct vxbi_fill_scene *s, const struct vxb_scene *scene)
{
    if (!scene->has_sun)
        return;
    s->numbers.has_sun = 1;
    s->numbers.sun = vec_of(scene->sun_direction);
    s->numbers.sun_radiance = vxk_vec_of((float)((double)scene->sun_irradiance[0] / PI),
                                         (float)((double)scene->sun_irradiance[1] / PI),
                                         (float)((double)scene->sun_irradiance[2] / PI));
}

static enum vxb_status make_rays(struct vxbi_fill_scene *s, uint32_t rays, struct vxb_error *err)
{
    s->numbers.rays = rays;
    s->numbers.solid_angle = (float)(4.0 * PI / (double)rays);
    s->directions = vxbi_new(&s->allocator, 3 * (uint64_t)rays, sizeof *s->directions);
    if (!s->directions)
        return vxbi_fail_memory(err, 3 * (uint64_t)rays * sizeof *s->directions);
    vxbi_fill_directions(rays, s->directions);
    return VXB_OK;
}

/* ---- the whole ---- */

static void make_grid(struct vxk_fill *f, const struct vxb_probe_field *field)
{
    for (int a = 0; a < 3; a++) {
        f->cells[a] = field->cells[a];
        f->slots[a] = field->pool->slots[a];
        f->cell_size[a] = field->cell_size[a];
        f->extent[a] = field->extent[a];
    }
}

enum vxb_status vxbi_fill_scene_init(const struct vxb_allocator *allocator, const struct vxb_probe_field *field,
                                     const struct vxb_scene *scene, const struct vxb_fill_options *options,
                                     struct vxbi_fill_scene *out, struct vxb_error *err)
{
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    enum vxb_status status = vxbi_fill_check(scene, options, err);
    if (status)
        return status;
    make_grid(&out->numbers, field);
    out->numbers.max_distance = options->max_distance;
    out->numbers.ground_albedo = vec_of(scene->ground_albedo);
    out->numbers.ground_emission = vec_of(scene->ground_emission);
    make_sky(out, &scene->sky);
    make_sun(out, scene);
    status = make_rays(out, options->rays, err);
    if (!status)
        status = make_shapes(out, field->bounds.min, scene, err);
    if (!status)
        status = make_terrain(out, field, scene->terrain, err);
    if (!status)
        status = make_layers(out, scene, err);
    if (status)
        vxbi_fill_scene_clear(out);
    return status;
}

void vxbi_fill_scene_clear(struct vxbi_fill_scene *s)
{
    const struct vxb_allocator *allocator = &s->allocator;
    vxbi_delete(allocator, s->shapes, s->numbers.shape_count, sizeof *s->shapes);
    vxbi_peaks_clear(allocator, &s->peaks);
    vxbi_delete(allocator, s->layers, s->numbers.layer_count, sizeof *s->layers);
    vxbi_delete(allocator, s->weights, s->weight_bytes, 1);
    vxbi_delete(allocator, s->directions, 3 * (uint64_t)s->numbers.rays, sizeof *s->directions);
    memset(s, 0, sizeof *s);
}

struct vxk_scene vxbi_fill_scene_arrays(const struct vxbi_fill_scene *s, const struct vxb_probe *texels,
                                        const struct vxb_probe_cell *indirection)
{
    return (struct vxk_scene){
        .shapes = s->shapes,
        .relief = {s->heights, s->holes, s->peaks.maxima},
        .layers = s->layers,
        .weights = s->weights,
        .sky = s->sky,
        .directions = s->directions,
        .texels = (const vxk_f32 *)texels,
        .indirection = (const vxk_u32 *)indirection,
    };
}
