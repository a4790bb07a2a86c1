/* Reading KTX2: the head is checked field by field, then compared with the layout that a file of this shape has; a file
 * that says anything else is refused, with the field and its offset. Nothing is allocated or read before its size was
 * checked against the file's. */
#include <inttypes.h>

#include "format.h"

#include "../core/text.h"

/* Where a field of the header stands. */
#define AT(field) VXBI_AT(ktx2_header, field)

static const char *const reserved_keys[] = {
    "KTXanimData",     "KTXastcDecodeMode", "KTXcubemapIncomplete",  "KTXdxgiFormat__", "KTXglFormat",
    "KTXmapRange",     "KTXmetalPixelFormat", "KTXorientation",      "KTXswizzle",      "KTXwriter",
    "KTXwriterScParams",
};

/* ---- the header ---- */

static void check_format(const struct vxbi_ktx2_header *header, struct vxbi_collect *collect)
{
    static const char *const schemes[] = {"none", "BasisLZ", "Zstandard", "ZLIB"};
    const struct vxbi_ktx2_format *format = vxbi_ktx2_format(header->vk_format);
    if (!format)
        vxbi_found(collect, VXB_FINDING_KTX2_UNSUPPORTED, AT(vkFormat), "/header/vkFormat",
                   "vkFormat is %" PRIu32 ": what is read is R16_SFLOAT (76), R16G16B16A16_SFLOAT (97), R32_UINT (98), "
                   "R32_SFLOAT (100), R32G32_UINT (101) and R32G32B32A32_SFLOAT (109)",
                   header->vk_format);
    else if (header->type_size != format->type_bytes)
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(typeSize), "/header/typeSize",
                   "typeSize is %" PRIu32 ": that of %s is %" PRIu32, header->type_size, format->name,
                   format->type_bytes);
    if (header->scheme)
        vxbi_found(collect, VXB_FINDING_KTX2_UNSUPPORTED, AT(supercompressionScheme), "/header/supercompressionScheme",
                   "supercompressionScheme is %" PRIu32 " (%s): only 0 (none) is read; write the file without it",
                   header->scheme, header->scheme < 4 ? schemes[header->scheme] : "unknown");
}

static void check_counts(const struct vxbi_ktx2_header *header, struct vxbi_collect *collect)
{
    if (header->width == 0)
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(pixelWidth), "/header/pixelWidth",
                   "pixelWidth is 0: it is at least 1");
    if (header->depth && !header->height)
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(pixelHeight), "/header/pixelHeight",
                   "pixelHeight is 0 and pixelDepth %" PRIu32 ": a 3D texture has a height", header->depth);
    if (header->faces != 1 && header->faces != 6)
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(faceCount), "/header/faceCount",
                   "faceCount is %" PRIu32 ": it is 1, or 6 for a cube", header->faces);
    if (header->faces == 6 && (header->width != header->height || header->depth))
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(faceCount), "/header/faceCount",
                   "faceCount is 6 and the size %" PRIu32 " x %" PRIu32 " x %" PRIu32
                   ": a cube's faces are square and have no depth",
                   header->width, header->height, header->depth);
    const uint32_t most = vxbi_ktx2_full_chain(header->width, header->height, header->depth);
    if (header->width && header->levels > most)
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, AT(levelCount), "/header/levelCount",
                   "levelCount is %" PRIu32 ": %" PRIu32 " x %" PRIu32 " x %" PRIu32
                   " texels have at most %" PRIu32 " levels",
                   header->levels, header->width, header->height, header->depth, most);
}

/* Each of these counts bytes, or what takes a byte at least: where the file is too short for it, the file is damaged,
 * whatever the limits. */
