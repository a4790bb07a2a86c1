/* What needs no OpenCL: names, and freeing a list. */
#include "../core/alloc.h"
#include "../vxbake/device.h"

const char *vxb_device_kind_name(enum vxb_device_kind kind)
{
    switch (kind) {
    case VXB_DEVICE_CPU: return "cpu";
    case VXB_DEVICE_GPU: return "gpu";
    case VXB_DEVICE_ACCELERATOR: return "accelerator";
    case VXB_DEVICE_OTHER: return "other";
    }
    return "unknown";
}

void vxb_device_list_free(struct vxb_device_list *list)
{
    if (!list)
        return;
    const struct vxb_allocator allocator = list->allocator;
    vxbi_delete(&allocator, list->devices, list->count, sizeof *list->devices);
    vxbi_delete(&allocator, list, 1, sizeof *list);
}
