/* Box filters by running sums, and filling by a pyramid of weighted means. */
#include "raster.h"

#include <string.h>

/* How many of the pixels at - radius to at + radius there are. */
static double window(uint32_t at, uint32_t size, uint32_t radius)
{
    uint32_t before = at < radius ? at : radius, after = size - 1 - at < radius ? size - 1 - at : radius;
    return (double)before + (double)after + 1.0;
}

static void blur_row(float *out, const float *in, uint32_t width, uint32_t radius)
{
    double sum = 0.0;
    for (uint32_t x = 0; x < width && x <= radius; x++)
        sum += (double)in[x];
    for (uint32_t x = 0; x < width; x++) {
        out[x] = (float)(sum / window(x, width, radius));
        if (radius + 1 < width - x)
            sum += (double)in[x + radius + 1];
        if (x >= radius)
            sum -= (double)in[x - radius];
    }
}

static void add_row(double *columns, const float *row, uint32_t width, double sign)
{
    for (uint32_t x = 0; x < width; x++)
        columns[x] += sign * (double)row[x];
}

static void blur_columns(float *out, const float *in, double *columns, uint32_t width, uint32_t height,
                         uint32_t radius)
{
    memset(columns, 0, width * sizeof *columns);
    for (uint32_t y = 0; y < height && y <= radius; y++)
        add_row(columns, in + (size_t)y * width, width, 1.0);
    for (uint32_t y = 0; y < height; y++) {
        double scale = 1.0 / window(y, height, radius);
        for (uint32_t x = 0; x < width; x++)
            out[(size_t)y * width + x] = (float)(columns[x] * scale);
        if (radius + 1 < height - y)
            add_row(columns, in + (size_t)(y + radius + 1) * width, width, 1.0);
        if (y >= radius)
            add_row(columns, in + (size_t)(y - radius) * width, width, -1.0);
    }
}

void vxbi_raster_blur(float *plane, float *scratch, double *columns, uint32_t width, uint32_t height, uint32_t radius,
                      int passes)
{
    if (radius == 0)
        return;
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++)
            blur_row(scratch + (size_t)y * width, plane + (size_t)y * width, width, radius);
        blur_columns(plane, scratch, columns, width, height, radius);
    }
}

/* The weighted mean of each 2 x 2 block, and their summed weight. */
static void halve(float *half, float *half_weights, const float *values, const float *weights, uint32_t width,
                  uint32_t height)
{
    uint32_t half_width = (width + 1) / 2;
    for (uint32_t y = 0; y < height; y += 2)
        for (uint32_t x = 0; x < width; x += 2) {
            double sum = 0.0, weight = 0.0;
            for (uint32_t k = 0; k < 4; k++) {
                if (x + (k & 1) >= width || y + (k >> 1) >= height)
                    continue;
                size_t at = (size_t)(y + (k >> 1)) * width + x + (k & 1);
                sum += (double)values[at] * (double)weights[at];
                weight += (double)weights[at];
            }
            size_t at = (size_t)(y / 2) * half_width + x / 2;
            half[at] = weight > 0.0 ? (float)(sum / weight) : 0.0f;
            half_weights[at] = (float)weight;
        }
}

static uint32_t clamped(uint32_t at, uint32_t neighbour_up, uint32_t size)
{
    if (neighbour_up)
        return at + 1 < size ? at + 1 : at;
    return at ? at - 1 : 0;
}

/* Empty pixels get the coarser level's value, bilinear: 3 parts of the nearer of two on each axis, 1 of the other. */
static void fill_from_half(float *values, float *weights, const float *half, uint32_t width, uint32_t height)
{
    uint32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            size_t at = (size_t)y * width + x;
            if (weights[at] > 0.0f)
                continue;
            uint32_t x0 = x / 2, y0 = y / 2, x1 = clamped(x0, x & 1, half_width), y1 = clamped(y0, y & 1, half_height);
            float a = half[(size_t)y0 * half_width + x0], b = half[(size_t)y0 * half_width + x1];
            float c = half[(size_t)y1 * half_width + x0], d = half[(size_t)y1 * half_width + x1];
            values[at] = (9.0f * a + 3.0f * b + 3.0f * c + d) * 0.0625f;
            weights[at] = 1.0f;
        }
}

static bool any_empty(const float *weights, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(weights[i] > 0.0f))
            return true;
    return false;
}

/* Recursion ends after one level a halving: 13 for the largest picture. */
bool vxbi_raster_fill(const struct vxb_allocator *allocator, float *values, float *weights, uint32_t width,
                      uint32_t height)
{
    uint32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    size_t half_count = (size_t)half_width * half_height;
    if (!any_empty(weights, (size_t)width * height))
        return true;
    if (width == 1 && height == 1) {
        values[0] = 0.0f;
        weights[0] = 1.0f;
        return true;
    }
    float *half = vxbi_new(allocator, half_count * 2, sizeof *half);
    if (!half)
        return false;
    halve(half, half + half_count, values, weights, width, height);
    bool ok = vxbi_raster_fill(allocator, half, half + half_count, half_width, half_height);
    if (ok)
        fill_from_half(values, weights, half, width, height);
    vxbi_delete(allocator, half, half_count * 2, sizeof *half);
    return ok;
}
