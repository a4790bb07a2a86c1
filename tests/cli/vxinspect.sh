# vxinspect's lists: as text, whose every byte is in vxinspect.out; from a pipe; and the same in the other formats.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
vxinspect a.vxg --header --sections --lods --strings --chunks=0-2 --blades=0-2 || exit
expect 0 vxinspect a.vxg >one.txt
expect 0 vxbake inspect a.vxg >two.txt
cmp one.txt two.txt || fail 'the overview is not that of inspect'
cat a.vxg | vxinspect - --chunks >pipe.txt || exit
vxinspect a.vxg --chunks | cmp - pipe.txt || fail 'another list from a pipe'
expect 0 vxinspect a.vxg --blades --format csv >a.csv
expect 0 vxbake inspect a.vxg --blades >b.csv
cmp a.csv b.csv || fail 'other blades than those of inspect'
expect 0 vxbake transcode a.vxg --to csv -o c.csv -q
cmp a.csv c.csv || fail 'other blades than those of transcode'
chunks=$(sed -n 's/^chunks *//p' one.txt)
expect 0 vxinspect a.vxg --chunks --format json-lines >chunks.jsonl
test "$(wc -l <chunks.jsonl)" -eq "$chunks" || fail 'a line is no chunk'
expect 0 vxinspect a.vxg --chunks=1- --format csv >most.csv
test "$(wc -l <most.csv)" -eq "$chunks" || fail 'not all but the first chunk'
expect 0 vxinspect a.vxg --chunks=1,1 --format csv >cell.csv
expect 0 vxinspect a.vxg --chunks --chunk 1,1 --format csv | cmp - cell.csv || fail 'a cell is not a cell'
test "$(wc -l <cell.csv)" -eq 2 || fail 'not one chunk in the cell'
# What is not there is an error, told before anything is printed; what goes on beyond the last ends there.
blades=$(sed -n 's/^blades *//p' one.txt)
for missing in --chunks=100,-100 "--chunks=$chunks" "--blades=$blades-" '--blades --chunk=100,-100' \
    '--chunk 1,1 --blades=1000-'; do
    for format in text json json-lines csv; do
        expect 2 vxinspect a.vxg $missing --format $format >none 2>err
        test -s none && fail "$missing: printed all the same"
        holds ' was asked for; ' err
    done
done
holds "of the cell's chunks, blade 1000 was asked for; there are " err
expect 0 vxinspect a.vxg "--chunks=$((chunks - 1))-1000000" --format csv >last.csv
test "$(wc -l <last.csv)" -eq 2 || fail 'not the last chunk'
# The hashes, of each way to store the field.
expect 0 vxbake transcode a.vxg --compress 3 --split -o z.vxg -q
for file in a.vxg z.vxg; do
    expect 0 vxinspect $file --hashes >hashes.txt
    test "$(grep -c ' yes$' hashes.txt)" -eq $((chunks + 3)) || fail "not every hash of $file is right"
done
# Damage in the last chunk ends the list there. Defect: the last line was cut within a number.
cp a.vxg bad.vxg
printf '\177' | dd of=bad.vxg bs=1 seek=$(($(wc -c <a.vxg) - 6)) conv=notrunc 2>"$CLI_SCRATCH/dd"
for format in csv json-lines text; do
    expect 0 vxinspect a.vxg --blades --format $format >whole
    expect 4 vxinspect bad.vxg --blades --format $format >part 2>err
    holds '/chunks/15/hash' err
    lines=$(wc -l <part)
    head -n "$lines" whole | cmp - part || fail "$format: not a part of what there is, up to a line's end"
    test "$lines" -gt 100 || fail "$format: the chunks before it are missing"
done
expect 0 vxbake inspect a.vxg --blades >whole
expect 4 vxbake inspect bad.vxg --blades >part 2>err
head -n "$(wc -l <part)" whole | cmp - part || fail 'inspect: a line is cut'
expect 4 vxinspect bad.vxg --blades --format json >part 2>err
test "$(tail -c 2 part)" = '}' && fail 'half a document was closed'
# Without tables.
expect 0 vxbake transcode a.vxg --to 1 --lossy -o 1.vxg -q
expect 0 vxinspect 1.vxg --chunks --format csv >legacy.csv
test "$(wc -l <legacy.csv)" -eq $((chunks + 1)) || fail 'not every chunk of format 1'
printf 'Pf\n2 2\n-1.0\n\000\000\000\077\000\000\000\077\000\000\000\077\000\000\000\077' >a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 --set /reduce=farthest -q
vxinspect a.ktx2 --header --levels --keys --samples || exit
