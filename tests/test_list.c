/* list: tables of fields, lists in all formats and ranges, hashes made anew, the hex view of good and of bad files. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "export/loose.h"
#include "heap.h"
#include "vxbake/list.h"
#include "vxbake/transcode.h"

/* ---- fixtures ---- */

static const struct test_field *const fields[] = {
    &test_field_1, &test_field_1_empty, &test_field_2,       &test_field_2_zstd,          &test_field_2_empty,
    &test_field_3, &test_field_flat,    &test_field_3_split, &test_field_3_empty_section};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* As a file would: what is not there is an error, not a crash. */
static bool read_memory(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    if (size)
        memcpy(buf, file->data + offset, size);
    return true;
}

static struct vxb_source source_of(struct test_file *file)
{
    return (struct vxb_source){.user = file, .size = file->size, .read_at = read_memory};
}

static const struct vxb_sink *text_sink(struct vxb_text *text)
{
    static struct vxb_sink sink;
    memset(text, 0, sizeof *text);
    sink = (struct vxb_sink){text, vxb_text_write};
    return &sink;
}

static const char *shown(const struct vxb_text *text) { return text->data ? text->data : ""; }

/* What one list of a file is, in CSV. */
static void list(struct test_file *file, const struct vxb_list_options *options, struct vxb_text *out)
{
    const struct vxb_source source = source_of(file);
    struct vxb_file opened = {.kind = VXB_FILE_GRASS};
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &source, "test", &opened.grass, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_list(NULL, &opened, options, text_sink(out), &err), VXB_OK), "%s", err.message);
    vxb_file_close(&opened);
}

static enum vxb_status hashes(struct test_file *file, const struct vxb_env *env, struct vxb_text *out,
                              uint64_t *mismatches, struct vxb_error *err)
{
    const struct vxb_source source = source_of(file);
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_loose_open_source(env, &source, "test", &loose, err);
    *mismatches = 0;
    text_sink(out);
    if (status != VXB_OK)
        return status;
    status = vxbi_list_hashes(&loose, env, VXB_LIST_CSV, &(struct vxb_sink){out, vxb_text_write}, mismatches, err);
    vxbi_loose_close(&loose);
    return status;
}

static enum vxb_status raw(struct test_file *file, const struct vxb_env *env, const struct vxb_raw_options *options,
                           struct vxb_text *out, struct vxb_raw_report *report, struct vxb_error *err)
{
    const struct vxb_source source = source_of(file);
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_loose_open_source(env, &source, "test", &loose, err);
    memset(out, 0, sizeof *out);
    if (status != VXB_OK)
        return status;
    status = vxbi_list_raw(&loose, env, options, &(struct vxb_sink){out, vxb_text_write}, report, err);
    vxbi_loose_close(&loose);
    return status;
}

/* The lines after the first of a CSV, appended. */
static void append_rows(struct vxb_text *to, const struct vxb_text *csv)
{
    const char *rows = strchr(shown(csv), '\n');
    cr_assert(rows != NULL);
    if (rows[1])
        cr_assert(vxb_text_write(to, rows + 1, strlen(rows + 1)));
}

/* ---- tables of fields ---- */

static const struct vxbi_structure *const structures[] = {
    &vxbi_grass_header_structure,  &vxbi_grass_section2_structure, &vxbi_grass_section3_structure,
    &vxbi_grass_lod_structure,     &vxbi_grass_chunk_structure,    &vxbi_grass_record_structure,
    &vxbi_legacy_header_structure, &vxbi_legacy_chunk_structure,   &vxbi_legacy_blade_structure,
    &vxbi_ktx2_header_structure,   &vxbi_ktx2_level_structure,     &vxbi_ktx2_dfd_structure,
    &vxbi_ktx2_sample_structure,   &vxbi_probe_header_structure,   &vxbi_probe_brick_structure,
    &vxbi_probe_plane_structure};
enum { STRUCTURES = sizeof structures / sizeof structures[0] };

Test(list, tables_of_fields__cover_every_byte_once)
{
    for (size_t s = 0; s < STRUCTURES; s++) {
        uint32_t end = 0;
        for (uint32_t k = 0; k < structures[s]->count; k++) {
            const struct vxbi_structure_field *field = &structures[s]->fields[k];
            cr_assert(eq(u32, field->offset, end), "%s %s", structures[s]->name, field->name);
            cr_assert(field->bytes > 0);
            end += field->bytes;
            for (uint32_t other = 0; other < k; other++)
                cr_assert(strcmp(structures[s]->fields[other].name, field->name) != 0, "%s", field->name);
        }
        cr_assert(eq(u32, end, structures[s]->bytes), "%s", structures[s]->name);
    }
}

