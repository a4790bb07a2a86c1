/* The text of inspect. The chunk table is read in windows, so memory does not grow with the file. */
#include "inspect_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Numbers live until six more were made. */
static const char *f32(float value)
{
    static char bufs[6][VXB_TEXT_NUMBER_ROOM];
    static unsigned next;
    return vxb_text_f32(value, bufs[next++ % 6]);
}

static const char *limit(uint32_t value)
{
    static char bufs[4][16];
    static unsigned next;
    char *buf = bufs[next++ % 4];
    if (value == VXB_NO_LIMIT)
        return "none";
    snprintf(buf, sizeof bufs[0], "%" PRIu32, value);
    return buf;
}

static void flags(uint16_t value)
{
    cli_out("flags              %s", value ? "" : "none");
    const char *before = "";
    for (unsigned flag = 1; flag <= value; flag <<= 1)
        if (value & flag) {
            cli_out("%s%s", before, vxb_grass_flag_name((uint16_t)flag));
            before = ", ";
        }
    cli_out("\n");
}

static void header(const struct vxb_grass *grass, const char *name)
{
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    uint64_t offsets[5];
    vxb_grass_table_offsets(grass, offsets);
    cli_out("file               %s\n", strcmp(name, "-") == 0 ? "standard input" : cli_clean(name));
    cli_out("format             %" PRIu32 "\n", h->format);
    cli_out("bake revision      %u\n", h->bake_revision);
    cli_out("bytes              %" PRIu64 "\n", h->file_bytes);
    flags(h->flags);
    cli_out("blades             %" PRIu32 "\n", h->blade_count);
    cli_out("chunks             %" PRIu32 "\n", h->chunk_count);
    cli_out("sections           %" PRIu32 "\n", h->section_count);
    cli_out("LOD entries        %" PRIu32 "\n", h->lod_count);
    cli_out("string bytes       %" PRIu32 "\n", h->string_bytes);
    cli_out("cell size          %s m\n", f32(h->cell_size));
    cli_out("density            %s a square metre\n", f32(h->density));
    cli_out("seed               %" PRIu32 "\n", h->seed);
    cli_out("blade budget       %s\n", limit(h->blade_budget));
    cli_out("max commands       %s\n", limit(h->max_commands));
    cli_out("updates a frame    %s\n", limit(h->updates_per_frame));
    cli_out("bounds             %s %s %s to %s %s %s m\n", f32(h->bounds_min[0]), f32(h->bounds_min[1]),
            f32(h->bounds_min[2]), f32(h->bounds_max[0]), f32(h->bounds_max[1]), f32(h->bounds_max[2]));
    cli_out("bake id            0x%016" PRIx64 "\n", h->bake_id);
    cli_out("content id         0x%016" PRIx64 "\n", h->content_id);
    cli_out("tables hash        0x%016" PRIx64 "\n", h->tables_hash);
    cli_out("header hash        0x%016" PRIx64 "\n", h->header_hash);
    cli_out("offsets            sections %" PRIu64 ", LODs %" PRIu64 ", strings %" PRIu64 ", chunks %" PRIu64
            ", data %" PRIu64 "\n", offsets[0], offsets[1], offsets[2], offsets[3], offsets[4]);
}

static void section(const struct vxb_grass *grass, uint32_t index)
{
    const struct vxb_grass_section *s = vxb_grass_section(grass, index);
    cli_out("\nsection %-10" PRIu32 " %s\n", index, cli_clean(s->name));
    cli_out("  species id       0x%016" PRIx64 "\n", s->species_id);
    cli_out("  material         %s, index %" PRIu32 ", id 0x%016" PRIx64 "\n", cli_clean(s->material),
            s->material_index, s->material_id);
    cli_out("  mesh             %s\n", s->mesh[0] ? cli_clean(s->mesh) : "none");
    if (vxb_grass_header(grass)->format == 3)
        cli_out("  profile id       0x%016" PRIx64 "\n", s->profile_id);
    cli_out("  share            %.4f %%\n", (double)s->share / 1e4);
    cli_out("  blade budget     %s\n", limit(s->blade_budget));
    cli_out("  blades           %" PRIu32 ", from %" PRIu32 " on\n", s->blade_count, s->first_blade);
    cli_out("  chunks           %" PRIu32 ", from %" PRIu32 " on\n", s->chunk_count, s->first_chunk);
    cli_out("  rank limit       %u\n", s->rank_limit);
    cli_out("  passes          ");
    for (uint32_t i = 0; i < s->pass_count; i++)
        cli_out("%s %s", i ? "," : "", cli_clean(s->passes[i]));
    cli_out("\n");
    for (uint32_t i = 0; i < s->lod_count; i++) {
        const struct vxb_grass_lod *lod = vxb_grass_lod(grass, s->first_lod + i);
        cli_out("  LOD %-12" PRIu32 " to %s m, keeps %s, fades from %s m, mesh radius %s m, indices %" PRIu32
                " from %" PRIu32 " on, vertex offset %" PRId32 "\n", i, f32(lod->distance), f32(lod->keep),
                f32(lod->fade), f32(lod->mesh_radius), lod->index_count, lod->first_index, lod->vertex_offset);
    }
}

