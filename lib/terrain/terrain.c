/* Loading a terrain: the files in turn, each fault reported, then turned as the recipe says and put together.
 *
 * Invariant: a terrain's grids are blocks of exactly the size that their width and height give. */
#include <inttypes.h>
#include <string.h>

#include "../core/env.h"
#include "../core/hash.h"
#include "desc.h"
#include "../image/png.h"

struct terrain {
    struct vxb_terrain view; /* first: what the caller holds */
    struct vxb_allocator allocator;
    struct vxbi_arena arena; /* names and the table of layers */
};

void vxbi_ground_clear(const struct vxb_allocator *allocator, struct vxbi_ground *ground)
{
    uint64_t count = (uint64_t)ground->width * ground->height;
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        vxbi_delete(allocator, ground->layers[i].name, (uint64_t)ground->layers[i].name_size + 1, 1);
        vxbi_delete(allocator, ground->layers[i].samples, count, 1);
    }
    vxbi_delete(allocator, ground->layers, ground->layer_count, sizeof *ground->layers);
    vxbi_delete(allocator, ground->heights, count, sizeof *ground->heights);
    vxbi_delete(allocator, ground->holes, vxbi_hole_bytes(count), 1);
    *ground = (struct vxbi_ground){0};
}

static void free_map(const struct vxb_allocator *allocator, const struct vxb_map *map)
{
    vxbi_delete(allocator, (void *)map->samples, (uint64_t)map->width * map->height, 1);
}

void vxb_terrain_free(struct vxb_terrain *terrain)
{
    if (!terrain)
        return;
    struct terrain *t = (struct terrain *)terrain;
    struct vxb_allocator allocator = t->allocator;
    uint64_t count = (uint64_t)terrain->samples_x * terrain->samples_z;
    for (uint32_t i = 0; i < terrain->layer_count; i++)
        free_map(&allocator, &terrain->layers[i].map);
    free_map(&allocator, &terrain->exclude);
    free_map(&allocator, &terrain->scale);
    free_map(&allocator, &terrain->stomp);
    vxbi_delete(&allocator, (void *)terrain->heights, count, sizeof *terrain->heights);
    vxbi_delete(&allocator, (void *)terrain->holes, vxbi_hole_bytes(count), 1);
    vxbi_arena_clear(&t->arena);
    vxbi_delete(&allocator, t, 1, sizeof *t);
}

const struct vxb_layer *vxb_terrain_layer(const struct vxb_terrain *terrain, const char *name)
{
    for (uint32_t i = 0; name && i < terrain->layer_count; i++)
        if (strcmp(terrain->layers[i].name, name) == 0)
            return &terrain->layers[i];
    return NULL;
}

double vxb_terrain_width(const struct vxb_terrain *terrain)
{
    return (double)(terrain->samples_x - 1) * (double)terrain->metres_per_quad;
}

double vxb_terrain_depth(const struct vxb_terrain *terrain)
{
    return (double)(terrain->samples_z - 1) * (double)terrain->metres_per_quad;
}

/* ---- heights ---- */

/* Turns what a reader made; on failure it stays the caller's to clear. */
static enum vxb_status turn_ground(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                   struct vxbi_ground *ground, struct vxb_error *err)
{
    const struct vxb_allocator *allocator = &source->allocator;
    uint32_t width = ground->width, height = ground->height;
    uint64_t count = (uint64_t)width * height;
    if (ground->holes) {
        uint8_t *holes = vxbi_turn_bits(allocator, desc->flip, desc->transpose, ground->holes, width, height);
        if (!holes)
            return vxbi_fail_memory(err, vxbi_hole_bytes(count));
        ground->holes = holes;
    }
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        uint32_t w = width, h = height;
        void *samples = vxbi_turn(allocator, desc->flip, desc->transpose, 1, ground->layers[i].samples, &w, &h);
        if (!samples)
            return vxbi_fail_memory(err, count);
        ground->layers[i].samples = samples;
    }
    void *heights = vxbi_turn(allocator, desc->flip, desc->transpose, sizeof *ground->heights, ground->heights,
                              &ground->width, &ground->height);
    if (!heights)
        return vxbi_fail_memory(err, count * sizeof *ground->heights);
    ground->heights = heights;
    return VXB_OK;
}

