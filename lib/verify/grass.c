/* The data pass of verify. Workers take runs of chunks from a shared counter; what they learn is folded and summed in
 * ways that do not depend on who took which, so the report is the same for any number of threads. At VXB_VERIFY_HASH it
 * is the same pass without the blades; at VXB_VERIFY_HEADER there is none. */
#include "grass.h"

#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/text.h"
#include "../grass/legacy.h"

/* Chunks taken at once: below a window, enough to make the lock cheap, and not more than share large ones out. */
enum { RUN_MOST = 32 };
#define RUN_BYTES ((uint64_t)1 << 20)

/* For the chunks of all workers beside the first. */
#define MORE_BYTES ((uint64_t)32 << 20)

struct shared {
    const struct vxb_grass *grass;
    const struct vxb_env *env;
    struct vxbi_mutex *mutex;
    size_t records_bytes;      /* a worker's buffer: the largest chunk */
    uint32_t run;
    bool blades;               /* looks at them too */
    /* Under the mutex. */
    uint32_t next;
    uint64_t done;
    enum vxb_status status;    /* of the first chunk that could not be read */
    uint32_t failed_at;
    struct vxb_error err;
};

struct worker {
    struct vxbi_fold fold;
    struct vxbi_collect collect;
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX];
    bool unbounded;            /* a chunk's own values are nothing to make bounds of */
    uint64_t chunks, blades, hashes, hashed_bytes, bytes;
    uint8_t *records;
    struct vxb_grass_scratch *scratch;
    struct vxb_error err;
};

struct pass {
    struct shared shared;
    struct worker *workers;
    uint32_t worker_count;
    bool unbounded;
};

static void fail(struct shared *shared, uint32_t index, enum vxb_status status, const struct vxb_error *err)
{
    vxbi_mutex_lock(shared->mutex);
    if (!shared->status || index < shared->failed_at) {
        shared->status = status;
        shared->failed_at = index;
        shared->err = *err;
    }
    vxbi_mutex_unlock(shared->mutex);
}

/* Takes the next run; 0 chunks: there is none, or the pass has failed. */
static uint32_t take(struct shared *shared, uint32_t done, uint32_t *first)
{
    uint32_t all = shared->grass->header.chunk_count, n = 0;
    const struct vxb_env *env = shared->env;
    vxbi_mutex_lock(shared->mutex);
    shared->done += done;
    if (done)
        vxbi_progress(env, "verify", shared->done, all);
    if (!shared->status && vxbi_cancelled(env)) {
        shared->status = vxbi_fail(&shared->err, VXB_ERR_CANCELLED, "cancelled");
        shared->failed_at = 0;
    }
    if (!shared->status) {
        n = all - shared->next < shared->run ? all - shared->next : shared->run;
        *first = shared->next;
        shared->next += n;
    }
    vxbi_mutex_unlock(shared->mutex);
    return n;
}

/* The padding before a chunk's data; the first chunk's was looked at with the tables. */
static uint64_t gap_bytes(const struct vxb_grass *grass, const struct vxb_grass_chunk *before,
                          const struct vxb_grass_chunk *chunk)
{
    uint64_t end = before ? before->data_offset + before->data_bytes : grass->layout.data;
    uint64_t gap = chunk->data_offset - end;
    const bool raw = grass->header.format != 1 && !(grass->header.flags & VXB_GRASS_ZSTD);
    return raw && gap < VXB_GRASS_CHUNK_ALIGN ? gap : 0;
}

