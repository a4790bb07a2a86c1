/* KTX2 files opened by path, and what they say of themselves. */
#include "texture.h"

#include <string.h>

#include "../core/env.h"
#include "../core/text.h"
#include "format.h"

static enum vxb_status read_file(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    return vxbi_file_read_at(user, offset, buf, size, err);
}

bool vxbi_texture_begins(const uint8_t *start, size_t size)
{
    return size >= 4 && memcmp(start, vxbi_ktx2_identifier, 4) == 0;
}

static bool is_text(const struct vxbi_ktx2_value *value)
{
    const char *text = value->value;
    return value->bytes && memchr(text, 0, value->bytes) == text + value->bytes - 1 &&
           vxbi_utf8_valid(text, value->bytes - 1);
}

static uint32_t side_of(uint32_t side, uint32_t level) { return side >> level ? side >> level : 1; }

static bool fill_info(struct vxb_texture *texture)
{
    const struct vxbi_ktx2_desc *desc = &texture->ktx2.desc;
    struct vxb_texture_value *values = NULL;
    if (desc->value_count && !(values = vxbi_arena_new(&texture->ktx2.arena, desc->value_count * sizeof *values)))
        return false;
    for (uint32_t i = 0; i < desc->value_count; i++)
        values[i] = (struct vxb_texture_value){desc->values[i].key,
                                               is_text(&desc->values[i]) ? desc->values[i].value : NULL,
                                               desc->values[i].bytes};
    texture->info = (struct vxb_texture_info){.format = desc->format->name,
                                              .vk_format = desc->format->vk,
                                              .width = desc->width,
                                              .height = desc->height,
                                              .depth = desc->depth,
                                              .layers = desc->layers,
                                              .faces = desc->faces,
                                              .level_count = desc->levels,
                                              .file_bytes = texture->ktx2.layout.file_bytes,
                                              .values = values,
                                              .value_count = desc->value_count};
    for (uint32_t k = 0; k < desc->levels; k++)
        texture->info.levels[k] = (struct vxb_texture_level){
            side_of(desc->width, k), side_of(desc->height, k), side_of(desc->depth, k),
            texture->ktx2.layout.level_offset[k], texture->ktx2.layout.level_bytes[k]};
    return true;
}

static enum vxb_status make(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                            struct vxb_texture **out, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    struct vxb_texture *texture = vxbi_new_zero(&allocator, 1, sizeof *texture);
    char *name = vxbi_new(&allocator, strlen(shown) + 1, 1);
    if (!texture || !name) {
        vxbi_delete(&allocator, texture, 1, sizeof *texture);
        vxbi_delete(&allocator, name, strlen(shown) + 1, 1);
        vxbi_file_close(file);
        return vxbi_fail_memory(err, sizeof *texture);
    }
    texture->allocator = allocator;
    texture->file = file;
    texture->name = memcpy(name, shown, strlen(shown) + 1);
    *out = texture;
    return VXB_OK;
}

enum vxb_status vxbi_texture_adopt(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                   struct vxbi_collect *collect, struct vxb_texture **out, struct vxb_error *err)
{
    struct vxb_texture *texture = NULL;
    enum vxb_status status = make(env, path, file, &texture, err);
    if (status != VXB_OK)
        return status;
    const struct vxbi_ktx2_source source = {file, vxbi_file_size(file), read_file};
    status = vxbi_ktx2_open(env, &source, collect, &texture->ktx2, &texture->usable, err);
    if (status == VXB_OK && texture->usable && !fill_info(texture))
        status = vxbi_fail_memory(err, sizeof(struct vxb_texture_value));
    if (status == VXB_OK)
        *out = texture;
    else {
        vxbi_error_in(err, status, texture->name, NULL);
        vxb_texture_close(texture);
    }
    return status;
}

