/* The writer of formats 2 and 3. Chunks are read from where they come from, hashed, perhaps compressed, and written
 * by all workers at once; places in the file are given out in file order, so the bytes do not depend on who was
 * first. Tables (write_tables.c) and header follow when all chunks are known. */
#include "write.h"

#include <stdatomic.h>
#include <string.h>
#include <zstd.h>

#include "../core/bytes.h"
#include "../core/env.h"
#include "format.h"
#include "write_tables.h"

#define BATCH_BYTES (256u << 10)

struct writing {
    const struct vxb_env *env;
    struct vxbi_write_input *input;
    struct vxb_output *output;
    const struct vxbi_write_options *options;
    struct vxbi_mutex *lock;
    uint32_t section;      /* the next chunk to take */
    uint64_t chunk;
    uint64_t taken, given; /* chunks taken; places given out where a chunk's size is known late: in the same order */
    uint64_t total;
    uint64_t end;          /* of the data so far */
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX];
    struct writer *idle;   /* those that wait for the next chunk that is handed over */
    atomic_bool stop;
    enum vxb_status status;
    struct vxb_error *err;
};

struct buffer {
    uint8_t *data;
    uint64_t room;
};

/* One worker's own. */
struct writer {
    struct writing *w;
    uint32_t number;
    struct buffer records, split, packed;
    ZSTD_CCtx *zstd;
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX];
    struct vxb_error why;
    struct writer *next;
};

struct job {
    uint32_t section;
    uint64_t number; /* among all chunks */
    struct vxbi_field_chunk *chunk;
    uint64_t offset;
};

static enum vxb_status reserve(const struct vxb_allocator *allocator, struct buffer *buffer, uint64_t size,
                               struct vxb_error *err)
{
    if (size <= buffer->room)
        return VXB_OK;
    vxbi_delete(allocator, buffer->data, buffer->room, 1);
    buffer->data = vxbi_new(allocator, size, 1);
    buffer->room = buffer->data ? size : 0;
    return buffer->data ? VXB_OK : vxbi_fail_memory(err, size);
}

static void stop_with(struct writing *w, enum vxb_status status, const struct vxb_error *why)
{
    vxbi_mutex_lock(w->lock);
    if (!w->status) {
        w->status = status;
        if (w->err && w->err->status == VXB_OK)
            *w->err = *why;
    }
    atomic_store(&w->stop, true);
    vxbi_mutex_wake(w->lock);
    vxbi_mutex_unlock(w->lock);
}

/* Where the next chunk's data goes. */
static uint64_t place(struct writing *w, uint64_t size)
{
    uint64_t start = w->options->compress ? w->end : vxbi_grass_raw_start(w->end);
    w->end = start + size;
    return start;
}

/* The next chunk in file order; a raw one gets its place at once. */
static bool take_chunk(struct writing *w, struct job *job)
{
    vxbi_mutex_lock(w->lock);
    while (w->section < w->input->header.section_count && w->chunk == w->input->counts[w->section]) {
        w->section++;
        w->chunk = 0;
    }
    bool any = w->section < w->input->header.section_count;
    if (any) {
        job->section = w->section;
        job->chunk = &w->input->chunks[w->section][w->chunk++];
        job->number = w->taken++;
        if (!w->options->compress)
            job->offset = place(w, (uint64_t)job->chunk->blade_count * VXB_GRASS_RECORD_BYTES);
    }
    vxbi_mutex_unlock(w->lock);
    return any;
}

/* The place of a chunk whose size is known late: in file order, so whoever is early waits. False where the work was
 * stopped. */
static bool place_in_order(struct writing *w, struct job *job, uint64_t size)
{
    vxbi_mutex_lock(w->lock);
    while (w->given != job->number && !atomic_load(&w->stop))
        vxbi_mutex_wait(w->lock);
    bool mine = w->given == job->number;
    if (mine) {
        job->offset = place(w, size);
        w->given++;
        vxbi_mutex_wake(w->lock);
    }
    vxbi_mutex_unlock(w->lock);
    return mine;
}

static float largest_scale(const uint8_t *records, uint32_t count)
{
    /* The codes of positive binary16 numbers are in the order of their values. */
    uint16_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t code = vxbi_load_u16(records + (size_t)i * VXB_GRASS_RECORD_BYTES + 8);
        most = code > most ? code : most;
    }
    return vxbi_f16_value(most);
}

