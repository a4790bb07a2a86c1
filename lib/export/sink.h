/* From the JSON writer to the caller's sink. */
#ifndef VXBI_EXPORT_SINK_H
#define VXBI_EXPORT_SINK_H

#include "../core/error.h"
#include "../core/jsonw.h"
#include "../vxbake/export.h"

/* Starts a JSON document that goes to sink; compact: one line. */
void vxbi_sink_json(struct vxbi_jsonw *w, const struct vxb_sink *sink, bool compact);
/* Ends it: VXB_ERR_IO where the sink said no. */
enum vxb_status vxbi_sink_json_end(struct vxbi_jsonw *w, struct vxb_error *err);
/* The one way to report a sink that said no. */
enum vxb_status vxbi_sink_failed(struct vxb_error *err);

/* A key and its value. */
void vxbi_member_text(struct vxbi_jsonw *w, const char *key, const char *value);
void vxbi_member_bool(struct vxbi_jsonw *w, const char *key, bool value);
void vxbi_member_null(struct vxbi_jsonw *w, const char *key);
void vxbi_member_u64(struct vxbi_jsonw *w, const char *key, uint64_t value);
void vxbi_member_vec3(struct vxbi_jsonw *w, const char *key, const float value[3]);
void vxbi_member_uvec3(struct vxbi_jsonw *w, const char *key, const uint32_t value[3]);
void vxbi_member_i64(struct vxbi_jsonw *w, const char *key, int64_t value);
void vxbi_member_id(struct vxbi_jsonw *w, const char *key, uint64_t value);
void vxbi_member_f32(struct vxbi_jsonw *w, const char *key, float value);
void vxbi_member_f64(struct vxbi_jsonw *w, const char *key, double value);
void vxbi_member_limit(struct vxbi_jsonw *w, const char *key, uint32_t value); /* null: VXB_NO_LIMIT */

/* A path, which is bytes: where they are no UTF-8, which JSON can't hold, a member <key>_bytes follows that has them in
 * hexadecimal. */
void vxbi_member_path(struct vxbi_jsonw *w, const char *key, const char *path);
/* "inputs": those of a recipe as it names them, and so UTF-8; the part of each path before them, the recipe's folder,
 * is the machine's. recipe: its path; NULL: it is no file. */
void vxbi_member_inputs(struct vxbi_jsonw *w, const char *recipe, const char *const *inputs, uint32_t count);

#endif
