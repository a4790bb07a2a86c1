/* What of a terrain decides a baked byte, for whatever is baked from it. */
#ifndef VXBI_TERRAIN_IDENTITY_H
#define VXBI_TERRAIN_IDENTITY_H

#include "../core/hash.h"
#include "../vxbake/terrain.h"

/* Adds the canonical encoding of a terrain that was loaded as desc says. */
void vxbi_terrain_encode(struct vxbi_hash_state *to, const struct vxb_terrain *terrain,
                         const struct vxb_terrain_desc *desc);

#endif
