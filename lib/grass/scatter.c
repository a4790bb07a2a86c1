/* One cell: bands of candidate rows, windows of the maps under them, blocks of candidates; then, where they are wanted,
 * the blades in order. */
#include "scatter.h"

#include <math.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "scatter_block.h"
#include "scatter_order.h"
#include "scatter_window.h"
#include "vxk_angle.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"
#include "vxk_order.h"

#define WINDOW_MOST ((uint64_t)1 << 20) /* samples of a band's window, where one row allows */

_Static_assert(VXK_NO_SURFACE == VXB_REASON_NO_SURFACE + 1 && VXK_DENSITY == VXB_REASON_DENSITY + 1 &&
                   VXK_BUDGET == VXB_REASON_BUDGET + 1 && VXK_BUDGET < VXK_REASONS - 1,
               "kernel reasons are the public ones plus one");

#define FEW_ROOM (VXBI_BLOCK / 4) /* with less of it left a block is finished that candidates were left out of */
#define NO_CANDIDATE (VXK_REASONS - 1) /* reason of what fills up a block's last group */

static const uint32_t any_rank[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};

/* Which window is whose. */
enum { HEIGHTS, HOLES, EXCLUDE, SCALE, LAYERS, WINDOWS = LAYERS + VXB_SPECIES_MAX };

struct vxbi_scatter_work {
    struct vxb_allocator allocator;
    struct vxbi_block block;
    struct vxbi_blades blades;
    float weight[VXBI_BLOCK_ROOM], factor[VXBI_BLOCK_ROOM];
    uint8_t reasons[VXBI_BLOCK];
    struct vxbi_window_room windows[WINDOWS];
    struct vxbi_pile pile;
    uint64_t tally[VXB_SPECIES_MAX][VXK_REASONS]; /* kernel reasons, and NO_CANDIDATE */
};

static const struct vxbi_block_loops *fastest_loops(void)
{
    const struct vxbi_block_loops *best = NULL, *loops;
    for (uint32_t i = 0; (loops = vxbi_block_loops(i)) != NULL; i++)
        best = loops;
    return best;
}

void vxbi_scatter_init(struct vxbi_scatter *s, const struct vxb_plan *plan)
{
    const struct vxb_terrain *t = plan->terrain;
    struct vxk_field *f = &s->field;
    memset(s, 0, sizeof *s);
    s->plan = plan;
    s->loops = fastest_loops();
    s->recipe_mix = vxk_mix(plan->recipe->seed, 0);
    f->side = plan->side;
    f->species_count = plan->species_count;
    for (uint32_t k = 1; k < VXB_SPECIES_MAX; k++)
        f->bounds[k - 1] = k < plan->species_count ? plan->species[k].first_part : UINT32_MAX;
    f->rank_cut = plan->rank_cut;
    f->cell_size = plan->recipe->cell_size;
    f->cell_limit = nextafterf(f->cell_size, 0.0f);
    f->step = plan->step;
    f->quad = t->metres_per_quad;
    f->two_quads = 2.0f * t->metres_per_quad;
    f->width = (float)vxb_terrain_width(t);
    f->depth = (float)vxb_terrain_depth(t);
    f->last_x = (int32_t)t->samples_x - 1;
    f->last_z = (int32_t)t->samples_z - 1;
    f->min_height = t->min_height;
    f->height_range = t->max_height - t->min_height;
    f->origin_y = t->origin[1];
    for (uint32_t k = 0; k < plan->species_count; k++) {
        const struct vxb_recipe_species *from = plan->species[k].recipe;
        struct vxk_species *to = &s->species[k];
        float most = from->min_weight + 1e-4f;
        to->reach = from->jitter * f->step / 2.0f;
        to->cos_slope = vxk_cos(from->max_slope);
        to->low = from->has_altitude ? from->altitude[0] : -INFINITY;
        to->high = from->has_altitude ? from->altitude[1] : INFINITY;
        to->min_weight = from->min_weight;
        to->weight_span = (from->max_weight > most ? from->max_weight : most) - from->min_weight;
        to->min_scale = from->min_scale;
        to->scale_span = from->max_scale - from->min_scale;
        to->align_to_normal = from->align_to_normal;
        to->random_yaw = from->random_yaw;
    }
}

