/* Every field of every structure of the three grass formats, changed, the hashes made right again. A change breaks a
 * rule and verify tells it where the field stands, or a row of the table below says why the changed file is right; and
 * then verify has nothing to tell. Both ways, so neither a check that is missing nor one that is too strict gets by. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "grass/legacy.h"
#include "grass_fields.h"
#include "heap.h"
#include "verify/grass.h"

/* ---- what is changed ---- */

/* One field of one entry. Blades are numbered through all chunks. */
struct place {
    enum grass_part part;
    uint32_t index;
    struct grass_field field;
};

/* A changed file, and what a rule needs to judge one of its fields. */
struct state {
    struct test_file file;
    uint32_t format;
    const struct place *place;
    uint8_t records[GRASS_RECORDS_MAX]; /* formats 2 and 3, a blade: of its chunk */
    uint32_t chunk, blade, blades;      /* the blade's chunk, its number there, and how many are there */
};

static size_t string_at(const struct test_file *file, uint32_t index)
{
    size_t at = test_file_at(file, BAD_STRINGS, 0);
    for (; index > 0; index--)
        at += 2u + vxbi_load_u16(file->data + at);
    return at;
}

static uint8_t *entry(const struct test_file *file, enum grass_part part, uint32_t index)
{
    static const enum bad_base bases[PARTS] = {BAD_HEADER, BAD_SECTION, BAD_LOD, BAD_STRINGS, BAD_CHUNK, BAD_DATA};
    return file->data + (part == PART_STRING ? string_at(file, index) : test_file_at(file, bases[part], index));
}

static uint32_t format_of(const struct test_file *file)
{
    return vxbi_load_u32(file->data + 8);
}

/* Which chunk a blade is in, in the table's order. */
static uint32_t chunk_of(const struct test_file *file, uint32_t blade, uint32_t *number)
{
    for (uint32_t j = 0;; j++) {
        const uint32_t count = vxbi_load_u32(entry(file, PART_CHUNK, j) + 12);
        if (blade < count) {
            *number = blade;
            return j;
        }
        blade -= count;
    }
}

static bool in_records(uint32_t format, const struct place *place)
{
    return place->part == PART_BLADE && format != 1;
}

/* A field's value, at the place it has in `good`, of which file is a copy, or the same; with set, changed to *set. */
static uint64_t field_value(const struct test_file *good, struct test_file *file, const struct place *place,
                            const uint64_t *set)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    uint32_t number;
    if (!in_records(format_of(good), place)) {
        uint8_t *at = file->data + (entry(good, place->part, place->index) - good->data);
        const uint64_t was = grass_field_get(at, &place->field);
        if (set)
            grass_field_set(at, &place->field, *set);
        return was;
    }
    const uint32_t j = chunk_of(file, place->index, &number);
    const size_t size = test_file_get_records(file, j, records);
    uint8_t *at = records + (size_t)number * VXB_GRASS_RECORD_BYTES;
    cr_assert(ne(sz, size, 0));
    const uint64_t was = grass_field_get(at, &place->field);
    if (set) {
        grass_field_set(at, &place->field, *set);
        test_file_set_records(file, j, records, size);
    }
    return was;
}

static bool is_hash(const struct place *place)
{
    return strcmp(place->field.name, "header_hash") == 0 || strcmp(place->field.name, "tables_hash") == 0 ||
           strcmp(place->field.name, "content_id") == 0 || strcmp(place->field.name, "hash") == 0;
}

/* Makes right every hash but those that were changed, and what is made from them. */
static void repair(struct test_file *file, const struct place *places, uint32_t count)
{
    bool header = true, tables = true, chunks = true;
    if (format_of(file) == 1)
        return;
    for (uint32_t i = 0; i < count; i++) {
        header = header && strcmp(places[i].field.name, "header_hash") != 0;
        tables = tables && (!is_hash(&places[i]) || places[i].part == PART_CHUNK);
        chunks = chunks && !is_hash(&places[i]);
    }
    if (chunks)
        test_file_repair(file);
    else if (tables)
        test_file_repair_tables(file);
    else if (header)
        test_file_repair_header(file);
}

/* Makes the bounds those of the blades, and the hashes right; false where the blades can't be had. */
static bool repair_bounds(struct test_file *file)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    const uint32_t format = format_of(file), at = format == 1 ? 24 : 64;
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX] = {0};
    float radius[VXB_GRASS_SECTIONS_MAX] = {0}, low[3] = {0}, high[3] = {0};
    if (format == 1) {
        for (uint32_t i = 0; i < grass_part_count(file, PART_BLADE); i++)
            for (uint32_t axis = 0; axis < 3; axis++) {
                const float value = vxbi_load_f32(entry(file, PART_BLADE, i) + 4 * axis);
                low[axis] = i == 0 || value < low[axis] ? value : low[axis];
                high[axis] = i == 0 || value > high[axis] ? value : high[axis];
            }
    } else {
        for (uint32_t k = 0, n = 0; k < grass_part_count(file, PART_SECTION); k++)
            for (uint32_t i = 0; i < entry(file, PART_SECTION, k)[28]; i++, n++)
                radius[k] = fmaxf(radius[k], vxbi_load_f32(entry(file, PART_LOD, n) + 12));
        for (uint32_t j = 0; j < grass_part_count(file, PART_CHUNK); j++) {
            struct vxbi_reader r = {.data = entry(file, PART_CHUNK, j), .size = VXB_GRASS_CHUNK_BYTES};
            struct vxb_grass_chunk chunk;
            uint32_t reserved;
            vxbi_grass_get_chunk(&r, &chunk, &reserved);
            if (!test_file_get_records(file, j, records))
                return false;
            vxbi_bounds_add(&bounds[chunk.section], &chunk, vxbi_load_f32(file->data + 48), records);
        }
        vxbi_bounds_close(bounds, radius, grass_part_count(file, PART_SECTION), low, high);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        vxbi_store_u32(file->data + at + 4 * axis, vxbi_f32_bits(low[axis] + 0.0f));
        vxbi_store_u32(file->data + at + 12 + 4 * axis, vxbi_f32_bits(high[axis] + 0.0f));
    }
    test_file_repair(file);
    return true;
}

