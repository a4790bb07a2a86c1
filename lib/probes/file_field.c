/* Between a .vxp file and a field: the whole of a file in memory, and a field made fit for an encoding. */
#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/text.h"
#include "field.h"
#include "read.h"

enum vxb_status vxbi_probe_file_bricks_field(const struct vxb_env *env, const struct vxb_probe_file *file,
                                             struct vxb_probe_field **out, struct vxb_error *err)
{
    const struct vxb_probe_header *h = &file->header;
    struct vxb_probe_region bounds;
    memcpy(bounds.min, h->bounds_min, sizeof bounds.min);
    memcpy(bounds.max, h->bounds_max, sizeof bounds.max);
    return vxb_probe_field_of_bricks(env, &bounds, h->cells, h->slots, file->bricks, h->brick_count, out, err);
}

struct keeping {
    struct vxb_probe_pool *pool;
    struct vxbi_probe_rules rules;
};

static enum vxb_status keep(void *user, const struct vxbi_probe_window *window, struct vxb_error *err)
{
    struct keeping *keeping = user;
    (void)err;
    vxbi_probe_check_window(&keeping->rules, window, keeping->pool->texels + window->first);
    return VXB_OK;
}

enum vxb_status vxb_probe_file_field(const struct vxb_env *env, const struct vxb_probe_file *file,
                                     struct vxb_probe_field **out, struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    struct vxb_probe_field *field = NULL;
    struct keeping keeping = {.pool = NULL};
    bool whole;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_probe_file_bricks_field(env, file, &field, err);
    if (!status)
        status = vxbi_probe_rules_begin(&keeping.rules, file, &collect, err);
    if (!status) {
        keeping.pool = vxbi_probe_field_pool(field);
        status = vxbi_probe_walk(env, file, &collect, keep, &keeping, &whole, err);
    }
    vxbi_probe_rules_end(&keeping.rules);
    status = status ? status : collect.status;
    if (status) {
        vxb_probe_field_free(field);
        return vxbi_error_in(err, status, file->name, NULL);
    }
    *out = field;
    return VXB_OK;
}

/* ---- rounding ---- */

_Static_assert(sizeof(struct vxb_probe) == VXK_PROBE_FLOATS * sizeof(float), "a probe is its floats");

static void round_probe(struct vxb_probe *probe)
{
    float *const floats = (float *)(void *)probe;
    for (unsigned i = 0; i < VXK_PROBE_FLOATS; i++)
        floats[i] = vxbi_f16_value(vxbi_f16_code(floats[i]));
}

static enum vxb_status too_large(const struct vxb_brick *brick, uint32_t x, uint32_t y, uint32_t z, float value,
                                 struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    return vxbi_fail(err, VXB_ERR_DATA,
                     "probe (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") of the brick at cell (%" PRIu32 ", %" PRIu32
                     ", %" PRIu32 ") has a coefficient of %s, and f16 holds at most 65504: set the "
                     "encoding to f32, or dim the lights",
                     x, y, z, brick->cell[0], brick->cell[1], brick->cell[2], vxb_text_f32(value, text));
}

/* The probes that a brick owns. */
static enum vxb_status round_brick(struct vxb_probe_pool *pool, const struct vxb_brick *brick, struct vxb_error *err)
{
    for (uint32_t z = 0; z < VXB_BRICK_RESOLUTION; z++)
        for (uint32_t y = 0; y < VXB_BRICK_RESOLUTION; y++)
            for (uint32_t x = 0; x < VXB_BRICK_RESOLUTION; x++) {
                struct vxb_probe *probe = vxbi_probe_pool_at(pool, brick->slot, x, y, z);
                const float *const coefficients = (const float *)(const void *)probe;
                for (unsigned i = 0; i < VXK_PROBE_VALIDITY; i++)
                    if (!(fabsf(coefficients[i]) <= VXBI_F16_MAX))
                        return too_large(brick, x, y, z, coefficients[i], err);
                round_probe(probe);
            }
    return VXB_OK;
}

enum vxb_status vxb_probe_field_round(const struct vxb_env *env, struct vxb_probe_field *field,
                                      enum vxb_probe_encoding encoding, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    if (!vxb_probe_field_pool(field))
        return vxbi_fail(err, VXB_ERR_USAGE, "the field is not placed: it has no probes to round");
    if (encoding == VXB_PROBE_F32)
        return VXB_OK;
    struct vxb_probe_pool *pool = vxbi_probe_field_pool(field);
    uint32_t count;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    for (uint32_t i = 0; i < count && !status; i++)
        status = round_brick(pool, &bricks[i], err);
    if (!status)
        status = vxb_probe_field_sync_borders(env, field, err);
    /* A border that was sampled lies between probes that f16 holds, so it can't be beyond them. */
    const uint64_t texels = (uint64_t)VXB_BRICK_TEXELS * vxb_probe_pool_capacity(pool);
    for (uint64_t i = 0; i < texels && !status; i++)
        round_probe(&pool->texels[i]);
    return status;
}
