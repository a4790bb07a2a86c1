/* One cell: bands of candidate rows, blocks of a row, windows of the maps under them; then the blades put in order.
 *
 * Order: blades come out by species, rank, hash. Ranks are uniform (a draw over its own limit), so counting by rank's high
 * bits leaves a few blades a bucket, and an insertion sort of each ends it. */
#include "scatter.h"

#include <math.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/bytes.h"
#include "../core/error.h"
#include "scatter_block.h"
#include "vxk_angle.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"

#define MAPS_MOST (VXB_SPECIES_MAX + 1) /* a layer for each species, and the scale map */
#define WINDOW_MOST ((uint64_t)1 << 20) /* samples of a band's window, where one row allows */
#define BUCKETS_MOST 65536

_Static_assert(VXK_NO_SURFACE == VXB_REASON_NO_SURFACE + 1 && VXK_DENSITY == VXB_REASON_DENSITY + 1 &&
                   VXB_REASON_BUDGET == VXB_REASON_DENSITY + 1, "kernel reasons are the public ones plus one");

struct placed {
    uint32_t hash, word[4];
};

struct floats {
    float *data;
    uint64_t room;
};

struct vxbi_scatter_work {
    struct vxb_allocator allocator;
    struct vxbi_block block;
    struct vxbi_blades blades;
    float weight[VXBI_BLOCK], factor[VXBI_BLOCK];
    uint8_t reasons[VXBI_BLOCK];
    struct floats windows[1 + MAPS_MOST]; /* heights, then maps */
    uint64_t room;                        /* blades that the arrays below hold */
    struct placed *placed, *sorted;       /* as they come; in order */
    uint8_t *species;                     /* of placed */
    uint64_t count;
    uint8_t *records;                     /* both over placed, once sorted is made */
    uint32_t *hashes;
    uint32_t *starts;                     /* of buckets: species x rank bucket */
    uint64_t tally[VXB_SPECIES_MAX][VXB_REASON_COUNT + 1];
};

void vxbi_scatter_init(struct vxbi_scatter *s, const struct vxb_plan *plan)
{
    const struct vxb_terrain *t = plan->terrain;
    struct vxk_field *f = &s->field;
    memset(s, 0, sizeof *s);
    s->plan = plan;
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
    f->height_min = t->min_height;
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
        to->weight_min = from->min_weight;
        to->weight_span = (from->max_weight > most ? from->max_weight : most) - from->min_weight;
        to->scale_min = from->min_scale;
        to->scale_span = from->max_scale - from->min_scale;
        to->align = from->align_to_normal;
        to->random_yaw = from->random_yaw;
    }
}

struct vxbi_scatter_work *vxbi_scatter_work_new(const struct vxb_allocator *allocator)
{
    struct vxbi_scatter_work *work = vxbi_new_zero(allocator, 1, sizeof *work);
    if (!work)
        return NULL;
    work->allocator = *allocator;
    work->starts = vxbi_new(allocator, (uint64_t)VXB_SPECIES_MAX * BUCKETS_MOST + 1, sizeof *work->starts);
    if (!work->starts) {
        vxbi_scatter_work_free(work);
        return NULL;
    }
    return work;
}

static void free_blades(struct vxbi_scatter_work *work)
{
    vxbi_delete(&work->allocator, work->placed, work->room, sizeof *work->placed);
    vxbi_delete(&work->allocator, work->sorted, work->room, sizeof *work->sorted);
    vxbi_delete(&work->allocator, work->species, work->room, 1);
    work->placed = work->sorted = NULL;
    work->species = NULL;
    work->room = 0;
}

void vxbi_scatter_work_free(struct vxbi_scatter_work *work)
{
    if (!work)
        return;
    struct vxb_allocator allocator = work->allocator;
    free_blades(work);
    for (size_t i = 0; i < 1 + MAPS_MOST; i++)
        vxbi_delete(&allocator, work->windows[i].data, work->windows[i].room, sizeof(float));
    vxbi_delete(&allocator, work->starts, (uint64_t)VXB_SPECIES_MAX * BUCKETS_MOST + 1, sizeof *work->starts);
    vxbi_delete(&allocator, work, 1, sizeof *work);
}

