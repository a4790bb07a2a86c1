/* The .vxp reader inside: one set of checks for opening (strict) and for verifying (a collector that goes on). Source:
 * vxbake-format(5), "Irradiance fields". */
#ifndef VXBI_PROBES_READ_H
#define VXBI_PROBES_READ_H

#include "../core/collect.h"
#include "../core/os.h"
#include "format.h"

/* How far a file could be understood. Each level implies those below it. */
enum vxbi_probe_known {
    VXBI_PROBE_NOTHING,
    VXBI_PROBE_HEADER, /* header fields are there; they may break rules */
    VXBI_PROBE_GRID,   /* bounds, cells, slots and encoding are right: a pool may be made */
    VXBI_PROBE_TABLES, /* the tables are read; entries may break rules */
    VXBI_PROBE_BRICKS  /* and the bricks break none: a field may be made of them */
};

struct vxb_probe_file {
    struct vxb_allocator allocator;
    uint64_t max_memory;
    struct vxbi_file *file;    /* NULL: source */
    struct vxb_source source;
    char *name;                /* for messages */
    uint64_t size;             /* what there is, not what the header says */
    enum vxbi_probe_known known;
    struct vxb_probe_header header;
    struct vxbi_probe_layout layout;
    uint64_t tables_hash, content_id; /* made anew from TABLES on; the first only where tables_whole */
    bool tables_whole;
    struct vxb_brick *bricks;  /* brick_room, of which header.brick_count are there from TABLES on */
    uint64_t brick_room;
    struct vxb_probe_plane planes[VXB_PROBE_PLANES];
    bool readable[VXB_PROBE_PLANES]; /* the plane's data may be read */
};

/* Whether these first bytes are those of an irradiance field, or of one that a copy in text mode damaged. */
bool vxbi_probe_begins(const uint8_t *start, size_t size);

/* Where the bytes are. */
struct vxbi_probe_from {
    const char *path;                /* for messages; "-" is standard input */
    struct vxbi_file *file;          /* open, and taken, also where opening fails; NULL: source */
    const struct vxb_source *source;
};

/* Checks header and tables and sets known; what it found goes to collect. Returns only what kept it from looking
 * (VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_MEMORY). */
enum vxb_status vxbi_probe_file_adopt(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                      struct vxbi_collect *collect, struct vxb_probe_file **out,
                                      struct vxb_error *err);
/* The same strictly: the first broken rule is the error. */
enum vxb_status vxbi_probe_file_open_from(const struct vxb_env *env, const struct vxbi_probe_from *from,
                                          struct vxb_probe_file **out, struct vxb_error *err);

/* Reads exactly size bytes. */
enum vxb_status vxbi_probe_read_at(const struct vxb_probe_file *file, uint64_t offset, void *buf, size_t size,
                                   struct vxb_error *err);

/* check.c: the 128 bytes, size of them; false where the tables can't be looked for. */
bool vxbi_probe_check_header(struct vxb_probe_file *file, const uint8_t *bytes, size_t size,
                             struct vxbi_collect *collect);
/* check_tables.c: bytes holds the file from the brick table to the first plane, the brick table decoded already.
 * Returns VXB_ERR_MEMORY. */
enum vxb_status vxbi_probe_check_tables(struct vxb_probe_file *file, const uint8_t *bytes, struct vxbi_collect *collect,
                                        struct vxb_error *err);

/* ---- planes ---- */

#define VXBI_PROBE_WINDOW 4096u /* texels */

/* Texels first to first + count - 1 of the pool, RGBA of each plane. */
struct vxbi_probe_window {
    uint64_t first;
    uint32_t count;
    const float *planes[VXB_PROBE_PLANES];
};

/* Hands all texels over, window by window, checking frames and hashes. *whole: every plane was read to its end, its
 * bytes right or wrong; where one can't be read, nothing is handed over beyond the window before. Returns what kept it
 * from reading, and what each returned. */
enum vxb_status vxbi_probe_walk(const struct vxb_env *env, const struct vxb_probe_file *file,
                                struct vxbi_collect *collect,
                                enum vxb_status (*each)(void *user, const struct vxbi_probe_window *window,
                                                        struct vxb_error *err),
                                void *user, bool *whole, struct vxb_error *err);

/* ---- texels: check_texels.c ---- */

#define VXBI_PROBE_NO_BRICK UINT32_MAX

/* Checks texels of a file of known BRICKS; what it found goes to collect. Zero it, then begin and end. */
struct vxbi_probe_rules {
    const struct vxb_probe_file *file;
    struct vxbi_collect *collect;
    uint32_t *owners;          /* the brick of each slot, capacity of them */
    uint64_t capacity;
    uint64_t checked, invalid; /* probes that bricks own; invalid: of validity 0 */
    bool unsound;              /* a number that a brick owns is not finite */
};
/* Returns VXB_ERR_MEMORY; ending is allowed then, and where it never began. */
enum vxb_status vxbi_probe_rules_begin(struct vxbi_probe_rules *rules, const struct vxb_probe_file *file,
                                       struct vxbi_collect *collect, struct vxb_error *err);
void vxbi_probe_rules_end(struct vxbi_probe_rules *rules);

/* Where a texel of the pool belongs. */
struct vxbi_probe_place {
    uint32_t slot, brick; /* brick may be VXBI_PROBE_NO_BRICK */
    uint32_t at[3];
    bool border;
};
struct vxbi_probe_place vxbi_probe_place_of(const struct vxbi_probe_rules *rules, uint64_t texel);
/* A texel's byte in the file; of a compressed plane, where its frame starts. */
uint64_t vxbi_probe_texel_at(const struct vxb_probe_file *file, uint32_t plane, uint64_t texel);
/* "/bricks/3/probes/17". */
const char *vxbi_probe_texel_pointer(struct vxbi_collect *collect, const struct vxbi_probe_place *place);

/* Texel i of a window: what its slot allows it to be. Of a border, that it is finite. out: its probe. */
void vxbi_probe_check_texel(struct vxbi_probe_rules *rules, const struct vxbi_probe_window *window, uint32_t i,
                            const struct vxbi_probe_place *place, struct vxb_probe *out);
/* All of a window, up to the first that a strict collector takes; out: their probes, window->count. */
void vxbi_probe_check_window(struct vxbi_probe_rules *rules, const struct vxbi_probe_window *window,
                             struct vxb_probe *out);

/* A plane's hash made anew. *known is false where its bytes can't be read or are no frame. Returns what kept it from
 * reading. */
enum vxb_status vxbi_probe_plane_hash(const struct vxb_env *env, const struct vxb_probe_file *file, uint32_t plane,
                                      uint64_t *hash, bool *known, struct vxb_error *err);

/* A placed field with the bricks of a file of known BRICKS, every texel empty. */
enum vxb_status vxbi_probe_file_bricks_field(const struct vxb_env *env, const struct vxb_probe_file *file,
                                             struct vxb_probe_field **out, struct vxb_error *err);

#endif
