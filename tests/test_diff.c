/* diff: equal is equal however it is packed, and nothing that differs is missed or miscounted. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "heap.h"
#include "vxbake/diff.h"
#include "vxbake/transcode.h"

static char folder[64];

static void enter(void)
{
    strcpy(folder, "/tmp/vxbake-diff-XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
}

static void leave(void)
{
    unlink("a");
    unlink("b");
    cr_assert(eq(int, rmdir(folder), 0));
}

TestSuite(diff, .init = enter, .fini = leave);

static void write_bytes(const char *path, const struct test_file *file)
{
    FILE *f = fopen(path, "wb");
    cr_assert(eq(sz, fwrite(file->data, 1, file->size, f), file->size));
    fclose(f);
}

static void make(const char *path, const struct test_field *field)
{
    struct test_file file = test_field_make(field);
    write_bytes(path, &file);
    free(file.data);
}

static struct vxb_diff_report *compare(const struct vxb_diff_options *options)
{
    struct vxb_diff_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_diff(NULL, "a", "b", options, &report, &err), VXB_OK), "%s", err.message);
    return report;
}

static const struct vxb_diff_field *field_of(const struct vxb_diff_report *report, const char *end)
{
    for (uint32_t i = 0; i < report->field_count; i++) {
        const char *p = report->fields[i].pointer;
        if (strlen(p) >= strlen(end) && strcmp(p + strlen(p) - strlen(end), end) == 0)
            return &report->fields[i];
    }
    return NULL;
}

Test(diff, file__is_equal_to_itself_however_compressed)
{
    static const struct test_field *const fields[] = {&test_field_1, &test_field_2, &test_field_2_empty, &test_field_3,
                                                      &test_field_3_split, &test_field_3_empty_section};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int compress = 0; compress < 2; compress++) {
            const struct vxb_transcode_options options = {.size = sizeof options, .output = "b", .compress = compress,
                                                          .compress_level = 3};
            make("a", fields[i]);
            make("b", fields[i]);
            if (fields[i]->format != 1)
                cr_assert(eq(int, vxb_transcode(NULL, "a", &options, NULL, NULL), VXB_OK));
            struct vxb_diff_report *report = compare(NULL);
            cr_assert(report->equal && report->field_count == 0 && report->chunk_count == 0, "field %zu: %s", i,
                      report->field_count ? report->fields[0].pointer : "blades");
            if (fields[i]->format != 1)
                cr_assert(eq(int, report->compression_differs, compress != (fields[i]->flags != 0) ||
                                                                   (fields[i]->flags & VXB_GRASS_SPLIT) != 0));
            vxb_diff_report_free(report);
        }
}

/* Every field of header, sections and LODs that a sound file can have otherwise. */
Test(diff, field_that_differs__is_named_with_both_values)
{
    static const struct {
        enum bad_base base;
        uint32_t index, offset, width;
        uint64_t value;
        const char *pointer, *a, *b;
    } cases[] = {
        {BAD_HEADER, 0, 24, 2, VXB_GRASS_INEXACT, "/header/flags", "0", "4"},
        {BAD_HEADER, 0, 26, 2, 9, "/header/bake_revision", "1", "9"},
        {BAD_HEADER, 0, 52, 4, 77, "/header/max_commands", "none", "77"},
        {BAD_HEADER, 0, 56, 4, 0xFFFFFFFF, "/header/updates_per_frame", "4", "none"},
        {BAD_HEADER, 0, 88, 4, 8, "/header/seed", "7", "8"},
        {BAD_HEADER, 0, 92, 4, 0x40000000, "/header/density", "1.5", "2"},
        {BAD_HEADER, 0, 96, 8, 1, "/header/bake_id", "0x0123456789abcdef", "0x0000000000000001"},
        {BAD_SECTION, 1, 30, 2, 60001, "/rank_limit", "60000", "60001"},
        {BAD_SECTION, 0, 32, 8, 2, "/profile_id", NULL, "0x0000000000000002"},
        {BAD_LOD, 1, 0, 4, 0x42A20000, "/lods/1/distance", "80", "81"},
        {BAD_LOD, 1, 4, 4, 0x3E800001, "/lods/1/keep", "0.25", "0.25000003"},
        {BAD_LOD, 1, 8, 4, 0x42000000, "/lods/1/fade", "70", "32"},
        {BAD_LOD, 0, 12, 4, 0x3E800000, "/lods/0/mesh_radius", "0.5", "0.25"},
        {BAD_LOD, 0, 16, 4, 31, "/lods/0/index_count", "30", "31"},
        {BAD_LOD, 0, 20, 4, 5, "/lods/0/first_index", "0", "5"},
        {BAD_LOD, 0, 24, 4, 3, "/lods/0/vertex_offset", "-1", "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct test_file file = test_field_make(&test_field_3);
        write_bytes("a", &file);
        for (uint32_t k = 0; k < cases[i].width; k++)
            file.data[test_file_at(&file, cases[i].base, cases[i].index) + cases[i].offset + k] =
                (uint8_t)(cases[i].value >> 8 * k);
        test_file_repair_bounds(&file);
        test_file_repair(&file);
        write_bytes("b", &file);
        free(file.data);
        struct vxb_diff_report *report = compare(NULL);
        const struct vxb_diff_field *f = field_of(report, cases[i].pointer);
        cr_assert(report->equal == false && report->field_count == 1 && f != NULL, "case %zu", i);
        cr_assert(strcmp(f->b, cases[i].b) == 0 && (!cases[i].a || strcmp(f->a, cases[i].a) == 0), "case %zu: %s | %s",
                  i, f->a, f->b);
        cr_assert(report->total.chunks_changed == 0 && report->total.blades_equal == 36);
        vxb_diff_report_free(report);
    }
}

Test(diff, names__differ_with_controls_escaped)
{
    struct test_file file = test_field_make(&test_field_2);
    write_bytes("a", &file);
    file.data[test_file_at(&file, BAD_STRINGS, 0) + 2] = 0x1B;
    test_file_repair(&file);
    write_bytes("b", &file);
    free(file.data);
    struct vxb_diff_report *report = compare(NULL);
    cr_assert(eq(u32, report->field_count, 1));
    cr_assert(eq(str, (char *)report->fields[0].a, (char *)"fescue"));
    cr_assert(eq(str, (char *)report->fields[0].b, (char *)"\\x1bescue"), "%s", report->fields[0].b);
    vxb_diff_report_free(report);
}

/* Chunk 1 of the field has six blades: one changes its tint, one moves, two change places with each other's bytes. */
Test(diff, blades__are_matched_by_place)
{
    struct test_file file = test_field_make(&test_field_2);
    write_bytes("a", &file);
    uint8_t *records = file.data + test_file_at(&file, BAD_DATA, 1);
    records[12] ^= 1;
    records[16] ^= 1;
    test_file_repair_bounds(&file);
    test_file_repair(&file);
    write_bytes("b", &file);
    free(file.data);
    struct vxb_diff_report *report = compare(NULL);
    cr_assert(report->equal == false && report->chunk_count == 1 && report->total.chunks_equal == 2);
    const struct vxb_diff_chunk *c = &report->chunks[0];
    cr_assert(c->in_a && c->in_b && c->cell_x == 0 && c->cell_z == -1 && c->blades_a == 6 && c->blades_b == 6);
    cr_assert(c->changed == 1 && c->lost == 1 && c->added == 1 && c->heights == false);
    cr_assert(report->total.blades_equal == 5 + 7 + 4 && report->total.blades_changed == 1);
    cr_assert(report->total.blades_lost == 1 && report->total.blades_added == 1);
    cr_assert(field_of(report, "/content_id") != NULL);
    vxb_diff_report_free(report);
}

Test(diff, blades_in_another_order__are_another_chunk_with_equal_blades)
{
    struct test_file file = test_field_make(&test_field_2);
    uint8_t *records = file.data + test_file_at(&file, BAD_DATA, 1), kept[16];
    records[14] = records[30];
    records[15] = records[31]; /* one rank, so that either order is sound */
    test_file_repair(&file);
    write_bytes("a", &file);
    memcpy(kept, records, 16);
    memcpy(records, records + 16, 16);
    memcpy(records + 16, kept, 16);
    test_file_repair(&file);
    write_bytes("b", &file);
    free(file.data);
    struct vxb_diff_report *report = compare(NULL);
    cr_assert(report->total.chunks_changed == 1 && report->total.blades_equal == 18 && report->equal == false);
    vxb_diff_report_free(report);
}

Test(diff, heights_of_a_chunk__are_told)
{
    struct test_file file = test_field_make(&test_field_2);
    write_bytes("a", &file);
    vxbi_store_u32(file.data + test_file_at(&file, BAD_CHUNK, 2) + 20, 0x41480000);
    test_file_repair_bounds(&file);
    test_file_repair(&file);
    write_bytes("b", &file);
    free(file.data);
    struct vxb_diff_report *report = compare(NULL);
    cr_assert(report->chunk_count == 1 && report->chunks[0].heights && report->chunks[0].changed == 0);
    vxb_diff_report_free(report);
}

/* Two species against four: what is in one file only is lost or added whole. */
Test(diff, species_and_chunks_of_one_file_only__are_lost_or_added)
{
    struct test_field more = test_field_3;
    more.sections = 4;
    make("a", &test_field_3);
    make("b", &more);
    struct vxb_diff_report *report = compare(NULL);
    uint32_t both = 0;
    cr_assert(eq(u32, report->species_count, 4));
    for (uint32_t k = 0; k < 4; k++) {
        const struct vxb_diff_species *s = &report->species[k];
        both += s->in_a && s->in_b;
        cr_assert(s->in_b && (k == 0 || report->species[k - 1].id < s->id));
        if (!s->in_a)
            cr_assert(s->counts.chunks_added == 3 && s->counts.blades_added == 18 && s->counts.chunks_lost == 0);
    }
    cr_assert(eq(u32, both, 2));
    vxb_diff_report_free(report);
    make("b", &test_field_2);
    const struct test_field fewer = {.format = 2, .sections = 1, .chunks = 2, .blades = 5};
    make("a", &fewer);
    report = compare(NULL);
    cr_assert(report->total.chunks_added == 1 && report->total.chunks_lost == 0 && report->total.chunks_equal == 2);
    cr_assert(report->chunks[0].in_b && report->chunks[0].in_a == false && report->chunks[0].added == 7);
    vxb_diff_report_free(report);
}

Test(diff, max_chunks__lists_fewer_and_counts_all)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 60, .blades = 1};
    const struct vxb_diff_options options = {.size = sizeof options, .max_chunks = 7};
    make("a", &field);
    make("b", &test_field_2_empty);
    struct vxb_diff_report *report = compare(&options);
    cr_assert(report->chunk_count == 7 && report->total.chunks_lost == 60);
    vxb_diff_report_free(report);
}

