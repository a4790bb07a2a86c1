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
    uint32_t format, sections; /* format 1 has no sections, and at most five chunks */
    uint16_t flags;
    uint32_t chunks;      /* of each section */
    uint32_t blades;      /* of each chunk; later chunks have one more each */
    bool last_empty;      /* the last section has no chunk */
    bool flat;            /* every chunk's heights are equal */
};

extern const struct test_field test_field_1, test_field_1_empty, test_field_2, test_field_2_zstd, test_field_2_empty,
    test_field_flat, test_field_3, test_field_3_split, test_field_3_empty_section;

/* A file without a fault. */
struct test_file test_field_make(const struct test_field *field);

/* Makes every hash and identity right again after bytes were changed: raw chunks' hashes, content id, tables, header.
 * Where the counts no longer allow it, only the header's. */
void test_file_repair(struct test_file *file);
/* The same, but for raw chunks' hashes; the header's alone. */
void test_file_repair_tables(struct test_file *file);
void test_file_repair_header(struct test_file *file);

/* Makes the bounds of a raw file those of its blades. */
void test_file_repair_bounds(struct test_file *file);

/* Takes size bytes out at offset; or puts as many zeros in. */
void test_file_cut(struct test_file *file, size_t offset, size_t size);
void test_file_grow(struct test_file *file, size_t offset, size_t size);

struct vxbi_grass_layout test_file_layout(const struct test_file *file);

/* Where a change is counted from. */
enum bad_base { BAD_HEADER, BAD_SECTION, BAD_LOD, BAD_STRINGS, BAD_CHUNK, BAD_DATA };
/* Byte offset of entry index of a table (of chunk index' data; in format 1 of blade index). */
size_t test_file_at(const struct test_file *file, enum bad_base base, uint32_t index);

/* A fault: spoil, or width bytes of value at an offset. Hashes are made right afterwards, but where unrepaired. */
struct bad_file {
    enum vxb_finding finding;
    const struct test_field *field;
    void (*spoil)(struct test_file *file);
    enum bad_base base;
    uint32_t index, offset, width;
    uint64_t value;
    bool unrepaired;
    enum vxb_finding consequences[5];  /* what else the same fault breaks */
};
extern const struct bad_file bad_files[];
extern const size_t bad_file_count;

struct test_file bad_file_make(const struct bad_file *bad);

#endif
