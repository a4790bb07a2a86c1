/* The hex view: a file's bytes by the names of the fields they are. The file may be damaged anywhere, so every place is
 * worked out from the header as it stands, in u64, and compared with the file's size before it is read; a table that
 * claims more entries than the file has bytes ends with the file. */
#include "raw.h"

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

bool vxbi_raw_wanted(const struct vxbi_raw *raw, uint64_t index)
{
    return !raw->options->has_range || (index >= raw->options->first && index <= raw->options->last);
}

enum vxb_status vxbi_raw_row(struct vxbi_raw *raw, const struct vxbi_raw_row *row, struct vxb_error *err)
{
    static const char digits[] = "0123456789abcdef";
    const struct vxbi_cell none = {.kind = VXBI_CELL_NONE};
    char hex[2 * SHOWN_BYTES + 1];
    const size_t shown = row->got < SHOWN_BYTES ? row->got : SHOWN_BYTES;
    for (size_t i = 0; i < shown; i++) {
        hex[2 * i] = digits[row->bytes[i] >> 4];
        hex[2 * i + 1] = digits[row->bytes[i] & 15];
    }
    hex[2 * shown] = 0;
    const struct vxbi_cell cells[] = {vxbi_cell_text(row->structure),
                                      row->index == UINT64_MAX ? none : vxbi_cell_u64(row->index),
                                      row->offset == VXBI_NO_OFFSET ? none : vxbi_cell_u64(row->offset),
                                      shown ? vxbi_cell_text(hex) : none,
                                      vxbi_cell_text(row->field),
                                      vxbi_cell_text(row->type),
                                      row->value,
                                      vxbi_cell_text(row->meaning),
                                      vxbi_cell_text(row->damage)};
    return vxbi_listing_row(&raw->listing, cells) ? VXB_OK : vxbi_sink_failed(err);
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

static bool concerns_blade(const struct vxbi_raw *raw, size_t k, uint32_t blade,
                           const struct vxbi_structure_field *field)
{
    char end[48];
    snprintf(end, sizeof end, "/blades/%" PRIu32 "/%s", blade, strcmp(field->name, "ox") == 0 ? "up" : field->name);
    const size_t size = strlen(end), all = strlen(raw->damage.rows[k].pointer);
    return all >= size && strcmp(raw->damage.rows[k].pointer + all - size, end) == 0;
}

/* Adds what broken rule k says to the used bytes of out, as far as room goes. */
static size_t tell(struct vxbi_raw *raw, size_t k, char *out, size_t used, size_t room)
{
    raw->report->damaged++;
    if (used < room)
        used += (size_t)snprintf(out + used, room - used, "%s%s", used ? "; " : "", raw->damage.rows[k].text);
    return used;
}

const char *vxbi_raw_damage(struct vxbi_raw *raw, uint64_t offset, uint64_t bytes, char out[VXBI_RAW_DAMAGE_ROOM])
{
    size_t used = 0;
    for (size_t k = 0; k < raw->damage.count; k++)
        if (raw->damage.rows[k].offset - offset < bytes)
            used = tell(raw, k, out, used, VXBI_RAW_DAMAGE_ROOM);
    return used ? out : NULL;
}

static const char *damage_of(struct vxbi_raw *raw, const struct vxbi_raw_fields *fields,
                             const struct vxbi_structure_field *field, uint64_t offset, uint64_t bytes,
                             char out[VXBI_RAW_DAMAGE_ROOM])
{
    size_t used = 0;
    if (!fields->blade)
        return vxbi_raw_damage(raw, offset, bytes, out);
    for (size_t k = 0; k < raw->damage.count; k++)
        if (concerns_blade(raw, k, *fields->blade, field))
            used = tell(raw, k, out, used, VXBI_RAW_DAMAGE_ROOM);
    return used ? out : NULL;
}

static enum vxb_status show_part(struct vxbi_raw *raw, const struct vxbi_raw_fields *fields, size_t k, uint32_t part,
                                 struct vxb_error *err)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct vxbi_structure_field *field = &fields->structure->fields[k];
    const uint32_t parts = vxbi_field_parts(field), bytes = field->bytes / parts, at = field->offset + part * bytes;
    const size_t got = fields->got <= at ? 0 : fields->got - at < bytes ? fields->got - at : bytes;
    char name[48], words[64], damage[VXBI_RAW_DAMAGE_ROOM];
    struct vxbi_raw_row row = {.structure = fields->structure->name, .field = field->name,
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
    row.damage = damage_of(raw, fields, field, row.offset, bytes, damage);
    if (got < bytes) {
        raw->report->cut = true;
        row.damage = row.damage ? row.damage : "the file ends here";
    }
    return vxbi_raw_row(raw, &row, err);
}

enum vxb_status vxbi_raw_fields(struct vxbi_raw *raw, const struct vxbi_raw_fields *fields, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    raw->report->shown++;
    /* Of what lies behind the file's end the first field is enough. */
    for (size_t k = 0; k < fields->structure->count && status == VXB_OK && !raw->report->cut; k++)
        for (uint32_t part = 0; part < vxbi_field_parts(&fields->structure->fields[k]) && status == VXB_OK; part++)
            status = show_part(raw, fields, k, part, err);
    return status;
}

enum vxb_status vxbi_raw_none(const struct vxbi_raw *raw, struct vxb_error *err)
{
    if (raw->report->shown || raw->report->cut || !raw->options->has_range)
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu64 " was asked for, and there is none", raw->options->structure,
                     raw->options->first);
}

