/* The hex view's own structures: what hex.c, which finds and shows structures of a fixed size, shares with hex_grass.c
 * and hex_ktx2.c, which walk those of no fixed size. */
#ifndef VXBI_EXPORT_HEX_H
#define VXBI_EXPORT_HEX_H

#include "../core/fields.h"
#include "../core/text.h"
#include "loose.h"
#include "table.h"

struct vxbi_hex {
    const struct vxb_env *env;
    const struct vxb_raw_options *options;
    struct vxb_raw_report *report;
    struct vxbi_loose *loose;
    enum vxbi_loose_format format; /* what the file is taken for */
    struct vxb_grass_header header; /* of formats 2 and 3, as it stands */
    struct vxbi_grass_layout layout;
    struct vxbi_damage damage;
    struct vxbi_listing listing;
};

/* Whether structure number index is among those that were asked for. */
bool vxbi_hex_wanted(const struct vxbi_hex *hex, uint64_t index);

/* One row. index: UINT64_MAX is none; offset: VXBI_NO_OFFSET is none, of bytes that were decompressed. bytes: got of
 * them, of which the first 255 are shown; value, meaning and damage may be none. */
struct vxbi_hex_row {
    const char *structure, *field, *type;
    uint64_t index, offset;
    const uint8_t *bytes;
    size_t got;
    struct vxbi_cell value;
    const char *meaning, *damage;
};
enum vxb_status vxbi_hex_row(struct vxbi_hex *hex, const struct vxbi_hex_row *row, struct vxb_error *err);

/* What is wrong with bytes of the file, NULL where nothing is known to be; counts it as shown. */
enum { VXBI_HEX_DAMAGE_ROOM = 768 };
const char *vxbi_hex_damage(struct vxbi_hex *hex, uint64_t offset, uint64_t bytes, char out[VXBI_HEX_DAMAGE_ROOM]);

/* A structure's fields at bytes, as far as got of them reach. offset: as above. meanings: a text a field or NULL.
 * damage: told by offset, or, where blade is not NULL, by the end of its pointer, "/blades/N/FIELD". */
struct vxbi_hex_fields {
    const struct vxbi_structure *structure;
    uint64_t index, offset;
    const uint8_t *bytes;
    size_t got;
    const char *const *meanings;
    const uint32_t *blade;
};
enum vxb_status vxbi_hex_fields(struct vxbi_hex *hex, const struct vxbi_hex_fields *fields, struct vxb_error *err);

/* Of a range of which nothing was there to show: VXB_ERR_USAGE. */
enum vxb_status vxbi_hex_none(const struct vxbi_hex *hex, struct vxb_error *err);

/* What the bounds of a KTX2 sample mean, where its channel is of floats: into meanings, a text a field, in texts. */
void vxbi_hex_sample(const uint8_t *bytes, char texts[2][VXB_TEXT_NUMBER_ROOM], const char *meanings[]);

/* The structures of no fixed size: each shows those that were asked for. */
enum vxb_status vxbi_hex_strings(struct vxbi_hex *hex, struct vxb_error *err);
enum vxb_status vxbi_hex_blades(struct vxbi_hex *hex, struct vxb_error *err);
enum vxb_status vxbi_hex_keys(struct vxbi_hex *hex, struct vxb_error *err);

/* Checks the blades of format 1 among the bytes whose broken rules are kept; the rest was checked before. */
enum vxb_status vxbi_hex_check_legacy(struct vxbi_hex *hex, struct vxb_error *err);

#endif
