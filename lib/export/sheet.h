/* A picture of several panels of one size, each with a line of text above it. */
#ifndef VXBI_EXPORT_SHEET_H
#define VXBI_EXPORT_SHEET_H

#include "../core/os.h"
#include "canvas.h"

struct vxbi_sheet {
    uint32_t count, columns, rows;
    uint32_t gap, letters;   /* between panels, and above each; a small picture has no room for text */
    uint32_t width, height;  /* of a panel */
    struct vxbi_canvas canvas;
};

/* Lays out count panels as wide to high as wide is to high, the largest that a square of this side has room for, on
 * paper.
 * side: 16..4096; 0: 1024. Returns VXB_ERR_USAGE (a side beyond its range) or VXB_ERR_MEMORY; else free it with
 * vxbi_sheet_free(). */
enum vxb_status vxbi_sheet_new(const struct vxb_allocator *allocator, uint32_t count, uint32_t wide, uint32_t high,
                               uint32_t side, struct vxbi_sheet *out, struct vxb_error *err);
void vxbi_sheet_free(const struct vxb_allocator *allocator, struct vxbi_sheet *sheet);

/* Writes the text of a panel, cut where it is too long. */
void vxbi_sheet_letter(const struct vxbi_sheet *sheet, uint32_t panel, const char *text);
/* The pixels of a panel's row, 3 bytes each, width of them. */
uint8_t *vxbi_sheet_row(const struct vxbi_sheet *sheet, uint32_t panel, uint32_t row);

/* Appends it to output as a PNG file. */
enum vxb_status vxbi_sheet_write(const struct vxbi_sheet *sheet, struct vxb_output *output, struct vxb_error *err);

#endif
