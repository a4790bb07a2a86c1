// SPDX-License-Identifier: MIT-0
// Over the runtime's records: gl_InstanceIndex, which starts at the command's first instance, is the blade.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "blade.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Blades { uint words[]; } blades;
layout(push_constant) uniform Camera { mat4 clip_from_world; float seconds; } camera;

layout(location = 0) in vec3 point;
layout(location = 0) out float tint;

void main()
{
    uint at = uint(gl_InstanceIndex) * 6u;
    Blade blade = unpack24(blades.words[at], blades.words[at + 1u], blades.words[at + 2u], blades.words[at + 3u],
                           blades.words[at + 4u], blades.words[at + 5u]);
    vec3 world = place(blade, point);
    world.x += 0.1 * point.y * blade.scale * sin(camera.seconds + blade.phase);
    tint = blade.tint;
    gl_Position = camera.clip_from_world * vec4(world, 1.0);
}
