/* The hashes of a grass file or an irradiance field, stored and made anew. A damaged file is what they are for, so
 * nothing of it is believed but where the tables stand, and only as far as the reader believes it too. */
#include <inttypes.h>

#include "../core/env.h"
#include "loose.h"
#include "sink.h"
#include "table.h"

static const struct vxbi_column columns[] = {{"what", -8},   {"index", 9},     {"offset", 12},
                                             {"stored", 18}, {"computed", 18}, {"match", -5}};
static const struct vxbi_table table = {"hashes", NULL, columns, sizeof columns / sizeof *columns};

struct hashes {
    const struct vxb_env *env;
    struct vxbi_loose *loose;
    struct vxbi_listing listing;
    struct vxbi_loose_records records;
    uint64_t mismatches;
};

/* computed: NULL where it could not be made. */
static enum vxb_status add(struct hashes *h, const char *what, const uint32_t *index, uint64_t offset, uint64_t stored,
                           const uint64_t *computed, struct vxb_error *err)
{
    const bool match = computed && *computed == stored;
    const struct vxbi_cell none = {.kind = VXBI_CELL_NONE};
    const struct vxbi_cell cells[] = {vxbi_cell_text(what),
                                      index ? vxbi_cell_u64(*index) : none,
                                      vxbi_cell_u64(offset),
                                      vxbi_cell_id(stored),
                                      computed ? vxbi_cell_id(*computed) : none,
                                      vxbi_cell_bool(match)};
    h->mismatches += !match;
    return vxbi_listing_row(&h->listing, cells) ? VXB_OK : vxbi_sink_failed(err);
}

static enum vxb_status header(struct hashes *h, struct vxb_error *err)
{
    uint8_t zeroed[VXB_GRASS_HEADER_BYTES];
    const size_t at = VXBI_AT(grass_header, header_hash);
    _Static_assert(VXB_PROBE_HEADER_BYTES == VXB_GRASS_HEADER_BYTES &&
                       VXBI_AT(probe_header, header_hash) == VXBI_AT(grass_header, header_hash),
                   "the hash of either header is its last eight bytes");
    memcpy(zeroed, h->loose->head, sizeof zeroed);
    memset(zeroed + at, 0, 8);
    const uint64_t computed = vxbi_hash(zeroed, sizeof zeroed);
    return add(h, "header", NULL, at, vxbi_load_u64(h->loose->head + at), &computed, err);
}

static enum vxb_status tables(struct hashes *h, struct vxb_error *err)
{
    const struct vxb_grass *grass = h->loose->grass;
    struct vxbi_hash_state state;
    uint64_t offsets[5], computed;
    const bool known = grass->known >= VXBI_GRASS_TABLES;
    vxb_grass_table_offsets(grass, offsets);
    vxbi_hash_begin(&state);
    for (uint64_t at = offsets[0]; known && at < offsets[4];) {
        uint8_t bytes[4096];
        const uint64_t left = offsets[4] - at;
        size_t got;
        enum vxb_status status =
            vxbi_loose_read(h->loose, at, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes, &got, err);
        if (status != VXB_OK)
            return status;
        if (got == 0)
            break;
        vxbi_hash_add(&state, bytes, got);
        at += got;
    }
    computed = vxbi_hash_end(&state);
    return add(h, "tables", NULL, VXBI_AT(grass_header, tables_hash), grass->header.tables_hash,
               known ? &computed : NULL, err);
}

