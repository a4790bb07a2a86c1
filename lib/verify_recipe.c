/* A file's identities against those that a recipe's plan has. Every difference is a finding that names both values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "grass/identity.h"
#include "verify_work.h"

bool vxbi_verify_comparable(const struct vxb_grass *grass, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    if (h->flags & VXB_GRASS_PARTIAL)
        vxbi_found(c, VXB_FINDING_COMPARE_PARTIAL, 24, "/header/flags",
                   "only a region was baked, so the file can't be compared with a recipe: bake it whole");
    if (h->bake_revision != VXB_BAKE_REVISION)
        vxbi_found(c, VXB_FINDING_COMPARE_REVISION, 26, "/header/bake_revision",
                   "the file was baked by revision %u of the rules, this version has revision %u: bake it anew, or "
                   "compare by the version that made it", h->bake_revision, (unsigned)VXB_BAKE_REVISION);
    return !(h->flags & VXB_GRASS_PARTIAL) && h->bake_revision == VXB_BAKE_REVISION;
}

/* One header field or one of a section's, at a byte of the file. */
struct place {
    struct vxbi_collect *collect;
    enum vxb_finding finding;
    uint64_t offset;
    const char *pointer;
    const char *what;
};

static struct place header_field(struct vxbi_collect *c, uint64_t offset, const char *pointer, const char *what)
{
    return (struct place){c, VXB_FINDING_RECIPE_HEADER, offset, pointer, what};
}

static void same_u32(struct place p, uint32_t file, uint32_t recipe)
{
    if (file != recipe)
        vxbi_found(p.collect, p.finding, p.offset, p.pointer, "%s is %" PRIu32 " in the file, %" PRIu32
                   " by the recipe", p.what, file, recipe);
}

/* A limit, or none. */
static void same_limit(struct place p, uint32_t file, uint32_t recipe)
{
    char a[16] = "none", b[16] = "none";
    if (file != VXB_NO_LIMIT)
        snprintf(a, sizeof a, "%" PRIu32, file);
    if (recipe != VXB_NO_LIMIT)
        snprintf(b, sizeof b, "%" PRIu32, recipe);
    if (file != recipe)
        vxbi_found(p.collect, p.finding, p.offset, p.pointer, "%s is %s in the file, %s by the recipe", p.what, a, b);
}

/* Bit for bit: a bake writes no -0 for the recipe's 0. */
static void same_f32(struct place p, float file, float recipe)
{
    char a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    if (vxbi_f32_bits(file) != vxbi_f32_bits(recipe))
        vxbi_found(p.collect, p.finding, p.offset, p.pointer, "%s is %s in the file, %s by the recipe", p.what,
                   vxb_text_f32(file, a), vxb_text_f32(recipe, b));
}

static void same_id(struct place p, uint64_t file, uint64_t recipe)
{
    if (file != recipe)
        vxbi_found(p.collect, p.finding, p.offset, p.pointer,
                   "%s is 0x%016" PRIx64 " in the file, 0x%016" PRIx64 " by the recipe", p.what, file, recipe);
}

static void same_text(struct place p, const char *file, const char *recipe)
{
    if (strcmp(file, recipe) != 0)
        vxbi_found(p.collect, p.finding, p.offset, p.pointer, "%s is \"%s\" in the file, \"%s\" by the recipe", p.what,
                   file, recipe);
}

static void check_header(const struct vxb_grass *grass, const struct vxb_plan *plan, struct vxbi_collect *c)
{
    const struct vxb_grass_header *h = &grass->header;
    const struct vxb_recipe *r = plan->recipe;
    uint64_t bake_id = h->flags & VXB_GRASS_INEXACT ? vxbi_bake_id(plan, true) : plan->bake_id;
    same_u32(header_field(c, 8, "/header/format", "the format"), h->format, plan->species_count == 1 ? 2 : 3);
    same_u32(header_field(c, 88, "/header/seed", "the seed"), h->seed, r->seed);
    same_f32(header_field(c, 48, "/header/cell_size", "the cell size"), h->cell_size, r->cell_size);
    same_f32(header_field(c, 92, "/header/density", "the density"), h->density, r->density);
    same_limit(header_field(c, 52, "/header/max_commands", "the limit on commands"), h->max_commands,
               plan->max_commands);
    same_limit(header_field(c, 56, "/header/updates_per_frame", "the limit on updates"), h->updates_per_frame,
               plan->updates_per_frame);
    same_limit(header_field(c, 60, "/header/blade_budget", "the blade budget"), h->blade_budget, plan->blade_budget);
    struct place id = header_field(c, 96, "/header/bake_id", "the bake id");
    id.finding = VXB_FINDING_RECIPE_BAKE_ID;
    same_id(id, h->bake_id, bake_id);
}

