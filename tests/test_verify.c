/* verify: every rule of the format has a bad file that breaks it and no other. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "grass/format.h"
#include "heap.h"
#include "memory_source.h"
#include "verify/grass.h"
#include "vxbake/verify.h"

static char path[64];

/* Puts the bytes where vxb_verify() can read them. */
static void write_file(const struct test_file *file)
{
    strcpy(path, "/tmp/vxbake-verify-XXXXXX");
    int fd = mkstemp(path);
    cr_assert(ge(int, fd, 0));
    cr_assert(eq(sz, (size_t)write(fd, file->data, file->size), file->size));
    close(fd);
}

static struct vxb_verify_report *verify(const struct test_file *file, uint32_t threads)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    struct vxb_env env = {.size = sizeof env, .threads = threads};
    write_file(file);
    enum vxb_status status = vxb_verify(&env, path, NULL, &report, &err);
    unlink(path);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    return report;
}

static void show(const struct vxb_verify_report *report)
{
    char code[8];
    for (uint32_t i = 0; i < report->finding_count; i++) {
        const struct vxb_finding_record *f = &report->findings[i];
        fprintf(stderr, "  %s %s at %llu %s: %s (%llu)\n", vxb_finding_code(f->finding, code),
                vxb_finding_name(f->finding), (unsigned long long)f->offset, f->pointer, f->message,
                (unsigned long long)f->count);
    }
}

Test(verify, good_files__have_no_finding)
{
    const struct test_field *fields[] = {&test_field_1, &test_field_1_empty, &test_field_2, &test_field_2_zstd,
                                         &test_field_2_empty, &test_field_flat, &test_field_3, &test_field_3_split,
                                         &test_field_3_empty_section};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct test_file file = test_field_make(fields[i]);
        struct vxb_verify_report *report = verify(&file, 2);
        show(report);
        cr_assert(eq(u32, report->finding_count, 0), "field %zu", i);
        cr_assert(eq(u32, report->format, fields[i]->format));
        cr_assert(report->coverage.header && report->coverage.tables && report->coverage.hashes &&
                  report->coverage.blades);
        cr_assert(eq(u64, report->coverage.chunks_checked, report->coverage.chunks_total));
        cr_assert(eq(u64, report->coverage.blades_checked, report->coverage.blades_total));
        cr_assert(eq(u64, report->coverage.bytes_checked, report->coverage.bytes_total));
        vxb_verify_report_free(report);
        free(file.data);
    }
}

/* Whether the report has this finding. */
static bool has(const struct vxb_verify_report *report, enum vxb_finding finding)
{
    for (uint32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].finding == finding)
            return true;
    return false;
}

static bool expected(const struct bad_file *bad, enum vxb_finding finding)
{
    for (size_t i = 0; i < sizeof bad->consequences / sizeof bad->consequences[0]; i++)
        if (bad->consequences[i] == finding)
            return true;
    return bad->finding == finding;
}

Test(verify, bad_files__break_exactly_the_rules_that_are_named)
{
    int wrong = 0;
    for (size_t i = 0; i < bad_file_count; i++) {
        const struct bad_file *bad = &bad_files[i];
        struct test_file file = bad_file_make(bad);
        struct vxb_verify_report *report = verify(&file, 1);
        bool good = has(report, bad->finding);
        for (size_t k = 0; k < 5 && bad->consequences[k]; k++)
            good = good && has(report, bad->consequences[k]);
        for (uint32_t k = 0; k < report->finding_count; k++)
            good = good && expected(bad, report->findings[k].finding);
        if (!good) {
            fprintf(stderr, "bad file %zu (%s):\n", i, vxb_finding_name(bad->finding));
            show(report);
            wrong++;
        }
        vxb_verify_report_free(report);
        free(file.data);
    }
    cr_assert(eq(int, wrong, 0));
}

