/* vxbake inspect: what a file holds, of the kind its content says it is. Only its header and tables are read unless
 * chunks, blades or a picture are asked for. */
#include <string.h>

#include "args.h"
#include "inspect_probes.h"
#include "inspect_text.h"
#include "names.h"

static int run(int argc, char **argv);

enum {
    OPT_CHUNKS,
    OPT_BRICKS,
    OPT_STATISTICS,
    OPT_CHUNK,
    OPT_BLADES,
    OPT_PREVIEW,
    OPT_PREVIEW_AS,
    OPT_PREVIEW_SIZE,
    OPT_FORMAT,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_CHUNKS] = {"chunks", 0, NULL, "list the chunks too"},
    [OPT_BRICKS] = {"bricks", 0, NULL, "list the bricks of an irradiance field too"},
    [OPT_STATISTICS] = {"statistics", 0, NULL, "read its probes, and sum up what they are like"},
    [OPT_CHUNK] = {"chunk", 0, "X,Z", "only the chunks of this cell, and their blades\nwhere --blades is given"},
    [OPT_BLADES] = {"blades", 0, NULL, 
                    "print the blades and nothing else: as CSV, or\nwith --format json-lines as JSON"},
    [OPT_PREVIEW] = {"preview", 0, "FILE.png", "draw the field from above, or the pyramid's levels;\n- is standard "
                                               "output, and then nothing is printed"},
    [OPT_PREVIEW_AS] = {"preview-as", 0, "WHAT", "species (the default) or density"},
    [OPT_PREVIEW_SIZE] = {"preview-size", 0, "N", "pixels of the picture's longer side, 16 to 4096\n(default 1024)"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "text, json or json-lines"},
    [OPT_THREADS] = {"threads", 0, "N", "threads for the picture, 0: one a processor"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that the file may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_CHUNK] = true, [OPT_PREVIEW] = true};

const struct cli_command cli_command_inspect = {
    .name = "inspect",
    .summary = "show what a grass file, KTX2 file or irradiance field holds",
    .usage = "FILE [OPTION]...",
    .about = "Shows the header and the sections of a grass file, and more where asked for; of\n"
             "a KTX2 file, such as a depth pyramid, its header, keys and levels; of an\n"
             "irradiance field its header and planes. FILE may be -, standard input.",
    .options = options,
    .once = once,
    .run = run,
};

struct request {
    struct args args;
    const char *file;
    struct vxb_inspect_options what;
    const char *preview;
    enum vxb_preview_as preview_as;
    uint32_t preview_side;
    bool has_preview_option, has_preview_as;
    bool bricks, statistics;
    enum cli_format format;
};

static bool read_cell(struct request *request, char *value)
{
    int32_t cell[2];
    if (!args_cell(&request->args, "--chunk", value, cell))
        return false;
    request->what.has_chunk = true;
    request->what.chunk_x = cell[0];
    request->what.chunk_z = cell[1];
    return true;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    static const char *const previews[] = {"species", "density", NULL};
    static const enum vxb_preview_as meant[] = {VXB_PREVIEW_SPECIES, VXB_PREVIEW_DENSITY};
    const struct args *args = &request->args;
    int64_t number;
    int word;
    switch (which) {
    case OPT_CHUNKS: request->what.chunks = true; return true;
    case OPT_BRICKS: request->bricks = true; return true;
    case OPT_STATISTICS: request->statistics = true; return true;
    case OPT_CHUNK: return read_cell(request, value);
    case OPT_BLADES: request->what.blades = true; return true;
    case OPT_PREVIEW: request->preview = args_output(value); return true;
    case OPT_PREVIEW_AS:
        if (!args_word(args, "--preview-as", value, previews, &word))
            return false;
        request->preview_as = meant[word];
        request->has_preview_as = true;
        request->has_preview_option = true;
        return true;
    case OPT_PREVIEW_SIZE:
        if (!args_integer(args, "--preview-size", value, 16, 4096, &number))
            return false;
        request->preview_side = (uint32_t)number;
        request->has_preview_option = true;
        return true;
    case OPT_FORMAT: return args_format(args, value, &request->format);
    default: return false;
    }
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    const struct cli_command *command = &cli_command_inspect;
    request->what.size = sizeof request->what;
    int code = args_read(&request->args, command, argc, argv, read_option, request);
    if (code != CLI_EXIT_OK || request->args.done)
        return code;
    code = args_one_operand(&request->args, "file", "vxbake inspect FILE", &request->file);
    if (code == CLI_EXIT_OK && request->has_preview_option && !request->preview)
        return cli_usage_error(command, "--preview-as and --preview-size need the picture's name: --preview FILE.png");
    if (code == CLI_EXIT_OK)
        code = names_check(&request->args, "--preview", request->preview, ".png", "a PNG");
    return code ? code : args_data_output(&request->args, "--preview", request->preview);
}

