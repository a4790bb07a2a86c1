/* The block loops. Each is written so that gcc and clang vectorise it: no branch but selects, arrays that do not
 * overlap, a species' parameters held in registers.
 *
 * This file is built once for each vector width, VXBI_LOOPS naming the table that comes of it: the same expressions,
 * uncontracted, give the same bits at every width. */
#include "scatter_block.h"

#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"

#ifndef VXBI_LOOPS
#define VXBI_LOOPS vxbi_loops_baseline
#define VXBI_LOOPS_NAME "baseline"
#endif

extern const struct vxbi_block_loops VXBI_LOOPS;

static VXK_ALWAYS_INLINE uint32_t whole_groups(uint32_t count)
{
    return (count + (VXBI_LANES - 1)) & ~(uint32_t)(VXBI_LANES - 1);
}

/* A parameter of the candidate's own species: masks cost less than to fetch it. (Of a chain of ?: clang makes a switch
 * or a fetch, and vectorises neither well.) */
#define SPECIES_PARAMETER(name) \
    const float name[4] = {species[0].name, species[1].name, species[2].name, species[3].name}
#define OWN(id, name) own(id, name[0], name[1], name[2], name[3])

static VXK_ALWAYS_INLINE float own(uint32_t id, float of0, float of1, float of2, float of3)
{
    const uint32_t b0 = vxk_bits_of(of0), b1 = vxk_bits_of(of1), b2 = vxk_bits_of(of2), b3 = vxk_bits_of(of3);
    const uint32_t from1 = 0u - (uint32_t)(id >= 1), from2 = 0u - (uint32_t)(id >= 2), from3 = 0u - (uint32_t)(id >= 3);
    return vxk_float_of(b0 ^ ((b0 ^ b1) & from1) ^ ((b1 ^ b2) & from2) ^ ((b2 ^ b3) & from3));
}

static VXK_ALWAYS_INLINE void place_row(struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                                        const struct vxk_species *restrict species,
                                        const struct vxk_cell *restrict cell, uint32_t slot_x, uint32_t slot_z,
                                        uint32_t count, int many)
{
    const uint32_t seed = cell->seed, first = slot_z * f->side + slot_x;
    const uint32_t b1 = f->bounds[0], b2 = f->bounds[1], b3 = f->bounds[2];
    const float step = f->step, limit = f->cell_limit, quad = f->quad, width = f->width, depth = f->depth;
    const float base_x = cell->base_x, base_z = cell->base_z;
    const int32_t last_x = f->last_x, last_z = f->last_z;
    const uint32_t begin = b->count, end = begin + whole_groups(count);
    SPECIES_PARAMETER(reach);
    b->count = begin + count;
    for (uint32_t j = begin; j < end; j++) {
        const uint32_t i = j - begin;
        uint32_t hash = vxk_mix(seed, first + i);
        uint32_t id = many ? vxk_species_of(hash, b1, b2, b3) : 0;
        float own_reach = OWN(id, reach);
        float x = vxk_jittered(slot_x + i, vxk_draw(hash, VXK_STREAM_X), step, own_reach, limit);
        float z = vxk_jittered(slot_z, vxk_draw(hash, VXK_STREAM_Z), step, own_reach, limit);
        float u = base_x + x, v = base_z + z;
        float qu = u / quad, qv = v / quad;
        /* Only a candidate outside the terrain, whose surface nobody looks at, is ever clamped here. */
        int32_t ix = vxk_clamp_index(vxk_floor(qu), last_x), iz = vxk_clamp_index(vxk_floor(qv), last_z);
        b->hash[j] = hash;
        b->species[j] = id;
        b->x[j] = x;
        b->z[j] = z;
        b->u[j] = u;
        b->v[j] = v;
        b->quad_x[j] = ix;
        b->quad_z[j] = iz;
        b->fx[j] = qu - (float)ix;
        b->fz[j] = qv - (float)iz;
        b->gone[j] = vxk_outside(u, v, width, depth);
        b->excluded[j] = 0;
        b->k[j] = 1.0f;
    }
}

