/* The files that one bake writes: opened, and refused where they must be, before the work begins; all of them prepared;
 * then put in place, those first that can still fail. So either all of them are new or none is. */
#ifndef VXBI_OUTPUTS_H
#define VXBI_OUTPUTS_H

#include "core/os.h"
#include "vxbake/bake.h"
#include "vxbake/export.h"

enum { VXBI_MAIN, VXBI_PREVIEW, VXBI_DEPFILE, VXBI_REPORT, VXBI_OUTPUTS };

struct vxbi_outputs {
    const struct vxb_bake_options *options;
    struct vxb_output *at[VXBI_OUTPUTS]; /* NULL: not asked for */
    const char *recipe;                   /* NULL: none; "-": standard input */
    const char *const *inputs;
    uint32_t input_count;
};

/* Opens what the options ask for. recipe and inputs are what is read, and must not be overwritten; borrowed.
 * Returns VXB_ERR_USAGE (a depfile without an output to name), VXB_ERR_REFUSED, VXB_ERR_IO, VXB_ERR_MEMORY; whatever it
 * returns, vxbi_outputs_abort() frees what is left. */
enum vxb_status vxbi_outputs_open(const struct vxb_env *env, const struct vxb_bake_options *options, const char *recipe,
                                  const char *const *inputs, uint32_t input_count, struct vxbi_outputs *out,
                                  struct vxb_error *err);

/* Writes the depfile, where there is one; prepares the main output and tells whether it will be touched. */
enum vxb_status vxbi_outputs_finish(struct vxbi_outputs *outputs, bool *written, struct vxb_error *err);

/* Where the JSON report is to go; what it returned last is the status of a sink that said no. */
struct vxbi_report_sink {
    struct vxb_output *output;
    struct vxb_error *err;
    enum vxb_status status;
};
struct vxb_sink vxbi_outputs_report(struct vxbi_outputs *outputs, struct vxbi_report_sink *to, struct vxb_error *err);

/* Prepares them all, then puts them in place. */
enum vxb_status vxbi_outputs_commit(struct vxbi_outputs *outputs, struct vxb_error *err);
void vxbi_outputs_abort(struct vxbi_outputs *outputs);

#endif
