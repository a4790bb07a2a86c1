/* What a probe field is exported as: KTX2 volumes read back texel by texel, points, slices, and what is refused. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/os.h"
#include "export/probe_preview.h"
#include "export/probes.h"
#include "image/png.h"
#include "ktx2/ktx2.h"
#include "make_probes.h"
#include "probes/field.h"

static const uint32_t as_needed[3];
static const struct vxb_probe_region cube8 = {{-4.0f, 0.5f, 10.0f}, {4.0f, 8.5f, 18.0f}};
static const uint32_t cells8[3] = {8, 8, 8};

/* Bricks of two sizes, half of the box. */
static struct vxb_probe_field *small_field(void)
{
    const struct vxb_probe_region half = {{-4.0f, 0.5f, 10.0f}, {-0.5f, 8.5f, 18.0f}};
    const struct vxb_probe_region part = {{-3.5f, 1.0f, 11.0f}, {-3.5f, 1.0f, 11.0f}};
    struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
    probes_allocate(field, &half, 4);
    probes_refine(field, &part, 2);
    probes_place(field);
    probes_fill_mixed(field, 5);
    cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
    return field;
}

/* ---- KTX2 ---- */

static enum vxb_status read_text(void *user, uint64_t offset, void *buf, size_t size, struct vxb_error *err)
{
    const struct vxb_text *text = user;
    (void)err;
    memcpy(buf, text->data + offset, size);
    return VXB_OK;
}

static void write_volume(const struct vxb_probe_field *field, enum vxbi_probe_volume volume, bool half,
                         struct vxb_text *text)
{
    struct vxb_error err = {0};
    *text = (struct vxb_text){0};
    cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, volume, half, &(struct vxb_sink){text, vxb_text_write}, &err),
                 VXB_OK), "%s", err.message);
}

/* Opened strictly, as any file from outside. */
static void open_volume(struct vxb_text *text, struct vxbi_ktx2 *file)
{
    struct vxb_error err = {0};
    struct vxbi_collect collect = {.err = &err};
    bool usable = false;
    const struct vxbi_ktx2_source source = {text, text->size, read_text};
    cr_assert(eq(int, vxbi_ktx2_open(NULL, &source, &collect, file, &usable, &err), VXB_OK));
    cr_assert(usable, "%s", err.message);
}

static const char *value_of(const struct vxbi_ktx2 *file, const char *key)
{
    const struct vxbi_ktx2_value *value = vxbi_ktx2_value(&file->desc, key);
    cr_assert(ne(ptr, (void *)value, NULL), "there is no %s", key);
    return value->value;
}

static float component(const struct vxb_probe *probe, int volume, int c)
{
    const float *values = (const float *)probe;
    return c < 3 ? values[3 * volume + c] : volume == 0 ? probe->validity : volume == 1 ? probe->sun_shadow : 0.0f;
}

static void check_volume(const struct vxb_probe_field *field, int volume, bool half)
{
    struct vxb_text text;
    struct vxbi_ktx2 file;
    uint32_t sides[3];
    const struct vxb_probe *texels = vxb_probe_pool_texels(vxb_probe_field_pool(field));
    vxb_probe_pool_texel_resolution(vxb_probe_field_pool(field), sides);
    const size_t count = (size_t)sides[0] * sides[1] * sides[2], bytes = count * (half ? 8 : 16);
    write_volume(field, (enum vxbi_probe_volume)volume, half, &text);
    open_volume(&text, &file);
    cr_assert(eq(u32, file.desc.format->vk, half ? VXBI_KTX2_R16G16B16A16_SFLOAT : VXBI_KTX2_R32G32B32A32_SFLOAT));
    cr_assert(eq(u32, file.desc.width, sides[0]));
    cr_assert(eq(u32, file.desc.height, sides[1]));
    cr_assert(eq(u32, file.desc.depth, sides[2]));
    cr_assert(eq(u32, file.desc.levels, 1));
    cr_assert(eq(u64, file.layout.level_bytes[0], bytes));
    uint8_t *read = malloc(bytes);
    cr_assert(eq(int, vxbi_ktx2_read(&file, 0, 0, read, bytes, NULL), VXB_OK));
    for (size_t i = 0; i < count * 4; i++) {
        float found, expected = component(&texels[i / 4], volume, (int)(i % 4));
        if (half) {
            uint16_t code;
            memcpy(&code, read + 2 * i, sizeof code);
            found = vxbi_f16_value(code);
            expected = vxbi_f16_value(vxbi_f16_code(expected));
        } else
            memcpy(&found, read + 4 * i, sizeof found);
        cr_assert(found == expected, "volume %d texel %zu", volume, i / 4);
    }
    free(read);
    vxbi_ktx2_clear(&file);
    vxb_text_free(&text);
}

