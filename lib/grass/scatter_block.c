/* The block loops. Each is written so that gcc and clang vectorise it: no branch but selects, arrays that do not overlap,
 * parameters of the one species of a simple field held in registers.
 *
 * Built once for each vector width and picked by the loader where the compiler can (VXBI_CLONES): the same expressions,
 * uncontracted, give the same bits at every width. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "scatter_block.h"

#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"

#if defined(HAVE_TARGET_CLONES)
#define VXBI_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VXBI_CLONES
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

static ALWAYS_INLINE void place(struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                                const struct vxk_species *restrict species, const struct vxk_cell *restrict cell,
                                uint32_t slot_x, uint32_t slot_z, uint32_t count, int many)
{
    const uint32_t seed = cell->seed, first = slot_z * f->side + slot_x;
    const uint32_t b1 = f->bounds[0], b2 = f->bounds[1], b3 = f->bounds[2];
    const float step = f->step, limit = f->cell_limit, quad = f->quad, width = f->width, depth = f->depth;
    const float base_x = cell->base_x, base_z = cell->base_z, reach0 = species[0].reach;
    const float reach1 = species[1].reach, reach2 = species[2].reach, reach3 = species[3].reach;
    const int32_t last_x = f->last_x, last_z = f->last_z;
    const uint32_t begin = b->count, end = b->count + count;
    b->count = end;
    for (uint32_t j = begin; j < end; j++) {
        const uint32_t slot = slot_x + (j - begin);
        uint32_t hash = vxk_mix(seed, first + (j - begin));
        uint32_t id = many ? vxk_species_of(hash, b1, b2, b3) : 0;
        float reach = !many ? reach0 : id == 0 ? reach0 : id == 1 ? reach1 : id == 2 ? reach2 : reach3;
        float x = vxk_jittered(slot, vxk_draw(hash, VXK_STREAM_X), step, reach, limit);
        float z = vxk_jittered(slot_z, vxk_draw(hash, VXK_STREAM_Z), step, reach, limit);
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

VXBI_CLONES
void vxbi_block_place(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                      const struct vxk_cell *cell, uint32_t slot_x, uint32_t slot_z, uint32_t count)
{
    if (field->species_count == 1)
        place(b, field, species, cell, slot_x, slot_z, count, 0);
    else
        place(b, field, species, cell, slot_x, slot_z, count, 1);
}

VXBI_CLONES
void vxbi_block_taps(struct vxbi_block *restrict b, const struct vxbi_window *restrict window)
{
    const float *restrict s = window->samples;
    const int32_t stride = (int32_t)window->stride, x0 = window->x0, z0 = window->z0;
    for (uint32_t j = 0; j < b->count; j++) {
        int32_t at = (b->quad_z[j] - z0) * stride + (b->quad_x[j] - x0);
        b->tap[0][j] = s[at - stride];
        b->tap[1][j] = s[at - stride + 1];
        b->tap[2][j] = s[at - 1];
        b->tap[3][j] = s[at];
        b->tap[4][j] = s[at + 1];
        b->tap[5][j] = s[at + 2];
        b->tap[6][j] = s[at + stride - 1];
        b->tap[7][j] = s[at + stride];
        b->tap[8][j] = s[at + stride + 1];
        b->tap[9][j] = s[at + stride + 2];
        b->tap[10][j] = s[at + 2 * stride];
        b->tap[11][j] = s[at + 2 * stride + 1];
    }
}

void vxbi_block_taps_direct(struct vxbi_block *b, const uint16_t *heights, int32_t last_x, int32_t last_z)
{
    /* Which column and row, from the quad's own on, each tap is: the order of struct vxk_taps. */
    static const int8_t columns[12] = {0, 1, -1, 0, 1, 2, -1, 0, 1, 2, 0, 1};
    static const int8_t rows[12] = {-1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
    const size_t width = (size_t)last_x + 1;
    for (uint32_t j = 0; j < b->count; j++)
        for (int t = 0; t < 12; t++)
            b->tap[t][j] = (float)heights[(size_t)vxk_clamp_index(b->quad_z[j] + rows[t], last_z) * width +
                                          (size_t)vxk_clamp_index(b->quad_x[j] + columns[t], last_x)];
}

