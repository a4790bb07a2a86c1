/* A placed field to bytes. Planes come first, window by window, since the tables tell where they are and what they hash
 * to; then the tables, then the header. The bytes depend on the field and the options alone: one thread writes. */
#include "write.h"

#include <inttypes.h>
#include <zstd.h>

#include "../core/env.h"
#include "pool.h"

enum { WINDOW = 4096, PACKED_BYTES = 1 << 17 };

struct writing {
    const struct vxb_env *env;
    const struct vxb_probe_pool *pool;
    const struct vxb_probe_save_options *options;
    struct vxb_output *output;
    struct vxb_allocator allocator;
    struct vxb_probe_header *header;
    struct vxb_probe_plane planes[VXB_PROBE_PLANES];
    ZSTD_CCtx *zstd;
    uint8_t *bytes, *packed; /* a window, WINDOW * 16; what comes of it, PACKED_BYTES */
};

static enum vxb_status put(struct writing *w, struct vxb_probe_plane *plane, const void *data, size_t size,
                           struct vxb_error *err)
{
    enum vxb_status status =
        w->output ? vxbi_output_write_at(w->output, plane->offset + plane->bytes, data, size, err) : VXB_OK;
    plane->bytes += size;
    return status;
}

static enum vxb_status compress(struct writing *w, struct vxb_probe_plane *plane, size_t size, bool last,
                                struct vxb_error *err)
{
    ZSTD_inBuffer in = {w->bytes, size, 0};
    const ZSTD_EndDirective end = last ? ZSTD_e_end : ZSTD_e_continue;
    size_t left;
    do {
        ZSTD_outBuffer out = {w->packed, PACKED_BYTES, 0};
        left = ZSTD_compressStream2(w->zstd, &out, &in, end);
        if (ZSTD_isError(left))
            return vxbi_fail(err, VXB_ERR_MEMORY, "zstd cannot compress a plane: %s", ZSTD_getErrorName(left));
        enum vxb_status status = put(w, plane, w->packed, out.pos, err);
        if (status)
            return status;
    } while (last ? left != 0 : in.pos < in.size);
    return VXB_OK;
}

static enum vxb_status begin_zstd(struct writing *w, uint64_t raw_bytes, struct vxb_error *err)
{
    if (!w->zstd)
        w->zstd = ZSTD_createCCtx();
    if (!w->zstd || ZSTD_isError(ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_and_parameters)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, w->options->compress_level)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_contentSizeFlag, 1)) ||
        ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(w->zstd, raw_bytes)))
        return vxbi_fail(err, VXB_ERR_MEMORY, "zstd cannot be set up");
    return VXB_OK;
}

/* Whether f16 texels come back as the pool's: it was rounded. */
static bool is_rounded(const struct writing *w, const struct vxb_probe *probes, size_t count, uint32_t plane)
{
    for (size_t i = 0; w->header->encoding == VXB_PROBE_F16 && i < count; i++) {
        float had[4], has[4];
        vxbi_probe_rgba(&probes[i], plane, had);
        vxbi_probe_unpack(has, w->bytes + 8 * i, 1, VXB_PROBE_F16);
        if (memcmp(had, has, sizeof had) != 0)
            return false;
    }
    return true;
}