/* ---- what is legal ---- */

static uint32_t get_u32(const struct state *s, enum grass_part part, uint32_t index, uint32_t offset)
{
    return vxbi_load_u32(entry(&s->file, part, index) + offset);
}

static float get_f32(const struct state *s, enum grass_part part, uint32_t index, uint32_t offset)
{
    return vxbi_load_f32(entry(&s->file, part, index) + offset);
}

static float own_f32(const struct state *s)
{
    return get_f32(s, s->place->part, s->place->index, s->place->field.offset);
}

static uint64_t own(const struct state *s)
{
    return grass_field_get(entry(&s->file, s->place->part, s->place->index), &s->place->field);
}

static bool any(const struct state *s)
{
    (void)s;
    return true;
}

/* Only the two flags that are notes, beside what the file is. */
static bool flags(const struct state *s)
{
    const unsigned kept = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT, notes = VXB_GRASS_INEXACT | VXB_GRASS_PARTIAL;
    struct test_file *file = (struct test_file *)&s->file;
    const uint64_t now = own(s);
    if (now & ~(uint64_t)(kept | notes) || (now & kept) == VXB_GRASS_SPLIT)
        return false;
    /* Without chunks there is nothing that compression would change. */
    if (grass_part_count(file, PART_CHUNK) == 0)
        return true;
    const uint32_t magic = vxbi_load_u32(file->data + vxbi_load_u64(entry(file, PART_CHUNK, 0) + 32));
    const bool zstd = magic == 0xFD2FB528u;
    static uint8_t records[GRASS_RECORDS_MAX];
    if (zstd != ((now & VXB_GRASS_ZSTD) != 0))
        return false;
    const size_t size = test_file_get_records(file, 0, records);
    return vxbi_hash(records, size) == vxbi_load_u64(entry(file, PART_CHUNK, 0) + 48);
}

static bool not_zero(const struct state *s)
{
    return own(s) != 0;
}

static bool density(const struct state *s)
{
    const double size = (double)get_f32(s, PART_HEADER, 0, 48), value = (double)get_f32(s, PART_HEADER, 0, 92);
    if (!(value > 0 && size * size * value >= 0.25 && size * size * value <= 4096.5 * 4096.5))
        return false;
    const double side = fmax(1, rint(size * sqrt(value)));
    bool enough = true;
    for (uint32_t j = 0; j < get_u32(s, PART_HEADER, 0, 32); j++)
        enough = enough && get_u32(s, PART_CHUNK, j, 12) <= side * side;
    return enough;
}

static bool cell_size(const struct state *s)
{
    const float size = own_f32(s);
    return size >= 1.0f && size <= 1024.0f && density(s);
}

static bool budget(const struct state *s)
{
    return s->format == 2 && own(s) >= get_u32(s, PART_HEADER, 0, 36);
}

static bool species_id(const struct state *s)
{
    const uint32_t k = s->place->index, count = grass_part_count(&s->file, PART_SECTION);
    const uint64_t id = own(s);
    return (id != 0 || count == 1) && (k == 0 || id > vxbi_load_u64(entry(&s->file, PART_SECTION, k - 1))) &&
           (k + 1 == count || id < vxbi_load_u64(entry(&s->file, PART_SECTION, k + 1)));
}

static bool rank_limit(const struct state *s)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    const uint32_t first = get_u32(s, PART_SECTION, s->place->index, 12);
    uint32_t least = 0;
    for (uint32_t j = first; j < first + get_u32(s, PART_SECTION, s->place->index, 16); j++) {
        const size_t size = test_file_get_records(&s->file, j, records);
        least = vxbi_load_u16(records + size - 2) > least ? vxbi_load_u16(records + size - 2) : least;
    }
    return get_u32(s, PART_SECTION, s->place->index, 24) ? own(s) >= least : own(s) == 0;
}

/* Every section of the fields has two LODs. */
static bool lods(const struct state *s)
{
    const uint32_t a = s->place->index & ~1u;
    for (uint32_t k = a; k < a + 2; k++) {
        const float distance = get_f32(s, PART_LOD, k, 0), keep = get_f32(s, PART_LOD, k, 4);
        const float fade = get_f32(s, PART_LOD, k, 8), radius = get_f32(s, PART_LOD, k, 12);
        if (!(distance >= 0) || (isinf(distance) && k == a) || !(keep >= 0 && keep <= 1) || !(fade >= 0) ||
            !(fade <= distance) || !(radius >= 0 && radius <= 1e6f))
            return false;
    }
    return get_f32(s, PART_LOD, a, 0) < get_f32(s, PART_LOD, a + 1, 0) &&
           get_f32(s, PART_LOD, a, 4) >= get_f32(s, PART_LOD, a + 1, 4);
}

static bool in_world(double cell, double size)
{
    return cell * size <= 1048576.0 && (cell + 1) * size >= -1048576.0;
}