/* The next table of vxbake-format(5) after a heading: its rows "offset Ta type" against the fields. */
static void compare_with_page(FILE *page, const struct vxbi_structure *structure, uint32_t first)
{
    char line[256];
    uint32_t k = first, rows = 0;
    while (fgets(line, sizeof line, page) && strncmp(line, ".It 0 Ta", 8) != 0 && strncmp(line, ".It 32 Ta", 9) != 0)
        continue;
    do {
        unsigned offset;
        char type[16];
        if (sscanf(line, ".It %u Ta %15s Ta", &offset, type) != 2)
            break;
        cr_assert(k < structure->count, "the page has more of a %s: %s", structure->name, line);
        const struct vxbi_structure_field *field = &structure->fields[k++];
        const char *own = field->type == VXBI_FIELD_VEC3 ? "f32[3]" : vxbi_field_type_name(field);
        cr_assert(eq(u32, field->offset, offset), "%s %s", structure->name, field->name);
        cr_assert(eq(str, (char *)own, type), "%s %s", structure->name, field->name);
        rows++;
    } while (fgets(line, sizeof line, page));
    cr_assert(rows > 0);
    cr_assert(eq(u32, k, structure->count), "the page has fewer fields of a %s", structure->name);
}

static void find_heading(FILE *page, const char *heading)
{
    char line[256];
    rewind(page);
    while (fgets(line, sizeof line, page))
        if (strncmp(line, ".Ss ", 4) == 0 && strncmp(line + 4, heading, strlen(heading)) == 0)
            return;
    cr_fatal("no heading %s", heading);
}

Test(list, tables_of_fields__are_those_of_the_manual_page)
{
    FILE *page = fopen(TEST_DATA "/../../man/vxbake-format.5", "r");
    cr_assert(page != NULL);
    find_heading(page, "Header");
    compare_with_page(page, &vxbi_grass_header_structure, 0);
    find_heading(page, "Section table");
    compare_with_page(page, &vxbi_grass_section2_structure, 0);
    compare_with_page(page, &vxbi_grass_section3_structure, vxbi_grass_section2_structure.count);
    find_heading(page, "LOD table");
    compare_with_page(page, &vxbi_grass_lod_structure, 0);
    find_heading(page, "Chunk table");
    compare_with_page(page, &vxbi_grass_chunk_structure, 0);
    find_heading(page, "Blade");
    compare_with_page(page, &vxbi_grass_record_structure, 0);
    find_heading(page, "Format 1");
    compare_with_page(page, &vxbi_legacy_header_structure, 0);
    compare_with_page(page, &vxbi_legacy_chunk_structure, 0);
    compare_with_page(page, &vxbi_legacy_blade_structure, 0);
    fclose(page);
}

/* The page has the header of a .vxp as a literal display: lines "offset type name". */
Test(list, header_of_an_irradiance_field__is_that_of_the_manual_page)
{
    const struct vxbi_structure *structure = &vxbi_probe_header_structure;
    FILE *page = fopen(TEST_DATA "/../../man/vxbake-format.5", "r");
    char line[256], type[16], own[16];
    uint32_t k = 0;
    unsigned offset;
    cr_assert(page != NULL);
    find_heading(page, "Irradiance: layout");
    while (k < structure->count && fgets(line, sizeof line, page)) {
        if (sscanf(line, "%u %15s", &offset, type) != 2 || line[0] == 'h')
            continue;
        const struct vxbi_structure_field *field = &structure->fields[k++];
        const bool three = vxbi_field_parts(field) == 3;
        snprintf(own, sizeof own, "%s%s", vxbi_field_type_name(field), three ? "[3]" : "");
        cr_assert(eq(u32, field->offset, offset), "%s", field->name);
        cr_assert(eq(str, own, type), "%s", field->name);
    }
    cr_assert(eq(u32, k, structure->count));
    fclose(page);
}

static const struct vxbi_structure_field *field_of(const struct vxbi_structure *structure, const char *name)
{
    for (uint32_t k = 0; k < structure->count; k++)
        if (strcmp(structure->fields[k].name, name) == 0)
            return &structure->fields[k];
    cr_fatal("no field %s", name);
    return NULL;
}