/* What a chunk whose records are there adds to the sums. */
static void add_chunk(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk, bool blades,
                      struct worker *w)
{
    if (grass->header.format != 1) {
        w->hashes++;
        w->hashed_bytes += (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    }
    if (!blades)
        return;
    uint32_t section = vxbi_grass_section_of(grass, index);
    if (section < grass->header.section_count && isfinite(chunk->min_y) && isfinite(chunk->max_y) &&
        isfinite(chunk->max_scale))
        vxbi_grass_bounds_add(grass, &w->bounds[section], chunk, w->records, w->scratch);
    else
        w->unbounded = true;
    w->chunks++;
    w->blades += chunk->blade_count;
}

static enum vxb_status check_chunk(const struct shared *shared, uint32_t index, const struct vxb_grass_chunk *before,
                                   struct vxb_grass_chunk *chunk, struct worker *w)
{
    const struct vxb_grass *grass = shared->grass;
    bool usable = false;
    if (!vxbi_grass_readable(grass, chunk))
        return VXB_OK;
    w->collect.ordinal = index;
    enum vxb_status status = before ? vxbi_grass_check_gap(grass, index, before, chunk, &w->collect, &w->err) : VXB_OK;
    if (!status)
        status = vxbi_grass_fetch(grass, index, chunk, w->records, w->scratch, &w->collect, &usable, &w->err);
    if (status || !usable)
        return status;
    add_chunk(grass, index, chunk, shared->blades, w);
    w->bytes += chunk->data_bytes + gap_bytes(grass, before, chunk);
    return VXB_OK;
}

static void work(void *user, uint32_t k)
{
    struct pass *pass = user;
    struct shared *shared = &pass->shared;
    const struct vxb_grass *grass = shared->grass;
    struct worker *w = &pass->workers[k];
    struct vxb_grass_chunk chunks[RUN_MOST + 1];
    uint32_t first = 0, n = 0;
    w->records = vxbi_new(&grass->allocator, 1, shared->records_bytes);
    w->scratch = vxbi_grass_scratch_new(&grass->allocator);
    if (!w->records || !w->scratch)
        fail(shared, 0, vxbi_fail_memory(&w->err, shared->records_bytes), &w->err);
    else
        vxbi_grass_scratch_skip_blades(w->scratch, !shared->blades);
    while ((n = take(shared, n, &first)) > 0) {
        /* One more before the run, for the gap. */
        uint32_t lead = first > 0;
        enum vxb_status status = vxbi_grass_entries(grass, first - lead, n + lead, chunks, NULL, NULL, &w->err);
        uint32_t i = 0;
        for (; !status && i < n; i++)
            status = check_chunk(shared, first + i, i + lead ? &chunks[i + lead - 1] : NULL, &chunks[i + lead], w);
        if (status)
            fail(shared, first + i, status, &w->err);
    }
    vxbi_delete(&grass->allocator, w->records, 1, shared->records_bytes);
    vxb_grass_scratch_free(w->scratch);
    w->records = NULL;
    w->scratch = NULL;
}

/* The bounds in the header against those of every blade. */
static void check_bounds(const struct vxb_grass *grass, const struct vxbi_bounds_section *bounds,
                         struct vxbi_collect *c)
{
    static const char *const names[3] = {"x", "y", "z"};
    const struct vxb_grass_header *h = &grass->header;
    const bool legacy = h->format == 1;
    float low[3], high[3];
    char text[4][VXB_TEXT_NUMBER_ROOM];
    vxbi_bounds_close(bounds, grass->radius, h->section_count, low, high);
    for (unsigned i = 0; i < 3; i++)
        if (low[i] != h->bounds_min[i] || high[i] != h->bounds_max[i])
            vxbi_found(c, legacy ? VXB_FINDING_LEGACY_BOUNDS : VXB_FINDING_BOUNDS, (legacy ? 24 : 64) + 4 * i,
                       vxbi_pointer(c, "/header/bounds_%s/%u",
                                                                       low[i] != h->bounds_min[i] ? "min" : "max", i),
                       "the bounds along %s are %s to %s, those of the blades %s to %s", names[i],
                       vxb_text_f32(h->bounds_min[i], text[0]), vxb_text_f32(h->bounds_max[i], text[1]),
                       vxb_text_f32(low[i], text[2]), vxb_text_f32(high[i], text[3]));
}

/* How many workers memory allows: the limit, and that what one takes beside the first stays the same for any file. */
static enum vxb_status plan_memory(const struct vxb_grass *grass, const struct vxbi_grass_walk *walk, uint32_t run,
                                   uint32_t *workers, struct vxb_error *err)
{
    uint64_t need = walk->most_raw_bytes;
    if (grass->header.format == 1 || (grass->header.flags & VXB_GRASS_ZSTD))
        need += walk->most_bytes;
    if (grass->header.flags & VXB_GRASS_SPLIT)
        need += walk->most_raw_bytes;
    if (need > grass->max_memory) {
        vxbi_fail_max_memory(err, grass->max_memory, "the largest chunk takes %" PRIu64 " bytes", need);
        return vxbi_error_in(err, VXB_ERR_LIMIT, grass->name, NULL);
    }
    const uint64_t runs = ((uint64_t)grass->header.chunk_count + run - 1) / run, more = 1 + MORE_BYTES / need;
    *workers = *workers > runs ? (uint32_t)runs : *workers;
    *workers = *workers > more ? (uint32_t)more : *workers;
    *workers = *workers > grass->max_memory / need ? (uint32_t)(grass->max_memory / need) : *workers;
    return VXB_OK;
}

static enum vxb_status run_pass(struct pass *pass, struct vxbi_fold *fold, struct vxbi_bounds_section *bounds,
                                struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    for (uint32_t k = 0; k < pass->worker_count; k++) {
        struct worker *w = &pass->workers[k];
        w->fold.allocator = fold->allocator;
        w->collect = (struct vxbi_collect){.add = vxbi_fold_add, .user = &w->fold};
    }
    vxbi_parallel(pass->worker_count, work, pass);
    for (uint32_t k = 0; k < pass->worker_count; k++) {
        struct worker *w = &pass->workers[k];
        vxbi_fold_merge(fold, &w->fold);
        vxbi_fold_clear(&w->fold);
        for (uint32_t i = 0; i < VXB_GRASS_SECTIONS_MAX; i++)
            vxbi_bounds_merge(&bounds[i], &w->bounds[i]);
        pass->unbounded = pass->unbounded || w->unbounded;
        coverage->chunks_checked += w->chunks;
        coverage->blades_checked += w->blades;
        coverage->hashes_checked += w->hashes;
        coverage->bytes_hashed += w->hashed_bytes;
        coverage->bytes_checked += w->bytes;
    }
    if (pass->shared.status && err && err->status == VXB_OK)
        *err = pass->shared.err;
    return pass->shared.status;
}

static enum vxb_status check_data(const struct vxb_env *env, const struct vxb_grass *grass,
                                  const struct vxbi_grass_walk *walk, struct vxbi_fold *fold,
                                  struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX] = {0};
    struct pass pass = {.shared = {.grass = grass, .env = env, .records_bytes = (size_t)walk->most_raw_bytes,
                                   .blades = coverage->level == VXB_VERIFY_FULL},
                        .worker_count = vxbi_thread_count(env)};
    enum vxb_status status = VXB_OK;
    if (walk->readable) {
        const uint64_t run = RUN_BYTES / walk->most_raw_bytes;
        pass.shared.run = run < 1 ? 1 : run < RUN_MOST ? (uint32_t)run : RUN_MOST;
        status = plan_memory(grass, walk, pass.shared.run, &pass.worker_count, err);
        if (status)
            return status;
        pass.workers = vxbi_new_zero(&grass->allocator, pass.worker_count, sizeof *pass.workers);
        pass.shared.mutex = vxbi_mutex_new(&grass->allocator);
        if (pass.workers && pass.shared.mutex)
            status = run_pass(&pass, fold, bounds, coverage, err);
        else
            status = vxbi_fail_memory(err, pass.worker_count * sizeof *pass.workers);
        vxbi_mutex_free(&grass->allocator, pass.shared.mutex);
        vxbi_delete(&grass->allocator, pass.workers, pass.worker_count, sizeof *pass.workers);
    }
    if (status)
        return status;
    coverage->hashes = coverage->hashes_checked == coverage->hashes_total;
    coverage->blades = pass.shared.blades && coverage->chunks_checked == coverage->chunks_total;
    const bool bounded = grass->radius_known && !pass.unbounded;
    coverage->complete = (pass.shared.blades ? coverage->blades && bounded : coverage->hashes) && !grass->unjudged;
    if (coverage->blades && grass->header.blade_count && bounded) {
        struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
        check_bounds(grass, bounds, &collect);
    }
    return VXB_OK;
}

