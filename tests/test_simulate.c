/* Camera paths and the walk over them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bench/plain_ring.h"
#include "bad_files.h"
#include "core/bytes.h"
#include "heap.h"
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
        {PATH("30", "{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":1,\"aspect\":1000001}"),
         "/views/0/aspect", VXB_ERR_USAGE},
        {PATH("1", LOOK("0", "0,0,0", "1,0,0") "," LOOK("1048576", "0,0,0", "1,0,0")), "", VXB_ERR_LIMIT},
        {PATH("1e-300", LOOK("-1e9", "0,0,0", "1,0,0") "," LOOK("1e300", "0,0,0", "1,0,0")), "/views/1/time",
         VXB_ERR_USAGE},
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

static void count_error(void *user, const struct vxb_diag *diag)
{
    *(uint32_t *)user += diag->severity == VXB_SEVERITY_ERROR;
}

/* Once a view that was wrong in itself hid that its time did not ascend, and those of all views after it. */
Test(simulate, path_of_several_faults__all_are_told)
{
    static const char text[] =
        PATH("30", LOOK("1", "0,0,0", "1,0,0") ",{\"time\":0,\"position\":[0,0,0],\"look_at\":[1,0,0],\"fov_y\":4,"
             "\"aspect\":1}," LOOK("2", "0,0,0", "0,0,0") "," LOOK("2", "0,0,0", "1,0,0"));
    uint32_t errors = 0;
    const struct vxb_env env = {.size = sizeof env, .user = &errors, .diag = count_error};
    struct vxb_path *path = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_path_parse(&env, text, strlen(text), NULL, &path, &err), VXB_ERR_USAGE));
    cr_assert(eq(str, err.pointer, "/views/1/fov_y"));
    cr_assert(eq(str, err.path, "the path"));
    cr_assert(eq(u32, errors, 4)); /* the angle, a time before the one before it, the target, a time that stands */
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
                 {PATH("0.5", LOOK("0", "0,0,0", "1,0,0") "," LOOK("1", "1,0,0", "2,0,0")), 1},
                 {PATH("1", LOOK("0", "0,0,0", "1,0,0") "," LOOK("1048575", "1,0,0", "2,0,0")), 1048576},
                 {PATH("1000000", LOOK("-1e9", "0,0,0", "1,0,0") "," LOOK("-999999999.9", "1,0,0", "2,0,0")), 100001}};
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

/* Up is +y until the camera looks down within 1e-4, the wide side then across what little of x it looks along: z. */
Test(simulate, nearly_straight_down__up_changes_at_a_ten_thousandth)
{
    static const struct {
        const char *text;
        bool wide_is_x;
    } cases[] = {{PATH("1", LOOK("0", "0,10,0", "0.0009,0,0")), true},
                 {PATH("1", LOOK("0", "0,10,0", "0.0011,0,0")), false},
                 {PATH("1", LOOK("0", "0,0,0", "0.0009,10,0")), true},
                 {PATH("1", LOOK("0", "0,0,0", "0.0011,10,0")), false}};
    for (size_t i = 0; i < 4; i++) {
        struct vxb_view view = {0};
        double time;
        const float y = i < 2 ? 0.0f : 10.0f;
        struct vxb_path *path = good_path(cases[i].text);
        cr_assert(eq(int, vxb_path_frame(path, 0, &time, &view, NULL), VXB_OK));
        cr_assert(eq(int, inside(&view, 10.0f, y, 0.0f), cases[i].wide_is_x), "case %zu", i);
        cr_assert(eq(int, inside(&view, 0.0f, y, 10.0f), !cases[i].wide_is_x), "case %zu", i);
        vxb_path_free(path);
    }
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
    cr_assert(eq(str, err.path, "path.json"));
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
    struct vxb_simulate_options options = vxb_simulate_options_default();
    options.range = range;
    options.capacity = capacity;
    cr_assert(eq(int, vxb_simulate(NULL, o->grass, path, &options, &s, &err), VXB_OK), "%s", err.message);
    vxb_path_free(path);
    return s;
}

Test(simulate, options_by_default__the_rings_hysteresis_and_every_blade)
{
    const struct vxb_simulate_options options = vxb_simulate_options_default();
    cr_assert(eq(sz, options.size, sizeof options));
    cr_assert(eq(flt, options.hysteresis, 0.15f));
    cr_assert(eq(flt, options.density, 1.0f));
    cr_assert(eq(u32, options.capacity, 0));
    cr_assert(eq(flt, options.range, 0.0f));
}

