/* Devices that count a field before they make it: what is told meanwhile, who can end it, what is drawn of it, and a
 * device, its driver or its memory that counts what is not there. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bake_fixtures.h"
#include "device_faults.h"
#include "grass/budget.h"
#include "heap.h"
#include "open_device.h"
#include "vxk_scatter.h"

/* ---- what is told ---- */

struct told {
    char stages[256];  /* each once, as they came */
    char last[32];
    uint64_t done, calls;
    bool back;         /* one came back to less than it had done, or past its total */
    bool moved;        /* the count told of a part */
    const char *until; /* the stage in which it is cancelled; NULL: none */
    uint64_t after;    /* so many calls */
};

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct told *t = user;
    if (strcmp(t->last, what) != 0) {
        snprintf(t->last, sizeof t->last, "%s", what);
        snprintf(t->stages + strlen(t->stages), sizeof t->stages - strlen(t->stages), "%s ", what);
        t->done = 0;
    }
    t->back = t->back || done < t->done || done > total;
    t->moved = t->moved || (strcmp(what, "count") == 0 && done > 0 && done < total);
    t->done = done;
    t->calls += t->until && strcmp(what, t->until) == 0;
}

static bool is_over(void *user)
{
    const struct told *t = user;
    return t->until && t->calls > t->after;
}

/* Bakes into a file that is there already, which must be as it was where the bake fails. */
static enum vxb_status bake_as(const struct meadow *made, struct vxb_device *device, double cross_check,
                               struct told *told, struct vxb_bake_report *report, struct vxb_error *err)
{
    char path[] = "/tmp/vxbake-count-XXXXXX", old[8] = "";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, "old", 3) == 3 && close(fd) == 0);
    const struct vxb_env env = {.size = sizeof env, .user = told, .progress = told ? on_progress : NULL,
                                .cancelled = told ? is_over : NULL, .threads = 2};
    const struct vxb_bake_options options = {.size = sizeof options, .output = path, .device = device,
                                             .cross_check = cross_check};
    struct vxb_plan *plan = made_plan(made);
    const enum vxb_status status = vxb_bake_planned(&env, plan, &options, report, err);
    vxb_plan_free(plan);
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL && fread(old, 1, 7, file) > 0 && fclose(file) == 0);
    cr_assert(eq(int, strcmp(old, "old") == 0, status != VXB_OK));
    unlink(path);
    return status;
}

static enum vxb_status bake(const struct meadow *made, struct vxb_device *device, struct told *told,
                            struct vxb_bake_report *report, struct vxb_error *err)
{
    return bake_as(made, device, 0.0, told, report, err);
}

static struct vxb_device *open_counting(void)
{
    struct vxb_device *device = open_opencl_device(NULL);
    device->tuning.count_first = 1;
    device->tuning.tile_candidates = 1000;
    return device;
}

