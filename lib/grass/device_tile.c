/* A tile: judge, find where each bucket begins, write. The kernels are cl_kernels/scatter.cl; here is their order. */
#include "device_tile.h"

#include <inttypes.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "candidate.h"
#include "field.h"

#define GROUP_MOST 256u /* items of a group that sums */
/* Candidates an item judges. More of them let a group add up less often; but where blades are many, those of the cells
 * that are in work at a time should not be more than a device's cache holds. */
#define EACH_MANY 4u
#define EACH_FEW 16u
#define FEW 3u /* one blade of so many candidates: fewer are few */

_Static_assert(sizeof(struct vxk_cell) == 20 && sizeof(struct vxk_map_size) == 8,
               "host and device agree on what is in a buffer");
_Static_assert(VXB_SPECIES_MAX == 4, "what there is of each species is a vector's four to a kernel");
_Static_assert(GROUP_MOST * sizeof(uint32_t) <= VXBI_LOCAL_BYTES &&
                   GROUP_MOST * EACH_FEW * sizeof(uint16_t) + (VXK_TALLIES + 1) * sizeof(uint32_t) <= VXBI_LOCAL_BYTES,
               "every usable device has so much");

/* ---- what stays ---- */

enum vxb_status vxbi_tile_device_init(struct vxbi_tile_device *on, struct vxb_device *device,
                                      const struct vxbi_scatter *scatter, struct vxb_error *err)
{
    const struct {
        const char *name;
        struct vxbi_kernel **to;
    } kernels[] = {{"scatter_judge", &on->judge},
                   {"scatter_start_chunks", &on->start_chunks},
                   {"scatter_start_buckets", &on->start_buckets},
                   {"scatter_write", &on->write}};
    memset(on, 0, sizeof *on);
    on->device = device;
    on->scatter = scatter;
    on->per_cell = scatter->field.side * scatter->field.side;
    on->wants_hashes = vxbi_field_may_choose(scatter->plan);
    vxbi_kernel_numbers(scatter, &on->params);
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0] && !status; i++)
        status = vxbi_kernel_new(device, VXBI_PROGRAM_scatter, kernels[i].name, kernels[i].to, err);
    if (!status)
        status = vxbi_buffer_new(device, sizeof on->params, &on->params, &on->constants, err);
    return status ? status : vxbi_device_terrain_init(&on->terrain, device, scatter->plan, err);
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
    struct vxbi_room *rooms[] = {&on->cells, &on->tallies,      &on->verdicts, &on->taken, &on->keys,
                                 &on->made,  &on->chunk_starts, &on->starts,   &on->ties};
    vxbi_device_finish(on->device);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        free_room(on->device, rooms[i]);
}

void vxbi_tile_device_clear(struct vxbi_tile_device *on)
{
    struct vxbi_kernel *kernels[] = {on->judge, on->start_chunks, on->start_buckets, on->write};
    if (!on->device)
        return;
    vxbi_tile_device_shrink(on);
    vxbi_device_terrain_clear(&on->terrain);
    vxbi_buffer_free(on->device, on->constants);
    free_room(on->device, &on->ranks);
    free_cells(&on->scatter->plan->allocator, &on->ahead);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        vxbi_kernel_free(on->device, kernels[i]);
    memset(on, 0, sizeof *on);
}

uint64_t vxbi_tile_cell_bytes(const struct vxbi_tile_device *on, bool told, uint64_t *largest)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {VXBI_RANKS - 1, VXBI_RANKS - 1, VXBI_RANKS - 1, VXBI_RANKS - 1};
    const struct vxbi_tile_buckets b = vxbi_tile_buckets_for(on->scatter, all);
    const uint64_t slots = (uint64_t)b.count * b.slots, verdicts = told ? on->per_cell : 0;
    const uint64_t made = slots * sizeof(struct vxk_record);
    const uint64_t records = (uint64_t)on->per_cell * sizeof(struct vxk_record);
    *largest = made > records ? made : records;
    return made + slots * 8 + (uint64_t)b.count * 8 + verdicts + sizeof(struct vxk_cell) + VXK_TALLIES * 4 + 4;
}

/* ---- room ---- */

/* What is enough for one tile is a little too small for the next, and to make room takes a device long. */
static uint64_t with_slack(const struct vxbi_tile_device *on, uint64_t bytes)
{
    const uint64_t most = vxb_device_info(on->device)->buffer_bytes;
    return bytes + bytes / 8 <= most ? bytes + bytes / 8 : bytes;
}

