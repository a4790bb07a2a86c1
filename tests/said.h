/* What the library says by way of diag, a line each, one after another until said[0] is set to 0. */
#ifndef TESTS_SAID_H
#define TESTS_SAID_H

#include <stdio.h>
#include <string.h>

#include "vxbake/base.h"

static char said[4096];

static void on_diag(void *user, const struct vxb_diag *diag)
{
    (void)user;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", diag->what.message);
}

#endif
