/* The plain march: increments from border to border, and in each quad the quadratic. */
#include "plain_fill.h"

#include <math.h>

static float least(float a, float b)
{
    return a < b ? a : b;
}

/* The first t in [0, length] where a t^2 + b t + c changes its sign, -1 for none. */
static float first_change(float a, float b, float c, float length)
{
    float low, high;
    if (a == 0.0f) {
        low = b != 0.0f ? -c / b : -1.0f;
        return low >= 0.0f && low <= length ? low : -1.0f;
    }
    const float d = b * b - 4.0f * a * c;
    if (!(d > 0.0f))
        return -1.0f;
    const float q = b < 0.0f ? -(b - sqrtf(d)) / 2.0f : -(b + sqrtf(d)) / 2.0f;
    low = least(q / a, c / q);
    high = q / a + c / q - low;
    if (low >= 0.0f && low <= length)
        return low;
    return high >= 0.0f && high <= length ? high : -1.0f;
}

float plain_march(const struct plain_ground *g, const float from[3], const float direction[3], float most)
{
    const int quads_x = (int)g->samples_x - 1, quads_z = (int)g->samples_z - 1;
    const float x = (from[0] - g->x) / g->quad, z = (from[2] - g->z) / g->quad;
    const float dx = direction[0] / g->quad, dz = direction[2] / g->quad;
    float enter = 0.0f, leave = most;
    if (dx != 0.0f) {
        const float a = (0.0f - x) / dx, b = ((float)quads_x - x) / dx;
        enter = fmaxf(enter, least(a, b));
        leave = least(leave, fmaxf(a, b));
    } else if (x < 0.0f || x > (float)quads_x) {
        return -1.0f;
    }
    if (dz != 0.0f) {
        const float a = (0.0f - z) / dz, b = ((float)quads_z - z) / dz;
        enter = fmaxf(enter, least(a, b));
        leave = least(leave, fmaxf(a, b));
    } else if (z < 0.0f || z > (float)quads_z) {
        return -1.0f;
    }
    if (enter > leave)
        return -1.0f;
    int i = (int)(x + dx * enter), j = (int)(z + dz * enter), side = -1;
    i = i < 0 ? 0 : i >= quads_x ? quads_x - 1 : i;
    j = j < 0 ? 0 : j >= quads_z ? quads_z - 1 : j;
    const float step_x = dx != 0.0f ? fabsf(1.0f / dx) : 1e30f, step_z = dz != 0.0f ? fabsf(1.0f / dz) : 1e30f;
    float next_x = dx != 0.0f ? ((float)(i + (dx > 0.0f)) - x) / dx : 1e30f;
    float next_z = dz != 0.0f ? ((float)(j + (dz > 0.0f)) - z) / dz : 1e30f;
    for (float t = enter;;) {
        const float exit = least(least(next_x, next_z), leave);
        const float *row = g->heights + (uint64_t)j * g->samples_x + (uint32_t)i, *below = row + g->samples_x;
        const float p = row[1] - row[0], q = below[0] - row[0], r = below[1] - below[0] - p;
        const float u = x + dx * t - (float)i, v = z + dz * t - (float)j;
        const float c = from[1] + direction[1] * t - (row[0] + p * u + q * v + r * u * v);
        if (side >= 0 && side != (c < 0.0f))
            return t;
        side = c < 0.0f;
        const float slope = direction[1] - (p * dx + q * dz + r * (u * dz + v * dx));
        const float hit = first_change(-r * dx * dz, slope, c, exit - t);
        if (hit >= 0.0f)
            return t + hit;
        if (exit >= leave)
            return -1.0f;
        t = exit;
        if (next_x <= next_z) {
            i += dx > 0.0f ? 1 : -1;
            next_x += step_x;
        } else {
            j += dz > 0.0f ? 1 : -1;
            next_z += step_z;
        }
        if (i < 0 || i >= quads_x || j < 0 || j >= quads_z)
            return -1.0f;
    }
}
