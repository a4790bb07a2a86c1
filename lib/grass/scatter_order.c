/* Putting blades in order. Ranks are uniform below rank_end (a draw over its own limit) and so are hashes, so a key of
 * both, scaled to as many buckets as there are blades, leaves about one a bucket; an insertion sort over all ends it.
 * What moves meanwhile is an 8-byte key, and each record but once. */
#include "scatter_order.h"

#include <string.h>

#include "../core/bytes.h"
#include "../vxbake/grass.h"
#include "vxk_order.h"

#define SLACK 16       /* whole groups of the pack loop */
#define BUCKET_MOST 64 /* blades that an insertion sort is good for */

static void *array(const struct vxb_allocator *allocator, uint64_t room, size_t size)
{
    return vxbi_new(allocator, room + SLACK, size);
}

void vxbi_pile_free(const struct vxb_allocator *allocator, struct vxbi_pile *pile)
{
    const uint64_t room = pile->room + SLACK;
    vxbi_delete(allocator, pile->words, room, sizeof *pile->words);
    vxbi_delete(allocator, pile->hashes, room, sizeof *pile->hashes);
    vxbi_delete(allocator, pile->keys, room, sizeof *pile->keys);
    vxbi_delete(allocator, pile->species, room, sizeof *pile->species);
    vxbi_delete(allocator, pile->sorted, room, sizeof *pile->sorted);
    vxbi_delete(allocator, pile->records, room, VXB_GRASS_RECORD_BYTES);
    vxbi_delete(allocator, pile->record_hashes, room, sizeof *pile->record_hashes);
    vxbi_delete(allocator, pile->starts, room, sizeof *pile->starts);
    *pile = (struct vxbi_pile){0};
}

bool vxbi_pile_room(const struct vxb_allocator *allocator, struct vxbi_pile *pile, uint64_t blades)
{
    if (blades <= pile->room)
        return true;
    vxbi_pile_free(allocator, pile);
    pile->room = blades;
    pile->words = array(allocator, blades, sizeof *pile->words);
    pile->hashes = array(allocator, blades, sizeof *pile->hashes);
    pile->keys = array(allocator, blades, sizeof *pile->keys);
    pile->species = array(allocator, blades, sizeof *pile->species);
    pile->sorted = array(allocator, blades, sizeof *pile->sorted);
    pile->records = array(allocator, blades, VXB_GRASS_RECORD_BYTES);
    pile->record_hashes = array(allocator, blades, sizeof *pile->record_hashes);
    pile->starts = array(allocator, blades, sizeof *pile->starts);
    if (pile->words && pile->hashes && pile->keys && pile->species && pile->sorted && pile->records &&
        pile->record_hashes && pile->starts)
        return true;
    vxbi_pile_free(allocator, pile);
    return false;
}

/* Where a species' buckets are, and what takes a key to one of them. */
struct scale {
    uint32_t first;
    uint64_t factor;
};

static inline uint32_t bucket_of(const struct scale *scale, uint32_t key)
{
    return vxk_bucket(key, scale->first, scale->factor);
}

/* Whether key a goes before key b; two that differ in the hash's low half alone are one pair in 2^32. */
static inline bool before(const struct vxbi_pile *pile, uint64_t a, uint64_t b)
{
    return a >> 32 != b >> 32 ? a < b : pile->hashes[(uint32_t)a] < pile->hashes[(uint32_t)b];
}

/* Of a run whose buckets are in order, so that nothing moves far. */
static void insertion_sort(const struct vxbi_pile *pile, uint64_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t moving = keys[i];
        if (moving >> 32 > keys[i - 1] >> 32)
            continue;
        uint32_t j = i;
        for (; j > 0 && before(pile, moving, keys[j - 1]); j--)
            keys[j] = keys[j - 1];
        keys[j] = moving;
    }
}

/* For a bucket that came out large against all odds: in place, and n log n whatever comes. */
static void heap_sort(const struct vxbi_pile *pile, uint64_t *keys, uint32_t count)
{
    for (uint32_t start = count / 2, end = count; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            uint64_t last = keys[--end];
            keys[end] = keys[0];
            keys[0] = last;
        }
        uint64_t moving = keys[start];
        uint32_t hole = start;
        for (uint32_t child; (child = 2 * hole + 1) < end; hole = child) {
            if (child + 1 < end && before(pile, keys[child], keys[child + 1]))
                child++;
            if (!before(pile, moving, keys[child]))
                break;
            keys[hole] = keys[child];
        }
        keys[hole] = moving;
    }
}

static void write_out(const struct vxbi_pile *pile)
{
    for (uint32_t i = 0; i < pile->count; i++) {
        const uint32_t from = (uint32_t)pile->sorted[i], *words = pile->words[from];
        uint8_t *record = pile->records + (size_t)i * VXB_GRASS_RECORD_BYTES;
        vxbi_store_u32(record, words[0]);
        vxbi_store_u32(record + 4, words[1]);
        vxbi_store_u32(record + 8, words[2]);
        vxbi_store_u32(record + 12, words[3]);
        pile->record_hashes[i] = pile->hashes[from];
    }
}

/* Counts into starts, behind each bucket's own place; sums; moves each key to its bucket. A start then is an end. */
static void fill_buckets(struct vxbi_pile *pile, const struct scale *scales)
{
    const uint32_t count = pile->count;
    uint32_t *starts = pile->starts, most = 0;
    memset(starts, 0, ((size_t)count + 1) * sizeof *starts);
    for (uint32_t i = 0; i < count; i++)
        starts[bucket_of(&scales[pile->species[i]], pile->keys[i]) + 1]++;
    for (uint32_t k = 1; k <= count; k++) {
        most = starts[k] > most ? starts[k] : most;
        starts[k] += starts[k - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = pile->keys[i];
        pile->sorted[starts[bucket_of(&scales[pile->species[i]], key)]++] = (uint64_t)key << 32 | i;
    }
    for (uint32_t k = 0, start = 0; most > BUCKET_MOST && k < count; start = starts[k++])
        if (starts[k] - start > BUCKET_MOST)
            heap_sort(pile, pile->sorted + start, starts[k] - start);
}

void vxbi_pile_order(struct vxbi_pile *pile, uint32_t species_count, const uint32_t per_species[VXB_SPECIES_MAX],
                     const uint32_t rank_end[VXB_SPECIES_MAX])
{
    struct scale scales[VXB_SPECIES_MAX] = {{0, 0}};
    for (uint32_t k = 0, first = 0; k < species_count; first += per_species[k++])
        if (per_species[k])
            scales[k] = (struct scale){first, vxk_bucket_factor(per_species[k], rank_end[k])};
    fill_buckets(pile, scales);
    for (uint32_t k = 0; k < species_count; k++)
        insertion_sort(pile, pile->sorted + scales[k].first, per_species[k]);
    write_out(pile);
}
