/* The builder of good files: a few species on hilly ground, plausible blades, every table as the format wants it. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bad_files.h"
#include "grass/legacy.h"

const struct test_field test_field_1 = {.format = 1, .chunks = 5, .blades = 4};
const struct test_field test_field_1_empty = {.format = 1};
const struct test_field test_field_2 = {.format = 2, .sections = 1, .chunks = 3, .blades = 5};
const struct test_field test_field_2_zstd = {.format = 2, .sections = 1, .chunks = 3, .blades = 5,
                                             .flags = VXB_GRASS_ZSTD};
const struct test_field test_field_2_empty = {.format = 2, .sections = 1};
const struct test_field test_field_flat = {.format = 2, .sections = 1, .chunks = 2, .blades = 3, .flat = true};
const struct test_field test_field_3 = {.format = 3, .sections = 2, .chunks = 3, .blades = 5};
const struct test_field test_field_3_split = {.format = 3, .sections = 4, .chunks = 2, .blades = 9,
                                              .flags = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT};
const struct test_field test_field_3_empty_section = {.format = 3, .sections = 3, .chunks = 2, .blades = 4,
                                                      .last_empty = true};

enum { MOST_CHUNKS = 64, MOST_BLADES = 64 }; /* of a whole field; of a chunk */

/* All of a field before it becomes bytes. */
struct model {
    struct vxb_grass_header header;
    struct vxb_grass_section sections[VXB_GRASS_SECTIONS_MAX];
    struct vxb_grass_lod lods[8];
    struct vxb_grass_chunk chunks[MOST_CHUNKS];
    uint8_t records[MOST_CHUNKS][MOST_BLADES * VXB_GRASS_RECORD_BYTES];
    struct {
        uint8_t bytes[4096];
        size_t size;
    } data[MOST_CHUNKS];
};

static const char *const names[4] = {"fescue", "Rispe \xC3\xA4", "sedge", "\xE8\x8D\x89"};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void make_records(const struct test_field *field, struct vxb_grass_chunk *chunk, uint8_t *records,
                         uint32_t *state)
{
    struct vxbi_writer w = {.data = records, .room = MOST_BLADES * VXB_GRASS_RECORD_BYTES};
    chunk->max_scale = 0;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        uint16_t scale = (uint16_t)(0x3800 + draw(state) % 0x800); /* 0.5 to 2 */
        vxbi_put_u16(&w, (uint16_t)draw(state));
        vxbi_put_u16(&w, (uint16_t)draw(state));
        vxbi_put_u16(&w, field->flat ? 0 : (uint16_t)draw(state));
        vxbi_put_u16(&w, (uint16_t)draw(state));
        vxbi_put_u16(&w, scale);
        vxbi_put_u8(&w, (uint8_t)(int8_t)((int)(draw(state) % 121) - 60));
        vxbi_put_u8(&w, (uint8_t)(int8_t)((int)(draw(state) % 121) - 60));
        vxbi_put_u8(&w, (uint8_t)draw(state));
        vxbi_put_u8(&w, (uint8_t)draw(state));
        vxbi_put_u16(&w, (uint16_t)(100 + 900 * i));
        if (vxbi_f16_value(scale) > chunk->max_scale)
            chunk->max_scale = vxbi_f16_value(scale);
    }
}

static void make_lods(struct model *m)
{
    for (uint32_t k = 0; k < m->header.section_count; k++) {
        struct vxb_grass_section *s = &m->sections[k];
        s->first_lod = 2 * k;
        m->lods[2 * k] = (struct vxb_grass_lod){20.0f + (float)k, 1.0f, 15.0f, 0.5f, 30, 60 * k, -1};
        m->lods[2 * k + 1] = (struct vxb_grass_lod){80.0f, 0.25f, 70.0f, 0.75f, 6, 0, 0};
    }
    m->lods[2 * m->header.section_count - 1].distance = 1.0f / 0.0f;
}

