/* The loops that read samples where they are, for a grid so much finer than the candidates that a window would cost
 * more than it saves: as a device does, by the same functions. The same results as those over windows. */
#include "scatter_block.h"

#include "vxk_scatter.h"

void vxbi_direct_surface(struct vxbi_block *b, const struct vxk_field *field, const uint16_t *heights)
{
    for (uint32_t j = 0; j < b->count; j++) {
        const struct vxk_surface ground =
            vxk_surface_of(field, heights, b->quad_x[j], b->quad_z[j], b->fx[j], b->fz[j]);
        b->y[j] = ground.y;
        b->nx[j] = ground.nx;
        b->ny[j] = ground.ny;
        b->nz[j] = ground.nz;
    }
}

void vxbi_direct_holes(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *holes)
{
    for (uint32_t j = 0; j < b->count; j++)
        b->gone[j] |= vxk_hole_quad(holes, b->quad_x[j], b->quad_z[j], field->last_x, field->last_z);
}

void vxbi_direct_map(const struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                     uint32_t height, float *out)
{
    const struct vxk_map_size size = {width, height};
    for (uint32_t j = 0; j < b->count; j++)
        out[j] = vxk_map_at(field, samples, size, b->u[j], b->v[j]);
}

void vxbi_direct_exclude(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                         uint32_t height)
{
    const struct vxk_map_size size = {width, height};
    for (uint32_t j = 0; j < b->count; j++)
        b->excluded[j] = vxk_excluded_at(field, samples, size, b->u[j], b->v[j]);
}