Test(verify, registry__names_and_codes_lead_back)
{
    char code[8], name[64];
    int before = 0;
#define VXB_FINDING_DEF(id, given, number, severity, title, explanation)                                               \
    strcpy(name, #id);                                                                                                 \
    for (char *c = name; *c; c++)                                                                                      \
        *c = *c == '_' ? '-' : (char)(*c | 0x20);                                                                      \
    cr_assert(eq(str, (char *)given, name));                                                                           \
    cr_assert(lt(int, before, number));                                                                                \
    before = number;
#include "vxbake/findings.def"
#undef VXB_FINDING_DEF
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f)) {
        cr_assert(eq(int, vxb_finding_by_text(vxb_finding_code(f, code)), f));
        cr_assert(eq(int, vxb_finding_by_text(code + 2), f));
        code[0] = 'v', code[1] = 'x';
        cr_assert(eq(int, vxb_finding_by_text(code), f), "%s", code);
        cr_assert(eq(int, vxb_finding_by_text(vxb_finding_name(f)), f));
        cr_assert(vxb_finding_title(f)[0] && vxb_finding_explanation(f)[0]);
    }
    cr_assert(eq(int, vxb_finding_by_text("Magic"), VXB_FINDING_MAGIC));
    cr_assert(eq(int, vxb_finding_by_text("MAGI"), VXB_FINDING_NONE));
    cr_assert(eq(int, vxb_finding_by_text("magics"), VXB_FINDING_NONE));
    cr_assert(eq(int, vxb_finding_by_text("no-such"), VXB_FINDING_NONE));
    cr_assert(eq(ptr, (void *)vxb_finding_name(VXB_FINDING_NONE), NULL));
}

Test(verify, report__does_not_depend_on_the_number_of_threads)
{
    for (size_t i = 0; i < bad_file_count; i += 3) {
        struct test_file file = bad_file_make(&bad_files[i]);
        struct vxb_verify_report *a = verify(&file, 1), *b = verify(&file, 5);
        cr_assert(eq(u32, a->finding_count, b->finding_count));
        cr_assert(eq(u64, a->errors, b->errors));
        for (uint32_t k = 0; k < a->finding_count; k++) {
            const struct vxb_finding_record *x = &a->findings[k], *y = &b->findings[k];
            cr_assert(eq(int, x->finding, y->finding));
            cr_assert(eq(u64, x->offset, y->offset));
            cr_assert(eq(u64, x->count, y->count));
            cr_assert(eq(str, (char *)x->message, (char *)y->message));
            cr_assert(eq(str, (char *)x->pointer, (char *)y->pointer));
        }
        vxb_verify_report_free(a);
        vxb_verify_report_free(b);
        free(file.data);
    }
}

/* Many chunks, many damaged blades: more than one run, so that several threads have a part in it. */
Test(verify, many_damaged_blades__fold_to_one_finding_with_the_first_place)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 60, .blades = 2};
    for (uint32_t threads = 1; threads < 6; threads += 2) {
        struct test_file file = test_field_make(&field);
        for (uint32_t j = 3; j < 60; j++) {
            uint8_t *p = file.data + test_file_at(&file, BAD_DATA, j);
            p[10] = p[26] = 0x80;
        }
        test_file_repair(&file);
        struct vxb_verify_report *report = verify(&file, threads);
        cr_assert(eq(u32, report->finding_count, 1));
        cr_assert(eq(u64, report->errors, 2 * 57));
        cr_assert(eq(u64, report->findings[0].count, 2 * 57));
        cr_assert(eq(u64, report->findings[0].offset, (uint64_t)test_file_at(&file, BAD_DATA, 3) + 10));
        cr_assert(eq(str, (char *)report->findings[0].pointer, (char *)"/chunks/3/blades/0/up"));
        vxb_verify_report_free(report);
        free(file.data);
    }
}

