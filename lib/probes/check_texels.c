/* The rules of a .vxp's texels, one by one: what a probe may be, and what has to be zero. Whoever hands probes on has
 * passed them through here; what only the field as a whole can tell, borders and seams, is verify's. */
#include <inttypes.h>
#include <math.h>

#include "../core/text.h"
#include "field.h"
#include "read.h"

enum vxb_status vxbi_probe_rules_begin(struct vxbi_probe_rules *rules, const struct vxb_probe_file *file,
                                       struct vxbi_collect *collect, struct vxb_error *err)
{
    const uint64_t capacity = vxbi_probe_texels(file->header.slots) / VXB_BRICK_TEXELS;
    *rules = (struct vxbi_probe_rules){.file = file, .collect = collect};
    rules->owners = vxbi_new(&file->allocator, capacity, sizeof *rules->owners);
    if (!rules->owners)
        return vxbi_fail_memory(err, capacity * sizeof *rules->owners);
    rules->capacity = capacity;
    memset(rules->owners, 0xFF, (size_t)capacity * sizeof *rules->owners);
    for (uint32_t i = 0; i < file->header.brick_count; i++)
        rules->owners[file->bricks[i].slot] = i;
    return VXB_OK;
}

void vxbi_probe_rules_end(struct vxbi_probe_rules *rules)
{
    if (rules->owners)
        vxbi_delete(&rules->file->allocator, rules->owners, rules->capacity, sizeof *rules->owners);
    rules->owners = NULL;
}

struct vxbi_probe_place vxbi_probe_place_of(const struct vxbi_probe_rules *rules, uint64_t texel)
{
    const uint32_t *slots = rules->file->header.slots;
    const uint64_t row = 5 * (uint64_t)slots[0], layer = row * 5 * slots[1];
    const uint32_t x = (uint32_t)(texel % row), y = (uint32_t)(texel % layer / row), z = (uint32_t)(texel / layer);
    struct vxbi_probe_place p = {.slot = (z / 5 * slots[1] + y / 5) * slots[0] + x / 5, .at = {x % 5, y % 5, z % 5}};
    p.brick = rules->owners[p.slot];
    p.border = p.at[0] == 4 || p.at[1] == 4 || p.at[2] == 4;
    return p;
}

uint64_t vxbi_probe_texel_at(const struct vxb_probe_file *file, uint32_t plane, uint64_t texel)
{
    const uint64_t start = file->planes[plane].offset;
    return file->header.flags & VXB_PROBE_ZSTD ? start
                                               : start + texel * vxbi_probe_texel_bytes(file->header.encoding);
}

const char *vxbi_probe_texel_pointer(struct vxbi_collect *collect, const struct vxbi_probe_place *place)
{
    return vxbi_pointer(collect, "/bricks/%" PRIu32 "/probes/%" PRIu32, place->brick,
                        place->at[0] + 5 * place->at[1] + 25 * place->at[2]);
}

/* ---- what a probe may be ---- */

/* A texel, and where what is wrong with it is reported. */
struct texel {
    struct vxbi_probe_rules *rules;
    const struct vxbi_probe_place *place;
    uint64_t index;
};

static uint64_t offset(const struct texel *t, uint32_t plane)
{
    return vxbi_probe_texel_at(t->rules->file, plane, t->index);
}

static const char *pointer(const struct texel *t)
{
    return vxbi_probe_texel_pointer(t->rules->collect, t->place);
}

static bool check_finite(const struct texel *t, const struct vxb_probe *probe)
{
    const float *floats = (const float *)(const void *)probe;
    for (unsigned i = 0; i < VXK_PROBE_FLOATS; i++) {
        const unsigned plane = i < VXK_PROBE_VALIDITY ? i / 3 : i - VXK_PROBE_VALIDITY;
        char text[VXB_TEXT_NUMBER_ROOM];
        if (isfinite(floats[i]))
            continue;
        vxbi_found(t->rules->collect, VXB_FINDING_PROBE_FINITE, offset(t, plane), pointer(t),
                   "a value of the plane %s is %s", vxb_probe_plane_name(plane), vxb_text_f32(floats[i], text));
        return false;
    }
    return true;
}

static void check_unit(const struct texel *t, uint32_t plane, float value, enum vxb_finding finding, const char *what)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!(value >= 0.0f && value <= 1.0f))
        vxbi_found(t->rules->collect, finding, offset(t, plane), pointer(t), "the %s is %s; it is 0 to 1", what,
                   vxb_text_f32(value, text));
}

