/* The devices of a machine as JSON: report-devices under schemas/. */
#include "sink.h"

static void device(struct vxbi_jsonw *w, uint32_t number, const struct vxb_device_info *info)
{
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "number", number);
    vxbi_member_text(w, "platform", info->platform);
    vxbi_member_text(w, "name", info->name);
    vxbi_member_text(w, "kind", vxb_device_kind_name(info->kind));
    vxbi_member_text(w, "version", info->version);
    vxbi_member_text(w, "driver", info->driver);
    vxbi_member_u64(w, "compute_units", info->compute_units);
    vxbi_member_u64(w, "memory_bytes", info->memory_bytes);
    vxbi_member_u64(w, "buffer_bytes", info->buffer_bytes);
    vxbi_jsonw_key(w, "usable");
    vxbi_jsonw_bool(w, info->usable);
    vxbi_jsonw_key(w, "exact");
    vxbi_jsonw_bool(w, info->exact);
    vxbi_member_text(w, "why_not", info->why_not[0] ? info->why_not : NULL);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_devices_json(const struct vxb_device_list *list, bool compact, const struct vxb_sink *sink,
                                 struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "devices");
    vxbi_jsonw_key(&w, "devices");
    vxbi_jsonw_array(&w);
    for (uint32_t i = 0; i < list->count; i++)
        device(&w, i, &list->devices[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
