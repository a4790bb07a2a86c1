/* Runtime records as a file: every blade as a GPU is given it, a chunk at a time, and beside it, as JSON, all that an
 * engine needs to draw them. Stomp comes from a recipe's terrain or from a map. */
#include <inttypes.h>
#include <string.h>

#include "core/path.h"
#include "export/blades.h"
#include "export/json_runtime.h"
#include "export/sink.h"
#include "grass/runtime.h"
#include "terrain/ground.h"
#include "transcode_work.h"
#include "vxbake/bake.h"

/* ---- stomp ---- */

struct stomp {
    struct vxb_recipe *recipe;
    struct vxb_terrain *terrain;
    struct vxbi_raster raster;
    struct vxb_stomp map; /* samples NULL: none */
};

static void close_stomp(const struct vxbi_transcode *t, struct stomp *stomp)
{
    const struct vxb_allocator allocator = vxbi_allocator(t->env);
    vxb_terrain_free(stomp->terrain);
    vxb_recipe_free(stomp->recipe);
    vxbi_delete(&allocator, stomp->raster.samples, (uint64_t)stomp->raster.width * stomp->raster.height, 1);
}

/* The plan says what the bake id is, stomp or not. */
static enum vxb_status check_bake(const struct vxbi_transcode *t, const struct stomp *stomp, struct vxb_error *err)
{
    struct vxb_plan *plan = NULL;
    enum vxb_status status = vxb_plan_new(t->env, stomp->recipe, stomp->terrain, &plan, err);
    if (!status && plan->bake_id != t->grass->header.bake_id) {
        vxbi_fail(err, VXB_ERR_USAGE, "the recipe's bake id is 0x%016" PRIx64 ", the file's 0x%016" PRIx64
                  ": the file was made from another recipe, so its stomp map is another field's", plan->bake_id,
                  t->grass->header.bake_id);
        status = vxbi_error_in(err, VXB_ERR_USAGE, t->options->recipe, NULL);
    }
    vxb_plan_free(plan);
    return status;
}

static enum vxb_status stomp_of_recipe(const struct vxbi_transcode *t, struct stomp *stomp, struct vxb_error *err)
{
    enum vxb_status status = vxb_recipe_load(t->env, t->options->recipe, NULL, 0, &stomp->recipe, err);
    for (uint32_t i = 0; !status && i <= stomp->recipe->input_count; i++)
        status = vxbi_transcode_refuse(t, i ? stomp->recipe->inputs[i - 1] : t->options->recipe, err);
    if (!status)
        status = vxb_terrain_load(t->env, &stomp->recipe->terrain, &stomp->terrain, err);
    if (!status && !stomp->terrain->stomp.samples) {
        vxbi_fail(err, VXB_ERR_USAGE, "the recipe's terrain has no stomp map");
        status = vxbi_error_in(err, VXB_ERR_USAGE, t->options->recipe, "/terrain/stomp");
    }
    if (!status)
        status = check_bake(t, stomp, err);
    if (status)
        return status;
    const struct vxb_terrain *terrain = stomp->terrain;
    stomp->map = (struct vxb_stomp){
        .samples = terrain->stomp.samples, .width = terrain->stomp.width, .height = terrain->stomp.height,
        .x = (double)terrain->origin[0], .z = (double)terrain->origin[2], .size_x = vxb_terrain_width(terrain),
        .size_z = vxb_terrain_depth(terrain)};
    return VXB_OK;
}

struct cells {
    int32_t x0, z0, x1, z1;
    bool any;
};

static enum vxb_status add_cell(void *user, uint32_t index, const struct vxb_grass_chunk *chunk, const uint8_t *records,
                                struct vxb_error *err)
{
    struct cells *c = user;
    (void)index;
    (void)records;
    (void)err;
    c->x0 = !c->any || chunk->cell_x < c->x0 ? chunk->cell_x : c->x0;
    c->z0 = !c->any || chunk->cell_z < c->z0 ? chunk->cell_z : c->z0;
    c->x1 = !c->any || chunk->cell_x > c->x1 ? chunk->cell_x : c->x1;
    c->z1 = !c->any || chunk->cell_z > c->z1 ? chunk->cell_z : c->z1;
    c->any = true;
    return VXB_OK;
}

static enum vxb_status stomp_of_map(const struct vxbi_transcode *t, struct stomp *stomp, struct vxb_error *err)
{
    const double size = (double)t->grass->header.cell_size;
    struct vxbi_bytes file;
    struct cells cells = {0};
    const struct vxbi_chunk_visitor visitor = {.user = &cells, .chunk = add_cell};
    enum vxb_status status = vxbi_transcode_refuse(t, t->options->stomp, err);
    if (!status)
        status = vxbi_read_all(t->env, t->options->stomp, t->grass->max_memory, &file, err);
    if (!status)
        status = vxbi_map_from_bytes(t->env, t->options->stomp, VXB_CHANNEL_GREY, &file, &stomp->raster, err);
    if (status)
        return vxbi_error_in(err, status, t->options->stomp, NULL);
    status = vxbi_chunks_visit(t->grass, NULL, &visitor, err);
    if (!status && cells.any)
        stomp->map = (struct vxb_stomp){
            .samples = stomp->raster.samples, .width = stomp->raster.width, .height = stomp->raster.height,
            .x = cells.x0 * size, .z = cells.z0 * size, .size_x = (cells.x1 - (double)cells.x0 + 1.0) * size,
            .size_z = (cells.z1 - (double)cells.z0 + 1.0) * size};
    return status;
}

