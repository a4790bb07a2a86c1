/* The hex view: a file's bytes by the names of the fields they are. The file may be damaged anywhere, so every place is
 * worked out from the header as it stands, in u64, and compared with the file's size before it is read; a table that
 * claims more entries than the file has bytes ends with the file. */
#include "hex.h"

#include <inttypes.h>
#include <stdio.h>

#include "../core/env.h"
#include "sink.h"

/* ---- rows ---- */

static const struct vxbi_column columns[] = {{"structure", -9}, {"index", 6},  {"offset", 10},
                                             {"bytes", -24},    {"field", -22}, {"type", -6},
                                             {"value", 20},     {"meaning", -20}, {"damage", -1}};
static const struct vxbi_table table = {"fields", NULL, columns, sizeof columns / sizeof *columns};

enum { SHOWN_BYTES = 255 };

bool vxbi_hex_wanted(const struct vxbi_hex *hex, uint64_t index)
{
    return !hex->options->has_range || (index >= hex->options->first && index <= hex->options->last);
}

enum vxb_status vxbi_hex_row(struct vxbi_hex *hex, const struct vxbi_hex_row *row, struct vxb_error *err)
{
    static const char digits[] = "0123456789abcdef";
    const struct vxbi_cell none = {.kind = VXBI_CELL_NONE};
    char bytes[2 * SHOWN_BYTES + 1];
    const size_t shown = row->got < SHOWN_BYTES ? row->got : SHOWN_BYTES;
    for (size_t i = 0; i < shown; i++) {
        bytes[2 * i] = digits[row->bytes[i] >> 4];
        bytes[2 * i + 1] = digits[row->bytes[i] & 15];
    }
    bytes[2 * shown] = 0;
    const struct vxbi_cell cells[] = {vxbi_cell_text(row->structure),
                                      row->index == UINT64_MAX ? none : vxbi_cell_u64(row->index),
                                      row->offset == VXBI_NO_OFFSET ? none : vxbi_cell_u64(row->offset),
                                      shown ? vxbi_cell_text(bytes) : none,
                                      vxbi_cell_text(row->field),
                                      vxbi_cell_text(row->type),
                                      row->value,
                                      vxbi_cell_text(row->meaning),
                                      vxbi_cell_text(row->damage)};
    return vxbi_listing_row(&hex->listing, cells) ? VXB_OK : vxbi_sink_failed(err);
}

static struct vxbi_cell value_cell(struct vxbi_value value)
{
    switch (value.kind) {
    case VXBI_VALUE_UNSIGNED: return vxbi_cell_u64(value.u);
    case VXBI_VALUE_SIGNED: return vxbi_cell_i64(value.i);
    case VXBI_VALUE_REAL: return vxbi_cell_f32(value.f);
    case VXBI_VALUE_ID: return vxbi_cell_id(value.u);
    case VXBI_VALUE_BYTES: break;
    }
    return (struct vxbi_cell){.kind = VXBI_CELL_NONE};
}

static bool concerns_blade(const struct vxbi_hex *hex, size_t k, uint32_t blade,
                           const struct vxbi_structure_field *field)
{
    char end[48];
    snprintf(end, sizeof end, "/blades/%" PRIu32 "/%s", blade, strcmp(field->name, "ox") == 0 ? "up" : field->name);
    const size_t size = strlen(end), all = strlen(hex->damage.rows[k].pointer);
    return all >= size && strcmp(hex->damage.rows[k].pointer + all - size, end) == 0;
}

/* Adds what broken rule k says to the used bytes of out, as far as room goes. */
static size_t tell(struct vxbi_hex *hex, size_t k, char *out, size_t used, size_t room)
{
    hex->report->damaged++;
    if (used < room)
        used += (size_t)snprintf(out + used, room - used, "%s%s", used ? "; " : "", hex->damage.rows[k].text);
    return used;
}

