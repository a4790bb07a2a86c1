/* What stands below the field in a picture: what each colour means, how large the field is, which way the axes go. */
#ifndef VXBI_EXPORT_LEGEND_H
#define VXBI_EXPORT_LEGEND_H

#include "../vxbake/bake.h"
#include "canvas.h"
#include "preview.h"

struct vxbi_legend {
    enum vxb_preview_as as;
    uint32_t species_count;
    const struct vxbi_preview_legend *rows;
    const uint32_t *colours; /* of each species: its rank by share */
    double density_end;      /* blades a square metre of the ramp's end */
    double pitch;            /* metres a pixel */
    double width_m, depth_m; /* of the field */
    uint32_t field_width;    /* pixels */
    uint32_t scale;          /* of the font */
};

/* The least width it can be drawn in, and how tall it is in this width. */
uint32_t vxbi_legend_min_width(const struct vxbi_legend *legend);
uint32_t vxbi_legend_height(const struct vxbi_legend *legend, uint32_t width);
void vxbi_legend_draw(const struct vxbi_legend *legend, struct vxbi_canvas *canvas, uint32_t x, uint32_t y,
                      uint32_t width);

#endif
