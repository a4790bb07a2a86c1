/* Depth pyramids: a depth buffer and, level by level, the nearest (or farthest) surface of ever larger cells, down to
 * one; and the ray march over a screen that it makes cheap. Depth is reversed: near is 1, sky is 0, so nearest is the
 * largest value. Source: vxbake-ktx2(5). */
#ifndef VXBAKE_PYRAMID_H
#define VXBAKE_PYRAMID_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_PYRAMID_SIDE_MAX 32768
#define VXB_PYRAMID_LEVELS_MAX 16

enum vxb_reduce {
    VXB_REDUCE_NEAREST, /* for marching: what in this cell could stop a ray? A cell is the nearest of the 3x3 block of
                           the level below at twice its place, clamped to the edge */
    VXB_REDUCE_FARTHEST /* for occlusion culling: what behind this cell could be seen? A cell is the farthest of exactly
                           the texels of level 0 that it covers */
};

/* "nearest", "farthest"; static storage; NULL for a value that is none. */
const char *vxb_reduce_name(enum vxb_reduce reduce);

struct vxb_pyramid_level {
    uint32_t width, height;
    const float *texels; /* width * height, row by row, the top row first */
};

/* Level 0 is the depth buffer; level k is max(1, floor(half)) of level k - 1 on each axis, and the last is 1 x 1. Cell
 * (x, y) of level k covers the texels p of level 0 with min(p >> k, side - 1) = (x, y): the last cell of a row or
 * column covers what flooring left over. Texels are in 0..1, never NaN or -0. Owned by the pyramid; read only but for
 * vxb_pyramid_build(). */
struct vxb_pyramid {
    uint32_t width, height; /* the viewport, 1..VXB_PYRAMID_SIDE_MAX each */
    uint32_t level_count;   /* 1..VXB_PYRAMID_LEVELS_MAX */
    enum vxb_reduce reduce;
    struct vxb_pyramid_level levels[VXB_PYRAMID_LEVELS_MAX];
};

/* Makes an empty pyramid, sky everywhere, for one viewport.
 * env: its allocator is used; may be NULL.
 * width, height: of level 0.
 * out: the caller frees it with vxb_pyramid_free(). Unchanged on failure.
 * Returns VXB_ERR_USAGE (an empty viewport, a reduction that is none), VXB_ERR_LIMIT (a side above
 * VXB_PYRAMID_SIDE_MAX), VXB_ERR_MEMORY. Takes 4 bytes a texel, and a third more for the levels above. */
enum vxb_status vxb_pyramid_new(const struct vxb_env *env, uint32_t width, uint32_t height, enum vxb_reduce reduce,
                                struct vxb_pyramid **out, struct vxb_error *err);
void vxb_pyramid_free(struct vxb_pyramid *pyramid); /* NULL is allowed */

/* Level 0, to be filled by a caller that then hands it to vxb_pyramid_build(), which saves the copy. */
float *vxb_pyramid_depth(struct vxb_pyramid *pyramid);

/* Reduces a depth buffer into every level.
 * env: threads and cancelling; may be NULL. The texels do not depend on the number of threads.
 * depth: width * height texels, the top row first; vxb_pyramid_depth() itself is allowed, any other overlap is not.
 *   Values are 0..1; -0 becomes 0.
 * count: how many there are at depth.
 * Returns VXB_ERR_USAGE (count is not width * height), VXB_ERR_DATA (a texel that is NaN, infinite, negative or above
 * 1: the first one in row order is named), VXB_ERR_CANCELLED. After a failure the content is unspecified until a build
 * succeeds.
 * No other thread may use the pyramid meanwhile. Allocates nothing. */
enum vxb_status vxb_pyramid_build(const struct vxb_env *env, struct vxb_pyramid *pyramid, const float *depth,
                                  uint64_t count, struct vxb_error *err);

/* The size of one level; 1 x 1 from the last on. Any thread. */
void vxb_pyramid_size(const struct vxb_pyramid *pyramid, uint32_t level, uint32_t *width, uint32_t *height);

/* One cell of one level, both clamped to what exists: what is kept there, the nearest surface (0: only sky) or the
 * farthest. Any thread. */
float vxb_pyramid_cell(const struct vxb_pyramid *pyramid, uint32_t level, int32_t x, int32_t y);

/* ---- from a file ---- */

/* What a depth frame's values mean. */
enum vxb_depth_convention {
    VXB_DEPTH_REVERSED, /* as the pyramid keeps them: 1 is nearest, 0 is sky */
    VXB_DEPTH_DEVICE,   /* 0 is nearest, 1 is sky: kept as 1 - d */
    VXB_DEPTH_LINEAR    /* distances along the view axis, 0 where nothing was measured: kept as near (far - z) /
                           (z (far - near)) between 0 and 1, and 0 for 0 */
};

