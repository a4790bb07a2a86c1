/* The report of a check, in one arena.
 *
 * Invariant: a report without an error is of a file of which everything asked for was looked at. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

struct report {
    struct vxb_verify_report public; /* first: what the caller holds */
    struct vxbi_arena arena;
};

const char *vxb_verify_level_name(enum vxb_verify_level level)
{
    switch (level) {
    case VXB_VERIFY_FULL: return "full";
    case VXB_VERIFY_HASH: return "hash";
    case VXB_VERIFY_HEADER: return "header";
    }
    return NULL;
}

enum vxb_status vxbi_verify_check_rules(const struct vxb_verify_options *options, struct vxb_error *err)
{
    char code[8];
    for (size_t i = 0; i < options->rule_count; i++) {
        enum vxb_finding finding = options->rules[i].finding;
        if (!vxb_finding_name(finding))
            return vxbi_fail(err, VXB_ERR_USAGE, "there is no finding %d to make a rule on", (int)finding);
        if (finding == VXB_FINDING_UNCHECKED)
            return vxbi_fail(err, VXB_ERR_USAGE, "%s %s can't be made to count as anything else: it is there where "
                             "what was asked for could not be looked at", vxb_finding_code(finding, code),
                             vxb_finding_name(finding));
    }
    return VXB_OK;
}

static void apply_rules(const struct vxb_verify_options *options, struct vxb_finding_record *record)
{
    for (size_t i = 0; i < options->rule_count; i++)
        if (options->rules[i].finding == record->finding) {
            record->ignored = options->rules[i].ignore;
            if (!record->ignored)
                record->severity = options->rules[i].severity;
        }
}

static void count(const struct vxbi_fold *fold, struct vxb_verify_report *report)
{
    uint64_t sums[3] = {0};
    report->ignored = 0;
    for (uint32_t i = 0; i < fold->count; i++) {
        const struct vxb_finding_record *record = &fold->entries[i]->record;
        *(record->ignored ? &report->ignored : &sums[record->severity]) += record->count;
    }
    report->notes = sums[VXB_SEVERITY_NOTE];
    report->warnings = sums[VXB_SEVERITY_WARNING];
    report->errors = sums[VXB_SEVERITY_ERROR];
}

static void judge(const struct vxb_verify_options *options, struct vxbi_fold *fold, struct vxb_verify_report *report)
{
    for (uint32_t i = 0; i < fold->count; i++)
        apply_rules(options, &fold->entries[i]->record);
    count(fold, report);
    if (!report->errors && !report->coverage.complete) {
        struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
        vxbi_found(&collect, VXB_FINDING_UNCHECKED, VXBI_NO_OFFSET, "",
                   "what was found, though none of it counts as an error, kept a part of what was asked for from being "
                   "looked at");
        count(fold, report);
    }
    report->good = !report->errors && !(options->warnings_as_errors && report->warnings);
}

/* By place, but what is ignored takes no room from what is not. */
static int compare(const void *a, const void *b)
{
    const struct vxbi_fold_entry *x = *(struct vxbi_fold_entry *const *)a, *y = *(struct vxbi_fold_entry *const *)b;
    if (x->record.ignored != y->record.ignored)
        return x->record.ignored ? 1 : -1;
    return vxbi_fold_compare(x, y);
}

static char *copy(struct vxbi_arena *arena, const char *text)
{
    return vxbi_arena_text(arena, text, strlen(text));
}

static bool fill(struct report *report, const struct vxbi_fold *fold, uint32_t count)
{
    struct vxb_finding_record *records = vxbi_arena_new(&report->arena, (count ? count : 1) * sizeof *records);
    if (!records)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        records[i] = fold->entries[i]->record;
        records[i].message = copy(&report->arena, fold->entries[i]->message);
        records[i].pointer = copy(&report->arena, fold->entries[i]->pointer);
        if (!records[i].message || !records[i].pointer)
            return false;
    }
    report->public.findings = records;
    report->public.finding_count = count;
    return true;
}

enum vxb_status vxbi_verify_report(const struct vxb_verify_report *known, const struct vxb_verify_options *options,
                                   struct vxbi_fold *fold, struct vxb_verify_report **out, struct vxb_error *err)
{
    struct report *report = vxbi_new_zero(&fold->allocator, 1, sizeof *report);
    if (!report)
        return vxbi_fail_memory(err, sizeof *report);
    report->arena.allocator = fold->allocator;
    report->public = *known;
    judge(options, fold, &report->public);
    if (fold->count)
        qsort(fold->entries, fold->count, sizeof *fold->entries, compare);
    uint32_t most = options->max_findings ? options->max_findings : 100;
    report->public.path = copy(&report->arena, known->path);
    if (!report->public.path || fold->out_of_memory || !fill(report, fold, fold->count < most ? fold->count : most)) {
        vxb_verify_report_free(&report->public);
        return vxbi_fail_memory(err, sizeof *report);
    }
    *out = &report->public;
    return VXB_OK;
}

void vxb_verify_sum(const struct vxb_verify_report *const *reports, size_t count, struct vxb_verify_summary *out)
{
    *out = (struct vxb_verify_summary){.files = count};
    for (size_t i = 0; i < count; i++) {
        const struct vxb_verify_report *report = reports[i];
        *(report->failure ? &out->failed : report->good ? &out->good : &out->bad) += 1;
        out->errors += report->errors;
        out->warnings += report->warnings;
        out->notes += report->notes;
        out->ignored += report->ignored;
    }
}

void vxb_verify_report_free(struct vxb_verify_report *public)
{
    struct report *report = (struct report *)(void *)public;
    if (!report)
        return;
    struct vxb_allocator allocator = report->arena.allocator;
    vxbi_arena_clear(&report->arena);
    vxbi_delete(&allocator, report, 1, sizeof *report);
}
