/* Reports of verify as JUnit XML, as CI servers read it: a test case a file, failed where it has errors. Always well-formed
 * XML 1.0: what that can't hold (most control characters, bytes that are no UTF-8) becomes U+FFFD. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "sink.h"

/* The first write that fails ends all. */
struct xml {
    const struct vxb_sink *sink;
    bool failed;
};

static void put(struct xml *x, const char *text, size_t size)
{
    if (!x->failed && size && !x->sink->write(x->sink->user, text, size))
        x->failed = true;
}

static void markup(struct xml *x, const char *text)
{
    put(x, text, strlen(text));
}

/* Whether XML 1.0 has a place for this character: no control but tab and line ends, no U+FFFE or U+FFFF. */
static bool allowed(const char *s, size_t length)
{
    unsigned char c = (unsigned char)s[0];
    if (length == 1)
        return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
    return !(length == 3 && c == 0xEF && (unsigned char)s[1] == 0xBF && (unsigned char)s[2] >= 0xBE);
}

/* Text of an element or an attribute. */
static void text(struct xml *x, const char *s)
{
    size_t size = strlen(s);
    for (size_t i = 0; i < size;) {
        size_t length = vxbi_utf8_length(s + i, size - i);
        if (length == 0 || !allowed(s + i, length)) {
            markup(x, "\xEF\xBF\xBD");
            i += length ? length : 1;
            continue;
        }
        switch (s[i]) {
        case '&': markup(x, "&amp;"); break;
        case '<': markup(x, "&lt;"); break;
        case '>': markup(x, "&gt;"); break;
        case '"': markup(x, "&quot;"); break;
        /* A parser turns these into spaces in an attribute, unless they are written so. */
        case '\t': markup(x, "&#9;"); break;
        case '\n': markup(x, "&#10;"); break;
        case '\r': markup(x, "&#13;"); break;
        default: put(x, s + i, length);
        }
        i += length;
    }
}

static void attribute(struct xml *x, const char *name, const char *value)
{
    markup(x, " ");
    markup(x, name);
    markup(x, "=\"");
    text(x, value);
    markup(x, "\"");
}

static void number(struct xml *x, const char *name, uint64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    attribute(x, name, digits);
}

/* "VX1504 chunk-duplicate at byte 340, /chunks/3/cell_x: message (2 times)". */
static void line(struct xml *x, const struct vxb_finding_record *f)
{
    char buf[96], code[8];
    snprintf(buf, sizeof buf, "%s %s", vxb_finding_code(f->finding, code), vxb_finding_name(f->finding));
    text(x, buf);
    if (f->has_offset) {
        snprintf(buf, sizeof buf, " at byte %" PRIu64, f->offset);
        text(x, buf);
    }
    if (f->pointer[0]) {
        text(x, ", ");
        text(x, f->pointer);
    }
    text(x, ": ");
    text(x, f->message);
    if (f->count > 1) {
        snprintf(buf, sizeof buf, " (%" PRIu64 " times)", f->count);
        text(x, buf);
    }
    markup(x, "\n");
}

/* The first finding of this severity; NULL: none was kept. */
static const struct vxb_finding_record *first(const struct vxb_verify_report *r, enum vxb_severity severity)
{
    for (uint32_t i = 0; i < r->finding_count; i++)
        if (r->findings[i].severity == severity)
            return &r->findings[i];
    return NULL;
}

static void lines(struct xml *x, const struct vxb_verify_report *r, bool errors)
{
    for (uint32_t i = 0; i < r->finding_count; i++)
        if ((r->findings[i].severity == VXB_SEVERITY_ERROR) == errors)
            line(x, &r->findings[i]);
}

static void test_case(struct xml *x, const struct vxb_verify_report *r)
{
    const struct vxb_finding_record *error = first(r, VXB_SEVERITY_ERROR);
    markup(x, "    <testcase classname=\"vxbake.verify\"");
    attribute(x, "name", r->path);
    markup(x, ">\n");
    if (r->errors) {
        char code[8] = "";
        markup(x, "      <failure");
        attribute(x, "type", error ? vxb_finding_code(error->finding, code) : "errors");
        attribute(x, "message", error ? error->message : "there are errors");
        markup(x, ">");
        lines(x, r, true);
        markup(x, "</failure>\n");
    }
    if (r->warnings || r->notes) {
        markup(x, "      <system-out>");
        lines(x, r, false);
        markup(x, "</system-out>\n");
    }
    markup(x, "    </testcase>\n");
}

enum vxb_status vxb_verify_junit(const struct vxb_verify_report *const *reports, size_t count,
                                 const struct vxb_sink *sink, struct vxb_error *err)
{
    struct xml x = {.sink = sink};
    uint64_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += reports[i]->errors != 0;
    markup(&x, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"vxbake verify\"");
    number(&x, "tests", count);
    number(&x, "failures", failures);
    number(&x, "errors", 0);
    number(&x, "skipped", 0);
    markup(&x, ">\n");
    for (size_t i = 0; i < count; i++)
        test_case(&x, reports[i]);
    markup(&x, "  </testsuite>\n</testsuites>\n");
    return x.failed ? vxbi_sink_failed(err) : VXB_OK;
}
