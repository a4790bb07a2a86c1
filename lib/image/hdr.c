/* The Radiance reader. Every run is checked against what is left of its row and of the file, so a picture that is
 * damaged or cut is an error and never a row of black; that leaves nothing of the decoding to a library.
 *
 * A row of 8 to 32767 texels that begins with 2, 2 and its width is packed channel by channel; any other is texel by
 * texel, where (1, 1, 1, n) repeats the texel before it. */
#include "hdr.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/env.h"
#include "../core/text.h"

#define LINE_MOST 4096
#define PACKED_LEAST 8u
#define PACKED_MOST 32767u

/* ---- header ---- */

/* The next line without its end, and past it; false where the file ends first or the line is too long for one. */
static bool next_line(const struct vxbi_bytes *file, size_t *at, char line[LINE_MOST])
{
    size_t size = 0;
    while (*at < file->size && file->data[*at] != '\n') {
        if (size + 1 >= LINE_MOST || file->data[*at] == 0)
            return false;
        line[size++] = (char)file->data[(*at)++];
    }
    if (*at == file->size)
        return false;
    ++*at;
    if (size && line[size - 1] == '\r')
        size--;
    line[size] = 0;
    return true;
}

/* Where line is "name=value", spaces about the sign apart, the value. */
static const char *value_of(const char *line, const char *name)
{
    const size_t size = strlen(name);
    if (strncmp(line, name, size) != 0)
        return NULL;
    line += size + strspn(line + size, " \t");
    return *line == '=' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static enum vxb_status read_exposure(const char *value, struct vxbi_hdr *out, struct vxb_error *err)
{
    char text[64];
    double exposure = 0.0;
    const size_t size = strcspn(value, " \t");
    const bool number = size < sizeof text && value[size + strspn(value + size, " \t")] == 0;
    snprintf(text, sizeof text, "%.*s", (int)(number ? size : 0), value);
    if (!number || !vxb_text_number(text, &exposure) || !(exposure > 0.0))
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the picture's EXPOSURE is \"%.64s\"; it must be a finite number above 0", value);
    out->exposure *= exposure;
    if (!(out->exposure > 0.0) || !isfinite(out->exposure))
        return vxbi_fail(err, VXB_ERR_DATA, "the picture's EXPOSUREs multiply to what no number holds");
    return VXB_OK;
}

/* Whether they are none (zeros, as some programs write), or those of Rec. 709 or of Radiance itself, which are near. */
static bool are_known_primaries(const char *value)
{
    static const double rec709[8] = {0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};
    bool none = true, near = true;
    for (int i = 0; i < 8; i++) {
        char text[32];
        double number;
        const size_t size = strcspn(value, " \t");
        snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : 0), value);
        if (!vxb_text_number(text, &number))
            return false;
        none = none && number == 0.0;
        near = near && fabs(number - rec709[i]) < 0.025;
        value += size + strspn(value + size, " \t");
    }
    return none || near;
}

/* One line of the header. */
static enum vxb_status read_variable(const struct vxbi_source *source, const char *line, struct vxbi_hdr *out,
                                     struct vxb_error *err)
{
    const char *value;
    if ((value = value_of(line, "PRIMARIES")) != NULL && !are_known_primaries(value))
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "the picture's PRIMARIES are \"%.80s\"; its colours are read as those of Rec. 709: convert it", value);
    if ((value = value_of(line, "FORMAT")) != NULL && strncmp(value, "32-bit_rle_rgbe", 15) != 0)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "the picture's FORMAT is \"%.64s\"; only 32-bit_rle_rgbe is read", value);
    if ((value = value_of(line, "EXPOSURE")) != NULL)
        return read_exposure(value, out, err);
    if ((value = value_of(line, "COLORCORR")) != NULL)
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "the picture has a COLORCORR (\"%.64s\"), which is not undone: save it without", value);
    return VXB_OK;
}

/* A whole number at *text, moved past; false where there is none below 2^31. */
static bool read_count(const char **text, uint32_t *out)
{
    uint64_t n = 0;
    const char *p = *text;
    for (; *p >= '0' && *p <= '9' && n < 0x80000000u; p++)
        n = 10 * n + (uint64_t)(*p - '0');
    if (p == *text || n >= 0x80000000u)
        return false;
    *text = p;
    *out = (uint32_t)n;
    return true;
}

static enum vxb_status read_size(const char *line, struct vxbi_hdr *out, struct vxb_error *err)
{
    const char *p = line;
    if (strncmp(p, "-Y ", 3) == 0) {
        p += 3;
        if (read_count(&p, &out->height) && strncmp(p, " +X ", 4) == 0) {
            p += 4;
            if (read_count(&p, &out->width) && p[strspn(p, " ")] == 0) {
                if (!out->width || !out->height || out->width > VXBI_IMAGE_SIDE_MAX ||
                    out->height > VXBI_IMAGE_SIDE_MAX)
                    return vxbi_fail(err, VXB_ERR_LIMIT,
                                     "the picture has %" PRIu32 " x %" PRIu32 " texels; a side has 1 to %u", out->width,
                                     out->height, VXBI_IMAGE_SIDE_MAX);
                return VXB_OK;
            }
        }
    }
    if (strchr("+-", line[0]) && line[0] && strchr("XY", line[1]) && line[1])
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "the picture's size line is \"%.64s\"; only \"-Y height +X width\" is read", line);
    return vxbi_fail(err, VXB_ERR_DATA, "the picture's size line is \"%.64s\"; it must be \"-Y height +X width\"",
                     line);
}

