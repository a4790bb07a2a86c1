/* The header of a zstd frame: RFC 8878, 3.1.1.1. Our own, since libzstd's is not in its stable interface. */
#include "frame.h"

#include <inttypes.h>

#include "bytes.h"

struct frame {
    bool single, has_size, has_checksum; /* single: the content is the window */
    uint64_t size, window;
    uint32_t dictionary;
};

/* False where it is cut or its reserved bit is set. */
static bool read_frame(struct vxbi_reader *r, struct frame *out)
{
    static const uint8_t id_bytes[4] = {0, 1, 2, 4}, size_bytes[4] = {0, 2, 4, 8};
    vxbi_get(r, 4);
    uint8_t descriptor = vxbi_get_u8(r);
    bool single = descriptor >> 5 & 1;
    uint8_t window = single ? 0 : vxbi_get_u8(r);
    uint8_t n = id_bytes[descriptor & 3];
    *out = (struct frame){.single = single, .has_checksum = descriptor >> 2 & 1};
    for (uint8_t i = 0; i < n; i++)
        out->dictionary |= (uint32_t)vxbi_get_u8(r) << 8 * i;
    n = size_bytes[descriptor >> 6];
    n = n == 0 && single ? 1 : n;
    for (uint8_t i = 0; i < n; i++)
        out->size |= (uint64_t)vxbi_get_u8(r) << 8 * i;
    out->size += n == 2 ? 256 : 0;
    out->has_size = n != 0;
    out->window = single ? out->size : ((uint64_t)1 << (10 + (window >> 3))) / 8 * (8u + (window & 7u));
    return !r->failed && !(descriptor >> 3 & 1);
}

static bool check_content(const struct vxbi_frame_place *p, const struct frame *frame)
{
    struct vxbi_collect *c = p->collect;
    const uint64_t at = p->offset + 4;
    bool usable = true;
    if (!frame->has_checksum)
        vxbi_found(c, VXB_FINDING_ZSTD_NO_CHECKSUM, at, p->pointer, "the zstd frame has no checksum");
    if (frame->dictionary) {
        vxbi_found(c, VXB_FINDING_ZSTD_DICTIONARY, at, p->pointer, "the zstd frame needs dictionary %" PRIu32,
                   frame->dictionary);
        usable = false;
    }
    if (frame->window > (uint64_t)1 << VXBI_FRAME_WINDOW_LOG && (!frame->single || frame->size == p->wanted)) {
        vxbi_found(c, VXB_FINDING_ZSTD_WINDOW, at, p->pointer,
                   "the zstd frame's window is %" PRIu64 " bytes; at most 134217728 are allowed", frame->window);
        usable = false;
    }
    if (!frame->has_size) {
        vxbi_found(c, VXB_FINDING_ZSTD_NO_SIZE, at, p->pointer, "the zstd frame does not tell its content's size");
        usable = false;
    } else if (frame->size != p->wanted) {
        vxbi_found(c, VXB_FINDING_ZSTD_SIZE, at, p->pointer,
                   "the zstd frame says that it holds %" PRIu64 " bytes; %s %" PRIu64, frame->size, p->holds,
                   p->wanted);
        usable = false;
    }
    return usable;
}

bool vxbi_frame_check(const struct vxbi_frame_place *p, const uint8_t *data, size_t size)
{
    struct vxbi_reader r = {.data = data, .size = size};
    struct frame frame;
    const uint32_t magic = size >= 4 ? vxbi_load_u32(data) : 0;
    if ((magic & 0xFFFFFFF0u) == 0x184D2A50u) {
        vxbi_found(p->collect, VXB_FINDING_ZSTD_SKIPPABLE, p->offset, p->pointer,
                   "the %s's data starts with a skippable zstd frame (0x%08" PRIx32 ")", p->what, magic);
        return false;
    }
    if (magic != 0xFD2FB528u) {
        vxbi_found(p->collect, VXB_FINDING_ZSTD_MAGIC, p->offset, p->pointer,
                   "the %s's data is not a zstd frame: it starts with 0x%08" PRIx32 ", not 0xfd2fb528", p->what, magic);
        return false;
    }
    if (!read_frame(&r, &frame)) {
        vxbi_found(p->collect, VXB_FINDING_ZSTD_HEADER, p->offset + 4, p->pointer,
                   r.failed ? "the zstd frame's header is cut" : "a reserved bit of the zstd frame's header is set");
        return false;
    }
    return check_content(p, &frame);
}

uint64_t vxbi_frame_window(const uint8_t *data, size_t size)
{
    struct vxbi_reader r = {.data = data, .size = size};
    struct frame frame;
    return read_frame(&r, &frame) ? frame.window : 0;
}
