/* Kernels: the arithmetic that makes baked bytes, against the engine's own numbers, libm and slow references. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grass/format.h"
#include "vxk_blade.h"
#include "vxk_candidate.h"
#include "vxk_ground.h"

/* ---- hash ---- */

Test(kernels, hash_and_draws__are_the_engines)
{
    FILE *file = fopen(TEST_DATA "/scatter-hash.csv", "r");
    cr_assert(file != NULL, "tests/data/scatter-hash.csv is missing");
    char line[256];
    cr_assert(fgets(line, sizeof line, file) != NULL);
    uint32_t rows = 0;
    for (; fgets(line, sizeof line, file); rows++) {
        int32_t x, z;
        uint32_t index, hash, stream, draw;
        int fields = sscanf(line, "%" SCNd32 ",%" SCNd32 ",%" SCNu32 ",%" SCNx32 ",%" SCNu32 ",%" SCNx32, &x, &z,
                            &index, &hash, &stream, &draw);
        cr_assert(eq(int, fields, 6), "%s", line);
        uint32_t got = vxk_mix(vxk_cell_seed(x, z, vxk_mix(0, 0)), index);
        cr_assert(eq(u32, got, hash), "%s", line);
        cr_assert(eq(u32, vxk_bits_of(vxk_draw(got, stream)), draw), "%s", line);
    }
    fclose(file);
    cr_assert(eq(u32, rows, 792));
}

Test(kernels, mixer__is_a_bijection_over_a_cells_candidates)
{
    /* The greatest cell: the order of its blades rests on no two hashes being equal. */
    enum { COUNT = 4096 * 4096 };
    uint32_t *seen = calloc((size_t)1 << 27, sizeof *seen);
    uint32_t seed = vxk_cell_seed(-3, 77, vxk_mix(12345, 0)), twice = 0;
    cr_assert(seen != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t h = vxk_mix(seed, i);
        twice += seen[h >> 5] >> (h & 31) & 1u;
        seen[h >> 5] |= 1u << (h & 31);
    }
    free(seen);
    cr_assert(eq(u32, twice, 0));
}

Test(kernels, draw__reaches_one_and_never_more)
{
    cr_assert(vxk_draw_of(0) == 0.0f);
    cr_assert(vxk_draw_of(UINT32_MAX) == 1.0f);
    cr_assert(vxk_draw_of(0x80000000u) == 0.5f);
}

Test(kernels, species_of__gives_each_its_run_of_parts)
{
    /* The first and the last bits that still belong to a part, for bounds of every kind. */
    const uint32_t bounds[3] = {1, 333333, 999999};
    for (int k = 0; k < 3; k++) {
        /* part(bits) = bits * 1000000 >> 32 reaches bounds[k] at ceil(bounds[k] * 2^32 / 1000000) */
        uint32_t first = (uint32_t)((((uint64_t)bounds[k] << 32) + 999999) / 1000000);
        cr_assert(eq(u32, vxk_mul_high(first, 1000000u), bounds[k]));
        cr_assert(eq(u32, vxk_mul_high(first - 1, 1000000u), bounds[k] - 1));
    }
    uint32_t counts[4] = {0};
    const uint32_t total = 1000000;
    for (uint32_t i = 0; i < total; i++)
        counts[vxk_species_of(vxk_mix(99, i), 200000, 500000, 900000)]++;
    const double expected[4] = {0.2, 0.3, 0.4, 0.1};
    for (int k = 0; k < 4; k++)
        cr_assert(fabs(counts[k] / (double)total - expected[k]) < 0.002, "species %d: %" PRIu32, k, counts[k]);
}

/* ---- angles ---- */