/* Moves ground into t. On failure what was not moved yet stays in ground. */
static enum vxb_status adopt(struct terrain *t, const struct vxb_terrain_desc *desc, enum vxb_terrain_kind kind,
                             struct vxbi_ground *ground, struct vxb_error *err)
{
    struct vxb_layer *layers = NULL;
    if (ground->layer_count && !(layers = vxbi_arena_new(&t->arena, ground->layer_count * sizeof *layers)))
        return vxbi_fail_memory(err, ground->layer_count * sizeof *layers);
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        struct vxbi_ground_layer *from = &ground->layers[i];
        layers[i].name = vxbi_arena_text(&t->arena, from->name, from->name_size);
        if (!layers[i].name)
            return vxbi_fail_memory(err, (uint64_t)from->name_size + 1);
    }
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        layers[i].map = (struct vxb_map){.width = ground->width, .height = ground->height,
                                         .samples = ground->layers[i].samples};
        ground->layers[i].samples = NULL;
    }
    struct vxb_terrain *view = &t->view;
    view->layers = layers;
    view->layer_count = ground->layer_count;
    view->samples_x = ground->width;
    view->samples_z = ground->height;
    view->heights = ground->heights;
    view->holes = ground->holes;
    view->metres_per_quad = kind == VXB_TERRAIN_VXTERRAIN ? ground->metres_per_quad : desc->metres_per_quad;
    view->min_height = ground->min_height;
    view->max_height = ground->max_height;
    memcpy(view->origin, desc->origin, sizeof view->origin);
    view->kind = kind;
    view->sample = ground->sample;
    ground->heights = NULL;
    ground->holes = NULL;
    return VXB_OK;
}

/* file's bytes into t; file is consumed. */
static enum vxb_status read_heights(struct terrain *t, const struct vxbi_source *source,
                                    const struct vxb_terrain_desc *desc, enum vxb_terrain_kind kind,
                                    struct vxbi_bytes *file, struct vxb_error *err)
{
    static enum vxb_status (*const readers[])(const struct vxbi_source *, const struct vxb_terrain_desc *,
                                              struct vxbi_bytes *, struct vxbi_ground *, struct vxb_error *) = {
        [VXB_TERRAIN_PNG] = vxbi_read_png_heights,
        [VXB_TERRAIN_RAW] = vxbi_read_raw_heights,
        [VXB_TERRAIN_PFM] = vxbi_read_pfm_heights,
        [VXB_TERRAIN_VXTERRAIN] = vxbi_read_vxterrain,
    };
    struct vxbi_ground ground = {0};
    t->view.file_hash = vxbi_hash(file->data, file->size);
    enum vxb_status status = readers[kind](source, desc, file, &ground, err);
    vxbi_bytes_clear(file);
    if (!status)
        status = turn_ground(source, desc, &ground, err);
    if (!status)
        status = adopt(t, desc, kind, &ground, err);
    vxbi_ground_clear(&source->allocator, &ground);
    return status;
}

/* ---- maps ---- */

/* One map that the desc names, and where it goes. */
struct slot {
    const struct vxb_map_desc *desc;
    struct vxb_map *map;
    char pointer[VXBI_LAYER_POINTER_ROOM];
    bool done;
};

static enum vxb_status fill_slot(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                 const struct vxbi_image *image, uint64_t hash, struct slot *slot,
                                 struct vxb_error *err)
{
    struct vxbi_raster raster;
    enum vxb_status status = vxbi_map_channel(source, image, slot->desc->channel, &raster, err);
    if (status)
        return status;
    uint64_t count = (uint64_t)raster.width * raster.height;
    void *samples = vxbi_turn(&source->allocator, desc->flip, desc->transpose, 1, raster.samples, &raster.width,
                              &raster.height);
    if (!samples) {
        vxbi_delete(&source->allocator, raster.samples, count, 1);
        return vxbi_fail_memory(err, count);
    }
    *slot->map = (struct vxb_map){.width = raster.width, .height = raster.height, .samples = samples, .file_hash = hash,
                                  .channel = slot->desc->channel};
    return VXB_OK;
}

