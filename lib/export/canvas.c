/* Drawing on a canvas, and the font. */
#include "canvas.h"

#include <string.h>

#include "../core/text.h"

#define GLYPH_ROWS 9
#define GLYPH_COLUMNS 5

/* Printable ASCII from space on: rows from the top, the highest of 5 bits leftmost; the last two rows hang below the
 * line. */
static const uint8_t glyphs[95][GLYPH_ROWS] = {
    { 0,  0,  0,  0,  0,  0,  0,  0,  0}, /* space */
    { 4,  4,  4,  4,  4,  0,  4,  0,  0}, /* ! */
    {10, 10, 10,  0,  0,  0,  0,  0,  0}, /* " */
    {10, 10, 31, 10, 31, 10, 10,  0,  0}, /* # */
    { 4, 15, 20, 14,  5, 30,  4,  0,  0}, /* $ */
    {24, 25,  2,  4,  8, 19,  3,  0,  0}, /* % */
    {12, 18, 20,  8, 21, 18, 13,  0,  0}, /* & */
    { 4,  4,  4,  0,  0,  0,  0,  0,  0}, /* ' */
    { 2,  4,  8,  8,  8,  4,  2,  0,  0}, /* ( */
    { 8,  4,  2,  2,  2,  4,  8,  0,  0}, /* ) */
    { 0,  4, 21, 14, 21,  4,  0,  0,  0}, /* star */
    { 0,  4,  4, 31,  4,  4,  0,  0,  0}, /* + */
    { 0,  0,  0,  0,  0,  4,  4,  8,  0}, /* , */
    { 0,  0,  0, 14,  0,  0,  0,  0,  0}, /* - */
    { 0,  0,  0,  0,  0,  0,  4,  0,  0}, /* . */
    { 1,  1,  2,  4,  8, 16, 16,  0,  0}, /* slash */
    {14, 17, 17, 17, 17, 17, 14,  0,  0}, /* 0 */
    { 4, 12,  4,  4,  4,  4, 14,  0,  0}, /* 1 */
    {14, 17,  1,  2,  4,  8, 31,  0,  0}, /* 2 */
    {31,  2,  4,  2,  1, 17, 14,  0,  0}, /* 3 */
    { 2,  6, 10, 18, 31,  2,  2,  0,  0}, /* 4 */
    {31, 16, 30,  1,  1, 17, 14,  0,  0}, /* 5 */
    { 6,  8, 16, 30, 17, 17, 14,  0,  0}, /* 6 */
    {31,  1,  2,  4,  8,  8,  8,  0,  0}, /* 7 */
    {14, 17, 17, 14, 17, 17, 14,  0,  0}, /* 8 */
    {14, 17, 17, 15,  1,  2, 12,  0,  0}, /* 9 */
    { 0,  0,  4,  0,  0,  4,  0,  0,  0}, /* : */
    { 0,  0,  4,  0,  0,  4,  4,  8,  0}, /* ; */
    { 2,  4,  8, 16,  8,  4,  2,  0,  0}, /* < */
    { 0,  0, 31,  0, 31,  0,  0,  0,  0}, /* = */
    { 8,  4,  2,  1,  2,  4,  8,  0,  0}, /* > */
    {14, 17,  1,  2,  4,  0,  4,  0,  0}, /* ? */
    {14, 17, 23, 21, 23, 16, 14,  0,  0}, /* @ */
    {14, 17, 17, 31, 17, 17, 17,  0,  0}, /* A */
    {30, 17, 17, 30, 17, 17, 30,  0,  0}, /* B */
    {14, 17, 16, 16, 16, 17, 14,  0,  0}, /* C */
    {30, 17, 17, 17, 17, 17, 30,  0,  0}, /* D */
    {31, 16, 16, 30, 16, 16, 31,  0,  0}, /* E */
    {31, 16, 16, 30, 16, 16, 16,  0,  0}, /* F */
    {14, 17, 16, 23, 17, 17, 15,  0,  0}, /* G */
    {17, 17, 17, 31, 17, 17, 17,  0,  0}, /* H */
    {14,  4,  4,  4,  4,  4, 14,  0,  0}, /* I */
    { 7,  2,  2,  2,  2, 18, 12,  0,  0}, /* J */
    {17, 18, 20, 24, 20, 18, 17,  0,  0}, /* K */
    {16, 16, 16, 16, 16, 16, 31,  0,  0}, /* L */
    {17, 27, 21, 21, 17, 17, 17,  0,  0}, /* M */
    {17, 25, 21, 19, 17, 17, 17,  0,  0}, /* N */
    {14, 17, 17, 17, 17, 17, 14,  0,  0}, /* O */
    {30, 17, 17, 30, 16, 16, 16,  0,  0}, /* P */
    {14, 17, 17, 17, 21, 18, 13,  0,  0}, /* Q */
    {30, 17, 17, 30, 20, 18, 17,  0,  0}, /* R */
    {15, 16, 16, 14,  1,  1, 30,  0,  0}, /* S */
    {31,  4,  4,  4,  4,  4,  4,  0,  0}, /* T */
    {17, 17, 17, 17, 17, 17, 14,  0,  0}, /* U */
    {17, 17, 17, 17, 17, 10,  4,  0,  0}, /* V */
    {17, 17, 17, 21, 21, 27, 17,  0,  0}, /* W */
    {17, 17, 10,  4, 10, 17, 17,  0,  0}, /* X */
    {17, 17, 10,  4,  4,  4,  4,  0,  0}, /* Y */
    {31,  1,  2,  4,  8, 16, 31,  0,  0}, /* Z */
    {14,  8,  8,  8,  8,  8, 14,  0,  0}, /* [ */
    {16, 16,  8,  4,  2,  1,  1,  0,  0}, /* backslash */
    {14,  2,  2,  2,  2,  2, 14,  0,  0}, /* ] */
    { 4, 10, 17,  0,  0,  0,  0,  0,  0}, /* ^ */
    { 0,  0,  0,  0,  0,  0, 31,  0,  0}, /* _ */
    { 8,  4,  0,  0,  0,  0,  0,  0,  0}, /* ` */
    { 0,  0, 14,  1, 15, 17, 15,  0,  0}, /* a */
    {16, 16, 30, 17, 17, 17, 30,  0,  0}, /* b */
    { 0,  0, 14, 17, 16, 17, 14,  0,  0}, /* c */
    { 1,  1, 15, 17, 17, 17, 15,  0,  0}, /* d */
    { 0,  0, 14, 17, 31, 16, 14,  0,  0}, /* e */
    { 6,  8, 28,  8,  8,  8,  8,  0,  0}, /* f */
    { 0,  0, 15, 17, 17, 17, 15,  1, 14}, /* g */
    {16, 16, 30, 17, 17, 17, 17,  0,  0}, /* h */
    { 4,  0, 12,  4,  4,  4, 14,  0,  0}, /* i */
    { 2,  0,  6,  2,  2,  2,  2, 18, 12}, /* j */
    {16, 16, 18, 20, 24, 20, 18,  0,  0}, /* k */
    {12,  4,  4,  4,  4,  4, 14,  0,  0}, /* l */
    { 0,  0, 26, 21, 21, 21, 21,  0,  0}, /* m */
    { 0,  0, 30, 17, 17, 17, 17,  0,  0}, /* n */
    { 0,  0, 14, 17, 17, 17, 14,  0,  0}, /* o */
    { 0,  0, 30, 17, 17, 17, 30, 16, 16}, /* p */
    { 0,  0, 15, 17, 17, 17, 15,  1,  1}, /* q */
    { 0,  0, 22, 25, 16, 16, 16,  0,  0}, /* r */
    { 0,  0, 15, 16, 14,  1, 30,  0,  0}, /* s */
    { 8,  8, 28,  8,  8,  8,  6,  0,  0}, /* t */
    { 0,  0, 17, 17, 17, 17, 15,  0,  0}, /* u */
    { 0,  0, 17, 17, 17, 10,  4,  0,  0}, /* v */
    { 0,  0, 17, 17, 21, 21, 10,  0,  0}, /* w */
    { 0,  0, 17, 10,  4, 10, 17,  0,  0}, /* x */
    { 0,  0, 17, 17, 17, 17, 15,  1, 14}, /* y */
    { 0,  0, 31,  2,  4,  8, 31,  0,  0}, /* z */
    { 2,  4,  4,  8,  4,  4,  2,  0,  0}, /* { */
    { 4,  4,  4,  4,  4,  4,  4,  0,  0}, /* | */
    { 8,  4,  4,  2,  4,  4,  8,  0,  0}, /* } */
    { 0,  0,  8, 21,  2,  0,  0,  0,  0}, /* ~ */
};
static const uint8_t box[GLYPH_ROWS] = {31, 17, 17, 17, 17, 17, 31, 0, 0};

