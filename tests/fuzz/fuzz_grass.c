/* Fuzz target of the grass reader. The first byte's lowest bit says whether hashes and identities are made right before
 * the rest is read, since no fuzzer finds one. Reading strictly and verifying must agree: what verify finds no error in
 * is read whole, and what is read whole has no error but those that verify alone looks for. What is read whole loads as
 * an engine loads it, and every chunk of it can be drawn. */
#include <math.h>
#include <stdlib.h>

#include "../bad_files.h"
#include "verify/grass.h"
#include "vxbake/runtime.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(buf, file->data + offset, size);
    return true;
}

static enum vxb_status read_chunks(const struct vxb_grass *grass, struct vxb_error *err)
{
    struct vxb_grass_scratch *scratch = NULL;
    enum vxb_status status = VXB_OK;
    for (uint32_t j = 0; !status && j < vxb_grass_header(grass)->chunk_count; j++) {
        struct vxb_grass_chunk chunk, same;
        bool found;
        uint32_t index;
        status = vxb_grass_chunks(grass, j, 1, &chunk, err);
        if (status && vxb_grass_header(grass)->format == 1)
            break; /* an entry is made from its blades */
        if (status)
            abort(); /* opening has looked at all of them */
        size_t room = (size_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES;
        uint8_t *records = malloc(room);
        if (!records)
            abort();
        status = vxb_grass_read_chunk(grass, &chunk, records, room, &scratch, err);
        free(records);
        if (vxb_grass_find(grass, chunk.section, chunk.cell_x, chunk.cell_z, &found, &index, &same, NULL) || !found ||
            index != j)
            abort();
    }
    vxb_grass_scratch_free(scratch);
    return status;
}

static void cull(struct vxb_culler *culler, const struct vxb_view *view, const struct vxb_ring *ring, uint64_t most)
{
    const struct vxb_cull_result *r;
    uint64_t commands = 0;
    if (vxb_cull(culler, view, ring, &r, NULL))
        abort();
    for (uint32_t i = 0; i < r->batch_count; i++)
        commands += r->batches[i].command_count;
    if (commands != r->total.commands || r->total.chunks_tested > most || r->total.chunks_visible > most)
        abort();
}

static void draw(const struct vxb_env *env, const struct vxb_runtime *runtime)
{
    const struct vxb_ring_grid grid = vxb_runtime_grid(runtime);
    struct vxb_ring *ring = NULL;
    struct vxb_culler *culler = NULL;
    uint32_t chunks;
    const struct vxb_grass_chunk *first = vxb_runtime_chunks(runtime, &chunks);
    struct vxb_view view = {.range = INFINITY, .density = 1.0f};
    if (vxb_ring_new(env, &grid, 3, &ring, NULL) || vxb_culler_new(env, runtime, &culler, NULL))
        abort();
    cull(culler, &view, NULL, chunks);
    if (chunks) {
        view.position[0] = fmaxf(fminf((float)first->cell_x * grid.cell_size, 1048576.0f), -1048576.0f);
        view.position[2] = fmaxf(fminf((float)first->cell_z * grid.cell_size, 1048576.0f), -1048576.0f);
    }
    if (vxb_ring_update(ring, view.position, 2.0f * grid.cell_size, NULL, NULL) || (chunks && !vxb_ring_count(ring)))
        abort();
    cull(culler, &view, ring, chunks);
    vxb_culler_free(culler);
    vxb_ring_free(ring);
}

static void load(const struct vxb_env *env, const struct vxb_grass *grass, enum vxb_status strict)
{
    struct vxb_runtime *runtime = NULL;
    enum vxb_status status = vxb_runtime_load(env, grass, NULL, &runtime, NULL);
    if (status == VXB_OK)
        draw(env, runtime);
    if ((status == VXB_OK) != (strict == VXB_OK) && status != VXB_ERR_LIMIT && strict != VXB_ERR_LIMIT)
        abort();
    vxb_runtime_free(runtime);
}

static enum vxb_status read_strictly(const struct vxb_env *env, const struct vxb_source *source)
{
    struct vxb_grass *grass = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_grass_open_source(env, source, NULL, &grass, &err);
    if (!status)
        status = read_chunks(grass, &err);
    if (status != err.status || (status && !err.message[0]))
        abort();
    if (grass)
        load(env, grass, status);
    vxb_grass_close(grass);
    return status;
}

static void check(const struct vxb_env *env, const struct vxb_source *source, enum vxb_status strict)
{
    struct vxb_grass *grass;
    struct vxbi_fold fold = {.allocator = vxbi_allocator(env)};
    struct vxb_verify_coverage coverage;
    enum vxb_status status = vxbi_verify_grass(env, NULL, source, &grass, &fold, &coverage, NULL);
    if (!status) {
        bool verify_alone = true;
        for (uint32_t i = 0; i < fold.count; i++) {
            const struct vxb_finding_record *r = &fold.entries[i]->record;
            verify_alone = verify_alone && (r->severity != VXB_SEVERITY_ERROR || r->finding == VXB_FINDING_BOUNDS ||
                                            r->finding == VXB_FINDING_LEGACY_BOUNDS ||
                                            r->finding == VXB_FINDING_CHUNK_GAP);
        }
        if (strict != VXB_ERR_LIMIT && (strict == VXB_OK) != verify_alone)
            abort();
        if (fold.totals[VXB_SEVERITY_ERROR] == 0 && coverage.bytes_checked != coverage.bytes_total)
            abort();
        vxb_grass_close(grass);
    } else if (strict == VXB_OK && status != VXB_ERR_LIMIT) {
        abort();
    }
    vxbi_fold_clear(&fold);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)64 << 20, .threads = 1};
    if (size < 1)
        return 0;
    struct test_file file = {.data = malloc(size), .size = size - 1};
    if (!file.data)
        abort();
    memcpy(file.data, data + 1, file.size);
    if (data[0] & 1)
        test_file_repair(&file);
    const struct vxb_source source = {.user = &file, .size = file.size, .read_at = read_at};
    check(&env, &source, read_strictly(&env, &source));
    free(file.data);
    return 0;
}