enum vxb_status vxbi_texture_open_file(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                       struct vxb_texture **out, struct vxb_error *err)
{
    struct vxbi_collect collect = {.err = err};
    struct vxb_texture *texture = NULL;
    enum vxb_status status = vxbi_texture_adopt(env, path, file, &collect, &texture, err);
    if (status != VXB_OK)
        return status;
    if (collect.status != VXB_OK) {
        vxbi_error_in(err, collect.status, texture->name, NULL);
        vxb_texture_close(texture);
        return collect.status;
    }
    *out = texture;
    return VXB_OK;
}

enum vxb_status vxb_texture_open(const struct vxb_env *env, const char *path, struct vxb_texture **out,
                                 struct vxb_error *err)
{
    struct vxbi_file *file;
    enum vxb_status status = vxbi_check_env(env, err);
    if (status != VXB_OK)
        return status;
    status = vxbi_file_open(env, path, &(struct vxbi_stream){.begins = vxbi_texture_begins}, &file, err);
    return status == VXB_OK ? vxbi_texture_open_file(env, path, file, out, err)
                            : vxbi_error_in(err, status, path, NULL);
}

static bool contains(const uint8_t *data, size_t size, const char *what, size_t length)
{
    for (size_t i = 0; size >= length && i <= size - length; i++)
        if (memcmp(data + i, what, length) == 0)
            return true;
    return false;
}

/* By the key/values' bytes alone: the reader has nothing to say about formats that it does not know. */
static bool made_as_pyramid(const uint8_t *values, size_t size)
{
    static const char writer[] = "KTXwriter\0" VXBI_KTX2_WRITER_BEGINS, volume[] = "vxbake.volume";
    return contains(values, size, writer, sizeof writer - 1) && !contains(values, size, volume, sizeof volume);
}

static bool is_other(const struct vxb_allocator *allocator, const struct vxbi_file *file)
{
    uint8_t start[VXBI_KTX2_HEADER_BYTES];
    const uint64_t size = vxbi_file_size(file);
    struct vxbi_ktx2_header h;
    if (size < sizeof start || vxbi_file_read_at(file, 0, start, sizeof start, NULL) ||
        memcmp(start, vxbi_ktx2_identifier, sizeof vxbi_ktx2_identifier) != 0)
        return false;
    struct vxbi_reader r = {.data = start, .size = sizeof start};
    vxbi_ktx2_get_header(&r, &h);
    if (h.vk_format == VXBI_KTX2_R32_SFLOAT && h.height && !h.depth && !h.layers && h.faces == 1 && !h.scheme)
        return false;
    if (h.values_bytes > VXBI_KTX2_VALUES_BYTES_MAX || h.values_offset > size ||
        h.values_bytes > size - h.values_offset)
        return false;
    uint8_t *values = h.values_bytes ? vxbi_new(allocator, h.values_bytes, 1) : NULL;
    const bool known = h.values_bytes == 0 ||
                       (values && !vxbi_file_read_at(file, h.values_offset, values, h.values_bytes, NULL));
    const bool other = known && !made_as_pyramid(values, h.values_bytes);
    vxbi_delete(allocator, values, h.values_bytes, 1);
    return other;
}

bool vxb_texture_is_other(const struct vxb_env *env, const char *path)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxbi_file *file;
    if (vxbi_check_env(env, NULL) || vxbi_file_open(env, path, NULL, &file, NULL))
        return false;
    const bool other = is_other(&allocator, file);
    vxbi_file_close(file);
    return other;
}

void vxb_texture_close(struct vxb_texture *texture)
{
    if (!texture)
        return;
    const struct vxb_allocator allocator = texture->allocator;
    vxbi_ktx2_clear(&texture->ktx2);
    vxbi_file_close(texture->file);
    vxbi_delete(&allocator, texture->name, strlen(texture->name) + 1, 1);
    vxbi_delete(&allocator, texture, 1, sizeof *texture);
}

const struct vxb_texture_info *vxb_texture_info(const struct vxb_texture *texture) { return &texture->info; }
