/* Which option of the program sets which member of the library's options. tests/check-words holds the table to what the
 * library names in its errors and to what --help lists. */
#include "wording.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *member, *option;
    const char *helps; /* what is said behind a message that it is the remedy of; NULL: it never is */
} words[] = {
    {"as", "--as", "says what to take the file for, such as --as grass-3"},
    {"at", "--at", "gives the offset where it stands"},
    {"choice", "--device", NULL},
    {"compress", "--compress", NULL},
    {"cross_check", "--cross-check", NULL},
    {"depfile", "--depfile", NULL},
    {"device", "--device", NULL},
    {"force", "--force", "replaces it"},
    {"inexact", "--inexact", "takes other bytes, and the file says so"},
    {"level", "--level", NULL},
    {"lossy", "--lossy", "lets them be lost"},
    {"max_memory_bytes", "--max-memory", "raises it"},
    {"origin", "--origin", NULL},
    {"output", "-o", NULL},
    {"preview_as", "--preview-as", NULL},
    {"radius", "--radius", NULL},
    {"recipe", "--recipe", NULL},
    {"region", "--region", NULL},
    {"species", "--species", "names one"},
    {"split", "--split", NULL},
    {"stomp", "--stomp", NULL},
    {"to", "--to", NULL},
    {"x", "--at", NULL},
    {"z", "--at", NULL},
};

static size_t place_of(const char *member)
{
    size_t i = 0;
    while (i < sizeof words / sizeof words[0] && (!member || strcmp(words[i].member, member) != 0))
        i++;
    return i;
}

void wording_format(const struct vxb_error *err, char out[WORDING_ROOM])
{
    const size_t count = sizeof words / sizeof words[0];
    const size_t fault = place_of(err->at_fault), remedy = place_of(err->remedy);
    const int used = fault < count ? snprintf(out, WORDING_ROOM, "%s: ", words[fault].option) : 0;
    vxb_error_format(err, out + used, WORDING_ROOM - (size_t)used);
    const size_t length = strlen(out);
    if (remedy < count && words[remedy].helps)
        snprintf(out + length, WORDING_ROOM - length, "; %s %s", words[remedy].option, words[remedy].helps);
}
