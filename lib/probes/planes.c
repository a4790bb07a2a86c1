/* The planes of a .vxp file, read side by side in windows of a few thousand texels: memory does not grow with the pool.
 * A frame is decompressed only where its header declares exactly the pool's texels. */
#include <inttypes.h>

#include "../core/env.h"
#include "../core/frame.h"
#include "read.h"

#if !defined(VXBI_WITHOUT_ZSTD)
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { INPUT_BYTES = 1 << 16 };

/* One plane on its way. */
struct stream {
    const struct vxb_probe_file *file;
    struct vxbi_collect *collect;
    uint32_t number;
    uint64_t done;             /* bytes read of the file's */
    struct vxbi_hash_state *hash; /* the caller's: its alignment is more than allocated memory need have */
    bool broken;               /* told already; nothing more comes of it */
#if !defined(VXBI_WITHOUT_ZSTD)
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer in;
    bool ended;                /* the frame is */
#endif
    uint8_t input[INPUT_BYTES];
    uint8_t bytes[VXBI_PROBE_WINDOW * 16];
    float rgba[VXBI_PROBE_WINDOW * 4];
};

static const struct vxb_probe_plane *plane_of(const struct stream *s) { return &s->file->planes[s->number]; }

static const char *pointer(const struct stream *s, const char *field)
{
    return vxbi_pointer(s->collect, "/planes/%" PRIu32 "/%s", s->number, field);
}

#if !defined(VXBI_WITHOUT_ZSTD)

static enum vxb_status begin_frame(struct stream *s, uint64_t *window, struct vxb_error *err)
{
    const struct vxb_probe_plane *plane = plane_of(s);
    const struct vxb_probe_header *h = &s->file->header;
    const uint64_t raw = vxbi_probe_texels(h->slots) * vxbi_probe_texel_bytes(h->encoding);
    const size_t size = plane->bytes < VXBI_FRAME_HEADER_BYTES ? (size_t)plane->bytes : VXBI_FRAME_HEADER_BYTES;
    const struct vxbi_frame_place place = {s->collect, plane->offset, pointer(s, "data"), "plane",
                                           "the texels of the pool have", raw};
    enum vxb_status status = vxbi_probe_read_at(s->file, plane->offset, s->input, size, err);
    if (status)
        return status;
    s->broken = !vxbi_frame_check(&place, s->input, size);
    if (s->broken)
        return VXB_OK;
    const uint64_t asked = vxbi_frame_window(s->input, size);
    *window += asked < raw ? asked : raw;
    s->zstd = ZSTD_createDCtx();
    if (!s->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, VXBI_FRAME_WINDOW_LOG)))
        return vxbi_fail(err, VXB_ERR_MEMORY, "out of memory (a zstd decoder)");
    return VXB_OK;
}

static void end_frame(struct stream *s) { ZSTD_freeDCtx(s->zstd); }

static void damaged(struct stream *s, enum vxb_finding finding, const char *why)
{
    vxbi_found(s->collect, finding, plane_of(s)->offset, pointer(s, "data"), "the zstd frame is damaged: %s", why);
    s->broken = true;
}

/* More of the plane into the decoder's input; false, and told, where there is none. */
static enum vxb_status refill(struct stream *s, struct vxb_error *err)
{
    const struct vxb_probe_plane *plane = plane_of(s);
    const uint64_t left = plane->bytes - s->done;
    const size_t size = left < sizeof s->input ? (size_t)left : sizeof s->input;
    if (size == 0) {
        damaged(s, VXB_FINDING_ZSTD_DAMAGED, "it goes on beyond the plane's end");
        return VXB_OK;
    }
    enum vxb_status status = vxbi_probe_read_at(s->file, plane->offset + s->done, s->input, size, err);
    s->in = (ZSTD_inBuffer){s->input, size, 0};
    s->done += size;
    return status;
}

