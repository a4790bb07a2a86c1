/* KTX2 in and out, for the uncompressed formats vxbake stores. A file's whole layout follows from its shape, its format
 * and its key/values; the writer puts it there and the reader takes nothing else. Source: the Khronos KTX File Format
 * Specification, version 2.0; vxbake-ktx2(5). */
#ifndef VXBI_KTX2_KTX2_H
#define VXBI_KTX2_KTX2_H

#include "../core/collect.h"
#include "../core/os.h"

#define VXBI_KTX2_LEVELS_MAX 16
#define VXBI_KTX2_SIDE_MAX 32768u
#define VXBI_KTX2_LAYERS_MAX 65536u
#define VXBI_KTX2_VALUES_BYTES_MAX (1u << 20)

/* VkFormat's numbers. */
enum vxbi_ktx2_vk {
    VXBI_KTX2_R16_SFLOAT = 76,
    VXBI_KTX2_R16G16B16A16_SFLOAT = 97,
    VXBI_KTX2_R32_UINT = 98,
    VXBI_KTX2_R32_SFLOAT = 100,
    VXBI_KTX2_R32G32_UINT = 101,
    VXBI_KTX2_R32G32B32A32_SFLOAT = 109
};

struct vxbi_ktx2_format {
    uint32_t vk;
    const char *name;
    uint32_t type_bytes;  /* of a channel */
    uint32_t channels;
    bool is_float;
};

/* NULL for a format that is none of them. */
const struct vxbi_ktx2_format *vxbi_ktx2_format(uint32_t vk);

static inline uint32_t vxbi_ktx2_texel_bytes(const struct vxbi_ktx2_format *format)
{
    return format->type_bytes * format->channels;
}

/* A key and its value; text values count their terminator. */
struct vxbi_ktx2_value {
    const char *key;
    const void *value;
    uint32_t bytes;
};

/* What a file says of itself. Fields are the header's: height 0 is a 1D texture, depth 0 is no 3D one, layers 0 no
 * array; faces is 1 or 6. */
struct vxbi_ktx2_desc {
    const struct vxbi_ktx2_format *format;
    uint32_t width, height, depth, layers, faces;
    uint32_t levels;                      /* stored, at least 1 */
    bool asks_for_levels;                 /* read: levelCount is 0, so that whoever loads it makes the others */
    const struct vxbi_ktx2_value *values; /* in ascending order of their keys' bytes, each key once */
    uint32_t value_count;
};

/* Where everything stands, from the file's start. */
struct vxbi_ktx2_layout {
    uint32_t dfd_offset, dfd_bytes, values_offset, values_bytes; /* values: both 0 where there are none */
    uint64_t head_bytes;                                         /* all before the padding and the levels */
    uint64_t level_offset[VXBI_KTX2_LEVELS_MAX], level_bytes[VXBI_KTX2_LEVELS_MAX];
    uint64_t file_bytes;
};

/* ---- writing ---- */

struct vxbi_ktx2_sink {
    void *user;
    enum vxb_status (*write)(void *user, const void *data, size_t size, struct vxb_error *err);
};

/* Who writes: the revision of the rules, and not the library's version, since equal rules give equal bytes. */
#define VXBI_KTX2_STRING_(x) #x
#define VXBI_KTX2_STRING(x) VXBI_KTX2_STRING_(x)
#define VXBI_KTX2_WRITER_BEGINS "vxbake, bake revision "
#define VXBI_KTX2_WRITER VXBI_KTX2_WRITER_BEGINS VXBI_KTX2_STRING(VXB_BAKE_REVISION)

/* Texels on demand, so that a volume need not exist twice: count bytes of a level from byte `from` of it, both
 * multiples of the texel's bytes, as host numbers. What it returns other than VXB_OK ends the writing. */
struct vxbi_ktx2_texels {
    void *user;
    enum vxb_status (*get)(void *user, uint32_t level, uint64_t from, void *out, size_t count, struct vxb_error *err);
};

/* Writes a whole file. levels[k]: level k's texels as host numbers of type_bytes each; inside it layers, then faces,
 * then z slices, then rows, nothing between them. Returns the sink's failure, VXB_ERR_MEMORY, or VXB_ERR_BUG where desc
 * is not what its comments say. */
enum vxb_status vxbi_ktx2_write(const struct vxb_env *env, const struct vxbi_ktx2_desc *desc,
                                const void *const *levels, const struct vxbi_ktx2_sink *sink, struct vxb_error *err);
/* The same from texels; each byte of each level is asked for once, in the order of the file. */
enum vxb_status vxbi_ktx2_write_from(const struct vxb_env *env, const struct vxbi_ktx2_desc *desc,
                                     const struct vxbi_ktx2_texels *texels, const struct vxbi_ktx2_sink *sink,
                                     struct vxb_error *err);

/* ---- reading ---- */

/* size bytes that can be read at any offset; read is never asked beyond size. */
struct vxbi_ktx2_source {
    void *user;
    uint64_t size;
    enum vxb_status (*read)(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err);
};

struct vxbi_ktx2 {
    struct vxbi_ktx2_desc desc;
    struct vxbi_ktx2_layout layout;
    struct vxbi_ktx2_source source;
    struct vxbi_arena arena;
};

/* Reads and checks everything but the texels; what it accepts is exactly what the specification allows of these
 * formats, the descriptor's colour primaries and premultiplied flag left free. Broken rules go to collect (opening
 * strictly, the first one ends it), and *usable tells whether none was an error: only then out can be read from. The
 * source must outlive it; free it with vxbi_ktx2_clear() whatever *usable is. Returns why it could not look:
 * VXB_ERR_LIMIT, VXB_ERR_MEMORY, the source's failure; then there is nothing to free. */
enum vxb_status vxbi_ktx2_open(const struct vxb_env *env, const struct vxbi_ktx2_source *source,
                               struct vxbi_collect *collect, struct vxbi_ktx2 *out, bool *usable,
                               struct vxb_error *err);
void vxbi_ktx2_clear(struct vxbi_ktx2 *file);

/* The texels of a level as host numbers: count bytes from byte `from` of it, both multiples of the type's bytes and
 * inside the level. */
enum vxb_status vxbi_ktx2_read(const struct vxbi_ktx2 *file, uint32_t level, uint64_t from, void *out, size_t count,
                               struct vxb_error *err);

/* The value of a key; NULL where there is none. */
const struct vxbi_ktx2_value *vxbi_ktx2_value(const struct vxbi_ktx2_desc *desc, const char *key);

/* Whether a value is this text, its terminator counted or not. */
bool vxbi_ktx2_value_is(const struct vxbi_ktx2_value *value, const char *text);

#endif
