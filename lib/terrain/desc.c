/* Checks of what a recipe says about its terrain, before any file is opened. Each fault is reported, not the first
 * alone. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "desc.h"

void vxbi_report(struct vxbi_report *report, struct vxb_error *found, const char *path, const char *pointer)
{
    vxbi_error_in(found, found->status, path, pointer);
    vxbi_say_error(report->env, found);
    if (!report->status)
        report->status = found->status;
    if (found->status == VXB_ERR_CANCELLED || found->status == VXB_ERR_MEMORY)
        report->stop = true;
    if (report->err && report->err->status == VXB_OK)
        *report->err = *found;
}

static void fault(struct vxbi_report *report, const char *pointer, const char *format, ...) VXBI_PRINTF(3, 4);

/* A fault of the recipe at pointer. */
static void fault(struct vxbi_report *report, const char *pointer, const char *format, ...)
{
    char text[512];
    struct vxb_error found = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (report->add) {
        report->status = VXB_ERR_USAGE;
        report->add(report->user, pointer, text);
        return;
    }
    vxbi_fail(&found, VXB_ERR_USAGE, "%s", text);
    vxbi_report(report, &found, NULL, pointer);
}

void vxbi_layer_pointer(char *out, size_t room, const char *name)
{
    static const char head[] = "/terrain/layers/";
    size_t n = sizeof head - 1;
    memcpy(out, head, n);
    vxbi_pointer_escape(out + n, room - n, name ? name : "");
}

static void check_raw(struct vxbi_report *report, const struct vxb_terrain_desc *desc, bool raw)
{
    struct vxb_error found = {0};
    bool sized = desc->width || desc->height;
    if (raw && !sized)
        fault(report, "/terrain/size",
              "\"size\" is missing: a raw file does not say how many samples it has, give [columns, rows]");
    else if (raw && vxbi_check_terrain_size(desc->width, desc->height, &found))
        vxbi_report(report, &found, NULL, "/terrain/size");
    else if (!raw && sized)
        fault(report, "/terrain/size", "\"size\" is for raw files only: this file tells its own, leave it out");
    if ((unsigned)desc->sample > VXB_SAMPLE_F32 || (!raw && desc->sample != VXB_SAMPLE_AUTO))
        fault(report, "/terrain/sample", "\"sample\" is \"u16\" or \"f32\", and for raw files only");
    if ((unsigned)desc->order > VXB_ORDER_BIG || (!raw && desc->order != VXB_ORDER_LITTLE))
        fault(report, "/terrain/order",
              "\"order\" is \"little\" or \"big\", and for raw files only: this file tells its own");
}

static void check_range(struct vxbi_report *report, const struct vxb_terrain_desc *desc, enum vxb_terrain_kind kind)
{
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    bool f32 = kind == VXB_TERRAIN_PFM || (kind == VXB_TERRAIN_RAW && vxbi_raw_sample(desc) == VXB_SAMPLE_F32);
    if (kind == VXB_TERRAIN_VXTERRAIN && desc->has_range)
        fault(report, "/terrain/range", "\"range\" is in the .vxterrain itself: leave it out");
    else if (kind != VXB_TERRAIN_VXTERRAIN && !f32 && !desc->has_range)
        fault(report, "/terrain/range",
              "\"range\" is missing: give the heights of 0 and 65535 in metres, [min, max]");
    else if (desc->has_range && !(desc->range_min >= -VXBI_TERRAIN_METRES_MAX && desc->range_min <= desc->range_max &&
                                  desc->range_max <= VXBI_TERRAIN_METRES_MAX))
        fault(report, "/terrain/range",
              "\"range\" is [%s, %s]; allowed is [min, max] within -1048576 and 1048576, min not above max",
              vxb_text_f32(desc->range_min, low), vxb_text_f32(desc->range_max, high));
}

