/* depth: a depth frame from every kind of file, what its values mean, and what no depth is, told by its texel. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "make_files.h"
#include "vxbake.h"

static char folder[64];
static struct vxb_error err;
static char last_warning[1024];

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/vxbake-depth-XXXXXX");
    cr_assert(mkdtemp(folder) && chdir(folder) == 0);
}

static void leave(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert(chdir("/") == 0 && system(command) == 0);
}

TestSuite(depth, .init = enter, .fini = leave);

static void hear(void *user, const struct vxb_diag *diag)
{
    (void)user;
    snprintf(last_warning, sizeof last_warning, "%s", diag->what.message);
}

static enum vxb_status read_depth(const struct vxb_depth_desc *desc, struct vxb_pyramid **out)
{
    const struct vxb_env env = {.size = sizeof env, .diag = hear};
    vxb_error_clear(&err);
    last_warning[0] = 0;
    *out = NULL;
    return vxb_pyramid_from_depth(&env, desc, VXB_REDUCE_NEAREST, out, &err);
}

static struct vxb_pyramid *must_read(const struct vxb_depth_desc *desc)
{
    struct vxb_pyramid *pyramid;
    const enum vxb_status status = read_depth(desc, &pyramid);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    return pyramid;
}

static void must_fail(const struct vxb_depth_desc *desc, enum vxb_status wanted, const char *pointer, const char *text)
{
    struct vxb_pyramid *pyramid;
    const enum vxb_status status = read_depth(desc, &pyramid);
    cr_expect(eq(int, status, wanted), "%s", err.message);
    cr_expect(zero(ptr, pyramid));
    cr_expect(eq(str, err.pointer, (char *)pointer), "%s", err.message);
    cr_expect(strstr(err.message, text) != NULL, "'%s' is not in '%s'", text, err.message);
}

static void write_floats(const char *path, const float *values, size_t count, bool big)
{
    struct made file = {0};
    for (size_t i = 0; i < count; i++) {
        struct made one = {0};
        made_f32(&one, values[i]);
        for (int k = 0; k < 4; k++)
            made_u8(&file, one.data[big ? 3 - k : k]);
        made_free(&one);
    }
    made_write(&file, path);
    made_free(&file);
}

static void write_pfm(const char *path, const char *type, uint32_t width, uint32_t height, const float *values,
                      bool big)
{
    struct made file = {0};
    made_pfm(&file, type, width, height, values, big);
    made_write(&file, path);
    made_free(&file);
}

static const float six[6] = {0.0f, 0.125f, 0.25f, 0.5f, 0.75f, 1.0f}; /* 3 x 2, the top row first */

static void is_six(struct vxb_pyramid *pyramid)
{
    cr_expect(eq(u32, pyramid->width, 3));
    cr_expect(eq(u32, pyramid->height, 2));
    for (int i = 0; i < 6; i++)
        cr_expect(eq(flt, pyramid->levels[0].texels[i], six[i]), "texel %d", i);
    cr_expect(eq(flt, vxb_pyramid_cell(pyramid, 1, 0, 0), 1.0f), "the last column counts");
    vxb_pyramid_free(pyramid);
}

Test(depth, pfm__last_stored_row_is_the_top_in_both_orders)
{
    write_pfm("l.pfm", "Pf", 3, 2, six, false);
    write_pfm("b.PFM", "Pf", 3, 2, six, true);
    is_six(must_read(&(struct vxb_depth_desc){.path = "l.pfm"}));
    is_six(must_read(&(struct vxb_depth_desc){.path = "b.PFM"}));
}

Test(depth, raw__top_row_first_in_the_order_that_is_said)
{
    write_floats("l.r32", six, 6, false);
    write_floats("b.raw", six, 6, true);
    is_six(must_read(&(struct vxb_depth_desc){.path = "l.r32", .width = 3, .height = 2}));
    is_six(must_read(&(struct vxb_depth_desc){.path = "b.raw", .width = 3, .height = 2, .order = VXB_ORDER_BIG}));
}