static enum vxb_status check_limits(const struct vxbi_ktx2 *file, const struct vxbi_ktx2_header *header,
                                    struct vxbi_collect *collect, struct vxb_error *err)
{
    const struct {
        const char *name;
        uint64_t offset;
        uint32_t found, most;
    } limits[] = {{"pixelWidth", AT(pixelWidth), header->width, VXBI_KTX2_SIDE_MAX},
                  {"pixelHeight", AT(pixelHeight), header->height, VXBI_KTX2_SIDE_MAX},
                  {"pixelDepth", AT(pixelDepth), header->depth, VXBI_KTX2_SIDE_MAX},
                  {"layerCount", AT(layerCount), header->layers, VXBI_KTX2_LAYERS_MAX},
                  {"kvdByteLength", AT(kvdByteLength), header->values_bytes, VXBI_KTX2_VALUES_BYTES_MAX}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].found <= limits[i].most)
            continue;
        if (limits[i].found <= file->source.size)
            return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, limits[i].offset,
                                "%s is %" PRIu32 ": at most %" PRIu32 " is read", limits[i].name, limits[i].found,
                                limits[i].most);
        vxbi_found(collect, VXB_FINDING_KTX2_TRUNCATED, limits[i].offset,
                   vxbi_pointer(collect, "/header/%s", limits[i].name),
                   "%s is %" PRIu32 ": a file of %" PRIu64 " bytes has no room for it", limits[i].name, limits[i].found,
                   file->source.size);
    }
    return VXB_OK;
}

/* The places of the sections, each of which can only be one. False where one is another. */
static bool check_sections(const struct vxbi_ktx2_header *header, const struct vxbi_ktx2_layout *layout,
                           struct vxbi_collect *collect)
{
    const struct {
        const char *name;
        uint64_t offset, found, right;
    } fields[] = {{"dfdByteOffset", AT(dfdByteOffset), header->dfd_offset, layout->dfd_offset},
                  {"dfdByteLength", AT(dfdByteLength), header->dfd_bytes, layout->dfd_bytes},
                  {"kvdByteOffset", AT(kvdByteOffset), header->values_offset, layout->values_offset},
                  {"sgdByteOffset", AT(sgdByteOffset), header->global_offset, 0},
                  {"sgdByteLength", AT(sgdByteLength), header->global_bytes, 0}};
    bool right = true;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].found == fields[i].right)
            continue;
        right = false;
        vxbi_found(collect, VXB_FINDING_KTX2_HEADER, fields[i].offset,
                   vxbi_pointer(collect, "/header/%s", fields[i].name),
                   "%s is %" PRIu64 ": in this file it has to be %" PRIu64, fields[i].name, fields[i].found,
                   fields[i].right);
    }
    return right;
}

/* Identifier and header; what they say goes to file->desc. */
static enum vxb_status open_header(struct vxbi_ktx2 *file, struct vxbi_ktx2_header *header,
                                   struct vxbi_collect *collect, struct vxb_error *err)
{
    uint8_t bytes[VXBI_KTX2_HEADER_BYTES] = {0};
    const size_t count = file->source.size < sizeof bytes ? (size_t)file->source.size : sizeof bytes;
    const uint64_t errors = collect->errors;
    enum vxb_status status = count ? file->source.read(file->source.user, 0, bytes, count, err) : VXB_OK;
    if (status != VXB_OK)
        return status;
    if (count < sizeof vxbi_ktx2_identifier || memcmp(bytes, vxbi_ktx2_identifier, sizeof vxbi_ktx2_identifier) != 0) {
        vxbi_found(collect, VXB_FINDING_KTX2_IDENTIFIER, 0, "/header/identifier", "%s",
                   count >= 7 && memcmp(bytes, "\xABKTX 11", 7) == 0
                       ? "a KTX 1 file: what is read is KTX 2"
                       : "no KTX2 file: it does not begin with KTX2's identifier");
        return VXB_OK;
    }
    if (count < sizeof bytes) {
        vxbi_found(collect, VXB_FINDING_KTX2_TRUNCATED, count, "/header",
                   "the file ends after %zu bytes: the header alone has %u", count, VXBI_KTX2_HEADER_BYTES);
        return VXB_OK;
    }
    struct vxbi_reader r = {.data = bytes, .size = sizeof bytes};
    vxbi_ktx2_get_header(&r, header);
    check_format(header, collect);
    check_counts(header, collect);
    file->desc = (struct vxbi_ktx2_desc){.format = vxbi_ktx2_format(header->vk_format),
                                         .width = header->width,
                                         .height = header->height,
                                         .depth = header->depth,
                                         .layers = header->layers,
                                         .faces = header->faces,
                                         .levels = header->levels ? header->levels : 1,
                                         .asks_for_levels = header->levels == 0};
    return collect->errors == errors ? check_limits(file, header, collect, err) : VXB_OK;
}

