/* How fast verify is, against the tools that only hash or only decompress the same bytes, in the same run: a raw field
 * beside `xxhsum -H3` of it, a compressed one beside `zstd -t` of its frames put end to end; and how much memory it
 * takes. `make bench` builds and runs it; bench/RESULTS.md has its output.
 *
 * Each subject is a process of its own, with its start, so that processor time and peak memory are its own; those of
 * one thread are kept on one processor. Each figure is the best of several turns in which the subjects take turns. */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/os.h"
#include "core/path.h"
#include "vxbake/bake.h"
#include "vxbake/grass.h"
#include "vxbake/verify.h"

enum { QUAD_DENSITY = 18 };

#define TARGET 0.8

static void fail(const char *what, const struct vxb_error *err)
{
    char text[2048];
    fprintf(stderr, "bench_verify: %s%s%s\n", what, err ? ": " : "",
            err ? vxb_error_format(err, text, sizeof text) : "");
    _exit(1);
}

/* ---- what is verified ---- */

enum { RAW, ZSTD, SPLIT, FIELDS };
static const char *const field_names[FIELDS] = {"raw", "zstd 3", "zstd 3, split"};

struct field {
    char path[VXBI_PATH_ROOM], frames[VXBI_PATH_ROOM];
};

/* Rolling ground of so many samples a side. */
static void write_ground(const char *path, uint32_t side)
{
    FILE *file = fopen(path, "wb");
    for (uint32_t z = 0; file && z < side; z++)
        for (uint32_t x = 0; x < side; x++) {
            double hill = sin(x * 0.011) * cos(z * 0.013) + 0.4 * sin(x * 0.043 + z * 0.031);
            uint32_t height = (uint32_t)(32768.0 + 20000.0 * hill);
            fputc((int)(height & 255), file);
            fputc((int)(height >> 8), file);
        }
    if (!file || fclose(file))
        fail("cannot write the ground", NULL);
}

static void bake(const char *ground, uint32_t side, int which, const char *output)
{
    char text[512];
    struct vxb_recipe *recipe = NULL;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = output, .compress = which != RAW,
                                             .compress_level = 3, .split = which == SPLIT};
    int size = snprintf(text, sizeof text,
                        "{\"kind\": \"grass-field\", \"seed\": 7, \"cell_size\": 32, \"density\": %d, \"terrain\": "
                        "{\"file\": \"%s\", \"size\": [%" PRIu32 ", %" PRIu32 "], \"range\": [-40, 40], "
                        "\"metres_per_quad\": 1}, \"species\": [{\"name\": \"grass\", \"max_slope\": 1.5}]}",
                        QUAD_DENSITY, ground, side, side);
    if (vxb_recipe_parse(NULL, text, (size_t)size, "", "bench", NULL, 0, &recipe, &err) ||
        vxb_bake(NULL, recipe, &options, NULL, &err))
        fail("baking", &err);
    vxb_recipe_free(recipe);
}

/* The frames of a compressed field, one after another, as zstd reads them. */
static void write_frames(const struct field *field)
{
    struct vxb_grass *grass = NULL;
    struct vxb_error err = {0};
    FILE *in = fopen(field->path, "rb"), *out = fopen(field->frames, "wb");
    if (!in || !out || vxb_grass_open(NULL, field->path, &grass, &err))
        fail("taking the frames out", &err);
    for (uint32_t i = 0; i < vxb_grass_header(grass)->chunk_count; i++) {
        struct vxb_grass_chunk chunk;
        if (vxb_grass_chunks(grass, i, 1, &chunk, &err))
            fail("taking the frames out", &err);
        char *bytes = malloc(chunk.data_bytes);
        if (!bytes || fseeko(in, (off_t)chunk.data_offset, SEEK_SET) ||
            fread(bytes, 1, chunk.data_bytes, in) != chunk.data_bytes ||
            fwrite(bytes, 1, chunk.data_bytes, out) != chunk.data_bytes)
            fail("taking the frames out", NULL);
        free(bytes);
    }
    if (fclose(out))
        fail("taking the frames out", NULL);
    fclose(in);
    vxb_grass_close(grass);
}

