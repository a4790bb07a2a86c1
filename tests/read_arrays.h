/* A set of shared vectors with named arrays: NAME.json describes the f32 data of NAME.bin. */
#ifndef TEST_READ_ARRAYS_H
#define TEST_READ_ARRAYS_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct arrays {
    cJSON *json;
    float *floats;
    size_t count;
};

/* Skips the test where they are absent. */
struct arrays arrays_open(const char *name);
void arrays_close(struct arrays *arrays);

/* The data of an array, and how many rows it has (its first dimension). */
const float *arrays_find(const struct arrays *arrays, const char *name, uint32_t *rows);

/* numbers[0..count) of a JSON array. */
void arrays_floats(const cJSON *list, float *out, int count);
void arrays_u32(const cJSON *list, uint32_t *out, int count);
uint32_t arrays_number(const cJSON *object, const char *name);

#endif