Test(device_count, progress__goes_on_through_every_stage)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    bake_fixture_four(&made);
    for (int budget = 0; budget < 2; budget++) {
        struct told told = {0};
        struct vxb_error err = {0};
        made.recipe.budgets.has_max_blades = budget;
        made.recipe.budgets.max_blades = 100;
        cr_assert(eq(int, bake(&made, device, &told, NULL, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(str, told.stages, budget ? "count cut scatter write " : "count scatter write "));
        cr_assert(not(told.back));
        cr_assert(told.moved, "the count says nothing between its ends");
    }
    made_clear(&made);
    vxb_device_close(device);
}

Test(device_count, cancelled_in_any_stage__leaves_the_old_file)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    bake_fixture_four(&made);
    for (int turn = 0; turn < 8; turn++) {
        struct told told = {.until = turn & 1 ? "scatter" : "count", .after = turn & 2 ? 2 : 0};
        struct vxb_error err = {0};
        made.recipe.budgets.has_max_blades = turn & 4;
        made.recipe.budgets.max_blades = 100;
        cr_assert(eq(int, bake(&made, device, &told, NULL, &err), VXB_ERR_CANCELLED), "%s", err.message);
        cr_assert(eq(str, err.message, "cancelled"));
        cr_assert(eq(str, told.last, (char *)(uintptr_t)told.until));
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* ---- the same as from the CPU ---- */

static void same_reports(const struct meadow *made, struct vxb_device *device, const char *what)
{
    struct vxb_bake_report cpu = {0}, other = {0};
    struct vxb_error err = {0};
    cr_assert(eq(int, bake(made, NULL, NULL, &cpu, &err), VXB_OK), "%s: %s", what, err.message);
    for (int count_first = -1; count_first <= 1; count_first += 2) {
        device->tuning.count_first = count_first;
        cr_assert(eq(int, bake(made, device, NULL, &other, &err), VXB_OK), "%s: %s", what, err.message);
        other.seconds = cpu.seconds;
        cr_assert(memcmp(&cpu, &other, sizeof cpu) == 0, "%s", what);
    }
}

/* Nothing kept, one blade, all but one, exactly as many as there are, of one species and of four. */
Test(device_count, budgets_at_their_ends__are_the_cpus)
{
    struct vxb_device *device = open_counting();
    for (int four = 0; four < 2; four++) {
        struct meadow made;
        struct vxb_bake_report all;
        if (four)
            bake_fixture_four(&made);
        else
            bake_fixture_one(&made);
        cr_assert(eq(int, bake(&made, NULL, NULL, &all, NULL), VXB_OK));
        const uint64_t placed = all.field.placed, budgets[] = {0, 1, placed / 2, placed - 1, placed, placed + 1};
        for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
            char what[32];
            snprintf(what, sizeof what, "%d of %u", (int)i, (unsigned)budgets[i]);
            made.recipe.budgets.has_max_blades = true;
            made.recipe.budgets.max_blades = (uint32_t)budgets[i];
            same_reports(&made, device, what);
        }
        made_clear(&made);
    }
    vxb_device_close(device);
}

Test(device_count, pictures__are_the_cpus)
{
    static char cpu[MADE_PICTURE_ROOM], other[MADE_PICTURE_ROOM];
    static const enum vxb_preview_as kinds[] = {VXB_PREVIEW_SPECIES, VXB_PREVIEW_DENSITY, VXB_PREVIEW_REASON};
    size_t cpu_size, other_size;
    struct vxb_device *device = open_counting();
    struct meadow made;
    bake_fixture_four(&made);
    for (int budget = 0; budget < 2; budget++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            made.recipe.budgets.has_max_blades = budget;
            made.recipe.budgets.max_blades = 100;
            cpu_size = made_picture(&made, NULL, kinds[k], NULL, cpu);
            other_size = made_picture(&made, device, kinds[k], NULL, other);
            cr_assert(cpu_size == other_size && memcmp(cpu, other, cpu_size) == 0, "%d, with a budget: %d", (int)k,
                      budget);
        }
    made_clear(&made);
    vxb_device_close(device);
}

Test(device_count, same_bytes_again__leave_the_file_untouched)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    char path[] = "/tmp/vxbake-count-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    for (int turn = 0; turn < 3; turn++) {
        struct vxb_bake_report report;
        const struct vxb_bake_options options = {.size = sizeof options, .output = path, .if_changed = true,
                                                 .device = turn == 1 ? NULL : device};
        cr_assert(eq(int, vxb_bake_planned(NULL, plan, &options, &report, NULL), VXB_OK));
        cr_assert(eq(int, report.written, turn == 0));
    }
    vxb_plan_free(plan);
    unlink(path);
    made_clear(&made);
    vxb_device_close(device);
}

/* ---- counts of what is not there ---- */

static uint64_t turned;

#define RANK_BYTES ((size_t)VXB_SPECIES_MAX * VXBI_RANKS * sizeof(uint32_t))

/* Ranks have each blade twice. */
static void double_ranks(void *data, size_t size, bool begun)
{
    if (begun || size != RANK_BYTES)
        return;
    turned++;
    for (uint32_t *rank = data; rank < (uint32_t *)data + size / sizeof *rank; rank++)
        *rank *= 2;
}

