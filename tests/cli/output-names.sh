# An output whose name promises another kind of file than is written is refused before anything is made of it: nothing
# lies in a PNG's name that is none.
meadow
cat >light.json <<'END_OF_LIGHT'
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [2, 2, 2], "rays": 16}
END_OF_LIGHT
printf 'Pf\n2 1\n-1.0\n\0\0\0\0\0\0\0\77' >depth.pfm
cat >walk.json <<'END_OF_WALK'
{"kind": "camera-path", "fps": 1, "views": [
  {"time": 0, "position": [1, 2, 1], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5},
  {"time": 1, "position": [3, 2, 3], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5}]}
END_OF_WALK
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake bake light.json -o l.vxp -q
expect 0 vxbake bake depth.pfm -o d.ktx2 -q
ls -A >"$CLI_SCRATCH/before"

# refused NAME PROMISE WRITTEN ENDING COMMAND...
refused() {
    name_=$1 promise_=$2 written_=$3 ending_=$4
    shift 4
    expect 2 "$@" >"$CLI_SCRATCH/out" 2>"$CLI_SCRATCH/err"
    test -s "$CLI_SCRATCH/out" && fail "something was printed by $*"
    holds "$name_ ends as $promise_ does, and what is written is $written_: give it a name that ends in $ending_" \
        "$CLI_SCRATCH/err"
}

refused x.jpg 'a JPEG' 'a PNG' .png vxbake bake meadow.json -o x.vxg --preview x.jpg
refused x.JPEG 'a JPEG' 'a PNG' .png vxbake bake light.json -o x.vxp --preview x.JPEG
refused ./x.exr 'an OpenEXR image' 'a PNG' .png vxbake bake depth.pfm -o x.ktx2 --preview ./x.exr
refused x.vxg 'a grass file' 'a PNG' .png vxbake bake meadow.json -o x --preview x.vxg
refused x.json JSON 'a Make rule' .d vxbake bake meadow.json -o x.vxg --depfile x.json
refused x.xml XML JSON .json vxbake bake meadow.json -o x.vxg --report json=x.xml
refused x.png 'a PNG' 'a grass file' .vxg vxbake bake meadow.json -o x.png
refused x.vxp 'an irradiance field' 'a grass file' .vxg vxbake bake meadow.json -o x.vxp
refused x.vxg 'a grass file' 'an irradiance field' .vxp vxbake bake light.json -o x.vxg
refused x.vxg.zst 'a zstd stream' 'a depth pyramid' .ktx2 vxbake bake depth.pfm -o x.vxg.zst
refused x.gif 'a GIF' 'a PNG' .png vxbake inspect a.vxg --preview x.gif
refused x.tiff 'a TIFF' 'a PNG' .png vxbake inspect d.ktx2 --preview x.tiff
for option in --plot --map; do
    refused x.svg 'an SVG' 'a PNG' .png vxbake simulate a.vxg --path walk.json --range 5 --capacity 20 $option x.svg
done
refused x.csv CSV JSON .json vxbake simulate a.vxg --path walk.json --range 5 --capacity 20 --report json=x.csv
refused x.html HTML JSON .json vxbake diff a.vxg a.vxg --report json=x.html
refused x.vxg 'a grass file' JSON .json vxbake explain meadow.json --at 1,1 --report json=x.vxg
refused x.xml XML JSON .json vxbake verify a.vxg --report json=x.xml
refused x.json JSON "JUnit's XML" .xml vxbake verify a.vxg --report junit=x.json
refused x.yml YAML JSON .json vxbake transcode a.vxg -o x.vxg --report json=x.yml
refused x.csv CSV 'a PLY' .ply vxbake transcode a.vxg --to ply -o x.csv
refused x.ply 'a PLY' CSV .csv vxbake transcode a.vxg --to csv -o x.ply
refused x.json JSON 'bare records' .bin vxbake transcode a.vxg --to runtime -o x.json
refused x.jpg 'a JPEG' 'a PNG' .png vxbake transcode l.vxp --to slices -o x.jpg
refused x.vxp 'an irradiance field' 'KTX2 files' .ktx2 vxbake transcode l.vxp --to ktx2 -o x.vxp
for to in 1 2 3; do
    refused x.bmp 'a BMP' 'a grass file' .vxg vxbake transcode a.vxg --to $to -o x.bmp
done
for pair in csv:csv ply:ply ktx2:ktx2 slices:png; do
    expect 2 vxbake transcode a.vxg -o x.${pair#*:} 2>"$CLI_SCRATCH/err"
    holds "without --to what is written is of the file's own kind: say --to ${pair%:*}, or" "$CLI_SCRATCH/err"
done
refused x.vxp: 'an irradiance field' 'a grass file' .vxg vxbake transcode a.vxg -o x.vxp
refused x.vxg: 'a grass file' 'an irradiance field' .vxp vxbake transcode l.vxp -o x.vxg
expect 2 vxbake transcode a.vxg -o x.jpg 2>"$CLI_SCRATCH/err"
holds "of the file's own kind: give it a name that ends in .vxg or .vxp" "$CLI_SCRATCH/err"
# Defect: of what is written as itself, the other kind's name was taken.
for pair in 'a.vxg x.vxp' 'l.vxp x.VXG'; do
    expect 2 vxbake transcode ${pair% *} -o ${pair#* } 2>"$CLI_SCRATCH/err"
    holds "-o: ${pair#* }: ends as " "$CLI_SCRATCH/err"
    own=${pair% *}
    expect 2 vxbake transcode - -o ./${pair#* } <$own 2>"$CLI_SCRATCH/err"
    holds "give it a name that ends in .${own#*.}" "$CLI_SCRATCH/err"
done
ls -A | cmp - "$CLI_SCRATCH/before" || fail 'something was written'

# No ending, one that promises nothing, and a hidden file's name are as good as the right one.
for name in x x.vxg.part x.2 .png x.VXG; do
    expect 0 vxbake bake meadow.json -o $name --preview preview --depfile deps.mk --report json=report.txt -q
    cmp $name a.vxg || fail "$name is another file"
    rm $name preview deps.mk report.txt
done
expect 0 vxbake bake meadow.json -o x --preview x.PNG --depfile x.d --report json=x.JSON -q
expect 0 vxbake verify a.vxg -q --report junit=x.XML --report json=-  >json
expect 0 vxbake inspect a.vxg --preview - >png

# What is suggested where no output is named ends as what the recipe makes.
for pair in meadow.json:meadow.vxg light.json:light.vxp depth.pfm:depth.ktx2; do
    expect 2 vxbake bake ${pair%:*} 2>err
    holds "no output given: vxbake bake ${pair%:*} -o ${pair#*:}" err
done
expect 2 vxbake bake none.json 2>err
holds 'no output given: vxbake bake none.json -o FILE' err
