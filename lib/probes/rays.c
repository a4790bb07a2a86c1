/* The directions that a probe's rays take. */
#include "fill_scene.h"
#include "vxk_angle.h"

#define GOLDEN 2.399963f
#define QUARTER_TURN 1.5707963267948966

/* Cosine and sine of an angle that is 0 or more. The quarter is taken off in double: the polynomials know one alone. */
static void circle(float angle, float *cosine, float *sine)
{
    const uint32_t quarters = (uint32_t)((double)angle / QUARTER_TURN);
    const float rest = (float)((double)angle - (double)quarters * QUARTER_TURN);
    const float c = vxk_cos(rest), s = vxk_sin(rest);
    *cosine = quarters & 1 ? s : c;
    *sine = quarters & 1 ? c : s;
    if ((quarters + 1) & 2)
        *cosine = -*cosine;
    if (quarters & 2)
        *sine = -*sine;
}

void vxbi_fill_directions(uint32_t count, float *out)
{
    for (uint32_t i = 0; i < count; i++, out += 3) {
        const float z = 1.0f - 2.0f * ((float)i + 0.5f) / (float)count, square = 1.0f - z * z;
        const float r = vxk_sqrt(square > 0.0f ? square : 0.0f);
        float cosine, sine;
        circle((float)i * GOLDEN, &cosine, &sine);
        out[0] = r * cosine;
        out[1] = r * sine;
        out[2] = z;
    }
}
