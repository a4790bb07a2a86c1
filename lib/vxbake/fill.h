/* Filling a field of probes in bulk: the light of a scene, traced on the CPU or a compute device, the same bytes on
 * each.
 *
 * Positions are world metres, light is linear and finite. Outdoor terrain and simple shapes is what a scene has;
 * triangle meshes and lamps it has not. Source: vxbake-recipe(5), "Irradiance fields". */
#ifndef VXBAKE_FILL_H
#define VXBAKE_FILL_H

#include "device.h"
#include "probes.h"
#include "terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_SHAPES_MAX 4096
#define VXB_FILL_RAYS_MAX 65536
#define VXB_FILL_DISTANCE_MAX 4194304 /* metres: over 2^21 each way */
#define VXB_FILL_BOUNCES_MAX 16
#define VXB_FILL_DILATION_MAX 1024

/* ---- the sky's map ---- */

/* Radiance from all directions: rows from the zenith down, width * height texels of r, g, b; the middle column is where
 * -z is, +x lies right of it. Read only; usable from any number of threads. */
struct vxb_sky_map {
    uint32_t width, height; /* at most 32768 */
    const float *texels;    /* finite, 0 or more */
    uint64_t file_hash;     /* XXH3-64 of the file as it stands */
};

/* Reads a Radiance picture (.hdr): "-Y height +X width", linear Rec. 709. Each texel is divided by the product of the
 * file's EXPOSUREs and multiplied by intensity.
 * env: may be NULL; max_memory_bytes bounds the file and the texels.
 * intensity: finite, 0 or more.
 * out: the caller frees it with vxb_sky_map_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (intensity), VXB_ERR_IO, VXB_ERR_FORMAT (no Radiance picture, an empty file), VXB_ERR_DATA
 * (damaged or cut; an EXPOSURE that is zero, negative or not finite; a texel that is not finite after all, which is
 * named), VXB_ERR_UNSUPPORTED (another orientation, XYZE, a COLORCORR), VXB_ERR_LIMIT, VXB_ERR_CANCELLED,
 * VXB_ERR_MEMORY. */
enum vxb_status vxb_sky_map_load(const struct vxb_env *env, const char *path, float intensity,
                                 struct vxb_sky_map **out, struct vxb_error *err);
void vxb_sky_map_free(struct vxb_sky_map *map); /* NULL is allowed */

/* ---- the scene ---- */

enum vxb_shape_kind { VXB_SHAPE_SPHERE, VXB_SHAPE_BOX, VXB_SHAPE_PLANE, VXB_SHAPE_CAPSULE };

/* A solid. Coordinates within 2^20 m. */
struct vxb_shape {
    enum vxb_shape_kind kind;
    float center[3];       /* sphere, box */
    float half_extents[3]; /* box: above 0 */
    float normal[3];       /* plane: of length 1; points n.p < offset are inside */
    float offset;
    float a[3], b[3];      /* capsule: the ends of its axis, which may be one point */
    float radius;          /* sphere, capsule: above 0 */
    float albedo[3];       /* 0..1 */
    float emission[3];     /* 0 or more */
};

/* A painted layer of the terrain and its colour. */
struct vxb_ground_layer {
    const struct vxb_layer *layer; /* of scene.terrain */
    float albedo[3];               /* 0..1 */
};

enum vxb_sky_kind { VXB_SKY_CONSTANT, VXB_SKY_GRADIENT, VXB_SKY_MAP };

/* Radiance where a ray meets nothing, 0 or more. */
struct vxb_sky {
    enum vxb_sky_kind kind;
    float ground[3], zenith[3]; /* gradient: straight down, straight up */
    float horizon[3];           /* gradient: in between, lerp by |y|; constant: everywhere */
    const struct vxb_sky_map *map;
    float rotation;             /* of the map, radians: it moves its middle from -z towards -x */
};

/* All zero is a black sky over nothing. Pointers are borrowed for the call. */
struct vxb_scene {
    size_t size;
    const struct vxb_shape *shapes;
    uint32_t shape_count;              /* at most VXB_SHAPES_MAX */
    const struct vxb_terrain *terrain; /* NULL: none */
    const struct vxb_ground_layer *layers; /* the ground's albedo is sum(w albedo) / sum(w) over these */
    uint32_t layer_count;
    float ground_albedo[3];            /* where there are no layers, or their weights sum to 0 */
    float ground_emission[3];
    struct vxb_sky sky;
    bool has_sun;
    float sun_direction[3];            /* towards it, of length 1 */
    float sun_irradiance[3];           /* on a surface that faces it, 0 or more */
};

/* ---- the fill ---- */

struct vxb_fill_options {
    size_t size;
    uint32_t rays;             /* a probe: 1..VXB_FILL_RAYS_MAX */
    float max_distance;        /* of a ray, metres; above 0 and at most VXB_FILL_DISTANCE_MAX */
    uint32_t bounces;          /* passes after the first, each lit by the one before: 0..VXB_FILL_BOUNCES_MAX */
    uint32_t dilation;         /* passes of it after each of those: 0..VXB_FILL_DILATION_MAX */
    struct vxb_device *device; /* NULL: the CPU */
    double cross_check;        /* with a device: percent of the bricks that the CPU fills too, and compares; 0..100 */
};

struct vxb_fill_stats {
    uint64_t probes;      /* of the field */
    uint64_t rays;        /* in all passes; those towards the sun are not counted */
    uint64_t invalid;     /* of validity 0 as the last pass filled them: inside of something */
    uint64_t repaired;    /* of them, by dilation */
    uint32_t passes;      /* 1 + bounces */
    double trace_seconds; /* wall clock of all tracing; the rest is getting ready, dilation and borders */
    double seconds;       /* wall clock of it all */
};

/* Fills every probe of a placed field: each pass traces, dilates and writes the borders.
 * env: may be NULL; cancelled() is polled between bricks and within those that take long, on a device whenever it is
 *   done with what was launched, a part of a second's work; progress is told of in bricks ("filling"). What a device's
 *   memory forces goes to diag, as notes.
 * field: placed. On failure what its probes hold is not defined.
 * scene, options: of the right size; checked in full.
 * stats: may be NULL.
 * The bytes depend on field, scene, rays, max_distance, bounces and dilation alone: on no number of threads, and on no
 * device unless it is one that is not exact (vxb_device_info()).
 * Returns VXB_ERR_USAGE (a field in planning, a value out of its range), VXB_ERR_LIMIT (too many shapes, painted layers
 * of 4 GiB or more), VXB_ERR_DATA (light so strong that a probe overflows, with the probe), VXB_ERR_DEVICE (the device
 * failed, or a cross-check differs), VXB_ERR_CANCELLED, VXB_ERR_MEMORY.
 * Memory: a second pool where there are bounces, a third of the terrain's heights, a copy of the layers. */
enum vxb_status vxb_probe_fill(const struct vxb_env *env, struct vxb_probe_field *field,
                               const struct vxb_scene *scene, const struct vxb_fill_options *options,
                               struct vxb_fill_stats *stats, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
