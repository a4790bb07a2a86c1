/* Irradiance fields as files: .vxp. Source: vxbake-format(5), "Irradiance fields". */
#ifndef VXBAKE_PROBE_FILE_H
#define VXBAKE_PROBE_FILE_H

#include "grass.h"
#include "probes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VXB_PROBE_FORMAT 1
#define VXB_PROBE_HEADER_BYTES 128
#define VXB_PROBE_BRICK_BYTES 20
#define VXB_PROBE_PLANE_BYTES 24
#define VXB_PROBE_PLANES 4

/* Flags of the header. */
#define VXB_PROBE_ZSTD 1u    /* planes are zstd frames */
#define VXB_PROBE_INEXACT 4u /* baked on a device that need not give the CPU's bytes */

enum vxb_probe_encoding { VXB_PROBE_F32, VXB_PROBE_F16 };
/* "f32", "f16"; static storage; NULL for a value that is none. */
const char *vxb_probe_encoding_name(enum vxb_probe_encoding encoding);

/* The header, field by field as it stands in the file. */
struct vxb_probe_header {
    uint32_t format, header_bytes;
    uint64_t file_bytes;
    uint16_t flags, bake_revision;
    uint32_t encoding;                /* an enum vxb_probe_encoding */
    float bounds_min[3], bounds_max[3];
    uint32_t cells[3], slots[3];
    uint32_t brick_count;
    uint64_t bake_id, content_id;
    uint64_t tables_hash, header_hash;
};

/* One of the four volumes of RGBA texels over the whole pool: L00 and validity, L1-1 and sun shadow, L10, L11. */
struct vxb_probe_plane {
    uint64_t offset, bytes; /* in the file */
    uint64_t hash;          /* of the decoded bytes */
};

/* "L00", "L1-1", "L10", "L11"; static storage; NULL for a number that is none. */
const char *vxb_probe_plane_name(uint32_t plane);

struct vxb_probe_file;

/* Opens a file and checks its header and tables; no plane is read.
 * env: may be NULL; its allocator and memory limit are copied.
 * path: "-" is standard input, read to its end.
 * out: the caller closes it with vxb_probe_file_close(). Unchanged on failure. Any number of threads may read it.
 * Returns VXB_ERR_IO, VXB_ERR_FORMAT (no irradiance field), VXB_ERR_UNSUPPORTED (another version), VXB_ERR_DATA with
 * the finding and the byte offset, VXB_ERR_LIMIT (more memory than the environment allows), VXB_ERR_MEMORY. */
enum vxb_status vxb_probe_file_open(const struct vxb_env *env, const char *path, struct vxb_probe_file **out,
                                    struct vxb_error *err);
/* The same from bytes that the caller reads; source is copied. name: for messages, NULL allowed. */
enum vxb_status vxb_probe_file_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                           struct vxb_probe_file **out, struct vxb_error *err);
void vxb_probe_file_close(struct vxb_probe_file *file); /* NULL is allowed */

/* These belong to the file. bricks: header->brick_count of them, by (z, y, x). plane: below VXB_PROBE_PLANES. */
const struct vxb_probe_header *vxb_probe_file_header(const struct vxb_probe_file *file);
const struct vxb_brick *vxb_probe_file_bricks(const struct vxb_probe_file *file);
const struct vxb_probe_plane *vxb_probe_file_plane(const struct vxb_probe_file *file, uint32_t plane);

/* Hands over every texel of the pool in file order, window by window: probes first to first + count - 1, x fastest over
 * the whole pool. False ends the walk: VXB_ERR_CANCELLED. Frames and hashes are checked, and
 * what a probe may be: all of a window before it is handed over. Whether borders are what the bricks around them give
 * is left to vxb_verify().
 * Memory: five windows, 4 bytes a slot, and for zstd what each frame asks for. Returns what opening does, but for
 * VXB_ERR_FORMAT. */
enum vxb_status vxb_probe_file_walk(const struct vxb_env *env, const struct vxb_probe_file *file,
                                    bool (*each)(void *user, uint64_t first, const struct vxb_probe *probes,
                                                 uint32_t count),
                                    void *user, struct vxb_error *err);

/* The whole of it as a placed field: bricks and every texel, borders too. The caller frees it with
 * vxb_probe_field_free(). Returns what the walk and vxb_probe_field_of_bricks() do. */
enum vxb_status vxb_probe_file_field(const struct vxb_env *env, const struct vxb_probe_file *file,
                                     struct vxb_probe_field **out, struct vxb_error *err);

/* What the probes of a file are like: those that bricks own. */
struct vxb_probe_statistics {
    uint64_t probes, invalid;       /* invalid: of validity 0; the rest is of the others */
    float least[3], most[3];        /* L00, by channel */
    double mean[3];
    float least_validity;
    double mean_validity, mean_shadow;
};
/* Returns what the walk does. Without a valid probe all but the counts is 0. */
enum vxb_status vxb_probe_file_statistics(const struct vxb_env *env, const struct vxb_probe_file *file,
                                          struct vxb_probe_statistics *out, struct vxb_error *err);

struct vxb_probe_save_options {
    size_t size;
    enum vxb_probe_encoding encoding;
    bool compress;
    int compress_level;   /* zstd's, where compress; 0 is its default */
    uint16_t flags;       /* VXB_PROBE_INEXACT or 0 */
    uint64_t bake_id;     /* 0: of no recipe */
    uint16_t bake_revision; /* of the rules that made it; 0: of this version's */
};

/* Rounds a placed field to what an encoding can hold: owned probes, then borders written anew, then those. F32 leaves
 * everything as it is. Returns VXB_ERR_DATA for F16 and a coefficient beyond 65504, with the brick and the probe;
 * VXB_ERR_CANCELLED. */
enum vxb_status vxb_probe_field_round(const struct vxb_env *env, struct vxb_probe_field *field,
                                      enum vxb_probe_encoding encoding, struct vxb_error *err);

/* Writes a placed field, whose borders were written (and which was rounded, for F16: VXB_ERR_DATA where it was not).
 * The file appears whole or not at all; "-" is standard output. Returns VXB_ERR_USAGE (not placed; options),
 * VXB_ERR_IO, VXB_ERR_CANCELLED, VXB_ERR_MEMORY. */
enum vxb_status vxb_probe_field_save(const struct vxb_env *env, const struct vxb_probe_field *field, const char *path,
                                     const struct vxb_probe_save_options *options, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
