/* export: JSON, CSV, PNG and previews. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#include "bad_files.h"
#include "core/hash.h"
#include "core/os.h"
#include "core/text.h"
#include "export/canvas.h"
#include "export/paint.h"
#include "export/png.h"
#include "export/preview.h"
#include "heap.h"
#include "report_fixtures.h"
#include "vxbake/export.h"

/* ---- fixtures ---- */

static bool read_memory(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    memcpy(buf, file->data + offset, size);
    return true;
}

struct opened {
    struct test_file file;
    struct vxb_source source;
    struct vxb_grass *grass;
};

static void open_field(struct opened *opened, const struct test_field *field, const struct vxb_env *env)
{
    struct vxb_error err = {0};
    opened->file = test_field_make(field);
    opened->source = (struct vxb_source){&opened->file, opened->file.size, read_memory};
    cr_assert(eq(int, vxb_grass_open_source(env, &opened->source, "test", &opened->grass, &err), VXB_OK), "%s",
              err.message);
}

static void close_field(struct opened *opened)
{
    vxb_grass_close(opened->grass);
    free(opened->file.data);
}

static const struct test_field *const fields[] = {&test_field_2, &test_field_2_zstd, &test_field_2_empty,
                                                  &test_field_3, &test_field_3_split, &test_field_3_empty_section};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* A picture, decoded. */
struct image {
    int width, height;
    uint8_t *pixels;
};

static struct image load(const char *path)
{
    struct image image;
    int channels;
    image.pixels = stbi_load(path, &image.width, &image.height, &channels, 0);
    cr_assert(image.pixels != NULL, "%s", path);
    cr_assert(eq(int, channels, 3));
    return image;
}

static uint64_t pixels_hash(const struct image *image)
{
    return vxbi_hash(image->pixels, (size_t)image->width * image->height * 3);
}

static const uint8_t *pixel(const struct image *image, int x, int y)
{
    return image->pixels + ((size_t)y * image->width + x) * 3;
}

static int distance(const uint8_t *p, struct vxbi_colour colour)
{
    return abs(p[0] - colour.r) + abs(p[1] - colour.g) + abs(p[2] - colour.b);
}

static char folder[] = "/tmp/vxbake-export-XXXXXX";
static char png_path[64];

static void make_folder(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(png_path, sizeof png_path, "%s/picture.png", folder);
}

static void remove_folder(void)
{
    unlink(png_path);
    cr_assert(eq(int, rmdir(folder), 0), "something was left behind");
}

