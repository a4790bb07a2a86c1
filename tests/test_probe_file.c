/* Irradiance fields as files: what is written is read back, and every rule has a bad file that breaks it and no
 * other. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_probes.h"
#include "heap.h"
#include "probes/field.h"
#include "probes/write.h"
#include "verify/probes.h"
#include "vxbake/verify.h"

static const struct test_probes_desc *const descs[] = {&test_probes_f32, &test_probes_zstd, &test_probes_f16,
                                                       &test_probes_empty};
enum { DESCS = sizeof descs / sizeof descs[0] };

/* Opens strictly and reads every texel. */
static enum vxb_status read_all(const struct vxb_env *env, struct test_probes *file, struct vxb_error *err)
{
    const struct vxb_source source = test_probes_source(file);
    struct vxb_probe_file *open = NULL;
    struct vxb_probe_field *field = NULL;
    enum vxb_status status = vxb_probe_file_open_source(env, &source, NULL, &open, err);
    if (!status)
        status = vxb_probe_file_field(env, open, &field, err);
    vxb_probe_field_free(field);
    vxb_probe_file_close(open);
    return status;
}

/* Verifies from memory; the caller clears fold. */
static enum vxb_status verify(const struct vxb_env *env, struct test_probes *file, struct vxbi_fold *fold,
                              struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    const struct vxb_source source = test_probes_source(file);
    const struct vxbi_probe_from from = {.path = "file", .source = &source};
    struct vxb_probe_file *open = NULL;
    struct vxb_probe_field *field = NULL;
    enum vxb_status status = vxbi_verify_probes(env, &from, VXB_VERIFY_FULL, fold, coverage, &open, &field, err);
    vxb_probe_field_free(field);
    vxb_probe_file_close(open);
    return status;
}

static bool has(const struct vxbi_fold *fold, enum vxb_finding finding)
{
    for (uint32_t i = 0; i < fold->count; i++)
        if (fold->entries[i]->record.finding == finding)
            return true;
    return false;
}

static void show(const struct vxbi_fold *fold)
{
    for (uint32_t i = 0; i < fold->count; i++) {
        const struct vxb_finding_record *r = &fold->entries[i]->record;
        fprintf(stderr, "  %s %s: %s (%llu)\n", vxb_finding_name(r->finding), r->pointer, r->message,
                (unsigned long long)r->count);
    }
}

/* ---- numbers ---- */

Test(probe_file, binary16__goes_there_and_back)
{
    for (uint32_t code = 0; code < 65536; code++) {
        const float value = vxbi_f16_value((uint16_t)code);
        const uint16_t back = vxbi_f16_code(value);
        cr_assert(value != value ? (back & 0x7C00u) == 0x7C00u && (back & 0x3FFu) : back == code, "%04x gave %04x",
                  code, back);
    }
}

Test(probe_file, binary16__rounds_to_nearest_ties_to_even)
{
    for (uint16_t code = 0; code < 0x7BFF; code++) {
        const float low = vxbi_f16_value(code), high = vxbi_f16_value((uint16_t)(code + 1));
        const float middle = 0.5f * (low + high);
        cr_assert(eq(u16, vxbi_f16_code(middle), (uint16_t)(code + (code & 1))));
        cr_assert(eq(u16, vxbi_f16_code(-middle), (uint16_t)((code + (code & 1)) | 0x8000)));
        cr_assert(eq(u16, vxbi_f16_code(0.75f * low + 0.25f * high), code));
        cr_assert(eq(u16, vxbi_f16_code(0.25f * low + 0.75f * high), (uint16_t)(code + 1)));
    }
    cr_assert(eq(u16, vxbi_f16_code(65519.0f), 0x7BFF));
    cr_assert(eq(u16, vxbi_f16_code(65520.0f), 0x7C00));
}

/* ---- good files ---- */

