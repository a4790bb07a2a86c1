/* A recipe baked again, to nowhere, beside a file: every record, every chunk, every count. The writer hands each chunk
 * over as it would write it; which chunks are missing or too many is told after it from the finished tables. */
#include <inttypes.h>
#include <string.h>

#include "core/text.h"
#include "grass/field.h"
#include "grass/write.h"
#include "verify_work.h"

struct rebake {
    const struct vxb_grass *grass;
    struct vxbi_collect *collect;
    /* Workers hand chunks over. What they tell of them is under the lock, and so are the readers that none has now. */
    struct vxbi_mutex *mutex;
    struct reader *idle;
    enum vxb_status status;
    struct vxb_error err;
};

/* What it takes to read the file's chunks, for one worker at a time. */
struct reader {
    struct reader *next;
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    size_t room;
    struct vxb_error err;
};

static struct reader *borrow(struct rebake *r)
{
    vxbi_mutex_lock(r->mutex);
    struct reader *reader = r->idle;
    if (reader)
        r->idle = reader->next;
    vxbi_mutex_unlock(r->mutex);
    return reader ? reader : vxbi_new_zero(&r->grass->allocator, 1, sizeof *reader);
}

static void free_readers(struct rebake *r)
{
    const struct vxb_allocator *allocator = &r->grass->allocator;
    for (struct reader *reader; (reader = r->idle) != NULL;) {
        r->idle = reader->next;
        vxb_grass_scratch_free(reader->scratch);
        vxbi_delete(allocator, reader->records, 1, reader->room);
        vxbi_delete(allocator, reader, 1, sizeof *reader);
    }
}

static enum vxb_status reserve(const struct rebake *r, struct reader *reader, size_t size)
{
    if (size <= reader->room)
        return VXB_OK;
    vxbi_delete(&r->grass->allocator, reader->records, 1, reader->room);
    reader->records = vxbi_new(&r->grass->allocator, 1, size);
    reader->room = reader->records ? size : 0;
    return reader->records ? VXB_OK : vxbi_fail_memory(&reader->err, size);
}

static void tell_records(struct rebake *r, uint32_t index, const struct vxb_grass_chunk *chunk, uint32_t blade)
{
    vxbi_mutex_lock(r->mutex);
    r->collect->ordinal = index;
    vxbi_found(r->collect, VXB_FINDING_REBAKE_BLADES, chunk->data_offset,
               vxbi_pointer(r->collect, "/chunks/%" PRIu32 "/blades/%" PRIu32, index, blade),
               "the blades of cell (%" PRId32 ", %" PRId32 ") differ from the recipe's from blade %" PRIu32 " on",
               chunk->cell_x, chunk->cell_z, blade);
    r->collect->ordinal = 0;
    vxbi_mutex_unlock(r->mutex);
}

static enum vxb_status compare_records(struct rebake *r, struct reader *reader, uint32_t section,
                                       const struct vxb_grass_chunk *made, const uint8_t *records)
{
    struct vxb_grass_chunk chunk;
    bool found;
    uint32_t index;
    size_t size = (size_t)made->blade_count * VXB_GRASS_RECORD_BYTES;
    enum vxb_status status =
        vxb_grass_find(r->grass, section, made->cell_x, made->cell_z, &found, &index, &chunk, &reader->err);
    if (status || !found || chunk.blade_count != made->blade_count)
        return status; /* a chunk that differs is told by compare_chunks() */
    status = reserve(r, reader, size);
    if (!status)
        status = vxb_grass_read_chunk(r->grass, &chunk, reader->records, reader->room, &reader->scratch, &reader->err);
    if (status || memcmp(reader->records, records, size) == 0)
        return status;
    uint32_t blade = 0;
    while (memcmp(reader->records + (size_t)blade * VXB_GRASS_RECORD_BYTES,
                  records + (size_t)blade * VXB_GRASS_RECORD_BYTES, VXB_GRASS_RECORD_BYTES) == 0)
        blade++;
    tell_records(r, index, &chunk, blade);
    return VXB_OK;
}

static void add_chunk(void *user, uint32_t section, const struct vxb_grass_chunk *made, const uint8_t *records,
                      uint32_t spilled)
{
    struct rebake *r = user;
    struct vxb_error err = {0};
    struct reader *reader = borrow(r);
    (void)spilled;
    enum vxb_status status =
        reader ? compare_records(r, reader, section, made, records) : vxbi_fail_memory(&err, sizeof *reader);
    vxbi_mutex_lock(r->mutex);
    if (status && !r->status) {
        r->status = status;
        r->err = reader ? reader->err : err;
    }
    if (reader) {
        reader->next = r->idle;
        r->idle = reader;
    }
    vxbi_mutex_unlock(r->mutex);
}