static void write_preview(struct vxbi_preview *preview, const struct vxbi_preview_legend *legend)
{
    struct vxb_error err = {0};
    struct vxb_output *output;
    cr_assert(eq(int, vxb_output_open(NULL, png_path, &output, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxbi_preview_write(preview, legend, output, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_output_commit(output, &err), VXB_OK), "%s", err.message);
}

static struct vxbi_preview *new_preview(const struct vxbi_preview_desc *desc)
{
    struct vxb_error err = {0};
    struct vxbi_preview *preview;
    cr_assert(eq(int, vxbi_preview_new(NULL, desc, &preview, &err), VXB_OK), "%s", err.message);
    return preview;
}

static const struct vxb_sink *text_sink(struct vxb_text *text)
{
    static struct vxb_sink sink;
    memset(text, 0, sizeof *text);
    sink = (struct vxb_sink){text, vxb_text_write};
    return &sink;
}

static const cJSON *at(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    cr_assert(value != NULL, "no member %s", key);
    return value;
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *value = at(object, key);
    cr_assert(cJSON_IsNumber(value), "%s is no number", key);
    return value->valuedouble;
}

static cJSON *parsed(const struct vxb_text *text)
{
    cJSON *document = cJSON_ParseWithLengthOpts(text->data, text->size + 1, NULL, true);
    cr_assert(document != NULL, "%s", text->data);
    return document;
}

/* ---- text and sinks ---- */

Test(export, text_sink__holds_what_was_written_however_it_was_cut)
{
    struct vxb_text text;
    const struct vxb_sink *sink = text_sink(&text);
    for (int i = 0; i < 3000; i++)
        cr_assert(sink->write(sink->user, "abcdefg", (size_t)(i % 8)));
    size_t expected = 0;
    for (int i = 0; i < 3000; i++) {
        cr_assert(memcmp(text.data + expected, "abcdefg", (size_t)(i % 8)) == 0);
        expected += (size_t)(i % 8);
    }
    cr_assert(eq(sz, text.size, expected));
    cr_assert(eq(chr, text.data[text.size], '\0'));
    vxb_text_free(&text);
    cr_assert(text.data == NULL);
    vxb_text_free(NULL);
}

static bool refuse(void *user, const char *data, size_t size)
{
    size_t *room = user;
    (void)data;
    if (size > *room)
        return false;
    *room -= size;
    return true;
}

Test(export, sink_that_refuses__is_an_io_error_everywhere)
{
    struct report_fixture fixture;
    struct opened opened;
    const struct vxb_inspect_options options = {.size = sizeof options, .chunks = true, .blades = true};
    report_fixture_make(&fixture);
    open_field(&opened, &test_field_3, NULL);
    for (int which = 0; which < 5; which++) {
        size_t room = 10;
        struct vxb_sink sink = {&room, refuse};
        struct vxb_error err = {0};
        enum vxb_status status = VXB_OK;
        switch (which) {
        case 0: status = vxb_plan_json(&fixture.plan, false, &sink, &err); break;
        case 1: status = vxb_bake_report_json(&fixture.plan, &fixture.report, false, &sink, &err); break;
        case 2: status = vxb_inspect_json(opened.grass, &options, false, &sink, &err); break;
        case 3: status = vxb_inspect_blades_csv(opened.grass, &options, &sink, &err); break;
        case 4: status = vxb_inspect_blades_json_lines(opened.grass, &options, &sink, &err); break;
        }
        cr_assert(eq(int, status, VXB_ERR_IO), "case %d", which);
        cr_assert(eq(int, err.status, VXB_ERR_IO));
    }
    close_field(&opened);
}

/* ---- reports of a bake ---- */

static double reasons_sum(const cJSON *ledger)
{
    double sum = 0;
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        sum += number(at(ledger, "reasons"), vxb_reason_name((enum vxb_reason)i));
    return sum;
}

Test(export, bake_report__species_add_up_to_the_field)
{
    static const char *const keys[] = {"candidates", "placed", "chunks", "bytes", "commands"};
    struct report_fixture fixture;
    struct vxb_error err = {0};
    struct vxb_text text;
    report_fixture_make(&fixture);
    cr_assert(eq(int, vxb_bake_report_json(&fixture.plan, &fixture.report, false, text_sink(&text), &err), VXB_OK));
    cJSON *document = parsed(&text);
    const cJSON *field = at(document, "field"), *species = at(document, "species"), *one;
    cr_assert(eq(int, cJSON_GetArraySize(species), 2));
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        double sum = 0;
        cJSON_ArrayForEach(one, species) sum += number(at(one, "ledger"), keys[k]);
        cr_assert(eq(dbl, sum, number(field, keys[k])), "%s", keys[k]);
    }
    cr_assert(eq(dbl, number(field, "placed") + reasons_sum(field), number(field, "candidates")));
    cr_assert(eq(dbl, number(field, "placed"), 57500));
    cr_assert(eq(dbl, number(document, "version"), 1));
    cr_assert(eq(str, at(at(document, "output"), "content_id")->valuestring, (char *)"0xfedcba9876543210"));
    cr_assert(eq(str, at(document, "bake_id")->valuestring, (char *)"0x0123456789abcdef"));
    cr_assert(eq(str, at(at(document, "budgets"), "bound_by")->valuestring, (char *)"max_blades"));
    cr_assert(eq(dbl, number(at(at(document, "budgets"), "given"), "gpu_bytes"), 9007199254740991.0));
    cr_assert(cJSON_IsNull(at(at(at(document, "budgets"), "given"), "file_bytes")));
    cr_assert(eq(int, cJSON_GetArraySize(at(document, "notes")), 1));
    cJSON_Delete(document);
    vxb_text_free(&text);
}

Test(export, bake_report_that_does_not_add_up__is_a_bug_and_writes_nothing)
{
    for (int k = 0; k < 6; k++) {
        struct report_fixture fixture;
        struct vxb_error err = {0};
        struct vxb_text text;
        report_fixture_make(&fixture);
        struct vxb_bake_report *report = &fixture.report;
        switch (k) {
        case 0: report->field.placed++; break;
        case 1: report->species[1].reasons[VXB_REASON_SLOPE]++; break;
        case 2: report->field.commands--; break;
        case 3: report->species[0].bytes += 16; break;
        case 4: report->species_count = 1; break;
        case 5: /* moved between reasons of one species: every sum over reasons still holds */
            report->species[0].reasons[0]++;
            report->species[0].reasons[1]--;
            break;
        }
        cr_assert(eq(int, vxb_bake_report_json(&fixture.plan, report, false, text_sink(&text), &err), VXB_ERR_BUG),
                  "case %d", k);
        cr_assert(eq(sz, text.size, 0));
    }
}

Test(export, bake_report__differs_between_runs_only_in_its_seconds)
{
    struct report_fixture fixture;
    struct vxb_error err = {0};
    struct vxb_text a, b;
    report_fixture_make(&fixture);
    cr_assert(eq(int, vxb_bake_report_json(&fixture.plan, &fixture.report, false, text_sink(&a), &err), VXB_OK));
    fixture.report.seconds = 99.5;
    fixture.report.written = !fixture.report.written;
    cr_assert(eq(int, vxb_bake_report_json(&fixture.plan, &fixture.report, false, text_sink(&b), &err), VXB_OK));
    char *seconds = strstr(a.data, "\"seconds\"");
    cr_assert(seconds != NULL);
    cr_assert(memcmp(a.data, b.data, (size_t)(seconds - a.data)) == 0);
    cr_assert(strstr(b.data, "\"seconds\": 99.5") != NULL);
    cr_assert(strstr(a.data, "recipes") == NULL, "a path of the machine");
    vxb_text_free(&a);
    vxb_text_free(&b);
}

Test(export, plan__inputs_are_as_the_recipe_names_them_and_no_limit_is_null)
{
    struct report_fixture fixture;
    struct vxb_error err = {0};
    struct vxb_text text;
    report_fixture_make(&fixture);
    fixture.plan.blade_budget = VXB_NO_LIMIT;
    fixture.plan.species[1].layer = fixture.plan.species[0].layer;
    cr_assert(eq(int, vxb_plan_json(&fixture.plan, false, text_sink(&text), &err), VXB_OK));
    cJSON *document = parsed(&text);
    const cJSON *inputs = at(document, "inputs");
    cr_assert(eq(str, cJSON_GetArrayItem(inputs, 0)->valuestring, (char *)"ground.png"));
    cr_assert(eq(str, cJSON_GetArrayItem(inputs, 1)->valuestring, (char *)"maps/grass.png"));
    cr_assert(eq(str, cJSON_GetArrayItem(inputs, 2)->valuestring, (char *)"/elsewhere/rule.vxgrass"));
    cr_assert(cJSON_IsNull(at(at(document, "budgets"), "blades")));
    cr_assert(eq(int, cJSON_GetArraySize(at(document, "notes")), 0));
    cr_assert(strstr(text.data, "\"asked\": 0.3,") != NULL, "not the shortest number");
    cJSON_Delete(document);
    vxb_text_free(&text);
}

Test(export, names_with_controls_and_bad_utf8__are_still_valid_json)
{
    struct report_fixture fixture;
    struct vxb_error err = {0};
    struct vxb_text text;
    report_fixture_make(&fixture);
    fixture.recipe.species[0].name = "a\x01\x1b[31m\"\\\xff\xc3z\n\x7f";
    fixture.recipe.species[1].layer = "\xe8\x8d";
    cr_assert(eq(int, vxb_plan_json(&fixture.plan, false, text_sink(&text), &err), VXB_OK));
    cr_assert(vxbi_utf8_valid(text.data, text.size));
    for (size_t i = 0; i < text.size; i++)
        cr_assert(text.data[i] == '\n' || (unsigned char)text.data[i] >= 32, "a raw control character");
    cJSON *document = parsed(&text);
    const cJSON *first = cJSON_GetArrayItem(at(document, "species"), 0);
    cr_assert(eq(str, at(first, "name")->valuestring,
                 (char *)"a\x01\x1b[31m\"\\\xEF\xBF\xBD\xEF\xBF\xBDz\n\x7f"));
    cJSON_Delete(document);
    vxb_text_free(&text);
}

/* ---- what a file holds ---- */

Test(export, inspect__counts_agree_with_the_header_in_every_field)
{
    for (int f = 0; f < FIELDS; f++) {
        struct opened opened;
        struct vxb_error err = {0};
        struct vxb_text text;
        const struct vxb_inspect_options options = {.size = sizeof options, .chunks = true, .blades = true};
        open_field(&opened, fields[f], NULL);
        const struct vxb_grass_header *header = vxb_grass_header(opened.grass);
        cr_assert(eq(int, vxb_inspect_json(opened.grass, &options, false, text_sink(&text), &err), VXB_OK), "%s",
                  err.message);
        cJSON *document = parsed(&text);
        const cJSON *chunk, *section;
        double blades = 0, listed = 0, in_sections = 0;
        cJSON_ArrayForEach(chunk, at(document, "chunks"))
        {
            blades += number(chunk, "blade_count");
            listed += cJSON_GetArraySize(at(chunk, "blades"));
        }
        cJSON_ArrayForEach(section, at(document, "sections")) in_sections += number(section, "blade_count");
        cr_assert(eq(dbl, blades, header->blade_count));
        cr_assert(eq(dbl, listed, header->blade_count));
        cr_assert(eq(dbl, in_sections, header->blade_count));
        cr_assert(eq(int, cJSON_GetArraySize(at(document, "chunks")), (int)header->chunk_count));
        cr_assert(eq(int, cJSON_GetArraySize(at(document, "sections")), (int)header->section_count));
        cr_assert(eq(dbl, number(document, "format"), header->format));
        cJSON_Delete(document);
        vxb_text_free(&text);
        close_field(&opened);
    }
}

Test(export, inspect_without_options__is_the_header_alone_and_reads_no_chunk)
{
    struct opened opened;
    struct vxb_error err = {0};
    struct vxb_text text;
    open_field(&opened, &test_field_3, NULL);
    opened.source.read_at = NULL; /* would crash */
    cr_assert(eq(int, vxb_inspect_json(opened.grass, NULL, false, text_sink(&text), &err), VXB_OK));
    cJSON *document = parsed(&text);
    cr_assert(cJSON_GetObjectItemCaseSensitive(document, "chunks") == NULL);
    const cJSON *section = cJSON_GetArrayItem(at(document, "sections"), 1);
    const cJSON *last = cJSON_GetArrayItem(at(section, "lods"), 1);
    cr_assert(cJSON_IsNull(at(last, "distance")), "infinity is null, as in a recipe");
    cJSON_Delete(document);
    vxb_text_free(&text);
    close_field(&opened);
}

/* Every cell that the chunks span, and one more all around: those inside are listed, empty or not. */
Test(export, inspect_of_a_cell__is_its_chunks_or_an_empty_list_or_out_of_the_field)
{
    struct opened opened;
    struct vxb_text text;
    struct vxb_grass_chunk all[16];
    int32_t low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};
    open_field(&opened, &test_field_3, NULL);
    const uint32_t count = vxb_grass_header(opened.grass)->chunk_count;
    cr_assert(le(u32, count, 16));
    cr_assert(eq(int, vxb_grass_chunks(opened.grass, 0, count, all, NULL), VXB_OK));
    for (uint32_t i = 0; i < count; i++) {
        const int32_t cell[2] = {all[i].cell_x, all[i].cell_z};
        for (int k = 0; k < 2; k++) {
            low[k] = cell[k] < low[k] ? cell[k] : low[k];
            high[k] = cell[k] > high[k] ? cell[k] : high[k];
        }
    }
    int empty = 0, full = 0;
    for (int32_t z = low[1] - 1; z <= high[1] + 1; z++)
        for (int32_t x = low[0] - 1; x <= high[0] + 1; x++) {
            const struct vxb_inspect_options options = {
                .size = sizeof options, .has_chunk = true, .chunk_x = x, .chunk_z = z};
            const bool inside = x >= low[0] && x <= high[0] && z >= low[1] && z <= high[1];
            int wanted = 0;
            for (uint32_t i = 0; i < count; i++)
                wanted += all[i].cell_x == x && all[i].cell_z == z;
            struct vxb_error err = {0};
            const enum vxb_status status = vxb_inspect_json(opened.grass, &options, false, text_sink(&text), &err);
            cr_assert(eq(int, status, inside ? VXB_OK : VXB_ERR_USAGE), "cell %d,%d: %s", x, z, err.message);
            if (!inside) {
                cr_assert(eq(sz, text.size, 0));
                cr_assert(strstr(err.message, "was asked for; the chunks are of cells") != NULL, "%s", err.message);
                continue;
            }
            cJSON *document = parsed(&text);
            cr_assert(eq(int, cJSON_GetArraySize(at(document, "chunks")), wanted));
            empty += wanted == 0;
            full += wanted != 0;
            cJSON_Delete(document);
            vxb_text_free(&text);
        }
    cr_assert(lt(int, 0, empty));
    cr_assert(lt(int, 0, full));
    close_field(&opened);
}

