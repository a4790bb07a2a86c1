/* A grass bake from plan to files: composes scatter, budgets, writer, picture, depfile and report. */
#include "bake_grass.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/env.h"
#include "core/text.h"
#include "export/preview.h"
#include "grass/device_source.h"
#include "grass/field.h"
#include "grass/write.h"
#include "outputs.h"
#include "vxbake/runtime.h"

struct bake {
    const struct vxb_env *env;
    const struct vxb_plan *plan;
    const struct vxb_bake_options *options;
    const struct vxbi_bake_tuning *tuning;
    struct vxbi_outputs outputs;
    struct vxbi_preview *preview;
    struct vxbi_region region;    /* of the whole grid where none was asked for */
    struct vxbi_field field;
    struct vxb_grass_header header;
    struct vxb_bake_report report;
};

/* ---- region ---- */

/* The cells from the one that low stands in up to the one that high ends in, of count from first on. */
static void cells_touched(double low, double high, double size, int32_t first, uint32_t count, int32_t *from,
                          int32_t *to)
{
    const double least = first, most = (double)first + count;
    const double a = floor(low / size), z = ceil(high / size);
    *from = (int32_t)(a < least ? least : a > most ? most : a);
    *to = (int32_t)(z < least ? least : z > most ? most : z);
}

static enum vxb_status find_region(struct bake *b, struct vxb_error *err)
{
    const struct vxb_plan *plan = b->plan;
    const double size = (double)plan->recipe->cell_size, *r = b->options->region;
    char text[4][VXB_TEXT_NUMBER_ROOM];
    b->region = (struct vxbi_region){plan->cell_x0, plan->cell_z0, plan->cell_x0 + (int32_t)plan->cells_x,
                                     plan->cell_z0 + (int32_t)plan->cells_z};
    if (!b->options->has_region)
        return VXB_OK;
    if (!(r[0] < r[2] && r[1] < r[3] && isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]) && isfinite(r[3])))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "region", "the region goes from (%s, %s) to (%s, %s); it must go "
                                  "to larger x and z", vxb_text_f64(r[0], text[0]), vxb_text_f64(r[1], text[1]),
                                  vxb_text_f64(r[2], text[2]), vxb_text_f64(r[3], text[3]));
    const struct vxbi_region all = b->region;
    cells_touched(r[0], r[2], size, plan->cell_x0, plan->cells_x, &b->region.x0, &b->region.x1);
    cells_touched(r[1], r[3], size, plan->cell_z0, plan->cells_z, &b->region.z0, &b->region.z1);
    if (b->region.x0 >= b->region.x1 || b->region.z0 >= b->region.z1)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "region", "the region lies beside the field, whose cells go from "
                                  "(%s, %s) to (%s, %s)",
                                  vxb_text_f64(all.x0 * size, text[0]), vxb_text_f64(all.z0 * size, text[1]),
                                  vxb_text_f64(all.x1 * size, text[2]), vxb_text_f64(all.z1 * size, text[3]));
    return VXB_OK;
}

static uint64_t region_candidates(const struct bake *b)
{
    const struct vxbi_region *r = &b->region;
    return (uint64_t)((int64_t)r->x1 - r->x0) * (uint64_t)((int64_t)r->z1 - r->z0) * b->plan->side * b->plan->side;
}

uint64_t vxb_bake_candidates(const struct vxb_plan *plan, const struct vxb_bake_options *options)
{
    struct bake b = {.plan = plan, .options = options};
    struct vxb_error err = {0};
    return !vxbi_field_may_choose(plan) && find_region(&b, &err) == VXB_OK ? region_candidates(&b) : plan->candidates;
}

/* ---- options ---- */

static enum vxb_status check_options(const struct vxb_bake_options *options, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_size("vxb_bake_options", options->size, sizeof *options, err);
    if (status)
        return status;
    if (!(options->cross_check >= 0.0 && options->cross_check <= 100.0))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "cross_check",
                                  "the cross-check takes 0 to 100 percent of the cells");
    if (options->cross_check > 0.0 && !options->device)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "cross_check",
                                  "a cross-check compares a device with the CPU, so it needs a device");
    if (options->split && !options->compress)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "split", "splitting arranges bytes for compression, and none is "
                                  "asked for");
    return VXB_OK;
}

