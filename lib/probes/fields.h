/* The structures of .vxp files, field by field; see core/fields.h. Source: vxbake-format(5), "Irradiance fields". */
#ifndef VXBI_PROBES_FIELDS_H
#define VXBI_PROBES_FIELDS_H

#include "../core/fields.h"
#include "../vxbake/probe_file.h"

extern const struct vxbi_word vxbi_probe_flag_words[], vxbi_probe_encoding_words[];

#define VXBI_PROBE_HEADER_FIELDS(FIELD, S)                    \
    FIELD(S, magic, BYTES8, NULL)                             \
    FIELD(S, format, U32, NULL)                               \
    FIELD(S, header_bytes, U32, NULL)                         \
    FIELD(S, file_bytes, U64, NULL)                           \
    FIELD(S, flags, FLAGS, vxbi_probe_flag_words)             \
    FIELD(S, bake_revision, U16, NULL)                        \
    FIELD(S, encoding, U32, vxbi_probe_encoding_words)        \
    FIELD(S, bounds_min, VEC3, NULL)                          \
    FIELD(S, bounds_max, VEC3, NULL)                          \
    FIELD(S, cells, UVEC3, NULL)                              \
    FIELD(S, slots, UVEC3, NULL)                              \
    FIELD(S, brick_count, U32, NULL)                          \
    FIELD(S, reserved, ZERO, NULL)                            \
    FIELD(S, bake_id, ID, NULL)                               \
    FIELD(S, content_id, ID, NULL)                            \
    FIELD(S, tables_hash, ID, NULL)                           \
    FIELD(S, reserved_2, ZERO, NULL)                          \
    FIELD(S, reserved_3, ZERO, NULL)                          \
    FIELD(S, header_hash, ID, NULL)

#define VXBI_PROBE_BRICK_FIELDS(FIELD, S) \
    FIELD(S, slot, U32, NULL)             \
    FIELD(S, cell, UVEC3, NULL)           \
    FIELD(S, size, U32, NULL)

#define VXBI_PROBE_PLANE_FIELDS(FIELD, S) \
    FIELD(S, offset, U64, NULL)           \
    FIELD(S, bytes, U64, NULL)            \
    FIELD(S, hash, ID, NULL)

VXBI_FIELDS_STRUCT(probe_header, VXBI_PROBE_HEADER_FIELDS);
VXBI_FIELDS_STRUCT(probe_brick, VXBI_PROBE_BRICK_FIELDS);
VXBI_FIELDS_STRUCT(probe_plane, VXBI_PROBE_PLANE_FIELDS);

_Static_assert(sizeof(struct vxbi_probe_header_at) == VXB_PROBE_HEADER_BYTES, "the header of a .vxp has 128 bytes");
_Static_assert(sizeof(struct vxbi_probe_brick_at) == VXB_PROBE_BRICK_BYTES, "a brick of a .vxp has 20 bytes");
_Static_assert(sizeof(struct vxbi_probe_plane_at) == VXB_PROBE_PLANE_BYTES, "a plane of a .vxp has 24 bytes");

extern const struct vxbi_structure vxbi_probe_header_structure, vxbi_probe_brick_structure, vxbi_probe_plane_structure;

#endif
