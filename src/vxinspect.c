/* vxinspect: what a file holds, list by list, and its bytes field by field; for people, for scripts, and for files that
 * are damaged. vxbake inspect is the overview; both show what the library lists. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "inspect_probes.h"
#include "inspect_text.h"
#include "signals.h"

static int run(int argc, char **argv);

enum {
    OPT_HEADER,
    OPT_SECTIONS,
    OPT_LODS,
    OPT_STRINGS,
    OPT_CHUNKS,
    OPT_BLADES,
    OPT_CHUNK,
    OPT_LEVELS,
    OPT_KEYS,
    OPT_SAMPLES,
    OPT_BRICKS,
    OPT_PLANES,
    OPT_PROBES,
    OPT_HASHES,
    OPT_RAW,
    OPT_AT,
    OPT_AS,
    OPT_FORMAT,
    OPT_MAX_MEMORY,
    OPT_VERSION,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_HEADER] = {"header", 0, NULL, "list the header's fields"},
    [OPT_SECTIONS] = {"sections", 0, NULL, "list the sections of a grass file, its species"},
    [OPT_LODS] = {"lods", 0, NULL, "list the levels of detail"},
    [OPT_STRINGS] = {"strings", 0, NULL, "list the strings"},
    [OPT_CHUNKS] = {"chunks", 0, "[=WHICH]", "list the chunks: all, a range of their numbers\nsuch as 10-19, or those "
                                             "of a cell X,Z"},
    [OPT_BLADES] = {"blades", 0, "[=RANGE]", "list the blades: all, or a range of their numbers"},
    [OPT_CHUNK] = {"chunk", 0, "X,Z", "only chunks of this cell, and their blades; a range\nof --blades then counts in "
                                      "each chunk"},
    [OPT_LEVELS] = {"levels", 0, NULL, "list the levels of a KTX2 file"},
    [OPT_KEYS] = {"keys", 0, NULL, "list its keys and values"},
    [OPT_SAMPLES] = {"samples", 0, NULL, "list the channels of its texels"},
    [OPT_BRICKS] = {"bricks", 0, "[=RANGE]", "list the bricks of an irradiance field: all, or a\n"
                                             "range of their numbers"},
    [OPT_PLANES] = {"planes", 0, NULL, "list its planes"},
    [OPT_PROBES] = {"probes", 0, "[=RANGE]", "list the probes that its bricks own: of all, or of\n"
                                             "a range of bricks"},
    [OPT_HASHES] = {"hashes", 0, NULL, "compare every stored hash with the bytes"},
    [OPT_RAW] = {"raw", 0, "WHAT[:RANGE]", "show bytes field by field: header, section, lod,\nstring, chunk, blade; "
                                           "header, level, dfd, sample,\nkey; header, brick, plane"},
    [OPT_AT] = {"at", 0, "OFFSET", "where the first structure of --raw stands"},
    [OPT_AS] = {"as", 0, "FORMAT", "what --raw takes the file for: grass-1, grass-2,\ngrass-3, ktx2 or probes-1"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "text, json, json-lines or csv"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that the file may take (default 1G)"},
    [OPT_VERSION] = {"version", 'V', NULL, "print the version"},
};

static const struct cli_command vxinspect = {
    .name = "vxinspect",
    .is_program = true,
    .summary = "show what a baked file holds, down to its bytes",
    .usage = "FILE [OPTION]...",
    .about = "Lists what a grass file, a KTX2 file, such as a depth pyramid, or an irradiance\n"
             "field holds: in short, or the lists that options ask for. --raw shows the bytes of\n"
             "a structure with the names of its fields, also where the file is damaged. FILE may\n"
             "be -, standard input.",
    .options = options,
    .run = run,
};

struct request {
    struct args args;
    const char *file;
    struct vxb_list_options list;
    bool hashes, version;
    struct vxb_raw_options raw;
};

/* ---- the command line ---- */

static bool read_cell(struct request *request, const char *name, char *value)
{
    struct vxb_inspect_options *what = &request->list.what;
    int32_t cell[2];
    if (!args_cell(&request->args, name, value, cell))
        return false;
    if (what->has_chunk && (what->chunk_x != cell[0] || what->chunk_z != cell[1])) {
        cli_usage_error(request->args.command, "%s: one cell at a time, and there was another one before", name);
        return false;
    }
    what->has_chunk = true;
    what->chunk_x = cell[0];
    what->chunk_z = cell[1];
    return true;
}

static bool read_range_32(struct request *request, const char *name, const char *value, bool *has, uint32_t *first,
                          uint32_t *last)
{
    uint64_t from, to;
    if (!args_range(&request->args, name, value, &from, &to))
        return false;
    *has = true;
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return true;
}

/* One range serves bricks and their probes. */
static bool read_bricks(struct request *request, const char *name, const char *value)
{
    struct vxb_list_options *list = &request->list;
    const struct vxb_list_options before = *list;
    char option[16];
    snprintf(option, sizeof option, "--%s", name);
    if (!read_range_32(request, option, value, &list->has_brick_range, &list->first_brick, &list->last_brick))
        return false;
    if (before.has_brick_range &&
        (before.first_brick != list->first_brick || before.last_brick != list->last_brick)) {
        cli_usage_error(request->args.command, "%s: one range of bricks at a time, and there was another one before",
                        option);
        return false;
    }
    return true;
}

