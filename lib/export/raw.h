/* The hex view's own structures: what raw.c, which finds and shows structures of a fixed size, shares with raw_grass.c and
 * raw_ktx2.c, which walk those of no fixed size. */
#ifndef VXBI_EXPORT_RAW_H
#define VXBI_EXPORT_RAW_H

#include "../core/fields.h"
#include "loose.h"
#include "table.h"

struct vxbi_raw {
    const struct vxb_env *env;
    const struct vxb_raw_options *options;
    struct vxb_raw_report *report;
    struct vxbi_loose loose;
    enum vxbi_loose_format format; /* what the file is taken for */
    struct vxb_grass_header header; /* of formats 2 and 3, as it stands */
    struct vxbi_grass_layout layout;
    struct vxbi_damage damage;
    struct vxbi_listing listing;
};

/* Whether structure number index is among those that were asked for. */
bool vxbi_raw_wanted(const struct vxbi_raw *raw, uint64_t index);

/* One row. index: UINT64_MAX is none; offset: VXBI_NO_OFFSET is none, of bytes that were decompressed. bytes: got of them,
 * of which the first 255 are shown; value, meaning and damage may be none. */
struct vxbi_raw_row {
    const char *structure, *field, *type;
    uint64_t index, offset;
    const uint8_t *bytes;
    size_t got;
    struct vxbi_cell value;
    const char *meaning, *damage;
};
enum vxb_status vxbi_raw_row(struct vxbi_raw *raw, const struct vxbi_raw_row *row, struct vxb_error *err);

/* What is wrong with bytes of the file, NULL where nothing is known to be; counts it as shown. */
enum { VXBI_RAW_DAMAGE_ROOM = 768 };
const char *vxbi_raw_damage(struct vxbi_raw *raw, uint64_t offset, uint64_t bytes, char out[VXBI_RAW_DAMAGE_ROOM]);

/* A structure's fields at bytes, as far as got of them reach. offset: as above. meanings: a text a field or NULL.
 * damage: told by offset, or, where blade is not NULL, by the end of its pointer, "/blades/N/FIELD". */
struct vxbi_raw_fields {
    const struct vxbi_structure *structure;
    uint64_t index, offset;
    const uint8_t *bytes;
    size_t got;
    const char *const *meanings;
    const uint32_t *blade;
};
enum vxb_status vxbi_raw_fields(struct vxbi_raw *raw, const struct vxbi_raw_fields *fields, struct vxb_error *err);

/* Of a range of which nothing was there to show: VXB_ERR_USAGE. */
enum vxb_status vxbi_raw_none(const struct vxbi_raw *raw, struct vxb_error *err);

/* The structures of no fixed size: each shows those that were asked for. */
enum vxb_status vxbi_raw_strings(struct vxbi_raw *raw, struct vxb_error *err);
enum vxb_status vxbi_raw_blades(struct vxbi_raw *raw, struct vxb_error *err);
enum vxb_status vxbi_raw_keys(struct vxbi_raw *raw, struct vxb_error *err);

#endif
