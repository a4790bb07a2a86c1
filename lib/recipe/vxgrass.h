/* Vixen's .vxgrass: one grass rule as YAML. */
#ifndef VXBI_RECIPE_VXGRASS_H
#define VXBI_RECIPE_VXGRASS_H

#include "json_check.h"

#define VXBI_RULE_BYTES_MAX ((uint64_t)64 << 10)

/* The keys of a rule, in its table's order. */
enum vxbi_rule_key {
    VXBI_RULE_NAME,
    VXBI_RULE_MESH,
    VXBI_RULE_ALBEDO,
    VXBI_RULE_LAYER,
    VXBI_RULE_MIN_WEIGHT,
    VXBI_RULE_MAX_WEIGHT,
    VXBI_RULE_DENSITY,
    VXBI_RULE_JITTER,
    VXBI_RULE_MIN_SCALE,
    VXBI_RULE_MAX_SCALE,
    VXBI_RULE_RANDOM_YAW,
    VXBI_RULE_ALIGN_TO_NORMAL,
    VXBI_RULE_MAX_SLOPE,
    VXBI_RULE_START_CULL_DISTANCE,
    VXBI_RULE_END_CULL_DISTANCE,
    VXBI_RULE_WIND,
    VXBI_RULE_KEYS
};

struct vxbi_rule {
    uint64_t given; /* a bit for each key that has a value: only those fields below are set */
    const char *name, *mesh, *layer;
    float min_weight, max_weight, density, jitter, min_scale, max_scale, align_to_normal;
    float max_slope; /* radians */
    float start_cull_distance, end_cull_distance; /* metres, start <= end where both are given */
    bool random_yaw;
};

/* Reads the rule at path, which the value at `at` names. Texts go to the check's arena. All faults are reported through
 * check, with the rule's path, line and column; a key it does not know is a warning, albedo and wind are one note.
 * False where there was a fault: VXB_ERR_IO (it can't be read), VXB_ERR_DATA (no YAML, or a value that is wrong),
 * VXB_ERR_UNSUPPORTED (a build without libyaml), VXB_ERR_MEMORY. */
bool vxbi_rule_load(struct vxbi_check *check, const char *path, const struct vxbi_at *at, struct vxbi_rule *out);

/* The same from memory. */
bool vxbi_rule_parse(struct vxbi_check *check, const char *path, const struct vxbi_at *at, const void *text,
                     size_t size, struct vxbi_rule *out);

#endif
