/* A reader of JSON trees by tables. Each value is tested as it was parsed, a double, and becomes its type once. */
#include "json_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/path.h"
#include "../core/text.h"
#include "../vxbake/recipe.h"

/* ---- saying ---- */

char *vxbi_at_pointer(const struct vxbi_at *at, char *buf, size_t room)
{
    const struct vxbi_at *chain[128];
    size_t depth = 0, used = 0;
    for (; at && depth < sizeof chain / sizeof chain[0]; at = at->up)
        chain[depth++] = at;
    buf[0] = 0;
    while (depth-- && used + 24 < room) {
        buf[used++] = '/';
        if (chain[depth]->key)
            used += vxbi_pointer_escape(buf + used, room - used, chain[depth]->key);
        else
            used += (size_t)snprintf(buf + used, room - used, "%zu", chain[depth]->index);
    }
    return buf;
}

void vxbi_check_send(struct vxbi_check *check, const struct vxb_error *err)
{
    if (check->fault_count > VXBI_FAULTS_MAX)
        return;
    if (check->fault_count++ == VXBI_FAULTS_MAX) {
        struct vxb_error last = {0};
        vxbi_fail(&last, err->status, "more than %d faults: the others are not told", VXBI_FAULTS_MAX);
        vxbi_error_in(&last, err->status, check->path, NULL);
        vxbi_say_error(check->env, &last);
        return;
    }
    vxbi_say_error(check->env, err);
    if (!check->status) {
        check->status = err->status;
        if (check->first && check->first->status == VXB_OK)
            *check->first = *err;
    }
}

void vxbi_check_fail(struct vxbi_check *check, const struct vxbi_at *at, enum vxb_status status, const char *format,
                     ...)
{
    struct vxb_error err = {0};
    char text[sizeof err.message], pointer[sizeof err.pointer];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    vxbi_fail(&err, status, "%s", text);
    vxbi_error_in(&err, status, check->path, vxbi_at_pointer(at, pointer, sizeof pointer));
    vxbi_check_send(check, &err);
}

void vxbi_check_say(struct vxbi_check *check, enum vxb_severity severity, const struct vxbi_at *at, const char *format,
                    ...)
{
    char text[1024], pointer[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    vxbi_say(check->env, severity, check->path, vxbi_at_pointer(at, pointer, sizeof pointer), "%s", text);
}

void vxbi_check_memory(struct vxbi_check *check, uint64_t bytes)
{
    struct vxb_error err = {0};
    vxbi_error_in(&err, vxbi_fail_memory(&err, bytes), check->path, NULL);
    vxbi_check_send(check, &err);
}

bool vxbi_check_refuse(struct vxbi_check *check, const struct vxbi_at *at, const struct vxbi_json *value,
                       const char *allowed)
{
    char found[128];
    vxbi_check_fail(check, at, VXB_ERR_USAGE, "found %s; allowed: %s", vxbi_json_describe(value, found, sizeof found),
                    allowed);
    return false;
}

/* ---- values ---- */

/* What a field takes, in words. */
static void describe_field(const struct vxbi_field *field, char *buf, size_t room)
{
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM], several[40] = "";
    size_t used;
    vxb_text_f64(field->low, low);
    vxb_text_f64(field->high, high);
    if (field->count)
        snprintf(several, sizeof several, "an array of %u, each ", field->count);
    switch (field->kind) {
    case VXBI_FIELD_F32:
    case VXBI_FIELD_F64:
        snprintf(buf, room, field->above ? "%sa number above %s, at most %s%s" : "%sa number from %s to %s%s", several,
                 low, high, field->unit ? field->unit : "");
        break;
    case VXBI_FIELD_U32:
    case VXBI_FIELD_U64:
    case VXBI_FIELD_I32: snprintf(buf, room, "%san integer from %s to %s", several, low, high); break;
    case VXBI_FIELD_BOOL: snprintf(buf, room, "true or false"); break;
    case VXBI_FIELD_NAME: snprintf(buf, room, "a text of 1 to %d bytes", VXB_NAME_MAX_BYTES); break;
    case VXBI_FIELD_TEXT: snprintf(buf, room, "a text of at most %d bytes", VXB_NAME_MAX_BYTES); break;
    case VXBI_FIELD_PATH: snprintf(buf, room, "the path of a file"); break;
    case VXBI_FIELD_ENUM:
        used = 0;
        for (const char *const *name = field->names; *name && used < room; name++)
            used += (size_t)snprintf(buf + used, room - used, "%s\"%s\"", used ? (name[1] ? ", " : " or ") : "", *name);
        break;
    case VXBI_FIELD_READ: snprintf(buf, room, "something else"); break;
    }
}

