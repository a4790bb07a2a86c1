/* What the probes of a file are like, in one walk: sums in file order, so the same on every machine. */
#include "../core/env.h"
#include "read.h"

struct sums {
    const struct vxb_probe_file *file;
    uint8_t *owned; /* a bit a slot */
    struct vxb_probe_statistics *out;
};

static void add(struct vxb_probe_statistics *s, const struct vxb_probe *probe)
{
    const bool first = s->probes++ == s->invalid;
    if (!(probe->validity > 0.0f)) {
        s->invalid++;
        return;
    }
    for (int i = 0; i < 3; i++) {
        s->least[i] = first || probe->l00[i] < s->least[i] ? probe->l00[i] : s->least[i];
        s->most[i] = first || probe->l00[i] > s->most[i] ? probe->l00[i] : s->most[i];
        s->mean[i] += (double)probe->l00[i];
    }
    s->least_validity = first || probe->validity < s->least_validity ? probe->validity : s->least_validity;
    s->mean_validity += (double)probe->validity;
    s->mean_shadow += (double)probe->sun_shadow;
}

static bool add_window(void *user, uint64_t first, const struct vxb_probe *probes, uint32_t count)
{
    struct sums *sums = user;
    const uint32_t *slots = sums->file->header.slots;
    const uint64_t row = 5 * (uint64_t)slots[0], layer = row * 5 * slots[1];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t x = (first + i) % row, y = (first + i) % layer / row, z = (first + i) / layer;
        const uint64_t slot = (z / 5 * slots[1] + y / 5) * slots[0] + x / 5;
        if (x % 5 < 4 && y % 5 < 4 && z % 5 < 4 && sums->owned[slot >> 3] >> (slot & 7) & 1)
            add(sums->out, &probes[i]);
    }
    return true;
}

enum vxb_status vxb_probe_file_statistics(const struct vxb_env *env, const struct vxb_probe_file *file,
                                          struct vxb_probe_statistics *out, struct vxb_error *err)
{
    const uint64_t bytes = (vxbi_probe_texels(file->header.slots) / VXB_BRICK_TEXELS + 7) / 8;
    struct sums sums = {.file = file, .owned = vxbi_new_zero(&file->allocator, bytes, 1), .out = out};
    *out = (struct vxb_probe_statistics){0};
    if (!sums.owned)
        return vxbi_fail_memory(err, bytes);
    for (uint32_t i = 0; i < file->header.brick_count; i++)
        sums.owned[file->bricks[i].slot >> 3] |= (uint8_t)(1u << (file->bricks[i].slot & 7));
    enum vxb_status status = vxb_probe_file_walk(env, file, add_window, &sums, err);
    vxbi_delete(&file->allocator, sums.owned, bytes, 1);
    const double valid = (double)(out->probes - out->invalid);
    for (int i = 0; i < 3 && valid > 0; i++)
        out->mean[i] /= valid;
    if (valid > 0) {
        out->mean_validity /= valid;
        out->mean_shadow /= valid;
    }
    return status;
}
