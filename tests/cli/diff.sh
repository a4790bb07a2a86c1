# Whether two files hold the same: exit codes and what is printed.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake bake meadow.json -o b.vxg -q --compress 9 --split
expect 0 vxbake diff a.vxg b.vxg
expect 0 vxbake diff a.vxg a.vxg
expect 0 vxbake diff -q a.vxg b.vxg
cat b.vxg | vxbake diff a.vxg - || fail 'standard input differs'
expect 0 vxbake bake meadow.json -o c.vxg -q --set /seed=8
expect 1 vxbake diff a.vxg c.vxg >differs
holds '/header/seed: 7 | 8' differs
holds 'a.vxg and c.vxg differ' differs
expect 1 vxbake diff a.vxg c.vxg --max-chunks 1 >few
test "$(grep -c '^! ' few)" -eq 1 || fail 'not one chunk'
holds 'chunks more' few
expect 1 vxbake diff a.vxg c.vxg --report json=differs.json >text
cmp text differs || fail 'a report changes what is printed'
expect 1 vxbake diff a.vxg c.vxg --format json >printed.json
cmp printed.json differs.json || fail 'the report is not what is printed'
expect 0 vxbake diff a.vxg b.vxg --report json=- >equal.json 2>text
holds '"equal": true' equal.json
holds 'are equal but for compression' text
expect 2 vxbake diff a.vxg b.vxg --format json --report json=- 2>err
expect 2 vxbake diff a.vxg b.vxg --report junit=x 2>err
cp b.vxg again.vxg
expect 5 vxbake diff a.vxg again.vxg --report json=again.vxg 2>err
cmp b.vxg again.vxg || fail 'an input was replaced'
expect 3 vxbake diff a.vxg b.vxg --report json=nowhere/x 2>err
expect 4 vxbake diff a.vxg meadow.json --report json=none.json 2>err
test ! -e none.json || fail 'a report of nothing'
expect 0 vxbake transcode a.vxg --to 1 --lossy -q -o old.vxg
expect 1 vxbake diff a.vxg old.vxg >legacy
holds '/header/format: 2 | 1' legacy

expect 2 vxbake diff a.vxg 2>err
expect 2 vxbake diff 2>err
expect 2 vxbake diff a.vxg b.vxg c.vxg 2>err
expect 2 vxbake diff - - 2>err
expect 2 vxbake diff a.vxg b.vxg --max-chunks 0 2>err
expect 3 vxbake diff a.vxg missing 2>err
# What can't be compared is called what it is, whichever of the two it is.
printf 'Pf\n1 1\n-1.0\n\000\000\000\077' >d.pfm
expect 0 vxbake bake d.pfm -o d.ktx2 -q
printf '{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [2, 2, 2]}, "cells": [1, 1, 1], "rays": 16,
 "sky": {"constant": [1, 1, 1]}}' >light.json
expect 0 vxbake bake light.json -o l.vxp -q
printf 'not a file of ours' >text.txt
printf '\n { }' >json.txt
compared='grass files and irradiance fields are compared, each with its like'
for other in a.vxg l.vxp d.ktx2; do
    for pair in "meadow.json $other" "$other meadow.json"; do
        expect 4 vxbake diff $pair 2>err
        case $pair in
        d.ktx2*) holds "d.ktx2: this is a KTX2 file: $compared" err ;;
        *) holds "meadow.json: this is JSON, such as a recipe: $compared" err ;;
        esac
    done
done
expect 4 vxbake diff text.txt a.vxg 2>err
holds "text.txt: this is no kind of file that vxbake knows; it starts with 6E 6F 74 20 61 20 66 69: $compared" err
expect 4 vxbake diff json.txt a.vxg 2>err
holds "json.txt: this is JSON, such as a recipe: $compared" err
expect 4 vxbake diff l.vxp d.pfm 2>err
holds "d.pfm: this is a PFM: $compared" err
expect 2 vxbake diff l.vxp a.vxg 2>err
holds 'a grass file and an irradiance field have nothing in common to compare' err
expect 4 vxbake transcode d.pfm -o x 2>err
holds 'd.pfm: this is a PFM: only grass files and irradiance fields are written in other formats' err
expect 4 vxbake inspect d.pfm 2>err
holds 'd.pfm: this is a PFM: grass files, irradiance fields and KTX2 files are read' err
expect 7 vxbake diff a.vxg b.vxg --max-memory 64 2>err
