/* Builds depth pyramids of several sizes and says how the time compares with memcpy of the same level 0, in the same
 * run, turn about, so that both meet the same machine. The best of the turns counts: what else runs only adds.
 *
 * bench_pyramid [--turns N] [--threads N] [WIDTHxHEIGHT ...]
 *
 * Columns: milliseconds of memcpy; then of a build that copies level 0 in (what memcpy does, and all levels besides)
 * and of one in place, each with its ratio to memcpy (1: as fast as it); then a plain loop over cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "vxbake/pyramid.h"
#include "vxk_pyramid.h"

struct times {
    double copy, build, in_place, plain;
};

static void fill(float *depth, size_t count)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        depth[i] = (float)(seed >> 8) / 16777216.0f;
    }
}

static void least(double *best, double seconds)
{
    if (seconds < *best)
        *best = seconds;
}

/* Level upon level, cell by cell: what the definition says, compiled as it stands. */
static void build_plain(float *texels, const float *depth, uint32_t width, uint32_t height)
{
    memcpy(texels, depth, (size_t)width * height * sizeof *texels);
    while (width > 1 || height > 1) {
        const uint32_t w = vxk_pyramid_side(width, 1), h = vxk_pyramid_side(height, 1);
        float *above = texels + (size_t)width * height;
        for (uint32_t y = 0; y < h; y++)
            for (uint32_t x = 0; x < w; x++)
                above[(size_t)y * w + x] = vxk_pyramid_nearest_cell(texels, width, height, x, y);
        texels = above;
        width = w;
        height = h;
    }
}

static bool one_turn(const struct vxb_env *env, struct vxb_pyramid *pyramid, float *depth, float *other,
                     struct times *best)
{
    const size_t count = (size_t)pyramid->width * pyramid->height;
    double start = vxbi_seconds();
    memcpy(other, depth, count * sizeof *depth);
    least(&best->copy, vxbi_seconds() - start);

    start = vxbi_seconds();
    if (vxb_pyramid_build(env, pyramid, depth, count, NULL) != VXB_OK)
        return false;
    least(&best->build, vxbi_seconds() - start);

    start = vxbi_seconds();
    if (vxb_pyramid_build(env, pyramid, vxb_pyramid_depth(pyramid), count, NULL) != VXB_OK)
        return false;
    least(&best->in_place, vxbi_seconds() - start);
    return true;
}

static bool bench(const struct vxb_env *env, uint32_t width, uint32_t height, enum vxb_reduce reduce, int turns)
{
    const size_t count = (size_t)width * height;
    struct vxb_pyramid *pyramid = NULL;
    struct times best = {1e9, 1e9, 1e9, 1e9};
    float *depth = malloc(count * sizeof *depth), *other = malloc(2 * count * sizeof *other + 64);
    bool good = depth && other && vxb_pyramid_new(env, width, height, reduce, &pyramid, NULL) == VXB_OK;
    if (good) {
        fill(depth, count);
        memset(other, 1, 2 * count * sizeof *other + 64);
    }
    for (int i = 0; good && i < turns; i++)
        good = one_turn(env, pyramid, depth, other, &best);
    for (int i = 0; good && i < 2; i++) {
        const double start = vxbi_seconds();
        build_plain(other, depth, width, height);
        least(&best.plain, vxbi_seconds() - start);
    }
    if (good)
        printf("%5ux%-5u %-8s  memcpy %8.3f ms  build %8.3f ms (%.2f)  in place %8.3f ms (%.2f)  plain %9.3f ms\n",
               width, height, vxb_reduce_name(reduce), best.copy * 1e3, best.build * 1e3, best.copy / best.build,
               best.in_place * 1e3, best.copy / best.in_place, best.plain * 1e3);
    else
        fprintf(stderr, "bench_pyramid: %u x %u could not be built\n", width, height);
    vxb_pyramid_free(pyramid);
    free(depth);
    free(other);
    return good;
}

int main(int argc, char **argv)
{
    static char *standard[] = {"640x480", "1920x1080", "2048x2048", "4095x4097"};
    struct vxb_env env = {.size = sizeof env};
    int turns = 12, first = 1;
    while (first + 1 < argc && argv[first][0] == '-') {
        const int value = atoi(argv[first + 1]);
        if (strcmp(argv[first], "--turns") == 0 && value > 0)
            turns = value;
        else if (strcmp(argv[first], "--threads") == 0 && value > 0)
            env.threads = (uint32_t)value;
        else
            break;
        first += 2;
    }
    char **sizes = first < argc ? argv + first : standard;
    const int count = first < argc ? argc - first : (int)(sizeof standard / sizeof *standard);
    printf("%u threads, best of %d turns\n", vxbi_thread_count(&env), turns);
    for (int i = 0; i < count; i++) {
        unsigned width, height;
        if (sscanf(sizes[i], "%ux%u", &width, &height) != 2) {
            fprintf(stderr, "usage: bench_pyramid [--turns N] [--threads N] [WIDTHxHEIGHT ...]\n");
            return 2;
        }
        if (!bench(&env, width, height, VXB_REDUCE_NEAREST, turns) ||
            !bench(&env, width, height, VXB_REDUCE_FARTHEST, turns))
            return 1;
    }
    return 0;
}
