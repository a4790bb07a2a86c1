/* The check of an irradiance field. Its planes are walked twice: what bricks own is checked and kept; then borders are
 * made anew from it and compared with the file's. So memory holds one pool, whatever the file's size. */
#include "probes.h"

#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/text.h"
#include "../probes/field.h"

#define NO_BRICK UINT32_MAX

struct check {
    const struct vxb_env *env;
    const struct vxb_probe_file *file;
    struct vxbi_collect *collect;
    struct vxb_verify_coverage *coverage;
    struct vxb_probe_field *field; /* NULL: only hashes are looked at */
    struct vxb_probe_pool *pool;
    uint32_t *owners;              /* the brick of each slot */
    uint64_t capacity;
    bool finite;                   /* all that bricks own is */
};

/* Where a texel of the pool belongs. */
struct place {
    uint32_t slot, brick;
    uint32_t at[3];
    bool border;
};

static struct place place_of(const struct check *c, uint64_t texel)
{
    const uint32_t *slots = c->file->header.slots;
    const uint64_t row = 5 * (uint64_t)slots[0], layer = row * 5 * slots[1];
    const uint32_t x = (uint32_t)(texel % row), y = (uint32_t)(texel % layer / row), z = (uint32_t)(texel / layer);
    struct place p = {.slot = (z / 5 * slots[1] + y / 5) * slots[0] + x / 5, .at = {x % 5, y % 5, z % 5}};
    p.brick = c->owners[p.slot];
    p.border = p.at[0] == 4 || p.at[1] == 4 || p.at[2] == 4;
    return p;
}

/* A texel's byte in the file; inside a frame it has none. */
static uint64_t offset_of(const struct check *c, uint32_t plane, uint64_t texel)
{
    const struct vxb_probe_header *h = &c->file->header;
    const uint64_t start = c->file->planes[plane].offset;
    return h->flags & VXB_PROBE_ZSTD ? start : start + texel * vxbi_probe_texel_bytes(h->encoding);
}

static const char *pointer(const struct check *c, const struct place *p)
{
    return vxbi_pointer(c->collect, "/bricks/%" PRIu32 "/probes/%" PRIu32, p->brick,
                        p->at[0] + 5 * p->at[1] + 25 * p->at[2]);
}

/* ---- what a probe may be ---- */

static bool check_finite(struct check *c, const struct place *p, uint64_t texel, const struct vxb_probe *probe)
{
    const float *floats = (const float *)(const void *)probe;
    for (unsigned i = 0; i < VXK_PROBE_FLOATS; i++) {
        const unsigned plane = i < VXK_PROBE_VALIDITY ? i / 3 : i - VXK_PROBE_VALIDITY;
        char text[VXB_TEXT_NUMBER_ROOM];
        if (isfinite(floats[i]))
            continue;
        vxbi_found(c->collect, VXB_FINDING_PROBE_FINITE, offset_of(c, plane, texel), pointer(c, p),
                   "a value of the plane %s is %s", vxb_probe_plane_name(plane), vxb_text_f32(floats[i], text));
        c->finite = false;
        return false;
    }
    return true;
}

static void check_unit(struct check *c, const struct place *p, uint64_t texel, uint32_t plane, float value,
                       enum vxb_finding finding, const char *what)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!(value >= 0.0f && value <= 1.0f))
        vxbi_found(c->collect, finding, offset_of(c, plane, texel), pointer(c, p), "the %s is %s; it is 0 to 1", what,
                   vxb_text_f32(value, text));
}

/* What a radiance that is nowhere negative can have. Source: vxbake-format(5), "Irradiance fields". */
static void check_light(struct check *c, const struct place *p, uint64_t texel, const struct vxb_probe *probe)
{
    static const char *const channels[3] = {"red", "green", "blue"};
    char text[2][VXB_TEXT_NUMBER_ROOM];
    bool ringing = false;
    for (int i = 0; i < 3; i++) {
        const double mean = (double)probe->l00[i], x = (double)probe->l11[i], y = (double)probe->l1m1[i],
                     z = (double)probe->l10[i], length = sqrt(x * x + y * y + z * z);
        if (mean < 0) {
            vxbi_found(c->collect, VXB_FINDING_PROBE_NEGATIVE, offset_of(c, 0, texel), pointer(c, p),
                       "L00 of %s is %s, and light is not negative", channels[i], vxb_text_f64(mean, text[0]));
            return;
        }
        if (length > 1.7321 * mean * (1 + 0x1p-9) + 0x1p-20) {
            vxbi_found(c->collect, VXB_FINDING_PROBE_DIRECTION, offset_of(c, 1, texel), pointer(c, p),
                       "|L1| of %s is %s and L00 %s: no light has more than 1.7321 times it", channels[i],
                       vxb_text_f64(length, text[0]), vxb_text_f64(mean, text[1]));
            return;
        }
        /* The least over all normals: straight away from the light. */
        ringing = ringing || mean * (double)VXK_SH_0 - 2.0 / 3.0 * (double)VXK_SH_1 * length < -0x1p-20;
    }
    if (ringing)
        vxbi_found(c->collect, VXB_FINDING_PROBE_RINGING, offset_of(c, 1, texel), pointer(c, p),
                   "a strong light from one side: irradiance is below zero, and clamped, for normals that face away");
}

