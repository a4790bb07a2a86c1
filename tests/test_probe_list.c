/* probe_list: irradiance fields as vxinspect shows them: lists, hashes made anew, bytes field by field, of good and of
 * bad files. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_probes.h"
#include "export/loose.h"
#include "heap.h"
#include "vxbake/list.h"

static const struct test_probes_desc *const descs[] = {&test_probes_f32, &test_probes_zstd, &test_probes_f16,
                                                       &test_probes_empty};
static const char *const structures[] = {"header", "brick", "plane"};
enum { DESCS = sizeof descs / sizeof descs[0], STRUCTURES = sizeof structures / sizeof structures[0] };

static struct vxb_sink sink_of(struct vxb_text *text)
{
    memset(text, 0, sizeof *text);
    return (struct vxb_sink){text, vxb_text_write};
}

/* One list of a file in CSV; range: of bricks, NULL for all. */
static enum vxb_status list(const struct vxb_env *env, struct test_probes *file, enum vxb_list_view view,
                            const uint32_t range[2], struct vxb_text *out, struct vxb_error *err)
{
    const struct vxb_source source = test_probes_source(file);
    const struct vxb_sink sink = sink_of(out);
    struct vxb_list_options options = {.size = sizeof options, .views = (unsigned)view, .format = VXB_LIST_CSV,
                                       .what.size = sizeof options.what};
    struct vxb_file opened = {.kind = VXB_FILE_PROBES};
    if (range) {
        options.has_brick_range = true;
        options.first_brick = range[0];
        options.last_brick = range[1];
    }
    enum vxb_status status = vxb_probe_file_open_source(env, &source, "test", &opened.probes, err);
    if (status)
        return status;
    status = vxb_list(env, &opened, &options, &sink, err);
    vxb_file_close(&opened);
    return status;
}

static enum vxb_status hashes(const struct vxb_env *env, struct test_probes *file, struct vxb_text *out,
                              uint64_t *mismatches, struct vxb_error *err)
{
    const struct vxb_source source = test_probes_source(file);
    const struct vxb_sink sink = sink_of(out);
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_loose_open_source(env, &source, "test", &loose, err);
    if (status)
        return status;
    status = vxbi_list_hashes(&loose, env, VXB_LIST_CSV, &sink, mismatches, err);
    vxbi_loose_close(&loose);
    return status;
}

static enum vxb_status raw(const struct vxb_env *env, struct test_probes *file, const char *structure,
                           struct vxb_text *out, struct vxb_raw_report *report, struct vxb_error *err)
{
    const struct vxb_source source = test_probes_source(file);
    const struct vxb_sink sink = sink_of(out);
    const struct vxb_raw_options options = {.size = sizeof options, .format = VXB_LIST_CSV, .structure = structure};
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_loose_open_source(env, &source, "test", &loose, err);
    if (status)
        return status;
    status = vxbi_list_raw(&loose, env, &options, &sink, report, err);
    vxbi_loose_close(&loose);
    return status;
}