const char *vxbi_hex_damage(struct vxbi_hex *hex, uint64_t offset, uint64_t bytes, char out[VXBI_HEX_DAMAGE_ROOM])
{
    size_t used = 0;
    for (size_t k = 0; k < hex->damage.count; k++)
        if (hex->damage.rows[k].offset - offset < bytes)
            used = tell(hex, k, out, used, VXBI_HEX_DAMAGE_ROOM);
    return used ? out : NULL;
}

static const char *damage_of(struct vxbi_hex *hex, const struct vxbi_hex_fields *fields,
                             const struct vxbi_structure_field *field, uint64_t offset, uint64_t bytes,
                             char out[VXBI_HEX_DAMAGE_ROOM])
{
    size_t used = 0;
    if (!fields->blade)
        return vxbi_hex_damage(hex, offset, bytes, out);
    for (size_t k = 0; k < hex->damage.count; k++)
        if (concerns_blade(hex, k, *fields->blade, field))
            used = tell(hex, k, out, used, VXBI_HEX_DAMAGE_ROOM);
    return used ? out : NULL;
}

static enum vxb_status show_part(struct vxbi_hex *hex, const struct vxbi_hex_fields *fields, size_t k, uint32_t part,
                                 struct vxb_error *err)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct vxbi_structure_field *field = &fields->structure->fields[k];
    const uint32_t parts = vxbi_field_parts(field), bytes = field->bytes / parts, at = field->offset + part * bytes;
    const size_t got = fields->got <= at ? 0 : fields->got - at < bytes ? fields->got - at : bytes;
    char name[48], words[64], damage[VXBI_HEX_DAMAGE_ROOM];
    struct vxbi_hex_row row = {.structure = fields->structure->name, .field = field->name,
                               .type = vxbi_field_type_name(field), .index = fields->index, .got = got,
                               .bytes = fields->bytes + at,
                               .offset = fields->offset == VXBI_NO_OFFSET ? VXBI_NO_OFFSET : fields->offset + at};
    if (parts > 1) {
        snprintf(name, sizeof name, "%s_%s", field->name, axes[part]);
        row.field = name;
    }
    if (got == bytes) {
        const struct vxbi_value value = vxbi_field_value(field, part, fields->bytes + field->offset);
        row.value = value_cell(value);
        if (fields->meanings && fields->meanings[k])
            row.meaning = fields->meanings[k];
        else if (vxbi_field_words(field, value, words, sizeof words))
            row.meaning = words;
    }
    row.damage = damage_of(hex, fields, field, row.offset, bytes, damage);
    if (got < bytes) {
        hex->report->cut = true;
        row.damage = row.damage ? row.damage : "the file ends here";
    }
    return vxbi_hex_row(hex, &row, err);
}

enum vxb_status vxbi_hex_fields(struct vxbi_hex *hex, const struct vxbi_hex_fields *fields, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    hex->report->shown++;
    for (size_t k = 0; k < fields->structure->count && status == VXB_OK; k++) {
        /* Of what lies behind the file's end the first field is enough. */
        if (fields->structure->fields[k].offset > fields->got)
            break;
        for (uint32_t part = 0; part < vxbi_field_parts(&fields->structure->fields[k]) && status == VXB_OK; part++)
            status = show_part(hex, fields, k, part, err);
    }
    return status;
}

enum vxb_status vxbi_hex_none(const struct vxbi_hex *hex, struct vxb_error *err)
{
    if (hex->report->shown || hex->report->cut || !hex->options->has_range)
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu64 " was asked for, and there is none", hex->options->structure,
                     hex->options->first);
}

/* ---- structures of a fixed size ---- */

struct place {
    const struct vxbi_structure *structure;
    uint64_t base, count;
};

static void places_of_grass(const struct vxbi_hex *hex, const char *name, struct place *out)
{
    const bool three = hex->format == VXBI_LOOSE_GRASS_3;
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_grass_header_structure, 0, 1};
    else if (strcmp(name, "section") == 0)
        *out = (struct place){three ? &vxbi_grass_section3_structure : &vxbi_grass_section2_structure,
                              hex->layout.sections, hex->header.section_count};
    else if (strcmp(name, "lod") == 0)
        *out = (struct place){&vxbi_grass_lod_structure, hex->layout.lods, hex->header.lod_count};
    else if (strcmp(name, "chunk") == 0)
        *out = (struct place){&vxbi_grass_chunk_structure, hex->layout.chunks, hex->header.chunk_count};
}

