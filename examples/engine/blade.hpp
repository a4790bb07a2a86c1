// SPDX-License-Identifier: MIT-0
// Both records of a blade: what they hold and how to read them. Little-endian bytes, whatever machine this is.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace grass {

struct Blade {
    float x, y, z;      // metres; relative to the origin given when loading
    float yaw;          // radians
    float scale;
    float up[3];        // unit
    float tint;         // 0..1
    float phase;        // of the wind, radians
    unsigned rank;      // 0..65535: blades of low rank are drawn first
    float stomp;        // 0..1
};

inline unsigned u16(const std::uint8_t *p)
{
    return p[0] | static_cast<unsigned>(p[1]) << 8;
}

inline float f32(const std::uint8_t *p)
{
    const std::uint32_t bits = u16(p) | static_cast<std::uint32_t>(u16(p + 2)) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// A scale is finite and above zero, so no other binary16 is met.
inline float f16(unsigned code)
{
    const int exponent = static_cast<int>(code >> 10 & 31);
    const float mantissa = static_cast<float>(code & 1023);
    return exponent ? std::ldexp(1024.0f + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
}

// Octahedral, y the major axis.
inline void read_up(const std::uint8_t *p, float up[3])
{
    const float ox = static_cast<std::int8_t>(p[0]), oz = static_cast<std::int8_t>(p[1]);
    const float oy = 127.0f - std::fabs(ox) - std::fabs(oz);
    const float length = std::sqrt(ox * ox + oy * oy + oz * oz);
    up[0] = ox / length;
    up[1] = oy / length;
    up[2] = oz / length;
}

// The eight bytes that both records share: yaw, scale, up, tint, phase.
inline void read_shared(const std::uint8_t *p, Blade &blade)
{
    constexpr float turn = 6.2831853f;
    blade.yaw = static_cast<float>(u16(p)) * (turn / 65536.0f);
    blade.scale = f16(u16(p + 2));
    read_up(p + 4, blade.up);
    blade.tint = (static_cast<float>(p[6]) + 0.5f) / 256.0f;
    blade.phase = static_cast<float>(p[7]) * (turn / 256.0f);
}

// The runtime's record.
inline Blade read24(const std::uint8_t *p)
{
    Blade blade{};
    blade.x = f32(p);
    blade.y = f32(p + 4);
    blade.z = f32(p + 8);
    read_shared(p + 12, blade);
    blade.rank = u16(p + 20);
    blade.stomp = static_cast<float>(p[22]) / 255.0f;
    return blade;
}

// What a chunk adds to its 16-byte records.
struct Chunk {
    double corner_x, corner_z; // cell * cell size, less the origin
    double min_y, max_y;       // less the origin
    double cell_size;
};

// The file's record.
inline Blade read16(const std::uint8_t *p, const Chunk &chunk)
{
    Blade blade{};
    blade.x = static_cast<float>(chunk.corner_x + (u16(p) + 0.5) * chunk.cell_size / 65536.0);
    blade.z = static_cast<float>(chunk.corner_z + (u16(p + 2) + 0.5) * chunk.cell_size / 65536.0);
    blade.y = static_cast<float>(chunk.min_y + u16(p + 4) * (chunk.max_y - chunk.min_y) / 65535.0);
    read_shared(p + 6, blade);
    blade.rank = u16(p + 14);
    return blade;
}

} // namespace grass
