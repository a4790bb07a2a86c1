/* The rules of the chunk table. It may have four thousand million entries, so it is walked in windows; each entry is
 * judged by the section table and the entry before it alone, so that a window read later is judged by the same code. */
#include <inttypes.h>
#include <math.h>

#include "../core/env.h"
#include "../core/limits.h"
#include "../core/text.h"
#include "legacy.h"

/* Where a field of an entry, and of the header, stands in it. */
#define AT(field) VXBI_AT(grass_chunk, field)
#define HEADER_AT(field) VXBI_AT(grass_header, field)

static uint64_t entry_at(const struct vxb_grass *grass, uint32_t index)
{
    return grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES;
}

uint32_t vxbi_grass_section_of(const struct vxb_grass *grass, uint32_t index)
{
    uint32_t k = 0;
    while (k < grass->header.section_count &&
           (index < grass->sections[k].first_chunk ||
            index - grass->sections[k].first_chunk >= grass->sections[k].chunk_count))
        k++;
    return k;
}

static bool raw(const struct vxb_grass *grass)
{
    return !(grass->header.flags & VXB_GRASS_ZSTD);
}

enum vxb_status vxbi_grass_entries(const struct vxb_grass *grass, uint32_t first, uint32_t count,
                                   struct vxb_grass_chunk *out, struct vxbi_hash_state *hash, uint32_t *reserved,
                                   struct vxb_error *err)
{
    uint8_t bytes[VXBI_GRASS_WINDOW * VXB_GRASS_CHUNK_BYTES];
    if (grass->header.format == 1) {
        vxbi_legacy_entries(grass, first, count, out);
        return VXB_OK;
    }
    while (count) {
        uint32_t n = count < VXBI_GRASS_WINDOW ? count : VXBI_GRASS_WINDOW;
        size_t size = (size_t)n * VXB_GRASS_CHUNK_BYTES;
        enum vxb_status status = vxbi_grass_read_at(grass, entry_at(grass, first), bytes, size, err);
        if (status)
            return status;
        if (hash)
            vxbi_hash_add(hash, bytes, size);
        struct vxbi_reader r = {.data = bytes, .size = size};
        for (uint32_t i = 0; i < n; i++) {
            uint32_t word;
            vxbi_grass_get_chunk(&r, out++, &word);
            if (reserved)
                *reserved++ = word;
        }
        first += n;
        count -= n;
    }
    return VXB_OK;
}

static void check_place(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                        const struct vxb_grass_chunk *before, struct vxbi_collect *c)
{
    uint64_t at = entry_at(grass, index);
    uint32_t section = vxbi_grass_section_of(grass, index);
    double size = (double)grass->header.cell_size;
    if (section < grass->header.section_count && chunk->section != section)
        vxbi_found(c, VXB_FINDING_CHUNK_SECTION, at + AT(section),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/section", index),
                   "the chunk says section %" PRIu32 ", but stands among the chunks of section %" PRIu32,
                   chunk->section, section);
    if (!(chunk->cell_x * size <= VXBI_WORLD_M && (chunk->cell_x + 1.0) * size >= -VXBI_WORLD_M &&
          chunk->cell_z * size <= VXBI_WORLD_M && (chunk->cell_z + 1.0) * size >= -VXBI_WORLD_M))
        vxbi_found(c, VXB_FINDING_CHUNK_CELL, at, vxbi_pointer(c, "/chunks/%" PRIu32 "/cell_x", index),
                   "cell (%" PRId32 ", %" PRId32 ") lies more than 1048576 metres from the origin", chunk->cell_x,
                   chunk->cell_z);
    if (!before || vxbi_grass_section_of(grass, index - 1) != section)
        return;
    if (chunk->cell_z == before->cell_z && chunk->cell_x == before->cell_x)
        vxbi_found(c, VXB_FINDING_CHUNK_DUPLICATE, at, vxbi_pointer(c, "/chunks/%" PRIu32 "/cell_x", index),
                   "cell (%" PRId32 ", %" PRId32 ") appears twice in section %" PRIu32, chunk->cell_x, chunk->cell_z,
                   section);
    else if (chunk->cell_z < before->cell_z || (chunk->cell_z == before->cell_z && chunk->cell_x < before->cell_x))
        vxbi_found(c, VXB_FINDING_CHUNK_ORDER, at, vxbi_pointer(c, "/chunks/%" PRIu32 "/cell_x", index),
                   "cell (%" PRId32 ", %" PRId32 ") stands after (%" PRId32 ", %" PRId32
                   "); chunks ascend by z, then x, within a section", chunk->cell_x, chunk->cell_z, before->cell_x,
                   before->cell_z);
}

