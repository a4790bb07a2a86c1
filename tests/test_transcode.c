/* transcode: every legal path keeps what it promises, every other one is refused and says what is possible. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "grass/legacy.h"
#include "heap.h"
#include "vxbake/runtime.h"
#include "vxbake/transcode.h"
#include "vxbake/verify.h"

static char folder[64];

static void enter(void)
{
    strcpy(folder, "/tmp/vxbake-transcode-XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
}

static void leave(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "b.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    cr_assert(eq(int, rmdir(folder), 0), "something is left in the folder");
}

TestSuite(transcode, .init = enter, .fini = leave);

static void write_bytes(const char *path, const struct test_file *file)
{
    FILE *f = fopen(path, "wb");
    cr_assert(eq(sz, fwrite(file->data, 1, file->size, f), file->size));
    fclose(f);
}

static struct test_file read_bytes(const char *path)
{
    struct test_file file = {0};
    FILE *f = fopen(path, "rb");
    cr_assert(ne(ptr, f, NULL), "%s is missing", path);
    fseek(f, 0, SEEK_END);
    file.size = (size_t)ftell(f);
    file.data = malloc(file.size + 1);
    rewind(f);
    cr_assert(eq(sz, fread(file.data, 1, file.size, f), file.size));
    fclose(f);
    return file;
}

static void make(const char *path, const struct test_field *field)
{
    struct test_file file = test_field_make(field);
    write_bytes(path, &file);
    free(file.data);
}

static bool same_files(const char *a, const char *b)
{
    struct test_file x = read_bytes(a), y = read_bytes(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    free(x.data);
    free(y.data);
    return same;
}

static enum vxb_status transcode(const char *from, const char *to, struct vxb_transcode_options options,
                                 struct vxb_transcode_report *report, struct vxb_error *err)
{
    const struct vxb_env env = {.size = sizeof env, .threads = 3};
    options.size = sizeof options;
    options.output = to;
    vxb_error_clear(err);
    return vxb_transcode(&env, from, &options, report, err);
}

/* Transcodes, wants success, and wants verify to find no error in a grass file that comes of it. */
static struct vxb_transcode_report good(const char *from, const char *to, struct vxb_transcode_options options)
{
    struct vxb_transcode_report report;
    struct vxb_verify_report *verified = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, transcode(from, to, options, &report, &err), VXB_OK), "%s", err.message);
    if (report.to) {
        cr_assert(eq(int, vxb_verify(NULL, to, NULL, &verified, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(u64, verified->errors, 0), "%s", verified->findings[0].message);
        cr_assert(eq(u32, verified->format, report.to));
        cr_assert(eq(u64, verified->file_bytes, report.file_bytes));
        cr_assert(eq(u64, verified->content_id, report.content_id));
        vxb_verify_report_free(verified);
    }
    return report;
}

static uint64_t content_of(const char *path)
{
    struct vxb_grass *grass = NULL;
    cr_assert(eq(int, vxb_grass_open(NULL, path, &grass, NULL), VXB_OK));
    uint64_t id = vxb_grass_header(grass)->content_id;
    vxb_grass_close(grass);
    return id;
}

/* Fields of many shapes: every format, counts and flags drawn. */
static struct test_field draw_field(uint32_t round)
{
    struct test_field field = {.format = 2 + round % 2, .sections = 1, .chunks = round % 4, .blades = 1 + round % 4};
    static const uint16_t flags[3] = {0, VXB_GRASS_ZSTD, VXB_GRASS_ZSTD | VXB_GRASS_SPLIT};
    field.flags = flags[round / 2 % 3];
    if (round % 6 > 3) { /* many chunks, and a larger budget */
        field.chunks = 12;
        field.blades = 1 + round * 5 % 21;
    }
    if (field.format == 3)
        field.sections = 2 + round / 3 % 3;
    field.last_empty = round % 5 == 0;
    field.flat = round % 7 == 3;
    return field;
}

Test(transcode, compression_and_back__is_the_same_file_and_content)
{
    static const struct vxb_transcode_options ways[] = {{.compress = true, .compress_level = 3},
                                                        {.compress = true, .compress_level = 19, .split = true},
                                                        {.compress = true, .compress_level = -7}, {0}};
    for (uint32_t round = 0; round < 24; round++) {
        const struct test_field field = draw_field(round);
        make("a", &field);
        good("a", "b", (struct vxb_transcode_options){0});
        if (!field.flags)
            cr_assert(same_files("a", "b"), "round %u: raw to raw changed the file", round);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            struct vxb_transcode_report report = good("a", "c", ways[i]);
            cr_assert(report.from == field.format && report.to == field.format);
            cr_assert(eq(u64, report.content_id, content_of("a")));
            good("c", "d", (struct vxb_transcode_options){0});
            cr_assert(same_files("b", "d"), "round %u, way %zu: back is another file", round, i);
        }
    }
}

