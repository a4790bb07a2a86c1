/* The rules of the first 128 bytes. What passes has counts that can be multiplied and tables inside the file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../core/limits.h"
#include "../core/text.h"
#include "read.h"

/* Where a header field stands, for messages. */
#define AT(field) VXBI_AT(grass_header, field)

bool vxbi_grass_begins(const uint8_t *start, size_t size)
{
    return size >= sizeof vxbi_grass_magic && memcmp(start, vxbi_grass_magic, sizeof vxbi_grass_magic) == 0;
}

bool vxbi_grass_check_start(const struct vxb_grass *grass, const uint8_t *start, size_t size,
                            struct vxbi_collect *collect)
{
    /* What the magic becomes when CR LF is written as LF, LF as CR LF, and when bit 7 is lost. */
    static const uint8_t unix_ends[7] = {0x89, 'V', 'X', 'G', 0x0A, 0x1A, 0x0A};
    static const uint8_t dos_ends[8] = {0x89, 'V', 'X', 'G', 0x0D, 0x0D, 0x0A, 0x1A};
    static const uint8_t dos_lone_ends[9] = {0x89, 'V', 'X', 'G', 0x0D, 0x0A, 0x1A, 0x0D, 0x0A};
    static const uint8_t seven_bits[8] = {0x09, 'V', 'X', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

    if (grass->size == 0) {
        vxbi_found(collect, VXB_FINDING_EMPTY_FILE, 0, "", "the file is empty");
        return false;
    }
    if (vxbi_grass_begins(start, size))
        return true;
    const char *why = NULL;
    if (size >= sizeof unix_ends && memcmp(start, unix_ends, sizeof unix_ends) == 0)
        why = "CR LF became LF";
    else if ((size >= sizeof dos_ends && memcmp(start, dos_ends, sizeof dos_ends) == 0) ||
             (size >= sizeof dos_lone_ends && memcmp(start, dos_lone_ends, sizeof dos_lone_ends) == 0))
        why = "LF became CR LF";
    else if (size >= sizeof seven_bits && memcmp(start, seven_bits, sizeof seven_bits) == 0)
        why = "the eighth bit of every byte was lost";
    if (why) {
        vxbi_found(collect, VXB_FINDING_MAGIC_TEXT_MODE, 0, "/header/magic",
                   "this was a grass file, damaged by a copy in text mode (%s): copy it again in binary mode", why);
        return false;
    }
    /* The first bytes of a cut grass file are still those of one. */
    size_t common = size < sizeof vxbi_grass_magic ? size : sizeof vxbi_grass_magic;
    if (size < sizeof vxbi_grass_magic && memcmp(start, vxbi_grass_magic, common) == 0) {
        vxbi_found(collect, VXB_FINDING_HEADER_CUT, grass->size, "/header",
                   "the file ends after %" PRIu64 " bytes; a grass file's header has 128", grass->size);
        return false;
    }
    char bytes[3 * 8 + 1] = "";
    for (size_t i = 0; i < common; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, i + 1 < common ? "%02X " : "%02X", start[i]);
    vxbi_found(collect, VXB_FINDING_MAGIC, 0, "/header/magic",
               "this is not a grass file: it starts with %s, a grass file with 89 56 58 47 0D 0A 1A 0A", bytes);
    return false;
}

static void check_flags(const struct vxb_grass_header *h, struct vxbi_collect *c)
{
    const unsigned known = VXB_GRASS_ZSTD | VXB_GRASS_SPLIT | VXB_GRASS_INEXACT | VXB_GRASS_PARTIAL;
    if (h->flags & ~known)
        vxbi_found(c, VXB_FINDING_FLAGS_UNKNOWN, AT(flags), "/header/flags",
                   "flags are 0x%04x; only bits 0 to 3 have a meaning in format %" PRIu32, h->flags, h->format);
    if ((h->flags & VXB_GRASS_SPLIT) && !(h->flags & VXB_GRASS_ZSTD))
        vxbi_found(c, VXB_FINDING_FLAGS_SPLIT, AT(flags), "/header/flags",
                   "flags are 0x%04x: plane-split (bit 1) is set without zstd (bit 0)", h->flags);
    if (h->flags & VXB_GRASS_INEXACT)
        vxbi_found(c, VXB_FINDING_INEXACT_DEVICE, AT(flags), "/header/flags",
                   "the field was baked on an inexact device: its recipe need not give these bytes elsewhere");
    if (h->flags & VXB_GRASS_PARTIAL)
        vxbi_found(c, VXB_FINDING_PARTIAL_FIELD, AT(flags), "/header/flags",
                   "only a region of the field was baked");
}

void vxbi_grass_check_bounds(const float low[3], const float high[3], bool empty, uint64_t at, struct vxbi_collect *c)
{
    static const char *const axes[3] = {"x", "y", "z"};
    char text[2][VXB_TEXT_NUMBER_ROOM];
    for (unsigned i = 0; i < 3; i++)
        if (!isfinite(low[i]) || !isfinite(high[i]) || low[i] > high[i])
            vxbi_found(c, VXB_FINDING_BOUNDS_ORDER, at + 4 * i, "/header/bounds_min",
                       "the bounds along %s are %s to %s; they are finite and ascending", axes[i],
                       vxb_text_f32(low[i], text[0]), vxb_text_f32(high[i], text[1]));
        else if (empty && (vxbi_f32_bits(low[i]) || vxbi_f32_bits(high[i])))
            vxbi_found(c, VXB_FINDING_BOUNDS_EMPTY, at + 4 * i, "/header/bounds_min",
                       "the bounds along %s are %s to %s, but the field has no blade: they are zeros", axes[i],
                       vxb_text_f32(low[i], text[0]), vxb_text_f32(high[i], text[1]));
}

static void check_field(const struct vxb_grass_header *h, struct vxbi_collect *c)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (!(h->cell_size >= 1.0f && h->cell_size <= 1024.0f))
        vxbi_found(c, VXB_FINDING_CELL_SIZE, AT(cell_size), "/header/cell_size",
                   "the cell size is %s; allowed are 1 to 1024 metres", vxb_text_f32(h->cell_size, text));
    if (h->bake_revision == 0) {
        /* A field made from format 1, which knows no seed and no density. */
        if (h->format != 2 || h->seed != 0 || vxbi_f32_bits(h->density) != 0 || h->bake_id != 0)
            vxbi_found(c, VXB_FINDING_LEGACY_HEADER, AT(bake_revision), "/header/bake_revision",
                       "the bake revision is 0, as of a field made from format 1; then the format is 2 (it is %" PRIu32
                       ") and seed, density and bake id are 0", h->format);
    } else {
        if (!(vxbi_grass_side_is_half(h->cell_size, h->density) &&
              vxbi_grass_side(h->cell_size, h->density) <= VXBI_SIDE_MAX))
            vxbi_found(c, VXB_FINDING_DENSITY, AT(density), "/header/density",
                       "the density is %s a square metre; allowed is what gives half a candidate to 4096 along the "
                       "side of a cell", vxb_text_f32(h->density, text));
    }
}

