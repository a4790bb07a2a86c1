/* Format 1: what its blades become, how its chunks are shown, and that no byte of it is taken without a look. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#include "bad_files.h"
#include "grass/legacy.h"
#include "heap.h"
#include "memory_source.h"
#include "verify/grass.h"

static struct vxb_grass *open_memory(struct memory *m)
{
    const struct vxb_source source = memory_source(m);
    struct vxb_grass *grass = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &source, "memory", &grass, &err), VXB_OK), "%s", err.message);
    return grass;
}

static enum vxb_status read_all(const struct vxb_env *env, struct memory *m, struct vxb_error *err)
{
    const struct vxb_source source = memory_source(m);
    struct vxb_grass *grass = NULL;
    struct vxb_grass_scratch *scratch = NULL;
    uint8_t records[64 * VXB_GRASS_RECORD_BYTES];
    enum vxb_status status = vxb_grass_open_source(env, &source, "memory", &grass, err);
    for (uint32_t j = 0; !status && j < vxb_grass_header(grass)->chunk_count; j++) {
        struct vxb_grass_chunk chunk;
        status = vxb_grass_chunks(grass, j, 1, &chunk, err);
        if (!status)
            status = vxb_grass_read_chunk(grass, &chunk, records, sizeof records, &scratch, err);
    }
    vxb_grass_scratch_free(scratch);
    vxb_grass_close(grass);
    return status;
}

Test(legacy, file__is_one_default_species_with_chunks_in_order)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    struct vxb_grass *grass = open_memory(&m);
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    const struct vxb_grass_section *s = vxb_grass_section(grass, 0);
    struct vxb_grass_chunk chunks[4];
    uint32_t blades = 0;
    cr_assert(eq(u32, h->format, 1));
    cr_assert(h->section_count == 1 && h->chunk_count == 4 && h->blade_count == 4 + 5 + 7 + 8 && h->lod_count == 1);
    cr_assert(h->bake_revision == 0 && h->seed == 0 && h->density == 0.0f && h->bake_id == 0);
    cr_assert(h->max_commands == UINT32_MAX && h->updates_per_frame == UINT32_MAX && h->blade_budget == UINT32_MAX);
    cr_assert(s->species_id == 0 && s->material_index == 0 && s->lod_count == 1 && s->pass_count == 1);
    cr_assert(s->name[0] == 0 && s->material[0] == 0 && s->mesh[0] == 0);
    cr_assert(eq(str, (char *)s->passes[0], (char *)"main"));
    cr_assert(eq(u16, s->rank_limit, 65535));
    cr_assert(isinf(vxb_grass_lod(grass, 0)->distance) && vxb_grass_lod(grass, 0)->keep == 1.0f &&
              vxb_grass_lod(grass, 0)->mesh_radius == 0.0f);
    cr_assert(eq(int, vxb_grass_chunks(grass, 0, 4, chunks, NULL), VXB_OK));
    const int32_t cells[4][2] = {{-2, -1}, {-1, -1}, {-1, 0}, {1, 0}};
    for (int j = 0; j < 4; j++) {
        cr_assert(chunks[j].cell_x == cells[j][0] && chunks[j].cell_z == cells[j][1]);
        cr_assert(eq(u32, chunks[j].first_blade, blades));
        blades += chunks[j].blade_count;
    }
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(legacy, empty_field__has_no_chunk_and_rank_limit_0)
{
    struct memory m = {test_field_make(&test_field_1_empty), -1};
    struct vxb_grass *grass = open_memory(&m);
    cr_assert(eq(u32, vxb_grass_header(grass)->chunk_count, 0));
    cr_assert(eq(u16, vxb_grass_section(grass, 0)->rank_limit, 0));
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(legacy, find__finds_every_cell_with_blades_and_no_other)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    struct vxb_grass *grass = open_memory(&m);
    int hits = 0;
    for (int32_t z = -3; z < 4; z++)
        for (int32_t x = -3; x < 4; x++) {
            struct vxb_grass_chunk chunk, there;
            bool found;
            uint32_t index;
            cr_assert(eq(int, vxb_grass_find(grass, 0, x, z, &found, &index, &chunk, NULL), VXB_OK));
            if (!found)
                continue;
            hits++;
            cr_assert(eq(int, vxb_grass_chunks(grass, index, 1, &there, NULL), VXB_OK));
            cr_assert(there.cell_x == x && there.cell_z == z && chunk.hash == there.hash);
        }
    cr_assert(eq(int, hits, 4));
    vxb_grass_close(grass);
    free(m.file.data);
}

/* Every record against the stored blade it was made from, in an order of rank that keeps equal ones as they stood. */
Test(legacy, records__are_the_blades_within_half_a_quantum_by_rank)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    struct vxb_grass *grass = open_memory(&m);
    const double pi = 3.14159265358979323846;
    for (uint32_t j = 0; j < 4; j++) {
        struct vxb_grass_chunk chunk;
        uint8_t records[64 * VXB_GRASS_RECORD_BYTES], used[64] = {0};
        int64_t before = -1;
        uint16_t rank_before = 0;
        cr_assert(eq(int, vxb_grass_chunks(grass, j, 1, &chunk, NULL), VXB_OK));
        cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records, NULL, NULL), VXB_OK));
        cr_assert(eq(u64, chunk.hash, vxbi_hash(records, (size_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES)));
        for (uint32_t i = 0; i < chunk.blade_count; i++) {
            struct vxb_blade b;
            vxb_grass_decode(vxb_grass_header(grass), &chunk, records + 16 * i, &b);
            cr_assert(b.up[0] == 0.0 && b.up[1] == 1.0 && b.up[2] == 0.0);
            int64_t is = -1;
            for (uint32_t k = 0; k < chunk.blade_count && is < 0; k++) {
                struct vxbi_legacy_blade a;
                vxbi_legacy_get_blade(m.file.data + chunk.data_offset + 32 * k, &a);
                double turn = fabs(a.yaw - b.yaw), phase = fabs(a.phase - b.phase);
                if (!used[k] && fabs(a.x - b.x) <= 16.0 / 65536 && fabs(a.z - b.z) <= 16.0 / 65536 &&
                    fabs(a.y - b.y) <= (chunk.max_y - chunk.min_y) / 131070.0 * 1.001 &&
                    fmin(turn, 2 * pi - turn) <= pi / 65536 * 1.001 &&
                    fmin(phase, 2 * pi - phase) <= pi / 256 * 1.001 &&
                    fabs(a.scale - b.scale) <= a.scale / 2048 && fabs(a.tint - b.tint) <= 0.5 / 256 * 1.001 &&
                    a.rank == b.rank)
                    is = k;
            }
            cr_assert(ge(i64, is, 0), "chunk %u, record %u is no blade of the file", j, i);
            used[is] = 1;
            cr_assert(ge(u16, b.rank_code, rank_before));
            cr_assert(b.rank_code > rank_before || is > before, "equal ranks changed places");
            before = is;
            rank_before = b.rank_code;
        }
    }
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(legacy, pack__rounds_as_the_format_says_at_the_ends_of_each_range)
{
    const struct vxb_grass_chunk chunk = {.cell_x = -1, .cell_z = 2, .min_y = -4.0f, .max_y = 4.0f};
    uint8_t record[16];
    struct vxbi_record r;
    struct vxbi_legacy_blade b = {-64.0f, -4.0f, 192.0f, VXBI_LEGACY_TURN, 1.0f, 1.0f, VXBI_LEGACY_TURN, 1.0f};
    vxbi_legacy_pack(&b, &chunk, 64.0f, record);
    vxbi_record_get(record, &r);
    cr_assert(r.x == 0 && r.z == 65535 && r.y == 0);          /* the upper side is inside */
    cr_assert(r.yaw == 0 && r.phase == 0);                    /* a whole turn is none */
    cr_assert(r.tint == 255 && r.rank == 65535 && r.scale == 0x3C00);
    cr_assert(r.ox == 0 && r.oz == 0);
    b = (struct vxbi_legacy_blade){0.0f, 4.0f, 128.0f, 3.14159274f, 0x1p-10f, 0.5f, 3.14159274f, 0x1.fffep-1f};
    vxbi_legacy_pack(&b, &chunk, 64.0f, record);
    vxbi_record_get(record, &r);
    cr_assert(r.x == 65535 && r.z == 0 && r.y == 65535);
    cr_assert(r.yaw == 32768 && r.phase == 128 && r.tint == 128 && r.rank == 65535);
}