/* Of one kind the one that stands first is told: by its place, then by the part of the file, then as they came. */
Test(verify, findings_of_one_kind__fold_to_the_first)
{
    static const struct {
        uint64_t offset, ordinal;
        const char *message;
    } told[] = {{64, 5, "first of part 5"}, {64, 5, "another of part 5"}, {64, 3, "of part 3"}, {64, 3, "behind it"},
                {32, 9, "before all"},      {32, 9, "and behind that"},   {64, 1, "too late"}};
    static const size_t expected[] = {0, 0, 2, 2, 4, 4, 4};
    struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        const struct vxbi_found found = {.finding = VXB_FINDING_BLADE_UP_CODE, .severity = VXB_SEVERITY_ERROR,
                                         .has_offset = true, .offset = told[i].offset, .ordinal = told[i].ordinal,
                                         .pointer = "/chunks/0/blades/0/up", .message = told[i].message};
        vxbi_fold_add(&fold, &found);
        cr_assert(eq(u32, fold.count, 1));
        cr_assert(eq(str, fold.entries[0]->message, (char *)(uintptr_t)told[expected[i]].message));
        cr_assert(eq(u64, fold.entries[0]->record.count, i + 1));
    }
    vxbi_fold_clear(&fold);
}

/* A file of which two places can't be read: the first one is, once the later one was found. */
struct two_places {
    struct memory memory;
    uint64_t first, later;
    atomic_bool later_was;
};

static bool read_two_places(void *user, uint64_t offset, void *buf, size_t size)
{
    struct two_places *two = user;
    if (offset >= two->later)
        atomic_store(&two->later_was, true);
    for (int i = 0; offset == two->first && i < 5000 && !atomic_load(&two->later_was); i++)
        usleep(1000);
    return offset != two->first && offset < two->later && memory_read(&two->memory, offset, buf, size);
}

Test(verify, chunks_that_cant_be_read__the_first_is_told_whoever_met_it_when)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 60, .blades = 2};
    struct two_places two = {.memory = {test_field_make(&field), -1}};
    two.first = test_file_at(&two.memory.file, BAD_DATA, 0);
    two.later = test_file_at(&two.memory.file, BAD_DATA, 40); /* taken by another worker */
    const struct vxb_source source = {.user = &two, .size = two.memory.file.size, .read_at = read_two_places};
    const struct vxb_env env = {.size = sizeof env, .threads = 2};
    struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
    struct vxb_verify_coverage coverage;
    struct vxb_error err = {0};
    struct vxb_grass *grass;
    char place[32];
    cr_assert(eq(int, vxbi_verify_grass(&env, NULL, &source, &grass, &fold, &coverage, &err), VXB_ERR_IO));
    snprintf(place, sizeof place, " at %llu", (unsigned long long)two.first);
    cr_assert(strstr(err.message, place) != NULL, "%s", err.message);
    vxbi_fold_clear(&fold);
    free(two.memory.file.data);
}

Test(verify, max_findings__keeps_fewer_records_and_counts_on)
{
    struct test_file file = test_field_make(&test_field_2);
    struct vxb_verify_report *report = NULL;
    const struct vxb_verify_options options = {.size = sizeof options, .max_findings = 1};
    file.data[8 + 16] = 0x1C; /* unknown, inexact, partial */
    test_file_repair(&file);
    write_file(&file);
    cr_assert(eq(int, vxb_verify(NULL, path, &options, &report, NULL), VXB_OK));
    unlink(path);
    cr_assert(eq(u32, report->finding_count, 1));
    cr_assert(eq(u64, report->errors, 1));
    cr_assert(eq(u64, report->notes, 2));
    cr_assert(eq(int, report->findings[0].finding, VXB_FINDING_FLAGS_UNKNOWN));
    vxb_verify_report_free(report);
    free(file.data);
}

/* Blades are first looked at all together, and one by one only where something is wrong: both draw the line at the same
 * values. */