/* One record of the CSV: 16 fields, none of them quoted in this use. */
static size_t split(char *line, char *out[16])
{
    size_t count = 0;
    for (char *p = strtok(line, ","); p; p = strtok(NULL, ",")) {
        cr_assert(lt(sz, count, 16));
        out[count++] = p;
    }
    return count;
}

Test(export, blades_as_csv__read_back_as_the_records_in_a_decimal_comma_locale)
{
    struct opened opened;
    struct vxb_error err = {0};
    struct vxb_text text;
    struct vxb_grass_chunk chunk;
    uint8_t records[64 * VXB_GRASS_RECORD_BYTES];
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is not installed this tests the C locale once more */
    open_field(&opened, &test_field_2, NULL);
    cr_assert(eq(int, vxb_inspect_blades_csv(opened.grass, NULL, text_sink(&text), &err), VXB_OK));
    setlocale(LC_ALL, "C");
    char *next = text.data, *line = strsep(&next, "\n");
    cr_assert(eq(str, line,
                 (char *)"section,species,cell_x,cell_z,index,x,y,z,yaw,scale,up_x,up_y,up_z,tint,phase,rank"));
    uint32_t seen = 0;
    for (uint32_t j = 0; j < vxb_grass_header(opened.grass)->chunk_count; j++) {
        cr_assert(eq(int, vxb_grass_chunks(opened.grass, j, 1, &chunk, &err), VXB_OK));
        cr_assert(eq(int, vxb_grass_read_chunk(opened.grass, &chunk, records, sizeof records, NULL, &err), VXB_OK));
        for (uint32_t i = 0; i < chunk.blade_count; i++, seen++) {
            struct vxb_blade blade;
            char *parts[16];
            vxb_grass_decode(vxb_grass_header(opened.grass), &chunk, records + i * VXB_GRASS_RECORD_BYTES, &blade);
            cr_assert(eq(sz, split(strsep(&next, "\n"), parts), 16));
            cr_assert(eq(long, strtol(parts[2], NULL, 10), chunk.cell_x));
            cr_assert(eq(long, strtol(parts[4], NULL, 10), seen));
            cr_assert(eq(dbl, strtod(parts[5], NULL), blade.x));
            cr_assert(eq(dbl, strtod(parts[6], NULL), blade.y));
            cr_assert(eq(dbl, strtod(parts[7], NULL), blade.z));
            cr_assert(eq(flt, strtof(parts[8], NULL), (float)blade.yaw));
            cr_assert(eq(flt, strtof(parts[9], NULL), (float)blade.scale));
            cr_assert(eq(flt, strtof(parts[11], NULL), (float)blade.up[1]));
            cr_assert(eq(dbl, strtod(parts[15], NULL), blade.rank));
        }
    }
    cr_assert(eq(u32, seen, vxb_grass_header(opened.grass)->blade_count));
    cr_assert(next && *next == '\0', "lines beyond the last blade");
    vxb_text_free(&text);
    close_field(&opened);
}

