/* Reading KTX2: the head is checked field by field, then compared with the layout that a file of this shape has; a file
 * that says anything else is refused, with the field and its offset. Nothing is allocated or read before its size was
 * checked against the file's. */
#include <inttypes.h>

#include "format.h"

#include "../core/text.h"

/* Byte offsets of the header's fields. */
enum {
    AT_FORMAT = 12,
    AT_TYPE_SIZE = 16,
    AT_WIDTH = 20,
    AT_HEIGHT = 24,
    AT_DEPTH = 28,
    AT_LAYERS = 32,
    AT_FACES = 36,
    AT_LEVELS = 40,
    AT_SCHEME = 44,
    AT_DFD = 48,
    AT_DFD_BYTES = 52,
    AT_VALUES = 56,
    AT_VALUES_BYTES = 60,
    AT_GLOBAL = 64
};

static const char *const reserved_keys[] = {
    "KTXanimData",     "KTXastcDecodeMode", "KTXcubemapIncomplete",  "KTXdxgiFormat__", "KTXglFormat",
    "KTXmapRange",     "KTXmetalPixelFormat", "KTXorientation",      "KTXswizzle",      "KTXwriter",
    "KTXwriterScParams",
};

static enum vxb_status check_format(const struct vxbi_ktx2_header *header, struct vxb_error *err)
{
    static const char *const schemes[] = {"none", "BasisLZ", "Zstandard", "ZLIB"};
    const struct vxbi_ktx2_format *format = vxbi_ktx2_format(header->vk_format);
    if (!format)
        return vxbi_fail_at(err, VXB_ERR_UNSUPPORTED, VXB_FINDING_NONE, AT_FORMAT,
                            "vkFormat is %" PRIu32 ": what is read is R16_SFLOAT (76), R16G16B16A16_SFLOAT (97), "
                            "R32_UINT (98), R32_SFLOAT (100), R32G32_UINT (101) and R32G32B32A32_SFLOAT (109)",
                            header->vk_format);
    if (header->scheme)
        return vxbi_fail_at(err, VXB_ERR_UNSUPPORTED, VXB_FINDING_NONE, AT_SCHEME,
                            "supercompressionScheme is %" PRIu32 " (%s): only 0 (none) is read; ktx deflate and "
                            "others can undo it",
                            header->scheme, header->scheme < 4 ? schemes[header->scheme] : "unknown");
    if (header->type_size != format->type_bytes)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_HEADER, AT_TYPE_SIZE,
                            "typeSize is %" PRIu32 ": that of %s is %" PRIu32, header->type_size, format->name,
                            format->type_bytes);
    return VXB_OK;
}

static enum vxb_status check_side(const char *name, uint32_t offset, uint32_t side, struct vxb_error *err)
{
    if (side <= VXBI_KTX2_SIDE_MAX)
        return VXB_OK;
    return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, offset, "%s is %" PRIu32 ": at most %u is read", name,
                        side, VXBI_KTX2_SIDE_MAX);
}

static enum vxb_status check_shape(const struct vxbi_ktx2_header *header, struct vxb_error *err)
{
    const enum vxb_finding broken = VXB_FINDING_KTX2_HEADER;
    if (header->width == 0)
        return vxbi_fail_at(err, VXB_ERR_DATA, broken, AT_WIDTH, "pixelWidth is 0: it is at least 1");
    enum vxb_status status = check_side("pixelWidth", AT_WIDTH, header->width, err);
    if (status == VXB_OK)
        status = check_side("pixelHeight", AT_HEIGHT, header->height, err);
    if (status == VXB_OK)
        status = check_side("pixelDepth", AT_DEPTH, header->depth, err);
    if (status != VXB_OK)
        return status;
    if (header->depth && !header->height)
        return vxbi_fail_at(err, VXB_ERR_DATA, broken, AT_HEIGHT,
                            "pixelHeight is 0 and pixelDepth %" PRIu32 ": a 3D texture has a height", header->depth);
    if (header->layers > VXBI_KTX2_LAYERS_MAX)
        return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, AT_LAYERS,
                            "layerCount is %" PRIu32 ": at most %u is read", header->layers, VXBI_KTX2_LAYERS_MAX);
    if (header->faces != 1 && header->faces != 6)
        return vxbi_fail_at(err, VXB_ERR_DATA, broken, AT_FACES, "faceCount is %" PRIu32 ": it is 1, or 6 for a cube",
                            header->faces);
    if (header->faces == 6 && (header->width != header->height || header->depth))
        return vxbi_fail_at(err, VXB_ERR_DATA, broken, AT_FACES,
                            "faceCount is 6 and the size %" PRIu32 " x %" PRIu32 " x %" PRIu32
                            ": a cube's faces are square and have no depth",
                            header->width, header->height, header->depth);
    const uint32_t most = vxbi_ktx2_full_chain(header->width, header->height, header->depth);
    if (header->levels > most)
        return vxbi_fail_at(err, VXB_ERR_DATA, broken, AT_LEVELS,
                            "levelCount is %" PRIu32 ": %" PRIu32 " x %" PRIu32 " x %" PRIu32
                            " texels have at most %" PRIu32 " levels",
                            header->levels, header->width, header->height, header->depth, most);
    return VXB_OK;
}