VXBI_CLONES
void vxbi_block_surface(struct vxbi_block *restrict b, const struct vxk_field *restrict field)
{
    const float height_min = field->height_min, height_range = field->height_range, origin_y = field->origin_y,
                two_quads = field->two_quads;
    for (uint32_t j = 0; j < b->count; j++) {
        struct vxk_taps t = {b->tap[0][j], b->tap[1][j], b->tap[2][j], b->tap[3][j],  b->tap[4][j],  b->tap[5][j],
                             b->tap[6][j], b->tap[7][j], b->tap[8][j], b->tap[9][j], b->tap[10][j], b->tap[11][j]};
        struct vxk_surface s =
            vxk_surface_at(t, b->fx[j], b->fz[j], height_min, height_range, origin_y, two_quads);
        b->y[j] = s.y;
        b->nx[j] = s.nx;
        b->ny[j] = s.ny;
        b->nz[j] = s.nz;
    }
}

VXBI_CLONES
static void map_window(const struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                       const struct vxbi_window *restrict window, float *restrict out)
{
    const float *restrict s = window->samples;
    const int32_t stride = (int32_t)window->stride, x0 = window->x0, z0 = window->z0, last_x = window->last_x,
                  last_z = window->last_z;
    const uint32_t width = (uint32_t)last_x + 1, height = (uint32_t)last_z + 1, samples_x = (uint32_t)f->last_x + 1,
                   samples_z = (uint32_t)f->last_z + 1;
    const float quad = f->quad, extent_x = f->width, extent_z = f->depth;
    for (uint32_t j = 0; j < b->count; j++) {
        float u = vxk_map_axis(b->u[j], width, samples_x, quad, extent_x);
        float v = vxk_map_axis(b->v[j], height, samples_z, quad, extent_z);
        int32_t ix = vxk_clamp_index(vxk_floor(u), last_x), iz = vxk_clamp_index(vxk_floor(v), last_z);
        int32_t at = (iz - z0) * stride + (ix - x0);
        out[j] = vxk_bilinear(s[at], s[at + 1], s[at + stride], s[at + stride + 1], u - (float)ix, v - (float)iz) /
                 255.0f;
    }
}

static void map_direct(const struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                       const uint8_t *restrict samples, uint32_t width, uint32_t height, float *restrict out)
{
    const int32_t last_x = (int32_t)width - 1, last_z = (int32_t)height - 1;
    for (uint32_t j = 0; j < b->count; j++) {
        float u = vxk_map_axis(b->u[j], width, (uint32_t)f->last_x + 1, f->quad, f->width);
        float v = vxk_map_axis(b->v[j], height, (uint32_t)f->last_z + 1, f->quad, f->depth);
        int32_t ix = vxk_clamp_index(vxk_floor(u), last_x), iz = vxk_clamp_index(vxk_floor(v), last_z);
        size_t x0 = (size_t)ix, x1 = (size_t)vxk_clamp_index(ix + 1, last_x);
        const uint8_t *low = samples + (size_t)iz * width;
        const uint8_t *high = samples + (size_t)vxk_clamp_index(iz + 1, last_z) * width;
        out[j] = vxk_bilinear((float)low[x0], (float)low[x1], (float)high[x0], (float)high[x1], u - (float)ix,
                              v - (float)iz) / 255.0f;
    }
}

void vxbi_block_map(const struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window,
                    const uint8_t *samples, uint32_t width, uint32_t height, float *out)
{
    if (window)
        map_window(b, field, window, out);
    else
        map_direct(b, field, samples, width, height, out);
}

void vxbi_block_exclude(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                        uint32_t height)
{
    for (uint32_t j = 0; j < b->count; j++) {
        float u = vxk_map_axis(b->u[j], width, (uint32_t)field->last_x + 1, field->quad, field->width);
        float v = vxk_map_axis(b->v[j], height, (uint32_t)field->last_z + 1, field->quad, field->depth);
        int32_t ix = vxk_clamp_index(vxk_floor(u + 0.5f), (int32_t)width - 1);
        int32_t iz = vxk_clamp_index(vxk_floor(v + 0.5f), (int32_t)height - 1);
        b->excluded[j] = samples[(size_t)iz * width + (size_t)ix] >= 128;
    }
}