Test(diff, damaged_file__is_an_error)
{
    struct vxb_diff_report *report = NULL;
    struct vxb_error err = {0};
    struct test_file file = test_field_make(&test_field_2);
    write_bytes("a", &file);
    file.data[test_file_at(&file, BAD_DATA, 1)] ^= 1;
    write_bytes("b", &file);
    free(file.data);
    cr_assert(eq(int, vxb_diff(NULL, "a", "b", NULL, &report, &err), VXB_ERR_DATA));
    cr_assert(eq(str, err.path, (char *)"b"));
    cr_assert(eq(ptr, report, NULL));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_diff(NULL, "a", "missing", NULL, &report, &err), VXB_ERR_IO));
    cr_assert(eq(int, vxb_diff(NULL, "-", "-", NULL, &report, NULL), VXB_ERR_USAGE));
}

Test(diff, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    enum vxb_status status = VXB_ERR_MEMORY;
    uint64_t n = 1;
    make("a", &test_field_1);
    make("b", &test_field_3_split);
    for (; n < 500 && status; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_diff_report *report = NULL;
        status = vxb_diff(&env, "a", "b", NULL, &report, NULL);
        cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY);
        vxb_diff_report_free(report);
        cr_assert(eq(u64, heap.now, 0), "allocation %" PRIu64, n);
    }
    cr_assert(n > 10 && status == VXB_OK);
}