static void chunk_title(void)
{
    cli_out("\n%10s %-16s %7s %7s %11s %10s %10s %10s %9s %13s %11s %18s\n", "chunk", "section", "cell x", "cell z",
            "first blade", "blades", "min y", "max y", "max scale", "offset", "bytes", "hash");
}

static void chunk(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *c)
{
    cli_out("%10" PRIu32 " %s %7" PRId32 " %7" PRId32 " %11" PRIu32 " %10" PRIu32 " %10s %10s %9s %13" PRIu64
            " %11" PRIu32 " 0x%016" PRIx64 "\n", index, cli_column(vxb_grass_section(grass, c->section)->name, 16),
            c->cell_x, c->cell_z, c->first_blade, c->blade_count, f32(c->min_y), f32(c->max_y), f32(c->max_scale),
            c->data_offset, c->data_bytes, c->hash);
}

static enum vxb_status all_chunks(const struct vxb_grass *grass, struct vxb_error *err)
{
    enum { WINDOW = 128 };
    struct vxb_grass_chunk window[WINDOW];
    uint32_t count = vxb_grass_header(grass)->chunk_count;
    chunk_title();
    for (uint32_t first = 0; first < count; first += WINDOW) {
        uint32_t n = count - first < WINDOW ? count - first : WINDOW;
        enum vxb_status status = vxb_grass_chunks(grass, first, n, window, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++)
            chunk(grass, first + i, &window[i]);
        if (cli_stopped())
            return VXB_ERR_CANCELLED;
    }
    return VXB_OK;
}

static enum vxb_status chunks_of_cell(const struct vxb_grass *grass, int32_t x, int32_t z, struct vxb_error *err)
{
    bool any = false;
    for (uint32_t i = 0; i < vxb_grass_header(grass)->section_count; i++) {
        struct vxb_grass_chunk found_chunk;
        uint32_t index;
        bool found;
        enum vxb_status status = vxb_grass_find(grass, i, x, z, &found, &index, &found_chunk, err);
        if (status)
            return status;
        if (!found)
            continue;
        if (!any)
            chunk_title();
        any = true;
        chunk(grass, index, &found_chunk);
    }
    if (!any)
        cli_out("\nno chunk in cell %" PRId32 ",%" PRId32 "\n", x, z);
    return VXB_OK;
}

enum vxb_status inspect_text(const struct vxb_grass *grass, const char *name, const struct vxb_inspect_options *options,
                             struct vxb_error *err)
{
    enum vxb_status status = vxb_inspect_check(grass, options, err);
    if (status)
        return status;
    header(grass, name);
    for (uint32_t i = 0; i < vxb_grass_header(grass)->section_count; i++)
        section(grass, i);
    if (options->has_chunk)
        return chunks_of_cell(grass, options->chunk_x, options->chunk_z, err);
    return options->chunks ? all_chunks(grass, err) : VXB_OK;
}

/* ---- KTX2 files ---- */

void inspect_text_texture(const struct vxb_texture *texture, const char *name)
{
    const struct vxb_texture_info *info = vxb_texture_info(texture);
    cli_out("file          %s\n", strcmp(name, "-") == 0 ? "standard input" : cli_clean(name));
    cli_out("format        KTX2, %s (%" PRIu32 ")\n", info->format, info->vk_format);
    cli_out("size          %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", layers %" PRIu32 ", faces %" PRIu32 "\n",
            info->width, info->height, info->depth, info->layers, info->faces);
    cli_out("bytes         %" PRIu64 "\n", info->file_bytes);
    for (uint32_t i = 0; i < info->value_count; i++) {
        const struct vxb_texture_value *value = &info->values[i];
        if (value->text)
            cli_out("key           %s = %s\n", cli_clean(value->key), cli_clean(value->text));
        else
            cli_out("key           %s: %" PRIu32 " bytes\n", cli_clean(value->key), value->bytes);
    }
    cli_out("\nlevel      width  height   depth        offset         bytes\n");
    for (uint32_t k = 0; k < info->level_count; k++) {
        const struct vxb_texture_level *level = &info->levels[k];
        cli_out("%5" PRIu32 " %10" PRIu32 " %7" PRIu32 " %7" PRIu32 " %13" PRIu64 " %13" PRIu64 "\n", k, level->width,
                level->height, level->depth, level->offset, level->bytes);
    }
}
