# A recipe from standard input, from a pipe with short reads and from a FIFO; paths in it start at the working folder,
# or at the FIFO's.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
vxbake bake - -o b.vxg -q <meadow.json || exit
(head -c 50 meadow.json; sleep 0.1; tail -c +51 meadow.json) | vxbake bake - -o c.vxg -q || exit
mkfifo fifo
cat meadow.json >fifo &
vxbake bake fifo -o d.vxg -q || exit
wait
for file in b c d; do
    cmp a.vxg $file.vxg || exit
done
: >empty.json
expect 3 vxbake bake . -o x.vxg
vxbake bake empty.json -o x.vxg 2>err && fail 'an empty recipe was taken'
holds 'empty' err