static uint64_t number(const struct vxbi_structure *structure, const uint8_t *bytes, const char *name)
{
    const struct vxbi_structure_field *field = field_of(structure, name);
    return vxbi_field_value(field, 0, bytes + field->offset).u;
}

Test(list, tables_of_ktx2__are_where_the_writer_puts_them)
{
    static const char *const names[] = {"vkFormat",      "typeSize",      "pixelWidth",    "pixelHeight",
                                        "pixelDepth",    "layerCount",    "faceCount",     "levelCount",
                                        "supercompressionScheme", "dfdByteOffset", "dfdByteLength", "kvdByteOffset",
                                        "kvdByteLength", "sgdByteOffset", "sgdByteLength"};
    uint8_t bytes[VXBI_KTX2_HEADER_BYTES], dfd[VXBI_KTX2_DFD_MAX];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes}, d = {.data = dfd, .room = sizeof dfd};
    vxbi_ktx2_put_header(&w, &(struct vxbi_ktx2_header){1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010,
                                                        1011, 1012, 1013, 1014, 1015});
    cr_assert(eq(sz, w.at, vxbi_ktx2_header_structure.bytes));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert(eq(u64, number(&vxbi_ktx2_header_structure, bytes, names[i]), 1001 + i), "%s", names[i]);
    vxbi_ktx2_put_dfd(&d, vxbi_ktx2_format(VXBI_KTX2_R16G16B16A16_SFLOAT));
    cr_assert(eq(u64, number(&vxbi_ktx2_dfd_structure, dfd, "dfdTotalSize"), d.at));
    cr_assert(eq(u64, number(&vxbi_ktx2_dfd_structure, dfd, "descriptorBlockSize"), d.at - 4));
    cr_assert(eq(u64, number(&vxbi_ktx2_dfd_structure, dfd, "transferFunction"), 1));
    cr_assert(eq(sz, d.at, vxbi_ktx2_dfd_structure.bytes + 4 * vxbi_ktx2_sample_structure.bytes));
    for (size_t i = 0; i < 4; i++) {
        const uint8_t *sample = dfd + vxbi_ktx2_dfd_structure.bytes + i * vxbi_ktx2_sample_structure.bytes;
        cr_assert(eq(u64, number(&vxbi_ktx2_sample_structure, sample, "bitOffset"), 16 * i));
        cr_assert(eq(u64, number(&vxbi_ktx2_sample_structure, sample, "bitLength"), 15));
    }
}

/* ---- lists ---- */

static struct vxb_list_options options_of(enum vxb_list_view view)
{
    return (struct vxb_list_options){.size = sizeof(struct vxb_list_options), .views = view, .format = VXB_LIST_CSV,
                                     .what.size = sizeof(struct vxb_inspect_options)};
}

/* Every way to cut a list of count rows in two: both halves are the whole. */
static void check_cuts(struct test_file *file, enum vxb_list_view view, uint32_t count)
{
    struct vxb_text whole;
    const struct vxb_list_options all = options_of(view);
    list(file, &all, &whole);
    for (uint32_t cut = 0; cut + 1 < count; cut++) {
        struct vxb_text low, high, both;
        struct vxb_list_options first = all, second = all;
        first.what.has_chunk_range = second.what.has_chunk_range = view == VXB_LIST_CHUNKS;
        first.what.has_blade_range = second.what.has_blade_range = view == VXB_LIST_BLADES;
        first.what.last_chunk = first.what.last_blade = cut;
        second.what.first_chunk = second.what.first_blade = cut + 1;
        second.what.last_chunk = second.what.last_blade = UINT32_MAX;
        list(file, &first, &low);
        list(file, &second, &high);
        text_sink(&both);
        cr_assert(vxb_text_write(&both, low.data, low.size));
        append_rows(&both, &high);
        cr_assert(eq(str, both.data, whole.data), "cut after %" PRIu32, cut);
        vxb_text_free(&low);
        vxb_text_free(&high);
        vxb_text_free(&both);
    }
    vxb_text_free(&whole);
}

