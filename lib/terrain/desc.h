/* Reporting every fault of a terrain, and checking what the recipe says of it. */
#ifndef VXBI_TERRAIN_DESC_H
#define VXBI_TERRAIN_DESC_H

#include "ground.h"

/* Where faults go: all to the environment's diag, the first one to err and status. */
struct vxbi_report {
    const struct vxb_env *env;
    struct vxb_error *err; /* NULL is allowed */
    enum vxb_status status;
    bool stop; /* cancelled, or out of memory: look for no more */
    /* Where the faults of vxbi_check_desc() go, each with the JSON pointer it has in a recipe; NULL: to env and err. */
    void (*add)(void *user, const char *pointer, const char *message);
    void *user;
};

/* Reports one fault, adding where it happened if that is still unknown. */
void vxbi_report(struct vxbi_report *report, struct vxb_error *found, const char *path, const char *pointer);

/* Checks desc; false where its terrain's file can't be read at all (its kind or a raw file's size is unknown). */
bool vxbi_check_desc(struct vxbi_report *report, const struct vxb_terrain_desc *desc, enum vxb_terrain_kind *kind);

/* "/terrain/layers/NAME", the name escaped as JSON pointers are; cut where it does not fit. */
#define VXBI_LAYER_POINTER_ROOM 256
void vxbi_layer_pointer(char *out, size_t room, const char *name);

#endif