static bool refuse(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                   const struct vxbi_field *field)
{
    char allowed[256];
    describe_field(field, allowed, sizeof allowed);
    return vxbi_check_refuse(check, at, value, allowed);
}

static bool keep_text(struct vxbi_check *check, const char *text, void *out)
{
    char *copy = vxbi_arena_text(check->arena, text, strlen(text));
    if (!copy)
        vxbi_check_memory(check, strlen(text) + 1);
    else
        *(const char **)out = copy;
    return copy;
}

static bool read_number(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                        const struct vxbi_field *field, void *out)
{
    double number = vxbi_json_number(value);
    bool integer = field->kind != VXBI_FIELD_F32 && field->kind != VXBI_FIELD_F64;
    if (vxbi_json_type(value) != VXBI_JSON_NUMBER || number < field->low || number > field->high ||
        (field->above && number == field->low) || (integer && floor(number) != number))
        return refuse(check, value, at, field);
    switch (field->kind) {
    case VXBI_FIELD_F32: *(float *)out = vxbi_recipe_f32(number); break;
    case VXBI_FIELD_F64: *(double *)out = number; break;
    case VXBI_FIELD_U64: *(uint64_t *)out = (uint64_t)number; break;
    case VXBI_FIELD_I32: *(int32_t *)out = (int32_t)number; break;
    default: *(uint32_t *)out = (uint32_t)number; break;
    }
    return true;
}

static bool read_text(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct vxbi_field *field, void *out)
{
    const char *text = vxbi_json_text(value);
    if (!text || strlen(text) > VXB_NAME_MAX_BYTES || (!*text && field->kind == VXBI_FIELD_NAME))
        return refuse(check, value, at, field);
    return keep_text(check, text, out);
}

static bool read_path(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct vxbi_field *field, void *out)
{
    const char *text = vxbi_json_text(value);
    char joined[VXBI_PATH_ROOM];
    if (!text || !*text)
        return refuse(check, value, at, field);
    if (!vxbi_path_join(joined, sizeof joined, check->folder, text)) {
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "this path is too long; allowed: %d bytes with the recipe's folder",
                        VXBI_PATH_ROOM - 1);
        return false;
    }
    /* To the readers behind this "-" alone is standard input; here it is a file of that name. */
    return keep_text(check, strcmp(joined, "-") == 0 ? "./-" : joined, out);
}

static bool read_enum(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct vxbi_field *field, void *out)
{
    const char *text = vxbi_json_text(value);
    for (int i = 0; text && field->names[i]; i++) {
        if (strcmp(text, field->names[i]) == 0) {
            *(int *)out = i + (int)field->low;
            return true;
        }
    }
    return refuse(check, value, at, field);
}

static bool read_several(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                         const struct vxbi_field *field, void *out)
{
    struct vxbi_field one = *field;
    one.count = 0;
    if (vxbi_json_type(value) != VXBI_JSON_ARRAY || vxbi_json_count(value) != field->count)
        return refuse(check, value, at, field);
    bool good = true;
    struct vxbi_at element = {.up = at};
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child), element.index++)
        good &= read_number(check, child, &element, &one, (char *)out + 4 * element.index);
    return good;
}

bool vxbi_check_value(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct vxbi_field *field, void *out)
{
    switch (field->kind) {
    case VXBI_FIELD_F32:
    case VXBI_FIELD_F64:
    case VXBI_FIELD_U32:
    case VXBI_FIELD_U64:
    case VXBI_FIELD_I32: return (field->count ? read_several : read_number)(check, value, at, field, out);
    case VXBI_FIELD_BOOL:
        if (vxbi_json_type(value) != VXBI_JSON_BOOL)
            return refuse(check, value, at, field);
        *(bool *)out = vxbi_json_bool(value);
        return true;
    case VXBI_FIELD_NAME:
    case VXBI_FIELD_TEXT: return read_text(check, value, at, field, out);
    case VXBI_FIELD_PATH: return read_path(check, value, at, field, out);
    case VXBI_FIELD_ENUM: return read_enum(check, value, at, field, out);
    case VXBI_FIELD_READ: break;
    }
    return field->read(check, value, at, out);
}

