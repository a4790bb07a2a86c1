/* The structures of grass files, formats 1, 2 and 3, field by field; see core/fields.h. Source: vxbake-format(5). */
#ifndef VXBI_GRASS_FIELDS_H
#define VXBI_GRASS_FIELDS_H

#include "../core/fields.h"
#include "../vxbake/grass.h"

/* The bits of the header's flags; vxb_grass_flag_name() looks them up. */
extern const struct vxbi_word vxbi_grass_flag_words[];

#define VXBI_GRASS_HEADER_FIELDS(FIELD, S)                                                                             \
    FIELD(S, magic, BYTES8, NULL)                                                                                      \
    FIELD(S, format, U32, NULL)                                                                                        \
    FIELD(S, header_bytes, U32, NULL)                                                                                  \
    FIELD(S, file_bytes, U64, NULL)                                                                                    \
    FIELD(S, flags, FLAGS, vxbi_grass_flag_words)                                                                      \
    FIELD(S, bake_revision, U16, NULL)                                                                                 \
    FIELD(S, section_count, U32, NULL)                                                                                 \
    FIELD(S, chunk_count, U32, NULL)                                                                                   \
    FIELD(S, blade_count, U32, NULL)                                                                                   \
    FIELD(S, lod_count, U32, NULL)                                                                                     \
    FIELD(S, string_bytes, U32, NULL)                                                                                  \
    FIELD(S, cell_size, F32, NULL)                                                                                     \
    FIELD(S, max_commands, LIMIT, NULL)                                                                                \
    FIELD(S, updates_per_frame, LIMIT, NULL)                                                                           \
    FIELD(S, blade_budget, LIMIT, NULL)                                                                                \
    FIELD(S, bounds_min, VEC3, NULL)                                                                                   \
    FIELD(S, bounds_max, VEC3, NULL)                                                                                   \
    FIELD(S, seed, U32, NULL)                                                                                          \
    FIELD(S, density, F32, NULL)                                                                                       \
    FIELD(S, bake_id, ID, NULL)                                                                                        \
    FIELD(S, tables_hash, ID, NULL)                                                                                    \
    FIELD(S, content_id, ID, NULL)                                                                                     \
    FIELD(S, header_hash, ID, NULL)

#define VXBI_GRASS_SECTION2_FIELDS(FIELD, S)                                                                           \
    FIELD(S, species_id, ID, NULL)                                                                                     \
    FIELD(S, material_index, U32, NULL)                                                                                \
    FIELD(S, first_chunk, U32, NULL)                                                                                   \
    FIELD(S, chunk_count, U32, NULL)                                                                                   \
    FIELD(S, first_blade, U32, NULL)                                                                                   \
    FIELD(S, blade_count, U32, NULL)                                                                                   \
    FIELD(S, lod_count, U8, NULL)                                                                                      \
    FIELD(S, pass_count, U8, NULL)                                                                                     \
    FIELD(S, rank_limit, U16, NULL)

/* What only format 3 has, behind the same. */
#define VXBI_GRASS_SECTION3_REST(FIELD, S)                                                                             \
    FIELD(S, profile_id, ID, NULL)                                                                                     \
    FIELD(S, material_id, ID, NULL)                                                                                    \
    FIELD(S, share, U32, NULL)                                                                                         \
    FIELD(S, blade_budget, LIMIT, NULL)                                                                                \
    FIELD(S, reserved, ZERO, NULL)                                                                                     \
    FIELD(S, reserved_2, ZERO, NULL)
#define VXBI_GRASS_SECTION3_FIELDS(FIELD, S)                                                                           \
    VXBI_GRASS_SECTION2_FIELDS(FIELD, S)                                                                               \
    VXBI_GRASS_SECTION3_REST(FIELD, S)

#define VXBI_GRASS_LOD_FIELDS(FIELD, S)                                                                                \
    FIELD(S, distance, F32, NULL)                                                                                      \
    FIELD(S, keep, F32, NULL)                                                                                          \
    FIELD(S, fade, F32, NULL)                                                                                          \
    FIELD(S, mesh_radius, F32, NULL)                                                                                   \
    FIELD(S, index_count, U32, NULL)                                                                                   \
    FIELD(S, first_index, U32, NULL)                                                                                   \
    FIELD(S, vertex_offset, I32, NULL)                                                                                 \
    FIELD(S, reserved, ZERO, NULL)

#define VXBI_GRASS_CHUNK_FIELDS(FIELD, S)                                                                              \
    FIELD(S, cell_x, I32, NULL)                                                                                        \
    FIELD(S, cell_z, I32, NULL)                                                                                        \
    FIELD(S, first_blade, U32, NULL)                                                                                   \
    FIELD(S, blade_count, U32, NULL)                                                                                   \
    FIELD(S, min_y, F32, NULL)                                                                                         \
    FIELD(S, max_y, F32, NULL)                                                                                         \
    FIELD(S, max_scale, F32, NULL)                                                                                     \
    FIELD(S, section, U32, NULL)                                                                                       \
    FIELD(S, data_offset, U64, NULL)                                                                                   \
    FIELD(S, data_bytes, U32, NULL)                                                                                    \
    FIELD(S, reserved, ZERO, NULL)                                                                                     \
    FIELD(S, hash, ID, NULL)