Test(probe_export, volumes__every_texel_of_the_pool)
{
    struct vxb_probe_field *field = small_field();
    for (int volume = 0; volume < 4; volume++) {
        check_volume(field, volume, false);
        check_volume(field, volume, true);
    }
    vxb_probe_field_free(field);
}

Test(probe_export, volume_of_many_pieces__every_texel_of_the_pool)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
    probes_allocate(field, &cube8, 1);
    probes_place(field);
    probes_fill_mixed(field, 6);
    check_volume(field, 1, false); /* 1 MB: the writer's buffer is 64 KiB */
    check_volume(field, 2, true);
    vxb_probe_field_free(field);
}

Test(probe_export, indirection__slot_and_size_of_every_cell)
{
    struct vxb_probe_field *field = small_field();
    struct vxb_text text;
    struct vxbi_ktx2 file;
    uint32_t read[2 * 512];
    write_volume(field, VXBI_PROBE_INDIRECTION, true, &text);
    open_volume(&text, &file);
    cr_assert(eq(u32, file.desc.format->vk, VXBI_KTX2_R32G32_UINT));
    cr_assert(file.desc.width == 8 && file.desc.height == 8 && file.desc.depth == 8);
    cr_assert(eq(int, vxbi_ktx2_read(&file, 0, 0, read, sizeof read, NULL), VXB_OK));
    cr_assert(eq(int, memcmp(read, vxb_probe_field_indirection(field), sizeof read), 0));
    cr_assert(eq(str, (char *)value_of(&file, "vxbake.bounds"), "-4 0.5 10 4 8.5 18"));
    cr_assert(eq(str, (char *)value_of(&file, "vxbake.cells"), "8 8 8"));
    cr_assert(eq(str, (char *)value_of(&file, "vxbake.slots"), "3 2 2"));
    cr_assert(eq(str, (char *)value_of(&file, "vxbake.volume"), "slot, size"));
    cr_assert(eq(str, (char *)value_of(&file, "KTXwriter"), VXBI_KTX2_WRITER));
    vxbi_ktx2_clear(&file);
    vxb_text_free(&text);
    vxb_probe_field_free(field);
}

Test(probe_export, value_beyond_binary16__refused_with_the_texel)
{
    struct vxb_probe_field *field = small_field();
    struct vxb_text text = {0};
    struct vxb_error err = {0};
    const struct vxb_sink sink = {&text, vxb_text_write};
    struct vxb_probe probe = {.l11 = {0.0f, 65505.0f, 0.0f}, .validity = 1.0f};
    cr_assert(eq(int, vxb_probe_field_set(field, 0, (const uint32_t[3]){2, 0, 0}, &probe, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, VXBI_PROBE_L11, true, &sink, &err), VXB_ERR_DATA));
    cr_assert(ne(ptr, strstr(err.message, "texel 2 of the pool holds 65505"), NULL), "%s", err.message);
    vxb_text_free(&text);
    cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, VXBI_PROBE_L11, false, &sink, NULL), VXB_OK));
    vxb_text_free(&text);
    vxb_probe_field_free(field);
}

Test(probe_export, pool_too_long_for_a_texture__refused)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, (const uint32_t[3]){1, 6554, 1});
    struct vxb_text text = {0};
    struct vxb_error err = {0};
    probes_place(field);
    cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, VXBI_PROBE_L00, false,
                                            &(struct vxb_sink){&text, vxb_text_write}, &err), VXB_ERR_LIMIT));
    cr_assert(ne(ptr, strstr(err.message, "32770 texels along y"), NULL), "%s", err.message);
    vxb_text_free(&text);
    vxb_probe_field_free(field);
}

/* ---- PLY ---- */

