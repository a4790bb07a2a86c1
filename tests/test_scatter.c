/* Scatter: the block loops against the plain loop over the same kernels, bit for bit, and against the engine. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/plain_scatter.h"
#include "core/alloc.h"
#include "core/bytes.h"
#include "grass/scatter.h"
#include "grass/scatter_block.h"
#include "grass/scatter_order.h"
#include "make_bake.h"
#include "vxk_candidate.h"
#include "vxk_order.h"

static const struct vxb_allocator *heap(void)
{
    static struct vxb_allocator allocator;
    allocator = vxbi_allocator(NULL);
    return &allocator;
}

/* ---- a cell, both ways ---- */

struct heard {
    uint8_t *reasons;
    float *x, *z;
    size_t count;
};

static void hear(void *user, double cell_x, double cell_z, const float *x, const float *z, const uint8_t *reasons,
                 size_t count)
{
    struct heard *heard = user;
    (void)cell_x;
    (void)cell_z;
    memcpy(heard->reasons + heard->count, reasons, count);
    memcpy(heard->x + heard->count, x, count * sizeof *x);
    memcpy(heard->z + heard->count, z, count * sizeof *z);
    heard->count += count;
}

static int compare_plain(const void *a, const void *b)
{
    const struct plain_blade *x = a, *y = b;
    if (x->species != y->species)
        return x->species < y->species ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

struct room {
    uint8_t *reasons;
    struct plain_blade *blades;
    struct heard heard;
    struct vxbi_scatter_work *work;
};

static void room_open(struct room *room, uint32_t side)
{
    size_t n = (size_t)side * side;
    room->reasons = malloc(n);
    room->blades = malloc(n * sizeof *room->blades);
    room->heard = (struct heard){malloc(n), malloc(n * sizeof(float)), malloc(n * sizeof(float)), 0};
    room->work = vxbi_scatter_work_new(heap());
    cr_assert(room->reasons && room->blades && room->heard.reasons && room->heard.x && room->heard.z && room->work);
}

static void room_close(struct room *room)
{
    free(room->reasons);
    free(room->blades);
    free(room->heard.reasons);
    free(room->heard.x);
    free(room->heard.z);
    vxbi_scatter_work_free(room->work);
}

static void check_reasons(const struct room *room, const struct vxbi_scatter *s, const struct vxbi_cell_result *cell,
                          const uint32_t rank_most[VXB_SPECIES_MAX], const uint32_t *ranks)
{
    uint64_t sums[VXB_SPECIES_MAX][VXB_REASON_COUNT + 1] = {{0}};
    const uint32_t side = s->field.side;
    cr_assert(eq(sz, room->heard.count, (size_t)side * side));
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t hash = vxk_mix(vxk_cell_seed(cell->cell_x, cell->cell_z, s->recipe_mix), i);
        uint32_t k = vxk_species_of(hash, s->field.bounds[0], s->field.bounds[1], s->field.bounds[2]);
        uint32_t expected = room->reasons[i] == VXK_PLACED ? VXB_REASON_COUNT : room->reasons[i] - 1u;
        if (expected == VXB_REASON_COUNT && ranks[i] > rank_most[k])
            expected = VXB_REASON_BUDGET;
        cr_assert(eq(u32, room->heard.reasons[i], expected), "candidate %u of cell %d, %d", i, cell->cell_x,
                  cell->cell_z);
        cr_assert(room->heard.x[i] >= 0.0f && room->heard.x[i] < s->field.cell_size);
        cr_assert(room->heard.z[i] >= 0.0f && room->heard.z[i] < s->field.cell_size);
        sums[k][expected]++;
    }
    for (uint32_t k = 0; k < s->field.species_count; k++) {
        const struct vxbi_cell_species *species = &cell->species[k];
        cr_assert(eq(u64, species->count, sums[k][VXB_REASON_COUNT]));
        uint64_t all = species->count;
        for (int reason = 0; reason < VXB_REASON_COUNT; reason++) {
            cr_assert(eq(u64, species->reasons[reason], sums[k][reason]), "%s", vxb_reason_name(reason));
            all += species->reasons[reason];
        }
        cr_assert(eq(u64, species->candidates, all));
    }
}

/* Scatters one cell both ways and compares everything there is. Returns how many blades it has. */
static void add_counts(struct vxbi_cell_result *sum, const struct vxbi_cell_result *row)
{
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        sum->species[k].count += row->species[k].count;
        sum->species[k].candidates += row->species[k].candidates;
        for (int reason = 0; reason < VXB_REASON_COUNT; reason++)
            sum->species[k].reasons[reason] += row->species[k].reasons[reason];
    }
}

