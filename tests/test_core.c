/* core: cursors, text, numbers, JSON out, files and atomic outputs. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/jsonw.h"
#include "core/os.h"
#include "core/text.h"
#include "own_folder.h"
#include "vxbake.h"

Test(core, reader_past_the_end__every_later_get_is_zero)
{
    const uint8_t data[5] = {1, 2, 3, 4, 5};
    struct vxbi_reader r = {.data = data, .size = sizeof data};
    cr_assert(eq(u32, vxbi_get_u32(&r), 0x04030201u));
    cr_assert(eq(u16, vxbi_get_u16(&r), 0));
    cr_assert(r.failed);
    cr_assert(eq(u8, vxbi_get_u8(&r), 0));
}

Test(core, writer_without_a_buffer__measures_what_one_with_it_writes)
{
    uint8_t data[32];
    struct vxbi_writer measure = {0}, w = {.data = data, .room = sizeof data};
    struct vxbi_writer *both[2] = {&measure, &w};
    for (int i = 0; i < 2; i++) {
        vxbi_put_u16(both[i], 0x0102);
        vxbi_put_u64(both[i], 0x1122334455667788u);
        vxbi_put_f32(both[i], 1.0f);
        vxbi_put_zeros(both[i], 3);
    }
    cr_assert(eq(sz, measure.at, 17));
    cr_assert(eq(sz, w.at, 17));
    cr_assert(not(w.failed));
    cr_assert(eq(u8, data[0], 2));
    cr_assert(eq(u8, data[9], 0x11));
}

Test(core, escape__controls_and_bad_utf8_become_hex)
{
    char out[64];
    vxb_text_escape(out, sizeof out, "a\x1b[31m\xff\xc3\xa9\xc2\x9b", 11);
    cr_assert(eq(str, out, (char *)"a\\x1b[31m\\xff\xc3\xa9\\xc2\\x9b"));
    /* A line separator, and what turns the direction of writing; its neighbours are text. */
    vxb_text_escape(out, sizeof out, "\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa9", 9);
    cr_assert(eq(str, out, (char *)"\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x81\\xa9"));
    vxb_text_escape(out, sizeof out, "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xc2\xa0", 14);
    cr_assert(eq(str, out, (char *)"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xc2\xa0"));
    vxb_text_escape(out, 6, "ab\xc3\xa9z", 5);
    cr_assert(eq(str, out, (char *)"ab\xc3\xa9z"));
    vxb_text_escape(out, 4, "ab\xc3\xa9z", 5);
    cr_assert(eq(str, out, (char *)"ab"));
}

Test(core, numbers__are_shortest_and_ignore_the_locale)
{
    char buf[VXB_TEXT_NUMBER_ROOM];
    double value;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is not installed this tests the C locale once more */
    cr_assert(eq(str, vxb_text_f32(0.1f, buf), (char *)"0.1"));
    cr_assert(eq(str, vxb_text_f32(16777216.0f, buf), (char *)"16777216"));
    cr_assert(eq(str, vxb_text_f32(40.0f, buf), (char *)"40"));
    cr_assert(eq(str, vxb_text_f64(-1e6, buf), (char *)"-1000000"));
    cr_assert(eq(str, vxb_text_f64(1.5e-5, buf), (char *)"0.000015"));
    cr_assert(eq(str, vxb_text_f64(9007199254740991.0, buf), (char *)"9007199254740991"));
    cr_assert(eq(str, vxb_text_f64(1e-20, buf), (char *)"1e-20"));
    cr_assert(vxb_text_number("0.5", &value) && value == 0.5);
    cr_assert(not(vxb_text_number("0,5", &value)));
    cr_assert(not(vxb_text_number("1e999", &value)));
    cr_assert(not(vxb_text_number("", &value)));
    cr_assert(not(vxb_text_number("1x", &value)));
}

/* With one digit more each time, as far as it takes. */
static void fewest_digits(double value, bool is_f32, char *out)
{
    int digits = 0, exponent;
    do
        snprintf(out, VXB_TEXT_NUMBER_ROOM, "%.*e", digits, value);
    while (++digits < (is_f32 ? 9 : 17) &&
           (is_f32 ? strtof(out, NULL) != (float)value : strtod(out, NULL) != value));
    exponent = atoi(strchr(out, 'e') + 1);
    if (exponent >= -5 && exponent < 16)
        snprintf(out, VXB_TEXT_NUMBER_ROOM, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, value);
}

