/* The pyramid as an object: its sizes, its storage, reading it, and the public face of the march. */
#include "pyramid.h"

#include "vxk_march.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../core/env.h"
#include "../core/text.h"

_Static_assert(VXK_PYRAMID_LEVELS == VXB_PYRAMID_LEVELS_MAX, "both name the levels of the largest side");

/* Texels in a page. Where the first one begins a cache line, no vector that is stored lies in two. Where it begins a
 * page too, and so does the caller's buffer or nearly so, what is stored stays behind what is loaded in the bits of an
 * address by which processors tell whether a load has to wait for a store. */
#define ALIGNMENT 1024u

const char *const vxbi_reduce_names[] = {[VXB_REDUCE_NEAREST] = "nearest", [VXB_REDUCE_FARTHEST] = "farthest", NULL};

const char *vxb_reduce_name(enum vxb_reduce reduce)
{
    return (unsigned)reduce <= VXB_REDUCE_FARTHEST ? vxbi_reduce_names[reduce] : NULL;
}

/* Lays the levels out one after the other; the number of texels in all. */
static uint64_t lay_out(struct vxk_pyramid *view, uint32_t width, uint32_t height)
{
    uint64_t count = 0;
    *view = (struct vxk_pyramid){.width = width, .height = height};
    for (;;) {
        uint32_t w = vxk_pyramid_side(width, view->levels), h = vxk_pyramid_side(height, view->levels);
        view->first[view->levels++] = (uint32_t)count;
        count += (uint64_t)w * h;
        if (w == 1 && h == 1)
            return count;
    }
}

uint64_t vxbi_pyramid_bytes(uint32_t width, uint32_t height)
{
    struct vxk_pyramid view;
    return lay_out(&view, width, height) * sizeof(float);
}

enum vxb_status vxb_pyramid_new(const struct vxb_env *env, uint32_t width, uint32_t height, enum vxb_reduce reduce,
                                struct vxb_pyramid **out, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    enum vxb_status wrong = vxbi_check_env(env, err);
    if (wrong)
        return wrong;
    if (width == 0 || height == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "the viewport is %" PRIu32 " x %" PRIu32 ": a side is at least 1", width,
                         height);
    if (!vxb_reduce_name(reduce))
        return vxbi_fail(err, VXB_ERR_USAGE, "the reduction is %d: it is nearest (0) or farthest (1)", (int)reduce);
    if (width > VXB_PYRAMID_SIDE_MAX || height > VXB_PYRAMID_SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the viewport is %" PRIu32 " x %" PRIu32 ": a side is at most %d", width,
                         height, VXB_PYRAMID_SIDE_MAX);
    struct vxbi_pyramid *own = vxbi_new_zero(&allocator, 1, sizeof *own);
    if (!own)
        return vxbi_fail_memory(err, sizeof *own);
    own->allocator = allocator;
    own->count = lay_out(&own->view, width, height);
    own->block = vxbi_new_zero(&allocator, own->count + ALIGNMENT - 1, sizeof(float));
    if (!own->block) {
        enum vxb_status status = vxbi_fail_memory(err, (own->count + ALIGNMENT - 1) * sizeof(float));
        vxb_pyramid_free(&own->shown);
        return status;
    }
    own->texels = own->block;
    while ((uintptr_t)own->texels % (ALIGNMENT * sizeof(float)))
        own->texels++;
    own->view.texels = own->texels;
    own->shown.width = width;
    own->shown.height = height;
    own->shown.level_count = own->view.levels;
    own->shown.reduce = reduce;
    for (uint32_t k = 0; k < own->view.levels; k++)
        own->shown.levels[k] = (struct vxb_pyramid_level){vxk_pyramid_side(width, k), vxk_pyramid_side(height, k),
                                                          own->texels + own->view.first[k]};
    *out = &own->shown;
    return VXB_OK;
}

void vxb_pyramid_free(struct vxb_pyramid *pyramid)
{
    if (!pyramid)
        return;
    struct vxbi_pyramid *own = vxbi_pyramid_of(pyramid);
    struct vxb_allocator allocator = own->allocator;
    vxbi_delete(&allocator, own->block, own->count + ALIGNMENT - 1, sizeof(float));
    vxbi_delete(&allocator, own, 1, sizeof *own);
}

float *vxb_pyramid_depth(struct vxb_pyramid *pyramid) { return vxbi_pyramid_of(pyramid)->texels; }

void vxb_pyramid_size(const struct vxb_pyramid *pyramid, uint32_t level, uint32_t *width, uint32_t *height)
{
    if (level >= pyramid->level_count)
        level = pyramid->level_count - 1;
    *width = pyramid->levels[level].width;
    *height = pyramid->levels[level].height;
}

float vxb_pyramid_cell(const struct vxb_pyramid *pyramid, uint32_t level, int32_t x, int32_t y)
{
    return vxk_pyramid_at(vxbi_pyramid_view(pyramid), level < pyramid->level_count ? level : pyramid->level_count - 1,
                          x, y);
}

const char *vxbi_pyramid_texel_text(uint32_t level, uint32_t x, uint32_t y, float value, char *buf)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    snprintf(buf, VXBI_PYRAMID_TEXEL_ROOM,
             "texel (%" PRIu32 ", %" PRIu32 ") of level %" PRIu32 " is %s: a depth is between 0 (sky) and 1 "
             "(nearest)%s",
             x, y, level, isnan(value) ? "NaN" : vxb_text_f32(value, number),
             value == 0 ? ", and a 0 has no sign" : "");
    return buf;
}

/* ---- the march ---- */

static struct vxk_march march_of(const struct vxb_march *march)
{
    struct vxk_march out = {.steps = march->steps,
                            .thickness = march->thickness,
                            .linear_thickness = march->linear_thickness};
    for (int i = 0; i < 16; i++)
        out.clip_from_world[i] = march->clip_from_world[i];
    return out;
}

static struct vxk_march_ray ray_of(const struct vxb_ray *ray)
{
    struct vxk_march_ray out = {.length = ray->length};
    for (int i = 0; i < 3; i++) {
        out.origin[i] = ray->origin[i];
        out.direction[i] = ray->direction[i];
    }
    return out;
}

static struct vxb_march_hit hit_of(struct vxk_march_hit hit)
{
    return (struct vxb_march_hit){hit.hit != 0, (uint32_t)hit.x, (uint32_t)hit.y, hit.samples};
}

struct vxb_march_hit vxb_march_fixed(const struct vxb_pyramid *pyramid, const struct vxb_march *march,
                                     const struct vxb_ray *ray)
{
    struct vxk_march shared = march_of(march);
    struct vxk_march_ray own = ray_of(ray);
    return hit_of(vxk_march_fixed(vxbi_pyramid_view(pyramid), &shared, &own));
}

struct vxb_march_hit vxb_march_hierarchy(const struct vxb_pyramid *pyramid, const struct vxb_march *march,
                                         const struct vxb_ray *ray)
{
    if (pyramid->reduce != VXB_REDUCE_NEAREST)
        return vxb_march_fixed(pyramid, march, ray);
    struct vxk_march shared = march_of(march);
    struct vxk_march_ray own = ray_of(ray);
    return hit_of(vxk_march_hierarchy(vxbi_pyramid_view(pyramid), &shared, &own));
}