static void check_values(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                         uint32_t reserved, struct vxbi_collect *c)
{
    uint64_t at = entry_at(grass, index);
    char a[VXB_TEXT_NUMBER_ROOM], z[VXB_TEXT_NUMBER_ROOM];
    float low = chunk->min_y, high = chunk->max_y;
    if (!isfinite(low) || !isfinite(high) || low > high)
        vxbi_found(c, VXB_FINDING_CHUNK_HEIGHT, at + AT(min_y), vxbi_pointer(c, "/chunks/%" PRIu32 "/min_y", index),
                   "the heights are %s to %s; they are finite and ascending", vxb_text_f32(low, a),
                   vxb_text_f32(high, z));
    else if ((double)low < -VXBI_WORLD_M || (double)high > VXBI_WORLD_M)
        vxbi_found(c, VXB_FINDING_CHUNK_HEIGHT_LIMIT, at + AT(min_y),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/min_y", index),
                   "the heights are %s to %s; they lie within 1048576 metres of the origin", vxb_text_f32(low, a),
                   vxb_text_f32(high, z));
    if (!((double)chunk->max_scale >= VXBI_SCALE_MIN && (double)chunk->max_scale <= VXBI_SCALE_MAX))
        vxbi_found(c, VXB_FINDING_CHUNK_MAX_SCALE_LIMIT, at + AT(max_scale),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/max_scale", index),
                   "the largest scale is %s; allowed is 2^-10 to 2^10", vxb_text_f32(chunk->max_scale, a));
    if (reserved)
        vxbi_found(c, VXB_FINDING_CHUNK_RESERVED, at + AT(reserved),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/reserved", index),
                   "the reserved word is 0x%08" PRIx32 ", not 0", reserved);
}

/* The blades it says it has: none missing, none shared, and not more than a cell can have. */
static void check_blades(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                         const struct vxb_grass_chunk *before, struct vxbi_collect *c)
{
    uint64_t at = entry_at(grass, index);
    uint64_t first = before ? (uint64_t)before->first_blade + before->blade_count : 0;
    if (chunk->first_blade != first)
        vxbi_found(c, VXB_FINDING_CHUNK_BLADES, at + AT(first_blade),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/first_blade", index),
                   "the chunk starts at blade %" PRIu32 "; the one before it ends at %" PRIu64, chunk->first_blade,
                   first);
    if (chunk->blade_count == 0)
        vxbi_found(c, VXB_FINDING_CHUNK_EMPTY, at + AT(blade_count),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", index),
                   "the chunk has no blade; such a chunk is not stored");
    if (chunk->blade_count > VXBI_GRASS_CHUNK_BLADES_MAX)
        vxbi_found(c, VXB_FINDING_CHUNK_BLADE_LIMIT, at + AT(blade_count),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", index),
                   "the chunk has %" PRIu32 " blades; at most 16777216 are allowed", chunk->blade_count);
    else if (chunk->blade_count > vxbi_grass_candidates(grass))
        vxbi_found(c, VXB_FINDING_CHUNK_CANDIDATES, at + AT(blade_count),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", index),
                   "the chunk has %" PRIu32 " blades; by cell size and density a cell has %" PRIu32 " candidates",
                   chunk->blade_count, vxbi_grass_candidates(grass));
}

static uint64_t data_end(const struct vxb_grass_chunk *chunk)
{
    uint64_t end;
    return vxbi_add_u64(chunk->data_offset, chunk->data_bytes, &end) ? end : UINT64_MAX - VXB_GRASS_CHUNK_ALIGN;
}

/* Whether its bytes can hold its blades: a zstd block holds 128 KiB at most and takes 4 bytes at least. Memory is
 * allocated by the blade count, and this is what keeps a small file from asking for much of it. */
