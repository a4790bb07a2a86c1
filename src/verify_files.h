/* What verify's operands stand for: files as they are, folders as the files of ours under them. */
#ifndef SRC_VERIFY_FILES_H
#define SRC_VERIFY_FILES_H

#include "cli.h"

/* One file to check, or a place where one could not be looked for. */
struct verify_place {
    char *path;
    char *failure; /* NULL: check it; else why it can't be, a sentence */
};

struct verify_files {
    struct verify_place *places; /* operand after operand; those of a folder in ascending order of their bytes */
    size_t count, room;
    uint64_t skipped;            /* files in folders that are none of ours */
    bool folders;                /* an operand was a folder */
    bool empty;                  /* one held nothing to check, which was said */
};

/* Finds them. Folders are walked to the end, symbolic links followed and each folder entered once, so that links that
 * lead back end there. In a folder only names that end in .vxg, .vxp or .ktx2, case apart, count, and of the last those
 * that are not vxb_texture_is_other(). What can't be looked at, or is no regular file, is a place with a failure. Returns the exit code: CLI_EXIT_LIMIT without memory. */
int verify_files_find(const char *const *operands, size_t count, struct verify_files *out);
void verify_files_clear(struct verify_files *files);

#endif
