/* A pass of the fill, as those who trace see it: bricks to fill, and where their probes go. */
#ifndef VXBI_PROBES_FILL_H
#define VXBI_PROBES_FILL_H

#include <stdatomic.h>

#include "../core/os.h"
#include "fill_scene.h"

#define VXBI_BRICK_FLOATS (VXK_PROBES_A_BRICK * VXK_PROBE_FLOATS) /* a brick's probes, as they are filled */

struct vxbi_fill_pass {
    const struct vxb_env *env;
    struct vxb_probe_field *field;
    const struct vxbi_fill_scene *scene;
    const struct vxb_brick *bricks;
    uint32_t count;
    const struct vxb_probe *before; /* the pool of the pass before; NULL: there is none */
    uint64_t done_before, total;    /* bricks of all passes, for progress */
    struct vxbi_mutex *lock;
    atomic_uint next;
    atomic_bool stop;
    /* Under the lock: */
    uint64_t done, invalid;
    enum vxb_status status; /* the first failure */
    struct vxb_error *err;
};

/* One brick on the CPU: VXBI_BRICK_FLOATS numbers. False: the pass ended meanwhile, and they mean nothing. Any
 * thread. */
bool vxbi_fill_brick(struct vxbi_fill_pass *pass, uint32_t index, float *probes);

/* Puts a brick's probes where they belong, tells of it. False: no more is wanted. Any thread. */
bool vxbi_fill_take(struct vxbi_fill_pass *pass, uint32_t index, const float *probes);

/* Polls, one thread at a time. False: no more is wanted. Any thread. */
bool vxbi_fill_goes_on(struct vxbi_fill_pass *pass);

/* Ends the pass for everyone. Any thread. */
void vxbi_fill_fail(struct vxbi_fill_pass *pass, enum vxb_status status, const struct vxb_error *why);

/* Fills on the CPU, on as many threads as the environment says. */
enum vxb_status vxbi_fill_on_cpu(struct vxbi_fill_pass *pass);

#endif
