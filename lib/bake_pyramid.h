/* What the bake of a depth pyramid tells, for verify to tell it again. */
#ifndef VXBI_BAKE_PYRAMID_H
#define VXBI_BAKE_PYRAMID_H

#include "vxbake/bake.h"

/* What a report says of the pyramid itself; its other members are left alone. */
void vxbi_pyramid_measure(const struct vxb_pyramid *pyramid, struct vxb_pyramid_report *report);

#endif
