/* Runs a fuzz target over its committed corpus, $srcdir/tests/fuzz/corpus/FUZZ_NAME, or over the files given: what
 * make check does of fuzzing. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    uint8_t *data = NULL;
    size_t size = 0, room = 0, n;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    do {
        if (size == room) {
            room = room ? room * 2 : 65536;
            data = realloc(data, room);
            if (!data)
                abort();
        }
        n = fread(data + size, 1, room - size, file);
        size += n;
    } while (n);
    int failed = ferror(file);
    fclose(file);
    /* A block of exactly that size, so that a sanitizer sees a read beyond. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, data, size);
    free(data);
    if (!failed)
        LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return failed;
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    char folder[3072], path[4096];
    int failed = 0, count = 0;
    for (int i = 1; i < argc; i++, count++)
        failed |= replay(argv[i]);
    if (argc > 1)
        return failed;
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/" FUZZ_NAME, srcdir ? srcdir : ".");
    DIR *dir = opendir(folder);
    if (!dir) {
        perror(folder);
        return 1;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        failed |= replay(path);
        count++;
    }
    closedir(dir);
    printf(FUZZ_NAME ": %d inputs\n", count);
    return failed || count == 0;
}
