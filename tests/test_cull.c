/* One culling pass over a loaded field, its commands, and the same limited by a ring. */
#include "loaded_field.h"

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

/* ---- the pass ---- */

Test(cull, any_number_of_species__the_chunks_are_walked_once)
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

/* Each chunk's commands are counted in seen. */
static void check_batch(const struct loaded *l, const struct vxb_cull_result *r, const struct vxb_draw_batch *batch,
                        uint32_t *seen)
{
    uint32_t chunks;
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l->runtime, &chunks);
    const struct vxb_runtime_section *s = vxb_runtime_section(l->runtime, batch->section);
    const struct vxb_grass_lod *lod = vxb_grass_lod(l->grass, s->first_lod + batch->lod);
    for (uint32_t i = 0, at = batch->first_command; i < batch->command_count; i++, at++) {
        const struct vxb_draw_command *command = &r->commands[at];
        cr_assert(eq(u32, all[r->chunks[at]].section, batch->section));
        cr_assert(eq(u32, command->index_count, lod->index_count));
        cr_assert(eq(u32, command->first_index, lod->first_index));
        cr_assert(eq(i32, command->vertex_offset, lod->vertex_offset));
        if (i > 0)
            cr_assert(lt(u32, r->chunks[at - 1], r->chunks[at]));
        seen[r->chunks[at]]++;
    }
}

/* Batches follow each other, in order of section, pass and LOD. */
static void check_batches(const struct loaded *l, const struct vxb_cull_result *r, uint32_t *seen)
{
    uint32_t at = 0;
    for (uint32_t b = 0; b < r->batch_count; b++) {
        const struct vxb_draw_batch *batch = &r->batches[b], *p = batch - 1;
        cr_assert(eq(u32, batch->first_command, at));
        cr_assert(lt(u32, 0, batch->command_count));
        if (b > 0)
            cr_assert(p->section * 100 + p->pass * 10 + p->lod < batch->section * 100 + batch->pass * 10 + batch->lod);
        check_batch(l, r, batch, seen);
        at += batch->command_count;
    }
    cr_assert(eq(u64, r->total.commands, at));
}

/* Whether a box is in range, and no plane has all its corners behind it; *distance to the view. */
static bool is_visible(const struct vxb_view *view, const float low[3], const float high[3], float *distance)
{
    float d = 0.0f;
    for (int i = 0; i < 3; i++) {
        float e = fmaxf(fmaxf(low[i] - view->position[i], view->position[i] - high[i]), 0.0f);
        d += e * e;
    }
    *distance = sqrtf(d);
    bool visible = *distance <= view->range;
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
    return visible;
}

/* Blades that the LOD at this distance keeps. */
static uint32_t instances_of(const struct loaded *l, const struct vxb_runtime_section *s,
                             const struct vxb_grass_chunk *chunk, float distance, float density)
{
    uint8_t raw[64 * VXB_GRASS_RECORD_BYTES];
    uint32_t k = 0, instances = 0;
    while (k < s->lod_count && vxb_grass_lod(l->grass, s->first_lod + k)->distance < distance)
        k++;
    if (k == s->lod_count)
        return 0;
    const float keep = vxb_grass_lod(l->grass, s->first_lod + k)->keep;
    const uint64_t end = (uint64_t)(uint32_t)rintf(keep * density * 65536.0f) * (s->rank_limit + 1u) >> 16;
    cr_assert(eq(int, vxb_grass_read_chunk(l->grass, chunk, raw, sizeof raw, NULL, NULL), VXB_OK));
    for (uint32_t i = 0; i < chunk->blade_count; i++)
        instances += vxbi_load_u16(raw + i * 16 + 14) < end;
    return instances;
}

