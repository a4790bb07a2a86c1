/* Scenes and fields to fill, made here: what every backend has to agree on. */
#ifndef TESTS_MAKE_LIGHT_H
#define TESTS_MAKE_LIGHT_H

#include "vxbake/fill.h"

#define LIGHT_SIDE 65u
#define LIGHT_SHAPES 8

/* Everything a fixture needs, in one place. */
struct light {
    uint16_t heights[LIGHT_SIDE * LIGHT_SIDE];
    uint8_t holes[(LIGHT_SIDE * LIGHT_SIDE + 7) / 8];
    uint8_t meadow[LIGHT_SIDE * LIGHT_SIDE], rock[20 * 30];
    float texels[3 * 32 * 16];
    struct vxb_layer layers[2];
    struct vxb_terrain terrain;
    struct vxb_ground_layer ground[2];
    struct vxb_sky_map map;
    struct vxb_shape shapes[LIGHT_SHAPES];
    struct vxb_scene scene;
    struct vxb_fill_options options;
};

/* A field over a box, bricks of one size all over, placed. */
struct vxb_probe_field *light_field(const float min[3], const float max[3], const uint32_t cells[3], uint32_t size);
/* Fills it, on so many threads or a device; fails the test where that fails. */
void light_fill(const struct light *light, struct vxb_probe_field *field, uint32_t threads, struct vxb_device *device,
                struct vxb_fill_stats *stats);
uint64_t light_hash(const struct vxb_probe_field *field);
const struct vxb_probe *light_texels(const struct vxb_probe_field *field, size_t *count);

/* A scene of nothing under a black sky; 64 rays of 100 m. */
void light_clear(struct light *light);
/* Six boxes about the cube from -half to half, with this light of their own and albedo. */
void light_room(struct light *light, float half, float emission, float albedo);
/* Hills of 64 x 64 quads of a metre from (0, 0) on, painted, with holes in them. */
void light_hills(struct light *light);
/* A sky of 32 x 16 texels. */
void light_map(struct light *light);

/* The fixtures and what is written down of them. */
struct light_fixture {
    const char *name;
    struct vxb_probe_field *(*make)(struct light *light);
    uint64_t hash;
};
extern const struct light_fixture light_fixtures[];
extern const size_t light_fixture_count;

#endif
