/* Printable text and locale-free numbers. */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t vxbi_utf8_length(const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    if (size == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || size < length)
        return 0;
    uint32_t value = s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    return length;
}

bool vxbi_utf8_valid(const char *text, size_t size)
{
    while (size) {
        size_t length = vxbi_utf8_length(text, size);
        if (!length)
            return false;
        text += length;
        size -= length;
    }
    return true;
}

bool vxbi_utf8_steers(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 1)
        return s[0] < 0x20 || s[0] == 0x7F;
    if (length == 2)
        return s[0] == 0xC2 && s[1] < 0xA0;
    if (length != 3 || s[0] != 0xE2)
        return false;
    return (s[1] == 0x80 && s[2] >= 0xA8 && s[2] <= 0xAE) || (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
}

size_t vxb_text_escape(char *out, size_t room, const char *text, size_t size)
{
    size_t used = 0;
    if (room == 0)
        return 0;
    for (size_t i = 0; i < size;) {
        size_t length = vxbi_utf8_length(text + i, size - i);
        if (length == 0 || vxbi_utf8_steers(text + i, length)) {
            size_t bytes = length ? length : 1;
            if (used + 4 * bytes >= room)
                break;
            for (size_t k = 0; k < bytes; k++)
                used += (size_t)snprintf(out + used, room - used, "\\x%02x", (unsigned char)text[i + k]);
            i += bytes;
        } else {
            if (used + length >= room)
                break;
            memcpy(out + used, text + i, length);
            used += length;
            i += length;
        }
    }
    out[used] = 0;
    return used;
}

size_t vxbi_pointer_escape(char *out, size_t room, const char *key)
{
    size_t used = 0;
    for (; *key && used + 3 <= room; key++) {
        if (*key == '~' || *key == '/') {
            out[used++] = '~';
            out[used++] = *key == '~' ? '0' : '1';
        } else {
            out[used++] = *key;
        }
    }
    out[used] = 0;
    return used;
}

/* printf and strtod follow the process' locale, which belongs to the caller, and whose decimal point may be several
 * bytes. */
static const char *decimal_point(void)
{
    const struct lconv *conv = localeconv();
    return conv && conv->decimal_point && conv->decimal_point[0] ? conv->decimal_point : ".";
}

static char *special(double value, char *buf)
{
    if (isnan(value))
        return strcpy(buf, "nan");
    return strcpy(buf, value > 0 ? "inf" : "-inf");
}

struct number {
    double value;
    bool is_f32;
};

static bool reads_back(const struct number *n, int digits, char *buf)
{
    snprintf(buf, VXB_TEXT_NUMBER_ROOM, "%.*e", digits - 1, n->value);
    return n->is_f32 ? strtof(buf, NULL) == (float)n->value : strtod(buf, NULL) == n->value;
}

/* Writes the fewest digits that read back, with an exponent. One more is never farther off, and so reads back too;
 * but below a power of two numbers are closer than above, and there the next may read back as another. */
static void find_fewest_digits(const struct number *n, int most, char *buf)
{
    int least = 1, exponent;
    const bool power_of_two = fabs(frexp(n->value, &exponent)) == 0.5;
    for (int high = most; least < high;) {
        const int next = power_of_two ? least : (least + high) / 2;
        if (reads_back(n, next, buf))
            high = next;
        else
            least = next + 1;
    }
    snprintf(buf, VXB_TEXT_NUMBER_ROOM, "%.*e", least - 1, n->value);
}

/* Only the digits, of which at most 17 are written, and how many. */
static int digits_of(const char *text, char *digits)
{
    int count = 0;
    for (; *text != 'e'; text++)
        if (*text >= '0' && *text <= '9')
            digits[count++] = *text;
    return count;
}

/* d.ddde-20 */
static void with_exponent(const char *digits, int count, int exponent, char *to)
{
    *to++ = digits[0];
    if (count > 1)
        *to++ = '.';
    memcpy(to, digits + 1, (size_t)count - 1);
    snprintf(to + count - 1, sizeof "e-324", "e%+03d", exponent);
}

/* ddd.dd, or 0.00ddd: not all digits stand before the point. */
static void with_point(const char *digits, int count, int exponent, char *to)
{
    if (exponent < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = exponent + 1; i < 0; i++)
            *to++ = '0';
    }
    for (int i = 0; i < count; i++) {
        *to++ = digits[i];
        if (i == exponent)
            *to++ = '.';
    }
    *to = 0;
}

/* Without an exponent where that is as easy to read: 40, not 4e+01. */
static char *shortest(struct number n, int most, char *buf)
{
    char digits[VXB_TEXT_NUMBER_ROOM] = {0};
    if (!isfinite(n.value))
        return special(n.value, buf);
    find_fewest_digits(&n, most, buf);
    const int exponent = atoi(strchr(buf, 'e') + 1), count = digits_of(buf, digits);
    char *to = buf + (buf[0] == '-');
    if (exponent < -5 || exponent >= 16)
        with_exponent(digits, count, exponent, to);
    else if (count - 1 > exponent)
        with_point(digits, count, exponent, to);
    else
        snprintf(buf, VXB_TEXT_NUMBER_ROOM, "%.0f", n.value);
    return buf;
}

char *vxb_text_f32(float value, char *buf)
{
    return shortest((struct number){(double)value, true}, 9, buf);
}

char *vxb_text_f64(double value, char *buf)
{
    return shortest((struct number){value, false}, 17, buf);
}

bool vxb_text_number(const char *text, double *out)
{
    char copy[128];
    const size_t length = strlen(text), whole = strcspn(text, ".");
    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789+-.eE") != length)
        return false;
    const char *point = text[whole] ? decimal_point() : "", *rest = text[whole] ? text + whole + 1 : "";
    if (snprintf(copy, sizeof copy, "%.*s%s%s", (int)whole, text, point, rest) >= (int)sizeof copy)
        return false;
    char *end;
    double value = strtod(copy, &end);
    if (*end || end == copy || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool vxbi_id_parse(const char *text, uint64_t *id)
{
    size_t length = strlen(text);
    *id = 0;
    if (length < 3 || length > 18 || text[0] != '0' || text[1] != 'x')
        return false;
    for (const char *p = text + 2; *p; p++) {
        unsigned digit = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A') + 10 : 16;
        if (digit == 16)
            return false;
        *id = *id << 4 | digit;
    }
    return true;
}