Test(export, blades_as_json_lines__are_a_document_each)
{
    struct opened opened;
    struct vxb_error err = {0};
    struct vxb_text text;
    open_field(&opened, &test_field_3_split, NULL);
    cr_assert(eq(int, vxb_inspect_blades_json_lines(opened.grass, NULL, text_sink(&text), &err), VXB_OK));
    char *next = text.data;
    uint32_t lines = 0;
    for (char *line; (line = strsep(&next, "\n")) && *line; lines++) {
        cJSON *document = cJSON_Parse(line);
        cr_assert(document != NULL, "%s", line);
        cr_assert(eq(dbl, number(document, "index"), lines));
        cr_assert(at(document, "species")->valuestring != NULL);
        cJSON_Delete(document);
    }
    cr_assert(eq(u32, lines, vxb_grass_header(opened.grass)->blade_count));
    vxb_text_free(&text);
    close_field(&opened);
}

/* ---- PNG ---- */

Test(export, png__decodes_to_the_pixels_that_were_written, .init = make_folder, .fini = remove_folder)
{
    uint8_t pixels[7 * 5 * 3];
    struct vxb_error err = {0};
    struct vxb_output *output;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 37 + i * i);
    cr_assert(eq(int, vxb_output_open(NULL, png_path, &output, &err), VXB_OK));
    cr_assert(eq(int, vxbi_png_write_rgb(output, 0, 5, pixels, &err), VXB_ERR_LIMIT));
    cr_assert(eq(int, vxbi_png_write_rgb(output, 40000, 1, pixels, &err), VXB_ERR_LIMIT));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxbi_png_write_rgb(output, 7, 5, pixels, &err), VXB_OK));
    cr_assert(eq(int, vxb_output_commit(output, &err), VXB_OK));
    struct image image = load(png_path);
    cr_assert(eq(int, image.width, 7));
    cr_assert(eq(int, image.height, 5));
    cr_assert(memcmp(image.pixels, pixels, sizeof pixels) == 0);
    free(image.pixels);
}

