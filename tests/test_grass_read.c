/* The grass reader: windows, finding, decoding, limits, sources, and files that are cut or changed anywhere. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "heap.h"
#include "memory_source.h"
#include "vxbake/grass.h"

static enum vxb_status open_memory(const struct vxb_env *env, struct memory *m, struct vxb_grass **out,
                                   struct vxb_error *err)
{
    const struct vxb_source source = memory_source(m);
    return vxb_grass_open_source(env, &source, "memory", out, err);
}

/* Opens and reads every chunk, as a careful engine would. */
static enum vxb_status read_all(const struct vxb_env *env, struct memory *m, uint64_t *blades, struct vxb_error *err)
{
    struct vxb_grass *grass = NULL;
    struct vxb_grass_scratch *scratch = NULL;
    enum vxb_status status = open_memory(env, m, &grass, err);
    *blades = 0;
    for (uint32_t j = 0; !status && j < vxb_grass_header(grass)->chunk_count; j++) {
        struct vxb_grass_chunk chunk;
        status = vxb_grass_chunks(grass, j, 1, &chunk, err);
        if (status)
            break;
        size_t size = (size_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES;
        uint8_t *records = malloc(size);
        status = vxb_grass_read_chunk(grass, &chunk, records, size, &scratch, err);
        *blades += status ? 0 : chunk.blade_count;
        free(records);
    }
    vxb_grass_scratch_free(scratch);
    vxb_grass_close(grass);
    return status;
}

static const struct test_field *const fields[] = {&test_field_2, &test_field_2_zstd, &test_field_2_empty,
                                                  &test_field_flat, &test_field_3, &test_field_3_split,
                                                  &test_field_3_empty_section};
enum { FIELDS = sizeof fields / sizeof fields[0] };

Test(grass_read, good_files__are_read_whole)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct memory m = {test_field_make(fields[i]), -1};
        struct vxb_error err = {0};
        uint64_t blades;
        cr_assert(eq(int, read_all(NULL, &m, &blades, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(u64, blades, (uint64_t)vxbi_load_u32(m.file.data + 36)));
        free(m.file.data);
    }
}

Test(grass_read, sections__have_their_names_and_lods)
{
    struct memory m = {test_field_make(&test_field_3), -1};
    struct vxb_grass *grass = NULL;
    cr_assert(eq(int, open_memory(NULL, &m, &grass, NULL), VXB_OK));
    cr_assert(eq(u32, vxb_grass_header(grass)->section_count, 2));
    for (uint32_t k = 0; k < 2; k++) {
        const struct vxb_grass_section *s = vxb_grass_section(grass, k);
        cr_assert(eq(u64, s->species_id, vxbi_hash(s->name, strlen(s->name))));
        cr_assert(eq(str, (char *)s->material, (char *)"fescue"));
        cr_assert(eq(str, (char *)s->passes[0], (char *)"main"));
        cr_assert(eq(u32, s->first_lod, 2 * k));
        cr_assert(vxb_grass_lod(grass, s->first_lod + 1)->distance >= 80.0f);
    }
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(grass_read, format_2__has_the_material_id_of_its_name)
{
    struct memory m = {test_field_make(&test_field_2), -1};
    struct vxb_grass *grass = NULL;
    cr_assert(eq(int, open_memory(NULL, &m, &grass, NULL), VXB_OK));
    cr_assert(eq(u64, vxb_grass_section(grass, 0)->material_id, vxbi_hash("fescue", 6)));
    cr_assert(eq(u32, vxb_grass_section(grass, 0)->share, 1000000));
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(grass_read, windows__of_any_size_show_the_same_chunks)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 60, .blades = 1};
    struct memory m = {test_field_make(&field), -1};
    struct vxb_grass *grass = NULL;
    struct vxb_grass_chunk all[60], window[60];
    struct vxb_error err = {0};
    cr_assert(eq(int, open_memory(NULL, &m, &grass, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_grass_chunks(grass, 0, 60, all, NULL), VXB_OK));
    for (uint32_t first = 0; first <= 60; first += 7)
        for (uint32_t count = 0; first + count <= 60; count += 11) {
            cr_assert(eq(int, vxb_grass_chunks(grass, first, count, window, NULL), VXB_OK));
            for (uint32_t i = 0; i < count; i++) {
                cr_assert(eq(u64, window[i].hash, all[first + i].hash));
                cr_assert(eq(u64, window[i].data_offset, all[first + i].data_offset));
            }
        }
    cr_assert(eq(int, vxb_grass_chunks(grass, 60, 1, window, &err), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_grass_chunks(grass, 0xFFFFFFFF, 0xFFFFFFFF, window, NULL), VXB_ERR_USAGE));
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(grass_read, find__finds_every_cell_and_no_other)
{
    struct memory m = {test_field_make(&test_field_3), -1};
    struct vxb_grass *grass = NULL;
    struct vxb_grass_chunk chunk, there;
    bool found;
    uint32_t index;
    cr_assert(eq(int, open_memory(NULL, &m, &grass, NULL), VXB_OK));
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t hits = 0;
        for (int32_t z = -3; z < 4; z++)
            for (int32_t x = -3; x < 4; x++) {
                cr_assert(eq(int, vxb_grass_find(grass, k, x, z, &found, &index, &chunk, NULL), VXB_OK));
                if (!found)
                    continue;
                hits++;
                cr_assert(eq(int, vxb_grass_chunks(grass, index, 1, &there, NULL), VXB_OK));
                cr_assert(there.cell_x == x && there.cell_z == z && there.section == k && chunk.hash == there.hash);
            }
        cr_assert(eq(u32, hits, vxb_grass_section(grass, k)->chunk_count));
    }
    cr_assert(eq(int, vxb_grass_find(grass, 2, 0, 0, &found, &index, &chunk, NULL), VXB_ERR_USAGE));
    vxb_grass_close(grass);
    free(m.file.data);
}

Test(grass_read, decode__means_what_the_format_says)
{
    const struct vxb_grass_header header = {.cell_size = 32.0f};
    const struct vxb_grass_chunk chunk = {.cell_x = -3, .cell_z = 2, .min_y = -8.0f, .max_y = 8.0f};
    const uint8_t record[16] = {0, 0,       /* x: the cell's first quantum */
                                0xFF, 0xFF, /* z: its last */
                                0xFF, 0xFF, /* y: the highest */
                                0, 0x40,    /* a quarter turn */
                                0, 0x3C,    /* scale 1 */
                                0, (uint8_t)-127, /* up: along -z, as far as it goes */
                                255, 128, 0, 0x80};
    struct vxb_blade blade;
    vxb_grass_decode(&header, &chunk, record, &blade);
    cr_assert(eq(dbl, blade.x, -96.0 + 0.5 * 32.0 / 65536.0));
    cr_assert(eq(dbl, blade.z, 96.0 - 0.5 * 32.0 / 65536.0));
    cr_assert(eq(dbl, blade.y, 8.0));
    cr_assert(epsilon_eq(dbl, blade.yaw, 1.5707963267948966, 1e-15));
    cr_assert(eq(dbl, blade.scale, 1.0));
    cr_assert(blade.up[0] == 0.0 && blade.up[1] == 0.0 && blade.up[2] == -1.0);
    cr_assert(eq(dbl, blade.tint, 255.5 / 256.0));
    cr_assert(epsilon_eq(dbl, blade.phase, 3.141592653589793, 1e-15));
    cr_assert(eq(dbl, blade.rank, 0.5));
    cr_assert(eq(u16, blade.rank_code, 0x8000));
}

Test(grass_read, bad_files__are_refused_by_the_rule_they_break_or_its_consequence)
{
    for (size_t i = 0; i < bad_file_count; i++) {
        const struct bad_file *bad = &bad_files[i];
        /* A note is no reason to refuse; gaps between chunks and the field's bounds are for verify alone to see. */
        if (vxb_finding_severity(bad->finding) != VXB_SEVERITY_ERROR || bad->finding == VXB_FINDING_CHUNK_GAP ||
            bad->finding == VXB_FINDING_BOUNDS || bad->finding == VXB_FINDING_LEGACY_BOUNDS)
            continue;
        struct memory m = {bad_file_make(bad), -1};
        struct vxb_error err = {0};
        uint64_t blades;
        enum vxb_status status = read_all(NULL, &m, &blades, &err);
        bool named = err.finding == bad->finding;
        for (int k = 0; k < 5; k++)
            named = named || (bad->consequences[k] && err.finding == bad->consequences[k]);
        cr_assert(status == err.status && status != VXB_OK && err.has_offset && named, "bad file %zu (%s): %s", i,
                  vxb_finding_name(bad->finding), err.message);
        cr_assert(eq(str, err.path, (char *)"memory"));
        free(m.file.data);
    }
}

Test(grass_read, magic_and_version__have_statuses_of_their_own)
{
    struct vxb_error err = {0};
    struct vxb_grass *grass;
    struct memory m = {test_field_make(&test_field_2), -1};
    m.file.data[8] = 4;
    cr_assert(eq(int, open_memory(NULL, &m, &grass, &err), VXB_ERR_UNSUPPORTED));
    cr_assert(eq(str, err.message, (char *)"format 4 is not read by this version, which reads 1, 2 and 3"));
    vxb_error_clear(&err);
    m.file.data[0] = 'P';
    cr_assert(eq(int, open_memory(NULL, &m, &grass, &err), VXB_ERR_FORMAT));
    free(m.file.data);
}

Test(grass_read, cut_at_any_length__is_an_error)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct memory m = {test_field_make(fields[i]), -1};
        size_t whole = m.file.size;
        for (m.file.size = 0; m.file.size < whole; m.file.size++) {
            struct vxb_error err = {0};
            uint64_t blades;
            uint8_t *all = m.file.data;
            /* An exact copy, so that a sanitizer sees a read beyond its end. */
            m.file.data = malloc(m.file.size + (m.file.size == 0));
            memcpy(m.file.data, all, m.file.size);
            enum vxb_status status = read_all(NULL, &m, &blades, &err);
            free(m.file.data);
            m.file.data = all;
            cr_assert(ne(int, status, VXB_OK), "field %zu cut to %zu bytes", i, m.file.size);
        }
        free(m.file.data);
    }
}

