/* An open KTX2 file as the library's own code sees it. */
#ifndef VXBI_KTX2_TEXTURE_H
#define VXBI_KTX2_TEXTURE_H

#include "../vxbake/texture.h"
#include "ktx2.h"

struct vxb_texture {
    struct vxb_allocator allocator;
    struct vxbi_file *file;
    char *name;            /* for messages */
    struct vxbi_ktx2 ktx2; /* to be read from only where usable */
    bool usable;
    struct vxb_texture_info info;
};

/* Whether these first bytes are those of KTX2, of this version or the first. */
bool vxbi_texture_begins(const uint8_t *start, size_t size);

/* Takes an open file, also where it fails. Broken rules go to collect; usable tells whether there was none. */
enum vxb_status vxbi_texture_adopt(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                   struct vxbi_collect *collect, struct vxb_texture **out, struct vxb_error *err);

/* The same strictly: the first broken rule is the error. */
enum vxb_status vxbi_texture_open_file(const struct vxb_env *env, const char *path, struct vxbi_file *file,
                                       struct vxb_texture **out, struct vxb_error *err);

#endif
