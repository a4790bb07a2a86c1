/* Whatever call to a driver fails, and when: it is told as what it is, or made good without a byte that is another, and
 * nothing that the driver made is left behind. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bake_fixtures.h"
#include "device_faults.h"
#include "heap.h"
#include "make_light.h"
#include "open_device.h"

static const char *const names[CALLS] = {"buffer", "kernel", "argument", "launch", "fill",  "write",
                                         "read",   "begin",  "mark",     "map",    "flush", "wait"};

/* Cancelled when it was asked so many times. */
static uint64_t asked, patience = UINT64_MAX;

static bool has_enough(void *user)
{
    (void)user;
    return asked++ >= patience;
}

static const struct vxb_env env = {.size = sizeof env, .cancelled = has_enough, .threads = 2};

/* A piece of work on a device: its result's hash. */
typedef enum vxb_status work(void *user, struct vxb_device *device, uint64_t *hash, struct vxb_error *err);

/* What became of the work with each call of a kind failing: once, or from there on. */
struct outcome {
    uint64_t tried, mended, told;
};

static void expect_nothing_left(const char *what, uint64_t number)
{
    const struct device_faults *f = &device_faults;
    cr_assert(f->buffers == 0 && f->maps == 0 && f->kernels == 0 && f->events == 0,
              "%s %" PRIu64 ": %d buffers, %d maps, %d kernels, %d events are left", what, number, (int)f->buffers,
              (int)f->maps, (int)f->kernels, (int)f->events);
    cr_assert(f->reads == 0, "%s %" PRIu64 ": a read may still be on its way", what, number);
}

static void fail_each(struct vxb_device *device, enum device_call call, uint64_t many, cl_int code, work *what,
                      void *user, uint64_t expected, struct outcome *out)
{
    const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
    /* There are many arguments, each set as the one before it. */
    const uint64_t step = call == CALL_ARG ? 23 : 1;
    *out = (struct outcome){0};
    for (uint64_t from = 0;; from += step) {
        struct vxb_error err = {0};
        uint64_t hash = 0;
        device_faults_set(call, from, many, code);
        const enum vxb_status status = what(user, device, &hash, &err);
        expect_nothing_left(names[call], from);
        cr_assert(status == VXB_OK || status == (memory ? VXB_ERR_MEMORY : VXB_ERR_DEVICE), "%s %" PRIu64 ": %d, %s",
                  names[call], from, (int)status, err.message);
        cr_assert(status != VXB_OK || hash == expected, "%s %" PRIu64 ": other bytes", names[call], from);
        cr_assert(status == VXB_OK || err.status == status, "%s %" PRIu64, names[call], from);
        if (device_faults.calls <= from)
            return;
        out->tried++;
        out->mended += status == VXB_OK;
        out->told += status != VXB_OK;
    }
}

static void fail_every(struct vxb_device *device, work *what, void *user)
{
    struct vxb_error err = {0};
    struct outcome o;
    uint64_t expected;
    device_faults_set(CALL_BUFFER, 0, 0, CL_SUCCESS);
    cr_assert(eq(int, what(user, device, &expected, &err), VXB_OK), "%s", err.message);
    for (enum device_call call = 0; call < CALLS; call++) {
        /* Without pinned memory, a buffer that is mapped, there is plain memory; what a flush has to say, a wait has
         * too. */
        const bool needed = call != CALL_BUFFER && call != CALL_MAP && call != CALL_FLUSH;
        fail_each(device, call, UINT64_MAX, CL_DEVICE_NOT_AVAILABLE, what, user, expected, &o);
        cr_assert(o.tried > 0 || call == CALL_FILL, "%s", names[call]);
        cr_assert(o.mended == 0 || !needed, "%s: %" PRIu64 " of %" PRIu64, names[call], o.mended, o.tried);
        fail_each(device, call, UINT64_MAX, CL_MEM_OBJECT_ALLOCATION_FAILURE, what, user, expected, &o);
        fail_each(device, call, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE, what, user, expected, &o);
        cr_log_info("%s: %d tried, %d mended, %d told", names[call], (int)o.tried, (int)o.mended, (int)o.told);
    }
}

/* Ends the work at each of the points where it asks whether to go on, or all with a step, of which there are many. */
static void cancel_each(struct vxb_device *device, uint64_t step, work *what, void *user)
{
    uint64_t cancelled = 0, hash;
    device_faults_set(CALL_BUFFER, 0, 0, CL_SUCCESS);
    for (patience = 0;; patience += step) {
        struct vxb_error err = {0};
        asked = 0;
        const enum vxb_status status = what(user, device, &hash, &err);
        expect_nothing_left("asked", patience);
        if (asked <= patience) {
            cr_assert(eq(int, status, VXB_OK), "%s", err.message);
            break;
        }
        /* Who is asked last may be told no too late. */
        cr_assert(status == VXB_ERR_CANCELLED || status == VXB_OK, "asked %" PRIu64 ": %s", patience, err.message);
        cancelled += status == VXB_ERR_CANCELLED;
    }
    patience = UINT64_MAX;
    cr_assert(lt(u64, 0, cancelled));
}

/* ---- grass ---- */

static enum vxb_status bake(void *user, struct vxb_device *device, uint64_t *hash, struct vxb_error *err)
{
    struct vxb_plan *plan = made_plan(user);
    struct vxb_bake_report report = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .device = device};
    const enum vxb_status status = vxb_bake_planned(&env, plan, &options, &report, err);
    *hash = report.content_id;
    vxb_plan_free(plan);
    return status;
}