/* ---- picture ---- */

static enum vxb_status open_preview(struct bake *b, struct vxb_error *err)
{
    const struct vxb_plan *plan = b->plan;
    const struct vxb_terrain *t = plan->terrain;
    struct vxbi_preview_desc desc = {
        .as = b->options->preview_as,
        .x0 = (double)t->origin[0],
        .z0 = (double)t->origin[2],
        .x1 = (double)t->origin[0] + vxb_terrain_width(t),
        .z1 = (double)t->origin[2] + vxb_terrain_depth(t),
        .species_count = plan->species_count,
    };
    enum vxb_status status = vxbi_preview_new(b->env, &desc, &b->preview, err);
    return status ? status : vxbi_preview_relief_terrain(b->preview, t, err);
}

static void add_reasons(void *user, double cell_x, double cell_z, const float *x, const float *z,
                        const uint8_t *reasons, size_t count)
{
    struct bake *b = user;
    vxbi_preview_add_reasons(b->preview, b->plan->recipe->cell_size, cell_x, cell_z, x, z, reasons, count);
}

static void add_chunk(void *user, uint32_t section, const struct vxb_grass_chunk *chunk, const uint8_t *records,
                      uint32_t spilled)
{
    struct bake *b = user;
    float size = b->plan->recipe->cell_size;
    vxbi_preview_add_blades(b->preview, section, size, chunk, records);
    vxbi_preview_take_blades(b->preview, size, chunk,
                             records + (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES,
                             spilled - chunk->blade_count);
}

/* Chunks of which a budget left nothing never reach the writer. */
static enum vxb_status take_dropped(struct bake *b, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < b->plan->species_count; k++) {
        const struct vxbi_field_section *section = &b->field.sections[k];
        for (uint64_t i = section->count; i < section->count + section->dropped && !status; i++) {
            const struct vxbi_field_chunk *from = &section->chunks[i];
            const struct vxb_grass_chunk chunk = {.cell_x = from->cell_x, .cell_z = from->cell_z};
            uint8_t records[256 * VXB_GRASS_RECORD_BYTES];
            for (uint32_t done = 0, n; done < from->spilled && !status; done += n) {
                n = from->spilled - done < 256 ? from->spilled - done : 256;
                status = vxbi_spill_read_at(b->field.spill,
                                            from->spill_offset + (uint64_t)done * VXB_GRASS_RECORD_BYTES,
                                            records, (size_t)n * VXB_GRASS_RECORD_BYTES, err);
                if (!status)
                    vxbi_preview_take_blades(b->preview, b->plan->recipe->cell_size, &chunk, records, n);
            }
        }
    }
    return status;
}

static enum vxb_status draw_preview(struct bake *b, struct vxb_error *err)
{
    struct vxbi_preview_legend legend = {0};
    for (uint32_t k = 0; k < b->plan->species_count; k++) {
        legend.names[k] = b->plan->species[k].recipe->name;
        legend.blades[k] = b->report.species[k].placed;
        legend.parts[k] = b->plan->species[k].parts;
    }
    memcpy(legend.reasons, b->report.field.reasons, sizeof legend.reasons);
    return vxbi_preview_write(b->preview, &legend, b->outputs.at[VXBI_PREVIEW], err);
}

/* ---- report ---- */

static void add_ledger(struct vxb_ledger *sum, const struct vxb_ledger *l)
{
    sum->candidates += l->candidates;
    sum->placed += l->placed;
    sum->chunks += l->chunks;
    sum->bytes += l->bytes;
    sum->commands += l->commands;
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        sum->reasons[i] += l->reasons[i];
}

static bool adds_up(const struct vxb_ledger *l)
{
    uint64_t sum = l->placed;
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        sum += l->reasons[i];
    return sum == l->candidates;
}