/* A budget that all blades fit, and one that they do not. Neither may lose one. */
Test(device_count, ranks_of_blades_that_there_are_not__are_told)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_bake_report all;
    bake_fixture_one(&made);
    made.recipe.density_scale = 0.5f; /* a budget may be above the blades and below the candidates */
    cr_assert(eq(int, bake(&made, device, NULL, &all, NULL), VXB_OK)); /* and it is tested now */
    device_faults_into(device);
    device_faults.turn = double_ranks;
    made.recipe.budgets.has_max_blades = true;
    for (uint64_t parts = 2; parts <= 5; parts += 3) {
        struct vxb_error err = {0};
        made.recipe.budgets.max_blades = (uint32_t)(all.field.placed * parts / 4);
        turned = 0;
        const enum vxb_status status = bake(&made, device, NULL, NULL, &err);
        cr_assert(lt(u64, 0, turned));
        cr_assert(eq(int, status, VXB_ERR_DEVICE), "%u: %s", (unsigned)parts, err.message);
        cr_assert(strstr(err.message, "than when its ranks were counted") != NULL, "%s", err.message);
    }
    made_clear(&made);
    vxb_device_close(device);
}

enum tie_lie { HASH, CELL, SPECIES, COUNT, TIE_LIES };
static enum tie_lie lie;

/* Of ties, which are 16 bytes each as nothing else that is read while all is counted; or of how many there are, behind
 * the tallies. */
static void lie_of_ties(void *data, size_t size, bool begun)
{
    uint32_t *words = data;
    if (begun || size == RANK_BYTES)
        return;
    if (lie != COUNT && size % 16 == 0 && turned++ == 0)
        words[lie == HASH ? 2 : lie == CELL ? 0 : 1] += 1000000;
    if (lie == COUNT && size % 16 == 8 && words[size / 4 - 1] > 0 && turned++ == 0)
        words[size / 4 - 1]--;
}

