/* Text in memory as a sink, and the JSON writer's end of one. */
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/path.h"
#include "../core/text.h"

void vxb_text_free(struct vxb_text *text)
{
    if (!text)
        return;
    free(text->data);
    text->data = NULL;
    text->size = 0;
}

/* The room that a text of this size has: a function of the size alone, so that no field has to remember it. */
static size_t room_of(size_t size)
{
    size_t room = 256;
    while (room <= size && room <= SIZE_MAX / 4)
        room *= 2;
    return room > size ? room : 0;
}

bool vxb_text_write(void *user, const char *data, size_t size)
{
    struct vxb_text *text = user;
    if (size > SIZE_MAX / 4 || text->size > SIZE_MAX / 4)
        return false;
    size_t room = room_of(text->size + size);
    if (room == 0)
        return false;
    if (!text->data || room != room_of(text->size)) {
        char *grown = realloc(text->data, room);
        if (!grown)
            return false;
        text->data = grown;
    }
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
    return true;
}

static bool pass_on(void *user, const char *data, size_t size)
{
    const struct vxb_sink *sink = user;
    return sink->write(sink->user, data, size);
}

void vxbi_sink_json(struct vxbi_jsonw *w, const struct vxb_sink *sink, bool compact)
{
    vxbi_jsonw_begin(w, pass_on, (void *)sink, compact);
}

enum vxb_status vxbi_sink_json_end(struct vxbi_jsonw *w, struct vxb_error *err)
{
    return vxbi_jsonw_end(w) ? VXB_OK : vxbi_sink_failed(err);
}

enum vxb_status vxbi_sink_failed(struct vxb_error *err)
{
    return vxbi_fail(err, VXB_ERR_IO, "the output did not take what was written to it");
}

void vxbi_member_text(struct vxbi_jsonw *w, const char *key, const char *value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_text(w, value);
}

void vxbi_member_bool(struct vxbi_jsonw *w, const char *key, bool value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_bool(w, value);
}

void vxbi_member_null(struct vxbi_jsonw *w, const char *key)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_null(w);
}

void vxbi_member_vec3(struct vxbi_jsonw *w, const char *key, const float value[3])
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_f32(w, value[i]);
    vxbi_jsonw_array_end(w);
}

void vxbi_member_uvec3(struct vxbi_jsonw *w, const char *key, const uint32_t value[3])
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        vxbi_jsonw_u64(w, value[i]);
    vxbi_jsonw_array_end(w);
}

void vxbi_member_u64(struct vxbi_jsonw *w, const char *key, uint64_t value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_u64(w, value);
}

void vxbi_member_i64(struct vxbi_jsonw *w, const char *key, int64_t value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_i64(w, value);
}

void vxbi_member_id(struct vxbi_jsonw *w, const char *key, uint64_t value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_id(w, value);
}

void vxbi_member_f32(struct vxbi_jsonw *w, const char *key, float value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_f32(w, value);
}

void vxbi_member_f64(struct vxbi_jsonw *w, const char *key, double value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_f64(w, value);
}

void vxbi_member_limit(struct vxbi_jsonw *w, const char *key, uint32_t value)
{
    vxbi_jsonw_key(w, key);
    if (value == VXB_NO_LIMIT)
        vxbi_jsonw_null(w);
    else
        vxbi_jsonw_u64(w, value);
}

void vxbi_member_path(struct vxbi_jsonw *w, const char *key, const char *path)
{
    static const char digits[] = "0123456789abcdef";
    const size_t size = path ? strlen(path) : 0;
    char name[32], hex[2 * VXBI_PATH_ROOM + 1];
    vxbi_member_text(w, key, path);
    if (!path || vxbi_utf8_valid(path, size) || size > VXBI_PATH_ROOM)
        return;
    for (size_t i = 0; i < size; i++) {
        hex[2 * i] = digits[(unsigned char)path[i] >> 4];
        hex[2 * i + 1] = digits[path[i] & 15];
    }
    hex[2 * size] = 0;
    snprintf(name, sizeof name, "%s_bytes", key);
    vxbi_member_text(w, name, hex);
}

void vxbi_member_inputs(struct vxbi_jsonw *w, const char *recipe, const char *const *inputs, uint32_t count)
{
    char folder[VXBI_PATH_ROOM];
    size_t length = 0;
    if (recipe && vxbi_path_folder(folder, sizeof folder, recipe))
        length = strlen(folder);
    vxbi_jsonw_key(w, "inputs");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < count; i++) {
        const char *input = inputs[i];
        if (length && strncmp(input, folder, length) == 0 && (folder[length - 1] == '/' || input[length] == '/')) {
            input += length;
            while (*input == '/')
                input++;
        }
        vxbi_jsonw_text(w, input);
    }
    vxbi_jsonw_array_end(w);
}
