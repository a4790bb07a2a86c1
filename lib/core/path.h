/* Paths as text: taken apart and put together. They are bytes, as open(2) takes them. */
#ifndef VXBI_CORE_PATH_H
#define VXBI_CORE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define VXBI_PATH_ROOM 4096

/* folder + "/" + name into out, or name alone where it is absolute or folder is "". False where it does not fit. */
bool vxbi_path_join(char *out, size_t room, const char *folder, const char *name);
/* The part of path before its last slash into out ("" where there is none, "/" for the root). */
bool vxbi_path_folder(char *out, size_t room, const char *path);

#endif