struct section {
    const struct vxb_grass *grass;
    const struct vxb_grass_section *file;
    const struct vxb_plan_species *recipe;
    uint32_t index;
    struct vxbi_collect *collect;
};

static struct place section_field(const struct section *s, uint32_t offset, const char *key, const char *what)
{
    uint64_t start = s->grass->layout.sections + s->index * vxbi_grass_section_bytes(s->grass->header.format);
    return (struct place){s->collect, VXB_FINDING_RECIPE_SECTION, start + offset,
                          vxbi_pointer(s->collect, "/sections/%" PRIu32 "/%s", s->index, key), what};
}

static void check_lods(const struct section *s)
{
    const struct vxb_recipe_species *r = s->recipe->recipe;
    for (uint32_t i = 0; i < s->file->lod_count && i < r->lod_count; i++) {
        const struct vxb_grass_lod *f = &s->grass->lods[s->file->first_lod + i];
        uint32_t index = s->file->first_lod + i;
        const struct {
            const char *key, *what;
            float file, recipe;
        } floats[4] = {{"distance", "the LOD's distance", f->distance, r->lods[i].distance},
                       {"keep", "the LOD's keep", f->keep, r->lods[i].keep},
                       {"fade", "the LOD's fade start", f->fade, r->lods[i].fade},
                       {"mesh_radius", "the mesh radius", f->mesh_radius, r->mesh_radius}};
        const struct {
            const char *key, *what;
            uint32_t file, recipe;
        } words[3] = {{"index_count", "the LOD's index count", f->index_count, r->lods[i].index_count},
                      {"first_index", "the LOD's first index", f->first_index, r->lods[i].first_index},
                      {"vertex_offset", "the LOD's vertex offset", (uint32_t)f->vertex_offset,
                       (uint32_t)r->lods[i].vertex_offset}};
        struct place p = {.collect = s->collect, .finding = VXB_FINDING_RECIPE_SECTION};
        for (uint32_t k = 0; k < 7; k++) {
            p.offset = s->grass->layout.lods + (uint64_t)index * VXB_GRASS_LOD_BYTES + 4 * k;
            p.what = k < 4 ? floats[k].what : words[k - 4].what;
            p.pointer = vxbi_pointer(s->collect, "/lods/%" PRIu32 "/%s", index,
                                     k < 4 ? floats[k].key : words[k - 4].key);
            if (k < 4)
                same_f32(p, floats[k].file, floats[k].recipe);
            else
                same_u32(p, words[k - 4].file, words[k - 4].recipe);
        }
    }
}

static void check_section(const struct section *s)
{
    const struct vxb_grass_section *f = s->file;
    const struct vxb_plan_species *p = s->recipe;
    same_id(section_field(s, 0, "species_id", "the species id"), f->species_id, p->id);
    same_u32(section_field(s, 8, "material_index", "the material index"), f->material_index, p->material_index);
    same_u32(section_field(s, 28, "lod_count", "the number of LODs"), f->lod_count, p->recipe->lod_count);
    same_u32(section_field(s, 29, "pass_count", "the number of passes"), f->pass_count, p->recipe->pass_count);
    same_text(section_field(s, 0, "name", "the name"), f->name, p->recipe->name);
    same_text(section_field(s, 0, "material", "the material"), f->material, p->recipe->material);
    same_text(section_field(s, 0, "mesh", "the mesh"), f->mesh, p->recipe->mesh);
    for (uint32_t i = 0; i < f->pass_count && i < p->recipe->pass_count; i++)
        same_text(section_field(s, 29, "passes", "a pass"), f->passes[i], p->recipe->passes[i]);
    check_lods(s);
    if (s->grass->header.format != 3)
        return;
    same_id(section_field(s, 32, "profile_id", "the profile id"), f->profile_id, p->profile_id);
    same_id(section_field(s, 40, "material_id", "the material id"), f->material_id, p->material_id);
    same_u32(section_field(s, 48, "share", "the share"), f->share, p->parts);
    same_limit(section_field(s, 52, "blade_budget", "the blade budget"), f->blade_budget, p->blade_budget);
}

void vxbi_verify_recipe(const struct vxb_grass *grass, const struct vxb_plan *plan, struct vxbi_collect *c)
{
    check_header(grass, plan, c);
    if (grass->header.section_count != plan->species_count) {
        vxbi_found(c, VXB_FINDING_RECIPE_SECTIONS, 28, "/header/section_count",
                   "the file has %" PRIu32 " sections, the recipe %" PRIu32 " species", grass->header.section_count,
                   plan->species_count);
        return;
    }
    for (uint32_t k = 0; k < plan->species_count; k++) {
        const struct section s = {grass, &grass->sections[k], &plan->species[k], k, c};
        check_section(&s);
    }
}
