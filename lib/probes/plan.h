/* The steps of a plan: what they check, and the one refinement that all of them are. */
#ifndef VXBI_PROBES_PLAN_H
#define VXBI_PROBES_PLAN_H

#include "field.h"

enum vxb_status vxbi_probe_check_size(uint32_t size, struct vxb_error *err);
/* What a step returns: VXB_ERR_CANCELLED where it was stopped; the next one begins anew. */
enum vxb_status vxbi_probe_step_end(struct vxb_probe_field *field, struct vxb_error *err);
enum vxb_status vxbi_probe_check_region(const struct vxb_probe_region *region, struct vxb_error *err);

/* Which bricks a refinement splits. */
struct vxbi_refinement {
    uint32_t size;      /* down to this one */
    bool (*meets)(const struct vxbi_refinement *self, const struct vxb_probe_field *field,
                  const struct vxbi_brick_record *brick);
    bool within;        /* only bricks that cover one of the cells first to last can meet it */
    uint32_t first[3], last[3];

    float low[3], high[3];                    /* a region relative to the bounds' minimum */
    const struct vxb_probe_extent *extent;    /* a plane */
    const struct vxb_probe_ground *ground;
    float margin;
};

/* One step, as far as it is not stopped; returns how many bricks came of it. */
uint32_t vxbi_probe_refine(struct vxb_probe_field *field, const struct vxbi_refinement *refinement);

/* The step around a region that was checked. */
uint32_t vxbi_probe_refine_region(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size);

#endif