static enum vxb_status content(struct hashes *h, struct vxb_error *err)
{
    const struct vxb_grass *grass = h->loose->grass;
    bool known = grass->known >= VXBI_GRASS_SECTIONS;
    struct vxbi_hash_state state;
    vxbi_content_begin(&state, grass->header.cell_size);
    for (uint32_t first = 0; known && first < grass->header.chunk_count;) {
        struct vxb_grass_chunk window[VXBI_GRASS_WINDOW];
        const uint32_t left = grass->header.chunk_count - first;
        const uint32_t n = left < VXBI_GRASS_WINDOW ? left : VXBI_GRASS_WINDOW;
        enum vxb_status status = vxbi_grass_entries(grass, first, n, window, NULL, NULL, err);
        if (status != VXB_OK)
            return status;
        for (uint32_t i = 0; i < n && known; i++) {
            const uint32_t section = vxbi_grass_section_of(grass, first + i);
            known = section < grass->header.section_count;
            if (known)
                vxbi_content_add(&state, grass->sections[section].species_id, &window[i]);
        }
        first += n;
    }
    const uint64_t computed = vxbi_hash_end(&state);
    return add(h, "content", NULL, VXBI_AT(grass_header, content_id), grass->header.content_id,
               known ? &computed : NULL, err);
}

static enum vxb_status materials(struct hashes *h, struct vxb_error *err)
{
    const struct vxb_grass *grass = h->loose->grass;
    enum vxb_status status = VXB_OK;
    if (grass->header.format != 3 || grass->known < VXBI_GRASS_SECTIONS)
        return VXB_OK;
    for (uint32_t k = 0; k < grass->header.section_count && status == VXB_OK; k++) {
        const struct vxb_grass_section *section = &grass->sections[k];
        const uint64_t computed = vxbi_hash(section->material, strlen(section->material));
        const uint64_t at = grass->layout.sections + (uint64_t)k * VXB_GRASS_SECTION3_BYTES;
        status = add(h, "material", &k, at + VXBI_AT(grass_section3, material_id),
                     section->material_id, &computed, err);
    }
    return status;
}

static void ignore(void *user, const struct vxbi_found *found)
{
    (void)user;
    (void)found;
}

static enum vxb_status chunk(struct hashes *h, uint32_t index, struct vxb_grass_chunk *entry, struct vxb_error *err)
{
    const struct vxb_grass *grass = h->loose->grass;
    struct vxbi_collect collect = {.add = ignore};
    bool usable;
    uint64_t computed = 0;
    enum vxb_status status = vxbi_loose_fetch(h->loose, index, entry, &h->records, &collect, &usable, err);
    if (status != VXB_OK)
        return status;
    if (usable)
        computed = vxbi_hash(h->records.data, (size_t)entry->blade_count * VXB_GRASS_RECORD_BYTES);
    return add(h, "chunk", &index,
               grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES + VXBI_AT(grass_chunk, hash), entry->hash,
               usable ? &computed : NULL, err);
}