Test(list, ranges__are_parts_of_the_whole)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct test_file file = test_field_make(fields[i]);
        const struct vxb_source source = source_of(&file);
        struct vxb_grass *grass;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_grass_open_source(NULL, &source, NULL, &grass, &err), VXB_OK));
        check_cuts(&file, VXB_LIST_CHUNKS, vxb_grass_header(grass)->chunk_count);
        check_cuts(&file, VXB_LIST_BLADES, vxb_grass_header(grass)->blade_count);
        vxb_grass_close(grass);
        free(file.data);
    }
}

Test(list, range_of_blades_in_a_cell__counts_in_each_chunk)
{
    struct test_file file = test_field_make(&test_field_3);
    const struct vxb_source source = source_of(&file);
    struct vxb_grass *grass;
    struct vxb_grass_chunk chunk;
    struct vxb_error err = {0};
    struct vxb_text all, some;
    cr_assert(eq(int, vxb_grass_open_source(NULL, &source, NULL, &grass, &err), VXB_OK));
    cr_assert(eq(int, vxb_grass_chunks(grass, 1, 1, &chunk, &err), VXB_OK));
    struct vxb_list_options options = options_of(VXB_LIST_BLADES);
    options.what.has_chunk = true;
    options.what.chunk_x = chunk.cell_x;
    options.what.chunk_z = chunk.cell_z;
    list(&file, &options, &all);
    options.what.has_blade_range = true;
    options.what.first_blade = 1;
    options.what.last_blade = 2;
    list(&file, &options, &some);
    /* Two sections have this cell; each gives its second and third blade. */
    uint32_t lines = 0;
    for (const char *line = strchr(some.data, '\n') + 1; *line; line = strchr(line, '\n') + 1, lines++) {
        char row[512];
        snprintf(row, sizeof row, "%.*s", (int)(strchr(line, '\n') - line + 1), line);
        cr_assert(strstr(all.data, row) != NULL);
    }
    cr_assert(eq(u32, lines, 4));
    vxb_text_free(&all);
    vxb_text_free(&some);
    vxb_grass_close(grass);
    free(file.data);
}

static char folder[] = "/tmp/vxbake-list-XXXXXX";
static char grass_path[64], csv_path[64];

static void make_folder(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(grass_path, sizeof grass_path, "%s/a.vxg", folder);
    snprintf(csv_path, sizeof csv_path, "%s/a.csv", folder);
}

static void remove_folder(void)
{
    remove(grass_path);
    remove(csv_path);
    cr_assert(eq(int, remove(folder), 0), "something was left behind");
}

static void write_file(const char *path, const struct test_file *file)
{
    FILE *out = fopen(path, "wb");
    cr_assert(out != NULL && fwrite(file->data, 1, file->size, out) == file->size && fclose(out) == 0);
}

Test(list, blades_in_csv__are_what_transcode_writes, .init = make_folder, .fini = remove_folder)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct test_file file = test_field_make(fields[i]);
        const struct vxb_list_options options = options_of(VXB_LIST_BLADES);
        const struct vxb_transcode_options to = {.size = sizeof to, .to = VXB_TRANSCODE_CSV, .output = csv_path};
        struct vxb_transcode_report report;
        struct vxb_error err = {0};
        struct vxb_text text, written;
        char buf[4096];
        size_t n;
        write_file(grass_path, &file);
        cr_assert(eq(int, vxb_transcode(NULL, grass_path, &to, &report, &err), VXB_OK), "%s", err.message);
        list(&file, &options, &text);
        FILE *in = fopen(csv_path, "rb");
        cr_assert(in != NULL);
        text_sink(&written);
        while ((n = fread(buf, 1, sizeof buf, in)) > 0)
            cr_assert(vxb_text_write(&written, buf, n));
        fclose(in);
        cr_assert(eq(str, text.data, written.data), "field %zu", i);
        vxb_text_free(&text);
        vxb_text_free(&written);
        free(file.data);
    }
}

Test(list, lists_that_a_file_does_not_have__are_refused)
{
    struct test_file file = test_field_make(&test_field_2);
    const struct vxb_source source = source_of(&file);
    struct vxb_file opened = {.kind = VXB_FILE_GRASS};
    struct vxb_error open_err = {0};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &source, NULL, &opened.grass, &open_err), VXB_OK));
    static const unsigned wrong[] = {0, VXB_LIST_LEVELS, VXB_LIST_CHUNKS | VXB_LIST_KEYS,
                                     VXB_LIST_CHUNKS | VXB_LIST_BLADES, 1u << 20};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vxb_list_options options = options_of(VXB_LIST_HEADER);
        struct vxb_text text;
        struct vxb_error err = {0};
        options.views = wrong[i];
        cr_assert(eq(int, vxb_list(NULL, &opened, &options, text_sink(&text), &err), VXB_ERR_USAGE), "%zu", i);
        cr_assert(err.message[0] != 0);
        cr_assert(eq(sz, text.size, 0), "something was written");
    }
    vxb_file_close(&opened);
    free(file.data);
}

