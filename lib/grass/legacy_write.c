/* The writer of format 1. One chunk is in memory at a time; the header, whose bounds the blades decide, comes last. */
#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "legacy.h"

enum { PIECE = 256 }; /* blades that are written together */

struct writing {
    const struct vxb_env *env;
    const struct vxb_grass *grass;
    struct vxb_output *output;
    struct vxbi_legacy_header header;
    struct vxbi_legacy_lost *lost;
    uint64_t data;        /* where blades begin */
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
};

static enum vxb_status write_entry(const struct writing *w, uint32_t index, const struct vxb_grass_chunk *chunk,
                                   struct vxb_error *err)
{
    uint8_t bytes[VXBI_LEGACY_CHUNK_BYTES];
    struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
    vxbi_put_i32(&out, chunk->cell_x);
    vxbi_put_i32(&out, chunk->cell_z);
    vxbi_put_u32(&out, chunk->first_blade);
    vxbi_put_u32(&out, chunk->blade_count);
    return vxbi_output_write_at(w->output, VXBI_LEGACY_HEADER_BYTES + (uint64_t)index * VXBI_LEGACY_CHUNK_BYTES, bytes,
                                sizeof bytes, err);
}

static void add_to_bounds(struct vxbi_legacy_header *h, bool first, const struct vxbi_legacy_blade *b)
{
    const float at[3] = {b->x, b->y, b->z};
    for (int axis = 0; axis < 3; axis++) {
        h->bounds_min[axis] = first || at[axis] < h->bounds_min[axis] ? at[axis] : h->bounds_min[axis];
        h->bounds_max[axis] = first || at[axis] > h->bounds_max[axis] ? at[axis] : h->bounds_max[axis];
    }
}

static void add_to_lost(struct vxbi_legacy_lost *lost, const struct vxb_blade *was, const struct vxbi_legacy_blade *is)
{
    const double moved[3] = {(double)is->x - was->x, (double)is->y - was->y, (double)is->z - was->z};
    for (int axis = 0; axis < 3; axis++)
        lost->moved[axis] = fabs(moved[axis]) > lost->moved[axis] ? fabs(moved[axis]) : lost->moved[axis];
}

static enum vxb_status write_blades(struct writing *w, const struct vxb_grass_chunk *chunk, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t done = 0, n; done < chunk->blade_count && !status; done += n) {
        uint8_t bytes[PIECE * VXBI_LEGACY_BLADE_BYTES];
        struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
        n = chunk->blade_count - done < PIECE ? chunk->blade_count - done : PIECE;
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t *record = w->records + (size_t)(done + i) * VXB_GRASS_RECORD_BYTES;
            struct vxb_blade was;
            struct vxbi_legacy_blade blade;
            vxb_grass_decode(&w->grass->header, chunk, record, &was);
            vxbi_legacy_unpack(&w->grass->header, chunk, &was, &blade);
            add_to_lost(w->lost, &was, &blade);
            add_to_bounds(&w->header, chunk->first_blade + done + i == 0, &blade);
            vxbi_legacy_put_blade(&out, &blade);
            w->lost->tilted += record[10] != 0 || record[11] != 0;
        }
        const uint64_t at = w->data + ((uint64_t)chunk->first_blade + done) * VXBI_LEGACY_BLADE_BYTES;
        status = vxbi_output_write_at(w->output, at, bytes, out.at, err);
    }
    return status;
}

static enum vxb_status write_chunk(struct writing *w, uint32_t index, struct vxb_error *err)
{
    struct vxb_grass_chunk chunk;
    const struct vxb_allocator *allocator = &w->grass->allocator;
    enum vxb_status status = vxb_grass_chunks(w->grass, index, 1, &chunk, err);
    const uint64_t size = (uint64_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES;
    if (status)
        return status;
    if (size > w->grass->max_memory)
        return vxbi_fail_max_memory(err, w->grass->max_memory, "chunk %" PRIu32 " takes %" PRIu64 " bytes", index,
                                    size);
    if (size > w->room) {
        vxbi_delete(allocator, w->records, w->room, 1);
        w->records = vxbi_new(allocator, size, 1);
        w->room = w->records ? size : 0;
        if (!w->records)
            return vxbi_fail_memory(err, size);
    }
    status = vxb_grass_read_chunk(w->grass, &chunk, w->records, (size_t)w->room, &w->scratch, err);
    if (!status)
        status = write_entry(w, index, &chunk, err);
    return status ? status : write_blades(w, &chunk, err);
}

static enum vxb_status write_all(struct writing *w, struct vxb_error *err)
{
    const struct vxb_env *env = w->env;
    uint8_t bytes[VXBI_LEGACY_HEADER_BYTES];
    struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
    for (uint32_t i = 0; i < w->header.chunk_count; i++) {
        vxbi_progress(env, "write", i, w->header.chunk_count);
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        enum vxb_status status = write_chunk(w, i, err);
        if (status)
            return status;
    }
    vxbi_progress(env, "write", w->header.chunk_count, w->header.chunk_count);
    vxbi_legacy_put_header(&out, &w->header);
    return vxbi_output_write_at(w->output, 0, bytes, sizeof bytes, err);
}

enum vxb_status vxbi_legacy_write(const struct vxb_env *env, const struct vxb_grass *grass, struct vxb_output *output,
                                  struct vxbi_legacy_lost *lost, uint64_t *file_bytes, struct vxb_error *err)
{
    const struct vxb_grass_header *h = &grass->header;
    struct writing w = {.env = env, .grass = grass, .output = output, .lost = lost};
    w.header = (struct vxbi_legacy_header){
        .cell_size = h->cell_size, .chunk_count = h->chunk_count, .blade_count = h->blade_count};
    w.data = VXBI_LEGACY_HEADER_BYTES + (uint64_t)h->chunk_count * VXBI_LEGACY_CHUNK_BYTES;
    w.header.file_bytes = w.data + (uint64_t)h->blade_count * VXBI_LEGACY_BLADE_BYTES;
    *lost = (struct vxbi_legacy_lost){0};
    *file_bytes = w.header.file_bytes;
    enum vxb_status status = write_all(&w, err);
    vxb_grass_scratch_free(w.scratch);
    vxbi_delete(&grass->allocator, w.records, w.room, 1);
    return status;
}