Test(probe_export, points__each_probe_where_it_is)
{
    enum { VERTEX = 31 };
    static const double origin[3] = {-4.0, 0.0, 10.0};
    struct vxb_probe_field *field = small_field();
    struct vxb_text text = {0};
    char line[64];
    cr_assert(eq(int, vxbi_probe_ply_write(field, origin, &(struct vxb_sink){&text, vxb_text_write}, NULL), VXB_OK));
    const uint32_t count = field->counts.bricks * 64;
    snprintf(line, sizeof line, "element vertex %" PRIu32 "\n", count);
    cr_assert(ne(ptr, strstr(text.data, line), NULL));
    cr_assert(ne(ptr, strstr(text.data, "comment origin -4 0 10\n"), NULL));
    const uint8_t *body = (const uint8_t *)strstr(text.data, "end_header\n") + 11;
    cr_assert(eq(sz, text.size - (size_t)(body - (const uint8_t *)text.data), (size_t)count * VERTEX));
    uint32_t empty = 0;
    for (uint32_t i = 0; i < count; i++, body += VERTEX) {
        const struct vxb_brick *brick = &field->table[i / 64];
        const uint32_t at[3] = {i % 4, i / 4 % 4, i / 16 % 4};
        const struct vxb_probe *probe = probes_texel(field, i / 64, at);
        static const float offset[3] = {0.0f, 0.5f, 0.0f};
        for (int a = 0; a < 3; a++)
            cr_assert(eq(flt, vxbi_load_f32(body + 4 * a),
                         offset[a] + (float)(4 * brick->cell[a] + brick->size * at[a]) / 4.0f));
        cr_assert(eq(flt, vxbi_load_f32(body + 12), probe->validity));
        cr_assert(eq(flt, vxbi_load_f32(body + 16), probe->sun_shadow));
        cr_assert(eq(flt, vxbi_load_f32(body + 20), (float)brick->size / 4.0f));
        if (probe->validity == 0.0f) {
            cr_assert(body[24] == 255 && body[25] == 0 && body[26] == 255);
            empty++;
        }
        cr_assert(eq(u32, vxbi_load_u32(body + 27), i / 64));
    }
    cr_assert(lt(u32, 0, empty));
    vxb_text_free(&text);
    vxb_probe_field_free(field);
}

Test(probe_export, colours__of_black_grey_and_anything)
{
    struct vxb_probe probe = {.validity = 1.0f};
    struct vxbi_colour colour = vxbi_probe_colour(&probe);
    cr_assert(colour.r == 0 && colour.g == 0 && colour.b == 0);
    probe.l00[0] = 1.0f / 0.282095f;
    probe.l00[1] = INFINITY;
    probe.l00[2] = -5.0f;
    colour = vxbi_probe_colour(&probe);
    cr_assert(eq(int, colour.r, 180), "half, and its root");
    cr_assert(colour.g == 255 && colour.b == 0);
    probe.l00[0] = NAN;
    cr_assert(eq(int, vxbi_probe_colour(&probe).r, 0));
}

/* ---- slices ---- */

Test(probe_export, slices__a_picture_with_holes_and_probes)
{
    struct vxb_probe_field *field = small_field();
    char folder[] = "/tmp/vxbake-slices-XXXXXX", path[64];
    struct vxb_output *output = NULL;
    struct vxbi_bytes bytes;
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    snprintf(path, sizeof path, "%s/a.png", folder);
    for (uint32_t side = 0; side <= 64; side += 32) {
        cr_assert(eq(int, vxb_output_open(NULL, path, &output, NULL), VXB_OK));
        cr_assert(eq(int, vxbi_probe_slices_draw(NULL, field, side, output, NULL), VXB_OK));
        cr_assert(eq(int, vxb_output_commit(output, NULL), VXB_OK));
        cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 24, &bytes, NULL), VXB_OK));
        const uint32_t longest = side ? side : 1024;
        const uint32_t width = (uint32_t)bytes.data[18] << 8 | bytes.data[19];
        const uint32_t height = (uint32_t)bytes.data[22] << 8 | bytes.data[23];
        cr_assert(eq(int, memcmp(bytes.data + 1, "PNG", 3), 0));
        cr_assert(width <= longest && height <= longest && width + height > longest, "%" PRIu32 " x %" PRIu32, width,
                  height);
        vxbi_bytes_clear(&bytes);
    }
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_output_open(NULL, path, &output, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_probe_slices_draw(NULL, field, 15, output, &err), VXB_ERR_USAGE));
    cr_assert(eq(int, vxbi_probe_slices_draw(NULL, field, 4097, output, NULL), VXB_ERR_USAGE));
    cr_assert(ne(ptr, strstr(err.message, "16 to 4096"), NULL));
    vxb_output_abort(output);
    remove(path);
    remove(folder);
    vxb_probe_field_free(field);
}

