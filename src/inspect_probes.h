/* vxbake inspect and vxinspect of irradiance fields. */
#ifndef SRC_INSPECT_PROBES_H
#define SRC_INSPECT_PROBES_H

#include "cli.h"

/* What of the command line it needs. */
struct inspect_probes {
    const char *name; /* of the file, as given */
    bool bricks, statistics;
    enum cli_format format;
};

/* Prints header and planes, and more where asked for, to standard output. */
enum vxb_status inspect_probes(const struct inspect_probes *what, const struct vxb_env *env,
                               const struct vxb_probe_file *file, struct vxb_error *err);

#endif
