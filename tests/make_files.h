/* Small input files made by code, byte by byte, for the tests: PNG (stored deflate blocks), PFM, .vxterrain, raw. */
#ifndef TESTS_MAKE_FILES_H
#define TESTS_MAKE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing file in memory. Zero it; free with made_free(). */
struct made {
    uint8_t *data;
    size_t size, room;
};
void made_free(struct made *made);
void made_put(struct made *made, const void *bytes, size_t size);
void made_u8(struct made *made, uint8_t value);
void made_u16(struct made *made, uint16_t value); /* little-endian */
void made_u32(struct made *made, uint32_t value);
void made_f32(struct made *made, float value);
void made_text(struct made *made, const char *text); /* without a terminator */
/* Writes it to path; aborts where that fails. */
void made_write(const struct made *made, const char *path);

/* One PNG chunk with its CRC; and only the signature. */
void made_png_signature(struct made *made);
void made_png_chunk(struct made *made, const char *type, const void *data, size_t size);
void made_png_header(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
                     bool interlaced);

/* A zlib stream of stored blocks. */
void made_zlib(struct made *made, const uint8_t *data, size_t size);

/* A whole PNG. pixels: rows as PNG has them (16-bit big-endian), without filter bytes, depth 8 or 16. filter: 0..4, 5:
 * each row another one. Interlaced images are not made here. */
void made_png(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
              const uint8_t *pixels, unsigned filter);
/* The same from 16-bit grey and 8-bit grey samples, no filter. */
void made_png_grey16(struct made *made, uint32_t width, uint32_t height, const uint16_t *samples);
void made_png_grey8(struct made *made, uint32_t width, uint32_t height, const uint8_t *samples);

/* Any bytes as a PNG, as far as they have its chunks, with each chunk's CRC made right. */
void made_png_repaired(struct made *made, const uint8_t *data, size_t size);

/* A PNG whose inflated data is what is given, whether or not that fits the header. */
void made_png_wrapped(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
                      bool interlaced, const uint8_t *data, size_t size);

/* A PFM; rows of heights are top-down, as ours are. type: "Pf" or "PF" (three floats a pixel). */
void made_pfm(struct made *made, const char *type, uint32_t width, uint32_t height, const float *heights, bool big);

/* A .vxterrain up to its edit layers: magic, header and base heights. */
void made_vxterrain_head(struct made *made, int32_t tile, int32_t tiles_x, int32_t tiles_z, float metres, float min,
                         float max, const uint16_t *base);
void made_vxterrain_string(struct made *made, const char *text);
/* One edit layer's head; chunks follow, each with made_vxterrain_chunk(). */
void made_vxterrain_edit(struct made *made, const char *name, float alpha, bool visible, int32_t chunks);
/* A chunk whose deltas are all zero but for the count first ones. */
void made_vxterrain_chunk(struct made *made, int32_t x, int32_t z, const int32_t *deltas, size_t count);
/* One weight layer with width * height samples. */
void made_vxterrain_weights(struct made *made, const char *name, const uint8_t *samples, size_t count);

#endif
