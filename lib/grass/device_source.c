/* Tiles, one after another: while the device is at work on one, the one before it goes to the field. */
#include "device_source.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../core/os.h"
#include "device_compare.h"
#include "device_tile.h"

/* Candidates of a tile: enough to keep a GPU busy; and where few of them come to be blades, more, until as many blades
 * come back as bound the host's memory. */
#define TILE_GPU ((uint64_t)1 << 22)
#define TILE_OTHER ((uint64_t)1 << 18)
#define PIECE_BYTES ((uint64_t)4 << 20) /* written at once */

struct vxbi_device_source {
    struct vxb_allocator allocator;
    const struct vxb_env *env;
    struct vxb_device *device;
    struct vxbi_scatter scatter;
    struct vxbi_tile_device on;
    struct vxbi_tile tiles[2];
    uint32_t tile_cells, tile_cells_most;
    uint32_t told_cells; /* at most, where verdicts come back too */
    uint32_t threads;
    double cross_check;
};

/* ---- taking a tile's cells to the field ---- */

/* Cells to begin a tile with. */
struct beginning {
    struct vxbi_tile *tile;
    uint64_t first;
    uint32_t left;  /* at most so many */
    const uint32_t *rank_most;
    bool told;
    uint32_t count; /* so many it were */
    enum vxb_status status;
    struct vxb_error err;
};

struct delivery {
    struct vxbi_device_source *source;
    const struct vxbi_tile *tile;
    struct vxbi_making *making;
    struct beginning *beginning; /* NULL, or what the first worker does before it helps */
    struct vxbi_mutex *lock;
    uint32_t at_once; /* cells */
    atomic_uint next;
    atomic_bool stop;
    enum vxb_status status; /* the first, under the lock */
    struct vxb_error *err;
};

static void begin_tile(struct vxbi_device_source *source, struct beginning *b);

static void fail_delivery(struct delivery *d, enum vxb_status status, const struct vxb_error *why)
{
    vxbi_mutex_lock(d->lock);
    if (!d->status) {
        d->status = status;
        if (d->err && d->err->status == VXB_OK)
            *d->err = *why;
    }
    vxbi_mutex_unlock(d->lock);
    atomic_store(&d->stop, true);
}

/* Cells from first on, as many as one delivers at once. */
static enum vxb_status deliver_run(const struct delivery *d, uint32_t first, struct vxbi_scatter_work **work,
                                   struct vxb_error *err)
{
    const struct vxbi_device_source *source = d->source;
    const uint32_t left = d->tile->count - first, count = left < d->at_once ? left : d->at_once;
    struct vxbi_cell_result cells[VXBI_CELLS_AT_ONCE];
    enum vxb_status status = VXB_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        vxbi_tile_cell(&source->on, d->tile, first + i, &cells[i]);
        if (!vxbi_device_samples(source->cross_check, d->tile->first + first + i))
            continue;
        if (!*work && !(*work = vxbi_scatter_work_new(&source->allocator)))
            return vxbi_fail_memory(err, 0);
        status = vxbi_tile_compare(&source->on, d->tile, first + i, &cells[i], *work, err);
    }
    return !status && d->making ? vxbi_making_add(d->making, cells, count, err) : status;
}

static void deliver_cells(void *user, uint32_t worker)
{
    struct delivery *d = user;
    struct vxbi_scatter_work *work = NULL;
    struct vxb_error why = {0};
    enum vxb_status status = VXB_OK;
    if (worker == 0 && d->beginning)
        begin_tile(d->source, d->beginning);
    for (uint32_t i; !status && !atomic_load(&d->stop);) {
        if ((i = atomic_fetch_add(&d->next, d->at_once)) >= d->tile->count)
            break;
        status = deliver_run(d, i, &work, &why);
    }
    if (status)
        fail_delivery(d, status, &why);
    vxbi_scatter_work_free(work);
}

/* As many cells as are some megabytes, which is what a file takes best, but some for every thread. */
static uint32_t cells_at_once(const struct vxbi_device_source *source, const struct vxbi_tile *tile)
{
    const uint64_t bytes = (uint64_t)tile->blades * VXB_GRASS_RECORD_BYTES, pieces = bytes / PIECE_BYTES;
    const uint64_t parts = pieces > source->threads ? pieces : source->threads;
    const uint64_t cells = (tile->count + parts - 1) / parts;
    return cells < 1 ? 1 : cells < VXBI_CELLS_AT_ONCE ? (uint32_t)cells : VXBI_CELLS_AT_ONCE;
}

/* A tile whose blades are here. making NULL: nobody wants them, they are only checked. beginning: NULL, or a tile that
 * the device begins meanwhile. */