/* Shares that differ; budgets of a total as Webster's method gives them (worked out by adding one unit at a time). */
static void make_shares(struct model *m, uint32_t total)
{
    static const uint32_t shares[5][4] = {{0}, {1000000}, {600001, 399999}, {500000, 300000, 200000},
                                          {400000, 300000, 200000, 100000}};
    uint32_t n = m->header.section_count;
    m->header.blade_budget = total;
    for (uint32_t k = 0; k < n; k++) {
        m->sections[k].share = shares[n][k];
        m->sections[k].blade_budget = 0;
    }
    for (uint32_t unit = 0; unit < total; unit++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < n; k++)
            if ((uint64_t)m->sections[k].share * (2 * m->sections[best].blade_budget + 1) >
                (uint64_t)m->sections[best].share * (2 * m->sections[k].blade_budget + 1))
                best = k;
        m->sections[best].blade_budget++;
    }
}

static void make_sections(struct model *m)
{
    uint32_t n = m->header.section_count;
    for (uint32_t k = 0; k < n; k++) {
        struct vxb_grass_section *s = &m->sections[k];
        const char *name = names[k];
        s->name = name;
        s->material = k == 1 ? names[0] : name; /* two species share a material */
        s->mesh = k == 2 ? "" : "blade";
        s->species_id = vxbi_hash(name, strlen(name));
        s->material_id = vxbi_hash(s->material, strlen(s->material));
        s->profile_id = 0x1122334455667788u + k;
        s->lod_count = 2;
        s->pass_count = k == 0 ? 2 : 1;
        s->passes[0] = "main";
        s->passes[1] = "shadow";
        s->rank_limit = 60000;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (m->sections[j].species_id < m->sections[i].species_id) {
                struct vxb_grass_section t = m->sections[i];
                m->sections[i] = m->sections[j];
                m->sections[j] = t;
            }
    for (uint32_t k = 0; k < n; k++) {
        m->sections[k].material_index = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool counted = false;
            for (uint32_t j = 0; j < i; j++)
                counted |= m->sections[j].material_id == m->sections[i].material_id;
            m->sections[k].material_index += !counted && m->sections[i].material_id < m->sections[k].material_id;
        }
    }
}

static void compress(struct model *m, uint32_t j)
{
    size_t raw = (size_t)m->chunks[j].blade_count * VXB_GRASS_RECORD_BYTES;
    uint8_t split[MOST_BLADES * VXB_GRASS_RECORD_BYTES];
    memcpy(split, m->records[j], raw);
    if (m->header.flags & VXB_GRASS_SPLIT)
        vxbi_grass_split(split, m->records[j], raw);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    m->data[j].size = ZSTD_compress2(zstd, m->data[j].bytes, sizeof m->data[j].bytes, split, raw);
    ZSTD_freeCCtx(zstd);
}

static void make_chunks(const struct test_field *field, struct model *m)
{
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX] = {0};
    float radius[VXB_GRASS_SECTIONS_MAX];
    uint32_t state = 1, n = 0;
    for (uint32_t k = 0; k < m->header.section_count; k++) {
        struct vxb_grass_section *s = &m->sections[k];
        s->first_chunk = n;
        s->first_blade = m->header.blade_count;
        s->chunk_count = field->last_empty && k + 1 == m->header.section_count ? 0 : field->chunks;
        for (uint32_t i = 0; i < s->chunk_count; i++, n++) {
            struct vxb_grass_chunk *c = &m->chunks[n];
            if (n == MOST_CHUNKS || field->blades + i > MOST_BLADES)
                abort(); /* more than the model has room for */
            *c = (struct vxb_grass_chunk){.cell_x = (int32_t)(i % 2) - 1, .cell_z = (int32_t)(i / 2) - 1,
                                          .first_blade = m->header.blade_count, .blade_count = field->blades + i,
                                          .min_y = 3.5f - 10.0f * (float)i, .section = k};
            c->max_y = field->flat ? c->min_y : 12.25f;
            make_records(field, c, m->records[n], &state);
            c->hash = vxbi_hash(m->records[n], (size_t)c->blade_count * VXB_GRASS_RECORD_BYTES);
            vxbi_bounds_add(&bounds[k], c, m->header.cell_size, m->records[n]);
            m->header.blade_count += c->blade_count;
            s->blade_count += c->blade_count;
        }
        if (s->blade_count == 0)
            s->rank_limit = 0;
        radius[k] = 0.75f;
    }
    m->header.chunk_count = n;
    vxbi_bounds_close(bounds, radius, m->header.section_count, m->header.bounds_min, m->header.bounds_max);
}