Test(transcode, number_of_threads__changes_no_byte)
{
    const struct test_field field = {.format = 3, .sections = 3, .chunks = 20, .blades = 9};
    make("a", &field);
    for (uint32_t threads = 1; threads < 6; threads += 2) {
        const struct vxb_env env = {.size = sizeof env, .threads = threads};
        const struct vxb_transcode_options options = {.size = sizeof options, .output = threads == 1 ? "b" : "c",
                                                      .compress = true, .compress_level = 5, .split = true};
        cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, NULL), VXB_OK));
        cr_assert(threads == 1 || same_files("b", "c"));
    }
}

/* ---- format 1 ---- */

static int by_place(const void *a, const void *b)
{
    const struct vxbi_legacy_blade *x = a, *y = b;
    return x->x != y->x ? (x->x < y->x ? -1 : 1) : x->z != y->z ? (x->z < y->z ? -1 : 1) : 0;
}

static uint32_t legacy_blades(const char *path, struct vxbi_legacy_blade out[64])
{
    struct test_file file = read_bytes(path);
    uint32_t count = vxbi_load_u32(file.data + 56);
    cr_assert(le(u32, count, 64));
    for (uint32_t i = 0; i < count; i++)
        vxbi_legacy_get_blade(file.data + test_file_at(&file, BAD_DATA, i), &out[i]);
    qsort(out, count, sizeof *out, by_place);
    free(file.data);
    return count;
}

static double turned(float a, float b)
{
    double d = fabs((double)a - (double)b);
    return fmin(d, 2 * 3.14159265358979323846 - d);
}

Test(transcode, format_1_to_2_and_back__is_the_same_within_the_quanta_and_then_stays)
{
    struct vxbi_legacy_blade before[64], after[64];
    make("a", &test_field_1);
    struct vxb_transcode_report report = good("a", "b", (struct vxb_transcode_options){0});
    cr_assert(report.from == 1 && report.to == 2 && report.chunk_count == 4 && report.blade_count == 24);
    good("b", "c", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    uint32_t count = legacy_blades("a", before);
    cr_assert(eq(u32, legacy_blades("c", after), count));
    cr_assert(report.quantised && report.place_step == 32.0 / 65536 && report.height_step <= 64.0 / 65535);
    cr_assert(report.lost == 0 && !report.one_species);
    for (uint32_t i = 0; i < count; i++) {
        const struct vxbi_legacy_blade *p = &before[i], *q = &after[i];
        cr_assert(fabs(p->y - q->y) <= 0.51 * report.height_step + 1e-6);
        cr_assert(le(dbl, fabs(p->x - q->x), 32.0 / 65536));
        cr_assert(le(dbl, fabs(p->z - q->z), 32.0 / 65536));
        cr_assert(le(dbl, fabs(p->y - q->y), 32.0 / 65535));
        cr_assert(le(dbl, turned(p->yaw, q->yaw), 3.1416 / 65536));
        cr_assert(le(dbl, turned(p->phase, q->phase), 3.1416 / 256));
        cr_assert(le(dbl, fabs(p->scale - q->scale), p->scale / 2048));
        cr_assert(le(dbl, fabs(p->tint - q->tint), 0.5 / 256 + 1e-7));
        cr_assert(eq(flt, p->rank, q->rank));
    }
    /* What was quantised once loses nothing more, but for heights whose range the quantised ones span. */
    good("c", "d", (struct vxb_transcode_options){0});
    good("d", "e", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    cr_assert(same_files("c", "e"));
    cr_assert(eq(u64, content_of("b"), content_of("d")));
}

/* ---- random fields ---- */

static uint32_t below(uint32_t *state, uint32_t end)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 8) * end >> 24);
}

/* low to high, the ends not rarely. */
static float between(uint32_t *state, float low, float high)
{
    const uint32_t kind = below(state, 12);
    const double part = below(state, 1 << 24) / (double)(1 << 24);
    const float value = (float)((double)low + ((double)high - (double)low) * part);
    return kind == 0 || value < low ? low : kind == 1 || value > high ? high : value;
}

enum { RANDOM_CHUNKS = 9, RANDOM_BLADES = 40 };

struct random_chunk {
    int32_t x, z;
    uint32_t count;
    struct vxbi_legacy_blade blades[RANDOM_BLADES];
};

