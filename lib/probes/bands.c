/* Refinement bands: around the boxes of shapes, along planes, over the ground. A box is compared in f32 relative to the
 * bounds' minimum like any region; planes and ground in doubles, since they are given in the world. */
#include "plan.h"

#include <inttypes.h>
#include <math.h>

#include "../core/error.h"
#include "../core/text.h"

/* ---- arguments ---- */

static enum vxb_status check_plane(const struct vxb_probe_extent *extent, struct vxb_error *err)
{
    double length2 = 0.0;
    for (int a = 0; a < 3; a++)
        length2 += (double)extent->normal[a] * extent->normal[a];
    if (!(fabs(length2 - 1.0) < 1e-3) || !isfinite(extent->offset))
        return vxbi_fail(err, VXB_ERR_USAGE, "a plane needs a normal of length 1 and a finite offset");
    return VXB_OK;
}

static enum vxb_status check_bands(const struct vxb_probe_band *bands, uint32_t band_count,
                                   const struct vxb_probe_extent *extents, uint32_t extent_count,
                                   struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status = VXB_OK;
    for (uint32_t i = 0; i < band_count && !status; i++) {
        if (!(bands[i].margin >= 0.0f) || !isfinite(bands[i].margin))
            return vxbi_fail(err, VXB_ERR_USAGE, "the margin of band %" PRIu32 " is %s; 0 or more is needed", i,
                             vxb_text_f32(bands[i].margin, text));
        status = vxbi_probe_check_size(bands[i].size, err);
    }
    for (uint32_t i = 0; i < extent_count && !status; i++) {
        if (extents[i].kind == VXB_PROBE_EXTENT_PLANE)
            status = check_plane(&extents[i], err);
        else if (extents[i].kind == VXB_PROBE_EXTENT_BOX)
            status = vxbi_probe_check_region(&extents[i].box, err);
        else
            return vxbi_fail(err, VXB_ERR_USAGE, "extent %" PRIu32 " is neither a box nor a plane", i);
    }
    return status;
}

/* ---- what a brick meets ---- */

static void brick_box(const struct vxb_probe_field *field, const struct vxbi_brick_record *brick, double low[3],
                      double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = (double)field->bounds.min[a] + brick->cell[a] * (double)field->cell_size[a];
        high[a] = (double)field->bounds.min[a] + (brick->cell[a] + brick->size) * (double)field->cell_size[a];
    }
}

static bool meets_plane(const struct vxbi_refinement *self, const struct vxb_probe_field *field,
                        const struct vxbi_brick_record *brick)
{
    double low[3], high[3], centre = -(double)self->extent->offset, reach = 0.0;
    brick_box(field, brick, low, high);
    for (int a = 0; a < 3; a++) {
        const double n = self->extent->normal[a];
        centre += n * (0.5 * (low[a] + high[a]));
        reach += fabs(n) * (0.5 * (high[a] - low[a]));
    }
    return fabs(centre) - reach <= (double)self->margin;
}

static bool meets_ground(const struct vxbi_refinement *self, const struct vxb_probe_field *field,
                         const struct vxbi_brick_record *brick)
{
    double low[3], high[3];
    float least, most;
    brick_box(field, brick, low, high);
    if (!self->ground->range(self->ground->user, low[0], low[2], high[0], high[2], &least, &most))
        return false;
    return low[1] <= (double)most + (double)self->margin && high[1] >= (double)least - (double)self->margin;
}

/* ---- steps ---- */

static uint32_t refine_extent(struct vxb_probe_field *field, const struct vxb_probe_band *band,
                              const struct vxb_probe_extent *extent)
{
    if (extent->kind == VXB_PROBE_EXTENT_PLANE) {
        const struct vxbi_refinement refinement = {
            .size = band->size, .meets = meets_plane, .extent = extent, .margin = band->margin};
        return vxbi_probe_refine(field, &refinement);
    }
    struct vxb_probe_region grown;
    for (int a = 0; a < 3; a++) {
        grown.min[a] = extent->box.min[a] - band->margin;
        grown.max[a] = extent->box.max[a] + band->margin;
    }
    return vxbi_probe_refine_region(field, &grown, band->size);
}

static uint32_t refine_band(struct vxb_probe_field *field, const struct vxb_probe_band *band,
                            const struct vxb_probe_extent *extents, uint32_t extent_count,
                            const struct vxb_probe_ground *ground)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < extent_count && !field->stopped; i++) {
        uint32_t made = refine_extent(field, band, &extents[i]);
        if (made)
            vxbi_probe_settle(field);
        all += made;
    }
    if (ground && !field->stopped) {
        const struct vxbi_refinement refinement = {
            .size = band->size, .meets = meets_ground, .ground = ground, .margin = band->margin};
        uint32_t made = vxbi_probe_refine(field, &refinement);
        if (made)
            vxbi_probe_settle(field);
        all += made;
    }
    return all;
}

enum vxb_status vxb_probe_field_refine_bands(struct vxb_probe_field *field, const struct vxb_probe_band *bands,
                                             uint32_t band_count, const struct vxb_probe_extent *extents,
                                             uint32_t extent_count, const struct vxb_probe_ground *ground,
                                             uint32_t *made, struct vxb_error *err)
{
    uint32_t all = 0;
    enum vxb_status status = check_bands(bands, band_count, extents, extent_count, err);
    if (status)
        return status;
    for (uint32_t size = VXB_BRICK_SIZE_MAX; size >= 1; size /= 2)
        for (uint32_t i = 0; i < band_count; i++)
            if (bands[i].size == size && !field->stopped)
                all += refine_band(field, &bands[i], extents, extent_count, ground);
    if (made)
        *made = all;
    return vxbi_probe_step_end(field, err);
}