Test(legacy, unpack__never_leaves_the_cell_and_packs_again_to_the_same_record)
{
    const int32_t cells[] = {0, -1, 1, 15, -16, 1000, -30000};
    const float sizes[] = {1.0f, 1.1f, 32.0f, 33.3f, 1024.0f};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
            const struct vxb_grass_header header = {.cell_size = sizes[s]};
            const struct vxb_grass_chunk chunk = {.cell_x = cells[c], .cell_z = -cells[c], .min_y = -2.5f,
                                                  .max_y = 9.0f};
            const double size = (double)sizes[s];
            if (fabs(cells[c] * size) > 1048576.0)
                continue;
            for (uint32_t q = 0; q < 65536; q += q < 8 || q > 65520 ? 1 : 1021) {
                uint8_t record[16] = {(uint8_t)q, (uint8_t)(q >> 8), (uint8_t)q, (uint8_t)(q >> 8), (uint8_t)q,
                                      (uint8_t)(q >> 8), (uint8_t)q, (uint8_t)(q >> 8), 0, 0x3C, 0, 0, (uint8_t)q,
                                      (uint8_t)q, (uint8_t)q, (uint8_t)(q >> 8)};
                uint8_t again[16];
                struct vxb_blade meant;
                struct vxbi_legacy_blade b;
                vxb_grass_decode(&header, &chunk, record, &meant);
                vxbi_legacy_unpack(&header, &chunk, &meant, &b);
                cr_assert(chunk.cell_x * size <= (double)b.x && (double)b.x < (chunk.cell_x + 1.0) * size);
                cr_assert(chunk.cell_z * size <= (double)b.z && (double)b.z < (chunk.cell_z + 1.0) * size);
                vxbi_legacy_pack(&b, &chunk, sizes[s], again);
                /* Where f32 is finer than the quantum, nothing is lost; and never the codes beside the place. */
                if (fabs(cells[c] * size) + size < size * 64)
                    cr_assert(memcmp(record, again, 6) == 0, "size %g, cell %d, code %u", size, cells[c], q);
                cr_assert(memcmp(record + 4, again + 4, 12) == 0, "size %g, cell %d, code %u", size, cells[c], q);
            }
        }
}