/* Where each chunk's data stands, and the file's end. */
static void place(struct model *m)
{
    struct vxbi_grass_layout layout;
    vxbi_grass_layout(&m->header, &layout);
    uint64_t at = layout.data;
    for (uint32_t j = 0; j < m->header.chunk_count; j++) {
        if (m->header.flags & VXB_GRASS_ZSTD) {
            compress(m, j);
        } else {
            at = vxbi_grass_raw_start(at);
            m->data[j].size = (size_t)m->chunks[j].blade_count * VXB_GRASS_RECORD_BYTES;
            memcpy(m->data[j].bytes, m->records[j], m->data[j].size);
        }
        m->chunks[j].data_offset = at;
        m->chunks[j].data_bytes = (uint32_t)m->data[j].size;
        at += m->data[j].size;
    }
    m->header.file_bytes = at;
}

static void put_strings(struct vxbi_writer *w, const struct model *m)
{
    for (uint32_t k = 0; k < m->header.section_count; k++) {
        const struct vxb_grass_section *s = &m->sections[k];
        vxbi_grass_put_string(w, s->name);
        vxbi_grass_put_string(w, s->material);
        vxbi_grass_put_string(w, s->mesh);
        for (uint32_t i = 0; i < s->pass_count; i++)
            vxbi_grass_put_string(w, s->passes[i]);
    }
}

static struct test_file serialise(const struct model *m)
{
    struct test_file file = {.data = calloc(1, m->header.file_bytes), .size = m->header.file_bytes};
    struct vxbi_writer w = {.data = file.data, .room = file.size};
    struct vxbi_grass_layout layout;
    vxbi_grass_layout(&m->header, &layout);
    vxbi_grass_put_header(&w, &m->header);
    for (uint32_t k = 0; k < m->header.section_count; k++)
        vxbi_grass_put_section(&w, m->header.format, &m->sections[k]);
    for (uint32_t k = 0; k < m->header.lod_count; k++)
        vxbi_grass_put_lod(&w, &m->lods[k]);
    put_strings(&w, m);
    w.at = layout.chunks;
    for (uint32_t j = 0; j < m->header.chunk_count; j++)
        vxbi_grass_put_chunk(&w, &m->chunks[j]);
    for (uint32_t j = 0; j < m->header.chunk_count; j++)
        memcpy(file.data + m->chunks[j].data_offset, m->data[j].bytes, m->data[j].size);
    return file;
}

/* A file of format 1: cells in no order, the third chunk empty, blades in no order of rank and some of equal rank. */
static struct test_file make_legacy(const struct test_field *field)
{
    static const int32_t cells[5][2] = {{1, 0}, {-2, -1}, {0, -1}, {-1, 0}, {-1, -1}};
    struct vxbi_legacy_header h = {.cell_size = 32.0f, .chunk_count = field->chunks};
    uint32_t state = 1, counts[5];
    for (uint32_t j = 0; j < field->chunks; j++) {
        counts[j] = j == 2 ? 0 : field->blades + j;
        h.blade_count += counts[j];
    }
    h.file_bytes = VXBI_LEGACY_HEADER_BYTES + (uint64_t)h.chunk_count * VXBI_LEGACY_CHUNK_BYTES +
                   (uint64_t)h.blade_count * VXBI_LEGACY_BLADE_BYTES;
    struct test_file file = {.data = calloc(1, h.file_bytes), .size = h.file_bytes};
    struct vxbi_writer w = {.data = file.data, .room = file.size, .at = VXBI_LEGACY_HEADER_BYTES};
    for (uint32_t j = 0, first = 0; j < field->chunks; first += counts[j++]) {
        vxbi_put_i32(&w, cells[j][0]);
        vxbi_put_i32(&w, cells[j][1]);
        vxbi_put_u32(&w, first);
        vxbi_put_u32(&w, counts[j]);
    }
    for (uint32_t j = 0, n = 0; j < field->chunks; j++)
        for (uint32_t i = 0; i < counts[j]; i++, n++) {
            struct vxbi_legacy_blade b = {
                .x = (float)cells[j][0] * 32 + (float)(draw(&state) % 2048) / 64,
                .y = (float)(draw(&state) % 4096) / 128 - 8,
                .z = (float)cells[j][1] * 32 + (float)(draw(&state) % 2048) / 64,
                .yaw = (float)(draw(&state) % 6283) / 1000, .scale = 0.5f + (float)(draw(&state) % 100) / 100,
                .tint = (float)(draw(&state) % 1001) / 1000, .phase = (float)(draw(&state) % 6283) / 1000,
                .rank = (float)(draw(&state) % 4) / 4};
            const float at[3] = {b.x, b.y, b.z};
            for (int axis = 0; axis < 3; axis++) {
                h.bounds_min[axis] = n == 0 || at[axis] < h.bounds_min[axis] ? at[axis] : h.bounds_min[axis];
                h.bounds_max[axis] = n == 0 || at[axis] > h.bounds_max[axis] ? at[axis] : h.bounds_max[axis];
            }
            vxbi_legacy_put_blade(&w, &b);
        }
    w.at = 0;
    vxbi_legacy_put_header(&w, &h);
    return file;
}