static enum vxb_status print(const struct request *request, const struct vxb_grass *grass, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    const bool line = request->format == CLI_JSON_LINES;
    if (request->what.blades && request->format != CLI_JSON)
        return line ? vxb_inspect_blades_json_lines(grass, &request->what, &sink, err)
                    : vxb_inspect_blades_csv(grass, &request->what, &sink, err);
    return request->format == CLI_TEXT ? inspect_text(grass, request->file, &request->what, err)
                                       : vxb_inspect_json(grass, &request->what, line, &sink, err);
}

static enum vxb_status inspect_grass(const struct request *request, const struct vxb_env *env,
                                     const struct vxb_grass *grass, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (!request->preview || strcmp(request->preview, "-") != 0)
        status = print(request, grass, err);
    if (!status && request->preview)
        status = vxb_grass_preview(env, grass, request->preview_as, request->preview_side, request->preview, err);
    return status;
}

static enum vxb_status print_texture(const struct request *request, const struct vxb_texture *texture,
                                     struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    if (request->format != CLI_TEXT)
        return vxb_texture_json(texture, request->format == CLI_JSON_LINES, &sink, err);
    inspect_text_texture(texture, request->file);
    return VXB_OK;
}

static enum vxb_status draw_pyramid(const struct request *request, const struct vxb_env *env,
                                    const struct vxb_texture *texture, struct vxb_error *err)
{
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_status status = vxb_texture_pyramid(env, texture, &pyramid, err);
    if (!status)
        status = vxb_pyramid_preview(env, pyramid, request->preview_side, request->preview, err);
    vxb_pyramid_free(pyramid);
    return status;
}

static enum vxb_status inspect_texture(const struct request *request, const struct vxb_env *env,
                                       const struct vxb_texture *texture, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    if (!request->preview || strcmp(request->preview, "-") != 0)
        status = print_texture(request, texture, err);
    if (!status && request->preview)
        status = draw_pyramid(request, env, texture, err);
    return status;
}

static int inspect(const struct request *request, const struct vxb_env *env)
{
    struct vxb_file file;
    struct vxb_error err = {0};
    if (request->preview && args_same_file(request->preview, request->file)) {
        cli_error("--preview: %s is the file to draw: give the picture another name", cli_clean(request->preview));
        return CLI_EXIT_REFUSED;
    }
    enum vxb_status status = vxb_file_open(env, request->file, &file, &err);
    if (status)
        return cli_failed(status, &err);
    const bool grass = file.kind == VXB_FILE_GRASS, probes = file.kind == VXB_FILE_PROBES;
    const char *grass_option = request->what.chunks      ? "--chunks"
                               : request->what.has_chunk ? "--chunk"
                               : request->what.blades    ? "--blades"
                               : request->has_preview_as ? "--preview-as"
                                                         : NULL;
    const char *probe_option = request->bricks ? "--bricks" : request->statistics ? "--statistics" : NULL;
    const struct inspect_probes light = {request->file, request->bricks, request->statistics, request->format};
    int code = CLI_EXIT_OK;
    if (!grass && grass_option)
        code = cli_usage_error(&cli_command_inspect, "%s is for grass files, and %s is %s", grass_option,
                               cli_clean(request->file), probes ? "an irradiance field" : "a KTX2 file");
    else if (!probes && probe_option)
        code = cli_usage_error(&cli_command_inspect, "%s is for irradiance fields, and %s is none", probe_option,
                               cli_clean(request->file));
    else if (probes && request->preview)
        code = cli_usage_error(&cli_command_inspect, "--preview: an irradiance field does not hold what it lights: "
                               "vxbake bake --preview draws it, vxbake transcode --to slices the probes");
    else
        status = probes  ? inspect_probes(&light, env, file.probes, &err)
                 : grass ? inspect_grass(request, env, file.grass, &err)
                         : inspect_texture(request, env, file.texture, &err);
    vxb_file_close(&file);
    return status ? cli_failed(status, &err) : code;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done) {
        struct vxb_env env;
        args_env(&request.args, &env);
        code = inspect(&request, &env);
    }
    args_clear(&request.args);
    return code;
}
