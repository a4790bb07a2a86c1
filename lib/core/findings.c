/* The registry of findings: findings.def as a table, and the look-ups of vxbake/findings.h. */
#include "../vxbake/findings.h"

#include <stdio.h>
#include <string.h>

#include "../vxbake/base.h"

struct row {
    enum vxb_finding finding;
    enum vxb_severity severity;
    const char *name, *title, *explanation;
};

static const struct row rows[] = {
#define VXB_FINDING_DEF(id, name, code, severity, title, explanation)                                                  \
    {VXB_FINDING_##id, VXB_SEVERITY_##severity, name, title, explanation},
#include "../vxbake/findings.def"
#undef VXB_FINDING_DEF
};

#define VXB_FINDING_DEF(id, name, code, severity, title, explanation)                                                  \
    _Static_assert((code) >= 1000 && (code) <= 9999, "a finding's code has four digits");
#include "../vxbake/findings.def"
#undef VXB_FINDING_DEF

static const size_t row_count = sizeof rows / sizeof rows[0];

static const struct row *find(enum vxb_finding finding)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].finding == finding)
            return &rows[i];
    return NULL;
}

char *vxb_finding_code(enum vxb_finding finding, char *buf)
{
    snprintf(buf, 8, "VX%04u", (unsigned)finding % 10000u);
    return buf;
}

const char *vxb_finding_name(enum vxb_finding finding)
{
    const struct row *row = find(finding);
    return row ? row->name : NULL;
}

int vxb_finding_severity(enum vxb_finding finding)
{
    const struct row *row = find(finding);
    return (int)(row ? row->severity : VXB_SEVERITY_ERROR);
}

const char *vxb_finding_title(enum vxb_finding finding)
{
    const struct row *row = find(finding);
    return row ? row->title : NULL;
}

const char *vxb_finding_explanation(enum vxb_finding finding)
{
    const struct row *row = find(finding);
    return row ? row->explanation : NULL;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

enum vxb_finding vxb_finding_by_text(const char *text)
{
    char code[8];
    for (size_t i = 0; text && i < row_count; i++)
        if (same(text, rows[i].name) || same(text, vxb_finding_code(rows[i].finding, code)) || same(text, code + 2))
            return rows[i].finding;
    return VXB_FINDING_NONE;
}

enum vxb_finding vxb_finding_next(enum vxb_finding finding)
{
    if (finding == VXB_FINDING_NONE)
        return rows[0].finding;
    for (size_t i = 0; i + 1 < row_count; i++)
        if (rows[i].finding == finding)
            return rows[i + 1].finding;
    return VXB_FINDING_NONE;
}