static int compare_cells(const struct vxb_grass_chunk *file, const struct vxbi_field_chunk *made)
{
    if (file->cell_z != made->cell_z)
        return file->cell_z < made->cell_z ? -1 : 1;
    return file->cell_x == made->cell_x ? 0 : file->cell_x < made->cell_x ? -1 : 1;
}

static void compare_values(struct rebake *r, uint32_t index, const struct vxb_grass_chunk *file,
                           const struct vxbi_field_chunk *made)
{
    char text[6][VXB_TEXT_NUMBER_ROOM];
    uint64_t at = r->grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES;
    if (file->blade_count == made->blade_count && file->min_y == made->min_y && file->max_y == made->max_y &&
        file->max_scale == made->max_scale)
        return;
    vxbi_found(r->collect, VXB_FINDING_REBAKE_CHUNK, at, vxbi_pointer(r->collect, "/chunks/%" PRIu32, index),
               "cell (%" PRId32 ", %" PRId32 ") has %" PRIu32 " blades, heights %s to %s, largest scale %s; the "
               "recipe gives %" PRIu32 ", %s to %s, %s", file->cell_x, file->cell_z, file->blade_count,
               vxb_text_f32(file->min_y, text[0]), vxb_text_f32(file->max_y, text[1]),
               vxb_text_f32(file->max_scale, text[2]), made->blade_count, vxb_text_f32(made->min_y, text[3]),
               vxb_text_f32(made->max_y, text[4]), vxb_text_f32(made->max_scale, text[5]));
}

static void missing(struct rebake *r, uint32_t section, uint32_t index, const struct vxbi_field_chunk *made)
{
    vxbi_found(r->collect, VXB_FINDING_REBAKE_CHUNK_MISSING,
               r->grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES,
               vxbi_pointer(r->collect, "/sections/%" PRIu32 "/chunks", section),
               "the recipe gives %" PRIu32 " blades in cell (%" PRId32 ", %" PRId32 "), the file none",
               made->blade_count, made->cell_x, made->cell_z);
}

static void extra(struct rebake *r, uint32_t index, const struct vxb_grass_chunk *file)
{
    vxbi_found(r->collect, VXB_FINDING_REBAKE_CHUNK_EXTRA,
               r->grass->layout.chunks + (uint64_t)index * VXB_GRASS_CHUNK_BYTES,
               vxbi_pointer(r->collect, "/chunks/%" PRIu32, index),
               "the file has %" PRIu32 " blades in cell (%" PRId32 ", %" PRId32 "), the recipe gives none",
               file->blade_count, file->cell_x, file->cell_z);
}

/* Both lists ascend by cell: one walk over the two. */
static enum vxb_status compare_chunks(struct rebake *r, uint32_t section, const struct vxbi_field_section *made,
                                      struct vxb_error *err)
{
    const struct vxb_grass_section *s = &r->grass->sections[section];
    struct vxb_grass_chunk window[VXBI_GRASS_WINDOW];
    uint64_t m = 0;
    for (uint32_t done = 0; done < s->chunk_count;) {
        uint32_t left = s->chunk_count - done, n = left < VXBI_GRASS_WINDOW ? left : VXBI_GRASS_WINDOW;
        enum vxb_status status = vxb_grass_chunks(r->grass, s->first_chunk + done, n, window, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t index = s->first_chunk + done + i;
            while (m < made->count && compare_cells(&window[i], &made->chunks[m]) > 0)
                missing(r, section, index, &made->chunks[m++]);
            if (m < made->count && compare_cells(&window[i], &made->chunks[m]) == 0)
                compare_values(r, index, &window[i], &made->chunks[m++]);
            else
                extra(r, index, &window[i]);
        }
        done += n;
    }
    while (m < made->count)
        missing(r, section, s->first_chunk + s->chunk_count, &made->chunks[m++]);
    return VXB_OK;
}

static void compare_section(struct rebake *r, uint32_t k, const struct vxbi_field_section *made)
{
    const struct vxb_grass_section *s = &r->grass->sections[k];
    uint64_t at = r->grass->layout.sections + k * vxbi_grass_section_bytes(r->grass->header.format);
    const struct {
        const char *key, *what;
        uint64_t file, made;
        uint32_t offset;
    } fields[3] = {{"chunk_count", "chunks", s->chunk_count, made->count, 16},
                   {"blade_count", "blades", s->blade_count, made->ledger.placed, 24},
                   {"rank_limit", "as rank limit", s->rank_limit, made->rank_limit, 30}};
    for (int i = 0; i < 3; i++)
        if (fields[i].file != fields[i].made)
            vxbi_found(r->collect, VXB_FINDING_REBAKE_SECTION, at + fields[i].offset,
                       vxbi_pointer(r->collect, "/sections/%" PRIu32 "/%s", k, fields[i].key),
                       "section %" PRIu32 " has %" PRIu64 " %s, the recipe gives %" PRIu64, k, fields[i].file,
                       fields[i].what, fields[i].made);
}

