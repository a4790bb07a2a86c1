/* Two grass files side by side: headers, sections, LODs and strings, each field as text where it differs. Sections
 * belong together by their species id, whatever their place. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "baked.h"
#include "core/env.h"
#include "core/os.h"
#include "core/text.h"
#include "diff_work.h"
#include "vxbake/recipe.h"

enum { TEXT = 4 * VXB_NAME_MAX_BYTES + 1 };

void vxbi_diff_field(struct vxbi_diff *d, const char *pointer, const char *a, const char *b)
{
    struct vxb_diff_report *r = &d->report;
    if (r->field_count == d->field_room) {
        uint32_t room = d->field_room ? 2 * d->field_room : 16;
        struct vxb_diff_field *grown = vxbi_resize(&d->allocator, d->fields, d->field_room, room, sizeof *grown);
        if (!grown) {
            d->status = VXB_ERR_MEMORY;
            return;
        }
        r->fields = d->fields = grown;
        d->field_room = room;
    }
    struct vxb_diff_field field = {vxbi_arena_text(&d->arena, pointer, strlen(pointer)),
                                   a ? vxbi_arena_text(&d->arena, a, strlen(a)) : NULL,
                                   b ? vxbi_arena_text(&d->arena, b, strlen(b)) : NULL};
    if (!field.pointer || (a && !field.a) || (b && !field.b))
        d->status = VXB_ERR_MEMORY;
    else
        d->fields[r->field_count++] = field;
}

/* ---- fields of each type; where is the folder they stand in: "/header" ---- */

static void field_text(struct vxbi_diff *d, const char *where, const char *name, const char *a, const char *b)
{
    char pointer[160];
    snprintf(pointer, sizeof pointer, "%s/%s", where, name);
    vxbi_diff_field(d, pointer, a, b);
}

void vxbi_diff_text(struct vxbi_diff *d, const char *where, const char *name, const char *a, const char *b)
{
    if (strcmp(a, b) != 0)
        field_text(d, where, name, a, b);
}

void vxbi_diff_u64(struct vxbi_diff *d, const char *where, const char *name, uint64_t a, uint64_t b)
{
    char x[24], y[24];
    snprintf(x, sizeof x, "%" PRIu64, a);
    snprintf(y, sizeof y, "%" PRIu64, b);
    vxbi_diff_text(d, where, name, x, y);
}

void vxbi_diff_id(struct vxbi_diff *d, const char *where, const char *name, uint64_t a, uint64_t b)
{
    char x[24], y[24];
    snprintf(x, sizeof x, "0x%016" PRIx64, a);
    snprintf(y, sizeof y, "0x%016" PRIx64, b);
    vxbi_diff_text(d, where, name, x, y);
}

static void compare_i32(struct vxbi_diff *d, const char *where, const char *name, int32_t a, int32_t b)
{
    char x[16], y[16];
    snprintf(x, sizeof x, "%" PRId32, a);
    snprintf(y, sizeof y, "%" PRId32, b);
    vxbi_diff_text(d, where, name, x, y);
}

static const char *limit_text(uint32_t limit, char text[16])
{
    snprintf(text, 16, "%" PRIu32, limit);
    return limit == VXB_NO_LIMIT ? "none" : text;
}

static void compare_limit(struct vxbi_diff *d, const char *where, const char *name, uint32_t a, uint32_t b)
{
    char x[16], y[16];
    vxbi_diff_text(d, where, name, limit_text(a, x), limit_text(b, y));
}

/* By their bits: -0 is not 0 in a file. */
static void compare_f32(struct vxbi_diff *d, const char *where, const char *name, float a, float b)
{
    char x[VXB_TEXT_NUMBER_ROOM], y[VXB_TEXT_NUMBER_ROOM];
    if (vxbi_f32_bits(a) != vxbi_f32_bits(b))
        field_text(d, where, name, vxb_text_f32(a, x), vxb_text_f32(b, y));
}

/* What may come from outside; compared before it is escaped. */
static void compare_text(struct vxbi_diff *d, const char *where, const char *name, const char *a, const char *b)
{
    char x[TEXT], y[TEXT];
    if (strcmp(a, b) == 0)
        return;
    vxb_text_escape(x, sizeof x, a, strlen(a));
    vxb_text_escape(y, sizeof y, b, strlen(b));
    field_text(d, where, name, x, y);
}

/* ---- structures ---- */

