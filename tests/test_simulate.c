/* Camera paths and the walk over them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "core/bytes.h"
#include "vxbake/simulate.h"

/* ---- paths ---- */

#define PATH(fps, views) "{\"kind\":\"camera-path\",\"fps\":" fps ",\"views\":[" views "]}"
#define LOOK(time, at, to) "{\"time\":" time ",\"position\":[" at "],\"look_at\":[" to "],\"fov_y\":1,\"aspect\":2}"
#define SIX "[1,0,0,5],[-1,0,0,5],[0,1,0,5],[0,-1,0,5],[0,0,1,5],[0,0,-1,5]"
#define SIDES(time, at, planes) "{\"time\":" time ",\"position\":[" at "],\"planes\":[" planes "]}"

static enum vxb_status parse(const char *text, struct vxb_path **out, struct vxb_error *err)
{
    return vxb_path_parse(NULL, text, strlen(text), "path.json", out, err);
}

static struct vxb_path *good_path(const char *text)
{
    struct vxb_path *path = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, parse(text, &path, &err), VXB_OK), "%s", err.message);
    return path;
}

Test(simulate, path_that_makes_none__refused_naming_the_place)
{
    static const struct {
        const char *text, *pointer;
        enum vxb_status status;
    } cases[] = {
        {PATH("30", ""), "/views", VXB_ERR_USAGE},
        {PATH("0", LOOK("0", "0,0,0", "1,0,0")), "/fps", VXB_ERR_USAGE},
        {PATH("-5", LOOK("0", "0,0,0", "1,0,0")), "/fps", VXB_ERR_USAGE},
        {PATH("30", LOOK("1", "0,0,0", "1,0,0") "," LOOK("1", "0,0,0", "1,0,0")), "/views/1", VXB_ERR_USAGE},
        {PATH("30", LOOK("1", "0,0,0", "1,0,0") "," LOOK("0.5", "0,0,0", "1,0,0")), "/views/1", VXB_ERR_USAGE},
        {PATH("30", LOOK("0", "3,4,5", "3,4,5")), "/views/0", VXB_ERR_USAGE},
        {PATH("30", LOOK("0", "3,4", "3,4,5")), "/views/0/position", VXB_ERR_USAGE},
        {PATH("30", LOOK("0", "3,4,2e6", "3,4,5")), "/views/0/position/2", VXB_ERR_USAGE},
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":0,\"aspect\":1}"),
         "/views/0/fov_y", VXB_ERR_USAGE},
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":3.141592653589793,\"aspect\":1}"),
         "/views/0/fov_y", VXB_ERR_USAGE},
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":1,\"aspect\":0}"),
         "/views/0/aspect", VXB_ERR_USAGE},
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":1}"), "/views/0", VXB_ERR_USAGE},
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":1,\"aspect\":1,\"planes\":[" SIX
                    "]}"), "/views/0", VXB_ERR_USAGE},
        {PATH("30", SIDES("0", "0,0,0", "[1,0,0,5]")), "/views/0/planes", VXB_ERR_USAGE},
        {PATH("30", SIDES("0", "0,0,0", "[0,0,0,5],[-1,0,0,5],[0,1,0,5],[0,-1,0,5],[0,0,1,5],[0,0,-1,5]")),
         "/views/0/planes/0", VXB_ERR_USAGE},
        {PATH("30", SIDES("0", "0,0,0", SIX) "," LOOK("1", "0,0,0", "1,0,0")), "/views/1", VXB_ERR_USAGE},
        {PATH("1e6", LOOK("0", "0,0,0", "1,0,0") "," LOOK("2", "0,0,0", "1,0,0")), "", VXB_ERR_LIMIT},
        {"{\"kind\":\"camera-path\",\"version\":2,\"fps\":1,\"views\":[]}", "/version", VXB_ERR_UNSUPPORTED},
        {"{\"kind\":\"grass-field\",\"fps\":1,\"views\":[]}", "/kind", VXB_ERR_USAGE},
        {"[]", "", VXB_ERR_USAGE},
        {"{", "", VXB_ERR_USAGE},
        {"{\"kind\":\"camera-path\",\"fps\":1,\"wievs\":[]}", "/wievs", VXB_ERR_USAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_path *path = NULL;
        struct vxb_error err = {0};
        cr_assert(eq(int, parse(cases[i].text, &path, &err), cases[i].status), "case %zu: %s", i, err.message);
        cr_assert(eq(str, err.pointer, (char *)cases[i].pointer), "case %zu: %s", i, err.message);
        cr_assert(eq(ptr, path, NULL));
    }
}

