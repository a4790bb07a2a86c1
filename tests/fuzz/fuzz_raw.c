/* Fuzz target of the hex view and of the hashes, on files that need not be any. The first byte: what the file is taken
 * for (0 to 2 its own word, else a format) and, in its upper half, which structure; the second: the first of them, 255
 * for all; the third and fourth: an offset, 65535 for none. The rest is the file.
 *
 * Nothing may crash or be read beyond the file's end, and what the reader accepts has no damage and no hash that does
 * not match. */
#include <stdlib.h>

#include "../bad_files.h"
#include "export/loose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_at(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    if (offset > file->size || size > file->size - offset)
        abort(); /* the view has promised */
    if (size)
        memcpy(buf, file->data + offset, size);
    return true;
}

/* Counts, and looks for what no text may hold. */
static bool take(void *user, const char *data, size_t size)
{
    uint64_t *lines = user;
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)data[i] < 0x20 && data[i] != '\n')
            abort();
        *lines += data[i] == '\n';
    }
    return true;
}

/* Whether the reader takes the file, its blades too. */
static bool is_sound(const struct vxb_env *env, const struct vxb_source *source)
{
    struct vxb_grass *grass = NULL;
    struct vxb_grass_scratch *scratch = NULL;
    bool sound = vxb_grass_open_source(env, source, NULL, &grass, NULL) == VXB_OK;
    for (uint32_t i = 0; sound && i < vxb_grass_header(grass)->chunk_count; i++) {
        struct vxb_grass_chunk chunk;
        sound = vxb_grass_chunks(grass, i, 1, &chunk, NULL) == VXB_OK;
        const size_t room = sound ? (size_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES : 0;
        uint8_t *records = malloc(room ? room : 1);
        if (!records)
            abort();
        sound = sound && vxb_grass_read_chunk(grass, &chunk, records, room, &scratch, NULL) == VXB_OK;
        free(records);
    }
    vxb_grass_scratch_free(scratch);
    vxb_grass_close(grass);
    return sound;
}

static void look(const struct vxb_env *env, const struct vxb_source *source, const uint8_t *how, bool sound)
{
    static const char *const structures[] = {"header", "section", "lod", "string", "chunk", "blade",
                                             "level",  "dfd",     "sample", "key", "nothing"};
    enum { STRUCTURES = sizeof structures / sizeof *structures };
    static const char *const forms[] = {NULL, NULL, NULL, "grass-1", "grass-2", "grass-3", "ktx2"};
    const uint16_t at = vxbi_load_u16(how + 2);
    const struct vxb_raw_options options = {.size = sizeof options,
                                            .format = at & 1 ? VXB_LIST_CSV : VXB_LIST_JSON,
                                            .structure = structures[(how[0] >> 4) % STRUCTURES],
                                            .as = forms[(how[0] & 15) % (sizeof forms / sizeof *forms)],
                                            .has_range = how[1] != 255,
                                            .first = how[1],
                                            .last = how[1] + 3u,
                                            .has_at = at != 65535,
                                            .at = at};
    uint64_t lines = 0, mismatches = 0;
    const struct vxb_sink sink = {&lines, take};
    struct vxbi_loose loose;
    struct vxb_raw_report report;
    struct vxb_error err = {0};
    if (vxbi_loose_open_source(env, source, "fuzz", &loose, &err) != VXB_OK)
        abort();
    enum vxb_status status = vxbi_list_raw(&loose, env, &options, &sink, &report, &err);
    if (status != err.status || (status != VXB_OK && !err.message[0]))
        abort();
    if (status == VXB_OK && sound && !options.as && (report.damaged || report.elsewhere))
        abort();
    vxbi_loose_close(&loose);
    vxb_error_clear(&err);
    if (vxbi_loose_open_source(env, source, "fuzz", &loose, &err) != VXB_OK)
        abort();
    status = vxbi_list_hashes(&loose, env, VXB_LIST_CSV, &sink, &mismatches, &err);
    if (status != err.status || (status == VXB_OK && sound && mismatches))
        abort();
    vxbi_loose_close(&loose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 20, .threads = 1};
    if (size < 4)
        return 0;
    struct test_file file = {.data = malloc(size), .size = size - 4};
    if (!file.data)
        abort();
    memcpy(file.data, data + 4, file.size);
    const struct vxb_source source = {.user = &file, .size = file.size, .read_at = read_at};
    look(&env, &source, data, is_sound(&env, &source));
    free(file.data);
    return 0;
}
