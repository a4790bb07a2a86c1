/* A file that is looked at whatever is wrong with it: opened, told apart, and checked by the readers' own rules, of
 * which every broken one is noted and none ends the work. */
#ifndef VXBI_EXPORT_LOOSE_H
#define VXBI_EXPORT_LOOSE_H

#include "../grass/legacy.h"
#include "../ktx2/format.h"
#include "../probes/read.h"
#include "../vxbake/list.h"

/* A grass format's value is its number. */
enum vxbi_loose_format {
    VXBI_LOOSE_UNKNOWN,
    VXBI_LOOSE_GRASS_1,
    VXBI_LOOSE_GRASS_2,
    VXBI_LOOSE_GRASS_3,
    VXBI_LOOSE_KTX2,
    VXBI_LOOSE_PROBES_1
};

struct vxbi_loose {
    struct vxb_grass *grass;       /* holds the file, of whatever format; loaded by vxbi_loose_check() */
    enum vxbi_loose_format format; /* that its first bytes say */
    uint8_t head[VXB_GRASS_HEADER_BYTES]; /* the first bytes, zeros behind the file's end */
};

enum vxb_status vxbi_loose_open(const struct vxb_env *env, const char *path, struct vxbi_loose *out,
                                struct vxb_error *err);
/* The same of bytes that are no file. */
enum vxb_status vxbi_loose_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                       struct vxbi_loose *out, struct vxb_error *err);
void vxbi_loose_close(struct vxbi_loose *loose);

/* "grass-2"; and the format of a name, UNKNOWN where it is none. */
const char *vxbi_loose_format_name(enum vxbi_loose_format format);
enum vxbi_loose_format vxbi_loose_format_of(const char *name);

/* Broken rules: kept are those of bytes from to to - 1, as many as there is room for. Zero it and set the range. */
struct vxbi_damage {
    uint64_t from, to;
    uint64_t inside, elsewhere;
    size_t count;
    struct {
        uint64_t offset;
        char pointer[64];
        char text[256];
    } rows[64];
};
/* For struct vxbi_collect: user is a struct vxbi_damage. Only errors count. */
void vxbi_damage_add(void *user, const struct vxbi_found *found);

/* Checks all but the blades, the texels and the probes by format's rules. Where a limit keeps it from that, what it
 * found stays.
 * Returns VXB_ERR_IO, VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxbi_loose_check(struct vxbi_loose *loose, const struct vxb_env *env, enum vxbi_loose_format format,
                                 struct vxbi_damage *damage, struct vxb_error *err);

/* Up to size bytes from offset on; *got is how many the file has. */
enum vxb_status vxbi_loose_read(const struct vxbi_loose *loose, uint64_t offset, void *buf, size_t size, size_t *got,
                                struct vxb_error *err);

/* A chunk's records, decompressed where they have to be, of whose rules collect hears; room for them grows. *usable
 * tells whether they could be read. Returns VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_IO. */
struct vxbi_loose_records {
    uint8_t *data;
    uint64_t room;
    struct vxb_grass_scratch *scratch;
};
enum vxb_status vxbi_loose_fetch(const struct vxbi_loose *loose, uint32_t index, struct vxb_grass_chunk *chunk,
                                 struct vxbi_loose_records *records, struct vxbi_collect *collect, bool *usable,
                                 struct vxb_error *err);
void vxbi_loose_records_clear(const struct vxbi_loose *loose, struct vxbi_loose_records *records);

/* The field's tables, as far as they can be understood: of known NOTHING where they can't; the caller closes it, and
 * before the loose file. NULL where a limit keeps it from that. Returns VXB_ERR_IO, VXB_ERR_MEMORY. */
enum vxb_status vxbi_loose_probes(const struct vxbi_loose *loose, const struct vxb_env *env,
                                  struct vxbi_collect *collect, struct vxb_probe_file **out, struct vxb_error *err);

/* vxb_list_hashes() and vxb_list_raw() of a file that is open and was not checked yet. */
enum vxb_status vxbi_list_hashes(struct vxbi_loose *loose, const struct vxb_env *env, enum vxb_list_format format,
                                 const struct vxb_sink *sink, uint64_t *mismatches, struct vxb_error *err);
enum vxb_status vxbi_list_raw(struct vxbi_loose *loose, const struct vxb_env *env,
                              const struct vxb_raw_options *options, const struct vxb_sink *sink,
                              struct vxb_raw_report *report, struct vxb_error *err);

#endif
