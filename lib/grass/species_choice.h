/* A species as its user names it: on a command line, of a file or of a recipe. */
#ifndef VXBI_GRASS_SPECIES_CHOICE_H
#define VXBI_GRASS_SPECIES_CHOICE_H

#include "../core/error.h"

struct vxbi_species_choice {
    const char *name;
    uint64_t id;
};

/* Which of count species wanted is: a name, or else, as a species may be called 0x1, an id, "0x" and hexadecimal
 * digits. wanted: NULL is none, which fails with why. whose: "the file's", for the message.
 * Returns VXB_ERR_USAGE with the species that there are. */
enum vxb_status vxbi_species_choose(const struct vxbi_species_choice *species, uint32_t count, const char *whose,
                                    const char *wanted, const char *why, uint32_t *out, struct vxb_error *err);

#endif
