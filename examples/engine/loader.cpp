// SPDX-License-Identifier: MIT-0
// Streams a baked field into the slots of a ring while a camera crosses it, and has the commands of each frame. What
// would be a GPU buffer is a vector here.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <vxbake/grass.h>
#include <vxbake/ring.h>
#include <vxbake/runtime.h>

#include "blade.hpp"

namespace {

void check(vxb_status status, const vxb_error &err)
{
    if (status == VXB_OK)
        return;
    char text[2048];
    throw std::runtime_error(vxb_error_format(&err, text, sizeof text));
}

template <typename T, void (*release)(T *)> struct Release {
    void operator()(T *object) const { release(object); }
};
template <typename T, void (*release)(T *)> using Owned = std::unique_ptr<T, Release<T, release>>;

using Grass = Owned<vxb_grass, vxb_grass_close>;
using Runtime = Owned<vxb_runtime, vxb_runtime_free>;
using Ring = Owned<vxb_ring, vxb_ring_free>;
using Culler = Owned<vxb_culler, vxb_culler_free>;
using Scratch = Owned<vxb_runtime_scratch, vxb_runtime_scratch_free>;

class Field {
public:
    Field(const char *path, std::uint32_t slots)
    {
        vxb_error err{};
        vxb_grass *grass = nullptr;
        check(vxb_grass_open(nullptr, path, &grass, &err), err);
        grass_.reset(grass);

        vxb_runtime_options options{};
        options.size = sizeof options;
        options.ranks_only = true; // blades are read when their cell gets a slot
        vxb_runtime *runtime = nullptr;
        check(vxb_runtime_load(nullptr, grass, &options, &runtime, &err), err);
        runtime_.reset(runtime);

        const auto grid = vxb_runtime_grid(runtime);
        vxb_ring *ring = nullptr;
        check(vxb_ring_new(nullptr, &grid, slots, &ring, &err), err);
        ring_.reset(ring);

        vxb_culler *culler = nullptr;
        check(vxb_culler_new(nullptr, runtime, &culler, &err), err);
        culler_.reset(culler);

        slot_bytes_ = static_cast<std::size_t>(vxb_runtime_slot_blades(runtime)) * VXB_RUNTIME_RECORD_BYTES;
        buffer_.resize(slot_bytes_ * slots);
    }

    // Brings the slots up to date; returns how many cells were read.
    std::uint32_t stream(const float view[3], float range)
    {
        vxb_error err{};
        vxb_ring_change change{};
        check(vxb_ring_update(ring_.get(), view, range, &change, &err), err);
        for (std::uint32_t i = 0; i < change.created_count; i++) {
            const vxb_ring_slot &cell = change.created[i];
            vxb_runtime_scratch *scratch = scratch_.release();
            std::uint32_t blades = 0;
            const vxb_status status =
                vxb_runtime_read_cell(runtime_.get(), cell.cell_x, cell.cell_z,
                                      buffer_.data() + cell.slot * slot_bytes_, slot_bytes_, &blades, &scratch, &err);
            scratch_.reset(scratch);
            check(status, err);
        }
        return change.created_count;
    }

    // The frame's commands: result.commands goes into the indirect buffer, each batch is one indirect draw.
    const vxb_cull_result &cull(const vxb_view &view)
    {
        vxb_error err{};
        const vxb_cull_result *result = nullptr;
        check(vxb_cull(culler_.get(), &view, ring_.get(), &result, &err), err);
        return *result;
    }

    // What instance i of a command draws.
    grass::Blade blade(std::uint32_t instance) const
    {
        return grass::read24(buffer_.data() + static_cast<std::size_t>(instance) * VXB_RUNTIME_RECORD_BYTES);
    }

    // The same blade from the file's record: the first of a chunk.
    grass::Blade first_of(std::uint32_t index) const
    {
        vxb_error err{};
        std::uint32_t count = 0;
        const vxb_grass_chunk &chunk = vxb_runtime_chunks(runtime_.get(), &count)[index];
        std::vector<std::uint8_t> records(static_cast<std::size_t>(chunk.blade_count) * VXB_GRASS_RECORD_BYTES);
        check(vxb_grass_read_chunk(grass_.get(), &chunk, records.data(), records.size(), nullptr, &err), err);
        const double size = vxb_grass_header(grass_.get())->cell_size;
        return grass::read16(records.data(),
                             {chunk.cell_x * size, chunk.cell_z * size, chunk.min_y, chunk.max_y, size});
    }

private:
    Grass grass_;
    Runtime runtime_;
    Ring ring_;
    Culler culler_;
    Scratch scratch_;
    std::size_t slot_bytes_ = 0;
    std::vector<std::uint8_t> buffer_;
};

// A compiler may fuse what one of the two multiplies and adds.
bool near(float a, float b)
{
    return std::fabs(a - b) < 1e-4f;
}

bool same(const grass::Blade &a, const grass::Blade &b)
{
    return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z) && near(a.up[0], b.up[0]) && near(a.up[1], b.up[1]) &&
           near(a.up[2], b.up[2]) && near(a.yaw, b.yaw) && near(a.tint, b.tint) && near(a.phase, b.phase) &&
           a.scale == b.scale && a.rank == b.rank;
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: loader FIELD.vxg\n");
        return 2;
    }
    Field field(argv[1], 40);
    unsigned long long cells = 0, commands = 0, instances = 0, wrong = 0;
    for (int frame = 0; frame < 100; frame++) {
        vxb_view view{};
        view.position[0] = view.position[2] = static_cast<float>(frame);
        view.position[1] = 4.0f;
        view.range = 40.0f;
        view.density = 1.0f;
        cells += field.stream(view.position, view.range);
        const vxb_cull_result &result = field.cull(view);
        for (std::uint32_t i = 0; i < result.total.commands; i++) {
            const vxb_draw_command &command = result.commands[i];
            instances += command.instance_count;
            wrong += !same(field.blade(command.first_instance), field.first_of(result.chunks[i]));
        }
        commands += result.total.commands;
    }
    std::printf("%llu cells read, %llu commands, %llu instances\n", cells, commands, instances);
    if (wrong > 0)
        throw std::runtime_error("a slot holds another blade than the file");
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "loader: %s\n", error.what());
    return 1;
}