Test(device_faults, any_call_of_a_bake__is_told_or_mended, .timeout = 300)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    device_faults_into(device);
    bake_fixture_four(&made);
    for (int turn = 0; turn < 3; turn++) { /* made, counted first, and counted with a budget that has to choose */
        device->tuning.tile_candidates = 20000;
        device->tuning.count_first = turn ? 1 : -1;
        made.recipe.budgets.has_max_blades = turn == 2;
        made.recipe.budgets.max_blades = 100;
        fail_every(device, bake, &made);
        cancel_each(device, 1, bake, &made);
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* Host memory, once or from there on, with everything computed on the CPU too and compared. */
Test(device_faults, any_allocation_of_a_bake__is_told_or_mended, .timeout = 300)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    uint64_t expected, mended = 0;
    bake_fixture_four(&made);
    device_faults_into(device);
    device->tuning.tile_candidates = 20000;
    cr_assert(eq(int, bake(&made, device, &expected, NULL), VXB_OK)); /* and it is tested now */
    struct vxb_plan *plan = made_plan(&made);
    for (int turn = 0; turn < 4; turn++) {
        device->tuning.count_first = turn / 2 ? 1 : -1;
        struct heap heap = {.once = turn % 2};
        do {
            const struct vxb_env tight = heap_env(&heap);
            const struct vxb_bake_options options = {.size = sizeof options, .device = device, .cross_check = 100.0};
            struct vxb_bake_report report;
            struct vxb_error err = {0};
            heap.calls = 0;
            heap.fail_at++;
            const enum vxb_status status = vxb_bake_planned(&tight, plan, &options, &report, &err);
            cr_assert(status == VXB_OK || status == VXB_ERR_MEMORY, "%" PRIu64 ": %s", heap.fail_at, err.message);
            cr_assert(status || report.content_id == expected, "%" PRIu64, heap.fail_at);
            mended += status == VXB_OK && heap.calls >= heap.fail_at;
            cr_assert(eq(u64, heap.now, 0));
            expect_nothing_left("allocation", heap.fail_at);
        } while (heap.calls >= heap.fail_at);
    }
    cr_assert(lt(u64, 0, mended));
    vxb_plan_free(plan);
    made_clear(&made);
    vxb_device_close(device);
}

/* A read that had begun and found no memory when it was waited for ended the bake, while one that could not begin made
 * it go on with fewer cells at a time. */
Test(device_faults, wait_without_memory__fewer_cells_at_a_time, .timeout = 300)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    struct vxb_error err = {0};
    uint64_t expected, hash, from;
    bake_fixture_sparse(&made);
    cr_assert(eq(int, bake(&made, device, &expected, NULL), VXB_OK));
    device_faults_into(device);
    device->tuning.tile_candidates = 400;
    for (uint64_t many = 1; many < 5; many++) { /* in a row */
        for (from = 0, device_faults.calls = UINT64_MAX; device_faults.calls > from; from++) {
            device_faults_set(CALL_WAIT, from, many, CL_MEM_OBJECT_ALLOCATION_FAILURE);
            cr_assert(eq(int, bake(&made, device, &hash, &err), VXB_OK), "%" PRIu64 ": %s", from, err.message);
            cr_assert(eq(u64, hash, expected));
            expect_nothing_left("wait", from);
        }
        cr_assert(lt(u64, 2, from));
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* ---- light ---- */

static enum vxb_status fill(void *user, struct vxb_device *device, uint64_t *hash, struct vxb_error *err)
{
    struct light *light = malloc(sizeof *light);
    struct vxb_probe_field *field = light_fixtures[2].make(light);
    (void)user;
    light->options.device = device;
    light->options.rays = 4;
    const enum vxb_status status = vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, err);
    *hash = light_hash(field);
    vxb_probe_field_free(field);
    free(light);
    return status;
}

Test(device_faults, any_call_of_a_fill__is_told_or_mended, .timeout = 300)
{
    struct vxb_device *device = open_opencl_device(&env);
    device_faults_into(device);
    device->tuning.run_bricks = 11;
    device->tuning.launch_rays = 3;
    fail_every(device, fill, NULL);
    cancel_each(device, 7, fill, NULL);
    vxb_device_close(device);
}

/* ---- a read ---- */

/* A read that its queue had, and that was then refused, went on into memory that was no longer the library's. */
Test(device_faults, read_that_cant_be_begun__is_not_on_its_way)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct vxbi_buffer *buffer;
    struct vxbi_pinned *data;
    struct vxbi_event *event = NULL;
    device_faults_into(device);
    cr_assert(eq(int, vxbi_buffer_new(device, 4096, NULL, &buffer, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_pinned_new(device, 4096, &data, NULL), VXB_OK));
    for (uint64_t from = 0; from < 2; from++) { /* the work's queue, the transfer's */
        struct vxb_error err = {0};
        device_faults_set(CALL_FLUSH, from, 1, CL_OUT_OF_HOST_MEMORY);
        cr_assert(eq(int, vxbi_read_begin(device, buffer, data, 4096, &event, &err), VXB_ERR_MEMORY));
        cr_assert(event == NULL);
        cr_assert(eq(i64, device_faults.reads, 0));
        cr_assert(eq(i64, device_faults.events, 0));
    }
    cr_assert(eq(int, vxbi_read_begin(device, buffer, data, 4096, &event, NULL), VXB_OK));
    cr_assert(eq(i64, device_faults.reads, 1));
    cr_assert(eq(int, vxbi_wait(device, event, NULL), VXB_OK));
    vxbi_pinned_free(device, data);
    vxbi_buffer_free(device, buffer);
    expect_nothing_left("a read", 0);
    vxb_device_close(device);
}