/* A field of format 1: cells near and far, of sizes that are no power of two, in no order, some of them empty. */
static float make_random(const char *path, uint32_t seed, struct random_chunk chunks[RANDOM_CHUNKS])
{
    static const float sizes[] = {1, 17.3f, 32, 1023.9f, 64, 3.14159f, 1024, 1.0001f};
    static const float spans[] = {0, 1e-3f, 1, 30, 5000};
    uint32_t state = seed;
    const float size = sizes[below(&state, 8)], span = spans[below(&state, 5)];
    const int32_t reach = (int32_t)(1048576 / size) - 20;
    const int32_t base[2] = {seed % 3 ? (int32_t)below(&state, 9) - 4 : reach, seed % 4 ? -2 : -reach};
    struct vxbi_legacy_header h = {.cell_size = size, .chunk_count = RANDOM_CHUNKS};
    uint8_t bytes[64 + RANDOM_CHUNKS * 16 + RANDOM_CHUNKS * RANDOM_BLADES * 32];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes, .at = 64};
    for (uint32_t j = 0; j < RANDOM_CHUNKS; j++) {
        struct random_chunk *c = &chunks[j];
        c->x = base[0] + (int32_t)(j * 5 % 9 % 3);
        c->z = base[1] + (int32_t)(j * 5 % 9 / 3);
        c->count = below(&state, 4) == 0 ? 0 : 1 + below(&state, RANDOM_BLADES);
        vxbi_put_i32(&w, c->x);
        vxbi_put_i32(&w, c->z);
        vxbi_put_u32(&w, h.blade_count);
        vxbi_put_u32(&w, c->count);
        h.blade_count += c->count;
    }
    for (uint32_t j = 0, n = 0; j < RANDOM_CHUNKS; j++) {
        float x[2], z[2];
        vxbi_legacy_sides(chunks[j].x, size, &x[0], &x[1]);
        vxbi_legacy_sides(chunks[j].z, size, &z[0], &z[1]);
        for (uint32_t i = 0; i < chunks[j].count; i++, n++) {
            struct vxbi_legacy_blade *b = &chunks[j].blades[i];
            *b = (struct vxbi_legacy_blade){
                .x = between(&state, x[0], x[1]), .y = between(&state, -3 - span, -3 + span),
                .z = between(&state, z[0], z[1]), .yaw = between(&state, 0, VXBI_LEGACY_TURN),
                .scale = between(&state, 0x1p-10f, below(&state, 2) ? 1024.0f : 1.5f), .tint = between(&state, 0, 1),
                .phase = between(&state, 0, VXBI_LEGACY_TURN), .rank = between(&state, 0, 1)};
            const float at[3] = {b->x, b->y, b->z};
            for (int axis = 0; axis < 3; axis++) {
                h.bounds_min[axis] = n == 0 || at[axis] < h.bounds_min[axis] ? at[axis] : h.bounds_min[axis];
                h.bounds_max[axis] = n == 0 || at[axis] > h.bounds_max[axis] ? at[axis] : h.bounds_max[axis];
            }
            vxbi_legacy_put_blade(&w, b);
        }
    }
    h.file_bytes = w.at;
    w.at = 0;
    vxbi_legacy_put_header(&w, &h);
    write_bytes(path, &(struct test_file){bytes, (size_t)h.file_bytes});
    return size;
}

static int by_cell(const void *a, const void *b)
{
    const struct random_chunk *p = a, *q = b;
    return p->z != q->z ? (p->z < q->z ? -1 : 1) : p->x < q->x ? -1 : p->x > q->x;
}

/* As the conversion orders them: by rank as it is stored, equal ones as they stood. */
static void sort_blades(struct random_chunk *chunk)
{
    for (uint32_t i = 1; i < chunk->count; i++)
        for (uint32_t k = i; k > 0 && vxbi_legacy_rank(chunk->blades[k].rank) <
                                          vxbi_legacy_rank(chunk->blades[k - 1].rank); k--) {
            const struct vxbi_legacy_blade kept = chunk->blades[k];
            chunk->blades[k] = chunk->blades[k - 1];
            chunk->blades[k - 1] = kept;
        }
}

/* One step of f32 at a value. */
static double ulp(float value)
{
    const float size = fabsf(value);
    return (double)nextafterf(size, INFINITY) - (double)size;
}

/* Half of what each field of a record counts in, and what rounding to f32 adds. */
static void same_within_quanta(const struct vxbi_legacy_blade *p, const struct vxbi_legacy_blade *q, float size,
                               double height, const char *what)
{
    const double x = fabs((double)p->x - (double)q->x), y = fabs((double)p->y - (double)q->y);
    const double z = fabs((double)p->z - (double)q->z), half = (double)size / 131072;
    cr_assert(x <= half + 1.5 * ulp(p->x), "%s: x %.9g, back %.9g", what, (double)p->x, (double)q->x);
    cr_assert(z <= half + 1.5 * ulp(p->z), "%s: z %.9g, back %.9g", what, (double)p->z, (double)q->z);
    cr_assert(y <= height / 131070 + height * 4e-7 + 1.5 * ulp(p->y), "%s: y %.9g, back %.9g of %.9g", what,
              (double)p->y, (double)q->y, height);
    cr_assert(turned(p->yaw, q->yaw) <= 3.14159266 / 65536 + 5e-7, "%s: yaw", what);
    cr_assert(turned(p->phase, q->phase) <= 3.14159266 / 256 + 5e-7, "%s: phase", what);
    cr_assert(fabs((double)p->scale - (double)q->scale) <= (double)p->scale / 2048, "%s: scale", what);
    cr_assert(fabs((double)p->tint - (double)q->tint) <= 0.5 / 256 + 1e-7, "%s: tint", what);
    cr_assert(p->rank >= q->rank && (double)p->rank - (double)q->rank <= 1.0 / 65536, "%s: rank", what);
}