/* Every 521st of the binary32 numbers from low to high, and both ends. */
static double worst(float low, float high, float (*ours)(float), double (*theirs)(double))
{
    double most = 0.0;
    uint32_t end = vxk_bits_of(high);
    for (uint32_t bits = vxk_bits_of(low);; bits = end - bits < 521 ? end : bits + 521) {
        float x = vxk_float_of(bits);
        double error = fabs((double)ours(x) - theirs((double)x));
        most = error > most ? error : most;
        if (bits == end)
            return most;
    }
}

static float our_sin(float x) { return vxk_sin(x); }
static float our_cos(float x) { return vxk_cos(x); }
static float our_acos(float x) { return vxk_acos(x); }

Test(kernels, sine__is_within_its_stated_error)
{
    double error = worst(0.0f, 1.5708f, our_sin, sin);
    cr_assert(error <= 2e-7, "%g", error);
}

Test(kernels, cosine__is_within_its_stated_error)
{
    double error = worst(0.0f, 1.5708f, our_cos, cos);
    cr_assert(error <= 2e-7, "%g", error);
}

Test(kernels, arc_cosine__is_within_its_stated_error)
{
    double error = worst(0.0f, 1.0f, our_acos, acos);
    cr_assert(error <= 3e-7, "%g", error);
}

static float our_acos_signed(float x) { return vxk_acos_signed(x); }
static float our_acos_turned(float x) { return vxk_acos_signed(-x); }
static double acos_turned(double x) { return acos(-x); }
static float our_atan(float x) { return vxk_atan_unit(x); }

Test(kernels, arc_cosine_of_either_sign__is_within_its_stated_error)
{
    double error = worst(0.0f, 1.0f, our_acos_signed, acos), turned = worst(0.0f, 1.0f, our_acos_turned, acos_turned);
    cr_assert(error <= 5e-7 && turned <= 5e-7, "%g, %g", error, turned);
}

Test(kernels, arc_tangent__is_within_its_stated_error)
{
    double error = worst(0.0f, 1.0f, our_atan, atan), most = 0.0;
    cr_assert(error <= 2e-7, "%g", error);
    for (int i = 0; i < 400000; i++) {
        const float x = (float)(i % 633) / 316.0f - 1.0f, y = (float)(i / 633) / 316.0f - 1.0f;
        most = fmax(most, fabs((double)vxk_atan2(y, x) - atan2((double)y, (double)x)));
    }
    cr_assert(most <= 5e-7, "%g", most);
    cr_assert(vxk_atan2(0.0f, 0.0f) == 0.0f && vxk_atan2(0.0f, 1.0f) == 0.0f);
}

Test(kernels, angles__are_exact_where_flat_ground_needs_them)
{
    cr_assert(vxk_cos(0.0f) == 1.0f, "a slope limit of 0 must let level ground pass");
    cr_assert(vxk_sin(0.0f) == 0.0f);
    cr_assert(vxk_acos(1.0f) == 0.0f);
}

/* ---- the record ---- */

/* Nearest of three neighbouring codes, ties to the even one, in double where all of it is exact. */
static uint32_t slow_half(float x, uint32_t about)
{
    uint32_t best = about ? about - 1 : 0;
    for (uint32_t code = best; code <= about + 1; code++) {
        /* 0x7C00 is where 65536 would stand. */
        double value = code == 0x7C00 ? 65536.0 : (double)vxbi_f16_value((uint16_t)code);
        double old = best == 0x7C00 ? 65536.0 : (double)vxbi_f16_value((uint16_t)best);
        double d = fabs((double)x - value), e = fabs((double)x - old);
        if (d < e || (d == e && code % 2 == 0))
            best = code;
    }
    return best;
}

Test(kernels, half__is_exact_about_every_boundary)
{
    for (uint32_t code = 0; code < 0x7BFF; code++) {
        float here = vxbi_f16_value((uint16_t)code), next = vxbi_f16_value((uint16_t)(code + 1));
        float middle = here + (next - here) / 2.0f;
        const float centres[3] = {here, middle, next};
        for (int c = 0; c < 3; c++)
            for (int step = -2; step <= 2; step++) {
                uint32_t bits = vxk_bits_of(centres[c]);
                if (step < 0 && bits < (uint32_t)-step)
                    continue;
                float x = vxk_float_of(bits + (uint32_t)step);
                cr_assert(eq(u32, vxk_half(x), slow_half(x, code)), "%a", (double)x);
            }
    }
    cr_assert(eq(u32, vxk_half(vxk_float_of(vxk_bits_of(65520.0f) - 1)), 0x7BFF));
}