static size_t lines(const struct vxb_text *text)
{
    size_t count = 0;
    for (const char *at = text->data; at && (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

/* ---- lists ---- */

Test(probe_list, probes__are_those_of_the_field_in_the_tables_order)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        struct vxb_probe_field *field = test_probes_field(descs[i]);
        struct vxb_text text;
        struct vxb_error err = {0};
        uint32_t count, row = 0;
        const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
        cr_assert(VXB_OK == vxb_probe_field_round(NULL, field, descs[i]->encoding, NULL));
        cr_assert(VXB_OK == list(NULL, &file, VXB_LIST_PROBES, NULL, &text, &err), "%s", err.message);
        cr_assert(eq(sz, lines(&text), 1 + (size_t)count * VXB_BRICK_PROBES));
        for (const char *line = strchr(text.data, '\n') + 1; *line; line = strchr(line, '\n') + 1, row++) {
            const uint32_t brick = row / 64, at[3] = {row % 4, row / 4 % 4, row / 16 % 4};
            const float *metres = vxb_probe_field_bounds(field)->min;
            float size[3], v[14];
            uint32_t numbers[2];
            double place[3];
            struct vxb_probe probe;
            vxb_probe_field_cell_size(field, size);
            cr_assert(VXB_OK == vxb_probe_pool_get(vxb_probe_field_pool(field), bricks[brick].slot, at, &probe, NULL));
            cr_assert(eq(int, 19,
                         sscanf(line,
                                "%" SCNu32 ",%" SCNu32 ",%lf,%lf,%lf,%f,%f,%f,%f,%f,%f,%f,%f,%f,%f,%f,%f,%f,%f",
                                &numbers[0], &numbers[1], &place[0], &place[1], &place[2], &v[0], &v[1], &v[2], &v[3],
                                &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11], &v[12], &v[13])),
                      "%.80s", line);
            cr_assert(numbers[0] == brick && numbers[1] == row % 64);
            cr_assert(memcmp(v, &probe, sizeof v) == 0, "row %" PRIu32, row);
            for (int a = 0; a < 3; a++)
                cr_assert(eq(dbl, place[a],
                             (double)metres[a] + (4 * bricks[brick].cell[a] + bricks[brick].size * at[a]) *
                                                     (0.25 * (double)size[a])));
        }
        vxb_text_free(&text);
        vxb_probe_field_free(field);
        free(file.data);
    }
}

/* Of a field that has none, all that there are is nothing, and the first of them is not there. */
Test(probe_list, ranges_of_no_bricks__are_empty_or_an_error)
{
    static const uint32_t all[2] = {0, UINT32_MAX}, first[2] = {0, 0};
    struct test_probes file = test_probes_make(&test_probes_empty);
    struct vxb_text text;
    struct vxb_error err = {0};
    cr_assert(VXB_OK == list(NULL, &file, VXB_LIST_BRICKS, all, &text, &err), "%s", err.message);
    cr_assert(eq(sz, lines(&text), 1));
    vxb_text_free(&text);
    cr_assert(VXB_ERR_USAGE == list(NULL, &file, VXB_LIST_BRICKS, first, &text, &err));
    cr_assert(eq(str, err.message, (char *)"brick 0 was asked for, and there is none"));
    free(file.data);
}

Test(probe_list, ranges_of_bricks__are_parts_of_the_whole)
{
    static const enum vxb_list_view views[] = {VXB_LIST_BRICKS, VXB_LIST_PROBES};
    struct test_probes file = test_probes_make(&test_probes_f32);
    for (int k = 0; k < 2; k++) {
        struct vxb_text all, part;
        cr_assert(VXB_OK == list(NULL, &file, views[k], NULL, &all, NULL));
        const size_t each = k ? VXB_BRICK_PROBES : 1, count = (lines(&all) - 1) / each;
        const char *line = strchr(all.data, '\n') + 1;
        for (uint32_t first = 0; first < count; first++) {
            const uint32_t range[2] = {first, first == 1 ? UINT32_MAX : first};
            cr_assert(VXB_OK == list(NULL, &file, views[k], range, &part, NULL));
            const char *got = strchr(part.data, '\n') + 1;
            cr_assert(strncmp(line, got, strlen(got)) == 0, "brick %" PRIu32, first);
            cr_assert(eq(sz, lines(&part) - 1, each * (first == 1 ? count - 1 : 1)));
            for (size_t i = 0; i < each; i++)
                line = strchr(line, '\n') + 1;
            vxb_text_free(&part);
        }
        const uint32_t behind[2] = {(uint32_t)count, UINT32_MAX};
        struct vxb_error err = {0};
        cr_assert(VXB_ERR_USAGE == list(NULL, &file, views[k], behind, &part, &err));
        cr_assert(strstr(err.message, "was asked for; there are") != NULL, "%s", err.message);
        cr_assert(part.size == 0);
        vxb_text_free(&all);
    }
    free(file.data);
}

