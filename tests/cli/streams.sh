# Streams that do not end: what begins as nothing that is looked for is refused by its first bytes, and what begins well
# is copied no further than a limit.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
ln -s /dev/zero endless.r16
ln -s /dev/zero endless.png
ln -s /dev/zero endless.pfm
ln -s /dev/zero endless.hdr
cat >walk.json <<'END'
{"kind": "camera-path", "fps": 1, "views": [
  {"time": 0, "position": [1, 2, 1], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5},
  {"time": 1, "position": [3, 2, 3], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5}]}
END
cat >light.json <<'END'
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [2, 2, 2], "rays": 16,
 "sky": {"hdr": "endless.hdr"}}
END

# small CODE COMMAND...: expects CODE, where no file may grow beyond 4 KiB, less than a copy writes at once.
small() {
    expect "$1" sh -c 'ulimit -f 8 && shift && exec "$@"' small "$@" >text 2>err
}

for endless in /dev/zero /dev/urandom; do
    small 1 vxbake verify $endless
    holds "$endless: error VX1001 magic" text
    holds 'of 16 bytes' text
    small 1 vxbake verify $endless --level header
    small 4 vxbake inspect $endless
    holds "$endless: this is no kind of file that vxbake knows; it starts with " err
    small 4 vxbake inspect $endless --preview x.png
    small 4 vxinspect $endless
    small 4 vxbake diff $endless a.vxg
    small 4 vxbake diff a.vxg $endless
    small 4 vxbake transcode $endless -o x.vxg
    small 4 vxbake simulate $endless --path walk.json --range 5 --capacity 20
done

# Inputs of a recipe.
sed 's/hills.r16", "size": \[8, 8\]/endless.png"/' meadow.json >heights.json
small 4 vxbake bake heights.json -o x.vxg
holds 'endless.png: /terrain/file: this is not a PNG: it begins with 00 00 00 00' err
small 4 vxbake explain heights.json --at 1,1
small 4 vxbake bake endless.pfm -o x.ktx2
small 4 vxbake bake light.json -o x.vxp
small 7 vxbake bake meadow.json -o x.vxg --set /terrain/file=endless.r16
holds 'endless.r16: /terrain/file: there are more than 512 bytes' err

# One that begins well: to the last byte that is allowed.
bytes=$(($(wc -c <a.vxg)))
cat a.vxg | expect 0 vxinspect - --max-memory $bytes >text
cat a.vxg | expect 7 vxinspect - --max-memory $((bytes - 1)) >text 2>err
holds "standard input: there are more than $((bytes - 1)) bytes" err
expect 0 vxinspect a.vxg --max-memory $((bytes - 1)) >text
cat a.vxg | expect 0 vxbake verify - --max-memory 4K -q
cat a.vxg /dev/zero | expect 7 vxbake verify - --max-memory 4K >text 2>err
holds 'standard input: there are more than 4096 bytes' err
cat a.vxg /dev/zero | expect 7 vxinspect - --hashes --max-memory 4K >text 2>err

# A FIFO that nobody ends: sixteen bytes are enough, however they arrive.
mkfifo fifo
{ printf 'sixteen '; sleep 0.1; printf 'bytes or so'; exec sleep 60; } >fifo &
writer=$!
small 1 vxbake verify fifo
holds 'it starts with 73 69 78 74 65 65 6E 20' text
kill -0 $writer || fail 'the writer ended first'
kill $writer
