# Closed standard descriptors: no file of ours is taken for one of them.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
vxbake bake meadow.json -o b.vxg -q >&-
vxbake bake meadow.json -o c.vxg >&- 2>err
vxbake bake meadow.json -o d.vxg --compress 99 2>&-
vxbake bake meadow.json -o d.vxg -q <&- >&- 2>&-
vxbake bake - -o e.vxg -q <&- 2>err && fail 'a recipe from a closed input'
for file in b c d; do
    cmp a.vxg $file.vxg || fail "$file.vxg differs"
done
only a.vxg b.vxg c.vxg d.vxg err hills.r16 meadow.json
