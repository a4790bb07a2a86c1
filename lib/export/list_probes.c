/* What an irradiance field holds: its header, bricks and planes from the tables, its probes from the whole pool. */
#include "list_probes.h"

#include "../core/env.h"
#include "../probes/field.h"
#include "../probes/read.h"
#include "probes.h"
#include "sink.h"

#define COUNT(columns) (sizeof(columns) / sizeof *(columns))

static void header(struct vxbi_listing *l, const struct vxb_probe_file *file)
{
    static const struct vxbi_column columns[] = {VXBI_PROBE_HEADER_FIELDS(VXBI_COLUMN, ){"encoding_name", -1},
                                                 {"bricks_offset", 12}, {"planes_offset", 12}};
    static const struct vxbi_table table = {"header", "header", columns, COUNT(columns)};
    const struct vxb_probe_header *h = &file->header;
    const struct vxbi_structure_field flags = {.type = VXBI_FIELD_FLAGS, .words = vxbi_probe_flag_words};
    char flags_text[64];
    if (!vxbi_field_words(&flags, (struct vxbi_value){.u = h->flags}, flags_text, sizeof flags_text))
        memcpy(flags_text, "none", sizeof "none");
    const struct vxbi_cell cells[] = {
        VXBI_PROBE_HEADER_FIELDS(VXBI_CELL, h)
            vxbi_cell_text(vxb_probe_encoding_name((enum vxb_probe_encoding)h->encoding)),
        vxbi_cell_u64(file->layout.bricks), vxbi_cell_u64(file->layout.planes)};
    _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
    vxbi_listing_table(l, &table);
    vxbi_listing_row(l, cells);
    vxbi_listing_table_end(l);
}

/* Which bricks were asked for: first to end - 1. */
static uint32_t range(const struct vxb_list_options *options, uint32_t count, uint32_t *end)
{
    *end = options->has_brick_range && options->last_brick < count ? options->last_brick + 1 : count;
    return options->has_brick_range ? options->first_brick : 0;
}

static void bricks(struct vxbi_listing *l, const struct vxb_probe_file *file, const struct vxb_list_options *options)
{
    static const struct vxbi_column columns[] = {{"index", 7}, VXBI_PROBE_BRICK_FIELDS(VXBI_COLUMN, )};
    static const struct vxbi_table table = {"bricks", NULL, columns, COUNT(columns)};
    uint32_t end;
    vxbi_listing_table(l, &table);
    for (uint32_t i = range(options, file->header.brick_count, &end); i < end; i++) {
        const struct vxb_brick *brick = &file->bricks[i];
        const struct vxbi_cell cells[] = {vxbi_cell_u64(i), VXBI_PROBE_BRICK_FIELDS(VXBI_CELL, brick)};
        _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
        if (!vxbi_listing_row(l, cells))
            break;
    }
    vxbi_listing_table_end(l);
}

static void planes(struct vxbi_listing *l, const struct vxb_probe_file *file)
{
    static const struct vxbi_column columns[] = {{"index", 5}, {"name", -5}, VXBI_PROBE_PLANE_FIELDS(VXBI_COLUMN, )};
    static const struct vxbi_table table = {"planes", NULL, columns, COUNT(columns)};
    vxbi_listing_table(l, &table);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        const struct vxb_probe_plane *plane = &file->planes[k];
        const struct vxbi_cell cells[] = {vxbi_cell_u64(k), vxbi_cell_text(vxb_probe_plane_name(k)),
                                          VXBI_PROBE_PLANE_FIELDS(VXBI_CELL, plane)};
        _Static_assert(COUNT(cells) == COUNT(columns), "a cell a column");
        vxbi_listing_row(l, cells);
    }
    vxbi_listing_table_end(l);
}

/* ---- probes ---- */

#define RGB_COLUMNS(name) {name "_r", 13}, {name "_g", 13}, {name "_b", 13}
#define RGB_CELLS(rgb) vxbi_cell_f32((rgb)[0]), vxbi_cell_f32((rgb)[1]), vxbi_cell_f32((rgb)[2])

/* The 64 that a brick owns, x fastest; where they stand is in world metres. */
static bool brick_probes(struct vxbi_listing *l, const struct vxb_probe_field *field, uint32_t index)
{
    for (uint32_t k = 0; k < VXB_BRICK_PROBES; k++) {
        const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
        const struct vxb_probe *p = vxbi_probe_pool_at(field->pool, field->table[index].slot, at[0], at[1], at[2]);
        double place[3];
        vxbi_probe_place(field, &field->table[index], at, place);
        const struct vxbi_cell cells[] = {
            vxbi_cell_u64(index), vxbi_cell_u64(k), vxbi_cell_f64(place[0]), vxbi_cell_f64(place[1]),
            vxbi_cell_f64(place[2]), RGB_CELLS(p->l00), RGB_CELLS(p->l1m1), RGB_CELLS(p->l10), RGB_CELLS(p->l11),
            vxbi_cell_f32(p->validity), vxbi_cell_f32(p->sun_shadow)};
        _Static_assert(COUNT(cells) == 19, "a cell a column");
        if (!vxbi_listing_row(l, cells))
            return false;
    }
    return true;
}

static enum vxb_status probes(struct vxbi_listing *l, const struct vxb_env *env, const struct vxb_probe_file *file,
                              const struct vxb_list_options *options, struct vxb_error *err)
{
    static const struct vxbi_column columns[] = {
        {"brick", 7}, {"probe", 5}, {"x", 10}, {"y", 10}, {"z", 10}, RGB_COLUMNS("l00"), RGB_COLUMNS("l1m1"),
        RGB_COLUMNS("l10"), RGB_COLUMNS("l11"), {"validity", 10}, {"sun_shadow", 10}};
    static const struct vxbi_table table = {"probes", NULL, columns, COUNT(columns)};
    _Static_assert(COUNT(columns) == 19, "as many as brick_probes() fills");
    struct vxb_probe_field *field = NULL;
    uint32_t end;
    enum vxb_status status = vxb_probe_file_field(env, file, &field, err);
    if (status)
        return status;
    vxbi_listing_table(l, &table);
    for (uint32_t i = range(options, file->header.brick_count, &end); i < end && !status; i++) {
        if (vxbi_cancelled(env))
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        else if (!brick_probes(l, field, i))
            break;
    }
    vxbi_listing_table_end(l);
    vxb_probe_field_free(field);
    return status;
}

enum vxb_status vxbi_list_probes(struct vxbi_listing *l, const struct vxb_env *env, const struct vxb_probe_file *file,
                                 const struct vxb_list_options *options, struct vxb_error *err)
{
    if (options->views & VXB_LIST_HEADER)
        header(l, file);
    if (options->views & VXB_LIST_BRICKS)
        bricks(l, file, options);
    if (options->views & VXB_LIST_PLANES)
        planes(l, file);
    return options->views & VXB_LIST_PROBES ? probes(l, env, file, options, err) : VXB_OK;
}