static enum vxb_status need(struct vxbi_tile_device *on, struct vxbi_room *room, uint64_t bytes, struct vxb_error *err)
{
    if (bytes <= room->bytes)
        return VXB_OK;
    bytes = with_slack(on, bytes);
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
    bytes = with_slack(on, bytes);
    vxbi_pinned_free(on->device, *pinned);
    *pinned = NULL;
    *room = 0;
    enum vxb_status status = vxbi_pinned_new(on->device, bytes, pinned, err);
    *room = status ? 0 : bytes;
    return status;
}

static enum vxb_status open_cells(const struct vxbi_scatter *scatter, struct vxbi_tile_cells *cells, uint64_t first,
                                  uint32_t count, bool heights, struct vxb_error *err)
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
    cells->heights = heights;
    for (uint32_t i = 0; i < count; i++)
        cells->cells[i] = (heights ? vxbi_scatter_open_cell : vxbi_scatter_place_cell)(scatter, first + i,
                                                                                      &cells->results[i]);
    return VXB_OK;
}

/* The tile's cells: those made ready, or made now. */
static enum vxb_status take_cells(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const bool heights = tile->wants & VXK_WANTS_BLADES;
    if (on->ahead.first == tile->first && on->ahead.count >= tile->count && (on->ahead.heights || !heights)) {
        const struct vxbi_tile_cells taken = on->ahead;
        on->ahead = tile->of;
        on->ahead.count = 0;
        tile->of = taken;
        return VXB_OK;
    }
    return open_cells(on->scatter, &tile->of, tile->first, tile->count, heights, err);
}

/* For the next tile, which is most often as large and follows, and for as much. Where there is no memory, it makes its
 * own. */
static void look_ahead(struct vxbi_tile_device *on, const struct vxbi_tile *tile)
{
    const struct vxb_plan *plan = on->scatter->plan;
    const uint64_t first = tile->first + tile->count, left = (uint64_t)plan->cells_x * plan->cells_z - first;
    struct vxb_error err = {0};
    open_cells(on->scatter, &on->ahead, first, left < tile->count ? (uint32_t)left : tile->count,
               tile->wants & VXK_WANTS_BLADES, &err);
}

static void free_counts(const struct vxb_allocator *a, struct vxbi_tile *tile)
{
    vxbi_delete(a, tile->firsts, tile->cell_room * VXB_SPECIES_MAX, sizeof *tile->firsts);
    vxbi_delete(a, tile->tallies, tile->cell_room * VXK_TALLIES + VXK_TILE_TALLIES, sizeof *tile->tallies);
    tile->firsts = tile->tallies = NULL;
    tile->cell_room = 0;
}

static enum vxb_status need_counts(const struct vxb_allocator *a, struct vxbi_tile *tile, uint64_t count,
                                   struct vxb_error *err)
{
    if (count <= tile->cell_room)
        return VXB_OK;
    free_counts(a, tile);
    tile->cell_room = count;
    tile->firsts = vxbi_new_zero(a, count * VXB_SPECIES_MAX, sizeof *tile->firsts);
    tile->tallies = vxbi_new(a, count * VXK_TALLIES + VXK_TILE_TALLIES, sizeof *tile->tallies);
    if (tile->firsts && tile->tallies)
        return VXB_OK;
    free_counts(a, tile);
    return vxbi_fail_memory(err, (count * VXK_TALLIES + VXK_TILE_TALLIES) * sizeof *tile->tallies);
}

/* Whoever finds the buffer there takes it for one that was cleared. */
static enum vxb_status clear_ranks(struct vxbi_tile_device *on, struct vxb_error *err)
{
    const uint64_t bytes = (uint64_t)VXB_SPECIES_MAX * VXBI_RANKS * sizeof(uint32_t);
    enum vxb_status status = need(on, &on->ranks, bytes, err);
    if (!status)
        status = vxbi_buffer_zero(on->device, on->ranks.buffer, bytes, err);
    if (status)
        free_room(on->device, &on->ranks);
    return status;
}

/* ---- the launches ---- */

#define TERRAIN_ARGS(t)                                                                                           \
    VXBI_ARG_BUFFER((t).buffer[0]), VXBI_ARG_BUFFER((t).buffer[1]), VXBI_ARG_BUFFER((t).buffer[2]),               \
        VXBI_ARG_BUFFER((t).buffer[3]), VXBI_ARG_BUFFER((t).buffer[4]), VXBI_ARG_BUFFER((t).buffer[5]),           \
        VXBI_ARG_BUFFER((t).buffer[6]), VXBI_ARG_BUFFER((t).buffer[7])

