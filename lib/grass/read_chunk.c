/* A chunk's bytes in the file to its records: read, decompressed, joined, hashed, every blade checked. A frame is
 * decompressed only where its header declares exactly the records the chunk table promised, and can hold them. */
#include <inttypes.h>
#include <stdio.h>

#include "../core/frame.h"
#include "legacy.h"

/* libvxbake-read may be built without zstd. */
#if !defined(VXBI_WITHOUT_ZSTD)
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { PIECE_BYTES = 128 << 10 };

struct vxb_grass_scratch *vxbi_grass_scratch_new(const struct vxb_allocator *allocator)
{
    struct vxb_grass_scratch *scratch = vxbi_new_zero(allocator, 1, sizeof *scratch);
    if (scratch)
        scratch->allocator = *allocator;
    return scratch;
}

void vxbi_grass_scratch_skip_hash(struct vxb_grass_scratch *scratch, bool skip)
{
    scratch->skip_hash = skip;
}

void vxbi_grass_scratch_skip_blades(struct vxb_grass_scratch *scratch, bool skip)
{
    scratch->skip_blades = skip;
}

static void drop(const struct vxb_allocator *allocator, struct vxbi_grass_block *block)
{
    vxbi_delete(allocator, block->data, 1, block->room);
    *block = (struct vxbi_grass_block){0};
}

void vxb_grass_scratch_free(struct vxb_grass_scratch *scratch)
{
    if (!scratch)
        return;
    struct vxb_allocator allocator = scratch->allocator;
    drop(&allocator, &scratch->compressed);
    drop(&allocator, &scratch->split);
    drop(&allocator, &scratch->blades);
    drop(&allocator, &scratch->order);
#if !defined(VXBI_WITHOUT_ZSTD)
    ZSTD_freeDCtx(scratch->zstd);
#endif
    vxbi_delete(&allocator, scratch, 1, sizeof *scratch);
}

enum vxb_status vxbi_grass_reserve(struct vxb_grass_scratch *scratch, struct vxbi_grass_block *block, size_t size,
                                   struct vxb_error *err)
{
    if (block->room >= size)
        return VXB_OK;
    drop(&scratch->allocator, block);
    block->data = vxbi_new(&scratch->allocator, 1, size);
    if (!block->data)
        return vxbi_fail_memory(err, size);
    block->room = size;
    return VXB_OK;
}

struct place {
    uint32_t index;
    const struct vxb_grass_chunk *chunk;
    struct vxbi_collect *collect;
};

static const char *pointer(const struct place *p, const char *field)
{
    return vxbi_pointer(p->collect, "/chunks/%" PRIu32 "/%s", p->index, field);
}

#if !defined(VXBI_WITHOUT_ZSTD)

/* Whether the frame may be decompressed into the chunk's records. */
static bool check_frame(const struct place *p, const uint8_t *data, size_t size)
{
    char holds[40];
    snprintf(holds, sizeof holds, "%" PRIu32 " blades have", p->chunk->blade_count);
    const struct vxbi_frame_place place = {p->collect, p->chunk->data_offset, pointer(p, "data"), "chunk", holds,
                                           (uint64_t)p->chunk->blade_count * VXB_GRASS_RECORD_BYTES};
    return vxbi_frame_check(&place, data, size);
}

static bool decompress(const struct place *p, struct vxb_grass_scratch *scratch, const uint8_t *data, size_t size,
                       uint8_t *out)
{
    size_t wanted = (size_t)p->chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    uint64_t at = p->chunk->data_offset;
    size_t frame_bytes = ZSTD_findFrameCompressedSize(data, size);
    if (ZSTD_isError(frame_bytes)) {
        vxbi_found(p->collect, VXB_FINDING_ZSTD_DAMAGED, at, pointer(p, "data"),
                   "the zstd frame is damaged: %s", ZSTD_getErrorName(frame_bytes));
        return false;
    }
    if (frame_bytes != size)
        vxbi_found(p->collect, VXB_FINDING_ZSTD_TRAILING, at + frame_bytes, pointer(p, "data"),
                   "the zstd frame has %zu bytes, the chunk's data %zu: a chunk is exactly one frame", frame_bytes,
                   size);
    size_t n = ZSTD_decompressDCtx(scratch->zstd, out, wanted, data, frame_bytes);
    if (ZSTD_isError(n)) {
        bool checksum = ZSTD_getErrorCode(n) == ZSTD_error_checksum_wrong;
        vxbi_found(p->collect, checksum ? VXB_FINDING_ZSTD_CHECKSUM : VXB_FINDING_ZSTD_DAMAGED, at,
                   pointer(p, "data"), "the zstd frame is damaged: %s", ZSTD_getErrorName(n));
        return false;
    }
    if (n != wanted)
        vxbi_found(p->collect, VXB_FINDING_ZSTD_SIZE, at, pointer(p, "data"),
                   "the zstd frame holds %zu bytes; %" PRIu32 " blades have %zu", n, p->chunk->blade_count, wanted);
    return n == wanted;
}

