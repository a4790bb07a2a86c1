# A locale with a decimal comma changes nothing that is read or written.
command -v localedef >"$CLI_SCRATCH/which" || skip 'no localedef'
localedef -i de_DE -f UTF-8 "$CLI_SCRATCH/de_DE.UTF-8" 2>"$CLI_SCRATCH/localedef" || skip 'no de_DE locale'
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=2.5 --report json=a.json
expect 0 vxbake inspect a.vxg --chunks >a.txt
expect 0 vxbake inspect a.vxg --blades >a.csv
cat >walk.json <<'END'
{"kind": "camera-path", "fps": 2, "views": [
  {"time": 0, "position": [0, 4, 0], "look_at": [9, 0, 9], "fov_y": 1, "aspect": 1.5},
  {"time": 1.5, "position": [30.5, 4, 0], "look_at": [9, 0, 9], "fov_y": 1, "aspect": 1.5}]}
END
walk() { vxbake simulate a.vxg --path walk.json --range 5.5 --capacity 20 --hysteresis 0.15 --format json; }
expect 0 walk >a.walk
export LOCPATH="$CLI_SCRATCH" LC_ALL=de_DE.UTF-8
expect 0 vxbake bake meadow.json -o b.vxg -q --set /density=2.5 --report json=b.json
expect 2 vxbake bake meadow.json -o c.vxg -q --set /density=2,5 2>err
expect 0 vxbake inspect - --chunks <b.vxg >b.txt
expect 0 vxbake inspect b.vxg --blades >b.csv
expect 0 walk >b.walk
cmp a.walk b.walk || fail 'another walk'
cmp a.vxg b.vxg || fail 'other bytes'
cmp a.csv b.csv || fail 'another CSV'
sed 1d a.txt >a && sed 1d b.txt >b && cmp a b || fail 'another text'
grep -v seconds a.json >a && grep -v seconds b.json >b && cmp a b || fail 'another report'
