/* A scanner of JSON text that builds nothing: it only says whether, and else where and why not.
 *
 * Invariant: what passes here means the same to every reader of JSON, so the parser behind it has nothing to guess. */
#include "json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/error.h"
#include "../core/text.h"

struct key {
    const char *name; /* decoded */
    size_t at;        /* of its opening quote */
};

struct scan {
    struct vxb_allocator allocator;
    char *text;
    size_t size, at;
    size_t value_count;
    struct key *keys; /* of all open objects, the innermost last */
    size_t key_count, key_room;
    struct vxbi_arena names;
    enum vxb_status fault;
    enum vxb_status status; /* of what went wrong */
    struct vxb_error *err;
};

/* The position of a byte, counting what an editor counts: lines and characters. */
static void locate(const struct scan *s, size_t at, struct vxb_error *err)
{
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < s->size; i++) {
        if (s->text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)s->text[i] & 0xC0) != 0x80) {
            column++;
        }
    }
    err->line = line;
    err->column = column;
}

/* The message is text and detail, of which detail may be NULL. */
static bool fail_at(struct scan *s, size_t at, const char *text, const char *detail)
{
    bool first = s->err && s->err->status == VXB_OK;
    s->status = vxbi_fail(s->err, s->fault, "%s%s", text, detail ? detail : "");
    if (first)
        locate(s, at, s->err);
    return false;
}

static bool no_memory(struct scan *s, uint64_t bytes)
{
    s->status = vxbi_fail_memory(s->err, bytes);
    return false;
}

/* "expected ..., found ...": for what stands at s->at. */
static bool unexpected(struct scan *s, const char *expected)
{
    char what[32], found[64] = ", but the text ends here";
    if (s->at < s->size) {
        size_t length = vxbi_utf8_length(s->text + s->at, s->size - s->at);
        vxb_text_escape(what, sizeof what, s->text + s->at, length ? length : 1);
        snprintf(found, sizeof found, ", found '%s'", what);
    }
    return fail_at(s, s->at, expected, found);
}

static int peek(const struct scan *s)
{
    return s->at < s->size ? (unsigned char)s->text[s->at] : -1;
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->size && (s->text[s->at] == ' ' || s->text[s->at] == '\t' || s->text[s->at] == '\n' ||
                               s->text[s->at] == '\r'))
        s->at++;
}

/* ---- strings ---- */

/* The four hexadecimal digits at `at` into *unit. */
static bool hex4(const struct scan *s, size_t at, uint32_t *unit)
{
    if (s->size - at < 4)
        return false;
    *unit = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = s->text[at + i];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            digit = (uint32_t)((c | 0x20) - 'a') + 10;
        else
            return false;
        *unit = *unit << 4 | digit;
    }
    return true;
}

static size_t encode_utf8(char *out, uint32_t value)
{
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    size_t length = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (value & 0x3F));
        value >>= 6;
    }
    out[0] = (char)((0xF00u >> length & 0xFF) | value);
    return length;
}

/* A \u escape, its backslash at s->at, as a code point. */
static bool scan_unicode_escape(struct scan *s, uint32_t *value)
{
    size_t start = s->at;
    uint32_t low;
    if (!hex4(s, start + 2, value))
        return fail_at(s, start, "\\u needs four hexadecimal digits after it", NULL);
    s->at += 6;
    if (*value == 0)
        return fail_at(s, start, "\\u0000 is not allowed: no text here can hold a NUL", NULL);
    if (*value < 0xD800 || *value > 0xDFFF)
        return true;
    if (*value > 0xDBFF || s->size - s->at < 6 || s->text[s->at] != '\\' || s->text[s->at + 1] != 'u' ||
        !hex4(s, s->at + 2, &low) || low < 0xDC00 || low > 0xDFFF)
        return fail_at(s, start, "a lone surrogate is not a character: "
                       "\\ud800..\\udbff and \\udc00..\\udfff come in pairs", NULL);
    *value = 0x10000 + ((*value - 0xD800) << 10) + (low - 0xDC00);
    s->at += 6;
    return true;
}

