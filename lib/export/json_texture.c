/* What a KTX2 file says of itself, as JSON: report-texture under schemas/. */
#include "sink.h"

static void level(struct vxbi_jsonw *w, const struct vxb_texture_level *level)
{
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "width", level->width);
    vxbi_member_u64(w, "height", level->height);
    vxbi_member_u64(w, "depth", level->depth);
    vxbi_member_u64(w, "offset", level->offset);
    vxbi_member_u64(w, "bytes", level->bytes);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_texture_json(const struct vxb_texture *texture, bool compact, const struct vxb_sink *sink,
                                 struct vxb_error *err)
{
    const struct vxb_texture_info *info = vxb_texture_info(texture);
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "texture-inspect");
    vxbi_member_text(&w, "format", info->format);
    vxbi_member_u64(&w, "vk_format", info->vk_format);
    vxbi_member_u64(&w, "width", info->width);
    vxbi_member_u64(&w, "height", info->height);
    vxbi_member_u64(&w, "depth", info->depth);
    vxbi_member_u64(&w, "layers", info->layers);
    vxbi_member_u64(&w, "faces", info->faces);
    vxbi_member_u64(&w, "file_bytes", info->file_bytes);
    vxbi_jsonw_key(&w, "keys");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < info->value_count; i++) {
        vxbi_jsonw_object(&w);
        vxbi_member_text(&w, "key", info->values[i].key);
        vxbi_member_text(&w, "text", info->values[i].text);
        vxbi_member_u64(&w, "bytes", info->values[i].bytes);
        vxbi_jsonw_object_end(&w);
    }
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_key(&w, "levels");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < info->level_count; i++)
        level(&w, &info->levels[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