struct vxbi_scatter_work *vxbi_scatter_work_new(const struct vxb_allocator *allocator)
{
    struct vxbi_scatter_work *work = vxbi_new_zero(allocator, 1, sizeof *work);
    if (!work)
        return NULL;
    work->allocator = *allocator;
    /* What stands behind the first blades is packed with them: let it be numbers that can be. */
    for (uint32_t i = 0; i < VXBI_BLOCK_ROOM; i++)
        work->blades.ny[i] = 1.0f;
    return work;
}

void vxbi_scatter_work_free(struct vxbi_scatter_work *work)
{
    if (!work)
        return;
    struct vxb_allocator allocator = work->allocator;
    for (size_t i = 0; i < WINDOWS; i++)
        vxbi_window_free(&allocator, &work->windows[i]);
    vxbi_pile_free(&allocator, &work->pile);
    vxbi_delete(&allocator, work, 1, sizeof *work);
}

/* ---- a cell ---- */

/* Slots first..last of one axis reach from *low to *high metres from the terrain's first sample: the ends of what
 * the place loop computes, which rises with slot, draw and reach. */
static void axis_reach(const struct vxbi_scatter *s, float base, uint32_t first, uint32_t last, float *low, float *high)
{
    float reach = 0.0f;
    for (uint32_t k = 0; k < s->field.species_count; k++)
        reach = s->species[k].reach > reach ? s->species[k].reach : reach;
    *low = base + vxk_jittered(first, 0.0f, s->field.step, reach, s->field.cell_limit);
    *high = base + vxk_jittered(last, 1.0f, s->field.step, reach, s->field.cell_limit);
}

struct cell {
    const struct vxbi_scatter *scatter;
    struct vxk_cell numbers;
    double corner_x, corner_z;      /* world */
    const struct vxbi_reason_sink *sink;
    const uint32_t *rank_most;
    bool counting;   /* no blade is made */
    uint32_t *ranks; /* where counting: as vxbi_scatter_count() has it */
    bool ties;       /* where counting: whether blades of the highest rank are wanted */
    bool few;        /* candidates whose draw is not below their species' draws_end are left out */
    float draws_end[VXB_SPECIES_MAX];
    /* The layers' maps, each once, and which species grow on it. */
    const struct vxb_map *maps[VXB_SPECIES_MAX];
    uint32_t which[VXB_SPECIES_MAX], map_count;
};

static void find_maps(struct cell *cell)
{
    const struct vxb_plan *plan = cell->scatter->plan;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        uint32_t i = 0;
        if (!plan->species[k].layer)
            continue;
        while (i < cell->map_count && cell->maps[i] != &plan->species[k].layer->map)
            i++;
        if (i == cell->map_count) {
            cell->maps[cell->map_count++] = &plan->species[k].layer->map;
            cell->which[i] = 0;
        }
        cell->which[i] |= 1u << k;
    }
}

/* A band's rows [row, end) and what of the terrain is under them. */
struct band {
    uint32_t row, end;
    float low_x, high_x, low_z, high_z;
    struct vxbi_rect taps;
};

static void measure_band(const struct cell *cell, struct band *band)
{
    const struct vxk_field *f = &cell->scatter->field;
    axis_reach(cell->scatter, cell->numbers.base_x, 0, f->side - 1, &band->low_x, &band->high_x);
    axis_reach(cell->scatter, cell->numbers.base_z, band->row, band->end - 1, &band->low_z, &band->high_z);
    band->taps = (struct vxbi_rect){
        .x0 = vxk_clamp_index(vxk_floor(band->low_x / f->quad), f->last_x) - 1,
        .x1 = vxk_clamp_index(vxk_floor(band->high_x / f->quad), f->last_x) + 2,
        .z0 = vxk_clamp_index(vxk_floor(band->low_z / f->quad), f->last_z) - 1,
        .z1 = vxk_clamp_index(vxk_floor(band->high_z / f->quad), f->last_z) + 2,
    };
}

