/* Every rule a file can break has a stable code; this is the enumeration of them. The table itself is findings.def:
 * one line a finding, a code is never reused. */
#ifndef VXBAKE_FINDINGS_H
#define VXBAKE_FINDINGS_H

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_finding {
    VXB_FINDING_NONE = 0,
#define VXB_FINDING_DEF(id, name, code, severity, title, explanation) VXB_FINDING_##id = code,
#include "findings.def"
#undef VXB_FINDING_DEF
    VXB_FINDING_LIMIT_ = 0xFFFF
};

/* The code as text ("VX1204"; "VX0000" for VXB_FINDING_NONE), written to buf (8 bytes or more); returns buf. */
char *vxb_finding_code(enum vxb_finding finding, char *buf);

/* The finding's name in lower case with hyphens ("chunk-order"), its default severity (an enum vxb_severity), one
 * sentence of what the rule is, and a longer explanation of what breaks when it is broken. Static storage; NULL (and
 * the severity of an error) for a value that is none. The severity is an int because base.h, where its enumeration is,
 * stands on this header. Source: lib/vxbake/findings.def. */
const char *vxb_finding_name(enum vxb_finding finding);
int vxb_finding_severity(enum vxb_finding finding);
const char *vxb_finding_title(enum vxb_finding finding);
const char *vxb_finding_explanation(enum vxb_finding finding);

/* The finding with this code ("VX1204" or "1204") or name, case apart; VXB_FINDING_NONE where there is none. */
enum vxb_finding vxb_finding_by_text(const char *text);

/* Walks the table: the finding after this one in it (after VXB_FINDING_NONE: the first), VXB_FINDING_NONE at its
 * end. */
enum vxb_finding vxb_finding_next(enum vxb_finding finding);

#ifdef __cplusplus
}
#endif

#endif
