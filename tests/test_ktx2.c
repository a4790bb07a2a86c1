/* ktx2: the bytes as the specification and Khronos' own tool put them, a round trip of every format and shape, and
 * every damaged file refused with the right finding. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bytes.h"
#include "heap.h"
#include "ktx2/format.h"
#include "pyramid/pyramid.h"

/* A file in memory: what the writer wrote, and what the reader reads. */
struct memory {
    uint8_t *data;
    size_t size, room;
};

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    struct memory *file = user;
    (void)err;
    if (file->room - file->size < size) {
        file->room = 2 * file->room + size;
        file->data = realloc(file->data, file->room);
    }
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return VXB_OK;
}

static enum vxb_status read_at(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    const struct memory *file = user;
    if (offset > file->size || file->size - offset < size)
        return vxbi_fail(err, VXB_ERR_BUG, "read beyond the end");
    if (size)
        memcpy(buf, file->data + offset, size);
    return VXB_OK;
}

static struct memory write_pyramid(const struct vxb_pyramid *pyramid)
{
    struct memory file = {0};
    const struct vxbi_ktx2_sink sink = {&file, append};
    cr_assert(eq(int, vxbi_pyramid_write(NULL, pyramid, &sink, NULL), VXB_OK));
    return file;
}

/* Reads a file, its findings to collect; a strict collect's error is the status. */
static enum vxb_status read_with(const struct vxb_env *env, struct memory *file, struct vxbi_collect *collect,
                                 struct vxb_pyramid **out, struct vxb_error *err)
{
    const struct vxbi_ktx2_source source = {file, file->size, read_at};
    struct vxbi_ktx2 ktx2;
    bool usable;
    enum vxb_status status = vxbi_ktx2_open(env, &source, collect, &ktx2, &usable, err);
    if (status == VXB_OK) {
        if (usable)
            status = vxbi_pyramid_read(env, &ktx2, collect, out, err);
        vxbi_ktx2_clear(&ktx2);
    }
    return status ? status : collect->status;
}

static enum vxb_status read_pyramid(const struct vxb_env *env, struct memory *file, struct vxb_pyramid **out,
                                    struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    return read_with(env, file, &collect, out, err);
}

static struct vxb_pyramid *make(const struct vxb_env *env, uint32_t width, uint32_t height, enum vxb_reduce reduce)
{
    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(env, width, height, reduce, &pyramid, NULL), VXB_OK));
    for (uint32_t i = 0; i < width * height; i++)
        vxb_pyramid_depth(pyramid)[i] = (float)(i * 2654435761u >> 12 & 1023) / 1023.0f;
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, vxb_pyramid_depth(pyramid), (uint64_t)width * height, NULL),
                 VXB_OK));
    return pyramid;
}

/* ---- bytes ---- */

/* The descriptors of files that Khronos' tool writes, length first. */
Test(ktx2, descriptors__are_those_of_khronos_tool)
{
    static const struct {
        uint32_t vk;
        const char *hex;
    } right[] = {
        {100, "2c00000000000000020028000101010000000000040000000000000000001fc000000000000080bf0000803f"},
        {76, "2c00000000000000020028000101010000000000020000000000000000000fc000000000000080bf0000803f"},
        {98, "2c00000000000000020028000101010000000000040000000000000000001f00000000000000000001000000"},
        {97, "5c00000000000000020058000101010000000000080000000000000000000fc000000000000080bf0000803f"
             "10000fc100000000000080bf0000803f20000fc200000000000080bf0000803f30000fcf00000000000080bf"
             "0000803f"},
        {109, "5c00000000000000020058000101010000000000100000000000000000001fc000000000000080bf0000803f"
              "20001fc100000000000080bf0000803f40001fc200000000000080bf0000803f60001fcf00000000000080bf"
              "0000803f"},
        {101, "3c00000000000000020038000101010000000000080000000000000000001f00000000000000000001000000"
              "20001f01000000000000000001000000"},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        uint8_t bytes[VXBI_KTX2_DFD_MAX];
        char hex[2 * VXBI_KTX2_DFD_MAX + 1];
        struct vxbi_writer w = {.data = bytes, .room = sizeof bytes};
        vxbi_ktx2_put_dfd(&w, vxbi_ktx2_format(right[i].vk));
        cr_assert(not(w.failed));
        for (size_t k = 0; k < w.at; k++)
            snprintf(hex + 2 * k, 3, "%02x", bytes[k]);
        cr_assert(eq(str, hex, (char *)right[i].hex));
    }
}

/* The file of the smallest pyramid with an odd side, field by field, texels last. Of a nearest one nothing is said that
 * Khronos' validator would warn of. */
