/* A file on disk for readers that take a path: one folder a process, removed when it ends. */
#ifndef TESTS_FUZZ_SCRATCH_H
#define TESTS_FUZZ_SCRATCH_H

#include <stddef.h>

/* Writes data to the file of that name, in place of what was there, and returns its path; one name at a time is
 * kept. */
const char *scratch_put(const char *name, const void *data, size_t size);

#endif
