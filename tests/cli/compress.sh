# Compression changes the file but not what it holds.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=100
id=$(vxbake inspect a.vxg | sed -n 's/^content id *//p')
for how in 'none' '1' '19' '-5' '0' '3 --split' '22 --split'; do
    expect 0 vxbake bake meadow.json -o b.vxg -q --set /density=100 --compress $how
    expect 0 vxbake verify b.vxg -q
    test "$(vxbake inspect b.vxg | sed -n 's/^content id *//p')" = "$id" || fail "--compress $how: another content"
    vxbake inspect a.vxg --blades >a.csv && vxbake inspect b.vxg --blades >b.csv && cmp a.csv b.csv || exit
done
expect 0 vxbake bake meadow.json -o b.vxg -q --set /density=100 --compress none
cmp a.vxg b.vxg || fail '--compress none is not the default'
