/* The ground under a picture: heights per pixel, and the light on them. */
#ifndef VXBI_EXPORT_RELIEF_H
#define VXBI_EXPORT_RELIEF_H

#include "../core/alloc.h"
#include "../vxbake/terrain.h"

enum vxbi_ground { VXBI_GROUND_OUTSIDE, VXBI_GROUND_HOLE, VXBI_GROUND_FIELD };

struct vxbi_relief {
    struct vxb_allocator allocator;
    uint32_t width, height;
    double x0, z0, x1, z1; /* world rectangle; its last pixels may reach beyond it */
    double pitch;          /* metres a pixel */
    float *heights;       /* metres above an arbitrary level; NULL until filled in */
    uint8_t *ground;      /* enum vxbi_ground */
};

/* How the ground looks: its own colour, already lit, and the light alone (128: as on level ground), for what grows on
 * it. */
struct vxbi_relief_look {
    uint8_t *rgb;
    uint8_t *light;
};

/* relief starts with its grid set and the two pointers NULL. False where there is no memory. */
bool vxbi_relief_from_terrain(struct vxbi_relief *relief, const struct vxb_terrain *terrain);
/* From a height in some pixels, where weights is 1, elsewhere 0. smooth: radius in pixels that evens out where in its
 * pixel each sample stood. */
bool vxbi_relief_from_samples(struct vxbi_relief *relief, const float *samples, const float *weights, uint32_t smooth);
/* look's arrays hold 3 and 1 bytes a pixel. */
bool vxbi_relief_shade(const struct vxbi_relief *relief, const struct vxbi_relief_look *look);
void vxbi_relief_clear(struct vxbi_relief *relief);

#endif