Test(verify, blade_values_at_their_limits__are_found_from_the_first_that_is_wrong)
{
    static const struct {
        int at;
        uint8_t bytes[2];
        enum vxb_finding finding; /* VXB_FINDING_NONE: allowed */
    } cases[] = {
        {8, {0xFF, 0x13}, VXB_FINDING_BLADE_SCALE_LIMIT}, {8, {0x00, 0x14}, VXB_FINDING_NONE},
        {8, {0x00, 0x64}, VXB_FINDING_NONE},              {8, {0x01, 0x64}, VXB_FINDING_BLADE_SCALE_LIMIT},
        {8, {0x00, 0x00}, VXB_FINDING_BLADE_SCALE},       {8, {0x00, 0x94}, VXB_FINDING_BLADE_SCALE},
        {8, {0x00, 0x7C}, VXB_FINDING_BLADE_SCALE},       {8, {0xFF, 0xFF}, VXB_FINDING_BLADE_SCALE},
        {10, {127, 0}, VXB_FINDING_NONE},                 {10, {0, 0x81}, VXB_FINDING_NONE},
        {10, {64, 63}, VXB_FINDING_NONE},                 {10, {64, 0xC0}, VXB_FINDING_BLADE_UP_SUM},
        {10, {0x80, 0}, VXB_FINDING_BLADE_UP_CODE},       {10, {0, 0x80}, VXB_FINDING_BLADE_UP_CODE},
    };
    static const enum vxb_finding values[] = {VXB_FINDING_BLADE_SCALE, VXB_FINDING_BLADE_SCALE_LIMIT,
                                              VXB_FINDING_BLADE_UP_CODE, VXB_FINDING_BLADE_UP_SUM};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct test_file file = test_field_make(&test_field_2);
        memcpy(file.data + test_file_at(&file, BAD_DATA, 0) + cases[i].at, cases[i].bytes, 2);
        test_file_repair(&file);
        struct vxb_verify_report *report = verify(&file, 1);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
            cr_assert(eq(int, has(report, values[k]), values[k] == cases[i].finding), "case %zu", i);
        vxb_verify_report_free(report);
        free(file.data);
    }
}

/* A cell may touch the end of the world, 1048576 m away, and not lie beyond it. */
Test(verify, cells_at_the_end_of_the_world__are_found_from_the_first_beyond_it)
{
    static const int32_t cells[] = {-32770, -32769, 32768, 32769};
    for (uint32_t axis = 0; axis < 2; axis++)
        for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
            struct test_file file = test_field_make(&test_field_2);
            vxbi_store_u32(file.data + test_file_at(&file, BAD_CHUNK, 0) + 4 * axis, (uint32_t)cells[i]);
            test_file_repair(&file);
            struct vxb_verify_report *report = verify(&file, 1);
            cr_assert(eq(int, has(report, VXB_FINDING_CHUNK_CELL), i % 3 == 0), "%d", (int)cells[i]);
            vxb_verify_report_free(report);
            free(file.data);
        }
}

/* Every number of blades, so that whole squares of 16 and what is left over are both met. */
Test(verify, split_and_join__are_what_the_format_says)
{
    enum { MOST = 70 };
    uint8_t in[MOST * 16], split[MOST * 16], back[MOST * 16];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 167 + i / 256);
    for (size_t count = 0; count <= MOST; count++) {
        vxbi_grass_split(split, in, count * 16);
        for (size_t blade = 0; blade < count; blade++)
            for (size_t plane = 0; plane < 16; plane++)
                cr_assert(split[plane * count + blade] == in[blade * 16 + plane], "%zu blades", count);
        vxbi_grass_join(back, split, count * 16);
        cr_assert(memcmp(back, in, count * 16) == 0, "%zu blades", count);
    }
}

/* ---- levels ---- */

static struct vxb_verify_report *verify_with(const struct test_file *file, const struct vxb_verify_options *options)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    write_file(file);
    enum vxb_status status = vxb_verify(NULL, path, options, &report, &err);
    unlink(path);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    show(report);
    return report;
}

