/* Shared libraries that are loaded by name: drivers, which nothing here is linked with. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "os.h"

void *vxbi_library_open(const char *name, char *why, size_t room)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(why, room, "%s", dlerror());
    return library;
}

bool vxbi_library_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    /* C has no conversion between the two kinds of pointer; POSIX says that they are the same bytes. */
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}
