#!/usr/bin/env python3
"""A second reader of irradiance fields, written from "IRRADIANCE FIELDS" of vxbake-format(5) alone.

As independent_reader.py, whose tools it uses, it shares nothing with the library, checks every rule of the page that a
reader can check, and refuses a file at the first one that does not hold: borders are made anew from the probes.
"""

import argparse
import csv
import json
import math
import struct
import subprocess
import sys

from independent_reader import Hashes, Wrong, f32, need, up

HEADER = struct.Struct("<8sIIQHHI3f3f3I3IIIQQQQQ")
COMPRESSED, INEXACT = 1, 4
FLOATS = 14  # L00, L1-1, L10, L11 of red, green, blue each; validity; sun shadow
VALIDITY, SHADOW = 12, 13


def f16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def bits(values):
    return struct.pack("<%df" % len(values), *values)


class Field:
    def __init__(self, data):
        self.hashes = Hashes()
        self.read_header(data)
        self.read_bricks(data)
        self.read_planes(data)
        self.check_identities(data)
        self.hashes.check()
        self.check_probes()
        self.check_borders()

    # ---- header and tables ----

    def read_header(self, data):
        need(len(data) >= 128, "the file has a header of 128 bytes", len(data))
        (magic, version, size, self.file_size, self.flags, self.revision, self.encoding, *rest) = \
            HEADER.unpack_from(data)
        self.minimum, self.maximum, self.cells, self.slots = rest[0:3], rest[3:6], rest[6:9], rest[9:12]
        self.count, zero, self.bake_id, self.content_id, self.tables_hash, zeros, self.header_hash = rest[12:]
        need(magic == bytes.fromhex("89565850 0D0A1A0A"), "the magic", magic.hex())
        need(version == 1 and size == 128, "format 1 with a header of 128 bytes", version, size)
        need(self.file_size == len(data), "the file size", self.file_size, len(data))
        need(self.flags & ~5 == 0, "only flag bits 0 and 2 have a meaning", self.flags)
        need(self.revision != 0, "a bake revision")
        need(self.encoding in (0, 1), "the encoding is f32 or f16", self.encoding)
        need(zero == 0 and zeros == 0, "reserved words are zero")
        for low, high, cells in zip(self.minimum, self.maximum, self.cells):
            need(1 <= cells <= 1024, "1 to 1024 cells an axis", cells)
            need(-1048576 <= low < high <= 1048576, "bounds ascend within 2^20 m", low, high)
            need((high - low) / cells >= 2**-10, "a cell has at least 2^-10 m", low, high, cells)
        need(math.prod(self.cells) <= 1 << 27, "2^27 cells in all")
        need(1 <= math.prod(self.slots) <= 1 << 20, "2^20 slots in all", self.slots)
        need(self.count <= math.prod(self.slots), "no more bricks than slots", self.count)
        self.texels = 125 * math.prod(self.slots)
        self.hashes.ask("header hash", data[:120] + bytes(8), self.header_hash)

    def read_bricks(self, data):
        self.bricks = [struct.unpack_from("<IIIII", data, 128 + 20 * i) for i in range(self.count)]
        end = 128 + 20 * self.count
        self.plane_table = up(end, 8)
        need(not any(data[end:self.plane_table]), "zeros behind the brick table")
        self.over, taken, before = {}, set(), None
        for slot, x, y, z, size in self.bricks:
            need(slot < math.prod(self.slots) and slot not in taken, "each brick has a slot of its own", slot)
            taken.add(slot)
            need(0 < size <= 1024 and size & (size - 1) == 0, "a size is a power of two up to 1024", size)
            need(all(at % size == 0 and at < cells for at, cells in zip((x, y, z), self.cells)),
                 "a brick starts in the grid at a multiple of its size", x, y, z, size)
            need(before is None or before < (z, y, x), "bricks ascend", (z, y, x))
            before = (z, y, x)
            for cz in range(z, min(z + size, self.cells[2])):
                for cy in range(y, min(y + size, self.cells[1])):
                    for cx in range(x, min(x + size, self.cells[0])):
                        need((cx, cy, cz) not in self.over, "no cell lies in two bricks", cx, cy, cz)
                        self.over[cx, cy, cz] = (slot, x, y, z, size)

    def read_planes(self, data):
        end, self.planes, self.plane_hashes = self.plane_table + 96, [], []
        texel = struct.Struct("<4e" if self.encoding else "<4f")
        for k in range(4):
            offset, size, expected = struct.unpack_from("<QQQ", data, self.plane_table + 24 * k)
            start = end if self.flags & COMPRESSED else up(end, 64)
            need(offset == start, "where plane %d starts" % k, offset, start)
            need(not any(data[end:offset]), "zeros before plane %d" % k)
            end = offset + size
            need(end <= len(data), "plane %d lies in the file" % k, end)
            raw = data[offset:end]
            if self.flags & COMPRESSED:
                raw = subprocess.run(["zstd", "-dcq"], input=raw, stdout=subprocess.PIPE, check=True).stdout
            need(len(raw) == self.texels * texel.size, "the bytes of plane %d" % k, len(raw))
            self.hashes.ask("hash of plane %d" % k, raw, expected)
            self.plane_hashes.append(expected)
            self.planes.append(list(texel.iter_unpack(raw)))
            if k == 0:
                self.first_plane = offset
        need(end == len(data), "the last plane ends the file", end)

    def check_identities(self, data):
        self.hashes.ask("tables hash", data[128:self.first_plane], self.tables_hash)
        self.hashes.ask("content id", data[32:80] + data[28:32] + data[128:128 + 20 * self.count] +
                        struct.pack("<4Q", *self.plane_hashes), self.content_id)

    # ---- texels ----

    def place(self, slot, x, y, z):
        columns, rows, _ = self.slots
        return ((5 * (slot // (columns * rows)) + z) * 5 * rows + 5 * (slot // columns % rows) + y) * 5 * columns + \
            5 * (slot % columns) + x

    def texel(self, slot, x, y, z):
        """The 14 numbers that a file has of a texel."""
        at = self.place(slot, x, y, z)
        l00, l1m1, l10, l11 = (plane[at] for plane in self.planes)
        return l00[:3] + l1m1[:3] + l10[:3] + l11[:3] + (l00[3], l1m1[3])

    def check_probes(self):
        owned = {brick[0] for brick in self.bricks}
        self.probes = {}
        for slot in range(math.prod(self.slots)):
            for i in range(125):
                at = i % 5, i // 5 % 5, i // 25
                spare = [self.planes[k][self.place(slot, *at)][3] for k in (2, 3)]
                need(not any(bits(spare)), "the spare numbers of planes 2 and 3 are zero bits", slot, at)
                values = self.texel(slot, *at)
                if slot not in owned:
                    need(not any(bits(values)), "texels of slots without a brick are zero bits", slot, at)
                elif 4 not in at:
                    self.check_probe(slot, at, values)

    def check_probe(self, slot, at, values):
        where = "the probe %s of slot %d" % (at, slot)
        need(all(math.isfinite(value) for value in values), "finite: " + where)
        need(0 <= values[VALIDITY] <= 1 and 0 <= values[SHADOW] <= 1, "validity and shadow are 0 to 1: " + where)
        for c in range(3):
            mean, length = values[c], math.hypot(values[3 + c], values[6 + c], values[9 + c])
            need(mean >= 0 and length <= 1.7321 * mean * (1 + 2**-9) + 2**-20 + 1e-12,
                 "the light that a radiance can have: " + where, mean, length)
        self.probes[(slot,) + at] = values

    # ---- borders ----

    def check_borders(self):
        """Made anew, from the coarsest to the finest; before[] has those of coarser bricks too."""
        made = dict(self.probes)
        for size in sorted({brick[4] for brick in self.bricks}, reverse=True):
            for rank in 1, 2, 3:
                step = {}
                for brick in self.bricks:
                    for i in range(125 if brick[4] == size else 0):
                        at = i % 5, i // 5 % 5, i // 25
                        if at.count(4) == rank:
                            step[(brick[0],) + at] = self.border(made, brick, at)
                made.update(step)
        for (slot, *at), values in made.items():
            if 4 in at:
                values = tuple(f16(value) for value in values) if self.encoding else values
                need(bits(values) == bits(self.texel(slot, *at)), "the border %s of slot %d" % (at, slot))

    def border(self, made, brick, at):
        slot, *cell, size = brick
        position = [4 * cell[a] + size * at[a] for a in range(3)]
        covered = all(0 <= position[a] <= 4 * self.cells[a] for a in range(3))
        other = self.over.get(tuple(min(position[a] // 4, self.cells[a] - 1) for a in range(3))) if covered else None
        if other is None:
            return made[(slot,) + tuple(min(i, 3) for i in at)]
        if other[4] > size:
            return self.sample(made, other[0], [(position[a] - 4 * other[1 + a]) / other[4] for a in range(3)])
        index = [(position[a] - 4 * other[1 + a]) // other[4] for a in range(3)]
        # Of a brick of the same size at the far edge of the grid only what is its own is there yet.
        return made[(other[0],) + tuple(min(i, 3) for i in index)]

    @staticmethod
    def sample(made, slot, scaled):
        """Trilinear, every step rounded to f32; a product of two is exact in f64."""
        low = [min(int(value), 3) for value in scaled]
        t = [value - whole for value, whole in zip(scaled, low)]

        def mix(a, b, part):
            return tuple(f32(f32(f32(1 - part) * x) + f32(part * y)) for x, y in zip(a, b))

        def row(y, z):
            return mix(made[slot, low[0], y, z], made[slot, low[0] + 1, y, z], t[0])

        def layer(z):
            return mix(row(low[1], z), row(low[1] + 1, z), t[1])

        return mix(layer(low[2]), layer(low[2] + 1), t[2])


def compare_probes(field, path):
    """With what vxinspect --probes printed."""
    names = [band + "_" + c for band in ("l00", "l1m1", "l10", "l11") for c in "rgb"] + ["validity", "sun_shadow"]
    with open(path, newline="", encoding="utf-8") as source:
        rows = csv.DictReader(source)
        for index, (slot, *cell, size) in enumerate(field.bricks):
            for k in range(64):
                row, at = next(rows, None), (k % 4, k // 4 % 4, k // 16)
                need(row is not None, "every probe is printed", index, k)
                need(row["brick"] == str(index) and row["probe"] == str(k), "where a probe stands", row)
                need(bits([float(row[name]) for name in names]) == bits(field.probes[(slot,) + at]), "a probe", row)
                for a, axis in enumerate("xyz"):
                    metres = (field.maximum[a] - field.minimum[a]) / field.cells[a]
                    mine = field.minimum[a] + (cell[a] + size * at[a] / 4) * metres
                    need(abs(float(row[axis]) - mine) <= 1e-6 * (field.maximum[a] - field.minimum[a]), "a place", row)
        need(next(rows, None) is None, "no more probes are printed than there are")


def compare_summary(field, path):
    """With what vxbake inspect --format json printed."""
    with open(path, encoding="utf-8") as source:
        said = json.load(source)["header"]
    mine = {"bake_revision": field.revision, "file_bytes": field.file_size, "brick_count": field.count,
            "encoding": ("f32", "f16")[field.encoding], "cells": list(field.cells), "slots": list(field.slots),
            "content_id": "0x%016x" % field.content_id, "bake_id": "0x%016x" % field.bake_id,
            "tables_hash": "0x%016x" % field.tables_hash, "header_hash": "0x%016x" % field.header_hash}
    for name, value in mine.items():
        need(said[name] == value, name, said[name], value)
    for name, bounds in ("bounds_min", field.minimum), ("bounds_max", field.maximum):
        need(tuple(f32(value) for value in said[name]) == tuple(bounds), name, said[name], bounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--probes", metavar="CSV", help="compare with what vxinspect --probes printed")
    parser.add_argument("--identities", metavar="JSON", help="compare with what vxbake inspect --format json printed")
    parser.add_argument("file")
    options = parser.parse_args()
    with open(options.file, "rb") as source:
        data = source.read()
    try:
        field = Field(data)
        if options.probes:
            compare_probes(field, options.probes)
        if options.identities:
            compare_summary(field, options.identities)
    except (Wrong, struct.error, subprocess.CalledProcessError) as wrong:
        print("%s: %s" % (options.file, wrong), file=sys.stderr)
        return 1
    json.dump({"content_id": "%016x" % field.content_id, "bricks": field.count, "probes": len(field.probes),
               "sizes": sorted({brick[4] for brick in field.bricks})}, sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
