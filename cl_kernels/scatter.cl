/* The scatter of a tile, a run of cells: count, prefix sum, write.
 *
 * Each candidate is judged, and blades are counted by chunk. Then every chunk has a bucket for some VXK_BUCKET_BLADES
 * of its blades, a blade's bucket ascends with its place in the order, and a prefix sum over the buckets tells where each
 * begins. Atomics hand out places within a bucket only; there each blade's place is the number of those before it by
 * (rank, hash), which no two blades of a chunk have in common: what comes out depends on no order of arrival.
 *
 * In judge, count and place, dimension 0 is a cell's candidates, VXK_EACH of them an item, dimension 1 the tile's
 * cells. */
#include "vxk_scatter.h"

static struct vxk_terrain terrain_of(__global const ushort *heights, __global const uchar *holes,
                                     __global const uchar *exclude, __global const uchar *scale,
                                     __global const uchar *layer0, __global const uchar *layer1,
                                     __global const uchar *layer2, __global const uchar *layer3)
{
    struct vxk_terrain t;
    t.heights = heights;
    t.holes = holes;
    t.exclude = exclude;
    t.scale = scale;
    t.layer[0] = layer0;
    t.layer[1] = layer1;
    t.layer[2] = layer2;
    t.layer[3] = layer3;
    return t;
}

/* Counts in a word, 8 bits a reason: an item has fewer candidates than would fill them. */
#define ONE(reason) ((ulong)1 << 8u * (reason))

static void add_up(__local uint *tally, ulong counts)
{
    uint reason;
    for (reason = 0u; reason < VXK_REASONS; reason++) {
        uint count = (uint)(counts >> 8u * reason) & 0xFFu;
        if (count)
            atomic_add(&tally[reason], count);
    }
}

/* rank_most: blades above it count as budget, and are none. wants: VXK_WANTS_BLADES, to go on and write them: the
 * verdicts, and made, the record of each candidate that is a blade, since to make it again later costs more than to
 * keep it; VXK_WANTS_RANKS: ranks, a histogram of 65536 for each species. */
__kernel void scatter_judge(__constant struct vxk_scatter *s, __global const struct vxk_cell *cells,
                            __global const ushort *heights, __global const uchar *holes, __global const uchar *exclude,
                            __global const uchar *scale, __global const uchar *layer0, __global const uchar *layer1,
                            __global const uchar *layer2, __global const uchar *layer3, uint4 rank_most, uint per_cell,
                            uint wants, __global uint *verdicts, __global uint4 *made, __global uint *ranks,
                            __global uint *tallies, __local uint *tally)
{
    uint cell = (uint)get_global_id(1), me = (uint)get_local_id(0), wide = (uint)get_local_size(0), k;
    uint begin = (uint)get_group_id(0) * wide * VXK_EACH + me, end = min(per_cell, begin + wide * VXK_EACH), i;
    ulong counts0 = 0u, counts1 = 0u, counts2 = 0u, counts3 = 0u;
    for (k = me; k < VXK_TALLIES; k += wide)
        tally[k] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = begin; i < end; i += wide) {
        struct vxk_candidate c = vxk_judged(
            s, terrain_of(heights, holes, exclude, scale, layer0, layer1, layer2, layer3), cells[cell], i);
        uint most = c.species == 0u   ? rank_most.x
                    : c.species == 1u ? rank_most.y
                    : c.species == 2u ? rank_most.z
                                      : rank_most.w;
        if (c.reason == VXK_PLACED && c.rank > most)
            c.reason = VXK_BUDGET;
        if (wants & VXK_WANTS_BLADES) {
            verdicts[cell * per_cell + i] = vxk_verdict_word(c);
            if (c.reason == VXK_PLACED) {
                struct vxk_record r = vxk_record_of(s, cells[cell], c);
                made[cell * per_cell + i] = (uint4)(r.word[0], r.word[1], r.word[2], r.word[3]);
            }
        }
        if (wants & VXK_WANTS_RANKS && c.reason == VXK_PLACED)
            atomic_inc(&ranks[c.species << 16 | c.rank]);
        counts0 += c.species == 0u ? ONE(c.reason) : 0u;
        counts1 += c.species == 1u ? ONE(c.reason) : 0u;
        counts2 += c.species == 2u ? ONE(c.reason) : 0u;
        counts3 += c.species == 3u ? ONE(c.reason) : 0u;
    }
    add_up(tally, counts0);
    add_up(tally + VXK_REASONS, counts1);
    add_up(tally + 2u * VXK_REASONS, counts2);
    add_up(tally + 3u * VXK_REASONS, counts3);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = me; k < VXK_TALLIES; k += wide)
        if (tally[k])
            atomic_add(&tallies[cell * VXK_TALLIES + k], tally[k]);
}

static uint hash_of(__global const struct vxk_cell *cells, uint per_cell, uint candidate)
{
    return vxk_mix(cells[candidate / per_cell].seed, candidate % per_cell);
}

/* The bucket of candidate i of a cell, of a verdict that is a blade's. */
static uint bucket_of(uint seed, __global const struct vxk_chunk *chunks, uint i, uint verdict, uint *key)
{
    *key = vxk_order_key(vxk_verdict_rank(verdict), vxk_mix(seed, i));
    return vxk_bucket(chunks[vxk_verdict_species(verdict)], *key);
}

/* A cell's buckets; those of its chunks follow each other. */
static uint buckets_of(__global const struct vxk_chunk *chunks)
{
    return chunks[3].bucket + chunks[3].buckets - chunks[0].bucket;
}

/* Adds a group's blades to counts, by the bucket; from is the first bucket's number. A macro, since counts may be a
 * group's own or everybody's. */
