/* Writing JSON as a stream: reports may list millions of chunks, so no tree is built (cJSON can print only trees, and
 * prints numbers with 17 digits). Always valid JSON: what is no number becomes null, text is escaped, bytes that are no
 * UTF-8 become U+FFFD. */
#ifndef VXBI_CORE_JSONW_H
#define VXBI_CORE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vxbi_jsonw {
    bool (*write)(void *user, const char *data, size_t size);
    void *user;
    bool compact;       /* one line, no indentation */
    bool failed;        /* write returned false; all later calls do nothing */
    unsigned depth;
    bool first;         /* nothing written yet at this depth */
    bool after_key;
    size_t used;
    char buf[4096];
};

/* write receives the text piece by piece. end writes what is left and a newline, and returns whether all went well. */
void vxbi_jsonw_begin(struct vxbi_jsonw *w, bool (*write)(void *user, const char *data, size_t size), void *user,
                      bool compact);
bool vxbi_jsonw_end(struct vxbi_jsonw *w);

void vxbi_jsonw_object(struct vxbi_jsonw *w);
void vxbi_jsonw_object_end(struct vxbi_jsonw *w);
void vxbi_jsonw_array(struct vxbi_jsonw *w);
void vxbi_jsonw_array_end(struct vxbi_jsonw *w);
void vxbi_jsonw_key(struct vxbi_jsonw *w, const char *key);

/* Values; in an object each follows its key. */
void vxbi_jsonw_text(struct vxbi_jsonw *w, const char *text); /* NULL: null */
void vxbi_jsonw_u64(struct vxbi_jsonw *w, uint64_t value);    /* a number: counts and sizes below 2^53 */
void vxbi_jsonw_i64(struct vxbi_jsonw *w, int64_t value);
void vxbi_jsonw_id(struct vxbi_jsonw *w, uint64_t value);     /* "0x0123456789abcdef" */
void vxbi_jsonw_f32(struct vxbi_jsonw *w, float value);       /* shortest; null where not finite */
void vxbi_jsonw_f64(struct vxbi_jsonw *w, double value);
void vxbi_jsonw_bool(struct vxbi_jsonw *w, bool value);
void vxbi_jsonw_null(struct vxbi_jsonw *w);

#endif