enum vxb_status vxbi_verify_opened(const struct vxb_env *env, struct vxb_grass *grass, enum vxb_verify_level level,
                                   struct vxb_grass **out, struct vxbi_fold *fold,
                                   struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    struct vxbi_grass_walk walk;
    struct vxbi_collect collect = {.add = vxbi_fold_add, .user = fold};
    *coverage = (struct vxb_verify_coverage){.level = level};
    *out = NULL;
    enum vxb_status status = vxbi_grass_load(grass, env, &collect, &walk, err);
    coverage->header = grass->known >= VXBI_GRASS_HEADER;
    coverage->tables = grass->known >= VXBI_GRASS_SECTIONS;
    coverage->bytes_total = grass->size;
    coverage->bytes_checked = !coverage->header ? 0 : grass->header.format == 1 ? VXBI_LEGACY_HEADER_BYTES
                                                                               : VXB_GRASS_HEADER_BYTES;
    if (!status && coverage->tables) {
        coverage->chunks_total = grass->header.chunk_count;
        coverage->blades_total = grass->header.blade_count;
        coverage->hashes_total = grass->header.format == 1 ? 0 : grass->header.chunk_count;
        coverage->bytes_checked = grass->layout.data;
        if (level == VXB_VERIFY_HEADER || (level == VXB_VERIFY_HASH && grass->header.format == 1))
            coverage->complete = !grass->unjudged;
        else
            status = check_data(env, grass, &walk, fold, coverage, err);
    }
    if (!status && fold->out_of_memory)
        status = vxbi_fail_memory(err, sizeof(struct vxbi_fold_entry));
    if (status) {
        vxbi_error_in(err, status, grass->name, NULL);
        vxb_grass_close(grass);
        return status;
    }
    *out = grass;
    return VXB_OK;
}

enum vxb_status vxbi_verify_grass(const struct vxb_env *env, const char *path, const struct vxb_source *source,
                                  struct vxb_grass **out, struct vxbi_fold *fold,
                                  struct vxb_verify_coverage *coverage, struct vxb_error *err)
{
    struct vxb_grass *grass = NULL;
    *out = NULL;
    enum vxb_status status = vxbi_grass_new(env, path, source, source ? "the source" : NULL, &grass, err);
    return status ? status : vxbi_verify_opened(env, grass, VXB_VERIFY_FULL, out, fold, coverage, err);
}
