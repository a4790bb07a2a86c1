/* The canonical encoding of a terrain. Whoever adds a field that decides a byte adds it here and raises
 * VXB_BAKE_REVISION. */
#include "identity.h"

#include "../core/encode.h"

static void put_map(struct vxbi_hash_state *e, const struct vxb_map *map)
{
    bool given = map->samples != NULL;
    vxbi_encode_u8(e, given);
    vxbi_encode_u64(e, given ? map->file_hash : 0);
    vxbi_encode_u8(e, given ? (uint8_t)map->channel : 0);
}

/* The layers that the recipe names, in byte order of their names; those inside a .vxterrain are in that file's hash. */
static void put_layers(struct vxbi_hash_state *e, const struct vxb_terrain *terrain, uint32_t count)
{
    const char *last = NULL;
    vxbi_encode_u16(e, (uint16_t)count);
    for (uint32_t done = 0; done < count; done++) {
        const struct vxb_layer *next = NULL;
        for (uint32_t i = 0; i < terrain->layer_count; i++) {
            const struct vxb_layer *layer = &terrain->layers[i];
            if ((!last || strcmp(layer->name, last) > 0) && (!next || strcmp(layer->name, next->name) < 0))
                next = layer;
        }
        if (!next)
            return;
        vxbi_encode_text(e, next->name);
        vxbi_encode_u64(e, next->map.file_hash);
        vxbi_encode_u8(e, (uint8_t)next->map.channel);
        last = next->name;
    }
}

void vxbi_terrain_encode(struct vxbi_hash_state *e, const struct vxb_terrain *terrain,
                         const struct vxb_terrain_desc *desc)
{
    vxbi_encode_u32(e, terrain->samples_x);
    vxbi_encode_u32(e, terrain->samples_z);
    vxbi_encode_u8(e, terrain->kind == VXB_TERRAIN_RAW ? (uint8_t)desc->order : 0);
    vxbi_encode_u8(e, (uint8_t)desc->flip);
    vxbi_encode_u8(e, desc->transpose);
    vxbi_encode_f32(e, terrain->min_height);
    vxbi_encode_f32(e, terrain->max_height);
    vxbi_encode_f32(e, terrain->metres_per_quad);
    for (int i = 0; i < 3; i++)
        vxbi_encode_f32(e, terrain->origin[i]);
    vxbi_encode_u64(e, terrain->file_hash);
    vxbi_encode_u8(e, (uint8_t)terrain->sample);
    put_layers(e, terrain, desc->layer_count);
    put_map(e, &terrain->exclude);
    put_map(e, &terrain->scale);
}
