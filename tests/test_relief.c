/* Rays against the ground: where bisection in double says, and the same with the pyramid of maxima as without. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_light.h"
#include "probes/fill_scene.h"
#include "vxk_hash.h"

/* A terrain, a field over it, and the kernels' numbers of both. */
struct ground {
    struct light light;
    struct vxb_probe_field *field;
    struct vxbi_fill_scene scene;
};

static void open_ground(struct ground *g, const float min[3], const float max[3])
{
    static const uint32_t cells[3] = {1, 1, 1};
    const struct vxb_allocator allocator = vxbi_allocator(NULL);
    struct vxb_error err = {0};
    g->field = light_field(min, max, cells, 1);
    cr_assert(eq(int, vxbi_fill_scene_init(&allocator, g->field, &g->light.scene, &g->light.options, &g->scene, &err),
                 VXB_OK), "%s", err.message);
}

static void close_ground(struct ground *g)
{
    vxbi_fill_scene_clear(&g->scene);
    vxb_probe_field_free(g->field);
}

static float march(const struct ground *g, const float from[3], const float d[3], float most, bool pyramid,
                   struct vxk_relief_point *at)
{
    const struct vxk_scene arrays = vxbi_fill_scene_arrays(&g->scene, NULL, NULL);
    return vxk_relief_march(&g->scene.numbers.relief, arrays.relief, vxk_vec_of(from[0], from[1], from[2]),
                            vxk_vec_of(d[0], d[1], d[2]), most, pyramid ? g->scene.numbers.relief.levels : 0, at);
}

/* ---- the slow way ---- */

/* Everything in double and in the world: the ray, the terrain. */
struct slow {
    const struct vxb_terrain *t;
    double from[3], d[3], lift; /* lift: of the ray, metres */
};

static double slow_sample(const struct vxb_terrain *t, int x, int z)
{
    return (double)t->origin[1] + (double)t->min_height +
           t->heights[(size_t)z * t->samples_x + (size_t)x] * ((double)t->max_height - (double)t->min_height) / 65535.0;
}

static bool slow_hole(const struct vxb_terrain *t, int x, int z)
{
    for (int k = 0; k < 4 && t->holes; k++) {
        const size_t i = (size_t)(z + k / 2) * t->samples_x + (size_t)(x + k % 2);
        if (t->holes[i >> 3] >> (i & 7) & 1)
            return true;
    }
    return false;
}

/* f at t over the patch of one quad. */
static double slow_f(const struct slow *s, int x, int z, double t)
{
    const double quad = (double)s->t->metres_per_quad;
    const double u = (s->from[0] + s->d[0] * t - (double)s->t->origin[0]) / quad - x;
    const double v = (s->from[2] + s->d[2] * t - (double)s->t->origin[2]) / quad - z;
    const double h = (1 - v) * ((1 - u) * slow_sample(s->t, x, z) + u * slow_sample(s->t, x + 1, z)) +
                     v * ((1 - u) * slow_sample(s->t, x, z + 1) + u * slow_sample(s->t, x + 1, z + 1));
    return s->from[1] + s->lift + s->d[1] * t - h;
}

static double bisect(const struct slow *s, int x, int z, double a, double b)
{
    const bool below = slow_f(s, x, z, a) < 0;
    for (int i = 0; i < 80; i++) {
        const double middle = (a + b) / 2;
        if ((slow_f(s, x, z, middle) < 0) == below)
            a = middle;
        else
            b = middle;
    }
    return b;
}

/* In one quad between a and b: f is a quadratic, so its vertex parts the interval into two where it only rises or only
 * falls. -1: none. */