enum vxb_status vxbi_hdr_header(const struct vxbi_source *source, const struct vxbi_bytes *file, struct vxbi_hdr *out,
                                struct vxb_error *err)
{
    static const char cut[] = "the picture's header does not end";
    char line[LINE_MOST];
    size_t at = 0;
    enum vxb_status status = VXB_OK;
    *out = (struct vxbi_hdr){.exposure = 1.0};
    if (file->size < 2 || memcmp(file->data, "#?", 2) != 0)
        return vxbi_fail_kind(source->path, ".hdr", file->data, file->size, "a Radiance picture", err);
    if (!next_line(file, &at, line))
        return vxbi_fail(err, VXB_ERR_DATA, cut);
    if (strcmp(line, "#?RADIANCE") != 0 && strcmp(line, "#?RGBE") != 0)
        return vxbi_fail(err, VXB_ERR_FORMAT, "the file begins with \"%.64s\"; a Radiance picture has #?RADIANCE",
                         line);
    do {
        if (!next_line(file, &at, line))
            return vxbi_fail(err, VXB_ERR_DATA, cut);
        status = read_variable(source, line, out, err);
    } while (!status && line[0]);
    if (!status && !next_line(file, &at, line))
        return vxbi_fail(err, VXB_ERR_DATA, "the picture ends before the line with its size");
    out->offset = at;
    return status ? status : read_size(line, out, err);
}

/* ---- texels ---- */

struct rows {
    const uint8_t *data;
    size_t size, at;
    uint32_t width, row;
    struct vxb_error *err;
};

static enum vxb_status fail_row(const struct rows *r, const char *what)
{
    return vxbi_fail(r->err, VXB_ERR_DATA, "the picture is damaged in row %" PRIu32 ": %s", r->row, what);
}

static enum vxb_status fail_cut(const struct rows *r)
{
    return fail_row(r, "the file ends there");
}

/* One channel of a packed row: runs of more than 128 repeat a byte, others list as many. */
static enum vxb_status read_channel(struct rows *r, uint8_t *texels)
{
    for (uint32_t x = 0; x < r->width;) {
        if (r->at >= r->size)
            return fail_cut(r);
        const uint32_t code = r->data[r->at++], count = code > 128 ? code - 128 : code;
        if (count == 0)
            return fail_row(r, "a run has no length");
        if (count > r->width - x)
            return fail_row(r, "a run goes beyond the row");
        if (r->size - r->at < (code > 128 ? 1 : count))
            return fail_cut(r);
        for (uint32_t i = 0; i < count; i++, x++)
            texels[4 * x] = r->data[code > 128 ? r->at : r->at + i];
        r->at += code > 128 ? 1 : count;
    }
    return VXB_OK;
}

/* Texel by texel. Repeats that follow each other are the digits of one count, the lowest first. */
static enum vxb_status read_plain(struct rows *r, uint8_t *texels)
{
    unsigned shift = 0;
    for (uint32_t x = 0; x < r->width;) {
        const uint8_t *p = r->data + r->at;
        if (r->size - r->at < 4)
            return fail_cut(r);
        r->at += 4;
        if (p[0] != 1 || p[1] != 1 || p[2] != 1) {
            memcpy(texels + 4 * x++, p, 4);
            shift = 0;
            continue;
        }
        const uint64_t count = (uint64_t)p[3] << shift;
        if (x == 0)
            return fail_row(r, "it begins with a repeat");
        if (count > r->width - x || shift > 16)
            return fail_row(r, "a repeat goes beyond the row");
        for (uint64_t i = 0; i < count; i++, x++)
            memcpy(texels + 4 * x, texels + 4 * x - 4, 4);
        shift += 8;
    }
    return VXB_OK;
}

static enum vxb_status read_row(struct rows *r, uint8_t *texels)
{
    const uint8_t *p = r->data + r->at;
    enum vxb_status status = VXB_OK;
    if (r->width < PACKED_LEAST || r->width > PACKED_MOST || r->size - r->at < 4 || p[0] != 2 || p[1] != 2 ||
        p[2] > 127)
        return read_plain(r, texels);
    if ((uint32_t)p[2] << 8 != (r->width & 0xFF00u) || p[3] != (r->width & 0xFFu))
        return fail_row(r, "it says that it has another width");
    r->at += 4;
    for (int channel = 0; channel < 4 && !status; channel++)
        status = read_channel(r, texels + channel);
    return status;
}

/* mantissa * 2^(exponent - 136), exact. */
static void unpack_row(const uint8_t *texels, uint32_t width, float *out)
{
    for (uint32_t x = 0; x < width; x++, texels += 4, out += 3) {
        const float scale = texels[3] ? ldexpf(1.0f, texels[3] - 136) : 0.0f;
        for (int c = 0; c < 3; c++)
            out[c] = (float)texels[c] * scale;
    }
}

enum vxb_status vxbi_hdr_texels(const struct vxbi_source *source, const struct vxbi_bytes *file,
                                const struct vxbi_hdr *hdr, float *texels, struct vxb_error *err)
{
    struct rows r = {.data = file->data, .size = file->size, .at = hdr->offset, .width = hdr->width, .err = err};
    uint8_t *row = vxbi_new(&source->allocator, hdr->width, 4);
    enum vxb_status status = VXB_OK;
    if (!row)
        return vxbi_fail_memory(err, (uint64_t)hdr->width * 4);
    for (; r.row < hdr->height && !status; r.row++) {
        if (r.row % 64 == 0 && vxbi_cancelled(source->env))
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled while reading the picture");
        if (!status)
            status = read_row(&r, row);
        if (!status)
            unpack_row(row, hdr->width, texels + 3 * (uint64_t)r.row * hdr->width);
    }
    if (!status && r.at < r.size)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%zu bytes after the picture's last row are left out", r.size - r.at);
    vxbi_delete(&source->allocator, row, hdr->width, 4);
    return status;
}