static void place(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                  const struct vxk_cell *cell, uint32_t slot_x, uint32_t slot_z, uint32_t count)
{
    if (field->species_count == 1)
        place_row(b, field, species, cell, slot_x, slot_z, count, 0);
    else
        place_row(b, field, species, cell, slot_x, slot_z, count, 1);
}

static void low_draws(struct vxbi_block *restrict b, uint32_t begin, const float *restrict ends)
{
    const float end[4] = {ends[0], ends[1], ends[2], ends[3]};
    const uint32_t lanes = begin + whole_groups(b->count - begin);
    for (uint32_t j = begin; j < lanes; j++)
        b->rank[j] = (uint32_t)(vxk_draw(b->hash[j], VXK_STREAM_DENSITY) < OWN(b->species[j], end));
}

static VXK_ALWAYS_INLINE float low_half(uint32_t word)
{
    return (float)(int32_t)(word & 0xFFFFu);
}

static VXK_ALWAYS_INLINE float high_half(uint32_t word)
{
    return (float)(int32_t)(word >> 16);
}

static void surface(struct vxbi_block *restrict b, const struct vxk_field *restrict field,
                    const struct vxbi_window *restrict window)
{
    const float min_height = field->min_height, height_range = field->height_range, origin_y = field->origin_y,
                two_quads = field->two_quads;
    const uint32_t *restrict s = window->words;
    const int32_t stride = window->stride, x0 = window->x0, z0 = window->z0;
    const uint32_t lanes = whole_groups(b->count);
    for (uint32_t j = 0; j < lanes; j++) {
        int32_t at = (b->quad_z[j] - z0) * stride + (b->quad_x[j] - x0);
        uint32_t a01 = s[at - stride], bl0 = s[at - 1], b1r = s[at + 1], cl0 = s[at + stride - 1],
                 c1r = s[at + stride + 1], d01 = s[at + 2 * stride];
        struct vxk_taps t = {low_half(a01), high_half(a01), low_half(bl0), high_half(bl0),
                             low_half(b1r), high_half(b1r), low_half(cl0), high_half(cl0),
                             low_half(c1r), high_half(c1r), low_half(d01), high_half(d01)};
        struct vxk_surface ground =
            vxk_surface_at(t, b->fx[j], b->fz[j], min_height, height_range, origin_y, two_quads);
        b->y[j] = ground.y;
        b->nx[j] = ground.nx;
        b->ny[j] = ground.ny;
        b->nz[j] = ground.nz;
    }
}

static void holes(struct vxbi_block *restrict b, const struct vxbi_window *restrict window)
{
    const uint32_t *restrict s = window->words;
    const int32_t stride = window->stride, x0 = window->x0, z0 = window->z0;
    const uint32_t lanes = whole_groups(b->count);
    for (uint32_t j = 0; j < lanes; j++)
        b->gone[j] |= s[(b->quad_z[j] - z0) * stride + (b->quad_x[j] - x0)];
}

/* same: a map's axis has as many samples as the heights'. Both are constants where this is inlined. */
static VXK_ALWAYS_INLINE void map_block(const struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                                        const struct vxbi_window *restrict window, uint32_t width, uint32_t height,
                                        float *restrict out, int same_x, int same_z)
{
    const uint32_t *restrict s = window->words;
    const int32_t stride = window->stride, x0 = window->x0, z0 = window->z0;
    const int32_t last_x = (int32_t)width - 1, last_z = (int32_t)height - 1;
    const uint32_t lanes = whole_groups(b->count);
    const float quad = f->quad, extent_x = f->width, extent_z = f->depth;
    for (uint32_t j = 0; j < lanes; j++) {
        /* On the heights' own grid this is what place() computed. */
        int32_t ix = b->quad_x[j], iz = b->quad_z[j];
        float fx = b->fx[j], fz = b->fz[j];
        if (!same_x) {
            float u = vxk_map_axis(b->u[j], width, 0, quad, extent_x);
            ix = vxk_clamp_index(vxk_floor(u), last_x);
            fx = u - (float)ix;
        }
        if (!same_z) {
            float v = vxk_map_axis(b->v[j], height, 0, quad, extent_z);
            iz = vxk_clamp_index(vxk_floor(v), last_z);
            fz = v - (float)iz;
        }
        uint32_t word = s[(iz - z0) * stride + (ix - x0)];
        out[j] = vxk_bilinear((float)(int32_t)(word & 0xFFu), (float)(int32_t)(word >> 8 & 0xFFu),
                              (float)(int32_t)(word >> 16 & 0xFFu), (float)(int32_t)(word >> 24), fx, fz) / 255.0f;
    }
}

