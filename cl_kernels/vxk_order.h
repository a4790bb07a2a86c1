/* The order of a chunk's blades, and buckets that ascend with it: by far the most of what putting them in order takes,
 * for the host as for a device. Source: vxbake-recipe(5), "Who survives". */
#ifndef VXK_ORDER_H
#define VXK_ORDER_H

#include "vxk_portable.h"

/* What a chunk's blades are in order of: no two of them have rank and hash in common. */
VXK_FN vxk_u64 vxk_order(vxk_u32 rank, vxk_u32 hash)
{
    return (vxk_u64)rank << 32 | hash;
}

/* The same in 32 bits, for ranks up to 65535: it ascends, but may be equal for two. */
VXK_FN vxk_u32 vxk_order_key(vxk_u32 rank, vxk_u32 hash)
{
    return rank << 16 | hash >> 16;
}

/* What spreads a species' keys, of ranks below rank_end, over so many buckets, no more than 2^24. */
VXK_FN vxk_u64 vxk_bucket_factor(vxk_u32 buckets, vxk_u32 rank_end)
{
    return rank_end ? ((vxk_u64)buckets << 32) / ((vxk_u64)rank_end << 16) : 0u;
}

/* Which bucket a key falls in, first being its species' first: ascends with the key, and stays below the number of
 * them. */
VXK_FN vxk_u32 vxk_bucket(vxk_u32 key, vxk_u32 first, vxk_u64 factor)
{
    return first + (vxk_u32)(key * factor >> 32);
}

#endif
