/* Runs a fuzz target once over each file given, or each file in a folder given: how `make check` replays a corpus, with
 * any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replayed;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    uint8_t *data = NULL;
    size_t size = 0, room = 0;
    for (;;) {
        if (size == room) {
            room = room ? room * 2 : 4096;
            data = realloc(data, room);
            if (!data)
                abort();
        }
        size_t n = fread(data + size, 1, room - size, file);
        if (n == 0)
            break;
        size += n;
    }
    fclose(file);
    /* A block of exactly the input's size: a read beyond it is then seen. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 0;
}

static int replay(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return replay_file(path);
    int bad = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        bad |= replay_file(inside);
    }
    closedir(folder);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    printf("%u inputs replayed\n", replayed);
    return bad || !replayed;
}