/* Counting comes to what making does, but that it leaves no rank out; and so do a cell's rows together. */
static void check_counts(struct room *room, const struct vxbi_scatter *s, uint64_t index,
                         const struct vxbi_cell_result *cell)
{
    struct vxbi_cell_result counted, row, rows = {0};
    vxbi_scatter_count(s, room->work, index, NULL, &counted);
    for (uint32_t z = 0; z < s->field.side; z++) {
        vxbi_scatter_sample(s, room->work, index, z, &row);
        add_counts(&rows, &row);
    }
    cr_assert(counted.cell_x == cell->cell_x && counted.cell_z == cell->cell_z);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        const struct vxbi_cell_species *made = &cell->species[k], *c = &counted.species[k], *r = &rows.species[k];
        cr_assert(eq(u64, c->count, made->count + made->reasons[VXB_REASON_BUDGET]));
        cr_assert(c->candidates == made->candidates && c->reasons[VXB_REASON_BUDGET] == 0 && c->records == NULL);
        for (int reason = 0; reason < VXB_REASON_BUDGET; reason++)
            cr_assert(eq(u64, c->reasons[reason], made->reasons[reason]), "%s", vxb_reason_name(reason));
        cr_assert(r->count == c->count && r->candidates == c->candidates &&
                  memcmp(r->reasons, c->reasons, sizeof c->reasons) == 0);
    }
}

/* A cell has a blade or none, whichever of its rows it stands in; and where none is found, all was counted. */
static void check_found(struct room *room, const struct vxbi_scatter *s, uint64_t index,
                        const struct vxbi_cell_result *cell)
{
    struct vxbi_cell_result found, counted;
    uint64_t blades = 0, seen = 0;
    vxbi_scatter_find(s, room->work, index, &found);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        blades += cell->species[k].count + cell->species[k].reasons[VXB_REASON_BUDGET];
        seen += found.species[k].count;
    }
    cr_assert(found.cell_x == cell->cell_x && found.cell_z == cell->cell_z);
    cr_assert(eq(int, seen > 0, blades > 0), "cell %d", (int)index);
    vxbi_scatter_count(s, room->work, index, NULL, &counted);
    cr_assert(blades > 0 || memcmp(&found, &counted, sizeof found) == 0, "cell %d", (int)index);
}

static uint32_t rank_of(const struct vxbi_cell_species *species, uint32_t i)
{
    return vxbi_load_u16(species->records + (size_t)i * VXB_GRASS_RECORD_BYTES + 14);
}

/* Whoever is left out early, those that are kept are the cell's first. */
static void check_kept(const struct vxbi_scatter *s, struct vxbi_scatter_work *work, uint64_t index,
                       const uint32_t most[VXB_SPECIES_MAX], const struct vxbi_cell_result *cell)
{
    struct vxbi_cell_result kept;
    cr_assert(eq(int, vxbi_scatter_kept(s, work, index, most, &kept, NULL), VXB_OK));
    cr_assert(kept.min_y == cell->min_y && kept.max_y == cell->max_y);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        const struct vxbi_cell_species *made = &cell->species[k], *some = &kept.species[k];
        uint32_t end = 0;
        while (end < made->count && rank_of(made, end) <= most[k])
            end++;
        cr_assert(eq(u32, some->count, end));
        cr_assert(end == 0 || (memcmp(some->records, made->records, (size_t)end * VXB_GRASS_RECORD_BYTES) == 0 &&
                               memcmp(some->hashes, made->hashes, end * sizeof *made->hashes) == 0));
    }
}

/* Ranks, and who has the one that the cell's middle blade has. */
static void check_ranks(const struct vxbi_scatter *s, uint64_t index, const struct vxbi_cell_result *cell)
{
    const struct vxb_allocator allocator = vxbi_allocator(NULL);
    struct vxbi_scatter_work *work = vxbi_scatter_work_new(&allocator);
    uint32_t *ranks = calloc((size_t)VXB_SPECIES_MAX * VXBI_RANKS, sizeof *ranks), most[VXB_SPECIES_MAX] = {0};
    struct vxbi_cell_result other;
    cr_assert(work && ranks);
    vxbi_scatter_count(s, work, index, ranks, &other);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        const struct vxbi_cell_species *made = &cell->species[k];
        for (uint32_t i = 0; i < made->count; i++)
            ranks[(size_t)k * VXBI_RANKS + rank_of(made, i)]--;
        most[k] = made->count ? rank_of(made, made->count / 2) : 0;
    }
    uint32_t left = 0;
    for (size_t i = 0; i < (size_t)VXB_SPECIES_MAX * VXBI_RANKS; i++)
        left |= ranks[i];
    cr_assert(eq(u32, left, 0));
    for (int reasons = 0; reasons < 2; reasons++) {
        cr_assert(eq(int, vxbi_scatter_ties(s, work, index, most, reasons, &other, NULL), VXB_OK));
        for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
            const struct vxbi_cell_species *made = &cell->species[k], *ties = &other.species[k];
            uint32_t first = 0, end = 0;
            uint64_t sum = 0;
            for (; end < made->count && rank_of(made, end) <= most[k]; end++)
                first += rank_of(made, end) < most[k];
            for (uint32_t i = first; i < end; i++)
                sum += made->hashes[i];
            for (uint32_t i = 0; i < ties->tied; i++)
                sum -= ties->hashes[i];
            cr_assert(ties->count == end && ties->tied == end - first && sum == 0);
        }
    }
    check_kept(s, work, index, most, cell);
    free(ranks);
    vxbi_scatter_work_free(work);
}

