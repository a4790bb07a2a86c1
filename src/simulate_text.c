/* The text of simulate: what the walk came to, and the worst frames. */
#include "simulate_text.h"

#include <inttypes.h>
#include <stdio.h>

/* Numbers live until eight more were made. */
static const char *number(double value)
{
    static char bufs[8][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return vxb_text_f64(value, bufs[next++ % 8]);
}

static const char *number32(float value)
{
    static char bufs[8][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return vxb_text_f32(value, bufs[next++ % 8]);
}

static void worst(const struct vxb_simulation *s, const char *name, const struct vxb_simulation_worst *worst)
{
    if (worst->value == 0) {
        cli_text("  %-16s %12d\n", name, 0);
        return;
    }
    const struct vxb_simulation_frame *f = &s->frames[worst->frame];
    cli_text("  %-16s %12" PRIu64 "   frame %" PRIu32 ", %s s, at %s %s %s\n", name, worst->value, worst->frame,
            number(f->time), number32(f->position[0]), number32(f->position[1]), number32(f->position[2]));
}

static void limits(const struct vxb_simulation *s)
{
    cli_text("limits             ");
    if (s->max_commands == VXB_NO_LIMIT && s->updates_per_frame == VXB_NO_LIMIT) {
        cli_text("none\n");
        return;
    }
    if (s->max_commands != VXB_NO_LIMIT)
        cli_text("%s a frame%s", cli_counted(s->max_commands, "command"),
                 s->updates_per_frame != VXB_NO_LIMIT ? ", " : "");
    if (s->updates_per_frame != VXB_NO_LIMIT)
        cli_text("%s created a frame", cli_counted(s->updates_per_frame, "cell"));
    cli_text("\n");
}

/* Each species' own worst frame. */
static void species(const struct vxb_simulation *s)
{
    for (uint32_t k = 0; k < s->section_count; k++) {
        uint64_t visible = 0, blades = 0, commands = 0;
        for (uint32_t i = 0; i < s->frame_count; i++) {
            const struct vxb_cull_counts *c = &s->frames[i].sections[k];
            visible = c->chunks_visible > visible ? c->chunks_visible : visible;
            blades = c->blades > blades ? c->blades : blades;
            commands = c->commands > commands ? c->commands : commands;
        }
        cli_text("species %-10" PRIu32 " %s: at most %s visible, %s, %s\n", k,
                s->names[k][0] ? cli_clean(s->names[k]) : "(no name)", cli_counted(visible, "chunk"),
                cli_counted(blades, "blade"), cli_counted(commands, "command"));
    }
}

void simulate_text(const struct vxb_simulation *s, const char *file, const char *path)
{
    cli_text("field              %s: %s of %s m\n", cli_clean(file), cli_counted(s->cell_count, "cell"),
            number32(s->cell_size));
    cli_text("path               %s: %s at %s a second\n", cli_clean(path), cli_counted(s->frame_count, "frame"),
            number(s->fps));
    cli_text("ring               %s, range %s m, hysteresis %s\n", cli_counted(s->options.capacity, "slot"),
            number32(s->options.range), number32(s->options.hysteresis));
    cli_text("memory             %" PRIu64 " bytes: %" PRIu64 " a slot\n", s->ring_bytes, s->slot_bytes);
    limits(s);
    cli_text("created            %" PRIu64 "\n", s->created);
    cli_text("evicted            %" PRIu64 "\n", s->evicted);
    cli_text("refused            %" PRIu64 "\n", s->refused);
    cli_text("deferred           %" PRIu64 "\n", s->deferred);
    cli_text("uploaded           %" PRIu64 " bytes\n", s->upload_bytes);
    cli_text("most in range      %s\n", cli_counted(s->most_in_range, "cell"));
    if (s->smallest_capacity)
        cli_text("smallest capacity  %s %s nothing\n", cli_counted(s->smallest_capacity, "slot"),
                s->smallest_capacity == 1 ? "refuses" : "refuse");
    else
        cli_text("smallest capacity  none that is allowed refuses nothing\n");
    species(s);
    cli_text("worst frames\n");
    worst(s, "created", &s->most_created);
    worst(s, "refused", &s->most_refused);
    worst(s, "deferred", &s->most_deferred);
    worst(s, "resident", &s->most_resident);
    worst(s, "upload bytes", &s->most_uploaded);
    worst(s, "chunks visible", &s->most_visible);
    worst(s, "blades", &s->most_blades);
    worst(s, "commands", &s->most_commands);
    worst(s, "commands refused", &s->most_commands_refused);
}