/* Room for every candidate of a cell. */
static enum vxb_status make_room(struct vxbi_scatter_work *work, uint64_t blades, struct vxb_error *err)
{
    if (blades <= work->room)
        return VXB_OK;
    free_blades(work);
    work->placed = vxbi_new(&work->allocator, blades, sizeof *work->placed);
    work->sorted = vxbi_new(&work->allocator, blades, sizeof *work->sorted);
    work->species = vxbi_new(&work->allocator, blades, 1);
    work->room = blades;
    if (!work->placed || !work->sorted || !work->species) {
        free_blades(work);
        return vxbi_fail_memory(err, blades * (2 * sizeof *work->placed + 1));
    }
    work->records = (uint8_t *)work->placed;
    work->hashes = (uint32_t *)(void *)(work->records + blades * VXB_GRASS_RECORD_BYTES);
    return VXB_OK;
}

/* ---- windows ---- */

/* Samples of a grid that a run of candidates may touch, borders repeated: [x0, x1] by [z0, z1]. */
struct rect {
    int32_t x0, x1, z0, z1;
};

static bool window_room(struct vxbi_scatter_work *work, size_t which, uint64_t samples)
{
    struct floats *f = &work->windows[which];
    if (samples <= f->room)
        return true;
    vxbi_delete(&work->allocator, f->data, f->room, sizeof *f->data);
    f->data = vxbi_new(&work->allocator, samples, sizeof *f->data);
    f->room = f->data ? samples : 0;
    return f->data != NULL;
}

static void fill_window(float *out, const struct rect *r, const uint16_t *wide, const uint8_t *narrow, int32_t last_x,
                        int32_t last_z)
{
    const size_t width = (size_t)last_x + 1;
    for (int32_t z = r->z0; z <= r->z1; z++) {
        size_t row = (size_t)vxk_clamp_index(z, last_z) * width;
        for (int32_t x = r->x0; x <= r->x1; x++) {
            size_t at = row + (size_t)vxk_clamp_index(x, last_x);
            *out++ = wide ? (float)wide[at] : (float)narrow[at];
        }
    }
}

/* Makes window number which over r. False where it would cost more than it saves, or there is no memory for it: then
 * the samples are read where they are. */
static bool make_window(struct vxbi_scatter_work *work, size_t which, const struct rect *r, uint64_t candidates,
                        const uint16_t *wide, const uint8_t *narrow, int32_t last_x, int32_t last_z,
                        struct vxbi_window *out)
{
    uint64_t stride = (uint64_t)(r->x1 - r->x0 + 1), samples = stride * (uint64_t)(r->z1 - r->z0 + 1);
    if (samples > 4 * candidates + 1024 || samples > INT32_MAX || !window_room(work, which, samples))
        return false;
    fill_window(work->windows[which].data, r, wide, narrow, last_x, last_z);
    *out = (struct vxbi_window){.samples = work->windows[which].data, .x0 = r->x0, .z0 = r->z0,
                                .stride = (uint32_t)stride, .last_x = last_x, .last_z = last_z};
    return true;
}

/* ---- a cell ---- */

/* Slots first..last of one axis reach from *low to *high metres from the terrain's first sample: the ends of what
 * vxbi_block_place() computes, which rises with slot, draw and reach. */
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
    /* The maps, each once, and which species grow on it. */
    const struct vxb_map *maps[MAPS_MOST];
    uint32_t which[MAPS_MOST], map_count;
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
    struct rect taps;
};

static void measure_band(const struct cell *cell, struct band *band)
{
    const struct vxk_field *f = &cell->scatter->field;
    axis_reach(cell->scatter, cell->numbers.base_x, 0, f->side - 1, &band->low_x, &band->high_x);
    axis_reach(cell->scatter, cell->numbers.base_z, band->row, band->end - 1, &band->low_z, &band->high_z);
    band->taps = (struct rect){
        .x0 = vxk_clamp_index(vxk_floor(band->low_x / f->quad), f->last_x) - 1,
        .x1 = vxk_clamp_index(vxk_floor(band->high_x / f->quad), f->last_x) + 2,
        .z0 = vxk_clamp_index(vxk_floor(band->low_z / f->quad), f->last_z) - 1,
        .z1 = vxk_clamp_index(vxk_floor(band->high_z / f->quad), f->last_z) + 2,
    };
}

static uint64_t rect_samples(const struct rect *r)
{
    return (uint64_t)(r->x1 - r->x0 + 1) * (uint64_t)(r->z1 - r->z0 + 1);
}

/* The most rows, halved until their window is small enough to stay in a cache. */
static void next_band(const struct cell *cell, struct band *band)
{
    uint32_t rows = cell->scatter->field.side - band->row;
    for (;; rows = (rows + 1) / 2) {
        band->end = band->row + rows;
        measure_band(cell, band);
        if (rows == 1 || rect_samples(&band->taps) <= WINDOW_MOST)
            return;
    }
}