static void check_probe(struct check *c, const struct place *p, uint64_t texel, const struct vxb_probe *probe)
{
    c->coverage->probes_checked++;
    if (!check_finite(c, p, texel, probe))
        return;
    check_unit(c, p, texel, 0, probe->validity, VXB_FINDING_PROBE_VALIDITY, "validity");
    check_unit(c, p, texel, 1, probe->sun_shadow, VXB_FINDING_PROBE_SHADOW, "sun shadow");
    /* Of an invalid one too: a sample between probes weights them all. */
    check_light(c, p, texel, probe);
    if (!(probe->validity > 0.0f))
        c->coverage->probes_invalid++;
}

/* ---- the first walk ---- */

static bool is_zero(const float *rgba)
{
    static const float zero[4];
    return memcmp(rgba, zero, sizeof zero) == 0;
}

static void check_zeros(struct check *c, const struct vxbi_probe_window *w, uint32_t i, const struct place *p)
{
    const uint64_t texel = w->first + i;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        const float *rgba = w->planes[k] + 4 * (size_t)i;
        if (p->brick == NO_BRICK && !is_zero(rgba))
            vxbi_found(c->collect, VXB_FINDING_PROBE_FREE_SLOT, offset_of(c, k, texel),
                       vxbi_pointer(c->collect, "/slots/%" PRIu32, p->slot),
                       "slot %" PRIu32 " belongs to no brick, and its texel (%" PRIu32 ", %" PRIu32 ", %" PRIu32
                       ") of the plane %s is not zero", p->slot, p->at[0], p->at[1], p->at[2], vxb_probe_plane_name(k));
        else if (p->brick != NO_BRICK && k >= 2 && vxbi_f32_bits(rgba[3]) != 0)
            vxbi_found(c->collect, VXB_FINDING_PROBE_SPARE, offset_of(c, k, texel), pointer(c, p),
                       "the fourth component of the plane %s is not zero", vxb_probe_plane_name(k));
    }
}

static enum vxb_status check_window(void *user, const struct vxbi_probe_window *w, struct vxb_error *err)
{
    struct check *c = user;
    (void)err;
    for (uint32_t i = 0; c->field && i < w->count; i++) {
        const uint64_t texel = w->first + i;
        const struct place p = place_of(c, texel);
        c->collect->ordinal = texel;
        check_zeros(c, w, i, &p);
        if (p.brick == NO_BRICK || p.border)
            continue;
        for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
            vxbi_probe_set_rgba(&c->pool->texels[texel], w->planes[k] + 4 * (size_t)i, 1, k);
        check_probe(c, &p, texel, &c->pool->texels[texel]);
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
        const struct place p = place_of(c, texel);
        struct vxb_probe has;
        if (p.brick == NO_BRICK || !p.border)
            continue;
        for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
            vxbi_probe_set_rgba(&has, w->planes[k] + 4 * (size_t)i, 1, k);
        c->collect->ordinal = texel;
        if (memcmp(&has, &c->pool->texels[texel], sizeof has) != 0)
            vxbi_found(c->collect, VXB_FINDING_PROBE_BORDER, offset_of(c, 0, texel), pointer(c, &p),
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
    c->finite = true;
    if (c->coverage->level != VXB_VERIFY_FULL || file->known < VXBI_PROBE_BRICKS)
        return VXB_OK;
    c->owners = vxbi_new(&file->allocator, c->capacity, sizeof *c->owners);
    if (!c->owners)
        return vxbi_fail_memory(err, c->capacity * sizeof *c->owners);
    memset(c->owners, 0xFF, (size_t)c->capacity * sizeof *c->owners);
    for (uint32_t i = 0; i < file->header.brick_count; i++)
        c->owners[file->bricks[i].slot] = i;
    enum vxb_status status = vxbi_probe_file_bricks_field(c->env, file, &c->field, err);
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
    v->complete = whole && file->known >= VXBI_PROBE_BRICKS && (!full || (v->borders && c->finite));
}

static enum vxb_status check_planes(struct check *c, struct vxb_error *err)
{
    bool whole = false;
    enum vxb_status status = begin(c, err);
    if (!status)
        status = vxbi_probe_walk(c->env, c->file, c->collect, check_window, c, &whole, err);
    if (!status && whole && c->field && c->finite)
        status = check_borders(c, err);
    vxbi_delete(&c->file->allocator, c->owners, c->capacity, sizeof *c->owners);
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
