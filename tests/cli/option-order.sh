# Options stand before and after operands, in short and long form, and "--" ends them.
meadow
export POSIXLY_CORRECT=1
expect 0 vxbake bake -o a.vxg meadow.json -q
expect 0 vxbake bake meadow.json -q -ob.vxg
expect 0 vxbake bake --output=c.vxg -q -- meadow.json
expect 0 vxbake bake --outp d.vxg meadow.json --quie
cp meadow.json ./-n.json
expect 0 vxbake bake -q -o ./-e.vxg -- -n.json
expect 0 vxbake inspect -- -e.vxg >text
for file in b.vxg c.vxg d.vxg ./-e.vxg; do
    cmp a.vxg "$file" || exit
done