static bool check_counts(const struct vxb_grass_header *h, struct vxbi_collect *c)
{
    bool usable = true;
    uint32_t least = h->format == 2 ? 1 : 2, most = h->format == 2 ? 1 : VXB_GRASS_SECTIONS_MAX;
    if (h->section_count < least || h->section_count > most) {
        vxbi_found(c, VXB_FINDING_SECTION_COUNT, AT(section_count), "/header/section_count",
                   "there are %" PRIu32 " sections; format %" PRIu32 " has %s", h->section_count, h->format,
                   h->format == 2 ? "1" : "2 to 4");
        usable = false;
    }
    uint32_t sections = usable ? h->section_count : most;
    if (h->lod_count > 8 * sections) {
        vxbi_found(c, VXB_FINDING_LOD_TOTAL, AT(lod_count), "/header/lod_count",
                   "there are %" PRIu32 " LOD entries; %" PRIu32 " sections have at most %" PRIu32, h->lod_count,
                   sections, 8 * sections);
        usable = false;
    }
    if (h->string_bytes > 7 * 257 * sections) {
        vxbi_found(c, VXB_FINDING_STRING_TABLE_BYTES, AT(string_bytes), "/header/string_bytes",
                   "the string table has %" PRIu32 " bytes; the names of %" PRIu32 " sections have at most %" PRIu32,
                   h->string_bytes, sections, 7 * 257 * sections);
        usable = false;
    }
    if (h->chunk_count == UINT32_MAX || h->blade_count == UINT32_MAX || h->chunk_count > h->blade_count ||
        (h->chunk_count == 0 && h->blade_count > 0))
        vxbi_found(c, VXB_FINDING_COUNT_LIMIT, AT(chunk_count), "/header/chunk_count",
                   "there are %" PRIu32 " chunks and %" PRIu32 " blades; both are below 4294967295, every chunk has a "
                   "blade and every blade a chunk", h->chunk_count, h->blade_count);
    if (h->blade_budget != VXB_NO_LIMIT && h->blade_count > h->blade_budget)
        vxbi_found(c, VXB_FINDING_BLADE_BUDGET, AT(blade_budget), "/header/blade_budget",
                   "there are %" PRIu32 " blades, above the field's budget of %" PRIu32, h->blade_count,
                   h->blade_budget);
    return usable;
}

