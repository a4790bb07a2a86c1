/* A loaded field: ranges, records, one culling pass, commands, and the same limited by a ring. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "counted_memory.h"
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

static bool read_file(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    memcpy(buf, file->data + offset, size);
    return true;
}

static void open_field(struct loaded *l, const struct test_field *field, uint32_t max_commands)
{
    struct vxb_error err = {0};
    memset(l, 0, sizeof *l);
    l->file = test_field_make(field);
    vxbi_store_u32(l->file.data + 52, max_commands);
    test_file_repair(&l->file);
    l->source = (struct vxb_source){&l->file, l->file.size, read_file};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &l->source, "field", &l->grass, &err), VXB_OK), "%s", err.message);
}

static void load_field(struct loaded *l, const struct test_field *field, uint32_t max_commands,
                       const struct vxb_runtime_options *options)
{
    struct vxb_error err = {0};
    open_field(l, field, max_commands);
    cr_assert(eq(int, vxb_runtime_load(NULL, l->grass, options, &l->runtime, &err), VXB_OK), "%s", err.message);
}

static void unload(struct loaded *l)
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
static struct test_file old_file(float cell_size, const struct old_chunk *chunks, uint32_t chunk_count,
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

static void load_file(struct loaded *l, struct test_file file, const struct vxb_runtime_options *options)
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

static struct vxb_culler *culler_of(const struct loaded *l)
{
    struct vxb_culler *culler = NULL;
    cr_assert(eq(int, vxb_culler_new(NULL, l->runtime, &culler, NULL), VXB_OK));
    return culler;
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static float between(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)draw(state) / 16777216.0f;
}

/* A view from somewhere near, of a random wedge of the world. */
static struct vxb_view random_view(uint32_t *state)
{
    struct vxb_view view = {.position = {between(state, -60, 60), between(state, -20, 30), between(state, -60, 120)},
                            .range = between(state, 0, 150), .density = between(state, 0, 1),
                            .plane_count = draw(state) % 4};
    for (uint32_t i = 0; i < view.plane_count; i++) {
        struct vxb_plane *p = &view.planes[i];
        for (int k = 0; k < 3; k++)
            p->normal[k] = between(state, -1, 1);
        p->d = between(state, -20, 60);
    }
    return view;
}

/* ---- loading ---- */

Test(runtime, sections__ranges_are_contiguous_and_cover_everything)
{
    static const struct test_field *const fields[] = {&test_field_2, &test_field_3, &test_field_3_empty_section,
                                                      &test_field_2_empty, &field_packed};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        struct loaded l;
        uint32_t chunks, blades;
        uint64_t chunk = 0, blade = 0, command = 0;
        load_field(&l, fields[f], UINT32_MAX, NULL);
        const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunks);
        cr_assert(vxb_runtime_blades(l.runtime, &blades) != NULL);
        for (uint32_t k = 0; k < vxb_runtime_section_count(l.runtime); k++) {
            const struct vxb_runtime_section *s = vxb_runtime_section(l.runtime, k);
            cr_assert(eq(u64, s->first_chunk, chunk));
            cr_assert(eq(u64, s->first_blade, blade));
            cr_assert(eq(u64, s->first_command, command));
            cr_assert(eq(u64, s->command_count, (uint64_t)s->chunk_count * s->pass_count));
            for (uint32_t i = 0; i < s->chunk_count; i++)
                cr_assert(eq(u32, all[s->first_chunk + i].section, k));
            chunk += s->chunk_count;
            blade += s->blade_count;
            command += s->command_count;
        }
        cr_assert(eq(u64, chunk, chunks));
        cr_assert(eq(u64, blade, blades));
        unload(&l);
    }
}

Test(runtime, records__what_the_file_says_relative_to_the_origin)
{
    static const double origins[][3] = {{0, 0, 0}, {-1000.5, 12.25, 1e6}};
    for (size_t o = 0; o < 2; o++) {
        struct loaded l;
        uint32_t chunks, count;
        struct vxb_runtime_options options = {.size = sizeof options};
        memcpy(options.origin, origins[o], sizeof options.origin);
        load_field(&l, &field_packed, UINT32_MAX, &options);
        const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunks);
        const uint8_t *record = vxb_runtime_blades(l.runtime, &count);
        for (uint32_t c = 0; c < chunks; c++) {
            uint8_t raw[64 * VXB_GRASS_RECORD_BYTES];
            cr_assert(eq(int, vxb_grass_read_chunk(l.grass, &all[c], raw, sizeof raw, NULL, NULL), VXB_OK));
            for (uint32_t i = 0; i < all[c].blade_count; i++, record += VXB_RUNTIME_RECORD_BYTES) {
                struct vxb_blade blade;
                const uint8_t *from = raw + i * VXB_GRASS_RECORD_BYTES;
                vxb_grass_decode(vxb_grass_header(l.grass), &all[c], from, &blade);
                cr_assert(eq(flt, vxbi_load_f32(record), (float)(blade.x - origins[o][0])));
                cr_assert(eq(flt, vxbi_load_f32(record + 4), (float)(blade.y - origins[o][1])));
                cr_assert(eq(flt, vxbi_load_f32(record + 8), (float)(blade.z - origins[o][2])));
                cr_assert(memcmp(record + 12, from + 6, 8) == 0);
                cr_assert(eq(u32, vxbi_load_u16(record + 20), blade.rank_code));
                cr_assert(eq(u32, vxbi_load_u16(record + 22), 0));
            }
        }
        unload(&l);
    }
}