Test(transcode, random_format_1_to_2_and_back__is_the_same_within_half_a_quantum)
{
    static struct random_chunk chunks[RANDOM_CHUNKS];
    uint32_t blades = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        char what[32];
        const float size = make_random("a", seed, chunks);
        const bool packed = seed % 2;
        snprintf(what, sizeof what, "seed %u", seed);
        good("a", "b", (struct vxb_transcode_options){.compress = packed, .compress_level = 1, .split = seed % 4 == 1});
        good("b", "c", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
        good("c", "d", (struct vxb_transcode_options){0});
        good("d", "e", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
        struct test_file back = read_bytes("c"), again = read_bytes("e");
        qsort(chunks, RANDOM_CHUNKS, sizeof *chunks, by_cell);
        uint32_t at = 0;
        cr_assert(eq(sz, again.size, back.size));
        for (uint32_t j = 0; j < RANDOM_CHUNKS; j++) {
            struct random_chunk *c = &chunks[j];
            float low = 0, high = 0;
            sort_blades(c);
            for (uint32_t i = 0; i < c->count; i++) {
                low = i == 0 || c->blades[i].y < low ? c->blades[i].y : low;
                high = i == 0 || c->blades[i].y > high ? c->blades[i].y : high;
            }
            for (uint32_t i = 0; i < c->count; i++, at++, blades++) {
                struct vxbi_legacy_blade one, two;
                vxbi_legacy_get_blade(back.data + test_file_at(&back, BAD_DATA, at), &one);
                vxbi_legacy_get_blade(again.data + test_file_at(&again, BAD_DATA, at), &two);
                same_within_quanta(&c->blades[i], &one, size, (double)high - (double)low, what);
                /* What was quantised once stays, the heights' range apart, which then is that of the quantised ones. */
                two.y = one.y;
                cr_assert(one.x == two.x && one.z == two.z && one.yaw == two.yaw && one.scale == two.scale &&
                              one.tint == two.tint && one.phase == two.phase && one.rank == two.rank, "%s", what);
            }
        }
        cr_assert(eq(u32, at, vxbi_load_u32(back.data + 56)));
        free(back.data);
        free(again.data);
    }
    cr_assert(lt(u32, 5000, blades));
}

/* From a random field along random legal ways: verify finds nothing anywhere, the content id stays until a species is
 * taken out or format 1 is gone through, and raw again it is the same file as straight from there. */
Test(transcode, random_walks__keep_the_content)
{
    static const char *const names[] = {"fescue", "sedge"};
    uint32_t state = 7, lossy = 0, taken = 0;
    for (uint32_t round = 0; round < 40; round++) {
        const struct test_field field = draw_field(round);
        const char *here = "b", *next = "c";
        uint32_t format = field.format;
        make("a", &field);
        good("a", here, (struct vxb_transcode_options){0});
        good("a", "d", (struct vxb_transcode_options){0}); /* what it is, raw */
        uint64_t content = content_of("a");
        for (int step = 0; step < 6; step++) {
            struct vxb_transcode_options way = {.compress = below(&state, 3) > 0,
                                                .compress_level = (int)below(&state, 9) - 3};
            const uint32_t turn = below(&state, 6);
            way.split = way.compress && below(&state, 2);
            if (turn == 0 && format == 3) {
                way.to = VXB_TRANSCODE_2;
                way.species = names[field.sections > 2 ? below(&state, 2) : 0];
                taken++;
            } else if (turn == 1 && format == 2) {
                way = (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true};
                lossy++;
            }
            const struct vxb_transcode_report report = good(here, next, way);
            if (!way.to && format != 1)
                cr_assert(eq(u64, report.content_id, content), "round %u, step %d", round, step);
            else if (report.to != 1)
                good(next, "d", (struct vxb_transcode_options){0});
            content = report.content_id;
            format = report.to;
            const char *kept = here;
            here = next;
            next = kept;
        }
        if (format != 1) {
            good(here, "e", (struct vxb_transcode_options){0});
            cr_assert(same_files("e", "d"), "round %u", round);
        }
    }
    cr_assert(lossy > 5 && taken > 5);
}

Test(transcode, format_1_to_2__has_the_header_that_the_format_names)
{
    struct vxb_grass *grass = NULL;
    make("a", &test_field_1);
    good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .compress = true, .compress_level = 3});
    cr_assert(eq(int, vxb_grass_open(NULL, "b", &grass, NULL), VXB_OK));
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    const struct vxb_grass_section *s = vxb_grass_section(grass, 0);
    cr_assert(h->format == 2 && h->flags == VXB_GRASS_ZSTD && h->bake_revision == 0 && h->seed == 0);
    cr_assert(h->density == 0.0f && h->bake_id == 0 && h->cell_size == 32.0f && h->lod_count == 1);
    cr_assert(h->max_commands == UINT32_MAX && h->updates_per_frame == UINT32_MAX && h->blade_budget == UINT32_MAX);
    cr_assert(s->species_id == 0 && s->material_index == 0 && s->rank_limit == 65535 && s->pass_count == 1);
    cr_assert(s->name[0] == 0 && !s->material[0] && !s->mesh[0] && strcmp(s->passes[0], "main") == 0);
    vxb_grass_close(grass);
}