static bool before(const struct state *s, uint32_t a, uint32_t b)
{
    const int32_t az = (int32_t)get_u32(s, PART_CHUNK, a, 4), bz = (int32_t)get_u32(s, PART_CHUNK, b, 4);
    return az != bz ? az < bz : (int32_t)get_u32(s, PART_CHUNK, a, 0) < (int32_t)get_u32(s, PART_CHUNK, b, 0);
}

static bool cell(const struct state *s)
{
    const uint32_t j = s->place->index, count = grass_part_count(&s->file, PART_CHUNK);
    const double size = (double)get_f32(s, PART_HEADER, 0, 48);
    const bool first = j == 0 || get_u32(s, PART_CHUNK, j - 1, 28) != get_u32(s, PART_CHUNK, j, 28);
    const bool last = j + 1 == count || get_u32(s, PART_CHUNK, j + 1, 28) != get_u32(s, PART_CHUNK, j, 28);
    return in_world((int32_t)get_u32(s, PART_CHUNK, j, 0), size) &&
           in_world((int32_t)get_u32(s, PART_CHUNK, j, 4), size) && (first || before(s, j - 1, j)) &&
           (last || before(s, j, j + 1));
}

static bool heights(const struct state *s)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    const double low = (double)get_f32(s, PART_CHUNK, s->place->index, 16);
    const double high = (double)get_f32(s, PART_CHUNK, s->place->index, 20);
    if (!(low >= -1048576.0 && low <= high && high <= 1048576.0))
        return false;
    const size_t size = test_file_get_records(&s->file, s->place->index, records);
    for (size_t i = 0; low == high && i < size; i += VXB_GRASS_RECORD_BYTES)
        if (vxbi_load_u16(records + i + 4) != 0)
            return false;
    return true;
}

static const uint8_t *record(const struct state *s, uint32_t number)
{
    return s->records + (size_t)number * VXB_GRASS_RECORD_BYTES;
}

static bool height_code(const struct state *s)
{
    return vxbi_load_u16(record(s, s->blade) + 4) == 0 ||
           get_f32(s, PART_CHUNK, s->chunk, 16) != get_f32(s, PART_CHUNK, s->chunk, 20);
}

/* Positive codes of binary16 ascend with their values: 2^-10 is 0x1400, 2^10 0x6400. */
static bool scale(const struct state *s)
{
    uint16_t largest = 0;
    for (uint32_t i = 0; i < s->blades; i++) {
        const uint16_t code = vxbi_load_u16(record(s, i) + 8);
        if (code < 0x1400 || code > 0x6400)
            return false;
        largest = code > largest ? code : largest;
    }
    return vxbi_f16_value(largest) == get_f32(s, PART_CHUNK, s->chunk, 24);
}

static bool up(const struct state *s)
{
    const int x = (int8_t)record(s, s->blade)[10], z = (int8_t)record(s, s->blade)[11];
    return x != -128 && z != -128 && abs(x) + abs(z) <= 127;
}

static bool rank(const struct state *s)
{
    const uint32_t section = get_u32(s, PART_CHUNK, s->chunk, 28);
    const uint16_t limit = vxbi_load_u16(entry(&s->file, PART_SECTION, section) + 30);
    for (uint32_t i = 0; i < s->blades; i++) {
        const uint16_t code = vxbi_load_u16(record(s, i) + 14);
        if (code > limit || (i > 0 && code < vxbi_load_u16(record(s, i - 1) + 14)))
            return false;
    }
    return true;
}

/* ---- of format 1 ---- */

static bool legacy_side(float value, int32_t number, float size)
{
    return value >= (float)(number * (double)size) && value <= (float)((number + 1.0) * (double)size);
}

static bool legacy_in_cell(const struct state *s, uint32_t chunk, uint32_t blade)
{
    const float size = get_f32(s, PART_HEADER, 0, 48);
    return legacy_side(get_f32(s, PART_BLADE, blade, 0), (int32_t)get_u32(s, PART_CHUNK, chunk, 0), size) &&
           legacy_side(get_f32(s, PART_BLADE, blade, 8), (int32_t)get_u32(s, PART_CHUNK, chunk, 4), size);
}

static bool legacy_cells(const struct state *s, uint32_t chunk)
{
    const uint32_t first = get_u32(s, PART_CHUNK, chunk, 8), count = get_u32(s, PART_CHUNK, chunk, 12);
    for (uint32_t i = first; i < first + count; i++)
        if (!legacy_in_cell(s, chunk, i))
            return false;
    return true;
}

static bool legacy_cell_size(const struct state *s)
{
    const float size = own_f32(s);
    for (uint32_t j = 0; j < grass_part_count(&s->file, PART_CHUNK); j++)
        if (!legacy_cells(s, j))
            return false;
    return size >= 1.0f && size <= 1024.0f;
}

static bool legacy_cell(const struct state *s)
{
    const double size = (double)get_f32(s, PART_HEADER, 0, 48);
    const uint8_t *cells = entry(&s->file, PART_CHUNK, s->place->index);
    for (uint32_t j = 0; j < grass_part_count(&s->file, PART_CHUNK); j++)
        if (j != s->place->index && memcmp(entry(&s->file, PART_CHUNK, j), cells, 8) == 0)
            return false;
    return in_world((int32_t)vxbi_load_u32(cells), size) && in_world((int32_t)vxbi_load_u32(cells + 4), size) &&
           legacy_cells(s, s->place->index);
}

static bool legacy_place(const struct state *s)
{
    return legacy_in_cell(s, s->chunk, s->place->index);
}