Test(runtime, stomp_map__sampled_between_its_samples)
{
    struct loaded l;
    uint32_t count, seen = 0;
    uint8_t samples[2] = {0, 200};
    const struct vxb_stomp stomp = {.samples = samples, .width = 2, .height = 1, .x = -30.0, .z = -1000.0,
                                    .size_x = 40.0, .size_z = 2000.0};
    const struct vxb_runtime_options options = {.size = sizeof options, .stomp = &stomp};
    load_field(&l, &field_large, UINT32_MAX, &options);
    const uint8_t *record = vxb_runtime_blades(l.runtime, &count);
    for (uint32_t i = 0; i < count; i++, record += VXB_RUNTIME_RECORD_BYTES) {
        float x = vxbi_load_f32(record), wanted = (x + 30.0f) / 40.0f * 200.0f;
        wanted = wanted < 0.0f ? 0.0f : wanted > 200.0f ? 200.0f : wanted;
        cr_assert(le(flt, fabsf((float)record[22] - wanted), 0.51f));
        seen += record[22] > 0 && record[22] < 200;
    }
    cr_assert(gt(u32, seen, 0));
    unload(&l);
}

/* Half of the way between four samples, on a sample, and outside on every side. */
Test(runtime, stomp_map__between_four_samples_and_clamped_outside)
{
    static const uint8_t samples[6] = {10, 20, 30, 110, 120, 130};
    static const struct {
        float x, z;
        uint8_t stomp;
    } cases[] = {{4.0f, 4.0f, 10},  {12.0f, 4.0f, 30},  {4.0f, 12.0f, 110},  {6.0f, 8.0f, 65}, {10.0f, 6.0f, 50},
                 {-9.0f, 1.0f, 10}, {31.0f, 31.0f, 130}, {31.0f, -9.0f, 30}, {7.0f, -20.0f, 18}};
    enum { COUNT = sizeof cases / sizeof *cases };
    const struct vxb_stomp stomp = {.samples = samples, .width = 3, .height = 2, .x = 4.0, .z = 4.0, .size_x = 8.0,
                                    .size_z = 8.0};
    const struct vxb_runtime_options options = {.size = sizeof options, .stomp = &stomp};
    for (int i = 0; i < COUNT; i++) {
        const struct old_blade blade = {.x = cases[i].x, .z = cases[i].z, .scale = 1.0f};
        const struct old_chunk chunk = {(int32_t)floorf(blade.x), (int32_t)floorf(blade.z), 1};
        struct loaded l;
        uint32_t count;
        load_file(&l, old_file(1.0f, &chunk, 1, &blade, 1), &options);
        cr_assert(eq(u8, vxb_runtime_blades(l.runtime, &count)[22], cases[i].stomp), "case %d", i);
        unload(&l);
    }
}

Test(runtime, cells__each_reads_as_its_part_of_the_whole)
{
    struct loaded l, ranks;
    uint32_t chunks, count, all_blades = 0, most = 0;
    const struct vxb_runtime_options options = {.size = sizeof options, .ranks_only = true};
    struct vxb_runtime_scratch *scratch = NULL;
    load_field(&l, &field_packed, UINT32_MAX, NULL);
    load_field(&ranks, &field_packed, UINT32_MAX, &options);
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunks);
    const uint8_t *blades = vxb_runtime_blades(l.runtime, &count);
    cr_assert(eq(ptr, (void *)vxb_runtime_blades(ranks.runtime, &count), NULL));
    for (int32_t z = -3; z < 10; z++)
        for (int32_t x = -3; x < 3; x++) {
            uint8_t records[4 * 64 * VXB_RUNTIME_RECORD_BYTES];
            uint32_t got = 99, at = 0;
            cr_assert(eq(int, vxb_runtime_read_cell(ranks.runtime, x, z, records, sizeof records, &got, &scratch, NULL),
                         VXB_OK));
            cr_assert(eq(u32, got, vxb_runtime_cell_blades(l.runtime, x, z)));
            for (uint32_t c = 0; c < chunks; c++)
                if (all[c].cell_x == x && all[c].cell_z == z) {
                    cr_assert(memcmp(records + at * VXB_RUNTIME_RECORD_BYTES,
                                     blades + (size_t)all[c].first_blade * VXB_RUNTIME_RECORD_BYTES,
                                     all[c].blade_count * VXB_RUNTIME_RECORD_BYTES) == 0);
                    at += all[c].blade_count;
                }
            cr_assert(eq(u32, at, got));
            all_blades += got;
            most = got > most ? got : most;
            if (got > 0)
                cr_assert(eq(int, vxb_runtime_read_cell(ranks.runtime, x, z, records, got * 24 - 1, &got, NULL, NULL),
                             VXB_ERR_USAGE));
        }
    cr_assert(eq(u32, all_blades, count));
    cr_assert(eq(u32, most, vxb_runtime_slot_blades(l.runtime)));
    vxb_runtime_scratch_free(scratch);
    unload(&ranks);
    unload(&l);
}

/* The last byte of the last chunk: its rank's, which stays within the limit and above the rank before. */
Test(runtime, chunk_that_does_not_match_its_hash__refused_unless_hashes_are_skipped)
{
    struct loaded l;
    struct vxb_error err = {0};
    const struct vxb_runtime_options options = {.size = sizeof options, .skip_hashes = true};
    open_field(&l, &field_large, UINT32_MAX);
    l.file.data[l.file.size - VXB_GRASS_RECORD_BYTES] ^= 1; /* x: every value is allowed */
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, NULL, &l.runtime, &err), VXB_ERR_DATA));
    cr_assert(eq(int, err.finding, VXB_FINDING_CHUNK_HASH));
    cr_assert(eq(ptr, l.runtime, NULL));
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, &options, &l.runtime, NULL), VXB_OK));
    unload(&l);
}

