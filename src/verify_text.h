/* The findings of verify, as text for people; the library's JSON says the same. */
#ifndef SRC_VERIFY_TEXT_H
#define SRC_VERIFY_TEXT_H

#include "cli.h"

/* A line a finding, and a line that tells what was covered. */
void verify_text_report(const struct vxb_verify_report *report);

/* One line for all files. skipped: of folders, which there were where folders is set. */
void verify_text_summary(const struct vxb_verify_summary *sum, bool folders, uint64_t skipped);

/* Every finding there is, a line each; and one of them explained. */
void verify_text_list(void);
void verify_text_explain(enum vxb_finding finding);

#endif
