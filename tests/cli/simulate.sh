# A walk over a field: its reports agree with each other, its gates decide the exit status, wrong paths say where.
meadow
expect 0 vxbake bake -q meadow.json -o a.vxg
cat >walk.json <<'END'
{
  "kind": "camera-path",
  "fps": 10,
  "views": [
    { "time": 0, "position": [1, 2, 1], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5 },
    { "time": 2, "position": [13, 2, 13], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5 }
  ]
}
END
walk() {
    vxbake simulate a.vxg --path walk.json --range 5 --capacity "$@"
}
expect 0 walk 20 >text
holds '21 frames at 10 a second' text
holds 'refused            0' text
least=$(sed -n 's/^smallest capacity  \([0-9]*\) .*/\1/p' text)
expect 0 walk "$least" --max-refused 0 >text
expect 1 walk $((least / 2)) --max-refused 0 >text
expect 0 walk $((least / 2)) --max-refused 1000 >text
expect 1 walk 20 --max-upload 1 >text
expect 0 walk 20 --max-upload 1G --max-commands 1000 >text
expect 1 walk 20 --max-commands 1 >text
expect 1 walk 20 --max-upload 0 --max-refused 0 --max-commands 0 >text
expect 0 walk 20 --format csv >a.csv
test "$(wc -l <a.csv)" -eq 22 || fail 'not a row a frame'
expect 0 walk 20 --format json >a.json
test "$(grep -c '"time":' a.json)" -eq 21 || fail 'not an object a frame'
expect 0 walk 20 --format json >b.json
expect 0 walk 20 --format json-lines >line
test "$(wc -l <line)" -eq 1 || fail 'not one line'
tr -d ' \n' <a.json >wanted
tr -d ' \n' <line | cmp - wanted || fail 'the line is another report'
rm line wanted
cmp a.json b.json || fail 'another answer the second time'
cat a.vxg | expect 0 vxbake simulate - --path walk.json --range 5 --capacity 20 --format json >c.json
cmp a.json c.json || fail 'another answer from standard input'
expect 0 vxbake simulate a.vxg --path - --range 5 --capacity 20 --format json <walk.json >d.json
cmp a.json d.json || fail 'another answer from a path on standard input'

# What is no field is called what it is.
expect 4 vxbake simulate walk.json --path walk.json --range 5 --capacity 20 2>err
holds 'walk.json: this is JSON, such as a recipe' err
expect 2 vxbake simulate a.vxg --path a.vxg --range 5 --capacity 20 2>err
holds 'a.vxg: this is a grass file; JSON is expected' err
cat >frame.json <<'END'
{"kind": "depth-pyramid", "depth": {"file": "frame.r32", "size": [2, 2]}}
END
head -c 16 /dev/zero >frame.r32
expect 0 vxbake bake -q frame.json -o frame.ktx2
expect 4 vxbake simulate frame.ktx2 --path walk.json --range 5 --capacity 20 2>err
holds 'frame.ktx2: this is a KTX2 file: a walk is over a grass file' err
rm frame.* err

# The report beside the text, also where the verdict is no; standard output takes one of them.
expect 1 walk 20 --max-upload 0 --report json=report.json >told 2>err
cmp a.json report.json || fail 'the report differs from --format json'
expect 0 walk 20 >text
cmp text told || fail 'the report changes the text'
expect 0 walk 20 --report json=- >told 2>err
cmp a.json told || fail 'the report on standard output differs'
cmp text err || fail 'the text is not on standard error'
expect 2 walk 20 --report json=- --format csv 2>err
expect 2 walk 20 --report csv=x 2>err
expect 5 walk 20 --report json=walk.json 2>err
holds '--report: walk.json is also an input' err
expect 5 walk 20 --report json=a.vxg 2>err
expect 5 walk 20 --report json=report.json --map report.json 2>err
holds '--map and --report: report.json is both' err
cmp a.json report.json || fail 'a refused report was replaced'
rm report.json told err
expect 0 walk 20 --plot plot.png --map map.png >text
head -c 4 plot.png | tail -c 3
head -c 4 map.png | tail -c 3
echo
# Told before the walk, not after its report.
expect 3 walk 20 --map nowhere/map.png >early
expect 5 walk 20 --plot same.png --map ./same.png >early
ln -s same.png link.png
expect 5 walk 20 --plot same.png --map link.png >early
expect 5 walk 20 --map a.vxg >early
test -s early && fail 'a report before a refusal'
rm link.png early
expect 5 walk 20 --plot walk.json
# Once the file behind standard input was replaced, and /dev/stdout taken for a file.
expect 5 vxbake simulate - --path walk.json --range 5 --capacity 20 --map a.vxg <a.vxg
expect 2 walk 20 --plot /dev/stdout
expect 2 vxbake simulate a.vxg --path walk.json --range 5
expect 2 vxbake simulate a.vxg --path walk.json --capacity 5
expect 2 vxbake simulate a.vxg --range 5 --capacity 5
expect 2 vxbake simulate --path walk.json --range 5 --capacity 5
expect 2 walk 0
expect 2 walk 5 --hysteresis 0,5
expect 2 walk 5 --range -1
expect 3 vxbake simulate a.vxg --path none.json --range 5 --capacity 5
expect 4 vxbake simulate walk.json --path walk.json --range 5 --capacity 5
sed 's/"time": 2/"time": 0/; s/"fov_y": 1.5, "aspect": 1.5 },/"fov_y": 4, "aspect": 1.5 },/' walk.json >bad.json
expect 2 vxbake simulate a.vxg --path bad.json --range 5 --capacity 5
sed 's/"look_at": \[7, 0, 7\]/"look_at": [1, 2, 2]/; s/\[13, 2, 13\]/[1, 2, 3]/' walk.json >through.json
expect 2 vxbake simulate a.vxg --path through.json --range 5 --capacity 5
rm through.json
only a.csv a.json a.vxg b.json bad.json c.json d.json hills.r16 map.png meadow.json plot.png text walk.json