Test(runtime, struct_of_another_size__refused)
{
    struct loaded l;
    struct vxb_culler *culler = NULL;
    struct vxb_ring *ring = NULL;
    const struct vxb_env env = {.size = 3};
    const struct vxb_runtime_options options = {.size = 3};
    load_field(&l, &test_field_2, UINT32_MAX, NULL);
    struct vxb_runtime *runtime = NULL;
    const struct vxb_ring_grid grid = vxb_runtime_grid(l.runtime);
    cr_assert(eq(int, vxb_runtime_load(&env, l.grass, NULL, &runtime, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, &options, &runtime, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_culler_new(&env, l.runtime, &culler, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_ring_new(&env, &grid, 4, &ring, NULL), VXB_ERR_USAGE));
    unload(&l);
}

Test(runtime, options_out_of_range__refused)
{
    struct loaded l;
    uint8_t sample = 0;
    const struct vxb_stomp bad[] = {{&sample, 0, 1, 0, 0, 1, 1}, {&sample, 1, 40000, 0, 0, 1, 1},
                                    {&sample, 1, 1, 0, 0, 0, 1}, {&sample, 1, 1, NAN, 0, 1, 1}};
    open_field(&l, &test_field_2, UINT32_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct vxb_runtime_options options = {.size = sizeof options, .stomp = &bad[i]};
        cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, &options, &l.runtime, NULL), VXB_ERR_USAGE), "case %zu", i);
    }
    const struct vxb_runtime_options far = {.size = sizeof far, .origin = {0, NAN, 0}};
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, &far, &l.runtime, NULL), VXB_ERR_USAGE));
    const struct vxb_env small = {.size = sizeof small, .max_memory_bytes = 64};
    cr_assert(eq(int, vxb_runtime_load(&small, l.grass, NULL, &l.runtime, NULL), VXB_ERR_LIMIT));
    unload(&l);
}

/* Chunks of it stand in any order, one is empty, ranks fall: all of that is put right, and what it does not say is the
 * default. */
Test(runtime, format_1__one_default_section_with_the_records_of_its_blades)
{
    static const struct old_chunk chunks[] = {{-1, 0, 2}, {5, 5, 0}, {0, -1, 1}};
    static const struct old_blade blades[] = {
        {-20.0f, 1.0f, 4.0f, 1.57079633f, 1.5f, 0.5f, 3.14159265f, 0.75f},
        {-32.0f, 3.0f, 31.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.25f},
        {8.0f, -2.0f, -16.0f, 6.28318531f, 0.25f, 0.0f, 6.28318531f, 1.0f}};
    /* x, y, z to half of 32 m / 65536; then yaw, scale as f16, up, tint, phase, rank, stomp, zero. */
    static const struct {
        double x, y, z;
        uint8_t rest[12];
    } wanted[3] = {{8.0, -2.0, -16.0, {0, 0, 0x00, 0x34, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0}},
                   {-32.0, 3.0, 31.0, {0, 0, 0x00, 0x3C, 0, 0, 255, 0, 0x00, 0x40, 0, 0}},
                   {-20.0, 1.0, 4.0, {0x00, 0x40, 0x00, 0x3E, 0, 0, 128, 128, 0x00, 0xC0, 0, 0}}};
    struct loaded l;
    uint32_t chunk_count, count;
    load_file(&l, old_file(32.0f, chunks, 3, blades, 3), NULL);
    cr_assert(eq(u32, vxb_runtime_section_count(l.runtime), 1));
    const struct vxb_runtime_section *s = vxb_runtime_section(l.runtime, 0);
    cr_assert(s->species_id == 0 && s->material_index == 0 && s->rank_limit == 65535);
    cr_assert(eq(u64, s->material_id, 0x2D06800538D394C2u)); /* the hash of no name */
    cr_assert(s->first_chunk == 0 && s->chunk_count == 2 && s->first_blade == 0 && s->blade_count == 3);
    cr_assert(s->first_command == 0 && s->command_count == 2 && s->lod_count == 1 && s->pass_count == 1);
    cr_assert(eq(flt, s->radius, 0.0f));
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunk_count);
    cr_assert(eq(u32, chunk_count, 2));
    cr_assert(all[0].cell_x == 0 && all[0].cell_z == -1 && all[1].cell_x == -1 && all[1].cell_z == 0);
    const uint8_t *record = vxb_runtime_blades(l.runtime, &count);
    cr_assert(eq(u32, count, 3));
    for (uint32_t i = 0; i < 3; i++, record += VXB_RUNTIME_RECORD_BYTES) {
        const double half = 32.0 / 131072.0 + 1e-6;
        cr_assert(fabs((double)vxbi_load_f32(record) - wanted[i].x) <= half, "blade %u", (unsigned)i);
        cr_assert(eq(dbl, (double)vxbi_load_f32(record + 4), wanted[i].y), "blade %u", (unsigned)i);
        cr_assert(fabs((double)vxbi_load_f32(record + 8) - wanted[i].z) <= half, "blade %u", (unsigned)i);
        cr_assert(memcmp(record + 12, wanted[i].rest, 12) == 0, "blade %u", (unsigned)i);
    }
    struct vxb_culler *culler = culler_of(&l);
    struct vxb_view half = everything;
    half.density = 0.5f;
    const struct vxb_cull_result *r = cull(culler, &half, NULL);
    cr_assert(eq(u64, r->total.chunks_visible, 2));
    cr_assert(eq(u64, r->total.commands, 1));
    cr_assert(eq(u64, r->total.blades, 1));
    const struct vxb_draw_command only = {.instance_count = 1, .first_instance = 1};
    cr_assert(memcmp(&r->commands[0], &only, sizeof only) == 0);
    vxb_culler_free(culler);
    unload(&l);
}

