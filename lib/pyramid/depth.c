/* Depth frames: what a file's values mean, and the pyramid over them.
 *
 * Invariant: a value is converted in double and rounded once, so the same file gives the same texels everywhere. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/text.h"
#include "../image/png.h"
#include "pyramid.h"

#define NUMBER_MAX 1e9

enum kind { PFM, PNG, RAW, NONE };

/* A frame's samples as they stand in memory, and what they mean. */
struct frame {
    const struct vxb_depth_desc *desc;
    uint32_t width, height;
    const uint8_t *first; /* of the top row */
    ptrdiff_t pitch;      /* from a row to the one below it */
    size_t step;          /* from a sample to the next */
    bool u16, big;
    double scale;
};

const char *const vxbi_depth_convention_names[] = {
    [VXB_DEPTH_REVERSED] = "reversed", [VXB_DEPTH_DEVICE] = "device", [VXB_DEPTH_LINEAR] = "linear", NULL};

const char *vxb_depth_convention_name(enum vxb_depth_convention convention)
{
    return (unsigned)convention <= VXB_DEPTH_LINEAR ? vxbi_depth_convention_names[convention] : NULL;
}

static enum kind kind_of_name(const char *path)
{
    if (vxbi_ends_with(path, ".pfm"))
        return PFM;
    if (vxbi_ends_with(path, ".png"))
        return PNG;
    return vxbi_ends_with(path, ".r32") || vxbi_ends_with(path, ".raw") ? RAW : NONE;
}

bool vxbi_depth_is_name(const char *path) { return kind_of_name(path) != NONE || vxbi_ends_with(path, ".exr"); }

/* ---- the desc ---- */

struct faults {
    void (*add)(void *user, const char *key, enum vxb_status status, const char *message);
    void *user;
    bool any;
};

static void fault(struct faults *faults, const char *key, enum vxb_status status, const char *format, ...)
    VXBI_PRINTF(4, 5);

static void fault(struct faults *faults, const char *key, enum vxb_status status, const char *format, ...)
{
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    faults->any = true;
    faults->add(faults->user, key, status, text);
}

static void check_file(struct faults *faults, const struct vxb_depth_desc *desc)
{
    if (!desc->path || !*desc->path) {
        fault(faults, "file", VXB_ERR_USAGE, "\"file\" is missing: give the depth frame's path");
        return;
    }
    const enum kind kind = kind_of_name(desc->path);
    const bool sized = desc->width || desc->height;
    if (kind == NONE)
        fault(faults, "file", VXB_ERR_USAGE,
              "the file's kind is told by its name's ending: .pfm, .png, .r32 or .raw, found \"%s\"%s", desc->path,
              vxbi_ends_with(desc->path, ".exr") ? "; export the depth as a PFM" : "");
    else if (kind == RAW && !sized)
        fault(faults, "size", VXB_ERR_USAGE,
              "\"size\" is missing: a raw file does not say how many texels it has, give [columns, rows]");
    else if (kind != RAW && sized)
        fault(faults, "size", VXB_ERR_USAGE, "\"size\" is for raw files only: this file tells its own, leave it out");
    if (kind != NONE && kind != RAW && desc->order != VXB_ORDER_LITTLE)
        fault(faults, "order", VXB_ERR_USAGE,
              "\"order\" is for raw files only: this file tells its own, leave it out");
    if (kind == RAW && sized && (!desc->width || !desc->height))
        fault(faults, "size", VXB_ERR_USAGE, "\"size\" is [%" PRIu32 ", %" PRIu32 "]: a side is at least 1",
              desc->width, desc->height);
    if (desc->width > VXB_PYRAMID_SIDE_MAX || desc->height > VXB_PYRAMID_SIDE_MAX)
        fault(faults, "size", VXB_ERR_LIMIT, "\"size\" is [%" PRIu32 ", %" PRIu32 "]: a side is at most %d",
              desc->width, desc->height, VXB_PYRAMID_SIDE_MAX);
    if ((unsigned)desc->order > VXB_ORDER_BIG)
        fault(faults, "order", VXB_ERR_USAGE, "\"order\" is \"little\" or \"big\"");
}