static uint64_t tally_bytes(const struct vxbi_tile *tile)
{
    return ((uint64_t)tile->count * VXK_TALLIES + VXK_TILE_TALLIES) * sizeof *tile->tallies;
}

static uint32_t fullest_bucket(const struct vxbi_tile *tile)
{
    return tile->tallies[(size_t)tile->count * VXK_TALLIES];
}

static uint32_t ties_of(const struct vxbi_tile *tile)
{
    return tile->tallies[(size_t)tile->count * VXK_TALLIES + 1];
}

static enum vxb_status make_room(struct vxbi_tile_device *on, const struct vxbi_tile *tile,
                                 const struct vxbi_tile_buckets *b, struct vxb_error *err)
{
    const bool blades = tile->wants & VXK_WANTS_BLADES, verdicts = tile->wants & VXK_WANTS_VERDICTS;
    const uint64_t buckets = blades ? (uint64_t)tile->count * b->count : 1, slots = blades ? buckets * b->slots : 1;
    const struct {
        struct vxbi_room *room;
        uint64_t bytes;
    } needs[] = {{&on->cells, (uint64_t)tile->count * sizeof *tile->of.cells},
                 {&on->tallies, tally_bytes(tile)},
                 {&on->verdicts, verdicts ? (uint64_t)tile->count * on->per_cell : 1},
                 {&on->taken, buckets * sizeof(uint32_t)},
                 {&on->starts, buckets * sizeof(uint32_t)},
                 {&on->chunk_starts, (uint64_t)tile->count * VXB_SPECIES_MAX * sizeof(uint32_t)},
                 {&on->keys, slots * sizeof(uint64_t)},
                 {&on->made, slots * sizeof(struct vxk_record)},
                 {&on->ties, (tile->wants & VXK_WANTS_TIES ? (uint64_t)b->ties : 1) * sizeof *tile->ties.data}};
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0] && !status; i++)
        status = need(on, needs[i].room, needs[i].bytes, err);
    if (!status && tile->wants & VXK_WANTS_RANKS && !on->ranks.buffer)
        status = clear_ranks(on, err);
    if (!status)
        status = vxbi_buffer_write(on->device, on->cells.buffer, tile->of.cells, tile->count * sizeof *tile->of.cells,
                                   err);
    if (!status)
        status = vxbi_buffer_zero(on->device, on->tallies.buffer, tally_bytes(tile), err);
    return !status && blades ? vxbi_buffer_zero(on->device, on->taken.buffer, buckets * sizeof(uint32_t), err) : status;
}

/* Rows of cells, an item to every `each` candidates of one. */
static enum vxb_status judge(struct vxbi_tile_device *on, const struct vxbi_tile *tile,
                             const struct vxbi_tile_buckets *b, struct vxb_error *err)
{
    const bool many = tile->wants & VXK_WANTS_BLADES && !(tile->wants & VXK_FEW_BLADES);
    const uint32_t each = many ? EACH_MANY : EACH_FEW;
    const uint64_t items = (on->per_cell + (uint64_t)each - 1) / each;
    const struct vxbi_range range = {items, tile->count, vxbi_kernel_local(on->device, on->judge, items)};
    const uint32_t found = tile->wants & VXK_FEW_BLADES ? range.local * each : 1;
    struct vxbi_buffer *ranks = tile->wants & VXK_WANTS_RANKS ? on->ranks.buffer : on->tallies.buffer;
    const struct vxbi_arg args[] = {
        VXBI_ARG_BUFFER(on->constants),       VXBI_ARG_BUFFER(on->cells.buffer),
        TERRAIN_ARGS(on->terrain),            VXBI_ARG_VALUE(tile->rank_most),
        VXBI_ARG_VALUE(on->per_cell),         VXBI_ARG_VALUE(each),
        VXBI_ARG_VALUE(tile->wants),          VXBI_ARG_BUFFER(ranks),
        VXBI_ARG_BUFFER(on->verdicts.buffer), VXBI_ARG_VALUE(b->first),
        VXBI_ARG_VALUE(b->factor),            VXBI_ARG_VALUE(b->count),
        VXBI_ARG_VALUE(b->slots),             VXBI_ARG_BUFFER(on->taken.buffer),
        VXBI_ARG_BUFFER(on->keys.buffer),     VXBI_ARG_BUFFER(on->made.buffer),
        VXBI_ARG_BUFFER(on->ties.buffer),     VXBI_ARG_VALUE(b->ties),
        VXBI_ARG_BUFFER(on->tallies.buffer),  VXBI_ARG_LOCAL((VXK_TALLIES + 1) * sizeof(uint32_t)),
        VXBI_ARG_LOCAL(found * sizeof(uint16_t))};
    return vxbi_launch(on->device, on->judge, args, sizeof args / sizeof args[0], range, err);
}

