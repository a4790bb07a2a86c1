/* The field's own pixels: counts, made into colours over the relief. */
#ifndef VXBI_EXPORT_PAINT_H
#define VXBI_EXPORT_PAINT_H

#include <stdatomic.h>

#include "../vxbake/bake.h"
#include "canvas.h"
#include "relief.h"

/* A counter that is done with counting shows at most this. */
#define VXBI_COUNT_MAX 0x40000000u

struct vxbi_paint {
    struct vxb_allocator allocator;
    enum vxb_preview_as as;
    uint32_t width, height;
    double pitch;                   /* metres a pixel */
    uint32_t planes;                /* counters a pixel, next to each other */
    const _Atomic uint32_t *counts;
    const uint8_t *ground;          /* enum vxbi_ground a pixel */
    const uint32_t *colours;        /* of each species, an index into vxbi_species_colours */
    struct vxbi_relief_look look;
};

/* Species by the rank of their share, reasons by their value and placed as VXB_REASON_COUNT; density from 0 to 1 of
 * what the legend ends with. All tell apart for the colour-blind, in lightness too. */
extern const struct vxbi_colour vxbi_species_colours[VXB_SPECIES_MAX];
extern const struct vxbi_colour vxbi_reason_colours[VXB_REASON_COUNT + 1];
struct vxbi_colour vxbi_density_colour(double part);

/* The colour around the field, and of holes in it. */
extern const struct vxbi_colour vxbi_paper, vxbi_hole_colour;

/* Draws the field with its corner at canvas pixel (x, y). *density_end: for a picture of density, the number of blades
 * a square metre that the last colour stands for. False where there is no memory. */
bool vxbi_paint_field(const struct vxbi_paint *paint, struct vxbi_canvas *canvas, uint32_t x, uint32_t y,
                      double *density_end);

/* The smallest of these steps (ascending, 1 to below 10) times a power of ten that is at least value; 1 where value is
 * not above zero. */
double vxbi_round_up(double value, const double *steps, size_t count);

#endif