Test(transcode, empty_fields__go_every_way)
{
    make("a", &test_field_1_empty);
    good("a", "b", (struct vxb_transcode_options){0});
    good("b", "c", (struct vxb_transcode_options){.compress = true, .compress_level = 1});
    good("c", "d", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
    cr_assert(same_files("a", "d"));
}

struct notes {
    char text[4096];
};

static void note(void *user, const struct vxb_diag *diag)
{
    struct notes *notes = user;
    strcat(strcat(notes->text, diag->what.message), "\n");
}

Test(transcode, lossy__lists_what_is_lost_and_no_more)
{
    struct notes notes = {{0}};
    const struct vxb_env env = {.size = sizeof env, .user = &notes, .diag = note};
    const struct vxb_transcode_options options = {.size = sizeof options, .output = "b", .to = VXB_TRANSCODE_1,
                                                  .lossy = true};
    static const char *const lost[] = {"species \"fescue\"", "2 passes", "2 LODs", "blade budget (200)", "seed 7",
                                       "rank limit of 60000", "up direction of 1", "ground's lowest", "hashes"};
    struct vxb_transcode_report report;
    char up[64];
    make("a", &test_field_2);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, &report, NULL), VXB_OK));
    cr_assert(eq(u32, report.lost, VXB_LOST_SPECIES | VXB_LOST_PASSES | VXB_LOST_LODS | VXB_LOST_LIMITS |
                                       VXB_LOST_BAKE | VXB_LOST_RANK_LIMIT | VXB_LOST_UP | VXB_LOST_GROUND |
                                       VXB_LOST_HASHES));
    cr_assert(report.tilted > 0 && !report.quantised && report.target == VXB_TRANSCODE_1);
    snprintf(up, sizeof up, "up direction of %d blades", (int)report.tilted);
    cr_assert(ne(ptr, strstr(notes.text, up), NULL));
    for (int axis = 0; axis < 3; axis++)
        cr_assert(report.moved[axis] >= 0.0 && report.moved[axis] < 1e-5);
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++)
        cr_assert(ne(ptr, strstr(notes.text, lost[i]), NULL), "%s is not in\n%s", lost[i], notes.text);
    cr_assert(eq(ptr, strstr(notes.text, "partial"), NULL));
    notes.text[0] = 0;
    make("c", &test_field_1);
    good("c", "a", (struct vxb_transcode_options){0});
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, NULL), VXB_OK));
    for (size_t i = 0; i < 7; i++)
        cr_assert(eq(ptr, strstr(notes.text, lost[i]), NULL), "%s is in\n%s", lost[i], notes.text);
}

Test(transcode, lost__have_names)
{
    for (uint32_t bit = 1; bit <= VXB_LOST_HASHES; bit *= 2)
        for (uint32_t other = 1; other <= bit; other *= 2)
            cr_assert(other == bit || strcmp(vxb_transcode_lost_name((enum vxb_transcode_lost)bit),
                                             vxb_transcode_lost_name((enum vxb_transcode_lost)other)) != 0);
    cr_assert(eq(str, (char *)vxb_transcode_lost_name((enum vxb_transcode_lost)3), "unknown"));
}

/* ---- one species ---- */

