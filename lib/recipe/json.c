/* The tree of a JSON text. cJSON builds it, from text that json_scan.c has passed: cJSON alone takes a key twice, folds
 * the case of keys, overflows numbers to infinity and cuts texts at an escaped NUL. */
#include "json.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "../core/error.h"
#include "../core/text.h"
#include "../image/source.h"
#include "json_scan.h"

static const cJSON *node(const struct vxbi_json *value)
{
    return (const cJSON *)(const void *)value;
}

static const struct vxbi_json *value_of(const cJSON *item)
{
    return (const struct vxbi_json *)(const void *)item;
}

enum vxb_status vxbi_json_parse(const struct vxb_env *env, const char *text, size_t size, enum vxb_status fault,
                                struct vxbi_json **out, struct vxb_error *err)
{
    struct vxb_allocator allocator = vxbi_allocator(env);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    bool sure;
    const char *kind = vxbi_kind_of_content((const uint8_t *)text, size, &sure);
    if (kind)
        return vxbi_fail(err, fault, "this is %s; JSON is expected", kind);
    char *copy = vxbi_new(&allocator, (uint64_t)size + 1, 1);
    if (!copy)
        return vxbi_fail_memory(err, (uint64_t)size + 1);
    if (size)
        memcpy(copy, text, size);
    copy[size] = 0;
    enum vxb_status status = vxbi_json_scan(&allocator, copy, size, fault, err);
    if (!status) {
        cJSON *root = cJSON_ParseWithLengthOpts(copy, size + 1, NULL, 1);
        if (root)
            *out = (struct vxbi_json *)(void *)root;
        else
            status = vxbi_fail_memory(err, size);
    }
    vxbi_delete(&allocator, copy, (uint64_t)size + 1, 1);
    return status;
}

void vxbi_json_free(struct vxbi_json *root)
{
    cJSON_Delete((cJSON *)(void *)root);
}

enum vxbi_json_type vxbi_json_type(const struct vxbi_json *value)
{
    if (!value)
        return VXBI_JSON_NULL;
    switch (node(value)->type & 0xFF) {
    case cJSON_False:
    case cJSON_True: return VXBI_JSON_BOOL;
    case cJSON_Number: return VXBI_JSON_NUMBER;
    case cJSON_String: return VXBI_JSON_TEXT;
    case cJSON_Array: return VXBI_JSON_ARRAY;
    case cJSON_Object: return VXBI_JSON_OBJECT;
    default: return VXBI_JSON_NULL;
    }
}

const struct vxbi_json *vxbi_json_first(const struct vxbi_json *value)
{
    return value ? value_of(node(value)->child) : NULL;
}

const struct vxbi_json *vxbi_json_next(const struct vxbi_json *child)
{
    return value_of(node(child)->next);
}

size_t vxbi_json_count(const struct vxbi_json *value)
{
    size_t count = 0;
    for (const struct vxbi_json *child = vxbi_json_first(value); child; child = vxbi_json_next(child))
        count++;
    return count;
}

const char *vxbi_json_key(const struct vxbi_json *child)
{
    return node(child)->string;
}

const struct vxbi_json *vxbi_json_member(const struct vxbi_json *value, const char *key)
{
    if (!value || vxbi_json_type(value) != VXBI_JSON_OBJECT)
        return NULL;
    const struct vxbi_json *child = vxbi_json_first(value);
    while (child && strcmp(vxbi_json_key(child), key) != 0)
        child = vxbi_json_next(child);
    return child;
}

double vxbi_json_number(const struct vxbi_json *value)
{
    return vxbi_json_type(value) == VXBI_JSON_NUMBER ? node(value)->valuedouble : 0;
}

bool vxbi_json_bool(const struct vxbi_json *value)
{
    return value && (node(value)->type & 0xFF) == cJSON_True;
}

const char *vxbi_json_text(const struct vxbi_json *value)
{
    return value && vxbi_json_type(value) == VXBI_JSON_TEXT ? node(value)->valuestring : NULL;
}

static char *describe_text(const char *text, char *buf, size_t room)
{
    char cut[64];
    size_t length = strlen(text), used = vxb_text_escape(cut, sizeof cut, text, length);
    /* Escaping lengthens only what it changes: a shorter result was cut. */
    snprintf(buf, room, "\"%s%s\"", cut, used < length ? "..." : "");
    return buf;
}

char *vxbi_json_describe(const struct vxbi_json *value, char *buf, size_t room)
{
    char number[VXB_TEXT_NUMBER_ROOM];
    switch (vxbi_json_type(value)) {
    case VXBI_JSON_NULL: snprintf(buf, room, "null"); break;
    case VXBI_JSON_BOOL: snprintf(buf, room, "%s", vxbi_json_bool(value) ? "true" : "false"); break;
    case VXBI_JSON_NUMBER: snprintf(buf, room, "%s", vxb_text_f64(vxbi_json_number(value), number)); break;
    case VXBI_JSON_TEXT: return describe_text(vxbi_json_text(value), buf, room);
    case VXBI_JSON_ARRAY: snprintf(buf, room, "an array of %zu", vxbi_json_count(value)); break;
    case VXBI_JSON_OBJECT: snprintf(buf, room, "an object"); break;
    }
    return buf;
}

struct vxbi_json *vxbi_json_new_text(const char *text)
{
    return (struct vxbi_json *)(void *)cJSON_CreateString(text);
}

/* The new one takes the old one's name over: cJSON would copy it, and some of its versions go on where there is no
 * memory for that, with a member that has none. */
static bool replace_member(cJSON *in, cJSON *old, cJSON *item)
{
    item->string = old->string;
    old->string = NULL;
    return cJSON_ReplaceItemViaPointer(in, old, item);
}

bool vxbi_json_put(struct vxbi_json *parent, const char *key, size_t index, struct vxbi_json *value)
{
    cJSON *in = (cJSON *)(void *)parent, *item = (cJSON *)(void *)value;
    if (key)
        return vxbi_json_member(parent, key) ? replace_member(in, cJSON_GetObjectItemCaseSensitive(in, key), item)
                                             : cJSON_AddItemToObject(in, key, item);
    return index < vxbi_json_count(parent) ? cJSON_ReplaceItemInArray(in, (int)index, item)
                                           : cJSON_AddItemToArray(in, item);
}
