/* The text of plans and reports. Percentages are of the candidates of the same column. */
#include "bake_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Columns of the table; a name takes four bytes a column at most, a cell as many as two numbers. */
enum { LABEL = 14, COLUMN = 20, LINE = LABEL + (VXB_SPECIES_MAX + 1) * 4 * COLUMN + 1 };

/* "max_blades" as "max blades". */
static const char *spaced(const char *name)
{
    static char buf[64];
    snprintf(buf, sizeof buf, "%s", name);
    for (char *c = buf; *c; c++)
        if (*c == '_')
            *c = ' ';
    return buf;
}

static const char *number(double value)
{
    static char bufs[4][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return vxb_text_f32((float)value, bufs[next++ % 4]);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- plan ---- */

static void plan_species(const struct vxb_plan *plan)
{
    cli_out("\n%s %18s %9s %12s %11s  %s\n", cli_column("species", 20), "id", "share", "ceiling/m2", "budget", "layer");
    for (uint32_t i = 0; i < plan->species_count; i++) {
        const struct vxb_plan_species *species = &plan->species[i];
        char budget[16] = "none";
        if (species->blade_budget != VXB_NO_LIMIT)
            snprintf(budget, sizeof budget, "%" PRIu32, species->blade_budget);
        cli_out("%s 0x%016" PRIx64 " %7.4f %% %12s %11s  %s\n", cli_column(species->recipe->name, 20), species->id,
                (double)species->parts / 1e4, number(species->ceiling), budget,
                species->layer ? cli_clean(species->layer->name) : "everywhere");
    }
}

static void plan_sizes(const struct vxb_plan *plan)
{
    uint64_t blades = plan->candidates;
    if (plan->blade_budget == VXB_NO_LIMIT) {
        cli_out("budget        none\n");
    } else {
        blades = least(blades, plan->blade_budget);
        cli_out("budget        %" PRIu32 " blades, set by %s\n", plan->blade_budget,
                vxb_budget_kind_name(plan->budget_kind));
    }
    cli_out("file          at most %" PRIu64 " bytes before compression\n",
            plan->file_fixed_bytes + VXB_GRASS_RECORD_BYTES * blades);
    cli_out("gpu           at most %" PRIu64 " bytes\n", plan->gpu_fixed_bytes + VXB_RUNTIME_RECORD_BYTES * blades);
}

void bake_text_plan(const struct vxb_plan *plan)
{
    const struct vxb_recipe *recipe = plan->recipe;
    cli_out("recipe        %s\n", cli_clean(recipe->path));
    for (uint32_t i = 0; i < recipe->input_count; i++)
        cli_out("%s%s\n", i == 0 ? "inputs        " : "              ", cli_clean(recipe->inputs[i]));
    cli_out("terrain       %" PRIu32 " x %" PRIu32 " samples, %s m apart, heights %s to %s m\n",
            plan->terrain->samples_x, plan->terrain->samples_z, number((double)plan->terrain->metres_per_quad),
            number((double)plan->terrain->min_height), number((double)plan->terrain->max_height));
    cli_out("cells         %" PRIu32 " x %" PRIu32 " of %s m, the first at %" PRId32 ",%" PRId32 "\n", plan->cells_x,
            plan->cells_z, number((double)recipe->cell_size), plan->cell_x0, plan->cell_z0);
    cli_out("candidates    %" PRIu64 ", %" PRIu32 " x %" PRIu32 " a cell, %s m apart\n", plan->candidates, plan->side,
            plan->side, number((double)plan->step));
    plan_sizes(plan);
    cli_out("bake id       0x%016" PRIx64 "\n", plan->bake_id);
    plan_species(plan);
}

/* ---- report ---- */

/* Of one species the field's column would say the same. */
static uint32_t columns(const struct vxb_bake_report *report)
{
    return report->species_count > 1 ? report->species_count + 1 : report->species_count;
}

/* A line of the table, without the spaces at its end. */
static void print_line(char *line)
{
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        line[--length] = 0;
    cli_summary("%s\n", line);
}

static void row(const struct vxb_bake_report *report, const char *label, const uint64_t counts[VXB_SPECIES_MAX + 1],
                bool percent)
{
    char line[LINE];
    int used = snprintf(line, sizeof line, "%-*s", LABEL, label);
    for (uint32_t i = 0; i < columns(report); i++) {
        uint64_t all = i < report->species_count ? report->species[i].candidates : report->field.candidates;
        used += snprintf(line + used, sizeof line - (size_t)used, "%*" PRIu64, COLUMN - 8, counts[i]);
        if (percent && all)
            used += snprintf(line + used, sizeof line - (size_t)used, " %5.1f %%",
                             100 * (double)counts[i] / (double)all);
        else
            used += snprintf(line + used, sizeof line - (size_t)used, "%8s", "");
    }
    print_line(line);
}

static const struct vxb_ledger *ledger(const struct vxb_bake_report *report, uint32_t column)
{
    return column < report->species_count ? &report->species[column] : &report->field;
}

#define ROW(label, member, percent)                                      \
    do {                                                                 \
        for (uint32_t i_ = 0; i_ < columns(report); i_++)                \
            counts[i_] = ledger(report, i_)->member;                     \
        row(report, label, counts, percent);                             \
    } while (0)

static void report_ledger(const struct vxb_plan *plan, const struct vxb_bake_report *report)
{
    uint64_t counts[VXB_SPECIES_MAX + 1];
    char line[LINE];
    int used = snprintf(line, sizeof line, "%-*s", LABEL, "");
    for (uint32_t i = 0; i < columns(report); i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "      %s",
                         cli_column(i < report->species_count ? plan->species[i].recipe->name : "field", COLUMN - 6));
    cli_summary("\n");
    print_line(line);
    ROW("candidates", candidates, false);
    for (int reason = 0; reason < VXB_REASON_COUNT; reason++)
        ROW(spaced(vxb_reason_name((enum vxb_reason)reason)), reasons[reason], true);
    ROW("placed", placed, true);
    ROW("chunks", chunks, false);
    ROW("chunk bytes", bytes, false);
    ROW("commands", commands, false);
}

static void report_budget(const struct vxb_plan *plan, const struct vxb_bake_report *report)
{
    if (plan->blade_budget == VXB_NO_LIMIT)
        cli_summary("budget        none\n");
    else if (report->field.reasons[VXB_REASON_BUDGET])
        cli_summary("budget        %" PRIu32 " blades, set by %s, left out %" PRIu64 "\n", plan->blade_budget,
                    vxb_budget_kind_name(plan->budget_kind), report->field.reasons[VXB_REASON_BUDGET]);
    else
        cli_summary("budget        %" PRIu32 " blades, set by %s, not reached\n", plan->blade_budget,
                    vxb_budget_kind_name(plan->budget_kind));
}

void bake_text_report(const struct vxb_plan *plan, const struct vxb_bake_report *report, const char *name)
{
    cli_summary("%s: %s%s of %" PRIu32 " species in %s, %" PRIu64 " bytes\n",
                strcmp(name, "-") == 0 ? "standard output" : cli_clean(name), report->written ? "" : "unchanged, ",
                cli_counted(report->field.placed, "blade"), report->species_count,
                cli_counted(report->field.chunks, "chunk"), report->file_bytes);
    if (report->partial)
        cli_summary("partial: only cells %" PRId32 ",%" PRId32 " to %" PRId32 ",%" PRId32 "\n", report->region[0],
                    report->region[1], report->region[2] - 1, report->region[3] - 1);
    report_ledger(plan, report);
    cli_summary("\n");
    report_budget(plan, report);
    cli_summary("file          format %" PRIu32 ", %" PRIu64 " bytes\n", report->format, report->file_bytes);
    cli_summary("gpu           %" PRIu64 " bytes\n", report->gpu_bytes);
    cli_summary("bake id       0x%016" PRIx64 "\n", report->bake_id);
    cli_summary("content id    0x%016" PRIx64 "\n", report->content_id);
    cli_summary("time          %.2f s\n", report->seconds);
}

/* ---- depth pyramids ---- */

void bake_text_pyramid(const struct vxb_pyramid_recipe *recipe, const struct vxb_pyramid_report *report,
                       const char *name)
{
    void (*say)(const char *format, ...) = name ? cli_summary : cli_out;
    const uint64_t texels = (uint64_t)report->width * report->height;
    if (name)
        cli_summary("%s: %s%" PRIu32 " x %" PRIu32 " texels in %s, %" PRIu64 " bytes\n\n",
                    strcmp(name, "-") == 0 ? "standard output" : cli_clean(name),
                    report->written ? "" : "unchanged, ", report->width, report->height,
                    cli_counted(report->level_count, "level"), report->file_bytes);
    else
        say("recipe        %s\n", recipe->path ? cli_clean(recipe->path) : "none: the depth frame stands for it");
    say("depth         %s, %s\n", cli_clean(recipe->depth.path), vxb_depth_convention_name(recipe->depth.convention));
    say("levels        %" PRIu32 " of %" PRIu32 " x %" PRIu32 " texels, %s\n", report->level_count, report->width,
        report->height, vxb_reduce_name(report->reduce));
    say("sky           %s, %.1f %%\n", cli_counted(report->sky_texels, "texel"),
        100 * (double)report->sky_texels / (double)texels);
    if (report->sky_texels == texels)
        say("surfaces      none\n");
    else
        say("surfaces      from %s (farthest) to %s (nearest)\n", number((double)report->farthest),
            number((double)report->nearest));
    say("file          KTX2, R32_SFLOAT, %" PRIu64 " bytes\n", report->file_bytes);
    if (name)
        say("time          %.2f s\n", report->seconds);
}