/* In a process of its own, so that what it took of memory is no part of what comes after. */
static void make_fields(struct field fields[FIELDS], uint32_t side, int count, const char *ground)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        write_ground(ground, side);
        for (int i = 0; i < count; i++) {
            bake(ground, side, i, fields[i].path);
            if (i != RAW)
                write_frames(&fields[i]);
        }
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        fail("making the fields failed", NULL);
}

/* ---- subjects ---- */

struct subject {
    const char *name, *argv[8];
    bool one;                /* on one processor */
    double wall, cpu;        /* seconds of the best turn */
    long peak_kib;
    int code;
};

static void run_once(struct subject *subject)
{
    struct rusage usage;
    int status = 0;
    double start = vxbi_seconds();
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t set;
        int nowhere = open("/dev/null", O_WRONLY);
        CPU_ZERO(&set);
        CPU_SET((unsigned)sched_getcpu(), &set);
        if (subject->one)
            sched_setaffinity(0, sizeof set, &set);
        dup2(nowhere, STDOUT_FILENO);
        execvp(subject->argv[0], (char *const *)(uintptr_t)subject->argv);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        fail("cannot start a process", NULL);
    double wall = vxbi_seconds() - start;
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    subject->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    subject->wall = subject->wall > 0 && subject->wall < wall ? subject->wall : wall;
    subject->cpu = subject->cpu > 0 && subject->cpu < cpu ? subject->cpu : cpu;
    subject->peak_kib = usage.ru_maxrss > subject->peak_kib ? usage.ru_maxrss : subject->peak_kib;
}

static void print(const struct subject *subject, const struct subject *peer, double bytes, bool judged)
{
    printf("  %-28s %7.2f GB/s %7.2f GB/s of cpu", subject->name, bytes / subject->wall / 1e9,
           bytes / subject->cpu / 1e9);
    if (subject != peer && peer->code == 0)
        printf("   %.2f x, %.2f x of cpu", peer->wall / subject->wall, peer->cpu / subject->cpu);
    if (subject != peer)
        printf("   peak %ld KiB", subject->peak_kib);
    if (judged && peer->code == 0)
        printf("  (target %.2f: %s)", TARGET, peer->cpu / subject->cpu >= TARGET ? "pass" : "miss");
    printf("\n");
}

static void bench(const char *self, const struct field *field, int which, int turns)
{
    /* A zstd that reads ahead in a thread of its own is told not to, one that does not has no such option. */
    struct subject subjects[] = {
        {.name = which == RAW ? "xxhsum -H3" : "zstd -t", .one = true},
        {.name = "verify --level hash", .argv = {self, "--verify", "hash", "1", field->path}, .one = true},
        {.name = "verify --level hash, 2 thr.", .argv = {self, "--verify", "hash", "2", field->path}},
        {.name = "verify", .argv = {self, "--verify", "full", "1", field->path}, .one = true},
        {.name = "verify, 2 threads", .argv = {self, "--verify", "full", "2", field->path}},
        {.name = "verify --level header", .argv = {self, "--verify", "header", "1", field->path}, .one = true},
    };
    const char *const xxhsum[] = {"xxhsum", "-H3", field->path, NULL};
    const char *const zstd[] = {"zstd", "-q", "-t", "--no-asyncio", field->frames, NULL};
    const char *const plain_zstd[] = {"zstd", "-q", "-t", field->frames, NULL};
    enum { COUNT = sizeof subjects / sizeof subjects[0] };
    struct subject *peer = &subjects[0];
    struct vxb_grass *grass;
    struct vxb_error err = {0};
    memcpy(peer->argv, which == RAW ? xxhsum : zstd, which == RAW ? sizeof xxhsum : sizeof zstd);
    run_once(peer);
    if (which != RAW && peer->code != 0)
        memcpy(peer->argv, plain_zstd, sizeof plain_zstd);
    peer->wall = peer->cpu = 0;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < COUNT; i++) {
            run_once(&subjects[i]);
            if (i > 0 && subjects[i].code)
                fail("verify failed", NULL);
        }
    if (vxb_grass_open(NULL, field->path, &grass, &err))
        fail("opening", &err);
    const struct vxb_grass_header *h = vxb_grass_header(grass);
    const double bytes = 16.0 * h->blade_count;
    printf("\n%s: %.0f MB of blades, %.0f MB in the file, %" PRIu32 " chunks; rates of the former\n",
           field_names[which],
           bytes / 1e6, (double)h->file_bytes / 1e6, h->chunk_count);
    if (peer->code)
        printf("  %s is not here, or failed: no ratios\n", peer->name);
    for (int i = peer->code ? 1 : 0; i < COUNT; i++)
        print(&subjects[i], peer, bytes, i == 1);
    vxb_grass_close(grass);
}