Test(runtime, stomp_without_samples__refused)
{
    struct loaded l;
    struct vxb_error err = {0};
    const struct vxb_stomp stomp = {.width = 2, .height = 2, .size_x = 1.0, .size_z = 1.0};
    const struct vxb_runtime_options options = {.size = sizeof options, .stomp = &stomp};
    open_field(&l, &test_field_2, UINT32_MAX);
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, &options, &l.runtime, &err), VXB_ERR_USAGE));
    cr_assert(strstr(err.message, "samples") != NULL);
    unload(&l);
}

/* Once a scratch kept the first runtime's answer to whether hashes are compared. */
Test(runtime, scratch_of_a_runtime_that_skips_hashes__another_still_compares_them)
{
    struct loaded l;
    uint8_t records[4096];
    uint32_t blades;
    struct vxb_runtime_scratch *scratch = NULL;
    struct vxb_runtime *strict = NULL;
    const struct vxb_runtime_options options = {.size = sizeof options, .skip_hashes = true};
    load_field(&l, &test_field_2, UINT32_MAX, &options);
    cr_assert(eq(int, vxb_runtime_load(NULL, l.grass, NULL, &strict, NULL), VXB_OK));
    uint32_t count;
    const struct vxb_grass_chunk *last = vxb_runtime_chunks(strict, &count) + count - 1;
    l.file.data[last->data_offset] ^= 1; /* x: every value is allowed */
    cr_assert(eq(int, vxb_runtime_read_cell(l.runtime, last->cell_x, last->cell_z, records, sizeof records, &blades,
                                            &scratch, NULL), VXB_OK));
    cr_assert(eq(int, vxb_runtime_read_cell(strict, last->cell_x, last->cell_z, records, sizeof records, &blades,
                                            &scratch, NULL), VXB_ERR_DATA));
    vxb_runtime_scratch_free(scratch);
    vxb_runtime_free(strict);
    unload(&l);
}

/* ---- threads ---- */

struct reader {
    const struct loaded *l;
    const uint8_t *blades;
    uint64_t wrong;
};

/* Reads every cell, with an own scratch and an own culler, and compares with what was loaded at once. */
static void *read_everything(void *user)
{
    struct reader *reader = user;
    const struct vxb_runtime *runtime = reader->l->runtime;
    uint8_t records[4 * 64 * VXB_RUNTIME_RECORD_BYTES];
    struct vxb_runtime_scratch *scratch = NULL;
    struct vxb_culler *culler = NULL;
    uint32_t chunks;
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(runtime, &chunks);
    reader->wrong += vxb_culler_new(NULL, runtime, &culler, NULL) != VXB_OK;
    for (int turn = 0; turn < 5; turn++)
        for (uint32_t c = 0; c < chunks; c++) {
            const struct vxb_cull_result *result;
            uint32_t got, at = 0;
            reader->wrong += vxb_runtime_read_cell(runtime, all[c].cell_x, all[c].cell_z, records, sizeof records,
                                                   &got, &scratch, NULL) != VXB_OK;
            for (uint32_t i = 0; i < c; i++)
                at += all[i].cell_x == all[c].cell_x && all[i].cell_z == all[c].cell_z ? all[i].blade_count : 0;
            reader->wrong += memcmp(records + (size_t)at * VXB_RUNTIME_RECORD_BYTES,
                                    reader->blades + (size_t)all[c].first_blade * VXB_RUNTIME_RECORD_BYTES,
                                    (size_t)all[c].blade_count * VXB_RUNTIME_RECORD_BYTES) != 0;
            reader->wrong += vxb_cull(culler, &everything, NULL, &result, NULL) != VXB_OK ||
                             result->total.chunks_visible != chunks;
        }
    vxb_culler_free(culler);
    vxb_runtime_scratch_free(scratch);
    return NULL;
}

Test(runtime, several_threads__read_and_cull_one_field_at_once)
{
    enum { THREADS = 4 };
    struct loaded l;
    struct reader readers[THREADS];
    pthread_t threads[THREADS];
    uint32_t count;
    load_field(&l, &field_packed, UINT32_MAX, NULL);
    for (int i = 0; i < THREADS; i++) {
        readers[i] = (struct reader){.l = &l, .blades = vxb_runtime_blades(l.runtime, &count)};
        cr_assert(eq(int, pthread_create(&threads[i], NULL, read_everything, &readers[i]), 0));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_assert(eq(u64, readers[i].wrong, 0));
    }
    unload(&l);
}

/* ---- culling ---- */

