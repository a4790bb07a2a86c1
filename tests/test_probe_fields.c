/* The builder of good irradiance fields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_probes.h"
#include "probes/field.h"

const struct test_probes_desc test_probes_f32 = {.encoding = VXB_PROBE_F32};
const struct test_probes_desc test_probes_zstd = {.encoding = VXB_PROBE_F32, .compress = true};
const struct test_probes_desc test_probes_f16 = {.encoding = VXB_PROBE_F16};
const struct test_probes_desc test_probes_empty = {.encoding = VXB_PROBE_F32, .empty = true};
const struct test_probes_desc test_probes_tiny = {.encoding = VXB_PROBE_F32, .tiny = true};
const struct test_probes_desc test_probes_tiny_f16 = {.encoding = VXB_PROBE_F16, .tiny = true};

/* The builder is used by programs that are no unit tests too. */
static void must(bool good)
{
    if (!good)
        abort();
}

static struct vxb_probe probe_at(uint32_t brick, const uint32_t at[3])
{
    const uint32_t n = brick * 64 + at[0] + 4 * at[1] + 16 * at[2];
    struct vxb_probe probe = {.validity = 1 - (float)(n % 7) / 8, .sun_shadow = (float)(n % 5) / 4};
    if (n % 11 == 3)
        return (struct vxb_probe){.validity = 0};
    for (int i = 0; i < 3; i++) {
        probe.l00[i] = 1 + (float)((n * 37 + (uint32_t)i * 11) % 64) / 64;
        probe.l1m1[i] = 0.25f * probe.l00[i];
        probe.l10[i] = -0.125f * probe.l00[i];
        probe.l11[i] = (float)(n % 3) / 16;
    }
    return probe;
}

struct vxb_probe_field *test_probes_field(const struct test_probes_desc *desc)
{
    const struct vxb_probe_region bounds = {{-4, 0, -4}, {4, 8, 5}}, corner = {{-4, 0, -4}, {-3, 1, -3}};
    const uint32_t many[3] = {8, 8, 9}, slots[3] = {5, 5, 3}, few[3] = {4, 4, 4}, two[3] = {2, 1, 1};
    struct vxb_probe_field *field = NULL;
    uint32_t count;
    must(vxb_probe_field_new(NULL, &bounds, desc->tiny ? few : many, desc->tiny ? two : slots, &field, NULL) == VXB_OK);
    if (!desc->empty) {
        must(vxb_probe_field_allocate(field, &bounds, 4, NULL, NULL) == VXB_OK);
    }
    if (!desc->empty && !desc->tiny) {
        must(vxb_probe_field_refine(field, &corner, 2, NULL, NULL) == VXB_OK);
    }
    must(vxb_probe_field_place(field, NULL) == VXB_OK);
    vxb_probe_field_bricks(field, &count);
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t at[3] = {i & 3, i >> 2 & 3, i >> 4};
            const struct vxb_probe probe = probe_at(b, at);
            must(vxb_probe_field_set(field, b, at, &probe, NULL) == VXB_OK);
        }
    must(vxb_probe_field_sync_borders(NULL, field, NULL) == VXB_OK);
    must(vxb_probe_field_round(NULL, field, desc->encoding, NULL) == VXB_OK);
    return field;
}

struct test_probes test_probes_make(const struct test_probes_desc *desc)
{
    const struct vxb_probe_save_options options = {.size = sizeof options, .encoding = desc->encoding,
                                                   .compress = desc->compress, .bake_id = 0x0123456789ABCDEFu};
    char path[] = "/tmp/vxbake-probes-XXXXXX";
    struct vxb_probe_field *field = test_probes_field(desc);
    struct test_probes file = {0};
    const int fd = mkstemp(path);
    must(fd >= 0 && vxb_probe_field_save(NULL, field, path, &options, NULL) == VXB_OK);
    vxb_probe_field_free(field);
    close(fd);
    FILE *in = fopen(path, "rb");
    must(in && fseek(in, 0, SEEK_END) == 0);
    file.size = (size_t)ftell(in);
    file.data = malloc(file.size);
    rewind(in);
    must(file.data && fread(file.data, 1, file.size, in) == file.size);
    fclose(in);
    unlink(path);
    return file;
}

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_probes *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(buf, file->data + offset, size);
    return true;
}

