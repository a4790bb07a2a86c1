/* The report of a check, in one arena. */
#include "grass.h"

struct report {
    struct vxb_verify_report public; /* first: what the caller holds */
    struct vxbi_arena arena;
};

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

enum vxb_status vxbi_verify_report(const struct vxb_verify_report *known, struct vxbi_fold *fold, uint32_t max_findings,
                                   struct vxb_verify_report **out, struct vxb_error *err)
{
    struct report *report = vxbi_new_zero(&fold->allocator, 1, sizeof *report);
    if (!report)
        return vxbi_fail_memory(err, sizeof *report);
    report->arena.allocator = fold->allocator;
    report->public = *known;
    report->public.notes = fold->totals[VXB_SEVERITY_NOTE];
    report->public.warnings = fold->totals[VXB_SEVERITY_WARNING];
    report->public.errors = fold->totals[VXB_SEVERITY_ERROR];
    vxbi_fold_sort(fold);
    uint32_t most = max_findings ? max_findings : 100;
    report->public.path = copy(&report->arena, known->path);
    if (!report->public.path || fold->out_of_memory || !fill(report, fold, fold->count < most ? fold->count : most)) {
        vxb_verify_report_free(&report->public);
        return vxbi_fail_memory(err, sizeof *report);
    }
    *out = &report->public;
    return VXB_OK;
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
