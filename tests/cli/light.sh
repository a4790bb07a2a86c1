# An irradiance field from recipe to file, and every command on it.
cat >r.json <<END
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [4, 4, 4], "rays": 16,
 "refine": [{"min": [0, 0, 0], "max": [2, 2, 2], "size": 2}],
 "shapes": [{"kind": "plane", "normal": [0, 1, 0], "offset": 0.5, "albedo": [0.5, 0.4, 0.3]}],
 "sky": {"constant": [1, 1, 1]}, "sun": {"direction": [1, 2, 0], "irradiance": [2, 2, 2]}}
END
expect 0 vxbake bake r.json -n >text
holds 'bricks        8: 8 of size 2' text
holds 'probes        512' text
expect 0 vxbake bake r.json -n --format json >plan.json
holds '"kind": "probe-plan"' plan.json
expect 0 vxbake bake r.json -o a.vxp --report json=a.json --preview a.png --depfile a.d >text
holds 'a.vxp: 512 probes in 8 bricks' text
holds 'rays          ' text
holds 'r.json:' a.d
[ -s a.png ] || fail 'no picture'
expect 0 vxbake verify a.vxp >text
holds 'good; irradiance field; checked 512 of 512 probes' text
expect 0 vxbake verify a.vxp --recipe r.json --report-of a.json >text
holds "the recipe's identities, the bake's report" text
for change in 's/"slots": \[ */&1/' 's/"cells": \[ */&1/' 's/"bounds_max": \[ */&1/' \
    's/"encoding": "f32"/"encoding": "f16"/' 's/"size": 2/"size": 4/' 's/"probes": 512/"probes": 513/'; do
    tr -d '\n' <a.json | sed "$change" >other.json
    cmp -s a.json other.json && fail "$change changes nothing"
    expect 1 vxbake verify a.vxp --report-of other.json >text
    holds 'VX1943 report-differs' text
done
sed 's/"version": 1/"version": 2/' a.json >other.json
expect 4 vxbake verify a.vxp --report-of other.json 2>err
holds '/version: found 2; this build reads version 1' err
expect 0 vxbake verify a.vxp --rebake r.json >text
holds 'a new bake of the recipe' text
expect 0 vxbake verify a.vxp --max-invalid 0 -q
expect 0 vxbake bake r.json -o i.vxp --set /dilation=0 -q
expect 1 vxbake verify i.vxp --max-invalid 0 >text
holds 'VX4062 probe-invalid' text

# The same bytes with any number of threads, and identical ones are left alone.
expect 0 vxbake bake r.json -o b.vxp --threads 3 -q
cmp a.vxp b.vxp || fail 'another number of threads gives other bytes'
expect 0 vxbake bake r.json -o a.vxp --if-changed >text
holds 'a.vxp: unchanged, ' text
expect 0 vxbake bake - -o - -q <r.json >c.vxp
cmp a.vxp c.vxp || fail 'standard input and output get other bytes'

# Another recipe.
expect 0 vxbake bake r.json -o d.vxp --set /rays=17 -q
expect 1 vxbake verify d.vxp --recipe r.json >text
holds 'VX1902 recipe-bake-id' text
expect 1 vxbake verify d.vxp --recipe r.json --severity recipe-bake-id=ignore --rebake r.json >text
expect 0 vxbake bake r.json -o e.vxp --set '/cells=[8, 4, 4]' -q
expect 1 vxbake verify e.vxp --recipe r.json >text
holds 'VX4080 probe-recipe: /header/cells' text
expect 1 vxbake diff a.vxp d.vxp >text
holds '/planes/L00: ' text
echo '{"kind": "depth-pyramid", "depth": {"file": "x.pfm"}}' >other.json
expect 2 vxbake verify a.vxp --recipe other.json 2>err
holds 'a recipe of the kind depth-pyramid' err

# Compression, encodings, other programs.
expect 0 vxbake transcode a.vxp --compress 9 -o z.vxp -q
expect 0 vxbake verify z.vxp -q
expect 0 vxbake diff a.vxp z.vxp >text
holds 'equal but for compression' text
expect 0 vxbake transcode z.vxp -o y.vxp -q
cmp a.vxp y.vxp || fail 'there and back gives other bytes'
sed 's/"rays"/"encoding": "f16", "rays"/' r.json >h.json
expect 0 vxbake bake h.json -o h.vxp --compress 3 -q
expect 0 vxbake verify h.vxp --rebake h.json -q
expect 0 vxbake transcode a.vxp --to ktx2 -o a.ktx2 -q
for volume in l00 l1m1 l10 l11 indirection; do
    expect 0 vxbake inspect a.$volume.ktx2 >text