/* Reads the first slot's file, and fills every slot that wants a channel of it. */
static void load_map_file(struct vxbi_report *report, const struct vxb_terrain_desc *desc, struct slot *slots,
                          uint32_t count)
{
    const char *path = slots->desc->path;
    struct vxbi_source source = {.env = report->env, .allocator = vxbi_allocator(report->env), .path = path,
                                 .pointer = slots->pointer};
    struct vxbi_bytes file = {.allocator = source.allocator};
    struct vxbi_image image = {.allocator = source.allocator};
    struct vxb_error found = {0};
    uint64_t hash = 0;
    enum vxb_status status = vxbi_read_image_file(report->env, path, NULL, &file, &found);
    if (!status) {
        hash = vxbi_hash(file.data, file.size);
        status = vxbi_read_map_image(&source, &file, &image, &found);
    }
    vxbi_bytes_clear(&file);
    if (status)
        vxbi_report(report, &found, path, slots->pointer);
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i].done || strcmp(slots[i].desc->path, path) != 0)
            continue;
        slots[i].done = true;
        source.pointer = slots[i].pointer;
        vxb_error_clear(&found);
        if (!status && fill_slot(&source, desc, &image, hash, &slots[i], &found))
            vxbi_report(report, &found, path, slots[i].pointer);
    }
    vxbi_image_clear(&image);
}

static void load_maps(struct vxbi_report *report, const struct vxb_terrain_desc *desc, struct slot *slots,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count && !report->stop; i++) {
        struct vxb_error found = {0};
        if (slots[i].done)
            continue;
        if (!vxbi_cancelled(report->env)) {
            load_map_file(report, desc, slots + i, count - i);
            continue;
        }
        vxbi_fail(&found, VXB_ERR_CANCELLED, "cancelled");
        vxbi_report(report, &found, NULL, NULL);
    }
}

static void add_slot(struct slot *slots, uint32_t *count, const struct vxb_map_desc *desc, struct vxb_map *map,
                     const char *pointer)
{
    if (!desc->path || !*desc->path || (unsigned)desc->channel > VXB_CHANNEL_A)
        return;
    struct slot *slot = &slots[(*count)++];
    *slot = (struct slot){.desc = desc, .map = map};
    memcpy(slot->pointer, pointer, strlen(pointer) + 1);
}

/* All maps of desc into t; the layers only where beside is true (a .vxterrain has its own). */
static void load_all_maps(struct vxbi_report *report, struct terrain *t, const struct vxb_terrain_desc *desc,
                          bool beside)
{
    uint32_t layers_wanted = beside ? desc->layer_count : 0, count = 0;
    uint64_t room = (uint64_t)layers_wanted + 3;
    char pointer[VXBI_LAYER_POINTER_ROOM];
    struct vxb_error found = {0};
    struct vxb_layer *layers = NULL;
    struct slot *slots = vxbi_new_zero(&t->allocator, room, sizeof *slots);
    if (slots && layers_wanted)
        layers = vxbi_arena_new(&t->arena, layers_wanted * sizeof *layers);
    if (!slots || (layers_wanted && !layers)) {
        vxbi_fail_memory(&found, room * sizeof *slots);
        goto done;
    }
    for (uint32_t i = 0; i < layers_wanted; i++) {
        const char *name = desc->layers[i].name ? desc->layers[i].name : "";
        layers[i].name = vxbi_arena_text(&t->arena, name, strlen(name));
        if (!layers[i].name) {
            vxbi_fail_memory(&found, strlen(name) + 1);
            goto done;
        }
        vxbi_layer_pointer(pointer, sizeof pointer, name);
        add_slot(slots, &count, &desc->layers[i].map, &layers[i].map, pointer);
    }
    if (layers_wanted) {
        t->view.layers = layers;
        t->view.layer_count = layers_wanted;
    }
    add_slot(slots, &count, &desc->exclude, &t->view.exclude, "/terrain/exclude");
    add_slot(slots, &count, &desc->scale, &t->view.scale, "/terrain/scale");
    add_slot(slots, &count, &desc->stomp, &t->view.stomp, "/terrain/stomp");
    load_maps(report, desc, slots, count);
done:
    if (found.status)
        vxbi_report(report, &found, NULL, NULL);
    vxbi_delete(&t->allocator, slots, room, sizeof *slots);
}