Test(transcode, species__is_taken_whole_by_name_or_id_and_keeps_its_budget)
{
    struct vxb_grass *all = NULL, *one = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        make("a", round ? &test_field_3_split : &test_field_3);
        cr_assert(eq(int, vxb_grass_open(NULL, "a", &all, NULL), VXB_OK));
        for (uint32_t k = 0; k < vxb_grass_header(all)->section_count; k++) {
            const struct vxb_grass_section *s = vxb_grass_section(all, k);
            char id[32];
            snprintf(id, sizeof id, "0x%016llx", (unsigned long long)s->species_id);
            good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .species = s->name});
            good("a", "c", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .species = id});
            cr_assert(same_files("b", "c"));
            cr_assert(eq(int, vxb_grass_open(NULL, "b", &one, NULL), VXB_OK));
            const struct vxb_grass_header *from = vxb_grass_header(all), *to = vxb_grass_header(one);
            const struct vxb_grass_section *t = vxb_grass_section(one, 0);
            cr_assert(to->format == 2 && to->cell_size == from->cell_size && to->seed == from->seed);
            cr_assert(to->density == from->density && to->bake_revision == from->bake_revision);
            cr_assert(to->max_commands == from->max_commands && to->updates_per_frame == from->updates_per_frame);
            cr_assert(to->bake_id == 0 && to->blade_budget == s->blade_budget && t->material_index == 0);
            cr_assert(t->species_id == s->species_id && t->rank_limit == s->rank_limit);
            cr_assert(eq(u32, t->blade_count, s->blade_count));
            cr_assert(strcmp(t->name, s->name) == 0 && strcmp(t->material, s->material) == 0);
            for (uint32_t j = 0; j < s->chunk_count; j++) {
                struct vxb_grass_chunk x, y;
                cr_assert(eq(int, vxb_grass_chunks(all, s->first_chunk + j, 1, &x, NULL), VXB_OK));
                cr_assert(eq(int, vxb_grass_chunks(one, j, 1, &y, NULL), VXB_OK));
                cr_assert(x.hash == y.hash && x.cell_x == y.cell_x && x.cell_z == y.cell_z && x.min_y == y.min_y &&
                          x.max_y == y.max_y && x.max_scale == y.max_scale);
            }
            vxb_grass_close(one);
        }
        vxb_grass_close(all);
    }
}

/* ---- exports ---- */

Test(transcode, ply__has_every_blade_relative_to_the_origin)
{
    const struct vxb_transcode_options options = {.to = VXB_TRANSCODE_PLY, .has_origin = true, .origin = {-10, 2, 100}};
    struct vxb_grass *grass = NULL;
    struct vxb_grass_chunk chunk;
    uint8_t records[4096];
    make("a", &test_field_3);
    struct vxb_transcode_report report = good("a", "b", options);
    struct test_file file = read_bytes("b");
    file.data[file.size] = 0;
    const char *end = "end_header\n";
    const uint8_t *p = (const uint8_t *)strstr((char *)file.data, end);
    cr_assert(ne(ptr, (void *)p, NULL));
    cr_assert(ne(ptr, strstr((char *)file.data, "comment origin -10 2 100\n"), NULL));
    p += strlen(end);
    cr_assert(eq(sz, file.size - (size_t)(p - file.data), (size_t)report.blade_count * 45));
    cr_assert(eq(u64, report.file_bytes, file.size));
    cr_assert(eq(int, vxb_grass_open(NULL, "a", &grass, NULL), VXB_OK));
    for (uint32_t j = 0; j < report.chunk_count; j++) {
        cr_assert(eq(int, vxb_grass_chunks(grass, j, 1, &chunk, NULL), VXB_OK));
        cr_assert(eq(int, vxb_grass_read_chunk(grass, &chunk, records, sizeof records, NULL, NULL), VXB_OK));
        for (uint32_t i = 0; i < chunk.blade_count; i++, p += 45) {
            struct vxb_blade b;
            vxb_grass_decode(vxb_grass_header(grass), &chunk, records + 16 * i, &b);
            cr_assert(vxbi_load_f32(p) == (float)(b.x + 10) && vxbi_load_f32(p + 4) == (float)(b.y - 2) &&
                      vxbi_load_f32(p + 8) == (float)(b.z - 100));
            cr_assert(vxbi_load_f32(p + 16) == (float)b.up[1] && vxbi_load_f32(p + 24) == (float)b.yaw &&
                      vxbi_load_f32(p + 40) == (float)b.rank && p[44] == chunk.section);
        }
    }
    vxb_grass_close(grass);
    free(file.data);
}

Test(transcode, csv__has_a_line_a_blade_for_every_format)
{
    const struct test_field *fields[] = {&test_field_1, &test_field_2, &test_field_3_split};
    for (size_t i = 0; i < 3; i++) {
        make("a", fields[i]);
        struct vxb_transcode_report report = good("a", "b", (struct vxb_transcode_options){.to = VXB_TRANSCODE_CSV});
        struct test_file file = read_bytes("b");
        uint32_t lines = 0;
        for (size_t at = 0; at < file.size; at++)
            lines += file.data[at] == '\n';
        cr_assert(eq(u32, lines, report.blade_count + 1));
        free(file.data);
    }
}

