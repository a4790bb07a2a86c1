/* Candidates with their numbers. */
#include "candidate.h"

#include <math.h>
#include <string.h>

#include "../core/bytes.h"

/* ---- the kernels' numbers ---- */

static struct vxk_map_size size_of(const struct vxb_map *map)
{
    return map && map->samples ? (struct vxk_map_size){map->width, map->height} : (struct vxk_map_size){0, 0};
}

const struct vxb_map *vxbi_layer_map(const struct vxb_plan *plan, uint32_t species)
{
    return species < plan->species_count && plan->species[species].layer ? &plan->species[species].layer->map : NULL;
}

void vxbi_kernel_numbers(const struct vxbi_scatter *scatter, struct vxk_scatter *out)
{
    const struct vxb_terrain *t = scatter->plan->terrain;
    out->field = scatter->field;
    memcpy(out->species, scatter->species, sizeof out->species);
    out->exclude = size_of(&t->exclude);
    out->scale = size_of(&t->scale);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        out->layer[k] = size_of(vxbi_layer_map(scatter->plan, k));
    out->has_holes = t->holes != NULL;
}

void vxbi_judge_init(struct vxbi_judge *judge, const struct vxb_plan *plan)
{
    const struct vxb_terrain *t = plan->terrain;
    vxbi_scatter_init(&judge->scatter, plan);
    vxbi_kernel_numbers(&judge->scatter, &judge->numbers);
    judge->terrain = (struct vxk_terrain){.heights = t->heights, .holes = t->holes, .exclude = t->exclude.samples,
                                          .scale = t->scale.samples};
    for (uint32_t k = 0; k < plan->species_count; k++)
        judge->terrain.layer[k] = vxbi_layer_map(plan, k) ? vxbi_layer_map(plan, k)->samples : NULL;
}

/* ---- tests ---- */

/* What the tests compare. */
struct compared {
    vxk_u32 gone, excluded;
    vxk_f32 scale, ny, y, low, high, draw, k;
};

static vxk_u32 verdict(const struct vxbi_judge *judge, uint32_t species, const struct compared *c)
{
    vxk_u32 rank;
    return vxk_verdict(c->gone, c->excluded, c->scale, c->ny, judge->numbers.species[species].cos_slope, c->y, c->low,
                       c->high, c->draw, c->k, judge->numbers.field.rank_cut, &rank);
}

/* Each test by itself: the verdict over values that pass all others (but the last, where the density scale is 0). */
static void test_each(const struct vxbi_judge *judge, uint32_t species, const struct compared *c,
                      bool failed[VXB_REASON_COUNT])
{
    struct compared one[VXB_REASON_BUDGET];
    for (int i = 0; i < VXB_REASON_BUDGET; i++)
        one[i] = (struct compared){.scale = 1.0f, .ny = 1.0f, .low = -INFINITY, .high = INFINITY, .k = 1.0f};
    one[VXB_REASON_NO_SURFACE].gone = c->gone;
    one[VXB_REASON_EXCLUDED].excluded = c->excluded;
    one[VXB_REASON_EXCLUDED].scale = c->scale;
    one[VXB_REASON_SLOPE].ny = c->ny;
    one[VXB_REASON_ALTITUDE].y = c->y;
    one[VXB_REASON_ALTITUDE].low = c->low;
    one[VXB_REASON_ALTITUDE].high = c->high;
    one[VXB_REASON_DENSITY].draw = c->draw;
    one[VXB_REASON_DENSITY].k = c->k;
    for (vxk_u32 i = 0; i < VXB_REASON_BUDGET; i++)
        failed[i] = verdict(judge, species, &one[i]) == i + 1;
}

/* ---- places ---- */

static bool is_outside(const struct vxbi_judge *judge, vxk_f32 u, vxk_f32 v)
{
    return vxk_outside(u, v, judge->numbers.field.width, judge->numbers.field.depth);
}

static void tell_ground(const struct vxk_spot *spot, struct vxb_explain_ground *out)
{
    const struct vxk_surface *ground = &spot->ground;
    *out = (struct vxb_explain_ground){.hole = spot->hole, .excluded = spot->excluded, .y = ground->y,
                                       .normal = {ground->nx, ground->ny, ground->nz}, .slope = vxk_acos(ground->ny),
                                       .scale_factor = spot->factor};
}

