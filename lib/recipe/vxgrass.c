/* Reads .vxgrass rules with libyaml's event parser.
 *
 * Invariant: events are taken one by one and nothing is expanded (an alias is refused), so the work is bounded by the
 * size of the file, which is capped. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "vxgrass.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/os.h"
#include "../core/text.h"
#include "recipe_read.h"

#if defined(HAVE_YAML)

#include <yaml.h>

#define NESTING_MAX 16

enum kind { RULE_NAME, RULE_TEXT, RULE_NUMBER, RULE_BOOL, RULE_PAIR, RULE_WIND };

struct rule_field {
    const char *key;
    enum kind kind;
    size_t offset;
    double low, high;
    bool above; /* low itself is not allowed */
    bool checked_only;
};

#define IN_RULE(member) offsetof(struct vxbi_rule, member)
static const struct rule_field rule_fields[VXBI_RULE_KEYS] = {
    [VXBI_RULE_NAME] = {"name", RULE_NAME, IN_RULE(name), 0, 0, false, false},
    [VXBI_RULE_MESH] = {"mesh", RULE_TEXT, IN_RULE(mesh), 0, 0, false, false},
    [VXBI_RULE_ALBEDO] = {"albedo", RULE_TEXT, 0, 0, 0, false, true},
    [VXBI_RULE_LAYER] = {"layer", RULE_NAME, IN_RULE(layer), 0, 0, false, false},
    [VXBI_RULE_MIN_WEIGHT] = {"minWeight", RULE_NUMBER, IN_RULE(min_weight), 0, 1, false, false},
    [VXBI_RULE_MAX_WEIGHT] = {"maxWeight", RULE_NUMBER, IN_RULE(max_weight), 0, 1, false, false},
    [VXBI_RULE_DENSITY] = {"density", RULE_NUMBER, IN_RULE(density), 0, VXBI_DENSITY_MAX, true, false},
    [VXBI_RULE_JITTER] = {"jitter", RULE_NUMBER, IN_RULE(jitter), 0, 1, false, false},
    [VXBI_RULE_MIN_SCALE] = {"minScale", RULE_NUMBER, IN_RULE(min_scale), VXBI_SCALE_MIN, VXBI_SCALE_MAX, false,
                             false},
    [VXBI_RULE_MAX_SCALE] = {"maxScale", RULE_NUMBER, IN_RULE(max_scale), VXBI_SCALE_MIN, VXBI_SCALE_MAX, false,
                             false},
    [VXBI_RULE_RANDOM_YAW] = {"randomYaw", RULE_BOOL, IN_RULE(random_yaw), 0, 0, false, false},
    [VXBI_RULE_ALIGN_TO_NORMAL] = {"alignToNormal", RULE_NUMBER, IN_RULE(align_to_normal), 0, 1, false, false},
    [VXBI_RULE_MAX_SLOPE] = {"maxSlope", RULE_NUMBER, IN_RULE(max_slope), 0, VXBI_SLOPE_MAX, false, false},
    [VXBI_RULE_START_CULL_DISTANCE] = {"startCullDistance", RULE_NUMBER, IN_RULE(start_cull_distance), 0,
                                       VXBI_DISTANCE_MAX, false, false},
    [VXBI_RULE_END_CULL_DISTANCE] = {"endCullDistance", RULE_NUMBER, IN_RULE(end_cull_distance), 0, VXBI_DISTANCE_MAX,
                                     true, false},
    [VXBI_RULE_WIND] = {"wind", RULE_WIND, 0, 0, 0, false, true},
};

static const struct rule_field wind_fields[] = {
    {"direction", RULE_PAIR, 0, -1e9, 1e9, false, true}, {"strength", RULE_NUMBER, 0, -1e9, 1e9, false, true},
    {"frequency", RULE_NUMBER, 0, -1e9, 1e9, false, true}, {"speed", RULE_NUMBER, 0, -1e9, 1e9, false, true},
    {"flutter", RULE_NUMBER, 0, -1e9, 1e9, false, true}, {"height", RULE_NUMBER, 0, -1e9, 1e9, false, true},
};
#define WIND_FIELDS (sizeof wind_fields / sizeof wind_fields[0])