Test(transcode, runtime_records__are_those_that_an_engine_loads)
{
    static const struct test_field *const fields[] = {&test_field_1, &test_field_2, &test_field_3_split,
                                                      &test_field_2_empty};
    const struct vxb_transcode_options options = {.to = VXB_TRANSCODE_RUNTIME, .has_origin = true,
                                                  .origin = {3, -1, 7.5},
                                                  .force = true};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct vxb_runtime_options load = {.size = sizeof load, .origin = {3, -1, 7.5}};
        struct vxb_grass *grass = NULL;
        struct vxb_runtime *runtime = NULL;
        uint32_t count;
        make("a", fields[i]);
        struct vxb_transcode_report report = good("a", "b", options);
        struct test_file file = read_bytes("b");
        cr_assert(eq(int, vxb_grass_open(NULL, "a", &grass, NULL), VXB_OK));
        cr_assert(eq(int, vxb_runtime_load(NULL, grass, &load, &runtime, NULL), VXB_OK));
        const uint8_t *blades = vxb_runtime_blades(runtime, &count);
        cr_assert(report.file_bytes == file.size && file.size == (size_t)count * VXB_RUNTIME_RECORD_BYTES);
        cr_assert(memcmp(file.data, blades, file.size) == 0);
        vxb_runtime_free(runtime);
        vxb_grass_close(grass);
        free(file.data);
    }
}

Test(transcode, side_file_whose_name_was_made_up__is_replaced_only_by_force)
{
    struct vxb_transcode_options options = {.to = VXB_TRANSCODE_RUNTIME};
    struct vxb_error err = {0};
    make("a", &test_field_2);
    make("b.json", &test_field_1);
    make("c", &test_field_1);
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
    cr_assert(eq(str, err.path, (char *)"b.json"));
    cr_assert(same_files("b.json", "c") && access("b", F_OK) != 0);
    options.side = "d"; /* one that was given is replaced */
    make("d", &test_field_1);
    good("a", "b", options);
    options = (struct vxb_transcode_options){.to = VXB_TRANSCODE_RUNTIME, .force = true};
    good("a", "b", options);
    cr_assert(same_files("b.json", "d"));
    options.side = "a";
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
    options.side = "b";
    cr_assert(eq(int, transcode("a", "b", options, NULL, &err), VXB_ERR_REFUSED));
}