static double slow_quad(const struct slow *s, int x, int z, double a, double b)
{
    const double f0 = slow_f(s, x, z, a), f1 = slow_f(s, x, z, (a + b) / 2), f2 = slow_f(s, x, z, b);
    const double curve = 2 * (f0 - 2 * f1 + f2), slope = -3 * f0 + 4 * f1 - f2;
    const double vertex = curve != 0 ? -slope / (2 * curve) : -1;
    const double middle = vertex > 0 && vertex < 1 ? a + vertex * (b - a) : b;
    if ((f0 < 0) != (slow_f(s, x, z, middle) < 0))
        return bisect(s, x, z, a, middle);
    if ((slow_f(s, x, z, middle) < 0) != (f2 < 0))
        return bisect(s, x, z, middle, b);
    return -1;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first hit in [0, most], -1 for none. */
static double slow_march(const struct slow *s, double most)
{
    static double cuts[8192];
    const double quad = (double)s->t->metres_per_quad;
    size_t count = 0;
    int side = -1;
    cuts[count++] = 0;
    cuts[count++] = most;
    for (int axis = 0; axis < 3; axis += 2) {
        const int quads = (int)(axis ? s->t->samples_z : s->t->samples_x) - 1;
        for (int k = 0; k <= quads && s->d[axis] != 0; k++) {
            const double t = ((double)s->t->origin[axis] + k * quad - s->from[axis]) / s->d[axis];
            if (t > 0 && t < most)
                cuts[count++] = t;
        }
    }
    qsort(cuts, count, sizeof *cuts, by_size);
    for (size_t i = 0; i + 1 < count; i++) {
        const double middle = (cuts[i] + cuts[i + 1]) / 2;
        const double x = (s->from[0] + s->d[0] * middle - (double)s->t->origin[0]) / quad;
        const double z = (s->from[2] + s->d[2] * middle - (double)s->t->origin[2]) / quad;
        if (!(x >= 0 && z >= 0 && x < s->t->samples_x - 1 && z < s->t->samples_z - 1) ||
            slow_hole(s->t, (int)x, (int)z)) {
            side = -1;
            continue;
        }
        const int now = slow_f(s, (int)x, (int)z, cuts[i]) < 0;
        if (side >= 0 && side != now)
            return cuts[i];
        const double hit = slow_quad(s, (int)x, (int)z, cuts[i], cuts[i + 1]);
        if (hit >= 0)
            return hit;
        side = now;
    }
    return -1;
}

/* ---- rays ---- */

/* Number n of rays from about a box: anywhere, level, steep, along an axis. */
static void make_ray(uint32_t n, const float extent[3], float from[3], float d[3])
{
    const uint32_t h = vxk_mix(0xBEEF, n);
    float length = 0;
    for (uint32_t a = 0; a < 3; a++) {
        from[a] = (1.4f * vxk_draw(h, 50 + a) - 0.2f) * extent[a];
        d[a] = 2.0f * vxk_draw(h, 60 + a) - 1.0f;
    }
    if (n % 4 == 1)
        d[1] *= 0.05f;
    if (n % 16 == 2)
        d[0] = 0;
    if (n % 16 == 6)
        d[2] = 0;
    if (n % 64 == 7)
        d[0] = d[2] = 0;
    if (n % 8 == 3) /* from a border, a corner */
        for (uint32_t a = 0; a < 3; a += 2)
            from[a] = floorf(from[a]);
    for (int a = 0; a < 3; a++)
        length += d[a] * d[a];
    for (int a = 0; a < 3; a++)
        d[a] /= sqrtf(length);
}

static bool near(double a, double b)
{
    return (a < 0 && b < 0) || (a >= 0 && b >= 0 && fabs(a - b) <= 1e-3);
}

static void hold_to_bisection(const struct ground *g, uint32_t rays, const char *what)
{
    uint32_t hits = 0, sure = 0;
    const float *corner = g->field->bounds.min;
    for (uint32_t n = 0; n < rays; n++) {
        float from[3], d[3];
        struct vxk_relief_point at;
        struct slow s = {.t = &g->light.terrain};
        make_ray(n, g->field->extent, from, d);
        for (int a = 0; a < 3; a++) {
            s.from[a] = (double)corner[a] + (double)from[a];
            s.d[a] = (double)d[a];
        }
        const double right = slow_march(&s, 90.0);
        s.lift = 1e-5;
        const double over = slow_march(&s, 90.0);
        s.lift = -1e-5;
        const double under = slow_march(&s, 90.0);
        if (!near(right, over) || !near(right, under) || (right > 89.99))
            continue;
        const double got = (double)march(g, from, d, 90.0f, true, &at);
        sure++;
        hits += right >= 0;
        cr_expect(near(got, right), "%s: ray %u from (%g %g %g) to (%g %g %g): %.9g, not %.9g", what, n,
                  (double)from[0], (double)from[1], (double)from[2], (double)d[0], (double)d[1], (double)d[2], got,
                  right);
    }
    cr_expect(sure > rays * 8 / 10 && hits > rays / 8, "%s: %u of %u rays are sure, %u hit", what, sure, rays, hits);
}

static void hold_to_every_quad(const struct ground *g, uint32_t rays, const char *what)
{
    uint32_t hits = 0;
    for (uint32_t n = 0; n < rays; n++) {
        float from[3], d[3];
        struct vxk_relief_point a = {0, 0, 0, 0}, b = {0, 0, 0, 0};
        make_ray(n, g->field->extent, from, d);
        const float with = march(g, from, d, 90.0f, true, &a), without = march(g, from, d, 90.0f, false, &b);
        cr_assert(with == without && memcmp(&a, &b, sizeof a) == 0,
                  "%s: ray %u: %.9g with the pyramid, %.9g without", what, n, (double)with, (double)without);
        hits += with >= 0;
    }
    cr_expect(hits > rays / 20, "%s: %u hit", what, hits);
}

static const float low[3] = {0, -4, 0}, high[3] = {64, 24, 64};

Test(relief, hills__are_hit_where_bisection_says)
{
    struct ground g;
    light_clear(&g.light);
    light_hills(&g.light);
    g.light.terrain.holes = NULL;
    open_ground(&g, low, high);
    hold_to_bisection(&g, 40000, "hills");
    close_ground(&g);
}

Test(relief, hills_with_holes__are_hit_where_bisection_says)
{
    struct ground g;
    light_clear(&g.light);
    light_hills(&g.light);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t hole = vxk_mix(5, i) % (LIGHT_SIDE * LIGHT_SIDE);
        g.light.holes[hole >> 3] |= (uint8_t)(1u << (hole & 7u));
    }
    open_ground(&g, low, high);
    hold_to_bisection(&g, 40000, "holes");
    close_ground(&g);
}

