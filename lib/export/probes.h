/* A placed probe field for other programs: its volumes as KTX2, its probes as a PLY point cloud, a picture of
 * slices. Each returns VXB_ERR_USAGE for a field that is not placed. */
#ifndef VXBI_EXPORT_PROBES_H
#define VXBI_EXPORT_PROBES_H

#include "../core/os.h"
#include "../vxbake/export.h"
#include "../vxbake/probes.h"
#include "canvas.h"

/* What a KTX2 file holds: one of the four volumes over the pool, RGBA as in a .vxp file, or slot and size for each
 * cell of the grid. */
enum vxbi_probe_volume {
    VXBI_PROBE_L00,  /* and validity */
    VXBI_PROBE_L1M1, /* and sun shadow */
    VXBI_PROBE_L10,
    VXBI_PROBE_L11,
    VXBI_PROBE_INDIRECTION,
    VXBI_PROBE_VOLUMES
};

/* "l00", "l1m1", "l10", "l11", "indirection": for file names; static storage. */
const char *vxbi_probe_volume_name(enum vxbi_probe_volume volume);

/* Writes one volume as a 3D KTX2 file: R32G32B32A32_SFLOAT, or R16G16B16A16_SFLOAT where half (rounded to the
 * nearest; the field should have been rounded to that before), and R32G32_UINT the indirection. Its keys
 * vxbake.bounds, vxbake.cells, vxbake.slots and vxbake.volume say what a shader has to know.
 * Returns VXB_ERR_LIMIT where the pool is longer than 32768 texels on an axis, VXB_ERR_DATA for half and a value
 * that is beyond 65504, VXB_ERR_MEMORY, VXB_ERR_IO (the sink). */
enum vxb_status vxbi_probe_ktx2_write(const struct vxb_env *env, const struct vxb_probe_field *field,
                                      enum vxbi_probe_volume volume, bool half, const struct vxb_sink *sink,
                                      struct vxb_error *err);

/* Writes every probe that a brick owns as a vertex, in the order of the table and there x fastest: x, y, z relative
 * to origin, validity, sun_shadow and spacing (between probes along x) as binary32, red, green, blue, and the
 * brick's number as a u32; little-endian. */
enum vxb_status vxbi_probe_ply_write(const struct vxb_probe_field *field, const double origin[3],
                                     const struct vxb_sink *sink, struct vxb_error *err);

/* Draws horizontal slices through the field, from its floor up, x to the right and z down, and appends the picture
 * to output as a PNG. Where there is no brick it is the colour of holes, an empty probe is magenta.
 * side: of the picture, 16..4096 pixels; 0: 1024. */
enum vxb_status vxbi_probe_slices_draw(const struct vxb_env *env, const struct vxb_probe_field *field, uint32_t side,
                                       struct vxb_output *output, struct vxb_error *err);

/* Where a brick's probe (0..3 an axis) stands, in world metres. */
void vxbi_probe_place(const struct vxb_probe_field *field, const struct vxb_brick *brick, const uint32_t at[3],
                      double place[3]);

/* How a probe is shown: its light from all sides, v / (1 + v) and the square root of that; magenta where it is
 * empty. */
struct vxbi_colour vxbi_probe_colour(const struct vxb_probe *probe);

#endif
