/* The PNG reader: chunks and filters are ours, so that every CRC, length and order is checked and the pixels are
 * undone in place; inflating is stb_image's (inflate.c).
 *
 * Invariant: nothing is allocated for pixels before the header, every chunk and the ratio that deflate can reach have
 * been checked. */
#include "png.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Deflate's longest match is 258 bytes and costs at least two bits. */
#define DEFLATE_RATIO 1032

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

static uint32_t load_u32_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

/* ---- chunks ---- */

struct crc_table {
    uint32_t of[256];
};

static void make_crc_table(struct crc_table *table)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        table->of[n] = c;
    }
}

static uint32_t crc_of(const struct crc_table *table, const uint8_t *data, size_t size)
{
    uint32_t c = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++)
        c = table->of[(c ^ data[i]) & 0xFF] ^ c >> 8;
    return ~c;
}

struct chunk {
    size_t at; /* of its length field */
    uint32_t size;
    const uint8_t *data;
    char type[5];
};

static enum vxb_status cut(struct vxb_error *err, const char *where)
{
    return vxbi_fail(err, VXB_ERR_DATA, "the PNG is cut: it ends %s, and has no IEND chunk", where);
}

/* The chunk at *at, its CRC checked; *at moves on. */
static enum vxb_status next_chunk(const struct vxbi_bytes *file, const struct crc_table *crc, size_t *at,
                                  struct chunk *out, struct vxb_error *err)
{
    size_t left = file->size - *at;
    if (left == 0)
        return cut(err, "after a whole chunk");
    if (left < 12)
        return cut(err, "within a chunk's header");
    const uint8_t *p = file->data + *at;
    *out = (struct chunk){.at = *at, .size = load_u32_big(p), .data = p + 8};
    memcpy(out->type, p + 4, 4);
    for (int i = 0; i < 4; i++) {
        char c = out->type[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
            return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, *at,
                                "a PNG chunk's type is four letters, found %02x %02x %02x %02x", p[4], p[5], p[6],
                                p[7]);
    }
    if (out->size > 0x7FFFFFFFu || out->size > left - 12)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, *at,
                            "PNG chunk %s says it has %" PRIu32 " bytes, but %zu are left: the file is cut or damaged",
                            out->type, out->size, left - 12);
    uint32_t told = load_u32_big(p + 8 + out->size), found = crc_of(crc, p + 4, (size_t)out->size + 4);
    if (told != found)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, *at,
                            "PNG chunk %s is damaged: its CRC says %08" PRIx32 ", its content gives %08" PRIx32,
                            out->type, told, found);
    *at += 12 + (size_t)out->size;
    return VXB_OK;
}

static bool is(const struct chunk *chunk, const char *type)
{
    return memcmp(chunk->type, type, 4) == 0;
}

static const char *colour_name(unsigned colour)
{
    switch (colour) {
    case VXBI_PNG_GREY: return "grey";
    case VXBI_PNG_RGB: return "RGB";
    case VXBI_PNG_PALETTE: return "palette";
    case VXBI_PNG_GREY_ALPHA: return "grey and alpha";
    case VXBI_PNG_RGBA: return "RGBA";
    default: return NULL;
    }
}

static enum vxb_status read_header(const struct chunk *chunk, struct vxbi_png *out, struct vxb_error *err)
{
    static const uint8_t channels[7] = {1, 0, 3, 1, 2, 0, 4};
    /* Bit d of depths[colour]: a depth of d bits is allowed. */
    static const uint32_t depths[7] = {0x10116, 0, 0x10100, 0x116, 0x10100, 0, 0x10100};
    if (!is(chunk, "IHDR") || chunk->size != 13)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk->at,
                            "a PNG begins with chunk IHDR of 13 bytes, found %s of %" PRIu32, chunk->type, chunk->size);
    const uint8_t *p = chunk->data;
    out->width = load_u32_big(p);
    out->height = load_u32_big(p + 4);
    out->depth = p[8];
    out->colour = p[9];
    out->interlaced = p[12] == 1;
    if (out->width == 0 || out->height == 0 || out->width > 0x7FFFFFFFu || out->height > 0x7FFFFFFFu)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk->at,
                            "IHDR: the image is %" PRIu32 " x %" PRIu32 " pixels, a side has 1 to 2147483647",
                            out->width, out->height);
    if (out->colour > 6 || !colour_name(out->colour) || out->depth > 16 || !(depths[out->colour] >> out->depth & 1))
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk->at,
                            "IHDR: bit depth %u with colour type %u is not one that PNG has", out->depth, out->colour);
    if (p[10] != 0 || p[11] != 0 || p[12] > 1)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk->at,
                            "IHDR: compression %u, filter %u, interlace %u; PNG has 0, 0 and 0 or 1", p[10], p[11],
                            p[12]);
    out->channels = channels[out->colour];
    snprintf(out->name, sizeof out->name, "%s %u-bit %s PNG", out->depth == 8 ? "an" : "a", out->depth,
             colour_name(out->colour));
    if (out->width > VXBI_IMAGE_SIDE_MAX || out->height > VXBI_IMAGE_SIDE_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "the image is %" PRIu32 " x %" PRIu32 " pixels; a side has at most %u",
                         out->width, out->height, VXBI_IMAGE_SIDE_MAX);
    return VXB_OK;
}