/* One subject: what vxbake verify does, less its text. */
static int verify(const char *level, const char *threads, const char *path)
{
    struct vxb_env env = {.size = sizeof env, .threads = (uint32_t)strtoul(threads, NULL, 10)};
    struct vxb_verify_options options = {.size = sizeof options};
    struct vxb_verify_report *report = NULL;
    while (strcmp(vxb_verify_level_name(options.level), level) != 0)
        options.level++;
    if (vxb_verify(&env, path, &options, &report, NULL))
        return 2;
    int code = report->good ? 0 : 1;
    vxb_verify_report_free(report);
    return code;
}

int main(int argc, char **argv)
{
    struct field fields[FIELDS];
    char ground[VXBI_PATH_ROOM], name[32];
    static const char self[] = "/proc/self/exe";
    if (argc == 5 && strcmp(argv[1], "--verify") == 0)
        return verify(argv[2], argv[3], argv[4]);
    double megabytes = argc > 2 ? strtod(argv[2], NULL) : 300.0;
    const char *folder = argc > 1 ? argv[1] : "";
    /* Beyond a size it is memory that is of interest, and one file enough. */
    const int count = megabytes > 1000.0 ? 1 : FIELDS, turns = megabytes > 1000.0 ? 2 : 9;
    bool good = argc <= 3 && megabytes >= 1.0 && megabytes <= 16000.0 &&
                vxbi_path_join(ground, sizeof ground, folder, "bench_verify.r16");
    for (int i = 0; i < FIELDS && good; i++) {
        snprintf(name, sizeof name, "bench_verify_%d.vxg", i);
        good = vxbi_path_join(fields[i].path, sizeof fields[i].path, folder, name);
        snprintf(name, sizeof name, "bench_verify_%d.zst", i);
        good = good && vxbi_path_join(fields[i].frames, sizeof fields[i].frames, folder, name);
    }
    if (!good) {
        fprintf(stderr, "usage: bench_verify [folder for the files it writes and removes [megabytes, 1 to 16000]]\n");
        return 1;
    }
    /* Whole cells of 32 m. */
    uint32_t side = 32 * (uint32_t)ceil(sqrt(megabytes * 1e6 / 16.0 / QUAD_DENSITY) / 32.0) + 1;
    printf("vxbake %s, best of %d turns, warm cache\n", vxb_version(), turns);
    fflush(stdout);
    make_fields(fields, side, count, ground);
    for (int i = 0; i < count; i++) {
        bench(self, &fields[i], i, turns);
        fflush(stdout);
    }
    for (int i = 0; i < FIELDS; i++) {
        remove(fields[i].path);
        remove(fields[i].frames);
    }
    remove(ground);
    return 0;
}
