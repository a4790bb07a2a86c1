/* A build without OpenCL gives nobody a device, so nobody has one to give here. */
#include "../core/error.h"
#include "device_source.h"

enum vxb_status vxbi_device_source_new(const struct vxb_env *env, struct vxb_device *device,
                                       const struct vxb_plan *plan, double cross_check,
                                       struct vxbi_device_source **out, struct vxb_error *err)
{
    (void)env, (void)device, (void)plan, (void)cross_check, (void)out;
    return vxbi_fail(err, VXB_ERR_BUG, "a device was given to a build that has none");
}

void vxbi_device_source_free(struct vxbi_device_source *source) { (void)source; }

struct vxbi_cell_source vxbi_device_source_cells(struct vxbi_device_source *source)
{
    (void)source;
    return vxbi_cpu_source;
}
