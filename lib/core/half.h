/* binary16 and back, in integers. */
#ifndef VXBI_CORE_HALF_H
#define VXBI_CORE_HALF_H

#include <stdint.h>
#include <string.h>

/* The largest finite value. */
#define VXBI_F16_MAX 65504.0f

/* binary16 as float, exact. */
static inline float vxbi_f16_value(uint16_t code)
{
    const uint32_t sign = (uint32_t)(code & 0x8000u) << 16, exponent = code >> 10 & 31u, mantissa = code & 1023u;
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

#endif