Test(runtime, any_number_of_species__the_chunks_are_walked_once)
{
    struct loaded l;
    load_field(&l, &field_large, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    for (int i = 0; i < 3; i++) {
        const struct vxb_cull_result *r = cull(culler, &everything, NULL);
        cr_assert(eq(u32, r->passes_over_chunks, 1));
        cr_assert(eq(u64, r->total.chunks_tested, 48));
        cr_assert(eq(u64, r->total.chunks_visible, 48));
    }
    vxb_culler_free(culler);
    unload(&l);
}

static void check_sums(const struct vxb_cull_result *r, uint32_t sections)
{
    struct vxb_cull_counts sum = {0};
    for (uint32_t k = 0; k < sections; k++) {
        sum.chunks_tested += r->sections[k].chunks_tested;
        sum.chunks_visible += r->sections[k].chunks_visible;
        sum.blades += r->sections[k].blades;
        cr_assert(eq(u64, r->first_command[k], sum.commands));
        sum.commands += r->sections[k].commands;
        sum.refused += r->sections[k].refused;
    }
    cr_assert(memcmp(&sum, &r->total, sizeof sum) == 0);
}

/* Commands are those of every visible chunk that has an LOD and an instance, once a pass: found here chunk by chunk. */
static void check_commands(const struct loaded *l, const struct vxb_view *view, const struct vxb_cull_result *r)
{
    uint32_t chunks, at = 0;
    uint64_t wanted = 0;
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l->runtime, &chunks);
    const float size = vxb_grass_header(l->grass)->cell_size;
    uint32_t *seen = calloc(chunks, sizeof *seen);
    for (uint32_t b = 0; b < r->batch_count; b++) {
        const struct vxb_draw_batch *batch = &r->batches[b];
        const struct vxb_runtime_section *s = vxb_runtime_section(l->runtime, batch->section);
        const struct vxb_grass_lod *lod = vxb_grass_lod(l->grass, s->first_lod + batch->lod);
        cr_assert(eq(u32, batch->first_command, at));
        cr_assert(gt(u32, batch->command_count, 0));
        if (b > 0) {
            const struct vxb_draw_batch *p = batch - 1;
            cr_assert(p->section * 100 + p->pass * 10 + p->lod < batch->section * 100 + batch->pass * 10 + batch->lod);
        }
        for (uint32_t i = 0; i < batch->command_count; i++, at++) {
            const struct vxb_draw_command *command = &r->commands[at];
            const struct vxb_grass_chunk *chunk = &all[r->chunks[at]];
            cr_assert(eq(u32, chunk->section, batch->section));
            cr_assert(eq(u32, command->index_count, lod->index_count));
            cr_assert(eq(u32, command->first_index, lod->first_index));
            cr_assert(eq(i32, command->vertex_offset, lod->vertex_offset));
            if (i > 0)
                cr_assert(lt(u32, r->chunks[at - 1], r->chunks[at]));
            seen[r->chunks[at]]++;
        }
    }
    cr_assert(eq(u64, r->total.commands, at));
    for (uint32_t c = 0; c < chunks; c++) {
        const struct vxb_grass_chunk *chunk = &all[c];
        const struct vxb_runtime_section *s = vxb_runtime_section(l->runtime, chunk->section);
        float grow = chunk->max_scale * s->radius, d = 0.0f;
        float low[3] = {(float)chunk->cell_x * size - grow, chunk->min_y - grow, (float)chunk->cell_z * size - grow};
        float high[3] = {(float)chunk->cell_x * size + size + grow, chunk->max_y + grow,
                         (float)chunk->cell_z * size + size + grow};
        for (int i = 0; i < 3; i++) {
            float e = fmaxf(fmaxf(low[i] - view->position[i], view->position[i] - high[i]), 0.0f);
            d += e * e;
        }
        d = sqrtf(d);
        bool visible = d <= view->range;
        for (uint32_t p = 0; p < view->plane_count; p++) {
            bool any = false; /* a corner inside */
            for (int corner = 0; corner < 8; corner++) {
                float sum = view->planes[p].d;
                for (int i = 0; i < 3; i++)
                    sum += view->planes[p].normal[i] * (corner >> i & 1 ? high[i] : low[i]);
                any = any || !(sum < 0.0f);
            }
            visible = visible && any;
        }
        uint32_t instances = 0;
        for (uint32_t k = 0; k < s->lod_count && visible; k++) {
            const struct vxb_grass_lod *lod = vxb_grass_lod(l->grass, s->first_lod + k);
            if (lod->distance < d)
                continue;
            uint8_t raw[64 * VXB_GRASS_RECORD_BYTES];
            uint64_t end = (uint64_t)(uint32_t)rintf(lod->keep * view->density * 65536.0f) * (s->rank_limit + 1u) >> 16;
            cr_assert(eq(int, vxb_grass_read_chunk(l->grass, chunk, raw, sizeof raw, NULL, NULL), VXB_OK));
            for (uint32_t i = 0; i < chunk->blade_count; i++)
                instances += vxbi_load_u16(raw + i * 16 + 14) < end;
            break;
        }
        cr_assert(eq(u32, seen[c], instances > 0 ? s->pass_count : 0), "chunk %u", (unsigned)c);
        for (uint32_t i = 0; i < at; i++)
            if (r->chunks[i] == c) {
                cr_assert(eq(u32, r->commands[i].instance_count, instances));
                cr_assert(eq(u32, r->commands[i].first_instance, chunk->first_blade));
            }
        wanted += instances > 0 ? s->pass_count : 0;
    }
    cr_assert(eq(u64, r->total.commands, wanted));
    free(seen);
}

