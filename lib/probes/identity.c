/* The bake id of an irradiance field: the recipe in canonical form, its keys in the order of the manual page, every
 * default filled in. Whoever adds a key that decides a byte adds it here and raises VXB_BAKE_REVISION. */
#include "../core/encode.h"
#include "../terrain/identity.h"
#include "bake_plan.h"

static void put_box(struct vxbi_hash_state *e, const struct vxb_probe_region *box)
{
    vxbi_encode_f32s(e, box->min, 3);
    vxbi_encode_f32s(e, box->max, 3);
}

static void put_regions(struct vxbi_hash_state *e, const struct vxb_recipe_region *regions, uint32_t count)
{
    vxbi_encode_u32(e, count);
    for (uint32_t i = 0; i < count; i++) {
        put_box(e, &regions[i].box);
        vxbi_encode_u32(e, regions[i].size);
    }
}

static void put_terrain(struct vxbi_hash_state *e, const struct vxb_probe_recipe *r, const struct vxb_terrain *terrain)
{
    vxbi_encode_u8(e, r->has_terrain);
    if (!r->has_terrain)
        return;
    vxbi_terrain_encode(e, terrain, &r->terrain);
    vxbi_encode_f32s(e, r->terrain_albedo, 3);
    vxbi_encode_u32(e, r->layer_albedo_count);
    for (uint32_t i = 0; i < r->layer_albedo_count; i++) {
        vxbi_encode_text(e, r->layer_albedo[i].layer);
        vxbi_encode_f32s(e, r->layer_albedo[i].albedo, 3);
    }
    vxbi_encode_f32s(e, r->terrain_emission, 3);
}

static void put_shape(struct vxbi_hash_state *e, const struct vxb_shape *shape)
{
    vxbi_encode_u8(e, (uint8_t)shape->kind);
    vxbi_encode_f32s(e, shape->center, 3);
    vxbi_encode_f32s(e, shape->half_extents, 3);
    vxbi_encode_f32s(e, shape->normal, 3);
    vxbi_encode_f32(e, shape->offset);
    vxbi_encode_f32s(e, shape->a, 3);
    vxbi_encode_f32s(e, shape->b, 3);
    vxbi_encode_f32(e, shape->radius);
    vxbi_encode_f32s(e, shape->albedo, 3);
    vxbi_encode_f32s(e, shape->emission, 3);
}

static void put_sky(struct vxbi_hash_state *e, const struct vxb_recipe_sky *sky, const struct vxb_sky_map *map)
{
    vxbi_encode_u8(e, (uint8_t)sky->kind);
    vxbi_encode_f32s(e, sky->ground, 3);
    vxbi_encode_f32s(e, sky->horizon, 3);
    vxbi_encode_f32s(e, sky->zenith, 3);
    vxbi_encode_u64(e, map ? map->file_hash : 0);
    vxbi_encode_f32(e, sky->rotation);
    vxbi_encode_f32(e, sky->intensity);
}

uint64_t vxbi_probe_bake_id(const struct vxb_probe_recipe *r, const struct vxb_scene *scene, bool inexact)
{
    struct vxbi_hash_state e;
    vxbi_hash_begin(&e);
    vxbi_encode_u32(&e, VXB_BAKE_REVISION);
    vxbi_encode_text(&e, vxb_recipe_kind_name(VXB_RECIPE_PROBES));
    put_box(&e, &r->bounds);
    for (int i = 0; i < 3; i++)
        vxbi_encode_u32(&e, r->cells[i]);
    for (int i = 0; i < 3; i++)
        vxbi_encode_u32(&e, r->slots[i]);
    put_regions(&e, r->allocate, r->allocate_count);
    put_regions(&e, r->refine, r->refine_count);
    vxbi_encode_u32(&e, r->band_count);
    for (uint32_t i = 0; i < r->band_count; i++) {
        vxbi_encode_f32(&e, r->bands[i].margin);
        vxbi_encode_u32(&e, r->bands[i].size);
    }
    vxbi_encode_f32s(&e, r->focus, 3);
    put_terrain(&e, r, scene->terrain);
    vxbi_encode_u32(&e, r->shape_count);
    for (uint32_t i = 0; i < r->shape_count; i++)
        put_shape(&e, &r->shapes[i]);
    put_sky(&e, &r->sky, scene->sky.map);
    vxbi_encode_u8(&e, r->has_sun);
    vxbi_encode_f32s(&e, r->sun_direction, 3);
    vxbi_encode_f32s(&e, r->sun_irradiance, 3);
    vxbi_encode_u32(&e, r->rays);
    vxbi_encode_f32(&e, r->max_distance);
    vxbi_encode_u32(&e, r->bounces);
    vxbi_encode_u32(&e, r->dilation);
    vxbi_encode_u8(&e, (uint8_t)r->encoding);
    vxbi_encode_u8(&e, inexact);
    return vxbi_hash_end(&e);
}
