/* Fuzz target of the depth frames' readers: PFM, raw, and PNG, as it is, with its checksums made right, or wrapped
 * around pixels. Six bytes say how the rest is read. A frame that is taken is a pyramid whose every level keeps the
 * rules. */
#include <stdlib.h>
#include <string.h>

#include "../make_files.h"
#include "pyramid/pyramid.h"
#include "scratch.h"
#include "vxbake/terrain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PFM, RAW, PNG, PNG_REPAIRED, PNG_WRAPPED, READERS };
enum { FLAG_BIG = 1, FLAG_SCALE = 2, FLAG_FARTHEST = 4, FLAG_INTERLACED = 8, FLAG_PLANES = 16 };

static void fail(void *user, const struct vxbi_found *found)
{
    (void)user;
    (void)found;
    abort();
}

static void read_frame(const struct vxb_depth_desc *desc, enum vxb_reduce reduce)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 20, .threads = 1};
    struct vxbi_collect strict = {.add = fail};
    struct vxb_pyramid *pyramid = NULL;
    struct vxb_error err = {0};
    const enum vxb_status status = vxb_pyramid_from_depth(&env, desc, reduce, &pyramid, &err);
    if (status != err.status || (status == VXB_OK) != (pyramid != NULL) || status == VXB_ERR_BUG ||
        (status && !err.message[0]))
        abort();
    for (uint64_t i = 0; pyramid && i < (uint64_t)pyramid->width * pyramid->height; i++)
        if (!(pyramid->levels[0].texels[i] >= 0.0f && pyramid->levels[0].texels[i] <= 1.0f))
            abort();
    if (pyramid && vxbi_pyramid_check(&env, pyramid, &strict, NULL) != VXB_OK)
        abort();
    vxb_pyramid_free(pyramid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[READERS] = {"a.pfm", "a.r32", "a.png", "a.png", "a.png"};
    static const double scales[4] = {1.0, 1e-3, 1e9, 0x1p-40};
    static const unsigned colours[4] = {0, 4, 2, 6};
    struct made made = {0};
    if (size < 6)
        return 0;
    const unsigned reader = data[0] % READERS, flags = data[1];
    struct vxb_depth_desc desc = {.convention = (enum vxb_depth_convention)(data[2] % 3)};
    desc.has_scale = (flags & FLAG_SCALE) != 0;
    desc.scale = scales[data[3] & 3];
    if (desc.convention == VXB_DEPTH_LINEAR || flags & FLAG_PLANES) {
        desc.has_near = desc.has_far = true;
        desc.near_plane = scales[data[3] >> 2 & 3];
        desc.far_plane = scales[data[3] >> 4 & 3] * 1.5;
    }
    if (reader == RAW) {
        desc.width = data[4];
        desc.height = data[5];
        desc.order = flags & FLAG_BIG ? VXB_ORDER_BIG : VXB_ORDER_LITTLE;
    }
    if (reader == PNG_REPAIRED)
        made_png_repaired(&made, data + 6, size - 6);
    else if (reader == PNG_WRAPPED)
        made_png_wrapped(&made, (data[4] & 63u) + 1, (data[5] & 63u) + 1, data[4] & 64 ? 8 : 16, colours[data[5] >> 6],
                         (flags & FLAG_INTERLACED) != 0, data + 6, size - 6);
    else
        made_put(&made, data + 6, size - 6);
    desc.path = scratch_put(names[reader], made.data, made.size);
    made_free(&made);
    read_frame(&desc, flags & FLAG_FARTHEST ? VXB_REDUCE_FARTHEST : VXB_REDUCE_NEAREST);
    return 0;
}
