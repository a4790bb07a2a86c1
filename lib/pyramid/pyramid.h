/* The pyramid as its own folder sees it: one block of texels, and rows of it reduced. */
#ifndef VXBI_PYRAMID_PYRAMID_H
#define VXBI_PYRAMID_PYRAMID_H

#include "vxk_pyramid.h"

#include "../ktx2/ktx2.h"
#include "../vxbake/pyramid.h"

/* What vxb_pyramid_new() makes; the public part comes first. */
struct vxbi_pyramid {
    struct vxb_pyramid shown;
    struct vxb_allocator allocator;
    struct vxk_pyramid view;
    float *block;   /* what was allocated, */
    float *texels;  /* and, where a page begins, what view and the levels point into */
    uint64_t count; /* of texels */
    bool assumed;   /* read from another tool's file, which does not tell its reduction */
};

static inline struct vxbi_pyramid *vxbi_pyramid_of(struct vxb_pyramid *pyramid)
{
    return (struct vxbi_pyramid *)pyramid;
}

static inline const struct vxk_pyramid *vxbi_pyramid_view(const struct vxb_pyramid *pyramid)
{
    return &((const struct vxbi_pyramid *)pyramid)->view;
}

/* A row of a level, writable. */
static inline float *vxbi_pyramid_row(struct vxb_pyramid *pyramid, uint32_t level, uint32_t y)
{
    struct vxbi_pyramid *own = vxbi_pyramid_of(pyramid);
    return own->texels + own->view.first[level] + (uint64_t)y * own->shown.levels[level].width;
}

/* The words of recipes, files and reports, in the order of their enums, NULL after the last. */
extern const char *const vxbi_reduce_names[], *const vxbi_depth_convention_names[];

/* The bytes that a pyramid of this size takes, all levels; a side is at most VXB_PYRAMID_SIDE_MAX. */
uint64_t vxbi_pyramid_bytes(uint32_t width, uint32_t height);

/* Row y of the level over below, as VXB_REDUCE_... makes it, to out (the upper level's width). */
void vxbi_pyramid_reduce_row(enum vxb_reduce reduce, const struct vxb_pyramid_level *below, uint32_t y, float *out);

/* The same as the tightest that covers: the nearest of exactly the texels below, or the farthest. */
void vxbi_pyramid_cover_row(enum vxb_reduce reduce, const struct vxb_pyramid_level *below, uint32_t y, float *out);

/* A row of depth to out (which may be in), -0 as 0. False where a texel is none of 0..1; out is then unspecified. */
bool vxbi_pyramid_take_row(float *out, const float *in, uint32_t width);

/* How many rows of level 0 from row y on, which is odd, the cells over row y - 1 reach to: 1 or 2. */
uint32_t vxbi_pyramid_reach(enum vxb_reduce reduce, uint32_t height, uint32_t y);

/* Takes those `count` rows from in to `to` (which may be in), and makes the cells to above; row y - 1 was taken before.
 * False where a texel is none of 0..1 or, in place, -0: then what was written is unspecified. */
bool vxbi_pyramid_take_reduce(enum vxb_reduce reduce, const struct vxb_pyramid_level *level, uint32_t y, float *to,
                              const float *in, uint32_t count, float *above);

/* The first texel of a row that is none of 0..1; width where there is none. */
uint32_t vxbi_pyramid_bad_texel(const float *in, uint32_t width);

/* How many texels of a row are none of 0..1, or -0; *first the first of them, where there is one. */
uint32_t vxbi_pyramid_unclean(const float *row, uint32_t width, uint32_t *first);

/* A texel that is no depth, in words: "texel (3, 1) of level 0 is NaN: ...". buf has VXBI_PYRAMID_TEXEL_ROOM bytes. */
#define VXBI_PYRAMID_TEXEL_ROOM 160
const char *vxbi_pyramid_texel_text(uint32_t level, uint32_t x, uint32_t y, float value, char *buf);

/* ---- from a depth frame ---- */

/* Checks what a recipe says of a depth frame; each fault goes to add with the key of the member it is about ("size").
 * False where there was one. */
bool vxbi_depth_check(const struct vxb_depth_desc *desc,
                      void (*add)(void *user, const char *key, enum vxb_status status, const char *message),
                      void *user);

/* Whether a path's name ends as a depth frame's does, .exr (which is refused with the reason) included. */
bool vxbi_depth_is_name(const char *path);

/* ---- as KTX2 ---- */

enum vxb_status vxbi_pyramid_write(const struct vxb_env *env, const struct vxb_pyramid *pyramid,
                                   const struct vxbi_ktx2_sink *sink, struct vxb_error *err);

/* Whether what stands before a file's texels is that of a depth pyramid, its reduction known; broken rules go to
 * collect. assumed: the file does not tell its reduction, and is not vxbake's, where that means nearest. */
bool vxbi_pyramid_check_head(const struct vxbi_ktx2 *file, enum vxb_reduce *reduce, bool *assumed,
                             struct vxbi_collect *collect);

/* The revision of the rules that a file says it was made by; false where vxbake did not make it. */
bool vxbi_pyramid_revision(const struct vxbi_ktx2 *file, uint32_t *revision);

/* From a usable KTX2 file, which may be cleared afterwards. Broken rules go to collect; where one was an error *out is
 * NULL. Returns why it could not look: VXB_ERR_LIMIT, VXB_ERR_MEMORY, the source's failure. */
enum vxb_status vxbi_pyramid_read(const struct vxb_env *env, const struct vxbi_ktx2 *file,
                                  struct vxbi_collect *collect, struct vxb_pyramid **out, struct vxb_error *err);

/* Whether the levels are right: each cell against the level below it as its reduction makes it, and against level 0, of
 * which no covered texel may be nearer (farthest: farther). Each level has one finding for each of the two at most,
 * which names the first cell and counts them all. Returns VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxbi_pyramid_check(const struct vxb_env *env, const struct vxb_pyramid *pyramid,
                                   struct vxbi_collect *collect, struct vxb_error *err);

#endif
