/* The reader of recipes: any bytes as a grass recipe, in a folder that does not exist, so that no rule is read. The
 * first byte chooses whether the text is split at its first line into an override and the recipe ("#"), or is a recipe
 * of any kind, a depth pyramid's too ("@"). */
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
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

static void load_any(const char *text, size_t size)
{
    struct vxb_any_recipe any = {0};
    struct vxb_error err = {0};
    const enum vxb_status status =
        vxb_any_recipe_load(NULL, scratch_put("any.json", text, size), NULL, 0, &any, &err);
    if ((status == VXB_OK) != (any.grass || any.pyramid) || status != err.status || status == VXB_ERR_BUG)
        abort();
    vxb_any_recipe_clear(&any);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    if (size && text[0] == '@') {
        load_any(text + 1, size - 1);
        return 0;
    }
    vxb_recipe_free(size && text[0] == '#' ? parse_with_set(text, size) : parse(text, size, NULL));
    return 0;
}
