/* What a file holds, as text for people; the library's JSON says the same. */
#ifndef SRC_INSPECT_TEXT_H
#define SRC_INSPECT_TEXT_H

#include "cli.h"

/* Prints header and sections, and of the chunks what options ask for, to standard output. name is the file as given. */
enum vxb_status inspect_text(const struct vxb_grass *grass, const char *name, const struct vxb_inspect_options *options,
                             struct vxb_error *err);

/* The same of a KTX2 file: header, keys and levels. */
void inspect_text_texture(const struct vxb_texture *texture, const char *name);

#endif