Test(verify, levels__say_what_they_looked_at)
{
    const struct test_field *fields[] = {&test_field_1, &test_field_2, &test_field_2_zstd, &test_field_3_split,
                                         &test_field_2_empty};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct test_file file = test_field_make(fields[i]);
        const bool stored = fields[i]->format != 1;
        for (int level = VXB_VERIFY_FULL; level <= VXB_VERIFY_HEADER; level++) {
            const struct vxb_verify_options options = {.size = sizeof options, .level = (enum vxb_verify_level)level};
            struct vxb_verify_report *report = verify_with(&file, &options);
            const struct vxb_verify_coverage *c = &report->coverage;
            const bool full = level == VXB_VERIFY_FULL, hashes = stored && level != VXB_VERIFY_HEADER;
            cr_assert(report->good && c->complete && c->header && c->tables);
            cr_assert(eq(int, c->level, level));
            cr_assert(eq(u64, c->chunks_checked, full ? c->chunks_total : 0));
            cr_assert(eq(u64, c->blades_checked, full ? c->blades_total : 0));
            cr_assert(eq(u64, c->hashes_total, stored ? c->chunks_total : 0));
            cr_assert(eq(u64, c->hashes_checked, hashes ? c->hashes_total : 0));
            cr_assert(eq(u64, c->bytes_hashed, hashes ? c->blades_total * VXB_GRASS_RECORD_BYTES : 0));
            cr_assert(full || hashes ? c->bytes_checked == c->bytes_total : c->bytes_checked <= c->bytes_total);
            vxb_verify_report_free(report);
        }
        free(file.data);
    }
}

/* A changed record that its hash tells of, and one whose hash was made anew: each level finds what is its own. */
Test(verify, levels__find_what_they_look_at_and_no_more)
{
    for (int repaired = 0; repaired < 2; repaired++) {
        struct test_file file = test_field_make(&test_field_2);
        file.data[test_file_at(&file, BAD_DATA, 0) + 10] = 0x80;
        if (repaired)
            test_file_repair(&file);
        for (int level = VXB_VERIFY_FULL; level <= VXB_VERIFY_HEADER; level++) {
            const struct vxb_verify_options options = {.size = sizeof options, .level = (enum vxb_verify_level)level};
            struct vxb_verify_report *report = verify_with(&file, &options);
            cr_assert(eq(int, has(report, VXB_FINDING_CHUNK_HASH), !repaired && level != VXB_VERIFY_HEADER));
            cr_assert(eq(int, has(report, VXB_FINDING_BLADE_UP_CODE), level == VXB_VERIFY_FULL));
            vxb_verify_report_free(report);
        }
        free(file.data);
    }
}

/* What stops the reader, or is of a table, is found at every level. */
Test(verify, bad_tables__are_found_at_every_level)
{
    for (size_t i = 0; i < bad_file_count; i++) {
        struct test_file file = bad_file_make(&bad_files[i]);
        const struct vxb_verify_options options = {.size = sizeof options, .level = VXB_VERIFY_HEADER};
        struct vxb_verify_report *full = verify(&file, 1), *header = verify_with(&file, &options);
        for (uint32_t k = 0; k < header->finding_count; k++)
            cr_assert(has(full, header->findings[k].finding));
        if (bad_files[i].finding < 1200)
            cr_assert(bad_files[i].finding == VXB_FINDING_NONE || has(header, bad_files[i].finding), "%s",
                      vxb_finding_name(bad_files[i].finding));
        vxb_verify_report_free(full);
        vxb_verify_report_free(header);
        free(file.data);
    }
}

/* ---- rules ---- */

