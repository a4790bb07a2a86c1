"""Recipes that are wrong in one place, and the comparison of two verdicts on each: the schema's and the reader's.

make FOLDER PAGE writes them, and those that vxbake-recipe(5), at PAGE, shows, which must be right as 0page*.json.
compare FOLDER SCHEMAS reads FOLDER/verdicts, a line "accept ..." or "reject ..." a recipe.
What the schema refuses the reader must refuse; what it takes the reader may refuse only for a rule that a schema
can't state, told by the message.
"""
import copy
import json
import pathlib
import sys

FULL = {
    "$schema": "recipe-grass.schema.json", "$comment": ["anything"], "kind": "grass-field", "version": 1, "seed": 7,
    "cell_size": 32, "density": 24.5, "density_scale": 0.75,
    "terrain": {
        "$comment": 1, "file": "h.r16", "size": [65, 129], "sample": "u16", "order": "big", "range": [-10, 200.5],
        "metres_per_quad": 0.5, "origin": [-1, 2, 3.5], "allow_8bit": False, "flip": "xz", "transpose": True,
        "layers": {"Grass": "g.png", "Dirt": {"file": "g.png", "channel": "a"}, "$comment": 4},
        "exclude": "e.png", "scale": {"file": "s.png"}, "stomp": "t.png"},
    "budgets": {"max_blades": 1000, "gpu_bytes": 1 << 40, "file_bytes": 1 << 33, "max_commands": 5,
                "updates_per_frame": 6},
    "species": [
        {"name": "Meadow", "id": "0xaB1", "share": 2, "material": "m", "mesh": "", "mesh_radius": 0.5, "layer": "Grass",
         "min_weight": 0.25, "max_weight": 0.5, "jitter": 0.5, "min_scale": 0.5, "max_scale": 2, "random_yaw": False,
         "align_to_normal": 0.5, "max_slope": 1, "altitude": [0, 100],
         "lods": [{"distance": 10, "fade": 8, "keep": 1, "index_count": 3, "first_index": 1, "vertex_offset": -1},
                  {"distance": None, "keep": 0.5}],
         "passes": ["main", "shadow"]},
        {"name": "Dry", "max_slope_degrees": 30, "layer": None}]}
DEPTH = {
    "$schema": "recipe-depth-pyramid.schema.json", "$comment": "c", "kind": "depth-pyramid", "version": 1,
    "depth": {"$comment": 1, "file": "d.R32", "size": [640, 3], "order": "big", "scale": 0.001, "convention": "linear",
              "near": 0.25, "far": 1e6},
    "reduce": "farthest"}
DEPTH_ONE = {"kind": "depth-pyramid", "depth": {"file": "d.pfm"}}
LIGHT = {
    "$schema": "recipe-irradiance-field.schema.json", "$comment": "c", "kind": "irradiance-field", "version": 1,
    "bounds": {"$comment": 1, "min": [-8, 0, -8], "max": [8, 16, 8.5]}, "cells": [16, 8, 16], "slots": [8, 8, 8],
    "allocate": [{"min": [-8, 0, -8], "max": [8, 16, 8], "size": 8}],
    "refine": [{"$comment": 1, "min": [-1, 0, -1], "max": [1, 2, 1], "size": 1}],
    "bands": [{"margin": 2, "size": 2}, {"margin": 0.5, "size": 1}], "focus": [0, 1, 0],
    "terrain": dict(FULL["terrain"], albedo={"Grass": [0.1, 0.2, 0.05], "$comment": 1, "Dirt": [0.3, 0.2, 0.1]},
                    emission=[0, 0, 0.5]),
    "shapes": [
        {"kind": "sphere", "center": [0, 1, 0], "radius": 1, "albedo": [1, 0, 0.5], "emission": [2, 0, 0]},
        {"kind": "box", "center": [0, 1, 0], "half_extents": [1, 2, 3], "albedo": [1, 0, 0.5]},
        {"kind": "plane", "normal": [0, 2, 0], "offset": -1, "$comment": 1},
        {"kind": "capsule", "a": [0, 1, 0], "b": [0, 2, 0], "radius": 0.5}],
    "sky": {"hdr": "s.hdr", "rotation": 1.5, "intensity": 2},
    "sun": {"direction": [1, 2, 3], "irradiance": [3, 2.5, 2]},
    "rays": 128, "max_distance": 50, "bounces": 2, "dilation": 3, "encoding": "f16"}
