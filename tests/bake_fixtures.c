/* The fields. */
#include "bake_fixtures.h"

void bake_fixture_one(struct meadow *made)
{
    made_ground(made, 65, 49, 1.0f);
    made_hills(made, 1);
    made_species(made, "fescue");
}

void bake_fixture_painted(struct meadow *made)
{
    made_ground(made, 65, 65, 0.75f);
    made_hills(made, 2);
    made_paint(made_layer(made, "Grass", 65, 65), 65, 65, 3);
    made_paint(made_map(made, &made->terrain.exclude, 40, 31), 40, 31, 4);
    made_paint(made_map(made, &made->terrain.scale, 20, 65), 20, 65, 5);
    for (uint32_t i = 0; i < 9; i++)
        made_hole(made, 30 + i, 12 + 2 * i);
    made->terrain.origin[0] = -128.5f;
    made->terrain.origin[1] = 3.25f;
    made->terrain.origin[2] = -17.0f;
    made->recipe.seed = 4242;
    made->recipe.cell_size = 17.5f;
    made->recipe.density = 9.0f;
    made->recipe.density_scale = 0.9f;
    struct vxb_recipe_species *s = made_species(made, "fescue");
    s->layer = "Grass";
    s->align_to_normal = 1.0f;
    s->max_slope = 1.4f;
}

void bake_fixture_four(struct meadow *made)
{
    bake_fixture_painted(made);
    made_paint(made_layer(made, "Dirt", 33, 33), 33, 33, 6);
    struct vxb_recipe_species *s = made_species(made, "clover");
    s->layer = "Dirt";
    s->jitter = 1.0f;
    s->share = 0.5f;
    s = made_species(made, "sedge");
    s->has_altitude = true;
    s->altitude[0] = 20.0f;
    s->altitude[1] = 70.0f;
    s->random_yaw = false;
    s = made_species(made, "straw");
    s->share = 2.25f;
    s->max_slope = 0.9f;
    s->align_to_normal = 0.0f;
}

void bake_fixture_budgeted(struct meadow *made)
{
    bake_fixture_four(made);
    made->recipe.budgets.has_max_blades = true;
    made->recipe.budgets.max_blades = 2000;
}

void bake_fixture_sparse(struct meadow *made)
{
    made_ground(made, 257, 257, 1.0f);
    made_hills(made, 7);
    made->recipe.cell_size = 8.0f;
    made->recipe.density = 1.0f / 64.0f;
    made_species(made, "fescue");
    made_species(made, "clover")->jitter = 0.0f;
}

void bake_fixture_empty(struct meadow *made)
{
    made_ground(made, 17, 17, 1.0f);
    made_layer(made, "Grass", 17, 17);
    made_species(made, "fescue")->layer = "Grass";
}

const struct bake_fixture bake_fixtures[BAKE_FIXTURES] = {
    {"one", bake_fixture_one, 0x5E97315E9AB67E87u, 0x81E1D50173049124u},
    {"painted", bake_fixture_painted, 0xDCE89A15BFC3D957u, 0xBA52DE1CCD655D54u},
    {"four", bake_fixture_four, 0xB6347C9D39B301D9u, 0xBA9C51A45EF8A9C3u},
    {"budgeted", bake_fixture_budgeted, 0xC77F29F486F0D182u, 0x8584BD1A0FA32304u},
    {"sparse", bake_fixture_sparse, 0x95E6263A98957B51u, 0x8E41C99775DB7CD0u},
    {"empty", bake_fixture_empty, 0xFF6182054BA54E60u, 0x17A5CA718B1A089Au},
};