/* Into packed. */
static enum vxb_status compress(struct writer *me, const uint8_t *from, size_t size, size_t *packed)
{
    const struct vxbi_write_options *options = me->w->options;
    enum vxb_status status = reserve(&me->w->input->allocator, &me->packed, ZSTD_compressBound(size), &me->why);
    if (!status && options->split) {
        status = reserve(&me->w->input->allocator, &me->split, size, &me->why);
        if (!status)
            vxbi_grass_split(me->split.data, from, size);
        from = me->split.data;
    }
    if (status)
        return status;
    *packed = ZSTD_compress2(me->zstd, me->packed.data, (size_t)me->packed.room, from, size);
    if (ZSTD_isError(*packed))
        return vxbi_fail(&me->why, VXB_ERR_MEMORY, "zstd cannot compress a chunk of %zu bytes: %s", size,
                         ZSTD_getErrorName(*packed));
    return VXB_OK;
}

/* All that the file says of a chunk but where it is. */
static void describe(struct writing *w, uint32_t section, struct vxbi_field_chunk *chunk, const uint8_t *records,
                     struct vxbi_bounds_section *bounds)
{
    chunk->hash = vxbi_hash(records, (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES);
    chunk->max_scale = largest_scale(records, chunk->blade_count);
    struct vxb_grass_chunk entry = vxbi_grass_write_entry(chunk, section);
    vxbi_bounds_add(bounds, &entry, w->input->header.cell_size, records);
    if (w->options->sink)
        w->options->sink->add(w->options->sink->user, section, &entry, records, chunk->spilled);
}

/* A chunk's records into the file; place_late: there was none before. */
static enum vxb_status write_records(struct writer *me, struct job *job, const uint8_t *records, bool place_late)
{
    struct writing *w = me->w;
    struct vxbi_field_chunk *chunk = job->chunk;
    size_t size = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    enum vxb_status status = VXB_OK;
    describe(w, job->section, chunk, records, &me->bounds[job->section]);
    if (w->options->compress) {
        status = compress(me, records, size, &size);
        records = me->packed.data;
    }
    if (status || (place_late && !place_in_order(w, job, size)))
        return status;
    if (w->output)
        status = vxbi_output_write_at(w->output, job->offset, records, size, &me->why);
    /* Where it came from is done with: its words now tell where it is in the file. */
    chunk->spill_offset = job->offset;
    chunk->spilled = (uint32_t)size;
    return status;
}

static enum vxb_status write_chunk(struct writer *me, struct job *job)
{
    struct writing *w = me->w;
    const uint32_t wanted = w->options->sink ? job->chunk->spilled : job->chunk->blade_count;
    enum vxb_status status =
        reserve(&w->input->allocator, &me->records, (uint64_t)wanted * VXB_GRASS_RECORD_BYTES, &me->why);
    if (!status)
        status = w->input->read(w->input->user, me->number, job->section, job->chunk, wanted, me->records.data,
                                &me->why);
    return status ? status : write_records(me, job, me->records.data, w->options->compress);
}

static enum vxb_status open_zstd(struct writer *me)
{
    const struct vxbi_write_options *options = me->w->options;
    if (!options->compress)
        return VXB_OK;
    me->zstd = ZSTD_createCCtx();
    const bool open = me->zstd &&
                      !ZSTD_isError(ZSTD_CCtx_setParameter(me->zstd, ZSTD_c_compressionLevel, options->level)) &&
                      !ZSTD_isError(ZSTD_CCtx_setParameter(me->zstd, ZSTD_c_checksumFlag, 1)) &&
                      !ZSTD_isError(ZSTD_CCtx_setParameter(me->zstd, ZSTD_c_contentSizeFlag, 1));
    return open ? VXB_OK : vxbi_fail(&me->why, VXB_ERR_MEMORY, "zstd cannot be set up");
}

static void merge_bounds(struct writing *w, const struct writer *me)
{
    vxbi_mutex_lock(w->lock);
    for (uint32_t k = 0; k < VXB_GRASS_SECTIONS_MAX; k++)
        vxbi_bounds_merge(&w->bounds[k], &me->bounds[k]);
    vxbi_mutex_unlock(w->lock);
}

static bool keep_going(struct writing *w, uint32_t worker)
{
    if (worker == 0 && w->env && w->env->progress) {
        vxbi_mutex_lock(w->lock);
        uint64_t taken = w->taken;
        vxbi_mutex_unlock(w->lock);
        w->env->progress(w->env->user, "write", taken, w->total);
    }
    if (worker == 0 && vxbi_cancelled(w->env)) {
        struct vxb_error why = {0};
        vxbi_fail(&why, VXB_ERR_CANCELLED, "cancelled");
        stop_with(w, VXB_ERR_CANCELLED, &why);
    }
    return !atomic_load(&w->stop);
}

static void close_writer(struct writer *me)
{
    const struct vxb_allocator *allocator = &me->w->input->allocator;
    merge_bounds(me->w, me);
    ZSTD_freeCCtx(me->zstd);
    vxbi_delete(allocator, me->records.data, me->records.room, 1);
    vxbi_delete(allocator, me->split.data, me->split.room, 1);
    vxbi_delete(allocator, me->packed.data, me->packed.room, 1);
}

static void work_on_chunks(void *user, uint32_t worker)
{
    struct writer me = {.w = user, .number = worker};
    struct job job = {0};
    enum vxb_status opened = open_zstd(&me);
    if (opened)
        stop_with(me.w, opened, &me.why);
    while (keep_going(me.w, worker) && take_chunk(me.w, &job)) {
        enum vxb_status status = write_chunk(&me, &job);
        if (status)
            stop_with(me.w, status, &me.why);
    }
    close_writer(&me);
}

static void write_from_all(struct writing *w)
{
    const uint32_t threads = vxbi_thread_count(w->env);
    vxbi_parallel(threads < w->total ? threads : (uint32_t)(w->total ? w->total : 1), work_on_chunks, w);
}

/* ---- chunks that come as they like ---- */

/* Small chunks that follow each other in the file, put together with what lies between them: a file takes many small
 * pieces from many threads much more slowly than a few larger ones. */
struct batch {
    struct buffer bytes;
    uint64_t offset;
    size_t size;
};

static enum vxb_status write_batch(const struct writing *w, struct batch *batch, struct vxb_error *err)
{
    const size_t size = batch->size;
    batch->size = 0;
    return size ? vxbi_output_write_at(w->output, batch->offset, batch->bytes.data, size, err) : VXB_OK;
}

/* A chunk that follows those in it closely, and for which there is room. */
static void add_to_batch(struct batch *batch, uint64_t offset, const uint8_t *records, size_t size)
{
    const size_t at = batch->size ? (size_t)(offset - batch->offset) : 0;
    if (batch->size == 0)
        batch->offset = offset;
    memset(batch->bytes.data + batch->size, 0, at - batch->size);
    memcpy(batch->bytes.data + at, records, size);
    batch->size = at + size;
}

static enum vxb_status write_together(const struct writing *w, struct vxbi_field_chunk *const *chunks,
                                      const uint8_t *const *records, uint32_t count, struct vxb_error *err)
{
    struct batch batch = {0};
    enum vxb_status status = count > 1 ? reserve(&w->input->allocator, &batch.bytes, BATCH_BYTES, err) : VXB_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const uint64_t offset = chunks[i]->spill_offset, end = batch.offset + batch.size;
        const size_t size = chunks[i]->spilled;
        const bool alone = count == 1 || size > BATCH_BYTES / 4;
        if (alone || offset - end >= VXB_GRASS_CHUNK_ALIGN || offset + size - batch.offset > BATCH_BYTES)
            status = write_batch(w, &batch, err);
        if (!status && alone)
            status = vxbi_output_write_at(w->output, offset, records[i], size, err);
        else if (!status)
            add_to_batch(&batch, offset, records[i], size);
    }
    if (!status)
        status = write_batch(w, &batch, err);
    vxbi_delete(&w->input->allocator, batch.bytes.data, batch.bytes.room, 1);
    return status;
}