Test(probe_file, good_files__have_no_finding_and_read_back)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
        struct vxb_verify_coverage coverage;
        struct vxb_probe_field *wrote = test_probes_field(descs[i]), *read = NULL;
        struct vxb_probe_file *open = NULL;
        const struct vxb_source source = test_probes_source(&file);
        cr_assert(VXB_OK == verify(NULL, &file, &fold, &coverage, NULL));
        show(&fold);
        cr_assert(eq(u32, fold.count, 0));
        cr_assert(coverage.complete && coverage.header && coverage.tables && coverage.hashes && coverage.borders);
        cr_assert(eq(u64, coverage.bytes_checked, file.size));
        cr_assert(eq(u64, coverage.probes_checked, coverage.probes_total));
        cr_assert(VXB_OK == vxb_probe_file_open_source(NULL, &source, NULL, &open, NULL));
        cr_assert(VXB_OK == vxb_probe_file_field(NULL, open, &read, NULL));
        const struct vxb_probe *a = vxb_probe_pool_texels(vxb_probe_field_pool(wrote));
        const struct vxb_probe *b = vxb_probe_pool_texels(vxb_probe_field_pool(read));
        cr_assert(memcmp(a, b, 125 * sizeof *a * vxb_probe_pool_capacity(vxb_probe_field_pool(wrote))) == 0);
        vxbi_fold_clear(&fold);
        vxb_probe_field_free(read);
        vxb_probe_field_free(wrote);
        vxb_probe_file_close(open);
        free(file.data);
    }
}

Test(probe_file, compression__changes_no_identity)
{
    struct test_probes raw = test_probes_make(&test_probes_f32), zstd = test_probes_make(&test_probes_zstd);
    const size_t at = VXBI_AT(probe_header, content_id);
    cr_assert(zstd.size < raw.size);
    cr_assert(eq(u64, vxbi_load_u64(raw.data + at), vxbi_load_u64(zstd.data + at)));
    free(raw.data);
    free(zstd.data);
}

/* The layout of the page, byte by byte: what an engine's own reader relies on. */
Test(probe_file, raw_file__is_laid_out_as_the_page_says)
{
    struct test_probes file = test_probes_make(&test_probes_f32);
    const uint8_t *p = file.data;
    const uint32_t bricks = vxbi_load_u32(p + 80);
    const size_t planes = (128 + 20 * (size_t)bricks + 7) / 8 * 8;
    cr_assert(memcmp(p, "\x89VXP\r\n\x1A\n", 8) == 0);
    cr_assert(eq(u32, vxbi_load_u32(p + 8), 1));
    cr_assert(eq(u32, vxbi_load_u32(p + 12), 128));
    cr_assert(eq(u64, vxbi_load_u64(p + 16), file.size));
    cr_assert(eq(u64, vxbi_load_u64(p + 88), 0x0123456789ABCDEFu));
    cr_assert(eq(u32, vxbi_load_u32(p + 68), 5));
    for (uint32_t k = 0; k < 4; k++) {
        const uint64_t offset = vxbi_load_u64(p + planes + 24 * k), bytes = vxbi_load_u64(p + planes + 24 * k + 8);
        cr_assert(eq(u64, offset % 64, 0));
        cr_assert(eq(u64, bytes, 5 * 5 * 3 * 125 * 16));
        cr_assert(eq(u64, vxbi_load_u64(p + planes + 24 * k + 16), vxbi_hash(p + offset, (size_t)bytes)));
    }
    free(file.data);
}

Test(probe_file, f16__refuses_what_it_can_not_hold)
{
    struct vxb_probe_field *field = test_probes_field(&test_probes_f32);
    const uint32_t at[3] = {1, 2, 3};
    struct vxb_probe probe = {.l00 = {65504, 1, 1}, .validity = 1};
    struct vxb_error err = {0};
    cr_assert(VXB_OK == vxb_probe_field_set(field, 0, at, &probe, NULL));
    cr_assert(VXB_OK == vxb_probe_field_round(NULL, field, VXB_PROBE_F16, &err));
    probe.l00[0] = 65505;
    cr_assert(VXB_OK == vxb_probe_field_set(field, 0, at, &probe, NULL));
    cr_assert(eq(int, (int)vxb_probe_field_round(NULL, field, VXB_PROBE_F16, &err), VXB_ERR_DATA));
    cr_assert(strstr(err.message, "probe (1, 2, 3)") && strstr(err.message, "65505"), "%s", err.message);
    vxb_probe_field_free(field);
}