static enum vxb_status expand(struct stream *s, size_t size, struct vxb_error *err)
{
    ZSTD_outBuffer out = {s->bytes, size, 0};
    while (!s->broken && out.pos < size) {
        enum vxb_status status = s->in.pos == s->in.size && !s->ended ? refill(s, err) : VXB_OK;
        if (status || s->broken)
            return status;
        if (s->ended) {
            damaged(s, VXB_FINDING_ZSTD_DAMAGED, "it ends before its content does");
            return VXB_OK;
        }
        const size_t left = ZSTD_decompressStream(s->zstd, &out, &s->in);
        if (ZSTD_isError(left))
            damaged(s, ZSTD_getErrorCode(left) == ZSTD_error_checksum_wrong ? VXB_FINDING_ZSTD_CHECKSUM
                                                                          : VXB_FINDING_ZSTD_DAMAGED,
                    ZSTD_getErrorName(left));
        s->ended = left == 0;
    }
    return VXB_OK;
}

/* All content is there: the checksum, and what stands behind the frame. */
static enum vxb_status finish(struct stream *s, struct vxb_error *err)
{
    ZSTD_outBuffer none = {s->bytes, 0, 0};
    while (!s->broken && !s->ended) {
        enum vxb_status status = s->in.pos == s->in.size ? refill(s, err) : VXB_OK;
        if (status || s->broken)
            return status;
        const size_t left = ZSTD_decompressStream(s->zstd, &none, &s->in);
        if (ZSTD_isError(left))
            damaged(s, ZSTD_getErrorCode(left) == ZSTD_error_checksum_wrong ? VXB_FINDING_ZSTD_CHECKSUM
                                                                          : VXB_FINDING_ZSTD_DAMAGED,
                    ZSTD_getErrorName(left));
        s->ended = left == 0;
    }
    const uint64_t used = s->done - (s->in.size - s->in.pos);
    if (!s->broken && used != plane_of(s)->bytes)
        vxbi_found(s->collect, VXB_FINDING_ZSTD_TRAILING, plane_of(s)->offset + used, pointer(s, "data"),
                   "the zstd frame has %" PRIu64 " bytes, the plane %" PRIu64 ": a plane is exactly one frame", used,
                   plane_of(s)->bytes);
    return VXB_OK;
}

#else

static enum vxb_status begin_frame(struct stream *s, uint64_t *window, struct vxb_error *err)
{
    (void)s;
    (void)window;
    return vxbi_fail(err, VXB_ERR_UNSUPPORTED, "the planes are zstd frames, and this library was built without zstd: "
                     "one with it can write the file uncompressed");
}

static void end_frame(struct stream *s) { (void)s; }

static enum vxb_status expand(struct stream *s, size_t size, struct vxb_error *err)
{
    (void)s;
    (void)size;
    (void)err;
    return VXB_OK;
}

static enum vxb_status finish(struct stream *s, struct vxb_error *err)
{
    (void)s;
    (void)err;
    return VXB_OK;
}

#endif

/* The next count texels of a plane, decoded. */
static enum vxb_status advance(struct stream *s, uint32_t count, struct vxb_error *err)
{
    const struct vxb_probe_header *h = &s->file->header;
    const size_t size = (size_t)count * vxbi_probe_texel_bytes(h->encoding);
    enum vxb_status status;
    if (h->flags & VXB_PROBE_ZSTD) {
        status = expand(s, size, err);
    } else {
        status = vxbi_probe_read_at(s->file, plane_of(s)->offset + s->done, s->bytes, size, err);
        s->done += size;
    }
    if (status || s->broken)
        return status;
    vxbi_hash_add(s->hash, s->bytes, size);
    vxbi_probe_unpack(s->rgba, s->bytes, count, h->encoding);
    return VXB_OK;
}

static enum vxb_status check_end(struct stream *s, struct vxb_error *err)
{
    enum vxb_status status = s->file->header.flags & VXB_PROBE_ZSTD ? finish(s, err) : VXB_OK;
    if (status || s->broken)
        return status;
    const uint64_t hash = vxbi_hash_end(s->hash);
    if (hash != plane_of(s)->hash)
        vxbi_found(s->collect, VXB_FINDING_PROBE_PLANE_HASH,
                   s->file->layout.planes + s->number * VXB_PROBE_PLANE_BYTES + VXBI_AT(probe_plane, hash),
                   pointer(s, "hash"),
                   "the plane's hash is 0x%016" PRIx64 ", its texels give 0x%016" PRIx64
                   ": they were damaged after they were written", plane_of(s)->hash, hash);
    return VXB_OK;
}