void vxbi_canvas_fill(struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                      struct vxbi_colour colour)
{
    int64_t x1 = x + width < canvas->width ? x + width : canvas->width;
    int64_t y1 = y + height < canvas->height ? y + height : canvas->height;
    for (int64_t row = y > 0 ? y : 0; row < y1; row++)
        for (int64_t column = x > 0 ? x : 0; column < x1; column++) {
            uint8_t *p = canvas->pixels + ((size_t)row * canvas->width + (size_t)column) * 3;
            p[0] = colour.r;
            p[1] = colour.g;
            p[2] = colour.b;
        }
}

void vxbi_canvas_frame(struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                       int64_t thickness, struct vxbi_colour colour)
{
    int64_t t = thickness;
    vxbi_canvas_fill(canvas, x - t, y - t, width + 2 * t, t, colour);
    vxbi_canvas_fill(canvas, x - t, y + height, width + 2 * t, t, colour);
    vxbi_canvas_fill(canvas, x - t, y, t, height, colour);
    vxbi_canvas_fill(canvas, x + width, y, t, height, colour);
}

/* The next character's rows, and how many bytes it took. */
static const uint8_t *next_glyph(const char *text, size_t size, size_t *taken)
{
    unsigned char c = (unsigned char)text[0];
    *taken = vxbi_utf8_length(text, size);
    if (*taken == 0)
        *taken = 1;
    return *taken == 1 && c >= 32 && c < 127 ? glyphs[c - 32] : box;
}

