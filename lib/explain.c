/* Explaining a spot: walks the candidates about it, asks the scatter's own functions for the verdict over each, and the
 * field for what a budget keeps. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"
#include "core/limits.h"
#include "core/text.h"
#include "grass/budget.h"
#include "grass/candidate.h"
#include "grass/format.h"
#include "grass/species_choice.h"

#define LIMIT_DEFAULT 20u

/* A candidate within the radius, and what it takes to tell more of it. */
struct found {
    double square; /* of its distance */
    int32_t cell_x, cell_z;
    uint32_t index;
    struct vxk_cell cell;
};

struct explaining {
    struct vxb_explanation out; /* first: what the caller holds */
    struct vxb_allocator allocator;
    const struct vxb_env *env;
    const struct vxb_plan *plan;
    struct vxbi_judge judge;
    struct vxbi_cut cuts[VXB_SPECIES_MAX];
    int64_t x0, x1, z0, z1; /* cells within the radius, the last ones not among them */
    uint32_t limit;
    /* The nearest so far, a heap: the farthest comes first. */
    struct found *nearest;
    uint64_t count, room;
    float *weights;
    uint32_t weight_count;
    struct vxb_explain_candidate *candidates;
};

/* ---- options ---- */

static enum vxb_status check_options(const struct vxb_explain_options *o, struct vxb_error *err)
{
    char x[VXB_TEXT_NUMBER_ROOM], z[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status = vxbi_check_size("vxb_explain_options", o->size, sizeof *o, err);
    if (status)
        return status;
    if (!(fabs(o->x) <= VXBI_WORLD_M && fabs(o->z) <= VXBI_WORLD_M))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, fabs(o->x) <= VXBI_WORLD_M ? "z" : "x", "the spot is %s, %s; it "
                                  "must lie within 1048576 metres of 0", vxb_text_f64(o->x, x), vxb_text_f64(o->z, z));
    if (!(o->radius >= 0.0 && o->radius <= VXBI_WORLD_M))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "radius",
                                  "the radius is %s metres; it must be within 0 to 1048576",
                                  vxb_text_f64(o->radius, x));
    return VXB_OK;
}

static enum vxb_status find_species(struct explaining *e, const char *wanted, struct vxb_error *err)
{
    const struct vxb_plan *plan = e->plan;
    struct vxbi_species_choice species[VXB_SPECIES_MAX];
    uint32_t only = 0;
    for (uint32_t k = 0; k < plan->species_count; k++)
        species[k] = (struct vxbi_species_choice){plan->species[k].recipe->name, plan->species[k].id};
    enum vxb_status status = !wanted ? VXB_OK
                                     : vxbi_species_choose(species, plan->species_count, "the recipe's", wanted, NULL,
                                                           &only, err);
    for (uint32_t k = 0; k < plan->species_count; k++)
        e->out.species[k].wanted = !wanted || k == only;
    return status;
}

/* ---- cells ---- */

/* Of count squares of this size in a row, from number first on, those that what is within reach of a place touches. */
static void touched(double place, double reach, double size, int64_t first, int64_t count, int64_t *from, int64_t *end)
{
    const int64_t a = vxbi_grass_cell(place - reach, size), b = vxbi_grass_cell(place + reach, size) + 1;
    *from = a < first ? first : a;
    *end = b > first + count ? first + count : b;
}

static void find_cells(struct explaining *e)
{
    const struct vxb_plan *plan = e->plan;
    const double size = (double)plan->recipe->cell_size;
    touched(e->out.x, e->out.radius, size, plan->cell_x0, plan->cells_x, &e->x0, &e->x1);
    touched(e->out.z, e->out.radius, size, plan->cell_z0, plan->cells_z, &e->z0, &e->z1);
}

/* ---- budgets ---- */

