/* Checking several files at once: what verify does with more than one. */
#ifndef SRC_VERIFY_JOBS_H
#define SRC_VERIFY_JOBS_H

#include "cli.h"

/* What came of one file. One that can't be checked, as the caller knows already, is done from the start. */
struct verify_job {
    const char *path;
    bool done;
    enum vxb_status status;
    struct vxb_verify_report *report; /* where status is VXB_OK; the caller frees it, with vxb_verify_report_free() */
    struct vxb_error *err;            /* else, with free(); NULL: there was no memory even for that */
};

/* Checks count files, several at a time on the threads that env allows, and hands each to finished() in the order of
 * jobs, as soon as it and those before it are done. After a signal the rest is left undone.
 * one_by_one: a file at a time, each with all threads. */
void verify_jobs_run(const struct vxb_env *env, const struct vxb_verify_options *options, bool one_by_one,
                     struct verify_job *jobs, size_t count, void (*finished)(void *user, size_t index), void *user);

#endif
