/* A tile: judge, count, sum, place, order, write. The kernels are cl_kernels/scatter.cl; here is their order. */
#include "device_tile.h"

#include <inttypes.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "budget.h"
#include "candidate.h"

#define GROUP_BUCKETS 2048u /* of a cell, that a work group counts on its own */
#define GROUP_BLADES 128u   /* of a bucket, that it compares in its own memory */

_Static_assert(sizeof(struct vxk_cell) == 20 && sizeof(struct vxk_chunk) == 24 && sizeof(struct vxk_map_size) == 8,
               "host and device agree on what is in a buffer");
_Static_assert(GROUP_BUCKETS * sizeof(uint32_t) <= VXBI_LOCAL_BYTES &&
                   GROUP_BLADES * sizeof(uint64_t) <= VXBI_LOCAL_BYTES,
               "every usable device has so much");

enum { HEIGHTS, HOLES, EXCLUDE, SCALE, LAYERS };

/* ---- what stays ---- */

static const struct vxb_map *layer_of(const struct vxb_plan *plan, uint32_t species)
{
    return species < plan->species_count && plan->species[species].layer ? &plan->species[species].layer->map : NULL;
}

/* Every kernel argument needs a buffer: where there is no map, the heights stand in, and nobody reads them. */
static enum vxb_status upload(struct vxbi_tile_device *on, size_t which, const void *data, uint64_t bytes,
                              struct vxb_error *err)
{
    if (data)
        return vxbi_buffer_new(on->device, bytes, data, &on->terrain[which], err);
    on->terrain[which] = on->terrain[HEIGHTS];
    on->borrowed[which] = true;
    return VXB_OK;
}

static enum vxb_status upload_map(struct vxbi_tile_device *on, size_t which, const struct vxb_map *map,
                                  struct vxb_error *err)
{
    return upload(on, which, map ? map->samples : NULL, map ? (uint64_t)map->width * map->height : 0, err);
}

static enum vxb_status upload_terrain(struct vxbi_tile_device *on, struct vxb_error *err)
{
    const struct vxb_plan *plan = on->scatter->plan;
    const struct vxb_terrain *t = plan->terrain;
    const uint64_t samples = (uint64_t)t->samples_x * t->samples_z;
    enum vxb_status status = upload(on, HEIGHTS, t->heights, samples * sizeof *t->heights, err);
    if (!status)
        status = upload(on, HOLES, t->holes, (samples + 7) / 8, err);
    if (!status)
        status = upload_map(on, EXCLUDE, &t->exclude, err);
    if (!status)
        status = upload_map(on, SCALE, &t->scale, err);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX && !status; k++) {
        uint32_t same = 0;
        while (same < k && layer_of(plan, same) != layer_of(plan, k))
            same++;
        if (same == k) {
            status = upload_map(on, LAYERS + k, layer_of(plan, k), err);
        } else {
            on->terrain[LAYERS + k] = on->terrain[LAYERS + same];
            on->borrowed[LAYERS + k] = true;
        }
    }
    return status;
}

enum vxb_status vxbi_tile_device_init(struct vxbi_tile_device *on, struct vxb_device *device,
                                      const struct vxbi_scatter *scatter, struct vxb_error *err)
{
    const struct {
        const char *name;
        struct vxbi_kernel **to;
    } kernels[] = {{"scatter_judge", &on->judge},       {"scatter_count", &on->count},
                   {"scatter_sum_runs", &on->sum_runs}, {"scatter_add_runs", &on->add_runs},
                   {"scatter_place", &on->place},       {"scatter_write", &on->write}};
    memset(on, 0, sizeof *on);
    on->device = device;
    on->scatter = scatter;
    on->per_cell = scatter->field.side * scatter->field.side;
    for (uint32_t k = 0; k < scatter->plan->species_count; k++)
        on->wants_hashes = on->wants_hashes || scatter->plan->species[k].blade_budget != VXB_NO_LIMIT;
    vxbi_kernel_numbers(scatter, &on->params);
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0] && !status; i++)
        status = vxbi_kernel_new(device, VXBI_PROGRAM_scatter, kernels[i].name, kernels[i].to, err);
    if (!status)
        status = vxbi_buffer_new(device, sizeof on->params, &on->params, &on->constants, err);
    return status ? status : upload_terrain(on, err);
}

