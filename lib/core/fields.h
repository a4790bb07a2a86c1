/* The structures of a file format as lists of their fields. A list is the only place where a field's name, its type and
 * where it stands are written down: the readers' and writers' offsets, the structure's size and what a hex view calls
 * its bytes are all made from it.
 *
 * A list is a macro that takes FIELD and S and has a line a field, in the file's order:
 *
 *     #define VXBI_THING_FIELDS(FIELD, S)                                                                            \
 *         FIELD(S, kind, U32, thing_kinds)                                                                           \
 *         FIELD(S, size, VEC3, NULL)                                                                                 \
 *         FIELD(S, reserved, ZERO, NULL)
 *
 * FIELD's last argument names its values: an array of struct vxbi_word, or NULL. To add a structure, also of another
 * format:
 *
 *   1. write its list beside the format's code, and after it VXBI_FIELDS_STRUCT(thing, VXBI_THING_FIELDS): that makes
 *      struct vxbi_thing_at of byte arrays, one a field and nothing between them, so no byte is left out and none is
 *      there twice, and VXBI_AT(thing, size) is where a field stands;
 *   2. assert its size: _Static_assert(sizeof(struct vxbi_thing_at) == 20, "...");
 *   3. in one .c file, make the table: VXBI_FIELDS_TABLE(vxbi_thing_structure, "thing", thing, VXBI_THING_FIELDS),
 *      and declare it as an extern const struct vxbi_structure;
 *   4. tell lib/export/hex.c where its entries stand in a file: a place in places_of_<format>(), and for a format that
 *      is new such a function, a value of enum vxbi_loose_format with its name and magic, and its checks in
 *      vxbi_loose_check(), both in lib/export/loose.[ch]. What has no fixed size walks, as hex_grass.c does. */
#ifndef VXBI_CORE_FIELDS_H
#define VXBI_CORE_FIELDS_H

#include "bytes.h"

/* ZERO is a reserved u32, ID a u64 that is an identity or a hash, LIMIT a u32 whose largest value is no limit, FLAGS a
 * u16 of bits, F16 a binary16, VEC3 three f32, UVEC3 three u32, BYTES4, BYTES8 and BYTES12 so many bytes. */
enum vxbi_field_type {
    VXBI_FIELD_U8,
    VXBI_FIELD_I8,
    VXBI_FIELD_U16,
    VXBI_FIELD_FLAGS,
    VXBI_FIELD_F16,
    VXBI_FIELD_U32,
    VXBI_FIELD_I32,
    VXBI_FIELD_LIMIT,
    VXBI_FIELD_ZERO,
    VXBI_FIELD_F32,
    VXBI_FIELD_VEC3,
    VXBI_FIELD_UVEC3,
    VXBI_FIELD_U64,
    VXBI_FIELD_ID,
    VXBI_FIELD_BYTES4,
    VXBI_FIELD_BYTES8,
    VXBI_FIELD_BYTES12
};

enum {
    VXBI_BYTES_OF_U8 = 1,
    VXBI_BYTES_OF_I8 = 1,
    VXBI_BYTES_OF_U16 = 2,
    VXBI_BYTES_OF_FLAGS = 2,
    VXBI_BYTES_OF_F16 = 2,
    VXBI_BYTES_OF_U32 = 4,
    VXBI_BYTES_OF_I32 = 4,
    VXBI_BYTES_OF_LIMIT = 4,
    VXBI_BYTES_OF_ZERO = 4,
    VXBI_BYTES_OF_F32 = 4,
    VXBI_BYTES_OF_VEC3 = 12,
    VXBI_BYTES_OF_UVEC3 = 12,
    VXBI_BYTES_OF_U64 = 8,
    VXBI_BYTES_OF_ID = 8,
    VXBI_BYTES_OF_BYTES4 = 4,
    VXBI_BYTES_OF_BYTES8 = 8,
    VXBI_BYTES_OF_BYTES12 = 12
};

/* What a value is called; of FLAGS, what a bit is. A list of them ends with one that has no name. */
struct vxbi_word {
    uint32_t value;
    const char *name;
};

struct vxbi_structure_field {
    const char *name;
    enum vxbi_field_type type;
    uint32_t offset, bytes;
    const struct vxbi_word *words;
};

struct vxbi_structure {
    const char *name;
    uint32_t bytes, count;
    const struct vxbi_structure_field *fields;
};

#define VXBI_FIELDS_MEMBER_(S, field, type, words) uint8_t field[VXBI_BYTES_OF_##type];
#define VXBI_FIELDS_STRUCT(S, LIST) struct vxbi_##S##_at { LIST(VXBI_FIELDS_MEMBER_, S) }
#define VXBI_AT(S, field) offsetof(struct vxbi_##S##_at, field)

#define VXBI_FIELDS_ENTRY_(S, field, type, words) \
    {#field, VXBI_FIELD_##type, VXBI_AT(S, field), VXBI_BYTES_OF_##type, words},
#define VXBI_FIELDS_TABLE(table, name, S, LIST)                                                                        \
    static const struct vxbi_structure_field S##_fields[] = {LIST(VXBI_FIELDS_ENTRY_, S)};                             \
    const struct vxbi_structure table = {name, sizeof(struct vxbi_##S##_at), sizeof S##_fields / sizeof S##_fields[0], \
                                         S##_fields}

/* One field's bytes as a value: of VEC3, UVEC3 and the BYTES types its part number i, of the others i is 0. */
enum vxbi_value_kind { VXBI_VALUE_UNSIGNED, VXBI_VALUE_SIGNED, VXBI_VALUE_REAL, VXBI_VALUE_ID, VXBI_VALUE_BYTES };
struct vxbi_value {
    enum vxbi_value_kind kind;
    uint64_t u; /* UNSIGNED and ID */
    int64_t i;
    float f;
};
/* Into how many lines a field is taken apart: 3 of VEC3 and UVEC3, else 1. */
uint32_t vxbi_field_parts(const struct vxbi_structure_field *field);
/* bytes: all of the field's. */
struct vxbi_value vxbi_field_value(const struct vxbi_structure_field *field, uint32_t part, const uint8_t *bytes);
/* "u32", "f32", "u8[8]": the type of a part. */
const char *vxbi_field_type_name(const struct vxbi_structure_field *field);
/* What the field's list of words says of a value ("zstd, split"), into out: room bytes, at least 1; false, and out
 * empty, where it says nothing. */
bool vxbi_field_words(const struct vxbi_structure_field *field, struct vxbi_value value, char *out, size_t room);

#endif