/* The cells of a range that hold a chunk, as the ring's rule says which those are. */
static uint32_t cells_in_range(const struct vxb_simulation *s, const float position[3])
{
    const struct vxb_ring_grid grid = {.cell_size = s->cell_size};
    const float at[2] = {position[0], position[2]}, range = s->options.range;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->cell_count; i++) {
        const struct vxb_simulation_cell *c = &s->cells[i];
        float size = s->cell_size;
        count += vxb_ring_distance(&grid, c->x, c->z, at) <= range &&
                 (float)c->x >= floorf((at[0] - range) / size) && (float)c->x <= floorf((at[0] + range) / size) &&
                 (float)c->z >= floorf((at[1] - range) / size) && (float)c->z <= floorf((at[1] + range) / size);
    }
    return count;
}

static void check_frame(const struct vxb_simulation *s, uint32_t index, const struct vxb_runtime *runtime,
                        struct plain_ring *plain)
{
    const struct vxb_simulation_frame *f = &s->frames[index];
    struct vxb_ring_change change;
    uint64_t bytes = 0;
    uint32_t resident;
    plain_ring_update(plain, f->position, s->options.range, s->updates_per_frame, &change);
    plain_ring_resident(plain, &resident);
    for (uint32_t i = 0; i < change.created_count; i++)
        bytes += (uint64_t)24 * vxb_runtime_cell_blades(runtime, change.created[i].cell_x, change.created[i].cell_z);
    cr_assert(eq(u32, f->created, change.created_count), "frame %u", (unsigned)index);
    cr_assert(eq(u32, f->evicted, change.evicted_count), "frame %u", (unsigned)index);
    cr_assert(eq(u32, f->refused, change.refused), "frame %u", (unsigned)index);
    cr_assert(eq(u32, f->deferred, change.deferred), "frame %u", (unsigned)index);
    cr_assert(eq(u32, f->resident, resident), "frame %u", (unsigned)index);
    cr_assert(eq(u64, f->upload_bytes, bytes), "frame %u", (unsigned)index);
}

Test(simulate, every_frame__what_the_plain_ring_does)
{
    static const uint32_t updates[] = {UINT32_MAX, 0, 1, 3};
    for (size_t u = 0; u < 4; u++) {
        struct opened o;
        struct vxb_runtime *runtime = NULL;
        open_field(&o, UINT32_MAX, updates[u]);
        cr_assert(eq(int, vxb_runtime_load(NULL, o.grass, NULL, &runtime, NULL), VXB_OK));
        const struct vxb_ring_grid grid = vxb_runtime_grid(runtime);
        for (uint32_t capacity = 1; capacity < 14; capacity += 3) {
            struct vxb_simulation *s = simulate(&o, WALK, 61.5f, capacity);
            struct plain_ring *plain = plain_ring_new(&grid, capacity, VXB_RING_HYSTERESIS);
            uint32_t most = 0;
            for (uint32_t i = 0; i < s->frame_count; i++) {
                uint32_t count = cells_in_range(s, s->frames[i].position);
                check_frame(s, i, runtime, plain);
                most = count > most ? count : most;
            }
            cr_assert(eq(u32, s->most_in_range, most));
            plain_ring_free(plain);
            vxb_simulation_free(s);
        }
        vxb_runtime_free(runtime);
        close_field(&o);
    }
}

Test(simulate, walk__frames_sum_to_totals_and_species_to_frames)
{
    struct opened o;
    open_field(&o, 9, 1);
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
        cr_assert(le(u32, f->created, 1));
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
    cr_assert(lt(u64, 0, s->deferred));
    cr_assert(lt(u64, 0, s->most_commands_refused.value));
    cr_assert(eq(u64, s->ring_bytes, 5 * s->slot_bytes));
    vxb_simulation_free(s);
    close_field(&o);
}

