/* What the readers of one file make of it, in the file's own orientation, before terrain.c turns it and puts it into a
 * struct vxb_terrain. Sample grids come from the environment's allocator, each with exactly the size that its width and
 * height give, so that whoever frees one can compute it. */
#ifndef VXBI_TERRAIN_GROUND_H
#define VXBI_TERRAIN_GROUND_H

#include "../image/source.h"
#include "../vxbake/terrain.h"

#define VXBI_TERRAIN_SIDE_MIN 2u
#define VXBI_TERRAIN_SIDE_MAX 32768u
#define VXBI_TERRAIN_SAMPLES_MAX ((uint64_t)1 << 30)
#define VXBI_TERRAIN_LAYERS_MAX 1024u /* names are compared each with each */
#define VXBI_TERRAIN_METRES_MAX 1048576.0f /* world coordinates lie within this */

struct vxbi_ground_layer {
    char *name; /* name_size bytes and a terminator */
    uint32_t name_size;
    uint8_t *samples;
};

struct vxbi_ground {
    uint32_t width, height;
    uint16_t *heights;
    uint8_t *holes; /* a bit a sample as in struct vxb_terrain, or NULL */
    struct vxbi_ground_layer *layers;
    uint32_t layer_count;
    float metres_per_quad; /* .vxterrain only */
    float min_height, max_height;
    enum vxb_sample sample;
};
void vxbi_ground_clear(const struct vxb_allocator *allocator, struct vxbi_ground *ground);

/* The bytes of a bit grid. */
static inline uint64_t vxbi_hole_bytes(uint64_t samples)
{
    return (samples + 7) / 8;
}

/* One reader for each kind of heights. file holds the whole file; a reader may change its bytes and may take its memory
 * (then file is empty); the caller clears it in any case. On failure out holds nothing. */
enum vxb_status vxbi_read_png_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err);
enum vxb_status vxbi_read_raw_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err);
enum vxb_status vxbi_read_pfm_heights(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                      struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err);
enum vxb_status vxbi_read_vxterrain(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                    struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err);

/* One channel of an 8-bit PNG into *out (samples owned by the caller). */
struct vxbi_raster {
    uint32_t width, height;
    uint8_t *samples;
};
struct vxbi_image;
enum vxb_status vxbi_read_map_image(const struct vxbi_source *source, struct vxbi_bytes *file, struct vxbi_image *out,
                                    struct vxb_error *err);
enum vxb_status vxbi_map_channel(const struct vxbi_source *source, const struct vxbi_image *image,
                                 enum vxb_channel channel, struct vxbi_raster *out, struct vxb_error *err);

/* Whether a terrain may have these samples a side; the message names the limit. */
enum vxb_status vxbi_check_terrain_size(uint32_t width, uint32_t height, struct vxb_error *err);

/* What a raw file is as the desc has it. */
enum vxb_sample vxbi_raw_sample(const struct vxb_terrain_desc *desc);
struct vxbi_raw vxbi_raw_of(const struct vxb_terrain_desc *desc);

/* Takes file's memory and makes the heights of it in place: over the desc's range, or over the data's own. */
enum vxb_status vxbi_quantise(const struct vxb_terrain_desc *desc, struct vxbi_bytes *file,
                              const struct vxbi_f32_layout *layout, struct vxbi_ground *out, struct vxb_error *err);

/* Turns the first count u16 of file's memory, of which no more is needed, into a block of its own. */
enum vxb_status vxbi_take_heights(struct vxbi_bytes *file, uint64_t count, uint16_t **out, struct vxb_error *err);

/* ---- telling kinds apart ---- */

/* By the name's ending, case apart; false where it is none of ours. */
bool vxbi_kind_of_name(const char *path, enum vxb_terrain_kind *out);

/* ---- turning ---- */

/* Flips, then transposes, a grid of sample_size (1 or 2) bytes; *width and *height become the new ones. Returns where
 * the samples are now (a new block only for a transposed grid that is not square), NULL where there is no memory (then
 * samples is as it was but for the flip). */
void *vxbi_turn(const struct vxb_allocator *allocator, enum vxb_flip flip, bool transpose, size_t sample_size,
                void *samples, uint32_t *width, uint32_t *height);

/* The same for a bit grid; always a new block, the old one is freed. */
uint8_t *vxbi_turn_bits(const struct vxb_allocator *allocator, enum vxb_flip flip, bool transpose, uint8_t *bits,
                        uint32_t width, uint32_t height);

/* ---- from memory ---- */

/* What vxb_terrain_load() does with the terrain's file, from bytes that are consumed (fuzzing, tests). desc->path gives
 * the kind; its maps are not read. */
enum vxb_status vxbi_terrain_from_bytes(const struct vxb_env *env, const struct vxb_terrain_desc *desc,
                                        struct vxbi_bytes *file, struct vxb_terrain **out, struct vxb_error *err);
/* The same for a map's file. */
enum vxb_status vxbi_map_from_bytes(const struct vxb_env *env, const char *path, enum vxb_channel channel,
                                    struct vxbi_bytes *file, struct vxbi_raster *out, struct vxb_error *err);

#endif