static bool can_hold(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk)
{
    return raw(grass) ||
           (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES <= ((uint64_t)chunk->data_bytes / 4 + 1) << 17;
}

/* Where its data stands, how much there is. */
static void check_data(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                       const struct vxb_grass_chunk *before, struct vxbi_collect *c)
{
    uint64_t at = entry_at(grass, index), end = before ? data_end(before) : grass->layout.data;
    uint64_t expected = raw(grass) ? vxbi_grass_raw_start(end) : end;
    if (chunk->data_offset != expected)
        vxbi_found(c, VXB_FINDING_CHUNK_OFFSET, at + AT(data_offset),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/data_offset", index),
                   "the data starts at byte %" PRIu64 ", not at %" PRIu64 ", where %s ends%s", chunk->data_offset,
                   expected, before ? "the previous chunk's" : "the chunk table",
                   raw(grass) ? ", rounded up to a multiple of 64" : "");
    if (raw(grass) && chunk->data_bytes != (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES)
        vxbi_found(c, VXB_FINDING_CHUNK_BYTES, at + AT(data_bytes),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/data_bytes", index),
                   "the data has %" PRIu32 " bytes; %" PRIu32 " blades have %" PRIu64, chunk->data_bytes,
                   chunk->blade_count, (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES);
    if (!raw(grass) && chunk->data_bytes == 0)
        vxbi_found(c, VXB_FINDING_CHUNK_BYTES, at + AT(data_bytes),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/data_bytes", index),
                   "the chunk has no data; a zstd frame has some bytes at least");
    else if (!can_hold(grass, chunk))
        vxbi_found(c, VXB_FINDING_ZSTD_RATIO, at + AT(data_bytes),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/data_bytes", index),
                   "%" PRIu32 " bytes can't hold %" PRIu32 " blades, however compressed", chunk->data_bytes,
                   chunk->blade_count);
    if (chunk->data_offset < grass->layout.data || data_end(chunk) > grass->size)
        vxbi_found(c, VXB_FINDING_CHUNK_OUTSIDE, at + AT(data_offset),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/data_offset", index),
                   "%" PRIu32 " bytes at %" PRIu64 " do not lie between the tables' end, %" PRIu64
                   ", and the file's, %" PRIu64, chunk->data_bytes, chunk->data_offset, grass->layout.data,
                   grass->size);
}

void vxbi_grass_check_entry(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                            const struct vxb_grass_chunk *before, uint32_t reserved, struct vxbi_collect *c)
{
    c->ordinal = index;
    check_place(grass, index, chunk, before, c);
    check_values(grass, index, chunk, reserved, c);
    check_blades(grass, index, chunk, before, c);
    check_data(grass, index, chunk, before, c);
    c->ordinal = 0;
}

bool vxbi_grass_readable(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk)
{
    if (grass->header.format == 1)
        return vxbi_legacy_readable(grass, chunk);
    return chunk->section < grass->header.section_count && chunk->blade_count > 0 &&
           chunk->blade_count <= VXBI_GRASS_CHUNK_BLADES_MAX && chunk->data_bytes > 0 &&
           chunk->data_offset >= grass->layout.data && data_end(chunk) <= grass->size &&
           can_hold(grass, chunk) &&
           (!raw(grass) || chunk->data_bytes == (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES);
}

/* ---- the walk ---- */

struct walk {
    struct vxbi_hash_state tables, content;
    uint64_t blades[VXB_GRASS_SECTIONS_MAX]; /* of the chunks in each section's range */
    struct vxb_grass_chunk before;
    bool any;
    bool ids_known;        /* every chunk's section exists: the content id can be made */
};

static void step(const struct vxb_grass *grass, uint32_t index, const struct vxb_grass_chunk *chunk,
                 uint32_t reserved, struct walk *walk, struct vxbi_grass_walk *out, struct vxbi_collect *c)
{
    uint32_t section = vxbi_grass_section_of(grass, index);
    vxbi_grass_check_entry(grass, index, chunk, walk->any ? &walk->before : NULL, reserved, c);
    if (section < grass->header.section_count) {
        walk->blades[section] += chunk->blade_count;
        vxbi_content_add(&walk->content, grass->sections[section].species_id, chunk);
    } else {
        walk->ids_known = false;
    }
    if (vxbi_grass_readable(grass, chunk)) {
        uint64_t raw_bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
        out->readable++;
        out->most_bytes = chunk->data_bytes > out->most_bytes ? chunk->data_bytes : out->most_bytes;
        out->most_raw_bytes = raw_bytes > out->most_raw_bytes ? raw_bytes : out->most_raw_bytes;
    }
    walk->before = *chunk;
    walk->any = true;
}

/* The gap between the chunk table and the first raw chunk: hashed with the tables, and zero. */
static enum vxb_status check_first_gap(const struct vxb_grass *grass, struct walk *walk, struct vxbi_collect *c,
                                       struct vxb_error *err)
{
    uint8_t gap[VXB_GRASS_CHUNK_ALIGN];
    uint64_t from = grass->layout.data;
    uint64_t to = raw(grass) && walk->any ? vxbi_grass_raw_start(from) : from;
    if (to > grass->size)
        to = grass->size; /* the first chunk is reported as lying outside */
    enum vxb_status status = to > from ? vxbi_grass_read_at(grass, from, gap, (size_t)(to - from), err) : VXB_OK;
    if (status)
        return status;
    vxbi_hash_add(&walk->tables, gap, (size_t)(to - from));
    for (size_t i = 0; i < to - from; i++)
        if (gap[i]) {
            vxbi_found(c, VXB_FINDING_TABLES_PADDING, from + i, "/padding",
                       "the gap before the first chunk's data holds 0x%02x, not 0", gap[i]);
            break;
        }
    return VXB_OK;
}

static void check_whole(const struct vxb_grass *grass, const struct walk *walk, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    uint64_t tables = vxbi_hash_end(&walk->tables), content = vxbi_hash_end(&walk->content);
    uint64_t end = walk->any ? data_end(&walk->before) : grass->layout.data;
    if (tables != h->tables_hash)
        vxbi_found(c, VXB_FINDING_TABLES_HASH, HEADER_AT(tables_hash), "/header/tables_hash",
                   "the tables' hash is 0x%016" PRIx64 ", their bytes give 0x%016" PRIx64
                   ": they were damaged after they were written", h->tables_hash, tables);
    if (walk->ids_known && content != h->content_id)
        vxbi_found(c, VXB_FINDING_CONTENT_ID, HEADER_AT(content_id), "/header/content_id",
                   "the content id is 0x%016" PRIx64 ", the chunk table gives 0x%016" PRIx64, h->content_id, content);
    for (uint32_t k = 0; k < h->section_count; k++)
        if (grass->sections[k].chunk_count && walk->blades[k] != grass->sections[k].blade_count)
            vxbi_found(c, VXB_FINDING_SECTION_BLADE_TOTAL,
                       grass->layout.sections + k * vxbi_grass_section_bytes(h->format) +
                           VXBI_AT(grass_section2, blade_count),
                       vxbi_pointer(c, "/sections/%" PRIu32 "/blade_count", k),
                       "section %" PRIu32 " says %" PRIu32 " blades, its chunks have %" PRIu64, k,
                       grass->sections[k].blade_count, walk->blades[k]);
    if (end != h->file_bytes)
        vxbi_found(c, VXB_FINDING_FILE_END, HEADER_AT(file_bytes), "/header/file_bytes",
                   "%s at byte %" PRIu64 ", the header says that the file has %" PRIu64,
                   walk->any ? "the last chunk's data ends" : "the tables end", end, h->file_bytes);
}

enum vxb_status vxbi_grass_check_chunks(struct vxb_grass *grass, const struct vxb_env *env, const uint8_t *head,
                                        struct vxbi_collect *c, struct vxbi_grass_walk *out, struct vxb_error *err)
{
    struct vxb_grass_chunk chunks[VXBI_GRASS_WINDOW];
    uint32_t reserved[VXBI_GRASS_WINDOW];
    struct walk walk = {.ids_known = true};
    enum vxb_status status;
    *out = (struct vxbi_grass_walk){0};
    vxbi_hash_begin(&walk.tables);
    vxbi_hash_add(&walk.tables, head, (size_t)(grass->layout.chunks - grass->layout.sections));
    vxbi_content_begin(&walk.content, grass->header.cell_size);
    for (uint32_t first = 0; first < grass->header.chunk_count;) {
        uint32_t left = grass->header.chunk_count - first, n = left < VXBI_GRASS_WINDOW ? left : VXBI_GRASS_WINDOW;
        status = vxbi_grass_entries(grass, first, n, chunks, &walk.tables, reserved, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++) {
            step(grass, first + i, &chunks[i], reserved[i], &walk, out, c);
            if (c->stopped)
                return VXB_OK;
        }
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        first += n;
    }
    grass->unjudged = grass->unjudged || !walk.ids_known;
    status = check_first_gap(grass, &walk, c, err);
    if (status)
        return status;
    check_whole(grass, &walk, c);
    return c->stopped ? VXB_OK : vxbi_grass_check_cells(grass, env, c, err);
}
