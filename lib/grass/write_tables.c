/* The tables of formats 2 and 3: what they say once the chunks are known, and their way into the file. */
#include "write_tables.h"

#include <stddef.h>

#include "../core/alloc.h"
#include "../core/bytes.h"
#include "../core/error.h"
#include "../core/hash.h"
#include "format.h"

struct vxb_grass_chunk vxbi_grass_write_entry(const struct vxbi_field_chunk *from, uint32_t section)
{
    return (struct vxb_grass_chunk){.cell_x = from->cell_x, .cell_z = from->cell_z, .blade_count = from->blade_count,
                                    .min_y = from->min_y, .max_y = from->max_y, .max_scale = from->max_scale,
                                    .section = section, .hash = from->hash};
}

static void put_strings(struct vxbi_writer *out, const struct vxbi_write_input *input)
{
    for (uint32_t k = 0; k < input->header.section_count; k++) {
        const struct vxb_grass_section *s = &input->sections[k];
        vxbi_grass_put_string(out, s->name);
        vxbi_grass_put_string(out, s->material);
        vxbi_grass_put_string(out, s->mesh);
        for (uint32_t i = 0; i < s->pass_count; i++)
            vxbi_grass_put_string(out, s->passes[i]);
    }
}

void vxbi_grass_write_counts(struct vxbi_write_input *input, const struct vxbi_write_options *options)
{
    struct vxb_grass_header *header = &input->header;
    struct vxbi_writer measure = {0};
    put_strings(&measure, input);
    header->header_bytes = VXB_GRASS_HEADER_BYTES;
    header->string_bytes = (uint32_t)measure.at;
    header->flags |= (uint16_t)((options->compress ? VXB_GRASS_ZSTD : 0) |
                                (options->compress && options->split ? VXB_GRASS_SPLIT : 0));
    header->chunk_count = header->blade_count = header->lod_count = 0;
    for (uint32_t k = 0; k < header->section_count; k++) {
        struct vxb_grass_section *s = &input->sections[k];
        s->first_chunk = header->chunk_count;
        s->chunk_count = (uint32_t)input->counts[k];
        s->first_blade = header->blade_count;
        s->blade_count = 0;
        for (uint64_t i = 0; i < input->counts[k]; i++)
            s->blade_count += input->chunks[k][i].blade_count;
        s->first_lod = header->lod_count;
        header->chunk_count += s->chunk_count;
        header->blade_count += s->blade_count;
        header->lod_count += s->lod_count;
    }
}

static void put_to(struct vxbi_writer *out, uint64_t offset)
{
    vxbi_put_zeros(out, (size_t)(offset - VXB_GRASS_HEADER_BYTES - out->at));
}

/* Section, LOD and string table with their padding, from byte 128 to the chunk table. */
static void put_tables(struct vxbi_writer *out, const struct vxbi_write_input *input,
                       const struct vxbi_grass_layout *layout)
{
    for (uint32_t k = 0; k < input->header.section_count; k++)
        vxbi_grass_put_section(out, input->header.format, &input->sections[k]);
    put_to(out, layout->lods);
    for (uint32_t k = 0; k < input->header.lod_count; k++)
        vxbi_grass_put_lod(out, &input->lods[k]);
    put_to(out, layout->strings);
    put_strings(out, input);
    put_to(out, layout->chunks);
}

/* Writes bytes of the tables and adds them to their hash. */
struct table_stream {
    struct vxb_output *output;
    struct vxbi_hash_state hash;
    uint64_t at;
};

static enum vxb_status stream(struct table_stream *s, const void *data, size_t size, struct vxb_error *err)
{
    vxbi_hash_add(&s->hash, data, size);
    enum vxb_status status = s->output ? vxbi_output_write_at(s->output, s->at, data, size, err) : VXB_OK;
    s->at += size;
    return status;
}

static enum vxb_status stream_chunks(struct table_stream *s, const struct vxbi_write_input *input,
                                     uint64_t *content_id, struct vxb_error *err)
{
    struct vxbi_hash_state content;
    enum vxb_status status = VXB_OK;
    uint32_t first_blade = 0;
    vxbi_content_begin(&content, input->header.cell_size);
    for (uint32_t k = 0; k < input->header.section_count; k++) {
        for (uint64_t i = 0; i < input->counts[k] && !status;) {
            uint8_t bytes[64 * VXB_GRASS_CHUNK_BYTES];
            struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
            for (; i < input->counts[k] && out.at < sizeof bytes; i++) {
                struct vxb_grass_chunk entry = vxbi_grass_write_entry(&input->chunks[k][i], k);
                entry.first_blade = first_blade;
                entry.data_offset = input->chunks[k][i].spill_offset;
                entry.data_bytes = input->chunks[k][i].spilled;
                first_blade += entry.blade_count;
                vxbi_grass_put_chunk(&out, &entry);
                vxbi_content_add(&content, input->sections[k].species_id, &entry);
            }
            status = stream(s, bytes, out.at, err);
        }
    }
    *content_id = vxbi_hash_end(&content);
    return status;
}

enum vxb_status vxbi_grass_write_tables(struct vxbi_write_input *input, struct vxb_output *output,
                                        const struct vxbi_grass_layout *layout, uint64_t data_start,
                                        struct vxb_error *err)
{
    const struct vxb_allocator *allocator = &input->allocator;
    struct table_stream s = {.output = output, .at = VXB_GRASS_HEADER_BYTES};
    const uint64_t size = layout->chunks - VXB_GRASS_HEADER_BYTES;
    static const uint8_t zeros[VXB_GRASS_CHUNK_ALIGN];
    uint8_t *bytes = vxbi_new(allocator, size, 1);
    if (!bytes)
        return vxbi_fail_memory(err, size);
    struct vxbi_writer out = {.data = bytes, .room = (size_t)size};
    put_tables(&out, input, layout);
    vxbi_hash_begin(&s.hash);
    enum vxb_status status = out.failed || out.at != size
                                 ? vxbi_fail(err, VXB_ERR_BUG, "the tables do not have the size that was computed")
                                 : stream(&s, bytes, (size_t)size, err);
    vxbi_delete(allocator, bytes, size, 1);
    if (!status)
        status = stream_chunks(&s, input, &input->header.content_id, err);
    if (!status)
        status = stream(&s, zeros, (size_t)(data_start - s.at), err);
    input->header.tables_hash = vxbi_hash_end(&s.hash);
    return status;
}