/* One u32 field of the head that can only have one value. */
static enum vxb_status check_exact(const char *name, uint32_t offset, uint64_t found, uint64_t right,
                                   struct vxb_error *err)
{
    if (found == right)
        return VXB_OK;
    return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_HEADER, offset,
                        "%s is %" PRIu64 ": in this file it has to be %" PRIu64, name, found, right);
}

static enum vxb_status check_sections(const struct vxbi_ktx2_header *header, const struct vxbi_ktx2_layout *layout,
                                      struct vxb_error *err)
{
    enum vxb_status status = check_exact("dfdByteOffset", AT_DFD, header->dfd_offset, layout->dfd_offset, err);
    if (status == VXB_OK)
        status = check_exact("dfdByteLength", AT_DFD_BYTES, header->dfd_bytes, layout->dfd_bytes, err);
    if (status == VXB_OK)
        status = check_exact("kvdByteOffset", AT_VALUES, header->values_offset, layout->values_offset, err);
    if (status == VXB_OK)
        status = check_exact("sgdByteOffset", AT_GLOBAL, header->global_offset, 0, err);
    if (status == VXB_OK)
        status = check_exact("sgdByteLength", AT_GLOBAL + 8, header->global_bytes, 0, err);
    return status;
}

static enum vxb_status check_index(struct vxbi_reader *r, const struct vxbi_ktx2 *file, struct vxb_error *err)
{
    static const char *const names[3] = {"byteOffset", "byteLength", "uncompressedByteLength"};
    for (uint32_t level = 0; level < file->desc.levels; level++) {
        const uint64_t bytes = file->layout.level_bytes[level];
        const uint64_t right[3] = {file->layout.level_offset[level], bytes, bytes};
        for (int i = 0; i < 3; i++) {
            const uint64_t offset = r->at, found = vxbi_get_u64(r);
            if (found != right[i])
                return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_LEVEL_INDEX, offset,
                                    "level %" PRIu32 " of the level index: %s is %" PRIu64 ": it has to be %" PRIu64,
                                    level, names[i], found, right[i]);
        }
    }
    return VXB_OK;
}

/* Free are the colour primaries and, where there is alpha, whether it is premultiplied. */
static enum vxb_status check_dfd(struct vxbi_reader *r, const struct vxbi_ktx2_format *format, struct vxb_error *err)
{
    enum { PRIMARIES = 13, FLAGS = 15 };
    uint8_t right[VXBI_KTX2_DFD_MAX];
    struct vxbi_writer w = {.data = right, .room = sizeof right};
    vxbi_ktx2_put_dfd(&w, format);
    const uint64_t start = r->at;
    const uint8_t *found = vxbi_get(r, w.at);
    for (size_t i = 0; found && i < w.at; i++) {
        const uint8_t free_bits = i == PRIMARIES ? 0xFF : i == FLAGS && format->channels == 4 ? 1 : 0;
        if ((found[i] ^ right[i]) & ~free_bits)
            return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_DFD, start + i,
                                "byte %zu of the data format descriptor is 0x%02x: that of a linear %s is 0x%02x", i,
                                found[i], format->name, right[i]);
    }
    return VXB_OK;
}