static void map(const struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window,
                uint32_t width, uint32_t height, float *out)
{
    const int same_x = width == (uint32_t)field->last_x + 1, same_z = height == (uint32_t)field->last_z + 1;
    if (same_x && same_z)
        map_block(b, field, window, width, height, out, 1, 1);
    else if (same_x)
        map_block(b, field, window, width, height, out, 1, 0);
    else if (same_z)
        map_block(b, field, window, width, height, out, 0, 1);
    else
        map_block(b, field, window, width, height, out, 0, 0);
}

static void exclude(struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                    const struct vxbi_window *restrict window, uint32_t width, uint32_t height)
{
    const uint32_t *restrict s = window->words;
    const int32_t stride = window->stride, x0 = window->x0, z0 = window->z0;
    const int32_t last_x = (int32_t)width - 1, last_z = (int32_t)height - 1;
    const uint32_t samples_x = (uint32_t)f->last_x + 1, samples_z = (uint32_t)f->last_z + 1;
    const uint32_t lanes = whole_groups(b->count);
    const float quad = f->quad, extent_x = f->width, extent_z = f->depth;
    for (uint32_t j = 0; j < lanes; j++) {
        float u = vxk_map_axis(b->u[j], width, samples_x, quad, extent_x);
        float v = vxk_map_axis(b->v[j], height, samples_z, quad, extent_z);
        int32_t ix = vxk_clamp_index(vxk_floor(u + 0.5f), last_x), iz = vxk_clamp_index(vxk_floor(v + 0.5f), last_z);
        b->excluded[j] = s[(iz - z0) * stride + (ix - x0)] >> 7 & 1u;
    }
}

static void weigh(struct vxbi_block *restrict b, const struct vxk_field *restrict field,
                  const struct vxk_species *restrict species, const float *restrict weight, uint32_t which)
{
    const uint32_t lanes = whole_groups(b->count);
    SPECIES_PARAMETER(min_weight);
    SPECIES_PARAMETER(weight_span);
    if (field->species_count == 1) {
        for (uint32_t j = 0; j < lanes; j++)
            b->k[j] = vxk_smooth(weight[j], min_weight[0], weight_span[0]);
        return;
    }
    const float on[4] = {(float)(which & 1u), (float)(which >> 1 & 1u), (float)(which >> 2 & 1u),
                         (float)(which >> 3 & 1u)};
    for (uint32_t j = 0; j < lanes; j++) {
        uint32_t id = b->species[j];
        float k = vxk_smooth(weight[j], OWN(id, min_weight), OWN(id, weight_span));
        b->k[j] = OWN(id, on) > 0.0f ? k : b->k[j];
    }
}

static VXK_ALWAYS_INLINE void judge_block(struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                                          const struct vxk_species *restrict species, const float *restrict factor,
                                          int many, int scaled)
{
    const uint32_t rank_cut = f->rank_cut, lanes = whole_groups(b->count);
    SPECIES_PARAMETER(min_scale);
    SPECIES_PARAMETER(scale_span);
    SPECIES_PARAMETER(cos_slope);
    SPECIES_PARAMETER(low);
    SPECIES_PARAMETER(high);
    for (uint32_t j = 0; j < lanes; j++) {
        uint32_t id = many ? b->species[j] : 0, hash = b->hash[j], rank;
        float scale = vxk_scale(hash, OWN(id, min_scale), OWN(id, scale_span));
        if (scaled)
            scale = scale * factor[j];
        b->scale[j] = scale;
        b->reason[j] = vxk_verdict(b->gone[j], b->excluded[j], scale, b->ny[j], OWN(id, cos_slope), b->y[j],
                                   OWN(id, low), OWN(id, high), vxk_draw(hash, VXK_STREAM_DENSITY), b->k[j],
                                   rank_cut, &rank);
        b->rank[j] = rank;
    }
}