Test(probe_list, lists_of_other_files__are_refused)
{
    struct test_probes file = test_probes_make(&test_probes_tiny);
    for (unsigned view = VXB_LIST_HEADER; vxb_list_view_name((enum vxb_list_view)view); view *= 2) {
        const bool own = view == VXB_LIST_HEADER || view >= VXB_LIST_BRICKS;
        struct vxb_text text;
        struct vxb_error err = {0};
        const enum vxb_status status = list(NULL, &file, (enum vxb_list_view)view, NULL, &text, &err);
        cr_assert(eq(int, status, own ? VXB_OK : VXB_ERR_USAGE), "%u: %s", view, err.message);
        vxb_text_free(&text);
    }
    free(file.data);
}

/* ---- hashes ---- */

Test(probe_list, hashes_of_good_files__are_those_of_the_bytes)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        struct vxb_text text;
        struct vxb_error err = {0};
        uint64_t mismatches = 1;
        cr_assert(VXB_OK == hashes(NULL, &file, &text, &mismatches, &err), "%s", err.message);
        cr_assert(eq(u64, mismatches, 0), "%s", text.data);
        cr_assert(eq(sz, lines(&text), 1 + 3 + VXB_PROBE_PLANES));
        vxb_text_free(&text);
        free(file.data);
    }
}

/* Every byte of header, tables and planes is in a hash; what lies between raw planes is not. */
Test(probe_list, hashes_of_a_changed_byte__do_not_match)
{
    struct test_probes file = test_probes_make(&test_probes_tiny);
    const size_t end = test_probes_at(&file, BAD_PROBE_DATA, 0) + 2 * VXB_BRICK_TEXELS * 16;
    for (size_t at = 12; at < end; at += at < 400 ? 1 : 97) {
        struct vxb_text text;
        struct vxb_error err = {0};
        uint64_t mismatches = 0;
        file.data[at] ^= 0x40;
        cr_assert(VXB_OK == hashes(NULL, &file, &text, &mismatches, &err), "byte %zu: %s", at, err.message);
        cr_assert(mismatches > 0, "byte %zu", at);
        file.data[at] ^= 0x40;
        vxb_text_free(&text);
    }
    free(file.data);
}

/* ---- bytes ---- */

Test(probe_list, raw_of_good_files__shows_every_byte_of_the_tables)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        const uint32_t bricks = vxbi_load_u32(file.data + VXBI_AT(probe_header, brick_count));
        size_t shown = 0;
        for (size_t s = 0; s < STRUCTURES; s++) {
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            const enum vxb_status status = raw(NULL, &file, structures[s], &text, &report, &err);
            cr_assert(eq(int, status, s == 1 && bricks == 0 ? VXB_ERR_USAGE : VXB_OK), "%s", err.message);
            const char *line = text.data ? strchr(text.data, '\n') + 1 : "";
            for (; *line; line = strchr(line, '\n') + 1) {
                unsigned long offset, index;
                char name[16], hex[64];
                cr_assert(eq(int, 4, sscanf(line, "%15[^,],%lu,%lu,%63[^,],", name, &index, &offset, hex)), "%s", line);
                for (size_t k = 0; k < strlen(hex) / 2; k++, shown++) {
                    unsigned byte;
                    cr_assert(sscanf(hex + 2 * k, "%2x", &byte) == 1 && byte == file.data[offset + k], "%s", line);
                }
            }
            if (status == VXB_OK)
                cr_assert(report.cut == false && report.damaged + report.elsewhere == 0);
            vxb_text_free(&text);
        }
        cr_assert(eq(sz, shown, VXB_PROBE_HEADER_BYTES + (size_t)bricks * VXB_PROBE_BRICK_BYTES +
                                    VXB_PROBE_PLANES * VXB_PROBE_PLANE_BYTES));
        free(file.data);
    }
}