Test(grass_read, source_that_fails_at_any_read__is_an_io_error)
{
    struct memory m = {test_field_make(&test_field_3_split), 0};
    struct vxb_error err;
    uint64_t blades;
    int reads = 0;
    do {
        vxb_error_clear(&err);
        m.reads_left = reads++;
    } while (read_all(NULL, &m, &blades, &err) == VXB_ERR_IO && reads < 1000);
    cr_assert(eq(int, err.status, VXB_OK));
    cr_assert(lt(int, 8, reads));
    free(m.file.data);
}

/* ---- memory ---- */

Test(grass_read, every_allocation_that_fails__is_told_and_leaks_nothing)
{
    struct memory m = {test_field_make(&test_field_3_split), -1};
    struct vxb_error err;
    uint64_t blades;
    for (uint64_t n = 1; n <= 100; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        vxb_error_clear(&err);
        enum vxb_status status = read_all(&env, &m, &blades, &err);
        cr_assert(eq(u64, heap.now, 0));
        if (status == VXB_OK)
            break;
        cr_assert(eq(int, status, VXB_ERR_MEMORY));
    }
    cr_assert(eq(int, err.status, VXB_OK));
    free(m.file.data);
}

Test(grass_read, memory__is_bounded_by_the_file_and_by_the_limit)
{
    struct memory m = {test_field_make(&test_field_3_split), -1};
    struct heap heap = {0};
    struct vxb_env env = heap_env(&heap);
    struct vxb_error err = {0};
    uint64_t blades;
    env.max_memory_bytes = 200;
    cr_assert(eq(int, read_all(&env, &m, &blades, &err), VXB_ERR_LIMIT));
    cr_assert(ne(ptr, strstr(err.message, "200"), NULL));
    free(m.file.data);
    /* A small file that claims a chunk of 2^24 blades. */
    m.file = test_field_make(&test_field_2_zstd);
    vxbi_store_u32(m.file.data + test_file_at(&m.file, BAD_CHUNK, 0) + 12, 1 << 24);
    test_file_repair(&m.file);
    cr_assert(ne(int, read_all(&env, &m, &blades, NULL), VXB_OK));
    cr_assert(lt(u64, heap.peak, 65536));
    free(m.file.data);
}

