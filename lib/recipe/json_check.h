/* Reading a JSON tree into structs by tables of fields, collecting every error on the way. */
#ifndef VXBI_RECIPE_JSON_CHECK_H
#define VXBI_RECIPE_JSON_CHECK_H

#include "../core/alloc.h"
#include "../core/error.h"
#include "json.h"

/* One run over one document: where its messages go and where its texts live. */
struct vxbi_check {
    const struct vxb_env *env;
    const char *path;          /* the document, for messages */
    const char *document;      /* the same as it was given, in the arena */
    const char *folder;        /* that relative paths start from */
    struct vxbi_arena *arena;  /* receives what the structs point to */
    struct vxb_error *first;   /* the caller's error, may be NULL: set by the first fault */
    enum vxb_status status;    /* of the first fault, VXB_OK so far */
    uint32_t fault_count;
};

/* As many faults of one document are told; then one more says that the rest is not. */
#define VXBI_FAULTS_MAX 200

/* Where a value stands: a chain up to the root (NULL), written out only when there is something to say. */
struct vxbi_at {
    const struct vxbi_at *up;
    const char *key; /* NULL: an element of an array */
    size_t index;
};

/* The JSON pointer of at into buf; cut where it does not fit. Returns buf. */
char *vxbi_at_pointer(const struct vxbi_at *at, char *buf, size_t room);

/* Reports a fault (sent to env's diag at once; the first one also to check->first) or says a warning or note. */
void vxbi_check_fail(struct vxbi_check *check, const struct vxbi_at *at, enum vxb_status status, const char *format,
                     ...) VXBI_PRINTF(4, 5);
void vxbi_check_say(struct vxbi_check *check, enum vxb_severity severity, const struct vxbi_at *at, const char *format,
                    ...) VXBI_PRINTF(4, 5);
/* The same for an error that is whole already. */
void vxbi_check_send(struct vxbi_check *check, const struct vxb_error *err);
void vxbi_check_memory(struct vxbi_check *check, uint64_t bytes);

/* "found VALUE; allowed: ALLOWED", the message of every value that is not what its field takes. Returns false. */
bool vxbi_check_refuse(struct vxbi_check *check, const struct vxbi_at *at, const struct vxbi_json *value,
                       const char *allowed);

enum vxbi_field_kind {
    VXBI_FIELD_F32,  /* float: a number low..high, tested as a double, then rounded once */
    VXBI_FIELD_F64,  /* double: the same, not rounded */
    VXBI_FIELD_U32,  /* uint32_t: an integer low..high; 7.0 is one, as in JSON Schema */
    VXBI_FIELD_U64,  /* uint64_t: the same, below 2^53 */
    VXBI_FIELD_I32,  /* int32_t */
    VXBI_FIELD_BOOL, /* bool */
    VXBI_FIELD_NAME, /* const char *: 1..255 bytes */
    VXBI_FIELD_TEXT, /* const char *: 0..255 bytes */
    VXBI_FIELD_PATH, /* const char *: joined to the document's folder */
    VXBI_FIELD_ENUM, /* int-sized enum: the index in names, plus low */
    VXBI_FIELD_READ  /* by a function of its own */
};

struct vxbi_field {
    const char *key;
    enum vxbi_field_kind kind;
    size_t offset;           /* of what it fills in the struct */
    double low, high;        /* both allowed */
    bool above;              /* low itself is not */
    unsigned count;          /* F32 and U32: an array of exactly so many; 0: one alone */
    const char *unit;        /* F32 and F64: what stands behind the range in messages, NULL: nothing */
    const char *const *names; /* ENUM: NULL-terminated */
    bool (*read)(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, void *out);
    bool required;
};

/* The f32 that a recipe or a rule means by a number. -0 is 0: to identities they are one value, so they must be to
 * every byte that is written. */
static inline float vxbi_recipe_f32(double number) { return (float)number + 0.0f; }

/* Which fields an object had, a bit each in the table's order: present, and present with a good value. */
struct vxbi_seen {
    uint64_t present, good;
};
static inline bool vxbi_has(uint64_t fields, unsigned field) { return fields >> field & 1; }

/* Reads the members of value, in their order, into the struct at out; then misses what is required. "$schema" and
 * "$comment" are passed over. False where anything was wrong. seen may be NULL. */
bool vxbi_check_object(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                       const struct vxbi_field *fields, unsigned count, void *out, struct vxbi_seen *seen);
/* One value by one field's rule. */
bool vxbi_check_value(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at,
                      const struct vxbi_field *field, void *out);
/* Whether value is an array of low..high elements. */
bool vxbi_check_array(struct vxbi_check *check, const struct vxbi_json *value, const struct vxbi_at *at, size_t low,
                      size_t high, const char *allowed);
/* Whether a member is one that no object minds. */
bool vxbi_check_is_comment(const struct vxbi_json *member);

/* The one of count names (the first member of every stride bytes at names) that key was probably meant to be, or
 * NULL. */
const char *vxbi_nearest(const char *key, const void *names, size_t count, size_t stride);

#endif
