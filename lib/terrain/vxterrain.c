/* .vxterrain: base heights, edit layers, weight layers and holes in one little-endian file. The layout is in
 * vxbake-recipe(5), "terrain".
 *
 * Invariant: a count is checked against the bytes that remain before it is used, so nothing allocated here is larger
 * than the file, and every byte of it is accounted for. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/text.h"
#include "ground.h"

#define CHUNK_SIDE 64u
#define CHUNK_SAMPLES (CHUNK_SIDE * CHUNK_SIDE)
#define CHUNK_BYTES (8 + (uint64_t)CHUNK_SAMPLES * 4)
#define NAME_MAX_BYTES 255u
/* |delta * alpha| stays below 2^31, so that 2^32 layers can't overflow 64 bits. */
#define ALPHA_MAX 65536.0f

/* One edit chunk within the terrain. */
struct edit {
    int32_t x, z; /* in chunks */
    uint32_t layer;
    bool visible;
    float alpha;
    const uint8_t *deltas; /* in the file */
};

struct vxterrain {
    const struct vxbi_source *source;
    struct vxbi_reader r;
    struct vxbi_ground ground;
    struct edit *edits;
    uint64_t edit_count, edit_room;
    uint64_t chunks_outside, holes_outside;
    struct vxb_error *err;
};

static enum vxb_status bad(struct vxterrain *t, size_t at, const char *what, const char *found, const char *allowed)
{
    return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, at, "the .vxterrain's %s is %s; allowed is %s", what,
                        found, allowed);
}

static enum vxb_status cut(struct vxterrain *t, const char *what)
{
    return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, t->r.at, "the .vxterrain is cut within %s", what);
}

static size_t left(const struct vxterrain *t)
{
    return t->r.size - t->r.at;
}

/* A count of things of at least each bytes that must fit in what remains. */
static enum vxb_status get_count(struct vxterrain *t, uint64_t each, const char *what, uint32_t *out)
{
    size_t at = t->r.at;
    int32_t count = vxbi_get_i32(&t->r);
    if (t->r.failed)
        return cut(t, what);
    if (count < 0 || (uint64_t)count > left(t) / each)
        return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, at,
                            "the .vxterrain says it has %" PRId32 " %s of at least %" PRIu64
                            " bytes, but %zu bytes are left",
                            count, what, each, left(t));
    *out = (uint32_t)count;
    return VXB_OK;
}

/* A string's bytes, borrowed from the file. */
static enum vxb_status get_string(struct vxterrain *t, const char *what, const uint8_t **text, uint32_t *size)
{
    enum vxb_status status = get_count(t, 1, what, size);
    if (!status)
        *text = vxbi_get(&t->r, *size);
    return status;
}

static enum vxb_status get_metres(struct vxterrain *t, const char *what, float low, float high, float *out)
{
    char found[VXB_TEXT_NUMBER_ROOM], a[VXB_TEXT_NUMBER_ROOM], b[VXB_TEXT_NUMBER_ROOM];
    size_t at = t->r.at;
    *out = vxbi_get_f32(&t->r);
    if (t->r.failed)
        return cut(t, "its header");
    if (*out >= low && *out <= high)
        return VXB_OK;
    return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, at, "the .vxterrain's %s is %s; allowed is %s to %s",
                        what, vxb_text_f32(*out, found), vxb_text_f32(low, a), vxb_text_f32(high, b));
}

static enum vxb_status get_side(struct vxterrain *t, int32_t tiles, int32_t tile_samples, const char *what,
                                uint32_t *out)
{
    int64_t side = (int64_t)tiles * (tile_samples - 1) + 1;
    if (tiles < 1 || side > (int64_t)VXBI_TERRAIN_SIDE_MAX)
        return vxbi_fail_at(t->err, tiles < 1 ? VXB_ERR_DATA : VXB_ERR_LIMIT, VXB_FINDING_NONE, t->r.at,
                            "the .vxterrain has %" PRId32 " tiles %s of %" PRId32
                            " samples; at least one tile and at most %u samples are allowed",
                            tiles, what, tile_samples, VXBI_TERRAIN_SIDE_MAX);
    *out = (uint32_t)side;
    return VXB_OK;
}

