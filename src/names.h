/* What an output's name promises. A name may end as it likes, but not as another kind of file does: what opens it by
 * its name would take it for that. */
#ifndef SRC_NAMES_H
#define SRC_NAMES_H

#include "args.h"

/* What a path's ending promises ("a JPEG") where that is another kind than ending (".png") does; NULL where nothing is
 * wrong with it: no ending, one that is not known, standard output. path may be NULL. */
const char *names_promise(const char *path, const char *ending);

/* An error that shows usage where an option's file, of which what ("a PNG") is written, promises another kind: the exit
 * code. path NULL: none is asked for. One that is an operand, and would replace an input, is left to what refuses it
 * for that. */
int names_check(const struct args *args, const char *option, const char *path, const char *ending, const char *what);

#endif