Test(probe_file, f16_field_that_was_not_rounded__is_not_written)
{
    struct vxb_probe_field *field = test_probes_field(&test_probes_f32);
    const uint32_t at[3] = {1, 2, 3};
    const struct vxb_probe probe = {.l00 = {1.0001f, 1, 1}, .validity = 1};
    const struct vxb_probe_save_options options = {.size = sizeof options, .encoding = VXB_PROBE_F16};
    struct vxb_error err = {0};
    char path[] = "/tmp/vxbake-probes-XXXXXX";
    const int fd = mkstemp(path);
    cr_assert(VXB_OK == vxb_probe_field_set(field, 0, at, &probe, NULL));
    cr_assert(eq(int, (int)vxb_probe_field_save(NULL, field, path, &options, &err), VXB_ERR_DATA));
    cr_assert(eq(int, (int)lseek(fd, 0, SEEK_END), 0));
    close(fd);
    unlink(path);
    vxb_probe_field_free(field);
}

/* ---- bad files ---- */

static bool expected(const struct bad_probe *bad, enum vxb_finding finding)
{
    for (size_t i = 0; i < sizeof bad->consequences / sizeof bad->consequences[0]; i++)
        if (bad->consequences[i] == finding)
            return true;
    return bad->finding == finding;
}

Test(probe_file, bad_files__break_exactly_the_rules_that_are_named)
{
    int wrong = 0;
    for (size_t i = 0; i < bad_probe_count; i++) {
        const struct bad_probe *bad = &bad_probes[i];
        struct test_probes file = bad_probe_make(bad);
        struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
        struct vxb_verify_coverage coverage;
        cr_assert(VXB_OK == verify(NULL, &file, &fold, &coverage, NULL));
        bool good = has(&fold, bad->finding);
        for (size_t k = 0; k < 5 && bad->consequences[k]; k++)
            good = good && has(&fold, bad->consequences[k]);
        for (uint32_t k = 0; k < fold.count; k++)
            good = good && expected(bad, fold.entries[k]->record.finding);
        if (!good) {
            fprintf(stderr, "bad file %zu (%s):\n", i, vxb_finding_name(bad->finding));
            show(&fold);
            wrong++;
        }
        vxbi_fold_clear(&fold);
        free(file.data);
    }
    cr_assert(eq(int, wrong, 0));
}

/* Those that compare a file with something else are in test_probe_bake.c. */
Test(probe_file, every_finding__has_a_bad_file)
{
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f)) {
        bool found = f < VXB_FINDING_PROBE_MAGIC || f == VXB_FINDING_PROBE_INVALID || f == VXB_FINDING_PROBE_RECIPE ||
                     f == VXB_FINDING_PROBE_REBAKE;
        for (size_t i = 0; i < bad_probe_count; i++)
            found = found || bad_probes[i].finding == f;
        cr_assert(found, "%s has no bad file", vxb_finding_name(f));
    }
}

/* What verify alone looks for, since only the whole field can tell. */
static bool of_verify_alone(enum vxb_finding finding)
{
    return finding >= VXB_FINDING_PROBE_BORDER;
}

/* Strictly read and verified, a file is good for both or for none; neither crashes nor reads outside. */
static void agree(struct test_probes *file, const char *what, size_t at, uint64_t value)
{
    struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
    struct vxb_verify_coverage coverage;
    struct vxb_error err = {0};
    bool bad = false;
    const struct vxb_env env = {.size = sizeof env, .threads = 1, .max_memory_bytes = (uint64_t)32 << 20};
    enum vxb_status checked = verify(&env, file, &fold, &coverage, NULL);
    enum vxb_status read = read_all(&env, file, &err);
    for (uint32_t i = 0; i < fold.count; i++) {
        const struct vxb_finding_record *r = &fold.entries[i]->record;
        bad = bad || (r->severity == VXB_SEVERITY_ERROR && !of_verify_alone(r->finding));
    }
    if (checked != VXB_ERR_LIMIT && read != VXB_ERR_LIMIT)
        cr_assert(checked == VXB_OK && bad == (read != VXB_OK), "%s at %zu = %llx: verify %d, read %d %s", what, at,
                  (unsigned long long)value, checked, read, err.message);
    vxbi_fold_clear(&fold);
}