static bool legacy_height(const struct state *s) { return fabsf(own_f32(s)) <= 1048576.0f; }
/* The f32 nearest to a turn is above it, and stands for it. */
static bool legacy_angle(const struct state *s) { return own_f32(s) >= 0 && own_f32(s) <= 6.28318548f; }
static bool legacy_scale(const struct state *s) { return own_f32(s) >= 0x1p-10f && own_f32(s) <= 1024.0f; }
static bool legacy_part(const struct state *s) { return own_f32(s) >= 0 && own_f32(s) <= 1; }

enum { F1 = 1, F2 = 2, F3 = 4 };

/* What a field may hold, and where else than at the field a wrong one shows. A field without a row has one right value,
 * and a wrong one is told at the field. */
static const struct rule {
    unsigned formats;
    enum grass_part part;
    const char *field;
    bool (*legal)(const struct state *state); /* NULL: nothing but what it was */
    bool bounds;                              /* the field's bounds follow from it */
    const char *why;
    const char *also[7];
} rules[] = {
    {F1 | F2 | F3, PART_HEADER, "format", NULL, false, "another format's header is read, which has other fields",
     {"/header", "/header/*"}},
    {F2 | F3, PART_HEADER, "flags", flags, false,
     "a field may be baked on an inexact device, or partial; compression shows in the chunks' data",
     {"/chunks/*/data", "/chunks/*/data_*", "/chunks/*/hash", "/chunks/*/blades/*"}},
    {F2 | F3, PART_HEADER, "bake_revision", not_zero, false, "any version of the rules but 0, which is format 1's",
     {0}},
    {F2 | F3, PART_HEADER, "section_count", NULL, false, "the tables behind the sections are looked for elsewhere",
     {"/header/lod_count", "/sections/*"}},
    {F2 | F3, PART_HEADER, "chunk_count", NULL, false, "the sections' ranges cover the chunks",
     {"/sections/*/chunk_count", "/sections/*/first_chunk"}},
    {F2 | F3, PART_HEADER, "blade_count", NULL, false, "the sections' ranges cover the blades; both counts are told at "
     "once",
     {"/sections/*/blade_count", "/header/chunk_count"}},
    {F1, PART_HEADER, "chunk_count", NULL, false, "the file's size follows from it", {"/header/file_bytes"}},
    {F1, PART_HEADER, "blade_count", NULL, false, "the file's size follows from it; both counts are told at once",
     {"/header/file_bytes", "/header/chunk_count"}},
    {F2 | F3, PART_HEADER, "lod_count", NULL, false, "the tables behind the LODs are looked for elsewhere",
     {"/header/chunk_count"}},
    {F2 | F3, PART_HEADER, "string_bytes", NULL, false,
     "the strings end with the table, and the chunk table stands behind it",
     {"/header/chunk_count", "/sections/*/passes/*", "/sections/*/name", "/sections/*/material", "/sections/*/mesh"}},
    {F2 | F3, PART_HEADER, "cell_size", cell_size, true, "any size in its range, with candidates for every blade",
     {"/header/density", "/chunks/*/blade_count"}},
    {F1, PART_HEADER, "cell_size", legacy_cell_size, false, "any size in whose cells the blades stand", {"/blades/*"}},
    {F2 | F3, PART_HEADER, "max_commands", any, false, "a limit for the engine", {0}},
    {F2 | F3, PART_HEADER, "updates_per_frame", any, false, "a limit for the engine", {0}},
    {F2 | F3, PART_HEADER, "blade_budget", budget, false,
     "format 2: any that is kept to; format 3: the sections' are made from it", {"/sections/*/blade_budget"}},
    {F1 | F2 | F3, PART_HEADER, "bounds_max/*", NULL, false, "minimum and maximum are told at once",
     {"/header/bounds_min", "/header/bounds_min/*"}},
    {F1 | F2 | F3, PART_HEADER, "bounds_min/*", NULL, false, "minimum and maximum are told at once",
     {"/header/bounds_min"}},
    {F2 | F3, PART_HEADER, "seed", any, false, "any seed", {0}},
    {F2 | F3, PART_HEADER, "density", density, false,
     "any that gives half a candidate to 4096 a side, and one for every blade", {"/chunks/*/blade_count"}},
    {F2 | F3, PART_HEADER, "bake_id", any, false, "only the recipe can tell", {0}},

    {F2 | F3, PART_SECTION, "species_id", species_id, false, "any id in ascending order; a name is needed beside it",
     {"/sections/*/species_id"}},
    {F2 | F3, PART_SECTION, "chunk_count", NULL, false, "the next section starts where this one ends",
     {"/sections/*/first_chunk"}},
    {F2 | F3, PART_SECTION, "blade_count", NULL, false, "the next section starts where this one ends",
     {"/sections/*/first_blade"}},
    {F2 | F3, PART_SECTION, "lod_count", NULL, false, "the counts sum to the header's", {"/header/lod_count"}},
    {F2 | F3, PART_SECTION, "pass_count", NULL, false, "the strings are those of the passes",
     {"/header/string_bytes", "/sections/*/passes/*", "/sections/*/name", "/sections/*/material", "/sections/*/mesh",
      "/sections/*/material_id"}},
    {F2 | F3, PART_SECTION, "rank_limit", rank_limit, false, "any that no blade is above",
     {"/chunks/*/blades/*/rank"}},
    {F3, PART_SECTION, "profile_id", any, false, "only the recipe can tell", {0}},
    {F3, PART_SECTION, "share", NULL, false, "the shares have one sum, and make the budgets",
     {"/sections/0/share", "/sections/*/blade_budget"}},
    {F3, PART_SECTION, "blade_budget", NULL, false, "the budgets have one sum", {"/sections/0/blade_budget"}},

    {F2 | F3, PART_LOD, "distance", lods, false, "any between those beside it, up to infinity in the last",
     {"/lods/*/distance", "/lods/*/fade"}},
    {F2 | F3, PART_LOD, "keep", lods, false, "any from 0 to 1 that does not rise", {"/lods/*/keep"}},
    {F2 | F3, PART_LOD, "fade", lods, false, "any up to the distance", {0}},
    {F2 | F3, PART_LOD, "mesh_radius", lods, true, "any up to 1000000 metres", {0}},
    {F2 | F3, PART_LOD, "index_count", any, false, "the engine's mesh", {0}},
    {F2 | F3, PART_LOD, "first_index", any, false, "the engine's mesh", {0}},
    {F2 | F3, PART_LOD, "vertex_offset", any, false, "the engine's mesh", {0}},

    {F2 | F3, PART_STRING, "", NULL, false, "the strings stand end to end: one that ends elsewhere makes the next "
     "another",
     {"/header/string_bytes", "/sections/*/passes/*", "/sections/*/name", "/sections/*/material", "/sections/*/mesh",
      "/sections/*/material_id"}},

    {F2 | F3, PART_CHUNK, "cell_x", cell, true, "any cell that keeps the order", {"/chunks/*/cell_x"}},
    {F2 | F3, PART_CHUNK, "cell_z", cell, true, "any cell that keeps the order", {"/chunks/*/cell_x"}},
    {F2 | F3, PART_CHUNK, "min_y", heights, true, "any heights in ascending order",
     {"/chunks/*/blades/*/y"}},
    {F2 | F3, PART_CHUNK, "max_y", heights, true, "any heights in ascending order",
     {"/chunks/*/min_y", "/chunks/*/blades/*/y"}},
    {F2 | F3, PART_CHUNK, "blade_count", NULL, false, "the data has the records of that many",
     {"/chunks/*/data_bytes", "/chunks/*/first_blade", "/chunks/*/data"}},
    {F2 | F3, PART_CHUNK, "data_bytes", NULL, false, "the next chunk's data starts where this one's ends",
     {"/chunks/*/data_offset", "/chunks/*/data", "/header/file_bytes"}},
    {F1, PART_CHUNK, "cell_x", legacy_cell, false, "any cell that its blades, or no blades, stand in",
     {"/blades/*", "/chunks/*/cell_x"}},
    {F1, PART_CHUNK, "cell_z", legacy_cell, false, "any cell that its blades, or no blades, stand in",
     {"/blades/*", "/chunks/*/cell_x"}},
    {F1, PART_CHUNK, "blade_count", NULL, false, "the next chunk's blades start where this one's end",
     {"/chunks/*/first_blade", "/header/blade_count"}},

    {F2 | F3, PART_BLADE, "x", any, true, "any place in the cell", {0}},
    {F2 | F3, PART_BLADE, "z", any, true, "any place in the cell", {0}},
    {F2 | F3, PART_BLADE, "y", height_code, true, "any height of the chunk's", {0}},
    {F2 | F3, PART_BLADE, "yaw", any, false, "any direction", {0}},
    {F2 | F3, PART_BLADE, "scale", scale, false, "any that leaves the chunk's largest", {"/chunks/*/max_scale"}},
    {F2 | F3, PART_BLADE, "up", up, false, "any direction that is not below the horizon", {0}},
    {F2 | F3, PART_BLADE, "tint", any, false, "any tint", {0}},
    {F2 | F3, PART_BLADE, "phase", any, false, "any phase", {0}},
    {F2 | F3, PART_BLADE, "rank", rank, false, "any in ascending order, up to the section's limit",
     {"/chunks/*/blades/*/rank"}},
    {F1, PART_BLADE, "x", legacy_place, true, "any place in the cell", {0}},
    {F1, PART_BLADE, "y", legacy_height, true, "any height in the world", {0}},
    {F1, PART_BLADE, "z", legacy_place, true, "any place in the cell", {0}},
    {F1, PART_BLADE, "yaw", legacy_angle, false, "0 to a turn", {0}},
    {F1, PART_BLADE, "scale", legacy_scale, false, "2^-10 to 2^10", {0}},
    {F1, PART_BLADE, "tint", legacy_part, false, "0 to 1", {0}},
    {F1, PART_BLADE, "phase", legacy_angle, false, "0 to a turn", {0}},
    {F1, PART_BLADE, "rank", legacy_part, false, "0 to 1", {0}},
};