bool vxbi_check_array(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, size_t low,
                      size_t high, const char *allowed)
{
    if (vxbi_json_type(value) != VXBI_JSON_ARRAY)
        return vxbi_check_refuse(check, at, value, allowed);
    size_t count = vxbi_json_count(value);
    return count >= low && count <= high ? true : vxbi_check_refuse(check, at, value, allowed);
}

/* ---- objects ---- */

bool vxbi_check_is_comment(const struct vxbi_json *member)
{
    const char *key = vxbi_json_key(member);
    return strcmp(key, "$schema") == 0 || strcmp(key, "$comment") == 0;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* Edits between two words, case apart, a swap of neighbours counting one; 99 where either has more than 31 bytes. */
static unsigned distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned row[3][33];
    if (n > 31 || m > 31)
        return 99;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            unsigned least = before[j - 1] + !same;
            least = before[j] + 1 < least ? before[j] + 1 : least;
            least = now[j - 1] + 1 < least ? now[j - 1] + 1 : least;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]) &&
                earlier[j - 2] + 1 < least)
                least = earlier[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[n % 3][m];
}

const char *vxbi_nearest(const char *key, const void *names, size_t count, size_t stride)
{
    const char *nearest = NULL;
    unsigned least = strlen(key) > 4 ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)(const void *)((const char *)names + i * stride);
        unsigned edits = distance(key, name);
        if (edits < least) {
            least = edits;
            nearest = name;
        }
    }
    return nearest;
}

static void refuse_key(struct vxbi_check *check, const struct vxbi_at *at, const char *key,
                       const struct vxbi_field *fields, unsigned count)
{
    if (check->fault_count > VXBI_FAULTS_MAX)
        return;
    const char *nearest = vxbi_nearest(key, fields, count, sizeof *fields);
    char allowed[512];
    size_t used = 0;
    for (unsigned i = 0; i < count && used < sizeof allowed; i++)
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "", fields[i].key);
    if (nearest)
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "no such key; did you mean \"%s\"?", nearest);
    else
        vxbi_check_fail(check, at, VXB_ERR_USAGE, "no such key; allowed: %s", allowed);
}

static bool read_member(struct vxbi_check *check, const struct vxbi_json *member, const struct vxbi_at *at,
                        const struct vxbi_field *fields, unsigned count, void *out, struct vxbi_seen *seen)
{
    const char *key = vxbi_json_key(member);
    struct vxbi_at here = {.up = at, .key = key};
    unsigned i = 0;
    while (i < count && strcmp(fields[i].key, key) != 0)
        i++;
    if (i == count) {
        refuse_key(check, &here, key, fields, count);
        return false;
    }
    seen->present |= (uint64_t)1 << i;
    if (!vxbi_check_value(check, member, &here, &fields[i], (char *)out + fields[i].offset))
        return false;
    seen->good |= (uint64_t)1 << i;
    return true;
}

bool vxbi_check_object(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                       const struct vxbi_field *fields, unsigned count, void *out, struct vxbi_seen *seen)
{
    struct vxbi_seen unused;
    seen = seen ? seen : &unused;
    *seen = (struct vxbi_seen){0};
    if (vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return vxbi_check_refuse(check, at, value, "an object");
    bool good = true;
    for (const struct vxbi_json *member = vxbi_json_first(value); member; member = vxbi_json_next(member))
        if (!vxbi_check_is_comment(member))
            good &= read_member(check, member, at, fields, count, out, seen);
    for (unsigned i = 0; i < count; i++) {
        if (fields[i].required && !vxbi_has(seen->present, i)) {
            vxbi_check_fail(check, at, VXB_ERR_USAGE, "the key \"%s\" is missing", fields[i].key);
            good = false;
        }
    }
    return good;
}