static enum vxb_status make_report(struct bake *b, struct vxb_error *err)
{
    struct vxb_bake_report *r = &b->report;
    const struct vxb_plan *plan = b->plan;
    bool right = true;
    r->species_count = plan->species_count;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        r->species[k] = b->field.sections[k].ledger;
        r->rank_limit[k] = b->field.sections[k].rank_limit;
        add_ledger(&r->field, &r->species[k]);
        right = right && adds_up(&r->species[k]);
    }
    right = right && adds_up(&r->field) && r->field.candidates == region_candidates(b) &&
            r->field.placed == b->header.blade_count && r->field.chunks == b->header.chunk_count &&
            (plan->blade_budget == VXB_NO_LIMIT || r->field.placed <= plan->blade_budget);
    if (!right)
        return vxbi_fail(err, VXB_ERR_BUG,
                         "the ledger does not add up: %" PRIu64 " candidates planned, %" PRIu64 " counted, %" PRIu64
                         " placed, %" PRIu32 " written",
                         region_candidates(b), r->field.candidates, r->field.placed, b->header.blade_count);
    r->file_bytes = b->header.file_bytes;
    r->gpu_bytes = (uint64_t)VXB_GRASS_CHUNK_BYTES * r->field.chunks + (uint64_t)VXB_GRASS_LOD_BYTES * plan->lod_count +
                   VXB_RUNTIME_COMMAND_BYTES * r->field.commands + VXB_RUNTIME_RECORD_BYTES * r->field.placed;
    r->bake_id = b->header.bake_id;
    r->content_id = b->header.content_id;
    r->format = b->header.format;
    r->partial = b->options->has_region;
    r->region[0] = b->region.x0;
    r->region[1] = b->region.z0;
    r->region[2] = b->region.x1;
    r->region[3] = b->region.z1;
    return VXB_OK;
}

static enum vxb_status write_report(struct bake *b, struct vxb_error *err)
{
    struct vxbi_report_sink to;
    const struct vxb_sink sink = vxbi_outputs_report(&b->outputs, &to, err);
    enum vxb_status status = vxb_bake_report_json(b->plan, &b->report, false, &sink, err);
    return to.status ? to.status : status;
}

/* ---- the whole ---- */

/* Who makes a field's blades, and how they are written. */
struct making {
    const struct vxbi_region *region;
    struct vxbi_cell_source source;
    struct vxbi_write_options write;
    const struct vxbi_reason_sink *reasons; /* NULL: nobody */
};

/* Blades and their order first, then the file. */
static enum vxb_status make_and_write(struct bake *b, const struct making *m, struct vxb_error *err)
{
    enum vxb_status status =
        vxbi_field_make(b->env, b->plan, m->region, b->options->output, &m->source, m->reasons, &b->field, err);
    if (!status && m->reasons)
        status = take_dropped(b, err);
    return status ? status : vxbi_grass_write(b->env, &b->field, b->outputs.at[VXBI_MAIN], &m->write, &b->header, err);
}

/* Places in the file first, or how many chunks it will have, then the blades, each where it belongs. It can be done
 * without: where there is no memory to count, it is. */
static enum vxb_status count_and_write(struct bake *b, const struct making *m, const struct vxbi_cell_source *counting,
                                       bool find, struct vxb_error *err)
{
    struct vxb_error why = {0};
    const enum vxb_status status = (find ? vxbi_field_find : vxbi_field_count)(b->env, b->plan, m->region, counting,
                                                                               &b->field, &why);
    if (status == VXB_ERR_MEMORY)
        return make_and_write(b, m, err);
    if (status && err && err->status == VXB_OK)
        *err = why;
    return status ? status
                  : vxbi_grass_write_counted(b->env, &b->field, m->region, counting, b->outputs.at[VXBI_MAIN],
                                             &m->write, &b->header, err);
}

/* A picture of reasons wants to hear of each candidate once. */
static bool finds_first(const struct bake *b, const struct making *m)
{
    if (m->reasons || b->options->device)
        return false;
    if (b->tuning->way == VXBI_BAKE_FIND)
        return vxbi_field_can_be_found(b->plan);
    return b->tuning->way == VXBI_BAKE_AS_PAYS && vxbi_cpu_finds_first(b->plan, m->region);
}

/* What is compressed has no place before it is made. */
static bool counts_first(const struct bake *b, const struct making *m)
{
    if (m->reasons || b->options->compress)
        return false;
    if (b->options->device)
        return m->source.count != NULL;
    return b->tuning->way == VXBI_BAKE_COUNT ||
           (b->tuning->way != VXBI_BAKE_SPILL && vxbi_cpu_counts_first(b->env, b->plan, m->region));
}

