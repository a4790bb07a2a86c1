/* Fields of several shapes, and what bakes of them come to, whoever computes them. */
#ifndef TESTS_BAKE_FIXTURES_H
#define TESTS_BAKE_FIXTURES_H

#include "make_bake.h"

void bake_fixture_one(struct meadow *made);
void bake_fixture_painted(struct meadow *made);
void bake_fixture_four(struct meadow *made);
void bake_fixture_budgeted(struct meadow *made);
void bake_fixture_sparse(struct meadow *made);
void bake_fixture_empty(struct meadow *made);

/* With every compiler, at every level of optimisation, on every machine and device. A change here is a new bake
 * revision. */
enum { BAKE_FIXTURES = 6 };
struct bake_fixture {
    const char *name;
    void (*make)(struct meadow *made);
    uint64_t content_id, file_hash;
};
extern const struct bake_fixture bake_fixtures[BAKE_FIXTURES];

#endif
