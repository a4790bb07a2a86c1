/* Fuzz target of the irradiance field's reader. The first byte's lowest bit says whether hashes and identities are made
 * right before the rest is read, since no fuzzer finds one. Reading strictly and verifying must agree: what verify
 * finds no error in is read whole, and what is read whole has no error but of how its bricks fit together, which verify
 * alone looks at. */
#include <stdlib.h>

#include "../bad_probes.h"
#include "verify/probes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum vxb_status read_strictly(const struct vxb_env *env, const struct vxb_source *source)
{
    struct vxb_probe_file *file = NULL;
    struct vxb_probe_field *field = NULL;
    struct vxb_probe_statistics statistics;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_probe_file_open_source(env, source, NULL, &file, &err);
    if (!status)
        status = vxb_probe_file_field(env, file, &field, &err);
    if (!status)
        status = vxb_probe_file_statistics(env, file, &statistics, &err);
    if (status != err.status || (status && !err.message[0]))
        abort();
    vxb_probe_field_free(field);
    vxb_probe_file_close(file);
    return status;
}

static void check(const struct vxb_env *env, const struct vxb_source *source, enum vxb_status strict)
{
    const struct vxbi_probe_from from = {.path = "file", .source = source};
    struct vxbi_fold fold = {.allocator = vxbi_allocator(env)};
    struct vxb_verify_coverage coverage;
    struct vxb_probe_file *file;
    struct vxb_probe_field *field;
    enum vxb_status status = vxbi_verify_probes(env, &from, VXB_VERIFY_FULL, &fold, &coverage, &file, &field, NULL);
    if (!status) {
        bool readable = true;
        for (uint32_t i = 0; i < fold.count; i++) {
            const struct vxb_finding_record *r = &fold.entries[i]->record;
            readable = readable && (r->severity != VXB_SEVERITY_ERROR || r->finding >= VXB_FINDING_PROBE_BORDER);
        }
        if (strict != VXB_ERR_LIMIT && (strict == VXB_OK) != readable)
            abort();
        if (fold.totals[VXB_SEVERITY_ERROR] == 0 && !coverage.complete)
            abort();
    } else if (strict == VXB_OK && status != VXB_ERR_LIMIT) {
        abort();
    }
    vxb_probe_field_free(field);
    vxb_probe_file_close(file);
    vxbi_fold_clear(&fold);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)64 << 20, .threads = 1};
    if (size < 1)
        return 0;
    struct test_probes file = {.data = malloc(size), .size = size - 1};
    if (!file.data)
        abort();
    memcpy(file.data, data + 1, file.size);
    if (data[0] & 1)
        test_probes_repair(&file);
    const struct vxb_source source = test_probes_source(&file);
    check(&env, &source, read_strictly(&env, &source));
    free(file.data);
    return 0;
}