/* ---- refusals ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

Test(transcode, impossible_requests__say_what_is_possible_and_write_nothing)
{
    static const struct {
        const struct test_field *field;
        struct vxb_transcode_options options;
        const char *says, *at_fault, *remedy;
    } cases[] = {
        {&test_field_1, {.to = VXB_TRANSCODE_1, .lossy = true}, "it can become format 2, runtime records, PLY or CSV",
         NULL, NULL},
        {&test_field_1, {.to = VXB_TRANSCODE_3}, "it can become format 2, runtime records, PLY or CSV", NULL, NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_1}, "format 1 has no room for species", NULL, "lossy"},
        {&test_field_2, {.to = VXB_TRANSCODE_3}, "it can become format 2, format 1 where losses are allowed, runtime "
         "records, PLY or CSV", NULL, NULL},
        {&test_field_3, {.to = VXB_TRANSCODE_1, .lossy = true}, "take one species to format 2", NULL, NULL},
        {&test_field_3, {.to = VXB_TRANSCODE_2}, "the file's species are", NULL, "species"},
        {&test_field_3, {.to = VXB_TRANSCODE_2, .species = "no such"}, "there is no species \"no such\"; the file's",
         "species", NULL},
        {&test_field_3, {.to = VXB_TRANSCODE_2, .species = "0x1"}, "there is no species", "species", NULL},
        {&test_field_1, {.to = VXB_TRANSCODE_2, .species = "no such"}, "there is no species \"no such\"; the file's",
         "species", NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_2, .species = "sedge"}, "the file's species are fescue", "species", NULL},
        {&test_field_2, {.split = true}, "splitting arranges bytes for compression", "split", NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_1, .lossy = true, .compress = true}, "only formats 2 and 3", "compress",
         NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_CSV, .compress = true}, "only formats 2 and 3", "compress", NULL},
        {&test_field_2, {.lossy = true}, "only format 1 loses anything", "lossy", NULL},
        {&test_field_3, {.species = "fescue"}, "a species is named for format 2", "species", NULL},
        {&test_field_2, {.has_origin = true}, "an origin is for runtime records and PLY", "origin", NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_RUNTIME, .has_origin = true, .origin = {0, 2e6, 0}},
         "the origin's y is 2000000; it must lie", "origin", NULL},
        {&test_field_2, {.to = VXB_TRANSCODE_RUNTIME, .recipe = "r", .stomp = "s"}, "both are named", "stomp", NULL},
        {&test_field_2, {.stomp = "s"}, "for runtime records alone", "stomp", NULL},
        {&test_field_2, {.recipe = "r"}, "for runtime records alone", "recipe", NULL},
        {&test_field_2, {.force = true}, "runtime records and ktx2 make files beside the output", "force", NULL},
        {&test_field_2, {.side = "s"}, "runtime records have files beside the output", "side", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vxb_error err = {0};
        make("a", cases[i].field);
        cr_assert(eq(int, transcode("a", "b", cases[i].options, NULL, &err), VXB_ERR_USAGE), "case %zu", i);
        cr_assert(ne(ptr, strstr(err.message, cases[i].says), NULL), "case %zu: %s", i, err.message);
        cr_assert(same_text(err.at_fault, cases[i].at_fault), "case %zu: at fault %s", i, err.at_fault);
        cr_assert(same_text(err.remedy, cases[i].remedy), "case %zu: remedy %s", i, err.remedy);
        cr_assert(ne(int, access("b", F_OK), 0), "case %zu wrote something", i);
    }
}

Test(transcode, output_that_is_the_input__is_refused_and_the_input_stays)
{
    struct vxb_error err = {0};
    make("a", &test_field_2);
    make("b", &test_field_2);
    cr_assert(eq(int, link("a", "c"), 0));
    cr_assert(eq(int, symlink("a", "d"), 0));
    for (const char *to = "acd"; *to; to++) {
        const char name[2] = {*to, 0};
        cr_assert(eq(int, transcode("a", name, (struct vxb_transcode_options){0}, NULL, &err), VXB_ERR_REFUSED));
    }
    cr_assert(same_files("a", "b"));
}

Test(transcode, damaged_input__leaves_the_old_output)
{
    int wrong = 0;
    for (size_t i = 0; i < bad_file_count; i++) {
        const struct bad_file *bad = &bad_files[i];
        /* What only verify looks at is made right by writing it anew. */
        if (vxb_finding_severity(bad->finding) != VXB_SEVERITY_ERROR || bad->finding == VXB_FINDING_CHUNK_GAP ||
            bad->finding == VXB_FINDING_BOUNDS || bad->finding == VXB_FINDING_LEGACY_BOUNDS)
            continue;
        struct test_file file = bad_file_make(bad);
        struct vxb_error err = {0};
        write_bytes("a", &file);
        free(file.data);
        make("b", &test_field_1);
        make("c", &test_field_1);
        enum vxb_status status = transcode("a", "b", (struct vxb_transcode_options){0}, NULL, &err);
        wrong += status == VXB_OK || status != err.status || !same_files("b", "c");
        if (status == VXB_OK)
            fprintf(stderr, "%s is transcoded\n", vxb_finding_name(bad->finding));
    }
    cr_assert(eq(int, wrong, 0));
}

Test(transcode, every_allocation_that_fails__is_told_leaks_nothing_and_writes_nothing)
{
    static const struct {
        const struct test_field *field;
        struct vxb_transcode_options options;
    } ways[] = {{&test_field_1, {.to = VXB_TRANSCODE_2}},
                {&test_field_2, {.to = VXB_TRANSCODE_1, .lossy = true}},
                {&test_field_3_split, {.compress = true, .compress_level = 1, .split = true}},
                {&test_field_3, {.to = VXB_TRANSCODE_PLY}},
                {&test_field_3, {.to = VXB_TRANSCODE_RUNTIME, .side = "c"}},
                {&test_field_3, {.to = VXB_TRANSCODE_CSV}}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        enum vxb_status status = VXB_ERR_MEMORY;
        make("a", ways[i].field);
        for (uint64_t n = 1; n < 500 && status; n++) {
            struct heap heap = {.fail_at = n};
            const struct vxb_env env = heap_env(&heap);
            struct vxb_transcode_options options = ways[i].options;
            options.size = sizeof options;
            options.output = "b";
            status = vxb_transcode(&env, "a", &options, NULL, NULL);
            cr_assert(eq(u64, heap.now, 0), "way %zu, allocation %" PRIu64, i, n);
            cr_assert(status == VXB_OK || (status == VXB_ERR_MEMORY && access("b", F_OK) != 0));
        }
        cr_assert(eq(int, status, VXB_OK));
        unlink("b");
    }
}

Test(transcode, memory__is_bounded_by_the_limit)
{
    const struct test_field field = {.format = 2, .sections = 1, .chunks = 40, .blades = 20};
    struct vxb_error err = {0};
    struct vxb_env env = {.size = sizeof env, .threads = 4, .max_memory_bytes = 1000};
    const struct vxb_transcode_options options = {.size = sizeof options, .output = "b"};
    make("a", &field);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, &err), VXB_ERR_LIMIT)); /* the list of chunks */
    env.max_memory_bytes = 40 * 64 + 400;
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_transcode(&env, "a", &options, NULL, &err), VXB_OK), "%s", err.message);
}
