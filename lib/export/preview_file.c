/* The preview of a baked file: its chunks read by all threads into one picture. */
#include <inttypes.h>
#include <stdatomic.h>

#include "../core/os.h"
#include "../grass/read.h"
#include "../vxbake/export.h"
#include "preview.h"

#define WINDOW 64u /* chunks a worker takes at once */

/* The cells that hold blades, cut to the field's bounds, which reach beyond the ground by what a blade's mesh needs. */
static enum vxb_status extent(const struct vxb_grass *grass, struct vxbi_preview_desc *desc, struct vxb_error *err)
{
    const struct vxb_grass_header *header = vxb_grass_header(grass);
    struct vxb_grass_chunk window[WINDOW];
    int64_t low_x = 0, low_z = 0, high_x = 0, high_z = 0;
    for (uint32_t first = 0; first < header->chunk_count; first += WINDOW) {
        uint32_t count = header->chunk_count - first < WINDOW ? header->chunk_count - first : WINDOW;
        enum vxb_status status = vxb_grass_chunks(grass, first, count, window, err);
        if (status != VXB_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            int64_t x = window[i].cell_x, z = window[i].cell_z;
            bool only = first + i == 0;
            low_x = only || x < low_x ? x : low_x;
            low_z = only || z < low_z ? z : low_z;
            high_x = only || x >= high_x ? x + 1 : high_x;
            high_z = only || z >= high_z ? z + 1 : high_z;
        }
        if (header->chunk_count - first <= WINDOW)
            break;
    }
    double size = (double)header->cell_size;
    double low[2] = {(double)low_x * size, (double)low_z * size};
    double high[2] = {(double)high_x * size, (double)high_z * size};
    for (int axis = 0; axis < 2; axis++) {
        double from = (double)header->bounds_min[axis * 2], to = (double)header->bounds_max[axis * 2];
        low[axis] = from > low[axis] ? from : low[axis];
        high[axis] = to < high[axis] ? to : high[axis];
    }
    desc->x0 = low[0];
    desc->z0 = low[1];
    desc->x1 = high[0];
    desc->z1 = high[1];
    return VXB_OK;
}

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

struct reader {
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
};

static enum vxb_status draw_chunk(struct job *job, struct reader *reader, const struct vxb_grass_chunk *chunk,
                                  struct vxb_error *err)
{
    const struct vxb_allocator *allocator = &job->grass->allocator;
    uint64_t bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    if (bytes > reader->room) {
        uint8_t *grown = vxbi_resize(allocator, reader->records, reader->room, bytes, 1);
        if (!grown)
            return vxbi_fail_memory(err, bytes);
        reader->records = grown;
        reader->room = bytes;
    }
    enum vxb_status status =
        vxb_grass_read_chunk(job->grass, chunk, reader->records, (size_t)reader->room, &reader->scratch, err);
    if (status == VXB_OK)
        vxbi_preview_add_blades(job->preview, chunk->section, vxb_grass_header(job->grass)->cell_size, chunk,
                                reader->records);
    return status;
}

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
    if (!job->stop && job->env && job->env->cancelled && job->env->cancelled(job->env->user))
        job->stop = true;
    if (!job->stop && done && job->env && job->env->progress)
        job->env->progress(job->env->user, "preview", job->done, total);
    bool more = !job->stop;
    vxbi_mutex_unlock(job->mutex);
    return more;
}

static void work(void *user, uint32_t worker)
{
    struct job *job = user;
    struct reader reader = {0};
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
            status = draw_chunk(job, &reader, &window[i], &err);
        }
        if (status != VXB_OK) {
            note_failure(job, vxbi_error_prefix(&err, status, "chunk %" PRIu64 ": ", at), &err, at);
            break; /* the others end with their windows: one of them may have an earlier failure */
        }
        if (!tell(job, count))
            break;
    }
    vxb_grass_scratch_free(reader.scratch);
    vxbi_delete(&job->grass->allocator, reader.records, reader.room, 1);
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
                            struct vxbi_output *output, struct vxb_error *err)
{
    struct vxbi_preview_legend legend = {0};
    enum vxb_status status = count_blades(env, grass, preview, err);
    if (status != VXB_OK)
        return status;
    for (uint32_t i = 0; i < vxb_grass_header(grass)->section_count; i++) {
        const struct vxb_grass_section *section = vxb_grass_section(grass, i);
        legend.names[i] = section->name[0] ? section->name : "(no name)";
        legend.blades[i] = section->blade_count;
    }
    return vxbi_preview_write(preview, &legend, output, err);
}

enum vxb_status vxb_grass_preview(const struct vxb_env *env, const struct vxb_grass *grass, enum vxb_preview_as as,
                                  uint32_t side, const char *path, struct vxb_error *err)
{
    struct vxbi_preview_desc desc = {.as = as, .side = side, .relief_from_blades = true};
    struct vxbi_preview *preview = NULL;
    struct vxbi_output *output = NULL;
    if (as != VXB_PREVIEW_SPECIES && as != VXB_PREVIEW_DENSITY)
        return vxbi_fail(err, VXB_ERR_USAGE,
                         "a file does not say what became of its candidates: a preview of reasons is made by the bake");
    desc.species_count = vxb_grass_header(grass)->section_count;
    enum vxb_status status = extent(grass, &desc, err);
    if (status == VXB_OK)
        status = vxbi_preview_new(env, &desc, &preview, err);
    /* Before the reading, which may be long. */
    if (status == VXB_OK)
        status = vxbi_output_open(env, path, &output, err);
    if (status == VXB_OK && grass->file && vxbi_output_is(output, grass->name))
        status = vxbi_fail(err, VXB_ERR_REFUSED, "the preview would replace the file it shows");
    if (status == VXB_OK)
        status = draw(env, grass, preview, output, err);
    vxbi_preview_free(preview);
    if (status != VXB_OK) {
        vxbi_output_abort(output);
        return status;
    }
    return vxbi_output_commit(output, NULL, err);
}