static void places_of_legacy(const struct vxbi_hex *hex, const char *name, struct place *out)
{
    const uint64_t chunks = vxbi_load_u32(hex->loose->head + VXBI_AT(legacy_header, chunk_count));
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_legacy_header_structure, 0, 1};
    else if (strcmp(name, "chunk") == 0)
        *out = (struct place){&vxbi_legacy_chunk_structure, VXBI_LEGACY_HEADER_BYTES, chunks};
    else if (strcmp(name, "blade") == 0)
        *out = (struct place){&vxbi_legacy_blade_structure,
                              VXBI_LEGACY_HEADER_BYTES + chunks * VXBI_LEGACY_CHUNK_BYTES,
                              vxbi_load_u32(hex->loose->head + VXBI_AT(legacy_header, blade_count))};
}

static enum vxb_status places_of_ktx2(const struct vxbi_hex *hex, const char *name, struct place *out,
                                      struct vxb_error *err)
{
    const uint8_t *head = hex->loose->head;
    const uint32_t levels = vxbi_load_u32(head + VXBI_AT(ktx2_header, levelCount));
    const uint64_t dfd = vxbi_load_u32(head + VXBI_AT(ktx2_header, dfdByteOffset));
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_ktx2_header_structure, 0, 1};
    else if (strcmp(name, "level") == 0)
        *out = (struct place){&vxbi_ktx2_level_structure, VXBI_KTX2_HEADER_BYTES, levels ? levels : 1};
    else if (strcmp(name, "dfd") == 0)
        *out = (struct place){&vxbi_ktx2_dfd_structure, dfd, 1};
    else if (strcmp(name, "sample") == 0) {
        const uint64_t base = dfd + sizeof(struct vxbi_ktx2_dfd_at);
        const size_t before = sizeof(struct vxbi_ktx2_dfd_at) - sizeof(uint32_t); /* in the block, its samples apart */
        uint8_t block[2];
        size_t got;
        enum vxb_status status =
            vxbi_loose_read(hex->loose, dfd + VXBI_AT(ktx2_dfd, descriptorBlockSize), block, sizeof block, &got, err);
        if (status != VXB_OK)
            return status;
        const uint16_t bytes = got == sizeof block ? vxbi_load_u16(block) : 0;
        *out = (struct place){&vxbi_ktx2_sample_structure, base,
                              bytes > before ? (bytes - before) / sizeof(struct vxbi_ktx2_sample_at) : 0};
    }
    return VXB_OK;
}

static void places_of_probes(const struct vxbi_hex *hex, const char *name, struct place *out)
{
    struct vxbi_probe_layout layout;
    const uint32_t bricks = vxbi_load_u32(hex->loose->head + VXBI_AT(probe_header, brick_count));
    vxbi_probe_layout(bricks, &layout);
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_probe_header_structure, 0, 1};
    else if (strcmp(name, "brick") == 0)
        *out = (struct place){&vxbi_probe_brick_structure, layout.bricks, bricks};
    else if (strcmp(name, "plane") == 0)
        *out = (struct place){&vxbi_probe_plane_structure, layout.planes, VXB_PROBE_PLANES};
}

static enum vxb_status places(const struct vxbi_hex *hex, struct place *out, struct vxb_error *err)
{
    *out = (struct place){0};
    switch (hex->format) {
    case VXBI_LOOSE_GRASS_1: places_of_legacy(hex, hex->options->structure, out); return VXB_OK;
    case VXBI_LOOSE_KTX2: return places_of_ktx2(hex, hex->options->structure, out, err);
    case VXBI_LOOSE_PROBES_1: places_of_probes(hex, hex->options->structure, out); return VXB_OK;
    default: places_of_grass(hex, hex->options->structure, out); return VXB_OK;
    }
}

enum { MOST_FIELDS = 32 }; /* of a structure */

