/* A loaded field: ranges, records, cells, what is refused, and threads. */
#include <pthread.h>

#include "heap.h"
#include "loaded_field.h"

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
    cr_assert(lt(u32, 0, seen));
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

/* ---- memory ---- */

Test(runtime, no_memory__status_and_nothing_left)
{
    struct loaded l;
    open_field(&l, &field_packed, UINT32_MAX);
    for (size_t nth = 1;; nth++) {
        struct heap heap = {.fail_at = nth, .once = true};
        const struct vxb_env env = heap_env(&heap);
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
        cr_assert(eq(u64, heap.now, 0));
        if (status == VXB_OK)
            break;
        cr_assert(eq(int, status, VXB_ERR_MEMORY));
        cr_assert(lt(sz, nth, 100));
    }
    unload(&l);
}