/* WHAT, WHAT:RANGE or WHAT RANGE. */
static bool read_raw(struct request *request, char *value)
{
    struct vxb_raw_options *raw = &request->raw;
    const size_t length = strcspn(value, ": ");
    char *range = value[length] ? value + length + 1 : NULL;
    value[length] = 0;
    raw->structure = value;
    if (!range)
        return true;
    raw->has_range = true;
    return args_range(&request->args, "--raw", range, &raw->first, &raw->last);
}

static bool read_offset(struct request *request, const char *text)
{
    uint64_t value = 0;
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned base = hexadecimal ? 16 : 10;
    const char *digit = hexadecimal ? text + 2 : text;
    bool good = *digit != 0;
    for (; good && *digit; digit++) {
        static const char digits[] = "0123456789abcdef";
        const char *found = strchr(digits, *digit >= 'A' && *digit <= 'F' ? *digit | 32 : *digit);
        const uint64_t add = found ? (uint64_t)(found - digits) : base;
        good = add < base && value <= (UINT64_MAX - add) / base;
        value = good ? value * base + add : 0;
    }
    if (!good)
        cli_usage_error(request->args.command, "--at: '%s' is not an offset in bytes, such as 4096 or 0x1000",
                        cli_clean(text));
    request->raw.has_at = true;
    request->raw.at = value;
    return good;
}

static bool read_option(void *user, int which, char *value)
{
    static const enum vxb_list_view views[OPT_COUNT] = {
        [OPT_HEADER] = VXB_LIST_HEADER, [OPT_SECTIONS] = VXB_LIST_SECTIONS, [OPT_LODS] = VXB_LIST_LODS,
        [OPT_STRINGS] = VXB_LIST_STRINGS, [OPT_CHUNKS] = VXB_LIST_CHUNKS, [OPT_BLADES] = VXB_LIST_BLADES,
        [OPT_LEVELS] = VXB_LIST_LEVELS, [OPT_KEYS] = VXB_LIST_KEYS, [OPT_SAMPLES] = VXB_LIST_SAMPLES,
        [OPT_BRICKS] = VXB_LIST_BRICKS, [OPT_PLANES] = VXB_LIST_PLANES, [OPT_PROBES] = VXB_LIST_PROBES};
    static const char *const forms[] = {"grass-1", "grass-2", "grass-3", "ktx2", "probes-1", NULL};
    static const char *const formats[] = {[VXB_LIST_TEXT] = "text", [VXB_LIST_JSON] = "json",
                                          [VXB_LIST_JSON_LINES] = "json-lines", [VXB_LIST_CSV] = "csv", NULL};
    struct request *request = user;
    struct vxb_inspect_options *what = &request->list.what;
    int word;
    request->list.views |= (unsigned)views[which];
    switch (which) {
    case OPT_CHUNKS:
        if (value && strchr(value, ','))
            return read_cell(request, "--chunks", value);
        return !value || read_range_32(request, "--chunks", value, &what->has_chunk_range, &what->first_chunk,
                                       &what->last_chunk);
    case OPT_BLADES:
        return !value || read_range_32(request, "--blades", value, &what->has_blade_range, &what->first_blade,
                                       &what->last_blade);
    case OPT_BRICKS:
    case OPT_PROBES: return !value || read_bricks(request, options[which].name, value);
    case OPT_CHUNK: return read_cell(request, "--chunk", value);
    case OPT_HASHES: request->hashes = true; return true;
    case OPT_RAW: return read_raw(request, value);
    case OPT_AT: return read_offset(request, value);
    case OPT_AS:
        if (!args_word(&request->args, "--as", value, forms, &word))
            return false;
        request->raw.as = forms[word];
        return true;
    case OPT_FORMAT:
        if (!args_word(&request->args, "--format", value, formats, &word))
            return false;
        request->list.format = request->raw.format = (enum vxb_list_format)word;
        return true;
    case OPT_VERSION: request->version = true; return true;
    default: return true;
    }
}

/* What the options only tell together. */
static int check(struct request *request)
{
    struct vxb_inspect_options *what = &request->list.what;
    const unsigned views = request->list.views;
    const bool lines = request->list.format == VXB_LIST_CSV || request->list.format == VXB_LIST_JSON_LINES;
    const int things = (views != 0) + request->hashes + (request->raw.structure != NULL);
    if (request->args.operand_count > 1)
        return cli_usage_error(&vxinspect, "one file at a time, and '%s' is a second one: a range stands behind an "
                               "equals sign, as in --chunks=0-9", cli_clean(request->args.operands[1]));
    int code = args_one_operand(&request->args, "file", "vxinspect FILE", &request->file);
    if (code != CLI_EXIT_OK)
        return code;
    if (things > 1)
        return cli_usage_error(&vxinspect, "lists, --hashes and --raw each stand alone");
    if ((request->raw.has_at || request->raw.as) && !request->raw.structure)
        return cli_usage_error(&vxinspect, "--at and --as go with --raw");
    if (what->has_chunk && what->has_chunk_range)
        return cli_usage_error(&vxinspect, "chunks are named by a cell or by a range, not by both");
    if (what->has_chunk && !(views & (VXB_LIST_CHUNKS | VXB_LIST_BLADES)))
        return cli_usage_error(&vxinspect, "--chunk goes with --chunks and --blades");
    if (lines && (views & (views - 1)))
        return cli_usage_error(&vxinspect, "CSV and JSON lines hold one list: ask for one at a time");
    if (lines && !things && request->list.format == VXB_LIST_CSV)
        return cli_usage_error(&vxinspect, "--format csv holds one list: ask for one, such as --chunks");
    return CLI_EXIT_OK;
}

