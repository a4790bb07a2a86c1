/* Depth pyramids as KTX2 files: what is put into one, and what makes a KTX2 file a depth pyramid.
 *
 * A nearest pyramid, which is what a file without the key of the reduction is read as, is written without it: Khronos'
 * validator warns of every key that is not the specification's, and such a file gives it nothing to warn of. */
#include <inttypes.h>
#include <string.h>

#include "../ktx2/texture.h"
#include "pyramid.h"

#include "../core/env.h"

#define REDUCE_KEY "vxbake.reduce"

enum vxb_status vxbi_pyramid_write(const struct vxb_env *env, const struct vxb_pyramid *pyramid,
                                   const struct vxbi_ktx2_sink *sink, struct vxb_error *err)
{
    const char *reduce = vxb_reduce_name(pyramid->reduce);
    const struct vxbi_ktx2_value values[] = {{"KTXwriter", VXBI_KTX2_WRITER, sizeof VXBI_KTX2_WRITER},
                                             {REDUCE_KEY, reduce, (uint32_t)strlen(reduce) + 1}};
    const uint32_t value_count = pyramid->reduce == VXB_REDUCE_NEAREST ? 1 : 2;
    const struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(VXBI_KTX2_R32_SFLOAT),
                                        .width = pyramid->width,
                                        .height = pyramid->height,
                                        .faces = 1,
                                        .levels = pyramid->level_count,
                                        .values = values,
                                        .value_count = value_count};
    const void *levels[VXB_PYRAMID_LEVELS_MAX];
    for (uint32_t k = 0; k < pyramid->level_count; k++)
        levels[k] = pyramid->levels[k].texels;
    return vxbi_ktx2_write(env, &desc, levels, sink, err);
}

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    return vxb_output_append(user, data, size, err);
}

enum vxb_status vxb_pyramid_save(const struct vxb_env *env, const struct vxb_pyramid *pyramid, const char *path,
                                 struct vxb_error *err)
{
    struct vxb_output *output;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxb_output_open(env, path, &output, err);
    if (status != VXB_OK)
        return vxbi_error_in(err, status, path, NULL);
    status = vxbi_pyramid_write(env, pyramid, &(struct vxbi_ktx2_sink){output, append}, err);
    if (status == VXB_OK)
        status = vxb_output_commit(output, err);
    else
        vxb_output_abort(output);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, path, NULL);
}

/* "r" and three more of "rgba01": what is read as red is the depth. */
static bool keeps_red(const struct vxbi_ktx2_value *swizzle)
{
    const char *text = swizzle->value;
    return swizzle->bytes == 5 && text[0] == 'r' && text[4] == 0 && strspn(text, "rgba01") == 4;
}

/* Of the specification's keys those that change what a texel means, or what it is one of. */
static void check_keys(const struct vxbi_ktx2_desc *desc, struct vxbi_collect *collect)
{
    static const char *const harmless[] = {"KTXwriter", "KTXwriterScParams", "KTXorientation"};
    for (uint32_t i = 0; i < desc->value_count; i++) {
        const struct vxbi_ktx2_value *value = &desc->values[i];
        bool good = strncmp(value->key, "KTX", 3) != 0 || (strcmp(value->key, "KTXswizzle") == 0 && keeps_red(value));
        for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
            good = good || strcmp(value->key, harmless[k]) == 0;
        if (!good)
            vxbi_found(collect, VXB_FINDING_PYRAMID_KEY, VXBI_NO_OFFSET, "/keyValueData",
                       "the key %s is there: a loader that follows it shows other depths than a march reads%s",
                       value->key, strcmp(value->key, "KTXswizzle") == 0 ? "; allowed is one that begins with r" : "");
    }
}

static bool check_shape(const struct vxbi_ktx2_desc *desc, struct vxbi_collect *collect)
{
    const struct vxbi_ktx2_value *orientation = vxbi_ktx2_value(desc, "KTXorientation");
    const uint64_t errors = collect->errors;
    if (desc->format->vk != VXBI_KTX2_R32_SFLOAT)
        vxbi_found(collect, VXB_FINDING_PYRAMID_SHAPE, 12, "/header/vkFormat",
                   "the format is %s: a depth pyramid is R32_SFLOAT", desc->format->name);
    if (!desc->height || desc->depth || desc->layers || desc->faces != 1) {
        vxbi_found(collect, VXB_FINDING_PYRAMID_SHAPE, 24, "/header/pixelHeight",
                   "pixelHeight is %" PRIu32 ", pixelDepth %" PRIu32 ", layerCount %" PRIu32 " and faceCount %" PRIu32
                   ": a depth pyramid is one 2D image (at least 1, and 0, 0 and 1)",
                   desc->height, desc->depth, desc->layers, desc->faces);
        return false;
    }
    if (orientation && !vxbi_ktx2_value_is(orientation, "rd"))
        vxbi_found(collect, VXB_FINDING_PYRAMID_SHAPE, VXBI_NO_OFFSET, "/keyValueData",
                   "KTXorientation is \"%s\": a depth pyramid's is \"rd\", the top row first",
                   (const char *)orientation->value);
    check_keys(desc, collect);
    uint32_t levels = 1;
    while (desc->width >> levels || desc->height >> levels)
        levels++;
    if (desc->levels != levels || desc->asks_for_levels)
        vxbi_found(collect, VXB_FINDING_PYRAMID_CHAIN, 40, "/header/levelCount",
                   "levelCount is %" PRIu32 ": the whole chain of %" PRIu32 " x %" PRIu32 " has %" PRIu32,
                   desc->asks_for_levels ? 0 : desc->levels, desc->width, desc->height, levels);
    return collect->errors == errors;
}