/* At most so many rows, halved until their window is small enough to stay in a cache. */
static void next_band(const struct cell *cell, struct band *band, uint32_t most)
{
    const uint32_t left = cell->scatter->field.side - band->row;
    for (uint32_t rows = left < most ? left : most;; rows = (rows + 1) / 2) {
        band->end = band->row + rows;
        measure_band(cell, band);
        if (rows == 1 || vxbi_rect_samples(&band->taps) <= WINDOW_MOST)
            return;
    }
}

/* The samples about the places of a band, where the map loop looks: on the heights' own grid, at the quads that place()
 * found; else where vxk_map_axis() says. */
static struct vxbi_rect map_rect(const struct vxk_field *f, const struct band *band, const struct vxb_map *map)
{
    const int32_t last_x = (int32_t)map->width - 1, last_z = (int32_t)map->height - 1;
    const struct vxbi_rect *t = &band->taps;
    struct vxbi_rect r = {.x0 = t->x0 + 1, .x1 = t->x1 - 2, .z0 = t->z0 + 1, .z1 = t->z1 - 2};
    if (last_x != f->last_x) {
        r.x0 = vxk_clamp_index(vxk_floor(vxk_map_axis(band->low_x, map->width, 0, f->quad, f->width)), last_x);
        r.x1 = vxk_clamp_index(vxk_floor(vxk_map_axis(band->high_x, map->width, 0, f->quad, f->width)), last_x);
    }
    if (last_z != f->last_z) {
        r.z0 = vxk_clamp_index(vxk_floor(vxk_map_axis(band->low_z, map->height, 0, f->quad, f->depth)), last_z);
        r.z1 = vxk_clamp_index(vxk_floor(vxk_map_axis(band->high_z, map->height, 0, f->quad, f->depth)), last_z);
    }
    return r;
}

/* The samples nearest to the places of a band, where the exclude loop looks. */
static struct vxbi_rect nearest_rect(const struct vxk_field *f, const struct band *band, const struct vxb_map *map)
{
    const uint32_t samples_x = (uint32_t)f->last_x + 1, samples_z = (uint32_t)f->last_z + 1;
    const int32_t last_x = (int32_t)map->width - 1, last_z = (int32_t)map->height - 1;
    float x0 = vxk_map_axis(band->low_x, map->width, samples_x, f->quad, f->width);
    float x1 = vxk_map_axis(band->high_x, map->width, samples_x, f->quad, f->width);
    float z0 = vxk_map_axis(band->low_z, map->height, samples_z, f->quad, f->depth);
    float z1 = vxk_map_axis(band->high_z, map->height, samples_z, f->quad, f->depth);
    return (struct vxbi_rect){.x0 = vxk_clamp_index(vxk_floor(x0 + 0.5f), last_x),
                              .x1 = vxk_clamp_index(vxk_floor(x1 + 0.5f), last_x),
                              .z0 = vxk_clamp_index(vxk_floor(z0 + 0.5f), last_z),
                              .z1 = vxk_clamp_index(vxk_floor(z1 + 0.5f), last_z)};
}

static void report_block(struct vxbi_scatter_work *work, const struct cell *cell)
{
    const struct vxbi_block *b = &work->block;
    for (uint32_t j = 0; j < b->count; j++)
        work->reasons[j] = (uint8_t)vxbi_reason_of(b->reason[j]);
    cell->sink->add(cell->sink->user, cell->corner_x, cell->corner_z, b->x, b->z, work->reasons, b->count);
}

