/* A device's cells beside the CPU's: the two are the same, in all that the device was asked for. */
#include "device_compare.h"

#include <inttypes.h>
#include <string.h>

#include "../core/error.h"

/* A device's ties ascend, a CPU's come in no order; no hash is there twice. */
static bool same_ties(const struct vxbi_cell_species *device, const struct vxbi_cell_species *cpu)
{
    for (uint32_t i = 0; i < cpu->tied && device->tied == cpu->tied; i++) {
        uint32_t low = 0, high = device->tied;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (device->hashes[middle] <= cpu->hashes[i])
                low = middle;
            else
                high = middle;
        }
        if (device->hashes[low] != cpu->hashes[i])
            return false;
    }
    return device->tied == cpu->tied;
}

/* wants: what the device was asked for of them. */
static bool same_species(const struct vxbi_cell_species *device, const struct vxbi_cell_species *cpu, uint32_t wants)
{
    if (device->count != cpu->count || device->candidates != cpu->candidates ||
        memcmp(device->reasons, cpu->reasons, sizeof cpu->reasons) != 0)
        return false;
    if (wants & VXK_WANTS_TIES)
        return same_ties(device, cpu);
    if (!(wants & VXK_WANTS_BLADES) || cpu->count == 0)
        return true;
    return memcmp(device->records, cpu->records, (size_t)cpu->count * VXB_GRASS_RECORD_BYTES) == 0 &&
           (!device->hashes || memcmp(device->hashes, cpu->hashes, cpu->count * sizeof *cpu->hashes) == 0);
}

/* A cell's verdicts, which the CPU goes through in their order. */
struct verdicts {
    const uint8_t *next; /* NULL: nobody wanted them */
    bool same;
};

static void compare_verdicts(void *user, double cell_x, double cell_z, const float *x, const float *z,
                             const uint8_t *reasons, size_t count)
{
    struct verdicts *verdicts = user;
    (void)cell_x, (void)cell_z, (void)x, (void)z;
    for (size_t i = 0; i < count; i++)
        verdicts->same = verdicts->same && vxbi_tile_reason(*verdicts->next++) == reasons[i];
}

static enum vxb_status expect(const struct vxbi_tile_device *on, const struct vxbi_tile *tile, uint64_t index,
                              struct vxbi_scatter_work *work, struct verdicts *verdicts, struct vxbi_cell_result *out,
                              struct vxb_error *err)
{
    const struct vxbi_reason_sink sink = {.user = verdicts, .add = compare_verdicts};
    if (tile->wants & VXK_WANTS_BLADES)
        return vxbi_scatter_cell(on->scatter, work, index, tile->rank_most, verdicts->next ? &sink : NULL, out, err);
    if (tile->wants & VXK_WANTS_TIES)
        return vxbi_scatter_ties(on->scatter, work, index, tile->rank_most, true, out, err);
    vxbi_scatter_count(on->scatter, work, index, NULL, out);
    return VXB_OK;
}

enum vxb_status vxbi_tile_compare(const struct vxbi_tile_device *on, const struct vxbi_tile *tile, uint32_t number,
                                  const struct vxbi_cell_result *cell, struct vxbi_scatter_work *work,
                                  struct vxb_error *err)
{
    const struct vxb_plan *plan = on->scatter->plan;
    struct verdicts verdicts = {.same = true};
    struct vxbi_cell_result expected;
    if (tile->wants & VXK_WANTS_VERDICTS)
        verdicts.next = tile->verdicts + (size_t)number * on->per_cell;
    enum vxb_status status = expect(on, tile, tile->first + number, work, &verdicts, &expected, err);
    for (uint32_t k = 0; k < plan->species_count && !status; k++)
        if (!same_species(&cell->species[k], &expected.species[k], tile->wants))
            status = vxbi_fail(err, VXB_ERR_DEVICE,
                               "%s does not compute what the CPU does: cell %" PRId32 ", %" PRId32 " has other blades "
                               "(%" PRIu32 " there, %" PRIu32 " here, of species \"%s\"); bake on another device, or "
                               "on the cpu",
                               vxb_device_info(on->device)->name, cell->cell_x, cell->cell_z,
                               cell->species[k].count, expected.species[k].count, plan->species[k].recipe->name);
    if (!status && !verdicts.same)
        status = vxbi_fail(err, VXB_ERR_DEVICE,
                           "%s does not compute what the CPU does: candidates of cell %" PRId32 ", %" PRId32 " fall to "
                           "other reasons; bake on another device, or on the cpu",
                           vxb_device_info(on->device)->name, cell->cell_x, cell->cell_z);
    return status;
}