static void free_cells(const struct vxb_allocator *a, struct vxbi_tile_cells *cells)
{
    vxbi_delete(a, cells->cells, cells->room, sizeof *cells->cells);
    vxbi_delete(a, cells->results, cells->room, sizeof *cells->results);
    *cells = (struct vxbi_tile_cells){0};
}

static void free_room(struct vxb_device *device, struct vxbi_room *room)
{
    vxbi_buffer_free(device, room->buffer);
    *room = (struct vxbi_room){NULL, 0};
}

void vxbi_tile_device_shrink(struct vxbi_tile_device *on)
{
    struct vxbi_room *rooms[] = {&on->cells, &on->chunks, &on->tallies, &on->verdicts, &on->made, &on->buckets,
                                 &on->entries};
    vxbi_device_finish(on->device);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        free_room(on->device, rooms[i]);
    for (size_t i = 0; i < VXBI_TILE_SUMS; i++)
        free_room(on->device, &on->sums[i]);
}

void vxbi_tile_device_clear(struct vxbi_tile_device *on)
{
    struct vxbi_kernel *kernels[] = {on->judge, on->count, on->sum_runs, on->add_runs, on->place, on->write};
    if (!on->device)
        return;
    vxbi_tile_device_shrink(on);
    for (size_t i = 0; i < 8; i++)
        if (!on->borrowed[i])
            vxbi_buffer_free(on->device, on->terrain[i]);
    vxbi_buffer_free(on->device, on->constants);
    free_room(on->device, &on->ranks);
    free_cells(&on->scatter->plan->allocator, &on->ahead);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        vxbi_kernel_free(on->device, kernels[i]);
    memset(on, 0, sizeof *on);
}

/* ---- room ---- */

/* What is outgrown once is outgrown again by a little, and to make room takes a device long: some more than is
 * needed. */
static uint64_t grown(const struct vxbi_tile_device *on, uint64_t had, uint64_t bytes)
{
    const uint64_t most = vxb_device_info(on->device)->buffer_bytes, slack = had ? bytes / 8 : 0;
    return bytes + slack <= most ? bytes + slack : bytes;
}

static enum vxb_status need(struct vxbi_tile_device *on, struct vxbi_room *room, uint64_t bytes, struct vxb_error *err)
{
    if (bytes <= room->bytes)
        return VXB_OK;
    bytes = grown(on, room->bytes, bytes);
    free_room(on->device, room);
    enum vxb_status status = vxbi_buffer_new(on->device, bytes, NULL, &room->buffer, err);
    room->bytes = status ? 0 : bytes;
    return status;
}

static enum vxb_status need_pinned(struct vxbi_tile_device *on, struct vxbi_pinned **pinned, uint64_t *room,
                                   uint64_t bytes, struct vxb_error *err)
{
    if (bytes <= *room)
        return VXB_OK;
    bytes = grown(on, *room, bytes);
    vxbi_pinned_free(on->device, *pinned);
    *pinned = NULL;
    *room = 0;
    enum vxb_status status = vxbi_pinned_new(on->device, bytes, pinned, err);
    *room = status ? 0 : bytes;
    return status;
}

static enum vxb_status open_cells(const struct vxbi_scatter *scatter, struct vxbi_tile_cells *cells, uint64_t first,
                                  uint32_t count, struct vxb_error *err)
{
    const struct vxb_allocator *a = &scatter->plan->allocator;
    if (count > cells->room) {
        free_cells(a, cells);
        cells->room = count;
        cells->cells = vxbi_new(a, count, sizeof *cells->cells);
        cells->results = vxbi_new(a, count, sizeof *cells->results);
        if (!cells->cells || !cells->results) {
            free_cells(a, cells);
            return vxbi_fail_memory(err, count * sizeof *cells->results);
        }
    }
    cells->first = first;
    cells->count = count;
    for (uint32_t i = 0; i < count; i++)
        cells->cells[i] = vxbi_scatter_open_cell(scatter, first + i, &cells->results[i]);
    return VXB_OK;
}