static void select_blades(const struct vxbi_block *restrict b, struct vxbi_blades *restrict out)
{
    uint32_t n = 0;
    uint32_t chosen[VXBI_BLOCK];
    for (uint32_t j = 0; j < b->count; j++) {
        chosen[n] = j;
        n += b->reason[j] == VXK_PLACED;
    }
    out->count = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = chosen[i];
        out->hash[i] = b->hash[j];
        out->rank[i] = b->rank[j];
        out->species[i] = b->species[j];
        out->x[i] = b->x[j];
        out->z[i] = b->z[j];
        out->y[i] = b->y[j];
        out->nx[i] = b->nx[j];
        out->ny[i] = b->ny[j];
        out->nz[i] = b->nz[j];
        out->scale[i] = b->scale[j];
    }
}

static void keep_blades(struct vxbi_scatter_work *work, const struct cell *cell)
{
    const struct vxbi_blades *from = &work->blades;
    struct vxbi_pile *pile = &work->pile;
    cell->scatter->loops->pack(from, &cell->scatter->field, cell->scatter->species, &cell->numbers,
                               pile->words + pile->count);
    uint32_t *hashes = pile->hashes + pile->count, *keys = pile->keys + pile->count;
    uint8_t *species = pile->species + pile->count;
    for (uint32_t i = 0; i < from->count; i++) {
        hashes[i] = from->hash[i];
        keys[i] = vxk_order_key(from->rank[i], from->hash[i]);
        species[i] = (uint8_t)from->species[i];
    }
    pile->count += from->count;
}

static void count_ranks(const struct vxbi_block *b, uint32_t *ranks)
{
    for (uint32_t j = 0; j < b->count; j++)
        if (b->reason[j] == VXK_PLACED)
            ranks[(size_t)b->species[j] * VXBI_RANKS + b->rank[j]]++;
}

static void find_ties(struct vxbi_scatter_work *work, const uint32_t rank_most[VXB_SPECIES_MAX])
{
    const struct vxbi_block *b = &work->block;
    struct vxbi_pile *pile = &work->pile;
    for (uint32_t j = 0; j < b->count; j++)
        if (b->rank[j] == rank_most[b->species[j]] && b->reason[j] == VXK_PLACED) {
            pile->hashes[pile->count] = b->hash[j];
            pile->species[pile->count++] = (uint8_t)b->species[j];
        }
}

/* Windows over a band; has: those that are worth it. */
struct band_windows {
    struct vxbi_window of[WINDOWS];
    bool has[WINDOWS];
};

static void open_map(struct vxbi_scatter_work *work, const struct vxbi_rect *r, uint64_t candidates,
                     const struct vxb_map *map, size_t which, struct band_windows *w)
{
    w->has[which] = vxbi_window_map(&work->allocator, &work->windows[which], r, candidates, map->samples,
                                    (int32_t)map->width - 1, (int32_t)map->height - 1, &w->of[which]);
}

static void open_band(struct vxbi_scatter_work *work, const struct cell *cell, const struct band *band,
                      struct band_windows *w)
{
    const struct vxk_field *f = &cell->scatter->field;
    const struct vxb_terrain *t = cell->scatter->plan->terrain;
    uint64_t candidates = (uint64_t)(band->end - band->row) * f->side;
    w->has[HEIGHTS] = vxbi_window_heights(&work->allocator, &work->windows[HEIGHTS], &band->taps, candidates,
                                          t->heights, f->last_x, f->last_z, &w->of[HEIGHTS]);
    if (t->holes)
        w->has[HOLES] = vxbi_window_holes(&work->allocator, &work->windows[HOLES], &band->taps, candidates, t->holes,
                                          f->last_x, f->last_z, &w->of[HOLES]);
    if (t->exclude.samples) {
        struct vxbi_rect r = nearest_rect(f, band, &t->exclude);
        open_map(work, &r, candidates, &t->exclude, EXCLUDE, w);
    }
    if (t->scale.samples) {
        struct vxbi_rect r = map_rect(f, band, &t->scale);
        open_map(work, &r, candidates, &t->scale, SCALE, w);
    }
    for (uint32_t i = 0; i < cell->map_count; i++) {
        struct vxbi_rect r = map_rect(f, band, cell->maps[i]);
        open_map(work, &r, candidates, cell->maps[i], LAYERS + i, w);
    }
}

