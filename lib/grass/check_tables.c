/* The rules of the section, LOD and string tables, all of which are read whole: at most 9 KiB. */
#include <inttypes.h>
#include <math.h>

#include "../core/text.h"
#include "apportion.h"
#include "read.h"

/* Where a field of a section, and of a LOD, stands in it; what both formats have stands at one place in both. */
#define AT(field) VXBI_AT(grass_section3, field)
#define LOD_AT(field) VXBI_AT(grass_lod, field)

static uint64_t section_at(const struct vxb_grass *grass, uint32_t k)
{
    return grass->layout.sections + (uint64_t)k * vxbi_grass_section_bytes(grass->header.format);
}

static uint64_t lod_at(const struct vxb_grass *grass, uint32_t k)
{
    return grass->layout.lods + (uint64_t)k * VXB_GRASS_LOD_BYTES;
}

/* ---- sections ---- */

static void check_ids(const struct vxb_grass *grass, uint32_t k, struct vxbi_collect *c)
{
    const struct vxb_grass_section *s = &grass->sections[k];
    const char *pointer = vxbi_pointer(c, "/sections/%" PRIu32 "/species_id", k);
    if (s->species_id == 0 && grass->header.section_count > 1)
        vxbi_found(c, VXB_FINDING_SECTION_ZERO_ID, section_at(grass, k), pointer,
                   "the species id is 0, which stands only in a file of one section");
    if (k == 0)
        return;
    uint64_t before = grass->sections[k - 1].species_id;
    if (s->species_id == before)
        vxbi_found(c, VXB_FINDING_SECTION_DUPLICATE, section_at(grass, k), pointer,
                   "sections %" PRIu32 " and %" PRIu32 " have one species id, 0x%016" PRIx64, k - 1, k, before);
    else if (s->species_id < before)
        vxbi_found(c, VXB_FINDING_SECTION_ORDER, section_at(grass, k), pointer,
                   "species id 0x%016" PRIx64 " stands after 0x%016" PRIx64 "; sections ascend by it", s->species_id,
                   before);
}

/* Ranges start where the previous section's end, and the last ends with the header's count. */
static void check_ranges(const struct vxb_grass *grass, uint32_t k, struct vxbi_collect *c)
{
    const struct vxb_grass_section *s = &grass->sections[k], *b = k ? &grass->sections[k - 1] : NULL;
    const struct vxb_grass_header *h = &grass->header;
    bool last = k + 1 == h->section_count;
    uint64_t chunk = b ? (uint64_t)b->first_chunk + b->chunk_count : 0;
    uint64_t blade = b ? (uint64_t)b->first_blade + b->blade_count : 0;
    uint64_t chunk_end = (uint64_t)s->first_chunk + s->chunk_count;
    uint64_t blade_end = (uint64_t)s->first_blade + s->blade_count;
    if (s->first_chunk != chunk)
        vxbi_found(c, VXB_FINDING_SECTION_CHUNKS, section_at(grass, k) + AT(first_chunk),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/first_chunk", k),
                   "section %" PRIu32 " starts at chunk %" PRIu32 "; the one before it ends at %" PRIu64, k,
                   s->first_chunk, chunk);
    else if (chunk_end > h->chunk_count || (last && chunk_end != h->chunk_count))
        vxbi_found(c, VXB_FINDING_SECTION_CHUNKS, section_at(grass, k) + AT(chunk_count),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/chunk_count", k),
                   "section %" PRIu32 " ends at chunk %" PRIu64 "; the file has %" PRIu32, k, chunk_end,
                   h->chunk_count);
    if (s->first_blade != blade)
        vxbi_found(c, VXB_FINDING_SECTION_BLADES, section_at(grass, k) + AT(first_blade),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/first_blade", k),
                   "section %" PRIu32 " starts at blade %" PRIu32 "; the one before it ends at %" PRIu64, k,
                   s->first_blade, blade);
    else if (blade_end > h->blade_count || (last && blade_end != h->blade_count))
        vxbi_found(c, VXB_FINDING_SECTION_BLADES, section_at(grass, k) + AT(blade_count),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/blade_count", k),
                   "section %" PRIu32 " ends at blade %" PRIu64 "; the file has %" PRIu32, k, blade_end,
                   h->blade_count);
    if (s->chunk_count == 0 && s->blade_count != 0)
        vxbi_found(c, VXB_FINDING_SECTION_BLADE_TOTAL, section_at(grass, k) + AT(blade_count),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/blade_count", k),
                   "section %" PRIu32 " has %" PRIu32 " blades but no chunk", k, s->blade_count);
    if (s->blade_count == 0 && s->rank_limit != 0)
        vxbi_found(c, VXB_FINDING_SECTION_RANK_LIMIT, section_at(grass, k) + AT(rank_limit),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/rank_limit", k),
                   "section %" PRIu32 " has no blade, so its rank limit is 0, not %u", k, s->rank_limit);
}

