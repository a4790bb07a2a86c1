/* Text made fit to print: what comes from files and paths may hold bytes that steer a terminal, and numbers must look
 * the same in every locale. */
#ifndef VXBAKE_TEXT_H
#define VXBAKE_TEXT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies text for printing: control characters (C0, DEL, C1) and bytes that are no valid UTF-8 become \xNN.
 * out: receives it with a terminator; room, at least 1, is its size in bytes. Cut between characters where it does not
 *   fit: four times size, plus one, always does.
 * text: size bytes; it need not be terminated.
 * Returns the length written, the terminator not counted. Any thread. */
size_t vxb_text_escape(char *out, size_t room, const char *text, size_t size);

#define VXB_TEXT_NUMBER_ROOM 32

/* The shortest decimal text that reads back as the same value ("0.1", "1e-20"), "inf", "-inf" or "nan"; with a point in
 * every locale. buf holds VXB_TEXT_NUMBER_ROOM bytes. Returns buf. Any thread. */
char *vxb_text_f32(float value, char *buf);
char *vxb_text_f64(double value, char *buf);

/* Reads a decimal number that is all of text, with a point in every locale. False, and *out as it was, where it is none
 * or not finite. Any thread. */
bool vxb_text_number(const char *text, double *out);

#ifdef __cplusplus
}
#endif

#endif
