/* Every field of every structure of the three grass formats, as tables: what the tests change one by one, and what the
 * fuzzer changes before it makes the hashes right again. */
#ifndef TESTS_GRASS_FIELDS_H
#define TESTS_GRASS_FIELDS_H

#include "bad_files.h"

enum grass_part { PART_HEADER, PART_SECTION, PART_LOD, PART_STRING, PART_CHUNK, PART_BLADE, PARTS };
enum grass_type { TYPE_UINT, TYPE_INT, TYPE_F32 };

struct grass_field {
    const char *name;     /* the last part of a finding's pointer */
    uint32_t offset, width;
    enum grass_type type;
};

struct grass_struct {
    const struct grass_field *fields;
    uint32_t count;
};

/* The fields of a part in a format, reserved words, hashes and ids included; no fields where the format has no such
 * part. PART_STRING is a string's length alone. */
struct grass_struct grass_struct_of(uint32_t format, enum grass_part part);

/* How many entries the part has in a file whose counts are right; blades are counted over all chunks. */
uint32_t grass_part_count(const struct test_file *file, enum grass_part part);

/* A little-endian number of up to 8 bytes. */
uint64_t grass_field_get(const uint8_t *entry, const struct grass_field *field);
void grass_field_set(uint8_t *entry, const struct grass_field *field, uint64_t value);

/* ---- blades of compressed chunks ---- */

enum { GRASS_RECORDS_MAX = 65536 };

/* The chunk's decoded records, whatever its compression; their bytes, 0 where they can't be had or are too many. */
size_t test_file_get_records(const struct test_file *file, uint32_t chunk, uint8_t records[GRASS_RECORDS_MAX]);

/* Puts records back, compressed as the file's flags say, with their hash in the chunk's entry; where a frame's size
 * changes, what stands behind it moves and the header's size follows. The other hashes are the caller's to repair. */
void test_file_set_records(struct test_file *file, uint32_t chunk, const uint8_t *records, size_t size);

#endif