static void is_this_file(enum vxb_reduce reduce, float top)
{
    const bool farthest = reduce == VXB_REDUCE_FARTHEST;
    const uint32_t values = farthest ? 40 + 28 : 40, levels = 172 + values;
    const float depth[6] = {0.0f, 0.25f, 0.5f, 0.125f, 1.0f, 0.75f};
    uint8_t bytes[512];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes};
    vxbi_put(&w, "\xABKTX 20\xBB\r\n\x1A\n", 12);
    vxbi_put_u32(&w, 100); /* vkFormat: R32_SFLOAT */
    vxbi_put_u32(&w, 4);   /* typeSize */
    vxbi_put_u32(&w, 3);   /* pixelWidth */
    vxbi_put_u32(&w, 2);   /* pixelHeight */
    vxbi_put_u32(&w, 0);   /* pixelDepth */
    vxbi_put_u32(&w, 0);   /* layerCount */
    vxbi_put_u32(&w, 1);   /* faceCount */
    vxbi_put_u32(&w, 2);   /* levelCount */
    vxbi_put_u32(&w, 0);   /* supercompressionScheme */
    vxbi_put_u32(&w, 128); /* dfdByteOffset: after the header and two index entries */
    vxbi_put_u32(&w, 44);  /* dfdByteLength */
    vxbi_put_u32(&w, 172); /* kvdByteOffset */
    vxbi_put_u32(&w, values); /* kvdByteLength, padding counted */
    vxbi_put_u64(&w, 0);   /* sgdByteOffset */
    vxbi_put_u64(&w, 0);   /* sgdByteLength */
    vxbi_put_u64(&w, levels + 4); /* level 0: byteOffset, byteLength, uncompressedByteLength; it stands last */
    vxbi_put_u64(&w, 24);
    vxbi_put_u64(&w, 24);
    vxbi_put_u64(&w, levels); /* level 1 */
    vxbi_put_u64(&w, 4);
    vxbi_put_u64(&w, 4);
    vxbi_ktx2_put_dfd(&w, vxbi_ktx2_format(100));
    vxbi_put_u32(&w, 34);
    vxbi_put(&w, "KTXwriter\0vxbake, bake revision 1\0\0\0", 36);
    if (farthest) {
        vxbi_put_u32(&w, 23);
        vxbi_put(&w, "vxbake.reduce\0farthest\0\0", 24);
    }
    vxbi_put_f32(&w, top);
    for (int i = 0; i < 6; i++)
        vxbi_put_f32(&w, depth[i]);
    cr_assert(eq(sz, w.at, levels + 28));

    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, 3, 2, reduce, &pyramid, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, depth, 6, NULL), VXB_OK));
    struct memory file = write_pyramid(pyramid);
    cr_assert(eq(sz, file.size, w.at));
    cr_assert(eq(int, memcmp(file.data, bytes, w.at), 0));
    free(file.data);
    vxb_pyramid_free(pyramid);
}

Test(ktx2, a_pyramid_of_3x2__is_this_file)
{
    is_this_file(VXB_REDUCE_NEAREST, 1.0f);
    is_this_file(VXB_REDUCE_FARTHEST, 0.0f);
}

/* ---- round trips ---- */

Test(ktx2, pyramids__come_back_as_they_were)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 7}, {17, 31}, {31, 2}, {101, 67}, {256, 128}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int reduce = 0; reduce < 2; reduce++) {
            struct vxb_pyramid *in = make(NULL, sizes[i][0], sizes[i][1], (enum vxb_reduce)reduce), *out = NULL;
            struct memory file = write_pyramid(in);
            cr_assert(eq(int, read_pyramid(NULL, &file, &out, NULL), VXB_OK));
            cr_assert(eq(int, (int)out->reduce, reduce));
            cr_assert(eq(u32, out->level_count, in->level_count));
            cr_assert(eq(int, memcmp(out->levels[0].texels, in->levels[0].texels,
                                     (size_t)vxbi_pyramid_bytes(sizes[i][0], sizes[i][1])), 0));
            free(file.data);
            vxb_pyramid_free(in);
            vxb_pyramid_free(out);
        }
}

static const uint32_t all_formats[] = {76, 97, 98, 100, 101, 109};