static struct rect map_rect(const struct vxk_field *f, const struct band *band, const struct vxb_map *map)
{
    uint32_t samples_x = (uint32_t)f->last_x + 1, samples_z = (uint32_t)f->last_z + 1;
    int32_t last_x = (int32_t)map->width - 1, last_z = (int32_t)map->height - 1;
    float x0 = vxk_map_axis(band->low_x, map->width, samples_x, f->quad, f->width);
    float x1 = vxk_map_axis(band->high_x, map->width, samples_x, f->quad, f->width);
    float z0 = vxk_map_axis(band->low_z, map->height, samples_z, f->quad, f->depth);
    float z1 = vxk_map_axis(band->high_z, map->height, samples_z, f->quad, f->depth);
    return (struct rect){.x0 = vxk_clamp_index(vxk_floor(x0), last_x), .x1 = vxk_clamp_index(vxk_floor(x1), last_x) + 1,
                         .z0 = vxk_clamp_index(vxk_floor(z0), last_z), .z1 = vxk_clamp_index(vxk_floor(z1), last_z) + 1};
}

/* Counts reasons into tally: few kinds, so each is summed on its own where one species is all there is. */
static void tally_block(struct vxbi_scatter_work *work, uint32_t species_count)
{
    const struct vxbi_block *b = &work->block;
    if (species_count == 1) {
        for (uint32_t reason = 0; reason <= VXB_REASON_COUNT; reason++) {
            uint32_t n = 0;
            for (uint32_t j = 0; j < b->count; j++)
                n += b->reason[j] == reason;
            work->tally[0][reason] += n;
        }
        return;
    }
    uint32_t counts[2][VXB_SPECIES_MAX * 8] = {{0}};
    for (uint32_t j = 0; j < b->count; j++)
        counts[j & 1][b->species[j] * 8 + b->reason[j]]++;
    for (uint32_t k = 0; k < species_count; k++)
        for (uint32_t reason = 0; reason <= VXB_REASON_COUNT; reason++)
            work->tally[k][reason] += counts[0][k * 8 + reason] + counts[1][k * 8 + reason];
}

static void report_block(struct vxbi_scatter_work *work, const struct cell *cell)
{
    const struct vxbi_block *b = &work->block;
    for (uint32_t j = 0; j < b->count; j++)
        work->reasons[j] = (uint8_t)(b->reason[j] == VXK_PLACED ? VXB_REASON_COUNT : b->reason[j] - 1);
    cell->sink->add(cell->sink->user, cell->corner_x, cell->corner_z, b->x, b->z, work->reasons, b->count);
}

static void keep_blades(struct vxbi_scatter_work *work)
{
    const struct vxbi_blades *from = &work->blades;
    struct placed *to = work->placed + work->count;
    uint8_t *species = work->species + work->count;
    for (uint32_t i = 0; i < from->count; i++) {
        to[i].hash = from->hash[i];
        for (int w = 0; w < 4; w++)
            to[i].word[w] = from->word[w][i];
        species[i] = (uint8_t)from->species[i];
    }
    work->count += from->count;
}

struct band_windows {
    bool has_heights, has_map[MAPS_MOST], has_scale;
    struct vxbi_window heights, map[MAPS_MOST], scale;
};

static void open_band(struct vxbi_scatter_work *work, const struct cell *cell, const struct band *band,
                      struct band_windows *w)
{
    const struct vxk_field *f = &cell->scatter->field;
    const struct vxb_terrain *t = cell->scatter->plan->terrain;
    uint64_t candidates = (uint64_t)(band->end - band->row) * f->side;
    w->has_heights = make_window(work, 0, &band->taps, candidates, t->heights, NULL, f->last_x, f->last_z, &w->heights);
    for (uint32_t i = 0; i < cell->map_count; i++) {
        struct rect r = map_rect(f, band, cell->maps[i]);
        w->has_map[i] = make_window(work, 1 + i, &r, candidates, NULL, cell->maps[i]->samples,
                                    (int32_t)cell->maps[i]->width - 1, (int32_t)cell->maps[i]->height - 1, &w->map[i]);
    }
    w->has_scale = false;
    if (t->scale.samples) {
        struct rect r = map_rect(f, band, &t->scale);
        w->has_scale = make_window(work, MAPS_MOST, &r, candidates, NULL, t->scale.samples,
                                   (int32_t)t->scale.width - 1, (int32_t)t->scale.height - 1, &w->scale);
    }
}

