#!/usr/bin/env python3
"""A second bake of grass fields, written from "SCATTER" of vxbake-recipe(5).

independent_scatter.py VXBAKE FOLDER bakes fields in FOLDER, with VXBAKE and here, and tells where a record differs. f32
arithmetic is done in f64 and rounded, which for a single operation is the same.
"""
import json
import math
import random
import struct
import subprocess
import sys
import zlib

from independent_reader import Field

M32 = 0xFFFFFFFF


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def below(x):
    """The largest f32 below x, which is above 0."""
    return struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", x))[0] - 1))[0]


def clamp(x, low, high):
    return low if x < low else high if x > high else x


def add(a, b):
    return f32(a + b)


def sub(a, b):
    return f32(a - b)


def mul(a, b):
    return f32(a * b)


def div(a, b):
    return f32(a / b)


def root(x):
    return f32(math.sqrt(x))


def lerp(a, b, t):
    return add(a, mul(sub(b, a), t))


def polynomial(y, *factors):
    p = f32(factors[0])
    for factor in factors[1:]:
        p = add(mul(p, y), f32(factor))
    return p


def sine(x):
    y = mul(x, x)
    return add(x, mul(mul(x, y), polynomial(y, 2.63463803e-06, -0.000198227029, 0.00833324186, -0.16666666)))


def cosine(x):
    y = mul(x, x)
    p = polynomial(y, -2.65450734e-07, 2.47860518e-05, -0.00138888123, 0.0416666661)
    return add(sub(1, mul(0.5, y)), mul(mul(y, y), p))


def arc_sine(x):
    y = mul(x, x)
    p = polynomial(y, 0.0380850235, 0.0265545422, 0.0450013801, 0.0749885507, 0.166666724)
    return add(x, mul(mul(x, y), p))


def arc_cosine(x):
    if x >= 0.5:
        return mul(2, arc_sine(root(clamp(mul(sub(1, x), 0.5), 0, 0.25))))
    return sub(f32(1.57079637), arc_sine(x))


# ---- draws ----

def mix(seed, i):
    h = seed ^ i
    h ^= h >> 16
    h = h * 0x7FEB352D & M32
    h ^= h >> 15
    h = h * 0x846CA68B & M32
    return h ^ h >> 16


def bits(h, s):
    return mix(h ^ s * 0x027D4EB2 & M32, s)


def draw(h, s):
    return f32(bits(h, s)) * 2.0**-32


# ---- the ground ----

class Grid:
    """Samples, the border's beyond it."""

    def __init__(self, columns, rows, samples):
        self.columns, self.rows, self.samples = columns, rows, samples

    def at(self, x, z):
        return self.samples[clamp(z, 0, self.rows - 1) * self.columns + clamp(x, 0, self.columns - 1)]

    def between(self, x, z, fx, fz):
        return lerp(lerp(self.at(x, z), self.at(x + 1, z), fx), lerp(self.at(x, z + 1), self.at(x + 1, z + 1), fx), fz)


class Ground:
    def __init__(self, terrain, grids):
        self.m = f32(terrain["metres_per_quad"])
        self.low, high = (f32(y) for y in terrain["range"])
        self.range = sub(high, self.low)
        self.origin = [f32(c) for c in terrain.get("origin", [0, 0, 0])]
        self.heights, self.grids = grids["heights"], grids
        self.extent = [(self.heights.columns - 1) * self.m, (self.heights.rows - 1) * self.m]
        self.width, self.depth = f32(self.extent[0]), f32(self.extent[1])

    def height(self, raw):
        return add(self.low, mul(div(raw, 65535), self.range))

    def quad(self, u, v):
        qu, qv = div(u, self.m), div(v, self.m)
        return math.floor(qu), math.floor(qv), sub(qu, math.floor(qu)), sub(qv, math.floor(qv))

    def surface(self, u, v):
        x, z, fx, fz = self.quad(u, v)
        h = {(i, j): self.height(self.heights.between(x + i, z + j, fx, fz))
             for i, j in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))}
        dx, up, dz = sub(h[-1, 0], h[1, 0]), mul(2, self.m), sub(h[0, -1], h[0, 1])
        length = root(add(add(mul(dx, dx), mul(up, up)), mul(dz, dz)))
        return add(self.origin[1], h[0, 0]), (div(dx, length), div(up, length), div(dz, length))

    def axes(self, grid, u, v):
        a = div(u, self.m) if grid.columns == self.heights.columns else mul(div(u, self.width), grid.columns - 1)
        b = div(v, self.m) if grid.rows == self.heights.rows else mul(div(v, self.depth), grid.rows - 1)
        return a, b

    def map(self, name, u, v):
        a, b = self.axes(self.grids[name], u, v)
        x, z = math.floor(a), math.floor(b)
        return div(self.grids[name].between(x, z, sub(a, x), sub(b, z)), 255)

    def nearest(self, name, u, v):
        a, b = self.axes(self.grids[name], u, v)
        return self.grids[name].at(math.floor(add(a, 0.5)), math.floor(add(b, 0.5)))


# ---- a cell ----