void vxbi_block_holes(struct vxbi_block *b, const uint8_t *holes, int32_t last_x, int32_t last_z)
{
    const size_t width = (size_t)last_x + 1;
    for (uint32_t j = 0; j < b->count; j++) {
        size_t x[2] = {(size_t)b->quad_x[j], (size_t)vxk_clamp_index(b->quad_x[j] + 1, last_x)};
        size_t z[2] = {(size_t)b->quad_z[j], (size_t)vxk_clamp_index(b->quad_z[j] + 1, last_z)};
        for (int corner = 0; corner < 4; corner++) {
            size_t i = z[corner >> 1] * width + x[corner & 1];
            b->gone[j] |= holes[i >> 3] >> (i & 7) & 1u;
        }
    }
}

VXBI_CLONES
void vxbi_block_weigh(struct vxbi_block *restrict b, const struct vxk_field *restrict field,
                      const struct vxk_species *restrict species, const float *restrict weight, uint32_t which)
{
    if (field->species_count == 1) {
        const float weight_min = species->weight_min, weight_span = species->weight_span;
        for (uint32_t j = 0; j < b->count; j++)
            b->k[j] = vxk_smooth(weight[j], weight_min, weight_span);
        return;
    }
    for (uint32_t j = 0; j < b->count; j++) {
        const struct vxk_species *s = &species[b->species[j]];
        float k = vxk_smooth(weight[j], s->weight_min, s->weight_span);
        b->k[j] = which >> b->species[j] & 1u ? k : b->k[j];
    }
}

static ALWAYS_INLINE void judge(struct vxbi_block *restrict b, const struct vxk_field *restrict f,
                                const struct vxk_species *restrict species, const float *restrict factor, int many,
                                int scaled)
{
    const uint32_t rank_cut = f->rank_cut;
    for (uint32_t j = 0; j < b->count; j++) {
        const struct vxk_species *s = &species[many ? b->species[j] : 0];
        uint32_t hash = b->hash[j], rank;
        float scale = s->scale_min + s->scale_span * vxk_draw(hash, VXK_STREAM_SCALE);
        if (scaled)
            scale = scale * factor[j];
        b->scale[j] = scale;
        b->reason[j] =
            vxk_verdict(b->gone[j], b->excluded[j], scale, b->ny[j], s->cos_slope, b->y[j], s->low, s->high,
                        vxk_draw(hash, VXK_STREAM_DENSITY), b->k[j], rank_cut, &rank);
        b->rank[j] = rank;
    }
}

VXBI_CLONES
void vxbi_block_judge(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                      const float *factor)
{
    if (field->species_count == 1 && !factor)
        judge(b, field, species, NULL, 0, 0);
    else if (field->species_count == 1)
        judge(b, field, species, factor, 0, 1);
    else if (!factor)
        judge(b, field, species, NULL, 1, 0);
    else
        judge(b, field, species, factor, 1, 1);
}

void vxbi_block_select(struct vxbi_block *restrict b, const uint32_t *restrict rank_most,
                       struct vxbi_blades *restrict out)
{
    uint32_t n = 0;
    uint32_t chosen[VXBI_BLOCK];
    for (uint32_t j = 0; j < b->count; j++) {
        uint32_t over = (uint32_t)(b->reason[j] == VXK_PLACED) & (uint32_t)(b->rank[j] > rank_most[b->species[j]]);
        b->reason[j] = over ? VXK_DENSITY + 1u : b->reason[j];
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

static ALWAYS_INLINE void pack(struct vxbi_blades *restrict b, const struct vxk_field *restrict f,
                               const struct vxk_species *restrict species, const struct vxk_cell *restrict cell,
                               int many)
{
    const float size = f->cell_size, min_y = cell->min_y, max_y = cell->max_y;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct vxk_species *s = &species[many ? b->species[i] : 0];
        struct vxk_up up = vxk_up_of(b->nx[i], b->ny[i], b->nz[i], s->align);
        struct vxk_record r = vxk_pack(b->hash[i], b->rank[i], b->x[i], b->z[i], b->y[i], b->scale[i], up,
                                       s->random_yaw, size, min_y, max_y);
        b->word[0][i] = r.word[0];
        b->word[1][i] = r.word[1];
        b->word[2][i] = r.word[2];
        b->word[3][i] = r.word[3];
    }
}

VXBI_CLONES
void vxbi_blades_pack(struct vxbi_blades *blades, const struct vxk_field *field, const struct vxk_species *species,
                      const struct vxk_cell *cell)
{
    if (field->species_count == 1)
        pack(blades, field, species, cell, 0);
    else
        pack(blades, field, species, cell, 1);
}
