/* Canonical encodings, hashed as they are put: what identities are made of. */
#ifndef VXBI_CORE_ENCODE_H
#define VXBI_CORE_ENCODE_H

#include <string.h>

#include "bytes.h"
#include "hash.h"

static inline void vxbi_encode_u8(struct vxbi_hash_state *to, uint8_t v) { vxbi_hash_add(to, &v, 1); }

static inline void vxbi_encode_u16(struct vxbi_hash_state *to, uint16_t v)
{
    uint8_t b[2];
    vxbi_store_u16(b, v);
    vxbi_hash_add(to, b, sizeof b);
}

static inline void vxbi_encode_u32(struct vxbi_hash_state *to, uint32_t v)
{
    uint8_t b[4];
    vxbi_store_u32(b, v);
    vxbi_hash_add(to, b, sizeof b);
}

static inline void vxbi_encode_u64(struct vxbi_hash_state *to, uint64_t v)
{
    uint8_t b[8];
    vxbi_store_u64(b, v);
    vxbi_hash_add(to, b, sizeof b);
}

/* By its bits, but -0 as 0: they are one value to whoever wrote the recipe. */
static inline void vxbi_encode_f32(struct vxbi_hash_state *to, float v)
{
    vxbi_encode_u32(to, v == 0.0f ? 0 : vxbi_f32_bits(v));
}

static inline void vxbi_encode_f32s(struct vxbi_hash_state *to, const float *v, int count)
{
    for (int i = 0; i < count; i++)
        vxbi_encode_f32(to, v[i]);
}

/* At most 65535 bytes. */
static inline void vxbi_encode_text(struct vxbi_hash_state *to, const char *text)
{
    const size_t size = strlen(text);
    vxbi_encode_u16(to, (uint16_t)size);
    vxbi_hash_add(to, text, size);
}

#endif
