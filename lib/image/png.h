/* PNG: the container, checked to the last byte, and its pixels in native depth and channels. Source: the PNG
 * specification (W3C, third edition); what is refused and why is in vxbake-recipe(5), "terrain". */
#ifndef VXBI_IMAGE_PNG_H
#define VXBI_IMAGE_PNG_H

#include "source.h"

enum vxbi_png_colour { VXBI_PNG_GREY = 0, VXBI_PNG_RGB = 2, VXBI_PNG_PALETTE = 3, VXBI_PNG_GREY_ALPHA = 4,
                       VXBI_PNG_RGBA = 6 };

/* What a PNG's chunks say. */
struct vxbi_png {
    uint32_t width, height;
    unsigned depth;    /* bits a channel */
    unsigned colour;   /* enum vxbi_png_colour */
    unsigned channels; /* 1..4 */
    bool interlaced;
    size_t packed;     /* bytes of compressed pixels, which now stand at the file's beginning */
    char name[48];     /* "a 16-bit grey PNG", for messages */
};

/* Walks all chunks of file: signature, lengths, CRCs, order, IEND. Joins the IDAT chunks at the beginning of file,
 * whose other bytes are then of no use. Warns of bytes after IEND. */
enum vxb_status vxbi_png_scan(const struct vxbi_source *source, struct vxbi_bytes *file, struct vxbi_png *out,
                              struct vxb_error *err);

/* Pixels of 8 or 16 bits a channel: row y begins at data + first + y * pitch, samples as in the file (big-endian). */
struct vxbi_image {
    struct vxb_allocator allocator;
    uint32_t width, height;
    unsigned depth, channels, colour;
    uint8_t *data;
    size_t room, first, pitch;
    char name[48];
};
void vxbi_image_clear(struct vxbi_image *image);

/* Decompresses what vxbi_png_scan() joined, at 8 or 16 bits a channel; clears file. */
enum vxb_status vxbi_png_pixels(const struct vxbi_source *source, struct vxbi_bytes *file, const struct vxbi_png *png,
                                struct vxbi_image *out, struct vxb_error *err);

/* Inflates a zlib stream of packed bytes into room bytes at out; returns how many came out, -1 where the stream is
 * damaged or has more. Allocates nothing. The checksum at its end is not looked at. */
int vxbi_inflate(uint8_t *out, int room, const uint8_t *data, int packed);

#endif
