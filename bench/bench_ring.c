/* How fast the distance ring is, against the same rule written plainly (bench/plain_ring.c), in the same run. A
 * range over 100 000 cells of a metre and a view that moves a metre a frame, stands, or shakes; with room for all,
 * and with half the slots. `make bench` builds and runs it.
 *
 * Each figure is the best of several short rounds in which ring and peer take turns; both walk the same way, and every
 * frame's answer is compared. The ring's time is the wall's; the peer's, which is long enough to be interrupted on a
 * busy machine, that of the processor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/os.h"
#include "plain_ring.h"

enum { ROUNDS = 8, FRAMES = 5 };

#define RANGE 178.5f

static void fail(const char *what)
{
    fprintf(stderr, "bench_ring: %s\n", what);
    exit(1);
}

struct walk {
    const char *name;
    float step_x, step_z;
    bool back; /* every other frame goes back */
};

/* Frame k of all, counted over the rounds. */
static void view_at(const struct walk *walk, int k, float view[3])
{
    float along = walk->back ? (float)(k % 2) : (float)k;
    view[0] = 0.3f + walk->step_x * along;
    view[1] = 0.0f;
    view[2] = -0.6f + walk->step_z * along;
}

struct both {
    struct vxb_ring *ring;
    struct plain_ring *plain;
    struct vxb_ring_change ours[FRAMES], theirs; /* of ours only the numbers outlive a frame */
    uint64_t changed;
};

static double run_ring(struct both *both, const struct walk *walk, int round)
{
    float view[3];
    double start = vxbi_seconds();
    for (int i = 0; i < FRAMES; i++) {
        view_at(walk, round * FRAMES + i, view);
        if (vxb_ring_update(both->ring, view, RANGE, &both->ours[i], NULL))
            fail("an update failed");
    }
    return (vxbi_seconds() - start) / FRAMES;
}

static double run_plain(struct both *both, const struct walk *walk, int round)
{
    float view[3];
    clock_t start = clock();
    for (int i = 0; i < FRAMES; i++) {
        const struct vxb_ring_change *ours = &both->ours[i], *theirs = &both->theirs;
        view_at(walk, round * FRAMES + i, view);
        plain_ring_update(both->plain, view, RANGE, UINT32_MAX, &both->theirs);
        if (ours->created_count != theirs->created_count || ours->evicted_count != theirs->evicted_count ||
            ours->refused != theirs->refused)
            fail("the plain ring changed in another way");
        both->changed += theirs->created_count + theirs->evicted_count;
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC / FRAMES;
}

static void check_resident(const struct both *both)
{
    uint32_t count, capacity = vxb_ring_capacity(both->ring);
    const struct vxb_ring_slot *theirs = plain_ring_resident(both->plain, &count);
    struct vxb_ring_slot *ours = malloc(capacity * sizeof *ours);
    if (!ours || vxb_ring_resident(both->ring, ours, capacity) != count ||
        memcmp(ours, theirs, count * sizeof *ours) != 0)
        fail("the plain ring holds other cells");
    free(ours);
}

static void bench(uint32_t capacity, const struct walk *walk, double least_ratio)
{
    const struct vxb_ring_grid grid = {.cell_size = 1.0f};
    struct both both = {.plain = plain_ring_new(&grid, capacity, VXB_RING_HYSTERESIS)};
    double best = 0.0, best_plain = 0.0;
    if (vxb_ring_new(NULL, &grid, capacity, &both.ring, NULL))
        fail("no ring");
    run_ring(&both, walk, 0);
    run_plain(&both, walk, 0);
    uint32_t wanted = vxb_ring_count(both.ring) + vxb_ring_refused(both.ring);
    both.changed = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        double ours = run_ring(&both, walk, round), theirs = run_plain(&both, walk, round);
        best = round == 1 || ours < best ? ours : best;
        best_plain = round == 1 || theirs < best_plain ? theirs : best_plain;
    }
    check_resident(&both);
    printf("  %6u slots, %6u cells, %-22s %7.1f changes a frame %10.2f us %10.1f us  %7.1f x (target %.0f: %s)\n",
           (unsigned)capacity, (unsigned)wanted, walk->name, (double)both.changed / (ROUNDS * FRAMES), best * 1e6,
           best_plain * 1e6, best_plain / best, least_ratio, best_plain / best >= least_ratio ? "pass" : "miss");
    vxb_ring_free(both.ring);
    plain_ring_free(both.plain);
}

int main(void)
{
    static const struct walk walks[] = {{"a metre a frame", 1.0f, 0.0f, false},
                                        {"a metre aslant", 0.6f, 0.8f, false},
                                        {"shaking a centimetre", 0.01f, 0.01f, true},
                                        {"standing still", 0.0f, 0.0f, false}};
    printf("The ring a frame, then the plain one, over cells of a metre within %.1f m.\n", (double)RANGE);
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        bench(150000, &walks[i], 20.0);
        bench(50000, &walks[i], 20.0);
    }
    return 0;
}