/* Every format in every shape, odd sizes: the levels come back, and stand at the least multiple of lcm(texel, 4). */
Test(ktx2, every_format_and_shape__comes_back)
{
    static const struct vxbi_ktx2_desc shapes[] = {
        {.width = 7, .faces = 1, .levels = 3},
        {.width = 5, .height = 3, .faces = 1, .levels = 3},
        {.width = 5, .height = 3, .faces = 1, .levels = 2},
        {.width = 3, .height = 5, .depth = 7, .faces = 1, .levels = 3},
        {.width = 3, .height = 1, .layers = 3, .faces = 1, .levels = 2},
        {.width = 3, .height = 3, .faces = 6, .levels = 2},
        {.width = 1, .height = 1, .layers = 2, .faces = 6, .levels = 1},
    };
    static const struct vxbi_ktx2_value values[] = {{"KTXwriter", "t", 2}, {"empty", "", 0}, {"three", "\1\2\3", 3}};
    static uint8_t texels[8192], back[8192];
    for (size_t i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i * 37 + 11);
    for (size_t f = 0; f < sizeof all_formats / sizeof *all_formats; f++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (uint32_t count = 0; count <= 3; count++) {
                struct vxbi_ktx2_desc desc = shapes[i];
                const void *levels[3] = {texels, texels + 128, texels + 64};
                struct memory file = {0};
                struct vxbi_ktx2 in;
                desc.format = vxbi_ktx2_format(all_formats[f]);
                desc.values = values;
                desc.value_count = count;
                const uint32_t texel = vxbi_ktx2_texel_bytes(desc.format), align = texel < 4 ? 4 : texel;
                const struct vxbi_ktx2_sink sink = {&file, append};
                cr_assert(eq(int, vxbi_ktx2_write(NULL, &desc, levels, &sink, NULL), VXB_OK));
                const struct vxbi_ktx2_source source = {&file, file.size, read_at};
                struct vxbi_collect collect = {0};
                bool usable = false;
                cr_assert(eq(int, vxbi_ktx2_open(NULL, &source, &collect, &in, &usable, NULL), VXB_OK));
                cr_assert(usable);
                cr_assert(eq(u32, in.desc.width, desc.width));
                cr_assert(eq(u32, in.desc.height, desc.height));
                cr_assert(eq(u32, in.desc.depth, desc.depth));
                cr_assert(eq(u32, in.desc.layers, desc.layers));
                cr_assert(eq(u32, in.desc.faces, desc.faces));
                cr_assert(eq(u32, in.desc.levels, desc.levels));
                cr_assert(eq(u32, in.desc.value_count, count));
                if (count == 3) {
                    const struct vxbi_ktx2_value *three = vxbi_ktx2_value(&in.desc, "three");
                    cr_assert(three && three->bytes == 3 && memcmp(three->value, "\1\2\3", 3) == 0);
                }
                cr_assert(eq(ptr, (void *)vxbi_ktx2_value(&in.desc, "absent"), NULL));
                for (uint32_t k = 0; k < desc.levels; k++) {
                    cr_assert(eq(u64, in.layout.level_offset[k] % align, 0));
                    cr_assert(eq(int, vxbi_ktx2_read(&in, k, 0, back, (size_t)in.layout.level_bytes[k], NULL), VXB_OK));
                    cr_assert(eq(int, memcmp(back, levels[k], (size_t)in.layout.level_bytes[k]), 0));
                }
                vxbi_ktx2_clear(&in);
                free(file.data);
            }
}

Test(ktx2, a_wrong_description__is_not_written)
{
    const struct vxbi_ktx2_value unsorted[] = {{"b", "", 0}, {"a", "", 0}};
    const struct vxbi_ktx2_format *format = vxbi_ktx2_format(100);
    const struct vxbi_ktx2_desc wrong[] = {
        {.format = NULL, .width = 1, .faces = 1, .levels = 1},
        {.format = format, .width = 0, .faces = 1, .levels = 1},
        {.format = format, .width = 4, .height = 4, .faces = 1, .levels = 4},
        {.format = format, .width = 4, .height = 2, .faces = 6, .levels = 1},
        {.format = format, .width = 4, .depth = 2, .faces = 1, .levels = 1},
        {.format = format, .width = 1, .faces = 1, .levels = 1, .values = unsorted, .value_count = 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct memory file = {0};
        const struct vxbi_ktx2_sink sink = {&file, append};
        const void *levels[4] = {NULL};
        cr_assert(eq(int, vxbi_ktx2_write(NULL, &wrong[i], levels, &sink, NULL), VXB_ERR_BUG));
        cr_assert(eq(sz, file.size, 0));
    }
}

/* ---- damage ---- */

/* What a verifying reader hears: the first finding, and of each severity how many. */
struct heard {
    enum vxb_finding first;
    int errors, warnings;
};

static void hear(void *user, const struct vxbi_found *found)
{
    struct heard *heard = user;
    if (!heard->errors && !heard->warnings)
        heard->first = found->finding;
    heard->errors += found->severity == VXB_SEVERITY_ERROR;
    heard->warnings += found->severity == VXB_SEVERITY_WARNING;
}

static struct heard listen(struct memory *file)
{
    struct heard heard = {0};
    struct vxb_pyramid *pyramid = NULL;
    struct vxbi_collect collect = {.add = hear, .user = &heard};
    const enum vxb_status status = read_with(NULL, file, &collect, &pyramid, NULL);
    cr_assert(status == VXB_OK || status == VXB_ERR_LIMIT);
    cr_assert(eq(int, pyramid != NULL, status == VXB_OK && !heard.errors));
    vxb_pyramid_free(pyramid);
    return heard;
}

/* What opening a file that was changed by hand says. */
static struct vxb_error error_of(struct memory *file)
{
    struct vxb_error err = {0};
    struct vxb_pyramid *pyramid = NULL;
    const enum vxb_status status = read_pyramid(NULL, file, &pyramid, &err);
    cr_assert(eq(int, (int)status, (int)err.status));
    cr_assert(eq(int, pyramid != NULL, status == VXB_OK));
    vxb_pyramid_free(pyramid);
    return err;
}

static struct memory small_file(void)
{
    struct vxb_pyramid *pyramid = make(NULL, 7, 5, VXB_REDUCE_NEAREST);
    struct memory file = write_pyramid(pyramid);
    vxb_pyramid_free(pyramid);
    return file;
}

Test(ktx2, a_file_cut_anywhere__is_refused)
{
    struct memory file = small_file();
    const size_t whole = file.size;
    int told = 0;
    for (file.size = 0; file.size < whole; file.size++) {
        const struct vxb_error err = error_of(&file);
        cr_assert(eq(int, (int)err.status, file.size < 12 ? VXB_ERR_FORMAT : VXB_ERR_DATA), "at %zu", file.size);
        told += err.finding == VXB_FINDING_KTX2_TRUNCATED;
    }
    cr_assert(eq(int, told, (int)whole - 12));
    free(file.data);
}

Test(ktx2, a_byte_after_level_0__is_refused)
{
    struct memory file = small_file();
    cr_assert(eq(int, append(&file, "", 1, NULL), VXB_OK));
    const struct vxb_error err = error_of(&file);
    cr_assert(eq(int, (int)err.finding, VXB_FINDING_KTX2_TRAILING));
    cr_assert(eq(u64, err.offset, file.size - 1));
    free(file.data);
}

/* Each bit of the head turned over: nothing is taken in silence but what is free to differ, the descriptor's colour
 * primaries and the writer's text (where it stays UTF-8). */
Test(ktx2, any_changed_byte_of_the_head__is_refused)
{
    struct memory file = small_file();
    const size_t dfd = vxbi_load_u32(file.data + 48), values = vxbi_load_u32(file.data + 56);
    const size_t levels = (size_t)vxbi_load_u64(file.data + 80 + 24 * 2);
    for (size_t at = 0; at < levels; at++)
        for (int bit = 0; bit < 8; bit++) {
            file.data[at] ^= (uint8_t)(1 << bit);
            const struct heard heard = listen(&file);
            const enum vxb_status status = error_of(&file).status;
            const bool writer = at >= values + 4 + 10 && at < values + 4 + 34;
            /* A limit is for files that are large: one byte that is wrong in a small one is damage. */
            cr_assert(ne(int, (int)status, (int)VXB_ERR_LIMIT), "byte %zu, bit %d", at, bit);
            cr_assert(eq(int, status == VXB_OK, heard.errors == 0));
            if (status == VXB_OK && heard.warnings == 0)
                cr_assert(at == dfd + 13 || writer, "byte %zu, bit %d", at, bit);
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    free(file.data);
}

/* Each field of the head set to what a checker is likely to trip over. */
Test(ktx2, extreme_numbers__are_refused_without_a_wild_read)
{
    struct memory file = small_file();
    const uint64_t extremes[] = {0,          1,          5,          file.size - 1, file.size, file.size + 1,
                                 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF,    INT64_MAX, UINT64_MAX - 3,
                                 UINT64_MAX};
    for (size_t at = 12; at < 80 + 3 * 24; at += 4)
        for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
            const size_t bytes = at >= 64 && at % 8 == 0 ? 8 : 4;
            uint8_t kept[8];
            memcpy(kept, file.data + at, bytes);
            if (bytes == 8)
                vxbi_store_u64(file.data + at, extremes[i]);
            else
                vxbi_store_u32(file.data + at, (uint32_t)extremes[i]);
            if (memcmp(kept, file.data + at, bytes) != 0)
                cr_assert(ne(int, (int)error_of(&file).status, VXB_OK), "%llu at %zu", (unsigned long long)extremes[i],
                          at);
            memcpy(file.data + at, kept, bytes);
        }
    free(file.data);
}

/* Faults of the field: "level index in wrong order with impossible sizes passes". */
Test(ktx2, swapped_levels__are_refused_with_level_and_offset)
{
    struct memory file = small_file();
    uint8_t entry[24];
    memcpy(entry, file.data + 80, 24);
    memcpy(file.data + 80, file.data + 104, 24);
    memcpy(file.data + 104, entry, 24);
    const struct vxb_error err = error_of(&file);
    cr_assert(eq(int, (int)err.finding, VXB_FINDING_KTX2_LEVEL_INDEX));
    cr_assert(eq(u64, err.offset, 80));
    cr_assert(ne(ptr, strstr(err.message, "level 0 of the level index: byteOffset is "), NULL));
    free(file.data);
}

/* A 1 x 1 pyramid with these key/value bytes. */
static struct memory with_values(const char *values, size_t bytes)
{
    struct memory file = {0};
    uint8_t head[80 + 24 + 44];
    const struct vxbi_ktx2_format *format = vxbi_ktx2_format(100);
    struct vxbi_writer w = {.data = head, .room = sizeof head};
    const uint64_t offset = 148 + bytes;
    vxbi_ktx2_put_header(&w, &(struct vxbi_ktx2_header){100, 4, 1, 1, 0, 0, 1, 1, 0, 104, 44, bytes ? 148 : 0,
                                                        (uint32_t)bytes, 0, 0});
    vxbi_put_u64(&w, vxbi_align_up(offset, 4));
    vxbi_put_u64(&w, 4);
    vxbi_put_u64(&w, 4);
    vxbi_ktx2_put_dfd(&w, format);
    cr_assert(eq(sz, w.at, sizeof head));
    append(&file, head, sizeof head, NULL);
    append(&file, values, bytes, NULL);
    append(&file, "\0\0\0", (size_t)(vxbi_align_up(offset, 4) - offset), NULL);
    append(&file, "\0\0\0\x3f", 4, NULL);
    return file;
}

Test(ktx2, key_values__are_taken_or_refused_by_the_specification)
{
    static const struct {
        const char *values;
        size_t bytes;
        int finding; /* VXB_FINDING_NONE: taken */
        int warnings;
    } cases[] = {
        {"", 0, VXB_FINDING_NONE, 0},
        {"\2\0\0\0a\0\0\0", 8, VXB_FINDING_NONE, 1},
        {"\14\0\0\0KTXwriter\0x\0", 16, VXB_FINDING_NONE, 0},
        {"\2\0\0\0a\0\0\0\2\0\0\0b\0\0\0", 16, VXB_FINDING_NONE, 1},
        {"\2\0\0\0b\0\0\0\2\0\0\0a\0\0\0", 16, VXB_FINDING_KTX2_KEY_VALUES, 0}, /* order */
        {"\2\0\0\0a\0\0\0\2\0\0\0a\0\0\0", 16, VXB_FINDING_KTX2_KEY_VALUES, 0}, /* twice */
        {"\2\0\0\0aa\0\0", 8, VXB_FINDING_KTX2_KEY_VALUES, 0},                  /* no terminator */
        {"\2\0\0\0\0a\0\0", 8, VXB_FINDING_KTX2_KEY_VALUES, 0},                 /* empty */
        {"\0\0\0\0", 4, VXB_FINDING_KTX2_KEY_VALUES, 0},
        {"\2\0\0", 3, VXB_FINDING_KTX2_KEY_VALUES, 0},                          /* no room for a length */
        {"\5\0\0\0a\0\0\0", 8, VXB_FINDING_KTX2_KEY_VALUES, 0},                 /* longer than the section */
        {"\377\377\377\377a\0\0\0", 8, VXB_FINDING_KTX2_KEY_VALUES, 0},
        {"\2\0\0\0a\0", 6, VXB_FINDING_KTX2_KEY_VALUES, 0},                     /* padding not counted */
        {"\2\0\0\0a\0\0\1", 8, VXB_FINDING_KTX2_PADDING, 0},
        {"\2\0\0\0\377\0\0\0", 8, VXB_FINDING_KTX2_KEY_VALUES, 0},              /* UTF-8 */
        {"\5\0\0\0\357\273\277a\0\0\0\0", 12, VXB_FINDING_KTX2_KEY_VALUES, 0},  /* byte order mark */
        {"\5\0\0\0KTXx\0\0\0\0", 12, VXB_FINDING_KTX2_KEY_UNKNOWN, 0},
        {"\5\0\0\0ktxx\0\0\0\0", 12, VXB_FINDING_KTX2_KEY_UNKNOWN, 0},
        {"\13\0\0\0KTXwriter\0x\0", 16, VXB_FINDING_KTX2_KEY_VALUES, 0},        /* its text not terminated */
        {"\12\0\0\0KTXwriter\0\0\0", 16, VXB_FINDING_KTX2_KEY_VALUES, 0},
        {"\20\0\0\0KTXswizzle\0rrr1\0", 20, VXB_FINDING_NONE, 1},
        {"\20\0\0\0KTXswizzle\0grr1\0", 20, VXB_FINDING_PYRAMID_KEY, 1},
        /* Defect: told to begin with r, which it does. */
        {"\17\0\0\0KTXswizzle\0rrr1\0", 20, VXB_FINDING_KTX2_KEY_VALUES, 0},
        {"\17\0\0\0vxbake.reduce\0x\0", 20, VXB_FINDING_PYRAMID_REDUCE, 1},
        {"\26\0\0\0vxbake.reduce\0nearest\0\0\0", 28, VXB_FINDING_NONE, 1},
        {"\25\0\0\0vxbake.reduce\0nearest\0\0\0", 28, VXB_FINDING_NONE, 1}, /* no terminator */
        {"\27\0\0\0vxbake.reduce\0nearest\0\0\0", 28, VXB_FINDING_PYRAMID_REDUCE, 1},
        {"\27\0\0\0vxbake.reduce\0farthest\0\0", 28, VXB_FINDING_NONE, 1},
        {"\16\0\0\0vxbake.reduce\0\0\0", 20, VXB_FINDING_PYRAMID_REDUCE, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct memory file = with_values(cases[i].values, cases[i].bytes);
        const struct vxb_error err = error_of(&file);
        cr_assert(eq(int, (int)err.finding, cases[i].finding), "case %zu: %s", i, err.message);
        cr_assert(eq(int, err.status == VXB_OK, cases[i].finding == VXB_FINDING_NONE), "case %zu", i);
        cr_assert(eq(int, listen(&file).warnings, cases[i].warnings), "case %zu", i);
        free(file.data);
    }
}

Test(ktx2, another_orientation__is_refused)
{
    struct memory up = with_values("\22\0\0\0KTXorientation\0ru\0\0\0", 24);
    struct memory down = with_values("\22\0\0\0KTXorientation\0rd\0\0\0", 24);
    cr_assert(eq(str, error_of(&up).message,
                 (char *)"KTXorientation is \"ru\": a depth pyramid's is \"rd\", the top row first"));
    cr_assert(eq(int, (int)error_of(&down).status, VXB_OK));
    free(up.data);
    free(down.data);
}

Test(ktx2, texels_that_are_no_depth__are_refused_with_their_offset)
{
    static const float bad[] = {NAN, INFINITY, -0.25f, 1.5f, -0.0f, -0.0f};
    struct memory file = small_file();
    const uint64_t level_0 = vxbi_load_u64(file.data + 80), level_1 = vxbi_load_u64(file.data + 104);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint8_t kept[4];
        const uint64_t at = i & 1 ? level_1 + 4 * 4 : level_0 + 4 * (3 * 7 + 2);
        memcpy(kept, file.data + at, 4);
        vxbi_store_u32(file.data + at, vxbi_f32_bits(bad[i]));
        const struct vxb_error err = error_of(&file);
        cr_assert(eq(int, (int)err.finding, VXB_FINDING_PYRAMID_TEXEL));
        cr_assert(eq(u64, err.offset, at));
        const char *where = i & 1 ? "texel (1, 1) of level 1 is" : "texel (2, 3) of level 0 is";
        cr_assert(ne(ptr, strstr(err.message, where), NULL));
        memcpy(file.data + at, kept, 4);
    }
    free(file.data);
}

/* KTX2 files that are fine and no depth pyramid. */
Test(ktx2, other_textures__are_told_apart)
{
    static const struct {
        struct vxbi_ktx2_desc desc;
        uint32_t vk;
        int status, finding;
    } cases[] = {
        {{.width = 2, .height = 2, .faces = 1, .levels = 2}, 76, VXB_ERR_UNSUPPORTED, VXB_FINDING_PYRAMID_SHAPE},
        {{.width = 2, .faces = 1, .levels = 2}, 100, VXB_ERR_UNSUPPORTED, VXB_FINDING_PYRAMID_SHAPE},
        {{.width = 2, .height = 2, .depth = 2, .faces = 1, .levels = 2}, 100, VXB_ERR_UNSUPPORTED,
         VXB_FINDING_PYRAMID_SHAPE},
        {{.width = 2, .height = 2, .layers = 1, .faces = 1, .levels = 2}, 100, VXB_ERR_UNSUPPORTED,
         VXB_FINDING_PYRAMID_SHAPE},
        {{.width = 2, .height = 2, .faces = 6, .levels = 2}, 100, VXB_ERR_UNSUPPORTED, VXB_FINDING_PYRAMID_SHAPE},
        {{.width = 9, .height = 2, .faces = 1, .levels = 3}, 100, VXB_ERR_DATA, VXB_FINDING_PYRAMID_CHAIN},
    };
    static const float zeros[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct memory file = {0};
        struct vxbi_ktx2_desc desc = cases[i].desc;
        const struct vxbi_ktx2_sink sink = {&file, append};
        const void *levels[3] = {zeros, zeros, zeros};
        desc.format = vxbi_ktx2_format(cases[i].vk);
        cr_assert(eq(int, vxbi_ktx2_write(NULL, &desc, levels, &sink, NULL), VXB_OK));
        const struct vxb_error err = error_of(&file);
        cr_assert(eq(int, (int)err.status, cases[i].status));
        cr_assert(eq(int, (int)err.finding, cases[i].finding));
        free(file.data);
    }
}

Test(ktx2, what_is_not_read__is_named)
{
    struct memory file = small_file();
    vxbi_store_u32(file.data + 44, 2);
    struct vxb_error err = error_of(&file);
    cr_assert(eq(int, (int)err.status, VXB_ERR_UNSUPPORTED));
    cr_assert(ne(ptr, strstr(err.message, "supercompressionScheme is 2 (Zstandard)"), NULL));
    vxbi_store_u32(file.data + 44, 0);
    vxbi_store_u32(file.data + 12, 37);
    err = error_of(&file);
    cr_assert(eq(int, (int)err.status, VXB_ERR_UNSUPPORTED));
    cr_assert(ne(ptr, strstr(err.message, "vkFormat is 37: what is read is"), NULL));
    vxbi_store_u32(file.data + 12, 100);
    vxbi_store_u32(file.data + 20, 32769);
    err = error_of(&file);
    cr_assert(eq(int, (int)err.status, VXB_ERR_DATA));
    cr_assert(ne(ptr, strstr(err.message, "bytes has no room for it"), NULL), "%s", err.message);
    /* In a file that could hold it, it is more than is read. */
    static const uint8_t more[32769];
    append(&file, more, sizeof more, NULL);
    err = error_of(&file);
    cr_assert(eq(int, (int)err.status, VXB_ERR_LIMIT));
    cr_assert(eq(str, err.message, (char *)"pixelWidth is 32769: at most 32768 is read"));
    memcpy(file.data, "\xABKTX 11\xBB\r\n\x1A\n", 12);
    err = error_of(&file);
    cr_assert(eq(int, (int)err.status, VXB_ERR_FORMAT));
    cr_assert(eq(str, err.message, (char *)"a KTX 1 file: what is read is KTX 2"));
    free(file.data);
}

/* A file with one fault, for each rule that reading can break. */
static const struct {
    enum vxb_finding finding;
    uint32_t at, value; /* a u32 put there; at 0: see broken() */
} faults[] = {
    {VXB_FINDING_KTX2_IDENTIFIER, 4, 0},          {VXB_FINDING_KTX2_TRUNCATED, 0, 0},
    {VXB_FINDING_KTX2_TRAILING, 0, 0},            {VXB_FINDING_KTX2_UNSUPPORTED, 44, 2},
    {VXB_FINDING_KTX2_HEADER, 36, 2},             {VXB_FINDING_KTX2_DFD, 152 + 16, 1},
    {VXB_FINDING_KTX2_KEY_VALUES, 196, 1000},     {VXB_FINDING_KTX2_KEY_UNKNOWN, 204, 0x6469776F},
    {VXB_FINDING_KTX2_WRITER, 200, 0x5858584A},   {VXB_FINDING_KTX2_LEVEL_INDEX, 88, 1},
    {VXB_FINDING_KTX2_PADDING, 0, 0},             {VXB_FINDING_PYRAMID_SHAPE, 0, 0},
    {VXB_FINDING_PYRAMID_CHAIN, 0, 0},            {VXB_FINDING_PYRAMID_REDUCE, 0, 0},
    {VXB_FINDING_PYRAMID_TEXEL, 240, 0x7FC00000},
};

static struct memory other_texture(uint32_t vk, uint32_t levels)
{
    static const float zeros[64];
    struct memory file = {0};
    const void *level[3] = {zeros, zeros, zeros};
    const struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(vk), .width = 5, .height = 5, .faces = 1,
                                        .levels = levels};
    cr_assert(eq(int, vxbi_ktx2_write(NULL, &desc, level, &(struct vxbi_ktx2_sink){&file, append}, NULL), VXB_OK));
    return file;
}

static struct memory broken(size_t i)
{
    if (faults[i].finding == VXB_FINDING_KTX2_PADDING)
        return with_values("\2\0\0\0a\0\0\1", 8);
    if (faults[i].finding == VXB_FINDING_PYRAMID_SHAPE)
        return other_texture(76, 3);
    if (faults[i].finding == VXB_FINDING_PYRAMID_CHAIN)
        return other_texture(100, 2);
    if (faults[i].finding == VXB_FINDING_PYRAMID_REDUCE)
        return with_values("\14\0\0\0KTXwriter\0x\0\17\0\0\0vxbake.reduce\0x\0", 36);
    struct memory file = small_file();
    if (faults[i].finding == VXB_FINDING_KTX2_TRAILING)
        append(&file, "", 1, NULL);
    else if (faults[i].finding == VXB_FINDING_KTX2_TRUNCATED)
        file.size--;
    else
        vxbi_store_u32(file.data + faults[i].at, faults[i].value);
    return file;
}

Test(ktx2, each_fault__is_the_one_finding)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct memory file = broken(i);
        const struct heard heard = listen(&file);
        cr_assert(eq(int, (int)heard.first, (int)faults[i].finding), "%s", vxb_finding_name(faults[i].finding));
        cr_assert(eq(int, heard.errors + heard.warnings, 1), "%s", vxb_finding_name(faults[i].finding));
        free(file.data);
    }
}