done
# In a folder volumes are no pyramids, though vxbake made them.
mkdir volumes
cp a.l00.ktx2 a.indirection.ktx2 volumes/
expect 2 vxbake verify volumes 2>err
holds 'nothing to check' err
cp a.vxp volumes/
expect 0 vxbake verify volumes >text
holds '1 file: 1 good, 0 bad' text
holds '2 others in folders skipped' text
expect 5 vxbake transcode a.vxp --to ktx2 -o a.ktx2 2>err
holds 'its name was not given' err
expect 0 vxbake transcode a.vxp --to ktx2 -f -o a.ktx2 >text
# The report once told of a.ktx2, which no file is called.
holds "a.*.ktx2: 512 probes in 8 bricks, $(cat a.*.ktx2 | wc -c | tr -d ' ') bytes in 5 files" text
expect 0 vxbake transcode a.vxp --to ply -o a.ply -q
expect 0 vxbake transcode a.vxp --to slices -o s.png >text
# The report once told of a picture of 0 bytes.
holds "s.png: 512 probes in 8 bricks, $(wc -c <s.png | tr -d ' ') bytes" text
expect 2 vxbake transcode a.vxp --to csv -o a.csv 2>err
expect 5 vxbake transcode a.vxp -o a.vxp 2>err
expect 0 vxbake inspect a.vxp --bricks --statistics >text
holds 'probes        512, of which ' text
expect 0 vxbake inspect a.vxp --format json >text
holds '"kind": "probe-inspect"' text
expect 0 vxinspect a.vxp >text
holds 'irradiance field 1, f32' text

# Too few slots: a gate.
expect 0 vxbake bake r.json -n --set '/slots=[2, 2, 1]' --max-dropped 100 >text
holds 'as the pool has too few slots' text
expect 1 vxbake bake r.json -o f.vxp --set '/slots=[2, 2, 1]' --max-dropped 0 2>err
holds 'above the limit of 0' err
[ ! -e f.vxp ] || fail 'a gate was exceeded, and there is a file'

# Too strong for f16; options of grass.
expect 4 vxbake bake r.json -o g.vxp --set /encoding=f16 --set '/sky/constant=[1e6, 1, 1]' 2>err
holds 'r.json: probe (' err
holds 'f16 holds at most 65504' err
expect 2 vxbake bake r.json -o g.vxp --split --compress 3 2>err
expect 2 vxbake bake r.json -o g.vxp --region 0,0,4,4 2>err
expect 2 vxbake inspect a.vxp --chunks 2>err
[ ! -e g.vxp ] || fail 'an error left a file'

# Damage.
cp a.vxp bad.vxp
printf X | dd of=bad.vxp bs=1 seek=600 conv=notrunc 2>/dev/null
expect 1 vxbake verify bad.vxp >text
expect 4 vxbake inspect bad.vxp --statistics 2>err
head -c 100 a.vxp >cut.vxp
expect 4 vxbake inspect cut.vxp 2>err

# The lists of a field, its hashes and its bytes.
expect 0 vxinspect a.vxp --header --bricks=1-2 --planes >text
holds '  brick_count    8' text
expect 0 vxinspect a.vxp --bricks --format csv >bricks.csv
test "$(wc -l <bricks.csv)" -eq 9 || fail 'not every brick is listed'
expect 0 vxinspect a.vxp --probes --format csv >probes.csv
test "$(wc -l <probes.csv)" -eq 513 || fail 'not every probe is listed'
expect 0 vxinspect - --probes=7 --format json-lines <z.vxp >probes.jsonl
test "$(wc -l <probes.jsonl)" -eq 64 || fail 'a brick has other than 64 probes'
for file in a.vxp z.vxp h.vxp; do
    expect 0 vxinspect $file --hashes >hashes.txt
    test "$(grep -c ' yes$' hashes.txt)" -eq 7 || fail "not every hash of $file is right"
done
expect 1 vxinspect bad.vxp --hashes >hashes.txt 2>err
expect 0 vxinspect a.vxp --raw brick:7 >text
expect 4 vxinspect cut.vxp --raw header >text 2>err
expect 2 vxinspect a.vxp --bricks=1 --probes=2 2>err
holds 'one range of bricks at a time' err
expect 2 vxinspect a.vxp --chunks 2>err
