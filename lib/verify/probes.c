/* The check of an irradiance field. Its planes are walked twice: what bricks own is checked and kept; then borders are
 * made anew from it and compared with the file's. So memory holds one pool, whatever the file's size. */
#include "probes.h"

#include <inttypes.h>

#include "../core/env.h"
#include "../core/text.h"
#include "../probes/field.h"

struct check {
    const struct vxb_env *env;
    const struct vxb_probe_file *file;
    struct vxbi_collect *collect;
    struct vxb_verify_coverage *coverage;
    struct vxb_probe_field *field; /* NULL: only hashes are looked at */
    struct vxb_probe_pool *pool;
    struct vxbi_probe_rules rules; /* where there is a field */
    uint64_t capacity;
};

/* ---- the first walk ---- */

static enum vxb_status check_window(void *user, const struct vxbi_probe_window *w, struct vxb_error *err)
{
    struct check *c = user;
    (void)err;
    for (uint32_t i = 0; c->field && i < w->count; i++) {
        const struct vxbi_probe_place p = vxbi_probe_place_of(&c->rules, w->first + i);
        struct vxb_probe probe;
        vxbi_probe_check_texel(&c->rules, w, i, &p, &probe);
        if (p.brick != VXBI_PROBE_NO_BRICK && !p.border)
            c->pool->texels[w->first + i] = probe;
    }
    c->coverage->texels_checked += w->count;
    vxbi_progress(c->env, "verify", w->first + w->count, 2 * VXB_BRICK_TEXELS * c->capacity);
    return VXB_OK;
}

/* ---- the second ---- */

static void ignore(void *user, const struct vxbi_found *found)
{
    (void)user;
    (void)found;
}

static enum vxb_status compare_borders(void *user, const struct vxbi_probe_window *w, struct vxb_error *err)
{
    struct check *c = user;
    (void)err;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint64_t texel = w->first + i;
        const struct vxbi_probe_place p = vxbi_probe_place_of(&c->rules, texel);
        struct vxb_probe has;
        if (p.brick == VXBI_PROBE_NO_BRICK || !p.border)
            continue;
        for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
            vxbi_probe_set_rgba(&has, w->planes[k] + 4 * (size_t)i, 1, k);
        c->collect->ordinal = texel;
        if (memcmp(&has, &c->pool->texels[texel], sizeof has) != 0)
            vxbi_found(c->collect, VXB_FINDING_PROBE_BORDER, vxbi_probe_texel_at(c->file, 0, texel),
                       vxbi_probe_texel_pointer(c->collect, &p),
                       "border texel (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") of the brick in slot %" PRIu32
                       " is not what the bricks around it give", p.at[0], p.at[1], p.at[2], p.slot);
        c->pool->texels[texel] = has;
    }
    vxbi_progress(c->env, "verify", VXB_BRICK_TEXELS * c->capacity + w->first + w->count,
                  2 * VXB_BRICK_TEXELS * c->capacity);
    return VXB_OK;
}

/* Borders as the rule makes them stand in the pool; then, as compared, the file's. */
static enum vxb_status check_borders(struct check *c, struct vxb_error *err)
{
    struct vxbi_collect known = {.add = ignore};
    bool whole;
    enum vxb_status status = vxb_probe_field_sync_borders(c->env, c->field, err);
    if (!status)
        status = vxb_probe_field_round(c->env, c->field, (enum vxb_probe_encoding)c->file->header.encoding, err);
    if (!status)
        status = vxbi_probe_walk(c->env, c->file, &known, compare_borders, c, &whole, err);
    if (!status)
        status = vxbi_verify_seams(c->env, c->field, c->collect, err);
    c->coverage->borders = !status;
    return status;
}

/* ---- the whole ---- */

static enum vxb_status begin(struct check *c, struct vxb_error *err)
{
    const struct vxb_probe_file *file = c->file;
    c->capacity = vxbi_probe_texels(file->header.slots) / VXB_BRICK_TEXELS;
    if (c->coverage->level != VXB_VERIFY_FULL || file->known < VXBI_PROBE_BRICKS)
        return VXB_OK;
    enum vxb_status status = vxbi_probe_rules_begin(&c->rules, file, c->collect, err);
    if (!status)
        status = vxbi_probe_file_bricks_field(c->env, file, &c->field, err);
    if (!status)
        c->pool = vxbi_probe_field_pool(c->field);
    return status;
}

static void sum_up(struct check *c, bool whole)
{
    const struct vxb_probe_file *file = c->file;
    struct vxb_verify_coverage *v = c->coverage;
    const bool full = v->level == VXB_VERIFY_FULL;
    if (whole) {
        v->hashes = true;
        v->hashes_checked = VXB_PROBE_PLANES;
        v->bytes_hashed = VXB_PROBE_PLANES * v->texels_total * vxbi_probe_texel_bytes(file->header.encoding);
        v->bytes_checked = v->bytes_total;
    }
    v->complete = whole && file->known >= VXBI_PROBE_BRICKS && (!full || (v->borders && !c->rules.unsound));
}

static enum vxb_status check_planes(struct check *c, struct vxb_error *err)
{
    bool whole = false;
    enum vxb_status status = begin(c, err);
    if (!status)
        status = vxbi_probe_walk(c->env, c->file, c->collect, check_window, c, &whole, err);
    if (!status && whole && c->field && !c->rules.unsound)
        status = check_borders(c, err);
    c->coverage->probes_checked = c->rules.checked;
    c->coverage->probes_invalid = c->rules.invalid;
    vxbi_probe_rules_end(&c->rules);
    sum_up(c, whole && !status);
    /* A field that was not read to its end is nobody's. */
    if (status || !c->coverage->borders) {
        vxb_probe_field_free(c->field);
        c->field = NULL;
    }
    return status;
}

enum vxb_status vxbi_verify_probes(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                   enum vxb_verify_level level, struct vxbi_fold *fold,
                                   struct vxb_verify_coverage *coverage, struct vxb_probe_file **out,
                                   struct vxb_probe_field **field, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    struct check c = {.env = env, .collect = &collect, .coverage = coverage};
    *coverage = (struct vxb_verify_coverage){.level = level};
    *out = NULL;
    *field = NULL;
    enum vxb_status status = vxbi_probe_file_adopt(env, from, &collect, out, err);
    if (status)
        return status;
    const struct vxb_probe_file *file = *out;
    coverage->bytes_total = file->size;
    coverage->header = file->known >= VXBI_PROBE_GRID;
    coverage->tables = file->known >= VXBI_PROBE_TABLES;
    c.file = file;
    if (coverage->tables) {
        const uint64_t end = vxbi_probe_plane_start(file->header.flags, file->layout.data);
        coverage->bytes_checked = end < file->size ? end : file->size;
        coverage->texels_total = vxbi_probe_texels(file->header.slots);
        coverage->probes_total = (uint64_t)VXB_BRICK_PROBES * file->header.brick_count;
        coverage->hashes_total = VXB_PROBE_PLANES;
        coverage->complete = file->known >= VXBI_PROBE_BRICKS;
        if (level != VXB_VERIFY_HEADER)
            status = check_planes(&c, err);
    }
    if (!status && fold->out_of_memory)
        status = vxbi_fail_memory(err, sizeof(struct vxbi_fold_entry));
    *field = c.field;
    if (!status)
        return VXB_OK;
    vxbi_error_in(err, status, file->name, NULL);
    vxb_probe_field_free(c.field);
    vxb_probe_file_close(*out);
    *out = NULL;
    *field = NULL;
    return status;
}
