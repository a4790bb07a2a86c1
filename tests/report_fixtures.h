/* A plan and a report of a bake made by hand, so that reports can be tested without a bake. */
#ifndef TESTS_REPORT_FIXTURES_H
#define TESTS_REPORT_FIXTURES_H

#include "vxbake/bake.h"

struct report_fixture {
    struct vxb_recipe recipe;
    struct vxb_terrain terrain;
    struct vxb_layer layers[2];
    struct vxb_plan plan;
    struct vxb_bake_report report;
};

/* Two species on different layers, budgets of which one binds, and a ledger that adds up. */
void report_fixture_make(struct report_fixture *fixture);

#endif
