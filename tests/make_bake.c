/* The makers. */
#include "make_bake.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vxbake/verify.h"

uint32_t made_below(struct made_random *random, uint32_t end)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random->state >> 33) * end >> 31);
}

float made_between(struct made_random *random, float low, float high)
{
    return low + (high - low) * ((float)made_below(random, 1u << 24) / 16777216.0f);
}

static void *must(void *memory)
{
    cr_assert(memory != NULL, "no memory");
    return memory;
}

void made_ground(struct meadow *made, uint32_t samples_x, uint32_t samples_z, float metres_per_quad)
{
    memset(made, 0, sizeof *made);
    size_t count = (size_t)samples_x * samples_z;
    made->heights = must(malloc(count * sizeof *made->heights));
    for (size_t i = 0; i < count; i++)
        made->heights[i] = 32768;
    made->terrain = (struct vxb_terrain){
        .samples_x = samples_x, .samples_z = samples_z, .heights = made->heights, .metres_per_quad = metres_per_quad,
        .max_height = 100.0f, .kind = VXB_TERRAIN_PNG, .sample = VXB_SAMPLE_U16, .file_hash = 0x1234567890ABCDEFu,
        .layers = made->layers};
    made->recipe = (struct vxb_recipe){.path = "made.json", .cell_size = 16.0f, .density = 4.0f, .density_scale = 1.0f,
                                       .terrain = {.path = "made.png", .layers = made->layer_descs}};
}

void made_clear(struct meadow *made)
{
    free(made->heights);
    free(made->holes);
    for (uint32_t i = 0; i < made->map_count; i++)
        free(made->maps[i]);
    memset(made, 0, sizeof *made);
}

/* Hills from integers alone, so that every machine's are the same. */
static uint32_t lattice(uint32_t seed, uint32_t x, uint32_t z)
{
    uint32_t h = seed * 0x9E3779B1u ^ x * 0x85EBCA77u ^ z * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return (h ^ h >> 13) & 0xFFFF;
}

static uint32_t rolling(uint32_t seed, uint32_t x, uint32_t z, uint32_t period)
{
    uint32_t i = x / period, j = z / period, fx = x % period, fz = z % period;
    uint64_t low = (uint64_t)lattice(seed, i, j) * (period - fx) + (uint64_t)lattice(seed, i + 1, j) * fx;
    uint64_t high = (uint64_t)lattice(seed, i, j + 1) * (period - fx) + (uint64_t)lattice(seed, i + 1, j + 1) * fx;
    return (uint32_t)((low * (period - fz) + high * fz) / ((uint64_t)period * period));
}

void made_hills(struct meadow *made, uint32_t seed)
{
    for (uint32_t z = 0; z < made->terrain.samples_z; z++)
        for (uint32_t x = 0; x < made->terrain.samples_x; x++)
            made->heights[(size_t)z * made->terrain.samples_x + x] =
                (uint16_t)((3 * rolling(seed, x, z, 13) + rolling(seed + 1, x, z, 5)) / 4);
}

void made_plane(struct meadow *made, uint16_t first, uint16_t step)
{
    for (uint32_t z = 0; z < made->terrain.samples_z; z++)
        for (uint32_t x = 0; x < made->terrain.samples_x; x++)
            made->heights[(size_t)z * made->terrain.samples_x + x] = (uint16_t)(first + step * x);
}

void made_hole(struct meadow *made, uint32_t x, uint32_t z)
{
    size_t i = (size_t)z * made->terrain.samples_x + x;
    if (!made->holes)
        made->holes = must(calloc(((size_t)made->terrain.samples_x * made->terrain.samples_z + 7) / 8, 1));
    made->holes[i >> 3] |= (uint8_t)(1u << (i & 7));
    made->terrain.holes = made->holes;
}

uint8_t *made_map(struct meadow *made, struct vxb_map *map, uint32_t width, uint32_t height)
{
    uint8_t *samples = must(calloc((size_t)width * height, 1));
    made->maps[made->map_count++] = samples;
    *map = (struct vxb_map){.width = width, .height = height, .samples = samples, .file_hash = 77 + made->map_count};
    return samples;
}