static enum vxb_status take_handed(void *user, uint32_t section, struct vxbi_field_chunk *const *chunks,
                                   const uint8_t *const *records, uint32_t count, struct vxb_error *err)
{
    struct writing *w = user;
    struct vxbi_bounds_section bounds = {0};
    for (uint32_t i = 0; i < count; i++) {
        chunks[i]->spilled = chunks[i]->blade_count;
        describe(w, section, chunks[i], records[i], &bounds);
        chunks[i]->spilled = chunks[i]->blade_count * VXB_GRASS_RECORD_BYTES;
    }
    vxbi_mutex_lock(w->lock);
    vxbi_bounds_merge(&w->bounds[section], &bounds);
    vxbi_mutex_unlock(w->lock);
    return w->output ? write_together(w, chunks, records, count, err) : VXB_OK;
}

/* Places of chunks whose sizes are known. */
static void give_places(struct writing *w)
{
    struct job job;
    while (take_chunk(w, &job))
        job.chunk->spill_offset = job.offset;
}

static void hand_over(struct writing *w, vxbi_take_chunks *take, void (*give_up)(void *user))
{
    const struct vxbi_chunk_taker taker = {.user = w, .take = take, .give_up = give_up};
    struct vxb_error why = {0};
    const enum vxb_status status = w->input->hand_over(w->input->user, &taker, &why);
    if (status)
        stop_with(w, status, &why);
}

/* ---- chunks that come in order, and have no place before ---- */