/* ---- previews ---- */

/* One record at (x, z) metres in a cell of 16 m. */
static void put_record(uint8_t *out, double x, double z, double y_part)
{
    struct vxbi_writer w = {.data = out, .room = VXB_GRASS_RECORD_BYTES};
    vxbi_put_u16(&w, (uint16_t)(x * 4096.0));
    vxbi_put_u16(&w, (uint16_t)(z * 4096.0));
    vxbi_put_u16(&w, (uint16_t)(y_part * 65535.0));
    vxbi_put_zeros(&w, 10);
}

/* Where the field's first pixel stands in the picture: below and right of the frame, whose colour is dark. */
static void field_corner(const struct image *image, int *x, int *y)
{
    for (*y = 0; *y < image->height; ++*y)
        for (*x = 0; *x < image->width; ++*x)
            if (distance(pixel(image, *x, *y), vxbi_paper)) {
                while (distance(pixel(image, *x + 1, *y + 1), (struct vxbi_colour){96, 94, 88}) == 0)
                    ++*x, ++*y;
                ++*x, ++*y;
                return;
            }
    cr_assert(false, "a picture without a frame");
}

Test(export, preview_of_species__has_each_blade_where_it_stands, .init = make_folder, .fini = remove_folder)
{
    /* Rows go down with z: the top row of a picture is the least. */
    const struct vxbi_preview_desc desc = {.side = 64, .x0 = 32, .z0 = -16, .x1 = 48, .z1 = 0, .species_count = 2};
    const struct vxbi_preview_legend legend = {.names = {"a", "b"}, .blades = {1, 1}};
    struct vxbi_preview *preview = new_preview(&desc);
    struct vxb_grass_chunk chunk = {.cell_x = 2, .cell_z = -1, .blade_count = 1};
    uint8_t record[VXB_GRASS_RECORD_BYTES];
    int x, y;
    put_record(record, 3.1, 1.1, 0);
    vxbi_preview_add_blades(preview, 0, 16.0f, &chunk, record);
    put_record(record, 12.1, 14.1, 0);
    vxbi_preview_add_blades(preview, 1, 16.0f, &chunk, record);
    chunk.cell_x = 7; /* outside: not counted */
    vxbi_preview_add_blades(preview, 1, 16.0f, &chunk, record);
    write_preview(preview, &legend);
    vxbi_preview_free(preview);
    struct image image = load(png_path);
    field_corner(&image, &x, &y);
    const uint8_t *a = pixel(&image, x + 12, y + 4), *b = pixel(&image, x + 48, y + 56);
    cr_assert(lt(int, distance(a, vxbi_species_colours[0]), distance(a, vxbi_species_colours[1])));
    cr_assert(lt(int, distance(b, vxbi_species_colours[1]), distance(b, vxbi_species_colours[0])));
    const uint8_t *bare = pixel(&image, x + 4, y + 60);
    for (int k = 0; k < 2; k++) {
        cr_assert(lt(int, distance(a, vxbi_species_colours[0]), distance(bare, vxbi_species_colours[k])));
        cr_assert(lt(int, distance(b, vxbi_species_colours[1]), distance(bare, vxbi_species_colours[k])));
    }
    free(image.pixels);
}

Test(export, preview_of_species__draws_the_largest_share_as_grass, .init = make_folder, .fini = remove_folder)
{
    const struct vxbi_preview_desc desc = {.side = 64, .x1 = 16, .z1 = 16, .species_count = 3};
    const struct vxbi_preview_legend legend = {.names = {"a", "b", "c"}, .parts = {100000, 600000, 300000}};
    static const int ranks[3] = {2, 0, 1};
    struct vxbi_preview *preview = new_preview(&desc);
    struct vxb_grass_chunk chunk = {.blade_count = 1};
    int x, y;
    for (uint32_t k = 0; k < 3; k++) {
        uint8_t record[VXB_GRASS_RECORD_BYTES];
        put_record(record, 2.1 + 5 * k, 8.1, 0);
        vxbi_preview_add_blades(preview, k, 16.0f, &chunk, record);
    }
    write_preview(preview, &legend);
    vxbi_preview_free(preview);
    struct image image = load(png_path);
    field_corner(&image, &x, &y);
    for (int k = 0; k < 3; k++) {
        const uint8_t *p = pixel(&image, x + 8 + 20 * k, y + 32);
        for (int rank = 0; rank < VXB_SPECIES_MAX; rank++)
            cr_assert(le(int, distance(p, vxbi_species_colours[ranks[k]]), distance(p, vxbi_species_colours[rank])),
                      "species %d looks like rank %d", k, rank);
    }
    free(image.pixels);
}

