/* What a user says who chooses a device. */
#ifndef VXBI_COMPUTE_CHOICE_H
#define VXBI_COMPUTE_CHOICE_H

#include "../core/error.h"

struct vxbi_choice {
    enum { VXBI_CHOICE_CPU, VXBI_CHOICE_AUTO, VXBI_CHOICE_OPENCL, VXBI_CHOICE_NUMBER, VXBI_CHOICE_NAME } kind;
    uint64_t number;
    const char *name; /* within the text */
};

/* VXB_ERR_USAGE for what is none. NULL is "cpu". */
enum vxb_status vxbi_choice_parse(const char *text, struct vxbi_choice *out, struct vxb_error *err);

#endif
