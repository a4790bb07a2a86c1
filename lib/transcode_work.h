/* A transcoding under way, as its parts share it. */
#ifndef VXBI_TRANSCODE_WORK_H
#define VXBI_TRANSCODE_WORK_H

#include "core/os.h"
#include "grass/read.h"
#include "vxbake/probe_file.h"
#include "vxbake/transcode.h"

struct vxbi_transcode {
    const struct vxb_env *env;
    const struct vxb_transcode_options *options;
    const char *path;
    struct vxb_grass *grass;
    struct vxb_probe_file *probes;     /* of an irradiance field, and then grass is NULL */
    struct vxb_output *output, *side; /* side: of runtime records alone */
    struct vxb_output *report_output;
    enum vxb_transcode_to to;
    uint32_t section;                  /* 3 to 2: the one that is taken */
    struct vxb_transcode_report report;
};

/* Appends to the output, counts the bytes, and asks whether to go on. err gets the output's own error. */
struct vxbi_transcode_sink {
    struct vxbi_transcode *t;
    struct vxb_output *output;
    struct vxb_error *err;
    enum vxb_status status;
};
bool vxbi_transcode_append(void *sink, const char *data, size_t size);

/* The report's file, opened and refused where it must be; and what is said in it. */
enum vxb_status vxbi_transcode_open_report(struct vxbi_transcode *t, struct vxb_error *err);
enum vxb_status vxbi_transcode_write_report(struct vxbi_transcode *t, struct vxb_error *err);

/* transcode_probes.c: all of it, for an irradiance field. */
enum vxb_status vxbi_transcode_probes(struct vxbi_transcode *t, struct vxb_error *err);

/* Whether an output would replace this input: VXB_ERR_REFUSED. */
enum vxb_status vxbi_transcode_refuse(const struct vxbi_transcode *t, const char *input, struct vxb_error *err);

/* transcode_runtime.c: opens the side file, and writes records and JSON. */
enum vxb_status vxbi_transcode_open_side(struct vxbi_transcode *t, struct vxb_error *err);
enum vxb_status vxbi_transcode_runtime(struct vxbi_transcode *t, struct vxb_error *err);

#endif