static void check_plane(struct faults *faults, const char *key, bool given, double value, bool linear)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    if (linear && !given)
        fault(faults, key, VXB_ERR_USAGE, "\"%s\" is missing: linear depth needs the distances of both planes", key);
    else if (!linear && given)
        fault(faults, key, VXB_ERR_USAGE, "\"%s\" is for linear depth only: set \"convention\": \"linear\", or leave "
              "it out", key);
    else if (given && !(value > 0 && value <= NUMBER_MAX))
        fault(faults, key, VXB_ERR_USAGE, "\"%s\" is %s: it is above 0 and at most 1000000000", key,
              vxb_text_f64(value, number));
}

bool vxbi_depth_check(const struct vxb_depth_desc *desc,
                      void (*add)(void *user, const char *key, enum vxb_status status, const char *message), void *user)
{
    struct faults faults = {.add = add, .user = user};
    const bool linear = desc->convention == VXB_DEPTH_LINEAR;
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    check_file(&faults, desc);
    if (desc->has_scale && !(desc->scale > 0 && desc->scale <= NUMBER_MAX))
        fault(&faults, "scale", VXB_ERR_USAGE, "\"scale\" is %s: it is above 0 and at most 1000000000",
              vxb_text_f64(desc->scale, low));
    if (!vxb_depth_convention_name(desc->convention))
        fault(&faults, "convention", VXB_ERR_USAGE, "\"convention\" is \"reversed\", \"device\" or \"linear\"");
    check_plane(&faults, "near", desc->has_near, desc->near_plane, linear);
    check_plane(&faults, "far", desc->has_far, desc->far_plane, linear);
    if (!faults.any && linear && !(desc->near_plane < desc->far_plane))
        fault(&faults, "far", VXB_ERR_USAGE, "\"far\" is %s and \"near\" %s: far is above near",
              vxb_text_f64(desc->far_plane, high), vxb_text_f64(desc->near_plane, low));
    return !faults.any;
}

/* ---- the values ---- */

static double stored(const struct frame *frame, const uint8_t *p)
{
    return frame->u16 ? p[0] << 8 | p[1] : (double)vxbi_load_f32_in(p, frame->big);
}

static double most_of(const struct frame *frame)
{
    return frame->desc->convention == VXB_DEPTH_LINEAR ? DBL_MAX : 1.0;
}

/* A distance above 0 that its scale makes too small for a double is nearest still, by a division by 0. */
static float linear(double z, double near_plane, double far_plane)
{
    const double depth = near_plane * (far_plane - z) / (z * (far_plane - near_plane));
    return depth >= 1 ? 1.0f : depth > 0 ? (float)depth : 0.0f;
}

/* What a value that stands as `found` in its file is kept as. */
static float reversed(const struct vxb_depth_desc *desc, double found, double value)
{
    switch (desc->convention) {
    case VXB_DEPTH_REVERSED: return (float)value;
    case VXB_DEPTH_DEVICE: return (float)(1.0 - value);
    case VXB_DEPTH_LINEAR: return found == 0 ? 0.0f : linear(value, desc->near_plane, desc->far_plane);
    }
    return 0.0f;
}

/* One row; the number of values that are no depth, *first the first of them. */
static uint32_t take_row(const struct frame *frame, const uint8_t *p, float *out, uint32_t *first)
{
    const double most = most_of(frame), scale = frame->scale;
    uint32_t bad = 0;
    for (uint32_t x = 0; x < frame->width; x++, p += frame->step) {
        const double found = stored(frame, p), value = found * scale;
        if (!(value >= 0 && value <= most)) {
            if (bad++ == 0)
                *first = x;
            continue;
        }
        out[x] = reversed(frame->desc, found, value);
    }
    return bad;
}

