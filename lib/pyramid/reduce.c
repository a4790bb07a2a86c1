/* Rows reduced, vectorised. What a cell is is told by vxk_pyramid.h; this is the same, many cells at a time: first
 * the two or three rows into one, then its neighbours.
 *
 * Built once for each vector width and picked by the loader where the compiler can (VXBI_CLONES): nearest and farthest
 * are exact whatever the order, so every width gives the same texels. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "pyramid.h"

#if defined(HAVE_TARGET_CLONES)
#define VXBI_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VXBI_CLONES
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* Cells of a row made at a time: what lies between the two halves of the work then stays in the nearest cache. */
#define BLOCK 1024u

enum taps {
    NEAREST_RING,  /* 3, clamped */
    NEAREST_COVER, /* 2, and 3 for the last of an odd side */
    FARTHEST_COVER /* the same */
};

static ALWAYS_INLINE float pick(float a, float b, enum taps taps)
{
    return taps == FARTHEST_COVER ? vxk_pyramid_farther(a, b) : vxk_pyramid_nearer(a, b);
}

static ALWAYS_INLINE void reduce_row(float *restrict out, uint32_t cells, const float *a, const float *b,
                                     const float *c, uint32_t width, enum taps taps)
{
    float rows[2 * BLOCK + 1];
    for (uint32_t x = 0; x < cells; x += BLOCK) {
        const uint32_t count = cells - x < BLOCK ? cells - x : BLOCK, left = width - 2 * x;
        const uint32_t columns = left < 2 * count + 1 ? left : 2 * count + 1;
        const float *restrict a_at = a + 2 * x, *restrict b_at = b + 2 * x, *restrict c_at = c + 2 * x;
        for (uint32_t i = 0; i < columns; i++)
            rows[i] = pick(pick(a_at[i], b_at[i], taps), c_at[i], taps);
        for (uint32_t i = columns; i < 2 * count + 1; i++)
            rows[i] = rows[columns - 1];
        float *restrict to = out + x;
        if (taps == NEAREST_RING) {
            for (uint32_t i = 0; i < count; i++)
                to[i] = pick(pick(rows[2 * i], rows[2 * i + 1], taps), rows[2 * i + 2], taps);
        } else {
            for (uint32_t i = 0; i < count; i++)
                to[i] = pick(rows[2 * i], rows[2 * i + 1], taps);
            if (x + count == cells)
                to[count - 1] = pick(to[count - 1], rows[2 * count], taps);
        }
    }
}

/* Bits of a depth in 0..1 are at most those of 1.0f; a sign, an infinity or a NaN is above. */
#define ONE_BITS 0x3F800000u

VXBI_CLONES
static bool copy_row(float *restrict out, const float *restrict in, uint32_t width)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < width; i++) {
        const float depth = in[i] + 0.0f;
        const uint32_t bits = vxk_bits_of(depth);
        most = bits > most ? bits : most;
        out[i] = depth;
    }
    return most <= ONE_BITS;
}

VXBI_CLONES
static bool is_clean(const float *row, uint32_t width)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t bits = vxk_bits_of(row[i]);
        most = bits > most ? bits : most;
    }
    return most <= ONE_BITS;
}

/* Nothing is written where there is nothing to change: a page that is only read costs half. */
static bool keep_row(float *row, uint32_t width)
{
    if (is_clean(row, width))
        return true;
    for (uint32_t i = 0; i < width; i++)
        row[i] += 0.0f;
    return vxbi_pyramid_bad_texel(row, width) == width;
}

VXBI_CLONES
static void reduce_nearest(float *restrict out, uint32_t cells, const float *a, const float *b, const float *c,
                           uint32_t width)
{
    reduce_row(out, cells, a, b, c, width, NEAREST_RING);
}

VXBI_CLONES
static void cover_nearest(float *restrict out, uint32_t cells, const float *a, const float *b, const float *c,
                          uint32_t width)
{
    reduce_row(out, cells, a, b, c, width, NEAREST_COVER);
}

VXBI_CLONES
static void cover_farthest(float *restrict out, uint32_t cells, const float *a, const float *b, const float *c,
                           uint32_t width)
{
    reduce_row(out, cells, a, b, c, width, FARTHEST_COVER);
}

static void reduce(enum taps taps, const struct vxb_pyramid_level *below, uint32_t y, float *out)
{
    const uint32_t last = below->height - 1, first = 2 * y;
    const uint32_t cells = vxk_pyramid_side(below->width, 1), rows = vxk_pyramid_side(below->height, 1);
    const uint32_t second = first < last ? first + 1 : last;
    const bool third = first + 2 <= last && (taps == NEAREST_RING || y == rows - 1);
    const float *a = below->texels + (uint64_t)first * below->width;
    const float *b = below->texels + (uint64_t)second * below->width;
    static void (*const by_taps[])(float *restrict, uint32_t, const float *, const float *, const float *, uint32_t) = {
        [NEAREST_RING] = reduce_nearest, [NEAREST_COVER] = cover_nearest, [FARTHEST_COVER] = cover_farthest};
    by_taps[taps](out, cells, a, b, third ? b + below->width : b, below->width);
}

void vxbi_pyramid_reduce_row(enum vxb_reduce kind, const struct vxb_pyramid_level *below, uint32_t y, float *out)
{
    reduce(kind == VXB_REDUCE_NEAREST ? NEAREST_RING : FARTHEST_COVER, below, y, out);
}

void vxbi_pyramid_cover_row(enum vxb_reduce kind, const struct vxb_pyramid_level *below, uint32_t y, float *out)
{
    reduce(kind == VXB_REDUCE_NEAREST ? NEAREST_COVER : FARTHEST_COVER, below, y, out);
}

bool vxbi_pyramid_take_row(float *out, const float *in, uint32_t width)
{
    return out == in ? keep_row(out, width) : copy_row(out, in, width);
}

uint32_t vxbi_pyramid_bad_texel(const float *in, uint32_t width)
{
    uint32_t x = 0;
    while (x < width && in[x] >= 0.0f && in[x] <= 1.0f)
        x++;
    return x;
}

uint32_t vxbi_pyramid_unclean(const float *row, uint32_t width, uint32_t *first)
{
    uint32_t count = 0;
    if (is_clean(row, width))
        return 0;
    for (uint32_t x = width; x-- > 0;)
        if (vxk_bits_of(row[x]) > ONE_BITS) {
            *first = x;
            count++;
        }
    return count;
}
