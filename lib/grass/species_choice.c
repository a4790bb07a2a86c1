/* Choosing a species by its name or its id. */
#include "species_choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"

static enum vxb_status none(const struct vxbi_species_choice *species, uint32_t count, const char *whose,
                            const char *why, bool named, struct vxb_error *err)
{
    char list[700] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < count && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.120s (0x%016" PRIx64 ")", k ? ", " : "",
                                 species[k].name, species[k].id);
    return named ? vxbi_fail_at_fault(err, VXB_ERR_USAGE, "species", "%s; %s species are %s", why, whose, list)
                 : vxbi_fail_remedy(err, VXB_ERR_USAGE, "species", "%s; %s species are %s", why, whose, list);
}

enum vxb_status vxbi_species_choose(const struct vxbi_species_choice *species, uint32_t count, const char *whose,
                                    const char *wanted, const char *why, uint32_t *out, struct vxb_error *err)
{
    char missing[300];
    uint64_t id;
    uint32_t k = 0;
    if (!wanted)
        return none(species, count, whose, why, false, err);
    while (k < count && strcmp(species[k].name, wanted) != 0)
        k++;
    if (k == count && vxbi_id_parse(wanted, &id))
        for (k = 0; k < count && species[k].id != id;)
            k++;
    if (k < count) {
        *out = k;
        return VXB_OK;
    }
    snprintf(missing, sizeof missing, "there is no species \"%.255s\"", wanted);
    return none(species, count, whose, missing, true, err);
}
