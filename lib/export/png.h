/* Writing PNG: 8-bit RGB, the same bytes for the same pixels on every machine. */
#ifndef VXBI_EXPORT_PNG_H
#define VXBI_EXPORT_PNG_H

#include "../core/os.h"

/* Appends width * height pixels of 3 bytes, top row first, to output as one PNG. Both sides 1..32768.
 * Returns VXB_ERR_LIMIT (size), VXB_ERR_MEMORY, or what the output returned. */
enum vxb_status vxbi_png_write_rgb(struct vxb_output *output, uint32_t width, uint32_t height, const uint8_t *pixels,
                                   struct vxb_error *err);

#endif