static void finish_block(struct vxbi_scatter_work *work, const struct cell *cell, const struct band_windows *w)
{
    const struct vxbi_scatter *s = cell->scatter;
    const struct vxk_field *f = &s->field;
    const struct vxb_terrain *t = s->plan->terrain;
    struct vxbi_block *b = &work->block;
    if (w->has_heights)
        vxbi_block_taps(b, &w->heights);
    else
        vxbi_block_taps_direct(b, t->heights, f->last_x, f->last_z);
    if (t->holes)
        vxbi_block_holes(b, t->holes, f->last_x, f->last_z);
    vxbi_block_surface(b, f);
    for (uint32_t i = 0; i < cell->map_count; i++) {
        const struct vxb_map *map = cell->maps[i];
        vxbi_block_map(b, f, w->has_map[i] ? &w->map[i] : NULL, map->samples, map->width, map->height, work->weight);
        vxbi_block_weigh(b, f, s->species, work->weight, cell->which[i]);
    }
    if (t->exclude.samples)
        vxbi_block_exclude(b, f, t->exclude.samples, t->exclude.width, t->exclude.height);
    if (t->scale.samples)
        vxbi_block_map(b, f, w->has_scale ? &w->scale : NULL, t->scale.samples, t->scale.width, t->scale.height,
                       work->factor);
    vxbi_block_judge(b, f, s->species, t->scale.samples ? work->factor : NULL);
    vxbi_block_select(b, cell->rank_most, &work->blades);
    tally_block(work, f->species_count);
    if (cell->sink)
        report_block(work, cell);
    vxbi_blades_pack(&work->blades, f, s->species, &cell->numbers);
    keep_blades(work);
    b->count = 0;
}

/* Rows are cut where a block is full, and short ones share a block. */
static void scatter_band(struct vxbi_scatter_work *work, const struct cell *cell, const struct band *band)
{
    const struct vxbi_scatter *s = cell->scatter;
    struct vxbi_block *b = &work->block;
    struct band_windows windows;
    open_band(work, cell, band, &windows);
    b->count = 0;
    for (uint32_t row = band->row; row < band->end; row++)
        for (uint32_t x = 0, count; x < s->field.side; x += count) {
            uint32_t left = s->field.side - x, room = VXBI_BLOCK - b->count;
            count = left < room ? left : room;
            vxbi_block_place(b, &s->field, s->species, &cell->numbers, x, row, count);
            if (b->count == VXBI_BLOCK)
                finish_block(work, cell, &windows);
        }
    if (b->count)
        finish_block(work, cell, &windows);
}

/* ---- order ---- */

static bool before(const struct placed *a, const struct placed *b)
{
    uint32_t ra = a->word[3] >> 16, rb = b->word[3] >> 16;
    return ra != rb ? ra < rb : a->hash < b->hash;
}

static void insertion_sort(struct placed *p, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct placed moving = p[i];
        uint32_t j = i;
        for (; j > 0 && before(&moving, &p[j - 1]); j--)
            p[j] = p[j - 1];
        p[j] = moving;
    }
}

/* For a bucket that a strange recipe made large: in place, and n log n whatever comes. */
static void heap_sort(struct placed *p, uint32_t count)
{
    for (uint32_t start = count / 2, end = count; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            struct placed last = p[--end];
            p[end] = p[0];
            p[0] = last;
        }
        struct placed moving = p[start];
        uint32_t hole = start;
        for (uint32_t child; (child = 2 * hole + 1) < end; hole = child) {
            if (child + 1 < end && before(&p[child], &p[child + 1]))
                child++;
            if (!before(&moving, &p[child]))
                break;
            p[hole] = p[child];
        }
        p[hole] = moving;
    }
}

static void write_out(struct vxbi_scatter_work *work)
{
    for (uint64_t i = 0; i < work->count; i++) {
        struct placed blade = work->sorted[i];
        uint8_t *record = work->records + i * VXB_GRASS_RECORD_BYTES;
        for (int w = 0; w < 4; w++)
            vxbi_store_u32(record + 4 * w, blade.word[w]);
        work->hashes[i] = blade.hash;
    }
}