static enum vxb_status fail_values(struct vxb_error *err, uint64_t offset, const char *what)
{
    return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_KEY_VALUES, offset, "the key/value data: %s", what);
}

/* The next entry of the key/value data, which starts at file offset `start` and is all that r holds. */
static enum vxb_status get_value(struct vxbi_reader *r, uint64_t start, struct vxbi_ktx2_value *out,
                                 struct vxb_error *err)
{
    const uint64_t offset = start + r->at;
    if (r->size - r->at < 4)
        return fail_values(err, offset, "the rest is too short for an entry's length");
    const uint32_t bytes = vxbi_get_u32(r);
    if (bytes > r->size - r->at)
        return fail_values(err, offset, "an entry is longer than what is left");
    const uint8_t *entry = vxbi_get(r, bytes);
    const uint8_t *end = bytes ? memchr(entry, 0, bytes) : NULL;
    if (!end || end == entry)
        return fail_values(err, offset, end ? "a key is empty" : "a key has no terminator");
    out->key = (const char *)entry;
    out->value = end + 1;
    out->bytes = bytes - (uint32_t)(end + 1 - entry);
    if (!vxbi_utf8_valid(out->key, (size_t)(end - entry)) || strncmp(out->key, "\xEF\xBB\xBF", 3) == 0)
        return fail_values(err, offset, "a key is no UTF-8 text, or begins with a byte order mark");
    const size_t padding = (size_t)(vxbi_align_up(bytes, 4) - bytes);
    if (padding > r->size - r->at)
        return fail_values(err, offset, "the last entry's padding to 4 bytes is missing");
    const uint8_t *pad = vxbi_get(r, padding);
    for (size_t i = 0; i < padding; i++)
        if (pad[i])
            return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_PADDING, start + r->at - padding + i,
                                "the padding after the key \"%s\" is not zero", out->key);
    return VXB_OK;
}

static enum vxb_status check_key(const char *before, const struct vxbi_ktx2_value *value, uint64_t offset,
                                 struct vxb_error *err)
{
    const int order = before ? strcmp(before, value->key) : -1;
    if (order >= 0)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_KEY_VALUES, offset,
                            order == 0 ? "the key \"%s\" is there twice" : "the key \"%s\" is out of order: keys stand "
                                                                           "in ascending order of their bytes",
                            value->key);
    if (strncmp(value->key, "KTX", 3) != 0 && strncmp(value->key, "ktx", 3) != 0)
        return VXB_OK;
    for (size_t i = 0; i < sizeof reserved_keys / sizeof *reserved_keys; i++) {
        if (strcmp(value->key, reserved_keys[i]) != 0)
            continue;
        const bool text = strcmp(value->key, "KTXwriter") == 0 || strcmp(value->key, "KTXorientation") == 0;
        const uint8_t *end = value->bytes ? memchr(value->value, 0, value->bytes) : NULL;
        if (text && (!end || end != (const uint8_t *)value->value + value->bytes - 1 ||
                     !vxbi_utf8_valid(value->value, value->bytes - 1)))
            return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_KEY_VALUES, offset,
                                "the value of %s is no UTF-8 text with a terminator", value->key);
        return VXB_OK;
    }
    return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_KEY_UNKNOWN, offset,
                        "the key \"%s\" is none of the specification's: those that begin with KTX or ktx are reserved",
                        value->key);
}

/* Walks the entries at data; values is NULL in a first walk that counts. */
static enum vxb_status walk_values(const uint8_t *data, const struct vxbi_ktx2_layout *layout,
                                   struct vxbi_ktx2_value *values, uint32_t *count, struct vxb_error *err)
{
    struct vxbi_reader r = {.data = data, .size = layout->values_bytes};
    const char *before = NULL;
    for (*count = 0; r.at < r.size; ++*count) {
        struct vxbi_ktx2_value value;
        const uint64_t offset = layout->values_offset + r.at;
        enum vxb_status status = get_value(&r, layout->values_offset, &value, err);
        if (status == VXB_OK)
            status = check_key(before, &value, offset, err);
        if (status != VXB_OK)
            return status;
        before = value.key;
        if (values)
            values[*count] = value;
    }
    return VXB_OK;
}

