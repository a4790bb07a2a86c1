# Names of descriptors, /dev/stdout and /dev/fd/N, are written into and never renamed over.
test -e /dev/fd/1 || skip 'no /dev/fd'
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
# Defect: the summary followed the field, for only - was taken for standard output.
expect 0 vxbake bake meadow.json -o /dev/stdout >b.vxg 2>summary
holds 'standard output: ' summary
expect 0 vxbake bake meadow.json -o /dev/fd/5 -q 5>c.vxg
expect 0 vxbake inspect a.vxg --preview /dev/stdout >p.png
expect 0 vxbake inspect a.vxg --preview - >q.png
cmp p.png q.png || fail 'something follows the picture'
# Defect: a file that standard output appends to was replaced, and what it held was lost.
echo before >d
expect 0 vxbake bake meadow.json -o /dev/stdout -q >>d
test "$(head -n 1 d)" = before || fail 'what was there before is lost'
tail -c +8 d >d.vxg
# Defect: a file without a name got one that ended in "(deleted)", and no byte reached the descriptor.
exec 6>gone.vxg 5<gone.vxg
rm gone.vxg
expect 0 vxbake bake meadow.json -o /dev/fd/6 -q
exec 6>&-
cat <&5 >e.vxg
exec 5<&-
for file in b c d e; do
    cmp a.vxg $file.vxg || fail "$file.vxg differs"
done
# Defect: two outputs went to standard output under two names.
expect 2 vxbake bake meadow.json -o - --report json=/dev/stdout >mixed 2>err
expect 2 vxbake verify a.vxg --format json --report json=/dev/fd/1 >mixed 2>err
expect 5 vxbake bake meadow.json -o /dev/fd/5 --report json=/dev/fd/6 5>mixed 6>&5 2>err
test -s mixed && fail 'something was written'
# One that is not open, or not for writing, is told before the bake.
expect 3 vxbake bake meadow.json -o /dev/fd/5 2>err
expect 3 vxbake bake meadow.json -o /dev/fd/5 5<a.vxg 2>err
only a.vxg b.vxg c.vxg d d.vxg e.vxg err hills.r16 meadow.json mixed p.png q.png summary