static enum vxb_status check_signature(const struct vxbi_source *source, const struct vxbi_bytes *file,
                                       struct vxb_error *err)
{
    size_t size = file->size < sizeof signature ? file->size : sizeof signature;
    if (memcmp(file->data, signature, size) == 0)
        return size == sizeof signature ? VXB_OK : cut(err, "within its signature");
    if (file->size >= 4 && memcmp(file->data + 1, "PNG", 3) == 0)
        return vxbi_fail(err, VXB_ERR_FORMAT,
                         "the PNG's signature is damaged, as by a transfer as text (line ends changed, or the eighth "
                         "bit lost): copy the file again as binary");
    return vxbi_fail_kind(source->path, ".png", file->data, file->size, "a PNG", err);
}

enum vxb_status vxbi_png_scan(const struct vxbi_source *source, struct vxbi_bytes *file, struct vxbi_png *out,
                              struct vxb_error *err)
{
    struct crc_table crc;
    struct vxbi_png png = {0};
    struct chunk chunk;
    size_t at = sizeof signature;
    bool in_pixels = false;
    enum vxb_status status = check_signature(source, file, err);
    make_crc_table(&crc);
    if (!status)
        status = next_chunk(file, &crc, &at, &chunk, err);
    if (status)
        return status;
    if (is(&chunk, "CgBI"))
        return vxbi_fail(err, VXB_ERR_UNSUPPORTED,
                         "this is Apple's CgBI variant of PNG, made by Xcode for iOS: use the original file, or revert "
                         "it with 'xcrun pngcrush -revert-iphone-optimizations'");
    status = read_header(&chunk, &png, err);
    while (!status) {
        if ((status = next_chunk(file, &crc, &at, &chunk, err)))
            break;
        if (is(&chunk, "IEND"))
            break;
        if (is(&chunk, "IDAT")) {
            if (png.packed && !in_pixels)
                return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk.at,
                                    "PNG chunk IDAT stands apart from the others; they must follow each other");
            /* What is joined never reaches the chunk still to be read: every chunk's header is left out. */
            memmove(file->data + png.packed, chunk.data, chunk.size);
            png.packed += chunk.size;
        } else if (is(&chunk, "IHDR") || (is(&chunk, "PLTE") && png.packed)) {
            return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk.at, "PNG chunk %s stands where it must not",
                                chunk.type);
        } else if (chunk.type[0] < 'a' && !is(&chunk, "PLTE")) {
            return vxbi_fail_at(err, VXB_ERR_UNSUPPORTED, VXB_FINDING_NONE, chunk.at,
                                "PNG chunk %s is critical and not known here", chunk.type);
        }
        in_pixels = is(&chunk, "IDAT");
    }
    if (status)
        return status;
    if (chunk.size)
        return vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, chunk.at,
                            "PNG chunk IEND is empty by rule, found %" PRIu32 " bytes", chunk.size);
    if (!png.packed)
        return vxbi_fail(err, VXB_ERR_DATA, "the PNG has no pixels: chunk IDAT is missing or empty");
    if (at < file->size)
        vxbi_say(source->env, VXB_SEVERITY_WARNING, source->path, source->pointer,
                 "%zu bytes after the PNG's end (chunk IEND) are left out", file->size - at);
    *out = png;
    return VXB_OK;
}

/* ---- pixels ---- */

/* One rectangle of pixels: the whole image, or one of the seven that interlacing splits it into. */
struct pass {
    uint32_t x0, z0, dx, dz; /* first pixel and steps */
    uint32_t width, height;
};