struct rule_reader {
    struct vxbi_check *check;
    const char *path;
    const struct vxbi_at *at;
    yaml_parser_t parser;
    yaml_event_t event; /* the current one */
    bool failed;        /* a value was wrong; reading goes on */
    struct vxbi_rule *rule;
    yaml_mark_t marks[VXBI_RULE_KEYS]; /* of the values given */
};

/* ---- saying ---- */

VXBI_PRINTF(4, 0)
static void say_at(struct rule_reader *r, enum vxb_severity severity, yaml_mark_t mark, const char *format,
                   va_list args)
{
    struct vxb_error what = {0};
    char text[sizeof what.message], pointer[sizeof what.pointer];
    vsnprintf(text, sizeof text, format, args);
    vxbi_fail(&what, VXB_ERR_DATA, "%s", text);
    vxbi_error_in(&what, VXB_ERR_DATA, r->path, vxbi_at_pointer(r->at, pointer, sizeof pointer));
    what.line = (uint32_t)mark.line + 1;
    what.column = (uint32_t)mark.column + 1;
    if (severity == VXB_SEVERITY_ERROR)
        vxbi_check_send(r->check, &what);
    else
        vxbi_say_what(r->check->env, severity, &what);
}

VXBI_PRINTF(3, 4)
static bool fail(struct rule_reader *r, yaml_mark_t mark, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_at(r, VXB_SEVERITY_ERROR, mark, format, args);
    va_end(args);
    r->failed = true;
    return false;
}

VXBI_PRINTF(3, 4)
static void warn(struct rule_reader *r, yaml_mark_t mark, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_at(r, VXB_SEVERITY_WARNING, mark, format, args);
    va_end(args);
}

/* Takes the next event. False where there is none: the text is not YAML. */
static bool next(struct rule_reader *r)
{
    yaml_event_delete(&r->event);
    memset(&r->event, 0, sizeof r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return true;
    if (r->parser.error == YAML_MEMORY_ERROR) {
        vxbi_check_memory(r->check, VXBI_RULE_BYTES_MAX);
        r->failed = true;
        return false;
    }
    yaml_mark_t mark = r->parser.error == YAML_READER_ERROR ? r->parser.mark : r->parser.problem_mark;
    return fail(r, mark, "not valid YAML: %s", r->parser.problem ? r->parser.problem : "unknown fault");
}

/* ---- values ---- */

static const char *scalar(const struct rule_reader *r)
{
    return (const char *)r->event.data.scalar.value;
}

static bool is_plain(const struct rule_reader *r)
{
    return r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool is_absent(const struct rule_reader *r)
{
    const char *text = scalar(r);
    return !*text || (is_plain(r) && (strcmp(text, "~") == 0 || strcmp(text, "null") == 0));
}

/* "found X; allowed: ..." for the scalar at hand. */
static bool refuse(struct rule_reader *r, const char *key, const char *allowed)
{
    char found[64];
    size_t length = strlen(scalar(r)), used = vxb_text_escape(found, sizeof found, scalar(r), length);
    return fail(r, r->event.start_mark, "%s: found %s%s; allowed: %s", key, found, used < length ? "..." : "", allowed);
}

static bool read_number(struct rule_reader *r, const struct rule_field *field)
{
    double value;
    char allowed[96], low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    if (!vxb_text_number(scalar(r), &value) || value < field->low || value > field->high ||
        (field->above && value == field->low)) {
        snprintf(allowed, sizeof allowed, field->above ? "a number above %s, at most %s" : "a number from %s to %s",
                 vxb_text_f64(field->low, low), vxb_text_f64(field->high, high));
        return refuse(r, field->key, allowed);
    }
    if (!field->checked_only)
        *(float *)(void *)((char *)r->rule + field->offset) = vxbi_recipe_f32(value);
    return true;
}

static bool read_pair(struct rule_reader *r, const struct rule_field *field)
{
    char first[128];
    double value;
    const char *text = scalar(r), *gap = strchr(text, ' ');
    size_t length = gap ? (size_t)(gap - text) : 0;
    if (length && length < sizeof first) {
        memcpy(first, text, length);
        first[length] = 0;
        if (vxb_text_number(first, &value) && vxb_text_number(gap + strspn(gap, " "), &value))
            return true;
    }
    return refuse(r, field->key, "two numbers with a space between");
}

static bool read_bool(struct rule_reader *r, const struct rule_field *field)
{
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(scalar(r), words[i]) == 0) {
            *(bool *)((char *)r->rule + field->offset) = i & 1;
            return true;
        }
    }
    return refuse(r, field->key, "true or false");
}

