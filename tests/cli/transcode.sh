# A field through every format and back: exit codes, what is printed, and that nothing is written where it is refused.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=100
id=$(vxbake inspect a.vxg | sed -n 's/^content id *//p')

# A name tells what is meant, and is never what is not written.
for name in a.ply a.b.CSV a.ktx2; do
    expect 2 vxbake transcode a.vxg -o $name 2>err
    holds "say --to $(printf %s "${name##*.}" | tr A-Z a-z)" err
    test ! -e $name || fail "$name is a grass file"
done

# Compression and back, from and to a pipe.
expect 0 vxbake transcode a.vxg --compress 9 --split -o small.vxg -q
expect 0 vxbake verify small.vxg -q
test "$(vxbake inspect small.vxg | sed -n 's/^content id *//p')" = "$id" || fail 'another content'
expect 0 vxbake transcode small.vxg -o back.vxg -q
cmp a.vxg back.vxg || fail 'back is another file'
cat small.vxg | vxbake transcode - -o - >piped.vxg 2>err || fail 'not through pipes'
# Once the summary followed the file into /dev/stdout.
vxbake transcode small.vxg -o /dev/stdout >named.vxg 2>>err && cmp piped.vxg named.vxg || fail 'not into /dev/stdout'
rm named.vxg
cmp a.vxg piped.vxg || fail 'another file through pipes'
holds 'standard output: ' err

# To format 1 and back; what verify and inspect make of it.
expect 0 vxbake transcode a.vxg --to 1 --lossy -o old.vxg
expect 0 vxbake verify old.vxg -q
expect 0 vxbake inspect old.vxg --chunks >inspect.txt
holds 'format             1' inspect.txt
expect 0 vxbake transcode old.vxg -o new.vxg
expect 0 vxbake verify new.vxg -q
vxbake inspect old.vxg --blades >old.csv && vxbake inspect new.vxg --blades >new.csv || fail 'no blades'
cmp old.csv new.csv || fail 'a format 1 is shown as other blades than it becomes'
expect 0 vxbake transcode new.vxg --to 1 --lossy -q -o older.vxg
expect 0 vxbake verify older.vxg -q

# Exports.
vxbake transcode a.vxg --to csv -q -o a.csv && vxbake inspect a.vxg --blades | cmp - a.csv || fail 'another CSV'
expect 0 vxbake transcode a.vxg --to ply --origin 1e2,-5.5,0 -o a.ply -q
test "$(head -c 3 a.ply)" = ply || fail 'no PLY'

# The report: in a file, printed, on one line; never in the way of the data.
expect 0 vxbake transcode a.vxg --compress 3 -o y.vxg --report json=y.json --format json >printed.json
cmp y.json printed.json || fail 'the report is not what is printed'
holds "\"content_id\": \"$id\"" y.json
holds "\"bytes\": $(wc -c <y.vxg)" y.json
holds "\"bytes\": $(wc -c <a.vxg)" y.json
expect 0 vxbake transcode a.vxg --to 1 --lossy -q -o y.vxg --format json-lines >line.json
test "$(wc -l <line.json)" -eq 1 || fail 'not one line'
holds '"hashes"' line.json
expect 0 vxbake transcode a.vxg --to csv -o - --report json=y.json 2>err >y.csv
cmp a.csv y.csv || fail 'the report is in the CSV'
holds 'standard output: ' err
expect 0 vxbake transcode a.vxg -o y.vxg --report json=- 2>err >printed.json
holds '"kind": "transcode-report"' printed.json
holds 'y.vxg: ' err
expect 2 vxbake transcode a.vxg -o - --report json=- 2>>usage
expect 2 vxbake transcode a.vxg -o - --format json 2>>usage
expect 2 vxbake transcode a.vxg -o y.vxg --report xml=y 2>>usage
expect 5 vxbake transcode a.vxg -o y.vxg --report json=a.vxg 2>>usage
expect 5 vxbake transcode a.vxg -o y --report json=./y 2>>usage
expect 5 vxbake transcode a.vxg --to runtime -f -o y.bin --report json=y.bin.json 2>>usage
expect 3 vxbake transcode a.vxg -o z.vxg --report json=nowhere/y.json 2>>usage
test -e z.vxg && fail 'an output without its report'
rm -f y.bin.json

# One species.
expect 0 vxbake bake meadow.json -o two.vxg -q --set '/species=[{"name":"a"},{"name":"b ü"}]'
expect 0 vxbake transcode two.vxg --to 2 --species 'b ü' -o one.vxg -q
expect 0 vxbake verify one.vxg -q
expect 2 vxbake transcode two.vxg --to 2 -o x.vxg
expect 2 vxbake transcode two.vxg --to 2 --species c -o x.vxg

# Refusals.
for how in '--to 3' '--to 1' '--to 4' '--to' '--split' '--species grass' '--lossy' '--origin 1,2,3' \
        '--to ply --origin 1,2' '--to ply --origin 1,2,nan' '--to csv --compress 3' '--compress 23' '--nonsense'; do
    expect 2 vxbake transcode a.vxg -o x.vxg $how 2>>usage
done
expect 2 vxbake transcode a.vxg 2>>usage
expect 2 vxbake transcode -o x.vxg 2>>usage
expect 2 vxbake transcode a.vxg small.vxg -o x.vxg 2>>usage
expect 3 vxbake transcode missing.vxg -o x.vxg 2>>usage
expect 4 vxbake transcode meadow.json -o x.vxg 2>>usage
expect 7 vxbake transcode a.vxg -o x.vxg --max-memory 100 2>>usage
head -c 3000 a.vxg >cut.vxg
expect 4 vxbake transcode cut.vxg -o x.vxg 2>>usage
ln -s a.vxg link.vxg
ln a.vxg hard.vxg
for name in a.vxg ./a.vxg link.vxg hard.vxg; do
    expect 5 vxbake transcode a.vxg --compress 3 -o "$name" 2>>usage
    expect 5 vxbake transcode - --compress 3 -o "$name" 2>>usage <a.vxg
done
test -e x.vxg && fail 'a refusal wrote something'
cmp a.vxg back.vxg || fail 'the input was changed'
