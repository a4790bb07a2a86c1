/* transcode: every legal path keeps what it promises, every other one is refused and says what is possible. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "grass/legacy.h"
#include "heap.h"
#include "vxbake/runtime.h"
#include "vxbake/transcode.h"
#include "vxbake/verify.h"

static char folder[64];

static void enter(void)
{
    strcpy(folder, "/tmp/vxbake-transcode-XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
}

static void leave(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "b.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    cr_assert(eq(int, rmdir(folder), 0), "something is left in the folder");
}

TestSuite(transcode, .init = enter, .fini = leave);

static void write_bytes(const char *path, const struct test_file *file)
{
    FILE *f = fopen(path, "wb");
    cr_assert(eq(sz, fwrite(file->data, 1, file->size, f), file->size));
    fclose(f);
}

static struct test_file read_bytes(const char *path)
{
    struct test_file file = {0};
    FILE *f = fopen(path, "rb");
    cr_assert(ne(ptr, f, NULL), "%s is missing", path);
    fseek(f, 0, SEEK_END);
    file.size = (size_t)ftell(f);
    file.data = malloc(file.size + 1);
    rewind(f);
    cr_assert(eq(sz, fread(file.data, 1, file.size, f), file.size));
    fclose(f);
    return file;
}

static void make(const char *path, const struct test_field *field)
{
    struct test_file file = test_field_make(field);
    write_bytes(path, &file);
    free(file.data);
}

static bool same_files(const char *a, const char *b)
{
    struct test_file x = read_bytes(a), y = read_bytes(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    free(x.data);
    free(y.data);
    return same;
}

static enum vxb_status transcode(const char *from, const char *to, struct vxb_transcode_options options,
                                 struct vxb_transcode_report *report, struct vxb_error *err)
{
    const struct vxb_env env = {.size = sizeof env, .threads = 3};
    options.size = sizeof options;
    options.output = to;
    vxb_error_clear(err);
    return vxb_transcode(&env, from, &options, report, err);
}

/* Transcodes, wants success, and wants verify to find no error in a grass file that comes of it. */
static struct vxb_transcode_report good(const char *from, const char *to, struct vxb_transcode_options options)
{
    struct vxb_transcode_report report;
    struct vxb_verify_report *verified = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, transcode(from, to, options, &report, &err), VXB_OK), "%s", err.message);
    if (report.to) {
        cr_assert(eq(int, vxb_verify(NULL, to, NULL, &verified, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(u64, verified->errors, 0), "%s", verified->findings[0].message);
        cr_assert(eq(u32, verified->format, report.to));
        cr_assert(eq(u64, verified->file_bytes, report.file_bytes));
        cr_assert(eq(u64, verified->content_id, report.content_id));
        vxb_verify_report_free(verified);
    }
    return report;
}

static uint64_t content_of(const char *path)
{
    struct vxb_grass *grass = NULL;
    cr_assert(eq(int, vxb_grass_open(NULL, path, &grass, NULL), VXB_OK));
    uint64_t id = vxb_grass_header(grass)->content_id;
    vxb_grass_close(grass);
    return id;
}

/* Fields of many shapes: every format, counts and flags drawn. */
static struct test_field draw_field(uint32_t round)
{
    struct test_field field = {.format = 2 + round % 2, .sections = 1, .chunks = round % 4, .blades = 1 + round % 4};
    static const uint16_t flags[3] = {0, VXB_GRASS_ZSTD, VXB_GRASS_ZSTD | VXB_GRASS_SPLIT};
    field.flags = flags[round / 2 % 3];
    if (round % 6 > 3) { /* many chunks, and a larger budget */
        field.chunks = 12;
        field.blades = 1 + round * 5 % 21;
    }
    if (field.format == 3)
        field.sections = 2 + round / 3 % 3;
    field.last_empty = round % 5 == 0;
    field.flat = round % 7 == 3;
    return field;
}

Test(transcode, compression_and_back__is_the_same_file_and_content)
{
    static const struct vxb_transcode_options ways[] = {{.compress = true, .compress_level = 3},
                                                        {.compress = true, .compress_level = 19, .split = true},
                                                        {.compress = true, .compress_level = -7}, {0}};
    for (uint32_t round = 0; round < 24; round++) {
        const struct test_field field = draw_field(round);
        make("a", &field);
        good("a", "b", (struct vxb_transcode_options){0});
        if (!field.flags)
            cr_assert(same_files("a", "b"), "round %u: raw to raw changed the file", round);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            struct vxb_transcode_report report = good("a", "c", ways[i]);
            cr_assert(report.from == field.format && report.to == field.format);
            cr_assert(eq(u64, report.content_id, content_of("a")));
            good("c", "d", (struct vxb_transcode_options){0});
            cr_assert(same_files("b", "d"), "round %u, way %zu: back is another file", round, i);
        }
    }
}

