/* A build without OpenCL gives nobody a device, so nobody has one to give here. */
#include "device_fill.h"

enum vxb_status vxbi_device_fill_new(const struct vxb_env *env, const struct vxb_probe_field *field,
                                     const struct vxbi_fill_scene *scene, const struct vxb_fill_options *options,
                                     struct vxbi_device_fill **out, struct vxb_error *err)
{
    (void)env, (void)field, (void)scene, (void)options, (void)out;
    return vxbi_fail(err, VXB_ERR_BUG, "a device was given to a build that has none");
}

void vxbi_device_fill_free(struct vxbi_device_fill *fill) { (void)fill; }

enum vxb_status vxbi_device_fill_run(struct vxbi_device_fill *fill, struct vxbi_fill_pass *pass)
{
    (void)fill, (void)pass;
    return VXB_ERR_BUG;
}
