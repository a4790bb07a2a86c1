/* The lists of fields.h as tables, and what the specification calls their numbers. */
#include "fields.h"

#include "ktx2.h"

const struct vxbi_word vxbi_ktx2_scheme_words[] = {
    {0, "none"}, {1, "BasisLZ"}, {2, "Zstandard"}, {3, "ZLIB"}, {0, NULL}};
const struct vxbi_word vxbi_ktx2_model_words[] = {{0, "unspecified"}, {1, "RGBSDA"}, {0, NULL}};
const struct vxbi_word vxbi_ktx2_primaries_words[] = {{0, "unspecified"}, {1, "BT709"}, {0, NULL}};
const struct vxbi_word vxbi_ktx2_transfer_words[] = {{0, "unspecified"}, {1, "linear"}, {2, "sRGB"}, {0, NULL}};
const struct vxbi_word vxbi_ktx2_vk_words[] = {{VXBI_KTX2_R16_SFLOAT, "R16_SFLOAT"},
                                               {VXBI_KTX2_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT"},
                                               {VXBI_KTX2_R32_UINT, "R32_UINT"},
                                               {VXBI_KTX2_R32_SFLOAT, "R32_SFLOAT"},
                                               {VXBI_KTX2_R32G32_UINT, "R32G32_UINT"},
                                               {VXBI_KTX2_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT"},
                                               {0, NULL}};

VXBI_FIELDS_TABLE(vxbi_ktx2_header_structure, "header", ktx2_header, VXBI_KTX2_HEADER_FIELDS);
VXBI_FIELDS_TABLE(vxbi_ktx2_level_structure, "level", ktx2_level, VXBI_KTX2_LEVEL_FIELDS);
VXBI_FIELDS_TABLE(vxbi_ktx2_dfd_structure, "dfd", ktx2_dfd, VXBI_KTX2_DFD_FIELDS);
VXBI_FIELDS_TABLE(vxbi_ktx2_sample_structure, "sample", ktx2_sample, VXBI_KTX2_SAMPLE_FIELDS);