static enum vxb_status deliver_here(struct vxbi_device_source *source, struct vxbi_tile *tile,
                                    struct vxbi_making *making, struct beginning *beginning, struct vxb_error *err)
{
    struct delivery d = {.source = source, .tile = tile, .making = making, .beginning = beginning, .err = err};
    d.lock = vxbi_mutex_new(&source->allocator);
    enum vxb_status status = d.lock ? VXB_OK : vxbi_fail_memory(err, 0);
    if (!status) {
        const uint32_t most = tile->count + (beginning ? 1 : 0);
        d.at_once = cells_at_once(source, tile);
        atomic_init(&d.next, 0);
        atomic_init(&d.stop, false);
        vxbi_parallel(source->threads < most ? source->threads : most, deliver_cells, &d);
        status = d.status;
    }
    vxbi_mutex_free(&source->allocator, d.lock);
    tile->count = 0;
    if (status || !beginning || !beginning->status)
        return status;
    if (err && err->status == VXB_OK)
        *err = beginning->err;
    return beginning->status;
}

/* ---- telling of every candidate ---- */

static void tell_cell(const struct vxbi_device_source *source, const struct vxbi_tile *tile, uint32_t cell,
                      const struct vxbi_reason_sink *sink)
{
    enum { BLOCK = 256 };
    const uint32_t per_cell = source->on.per_cell;
    const uint8_t *verdicts = tile->verdicts + (size_t)cell * per_cell;
    const double size = (double)source->scatter.field.cell_size;
    const double corner_x = (double)tile->of.results[cell].cell_x * size;
    const double corner_z = (double)tile->of.results[cell].cell_z * size;
    float x[BLOCK], z[BLOCK];
    uint8_t reasons[BLOCK];
    for (uint32_t i = 0, n; i < per_cell; i += n) {
        n = per_cell - i < BLOCK ? per_cell - i : BLOCK;
        for (uint32_t j = 0; j < n; j++) {
            const struct vxk_candidate c = vxk_placed_at(&source->on.params, tile->of.cells[cell], i + j);
            x[j] = c.x;
            z[j] = c.z;
            reasons[j] = vxbi_tile_reason(verdicts[i + j]);
        }
        sink->add(sink->user, corner_x, corner_z, x, z, reasons, n);
    }
}

/* Whether anybody is, of any of these cells. */
static bool told(const struct vxbi_making *making, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (vxbi_making_sink(making, first + i))
            return true;
    return false;
}

/* ---- the run ---- */

/* Work on a tile's cells, count of them from first on. */
typedef enum vxb_status tile_work(struct vxbi_device_source *source, struct vxbi_tile *tile, uint64_t first,
                                  uint32_t count, const void *how, struct vxb_error *err);

/* There was no memory for a tile of count cells: nothing stays that grew, and tiles are smaller from here on. */
static void shrink(struct vxbi_device_source *source, struct vxbi_tile *tile, uint32_t count, uint32_t *cells)
{
    *cells = (count + 1) / 2;
    source->tile_cells_most = source->tile_cells_most < *cells ? source->tile_cells_most : *cells;
    vxbi_tile_device_shrink(&source->on);
    vxbi_tile_clear(&source->on, tile);
    vxbi_say(source->env, VXB_SEVERITY_NOTE, NULL, NULL,
             "%s has no memory for %" PRIu32 " cells at a time: going on with %" PRIu32,
             vxb_device_info(source->device)->name, count, *cells);
}

/* A tile that there is no memory for, on the device or here, is made smaller, down to one cell. *cells: how many it had
 * and has now. */
static enum vxb_status fit_tile(struct vxbi_device_source *source, struct vxbi_tile *tile, uint64_t first,
                                uint32_t left, uint32_t *count, uint32_t *cells, tile_work *work, const void *how,
                                struct vxb_error *err)
{
    for (;;) {
        struct vxb_error why = {0};
        *count = left < *cells ? left : *cells;
        enum vxb_status status = work(source, tile, first, *count, how, &why);
        if ((status != VXB_ERR_MEMORY && status != VXB_ERR_LIMIT) || *count == 1) {
            if (status && err && err->status == VXB_OK)
                *err = why;
            return status;
        }
        if (status == VXB_ERR_MEMORY)
            shrink(source, tile, *count, cells);
        else
            *cells = (*count + 1) / 2;
    }
}

static enum vxb_status begin_cells(struct vxbi_device_source *source, struct vxbi_tile *tile, uint64_t first,
                                   uint32_t count, const void *how, struct vxb_error *err)
{
    const struct beginning *b = how;
    return vxbi_tile_begin(&source->on, tile, first, count, b->rank_most, b->told, err);
}