/* ---- memory ---- */

Test(ktx2, memory_that_runs_out_anywhere__is_an_error_and_nothing_leaks)
{
    struct memory file = small_file();
    uint64_t n = 1;
    for (bool done = false; !done; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct memory again = {0};
        const struct vxbi_ktx2_sink sink = {&again, append};
        struct vxb_pyramid *pyramid = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = read_pyramid(&env, &file, &pyramid, &err);
        if (status == VXB_OK)
            status = vxbi_pyramid_write(&env, pyramid, &sink, &err);
        if (status == VXB_OK)
            status = vxbi_pyramid_check(&env, pyramid, &(struct vxbi_collect){.err = &err}, &err);
        cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY);
        done = status == VXB_OK;
        if (done)
            cr_assert(again.size == file.size && memcmp(again.data, file.data, file.size) == 0);
        vxb_pyramid_free(pyramid);
        free(again.data);
        cr_assert(eq(u64, heap.now, 0));
    }
    cr_assert(n > 5);
    free(file.data);
}

/* A header alone can ask for terabytes; nothing is allocated before the file was seen to hold them. */
Test(ktx2, a_header_that_asks_for_too_much__allocates_nothing)
{
    struct memory file = small_file();
    struct heap heap = {0};
    struct vxb_env env = heap_env(&heap);
    struct vxb_pyramid *pyramid = NULL;
    struct vxb_error err = {0};
    env.max_memory_bytes = 1000;
    vxbi_store_u32(file.data + 20, 32768);
    vxbi_store_u32(file.data + 24, 32768);
    cr_assert(eq(int, read_pyramid(&env, &file, &pyramid, &err), VXB_ERR_DATA));
    cr_assert(eq(u64, heap.now, 0));
    free(file.data);

    struct vxb_pyramid *large = make(NULL, 20, 20, VXB_REDUCE_NEAREST);
    file = write_pyramid(large);
    vxb_error_clear(&err);
    cr_assert(eq(int, read_pyramid(&env, &file, &pyramid, &err), VXB_ERR_LIMIT));
    cr_assert(eq(str, err.message,
                 (char *)"a pyramid of 20 x 20 takes 2120 bytes of memory, more than the limit of 1000"));
    cr_assert(eq(u64, heap.now, 0));
    vxb_pyramid_free(large);
    free(file.data);
}