/* The loops run over whole groups: those behind the last candidate stand where it does, inside every window. */
static void fill_group(struct vxbi_block *b)
{
    for (uint32_t last = b->count - 1, j = b->count; j % VXBI_LANES != 0; j++) {
        b->u[j] = b->u[last];
        b->v[j] = b->v[last];
        b->quad_x[j] = b->quad_x[last];
        b->quad_z[j] = b->quad_z[last];
    }
}

static void sample_map(const struct vxbi_block *b, const struct vxbi_scatter *s, const struct vxb_map *map,
                       size_t which, const struct band_windows *w, float *out)
{
    if (w->has[which])
        s->loops->map(b, &s->field, &w->of[which], map->width, map->height, out);
    else
        vxbi_direct_map(b, &s->field, map->samples, map->width, map->height, out);
}

/* What of the terrain reaches a block's candidates. */
static void sample_terrain(struct vxbi_scatter_work *work, const struct cell *cell, const struct band_windows *w)
{
    const struct vxbi_scatter *s = cell->scatter;
    const struct vxb_terrain *t = s->plan->terrain;
    struct vxbi_block *b = &work->block;
    if (w->has[HEIGHTS])
        s->loops->surface(b, &s->field, &w->of[HEIGHTS]);
    else
        vxbi_direct_surface(b, &s->field, t->heights);
    if (t->holes && w->has[HOLES])
        s->loops->holes(b, &w->of[HOLES]);
    else if (t->holes)
        vxbi_direct_holes(b, &s->field, t->holes);
    if (t->exclude.samples && w->has[EXCLUDE])
        s->loops->exclude(b, &s->field, &w->of[EXCLUDE], t->exclude.width, t->exclude.height);
    else if (t->exclude.samples)
        vxbi_direct_exclude(b, &s->field, t->exclude.samples, t->exclude.width, t->exclude.height);
    for (uint32_t i = 0; i < cell->map_count; i++) {
        sample_map(b, s, cell->maps[i], LAYERS + i, w, work->weight);
        s->loops->weigh(b, &s->field, s->species, work->weight, cell->which[i]);
    }
    if (t->scale.samples)
        sample_map(b, s, &t->scale, SCALE, w, work->factor);
}

static void finish_block(struct vxbi_scatter_work *work, const struct cell *cell, const struct band_windows *w)
{
    const struct vxbi_scatter *s = cell->scatter;
    struct vxbi_block *b = &work->block;
    fill_group(b);
    sample_terrain(work, cell, w);
    s->loops->judge(b, &s->field, s->species, s->plan->terrain->scale.samples ? work->factor : NULL);
    s->loops->cap(b, cell->rank_most);
    for (uint32_t j = b->count; j % VXBI_LANES != 0; j++)
        b->reason[j] = NO_CANDIDATE;
    s->loops->tally(b, &s->field, work->tally);
    if (!cell->counting) {
        select_blades(b, &work->blades);
        keep_blades(work, cell);
    }
    if (cell->ranks)
        count_ranks(b, cell->ranks);
    if (cell->ties)
        find_ties(work, cell->rank_most);
    if (cell->sink)
        report_block(work, cell);
    b->count = 0;
}

/* A rank is the draw over a k of at most 1, but for rounding, which two ranks more have room for. To leave out few is
 * not worth it. */
