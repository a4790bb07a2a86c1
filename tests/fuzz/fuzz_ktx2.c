/* Fuzz target of the KTX2 reader and of depth pyramids in KTX2. The first byte says whether the rest is a whole file,
 * or parts that are put into one here, since a file's numbers all depend on each other: format, width, height, depth,
 * layers, faces, levels, u16 length of the key/values; then these and the texels, as far as there are any.
 *
 * Opening strictly and collecting must agree; what was read as a pyramid must be written as a file that is read as the
 * same. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "ktx2/format.h"
#include "pyramid/pyramid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size;
};

static enum vxb_status read_at(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    const struct input *input = user;
    (void)err;
    if (offset > input->size || size > input->size - offset)
        abort(); /* the reader has promised */
    if (size)
        memcpy(buf, input->data + offset, size);
    return VXB_OK;
}

static void ignore(void *user, const struct vxbi_found *found)
{
    (void)user;
    if (!found->message[0])
        abort();
}

/* Reads all texels, through a window, as whoever reads a level piece by piece does. */
static void read_levels(const struct vxbi_ktx2 *ktx2)
{
    uint8_t window[4096];
    for (uint32_t level = 0; level < ktx2->desc.levels; level++) {
        const uint64_t bytes = ktx2->layout.level_bytes[level];
        for (uint64_t at = 0; at < bytes; at += sizeof window) {
            const size_t count = bytes - at < sizeof window ? (size_t)(bytes - at) : sizeof window;
            if (vxbi_ktx2_read(ktx2, level, at, window, count, NULL) != VXB_OK)
                abort();
        }
    }
}

static enum vxb_status read_pyramid(const struct vxb_env *env, struct input *input, struct vxbi_collect *collect,
                                    struct vxb_pyramid **out, struct vxb_error *err)
{
    const struct vxbi_ktx2_source source = {input, input->size, read_at};
    struct vxbi_ktx2 ktx2;
    bool usable;
    enum vxb_status status = vxbi_ktx2_open(env, &source, collect, &ktx2, &usable, err);
    *out = NULL;
    if (status != VXB_OK)
        return status;
    if (usable) {
        read_levels(&ktx2);
        status = vxbi_pyramid_read(env, &ktx2, collect, out, err);
    }
    vxbi_ktx2_clear(&ktx2);
    return status != VXB_OK ? status : collect->status;
}

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    struct vxbi_writer *w = user;
    (void)err;
    vxbi_put(w, data, size);
    return VXB_OK;
}

static void write_and_read(const struct vxb_env *env, const struct vxb_pyramid *pyramid)
{
    const uint64_t texels = vxbi_pyramid_bytes(pyramid->width, pyramid->height);
    struct vxbi_writer w = {.room = (size_t)texels + 1024};
    struct vxbi_collect collect = {0};
    struct vxb_pyramid *again;
    w.data = malloc(w.room);
    if (!w.data || vxbi_pyramid_write(env, pyramid, &(struct vxbi_ktx2_sink){&w, append}, NULL) != VXB_OK || w.failed)
        abort();
    struct input file = {w.data, w.at};
    if (read_pyramid(env, &file, &collect, &again, NULL) != VXB_OK || again->reduce != pyramid->reduce ||
        memcmp(again->levels[0].texels, pyramid->levels[0].texels, (size_t)texels) != 0)
        abort();
    vxb_pyramid_free(again);
    free(w.data);
}

static void look_at(struct input *input)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 20, .threads = 1};
    struct vxb_error err = {0};
    struct vxb_pyramid *strict, *collected;
    struct vxbi_collect first = {.err = &err}, all = {.add = ignore};
    const enum vxb_status status = read_pyramid(&env, input, &first, &strict, &err);
    const enum vxb_status going_on = read_pyramid(&env, input, &all, &collected, NULL);
    if (status != err.status || (status == VXB_OK) != (strict != NULL) || (strict != NULL) != (collected != NULL))
        abort();
    if (status == VXB_OK ? going_on != VXB_OK || all.errors : going_on == VXB_OK && !all.errors)
        abort();
    if (strict) {
        if (vxbi_pyramid_check(&env, strict, &all, NULL) != VXB_OK)
            abort();
        write_and_read(&env, strict);
    }
    vxb_pyramid_free(strict);
    vxb_pyramid_free(collected);
}

/* A file of the parts; texels that are missing are zero. */
static void put_together(const uint8_t *data, size_t size)
{
    static const uint32_t formats[] = {76, 97, 98, 100, 101, 109, 100, 100};
    struct vxbi_reader r = {.data = data, .size = size};
    struct vxbi_ktx2_layout layout;
    struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(formats[vxbi_get_u8(&r) & 7])};
    desc.width = 1 + vxbi_get_u8(&r) % 64u;
    desc.height = vxbi_get_u8(&r) % 64u;
    desc.depth = vxbi_get_u8(&r) % 8u;
    desc.layers = vxbi_get_u8(&r) % 4u;
    desc.faces = vxbi_get_u8(&r) & 1 ? 6 : 1;
    desc.levels = 1 + vxbi_get_u8(&r) % 7u;
    const uint32_t said = vxbi_get_u16(&r), values_bytes = said < r.size - r.at ? said : (uint32_t)(r.size - r.at);
    if (!vxbi_ktx2_lay_out(&desc, values_bytes, &layout))
        abort();
    struct vxbi_writer w = {.room = (size_t)layout.file_bytes};
    w.data = calloc(1, w.room);
    if (!w.data)
        abort();
    vxbi_ktx2_put_header(&w, &(struct vxbi_ktx2_header){desc.format->vk, desc.format->type_bytes, desc.width,
                                                        desc.height, desc.depth, desc.layers, desc.faces, desc.levels,
                                                        0, layout.dfd_offset, layout.dfd_bytes, layout.values_offset,
                                                        values_bytes, 0, 0});
    for (uint32_t level = 0; level < desc.levels; level++) {
        vxbi_put_u64(&w, layout.level_offset[level]);
        vxbi_put_u64(&w, layout.level_bytes[level]);
        vxbi_put_u64(&w, layout.level_bytes[level]);
    }
    vxbi_ktx2_put_dfd(&w, desc.format);
    vxbi_put(&w, r.data + r.at, values_bytes);
    r.at += values_bytes;
    w.at = (size_t)layout.level_offset[desc.levels - 1];
    vxbi_put(&w, r.data + r.at, r.size - r.at < w.room - w.at ? r.size - r.at : w.room - w.at);
    struct input input = {w.data, w.room};
    look_at(&input);
    free(w.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] & 1) {
        put_together(data + 1, size - 1);
    } else {
        struct input input = {data + 1, size - 1};
        look_at(&input);
    }
    return 0;
}
