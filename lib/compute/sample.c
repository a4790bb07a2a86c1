/* Which of the work a cross-check compares. */
#include "device.h"
#include "vxk_hash.h"

bool vxbi_device_samples(double percent, uint64_t number)
{
    const uint32_t draw = vxk_mix(0xC5u, (uint32_t)number);
    return percent >= 100.0 || (double)draw < percent / 100.0 * 4294967296.0;
}