Test(verify, rules__change_what_findings_count_as_and_the_last_one_holds)
{
    struct test_file file = test_field_make(&test_field_2);
    struct vxb_verify_rule rules[] = {{VXB_FINDING_PARTIAL_FIELD, false, VXB_SEVERITY_ERROR},
                                      {VXB_FINDING_INEXACT_DEVICE, true, VXB_SEVERITY_ERROR},
                                      {VXB_FINDING_PARTIAL_FIELD, false, VXB_SEVERITY_WARNING}};
    struct vxb_verify_options options = {.size = sizeof options, .rules = rules, .rule_count = 3};
    file.data[8 + 16] = 0x0C; /* inexact, partial */
    test_file_repair(&file);
    struct vxb_verify_report *report = verify_with(&file, &options);
    cr_assert(report->good && report->coverage.complete);
    cr_assert(eq(u64, report->errors, 0));
    cr_assert(eq(u64, report->warnings, 1));
    cr_assert(eq(u64, report->notes, 0));
    cr_assert(eq(u64, report->ignored, 1));
    cr_assert(eq(u32, report->finding_count, 2));
    cr_assert(report->findings[1].ignored && !report->findings[0].ignored, "what is ignored stands last");
    cr_assert(eq(int, report->findings[1].finding, VXB_FINDING_INEXACT_DEVICE));
    vxb_verify_report_free(report);

    options.warnings_as_errors = true;
    report = verify_with(&file, &options);
    cr_assert(report->errors == 0 && report->warnings == 1 && !report->good);
    vxb_verify_report_free(report);

    options.rule_count = 1;
    report = verify_with(&file, &options);
    cr_assert(report->errors == 1 && report->notes == 1 && !report->good);
    vxb_verify_report_free(report);
    free(file.data);
}

/* Findings that keep another rule from being applied: which LODs are whose, what the names are, whose a chunk is, and
 * bounds of what is no number. */
static bool all_could_be_judged(const struct vxb_verify_report *report)
{
    static const enum vxb_finding keep[] = {VXB_FINDING_LOD_TOTAL, VXB_FINDING_STRING_CUT, VXB_FINDING_SECTION_CHUNKS};
    bool judged = true;
    for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++)
        judged = judged && !has(report, keep[i]);
    for (uint32_t i = 0; i < report->finding_count; i++) {
        const enum vxb_finding f = report->findings[i].finding;
        const char *message = report->findings[i].message;
        const bool number = !strstr(message, "nan") && !strstr(message, "inf");
        judged = judged && ((f != VXB_FINDING_CHUNK_HEIGHT && f != VXB_FINDING_CHUNK_MAX_SCALE_LIMIT) || number) &&
                 (f < VXB_FINDING_LEGACY_BLADE_FINITE || f > VXB_FINDING_LEGACY_BLADE_RANK);
    }
    return judged;
}

/* Whatever is ignored: a file of which not all could be looked at is not good. */
Test(verify, everything_ignored__is_still_no_good_file_where_not_all_was_looked_at)
{
    struct vxb_verify_rule rules[512];
    size_t count = 0;
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f))
        if (f != VXB_FINDING_UNCHECKED)
            rules[count++] = (struct vxb_verify_rule){f, true, VXB_SEVERITY_NOTE};
    const struct vxb_verify_options options = {.size = sizeof options, .rules = rules, .rule_count = count};
    int unchecked = 0;
    for (size_t i = 0; i < bad_file_count; i++) {
        struct test_file file = bad_file_make(&bad_files[i]);
        struct vxb_verify_report *all = verify(&file, 1), *report = verify_with(&file, &options);
        const struct vxb_verify_coverage *c = &report->coverage;
        const bool whole = c->header && c->tables && c->chunks_checked == c->chunks_total && all_could_be_judged(all);
        cr_assert(eq(int, c->complete, whole));
        cr_assert(eq(int, report->good, whole));
        cr_assert(eq(int, has(report, VXB_FINDING_UNCHECKED), !whole));
        cr_assert(eq(u64, report->ignored, all->errors + all->warnings + all->notes), "none is gone");
        cr_assert(eq(u64, report->warnings + report->notes, 0));
        unchecked += !whole;
        vxb_verify_report_free(all);
        vxb_verify_report_free(report);
        free(file.data);
    }
    cr_assert(lt(int, 10, unchecked));
}

