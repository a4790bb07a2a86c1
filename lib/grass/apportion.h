/* The one way a total is shared out: Webster's method, in integers. */
#ifndef VXBI_GRASS_APPORTION_H
#define VXBI_GRASS_APPORTION_H

#include <stdint.h>

/* Shares total out among count (1..4) weights, the lower index first where two are equally due; the parts sum to total
 * exactly, and a larger total never takes a unit from anyone. Each weight times 2 * total, and the sum of the weights,
 * must stay below 2^62; their sum must not be 0. */
void vxbi_apportion(uint64_t total, const uint64_t *weights, uint32_t count, uint64_t *parts);

/* A share's weight: in millionths, after it became f32. */
uint64_t vxbi_share_weight(float share);

#endif