static bool never(void *user, const char *data, size_t size)
{
    (void)user;
    (void)data;
    (void)size;
    return false;
}

Test(list, sink_that_refuses__is_an_io_error, .init = make_folder, .fini = remove_folder)
{
    struct test_file file = test_field_make(&test_field_3);
    write_file(grass_path, &file);
    for (int format = VXB_LIST_TEXT; format <= VXB_LIST_CSV; format++)
        for (int which = 0; which < 3; which++) {
            struct vxb_list_options options = options_of(VXB_LIST_BLADES);
            const struct vxb_raw_options bytes = {.size = sizeof bytes, .format = (enum vxb_list_format)format,
                                                  .structure = "chunk"};
            struct vxb_raw_report report;
            struct vxb_file opened;
            struct vxb_error err = {0};
            const struct vxb_sink sink = {NULL, never};
            uint64_t mismatches;
            enum vxb_status status = VXB_OK;
            options.format = (enum vxb_list_format)format;
            switch (which) {
            case 0:
                cr_assert(eq(int, vxb_file_open(NULL, grass_path, &opened, &err), VXB_OK));
                status = vxb_list(NULL, &opened, &options, &sink, &err);
                vxb_file_close(&opened);
                break;
            case 1: status = vxb_list_hashes(NULL, grass_path, options.format, &sink, &mismatches, &err); break;
            case 2: status = vxb_list_raw(NULL, grass_path, &bytes, &sink, &report, &err); break;
            }
            cr_assert(eq(int, status, VXB_ERR_IO), "format %d, %d", format, which);
            cr_assert(eq(int, err.status, VXB_ERR_IO));
        }
    free(file.data);
}

/* ---- hashes ---- */

Test(list, hashes_of_good_files__are_those_of_the_bytes)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct test_file file = test_field_make(fields[i]);
        struct vxb_error err = {0};
        struct vxb_text text;
        uint64_t mismatches;
        const enum vxb_status status = hashes(&file, NULL, &text, &mismatches, &err);
        cr_assert(eq(int, status, fields[i]->format == 1 ? VXB_ERR_UNSUPPORTED : VXB_OK), "field %zu", i);
        cr_assert(eq(u64, mismatches, 0), "%s", shown(&text));
        if (status == VXB_OK)
            cr_assert(strstr(text.data, ",false") == NULL && strstr(text.data, "header,,120,0x") != NULL);
        vxb_text_free(&text);
        free(file.data);
    }
}

/* Whichever byte changes, some hash tells; the rest of a raw file's stay as they were. */
Test(list, hashes_of_a_changed_byte__do_not_match)
{
    struct test_file file = test_field_make(&test_field_3);
    for (size_t at = 0; at < file.size; at++) {
        struct vxb_error err = {0};
        struct vxb_text text;
        uint64_t mismatches;
        file.data[at] ^= 0x40;
        const enum vxb_status status = hashes(&file, NULL, &text, &mismatches, &err);
        file.data[at] ^= 0x40;
        const struct vxbi_grass_layout layout = test_file_layout(&file);
        if (at < 12) {
            cr_assert(ne(int, status, VXB_OK), "byte %zu", at);
        } else {
            cr_assert(eq(int, status, VXB_OK), "byte %zu: %s", at, err.message);
            /* The gaps between raw chunks are in no hash: that they are zeros is a rule of its own. */
            if (at < layout.data)
                cr_assert(mismatches > 0, "byte %zu", at);
        }
        vxb_text_free(&text);
    }
    free(file.data);
}

/* ---- the hex view ---- */

static const char *const grass_structures[] = {"header", "section", "lod", "string", "chunk", "blade"};
enum { GRASS_STRUCTURES = sizeof grass_structures / sizeof grass_structures[0] };

static bool has_structure(const struct test_field *field, size_t s)
{
    return field->format != 1 || s == 0 || s == 4 || s == 5;
}