/* A file that names no reduction promises nearest where vxbake wrote it; of another tool's that is assumed. */
static bool take_reduce(const struct vxbi_ktx2 *file, enum vxb_reduce *out, bool *assumed, struct vxbi_collect *collect)
{
    const struct vxbi_ktx2_value *value = vxbi_ktx2_value(&file->desc, REDUCE_KEY);
    uint32_t revision;
    *out = VXB_REDUCE_NEAREST;
    *assumed = !value && !vxbi_pyramid_revision(file, &revision);
    if (!value || vxbi_ktx2_value_is(value, "nearest"))
        return true;
    *out = VXB_REDUCE_FARTHEST;
    if (vxbi_ktx2_value_is(value, "farthest"))
        return true;
    vxbi_found(collect, VXB_FINDING_PYRAMID_REDUCE, file->layout.values_offset, "/keyValueData",
               REDUCE_KEY " is \"%.*s\": it is nearest or farthest", value->bytes < 64 ? (int)value->bytes : 64,
               (const char *)value->value);
    return false;
}

bool vxbi_pyramid_check_head(const struct vxbi_ktx2 *file, enum vxb_reduce *reduce, bool *assumed,
                             struct vxbi_collect *collect)
{
    return check_shape(&file->desc, collect) && take_reduce(file, reduce, assumed, collect);
}

bool vxbi_pyramid_revision(const struct vxbi_ktx2 *file, uint32_t *revision)
{
    const struct vxbi_ktx2_value *writer = vxbi_ktx2_value(&file->desc, "KTXwriter");
    const size_t begins = sizeof VXBI_KTX2_WRITER_BEGINS - 1;
    if (!writer || writer->bytes <= begins || memcmp(writer->value, VXBI_KTX2_WRITER_BEGINS, begins) != 0)
        return false;
    const char *text = (const char *)writer->value + begins, *end = (const char *)writer->value + writer->bytes;
    uint32_t number = 0, digits = 0;
    for (; text < end && *text >= '0' && *text <= '9' && digits < 5; text++, digits++)
        number = 10 * number + (uint32_t)(*text - '0');
    *revision = number;
    return digits > 0 && (text == end || (text + 1 == end && *text == 0));
}

/* A depth frame may have a -0, a file not: to a shader that compares depths as integers it is the nearest of all. */
static void check_texels(const struct vxbi_ktx2 *file, struct vxb_pyramid *pyramid, uint32_t level,
                         struct vxbi_collect *collect)
{
    const uint32_t width = pyramid->levels[level].width;
    uint64_t bad = 0, first = 0;
    for (uint32_t y = 0; y < pyramid->levels[level].height; y++) {
        uint32_t x;
        const uint32_t count = vxbi_pyramid_unclean(vxbi_pyramid_row(pyramid, level, y), width, &x);
        if (count && !bad)
            first = (uint64_t)y * width + x;
        bad += count;
    }
    if (bad) {
        const uint32_t x = (uint32_t)(first % width), y = (uint32_t)(first / width);
        char text[VXBI_PYRAMID_TEXEL_ROOM];
        vxbi_found(collect, VXB_FINDING_PYRAMID_TEXEL, file->layout.level_offset[level] + first * sizeof(float),
                   vxbi_pointer(collect, "/levels/%" PRIu32, level), "%s; so many of the level are not: %" PRIu64,
                   vxbi_pyramid_texel_text(level, x, y, vxbi_pyramid_row(pyramid, level, y)[x], text), bad);
    }
}

enum vxb_status vxbi_pyramid_read(const struct vxb_env *env, const struct vxbi_ktx2 *file,
                                  struct vxbi_collect *collect, struct vxb_pyramid **out, struct vxb_error *err)
{
    const uint32_t width = file->desc.width, height = file->desc.height;
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_reduce reduce;
    bool assumed;
    *out = NULL;
    if (!vxbi_pyramid_check_head(file, &reduce, &assumed, collect))
        return VXB_OK;
    if (vxbi_pyramid_bytes(width, height) > vxbi_max_memory(env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(env),
                                    "a pyramid of %" PRIu32 " x %" PRIu32 " takes %" PRIu64 " bytes", width, height,
                                    vxbi_pyramid_bytes(width, height));
    enum vxb_status status = vxb_pyramid_new(env, width, height, reduce, &pyramid, err);
    if (status != VXB_OK)
        return status;
    vxbi_pyramid_of(pyramid)->assumed = assumed;
    const uint64_t errors = collect->errors;
    for (uint32_t k = 0; k < pyramid->level_count && status == VXB_OK; k++) {
        status = vxbi_ktx2_read(file, k, 0, vxbi_pyramid_row(pyramid, k, 0), (size_t)file->layout.level_bytes[k], err);
        if (status == VXB_OK)
            check_texels(file, pyramid, k, collect);
    }
    if (status == VXB_OK && collect->errors == errors)
        *out = pyramid;
    else
        vxb_pyramid_free(pyramid);
    return status;
}

enum vxb_status vxb_texture_pyramid(const struct vxb_env *env, const struct vxb_texture *texture,
                                    struct vxb_pyramid **out, struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_status status = vxbi_pyramid_read(env, &texture->ktx2, &collect, &pyramid, err);
    if (status == VXB_OK)
        status = collect.status;
    if (status != VXB_OK)
        return vxbi_error_in(err, status, texture->name, NULL);
    *out = pyramid;
    return VXB_OK;
}

enum vxb_status vxb_pyramid_load(const struct vxb_env *env, const char *path, struct vxb_pyramid **out,
                                 struct vxb_error *err)
{
    struct vxb_texture *texture;
    enum vxb_status status = vxb_texture_open(env, path, &texture, err);
    if (status != VXB_OK)
        return status;
    status = vxb_texture_pyramid(env, texture, out, err);
    vxb_texture_close(texture);
    return status;
}
