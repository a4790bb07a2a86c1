/* Fields loaded as an engine loads them, for the tests of runtime and culling. */
#ifndef TESTS_LOADED_FIELD_H
#define TESTS_LOADED_FIELD_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "core/bytes.h"
#include "vxbake/runtime.h"

static const struct test_field field_large = {.format = 3, .sections = 4, .chunks = 12, .blades = 26};
static const struct test_field field_packed = {.format = 3, .sections = 4, .chunks = 12, .blades = 26,
                                               .flags = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT};

struct loaded {
    struct test_file file;
    struct vxb_source source;
    struct vxb_grass *grass;
    struct vxb_runtime *runtime;
};

static inline bool read_file(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    memcpy(buf, file->data + offset, size);
    return true;
}

static inline void open_field(struct loaded *l, const struct test_field *field, uint32_t max_commands)
{
    struct vxb_error err = {0};
    memset(l, 0, sizeof *l);
    l->file = test_field_make(field);
    vxbi_store_u32(l->file.data + 52, max_commands);
    test_file_repair(&l->file);
    l->source = (struct vxb_source){&l->file, l->file.size, read_file};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &l->source, "field", &l->grass, &err), VXB_OK), "%s", err.message);
}

static inline void load_field(struct loaded *l, const struct test_field *field, uint32_t max_commands,
                              const struct vxb_runtime_options *options)
{
    struct vxb_error err = {0};
    open_field(l, field, max_commands);
    cr_assert(eq(int, vxb_runtime_load(NULL, l->grass, options, &l->runtime, &err), VXB_OK), "%s", err.message);
}

static inline void unload(struct loaded *l)
{
    vxb_runtime_free(l->runtime);
    vxb_grass_close(l->grass);
    free(l->file.data);
}

/* ---- fields of format 1, which is short enough to be written here ---- */

struct old_blade {
    float x, y, z, yaw, scale, tint, phase, rank;
};

struct old_chunk {
    int32_t x, z;
    uint32_t blades;
};

/* blades: those of all chunks, one after the other. */
static inline struct test_file old_file(float cell_size, const struct old_chunk *chunks, uint32_t chunk_count,
                                        const struct old_blade *blades, uint32_t blade_count)
{
    struct test_file file = {.size = 64 + (size_t)chunk_count * 16 + (size_t)blade_count * 32};
    file.data = calloc(1, file.size);
    struct vxbi_writer w = {.data = file.data, .room = file.size};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    uint32_t first = 0;
    for (uint32_t i = 0; i < blade_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float v = axis == 0 ? blades[i].x : axis == 1 ? blades[i].y : blades[i].z;
            low[axis] = fminf(low[axis], v);
            high[axis] = fmaxf(high[axis], v);
        }
    memcpy(file.data, vxbi_grass_magic, 8);
    w.at = 8;
    vxbi_put_u32(&w, 1);
    vxbi_put_u32(&w, 64);
    vxbi_put_u64(&w, file.size);
    for (int axis = 0; axis < 3; axis++)
        vxbi_put_f32(&w, low[axis]);
    for (int axis = 0; axis < 3; axis++)
        vxbi_put_f32(&w, high[axis]);
    vxbi_put_f32(&w, cell_size);
    vxbi_put_u32(&w, chunk_count);
    vxbi_put_u32(&w, blade_count);
    vxbi_put_u32(&w, 0);
    for (uint32_t i = 0; i < chunk_count; first += chunks[i++].blades) {
        vxbi_put_u32(&w, (uint32_t)chunks[i].x);
        vxbi_put_u32(&w, (uint32_t)chunks[i].z);
        vxbi_put_u32(&w, first);
        vxbi_put_u32(&w, chunks[i].blades);
    }
    for (uint32_t i = 0; i < blade_count; i++) {
        const float values[8] = {blades[i].x, blades[i].y, blades[i].z, blades[i].yaw, blades[i].scale, blades[i].tint,
                                 blades[i].phase, blades[i].rank};
        for (int k = 0; k < 8; k++)
            vxbi_put_f32(&w, values[k]);
    }
    cr_assert(not(w.failed));
    return file;
}

static inline void load_file(struct loaded *l, struct test_file file, const struct vxb_runtime_options *options)
{
    struct vxb_error err = {0};
    memset(l, 0, sizeof *l);
    l->file = file;
    l->source = (struct vxb_source){&l->file, l->file.size, read_file};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &l->source, "field", &l->grass, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_runtime_load(NULL, l->grass, options, &l->runtime, &err), VXB_OK), "%s", err.message);
}

static const struct vxb_view everything = {.range = INFINITY, .density = 1.0f};

static const struct vxb_cull_result *cull(struct vxb_culler *culler, const struct vxb_view *view,
                                          const struct vxb_ring *ring)
{
    const struct vxb_cull_result *result = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_cull(culler, view, ring, &result, &err), VXB_OK), "%s", err.message);
    return result;
}

static inline struct vxb_culler *culler_of(const struct loaded *l)
{
    struct vxb_culler *culler = NULL;
    cr_assert(eq(int, vxb_culler_new(NULL, l->runtime, &culler, NULL), VXB_OK));
    return culler;
}

#endif