static void check_lists(const struct vxb_grass *grass, uint32_t k, struct vxbi_collect *c)
{
    const struct vxb_grass_section *s = &grass->sections[k];
    if (s->lod_count < 1 || s->lod_count > 8)
        vxbi_found(c, VXB_FINDING_SECTION_LOD_COUNT, section_at(grass, k) + AT(lod_count),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/lod_count", k),
                   "section %" PRIu32 " has %u LODs; allowed are 1 to 8", k, s->lod_count);
    if (s->pass_count < 1 || s->pass_count > 4)
        vxbi_found(c, VXB_FINDING_SECTION_PASS_COUNT, section_at(grass, k) + AT(pass_count),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/pass_count", k),
                   "section %" PRIu32 " has %u passes; allowed are 1 to 4", k, s->pass_count);
}

/* What only format 3 stores of a section. */
static void check_share(const struct vxb_grass *grass, uint32_t k, struct vxbi_collect *c)
{
    const struct vxb_grass_section *s = &grass->sections[k];
    if (s->share < 1 || s->share > 1000000)
        vxbi_found(c, VXB_FINDING_SECTION_SHARE, section_at(grass, k) + AT(share),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/share", k),
                   "the share is %" PRIu32 " parts per million; allowed are 1 to 1000000", s->share);
    if (s->blade_budget != VXB_NO_LIMIT && s->blade_count > s->blade_budget)
        vxbi_found(c, VXB_FINDING_SECTION_BUDGET, section_at(grass, k) + AT(blade_budget),
                   vxbi_pointer(c, "/sections/%" PRIu32 "/blade_budget", k),
                   "section %" PRIu32 " has %" PRIu32 " blades, above its budget of %" PRIu32, k, s->blade_count,
                   s->blade_budget);
}

static void check_apportioned(const struct vxb_grass *grass, struct vxbi_collect *c)
{
    uint64_t weights[VXB_GRASS_SECTIONS_MAX], parts[VXB_GRASS_SECTIONS_MAX];
    uint32_t count = grass->header.section_count;
    for (uint32_t k = 0; k < count; k++)
        weights[k] = grass->sections[k].share;
    vxbi_apportion(grass->header.blade_budget, weights, count, parts);
    for (uint32_t k = 0; k < count; k++)
        if (grass->sections[k].blade_budget != parts[k])
            vxbi_found(c, VXB_FINDING_SECTION_BUDGET_SHARE, section_at(grass, k) + AT(blade_budget),
                       vxbi_pointer(c, "/sections/%" PRIu32 "/blade_budget", k),
                       "section %" PRIu32 " has a blade budget of %" PRIu32 "; its share of the field's %" PRIu32
                       " is %" PRIu64, k, grass->sections[k].blade_budget, grass->header.blade_budget, parts[k]);
}

static void check_sums(const struct vxb_grass *grass, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    uint64_t shares = 0, budgets = 0;
    bool shares_good = true, same = true;
    for (uint32_t k = 0; k < h->section_count; k++) {
        const struct vxb_grass_section *s = &grass->sections[k];
        shares += s->share;
        budgets += s->blade_budget;
        shares_good = shares_good && s->share >= 1 && s->share <= 1000000;
        same = same && (s->blade_budget == VXB_NO_LIMIT) == (h->blade_budget == VXB_NO_LIMIT);
    }
    if (shares != 1000000)
        vxbi_found(c, VXB_FINDING_SECTION_SHARE_SUM, section_at(grass, 0) + AT(share), "/sections/0/share",
                   "the shares sum to %" PRIu64 " parts, not to 1000000", shares);
    if (!same)
        vxbi_found(c, VXB_FINDING_SECTION_BUDGET_SUM, section_at(grass, 0) + AT(blade_budget),
                   "/sections/0/blade_budget",
                   h->blade_budget == VXB_NO_LIMIT ? "a section has a blade budget, the field has none"
                                                 : "the field has a blade budget, a section has none");
    else if (h->blade_budget != VXB_NO_LIMIT && budgets != h->blade_budget)
        vxbi_found(c, VXB_FINDING_SECTION_BUDGET_SUM, section_at(grass, 0) + AT(blade_budget),
                   "/sections/0/blade_budget",
                   "the sections' blade budgets sum to %" PRIu64 ", the field's is %" PRIu32, budgets,
                   h->blade_budget);
    else if (h->blade_budget != VXB_NO_LIMIT && shares_good)
        check_apportioned(grass, c);
}

