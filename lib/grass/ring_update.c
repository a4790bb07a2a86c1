/* What an update does once its window stands: evict what is too far, then give slots to the nearest cells that lack
 *   one.
 *
 * Where a ring runs out, the cells that get a slot are those up to some distance, its edge, and those that lose one
 * are the residents beyond it. The edge is bracketed by counting, from where it was before; only the cells up to the
 * bracket's end that have no slot, and the residents beyond its start, are ever looked at one by one and sorted. */
#include "ring.h"

#include <math.h>
#include <string.h>

/* The spans of a window. */
enum { WITHIN_RANGE, WITHIN_LOW, WITHIN_HIGH };

struct advance {
    struct vxb_ring *ring;
    struct vxbi_ring_window *window;
    float view_x, view_z, range;
    float keep_square;       /* of the greatest distance at which a cell stays */
    uint64_t wanted;         /* cells within range without a slot */
    uint32_t free;           /* slots, once the far cells have gone */
    uint32_t wanted_count, farthest_count; /* picked */
};

/* ---- sorting ---- */

static void insertion_sort(struct vxbi_ring_pick *picks, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct vxbi_ring_pick pick = picks[i];
        uint32_t j = i;
        for (; j > 0 && picks[j - 1].key > pick.key; j--)
            picks[j] = picks[j - 1];
        picks[j] = pick;
    }
}