static uint32_t check_cell(struct room *room, const struct vxbi_scatter *s, uint64_t index,
                           const uint32_t rank_most[VXB_SPECIES_MAX])
{
    struct vxbi_cell_result cell;
    struct vxb_error err = {0};
    const struct vxbi_reason_sink sink = {.user = &room->heard, .add = hear};
    room->heard.count = 0;
    enum vxb_status status = vxbi_scatter_cell(s, room->work, index, rank_most, &sink, &cell, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    uint32_t placed = plain_scatter(s, cell.cell_x, cell.cell_z, cell.min_y, cell.max_y, room->reasons, room->blades);
    uint32_t *ranks = calloc((size_t)s->field.side * s->field.side, sizeof *ranks), kept = 0, at = 0;
    cr_assert(ranks != NULL);
    for (uint32_t i = 0; i < placed; i++)
        ranks[room->blades[i].index] = room->blades[i].rank;
    check_reasons(room, s, &cell, rank_most, ranks);
    free(ranks);
    for (uint32_t i = 0; i < placed; i++)
        if (room->blades[i].rank <= rank_most[room->blades[i].species])
            room->blades[kept++] = room->blades[i];
    qsort(room->blades, kept, sizeof *room->blades, compare_plain);
    for (uint32_t k = 0; k < s->field.species_count; k++)
        for (uint32_t i = 0; i < cell.species[k].count; i++, at++) {
            const struct plain_blade *blade = &room->blades[at];
            cr_assert(eq(u32, blade->species, k));
            cr_assert(eq(u32, cell.species[k].hashes[i], blade->hash));
            for (int w = 0; w < 4; w++)
                cr_assert(eq(u32, vxbi_load_u32(cell.species[k].records + (size_t)i * 16 + 4 * w), blade->word[w]),
                          "blade %u, word %d", i, w);
        }
    cr_assert(eq(u32, at, kept));
    if (index % 16 == 0 && rank_most[0] == 65535)
        check_ranks(s, index, &cell);
    check_counts(room, s, index, &cell);
    check_found(room, s, index, &cell);
    return kept;
}

/* Every cell, or where there are many, some of them. Returns the blades met. */
static uint64_t check_plan(const struct meadow *made, const uint32_t rank_most[VXB_SPECIES_MAX])
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    struct vxb_plan *plan = made_plan(made);
    struct vxbi_scatter scatter;
    struct room room;
    uint64_t blades = 0, cells = (uint64_t)plan->cells_x * plan->cells_z;
    uint64_t step = cells * plan->side * plan->side > 400000 ? 1 + cells * plan->side * plan->side / 400000 : 1;
    vxbi_scatter_init(&scatter, plan);
    room_open(&room, plan->side);
    /* With each build of the loops in turn. */
    for (uint32_t build = 0; (scatter.loops = vxbi_block_loops(build)) != NULL; build++) {
        blades = 0;
        for (uint64_t i = 0; i < cells; i += step)
            blades += check_cell(&room, &scatter, i, rank_most ? rank_most : all);
    }
    room_close(&room);
    vxb_plan_free(plan);
    return blades;
}

/* ---- random plans ---- */

Test(scatter, random_plans__block_loops_equal_the_plain_loop)
{
    uint64_t blades = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct meadow made;
        made_anything(&made, seed);
        blades += check_plan(&made, NULL);
        made_clear(&made);
    }
    cr_assert(lt(u64, 100000, blades), "too little was compared: %llu", (unsigned long long)blades);
}