static void compare_headers(struct vxbi_diff *d)
{
    static const char *const axes[3] = {"x", "y", "z"};
    const struct vxb_grass_header *a = &d->files[0]->header, *b = &d->files[1]->header;
    const uint16_t packing = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT;
    const char *where = "/header";
    d->report.compression_differs = (a->flags & packing) != (b->flags & packing);
    vxbi_diff_u64(d, where, "format", a->format, b->format);
    vxbi_diff_u64(d, where, "flags", a->flags & ~(unsigned)packing, b->flags & ~(unsigned)packing);
    vxbi_diff_u64(d, where, "bake_revision", a->bake_revision, b->bake_revision);
    vxbi_diff_u64(d, where, "section_count", a->section_count, b->section_count);
    vxbi_diff_u64(d, where, "chunk_count", a->chunk_count, b->chunk_count);
    vxbi_diff_u64(d, where, "blade_count", a->blade_count, b->blade_count);
    compare_f32(d, where, "cell_size", a->cell_size, b->cell_size);
    compare_limit(d, where, "max_commands", a->max_commands, b->max_commands);
    compare_limit(d, where, "updates_per_frame", a->updates_per_frame, b->updates_per_frame);
    compare_limit(d, where, "blade_budget", a->blade_budget, b->blade_budget);
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "bounds_min/%s", axes[i]);
        compare_f32(d, where, name, a->bounds_min[i], b->bounds_min[i]);
        snprintf(name, sizeof name, "bounds_max/%s", axes[i]);
        compare_f32(d, where, name, a->bounds_max[i], b->bounds_max[i]);
    }
    vxbi_diff_u64(d, where, "seed", a->seed, b->seed);
    compare_f32(d, where, "density", a->density, b->density);
    vxbi_diff_id(d, where, "bake_id", a->bake_id, b->bake_id);
    vxbi_diff_id(d, where, "content_id", a->content_id, b->content_id);
}

static void compare_lods(struct vxbi_diff *d, const char *where, const struct vxb_grass_section *sa,
                         const struct vxb_grass_section *sb)
{
    for (uint32_t i = 0; i < sa->lod_count && i < sb->lod_count; i++) {
        const struct vxb_grass_lod *a = &d->files[0]->lods[sa->first_lod + i];
        const struct vxb_grass_lod *b = &d->files[1]->lods[sb->first_lod + i];
        char lod[128];
        snprintf(lod, sizeof lod, "%s/lods/%" PRIu32, where, i);
        compare_f32(d, lod, "distance", a->distance, b->distance);
        compare_f32(d, lod, "keep", a->keep, b->keep);
        compare_f32(d, lod, "fade", a->fade, b->fade);
        compare_f32(d, lod, "mesh_radius", a->mesh_radius, b->mesh_radius);
        vxbi_diff_u64(d, lod, "index_count", a->index_count, b->index_count);
        vxbi_diff_u64(d, lod, "first_index", a->first_index, b->first_index);
        compare_i32(d, lod, "vertex_offset", a->vertex_offset, b->vertex_offset);
    }
}

static void compare_sections(struct vxbi_diff *d, uint32_t k)
{
    const uint32_t in_a = d->sections[k][0], in_b = d->sections[k][1];
    char where[64], name[24];
    snprintf(where, sizeof where, "/species/0x%016" PRIx64, d->report.species[k].id);
    if (in_a == VXBI_DIFF_NONE || in_b == VXBI_DIFF_NONE) {
        char text[TEXT];
        const char *given = d->report.species[k].name;
        vxb_text_escape(text, sizeof text, given, strlen(given));
        vxbi_diff_field(d, where, in_a == VXBI_DIFF_NONE ? NULL : text, in_b == VXBI_DIFF_NONE ? NULL : text);
        return;
    }
    const struct vxb_grass_section *a = &d->files[0]->sections[in_a], *b = &d->files[1]->sections[in_b];
    compare_text(d, where, "name", a->name, b->name);
    compare_text(d, where, "material", a->material, b->material);
    compare_text(d, where, "mesh", a->mesh, b->mesh);
    vxbi_diff_u64(d, where, "material_index", a->material_index, b->material_index);
    vxbi_diff_id(d, where, "material_id", a->material_id, b->material_id);
    vxbi_diff_id(d, where, "profile_id", a->profile_id, b->profile_id);
    vxbi_diff_u64(d, where, "share", a->share, b->share);
    compare_limit(d, where, "blade_budget", a->blade_budget, b->blade_budget);
    vxbi_diff_u64(d, where, "rank_limit", a->rank_limit, b->rank_limit);
    vxbi_diff_u64(d, where, "chunk_count", a->chunk_count, b->chunk_count);
    vxbi_diff_u64(d, where, "blade_count", a->blade_count, b->blade_count);
    vxbi_diff_u64(d, where, "pass_count", a->pass_count, b->pass_count);
    for (uint32_t i = 0; i < a->pass_count && i < b->pass_count; i++) {
        snprintf(name, sizeof name, "passes/%" PRIu32, i);
        compare_text(d, where, name, a->passes[i], b->passes[i]);
    }
    vxbi_diff_u64(d, where, "lod_count", a->lod_count, b->lod_count);
    compare_lods(d, where, a, b);
}

