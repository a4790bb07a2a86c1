/* A made field for the writer: its species as sections, its chunks read back from the spill. */
#include <string.h>

#include "../core/env.h"
#include "identity.h"
#include "write.h"

static void fill_section(struct vxb_grass_section *out, struct vxb_grass_lod *lods, const struct vxb_plan_species *from,
                         uint16_t rank_limit)
{
    const struct vxb_recipe_species *s = from->recipe;
    *out = (struct vxb_grass_section){
        .species_id = from->id, .material_index = from->material_index, .lod_count = (uint8_t)s->lod_count,
        .pass_count = (uint8_t)s->pass_count, .rank_limit = rank_limit, .profile_id = from->profile_id,
        .material_id = from->material_id, .share = from->parts, .blade_budget = from->blade_budget, .name = s->name,
        .material = s->material, .mesh = s->mesh};
    for (uint32_t i = 0; i < s->pass_count; i++)
        out->passes[i] = s->passes[i];
    for (uint32_t i = 0; i < s->lod_count; i++)
        lods[i] = (struct vxb_grass_lod){.distance = s->lods[i].distance, .keep = s->lods[i].keep,
                                         .fade = s->lods[i].fade, .mesh_radius = s->mesh_radius,
                                         .index_count = s->lods[i].index_count, .first_index = s->lods[i].first_index,
                                         .vertex_offset = s->lods[i].vertex_offset};
}

static void fill_input(struct vxbi_write_input *input, const struct vxbi_field *field, uint16_t flags)
{
    const struct vxb_plan *plan = field->plan;
    const struct vxb_recipe *recipe = plan->recipe;
    input->header = (struct vxb_grass_header){
        .format = plan->species_count == 1 ? 2 : 3, .flags = flags, .bake_revision = VXB_BAKE_REVISION,
        .section_count = plan->species_count, .cell_size = recipe->cell_size,
        .max_commands = plan->max_commands, .updates_per_frame = plan->updates_per_frame,
        .blade_budget = plan->blade_budget, .seed = recipe->seed, .density = recipe->density,
        .bake_id = flags & VXB_GRASS_INEXACT ? vxbi_bake_id(plan, true) : plan->bake_id};
    for (uint32_t k = 0, lod = 0; k < plan->species_count; lod += plan->species[k++].recipe->lod_count) {
        fill_section(&input->sections[k], &input->lods[lod], &plan->species[k], field->sections[k].rank_limit);
        input->chunks[k] = field->sections[k].chunks;
        input->counts[k] = field->sections[k].count;
    }
}

static enum vxb_status read_spill(void *user, uint32_t worker, uint32_t section, struct vxbi_field_chunk *chunk,
                                  uint32_t count, uint8_t *records, struct vxb_error *err)
{
    const struct vxbi_field *field = user;
    (void)worker;
    (void)section;
    return vxbi_spill_read_at(field->spill, chunk->spill_offset, records, (size_t)count * VXB_GRASS_RECORD_BYTES, err);
}

static void close_ledgers(struct vxbi_field *field)
{
    for (uint32_t k = 0; k < field->plan->species_count; k++) {
        struct vxbi_field_section *section = &field->sections[k];
        section->ledger.bytes = 0;
        for (uint64_t i = 0; i < section->count; i++)
            section->ledger.bytes += section->chunks[i].spilled;
        section->ledger.commands = section->count * field->plan->species[k].recipe->pass_count;
    }
}

static enum vxb_status write_input(const struct vxb_env *env, struct vxbi_field *field, struct vxbi_write_input *input,
                                   struct vxb_output *output, const struct vxbi_write_options *options,
                                   struct vxb_grass_header *header, struct vxb_error *err)
{
    input->allocator = field->allocator;
    fill_input(input, field, options->flags);
    enum vxb_status status = vxbi_grass_write_chunks(env, input, output, options, err);
    if (status)
        return status;
    *header = input->header;
    close_ledgers(field);
    return VXB_OK;
}

enum vxb_status vxbi_grass_write(const struct vxb_env *env, struct vxbi_field *field, struct vxb_output *output,
                                 const struct vxbi_write_options *options, struct vxb_grass_header *header,
                                 struct vxb_error *err)
{
    struct vxbi_write_input input = {.user = field, .read = read_spill};
    return write_input(env, field, &input, output, options, header, err);
}

struct counted {
    const struct vxb_env *env;
    struct vxbi_field *field;
    const struct vxbi_region *region;
    const struct vxbi_cell_source *source;
};

static enum vxb_status hand_over(void *user, const struct vxbi_chunk_taker *taker, struct vxb_error *err)
{
    const struct counted *c = user;
    return vxbi_field_hand_over(c->env, c->field, c->region, c->source, taker, err);
}

enum vxb_status vxbi_grass_write_counted(const struct vxb_env *env, struct vxbi_field *field,
                                         const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                         struct vxb_output *output, const struct vxbi_write_options *options,
                                         struct vxb_grass_header *header, struct vxb_error *err)
{
    struct counted counted = {env, field, region, source};
    struct vxbi_write_input input = {.user = &counted, .hand_over = hand_over,
                                     .handing = field->found ? VXBI_HAND_IN_ORDER : VXBI_HAND_COUNTED};
    return write_input(env, field, &input, output, options, header, err);
}

struct passing {
    const struct vxb_env *env;
    const struct vxb_plan *plan;
    const struct vxbi_cell_source *source;
    uint16_t flags;
    struct vxbi_field *field;
    struct vxbi_write_input *input;
};

static enum vxb_status pass(void *user, const struct vxbi_chunk_taker *taker, struct vxb_error *err)
{
    const struct passing *p = user;
    const enum vxb_status status = vxbi_field_pass(p->env, p->plan, p->source, taker, p->field, err);
    if (!status)
        fill_input(p->input, p->field, p->flags);
    return status;
}

enum vxb_status vxbi_grass_pass(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_cell_source *source, const struct vxbi_write_options *options,
                                struct vxbi_field *field, struct vxb_grass_header *header, struct vxb_error *err)
{
    struct vxbi_write_input input = {.hand_over = pass, .handing = VXBI_HAND_NEW};
    struct passing passing = {env, plan, source, options->flags, field, &input};
    input.user = &passing;
    *field = (struct vxbi_field){.allocator = vxbi_allocator(env), .plan = plan};
    const enum vxb_status status = write_input(env, field, &input, NULL, options, header, err);
    if (status)
        vxbi_field_clear(field);
    return status;
}
