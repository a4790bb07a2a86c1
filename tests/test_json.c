/* json: what the strict scanner takes and refuses, the tree, JSON pointers. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "recipe/json.h"
#include "recipe/json_check.h"

/* Parses size bytes; returns the status, with the tree in *out where that is not NULL. */
static enum vxb_status parse_bytes(const char *text, size_t size, struct vxbi_json **out, struct vxb_error *err)
{
    struct vxbi_json *root = NULL;
    vxb_error_clear(err);
    /* A block of exactly this size, so that a read beyond it is seen by the address sanitizer. */
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    enum vxb_status status = vxbi_json_parse(NULL, copy, size, VXB_ERR_DATA, &root, err);
    free(copy);
    if (out)
        *out = root;
    else
        vxbi_json_free(root);
    return status;
}

static void assert_refused(const char *text, uint32_t line, uint32_t column, const char *part)
{
    struct vxb_error err;
    cr_assert_eq(parse_bytes(text, strlen(text), NULL, &err), VXB_ERR_DATA, "accepted: %s", text);
    bool there = err.line == line && err.column == column;
    cr_assert(there, "%s: at %u:%u, not %u:%u", text, err.line, err.column, line, column);
    cr_assert_not_null(strstr(err.message, part), "%s: says \"%s\", not \"%s\"", text, err.message, part);
}

Test(json, faults__are_told_with_line_and_column)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *part;
    } cases[] = {
        {"", 1, 1, "the text ends here"},
        {"{", 1, 2, "expected a key"},
        {"[1,\n 2", 1, 1, "this '[' is not closed"},
        {"[1 2]", 1, 4, "expected ',' or ']', found '2'"},
        {"{\"a\":1,}", 1, 8, "a key should follow the comma"},
        {"{\"a\" 1}", 1, 6, "expected ':'"},
        {"{a:1}", 1, 2, "a key in double quotes"},
        {"[1,]", 1, 4, "expected a value"},
        {"{} x", 1, 4, "expected nothing after the value, found 'x'"},
        {"{}\r\n{}", 2, 1, "expected nothing after the value"},
        {"\"\xc3\xa9\xc3\xa9\" 1", 1, 6, "expected nothing"},
        {"007", 1, 1, "leading zeros"},
        {"-", 1, 2, "expected a digit"},
        {"1.", 1, 3, "after the decimal point"},
        {".5", 1, 1, "expected a value"},
        {"+1", 1, 1, "expected a value"},
        {"1e", 1, 3, "in the exponent"},
        {"1e400", 1, 1, "too large"},
        {"-1e400", 1, 1, "too large"},
        {"NaN", 1, 1, "expected a value"},
        {"Infinity", 1, 1, "expected a value"},
        {"truth", 1, 1, "expected a value"},
        {"'a'", 1, 1, "expected a value"},
        {"\"a\x01\"", 1, 3, "raw control character"},
        {"\"a\n\"", 1, 3, "a line ends inside a string"},
        {"\"a", 1, 1, "this string is not closed"},
        {"\"a\\", 1, 3, "no such escape"},
        {"\"\\x41\"", 1, 2, "no such escape"},
        {"\"\\u12g4\"", 1, 2, "four hexadecimal digits"},
        {"\"\\u00\"", 1, 2, "four hexadecimal digits"},
        {"\"\\u0000\"", 1, 2, "no text here can hold a NUL"},
        {"{\"a\\u0000b\":1}", 1, 4, "no text here can hold a NUL"},
        {"\"\\ud800\"", 1, 2, "a lone surrogate"},
        {"\"\\ud800\\u0041\"", 1, 2, "a lone surrogate"},
        {"\"\\udc00\"", 1, 2, "a lone surrogate"},
        {"\"\xff\"", 1, 2, "not UTF-8"},
        {"\"\xed\xa0\x80\"", 1, 2, "not UTF-8"},
        {"\"\xc3", 1, 2, "not UTF-8"},
        {"{\"a\":1,\n \"b\":{\"a\":2},\n \"\\u0061\":3}", 3, 2, "has the key already: a"},
        {"{\"c\":1,\"b\":1,\"b\":2,\"c\":2}", 1, 14, "has the key already: b"},
        {"// no\n1", 1, 1, "expected a value"},
        {"\xff\xfe[\0", 1, 1, "UTF-16"},
        {"[\xef\xbb\xbf]", 1, 2, "expected a value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, cases[i].line, cases[i].column, cases[i].part);
}

Test(json, nul_after_the_value__is_text_after_it)
{
    struct vxb_error err;
    cr_assert(eq(int, parse_bytes("{}\0{}", 5, NULL, &err), VXB_ERR_DATA));
    cr_assert(eq(u32, err.column, 3));
}

Test(json, nesting__64_levels_are_taken_and_100000_refused)
{
    struct vxb_error err;
    size_t size = 200000;
    char *text = malloc(size);
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    cr_assert(eq(int, parse_bytes(text, 128, NULL, &err), VXB_OK));
    memset(text, '[', size / 2);
    memset(text + size / 2, ']', size / 2);
    cr_assert(eq(int, parse_bytes(text, size, NULL, &err), VXB_ERR_DATA));
    cr_assert(eq(u32, err.column, 65));
    cr_assert(eq(str, err.message, (char *)"nested more than 64 levels deep"));
    free(text);
}

Test(json, values__more_than_a_million_are_refused_before_a_tree_is_built)
{
    struct vxb_error err;
    size_t size = 2 * (((size_t)1 << 20) + 1) + 1;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++)
        text[i] = i % 2 ? '1' : ',';
    text[0] = '[';
    text[size - 1] = ']';
    cr_assert(eq(int, parse_bytes(text, size, NULL, &err), VXB_ERR_DATA));
    cr_assert(eq(str, err.message, (char *)"more than 1048576 values in one text"));
    free(text);
}

