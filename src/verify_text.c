/* The text of verify. */
#include "verify_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *severity_name(enum vxb_severity severity)
{
    switch (severity) {
    case VXB_SEVERITY_NOTE: return "note";
    case VXB_SEVERITY_WARNING: return "warning";
    case VXB_SEVERITY_ERROR: return "error";
    }
    return "error";
}

static void finding_line(const char *file, const struct vxb_finding_record *record)
{
    char code[16], where[64] = "", count[48] = "";
    if (record->has_offset)
        snprintf(where, sizeof where, " (at byte %" PRIu64 ")", record->offset);
    if (record->count > 1)
        snprintf(count, sizeof count, " [x%" PRIu64 "]", record->count);
    const char *name = vxb_finding_name(record->finding);
    bool place = record->pointer && record->pointer[0];
    cli_text("%s: %s %s %s: %s%s%s%s%s\n", file, severity_name(record->severity),
             vxb_finding_code(record->finding, code), name ? name : "unknown",
             place ? cli_clean(record->pointer) : "", place ? ": " : "", cli_clean(record->message), where, count);
}

/* "4 errors", "1 error". */
static void counted(char *out, size_t room, uint64_t count, const char *what)
{
    snprintf(out, room, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

static void verdict(char *out, size_t room, const struct vxb_verify_report *report)
{
    char errors[40], warnings[40], notes[40];
    counted(errors, sizeof errors, report->errors, "error");
    counted(warnings, sizeof warnings, report->warnings, "warning");
    counted(notes, sizeof notes, report->notes, "note");
    bool any = report->errors || report->warnings || report->notes;
    snprintf(out, room, "%s%s%s%s%s%s", any ? "" : "good", report->errors ? errors : "",
             report->errors && report->warnings ? ", " : "", report->warnings ? warnings : "",
             (report->errors || report->warnings) && report->notes ? ", " : "", report->notes ? notes : "");
}

static void coverage_line(const char *file, const struct vxb_verify_report *report)
{
    const struct vxb_verify_coverage *c = &report->coverage;
    char said[160], format[24] = "no file of ours";
    verdict(said, sizeof said, report);
    if (report->kind && strcmp(report->kind, "depth-pyramid") == 0) {
        cli_summary("%s: %s; depth pyramid; checked %" PRIu64 " of %" PRIu64 " texels, %" PRIu64 " of %" PRIu64
                    " bytes%s\n", file, said, c->texels_checked, c->texels_total, c->bytes_checked, c->bytes_total,
                    c->levels ? "" : "; not to the end");
        return;
    }
    if (report->format)
        snprintf(format, sizeof format, "format %" PRIu32, report->format);
    cli_summary("%s: %s; %s; checked %" PRIu64 " of %" PRIu64 " chunks, %" PRIu64 " of %" PRIu64 " blades, %" PRIu64
                " of %" PRIu64 " bytes%s%s%s%s\n", file, said, format, c->chunks_checked, c->chunks_total,
                c->blades_checked, c->blades_total, c->bytes_checked, c->bytes_total,
                c->header && c->tables ? "" : "; not to the end", c->recipe ? ", the recipe's identities" : "",
                c->rebake ? ", a new bake of the recipe" : "", c->report ? ", the bake's report" : "");
}

void verify_text_report(const struct vxb_verify_report *report)
{
    const char *file = strcmp(report->path, "-") == 0 ? "standard input" : report->path;
    uint64_t listed = 0;
    for (uint32_t i = 0; i < report->finding_count; i++) {
        finding_line(cli_clean(file), &report->findings[i]);
        listed += report->findings[i].count;
    }
    uint64_t all = report->errors + report->warnings + report->notes;
    if (listed < all)
        cli_text("%s: %" PRIu64 " more findings are not listed: raise --max-findings\n", cli_clean(file),
                 all - listed);
    coverage_line(cli_clean(file), report);
}

void verify_text_list(void)
{
    char code[16];
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f))
        cli_out("%s %-7s %-24s %s\n", vxb_finding_code(f, code),
                severity_name((enum vxb_severity)vxb_finding_severity(f)), vxb_finding_name(f), vxb_finding_title(f));
}

void verify_text_explain(enum vxb_finding finding)
{
    char code[16];
    cli_out("%s %s (%s)\n%s\n%s\n", vxb_finding_code(finding, code), vxb_finding_name(finding),
            severity_name((enum vxb_severity)vxb_finding_severity(finding)), vxb_finding_title(finding),
            vxb_finding_explanation(finding));
}