/* ---- structures of a fixed size ---- */

struct place {
    const struct vxbi_structure *structure;
    uint64_t base, count;
};

static void places_of_grass(const struct vxbi_raw *raw, const char *name, struct place *out)
{
    const bool three = raw->format == VXBI_LOOSE_GRASS_3;
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_grass_header_structure, 0, 1};
    else if (strcmp(name, "section") == 0)
        *out = (struct place){three ? &vxbi_grass_section3_structure : &vxbi_grass_section2_structure,
                              raw->layout.sections, raw->header.section_count};
    else if (strcmp(name, "lod") == 0)
        *out = (struct place){&vxbi_grass_lod_structure, raw->layout.lods, raw->header.lod_count};
    else if (strcmp(name, "chunk") == 0)
        *out = (struct place){&vxbi_grass_chunk_structure, raw->layout.chunks, raw->header.chunk_count};
}

static void places_of_legacy(const struct vxbi_raw *raw, const char *name, struct place *out)
{
    const uint64_t chunks = vxbi_load_u32(raw->loose.head + VXBI_AT(legacy_header, chunk_count));
    if (strcmp(name, "header") == 0)
        *out = (struct place){&vxbi_legacy_header_structure, 0, 1};
    else if (strcmp(name, "chunk") == 0)
        *out = (struct place){&vxbi_legacy_chunk_structure, VXBI_LEGACY_HEADER_BYTES, chunks};
    else if (strcmp(name, "blade") == 0)
        *out = (struct place){&vxbi_legacy_blade_structure,
                              VXBI_LEGACY_HEADER_BYTES + chunks * VXBI_LEGACY_CHUNK_BYTES,
                              vxbi_load_u32(raw->loose.head + VXBI_AT(legacy_header, blade_count))};
}

static enum vxb_status places_of_ktx2(const struct vxbi_raw *raw, const char *name, struct place *out,
                                      struct vxb_error *err)
{
    const uint8_t *head = raw->loose.head;
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
            vxbi_loose_read(&raw->loose, dfd + VXBI_AT(ktx2_dfd, descriptorBlockSize), block, sizeof block, &got, err);
        if (status != VXB_OK)
            return status;
        const uint16_t bytes = got == sizeof block ? vxbi_load_u16(block) : 0;
        *out = (struct place){&vxbi_ktx2_sample_structure, base,
                              bytes > before ? (bytes - before) / sizeof(struct vxbi_ktx2_sample_at) : 0};
    }
    return VXB_OK;
}

