/* Writes the seeds of the depth frames' corpus into the folder given: a small frame for each reader, and some
 * faults. */
#include <stdio.h>

#include "../make_files.h"

static const char *folder;

/* head: the six bytes that fuzz_depth.c takes off; made is freed. */
static void seed(const char *name, const char head[6], struct made *made)
{
    char path[1024];
    struct made whole = {0};
    made_put(&whole, head, 6);
    made_put(&whole, made->data, made->size);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    made_write(&whole, path);
    made_free(&whole);
    made_free(made);
}

int main(int argc, char **argv)
{
    static const float depths[6] = {0, 0.25f, 1, 0.125f, 0.5f, 0.75f};
    static const float metres[6] = {0, 1, 2.5f, 1.25f, 0.75f, 9};
    static const uint16_t samples[6] = {0, 1, 65535, 40000, 17, 300};
    static const uint8_t pixels[5 * 4 * 8] = {1, 200, 3, 90, 17, 6, 255, 8};
    struct made made = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_depth FOLDER\n");
        return 2;
    }
    folder = argv[1];
    made_pfm(&made, "Pf", 3, 2, depths, false);
    seed("pfm", "\0\0\0\0\0\0", &made);
    made_pfm(&made, "Pf", 3, 2, depths, true);
    seed("pfm-big-farthest", "\0\4\1\0\0\0", &made);
    made_pfm(&made, "Pf", 3, 2, metres, false);
    seed("pfm-linear", "\0\2\2\6\0\0", &made);
    made_pfm(&made, "PF", 2, 1, depths, false);
    seed("pfm-colour", "\0\0\0\0\0\0", &made);
    for (int i = 0; i < 6; i++)
        made_f32(&made, depths[i]);
    seed("raw", "\1\0\0\0\3\2", &made);
    for (int i = 0; i < 6; i++)
        made_f32(&made, metres[i]);
    seed("raw-linear", "\1\20\2\4\2\3", &made);
    made_png_grey16(&made, 3, 2, samples);
    seed("png", "\2\0\0\0\0\0", &made);
    made_png(&made, 5, 4, 16, 6, pixels, 5);
    seed("png-colour", "\3\2\1\1\0\0", &made);
    made_put(&made, pixels, 3 * (1 + 5 * 2));
    seed("png-wrapped", "\4\0\0\0\4\2", &made);
    return 0;
}
