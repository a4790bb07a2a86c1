/* Webster's (Sainte-Lague's) apportionment. Largest remainders would be shorter, but there a larger total can take a
 * unit from someone, and then a larger budget would remove blades. */
#include "apportion.h"

#include <math.h>

void vxbi_apportion(uint64_t total, const uint64_t *weights, uint32_t count, uint64_t *parts)
{
    uint64_t sum = 0, given = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += weights[k];
    /* Near the end in one step: with the divisor 2 sum / (2 total - count) nobody has more than is due. */
    for (uint32_t k = 0; k < count; k++) {
        parts[k] = 2 * total >= count ? (weights[k] * (2 * total - count) + sum) / (2 * sum) : 0;
        given += parts[k];
    }
    for (; given < total; given++) {
        uint32_t next = 0;
        for (uint32_t k = 1; k < count; k++)
            if (weights[k] * (2 * parts[next] + 1) > weights[next] * (2 * parts[k] + 1))
                next = k;
        parts[next]++;
    }
}

uint64_t vxbi_share_weight(float share)
{
    return (uint64_t)rint((double)share * 1e6);
}
