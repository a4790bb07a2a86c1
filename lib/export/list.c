/* What an open file holds, list by list. */
#include <inttypes.h>

#include "../core/env.h"
#include "../grass/read.h"
#include "../ktx2/format.h"
#include "../ktx2/texture.h"
#include "../probes/read.h"
#include "blades.h"
#include "list_probes.h"

enum { GRASS_VIEWS = VXB_LIST_HEADER | VXB_LIST_SECTIONS | VXB_LIST_LODS | VXB_LIST_STRINGS | VXB_LIST_CHUNKS |
                     VXB_LIST_BLADES,
       TEXTURE_VIEWS = VXB_LIST_HEADER | VXB_LIST_LEVELS | VXB_LIST_KEYS | VXB_LIST_SAMPLES,
       PROBE_VIEWS = VXB_LIST_HEADER | VXB_LIST_BRICKS | VXB_LIST_PLANES | VXB_LIST_PROBES };

static const struct {
    enum vxb_list_view view;
    const char *name;
} names[] = {{VXB_LIST_HEADER, "header"}, {VXB_LIST_SECTIONS, "sections"}, {VXB_LIST_LODS, "lods"},
             {VXB_LIST_STRINGS, "strings"}, {VXB_LIST_CHUNKS, "chunks"}, {VXB_LIST_BLADES, "blades"},
             {VXB_LIST_LEVELS, "levels"}, {VXB_LIST_KEYS, "keys"}, {VXB_LIST_SAMPLES, "samples"},
             {VXB_LIST_BRICKS, "bricks"}, {VXB_LIST_PLANES, "planes"}, {VXB_LIST_PROBES, "probes"}};

const char *vxb_list_view_name(enum vxb_list_view view)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].view == view)
            return names[i].name;
    return NULL;
}

#define COUNT(columns) (sizeof(columns) / sizeof *(columns))

/* ---- grass files ---- */

static void grass_header(struct vxbi_listing *l, const struct vxb_grass *grass)
{
    static const struct vxbi_column columns[] = {
        VXBI_GRASS_HEADER_FIELDS(VXBI_COLUMN, ){"sections_offset", 12}, {"lods_offset", 12},
        {"strings_offset", 12}, {"chunks_offset", 12}, {"data_offset", 12}};
    static const struct vxbi_table table = {"header", "header", columns, COUNT(columns)};
    const struct vxb_grass_header *header = vxb_grass_header(grass);
    const struct vxbi_structure_field flags = {.type = VXBI_FIELD_FLAGS, .words = vxbi_grass_flag_words};
    char flags_text[64];
    uint64_t offsets[5];
    vxb_grass_table_offsets(grass, offsets);
    if (!vxbi_field_words(&flags, (struct vxbi_value){.u = header->flags}, flags_text, sizeof flags_text))
        memcpy(flags_text, "none", sizeof "none");
    const struct vxbi_cell cells[] = {
        VXBI_GRASS_HEADER_FIELDS(VXBI_CELL, header) vxbi_cell_u64(offsets[0]), vxbi_cell_u64(offsets[1]),
        vxbi_cell_u64(offsets[2]), vxbi_cell_u64(offsets[3]), vxbi_cell_u64(offsets[4])};
    _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
    vxbi_listing_table(l, &table);
    vxbi_listing_row(l, cells);
    vxbi_listing_table_end(l);
}

static void sections(struct vxbi_listing *l, const struct vxb_grass *grass)
{
    static const struct vxbi_column columns[] = {
        {"index", 5}, {"species", -16}, {"material", -16}, {"mesh", -16}, VXBI_GRASS_SECTION3_FIELDS(VXBI_COLUMN, )};
    static const struct vxbi_table table = {"sections", "section", columns, COUNT(columns)};
    vxbi_listing_table(l, &table);
    for (uint32_t k = 0; k < vxb_grass_header(grass)->section_count; k++) {
        const struct vxb_grass_section *section = vxb_grass_section(grass, k);
        const struct vxbi_cell cells[] = {vxbi_cell_u64(k), vxbi_cell_text(section->name),
                                          vxbi_cell_text(section->material), vxbi_cell_text(section->mesh),
                                          VXBI_GRASS_SECTION3_FIELDS(VXBI_CELL, section)};
        _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
        vxbi_listing_row(l, cells);
    }
    vxbi_listing_table_end(l);
}

