/* UTF-8, JSON pointers and identities as text, beside what ../vxbake/text.h has. */
#ifndef VXBI_CORE_TEXT_H
#define VXBI_CORE_TEXT_H

#include "../vxbake/text.h"

/* A key as a JSON pointer has it (RFC 6901: ~ as ~0, / as ~1) into out, cut where it does not fit room (at least 1).
 * Returns the length written. */
size_t vxbi_pointer_escape(char *out, size_t room, const char *key);

/* The length of the valid UTF-8 sequence at text (1..4), 0 where there is none within size bytes. Overlong forms,
 * surrogates and values over U+10FFFF are none. */
size_t vxbi_utf8_length(const char *text, size_t size);

/* Whether the valid sequence of that length at text makes a reader do something other than show it: a control
 * character, C0, DEL or C1 (U+0080 to U+009F); a line or paragraph separator (U+2028, U+2029), which some readers of
 * lines take for an end; or one that turns the direction of what follows (U+202A to U+202E, U+2066 to U+2069). */
bool vxbi_utf8_steers(const char *text, size_t length);
bool vxbi_utf8_valid(const char *text, size_t size);

/* Reads a 64-bit identity: "0x" and up to 16 hexadecimal digits. False where text is something else; *id is 0 then. */
bool vxbi_id_parse(const char *text, uint64_t *id);

#endif
