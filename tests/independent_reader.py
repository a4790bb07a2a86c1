#!/usr/bin/env python3
"""A second reader of grass files, formats 2 and 3, written from vxbake-format(5) alone.

It shares no line and no idea with the library, so that what the page says and what the program writes can be held
against each other.  It checks every rule of the page that a reader can check and refuses a file at the first one that
does not hold.  zstd(1) decompresses and xxhsum(1) hashes; the rest is python's standard library.
"""

import argparse
import array
import collections
import csv
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

MAGIC = bytes.fromhex("89565847 0D0A1A0A")
NONE = 4294967295
BLADE = struct.Struct("<HHHHebbBBH")
FAR = 1048576.0

COMPRESSED, SPLIT, INEXACT, REGION = 1, 2, 4, 8


class Wrong(Exception):
    """A rule of the page does not hold."""


def need(holds, rule, *found):
    if not holds:
        raise Wrong(rule + (": " + ", ".join(str(value) for value in found) if found else ""))


def up(offset, multiple):
    return (offset + multiple - 1) // multiple * multiple


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def f32_step(value, direction):
    """The next f32 towards plus or minus infinity."""
    if value == 0:
        return direction * 2.0**-149
    bits = struct.unpack("<i", struct.pack("<f", value))[0]
    bits += 1 if (value > 0) == (direction > 0) else -1
    return struct.unpack("<f", struct.pack("<i", bits))[0]


def f32_outward(value, direction):
    near = f32(value)
    inside = near > value if direction < 0 else near < value
    return f32_step(near, direction) if inside else near


class Hashes:
    """What is to have which hash; all of it is hashed in as few calls of xxhsum as can be."""

    def __init__(self):
        self.asked = []

    def ask(self, rule, data, expected):
        self.asked.append((rule, bytes(data), expected))

    def check(self, per_call=500):
        for first in range(0, len(self.asked), per_call):
            part = self.asked[first:first + per_call]
            for (rule, _, expected), found in zip(part, xxh3([data for _, data, _ in part])):
                need(found == expected, rule, "%016x is stored, %016x was found" % (expected, found))


def xxh3(parts):
    with tempfile.TemporaryDirectory() as folder:
        names = ["p%d" % i for i in range(len(parts))]
        for name, data in zip(names, parts):
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)
        done = subprocess.run(["xxhsum", "-H3"] + names, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=True)
    # Older releases print "XXH3 (NAME) = HASH", newer ones "XXH3_HASH  NAME".
    found = re.findall(r"\b(?:XXH3_)?([0-9a-f]{16})\b", done.stdout.decode())
    need(len(found) == len(parts), "xxhsum prints one hash a file", len(found), len(parts))
    return [int(digits, 16) for digits in found]


class Header:
    SIZE = 128
    LAYOUT = struct.Struct("<8sIIQHHIIIIIfIII3f3fIfQQQQ")

    def __init__(self, data, hashes):
        need(len(data) >= self.SIZE, "the file has a header of 128 bytes", len(data))
        (self.magic, self.format, self.header_size, self.file_size, self.flags, self.revision, self.sections,
         self.chunks, self.blades, self.lods, self.string_bytes, self.cell_size, self.max_commands, self.max_updates,
         self.budget, *rest) = self.LAYOUT.unpack_from(data)
        self.minimum, self.maximum = rest[0:3], rest[3:6]
        self.seed, self.density, self.bake_id, self.tables_hash, self.content_id, self.header_hash = rest[6:]
        need(self.magic == MAGIC, "the magic", self.magic.hex())
        need(self.format in (2, 3), "the format is 2 or 3", self.format)
        need(self.header_size == 128, "the header size is 128", self.header_size)
        need(self.file_size == len(data), "the file size", self.file_size, len(data))
        need(self.flags & ~15 == 0, "flag bits from 4 on are zero", self.flags)
        need(not self.flags & SPLIT or self.flags & COMPRESSED, "plane-split only when compressed", self.flags)
        least, most = (1, 1) if self.format == 2 else (2, 4)
        need(least <= self.sections <= most, "section count", self.sections)
        need(self.chunks < NONE, "chunk count", self.chunks)
        need(self.chunks <= self.blades < NONE, "blade count", self.blades)
        need(self.blades <= self.budget, "no more blades than the budget", self.blades, self.budget)
        need(1 <= self.cell_size <= 1024, "cell size", self.cell_size)
        if self.revision == 0:
            need(self.format == 2, "bake revision 0 is format 2")
            need(self.seed == 0 and self.bake_id == 0 and not any(data[92:96]),
                 "with bake revision 0 seed, density and bake id are zero")
        else:
            need(0 <= self.density < math.inf, "density", self.density)
            need(self.cell_size * math.sqrt(self.density) >= 0.5, "cell size * sqrt(density)", self.density)
            side = f32(self.cell_size * f32(math.sqrt(self.density)))
            need(round(side) <= 4096, "candidates along the side of a cell", side)
            self.candidates = max(1, round(side)) ** 2
        need(self.blades == 0 or self.chunks > 0, "blades stand in chunks", self.blades)
        need(all(math.isfinite(v) for v in self.minimum + self.maximum), "bounds are finite")
        hashes.ask("header hash", data[:120] + bytes(8), self.header_hash)