/* A compressed chunk to records. */
static enum vxb_status expand(const struct vxb_grass *grass, const struct place *p, uint8_t *records,
                              struct vxb_grass_scratch *scratch, bool *usable, struct vxb_error *err)
{
    const struct vxb_grass_chunk *chunk = p->chunk;
    size_t raw_bytes = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    bool split = (grass->header.flags & VXB_GRASS_SPLIT) != 0;
    enum vxb_status status = vxbi_grass_reserve(scratch, &scratch->compressed, chunk->data_bytes, err);
    if (!status)
        status = vxbi_grass_read_at(grass, chunk->data_offset, scratch->compressed.data, chunk->data_bytes, err);
    if (status || !check_frame(p, scratch->compressed.data, chunk->data_bytes))
        return status;
    if (split)
        status = vxbi_grass_reserve(scratch, &scratch->split, raw_bytes, err);
    if (!status && !scratch->zstd) {
        scratch->zstd = ZSTD_createDCtx();
        if (!scratch->zstd)
            status = vxbi_fail(err, VXB_ERR_MEMORY, "out of memory (a zstd decoder)");
        else
            ZSTD_DCtx_setParameter(scratch->zstd, ZSTD_d_windowLogMax, VXBI_FRAME_WINDOW_LOG);
    }
    if (status)
        return status;
    *usable = decompress(p, scratch, scratch->compressed.data, chunk->data_bytes,
                         split ? scratch->split.data : records);
    if (*usable && split)
        vxbi_grass_join(records, scratch->split.data, raw_bytes);
    return VXB_OK;
}

#else

static enum vxb_status expand(const struct vxb_grass *grass, const struct place *p, uint8_t *records,
                              struct vxb_grass_scratch *scratch, bool *usable, struct vxb_error *err)
{
    (void)grass;
    (void)p;
    (void)records;
    (void)scratch;
    (void)usable;
    return vxbi_fail(err, VXB_ERR_UNSUPPORTED, "the chunks are zstd frames, and this library was built without zstd: "
                     "one with it can write the file uncompressed");
}

#endif

/* Reads a chunk that is stored as it is, and hashes each piece while the cache still has it. *hash stays what it was
 * where hashes are skipped. */
static enum vxb_status read_raw(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk, uint8_t *records,
                                const struct vxb_grass_scratch *scratch, uint64_t *hash, struct vxb_error *err)
{
    const size_t size = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    struct vxbi_hash_state state;
    vxbi_hash_begin(&state);
    for (size_t done = 0, n; done < size; done += n) {
        n = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        /* Where nothing looks at the blades, one piece's room serves them all. */
        uint8_t *to = scratch->skip_blades ? records : records + done;
        enum vxb_status status = vxbi_grass_read_at(grass, chunk->data_offset + done, to, n, err);
        if (status)
            return status;
        if (!scratch->skip_hash)
            vxbi_hash_add(&state, to, n);
    }
    if (!scratch->skip_hash)
        *hash = vxbi_hash_end(&state);
    return VXB_OK;
}

enum vxb_status vxbi_grass_fetch(const struct vxb_grass *grass, uint32_t index, struct vxb_grass_chunk *chunk,
                                 uint8_t *records, struct vxb_grass_scratch *scratch, struct vxbi_collect *collect,
                                 bool *usable, struct vxb_error *err)
{
    const struct place place = {index, chunk, collect};
    size_t raw_bytes = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    uint64_t hash = chunk->hash;
    enum vxb_status status;
    *usable = false;
    if (grass->header.format == 1) {
        status = vxbi_legacy_fetch(grass, chunk, records, scratch, collect, err);
        *usable = !status;
        return status;
    }
    if (grass->header.flags & VXB_GRASS_ZSTD) {
        status = expand(grass, &place, records, scratch, usable, err);
        hash = *usable && !scratch->skip_hash ? vxbi_hash(records, raw_bytes) : hash;
    } else {
        status = read_raw(grass, chunk, records, scratch, &hash, err);
        *usable = !status;
    }
    if (status || !*usable || collect->stopped)
        return status;
    if (hash != chunk->hash)
        vxbi_found(collect, VXB_FINDING_CHUNK_HASH, chunk->data_offset, pointer(&place, "hash"),
                   "the chunk's hash is 0x%016" PRIx64 ", its records give 0x%016" PRIx64
                   ": they were damaged after they were written", chunk->hash, hash);
    if (!scratch->skip_blades)
        vxbi_grass_check_records(grass, index, chunk, records, collect);
    return VXB_OK;
}