Test(runtime, random_views__commands_are_those_of_the_rules_written_plainly)
{
    struct loaded l;
    uint32_t state = 5;
    uint64_t commands = 0;
    load_field(&l, &field_large, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    for (int i = 0; i < 60; i++) {
        struct vxb_view view = random_view(&state);
        const struct vxb_cull_result *r = cull(culler, &view, NULL);
        check_sums(r, 4);
        check_commands(&l, &view, r);
        commands += r->total.commands;
    }
    cr_assert(gt(u64, commands, 100));
    vxb_culler_free(culler);
    unload(&l);
}

Test(runtime, max_commands__the_farthest_are_refused_with_all_their_passes)
{
    struct loaded l, whole;
    uint32_t state = 77;
    for (uint32_t max = 0; max < 60; max += 7) {
        load_field(&l, &field_large, max, NULL);
        load_field(&whole, &field_large, UINT32_MAX, NULL);
        struct vxb_culler *culler = culler_of(&l), *all = culler_of(&whole);
        for (int i = 0; i < 10; i++) {
            struct vxb_view view = random_view(&state);
            view.range = INFINITY;
            const struct vxb_cull_result *limited = cull(culler, &view, NULL), *r = cull(all, &view, NULL);
            check_sums(limited, 4);
            cr_assert(le(u64, limited->total.commands, max));
            cr_assert(eq(u64, limited->total.commands + limited->total.refused, r->total.commands));
            /* At most what one chunk would have needed is left over. */
            if (limited->total.refused > 0)
                cr_assert(gt(u64, limited->total.commands + 2, max));
            /* What is drawn is drawn as it would be without a limit, in the same order. */
            uint32_t j = 0;
            for (uint32_t k = 0; k < limited->total.commands; k++, j++) {
                while (j < r->total.commands && (r->chunks[j] != limited->chunks[k] ||
                                                 memcmp(&r->commands[j], &limited->commands[k], 20) != 0))
                    j++;
                cr_assert(lt(u64, j, r->total.commands));
            }
        }
        vxb_culler_free(culler);
        vxb_culler_free(all);
        unload(&l);
        unload(&whole);
    }
}

struct candidate {
    float distance;
    const struct vxb_grass_chunk *chunk;
    uint32_t index, passes;
};

static int nearer(const void *pa, const void *pb)
{
    const struct candidate *a = pa, *b = pb;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->chunk->cell_z != b->chunk->cell_z)
        return a->chunk->cell_z < b->chunk->cell_z ? -1 : 1;
    if (a->chunk->cell_x != b->chunk->cell_x)
        return a->chunk->cell_x < b->chunk->cell_x ? -1 : 1;
    return a->chunk->section < b->chunk->section ? -1 : 1;
}

/* Of what would be drawn without a limit, by distance, z, x and section, until a chunk's passes do not fit. On the
 * grid's corners and middles many chunks are as far as others. */
Test(runtime, max_commands__the_nearest_are_those_of_the_rule_written_plainly)
{
    struct loaded l, whole;
    load_field(&whole, &field_large, UINT32_MAX, NULL);
    struct vxb_culler *all = culler_of(&whole);
    const float size = vxb_grass_header(whole.grass)->cell_size;
    for (uint32_t max = 0; max < 60; max += 3) {
        load_field(&l, &field_large, max, NULL);
        struct vxb_culler *culler = culler_of(&l);
        for (int place = 0; place < 6; place++) {
            struct vxb_view view = everything;
            struct candidate list[64];
            uint32_t n = 0, taken = 0, kept = 0, chunk_count;
            uint64_t drawn = 0;
            view.position[0] = size * 0.5f * (float)(place % 3);
            view.position[2] = size * 0.5f * (float)(place / 3);
            const struct vxb_grass_chunk *chunks = vxb_runtime_chunks(whole.runtime, &chunk_count);
            const struct vxb_cull_result *r = cull(all, &view, NULL), *limited = cull(culler, &view, NULL);
            for (uint32_t c = 0; c < chunk_count; c++) {
                uint32_t passes = 0;
                for (uint32_t i = 0; i < r->total.commands; i++)
                    passes += r->chunks[i] == c;
                const struct vxb_runtime_section *s = vxb_runtime_section(whole.runtime, chunks[c].section);
                const float grow = chunks[c].max_scale * s->radius;
                const float low[3] = {(float)chunks[c].cell_x * size - grow, chunks[c].min_y - grow,
                                      (float)chunks[c].cell_z * size - grow};
                const float high[3] = {(float)chunks[c].cell_x * size + size + grow, chunks[c].max_y + grow,
                                       (float)chunks[c].cell_z * size + size + grow};
                float square = 0.0f;
                for (int i = 0; i < 3; i++) {
                    float d = fmaxf(fmaxf(low[i] - view.position[i], view.position[i] - high[i]), 0.0f);
                    square += d * d;
                }
                if (passes > 0)
                    list[n++] = (struct candidate){sqrtf(square), &chunks[c], c, passes};
            }
            qsort(list, n, sizeof *list, nearer);
            while (kept < n && taken + list[kept].passes <= max)
                taken += list[kept++].passes;
            for (uint32_t k = 0; k < kept; k++) {
                uint32_t commands = 0;
                for (uint32_t i = 0; i < limited->total.commands; i++)
                    commands += limited->chunks[i] == list[k].index;
                cr_assert(eq(u32, commands, list[k].passes), "at most %u, place %d", (unsigned)max, place);
                drawn += commands;
            }
            cr_assert(eq(u64, limited->total.commands, drawn));
            cr_assert(eq(u64, limited->total.refused, r->total.commands - drawn));
        }
        vxb_culler_free(culler);
        unload(&l);
    }
    vxb_culler_free(all);
    unload(&whole);
}

