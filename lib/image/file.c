/* Whole files, read in pieces, and whether a raw one can be what it is said to be. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "source.h"

#define PIECE_BYTES ((uint64_t)64 << 20)

static enum vxb_status read_pieces(const struct vxb_env *env, const struct vxbi_file *file, struct vxbi_bytes *out,
                                   struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    while (!status && out->size < out->room) {
        uint64_t piece = out->room - out->size < PIECE_BYTES ? out->room - out->size : PIECE_BYTES;
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        status = vxbi_file_read_at(file, out->size, out->data + out->size, (size_t)piece, err);
        out->size += (size_t)piece;
    }
    return status;
}

/* A reader may still refuse it, for being another kind than is wanted. */
static bool begins_as_picture(const uint8_t *start, size_t size)
{
    bool sure;
    return vxbi_kind_of_content(start, size, &sure) ||
           (size >= 2 && (memcmp(start, "#?", 2) == 0 || memcmp(start, "Pf", 2) == 0 || memcmp(start, "PF", 2) == 0));
}

static bool begins_as_samples(const uint8_t *start, size_t size)
{
    bool sure;
    return !vxbi_kind_of_content(start, size, &sure) || !sure;
}

/* Room for the twice and four times as many bytes whose reason vxbi_check_raw_size() knows. */
static struct vxbi_stream stream_of(const struct vxbi_raw *raw)
{
    if (!raw)
        return (struct vxbi_stream){.begins = begins_as_picture};
    return (struct vxbi_stream){begins_as_samples, (uint64_t)raw->width * raw->height * raw->sample_bytes * 4};
}

enum vxb_status vxbi_read_image_file(const struct vxb_env *env, const char *path, const struct vxbi_raw *raw,
                                     struct vxbi_bytes *out, struct vxb_error *err)
{
    struct vxbi_file *file;
    uint8_t head[16];
    const struct vxbi_stream stream = stream_of(raw);
    enum vxb_status status = vxbi_file_open(env, path, &stream, &file, err);
    if (status)
        return status;
    struct vxbi_bytes bytes = {.allocator = vxbi_allocator(env)};
    uint64_t size = vxbi_file_size(file), max = vxbi_max_memory(env);
    size_t head_size = size < sizeof head ? (size_t)size : sizeof head;
    if (size == 0)
        status = vxbi_fail(err, VXB_ERR_FORMAT, "the file is empty");
    else if (!raw && size > max)
        status = vxbi_fail_max_memory(err, max, "the file takes %" PRIu64 " bytes", size);
    else if (raw && !(status = vxbi_file_read_at(file, 0, head, head_size, err)))
        status = vxbi_check_raw_size(raw, size, head, head_size, err);
    if (!status && !(bytes.data = vxbi_new(&bytes.allocator, size, 1)))
        status = vxbi_fail_memory(err, size);
    if (!status) {
        bytes.room = (size_t)size;
        status = read_pieces(env, file, &bytes, err);
    }
    vxbi_file_close(file);
    if (status)
        vxbi_bytes_clear(&bytes);
    else
        *out = bytes;
    return status;
}

static uint32_t exact_root(uint64_t value)
{
    uint64_t root = (uint64_t)sqrt((double)value);
    while (root * root > value)
        root--;
    while ((root + 1) * (root + 1) <= value)
        root++;
    return root * root == value && root <= VXBI_IMAGE_SIDE_MAX ? (uint32_t)root : 0;
}

/* What would explain a size that does not match, or "". */
static void explain(char *out, size_t room, const struct vxbi_raw *raw, uint64_t size)
{
    uint64_t samples = (uint64_t)raw->width * raw->height;
    uint32_t side = size % raw->sample_bytes ? 0 : exact_root(size / raw->sample_bytes);
    if (size == samples)
        snprintf(out, room, ": it has one byte a sample, %u bits are needed", raw->sample_bytes * 8);
    else if (raw->either && raw->sample_bytes == 2 && size == samples * 4)
        snprintf(out, room, ": it has four bytes a sample, set \"sample\": \"f32\" if they are floats");
    else if (raw->either && raw->sample_bytes == 4 && size == samples * 2)
        snprintf(out, room, ": it has two bytes a sample, set \"sample\": \"u16\"");
    else if (side && side >= raw->side_min)
        snprintf(out, room, ": it would be %" PRIu32 " x %" PRIu32, side, side);
    else
        snprintf(out, room, ": set \"size\" to what the file has");
}

enum vxb_status vxbi_check_raw_size(const struct vxbi_raw *raw, uint64_t size, const uint8_t *head, size_t head_size,
                                    struct vxb_error *err)
{
    bool sure;
    uint64_t expected = (uint64_t)raw->width * raw->height * raw->sample_bytes;
    const char *kind = vxbi_kind_of_content(head, head_size, &sure);
    if (kind && (sure || size != expected))
        return vxbi_fail_kind(raw->path, NULL, head, head_size, "a raw file of samples alone", err);
    if (size == expected)
        return VXB_OK;
    char why[96];
    explain(why, sizeof why, raw, size);
    return vxbi_fail(err, VXB_ERR_DATA,
                     "the file has %" PRIu64 " bytes, but %" PRIu32 " x %" PRIu32
                     " samples of %u bytes (%s) are %" PRIu64 "%s",
                     size, raw->width, raw->height, raw->sample_bytes, raw->sample_bytes == 4 ? "f32" : "u16", expected,
                     why);
}

void vxbi_f32_place(const struct vxbi_f32_layout *layout, uint64_t n, uint32_t *x, uint32_t *y)
{
    *x = (uint32_t)(n % layout->width);
    *y = (uint32_t)(n / layout->width);
    if (layout->bottom_up)
        *y = layout->height - 1 - *y;
}
