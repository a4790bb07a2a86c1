/* Writes the seeds of the grass corpus into the folder given: the fields of the tests, and bad files of some kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "../bad_files.h"

static const char *folder;

static int seed(const char *name, bool repair, struct test_file file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    bool good = out && fputc(repair, out) != EOF && fwrite(file.data, 1, file.size, out) == file.size;
    good = out && fclose(out) == 0 && good;
    free(file.data);
    if (!good)
        perror(path);
    return !good;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const struct test_field *field;
    } fields[] = {{"format1", &test_field_1}, {"format1-empty", &test_field_1_empty}, {"format2", &test_field_2},
                  {"format2-zstd", &test_field_2_zstd}, {"format2-empty", &test_field_2_empty},
                  {"format2-flat", &test_field_flat}, {"format3", &test_field_3},
                  {"format3-split", &test_field_3_split},
                  {"format3-empty-section", &test_field_3_empty_section}};
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_grass FOLDER\n");
        return 2;
    }
    folder = argv[1];
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        failed |= seed(fields[i].name, true, test_field_make(fields[i].field));
    /* One of every few is enough: all of them are in the unit tests. */
    for (size_t i = 0; i < bad_file_count; i += 6) {
        char name[64];
        snprintf(name, sizeof name, "bad-%s", vxb_finding_name(bad_files[i].finding));
        failed |= seed(name, false, bad_file_make(&bad_files[i]));
    }
    return failed;
}
