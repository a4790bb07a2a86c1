/* The plan of a recipe: bricks where allocation, refinement and bands want them, and what they cost. */
#include "bake_plan.h"

#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"
#include "format.h"

/* ---- bricks ---- */

static struct vxb_probe_extent extent_of(const struct vxb_shape *shape)
{
    struct vxb_probe_extent extent = {.kind = VXB_PROBE_EXTENT_BOX};
    for (int i = 0; i < 3; i++) {
        const float *low = shape->center, *high = shape->center;
        float grow = shape->kind == VXB_SHAPE_BOX ? shape->half_extents[i] : shape->radius;
        if (shape->kind == VXB_SHAPE_CAPSULE) {
            low = shape->a[i] < shape->b[i] ? shape->a : shape->b;
            high = shape->a[i] < shape->b[i] ? shape->b : shape->a;
        }
        extent.box.min[i] = low[i] - grow;
        extent.box.max[i] = high[i] + grow;
    }
    if (shape->kind == VXB_SHAPE_PLANE) {
        extent = (struct vxb_probe_extent){.kind = VXB_PROBE_EXTENT_PLANE, .offset = shape->offset};
        memcpy(extent.normal, shape->normal, sizeof extent.normal);
    }
    return extent;
}

static enum vxb_status refine_bands(const struct vxbi_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_probe_recipe *r = plan->shown.recipe;
    const struct vxb_probe_ground ground = {.range = vxbi_probe_ground_range, .user = plan->terrain};
    struct vxb_probe_extent *extents = NULL;
    if (!r->band_count)
        return VXB_OK;
    if (r->shape_count && !(extents = vxbi_new(&plan->allocator, r->shape_count, sizeof *extents)))
        return vxbi_fail_memory(err, r->shape_count * sizeof *extents);
    for (uint32_t i = 0; i < r->shape_count; i++)
        extents[i] = extent_of(&r->shapes[i]);
    enum vxb_status status =
        vxb_probe_field_refine_bands(plan->shown.field, r->bands, r->band_count, extents, r->shape_count,
                                     plan->terrain ? &ground : NULL, NULL, err);
    vxbi_delete(&plan->allocator, extents, r->shape_count, sizeof *extents);
    return status;
}

static enum vxb_status make_bricks(const struct vxb_env *env, struct vxbi_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_probe_recipe *r = plan->shown.recipe;
    struct vxb_probe_field *field;
    enum vxb_status status = vxb_probe_field_new(env, &r->bounds, r->cells, r->slots, &plan->shown.field, err);
    if (status)
        return status;
    field = plan->shown.field;
    status = vxb_probe_field_set_focus(field, r->focus, err);
    for (uint32_t i = 0; i < r->allocate_count && !status; i++)
        status = vxb_probe_field_allocate(field, &r->allocate[i].box, r->allocate[i].size, NULL, err);
    for (uint32_t i = 0; i < r->refine_count && !status; i++)
        status = vxb_probe_field_refine(field, &r->refine[i].box, r->refine[i].size, NULL, err);
    if (!status)
        status = refine_bands(plan, err);
    return status ? status : vxb_probe_field_place(field, err);
}

/* ---- what it costs ---- */

static uint64_t file_bytes(const struct vxb_probe_plan *plan)
{
    const uint64_t plane = vxbi_probe_texels(plan->slots) * vxbi_probe_texel_bytes(plan->recipe->encoding);
    struct vxbi_probe_layout layout;
    vxbi_probe_layout(plan->counts.bricks, &layout);
    uint64_t end = layout.data;
    for (int k = 0; k < VXB_PROBE_PLANES; k++)
        end = vxbi_probe_plane_start(0, end) + plane;
    return end;
}

static uint64_t memory_bytes(const struct vxbi_probe_plan *plan)
{
    const struct vxb_probe_recipe *r = plan->shown.recipe;
    const uint64_t pool = vxbi_probe_texels(plan->shown.slots) * sizeof(struct vxb_probe);
    uint64_t bytes = pool * (r->bounces ? 2 : 1) +
                     (uint64_t)r->cells[0] * r->cells[1] * r->cells[2] * sizeof(struct vxb_probe_cell);
    if (plan->terrain) {
        const uint64_t samples = (uint64_t)plan->terrain->samples_x * plan->terrain->samples_z;
        bytes += samples * sizeof(uint16_t) * 4 / 3;
        for (uint32_t i = 0; i < plan->terrain->layer_count; i++)
            bytes += (uint64_t)plan->terrain->layers[i].map.width * plan->terrain->layers[i].map.height;
    }
    if (plan->sky)
        bytes += (uint64_t)plan->sky->width * plan->sky->height * 3 * sizeof(float);
    return bytes;
}

static void measure(struct vxbi_probe_plan *plan)
{
    struct vxb_probe_plan *shown = &plan->shown;
    const struct vxb_probe_recipe *r = shown->recipe;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(shown->field, NULL);
    shown->counts = vxb_probe_field_counts(shown->field);
    vxb_probe_pool_slots(vxb_probe_field_pool(shown->field), shown->slots);
    for (uint32_t i = 0; i < shown->counts.bricks; i++) {
        int k = 0;
        while (bricks[i].size >> k > 1)
            k++;
        shown->bricks[k]++;
    }
    shown->probes = (uint64_t)shown->counts.bricks * VXB_BRICK_RESOLUTION * VXB_BRICK_RESOLUTION * VXB_BRICK_RESOLUTION;
    shown->rays = shown->probes * r->rays * (1 + r->bounces);
    shown->file_bytes = file_bytes(shown);
    shown->memory_bytes = memory_bytes(plan);
    shown->bake_id = vxbi_probe_bake_id(r, &plan->scene, false);
}

enum vxb_status vxb_probe_plan_new(const struct vxb_env *env, const struct vxb_probe_recipe *recipe,
                                   struct vxb_probe_plan **out, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    struct vxbi_probe_plan *plan = vxbi_new_zero(&allocator, 1, sizeof *plan);
    if (!plan)
        return vxbi_fail_memory(err, sizeof *plan);
    plan->allocator = allocator;
    plan->shown.recipe = recipe;
    status = vxbi_probe_scene(env, plan, err);
    if (!status) {
        status = make_bricks(env, plan, err);
        if (status)
            vxbi_error_in(err, status, recipe->path, NULL);
    }
    if (status) {
        vxb_probe_plan_free(&plan->shown);
        return status;
    }
    measure(plan);
    *out = &plan->shown;
    return VXB_OK;
}

void vxb_probe_plan_free(struct vxb_probe_plan *shown)
{
    struct vxbi_probe_plan *plan = (struct vxbi_probe_plan *)shown;
    if (!plan)
        return;
    const struct vxb_allocator allocator = plan->allocator;
    vxb_probe_field_free(shown->field);
    vxb_terrain_free(plan->terrain);
    vxb_sky_map_free(plan->sky);
    vxbi_delete(&allocator, plan->layers, shown->recipe->layer_albedo_count, sizeof *plan->layers);
    vxbi_delete(&allocator, plan, 1, sizeof *plan);
}