Test(depth, png__whole_range_is_0_to_1)
{
    static uint16_t samples[65536];
    struct made file = {0};
    for (uint32_t i = 0; i < 65536; i++)
        samples[i] = (uint16_t)i;
    made_png_grey16(&file, 256, 256, samples);
    made_write(&file, "a.png");
    made_free(&file);
    struct vxb_pyramid *pyramid = must_read(&(struct vxb_depth_desc){.path = "a.png"});
    cr_assert(eq(u32, pyramid->width, 256));
    for (uint32_t i = 0; i < 65536; i++)
        cr_assert(eq(flt, pyramid->levels[0].texels[i], (float)(i / 65535.0)), "texel %u", i);
    struct vxb_pyramid *said =
        must_read(&(struct vxb_depth_desc){.path = "a.png", .has_scale = true, .scale = 1 / 65535.0});
    cr_expect(memcmp(said->levels[0].texels, pyramid->levels[0].texels, 65536 * sizeof(float)) == 0,
              "the default scale is 1/65535");
    vxb_pyramid_free(said);
    vxb_pyramid_free(pyramid);
}

Test(depth, png_in_colour__first_channel_with_a_warning)
{
    /* One row of two RGB pixels, 16 bits big-endian. */
    static const uint8_t pixels[12] = {0x80, 0, 1, 2, 3, 4, 0x40, 0, 5, 6, 7, 8};
    struct made file = {0};
    made_png(&file, 2, 1, 16, 2, pixels, 0);
    made_write(&file, "a.png");
    made_free(&file);
    struct vxb_pyramid *pyramid =
        must_read(&(struct vxb_depth_desc){.path = "a.png", .has_scale = true, .scale = 1 / 32768.0});
    cr_expect(eq(flt, pyramid->levels[0].texels[0], 1.0f));
    cr_expect(eq(flt, pyramid->levels[0].texels[1], 0.5f));
    cr_expect(strstr(last_warning, "the first of its 3 channels") != NULL);
    vxb_pyramid_free(pyramid);
}

Test(depth, png_of_8_bits__is_refused)
{
    static const uint8_t samples[4] = {0, 1, 2, 3};
    struct made file = {0};
    made_png_grey8(&file, 2, 2, samples);
    made_write(&file, "a.png");
    made_free(&file);
    must_fail(&(struct vxb_depth_desc){.path = "a.png"}, VXB_ERR_UNSUPPORTED, "/depth/file",
              "export it as 16-bit grey");
}

Test(depth, device__is_turned)
{
    write_pfm("a.pfm", "Pf", 3, 2, six, false);
    struct vxb_pyramid *pyramid =
        must_read(&(struct vxb_depth_desc){.path = "a.pfm", .convention = VXB_DEPTH_DEVICE});
    for (int i = 0; i < 6; i++)
        cr_expect(eq(flt, pyramid->levels[0].texels[i], 1 - six[i]));
    vxb_pyramid_free(pyramid);
}

/* The planes become 1 and 0; what was not measured is sky; beyond the planes is clamped; between them the distance of
 * depth d is near far / (near + d (far - near)). */
Test(depth, linear__planes_are_1_and_0_and_nothing_measured_is_sky)
{
    const float metres[8] = {0.0f, -0.0f, 0.5f, 1.0f, 2.0f, 10.0f, 25.0f, 1e-42f};
    const float wanted[8] = {0.0f, 0.0f, 1.0f, 1.0f, 4.0f / 9, 0.0f, 0.0f, 1.0f};
    write_floats("a.r32", metres, 8, false);
    struct vxb_depth_desc desc = {.path = "a.r32", .width = 8, .height = 1, .convention = VXB_DEPTH_LINEAR,
                                  .has_near = true, .near_plane = 1, .has_far = true, .far_plane = 10};
    struct vxb_pyramid *pyramid = must_read(&desc);
    for (int i = 0; i < 8; i++) {
        const float found = pyramid->levels[0].texels[i];
        cr_expect(eq(flt, found, wanted[i]), "%g gives %g", (double)metres[i], (double)found);
        cr_expect(not(signbit(found)));
    }
    vxb_pyramid_free(pyramid);
}