static void begin_tile(struct vxbi_device_source *source, struct beginning *b)
{
    b->status = fit_tile(source, b->tile, b->first, b->left, &b->count, &source->tile_cells, begin_cells, b, &b->err);
}

static enum vxb_status begin_and_wait(struct vxbi_device_source *source, struct vxbi_tile *tile, uint64_t first,
                                      uint32_t count, const void *how, struct vxb_error *err)
{
    const enum vxb_status status = begin_cells(source, tile, first, count, how, err);
    return status ? status : vxbi_tile_wait(&source->on, tile, err);
}

/* A tile of more than one cell, whose blades there was no memory to read back: the same cells in smaller ones, all of
 * them delivered. */
static enum vxb_status make_again(struct vxbi_device_source *source, struct vxbi_tile *tile,
                                  struct vxbi_making *making, struct vxb_error *err)
{
    const struct vxbi_tile failed = *tile;
    const struct beginning b = {.rank_most = failed.rank_most, .told = failed.wants & VXK_WANTS_VERDICTS};
    enum vxb_status status = VXB_OK;
    shrink(source, tile, failed.count, &source->tile_cells);
    for (uint32_t done = 0, count; done < failed.count && !status; done += count) {
        status = fit_tile(source, tile, failed.first + done, failed.count - done, &count, &source->tile_cells,
                          begin_and_wait, &b, err);
        if (!status)
            status = deliver_here(source, tile, making, NULL, err);
    }
    return status;
}

/* What deliver_here() does, of a tile whose blades may be on their way. */
static enum vxb_status deliver(struct vxbi_device_source *source, struct vxbi_tile *tile, struct vxbi_making *making,
                               struct beginning *beginning, struct vxb_error *err)
{
    struct vxb_error why = {0};
    enum vxb_status status = vxbi_tile_wait(&source->on, tile, &why);
    if (status == VXB_ERR_MEMORY && tile->count > 1) {
        why = (struct vxb_error){0};
        status = make_again(source, tile, making, &why);
    }
    if (!status)
        return deliver_here(source, tile, making, beginning, err);
    tile->count = 0;
    if (err && err->status == VXB_OK)
        *err = why;
    return status;
}

/* The next tile's cells, where so many came to so many blades. */
static uint32_t tile_for(const struct vxbi_device_source *source, uint64_t cells, uint64_t blades)
{
    const uint64_t wanted = cells * (VXBI_TILE_BLADES_MOST / 2) / (blades ? blades : 1);
    return wanted < 1 ? 1 : wanted < source->tile_cells_most ? (uint32_t)wanted : source->tile_cells_most;
}

static void adapt(struct vxbi_device_source *source, const struct vxbi_tile *tile)
{
    const uint32_t wanted = tile_for(source, tile->count, tile->blades);
    source->tile_cells = wanted / 4 < source->tile_cells ? wanted : 4 * source->tile_cells;
}

/* Begins with a run's cells, while the tile before goes to the field. */
static enum vxb_status next_tile(struct vxbi_device_source *source, struct vxbi_making *making,
                                 struct beginning *b, struct vxbi_tile *before, struct vxb_error *err)
{
    b->told = told(making, b->first, b->left);
    b->left = b->told && source->told_cells < b->left ? source->told_cells : b->left;
    const enum vxb_status status = deliver(source, before, making, b, err);
    if (status)
        return status;
    adapt(source, b->tile);
    for (uint32_t i = 0; i < b->count; i++)
        if (vxbi_making_sink(making, b->first + i))
            tell_cell(source, b->tile, i, vxbi_making_sink(making, b->first + i));
    return VXB_OK;
}