/* ---- what follows it ---- */

/* Each entry's first wrong number. */
static void check_index(struct vxbi_reader *r, const struct vxbi_ktx2 *file, struct vxbi_collect *collect)
{
    static const char *const names[3] = {"byteOffset", "byteLength", "uncompressedByteLength"};
    for (uint32_t level = 0; level < file->desc.levels; level++) {
        const uint64_t bytes = file->layout.level_bytes[level];
        const uint64_t right[3] = {file->layout.level_offset[level], bytes, bytes};
        bool told = false;
        for (int i = 0; i < 3; i++) {
            const uint64_t offset = r->at, found = vxbi_get_u64(r);
            if (found != right[i] && !told)
                vxbi_found(collect, VXB_FINDING_KTX2_LEVEL_INDEX, offset,
                           vxbi_pointer(collect, "/levels/%" PRIu32 "/%s", level, names[i]),
                           "level %" PRIu32 " of the level index: %s is %" PRIu64 ": it has to be %" PRIu64, level,
                           names[i], found, right[i]);
            told = told || found != right[i];
        }
    }
}

/* Free are the colour primaries and, where there is alpha, whether it is premultiplied. */
static void check_dfd(struct vxbi_reader *r, const struct vxbi_ktx2_format *format, struct vxbi_collect *collect)
{
    enum { PRIMARIES = VXBI_AT(ktx2_dfd, colorPrimaries), FLAGS = VXBI_AT(ktx2_dfd, flags) };
    uint8_t right[VXBI_KTX2_DFD_MAX];
    struct vxbi_writer w = {.data = right, .room = sizeof right};
    vxbi_ktx2_put_dfd(&w, format);
    const uint64_t start = r->at;
    const uint8_t *found = vxbi_get(r, w.at);
    for (size_t i = 0; found && i < w.at; i++) {
        const uint8_t free_bits = i == PRIMARIES ? 0xFF : i == FLAGS && format->channels == 4 ? 1 : 0;
        if (!((found[i] ^ right[i]) & ~free_bits))
            continue;
        vxbi_found(collect, VXB_FINDING_KTX2_DFD, start + i, "/dataFormatDescriptor",
                   "byte %zu of the data format descriptor is 0x%02x: that of a linear %s is 0x%02x", i, found[i],
                   format->name, right[i]);
        return;
    }
}

static bool bad_values(struct vxbi_collect *collect, uint64_t offset, const char *what)
{
    vxbi_found(collect, VXB_FINDING_KTX2_KEY_VALUES, offset, "/keyValueData", "the key/value data: %s", what);
    return false;
}