static inline uint32_t bucket_of(const struct vxbi_scatter_work *work, uint64_t i, uint32_t bits)
{
    uint32_t rank = work->placed[i].word[3] >> 16;
    return ((uint32_t)work->species[i] << bits) + (rank >> (16 - bits));
}

/* Sorts placed into sorted, by species and rank's high bits first, and writes records and hashes over placed. */
static void sort_blades(struct vxbi_scatter_work *work, uint32_t species_count, uint32_t *per_species)
{
    uint32_t bits = 0;
    while (bits < 16 && (uint64_t)4 << bits < work->count)
        bits++;
    const uint32_t buckets = species_count << bits;
    uint32_t *starts = work->starts;
    memset(starts, 0, (buckets + 1) * sizeof *starts);
    for (uint64_t i = 0; i < work->count; i++)
        starts[bucket_of(work, i, bits) + 1]++;
    for (uint32_t k = 0; k < buckets; k++)
        starts[k + 1] += starts[k];
    for (uint32_t k = 0; k < species_count; k++)
        per_species[k] = starts[(k + 1) << bits] - starts[k << bits];
    for (uint64_t i = 0; i < work->count; i++)
        work->sorted[starts[bucket_of(work, i, bits)]++] = work->placed[i];
    /* Each start has moved to its bucket's end. */
    for (uint32_t k = 0, start = 0; k < buckets; start = starts[k++]) {
        uint32_t n = starts[k] - start;
        if (n > 64)
            heap_sort(work->sorted + start, n);
        else if (n > 1)
            insertion_sort(work->sorted + start, n);
    }
    write_out(work);
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
    *min_y = f->origin_y + vxk_height((float)low, f->height_min, f->height_range);
    *max_y = f->origin_y + vxk_height((float)high, f->height_min, f->height_range);
}

static void open_cell(const struct vxbi_scatter *s, uint64_t index, struct cell *cell, struct vxbi_cell_result *out)
{
    const struct vxb_plan *plan = s->plan;
    const float *origin = plan->terrain->origin;
    double size = (double)s->field.cell_size;
    out->cell_x = plan->cell_x0 + (int32_t)(index % plan->cells_x);
    out->cell_z = plan->cell_z0 + (int32_t)(index / plan->cells_x);
    cell->corner_x = (double)out->cell_x * size;
    cell->corner_z = (double)out->cell_z * size;
    double local_x = cell->corner_x - (double)origin[0], local_z = cell->corner_z - (double)origin[2];
    cell->numbers.base_x = (float)local_x;
    cell->numbers.base_z = (float)local_z;
    cell->numbers.seed = vxk_cell_seed(out->cell_x, out->cell_z, s->recipe_mix);
    cell_heights(s, local_x, local_z, &out->min_y, &out->max_y);
    cell->numbers.min_y = out->min_y;
    cell->numbers.max_y = out->max_y;
    find_maps(cell);
}

static void close_cell(const struct vxbi_scatter_work *work, uint32_t species_count, const uint32_t *per_species,
                       struct vxbi_cell_result *out)
{
    uint64_t first = 0;
    for (uint32_t k = 0; k < species_count; k++) {
        struct vxbi_cell_species *to = &out->species[k];
        to->count = per_species[k];
        to->records = work->records + first * VXB_GRASS_RECORD_BYTES;
        to->hashes = work->hashes + first;
        to->candidates = work->tally[k][0];
        for (uint32_t reason = 0; reason < VXB_REASON_COUNT; reason++) {
            to->reasons[reason] = work->tally[k][reason + 1];
            to->candidates += to->reasons[reason];
        }
        first += per_species[k];
    }
}

enum vxb_status vxbi_scatter_cell(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], const struct vxbi_reason_sink *sink,
                                  struct vxbi_cell_result *out, struct vxb_error *err)
{
    const struct vxk_field *f = &scatter->field;
    struct cell cell = {.scatter = scatter, .sink = sink, .rank_most = rank_most};
    uint32_t per_species[VXB_SPECIES_MAX] = {0};
    enum vxb_status status = make_room(work, (uint64_t)f->side * f->side, err);
    if (status)
        return status;
    memset(out, 0, sizeof *out);
    memset(work->tally, 0, sizeof work->tally);
    work->count = 0;
    open_cell(scatter, index, &cell, out);
    for (struct band band = {0}; band.row < f->side; band.row = band.end) {
        next_band(&cell, &band);
        scatter_band(work, &cell, &band);
    }
    sort_blades(work, f->species_count, per_species);
    close_cell(work, f->species_count, per_species, out);
    return VXB_OK;
}