/* ---- on disk ---- */

Test(ktx2, saved_and_loaded__is_the_same_and_errors_have_the_path)
{
    char path[] = "/tmp/vxbake-ktx2-XXXXXX";
    struct vxb_error err = {0};
    struct vxb_pyramid *in = make(NULL, 33, 20, VXB_REDUCE_FARTHEST), *out = NULL;
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
    cr_assert(eq(int, vxb_pyramid_save(NULL, in, path, &err), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_load(NULL, path, &out, &err), VXB_OK));
    cr_assert(eq(int, memcmp(in->levels[0].texels, out->levels[0].texels, (size_t)vxbi_pyramid_bytes(33, 20)), 0));
    cr_assert(eq(int, (int)out->reduce, VXB_REDUCE_FARTHEST));
    cr_assert(eq(int, truncate(path, 100), 0));
    cr_assert(eq(int, vxb_pyramid_load(NULL, path, &out, &err), VXB_ERR_DATA));
    cr_assert(eq(str, err.path, (char *)path));
    vxb_error_clear(&err);
    remove(path);
    cr_assert(eq(int, vxb_pyramid_load(NULL, path, &out, &err), VXB_ERR_IO));
    cr_assert(eq(str, err.path, (char *)path));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_pyramid_save(NULL, in, "/tmp", &err), VXB_ERR_IO));
    vxb_pyramid_free(in);
    vxb_pyramid_free(out);
}
