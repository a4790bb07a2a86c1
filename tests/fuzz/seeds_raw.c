/* Writes the seeds of the raw corpus into the folder given: fields of each format, whole, cut and spoilt, each with a
 * structure to show of it, and a depth pyramid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bad_files.h"
#include "pyramid/pyramid.h"

static FILE *create(const char *folder, const char *name, unsigned as, unsigned structure, unsigned first, unsigned at)
{
    char path[1024];
    const uint8_t how[4] = {(uint8_t)(structure << 4 | as), (uint8_t)first, (uint8_t)at, (uint8_t)(at >> 8)};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(how, 1, sizeof how, file) != sizeof how) {
        perror(path);
        exit(1);
    }
    return file;
}

static void finish(FILE *file)
{
    if (fclose(file) != 0) {
        perror("fclose");
        exit(1);
    }
}

enum { HEADER, SECTION, LOD, STRING, CHUNK, BLADE, LEVEL, DFD, SAMPLE, KEY, ALL = 255, NOWHERE = 65535 };

static void field(const char *folder, const char *name, const struct test_field *of, unsigned structure, size_t cut)
{
    struct test_file file = test_field_make(of);
    FILE *out = create(folder, name, 0, structure, ALL, NOWHERE);
    fwrite(file.data, 1, cut && cut < file.size ? cut : file.size, out);
    finish(out);
    free(file.data);
}

static void spoilt(const char *folder, enum vxb_finding finding, unsigned as, unsigned structure, unsigned first,
                   unsigned at)
{
    for (size_t i = 0; i < bad_file_count; i++)
        if (bad_files[i].finding == finding) {
            struct test_file file = bad_file_make(&bad_files[i]);
            FILE *out = create(folder, vxb_finding_name(finding), as, structure, first, at);
            fwrite(file.data, 1, file.size, out);
            finish(out);
            free(file.data);
            return;
        }
}

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    (void)err;
    return fwrite(data, 1, size, user) == size ? VXB_OK : VXB_ERR_IO;
}

static void pyramid(const char *folder, const char *name, unsigned structure)
{
    struct vxb_pyramid *made = NULL;
    if (vxb_pyramid_new(NULL, 5, 3, VXB_REDUCE_FARTHEST, &made, NULL) != VXB_OK)
        exit(1);
    memset(vxb_pyramid_depth(made), 0, 15 * sizeof(float));
    FILE *out = create(folder, name, 0, structure, ALL, NOWHERE);
    if (vxb_pyramid_build(NULL, made, vxb_pyramid_depth(made), 15, NULL) != VXB_OK ||
        vxbi_pyramid_write(NULL, made, &(struct vxbi_ktx2_sink){out, append}, NULL) != VXB_OK)
        exit(1);
    finish(out);
    vxb_pyramid_free(made);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_raw FOLDER\n");
        return 2;
    }
    field(argv[1], "format1-blade", &test_field_1, BLADE, 0);
    field(argv[1], "format1-chunk-cut", &test_field_1, CHUNK, 100);
    field(argv[1], "format2-string", &test_field_2, STRING, 0);
    field(argv[1], "format2-header-cut", &test_field_2, HEADER, 90);
    field(argv[1], "format2-zstd-blade", &test_field_2_zstd, BLADE, 0);
    field(argv[1], "format3-section", &test_field_3, SECTION, 0);
    field(argv[1], "format3-string-cut", &test_field_3, STRING, 400);
    field(argv[1], "format3-split-blade-cut", &test_field_3_split, BLADE, 900);
    spoilt(argv[1], VXB_FINDING_MAGIC, 4, LOD, 0, NOWHERE);
    spoilt(argv[1], VXB_FINDING_CHUNK_OFFSET, 0, BLADE, 3, NOWHERE);
    spoilt(argv[1], VXB_FINDING_CHUNK_ORDER, 0, CHUNK, ALL, NOWHERE);
    spoilt(argv[1], VXB_FINDING_TABLES_OUTSIDE, 0, CHUNK, 2, NOWHERE);
    spoilt(argv[1], VXB_FINDING_STRING_CUT, 0, STRING, ALL, 190);
    spoilt(argv[1], VXB_FINDING_ZSTD_DAMAGED, 0, BLADE, ALL, NOWHERE);
    spoilt(argv[1], VXB_FINDING_BLADE_UP_CODE, 0, BLADE, ALL, NOWHERE);
    spoilt(argv[1], VXB_FINDING_LOD_KEEP, 0, LOD, 1, 160);
    pyramid(argv[1], "pyramid-level", LEVEL);
    pyramid(argv[1], "pyramid-sample", SAMPLE);
    pyramid(argv[1], "pyramid-key", KEY);
    return 0;
}