static enum vxb_status make_field(struct bake *b, struct vxb_error *err)
{
    const struct vxb_bake_options *o = b->options;
    const struct vxbi_reason_sink reasons = {.user = b, .add = add_reasons};
    const struct vxbi_chunk_sink chunk_sink = {.user = b, .add = add_chunk};
    const bool inexact = o->device && !vxb_device_info(o->device)->exact;
    struct making m = {.region = o->has_region ? &b->region : NULL,
                       .source = vxbi_cpu_source,
                       .write = {.compress = o->compress, .level = o->compress_level, .split = o->split,
                                 .flags = (uint16_t)((o->has_region ? VXB_GRASS_PARTIAL : 0) |
                                                     (inexact ? VXB_GRASS_INEXACT : 0)),
                                 .sink = b->preview ? &chunk_sink : NULL},
                       .reasons = b->preview && o->preview_as == VXB_PREVIEW_REASON ? &reasons : NULL};
    struct vxbi_device_source *device = NULL;
    enum vxb_status status = VXB_OK;
    if (o->device) {
        status = vxbi_device_source_new(b->env, o->device, b->plan, o->cross_check, &device, err);
        if (status)
            return status;
        m.source = vxbi_device_source_cells(device);
    }
    const struct vxbi_cell_source counting = o->device ? m.source : vxbi_cpu_counting_source;
    const bool find = finds_first(b, &m);
    status = find || counts_first(b, &m) ? count_and_write(b, &m, &counting, find, err) : make_and_write(b, &m, err);
    vxbi_device_source_free(device);
    if (!status)
        status = make_report(b, err);
    vxbi_field_clear(&b->field);
    return status;
}

static enum vxb_status fill_outputs(struct bake *b, double started, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (b->outputs.at[VXBI_PREVIEW])
        status = draw_preview(b, err);
    if (!status)
        status = vxbi_outputs_finish(&b->outputs, &b->report.written, err);
    b->report.seconds = vxbi_seconds() - started;
    if (!status && b->outputs.at[VXBI_REPORT])
        status = write_report(b, err);
    return status;
}

enum vxb_status vxbi_bake_tuned(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxb_bake_options *options, const struct vxbi_bake_tuning *tuning,
                                struct vxb_bake_report *report, struct vxb_error *err)
{
    const double started = vxbi_seconds();
    struct bake b = {.env = env, .plan = plan, .options = options, .tuning = tuning};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(options, err);
    if (!status)
        status = find_region(&b, err);
    if (!status)
        status = vxbi_outputs_open(env, options, plan->recipe->path, plan->recipe->inputs, plan->recipe->input_count,
                                   &b.outputs, err);
    if (!status && options->preview)
        status = open_preview(&b, err);
    if (!status)
        status = make_field(&b, err);
    if (!status)
        status = fill_outputs(&b, started, err);
    vxbi_preview_free(b.preview);
    if (!status)
        status = vxbi_outputs_commit(&b.outputs, err);
    vxbi_outputs_abort(&b.outputs);
    if (!status && report)
        *report = b.report;
    return status;
}

enum vxb_status vxb_bake_planned(const struct vxb_env *env, const struct vxb_plan *plan,
                                 const struct vxb_bake_options *options, struct vxb_bake_report *report,
                                 struct vxb_error *err)
{
    const struct vxbi_bake_tuning tuning = {0};
    return vxbi_bake_tuned(env, plan, options, &tuning, report, err);
}

enum vxb_status vxb_bake(const struct vxb_env *env, const struct vxb_recipe *recipe,
                         const struct vxb_bake_options *options, struct vxb_bake_report *report, struct vxb_error *err)
{
    struct vxb_terrain *terrain = NULL;
    struct vxb_plan *plan = NULL;
    enum vxb_status status = vxb_terrain_load(env, &recipe->terrain, &terrain, err);
    if (!status)
        status = vxb_plan_new(env, recipe, terrain, &plan, err);
    if (!status)
        status = vxb_bake_planned(env, plan, options, report, err);
    vxb_plan_free(plan);
    vxb_terrain_free(terrain);
    return status;
}