static enum vxb_status read_header(struct vxterrain *t)
{
    char found[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status;
    const uint8_t *magic = vxbi_get(&t->r, 8);
    if (!magic || memcmp(magic, "VXTERRA1", 8) != 0)
        return vxbi_fail_kind(t->source->path, ".vxterrain", t->r.data, t->r.size, "a .vxterrain", t->err);
    int32_t version = vxbi_get_i32(&t->r), tile = vxbi_get_i32(&t->r);
    int32_t tiles_x = vxbi_get_i32(&t->r), tiles_z = vxbi_get_i32(&t->r);
    if (t->r.failed)
        return cut(t, "its header");
    if (version != 1)
        return vxbi_fail_at(t->err, VXB_ERR_UNSUPPORTED, VXB_FINDING_NONE, 8,
                            "the .vxterrain has version %" PRId32 "; this build reads version 1", version);
    if (tile < 4 || tile > 1024 || (tile & (tile - 1)) != 0) {
        vxb_text_f64(tile, found);
        return bad(t, 12, "number of samples a tile side", found, "a power of two from 4 to 1024");
    }
    if ((status = get_side(t, tiles_x, tile, "along x", &t->ground.width)) ||
        (status = get_side(t, tiles_z, tile, "along z", &t->ground.height)) ||
        (status = vxbi_check_terrain_size(t->ground.width, t->ground.height, t->err)) ||
        (status = get_metres(t, "metres per quad", 1e-3f, 1e3f, &t->ground.metres_per_quad)) ||
        (status = get_metres(t, "minimum height", -VXBI_TERRAIN_METRES_MAX, VXBI_TERRAIN_METRES_MAX,
                             &t->ground.min_height)))
        return status;
    return get_metres(t, "maximum height", t->ground.min_height, VXBI_TERRAIN_METRES_MAX, &t->ground.max_height);
}

static uint64_t sample_count(const struct vxterrain *t)
{
    return (uint64_t)t->ground.width * t->ground.height;
}

static enum vxb_status read_base(struct vxterrain *t)
{
    uint64_t count = sample_count(t);
    if (count > left(t) / 2)
        return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, t->r.at,
                            "the .vxterrain is cut: %" PRIu32 " x %" PRIu32 " heights are %" PRIu64
                            " bytes, but %zu bytes are left",
                            t->ground.width, t->ground.height, count * 2, left(t));
    const uint8_t *p = vxbi_get(&t->r, (size_t)count * 2);
    t->ground.heights = vxbi_new(&t->source->allocator, count, sizeof *t->ground.heights);
    if (!t->ground.heights)
        return vxbi_fail_memory(t->err, count * 2);
    for (uint64_t i = 0; i < count; i++)
        t->ground.heights[i] = vxbi_load_u16(p + i * 2);
    return VXB_OK;
}

/* ---- edit layers ---- */

static enum vxb_status keep_edit(struct vxterrain *t, const struct edit *edit)
{
    if (t->edit_count == t->edit_room) {
        uint64_t room = t->edit_room ? t->edit_room * 2 : 64;
        struct edit *edits = vxbi_resize(&t->source->allocator, t->edits, t->edit_room, room, sizeof *edits);
        if (!edits)
            return vxbi_fail_memory(t->err, room * sizeof *edits);
        t->edits = edits;
        t->edit_room = room;
    }
    t->edits[t->edit_count++] = *edit;
    return VXB_OK;
}

static enum vxb_status read_chunks(struct vxterrain *t, uint32_t layer, float alpha, bool visible)
{
    uint32_t count;
    enum vxb_status status = get_count(t, CHUNK_BYTES, "edit chunks", &count);
    int32_t chunks_x = (int32_t)((t->ground.width + CHUNK_SIDE - 1) / CHUNK_SIDE);
    int32_t chunks_z = (int32_t)((t->ground.height + CHUNK_SIDE - 1) / CHUNK_SIDE);
    for (uint32_t i = 0; !status && i < count; i++) {
        struct edit edit = {.x = vxbi_get_i32(&t->r), .layer = layer, .visible = visible, .alpha = alpha};
        edit.z = vxbi_get_i32(&t->r);
        edit.deltas = vxbi_get(&t->r, (size_t)CHUNK_SAMPLES * 4);
        if (edit.x < 0 || edit.z < 0 || edit.x >= chunks_x || edit.z >= chunks_z)
            t->chunks_outside++;
        else
            status = keep_edit(t, &edit);
    }
    return status;
}

static enum vxb_status read_edit_layers(struct vxterrain *t)
{
    uint32_t count, size;
    const uint8_t *name;
    enum vxb_status status = get_count(t, 6 * 4, "edit layers", &count);
    for (uint32_t i = 0; !status && i < count; i++) {
        if ((status = get_string(t, "bytes of an edit layer's name", &name, &size)))
            break;
        vxbi_get_i32(&t->r); /* kind: how the editor shows it */
        size_t at = t->r.at;
        float alpha = vxbi_get_f32(&t->r);
        bool visible = vxbi_get_i32(&t->r) != 0;
        vxbi_get_i32(&t->r); /* locked: for the editor */
        if (t->r.failed)
            return cut(t, "an edit layer");
        if (!(fabsf(alpha) <= ALPHA_MAX)) {
            char found[VXB_TEXT_NUMBER_ROOM];
            return bad(t, at, "edit layer's height alpha", vxb_text_f32(alpha, found), "-65536 to 65536");
        }
        status = read_chunks(t, i, alpha, visible);
    }
    return status;
}