void vxbi_judge_ground(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                       struct vxb_explain_ground *out)
{
    const vxk_f32 u = cell->base_x + x, v = cell->base_z + z;
    *out = (struct vxb_explain_ground){.outside = true};
    if (is_outside(judge, u, v))
        return;
    const struct vxk_spot spot = vxk_spot_at(&judge->numbers, judge->terrain, 0, u, v);
    tell_ground(&spot, out);
}

void vxbi_judge_species(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                        uint32_t species, struct vxb_explain_species *out)
{
    const vxk_f32 u = cell->base_x + x, v = cell->base_z + z;
    const struct vxk_species *own = &judge->numbers.species[species];
    out->reason = VXB_REASON_NO_SURFACE;
    if (is_outside(judge, u, v))
        return;
    const struct vxk_spot spot = vxk_spot_at(&judge->numbers, judge->terrain, species, u, v);
    /* The largest scale and the lowest draw that there can be. */
    const struct compared best = {.gone = spot.hole, .excluded = spot.excluded,
                                  .scale = (own->min_scale + own->scale_span) * spot.factor, .ny = spot.ground.ny,
                                  .y = spot.ground.y, .low = own->low, .high = own->high, .k = spot.k};
    out->weight = spot.weight;
    out->k = spot.k;
    out->reason = vxbi_reason_of(verdict(judge, species, &best));
}

float vxbi_judge_layer(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                       const struct vxb_map *map)
{
    return vxk_map_at(&judge->numbers.field, map->samples, size_of(map), cell->base_x + x, cell->base_z + z);
}

/* ---- candidates ---- */

struct vxk_candidate vxbi_judge_candidate(const struct vxbi_judge *judge, const struct vxk_cell *cell, uint32_t index)
{
    return vxk_judged(&judge->numbers, judge->terrain, *cell, index);
}

static void tell_blade(const struct vxbi_judge *judge, const struct vxk_cell *cell, struct vxk_candidate c,
                       struct vxb_explain_candidate *out)
{
    const struct vxk_record r = vxk_record_of(&judge->numbers, *cell, c);
    const struct vxb_grass_header header = {.cell_size = judge->numbers.field.cell_size};
    const struct vxb_grass_chunk chunk = {.cell_x = out->cell_x, .cell_z = out->cell_z, .min_y = cell->min_y,
                                          .max_y = cell->max_y};
    for (size_t i = 0; i < 4; i++)
        vxbi_store_u32(out->record + 4 * i, r.word[i]);
    vxb_grass_decode(&header, &chunk, out->record, &out->blade);
}

void vxbi_judge_explain(const struct vxbi_judge *judge, const struct vxk_cell *cell, uint32_t index,
                        struct vxb_explain_candidate *out)
{
    const double size = (double)judge->numbers.field.cell_size;
    struct vxk_candidate c = vxk_placed_at(&judge->numbers, *cell, index);
    const vxk_f32 u = cell->base_x + c.x, v = cell->base_z + c.z;
    out->index = index;
    out->hash = c.hash;
    out->x = out->cell_x * size + (double)c.x;
    out->z = out->cell_z * size + (double)c.z;
    out->species = c.species;
    out->part = vxk_part_of(c.hash);
    out->draw = vxk_draw(c.hash, VXK_STREAM_DENSITY);
    out->rank = c.rank;
    out->reason = vxbi_reason_of(c.reason);
    memset(out->failed, 0, sizeof out->failed);
    memset(out->record, 0, sizeof out->record);
    memset(&out->blade, 0, sizeof out->blade);
    out->ground = (struct vxb_explain_ground){.outside = true};
    out->scale = out->weight = out->k = 0.0f;
    out->failed[VXB_REASON_NO_SURFACE] = true;
    if (is_outside(judge, u, v))
        return;
    const struct vxk_spot spot = vxk_spot_at(&judge->numbers, judge->terrain, c.species, u, v);
    c = vxk_judged_at(&judge->numbers, spot, c);
    const struct vxk_species *own = &judge->numbers.species[c.species];
    const struct compared all = {.gone = spot.hole, .excluded = spot.excluded, .scale = c.scale, .ny = c.ny, .y = c.y,
                                 .low = own->low, .high = own->high, .draw = out->draw, .k = spot.k};
    tell_ground(&spot, &out->ground);
    out->scale = c.scale;
    out->weight = spot.weight;
    out->k = spot.k;
    out->rank = c.rank;
    out->reason = vxbi_reason_of(c.reason);
    test_each(judge, c.species, &all, out->failed);
    if (c.reason == VXK_PLACED)
        tell_blade(judge, cell, c, out);
}
