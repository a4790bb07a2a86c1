/* The reader of recipes: any bytes as a recipe, in a folder that does not exist, so that no rule is read. The first byte
 * chooses whether the text is split at its first line into an override and the recipe. */
#include <stdlib.h>
#include <string.h>

#include "vxbake/recipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vxb_recipe *parse(const char *text, size_t size, const struct vxb_recipe_set *set)
{
    struct vxb_recipe *recipe = NULL;
    struct vxb_error err = {0};
    enum vxb_status status =
        vxb_recipe_parse(NULL, text, size, "/nonexistent", "fuzz.json", set, set ? 1 : 0, &recipe, &err);
    if ((status == VXB_OK) != (recipe != NULL) || status != err.status || status == VXB_ERR_BUG)
        abort();
    return recipe;
}

/* "#POINTER=VALUE", a line's end, the recipe. */
static struct vxb_recipe *parse_with_set(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size), *equals = end ? memchr(text, '=', (size_t)(end - text)) : NULL;
    if (!equals || memchr(text, 0, (size_t)(end - text)))
        return NULL;
    char *pointer = calloc(1, (size_t)(equals - text)), *value = calloc(1, (size_t)(end - equals));
    if (!pointer || !value)
        abort();
    memcpy(pointer, text + 1, (size_t)(equals - text) - 1);
    memcpy(value, equals + 1, (size_t)(end - equals) - 1);
    struct vxb_recipe_set set = {pointer, value};
    struct vxb_recipe *recipe = parse(end + 1, size - (size_t)(end + 1 - text), &set);
    free(pointer);
    free(value);
    return recipe;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    vxb_recipe_free(size && text[0] == '#' ? parse_with_set(text, size) : parse(text, size, NULL));
    return 0;
}
