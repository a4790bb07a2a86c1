/* The shared vectors: values computed by the engine, described by JSON. A test that needs them is skipped, and says so,
 * where they are absent. */
#ifndef TEST_READ_VECTORS_H
#define TEST_READ_VECTORS_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* The f32 values of vectors/NAME; free() them. */
float *vectors_floats(const char *name, size_t *count);

/* vectors/NAME; cJSON_Delete() it. */
cJSON *vectors_json(const char *name);

#endif