static void warn_without_writer(const struct vxb_env *env)
{
    struct vxb_diag diag = {.severity = VXB_SEVERITY_WARNING,
                            .what = {.finding = VXB_FINDING_KTX2_WRITER,
                                     .message = "the key/value data has no KTXwriter: a file with keys names its writer"}};
    if (env && env->diag)
        env->diag(env->user, &diag);
}

static enum vxb_status take_values(const struct vxb_env *env, struct vxbi_ktx2 *file, const uint8_t *head,
                                   struct vxb_error *err)
{
    if (!file->layout.values_bytes)
        return VXB_OK;
    const uint8_t *data = head + file->layout.values_offset;
    uint32_t count;
    enum vxb_status status = walk_values(data, &file->layout, NULL, &count, err);
    if (status != VXB_OK)
        return status;
    struct vxbi_ktx2_value *values = vxbi_arena_new(&file->arena, count * sizeof *values);
    if (!values)
        return vxbi_fail_memory(err, count * sizeof *values);
    file->desc.values = values;
    status = walk_values(data, &file->layout, values, &file->desc.value_count, err);
    if (status == VXB_OK && !vxbi_ktx2_value(&file->desc, "KTXwriter"))
        warn_without_writer(env);
    return status;
}

static enum vxb_status check_padding(const struct vxbi_ktx2 *file, struct vxb_error *err)
{
    uint64_t at = file->layout.head_bytes;
    for (uint32_t level = file->desc.levels; level-- > 0;) {
        uint8_t padding[16];
        const size_t count = (size_t)(file->layout.level_offset[level] - at);
        enum vxb_status status = count ? file->source.read(file->source.user, at, padding, count, err) : VXB_OK;
        if (status != VXB_OK)
            return status;
        for (size_t i = 0; i < count; i++)
            if (padding[i])
                return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_PADDING, at + i,
                                    "the padding before level %" PRIu32 " is not zero", level);
        at = file->layout.level_offset[level] + file->layout.level_bytes[level];
    }
    return VXB_OK;
}

static enum vxb_status check_file_size(const struct vxbi_ktx2 *file, struct vxb_error *err)
{
    const uint64_t right = file->layout.file_bytes, found = file->source.size;
    if (found < right)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_TRUNCATED, found,
                            "the file ends after %" PRIu64 " bytes: its texels reach to %" PRIu64, found, right);
    if (found > right)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_TRAILING, right,
                            "%" PRIu64 " bytes follow level 0, which is the last thing in a file", found - right);
    return VXB_OK;
}

/* Identifier and header; what they say goes to file->desc. */
static enum vxb_status open_header(struct vxbi_ktx2 *file, struct vxbi_ktx2_header *header, struct vxb_error *err)
{
    uint8_t bytes[VXBI_KTX2_HEADER_BYTES] = {0};
    const size_t count = file->source.size < sizeof bytes ? (size_t)file->source.size : sizeof bytes;
    enum vxb_status status = file->source.read(file->source.user, 0, bytes, count, err);
    if (status != VXB_OK)
        return status;
    if (count < sizeof vxbi_ktx2_identifier || memcmp(bytes, vxbi_ktx2_identifier, sizeof vxbi_ktx2_identifier) != 0)
        return vxbi_fail(err, VXB_ERR_FORMAT,
                         count >= 7 && memcmp(bytes, "\xABKTX 11", 7) == 0
                             ? "a KTX 1 file: what is read is KTX 2"
                             : "no KTX2 file: it does not begin with KTX2's identifier");
    if (count < sizeof bytes)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_KTX2_TRUNCATED, count,
                            "the file ends after %zu bytes: the header alone has %u", count, VXBI_KTX2_HEADER_BYTES);
    struct vxbi_reader r = {.data = bytes, .size = sizeof bytes};
    vxbi_ktx2_get_header(&r, header);
    status = check_format(header, err);
    if (status == VXB_OK)
        status = check_shape(header, err);
    file->desc = (struct vxbi_ktx2_desc){.format = vxbi_ktx2_format(header->vk_format),
                                         .width = header->width,
                                         .height = header->height,
                                         .depth = header->depth,
                                         .layers = header->layers,
                                         .faces = header->faces,
                                         .levels = header->levels ? header->levels : 1};
    return status;
}

