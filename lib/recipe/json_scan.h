/* The gate before the JSON parser: RFC 8259 to the letter, and stricter where a lax reader would guess. */
#ifndef VXBI_RECIPE_JSON_SCAN_H
#define VXBI_RECIPE_JSON_SCAN_H

#include "../core/alloc.h"

#define VXBI_JSON_DEPTH_MAX 64
#define VXBI_JSON_VALUES_MAX ((size_t)1 << 20)
#define VXBI_JSON_NUMBER_MAX 127 /* bytes of one number's text */

/* Checks that text (size bytes, without byte order mark) is one JSON value and nothing after it: the grammar, valid
 * UTF-8, no lone surrogate, no U+0000, no key twice in one object (escapes resolved), no number that overflows a
 * double, at most VXBI_JSON_DEPTH_MAX levels and VXBI_JSON_VALUES_MAX values. Numbers of more than 60 bytes, which the
 * parser behind this can't take, are rewritten in place as the shortest text of the same double, followed by blanks.
 * Uses no recursion. Returns VXB_OK, VXB_ERR_MEMORY, or fault with the line and column (in characters) of the fault. */
enum vxb_status vxbi_json_scan(const struct vxb_allocator *allocator, char *text, size_t size, enum vxb_status fault,
                               struct vxb_error *err);

#endif