/* The next entry of the key/value data, which starts at file offset `start` and is all that r holds. */
static bool get_value(struct vxbi_reader *r, uint64_t start, struct vxbi_ktx2_value *out, struct vxbi_collect *collect)
{
    const uint64_t offset = start + r->at;
    if (r->size - r->at < 4)
        return bad_values(collect, offset, "the rest is too short for an entry's length");
    const uint32_t bytes = vxbi_get_u32(r);
    if (bytes > r->size - r->at)
        return bad_values(collect, offset, "an entry is longer than what is left");
    const uint8_t *entry = vxbi_get(r, bytes);
    const uint8_t *end = bytes ? memchr(entry, 0, bytes) : NULL;
    if (!end || end == entry)
        return bad_values(collect, offset, end ? "a key is empty" : "a key has no terminator");
    out->key = (const char *)entry;
    out->value = end + 1;
    out->bytes = bytes - (uint32_t)(end + 1 - entry);
    if (!vxbi_utf8_valid(out->key, (size_t)(end - entry)) || strncmp(out->key, "\xEF\xBB\xBF", 3) == 0)
        return bad_values(collect, offset, "a key is not UTF-8 text, or begins with a byte order mark");
    const size_t padding = (size_t)(vxbi_align_up(bytes, 4) - bytes);
    if (padding > r->size - r->at)
        return bad_values(collect, offset, "the last entry's padding to 4 bytes is missing");
    const uint8_t *pad = vxbi_get(r, padding);
    for (size_t i = 0; i < padding; i++)
        if (pad[i]) {
            vxbi_found(collect, VXB_FINDING_KTX2_PADDING, start + r->at - padding + i, "/keyValueData",
                       "the padding after the key \"%s\" is not zero", out->key);
            return false;
        }
    return true;
}

static bool is_text(const struct vxbi_ktx2_value *value)
{
    const uint8_t *text = value->value, *end = value->bytes ? memchr(text, 0, value->bytes) : NULL;
    return end && end == text + value->bytes - 1 && vxbi_utf8_valid(value->value, value->bytes - 1);
}

/* Those that a loader reads as one. */
static bool is_text_key(const char *key)
{
    return strcmp(key, "KTXwriter") == 0 || strcmp(key, "KTXorientation") == 0 || strcmp(key, "KTXswizzle") == 0;
}

static bool check_key(const char *before, const struct vxbi_ktx2_value *value, uint64_t offset,
                      struct vxbi_collect *collect)
{
    const int order = before ? strcmp(before, value->key) : -1;
    if (order >= 0) {
        vxbi_found(collect, VXB_FINDING_KTX2_KEY_VALUES, offset, "/keyValueData", "the key \"%s\" %s", value->key,
                   order == 0 ? "is there twice" : "is out of order: keys stand in ascending order of their bytes");
        return false;
    }
    if (strncmp(value->key, "KTX", 3) != 0 && strncmp(value->key, "ktx", 3) != 0)
        return true;
    size_t known = 0;
    while (known < sizeof reserved_keys / sizeof *reserved_keys && strcmp(value->key, reserved_keys[known]) != 0)
        known++;
    if (known == sizeof reserved_keys / sizeof *reserved_keys) {
        vxbi_found(collect, VXB_FINDING_KTX2_KEY_UNKNOWN, offset, "/keyValueData",
                   "the key \"%s\" is not one of the specification's: those that begin with KTX or ktx are reserved",
                   value->key);
        return false;
    }
    if (is_text_key(value->key) && !is_text(value)) {
        vxbi_found(collect, VXB_FINDING_KTX2_KEY_VALUES, offset, "/keyValueData",
                   "the value of %s is not UTF-8 text with a terminator", value->key);
        return false;
    }
    return true;
}

/* Walks the entries at data, up to the first that is wrong; values is NULL in a first walk that counts. */
static bool walk_values(const uint8_t *data, const struct vxbi_ktx2_layout *layout, struct vxbi_ktx2_value *values,
                        uint32_t *count, struct vxbi_collect *collect)
{
    struct vxbi_reader r = {.data = data, .size = layout->values_bytes};
    const char *before = NULL;
    for (*count = 0; r.at < r.size; ++*count) {
        struct vxbi_ktx2_value value;
        const uint64_t offset = layout->values_offset + r.at;
        if (!get_value(&r, layout->values_offset, &value, collect) || !check_key(before, &value, offset, collect))
            return false;
        before = value.key;
        if (values)
            values[*count] = value;
    }
    return true;
}

