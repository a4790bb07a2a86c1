/* The programs in the library, as text. Parameters are never put into it: they travel in buffers, so that no locale,
 * no rounding of a printed number and no driver's option parser comes between the host's values and the device's. */
#ifndef VXBI_COMPUTE_KERNELS_H
#define VXBI_COMPUTE_KERNELS_H

enum vxbi_program {
#define VXBI_PROGRAM_DEF(name) VXBI_PROGRAM_##name,
#include "kernels.def"
#undef VXBI_PROGRAM_DEF
    VXBI_PROGRAM_COUNT
};

/* Lines, then NULL. */
#define VXBI_PROGRAM_DEF(name) extern const char *const vxbi_program_##name[];
#include "kernels.def"
#undef VXBI_PROGRAM_DEF

#endif
