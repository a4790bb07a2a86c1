/* Rows reduced, vectorised. What a cell is is told by vxk_pyramid.h; this is the same, many cells at a time: first
 * the two or three rows into one, then its neighbours. Of level 0, which has to be copied and checked too, that is done
 * in one go: the copy waits for memory, and what the processor does meanwhile costs nothing.
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

/* Cells of a row made at a time: what lies between the two halves of the work then stays in the nearest cache. */
#define BLOCK 1024u

enum taps {
    NEAREST_RING,  /* 3, clamped */
    NEAREST_COVER, /* 2, and 3 for the last of an odd side */
    FARTHEST_COVER /* the same */
};

static VXK_ALWAYS_INLINE float pick(float a, float b, enum taps taps)
{
    return taps == FARTHEST_COVER ? vxk_pyramid_farther(a, b) : vxk_pyramid_nearer(a, b);
}

/* Cells x to x + count - 1 of a row: as many columns of the level below make them, and one more where there is one. */
struct block {
    uint32_t x, count, columns;
    bool last;
};

static VXK_ALWAYS_INLINE struct block block_at(uint32_t x, uint32_t cells, uint32_t width)
{
    const uint32_t count = cells - x < BLOCK ? cells - x : BLOCK, left = width - 2 * x;
    return (struct block){x, count, left < 2 * count + 1 ? left : 2 * count + 1, x + count == cells};
}

/* The cells of a block from its rows, which are one by now: rows[i] is column 2 x + i. There is room for one more. */
static VXK_ALWAYS_INLINE void reduce_columns(float *restrict out, float *restrict rows, struct block block,
                                             enum taps taps)
{
    float *restrict to = out + block.x;
    for (uint32_t i = block.columns; i < 2 * block.count + 1; i++)
        rows[i] = rows[block.columns - 1];
    if (taps == NEAREST_RING) {
        for (uint32_t i = 0; i < block.count; i++)
            to[i] = pick(pick(rows[2 * i], rows[2 * i + 1], taps), rows[2 * i + 2], taps);
    } else {
        for (uint32_t i = 0; i < block.count; i++)
            to[i] = pick(rows[2 * i], rows[2 * i + 1], taps);
        if (block.last)
            to[block.count - 1] = pick(to[block.count - 1], rows[2 * block.count], taps);
    }
}

static VXK_ALWAYS_INLINE void reduce_row(float *restrict out, uint32_t cells, const float *a, const float *b,
                                         const float *c, uint32_t width, enum taps taps)
{
    _Alignas(64) float rows[2 * BLOCK + 1];
    for (uint32_t x = 0; x < cells; x += BLOCK) {
        const struct block block = block_at(x, cells, width);
        const float *restrict a_at = a + 2 * x, *restrict b_at = b + 2 * x, *restrict c_at = c + 2 * x;
        for (uint32_t i = 0; i < block.columns; i++)
            rows[i] = pick(pick(a_at[i], b_at[i], taps), c_at[i], taps);
        reduce_columns(out, rows, block, taps);
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

/* The rows of level 0 under a row of cells, as far as they were not taken before. */
struct taking {
    const float *a;         /* the first, which was */
    const float *b, *c;     /* the second and the third; NULL: there is no third */
    float *to_b, *to_c;     /* where they go */
    uint32_t width;
};

/* Columns of the rows, picked into one. to_b and to_c are NULL for rows that stay where they are. Returns the most that
 * any texel's bits are, as numbers. */
static VXK_ALWAYS_INLINE uint32_t take_two(float *restrict rows, const float *restrict a, const float *restrict b,
                                           float *restrict to_b, uint32_t columns, enum taps taps)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < columns; i++) {
        const float depth = to_b ? b[i] + 0.0f : b[i];
        const uint32_t bits = vxk_bits_of(depth);
        most = bits > most ? bits : most;
        if (to_b)
            to_b[i] = depth;
        rows[i] = pick(a[i], depth, taps);
    }
    return most;
}

static VXK_ALWAYS_INLINE uint32_t take_three(float *restrict rows, const float *restrict a, const float *restrict b,
                                             const float *restrict c, float *restrict to_b, float *restrict to_c,
                                             uint32_t columns, enum taps taps)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < columns; i++) {
        const float second = to_b ? b[i] + 0.0f : b[i], third = to_b ? c[i] + 0.0f : c[i];
        const uint32_t second_bits = vxk_bits_of(second), third_bits = vxk_bits_of(third);
        const uint32_t bits = second_bits > third_bits ? second_bits : third_bits;
        most = bits > most ? bits : most;
        if (to_b) {
            to_b[i] = second;
            to_c[i] = third;
        }
        rows[i] = pick(pick(a[i], second, taps), third, taps);
    }
    return most;
}

static VXK_ALWAYS_INLINE bool take_reduce(float *restrict above, uint32_t cells, const struct taking *t, enum taps taps,
                                          bool copied)
{
    _Alignas(64) float rows[2 * BLOCK + 1];
    uint32_t most = 0;
    for (uint32_t x = 0; x < cells; x += BLOCK) {
        const struct block block = block_at(x, cells, t->width);
        const float *a = t->a + 2 * x, *b = t->b + 2 * x;
        float *to_b = copied ? t->to_b + 2 * x : NULL;
        const uint32_t bits = t->c ? take_three(rows, a, b, t->c + 2 * x, to_b, copied ? t->to_c + 2 * x : NULL,
                                                block.columns, taps)
                                   : take_two(rows, a, b, to_b, block.columns, taps);
        most = bits > most ? bits : most;
        reduce_columns(above, rows, block, taps);
    }
    return most <= ONE_BITS;
}

VXBI_CLONES
static bool copy_nearest(float *restrict above, uint32_t cells, const struct taking *t)
{
    return take_reduce(above, cells, t, NEAREST_RING, true);
}

VXBI_CLONES
static bool copy_farthest(float *restrict above, uint32_t cells, const struct taking *t)
{
    return take_reduce(above, cells, t, FARTHEST_COVER, true);
}

VXBI_CLONES
static bool keep_nearest(float *restrict above, uint32_t cells, const struct taking *t)
{
    return take_reduce(above, cells, t, NEAREST_RING, false);
}

VXBI_CLONES
static bool keep_farthest(float *restrict above, uint32_t cells, const struct taking *t)
{
    return take_reduce(above, cells, t, FARTHEST_COVER, false);
}

uint32_t vxbi_pyramid_reach(enum vxb_reduce reduce, uint32_t height, uint32_t y)
{
    return y + 2 == height || (reduce == VXB_REDUCE_NEAREST && y + 1 < height) ? 2 : 1;
}

bool vxbi_pyramid_take_reduce(enum vxb_reduce kind, const struct vxb_pyramid_level *level, uint32_t y, float *to,
                              const float *in, uint32_t count, float *above)
{
    const uint32_t width = level->width, cells = vxk_pyramid_side(width, 1);
    const bool nearest = kind == VXB_REDUCE_NEAREST;
    const struct taking taking = {.a = level->texels + (uint64_t)(y - 1) * width,
                                  .b = in,
                                  .c = count == 2 ? in + width : NULL,
                                  .to_b = to,
                                  .to_c = count == 2 ? to + width : NULL,
                                  .width = width};
    if (to == in)
        return nearest ? keep_nearest(above, cells, &taking) : keep_farthest(above, cells, &taking);
    return nearest ? copy_nearest(above, cells, &taking) : copy_farthest(above, cells, &taking);
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