static bool read_text(struct rule_reader *r, const struct rule_field *field)
{
    size_t length = r->event.data.scalar.length;
    if (strlen(scalar(r)) != length || length > VXB_NAME_MAX_BYTES)
        return refuse(r, field->key, "a text of at most 255 bytes without a NUL");
    if (field->checked_only)
        return true;
    char *copy = vxbi_arena_text(r->check->arena, scalar(r), length);
    if (!copy) {
        vxbi_check_memory(r->check, length + 1);
        return false;
    }
    *(const char **)(void *)((char *)r->rule + field->offset) = copy;
    return true;
}

static bool read_scalar(struct rule_reader *r, const struct rule_field *field)
{
    switch (field->kind) {
    case RULE_NUMBER: return read_number(r, field);
    case RULE_PAIR: return read_pair(r, field);
    case RULE_BOOL: return read_bool(r, field);
    case RULE_NAME:
    case RULE_TEXT: return read_text(r, field);
    case RULE_WIND: break;
    }
    return refuse(r, field->key, "a mapping of direction, strength, frequency, speed, flutter and height");
}

/* ---- structure ---- */

/* Passes over the value whose first event is at hand. False where the text ends being YAML, or is too deep. */
static bool skip(struct rule_reader *r)
{
    for (unsigned depth = 0;;) {
        switch (r->event.type) {
        case YAML_MAPPING_START_EVENT:
        case YAML_SEQUENCE_START_EVENT:
            if (++depth > NESTING_MAX)
                return fail(r, r->event.start_mark, "nested more than %d levels deep", NESTING_MAX);
            break;
        case YAML_MAPPING_END_EVENT:
        case YAML_SEQUENCE_END_EVENT: depth--; break;
        case YAML_ALIAS_EVENT:
            return fail(r, r->event.start_mark, "an alias (*name): a rule spells its values out");
        default: break;
        }
        if (!depth)
            return true;
        if (!next(r))
            return false;
    }
}

static bool read_mapping(struct rule_reader *r, const struct rule_field *fields, size_t count, bool top);

/* The value of a key, its first event at hand, up to its last. False where reading can't go on. */
static bool read_value(struct rule_reader *r, const struct rule_field *field, bool top)
{
    yaml_mark_t mark = r->event.start_mark;
    if (r->event.type == YAML_MAPPING_START_EVENT && field->kind == RULE_WIND) {
        r->rule->given |= (uint64_t)1 << VXBI_RULE_WIND;
        return read_mapping(r, wind_fields, WIND_FIELDS, false);
    }
    if (r->event.type != YAML_SCALAR_EVENT) {
        if (r->event.type != YAML_ALIAS_EVENT)
            fail(r, mark, "%s: found a list or a mapping; allowed: one value", field->key);
        return skip(r);
    }
    if (is_absent(r) || !read_scalar(r, field) || !top)
        return true;
    r->rule->given |= (uint64_t)1 << (field - rule_fields);
    r->marks[field - rule_fields] = mark;
    return true;
}

