/* Changes to a baked file after which it is as good as before, and another than its recipe gives. */
#ifndef TESTS_CHANGED_BAKES_H
#define TESTS_CHANGED_BAKES_H

#include <math.h>

#include "bad_files.h"
#include "core/bytes.h"

static inline void raise_rank_limit(struct test_file *file)
{
    vxbi_store_u16(file->data + test_file_at(file, BAD_SECTION, 0) + 30, 65535);
}

/* The last cell is said to be the one beyond it; the bounds go with it. */
static inline void move_last_chunk(struct test_file *file)
{
    const uint32_t last = vxbi_load_u32(file->data + 32) - 1;
    uint8_t *p = file->data + test_file_at(file, BAD_CHUNK, last);
    vxbi_store_u32(p + 4, vxbi_load_u32(p + 4) + 1);
    test_file_repair_bounds(file);
}

/* Higher ground than there is, over blades that keep their places by f32's grain. */
static inline void raise_a_chunk(struct test_file *file)
{
    uint8_t *p = file->data + test_file_at(file, BAD_CHUNK, 5), *blades = file->data + test_file_at(file, BAD_DATA, 5);
    for (uint32_t i = 0; i < vxbi_load_u32(p + 12); i++)
        vxbi_store_u16(blades + 16 * i + 4, 32768);
    vxbi_store_u32(p + 20, vxbi_f32_bits(nextafterf(vxbi_load_f32(p + 20), 1000.0f)));
    test_file_repair_bounds(file);
}

#endif