static const struct rule *rule_of(uint32_t format, const struct place *place)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].formats >> (format - 1) & 1 && rules[i].part == place->part &&
            fnmatch(rules[i].field, place->field.name, 0) == 0)
            return &rules[i];
    return NULL;
}

/* ---- looking at a changed file ---- */

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(buf, file->data + offset, size);
    return true;
}

/* What the readers themselves take, and findings (each kind is kept once); of a file: its blades as stored and as
 * records, and format 1's index of 24 bytes for its chunks' 16. A zstd frame's 4 bytes justify 128 KiB, twice where it
 * is split. */
static uint64_t most_memory(const struct test_file *file)
{
    const uint64_t fixed = 128 << 10, frames = 2 * ((file->size / 4 + 1) << 17);
    return fixed + 8 * (uint64_t)file->size + (file->size > 25 && file->data[24] & VXB_GRASS_ZSTD ? frames : 0);
}

static int compare_entries(const void *a, const void *b)
{
    return vxbi_fold_compare(*(struct vxbi_fold_entry *const *)a, *(struct vxbi_fold_entry *const *)b);
}

/* All findings, sorted; the caller clears fold. The memory it takes is bounded by the file's size. */
static void verify(const struct test_file *file, struct vxbi_fold *fold)
{
    struct heap heap = {0};
    const struct vxb_source source = {(void *)file, file->size, read_at};
    const struct vxb_env env = heap_env(&heap);
    struct vxb_verify_coverage coverage;
    struct vxb_grass *grass = NULL;
    struct vxb_error err = {0};
    *fold = (struct vxbi_fold){.allocator = vxbi_allocator(NULL)};
    const enum vxb_status status = vxbi_verify_grass(&env, NULL, &source, &grass, fold, &coverage, &err);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    vxb_grass_close(grass);
    cr_assert(eq(u64, heap.now, 0));
    cr_assert(le(u64, heap.peak, most_memory(file)));
    if (fold->count)
        qsort(fold->entries, fold->count, sizeof *fold->entries, compare_entries);
}

