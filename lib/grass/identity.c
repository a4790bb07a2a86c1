/* Canonical encodings and their hashes. Whoever adds a field that decides a byte adds it here and raises
 * VXB_BAKE_REVISION. */
#include "identity.h"

#include <string.h>

#include "../core/bytes.h"
#include "../core/hash.h"

/* Hashes pieces of the encoding as they are put. */
struct encoder {
    struct vxbi_hash_state state;
};

static void put(struct encoder *e, const void *bytes, size_t size)
{
    vxbi_hash_add(&e->state, bytes, size);
}

static void put_u8(struct encoder *e, uint8_t v) { put(e, &v, 1); }

static void put_u16(struct encoder *e, uint16_t v)
{
    uint8_t b[2];
    vxbi_store_u16(b, v);
    put(e, b, sizeof b);
}

static void put_u32(struct encoder *e, uint32_t v)
{
    uint8_t b[4];
    vxbi_store_u32(b, v);
    put(e, b, sizeof b);
}

static void put_u64(struct encoder *e, uint64_t v)
{
    uint8_t b[8];
    vxbi_store_u64(b, v);
    put(e, b, sizeof b);
}

/* By its bits, but -0 as 0: they are one value to whoever wrote the recipe. */
static void put_f32(struct encoder *e, float v)
{
    put_u32(e, v == 0.0f ? 0 : vxbi_f32_bits(v));
}

static void put_text(struct encoder *e, const char *text)
{
    size_t size = strlen(text);
    put_u16(e, (uint16_t)size);
    put(e, text, size);
}

uint64_t vxbi_name_id(const char *name)
{
    return vxbi_hash(name, strlen(name));
}

uint64_t vxbi_profile_id(const struct vxb_recipe_species *species, uint64_t id, uint32_t parts)
{
    struct encoder e;
    vxbi_hash_begin(&e.state);
    put_text(&e, species->name);
    put_u64(&e, id);
    put_u32(&e, parts);
    put_text(&e, species->material);
    put_text(&e, species->mesh);
    put_f32(&e, species->mesh_radius);
    put_u8(&e, species->layer != NULL);
    put_text(&e, species->layer ? species->layer : "");
    put_f32(&e, species->min_weight);
    put_f32(&e, species->max_weight);
    put_f32(&e, species->jitter);
    put_f32(&e, species->min_scale);
    put_f32(&e, species->max_scale);
    put_u8(&e, species->random_yaw);
    put_f32(&e, species->align_to_normal);
    put_f32(&e, species->max_slope);
    put_u8(&e, species->has_altitude);
    put_f32(&e, species->has_altitude ? species->altitude[0] : 0.0f);
    put_f32(&e, species->has_altitude ? species->altitude[1] : 0.0f);
    put_u16(&e, (uint16_t)species->lod_count);
    for (uint32_t i = 0; i < species->lod_count; i++) {
        const struct vxb_recipe_lod *lod = &species->lods[i];
        put_f32(&e, lod->distance);
        put_f32(&e, lod->keep);
        put_f32(&e, lod->fade);
        put_u32(&e, lod->index_count);
        put_u32(&e, lod->first_index);
        put_u32(&e, (uint32_t)lod->vertex_offset);
    }
    put_u16(&e, (uint16_t)species->pass_count);
    for (uint32_t i = 0; i < species->pass_count; i++)
        put_text(&e, species->passes[i]);
    return vxbi_hash_end(&e.state);
}

static void put_map(struct encoder *e, const struct vxb_map *map)
{
    bool given = map->samples != NULL;
    put_u8(e, given);
    put_u64(e, given ? map->file_hash : 0);
    put_u8(e, given ? (uint8_t)map->channel : 0);
}

/* The layers that the recipe names, in byte order of their names; those inside a .vxterrain are in that file's hash. */
static void put_layers(struct encoder *e, const struct vxb_plan *plan)
{
    const struct vxb_terrain *terrain = plan->terrain;
    uint32_t count = plan->recipe->terrain.layer_count;
    const char *last = NULL;
    put_u16(e, (uint16_t)count);
    for (uint32_t done = 0; done < count; done++) {
        const struct vxb_layer *next = NULL;
        for (uint32_t i = 0; i < terrain->layer_count; i++) {
            const struct vxb_layer *layer = &terrain->layers[i];
            if ((!last || strcmp(layer->name, last) > 0) && (!next || strcmp(layer->name, next->name) < 0))
                next = layer;
        }
        if (!next)
            return;
        put_text(e, next->name);
        put_u64(e, next->map.file_hash);
        put_u8(e, (uint8_t)next->map.channel);
        last = next->name;
    }
}

static void put_terrain(struct encoder *e, const struct vxb_plan *plan)
{
    const struct vxb_terrain *terrain = plan->terrain;
    const struct vxb_terrain_desc *desc = &plan->recipe->terrain;
    put_u32(e, terrain->samples_x);
    put_u32(e, terrain->samples_z);
    put_u8(e, terrain->kind == VXB_TERRAIN_RAW ? (uint8_t)desc->order : 0);
    put_u8(e, (uint8_t)desc->flip);
    put_u8(e, desc->transpose);
    put_f32(e, terrain->min_height);
    put_f32(e, terrain->max_height);
    put_f32(e, terrain->metres_per_quad);
    for (int i = 0; i < 3; i++)
        put_f32(e, terrain->origin[i]);
    put_u64(e, terrain->file_hash);
    put_u8(e, (uint8_t)terrain->sample);
    put_layers(e, plan);
    put_map(e, &terrain->exclude);
    put_map(e, &terrain->scale);
}

uint64_t vxbi_bake_id(const struct vxb_plan *plan, bool inexact)
{
    const struct vxb_recipe *recipe = plan->recipe;
    const struct vxb_recipe_budgets *given = &recipe->budgets;
    struct encoder e;
    vxbi_hash_begin(&e.state);
    put_u32(&e, VXB_BAKE_REVISION);
    put_u32(&e, recipe->seed);
    put_f32(&e, recipe->cell_size);
    put_f32(&e, recipe->density);
    put_f32(&e, recipe->density_scale);
    put_u32(&e, plan->blade_budget);
    put_u8(&e, given->has_max_blades);
    put_u32(&e, given->has_max_blades ? given->max_blades : 0);
    put_u8(&e, given->has_gpu_bytes);
    put_u64(&e, given->has_gpu_bytes ? given->gpu_bytes : 0);
    put_u8(&e, given->has_file_bytes);
    put_u64(&e, given->has_file_bytes ? given->file_bytes : 0);
    put_u8(&e, given->has_max_commands);
    put_u32(&e, given->has_max_commands ? given->max_commands : 0);
    put_u8(&e, given->has_updates_per_frame);
    put_u32(&e, given->has_updates_per_frame ? given->updates_per_frame : 0);
    put_terrain(&e, plan);
    put_u8(&e, inexact);
    put_u16(&e, (uint16_t)plan->species_count);
    for (uint32_t k = 0; k < plan->species_count; k++)
        put_u64(&e, plan->species[k].profile_id);
    return vxbi_hash_end(&e.state);
}