Test(runtime, density_slider__instances_are_the_ranks_counted)
{
    uint32_t state = 3;
    uint16_t ranks[200];
    for (int round = 0; round < 300; round++) {
        uint16_t limit = (uint16_t)draw(&state), last = 0;
        uint32_t n = draw(&state) % 200, wanted = 0;
        for (uint32_t i = 0; i < n; i++)
            ranks[i] = last = last + 400u > limit ? limit : (uint16_t)(last + draw(&state) % 400u);
        float keep = round % 7 ? between(&state, 0, 1) : 1.0f, d = round % 5 ? between(&state, 0, 1) : 1.0f;
        uint64_t end = (uint64_t)(uint32_t)rintf(keep * d * 65536.0f) * ((uint64_t)limit + 1) >> 16;
        for (uint32_t i = 0; i < n; i++)
            wanted += ranks[i] < end;
        cr_assert(eq(u32, vxb_rank_prefix(ranks, n, keep, d, limit), wanted));
    }
    /* The whole chunk at 1, nothing at 0, and nothing undefined beyond. */
    ranks[0] = 0;
    ranks[1] = 65535;
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, 1.0f, 1.0f, 65535), 2));
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, 1.0f, 0.0f, 65535), 0));
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, 1e30f, 1e30f, 65535), 2));
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, -1.0f, 1.0f, 65535), 0));
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, NAN, 1.0f, 65535), 0));
}

Test(runtime, beyond_the_last_lod__visible_and_nothing_drawn)
{
    struct loaded l;
    struct vxb_view view = everything;
    load_field(&l, &test_field_3, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    view.position[0] = 5000.0f; /* the first section's LODs end at 80 m, the last one's never */
    const struct vxb_cull_result *r = cull(culler, &view, NULL);
    cr_assert(eq(u64, r->sections[0].chunks_visible, 3));
    cr_assert(eq(u64, r->sections[0].commands, 0));
    cr_assert(gt(u64, r->sections[1].commands, 0));
    vxb_culler_free(culler);
    unload(&l);
}

Test(runtime, view_out_of_range__refused)
{
    struct loaded l;
    load_field(&l, &test_field_2, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    struct vxb_view bad[6];
    const struct vxb_cull_result *r = NULL;
    for (int i = 0; i < 6; i++)
        bad[i] = everything;
    bad[0].position[1] = NAN;
    bad[1].range = -1.0f;
    bad[2].range = NAN;
    bad[3].density = 1.5f;
    bad[4].plane_count = 7;
    bad[5].plane_count = 1; /* a zero normal */
    for (int i = 0; i < 6; i++)
        cr_assert(eq(int, vxb_cull(culler, &bad[i], NULL, &r, NULL), VXB_ERR_USAGE), "case %d", i);
    vxb_culler_free(culler);
    unload(&l);
}

/* ---- with a ring ---- */

Test(runtime, ring__only_resident_cells_are_drawn_from_their_slots)
{
    struct loaded l;
    uint32_t chunks;
    load_field(&l, &field_large, UINT32_MAX, NULL);
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunks);
    const struct vxb_ring_grid grid = vxb_runtime_grid(l.runtime);
    struct vxb_ring *ring = NULL;
    struct vxb_culler *culler = culler_of(&l);
    const float view[3] = {1.0f, 0.0f, 1.0f};
    cr_assert(eq(int, vxb_ring_new(NULL, &grid, 5, &ring, NULL), VXB_OK));
    cr_assert(eq(u64, cull(culler, &everything, ring)->total.chunks_tested, 0));
    cr_assert(eq(int, vxb_ring_update(ring, view, 1000.0f, NULL, NULL), VXB_OK));
    cr_assert(eq(u32, vxb_ring_count(ring), 5));
    cr_assert(eq(u32, vxb_ring_count(ring) + vxb_ring_refused(ring), vxb_runtime_cell_count(l.runtime)));
    const struct vxb_cull_result *r = cull(culler, &everything, ring);
    check_sums(r, 4);
    cr_assert(eq(u64, r->total.chunks_tested, 20));
    for (uint32_t i = 0; i < r->total.commands; i++) {
        const struct vxb_grass_chunk *chunk = &all[r->chunks[i]];
        uint32_t slot, place = 0;
        cr_assert(vxb_ring_try_slot(ring, chunk->cell_x, chunk->cell_z, &slot));
        for (uint32_t c = 0; c < r->chunks[i]; c++)
            if (all[c].cell_x == chunk->cell_x && all[c].cell_z == chunk->cell_z)
                place += all[c].blade_count;
        cr_assert(eq(u32, r->commands[i].first_instance, slot * vxb_runtime_slot_blades(l.runtime) + place));
        cr_assert(le(u32, place + chunk->blade_count, vxb_runtime_slot_blades(l.runtime)));
    }
    vxb_ring_free(ring);
    vxb_culler_free(culler);
    unload(&l);
}

/* Cells far and near on both sides of 0, in rows that end anywhere. */
static struct test_file scattered_file(uint32_t *state)
{
    enum { CELLS = 500 };
    struct old_chunk *chunks = calloc(CELLS, sizeof *chunks);
    struct old_blade *blades = calloc(CELLS * 3, sizeof *blades);
    uint32_t n = 0, blade_count = 0;
    while (n < CELLS) {
        struct old_chunk c = {(int32_t)(draw(state) % 300) - 150, (int32_t)(draw(state) % 40) - 20, 1 + draw(state) % 3};
        bool known = false;
        for (uint32_t i = 0; i < n; i++)
            known = known || (chunks[i].x == c.x && chunks[i].z == c.z);
        if (known)
            continue;
        for (uint32_t i = 0; i < c.blades; i++)
            blades[blade_count++] = (struct old_blade){.x = 4.0f * (float)c.x + 1.0f, .z = 4.0f * (float)c.z + 1.0f,
                                                       .scale = 1.0f};
        chunks[n++] = c;
    }
    struct test_file file = old_file(4.0f, chunks, CELLS, blades, blade_count);
    free(chunks);
    free(blades);
    return file;
}

/* Those of the cull without a ring whose cells are resident, in the same order, from their slots. */
static void check_resident_commands(const struct loaded *l, const struct vxb_ring *ring,
                                    const struct vxb_cull_result *all, const struct vxb_cull_result *r)
{
    uint32_t chunk_count, at = 0;
    const struct vxb_grass_chunk *chunks = vxb_runtime_chunks(l->runtime, &chunk_count);
    for (uint32_t i = 0; i < all->total.commands; i++) {
        struct vxb_draw_command command = all->commands[i];
        const struct vxb_grass_chunk *chunk = &chunks[all->chunks[i]];
        uint32_t slot;
        if (!vxb_ring_try_slot(ring, chunk->cell_x, chunk->cell_z, &slot))
            continue;
        command.first_instance = slot * vxb_runtime_slot_blades(l->runtime);
        cr_assert(lt(u64, at, r->total.commands));
        cr_assert(eq(u32, r->chunks[at], all->chunks[i]));
        cr_assert(memcmp(&command, &r->commands[at], sizeof command) == 0);
        at++;
    }
    cr_assert(eq(u64, at, r->total.commands));
}

/* A ring over the field's own cells, or one over all. */
Test(runtime, random_rings__commands_are_those_of_the_resident_cells)
{
    struct loaded l;
    uint32_t state = 11;
    uint64_t drawn = 0;
    load_file(&l, scattered_file(&state), NULL);
    struct vxb_culler *culler = culler_of(&l), *whole = culler_of(&l);
    for (int turn = 0; turn < 40; turn++) {
        struct vxb_ring_grid grid = vxb_runtime_grid(l.runtime);
        struct vxb_ring *ring = NULL;
        if (turn % 2)
            grid.holds = NULL;
        cr_assert(eq(int, vxb_ring_new(NULL, &grid, 1 + draw(&state) % 400, &ring, NULL), VXB_OK));
        for (int i = 0; i < 10; i++) {
            struct vxb_view view = {.position = {between(&state, -620, 620), 2.0f, between(&state, -90, 90)},
                                    .range = between(&state, 0, 300), .density = 1.0f};
            cr_assert(eq(int, vxb_ring_update(ring, view.position, between(&state, 0, 300), NULL, NULL), VXB_OK));
            const struct vxb_cull_result *r = cull(culler, &view, ring), *all = cull(whole, &view, NULL);
            check_sums(r, 1);
            cr_assert(eq(u32, r->passes_over_chunks, 1));
            cr_assert(le(u64, r->total.chunks_tested, vxb_ring_count(ring)));
            check_resident_commands(&l, ring, all, r);
            drawn += r->total.commands;
        }
        vxb_ring_free(ring);
    }
    cr_assert(gt(u64, drawn, 1000));
    vxb_culler_free(culler);
    vxb_culler_free(whole);
    unload(&l);
}

/* Once the first instance wrapped around. */
Test(runtime, ring_of_more_blades_than_a_command_can_name__refused)
{
    enum { BLADES = 4097 };
    static const struct old_chunk chunk = {0, 0, BLADES};
    struct old_blade *blades = calloc(BLADES, sizeof *blades);
    struct loaded l;
    for (int i = 0; i < BLADES; i++)
        blades[i] = (struct old_blade){.x = 1.0f, .z = 1.0f, .scale = 1.0f};
    load_file(&l, old_file(32.0f, &chunk, 1, blades, BLADES), NULL);
    free(blades);
    cr_assert(eq(u32, vxb_runtime_slot_blades(l.runtime), BLADES));
    const uint32_t most = (uint32_t)(((uint64_t)1 << 32) / BLADES);
    struct vxb_culler *culler = culler_of(&l);
    for (uint32_t capacity = most; capacity <= most + 1; capacity++) {
        const struct vxb_ring_grid grid = vxb_runtime_grid(l.runtime);
        const struct vxb_cull_result *r = NULL;
        struct vxb_ring *ring = NULL;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_ring_new(NULL, &grid, capacity, &ring, NULL), VXB_OK));
        cr_assert(eq(int, vxb_cull(culler, &everything, ring, &r, &err), capacity > most ? VXB_ERR_LIMIT : VXB_OK));
        cr_assert(capacity <= most || strstr(err.message, "at most 1048320 slots") != NULL, "%s", err.message);
        vxb_ring_free(ring);
    }
    vxb_culler_free(culler);
    unload(&l);
}