/* ---- records ---- */

enum { PIECE = 256 };

struct records {
    struct vxbi_transcode *t;
    const struct vxb_stomp *stomp;
    struct vxbi_transcode_sink sink;
};

static enum vxb_status write_chunk(void *user, uint32_t index, const struct vxb_grass_chunk *chunk,
                                   const uint8_t *records, struct vxb_error *err)
{
    struct records *r = user;
    (void)index;
    for (uint32_t done = 0; done < chunk->blade_count;) {
        uint8_t bytes[PIECE * VXB_RUNTIME_RECORD_BYTES];
        struct vxb_grass_chunk piece = *chunk;
        piece.blade_count = chunk->blade_count - done < PIECE ? chunk->blade_count - done : PIECE;
        vxbi_runtime_records(&r->t->grass->header, r->t->options->origin, r->stomp, &piece,
                             records + (size_t)done * VXB_GRASS_RECORD_BYTES, bytes);
        if (!vxbi_transcode_append(&r->sink, (const char *)bytes, (size_t)piece.blade_count * VXB_RUNTIME_RECORD_BYTES))
            return r->sink.status ? r->sink.status : vxbi_sink_failed(err);
        done += piece.blade_count;
    }
    return VXB_OK;
}

static enum vxb_status write_side(struct vxbi_transcode *t, bool stomp, struct vxb_error *err)
{
    struct vxbi_transcode_sink to = {.t = t, .output = t->side, .err = err};
    const struct vxb_sink sink = {.user = &to, .write = vxbi_transcode_append};
    enum vxb_status status = vxbi_runtime_json(t->grass, t->options->origin, stomp, &sink, err);
    return to.status ? to.status : status;
}

enum vxb_status vxbi_transcode_runtime(struct vxbi_transcode *t, struct vxb_error *err)
{
    struct stomp stomp = {0};
    struct records records = {.t = t, .sink = {.t = t, .output = t->output, .err = err}};
    const struct vxbi_chunk_visitor visitor = {.user = &records, .blades = true, .chunk = write_chunk};
    enum vxb_status status = t->options->recipe  ? stomp_of_recipe(t, &stomp, err)
                             : t->options->stomp ? stomp_of_map(t, &stomp, err)
                                                 : VXB_OK;
    records.stomp = stomp.map.samples ? &stomp.map : NULL;
    if (!status)
        status = vxbi_chunks_visit(t->grass, NULL, &visitor, err);
    if (!status)
        status = write_side(t, records.stomp != NULL, err);
    close_stomp(t, &stomp);
    return status;
}

/* ---- the side file ---- */

enum vxb_status vxbi_transcode_open_side(struct vxbi_transcode *t, struct vxb_error *err)
{
    const struct vxb_transcode_options *o = t->options;
    const char *input = strcmp(t->path, "-") == 0 ? "/dev/stdin" : t->path;
    char derived[VXBI_PATH_ROOM];
    const char *path = o->side ? o->side : derived;
    if (!o->side) {
        if (vxbi_output_streams(t->output)) {
            vxbi_fail_at_fault(err, VXB_ERR_USAGE, "output", "the JSON file that belongs to runtime records goes "
                               "beside them, and a pipe, a device or a descriptor leaves no name for it: name a file");
            return vxbi_error_in(err, VXB_ERR_USAGE, o->output, NULL);
        }
        if (strlen(o->output) + sizeof ".json" > sizeof derived)
            return vxbi_fail(err, VXB_ERR_USAGE, "the output's name is too long to put .json behind it");
        strcat(strcpy(derived, o->output), ".json");
        if (!o->force && vxbi_path_exists(derived)) {
            vxbi_fail_remedy(err, VXB_ERR_REFUSED, "force", "exists, and its name was not given but made of the "
                             "output's");
            return vxbi_error_in(err, VXB_ERR_REFUSED, derived, NULL);
        }
    }
    enum vxb_status status = vxb_output_open(t->env, path, &t->side, err);
    if (status)
        return status;
    if (vxb_output_is(t->side, input) || vxb_output_same(t->side, t->output)) {
        vxbi_fail(err, VXB_ERR_REFUSED, "would replace the input or the other output; choose another name");
        return vxbi_error_in(err, VXB_ERR_REFUSED, path, NULL);
    }
    return VXB_OK;
}
