/* Files for the tests. Written apart from the readers on purpose: nothing of lib/ is used here. */
#include "make_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void made_free(struct made *made)
{
    free(made->data);
    *made = (struct made){0};
}

void made_put(struct made *made, const void *bytes, size_t size)
{
    if (size > made->room - made->size) {
        made->room = (made->size + size) * 2;
        made->data = realloc(made->data, made->room);
        if (!made->data)
            abort();
    }
    if (size)
        memcpy(made->data + made->size, bytes, size);
    made->size += size;
}

void made_u8(struct made *made, uint8_t value)
{
    made_put(made, &value, 1);
}

void made_u16(struct made *made, uint16_t value)
{
    uint8_t b[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    made_put(made, b, sizeof b);
}

void made_u32(struct made *made, uint32_t value)
{
    made_u16(made, (uint16_t)value);
    made_u16(made, (uint16_t)(value >> 16));
}

void made_f32(struct made *made, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    made_u32(made, bits);
}

void made_text(struct made *made, const char *text)
{
    made_put(made, text, strlen(text));
}

void made_write(const struct made *made, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file || (made->size && fwrite(made->data, 1, made->size, file) != made->size) || fclose(file) != 0)
        abort();
}

/* ---- PNG ---- */

static void put_u32_big(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

void made_png_signature(struct made *made)
{
    made_put(made, "\x89PNG\r\n\x1a\n", 8);
}

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
    }
    return crc ^ 0xFFFFFFFFu;
}

void made_png_chunk(struct made *made, const char *type, const void *data, size_t size)
{
    uint8_t word[4];
    put_u32_big(word, (uint32_t)size);
    made_put(made, word, 4);
    size_t start = made->size;
    made_put(made, type, 4);
    made_put(made, data, size);
    put_u32_big(word, crc32_of(made->data + start, made->size - start));
    made_put(made, word, 4);
}

void made_png_header(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
                     bool interlaced)
{
    uint8_t header[13] = {0};
    put_u32_big(header, width);
    put_u32_big(header + 4, height);
    header[8] = (uint8_t)depth;
    header[9] = (uint8_t)colour;
    header[12] = interlaced;
    made_png_chunk(made, "IHDR", header, sizeof header);
}