Test(simulate, frames__from_the_first_view_while_not_past_the_last)
{
    static const struct {
        const char *text;
        uint32_t frames;
    } cases[] = {{PATH("30", LOOK("5", "0,0,0", "1,0,0")), 1},
                 {PATH("30", LOOK("0", "0,0,0", "1,0,0") "," LOOK("1", "1,0,0", "2,0,0")), 31},
                 {PATH("10", LOOK("0.1", "0,0,0", "1,0,0") "," LOOK("0.39", "1,0,0", "2,0,0")), 3},
                 {PATH("3", LOOK("-1", "0,0,0", "1,0,0") "," LOOK("1", "1,0,0", "2,0,0")), 7},
                 {PATH("0.5", LOOK("0", "0,0,0", "1,0,0") "," LOOK("1", "1,0,0", "2,0,0")), 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_path *path = good_path(cases[i].text);
        cr_assert(eq(u32, vxb_path_frame_count(path), cases[i].frames), "case %zu", i);
        vxb_path_free(path);
    }
}

static bool inside(const struct vxb_view *view, float x, float y, float z)
{
    for (uint32_t i = 0; i < view->plane_count; i++) {
        const struct vxb_plane *p = &view->planes[i];
        if (p->normal[0] * x + p->normal[1] * y + p->normal[2] * z + p->d < 0.0f)
            return false;
    }
    return true;
}

Test(simulate, look_at__four_planes_around_what_is_seen)
{
    struct vxb_view view = {0};
    double time;
    /* Half an angle of 0.5 each way: tan is 0.5463; the aspect is 2. */
    struct vxb_path *path = good_path(PATH("1", LOOK("0", "10,5,0", "20,5,0")));
    cr_assert(eq(int, vxb_path_frame(path, 0, &time, &view, NULL), VXB_OK));
    cr_assert(eq(u32, view.plane_count, 4));
    cr_assert(inside(&view, 20, 5, 0));
    cr_assert(inside(&view, 20, 10.4f, 0));
    cr_assert(not(inside(&view, 20, 10.5f, 0)));
    cr_assert(inside(&view, 20, -0.4f, 0));
    cr_assert(not(inside(&view, 20, -0.5f, 0)));
    cr_assert(inside(&view, 20, 5, 10.9f));
    cr_assert(not(inside(&view, 20, 5, 11.0f)));
    cr_assert(inside(&view, 20, 5, -10.9f));
    cr_assert(not(inside(&view, 20, 5, -11.0f)));
    cr_assert(not(inside(&view, 0, 5, 0)));
    vxb_path_free(path);
    /* Straight down: up is -z, so x is the wide side. */
    path = good_path(PATH("1", LOOK("0", "0,10,0", "0,0,0")));
    cr_assert(eq(int, vxb_path_frame(path, 0, &time, &view, NULL), VXB_OK));
    cr_assert(inside(&view, 10.9f, 0, 0));
    cr_assert(not(inside(&view, 11.0f, 0, 0)));
    cr_assert(inside(&view, 0, 0, 5.4f));
    cr_assert(not(inside(&view, 0, 0, 5.5f)));
    vxb_path_free(path);
}

Test(simulate, between_views__positions_are_linear_and_planes_the_latest)
{
    struct vxb_view view = {0};
    double time;
    struct vxb_path *path = good_path(PATH("4", SIDES("0", "0,0,8", SIX) "," SIDES("2", "4,0,0", "[0,0,1,9],[-1,0,0,5],"
        "[0,1,0,5],[0,-1,0,5],[0,0,1,5],[0,0,-1,5]")));
    for (uint32_t k = 0; k < vxb_path_frame_count(path); k++) {
        cr_assert(eq(int, vxb_path_frame(path, k, &time, &view, NULL), VXB_OK));
        cr_assert(eq(dbl, time, k / 4.0));
        cr_assert(eq(flt, view.position[0], 0.5f * (float)k));
        cr_assert(eq(flt, view.position[2], 8.0f - (float)k));
        cr_assert(eq(u32, view.plane_count, 6));
        cr_assert(eq(flt, view.planes[0].d, k < 8 ? 5.0f : 9.0f));
    }
    vxb_path_free(path);
}

Test(simulate, target_that_moves_through_the_camera__refused_naming_the_frame)
{
    struct vxb_view view = {0};
    struct vxb_error err = {0};
    double time;
    struct vxb_path *path = good_path(PATH("1", LOOK("0", "0,0,0", "-1,0,0") "," LOOK("2", "0,0,0", "1,0,0")));
    cr_assert(eq(int, vxb_path_frame(path, 0, &time, &view, &err), VXB_OK));
    cr_assert(eq(int, vxb_path_frame(path, 1, &time, &view, &err), VXB_ERR_USAGE));
    cr_assert(strstr(err.message, "frame 1") != NULL);
    vxb_path_free(path);
}

/* ---- walks ---- */

static const struct test_field field = {.format = 3, .sections = 4, .chunks = 12, .blades = 26};

struct opened {
    struct test_file file;
    struct vxb_source source;
    struct vxb_grass *grass;
};

static bool read_file(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    memcpy(buf, file->data + offset, size);
    return true;
}

static void open_field(struct opened *o, uint32_t max_commands, uint32_t updates)
{
    struct vxb_error err = {0};
    o->file = test_field_make(&field);
    vxbi_store_u32(o->file.data + 52, max_commands);
    vxbi_store_u32(o->file.data + 56, updates);
    test_file_repair(&o->file);
    o->source = (struct vxb_source){&o->file, o->file.size, read_file};
    cr_assert(eq(int, vxb_grass_open_source(NULL, &o->source, "field", &o->grass, &err), VXB_OK), "%s", err.message);
}

static void close_field(struct opened *o)
{
    vxb_grass_close(o->grass);
    free(o->file.data);
}

#define WALK                                                                        \
    PATH("10", LOOK("0", "0,5,-90", "1,0,0") "," LOOK("6", "1,5,250", "90,0,0") "," \
               LOOK("9", "-1,5,0", "5,0,9"))

static struct vxb_simulation *simulate(const struct opened *o, const char *walk, float range, uint32_t capacity)
{
    struct vxb_path *path = good_path(walk);
    struct vxb_error err = {0};
    struct vxb_simulation *s = NULL;
    const struct vxb_simulate_options options = {.size = sizeof options, .range = range, .capacity = capacity,
                                                 .hysteresis = VXB_RING_HYSTERESIS, .density = 1.0f};
    cr_assert(eq(int, vxb_simulate(NULL, o->grass, path, &options, &s, &err), VXB_OK), "%s", err.message);
    vxb_path_free(path);
    return s;
}

Test(simulate, walk__frames_sum_to_totals_and_species_to_frames)
{
    struct opened o;
    open_field(&o, 9, 2);
    struct vxb_simulation *s = simulate(&o, WALK, 60.0f, 5);
    uint64_t created = 0, evicted = 0, uploaded = 0, commands = 0;
    uint32_t resident = 0;
    cr_assert(eq(u32, s->frame_count, 91));
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct vxb_simulation_frame *f = &s->frames[i];
        struct vxb_cull_counts sum = {0};
        for (uint32_t k = 0; k < s->section_count; k++) {
            sum.chunks_tested += f->sections[k].chunks_tested;
            sum.chunks_visible += f->sections[k].chunks_visible;
            sum.blades += f->sections[k].blades;
            sum.commands += f->sections[k].commands;
            sum.refused += f->sections[k].refused;
        }
        cr_assert(memcmp(&sum, &f->total, sizeof sum) == 0);
        resident += f->created - f->evicted;
        cr_assert(eq(u32, f->resident, resident));
        cr_assert(le(u32, f->created, 2));
        cr_assert(le(u64, f->total.commands, 9));
        cr_assert(eq(u64, f->total.chunks_tested, 4u * f->resident));
        created += f->created;
        evicted += f->evicted;
        uploaded += f->upload_bytes;
        commands = f->total.commands > commands ? f->total.commands : commands;
    }
    cr_assert(eq(u64, s->created, created));
    cr_assert(eq(u64, s->evicted, evicted));
    cr_assert(eq(u64, s->upload_bytes, uploaded));
    cr_assert(eq(u64, s->most_commands.value, commands));
    cr_assert(eq(u64, s->frames[s->most_commands.frame].total.commands, commands));
    cr_assert(gt(u64, s->deferred, 0));
    cr_assert(gt(u64, s->most_commands_refused.value, 0));
    cr_assert(eq(u64, s->ring_bytes, 5 * s->slot_bytes));
    vxb_simulation_free(s);
    close_field(&o);
}