/* A budget is the whole field's; nobody asks for it where there is no candidate. To know it no blade need be made. */
static enum vxb_status find_cuts(struct explaining *e, struct vxb_error *err)
{
    struct vxbi_field field;
    bool bind = false;
    if (e->x0 >= e->x1 || e->z0 >= e->z1)
        return VXB_OK;
    for (uint32_t k = 0; k < e->plan->species_count; k++)
        bind = bind || (e->out.species[k].wanted && vxbi_budget_may_bind(e->plan, k));
    if (!bind)
        return VXB_OK;
    enum vxb_status status = vxbi_field_count(e->env, e->plan, NULL, &vxbi_cpu_counting_source, &field, err);
    if (status)
        return status;
    for (uint32_t k = 0; k < e->plan->species_count; k++) {
        struct vxb_explain_species *s = &e->out.species[k];
        if (!s->wanted)
            continue;
        e->cuts[k] = field.sections[k].cut;
        s->counted = true;
        s->survivors = field.sections[k].survivors;
        s->cut = e->cuts[k].binds;
        s->cut_rank = e->cuts[k].rank;
        s->cut_hash = e->cuts[k].hash;
        s->cut_cell_z = e->cuts[k].cell_z;
        s->cut_cell_x = e->cuts[k].cell_x;
    }
    vxbi_field_clear(&field);
    return VXB_OK;
}

/* ---- the spot ---- */

static bool is_tried(const struct vxb_plan *plan, int64_t cell_x, int64_t cell_z)
{
    return cell_x >= plan->cell_x0 && cell_x < (int64_t)plan->cell_x0 + plan->cells_x && cell_z >= plan->cell_z0 &&
           cell_z < (int64_t)plan->cell_z0 + plan->cells_z;
}

static struct vxk_cell open_cell(const struct explaining *e, int32_t cell_x, int32_t cell_z)
{
    const uint64_t x = (uint64_t)((int64_t)cell_x - e->plan->cell_x0);
    const uint64_t z = (uint64_t)((int64_t)cell_z - e->plan->cell_z0);
    struct vxbi_cell_result place;
    return vxbi_scatter_open_cell(&e->judge.scatter, z * e->plan->cells_x + x, &place);
}

/* The part of a species' candidates that pass where all is as at the spot: those whose draw is below k and whose rank,
 * draw / k, is kept. */
static double passing_part(const struct explaining *e, uint32_t species)
{
    const struct vxb_explain_species *s = &e->out.species[species];
    const struct vxbi_cut *cut = &e->cuts[species];
    uint32_t ranks = e->plan->rank_cut;
    if (s->reason != VXB_REASON_COUNT || cut->none)
        return 0.0;
    if (cut->binds && cut->rank + 1 < ranks)
        ranks = cut->rank + 1;
    return (double)s->k * ranks / 65536.0;
}

static enum vxb_status tell_spot(struct explaining *e, struct vxb_error *err)
{
    const struct vxb_plan *plan = e->plan;
    const struct vxb_terrain *t = plan->terrain;
    struct vxb_explanation *out = &e->out;
    const double size = (double)plan->recipe->cell_size;
    out->cell_x = (int32_t)vxbi_grass_cell(out->x, size);
    out->cell_z = (int32_t)vxbi_grass_cell(out->z, size);
    out->in_field = is_tried(plan, out->cell_x, out->cell_z);
    out->ground.outside = true;
    for (uint32_t k = 0; k < plan->species_count; k++)
        if (out->species[k].wanted) {
            out->species[k].reason = VXB_REASON_NO_SURFACE;
            out->species[k].least_normal_y = e->judge.numbers.species[k].cos_slope;
            out->species[k].density = (double)plan->recipe->density * plan->species[k].parts / 1e6;
        }
    if (!out->in_field)
        return VXB_OK;
    const struct vxk_cell cell = open_cell(e, out->cell_x, out->cell_z);
    const float x = (float)(out->x - out->cell_x * size), z = (float)(out->z - out->cell_z * size);
    vxbi_judge_ground(&e->judge, &cell, x, z, &out->ground);
    if (out->ground.outside)
        return VXB_OK;
    for (uint32_t k = 0; k < plan->species_count; k++)
        if (out->species[k].wanted) {
            vxbi_judge_species(&e->judge, &cell, x, z, k, &out->species[k]);
            out->species[k].expected = plan->species[k].ceiling * passing_part(e, k);
        }
    if (t->layer_count == 0)
        return VXB_OK;
    e->weights = vxbi_new(&e->allocator, t->layer_count, sizeof *e->weights);
    if (!e->weights)
        return vxbi_fail_memory(err, t->layer_count * sizeof *e->weights);
    e->weight_count = t->layer_count;
    out->layer_weights = e->weights;
    for (uint32_t i = 0; i < t->layer_count; i++)
        e->weights[i] = vxbi_judge_layer(&e->judge, &cell, x, z, &t->layers[i].map);
    return VXB_OK;
}

