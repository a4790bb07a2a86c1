/* Damaged files, opened and checked. */
#include "loose.h"

#include <inttypes.h>
#include <stdio.h>

#include "../core/env.h"

static const char *const format_names[] = {"unknown", "grass-1", "grass-2", "grass-3", "ktx2", "probes-1"};

_Static_assert(VXB_PROBE_HEADER_BYTES <= VXB_GRASS_HEADER_BYTES, "a field's header fits into the head");

const char *vxbi_loose_format_name(enum vxbi_loose_format format) { return format_names[format]; }

enum vxbi_loose_format vxbi_loose_format_of(const char *name)
{
    for (unsigned i = VXBI_LOOSE_GRASS_1; i <= VXBI_LOOSE_PROBES_1; i++)
        if (strcmp(name, format_names[i]) == 0)
            return (enum vxbi_loose_format)i;
    return VXBI_LOOSE_UNKNOWN;
}

static enum vxbi_loose_format format_of(const uint8_t head[VXB_GRASS_HEADER_BYTES])
{
    const uint32_t version = vxbi_load_u32(head + VXBI_AT(grass_header, format));
    if (memcmp(head, vxbi_ktx2_identifier, sizeof vxbi_ktx2_identifier) == 0)
        return VXBI_LOOSE_KTX2;
    if (memcmp(head, vxbi_probe_magic, sizeof vxbi_probe_magic) == 0)
        return vxbi_load_u32(head + VXBI_AT(probe_header, format)) == VXB_PROBE_FORMAT ? VXBI_LOOSE_PROBES_1
                                                                                   : VXBI_LOOSE_UNKNOWN;
    if (memcmp(head, vxbi_grass_magic, sizeof vxbi_grass_magic) != 0 || version < 1 || version > 3)
        return VXBI_LOOSE_UNKNOWN;
    return (enum vxbi_loose_format)version;
}

static enum vxb_status read_head(struct vxbi_loose *out, struct vxb_error *err)
{
    size_t got;
    enum vxb_status status = vxbi_loose_read(out, 0, out->head, sizeof out->head, &got, err);
    out->format = format_of(out->head);
    if (status != VXB_OK)
        vxbi_loose_close(out);
    return status;
}

