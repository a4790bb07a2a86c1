/* The text of explain: the spot, what each species can do there, and test by test what became of the candidates.
 * Numbers that a test compares are printed in full. */
#include "explain_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMN = 12, LINE = 16 + (VXB_SPECIES_MAX + 1) * 4 * (COLUMN + 8) };

static const double degrees = 180.0 / 3.14159265358979323846;

/* Numbers live until eight more were made. */
static const char *f32(float value)
{
    static char bufs[8][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return vxb_text_f32(value, bufs[next++ % 8]);
}

static const char *f64(double value)
{
    return f32((float)value);
}

static const char *spaced(enum vxb_reason reason)
{
    static char buf[32];
    snprintf(buf, sizeof buf, "%s", vxb_reason_name(reason));
    for (char *c = buf; *c; c++)
        if (*c == '_')
            *c = ' ';
    return buf;
}

/* ---- the spot ---- */

static void print_spot(const struct vxb_plan *plan, const struct vxb_explanation *e)
{
    const struct vxb_terrain *t = plan->terrain;
    const struct vxb_explain_ground *g = &e->ground;
    char x[VXB_TEXT_NUMBER_ROOM], z[VXB_TEXT_NUMBER_ROOM];
    cli_text("spot          %s,%s in cell %" PRId32 ",%" PRId32 " of %s m\n", vxb_text_f64(e->x, x),
             vxb_text_f64(e->z, z), e->cell_x, e->cell_z, f32(plan->recipe->cell_size));
    if (!e->in_field)
        cli_text("              outside the field, whose cells go from %" PRId32 ",%" PRId32 " to %" PRId64 ",%" PRId64
                 ": no candidate is tried there\n",
                 plan->cell_x0, plan->cell_z0, (int64_t)plan->cell_x0 + plan->cells_x - 1,
                 (int64_t)plan->cell_z0 + plan->cells_z - 1);
    if (g->outside) {
        cli_text("ground        none: outside the terrain, which goes from %s,%s to %s,%s\n", f32(t->origin[0]),
                 f32(t->origin[2]), f64((double)t->origin[0] + vxb_terrain_width(t)),
                 f64((double)t->origin[2] + vxb_terrain_depth(t)));
        return;
    }
    cli_text("ground        %.2f m high, slope %.2f degrees%s\n", (double)g->y, (double)g->slope * degrees,
             g->hole ? ", a hole" : "");
    if (t->exclude.samples || t->scale.samples)
        cli_text("maps          %s%s%s%s\n", !t->exclude.samples ? "" : g->excluded ? "excluded" : "not excluded",
                 t->exclude.samples && t->scale.samples ? ", " : "", t->scale.samples ? "scale times " : "",
                 t->scale.samples ? f32(g->scale_factor) : "");
    cli_text("layers        %s", t->layer_count ? "" : "none");
    for (uint32_t i = 0; i < t->layer_count; i++)
        cli_text("%s%s %.3f", i ? ", " : "", cli_clean(t->layers[i].name), (double)e->layer_weights[i]);
    cli_text("\n");
}

/* What keeps every candidate of a species from growing at the spot. */
static void print_why(const struct vxb_plan *plan, const struct vxb_explanation *e, uint32_t species)
{
    const struct vxb_explain_species *s = &e->species[species];
    const struct vxb_plan_species *p = &plan->species[species];
    cli_text("  none: %s", spaced(s->reason));
    if (s->reason == VXB_REASON_SLOPE)
        cli_text(", at most %.2f degrees", (double)p->recipe->max_slope * degrees);
    else if (s->reason == VXB_REASON_ALTITUDE)
        cli_text(", from %s to %s m", f32(p->recipe->altitude[0]), f32(p->recipe->altitude[1]));
    else if (s->reason == VXB_REASON_DENSITY && s->k == 0.0f)
        cli_text(", a weight above %s is needed", f32(p->recipe->min_weight));
    else if (s->reason == VXB_REASON_DENSITY)
        cli_text(", density_scale is 0");
}

static void print_species(const struct vxb_plan *plan, const struct vxb_explanation *e)
{
    cli_text("\n%s %10s %10s %10s %-12s %8s %8s %10s\n", cli_column("species", 20), "share", "asked/m2", "ceiling/m2",
             "layer", "weight", "k", "blades/m2");
    for (uint32_t i = 0; i < e->species_count; i++) {
        const struct vxb_explain_species *s = &e->species[i];
        const struct vxb_plan_species *p = &plan->species[i];
        char weight[32] = "-", k[32] = "-";
        if (!s->wanted)
            continue;
        if (!e->ground.outside) {
            snprintf(weight, sizeof weight, "%.3f", (double)s->weight);
            snprintf(k, sizeof k, "%.3f", (double)s->k);
        }
        cli_text("%s %8.4f %% %10.2f %10.2f %s %8s %8s %10.2f", cli_column(p->recipe->name, 20), (double)p->parts / 1e4,
                 s->density, p->ceiling, cli_column(p->layer ? p->layer->name : "everywhere", 12), weight, k,
                 s->expected);
        if (s->reason != VXB_REASON_COUNT)
            print_why(plan, e, i);
        cli_text("\n");
    }
}

static void print_budgets(const struct vxb_plan *plan, const struct vxb_explanation *e)
{
    const char *label = "budget";
    if (plan->blade_budget == VXB_NO_LIMIT || e->counts.candidates == 0)
        return;
    cli_text("\n");
    for (uint32_t i = 0; i < e->species_count; i++) {
        const struct vxb_explain_species *s = &e->species[i];
        const struct vxb_plan_species *p = &plan->species[i];
        if (!s->wanted)
            continue;
        cli_text("%-13s %s: %" PRIu32 " blades of the field; ", label, cli_clean(p->recipe->name), p->blade_budget);
        label = "";
        if (!s->counted)
            cli_text("there are no more candidates than that\n");
        else if (!s->cut)
            cli_text("%" PRIu64 " candidates pass the other tests, and all are kept\n", s->survivors);
        else if (p->blade_budget == 0)
            cli_text("%" PRIu64 " candidates pass the other tests, and none is kept\n", s->survivors);
        else
            cli_text("%" PRIu64 " candidates pass the other tests, those up to rank %" PRIu32 " are kept\n",
                     s->survivors, s->cut_rank);
    }
}

/* ---- how many ---- */

static void row(const struct vxb_explanation *e, const char *label, int reason)
{
    char line[LINE];
    int used = snprintf(line, sizeof line, "%-14s", label);
    uint32_t columns = 0;
    for (uint32_t i = 0; i <= e->species_count; i++) {
        const bool sum = i == e->species_count;
        const struct vxb_explain_counts *c = sum ? &e->counts : &e->species[i].counts;
        if ((!sum && !e->species[i].wanted) || (sum && columns < 2))
            continue;
        columns++;
        const uint64_t count = reason < 0                    ? c->candidates
                               : reason == VXB_REASON_COUNT ? c->placed
                                                            : c->reasons[reason];
        used += snprintf(line + used, sizeof line - (size_t)used, "%*" PRIu64, COLUMN, count);
        if (reason >= 0 && c->candidates)
            used += snprintf(line + used, sizeof line - (size_t)used, " %5.1f %%",
                             100 * (double)count / (double)c->candidates);
        else
            used += snprintf(line + used, sizeof line - (size_t)used, "%8s", "");
    }
    while (used && line[used - 1] == ' ')
        line[--used] = 0;
    cli_text("%s\n", line);
}

static void print_counts(const struct vxb_plan *plan, const struct vxb_explanation *e)
{
    char line[LINE];
    int used = snprintf(line, sizeof line, "within %s m", f64(e->radius));
    uint32_t columns = 0;
    cli_text("\n");
    if (e->counts.candidates == 0) {
        cli_text("%s of the spot there is no candidate\n", line);
        return;
    }
    used += snprintf(line + used, sizeof line - (size_t)used, "%*s", used < 14 ? 14 - used : 1, "");
    for (uint32_t i = 0; i <= e->species_count; i++) {
        const bool sum = i == e->species_count;
        if ((!sum && !e->species[i].wanted) || (sum && columns < 2))
            continue;
        columns++;
        used += snprintf(line + used, sizeof line - (size_t)used, "      %s",
                         cli_column(sum ? "together" : plan->species[i].recipe->name, COLUMN + 8 - 6));
    }
    while (used && line[used - 1] == ' ')
        line[--used] = 0;
    cli_text("%s\n", line);
    row(e, "candidates", -1);
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        row(e, spaced((enum vxb_reason)i), i);
    row(e, "placed", VXB_REASON_COUNT);
}

/* ---- candidates ---- */

/* Starts the line of a test: what came of it, and its name. The one that decided stands out. */
static void begin_test(const struct vxb_explain_candidate *c, enum vxb_reason test)
{
    cli_text("  %-5s %-11s ", !c->failed[test] ? "pass" : c->reason == test ? "FAIL" : "fail", spaced(test));
}

static void print_slope(const struct vxb_plan_species *p, const struct vxb_explain_species *s,
                        const struct vxb_explain_candidate *c)
{
    begin_test(c, VXB_REASON_SLOPE);
    cli_text("%.2f degrees, at most %.2f: normal y %s, at least %s\n", (double)c->ground.slope * degrees,
             (double)p->recipe->max_slope * degrees, f32(c->ground.normal[1]), f32(s->least_normal_y));
}

static void print_density(const struct vxb_plan *plan, const struct vxb_explain_candidate *c)
{
    const struct vxb_plan_species *p = &plan->species[c->species];
    begin_test(c, VXB_REASON_DENSITY);
    cli_text("draw %s must be below k %s", f32(c->draw), f32(c->k));
    if (p->layer)
        cli_text(" (weight %s in %s, %s to %s)", f32(c->weight), cli_clean(p->layer->name), f32(p->recipe->min_weight),
                 f32(p->recipe->max_weight));
    if (c->draw < c->k)
        cli_text(", rank %" PRIu32 " below %" PRIu32, c->rank, plan->rank_cut);
    cli_text("\n");
}

static void print_budget(const struct vxb_plan *plan, const struct vxb_explain_species *s,
                         const struct vxb_explain_candidate *c)
{
    if (c->reason != VXB_REASON_COUNT && c->reason != VXB_REASON_BUDGET)
        return;
    begin_test(c, VXB_REASON_BUDGET);
    if (!s->cut)
        cli_text("%s\n", plan->species[c->species].blade_budget == VXB_NO_LIMIT ? "none" : "not reached");
    else if (plan->species[c->species].blade_budget == 0)
        cli_text("0 blades\n");
    else if (c->rank != s->cut_rank)
        cli_text("rank %" PRIu32 ", at most %" PRIu32 "\n", c->rank, s->cut_rank);
    else
        cli_text("rank %" PRIu32 ", as the last one kept; hash 0x%08" PRIx32 ", at most 0x%08" PRIx32 "\n", c->rank,
                 c->hash, s->cut_hash);
}

static void print_blade(const struct vxb_blade *b)
{
    cli_text("  blade             x %.3f, y %.3f, z %.3f, yaw %.1f degrees, scale %.3f, up %.3f %.3f %.3f, tint %.3f, "
             "phase %.1f degrees, rank %u\n",
             b->x, b->y, b->z, b->yaw * degrees, b->scale, b->up[0], b->up[1], b->up[2], b->tint, b->phase * degrees,
             b->rank_code);
}

static void print_candidate(const struct vxb_plan *plan, const struct vxb_explanation *e,
                            const struct vxb_explain_candidate *c)
{
    const struct vxb_plan_species *p = &plan->species[c->species];
    const struct vxb_explain_species *s = &e->species[c->species];
    const struct vxb_explain_ground *g = &c->ground;
    cli_text("\n%s at %.3f,%.3f, %.3f m away: slot %" PRIu32 ",%" PRIu32 " of cell %" PRId32 ",%" PRId32 ", %s\n",
             cli_clean(p->recipe->name), c->x, c->z, c->distance, c->index % plan->side, c->index / plan->side,
             c->cell_x, c->cell_z, c->reason == VXB_REASON_COUNT ? "a blade" : spaced(c->reason));
    begin_test(c, VXB_REASON_NO_SURFACE);
    if (g->outside) {
        cli_text("outside the terrain\n");
        return;
    }
    cli_text("%s%.2f m high\n", g->hole ? "over a hole, " : "", (double)g->y);
    begin_test(c, VXB_REASON_EXCLUDED);
    cli_text("%sscale %s", g->excluded ? "by the exclude map; " : "", f32(c->scale));
    if (plan->terrain->scale.samples)
        cli_text(", the scale map's %s in it", f32(g->scale_factor));
    cli_text("\n");
    print_slope(p, s, c);
    begin_test(c, VXB_REASON_ALTITUDE);
    if (p->recipe->has_altitude)
        cli_text("%s, from %s to %s\n", f32(g->y), f32(p->recipe->altitude[0]), f32(p->recipe->altitude[1]));
    else
        cli_text("not limited\n");
    print_density(plan, c);
    print_budget(plan, s, c);
    if (c->reason == VXB_REASON_COUNT)
        print_blade(&c->blade);
}

void explain_text(const struct vxb_plan *plan, const struct vxb_explanation *explanation)
{
    const struct vxb_explanation *e = explanation;
    print_spot(plan, e);
    print_species(plan, e);
    print_budgets(plan, e);
    print_counts(plan, e);
    for (uint32_t i = 0; i < e->candidate_count; i++)
        print_candidate(plan, e, &e->candidates[i]);
    if (e->candidate_count < e->counts.candidates)
        cli_text("\nand %s farther away\n", cli_counted(e->counts.candidates - e->candidate_count, "candidate"));
}