#define COUNT_BLADES(counts, from)                                                                         \
    for (i = begin; i < end; i += wide) {                                                                  \
        uint verdict = verdicts[cell * per_cell + i], key;                                                 \
        if (vxk_verdict_reason(verdict) == VXK_PLACED)                                                     \
            atomic_inc(&(counts)[bucket_of(seed, chunks, i, verdict, &key) - (from)]);                     \
    }

/* Hands out places of counts, by the bucket. */
#define PLACE_BLADES(counts, from)                                                                         \
    for (i = begin; i < end; i += wide) {                                                                  \
        uint verdict = verdicts[cell * per_cell + i], key, bucket;                                         \
        if (vxk_verdict_reason(verdict) == VXK_PLACED) {                                                   \
            bucket = bucket_of(seed, chunks, i, verdict, &key);                                            \
            entries[atomic_inc(&(counts)[bucket - (from)])] = (uint2)(key, cell * per_cell + i);           \
        }                                                                                                  \
    }

/* mine, room: a group's own counts, for a cell that has no more buckets than it has room for. */
__kernel void scatter_count(__global const struct vxk_cell *cells, __global const struct vxk_chunk *all_chunks,
                            uint per_cell, __global const uint *verdicts, __global uint *buckets, __local uint *mine,
                            uint room)
{
    uint cell = (uint)get_global_id(1), me = (uint)get_local_id(0), wide = (uint)get_local_size(0), i;
    uint begin = (uint)get_group_id(0) * wide * VXK_EACH + me, end = min(per_cell, begin + wide * VXK_EACH);
    __global const struct vxk_chunk *chunks = all_chunks + cell * 4u;
    uint seed = cells[cell].seed, first = chunks[0].bucket, count = buckets_of(chunks);
    if (count > room) {
        COUNT_BLADES(buckets, 0u)
        return;
    }
    for (i = me; i < count; i += wide)
        mine[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    COUNT_BLADES(mine, first)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = me; i < count; i += wide)
        if (mine[i])
            atomic_add(&buckets[first + i], mine[i]);
}

/* sums[i]: of values VXK_RUN * i to VXK_RUN * i + VXK_RUN - 1. */
__kernel void scatter_sum_runs(__global const uint *values, uint count, __global uint *sums)
{
    uint i = (uint)get_global_id(0), begin = i * VXK_RUN, end = min(count, begin + VXK_RUN), sum = 0u, k;
    if (begin >= count)
        return;
    for (k = begin; k < end; k++)
        sum += values[k];
    sums[i] = sum;
}

/* Each value becomes the sum of those before it: sums holds, for each run, that of the runs before it. */
__kernel void scatter_add_runs(__global uint *values, uint count, __global const uint *sums)
{
    uint i = (uint)get_global_id(0), begin = i * VXK_RUN, end = min(count, begin + VXK_RUN), sum, k;
    if (begin >= count)
        return;
    sum = sums[i];
    for (k = begin; k < end; k++) {
        uint value = values[k];
        values[k] = sum;
        sum += value;
    }
}

/* buckets: where each begins; becomes where it ends. entries: key, candidate. A group takes places for all its blades of
 * a bucket at once. */
__kernel void scatter_place(__global const struct vxk_cell *cells, __global const struct vxk_chunk *all_chunks,
                            uint per_cell, __global const uint *verdicts, __global uint *buckets,
                            __global uint2 *entries, __local uint *mine, uint room)
{
    uint cell = (uint)get_global_id(1), me = (uint)get_local_id(0), wide = (uint)get_local_size(0), i;
    uint begin = (uint)get_group_id(0) * wide * VXK_EACH + me, end = min(per_cell, begin + wide * VXK_EACH);
    __global const struct vxk_chunk *chunks = all_chunks + cell * 4u;
    uint seed = cells[cell].seed, first = chunks[0].bucket, count = buckets_of(chunks);
    if (count > room) {
        PLACE_BLADES(buckets, 0u)
        return;
    }
    for (i = me; i < count; i += wide)
        mine[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    COUNT_BLADES(mine, first)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = me; i < count; i += wide)
        if (mine[i])
            mine[i] = atomic_add(&buckets[first + i], mine[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    PLACE_BLADES(mine, first)
}

/* What a blade is sorted by. */
static ulong order_of(__global const struct vxk_cell *cells, uint per_cell, uint2 entry)
{
    return (ulong)(entry.x >> 16) << 32 | hash_of(cells, per_cell, entry.y);
}

/* Records in order, and the hashes, where a budget may want them. A group to a bucket; mine: room for so many of its
 * blades' keys, which is nearly always enough. */
__kernel void scatter_write(__global const struct vxk_cell *cells, uint per_cell, __global const uint *ends,
                            __global const uint2 *entries, __global const uint4 *made, uint wants_hashes,
                            __global uint4 *records, __global uint *hashes, __local ulong *mine, uint room)
{
    uint bucket = (uint)get_group_id(0), me = (uint)get_local_id(0), wide = (uint)get_local_size(0), i, k;
    uint begin = bucket ? ends[bucket - 1u] : 0u, count = ends[bucket] - begin;
    for (i = me; i < min(count, room); i += wide)
        mine[i] = order_of(cells, per_cell, entries[begin + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = me; i < count; i += wide) {
        uint2 entry = entries[begin + i];
        ulong own = order_of(cells, per_cell, entry);
        uint to = begin;
        for (k = 0u; k < min(count, room); k++)
            to += mine[k] < own;
        for (; k < count; k++)
            to += order_of(cells, per_cell, entries[begin + k]) < own;
        records[to] = made[entry.y];
        if (wants_hashes)
            hashes[to] = (uint)own;
    }
}