/* Commands are those of every visible chunk that has an LOD and an instance, once a pass: found here chunk by chunk. */
static void check_commands(const struct loaded *l, const struct vxb_view *view, const struct vxb_cull_result *r)
{
    uint32_t chunks;
    uint64_t wanted = 0;
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l->runtime, &chunks);
    const float size = vxb_grass_header(l->grass)->cell_size;
    uint32_t *seen = calloc(chunks, sizeof *seen);
    check_batches(l, r, seen);
    for (uint32_t c = 0; c < chunks; c++) {
        const struct vxb_grass_chunk *chunk = &all[c];
        const struct vxb_runtime_section *s = vxb_runtime_section(l->runtime, chunk->section);
        float grow = chunk->max_scale * s->radius, distance;
        float low[3] = {(float)chunk->cell_x * size - grow, chunk->min_y - grow, (float)chunk->cell_z * size - grow};
        float high[3] = {(float)chunk->cell_x * size + size + grow, chunk->max_y + grow,
                         (float)chunk->cell_z * size + size + grow};
        const bool visible = is_visible(view, low, high, &distance);
        const uint32_t instances = visible ? instances_of(l, s, chunk, distance, view->density) : 0;
        cr_assert(eq(u32, seen[c], instances > 0 ? s->pass_count : 0), "chunk %u", (unsigned)c);
        for (uint64_t i = 0; i < r->total.commands; i++)
            if (r->chunks[i] == c) {
                cr_assert(eq(u32, r->commands[i].instance_count, instances));
                cr_assert(eq(u32, r->commands[i].first_instance, chunk->first_blade));
            }
        wanted += instances > 0 ? s->pass_count : 0;
    }
    cr_assert(eq(u64, r->total.commands, wanted));
    free(seen);
}

Test(cull, random_views__commands_are_those_of_the_rules_written_plainly)
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
    cr_assert(lt(u64, 100, commands));
    vxb_culler_free(culler);
    unload(&l);
}

/* From straight beside each chunk, as far as each of its LODs goes, and as far as the view does: up to there and with
 * it, and no farther. */
Test(cull, chunk_at_the_end_of_a_lod__is_drawn_as_that_one)
{
    struct loaded l;
    uint32_t chunks, exact = 0;
    load_field(&l, &field_large, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    const struct vxb_grass_chunk *all = vxb_runtime_chunks(l.runtime, &chunks);
    const float size = vxb_grass_header(l.grass)->cell_size;
    for (uint32_t c = 0; c < chunks; c++) {
        const struct vxb_grass_chunk *chunk = &all[c];
        const struct vxb_runtime_section *s = vxb_runtime_section(l.runtime, chunk->section);
        const float high = (float)chunk->cell_x * size + size + chunk->max_scale * s->radius;
        for (uint32_t k = 0; k < s->lod_count; k++) {
            const float distance = vxb_grass_lod(l.grass, s->first_lod + k)->distance;
            struct vxb_view view = {.position = {high + distance, chunk->min_y, ((float)chunk->cell_z + 0.5f) * size},
                                    .range = distance, .density = 1.0f};
            if (isinf(distance))
                continue;
            exact += view.position[0] - high == distance;
            check_commands(&l, &view, cull(culler, &view, NULL));
            view.position[0] = nextafterf(view.position[0], INFINITY);
            check_commands(&l, &view, cull(culler, &view, NULL));
        }
    }
    cr_assert(lt(u32, 10, exact));
    vxb_culler_free(culler);
    unload(&l);
}

Test(cull, max_commands__the_farthest_are_refused_with_all_their_passes)
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
                cr_assert(lt(u64, max, limited->total.commands + 2));
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
Test(cull, max_commands__the_nearest_are_those_of_the_rule_written_plainly)
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

Test(cull, density_slider__instances_are_the_ranks_counted)
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

Test(cull, beyond_the_last_lod__visible_and_nothing_drawn)
{
    struct loaded l;
    struct vxb_view view = everything;
    load_field(&l, &test_field_3, UINT32_MAX, NULL);
    struct vxb_culler *culler = culler_of(&l);
    view.position[0] = 5000.0f; /* the first section's LODs end at 80 m, the last one's never */
    const struct vxb_cull_result *r = cull(culler, &view, NULL);
    cr_assert(eq(u64, r->sections[0].chunks_visible, 3));
    cr_assert(eq(u64, r->sections[0].commands, 0));
    cr_assert(lt(u64, 0, r->sections[1].commands));
    vxb_culler_free(culler);
    unload(&l);
}

Test(cull, view_out_of_range__refused)
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

Test(cull, ring__only_resident_cells_are_drawn_from_their_slots)
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
        struct old_chunk c = {.x = (int32_t)(draw(state) % 300) - 150, .z = (int32_t)(draw(state) % 40) - 20,
                              .blades = 1 + draw(state) % 3};
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
Test(cull, random_rings__commands_are_those_of_the_resident_cells)
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
    cr_assert(lt(u64, 1000, drawn));
    vxb_culler_free(culler);
    vxb_culler_free(whole);
    unload(&l);
}

/* Once the first instance wrapped around. */
Test(cull, ring_of_more_blades_than_a_command_can_name__refused)
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