static void leave_out(struct cell *cell)
{
    const uint32_t rank_cut = cell->scatter->field.rank_cut;
    float highest = 0.0f;
    for (uint32_t k = 0; k < cell->scatter->field.species_count; k++) {
        const uint32_t end = cell->rank_most[k] < rank_cut ? cell->rank_most[k] + 1 : rank_cut;
        cell->draws_end[k] = (float)(end + 2) / 65536.0f;
        highest = cell->draws_end[k] > highest ? cell->draws_end[k] : highest;
    }
    cell->few = highest < 0.9f;
}

/* Of a block's candidates from number begin on, those that are not left out move together. */
static void keep_few(struct vxbi_block *restrict b, const struct cell *cell, uint32_t begin)
{
    uint32_t chosen[VXBI_BLOCK], n = 0;
    cell->scatter->loops->low_draws(b, begin, cell->draws_end);
    for (uint32_t j = begin; j < b->count; j++) {
        chosen[n] = j;
        n += b->rank[j];
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = chosen[i], to = begin + i;
        b->hash[to] = b->hash[from];
        b->species[to] = b->species[from];
        b->x[to] = b->x[from];
        b->z[to] = b->z[from];
        b->u[to] = b->u[from];
        b->v[to] = b->v[from];
        b->quad_x[to] = b->quad_x[from];
        b->quad_z[to] = b->quad_z[from];
        b->fx[to] = b->fx[from];
        b->fz[to] = b->fz[from];
        b->gone[to] = b->gone[from];
    }
    b->count = begin + n;
}

/* Rows are cut where a block is full, and short ones share a block. */
static void scatter_band(struct vxbi_scatter_work *work, const struct cell *cell, const struct band *band)
{
    const struct vxbi_scatter *s = cell->scatter;
    struct vxbi_block *b = &work->block;
    struct band_windows windows = {.has = {false}};
    open_band(work, cell, band, &windows);
    b->count = 0;
    for (uint32_t row = band->row; row < band->end; row++)
        for (uint32_t x = 0, count; x < s->field.side; x += count) {
            const uint32_t left = s->field.side - x, begin = b->count, room = VXBI_BLOCK - begin;
            count = left < room ? left : room;
            s->loops->place(b, &s->field, s->species, &cell->numbers, x, row, count);
            if (cell->few)
                keep_few(b, cell, begin);
            if (b->count == VXBI_BLOCK || (cell->few && b->count > VXBI_BLOCK - FEW_ROOM))
                finish_block(work, cell, &windows);
        }
    if (b->count)
        finish_block(work, cell, &windows);
}

/* ---- the ground of a cell ---- */

/* First and last sample of quads floor(low / m) - 1 to floor(high / m) + 1, clamped. */
static void sample_run(double low, double high, double quad, int32_t last, int32_t *first, int32_t *end)
{
    double a = floor(low / quad) - 1.0, b = floor(high / quad) + 2.0;
    a = a < 0.0 ? 0.0 : a > (double)last ? (double)last : a;
    b = b < 0.0 ? 0.0 : b > (double)last ? (double)last : b;
    *first = (int32_t)a;
    *end = (int32_t)b;
}

static void cell_heights(const struct vxbi_scatter *s, double local_x, double local_z, float *min_y, float *max_y)
{
    const struct vxk_field *f = &s->field;
    double size = (double)f->cell_size, quad = (double)f->quad;
    int32_t x0, x1, z0, z1;
    uint16_t low = UINT16_MAX, high = 0;
    sample_run(local_x, local_x + size, quad, f->last_x, &x0, &x1);
    sample_run(local_z, local_z + size, quad, f->last_z, &z0, &z1);
    for (int32_t z = z0; z <= z1; z++) {
        const uint16_t *row = s->plan->terrain->heights + (size_t)z * ((size_t)f->last_x + 1);
        for (int32_t x = x0; x <= x1; x++) {
            low = row[x] < low ? row[x] : low;
            high = row[x] > high ? row[x] : high;
        }
    }
    *min_y = f->origin_y + vxk_height((float)low, f->min_height, f->height_range);
    *max_y = f->origin_y + vxk_height((float)high, f->min_height, f->height_range);
}