/* Both files' species by ascending id, which is how each has them. */
static void match_sections(struct vxbi_diff *d)
{
    uint32_t at[2] = {0, 0};
    for (;;) {
        const struct vxb_grass_section *s[2];
        for (int f = 0; f < 2; f++)
            s[f] = at[f] < d->files[f]->header.section_count ? &d->files[f]->sections[at[f]] : NULL;
        if (!s[0] && !s[1])
            return;
        const bool take[2] = {s[0] && (!s[1] || s[0]->species_id <= s[1]->species_id),
                              s[1] && (!s[0] || s[1]->species_id <= s[0]->species_id)};
        const uint32_t k = d->report.species_count++;
        for (int f = 0; f < 2; f++)
            d->sections[k][f] = take[f] ? at[f]++ : VXBI_DIFF_NONE;
        const struct vxb_grass_section *one = take[0] ? s[0] : s[1];
        d->report.species[k] = (struct vxb_diff_species){.id = one->species_id, .in_a = take[0], .in_b = take[1],
                                                         .name =
                                                              vxbi_arena_text(&d->arena, one->name, strlen(one->name))};
        if (!d->report.species[k].name) {
            d->report.species[k].name = "";
            d->status = VXB_ERR_MEMORY;
        }
    }
}

/* ---- the whole ---- */

static enum vxb_status compare(struct vxbi_diff *d, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    match_sections(d);
    compare_headers(d);
    for (uint32_t k = 0; k < d->report.species_count; k++)
        compare_sections(d, k);
    if (d->status)
        return vxbi_fail_memory(err, 0);
    for (uint32_t k = 0; k < d->report.species_count && !status; k++) {
        struct vxb_diff_counts *sum = &d->report.total;
        const struct vxb_diff_counts *c = &d->report.species[k].counts;
        status = vxbi_diff_chunks(d, k, err);
        sum->chunks_equal += c->chunks_equal;
        sum->chunks_changed += c->chunks_changed;
        sum->chunks_lost += c->chunks_lost;
        sum->chunks_added += c->chunks_added;
        sum->blades_equal += c->blades_equal;
        sum->blades_changed += c->blades_changed;
        sum->blades_lost += c->blades_lost;
        sum->blades_added += c->blades_added;
    }
    const struct vxb_diff_counts *sum = &d->report.total;
    d->report.equal = d->report.field_count == 0 && sum->chunks_changed + sum->chunks_lost + sum->chunks_added == 0;
    return status;
}

static void close_files(struct vxbi_diff *d)
{
    for (int f = 0; f < 2; f++) {
        vxb_grass_close(d->files[f]);
        vxb_probe_file_close(d->probes[f]);
        d->files[f] = NULL;
        d->probes[f] = NULL;
    }
}

static enum vxb_status open_files(struct vxbi_diff *d, const char *const paths[2], struct vxb_error *err)
{
    static const char compared[] = "grass files and irradiance fields are compared, each with its like";
    enum vxb_file_kind kinds[2];
    for (int f = 0; f < 2; f++) {
        struct vxb_file file;
        enum vxb_status status = vxbi_baked_read(d->env, paths[f], compared, &file, err);
        if (status)
            return status;
        kinds[f] = file.kind;
        d->files[f] = file.grass;
        d->probes[f] = file.probes;
        if (file.kind != VXB_FILE_TEXTURE)
            continue;
        vxb_texture_close(file.texture);
        status = vxbi_fail(err, VXB_ERR_FORMAT, "this is a KTX2 file: %s", compared);
        return vxbi_error_in(err, status, paths[f], NULL);
    }
    if (kinds[0] == kinds[1])
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_USAGE, "a grass file and an irradiance field have nothing in common to compare");
}

void vxb_diff_report_free(struct vxb_diff_report *report)
{
    struct vxbi_diff *d = (struct vxbi_diff *)(void *)report;
    if (!d)
        return;
    struct vxb_allocator allocator = d->allocator;
    close_files(d);
    vxbi_delete(&allocator, d->fields, d->field_room, sizeof *d->fields);
    vxbi_delete(&allocator, d->chunks, d->chunk_room, sizeof *d->chunks);
    vxbi_arena_clear(&d->arena);
    vxbi_delete(&allocator, d, 1, sizeof *d);
}

enum vxb_status vxb_diff(const struct vxb_env *env, const char *a, const char *b,
                         const struct vxb_diff_options *options, struct vxb_diff_report **out, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status && options)
        status = vxbi_check_size("vxb_diff_options", options->size, sizeof *options, err);
    if (status)
        return status;
    const struct vxb_allocator allocator = vxbi_allocator(env);
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "standard input can be one of the two files only");
    struct vxbi_diff *d = vxbi_new_zero(&allocator, 1, sizeof *d);
    if (!d)
        return vxbi_fail_memory(err, sizeof *d);
    d->allocator = d->arena.allocator = allocator;
    d->env = env;
    d->max_chunks = options && options->max_chunks ? options->max_chunks : 100;
    d->report.path_a = vxbi_arena_text(&d->arena, a, strlen(a));
    d->report.path_b = vxbi_arena_text(&d->arena, b, strlen(b));
    status = d->report.path_a && d->report.path_b ? VXB_OK : vxbi_fail_memory(err, strlen(a) + strlen(b) + 2);
    const char *const paths[2] = {a, b};
    if (!status)
        status = open_files(d, paths, err);
    if (!status)
        status = d->probes[0] ? vxbi_diff_probes(d, err) : compare(d, err);
    close_files(d);
    if (status)
        vxb_diff_report_free(&d->report);
    else
        *out = &d->report;
    return status;
}
