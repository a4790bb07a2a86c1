/* A verification at work: a kind of file has one function that checks it and compares it with what the options name.
 * verify_file.c tells the kinds apart; nothing else in verify knows of more than one. */
#ifndef VXBI_VERIFY_WORK_H
#define VXBI_VERIFY_WORK_H

#include "recipe/json.h"
#include "verify/grass.h"
#include "vxbake/bake.h"

struct vxbi_verify_work {
    const struct vxb_env *env;
    const struct vxb_verify_options *options;
    struct vxb_verify_report known; /* path and file_bytes are there; what else is to be said is filled in */
    struct vxbi_fold fold;
};

/* verify_grass.c, verify_pyramid.c, verify_probes.c: take the open file, also where they fail. Findings go to
 * work->fold; returned is only what kept them from looking. known.coverage.complete tells whether all was looked at. */
enum vxb_status vxbi_verify_grass_file(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err);
enum vxb_status vxbi_verify_pyramid_file(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err);
enum vxb_status vxbi_verify_probes_file(struct vxbi_verify_work *work, struct vxbi_file *file, struct vxb_error *err);

/* ---- what a grass file is compared with; its tables are known (VXBI_GRASS_SECTIONS) ---- */

/* Whether the file can be the bake of any recipe by this version: not partial, the same bake revision. */
bool vxbi_verify_comparable(const struct vxb_grass *grass, struct vxbi_collect *collect);

/* verify_recipe.c: identities against the plan of a recipe. */
void vxbi_verify_recipe(const struct vxb_grass *grass, const struct vxb_plan *plan, struct vxbi_collect *collect);

/* verify_rebake.c: bakes the plan to nowhere and compares header, sections, chunks and every record. The file has no
 * errors of its own. */
enum vxb_status vxbi_verify_rebake(const struct vxb_env *env, const struct vxb_grass *grass,
                                   const struct vxb_plan *plan, struct vxbi_collect *collect, struct vxb_error *err);

/* verify_ledger.c: the JSON report of a bake, its sums and what it says of the file. Returns what reading a report
 * does. */
enum vxb_status vxbi_verify_ledger(const struct vxb_env *env, const struct vxb_grass *grass, const char *path,
                                   struct vxbi_collect *collect, struct vxb_error *err);

/* ---- members of a bake's report, of whatever kind; what is missing or differs is a finding ---- */

/* Reads a report whose member "kind" is this one. Returns VXB_ERR_DATA for what is none, VXB_ERR_UNSUPPORTED for
 * another version of it, VXB_ERR_IO. */
enum vxb_status vxbi_verify_read_report(const struct vxb_env *env, const char *path, const char *kind,
                                        struct vxbi_json **out, struct vxb_error *err);

/* A whole number below 2^53 under key of object, which stands at the pointer where; false, and a finding, for anything
 * else. */
bool vxbi_verify_take_u64(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, uint64_t *out);
/* A finding where it is not the file's number; where the text under key is not the file's id; the file's limit, null
 * being none; f32; text. */
void vxbi_verify_same_u64(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, uint64_t file);
void vxbi_verify_same_id(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                         const char *key, uint64_t file);
void vxbi_verify_same_limit(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                            const char *key, uint32_t file);
void vxbi_verify_same_f32(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                          const char *key, float file);
void vxbi_verify_same_text(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const char *file);
/* Elements of an array under key, count of them. */
void vxbi_verify_same_u32s(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const uint32_t *file, size_t count);
void vxbi_verify_same_f32s(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                           const char *key, const float *file, size_t count);
void vxbi_verify_same_texts(struct vxbi_collect *collect, const struct vxbi_json *object, const char *where,
                            const char *key, const char *const *file, size_t count);

#endif