void vxbi_ring_sort(struct vxbi_ring_pick *picks, struct vxbi_ring_pick *swap, uint32_t count)
{
    uint32_t counts[8][256] = {0};
    struct vxbi_ring_pick *from = picks, *to = swap;
    if (count < 32) {
        insertion_sort(picks, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (int digit = 0; digit < 8; digit++)
            counts[digit][picks[i].key >> 8 * digit & 255]++;
    for (int digit = 0; digit < 8; digit++) {
        uint32_t sum = 0;
        if (counts[digit][picks[0].key >> 8 * digit & 255] == count)
            continue;
        for (int i = 0; i < 256; i++) {
            uint32_t n = counts[digit][i];
            counts[digit][i] = sum;
            sum += n;
        }
        for (uint32_t i = 0; i < count; i++)
            to[counts[digit][from[i].key >> 8 * digit & 255]++] = from[i];
        struct vxbi_ring_pick *last = from;
        from = to;
        to = last;
    }
    if (from != picks)
        memcpy(picks, from, count * sizeof *picks);
}

/* ---- eviction, and the strips of the new window ---- */

static float square_to(const struct advance *a, int32_t x, int32_t z)
{
    float size = a->ring->grid.cell_size;
    if (x == a->window->here_x && z == a->window->here_z)
        return 0.0f;
    return vxbi_ring_axis2(a->view_x, x, size) + vxbi_ring_axis2(a->view_z, z, size);
}

/* Those of a strip's resident cells that are too far: a run at either end. */
static uint64_t too_far(const struct advance *a, const struct vxbi_ring_strip *strip)
{
    uint64_t rest = strip->resident;
    while (rest && square_to(a, strip->word * 64 + vxbi_ring_low(rest), strip->z) > a->keep_square)
        rest &= rest - 1;
    while (rest && square_to(a, strip->word * 64 + vxbi_ring_high(rest), strip->z) > a->keep_square)
        rest ^= (uint64_t)1 << vxbi_ring_high(rest);
    return strip->resident & ~rest;
}

static void evict(struct vxb_ring *ring, int32_t x, int32_t z, uint32_t slot)
{
    ring->evicted[ring->evicted_count++] = (struct vxb_ring_slot){x, z, slot};
}

static void evict_far(const struct advance *a, struct vxbi_ring_strip *strip)
{
    uint64_t far = too_far(a, strip);
    strip->resident &= ~far;
    for (; far; far &= far - 1) {
        int32_t x = strip->word * 64 + vxbi_ring_low(far);
        uint32_t slot = vxbi_ring_unbind(a->ring, x, strip->z);
        vxbi_ring_put_free(a->ring, slot);
        evict(a->ring, x, strip->z, slot);
    }
}

static uint64_t cells_held(const struct vxb_ring_grid *grid, int32_t word, int32_t z)
{
    uint64_t bits = 0;
    if (!grid->holds)
        return ~(uint64_t)0;
    for (int32_t i = 0; i < 64; i++)
        bits |= (uint64_t)grid->holds(grid->user, word * 64 + i, z) << i;
    return bits;
}

static bool is_before(const struct vxbi_ring_strip *strip, int32_t z, int32_t word)
{
    return strip->z < z || (strip->z == z && strip->word < word);
}

/* Evicts from the strips before a place in their order, and keeps those that still hold a resident cell. */
static void pass_strips(const struct advance *a, uint32_t *from, uint32_t *to, int32_t z, int32_t word)
{
    struct vxb_ring *ring = a->ring;
    for (; *from < ring->strip_count && is_before(&ring->strips[*from], z, word); ++*from) {
        struct vxbi_ring_strip *strip = &ring->strips[*from];
        evict_far(a, strip);
        if (strip->resident)
            ring->next[(*to)++] = *strip;
    }
}

/* Merges the strips there are with those of the window. */
static void renew_strips(const struct advance *a)
{
    struct vxb_ring *ring = a->ring;
    struct vxbi_ring_window *w = a->window;
    uint32_t from = 0, to = 0, *index = w->strip;
    for (int32_t z = w->z0; z < w->z0 + w->rows; z++)
        for (int32_t word = w->word0; word < w->word0 + w->words; word++) {
            pass_strips(a, &from, &to, z, word);
            struct vxbi_ring_strip *strip = &ring->next[to];
            if (from < ring->strip_count && ring->strips[from].z == z && ring->strips[from].word == word) {
                *strip = ring->strips[from++];
                evict_far(a, strip);
            } else {
                *strip = (struct vxbi_ring_strip){.z = z, .word = word, .holds = cells_held(&ring->grid, word, z)};
            }
            *index++ = to++;
        }
    pass_strips(a, &from, &to, INT32_MAX, 0);
    struct vxbi_ring_strip *last = ring->strips;
    ring->strips = ring->next;
    ring->next = last;
    ring->strip_count = to;
}

/* Which cells of the window are wanted, and which resident, as bits. */
static void mark_wanted(struct advance *a)
{
    struct vxbi_ring_window *w = a->window;
    int32_t lead = w->word0 * 64 - w->x0;
    vxbi_ring_spans(w, a->range, w->spans[WITHIN_RANGE]);
    for (int32_t row = 0; row < w->rows; row++) {
        struct vxbi_ring_span span = w->spans[WITHIN_RANGE][row];
        bool none = w->z0 + row < w->want_z0 || w->z0 + row > w->want_z1;
        span.first = span.first > w->want_x0 - w->x0 ? span.first : w->want_x0 - w->x0;
        span.last = none ? span.first - 1 : span.last < w->want_x1 - w->x0 ? span.last : w->want_x1 - w->x0;
        for (int32_t i = 0; i < w->words; i++) {
            size_t at = (size_t)row * (size_t)w->words + (size_t)i;
            const struct vxbi_ring_strip *strip = &a->ring->strips[w->strip[at]];
            w->resident[at] = strip->resident;
            w->want[at] = strip->holds & ~strip->resident & vxbi_ring_mask(&span, lead + i * 64);
        }
    }
}

/* ---- the edge ---- */

/* A distance up to which every wanted cell gets a slot (low; below 0: none is within it), and one beyond which none
 * does. */
struct bracket {
    float low, high;
    struct vxbi_ring_counts at_low, at_high;
};

static uint32_t beyond(const struct vxb_ring *ring, struct vxbi_ring_counts counts)
{
    return ring->count - (uint32_t)counts.resident;
}

/* Moves one end of the bracket to a distance within it; true where it was the lower. */
static bool narrow(const struct advance *a, struct bracket *b, float distance)
{
    struct vxbi_ring_span *spans = a->window->spans[WITHIN_LOW];
    vxbi_ring_spans(a->window, distance, spans);
    struct vxbi_ring_counts counts = vxbi_ring_count_within(a->window, spans);
    /* The k-th wanted cell takes the slot of the (k - free)-th farthest resident. */
    bool low = counts.wanted <= (uint64_t)a->free + beyond(a->ring, counts);
    *(low ? &b->low : &b->high) = distance;
    *(low ? &b->at_low : &b->at_high) = counts;
    return low;
}

static bool is_between(const struct bracket *b, float distance)
{
    return distance >= 0.0f && distance > b->low && distance < b->high;
}

/* From where the edge was, outward with growing steps until it is in between. */
static void narrow_around(const struct advance *a, struct bracket *b, float edge)
{
    const float cell = a->ring->grid.cell_size;
    for (float step = cell; is_between(b, edge - step) && !narrow(a, b, edge - step);)
        step *= 2.0f;
    for (float step = cell; is_between(b, edge + step) && narrow(a, b, edge + step);)
        step *= 2.0f;
}

static void find_edge(const struct advance *a, struct vxbi_ring_counts in_range, struct bracket *b)
{
    *b = (struct bracket){.low = -1.0f, .high = a->range, .at_high = in_range};
    if (a->ring->edge > 0.0f)
        narrow_around(a, b, a->ring->edge);
    for (;;) {
        uint64_t between = (b->at_high.wanted + b->at_high.resident) - (b->at_low.wanted + b->at_low.resident);
        float low = b->low > 0.0f ? b->low : 0.0f, middle = low + (b->high - low) / 2.0f;
        if (between <= VXBI_RING_SHELL || !is_between(b, middle))
            return;
        narrow(a, b, middle);
    }
}

/* ---- picking ---- */

static struct vxbi_ring_pick pick_cell(const struct advance *a, uint32_t strip, int32_t x, int32_t z)
{
    struct vxbi_ring_pick pick = {.x = x, .z = z, .strip = strip};
    float distance = sqrtf(square_to(a, x, z));
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits); /* of a float not below 0: they sort as it does */
    pick.key = bits;
    return pick;
}

/* Wanted cells within both spans; of those within high alone at most so many: where there are more they are all at one
 * distance, and stand in the order they are taken in. low: NULL where nothing is within it. */
static void pick_wanted(struct advance *a, const struct vxbi_ring_span *low, const struct vxbi_ring_span *high,
                        uint64_t most_between)
{
    struct vxb_ring *ring = a->ring;
    struct vxbi_ring_window *w = a->window;
    int32_t lead = w->word0 * 64 - w->x0;
    for (int32_t row = 0; row < w->rows; row++)
        for (int32_t i = 0; i < w->words; i++) {
            size_t at = (size_t)row * (size_t)w->words + (size_t)i;
            uint64_t inner = low ? vxbi_ring_mask(&low[row], lead + i * 64) : 0;
            for (uint64_t rest = w->want[at] & vxbi_ring_mask(&high[row], lead + i * 64); rest; rest &= rest - 1) {
                if (!(inner & rest & (~rest + 1))) {
                    if (most_between == 0)
                        continue;
                    most_between--;
                }
                ring->wanted[a->wanted_count++] =
                    pick_cell(a, w->strip[at], (w->word0 + i) * 64 + vxbi_ring_low(rest), w->z0 + row);
            }
        }
    vxbi_ring_sort(ring->wanted, ring->swap, a->wanted_count);
}

/* Resident cells that are not within the spans. */
static void pick_farthest(struct advance *a, const struct vxbi_ring_span *within)
{
    struct vxb_ring *ring = a->ring;
    const struct vxbi_ring_window *w = a->window;
    for (uint32_t i = 0; i < ring->strip_count; i++) {
        const struct vxbi_ring_strip *strip = &ring->strips[i];
        bool inside = within && strip->z >= w->z0 && strip->z < w->z0 + w->rows;
        uint64_t rest = strip->resident;
        if (rest && inside)
            rest &= ~vxbi_ring_mask(&within[strip->z - w->z0], strip->word * 64 - w->x0);
        for (; rest; rest &= rest - 1)
            ring->farthest[a->farthest_count++] =
                pick_cell(a, i, strip->word * 64 + vxbi_ring_low(rest), strip->z);
    }
    vxbi_ring_sort(ring->farthest, ring->swap, a->farthest_count);
}

/* Picks all cells that can get or lose a slot. */
static void pick(struct advance *a, struct vxbi_ring_counts in_range)
{
    struct vxb_ring *ring = a->ring;
    struct vxbi_ring_span **spans = a->window->spans;
    if (a->wanted <= (uint64_t)a->free + beyond(ring, in_range)) {
        pick_wanted(a, spans[WITHIN_RANGE], spans[WITHIN_RANGE], 0);
        if (a->wanted > a->free)
            pick_farthest(a, spans[WITHIN_RANGE]);
        return;
    }
    struct bracket b;
    find_edge(a, in_range, &b);
    ring->edge = b.high;
    if (b.low >= 0.0f)
        vxbi_ring_spans(a->window, b.low, spans[WITHIN_LOW]);
    vxbi_ring_spans(a->window, b.high, spans[WITHIN_HIGH]);
    const struct vxbi_ring_span *low = b.low >= 0.0f ? spans[WITHIN_LOW] : NULL;
    pick_wanted(a, low, spans[WITHIN_HIGH], (uint64_t)ring->capacity + VXBI_RING_SHELL - b.at_low.wanted);
    pick_farthest(a, low);
}

/* ---- giving ---- */

static uint64_t bit_of(const struct vxbi_ring_pick *pick, const struct vxbi_ring_strip *strip)
{
    return (uint64_t)1 << (pick->x - strip->word * 64);
}

static void give_slots(const struct advance *a, uint32_t most)
{
    struct vxb_ring *ring = a->ring;
    uint32_t left = a->farthest_count;
    for (uint32_t i = 0; i < a->wanted_count && ring->created_count < most; i++) {
        const struct vxbi_ring_pick *cell = &ring->wanted[i];
        uint32_t slot;
        if (ring->count < ring->capacity) {
            slot = vxbi_ring_take_free(ring);
        } else if (left > 0 && ring->farthest[left - 1].key > cell->key) {
            const struct vxbi_ring_pick *far = &ring->farthest[--left];
            ring->strips[far->strip].resident &= ~bit_of(far, &ring->strips[far->strip]);
            slot = vxbi_ring_unbind(ring, far->x, far->z);
            evict(ring, far->x, far->z, slot);
        } else {
            return;
        }
        ring->strips[cell->strip].resident |= bit_of(cell, &ring->strips[cell->strip]);
        vxbi_ring_bind(ring, cell->x, cell->z, slot);
        ring->created[ring->created_count++] = (struct vxb_ring_slot){cell->x, cell->z, slot};
    }
}

/* Those evicted for their slots come after those evicted for their distance. */
static void order_evicted(struct vxb_ring *ring)
{
    struct vxbi_ring_pick *picks = ring->farthest;
    for (uint32_t i = 0; i < ring->evicted_count; i++) {
        const struct vxb_ring_slot *cell = &ring->evicted[i];
        uint64_t z = (uint32_t)cell->cell_z ^ 0x80000000u, x = (uint32_t)cell->cell_x ^ 0x80000000u;
        picks[i] = (struct vxbi_ring_pick){.key = z << 32 | x, .x = cell->cell_x, .z = cell->cell_z,
                                           .slot = cell->slot};
    }
    vxbi_ring_sort(picks, ring->swap, ring->evicted_count);
    for (uint32_t i = 0; i < ring->evicted_count; i++)
        ring->evicted[i] = (struct vxb_ring_slot){picks[i].x, picks[i].z, picks[i].slot};
}

uint32_t vxbi_ring_advance(struct vxb_ring *ring, const float view[3], float range, uint32_t most_created)
{
    float keep = range * (1.0f + (ring->hysteresis > 0.0f ? ring->hysteresis : 0.0f));
    struct advance a = {.ring = ring, .window = &ring->window, .view_x = view[0], .view_z = view[2], .range = range,
                        .keep_square = vxbi_ring_square_below(keep)};
    ring->created_count = ring->evicted_count = ring->refused = 0;
    renew_strips(&a);
    mark_wanted(&a);
    struct vxbi_ring_counts in_range = vxbi_ring_count_within(a.window, a.window->spans[WITHIN_RANGE]);
    a.wanted = in_range.wanted;
    a.free = ring->capacity - ring->count;
    if (a.wanted == 0 || most_created == 0)
        return (uint32_t)a.wanted;
    uint32_t evicted = ring->evicted_count;
    pick(&a, in_range);
    give_slots(&a, most_created);
    if (ring->evicted_count > evicted)
        order_evicted(ring);
    uint32_t left = (uint32_t)(a.wanted - ring->created_count);
    if (ring->created_count == most_created)
        return left;
    ring->refused = left;
    return 0;
}
