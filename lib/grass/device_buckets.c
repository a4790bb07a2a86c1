/* How many buckets and slots: by chance, and not by counting. No byte depends on it, since a tile that overflows is
 * made again with as much as it says. */
#include "device_buckets.h"

#include <math.h>

#include "vxk_order.h"
#include "vxk_scatter.h"

/* Blades to a bucket come by chance, so many on the average: eight deviations above it. */
static uint32_t slots_for(double mean)
{
    const double slots = ceil(mean + 8.0 * sqrt(mean) + 8.0);
    return slots < VXK_BUCKET_SLOTS ? (uint32_t)slots : VXK_BUCKET_SLOTS;
}

struct vxbi_tile_buckets vxbi_tile_buckets_for(const struct vxbi_scatter *scatter,
                                               const uint32_t rank_most[VXB_SPECIES_MAX])
{
    const struct vxb_plan *plan = scatter->plan;
    const uint32_t per_cell = scatter->field.side * scatter->field.side;
    struct vxbi_tile_buckets b = {.slots = 1};
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        const uint32_t rank_end = vxbi_rank_end(&scatter->field, rank_most[k]);
        const double share = k < plan->species_count ? (double)plan->species[k].parts / 1e6 : 0.0;
        const double blades = share * per_cell * rank_end / VXBI_RANKS;
        const double buckets = fmax(ceil(blades / VXK_BUCKET_BLADES), 1.0);
        const uint32_t own = slots_for(blades / buckets);
        b.first[k] = b.count;
        b.factor[k] = vxk_bucket_factor((uint32_t)buckets, rank_end);
        b.end[k] = b.count += (uint32_t)buckets;
        b.slots = b.slots > own ? b.slots : own;
    }
    b.slots = b.slots < per_cell ? b.slots : per_cell;
    return b;
}

uint32_t vxbi_tile_ties_for(uint64_t candidates)
{
    return (uint32_t)(candidates / 8192 + 256);
}
