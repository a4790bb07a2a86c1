/* Depth pyramids as KTX2 files: what is put into one, and what makes a KTX2 file a depth pyramid. */
#include <inttypes.h>
#include <string.h>

#include "pyramid.h"

#define REDUCE_KEY "vxbake.reduce"
#define STRING_(x) #x
#define STRING(x) STRING_(x)

/* The revision of the rules, and not the library's version: equal rules give equal bytes. */
#define WRITER "vxbake, bake revision " STRING(VXB_BAKE_REVISION)

enum vxb_status vxbi_pyramid_write(const struct vxb_env *env, const struct vxb_pyramid *pyramid,
                                   const struct vxbi_ktx2_sink *sink, struct vxb_error *err)
{
    const char *reduce = vxb_reduce_name(pyramid->reduce);
    const struct vxbi_ktx2_value values[] = {{"KTXwriter", WRITER, sizeof WRITER},
                                             {REDUCE_KEY, reduce, (uint32_t)strlen(reduce) + 1}};
    const struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(VXBI_KTX2_R32_SFLOAT),
                                        .width = pyramid->width,
                                        .height = pyramid->height,
                                        .faces = 1,
                                        .levels = pyramid->level_count,
                                        .values = values,
                                        .value_count = sizeof values / sizeof *values};
    const void *levels[VXB_PYRAMID_LEVELS_MAX];
    for (uint32_t k = 0; k < pyramid->level_count; k++)
        levels[k] = pyramid->levels[k].texels;
    return vxbi_ktx2_write(env, &desc, levels, sink, err);
}

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    return vxbi_output_append(user, data, size, err);
}

enum vxb_status vxb_pyramid_save(const struct vxb_env *env, const struct vxb_pyramid *pyramid, const char *path,
                                 struct vxb_error *err)
{
    struct vxbi_output *output;
    enum vxb_status status = vxbi_output_open(env, path, &output, err);
    if (status != VXB_OK)
        return vxbi_error_in(err, status, path, NULL);
    status = vxbi_pyramid_write(env, pyramid, &(struct vxbi_ktx2_sink){output, append}, err);
    if (status == VXB_OK)
        status = vxbi_output_commit(output, NULL, err);
    else
        vxbi_output_abort(output);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, path, NULL);
}

static enum vxb_status check_shape(const struct vxbi_ktx2_desc *desc, struct vxb_error *err)
{
    const struct vxbi_ktx2_value *orientation = vxbi_ktx2_value(desc, "KTXorientation");
    if (desc->format->vk != VXBI_KTX2_R32_SFLOAT)
        return vxbi_fail_at(err, VXB_ERR_UNSUPPORTED, VXB_FINDING_PYRAMID_SHAPE, 12,
                            "the format is %s: a depth pyramid is R32_SFLOAT", desc->format->name);
    if (!desc->height || desc->depth || desc->layers || desc->faces != 1)
        return vxbi_fail_at(err, VXB_ERR_UNSUPPORTED, VXB_FINDING_PYRAMID_SHAPE, 20,
                            "pixelHeight is %" PRIu32 ", pixelDepth %" PRIu32 ", layerCount %" PRIu32
                            " and faceCount %" PRIu32 ": a depth pyramid is one 2D image (at least 1, 0, 0 and 1)",
                            desc->height, desc->depth, desc->layers, desc->faces);
    if (orientation && !vxbi_ktx2_value_is(orientation, "rd"))
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "KTXorientation is \"%.*s\": a depth pyramid's is \"rd\", the top row first",
                         (int)orientation->bytes - 1, (const char *)orientation->value);
    uint32_t levels = 1;
    while (desc->width >> levels || desc->height >> levels)
        levels++;
    if (desc->levels != levels)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_PYRAMID_CHAIN, 40,
                            "levelCount is %" PRIu32 ": the whole chain of %" PRIu32 " x %" PRIu32 " has %" PRIu32,
                            desc->levels, desc->width, desc->height, levels);
    return VXB_OK;
}

