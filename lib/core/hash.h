/* XXH3-64 with seed 0: the only hash in the formats. */
#ifndef VXBI_CORE_HASH_H
#define VXBI_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t vxbi_hash(const void *data, size_t size);

/* The same over bytes that come in pieces. One is about 600 bytes and needs no freeing. It belongs on the stack: memory
 * that is allocated need not be aligned so much. */
struct vxbi_hash_state {
    _Alignas(64) unsigned char opaque[640];
};
void vxbi_hash_begin(struct vxbi_hash_state *state);
void vxbi_hash_add(struct vxbi_hash_state *state, const void *data, size_t size);
uint64_t vxbi_hash_end(const struct vxbi_hash_state *state);

#endif
