/* Terrain: heights, painted maps and holes, from the files a recipe names. Source: vxbake-recipe(5),
 * "terrain". */
#ifndef VXBAKE_TERRAIN_H
#define VXBAKE_TERRAIN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_sample { VXB_SAMPLE_AUTO, VXB_SAMPLE_U16, VXB_SAMPLE_F32 }; /* AUTO: f32 for .r32, else u16 */
enum vxb_flip { VXB_FLIP_NONE, VXB_FLIP_X, VXB_FLIP_Z, VXB_FLIP_XZ };
enum vxb_channel { VXB_CHANNEL_GREY, VXB_CHANNEL_R, VXB_CHANNEL_G, VXB_CHANNEL_B, VXB_CHANNEL_A };

/* What kind a terrain's file is; told by its name's ending, case apart (.png, .pfm, .vxterrain, .r16, .r32, .raw). A
 * content that is recognised as something else is an error. */
enum vxb_terrain_kind { VXB_TERRAIN_PNG, VXB_TERRAIN_RAW, VXB_TERRAIN_PFM, VXB_TERRAIN_VXTERRAIN };

/* A painted map of one channel: an 8-bit PNG of any size, whatever its name's ending. GREY asks for a grey file (its
 * alpha, if it has one, is left out with a warning); R, G and B for one in colour; A for one with alpha. A file that
 * several maps name is read once. */
struct vxb_map_desc {
    const char *path;
    enum vxb_channel channel;
};

struct vxb_layer_desc {
    const char *name; /* UTF-8, 1..255 bytes */
    struct vxb_map_desc map;
};

/* What to load. Pointers are borrowed for the call. Paths are bytes, as open(2) takes them. Errors found in a file are
 * reported with that file's path and the JSON pointer below /terrain that named it. */
struct vxb_terrain_desc {
    const char *path;
    uint32_t width, height;  /* raw only: samples a row and rows of the file, before flip and transpose; 0: not given */
    enum vxb_sample sample;  /* raw only */
    enum vxb_byte_order order; /* raw only */
    bool allow_8bit;         /* take an 8-bit PNG as heights (times 257), with a warning */
    bool has_range;          /* range given: world heights of 0 and 65535, before the origin's y, metres, min <= max */
    float range_min, range_max;
    bool has_metres_per_quad;
    float metres_per_quad;   /* 1e-3..1e3 */
    float origin[3];         /* where local (0, 0) and height 0 stand in the world, metres */
    enum vxb_flip flip;
    bool transpose;          /* after flip; heights and every map */
    const struct vxb_layer_desc *layers;
    uint32_t layer_count;    /* at most 1024 */
    struct vxb_map_desc exclude, scale, stomp; /* path NULL: none */
};

/* Owned by the terrain. Row-major, z outer: sample (x, z) is samples[z * width + x], width * height of them. */
struct vxb_map {
    uint32_t width, height; /* at least 1 */
    const uint8_t *samples;
    uint64_t file_hash;     /* XXH3-64 of the file it came from; 0 for a layer inside a .vxterrain */
    enum vxb_channel channel;
};

struct vxb_layer {
    const char *name;
    struct vxb_map map;
};

/* A loaded terrain; read only, usable from any number of threads. */
struct vxb_terrain {
    uint32_t samples_x, samples_z;  /* 2..32768 each, 2^30 in all */
    const uint16_t *heights;        /* samples_x * samples_z, row-major, z outer */
    float metres_per_quad;
    float min_height, max_height;   /* metres of raw 0 and raw 65535 */
    float origin[3];
    enum vxb_terrain_kind kind;
    enum vxb_sample sample;         /* as resolved: U16 or F32 */
    uint64_t file_hash;             /* XXH3-64 of the terrain's file as it stands */
    const uint8_t *holes;           /* one bit a sample, bit (i & 7) of byte i >> 3 with i = z * samples_x + x, 1: hole;
                                       NULL: no hole */
    const struct vxb_layer *layers; /* those named by the desc, or those inside the .vxterrain */
    uint32_t layer_count;
    struct vxb_map exclude, scale, stomp; /* samples NULL: none */
};

/* Loads a terrain and all its maps.
 * env: may be NULL. Every error that can be found goes to its diag callback in one run, the returned one first: each
 *   fault of desc, then at most one of each file. So do warnings (an 8-bit or colour heightmap taken, bytes after a
 *   PNG's end, edit chunks or holes outside the terrain). cancelled() is polled between files and pieces of them.
 *   max_memory_bytes bounds each file (a raw one apart, whose size desc gives) and each image's pixels.
 * desc: what to load; checked here in full: what a kind of file needs (size for raw, range for 16-bit sources,
 *   metres_per_quad for all but .vxterrain) and what it must not be given (those and layers for a .vxterrain; size,
 *   sample and order for all but raw).
 * out: receives the terrain; the caller frees it with vxb_terrain_free(). Unchanged on failure.
 * err: the first error, with the file's path and the recipe's JSON pointer ("/terrain/file", "/terrain/range",
 *   "/terrain/layers/Grass"); NULL is allowed.
 * Returns VXB_ERR_USAGE (desc), VXB_ERR_IO (a file that is missing or unreadable, a directory), VXB_ERR_FORMAT (not the
 * format its name says, an empty file), VXB_ERR_DATA (damaged, a size that does not match, a height outside the range,
 * a map without the channel that is asked for), VXB_ERR_UNSUPPORTED (8-bit where 16 is meant, palette or fewer than
 * 8 bits, Apple's PNG, a colour PFM, another version of .vxterrain), VXB_ERR_LIMIT, VXB_ERR_CANCELLED, VXB_ERR_MEMORY.
 * Peak memory: the largest file plus what is loaded; one more copy of a grid that is transposed and not square, or of
 * an interlaced image. */
enum vxb_status vxb_terrain_load(const struct vxb_env *env, const struct vxb_terrain_desc *desc,
                                 struct vxb_terrain **out, struct vxb_error *err);

/* Frees a terrain; NULL is allowed. */
void vxb_terrain_free(struct vxb_terrain *terrain);

/* The layer with this name, NULL where there is none. */
const struct vxb_layer *vxb_terrain_layer(const struct vxb_terrain *terrain, const char *name);

/* Width (x) and depth (z) in metres: (samples - 1) * metres_per_quad, in double. */
double vxb_terrain_width(const struct vxb_terrain *terrain);
double vxb_terrain_depth(const struct vxb_terrain *terrain);

#ifdef __cplusplus
}
#endif

#endif