static void check_place(struct vxbi_report *report, const struct vxb_terrain_desc *desc, enum vxb_terrain_kind kind)
{
    char found[VXB_TEXT_NUMBER_ROOM];
    double metres = (double)desc->metres_per_quad;
    if (kind == VXB_TERRAIN_VXTERRAIN && desc->has_metres_per_quad)
        fault(report, "/terrain/metres_per_quad",
              "\"metres_per_quad\" is in the .vxterrain itself: leave it out");
    else if (kind != VXB_TERRAIN_VXTERRAIN && !desc->has_metres_per_quad)
        fault(report, "/terrain/metres_per_quad",
              "\"metres_per_quad\" is missing: give the distance of two neighbouring samples");
    else if (desc->has_metres_per_quad && !(metres >= 1e-3 && metres <= 1e3))
        fault(report, "/terrain/metres_per_quad", "\"metres_per_quad\" is %s; allowed is 0.001 to 1000",
              vxb_text_f32(desc->metres_per_quad, found));
    for (int i = 0; i < 3; i++)
        if (!(fabsf(desc->origin[i]) <= VXBI_TERRAIN_METRES_MAX)) {
            fault(report, "/terrain/origin", "\"origin\" has %s; allowed is -1048576 to 1048576",
                  vxb_text_f32(desc->origin[i], found));
            break;
        }
    if ((unsigned)desc->flip > VXB_FLIP_XZ)
        fault(report, "/terrain/flip", "\"flip\" is \"none\", \"x\", \"z\" or \"xz\"");
}

static void check_map(struct vxbi_report *report, const struct vxb_map_desc *map, const char *pointer)
{
    if (map->path && !*map->path)
        fault(report, pointer, "the map's path is empty");
    if ((unsigned)map->channel > VXB_CHANNEL_A)
        fault(report, pointer, "\"channel\" is \"r\", \"g\", \"b\" or \"a\"");
}

static void check_layers(struct vxbi_report *report, const struct vxb_terrain_desc *desc, bool inside)
{
    char pointer[VXBI_LAYER_POINTER_ROOM];
    struct vxb_error found = {0};
    if (inside && desc->layer_count)
        fault(report, "/terrain/layers", "the weight layers are in the .vxterrain itself: leave \"layers\" out");
    if (desc->layer_count > VXBI_TERRAIN_LAYERS_MAX) {
        vxbi_fail(&found, VXB_ERR_LIMIT, "there are %" PRIu32 " weight layers; allowed are at most %u",
                  desc->layer_count, VXBI_TERRAIN_LAYERS_MAX);
        vxbi_report(report, &found, NULL, "/terrain/layers");
        return;
    }
    for (uint32_t i = 0; i < desc->layer_count; i++) {
        const struct vxb_layer_desc *layer = &desc->layers[i];
        size_t size = layer->name ? strlen(layer->name) : 0;
        vxbi_layer_pointer(pointer, sizeof pointer, layer->name);
        if (size == 0 || size > 255 || !vxbi_utf8_valid(layer->name, size))
            fault(report, pointer, "a layer's name is 1 to 255 bytes of UTF-8");
        for (uint32_t k = 0; size && k < i; k++)
            if (desc->layers[k].name && strcmp(desc->layers[k].name, layer->name) == 0) {
                fault(report, pointer, "two layers have the name \"%s\"", layer->name);
                break;
            }
        if (!layer->map.path)
            fault(report, pointer, "the layer has no file");
        check_map(report, &layer->map, pointer);
    }
}

bool vxbi_check_desc(struct vxbi_report *report, const struct vxb_terrain_desc *desc, enum vxb_terrain_kind *kind)
{
    struct vxb_error size = {0};
    bool known = desc->path && vxbi_kind_of_name(desc->path, kind);
    if (!desc->path || !*desc->path)
        fault(report, "/terrain/file", "\"file\" is missing: give the terrain's path");
    else if (!known)
        fault(report, "/terrain/file",
              "the file's kind is told by its name's ending: .png, .pfm, .r16, .r32, .raw or .vxterrain, found \"%s\"",
              desc->path);
    check_layers(report, desc, known && *kind == VXB_TERRAIN_VXTERRAIN);
    check_map(report, &desc->exclude, "/terrain/exclude");
    check_map(report, &desc->scale, "/terrain/scale");
    check_map(report, &desc->stomp, "/terrain/stomp");
    if (!known)
        return false;
    check_raw(report, desc, *kind == VXB_TERRAIN_RAW);
    check_range(report, desc, *kind);
    check_place(report, desc, *kind);
    return *kind != VXB_TERRAIN_RAW || ((unsigned)desc->sample <= VXB_SAMPLE_F32 &&
                                        !vxbi_check_terrain_size(desc->width, desc->height, &size));
}
