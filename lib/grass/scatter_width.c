/* Which builds of the block loops there are, and which of them this processor can run. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <stddef.h>

#include "scatter_block.h"

extern const struct vxbi_block_loops vxbi_loops_baseline;
#if defined(HAVE_WIDE_LOOPS)
extern const struct vxbi_block_loops vxbi_loops_avx2, vxbi_loops_avx512;
#endif

const struct vxbi_block_loops *vxbi_block_loops(uint32_t number)
{
    const struct vxbi_block_loops *builds[3] = {&vxbi_loops_baseline};
    uint32_t count = 1;
#if defined(HAVE_WIDE_LOOPS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        builds[count++] = &vxbi_loops_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        builds[count++] = &vxbi_loops_avx512;
#endif
    return number < count ? builds[number] : NULL;
}
