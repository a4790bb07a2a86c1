/* Prints, for each recipe given, "accept" or "reject" and the first fault; -v prints every message too. */
#include <stdio.h>
#include <string.h>

#include "vxbake/recipe.h"

static void print_diag(void *user, const struct vxb_diag *diag)
{
    static const char *const words[] = {"note", "warning", "error"};
    char line[2048];
    (void)user;
    printf("    %s: %s\n", words[diag->severity], vxb_error_format(&diag->what, line, sizeof line));
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    struct vxb_env env = {.size = sizeof env, .diag = verbose ? print_diag : NULL};
    for (int i = verbose ? 2 : 1; i < argc; i++) {
        struct vxb_any_recipe recipe = {0};
        struct vxb_error err = {0};
        char line[2048];
        enum vxb_status status = vxb_any_recipe_load(&env, argv[i], NULL, 0, &recipe, &err);
        printf("%s %s\n", status ? "reject" : "accept", status ? vxb_error_format(&err, line, sizeof line) : argv[i]);
        vxb_any_recipe_clear(&recipe);
    }
    return 0;
}
