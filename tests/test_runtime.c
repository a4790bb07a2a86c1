/* A loaded field: ranges, records, one culling pass, commands, and the same limited by a ring. */
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
    /* The whole chunk at 1, nothing at 0. */
    ranks[0] = 0;
    ranks[1] = 65535;
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, 1.0f, 1.0f, 65535), 2));
    cr_assert(eq(u32, vxb_rank_prefix(ranks, 2, 1.0f, 0.0f, 65535), 0));
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

/* ---- memory ---- */

struct counted {
    size_t calls, fail_at, bytes;
};

static void *counted_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct counted *counted = user;
    if (++counted->calls == counted->fail_at)
        return NULL;
    counted->bytes += new_size - old_size;
    return realloc(block, new_size);
}

static void counted_release(void *user, void *block, size_t size)
{
    struct counted *counted = user;
    counted->bytes -= block ? size : 0;
    free(block);
}

Test(runtime, no_memory__status_and_nothing_left)
{
    struct loaded l;
    open_field(&l, &field_packed, UINT32_MAX);
    for (size_t nth = 1;; nth++) {
        struct counted counted = {.fail_at = nth};
        const struct vxb_env env = {.size = sizeof env, .allocator = {&counted, counted_resize, counted_release}};
        struct vxb_culler *culler = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = vxb_runtime_load(&env, l.grass, NULL, &l.runtime, &err);
        if (status == VXB_OK)
            status = vxb_culler_new(&env, l.runtime, &culler, &err);
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