/* By place, then layer: the order decides only which chunks meet, never a sum. */
static int compare_edits(const void *a, const void *b)
{
    const struct edit *p = a, *q = b;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->layer == q->layer ? 0 : p->layer < q->layer ? -1 : 1;
}

/* delta * alpha in f32, rounded half to even whatever the rounding mode of the floating-point environment is. */
static int64_t scaled(int16_t delta, float alpha)
{
    float product = (float)delta * alpha;
    int64_t whole = (int64_t)product; /* towards zero; exact, since |product| <= 2^31 */
    float rest = fabsf(product - (float)whole); /* exact too */
    if (rest > 0.5f || (rest == 0.5f && (whole & 1)))
        whole += product < 0 ? -1 : 1;
    return whole;
}

/* Adds one place's edits and clamps once, after all layers. */
static void apply(struct vxterrain *t, const struct edit *edits, uint64_t count)
{
    uint32_t x0 = (uint32_t)edits->x * CHUNK_SIDE, z0 = (uint32_t)edits->z * CHUNK_SIDE;
    for (uint32_t z = 0; z < CHUNK_SIDE && z0 + z < t->ground.height; z++)
        for (uint32_t x = 0; x < CHUNK_SIDE && x0 + x < t->ground.width; x++) {
            uint16_t *height = t->ground.heights + (size_t)(z0 + z) * t->ground.width + x0 + x;
            int64_t sum = *height;
            for (uint64_t i = 0; i < count; i++) {
                uint16_t delta = vxbi_load_u16(edits[i].deltas + ((size_t)z * CHUNK_SIDE + x) * 4);
                if (edits[i].visible)
                    sum += scaled((int16_t)(delta < 0x8000 ? delta : (int32_t)delta - 0x10000), edits[i].alpha);
            }
            *height = (uint16_t)(sum < 0 ? 0 : sum > 65535 ? 65535 : sum);
        }
}

static enum vxb_status composite(struct vxterrain *t)
{
    if (t->edit_count)
        qsort(t->edits, (size_t)t->edit_count, sizeof *t->edits, compare_edits);
    for (uint64_t i = 0, end; i < t->edit_count; i = end) {
        const struct edit *e = t->edits + i;
        for (end = i + 1; end < t->edit_count && t->edits[end].x == e->x && t->edits[end].z == e->z; end++)
            if (t->edits[end].layer == t->edits[end - 1].layer)
                return vxbi_fail(t->err, VXB_ERR_DATA,
                                 "the .vxterrain's edit layer %" PRIu32 " has the chunk (%" PRId32 ", %" PRId32
                                 ") twice",
                                 e->layer, e->x, e->z);
        apply(t, e, end - i);
    }
    return VXB_OK;
}

/* ---- weight layers, holes ---- */

static enum vxb_status read_name(struct vxterrain *t, uint32_t index, struct vxbi_ground_layer *out)
{
    const uint8_t *text;
    uint32_t size;
    size_t at = t->r.at;
    enum vxb_status status = get_string(t, "bytes of a weight layer's name", &text, &size);
    if (status)
        return status;
    if (size == 0 || size > NAME_MAX_BYTES || memchr(text, 0, size) || !vxbi_utf8_valid((const char *)text, size))
        return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, at,
                            "the name of the .vxterrain's weight layer %" PRIu32 " has %" PRIu32
                            " bytes; a name is 1 to %u bytes of UTF-8 without a NUL",
                            index, size, NAME_MAX_BYTES);
    for (uint32_t i = 0; i < index; i++)
        if (t->ground.layers[i].name_size == size && memcmp(t->ground.layers[i].name, text, size) == 0)
            return vxbi_fail_at(t->err, VXB_ERR_DATA, VXB_FINDING_NONE, at,
                                "the .vxterrain's weight layers %" PRIu32 " and %" PRIu32
                                " have the same name, \"%.*s\"",
                                i, index, (int)size, (const char *)text);
    out->name = vxbi_new(&t->source->allocator, (uint64_t)size + 1, 1);
    if (!out->name)
        return vxbi_fail_memory(t->err, (uint64_t)size + 1);
    memcpy(out->name, text, size);
    out->name[size] = 0;
    out->name_size = size;
    return VXB_OK;
}