static enum vxb_status chunks(struct hashes *h, struct vxb_error *err)
{
    const struct vxb_grass *grass = h->loose->grass;
    enum vxb_status status = VXB_OK;
    if (grass->known < VXBI_GRASS_TABLES)
        return VXB_OK;
    for (uint32_t i = 0; i < grass->header.chunk_count && status == VXB_OK; i++) {
        struct vxb_grass_chunk entry;
        if (vxbi_cancelled(h->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = vxbi_grass_entries(grass, i, 1, &entry, NULL, NULL, err);
        if (status == VXB_OK)
            status = chunk(h, i, &entry, err);
    }
    return status;
}

/* ---- irradiance fields ---- */

static enum vxb_status probe_hashes(struct hashes *h, const struct vxb_probe_file *file, struct vxb_error *err)
{
    const bool known = file && file->known >= VXBI_PROBE_TABLES;
    const size_t tables_at = VXBI_AT(probe_header, tables_hash), content_at = VXBI_AT(probe_header, content_id);
    enum vxb_status status =
        add(h, "tables", NULL, tables_at, vxbi_load_u64(h->loose->head + tables_at),
            known && file->tables_whole ? &file->tables_hash : NULL, err);
    if (status == VXB_OK)
        status = add(h, "content", NULL, content_at, vxbi_load_u64(h->loose->head + content_at),
                     known ? &file->content_id : NULL, err);
    for (uint32_t k = 0; known && k < VXB_PROBE_PLANES && status == VXB_OK; k++) {
        uint64_t hash;
        bool there;
        status = vxbi_probe_plane_hash(h->env, file, k, &hash, &there, err);
        if (status == VXB_OK)
            status = add(h, "plane", &k, file->layout.planes + k * VXB_PROBE_PLANE_BYTES + VXBI_AT(probe_plane, hash),
                         file->planes[k].hash, there ? &hash : NULL, err);
    }
    return status;
}

static enum vxb_status probes(struct hashes *h, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = ignore};
    struct vxb_probe_file *file;
    enum vxb_status status = vxbi_loose_probes(h->loose, h->env, &collect, &file, err);
    if (status == VXB_OK)
        status = probe_hashes(h, file, err);
    vxb_probe_file_close(file);
    return status;
}

/* ---- all ---- */

static enum vxb_status grass(struct hashes *h, struct vxb_error *err)
{
    enum vxb_status status = tables(h, err);
    if (status == VXB_OK)
        status = content(h, err);
    if (status == VXB_OK)
        status = materials(h, err);
    return status == VXB_OK ? chunks(h, err) : status;
}

/* What has hashes to look at. */
static enum vxb_status check(const struct vxbi_loose *loose, struct vxb_error *err)
{
    switch (loose->format) {
    case VXBI_LOOSE_UNKNOWN:
        return vxbi_fail(err, VXB_ERR_FORMAT, "this is not a file that has hashes: neither a grass file of format 2 or "
                         "3 nor an irradiance field of format 1");
    case VXBI_LOOSE_GRASS_1:
    case VXBI_LOOSE_KTX2:
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED, "there is no hash in a file of this format, %s",
                         vxbi_loose_format_name(loose->format));
    case VXBI_LOOSE_GRASS_2:
    case VXBI_LOOSE_GRASS_3:
    case VXBI_LOOSE_PROBES_1: break;
    }
    if (loose->grass->size < VXB_GRASS_HEADER_BYTES)
        return vxbi_fail(err, VXB_ERR_DATA, "the file ends after %" PRIu64 " bytes; the header of such a file has 128",
                         loose->grass->size);
    return VXB_OK;
}

static enum vxb_status list(struct hashes *h, enum vxb_list_format format, const struct vxb_sink *sink,
                            struct vxb_error *err)
{
    vxbi_listing_begin(&h->listing, sink, format, "hashes", vxbi_loose_format_name(h->loose->format));
    vxbi_listing_table(&h->listing, &table);
    enum vxb_status status = header(h, err);
    if (status == VXB_OK)
        status = h->loose->format == VXBI_LOOSE_PROBES_1 ? probes(h, err) : grass(h, err);
    vxbi_listing_table_end(&h->listing);
    return vxbi_listing_end(&h->listing, status, err);
}

enum vxb_status vxbi_list_hashes(struct vxbi_loose *loose, const struct vxb_env *env, enum vxb_list_format format,
                                 const struct vxb_sink *sink, uint64_t *mismatches, struct vxb_error *err)
{
    struct hashes h = {.env = env, .loose = loose};
    struct vxbi_damage damage = {0};
    enum vxb_status status = check(loose, err);
    if (status == VXB_OK)
        status = vxbi_loose_check(loose, env, loose->format, &damage, err);
    if (status == VXB_OK)
        status = list(&h, format, sink, err);
    *mismatches = h.mismatches;
    vxbi_loose_records_clear(loose, &h.records);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, loose->grass->name, NULL);
}

enum vxb_status vxb_list_hashes(const struct vxb_env *env, const char *path, enum vxb_list_format format,
                                const struct vxb_sink *sink, uint64_t *mismatches, struct vxb_error *err)
{
    struct vxbi_loose loose;
    enum vxb_status status = vxbi_loose_open(env, path, &loose, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_list_hashes(&loose, env, format, sink, mismatches, err);
    vxbi_loose_close(&loose);
    return status;
}
