/* Limits that several modules test, each by its own message. The manual pages state them. */
#ifndef VXBI_CORE_LIMITS_H
#define VXBI_CORE_LIMITS_H

/* World coordinates lie within this many metres of the origin: further out an f32 tells no sixteenth of a metre. */
#define VXBI_WORLD_M 1048576.0

/* Of a blade: what binary16 holds with all its digits. */
#define VXBI_SCALE_MIN 0x1p-10
#define VXBI_SCALE_MAX 0x1p10

/* Candidates along a cell's side. */
#define VXBI_SIDE_MAX 4096

#endif
