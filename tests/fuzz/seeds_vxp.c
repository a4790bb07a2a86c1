/* Writes the seeds of the irradiance fields' corpus into the folder given: small fields, and bad files of some
 * kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "../bad_probes.h"

static const char *folder;

static int seed(const char *name, bool repair, struct test_probes file)
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

/* A texel that readers refuse as verify does, in a file that is right but for it. */
static struct test_probes with_bad_texel(void)
{
    struct test_probes file = test_probes_make(&test_probes_tiny_f16);
    file.data[file.size - 1] = 0x7C;
    return file;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_vxp FOLDER\n");
        return 2;
    }
    folder = argv[1];
    failed |= seed("tiny", true, test_probes_make(&test_probes_tiny));
    failed |= seed("tiny-f16", true, test_probes_make(&test_probes_tiny_f16));
    failed |= seed("tiny-f16-bad-texel", true, with_bad_texel());
    failed |= seed("zstd", true, test_probes_make(&test_probes_zstd));
    for (size_t i = 0; i < bad_probe_count; i++) {
        const struct bad_probe *bad = &bad_probes[i];
        struct test_probes file = bad_probe_make(bad);
        char name[64];
        snprintf(name, sizeof name, "bad-%s", vxb_finding_name(bad->finding));
        /* Those of raw fields are large; what they break is a byte, which a fuzzer finds. */
        if (file.size < 20000)
            failed |= seed(name, !bad->unrepaired, file);
        else
            free(file.data);
    }
    return failed;
}
