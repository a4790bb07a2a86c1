/* The loops that read samples where they are, for a grid so much finer than the candidates that a window would cost
 * more than it saves. The same results as those over windows. */
#include "scatter_block.h"

#include "vxk_ground.h"

void vxbi_direct_surface(struct vxbi_block *b, const struct vxk_field *field, const uint16_t *heights)
{
    /* Which column and row, from the quad's own on, each tap is: the order of struct vxk_taps. */
    static const int8_t columns[12] = {0, 1, -1, 0, 1, 2, -1, 0, 1, 2, 0, 1};
    static const int8_t rows[12] = {-1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
    const size_t width = (size_t)field->last_x + 1;
    for (uint32_t j = 0; j < b->count; j++) {
        float t[12];
        for (int i = 0; i < 12; i++)
            t[i] = (float)heights[(size_t)vxk_clamp_index(b->quad_z[j] + rows[i], field->last_z) * width +
                                  (size_t)vxk_clamp_index(b->quad_x[j] + columns[i], field->last_x)];
        struct vxk_taps taps = {t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11]};
        struct vxk_surface ground = vxk_surface_at(taps, b->fx[j], b->fz[j], field->height_min, field->height_range,
                                                   field->origin_y, field->two_quads);
        b->y[j] = ground.y;
        b->nx[j] = ground.nx;
        b->ny[j] = ground.ny;
        b->nz[j] = ground.nz;
    }
}

void vxbi_direct_holes(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *holes)
{
    const size_t width = (size_t)field->last_x + 1;
    for (uint32_t j = 0; j < b->count; j++) {
        size_t x[2] = {(size_t)b->quad_x[j], (size_t)vxk_clamp_index(b->quad_x[j] + 1, field->last_x)};
        size_t z[2] = {(size_t)b->quad_z[j], (size_t)vxk_clamp_index(b->quad_z[j] + 1, field->last_z)};
        for (int corner = 0; corner < 4; corner++) {
            size_t i = z[corner >> 1] * width + x[corner & 1];
            b->gone[j] |= (uint32_t)(holes[i >> 3] >> (i & 7)) & 1u;
        }
    }
}

void vxbi_direct_map(const struct vxbi_block *b, const struct vxk_field *f, const uint8_t *samples, uint32_t width,
                     uint32_t height, float *out)
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

void vxbi_direct_exclude(struct vxbi_block *b, const struct vxk_field *f, const uint8_t *samples, uint32_t width,
                         uint32_t height)
{
    for (uint32_t j = 0; j < b->count; j++) {
        float u = vxk_map_axis(b->u[j], width, (uint32_t)f->last_x + 1, f->quad, f->width);
        float v = vxk_map_axis(b->v[j], height, (uint32_t)f->last_z + 1, f->quad, f->depth);
        int32_t ix = vxk_clamp_index(vxk_floor(u + 0.5f), (int32_t)width - 1);
        int32_t iz = vxk_clamp_index(vxk_floor(v + 0.5f), (int32_t)height - 1);
        b->excluded[j] = samples[(size_t)iz * width + (size_t)ix] >= 128;
    }
}