/* Where each bucket begins. */
static enum vxb_status start_buckets(struct vxbi_tile_device *on, const struct vxbi_tile *tile,
                                     const struct vxbi_tile_buckets *b, struct vxb_error *err)
{
    const uint32_t species = on->params.field.species_count, chunk_count = species * tile->count;
    const uint32_t chunk_local = vxbi_kernel_local(on->device, on->start_chunks, GROUP_MOST);
    const uint32_t local = vxbi_kernel_local(on->device, on->start_buckets, GROUP_MOST);
    const struct vxbi_range chunk_range = {chunk_local, 1, chunk_local};
    const struct vxbi_range range = {(uint64_t)species * local, tile->count, local};
    const struct vxbi_arg chunks[] = {VXBI_ARG_BUFFER(on->tallies.buffer), VXBI_ARG_VALUE(tile->count),
                                      VXBI_ARG_VALUE(chunk_count), VXBI_ARG_BUFFER(on->chunk_starts.buffer),
                                      VXBI_ARG_LOCAL(chunk_local * sizeof(uint32_t))};
    const struct vxbi_arg buckets[] = {VXBI_ARG_BUFFER(on->taken.buffer),  VXBI_ARG_VALUE(b->count),
                                       VXBI_ARG_VALUE(b->first),           VXBI_ARG_VALUE(b->end),
                                       VXBI_ARG_BUFFER(on->chunk_starts.buffer), VXBI_ARG_BUFFER(on->starts.buffer),
                                       VXBI_ARG_BUFFER(on->tallies.buffer), VXBI_ARG_VALUE(tile->count),
                                       VXBI_ARG_LOCAL(local * sizeof(uint32_t))};
    enum vxb_status status =
        vxbi_launch(on->device, on->start_chunks, chunks, sizeof chunks / sizeof chunks[0], chunk_range, err);
    return status ? status
                  : vxbi_launch(on->device, on->start_buckets, buckets, sizeof buckets / sizeof buckets[0], range, err);
}

/* Of how many blades the tile's buffers have room: one that has more is not read back. */
static uint32_t blade_room(const struct vxbi_tile_device *on, const struct vxbi_tile *tile)
{
    const uint64_t candidates = (uint64_t)tile->count * on->per_cell;
    return candidates < VXBI_TILE_BLADES_MOST || tile->count == 1 ? (uint32_t)candidates : VXBI_TILE_BLADES_MOST;
}

static enum vxb_status write_blades(struct vxbi_tile_device *on, struct vxbi_tile *tile,
                                    const struct vxbi_tile_buckets *b, struct vxb_error *err)
{
    const uint32_t room = blade_room(on, tile), wants_hashes = on->wants_hashes;
    const uint32_t buckets = tile->count * b->count;
    const uint64_t items = (uint64_t)buckets * VXK_LANES;
    enum vxb_status status = need(on, &tile->records, (uint64_t)room * sizeof(struct vxk_record), err);
    if (!status)
        status = need(on, &tile->hashes, (wants_hashes ? (uint64_t)room : 1) * sizeof(uint32_t), err);
    if (status)
        return status;
    const struct vxbi_arg args[] = {
        VXBI_ARG_BUFFER(on->taken.buffer),     VXBI_ARG_BUFFER(on->starts.buffer), VXBI_ARG_VALUE(buckets),
        VXBI_ARG_VALUE(b->slots),              VXBI_ARG_BUFFER(on->keys.buffer),   VXBI_ARG_BUFFER(on->made.buffer),
        VXBI_ARG_VALUE(wants_hashes),          VXBI_ARG_VALUE(room),
        VXBI_ARG_BUFFER(tile->records.buffer), VXBI_ARG_BUFFER(tile->hashes.buffer)};
    const struct vxbi_range range = {items, 1, vxbi_kernel_local(on->device, on->write, items)};
    return vxbi_launch(on->device, on->write, args, sizeof args / sizeof args[0], range, err);
}