#define VXBI_GRASS_RECORD_FIELDS(FIELD, S)                                                                             \
    FIELD(S, x, U16, NULL)                                                                                             \
    FIELD(S, z, U16, NULL)                                                                                             \
    FIELD(S, y, U16, NULL)                                                                                             \
    FIELD(S, yaw, U16, NULL)                                                                                           \
    FIELD(S, scale, F16, NULL)                                                                                         \
    FIELD(S, ox, I8, NULL)                                                                                             \
    FIELD(S, oz, I8, NULL)                                                                                             \
    FIELD(S, tint, U8, NULL)                                                                                           \
    FIELD(S, phase, U8, NULL)                                                                                          \
    FIELD(S, rank, U16, NULL)

/* ---- format 1 ---- */

#define VXBI_LEGACY_HEADER_FIELDS(FIELD, S)                                                                            \
    FIELD(S, magic, BYTES8, NULL)                                                                                      \
    FIELD(S, format, U32, NULL)                                                                                        \
    FIELD(S, header_bytes, U32, NULL)                                                                                  \
    FIELD(S, file_bytes, U64, NULL)                                                                                    \
    FIELD(S, bounds_min, VEC3, NULL)                                                                                   \
    FIELD(S, bounds_max, VEC3, NULL)                                                                                   \
    FIELD(S, cell_size, F32, NULL)                                                                                     \
    FIELD(S, chunk_count, U32, NULL)                                                                                   \
    FIELD(S, blade_count, U32, NULL)                                                                                   \
    FIELD(S, reserved, ZERO, NULL)

#define VXBI_LEGACY_CHUNK_FIELDS(FIELD, S)                                                                             \
    FIELD(S, cell_x, I32, NULL)                                                                                        \
    FIELD(S, cell_z, I32, NULL)                                                                                        \
    FIELD(S, first_blade, U32, NULL)                                                                                   \
    FIELD(S, blade_count, U32, NULL)

#define VXBI_LEGACY_BLADE_FIELDS(FIELD, S)                                                                             \
    FIELD(S, x, F32, NULL)                                                                                             \
    FIELD(S, y, F32, NULL)                                                                                             \
    FIELD(S, z, F32, NULL)                                                                                             \
    FIELD(S, yaw, F32, NULL)                                                                                           \
    FIELD(S, scale, F32, NULL)                                                                                         \
    FIELD(S, tint, F32, NULL)                                                                                          \
    FIELD(S, phase, F32, NULL)                                                                                         \
    FIELD(S, rank, F32, NULL)

VXBI_FIELDS_STRUCT(grass_header, VXBI_GRASS_HEADER_FIELDS);
VXBI_FIELDS_STRUCT(grass_section2, VXBI_GRASS_SECTION2_FIELDS);
VXBI_FIELDS_STRUCT(grass_section3, VXBI_GRASS_SECTION3_FIELDS);
VXBI_FIELDS_STRUCT(grass_lod, VXBI_GRASS_LOD_FIELDS);
VXBI_FIELDS_STRUCT(grass_chunk, VXBI_GRASS_CHUNK_FIELDS);
VXBI_FIELDS_STRUCT(grass_record, VXBI_GRASS_RECORD_FIELDS);
VXBI_FIELDS_STRUCT(legacy_header, VXBI_LEGACY_HEADER_FIELDS);
VXBI_FIELDS_STRUCT(legacy_chunk, VXBI_LEGACY_CHUNK_FIELDS);
VXBI_FIELDS_STRUCT(legacy_blade, VXBI_LEGACY_BLADE_FIELDS);

_Static_assert(sizeof(struct vxbi_grass_header_at) == VXB_GRASS_HEADER_BYTES, "the header's fields fill it");
_Static_assert(sizeof(struct vxbi_grass_section2_at) == VXB_GRASS_SECTION2_BYTES, "a section's fields fill it");
_Static_assert(sizeof(struct vxbi_grass_section3_at) == VXB_GRASS_SECTION3_BYTES, "a section's fields fill it");
_Static_assert(sizeof(struct vxbi_grass_lod_at) == VXB_GRASS_LOD_BYTES, "a LOD's fields fill it");
_Static_assert(sizeof(struct vxbi_grass_chunk_at) == VXB_GRASS_CHUNK_BYTES, "a chunk's fields fill it");
_Static_assert(sizeof(struct vxbi_grass_record_at) == VXB_GRASS_RECORD_BYTES, "a blade's fields fill it");

extern const struct vxbi_structure vxbi_grass_header_structure, vxbi_grass_section2_structure,
    vxbi_grass_section3_structure, vxbi_grass_lod_structure, vxbi_grass_chunk_structure, vxbi_grass_record_structure,
    vxbi_legacy_header_structure, vxbi_legacy_chunk_structure, vxbi_legacy_blade_structure;

#endif