/* ---- the scene from above ---- */

static void read_picture(const char *path, struct vxbi_image *image)
{
    const struct vxbi_source source = {.allocator = vxbi_allocator(NULL), .path = path};
    struct vxbi_bytes file;
    struct vxbi_png png;
    cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 24, &file, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_png_scan(&source, &file, &png, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_png_pixels(&source, &file, &png, image, NULL), VXB_OK));
}

/* The four samples of a pixel summed to infinity, and what was divided by that came out black. */
Test(probe_export, scene_of_the_strongest_light__each_part_as_bright_as_it_is)
{
    const struct vxb_shape plates[2] = {
        {.kind = VXB_SHAPE_BOX, .center = {-2.0f, 2.0f, 14.0f}, .half_extents = {1.9f, 1.0f, 4.0f},
         .emission = {FLT_MAX, FLT_MAX / 2.0f, FLT_MAX}},
        {.kind = VXB_SHAPE_BOX, .center = {2.0f, 2.0f, 14.0f}, .half_extents = {1.9f, 1.0f, 4.0f},
         .emission = {FLT_MAX / 64.0f, FLT_MAX / 64.0f, FLT_MAX / 64.0f}}};
    const struct vxb_scene scene = {.size = sizeof scene, .shapes = plates, .shape_count = 2};
    char folder[] = "/tmp/vxbake-above-XXXXXX", path[64];
    struct vxb_probe_field *field = small_field();
    struct vxb_output *output = NULL;
    struct vxbi_image image;
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    snprintf(path, sizeof path, "%s/a.png", folder);
    cr_assert(eq(int, vxb_output_open(NULL, path, &output, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_probe_draw(NULL, field, &scene, 32, output, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_commit(output, NULL), VXB_OK));
    read_picture(path, &image);
    const uint8_t *row = image.data + image.first + 16 * image.pitch, *strong = row + 3 * 8, *weak = row + 3 * 24;
    cr_assert(eq(u32, image.width, 32));
    /* A sixteenth of the largest number is as far as it goes, four times the weaker plate: twice its root. */
    cr_assert(strong[0] == strong[1] && strong[0] == strong[2]);
    cr_assert(strong[0] > 190 && weak[0] > 90 && abs(strong[0] - 2 * weak[0]) <= 2, "%u %u", strong[0], weak[0]);
    vxbi_image_clear(&image);
    remove(path);
    remove(folder);
    vxb_probe_field_free(field);
}

/* ---- what is refused ---- */

static bool refuse(void *user, const char *data, size_t size)
{
    uint32_t *left = user;
    (void)data;
    (void)size;
    return (*left)-- > 0;
}

Test(probe_export, sink_that_says_no__ends_with_io)
{
    struct vxb_probe_field *field = small_field();
    static const double origin[3];
    for (uint32_t pieces = 0; pieces < 2; pieces++) {
        uint32_t left = pieces;
        const struct vxb_sink sink = {&left, refuse};
        cr_assert(eq(int, vxbi_probe_ply_write(field, origin, &sink, NULL), VXB_ERR_IO));
        left = pieces;
        cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, VXBI_PROBE_L10, false, &sink, NULL), VXB_ERR_IO));
    }
    vxb_probe_field_free(field);
}

Test(probe_export, field_not_placed__refused)
{
    static const double origin[3];
    struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
    struct vxb_text text = {0};
    const struct vxb_sink sink = {&text, vxb_text_write};
    cr_assert(eq(int, vxbi_probe_ply_write(field, origin, &sink, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxbi_probe_ktx2_write(NULL, field, VXBI_PROBE_L00, false, &sink, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, vxbi_probe_slices_draw(NULL, field, 0, NULL, NULL), VXB_ERR_USAGE));
    cr_assert(eq(ptr, text.data, NULL));
    vxb_probe_field_free(field);
}

Test(probe_export, names__of_every_volume)
{
    static const char *const names[] = {"l00", "l1m1", "l10", "l11", "indirection"};
    for (int i = 0; i < VXBI_PROBE_VOLUMES; i++)
        cr_assert(eq(str, (char *)vxbi_probe_volume_name((enum vxbi_probe_volume)i), (char *)names[i]));
}