class Bake:
    def __init__(self, recipe, grids, sections):
        self.ground = Ground(recipe["terrain"], grids)
        self.size = f32(recipe["cell_size"])
        self.seed = recipe.get("seed", 0)
        self.side = max(1, round(mul(self.size, root(f32(recipe["density"])))))
        self.step = div(self.size, self.side)
        self.rank_cut = round(mul(f32(recipe.get("density_scale", 1)), 65536))
        by_name = {species["name"]: species for species in recipe["species"]}
        self.species = [dict(by_name[section.species], parts=section.share) for section in sections]

    def cells(self):
        runs = []
        for axis, origin in ((0, self.ground.origin[0]), (1, self.ground.origin[2])):
            high = origin + self.ground.extent[axis]
            last = math.floor(high / self.size)
            runs.append(range(math.floor(origin / self.size), last if last * self.size == high else last + 1))
        return [(x, z) for z in runs[1] for x in runs[0]]

    def candidate(self, cell, i):
        """Species, rank and what else a blade has; None: it is none."""
        g = self.ground
        seed = (cell[0] & M32) * 0x9E3779B1 & M32 ^ (cell[1] & M32) * 0x85EBCA77 & M32 ^ mix(self.seed, 0)
        h = mix(seed, i)
        part, number = bits(h, 11) * 1000000 >> 32, 0
        while part >= self.species[number]["parts"]:
            part -= self.species[number]["parts"]
            number += 1
        s = self.species[number]
        reach = div(mul(f32(s["jitter"]), self.step), 2)
        x, z = (clamp(add(mul(slot + 0.5, self.step), mul(sub(mul(2, draw(h, stream)), 1), reach)), 0, below(self.size))
                for slot, stream in ((i % self.side, 6), (i // self.side, 7)))
        u = add(f32(cell[0] * self.size - g.origin[0]), x)
        v = add(f32(cell[1] * self.size - g.origin[2]), z)
        if u < 0 or u > g.width or v < 0 or v > g.depth:
            return None
        scale = add(f32(s["min_scale"]), mul(sub(f32(s["max_scale"]), f32(s["min_scale"])), draw(h, 3)))
        scale = mul(scale, g.map("scale", u, v))
        if g.nearest("exclude", u, v) >= 128 or scale < 2.0**-10:
            return None
        y, normal = g.surface(u, v)
        if normal[1] < cosine(f32(s["max_slope"])):
            return None
        if "altitude" in s and not f32(s["altitude"][0]) <= y <= f32(s["altitude"][1]):
            return None
        k = self.willing(s, g.map(s["layer"], u, v)) if "layer" in s else 1
        if draw(h, 8) >= k:
            return None
        rank = min(65535, int(mul(div(draw(h, 8), k), 65536)))
        return (number, rank, h, x, z, y, scale, normal) if rank < self.rank_cut else None

    @staticmethod
    def willing(s, weight):
        low = f32(s["min_weight"])
        span = sub(max(f32(s["max_weight"]), add(low, f32(0.0001))), low)
        t = clamp(div(sub(weight, low), span), 0, 1)
        return mul(mul(t, t), sub(3, mul(2, t)))

    def heights(self, cell):
        g = self.ground
        runs = []
        for at, origin, count in ((cell[0], g.origin[0], g.heights.columns), (cell[1], g.origin[2], g.heights.rows)):
            low = at * self.size - origin
            ends = math.floor(low / g.m) - 1, math.floor((low + self.size) / g.m) + 2
            runs.append(range(clamp(ends[0], 0, count - 1), clamp(ends[1], 0, count - 1) + 1))
        raw = [g.heights.at(x, z) for z in runs[1] for x in runs[0]]
        return [add(g.origin[1], g.height(pick(raw))) for pick in (min, max)]

    def up(self, s, normal):
        nx, ny, nz = normal
        flat = root(add(mul(nx, nx), mul(nz, nz)))
        if ny > f32(0.9999) or flat == 0:
            return 0, 0
        angle = mul(f32(s["align_to_normal"]), arc_cosine(ny))
        x, y, z = mul(div(nx, flat), sine(angle)), cosine(angle), mul(div(nz, flat), sine(angle))
        total = add(add(abs(x), y), abs(z))
        code = [math.copysign(int(add(abs(mul(div(c, total), 127)), 0.5)), c) for c in (x, z)]
        ox, oz = (int(c) for c in code)
        if abs(ox) + abs(oz) > 127:
            if abs(ox) >= abs(oz):
                ox -= 1 if ox > 0 else -1
            else:
                oz -= 1 if oz > 0 else -1
        return ox, oz

    def record(self, blade, low, high):
        number, rank, h, x, z, y, scale, normal = blade
        s = self.species[number]
        span = sub(high, low)
        height = int(add(div(mul(sub(clamp(y, low, high), low), 65535), span), 0.5)) if span > 0 else 0
        return struct.pack("<HHHHebbBBH", int(div(mul(x, 65536), self.size)), int(div(mul(z, 65536), self.size)), height,
                           bits(h, 1) >> 16 if s["random_yaw"] else 0, scale, *self.up(s, normal), bits(h, 9) >> 24,
                           bits(h, 10) >> 24, rank)

    def chunks(self, budgets):
        """Records of each chunk, by section, then z, then x."""
        kept = [[] for _ in self.species]
        for cell in self.cells():
            for i in range(self.side * self.side):
                blade = self.candidate(cell, i)
                if blade:
                    kept[blade[0]].append((blade[1], blade[2], cell[1], cell[0], blade))
        out = {}
        for number, blades in enumerate(kept):
            for rank, h, z, x, blade in sorted(blades)[:budgets[number]]:
                out.setdefault((number, z, x), []).append(blade)
        return {key: b"".join(self.record(blade, *self.heights((key[2], key[1]))) for blade in blades)
                for key, blades in sorted(out.items())}


# ---- fields to bake ----

def write_png(path, grid):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + bytes(grid.samples[z * grid.columns:(z + 1) * grid.columns]) for z in range(grid.rows))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", grid.columns, grid.rows, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def make_field(seed, folder):
    """A recipe of everything a scatter knows, but holes, and its grids."""
    chance = random.Random(seed)
    columns, rows = chance.randint(4, 12), chance.randint(4, 12)

    def painted(same):
        size = (columns, rows) if same else (chance.randint(1, 9), chance.randint(1, 9))
        return Grid(*size, [chance.randrange(256) for _ in range(size[0] * size[1])])

    grids = {"heights": Grid(columns, rows, [20000 + chance.randrange(chance.choice((200, 9000)))
                                             for _ in range(columns * rows)]),
             "Grass": painted(True), "Dirt": painted(False), "scale": painted(seed % 2 == 0)}
    size = (chance.randint(1, 9), rows)
    grids["exclude"] = Grid(*size, [255 * (chance.random() < 0.1) for _ in range(size[0] * size[1])])
    with open("%s/heights.r16" % folder, "wb") as file:
        file.write(struct.pack("<%dH" % (columns * rows), *grids["heights"].samples))
    for name in grids:
        if name != "heights":
            write_png("%s/%s.png" % (folder, name), grids[name])
    species = []
    for i in range(chance.randint(1, 4)):
        low, less = chance.uniform(0, 0.5), chance.uniform(0.01, 1)
        s = {"name": "s%d" % i, "share": chance.uniform(0.2, 3), "jitter": chance.random(), "min_scale": less,
             "max_scale": less + chance.random(), "random_yaw": chance.random() < 0.7, "min_weight": low,
             "max_weight": low + chance.uniform(0, 0.5), "max_slope": chance.uniform(0.3, 1.5708),
             "align_to_normal": chance.random()}
        if chance.random() < 0.7:
            s["layer"] = chance.choice(("Grass", "Dirt"))
        if chance.random() < 0.3:
            s["altitude"] = [0, chance.uniform(10, 20)]
        species.append(s)
    terrain = {"file": "heights.r16", "size": [columns, rows], "range": [chance.uniform(-50, 0), chance.uniform(1, 40)],
               "metres_per_quad": chance.uniform(0.5, 3), "origin": [chance.uniform(-90, 90) for _ in range(3)],
               "layers": {"Grass": "Grass.png", "Dirt": "Dirt.png"}, "scale": "scale.png", "exclude": "exclude.png"}
    terrain["origin"][1] = chance.uniform(-3, 3)
    recipe = {"kind": "grass-field", "seed": chance.choice((0, 7, M32)), "cell_size": chance.uniform(3, 9),
              "density": chance.uniform(3, 9), "density_scale": chance.choice((1, 0.7)), "terrain": terrain,
              "species": species}
    if chance.random() < 0.5:
        recipe["budgets"] = {"max_blades": chance.randrange(300)}
    with open("%s/recipe.json" % folder, "w") as file:
        json.dump(recipe, file)
    return recipe, grids


def main():
    vxbake, folder = sys.argv[1:]
    blades = 0
    for seed in range(1, 13):
        recipe, grids = make_field(seed, folder)
        subprocess.run([vxbake, "bake", "-q", "%s/recipe.json" % folder, "-o", "%s/field.vxg" % folder], check=True)
        with open("%s/field.vxg" % folder, "rb") as file:
            data = file.read()
        field = Field(data)
        bake = Bake(recipe, grids, field.sections)
        found = {(c.section, c.cell_z, c.cell_x): data[c.offset:c.offset + c.size] for c in field.chunks}
        expected = bake.chunks([min(section.budget, M32) for section in field.sections])
        for key in sorted(set(found) | set(expected)):
            if found.get(key) != expected.get(key):
                print("field %d: section %d, cell z %d, x %d: %d and %d blades, or their records differ" %
                      ((seed,) + key + (len(found.get(key, b"")) // 16, len(expected.get(key, b"")) // 16)),
                      file=sys.stderr)
                return 1
        for c in field.chunks:
            if [c.low, c.high] != bake.heights((c.cell_x, c.cell_z)):
                print("field %d: the heights of a chunk differ" % seed, file=sys.stderr)
                return 1
        blades += field.header.blades
    print("12 fields, %d blades" % blades)
    return 0 if blades > 1000 else 1


sys.exit(main())
