/* The report of simulate as text. */
#ifndef SRC_SIMULATE_TEXT_H
#define SRC_SIMULATE_TEXT_H

#include "cli.h"

/* file and path: how the user named them. */
void simulate_text(const struct vxb_simulation *simulation, const char *file, const char *path);

#endif