static void lods(struct vxbi_listing *l, const struct vxb_grass *grass)
{
    static const struct vxbi_column columns[] = {{"index", 5}, {"section", 7}, VXBI_GRASS_LOD_FIELDS(VXBI_COLUMN, )};
    static const struct vxbi_table table = {"lods", NULL, columns, COUNT(columns)};
    vxbi_listing_table(l, &table);
    for (uint32_t k = 0; k < vxb_grass_header(grass)->section_count; k++) {
        const struct vxb_grass_section *section = vxb_grass_section(grass, k);
        for (uint32_t i = 0; i < section->lod_count; i++) {
            const struct vxb_grass_lod *lod = vxb_grass_lod(grass, section->first_lod + i);
            const struct vxbi_cell cells[] = {vxbi_cell_u64(section->first_lod + i), vxbi_cell_u64(k),
                                              VXBI_GRASS_LOD_FIELDS(VXBI_CELL, lod)};
            _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
            vxbi_listing_row(l, cells);
        }
    }
    vxbi_listing_table_end(l);
}

/* The next string of a section; of format 1, which stores none, without an offset. */
static void string(struct vxbi_listing *l, const struct vxb_grass *grass, uint32_t section, const char *what,
                   const char *text, uint64_t *offset)
{
    const struct vxbi_cell cells[] = {
        vxbi_cell_u64(l->rows), vxbi_cell_u64(section), vxbi_cell_text(what),
        vxb_grass_header(grass)->format == 1 ? (struct vxbi_cell){.kind = VXBI_CELL_NONE} : vxbi_cell_u64(*offset),
        vxbi_cell_u64(strlen(text)), vxbi_cell_text(text)};
    vxbi_listing_row(l, cells);
    *offset += 2 + strlen(text);
}

static void strings(struct vxbi_listing *l, const struct vxb_grass *grass)
{
    static const struct vxbi_column columns[] = {{"index", 5},   {"section", 7}, {"what", -8},
                                                 {"offset", 12}, {"bytes", 5},   {"text", -1}};
    static const struct vxbi_table table = {"strings", NULL, columns, COUNT(columns)};
    uint64_t offsets[5];
    vxb_grass_table_offsets(grass, offsets);
    vxbi_listing_table(l, &table);
    for (uint32_t k = 0; k < vxb_grass_header(grass)->section_count; k++) {
        const struct vxb_grass_section *section = vxb_grass_section(grass, k);
        string(l, grass, k, "species", section->name, &offsets[2]);
        string(l, grass, k, "material", section->material, &offsets[2]);
        string(l, grass, k, "mesh", section->mesh, &offsets[2]);
        for (uint32_t i = 0; i < section->pass_count; i++)
            string(l, grass, k, "pass", section->passes[i], &offsets[2]);
    }
    vxbi_listing_table_end(l);
}

static enum vxb_status list_grass(struct vxbi_listing *l, const struct vxb_grass *grass,
                                  const struct vxb_list_options *options, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (options->views & VXB_LIST_HEADER)
        grass_header(l, grass);
    if (options->views & VXB_LIST_SECTIONS)
        sections(l, grass);
    if (options->views & VXB_LIST_LODS)
        lods(l, grass);
    if (options->views & VXB_LIST_STRINGS)
        strings(l, grass);
    if (options->views & VXB_LIST_CHUNKS)
        status = vxbi_list_chunks(l, grass, &options->what, false, err);
    if (status == VXB_OK && options->views & VXB_LIST_BLADES)
        status = vxbi_list_chunks(l, grass, &options->what, true, err);
    return status;
}

/* ---- KTX2 files ---- */

