/* Paths as text; no file is looked at. */
#include "path.h"

#include <stdio.h>
#include <string.h>

bool vxbi_path_join(char *out, size_t room, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] != '/' ? "/" : "";
    if (name[0] == '/')
        folder = slash = "";
    char joined[VXBI_PATH_ROOM];
    int n = snprintf(joined, sizeof joined, "%s%s%s", folder, slash, name);
    if (n < 0 || (size_t)n >= sizeof joined || (size_t)n >= room)
        return false;
    memcpy(out, joined, (size_t)n + 1);
    return true;
}

bool vxbi_path_folder(char *out, size_t room, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (slash == path ? 1 : (size_t)(slash - path)) : 0;
    if (length >= room)
        return false;
    memmove(out, path, length);
    out[length] = 0;
    return true;
}
