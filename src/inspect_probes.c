/* What an irradiance field holds, as text for people; the library's JSON says the same. */
#include "inspect_probes.h"

#include <inttypes.h>
#include <string.h>

static char *room(void)
{
    static char texts[12][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return texts[next++ % 12];
}

static const char *f32(float value) { return vxb_text_f32(value, room()); }
static const char *f64(double value) { return vxb_text_f64(value, room()); }

static void header(const struct vxb_probe_file *file, const char *name)
{
    const struct vxb_probe_header *h = vxb_probe_file_header(file);
    cli_out("file          %s\n", strcmp(name, "-") == 0 ? "standard input" : cli_clean(name));
    cli_out("format        irradiance field %" PRIu32 ", %s%s%s\n", h->format,
            vxb_probe_encoding_name((enum vxb_probe_encoding)h->encoding), h->flags & VXB_PROBE_ZSTD ? ", zstd" : "",
            h->flags & VXB_PROBE_INEXACT ? ", inexact" : "");
    cli_out("bytes         %" PRIu64 "\n", h->file_bytes);
    cli_out("bounds        %s, %s, %s to %s, %s, %s\n", f32(h->bounds_min[0]), f32(h->bounds_min[1]),
            f32(h->bounds_min[2]), f32(h->bounds_max[0]), f32(h->bounds_max[1]),
            f32(h->bounds_max[2]));
    cli_out("cells         %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", h->cells[0], h->cells[1], h->cells[2]);
    cli_out("slots         %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", h->slots[0], h->slots[1], h->slots[2]);
    cli_out("bricks        %" PRIu32 ", %" PRIu64 " probes\n", h->brick_count,
            (uint64_t)VXB_BRICK_PROBES * h->brick_count);
    cli_out("bake revision %u\n", h->bake_revision);
    cli_out("bake id       0x%016" PRIx64 "\n", h->bake_id);
    cli_out("content id    0x%016" PRIx64 "\n", h->content_id);
    cli_out("\nplane        offset         bytes  hash\n");
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        const struct vxb_probe_plane *plane = vxb_probe_file_plane(file, k);
        cli_out("%-5s %13" PRIu64 " %13" PRIu64 "  0x%016" PRIx64 "\n", vxb_probe_plane_name(k), plane->offset,
                plane->bytes,
                plane->hash);
    }
}

static void bricks(const struct vxb_probe_file *file)
{
    const struct vxb_brick *all = vxb_probe_file_bricks(file);
    cli_out("\nbrick    slot      x      y      z   size\n");
    for (uint32_t i = 0; i < vxb_probe_file_header(file)->brick_count && !cli_stopped(); i++)
        cli_out("%5" PRIu32 " %7" PRIu32 " %6" PRIu32 " %6" PRIu32 " %6" PRIu32 " %6" PRIu32 "\n", i, all[i].slot,
                all[i].cell[0], all[i].cell[1], all[i].cell[2], all[i].size);
}

static void statistics(const struct vxb_probe_statistics *s)
{
    static const char *const channels[3] = {"red", "green", "blue"};
    cli_out("\nprobes        %" PRIu64 ", of which %" PRIu64 " are invalid\n", s->probes, s->invalid);
    if (s->probes == s->invalid)
        return;
    for (int i = 0; i < 3; i++)
        cli_out("L00 %-5s     %s to %s, mean %s\n", channels[i], f32(s->least[i]), f32(s->most[i]),
                f64(s->mean[i]));
    cli_out("validity      at least %s, mean %s\n", f32(s->least_validity), f64(s->mean_validity));
    cli_out("sun shadow    mean %s\n", f64(s->mean_shadow));
}

enum vxb_status inspect_probes(const struct inspect_probes *what, const struct vxb_env *env,
                               const struct vxb_probe_file *file, struct vxb_error *err)
{
    struct vxb_probe_statistics stats;
    enum vxb_status status = what->statistics ? vxb_probe_file_statistics(env, file, &stats, err) : VXB_OK;
    if (status)
        return status;
    if (what->format == CLI_TEXT) {
        header(file, what->name);
        if (what->bricks)
            bricks(file);
        if (what->statistics)
            statistics(&stats);
        return VXB_OK;
    }
    const struct vxb_sink sink = cli_out_sink();
    return vxb_probe_file_json(file, what->bricks, what->statistics ? &stats : NULL, what->format == CLI_JSON_LINES,
                               &sink, err);
}
