/* Reads the shared vectors. */
#include "read_vectors.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/bytes.h"
#include "core/os.h"

static struct vxbi_bytes read_all(const char *name)
{
    char path[512];
    struct vxbi_bytes bytes;
    snprintf(path, sizeof path, "%s/vectors/%s", TEST_SHARED, name);
    if (!vxbi_path_exists(path))
        cr_skip_test("%s is not here", path);
    cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 28, &bytes, NULL), VXB_OK));
    return bytes;
}

float *vectors_floats(const char *name, size_t *count)
{
    struct vxbi_bytes bytes = read_all(name);
    *count = bytes.size / 4;
    float *floats = malloc(*count * sizeof *floats);
    for (size_t i = 0; i < *count; i++)
        floats[i] = vxbi_load_f32(bytes.data + 4 * i);
    vxbi_bytes_clear(&bytes);
    return floats;
}

cJSON *vectors_json(const char *name)
{
    struct vxbi_bytes bytes = read_all(name);
    cJSON *json = cJSON_ParseWithLength((const char *)bytes.data, bytes.size);
    cr_assert(ne(ptr, json, NULL));
    vxbi_bytes_clear(&bytes);
    return json;
}
