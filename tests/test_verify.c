/* verify: every rule of the format has a bad file that breaks it and no other. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
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
    const struct test_field *fields[] = {&test_field_2, &test_field_2_zstd, &test_field_2_empty,
                                         &test_field_3, &test_field_3_split, &test_field_3_empty_section};
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
        vxb_verify_report_free(report);
        free(file.data);
    }
}
