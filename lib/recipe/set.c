/* Overrides by JSON pointer (RFC 6901). Invariant: a pointer that leads nowhere changes nothing. */
#include "set.h"

#include <stdio.h>
#include <string.h>

#include "../core/text.h"

static bool fail(struct vxbi_check *check, const struct vxb_recipe_set *set, const char *what, const char *detail)
{
    struct vxb_error err = {0};
    vxbi_fail(&err, VXB_ERR_USAGE, "cannot be set: %s%s", what, detail);
    vxbi_error_in(&err, VXB_ERR_USAGE, check->path, set->pointer);
    vxbi_check_send(check, &err);
    return false;
}

static struct vxbi_json *new_value(struct vxbi_check *check, const struct vxb_recipe_set *set)
{
    struct vxbi_json *value = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxbi_json_parse(check->env, set->value, strlen(set->value), VXB_ERR_USAGE, &value, &err);
    if (!status)
        return value;
    /* What opens like an object, an array or a quoted text and is none is a slip, not a text. */
    if (status == VXB_ERR_USAGE && set->value[0] && strchr("{[\"", set->value[0])) {
        fail(check, set, "the value is not valid JSON: ", err.message);
        return NULL;
    }
    if (status == VXB_ERR_USAGE && !vxbi_utf8_valid(set->value, strlen(set->value))) {
        fail(check, set, "the value is not UTF-8", "");
        return NULL;
    }
    if (status == VXB_ERR_USAGE)
        value = vxbi_json_new_text(set->value);
    if (!value)
        vxbi_check_memory(check, strlen(set->value) + 1);
    return value;
}

/* The next reference token of *pointer (at a slash) into out, unescaped; moves on behind it. False where a ~ is not
 * followed by 0 or 1. */
static bool next_token(const char **pointer, char *out)
{
    const char *p = *pointer + 1;
    for (; *p && *p != '/'; p++) {
        if (*p == '~' && p[1] != '0' && p[1] != '1')
            return false;
        if (*p == '~')
            *out++ = *++p == '0' ? '~' : '/';
        else
            *out++ = *p;
    }
    *out = 0;
    *pointer = p;
    return true;
}

/* An index into an array of count elements; count itself, or "-", is the place behind the last. */
static bool array_index(const char *token, size_t count, size_t *index)
{
    *index = 0;
    if (strcmp(token, "-") == 0) {
        *index = count;
        return true;
    }
    if (!*token || (token[0] == '0' && token[1]))
        return false;
    for (; *token; token++) {
        if (*token < '0' || *token > '9')
            return false;
        *index = *index * 10 + (size_t)(*token - '0');
        if (*index > count)
            return false;
    }
    return true;
}

static struct vxbi_json *child_at(struct vxbi_json *parent, const char *token)
{
    size_t index;
    const struct vxbi_json *child = vxbi_json_member(parent, token);
    if (vxbi_json_type(parent) == VXBI_JSON_ARRAY && array_index(token, vxbi_json_count(parent), &index))
        for (child = vxbi_json_first(parent); child && index; index--)
            child = vxbi_json_next(child);
    return (struct vxbi_json *)(void *)child; /* the tree is the caller's to change */
}

/* Puts value at the pointer's last token in parent. */
static bool put(struct vxbi_check *check, const struct vxb_recipe_set *set, struct vxbi_json *parent, const char *token,
                struct vxbi_json *value)
{
    size_t index = 0;
    enum vxbi_json_type type = vxbi_json_type(parent);
    if (type != VXBI_JSON_OBJECT && type != VXBI_JSON_ARRAY)
        return fail(check, set, "its parent is neither an object nor an array", "");
    if (type == VXBI_JSON_ARRAY && !array_index(token, vxbi_json_count(parent), &index))
        return fail(check, set, "not an index of this array, nor the next one, nor \"-\" for it: ", token);
    if (vxbi_json_put(parent, type == VXBI_JSON_OBJECT ? token : NULL, index, value))
        return true;
    vxbi_check_memory(check, strlen(token) + 1);
    return false;
}

/* Walks to the parent of what the pointer names and leaves the last token in token (as long as the pointer). */
static bool apply(struct vxbi_check *check, struct vxbi_json *root, const struct vxb_recipe_set *set, char *token)
{
    struct vxbi_json *parent = root;
    const char *rest = set->pointer;
    if (*rest != '/')
        return fail(check, set, "a JSON pointer begins with '/', as in /density or /species/0/share", "");
    for (;;) {
        if (!next_token(&rest, token))
            return fail(check, set, "after '~' in a JSON pointer stands 0 (for '~') or 1 (for '/')", "");
        if (!vxbi_utf8_valid(token, strlen(token)))
            return fail(check, set, "the pointer is not UTF-8", "");
        if (!*rest)
            break;
        parent = child_at(parent, token);
        if (!parent)
            return fail(check, set, "the recipe has nothing there to set it in: no ", token);
    }
    struct vxbi_json *value = new_value(check, set);
    if (!value)
        return false;
    if (put(check, set, parent, token, value))
        return true;
    vxbi_json_free(value);
    return false;
}

bool vxbi_recipe_apply_set(struct vxbi_check *check, struct vxbi_json *root, const struct vxb_recipe_set *set)
{
    struct vxb_allocator allocator = vxbi_allocator(check->env);
    size_t room = strlen(set->pointer) + 1;
    char *token = vxbi_new(&allocator, room, 1);
    if (!token) {
        vxbi_check_memory(check, room);
        return false;
    }
    bool good = apply(check, root, set, token);
    vxbi_delete(&allocator, token, room, 1);
    return good;
}
