/* Signals that end the program: they only set a flag, the work at hand ends with VXB_ERR_CANCELLED and cleans up, and
 * then the signal is raised again, so that the parent sees what it was. */
#ifndef SRC_SIGNALS_H
#define SRC_SIGNALS_H

#include <stdbool.h>

/* Takes over SIGTERM, SIGINT, SIGHUP, SIGPIPE and SIGXFSZ, but for those that are ignored. */
void signals_install(void);

/* The first one that came, 0: none. From any thread. */
int signals_caught(void);

/* Ends the program by the signal that was caught; returns where there was none. */
void signals_raise_again(void);

#endif