Test(json, tree__has_every_value_in_order)
{
    static const char text[] = "\xef\xbb\xbf{\r\n\"n\": -1.5e1, \"N\": true, \"\\u00e9\": \"\\ud834\\udd1e\\n\","
                               "\"list\": [null, {}, []], \"\": false}\r\n";
    struct vxb_error err;
    struct vxbi_json *root;
    char buf[64];
    cr_assert(eq(int, parse_bytes(text, sizeof text - 1, &root, &err), VXB_OK));
    cr_assert(eq(int, vxbi_json_type(root), VXBI_JSON_OBJECT));
    cr_assert(eq(sz, vxbi_json_count(root), 5));
    cr_assert(eq(dbl, vxbi_json_number(vxbi_json_member(root, "n")), -15));
    cr_assert(vxbi_json_bool(vxbi_json_member(root, "N")));
    cr_assert(eq(str, (char *)vxbi_json_text(vxbi_json_member(root, "\xc3\xa9")), (char *)"\xf0\x9d\x84\x9e\n"));
    cr_assert(not(vxbi_json_bool(vxbi_json_member(root, ""))));
    cr_assert(eq(ptr, (void *)vxbi_json_member(root, "LIST"), NULL));
    const struct vxbi_json *list = vxbi_json_member(root, "list"), *child = vxbi_json_first(list);
    cr_assert(eq(str, vxbi_json_describe(list, buf, sizeof buf), (char *)"an array of 3"));
    cr_assert(eq(int, vxbi_json_type(child), VXBI_JSON_NULL));
    cr_assert(eq(ptr, (void *)vxbi_json_key(child), NULL));
    child = vxbi_json_next(child);
    cr_assert(eq(int, vxbi_json_type(child), VXBI_JSON_OBJECT));
    cr_assert(eq(ptr, (void *)vxbi_json_first(child), NULL));
    cr_assert(eq(ptr, (void *)vxbi_json_next(vxbi_json_next(child)), NULL));
    vxbi_json_free(root);
}

/* cJSON keeps 63 bytes of a number and takes the rest for trailing text. */
Test(json, long_numbers__keep_their_value)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.1000000000000000000000000000000000000000000000000000000000000000000000000000000000000", 0.1},
        {"100000000000000000000000000000000000000000000000000000000000000000000000000000000000e-83", 1},
        {"-0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000001", -1e-89},
    };
    struct vxb_error err;
    struct vxbi_json *root;
    char text[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, "[%s,2]", cases[i].text);
        cr_assert(eq(int, parse_bytes(text, strlen(text), &root, &err), VXB_OK));
        cr_assert(eq(dbl, vxbi_json_number(vxbi_json_first(root)), cases[i].value));
        vxbi_json_free(root);
    }
    memset(text, '1', 128);
    text[128] = 0;
    assert_refused(text, 1, 1, "more than 127 bytes");
}

Test(json, numbers__ignore_the_locale)
{
    struct vxb_error err;
    struct vxbi_json *root;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is not installed this tests the C locale once more */
    cr_assert(eq(int, parse_bytes("0.5", 3, &root, &err), VXB_OK));
    cr_assert(eq(dbl, vxbi_json_number(root), 0.5));
    vxbi_json_free(root);
    assert_refused("0,5", 1, 2, "expected nothing");
}

Test(json, pointer__escapes_what_it_must)
{
    struct vxbi_at root = {.key = "a/b~c"}, element = {.up = &root, .index = 12};
    char buf[64], small[30];
    cr_assert(eq(str, vxbi_at_pointer(&element, buf, sizeof buf), (char *)"/a~1b~0c/12"));
    cr_assert(eq(str, vxbi_at_pointer(NULL, buf, sizeof buf), (char *)""));
    cr_assert_lt(strlen(vxbi_at_pointer(&element, small, sizeof small)), sizeof small);
}

/* The JSON test suite: y_ files must be read, n_ files refused, i_ files may be either; but a NUL in a text and a key
 * that is there twice are refused here on purpose. */
Test(json, test_suite__is_read_as_its_names_say)
{
    static const char *const refused_on_purpose[] = {"y_object_duplicated_key.json",
                                                     "y_object_duplicated_key_and_value.json",
                                                     "y_object_escaped_null_in_key.json", "y_string_null_escape.json"};
    DIR *folder = opendir(TEST_SHARED "/data/damaged/json");
    if (!folder)
        cr_skip("no ../shared/data/damaged/json here");
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct vxbi_bytes bytes = {0};
        struct vxb_error err = {0};
        char path[1024];
        bool purpose = false;
        snprintf(path, sizeof path, "%s/data/damaged/json/%s", TEST_SHARED, entry->d_name);
        if (entry->d_name[0] == '.' || vxbi_read_all(NULL, path, 1 << 24, &bytes, NULL))
            continue;
        for (size_t i = 0; i < 4; i++)
            purpose |= strcmp(entry->d_name, refused_on_purpose[i]) == 0;
        enum vxb_status status = parse_bytes((const char *)bytes.data, bytes.size, NULL, &err);
        if (entry->d_name[0] == 'y' && !purpose)
            cr_expect_eq(status, VXB_OK, "%s: refused: %s", entry->d_name, err.message);
        if (entry->d_name[0] == 'n' || purpose)
            cr_expect_eq(status, VXB_ERR_DATA, "%s: accepted", entry->d_name);
        bool silent = status && (!err.line || !err.column || !err.message[0]);
        cr_expect_not(silent, "%s: does not say where", entry->d_name);
        vxbi_bytes_clear(&bytes);
        count++;
    }
    closedir(folder);
    cr_assert_gt(count, 300);
}
