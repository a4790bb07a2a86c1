/* The grass target's mutator: changes a field where the tables say that one stands, in blades inside a compressed chunk
 * too, which are compressed again; the target then makes the hashes right. One time in four, and on what has no tables,
 * libFuzzer's own. */
#include <stdlib.h>

#include "../grass_fields.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

struct dice {
    uint32_t state;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
    dice->state = dice->state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(dice->state >> 8) * sides >> 24);
}

/* Whether every entry that the header's counts tell of stands in the file. */
static bool has_tables(const struct test_file *file)
{
    if (file->size < 64 || memcmp(file->data, vxbi_grass_magic, sizeof vxbi_grass_magic) != 0)
        return false;
    const uint32_t format = vxbi_load_u32(file->data + 8);
    if (format == 1)
        return 64 + 16 * (uint64_t)vxbi_load_u32(file->data + 52) + 32 * (uint64_t)vxbi_load_u32(file->data + 56) <=
               file->size;
    if (file->size < VXB_GRASS_HEADER_BYTES || (format != 2 && format != 3) || vxbi_load_u32(file->data + 28) > 4)
        return false;
    return test_file_layout(file).data <= file->size;
}

/* Where a string's length stands; false where the strings before it run out of the file. */
static bool string_at(const struct test_file *file, uint32_t index, size_t *at)
{
    for (*at = test_file_at(file, BAD_STRINGS, 0); *at + 2 <= file->size; *at += 2u + vxbi_load_u16(file->data + *at))
        if (index-- == 0)
            return true;
    return false;
}

static uint64_t new_value(struct dice *dice, uint64_t was, const struct grass_field *field,
                          const struct test_file *file)
{
    static const uint32_t floats[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x3F800000, 0x80000000, 0x49800000,
                                      0x44800000};
    const uint64_t top = field->width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * field->width) - 1;
    uint8_t bytes[8];
    switch (roll(dice, 9)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return top - roll(dice, 2);
    case 3: return was + 1 + roll(dice, 2) * 15;
    case 4: return was - 1 - roll(dice, 2) * 15;
    case 5: return field->type == TYPE_F32 ? floats[roll(dice, 7)] : file->size + roll(dice, 3) - 1;
    case 6: return was ^ (uint64_t)1 << roll(dice, 8 * field->width);
    case 7: return (top >> 1) + roll(dice, 2);
    default:
        vxbi_store_u64(bytes, was);
        LLVMFuzzerMutate(bytes, field->width, field->width);
        return vxbi_load_u64(bytes);
    }
}

static void change(struct dice *dice, uint8_t *entry, const struct grass_struct *fields, const struct test_file *file)
{
    const struct grass_field *field = &fields->fields[roll(dice, fields->count)];
    grass_field_set(entry, field, new_value(dice, grass_field_get(entry, field), field, file));
}

/* Some blades of one chunk, or two of them change places. */
static bool change_blades(struct dice *dice, struct test_file *file, uint32_t format)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    const struct grass_struct fields = grass_struct_of(format, PART_BLADE);
    const uint32_t chunk = roll(dice, grass_part_count(file, PART_CHUNK));
    const size_t size = test_file_get_records(file, chunk, records);
    if (!size)
        return false;
    const uint32_t count = (uint32_t)(size / VXB_GRASS_RECORD_BYTES);
    uint8_t *a = records + (size_t)roll(dice, count) * VXB_GRASS_RECORD_BYTES;
    uint8_t *b = records + (size_t)roll(dice, count) * VXB_GRASS_RECORD_BYTES, kept[VXB_GRASS_RECORD_BYTES];
    if (roll(dice, 4) == 0 && a != b) {
        memcpy(kept, a, sizeof kept);
        memcpy(a, b, sizeof kept);
        memcpy(b, kept, sizeof kept);
    } else {
        change(dice, a, &fields, file);
    }
    test_file_set_records(file, chunk, records, size);
    return true;
}

static bool change_part(struct dice *dice, struct test_file *file, uint32_t format, enum grass_part part)
{
    static const enum bad_base bases[PARTS] = {BAD_HEADER, BAD_SECTION, BAD_LOD, BAD_STRINGS, BAD_CHUNK, BAD_DATA};
    const struct grass_struct fields = grass_struct_of(format, part);
    const uint32_t count = part == PART_STRING ? 16 : grass_part_count(file, part);
    size_t at = 0;
    if (!fields.count || !count)
        return false;
    if (part == PART_BLADE && format != 1)
        return grass_part_count(file, PART_CHUNK) > 0 && change_blades(dice, file, format);
    if (part == PART_STRING && !string_at(file, roll(dice, count), &at))
        return false;
    if (part != PART_STRING)
        at = test_file_at(file, bases[part], roll(dice, count));
    const struct grass_field *last = &fields.fields[fields.count - 1];
    if (at > file->size || last->offset + last->width > file->size - at)
        return false;
    change(dice, file->data + at, &fields, file);
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct dice dice = {seed * 2654435761u + 12345};
    if (size < 65 || roll(&dice, 4) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    struct test_file file = {.data = malloc(size), .size = size - 1};
    if (!file.data)
        abort();
    memcpy(file.data, data + 1, file.size);
    bool changed = false;
    for (uint32_t times = 1 + roll(&dice, 3); times > 0 && has_tables(&file); times--)
        changed |= change_part(&dice, &file, vxbi_load_u32(file.data + 8), (enum grass_part)roll(&dice, PARTS));
    if (!changed || file.size + 1 > max_size) {
        free(file.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    data[0] |= 1; /* hashes are made right before the target looks */
    memcpy(data + 1, file.data, file.size);
    size = file.size + 1;
    free(file.data);
    return size;
}
