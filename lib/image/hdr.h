/* Radiance pictures (.hdr, .pic): RGBE texels, flat or packed by either of Radiance's two ways. */
#ifndef VXBI_IMAGE_HDR_H
#define VXBI_IMAGE_HDR_H

#include "source.h"

struct vxbi_hdr {
    uint32_t width, height;
    double exposure; /* the product of the header's, above 0 */
    size_t offset;   /* of the first texel */
};

/* Checks the header: width and height are 1 to VXBI_IMAGE_SIDE_MAX. Returns VXB_ERR_FORMAT, VXB_ERR_DATA,
 * VXB_ERR_UNSUPPORTED, VXB_ERR_LIMIT. */
enum vxb_status vxbi_hdr_header(const struct vxbi_source *source, const struct vxbi_bytes *file, struct vxbi_hdr *out,
                                struct vxb_error *err);

/* Decodes into texels, 3 * width * height floats: red, green, blue as stored, the exposure not undone. Returns
 * VXB_ERR_DATA, with the row, and VXB_ERR_CANCELLED. */
enum vxb_status vxbi_hdr_texels(const struct vxbi_source *source, const struct vxbi_bytes *file,
                                const struct vxbi_hdr *hdr, float *texels, struct vxb_error *err);

#endif