struct test_file test_field_make(const struct test_field *field)
{
    if (field->format == 1)
        return make_legacy(field);
    struct model *m = calloc(1, sizeof *m);
    struct vxbi_writer strings = {0};
    m->header = (struct vxb_grass_header){.format = field->format, .flags = field->flags,
                                          .bake_revision = VXB_BAKE_REVISION, .section_count = field->sections,
                                          .lod_count = 2 * field->sections, .cell_size = 32.0f,
                                          .max_commands = 0xFFFFFFFFu, .updates_per_frame = 4, .seed = 7,
                                          .density = 1.5f, .bake_id = 0x0123456789ABCDEFu};
    make_sections(m);
    make_shares(m, field->chunks > 10 ? 4000 : 200);
    make_lods(m);
    put_strings(&strings, m);
    m->header.string_bytes = (uint32_t)strings.at;
    make_chunks(field, m);
    place(m);
    struct test_file file = serialise(m);
    free(m);
    test_file_repair(&file);
    return file;
}

static struct vxb_grass_header header_of(const struct test_file *file)
{
    struct vxbi_reader r = {.data = file->data, .size = file->size};
    struct vxb_grass_header h;
    vxbi_grass_get_header(&r, &h);
    return h;
}

struct vxbi_grass_layout test_file_layout(const struct test_file *file)
{
    struct vxb_grass_header h = header_of(file);
    struct vxbi_grass_layout layout;
    vxbi_grass_layout(&h, &layout);
    return layout;
}

static void repair_chunks(struct test_file *file, const struct vxb_grass_header *h,
                          const struct vxbi_grass_layout *layout, bool hashes)
{
    struct vxbi_hash_state content;
    vxbi_content_begin(&content, h->cell_size);
    for (uint32_t j = 0; j < h->chunk_count; j++) {
        uint8_t *entry = file->data + layout->chunks + (size_t)j * VXB_GRASS_CHUNK_BYTES;
        struct vxbi_reader r = {.data = entry, .size = VXB_GRASS_CHUNK_BYTES};
        struct vxb_grass_chunk chunk;
        uint32_t reserved, k = 0;
        vxbi_grass_get_chunk(&r, &chunk, &reserved);
        if (hashes && !(h->flags & VXB_GRASS_ZSTD) && chunk.data_offset <= file->size &&
            chunk.data_bytes <= file->size - chunk.data_offset) {
            chunk.hash = vxbi_hash(file->data + chunk.data_offset, chunk.data_bytes);
            vxbi_store_u64(entry + 48, chunk.hash);
        }
        for (; k < h->section_count; k++) {
            const uint8_t *s = file->data + layout->sections + k * vxbi_grass_section_bytes(h->format);
            uint32_t first = vxbi_load_u32(s + 12), count = vxbi_load_u32(s + 16);
            if (j >= first && j - first < count) {
                vxbi_content_add(&content, vxbi_load_u64(s), &chunk);
                break;
            }
        }
    }
    vxbi_store_u64(file->data + 112, vxbi_hash_end(&content));
}

void test_file_repair_header(struct test_file *file)
{
    memset(file->data + 120, 0, 8);
    vxbi_store_u64(file->data + 120, vxbi_hash(file->data, 128));
}