/* A cell that loses its slot to a nearer one is refused from the next frame on, so one less than are within range at
 * once
 * may do too: the count does not go below that. */
Test(simulate, smallest_capacity__refuses_nothing_and_holds_all_in_range)
{
    struct opened o;
    open_field(&o, UINT32_MAX, UINT32_MAX);
    for (float range = 0.0f; range < 200.0f; range += 23.0f) {
        struct vxb_simulation *first = simulate(&o, WALK, range, 1);
        uint32_t smallest = first->smallest_capacity;
        cr_assert(ge(u32, smallest, first->most_in_range));
        struct vxb_simulation *enough = simulate(&o, WALK, range, smallest);
        cr_assert(eq(u64, enough->refused, 0));
        cr_assert(eq(u32, enough->smallest_capacity, smallest));
        if (smallest > first->most_in_range) {
            struct vxb_simulation *less = simulate(&o, WALK, range, smallest - 1);
            cr_assert(gt(u64, less->refused, 0));
            vxb_simulation_free(less);
        }
        vxb_simulation_free(first);
        vxb_simulation_free(enough);
    }
    struct vxb_simulation *half = simulate(&o, WALK, 100.0f, 5);
    cr_assert(gt(u64, half->refused, 0));
    cr_assert(gt(u32, half->smallest_capacity, 5));
    vxb_simulation_free(half);
    close_field(&o);
}