Test(core, numbers__have_the_fewest_digits_that_read_back)
{
    char buf[VXB_TEXT_NUMBER_ROOM], plain[VXB_TEXT_NUMBER_ROOM];
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        /* Every fourth is a power of two, every other near 1. */
        uint64_t bits = i % 4 == 0 ? state & 0xFFF0000000000000u : state;
        bits = i % 2 ? (bits & 0x800FFFFFFFFFFFFFu) | (uint64_t)(990 + state % 90) << 52 : bits;
        double value, back;
        memcpy(&value, &bits, sizeof value);
        const float f32 = (float)value;
        if (isfinite(value)) {
            fewest_digits(value, false, plain);
            cr_assert(eq(str, vxb_text_f64(value, buf), plain));
            cr_assert(vxb_text_number(buf, &back) && memcmp(&back, &value, sizeof back) == 0);
        }
        if (isfinite(f32)) {
            fewest_digits((double)f32, true, plain);
            cr_assert(eq(str, vxb_text_f32(f32, buf), plain));
        }
    }
}

static bool append(void *user, const char *data, size_t size)
{
    strncat(user, data, size);
    return true;
}

Test(core, json__is_valid_whatever_the_values)
{
    char out[512] = "";
    struct vxbi_jsonw w;
    vxbi_jsonw_begin(&w, append, out, true);
    vxbi_jsonw_object(&w);
    vxbi_jsonw_key(&w, "a\"\n");
    vxbi_jsonw_f32(&w, 0.0f / 0.0f);
    vxbi_jsonw_key(&w, "b");
    vxbi_jsonw_array(&w);
    vxbi_jsonw_text(&w, "\xff\x01");
    vxbi_jsonw_text(&w, "\xc2\x85\xe2\x80\xa8\xe2\x80\xae\xc3\xa9");
    vxbi_jsonw_id(&w, 255);
    vxbi_jsonw_array(&w);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    cr_assert(vxbi_jsonw_end(&w));
    cr_assert(eq(str, out,
                 (char *)"{\"a\\\"\\u000a\":null,\"b\":[\"\xEF\xBF\xBD\\u0001\","
                         "\"\\u0085\\u2028\\u202e\xC3\xA9\",\"0x00000000000000ff\",[]]}\n"));
}

Test(core, member_at_fault__stays_with_the_first_cause)
{
    struct vxb_error err = {0};
    cr_assert(eq(int, vxbi_fail_at_fault(&err, VXB_ERR_USAGE, "split", "a %s message", "first"), VXB_ERR_USAGE));
    cr_assert(eq(int, vxbi_fail_remedy(&err, VXB_ERR_REFUSED, "force", "a second"), VXB_ERR_REFUSED));
    cr_assert(eq(int, vxbi_fail_max_memory(&err, 1, "a third takes 2 bytes"), VXB_ERR_LIMIT));
    cr_assert(eq(int, err.status, VXB_ERR_USAGE));
    cr_assert(eq(str, (char *)err.message, (char *)"a first message"));
    cr_assert(eq(str, (char *)err.at_fault, (char *)"split"));
    cr_assert(eq(ptr, (void *)err.remedy, NULL));

    vxb_error_clear(&err);
    cr_assert(eq(ptr, (void *)err.at_fault, NULL));
    vxbi_fail_max_memory(&err, 10, "chunk %d takes %d bytes", 3, 20);
    cr_assert(eq(int, err.status, VXB_ERR_LIMIT));
    cr_assert(eq(str, (char *)err.message, (char *)"chunk 3 takes 20 bytes of memory, more than the limit of 10"));
    cr_assert(eq(str, (char *)err.remedy, (char *)"max_memory_bytes"));
    cr_assert(eq(ptr, (void *)err.at_fault, NULL));
    vxbi_fail_at_fault(NULL, VXB_ERR_USAGE, "split", "no error is asked for");
}

Test(core, hash__matches_the_known_value_and_pieces_match_the_whole)
{
    /* XXH3_64bits of nothing, from the xxHash specification. */
    cr_assert(eq(u64, vxbi_hash("", 0), 0x2D06800538D394C2u));
    struct vxbi_hash_state state;
    vxbi_hash_begin(&state);
    vxbi_hash_add(&state, "abc", 3);
    vxbi_hash_add(&state, "def", 3);
    cr_assert(eq(u64, vxbi_hash_end(&state), vxbi_hash("abcdef", 6)));
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(ne(ptr, file, NULL));
    fputs(text, file);
    fclose(file);
}

static const char *read_file(const char *path)
{
    static char text[256];
    struct vxbi_bytes bytes;
    if (vxbi_read_all(NULL, path, sizeof text - 1, &bytes, NULL))
        return "?";
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = 0;
    vxbi_bytes_clear(&bytes);
    return text;
}

static int entries(void)
{
    char count[16];
    FILE *pipe = popen("ls -A | wc -l", "r");
    cr_assert(ne(ptr, fgets(count, sizeof count, pipe), NULL));
    pclose(pipe);
    return atoi(count);
}

TestSuite(output, .init = own_folder_make, .fini = own_folder_remove);

