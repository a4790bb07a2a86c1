/* What an engine does, with libvxbake-read and nothing else: opens a field through a callback, loads it, walks a
 * ring over it and culls. tests/read-library runs it; with WITH_BOTH libvxbake is linked too, and has a say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vxbake/runtime.h>
#if defined(WITH_BOTH)
#include <vxbake/verify.h>
#endif

static int fail(const char *what, const struct vxb_error *err)
{
    char text[2048];
    fprintf(stderr, "%s: %s\n", what, vxb_error_format(err, text, sizeof text));
    return err->status == VXB_ERR_UNSUPPORTED ? 4 : 1;
}

struct memory {
    unsigned char *data;
    size_t size;
};

static bool read_memory(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct memory *memory = user;
    memcpy(buf, memory->data + offset, size);
    return true;
}

static bool slurp(const char *path, struct memory *out)
{
    FILE *file = fopen(path, "rb");
    const size_t room = (size_t)64 << 20;
    out->data = file ? malloc(room) : NULL;
    out->size = out->data ? fread(out->data, 1, room, file) : 0;
    if (file)
        fclose(file);
    return out->size > 0 && out->size < room;
}

static int walk(const struct vxb_runtime *runtime, struct vxb_ring *ring, struct vxb_culler *culler,
                struct vxb_error *err)
{
    const struct vxb_cull_result *result;
    struct vxb_view view = {.range = 200.0f, .density = 1.0f};
    unsigned long long created = 0, blades = 0, commands = 0;
    const size_t room = (size_t)vxb_runtime_slot_blades(runtime) * VXB_RUNTIME_RECORD_BYTES;
    unsigned char *slot = malloc(room ? room : 1);
    for (int i = 0; slot && i < 20; i++) {
        struct vxb_ring_change change;
        view.position[0] = view.position[2] = -64.0f + 8.0f * (float)i;
        if (vxb_ring_update(ring, view.position, 96.0f, &change, err))
            break;
        for (uint32_t k = 0; k < change.created_count; k++) {
            uint32_t n;
            if (vxb_runtime_read_cell(runtime, change.created[k].cell_x, change.created[k].cell_z, slot, room, &n, NULL,
                                      err))
                break;
            blades += n;
        }
        created += change.created_count;
        if (vxb_cull(culler, &view, ring, &result, err))
            break;
        commands += result->total.commands;
    }
    free(slot);
    if (err->status)
        return fail("walk", err);
    printf("created %llu, blades %llu, commands %llu\n", created, blades, commands);
    return 0;
}

int main(int argc, char **argv)
{
    struct memory memory = {NULL, 0};
    struct vxb_error err = {0};
    struct vxb_grass *grass = NULL;
    struct vxb_runtime *runtime = NULL;
    struct vxb_ring *ring = NULL;
    struct vxb_culler *culler = NULL;
    if (argc != 2 || !slurp(argv[1], &memory))
        return 2;
    const struct vxb_source source = {&memory, memory.size, read_memory};
    const struct vxb_runtime_options options = {.size = sizeof options, .ranks_only = true};
    int code = 0;
    if (vxb_grass_open_source(NULL, &source, argv[1], &grass, &err) ||
        vxb_runtime_load(NULL, grass, &options, &runtime, &err))
        code = fail("load", &err);
    if (!code) {
        const struct vxb_ring_grid grid = vxb_runtime_grid(runtime);
        code = vxb_ring_new(NULL, &grid, 12, &ring, &err) || vxb_culler_new(NULL, runtime, &culler, &err)
                   ? fail("set up", &err)
                   : walk(runtime, ring, culler, &err);
    }
#if defined(WITH_BOTH)
    const struct vxb_verify_options verify = {.size = sizeof verify};
    struct vxb_verify_report *report = NULL;
    if (!code && vxb_verify(NULL, argv[1], &verify, &report, &err))
        code = fail("verify", &err);
    vxb_verify_report_free(report);
#endif
    vxb_culler_free(culler);
    vxb_ring_free(ring);
    vxb_runtime_free(runtime);
    vxb_grass_close(grass);
    free(memory.data);
    return code;
}
