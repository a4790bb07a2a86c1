/* Writes the seeds of the KTX2 corpus into the folder given: whole pyramids, and the parts of other textures that
 * fuzz_ktx2.c puts together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "pyramid/pyramid.h"

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
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

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    (void)err;
    return fwrite(data, 1, size, user) == size ? VXB_OK : VXB_ERR_IO;
}

static void whole(const char *folder, const char *name, uint32_t width, uint32_t height, enum vxb_reduce reduce)
{
    struct vxb_pyramid *pyramid = NULL;
    if (vxb_pyramid_new(NULL, width, height, reduce, &pyramid, NULL) != VXB_OK)
        exit(1);
    for (uint32_t i = 0; i < width * height; i++)
        vxb_pyramid_depth(pyramid)[i] = (float)(i * 7 % 11) / 16.0f;
    FILE *file = create(folder, name);
    fputc(0, file);
    if (vxb_pyramid_build(NULL, pyramid, vxb_pyramid_depth(pyramid), (uint64_t)width * height, NULL) != VXB_OK ||
        vxbi_pyramid_write(NULL, pyramid, &(struct vxbi_ktx2_sink){file, append}, NULL) != VXB_OK)
        exit(1);
    finish(file);
    vxb_pyramid_free(pyramid);
}

/* shape: format, width - 1, height, depth, layers, faces, levels - 1; texels: ones. */
static void parts(const char *folder, const char *name, const uint8_t shape[7], const char *values, size_t bytes)
{
    uint8_t head[10] = {1};
    FILE *file = create(folder, name);
    memcpy(head + 1, shape, 7);
    vxbi_store_u16(head + 8, (uint16_t)bytes);
    fwrite(head, 1, sizeof head, file);
    fwrite(values, 1, bytes, file);
    for (int i = 0; i < 64; i++)
        fwrite("\0\0\x80\x3f", 1, 4, file);
    finish(file);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds_ktx2 FOLDER\n");
        return 2;
    }
    whole(argv[1], "pyramid-1x1", 1, 1, VXB_REDUCE_NEAREST);
    whole(argv[1], "pyramid-7x5", 7, 5, VXB_REDUCE_NEAREST);
    whole(argv[1], "pyramid-3x9-farthest", 3, 9, VXB_REDUCE_FARTHEST);
    parts(argv[1], "parts-r16f-1d", (const uint8_t[]){0, 6, 0, 0, 0, 0, 2}, "", 0);
    parts(argv[1], "parts-rgba16f-3d", (const uint8_t[]){1, 2, 3, 5, 0, 0, 1}, "\2\0\0\0a\0\0\0", 8);
    parts(argv[1], "parts-rgba32f-cubes", (const uint8_t[]){5, 2, 3, 0, 2, 1, 1}, "\14\0\0\0KTXwriter\0x\0", 16);
    parts(argv[1], "parts-other-pyramid", (const uint8_t[]){3, 4, 3, 0, 0, 0, 2},
          "\22\0\0\0KTXorientation\0rd\0\0\0\14\0\0\0KTXwriter\0x\0", 40);
    parts(argv[1], "parts-farthest", (const uint8_t[]){3, 4, 3, 0, 0, 0, 2},
          "\14\0\0\0KTXwriter\0x\0\27\0\0\0vxbake.reduce\0farthest\0\0", 44);
    parts(argv[1], "parts-nearest", (const uint8_t[]){3, 4, 3, 0, 0, 0, 2},
          "\14\0\0\0KTXwriter\0x\0\26\0\0\0vxbake.reduce\0nearest\0\0\0", 44);
    return 0;
}