Test(list, raw_of_good_files__shows_every_table_byte_and_no_damage)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct test_file file = test_field_make(fields[i]);
        uint8_t *seen = calloc(1, file.size);
        const bool legacy = fields[i]->format == 1;
        for (size_t s = 0; s < GRASS_STRUCTURES; s++) {
            const struct vxb_raw_options options = {.size = sizeof options, .format = VXB_LIST_CSV,
                                                    .structure = grass_structures[s]};
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            const enum vxb_status status = raw(&file, NULL, &options, &text, &report, &err);
            const bool empty = fields[i]->chunks == 0 && (s == 4 || (s == 5 && legacy));
            if (!has_structure(fields[i], s) || empty) {
                cr_assert(eq(int, status, VXB_ERR_USAGE), "field %zu, %s", i, grass_structures[s]);
                vxb_text_free(&text);
                continue;
            }
            cr_assert(eq(int, status, VXB_OK), "field %zu, %s: %s", i, grass_structures[s], err.message);
            cr_assert(report.damaged == 0 && report.cut == false && report.elsewhere == 0, "field %zu, %s", i,
                      grass_structures[s]);
            for (const char *line = strchr(text.data, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
                unsigned long offset;
                char name[16], index[24], hex[520];
                if (sscanf(line, "%15[^,],%23[^,],%lu,%519[^,],", name, index, &offset, hex) != 4 &&
                    sscanf(line, "%15[^,],,%lu,%519[^,],", name, &offset, hex) != 3)
                    continue; /* bytes that were decompressed */
                for (size_t k = 0; k < strlen(hex) / 2; k++) {
                    unsigned byte;
                    cr_assert(offset + k < file.size && sscanf(hex + 2 * k, "%2x", &byte) == 1);
                    cr_assert(eq(int, byte, file.data[offset + k]), "byte %zu", offset + k);
                    cr_assert(seen[offset + k] == 0, "byte %zu was shown twice", offset + k);
                    seen[offset + k] = 1;
                }
            }
            vxb_text_free(&text);
        }
        const size_t end = legacy ? file.size : (size_t)test_file_layout(&file).data;
        for (size_t at = 0; at < end; at++)
            cr_assert(seen[at], "field %zu: byte %zu is shown nowhere", i, at);
        free(seen);
        free(file.data);
    }
}

/* Every bad file is shown, by every structure it has; where it can be opened at all but for a rule of a field, the view
 * of that field names the rule. */
Test(list, raw_of_bad_files__tells_the_rule_beside_the_field)
{
    uint32_t told = 0;
    static const char *const by_base[] = {[BAD_HEADER] = "header", [BAD_SECTION] = "section", [BAD_LOD] = "lod",
                                          [BAD_STRINGS] = "string", [BAD_CHUNK] = "chunk", [BAD_DATA] = "blade"};
    for (size_t i = 0; i < bad_file_count; i++) {
        const struct bad_file *bad = &bad_files[i];
        struct test_file file = bad_file_make(bad);
        char code[8];
        vxb_finding_code(bad->finding, code);
        for (size_t s = 0; s < GRASS_STRUCTURES; s++) {
            const struct vxb_raw_options options = {.size = sizeof options, .format = VXB_LIST_CSV,
                                                    .structure = grass_structures[s]};
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            const enum vxb_status status = raw(&file, NULL, &options, &text, &report, &err);
            cr_assert(status == VXB_OK || (err.status == status && err.message[0]), "%s", code);
            cr_assert(status == VXB_OK || status == VXB_ERR_USAGE || status == VXB_ERR_FORMAT, "%s: %d", code, status);
            const bool here = !bad->spoil && bad->base != BAD_STRINGS &&
                              strcmp(by_base[bad->base], grass_structures[s]) == 0 &&
                              vxb_finding_severity(bad->finding) == VXB_SEVERITY_ERROR;
            if (status == VXB_OK && here && report.damaged > 0) {
                told++;
                cr_assert(strstr(text.data, code) != NULL, "%s is not in\n%s", code, text.data);
            }
            vxb_text_free(&text);
        }
        free(file.data);
    }
    cr_assert(told > 90, "only %" PRIu32 " of the bad files tell their rule", told);
}

