/* The lists of fields.h as tables. */
#include "fields.h"

const struct vxbi_word vxbi_probe_flag_words[] = {{VXB_PROBE_ZSTD, "zstd"}, {VXB_PROBE_INEXACT, "inexact"}, {0, NULL}};
const struct vxbi_word vxbi_probe_encoding_words[] = {{VXB_PROBE_F32, "f32"}, {VXB_PROBE_F16, "f16"}, {0, NULL}};

VXBI_FIELDS_TABLE(vxbi_probe_header_structure, "header", probe_header, VXBI_PROBE_HEADER_FIELDS);
VXBI_FIELDS_TABLE(vxbi_probe_brick_structure, "brick", probe_brick, VXBI_PROBE_BRICK_FIELDS);
VXBI_FIELDS_TABLE(vxbi_probe_plane_structure, "plane", probe_plane, VXBI_PROBE_PLANE_FIELDS);
