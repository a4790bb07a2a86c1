/* The preview of a baked file: its chunks read by all threads into one picture. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "../core/env.h"
#include "../core/os.h"
#include "../grass/read.h"
#include "../vxbake/export.h"
#include "preview.h"

#define WINDOW 64u /* chunks a worker takes at once */

struct reader {
    const struct vxb_grass *grass;
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
};

static enum vxb_status read_chunk(struct reader *reader, const struct vxb_grass_chunk *chunk, struct vxb_error *err)
{
    uint64_t bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    if (bytes > reader->room) {
        uint8_t *grown = vxbi_resize(&reader->grass->allocator, reader->records, reader->room, bytes, 1);
        if (!grown)
            return vxbi_fail_memory(err, bytes);
        reader->records = grown;
        reader->room = bytes;
    }
    return vxb_grass_read_chunk(reader->grass, chunk, reader->records, (size_t)reader->room, &reader->scratch, err);
}

static void end_reader(struct reader *reader)
{
    vxb_grass_scratch_free(reader->scratch);
    vxbi_delete(&reader->grass->allocator, reader->records, reader->room, 1);
}

/* ---- the rectangle ---- */

/* The cells that hold blades, and where in the outermost of them the blades stand: on each axis the first and last
 * cell, and the least and greatest place (of 65536) in those. */
struct extent {
    int32_t first[2], last[2];
    uint16_t low[2], high[2];
    bool any;
};

static void add_cell(struct extent *extent, const struct vxb_grass_chunk *chunk)
{
    const int32_t cell[2] = {chunk->cell_x, chunk->cell_z};
    for (int axis = 0; axis < 2; axis++) {
        if (!extent->any || cell[axis] < extent->first[axis])
            extent->first[axis] = cell[axis];
        if (!extent->any || cell[axis] > extent->last[axis])
            extent->last[axis] = cell[axis];
    }
    extent->any = true;
}

static bool is_outermost(const struct extent *extent, const struct vxb_grass_chunk *chunk)
{
    return chunk->cell_x == extent->first[0] || chunk->cell_x == extent->last[0] ||
           chunk->cell_z == extent->first[1] || chunk->cell_z == extent->last[1];
}

static void add_places(struct extent *extent, const struct vxb_grass_chunk *chunk, const uint8_t *records)
{
    const int32_t cell[2] = {chunk->cell_x, chunk->cell_z};
    for (uint32_t i = 0; i < chunk->blade_count; i++)
        for (int axis = 0; axis < 2; axis++) {
            uint16_t place = vxbi_load_u16(records + (size_t)i * VXB_GRASS_RECORD_BYTES + 2 * axis);
            if (cell[axis] == extent->first[axis] && place < extent->low[axis])
                extent->low[axis] = place;
            if (cell[axis] == extent->last[axis] && place > extent->high[axis])
                extent->high[axis] = place;
        }
}

/* One walk over the chunk table: with reader NULL for the cells, then for the places in the outermost. */
static enum vxb_status walk(const struct vxb_grass *grass, struct extent *extent, struct reader *reader,
                            struct vxb_error *err)
{
    struct vxb_grass_chunk window[WINDOW];
    uint64_t total = vxb_grass_header(grass)->chunk_count;
    enum vxb_status status = VXB_OK;
    for (uint64_t first = 0; first < total && status == VXB_OK; first += WINDOW) {
        uint32_t count = total - first < WINDOW ? (uint32_t)(total - first) : WINDOW;
        status = vxb_grass_chunks(grass, (uint32_t)first, count, window, err);
        for (uint32_t i = 0; i < count && status == VXB_OK; i++) {
            if (!reader) {
                add_cell(extent, &window[i]);
            } else if (is_outermost(extent, &window[i])) {
                status = read_chunk(reader, &window[i], err);
                if (status == VXB_OK)
                    add_places(extent, &window[i], reader->records);
                else
                    vxbi_error_prefix(err, status, "chunk %" PRIu64 ": ", first + i);
            }
        }
    }
    return status;
}

/* Where blades stand, to whole metres outward. The header's bounds would not do: they reach as far as meshes do. */
static enum vxb_status find_rectangle(const struct vxb_grass *grass, struct vxbi_preview_desc *desc,
                                      struct vxb_error *err)
{
    struct extent extent = {.low = {65535, 65535}};
    struct reader reader = {.grass = grass};
    double size = (double)vxb_grass_header(grass)->cell_size;
    enum vxb_status status = walk(grass, &extent, NULL, err);
    if (status == VXB_OK)
        status = walk(grass, &extent, &reader, err);
    end_reader(&reader);
    if (status != VXB_OK || !extent.any)
        return status;
    desc->x0 = floor((extent.first[0] + extent.low[0] / 65536.0) * size);
    desc->z0 = floor((extent.first[1] + extent.low[1] / 65536.0) * size);
    desc->x1 = ceil((extent.last[0] + (extent.high[0] + 1.0) / 65536.0) * size);
    desc->z1 = ceil((extent.last[1] + (extent.high[1] + 1.0) / 65536.0) * size);
    return VXB_OK;
}

/* ---- the reading ---- */

struct job {
    const struct vxb_env *env;
    const struct vxb_grass *grass;
    struct vxbi_preview *preview;
    _Atomic uint64_t next;    /* chunk that nobody has taken yet */
    struct vxbi_mutex *mutex; /* over what follows, and the environment's callbacks */
    enum vxb_status status;
    struct vxb_error err;
    uint64_t failed_at;       /* of several failures the first in the file is told, whoever met it first */
    uint64_t done;
    bool stop;
};