/* The first column used and the number from there to the last: letters stand close. */
static void extent(const uint8_t *glyph, int *first, int *columns)
{
    unsigned used = 0;
    for (int row = 0; row < GLYPH_ROWS; row++)
        used |= glyph[row];
    if (used == 0) {
        *first = 0;
        *columns = 3; /* a space */
        return;
    }
    int left = 0, right = GLYPH_COLUMNS - 1;
    while (!(used >> (GLYPH_COLUMNS - 1 - left) & 1))
        left++;
    while (!(used >> (GLYPH_COLUMNS - 1 - right) & 1))
        right--;
    *first = left;
    *columns = right - left + 1;
}

int64_t vxbi_canvas_text(struct vxbi_canvas *canvas, int64_t x, int64_t y, uint32_t scale, const char *text,
                         struct vxbi_colour colour)
{
    size_t size = strlen(text);
    for (size_t at = 0, taken; at < size; at += taken) {
        const uint8_t *glyph = next_glyph(text + at, size - at, &taken);
        int first, columns;
        extent(glyph, &first, &columns);
        for (int row = 0; row < GLYPH_ROWS; row++)
            for (int column = 0; column < columns; column++)
                if (glyph[row] >> (GLYPH_COLUMNS - 1 - first - column) & 1)
                    vxbi_canvas_fill(canvas, x + column * (int64_t)scale, y + row * (int64_t)scale, scale, scale,
                                     colour);
        x += (columns + 1) * (int64_t)scale;
    }
    return x;
}

int64_t vxbi_canvas_text_width(uint32_t scale, const char *text)
{
    size_t size = strlen(text);
    int64_t width = 0;
    for (size_t at = 0, taken; at < size; at += taken) {
        int first, columns;
        extent(next_glyph(text + at, size - at, &taken), &first, &columns);
        width += (columns + 1) * (int64_t)scale;
    }
    return width ? width - scale : 0;
}

void vxbi_canvas_text_fit(char *out, size_t room, uint32_t scale, int64_t width, const char *text)
{
    size_t size = strlen(text), used = 0;
    if (size < room && vxbi_canvas_text_width(scale, text) <= width) {
        memcpy(out, text, size + 1);
        return;
    }
    memcpy(out, "...", 4);
    for (size_t taken; used < size; used += taken) {
        next_glyph(text + used, size - used, &taken);
        if (used + taken + 4 > room)
            break;
        memcpy(out + used, text + used, taken);
        memcpy(out + used + taken, "...", 4);
        if (vxbi_canvas_text_width(scale, out) > width)
            break;
    }
    memcpy(out + used, "...", 4);
}