Test(depth, a_distance_too_small_for_a_double__is_nearest_and_no_sky)
{
    const float distances[3] = {0.0f, 1e-42f, 1.0f};
    write_floats("a.r32", distances, 3, false);
    const struct vxb_depth_desc desc = {.path = "a.r32", .width = 3, .height = 1, .convention = VXB_DEPTH_LINEAR,
                                        .has_scale = true, .scale = 1e-300, .has_near = true, .near_plane = 1,
                                        .has_far = true, .far_plane = 10};
    struct vxb_pyramid *pyramid = must_read(&desc);
    cr_expect(eq(flt, pyramid->levels[0].texels[0], 0.0f));
    cr_expect(eq(flt, pyramid->levels[0].texels[1], 1.0f));
    cr_expect(eq(flt, pyramid->levels[0].texels[2], 1.0f));
    vxb_pyramid_free(pyramid);
}

/* 4 GB of zeros that are never read: the limit is told from the size alone. */
Test(depth, a_raw_file_over_the_memory_limit__is_refused_before_it_is_read)
{
    const int file = open("a.raw", O_WRONLY | O_CREAT, 0600);
    cr_assert(file >= 0);
    const int made = ftruncate(file, (off_t)4 << 30);
    close(file);
    if (made != 0)
        cr_skip_test("no sparse file of 4 GB");
    must_fail(&(struct vxb_depth_desc){.path = "a.raw", .width = 32768, .height = 32768}, VXB_ERR_LIMIT, "/depth/file",
              "takes 5726623060 bytes of memory, more than the limit of 1073741824");
}

static void write_text(const char *path, const char *text)
{
    struct made file = {0};
    made_put(&file, text, strlen(text));
    made_write(&file, path);
    made_free(&file);
}

Test(depth, pfm_with_a_side_beyond_all_numbers__is_told_as_it_stands)
{
    write_text("a.pfm", "Pf\n99999999999999999999 2\n-1\nxxxx");
    must_fail(&(struct vxb_depth_desc){.path = "a.pfm"}, VXB_ERR_LIMIT, "/depth/file",
              "the PFM's header has the width 99999999999999999999: at most 32768 is read");
}

Test(depth, scaled_linear__is_the_same_in_other_units)
{
    const float metres[3] = {1.5f, 3.0f, 8.0f}, millimetres[3] = {1500, 3000, 8000};
    write_floats("m.r32", metres, 3, false);
    write_floats("mm.r32", millimetres, 3, false);
    struct vxb_depth_desc desc = {.path = "m.r32", .width = 3, .height = 1, .convention = VXB_DEPTH_LINEAR,
                                  .has_near = true, .near_plane = 1, .has_far = true, .far_plane = 10};
    struct vxb_pyramid *a = must_read(&desc);
    desc.path = "mm.r32";
    desc.has_scale = true;
    desc.scale = 0.001;
    struct vxb_pyramid *b = must_read(&desc);
    for (int i = 0; i < 3; i++)
        cr_expect(eq(flt, a->levels[0].texels[i], b->levels[0].texels[i]));
    vxb_pyramid_free(a);
    vxb_pyramid_free(b);
}