Test(transcode, number_of_threads__changes_no_byte)
{
    const struct test_field field = {.format = 3, .sections = 3, .chunks = 20, .blades = 9};
    make("a", &field);
    for (uint32_t threads = 1; threads < 6; threads += 2) {
        const struct vxb_env env = {.size = sizeof env, .threads = threads};
        const struct vxb_transcode_options options = {.size = sizeof options, .output = threads == 1 ? "b" : "c",
                                                      .compress = true, .compress_level = 5, .split = true};
        cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, NULL), VXB_OK));
        cr_assert(threads == 1 || same_files("b", "c"));
    }
}

/* ---- format 1 ---- */

static int by_place(const void *a, const void *b)
{
    const struct vxbi_legacy_blade *x = a, *y = b;
    return x->x != y->x ? (x->x < y->x ? -1 : 1) : x->z != y->z ? (x->z < y->z ? -1 : 1) : 0;
}

static uint32_t legacy_blades(const char *path, struct vxbi_legacy_blade out[64])
{
    struct test_file file = read_bytes(path);
    uint32_t count = vxbi_load_u32(file.data + 56);
    cr_assert(le(u32, count, 64));
    for (uint32_t i = 0; i < count; i++)
        vxbi_legacy_get_blade(file.data + test_file_at(&file, BAD_DATA, i), &out[i]);
    qsort(out, count, sizeof *out, by_place);
    free(file.data);
    return count;
}

static double turned(float a, float b)
{
    double d = fabs((double)a - (double)b);
    return fmin(d, 2 * 3.14159265358979323846 - d);
}

Test(transcode, format_1_to_2_and_back__is_the_same_within_the_quanta_and_then_stays)
{
    struct vxbi_legacy_blade before[64], after[64];
    make("a", &test_field_1);
    struct vxb_transcode_report report = good("a", "b", (struct vxb_transcode_options){0});
    cr_assert(report.from == 1 && report.to == 2 && report.chunk_count == 4 && report.blade_count == 24);
    good("b", "c", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    uint32_t count = legacy_blades("a", before);
    cr_assert(eq(u32, legacy_blades("c", after), count));
    for (uint32_t i = 0; i < count; i++) {
        const struct vxbi_legacy_blade *p = &before[i], *q = &after[i];
        cr_assert(le(dbl, fabs(p->x - q->x), 32.0 / 65536));
        cr_assert(le(dbl, fabs(p->z - q->z), 32.0 / 65536));
        cr_assert(le(dbl, fabs(p->y - q->y), 32.0 / 65535));
        cr_assert(le(dbl, turned(p->yaw, q->yaw), 3.1416 / 65536));
        cr_assert(le(dbl, turned(p->phase, q->phase), 3.1416 / 256));
        cr_assert(le(dbl, fabs(p->scale - q->scale), p->scale / 2048));
        cr_assert(le(dbl, fabs(p->tint - q->tint), 0.5 / 256 + 1e-7));
        cr_assert(eq(flt, p->rank, q->rank));
    }
    /* What was quantised once loses nothing more, but for heights whose range the quantised ones span. */
    good("c", "d", (struct vxb_transcode_options){0});
    good("d", "e", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    cr_assert(same_files("c", "e"));
    cr_assert(eq(u64, content_of("b"), content_of("d")));
}

Test(transcode, format_1_to_2__has_the_header_that_the_format_names)
{
    struct vxb_grass *grass = NULL;
    make("a", &test_field_1);
    good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .compress = true, .compress_level = 3});
    cr_assert(eq(int, vxb_grass_open(NULL, "b", &grass, NULL), VXB_OK));
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    const struct vxb_grass_section *s = vxb_grass_section(grass, 0);
    cr_assert(h->format == 2 && h->flags == VXB_GRASS_ZSTD && h->bake_revision == 0 && h->seed == 0);
    cr_assert(h->density == 0.0f && h->bake_id == 0 && h->cell_size == 32.0f && h->lod_count == 1);
    cr_assert(h->max_commands == UINT32_MAX && h->updates_per_frame == UINT32_MAX && h->blade_budget == UINT32_MAX);
    cr_assert(s->species_id == 0 && s->material_index == 0 && s->rank_limit == 65535 && s->pass_count == 1);
    cr_assert(s->name[0] == 0 && !s->material[0] && !s->mesh[0] && strcmp(s->passes[0], "main") == 0);
    vxb_grass_close(grass);
}

