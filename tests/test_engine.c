/* Scatter against what the Vixen engine computed on its own terrain: the same candidates survive, with the same values.
 *
 * A decision may differ where the engine's was within 2e-5 of going the other way, or where the candidate stands within
 * 0.1 mm of the terrain's edge; how often that was needed is counted and bounded. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "../bench/plain_scatter.h"
#include "core/bytes.h"
#include "make_bake.h"
#include "vxk_candidate.h"

static const char terrain_path[] = TEST_DATA "/../../examples/meadow/Meadow.vxterrain";

/* ---- what the engine said ---- */

struct engine_blade {
    uint32_t index;
    float x, y, z, up[3], yaw, scale, tint, phase;
};

struct engine_cell {
    int32_t x, z;
    uint32_t count, placed;
    uint8_t *reasons; /* 0 placed, 1 no surface, 2 slope, 3 density */
    float *margins;
    struct engine_blade *blades;
};

static void *must(void *memory)
{
    cr_assert(memory != NULL, "no memory");
    return memory;
}

static void engine_room(struct engine_cell *cell, uint32_t side)
{
    size_t n = (size_t)side * side;
    cell->reasons = must(calloc(n, 1));
    cell->margins = must(calloc(n, sizeof *cell->margins));
    cell->blades = must(calloc(n, sizeof *cell->blades));
}

static void engine_free(struct engine_cell *cell)
{
    free(cell->reasons);
    free(cell->margins);
    free(cell->blades);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s is missing", path);
    char *text = must(calloc(1, 4096));
    cr_assert(lt(sz, 0, fread(text, 1, 4095, file)));
    fclose(file);
    return text;
}

static const char *value_of(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    cr_assert(at != NULL, "no %s", key);
    return at + strlen(quoted);
}

static float number_of(const char *text, const char *key)
{
    return strtof(value_of(text, key), NULL);
}

static bool true_of(const char *text, const char *key)
{
    return strncmp(value_of(text, key), "true", 4) == 0;
}

/* ---- the same, ours ---- */

struct ours {
    struct vxb_terrain *terrain;
    struct vxb_recipe recipe;
    struct vxb_plan *plan;
    struct vxbi_scatter scatter;
    uint8_t *reasons;
    struct plain_blade *blades;
    uint64_t candidates, compared, excused;
    uint64_t on_the_edge_of_flat; /* n.y about 0.9999, where rounding picks whether a blade is tilted at all */
};