Test(verify, options_that_mean_nothing__are_refused)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_verify_rule rule = {VXB_FINDING_UNCHECKED, true, VXB_SEVERITY_NOTE};
    struct vxb_verify_options options = {.size = sizeof options, .rules = &rule, .rule_count = 1};
    cr_assert(eq(int, vxb_verify(NULL, "x", &options, &report, NULL), VXB_ERR_USAGE));
    rule.finding = (enum vxb_finding)7;
    cr_assert(eq(int, vxb_verify(NULL, "x", &options, &report, NULL), VXB_ERR_USAGE));
    options = (struct vxb_verify_options){.size = sizeof options, .level = (enum vxb_verify_level)3};
    cr_assert(eq(int, vxb_verify(NULL, "x", &options, &report, NULL), VXB_ERR_USAGE));
    options = (struct vxb_verify_options){.size = sizeof options, .level = VXB_VERIFY_HASH, .rebake = "r"};
    cr_assert(eq(int, vxb_verify(NULL, "x", &options, &report, NULL), VXB_ERR_USAGE));
}

Test(verify, missing_file_or_folder__is_an_error_of_the_call)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_verify(NULL, "/no/such/file", NULL, &report, &err), VXB_ERR_IO));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_verify(NULL, "/tmp", NULL, &report, &err), VXB_ERR_IO));
    cr_assert(eq(ptr, report, NULL));
}

/* A file with findings of its tables and of its chunks, so that the report's own memory is asked for too. */
Test(verify, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    struct test_file file = test_field_make(&test_field_3_split);
    struct vxb_verify_report *report = NULL;
    enum vxb_status status = VXB_ERR_MEMORY;
    file.data[test_file_at(&file, BAD_LOD, 0) + 28] = 1;
    file.data[test_file_at(&file, BAD_DATA, 1) + 20] ^= 1;
    write_file(&file);
    for (uint64_t n = 1; status && n < 200; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        status = vxb_verify(&env, path, NULL, &report, NULL);
        if (status)
            cr_assert(eq(int, status, VXB_ERR_MEMORY));
        else
            vxb_verify_report_free(report);
        cr_assert(eq(u64, heap.now, 0));
    }
    unlink(path);
    cr_assert(eq(int, status, VXB_OK));
    free(file.data);
}

/* What a chunk takes: its records; what is read to make them; and where planes are joined, their bytes. The limit is
 * exact. */
Test(verify, chunk_that_does_not_fit_the_memory_limit__is_told_with_both_numbers)
{
    const struct test_field *fields[] = {&test_field_2, &test_field_2_zstd, &test_field_3_split};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct test_file file = test_field_make(fields[i]);
        uint64_t most[2] = {0, 0}; /* of records, of data as it is stored */
        for (uint32_t j = 0; j < vxbi_load_u32(file.data + 32); j++) {
            const uint8_t *chunk = file.data + test_file_at(&file, BAD_CHUNK, j);
            const uint64_t bytes[2] = {(uint64_t)vxbi_load_u32(chunk + 12) * VXB_GRASS_RECORD_BYTES,
                                       vxbi_load_u32(chunk + 40)};
            for (int k = 0; k < 2; k++)
                most[k] = bytes[k] > most[k] ? bytes[k] : most[k];
        }
        const uint64_t need = most[0] + (fields[i]->flags & VXB_GRASS_ZSTD ? most[1] : 0) +
                              (fields[i]->flags & VXB_GRASS_SPLIT ? most[0] : 0);
        struct vxb_env env = {.size = sizeof env, .max_memory_bytes = need - 1};
        struct vxb_verify_report *report = NULL;
        struct vxb_error err = {0};
        char message[128];
        snprintf(message, sizeof message, "the largest chunk takes %llu bytes of memory, more than the limit of %llu",
                 (unsigned long long)need, (unsigned long long)need - 1);
        write_file(&file);
        cr_assert(eq(int, vxb_verify(&env, path, NULL, &report, &err), VXB_ERR_LIMIT), "field %zu", i);
        cr_assert(eq(str, err.message, message));
        env.max_memory_bytes = need;
        cr_assert(eq(int, vxb_verify(&env, path, NULL, &report, NULL), VXB_OK), "field %zu", i);
        cr_assert(report->good);
        vxb_verify_report_free(report);
        unlink(path);
        free(file.data);
    }
}
