/* What verify found, as JUnit XML, which CI systems show.
 *
 * Invariant: well-formed XML 1.0 whatever the names hold: markup is quoted, what XML has no way to say is escaped. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "sink.h"

struct xml {
    const struct vxb_sink *sink;
    bool failed;
};

static void put(struct xml *xml, const char *data, size_t size)
{
    if (!xml->failed && size)
        xml->failed = !xml->sink->write(xml->sink->user, data, size);
}

VXBI_PRINTF(2, 3) static void markup(struct xml *xml, const char *format, ...)
{
    char buf[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    put(xml, buf, n < 0 ? 0 : (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1);
}

/* The text of one character of markup, NULL where it stands for itself. */
static const char *quoted(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

/* Control characters and bytes that are no UTF-8 become \xNN; so do U+FFFE and U+FFFF, which XML forbids. */
static void text(struct xml *xml, const char *from)
{
    size_t size = strlen(from);
    for (size_t i = 0, length; i < size; i += length) {
        char escaped[20];
        length = vxbi_utf8_length(from + i, size - i);
        length = length ? length : 1;
        const char *quote = quoted(from[i]);
        if (quote)
            put(xml, quote, strlen(quote));
        else if (length == 3 && memcmp(from + i, "\xEF\xBF", 2) == 0 && (unsigned char)from[i + 2] >= 0xBE)
            markup(xml, "\\xef\\xbf\\x%02x", (unsigned char)from[i + 2]);
        else
            put(xml, escaped, vxb_text_escape(escaped, sizeof escaped, from + i, length));
    }
}

static void finding(struct xml *xml, const struct vxb_finding_record *record)
{
    char code[16];
    const char *name = vxb_finding_name(record->finding);
    markup(xml, "%s %s %s: ", record->ignored ? "ignored" : vxb_severity_name(record->severity),
           vxb_finding_code(record->finding, code), name ? name : "unknown");
    if (record->pointer[0]) {
        text(xml, record->pointer);
        markup(xml, ": ");
    }
    text(xml, record->message);
    if (record->has_offset)
        markup(xml, " (at byte %" PRIu64 ")", record->offset);
    if (record->count > 1)
        markup(xml, " [x%" PRIu64 "]", record->count);
    markup(xml, "\n");
}

static void covered(struct xml *xml, uint64_t checked, uint64_t total, const char *what)
{
    if (total)
        markup(xml, ", %" PRIu64 " of %" PRIu64 " %s", checked, total, what);
}

static void coverage(struct xml *xml, const struct vxb_verify_coverage *c)
{
    markup(xml, "level %s: %s", vxb_verify_level_name(c->level), c->complete ? "complete" : "not to the end");
    covered(xml, c->chunks_checked, c->chunks_total, "chunks");
    covered(xml, c->blades_checked, c->blades_total, "blades");
    covered(xml, c->probes_checked, c->probes_total, "probes");
    covered(xml, c->texels_checked, c->texels_total, "texels");
    covered(xml, c->hashes_checked, c->hashes_total, "hashes");
    covered(xml, c->bytes_checked, c->bytes_total, "bytes");
    markup(xml, "%s%s%s\n", c->recipe ? ", the recipe" : "", c->rebake ? ", a new bake" : "",
           c->report ? ", the bake's report" : "");
}

static void findings(struct xml *xml, const struct vxb_verify_report *report)
{
    uint64_t listed = 0, all = report->errors + report->warnings + report->notes + report->ignored;
    for (uint32_t i = 0; i < report->finding_count; i++) {
        finding(xml, &report->findings[i]);
        listed += report->findings[i].count;
    }
    if (listed < all)
        markup(xml, "%" PRIu64 " more findings are not listed\n", all - listed);
    coverage(xml, &report->coverage);
}

static void test_case(struct xml *xml, const struct vxb_verify_report *report)
{
    markup(xml, "    <testcase classname=\"vxbake.verify\" name=\"");
    text(xml, report->path);
    if (report->failure) {
        markup(xml, "\">\n      <error message=\"");
        text(xml, report->failure);
        markup(xml, "\"/>\n    </testcase>\n");
    } else if (!report->good) {
        markup(xml, "\">\n      <failure message=\"errors: %" PRIu64 ", warnings: %" PRIu64 ", notes: %" PRIu64
               ", ignored: %" PRIu64 "\">", report->errors, report->warnings, report->notes, report->ignored);
        findings(xml, report);
        markup(xml, "</failure>\n    </testcase>\n");
    } else {
        markup(xml, "\">\n      <system-out>");
        findings(xml, report);
        markup(xml, "</system-out>\n    </testcase>\n");
    }
}

static void property(struct xml *xml, const char *name, uint64_t value)
{
    markup(xml, "      <property name=\"%s\" value=\"%" PRIu64 "\"/>\n", name, value);
}

enum vxb_status vxb_verify_junit(const struct vxb_verify_report *const *reports, size_t count, uint64_t skipped,
                                 const struct vxb_sink *sink, struct vxb_error *err)
{
    struct xml xml = {.sink = sink};
    struct vxb_verify_summary sum;
    vxb_verify_sum(reports, count, &sum);
    markup(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    markup(&xml, "  <testsuite name=\"vxbake verify\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
           "\">\n", sum.files, sum.bad, sum.failed);
    markup(&xml, "    <properties>\n");
    property(&xml, "errors", sum.errors);
    property(&xml, "warnings", sum.warnings);
    property(&xml, "notes", sum.notes);
    property(&xml, "ignored", sum.ignored);
    property(&xml, "skipped-files", skipped);
    markup(&xml, "    </properties>\n");
    for (size_t i = 0; i < count && !xml.failed; i++)
        test_case(&xml, reports[i]);
    markup(&xml, "  </testsuite>\n</testsuites>\n");
    return xml.failed ? vxbi_sink_failed(err) : VXB_OK;
}
