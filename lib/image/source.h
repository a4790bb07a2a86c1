/* What the readers of pictures and grids of samples share: the file at work, its bytes, and telling what a file is that
 * is not what it should be. Which samples are allowed is for the caller to say. */
#ifndef VXBI_IMAGE_SOURCE_H
#define VXBI_IMAGE_SOURCE_H

#include "../core/bytes.h"
#include "../core/os.h"

#define VXBI_IMAGE_SIDE_MAX 32768u

/* The file at work, for warnings. */
struct vxbi_source {
    const struct vxb_env *env;
    struct vxb_allocator allocator;
    const char *path, *pointer;
};

/* f32 samples within a file's bytes. */
struct vxbi_f32_layout {
    uint32_t width, height;
    size_t offset;  /* of the first stored sample */
    bool big;       /* byte order */
    bool bottom_up; /* the last row is stored first */
};

static inline float vxbi_load_f32_in(const uint8_t *p, bool big)
{
    const uint8_t turned[4] = {p[3], p[2], p[1], p[0]};
    return vxbi_load_f32(big ? turned : p);
}

/* Where the n-th stored sample stands. */
void vxbi_f32_place(const struct vxbi_f32_layout *layout, uint64_t n, uint32_t *x, uint32_t *y);

/* ---- whole files ---- */

/* What a raw file has to be, which itself says nothing. */
struct vxbi_raw {
    const char *path;
    uint32_t width, height;
    unsigned sample_bytes; /* 2: u16; 4: f32 */
    bool either;           /* the recipe's "sample" may make it the other */
    uint32_t side_min;     /* the least side that is worth proposing */
};

/* Reads a whole file. raw: its size is checked before it is read; NULL: it may have as many bytes as the environment's
 * limit on memory. Of a stream that begins as no picture does, no more than that is read. cancelled() is polled.
 * Returns VXB_ERR_IO, VXB_ERR_FORMAT (empty), VXB_ERR_LIMIT, VXB_ERR_CANCELLED, VXB_ERR_MEMORY, and what
 * vxbi_check_raw_size() does. */
enum vxb_status vxbi_read_image_file(const struct vxb_env *env, const char *path, const struct vxbi_raw *raw,
                                     struct vxbi_bytes *out, struct vxb_error *err);

/* Whether a raw file's size in bytes is what its samples take. head is the file's beginning, for naming what it is
 * instead. */
enum vxb_status vxbi_check_raw_size(const struct vxbi_raw *raw, uint64_t size, const uint8_t *head, size_t head_size,
                                    struct vxb_error *err);

/* ---- PFM ---- */

/* The header of a PFM with one channel ("Pf"): rows stored bottom-up, byte order by the sign of its scale. noun is what
 * its samples are, for messages ("heights"). The size is the caller's to check before anything else is done. */
enum vxb_status vxbi_pfm_header(const struct vxbi_source *source, const struct vxbi_bytes *file, const char *noun,
                                struct vxbi_f32_layout *out, struct vxb_error *err);

/* Whether what follows the header is as many samples as it tells of, and no more. */
enum vxb_status vxbi_pfm_fit(const struct vxbi_bytes *file, const char *noun, struct vxbi_f32_layout *layout,
                             struct vxb_error *err);

/* ---- telling kinds apart ---- */

/* Whether a path ends so, case apart; ending is in lower case. */
bool vxbi_ends_with(const char *path, const char *ending);

/* By the content: "a PNG", "a JPEG", ...; NULL where nothing is recognised. *sure: the signature is so long that no
 * sample values are taken for it. */
const char *vxbi_kind_of_content(const uint8_t *data, size_t size, bool *sure);

/* VXB_ERR_FORMAT: content is not expected ("a PNG"); says what it is where that can be told, and, of a path that ends
 * with ending (".png"; NULL: with whatever), that its name promised otherwise. */
enum vxb_status vxbi_fail_kind(const char *path, const char *ending, const uint8_t *data, size_t size,
                               const char *expected, struct vxb_error *err);

#endif