static enum vxb_status show_fixed(struct vxbi_hex *hex, const struct place *place, struct vxb_error *err)
{
    const struct vxb_raw_options *options = hex->options;
    const uint64_t stride = place->structure->bytes, first = options->has_range ? options->first : 0;
    uint64_t last = options->has_range ? options->last : options->has_at ? 0 : UINT64_MAX;
    if (!options->has_at && last >= place->count)
        last = place->count - 1; /* there is one: first is below the count */
    const uint64_t start = options->has_at ? options->at : place->base + first * stride;
    enum vxb_status status = VXB_OK;
    for (uint64_t i = 0; i <= last - first && status == VXB_OK; i++) {
        uint8_t bytes[VXB_GRASS_HEADER_BYTES];
        char texts[2][VXB_TEXT_NUMBER_ROOM];
        const char *meanings[MOST_FIELDS] = {NULL};
        size_t got;
        if (start >= hex->loose->grass->size || i * stride >= hex->loose->grass->size - start) {
            hex->report->cut = true;
            break;
        }
        if (vxbi_cancelled(hex->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = vxbi_loose_read(hex->loose, start + i * stride, bytes, (size_t)stride, &got, err);
        if (status == VXB_OK && place->structure == &vxbi_ktx2_sample_structure && got == stride)
            vxbi_hex_sample(bytes, texts, meanings);
        const struct vxbi_hex_fields fields = {.structure = place->structure, .index = first + i,
                                               .offset = start + i * stride, .bytes = bytes, .got = got,
                                               .meanings = meanings};
        if (status == VXB_OK)
            status = vxbi_hex_fields(hex, &fields, err);
    }
    return status;
}

/* ---- all of them ---- */

static enum vxb_status unknown_structure(const struct vxbi_hex *hex, struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_USAGE, "'%s' is not a structure of %s, which has %s", hex->options->structure,
                     vxbi_loose_format_name(hex->format),
                     hex->format == VXBI_LOOSE_KTX2       ? "header, level, dfd, sample and key"
                     : hex->format == VXBI_LOOSE_PROBES_1 ? "header, brick and plane"
                     : hex->format == VXBI_LOOSE_GRASS_1  ? "header, chunk and blade"
                                                          : "header, section, lod, string, chunk and blade");
}

/* Those that walk; NULL where the structure is none of them. */
static enum vxb_status (*walker(const struct vxbi_hex *hex))(struct vxbi_hex *hex, struct vxb_error *err)
{
    const bool packed = hex->format == VXBI_LOOSE_GRASS_2 || hex->format == VXBI_LOOSE_GRASS_3;
    if (packed && strcmp(hex->options->structure, "string") == 0)
        return vxbi_hex_strings;
    if (packed && strcmp(hex->options->structure, "blade") == 0)
        return vxbi_hex_blades;
    if (hex->format == VXBI_LOOSE_KTX2 && strcmp(hex->options->structure, "key") == 0)
        return vxbi_hex_keys;
    return NULL;
}

static void read_header(struct vxbi_hex *hex)
{
    struct vxbi_reader r = {.data = hex->loose->head, .size = sizeof hex->loose->head};
    if (hex->format != VXBI_LOOSE_GRASS_2 && hex->format != VXBI_LOOSE_GRASS_3)
        return;
    vxbi_grass_get_header(&r, &hex->header);
    hex->header.format = hex->format == VXBI_LOOSE_GRASS_3 ? 3 : 2;
    vxbi_grass_layout(&hex->header, &hex->layout);
}

/* What is asked for has to be there by the header's word, unless the caller says where it stands. */
static enum vxb_status check_count(const struct vxbi_hex *hex, const struct place *place, struct vxb_error *err)
{
    const uint64_t first = hex->options->has_range ? hex->options->first : 0;
    if (hex->options->has_at || first < place->count)
        return VXB_OK;
    return vxbi_fail_remedy(err, VXB_ERR_USAGE, "at",
                            "%s %" PRIu64 " was asked for, and the header says that there %s %" PRIu64,
                            place->structure->name, first, place->count == 1 ? "is" : "are", place->count);
}

/* The bytes whose broken rules are kept; of structures that walk, those of the whole file. */
static void set_range(struct vxbi_hex *hex, const struct place *place)
{
    const struct vxb_raw_options *options = hex->options;
    hex->damage.to = UINT64_MAX;
    if (!place->structure)
        return;
    const uint64_t stride = place->structure->bytes, first = options->has_range ? options->first : 0;
    const uint64_t last = options->has_range && options->last < place->count ? options->last : place->count;
    hex->damage.from = options->has_at ? options->at : place->base + first * stride;
    if (!options->has_at)
        hex->damage.to = place->base + (last + 1) * stride;
}

static enum vxb_status show(struct vxbi_hex *hex, const struct vxb_sink *sink, struct vxb_error *err)
{
    enum vxb_status (*const walk)(struct vxbi_hex *, struct vxb_error *) = walker(hex);
    struct place place = {0};
    enum vxb_status status = walk ? VXB_OK : places(hex, &place, err);
    if (status == VXB_OK && !walk)
        status = place.structure ? check_count(hex, &place, err) : unknown_structure(hex, err);
    if (status == VXB_OK && walk == vxbi_hex_blades && hex->options->has_at)
        status = vxbi_fail_at_fault(err, VXB_ERR_USAGE, "at", "a blade is found by its chunk, not by an offset");
    if (status != VXB_OK)
        return status;
    if (walk != vxbi_hex_blades)
        set_range(hex, &place);
    status = vxbi_loose_check(hex->loose, hex->env, hex->format, &hex->damage, err);
    if (status == VXB_OK && place.structure == &vxbi_legacy_blade_structure)
        status = vxbi_hex_check_legacy(hex, err);
    if (status != VXB_OK)
        return status;
    vxbi_listing_begin(&hex->listing, sink, hex->options->format, "raw", vxbi_loose_format_name(hex->format));
    vxbi_listing_table(&hex->listing, &table);
    status = walk ? walk(hex, err) : show_fixed(hex, &place, err);
    vxbi_listing_table_end(&hex->listing);
    return vxbi_listing_end(&hex->listing, status, err);
}

/* What the file is to be taken for. */
static enum vxb_status choose_format(struct vxbi_hex *hex, struct vxb_error *err)
{
    const char *as = hex->options->as;
    hex->format = as ? vxbi_loose_format_of(as) : hex->loose->format;
    if (hex->format != VXBI_LOOSE_UNKNOWN)
        return VXB_OK;
    if (as)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "as", "'%s' is not a format: grass-1, grass-2, grass-3, ktx2 and "
                                  "probes-1 are", as);
    if (hex->loose->grass->size == 0)
        return vxbi_fail(err, VXB_ERR_FORMAT, "the file is empty");
    return vxbi_fail_remedy(err, VXB_ERR_FORMAT, "as", "this begins as none of the formats grass-1, grass-2, grass-3, "
                            "ktx2 and probes-1 does");
}

enum vxb_status vxbi_list_raw(struct vxbi_loose *loose, const struct vxb_env *env,
                              const struct vxb_raw_options *options, const struct vxb_sink *sink,
                              struct vxb_raw_report *report, struct vxb_error *err)
{
    struct vxbi_hex hex = {.env = env, .options = options, .report = report, .loose = loose};
    *report = (struct vxb_raw_report){0};
    enum vxb_status status = choose_format(&hex, err);
    read_header(&hex);
    if (status == VXB_OK)
        status = show(&hex, sink, err);
    report->elsewhere = hex.damage.inside + hex.damage.elsewhere - report->damaged;
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, loose->grass->name, NULL);
}

enum vxb_status vxb_list_raw(const struct vxb_env *env, const char *path, const struct vxb_raw_options *options,
                             const struct vxb_sink *sink, struct vxb_raw_report *report, struct vxb_error *err)
{
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_check_size("vxb_raw_options", options->size, sizeof *options, err);
    if (status == VXB_OK)
        status = vxbi_loose_open(env, path, &loose, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_list_raw(&loose, env, options, sink, report, err);
    vxbi_loose_close(&loose);
    return status;
}