class Section:
    FORMAT_2 = struct.Struct("<QIIIIIBBH")
    FORMAT_3 = struct.Struct("<QQIIII")

    def __init__(self, data, offset, header):
        (self.species_id, self.material_index, self.first_chunk, self.chunks, self.first_blade, self.blades,
         self.lod_count, self.pass_count, self.rank_limit) = self.FORMAT_2.unpack_from(data, offset)
        need(1 <= self.lod_count <= 8, "LOD count", self.lod_count)
        need(1 <= self.pass_count <= 4, "pass count", self.pass_count)
        if header.format == 3:
            (self.profile_id, self.material_id, self.share, self.budget, zero,
             zero_too) = self.FORMAT_3.unpack_from(data, offset + 32)
            need(self.share >= 1, "share", self.share)
            need(zero == 0 and zero_too == 0, "the end of a section is zero")
            need(self.species_id != 0, "species id 0 only in format 2")
        else:
            self.profile_id, self.material_id, self.share, self.budget = None, None, 1000000, header.budget
        need(self.chunks <= self.blades, "at least one blade a chunk", self.chunks, self.blades)
        if self.chunks == 0:
            need(self.blades == 0 and self.rank_limit == 0, "a section without chunks has no blade and rank limit 0")


def read_sections(data, header, hashes):
    size = 32 if header.format == 2 else 64
    need(128 + header.sections * size <= len(data), "the section table lies in the file")
    sections = [Section(data, 128 + i * size, header) for i in range(header.sections)]
    ids = [section.species_id for section in sections]
    need(all(a < b for a, b in zip(ids, ids[1:])), "species ids ascend", ids)
    chunk = blade = 0
    for section in sections:
        need(section.first_chunk == chunk, "first chunk of a section", section.first_chunk, chunk)
        need(section.first_blade == blade, "first blade of a section", section.first_blade, blade)
        chunk += section.chunks
        blade += section.blades
    need(chunk == header.chunks, "the sections' chunks are the header's", chunk, header.chunks)
    need(blade == header.blades, "the sections' blades are the header's", blade, header.blades)
    materials = {section.material_id for section in sections}
    for section in sections:
        smaller = 0 if header.format == 2 else sum(1 for m in materials if m < section.material_id)
        need(section.material_index == smaller, "material index", section.material_index, smaller)
    check_shares(header, sections)
    return sections, 128 + header.sections * size


def check_shares(header, sections):
    need(sum(section.share for section in sections) == 1000000, "shares sum to 1000000")
    if header.budget == NONE:
        need(all(section.budget == NONE for section in sections), "a section has a budget and the field none")
        return
    budgets = webster(header.budget, [section.share for section in sections])
    found = [section.budget for section in sections]
    need(found == budgets, "blade budgets by Webster's method", found, budgets)
    for section in sections:
        need(section.blades <= section.budget, "no more blades than the section's budget", section.blades)