Test(transcode, empty_fields__go_every_way)
{
    make("a", &test_field_1_empty);
    good("a", "b", (struct vxb_transcode_options){0});
    good("b", "c", (struct vxb_transcode_options){.compress = true, .compress_level = 1});
    good("c", "d", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    cr_assert(same_files("a", "d"));
}

struct notes {
    char text[4096];
};

static void note(void *user, const struct vxb_diag *diag)
{
    struct notes *notes = user;
    strcat(strcat(notes->text, diag->what.message), "\n");
}

Test(transcode, lossy__lists_what_is_lost_and_no_more)
{
    struct notes notes = {{0}};
    const struct vxb_env env = {.size = sizeof env, .user = &notes, .diag = note};
    const struct vxb_transcode_options options = {.size = sizeof options, .output = "b", .to = VXB_TRANSCODE_1,
                                                  .lossy = true};
    static const char *const lost[] = {"species \"fescue\"", "2 passes", "2 LODs", "blade budget (200)", "seed 7",
                                       "rank limit of 60000", "up direction of 1", "ground's lowest", "hashes"};
    make("a", &test_field_2);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, NULL), VXB_OK));
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++)
        cr_assert(ne(ptr, strstr(notes.text, lost[i]), NULL), "%s is not in\n%s", lost[i], notes.text);
    cr_assert(eq(ptr, strstr(notes.text, "partial"), NULL));
    notes.text[0] = 0;
    make("c", &test_field_1);
    good("c", "a", (struct vxb_transcode_options){0});
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, NULL), VXB_OK));
    for (size_t i = 0; i < 7; i++)
        cr_assert(eq(ptr, strstr(notes.text, lost[i]), NULL), "%s is in\n%s", lost[i], notes.text);
}

/* ---- one species ---- */

Test(transcode, species__is_taken_whole_by_name_or_id_and_keeps_its_budget)
{
    struct vxb_grass *all = NULL, *one = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        make("a", round ? &test_field_3_split : &test_field_3);
        cr_assert(eq(int, vxb_grass_open(NULL, "a", &all, NULL), VXB_OK));
        for (uint32_t k = 0; k < vxb_grass_header(all)->section_count; k++) {
            const struct vxb_grass_section *s = vxb_grass_section(all, k);
            char id[32];
            snprintf(id, sizeof id, "0x%016llx", (unsigned long long)s->species_id);
            good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .species = s->name});
            good("a", "c", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .species = id});
            cr_assert(same_files("b", "c"));
            cr_assert(eq(int, vxb_grass_open(NULL, "b", &one, NULL), VXB_OK));
            const struct vxb_grass_header *from = vxb_grass_header(all), *to = vxb_grass_header(one);
            const struct vxb_grass_section *t = vxb_grass_section(one, 0);
            cr_assert(to->format == 2 && to->cell_size == from->cell_size && to->seed == from->seed);
            cr_assert(to->density == from->density && to->bake_revision == from->bake_revision);
            cr_assert(to->max_commands == from->max_commands && to->updates_per_frame == from->updates_per_frame);
            cr_assert(to->bake_id == 0 && to->blade_budget == s->blade_budget && t->material_index == 0);
            cr_assert(t->species_id == s->species_id && t->rank_limit == s->rank_limit && t->blade_count == s->blade_count);
            cr_assert(strcmp(t->name, s->name) == 0 && strcmp(t->material, s->material) == 0);
            for (uint32_t j = 0; j < s->chunk_count; j++) {
                struct vxb_grass_chunk x, y;
                cr_assert(eq(int, vxb_grass_chunks(all, s->first_chunk + j, 1, &x, NULL), VXB_OK));
                cr_assert(eq(int, vxb_grass_chunks(one, j, 1, &y, NULL), VXB_OK));
                cr_assert(x.hash == y.hash && x.cell_x == y.cell_x && x.cell_z == y.cell_z && x.min_y == y.min_y &&
                          x.max_y == y.max_y && x.max_scale == y.max_scale);
            }
            vxb_grass_close(one);
        }
        vxb_grass_close(all);
    }
}

