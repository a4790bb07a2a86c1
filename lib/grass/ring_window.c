/* The cells an update looks among, and the arithmetic of distance over them.
 *
 * Both axes' squared distances fall towards the view and rise from it, and so does their sum, rounded or not: a
 * row's cells within any distance are one interval around its nearest cell. The one exception, the view's own cell,
 * whose distance is 0 whatever rounding says, lies beside or in its row's interval. */
#include "ring.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "../core/text.h"

/* A cell is within a distance of the view by real numbers only if it is among those between view - range and view +
 * range or touches them; f32 moves a side by less than a cell, of a metre at least, at the largest coordinates
 * allowed. */
enum { MARGIN = 2 };

float vxbi_ring_square_below(float distance)
{
    float square = distance * distance;
    while (sqrtf(square) > distance)
        square = nextafterf(square, 0.0f);
    while (sqrtf(nextafterf(square, INFINITY)) <= distance)
        square = nextafterf(square, INFINITY);
    return square;
}

static int32_t cell_of(float position, float cell_size)
{
    return (int32_t)floorf(position / cell_size);
}

static int32_t word_of(int32_t x)
{
    return x >= 0 ? x / 64 : -((63 - x) / 64);
}


static void drop_scratch(struct vxb_ring *ring)
{
    const struct vxb_allocator *a = &ring->allocator;
    struct vxbi_ring_window *w = &ring->window;
    vxbi_delete(a, w->dx2, w->col_room, sizeof *w->dx2);
    vxbi_delete(a, w->dz2, w->row_room, sizeof *w->dz2);
    vxbi_delete(a, w->want, w->word_room, sizeof *w->want);
    vxbi_delete(a, w->resident, w->word_room, sizeof *w->resident);
    vxbi_delete(a, w->strip, w->word_room, sizeof *w->strip);
    for (int i = 0; i < 3; i++)
        vxbi_delete(a, w->spans[i], w->row_room, sizeof *w->spans[i]);
    memset(w, 0, sizeof *w);
}

void vxbi_ring_window_clear(struct vxb_ring *ring)
{
    drop_scratch(ring);
    vxbi_delete(&ring->allocator, ring->strips, ring->strip_room, sizeof *ring->strips);
    vxbi_delete(&ring->allocator, ring->next, ring->strip_room, sizeof *ring->next);
    ring->strips = ring->next = NULL;
    ring->strip_room = 0;
}

static bool make_scratch(struct vxb_ring *ring, uint64_t cols, uint64_t rows, uint64_t words)
{
    const struct vxb_allocator *a = &ring->allocator;
    struct vxbi_ring_window *w = &ring->window;
    drop_scratch(ring);
    w->col_room = cols;
    w->row_room = rows;
    w->word_room = words;
    w->dx2 = vxbi_new(a, cols, sizeof *w->dx2);
    w->dz2 = vxbi_new(a, rows, sizeof *w->dz2);
    w->want = vxbi_new(a, words, sizeof *w->want);
    w->resident = vxbi_new(a, words, sizeof *w->resident);
    w->strip = vxbi_new(a, words, sizeof *w->strip);
    bool fine = w->dx2 && w->dz2 && w->want && w->resident && w->strip;
    for (int i = 0; i < 3; i++) {
        w->spans[i] = vxbi_new(a, rows, sizeof *w->spans[i]);
        fine = fine && w->spans[i];
    }
    if (!fine)
        drop_scratch(ring);
    return fine;
}

/* Room for the strips of a window and for one resident cell in each of the others. */
static bool make_strips(struct vxb_ring *ring, uint64_t words)
{
    const struct vxb_allocator *a = &ring->allocator;
    uint64_t room = words + ring->capacity;
    struct vxbi_ring_strip *strips = vxbi_new(a, room, sizeof *strips), *next = vxbi_new(a, room, sizeof *next);
    if (!strips || !next) {
        vxbi_delete(a, strips, room, sizeof *strips);
        vxbi_delete(a, next, room, sizeof *next);
        return false;
    }
    if (ring->strip_count)
        memcpy(strips, ring->strips, ring->strip_count * sizeof *strips);
    vxbi_delete(a, ring->strips, ring->strip_room, sizeof *ring->strips);
    vxbi_delete(a, ring->next, ring->strip_room, sizeof *ring->next);
    ring->strips = strips;
    ring->next = next;
    ring->strip_room = room;
    return true;
}

/* Makes room for any window of this range, wherever the view is, so that a moving view allocates nothing. */
static enum vxb_status make_room(struct vxb_ring *ring, float range, struct vxb_error *err)
{
    uint64_t side = (uint64_t)(2.0 * (double)range / (double)ring->grid.cell_size) + 4 + 2 * MARGIN;
    uint64_t words = (side / 64 + 2) * side;
    if (ring->window.row_room < side && !make_scratch(ring, side, side, words))
        return vxbi_fail_memory(err, words * (2 * sizeof(uint64_t) + sizeof(uint32_t)));
    if (ring->strip_room < words + ring->capacity && !make_strips(ring, words))
        return vxbi_fail_memory(err, 2 * words * sizeof *ring->strips);
    return VXB_OK;
}

