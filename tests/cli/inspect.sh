# What inspect shows agrees with what bake reported, in text and JSON, and from a pipe.
meadow
expect 0 vxbake bake meadow.json -o a.vxg >text
id=$(sed -n 's/^content id *//p' text)
expect 0 vxbake inspect a.vxg >a.txt
holds "$id" a.txt
holds 'section 0          grass' a.txt
vxbake inspect - <a.vxg >b.txt || exit
cat a.vxg | vxbake inspect - >c.txt || exit
sed 1d a.txt >a && sed 1d b.txt >b && sed 1d c.txt >c
cmp a b && cmp a c || fail 'another text from standard input'
expect 0 vxbake inspect a.vxg --format json >a.json
holds "$id" a.json
expect 0 vxbake inspect a.vxg --format json-lines >b.json
test "$(wc -l <b.json)" -eq 1 || fail 'json-lines is not one line'
tr -d ' \n' <a.json >a && tr -d ' \n' <b.json >b && cmp a b || fail 'json-lines differs'
chunks=$(sed -n 's/^chunks *//p' a.txt)
blades=$(sed -n 's/^blades *//p' a.txt)
expect 0 vxbake inspect a.vxg --chunks >a.txt
test "$(grep -c ' 0x[0-9a-f]*$' a.txt)" -ge "$chunks" || fail 'not every chunk is listed'
expect 0 vxbake inspect a.vxg --blades >a.csv
test "$(wc -l <a.csv)" -eq $((blades + 1)) || fail 'not every blade is listed'
expect 0 vxbake inspect a.vxg --blades --format json-lines >a.jsonl
test "$(wc -l <a.jsonl)" -eq "$blades" || fail 'not every blade is listed'
expect 0 vxbake inspect a.vxg --chunk 1,1 >cell.txt
for how in '' '--format json' '--format json-lines' '--blades' '--blades --format json-lines'; do
    expect 2 vxbake inspect a.vxg --chunk 100,-100 $how >none.txt 2>none.err
    test -s none.txt && fail "$how: printed all the same"
    holds 'cell 100,-100 was asked for; the chunks are of cells 0,0 to 3,3' none.err
done
expect 0 vxbake inspect a.vxg --chunk 1,1 --blades >cell.csv
head -n 1 a.csv >one && head -n 1 cell.csv >two && cmp one two || exit
test "$(wc -l <cell.csv)" -lt "$(wc -l <a.csv)" || fail 'one cell holds every blade'
test "$(wc -l <cell.csv)" -gt 1 || fail 'the cell holds no blade'