/* What verify refuses nobody else takes, to export it or compare with it; but for borders, which only the whole field
 * can tell. */
Test(probe_file, bad_files__are_refused_by_whoever_reads_probes)
{
    for (size_t i = 0; i < bad_probe_count; i++) {
        struct test_probes file = bad_probe_make(&bad_probes[i]);
        agree(&file, vxb_finding_name(bad_probes[i].finding), i, 0);
        free(file.data);
    }
}

/* The rules that made the light are known to who bakes it again; who reads it takes those of a later version too. */
Test(probe_file, revision_of_a_later_version__is_good)
{
    static const uint16_t revisions[] = {VXB_BAKE_REVISION + 1, 0xFFFF};
    for (size_t k = 0; k < sizeof revisions / sizeof *revisions; k++) {
        struct test_probes file = test_probes_make(&test_probes_f32);
        struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
        struct vxb_verify_coverage coverage;
        struct vxb_error err = {0};
        vxbi_store_u16(file.data + VXBI_AT(probe_header, bake_revision), revisions[k]);
        test_probes_repair(&file);
        cr_assert(eq(int, verify(NULL, &file, &fold, &coverage, &err), VXB_OK));
        cr_assert(eq(u32, fold.count, 0));
        cr_assert(eq(int, read_all(NULL, &file, &err), VXB_OK), "%s", err.message);
        vxbi_fold_clear(&fold);
        free(file.data);
    }
}

/* Every word of header and tables, set to what breaks arithmetic, its hashes made right. */
Test(probe_file, every_field__may_hold_anything, .timeout = 300)
{
    for (size_t i = 0; i < DESCS; i++) {
        const struct test_probes whole = test_probes_make(descs[i]);
        struct test_probes file = {.data = malloc(whole.size)};
        const size_t end = test_probes_at(&whole, BAD_PROBE_PLANE, 4);
        for (size_t at = 0; at + 4 <= end; at += at >= 168 && at < end - 96 ? 20 : 4) {
            const uint64_t values[] = {0, 1, 64, whole.size, whole.size + 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                       0x7FC00000,
                                       0x7F800000, 1025, 1048577};
            for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
                memcpy(file.data, whole.data, whole.size);
                file.size = whole.size;
                vxbi_store_u32(file.data + at, (uint32_t)values[k]);
                test_probes_repair(&file);
                agree(&file, "word", at, values[k]);
            }
            memcpy(file.data, whole.data, whole.size);
            file.size = whole.size;
            if (at + 8 <= end)
                vxbi_store_u64(file.data + at, UINT64_MAX - 15);
            test_probes_repair(&file);
            agree(&file, "long", at, UINT64_MAX - 15);
        }
        free(file.data);
        free(whole.data);
    }
}

Test(probe_file, cut_anywhere__is_told)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        const size_t whole = file.size;
        struct vxb_error err = {0};
        for (file.size = 0; file.size < whole; file.size += file.size < 400 ? 1 : whole / 97 + 1) {
            vxb_error_clear(&err);
            cr_assert(read_all(NULL, &file, &err) != VXB_OK && err.message[0], "%zu of %zu bytes", file.size, whole);
        }
        free(file.data);
    }
}

/* ---- memory ---- */