/* The tile's cells: those made ready, or made now. */
static enum vxb_status take_cells(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    if (on->ahead.first == tile->first && on->ahead.count >= tile->count) {
        const struct vxbi_tile_cells taken = on->ahead;
        on->ahead = tile->of;
        on->ahead.count = 0;
        tile->of = taken;
        return VXB_OK;
    }
    return open_cells(on->scatter, &tile->of, tile->first, tile->count, err);
}

/* For the next tile, which is most often as large and follows. Where there is no memory, it makes its own. */
static void look_ahead(struct vxbi_tile_device *on, const struct vxbi_tile *tile)
{
    const struct vxb_plan *plan = on->scatter->plan;
    const uint64_t first = tile->first + tile->count, left = (uint64_t)plan->cells_x * plan->cells_z - first;
    struct vxb_error err = {0};
    open_cells(on->scatter, &on->ahead, first, left < tile->count ? (uint32_t)left : tile->count, &err);
}

static void free_counts(const struct vxb_allocator *a, struct vxbi_tile *tile)
{
    vxbi_delete(a, tile->chunks, tile->cell_room * VXB_SPECIES_MAX, sizeof *tile->chunks);
    vxbi_delete(a, tile->tallies, tile->cell_room * VXK_TALLIES, sizeof *tile->tallies);
    tile->chunks = NULL;
    tile->tallies = NULL;
    tile->cell_room = 0;
}

static enum vxb_status need_counts(const struct vxb_allocator *a, struct vxbi_tile *tile, uint64_t count,
                                   struct vxb_error *err)
{
    if (count <= tile->cell_room)
        return VXB_OK;
    free_counts(a, tile);
    tile->cell_room = count;
    tile->chunks = vxbi_new_zero(a, count * VXB_SPECIES_MAX, sizeof *tile->chunks);
    tile->tallies = vxbi_new(a, count * VXK_TALLIES, sizeof *tile->tallies);
    if (tile->chunks && tile->tallies)
        return VXB_OK;
    free_counts(a, tile);
    return vxbi_fail_memory(err, count * VXK_TALLIES * sizeof *tile->tallies);
}

static enum vxb_status clear_ranks(struct vxbi_tile_device *on, struct vxb_error *err)
{
    const uint64_t bytes = (uint64_t)VXB_SPECIES_MAX * VXBI_RANKS * sizeof(uint32_t);
    enum vxb_status status = need(on, &on->ranks, bytes, err);
    return status ? status : vxbi_buffer_zero(on->device, on->ranks.buffer, bytes, err);
}

/* ---- the launches ---- */

static enum vxb_status launch_row(struct vxbi_tile_device *on, struct vxbi_kernel *kernel, const struct vxbi_arg *args,
                                  size_t count, uint64_t items, struct vxb_error *err)
{
    const struct vxbi_range range = {items, 1, vxbi_kernel_local(on->device, kernel, items)};
    return vxbi_launch(on->device, kernel, args, count, range, err);
}

#define LAUNCH(on, kernel, args, items, err) launch_row(on, kernel, args, sizeof(args) / sizeof(args)[0], items, err)

#define TERRAIN_ARGS(on)                                                                                          \
    VXBI_ARG_BUFFER((on)->terrain[0]), VXBI_ARG_BUFFER((on)->terrain[1]), VXBI_ARG_BUFFER((on)->terrain[2]),      \
        VXBI_ARG_BUFFER((on)->terrain[3]), VXBI_ARG_BUFFER((on)->terrain[4]), VXBI_ARG_BUFFER((on)->terrain[5]),  \
        VXBI_ARG_BUFFER((on)->terrain[6]), VXBI_ARG_BUFFER((on)->terrain[7])

/* Rows of cells, an item to every VXK_EACH candidates of one. */
static struct vxbi_range cell_rows(struct vxbi_tile_device *on, const struct vxbi_tile *tile,
                                   struct vxbi_kernel *kernel)
{
    const uint64_t items = (on->per_cell + (uint64_t)VXK_EACH - 1) / VXK_EACH;
    return (struct vxbi_range){items, tile->count, vxbi_kernel_local(on->device, kernel, items)};
}