static void measure(struct vxbi_ring_window *w, float view_x, float view_z, float cell_size)
{
    for (int32_t i = 0; i < w->cols; i++)
        w->dx2[i] = vxbi_ring_axis2(view_x, w->x0 + i, cell_size);
    for (int32_t i = 0; i < w->rows; i++)
        w->dz2[i] = vxbi_ring_axis2(view_z, w->z0 + i, cell_size);
    int32_t here = w->here_x - w->x0;
    w->near_x = w->dx2[here - 1] < w->dx2[here] ? here - 1 : w->dx2[here + 1] < w->dx2[here] ? here + 1 : here;
}

enum vxb_status vxbi_ring_window_place(struct vxb_ring *ring, const float view[3], float range, struct vxb_error *err)
{
    float size = ring->grid.cell_size;
    int32_t x0 = cell_of(view[0] - range, size), x1 = cell_of(view[0] + range, size);
    int32_t z0 = cell_of(view[2] - range, size), z1 = cell_of(view[2] + range, size);
    uint64_t cells = (uint64_t)(x1 - x0 + 1) * (uint64_t)(z1 - z0 + 1);
    char text[VXB_TEXT_NUMBER_ROOM];
    if (cells > VXB_RING_CELLS_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "a range of %s m is over %" PRIu64 " cells; at most %d are allowed",
                         vxb_text_f32(range, text), cells, VXB_RING_CELLS_MAX);
    enum vxb_status status = make_room(ring, range, err);
    if (status)
        return status;
    struct vxbi_ring_window *w = &ring->window;
    w->want_x0 = x0;
    w->want_x1 = x1;
    w->want_z0 = z0;
    w->want_z1 = z1;
    w->x0 = x0 - MARGIN;
    w->z0 = z0 - MARGIN;
    w->cols = x1 - x0 + 1 + 2 * MARGIN;
    w->rows = z1 - z0 + 1 + 2 * MARGIN;
    w->word0 = word_of(w->x0);
    w->words = word_of(w->x0 + w->cols - 1) - w->word0 + 1;
    w->here_x = cell_of(view[0], size);
    w->here_z = cell_of(view[2], size);
    measure(w, view[0], view[2], size);
    return VXB_OK;
}

/* The row's interval, found from that of the row before: rows shrink away from the view, but for rounding in its
 * own. */
static struct vxbi_ring_span row_span(const struct vxbi_ring_window *w, float dz2, float square,
                                      struct vxbi_ring_span from)
{
    if (w->dx2[w->near_x] + dz2 > square)
        return (struct vxbi_ring_span){w->near_x, w->near_x - 1};
    if (from.last < from.first)
        from = (struct vxbi_ring_span){w->near_x, w->near_x};
    while (w->dx2[from.first] + dz2 > square)
        from.first++;
    while (w->dx2[from.last] + dz2 > square)
        from.last--;
    while (from.first > 0 && w->dx2[from.first - 1] + dz2 <= square)
        from.first--;
    while (from.last < w->cols - 1 && w->dx2[from.last + 1] + dz2 <= square)
        from.last++;
    return from;
}

void vxbi_ring_spans(const struct vxbi_ring_window *w, float distance, struct vxbi_ring_span *spans)
{
    float square = vxbi_ring_square_below(distance);
    int32_t row = w->here_z - w->z0, column = w->here_x - w->x0;
    struct vxbi_ring_span own = row_span(w, w->dz2[row], square, (struct vxbi_ring_span){0, w->cols - 1}), span = own;
    for (int32_t i = row + 1; i < w->rows; i++)
        spans[i] = span = row_span(w, w->dz2[i], square, span);
    span = own;
    for (int32_t i = row - 1; i >= 0; i--)
        spans[i] = span = row_span(w, w->dz2[i], square, span);
    if (own.last < own.first)
        own = (struct vxbi_ring_span){column, column};
    own.first = own.first < column ? own.first : column;
    own.last = own.last > column ? own.last : column;
    spans[row] = own;
}

struct vxbi_ring_counts vxbi_ring_count_within(const struct vxbi_ring_window *w, const struct vxbi_ring_span *spans)
{
    struct vxbi_ring_counts counts = {0, 0};
    int32_t lead = w->word0 * 64 - w->x0;
    for (int32_t row = 0; row < w->rows; row++) {
        struct vxbi_ring_span span = spans[row];
        if (span.last < span.first)
            continue;
        const uint64_t *want = w->want + (size_t)row * (size_t)w->words;
        const uint64_t *resident = w->resident + (size_t)row * (size_t)w->words;
        for (int32_t i = (span.first - lead) / 64; i <= (span.last - lead) / 64; i++) {
            uint64_t mask = vxbi_ring_mask(&span, lead + i * 64);
            counts.wanted += vxbi_ring_bits(want[i] & mask);
            counts.resident += vxbi_ring_bits(resident[i] & mask);
        }
    }
    return counts;
}