/* An escape, its backslash at s->at, as a code point. */
static bool scan_escape(struct scan *s, uint32_t *value)
{
    static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    char c = s->at + 1 < s->size ? s->text[s->at + 1] : 0;
    if (c == 'u')
        return scan_unicode_escape(s, value);
    const char *at = c ? strchr(letters, c) : NULL;
    if (!at)
        return fail_at(s, s->at, "no such escape: allowed after a backslash are \" \\ / b f n r t and uXXXX", NULL);
    *value = (unsigned char)meaning[at - letters];
    s->at += 2;
    return true;
}

/* A string, its quote at s->at. out, where not NULL, receives it decoded; as many bytes as it takes in the text do. */
static bool scan_string(struct scan *s, char *out)
{
    size_t start = s->at++;
    for (;;) {
        uint32_t value;
        int c = peek(s);
        if (c < 0)
            return fail_at(s, start, "this string is not closed", NULL);
        if (c == '"')
            break;
        if (c == '\\') {
            if (!scan_escape(s, &value))
                return false;
            if (out)
                out += encode_utf8(out, value);
            continue;
        }
        if (c < 0x20)
            return fail_at(s, s->at, c == '\n' || c == '\r'
                                         ? "a line ends inside a string: write \\n, or close it"
                                         : "a raw control character in a string: write it as \\u00XX", NULL);
        size_t length = vxbi_utf8_length(s->text + s->at, s->size - s->at);
        if (!length)
            return fail_at(s, s->at, "bytes that are not UTF-8: save the file in that encoding", NULL);
        if (out) {
            memcpy(out, s->text + s->at, length);
            out += length;
        }
        s->at += length;
    }
    s->at++;
    if (out)
        *out = 0;
    return true;
}

static bool remember_key(struct scan *s, const char *name, size_t at)
{
    if (s->key_count == s->key_room) {
        size_t room = s->key_room ? s->key_room * 2 : 64;
        struct key *keys = vxbi_resize(&s->allocator, s->keys, s->key_room, room, sizeof *keys);
        if (!keys)
            return no_memory(s, (uint64_t)room * sizeof *keys);
        s->keys = keys;
        s->key_room = room;
    }
    s->keys[s->key_count++] = (struct key){.name = name, .at = at};
    return true;
}

/* A key and its colon. */
static bool scan_key(struct scan *s)
{
    skip_blanks(s);
    if (peek(s) != '"')
        return unexpected(s, peek(s) == '}' ? "a key should follow the comma" : "expected a key in double quotes");
    size_t start = s->at;
    if (!scan_string(s, NULL))
        return false;
    size_t end = s->at;
    char *name = vxbi_arena_new(&s->names, end - start);
    if (!name)
        return no_memory(s, end - start);
    s->at = start;
    if (!scan_string(s, name) || !remember_key(s, name, start))
        return false;
    skip_blanks(s);
    if (peek(s) != ':')
        return unexpected(s, "expected ':' after the key");
    s->at++;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The innermost object ends: none of its keys, from `first` on, may be there twice. */
static bool close_object(struct scan *s, size_t first)
{
    size_t count = s->key_count - first;
    const struct key *twice = NULL;
    if (count > 1) {
        qsort(s->keys + first, count, sizeof *s->keys, compare_keys);
        for (size_t i = first + 1; i < s->key_count; i++)
            if (strcmp(s->keys[i - 1].name, s->keys[i].name) == 0 && (!twice || s->keys[i].at < twice->at))
                twice = &s->keys[i];
    }
    s->key_count = first;
    return twice ? fail_at(s, twice->at, "this object has the key already: ", twice->name) : true;
}

/* ---- numbers and words ---- */

static bool digits(struct scan *s)
{
    size_t start = s->at;
    while (peek(s) >= '0' && peek(s) <= '9')
        s->at++;
    return s->at > start;
}

static bool scan_number(struct scan *s)
{
    size_t start = s->at;
    if (peek(s) == '-')
        s->at++;
    if (peek(s) == '0') {
        s->at++;
        if (peek(s) >= '0' && peek(s) <= '9')
            return fail_at(s, start, "a number has no leading zeros", NULL);
    } else if (!digits(s)) {
        return unexpected(s, "expected a digit");
    }
    if (peek(s) == '.') {
        s->at++;
        if (!digits(s))
            return unexpected(s, "expected a digit after the decimal point");
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        if (!digits(s))
            return unexpected(s, "expected a digit in the exponent");
    }
    size_t length = s->at - start;
    char text[VXBI_JSON_NUMBER_MAX + 1], shortest[VXB_TEXT_NUMBER_ROOM];
    double value;
    if (length > VXBI_JSON_NUMBER_MAX)
        return fail_at(s, start, "a number of more than 127 bytes", NULL);
    memcpy(text, s->text + start, length);
    text[length] = 0;
    if (!vxb_text_number(text, &value))
        return fail_at(s, start, "a number too large for a double, whose range ends at 1.8e308", NULL);
    if (length > 60) {
        vxb_text_f64(value, shortest);
        memset(s->text + start, ' ', length);
        memcpy(s->text + start, shortest, strlen(shortest));
    }
    return true;
}

static bool scan_word(struct scan *s)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (s->size - s->at >= length && memcmp(s->text + s->at, words[i], length) == 0) {
            s->at += length;
            return true;
        }
    }
    return unexpected(s, "expected a value: an object, an array, a string in double quotes, a number, true, false or "
                         "null");
}