/* ---- memory ---- */

Test(runtime, no_memory__status_and_nothing_left)
{
    struct loaded l;
    open_field(&l, &field_packed, UINT32_MAX);
    for (size_t nth = 1;; nth++) {
        struct counted counted = {.fail_at = nth};
        const struct vxb_env env = counted_env(&counted);
        struct vxb_culler *culler = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = vxb_runtime_load(&env, l.grass, NULL, &l.runtime, &err);
        if (status == VXB_OK)
            status = vxb_culler_new(&env, l.runtime, &culler, &err);
        if (status == VXB_OK) {
            uint8_t records[4 * 64 * VXB_RUNTIME_RECORD_BYTES];
            uint32_t chunks, blades;
            const struct vxb_grass_chunk *first = vxb_runtime_chunks(l.runtime, &chunks);
            status = vxb_runtime_read_cell(l.runtime, first->cell_x, first->cell_z, records, sizeof records, &blades,
                                           NULL, &err);
        }
        vxb_culler_free(culler);
        vxb_runtime_free(l.runtime);
        l.runtime = NULL;
        cr_assert(eq(sz, counted.bytes, 0));
        if (status == VXB_OK)
            break;
        cr_assert(eq(int, status, VXB_ERR_MEMORY));
        cr_assert(lt(sz, nth, 100));
    }
    unload(&l);
}
