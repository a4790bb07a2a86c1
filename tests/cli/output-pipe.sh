# Standard output, a pipe, a FIFO and a device as output: the same bytes, nothing renamed over them or left behind.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
vxbake bake meadow.json -o - 2>summary | cat >b.vxg
holds 'standard output: ' summary
vxbake bake meadow.json -o /dev/stdout -q | cat >c.vxg
mkfifo fifo
cat fifo >d.vxg &
expect 0 vxbake bake meadow.json -o fifo -q
wait
test -p fifo || fail 'the FIFO is none any more'
expect 0 vxbake bake meadow.json -o /dev/null -q
test -c /dev/null || fail '/dev/null is gone'
vxbake bake meadow.json -o - >e.vxg -q
for file in b c d e; do
    cmp a.vxg $file.vxg || fail "$file.vxg differs"
done
# What streams is built in TMPDIR first, so a folder that is not there is the one to name.
expect 3 env TMPDIR=/nowhere vxbake bake meadow.json -o - -q 2>summary
holds 'vxbake: error: /nowhere: cannot make a temporary file in this folder' summary
only a.vxg b.vxg c.vxg d.vxg e.vxg fifo hills.r16 meadow.json summary