uint8_t *made_layer(struct meadow *made, const char *name, uint32_t width, uint32_t height)
{
    uint32_t i = made->terrain.layer_count++;
    made->recipe.terrain.layer_count = made->terrain.layer_count;
    made->layers[i].name = made->layer_descs[i].name = name;
    return made_map(made, &made->layers[i].map, width, height);
}

void made_paint(uint8_t *samples, uint32_t width, uint32_t height, uint32_t seed)
{
    for (uint32_t z = 0; z < height; z++)
        for (uint32_t x = 0; x < width; x++)
            samples[(size_t)z * width + x] = (uint8_t)(rolling(seed, x, z, 7) >> 8);
}

struct vxb_recipe_species *made_species(struct meadow *made, const char *name)
{
    struct vxb_recipe_species *s = &made->recipe.species[made->recipe.species_count++];
    *s = (struct vxb_recipe_species){
        .name = name, .share = 1.0f, .material = name, .mesh = "", .mesh_radius = 1.0f, .min_weight = 0.15f,
        .max_weight = 0.6f, .jitter = 0.8f, .min_scale = 0.7f, .max_scale = 1.3f, .random_yaw = true,
        .align_to_normal = 0.35f, .max_slope = 1.5707964f,
        .lods = {{.distance = INFINITY, .keep = 1.0f, .fade = INFINITY}},
        .lod_count = 1, .passes = {"main"}, .pass_count = 1};
    return s;
}

struct vxb_plan *made_plan(const struct meadow *made)
{
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_plan_new(NULL, &made->recipe, &made->terrain, &plan, &err);
    cr_assert(eq(int, status, VXB_OK), "%s: %s", err.pointer, err.message);
    return plan;
}

/* ---- anything ---- */

static const char *const names[4] = {"fescue", "clover", "sedge", "straw"};

static void random_maps(struct meadow *made, struct made_random *r)
{
    const struct vxb_terrain *t = &made->terrain;
    uint32_t layers = made_below(r, 4);
    for (uint32_t i = 0; i < layers; i++) {
        bool same = made_below(r, 2);
        uint32_t w = same ? t->samples_x : 1 + made_below(r, 90), h = same ? t->samples_z : 1 + made_below(r, 90);
        made_paint(made_layer(made, names[i], w, h), w, h, made_below(r, 1000));
    }
    if (made_below(r, 3) == 0) {
        uint32_t w = 1 + made_below(r, 70), h = made_below(r, 2) ? t->samples_z : 1 + made_below(r, 70);
        made_paint(made_map(made, &made->terrain.exclude, w, h), w, h, made_below(r, 1000));
    }
    if (made_below(r, 3) == 0) {
        uint32_t w = 1 + made_below(r, 50), h = 1 + made_below(r, 50);
        made_paint(made_map(made, &made->terrain.scale, w, h), w, h, made_below(r, 1000));
    }
    if (made_below(r, 3) == 0)
        for (uint32_t i = 1 + made_below(r, 40); i > 0; i--)
            made_hole(made, made_below(r, t->samples_x), made_below(r, t->samples_z));
}

static void random_species(struct meadow *made, struct made_random *r)
{
    uint32_t count = 1 + made_below(r, 4);
    for (uint32_t k = 0; k < count; k++) {
        struct vxb_recipe_species *s = made_species(made, names[k]);
        s->share = made_between(r, 0.1f, 4.0f);
        s->jitter = made_below(r, 4) ? made_between(r, 0.0f, 1.0f) : (float)made_below(r, 2);
        s->min_weight = made_between(r, 0.0f, 0.5f);
        s->max_weight = made_below(r, 4) ? made_between(r, s->min_weight, 1.0f) : s->min_weight;
        s->min_scale = made_below(r, 5) ? made_between(r, 0.01f, 1.0f) : 0.0009765625f;
        s->max_scale = made_between(r, s->min_scale, 4.0f);
        s->random_yaw = made_below(r, 2);
        s->align_to_normal = made_between(r, 0.0f, 1.0f);
        s->max_slope = made_below(r, 5) ? made_between(r, 0.1f, 1.57f) : 1.5707964f;
        if (made_below(r, 3) == 0) {
            s->has_altitude = true;
            s->altitude[0] = made_between(r, -10.0f, 40.0f);
            s->altitude[1] = made_between(r, s->altitude[0], 120.0f);
        }
        if (made->terrain.layer_count && made_below(r, 3))
            s->layer = made->layers[made_below(r, made->terrain.layer_count)].name;
    }
}