static enum vxb_status run(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err)
{
    struct vxbi_device_source *source = user;
    uint64_t first, left;
    uint32_t rank_most[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    int now = 0;
    while (!status && vxbi_making_take(making, worker, source->tile_cells, &first, &left, rank_most))
        while (left && !status) {
            struct beginning b = {
                .tile = &source->tiles[now], .first = first, .left = (uint32_t)left, .rank_most = rank_most};
            now ^= 1;
            status = next_tile(source, making, &b, &source->tiles[now], err);
            first += b.count;
            left -= b.count;
        }
    for (int i = 0; i < 2 && !status; i++)
        status = deliver(source, &source->tiles[i], making, NULL, err);
    return status;
}

/* ---- counting ---- */

/* Few bytes come back of a tile that is only counted, so it may be large. */
static uint32_t count_tile_cells(const struct vxbi_device_source *source)
{
    const uint64_t forced = vxbi_device_tuning(source->device)->tile_candidates;
    const bool gpu = vxb_device_info(source->device)->kind == VXB_DEVICE_GPU;
    const uint64_t cells = (forced ? forced : gpu ? VXBI_TILE_CANDIDATES_MOST : TILE_OTHER) / source->on.per_cell;
    return cells < 1 ? 1 : cells < VXBI_TILE_CELLS_MOST ? (uint32_t)cells : VXBI_TILE_CELLS_MOST;
}

static enum vxb_status add_counts(struct vxbi_device_source *source, const struct vxbi_tile *tile,
                                  struct vxbi_making *making, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t i = 0; i < tile->count && !status; i++) {
        struct vxbi_cell_result cell;
        vxbi_tile_cell(&source->on, tile, i, &cell);
        status = vxbi_making_add(making, &cell, 1, err);
    }
    return status;
}

/* What is counted, and of which blades. */
struct counting {
    uint32_t rank_most[VXB_SPECIES_MAX];
    uint32_t wants;   /* VXK_WANTS_... */
    uint64_t *ranks;  /* NULL: what came of it goes to the field */
    uint32_t *read;   /* room for ranks as a device counts them */
    uint64_t unread;  /* candidates whose ranks are on the device */
};

static enum vxb_status take_ranks(struct vxbi_device_source *source, struct vxbi_making *making, struct counting *c,
                                  struct vxb_error *err)
{
    const enum vxb_status status = vxbi_tile_ranks(&source->on, c->read, err);
    c->unread = 0;
    if (!status && !c->ranks)
        vxbi_making_add_ranks(making, c->read);
    for (size_t i = 0; i < (size_t)VXB_SPECIES_MAX * VXBI_RANKS && !status && c->ranks; i++)
        c->ranks[i] += c->read[i];
    return status;
}

static enum vxb_status count_tile(struct vxbi_device_source *source, struct vxbi_tile *tile, uint64_t first,
                                  uint32_t count, const void *how, struct vxb_error *err)
{
    const struct counting *c = how;
    return vxbi_tile_count(&source->on, tile, first, count, c->rank_most, c->wants, err);
}

static enum vxb_status count_cells(struct vxbi_device_source *source, struct vxbi_making *making, struct counting *c,
                                   struct vxb_error *err)
{
    struct vxbi_tile *tile = &source->tiles[0];
    uint32_t cells = count_tile_cells(source), count;
    uint64_t first, left, counted = 0, blades = 0;
    enum vxb_status status = VXB_OK;
    while (!status && vxbi_making_take(making, 0, cells, &first, &left, c->rank_most))
        for (; left && !status; first += count, left -= count) {
            status = fit_tile(source, tile, first, (uint32_t)left, &count, &cells, count_tile, c, err);
            if (!status && !c->ranks)
                status = add_counts(source, tile, making, err);
            if (!status && source->cross_check > 0.0)
                status = deliver(source, tile, NULL, NULL, err);
            counted += count;
            blades += tile->blades;
            c->unread += c->read ? (uint64_t)count * source->on.per_cell : 0;
            /* Before a 32-bit count could overflow. */
            if (!status && c->unread >= (uint64_t)1 << 31)
                status = take_ranks(source, making, c, err);
        }
    source->tile_cells = tile_for(source, counted, blades);
    return !status && c->unread ? take_ranks(source, making, c, err) : status;
}

static enum vxb_status count_all(void *user, struct vxbi_making *making, uint64_t *ranks, struct vxb_error *err)
{
    struct vxbi_device_source *source = user;
    const uint64_t room = (uint64_t)VXB_SPECIES_MAX * VXBI_RANKS;
    const enum vxbi_wanted wanted = vxbi_making_wants(making);
    struct counting c = {.ranks = ranks};
    if (ranks || wanted == VXBI_WANTS_RANKS)
        c.wants = VXK_WANTS_RANKS;
    else if (wanted == VXBI_WANTS_TIES)
        c.wants = VXK_WANTS_TIES;
    if (c.wants == VXK_WANTS_RANKS && !(c.read = vxbi_new(&source->allocator, room, sizeof *c.read)))
        return vxbi_fail_memory(err, room * sizeof *c.read);
    enum vxb_status status = c.read ? vxbi_tile_begin_ranks(&source->on, err) : VXB_OK;
    if (!status)
        status = count_cells(source, making, &c, err);
    vxbi_delete(&source->allocator, c.read, room, sizeof *c.read);
    source->tiles[0].count = 0;
    return status;
}