/* ---- all of it ---- */

static struct terrain *new_terrain(const struct vxb_env *env)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct terrain *t = vxbi_new_zero(&allocator, 1, sizeof *t);
    if (t) {
        t->allocator = allocator;
        t->arena.allocator = allocator;
    }
    return t;
}

static void load_heights(struct vxbi_report *report, struct terrain *t, const struct vxb_terrain_desc *desc,
                         enum vxb_terrain_kind kind)
{
    struct vxbi_source source = {.env = report->env, .allocator = t->allocator, .path = desc->path,
                                 .pointer = "/terrain/file"};
    struct vxbi_bytes file = {.allocator = t->allocator};
    const struct vxbi_raw raw = vxbi_raw_of(desc);
    struct vxb_error found = {0};
    enum vxb_status status =
        vxbi_read_image_file(report->env, desc->path, kind == VXB_TERRAIN_RAW ? &raw : NULL, &file, &found);
    if (!status)
        status = read_heights(t, &source, desc, kind, &file, &found);
    if (status)
        vxbi_report(report, &found, desc->path, source.pointer);
}

enum vxb_status vxb_terrain_load(const struct vxb_env *env, const struct vxb_terrain_desc *desc,
                                 struct vxb_terrain **out, struct vxb_error *err)
{
    struct vxbi_report report = {.env = env, .err = err};
    struct vxb_error found = {0};
    enum vxb_terrain_kind kind = VXB_TERRAIN_RAW;
    enum vxb_status wrong = vxbi_check_env(env, err);
    if (wrong)
        return wrong;
    struct terrain *t = new_terrain(env);
    if (!t) {
        vxbi_fail_memory(&found, sizeof *t);
        vxbi_report(&report, &found, NULL, NULL);
        return report.status;
    }
    bool readable = vxbi_check_desc(&report, desc, &kind);
    if ((unsigned)desc->flip <= VXB_FLIP_XZ && desc->layer_count <= VXBI_TERRAIN_LAYERS_MAX) {
        if (readable)
            load_heights(&report, t, desc, kind);
        load_all_maps(&report, t, desc, kind != VXB_TERRAIN_VXTERRAIN);
    }
    if (report.status) {
        vxb_terrain_free(&t->view);
        return report.status;
    }
    *out = &t->view;
    return VXB_OK;
}

/* ---- from memory ---- */

enum vxb_status vxbi_terrain_from_bytes(const struct vxb_env *env, const struct vxb_terrain_desc *desc,
                                        struct vxbi_bytes *file, struct vxb_terrain **out, struct vxb_error *err)
{
    enum vxb_terrain_kind kind;
    struct vxbi_report report = {.env = env, .err = err};
    if (!vxbi_check_desc(&report, desc, &kind) || report.status) {
        vxbi_bytes_clear(file);
        return report.status ? report.status : VXB_ERR_USAGE;
    }
    struct terrain *t = new_terrain(env);
    if (!t) {
        vxbi_bytes_clear(file);
        return vxbi_fail_memory(err, sizeof *t);
    }
    struct vxbi_source source = {.env = env, .allocator = t->allocator, .path = desc->path,
                                 .pointer = "/terrain/file"};
    enum vxb_status status = read_heights(t, &source, desc, kind, file, err);
    if (status) {
        vxb_terrain_free(&t->view);
        return status;
    }
    *out = &t->view;
    return VXB_OK;
}

enum vxb_status vxbi_map_from_bytes(const struct vxb_env *env, const char *path, enum vxb_channel channel,
                                    struct vxbi_bytes *file, struct vxbi_raster *out, struct vxb_error *err)
{
    struct vxbi_source source = {.env = env, .allocator = vxbi_allocator(env), .path = path, .pointer = ""};
    struct vxbi_image image = {.allocator = source.allocator};
    enum vxb_status status = vxbi_read_map_image(&source, file, &image, err);
    vxbi_bytes_clear(file);
    if (!status)
        status = vxbi_map_channel(&source, &image, channel, out, err);
    vxbi_image_clear(&image);
    return status;
}
