/* The one translation unit that holds xxHash. */
#include "hash.h"

/* Every byte of every file goes through here, and gcc unrolls xxHash's inner loops, which makes them half as fast
 * again, only when it is told to. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3")
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct vxbi_hash_state), "room for xxHash's state");

uint64_t vxbi_hash(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

void vxbi_hash_begin(struct vxbi_hash_state *state)
{
    XXH3_state_t *xxh = (XXH3_state_t *)(void *)state;
    XXH3_INITSTATE(xxh);
    XXH3_64bits_reset(xxh);
}

void vxbi_hash_add(struct vxbi_hash_state *state, const void *data, size_t size)
{
    XXH3_64bits_update((XXH3_state_t *)(void *)state, data, size);
}

uint64_t vxbi_hash_end(const struct vxbi_hash_state *state)
{
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)state);
}
