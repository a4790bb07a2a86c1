/* From folded findings to the report that a caller holds. */
#ifndef VXBI_VERIFY_REPORT_H
#define VXBI_VERIFY_REPORT_H

#include "fold.h"

/* Whether the rules of the options are on findings, and not on VXB_FINDING_UNCHECKED: VXB_ERR_USAGE where not. */
enum vxb_status vxbi_verify_check_rules(const struct vxb_verify_options *options, struct vxb_error *err);

/* The report of a finished check: takes what fold holds. known: what is to be said of the file beside findings, their
 * numbers and the verdict; its path is copied. Here the options' rules are applied, and here a check that did not reach
 * its end gets its finding where no other counts as an error: what comes before needs to know of neither. */
enum vxb_status vxbi_verify_report(const struct vxb_verify_report *known, const struct vxb_verify_options *options,
                                   struct vxbi_fold *fold, struct vxb_verify_report **out, struct vxb_error *err);

#endif
