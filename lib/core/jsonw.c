/* The streaming JSON writer. */
#include "jsonw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static void flush(struct vxbi_jsonw *w)
{
    if (w->used && !w->failed && !w->write(w->user, w->buf, w->used))
        w->failed = true;
    w->used = 0;
}

static void put(struct vxbi_jsonw *w, const char *text, size_t size)
{
    while (size) {
        if (w->used == sizeof w->buf)
            flush(w);
        size_t n = sizeof w->buf - w->used < size ? sizeof w->buf - w->used : size;
        memcpy(w->buf + w->used, text, n);
        w->used += n;
        text += n;
        size -= n;
    }
}

static void puts_(struct vxbi_jsonw *w, const char *text) { put(w, text, strlen(text)); }

static void newline(struct vxbi_jsonw *w)
{
    if (w->compact)
        return;
    puts_(w, "\n");
    for (unsigned i = 0; i < w->depth; i++)
        puts_(w, "  ");
}

/* What goes before a value or a key. */
static void lead(struct vxbi_jsonw *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (!w->first)
        puts_(w, ",");
    if (w->depth)
        newline(w);
    w->first = false;
}

void vxbi_jsonw_begin(struct vxbi_jsonw *w, bool (*write)(void *user, const char *data, size_t size), void *user,
                      bool compact)
{
    w->write = write;
    w->user = user;
    w->compact = compact;
    w->failed = w->after_key = false;
    w->first = true;
    w->depth = 0;
    w->used = 0;
}

bool vxbi_jsonw_end(struct vxbi_jsonw *w)
{
    puts_(w, "\n");
    flush(w);
    return !w->failed;
}

static void open(struct vxbi_jsonw *w, const char *bracket)
{
    lead(w);
    puts_(w, bracket);
    w->depth++;
    w->first = true;
}

static void close(struct vxbi_jsonw *w, const char *bracket)
{
    bool empty = w->first;
    w->depth--;
    if (!empty)
        newline(w);
    puts_(w, bracket);
    w->first = false;
}

void vxbi_jsonw_object(struct vxbi_jsonw *w) { open(w, "{"); }
void vxbi_jsonw_object_end(struct vxbi_jsonw *w) { close(w, "}"); }
void vxbi_jsonw_array(struct vxbi_jsonw *w) { open(w, "["); }
void vxbi_jsonw_array_end(struct vxbi_jsonw *w) { close(w, "]"); }

/* Of a valid sequence of up to three bytes, as all are that steer. */
static unsigned code_point(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 1)
        return s[0];
    if (length == 2)
        return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
}

static void quoted(struct vxbi_jsonw *w, const char *text)
{
    size_t size = strlen(text);
    puts_(w, "\"");
    for (size_t i = 0; i < size;) {
        size_t length = vxbi_utf8_length(text + i, size - i);
        unsigned char c = (unsigned char)text[i];
        char code[16];
        if (length == 0) {
            puts_(w, "\xEF\xBF\xBD");
            i++;
            continue;
        }
        if (c == '"' || c == '\\') {
            put(w, "\\", 1);
            put(w, text + i, 1);
        } else if (vxbi_utf8_steers(text + i, length)) {
            snprintf(code, sizeof code, "\\u%04x", code_point(text + i, length));
            puts_(w, code);
        } else {
            put(w, text + i, length);
        }
        i += length;
    }
    puts_(w, "\"");
}

void vxbi_jsonw_key(struct vxbi_jsonw *w, const char *key)
{
    lead(w);
    quoted(w, key);
    puts_(w, w->compact ? ":" : ": ");
    w->after_key = true;
}

void vxbi_jsonw_text(struct vxbi_jsonw *w, const char *text)
{
    if (!text) {
        vxbi_jsonw_null(w);
        return;
    }
    lead(w);
    quoted(w, text);
}

static void literal(struct vxbi_jsonw *w, const char *text)
{
    lead(w);
    puts_(w, text);
}

void vxbi_jsonw_u64(struct vxbi_jsonw *w, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    literal(w, text);
}

void vxbi_jsonw_i64(struct vxbi_jsonw *w, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    literal(w, text);
}

void vxbi_jsonw_id(struct vxbi_jsonw *w, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "\"0x%016" PRIx64 "\"", value);
    literal(w, text);
}

void vxbi_jsonw_f32(struct vxbi_jsonw *w, float value)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    literal(w, isfinite(value) ? vxb_text_f32(value, text) : "null");
}

void vxbi_jsonw_f64(struct vxbi_jsonw *w, double value)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    literal(w, isfinite(value) ? vxb_text_f64(value, text) : "null");
}

void vxbi_jsonw_bool(struct vxbi_jsonw *w, bool value) { literal(w, value ? "true" : "false"); }
void vxbi_jsonw_null(struct vxbi_jsonw *w) { literal(w, "null"); }