/* A terrain far away, of another quad size, off the field's corner by parts of a quad. */
Test(relief, far_hills__are_hit_where_bisection_says)
{
    struct ground g;
    light_clear(&g.light);
    light_hills(&g.light);
    g.light.terrain.origin[0] = 300000.125f;
    g.light.terrain.origin[1] = 1000.0f;
    g.light.terrain.origin[2] = -400000.0f;
    g.light.terrain.metres_per_quad = 0.75f;
    const float min[3] = {300010.25f, 1000, -399990.5f}, max[3] = {300040, 1016, -399960};
    open_ground(&g, min, max);
    hold_to_bisection(&g, 20000, "far");
    close_ground(&g);
}

Test(relief, pyramid__changes_no_answer)
{
    for (int kind = 0; kind < 5; kind++) {
        struct ground g;
        light_clear(&g.light);
        light_hills(&g.light);
        if (kind == 1) /* spikes */
            for (uint32_t i = 0; i < LIGHT_SIDE * LIGHT_SIDE; i++)
                g.light.heights[i] = (uint16_t)(vxk_mix(3, i) % 40 == 0 ? 65535 : vxk_mix(4, i) >> 22);
        if (kind == 2) /* flat, at 0 */
            memset(g.light.heights, 0, sizeof g.light.heights);
        if (kind == 3) /* many holes */
            for (uint32_t i = 0; i < sizeof g.light.holes; i++)
                g.light.holes[i] = (uint8_t)(vxk_mix(6, i) & vxk_mix(7, i) & vxk_mix(8, i));
        if (kind == 4) { /* not square, and no power of two */
            g.light.terrain.samples_x = 50;
            g.light.terrain.samples_z = 33;
            g.light.terrain.holes = NULL;
        }
        open_ground(&g, low, high);
        hold_to_every_quad(&g, 200000, (const char *[]){"hills", "spikes", "flat", "holes", "oblong"}[kind]);
        close_ground(&g);
    }
}

Test(relief, inside__is_below_the_patch_and_not_over_a_hole)
{
    struct ground g;
    light_clear(&g.light);
    light_hills(&g.light);
    open_ground(&g, low, high);
    const struct vxk_scene arrays = vxbi_fill_scene_arrays(&g.scene, NULL, NULL);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const float x = 70.0f * vxk_draw(i, 1) - 3.0f, y = 28.0f * vxk_draw(i, 2), z = 70.0f * vxk_draw(i, 3) - 3.0f;
        const bool over = x >= 0 && x <= 64 && z >= 0 && z <= 64;
        const int qx = x < 64 ? (int)x : 63, qz = z < 64 ? (int)z : 63;
        const struct slow s = {.t = &g.light.terrain, .from = {(double)x, (double)y - 4.0, (double)z}};
        const double f = over ? slow_f(&s, qx, qz, 0) : 1;
        const bool right = over && !slow_hole(&g.light.terrain, qx, qz) && f < 0;
        if (fabs(f) < 1e-4)
            continue;
        cr_assert(right == (vxk_relief_inside(&g.scene.numbers.relief, arrays.relief, vxk_vec_of(x, y, z)) != 0));
        inside += right;
    }
    cr_assert(inside > 2000);
    close_ground(&g);
}

Test(relief, normal__is_the_patchs)
{
    struct ground g;
    light_clear(&g.light);
    light_hills(&g.light);
    open_ground(&g, low, high);
    const struct vxk_scene arrays = vxbi_fill_scene_arrays(&g.scene, NULL, NULL);
    for (int i = 0; i < 1000; i++) {
        const struct vxk_relief_point at = {i % 64, i * 7 % 64, 0.25f, 0.75f};
        const struct vxk_vec n = vxk_relief_normal(&g.scene.numbers.relief, arrays.relief, at);
        const struct slow s = {.t = &g.light.terrain, .from = {at.quad_x + 0.25, 0, at.quad_z + 0.75}};
        struct slow right = s, up = s;
        right.from[0] += 1e-3;
        up.from[2] += 1e-3;
        const double gx = (slow_f(&right, at.quad_x, at.quad_z, 0) - slow_f(&s, at.quad_x, at.quad_z, 0)) / 1e-3;
        const double gz = (slow_f(&up, at.quad_x, at.quad_z, 0) - slow_f(&s, at.quad_x, at.quad_z, 0)) / 1e-3;
        const double length = sqrt(gx * gx + gz * gz + 1);
        cr_assert(fabs((double)n.x - gx / length) < 1e-5 && fabs((double)n.y - 1 / length) < 1e-5 &&
                  fabs((double)n.z - gz / length) < 1e-5);
    }
    close_ground(&g);
}
