/* Endings that are known, and what they promise. */
#include "names.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *ending, *what;
} kinds[] = {
    {".vxg", "a grass file"},
    {".vxp", "an irradiance field"},
    {".ktx2", "a KTX2 file"},
    {".ktx", "a KTX 1 file"},
    {".png", "a PNG"},
    {".jpg", "a JPEG"},
    {".jpeg", "a JPEG"},
    {".gif", "a GIF"},
    {".bmp", "a BMP"},
    {".tga", "a TGA"},
    {".tif", "a TIFF"},
    {".tiff", "a TIFF"},
    {".webp", "a WebP image"},
    {".exr", "an OpenEXR image"},
    {".hdr", "a Radiance HDR image"},
    {".dds", "a DDS"},
    {".pfm", "a PFM"},
    {".pgm", "a PGM"},
    {".ppm", "a PPM"},
    {".svg", "an SVG"},
    {".pdf", "a PDF"},
    {".html", "HTML"},
    {".json", "JSON"},
    {".yaml", "YAML"},
    {".yml", "YAML"},
    {".xml", "XML"},
    {".csv", "CSV"},
    {".ply", "a PLY"},
    {".vxgrass", "a .vxgrass rule"},
    {".vxterrain", "a .vxterrain"},
    {".r16", "a raw heightmap"},
    {".r32", "a raw heightmap"},
    {".zst", "a zstd stream"},
    {".gz", "a gzip stream"},
    {".xz", "an xz stream"},
    {".zip", "a ZIP archive"},
};

const char *names_promise(const char *path, const char *ending)
{
    if (!path)
        return NULL;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    if (!dot || dot == base || strcasecmp(dot, ending) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcasecmp(dot, kinds[i].ending) == 0)
            return kinds[i].what;
    return NULL;
}

int names_check(const struct args *args, const char *option, const char *path, const char *ending, const char *what)
{
    const char *promise = names_promise(path, ending);
    for (size_t i = 0; i < args->operand_count && promise; i++)
        if (args_same_file(path, args->operands[i]))
            promise = NULL;
    if (!promise)
        return CLI_EXIT_OK;
    return cli_usage_error(args->command, "%s: %s ends as %s does, and what is written is %s: give it a name that "
                           "ends in %s", option, cli_clean(path), promise, what, ending);
}