Test(kernels, half__keeps_what_it_can_hold)
{
    for (uint32_t code = 0; code < 0x7C00; code++)
        cr_assert(eq(u32, vxk_half(vxbi_f16_value((uint16_t)code)), code));
}

static double decoded_angle(uint32_t code, struct vxk_up up)
{
    double ox = (int8_t)(code & 0xFF), oz = (int8_t)(code >> 8 & 0xFF);
    double oy = 127.0 - fabs(ox) - fabs(oz);
    double length = sqrt(ox * ox + oy * oy + oz * oz);
    double dx = ox / length - (double)up.x, dy = oy / length - (double)up.y, dz = oz / length - (double)up.z;
    return 2.0 * asin(sqrt(dx * dx + dy * dy + dz * dz) / 2.0);
}

Test(kernels, octahedral__stays_in_its_square_and_near_the_truth)
{
    double most = 0.0;
    for (uint32_t i = 0; i < 500000; i++) {
        /* From the zenith down to the horizon and a hair below it, where a rounded cosine can end. */
        double angle = vxk_draw(i, 1) * 1.5707965, about = vxk_draw(i, 2) * 6.283185307179586;
        struct vxk_up up = {(float)(sin(angle) * cos(about)), (float)cos(angle), (float)(sin(angle) * sin(about))};
        uint32_t code = vxk_octahedral(up);
        int ox = (int8_t)(code & 0xFF), oz = (int8_t)(code >> 8 & 0xFF);
        cr_assert(abs(ox) + abs(oz) <= 127, "(%d, %d)", ox, oz);
        cr_assert(le(u32, code, 0xFFFF));
        double error = decoded_angle(code, up);
        most = error > most ? error : most;
    }
    cr_assert(most < 2.2 / 127.0, "%g radians", most);
}

Test(kernels, octahedral__every_code_comes_back)
{
    for (int ox = -127; ox <= 127; ox++)
        for (int oz = abs(ox) - 127; oz <= 127 - abs(ox); oz++) {
            double y = 127.0 - abs(ox) - abs(oz), length = sqrt(ox * ox + y * y + oz * oz);
            struct vxk_up up = {(float)(ox / length), (float)(y / length), (float)(oz / length)};
            uint32_t code = vxk_octahedral(up);
            cr_assert(eq(int, (int8_t)(code & 0xFF), ox));
            cr_assert(eq(int, (int8_t)(code >> 8), oz));
        }
}

Test(kernels, octahedral__where_the_sum_is_too_large_the_larger_gives_way)
{
    /* On the horizon, halfway: 63.5 and 63.5 both round to 64, and ox loses. */
    struct vxk_up up = {0.70710678f, 0.0f, -0.70710678f};
    uint32_t code = vxk_octahedral(up);
    cr_assert(eq(int, (int8_t)(code & 0xFF), 63));
    cr_assert(eq(int, (int8_t)(code >> 8), -64));
}

Test(kernels, pack__a_blade_never_leaves_its_cell)
{
    const float sizes[] = {1.0f, 1.1f, 3.3333333f, 16.0f, 17.5f, 63.999996f, 64.000008f, 1000.0f, 1023.9999f, 1024.0f};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        float last = nextafterf(sizes[i], 0.0f);
        struct vxk_up up = {0.0f, 1.0f, 0.0f};
        struct vxk_record r = vxk_pack(1, 0, last, last, 10.0f, 1.0f, up, 1, sizes[i], -5.0f, 10.0f);
        cr_assert(eq(u32, r.word[0], 0xFFFFFFFFu), "%.9g", (double)sizes[i]);
        cr_assert(eq(u32, r.word[1] & 0xFFFF, 65535));
        r = vxk_pack(1, 0, 0.0f, 0.0f, -5.0f, 1.0f, up, 0, sizes[i], -5.0f, 10.0f);
        cr_assert(eq(u32, r.word[0], 0));
        cr_assert(eq(u32, r.word[1], 0), "no random yaw is yaw 0");
    }
}

