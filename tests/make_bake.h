/* Terrains, recipes and bakes made by code, for the tests of everything between a recipe and a file. */
#ifndef TESTS_MAKE_BAKE_H
#define TESTS_MAKE_BAKE_H

#include "bake_grass.h"
#include "vxbake/grass.h"

/* A row of draws that is the same everywhere. */
struct made_random {
    uint64_t state;
};
uint32_t made_below(struct made_random *random, uint32_t end);
float made_between(struct made_random *random, float low, float high);

/* A terrain, its recipe, and their storage. made_ground() makes level ground at 32768 of 0..100 m, no map, no hole, and
 * a recipe without species: cells of 16 m, density 4. */
struct meadow {
    struct vxb_recipe recipe;
    struct vxb_terrain terrain;
    uint16_t *heights;
    uint8_t *holes;
    struct vxb_layer layers[4];
    struct vxb_layer_desc layer_descs[4];
    uint8_t *maps[8];
    uint32_t map_count;
};
void made_ground(struct meadow *made, uint32_t samples_x, uint32_t samples_z, float metres_per_quad);
void made_clear(struct meadow *made);

/* Rolling hills over the whole range; and a plane that rises evenly along x. */
void made_hills(struct meadow *made, uint32_t seed);
void made_plane(struct meadow *made, uint16_t first, uint16_t step);
void made_hole(struct meadow *made, uint32_t x, uint32_t z);

/* A painted map's bytes to fill in, all zero: a layer, or one of the terrain's own three. */
uint8_t *made_layer(struct meadow *made, const char *name, uint32_t width, uint32_t height);
uint8_t *made_map(struct meadow *made, struct vxb_map *map, uint32_t width, uint32_t height);
/* Fills a map with soft blots. */
void made_paint(uint8_t *samples, uint32_t width, uint32_t height, uint32_t seed);

/* Adds a species with the defaults a recipe has, share 1, no layer. */
struct vxb_recipe_species *made_species(struct meadow *made, const char *name);

/* A terrain and a recipe of any kind that number seed stands for: sizes, maps, holes, one to four species, negative
 * origins, cells of odd sizes, from one candidate a cell to thousands over one quad. */
void made_anything(struct meadow *made, uint32_t seed);

/* The plan; fails the test where there is none. */
struct vxb_plan *made_plan(const struct meadow *made);

/* The bytes of a picture of a bake, fewer than MADE_PICTURE_ROOM. region, device: as below. */
#define MADE_PICTURE_ROOM (4 << 20)
size_t made_picture(const struct meadow *made, struct vxb_device *device, enum vxb_preview_as as, const double *region,
                    char bytes[MADE_PICTURE_ROOM]);

/* How to bake. */
struct made_how {
    uint32_t threads;
    bool compress, split;
    const double *region; /* x0, z0, x1, z1; NULL: everything */
    struct vxb_device *device; /* NULL: the CPU */
    double cross_check;
    enum vxbi_bake_way way;
};

/* A baked file in memory, verified: any finding fails the test. Free with baked_clear(). */
struct baked {
    uint8_t *bytes;
    size_t size;
    struct vxb_bake_report report;
    struct vxb_grass *grass;
};
struct baked made_bake(const struct meadow *made, const struct made_how *how);
void baked_clear(struct baked *baked);

/* The file's reader, opened when first asked for. */
const struct vxb_grass *baked_reader(const struct baked *baked);
/* A chunk's records; read from the file, checked. Free them. */
struct vxb_grass_chunk baked_chunk(const struct baked *baked, uint32_t index);
uint8_t *baked_records(const struct baked *baked, const struct vxb_grass_chunk *chunk);

/* Where a blade is and all that is stored of it, in an order that can be sorted. */
struct baked_blade {
    int32_t cell_z, cell_x;
    uint32_t section;
    uint8_t record[VXB_GRASS_RECORD_BYTES];
};
/* Every blade of the file, in its order; free them. */
struct baked_blade *baked_blades(const struct baked *baked);
/* By everything but the section, then the section. */
int compare_blades(const void *a, const void *b);

#endif