static void open_ours(struct ours *ours, const char *json)
{
    struct meadow made;
    struct vxb_error err = {0};
    memset(ours, 0, sizeof *ours);
    made_ground(&made, 2, 2, 1.0f);
    struct vxb_recipe_species *s = made_species(&made, "meadow");
    struct vxb_terrain_desc *desc = &made.recipe.terrain;
    *desc = (struct vxb_terrain_desc){.path = terrain_path};
    const char *origin = value_of(json, "origin");
    cr_assert(eq(int, sscanf(origin, "[%f, %f, %f]", &desc->origin[0], &desc->origin[1], &desc->origin[2]), 3));
    cr_assert(eq(int, vxb_terrain_load(NULL, desc, &ours->terrain, &err), VXB_OK), "%s", err.message);
    made.recipe.cell_size = number_of(json, "cell_size");
    made.recipe.density = number_of(json, "density");
    made.recipe.density_scale = number_of(json, "density_scale");
    s->layer = strncmp(value_of(json, "layer"), "\"\"", 2) == 0 ? NULL : "Grass";
    s->min_weight = number_of(json, "min_weight");
    s->max_weight = number_of(json, "max_weight");
    s->jitter = number_of(json, "jitter");
    s->min_scale = number_of(json, "min_scale");
    s->max_scale = number_of(json, "max_scale");
    s->random_yaw = true_of(json, "random_yaw");
    s->align_to_normal = number_of(json, "align_to_normal");
    s->max_slope = number_of(json, "max_slope");
    ours->recipe = made.recipe;
    made_clear(&made);
    enum vxb_status status = vxb_plan_new(NULL, &ours->recipe, ours->terrain, &ours->plan, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    cr_assert(eq(u32, ours->plan->side, (uint32_t)number_of(json, "side")));
    vxbi_scatter_init(&ours->scatter, ours->plan);
    size_t n = (size_t)ours->plan->side * ours->plan->side;
    ours->reasons = must(malloc(n));
    ours->blades = must(malloc(n * sizeof *ours->blades));
}

static void close_ours(struct ours *ours)
{
    vxb_plan_free(ours->plan);
    vxb_terrain_free(ours->terrain);
    free(ours->reasons);
    free(ours->blades);
}

/* Where candidate i stands, terrain-local. */
static bool near_edge(const struct ours *ours, const struct engine_cell *cell, uint32_t i)
{
    const struct vxk_field *f = &ours->scatter.field;
    uint32_t hash = vxk_mix(vxk_cell_seed(cell->x, cell->z, ours->scatter.recipe_mix), i);
    double size = (double)f->cell_size, reach = (double)ours->scatter.species[0].reach;
    double x = (i % f->side + 0.5) * (double)f->step + (2.0 * (double)vxk_draw(hash, VXK_STREAM_X) - 1.0) * reach;
    double z = (i / f->side + 0.5) * (double)f->step + (2.0 * (double)vxk_draw(hash, VXK_STREAM_Z) - 1.0) * reach;
    x += cell->x * size - (double)ours->terrain->origin[0];
    z += cell->z * size - (double)ours->terrain->origin[2];
    return fabs(x) < 1e-4 || fabs(z) < 1e-4 || fabs(x - (double)f->width) < 1e-4 || fabs(z - (double)f->depth) < 1e-4;
}

/* What the engine's positions, sums of a cell's corner and a place in it, may be off by: four units in the last place
 * of the larger of the two. */
static double slack(const struct ours *ours, double world)
{
    return 4.0 * ldexp(1.0, ilogb(fabs(world) + (double)ours->recipe.cell_size) - 23);
}

/* Around a circle of the given length. */
static double turn_apart(double a, double b, double circle)
{
    double d = fmod(fabs(a - b), circle);
    return d > circle / 2.0 ? circle - d : d;
}

static void check_packed(const struct ours *ours, const struct engine_cell *cell, const struct engine_blade *theirs,
                         const struct plain_blade *blade)
{
    struct vxb_grass_header header = {.cell_size = ours->recipe.cell_size};
    struct vxb_grass_chunk chunk = {.cell_x = cell->x, .cell_z = cell->z, .min_y = -1000.0f, .max_y = 1000.0f};
    const double size = (double)header.cell_size, pi = 3.14159265358979323846;
    uint8_t record[VXB_GRASS_RECORD_BYTES];
    struct vxb_blade got;
    for (int w = 0; w < 4; w++)
        vxbi_store_u32(record + 4 * w, blade->word[w]);
    vxb_grass_decode(&header, &chunk, record, &got);
    cr_assert(fabs(got.x - (double)theirs->x) <= size / 131072.0 + slack(ours, (double)theirs->x), "x");
    cr_assert(fabs(got.z - (double)theirs->z) <= size / 131072.0 + slack(ours, (double)theirs->z), "z");
    cr_assert(fabs(got.y - (double)theirs->y) <= 1e-4 + 2000.0 / 131070.0, "y");
    cr_assert(fabs(got.scale - (double)theirs->scale) <= (double)theirs->scale / 1024.0, "scale");
    cr_assert(fabs(got.tint - (double)theirs->tint) <= 1.0 / 256.0, "tint");
    cr_assert(turn_apart(got.phase / (2.0 * pi), (double)theirs->phase, 1.0) <= 1.0 / 256.0, "phase");
    if (ours->recipe.species[0].random_yaw)
        cr_assert(turn_apart(got.yaw / (2.0 * pi), (double)theirs->yaw, 1.0) <= 1.0 / 65536.0 + 1e-7, "yaw");
    else
        cr_assert(got.yaw == 0.0);
    const double up[3] = {(double)blade->up_x, (double)blade->up_y, (double)blade->up_z};
    for (int axis = 0; axis < 3; axis++)
        cr_assert(fabs(got.up[axis] - up[axis]) <= 2.0 / 127.0, "up");
}

static void check_blade(struct ours *ours, const struct engine_cell *cell, const struct engine_blade *theirs,
                        const struct plain_blade *blade)
{
    double x = cell->x * (double)ours->recipe.cell_size + (double)blade->x;
    double z = cell->z * (double)ours->recipe.cell_size + (double)blade->z;
    cr_assert(fabs(x - (double)theirs->x) <= slack(ours, (double)theirs->x), "%g %g", x, (double)theirs->x);
    cr_assert(fabs(z - (double)theirs->z) <= slack(ours, (double)theirs->z), "%g %g", z, (double)theirs->z);
    cr_assert(fabs((double)blade->y - (double)theirs->y) <= 1e-4);
    cr_assert(fabs((double)blade->scale - (double)theirs->scale) <= 1e-6);
    cr_assert(fabs((double)vxk_draw(blade->hash, VXK_STREAM_TINT) - (double)theirs->tint) <= 1e-6);
    cr_assert(fabs((double)vxk_draw(blade->hash, VXK_STREAM_PHASE) - (double)theirs->phase) <= 1e-6);
    if (ours->recipe.species[0].random_yaw)
        cr_assert(fabs((double)vxk_draw(blade->hash, VXK_STREAM_YAW) - (double)theirs->yaw) <= 1e-6);
    check_packed(ours, cell, theirs, blade);
    ours->compared++;
    if (fabs((double)blade->ny - 0.9999) < 1e-6) {
        ours->on_the_edge_of_flat++;
        return;
    }
    cr_assert(fabs((double)blade->up_x - (double)theirs->up[0]) <= 2e-4, "%g %g", (double)blade->up_x,
              (double)theirs->up[0]);
    cr_assert(fabs((double)blade->up_y - (double)theirs->up[1]) <= 2e-4);
    cr_assert(fabs((double)blade->up_z - (double)theirs->up[2]) <= 2e-4);
}

static void check_cell(struct ours *ours, const struct engine_cell *cell)
{
    static const uint8_t codes[4] = {VXK_PLACED, VXK_NO_SURFACE, VXK_SLOPE, VXK_DENSITY};
    const uint32_t n = ours->plan->side * ours->plan->side;
    cr_assert(eq(u32, cell->count, n));
    uint32_t placed =
        plain_scatter(&ours->scatter, cell->x, cell->z, -1000.0f, 1000.0f, ours->reasons, ours->blades);
    for (uint32_t i = 0; i < n; i++) {
        if (ours->reasons[i] == codes[cell->reasons[i]])
            continue;
        cr_assert(fabsf(cell->margins[i]) < 2e-5f || near_edge(ours, cell, i),
                  "candidate %u of cell %d, %d: reason %u, the engine's %u, by a margin of %g", i, cell->x, cell->z,
                  ours->reasons[i], codes[cell->reasons[i]], (double)cell->margins[i]);
        ours->excused++;
    }
    for (uint32_t a = 0, b = 0; a < placed && b < cell->placed;) {
        if (ours->blades[a].index == cell->blades[b].index)
            check_blade(ours, cell, &cell->blades[b++], &ours->blades[a++]);
        else if (ours->blades[a].index < cell->blades[b].index)
            a++;
        else
            b++;
    }
    ours->candidates += n;
}

/* At most one candidate in 100 000 may need an excuse, and hardly a blade stand on the edge of flat. */
static void check_totals(const struct ours *ours, const char *json)
{
    cr_assert(eq(u64, ours->candidates, (uint64_t)number_of(json, "candidates")));
    cr_assert(le(u64, ours->excused, ours->candidates / 100000), "%llu excused of %llu",
              (unsigned long long)ours->excused, (unsigned long long)ours->candidates);
    cr_assert(ge(u64, ours->compared + ours->excused, (uint64_t)number_of(json, "placed")));
    cr_assert(le(u64, ours->on_the_edge_of_flat, ours->compared / 1000 + 1));
}

/* ---- the small case, in the repository ---- */

static uint8_t reason_named(const char *name)
{
    static const char *const names[4] = {"Placed", "NoSurface", "Slope", "Density"};
    for (uint8_t i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    cr_fatal("reason %s", name);
    return 0;
}

static void read_row(struct engine_cell *cell, const char *line)
{
    char reason[16];
    int used = 0;
    uint32_t index;
    cr_assert(eq(int, sscanf(line, "%d,%d,%u,%15[A-Za-z],%n", &cell->x, &cell->z, &index, reason, &used), 4), "%s",
              line);
    cr_assert(eq(u32, index, cell->count), "candidates stand in order");
    cell->count++;
    cell->reasons[index] = reason_named(reason);
    cell->margins[index] = strtof(line + used, NULL);
    if (cell->reasons[index] != 0)
        return;
    struct engine_blade *b = &cell->blades[cell->placed++];
    b->index = index;
    const char *rest = strchr(line + used, ',');
    cr_assert(rest != NULL);
    int got = sscanf(rest, ",%f,%f,%f,%f,%f,%f,%f,%f,%f,%f", &b->x, &b->y, &b->z, &b->up[0], &b->up[1], &b->up[2],
                     &b->yaw, &b->scale, &b->tint, &b->phase);
    cr_assert(eq(int, got, 10), "%s", line);
}

Test(engine, small_case__same_blades)
{
    char *json = read_text(TEST_DATA "/scatter-small.json");
    char line[512];
    struct ours ours;
    struct engine_cell cell = {0};
    FILE *csv = fopen(TEST_DATA "/scatter-small.csv", "r");
    cr_assert(csv != NULL && fgets(line, sizeof line, csv) != NULL);
    open_ours(&ours, json);
    engine_room(&cell, ours.plan->side);
    while (fgets(line, sizeof line, csv)) {
        read_row(&cell, line);
        if (cell.count == ours.plan->side * ours.plan->side) {
            check_cell(&ours, &cell);
            cell.count = cell.placed = 0;
        }
    }
    fclose(csv);
    cr_assert(eq(u32, cell.count, 0));
    cr_assert(eq(u64, ours.excused, 0));
    check_totals(&ours, json);
    engine_free(&cell);
    close_ours(&ours);
    free(json);
}

/* ---- the large cases, where they are at hand ---- */

static uint8_t *unpack(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        cr_skip_test("%s is not here", path);
    cr_assert(fseek(file, 0, SEEK_END) == 0);
    size_t packed_size = (size_t)ftell(file);
    uint8_t *packed = must(malloc(packed_size));
    rewind(file);
    cr_assert(eq(sz, fread(packed, 1, packed_size, file), packed_size));
    fclose(file);
    unsigned long long raw = ZSTD_getFrameContentSize(packed, packed_size);
    cr_assert(raw != ZSTD_CONTENTSIZE_ERROR);
    size_t room = raw == ZSTD_CONTENTSIZE_UNKNOWN ? (size_t)64 << 20 : (size_t)raw;
    uint8_t *data = must(malloc(room));
    *size = ZSTD_decompress(data, room, packed, packed_size);
    cr_assert(ZSTD_isError(*size) == 0, "%s", ZSTD_getErrorName(*size));
    free(packed);
    return data;
}

static float float_at(const uint8_t *p)
{
    uint32_t bits = vxbi_load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One cell from the frame; returns its size. */
static size_t read_cell(struct engine_cell *cell, const uint8_t *p)
{
    const uint8_t *start = p;
    cell->x = (int32_t)vxbi_load_u32(p);
    cell->z = (int32_t)vxbi_load_u32(p + 4);
    cell->count = vxbi_load_u32(p + 8);
    cell->placed = vxbi_load_u32(p + 12);
    p += 16;
    memcpy(cell->reasons, p, cell->count);
    p += (cell->count + 3) / 4 * 4;
    for (uint32_t i = 0; i < cell->count; i++, p += 4)
        cell->margins[i] = float_at(p);
    for (uint32_t i = 0; i < cell->placed; i++, p += 44)
        cell->blades[i] = (struct engine_blade){
            vxbi_load_u32(p), float_at(p + 4), float_at(p + 8), float_at(p + 12),
            {float_at(p + 16), float_at(p + 20), float_at(p + 24)}, float_at(p + 28), float_at(p + 32),
            float_at(p + 36), float_at(p + 40)};
    return (size_t)(p - start);
}

static void check_frame(const char *name)
{
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/vectors/scatter-%s.bin.zst", TEST_SHARED, name);
    uint8_t *data = unpack(path, &size);
    snprintf(path, sizeof path, "%s/vectors/scatter-%s.json", TEST_SHARED, name);
    char *json = read_text(path);
    struct ours ours;
    struct engine_cell cell = {0};
    open_ours(&ours, json);
    engine_room(&cell, ours.plan->side);
    for (size_t at = 0; at < size;) {
        at += read_cell(&cell, data + at);
        check_cell(&ours, &cell);
    }
    cr_log_info("%s: %llu of %llu decisions excused, %llu blades on the edge of flat", name,
                (unsigned long long)ours.excused, (unsigned long long)ours.candidates,
                (unsigned long long)ours.on_the_edge_of_flat);
    check_totals(&ours, json);
    engine_free(&cell);
    close_ours(&ours);
    free(json);
    free(data);
}

Test(engine, meadow_case__same_blades) { check_frame("meadow"); }
Test(engine, negative_case__same_blades) { check_frame("negative"); }
Test(engine, nolayer_case__same_blades) { check_frame("nolayer"); }