/* A depth frame in a file. Pointers are borrowed for the call. */
struct vxb_depth_desc {
    const char *path;          /* its kind is told by the name's ending, case apart: .pfm, .png (16 bits a channel),
                                  .r32 or .raw (f32) */
    uint32_t width, height;    /* raw only: texels a row and rows, the top row first; 0: not given */
    enum vxb_byte_order order; /* raw only */
    bool has_scale;
    double scale;              /* what each value is multiplied by, above 0 and at most 1e9; 1 / 65535 for a PNG, 1 for
                                  the others where it is not given */
    enum vxb_depth_convention convention;
    bool has_near, has_far;
    double near_plane, far_plane; /* LINEAR only, and needed there: 0 < near < far <= 1e9, in the unit of value times
                                     scale */
};

/* Reads a depth frame and builds its pyramid. Values are taken in double and rounded to f32 once.
 * env: threads, cancelling, warnings (of a PNG in colour, whose first channel is taken; of a PFM's scale; of bytes
 *   after a PNG's end); may be NULL. max_memory_bytes bounds the file and the pyramid.
 * err: also has the JSON pointer of the member ("/depth/size") that desc stands for in a recipe.
 * Returns VXB_ERR_USAGE (desc), VXB_ERR_IO, VXB_ERR_FORMAT (not what its name says; empty), VXB_ERR_UNSUPPORTED (a PNG
 * of 8 bits or less, a PFM in colour), VXB_ERR_DATA (damaged; a size that does not match; a value that is NaN,
 * infinite, negative or, but for LINEAR, above 1: the first one in row order is named), VXB_ERR_LIMIT,
 * VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_pyramid_from_depth(const struct vxb_env *env, const struct vxb_depth_desc *desc,
                                       enum vxb_reduce reduce, struct vxb_pyramid **out, struct vxb_error *err);

/* "reversed", "device", "linear"; static storage; NULL for a value that is none. */
const char *vxb_depth_convention_name(enum vxb_depth_convention convention);

/* ---- the march ---- */

/* What the rays of one trace share. */
struct vxb_march {
    float clip_from_world[16]; /* row-major, clip = M (x, y, z, 1); perspective or orthographic, reversed depth */
    uint32_t steps;            /* of the fixed walk */
    float thickness;           /* how far behind its depth a surface still stops a ray, in depth */
    float linear_thickness;    /* the same in clip w (metres of view depth); above 0 it is used wherever w changes along
                                  the ray, which an orthographic one's does not */
};

/* The points origin + direction * s, 0 <= s <= length. */
struct vxb_ray {
    float origin[3], direction[3], length;
};

struct vxb_march_hit {
    bool hit;
    uint32_t x, y;    /* the pixel that stopped the ray, y down; 0 without a hit */
    uint32_t samples; /* depths fetched */
};

/* Walks a ray in march->steps equal steps over level 0. A walk that leaves the screen ends without a hit; points behind
 * the eye or outside the depth range are passed over. Any thread. */
struct vxb_march_hit vxb_march_fixed(const struct vxb_pyramid *pyramid, const struct vxb_march *march,
                                     const struct vxb_ray *ray);

/* Walks it down and up the levels of a nearest pyramid, cell by cell: for a ray that starts on screen this finds every
 * hit of the fixed walk, sometimes at an earlier pixel, and those that a step would jump over. A ray with an end behind
 * the eye, and any ray over a farthest pyramid (whose cells can't tell what is safe to skip), is walked in fixed steps.
 * Any thread. */
struct vxb_march_hit vxb_march_hierarchy(const struct vxb_pyramid *pyramid, const struct vxb_march *march,
                                         const struct vxb_ray *ray);

/* ---- as a file ---- */

/* Writes a pyramid as KTX2: R32_SFLOAT, every level, and of a farthest one the key vxbake.reduce. The file appears
 * whole or not at all; path "-" is standard output. env: may be NULL. Returns VXB_ERR_IO, VXB_ERR_CANCELLED,
 * VXB_ERR_MEMORY. */
enum vxb_status vxb_pyramid_save(const struct vxb_env *env, const struct vxb_pyramid *pyramid, const char *path,
                                 struct vxb_error *err);

/* Reads one, of any tool. Without the key vxbake.reduce it is taken for a nearest one. Values are checked; what the
 * levels say of each other is not.
 * Returns VXB_ERR_IO, VXB_ERR_FORMAT (no KTX2 file), VXB_ERR_UNSUPPORTED (not R32_SFLOAT, supercompressed, not a single
 * 2D image), VXB_ERR_DATA (damaged; not the whole chain; a texel outside 0..1, or -0), VXB_ERR_LIMIT (larger than the
 * environment's max_memory_bytes), VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_pyramid_load(const struct vxb_env *env, const char *path, struct vxb_pyramid **out,
                                 struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
