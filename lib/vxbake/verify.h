/* Verifying files. Source: vxbake-verify(1), vxbake-format(5). */
#ifndef VXBAKE_VERIFY_H
#define VXBAKE_VERIFY_H

#include "base.h"
#include "bake.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One finding, equal ones folded: the same code and severity in the same kind of place. */
struct vxb_finding_record {
    enum vxb_finding finding;
    enum vxb_severity severity;
    const char *message;      /* of the first one; control characters escaped */
    const char *pointer;      /* where in the structure ("/chunks/12/hash"), "" for the whole file */
    bool has_offset;
    uint64_t offset;          /* of the first one */
    uint64_t count;           /* how many there were */
};

/* What was looked at. */
struct vxb_verify_coverage {
    bool header, tables, hashes, blades; /* done to the end */
    uint64_t chunks_total, chunks_checked, blades_total, blades_checked, bytes_total, bytes_checked;
    bool levels;                         /* of a depth pyramid, against each other; done to the end */
    uint64_t texels_total, texels_checked;
    bool recipe, rebake, report;         /* asked for and done */
};

struct vxb_verify_report {
    const char *path;
    uint64_t file_bytes;
    const char *kind;                    /* "grass-field" or "depth-pyramid", by its content; NULL: unknown. Static */
    uint32_t format;                     /* of a grass file; 0: unknown */
    uint64_t bake_id, content_id;
    struct vxb_verify_coverage coverage;
    const struct vxb_finding_record *findings;
    uint32_t finding_count;
    uint64_t errors, warnings, notes;    /* counted one by one, not folded */
    const char *failure;                 /* NULL in what vxb_verify() returns. To list a file that could not be checked,
                                            a caller makes a report of its own with path and this, the reason */
};

struct vxb_verify_options {
    size_t size;
    const char *recipe;      /* check the identities against this recipe, NULL: do not */
    const char *rebake;      /* bake this recipe and compare every byte, compression apart, NULL: do not */
    const char *report_of;   /* check this JSON report of a bake against the file, NULL: do not */
    uint32_t max_findings;   /* records kept; 0: 100. Counts go on */
};

/* Verifies one grass file or depth pyramid, told apart by its content, with everything the reader checks, and what the
 * options ask for.
 *
 * A file that is partial, or was baked by another bake revision, is compared with no recipe: that is a finding. It is
 * baked again only where neither the file itself nor its identities have an error; a report is compared with a file
 * that has none. The report's coverage says which comparisons were made.
 *
 * path: "-" is standard input. options: NULL is none. out: the report is the caller's, freed with
 * vxb_verify_report_free(); unchanged on failure.
 * Returns VXB_OK when the check could be made, whatever it found, a file that is none of them at all included (that is
 * a finding); VXB_ERR_IO when the file can't be read; VXB_ERR_LIMIT when its largest chunk, or the pyramid, does not fit
 * max_memory_bytes; VXB_ERR_USAGE for a KTX2 file where the options ask for a comparison; VXB_ERR_DATA for a report_of
 * that is no report of a bake; VXB_ERR_CANCELLED; VXB_ERR_MEMORY; and what vxb_recipe_load() and vxb_bake() return for
 * the options' files. Memory does not grow with a grass file: windows, and the largest chunk a thread; a pyramid is held
 * whole, and half of level 0 more. */
enum vxb_status vxb_verify(const struct vxb_env *env, const char *path, const struct vxb_verify_options *options,
                           struct vxb_verify_report **out, struct vxb_error *err);
void vxb_verify_report_free(struct vxb_verify_report *report); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