/* All before the levels, read into the arena. */
static enum vxb_status open_rest(const struct vxb_env *env, struct vxbi_ktx2 *file,
                                 const struct vxbi_ktx2_header *header, struct vxb_error *err)
{
    if (header->values_bytes > VXBI_KTX2_VALUES_BYTES_MAX)
        return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, AT_VALUES_BYTES,
                            "kvdByteLength is %" PRIu32 ": at most %u is read", header->values_bytes,
                            VXBI_KTX2_VALUES_BYTES_MAX);
    if (!vxbi_ktx2_lay_out(&file->desc, header->values_bytes, &file->layout))
        return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, AT_WIDTH, "the texels take more than 2^64 bytes");
    enum vxb_status status = check_sections(header, &file->layout, err);
    if (status != VXB_OK)
        return status;
    if (file->layout.head_bytes > file->source.size)
        return check_file_size(file, err);
    const size_t head_bytes = (size_t)file->layout.head_bytes;
    uint8_t *head = vxbi_arena_new(&file->arena, head_bytes);
    if (!head)
        return vxbi_fail_memory(err, head_bytes);
    status = file->source.read(file->source.user, 0, head, head_bytes, err);
    if (status != VXB_OK)
        return status;
    struct vxbi_reader r = {.data = head, .size = head_bytes, .at = VXBI_KTX2_HEADER_BYTES};
    status = check_index(&r, file, err);
    if (status == VXB_OK)
        status = check_dfd(&r, file->desc.format, err);
    if (status == VXB_OK)
        status = take_values(env, file, head, err);
    if (status == VXB_OK)
        status = check_file_size(file, err);
    if (status == VXB_OK)
        status = check_padding(file, err);
    return status;
}

enum vxb_status vxbi_ktx2_open(const struct vxb_env *env, const struct vxbi_ktx2_source *source, struct vxbi_ktx2 *out,
                               struct vxb_error *err)
{
    struct vxbi_ktx2_header header;
    struct vxbi_ktx2 file = {.source = *source, .arena.allocator = vxbi_allocator(env)};
    enum vxb_status status = open_header(&file, &header, err);
    if (status == VXB_OK)
        status = open_rest(env, &file, &header, err);
    if (status == VXB_OK)
        *out = file;
    else
        vxbi_ktx2_clear(&file);
    return status;
}

void vxbi_ktx2_clear(struct vxbi_ktx2 *file) { vxbi_arena_clear(&file->arena); }

enum vxb_status vxbi_ktx2_read(const struct vxbi_ktx2 *file, uint32_t level, uint64_t from, void *out, size_t count,
                               struct vxb_error *err)
{
    enum vxb_status status =
        file->source.read(file->source.user, file->layout.level_offset[level] + from, out, count, err);
    uint8_t *bytes = out;
    if (status != VXB_OK)
        return status;
    if (file->desc.format->type_bytes == 2) {
        for (size_t i = 0; i < count; i += 2) {
            const uint16_t number = vxbi_load_u16(bytes + i);
            memcpy(bytes + i, &number, sizeof number);
        }
    } else {
        for (size_t i = 0; i < count; i += 4) {
            const uint32_t number = vxbi_load_u32(bytes + i);
            memcpy(bytes + i, &number, sizeof number);
        }
    }
    return VXB_OK;
}

const struct vxbi_ktx2_value *vxbi_ktx2_value(const struct vxbi_ktx2_desc *desc, const char *key)
{
    for (uint32_t i = 0; i < desc->value_count; i++)
        if (strcmp(desc->values[i].key, key) == 0)
            return &desc->values[i];
    return NULL;
}

bool vxbi_ktx2_value_is(const struct vxbi_ktx2_value *value, const char *text)
{
    const size_t length = strlen(text);
    return (value->bytes == length || value->bytes == length + 1) && memcmp(value->value, text, length) == 0 &&
           (value->bytes == length || ((const char *)value->value)[length] == 0);
}
