/* The fill of a run of bricks: a work group a brick, an item a probe. */
#include "vxk_fill.h"

/* bricks: first cell and size of each; those from first on are filled. probes: 64 for each. ray, end: those from ray to
 * end - 1 are traced. out: a probe's numbers after another's, as vxk_fill_probe() leaves and takes them. */
__kernel void fill_probes(__constant struct vxk_fill *f, __global const struct vxk_shape *shapes,
                          __global const ushort *heights, __global const uchar *holes, __global const ushort *peaks,
                          __global const struct vxk_layer *layers, __global const uchar *weights,
                          __global const float *sky, __global const float *directions, __global const float *texels,
                          __global const uint *indirection, __global const uint4 *bricks, uint first,
                          uint probes, uint ray, uint end, __global float *out)
{
    uint i = (uint)get_global_id(0), k, cell[3];
    uint4 brick;
    struct vxk_scene s;
    float probe[VXK_PROBE_FLOATS];
    if (i >= probes)
        return;
    s.shapes = shapes;
    s.relief.heights = heights;
    s.relief.holes = holes;
    s.relief.peaks = peaks;
    s.layers = layers;
    s.weights = weights;
    s.sky = sky;
    s.directions = directions;
    s.texels = texels;
    s.indirection = indirection;
    brick = bricks[first + i / VXK_PROBES_A_BRICK];
    cell[0] = brick.x;
    cell[1] = brick.y;
    cell[2] = brick.z;
    if (ray)
        for (k = 0u; k < VXK_PROBE_FLOATS; k++)
            probe[k] = out[i * VXK_PROBE_FLOATS + k];
    vxk_fill_probe(f, &s, vxk_probe_place(f, cell, brick.w, i % VXK_PROBES_A_BRICK), ray, end, probe);
    for (k = 0u; k < VXK_PROBE_FLOATS; k++)
        out[i * VXK_PROBE_FLOATS + k] = probe[k];
}