static void judge(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                  const float *factor)
{
    if (field->species_count == 1 && !factor)
        judge_block(b, field, species, NULL, 0, 0);
    else if (field->species_count == 1)
        judge_block(b, field, species, factor, 0, 1);
    else if (!factor)
        judge_block(b, field, species, NULL, 1, 0);
    else
        judge_block(b, field, species, factor, 1, 1);
}

static void cap(struct vxbi_block *restrict b, const uint32_t *restrict rank_most)
{
    const float most[4] = {(float)rank_most[0], (float)rank_most[1], (float)rank_most[2], (float)rank_most[3]};
    const uint32_t lanes = whole_groups(b->count);
    for (uint32_t j = 0; j < lanes; j++) {
        uint32_t over = (uint32_t)((float)(int32_t)b->rank[j] > OWN(b->species[j], most));
        b->reason[j] = (over & (uint32_t)(b->reason[j] == VXK_PLACED)) ? VXK_BUDGET : b->reason[j];
    }
}

/* Eight counters in one word, each of 8 bits, so that one addition counts whatever the reason is: good for 128
 * candidates, however they are divided among lanes. */
static uint64_t tally_run(const struct vxbi_block *b, uint32_t begin, uint32_t end, uint32_t species)
{
    uint64_t sum = 0;
    for (uint32_t j = begin; j < end; j++)
        sum += (uint64_t)(b->species[j] == species) << 8 * b->reason[j];
    return sum;
}

static void tally(const struct vxbi_block *b, const struct vxk_field *field, uint64_t (*tallies)[VXK_REASONS])
{
    const uint32_t lanes = whole_groups(b->count);
    for (uint32_t k = 0; k < field->species_count; k++)
        for (uint32_t begin = 0; begin < lanes; begin += 128) {
            const uint64_t sum = tally_run(b, begin, lanes - begin < 128 ? lanes : begin + 128, k);
            for (uint32_t reason = 0; reason < VXK_REASONS; reason++)
                tallies[k][reason] += sum >> 8 * reason & 0xFFu;
        }
}

static VXK_ALWAYS_INLINE void pack_blades(const struct vxbi_blades *restrict b, const struct vxk_field *restrict f,
                                          const struct vxk_species *restrict species,
                                          const struct vxk_cell *restrict cell, uint32_t (*restrict words)[4], int many)
{
    const float size = f->cell_size, min_y = cell->min_y, max_y = cell->max_y;
    const uint32_t lanes = whole_groups(b->count);
    SPECIES_PARAMETER(align_to_normal);
    const float yaw[4] = {(float)species[0].random_yaw, (float)species[1].random_yaw, (float)species[2].random_yaw,
                          (float)species[3].random_yaw};
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t id = many ? b->species[i] : 0;
        struct vxk_up up = vxk_up_of(b->nx[i], b->ny[i], b->nz[i], OWN(id, align_to_normal));
        struct vxk_record r = vxk_pack(b->hash[i], b->rank[i], b->x[i], b->z[i], b->y[i], b->scale[i], up,
                                       OWN(id, yaw) > 0.0f, size, min_y, max_y);
        words[i][0] = r.word[0];
        words[i][1] = r.word[1];
        words[i][2] = r.word[2];
        words[i][3] = r.word[3];
    }
}

static void pack(const struct vxbi_blades *blades, const struct vxk_field *field, const struct vxk_species *species,
                 const struct vxk_cell *cell, uint32_t (*words)[4])
{
    if (field->species_count == 1)
        pack_blades(blades, field, species, cell, words, 0);
    else
        pack_blades(blades, field, species, cell, words, 1);
}

const struct vxbi_block_loops VXBI_LOOPS = {
    .name = VXBI_LOOPS_NAME,
    .place = place,
    .low_draws = low_draws,
    .surface = surface,
    .holes = holes,
    .map = map,
    .exclude = exclude,
    .weigh = weigh,
    .judge = judge,
    .cap = cap,
    .tally = tally,
    .pack = pack,
};