static void repair(struct test_file *file, bool chunk_hashes)
{
    if (file->size < VXB_GRASS_HEADER_BYTES)
        return;
    struct vxb_grass_header h = header_of(file);
    struct vxbi_grass_layout layout;
    if (h.format == 1)
        return; /* it has no hash */
    vxbi_grass_layout(&h, &layout);
    if (h.section_count <= 4 && layout.data <= file->size) {
        uint64_t end = h.chunk_count && !(h.flags & VXB_GRASS_ZSTD) ? vxbi_grass_raw_start(layout.data) : layout.data;
        repair_chunks(file, &h, &layout, chunk_hashes);
        if (end <= file->size)
            vxbi_store_u64(file->data + 104, vxbi_hash(file->data + 128, end - 128));
    }
    test_file_repair_header(file);
}

void test_file_repair(struct test_file *file)
{
    repair(file, true);
}

void test_file_repair_tables(struct test_file *file)
{
    repair(file, false);
}

void test_file_repair_bounds(struct test_file *file)
{
    struct vxb_grass_header h = header_of(file);
    struct vxbi_bounds_section bounds[VXB_GRASS_SECTIONS_MAX] = {0};
    float radius[VXB_GRASS_SECTIONS_MAX] = {0}, low[3], high[3];
    for (uint32_t k = 0, lod = 0; k < h.section_count; k++)
        for (uint8_t n = file->data[test_file_at(file, BAD_SECTION, k) + 28]; n > 0; n--, lod++) {
            float r = vxbi_load_f32(file->data + test_file_at(file, BAD_LOD, lod) + 12);
            radius[k] = r > radius[k] ? r : radius[k];
        }
    for (uint32_t j = 0; j < h.chunk_count; j++) {
        struct vxbi_reader r = {.data = file->data + test_file_at(file, BAD_CHUNK, j), .size = VXB_GRASS_CHUNK_BYTES};
        struct vxb_grass_chunk chunk;
        uint32_t reserved;
        vxbi_grass_get_chunk(&r, &chunk, &reserved);
        vxbi_bounds_add(&bounds[chunk.section], &chunk, h.cell_size, file->data + chunk.data_offset);
    }
    vxbi_bounds_close(bounds, radius, h.section_count, low, high);
    for (int i = 0; i < 3; i++) {
        vxbi_store_u32(file->data + 64 + 4 * i, vxbi_f32_bits(low[i]));
        vxbi_store_u32(file->data + 76 + 4 * i, vxbi_f32_bits(high[i]));
    }
}

void test_file_cut(struct test_file *file, size_t offset, size_t size)
{
    memmove(file->data + offset, file->data + offset + size, file->size - offset - size);
    file->size -= size;
}

void test_file_grow(struct test_file *file, size_t offset, size_t size)
{
    file->data = realloc(file->data, file->size + size);
    memmove(file->data + offset + size, file->data + offset, file->size - offset);
    memset(file->data + offset, 0, size);
    file->size += size;
}

size_t test_file_at(const struct test_file *file, enum bad_base base, uint32_t index)
{
    struct vxb_grass_header h = header_of(file);
    if (h.format == 1) {
        size_t chunks = VXBI_LEGACY_HEADER_BYTES;
        size_t data = chunks + vxbi_load_u32(file->data + 52) * VXBI_LEGACY_CHUNK_BYTES;
        return base == BAD_HEADER ? 0 : base == BAD_CHUNK ? chunks + (size_t)index * VXBI_LEGACY_CHUNK_BYTES
                                                          : data + (size_t)index * VXBI_LEGACY_BLADE_BYTES;
    }
    struct vxbi_grass_layout layout = test_file_layout(file);
    size_t chunk = layout.chunks + (size_t)index * VXB_GRASS_CHUNK_BYTES;
    switch (base) {
    case BAD_HEADER: return 0;
    case BAD_SECTION: return layout.sections + index * vxbi_grass_section_bytes(h.format);
    case BAD_LOD: return layout.lods + (size_t)index * VXB_GRASS_LOD_BYTES;
    case BAD_STRINGS: return layout.strings;
    case BAD_CHUNK: return chunk;
    case BAD_DATA: return vxbi_load_u64(file->data + chunk + 32);
    }
    return 0;
}