/* The padding before raw planes; the first one's was looked at with the tables. */
static enum vxb_status check_gaps(const struct vxb_probe_file *file, struct vxbi_collect *c, struct vxb_error *err)
{
    uint8_t gap[VXBI_PROBE_ALIGN];
    for (uint32_t k = 1; k < VXB_PROBE_PLANES; k++) {
        const uint64_t end = file->planes[k - 1].offset + file->planes[k - 1].bytes;
        /* Any other distance is reported as a wrong offset; a gap that the file ends before or in, as a plane
         * outside. */
        if (file->planes[k].offset != vxbi_probe_plane_start(file->header.flags, end) ||
            file->planes[k].offset > file->size)
            continue;
        const size_t size = (size_t)(file->planes[k].offset - end);
        enum vxb_status status = size ? vxbi_probe_read_at(file, end, gap, size, err) : VXB_OK;
        if (status)
            return status;
        for (size_t i = 0; i < size; i++)
            if (gap[i]) {
                vxbi_found(c, VXB_FINDING_PROBE_TABLES_PADDING, end + i, vxbi_pointer(c, "/planes/%" PRIu32 "/gap", k),
                           "the gap before the plane holds 0x%02x, not 0", gap[i]);
                break;
            }
    }
    return VXB_OK;
}

/* Plane number first and the count - 1 behind it, a stream each. */
static enum vxb_status begin(const struct vxb_probe_file *file, struct vxbi_collect *collect, struct stream *streams,
                             struct vxbi_hash_state *hashes, uint32_t first, uint32_t count, struct vxb_error *err)
{
    uint64_t window = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct stream *s = &streams[k];
        s->file = file;
        s->collect = collect;
        s->number = first + k;
        s->broken = !file->readable[s->number];
        s->hash = &hashes[k];
        vxbi_hash_begin(s->hash);
        enum vxb_status status =
            (file->header.flags & VXB_PROBE_ZSTD) && !s->broken ? begin_frame(s, &window, err) : VXB_OK;
        if (status)
            return status;
    }
    if (window > file->max_memory)
        return vxbi_fail_max_memory(err, file->max_memory, "the planes' frames take %" PRIu64 " bytes", window);
    return VXB_OK;
}

static bool all_sound(const struct stream *streams)
{
    bool sound = true;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        sound = sound && !streams[k].broken;
    return sound;
}

static enum vxb_status walk(const struct vxb_env *env, const struct vxb_probe_file *file, struct vxbi_collect *collect,
                            struct stream *streams,
                            enum vxb_status (*each)(void *user, const struct vxbi_probe_window *window,
                                                    struct vxb_error *err),
                            void *user, bool *whole, struct vxb_error *err)
{
    const uint64_t all = vxbi_probe_texels(file->header.slots);
    struct vxbi_probe_window window = {0};
    struct vxbi_hash_state hashes[VXB_PROBE_PLANES];
    enum vxb_status status = begin(file, collect, streams, hashes, 0, VXB_PROBE_PLANES, err);
    bool sound = all_sound(streams);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        window.planes[k] = streams[k].rgba;
    for (; !status && window.first < all && !collect->stopped; window.first += window.count) {
        window.count = all - window.first < VXBI_PROBE_WINDOW ? (uint32_t)(all - window.first) : VXBI_PROBE_WINDOW;
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        /* A plane that is broken does not keep the others from being checked. */
        for (uint32_t k = 0; k < VXB_PROBE_PLANES && !status; k++)
            if (!streams[k].broken)
                status = advance(&streams[k], window.count, err);
        sound = sound && all_sound(streams);
        if (!status && sound && !collect->stopped)
            status = each(user, &window, err);
    }
    for (uint32_t k = 0; k < VXB_PROBE_PLANES && !status && !collect->stopped; k++)
        if (!streams[k].broken)
            status = check_end(&streams[k], err);
    *whole = !status && all_sound(streams) && !collect->stopped;
    return status;
}