static enum vxb_status read_all(const struct test_file *file)
{
    static uint8_t records[GRASS_RECORDS_MAX];
    struct heap heap = {0};
    const struct vxb_source source = {(void *)file, file->size, read_at};
    const struct vxb_env env = heap_env(&heap);
    struct vxb_grass *grass = NULL;
    struct vxb_grass_scratch *scratch = NULL;
    enum vxb_status status = vxb_grass_open_source(&env, &source, NULL, &grass, NULL);
    for (uint32_t j = 0; !status && j < vxb_grass_header(grass)->chunk_count; j++) {
        struct vxb_grass_chunk chunk;
        status = vxb_grass_chunks(grass, j, 1, &chunk, NULL);
        /* A chunk of more blades than that is a claim, in these small files; memory for it is verify's to be asked. */
        if (!status && chunk.blade_count > GRASS_RECORDS_MAX / VXB_GRASS_RECORD_BYTES)
            status = VXB_ERR_DATA;
        if (!status)
            status = vxb_grass_read_chunk(grass, &chunk, records, sizeof records, &scratch, NULL);
    }
    vxb_grass_scratch_free(scratch);
    vxb_grass_close(grass);
    cr_assert(eq(u64, heap.now, 0));
    cr_assert(le(u64, heap.peak, most_memory(file)));
    return status;
}

static bool about(const struct vxbi_fold_entry *finding, uint32_t format, const struct test_file *file,
                  const struct place *place)
{
    static const char *const tables[PARTS] = {"", "/sections", "/lods", "/sections", "/chunks", "/blades"};
    const struct rule *rule = rule_of(format, place);
    const uint64_t offset = finding->record.offset;
    char own_pointer[128];
    if (place->part == PART_HEADER) {
        snprintf(own_pointer, sizeof own_pointer, "/header/%s", place->field.name);
    } else if (in_records(format, place)) {
        uint32_t number;
        const uint32_t chunk = chunk_of(file, place->index, &number);
        snprintf(own_pointer, sizeof own_pointer, "/chunks/%u/blades/%u/%s", chunk, number, place->field.name);
    } else {
        snprintf(own_pointer, sizeof own_pointer, "%s/%u/%s", tables[place->part], place->index, place->field.name);
    }
    if (strcmp(finding->record.pointer, own_pointer) == 0)
        return true;
    if (finding->record.has_offset && !in_records(format, place)) {
        const uint64_t at = (uint64_t)(entry(file, place->part, place->index) - file->data) + place->field.offset;
        if (offset >= at && offset < at + place->field.width)
            return true;
    }
    for (int i = 0; rule && i < 7 && rule->also[i]; i++)
        if (fnmatch(rule->also[i], finding->record.pointer, 0) == 0)
            return true;
    return false;
}

/* ---- one change ---- */

static unsigned wrong, tried, legal_ones;

static void tell(const struct test_file *good, const struct place *places, const uint64_t *values, uint32_t count,
                 const char *what, const struct vxbi_fold *fold)
{
    if (++wrong > 20)
        return;
    fprintf(stderr, "format %u:", format_of(good));
    for (uint32_t i = 0; i < count; i++)
        fprintf(stderr, " part %d, entry %u, %s = 0x%llx", places[i].part, places[i].index, places[i].field.name,
                (unsigned long long)values[i]);
    fprintf(stderr, ": %s\n", what);
    for (uint32_t i = 0; fold && i < fold->count; i++)
        fprintf(stderr, "    %s %s: %s\n", vxb_finding_name(fold->entries[i]->record.finding),
                fold->entries[i]->record.pointer, fold->entries[i]->record.message);
}

/* Whether every changed field may hold what it holds now; *bounds: whether the field's bounds follow from one. */
static bool is_legal(struct state *state, const struct place *places, uint32_t count, bool *bounds)
{
    *bounds = false;
    for (uint32_t i = 0; i < count; i++)
        if (!rule_of(state->format, &places[i]) || !rule_of(state->format, &places[i])->legal)
            return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct rule *rule = rule_of(state->format, &places[i]);
        state->place = &places[i];
        if (places[i].part == PART_BLADE)
            state->chunk = chunk_of(&state->file, places[i].index, &state->blade);
        if (in_records(state->format, &places[i]))
            state->blades = (uint32_t)(test_file_get_records(&state->file, state->chunk, state->records) /
                                       VXB_GRASS_RECORD_BYTES);
        *bounds = *bounds || rule->bounds;
        if (!rule->legal(state))
            return false;
    }
    return true;
}