static void texture_header(struct vxbi_listing *l, const struct vxb_texture *texture)
{
    static const struct vxbi_column columns[] = {
        {"vkFormat", 6}, {"vkFormat_name", -1}, {"typeSize", 6},  {"pixelWidth", 6}, {"pixelHeight", 6},
        {"pixelDepth", 6}, {"layerCount", 6},   {"faceCount", 6}, {"levelCount", 6}, {"file_bytes", 6}};
    static const struct vxbi_table table = {"header", "header", columns, COUNT(columns)};
    const struct vxb_texture_info *info = vxb_texture_info(texture);
    const struct vxbi_cell cells[] = {
        vxbi_cell_u64(info->vk_format), vxbi_cell_text(info->format),
        vxbi_cell_u64(texture->ktx2.desc.format->type_bytes), vxbi_cell_u64(info->width), vxbi_cell_u64(info->height),
        vxbi_cell_u64(info->depth), vxbi_cell_u64(info->layers), vxbi_cell_u64(info->faces),
        vxbi_cell_u64(info->level_count), vxbi_cell_u64(info->file_bytes)};
    _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
    vxbi_listing_table(l, &table);
    vxbi_listing_row(l, cells);
    vxbi_listing_table_end(l);
}

static void levels(struct vxbi_listing *l, const struct vxb_texture *texture)
{
    static const struct vxbi_column columns[] = {{"index", 5},  {"width", 7},   {"height", 7},
                                                 {"depth", 7}, {"offset", 12}, {"bytes", 12}};
    static const struct vxbi_table table = {"levels", NULL, columns, COUNT(columns)};
    const struct vxb_texture_info *info = vxb_texture_info(texture);
    vxbi_listing_table(l, &table);
    for (uint32_t k = 0; k < info->level_count; k++) {
        const struct vxb_texture_level *level = &info->levels[k];
        const struct vxbi_cell cells[] = {vxbi_cell_u64(k), vxbi_cell_u64(level->width), vxbi_cell_u64(level->height),
                                          vxbi_cell_u64(level->depth), vxbi_cell_u64(level->offset),
                                          vxbi_cell_u64(level->bytes)};
        vxbi_listing_row(l, cells);
    }
    vxbi_listing_table_end(l);
}

static void keys(struct vxbi_listing *l, const struct vxb_texture *texture)
{
    static const struct vxbi_column columns[] = {{"index", 5}, {"key", -24}, {"bytes", 7}, {"text", -1}};
    static const struct vxbi_table table = {"keys", NULL, columns, COUNT(columns)};
    const struct vxb_texture_info *info = vxb_texture_info(texture);
    vxbi_listing_table(l, &table);
    for (uint32_t i = 0; i < info->value_count; i++) {
        const struct vxb_texture_value *value = &info->values[i];
        const struct vxbi_cell cells[] = {vxbi_cell_u64(i), vxbi_cell_text(value->key), vxbi_cell_u64(value->bytes),
                                          vxbi_cell_text(value->text)};
        vxbi_listing_row(l, cells);
    }
    vxbi_listing_table_end(l);
}

/* A texel's channels, of which the format tells all. */
static void samples(struct vxbi_listing *l, const struct vxb_texture *texture)
{
    static const struct vxbi_column columns[] = {{"index", 5}, {"channel", -7}, {"bit_offset", 10}, {"bits", 4},
                                                 {"type", -5}};
    static const struct vxbi_table table = {"samples", NULL, columns, COUNT(columns)};
    static const char *const channels[4] = {"red", "green", "blue", "alpha"};
    const struct vxbi_ktx2_format *format = texture->ktx2.desc.format;
    const uint32_t bits = 8 * format->type_bytes;
    vxbi_listing_table(l, &table);
    for (uint32_t i = 0; i < format->channels; i++) {
        const struct vxbi_cell cells[] = {vxbi_cell_u64(i), vxbi_cell_text(channels[i]), vxbi_cell_u64(i * bits),
                                          vxbi_cell_u64(bits), vxbi_cell_text(format->is_float ? "float" : "uint")};
        vxbi_listing_row(l, cells);
    }
    vxbi_listing_table_end(l);
}

