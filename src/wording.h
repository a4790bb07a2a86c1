/* The library's errors in the program's words: a member of options that a message is about, as the option that sets
 * it. */
#ifndef SRC_WORDING_H
#define SRC_WORDING_H

#include <vxbake.h>

/* Room for any error as a line of text. */
enum { WORDING_ROOM = 2048 };

/* Writes the error as vxb_error_format() does, with the option at fault before it and the one that helps behind it:
 * "--split: it arranges bytes ...", "x.json: exists ...; --force replaces it". */
void wording_format(const struct vxb_error *err, char out[WORDING_ROOM]);

#endif
