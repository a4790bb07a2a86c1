/* Rays against the ground as a plain loop has it: every quad from where a ray enters the terrain to where it leaves, in
 * order, with no maximum to tell that it is clear. What the fill's march is timed against. */
#ifndef PLAIN_FILL_H
#define PLAIN_FILL_H

#include "vxbake/terrain.h"

/* The terrain's heights in metres from a corner, and how its quads lie. */
struct plain_ground {
    uint32_t samples_x, samples_z;
    const float *heights;
    float quad, x, z; /* metres a quad; where the first sample is */
};

/* How far along a ray it goes through the ground within most metres; -1 where it does not. */
float plain_march(const struct plain_ground *ground, const float from[3], const float direction[3], float most);

#endif