static enum vxb_status judge(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const uint64_t tally_bytes = (uint64_t)tile->count * VXK_TALLIES * sizeof *tile->tallies;
    const uint64_t kept = tile->wants & VXK_WANTS_BLADES ? (uint64_t)tile->count * on->per_cell : 1;
    enum vxb_status status = need(on, &on->cells, (uint64_t)tile->count * sizeof *tile->of.cells, err);
    if (!status)
        status = need(on, &on->tallies, tally_bytes, err);
    if (!status)
        status = need(on, &on->verdicts, kept * sizeof(uint32_t), err);
    if (!status)
        status = need(on, &on->made, kept * sizeof(struct vxk_record), err);
    if (!status && tile->wants & VXK_WANTS_RANKS && !on->ranks.buffer)
        status = clear_ranks(on, err);
    if (!status)
        status = vxbi_buffer_write(on->device, on->cells.buffer, tile->of.cells, tile->count * sizeof *tile->of.cells,
                                   err);
    if (!status)
        status = vxbi_buffer_zero(on->device, on->tallies.buffer, tally_bytes, err);
    if (status)
        return status;
    struct vxbi_buffer *ranks = tile->wants & VXK_WANTS_RANKS ? on->ranks.buffer : on->tallies.buffer;
    const struct vxbi_arg args[] = {
        VXBI_ARG_BUFFER(on->constants),       VXBI_ARG_BUFFER(on->cells.buffer),
        TERRAIN_ARGS(on),                     VXBI_ARG_VALUE(tile->rank_most),
        VXBI_ARG_VALUE(on->per_cell),         VXBI_ARG_VALUE(tile->wants),
        VXBI_ARG_BUFFER(on->verdicts.buffer), VXBI_ARG_BUFFER(on->made.buffer),
        VXBI_ARG_BUFFER(ranks),               VXBI_ARG_BUFFER(on->tallies.buffer),
        VXBI_ARG_LOCAL(VXK_TALLIES * sizeof(uint32_t))};
    status = vxbi_launch(on->device, on->judge, args, sizeof args / sizeof args[0], cell_rows(on, tile, on->judge), err);
    if (status)
        return status;
    vxbi_device_flush(on->device);
    look_ahead(on, tile);
    status = vxbi_buffer_read(on->device, on->tallies.buffer, tile->tallies, tally_bytes, err);
    on->ranks_spoiled = on->ranks_spoiled || (status && tile->wants & VXK_WANTS_RANKS);
    return status;
}

/* Where each chunk's blades go. False: the device counted what can't be. No sum here exceeds the tile's candidates,
 * which are below 2^32. */
static bool lay_out(struct vxbi_tile_device *on, struct vxbi_tile *tile)
{
    uint64_t first = 0, bucket = 0;
    for (uint32_t cell = 0; cell < tile->count; cell++) {
        uint64_t all = 0;
        for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
            const uint32_t *tally = tile->tallies + (size_t)cell * VXK_TALLIES + VXK_REASONS * k;
            const uint32_t most = tile->rank_most[k], cut = on->params.field.rank_cut;
            const uint32_t rank_end = most < cut ? most + 1 : cut, placed = tally[VXK_PLACED];
            for (uint32_t reason = 0; reason < VXK_REASONS; reason++)
                all += tally[reason];
            if (placed && rank_end == 0)
                return false;
            const uint32_t buckets = (placed + VXK_BUCKET_BLADES - 1) / VXK_BUCKET_BLADES;
            tile->chunks[(size_t)cell * VXB_SPECIES_MAX + k] = (struct vxk_chunk){
                .factor = placed ? ((uint64_t)buckets << 32) / ((uint64_t)rank_end << 16) : 0,
                .first = (uint32_t)first,
                .count = placed,
                .bucket = (uint32_t)bucket,
                .buckets = buckets};
            bucket += buckets;
            first += placed;
        }
        if (all != on->per_cell)
            return false;
    }
    tile->blades = (uint32_t)first;
    tile->buckets = (uint32_t)bucket;
    return true;
}

