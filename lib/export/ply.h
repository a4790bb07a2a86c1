/* A grass file as a PLY point cloud, for tools that show one. */
#ifndef VXBI_EXPORT_PLY_H
#define VXBI_EXPORT_PLY_H

#include "../vxbake/export.h"

/* Writes every blade as a vertex: x, y, z relative to origin, nx, ny, nz its up direction, yaw, scale, tint, phase
 * and rank as binary32, and the section's number as a byte; little-endian. The header's comments name the sections. */
enum vxb_status vxbi_ply_write(const struct vxb_grass *grass, const double origin[3], const struct vxb_sink *sink,
                               struct vxb_error *err);

#endif