Test(scatter, ranks_above_what_is_kept__are_counted_as_budget)
{
    for (uint32_t seed = 100; seed < 120; seed++) {
        struct meadow made;
        struct made_random r = {seed};
        uint32_t most[VXB_SPECIES_MAX];
        for (int k = 0; k < VXB_SPECIES_MAX; k++)
            most[k] = made_below(&r, 4) ? made_below(&r, 65536) : 0;
        made_anything(&made, seed);
        check_plan(&made, most);
        made_clear(&made);
    }
}

/* ---- shapes that once were or could be wrong ---- */

Test(scatter, sparse_candidates_over_fine_samples__read_them_where_they_are)
{
    struct meadow made;
    made_ground(&made, 801, 801, 0.125f);
    made_hills(&made, 3);
    made_paint(made_layer(&made, "Grass", 700, 700), 700, 700, 8);
    made_paint(made_map(&made, &made.terrain.scale, 600, 600), 600, 600, 9);
    made_species(&made, "a")->layer = "Grass";
    made_species(&made, "b")->jitter = 1.0f;
    made.recipe.cell_size = 32.0f;
    made.recipe.density = 4.0f / (32.0f * 32.0f);
    cr_assert(lt(u64, 10, check_plan(&made, NULL)));
    made.recipe.density = 0.25f / (32.0f * 32.0f);
    cr_assert(ge(u64, check_plan(&made, NULL), 1));
    made_clear(&made);
}

Test(scatter, tiny_terrain_with_a_fine_map__stays_on_the_map)
{
    /* The index on the map of candidates far outside left an i32, and the window was measured from what it became. */
    struct meadow made;
    made_ground(&made, 2, 2, 0.25f);
    uint8_t *layer = made_layer(&made, "Grass", 32768, 3);
    memset(layer, 200, (size_t)32768 * 3);
    memset(made_map(&made, &made.terrain.exclude, 32768, 2), 0, (size_t)32768 * 2);
    made_species(&made, "a")->layer = "Grass";
    made.recipe.cell_size = 1024.0f;
    made.terrain.metres_per_quad = 0.001f;
    made.terrain.origin[0] = made.terrain.origin[2] = 512.0f;
    for (uint32_t side = 3; side < 400; side = side * 5 + 2) {
        made.recipe.density = (float)side * (float)side / (1024.0f * 1024.0f);
        check_plan(&made, NULL);
    }
    made_clear(&made);
}

Test(scatter, large_cell_over_many_samples__is_scattered_in_bands)
{
    struct meadow made;
    made_ground(&made, 1201, 1201, 0.9f);
    made_hills(&made, 11);
    made_paint(made_layer(&made, "Grass", 1201, 1201), 1201, 1201, 4);
    made_species(&made, "a")->layer = "Grass";
    made_species(&made, "b");
    made.terrain.origin[0] = 0.25f;
    made.recipe.cell_size = 1024.0f;
    made.recipe.density = 700.0f * 700.0f / (1024.0f * 1024.0f);
    cr_assert(lt(u64, 100000, check_plan(&made, NULL)));
    made_clear(&made);
}

Test(scatter, hole__no_blade_touches_it)
{
    struct meadow made;
    made_ground(&made, 33, 33, 1.0f);
    made_hole(&made, 16, 9);
    made_species(&made, "a");
    made.recipe.density = 400.0f;
    struct vxb_plan *plan = made_plan(&made);
    struct vxbi_scatter scatter;
    struct room room;
    vxbi_scatter_init(&scatter, plan);
    room_open(&room, plan->side);
    uint32_t near = 0, missing = 0;
    for (int32_t cz = 0; cz < 2; cz++)
        for (int32_t cx = 0; cx < 2; cx++) {
            uint32_t placed = plain_scatter(&scatter, cx, cz, 0.0f, 100.0f, room.reasons, room.blades);
            for (uint32_t i = 0; i < placed; i++) {
                double x = cx * 16.0 + (double)room.blades[i].x, z = cz * 16.0 + (double)room.blades[i].z;
                cr_assert(x < 15.0 || x >= 17.0 || z < 8.0 || z >= 10.0, "%g, %g", x, z);
                near += x >= 14.0 && x < 18.0 && z >= 7.0 && z < 11.0;
            }
            for (uint32_t i = 0; i < plan->side * plan->side; i++)
                missing += room.reasons[i] == VXK_NO_SURFACE;
        }
    /* Four quads of 400 candidates are gone, the twelve about them are not. */
    cr_assert(missing > 1500 && missing < 1700, "%u", missing);
    cr_assert(near > 4600 && near < 5000, "%u", near);
    room_close(&room);
    vxb_plan_free(plan);
    cr_assert(lt(u64, 0, check_plan(&made, NULL)));
    made_clear(&made);
}

