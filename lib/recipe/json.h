/* JSON in: one strict text becomes a tree that is walked child by child. json.c is the only user of cJSON. */
#ifndef VXBI_RECIPE_JSON_H
#define VXBI_RECIPE_JSON_H

#include "../core/alloc.h"

/* A value in a tree. The root owns all of it. */
struct vxbi_json;

enum vxbi_json_type {
    VXBI_JSON_NULL,
    VXBI_JSON_BOOL,
    VXBI_JSON_NUMBER,
    VXBI_JSON_TEXT,
    VXBI_JSON_ARRAY,
    VXBI_JSON_OBJECT
};

/* Parses size bytes of text, after a UTF-8 byte order mark if there is one. Strict (json_scan.h): no key twice, no text
 * after the value, at most 64 levels and 2^20 values, every number finite, no NUL in any text.
 * fault is the status to report for text that is not such JSON: err then has its line and column, or says of which
 * other kind of file it is; its path is the caller's to add. Otherwise VXB_ERR_MEMORY. *out is freed with
 * vxbi_json_free().
 * The tree is cJSON's, whose allocation hooks are global, so it lives in malloc's memory; everything else is env's.
 * Threads may parse at once: the one thing they then share, cJSON's global error position, is never read. */
enum vxb_status vxbi_json_parse(const struct vxb_env *env, const char *text, size_t size, enum vxb_status fault,
                                struct vxbi_json **out, struct vxb_error *err);
void vxbi_json_free(struct vxbi_json *root); /* NULL is allowed */

/* A value may be NULL in all that follows, which then is what a null is: no member, no child, no number. */
enum vxbi_json_type vxbi_json_type(const struct vxbi_json *value);

/* The children of an array or an object in the text's order; first is NULL for a value without any. */
const struct vxbi_json *vxbi_json_first(const struct vxbi_json *value);
const struct vxbi_json *vxbi_json_next(const struct vxbi_json *child); /* of one that there is */
size_t vxbi_json_count(const struct vxbi_json *value);

const char *vxbi_json_key(const struct vxbi_json *child); /* of a member of an object, else NULL; UTF-8 */
/* The member with this key, case and all; NULL where there is none, or value is no object, or NULL itself. */
const struct vxbi_json *vxbi_json_member(const struct vxbi_json *value, const char *key);

double vxbi_json_number(const struct vxbi_json *value);      /* 0 for what is no number */
bool vxbi_json_bool(const struct vxbi_json *value);          /* false for what is no bool */
const char *vxbi_json_text(const struct vxbi_json *value);   /* NULL for what is no text, and for NULL; UTF-8 */

/* What a value is, for messages: 1.5, "text", true, null, an array of 3, an object. Long texts are cut. Returns buf. */
char *vxbi_json_describe(const struct vxbi_json *value, char *buf, size_t room);

/* ---- changing a tree ---- */

/* A text as a value of its own; NULL: no memory. */
struct vxbi_json *vxbi_json_new_text(const char *text);
/* Puts value, which the tree then owns, in parent: under key in an object, replacing the member that has it or as its
 * last; at index in an array (key NULL), replacing the element there or, with index the count, as its last. False where
 * there is no memory: value is still the caller's. */
bool vxbi_json_put(struct vxbi_json *parent, const char *key, size_t index, struct vxbi_json *value);

#endif
