/* Canonical encodings and their hashes. Whoever adds a field that decides a byte adds it here and raises
 * VXB_BAKE_REVISION. */
#include "identity.h"

#include <string.h>

#include "../core/encode.h"
#include "../terrain/identity.h"

uint64_t vxbi_name_id(const char *name)
{
    return vxbi_hash(name, strlen(name));
}

uint64_t vxbi_profile_id(const struct vxb_recipe_species *species, uint64_t id, uint32_t parts)
{
    struct vxbi_hash_state e;
    vxbi_hash_begin(&e);
    vxbi_encode_text(&e, species->name);
    vxbi_encode_u64(&e, id);
    vxbi_encode_u32(&e, parts);
    vxbi_encode_text(&e, species->material);
    vxbi_encode_text(&e, species->mesh);
    vxbi_encode_f32(&e, species->mesh_radius);
    vxbi_encode_u8(&e, species->layer != NULL);
    vxbi_encode_text(&e, species->layer ? species->layer : "");
    vxbi_encode_f32(&e, species->min_weight);
    vxbi_encode_f32(&e, species->max_weight);
    vxbi_encode_f32(&e, species->jitter);
    vxbi_encode_f32(&e, species->min_scale);
    vxbi_encode_f32(&e, species->max_scale);
    vxbi_encode_u8(&e, species->random_yaw);
    vxbi_encode_f32(&e, species->align_to_normal);
    vxbi_encode_f32(&e, species->max_slope);
    vxbi_encode_u8(&e, species->has_altitude);
    vxbi_encode_f32(&e, species->has_altitude ? species->altitude[0] : 0.0f);
    vxbi_encode_f32(&e, species->has_altitude ? species->altitude[1] : 0.0f);
    vxbi_encode_u16(&e, (uint16_t)species->lod_count);
    for (uint32_t i = 0; i < species->lod_count; i++) {
        const struct vxb_recipe_lod *lod = &species->lods[i];
        vxbi_encode_f32(&e, lod->distance);
        vxbi_encode_f32(&e, lod->keep);
        vxbi_encode_f32(&e, lod->fade);
        vxbi_encode_u32(&e, lod->index_count);
        vxbi_encode_u32(&e, lod->first_index);
        vxbi_encode_u32(&e, (uint32_t)lod->vertex_offset);
    }
    vxbi_encode_u16(&e, (uint16_t)species->pass_count);
    for (uint32_t i = 0; i < species->pass_count; i++)
        vxbi_encode_text(&e, species->passes[i]);
    return vxbi_hash_end(&e);
}

uint64_t vxbi_bake_id(const struct vxb_plan *plan, bool inexact)
{
    const struct vxb_recipe *recipe = plan->recipe;
    const struct vxb_recipe_budgets *given = &recipe->budgets;
    struct vxbi_hash_state e;
    vxbi_hash_begin(&e);
    vxbi_encode_u32(&e, VXB_BAKE_REVISION);
    vxbi_encode_u32(&e, recipe->seed);
    vxbi_encode_f32(&e, recipe->cell_size);
    vxbi_encode_f32(&e, recipe->density);
    vxbi_encode_f32(&e, recipe->density_scale);
    vxbi_encode_u32(&e, plan->blade_budget);
    vxbi_encode_u8(&e, given->has_max_blades);
    vxbi_encode_u32(&e, given->has_max_blades ? given->max_blades : 0);
    vxbi_encode_u8(&e, given->has_gpu_bytes);
    vxbi_encode_u64(&e, given->has_gpu_bytes ? given->gpu_bytes : 0);
    vxbi_encode_u8(&e, given->has_file_bytes);
    vxbi_encode_u64(&e, given->has_file_bytes ? given->file_bytes : 0);
    vxbi_encode_u8(&e, given->has_max_commands);
    vxbi_encode_u32(&e, given->has_max_commands ? given->max_commands : 0);
    vxbi_encode_u8(&e, given->has_updates_per_frame);
    vxbi_encode_u32(&e, given->has_updates_per_frame ? given->updates_per_frame : 0);
    vxbi_terrain_encode(&e, plan->terrain, &recipe->terrain);
    vxbi_encode_u8(&e, inexact);
    vxbi_encode_u16(&e, (uint16_t)plan->species_count);
    for (uint32_t k = 0; k < plan->species_count; k++)
        vxbi_encode_u64(&e, plan->species[k].profile_id);
    return vxbi_hash_end(&e);
}