static bool scan_scalar(struct scan *s)
{
    int c = peek(s);
    if (c == '"')
        return scan_string(s, NULL);
    if (c == '-' || (c >= '0' && c <= '9'))
        return scan_number(s);
    return scan_word(s);
}

/* ---- structure ---- */

struct level {
    bool object;
    size_t first_key, at;
};

/* After a value: closes what closes here. *more tells whether another member follows. */
static bool scan_after_value(struct scan *s, struct level *levels, unsigned *depth, bool *more)
{
    *more = false;
    while (*depth) {
        struct level *level = &levels[*depth - 1];
        skip_blanks(s);
        int c = peek(s);
        if (c == ',') {
            s->at++;
            *more = true;
            return level->object ? scan_key(s) : true;
        }
        if (c < 0)
            return fail_at(s, level->at, level->object ? "this '{' is not closed" : "this '[' is not closed", NULL);
        if (c != (level->object ? '}' : ']'))
            return unexpected(s, level->object ? "expected ',' or '}'" : "expected ',' or ']'");
        if (level->object && !close_object(s, level->first_key))
            return false;
        s->at++;
        (*depth)--;
    }
    return true;
}

static bool scan_text(struct scan *s)
{
    struct level levels[VXBI_JSON_DEPTH_MAX];
    unsigned depth = 0;
    bool more = true;
    while (more) {
        skip_blanks(s);
        if (++s->value_count > VXBI_JSON_VALUES_MAX)
            return fail_at(s, s->at, "more than 1048576 values in one text", NULL);
        int c = peek(s);
        if (c == '{' || c == '[') {
            if (depth == VXBI_JSON_DEPTH_MAX)
                return fail_at(s, s->at, "nested more than 64 levels deep", NULL);
            levels[depth++] = (struct level){.object = c == '{', .first_key = s->key_count, .at = s->at};
            s->at++;
            skip_blanks(s);
            if (peek(s) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !scan_key(s))
                    return false;
                continue;
            }
        } else if (!scan_scalar(s)) {
            return false;
        }
        if (!scan_after_value(s, levels, &depth, &more))
            return false;
    }
    skip_blanks(s);
    return s->at == s->size ? true : unexpected(s, "expected nothing after the value");
}

enum vxb_status vxbi_json_scan(const struct vxb_allocator *allocator, char *text, size_t size, enum vxb_status fault,
                               struct vxb_error *err)
{
    struct scan s = {.allocator = *allocator, .text = text, .size = size, .fault = fault, .err = err};
    s.names.allocator = *allocator;
    const unsigned char *bytes = (const unsigned char *)text;
    if (size >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF)))
        fail_at(&s, 0, "the text is UTF-16: save it as UTF-8", NULL);
    else
        scan_text(&s);
    vxbi_delete(allocator, s.keys, s.key_room, sizeof *s.keys);
    vxbi_arena_clear(&s.names);
    return s.status;
}
