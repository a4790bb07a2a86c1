/* A picture in 8-bit RGB, and what is drawn on it beside the field: rectangles, arrows, text in a small bitmap font. */
#ifndef VXBI_EXPORT_CANVAS_H
#define VXBI_EXPORT_CANVAS_H

#include "../core/alloc.h"

struct vxbi_canvas {
    uint32_t width, height;
    uint8_t *pixels; /* 3 bytes each, top row first */
};

struct vxbi_colour {
    uint8_t r, g, b;
};

/* What falls outside the canvas is cut. */
void vxbi_canvas_fill(struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                      struct vxbi_colour colour);
/* A frame of this thickness just outside the rectangle. */
void vxbi_canvas_frame(struct vxbi_canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                       int64_t thickness, struct vxbi_colour colour);

/* Text, its letters' tops at y, 7 * scale pixels high and 2 * scale more below the line; UTF-8 that is not printable
 * ASCII is a box a character, other bytes a box each. Returns where the next letter would start. */
int64_t vxbi_canvas_text(struct vxbi_canvas *canvas, int64_t x, int64_t y, uint32_t scale, const char *text,
                         struct vxbi_colour colour);
/* How wide it is. */
int64_t vxbi_canvas_text_width(uint32_t scale, const char *text);
/* Copies text to out, cut and ended by "..." where it is wider than width; room is at least 4. */
void vxbi_canvas_text_fit(char *out, size_t room, uint32_t scale, int64_t width, const char *text);

#endif