static struct writer *borrow_writer(struct writing *w, struct vxb_error *err)
{
    vxbi_mutex_lock(w->lock);
    struct writer *me = w->idle;
    if (me)
        w->idle = me->next;
    vxbi_mutex_unlock(w->lock);
    if (me)
        return me;
    me = vxbi_new_zero(&w->input->allocator, 1, sizeof *me);
    if (!me) {
        vxbi_fail_memory(err, sizeof *me);
        return NULL;
    }
    me->w = w;
    if (open_zstd(me) == VXB_OK)
        return me;
    *err = me->why;
    close_writer(me);
    vxbi_delete(&w->input->allocator, me, 1, sizeof *me);
    return NULL;
}

static void return_writer(struct writing *w, struct writer *me)
{
    vxbi_mutex_lock(w->lock);
    me->next = w->idle;
    w->idle = me;
    vxbi_mutex_unlock(w->lock);
}

static void free_writers(struct writing *w)
{
    for (struct writer *me; (me = w->idle) != NULL;) {
        w->idle = me->next;
        close_writer(me);
        vxbi_delete(&w->input->allocator, me, 1, sizeof *me);
    }
}

static enum vxb_status take_in_order(void *user, uint32_t section, struct vxbi_field_chunk *const *chunks,
                                     const uint8_t *const *records, uint32_t count, struct vxb_error *err)
{
    struct writing *w = user;
    struct vxb_error why = {0};
    struct writer *me = borrow_writer(w, &why);
    enum vxb_status status = me ? VXB_OK : why.status;
    for (uint32_t i = 0; i < count && !status; i++) {
        struct job job = {.section = section, .chunk = chunks[i],
                          .number = (uint64_t)(chunks[i] - w->input->chunks[section])};
        status = write_records(me, &job, records[i], true);
        why = me->why;
    }
    if (me)
        return_writer(w, me);
    if (status && err && err->status == VXB_OK)
        *err = why;
    return status;
}

static void stop_waiting(void *user)
{
    struct writing *w = user;
    vxbi_mutex_lock(w->lock);
    atomic_store(&w->stop, true);
    vxbi_mutex_wake(w->lock);
    vxbi_mutex_unlock(w->lock);
}

/* ---- all of it ---- */

static void close_bounds(struct writing *w)
{
    const struct vxbi_write_input *input = w->input;
    float radius[VXB_GRASS_SECTIONS_MAX] = {0};
    for (uint32_t k = 0; k < input->header.section_count; k++)
        for (uint32_t i = 0; i < input->sections[k].lod_count; i++) {
            float r = input->lods[input->sections[k].first_lod + i].mesh_radius;
            radius[k] = r > radius[k] ? r : radius[k];
        }
    vxbi_bounds_close(w->bounds, radius, input->header.section_count, w->input->header.bounds_min,
                      w->input->header.bounds_max);
}

static void write_data(struct writing *w)
{
    if (!w->input->hand_over) {
        write_from_all(w);
        return;
    }
    switch (w->input->handing) {
    case VXBI_HAND_COUNTED:
        give_places(w);
        hand_over(w, take_handed, NULL);
        break;
    case VXBI_HAND_IN_ORDER:
        hand_over(w, take_in_order, stop_waiting);
        free_writers(w);
        vxbi_grass_write_counts(w->input, w->options);
        break;
    case VXBI_HAND_NEW:
        give_places(w);
    }
}

enum vxb_status vxbi_grass_write_chunks(const struct vxb_env *env, struct vxbi_write_input *input,
                                        struct vxb_output *output, const struct vxbi_write_options *options,
                                        struct vxb_error *err)
{
    struct writing w = {.env = env, .input = input, .output = output, .options = options, .err = err};
    struct vxb_grass_header *header = &input->header;
    struct vxbi_grass_layout layout;
    w.lock = vxbi_mutex_new(&input->allocator);
    if (!w.lock)
        return vxbi_fail_memory(err, 0);
    if (input->hand_over && input->handing == VXBI_HAND_NEW)
        hand_over(&w, take_handed, NULL);
    vxbi_grass_write_counts(input, options);
    vxbi_grass_layout(header, &layout);
    w.total = header->chunk_count;
    w.end = layout.data;
    const uint64_t data_start =
        options->compress || header->chunk_count == 0 ? layout.data : vxbi_grass_raw_start(layout.data);
    if (!w.status)
        write_data(&w);
    vxbi_mutex_free(&input->allocator, w.lock);
    enum vxb_status status = w.status;
    if (!status)
        status = vxbi_grass_write_tables(input, output, &layout, data_start, err);
    if (status)
        return status;
    close_bounds(&w);
    header->file_bytes = w.end;
    uint8_t bytes[VXB_GRASS_HEADER_BYTES];
    struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
    vxbi_grass_put_header(&out, header);
    header->header_hash = vxbi_load_u64(bytes + VXB_GRASS_HEADER_BYTES - 8);
    vxbi_progress(env, "write", w.total, w.total);
    return output ? vxbi_output_write_at(output, 0, bytes, sizeof bytes, err) : VXB_OK;
}