Test(output, abort__leaves_the_old_file_and_nothing_else)
{
    struct vxb_output *output;
    struct vxb_error err = {0};
    write_file("a b", "old");
    cr_assert(eq(int, vxb_output_open(NULL, "a b", &output, &err), VXB_OK));
    cr_assert(eq(int, vxb_output_append(output, "new", 3, &err), VXB_OK));
    vxb_output_abort(output);
    cr_assert(eq(str, (char *)read_file("a b"), (char *)"old"));
    cr_assert(eq(int, entries(), 1));
}

/* With nothing else to look at: a call that went on would crash. */
Test(core, structs_of_another_size__are_refused_before_anything_else)
{
    const struct vxb_env env = {.size = sizeof env + 8};
    const struct vxb_bake_options bake = {.size = sizeof bake - 1};
    const struct vxb_verify_options verify = {0};
    const struct vxb_inspect_options inspect = {.chunks = true};
    const struct vxb_source source = {0};
    const struct vxb_transcode_options transcode = {.output = "never"};
    const struct vxb_runtime_options runtime = {.ranks_only = true};
    const struct vxb_simulate_options simulate = {0};
    const struct vxb_list_options list = {.views = VXB_LIST_HEADER};
    struct vxb_raw_report report;
    const struct vxb_raw_options raw = {.structure = "header"};
    struct vxb_error errs[32] = {0};
    const enum vxb_status statuses[32] = {
        vxb_recipe_load(&env, NULL, NULL, 0, NULL, &errs[0]),
        vxb_recipe_parse(&env, NULL, 0, NULL, NULL, NULL, 0, NULL, &errs[1]),
        vxb_terrain_load(&env, NULL, NULL, &errs[2]),
        vxb_plan_new(&env, NULL, NULL, NULL, &errs[3]),
        vxb_bake_planned(&env, NULL, NULL, NULL, &errs[4]),
        vxb_bake_planned(NULL, NULL, &bake, NULL, &errs[5]),
        vxb_grass_open(&env, NULL, NULL, &errs[6]),
        vxb_grass_open_source(&env, &source, NULL, NULL, &errs[7]),
        vxb_grass_preview(&env, NULL, VXB_PREVIEW_SPECIES, 0, NULL, &errs[8]),
        vxb_verify(&env, NULL, NULL, NULL, &errs[9]),
        vxb_verify(NULL, NULL, &verify, NULL, &errs[10]),
        vxb_inspect_json(NULL, &inspect, false, NULL, &errs[11]),
        vxb_inspect_blades_csv(NULL, &inspect, NULL, &errs[12]),
        vxb_inspect_blades_json_lines(NULL, &inspect, NULL, &errs[13]),
        vxb_output_open(&env, NULL, NULL, &errs[14]),
        vxb_pyramid_new(&env, 1, 1, VXB_REDUCE_NEAREST, NULL, &errs[15]),
        vxb_pyramid_load(&env, NULL, NULL, &errs[16]),
        vxb_transcode(&env, NULL, NULL, NULL, &errs[17]),
        vxb_transcode(NULL, NULL, &transcode, NULL, &errs[18]),
        vxb_ring_new(&env, NULL, 1, NULL, &errs[19]),
        vxb_runtime_load(&env, NULL, NULL, NULL, &errs[20]),
        vxb_runtime_load(NULL, NULL, &runtime, NULL, &errs[21]),
        vxb_culler_new(&env, NULL, NULL, &errs[22]),
        vxb_path_parse(&env, NULL, 0, NULL, NULL, &errs[23]),
        vxb_path_load(&env, NULL, NULL, &errs[24]),
        vxb_simulate(NULL, NULL, NULL, &simulate, NULL, &errs[25]),
        vxb_simulation_plot(&env, NULL, NULL, &errs[26]),
        vxb_simulation_map(&env, NULL, NULL, &errs[27]),
        vxb_list(NULL, NULL, &list, NULL, &errs[28]),
        vxb_list_hashes(&env, NULL, VXB_LIST_TEXT, NULL, NULL, &errs[29]),
        vxb_list_raw(NULL, NULL, &raw, NULL, NULL, &errs[30]),
        vxb_list_raw(&env, NULL, &(struct vxb_raw_options){.size = sizeof raw}, NULL, &report, &errs[31]),
    };
    for (size_t i = 0; i < 32; i++) {
        cr_assert(eq(int, statuses[i], VXB_ERR_USAGE), "call %zu", i);
        cr_assert(strncmp(errs[i].message, "the size member of struct vxb_", 30) == 0, "call %zu: %s", i,
                  errs[i].message);
    }
}