enum vxb_status vxbi_loose_open(const struct vxb_env *env, const char *path, struct vxbi_loose *out,
                                struct vxb_error *err)
{
    struct vxbi_file *file;
    *out = (struct vxbi_loose){0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (status == VXB_OK)
        status = vxbi_file_open(env, path, NULL, &file, err);
    if (status != VXB_OK)
        return vxbi_error_in(err, status, path, NULL);
    status = vxbi_grass_adopt(env, path, file, &out->grass, err);
    return status == VXB_OK ? read_head(out, err) : status;
}

enum vxb_status vxbi_loose_open_source(const struct vxb_env *env, const struct vxb_source *source, const char *name,
                                       struct vxbi_loose *out, struct vxb_error *err)
{
    *out = (struct vxbi_loose){0};
    enum vxb_status status = vxbi_grass_new(env, NULL, source, name, &out->grass, err);
    return status == VXB_OK ? read_head(out, err) : status;
}

void vxbi_loose_close(struct vxbi_loose *loose)
{
    vxb_grass_close(loose->grass);
    loose->grass = NULL;
}

/* ---- checking ---- */

void vxbi_damage_add(void *user, const struct vxbi_found *found)
{
    struct vxbi_damage *damage = user;
    char code[8];
    if (found->severity != VXB_SEVERITY_ERROR)
        return;
    if (!found->has_offset || found->offset < damage->from || found->offset >= damage->to) {
        damage->elsewhere++;
        return;
    }
    damage->inside++;
    if (damage->count == sizeof damage->rows / sizeof *damage->rows)
        return;
    damage->rows[damage->count].offset = found->offset;
    snprintf(damage->rows[damage->count].pointer, sizeof damage->rows->pointer, "%s", found->pointer);
    snprintf(damage->rows[damage->count].text, sizeof damage->rows->text, "%s %s",
             vxb_finding_code(found->finding, code), found->message);
    damage->count++;
}

static enum vxb_status read_source(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    return vxbi_grass_read_at(user, offset, buf, size, err);
}

static enum vxb_status check_texture(struct vxbi_loose *loose, const struct vxb_env *env, struct vxbi_collect *collect,
                                     struct vxb_error *err)
{
    const struct vxbi_ktx2_source source = {loose->grass, loose->grass->size, read_source};
    struct vxbi_ktx2 ktx2;
    bool usable;
    enum vxb_status status = vxbi_ktx2_open(env, &source, collect, &ktx2, &usable, err);
    if (status == VXB_OK)
        vxbi_ktx2_clear(&ktx2);
    return status;
}

static bool read_bytes(void *user, uint64_t offset, void *buf, size_t size)
{
    return vxbi_grass_read_at(user, offset, buf, size, NULL) == VXB_OK;
}

enum vxb_status vxbi_loose_probes(const struct vxbi_loose *loose, const struct vxb_env *env,
                                  struct vxbi_collect *collect, struct vxb_probe_file **out, struct vxb_error *err)
{
    const struct vxb_source source = {.user = loose->grass, .size = loose->grass->size, .read_at = read_bytes};
    const struct vxbi_probe_from from = {.path = loose->grass->name, .source = &source};
    struct vxb_error why = {0};
    *out = NULL;
    enum vxb_status status = vxbi_probe_file_adopt(env, &from, collect, out, &why);
    if (status == VXB_OK || status == VXB_ERR_LIMIT)
        return VXB_OK;
    if (err && err->status == VXB_OK)
        *err = why;
    return status;
}

static enum vxb_status check_probes(struct vxbi_loose *loose, const struct vxb_env *env, struct vxbi_collect *collect,
                                    struct vxb_error *err)
{
    struct vxb_probe_file *file;
    enum vxb_status status = vxbi_loose_probes(loose, env, collect, &file, err);
    vxb_probe_file_close(file);
    return status;
}

static enum vxb_status check_grass(struct vxbi_loose *loose, const struct vxb_env *env, struct vxbi_collect *collect,
                                   struct vxb_error *err)
{
    struct vxbi_grass_walk walk;
    return vxbi_grass_load(loose->grass, env, collect, &walk, err);
}

enum vxb_status vxbi_loose_check(struct vxbi_loose *loose, const struct vxb_env *env, enum vxbi_loose_format format,
                                 struct vxbi_damage *damage, struct vxb_error *err)
{
    struct vxbi_collect collect = {.add = vxbi_damage_add, .user = damage};
    struct vxb_error why = {0};
    enum vxb_status status = format == VXBI_LOOSE_KTX2       ? check_texture(loose, env, &collect, &why)
                             : format == VXBI_LOOSE_PROBES_1 ? check_probes(loose, env, &collect, &why)
                                                             : check_grass(loose, env, &collect, &why);
    if (status == VXB_OK || status == VXB_ERR_LIMIT)
        return VXB_OK;
    if (err && err->status == VXB_OK)
        *err = why;
    return vxbi_error_in(err, status, loose->grass->name, NULL);
}

/* ---- reading ---- */

enum vxb_status vxbi_loose_read(const struct vxbi_loose *loose, uint64_t offset, void *buf, size_t size, size_t *got,
                                struct vxb_error *err)
{
    const uint64_t file_bytes = loose->grass->size, left = offset < file_bytes ? file_bytes - offset : 0;
    *got = left < size ? (size_t)left : size;
    return *got ? vxbi_grass_read_at(loose->grass, offset, buf, *got, err) : VXB_OK;
}

enum vxb_status vxbi_loose_fetch(const struct vxbi_loose *loose, uint32_t index, struct vxb_grass_chunk *chunk,
                                 struct vxbi_loose_records *records, struct vxbi_collect *collect, bool *usable,
                                 struct vxb_error *err)
{
    const struct vxb_grass *grass = loose->grass;
    const uint64_t bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES, need = 2 * bytes + chunk->data_bytes;
    *usable = false;
    if (grass->known < VXBI_GRASS_SECTIONS || !vxbi_grass_readable(grass, chunk))
        return VXB_OK;
    if (need > grass->max_memory) {
        vxbi_fail_max_memory(err, grass->max_memory, "reading chunk %" PRIu32 " takes %" PRIu64 " bytes", index, need);
        return vxbi_error_in(err, VXB_ERR_LIMIT, grass->name, NULL);
    }
    if (bytes > records->room) {
        vxbi_delete(&grass->allocator, records->data, records->room, 1);
        records->room = 0;
        records->data = vxbi_new(&grass->allocator, bytes, 1);
        if (!records->data)
            return vxbi_fail_memory(err, bytes);
        records->room = bytes;
    }
    if (!records->scratch && !(records->scratch = vxbi_grass_scratch_new(&grass->allocator)))
        return vxbi_fail_memory(err, sizeof *records->scratch);
    enum vxb_status status =
        vxbi_grass_fetch(grass, index, chunk, records->data, records->scratch, collect, usable, err);
    return status == VXB_OK ? VXB_OK : vxbi_error_in(err, status, grass->name, NULL);
}

void vxbi_loose_records_clear(const struct vxbi_loose *loose, struct vxbi_loose_records *records)
{
    vxb_grass_scratch_free(records->scratch);
    vxbi_delete(&loose->grass->allocator, records->data, records->room, 1);
}