/* A cell that loses its slot to a nearer one is refused from the next frame on, so one less than are within range at
 * once may do too: the count does not go below that. */
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
            cr_assert(lt(u64, 0, less->refused));
            vxb_simulation_free(less);
        }
        vxb_simulation_free(first);
        vxb_simulation_free(enough);
    }
    struct vxb_simulation *half = simulate(&o, WALK, 100.0f, 5);
    cr_assert(lt(u64, 0, half->refused));
    cr_assert(lt(u32, 5, half->smallest_capacity));
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

Test(simulate, field_or_frames_above_max_memory__refused)
{
    struct opened o;
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_path *path = good_path(WALK);
    struct vxb_simulate_options options = vxb_simulate_options_default();
    options.range = 40.0f;
    options.capacity = 4;
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 1000};
    struct vxb_simulation *s = NULL;
    cr_assert(eq(int, vxb_simulate(&env, o.grass, path, &options, &s, NULL), VXB_ERR_LIMIT));
    cr_assert(eq(ptr, s, NULL));
    vxb_path_free(path);
    close_field(&o);
}

/* Everything that was found wrong with a call leaves nothing behind. */
Test(simulate, options_out_of_range__refused)
{
    struct opened o;
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_path *path = good_path(WALK);
    struct vxb_simulate_options bad[9];
    enum vxb_status status[9] = {VXB_ERR_USAGE, VXB_ERR_USAGE, VXB_ERR_LIMIT, VXB_ERR_USAGE, VXB_ERR_LIMIT,
                                 VXB_ERR_USAGE, VXB_ERR_LIMIT, VXB_ERR_USAGE, VXB_ERR_USAGE};
    for (int i = 0; i < 9; i++) {
        bad[i] = vxb_simulate_options_default();
        bad[i].range = 40.0f;
        bad[i].capacity = 4;
    }
    bad[0].size = 3;
    bad[1].range = -1.0f;
    bad[2].range = 2e6f;
    bad[3].capacity = 0;
    bad[4].capacity = VXB_RING_CAPACITY_MAX + 1;
    bad[5].hysteresis = NAN;
    bad[6].hysteresis = -2e6f;
    bad[7].density = 1.5f;
    bad[8].density = NAN;
    for (int i = 0; i < 9; i++) {
        struct heap heap = {0};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_simulation *s = NULL;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_simulate(&env, o.grass, path, &bad[i], &s, &err), status[i]), "case %d", i);
        cr_assert(err.message[0] != '\0');
        cr_assert(eq(ptr, s, NULL));
        cr_assert(eq(u64, heap.now, 0));
    }
    vxb_path_free(path);
    close_field(&o);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

Test(simulate, cancelled__status_and_nothing_left)
{
    struct opened o;
    struct heap heap = {0};
    struct vxb_env env = heap_env(&heap);
    struct vxb_simulation *s = NULL;
    struct vxb_simulate_options options = vxb_simulate_options_default();
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_path *path = good_path(WALK);
    options.range = 40.0f;
    options.capacity = 4;
    env.cancelled = always;
    cr_assert(eq(int, vxb_simulate(&env, o.grass, path, &options, &s, NULL), VXB_ERR_CANCELLED));
    cr_assert(eq(ptr, s, NULL));
    cr_assert(eq(u64, heap.now, 0));
    vxb_path_free(path);
    close_field(&o);
}

Test(simulate, no_memory_for_the_path__status_and_nothing_left)
{
    static const char *const texts[] = {WALK, PATH("4", SIDES("0", "0,0,8", SIX)), PATH("30", "")};
    for (size_t t = 0; t < 3; t++)
        for (size_t nth = 1;; nth++) {
            struct heap heap = {.fail_at = nth, .once = true};
            const struct vxb_env env = heap_env(&heap);
            struct vxb_path *path = NULL;
            struct vxb_error err = {0};
            enum vxb_status status = vxb_path_parse(&env, texts[t], strlen(texts[t]), "path.json", &path, &err);
            vxb_path_free(path);
            cr_assert(eq(u64, heap.now, 0));
            if (heap.calls < nth) {
                cr_assert(eq(int, status, t == 2 ? VXB_ERR_USAGE : VXB_OK));
                break;
            }
            cr_assert(eq(int, status, VXB_ERR_MEMORY), "allocation %zu", nth);
            cr_assert(eq(int, err.status, VXB_ERR_MEMORY));
            cr_assert(lt(sz, nth, 100));
        }
}

