/* The lists of fields.h as tables. */
#include "fields.h"

VXBI_FIELDS_TABLE(vxbi_grass_header_structure, "header", grass_header, VXBI_GRASS_HEADER_FIELDS);
VXBI_FIELDS_TABLE(vxbi_grass_section2_structure, "section", grass_section2, VXBI_GRASS_SECTION2_FIELDS);
VXBI_FIELDS_TABLE(vxbi_grass_section3_structure, "section", grass_section3, VXBI_GRASS_SECTION3_FIELDS);
VXBI_FIELDS_TABLE(vxbi_grass_lod_structure, "lod", grass_lod, VXBI_GRASS_LOD_FIELDS);
VXBI_FIELDS_TABLE(vxbi_grass_chunk_structure, "chunk", grass_chunk, VXBI_GRASS_CHUNK_FIELDS);
VXBI_FIELDS_TABLE(vxbi_grass_record_structure, "blade", grass_record, VXBI_GRASS_RECORD_FIELDS);
VXBI_FIELDS_TABLE(vxbi_legacy_header_structure, "header", legacy_header, VXBI_LEGACY_HEADER_FIELDS);
VXBI_FIELDS_TABLE(vxbi_legacy_chunk_structure, "chunk", legacy_chunk, VXBI_LEGACY_CHUNK_FIELDS);
VXBI_FIELDS_TABLE(vxbi_legacy_blade_structure, "blade", legacy_blade, VXBI_LEGACY_BLADE_FIELDS);