Test(device_count, ties_that_there_are_not__are_told)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_bake_report all;
    bake_fixture_one(&made);
    cr_assert(eq(int, bake(&made, device, NULL, &all, NULL), VXB_OK));
    device_faults_into(device);
    device_faults.turn = lie_of_ties;
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = (uint32_t)(all.field.placed / 2);
    for (lie = HASH; lie < TIE_LIES; lie++) {
        struct vxb_error err = {0};
        turned = 0;
        const enum vxb_status status = bake_as(&made, device, lie == HASH ? 100.0 : 0.0, NULL, NULL, &err);
        cr_assert(lt(u64, 0, turned), "lie %d", (int)lie);
        cr_assert(eq(int, status, VXB_ERR_DEVICE), "lie %d: %s", (int)lie, err.message);
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* A tile that failed for want of memory after its ranks were counted is counted again: it was twice among them, and
 * blades that the budget had room for were dropped. */
Test(device_count, memory_that_fails_behind_a_count__loses_no_blade)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_bake_report all, cpu, other;
    struct vxb_error err = {0};
    bake_fixture_one(&made);
    made.recipe.density_scale = 0.5f; /* a budget may be above the blades and below the candidates */
    cr_assert(eq(int, bake(&made, device, NULL, &all, NULL), VXB_OK));
    device->tuning.tile_candidates = 0;
    device_faults_into(device);
    made.recipe.budgets.has_max_blades = true;
    for (uint64_t parts = 2; parts <= 5; parts++) {
        made.recipe.budgets.max_blades = (uint32_t)(all.field.placed * parts / 4);
        /* The first tile's tallies, when its blades were counted. */
        device_faults_set(CALL_READ, 0, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        cr_assert(eq(int, bake(&made, NULL, NULL, &cpu, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(int, bake(&made, device, NULL, &other, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(u64, cpu.content_id, other.content_id));
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* A count that ended half-way left ranks on the device, which the next one found among its own: the budget cut too
 * early, and the device was blamed for it. */
Test(device_count, counts_that_end_half_way__leave_no_rank)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_bake_report all, cpu, other;
    bake_fixture_one(&made);
    made.recipe.density_scale = 0.5f; /* a budget may be above the blades and below the candidates */
    cr_assert(eq(int, bake(&made, device, NULL, &all, NULL), VXB_OK));
    device->tuning.tile_candidates = 0;
    made.recipe.budgets.has_max_blades = true;
    for (uint64_t parts = 2; parts <= 5; parts += 3) {
        enum vxb_status status = VXB_ERR_MEMORY;
        uint64_t recovered = 0;
        made.recipe.budgets.max_blades = (uint32_t)(all.field.placed * parts / 4);
        cr_assert(eq(int, bake(&made, NULL, NULL, &cpu, NULL), VXB_OK));
        struct vxb_plan *plan = made_plan(&made);
        struct heap heap = {.once = true};
        do {
            const struct vxb_env env = heap_env(&heap);
            const struct vxb_bake_options options = {.size = sizeof options, .device = device};
            struct vxb_error err = {0};
            heap.calls = 0;
            heap.fail_at++;
            status = vxb_bake_planned(&env, plan, &options, &other, &err);
            cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY, "%s", err.message);
            cr_assert(status || other.content_id == cpu.content_id);
            recovered += status == VXB_OK && heap.calls >= heap.fail_at;
            cr_assert(eq(u64, heap.now, 0));
        } while (heap.calls >= heap.fail_at);
        cr_assert(lt(u64, 0, recovered));
        vxb_plan_free(plan);
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* Verdicts, which are read where a picture wants them: tallies are the only other thing that is waited for here. */
static void lie_of_verdicts(void *data, size_t size, bool begun)
{
    const bool tallies = size / sizeof(uint32_t) % VXK_TALLIES == VXK_TILE_TALLIES;
    if (!begun && !tallies && turned++ == 0)
        *(uint8_t *)data ^= 1u;
}

static enum vxb_status bake_reasons(const struct meadow *made, struct vxb_device *device, double cross_check,
                                    struct vxb_error *err)
{
    char path[] = "/tmp/vxbake-count-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    const struct vxb_bake_options options = {.size = sizeof options, .preview = path, .device = device,
                                             .preview_as = VXB_PREVIEW_REASON, .cross_check = cross_check};
    struct vxb_plan *plan = made_plan(made);
    const enum vxb_status status = vxb_bake_planned(NULL, plan, &options, NULL, err);
    vxb_plan_free(plan);
    unlink(path);
    return status;
}

/* A cross-check of everything compared the blades and how many candidates fell to each reason, but not which: a picture
 * of reasons was drawn wrong and nothing said so. */
Test(device_count, reason_of_one_candidate_that_is_another__is_told)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_error err = {0};
    bake_fixture_four(&made);
    cr_assert(eq(int, bake_reasons(&made, device, 100.0, &err), VXB_OK), "%s", err.message);
    device_faults_into(device);
    device_faults.turn = lie_of_verdicts;
    turned = 0;
    cr_assert(eq(int, bake_reasons(&made, device, 100.0, &err), VXB_ERR_DEVICE));
    cr_assert(lt(u64, 0, turned));
    cr_assert(strstr(err.message, "fall to other reasons") != NULL, "%s", err.message);
    made_clear(&made);
    vxb_device_close(device);
}

/* So were they in the bake that a device passes before its first use. */
Test(device_count, device_that_tells_other_reasons__is_not_used)
{
    struct vxb_device *device = open_counting();
    struct meadow made;
    struct vxb_error err = {0};
    bake_fixture_four(&made);
    device_faults_into(device);
    device_faults.turn = lie_of_verdicts;
    turned = 0;
    cr_assert(eq(int, bake(&made, device, NULL, NULL, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "a test before the first use") != NULL, "%s", err.message);
    made_clear(&made);
    vxb_device_close(device);
}