static void check_size(const struct vxb_grass *grass, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    if (grass->size < h->file_bytes)
        vxbi_found(c, VXB_FINDING_FILE_CUT, AT(file_bytes), "/header/file_bytes",
                   "the file is cut: it has %" PRIu64 " bytes, its header says %" PRIu64, grass->size, h->file_bytes);
    else if (grass->size > h->file_bytes)
        vxbi_found(c, VXB_FINDING_FILE_LONGER, AT(file_bytes), "/header/file_bytes",
                   "the file has %" PRIu64 " bytes, its header says %" PRIu64, grass->size, h->file_bytes);
}

bool vxbi_grass_check_format(uint32_t format, struct vxbi_collect *c)
{
    if (format >= 1 && format <= 3)
        return true;
    vxbi_found(c, VXB_FINDING_FORMAT_VERSION, AT(format), "/header/format",
               "format %" PRIu32 " is not read by this version, which reads 1, 2 and 3", format);
    return false;
}

bool vxbi_grass_check_header(struct vxb_grass *grass, const uint8_t bytes[VXB_GRASS_HEADER_BYTES],
                             struct vxbi_collect *c)
{
    struct vxb_grass_header *h = &grass->header;
    struct vxbi_reader r = {.data = bytes, .size = VXB_GRASS_HEADER_BYTES};
    uint8_t zeroed[VXB_GRASS_HEADER_BYTES];

    vxbi_grass_get_header(&r, h);
    if (!vxbi_grass_check_format(h->format, c))
        return false;
    grass->known = VXBI_GRASS_HEADER;
    memcpy(zeroed, bytes, sizeof zeroed);
    memset(zeroed + AT(header_hash), 0, 8);
    uint64_t hash = vxbi_hash(zeroed, sizeof zeroed);
    if (hash != h->header_hash)
        vxbi_found(c, VXB_FINDING_HEADER_HASH, AT(header_hash), "/header/header_hash",
                   "the header hash is 0x%016" PRIx64 ", the header's bytes give 0x%016" PRIx64
                   ": the header was damaged after it was written", h->header_hash, hash);
    if (h->header_bytes != VXB_GRASS_HEADER_BYTES)
        vxbi_found(c, VXB_FINDING_HEADER_BYTES, AT(header_bytes), "/header/header_bytes",
                   "the header size is %" PRIu32 "; format %" PRIu32 " has 128", h->header_bytes, h->format);
    check_size(grass, c);
    check_flags(h, c);
    check_field(h, c);
    vxbi_grass_check_bounds(h->bounds_min, h->bounds_max, h->blade_count == 0, AT(bounds_min), c);
    if (!check_counts(h, c))
        return false;
    vxbi_grass_layout(h, &grass->layout);
    if (grass->layout.data > grass->size) {
        vxbi_found(c, VXB_FINDING_TABLES_OUTSIDE, AT(chunk_count), "/header/chunk_count",
                   "the tables end at byte %" PRIu64 ", the file has %" PRIu64, grass->layout.data, grass->size);
        return false;
    }
    return true;
}
