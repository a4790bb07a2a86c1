/* Runs a command again and again and ends it at random moments, in turn by SIGTERM, SIGHUP, SIGINT, and by a limit on
 * file sizes (SIGXFSZ). Each time its outputs, which stand in the working folder, are all what they were, or all what
 * an undisturbed run makes of them; no other file is there; and the command ended by that signal, or well.
 *
 * interrupt SEED COUNT OUTPUT... -- COMMAND... */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUTS = 8 };
static const char old[] = "what was there before\n";
static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGXFSZ};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

struct bytes {
    char *data;
    size_t size;
};

static char **outputs, **command;
static int output_count, failures;
static struct bytes right[MOST_OUTPUTS];
static uint64_t state;

static uint64_t draw(uint64_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return end ? (state >> 11) % end : 0;
}

static void die(const char *what)
{
    perror(what);
    exit(99);
}

static struct bytes get(const char *path)
{
    struct bytes got = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        die(path);
    got.size = (size_t)ftell(file);
    got.data = malloc(got.size + 1);
    rewind(file);
    if (!got.data || fread(got.data, 1, got.size, file) != got.size)
        die(path);
    fclose(file);
    return got;
}

static void put_old(void)
{
    for (int i = 0; i < output_count; i++) {
        FILE *file = fopen(outputs[i], "wb");
        if (!file || fwrite(old, 1, sizeof old - 1, file) != sizeof old - 1 || fclose(file))
            die(outputs[i]);
    }
}

static int files_here(void)
{
    DIR *dir = opendir(".");
    int count = 0;
    if (!dir)
        die(".");
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* A child with every signal's default action, whatever this program was started with, that says nothing. */
static pid_t start(uint64_t most_bytes)
{
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return child;
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < SIGNALS; i++)
        signal(signals[i], SIG_DFL);
    if (most_bytes != UINT64_MAX)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most_bytes, most_bytes});
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    execvp(command[0], command);
    _exit(126);
}

static int finish(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid");
    return status;
}

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void pause_us(uint64_t us)
{
    struct timespec left = {.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};
    while (nanosleep(&left, &left) && errno == EINTR)
        ;
}

/* How many outputs are new; -1: one is neither old nor new. */
static int count_new(void)
{
    int count = 0;
    for (int i = 0; i < output_count; i++) {
        struct bytes found = get(outputs[i]);
        if (found.size == right[i].size && memcmp(found.data, right[i].data, found.size) == 0)
            count++;
        else if (found.size != sizeof old - 1 || memcmp(found.data, old, found.size) != 0)
            count = -1 - output_count;
        free(found.data);
    }
    return count < 0 ? -1 : count;
}

static void fail(int number, int round, uint64_t at, const char *what)
{
    printf("round %d, signal %d, at %llu: %s\n", round, number, (unsigned long long)at, what);
    failures++;
}

/* Ends one run; counts[0] of those that were ended, [1] of those that were done before. */
static void interrupt(int round, uint64_t *run_us, int files, int counts[2])
{
    const int number = signals[round % SIGNALS];
    uint64_t most_bytes = UINT64_MAX, at = draw(*run_us + *run_us / 16);
    put_old();
    if (number == SIGXFSZ)
        at = most_bytes = draw(right[0].size + right[0].size / 8);
    const pid_t child = start(most_bytes);
    if (number != SIGXFSZ) {
        pause_us(at);
        kill(child, number);
    }
    const int status = finish(child), made = count_new();
    const bool ended = WIFSIGNALED(status) && WTERMSIG(status) == number;
    counts[ended ? 0 : 1]++;
    /* The machine may have been busier when the first run was timed. */
    if (!ended && number != SIGXFSZ && at < *run_us)
        *run_us = at > 1000 ? at : 1000;
    if (!ended && status != 0)
        fail(number, round, at, WIFSIGNALED(status) ? "ended by another signal" : "ended with an error's status");
    if (made < 0)
        fail(number, round, at, "an output is neither old nor new");
    else if (made != 0 && made != output_count)
        fail(number, round, at, "some outputs are old and some new");
    else if (status == 0 && made == 0)
        fail(number, round, at, "it ended well, and the outputs are old");
    if (files_here() != files)
        fail(number, round, at, "something is left in the folder");
}

int main(int argc, char **argv)
{
    int i = 3, counts[2] = {0, 0};
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    if (argc < 6 || i + 1 >= argc || i - 3 > MOST_OUTPUTS || i == 3) {
        fprintf(stderr, "usage: interrupt SEED COUNT OUTPUT... -- COMMAND...\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
    outputs = argv + 3;
    output_count = i - 3;
    command = argv + i + 1;
    put_old();
    const int files = files_here();
    const uint64_t began = now_us();
    if (finish(start(UINT64_MAX)) != 0) {
        printf("the command fails when nothing disturbs it\n");
        return 1;
    }
    uint64_t run_us = now_us() - began;
    for (int k = 0; k < output_count; k++)
        right[k] = get(outputs[k]);
    for (int round = 0; round < atoi(argv[2]); round++)
        interrupt(round, &run_us, files, counts);
    printf("seed %s: %d ended by the signal, %d before it\n", argv[1], counts[0], counts[1]);
    if (counts[0] * 3 < counts[1]) {
        printf("that is too few to tell anything\n");
        failures++;
    }
    for (int k = 0; k < output_count; k++)
        free(right[k].data);
    return failures != 0;
}