Test(kernels, pack__heights_outside_and_flat_ranges_are_held)
{
    struct vxk_up up = {0.0f, 1.0f, 0.0f};
    cr_assert(eq(u32, vxk_pack(1, 0, 0, 0, 11.0f, 1.0f, up, 0, 16.0f, -5.0f, 10.0f).word[1], 65535));
    cr_assert(eq(u32, vxk_pack(1, 0, 0, 0, -6.0f, 1.0f, up, 0, 16.0f, -5.0f, 10.0f).word[1], 0));
    cr_assert(eq(u32, vxk_pack(1, 0, 0, 0, 3.0f, 1.0f, up, 0, 16.0f, 3.0f, 3.0f).word[1], 0));
    for (uint32_t i = 0; i < 100000; i++) {
        float low = (vxk_draw(i, 1) - 0.5f) * 2e6f, high = low + vxk_draw(i, 3) * (i % 2 ? 1e-2f : 1e6f);
        uint32_t q = vxk_pack(1, 0, 0, 0, high, 1.0f, up, 0, 16.0f, low, high).word[1] & 0xFFFF;
        cr_assert(eq(u32, q, high > low ? 65535 : 0));
    }
}

Test(kernels, up_of__turns_align_of_the_way_along_the_arc)
{
    for (uint32_t i = 0; i < 100000; i++) {
        double angle = vxk_draw(i, 1) * 1.57, about = vxk_draw(i, 2) * 6.283185307179586, align = vxk_draw(i, 3);
        float nx = (float)(sin(angle) * cos(about)), ny = (float)cos(angle), nz = (float)(sin(angle) * sin(about));
        struct vxk_up up = vxk_up_of(nx, ny, nz, (float)align);
        if (ny > 0.9999f) {
            cr_assert(up.x == 0.0f && up.y == 1.0f && up.z == 0.0f);
            continue;
        }
        double turned = align * angle;
        cr_assert(fabs((double)up.y - cos(turned)) < 1e-5);
        cr_assert(fabs((double)up.x - sin(turned) * cos(about)) < 1e-5);
        cr_assert(fabs((double)up.z - sin(turned) * sin(about)) < 1e-5);
    }
}

/* ---- candidates ---- */

Test(kernels, floor__is_the_floor)
{
    const float at[] = {0.0f, -0.0f, 0.5f, -0.5f, 1.0f, -1.0f, 0.99999994f, -0.99999994f, -128.5f, 1e6f, -1e6f,
                        2147483520.0f, -2147483648.0f, 1e-38f, -1e-38f};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        cr_assert(eq(i32, vxk_floor(at[i]), (int32_t)floor((double)at[i])), "%g", (double)at[i]);
}

Test(kernels, jittered__stays_in_the_cell)
{
    const float size = 17.3f, limit = nextafterf(size, 0.0f);
    for (uint32_t side = 1; side < 4096; side = side * 3 + 1) {
        float step = size / (float)side, reach = step / 2.0f;
        for (int end = 0; end < 2; end++) {
            float first = vxk_jittered(0, (float)end, step, reach, limit);
            float last = vxk_jittered(side - 1, (float)end, step, reach, limit);
            cr_assert(first >= 0.0f && first < size);
            cr_assert(last >= 0.0f && last < size);
        }
    }
}

