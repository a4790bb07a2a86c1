/* A scene as the kernels want it: numbers relative to the field's first corner, made in double, and arrays. */
#ifndef VXBI_PROBES_FILL_SCENE_H
#define VXBI_PROBES_FILL_SCENE_H

#include "../terrain/peaks.h"
#include "../vxbake/fill.h"
#include "field.h"
#include "vxk_fill.h"

/* Owns its arrays; heights, holes and the sky's texels are the caller's. */
struct vxbi_fill_scene {
    struct vxb_allocator allocator;
    struct vxk_fill numbers;
    struct vxk_shape *shapes;
    struct vxbi_peaks peaks;
    const uint16_t *heights;
    const uint8_t *holes; /* NULL: none */
    uint64_t samples;     /* of the terrain; 0: there is none */
    struct vxk_layer *layers;
    uint8_t *weights;
    uint64_t weight_bytes;
    const float *sky;     /* NULL: none */
    uint64_t sky_floats;
    float *directions;    /* three a ray */
};

/* Checks scene and options, and makes it. Returns VXB_ERR_USAGE, VXB_ERR_LIMIT, VXB_ERR_MEMORY; then it is empty. */
enum vxb_status vxbi_fill_scene_init(const struct vxb_allocator *allocator, const struct vxb_probe_field *field,
                                     const struct vxb_scene *scene, const struct vxb_fill_options *options,
                                     struct vxbi_fill_scene *out, struct vxb_error *err);
void vxbi_fill_scene_clear(struct vxbi_fill_scene *scene);

/* The arrays for the host; texels and indirection are of the field whose light comes back, and may be NULL before. */
struct vxk_scene vxbi_fill_scene_arrays(const struct vxbi_fill_scene *scene, const struct vxb_probe *texels,
                                        const struct vxb_probe_cell *indirection);

/* What vxbi_fill_scene_init() tests. */
enum vxb_status vxbi_fill_check(const struct vxb_scene *scene, const struct vxb_fill_options *options,
                                struct vxb_error *err);

/* The spherical Fibonacci set of count directions about z, three floats each. */
void vxbi_fill_directions(uint32_t count, float *out);

#endif
