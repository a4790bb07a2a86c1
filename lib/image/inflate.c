/* The zlib inflater of stb_image, the only part of it that is used, in a file of its own: its warnings are silenced
 * here and nowhere else. */
#include "png.h"

/* Kept to this file, so that a program's own stb_image never meets ours. */
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_ONLY_PNG
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <stb/stb_image.h>

int vxbi_inflate(uint8_t *out, int room, const uint8_t *data, int packed)
{
    return stbi_zlib_decode_buffer((char *)out, room, (const char *)data, packed);
}