static enum vxb_status places(const struct vxbi_raw *raw, struct place *out, struct vxb_error *err)
{
    *out = (struct place){0};
    switch (raw->format) {
    case VXBI_LOOSE_GRASS_1: places_of_legacy(raw, raw->options->structure, out); return VXB_OK;
    case VXBI_LOOSE_KTX2: return places_of_ktx2(raw, raw->options->structure, out, err);
    default: places_of_grass(raw, raw->options->structure, out); return VXB_OK;
    }
}

static enum vxb_status show_fixed(struct vxbi_raw *raw, const struct place *place, struct vxb_error *err)
{
    const struct vxb_raw_options *options = raw->options;
    const uint64_t stride = place->structure->bytes, first = options->has_range ? options->first : 0;
    uint64_t last = options->has_range ? options->last : options->has_at ? 0 : UINT64_MAX;
    if (!options->has_at && last >= place->count)
        last = place->count - 1; /* there is one: first is below the count */
    const uint64_t start = options->has_at ? options->at : place->base + first * stride;
    enum vxb_status status = VXB_OK;
    for (uint64_t i = 0; i <= last - first && status == VXB_OK; i++) {
        uint8_t bytes[VXB_GRASS_HEADER_BYTES];
        size_t got;
        if (start >= raw->loose.grass->size || i * stride >= raw->loose.grass->size - start) {
            raw->report->cut = true;
            break;
        }
        if (vxbi_cancelled(raw->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = vxbi_loose_read(&raw->loose, start + i * stride, bytes, (size_t)stride, &got, err);
        const struct vxbi_raw_fields fields = {.structure = place->structure, .index = first + i,
                                               .offset = start + i * stride, .bytes = bytes, .got = got};
        if (status == VXB_OK)
            status = vxbi_raw_fields(raw, &fields, err);
    }
    return status;
}

/* ---- all of them ---- */

static enum vxb_status unknown_structure(const struct vxbi_raw *raw, struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_USAGE, "'%s' is no structure of %s, which has %s", raw->options->structure,
                     vxbi_loose_format_name(raw->format),
                     raw->format == VXBI_LOOSE_KTX2      ? "header, level, dfd, sample and key"
                     : raw->format == VXBI_LOOSE_GRASS_1 ? "header, chunk and blade"
                                                         : "header, section, lod, string, chunk and blade");
}

/* Those that walk; NULL where the structure is none of them. */
static enum vxb_status (*walker(const struct vxbi_raw *raw))(struct vxbi_raw *raw, struct vxb_error *err)
{
    const bool packed = raw->format == VXBI_LOOSE_GRASS_2 || raw->format == VXBI_LOOSE_GRASS_3;
    if (packed && strcmp(raw->options->structure, "string") == 0)
        return vxbi_raw_strings;
    if (packed && strcmp(raw->options->structure, "blade") == 0)
        return vxbi_raw_blades;
    if (raw->format == VXBI_LOOSE_KTX2 && strcmp(raw->options->structure, "key") == 0)
        return vxbi_raw_keys;
    return NULL;
}

static void read_header(struct vxbi_raw *raw)
{
    struct vxbi_reader r = {.data = raw->loose.head, .size = sizeof raw->loose.head};
    if (raw->format != VXBI_LOOSE_GRASS_2 && raw->format != VXBI_LOOSE_GRASS_3)
        return;
    vxbi_grass_get_header(&r, &raw->header);
    raw->header.format = raw->format == VXBI_LOOSE_GRASS_3 ? 3 : 2;
    vxbi_grass_layout(&raw->header, &raw->layout);
}

/* What is asked for has to be there by the header's word, unless the caller says where it stands. */
static enum vxb_status check_count(const struct vxbi_raw *raw, const struct place *place, struct vxb_error *err)
{
    const uint64_t first = raw->options->has_range ? raw->options->first : 0;
    if (raw->options->has_at || first < place->count)
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu64 " was asked for, and the header says that there are %" PRIu64
                     ": give the offset where it stands", place->structure->name, first, place->count);
}

