/* The report of a bake, of whatever kind of file: read, and taken member by member. */
#include "verify_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* The largest report there is: four species with a few long names each. */
#define REPORT_MAX_BYTES ((uint64_t)16 << 20)

enum vxb_status vxbi_verify_read_report(const struct vxb_env *env, const char *path, const char *kind,
                                        struct vxbi_json **out, struct vxb_error *err)
{
    struct vxbi_bytes bytes;
    struct vxbi_json *root;
    enum vxb_status status = vxbi_read_all(env, path, REPORT_MAX_BYTES, &bytes, err);
    if (status)
        return status;
    status = vxbi_json_parse(env, (const char *)bytes.data, bytes.size, VXB_ERR_DATA, &root, err);
    vxbi_bytes_clear(&bytes);
    if (status)
        return vxbi_error_in(err, status, path, NULL);
    const char *found = vxbi_json_text(vxbi_json_member(root, "kind"));
    if (!found || strcmp(found, kind) != 0) {
        vxbi_fail(err, VXB_ERR_DATA, "this is not a report of such a bake: its kind is %s, not \"%s\"",
                  found ? found : "missing", kind);
        vxbi_json_free(root);
        return vxbi_error_in(err, VXB_ERR_DATA, path, "/kind");
    }
    const struct vxbi_json *version = vxbi_json_member(root, "version");
    /* Where there is none, a member is missing, which its own finding tells. */
    if (version && (vxbi_json_type(version) != VXBI_JSON_NUMBER || vxbi_json_number(version) != 1.0)) {
        char described[64];
        vxbi_fail(err, VXB_ERR_UNSUPPORTED, "found %s; this build reads version 1",
                  vxbi_json_describe(version, described, sizeof described));
        vxbi_json_free(root);
        return vxbi_error_in(err, VXB_ERR_UNSUPPORTED, path, "/version");
    }
    *out = root;
    return VXB_OK;
}

bool vxbi_verify_take_u64(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, uint64_t *out)
{
    const struct vxbi_json *value = vxbi_json_member(object, key);
    double number = value && vxbi_json_type(value) == VXBI_JSON_NUMBER ? vxbi_json_number(value) : -1.0;
    if (number >= 0.0 && number <= 9007199254740991.0 && number == (double)(uint64_t)number) {
        *out = (uint64_t)number;
        return true;
    }
    vxbi_found(collect, VXB_FINDING_REPORT_MEMBER, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
               "the report's %s/%s is %s; it is a whole number", where, key, value ? "none" : "missing");
    return false;
}

/* What the file says of a member, in words, beside what the report does. */
static void differs(struct vxbi_collect *collect, const char *where, const char *key, const struct vxbi_json *value,
                    const char *file)
{
    char described[VXB_NAME_MAX_BYTES + 3];
    vxbi_found(collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
               "%s/%s is %s in the report, %s by the file", where, key,
               vxbi_json_describe(value, described, sizeof described), file);
}

static void missing(struct vxbi_collect *collect, const char *where, const char *key, const char *what)
{
    vxbi_found(collect, VXB_FINDING_REPORT_MEMBER, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
               "the report's %s/%s is missing, or is not %s", where, key, what);
}

void vxbi_verify_same_u64(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, uint64_t file)
{
    uint64_t value;
    if (vxbi_verify_take_u64(collect, object, where, key, &value) && value != file)
        vxbi_found(collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
                   "%s/%s is %" PRIu64 " in the report, %" PRIu64 " by the file", where, key, value, file);
}

void vxbi_verify_same_id(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                         const char *key, uint64_t file)
{
    const char *text = vxbi_json_text(vxbi_json_member(object, key));
    uint64_t id;
    if (!text || strlen(text) != 18 || !vxbi_id_parse(text, &id))
        missing(collect, where, key, "text of 0x and 16 hexadecimal digits");
    else if (id != file)
        vxbi_found(collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
                   "%s/%s is 0x%016" PRIx64 " in the report, 0x%016" PRIx64 " in the file", where, key, id, file);
}

void vxbi_verify_same_limit(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                            const char *key, uint32_t file)
{
    const struct vxbi_json *value = vxbi_json_member(object, key);
    const bool none = value && vxbi_json_type(value) == VXBI_JSON_NULL;
    char text[16];
    if (none && file == VXB_NO_LIMIT)
        return;
    if (none || (value && file == VXB_NO_LIMIT)) {
        snprintf(text, sizeof text, "%" PRIu32, file);
        differs(collect, where, key, value, none ? text : "none");
    } else {
        vxbi_verify_same_u64(collect, object, where, key, file);
    }
}

/* value: NULL where it is missing. */
static void same_f32(struct vxbi_collect *collect, const struct vxbi_json *value, const char *where, const char *key,
                     float file)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!value || vxbi_json_type(value) != VXBI_JSON_NUMBER)
        missing(collect, where, key, "a number");
    else if ((float)vxbi_json_number(value) != file)
        differs(collect, where, key, value, vxb_text_f32(file, text));
}

void vxbi_verify_same_f32(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, float file)
{
    same_f32(collect, vxbi_json_member(object, key), where, key, file);
}

static void same_text(struct vxbi_collect *collect, const struct vxbi_json *value, const char *where, const char *key,
                      const char *file)
{
    const char *text = vxbi_json_text(value);
    char quoted[VXB_NAME_MAX_BYTES + 3];
    if (!text) {
        missing(collect, where, key, "text");
    } else if (strcmp(text, file) != 0) {
        snprintf(quoted, sizeof quoted, "\"%s\"", file);
        differs(collect, where, key, value, quoted);
    }
}

void vxbi_verify_same_text(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const char *file)
{
    same_text(collect, vxbi_json_member(object, key), where, key, file);
}

/* ---- arrays ---- */

/* The first of count elements; NULL, and a finding, where there are more or fewer. */
static const struct vxbi_json *elements(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                                        const char *key, size_t count)
{
    const struct vxbi_json *array = vxbi_json_member(object, key);
    if (array && vxbi_json_type(array) == VXBI_JSON_ARRAY && vxbi_json_count(array) == count)
        return vxbi_json_first(array);
    vxbi_found(collect, VXB_FINDING_REPORT_MEMBER, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
               "the report's %s/%s is not an array of %zu, or is missing", where, key, count);
    return NULL;
}

void vxbi_verify_same_u32s(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const uint32_t *file, size_t count)
{
    const struct vxbi_json *value = elements(collect, object, where, key, count);
    char text[16];
    for (size_t i = 0; value; i++, value = vxbi_json_next(value))
        if (vxbi_json_type(value) != VXBI_JSON_NUMBER || vxbi_json_number(value) != (double)file[i]) {
            snprintf(text, sizeof text, "%" PRIu32, file[i]);
            differs(collect, where, key, value, text);
        }
}

void vxbi_verify_same_f32s(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const float *file, size_t count)
{
    const struct vxbi_json *value = elements(collect, object, where, key, count);
    for (size_t i = 0; value; i++, value = vxbi_json_next(value))
        same_f32(collect, value, where, key, file[i]);
}

void vxbi_verify_same_texts(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                            const char *key, const char *const *file, size_t count)
{
    const struct vxbi_json *value = elements(collect, object, where, key, count);
    for (size_t i = 0; value; i++, value = vxbi_json_next(value))
        same_text(collect, value, where, key, file[i]);
}