static enum vxb_status read_weight_layer(struct vxterrain *t, uint32_t index)
{
    struct vxbi_ground_layer *layer = &t->ground.layers[index];
    const uint8_t *text;
    uint32_t size;
    enum vxb_status status = read_name(t, index, layer);
    for (int i = 0; !status && i < 3; i++)
        status = get_string(t, "bytes of a weight layer's texture path", &text, &size);
    vxbi_get(&t->r, 3 * 4); /* tiling, blend, height contrast: for drawing */
    if (!status)
        status = get_string(t, "bytes of a weight layer's physics material", &text, &size);
    if (status)
        return status;
    uint64_t count = sample_count(t);
    if (count > left(t))
        return cut(t, "a weight layer's samples");
    layer->samples = vxbi_new(&t->source->allocator, count, 1);
    if (!layer->samples)
        return vxbi_fail_memory(t->err, count);
    memcpy(layer->samples, vxbi_get(&t->r, (size_t)count), (size_t)count);
    return VXB_OK;
}

static enum vxb_status read_weight_layers(struct vxterrain *t)
{
    uint32_t count;
    enum vxb_status status = get_count(t, 8 * 4 + sample_count(t), "weight layers", &count);
    if (status || !count)
        return status;
    if (count > VXBI_TERRAIN_LAYERS_MAX)
        return vxbi_fail_at(t->err, VXB_ERR_LIMIT, VXB_FINDING_NONE, t->r.at - 4,
                            "the .vxterrain has %" PRIu32 " weight layers; allowed are at most %u", count,
                            VXBI_TERRAIN_LAYERS_MAX);
    t->ground.layers = vxbi_new_zero(&t->source->allocator, count, sizeof *t->ground.layers);
    if (!t->ground.layers)
        return vxbi_fail_memory(t->err, count * sizeof *t->ground.layers);
    t->ground.layer_count = count;
    for (uint32_t i = 0; !status && i < count; i++)
        status = read_weight_layer(t, i);
    return status;
}

static enum vxb_status read_holes(struct vxterrain *t)
{
    uint32_t count;
    enum vxb_status status = get_count(t, 8, "holes", &count);
    for (uint32_t i = 0; !status && i < count; i++) {
        int32_t x = vxbi_get_i32(&t->r), z = vxbi_get_i32(&t->r);
        if (x < 0 || z < 0 || (uint32_t)x >= t->ground.width || (uint32_t)z >= t->ground.height) {
            t->holes_outside++;
            continue;
        }
        if (!t->ground.holes) {
            uint64_t bytes = vxbi_hole_bytes(sample_count(t));
            t->ground.holes = vxbi_new_zero(&t->source->allocator, bytes, 1);
            if (!t->ground.holes)
                return vxbi_fail_memory(t->err, bytes);
        }
        uint64_t at = (uint64_t)z * t->ground.width + (uint32_t)x;
        t->ground.holes[at >> 3] = (uint8_t)(t->ground.holes[at >> 3] | 1u << (at & 7));
    }
    return status;
}

static void warn(const struct vxterrain *t)
{
    const struct vxbi_source *s = t->source;
    if (t->chunks_outside)
        vxbi_say(s->env, VXB_SEVERITY_WARNING, s->path, s->pointer,
                 "%" PRIu64 " edit chunk%s outside the terrain %s left out (the engine's editor writes such)",
                 t->chunks_outside, t->chunks_outside == 1 ? "" : "s", t->chunks_outside == 1 ? "is" : "are");
    if (t->holes_outside)
        vxbi_say(s->env, VXB_SEVERITY_WARNING, s->path, s->pointer,
                 "%" PRIu64 " hole%s outside the terrain %s left out", t->holes_outside,
                 t->holes_outside == 1 ? "" : "s", t->holes_outside == 1 ? "is" : "are");
}

enum vxb_status vxbi_read_vxterrain(const struct vxbi_source *source, const struct vxb_terrain_desc *desc,
                                    struct vxbi_bytes *file, struct vxbi_ground *out, struct vxb_error *err)
{
    (void)desc; /* the file says it all itself */
    struct vxterrain t = {.source = source, .r = {.data = file->data, .size = file->size}, .err = err,
                          .ground = {.sample = VXB_SAMPLE_U16}};
    enum vxb_status status;
    if (!(status = read_header(&t)) && !(status = read_base(&t)) && !(status = read_edit_layers(&t)) &&
        !(status = read_weight_layers(&t)) && !(status = read_holes(&t)) && left(&t) != 0)
        status = vxbi_fail_at(err, VXB_ERR_DATA, VXB_FINDING_NONE, t.r.at, "%zu bytes follow the .vxterrain's end",
                              left(&t));
    if (!status)
        status = composite(&t);
    vxbi_delete(&source->allocator, t.edits, t.edit_room, sizeof *t.edits);
    if (status) {
        vxbi_ground_clear(&source->allocator, &t.ground);
        return status;
    }
    warn(&t);
    *out = t.ground;
    return VXB_OK;
}