Test(output, commit__replaces_and_keeps_the_mode_and_the_link)
{
    struct vxb_output *output;
    struct vxb_error err = {0};
    struct stat st;
    write_file("real", "old");
    cr_assert(eq(int, chmod("real", 0640), 0));
    cr_assert(eq(int, symlink("real", "link"), 0));
    cr_assert(eq(int, vxb_output_open(NULL, "link", &output, &err), VXB_OK));
    cr_assert(vxb_output_is(output, "real"));
    cr_assert(eq(int, vxbi_output_write_at(output, 1, "ew", 2, &err), VXB_OK));
    cr_assert(eq(int, vxbi_output_write_at(output, 0, "n", 1, &err), VXB_OK));
    cr_assert(eq(int, vxb_output_commit(output, &err), VXB_OK));
    cr_assert(eq(str, (char *)read_file("real"), (char *)"new"));
    cr_assert(eq(int, lstat("link", &st), 0));
    cr_assert(eq(int, !!S_ISLNK(st.st_mode), 1));
    cr_assert(eq(int, stat("real", &st), 0));
    cr_assert(eq(int, st.st_mode & 07777, 0640));
    cr_assert(eq(int, entries(), 2));
}

Test(output, dangling_link__its_target_is_made)
{
    struct vxb_output *output;
    cr_assert(eq(int, symlink("made", "link"), 0));
    cr_assert(eq(int, vxb_output_open(NULL, "link", &output, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_append(output, "x", 1, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_commit(output, NULL), VXB_OK));
    cr_assert(eq(str, (char *)read_file("made"), (char *)"x"));
}

Test(output, if_changed__an_identical_file_is_left_alone)
{
    struct vxb_output *output;
    struct stat before, after;
    write_file("f", "same");
    cr_assert(eq(int, stat("f", &before), 0));
    cr_assert(eq(int, vxb_output_open(NULL, "f", &output, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_append(output, "same", 4, NULL), VXB_OK));
    cr_assert(eq(int, vxbi_output_prepare(output, true, NULL), VXB_OK));
    cr_assert(vxbi_output_unchanged(output));
    cr_assert(eq(int, vxb_output_commit(output, NULL), VXB_OK));
    cr_assert(eq(int, stat("f", &after), 0));
    cr_assert(eq(u64, (uint64_t)before.st_ino, (uint64_t)after.st_ino));
}

Test(output, folder_missing_folder_or_long_name__is_told_before_any_work)
{
    struct vxb_output *output;
    char name[400];
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_output_open(NULL, ".", &output, &err), VXB_ERR_IO));
    cr_assert(eq(str, err.message, (char *)"cannot write: Is a directory"));
    cr_assert(eq(int, vxb_output_open(NULL, "no/such", &output, NULL), VXB_ERR_IO));
    cr_assert(eq(int, vxb_output_open(NULL, "", &output, NULL), VXB_ERR_IO));
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    cr_assert(eq(int, vxb_output_open(NULL, name, &output, NULL), VXB_ERR_IO));
    cr_assert(eq(int, entries(), 0));
}

Test(output, full_device__fails_and_stays_a_device)
{
    struct vxb_output *output;
    struct vxb_error err = {0};
    struct stat st;
    cr_assert(eq(int, vxb_output_open(NULL, "/dev/full", &output, &err), VXB_OK));
    cr_assert(eq(int, vxb_output_append(output, "x", 1, &err), VXB_OK));
    cr_assert(eq(int, vxb_output_commit(output, &err), VXB_ERR_IO));
    cr_assert(eq(str, err.message, (char *)"cannot write: No space left on device"));
    cr_assert(eq(int, stat("/dev/full", &st), 0));
    cr_assert(eq(int, !!S_ISCHR(st.st_mode), 1));
}

Test(output, two_outputs_on_one_name__are_the_same)
{
    struct vxb_output *a, *b, *c;
    cr_assert(eq(int, vxb_output_open(NULL, "x", &a, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_open(NULL, "./x", &b, NULL), VXB_OK));
    cr_assert(eq(int, vxb_output_open(NULL, "y", &c, NULL), VXB_OK));
    cr_assert(vxb_output_same(a, b));
    cr_assert(not(vxb_output_same(a, c)));
    vxb_output_abort(a);
    vxb_output_abort(b);
    vxb_output_abort(c);
}

Test(output, reading__empty_file_and_folder_are_named)
{
    struct vxbi_bytes bytes;
    struct vxb_error err = {0};
    write_file("e", "");
    cr_assert(eq(int, vxbi_read_all(NULL, "e", 100, &bytes, &err), VXB_ERR_FORMAT));
    cr_assert(eq(str, err.message, (char *)"the file is empty"));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxbi_read_all(NULL, ".", 100, &bytes, &err), VXB_ERR_IO));
    cr_assert(eq(str, err.message, (char *)"cannot read: Is a directory"));
    vxb_error_clear(&err);
    write_file("l", "12345");
    cr_assert(eq(int, vxbi_read_all(NULL, "l", 4, &bytes, &err), VXB_ERR_LIMIT));
}