static const uint8_t adam7[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                    {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

/* Fills passes and returns how many have pixels. */
static unsigned split_passes(const struct vxbi_png *png, struct pass passes[7])
{
    unsigned count = 0;
    if (!png->interlaced) {
        passes[0] = (struct pass){.dx = 1, .dz = 1, .width = png->width, .height = png->height};
        return 1;
    }
    for (int i = 0; i < 7; i++) {
        struct pass p = {.x0 = adam7[i][0], .z0 = adam7[i][1], .dx = adam7[i][2], .dz = adam7[i][3]};
        p.width = (png->width + p.dx - 1 - p.x0) / p.dx;
        p.height = (png->height + p.dz - 1 - p.z0) / p.dz;
        if (png->width > p.x0 && png->height > p.z0)
            passes[count++] = p;
    }
    return count;
}

static uint8_t paeth(int left, int up, int corner)
{
    int p = left + up - corner;
    int to_left = p < left ? left - p : p - left, to_up = p < up ? up - p : p - up;
    int to_corner = p < corner ? corner - p : p - corner;
    if (to_left <= to_up && to_left <= to_corner)
        return (uint8_t)left;
    return (uint8_t)(to_up <= to_corner ? up : corner);
}

/* Undoes one row's filter in place; up is the row before it, NULL for the first. False for a filter there is not. */
static bool unfilter(unsigned filter, uint8_t *row, const uint8_t *up, size_t size, size_t step)
{
    switch (filter) {
    case 0:
        return true;
    case 1:
        for (size_t i = step; i < size; i++)
            row[i] = (uint8_t)(row[i] + row[i - step]);
        return true;
    case 2:
        for (size_t i = 0; up && i < size; i++)
            row[i] = (uint8_t)(row[i] + up[i]);
        return true;
    case 3:
        for (size_t i = 0; i < size; i++)
            row[i] = (uint8_t)(row[i] + ((i < step ? 0 : row[i - step]) + (up ? up[i] : 0)) / 2);
        return true;
    case 4:
        for (size_t i = 0; i < size; i++)
            row[i] = (uint8_t)(row[i] + paeth(i < step ? 0 : row[i - step], up ? up[i] : 0,
                                              up && i >= step ? up[i - step] : 0));
        return true;
    default:
        return false;
    }
}

static enum vxb_status unfilter_pass(uint8_t *data, const struct pass *pass, size_t step, struct vxb_error *err)
{
    size_t size = pass->width * step;
    const uint8_t *up = NULL;
    for (uint32_t z = 0; z < pass->height; z++, data += size + 1) {
        if (!unfilter(data[0], data + 1, up, size, step))
            return vxbi_fail(err, VXB_ERR_DATA,
                             "the PNG's pixels are damaged: row %" PRIu32 " has filter %u, of 0 to 4", z, data[0]);
        up = data + 1;
    }
    return VXB_OK;
}

/* Undoes all filters of the inflated bytes and, for an interlaced image, puts the pixels where they belong. */
static enum vxb_status arrange(const struct vxbi_png *png, const struct pass *passes, unsigned count,
                               struct vxbi_image *image, struct vxb_error *err)
{
    size_t step = (size_t)png->channels * png->depth / 8;
    uint8_t *from = image->data;
    for (unsigned i = 0; i < count; i++) {
        enum vxb_status status = unfilter_pass(from, &passes[i], step, err);
        if (status)
            return status;
        from += (passes[i].width * step + 1) * passes[i].height;
    }
    image->first = 1;
    image->pitch = png->width * step + 1;
    if (!png->interlaced)
        return VXB_OK;
    uint64_t room = (uint64_t)png->width * png->height * step;
    uint8_t *to = vxbi_new(&image->allocator, room, 1);
    if (!to)
        return vxbi_fail_memory(err, room);
    from = image->data;
    for (unsigned i = 0; i < count; i++) {
        const struct pass *p = &passes[i];
        for (uint32_t z = 0; z < p->height; z++) {
            from++;
            for (uint32_t x = 0; x < p->width; x++, from += step)
                memcpy(to + (((size_t)(p->z0 + z * p->dz)) * png->width + p->x0 + x * p->dx) * step, from, step);
        }
    }
    vxbi_delete(&image->allocator, image->data, image->room, 1);
    image->data = to;
    image->room = (size_t)room;
    image->first = 0;
    image->pitch = png->width * step;
    return VXB_OK;
}

static uint32_t adler32(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    while (size) {
        size_t piece = size < 5552 ? size : 5552; /* the most that can't overflow b */
        for (size_t i = 0; i < piece; i++) {
            a += data[i];
            b += a;
        }
        a %= 65521;
        b %= 65521;
        data += piece;
        size -= piece;
    }
    return b << 16 | a;
}

/* The inflated size, refused where it is over a limit or more than packed bytes can hold. */
static enum vxb_status check_pixel_bytes(const struct vxbi_source *source, const struct vxbi_png *png,
                                         const struct pass *passes, unsigned count, uint64_t *out,
                                         struct vxb_error *err)
{
    uint64_t step = (uint64_t)png->channels * png->depth / 8, bytes = 0, max = vxbi_max_memory(source->env);
    for (unsigned i = 0; i < count; i++)
        bytes += (passes[i].width * step + 1) * passes[i].height; /* sides are at most 2^15 here */
    if (bytes / DEFLATE_RATIO > png->packed)
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the PNG says %" PRIu32 " x %" PRIu32
                         " pixels, but its %zu compressed bytes can't hold as many",
                         png->width, png->height, png->packed);
    if (bytes > INT_MAX || png->packed > INT_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the PNG's pixels are %" PRIu64 " bytes (%" PRIu32 " x %" PRIu32 " of %s); at most %d are "
                         "read: use a raw file",
                         bytes, png->width, png->height, png->name, INT_MAX);
    if (bytes > max)
        return vxbi_fail_max_memory(err, max,
                                    "the PNG's pixels (%" PRIu32 " x %" PRIu32 " of %s) take %" PRIu64 " bytes",
                                    png->width, png->height, png->name, bytes);
    *out = bytes;
    return VXB_OK;
}

static enum vxb_status inflate_into(const struct vxbi_bytes *file, const struct vxbi_png *png, struct vxbi_image *image,
                                    struct vxb_error *err)
{
    int got = png->packed < 6 ? -1
                              : vxbi_inflate(image->data, (int)image->room, file->data, (int)png->packed);
    if (got < 0)
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the PNG's pixels are damaged: its compressed bytes do not inflate, or to more than the %zu "
                         "that %" PRIu32 " x %" PRIu32 " pixels are",
                         image->room, png->width, png->height);
    if ((size_t)got != image->room)
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the PNG's pixels are damaged: %d bytes came out of the compressed ones, %" PRIu32
                         " x %" PRIu32 " pixels are %zu",
                         got, png->width, png->height, image->room);
    uint32_t told = load_u32_big(file->data + png->packed - 4), found = adler32(image->data, image->room);
    if (told != found)
        return vxbi_fail(err, VXB_ERR_DATA,
                         "the PNG's pixels are damaged: their checksum (Adler-32) says %08" PRIx32
                         ", the pixels give %08" PRIx32,
                         told, found);
    return VXB_OK;
}

