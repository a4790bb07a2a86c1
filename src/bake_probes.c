/* vxbake bake of an irradiance field: what of the options is of it, the plan, the gate, the bake. */
#include "bake_probes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void by_size(const struct vxb_probe_plan *plan, void (*say)(const char *format, ...))
{
    char line[256];
    int used = snprintf(line, sizeof line, "%" PRIu32, plan->counts.bricks);
    const char *before = ": ";
    for (uint32_t k = VXB_PROBE_SIZES; k-- > 0;)
        if (plan->bricks[k]) {
            used += snprintf(line + used, sizeof line - (size_t)used, "%s%" PRIu32 " of size %u", before,
                             plan->bricks[k],
                             1u << k);
            before = ", ";
        }
    say("bricks        %s\n", line);
    if (plan->counts.dropped || plan->counts.whole)
        say("              %" PRIu64 " dropped and %" PRIu64 " left whole, as the pool has too few slots\n",
            plan->counts.dropped, plan->counts.whole);
    say("slots         %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", plan->slots[0], plan->slots[1], plan->slots[2]);
}

static void print_plan(const struct vxb_probe_plan *plan)
{
    const struct vxb_probe_recipe *r = plan->recipe;
    cli_out("recipe        %s\n", cli_clean(r->path));
    for (uint32_t i = 0; i < r->input_count; i++)
        cli_out("input         %s\n", cli_clean(r->inputs[i]));
    cli_out("cells         %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", r->cells[0], r->cells[1], r->cells[2]);
    by_size(plan, cli_out);
    cli_out("probes        %" PRIu64 "\n", plan->probes);
    cli_out("rays          %" PRIu64 " at most, in %" PRIu32 " %s\n", plan->rays, 1 + r->bounces,
            r->bounces ? "passes" : "pass");
    cli_out("file          %s, %" PRIu64 " bytes without compression\n", vxb_probe_encoding_name(r->encoding),
            plan->file_bytes);
    cli_out("memory        %" PRIu64 " bytes\n", plan->memory_bytes);
    cli_out("bake id       0x%016" PRIx64 "\n", plan->bake_id);
}

static void print_report(const struct vxb_probe_plan *plan, const struct vxb_probe_report *report, const char *name)
{
    const struct vxb_fill_stats *fill = &report->fill;
    cli_summary("%s: %s%s in %s, %" PRIu64 " bytes\n\n",
                strcmp(name, "-") == 0 ? "standard output" : cli_clean(name), report->written ? "" : "unchanged, ",
                cli_counted(fill->probes, "probe"), cli_counted(plan->counts.bricks, "brick"), report->file_bytes);
    by_size(plan, cli_summary);
    cli_summary("rays          %" PRIu64 " in %" PRIu32 " %s, %.2f s, %.1f million a second\n", fill->rays,
                fill->passes, fill->passes == 1 ? "pass" : "passes", fill->seconds,
                fill->seconds > 0 ? (double)fill->rays / fill->seconds / 1e6 : 0.0);
    cli_summary("invalid       %" PRIu64 ", of which dilation repaired %" PRIu64 "\n", fill->invalid, fill->repaired);
    cli_summary("file          format 1, %s, %" PRIu64 " bytes\n", vxb_probe_encoding_name(plan->recipe->encoding),
                report->file_bytes);
    cli_summary("bake id       0x%016" PRIx64 "\n", report->bake_id);
    cli_summary("content id    0x%016" PRIx64 "\n", report->content_id);
    cli_summary("time          %.2f s\n", report->seconds);
}

static enum vxb_status print_json(const struct bake_probes *b, const struct vxb_probe_plan *plan,
                                  const struct vxb_probe_report *report, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    const bool line = b->format == CLI_JSON_LINES;
    return report ? vxb_probe_report_json(plan, report, line, &sink, err)
                  : vxb_probe_plan_json(plan, line, &sink, err);
}

struct light {
    struct vxb_probe_plan *plan;
    struct vxb_probe_report *report;
};

static enum vxb_status bake_planned(void *user, const struct vxb_env *env, const struct vxb_bake_options *options,
                                    struct vxb_error *err)
{
    const struct light *light = user;
    return vxb_probe_bake(env, light->plan, options, light->report, err);
}

static enum vxb_status bake(const struct bake_probes *b, const struct vxb_env *env, struct vxb_probe_plan *plan,
                            struct vxb_error *err)
{
    struct vxb_probe_report report = {0};
    struct light light = {plan, &report};
    /* At most 2^26 probes' rays, 2^16 each, in some passes: the product fits. */
    const uint64_t candidates = plan->rays * VXB_DEVICE_CANDIDATES_A_RAY;
    const enum vxb_status status = bake_on_device(b->device, env, candidates, b->bake, bake_planned, &light, err);
    if (status)
        return status;
    if (b->format != CLI_TEXT)
        return print_json(b, plan, &report, err);
    print_report(plan, &report, b->bake->output);
    return VXB_OK;
}

/* Whether more was dropped than may be; the reason is printed. */
static bool gate_shut(const struct bake_probes *b, const struct vxb_probe_plan *plan)
{
    const uint64_t lost = plan->counts.dropped + plan->counts.whole;
    if (!b->has_max_dropped || lost <= b->max_dropped)
        return false;
    cli_error("--max-dropped: %s: %s dropped and %" PRIu64 " left whole for want of slots, above the limit of %" PRIu64
              ": give the pool more slots, or allocate and refine less", cli_clean(plan->recipe->path),
              cli_counted(plan->counts.dropped, "brick"), plan->counts.whole, b->max_dropped);
    return true;
}

enum vxb_status bake_probes(const struct bake_probes *b, const struct vxb_env *env,
                            const struct vxb_probe_recipe *recipe, bool *gate, struct vxb_error *err)
{
    struct vxb_probe_plan *plan = NULL;
    /* Known only now that the recipe is read. */
    const char *wrong = b->has_preview_as     ? "--preview-as is for grass: the picture of an irradiance field shows "
                                                "the ground in its light"
                        : b->bake->split      ? "--split is for grass: it groups the bytes of blades"
                        : b->bake->has_region ? "--region is for grass: an irradiance field is baked whole"
                                              : NULL;
    *gate = false;
    if (wrong) {
        err->status = VXB_ERR_USAGE;
        snprintf(err->message, sizeof err->message, "%s", wrong);
        return err->status;
    }
    enum vxb_status status = vxb_probe_plan_new(env, recipe, &plan, err);
    if (status)
        return status;
    if (b->dry_run) {
        if (b->format != CLI_TEXT)
            status = print_json(b, plan, NULL, err);
        else
            print_plan(plan);
    }
    *gate = gate_shut(b, plan);
    if (!b->dry_run && !*gate)
        status = bake(b, env, plan, err);
    vxb_probe_plan_free(plan);
    return status;
}