/* What a radiance that is nowhere negative can have. Source: vxbake-format(5), "Irradiance fields". */
static void check_light(const struct texel *t, const struct vxb_probe *probe)
{
    static const char *const channels[3] = {"red", "green", "blue"};
    char text[2][VXB_TEXT_NUMBER_ROOM];
    bool ringing = false;
    for (int i = 0; i < 3; i++) {
        const double mean = (double)probe->l00[i], x = (double)probe->l11[i], y = (double)probe->l1m1[i],
                     z = (double)probe->l10[i], length = sqrt(x * x + y * y + z * z);
        if (mean < 0) {
            vxbi_found(t->rules->collect, VXB_FINDING_PROBE_NEGATIVE, offset(t, 0), pointer(t),
                       "L00 of %s is %s, and light is not negative", channels[i], vxb_text_f64(mean, text[0]));
            return;
        }
        if (length > 1.7321 * mean * (1 + 0x1p-9) + 0x1p-20) {
            vxbi_found(t->rules->collect, VXB_FINDING_PROBE_DIRECTION, offset(t, 1), pointer(t),
                       "|L1| of %s is %s and L00 %s: no light has more than 1.7321 times it", channels[i],
                       vxb_text_f64(length, text[0]), vxb_text_f64(mean, text[1]));
            return;
        }
        /* The least over all normals: straight away from the light. */
        ringing = ringing || mean * (double)VXK_SH_0 - 2.0 / 3.0 * (double)VXK_SH_1 * length < -0x1p-20;
    }
    if (ringing)
        vxbi_found(t->rules->collect, VXB_FINDING_PROBE_RINGING, offset(t, 1), pointer(t),
                   "a strong light from one side: irradiance is below zero, and clamped, for normals that face away");
}

static void check_probe(const struct texel *t, const struct vxb_probe *probe)
{
    const bool finite = check_finite(t, probe);
    if (t->place->border)
        return; /* its value is that of others, or verify tells */
    t->rules->checked++;
    t->rules->unsound = t->rules->unsound || !finite;
    if (!finite)
        return;
    check_unit(t, 0, probe->validity, VXB_FINDING_PROBE_VALIDITY, "validity");
    check_unit(t, 1, probe->sun_shadow, VXB_FINDING_PROBE_SHADOW, "sun shadow");
    /* Of an invalid one too: a sample between probes weights them all. */
    check_light(t, probe);
    if (!(probe->validity > 0.0f))
        t->rules->invalid++;
}

/* ---- what has to be zero ---- */

static bool is_zero(const float *rgba)
{
    static const float zero[4];
    return memcmp(rgba, zero, sizeof zero) == 0;
}

static void check_zeros(const struct texel *t, const struct vxbi_probe_window *w, uint32_t i)
{
    const struct vxbi_probe_place *p = t->place;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        const float *rgba = w->planes[k] + 4 * (size_t)i;
        if (p->brick == VXBI_PROBE_NO_BRICK && !is_zero(rgba))
            vxbi_found(t->rules->collect, VXB_FINDING_PROBE_FREE_SLOT, offset(t, k),
                       vxbi_pointer(t->rules->collect, "/slots/%" PRIu32, p->slot),
                       "slot %" PRIu32 " belongs to no brick, and its texel (%" PRIu32 ", %" PRIu32 ", %" PRIu32
                       ") of the plane %s is not zero", p->slot, p->at[0], p->at[1], p->at[2], vxb_probe_plane_name(k));
        else if (p->brick != VXBI_PROBE_NO_BRICK && k >= 2 && vxbi_f32_bits(rgba[3]) != 0)
            vxbi_found(t->rules->collect, VXB_FINDING_PROBE_SPARE, offset(t, k), pointer(t),
                       "the fourth component of the plane %s is not zero", vxb_probe_plane_name(k));
    }
}

void vxbi_probe_check_texel(struct vxbi_probe_rules *rules, const struct vxbi_probe_window *window, uint32_t i,
                            const struct vxbi_probe_place *place, struct vxb_probe *out)
{
    const struct texel t = {rules, place, window->first + i};
    rules->collect->ordinal = t.index;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        vxbi_probe_set_rgba(out, window->planes[k] + 4 * (size_t)i, 1, k);
    check_zeros(&t, window, i);
    if (place->brick != VXBI_PROBE_NO_BRICK)
        check_probe(&t, out);
}

void vxbi_probe_check_window(struct vxbi_probe_rules *rules, const struct vxbi_probe_window *window,
                             struct vxb_probe *out)
{
    for (uint32_t i = 0; i < window->count && !rules->collect->stopped; i++) {
        const struct vxbi_probe_place place = vxbi_probe_place_of(rules, window->first + i);
        vxbi_probe_check_texel(rules, window, i, &place, &out[i]);
    }
}
