/* The scatter of a tile, a run of cells: count, prefix sum, write.
 *
 * Each candidate is judged, and blades are counted by chunk. Then every chunk has as many buckets as blades, a blade's
 * bucket ascends with its place in the order, and a prefix sum over the buckets tells where each begins. Atomics hand
 * out places within a bucket only, and each bucket is then sorted by (rank, hash), which no two blades of a chunk have
 * in common: what comes out depends on no order of arrival. */
#include "vxk_scatter.h"

#define RUN 32u /* what an item sums */
#define TALLIES 32u /* a cell: 4 species by 8 reasons */

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

/* Dimension 0: a cell's candidates; 1: the tile's cells, a work group to one cell. rank_most: blades above it count as
 * budget, and are none. made: the record of each candidate that is a blade; to make it again later costs more than to
 * keep it. */
__kernel void scatter_judge(__constant struct vxk_scatter *s, __global const struct vxk_cell *cells,
                            __global const ushort *heights, __global const uchar *holes, __global const uchar *exclude,
                            __global const uchar *scale, __global const uchar *layer0, __global const uchar *layer1,
                            __global const uchar *layer2, __global const uchar *layer3, uint4 rank_most, uint per_cell,
                            __global uint *verdicts, __global uint4 *made, __global uint *tallies,
                            __local uint *tally)
{
    uint i = (uint)get_global_id(0), cell = (uint)get_global_id(1), me = (uint)get_local_id(0), k;
    for (k = me; k < TALLIES; k += (uint)get_local_size(0))
        tally[k] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < per_cell) {
        struct vxk_candidate c = vxk_judged(
            s, terrain_of(heights, holes, exclude, scale, layer0, layer1, layer2, layer3), cells[cell], i);
        uint most = c.species == 0u   ? rank_most.x
                    : c.species == 1u ? rank_most.y
                    : c.species == 2u ? rank_most.z
                                      : rank_most.w;
        if (c.reason == VXK_PLACED && c.rank > most)
            c.reason = VXK_DENSITY + 1u;
        verdicts[cell * per_cell + i] = vxk_verdict_word(c);
        if (c.reason == VXK_PLACED) {
            struct vxk_record r = vxk_record_of(s, cells[cell], c);
            made[cell * per_cell + i] = (uint4)(r.word[0], r.word[1], r.word[2], r.word[3]);
        }
        atomic_inc(&tally[c.species * 8u + c.reason]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = me; k < TALLIES; k += (uint)get_local_size(0))
        if (tally[k])
            atomic_add(&tallies[cell * TALLIES + k], tally[k]);
}

static uint hash_of(__global const struct vxk_cell *cells, uint per_cell, uint candidate)
{
    return vxk_mix(cells[candidate / per_cell].seed, candidate % per_cell);
}

/* A bucket's key and which chunk's it is, of a verdict that is a blade's. */
static uint bucket_of(__global const struct vxk_cell *cells, __global const struct vxk_chunk *chunks, uint per_cell,
                      uint candidate, uint verdict, uint *key)
{
    uint hash = hash_of(cells, per_cell, candidate);
    *key = vxk_order_key(verdict >> 16, hash);
    return vxk_bucket(chunks[candidate / per_cell * 4u + (verdict >> 3 & 3u)], *key);
}

__kernel void scatter_count(__global const struct vxk_cell *cells, __global const struct vxk_chunk *chunks,
                            uint per_cell, uint candidates, __global const uint *verdicts, __global uint *buckets)
{
    uint i = (uint)get_global_id(0), key;
    if (i < candidates && (verdicts[i] & 7u) == VXK_PLACED)
        atomic_inc(&buckets[bucket_of(cells, chunks, per_cell, i, verdicts[i], &key)]);
}

/* sums[i]: of values RUN * i to RUN * i + RUN - 1. */
__kernel void scatter_sum_runs(__global const uint *values, uint count, __global uint *sums)
{
    uint i = (uint)get_global_id(0), begin = i * RUN, end = min(count, begin + RUN), sum = 0u, k;
    if (begin >= count)
        return;
    for (k = begin; k < end; k++)
        sum += values[k];
    sums[i] = sum;
}

/* Each value becomes the sum of those before it: sums holds, for each run, that of the runs before it. */
__kernel void scatter_add_runs(__global uint *values, uint count, __global const uint *sums)
{
    uint i = (uint)get_global_id(0), begin = i * RUN, end = min(count, begin + RUN), sum, k;
    if (begin >= count)
        return;
    sum = sums[i];
    for (k = begin; k < end; k++) {
        uint value = values[k];
        values[k] = sum;
        sum += value;
    }
}

/* buckets: where each begins; becomes where it ends. entries: key, candidate. */
__kernel void scatter_place(__global const struct vxk_cell *cells, __global const struct vxk_chunk *chunks,
                            uint per_cell, uint candidates, __global const uint *verdicts, __global uint *buckets,
                            __global uint2 *entries)
{
    uint i = (uint)get_global_id(0), key, bucket;
    if (i >= candidates || (verdicts[i] & 7u) != VXK_PLACED)
        return;
    bucket = bucket_of(cells, chunks, per_cell, i, verdicts[i], &key);
    entries[atomic_inc(&buckets[bucket])] = (uint2)(key, i);
}

/* An item a bucket; there is about one blade in each. */
__kernel void scatter_order(__global const struct vxk_cell *cells, uint per_cell, uint blades,
                            __global const uint *ends, __global uint2 *entries)
{
    uint bucket = (uint)get_global_id(0), begin, end, i;
    if (bucket >= blades)
        return;
    begin = bucket ? ends[bucket - 1u] : 0u;
    end = ends[bucket];
    for (i = begin + 1u; i < end; i++) {
        uint2 moving = entries[i];
        uint hash = hash_of(cells, per_cell, moving.y), j = i;
        for (; j > begin; j--) {
            uint2 before = entries[j - 1u];
            if (before.x < moving.x || (before.x == moving.x && hash_of(cells, per_cell, before.y) < hash))
                break;
            entries[j] = before;
        }
        entries[j] = moving;
    }
}

/* Records in order, and the hashes, where a budget may want them. */
__kernel void scatter_write(__global const struct vxk_cell *cells, uint per_cell, uint blades,
                            __global const uint2 *entries, __global const uint4 *made, uint wants_hashes,
                            __global uint4 *records, __global uint *hashes)
{
    uint i = (uint)get_global_id(0);
    if (i < blades) {
        uint candidate = entries[i].y;
        records[i] = made[candidate];
        if (wants_hashes)
            hashes[i] = hash_of(cells, per_cell, candidate);
    }
}