static void compare_header(struct rebake *r, const struct vxb_grass_header *made)
{
    static const char *const axes[3] = {"x", "y", "z"};
    const struct vxb_grass_header *h = &r->grass->header;
    const uint16_t compression = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT;
    char text[4][VXB_TEXT_NUMBER_ROOM];
    if ((h->flags & ~compression) != (made->flags & ~compression))
        vxbi_found(r->collect, VXB_FINDING_REBAKE_HEADER, 24, "/header/flags",
                   "the flags, compression apart, are 0x%04x, the recipe gives 0x%04x", h->flags & ~compression,
                   made->flags & ~compression);
    if (h->content_id != made->content_id)
        vxbi_found(r->collect, VXB_FINDING_REBAKE_HEADER, 112, "/header/content_id",
                   "the content id is 0x%016" PRIx64 ", the recipe gives 0x%016" PRIx64, h->content_id,
                   made->content_id);
    for (unsigned i = 0; i < 3; i++) {
        const bool low = vxbi_f32_bits(h->bounds_min[i]) != vxbi_f32_bits(made->bounds_min[i]);
        if (low || vxbi_f32_bits(h->bounds_max[i]) != vxbi_f32_bits(made->bounds_max[i]))
            vxbi_found(r->collect, VXB_FINDING_REBAKE_HEADER, 64 + 4 * i,
                       vxbi_pointer(r->collect, "/header/bounds_%s/%u", low ? "min" : "max", i),
                       "the bounds along %s are %s to %s, the recipe gives %s to %s", axes[i],
                       vxb_text_f32(h->bounds_min[i], text[0]), vxb_text_f32(h->bounds_max[i], text[1]),
                       vxb_text_f32(made->bounds_min[i], text[2]), vxb_text_f32(made->bounds_max[i], text[3]));
    }
}

/* Makes the field and hands over its chunks: as they come, unless a budget has to choose among all blades, and then
 * through a temporary, or counted first, as pays. Clear it after success only. */
static enum vxb_status make(const struct vxb_env *env, const struct vxb_plan *plan, struct rebake *r,
                            struct vxbi_field *field, struct vxb_grass_header *header, struct vxb_error *err)
{
    const struct vxbi_chunk_sink sink = {.user = r, .add = add_chunk};
    const struct vxbi_write_options write = {.sink = &sink};
    if (!vxbi_field_may_choose(plan))
        return vxbi_grass_pass(env, plan, &vxbi_cpu_source, &write, field, header, err);
    const bool count = vxbi_cpu_counts_first(env, plan, NULL);
    enum vxb_status status =
        count ? vxbi_field_count(env, plan, NULL, &vxbi_cpu_counting_source, field, err)
              : vxbi_field_make(env, plan, NULL, NULL, &vxbi_cpu_source, NULL, field, err);
    if (status)
        return status;
    status = count ? vxbi_grass_write_counted(env, field, NULL, &vxbi_cpu_counting_source, NULL, &write, header, err)
                   : vxbi_grass_write(env, field, NULL, &write, header, err);
    if (status)
        vxbi_field_clear(field);
    return status;
}

static enum vxb_status compare(struct rebake *r, const struct vxb_grass_header *header,
                               const struct vxbi_field *field, struct vxb_error *err)
{
    enum vxb_status status = r->status;
    if (status) {
        *err = r->err;
        return status;
    }
    compare_header(r, header);
    for (uint32_t k = 0; !status && k < r->grass->header.section_count; k++) {
        compare_section(r, k, &field->sections[k]);
        status = compare_chunks(r, k, &field->sections[k], err);
    }
    return status;
}

enum vxb_status vxbi_verify_rebake(const struct vxb_env *env, const struct vxb_grass *grass,
                                   const struct vxb_plan *plan, struct vxbi_collect *collect, struct vxb_error *err)
{
    struct vxb_error own = {0};
    struct rebake r = {.grass = grass, .collect = collect, .mutex = vxbi_mutex_new(&grass->allocator)};
    struct vxbi_field field;
    struct vxb_grass_header header;
    err = err ? err : &own;
    if (!r.mutex)
        return vxbi_fail_memory(err, 0);
    enum vxb_status status = make(env, plan, &r, &field, &header, err);
    if (!status) {
        status = compare(&r, &header, &field, err);
        vxbi_field_clear(&field);
    }
    free_readers(&r);
    vxbi_mutex_free(&grass->allocator, r.mutex);
    return status;
}