Test(depth, no_depth__is_named_by_its_texel)
{
    const struct {
        float value;
        enum vxb_depth_convention convention;
        const char *text;
    } cases[] = {
        {NAN, VXB_DEPTH_REVERSED, "texel (1, 1) is NaN: a depth is between 0 and 1"},
        {-0.5f, VXB_DEPTH_REVERSED, "texel (1, 1) is -0.5: "},
        {-0.5f, VXB_DEPTH_LINEAR, "texel (1, 1) is -0.5: a distance is finite and not negative"},
        {INFINITY, VXB_DEPTH_LINEAR, "texel (1, 1) is inf: "},
        {INFINITY, VXB_DEPTH_DEVICE, "texel (1, 1) is inf: "},
        {-INFINITY, VXB_DEPTH_REVERSED, "texel (1, 1) is -inf: "},
        {NAN, VXB_DEPTH_LINEAR, "texel (1, 1) is NaN: "},
        {1.5f, VXB_DEPTH_DEVICE, "texel (1, 1) is 1.5: a depth is between 0 and 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float values[6] = {0.0f, 0.5f, 0.5f, 0.5f, cases[i].value, cases[i].value};
        const bool linear = cases[i].convention == VXB_DEPTH_LINEAR;
        write_pfm("a.pfm", "Pf", 3, 2, values, i & 1);
        must_fail(&(struct vxb_depth_desc){.path = "a.pfm", .convention = cases[i].convention, .has_near = linear,
                                           .near_plane = 1, .has_far = linear, .far_plane = 2},
                  VXB_ERR_DATA, "/depth/file", cases[i].text);
        cr_expect(strstr(err.message, "so many of 6 are not: 2") != NULL, "%s", err.message);
        cr_expect(eq(str, err.path, "a.pfm"));
    }
}

Test(depth, scaled_value__is_told_with_what_it_became)
{
    const float values[2] = {0.5f, 3.0f};
    write_floats("a.r32", values, 2, false);
    must_fail(&(struct vxb_depth_desc){.path = "a.r32", .width = 2, .height = 1, .has_scale = true, .scale = 0.5},
              VXB_ERR_DATA, "/depth/file", "texel (1, 0) is 3, scaled 1.5: ");
}

Test(depth, desc__each_fault_has_its_member)
{
    const struct vxb_depth_desc ok = {.path = "a.pfm"};
    struct vxb_depth_desc d = ok;
    must_fail(&(struct vxb_depth_desc){0}, VXB_ERR_USAGE, "/depth/file", "\"file\" is missing");
    must_fail(&(struct vxb_depth_desc){.path = "a.exr"}, VXB_ERR_USAGE, "/depth/file", "export the depth as a PFM");
    must_fail(&(struct vxb_depth_desc){.path = "a.tif"}, VXB_ERR_USAGE, "/depth/file", ".pfm, .png, .r32 or .raw");
    must_fail(&(struct vxb_depth_desc){.path = "a.raw"}, VXB_ERR_USAGE, "/depth/size", "give [columns, rows]");
    must_fail(&(struct vxb_depth_desc){.path = "a.raw", .width = 5}, VXB_ERR_USAGE, "/depth/size", "at least 1");
    must_fail(&(struct vxb_depth_desc){.path = "a.raw", .width = 32769, .height = 1}, VXB_ERR_LIMIT, "/depth/size",
              "at most 32768");
    d.width = 4;
    must_fail(&d, VXB_ERR_USAGE, "/depth/size", "for raw files only");
    d = ok;
    d.order = VXB_ORDER_BIG;
    must_fail(&d, VXB_ERR_USAGE, "/depth/order", "for raw files only");
    d = ok;
    d.has_scale = true;
    must_fail(&d, VXB_ERR_USAGE, "/depth/scale", "is 0: it is above 0");
    d.scale = NAN;
    must_fail(&d, VXB_ERR_USAGE, "/depth/scale", "is nan");
    d = ok;
    d.has_near = true;
    d.near_plane = 1;
    must_fail(&d, VXB_ERR_USAGE, "/depth/near", "for linear depth only");
    d.convention = VXB_DEPTH_LINEAR;
    must_fail(&d, VXB_ERR_USAGE, "/depth/far", "\"far\" is missing");
    d.has_far = true;
    d.far_plane = 1;
    must_fail(&d, VXB_ERR_USAGE, "/depth/far", "far is above near");
    d = ok;
    d.convention = (enum vxb_depth_convention)7;
    must_fail(&d, VXB_ERR_USAGE, "/depth/convention", "\"linear\"");
}

Test(depth, damaged_file__is_refused)
{
    const float colour[3] = {0};
    write_floats("cut.r32", six, 5, false);
    must_fail(&(struct vxb_depth_desc){.path = "cut.r32", .width = 3, .height = 2}, VXB_ERR_DATA, "/depth/file",
              "the file has 20 bytes, but 3 x 2 samples of 4 bytes (f32) are 24");
    write_pfm("colour.pfm", "PF", 1, 1, colour, false);
    must_fail(&(struct vxb_depth_desc){.path = "colour.pfm"}, VXB_ERR_UNSUPPORTED, "/depth/file",
              "depths are a PFM with one");
    write_pfm("a.png", "Pf", 3, 2, six, false);
    must_fail(&(struct vxb_depth_desc){.path = "a.png"}, VXB_ERR_FORMAT, "/depth/file", "this is a PFM");
    must_fail(&(struct vxb_depth_desc){.path = "none.pfm"}, VXB_ERR_IO, "/depth/file", "cannot open");
}

Test(depth, memory_limit__is_kept)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 100};
    struct vxb_pyramid *pyramid = NULL;
    write_floats("a.r32", six, 6, false);
    for (uint32_t width = 6; width >= 1; width /= 2) {
        struct made file = {0};
        for (uint32_t i = 0; i < width * 6; i++)
            made_f32(&file, 0.5f);
        made_write(&file, "a.r32");
        made_free(&file);
        const struct vxb_depth_desc desc = {.path = "a.r32", .width = width, .height = 6};
        vxb_error_clear(&err);
        const enum vxb_status status = vxb_pyramid_from_depth(&env, &desc, VXB_REDUCE_NEAREST, &pyramid, &err);
        cr_expect(eq(int, status, width == 6 ? VXB_ERR_LIMIT : VXB_OK), "%u: %s", width, err.message);
        vxb_pyramid_free(pyramid);
        pyramid = NULL;
    }
}

