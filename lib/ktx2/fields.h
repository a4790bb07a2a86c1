/* The structures of KTX2 files, field by field, by the specification's own names; see core/fields.h. Source: the
 * Khronos KTX File Format Specification, version 2.0, and Data Format Specification, version 1.3. */
#ifndef VXBI_KTX2_FIELDS_H
#define VXBI_KTX2_FIELDS_H

#include "../core/fields.h"

extern const struct vxbi_word vxbi_ktx2_scheme_words[], vxbi_ktx2_model_words[], vxbi_ktx2_primaries_words[],
    vxbi_ktx2_transfer_words[], vxbi_ktx2_vk_words[];

#define VXBI_KTX2_HEADER_FIELDS(FIELD, S)                                                                              \
    FIELD(S, identifier, BYTES12, NULL)                                                                                \
    FIELD(S, vkFormat, U32, vxbi_ktx2_vk_words)                                                                        \
    FIELD(S, typeSize, U32, NULL)                                                                                      \
    FIELD(S, pixelWidth, U32, NULL)                                                                                    \
    FIELD(S, pixelHeight, U32, NULL)                                                                                   \
    FIELD(S, pixelDepth, U32, NULL)                                                                                    \
    FIELD(S, layerCount, U32, NULL)                                                                                    \
    FIELD(S, faceCount, U32, NULL)                                                                                     \
    FIELD(S, levelCount, U32, NULL)                                                                                    \
    FIELD(S, supercompressionScheme, U32, vxbi_ktx2_scheme_words)                                                      \
    FIELD(S, dfdByteOffset, U32, NULL)                                                                                 \
    FIELD(S, dfdByteLength, U32, NULL)                                                                                 \
    FIELD(S, kvdByteOffset, U32, NULL)                                                                                 \
    FIELD(S, kvdByteLength, U32, NULL)                                                                                 \
    FIELD(S, sgdByteOffset, U64, NULL)                                                                                 \
    FIELD(S, sgdByteLength, U64, NULL)

/* An entry of the level index. */
#define VXBI_KTX2_LEVEL_FIELDS(FIELD, S)                                                                               \
    FIELD(S, byteOffset, U64, NULL)                                                                                    \
    FIELD(S, byteLength, U64, NULL)                                                                                    \
    FIELD(S, uncompressedByteLength, U64, NULL)

/* The data format descriptor up to its samples: total size, then a basic block's 24 bytes. vendorId has 17 bits,
 * descriptorType 15. */
#define VXBI_KTX2_DFD_FIELDS(FIELD, S)                                                                                 \
    FIELD(S, dfdTotalSize, U32, NULL)                                                                                  \
    FIELD(S, vendorId_descriptorType, U32, NULL)                                                                       \
    FIELD(S, versionNumber, U16, NULL)                                                                                 \
    FIELD(S, descriptorBlockSize, U16, NULL)                                                                           \
    FIELD(S, colorModel, U8, vxbi_ktx2_model_words)                                                                    \
    FIELD(S, colorPrimaries, U8, vxbi_ktx2_primaries_words)                                                            \
    FIELD(S, transferFunction, U8, vxbi_ktx2_transfer_words)                                                           \
    FIELD(S, flags, U8, NULL)                                                                                          \
    FIELD(S, texelBlockDimension, BYTES4, NULL)                                                                        \
    FIELD(S, bytesPlane, BYTES8, NULL)

/* A sample: a channel of a texel. What bounds mean depends on channelType. */
#define VXBI_KTX2_SAMPLE_FIELDS(FIELD, S)                                                                              \
    FIELD(S, bitOffset, U16, NULL)                                                                                     \
    FIELD(S, bitLength, U8, NULL)                                                                                      \
    FIELD(S, channelType, U8, NULL)                                                                                    \
    FIELD(S, samplePosition, BYTES4, NULL)                                                                             \
    FIELD(S, sampleLower, U32, NULL)                                                                                   \
    FIELD(S, sampleUpper, U32, NULL)

VXBI_FIELDS_STRUCT(ktx2_header, VXBI_KTX2_HEADER_FIELDS);
VXBI_FIELDS_STRUCT(ktx2_level, VXBI_KTX2_LEVEL_FIELDS);
VXBI_FIELDS_STRUCT(ktx2_dfd, VXBI_KTX2_DFD_FIELDS);
VXBI_FIELDS_STRUCT(ktx2_sample, VXBI_KTX2_SAMPLE_FIELDS);

_Static_assert(sizeof(struct vxbi_ktx2_header_at) == 80, "the header's fields fill it");
_Static_assert(sizeof(struct vxbi_ktx2_level_at) == 24, "a level's fields fill it");
_Static_assert(sizeof(struct vxbi_ktx2_dfd_at) == 28, "the descriptor's fields fill it");
_Static_assert(sizeof(struct vxbi_ktx2_sample_at) == 16, "a sample's fields fill it");

extern const struct vxbi_structure vxbi_ktx2_header_structure, vxbi_ktx2_level_structure, vxbi_ktx2_dfd_structure,
    vxbi_ktx2_sample_structure;

#endif
