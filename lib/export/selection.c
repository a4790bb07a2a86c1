/* Whether what is asked for by number or by cell is there. A list that names nothing would look like a file that holds
 * nothing, so it is an error, and said before anything is written. */
#include <inttypes.h>

#include "../core/env.h"
#include "../core/error.h"
#include "../grass/read.h"
#include "blades.h"
#include "list_probes.h"

enum vxb_status vxbi_check_range(const char *what, uint32_t first, uint32_t last, uint64_t count, struct vxb_error *err)
{
    const bool all = first == 0 && last == UINT32_MAX;
    if (all || first < count)
        return VXB_OK;
    if (count == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu32 " was asked for, and there is none", what, first);
    return vxbi_fail(err, VXB_ERR_USAGE, "%s %" PRIu32 " was asked for; there are %" PRIu64 ", numbered from 0", what,
                     first, count);
}

/* The cells from the least to the greatest of any chunk. */
struct extent {
    int32_t low[2], high[2];
};

static void extend(struct extent *extent, bool first, const struct vxb_grass_chunk *chunk)
{
    const int32_t cell[2] = {chunk->cell_x, chunk->cell_z};
    for (int i = 0; i < 2; i++) {
        extent->low[i] = first || cell[i] < extent->low[i] ? cell[i] : extent->low[i];
        extent->high[i] = first || cell[i] > extent->high[i] ? cell[i] : extent->high[i];
    }
}

static enum vxb_status measure(const struct vxb_grass *grass, struct extent *extent, struct vxb_error *err)
{
    enum { WINDOW = 256 };
    struct vxb_grass_chunk window[WINDOW];
    const uint32_t all = vxb_grass_header(grass)->chunk_count;
    for (uint32_t first = 0; first < all; first += WINDOW) {
        const uint32_t n = all - first < WINDOW ? all - first : WINDOW;
        const enum vxb_status status = vxb_grass_chunks(grass, first, n, window, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++)
            extend(extent, first + i == 0, &window[i]);
    }
    return VXB_OK;
}

/* A cell where nothing grows has no chunk, and is there all the same. */
static enum vxb_status check_extent(const struct vxb_grass *grass, const struct vxb_inspect_options *o,
                                    struct vxb_error *err)
{
    struct extent extent = {0};
    if (vxb_grass_header(grass)->chunk_count == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "cell %" PRId32 ",%" PRId32 " was asked for, and there is no chunk at all",
                         o->chunk_x, o->chunk_z);
    const enum vxb_status status = measure(grass, &extent, err);
    if (status || (o->chunk_x >= extent.low[0] && o->chunk_x <= extent.high[0] && o->chunk_z >= extent.low[1] &&
                   o->chunk_z <= extent.high[1]))
        return status;
    return vxbi_fail(err, VXB_ERR_USAGE, "cell %" PRId32 ",%" PRId32 " was asked for; the chunks are of cells %" PRId32
                     ",%" PRId32 " to %" PRId32 ",%" PRId32, o->chunk_x, o->chunk_z, extent.low[0], extent.low[1],
                     extent.high[0], extent.high[1]);
}

static enum vxb_status check_cell(const struct vxb_grass *grass, const struct vxb_inspect_options *o, bool blades,
                                  struct vxb_error *err)
{
    uint32_t chunks = 0, most = 0;
    for (uint32_t k = 0; k < vxb_grass_header(grass)->section_count; k++) {
        struct vxb_grass_chunk chunk;
        uint32_t index;
        bool found;
        const enum vxb_status status = vxb_grass_find(grass, k, o->chunk_x, o->chunk_z, &found, &index, &chunk, err);
        if (status)
            return status;
        chunks += found;
        most = found && chunk.blade_count > most ? chunk.blade_count : most;
    }
    if (!chunks)
        return check_extent(grass, o, err);
    if (!blades || !o->has_blade_range)
        return VXB_OK;
    return vxbi_check_range("of the cell's chunks, blade", o->first_blade, o->last_blade, most, err);
}

enum vxb_status vxbi_check_selection(const struct vxb_grass *grass, const struct vxb_inspect_options *o, bool blades,
                                     struct vxb_error *err)
{
    const struct vxb_grass_header *header = vxb_grass_header(grass);
    enum vxb_status status = VXB_OK;
    if (o->has_chunk)
        return check_cell(grass, o, blades, err);
    if (o->has_chunk_range)
        status = vxbi_check_range("chunk", o->first_chunk, o->last_chunk, header->chunk_count, err);
    if (!status && blades && o->has_blade_range)
        status = vxbi_check_range("blade", o->first_blade, o->last_blade, header->blade_count, err);
    return status;
}

enum vxb_status vxb_inspect_check(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                  struct vxb_error *err)
{
    if (!options)
        return VXB_OK;
    enum vxb_status status = vxbi_check_size("vxb_inspect_options", options->size, sizeof *options, err);
    if (status)
        return status;
    status = vxbi_check_selection(grass, options, options->blades, err);
    return status ? vxbi_error_in(err, status, grass->name, NULL) : VXB_OK;
}