static enum vxb_status fail_value(const struct frame *frame, uint32_t x, uint32_t y, uint64_t count,
                                  struct vxb_error *err)
{
    const double found = stored(frame, frame->first + (ptrdiff_t)y * frame->pitch + (ptrdiff_t)(x * frame->step));
    char number[VXB_TEXT_NUMBER_ROOM], product[VXB_TEXT_NUMBER_ROOM], scaled[VXB_TEXT_NUMBER_ROOM + 32] = "";
    if (frame->scale != 1 && isfinite(found))
        snprintf(scaled, sizeof scaled, ", scaled %s", vxb_text_f64(found * frame->scale, product));
    return vxbi_fail(err, VXB_ERR_DATA,
                     "texel (%" PRIu32 ", %" PRIu32 ") is %s%s: %s; so many of %" PRIu64 " are not: %" PRIu64, x, y,
                     isnan(found) ? "NaN" : vxb_text_f32((float)found, number), scaled,
                     frame->desc->convention == VXB_DEPTH_LINEAR
                         ? "a distance is finite and not negative (0 where nothing was measured)"
                         : "a depth is between 0 and 1 (are these distances? Then set \"convention\": \"linear\")",
                     (uint64_t)frame->width * frame->height, count);
}

static enum vxb_status take_values(const struct vxb_env *env, const struct frame *frame, float *out,
                                   struct vxb_error *err)
{
    uint64_t bad = 0;
    uint32_t bad_x = 0, bad_y = 0;
    for (uint32_t y = 0; y < frame->height; y++) {
        uint32_t x = 0;
        if (y % 256 == 0 && vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        const uint32_t count = take_row(frame, frame->first + (ptrdiff_t)y * frame->pitch,
                                        out + (uint64_t)y * frame->width, &x);
        if (count && !bad) {
            bad_x = x;
            bad_y = y;
        }
        bad += count;
    }
    return bad ? fail_value(frame, bad_x, bad_y, bad, err) : VXB_OK;
}

/* ---- the files ---- */

static enum vxb_status check_size(const struct vxb_env *env, uint32_t width, uint32_t height, struct vxb_error *err)
{
    if (!width || !height || width > VXB_PYRAMID_SIDE_MAX || height > VXB_PYRAMID_SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the frame is %" PRIu32 " x %" PRIu32 ": a side is 1 to %d", width, height,
                         VXB_PYRAMID_SIDE_MAX);
    const uint64_t bytes = vxbi_pyramid_bytes(width, height);
    if (bytes > vxbi_max_memory(env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(env),
                                    "the pyramid of %" PRIu32 " x %" PRIu32 " takes %" PRIu64 " bytes", width, height,
                                    bytes);
    return VXB_OK;
}

static enum vxb_status open_floats(const struct vxbi_source *source, enum kind kind, struct vxbi_bytes *file,
                                   struct frame *frame, struct vxb_error *err)
{
    const struct vxb_depth_desc *desc = frame->desc;
    struct vxbi_f32_layout layout = {.width = desc->width, .height = desc->height,
                                     .big = desc->order == VXB_ORDER_BIG};
    enum vxb_status status = kind == PFM ? vxbi_pfm_header(source, file, "depths", &layout, err) : VXB_OK;
    if (status == VXB_OK && kind == PFM)
        status = check_size(source->env, layout.width, layout.height, err);
    if (status == VXB_OK && kind == PFM)
        status = vxbi_pfm_fit(file, "depths", &layout, err);
    if (status != VXB_OK)
        return status;
    const size_t row = (size_t)layout.width * 4;
    frame->width = layout.width;
    frame->height = layout.height;
    frame->big = layout.big;
    frame->step = 4;
    frame->pitch = layout.bottom_up ? -(ptrdiff_t)row : (ptrdiff_t)row;
    frame->first = file->data + layout.offset + (layout.bottom_up ? row * (layout.height - 1) : 0);
    return VXB_OK;
}

static enum vxb_status open_png(const struct vxbi_source *source, struct vxbi_bytes *file, struct vxbi_image *image,
                                struct frame *frame, struct vxb_error *err)
{
    struct vxbi_png png;
    enum vxb_status status = vxbi_png_scan(source, file, &png, err);
    if (status != VXB_OK)
        return status;
    if (png.colour == VXBI_PNG_PALETTE || png.depth < 16)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "%s (bit depth %u, colour type %u) is not a depth frame: export it as 16-bit grey, or as a "
                         "PFM",
                         png.name, png.depth, png.colour);
    status = check_size(source->env, png.width, png.height, err);
    if (status == VXB_OK)
        status = vxbi_png_pixels(source, file, &png, image, err);
    if (status != VXB_OK)
        return status;
    if (png.channels > 1)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%s is taken as depth: the first of its %u channels, the rest is left out", png.name, png.channels);
    frame->width = image->width;
    frame->height = image->height;
    frame->first = image->data + image->first;
    frame->pitch = (ptrdiff_t)image->pitch;
    frame->step = (size_t)image->channels * 2;
    frame->u16 = true;
    return VXB_OK;
}

static void refuse(void *user, const char *key, enum vxb_status status, const char *message)
{
    struct vxb_error *err = user;
    char pointer[64];
    if (!err || err->status)
        return;
    snprintf(pointer, sizeof pointer, "/depth/%s", key);
    vxbi_fail(err, status, "%s", message);
    vxbi_error_in(err, status, NULL, pointer);
}

static enum vxb_status read_frame(const struct vxbi_source *source, const struct vxb_depth_desc *desc,
                                  enum vxb_reduce reduce, struct vxb_pyramid **out, struct vxb_error *err)
{
    const struct vxbi_raw raw = {.path = desc->path, .width = desc->width, .height = desc->height, .sample_bytes = 4,
                                 .side_min = 1};
    const enum kind kind = kind_of_name(desc->path);
    struct vxbi_bytes file = {.allocator = source->allocator};
    struct vxbi_image image = {.allocator = source->allocator};
    struct frame frame = {.desc = desc, .scale = desc->has_scale ? desc->scale : kind == PNG ? 1.0 / 65535.0 : 1.0};
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_status status = kind == RAW ? check_size(source->env, desc->width, desc->height, err) : VXB_OK;
    if (status == VXB_OK)
        status = vxbi_read_image_file(source->env, desc->path, kind == RAW ? &raw : NULL, &file, err);
    if (status == VXB_OK)
        status = kind == PNG ? open_png(source, &file, &image, &frame, err)
                             : open_floats(source, kind, &file, &frame, err);
    if (status == VXB_OK)
        status = vxb_pyramid_new(source->env, frame.width, frame.height, reduce, &pyramid, err);
    if (status == VXB_OK)
        status = take_values(source->env, &frame, vxb_pyramid_depth(pyramid), err);
    vxbi_image_clear(&image);
    vxbi_bytes_clear(&file);
    if (status == VXB_OK)
        status = vxb_pyramid_build(source->env, pyramid, vxb_pyramid_depth(pyramid),
                                   (uint64_t)pyramid->width * pyramid->height, err);
    if (status == VXB_OK)
        *out = pyramid;
    else
        vxb_pyramid_free(pyramid);
    return status;
}

enum vxb_status vxb_pyramid_from_depth(const struct vxb_env *env, const struct vxb_depth_desc *desc,
                                       enum vxb_reduce reduce, struct vxb_pyramid **out, struct vxb_error *err)
{
    struct vxb_error first = {0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status != VXB_OK)
        return status;
    if (!vxbi_depth_check(desc, refuse, &first)) {
        if (err && err->status == VXB_OK)
            *err = first;
        return first.status;
    }
    const struct vxbi_source source = {.env = env, .allocator = vxbi_allocator(env), .path = desc->path,
                                       .pointer = "/depth/file"};
    status = read_frame(&source, desc, reduce, out, err);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, desc->path, source.pointer);
}
