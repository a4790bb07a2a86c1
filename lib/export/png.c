/* PNG through stb_image_write, whose settings stay as compiled in: they are the bytes' only other input. */
#include "png.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#define PNG_SIDE_MAX 32768u
/* stb counts a picture's bytes in an int. */
#define PNG_BYTES_MAX (UINT64_C(1) << 30)

struct target {
    struct vxbi_output *output;
    struct vxb_error *err;
    enum vxb_status status;
};

static void receive(void *user, void *data, int size)
{
    struct target *target = user;
    if (target->status == VXB_OK && size > 0)
        target->status = vxbi_output_append(target->output, data, (size_t)size, target->err);
}

enum vxb_status vxbi_png_write_rgb(struct vxbi_output *output, uint32_t width, uint32_t height, const uint8_t *pixels,
                                   struct vxb_error *err)
{
    struct target target = {.output = output, .err = err, .status = VXB_OK};
    uint64_t bytes = (uint64_t)width * height * 3;
    if (width == 0 || height == 0 || width > PNG_SIDE_MAX || height > PNG_SIDE_MAX || bytes > PNG_BYTES_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT, "a picture of %u x %u pixels can't be written: sides are 1..%u, 1 GiB in"
                         " all", width, height, PNG_SIDE_MAX);
    if (!stbi_write_png_to_func(receive, &target, (int)width, (int)height, 3, pixels, (int)(width * 3)))
        return vxbi_fail_memory(err, bytes);
    return target.status;
}
