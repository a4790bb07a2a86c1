/* Verifying files. Source: vxbake-verify(1), vxbake-format(5). */
#ifndef VXBAKE_VERIFY_H
#define VXBAKE_VERIFY_H

#include "base.h"
#include "bake.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much of a file is looked at. Each holds all of those below it. */
enum vxb_verify_level {
    VXB_VERIFY_FULL,   /* what the data holds too: every blade, every texel */
    VXB_VERIFY_HASH,   /* every hash of data that the file stores. Format 1 and KTX2 store none: as VXB_VERIFY_HEADER */
    VXB_VERIFY_HEADER  /* header and tables, and their hashes; no data is read */
};

/* "full", "hash", "header"; static storage; NULL for a value that is none. */
const char *vxb_verify_level_name(enum vxb_verify_level level);

/* One finding, equal ones folded: the same code and severity in the same kind of place. */
struct vxb_finding_record {
    enum vxb_finding finding;
    enum vxb_severity severity; /* what it counts as */
    bool ignored;               /* as the options ask: it counts as nothing but ignored */
    const char *message;      /* of the first one; control characters escaped */
    const char *pointer;      /* where in the structure ("/chunks/12/hash"), "" for the whole file */
    bool has_offset;
    uint64_t offset;          /* of the first one, in the file's order */
    uint64_t count;           /* how many there were */
};

/* What was looked at. */
struct vxb_verify_coverage {
    enum vxb_verify_level level;         /* what was asked for */
    bool complete;                       /* all that the level and the options ask for was looked at; where not, there
                                            is a finding that counts as an error */
    bool header, tables, hashes, blades; /* done to the end; hashes: those of chunk data */
    uint64_t chunks_total, chunks_checked, blades_total, blades_checked; /* checked: blade by blade */
    uint64_t hashes_total, hashes_checked; /* of chunk data, stored in the file */
    uint64_t bytes_hashed;               /* that these hashes are over: decoded data */
    uint64_t bytes_total, bytes_checked; /* of the file; checked: read, and right for the level or told of */
    bool levels;                         /* of a depth pyramid, against each other; done to the end */
    uint64_t texels_total, texels_checked;
    bool borders;                        /* of an irradiance field, and its seams; done to the end */
    uint64_t probes_total, probes_checked, probes_invalid; /* of an irradiance field: those that bricks own */
    bool recipe, rebake, report;         /* asked for and done */
};

struct vxb_verify_report {
    const char *path;
    uint64_t file_bytes;                 /* of a pipe that begins as no file of ours does, those that were read */
    const char *kind;                    /* "grass-field", "depth-pyramid" or "irradiance-field", by its content; NULL:
                                            unknown. Static */
    uint32_t format;                     /* of a grass file or an irradiance field; 0: unknown */
    uint64_t bake_id, content_id;
    struct vxb_verify_coverage coverage;
    const struct vxb_finding_record *findings;
    uint32_t finding_count;
    uint64_t errors, warnings, notes, ignored; /* counted one by one, not folded */
    bool good;                           /* the verdict: no errors, and where they are to count as such no warnings */
    const char *failure;                 /* NULL in what vxb_verify() returns. To list a file that could not be checked,
                                            a caller makes a report of its own with path and this, the reason */
};

/* What the findings of one code count as. */
struct vxb_verify_rule {
    enum vxb_finding finding;
    bool ignore;                /* counted as ignored, and kept in the report after all others */
    enum vxb_severity severity; /* where not */
};

struct vxb_verify_options {
    size_t size;
    enum vxb_verify_level level;
    const struct vxb_verify_rule *rules; /* of several with one code the last counts; NULL where rule_count is 0 */
    size_t rule_count;
    bool warnings_as_errors; /* warnings, by the rules, decide the verdict as errors do */
    const char *recipe;      /* check the identities against this recipe, NULL: do not */
    const char *rebake;      /* bake this recipe and compare every byte, compression apart, NULL: do not */
    const char *report_of;   /* check this JSON report of a bake against the file, NULL: do not */
    uint32_t max_findings;   /* records kept; 0: 100. Counts go on */
    bool has_max_invalid;    /* of an irradiance field: more invalid probes than max_invalid are an error */
    uint64_t max_invalid;
};

/* Verifies one grass file, depth pyramid or irradiance field, told apart by its content, with everything the reader
 * checks, and what the options ask for.
 *
 * A file that is partial, or was baked by another bake revision, is compared with no recipe: that is a finding. It is
 * baked again only where neither the file itself nor its identities have an error; a report is compared with a file
 * that has none. The report's coverage says which comparisons were made.
 *
 * Rules change what findings count as, never how far a file can be read: where no finding counts as an error, but
 * something that was asked for could not be looked at, there is VXB_FINDING_UNCHECKED beside them, which no rule
 * changes.
 *
 * path: "-" is standard input. options: NULL is none. out: the report is the caller's, freed with
 * vxb_verify_report_free(); unchanged on failure.
 * Returns VXB_OK when the check could be made, whatever it found, a file that is none of them at all included (that is
 * a finding); VXB_ERR_IO when the file can't be read; VXB_ERR_LIMIT when its largest chunk, or the pyramid, does not
 * fit max_memory_bytes; VXB_ERR_USAGE for a level that is none, a rule on what is no finding or on
 * VXB_FINDING_UNCHECKED, and a comparison that the level does not go with: rebake needs VXB_VERIFY_FULL, as does
 * report_of for a depth pyramid; VXB_ERR_DATA for a report_of that is no report of such a bake; VXB_ERR_CANCELLED;
 * VXB_ERR_MEMORY; and what vxb_recipe_load() and vxb_bake() return for the options' files. Memory does not grow with a
 * grass file: windows, and the largest chunk, and for further threads at most 32 MiB of them; a pyramid is held whole,
 * and half of level 0 more; of an irradiance field the pool is. */
enum vxb_status vxb_verify(const struct vxb_env *env, const char *path, const struct vxb_verify_options *options,
                           struct vxb_verify_report **out, struct vxb_error *err);
void vxb_verify_report_free(struct vxb_verify_report *report); /* NULL is allowed */

/* Several files in numbers; every file is one of good, bad and failed. */
struct vxb_verify_summary {
    uint64_t files, good, bad;
    uint64_t failed;                             /* could not be checked: reports with a failure */
    uint64_t errors, warnings, notes, ignored;   /* of the others */
};
void vxb_verify_sum(const struct vxb_verify_report *const *reports, size_t count, struct vxb_verify_summary *out);

#ifdef __cplusplus
}
#endif

#endif
