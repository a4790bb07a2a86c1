/* Grass files made by code, and one bad file for each finding. */
#ifndef TESTS_BAD_FILES_H
#define TESTS_BAD_FILES_H

#include "grass/format.h"

/* A file in memory; free() data. */
struct test_file {
    uint8_t *data;
    size_t size;
};

/* What a small field is made of. */
struct test_field {
    uint32_t format, sections;
    uint16_t flags;
    uint32_t chunks;      /* of each section */
    uint32_t blades;      /* of each chunk; later chunks have one more each */
    bool last_empty;      /* the last section has no chunk */
    bool flat;            /* every chunk's heights are equal */
};

extern const struct test_field test_field_2, test_field_2_zstd, test_field_2_empty, test_field_3, test_field_3_split,
    test_field_3_empty_section;

/* A file without a fault. */
struct test_file test_field_make(const struct test_field *field);

/* Makes every hash and identity right again after bytes were changed: raw chunks' hashes, content id, tables, header.
 * Where the counts no longer allow it, only the header's. */
void test_file_repair(struct test_file *file);

/* Takes a size-byte piece out at offset (size < 0: puts zeros in). */
void test_file_resize(struct test_file *file, size_t offset, long size);

struct vxbi_grass_layout test_file_layout(const struct test_file *file);

struct bad_file {
    enum vxb_finding finding;
    const struct test_field *field;
    void (*spoil)(struct test_file *file);
    bool repaired;                     /* hashes are made right after spoiling */
    enum vxb_finding consequences[6];  /* what else the same fault breaks */
};
extern const struct bad_file bad_files[];
extern const size_t bad_file_count;

#endif