struct vxk_cell vxbi_scatter_place_cell(const struct vxbi_scatter *s, uint64_t index, struct vxbi_cell_result *out)
{
    const struct vxb_plan *plan = s->plan;
    const float *origin = plan->terrain->origin;
    const double size = (double)s->field.cell_size;
    memset(out, 0, sizeof *out);
    out->cell_x = plan->cell_x0 + (int32_t)(index % plan->cells_x);
    out->cell_z = plan->cell_z0 + (int32_t)(index / plan->cells_x);
    return (struct vxk_cell){.base_x = (float)((double)out->cell_x * size - (double)origin[0]),
                             .base_z = (float)((double)out->cell_z * size - (double)origin[2]),
                             .seed = vxk_cell_seed(out->cell_x, out->cell_z, s->recipe_mix)};
}

struct vxk_cell vxbi_scatter_open_cell(const struct vxbi_scatter *s, uint64_t index, struct vxbi_cell_result *out)
{
    const float *origin = s->plan->terrain->origin;
    const double size = (double)s->field.cell_size;
    struct vxk_cell numbers = vxbi_scatter_place_cell(s, index, out);
    cell_heights(s, (double)out->cell_x * size - (double)origin[0], (double)out->cell_z * size - (double)origin[2],
                 &out->min_y, &out->max_y);
    numbers.min_y = out->min_y;
    numbers.max_y = out->max_y;
    return numbers;
}

static void open_cell(const struct vxbi_scatter *s, uint64_t index, struct cell *cell, struct vxbi_cell_result *out)
{
    cell->numbers = (cell->counting ? vxbi_scatter_place_cell : vxbi_scatter_open_cell)(s, index, out);
    cell->corner_x = (double)out->cell_x * (double)s->field.cell_size;
    cell->corner_z = (double)out->cell_z * (double)s->field.cell_size;
    find_maps(cell);
}

/* All but the blades. */
static void close_counts(const struct vxbi_scatter_work *work, const struct cell *cell, struct vxbi_cell_result *out)
{
    for (uint32_t k = 0; k < cell->scatter->field.species_count; k++) {
        struct vxbi_cell_species *to = &out->species[k];
        to->count = (uint32_t)work->tally[k][VXK_PLACED];
        to->candidates = work->tally[k][VXK_PLACED];
        for (uint32_t reason = 0; reason < VXB_REASON_COUNT; reason++) {
            to->reasons[reason] = work->tally[k][reason + 1];
            to->candidates += to->reasons[reason];
        }
    }
}

static void begin_cell(struct vxbi_scatter_work *work, uint64_t index, struct cell *cell,
                       struct vxbi_cell_result *out)
{
    memset(work->tally, 0, sizeof work->tally);
    work->pile.count = 0;
    open_cell(cell->scatter, index, cell, out);
}

static void scatter_rows(struct vxbi_scatter_work *work, uint64_t index, struct cell *cell,
                         struct vxbi_cell_result *out)
{
    begin_cell(work, index, cell, out);
    for (struct band band = {0}; band.row < cell->scatter->field.side; band.row = band.end) {
        next_band(cell, &band, cell->scatter->field.side);
        scatter_band(work, cell, &band);
    }
    close_counts(work, cell, out);
}

static void close_blades(struct vxbi_scatter_work *work, const struct cell *cell, struct vxbi_cell_result *out)
{
    const struct vxk_field *f = &cell->scatter->field;
    struct vxbi_pile *pile = &work->pile;
    uint32_t per_species[VXB_SPECIES_MAX] = {0}, rank_end[VXB_SPECIES_MAX];
    uint64_t first = 0;
    for (uint32_t k = 0; k < f->species_count; k++) {
        per_species[k] = out->species[k].count;
        rank_end[k] = vxbi_rank_end(f, cell->rank_most[k]);
    }
    vxbi_pile_order(pile, f->species_count, per_species, rank_end);
    for (uint32_t k = 0; k < f->species_count; first += per_species[k++]) {
        out->species[k].records = pile->records + first * VXB_GRASS_RECORD_BYTES;
        out->species[k].hashes = pile->record_hashes + first;
    }
}

