/* PFM with one channel ("Pf"): rows stored bottom-up, byte order by the sign of its scale. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/text.h"
#include "source.h"

/* The header's tokens; each is followed by one white space, and more may stand before it. */
struct tokens {
    const uint8_t *data;
    size_t size, at;
};

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next token as text; the one white space after it is passed. False where there is none, or it is too long. */
static bool next_token(struct tokens *t, char *out, size_t room)
{
    size_t n = 0;
    while (t->at < t->size && is_space(t->data[t->at]))
        t->at++;
    while (t->at < t->size && !is_space(t->data[t->at])) {
        if (n + 1 >= room || t->data[t->at] == 0)
            return false;
        out[n++] = (char)t->data[t->at++];
    }
    out[n] = 0;
    if (n == 0 || t->at == t->size)
        return false;
    t->at++;
    return true;
}

static enum vxb_status bad_header(struct vxb_error *err, const char *what, const char *text)
{
    return vxbi_fail(err, VXB_ERR_DATA, "the PFM's header has %s \"%s\"; it is Pf, width, height and a scale", what,
                     text);
}

/* The next token, as a side. What is too large for its type is told as it stands there; the limit is the caller's. */
static enum vxb_status next_side(struct tokens *t, const char *what, uint32_t *out, struct vxb_error *err)
{
    char text[32] = "";
    uint64_t value = 0;
    bool good = next_token(t, text, sizeof text);
    for (const char *p = text; *p; p++) {
        good = good && *p >= '0' && *p <= '9';
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(*p - '0');
    }
    if (!good)
        return bad_header(err, what, text);
    if (value > UINT32_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the PFM's header has %s %s: at most %u is read", what, text,
                         VXBI_IMAGE_SIDE_MAX);
    *out = (uint32_t)value;
    return VXB_OK;
}

enum vxb_status vxbi_pfm_header(const struct vxbi_source *source, const struct vxbi_bytes *file, const char *noun,
                                struct vxbi_f32_layout *out, struct vxb_error *err)
{
    struct tokens t = {.data = file->data, .size = file->size, .at = 2};
    char text[32] = "";
    double scale;
    if (file->size >= 3 && memcmp(file->data, "PF", 2) == 0 && is_space(file->data[2]))
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "this PFM is in colour (\"PF\", three channels): %s are a PFM with one channel (\"Pf\")",
                         noun);
    if (file->size < 3 || memcmp(file->data, "Pf", 2) != 0 || !is_space(file->data[2]))
        return vxbi_fail_kind(source->path, ".pfm", file->data, file->size, "a PFM", err);
    enum vxb_status status = next_side(&t, "the width", &out->width, err);
    if (!status)
        status = next_side(&t, "the height", &out->height, err);
    if (status)
        return status;
    if (!next_token(&t, text, sizeof text) || !vxb_text_number(text, &scale) || scale == 0)
        return bad_header(err, "the scale", text);
    out->big = scale > 0;
    out->bottom_up = true;
    out->offset = t.at;
    if (fabs(scale) != 1)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "the PFM's scale is %s; only its sign (the byte order) is used, the %s are taken as they stand", text,
                 noun);
    return VXB_OK;
}

enum vxb_status vxbi_pfm_fit(const struct vxbi_bytes *file, const char *noun, struct vxbi_f32_layout *layout,
                             struct vxb_error *err)
{
    uint64_t expected = (uint64_t)layout->width * layout->height * 4, left = file->size - layout->offset;
    /* A header whose lines end in CR LF: the CR was the one white space. */
    if (left == expected + 1 && file->data[layout->offset - 1] == '\r' && file->data[layout->offset] == '\n') {
        layout->offset++;
        left--;
    }
    if (left != expected)
        return vxbi_fail(err, VXB_ERR_DATA,
                         "after its header the PFM has %" PRIu64 " bytes, but %" PRIu32 " x %" PRIu32
                         " %s of 4 bytes are %" PRIu64 ": it is %s",
                         left, layout->width, layout->height, noun, expected, left < expected ? "cut" : "too long");
    return VXB_OK;
}