static void expect_good(const struct test_file *good, const struct state *state, const struct place *places,
                        const uint64_t *values, uint32_t count)
{
    struct vxbi_fold fold;
    verify(&state->file, &fold);
    if (fold.totals[VXB_SEVERITY_ERROR] || read_all(&state->file) != VXB_OK)
        tell(good, places, values, count, "is legal, but refused", &fold);
    vxbi_fold_clear(&fold);
}

static void expect_refused(const struct test_file *good, const struct state *state, const struct place *places,
                           const uint64_t *values, uint32_t count, bool by_its_bounds)
{
    struct vxbi_fold fold;
    bool found = false, alone = true;
    verify(&state->file, &fold);
    for (uint32_t i = 0; i < fold.count; i++) {
        const struct vxb_finding_record *r = &fold.entries[i]->record;
        const bool bounds = r->finding == VXB_FINDING_BOUNDS || r->finding == VXB_FINDING_LEGACY_BOUNDS;
        if (r->severity != VXB_SEVERITY_ERROR)
            continue;
        alone = alone && bounds;
        for (uint32_t k = 0; k < count; k++)
            found = found || (by_its_bounds ? bounds : about(fold.entries[i], state->format, good, &places[k]));
    }
    if (fold.totals[VXB_SEVERITY_ERROR] == 0)
        tell(good, places, values, count, "is taken for good", &fold);
    else if (!found)
        tell(good, places, values, count, "is refused, but not named", &fold);
    /* Bounds are for verify alone to see. */
    else if ((read_all(&state->file) == VXB_OK) != alone)
        tell(good, places, values, count, alone ? "is refused by the reader" : "is read", &fold);
    vxbi_fold_clear(&fold);
}

static void change(const struct test_file *good, const struct place *places, const uint64_t *values, uint32_t count)
{
    static struct state state;
    bool bounds;
    state.format = format_of(good);
    state.file = (struct test_file){malloc(good->size), good->size};
    memcpy(state.file.data, good->data, good->size);
    for (uint32_t i = 0; i < count; i++)
        field_value(good, &state.file, &places[i], &values[i]);
    repair(&state.file, places, count);
    tried++;
    if (!is_legal(&state, places, count, &bounds)) {
        expect_refused(good, &state, places, values, count, false);
    } else {
        legal_ones++;
        if (bounds) {
            struct test_file first = {malloc(state.file.size), state.file.size};
            memcpy(first.data, state.file.data, state.file.size);
            cr_assert(repair_bounds(&state.file));
            const uint32_t at = state.format == 1 ? 24 : 64;
            if (memcmp(first.data + at, state.file.data + at, 24) != 0) {
                struct test_file right = state.file;
                state.file = first;
                expect_refused(good, &state, places, values, count, true);
                state.file = right;
            }
            free(first.data);
        }
        expect_good(good, &state, places, values, count);
    }
    free(state.file.data);
}

/* ---- all changes ---- */

static void change_field(struct test_file *good, const struct place *place)
{
    static const uint32_t floats[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x3F800000, 0xBF800000, 0x80000000,
                                      0x49800000, 0x49800001, 0x44800000, 0x44800001};
    const uint32_t width = place->field.width;
    const uint64_t was = field_value(good, good, place, NULL);
    const uint64_t top = width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;
    uint64_t values[20] = {0, 1, top, top - 1, (top >> 1) + 1, top >> 1, was + 1, was - 1, good->size, good->size + 1};
    uint32_t count = 10;
    for (size_t i = 0; place->field.type == TYPE_F32 && i < sizeof floats / sizeof floats[0]; i++)
        values[count++] = floats[i];
    for (uint32_t v = 0; v < count; v++) {
        const uint64_t value = values[v] & top;
        bool again = value == was;
        for (uint32_t k = 0; k < v; k++)
            again = again || (values[k] & top) == value;
        if (!again)
            change(good, place, &value, 1);
    }
}

/* Two fields change places; of different widths, each takes what it has room for. */
static void swap(struct test_file *good, const struct place *a, const struct place *b)
{
    const struct place places[2] = {*a, *b};
    uint64_t values[2], was[2];
    for (int i = 0; i < 2; i++)
        was[i] = field_value(good, good, &places[i], NULL);
    for (int i = 0; i < 2; i++) {
        const uint32_t width = places[i].field.width;
        values[i] = was[1 - i] & (width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1);
    }
    if (values[0] != was[0] && values[1] != was[1])
        change(good, places, values, 2);
    else if (values[0] != was[0] || values[1] != was[1])
        change(good, values[0] != was[0] ? a : b, values[0] != was[0] ? &values[0] : &values[1], 1);
}

static void change_entry(struct test_file *good, enum grass_part part, uint32_t index, bool has_next)
{
    const struct grass_struct s = grass_struct_of(format_of(good), part);
    for (uint32_t f = 0; f < s.count; f++) {
        const struct place place = {part, index, s.fields[f]};
        change_field(good, &place);
        if (f + 1 < s.count)
            swap(good, &place, &(struct place){part, index, s.fields[f + 1]});
        if (has_next)
            swap(good, &place, &(struct place){part, index + 1, s.fields[f]});
    }
}

static void change_all(const struct test_field *field)
{
    struct test_file good = test_field_make(field);
    wrong = tried = legal_ones = 0;
    for (enum grass_part part = 0; part < PARTS; part++) {
        const uint32_t count = grass_part_count(&good, part);
        for (uint32_t i = 0; i < count; i++)
            /* Of many blades: the first and last ones and some between. */
            if (part != PART_BLADE || i < 5 || i + 5 >= count || i % 7 == 0)
                change_entry(&good, part, i, i + 1 < count);
    }
    printf("%u changes, %u of them legal\n", tried, legal_ones);
    cr_assert(eq(u32, wrong, 0));
    cr_assert(lt(u32, 100, tried));
    free(good.data);
}