void vxbi_grass_bounds_add(const struct vxb_grass *grass, struct vxbi_bounds_section *bounds,
                           const struct vxb_grass_chunk *chunk, const uint8_t *records,
                           const struct vxb_grass_scratch *scratch)
{
    if (grass->header.format == 1)
        vxbi_legacy_bounds_add(bounds, chunk, scratch);
    else
        vxbi_bounds_add(bounds, chunk, grass->header.cell_size, records);
}

enum vxb_status vxbi_grass_check_gap(const struct vxb_grass *grass, uint32_t index,
                                     const struct vxb_grass_chunk *before, const struct vxb_grass_chunk *chunk,
                                     struct vxbi_collect *collect, struct vxb_error *err)
{
    uint8_t gap[VXB_GRASS_CHUNK_ALIGN];
    const struct place place = {index, chunk, collect};
    uint64_t from = before->data_offset + before->data_bytes;
    /* Any other distance is reported as a wrong offset. */
    if (grass->header.format == 1 || (grass->header.flags & VXB_GRASS_ZSTD) ||
        chunk->data_offset != vxbi_grass_raw_start(from))
        return VXB_OK;
    size_t size = (size_t)(chunk->data_offset - from);
    enum vxb_status status = size ? vxbi_grass_read_at(grass, from, gap, size, err) : VXB_OK;
    for (size_t i = 0; !status && i < size; i++)
        if (gap[i]) {
            vxbi_found(collect, VXB_FINDING_CHUNK_GAP, from + i, pointer(&place, "gap"),
                       "the gap before the chunk's data holds 0x%02x, not 0", gap[i]);
            break;
        }
    return status;
}

/* Adds which chunk it was; the caller has given an entry, not its index. */
static enum vxb_status read_one(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk, uint8_t *records,
                                struct vxb_grass_scratch *scratch, struct vxb_error *err)
{
    bool found, usable;
    uint32_t index = 0;
    struct vxb_grass_chunk same;
    struct vxbi_collect collect = {.err = err};
    enum vxb_status status = vxbi_grass_fetch(grass, 0, chunk, records, scratch, &collect, &usable, err);
    if (status || !collect.stopped)
        return status;
    /* Messages on format 1 name the blade by its number in the file. */
    if (grass->header.format == 1)
        return collect.status;
    if (!vxb_grass_find(grass, chunk->section, chunk->cell_x, chunk->cell_z, &found, &index, &same, NULL) && found &&
        err) {
        /* Once more, with the index in place: what is damaged is rare, and read again. */
        vxb_error_clear(err);
        collect = (struct vxbi_collect){.err = err};
        status = vxbi_grass_fetch(grass, index, chunk, records, scratch, &collect, &usable, err);
    }
    return status ? status : collect.status;
}

enum vxb_status vxbi_grass_read_entry(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk, uint8_t *records,
                                      size_t capacity, struct vxb_grass_scratch **scratch, struct vxb_error *err)
{
    uint64_t raw_bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES, need = 0;
    if (!vxbi_grass_readable(grass, chunk))
        return vxbi_fail(err, VXB_ERR_USAGE, "the chunk is not one of this file's");
    if (capacity < raw_bytes)
        return vxbi_fail(err, VXB_ERR_USAGE, "the chunk's records have %" PRIu64 " bytes, there is room for %zu",
                         raw_bytes, capacity);
    if (grass->header.flags & VXB_GRASS_ZSTD)
        need += chunk->data_bytes;
    if (grass->header.flags & VXB_GRASS_SPLIT)
        need += raw_bytes;
    if (grass->header.format == 1)
        need += vxbi_legacy_memory(chunk->blade_count);
    if (need > grass->max_memory) {
        vxbi_fail_max_memory(err, grass->max_memory, "reading the chunk takes %" PRIu64 " bytes", need);
        return vxbi_error_in(err, VXB_ERR_LIMIT, grass->name, NULL);
    }
    struct vxb_grass_scratch *own = scratch ? *scratch : NULL;
    if (!own)
        own = vxbi_grass_scratch_new(&grass->allocator);
    if (!own)
        return vxbi_fail_memory(err, sizeof *own);
    enum vxb_status status = read_one(grass, chunk, records, own, err);
    if (scratch)
        *scratch = own;
    else
        vxb_grass_scratch_free(own);
    return status ? vxbi_error_in(err, status, grass->name, NULL) : VXB_OK;
}

enum vxb_status vxb_grass_read_chunk(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk,
                                     uint8_t *records, size_t capacity, struct vxb_grass_scratch **scratch,
                                     struct vxb_error *err)
{
    struct vxb_grass_chunk own = *chunk;
    return vxbi_grass_read_entry(grass, &own, records, capacity, scratch, err);
}