struct vxb_source test_probes_source(struct test_probes *file)
{
    return (struct vxb_source){.user = file, .size = file->size, .read_at = read_at};
}

size_t test_probes_at(const struct test_probes *file, enum bad_probe_base base, uint32_t index)
{
    struct vxbi_probe_layout layout;
    vxbi_probe_layout(vxbi_load_u32(file->data + VXBI_AT(probe_header, brick_count)), &layout);
    switch (base) {
    case BAD_PROBE_HEADER: return 0;
    case BAD_PROBE_BRICK: return layout.bricks + (size_t)index * VXB_PROBE_BRICK_BYTES;
    case BAD_PROBE_PLANE: return layout.planes + (size_t)index * VXB_PROBE_PLANE_BYTES;
    case BAD_PROBE_DATA: return vxbi_load_u64(file->data + layout.planes + (size_t)index * VXB_PROBE_PLANE_BYTES);
    }
    return 0;
}

static void repair_planes(struct test_probes *file, const struct vxb_probe_header *h,
                          const struct vxbi_probe_layout *layout, struct vxb_probe_plane *planes)
{
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++) {
        uint8_t *at = file->data + layout->planes + k * VXB_PROBE_PLANE_BYTES;
        struct vxbi_reader r = {.data = at, .size = VXB_PROBE_PLANE_BYTES};
        vxbi_probe_get_plane(&r, &planes[k]);
        if ((h->flags & VXB_PROBE_ZSTD) || planes[k].offset > file->size ||
            planes[k].bytes > file->size - planes[k].offset)
            continue;
        planes[k].hash = vxbi_hash(file->data + planes[k].offset, (size_t)planes[k].bytes);
        vxbi_store_u64(at + VXBI_AT(probe_plane, hash), planes[k].hash);
    }
}

static void repair_tables(struct test_probes *file, const struct vxb_probe_header *h)
{
    struct vxb_probe_plane planes[VXB_PROBE_PLANES];
    struct vxbi_probe_layout layout;
    vxbi_probe_layout(h->brick_count, &layout);
    if (layout.data > file->size)
        return;
    repair_planes(file, h, &layout, planes);
    struct vxb_brick *bricks = calloc((size_t)h->brick_count + 1, sizeof *bricks);
    struct vxbi_reader r = {.data = file->data, .size = file->size, .at = VXB_PROBE_HEADER_BYTES};
    for (uint32_t i = 0; bricks && i < h->brick_count; i++)
        vxbi_probe_get_brick(&r, &bricks[i]);
    const uint64_t end = vxbi_probe_plane_start(h->flags, layout.data);
    if (bricks && end <= file->size)
        vxbi_store_u64(file->data + VXBI_AT(probe_header, tables_hash),
                       vxbi_hash(file->data + VXB_PROBE_HEADER_BYTES, (size_t)(end - VXB_PROBE_HEADER_BYTES)));
    if (bricks)
        vxbi_store_u64(file->data + VXBI_AT(probe_header, content_id), vxbi_probe_content_id(h, bricks, planes));
    free(bricks);
}

void test_probes_repair(struct test_probes *file)
{
    struct vxbi_reader r = {.data = file->data, .size = file->size};
    struct vxb_probe_header h;
    uint32_t reserved;
    if (file->size < VXB_PROBE_HEADER_BYTES)
        return;
    vxbi_probe_get_header(&r, &h, &reserved);
    repair_tables(file, &h);
    memset(file->data + VXBI_AT(probe_header, header_hash), 0, 8);
    vxbi_store_u64(file->data + VXBI_AT(probe_header, header_hash), vxbi_hash(file->data, VXB_PROBE_HEADER_BYTES));
}