Test(kernels, rank__is_where_on_the_slider_a_blade_goes)
{
    cr_assert(eq(u32, vxk_rank(0.0f, 1.0f), 0));
    cr_assert(eq(u32, vxk_rank(0.5f, 1.0f), 32768));
    cr_assert(eq(u32, vxk_rank(0.25f, 0.5f), 32768));
    cr_assert(eq(u32, vxk_rank(1.0f, 1.0f), 65535));
    for (uint32_t i = 0; i < 100000; i++) {
        float k = vxk_draw(i, 1);
        cr_assert(le(u32, vxk_rank(nextafterf(k, 0.0f), k), 65535));
    }
}

Test(kernels, verdict__gives_the_first_reason_in_order)
{
    uint32_t rank;
    /* Everything is wrong at first; then one after another is put right. */
    cr_assert(eq(u32, vxk_verdict(1, 1, 0.0f, 0.0f, 1.0f, 5.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_NO_SURFACE));
    cr_assert(eq(u32, vxk_verdict(0, 1, 1.0f, 0.0f, 1.0f, 5.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_EXCLUDED));
    cr_assert(eq(u32, vxk_verdict(0, 0, 0.0009f, 0.0f, 1.0f, 5.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_EXCLUDED));
    cr_assert(eq(u32, vxk_verdict(0, 0, 0x1p-10f, 0.0f, 1.0f, 5.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_SLOPE));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 5.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_ALTITUDE));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 8.0f, 6.0f, 7.0f, 0.5f, 0.0f, 0, &rank), VXK_ALTITUDE));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 6.0f, 6.0f, 7.0f, 0.5f, 0.0f, 65536, &rank), VXK_DENSITY));
    cr_assert(eq(u32, rank, 65535));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 7.0f, 6.0f, 7.0f, 0.5f, 0.5f, 65536, &rank), VXK_DENSITY));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 7.0f, 6.0f, 7.0f, 0.0f, 0.0f, 65536, &rank), VXK_DENSITY));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 7.0f, 6.0f, 7.0f, 0.5f, 1.0f, 32768, &rank), VXK_DENSITY));
    cr_assert(eq(u32, vxk_verdict(0, 0, 1.0f, 1.0f, 1.0f, 7.0f, 6.0f, 7.0f, 0.5f, 1.0f, 32769, &rank), VXK_PLACED));
    cr_assert(eq(u32, rank, 32768));
}

Test(kernels, smooth__rises_from_one_weight_to_the_other)
{
    cr_assert(vxk_smooth(0.0f, 0.15f, 0.45f) == 0.0f);
    cr_assert(vxk_smooth(0.15f, 0.15f, 0.45f) == 0.0f);
    cr_assert(vxk_smooth(0.61f, 0.15f, 0.45f) == 1.0f);
    cr_assert(vxk_smooth(1.0f, 1.0f, 1e-4f) == 0.0f);
    float before = 0.0f;
    for (uint32_t i = 0; i <= 255; i++) {
        float k = vxk_smooth((float)i / 255.0f, 0.15f, 0.45f);
        cr_assert(k >= before && k <= 1.0f);
        before = k;
    }
}

Test(kernels, map_axis__stays_on_the_map_however_far_the_position)
{
    /* A cell may be a thousand times as wide as a tiny terrain: a fine map's index once left the range of an i32. */
    for (float x = -1024.0f; x <= 2048.0f; x += 64.0f) {
        float u = vxk_map_axis(x, 32768, 2, 0.001f, 0.001f);
        cr_assert(u >= 0.0f && u <= 32767.0f, "x %g: %g", (double)x, (double)u);
    }
    cr_assert(vxk_map_axis(0.0f, 300, 65, 1.0f, 64.0f) == 0.0f);
    cr_assert(vxk_map_axis(64.0f, 300, 65, 1.0f, 64.0f) == 299.0f);
    cr_assert(vxk_map_axis(63.5f, 65, 65, 1.0f, 64.0f) == 63.5f);
}