/* ---- LODs ---- */

static void check_lod(const struct vxb_grass *grass, uint32_t index, bool first, bool last, struct vxbi_collect *c)
{
    const struct vxb_grass_lod *l = &grass->lods[index], *b = first ? NULL : &grass->lods[index - 1];
    uint64_t at = lod_at(grass, index);
    char a[VXB_TEXT_NUMBER_ROOM], z[VXB_TEXT_NUMBER_ROOM];
    bool good = l->distance >= 0.0f && (isfinite(l->distance) || last);
    if (!good)
        vxbi_found(c, VXB_FINDING_LOD_DISTANCE, at, vxbi_pointer(c, "/lods/%" PRIu32 "/distance", index),
                   "the distance is %s; allowed are 0 and more metres, infinity only in a section's last LOD",
                   vxb_text_f32(l->distance, a));
    else if (b && l->distance <= b->distance)
        vxbi_found(c, VXB_FINDING_LOD_DISTANCE_ORDER, at, vxbi_pointer(c, "/lods/%" PRIu32 "/distance", index),
                   "the distance %s stands after %s; distances ascend strictly", vxb_text_f32(l->distance, a),
                   vxb_text_f32(b->distance, z));
    if (!(l->keep >= 0.0f && l->keep <= 1.0f))
        vxbi_found(c, VXB_FINDING_LOD_KEEP, at + LOD_AT(keep), vxbi_pointer(c, "/lods/%" PRIu32 "/keep", index),
                   "keep is %s; allowed is 0 to 1", vxb_text_f32(l->keep, a));
    else if (b && l->keep > b->keep)
        vxbi_found(c, VXB_FINDING_LOD_KEEP_RISING, at + LOD_AT(keep), vxbi_pointer(c, "/lods/%" PRIu32 "/keep", index),
                   "keep rises from %s to %s; it does not rise with the distance", vxb_text_f32(b->keep, z),
                   vxb_text_f32(l->keep, a));
    if (good && !(l->fade >= 0.0f && l->fade <= l->distance))
        vxbi_found(c, VXB_FINDING_LOD_FADE, at + LOD_AT(fade), vxbi_pointer(c, "/lods/%" PRIu32 "/fade", index),
                   "the fade start is %s; allowed is 0 up to the distance, %s", vxb_text_f32(l->fade, a),
                   vxb_text_f32(l->distance, z));
    if (!(l->mesh_radius >= 0.0f && l->mesh_radius <= 1e6f))
        vxbi_found(c, VXB_FINDING_LOD_MESH_RADIUS, at + LOD_AT(mesh_radius),
                   vxbi_pointer(c, "/lods/%" PRIu32 "/mesh_radius", index),
                   "the mesh radius is %s; allowed is 0 to 1000000 metres", vxb_text_f32(l->mesh_radius, a));
}

static void read_lods(struct vxb_grass *grass, struct vxbi_reader *r, struct vxbi_collect *c)
{
    uint32_t total = 0;
    for (uint32_t k = 0; k < grass->header.lod_count; k++) {
        uint32_t reserved;
        vxbi_grass_get_lod(r, &grass->lods[k], &reserved);
        if (reserved)
            vxbi_found(c, VXB_FINDING_LOD_RESERVED, lod_at(grass, k) + LOD_AT(reserved),
                       vxbi_pointer(c, "/lods/%" PRIu32 "/reserved", k), "the reserved word is 0x%08" PRIx32 ", not 0",
                       reserved);
    }
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        struct vxb_grass_section *s = &grass->sections[k];
        s->first_lod = total;
        total += s->lod_count;
    }
    if (total != grass->header.lod_count) {
        vxbi_found(c, VXB_FINDING_LOD_TOTAL, VXBI_AT(grass_header, lod_count), "/header/lod_count",
                   "there are %" PRIu32 " LOD entries, the sections have %" PRIu32, grass->header.lod_count, total);
        grass->unjudged = true;
        return;
    }
    grass->radius_known = true;
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        struct vxb_grass_section *s = &grass->sections[k];
        for (uint32_t i = 0; i < s->lod_count; i++) {
            const struct vxb_grass_lod *lod = &grass->lods[s->first_lod + i];
            check_lod(grass, s->first_lod + i, i == 0, i + 1u == s->lod_count, c);
            if (lod->mesh_radius > grass->radius[k])
                grass->radius[k] = lod->mesh_radius;
        }
    }
}

