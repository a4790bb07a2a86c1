/* Writes the seeds of the terrain corpus into a folder: a small valid file for each reader, and some with a fault. */
#include <stdio.h>
#include <string.h>

#include "../make_files.h"

static const char *folder;

/* head: the four bytes that fuzz_terrain.c takes off; made is freed. */
static void seed(const char *name, const char head[4], struct made *made)
{
    char path[1024];
    struct made whole = {0};
    made_put(&whole, head, 4);
    made_put(&whole, made->data, made->size);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    made_write(&whole, path);
    made_free(&whole);
    made_free(made);
}

static void seed_png(void)
{
    static const uint8_t pixels[5 * 4 * 8] = {1, 200, 3, 90, 17, 6, 255, 8};
    struct made made = {0};
    made_png(&made, 5, 4, 16, 0, pixels, 5);
    seed("png-grey16", "\0\x20\0\0", &made);
    made_png(&made, 5, 4, 16, 6, pixels, 5);
    seed("png-rgba16", "\0\x26\0\0", &made);
    made_png(&made, 5, 4, 8, 2, pixels, 4);
    seed("map-rgb8", "\5\x21\0\0", &made);
    made_png(&made, 5, 4, 8, 4, pixels, 3);
    seed("map-grey-alpha8", "\5\x2d\0\0", &made);
    made_png_signature(&made);
    made_png_header(&made, 32768, 32768, 16, 0, true);
    made_png_chunk(&made, "IDAT", pixels, 9);
    made_png_chunk(&made, "IEND", "", 0);
    seed("png-bomb", "\0\x20\0\0", &made);
    made_put(&made, pixels, 3 * (1 + 5 * 2));
    seed("wrapped-grey16", "\6\x00\x44\x02", &made);
    made_put(&made, pixels, 2 + 2 + 2 + 4 + 2 * 3 + 2 * 6); /* its six passes */
    seed("wrapped-interlaced-grey8", "\6\x40\x04\x03", &made);
    made_put(&made, pixels, 3 * (1 + 5 * 3));
    seed("wrapped-map-rgb8", "\7\x01\x04\x82", &made);
}

static void seed_floats(void)
{
    static const float heights[6] = {-3, 0, 2.5f, 7, 99, -99};
    struct made made = {0};
    for (int i = 0; i < 6; i++)
        made_f32(&made, heights[i]);
    seed("r32", "\2\x15\3\2", &made);
    for (int i = 0; i < 6; i++)
        made_u16(&made, (uint16_t)(i * 9999));
    seed("r16-big", "\1\x0b\3\2", &made);
    made_pfm(&made, "Pf", 3, 2, heights, false);
    seed("pfm", "\3\x02\0\0", &made);
    made_pfm(&made, "Pf", 3, 2, heights, true);
    seed("pfm-big", "\3\x14\0\0", &made);
    made_text(&made, "Pf\r\n2 1e9\r\n0\r\n");
    seed("pfm-bad", "\3\0\0\0", &made);
}

static void seed_vxterrain(void)
{
    static const int32_t deltas[3] = {1, -3, 0x12345};
    uint16_t base[28];
    struct made made = {0};
    for (int i = 0; i < 28; i++)
        base[i] = (uint16_t)(i * 2000);
    made_vxterrain_head(&made, 4, 2, 1, 0.5f, -8, 8, base);
    made_u32(&made, 0);
    made_u32(&made, 2);
    made_vxterrain_weights(&made, "Grass", (const uint8_t *)base, 28);
    made_vxterrain_weights(&made, "Dirt", (const uint8_t *)base, 28);
    made_u32(&made, 2);
    made_u32(&made, 6);
    made_u32(&made, 2);
    made_u32(&made, 7);
    made_u32(&made, 2);
    seed("vxterrain-layers-holes", "\4\x06\0\0", &made);
    made_vxterrain_head(&made, 4, 2, 1, 0.5f, -8, 8, base);
    made_u32(&made, 2);
    made_vxterrain_edit(&made, "Sculpt", 0.5f, true, 1);
    made_vxterrain_chunk(&made, 0, 0, deltas, 3);
    made_vxterrain_edit(&made, "Outside", -1, true, 1);
    made_vxterrain_chunk(&made, 64, 0, deltas, 3);
    made_u32(&made, 0);
    made_u32(&made, 0);
    seed("vxterrain-edits", "\4\x01\0\0", &made);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_terrain FOLDER\n");
        return 2;
    }
    folder = argv[1];
    seed_png();
    seed_floats();
    seed_vxterrain();
    return 0;
}
