/* What all candidates of a bake share, and what all of one species do: plain numbers, made once on the host. */
#ifndef VXK_FIELD_H
#define VXK_FIELD_H

#include "vxk_portable.h"

struct vxk_field {
    vxk_u32 side;          /* candidates along a cell's side */
    vxk_u32 species_count;
    vxk_u32 bounds[3];     /* first part of species 1, 2, 3 in a million; 0xFFFFFFFF where there is none */
    vxk_u32 rank_cut;      /* ranks from here on fall to density */
    vxk_f32 cell_size;
    vxk_f32 cell_limit;    /* largest f32 below cell_size */
    vxk_f32 step;          /* metres between candidates */
    vxk_f32 quad;          /* metres per quad */
    vxk_f32 two_quads;
    vxk_f32 width, depth;  /* of the terrain, metres */
    vxk_i32 last_x, last_z; /* index of the terrain's last sample */
    vxk_f32 min_height, height_range; /* metres of raw 0; of raw 65535 less that */
    vxk_f32 origin_y;
};

struct vxk_species {
    vxk_f32 reach;         /* jitter * step / 2 */
    vxk_f32 cos_slope;     /* vxk_cos(max_slope) */
    vxk_f32 low, high;     /* altitude, world metres; infinite where not limited */
    vxk_f32 min_weight, weight_span;
    vxk_f32 min_scale, scale_span;
    vxk_f32 align_to_normal;
    vxk_u32 random_yaw;    /* 0 or 1 */
};

/* A cell: its first corner in terrain-local metres, its hash seed, and the ground's heights for packing. */
struct vxk_cell {
    vxk_f32 base_x, base_z;
    vxk_u32 seed;
    vxk_f32 min_y, max_y;  /* world metres */
};

#endif