/* ---- opening ---- */

static uint32_t cells_of(const struct vxbi_device_source *source, uint64_t candidates, bool told)
{
    const struct vxb_device_info *info = vxb_device_info(source->device);
    uint64_t largest;
    const uint64_t each = vxbi_tile_cell_bytes(&source->on, told, &largest), half = info->memory_bytes / 2;
    const uint64_t fit = (half < VXBI_TILE_BYTES_MOST ? half : VXBI_TILE_BYTES_MOST) / each;
    const uint64_t buffer = info->buffer_bytes / largest;
    uint64_t cells = candidates / source->on.per_cell;
    cells = cells < fit ? cells : fit;
    cells = cells < buffer ? cells : buffer;
    return cells < 1 ? 1 : cells < VXBI_TILE_CELLS_MOST ? (uint32_t)cells : VXBI_TILE_CELLS_MOST;
}

static void choose_tile(struct vxbi_device_source *source)
{
    const uint64_t forced = vxbi_device_tuning(source->device)->tile_candidates;
    const bool gpu = vxb_device_info(source->device)->kind == VXB_DEVICE_GPU;
    source->tile_cells = cells_of(source, forced ? forced : gpu ? TILE_GPU : TILE_OTHER, false);
    source->told_cells = cells_of(source, TILE_GPU, true);
    source->tile_cells_most = cells_of(source, forced ? forced : gpu ? VXBI_TILE_CANDIDATES_MOST : TILE_OTHER, false);
}

static enum vxb_status open_source(const struct vxb_env *env, struct vxb_device *device, const struct vxb_plan *plan,
                                   double cross_check, struct vxbi_device_source **out, struct vxb_error *err)
{
    struct vxbi_device_source *source = vxbi_new_zero(&plan->allocator, 1, sizeof *source);
    if (!source)
        return vxbi_fail_memory(err, sizeof *source);
    source->allocator = plan->allocator;
    source->env = env;
    source->device = device;
    source->threads = vxbi_thread_count(env);
    source->cross_check = cross_check;
    vxbi_scatter_init(&source->scatter, plan);
    enum vxb_status status = vxbi_tile_device_init(&source->on, device, &source->scatter, err);
    if (status) {
        vxbi_device_source_free(source);
        return status;
    }
    choose_tile(source);
    *out = source;
    return VXB_OK;
}

enum vxb_status vxbi_device_source_new(const struct vxb_env *env, struct vxb_device *device,
                                       const struct vxb_plan *plan, double cross_check,
                                       struct vxbi_device_source **out, struct vxb_error *err)
{
    const enum vxb_status status =
        vxbi_device_trial(env, device, VXBI_PROGRAM_scatter, vxbi_device_known_answer, err);
    return status ? status : open_source(env, device, plan, cross_check, out, err);
}

enum vxb_status vxbi_device_check(const struct vxb_env *env, struct vxb_device *device, const struct vxb_plan *plan,
                                  struct vxb_error *err)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    struct vxbi_device_source *source = NULL;
    const uint32_t cells = plan->cells_x * plan->cells_z;
    uint32_t count = 0;
    enum vxb_status status = open_source(env, device, plan, 100.0, &source, err);
    for (uint32_t first = 0; first < cells && !status; first += count) {
        struct beginning b = {.tile = &source->tiles[0], .first = first, .left = cells - first, .rank_most = all,
                              .told = true};
        begin_tile(source, &b);
        count = b.count;
        status = b.status;
        if (!status)
            status = deliver(source, &source->tiles[0], NULL, NULL, err);
        else if (err)
            *err = b.err;
    }
    vxbi_device_source_free(source);
    return status;
}

void vxbi_device_source_free(struct vxbi_device_source *source)
{
    if (!source)
        return;
    const struct vxb_allocator allocator = source->allocator;
    vxbi_device_finish(source->device);
    for (int i = 0; i < 2; i++)
        vxbi_tile_clear(&source->on, &source->tiles[i]);
    vxbi_tile_device_clear(&source->on);
    vxbi_delete(&allocator, source, 1, sizeof *source);
}

struct vxbi_cell_source vxbi_device_source_cells(struct vxbi_device_source *source)
{
    const int forced = vxbi_device_tuning(source->device)->count_first;
    const bool gpu = vxb_device_info(source->device)->kind == VXB_DEVICE_GPU;
    /* To compute everything twice is cheaper than to move blades to and from a spill, where a GPU does it. */
    return (struct vxbi_cell_source){.user = source, .threads = 1, .run = run,
                                     .count = forced > 0 || (forced == 0 && gpu) ? count_all : NULL};
}