/* ---- damage ---- */

static uint64_t verify_errors(struct memory *m)
{
    const struct vxb_source source = memory_source(m);
    const struct vxb_env env = {.size = sizeof env, .threads = 1};
    struct vxbi_fold fold = {.allocator = vxbi_allocator(NULL)};
    struct vxb_verify_coverage coverage;
    struct vxb_grass *grass = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxbi_verify_grass(&env, NULL, &source, &grass, &fold, &coverage, &err), VXB_OK), "%s",
              err.message);
    uint64_t errors = fold.totals[VXB_SEVERITY_ERROR];
    vxb_grass_close(grass);
    vxbi_fold_clear(&fold);
    return errors;
}

/* Every word of header and table: format 1 has no hash, so what a word says has to be held against everything else. */
Test(legacy, every_word_changed__is_refused_by_verify_or_only_a_cell_without_blades)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    const size_t data = test_file_at(&m.file, BAD_DATA, 0), empty = test_file_at(&m.file, BAD_CHUNK, 2);
    for (size_t at = 0; at < data; at += 4) {
        const uint32_t was = vxbi_load_u32(m.file.data + at);
        const uint32_t values[] = {0, 1, UINT32_MAX, UINT32_MAX - 1, 0x7FFFFFFF, 0x80000000, was + 1, was - 1,
                                   (uint32_t)m.file.size, (uint32_t)m.file.size + 1};
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            if (values[v] == was)
                continue;
            struct vxb_error err = {0};
            vxbi_store_u32(m.file.data + at, values[v]);
            enum vxb_status status = read_all(NULL, &m, &err);
            uint64_t errors = verify_errors(&m);
            bool free_cell = at == empty || at == empty + 4;
            /* One f32 more or less can leave every blade in its cell, and the file says nothing else of the size. */
            bool near_size = at == 48 && (values[v] == was + 1 || values[v] == was - 1);
            cr_assert(errors > 0 || free_cell || near_size, "word at %zu: 0x%x is taken for good", at, values[v]);
            cr_assert(status == VXB_OK || errors > 0);
            vxbi_store_u32(m.file.data + at, was);
        }
    }
    free(m.file.data);
}