/* The bytes whose broken rules are kept; of structures that walk, those of the whole file. */
static void set_range(struct vxbi_raw *raw, const struct place *place)
{
    const struct vxb_raw_options *options = raw->options;
    raw->damage.to = UINT64_MAX;
    if (!place->structure)
        return;
    const uint64_t stride = place->structure->bytes, first = options->has_range ? options->first : 0;
    const uint64_t last = options->has_range && options->last < place->count ? options->last : place->count;
    raw->damage.from = options->has_at ? options->at : place->base + first * stride;
    if (!options->has_at)
        raw->damage.to = place->base + (last + 1) * stride;
}

static enum vxb_status show(struct vxbi_raw *raw, const struct vxb_sink *sink, struct vxb_error *err)
{
    enum vxb_status (*const walk)(struct vxbi_raw *, struct vxb_error *) = walker(raw);
    struct place place = {0};
    enum vxb_status status = walk ? VXB_OK : places(raw, &place, err);
    if (status == VXB_OK && !walk)
        status = place.structure ? check_count(raw, &place, err) : unknown_structure(raw, err);
    if (status == VXB_OK && walk == vxbi_raw_blades && raw->options->has_at)
        status = vxbi_fail(err, VXB_ERR_USAGE, "a blade is found by its chunk, not by an offset");
    if (status != VXB_OK)
        return status;
    if (walk != vxbi_raw_blades)
        set_range(raw, &place);
    status = vxbi_loose_check(&raw->loose, raw->env, raw->format, &raw->damage, err);
    if (status != VXB_OK)
        return status;
    vxbi_listing_begin(&raw->listing, sink, raw->options->format, "raw", vxbi_loose_format_name(raw->format));
    vxbi_listing_table(&raw->listing, &table);
    status = walk ? walk(raw, err) : show_fixed(raw, &place, err);
    vxbi_listing_table_end(&raw->listing);
    return status == VXB_OK ? vxbi_listing_end(&raw->listing, err) : status;
}

enum vxb_status vxb_list_raw(const struct vxb_env *env, const char *path, const struct vxb_raw_options *options,
                             const struct vxb_sink *sink, struct vxb_raw_report *report, struct vxb_error *err)
{
    struct vxbi_raw raw = {.env = env, .options = options, .report = report};
    *report = (struct vxb_raw_report){0};
    enum vxb_status status = vxbi_check_size("vxb_raw_options", options->size, sizeof *options, err);
    if (status == VXB_OK)
        status = vxbi_loose_open(env, path, &raw.loose, err);
    if (status != VXB_OK)
        return status;
    raw.format = options->as ? vxbi_loose_format_of(options->as) : raw.loose.format;
    if (options->as && raw.format == VXBI_LOOSE_UNKNOWN)
        status = vxbi_fail(err, VXB_ERR_USAGE, "'%s' is no format: grass-1, grass-2, grass-3 and ktx2 are", options->as);
    else if (raw.format == VXBI_LOOSE_UNKNOWN)
        status = vxbi_fail(err, VXB_ERR_FORMAT, raw.loose.grass->size == 0
                           ? "the file is empty"
                           : "no format that is known begins so: tell which one the file is to be taken for");
    read_header(&raw);
    if (status == VXB_OK)
        status = show(&raw, sink, err);
    if (status != VXB_OK)
        vxbi_error_in(err, status, raw.loose.grass->name, NULL);
    report->elsewhere = raw.damage.inside + raw.damage.elsewhere - report->damaged;
    vxbi_loose_close(&raw.loose);
    return status;
}