Test(simulate, one_view__one_frame)
{
    struct opened o;
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_simulation *s = simulate(&o, PATH("30", LOOK("2", "0,5,0", "9,0,9")), 1000.0f, 100);
    cr_assert(eq(u32, s->frame_count, 1));
    cr_assert(eq(dbl, s->frames[0].time, 2.0));
    cr_assert(eq(u32, s->frames[0].created, s->cell_count));
    cr_assert(eq(u32, s->smallest_capacity, s->cell_count));
    vxb_simulation_free(s);
    close_field(&o);
}

Test(simulate, no_memory__status_and_nothing_left)
{
    struct opened o;
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_path *path = good_path(WALK);
    const struct vxb_simulate_options options = {.size = sizeof options, .range = 40.0f, .capacity = 4,
                                                 .density = 1.0f};
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 1000};
    struct vxb_simulation *s = NULL;
    cr_assert(eq(int, vxb_simulate(&env, o.grass, path, &options, &s, NULL), VXB_ERR_LIMIT));
    cr_assert(eq(ptr, s, NULL));
    vxb_path_free(path);
    close_field(&o);
}

/* ---- pictures ---- */

Test(simulate, pictures__are_png_files)
{
    struct opened o;
    struct vxb_error err = {0};
    char path[] = "/tmp/vxbake-simulate-XXXXXX";
    unsigned char head[24];
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_simulation *s = simulate(&o, WALK, 60.0f, 5);
    close(mkstemp(path));
    for (int i = 0; i < 2; i++) {
        cr_assert(eq(int, (i ? vxb_simulation_plot : vxb_simulation_map)(NULL, s, path, &err), VXB_OK), "%s",
                  err.message);
        FILE *file = fopen(path, "rb");
        cr_assert(eq(sz, fread(head, 1, sizeof head, file), sizeof head));
        cr_assert(memcmp(head, "\x89PNG\r\n\x1A\n", 8) == 0);
        fclose(file);
    }
    remove(path);
    vxb_simulation_free(s);
    close_field(&o);
}