void vxbi_image_clear(struct vxbi_image *image)
{
    vxbi_delete(&image->allocator, image->data, image->room, 1);
    *image = (struct vxbi_image){.allocator = image->allocator};
}

enum vxb_status vxbi_png_pixels(const struct vxbi_source *source, struct vxbi_bytes *file, const struct vxbi_png *png,
                                struct vxbi_image *out, struct vxb_error *err)
{
    struct pass passes[7];
    unsigned count = split_passes(png, passes);
    uint64_t bytes = 0;
    enum vxb_status status = check_pixel_bytes(source, png, passes, count, &bytes, err);
    if (status)
        return status;
    struct vxbi_image image = {.allocator = source->allocator, .width = png->width, .height = png->height,
                               .depth = png->depth, .channels = png->channels, .colour = png->colour};
    memcpy(image.name, png->name, sizeof image.name);
    /* Zeroed, since a crafted stream can make the inflater copy what it never wrote. */
    image.data = vxbi_new_zero(&image.allocator, bytes, 1);
    if (!image.data)
        return vxbi_fail_memory(err, bytes);
    image.room = (size_t)bytes;
    status = inflate_into(file, png, &image, err);
    vxbi_bytes_clear(file);
    if (!status)
        status = arrange(png, passes, count, &image, err);
    if (status) {
        vxbi_image_clear(&image);
        return status;
    }
    *out = image;
    return VXB_OK;
}