void made_anything(struct meadow *made, uint32_t seed)
{
    struct made_random r = {seed * 7919u + 17u};
    made_ground(made, 2 + made_below(&r, 80), 2 + made_below(&r, 80), made_between(&r, 0.1f, 4.0f));
    if (made_below(&r, 5))
        made_hills(made, seed);
    made->terrain.min_height = made_between(&r, -50.0f, 50.0f);
    made->terrain.max_height = made->terrain.min_height + made_between(&r, 0.0f, 60.0f);
    for (int i = 0; i < 3; i++)
        made->terrain.origin[i] =
            made_below(&r, 3) ? made_between(&r, -300.0f, 300.0f) : (float)made_below(&r, 3) * 64 - 64;
    made->recipe.seed = made_below(&r, 4) ? made_below(&r, UINT32_MAX) : 0;
    made->recipe.cell_size = made_below(&r, 3) ? made_between(&r, 1.0f, 70.0f) : (float)(1u << made_below(&r, 7));
    /* From one candidate a cell, over far more samples than candidates, to thousands over one quad. */
    float side = made_below(&r, 3) == 0 ? 0.6f + made_between(&r, 0.0f, 3.0f) : made_between(&r, 4.0f, 120.0f);
    made->recipe.density = side * side / (made->recipe.cell_size * made->recipe.cell_size);
    made->recipe.density_scale = made_below(&r, 3) ? 1.0f : made_between(&r, 0.0f, 1.0f);
    random_maps(made, &r);
    random_species(made, &r);
}

/* ---- bakes ---- */

static void read_file(const char *path, struct baked *baked)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL && fseek(file, 0, SEEK_END) == 0);
    baked->size = (size_t)ftell(file);
    rewind(file);
    baked->bytes = must(malloc(baked->size));
    cr_assert(eq(sz, fread(baked->bytes, 1, baked->size, file), baked->size));
    fclose(file);
}

size_t made_picture(const struct meadow *made, struct vxb_device *device, enum vxb_preview_as as, const double *region,
                    char bytes[MADE_PICTURE_ROOM])
{
    char path[] = "/tmp/vxbake-picture-XXXXXX";
    const struct vxb_env env = {.size = sizeof env, .threads = 2};
    struct vxb_bake_options options = {.size = sizeof options, .preview = path, .preview_as = as,
                                       .has_region = region != NULL, .device = device};
    struct vxb_error err = {0};
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    if (region)
        memcpy(options.region, region, sizeof options.region);
    struct vxb_plan *plan = made_plan(made);
    cr_assert(eq(int, vxb_bake_planned(&env, plan, &options, NULL, &err), VXB_OK), "%s", err.message);
    vxb_plan_free(plan);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    const size_t size = fread(bytes, 1, MADE_PICTURE_ROOM, file);
    fclose(file);
    unlink(path);
    cr_assert(size > 0 && size < MADE_PICTURE_ROOM);
    return size;
}

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    memcpy(buf, (const uint8_t *)user + offset, size);
    return true;
}