/* Each of buckets becomes the sum of those before it. */
static enum vxb_status prefix_sum(struct vxbi_tile_device *on, uint32_t count, struct vxb_error *err)
{
    struct vxbi_buffer *values[VXBI_TILE_SUMS + 1] = {on->buckets.buffer};
    uint32_t counts[VXBI_TILE_SUMS + 1] = {count};
    int levels = 0;
    enum vxb_status status = VXB_OK;
    for (; !status; levels++) {
        const uint32_t runs = (counts[levels] + VXK_RUN - 1) / VXK_RUN;
        status = need(on, &on->sums[levels], (uint64_t)runs * sizeof(uint32_t), err);
        if (status)
            return status;
        values[levels + 1] = on->sums[levels].buffer;
        counts[levels + 1] = runs;
        if (runs == 1)
            break;
        const struct vxbi_arg args[] = {VXBI_ARG_BUFFER(values[levels]), VXBI_ARG_VALUE(counts[levels]),
                                        VXBI_ARG_BUFFER(values[levels + 1])};
        status = LAUNCH(on, on->sum_runs, args, runs, err);
    }
    if (!status)
        status = vxbi_buffer_zero(on->device, values[levels + 1], sizeof(uint32_t), err);
    for (; levels >= 0 && !status; levels--) {
        const struct vxbi_arg args[] = {VXBI_ARG_BUFFER(values[levels]), VXBI_ARG_VALUE(counts[levels]),
                                        VXBI_ARG_BUFFER(values[levels + 1])};
        status = LAUNCH(on, on->add_runs, args, counts[levels + 1], err);
    }
    return status;
}

/* Entries in buckets, which then end where on->buckets says. */
static enum vxb_status fill_buckets(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const uint32_t room = GROUP_BUCKETS;
    const uint64_t chunk_bytes = (uint64_t)tile->count * VXB_SPECIES_MAX * sizeof *tile->chunks;
    enum vxb_status status = need(on, &on->chunks, chunk_bytes, err);
    if (!status)
        status = need(on, &on->buckets, (uint64_t)tile->buckets * sizeof(uint32_t), err);
    if (!status)
        status = need(on, &on->entries, (uint64_t)tile->blades * 2 * sizeof(uint32_t), err);
    if (!status)
        status = vxbi_buffer_write(on->device, on->chunks.buffer, tile->chunks, chunk_bytes, err);
    if (!status)
        status = vxbi_buffer_zero(on->device, on->buckets.buffer, (uint64_t)tile->buckets * sizeof(uint32_t), err);
    if (status)
        return status;
    const struct vxbi_arg count[] = {
        VXBI_ARG_BUFFER(on->cells.buffer),    VXBI_ARG_BUFFER(on->chunks.buffer),  VXBI_ARG_VALUE(on->per_cell),
        VXBI_ARG_BUFFER(on->verdicts.buffer), VXBI_ARG_BUFFER(on->buckets.buffer),
        VXBI_ARG_LOCAL(GROUP_BUCKETS * sizeof(uint32_t)), VXBI_ARG_VALUE(room)};
    status = vxbi_launch(on->device, on->count, count, sizeof count / sizeof count[0], cell_rows(on, tile, on->count),
                         err);
    if (!status)
        status = prefix_sum(on, tile->buckets, err);
    if (status)
        return status;
    const struct vxbi_arg place[] = {
        VXBI_ARG_BUFFER(on->cells.buffer),    VXBI_ARG_BUFFER(on->chunks.buffer),  VXBI_ARG_VALUE(on->per_cell),
        VXBI_ARG_BUFFER(on->verdicts.buffer), VXBI_ARG_BUFFER(on->buckets.buffer), VXBI_ARG_BUFFER(on->entries.buffer),
        VXBI_ARG_LOCAL(GROUP_BUCKETS * sizeof(uint32_t)), VXBI_ARG_VALUE(room)};
    return vxbi_launch(on->device, on->place, place, sizeof place / sizeof place[0], cell_rows(on, tile, on->place),
                       err);
}