/* ---- recipes ---- */

Test(depth, recipe__is_read_whole)
{
    struct vxb_any_recipe recipe = {0};
    write_text("r.json", "{\"kind\": \"depth-pyramid\", \"reduce\": \"farthest\", \"depth\": {\"file\": \"x/d.raw\", "
                         "\"size\": [7, 5], \"order\": \"big\", \"scale\": 0.001, \"convention\": \"linear\", "
                         "\"near\": 0.1, \"far\": 100}}");
    cr_assert(eq(int, vxb_any_recipe_load(NULL, "r.json", NULL, 0, &recipe, &err), VXB_OK), "%s", err.message);
    cr_expect(eq(int, recipe.kind, VXB_RECIPE_PYRAMID));
    cr_expect(zero(ptr, recipe.grass));
    const struct vxb_depth_desc *depth = &recipe.pyramid->depth;
    cr_expect(eq(str, (char *)recipe.pyramid->path, "r.json"));
    cr_expect(eq(str, (char *)depth->path, "x/d.raw"));
    cr_expect(eq(u32, depth->width, 7));
    cr_expect(eq(u32, depth->height, 5));
    cr_expect(eq(int, depth->order, VXB_ORDER_BIG));
    cr_expect(eq(int, depth->convention, VXB_DEPTH_LINEAR));
    cr_expect(depth->has_scale);
    cr_expect(eq(dbl, depth->scale, 0.001));
    cr_expect(eq(dbl, depth->near_plane, 0.1));
    cr_expect(eq(dbl, depth->far_plane, 100));
    cr_expect(eq(int, recipe.pyramid->reduce, VXB_REDUCE_FARTHEST));
    cr_expect(eq(u32, recipe.pyramid->input_count, 1));
    cr_expect(eq(str, (char *)recipe.pyramid->inputs[0], "x/d.raw"));
    vxb_any_recipe_clear(&recipe);
    struct vxb_recipe *grass = NULL;
    cr_expect(eq(int, vxb_recipe_load(NULL, "r.json", NULL, 0, &grass, &err), VXB_ERR_USAGE));
    cr_expect(strstr(err.message, "allowed: \"grass-field\"") != NULL, "%s", err.message);
}

Test(depth, frame__stands_for_its_recipe_and_takes_sets)
{
    struct vxb_any_recipe recipe = {0};
    const struct vxb_recipe_set sets[] = {{"/depth/size", "[3, 2]"}, {"/reduce", "farthest"}};
    cr_assert(eq(int, vxb_any_recipe_load(NULL, "caf\xe9.r32", sets, 2, &recipe, &err), VXB_OK), "%s", err.message);
    cr_expect(zero(ptr, (char *)recipe.pyramid->path));
    cr_expect(eq(str, (char *)recipe.pyramid->depth.path, "caf\xe9.r32"));
    cr_expect(eq(u32, recipe.pyramid->depth.width, 3));
    cr_expect(eq(int, recipe.pyramid->reduce, VXB_REDUCE_FARTHEST));
    vxb_any_recipe_clear(&recipe);
    const struct vxb_recipe_set other = {"/depth/file", "b.pfm"};
    cr_expect(eq(int, vxb_any_recipe_load(NULL, "a.pfm", &other, 1, &recipe, &err), VXB_ERR_USAGE));
    cr_expect(eq(str, err.pointer, "/depth/file"));
}