Test(mutations, format_1__each_change_is_named_or_legal) { change_all(&test_field_1); }
Test(mutations, format_1_empty__each_change_is_named_or_legal) { change_all(&test_field_1_empty); }
Test(mutations, format_2__each_change_is_named_or_legal) { change_all(&test_field_2); }
Test(mutations, format_2_compressed__each_change_is_named_or_legal) { change_all(&test_field_2_zstd); }
Test(mutations, format_2_empty__each_change_is_named_or_legal) { change_all(&test_field_2_empty); }
Test(mutations, format_2_flat__each_change_is_named_or_legal) { change_all(&test_field_flat); }
Test(mutations, format_3__each_change_is_named_or_legal) { change_all(&test_field_3); }
Test(mutations, format_3_split__each_change_is_named_or_legal) { change_all(&test_field_3_split); }
Test(mutations, format_3_empty_section__each_change_is_named_or_legal) { change_all(&test_field_3_empty_section); }

/* ---- bytes that are no field ---- */

/* Sets one byte, hashes repaired; whether verify finds an error, which has to be one of the three. */
static bool refused(const struct test_file *good, size_t at, uint8_t value, enum vxb_finding a, enum vxb_finding b,
                    enum vxb_finding c)
{
    struct test_file file = {malloc(good->size), good->size};
    struct vxbi_fold fold;
    memcpy(file.data, good->data, good->size);
    file.data[at] = value;
    test_file_repair(&file);
    verify(&file, &fold);
    const bool found = fold.totals[VXB_SEVERITY_ERROR] > 0;
    for (uint32_t i = 0; i < fold.count; i++) {
        const enum vxb_finding is = fold.entries[i]->record.finding;
        cr_assert(is == a || is == b || is == c, "byte %zu: %s", at, fold.entries[i]->record.message);
    }
    vxbi_fold_clear(&fold);
    free(file.data);
    return found;
}

static const struct test_field *const with_strings[] = {
    &test_field_2, &test_field_2_zstd, &test_field_2_empty, &test_field_flat, &test_field_3, &test_field_3_split,
    &test_field_3_empty_section};

Test(mutations, string_bytes__keep_utf8_and_the_material_ids)
{
    static const uint8_t values[] = {0, 1, 'a', 0x7F, 0x80, 0xC3, 0xE8, 0xF5, 0xFF};
    uint32_t legal = 0, illegal = 0;
    for (size_t f = 0; f < sizeof with_strings / sizeof with_strings[0]; f++) {
        struct test_file good = test_field_make(with_strings[f]);
        uint32_t in_section = 0, section = 0;
        for (uint32_t i = 0; i < grass_part_count(&good, PART_STRING); i++) {
            const size_t at = string_at(&good, i) + 2, size = vxbi_load_u16(good.data + at - 2);
            /* Format 3 has the id of a material's name, which stands after the species'. */
            const bool bound = with_strings[f]->format == 3 && in_section == 1;
            for (size_t k = at; k < at + size; k++)
                for (size_t v = 0; v < sizeof values; v++) {
                    char changed[256];
                    if (values[v] == good.data[k])
                        continue;
                    memcpy(changed, good.data + at, size);
                    changed[k - at] = (char)values[v];
                    const bool right = values[v] != 0 && vxbi_utf8_valid(changed, size) && !bound;
                    cr_assert(ne(int, refused(&good, k, values[v], VXB_FINDING_STRING_UTF8, VXB_FINDING_STRING_NUL,
                                              bound ? VXB_FINDING_SECTION_MATERIAL_ID : VXB_FINDING_STRING_UTF8),
                                 right), "string %u, byte %zu: 0x%02x", i, k - at, values[v]);
                    legal += right;
                    illegal += !right;
                }
            if (++in_section == 3u + entry(&good, PART_SECTION, section)[29]) {
                in_section = 0;
                section++;
            }
        }
        free(good.data);
    }
    cr_assert(legal > 100 && illegal > 100);
}

Test(mutations, padding_and_gaps__are_zero)
{
    uint32_t padding = 0, gaps = 0;
    for (size_t f = 0; f < sizeof with_strings / sizeof with_strings[0]; f++) {
        struct test_file good = test_field_make(with_strings[f]);
        const struct vxbi_grass_layout layout = test_file_layout(&good);
        const uint32_t chunks = grass_part_count(&good, PART_CHUNK);
        size_t end = layout.data;
        for (size_t at = layout.strings + vxbi_load_u32(good.data + 44); at < layout.chunks; at++, padding++)
            cr_assert(refused(&good, at, 1, VXB_FINDING_TABLES_PADDING, VXB_FINDING_TABLES_PADDING,
                              VXB_FINDING_TABLES_PADDING));
        for (uint32_t j = 0; j < chunks; j++) {
            const uint8_t *chunk = entry(&good, PART_CHUNK, j);
            const enum vxb_finding wanted = j ? VXB_FINDING_CHUNK_GAP : VXB_FINDING_TABLES_PADDING;
            for (size_t at = end; at < vxbi_load_u64(chunk + 32); at++, gaps++)
                cr_assert(refused(&good, at, 0x80, wanted, wanted, wanted));
            end = vxbi_load_u64(chunk + 32) + vxbi_load_u32(chunk + 40);
        }
        cr_assert(eq(sz, end, good.size));
        free(good.data);
    }
    cr_assert(padding > 0 && gaps > 100);
}