Test(grass_read, read_chunk__takes_no_chunk_of_another_file)
{
    struct memory m = {test_field_make(&test_field_2), -1};
    struct vxb_grass *grass = NULL;
    struct vxb_grass_chunk chunk;
    uint8_t records[16 * 5];
    cr_assert(eq(int, open_memory(NULL, &m, &grass, NULL), VXB_OK));
    cr_assert(eq(int, vxb_grass_chunks(grass, 0, 1, &chunk, NULL), VXB_OK));
    cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records, NULL, NULL), VXB_OK));
    cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records - 1, NULL, NULL), VXB_ERR_USAGE));
    chunk.data_offset = UINT64_MAX;
    cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records, NULL, NULL), VXB_ERR_USAGE));
    vxb_grass_close(grass);
    free(m.file.data);
}

/* ---- changed anywhere; test_mutations.c has every field ---- */

/* Two entries of a table that change places, hashes repaired. */
Test(grass_read, entries_swapped__are_refused)
{
    static const struct {
        enum bad_base base;
        size_t size;
    } tables[] = {{BAD_SECTION, VXB_GRASS_SECTION3_BYTES}, {BAD_LOD, VXB_GRASS_LOD_BYTES},
                  {BAD_CHUNK, VXB_GRASS_CHUNK_BYTES}};
    for (size_t t = 0; t < 3; t++) {
        struct memory m = {test_field_make(&test_field_3), -1};
        struct vxb_error err = {0};
        uint8_t *a = m.file.data + test_file_at(&m.file, tables[t].base, 0);
        uint8_t *b = m.file.data + test_file_at(&m.file, tables[t].base, 1), kept[64];
        uint64_t blades;
        memcpy(kept, a, tables[t].size);
        memcpy(a, b, tables[t].size);
        memcpy(b, kept, tables[t].size);
        test_file_repair(&m.file);
        cr_assert(eq(int, read_all(NULL, &m, &blades, &err), VXB_ERR_DATA));
        free(m.file.data);
    }
}

Test(grass_read, any_bit_flipped__is_refused)
{
    for (size_t i = 0; i < FIELDS; i += 3) {
        struct memory m = {test_field_make(fields[i]), -1};
        for (size_t at = 0; at < m.file.size; at++) {
            /* Between raw chunks only verify looks. */
            bool gap = !(fields[i]->flags & VXB_GRASS_ZSTD) && fields[i]->chunks;
            struct vxb_error err = {0};
            uint64_t blades;
            m.file.data[at] ^= (uint8_t)(1u << at % 8);
            enum vxb_status status = read_all(NULL, &m, &blades, &err);
            m.file.data[at] ^= (uint8_t)(1u << at % 8);
            cr_assert(status != VXB_OK || (gap && at > test_file_at(&m.file, BAD_DATA, 0) && m.file.data[at] == 0),
                      "field %zu, byte %zu", i, at);
        }
        free(m.file.data);
    }
}