enum vxb_status vxbi_probe_walk(const struct vxb_env *env, const struct vxb_probe_file *file,
                                struct vxbi_collect *collect,
                                enum vxb_status (*each)(void *user, const struct vxbi_probe_window *window,
                                                        struct vxb_error *err),
                                void *user, bool *whole, struct vxb_error *err)
{
    struct stream *streams = vxbi_new_zero(&file->allocator, VXB_PROBE_PLANES, sizeof *streams);
    *whole = false;
    if (!streams)
        return vxbi_fail_memory(err, VXB_PROBE_PLANES * sizeof *streams);
    enum vxb_status status = file->header.flags & VXB_PROBE_ZSTD ? VXB_OK : check_gaps(file, collect, err);
    if (!status)
        status = walk(env, file, collect, streams, each, user, whole, err);
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        end_frame(&streams[k]);
    vxbi_delete(&file->allocator, streams, VXB_PROBE_PLANES, sizeof *streams);
    return status;
}

/* ---- one plane's hash ---- */

static void ignore(void *user, const struct vxbi_found *found)
{
    (void)user;
    (void)found;
}

static enum vxb_status read_plane(const struct vxb_env *env, struct stream *s, struct vxb_error *err)
{
    const uint64_t all = vxbi_probe_texels(s->file->header.slots);
    enum vxb_status status = VXB_OK;
    for (uint64_t done = 0; done < all && !status && !s->broken; done += VXBI_PROBE_WINDOW) {
        const uint64_t left = all - done;
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = advance(s, left < VXBI_PROBE_WINDOW ? (uint32_t)left : VXBI_PROBE_WINDOW, err);
    }
    return !status && !s->broken ? check_end(s, err) : status;
}

enum vxb_status vxbi_probe_plane_hash(const struct vxb_env *env, const struct vxb_probe_file *file, uint32_t plane,
                                      uint64_t *hash, bool *known, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = ignore};
    struct vxbi_hash_state state;
    struct stream *stream = vxbi_new_zero(&file->allocator, 1, sizeof *stream);
    *known = false;
    if (!stream)
        return vxbi_fail_memory(err, sizeof *stream);
    enum vxb_status status = begin(file, &collect, stream, &state, plane, 1, err);
    if (!status)
        status = read_plane(env, stream, err);
    *known = !status && !stream->broken;
    *hash = *known ? vxbi_hash_end(stream->hash) : 0;
    end_frame(stream);
    vxbi_delete(&file->allocator, stream, 1, sizeof *stream);
    return status;
}

/* ---- for callers ---- */

struct handing {
    bool (*each)(void *user, uint64_t first, const struct vxb_probe *probes, uint32_t count);
    void *user;
    struct vxb_probe *probes; /* VXBI_PROBE_WINDOW */
    struct vxbi_probe_rules rules;
};

static enum vxb_status hand_over(void *user, const struct vxbi_probe_window *window, struct vxb_error *err)
{
    struct handing *h = user;
    vxbi_probe_check_window(&h->rules, window, h->probes);
    if (h->rules.collect->stopped)
        return VXB_OK;
    return h->each(h->user, window->first, h->probes, window->count) ? VXB_OK
                                                                     : vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
}

enum vxb_status vxb_probe_file_walk(const struct vxb_env *env, const struct vxb_probe_file *file,
                                    bool (*each)(void *user, uint64_t first, const struct vxb_probe *probes,
                                                 uint32_t count),
                                    void *user, struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    struct handing h = {.each = each, .user = user};
    bool whole;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status)
        return status;
    h.probes = vxbi_new(&file->allocator, VXBI_PROBE_WINDOW, sizeof *h.probes);
    if (!h.probes)
        return vxbi_fail_memory(err, VXBI_PROBE_WINDOW * sizeof *h.probes);
    status = vxbi_probe_rules_begin(&h.rules, file, &collect, err);
    if (!status)
        status = vxbi_probe_walk(env, file, &collect, hand_over, &h, &whole, err);
    vxbi_probe_rules_end(&h.rules);
    vxbi_delete(&file->allocator, h.probes, VXBI_PROBE_WINDOW, sizeof *h.probes);
    status = status ? status : collect.status;
    return status ? vxbi_error_in(err, status, file->name, NULL) : VXB_OK;
}