static enum vxb_status open_pile(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work,
                                 struct vxb_error *err)
{
    const uint64_t candidates = (uint64_t)scatter->field.side * scatter->field.side;
    return vxbi_pile_room(&work->allocator, &work->pile, candidates)
               ? VXB_OK
               : vxbi_fail_memory(err, candidates * VXBI_PILE_BYTES);
}

enum vxb_status vxbi_scatter_cell(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], const struct vxbi_reason_sink *sink,
                                  struct vxbi_cell_result *out, struct vxb_error *err)
{
    struct cell cell = {.scatter = scatter, .sink = sink, .rank_most = rank_most};
    enum vxb_status status = open_pile(scatter, work, err);
    if (status)
        return status;
    scatter_rows(work, index, &cell, out);
    close_blades(work, &cell, out);
    return VXB_OK;
}

enum vxb_status vxbi_scatter_kept(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], struct vxbi_cell_result *out,
                                  struct vxb_error *err)
{
    struct cell cell = {.scatter = scatter, .rank_most = rank_most};
    enum vxb_status status = open_pile(scatter, work, err);
    if (status)
        return status;
    leave_out(&cell);
    scatter_rows(work, index, &cell, out);
    close_blades(work, &cell, out);
    return VXB_OK;
}

void vxbi_scatter_count(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                        uint32_t *ranks, struct vxbi_cell_result *out)
{
    struct cell cell = {.scatter = scatter, .rank_most = any_rank, .counting = true, .ranks = ranks};
    scatter_rows(work, index, &cell, out);
}

static bool has_blade(const struct vxbi_scatter_work *work)
{
    uint64_t placed = 0;
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        placed += work->tally[k][VXK_PLACED];
    return placed > 0;
}

/* A block of rows at first, since most cells that have blades have one there; then ever more. */
void vxbi_scatter_find(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                       struct vxbi_cell_result *out)
{
    const uint32_t side = scatter->field.side;
    struct cell cell = {.scatter = scatter, .rank_most = any_rank, .counting = true};
    struct band band = {0};
    begin_cell(work, index, &cell, out);
    for (uint32_t rows = side < VXBI_BLOCK ? VXBI_BLOCK / side : 1; band.row < side && !has_blade(work); rows *= 2) {
        next_band(&cell, &band, rows);
        scatter_band(work, &cell, &band);
        band.row = band.end;
    }
    close_counts(work, &cell, out);
}

enum vxb_status vxbi_scatter_ties(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], bool reasons,
                                  struct vxbi_cell_result *out, struct vxb_error *err)
{
    struct cell cell = {.scatter = scatter, .rank_most = rank_most, .counting = true, .ties = true};
    struct vxbi_pile *pile = &work->pile;
    enum vxb_status status = open_pile(scatter, work, err);
    if (status)
        return status;
    if (!reasons)
        leave_out(&cell);
    scatter_rows(work, index, &cell, out);
    for (uint32_t k = 0, at = 0; k < scatter->field.species_count; k++) {
        out->species[k].hashes = pile->record_hashes + at;
        for (uint32_t i = 0; i < pile->count; i++)
            if (pile->species[i] == k) {
                pile->record_hashes[at++] = pile->hashes[i];
                out->species[k].tied++;
            }
    }
    return VXB_OK;
}

void vxbi_scatter_sample(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                         uint32_t row, struct vxbi_cell_result *out)
{
    struct cell cell = {.scatter = scatter, .rank_most = any_rank, .counting = true};
    struct band band = {.row = row, .end = row + 1};
    begin_cell(work, index, &cell, out);
    measure_band(&cell, &band);
    scatter_band(work, &cell, &band);
    close_counts(work, &cell, out);
}