Test(probe_list, raw_of_bad_files__tells_the_rule_beside_the_field)
{
    static const char *const by_base[] = {[BAD_PROBE_HEADER] = "header", [BAD_PROBE_BRICK] = "brick",
                                          [BAD_PROBE_PLANE] = "plane", [BAD_PROBE_DATA] = "data"};
    uint32_t told = 0;
    for (size_t i = 0; i < bad_probe_count; i++) {
        const struct bad_probe *bad = &bad_probes[i];
        struct test_probes file = bad_probe_make(bad);
        char code[8];
        vxb_finding_code(bad->finding, code);
        for (size_t s = 0; s < STRUCTURES; s++) {
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text;
            const enum vxb_status status = raw(NULL, &file, structures[s], &text, &report, &err);
            cr_assert(status == VXB_OK || (err.status == status && err.message[0]), "%s", code);
            cr_assert(status == VXB_OK || status == VXB_ERR_USAGE || status == VXB_ERR_FORMAT, "%s: %d", code, status);
            if (status == VXB_OK && !bad->spoil && strcmp(by_base[bad->base], structures[s]) == 0 &&
                report.damaged > 0) {
                told++;
                cr_assert(strstr(text.data, code) != NULL, "%s is not in\n%s", code, text.data);
            }
            vxb_text_free(&text);
        }
        free(file.data);
    }
    cr_assert(told >= 15, "only %" PRIu32 " of the bad files tell their rule", told);
}

Test(probe_list, cut_files__show_what_there_is)
{
    struct test_probes file = test_probes_make(&test_probes_zstd);
    const size_t whole = file.size;
    for (size_t size = 12; size < whole; size += size < 600 ? 7 : 211) {
        struct test_probes cut = {malloc(size), size};
        struct vxb_raw_report report;
        struct vxb_error err = {0};
        struct vxb_text text;
        uint64_t mismatches = 0;
        memcpy(cut.data, file.data, size);
        cr_assert(VXB_OK == raw(NULL, &cut, "header", &text, &report, &err), "%zu: %s", size, err.message);
        cr_assert(eq(int, report.cut, size < VXB_PROBE_HEADER_BYTES), "%zu", size);
        vxb_text_free(&text);
        const enum vxb_status status = hashes(NULL, &cut, &text, &mismatches, &err);
        cr_assert(eq(int, status, size < VXB_PROBE_HEADER_BYTES ? VXB_ERR_DATA : VXB_OK), "%zu", size);
        cr_assert(status || mismatches > 0, "%zu", size);
        vxb_text_free(&text);
        free(cut.data);
    }
    free(file.data);
}

/* ---- memory ---- */

Test(probe_list, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    struct test_probes file = test_probes_make(&test_probes_zstd);
    for (int which = 0; which < 3; which++) {
        enum vxb_status status = VXB_ERR_MEMORY;
        uint64_t n = 1;
        for (; n < 1000 && status == VXB_ERR_MEMORY; n++) {
            struct heap heap = {.fail_at = n};
            const struct vxb_env env = heap_env(&heap);
            struct vxb_raw_report report;
            struct vxb_error err = {0};
            struct vxb_text text = {0};
            uint64_t mismatches = 0;
            status = which == 0   ? raw(&env, &file, "brick", &text, &report, &err)
                     : which == 1 ? hashes(&env, &file, &text, &mismatches, &err)
                                  : list(&env, &file, VXB_LIST_PROBES, NULL, &text, &err);
            cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY, "%d: %s", which, err.message);
            cr_assert(eq(u64, heap.now, 0), "%d, %" PRIu64, which, n);
            vxb_text_free(&text);
        }
        cr_assert(eq(int, status, VXB_OK));
        cr_assert(n > 4);
    }
    free(file.data);
}
