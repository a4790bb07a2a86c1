/* The text of verify. */
#include "verify_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void finding_line(const char *file, const struct vxb_finding_record *record)
{
    char code[16], where[64] = "", count[48] = "";
    if (record->has_offset)
        snprintf(where, sizeof where, " (at byte %" PRIu64 ")", record->offset);
    if (record->count > 1)
        snprintf(count, sizeof count, " [x%" PRIu64 "]", record->count);
    const char *name = vxb_finding_name(record->finding);
    bool place = record->pointer && record->pointer[0];
    cli_text("%s: %s %s %s: %s%s%s%s%s\n", file, record->ignored ? "ignored" : vxb_severity_name(record->severity),
             vxb_finding_code(record->finding, code), name ? name : "unknown",
             place ? cli_clean(record->pointer) : "", place ? ": " : "", cli_clean(record->message), where, count);
}

static void verdict(char *out, size_t room, const struct vxb_verify_report *report)
{
    const struct {
        uint64_t count;
        const char *what;
    } parts[] = {{report->errors, "error"}, {report->warnings, "warning"}, {report->notes, "note"}};
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].count && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "",
                                     cli_counted(parts[i].count, parts[i].what));
    if (!used)
        used = (size_t)snprintf(out, room, "good");
    if (report->ignored && used < room)
        snprintf(out + used, room - used, ", %" PRIu64 " ignored", report->ignored);
}

static void covered(char *out, size_t room, uint64_t checked, uint64_t total, const char *what)
{
    size_t used = strlen(out);
    snprintf(out + used, room - used, "%s%" PRIu64 " of %" PRIu64 " %s", used ? ", " : "", checked, total, what);
}

static bool is_a(const struct vxb_verify_report *report, const char *kind)
{
    return report->kind && strcmp(report->kind, kind) == 0;
}

/* The parts that the level looks at, and how much of each there was. */
static void coverage(char *out, size_t room, const struct vxb_verify_report *report)
{
    const struct vxb_verify_coverage *c = &report->coverage;
    const bool pyramid = is_a(report, "depth-pyramid"), probes = is_a(report, "irradiance-field");
    out[0] = 0;
    if (c->level == VXB_VERIFY_FULL && pyramid) {
        covered(out, room, c->texels_checked, c->texels_total, "texels");
    } else if (c->level == VXB_VERIFY_FULL && probes) {
        covered(out, room, c->probes_checked, c->probes_total, "probes");
        snprintf(out + strlen(out), room - strlen(out), " (%" PRIu64 " invalid)", c->probes_invalid);
        covered(out, room, c->texels_checked, c->texels_total, "texels");
    } else if (c->level == VXB_VERIFY_FULL && report->kind) {
        covered(out, room, c->chunks_checked, c->chunks_total, "chunks");
        covered(out, room, c->blades_checked, c->blades_total, "blades");
    } else if (c->level == VXB_VERIFY_HASH && c->hashes_total) {
        covered(out, room, c->hashes_checked, c->hashes_total, "hashes");
    }
    covered(out, room, c->bytes_checked, c->bytes_total, "bytes");
}

/* What a level below full leaves out. */
static const char *level_text(const struct vxb_verify_report *report)
{
    const struct vxb_verify_coverage *c = &report->coverage;
    if (c->level == VXB_VERIFY_FULL)
        return "";
    if (c->level == VXB_VERIFY_HEADER)
        return "header and tables only, ";
    return !report->kind || c->hashes_total ? "hashes only, " : "header and tables only (it stores no hashes), ";
}

static void coverage_line(const char *file, const struct vxb_verify_report *report)
{
    const struct vxb_verify_coverage *c = &report->coverage;
    char said[200], parts[240], format[24] = "no file of ours";
    verdict(said, sizeof said, report);
    coverage(parts, sizeof parts, report);
    if (is_a(report, "depth-pyramid"))
        snprintf(format, sizeof format, "depth pyramid");
    else if (is_a(report, "irradiance-field"))
        snprintf(format, sizeof format, "irradiance field");
    else if (report->format)
        snprintf(format, sizeof format, "format %" PRIu32, report->format);
    cli_summary("%s: %s; %s; %schecked %s%s%s%s%s\n", file, said, format, level_text(report), parts,
                c->complete ? "" : "; not to the end", c->recipe ? ", the recipe's identities" : "",
                c->rebake ? ", a new bake of the recipe" : "", c->report ? ", the bake's report" : "");
}

void verify_text_report(const struct vxb_verify_report *report)
{
    const char *file = strcmp(report->path, "-") == 0 ? "standard input" : report->path;
    uint64_t listed = 0;
    for (uint32_t i = 0; i < report->finding_count; i++) {
        if (!report->findings[i].ignored || cli_talk() == CLI_VERBOSE)
            finding_line(cli_clean(file), &report->findings[i]);
        listed += report->findings[i].count;
    }
    uint64_t all = report->errors + report->warnings + report->notes + report->ignored;
    if (listed < all)
        cli_text("%s: %" PRIu64 " more %s not listed: raise --max-findings\n", cli_clean(file), all - listed,
                 all - listed == 1 ? "finding is" : "findings are");
    coverage_line(cli_clean(file), report);
}

void verify_text_summary(const struct vxb_verify_summary *sum, bool folders, uint64_t skipped)
{
    char others[80] = "";
    if (folders)
        snprintf(others, sizeof others, "; %s in folders skipped", cli_counted(skipped, "other"));
    cli_summary("%s: %" PRIu64 " good, %" PRIu64 " bad, %" PRIu64 " not checked; %s, %s, %s, %" PRIu64 " ignored%s\n",
                cli_counted(sum->files, "file"), sum->good, sum->bad, sum->failed, cli_counted(sum->errors, "error"),
                cli_counted(sum->warnings, "warning"), cli_counted(sum->notes, "note"), sum->ignored, others);
}

void verify_text_list(void)
{
    char code[16];
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f))
        cli_out("%s %-7s %-24s %s\n", vxb_finding_code(f, code),
                vxb_severity_name((enum vxb_severity)vxb_finding_severity(f)), vxb_finding_name(f),
                vxb_finding_title(f));
}

void verify_text_explain(enum vxb_finding finding)
{
    char code[16];
    cli_out("%s %s (%s)\n%s\n%s\n", vxb_finding_code(finding, code), vxb_finding_name(finding),
            vxb_severity_name((enum vxb_severity)vxb_finding_severity(finding)), vxb_finding_title(finding),
            vxb_finding_explanation(finding));
}
