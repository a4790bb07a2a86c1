/* The plain loop. */
#include "plain_scatter.h"

#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"

static vxk_f32 height_at(const struct vxb_terrain *t, int32_t x, int32_t z)
{
    x = vxk_clamp_index(x, (int32_t)t->samples_x - 1);
    z = vxk_clamp_index(z, (int32_t)t->samples_z - 1);
    return (vxk_f32)t->heights[(size_t)z * t->samples_x + (size_t)x];
}

static vxk_f32 byte_at(const struct vxb_map *m, int32_t x, int32_t z)
{
    x = vxk_clamp_index(x, (int32_t)m->width - 1);
    z = vxk_clamp_index(z, (int32_t)m->height - 1);
    return (vxk_f32)m->samples[(size_t)z * m->width + (size_t)x];
}

static bool hole_at(const struct vxb_terrain *t, int32_t x, int32_t z)
{
    x = vxk_clamp_index(x, (int32_t)t->samples_x - 1);
    z = vxk_clamp_index(z, (int32_t)t->samples_z - 1);
    size_t i = (size_t)z * t->samples_x + (size_t)x;
    return t->holes && (t->holes[i >> 3] >> (i & 7) & 1);
}

static vxk_f32 map_at(const struct vxb_terrain *t, const struct vxk_field *f, const struct vxb_map *m, float x, float z)
{
    float u = vxk_map_axis(x, m->width, t->samples_x, f->quad, f->width);
    float v = vxk_map_axis(z, m->height, t->samples_z, f->quad, f->depth);
    int32_t i = vxk_floor(u), j = vxk_floor(v);
    return vxk_bilinear(byte_at(m, i, j), byte_at(m, i + 1, j), byte_at(m, i, j + 1), byte_at(m, i + 1, j + 1),
                        u - (float)i, v - (float)j) / 255.0f;
}

static bool excluded_at(const struct vxb_terrain *t, const struct vxk_field *f, float x, float z)
{
    const struct vxb_map *m = &t->exclude;
    if (!m->samples)
        return false;
    float u = vxk_map_axis(x, m->width, t->samples_x, f->quad, f->width);
    float v = vxk_map_axis(z, m->height, t->samples_z, f->quad, f->depth);
    return byte_at(m, vxk_floor(u + 0.5f), vxk_floor(v + 0.5f)) >= 128.0f;
}

uint32_t plain_scatter(const struct vxbi_scatter *scatter, int32_t cell_x, int32_t cell_z, float min_y, float max_y,
                       uint8_t *reasons, struct plain_blade *blades)
{
    const struct vxk_field *f = &scatter->field;
    const struct vxb_plan *plan = scatter->plan;
    const struct vxb_terrain *t = plan->terrain;
    const uint32_t seed = vxk_cell_seed(cell_x, cell_z, scatter->recipe_mix);
    const float base_x = (float)((double)cell_x * (double)f->cell_size - (double)t->origin[0]);
    const float base_z = (float)((double)cell_z * (double)f->cell_size - (double)t->origin[2]);
    uint32_t placed = 0;
    for (uint32_t i = 0; i < f->side * f->side; i++) {
        uint32_t hash = vxk_mix(seed, i), rank = 0, reason = VXK_NO_SURFACE;
        uint32_t id = vxk_species_of(hash, f->bounds[0], f->bounds[1], f->bounds[2]);
        const struct vxk_species *s = &scatter->species[id];
        float x = vxk_jittered(i % f->side, vxk_draw(hash, VXK_STREAM_X), f->step, s->reach, f->cell_limit);
        float z = vxk_jittered(i / f->side, vxk_draw(hash, VXK_STREAM_Z), f->step, s->reach, f->cell_limit);
        float u = base_x + x, v = base_z + z;
        if (!vxk_outside(u, v, f->width, f->depth)) {
            float qu = u / f->quad, qv = v / f->quad;
            int32_t a = vxk_floor(qu), b = vxk_floor(qv);
            struct vxk_taps taps = {height_at(t, a, b - 1),     height_at(t, a + 1, b - 1), height_at(t, a - 1, b),
                                    height_at(t, a, b),         height_at(t, a + 1, b),     height_at(t, a + 2, b),
                                    height_at(t, a - 1, b + 1), height_at(t, a, b + 1),     height_at(t, a + 1, b + 1),
                                    height_at(t, a + 2, b + 1), height_at(t, a, b + 2),     height_at(t, a + 1, b + 2)};
            struct vxk_surface ground = vxk_surface_at(taps, qu - (float)a, qv - (float)b, f->min_height,
                                                       f->height_range, f->origin_y, f->two_quads);
            bool hole = t->holes && (hole_at(t, a, b) || hole_at(t, a + 1, b) || hole_at(t, a, b + 1) ||
                                     hole_at(t, a + 1, b + 1));
            const struct vxb_layer *layer = plan->species[id].layer;
            float k = layer ? vxk_smooth(map_at(t, f, &layer->map, u, v), s->min_weight, s->weight_span) : 1.0f;
            float scale = s->min_scale + s->scale_span * vxk_draw(hash, VXK_STREAM_SCALE);
            if (t->scale.samples)
                scale = scale * map_at(t, f, &t->scale, u, v);
            reason = vxk_verdict(hole, excluded_at(t, f, u, v), scale, ground.ny, s->cos_slope, ground.y, s->low,
                                 s->high, vxk_draw(hash, VXK_STREAM_DENSITY), k, f->rank_cut, &rank);
            if (reason == VXK_PLACED) {
                struct vxk_up up = vxk_up_of(ground.nx, ground.ny, ground.nz, s->align_to_normal);
                struct vxk_record r =
                    vxk_pack(hash, rank, x, z, ground.y, scale, up, s->random_yaw, f->cell_size, min_y, max_y);
                blades[placed++] = (struct plain_blade){
                    i, hash, rank, id, {r.word[0], r.word[1], r.word[2], r.word[3]}, x, z, ground.y, ground.nx,
                    ground.ny, ground.nz, up.x, up.y, up.z, scale};
            }
        }
        if (reasons)
            reasons[i] = (uint8_t)reason;
    }
    return placed;
}
