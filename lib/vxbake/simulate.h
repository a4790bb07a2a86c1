/* What an engine would do with a baked field along a camera path: ring and render loop, frame by frame, and what of it
 * was worst. Source: vxbake-simulate(1); the path and the report have schemas under schemas/. */
#ifndef VXBAKE_SIMULATE_H
#define VXBAKE_SIMULATE_H

#include "base.h"
#include "export.h"
#include "grass.h"
#include "output.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_PATH_FRAMES_MAX 1048576

/* A camera path: views in time, walked at a number of frames a second. Read only. */
struct vxb_path;

/* Reads a path.
 * env: may be NULL. All errors that can be found go to its diag callback in one run, the returned one first.
 * path: a JSON file, "-" for standard input.
 * Returns VXB_ERR_USAGE (what it says makes no path: no view, times that do not ascend, a target where the camera
 * stands, an angle outside 0..pi, an aspect or a rate not above 0, a zero normal, views of both kinds),
 * VXB_ERR_UNSUPPORTED (another version), VXB_ERR_LIMIT (more than VXB_PATH_FRAMES_MAX frames), VXB_ERR_IO,
 * VXB_ERR_MEMORY. Free with vxb_path_free(). */
enum vxb_status vxb_path_load(const struct vxb_env *env, const char *path, struct vxb_path **out,
                              struct vxb_error *err);
/* The same from size bytes of text; name is for messages, NULL: "the path". */
enum vxb_status vxb_path_parse(const struct vxb_env *env, const char *text, size_t size, const char *name,
                               struct vxb_path **out, struct vxb_error *err);
void vxb_path_free(struct vxb_path *path); /* NULL is allowed */

uint32_t vxb_path_view_count(const struct vxb_path *path);
double vxb_path_fps(const struct vxb_path *path);
/* Frames k at first + k / fps, while not past the last view: at least one. */
uint32_t vxb_path_frame_count(const struct vxb_path *path);
/* The time, position and planes of a frame below the count; range and density are left alone. Positions and targets
 * are linear between views; angle, aspect and planes are the latest view's. A camera that looks at something has
 * four side planes, up +y, or -z within 1e-4 of vertical. Returns VXB_ERR_USAGE where the target moves through the
 * camera. */
enum vxb_status vxb_path_frame(const struct vxb_path *path, uint32_t frame, double *time, struct vxb_view *view,
                               struct vxb_error *err);

struct vxb_simulate_options {
    size_t size;
    float range;         /* metres, 0..VXB_RING_RANGE_MAX: what the ring wants and the render loop draws */
    uint32_t capacity;   /* slots, 1..VXB_RING_CAPACITY_MAX */
    float hysteresis;    /* as for vxb_ring_set_hysteresis() */
    float density;       /* the slider, 0..1 */
};

/* The options with their size, the default hysteresis and the whole density; range and capacity have no default. */
struct vxb_simulate_options vxb_simulate_options_default(void);

struct vxb_simulation_frame {
    double time;
    float position[3];
    uint32_t created, evicted, refused, deferred, resident;
    uint64_t upload_bytes; /* of the records of the cells created */
    struct vxb_cull_counts total, sections[VXB_GRASS_SECTIONS_MAX];
};

/* The first frame in which something was highest. */
struct vxb_simulation_worst {
    uint64_t value;
    uint32_t frame;
};

struct vxb_simulation_cell {
    int32_t x, z;
    uint32_t blades;
};

/* Free with vxb_simulation_free(). The names belong to the grass file. */
struct vxb_simulation {
    struct vxb_simulate_options options;
    float cell_size;
    double fps;
    uint32_t max_commands, updates_per_frame; /* the file's; VXB_NO_LIMIT: none */
    uint32_t section_count, frame_count, cell_count;
    const char *names[VXB_GRASS_SECTIONS_MAX];
    struct vxb_simulation_frame *frames;
    struct vxb_simulation_cell *cells;        /* all that hold a chunk, by (z, x) */
    uint64_t created, evicted, refused, deferred, upload_bytes; /* summed over the frames */
    struct vxb_simulation_worst most_created, most_refused, most_deferred, most_resident, most_uploaded, most_visible,
        most_blades, most_commands, most_commands_refused;
    uint32_t most_in_range;                   /* cells, in any frame */
    /* With which the same walk, without updates_per_frame, refuses nothing, from most_in_range on; 0: none that is
     * allowed. */
    uint32_t smallest_capacity;
    uint64_t slot_bytes, ring_bytes;          /* 24 * the most blades in any cell; that times the capacity */
};

/* Walks the path. The file's max_commands and updates_per_frame apply.
 * env: may be NULL; max_memory_bytes bounds the frames and what is loaded; progress and cancelled() are called.
 * Returns VXB_ERR_USAGE, VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED, or what reading the file returned. */
enum vxb_status vxb_simulate(const struct vxb_env *env, const struct vxb_grass *grass, const struct vxb_path *path,
                             const struct vxb_simulate_options *options, struct vxb_simulation **out,
                             struct vxb_error *err);
void vxb_simulation_free(struct vxb_simulation *simulation); /* NULL is allowed */

/* All of it as JSON (schemas/report-simulate.schema.json), on one line where compact, and the frames as CSV, a row
 * each. Return VXB_ERR_IO. */
enum vxb_status vxb_simulation_json(const struct vxb_simulation *simulation, bool compact, const struct vxb_sink *sink,
                                    struct vxb_error *err);
enum vxb_status vxb_simulation_csv(const struct vxb_simulation *simulation, const struct vxb_sink *sink,
                                   struct vxb_error *err);

/* Pictures as PNG, appended to an output that the caller opened and commits: residency, refusals and uploads over time;
 * and the path from above over the field's cells.
 * env: may be NULL. Return VXB_ERR_IO, VXB_ERR_MEMORY. */
enum vxb_status vxb_simulation_plot(const struct vxb_env *env, const struct vxb_simulation *simulation,
                                    struct vxb_output *output, struct vxb_error *err);
enum vxb_status vxb_simulation_map(const struct vxb_env *env, const struct vxb_simulation *simulation,
                                   struct vxb_output *output, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
