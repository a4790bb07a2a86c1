/* The reader of .vxgrass rules: any bytes as one. */
#include <stdlib.h>

#include "recipe/vxgrass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vxbi_arena arena = {.allocator = vxbi_allocator(NULL)};
    struct vxb_error err = {0};
    struct vxbi_check check = {.path = "fuzz.json", .folder = "", .arena = &arena, .first = &err};
    struct vxbi_rule rule;
    bool good = vxbi_rule_parse(&check, "fuzz.vxgrass", NULL, data, size, &rule);
    if (good != (err.status == VXB_OK) || check.status != err.status)
        abort();
    vxbi_arena_clear(&arena);
    return 0;
}
