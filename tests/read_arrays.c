/* Reads shared vectors that have a description. */
#include "read_arrays.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_vectors.h"

struct arrays arrays_open(const char *name)
{
    char file[128];
    struct arrays arrays;
    snprintf(file, sizeof file, "%s.json", name);
    arrays.json = vectors_json(file);
    snprintf(file, sizeof file, "%s.bin", name);
    arrays.floats = vectors_floats(file, &arrays.count);
    return arrays;
}

void arrays_close(struct arrays *arrays)
{
    cJSON_Delete(arrays->json);
    free(arrays->floats);
}

const float *arrays_find(const struct arrays *arrays, const char *name, uint32_t *rows)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(arrays->json, "arrays"))
    {
        if (strcmp(cJSON_GetObjectItem(entry, "name")->valuestring, name) != 0)
            continue;
        size_t size = 1, first = arrays_number(entry, "offset") / 4;
        const cJSON *side, *shape = cJSON_GetObjectItem(entry, "shape");
        cJSON_ArrayForEach(side, shape) size *= (size_t)side->valueint;
        cr_assert(le(sz, first + size, arrays->count));
        *rows = (uint32_t)cJSON_GetArrayItem(shape, 0)->valueint;
        return arrays->floats + first;
    }
    cr_assert(false, "there is no array %s", name);
    return NULL;
}

void arrays_floats(const cJSON *list, float *out, int count)
{
    cr_assert(eq(int, cJSON_GetArraySize(list), count));
    for (int i = 0; i < count; i++)
        out[i] = (float)cJSON_GetArrayItem(list, i)->valuedouble;
}

void arrays_u32(const cJSON *list, uint32_t *out, int count)
{
    cr_assert(eq(int, cJSON_GetArraySize(list), count));
    for (int i = 0; i < count; i++)
        out[i] = (uint32_t)cJSON_GetArrayItem(list, i)->valuedouble;
}

uint32_t arrays_number(const cJSON *object, const char *name)
{
    return (uint32_t)cJSON_GetObjectItem(object, name)->valuedouble;
}