static enum vxb_status write_blades(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const uint64_t record_bytes = (uint64_t)tile->blades * sizeof(struct vxk_record);
    const uint64_t hash_bytes = on->wants_hashes ? (uint64_t)tile->blades * sizeof(uint32_t) : sizeof(uint32_t);
    const uint32_t wants_hashes = on->wants_hashes, room = GROUP_BLADES;
    enum vxb_status status = need(on, &tile->records, record_bytes, err);
    if (!status)
        status = need(on, &tile->hashes, hash_bytes, err);
    if (!status)
        status = need_pinned(on, &tile->record_data, &tile->record_room, record_bytes, err);
    if (!status)
        status = need_pinned(on, &tile->hash_data, &tile->hash_room, hash_bytes, err);
    if (status)
        return status;
    const struct vxbi_arg args[] = {
        VXBI_ARG_BUFFER(on->cells.buffer),     VXBI_ARG_VALUE(on->per_cell),
        VXBI_ARG_BUFFER(on->buckets.buffer),   VXBI_ARG_BUFFER(on->entries.buffer),
        VXBI_ARG_BUFFER(on->made.buffer),      VXBI_ARG_VALUE(wants_hashes),
        VXBI_ARG_BUFFER(tile->records.buffer), VXBI_ARG_BUFFER(tile->hashes.buffer),
        VXBI_ARG_LOCAL(GROUP_BLADES * sizeof(uint64_t)), VXBI_ARG_VALUE(room)};
    const uint32_t local = vxbi_kernel_local(on->device, on->write, GROUP_BLADES / 2);
    const struct vxbi_range range = {(uint64_t)tile->buckets * local, 1, local};
    status = vxbi_launch(on->device, on->write, args, sizeof args / sizeof args[0], range, err);
    if (!status && on->until != VXBI_TILE_READ)
        return VXB_OK;
    if (!status)
        status = vxbi_read_begin(on->device, tile->records.buffer, tile->record_data, record_bytes, &tile->record_event,
                                 err);
    if (!status && on->wants_hashes)
        status = vxbi_read_begin(on->device, tile->hashes.buffer, tile->hash_data, hash_bytes, &tile->hash_event, err);
    return status;
}

/* ---- a tile ---- */

static enum vxb_status read_verdicts(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const struct vxb_allocator *a = &on->scatter->plan->allocator;
    const uint64_t candidates = (uint64_t)tile->count * on->per_cell;
    if (candidates > tile->verdict_room) {
        vxbi_delete(a, tile->verdicts, tile->verdict_room, sizeof *tile->verdicts);
        tile->verdicts = vxbi_new(a, candidates, sizeof *tile->verdicts);
        tile->verdict_room = tile->verdicts ? candidates : 0;
        if (!tile->verdicts)
            return vxbi_fail_memory(err, candidates * sizeof *tile->verdicts);
    }
    return vxbi_buffer_read(on->device, on->verdicts.buffer, tile->verdicts, candidates * sizeof *tile->verdicts, err);
}

static enum vxb_status count(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t count,
                             const uint32_t rank_most[VXB_SPECIES_MAX], uint32_t wants, struct vxb_error *err)
{
    tile->first = first;
    tile->count = count;
    tile->blades = tile->buckets = 0;
    tile->wants = wants;
    memcpy(tile->rank_most, rank_most, sizeof tile->rank_most);
    enum vxb_status status = need_counts(&on->scatter->plan->allocator, tile, tile->count, err);
    if (!status)
        status = take_cells(on, tile, err);
    if (!status)
        status = judge(on, tile, err);
    if (!status && !lay_out(on, tile))
        status = vxbi_fail(err, VXB_ERR_DEVICE,
                           "%s: the counts of its candidates do not add up: its driver or its memory is at fault; bake "
                           "on another device, or on the cpu",
                           vxb_device_info(on->device)->name);
    return status;
}

