/* The rest of what is asked of the system: its messages, threads and clock. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "os.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void vxbi_errno_text(int errno_value, char *buf, size_t size)
{
    /* XSI's strerror_r; glibc's own is a different function under the same name. */
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char *text = strerror_r(errno_value, buf, size);
    if (text != buf)
        snprintf(buf, size, "%s", text);
#else
    if (strerror_r(errno_value, buf, size) != 0)
        snprintf(buf, size, "error %d", errno_value);
#endif
}

/* ---- threads ---- */

/* The quota of the cgroup this process is in, in whole CPUs rounded up; 0 where there is none. */
static uint32_t cgroup_cpus(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file)
        return 0;
    uint64_t quota, period;
    uint32_t cpus = 0;
    if (fscanf(file, "%" SCNu64 " %" SCNu64, &quota, &period) == 2 && period > 0 && quota > 0) {
        uint64_t whole = (quota + period - 1) / period;
        cpus = whole > 4096 ? 4096 : (uint32_t)whole;
    }
    fclose(file);
    return cpus;
}

uint32_t vxbi_cpu_count(void)
{
    long count = 0;
#if defined(HAVE_SCHED_GETAFFINITY) && defined(CPU_COUNT)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        count = 1;
    uint32_t quota = cgroup_cpus();
    if (quota && (long)quota < count)
        count = (long)quota;
    return (uint32_t)count;
}

uint32_t vxbi_thread_count(const struct vxb_env *env)
{
    return env && env->threads ? env->threads : vxbi_cpu_count();
}

uint32_t vxb_env_threads(const struct vxb_env *env)
{
    return vxbi_thread_count(env);
}

struct team {
    void (*body)(void *user, uint32_t worker);
    void *user;
    uint32_t worker;
};

static void *run_member(void *arg)
{
    const struct team *member = arg;
    member->body(member->user, member->worker);
    return NULL;
}

void vxbi_parallel(uint32_t count, void (*body)(void *user, uint32_t worker), void *user)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    struct team team[MOST];
    uint32_t started = 1;
    if (count > MOST)
        count = MOST;
    while (started < count) {
        team[started] = (struct team){body, user, started};
        if (pthread_create(&threads[started], NULL, run_member, &team[started]) != 0)
            break;
        started++;
    }
    body(user, 0);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
}

struct vxbi_mutex {
    pthread_mutex_t lock;
    pthread_cond_t signal;
};

struct vxbi_mutex *vxbi_mutex_new(const struct vxb_allocator *allocator)
{
    struct vxbi_mutex *mutex = vxbi_new_zero(allocator, 1, sizeof *mutex);
    if (!mutex)
        return NULL;
    pthread_mutex_init(&mutex->lock, NULL);
    pthread_cond_init(&mutex->signal, NULL);
    return mutex;
}

void vxbi_mutex_free(const struct vxb_allocator *allocator, struct vxbi_mutex *mutex)
{
    if (!mutex)
        return;
    pthread_cond_destroy(&mutex->signal);
    pthread_mutex_destroy(&mutex->lock);
    vxbi_delete(allocator, mutex, 1, sizeof *mutex);
}

void vxbi_mutex_lock(struct vxbi_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }
void vxbi_mutex_unlock(struct vxbi_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
void vxbi_mutex_wait(struct vxbi_mutex *mutex) { pthread_cond_wait(&mutex->signal, &mutex->lock); }
void vxbi_mutex_wake(struct vxbi_mutex *mutex) { pthread_cond_broadcast(&mutex->signal); }

double vxbi_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
