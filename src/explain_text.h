/* The text of explain. */
#ifndef SRC_EXPLAIN_TEXT_H
#define SRC_EXPLAIN_TEXT_H

#include "cli.h"

void explain_text(const struct vxb_plan *plan, const struct vxb_explanation *explanation);

#endif