Test(export, preview_of_reasons__shows_the_commonest_and_what_a_budget_took, .init = make_folder,
     .fini = remove_folder)
{
    const struct vxbi_preview_desc desc = {
        .as = VXB_PREVIEW_REASON, .side = 32, .x1 = 16, .z1 = 16, .species_count = 1};
    struct vxbi_preview_legend legend = {.names = {"a"}, .blades = {128}};
    struct vxbi_preview *preview = new_preview(&desc);
    struct vxb_grass_chunk chunk = {0};
    float lx[256], lz[256];
    uint8_t reasons[256], records[64 * VXB_GRASS_RECORD_BYTES];
    size_t taken = 0;
    int x, y;
    /* Left half placed, right half too steep; then the lower left quarter falls to the budget. */
    for (int i = 0; i < 256; i++) {
        lx[i] = (float)(i % 16) + 0.5f;
        lz[i] = (float)(i / 16) + 0.5f;
        reasons[i] = lx[i] < 8.0f ? VXB_REASON_COUNT : VXB_REASON_SLOPE;
        if (lx[i] < 8.0f && lz[i] > 8.0f)
            put_record(records + VXB_GRASS_RECORD_BYTES * taken++, (double)lx[i], (double)lz[i], 0);
    }
    cr_assert(eq(sz, taken, 64));
    vxbi_preview_add_reasons(preview, 16.0f, 0.0, 0.0, lx, lz, reasons, 256);
    vxbi_preview_take_blades(preview, 16.0f, &chunk, records, taken);
    legend.blades[0] = 64;
    legend.reasons[VXB_REASON_BUDGET] = 64;
    legend.reasons[VXB_REASON_SLOPE] = 128;
    write_preview(preview, &legend);
    vxbi_preview_free(preview);
    struct image image = load(png_path);
    field_corner(&image, &x, &y);
    const struct {
        int x, y, reason;
    } expected[] = {{6, 6, VXB_REASON_COUNT}, {26, 6, VXB_REASON_SLOPE}, {26, 26, VXB_REASON_SLOPE},
                    {6, 26, VXB_REASON_BUDGET}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const uint8_t *p = pixel(&image, x + expected[i].x, y + expected[i].y);
        int near = distance(p, vxbi_reason_colours[expected[i].reason]);
        for (int k = 0; k <= VXB_REASON_COUNT; k++)
            cr_assert(le(int, near, distance(p, vxbi_reason_colours[k])), "place %zu looks like reason %d", i, k);
    }
    free(image.pixels);
}

Test(export, preview_over_a_terrain__shows_holes_and_what_lies_outside, .init = make_folder, .fini = remove_folder)
{
    uint16_t heights[17 * 17] = {0};
    uint8_t holes[17 * 17 / 8 + 1] = {0};
    const struct vxb_terrain terrain = {.samples_x = 17, .samples_z = 17, .heights = heights, .metres_per_quad = 1.0f,
                                        .max_height = 1.0f, .holes = holes};
    const struct vxbi_preview_desc desc = {.side = 64, .x1 = 32, .z1 = 32, .species_count = 1};
    const struct vxbi_preview_legend legend = {.names = {"a"}};
    struct vxbi_preview *preview = new_preview(&desc);
    struct vxb_error err = {0};
    int x, y;
    holes[(4 * 17 + 4) >> 3] |= (uint8_t)(1u << ((4 * 17 + 4) & 7)); /* quads 3..4 on each axis: 3 m to 5 m */
    cr_assert(eq(int, vxbi_preview_relief_terrain(preview, &terrain, &err), VXB_OK));
    write_preview(preview, &legend);
    vxbi_preview_free(preview);
    struct image image = load(png_path);
    field_corner(&image, &x, &y);
    for (int i = 0; i < 64; i++) {
        const uint8_t *p = pixel(&image, x + i, y + 8);
        bool hole = i >= 6 && i < 10, outside = i >= 32;
        cr_assert(eq(int, distance(p, vxbi_paper) == 0, outside), "pixel %d", i);
        bool dark = distance(p, vxbi_hole_colour) == 0 || distance(p, (struct vxbi_colour){128, 128, 128}) == 0;
        cr_assert(eq(int, dark, hole), "pixel %d", i);
    }
    free(image.pixels);
}

Test(export, preview_of_a_terrain_thinner_than_a_pixel__still_shows_it, .init = make_folder, .fini = remove_folder)
{
    static uint16_t heights[2 * 3000];
    const struct vxb_terrain terrain = {.samples_x = 3000, .samples_z = 2, .heights = heights,
                                        .metres_per_quad = 1.0f, .max_height = 1.0f};
    const struct vxbi_preview_desc desc = {.side = 64, .x1 = 2999, .z1 = 1, .species_count = 1};
    const struct vxbi_preview_legend legend = {.names = {"a"}};
    struct vxbi_preview *preview = new_preview(&desc);
    struct vxb_error err = {0};
    int x, y;
    cr_assert(eq(int, vxbi_preview_relief_terrain(preview, &terrain, &err), VXB_OK));
    write_preview(preview, &legend);
    vxbi_preview_free(preview);
    struct image image = load(png_path);
    field_corner(&image, &x, &y);
    for (int i = 0; i < 64; i++)
        cr_assert(lt(int, 30, distance(pixel(&image, x + i, y), vxbi_paper)), "pixel %d is paper", i);
    free(image.pixels);
}

/* Counts a thousand records a cell into 4 x 4 cells, some from each of several threads. */
struct crowd {
    struct vxbi_preview *preview;
    uint32_t threads;
    uint8_t records[1000 * VXB_GRASS_RECORD_BYTES];
    float x[1000], z[1000];
    uint8_t reasons[1000];
};

static void add_crowd(void *user, uint32_t worker)
{
    struct crowd *crowd = user;
    for (uint32_t i = worker; i < 1000; i += crowd->threads)
        for (int32_t cell = 0; cell < 16; cell++) {
            struct vxb_grass_chunk chunk = {
                .cell_x = cell % 4, .cell_z = cell / 4, .blade_count = 1, .min_y = -3.0f, .max_y = 5.0f};
            vxbi_preview_add_blades(crowd->preview, i % 3, 16.0f, &chunk,
                                    crowd->records + i * VXB_GRASS_RECORD_BYTES);
            vxbi_preview_add_reasons(crowd->preview, 16.0f, chunk.cell_x * 16.0, chunk.cell_z * 16.0, &crowd->x[i],
                                     &crowd->z[i], &crowd->reasons[i], 1);
        }
}