/* A partial file has the note that says so, and nothing else. */
static void verify(const char *path, bool partial)
{
    struct vxb_env env = {.size = sizeof env, .threads = 1};
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_verify(&env, path, NULL, &report, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    for (uint32_t i = partial; i < report->finding_count; i++)
        cr_log_error("%s: %s", report->findings[i].pointer, report->findings[i].message);
    cr_assert(eq(u32, report->finding_count, partial));
    if (partial)
        cr_assert(eq(int, report->findings[0].finding, VXB_FINDING_PARTIAL_FIELD));
    cr_assert(eq(u64, report->coverage.blades_checked, report->coverage.blades_total));
    vxb_verify_report_free(report);
}

struct baked made_bake(const struct meadow *made, const struct made_how *how)
{
    struct baked baked = {0};
    struct vxb_error err = {0};
    char path[] = "/tmp/vxbake-test-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(ge(int, fd, 0));
    close(fd);
    struct vxb_env env = {.size = sizeof env, .threads = how ? how->threads : 1};
    struct vxb_bake_options options = {.size = sizeof options, .output = path, .compress = how && how->compress,
                                       .compress_level = 3, .split = how && how->split,
                                       .device = how ? how->device : NULL,
                                       .cross_check = how ? how->cross_check : 0.0};
    if (how && how->region) {
        options.has_region = true;
        memcpy(options.region, how->region, sizeof options.region);
    }
    const struct vxbi_bake_tuning tuning = {.way = how ? how->way : VXBI_BAKE_AS_PAYS};
    struct vxb_plan *plan = made_plan(made);
    enum vxb_status status = vxbi_bake_tuned(&env, plan, &options, &tuning, &baked.report, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    vxb_plan_free(plan);
    read_file(path, &baked);
    verify(path, options.has_region);
    unlink(path);
    return baked;
}

void baked_clear(struct baked *baked)
{
    vxb_grass_close(baked->grass);
    free(baked->bytes);
    memset(baked, 0, sizeof *baked);
}

const struct vxb_grass *baked_reader(const struct baked *baked)
{
    struct baked *mine = (struct baked *)(uintptr_t)baked;
    if (!mine->grass) {
        struct vxb_source source = {.user = mine->bytes, .size = mine->size, .read_at = read_at};
        struct vxb_error err = {0};
        enum vxb_status status = vxb_grass_open_source(NULL, &source, "baked", &mine->grass, &err);
        cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    }
    return mine->grass;
}

struct vxb_grass_chunk baked_chunk(const struct baked *baked, uint32_t index)
{
    struct vxb_grass_chunk chunk;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_grass_chunks(baked_reader(baked), index, 1, &chunk, &err), VXB_OK), "%s", err.message);
    return chunk;
}

uint8_t *baked_records(const struct baked *baked, const struct vxb_grass_chunk *chunk)
{
    size_t size = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    uint8_t *records = must(malloc(size));
    struct vxb_error err = {0};
    enum vxb_status status = vxb_grass_read_chunk(baked_reader(baked), chunk, records, size, NULL, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    return records;
}

struct baked_blade *baked_blades(const struct baked *baked)
{
    const struct vxb_grass_header *header = vxb_grass_header(baked_reader(baked));
    struct baked_blade *blades = must(malloc(((size_t)header->blade_count + 1) * sizeof *blades));
    size_t n = 0;
    for (uint32_t i = 0; i < header->chunk_count; i++) {
        struct vxb_grass_chunk chunk = baked_chunk(baked, i);
        uint8_t *records = baked_records(baked, &chunk);
        for (uint32_t k = 0; k < chunk.blade_count; k++, n++) {
            blades[n] = (struct baked_blade){.cell_z = chunk.cell_z, .cell_x = chunk.cell_x, .section = chunk.section};
            memcpy(blades[n].record, records + (size_t)k * VXB_GRASS_RECORD_BYTES, VXB_GRASS_RECORD_BYTES);
        }
        free(records);
    }
    cr_assert(eq(sz, n, header->blade_count));
    return blades;
}

int compare_blades(const void *a, const void *b)
{
    const struct baked_blade *x = a, *y = b;
    if (x->cell_z != y->cell_z)
        return x->cell_z < y->cell_z ? -1 : 1;
    if (x->cell_x != y->cell_x)
        return x->cell_x < y->cell_x ? -1 : 1;
    int order = memcmp(x->record, y->record, VXB_GRASS_RECORD_BYTES);
    return order ? order : (x->section > y->section) - (x->section < y->section);
}