/* ---- the nearest ---- */

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->square != y->square)
        return x->square < y->square ? -1 : 1;
    if (x->cell_z != y->cell_z)
        return x->cell_z < y->cell_z ? -1 : 1;
    if (x->cell_x != y->cell_x)
        return x->cell_x < y->cell_x ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void sift_up(struct found *heap, uint64_t at)
{
    const struct found moving = heap[at];
    for (; at > 0 && compare_found(&heap[(at - 1) / 2], &moving) < 0; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moving;
}

static void sift_down(struct found *heap, uint64_t count)
{
    const struct found moving = heap[0];
    uint64_t at = 0, child;
    for (; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && compare_found(&heap[child], &heap[child + 1]) < 0;
        if (compare_found(&heap[child], &moving) <= 0)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

static enum vxb_status keep_nearest(struct explaining *e, const struct found *found, struct vxb_error *err)
{
    if (e->count == e->limit) {
        if (compare_found(found, &e->nearest[0]) < 0) {
            e->nearest[0] = *found;
            sift_down(e->nearest, e->count);
        }
        return VXB_OK;
    }
    if (e->count == e->room) {
        const uint64_t room = e->room ? 2 * e->room : 32;
        struct found *nearest = vxbi_resize(&e->allocator, e->nearest, e->room, room, sizeof *nearest);
        if (!nearest)
            return vxbi_fail_memory(err, room * sizeof *nearest);
        e->nearest = nearest;
        e->room = room;
    }
    e->nearest[e->count] = *found;
    sift_up(e->nearest, e->count++);
    return VXB_OK;
}

/* ---- the candidates ---- */

static enum vxb_status look_at(struct explaining *e, struct found *found, struct vxb_error *err)
{
    const struct vxk_candidate place = vxk_placed_at(&e->judge.numbers, found->cell, found->index);
    const double size = (double)e->plan->recipe->cell_size;
    const double dx = found->cell_x * size + (double)place.x - e->out.x;
    const double dz = found->cell_z * size + (double)place.z - e->out.z;
    struct vxb_explain_species *species = &e->out.species[place.species];
    found->square = dx * dx + dz * dz;
    if (!species->wanted || found->square > e->out.radius * e->out.radius)
        return VXB_OK;
    const struct vxk_candidate c = vxbi_judge_candidate(&e->judge, &found->cell, found->index);
    species->counts.candidates++;
    if (c.reason != VXK_PLACED)
        species->counts.reasons[c.reason - 1]++;
    else if (vxbi_cut_keeps(&e->cuts[c.species], c.rank, c.hash, found->cell_z, found->cell_x))
        species->counts.placed++;
    else
        species->counts.reasons[VXB_REASON_BUDGET]++;
    return keep_nearest(e, found, err);
}

static enum vxb_status walk_cell(struct explaining *e, int32_t cell_x, int32_t cell_z, struct vxb_error *err)
{
    /* A candidate stands in its slot, but for rounding: a step more has room for that. */
    const double step = (double)e->plan->step, reach = e->out.radius + step;
    const double size = (double)e->plan->recipe->cell_size;
    const double x = e->out.x - cell_x * size, z = e->out.z - cell_z * size;
    const uint32_t side = e->plan->side;
    struct found found = {.cell_x = cell_x, .cell_z = cell_z, .cell = open_cell(e, cell_x, cell_z)};
    int64_t x0, x1, z0, z1;
    touched(x, reach, step, 0, side, &x0, &x1);
    touched(z, reach, step, 0, side, &z0, &z1);
    enum vxb_status status = VXB_OK;
    for (int64_t j = z0; j < z1 && !status; j++) {
        if (vxbi_cancelled(e->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        for (int64_t i = x0; i < x1 && !status; i++) {
            found.index = (uint32_t)(j * side + i);
            status = look_at(e, &found, err);
        }
    }
    return status;
}

static enum vxb_status walk(struct explaining *e, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (int64_t z = e->z0; z < e->z1 && !status; z++) {
        for (int64_t x = e->x0; x < e->x1 && !status; x++)
            status = walk_cell(e, (int32_t)x, (int32_t)z, err);
        if (!status)
            vxbi_progress(e->env, "explain", (uint64_t)(z + 1 - e->z0), (uint64_t)(e->z1 - e->z0));
    }
    return status;
}

static void sum_counts(struct vxb_explanation *out)
{
    for (uint32_t k = 0; k < out->species_count; k++) {
        const struct vxb_explain_counts *counts = &out->species[k].counts;
        out->counts.candidates += counts->candidates;
        out->counts.placed += counts->placed;
        for (int i = 0; i < VXB_REASON_COUNT; i++)
            out->counts.reasons[i] += counts->reasons[i];
    }
}

static enum vxb_status tell_candidates(struct explaining *e, struct vxb_error *err)
{
    sum_counts(&e->out);
    if (e->count == 0)
        return VXB_OK;
    qsort(e->nearest, (size_t)e->count, sizeof *e->nearest, compare_found);
    e->candidates = vxbi_new_zero(&e->allocator, e->count, sizeof *e->candidates);
    if (!e->candidates)
        return vxbi_fail_memory(err, e->count * sizeof *e->candidates);
    e->out.candidates = e->candidates;
    e->out.candidate_count = (uint32_t)e->count;
    for (uint64_t i = 0; i < e->count; i++) {
        const struct found *found = &e->nearest[i];
        struct vxb_explain_candidate *c = &e->candidates[i];
        c->cell_x = found->cell_x;
        c->cell_z = found->cell_z;
        vxbi_judge_explain(&e->judge, &found->cell, found->index, c);
        c->distance = sqrt(found->square);
        if (c->reason == VXB_REASON_COUNT &&
            !vxbi_cut_keeps(&e->cuts[c->species], c->rank, c->hash, c->cell_z, c->cell_x)) {
            c->failed[VXB_REASON_BUDGET] = true;
            c->reason = VXB_REASON_BUDGET;
            memset(c->record, 0, sizeof c->record);
            memset(&c->blade, 0, sizeof c->blade);
        }
    }
    return VXB_OK;
}

/* ---- the whole ---- */

static double default_radius(const struct vxb_plan *plan)
{
    const double steps = 2.0 * (double)plan->step;
    return steps > 0.5 ? steps : 0.5;
}

enum vxb_status vxb_explain(const struct vxb_env *env, const struct vxb_plan *plan,
                            const struct vxb_explain_options *options, struct vxb_explanation **out,
                            struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(options, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct explaining *e = vxbi_new_zero(&allocator, 1, sizeof *e);
    if (!e)
        return vxbi_fail_memory(err, sizeof *e);
    e->allocator = allocator;
    e->env = env;
    e->plan = plan;
    e->limit = options->limit ? options->limit : LIMIT_DEFAULT;
    e->out.x = options->x;
    e->out.z = options->z;
    e->out.radius = options->radius > 0.0 ? options->radius : default_radius(plan);
    e->out.species_count = plan->species_count;
    vxbi_judge_init(&e->judge, plan);
    find_cells(e);
    status = find_species(e, options->species, err);
    if (!status)
        status = find_cuts(e, err);
    if (!status)
        status = tell_spot(e, err);
    if (!status)
        status = walk(e, err);
    if (!status)
        status = tell_candidates(e, err);
    if (status)
        vxb_explanation_free(&e->out);
    else
        *out = &e->out;
    return status;
}

void vxb_explanation_free(struct vxb_explanation *explanation)
{
    struct explaining *e = (struct explaining *)explanation;
    if (!e)
        return;
    const struct vxb_allocator allocator = e->allocator;
    vxbi_delete(&allocator, e->weights, e->weight_count, sizeof *e->weights);
    vxbi_delete(&allocator, e->candidates, e->count, sizeof *e->candidates);
    vxbi_delete(&allocator, e->nearest, e->room, sizeof *e->nearest);
    vxbi_delete(&allocator, e, 1, sizeof *e);
}