LIGHT_ONE = {"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [4, 4, 4]}, "cells": [4, 4, 4],
             "slots": 100, "terrain": {"file": "h.png", "albedo": [0.5, 0.5, 0.5]},
             "sky": {"gradient": {"ground": [0.1, 0.1, 0.1], "horizon": [1, 1, 1], "zenith": [0.2, 0.4, 0.8]}}}
LIGHT_SKY = {"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [4, 4, 4]}, "cells": [4, 4, 4],
             "sky": {"constant": [1, 1, 1]}}
ONE = {"kind": "grass-field", "terrain": {"file": "h.png"}, "species": [{"name": "a"}]}

VALUES = [None, True, 0, 1, 2, -1, 0.5, 1.5, 7.0, 1e3, 1e-7, 1e300, -1e300, 91, 1.5708, 1.5709, 1024, 1025, 32768, 32769,
          4294967294, 4294967295, 4294967296, 9007199254740991, 9007199254740992, 9007199254740993, 16777216, 16777217,
          1e9, 1.1e9, 1048576, 1048577, -2147483648, -2147483649, 0.0009765625, 0.0009, 1e-6, 1e6, 1e6 + 1,
          "", "a", "x", "n" * 255, "n" * 256, "0x1", "0x0", "0x00000000000000000", "0x", "1", [], [1], [1, 2], ["a"],
          ["a", "a"], ["a", "b", "c", "d"], ["a", "b", "c", "d", "e"], [0, 0, 0], {}, {"file": "f"}, {"name": "n"},
          {"file": ""}, {"file": "d.png"}, {"file": "d.raw"}, {"file": "d.raw", "size": [1, 1]},
          {"file": "d.png", "order": "big"}, {"file": "d.pfm", "near": 1}, {"file": "d.exr"}, "a.PFM", "b.pNg", "a.png.txt",
          [0, 1, 0], [1, 1, 1], [2, 2, 2], [1e6, 1e6, 1e6], [-1, 0.5, 1e13], 64, 65, 65536, 65537, 1000000, 1000001, 17, 16,
          6.2832, 6.2833, 1e12, 1e-4, [1024, 1, 1], [1025, 1, 1], {"constant": [0, 0, 0]}, {"kind": "plane"},
          {"min": [0, 0, 0], "max": [1, 1, 1]}, {"min": [0, 0, 0], "max": [0, 1, 1], "size": 2}, {"Grass": [0, 0, 0]},
          {"kind": "sphere", "center": [0, 0, 0], "radius": 1, "a": [0, 0, 0]}, "sphere", "box", "f16",
          "pfm", "reversed", "device", "linear", "nearest", 1e-300, [{}], [{"name": "n"}], [{"rule": "none.vxgrass"}]]

BEYOND = ("is above", "ascend strictly", "does not rise", "has no end", "bytes; allowed", "has already",
          "cannot open", "far is above near", "is not below", "in all", "its length is", "beyond the world",
          "comes first", "a cell is", "is missing: ", "leave it out", "leave \"layers\" out", "raw files only",
          "the file's kind is told")


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, path + (key,))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from places(child, path + (index,))


def parent_of(recipe, path):
    for step in path[:-1]:
        recipe = recipe[step]
    return recipe


