/* The reader of camera paths: any bytes as a path. One that is taken gives finite cameras, first frame to last. */
#include <math.h>
#include <stdlib.h>

#include "vxbake/simulate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct vxb_path *path, uint32_t frame)
{
    struct vxb_view view = {0};
    struct vxb_error err = {0};
    double time;
    enum vxb_status status = vxb_path_frame(path, frame, &time, &view, &err);
    if (status == VXB_ERR_USAGE && err.message[0]) /* the target moves through the camera */
        return;
    if (status || !isfinite(time) || view.plane_count < 4 || view.plane_count > 6)
        abort();
    for (uint32_t i = 0; i < view.plane_count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(view.planes[i].normal[k]) || !isfinite(view.position[k]))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vxb_path *path = NULL;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_path_parse(NULL, (const char *)data, size, "fuzz.json", &path, &err);
    if ((status == VXB_OK) != (path != NULL) || status != err.status || status == VXB_ERR_BUG)
        abort();
    if (path) {
        const uint32_t frames = vxb_path_frame_count(path);
        for (uint32_t i = 0; i < frames; i += 1 + frames / 64)
            look(path, i);
        look(path, frames - 1);
    }
    vxb_path_free(path);
    return 0;
}
