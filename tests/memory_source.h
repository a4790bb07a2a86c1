/* A source over a file in memory, which can be told to fail, or to shrink, while it is read. */
#ifndef TESTS_MEMORY_SOURCE_H
#define TESTS_MEMORY_SOURCE_H

#include <string.h>

#include "bad_files.h"
#include "vxbake/grass.h"

struct memory {
    struct test_file file;
    int reads_left; /* -1: any number */
};

static inline bool memory_read(void *user, uint64_t offset, void *buf, size_t size)
{
    struct memory *m = user;
    if (m->reads_left == 0 || offset > m->file.size || size > m->file.size - offset)
        return false;
    m->reads_left -= m->reads_left > 0;
    memcpy(buf, m->file.data + offset, size);
    return true;
}

static inline struct vxb_source memory_source(struct memory *m)
{
    return (struct vxb_source){.user = m, .size = m->file.size, .read_at = memory_read};
}

#endif
