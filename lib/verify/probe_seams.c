/* The seam test: a sample on the boundary of two bricks of one size is the same from either side. It is taken at every
 * texel of the face and between every four, wherever all that it weights lies at covered positions: beyond those a
 * brick repeats its own last probe, and two may differ. */
#include <inttypes.h>
#include <string.h>

#include "../core/env.h"
#include "../probes/field.h"
#include "probes.h"

struct face {
    const struct vxb_probe_field *field;
    const struct vxb_probe_pool *pool;
    const struct vxb_brick *near, *far; /* far begins where near ends, along axis */
    uint32_t index;                     /* of near */
    int axis, across, up;               /* the face's own two */
    bool covered[5][5];                 /* its texels, across fastest */
};

/* The brick of the table that starts at a cell, with a size: NULL where there is none. */
static const struct vxb_brick *find(const struct vxb_brick *bricks, uint32_t count, const uint32_t cell[3],
                                    uint32_t size)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t *other = bricks[middle].cell;
        int order = 0;
        for (int i = 2; i >= 0 && !order; i--)
            order = other[i] < cell[i] ? -1 : other[i] > cell[i];
        if (!order)
            return bricks[middle].size == size ? &bricks[middle] : NULL;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void mark_covered(struct face *face)
{
    const struct vxk_probes view = vxbi_probe_field_view(face->field);
    const struct vxb_brick *b = face->near;
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++) {
            vxk_i32 at[3];
            at[face->axis] = (vxk_i32)(4 * (b->cell[face->axis] + b->size));
            at[face->across] = (vxk_i32)(4 * b->cell[face->across] + b->size * (uint32_t)u);
            at[face->up] = (vxk_i32)(4 * b->cell[face->up] + b->size * (uint32_t)v);
            face->covered[v][u] = vxk_probe_brick_at(&view, at).size != 0;
        }
}

/* Whether a sample at u, v in eighths of the face weights covered texels alone. */
static bool may_compare(const struct face *face, uint32_t u, uint32_t v)
{
    const uint32_t u0 = u / 2, v0 = v / 2, u1 = (u + 1) / 2, v1 = (v + 1) / 2;
    return face->covered[v0][u0] && face->covered[v0][u1] && face->covered[v1][u0] && face->covered[v1][u1];
}

static bool same_sample(const struct face *face, uint32_t u, uint32_t v)
{
    float at[3], from[14], to[14];
    struct vxb_probe a, b;
    at[face->across] = (float)u / 8;
    at[face->up] = (float)v / 8;
    at[face->axis] = 1;
    if (vxb_probe_pool_sample(face->pool, face->near->slot, at, &a, NULL))
        return false;
    at[face->axis] = 0;
    if (vxb_probe_pool_sample(face->pool, face->far->slot, at, &b, NULL))
        return false;
    memcpy(from, &a, sizeof from);
    memcpy(to, &b, sizeof to);
    bool same = true;
    for (int i = 0; i < 14; i++)
        same = same && from[i] == to[i];
    return same;
}

static void check_face(struct face *face, struct vxbi_collect *c)
{
    static const char axes[3] = {'x', 'y', 'z'};
    mark_covered(face);
    for (uint32_t v = 0; v <= 8; v++)
        for (uint32_t u = v % 2; u <= 8; u += 2) {
            if (!may_compare(face, u, v) || same_sample(face, u, v))
                continue;
            vxbi_found(c, VXB_FINDING_PROBE_SEAM, VXBI_NO_OFFSET,
                       vxbi_pointer(c, "/bricks/%" PRIu32, face->index),
                       "on its far face along %c, at %" PRIu32 " and %" PRIu32 " eighths, the sample of the brick in "
                       "slot %" PRIu32 " is not that of the brick in slot %" PRIu32, axes[face->axis], u, v,
                       face->near->slot, face->far->slot);
            return;
        }
}

enum vxb_status vxbi_verify_seams(const struct vxb_env *env, const struct vxb_probe_field *field,
                                  struct vxbi_collect *collect, struct vxb_error *err)
{
    uint32_t count;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (i % 256 == 0 && vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        for (int axis = 0; axis < 3; axis++) {
            uint32_t cell[3] = {bricks[i].cell[0], bricks[i].cell[1], bricks[i].cell[2]};
            cell[axis] += bricks[i].size;
            struct face face = {.field = field, .pool = vxb_probe_field_pool(field), .near = &bricks[i],
                                .far = find(bricks, count, cell, bricks[i].size), .index = i, .axis = axis,
                                .across = (axis + 1) % 3, .up = (axis + 2) % 3};
            if (face.far)
                check_face(&face, collect);
        }
    }
    return VXB_OK;
}
