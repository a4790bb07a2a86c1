// SPDX-License-Identifier: MIT-0
// Both records of a blade in GLSL. A buffer of records is an array of uint: six a blade, or four.

struct Blade {
    vec3 position; // relative to the origin given when loading
    float yaw;
    float scale;
    vec3 up;
    float tint;
    float phase;
    float rank;    // 0..1
    float stomp;   // 0..1
};

const float TURN = 6.2831853;

int signed8(uint word, int shift)
{
    return bitfieldExtract(int(word), shift, 8);
}

vec3 unpack_up(int ox, int oz)
{
    return normalize(vec3(ox, 127 - abs(ox) - abs(oz), oz));
}

// yaw_scale: u16 yaw, f16 scale; up_tint_phase: i8 ox, i8 oz, u8 tint, u8 phase.
void unpack_shared(uint yaw_scale, uint up_tint_phase, inout Blade blade)
{
    blade.yaw = float(yaw_scale & 0xFFFFu) * (TURN / 65536.0);
    blade.scale = unpackHalf2x16(yaw_scale).y;
    blade.up = unpack_up(signed8(up_tint_phase, 0), signed8(up_tint_phase, 8));
    blade.tint = (float(bitfieldExtract(up_tint_phase, 16, 8)) + 0.5) / 256.0;
    blade.phase = float(up_tint_phase >> 24) * (TURN / 256.0);
}

Blade unpack24(uint w0, uint w1, uint w2, uint w3, uint w4, uint w5)
{
    Blade blade;
    blade.position = vec3(uintBitsToFloat(w0), uintBitsToFloat(w1), uintBitsToFloat(w2));
    unpack_shared(w3, w4, blade);
    blade.rank = float(w5 & 0xFFFFu) / 65536.0;
    blade.stomp = float(bitfieldExtract(w5, 16, 8)) / 255.0;
    return blade;
}

// low: the cell's corner and the chunk's min_y, less the origin; height: max_y - min_y.
Blade unpack16(uint w0, uint w1, uint w2, uint w3, vec3 low, float height, float cell_size)
{
    Blade blade;
    float x = (float(w0 & 0xFFFFu) + 0.5) / 65536.0, z = (float(w0 >> 16) + 0.5) / 65536.0;
    float y = float(w1 & 0xFFFFu) / 65535.0;
    blade.position = low + vec3(x * cell_size, y * height, z * cell_size);
    unpack_shared((w1 >> 16) | (w2 << 16), (w2 >> 16) | (w3 << 16), blade);
    blade.rank = float(w3 >> 16) / 65536.0;
    blade.stomp = 0.0;
    return blade;
}

// A mesh's point, y up, as this blade stands: turned about its own axis, then tilted to the ground, then pressed down.
vec3 place(Blade blade, vec3 point)
{
    float c = cos(blade.yaw), s = sin(blade.yaw);
    vec3 turned = blade.scale * vec3(c * point.x + s * point.z, point.y, c * point.z - s * point.x);
    turned.y *= 1.0 - 0.9 * blade.stomp;
    vec3 side = normalize(cross(blade.up, abs(blade.up.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    vec3 front = cross(side, blade.up);
    return blade.position + side * turned.x + blade.up * turned.y + front * turned.z;
}