static enum vxb_status finish(struct vxbi_tile_device *on, struct vxbi_tile *tile, bool told, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (tile->blades > VXBI_TILE_BLADES_MOST && tile->count > 1)
        return vxbi_fail(err, VXB_ERR_LIMIT, "%" PRIu32 " blades came of one tile", tile->blades);
    if (told)
        status = read_verdicts(on, tile, err);
    if (status || tile->blades == 0 || on->until == VXBI_TILE_JUDGE)
        return status;
    status = fill_buckets(on, tile, err);
    return status || on->until == VXBI_TILE_PLACE ? status : write_blades(on, tile, err);
}

/* A tile that failed is empty. */
static enum vxb_status settle(struct vxbi_tile_device *on, struct vxbi_tile *tile, enum vxb_status status)
{
    if (status) {
        vxbi_tile_wait(on, tile, NULL);
        tile->count = 0;
    }
    return status;
}

enum vxb_status vxbi_tile_begin(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t cells,
                                const uint32_t rank_most[VXB_SPECIES_MAX], bool told, struct vxb_error *err)
{
    enum vxb_status status = count(on, tile, first, cells, rank_most, VXK_WANTS_BLADES, err);
    return settle(on, tile, status ? status : finish(on, tile, told, err));
}

enum vxb_status vxbi_tile_count(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t cells,
                                bool ranks, struct vxb_error *err)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    return settle(on, tile, count(on, tile, first, cells, all, ranks ? VXK_WANTS_RANKS : 0, err));
}

enum vxb_status vxbi_tile_ranks(struct vxbi_tile_device *on, uint32_t *ranks, struct vxb_error *err)
{
    if (on->ranks_spoiled)
        return vxbi_fail(err, VXB_ERR_MEMORY, "%s had no memory to count ranks", vxb_device_info(on->device)->name);
    enum vxb_status status = vxbi_buffer_read(on->device, on->ranks.buffer, ranks,
                                              (uint64_t)VXB_SPECIES_MAX * VXBI_RANKS * sizeof *ranks, err);
    return status ? status : clear_ranks(on, err);
}

enum vxb_status vxbi_tile_wait(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    struct vxbi_event **events[] = {&tile->record_event, &tile->hash_event};
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < 2; i++) {
        enum vxb_status waited = *events[i] ? vxbi_wait(on->device, *events[i], err) : VXB_OK;
        *events[i] = NULL;
        status = status ? status : waited;
    }
    return status;
}

void vxbi_tile_cell(const struct vxbi_tile_device *on, const struct vxbi_tile *tile, uint32_t cell,
                    struct vxbi_cell_result *out)
{
    *out = tile->of.results[cell];
    for (uint32_t k = 0; k < on->params.field.species_count; k++) {
        const uint32_t *tally = tile->tallies + (size_t)cell * VXK_TALLIES + VXK_REASONS * k;
        const struct vxk_chunk *chunk = &tile->chunks[(size_t)cell * VXB_SPECIES_MAX + k];
        struct vxbi_cell_species *to = &out->species[k];
        to->count = chunk->count;
        if (chunk->count && tile->wants & VXK_WANTS_BLADES) {
            to->records =
                (const uint8_t *)vxbi_pinned_data(tile->record_data) + (size_t)chunk->first * VXB_GRASS_RECORD_BYTES;
            if (on->wants_hashes)
                to->hashes = (const uint32_t *)vxbi_pinned_data(tile->hash_data) + chunk->first;
        }
        to->candidates = chunk->count;
        for (uint32_t reason = 0; reason < VXB_REASON_COUNT; reason++) {
            to->reasons[reason] = tally[reason + 1];
            to->candidates += tally[reason + 1];
        }
    }
}

void vxbi_tile_clear(struct vxbi_tile_device *on, struct vxbi_tile *tile)
{
    const struct vxb_allocator *a = &on->scatter->plan->allocator;
    vxbi_tile_wait(on, tile, NULL);
    free_room(on->device, &tile->records);
    free_room(on->device, &tile->hashes);
    vxbi_pinned_free(on->device, tile->record_data);
    vxbi_pinned_free(on->device, tile->hash_data);
    free_cells(a, &tile->of);
    free_counts(a, tile);
    vxbi_delete(a, tile->verdicts, tile->verdict_room, sizeof *tile->verdicts);
    memset(tile, 0, sizeof *tile);
}