/* All that is computed of the tile; its tallies come back. */
static enum vxb_status compute(struct vxbi_tile_device *on, struct vxbi_tile *tile, const struct vxbi_tile_buckets *b,
                               struct vxb_error *err)
{
    enum vxb_status status = make_room(on, tile, b, err);
    if (!status)
        status = judge(on, tile, b, err);
    if (status)
        return status;
    vxbi_device_flush(on->device);
    if (tile->wants & VXK_WANTS_BLADES && on->until != VXBI_TILE_MAKE) {
        status = start_buckets(on, tile, b, err);
        if (!status)
            status = write_blades(on, tile, b, err);
    }
    if (!status)
        look_ahead(on, tile);
    if (!status)
        status = vxbi_buffer_read(on->device, on->tallies.buffer, tile->tallies, tally_bytes(tile), err);
    on->ranks_spoiled = on->ranks_spoiled || (status && tile->wants & VXK_WANTS_RANKS);
    return status;
}

/* Where each chunk's blades begin. False: the device counted what can't be. No sum here exceeds the tile's candidates,
 * which are below 2^32. */
static bool lay_out(struct vxbi_tile_device *on, struct vxbi_tile *tile)
{
    uint64_t first = 0;
    for (uint32_t cell = 0; cell < tile->count; cell++) {
        uint64_t all = 0;
        for (uint32_t i = 0; i < VXK_TALLIES; i++)
            all += tile->tallies[(size_t)cell * VXK_TALLIES + i];
        if (all != on->per_cell)
            return false;
    }
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        for (uint32_t cell = 0; cell < tile->count; cell++) {
            tile->firsts[(size_t)k * tile->count + cell] = (uint32_t)first;
            first += tile->tallies[(size_t)cell * VXK_TALLIES + VXK_REASONS * k + VXK_PLACED];
        }
    tile->blades = (uint32_t)first;
    /* It is the cells behind these that this tells something of. */
    on->few_blades = first < (uint64_t)tile->count * on->per_cell / FEW;
    return fullest_bucket(tile) <= first && ties_of(tile) <= first;
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

static enum vxb_status fail_counts(const struct vxbi_tile_device *on, struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_DEVICE,
                     "%s: the counts of its candidates do not add up: its driver or its memory is at fault; bake on "
                     "another device, or on the cpu",
                     vxb_device_info(on->device)->name);
}

static enum vxb_status compute_cells(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first,
                                     uint32_t count, const uint32_t rank_most[VXB_SPECIES_MAX], uint32_t wants,
                                     struct vxb_error *err)
{
    tile->first = first;
    tile->count = count;
    tile->blades = 0;
    tile->wants = wants;
    memcpy(tile->rank_most, rank_most, sizeof tile->rank_most);
    enum vxb_status status = need_counts(&on->scatter->plan->allocator, tile, tile->count, err);
    if (!status)
        status = take_cells(on, tile, err);
    struct vxbi_tile_buckets b = vxbi_tile_buckets_for(on->scatter, rank_most);
    const uint32_t forced = vxbi_device_tuning(on->device)->bucket_slots;
    /* Who forces buckets to overflow wants to see it of the ties, too. */
    b.slots = forced ? forced : b.slots;
    b.ties = forced ? 1 : vxbi_tile_ties_for((uint64_t)tile->count * on->per_cell);
    if (!status)
        status = compute(on, tile, &b, err);
    if (!status && !lay_out(on, tile))
        return fail_counts(on, err);
    if (status || (fullest_bucket(tile) <= b.slots && ties_of(tile) <= b.ties))
        return status;
    b.slots = fullest_bucket(tile) > b.slots ? fullest_bucket(tile) : b.slots;
    b.ties = ties_of(tile) > b.ties ? ties_of(tile) : b.ties;
    status = compute(on, tile, &b, err);
    return !status && (!lay_out(on, tile) || fullest_bucket(tile) > b.slots || ties_of(tile) > b.ties)
               ? fail_counts(on, err)
               : status;
}

/* Each is of a cell and a species there are, and no chunk has more than blades. */
static bool ties_can_be(const struct vxbi_tile_device *on, const struct vxbi_tile *tile)
{
    for (uint32_t i = 0, n; i < tile->ties.count; i += n) {
        const struct vxbi_tile_tie *tie = &tile->ties.data[i];
        const uint32_t *hashes;
        if (tie->cell >= tile->count || tie->species >= on->params.field.species_count)
            return false;
        n = vxbi_tile_ties_of(&tile->ties, tie->cell, tie->species, &hashes);
        if (n > tile->tallies[(size_t)tie->cell * VXK_TALLIES + VXK_REASONS * tie->species + VXK_PLACED])
            return false;
    }
    return true;
}