static enum vxb_status take_values(struct vxbi_ktx2 *file, const uint8_t *head, struct vxbi_collect *collect,
                                   struct vxb_error *err)
{
    const uint8_t *data = head + file->layout.values_offset;
    uint32_t count;
    if (!file->layout.values_bytes || !walk_values(data, &file->layout, NULL, &count, collect))
        return VXB_OK;
    struct vxbi_ktx2_value *values = vxbi_arena_new(&file->arena, count * sizeof *values);
    if (!values)
        return vxbi_fail_memory(err, count * sizeof *values);
    walk_values(data, &file->layout, values, &count, collect);
    file->desc.values = values;
    file->desc.value_count = count;
    if (!vxbi_ktx2_value(&file->desc, "KTXwriter"))
        vxbi_found(collect, VXB_FINDING_KTX2_WRITER, file->layout.values_offset, "/keyValueData",
                   "the key/value data has no KTXwriter: a file with keys names its writer");
    return VXB_OK;
}

static bool check_file_size(const struct vxbi_ktx2 *file, struct vxbi_collect *collect)
{
    const uint64_t right = file->layout.file_bytes, found = file->source.size;
    if (found < right)
        vxbi_found(collect, VXB_FINDING_KTX2_TRUNCATED, found, "",
                   "the file ends after %" PRIu64 " bytes: its texels reach to %" PRIu64, found, right);
    if (found > right)
        vxbi_found(collect, VXB_FINDING_KTX2_TRAILING, right, "",
                   "%" PRIu64 " bytes follow level 0, which is the last thing in a file", found - right);
    return found == right;
}

static enum vxb_status check_padding(const struct vxbi_ktx2 *file, struct vxbi_collect *collect, struct vxb_error *err)
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
                vxbi_found(collect, VXB_FINDING_KTX2_PADDING, at + i,
                           vxbi_pointer(collect, "/levels/%" PRIu32, level),
                           "the padding before level %" PRIu32 " is not zero", level);
        at = file->layout.level_offset[level] + file->layout.level_bytes[level];
    }
    return VXB_OK;
}

/* All before the levels, read into the arena. */
static enum vxb_status open_rest(struct vxbi_ktx2 *file, const struct vxbi_ktx2_header *header,
                                 struct vxbi_collect *collect, struct vxb_error *err)
{
    if (!vxbi_ktx2_lay_out(&file->desc, header->values_bytes, &file->layout))
        return vxbi_fail_at(err, VXB_ERR_LIMIT, VXB_FINDING_NONE, AT(pixelWidth), "the texels take more than 2^64 "
                            "bytes");
    if (!check_sections(header, &file->layout, collect))
        return VXB_OK;
    if (file->layout.head_bytes > file->source.size) {
        check_file_size(file, collect);
        return VXB_OK;
    }
    const size_t head_bytes = (size_t)file->layout.head_bytes;
    uint8_t *head = vxbi_arena_new(&file->arena, head_bytes);
    if (!head)
        return vxbi_fail_memory(err, head_bytes);
    enum vxb_status status = file->source.read(file->source.user, 0, head, head_bytes, err);
    if (status != VXB_OK)
        return status;
    struct vxbi_reader r = {.data = head, .size = head_bytes, .at = VXBI_KTX2_HEADER_BYTES};
    check_index(&r, file, collect);
    check_dfd(&r, file->desc.format, collect);
    status = take_values(file, head, collect, err);
    if (status == VXB_OK && check_file_size(file, collect))
        status = check_padding(file, collect, err);
    return status;
}

enum vxb_status vxbi_ktx2_open(const struct vxb_env *env, const struct vxbi_ktx2_source *source,
                               struct vxbi_collect *collect, struct vxbi_ktx2 *out, bool *usable,
                               struct vxb_error *err)
{
    struct vxbi_ktx2_header header;
    struct vxbi_ktx2 file = {.source = *source, .arena.allocator = vxbi_allocator(env)};
    const uint64_t errors = collect->errors;
    enum vxb_status status = open_header(&file, &header, collect, err);
    if (status == VXB_OK && collect->errors == errors)
        status = open_rest(&file, &header, collect, err);
    *usable = status == VXB_OK && collect->errors == errors;
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
