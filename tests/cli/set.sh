# --set stands in the recipe's place: the same bytes as from a recipe that says so, and the same messages.
meadow
sed 's/"density": 4/"density": 9.5/; s/"grass"/"reed"/' meadow.json >other.json
expect 0 vxbake bake other.json -o a.vxg -q
expect 0 vxbake bake meadow.json -o b.vxg -q --set /density=9.5 --set /species/0/name=reed
cmp a.vxg b.vxg || fail '--set gives other bytes'
expect 0 vxbake bake meadow.json -o c.vxg -q --set /density=1 --set /density=4
expect 0 vxbake bake meadow.json -o d.vxg -q
cmp c.vxg d.vxg || fail 'the last --set does not win'
expect 2 vxbake bake meadow.json -o c.vxg -q --set /densty=1
expect 2 vxbake bake meadow.json -o c.vxg -q --set /species/3/name=x
expect 2 vxbake bake meadow.json -o c.vxg -q --set /density=-1
cmp c.vxg d.vxg || fail 'a failed bake changed the output'
