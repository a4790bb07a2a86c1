/* How high the ground is beneath a rectangle: of the samples of every quad that it touches, holes included. */
#include <math.h>

#include "bake_plan.h"

/* Quads floor(from) to ceil(to) - 1 of an axis, clipped; false where there is none. */
static bool quads_of(double from, double to, uint32_t samples, uint32_t *first, uint32_t *last)
{
    const double quads = (double)samples - 1, a = floor(from), b = fmax(a, ceil(to) - 1);
    if (!(b >= 0 && a < quads))
        return false;
    *first = a > 0 ? (uint32_t)a : 0;
    *last = b < quads - 1 ? (uint32_t)b : samples - 2;
    return true;
}

bool vxbi_probe_ground_range(void *user, double x0, double z0, double x1, double z1, float *low, float *high)
{
    const struct vxb_terrain *t = user;
    const double quad = (double)t->metres_per_quad, ox = (double)t->origin[0], oz = (double)t->origin[2];
    uint32_t first_x, last_x, first_z, last_z;
    if (!quads_of((x0 - ox) / quad, (x1 - ox) / quad, t->samples_x, &first_x, &last_x) ||
        !quads_of((z0 - oz) / quad, (z1 - oz) / quad, t->samples_z, &first_z, &last_z))
        return false;
    uint16_t least = 65535, most = 0;
    for (uint32_t z = first_z; z <= last_z + 1; z++) {
        const uint16_t *row = t->heights + (uint64_t)z * t->samples_x;
        for (uint32_t x = first_x; x <= last_x + 1; x++) {
            least = row[x] < least ? row[x] : least;
            most = row[x] > most ? row[x] : most;
        }
    }
    const double scale = ((double)t->max_height - (double)t->min_height) / 65535.0;
    const double base = (double)t->min_height + (double)t->origin[1];
    *low = (float)(base + scale * least);
    *high = (float)(base + scale * most);
    return true;
}
