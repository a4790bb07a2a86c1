/* Several files at once. Workers take the next file from a counter; the caller's thread alone reports.
 *
 * Invariant: what the library says along the way and what the caller prints never mix: both hold the lock. */
#include "verify_jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    const struct vxb_env *outer;
    struct vxb_env env; /* what each call gets: its part of the threads, and diagnostics behind the lock */
    const struct vxb_verify_options *options;
    struct verify_job *jobs;
    size_t count;
    atomic_size_t next;
    pthread_mutex_t lock;
    pthread_cond_t change;
    unsigned running;   /* workers; under the lock, as is done of every job */
};

static void locked_diag(void *user, const struct vxb_diag *diag)
{
    struct pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    pool->outer->diag(pool->outer->user, diag);
    pthread_mutex_unlock(&pool->lock);
}

/* An error is large, and rare among many files. */
static void verify(const struct vxb_env *env, const struct vxb_verify_options *options, struct verify_job *job)
{
    struct vxb_error err = {0};
    job->status = vxb_verify(env, job->path, options, &job->report, &err);
    if (!job->status)
        return;
    job->err = malloc(sizeof *job->err);
    if (job->err)
        *job->err = err;
}

static void *work(void *user)
{
    struct pool *pool = user;
    while (!cli_stopped()) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count)
            break;
        struct verify_job *job = &pool->jobs[index];
        if (!job->done)
            verify(&pool->env, pool->options, job);
        pthread_mutex_lock(&pool->lock);
        job->done = true;
        pthread_cond_signal(&pool->change);
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    pthread_cond_signal(&pool->change);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void run_one_by_one(const struct vxb_env *env, const struct vxb_verify_options *options,
                           struct verify_job *jobs, size_t count, void (*finished)(void *user, size_t index),
                           void *user)
{
    for (size_t i = 0; i < count && !cli_stopped(); i++) {
        if (!jobs[i].done)
            verify(env, options, &jobs[i]);
        jobs[i].done = true;
        cli_progress_clear();
        finished(user, i);
    }
}

static void report_in_order(struct pool *pool, void (*finished)(void *user, size_t index), void *user)
{
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < pool->count; i++) {
        while (!pool->jobs[i].done && pool->running)
            pthread_cond_wait(&pool->change, &pool->lock);
        if (!pool->jobs[i].done)
            break;
        finished(user, i);
    }
    pthread_mutex_unlock(&pool->lock);
}

void verify_jobs_run(const struct vxb_env *env, const struct vxb_verify_options *options, bool one_by_one,
                     struct verify_job *jobs, size_t count, void (*finished)(void *user, size_t index), void *user)
{
    enum { MOST = 64 };
    uint32_t threads = vxb_env_threads(env);
    unsigned workers = count < threads ? (unsigned)count : threads < MOST ? threads : MOST;
    if (one_by_one || workers < 2) {
        run_one_by_one(env, options, jobs, count, finished, user);
        return;
    }
    struct pool pool = {.outer = env, .env = *env, .options = options, .jobs = jobs, .count = count};
    pool.env.user = &pool;
    pool.env.diag = locked_diag;
    pool.env.progress = NULL; /* one bar can't tell of several files */
    pool.env.threads = threads / workers;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.change, NULL);
    pthread_t started[MOST];
    unsigned running = 0;
    pthread_mutex_lock(&pool.lock);
    while (running < workers && pthread_create(&started[running], NULL, work, &pool) == 0)
        running++;
    pool.running = running;
    pthread_mutex_unlock(&pool.lock);
    report_in_order(&pool, finished, user);
    for (unsigned i = 0; i < running; i++)
        pthread_join(started[i], NULL);
    pthread_cond_destroy(&pool.change);
    pthread_mutex_destroy(&pool.lock);
    if (!running)
        run_one_by_one(env, options, jobs, count, finished, user);
}