/* Of the pixels, not of the PNG, whose compression is stb's. Another compiler, machine or optimisation must give the
 * same; a change of the picture's looks changes them on purpose. */
static const uint64_t crowd_hashes[3] = {[VXB_PREVIEW_SPECIES] = 0x871e2b20fada2b89,
                                         [VXB_PREVIEW_REASON] = 0xad3462ae4ee09b64,
                                         [VXB_PREVIEW_DENSITY] = 0x009eb4a0d412488a};

Test(export, preview__is_the_same_however_many_threads_counted, .init = make_folder, .fini = remove_folder)
{
    static struct crowd crowd;
    uint32_t state = 1;
    for (uint32_t i = 0; i < 1000; i++) {
        double place[3];
        for (int k = 0; k < 3; k++) {
            state = state * 1664525u + 1013904223u;
            place[k] = (state >> 8) / 16777216.0;
        }
        put_record(crowd.records + i * VXB_GRASS_RECORD_BYTES, 16 * place[0] * place[0], 16 * place[1], place[2]);
        crowd.x[i] = (float)(16 * place[0]);
        crowd.z[i] = (float)(16 * place[1]);
        crowd.reasons[i] = (uint8_t)(place[0] * (VXB_REASON_COUNT + 1));
    }
    for (int as = 0; as < 3; as++) {
        uint64_t first = 0;
        for (uint32_t threads = 1; threads <= 7; threads += 3) {
            const struct vxbi_preview_desc desc = {.as = (enum vxb_preview_as)as, .side = 128, .x1 = 64, .z1 = 64,
                                                   .species_count = 3, .relief_from_blades = true};
            const struct vxbi_preview_legend legend = {.names = {"a", "b", "c"}, .blades = {1, 2, 3}};
            struct vxb_env env = {.size = sizeof env};
            struct vxbi_bytes bytes;
            struct vxb_error err = {0};
            crowd.preview = new_preview(&desc);
            crowd.threads = threads;
            vxbi_parallel(threads, add_crowd, &crowd);
            write_preview(crowd.preview, &legend);
            vxbi_preview_free(crowd.preview);
            cr_assert(eq(int, vxbi_read_all(&env, png_path, 1 << 24, &bytes, &err), VXB_OK));
            uint64_t hash = vxbi_hash(bytes.data, bytes.size);
            first = threads == 1 ? hash : first;
            cr_assert(eq(u64, hash, first), "as %d, %u threads", as, threads);
            vxbi_bytes_clear(&bytes);
            struct image image = load(png_path);
            cr_expect(eq(u64, pixels_hash(&image), crowd_hashes[as]), "as %d: 0x%016" PRIx64, as, pixels_hash(&image));
            free(image.pixels);
        }
    }
}

Test(export, preview_of_next_to_nothing__is_still_a_picture, .init = make_folder, .fini = remove_folder)
{
    static const double rectangles[][4] = {{0, 0, 0, 0},           {0, 0, 1, 1},      {-5e5, 0, 5e5, 1e-3},
                                           {7, -5e5, 7.001, 5e5},  {-1e6, -1e6, 1e6, 1e6},
                                           {1e6 - 1e-3, 0, 1e6, 0}};
    char name[300];
    memset(name, '\xff', 255);
    strcpy(name + 255, "\x1b[31m");
    for (size_t r = 0; r < sizeof rectangles / sizeof rectangles[0]; r++)
        for (int as = 0; as < 3; as++)
            for (uint32_t blades = 0; blades < 2; blades++) {
                const double *at_ = rectangles[r];
                const struct vxbi_preview_desc desc = {
                    .as = (enum vxb_preview_as)as, .side = blades ? 16 : 256, .x0 = at_[0], .z0 = at_[1], .x1 = at_[2],
                    .z1 = at_[3], .species_count = 4, .relief_from_blades = true};
                const struct vxbi_preview_legend legend = {.names = {name, "\xc3\xa4\xc3\xb6", ""},
                                                           .blades = {blades, UINT32_MAX, 0, 1}};
                struct vxbi_preview *preview = new_preview(&desc);
                struct vxb_grass_chunk chunk = {.cell_x = 0, .cell_z = 0, .blade_count = blades};
                uint8_t record[VXB_GRASS_RECORD_BYTES];
                float zero = 0;
                uint8_t placed = VXB_REASON_COUNT;
                put_record(record, 0, 0, 1);
                vxbi_preview_add_blades(preview, 0, 16.0f, &chunk, record);
                vxbi_preview_add_reasons(preview, 16.0f, 0, 0, &zero, &zero, &placed, blades);
                write_preview(preview, &legend);
                vxbi_preview_free(preview);
                struct image image = load(png_path);
                cr_assert(image.width >= 16 && image.width < 1200 && image.height >= 16 && image.height < 800,
                          "rectangle %zu: %d x %d", r, image.width, image.height);
                free(image.pixels);
            }
}

Test(export, preview_of_a_file__is_the_same_for_any_number_of_threads, .init = make_folder, .fini = remove_folder)
{
    for (int f = 0; f < FIELDS; f++)
        for (int as = 0; as < 3; as += 2) {
            uint64_t first = 0;
            for (uint32_t threads = 1; threads <= 5; threads += 2) {
                struct vxb_env env = {.size = sizeof env, .threads = threads};
                struct opened opened;
                struct vxb_error err = {0};
                open_field(&opened, fields[f], &env);
                cr_assert(eq(int, vxb_grass_preview(&env, opened.grass, as ? VXB_PREVIEW_DENSITY : VXB_PREVIEW_SPECIES,
                                                    100, png_path, &err),
                             VXB_OK),
                          "%s", err.message);
                struct image image = load(png_path);
                first = threads == 1 ? pixels_hash(&image) : first;
                cr_assert(eq(u64, pixels_hash(&image), first), "field %d, %u threads", f, threads);
                free(image.pixels);
                close_field(&opened);
            }
        }
}