/* ---- what it does ---- */

static enum vxb_status overview(const struct request *request, const struct vxb_file *file, struct vxb_error *err)
{
    const struct vxb_inspect_options nothing = {.size = sizeof nothing};
    const bool lines = request->list.format == VXB_LIST_JSON_LINES;
    const struct vxb_sink sink = cli_out_sink();
    if (file->kind == VXB_FILE_PROBES) {
        const struct inspect_probes what = {
            .name = request->file,
            .format = lines ? CLI_JSON_LINES : request->list.format == VXB_LIST_TEXT ? CLI_TEXT : CLI_JSON};
        return inspect_probes(&what, NULL, file->probes, err);
    }
    if (request->list.format == VXB_LIST_TEXT) {
        if (file->kind == VXB_FILE_GRASS)
            return inspect_text(file->grass, request->file, &nothing, err);
        inspect_text_texture(file->texture, request->file);
        return VXB_OK;
    }
    return file->kind == VXB_FILE_GRASS ? vxb_inspect_json(file->grass, &nothing, lines, &sink, err)
                                        : vxb_texture_json(file->texture, lines, &sink, err);
}

static int list(const struct request *request, const struct vxb_env *env)
{
    const struct vxb_sink sink = cli_out_sink();
    struct vxb_file file;
    struct vxb_error err = {0};
    enum vxb_status status = vxb_file_open(env, request->file, &file, &err);
    if (status == VXB_OK) {
        status = request->list.views ? vxb_list(env, &file, &request->list, &sink, &err)
                                     : overview(request, &file, &err);
        vxb_file_close(&file);
    }
    if (!status)
        return CLI_EXIT_OK;
    const int code = cli_failed(status, &err);
    if (status == VXB_ERR_DATA)
        cli_note("--raw shows the bytes of a damaged file too, such as --raw header");
    return code;
}

static int hashes(const struct request *request, const struct vxb_env *env)
{
    const struct vxb_sink sink = cli_out_sink();
    struct vxb_error err = {0};
    uint64_t mismatches = 0;
    enum vxb_status status = vxb_list_hashes(env, request->file, request->list.format, &sink, &mismatches, &err);
    cli_progress_clear();
    if (status)
        return cli_failed(status, &err);
    if (mismatches == 0)
        return CLI_EXIT_OK;
    cli_error("%" PRIu64 " %s not what the bytes give", mismatches, mismatches == 1 ? "hash is" : "hashes are");
    return CLI_EXIT_NO;
}

static int raw(const struct request *request, const struct vxb_env *env)
{
    const struct vxb_sink sink = cli_out_sink();
    struct vxb_error err = {0};
    struct vxb_raw_report report = {0};
    enum vxb_status status = vxb_list_raw(env, request->file, &request->raw, &sink, &report, &err);
    if (status)
        return cli_failed(status, &err);
    if (report.damaged)
        cli_warning("%" PRIu64 " %s broken in what is shown", report.damaged,
                    report.damaged == 1 ? "rule is" : "rules are");
    if (report.elsewhere)
        cli_note("%" PRIu64 " more %s broken: vxbake verify lists them", report.elsewhere,
                 report.elsewhere == 1 ? "rule is" : "rules are");
    if (!report.cut)
        return CLI_EXIT_OK;
    cli_error("the file holds no more of what was asked for");
    return CLI_EXIT_INPUT;
}

static int run(int argc, char **argv)
{
    struct request request = {.list.size = sizeof request.list, .raw.size = sizeof request.raw};
    request.list.what.size = sizeof request.list.what;
    int code = args_read(&request.args, &vxinspect, argc, argv, read_option, &request);
    if (code == CLI_EXIT_OK && !request.args.done) {
        struct vxb_env env;
        args_env(&request.args, &env);
        if (request.version && (code = args_no_operand(&request.args)) == CLI_EXIT_OK)
            cli_out("vxinspect %s\nbake revision %d\n", vxb_version(), VXB_BAKE_REVISION);
        else if (!request.version && (code = check(&request)) == CLI_EXIT_OK)
            code = request.raw.structure ? raw(&request, &env)
                   : request.hashes      ? hashes(&request, &env)
                                         : list(&request, &env);
    }
    args_clear(&request.args);
    return code;
}

int main(int argc, char **argv)
{
    cli_start("vxinspect");
    signals_install();
    return cli_finish(run(argc, argv));
}