static enum vxb_status reduce_of(const struct vxbi_ktx2 *file, enum vxb_reduce *out, bool *assumed,
                                 struct vxb_error *err)
{
    const struct vxbi_ktx2_value *value = vxbi_ktx2_value(&file->desc, REDUCE_KEY);
    *out = VXB_REDUCE_NEAREST;
    *assumed = !value;
    if (!value || vxbi_ktx2_value_is(value, "nearest"))
        return VXB_OK;
    *out = VXB_REDUCE_FARTHEST;
    if (vxbi_ktx2_value_is(value, "farthest"))
        return VXB_OK;
    return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_PYRAMID_REDUCE, file->layout.values_offset,
                        REDUCE_KEY " is \"%.*s\": it is nearest or farthest",
                        value->bytes < 64 ? (int)value->bytes : 64, (const char *)value->value);
}

static enum vxb_status read_levels(const struct vxbi_ktx2 *file, struct vxb_pyramid *pyramid, struct vxb_error *err)
{
    for (uint32_t k = 0; k < pyramid->level_count; k++) {
        const uint32_t width = pyramid->levels[k].width, height = pyramid->levels[k].height;
        enum vxb_status status = vxbi_ktx2_read(file, k, 0, vxbi_pyramid_row(pyramid, k, 0),
                                                (size_t)file->layout.level_bytes[k], err);
        if (status != VXB_OK)
            return status;
        for (uint32_t y = 0; y < height; y++) {
            float *row = vxbi_pyramid_row(pyramid, k, y);
            if (vxbi_pyramid_take_row(row, row, width))
                continue;
            const uint32_t x = vxbi_pyramid_bad_texel(row, width);
            const uint64_t offset = file->layout.level_offset[k] + ((uint64_t)y * width + x) * sizeof *row;
            return vxbi_pyramid_fail_texel(err, &offset, k, x, y, row[x]);
        }
    }
    return VXB_OK;
}

enum vxb_status vxbi_pyramid_read(const struct vxb_env *env, const struct vxbi_ktx2 *file, struct vxb_pyramid **out,
                                  struct vxb_error *err)
{
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_reduce reduce;
    bool assumed;
    enum vxb_status status = check_shape(&file->desc, err);
    if (status == VXB_OK)
        status = reduce_of(file, &reduce, &assumed, err);
    if (status != VXB_OK)
        return status;
    const uint64_t bytes = vxbi_pyramid_bytes(file->desc.width, file->desc.height);
    if (bytes > vxbi_max_memory(env))
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the pyramid of %" PRIu32 " x %" PRIu32 " takes %" PRIu64 " bytes: the memory limit is %" PRIu64,
                         file->desc.width, file->desc.height, bytes, vxbi_max_memory(env));
    status = vxb_pyramid_new(env, file->desc.width, file->desc.height, reduce, &pyramid, err);
    if (status != VXB_OK)
        return status;
    vxbi_pyramid_of(pyramid)->assumed = assumed;
    status = read_levels(file, pyramid, err);
    if (status == VXB_OK)
        *out = pyramid;
    else
        vxb_pyramid_free(pyramid);
    return status;
}

static enum vxb_status read_file(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    return vxbi_file_read_at(user, offset, buf, size, err);
}

enum vxb_status vxb_pyramid_load(const struct vxb_env *env, const char *path, struct vxb_pyramid **out,
                                 struct vxb_error *err)
{
    struct vxbi_file *file;
    struct vxbi_ktx2 ktx2;
    enum vxb_status status = vxbi_file_open(env, path, &file, err);
    if (status != VXB_OK)
        return vxbi_error_in(err, status, path, NULL);
    const struct vxbi_ktx2_source source = {file, vxbi_file_size(file), read_file};
    status = vxbi_ktx2_open(env, &source, &ktx2, err);
    if (status == VXB_OK) {
        status = vxbi_pyramid_read(env, &ktx2, out, err);
        vxbi_ktx2_clear(&ktx2);
    }
    vxbi_file_close(file);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, path, NULL);
}