/* ---- strings ---- */

/* Takes one string from r, terminated, to grass->strings at *used. NULL: the table is at its end. */
static const char *take_string(struct vxb_grass *grass, struct vxbi_reader *r, size_t *used, const char *pointer,
                               bool may_be_empty, struct vxbi_collect *c)
{
    uint64_t at = grass->layout.strings + r->at;
    size_t left = r->size - r->at;
    uint16_t size = vxbi_get_u16(r);
    const uint8_t *bytes = vxbi_get(r, size);
    if (!bytes) {
        vxbi_found(c, VXB_FINDING_STRING_CUT, at, pointer,
                   "a string of %u bytes stands where the string table has %zu left, its length included", size, left);
        return NULL;
    }
    if (size > 255)
        vxbi_found(c, VXB_FINDING_STRING_LENGTH, at, pointer, "the string has %u bytes; at most 255 are allowed",
                   size);
    if (memchr(bytes, 0, size))
        vxbi_found(c, VXB_FINDING_STRING_NUL, at, pointer, "the string holds a NUL");
    if (!vxbi_utf8_valid((const char *)bytes, size))
        vxbi_found(c, VXB_FINDING_STRING_UTF8, at, pointer, "\"%.*s\" is not valid UTF-8", (int)size,
                   (const char *)bytes);
    if (size == 0 && !may_be_empty)
        vxbi_found(c, VXB_FINDING_STRING_EMPTY, at, pointer, "the string is empty");
    char *text = grass->strings + *used;
    memcpy(text, bytes, size);
    text[size] = 0;
    *used += (size_t)size + 1;
    return text;
}

static bool section_strings(struct vxb_grass *grass, uint32_t k, struct vxbi_reader *r, size_t *used,
                            struct vxbi_collect *c)
{
    struct vxb_grass_section *s = &grass->sections[k];
    bool nameless = s->species_id == 0 && grass->header.section_count == 1;
    struct {
        const char **to;
        const char *key;
        bool may_be_empty;
    } names[3] = {{&s->name, "name", nameless}, {&s->material, "material", nameless}, {&s->mesh, "mesh", true}};
    for (int i = 0; i < 3; i++) {
        const char *text = take_string(grass, r, used, vxbi_pointer(c, "/sections/%" PRIu32 "/%s", k, names[i].key),
                                       names[i].may_be_empty, c);
        if (!text)
            return false;
        *names[i].to = text;
    }
    for (uint32_t i = 0; i < s->pass_count && i < 4; i++) {
        const char *text = take_string(grass, r, used,
                                       vxbi_pointer(c, "/sections/%" PRIu32 "/passes/%" PRIu32, k, i), false, c);
        if (!text)
            return false;
        s->passes[i] = text;
    }
    return true;
}

/* Material ids against the names, and the indices against the ids. */
static void check_materials(struct vxb_grass *grass, struct vxbi_collect *c)
{
    uint32_t count = grass->header.section_count;
    for (uint32_t k = 0; k < count; k++) {
        struct vxb_grass_section *s = &grass->sections[k];
        uint64_t id = vxbi_hash(s->material, strlen(s->material));
        if (grass->header.format == 2)
            s->material_id = id;
        else if (s->material_id != id)
            vxbi_found(c, VXB_FINDING_SECTION_MATERIAL_ID, section_at(grass, k) + AT(material_id),
                       vxbi_pointer(c, "/sections/%" PRIu32 "/material_id", k),
                       "the material id is 0x%016" PRIx64 ", the name \"%s\" gives 0x%016" PRIx64, s->material_id,
                       s->material, id);
    }
    for (uint32_t k = 0; k < count; k++) {
        const struct vxb_grass_section *s = &grass->sections[k];
        uint32_t rank = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool counted = false;
            for (uint32_t j = 0; j < i; j++)
                counted = counted || grass->sections[j].material_id == grass->sections[i].material_id;
            rank += !counted && grass->sections[i].material_id < s->material_id;
        }
        if (s->material_index != rank)
            vxbi_found(c, VXB_FINDING_SECTION_MATERIAL_INDEX, section_at(grass, k) + AT(material_index),
                       vxbi_pointer(c, "/sections/%" PRIu32 "/material_index", k),
                       "the material index is %" PRIu32 "; by its id the material is number %" PRIu32,
                       s->material_index, rank);
    }
}