Test(list, raw_of_cut_files__shows_what_there_is)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct test_file file = test_field_make(fields[i]);
        for (size_t size = 12; size < file.size; size += size < 700 ? 3 : 61)
            for (size_t s = 0; s < GRASS_STRUCTURES; s++) {
                struct test_file cut = {.data = malloc(size), .size = size};
                const struct vxb_raw_options options = {.size = sizeof options, .format = VXB_LIST_JSON,
                                                        .structure = grass_structures[s]};
                struct vxb_raw_report report;
                struct vxb_error err = {0};
                struct vxb_text text;
                memcpy(cut.data, file.data, size);
                const enum vxb_status status = raw(&cut, NULL, &options, &text, &report, &err);
                cr_assert(status == VXB_OK || status == VXB_ERR_USAGE, "%zu bytes: %s", size, err.message);
                if (s == 0)
                    cr_assert(eq(int, report.cut, size < (fields[i]->format == 1 ? 64u : 128u)), "%zu", size);
                vxb_text_free(&text);
                free(cut.data);
            }
        free(file.data);
    }
}

Test(list, raw_at_an_offset__shows_what_stands_there)
{
    struct test_file file = test_field_make(&test_field_2);
    const struct vxbi_grass_layout layout = test_file_layout(&file);
    struct vxb_raw_options by_number = {.size = sizeof by_number, .format = VXB_LIST_CSV, .structure = "chunk",
                                        .has_range = true, .first = 1, .last = 2};
    struct vxb_raw_options by_offset = by_number;
    struct vxb_raw_report report;
    struct vxb_error err = {0};
    struct vxb_text a, b;
    by_offset.has_at = true;
    by_offset.at = layout.chunks + VXB_GRASS_CHUNK_BYTES;
    cr_assert(eq(int, raw(&file, NULL, &by_number, &a, &report, &err), VXB_OK));
    cr_assert(eq(u64, report.shown, 2));
    /* Where the header does not know of them, and its magic is gone. */
    vxbi_store_u32(file.data + 32, 0);
    file.data[0] = 'X';
    cr_assert(eq(int, raw(&file, NULL, &by_offset, &b, &report, &err), VXB_ERR_FORMAT));
    vxb_text_free(&b);
    vxb_error_clear(&err);
    by_offset.as = "grass-2";
    cr_assert(eq(int, raw(&file, NULL, &by_offset, &b, &report, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(str, a.data, b.data));
    vxb_text_free(&a);
    vxb_text_free(&b);
    by_offset.at = UINT64_MAX - 3;
    cr_assert(eq(int, raw(&file, NULL, &by_offset, &b, &report, &err), VXB_OK));
    cr_assert(report.cut && report.shown == 0);
    vxb_text_free(&b);
    free(file.data);
}

/* A table that claims to be huge ends with the file, soon and without memory for it. */
Test(list, raw_of_huge_counts__ends_with_the_file)
{
    static const size_t counts[] = {28, 32, 36, 40, 44};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t s = 0; s < GRASS_STRUCTURES; s++) {
            struct test_file file = test_field_make(&test_field_3);
            const struct vxb_raw_options options = {.size = sizeof options, .format = VXB_LIST_CSV,
                                                    .structure = grass_structures[s]};
            struct heap heap = {0};
            const struct vxb_env env = heap_env(&heap);
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            vxbi_store_u32(file.data + counts[i], UINT32_MAX);
            cr_assert(eq(int, raw(&file, &env, &options, &text, &report, &err), VXB_OK), "%s", err.message);
            cr_assert(report.shown <= file.size);
            cr_assert(lt(u64, heap.peak, 65536));
            vxb_text_free(&text);
            free(file.data);
        }
}

/* ---- memory ---- */

Test(list, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    struct test_file file = test_field_make(&test_field_3_split);
    for (int which = 0; which < 2; which++) {
        enum vxb_status status = VXB_ERR_MEMORY;
        uint64_t n = 1;
        for (; n < 1000 && status == VXB_ERR_MEMORY; n++) {
            struct heap heap = {.fail_at = n};
            const struct vxb_env env = heap_env(&heap);
            const struct vxb_raw_options options = {.size = sizeof options, .structure = "blade"};
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            uint64_t mismatches;
            status = which ? raw(&file, &env, &options, &text, &report, &err)
                           : hashes(&file, &env, &text, &mismatches, &err);
            cr_assert(eq(int, status, err.status));
            cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY);
            cr_assert(eq(u64, heap.now, 0), "%" PRIu64, n);
            vxb_text_free(&text);
        }
        cr_assert(eq(int, status, VXB_OK));
        cr_assert(n > 4);
    }
    free(file.data);
}
