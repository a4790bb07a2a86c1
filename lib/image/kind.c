/* Telling kinds of files apart, by name and by content. */
#include <string.h>

#include "source.h"

bool vxbi_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), n = strlen(ending);
    if (length < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = path[length - n + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i])
            return false;
    }
    return true;
}

const char *vxbi_kind_of_content(const uint8_t *data, size_t size, bool *sure)
{
    static const struct {
        const char *name, *bytes;
        size_t count;
    } kinds[] = {
        {"a PNG", "\x89PNG\r\n\x1a\n", 8},
        {"a .vxterrain", "VXTERRA1", 8},
        {"a grass file", "\x89VXG\r\n\x1a\n", 8},
        {"an irradiance field", "\x89VXP\r\n\x1a\n", 8},
        {"a KTX2 file", "\xabKTX 20\xbb", 8},
        {"a Radiance HDR image", "#?RADIANCE", 10},
        {"a Radiance HDR image", "#?RGBE", 6},
        {"a JPEG", "\xff\xd8\xff", 3},
        {"a TIFF", "II*\0", 4},
        {"a TIFF", "MM\0*", 4},
        {"a TIFF", "II+\0", 4},
        {"a TIFF", "MM\0+", 4},
        {"an OpenEXR image", "\x76\x2f\x31\x01", 4},
        {"a glTF binary", "glTF", 4},
        {"a GIF", "GIF8", 4},
        {"a PSD", "8BPS", 4},
        {"a zstd stream", "\x28\xb5\x2f\xfd", 4},
        {"a ZIP archive", "PK\3\4", 4},
        {"a gzip stream", "\x1f\x8b\x08", 3},
        {"a 0 A.D. terrain", "PSMP", 4},
        {"a PFM", "Pf\n", 3},
        {"a colour PFM", "PF\n", 3},
        {"a binary PGM", "P5\n", 3},
        {"a binary PPM", "P6\n", 3},
    };
    *sure = false;
    if (size >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0) {
        *sure = true;
        return "a WebP image";
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].count && memcmp(data, kinds[i].bytes, kinds[i].count) == 0) {
            *sure = kinds[i].count >= 6;
            return kinds[i].name;
        }
    return NULL;
}

enum vxb_status vxbi_fail_kind(const char *path, const char *ending, const uint8_t *data, size_t size,
                               const char *expected, struct vxb_error *err)
{
    bool sure;
    const char *found = vxbi_kind_of_content(data, size, &sure);
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (found && dot && strlen(dot) <= 16 && (!ending || vxbi_ends_with(path, ending)))
        return vxbi_fail(err, VXB_ERR_FORMAT, "this is %s although its name says %s; %s is expected", found, dot,
                         expected);
    if (found)
        return vxbi_fail(err, VXB_ERR_FORMAT, "this is %s; %s is expected", found, expected);
    return vxbi_fail(err, VXB_ERR_FORMAT, "this is not %s: it begins with %02x %02x %02x %02x", expected,
                     size > 0 ? data[0] : 0u, size > 1 ? data[1] : 0u, size > 2 ? data[2] : 0u,
                     size > 3 ? data[3] : 0u);
}