def webster(total, shares):
    """Skips ahead: every share / (2 * k + 1) above one threshold goes before every one below it."""
    ahead = max(0, total - len(shares))
    counts = [-(-share * 2 * ahead // 1000000) // 2 for share in shares]
    while sum(counts) < total:
        best = 0
        for i in range(1, len(shares)):
            if shares[i] * (2 * counts[best] + 1) > shares[best] * (2 * counts[i] + 1):
                best = i
        counts[best] += 1
    return counts


class Lod:
    LAYOUT = struct.Struct("<ffffIIiI")

    def __init__(self, data, offset):
        (self.distance, self.keep, self.fade, self.radius, self.index_count, self.first_index, self.vertex_offset,
         zero) = self.LAYOUT.unpack_from(data, offset)
        need(self.distance >= 0, "LOD distance", self.distance)
        need(0 <= self.keep <= 1, "LOD keep", self.keep)
        need(0 <= self.fade <= self.distance, "LOD fade start", self.fade)
        need(0 <= self.radius <= 1000000, "LOD mesh radius", self.radius)
        need(zero == 0, "the end of a LOD is zero")

    def drawn_below(self, rank_limit, slider=1.0):
        part = f32(f32(self.keep * f32(slider)) * 65536)
        return (round(part) * (rank_limit + 1)) >> 16


def read_lods(data, header, sections, offset):
    end = offset + header.lods * 32
    need(end <= len(data), "the LOD table lies in the file")
    need(sum(section.lod_count for section in sections) == header.lods, "LOD entry count", header.lods)
    for section in sections:
        section.lods = [Lod(data, offset + i * 32) for i in range(section.lod_count)]
        offset += section.lod_count * 32
        for near, far in zip(section.lods, section.lods[1:]):
            need(near.distance < far.distance, "LOD distances ascend", near.distance, far.distance)
            need(near.keep >= far.keep, "keep does not rise", near.keep, far.keep)
            need(math.isfinite(near.distance), "only the last distance is infinite")
    return end


def read_strings(data, header, sections, offset, hashes):
    end = offset + header.string_bytes
    need(up(end, 8) <= len(data), "the string table lies in the file")
    need(not any(data[end:up(end, 8)]), "zeros follow the strings")

    def text(name, may_be_empty):
        nonlocal offset
        need(offset + 2 <= end, "a string's length lies in the string table", name)
        (size,) = struct.unpack_from("<H", data, offset)
        raw = data[offset + 2:offset + 2 + size]
        offset += 2 + size
        need(offset <= end, "a string lies in the string table", name)
        need(size <= 255 and (size > 0 or may_be_empty), "a string's length", name, size)
        need(0 not in raw, "a string has no NUL", name)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Wrong("a string is UTF-8: " + name) from None

    for section in sections:
        unnamed = header.sections == 1 and section.species_id == 0
        section.species = text("species", unnamed)
        section.material = text("material", unnamed)
        section.mesh = text("mesh", True)
        section.passes = [text("pass", False) for _ in range(section.pass_count)]
        if header.format == 3:
            hashes.ask("material id is the hash of its name", section.material.encode(), section.material_id)
        need(len(set(section.passes)) == len(section.passes), "passes are named once", section.passes)
    names = [section.species for section in sections]
    need(len(set(names)) == len(names), "species have names of their own", names)
    need(offset == end, "the strings fill the string table", offset, end)
    return up(end, 8)


class Chunk:
    LAYOUT = struct.Struct("<iiIIfffIQIIQ")

    def __init__(self, data, offset, header):
        (self.cell_x, self.cell_z, self.first_blade, self.count, self.low, self.high, self.largest_scale, self.section,
         self.offset, self.size, zero, self.hash) = self.LAYOUT.unpack_from(data, offset)
        need(1 <= self.count <= 16777216, "blade count of a chunk", self.count)
        need(-FAR <= self.low <= self.high <= FAR, "ground of a chunk", self.low, self.high)
        for cell in (self.cell_x, self.cell_z):
            need(cell * header.cell_size <= FAR and (cell + 1) * header.cell_size >= -FAR, "cell of a chunk", cell)
        need(zero == 0, "a chunk's reserved word is zero")


def read_chunks(data, header, sections, offset):
    end = offset + header.chunks * 56
    if header.chunks == 0:
        need(len(data) == end, "a file without chunks ends where its chunk table would start")
        return [], end
    need(end <= len(data), "the chunk table lies in the file")
    chunks = [Chunk(data, offset + i * 56, header) for i in range(header.chunks)]
    blade = 0
    for number, section in enumerate(sections):
        before = None
        sum_before = blade
        for chunk in chunks[section.first_chunk:section.first_chunk + section.chunks]:
            need(chunk.section == number, "section of a chunk", chunk.section, number)
            need(chunk.first_blade == blade, "first blade of a chunk", chunk.first_blade, blade)
            here = (chunk.cell_z, chunk.cell_x)
            need(before is None or before < here, "chunks ascend by z, then x", before, here)
            before = here
            blade += chunk.count
        need(blade - sum_before == section.blades, "a section's blades are its chunks'", blade, section.blades)
    blades = collections.Counter()
    for chunk in chunks:
        blades[chunk.cell_x, chunk.cell_z] += chunk.count
    most = max(blades.values())
    need(header.revision == 0 or most <= header.candidates, "no more blades in a cell than candidates", most)
    check_data(data, header, chunks, end)
    return chunks, chunks[0].offset


def check_data(data, header, chunks, end):
    for chunk in chunks:
        start = end if header.flags & COMPRESSED else up(end, 64)
        need(chunk.offset == start, "data offset of a chunk", chunk.offset, start)
        need(start + chunk.size <= len(data), "a chunk's data lies in the file", start, chunk.size)
        need(not any(data[end:start]), "bytes between chunks are zero", end)
        end = start + chunk.size
        if header.flags & COMPRESSED:
            check_frame(data[start:end], chunk.count * 16)
        else:
            need(chunk.size == chunk.count * 16, "data size of a raw chunk", chunk.size)
    need(end == len(data), "the file ends where the last chunk's data ends", end, len(data))


def check_frame(frame, content):
    """Walks one zstd frame (RFC 8878, 3.1.1) without decompressing it: it must be exactly these bytes."""
    need(content <= (len(frame) // 4 + 1) * 131072, "the frame can hold its blades", len(frame), content)
    need(len(frame) >= 6 and frame[:4] == b"\x28\xb5\x2f\xfd", "a chunk is a zstd frame")
    descriptor = frame[4]
    at = 5
    single = descriptor & 0x20
    need(not descriptor & 0x08, "the frame's reserved bit is zero")
    need(descriptor & 0x04, "the frame has a checksum")
    if not single:
        base = 1 << (10 + (frame[at] >> 3))
        need(base + base // 8 * (frame[at] & 7) <= 128 << 20, "the frame's window")
        at += 1
    width = (0, 1, 2, 4)[descriptor & 3]
    need(not any(frame[at:at + width]), "the frame has no dictionary")
    at += width
    width = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    need(width and at + width <= len(frame), "the frame declares its content size")
    declared = int.from_bytes(frame[at:at + width], "little") + (256 if width == 2 else 0)
    at += width
    need(declared == content, "content size of the frame", declared, content)
    need(not single or content <= 128 << 20, "the frame's window")
    last = False
    while not last:
        need(at + 3 <= len(frame), "the frame's blocks are all there")
        block = int.from_bytes(frame[at:at + 3], "little")
        last = block & 1
        kind = (block >> 1) & 3
        need(kind != 3, "the frame's block types")
        at += 3 + (1 if kind == 1 else block >> 3)
    need(at + 4 == len(frame), "the data size is the frame's", at + 4, len(frame))


def records(data, header, chunks):
    """The decoded records of each chunk."""
    if not header.flags & COMPRESSED:
        return [data[chunk.offset:chunk.offset + chunk.size] for chunk in chunks]
    if not chunks:
        return []
    done = subprocess.run(["zstd", "-q", "-d", "-c"], input=data[chunks[0].offset:], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    need(done.returncode == 0, "zstd decompresses the chunks", done.stderr.decode().strip())
    need(len(done.stdout) == 16 * header.blades, "the decompressed size", len(done.stdout))
    parts = []
    for chunk in chunks:
        part = done.stdout[16 * chunk.first_blade:16 * (chunk.first_blade + chunk.count)]
        if header.flags & SPLIT:
            joined = bytearray(len(part))
            for p in range(16):
                joined[p::16] = part[p * chunk.count:(p + 1) * chunk.count]
            part = bytes(joined)
        parts.append(part)
    return parts


def decode(header, section, chunk, part):
    """What each blade means: x, y, z, yaw, scale, up x, y, z, tint, wind phase, rank."""
    size, low, span = header.cell_size, chunk.low, chunk.high - chunk.low
    if header.revision == 0 and span:
        heights = [record[2] for record in BLADE.iter_unpack(part)]
        need(min(heights) == 0 and max(heights) == 65535, "the heights of a chunk from format 1 are its blades'")
    left, front = chunk.cell_x * size, chunk.cell_z * size
    before = 0
    for x, z, y, yaw, scale, ox, oz, tint, phase, rank in BLADE.iter_unpack(part):
        need(span != 0 or y == 0, "y is 0 on flat ground", y)
        need(2.0**-10 <= scale <= 2.0**10, "scale", scale)
        need(ox != -128 and oz != -128 and abs(ox) + abs(oz) <= 127, "up direction", ox, oz)
        need(before <= rank, "ranks ascend", before, rank)
        need(rank <= section.rank_limit, "rank within the rank limit", rank, section.rank_limit)
        before = rank
        oy = 127 - abs(ox) - abs(oz)
        length = math.sqrt(ox * ox + oy * oy + oz * oz)
        yield (left + (x + 0.5) * size / 65536, low + y * span / 65535, front + (z + 0.5) * size / 65536,
               yaw * 2 * math.pi / 65536, scale, ox / length, oy / length, oz / length, (tint + 0.5) / 256,
               phase * 2 * math.pi / 256, rank / 65536)


class Field:
    def __init__(self, data):
        self.data = data
        hashes = Hashes()
        self.header = header = Header(data, hashes)
        self.sections, end = read_sections(data, header, hashes)
        end = read_lods(data, header, self.sections, end)
        end = read_strings(data, header, self.sections, end, hashes)
        self.chunks, end = read_chunks(data, header, self.sections, end)
        hashes.ask("tables hash", data[128:end], header.tables_hash)
        content = struct.pack("<f", header.cell_size)
        for chunk in self.chunks:
            content += struct.pack("<QiiIffIQ", self.sections[chunk.section].species_id, chunk.cell_x, chunk.cell_z,
                                   chunk.count, chunk.low, chunk.high, 0, chunk.hash)
        hashes.ask("content id", content, header.content_id)
        parts = records(data, header, self.chunks)
        for chunk, part in zip(self.chunks, parts):
            hashes.ask("hash of a chunk", part, chunk.hash)
        hashes.check()
        for chunk, part in zip(self.chunks, parts):
            chunk.blades = list(decode(header, self.sections[chunk.section], chunk, part))
            largest = max(blade[4] for blade in chunk.blades)
            need(chunk.largest_scale == largest, "largest scale of a chunk", chunk.largest_scale, largest)
        self.check_bounds()

    def check_bounds(self):
        low, high = [math.inf] * 3, [-math.inf] * 3
        for section in self.sections:
            blades = [blade for chunk in self.chunks_of(section) for blade in chunk.blades]
            if not blades:
                continue
            grown = max(blade[4] for blade in blades) * max(lod.radius for lod in section.lods)
            for axis in range(3):
                low[axis] = min(low[axis], min(blade[axis] for blade in blades) - grown)
                high[axis] = max(high[axis], max(blade[axis] for blade in blades) + grown)
        if self.header.blades == 0:
            need(not any(self.data[64:88]), "bounds of a field without blades are zero bits")
            return
        low = [f32_outward(value, -1) for value in low]
        high = [f32_outward(value, +1) for value in high]
        need(low == self.header.minimum, "minimum of the bounds", self.header.minimum, low)
        need(high == self.header.maximum, "maximum of the bounds", self.header.maximum, high)

    def chunks_of(self, section):
        return self.chunks[section.first_chunk:section.first_chunk + section.chunks]

    def summary(self):
        header = self.header
        return {
            "format": header.format, "revision": header.revision, "bytes": header.file_size,
            "compressed": bool(header.flags & COMPRESSED), "split": bool(header.flags & SPLIT),
            "exact": not header.flags & INEXACT, "region": bool(header.flags & REGION),
            "cell_size": header.cell_size, "seed": header.seed, "density": header.density,
            "chunks": header.chunks, "blades": header.blades, "budget": optional(header.budget),
            "max_commands": optional(header.max_commands), "max_updates": optional(header.max_updates),
            "bounds": {"min": header.minimum, "max": header.maximum},
            "bake_id": "%016x" % header.bake_id, "content_id": "%016x" % header.content_id,
            "tables_hash": "%016x" % header.tables_hash, "header_hash": "%016x" % header.header_hash,
            "sections": [self.summary_of(section) for section in self.sections],
        }

    def summary_of(self, section):
        ranks = array.array("d", sorted(b[10] * 65536 for c in self.chunks_of(section) for b in c.blades))
        out = {
            "species": section.species, "id": "%016x" % section.species_id, "material": section.material,
            "material_index": section.material_index, "mesh": section.mesh, "passes": section.passes,
            "share": section.share, "budget": optional(section.budget), "chunks": section.chunks,
            "blades": section.blades, "rank_limit": section.rank_limit,
            "lods": [{"distance": optional(lod.distance), "keep": lod.keep, "fade": optional(lod.fade),
                      "radius": lod.radius, "drawn": count_below(ranks, lod.drawn_below(section.rank_limit))}
                     for lod in section.lods],
        }
        if section.profile_id is not None:
            out["profile_id"] = "%016x" % section.profile_id
        return out


def optional(value):
    """No limit, no budget and no end are null."""
    return None if value == NONE or value == math.inf else value


def count_below(ranks, limit):
    return sum(1 for rank in ranks if rank < limit)


def compare_blades(field, path):
    """Value by value: positions and ranks are printed as f64, all else as f32."""
    names = ("x", "y", "z", "yaw", "scale", "up_x", "up_y", "up_z", "tint", "phase", "rank")
    exact = {"x", "y", "z", "rank"}
    with open(path, newline="", encoding="utf-8") as source:
        rows = csv.DictReader(source)
        for chunk in field.chunks:
            where = [str(chunk.section), field.sections[chunk.section].species, str(chunk.cell_x), str(chunk.cell_z)]
            for index, blade in enumerate(chunk.blades, chunk.first_blade):
                row = next(rows, None)
                need(row is not None, "inspect prints every blade", index)
                found = [row[name] for name in ("section", "species", "cell_x", "cell_z", "index")]
                need(found == where + [str(index)], "where a blade stands", found, where, index)
                for name, value in zip(names, blade):
                    printed = float(row[name])
                    same = printed == value if name in exact else f32(printed) == f32(value)
                    need(same, "blade %d, %s" % (index, name), row[name], value)
        need(next(rows, None) is None, "inspect prints no more blades than there are")


def compare_summary(field, path):
    with open(path, encoding="utf-8") as source:
        said = json.load(source)
    header = field.header
    ids = {"bake_id": header.bake_id, "content_id": header.content_id, "tables_hash": header.tables_hash,
           "header_hash": header.header_hash}
    for name, value in ids.items():
        need(said[name] == "0x%016x" % value, name, said[name], "%016x" % value)
    counts = {"format": header.format, "bake_revision": header.revision, "file_bytes": header.file_size,
              "seed": header.seed, "section_count": header.sections, "chunk_count": header.chunks,
              "blade_count": header.blades, "lod_count": header.lods, "string_bytes": header.string_bytes}
    for name, value in counts.items():
        need(said[name] == value, name, said[name], value)
    for k, (theirs, section) in enumerate(zip(said["sections"], field.sections)):
        found = [theirs[name] for name in ("name", "species_id", "material", "mesh", "passes", "parts", "rank_limit",
                                           "chunk_count", "blade_count")]
        mine = [section.species, "0x%016x" % section.species_id, section.material, section.mesh, section.passes,
                section.share, section.rank_limit, section.chunks, section.blades]
        need(found == mine, "section %d" % k, found, mine)
        for ours, lod in zip(section.lods, theirs["lods"]):
            if ours.distance != math.inf:
                need(f32(lod["distance"]) == ours.distance and f32(lod["fade"]) == ours.fade, "distances of a LOD", lod)
            need(f32(lod["keep"]) == ours.keep and f32(lod["mesh_radius"]) == ours.radius, "a LOD", lod)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blades", action="store_true", help="print one line a blade")
    parser.add_argument("--inspected", metavar="CSV", help="compare with what vxbake inspect --blades printed")
    parser.add_argument("--identities", metavar="JSON", help="compare with what vxbake inspect --format json printed")
    parser.add_argument("file")
    options = parser.parse_args()
    with open(options.file, "rb") as source:
        data = source.read()
    try:
        field = Field(data)
        if options.inspected:
            compare_blades(field, options.inspected)
        if options.identities:
            compare_summary(field, options.identities)
    except Wrong as wrong:
        print("%s: %s" % (options.file, wrong), file=sys.stderr)
        return 1
    if options.blades:
        for chunk in field.chunks:
            for blade in chunk.blades:
                print(chunk.section, chunk.cell_x, chunk.cell_z, *(repr(value) for value in blade), sep=",")
    else:
        json.dump(field.summary(), sys.stdout, indent=2)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