static void list_texture(struct vxbi_listing *l, const struct vxb_texture *texture, unsigned views)
{
    if (views & VXB_LIST_HEADER)
        texture_header(l, texture);
    if (views & VXB_LIST_LEVELS)
        levels(l, texture);
    if (views & VXB_LIST_KEYS)
        keys(l, texture);
    if (views & VXB_LIST_SAMPLES)
        samples(l, texture);
}

/* ---- any ---- */

/* By enum vxb_file_kind. */
static const struct {
    unsigned views;
    const char *what;
} kinds[] = {[VXB_FILE_GRASS] = {GRASS_VIEWS, "a grass file"},
             [VXB_FILE_TEXTURE] = {TEXTURE_VIEWS, "a KTX2 file"},
             [VXB_FILE_PROBES] = {PROBE_VIEWS, "an irradiance field"}};

static enum vxb_status check(const struct vxb_file *file, const struct vxb_list_options *options, struct vxb_error *err)
{
    const unsigned wrong = options->views & ~kinds[file->kind].views;
    if (wrong)
        return vxbi_fail(err, VXB_ERR_USAGE, "a list of %s was asked for, which %s does not have",
                         vxb_list_view_name((enum vxb_list_view)(wrong & (~wrong + 1))), kinds[file->kind].what);
    if (!options->views)
        return vxbi_fail(err, VXB_ERR_USAGE, "no list was asked for");
    if ((options->views & (options->views - 1)) &&
        (options->format == VXB_LIST_CSV || options->format == VXB_LIST_JSON_LINES))
        return vxbi_fail(err, VXB_ERR_USAGE, "CSV and JSON lines hold one list: ask for one at a time");
    return VXB_OK;
}

static enum vxb_status check_selection(const struct vxb_file *file, const struct vxb_list_options *options,
                                       struct vxb_error *err)
{
    if (options->views & (VXB_LIST_CHUNKS | VXB_LIST_BLADES))
        return vxbi_check_selection(file->grass, &options->what, options->views & VXB_LIST_BLADES, err);
    if (options->views & (VXB_LIST_BRICKS | VXB_LIST_PROBES) && options->has_brick_range)
        return vxbi_check_range("brick", options->first_brick, options->last_brick,
                                vxb_probe_file_header(file->probes)->brick_count, err);
    return VXB_OK;
}

static const char *name_of(const struct vxb_file *file)
{
    switch (file->kind) {
    case VXB_FILE_GRASS: return file->grass->name;
    case VXB_FILE_TEXTURE: return file->texture->name;
    case VXB_FILE_PROBES: break;
    }
    return file->probes->name;
}

static const char *format_of(const struct vxb_file *file)
{
    static const char *const grass[] = {"grass-1", "grass-2", "grass-3"};
    switch (file->kind) {
    case VXB_FILE_GRASS: return grass[vxb_grass_header(file->grass)->format - 1];
    case VXB_FILE_TEXTURE: return "ktx2";
    case VXB_FILE_PROBES: break;
    }
    return "probes-1";
}

enum vxb_status vxb_list(const struct vxb_env *env, const struct vxb_file *file,
                         const struct vxb_list_options *options, const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_listing listing;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_check_size("vxb_list_options", options->size, sizeof *options, err);
    if (status == VXB_OK)
        status = vxbi_check_size("vxb_inspect_options", options->what.size, sizeof options->what, err);
    if (status == VXB_OK)
        status = check(file, options, err);
    if (status != VXB_OK)
        return status;
    status = check_selection(file, options, err);
    if (status != VXB_OK)
        return vxbi_error_in(err, status, name_of(file), NULL);
    vxbi_listing_begin(&listing, sink, options->format, "list", format_of(file));
    listing.titled = (options->views & (options->views - 1)) != 0;
    switch (file->kind) {
    case VXB_FILE_GRASS: status = list_grass(&listing, file->grass, options, err); break;
    case VXB_FILE_TEXTURE: list_texture(&listing, file->texture, options->views); break;
    case VXB_FILE_PROBES: status = vxbi_list_probes(&listing, env, file->probes, options, err); break;
    }
    return vxbi_listing_end(&listing, status, err);
}