/* What an engine looks up by name is there once. */
static void check_names(const struct vxb_grass *grass, struct vxbi_collect *c)
{
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        const struct vxb_grass_section *s = &grass->sections[k];
        for (uint32_t i = 0; i < k; i++)
            if (strcmp(grass->sections[i].name, s->name) == 0) {
                vxbi_found(c, VXB_FINDING_SECTION_NAME_TWICE, section_at(grass, k),
                           vxbi_pointer(c, "/sections/%" PRIu32 "/name", k),
                           "sections %" PRIu32 " and %" PRIu32 " have one name, \"%s\"", i, k, s->name);
                break;
            }
        for (uint32_t i = 1; i < s->pass_count && i < 4; i++)
            for (uint32_t j = 0; j < i; j++)
                if (strcmp(s->passes[i], s->passes[j]) == 0) {
                    vxbi_found(c, VXB_FINDING_SECTION_PASS_TWICE, section_at(grass, k) + AT(pass_count),
                               vxbi_pointer(c, "/sections/%" PRIu32 "/passes/%" PRIu32, k, i),
                               "passes %" PRIu32 " and %" PRIu32 " of section %" PRIu32 " have one name, \"%s\"", j, i,
                               k, s->passes[i]);
                    break;
                }
    }
}

static void read_strings(struct vxb_grass *grass, const uint8_t *bytes, struct vxbi_collect *c)
{
    struct vxbi_reader r = {.data = bytes, .size = grass->header.string_bytes};
    size_t used = 0;
    for (uint32_t k = 0; k < grass->header.section_count; k++)
        if (!section_strings(grass, k, &r, &used, c)) {
            grass->unjudged = true;
            return;
        }
    if (r.at != r.size)
        vxbi_found(c, VXB_FINDING_STRING_TABLE_LEFT, grass->layout.strings + r.at, "/header/string_bytes",
                   "the string table has %zu bytes, its strings %zu", r.size, r.at);
    check_materials(grass, c);
    check_names(grass, c);
}

void vxbi_grass_check_tables(struct vxb_grass *grass, const uint8_t *bytes, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    const struct vxbi_grass_layout *layout = &grass->layout;
    struct vxbi_reader r = {.data = bytes, .size = (size_t)(layout->chunks - layout->sections)};
    for (uint32_t k = 0; k < h->section_count; k++) {
        struct vxb_grass_section *s = &grass->sections[k];
        uint32_t reserved;
        *s = (struct vxb_grass_section){.share = 1000000, .blade_budget = h->blade_budget, .name = "",
                                        .material = "", .mesh = "", .passes = {"", "", "", ""}};
        vxbi_grass_get_section(&r, h->format, s, &reserved);
        if (reserved)
            vxbi_found(c, VXB_FINDING_SECTION_RESERVED, section_at(grass, k) + AT(reserved),
                       vxbi_pointer(c, "/sections/%" PRIu32 "/reserved", k),
                       "the reserved words hold 0x%08" PRIx32 ", not 0", reserved);
    }
    for (uint32_t k = 0; k < h->section_count; k++) {
        check_ids(grass, k, c);
        check_ranges(grass, k, c);
        check_lists(grass, k, c);
        if (h->format == 3)
            check_share(grass, k, c);
    }
    if (h->format == 3)
        check_sums(grass, c);
    read_lods(grass, &r, c);
    read_strings(grass, bytes + (layout->strings - layout->sections), c);
    for (uint64_t at = layout->strings + h->string_bytes; at < layout->chunks; at++)
        if (bytes[at - layout->sections]) {
            vxbi_found(c, VXB_FINDING_TABLES_PADDING, at, "/padding",
                       "the padding after the string table is 0x%02x, not 0", bytes[at - layout->sections]);
            break;
        }
}
