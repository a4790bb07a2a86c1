/* Irradiance fields made by code, and one bad file for each finding of one. */
#ifndef TESTS_BAD_PROBES_H
#define TESTS_BAD_PROBES_H

#include "probes/format.h"

struct test_probes {
    uint8_t *data; /* free() */
    size_t size;
};

/* A small field of two sizes of bricks, smooth light, an empty probe here and there; free slots in the pool. */
struct test_probes_desc {
    enum vxb_probe_encoding encoding;
    bool compress, empty; /* empty: no brick at all */
    bool tiny;            /* one brick, two slots */
};
extern const struct test_probes_desc test_probes_f32, test_probes_zstd, test_probes_f16, test_probes_empty,
    test_probes_tiny, test_probes_tiny_f16;

/* The field itself, placed, with its borders; the caller frees it. */
struct vxb_probe_field *test_probes_field(const struct test_probes_desc *desc);
/* A file without a fault. */
struct test_probes test_probes_make(const struct test_probes_desc *desc);
/* Its bytes as they are whenever they are read. */
struct vxb_source test_probes_source(struct test_probes *file);

/* Makes every hash and identity right again after bytes were changed: raw planes' hashes, content id, tables, header;
 * as far as the counts still allow it. */
void test_probes_repair(struct test_probes *file);

enum bad_probe_base { BAD_PROBE_HEADER, BAD_PROBE_BRICK, BAD_PROBE_PLANE, BAD_PROBE_DATA };
/* Byte offset of entry index of a table; of plane index' data. */
size_t test_probes_at(const struct test_probes *file, enum bad_probe_base base, uint32_t index);

/* A fault: spoil, or width bytes of value at an offset. Hashes are made right afterwards, but where unrepaired. */
struct bad_probe {
    enum vxb_finding finding;
    const struct test_probes_desc *desc;
    void (*spoil)(struct test_probes *file);
    enum bad_probe_base base;
    uint32_t index, offset, width;
    uint64_t value;
    bool unrepaired;
    enum vxb_finding consequences[5]; /* what else the same fault breaks */
};
extern const struct bad_probe bad_probes[];
extern const size_t bad_probe_count;

struct test_probes bad_probe_make(const struct bad_probe *bad);

#endif