/* A mapping whose start is at hand, up to its end. False where reading can't go on; r->failed tells of wrong values. */
static bool read_mapping(struct rule_reader *r, const struct rule_field *fields, size_t count, bool top)
{
    uint64_t seen = 0;
    for (;;) {
        if (!next(r))
            return false;
        if (r->event.type == YAML_MAPPING_END_EVENT)
            return true;
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail(r, r->event.start_mark, "found something else where a key should stand");
        size_t i = 0;
        while (i < count && strcmp(fields[i].key, scalar(r)) != 0)
            i++;
        yaml_mark_t mark = r->event.start_mark;
        if (i == count) {
            const char *nearest = vxbi_nearest(scalar(r), fields, count, sizeof *fields);
            warn(r, mark, "the key \"%s\" is not known and is ignored%s%s%s", scalar(r),
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
        } else if (seen >> i & 1) {
            fail(r, mark, "the key \"%s\" is here twice", fields[i].key);
        }
        bool fresh = i < count && !(seen >> i & 1);
        if (i < count)
            seen |= (uint64_t)1 << i;
        if (!next(r) || !(fresh ? read_value(r, &fields[i], top) : skip(r)))
            return false;
    }
}

static void check_whole(struct rule_reader *r)
{
    const struct vxbi_rule *rule = r->rule;
    char start[VXB_TEXT_NUMBER_ROOM], end[VXB_TEXT_NUMBER_ROOM];
    if (vxbi_has(rule->given, VXBI_RULE_START_CULL_DISTANCE) && vxbi_has(rule->given, VXBI_RULE_END_CULL_DISTANCE) &&
        rule->start_cull_distance > rule->end_cull_distance)
        fail(r, r->marks[VXBI_RULE_START_CULL_DISTANCE],
             "startCullDistance: found %s; allowed: at most endCullDistance, %s",
             vxb_text_f32(rule->start_cull_distance, start), vxb_text_f32(rule->end_cull_distance, end));
    bool albedo = vxbi_has(rule->given, VXBI_RULE_ALBEDO), wind = vxbi_has(rule->given, VXBI_RULE_WIND);
    if (!r->failed && (albedo || wind))
        vxbi_say(r->check->env, VXB_SEVERITY_NOTE, r->path, NULL, "%s not baked; the engine reads %s from the rule",
                 albedo && wind ? "albedo and wind are" : albedo ? "albedo is" : "wind is",
                 albedo && wind ? "them" : "it");
}

static bool read_document(struct rule_reader *r)
{
    if (!next(r) || !next(r))
        return false;
    if (r->event.type != YAML_DOCUMENT_START_EVENT)
        return fail(r, r->event.start_mark, "the file holds no YAML document");
    if (!next(r))
        return false;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail(r, r->event.start_mark, "a rule is a mapping of keys to values");
    if (!read_mapping(r, rule_fields, VXBI_RULE_KEYS, true) || !next(r) || !next(r))
        return false;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return fail(r, r->event.start_mark, "a second YAML document: a rule file holds one");
    check_whole(r);
    return !r->failed;
}

bool vxbi_rule_parse(struct vxbi_check *check, const char *path, const struct vxbi_at *at, const void *text,
                     size_t size, struct vxbi_rule *out)
{
    struct rule_reader r = {.check = check, .path = path, .at = at, .rule = out};
    *out = (struct vxbi_rule){0};
    if (!yaml_parser_initialize(&r.parser)) {
        vxbi_check_memory(check, size);
        return false;
    }
    yaml_parser_set_input_string(&r.parser, text, size);
    bool good = read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return good;
}

#else

bool vxbi_rule_parse(struct vxbi_check *check, const char *path, const struct vxbi_at *at, const void *text,
                     size_t size, struct vxbi_rule *out)
{
    (void)text;
    (void)size;
    struct vxb_error err = {0};
    char pointer[sizeof err.pointer];
    *out = (struct vxbi_rule){0};
    vxbi_fail(&err, VXB_ERR_UNSUPPORTED, "this build reads no .vxgrass rules: it was configured --without-yaml");
    vxbi_error_in(&err, VXB_ERR_UNSUPPORTED, path, vxbi_at_pointer(at, pointer, sizeof pointer));
    vxbi_check_send(check, &err);
    return false;
}

#endif

bool vxbi_rule_load(struct vxbi_check *check, const char *path, const struct vxbi_at *at, struct vxbi_rule *out)
{
    struct vxbi_bytes bytes = {0};
    struct vxb_error err = {0};
    char pointer[sizeof err.pointer];
    enum vxb_status status = vxbi_read_all(check->env, path, VXBI_RULE_BYTES_MAX, &bytes, &err);
    if (status) {
        /* An empty file, and one too large for a rule, are no rule. */
        if (status == VXB_ERR_FORMAT || status == VXB_ERR_LIMIT)
            err.status = VXB_ERR_DATA;
        vxbi_error_in(&err, err.status, path, vxbi_at_pointer(at, pointer, sizeof pointer));
        vxbi_check_send(check, &err);
        return false;
    }
    bool good = vxbi_rule_parse(check, path, at, bytes.data, bytes.size, out);
    vxbi_bytes_clear(&bytes);
    return good;
}