Test(scatter, ground_of_a_cell__is_the_samples_about_it_whoever_survives)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_hills(&made, 5);
    made_hole(&made, 20, 20);
    made_species(&made, "a");
    made.terrain.origin[0] = -10.5f;
    made.recipe.density = 1.0f;
    struct vxb_plan *plan = made_plan(&made);
    struct vxbi_scatter scatter;
    struct room room;
    vxbi_scatter_init(&scatter, plan);
    room_open(&room, plan->side);
    const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    for (uint64_t i = 0; i < (uint64_t)plan->cells_x * plan->cells_z; i++) {
        struct vxbi_cell_result cell;
        cr_assert(eq(int, vxbi_scatter_cell(&scatter, room.work, i, all, NULL, &cell, NULL), VXB_OK));
        uint16_t low = 65535, high = 0;
        for (int z = 0; z < 65; z++)
            for (int x = 0; x < 65; x++) {
                /* Quads floor(x0) - 1 to floor(x1) + 1 have the samples up to floor(x1) + 2. */
                double x0 = floor(cell.cell_x * 16.0 + 10.5), z0 = cell.cell_z * 16.0;
                double x1 = floor(cell.cell_x * 16.0 + 26.5), z1 = z0 + 16.0;
                if (x < x0 - 1 || x > x1 + 2 || z < z0 - 1 || z > z1 + 2)
                    continue;
                uint16_t h = made.heights[z * 65 + x];
                low = h < low ? h : low;
                high = h > high ? h : high;
            }
        cr_assert(fabs((double)cell.min_y - low / 65535.0 * 100.0) < 1e-4);
        cr_assert(fabs((double)cell.max_y - high / 65535.0 * 100.0) < 1e-4);
    }
    room_close(&room);
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- order ---- */

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Blades of two species with few ranks and hashes that differ in few bits: a bucket gets what no draw would give it,
 * and two blades may be alike but for the low half of their hashes. A hash tells which blade it is. */
static void check_order(uint32_t count, uint32_t ranks, uint32_t rank_end, uint32_t hash_mask)
{
    struct vxbi_pile pile = {0};
    uint32_t per_species[VXB_SPECIES_MAX] = {0}, ends[VXB_SPECIES_MAX] = {rank_end, rank_end, 1, 1}, first = 0;
    uint64_t *expected[2] = {calloc(count, sizeof(uint64_t)), calloc(count, sizeof(uint64_t))};
    cr_assert(vxbi_pile_room(heap(), &pile, count) && expected[0] && expected[1]);
    for (uint32_t i = 0; i < count; i++) {
        /* No two are alike: the number's bits are spread, one to one. */
        const uint32_t hash = i * 0x9E3779B1u & hash_mask, rank = vxk_mix(3, i) % ranks, species = vxk_mix(4, i) % 2;
        pile.words[i][0] = hash;
        pile.words[i][1] = species;
        pile.words[i][2] = 0;
        pile.words[i][3] = rank << 16;
        pile.hashes[i] = hash;
        pile.keys[i] = vxk_order_key(rank, hash);
        pile.species[i] = (uint8_t)species;
        expected[species][per_species[species]++] = vxk_order(rank, hash);
    }
    pile.count = count;
    vxbi_pile_order(&pile, 2, per_species, ends);
    for (uint32_t k = 0; k < 2; first += per_species[k++]) {
        qsort(expected[k], per_species[k], sizeof *expected[k], compare_u64);
        for (uint32_t i = 0; i < per_species[k]; i++) {
            const uint8_t *record = pile.records + (size_t)(first + i) * VXB_GRASS_RECORD_BYTES;
            cr_assert(eq(u64, vxk_order(vxbi_load_u16(record + 14), vxbi_load_u32(record)), expected[k][i]));
            cr_assert(eq(u32, vxbi_load_u32(record + 4), k));
            cr_assert(eq(u32, pile.record_hashes[first + i], vxbi_load_u32(record)));
        }
        free(expected[k]);
    }
    vxbi_pile_free(heap(), &pile);
}

Test(scatter, blades_however_they_fall__are_put_in_order)
{
    static const uint32_t counts[] = {1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 131, 1000, 5001};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_order(counts[i], 65536, 65536, UINT32_MAX);
        check_order(counts[i], 1, 65536, UINT32_MAX); /* all in the first bucket */
        check_order(counts[i], 3, 65536, UINT32_MAX);
        check_order(counts[i], 1, 1, 0xFFFF);         /* alike but for the hash's low half */
        check_order(counts[i], 2, 60000, 0xFFFF);
    }
}