/* ---- the bake ---- */

Test(depth, bake__file_is_the_pyramid_of_the_frame)
{
    struct vxb_any_recipe recipe = {0};
    struct vxb_pyramid_report report;
    struct vxb_pyramid *pyramid = NULL;
    struct vxb_bake_options options = {.size = sizeof options, .output = "a.ktx2", .if_changed = true};
    write_pfm("a.pfm", "Pf", 3, 2, six, false);
    cr_assert(eq(int, vxb_any_recipe_load(NULL, "a.pfm", NULL, 0, &recipe, &err), VXB_OK));
    for (int turn = 0; turn < 2; turn++) {
        cr_assert(eq(int, vxb_pyramid_bake(NULL, recipe.pyramid, &options, &report, &err), VXB_OK), "%s", err.message);
        cr_expect(eq(int, report.written, turn == 0));
        cr_expect(eq(u64, report.sky_texels, 1));
        cr_expect(eq(flt, report.farthest, 0.125f));
        cr_expect(eq(flt, report.nearest, 1.0f));
    }
    FILE *file = fopen("a.ktx2", "rb");
    cr_assert(file && fseek(file, 0, SEEK_END) == 0);
    cr_expect(eq(u64, report.file_bytes, (uint64_t)ftell(file)));
    fclose(file);
    cr_assert(eq(int, vxb_pyramid_load(NULL, "a.ktx2", &pyramid, &err), VXB_OK), "%s", err.message);
    is_six(pyramid);
    options.output = NULL;
    cr_assert(eq(int, vxb_pyramid_bake(NULL, recipe.pyramid, &options, &report, &err), VXB_OK));
    cr_expect(eq(u32, report.level_count, 2));
    cr_expect(not(report.written));
    options.output = "a.pfm";
    cr_expect(eq(int, vxb_pyramid_bake(NULL, recipe.pyramid, &options, &report, &err), VXB_ERR_REFUSED));
    vxb_error_clear(&err);
    options.output = "b.ktx2";
    options.compress = true;
    cr_expect(eq(int, vxb_pyramid_bake(NULL, recipe.pyramid, &options, &report, &err), VXB_ERR_USAGE));
    vxb_any_recipe_clear(&recipe);
}

/* Real frames of several cameras and byte orders. */
Test(depth, real_frames__are_read)
{
    struct vxb_pyramid *le, *be;
    char path[512];
    if (access(TEST_SHARED "/data/depth/hopper_le.pfm", R_OK) != 0) {
        cr_skip_test("no shared data");
        return;
    }
    le = must_read(&(struct vxb_depth_desc){.path = TEST_SHARED "/data/depth/hopper_le.pfm", .has_scale = true,
                                            .scale = 1 / 256.0});
    be = must_read(&(struct vxb_depth_desc){.path = TEST_SHARED "/data/depth/hopper_be.pfm", .has_scale = true,
                                            .scale = 1 / 256.0});
    cr_expect(memcmp(le->levels[0].texels, be->levels[0].texels, 128 * 128 * sizeof(float)) == 0);
    vxb_pyramid_free(le);
    vxb_pyramid_free(be);
    static const struct {
        const char *name;
        int percent_sky;
    } frames[] = {{"livingroom_640x480_mm", 13}, {"torus_knot_synthetic_640x480", 74},
                  {"kinect_person_640x480_mm", 16}};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, TEST_SHARED "/data/depth/%s.png", frames[i].name);
        struct vxb_pyramid *pyramid =
            must_read(&(struct vxb_depth_desc){.path = path, .has_scale = true, .scale = 0.001,
                                               .convention = VXB_DEPTH_LINEAR, .has_near = true, .near_plane = 0.3,
                                               .has_far = true, .far_plane = 20});
        int sky = 0;
        for (int k = 0; k < 640 * 480; k++)
            sky += pyramid->levels[0].texels[k] == 0;
        cr_expect(eq(int, sky * 100 / (640 * 480), frames[i].percent_sky), "%s", frames[i].name);
        vxb_pyramid_free(pyramid);
    }
}