/* ---- exports ---- */

Test(transcode, ply__has_every_blade_relative_to_the_origin)
{
    const struct vxb_transcode_options options = {.to = VXB_TRANSCODE_PLY, .has_origin = true, .origin = {-10, 2, 100}};
    struct vxb_grass *grass = NULL;
    struct vxb_grass_chunk chunk;
    uint8_t records[4096];
    make("a", &test_field_3);
    struct vxb_transcode_report report = good("a", "b", options);
    struct test_file file = read_bytes("b");
    file.data[file.size] = 0;
    const char *end = "end_header\n";
    const uint8_t *p = (const uint8_t *)strstr((char *)file.data, end);
    cr_assert(ne(ptr, (void *)p, NULL));
    cr_assert(ne(ptr, strstr((char *)file.data, "comment origin -10 2 100\n"), NULL));
    p += strlen(end);
    cr_assert(eq(sz, file.size - (size_t)(p - file.data), (size_t)report.blade_count * 45));
    cr_assert(eq(u64, report.file_bytes, file.size));
    cr_assert(eq(int, vxb_grass_open(NULL, "a", &grass, NULL), VXB_OK));
    for (uint32_t j = 0; j < report.chunk_count; j++) {
        cr_assert(eq(int, vxb_grass_chunks(grass, j, 1, &chunk, NULL), VXB_OK));
        cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records, NULL, NULL), VXB_OK));
        for (uint32_t i = 0; i < chunk.blade_count; i++, p += 45) {
            struct vxb_blade b;
            vxb_grass_decode(vxb_grass_header(grass), &chunk, records + 16 * i, &b);
            cr_assert(vxbi_load_f32(p) == (float)(b.x + 10) && vxbi_load_f32(p + 4) == (float)(b.y - 2) &&
                      vxbi_load_f32(p + 8) == (float)(b.z - 100));
            cr_assert(vxbi_load_f32(p + 16) == (float)b.up[1] && vxbi_load_f32(p + 24) == (float)b.yaw &&
                      vxbi_load_f32(p + 40) == (float)b.rank && p[44] == chunk.section);
        }
    }
    vxb_grass_close(grass);
    free(file.data);
}

Test(transcode, csv__has_a_line_a_blade_for_every_format)
{
    const struct test_field *fields[] = {&test_field_1, &test_field_2, &test_field_3_split};
    for (size_t i = 0; i < 3; i++) {
        make("a", fields[i]);
        struct vxb_transcode_report report = good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_CSV});
        struct test_file file = read_bytes("b");
        uint32_t lines = 0;
        for (size_t at = 0; at < file.size; at++)
            lines += file.data[at] == '\n';
        cr_assert(eq(u32, lines, report.blade_count + 1));
        free(file.data);
    }
}