def mutations():
    yield FULL
    for count in (256, 257):
        many = copy.deepcopy(FULL)
        many["terrain"]["layers"] = {f"layer {index}": "g.png" for index in range(count)}
        yield many
    yield ONE
    yield DEPTH_ONE
    yield LIGHT_ONE
    for base in (FULL, ONE, DEPTH, DEPTH_ONE, LIGHT, LIGHT_ONE, LIGHT_SKY):
        for place, path in enumerate(places(base)):
            if not path:
                continue
            removed = copy.deepcopy(base)
            del parent_of(removed, path)[path[-1]]
            yield removed
            # Each place gets a third of the values, so that neighbours of one kind together see them all; numbers are
            # tried everywhere that a number stands.
            number = isinstance(parent_of(base, path)[path[-1]], (int, float))
            for index, value in enumerate(VALUES):
                if index % 3 == place % 3 or (number and isinstance(value, (int, float))):
                    changed = copy.deepcopy(base)
                    parent_of(changed, path)[path[-1]] = value
                    yield changed
        for path in places(base):
            target = copy.deepcopy(base)
            node = target
            for step in path:
                node = node[step]
            if isinstance(node, dict):
                for key, value in (("extra", 1), ("$comment", {"deep": [1]}), ("Density", 1), ("", "a")):
                    more = copy.deepcopy(target)
                    inside = more
                    for step in path:
                        inside = inside[step]
                    inside[key] = value
                    yield more
            elif isinstance(node, list):
                longer = node + node[-1:]
                while len(longer) < 10:
                    again = copy.deepcopy(target)
                    parent_of(again, path)[path[-1]] = list(longer)
                    yield again
                    longer += node[-1:]


def shown(page):
    """The literal blocks of the page that are JSON; what is but a member becomes one of a whole recipe."""
    for block in page.read_text().split(".Bd -literal")[1:]:
        text = block.split("\n", 1)[1].split(".Ed")[0]
        if text.startswith('"'):
            yield dict(ONE, **json.loads("{" + text + "}"))
        elif text.startswith("{"):
            yield json.loads(text)


def make(folder, page):
    for index, recipe in enumerate(shown(page)):
        (folder / f"0page{index}.json").write_text(json.dumps(recipe))
    for index, recipe in enumerate(mutations()):
        (folder / f"{index:05}.json").write_text(json.dumps(recipe))


def validators(schemas):
    """One for each kind of recipe; what is of none is asked of the first."""
    import jsonschema
    for kind in ("grass", "depth-pyramid", "irradiance-field"):
        schema = json.loads((pathlib.Path(schemas) / f"recipe-{kind}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        yield jsonschema.Draft202012Validator(schema)


def compare(folder, schemas):
    kinds = ("grass-field", "depth-pyramid", "irradiance-field")
    by_kind = dict(zip(kinds, validators(schemas)))
    files = sorted(folder.glob("*.json"))
    verdicts = (folder / "verdicts").read_text().splitlines()
    assert len(files) == len(verdicts), (len(files), len(verdicts))
    bad = accepted = beyond = 0
    for file, verdict in zip(files, verdicts):
        recipe = json.loads(file.read_text())
        kind = recipe.get("kind") if isinstance(recipe, dict) else None
        validator = by_kind[kind if isinstance(kind, str) and kind in by_kind else "grass-field"]
        good = validator.is_valid(recipe)
        reads = verdict.startswith("accept")
        assert reads or not file.name.startswith("0page"), verdict
        accepted += reads
        if good and not reads and any(text in verdict for text in BEYOND):
            beyond += 1
        elif good != reads:
            bad += 1
            error = None if good else next(validator.iter_errors(recipe)).message[:200]
            print(f"schema {'accepts' if good else 'rejects'}, reader: {verdict}\n  {error}\n  {file.read_text()[:400]}")
    print(f"{len(files)} recipes, {accepted} accepted, {beyond} refused for what no schema can say, {bad} disagreements")
    assert sum(file.name.startswith("0page") for file in files) >= 4
    assert accepted > 50 and len(files) - accepted > 500
    return bad


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(1 if compare(pathlib.Path(sys.argv[2]), sys.argv[3]) else 0)