void made_zlib(struct made *made, const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    uint8_t word[4];
    made_u8(made, 0x78);
    made_u8(made, 0x01);
    for (size_t at = 0; at < size || at == 0;) {
        size_t piece = size - at < 65535 ? size - at : 65535;
        made_u8(made, at + piece == size);
        made_u16(made, (uint16_t)piece);
        made_u16(made, (uint16_t)~piece);
        made_put(made, data + at, piece);
        at += piece;
        if (size == 0)
            break;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_u32_big(word, b << 16 | a);
    made_put(made, word, 4);
}

/* What a filter subtracts; left, up and corner are the bytes one pixel away. */
static uint8_t predict(unsigned filter, int left, int up, int corner)
{
    int p = left + up - corner;
    switch (filter) {
    case 1: return (uint8_t)left;
    case 2: return (uint8_t)up;
    case 3: return (uint8_t)((left + up) >> 1);
    case 4:
        if (abs(p - left) <= abs(p - up) && abs(p - left) <= abs(p - corner))
            return (uint8_t)left;
        return (uint8_t)(abs(p - up) <= abs(p - corner) ? up : corner);
    default: return 0;
    }
}

void made_png(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
              const uint8_t *pixels, unsigned filter)
{
    static const unsigned channels[7] = {1, 0, 3, 1, 2, 0, 4};
    size_t step = channels[colour] * depth / 8, row = width * step;
    struct made rows = {0}, packed = {0};
    for (uint32_t z = 0; z < height; z++) {
        unsigned f = filter < 5 ? filter : z % 5;
        const uint8_t *p = pixels + z * row;
        made_u8(&rows, (uint8_t)f);
        for (size_t i = 0; i < row; i++) {
            const uint8_t *at = p + i;
            int left = i >= step ? *(at - step) : 0, up = z ? *(at - row) : 0;
            int corner = z && i >= step ? *(at - row - step) : 0;
            made_u8(&rows, (uint8_t)(*at - predict(f, left, up, corner)));
        }
    }
    made_zlib(&packed, rows.data, rows.size);
    made_png_signature(made);
    made_png_header(made, width, height, depth, colour, false);
    size_t half = packed.size / 2; /* two IDAT chunks, since real files have many */
    made_png_chunk(made, "IDAT", packed.data, half);
    made_png_chunk(made, "IDAT", packed.data + half, packed.size - half);
    made_png_chunk(made, "IEND", "", 0);
    made_free(&rows);
    made_free(&packed);
}

void made_png_grey16(struct made *made, uint32_t width, uint32_t height, const uint16_t *samples)
{
    struct made pixels = {0};
    for (size_t i = 0; i < (size_t)width * height; i++) {
        made_u8(&pixels, (uint8_t)(samples[i] >> 8));
        made_u8(&pixels, (uint8_t)samples[i]);
    }
    made_png(made, width, height, 16, 0, pixels.data, 0);
    made_free(&pixels);
}

void made_png_grey8(struct made *made, uint32_t width, uint32_t height, const uint8_t *samples)
{
    made_png(made, width, height, 8, 0, samples, 0);
}

/* ---- PFM ---- */

void made_pfm(struct made *made, const char *type, uint32_t width, uint32_t height, const float *heights, bool big)
{
    char header[64];
    size_t row = (size_t)width * (type[1] == 'F' ? 3 : 1);
    snprintf(header, sizeof header, "%s\n%u %u\n%s\n", type, width, height, big ? "1.0" : "-1.0");
    made_text(made, header);
    for (uint32_t z = height; z-- > 0;)
        for (size_t x = 0; x < row; x++) {
            uint32_t bits;
            uint8_t b[4];
            memcpy(&bits, &heights[z * row + x], sizeof bits);
            put_u32_big(b, bits);
            if (big)
                made_put(made, b, 4);
            else
                made_u32(made, bits);
        }
}

/* ---- .vxterrain ---- */

void made_vxterrain_head(struct made *made, int32_t tile, int32_t tiles_x, int32_t tiles_z, float metres, float min,
                         float max, const uint16_t *base)
{
    made_text(made, "VXTERRA1");
    made_u32(made, 1);
    made_u32(made, (uint32_t)tile);
    made_u32(made, (uint32_t)tiles_x);
    made_u32(made, (uint32_t)tiles_z);
    made_f32(made, metres);
    made_f32(made, min);
    made_f32(made, max);
    size_t count = (size_t)(tiles_x * (tile - 1) + 1) * (size_t)(tiles_z * (tile - 1) + 1);
    for (size_t i = 0; i < count; i++)
        made_u16(made, base[i]);
}

void made_vxterrain_string(struct made *made, const char *text)
{
    made_u32(made, (uint32_t)strlen(text));
    made_text(made, text);
}

void made_vxterrain_edit(struct made *made, const char *name, float alpha, bool visible, int32_t chunks)
{
    made_vxterrain_string(made, name);
    made_u32(made, 0); /* kind */
    made_f32(made, alpha);
    made_u32(made, visible);
    made_u32(made, 0); /* locked */
    made_u32(made, (uint32_t)chunks);
}

void made_vxterrain_chunk(struct made *made, int32_t x, int32_t z, const int32_t *deltas, size_t count)
{
    made_u32(made, (uint32_t)x);
    made_u32(made, (uint32_t)z);
    for (size_t i = 0; i < 64 * 64; i++)
        made_u32(made, i < count ? (uint32_t)deltas[i] : 0);
}

void made_vxterrain_weights(struct made *made, const char *name, const uint8_t *samples, size_t count)
{
    made_vxterrain_string(made, name);
    made_vxterrain_string(made, "albedo.png");
    made_vxterrain_string(made, "");
    made_vxterrain_string(made, "");
    made_f32(made, 1.0f); /* tiling */
    made_u32(made, 0);    /* blend */
    made_f32(made, 0.5f); /* height contrast */
    made_vxterrain_string(made, "soil");
    made_put(made, samples, count);
}

void made_png_repaired(struct made *made, const uint8_t *data, size_t size)
{
    size_t at = 8;
    made_put(made, data, size < 8 ? size : 8);
    while (size >= 12 && at <= size - 12) {
        const uint8_t *p = data + at;
        size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        char type[5] = {(char)p[4], (char)p[5], (char)p[6], (char)p[7], 0};
        if (length > size - at - 12)
            break;
        made_png_chunk(made, type, p + 8, length);
        at += 12 + length;
    }
    if (at < size)
        made_put(made, data + at, size - at);
}

void made_png_wrapped(struct made *made, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
                      bool interlaced, const uint8_t *data, size_t size)
{
    struct made packed = {0};
    made_zlib(&packed, data, size);
    made_png_signature(made);
    made_png_header(made, width, height, depth, colour, interlaced);
    made_png_chunk(made, "IDAT", packed.data, packed.size);
    made_png_chunk(made, "IEND", "", 0);
    made_free(&packed);
}