Test(transcode, runtime_records__are_those_that_an_engine_loads)
{
    static const struct test_field *const fields[] = {&test_field_1, &test_field_2, &test_field_3_split,
                                                      &test_field_2_empty};
    const struct vxb_transcode_options options = {.to = VXB_TRANSCODE_RUNTIME, .has_origin = true, .origin = {3, -1, 7.5},
                                                  .force = true};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct vxb_runtime_options load = {.size = sizeof load, .origin = {3, -1, 7.5}};
        struct vxb_grass *grass = NULL;
        struct vxb_runtime *runtime = NULL;
        uint32_t count;
        make("a", fields[i]);
        struct vxb_transcode_report report = good("a", "b", options);
        struct test_file file = read_bytes("b");
        cr_assert(eq(int, vxb_grass_open(NULL, "a", &grass, NULL), VXB_OK));
        cr_assert(eq(int, vxb_runtime_load(NULL, grass, &load, &runtime, NULL), VXB_OK));
        const uint8_t *blades = vxb_runtime_blades(runtime, &count);
        cr_assert(report.file_bytes == file.size && file.size == (size_t)count * VXB_RUNTIME_RECORD_BYTES);
        cr_assert(memcmp(file.data, blades, file.size) == 0);
        vxb_runtime_free(runtime);
        vxb_grass_close(grass);
        free(file.data);
    }
}

Test(transcode, side_file_whose_name_was_made_up__is_replaced_only_by_force)
{
    struct vxb_transcode_options options = {.to = VXB_TRANSCODE_RUNTIME};
    struct vxb_error err = {0};
    make("a", &test_field_2);
    make("b.json", &test_field_1);
    make("c", &test_field_1);
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
    cr_assert(eq(str, err.path, (char *)"b.json"));
    cr_assert(same_files("b.json", "c") && access("b", F_OK) != 0);
    options.side = "d"; /* one that was given is replaced */
    make("d", &test_field_1);
    good("a", "b", options);
    options = (struct vxb_transcode_options){.to = VXB_TRANSCODE_RUNTIME, .force = true};
    good("a", "b", options);
    cr_assert(same_files("b.json", "d"));
    options.side = "a";
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
    options.side = "b";
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
}

/* ---- refusals ---- */

