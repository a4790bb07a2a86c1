/* A grass file or an irradiance field in another format, with another compression, or for other programs. Source:
 * vxbake-transcode(1). */
#ifndef VXBAKE_TRANSCODE_H
#define VXBAKE_TRANSCODE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vxb_transcode_to {
    VXB_TRANSCODE_DEFAULT, /* the input's format; 2 for format 1 */
    VXB_TRANSCODE_1,
    VXB_TRANSCODE_2,
    VXB_TRANSCODE_3,
    VXB_TRANSCODE_RUNTIME, /* 24-byte records as vxbake/runtime.h has them, and what draws them as JSON beside them */
    VXB_TRANSCODE_PLY,     /* points, binary */
    VXB_TRANSCODE_CSV,     /* a line a blade */
    VXB_TRANSCODE_KTX2,    /* irradiance fields: five 3D textures, whose names are made of the output's */
    VXB_TRANSCODE_SLICES   /* irradiance fields: a picture of horizontal slices, PNG */
};

/* What --to calls it: "1", "runtime"; static storage; NULL for DEFAULT and a value that is none. */
const char *vxb_transcode_to_name(enum vxb_transcode_to to);

/* Options. Zero it, set size, fill in. */
struct vxb_transcode_options {
    size_t size;
    const char *output;      /* "-" is standard output */
    enum vxb_transcode_to to;
    bool compress;           /* formats 2 and 3, irradiance fields */
    int compress_level;      /* zstd's, where compress */
    bool split;              /* plane-split; only with compress */
    bool lossy;              /* format 2 to 1 may lose what format 1 has no room for */
    const char *species;     /* format 3 to 2: which one, by name or "0x..." id; NULL: none was named */
    bool has_origin;         /* runtime, PLY: positions are relative to this point, in double; else to the world's */
    double origin[3];
    const char *side;        /* runtime: the JSON file (schemas/runtime.schema.json); NULL: the output's name and
                                ".json" */
    bool force;              /* replace files whose names were made up and not given: that one, those of KTX2 */
    const char *recipe;      /* runtime: stomp is that of this recipe's terrain; the bake ids must be equal */
    const char *stomp;       /* runtime: or of this map, stretched over the cells that hold chunks */
    const char *report_json; /* the report as JSON (schemas/report-transcode.schema.json), NULL: none */
};

/* What a file of format 1 has no room for; bits. */
enum vxb_transcode_lost {
    VXB_LOST_SPECIES = 1,    /* id and names of the species, its material and mesh */
    VXB_LOST_PASSES = 2,
    VXB_LOST_LODS = 4,
    VXB_LOST_LIMITS = 8,     /* on commands and updates, and the blade budget */
    VXB_LOST_BAKE = 16,      /* seed, density, bake revision and bake id */
    VXB_LOST_FLAGS = 32,     /* that it is partial, or was baked on an inexact device */
    VXB_LOST_RANK_LIMIT = 64,
    VXB_LOST_UP = 128,       /* the up direction of blades */
    VXB_LOST_GROUND = 256,   /* the ground's lowest and highest point of each chunk */
    VXB_LOST_HASHES = 512    /* and the content id */
};
/* Lower-case name of one bit ("rank_limit"); static storage; "unknown" for a value that is none. */
const char *vxb_transcode_lost_name(enum vxb_transcode_lost lost);

/* What was written. */
struct vxb_transcode_report {
    uint32_t from, to;       /* formats; to is 0 for an export */
    enum vxb_transcode_to target; /* what was asked for, or what DEFAULT came to */
    uint32_t chunk_count, blade_count;
    uint32_t brick_count;    /* of an irradiance field, else 0 */
    uint64_t probe_count;
    uint64_t input_bytes, file_bytes;
    uint64_t side_bytes;     /* of the JSON file beside runtime records, else 0 */
    uint64_t content_id;     /* of formats 2 and 3 and irradiance fields, else 0 */
    bool one_species;        /* 3 to 2: the one that was taken */
    uint64_t species_id;
    uint32_t lost;           /* 2 to 1: enum vxb_transcode_lost */
    uint64_t tilted;         /* 2 to 1: blades whose up direction was lost */
    double moved[3];         /* 2 to 1: metres that rounding to f32 moved a blade at most, on x, y and z */
    bool quantised;          /* 1 to 2: */
    double place_step, height_step; /* metres: what places and heights are whole numbers of; of the chunk with the
                                widest range of heights */
};

/* Reads a grass file and writes it as options say.
 *   1 to 2; 2 to 1 with lossy; 2 to 2 and 3 to 3 with any compression, the content id staying the same; 3 to 2 of one
 *   species; any format to runtime records, PLY or CSV. Everything else is VXB_ERR_USAGE with a
 *   message that says what is possible.
 *   An irradiance field with any compression, its content id staying the same; to KTX2 (light.ktx2 becomes
 *   light.l00.ktx2, light.l1m1.ktx2, light.l10.ktx2, light.l11.ktx2 and light.indirection.ktx2, which are refused where
 *   they exist, but with force), PLY and slices.
 * env: what is lost, with lossy, goes to diag as notes.
 * path: a file, or "-" for standard input.
 * report: may be NULL.
 * Returns VXB_ERR_USAGE (a recipe that did not bake the file is one, and without `to` an output whose name ends as the
 * other kind's does, .vxg or .vxp), VXB_ERR_REFUSED (an output is an input or another output, or the JSON file exists
 * and its name was not given), VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED, and what vxb_grass_open(),
 * vxb_grass_read_chunk(), vxb_recipe_load() and vxb_terrain_load() return. Whatever is returned but VXB_OK, an output
 * that is a file is what it was before.
 * Memory: an irradiance field's pool; else a chunk a thread, and for formats 2 and 3 56 bytes a chunk. */
enum vxb_status vxb_transcode(const struct vxb_env *env, const char *path, const struct vxb_transcode_options *options,
                              struct vxb_transcode_report *report, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
