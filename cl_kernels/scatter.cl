/* The scatter of a tile, a run of cells.
 *
 * Each candidate is judged once. A blade takes the next of the slots of its bucket, and buckets ascend with a blade's
 * place in the order, (rank, hash): by far the most of what sorting a chunk has to do. How many buckets a cell has, the
 * same in all cells, follows from how many of its candidates can come to be blades, so that nothing need be counted
 * first. Then a prefix sum over the buckets tells where each begins, and each blade's place there is the number of
 * those before it. No two blades of a chunk have rank and hash in common, and atomics decide nothing but which slot is
 * whose: what comes out depends on no order of arrival.
 *
 * Ranks are spread evenly, and a bucket has room for far more than the mean. Where one overflows all the same, the tile
 * says what it would have taken, and is made again with as much. */
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

/* A species' own of four. */
#define OF(four, species)                   \
    ((species) == 0u   ? (four).x           \
     : (species) == 1u ? (four).y           \
     : (species) == 2u ? (four).z           \
                       : (four).w)

/* Where blades go: a tile's buckets, first and factor being vxk_bucket()'s, of each species; buckets, slots: of a cell,
 * of a bucket; taken: of each bucket's slots. */
struct bins {
    uint4 first;
    ulong4 factor;
    uint buckets, slots;
    __global uint *taken;
    __global ulong *keys;
    __global uint4 *made;
};

static void keep(__constant struct vxk_scatter *s, __global const struct vxk_cell *cells, struct bins bins, uint cell,
                 struct vxk_candidate c)
{
    uint bucket = cell * bins.buckets +
                  vxk_bucket(vxk_order_key(c.rank, c.hash), OF(bins.first, c.species), OF(bins.factor, c.species));
    uint slot = atomic_inc(&bins.taken[bucket]);
    if (slot < bins.slots) {
        struct vxk_record r = vxk_record_of(s, cells[cell], c);
        bins.keys[(size_t)bucket * bins.slots + slot] = vxk_order(c.rank, c.hash);
        bins.made[(size_t)bucket * bins.slots + slot] = (uint4)(r.word[0], r.word[1], r.word[2], r.word[3]);
    }
}

/* Dimension 0 is a cell's candidates, `each` of them an item, 255 at most, dimension 1 the tile's cells.
 * rank_most, of each species: blades above it count as budget, and are none.
 * ranks: a histogram of 65536 for each species, with VXK_WANTS_RANKS. verdicts: each candidate's reason, with
 * VXK_WANTS_VERDICTS. With VXK_WANTS_BLADES, each blade's key and record go to a slot of its bucket. With
 * VXK_WANTS_TIES, those whose rank is rank_most go to ties, cell, species and hash, as many as tie_room; how many there
 * are comes behind the tallies, as the second word.
 * tallies: VXK_TALLIES a cell; tally: one more.
 * found: with VXK_FEW_BLADES, room for the number of each of a group's candidates. Where a few of a group's items had a
 * blade to make, the others would wait: blades are noted, and judged again side by side. */
__kernel void scatter_judge(__constant struct vxk_scatter *s, __global const struct vxk_cell *cells,
                            __global const ushort *heights, __global const uchar *holes, __global const uchar *exclude,
                            __global const uchar *scale, __global const uchar *layer0, __global const uchar *layer1,
                            __global const uchar *layer2, __global const uchar *layer3, uint4 rank_most, uint per_cell,
                            uint each, uint wants, __global uint *ranks, __global uchar *verdicts, uint4 first,
                            ulong4 factor, uint buckets, uint slots, __global uint *taken, __global ulong *keys,
                            __global uint4 *made, __global uint4 *ties, uint tie_room, __global uint *tallies,
                            __local uint *tally, __local ushort *found)
{
    struct vxk_terrain terrain = terrain_of(heights, holes, exclude, scale, layer0, layer1, layer2, layer3);
    struct bins bins = {first, factor, buckets, slots, taken, keys, made};
    uint cell = (uint)get_global_id(1), me = (uint)get_local_id(0), wide = (uint)get_local_size(0), k;
    uint begin = (uint)get_group_id(0) * wide * each, end = min(per_cell, begin + wide * each), i;
    ulong counts0 = 0u, counts1 = 0u, counts2 = 0u, counts3 = 0u;
    for (k = me; k <= VXK_TALLIES; k += wide)
        tally[k] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = begin + me; i < end; i += wide) {
        struct vxk_candidate c = vxk_judged(s, terrain, cells[cell], i);
        if (c.reason == VXK_PLACED && c.rank > OF(rank_most, c.species))
            c.reason = VXK_BUDGET;
        if (wants & VXK_WANTS_VERDICTS)
            verdicts[(size_t)cell * per_cell + i] = (uchar)c.reason;
        if (wants & VXK_WANTS_RANKS && c.reason == VXK_PLACED)
            atomic_inc(&ranks[c.species << 16 | c.rank]);
        if (wants & VXK_WANTS_TIES && c.reason == VXK_PLACED && c.rank == OF(rank_most, c.species)) {
            uint tie = atomic_inc(&tallies[get_global_size(1) * VXK_TALLIES + 1u]);
            if (tie < tie_room)
                ties[tie] = (uint4)(cell, c.species, c.hash, 0u);
        }
        if (wants & VXK_FEW_BLADES && c.reason == VXK_PLACED)
            found[atomic_inc(&tally[VXK_TALLIES])] = (ushort)(i - begin);
        else if (wants & VXK_WANTS_BLADES && c.reason == VXK_PLACED)
            keep(s, cells, bins, cell, c);
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
    for (k = me; k < tally[VXK_TALLIES]; k += wide)
        keep(s, cells, bins, cell, vxk_judged(s, terrain, cells[cell], begin + found[k]));
}