Test(legacy, cut_at_any_length__is_an_error)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    const size_t whole = m.file.size;
    uint8_t *all = m.file.data;
    for (m.file.size = 0; m.file.size < whole; m.file.size++) {
        struct vxb_error err = {0};
        m.file.data = malloc(m.file.size + (m.file.size == 0));
        memcpy(m.file.data, all, m.file.size);
        cr_assert(ne(int, read_all(NULL, &m, &err), VXB_OK), "cut to %zu bytes", m.file.size);
        free(m.file.data);
    }
    free(all);
}

Test(legacy, source_that_fails_at_any_read__is_an_io_error)
{
    struct memory m = {test_field_make(&test_field_1), 0};
    struct vxb_error err;
    int reads = 0;
    do {
        vxb_error_clear(&err);
        m.reads_left = reads++;
    } while (read_all(NULL, &m, &err) == VXB_ERR_IO && reads < 1000);
    cr_assert(eq(int, err.status, VXB_OK));
    cr_assert(lt(int, 8, reads));
    free(m.file.data);
}

Test(legacy, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    enum vxb_status status = VXB_ERR_MEMORY;
    uint64_t n = 1;
    for (; n < 200 && status; n++) {
        struct vxb_error err = {0};
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        status = read_all(&env, &m, &err);
        cr_assert(eq(u64, heap.now, 0));
        cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY);
    }
    cr_assert(n > 5 && status == VXB_OK);
    free(m.file.data);
}

Test(legacy, memory__is_bounded_by_the_limit)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 100};
    struct vxb_error err = {0};
    cr_assert(eq(int, read_all(&env, &m, &err), VXB_ERR_LIMIT)); /* the chunk table */
    vxb_error_clear(&err);
    env.max_memory_bytes = 250;
    cr_assert(eq(int, read_all(&env, &m, &err), VXB_ERR_LIMIT)); /* a chunk */
    free(m.file.data);
}

Test(legacy, bad_blade__is_named_by_its_number_in_the_file)
{
    struct memory m = {test_field_make(&test_field_1), -1};
    struct vxb_error err = {0};
    vxbi_store_u32(m.file.data + test_file_at(&m.file, BAD_DATA, 5) + 16, 0x7FC00000);
    cr_assert(eq(int, read_all(NULL, &m, &err), VXB_ERR_DATA));
    cr_assert(eq(str, err.message, (char *)"the scale of blade 5 is nan; it is finite"));
    cr_assert(eq(str, err.pointer, (char *)"/blades/5/scale"));
    cr_assert(eq(u64, err.offset, (uint64_t)test_file_at(&m.file, BAD_DATA, 5) + 16));
    free(m.file.data);
}