static void note_failure(struct job *job, enum vxb_status status, const struct vxb_error *err, uint64_t chunk)
{
    vxbi_mutex_lock(job->mutex);
    if (job->status == VXB_OK || chunk < job->failed_at) {
        job->status = status;
        job->err = *err;
        job->failed_at = chunk;
    }
    vxbi_mutex_unlock(job->mutex);
}

/* False where the work is to end. */
static bool tell(struct job *job, uint32_t done)
{
    uint64_t total = vxb_grass_header(job->grass)->chunk_count;
    vxbi_mutex_lock(job->mutex);
    job->done += done;
    if (!job->stop && vxbi_cancelled(job->env))
        job->stop = true;
    if (!job->stop && done)
        vxbi_progress(job->env, "preview", job->done, total);
    bool more = !job->stop;
    vxbi_mutex_unlock(job->mutex);
    return more;
}

static void work(void *user, uint32_t worker)
{
    struct job *job = user;
    struct reader reader = {.grass = job->grass};
    struct vxb_grass_chunk window[WINDOW];
    uint64_t total = vxb_grass_header(job->grass)->chunk_count;
    (void)worker;
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&job->next, WINDOW, memory_order_relaxed);
        if (first >= total)
            break;
        uint32_t count = total - first < WINDOW ? (uint32_t)(total - first) : WINDOW;
        struct vxb_error err = {0};
        uint64_t at = first;
        enum vxb_status status = vxb_grass_chunks(job->grass, (uint32_t)first, count, window, &err);
        for (uint32_t i = 0; i < count && status == VXB_OK; i++) {
            at = first + i;
            status = read_chunk(&reader, &window[i], &err);
            if (status == VXB_OK)
                vxbi_preview_add_blades(job->preview, window[i].section, vxb_grass_header(job->grass)->cell_size,
                                        &window[i], reader.records);
        }
        if (status != VXB_OK) {
            note_failure(job, vxbi_error_prefix(&err, status, "chunk %" PRIu64 ": ", at), &err, at);
            break; /* the others end with their windows: one of them may have an earlier failure */
        }
        if (!tell(job, count))
            break;
    }
    end_reader(&reader);
}

static enum vxb_status count_blades(const struct vxb_env *env, const struct vxb_grass *grass,
                                    struct vxbi_preview *preview, struct vxb_error *err)
{
    uint32_t threads = vxbi_thread_count(env);
    uint64_t windows = (vxb_grass_header(grass)->chunk_count + (uint64_t)WINDOW - 1) / WINDOW;
    struct job job = {.env = env, .grass = grass, .preview = preview, .mutex = vxbi_mutex_new(&grass->allocator)};
    if (!job.mutex)
        return vxbi_fail_memory(err, 64);
    if (tell(&job, 0))
        vxbi_parallel(threads < windows ? threads : windows ? (uint32_t)windows : 1, work, &job);
    vxbi_mutex_free(&grass->allocator, job.mutex);
    if (job.stop)
        return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    if (job.status != VXB_OK && err && err->status == VXB_OK)
        *err = job.err;
    return job.status;
}

static enum vxb_status draw(const struct vxb_env *env, const struct vxb_grass *grass, struct vxbi_preview *preview,
                            struct vxb_output *output, struct vxb_error *err)
{
    struct vxbi_preview_legend legend = {0};
    enum vxb_status status = count_blades(env, grass, preview, err);
    if (status != VXB_OK)
        return status;
    for (uint32_t i = 0; i < vxb_grass_header(grass)->section_count; i++) {
        const struct vxb_grass_section *section = vxb_grass_section(grass, i);
        legend.names[i] = section->name[0] ? section->name : "(no name)";
        legend.blades[i] = section->blade_count;
        legend.parts[i] = section->share;
    }
    return vxbi_preview_write(preview, &legend, output, err);
}

enum vxb_status vxb_grass_preview(const struct vxb_env *env, const struct vxb_grass *grass, enum vxb_preview_as as,
                                  uint32_t side, const char *path, struct vxb_error *err)
{
    struct vxbi_preview_desc desc = {.as = as, .side = side, .relief_from_blades = true};
    struct vxbi_preview *preview = NULL;
    struct vxb_output *output = NULL;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status != VXB_OK)
        return status;
    if (as != VXB_PREVIEW_SPECIES && as != VXB_PREVIEW_DENSITY)
        return vxbi_fail(err, VXB_ERR_USAGE,
                         "a file does not say what became of its candidates: a preview of reasons is made by the bake");
    desc.species_count = vxb_grass_header(grass)->section_count;
    status = find_rectangle(grass, &desc, err);
    if (status == VXB_OK)
        status = vxbi_preview_new(env, &desc, &preview, err);
    /* Before the reading, which may be long. */
    if (status == VXB_OK)
        status = vxb_output_open(env, path, &output, err);
    if (status == VXB_OK && grass->file && vxb_output_is(output, grass->name))
        status = vxbi_fail(err, VXB_ERR_REFUSED, "the preview would replace the file it shows");
    if (status == VXB_OK)
        status = draw(env, grass, preview, output, err);
    vxbi_preview_free(preview);
    if (status != VXB_OK) {
        vxb_output_abort(output);
        return status;
    }
    return vxb_output_commit(output, err);
}
