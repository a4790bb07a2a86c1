/* What a zstd frame says of itself, told before zstd sees it: a frame is decompressed only where its header declares
 * exactly what is expected of it. */
#ifndef VXBI_CORE_FRAME_H
#define VXBI_CORE_FRAME_H

#include "collect.h"

/* The largest window that a frame may ask a reader to keep: 2^27 bytes. */
#define VXBI_FRAME_WINDOW_LOG 27

/* No frame holds more than a block of 128 KiB for 4 bytes. */
#define VXBI_FRAME_RATIO 32768u

/* As much of a frame as its header can take. */
#define VXBI_FRAME_HEADER_BYTES 18u

/* Which frame it is, for messages. */
struct vxbi_frame_place {
    struct vxbi_collect *collect;
    uint64_t offset;     /* in the file */
    const char *pointer;
    const char *what;    /* whose data it is: "chunk" */
    const char *holds;   /* what has so many bytes: "12 blades have" */
    uint64_t wanted;     /* the content's bytes */
};

/* Checks the header at data, of which there are size bytes, the whole frame or VXBI_FRAME_HEADER_BYTES of it. False
 * where it must not be decompressed. */
bool vxbi_frame_check(const struct vxbi_frame_place *place, const uint8_t *data, size_t size);

/* The window of a frame that passed, in bytes. */
uint64_t vxbi_frame_window(const uint8_t *data, size_t size);

#endif