Test(transcode, impossible_requests__say_what_is_possible_and_write_nothing)
{
    static const struct {
        const struct test_field *field;
        struct vxb_transcode_options options;
        const char *says;
    } cases[] = {
        {&test_field_1, {.to = VXB_TRANSCODE_1, .lossy = true}, "it can become format 2, runtime records, PLY or CSV"},
        {&test_field_1, {.to = VXB_TRANSCODE_3}, "it can become format 2, runtime records, PLY or CSV"},
        {&test_field_2, {.to = VXB_TRANSCODE_1}, "say lossy"},
        {&test_field_2, {.to = VXB_TRANSCODE_3}, "it can become format 2, format 1 with lossy, runtime records, PLY or CSV"},
        {&test_field_3, {.to = VXB_TRANSCODE_1, .lossy = true}, "take one species to format 2"},
        {&test_field_3, {.to = VXB_TRANSCODE_2}, "the file's species are"},
        {&test_field_3, {.to = VXB_TRANSCODE_2, .species = "no such"}, "there is no species \"no such\"; the file's"},
        {&test_field_3, {.to = VXB_TRANSCODE_2, .species = "0x1"}, "there is no species"},
        {&test_field_2, {.to = VXB_TRANSCODE_2, .species = "sedge"}, "the file's species are fescue"},
        {&test_field_2, {.split = true}, "needs compress"},
        {&test_field_2, {.to = VXB_TRANSCODE_1, .lossy = true, .compress = true}, "only formats 2 and 3"},
        {&test_field_2, {.to = VXB_TRANSCODE_CSV, .compress = true}, "only formats 2 and 3"},
        {&test_field_2, {.lossy = true}, "lossy is for format 1"},
        {&test_field_3, {.species = "fescue"}, "a species is named for format 2"},
        {&test_field_2, {.has_origin = true}, "an origin is for runtime records and PLY"},
        {&test_field_2, {.to = VXB_TRANSCODE_RUNTIME, .has_origin = true, .origin = {0, 2e6, 0}}, "the origin must lie"},
        {&test_field_2, {.to = VXB_TRANSCODE_RUNTIME, .recipe = "r", .stomp = "s"}, "not from both"},
        {&test_field_2, {.stomp = "s"}, "for runtime records alone"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vxb_error err = {0};
        make("a", cases[i].field);
        cr_assert(eq(int, transcode("a", "b", cases[i].options, NULL, &err), VXB_ERR_USAGE), "case %zu", i);
        cr_assert(ne(ptr, strstr(err.message, cases[i].says), NULL), "case %zu: %s", i, err.message);
        cr_assert(ne(int, access("b", F_OK), 0), "case %zu wrote something", i);
    }
}

Test(transcode, output_that_is_the_input__is_refused_and_the_input_stays)
{
    struct vxb_error err = {0};
    make("a", &test_field_2);
    make("b", &test_field_2);
    cr_assert(eq(int, link("a", "c"), 0));
    cr_assert(eq(int, symlink("a", "d"), 0));
    for (const char *to = "acd"; *to; to++) {
        const char name[2] = {*to, 0};
        cr_assert(eq(int, transcode("a", name, (struct vxb_transcode_options){0}, NULL, &err), VXB_ERR_REFUSED));
    }
    cr_assert(same_files("a", "b"));
}

Test(transcode, damaged_input__leaves_the_old_output)
{
    int wrong = 0;
    for (size_t i = 0; i < bad_file_count; i++) {
        const struct bad_file *bad = &bad_files[i];
        /* What only verify looks at is made right by writing it anew. */
        if (vxb_finding_severity(bad->finding) != VXB_SEVERITY_ERROR || bad->finding == VXB_FINDING_CHUNK_GAP ||
            bad->finding == VXB_FINDING_BOUNDS || bad->finding == VXB_FINDING_LEGACY_BOUNDS)
            continue;
        struct test_file file = bad_file_make(bad);
        struct vxb_error err = {0};
        write_bytes("a", &file);
        free(file.data);
        make("b", &test_field_1);
        make("c", &test_field_1);
        enum vxb_status status = transcode("a", "b", (struct vxb_transcode_options){0}, NULL, &err);
        wrong += status == VXB_OK || status != err.status || !same_files("b", "c");
        if (status == VXB_OK)
            fprintf(stderr, "%s is transcoded\n", vxb_finding_name(bad->finding));
    }
    cr_assert(eq(int, wrong, 0));
}

Test(transcode, every_allocation_that_fails__is_told_leaks_nothing_and_writes_nothing)
{
    static const struct {
        const struct test_field *field;
        struct vxb_transcode_options options;
    } ways[] = {{&test_field_1, {.to = VXB_TRANSCODE_2}},
                {&test_field_2, {.to = VXB_TRANSCODE_1, .lossy = true}},
                {&test_field_3_split, {.compress = true, .compress_level = 1, .split = true}},
                {&test_field_3, {.to = VXB_TRANSCODE_PLY}},
                {&test_field_3, {.to = VXB_TRANSCODE_RUNTIME, .side = "c"}},
                {&test_field_3, {.to = VXB_TRANSCODE_CSV}}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        enum vxb_status status = VXB_ERR_MEMORY;
        make("a", ways[i].field);
        for (int64_t n = 0; n < 500 && status; n++) {
            struct heap heap = {.left = n};
            const struct vxb_env env = {.size = sizeof env, .threads = 1, .allocator = {&heap, heap_resize, heap_release}};
            struct vxb_transcode_options options = ways[i].options;
            options.size = sizeof options;
            options.output = "b";
            status = vxb_transcode(&env, "a", &options, NULL, NULL);
            cr_assert(eq(u64, heap.now, 0), "way %zu, allocation %lld", i, (long long)n);
            cr_assert(status == VXB_OK || (status == VXB_ERR_MEMORY && access("b", F_OK) != 0));
        }
        cr_assert(eq(int, status, VXB_OK));
        unlink("b");
    }
}

Test(transcode, memory__is_bounded_by_the_limit)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 40, .blades = 20};
    struct vxb_error err = {0};
    struct vxb_env env = {.size = sizeof env, .threads = 4, .max_memory_bytes = 1000};
    const struct vxb_transcode_options options = {.size = sizeof options, .output = "b"};
    make("a", &field);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, &err), VXB_ERR_LIMIT)); /* the list of chunks */
    env.max_memory_bytes = 40 * 64 + 400;
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, &err), VXB_OK), "%s", err.message);
}
