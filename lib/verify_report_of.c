/* The report of a bake, of whatever kind of file: read, and taken member by member. */
#include "verify_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
        vxbi_fail(err, VXB_ERR_DATA, "this is no report of such a bake: its kind is %s, not \"%s\"",
                  found ? found : "missing", kind);
        vxbi_json_free(root);
        return vxbi_error_in(err, VXB_ERR_DATA, path, "/kind");
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

void vxbi_verify_same_u64(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, uint64_t file)
{
    uint64_t value;
    if (vxbi_verify_take_u64(collect, object, where, key, &value) && value != file)
        vxbi_found(collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
                   "%s/%s is %" PRIu64 " in the report, %" PRIu64 " by the file", where, key, value, file);
}

static bool take_id(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where, const char *key,
                    uint64_t *out)
{
    const char *text = vxbi_json_text(vxbi_json_member(object, key));
    if (text && strlen(text) == 18 && strncmp(text, "0x", 2) == 0 && strspn(text + 2, "0123456789abcdef") == 16) {
        *out = strtoull(text + 2, NULL, 16);
        return true;
    }
    vxbi_found(collect, VXB_FINDING_REPORT_MEMBER, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
               "the report's %s/%s is no text of 0x and 16 hexadecimal digits", where, key);
    return false;
}

void vxbi_verify_same_id(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                         const char *key, uint64_t file)
{
    uint64_t id;
    if (take_id(collect, object, where, key, &id) && id != file)
        vxbi_found(collect, VXB_FINDING_REPORT_DIFFERS, VXBI_NO_OFFSET, vxbi_pointer(collect, "%s/%s", where, key),
                   "%s/%s is 0x%016" PRIx64 " in the report, 0x%016" PRIx64 " in the file", where, key, id, file);
}