/* Loading the file, the walk and the pictures. */
Test(simulate, no_memory__status_and_nothing_left)
{
    struct opened o;
    char name[] = "/tmp/vxbake-simulate-XXXXXX";
    open_field(&o, UINT32_MAX, UINT32_MAX);
    struct vxb_path *path = good_path(WALK);
    struct vxb_simulate_options options = vxb_simulate_options_default();
    options.range = 60.0f;
    options.capacity = 4;
    close(mkstemp(name));
    for (size_t nth = 1;; nth++) {
        struct heap heap = {.fail_at = nth, .once = true};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_simulation *s = NULL;
        struct vxb_output *output = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = vxb_simulate(&env, o.grass, path, &options, &s, &err);
        cr_assert(eq(int, s == NULL, status != VXB_OK));
        if (!status)
            status = vxb_output_open(&env, name, &output, &err);
        if (!status)
            status = vxb_simulation_plot(&env, s, output, &err);
        if (!status)
            status = vxb_simulation_map(&env, s, output, &err);
        vxb_output_abort(output);
        vxb_simulation_free(s);
        cr_assert(eq(u64, heap.now, 0), "allocation %zu", nth);
        if (heap.calls < nth) {
            cr_assert(eq(int, status, VXB_OK));
            break;
        }
        cr_assert(eq(int, status, VXB_ERR_MEMORY), "allocation %zu", nth);
        cr_assert(eq(int, err.status, VXB_ERR_MEMORY));
        cr_assert(lt(sz, nth, 1000));
    }
    remove(name);
    vxb_path_free(path);
    close_field(&o);
}

/* ---- pictures ---- */

static void check_picture(const struct vxb_simulation *s, bool plot, const char *name)
{
    struct vxb_error err = {0};
    struct vxb_output *output = NULL;
    unsigned char head[24];
    cr_assert(eq(int, vxb_output_open(NULL, name, &output, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, (plot ? vxb_simulation_plot : vxb_simulation_map)(NULL, s, output, &err), VXB_OK), "%s",
              err.message);
    cr_assert(eq(int, vxb_output_commit(output, &err), VXB_OK), "%s", err.message);
    FILE *file = fopen(name, "rb");
    cr_assert(eq(sz, fread(head, 1, sizeof head, file), sizeof head));
    cr_assert(memcmp(head, "\x89PNG\r\n\x1A\n", 8) == 0);
    fclose(file);
}

/* Also of one frame at the edge of the world, which leaves the cells no pixel. */
Test(simulate, pictures__are_png_files)
{
    static const char *const walks[] = {WALK, PATH("30", LOOK("0", "1048576,0,-1048576", "0,0,0"))};
    struct opened o;
    char name[] = "/tmp/vxbake-simulate-XXXXXX";
    open_field(&o, UINT32_MAX, UINT32_MAX);
    close(mkstemp(name));
    for (int i = 0; i < 2; i++) {
        struct vxb_simulation *s = simulate(&o, walks[i], 60.0f, 5);
        check_picture(s, false, name);
        check_picture(s, true, name);
        vxb_simulation_free(s);
    }
    remove(name);
    close_field(&o);
}

Test(simulate, field_without_blades__walks_and_draws)
{
    static const struct test_field *const fields[] = {&test_field_1_empty, &test_field_2_empty, &test_field_1};
    char name[] = "/tmp/vxbake-simulate-XXXXXX";
    close(mkstemp(name));
    for (int i = 0; i < 3; i++) {
        struct opened o;
        struct vxb_error err = {0};
        o.file = test_field_make(fields[i]);
        o.source = (struct vxb_source){&o.file, o.file.size, read_file};
        cr_assert(eq(int, vxb_grass_open_source(NULL, &o.source, "field", &o.grass, &err), VXB_OK), "%s", err.message);
        struct vxb_simulation *s = simulate(&o, WALK, 500.0f, 5);
        const bool empty = i < 2;
        cr_assert(eq(u64, s->created == 0, empty));
        cr_assert(eq(u64, s->ring_bytes == 0, empty));
        cr_assert(eq(u32, s->section_count, 1));
        cr_assert(eq(u32, s->smallest_capacity, empty ? 1 : s->most_in_range));
        check_picture(s, false, name);
        check_picture(s, true, name);
        vxb_simulation_free(s);
        close_field(&o);
    }
    remove(name);
}
