/* Little-endian bytes in and out, through sticky cursors: get or put field by field and test once at the end. */
#ifndef VXBI_CORE_BYTES_H
#define VXBI_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t vxbi_load_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t vxbi_load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t vxbi_load_u64(const uint8_t *p)
{
    return (uint64_t)vxbi_load_u32(p) | (uint64_t)vxbi_load_u32(p + 4) << 32;
}
static inline float vxbi_load_f32(const uint8_t *p)
{
    uint32_t bits = vxbi_load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* binary16 as float, exact. */
static inline float vxbi_f16_value(uint16_t code)
{
    uint32_t sign = (uint32_t)(code & 0x8000u) << 16, exponent = code >> 10 & 31u, mantissa = code & 1023u;
    uint32_t bits;
    float value;
    if (exponent == 0) {
        value = (float)mantissa * 0x1p-24f;
        return sign ? -value : value;
    }
    bits = sign | (exponent == 31 ? 0x7F800000u : (exponent + 112) << 23) | mantissa << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* The largest finite binary16. */
#define VXBI_F16_MAX 65504.0f

/* The nearest binary16, ties to the even one; infinity from 65520 on; a NaN stays one. */
static inline uint16_t vxbi_f16_code(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    uint32_t code;
    if (magnitude > 0x7F800000u)
        code = 0x7E00u;
    else if (magnitude >= 0x477FF000u)
        code = 0x7C00u;
    else if (magnitude >= 0x38800000u) /* 2^-14 and above: 13 bits of the mantissa are rounded away */
        code = (magnitude + 0xFFFu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13;
    else if (magnitude > 0x33000000u) { /* above 2^-25: multiples of 2^-24 */
        const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u, shift = 126u - (magnitude >> 23);
        const uint32_t half = 1u << (shift - 1u), rest = mantissa & ((1u << shift) - 1u);
        code = mantissa >> shift;
        code += rest > half || (rest == half && (code & 1u));
    } else
        code = 0;
    return (uint16_t)(sign | code);
}
static inline void vxbi_store_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}
static inline void vxbi_store_u32(uint8_t *p, uint32_t v)
{
    vxbi_store_u16(p, (uint16_t)v);
    vxbi_store_u16(p + 2, (uint16_t)(v >> 16));
}
static inline void vxbi_store_u64(uint8_t *p, uint64_t v)
{
    vxbi_store_u32(p, (uint32_t)v);
    vxbi_store_u32(p + 4, (uint32_t)(v >> 32));
}
static inline uint32_t vxbi_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Reads from size bytes at data. After a get beyond the end every get returns zero and failed stays true. */
struct vxbi_reader {
    const uint8_t *data;
    size_t size, at;
    bool failed;
};

/* The next count bytes, or NULL (and failed) where there are not as many. */
static inline const uint8_t *vxbi_get(struct vxbi_reader *r, size_t count)
{
    if (r->failed || r->size - r->at < count) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *p = r->data + r->at;
    r->at += count;
    return p;
}
static inline uint8_t vxbi_get_u8(struct vxbi_reader *r)
{
    const uint8_t *p = vxbi_get(r, 1);
    return p ? *p : 0;
}
static inline uint16_t vxbi_get_u16(struct vxbi_reader *r)
{
    const uint8_t *p = vxbi_get(r, 2);
    return p ? vxbi_load_u16(p) : 0;
}
static inline uint32_t vxbi_get_u32(struct vxbi_reader *r)
{
    const uint8_t *p = vxbi_get(r, 4);
    return p ? vxbi_load_u32(p) : 0;
}
static inline int32_t vxbi_get_i32(struct vxbi_reader *r) { return (int32_t)vxbi_get_u32(r); }
static inline uint64_t vxbi_get_u64(struct vxbi_reader *r)
{
    const uint8_t *p = vxbi_get(r, 8);
    return p ? vxbi_load_u64(p) : 0;
}
static inline float vxbi_get_f32(struct vxbi_reader *r)
{
    const uint8_t *p = vxbi_get(r, 4);
    return p ? vxbi_load_f32(p) : 0.0f;
}

/* Writes to room bytes at data, or, with data NULL, only measures: size and bytes share one path. at counts on beyond
 * room, where nothing is stored and failed is set. */
struct vxbi_writer {
    uint8_t *data;
    size_t room, at;
    bool failed;
};

static inline void vxbi_put(struct vxbi_writer *w, const void *bytes, size_t count)
{
    if (w->data) {
        if (w->failed || w->room - w->at < count)
            w->failed = true;
        else if (count)
            memcpy(w->data + w->at, bytes, count);
    }
    w->at += count;
}
static inline void vxbi_put_u8(struct vxbi_writer *w, uint8_t v) { vxbi_put(w, &v, 1); }
static inline void vxbi_put_u16(struct vxbi_writer *w, uint16_t v)
{
    uint8_t b[2];
    vxbi_store_u16(b, v);
    vxbi_put(w, b, sizeof b);
}
static inline void vxbi_put_u32(struct vxbi_writer *w, uint32_t v)
{
    uint8_t b[4];
    vxbi_store_u32(b, v);
    vxbi_put(w, b, sizeof b);
}
static inline void vxbi_put_i32(struct vxbi_writer *w, int32_t v) { vxbi_put_u32(w, (uint32_t)v); }
static inline void vxbi_put_u64(struct vxbi_writer *w, uint64_t v)
{
    uint8_t b[8];
    vxbi_store_u64(b, v);
    vxbi_put(w, b, sizeof b);
}
static inline void vxbi_put_f32(struct vxbi_writer *w, float v) { vxbi_put_u32(w, vxbi_f32_bits(v)); }
static inline void vxbi_put_zeros(struct vxbi_writer *w, size_t count)
{
    while (count--)
        vxbi_put_u8(w, 0);
}

/* value rounded up to a multiple of align (a power of two); the caller knows that it can't wrap. */
static inline uint64_t vxbi_align_up(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

#endif
