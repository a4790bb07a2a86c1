/* The inside of the ring: residency as sorted strips of 64 cells, the slots, and what an update works in.
 *
 * Strips are kept by (z, x) and hold every resident cell and every cell among which the last update looked. A row of
 * cells is at a distance that first falls and then rises, so the cells of a row within any distance are one
 * interval, and what an update asks (how many, which) is masks and bit counts over strips. */
#ifndef VXBI_GRASS_RING_H
#define VXBI_GRASS_RING_H

#include "../vxbake/ring.h"

#define VXBI_RING_STRIP_CELLS 64
/* How many cells the two bounds of the distance at which a full ring ends may leave between them. */
#define VXBI_RING_SHELL 512

struct vxbi_ring_strip {
    int32_t z, word;   /* its cells are word * 64 + bit */
    uint64_t holds;    /* the cells that may be wanted */
    uint64_t resident;
};

/* A cell picked by an update. */
struct vxbi_ring_pick {
    uint64_t key;      /* what it is sorted by */
    int32_t x, z;
    uint32_t strip;
    uint32_t slot;
};

/* Cells first to last of a row, as offsets from the window's left; none where last < first. */
struct vxbi_ring_span {
    int32_t first, last;
};

/* Where an update looks: the cells between view - range and view + range, two more on each side. Whatever the
 *   rounding of its distance, a cell outside is farther than the range. */
struct vxbi_ring_window {
    int32_t x0, z0, cols, rows;
    int32_t word0, words;        /* strips a row */
    int32_t want_x0, want_x1, want_z0, want_z1; /* the cells that may be wanted, both included */
    int32_t here_x, here_z;      /* the view's cell */
    int32_t near_x;              /* a column nearer than or as near as any other, as an offset */
    float *dx2, *dz2;            /* squared distance on each axis */
    uint64_t *want, *resident;   /* rows * words */
    uint32_t *strip;             /* the strip of each */
    struct vxbi_ring_span *spans[3];
    uint64_t col_room, row_room, word_room; /* allocated */
};

struct vxbi_ring_entry {
    int32_t x, z;
    uint32_t slot_plus_1; /* 0: empty */
};

struct vxb_ring {
    struct vxb_allocator allocator;
    struct vxb_ring_grid grid;
    uint32_t capacity, count, refused;
    float hysteresis;

    struct vxbi_ring_strip *strips, *next; /* next: what an update merges into */
    uint32_t strip_count;
    uint64_t strip_room;                   /* of each */

    struct vxbi_ring_entry *table;         /* cell to slot, open addressing */
    uint32_t table_mask;
    uint64_t *free;                        /* a bit a slot */
    uint32_t free_word;                    /* no word before it has one */

    struct vxb_ring_slot *created, *evicted;
    uint32_t created_count, evicted_count;
    struct vxbi_ring_pick *wanted, *farthest, *swap; /* capacity + VXBI_RING_SHELL each */
    struct vxbi_ring_window window;
    float edge;                            /* the distance at which it last ran out; below 0: unknown */

    bool settled;                          /* the update below would change nothing */
    float settled_view[2], settled_range;
};

/* ring.c: slots. take_free needs count < capacity. */
uint32_t vxbi_ring_take_free(struct vxb_ring *ring);
void vxbi_ring_put_free(struct vxb_ring *ring, uint32_t slot);
void vxbi_ring_bind(struct vxb_ring *ring, int32_t x, int32_t z, uint32_t slot);
uint32_t vxbi_ring_unbind(struct vxb_ring *ring, int32_t x, int32_t z); /* the cell is bound; returns its slot */

/* ring_window.c: the arithmetic of distances, and the window. */

/* On one axis, squared: 0 within the cell. */
static inline float vxbi_ring_axis2(float view, int32_t cell, float cell_size)
{
    float low = (float)cell * cell_size, high = low + cell_size;
    float d = view < low ? low - view : view > high ? view - high : 0.0f;
    return d * d;
}
/* The largest square whose root is not above distance. */
float vxbi_ring_square_below(float distance);
/* Places the window. Returns VXB_ERR_LIMIT or VXB_ERR_MEMORY, the ring unchanged. */
enum vxb_status vxbi_ring_window_place(struct vxb_ring *ring, const float view[3], float range, struct vxb_error *err);
/* The spans of all rows within distance, and over them how many cells are wanted and how many resident. */
struct vxbi_ring_counts {
    uint64_t wanted, resident;
};
void vxbi_ring_spans(const struct vxbi_ring_window *window, float distance, struct vxbi_ring_span *spans);
struct vxbi_ring_counts vxbi_ring_count_within(const struct vxbi_ring_window *window,
                                               const struct vxbi_ring_span *spans);
/* The bits of a strip that a span covers. column: of the strip's first cell. */
static inline uint64_t vxbi_ring_mask(const struct vxbi_ring_span *span, int32_t column)
{
    int32_t first = span->first > column ? span->first - column : 0;
    int32_t last = span->last < column + 63 ? span->last - column : 63;
    return first > last ? 0 : (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first);
}
void vxbi_ring_window_clear(struct vxb_ring *ring);

/* ring_update.c: the update itself, within the window placed; returns how many cells it deferred. */
uint32_t vxbi_ring_advance(struct vxb_ring *ring, const float view[3], float range, uint32_t most_created);
/* Sorts stably by key; swap has room for as many. */
void vxbi_ring_sort(struct vxbi_ring_pick *picks, struct vxbi_ring_pick *swap, uint32_t count);

/* The lowest and the highest bit of a word that is not zero, and how many are set. */
static inline int vxbi_ring_low(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(word);
#else
    int bit = 0;
    for (; !(word & 1); word >>= 1)
        bit++;
    return bit;
#endif
}

static inline int vxbi_ring_high(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return 63 - __builtin_clzll(word);
#else
    int bit = 0;
    while (word >>= 1)
        bit++;
    return bit;
#endif
}

/* Written out: without an instruction chosen at build time, a compiler's own is a call. */
static inline uint32_t vxbi_ring_bits(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

#endif
