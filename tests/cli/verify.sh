# The verdict, several files, standard input, and a damaged byte at every 97th place.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake verify a.vxg >text
holds 'a.vxg: good; format 2; checked ' text
cat a.vxg | vxbake verify - >text || exit
holds 'standard input: good' text
expect 0 vxbake verify a.vxg a.vxg -q >text
test -s text && fail '-q is not quiet'
size=$(wc -c <a.vxg)
at=0
while [ $at -lt $size ]; do
    cp a.vxg b.vxg
    byte=$(od -An -tu1 -j $at -N 1 a.vxg)
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of=b.vxg bs=1 seek=$at conv=notrunc 2>"$CLI_SCRATCH/dd"
    expect 1 vxbake verify b.vxg >text
    holds 'b.vxg: error VX' text
    at=$((at + 97))
done
head -c 100 a.vxg >b.vxg
expect 1 vxbake verify b.vxg >text
: >b.vxg
expect 1 vxbake verify b.vxg >text
expect 3 vxbake verify missing.vxg >text 2>err
