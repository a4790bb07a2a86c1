/* A folder of its own for each test of a suite, with a space in its name, which is the working folder while it runs. */
#ifndef TESTS_OWN_FOLDER_H
#define TESTS_OWN_FOLDER_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own_folder[64];

static void own_folder_make(void)
{
    strcpy(own_folder, "/tmp/vxbake test XXXXXX");
    cr_assert(ne(ptr, mkdtemp(own_folder), NULL));
    cr_assert(eq(int, chdir(own_folder), 0));
}

static void own_folder_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", own_folder);
    cr_assert(eq(int, system(command), 0));
}

#endif
