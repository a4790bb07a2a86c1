// SPDX-License-Identifier: MIT-0
// Over the file's records, as they stand in a chunk's data: gl_InstanceIndex is the blade in the buffer. Each command
// draws one chunk, and drawn has them in the commands' order; gl_DrawID counts the commands of one indirect draw, a
// batch, whose first command the camera block tells.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "blade.glsl"

struct Chunk {
    vec3 low;      // the cell's corner and min_y, less the origin
    float height;  // max_y - min_y
};

layout(std430, set = 0, binding = 0) readonly buffer Blades { uint words[]; } blades;
layout(std430, set = 0, binding = 1) readonly buffer Chunks { Chunk chunks[]; } drawn;
layout(push_constant) uniform Camera {
    mat4 clip_from_world;
    float seconds;
    float cell_size;
    uint first_command; // of the batch
} camera;

layout(location = 0) in vec3 point;
layout(location = 0) out float tint;

void main()
{
    uint at = uint(gl_InstanceIndex) * 4u;
    Chunk chunk = drawn.chunks[camera.first_command + uint(gl_DrawID)];
    Blade blade = unpack16(blades.words[at], blades.words[at + 1u], blades.words[at + 2u], blades.words[at + 3u],
                           chunk.low, chunk.height, camera.cell_size);
    vec3 world = place(blade, point);
    world.x += 0.1 * point.y * blade.scale * sin(camera.seconds + blade.phase);
    tint = blade.tint;
    gl_Position = camera.clip_from_world * vec4(world, 1.0);
}