static enum vxb_status begin_reading(struct vxbi_tile_device *on, struct vxbi_tile *tile, struct vxb_error *err)
{
    const uint64_t record_bytes = (uint64_t)tile->blades * sizeof(struct vxk_record);
    const uint64_t hash_bytes = (uint64_t)tile->blades * sizeof(uint32_t);
    if (tile->blades > blade_room(on, tile))
        return vxbi_fail(err, VXB_ERR_LIMIT, "%" PRIu32 " blades came of one tile", tile->blades);
    if (tile->wants & VXK_WANTS_VERDICTS) {
        enum vxb_status status = read_verdicts(on, tile, err);
        if (status)
            return status;
    }
    if (tile->blades == 0 || on->until != VXBI_TILE_READ)
        return VXB_OK;
    enum vxb_status status = need_pinned(on, &tile->record_data, &tile->record_room, record_bytes, err);
    if (!status && on->wants_hashes)
        status = need_pinned(on, &tile->hash_data, &tile->hash_room, hash_bytes, err);
    if (!status)
        status = vxbi_read_begin(on->device, tile->records.buffer, tile->record_data, record_bytes,
                                 &tile->record_event, err);
    if (!status && on->wants_hashes)
        status = vxbi_read_begin(on->device, tile->hashes.buffer, tile->hash_data, hash_bytes, &tile->hash_event, err);
    return status;
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

enum vxb_status vxbi_tile_begin(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t count,
                                const uint32_t rank_most[VXB_SPECIES_MAX], bool told, struct vxb_error *err)
{
    const int forced = vxbi_device_tuning(on->device)->few_blades;
    const bool few = forced ? forced > 0 : on->few_blades;
    const uint32_t wants = VXK_WANTS_BLADES | (told ? VXK_WANTS_VERDICTS : 0) | (few ? VXK_FEW_BLADES : 0);
    enum vxb_status status = compute_cells(on, tile, first, count, rank_most, wants, err);
    return settle(on, tile, status ? status : begin_reading(on, tile, err));
}

enum vxb_status vxbi_tile_count(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint64_t first, uint32_t count,
                                const uint32_t rank_most[VXB_SPECIES_MAX], uint32_t wants, struct vxb_error *err)
{
    enum vxb_status status = compute_cells(on, tile, first, count, rank_most, wants, err);
    if (!status && wants & VXK_WANTS_TIES)
        status = vxbi_tile_ties_read(&tile->ties, on->device, on->ties.buffer, ties_of(tile),
                                     &on->scatter->plan->allocator, err);
    if (!status && wants & VXK_WANTS_TIES && !ties_can_be(on, tile))
        status = fail_counts(on, err);
    return settle(on, tile, status);
}

enum vxb_status vxbi_tile_begin_ranks(struct vxbi_tile_device *on, struct vxb_error *err)
{
    on->ranks_spoiled = false;
    return on->ranks.buffer ? clear_ranks(on, err) : VXB_OK;
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
        const uint32_t first = tile->firsts[(size_t)k * tile->count + cell];
        struct vxbi_cell_species *to = &out->species[k];
        to->count = tally[VXK_PLACED];
        to->candidates = tally[VXK_PLACED];
        if (tile->wants & VXK_WANTS_TIES)
            to->tied = vxbi_tile_ties_of(&tile->ties, cell, k, &to->hashes);
        if (to->count && tile->wants & VXK_WANTS_BLADES) {
            to->records =
                (const uint8_t *)vxbi_pinned_data(tile->record_data) + (size_t)first * VXB_GRASS_RECORD_BYTES;
            if (on->wants_hashes)
                to->hashes = (const uint32_t *)vxbi_pinned_data(tile->hash_data) + first;
        }
        for (uint32_t reason = 0; reason < VXB_REASON_COUNT; reason++) {
            to->reasons[reason] = tally[reason + 1];
            to->candidates += tally[reason + 1];
        }
    }
}

uint8_t vxbi_tile_reason(uint8_t verdict)
{
    const uint32_t reason = verdict % VXK_REASONS; /* whatever a device says */
    return (uint8_t)vxbi_reason_of(reason);
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
    vxbi_tile_ties_clear(a, &tile->ties);
    vxbi_delete(a, tile->verdicts, tile->verdict_room, sizeof *tile->verdicts);
    memset(tile, 0, sizeof *tile);
}