static enum vxb_status write_plane(struct writing *w, uint32_t number, uint64_t offset, struct vxb_error *err)
{
    struct vxb_probe_plane *plane = &w->planes[number];
    const uint64_t all = vxbi_probe_texels(w->header->slots);
    const uint32_t texel_bytes = vxbi_probe_texel_bytes(w->header->encoding);
    struct vxbi_hash_state hash;
    plane->offset = offset;
    plane->bytes = 0;
    vxbi_hash_begin(&hash);
    enum vxb_status status = w->options->compress ? begin_zstd(w, all * texel_bytes, err) : VXB_OK;
    for (uint64_t done = 0, n; done < all && !status; done += n) {
        n = all - done < WINDOW ? all - done : WINDOW;
        const struct vxb_probe *probes = w->pool->texels + done;
        const size_t size = (size_t)n * texel_bytes;
        vxbi_probe_pack(w->bytes, probes, (size_t)n, number, w->header->encoding);
        vxbi_hash_add(&hash, w->bytes, size);
        if (vxbi_cancelled(w->env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        if (!is_rounded(w, probes, (size_t)n, number))
            return vxbi_fail(err, VXB_ERR_DATA, "the field was not rounded to f16 before it was written");
        status = w->options->compress ? compress(w, plane, size, done + n == all, err)
                                      : put(w, plane, w->bytes, size, err);
        vxbi_progress(w->env, "write", number * all + done + n, VXB_PROBE_PLANES * all);
    }
    plane->hash = vxbi_hash_end(&hash);
    return status;
}

/* Bricks and planes with their padding, from byte 128 to the first plane. */
static enum vxb_status write_tables(struct writing *w, const struct vxb_brick *bricks, uint64_t end,
                                    struct vxb_error *err)
{
    const size_t size = (size_t)(end - VXB_PROBE_HEADER_BYTES);
    struct vxbi_probe_layout layout;
    uint8_t *bytes = vxbi_new(&w->allocator, size, 1);
    if (!bytes)
        return vxbi_fail_memory(err, size);
    struct vxbi_writer out = {.data = bytes, .room = size};
    vxbi_probe_layout(w->header->brick_count, &layout);
    for (uint32_t i = 0; i < w->header->brick_count; i++)
        vxbi_probe_put_brick(&out, &bricks[i]);
    vxbi_put_zeros(&out, (size_t)(layout.planes - VXB_PROBE_HEADER_BYTES - out.at));
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        vxbi_probe_put_plane(&out, &w->planes[k]);
    vxbi_put_zeros(&out, size - out.at);
    enum vxb_status status = VXB_OK;
    if (out.failed || out.at != size)
        status = vxbi_fail(err, VXB_ERR_BUG, "the tables do not have the size that was computed");
    else if (w->output)
        status = vxbi_output_write_at(w->output, VXB_PROBE_HEADER_BYTES, bytes, size, err);
    w->header->tables_hash = vxbi_hash(bytes, size);
    w->header->content_id = vxbi_probe_content_id(w->header, bricks, w->planes);
    vxbi_delete(&w->allocator, bytes, size, 1);
    return status;
}

static enum vxb_status write_header(struct writing *w, struct vxb_error *err)
{
    uint8_t bytes[VXB_PROBE_HEADER_BYTES];
    struct vxbi_writer out = {.data = bytes, .room = sizeof bytes};
    vxbi_probe_put_header(&out, w->header);
    w->header->header_hash = vxbi_load_u64(bytes + VXBI_AT(probe_header, header_hash));
    return w->output ? vxbi_output_write_at(w->output, 0, bytes, sizeof bytes, err) : VXB_OK;
}

static enum vxb_status write_all(struct writing *w, const struct vxb_brick *bricks, struct vxb_error *err)
{
    struct vxbi_probe_layout layout;
    vxbi_probe_layout(w->header->brick_count, &layout);
    const uint64_t start = vxbi_probe_plane_start(w->header->flags, layout.data);
    uint64_t end = layout.data;
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES && !status; k++) {
        status = write_plane(w, k, vxbi_probe_plane_start(w->header->flags, end), err);
        end = w->planes[k].offset + w->planes[k].bytes;
    }
    w->header->file_bytes = end;
    if (!status)
        status = write_tables(w, bricks, start, err);
    return status ? status : write_header(w, err);
}

static void fill_header(const struct vxb_probe_field *field, const struct vxb_probe_save_options *options,
                        struct vxb_probe_header *header)
{
    const struct vxb_probe_region *bounds = vxb_probe_field_bounds(field);
    *header = (struct vxb_probe_header){
        .format = VXB_PROBE_FORMAT,
        .header_bytes = VXB_PROBE_HEADER_BYTES,
        .flags = (uint16_t)(options->flags | (options->compress ? VXB_PROBE_ZSTD : 0)),
        .bake_revision = options->bake_revision ? options->bake_revision : VXB_BAKE_REVISION,
        .encoding = options->encoding,
        .bake_id = options->bake_id,
    };
    memcpy(header->bounds_min, bounds->min, sizeof header->bounds_min);
    memcpy(header->bounds_max, bounds->max, sizeof header->bounds_max);
    vxb_probe_field_cells(field, header->cells);
    vxb_probe_pool_slots(vxb_probe_field_pool(field), header->slots);
}

enum vxb_status vxbi_probe_write(const struct vxb_env *env, const struct vxb_probe_field *field,
                                 const struct vxb_probe_save_options *options, struct vxb_output *output,
                                 struct vxb_probe_header *header, struct vxb_error *err)
{
    struct writing w = {.env = env, .pool = vxb_probe_field_pool(field), .options = options, .output = output,
                        .allocator = vxbi_allocator(env), .header = header};
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, NULL);
    fill_header(field, options, header);
    vxb_probe_field_bricks(field, &header->brick_count);
    w.bytes = vxbi_new(&w.allocator, WINDOW, 16);
    w.packed = vxbi_new(&w.allocator, PACKED_BYTES, 1);
    enum vxb_status status =
        w.bytes && w.packed ? write_all(&w, bricks, err) : vxbi_fail_memory(err, WINDOW * 16 + PACKED_BYTES);
    ZSTD_freeCCtx(w.zstd);
    vxbi_delete(&w.allocator, w.bytes, WINDOW, 16);
    vxbi_delete(&w.allocator, w.packed, PACKED_BYTES, 1);
    return status;
}

enum vxb_status vxb_probe_field_save(const struct vxb_env *env, const struct vxb_probe_field *field, const char *path,
                                     const struct vxb_probe_save_options *options, struct vxb_error *err)
{
    struct vxb_probe_header header;
    struct vxb_output *output = NULL;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_probe_save_options", options->size, sizeof *options, err);
    if (!status && !vxb_probe_field_pool(field))
        status = vxbi_fail(err, VXB_ERR_USAGE, "the field is not placed: it has no probes to write");
    if (!status && (options->flags & ~VXB_PROBE_INEXACT))
        status = vxbi_fail(err, VXB_ERR_USAGE, "of the flags a caller gives bit 2 alone");
    if (!status && !vxb_probe_encoding_name(options->encoding))
        status = vxbi_fail(err, VXB_ERR_USAGE, "the encoding is neither f32 nor f16");
    if (!status)
        status = vxb_output_open(env, path, &output, err);
    if (status)
        return status;
    status = vxbi_probe_write(env, field, options, output, &header, err);
    if (!status)
        return vxb_output_commit(output, err);
    vxb_output_abort(output);
    return status;
}