/* The sum of what the items of a group before this one have; sums: a word an item. All of the group call it. */
static uint sum_before(__local uint *sums, uint own)
{
    uint me = (uint)get_local_id(0), wide = (uint)get_local_size(0), step, sum = own;
    sums[me] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (step = 1u; step < wide; step *= 2u) {
        if (me >= step)
            sum += sums[me - step];
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum - own;
}

/* starts: where in the tile each chunk's blades begin, all cells of a species, then of the next, as in a file; count:
 * of all species' cells. One group. */
__kernel void scatter_start_chunks(__global const uint *tallies, uint cells, uint count, __global uint *starts,
                                   __local uint *sums)
{
    uint me = (uint)get_local_id(0), wide = (uint)get_local_size(0), run = (count + wide - 1u) / wide;
    uint begin = min(count, me * run), end = min(count, begin + run), sum = 0u, i;
    for (i = begin; i < end; i++)
        sum += tallies[i % cells * VXK_TALLIES + i / cells * VXK_REASONS + VXK_PLACED];
    sum = sum_before(sums, sum);
    for (i = begin; i < end; i++) {
        starts[i] = sum;
        sum += tallies[i % cells * VXK_TALLIES + i / cells * VXK_REASONS + VXK_PLACED];
    }
}

/* starts: where in the tile each bucket's blades begin. A group to each of the cells, dimension 1, and each species, of
 * which first says the first bucket and ends where the last one ends; behind the tallies comes what the fullest bucket
 * has. */
__kernel void scatter_start_buckets(__global const uint *taken, uint buckets, uint4 first, uint4 ends,
                                    __global const uint *chunk_starts, __global uint *starts, __global uint *tallies,
                                    uint cells, __local uint *sums)
{
    uint cell = (uint)get_global_id(1), me = (uint)get_local_id(0), wide = (uint)get_local_size(0);
    uint species = (uint)get_group_id(0), count = OF(ends, species) - OF(first, species);
    uint run = (count + wide - 1u) / wide, from = cell * buckets + OF(first, species);
    uint begin = from + min(count, me * run), end = min(from + count, begin + run), sum = 0u, own = 0u, i;
    for (i = begin; i < end; i++) {
        sum += taken[i];
        own = max(own, taken[i]);
    }
    sum = chunk_starts[species * cells + cell] + sum_before(sums, sum);
    for (i = begin; i < end; i++) {
        starts[i] = sum;
        sum += taken[i];
    }
    if (own > tallies[cells * VXK_TALLIES])
        atomic_max(&tallies[cells * VXK_TALLIES], own);
}

/* The records in order, those there is room for, and the hashes, where a budget may want them. VXK_LANES items to a
 * bucket; count: of buckets. */
__kernel void scatter_write(__global const uint *taken, __global const uint *starts, uint count, uint slots,
                            __global const ulong *keys, __global const uint4 *made, uint wants_hashes, uint room,
                            __global uint4 *records, __global uint *hashes)
{
    size_t item = get_global_id(0), bucket = item / VXK_LANES;
    uint blades, i, k;
    if (bucket >= count)
        return;
    blades = min(taken[bucket], slots);
    keys += bucket * slots;
    made += bucket * slots;
    for (i = (uint)(item % VXK_LANES); i < blades; i += VXK_LANES) {
        ulong own = keys[i];
        uint to = starts[bucket];
        for (k = 0u; k < blades; k++)
            to += keys[k] < own;
        if (to < room) {
            records[to] = made[i];
            if (wants_hashes)
                hashes[to] = (uint)own;
        }
    }
}