Test(export, preview_asked_for_what_it_can_not_be__is_a_usage_error_and_writes_nothing, .init = make_folder,
     .fini = remove_folder)
{
    static const struct {
        enum vxb_preview_as as;
        uint32_t side;
    } wrong[] = {{VXB_PREVIEW_REASON, 0}, {VXB_PREVIEW_SPECIES, 15}, {VXB_PREVIEW_DENSITY, 4097}};
    struct opened opened;
    open_field(&opened, &test_field_2, NULL);
    for (int i = 0; i < 3; i++) {
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_grass_preview(NULL, opened.grass, wrong[i].as, wrong[i].side, png_path, &err),
                     VXB_ERR_USAGE));
        cr_assert(ne(int, access(png_path, F_OK), 0));
    }
    close_field(&opened);
}

Test(export, preview_of_a_damaged_file__names_its_chunk_and_leaves_the_old_picture, .init = make_folder,
     .fini = remove_folder)
{
    for (uint32_t threads = 1; threads < 4; threads++) {
        struct vxb_env env = {.size = sizeof env, .threads = threads};
        struct opened opened;
        struct vxb_error err = {0};
        struct vxb_grass_chunk chunk;
        char kept[8] = {0};
        FILE *old = fopen(png_path, "w");
        cr_assert(old && fputs("old", old) >= 0 && fclose(old) == 0);
        open_field(&opened, &test_field_3, &env);
        cr_assert(eq(int, vxb_grass_chunks(opened.grass, 2, 1, &chunk, &err), VXB_OK));
        opened.file.data[chunk.data_offset] ^= 1;
        cr_assert(eq(int, vxb_grass_preview(&env, opened.grass, VXB_PREVIEW_SPECIES, 64, png_path, &err),
                     VXB_ERR_DATA));
        cr_assert(strstr(err.message, "chunk 2") != NULL, "%s", err.message);
        old = fopen(png_path, "r");
        cr_assert(old && fgets(kept, sizeof kept, old) && fclose(old) == 0);
        cr_assert(eq(str, kept, (char *)"old"));
        close_field(&opened);
    }
}

static bool always(void *user)
{
    (void)user;
    return true;
}

Test(export, preview_cancelled__writes_nothing, .init = make_folder, .fini = remove_folder)
{
    struct vxb_env env = {.size = sizeof env, .threads = 2};
    struct opened opened;
    struct vxb_error err = {0};
    open_field(&opened, &test_field_3, &env);
    env.cancelled = always;
    cr_assert(
        eq(int, vxb_grass_preview(&env, opened.grass, VXB_PREVIEW_SPECIES, 64, png_path, &err), VXB_ERR_CANCELLED));
    cr_assert(ne(int, access(png_path, F_OK), 0));
    close_field(&opened);
}

Test(export, preview_without_memory__fails_cleanly_wherever_it_runs_out, .init = make_folder, .fini = remove_folder)
{
    bool succeeded = false;
    for (uint64_t n = 1; n <= 400 && !succeeded; n++) {
        struct heap heap = {0};
        const struct vxb_env env = heap_env(&heap);
        struct opened opened;
        struct vxb_error err = {0};
        open_field(&opened, &test_field_3_split, &env);
        const uint64_t held = heap.now;
        heap.fail_at = heap.calls + n;
        enum vxb_status status = vxb_grass_preview(&env, opened.grass, VXB_PREVIEW_SPECIES, 32, png_path, &err);
        succeeded = status == VXB_OK;
        cr_assert(succeeded || status == VXB_ERR_MEMORY, "allocation %" PRIu64 ": %s", n, err.message);
        cr_assert(succeeded || access(png_path, F_OK) != 0);
        cr_assert(eq(u64, heap.now, held), "allocation %" PRIu64 " leaks", n);
        heap.fail_at = 0;
        close_field(&opened);
        cr_assert(eq(u64, heap.now, 0));
    }
    cr_assert(succeeded);
}

Test(export, text_on_a_canvas__fits_or_is_cut_with_dots)
{
    char out[64];
    vxbi_canvas_text_fit(out, sizeof out, 1, 1000, "short");
    cr_assert(eq(str, out, (char *)"short"));
    for (int64_t width = 0; width < 120; width += 7) {
        vxbi_canvas_text_fit(out, sizeof out, 1, width, "a name that is longer than its room");
        cr_assert(vxbi_canvas_text_width(1, out) <= width || strcmp(out, "...") == 0, "%s", out);
    }
    vxbi_canvas_text_fit(out, 8, 1, 1000, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
    cr_assert(eq(str, out, (char *)"\xc3\xa4\xc3\xa4..."), "cut between characters");
}

Test(export, round_up__gives_the_next_of_the_steps)
{
    static const double steps[] = {1, 2, 5};
    static const double cases[][2] = {{0, 1}, {-3, 1}, {1, 1},  {1.1, 2},  {2, 2},
                                      {3, 5}, {6, 10}, {99, 100}, {1234, 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert(eq(dbl, vxbi_round_up(cases[i][0], steps, 3), cases[i][1]), "%g", cases[i][0]);
    cr_assert(epsilon_eq(dbl, vxbi_round_up(0.03, steps, 3), 0.05, 1e-12));
}
