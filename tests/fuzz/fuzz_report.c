/* Fuzz target of the reader of bake reports, which verify holds a file against: any bytes as the report of one small
 * field. */
#include <stdlib.h>

#include "../bad_files.h"
#include "scratch.h"
#include "verify_bake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(buf, file->data + offset, size);
    return true;
}

static void look(void *user, const struct vxbi_found *found)
{
    (void)user;
    if (!found->message[0] || !found->pointer)
        abort();
}

/* Opened once: the file is no part of the input. */
static const struct vxb_grass *field(void)
{
    static struct test_file file;
    static struct vxb_grass *grass;
    if (!grass) {
        file = test_field_make(&test_field_3);
        const struct vxb_source source = {.user = &file, .size = file.size, .read_at = read_at};
        if (vxb_grass_open_source(NULL, &source, NULL, &grass, NULL) != VXB_OK)
            abort();
    }
    return grass;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vxb_error err = {0};
    struct vxbi_collect collect = {.add = look};
    const enum vxb_status status =
        vxbi_verify_ledger(NULL, field(), scratch_put("report.json", data, size), &collect, &err);
    if (status != err.status || status == VXB_ERR_BUG || (status && !err.message[0]))
        abort();
    return 0;
}