/* Calls with ever more allocations until they succeed: each failure before is one of memory, and leaves nothing. */
static void starve(enum vxb_status (*call)(const struct vxb_env *env, struct test_probes *file, struct vxb_error *err),
                   struct test_probes *file)
{
    for (uint64_t n = 1; n <= 1000; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_error err = {0};
        const enum vxb_status status = call(&env, file, &err);
        cr_assert(eq(u64, heap.now, 0));
        if (status == VXB_OK)
            return;
        cr_assert(eq(int, (int)status, VXB_ERR_MEMORY), "%" PRIu64 ": %s", n, err.message);
    }
    cr_assert(false, "never enough memory");
}

static enum vxb_status call_verify(const struct vxb_env *env, struct test_probes *file, struct vxb_error *err)
{
    struct vxbi_fold fold = {.allocator = vxbi_allocator(env)};
    struct vxb_verify_coverage coverage;
    enum vxb_status status = verify(env, file, &fold, &coverage, err);
    vxbi_fold_clear(&fold);
    return status;
}

static enum vxb_status call_write(const struct vxb_env *env, struct test_probes *file, struct vxb_error *err)
{
    const struct vxb_probe_save_options options = {.size = sizeof options, .compress = true};
    struct vxb_probe_field *field = test_probes_field(&test_probes_f32);
    struct vxb_probe_header header;
    (void)file;
    enum vxb_status status = vxbi_probe_write(env, field, &options, NULL, &header, err);
    vxb_probe_field_free(field);
    return status;
}

/* Puts light into a texel that no border repeats: the same L00 in each colour, and in red so much of L1, along x. */
static void put_light(struct test_probes *file, float l00, float l1)
{
    const uint8_t *slots = file->data + VXBI_AT(probe_header, slots);
    const size_t row = 5 * (size_t)vxbi_load_u32(slots), layer = row * 5 * vxbi_load_u32(slots + 4);
    const float planes[4][3] = {{l00, l00, l00}, {0, 0, 0}, {0, 0, 0}, {l1, 0, 0}};
    for (uint32_t k = 0; k < 4; k++)
        for (size_t i = 0; i < 3; i++)
            vxbi_store_u32(file->data + test_probes_at(file, BAD_PROBE_DATA, k) + 16 * (1 + row + layer) + 4 * i,
                           vxbi_f32_bits(planes[k][i]));
    test_probes_repair(file);
}

/* The most that is right and the least that is not. */
Test(probe_file, light_at_its_limits__is_found_from_the_first_that_is_wrong)
{
    static const float l00[] = {0.0f, 1.0f, 3000.0f};
    for (size_t i = 0; i < sizeof l00 / sizeof l00[0]; i++)
        for (int direction = i == 0; direction < 2; direction++) { /* in the dark, too much is soon too directed */
            const enum vxb_finding finding = direction ? VXB_FINDING_PROBE_DIRECTION : VXB_FINDING_PROBE_RINGING;
            const double mean = (double)l00[i];
            const double limit = direction ? 1.7321 * mean * (1 + 0x1p-9) + 0x1p-20
                                           : (mean * (double)VXK_SH_0 + 0x1p-20) / (2.0 / 3.0 * (double)VXK_SH_1);
            float right = (float)limit;
            while ((double)right > limit)
                right = nextafterf(right, 0.0f);
            for (int over = 0; over < 2; over++) {
                struct test_probes file = test_probes_make(&test_probes_f32);
                struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
                struct vxb_verify_coverage coverage;
                put_light(&file, l00[i], over ? nextafterf(right, INFINITY) : right);
                cr_assert(eq(int, verify(NULL, &file, &fold, &coverage, NULL), VXB_OK));
                cr_assert(eq(int, has(&fold, finding), over), "L00 %g, %s", (double)l00[i], vxb_finding_name(finding));
                vxbi_fold_clear(&fold);
                free(file.data);
            }
        }
}

Test(probe_file, memory_that_runs_out__is_told_at_every_place)
{
    for (size_t i = 0; i < DESCS; i++) {
        struct test_probes file = test_probes_make(descs[i]);
        starve(read_all, &file);
        starve(call_verify, &file);
        free(file.data);
    }
    starve(call_write, NULL);
}
